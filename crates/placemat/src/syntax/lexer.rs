//! The lexer of each syntax.

#![forbid(unsafe_code)]

use super::c::C;
use super::css::Css;
use super::js::Js;
use super::kinds::Syntax;
use super::markup::Markup;
use super::plain::{self, JAVA, JSON, PROPERTIES, Plain};
use super::python::Python;
use super::shell::Shell;
use super::sql::Sql;
use super::tex::Tex;
use super::token::Token;
use super::write;
use alloc::boxed::Box;
use alloc::vec::Vec;

#[derive(Clone, Debug)]
pub(super) struct Lexer {
    syntax: Syntax,
    state: State,
}

#[derive(Clone, Debug)]
enum State {
    Plain(Plain),
    Url,
    Markup(Markup),
    C(C),
    Python(Python),
    Js(Box<Js>),
    Shell(Shell),
    Sql(Sql),
    Css(Css),
    Tex(Tex),
}

impl Lexer {
    /// Returns a lexer at the start of a text, or of the `content` of a literal.
    pub(super) fn new(syntax: Syntax, content: bool) -> Self {
        let state = match syntax {
            Syntax::Properties => State::Plain(Plain::new(&PROPERTIES, content)),
            Syntax::Json => State::Plain(Plain::new(&JSON, false)),
            Syntax::Java => State::Plain(Plain::new(&JAVA, false)),
            Syntax::Html => State::Markup(Markup::new(true, content)),
            Syntax::Xml => State::Markup(Markup::new(false, content)),
            Syntax::C => State::C(C::new(content)),
            Syntax::Python => State::Python(Python::new(content)),
            Syntax::Js => State::Js(Box::new(Js::new(content))),
            Syntax::Shell => State::Shell(Shell::new(content)),
            Syntax::Sql => State::Sql(Sql::new(content)),
            Syntax::Css => State::Css(Css::new(content)),
            Syntax::Tex => State::Tex(Tex::new(content)),
            Syntax::Url | Syntax::MimeHeader => State::Url,
        };
        Self { syntax, state }
    }

    /// Reads one token at the start of `src`, which is not empty.
    #[inline]
    pub(super) fn next(&mut self, src: &[u8], last: bool) -> Token {
        match &mut self.state {
            State::Plain(lexer) => lexer.next(src, last),
            State::Url => plain::url(src, last),
            State::Markup(lexer) => lexer.next(src, last),
            State::C(lexer) => lexer.next(src, last),
            State::Python(lexer) => lexer.next(src, last),
            State::Js(lexer) => lexer.next(src, last),
            State::Shell(lexer) => lexer.next(src, last),
            State::Sql(lexer) => lexer.next(src, last),
            State::Css(lexer) => lexer.next(src, last),
            State::Tex(lexer) => lexer.next(src, last),
        }
    }

    /// Writes the escape of a character at this place. Returns `false` if there is none.
    pub(super) fn write(&self, c: char, out: &mut Vec<u8>) -> bool {
        match &self.state {
            State::Js(js) if js.in_code() => {
                write::braced(c, out);
                true
            }
            State::C(lexer) => lexer.write(c, out),
            State::Sql(sql) if sql.is_unicode() => {
                write::sql_unicode(c, out);
                true
            }
            _ => write::outside_ascii(self.syntax, c, out),
        }
    }
}
