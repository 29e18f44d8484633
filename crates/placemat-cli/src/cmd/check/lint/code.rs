//! Code, comments and strings of source files, as far as lookalikes need it: in a comment or a string, a dash or a quotation
//! mark is ordinary text.
//!
//! The rules are those that the languages of a family share. Where a language has others, some code counts as a string until
//! the end of its line. In languages with comments after `//`, a slash where a value is expected begins a regular expression
//! of JavaScript; in the others, it is an error.

use super::kind::{Hit, Kind};
use std::path::Path;

/// The text that the lint `lookalikes` searches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::cmd::check) enum Lookalikes {
    #[default]
    Nowhere,
    Everywhere,
    /// The code of source files; `None` if the file is no source.
    InCode(Option<Family>),
}

impl Lookalikes {
    pub(super) const fn is_wanted(self) -> bool {
        matches!(self, Self::Everywhere | Self::InCode(Some(_)))
    }

    /// Returns the family of the source file that is searched.
    pub(super) const fn family(self) -> Option<Family> {
        match self {
            Self::InCode(family) => family,
            _ => None,
        }
    }
}

/// Languages whose comments and strings have the same form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cmd::check) enum Family {
    /// `//` and `/* */`.
    Slash,
    /// `#`, and strings of three quotation marks.
    Hash,
    /// `//`, `#` and `/* */`.
    SlashAndHash,
    /// `--`, `/* */`, `--[[ ]]` and `{- -}`.
    Dash,
    /// `;` and `#| |#`, and strings of several lines.
    Semicolon,
    /// `;`, `#`, `//` and `/* */`: one of them begins comments, by the processor.
    Assembly,
    /// `%`.
    Percent,
    /// `(* *)` and `//`, and strings of several lines.
    Ml,
}

/// The names of source files that have no extension.
const SCRIPTS: [&str; 5] = ["Makefile", "Dockerfile", "Containerfile", "Gemfile", "Rakefile"];

/// The extensions of source files.
const SOURCES: [(Family, &str); 8] = [
    (
        Family::Slash,
        "c h cc cpp cxx hpp hh hxx m mm cs java kt kts scala groovy gradle go rs swift dart js mjs cjs jsx ts mts cts tsx zig v \
         sv proto css scss less json jsonc json5 glsl hlsl wgsl cu sol d",
    ),
    (
        Family::Hash,
        "py pyi pyx rb pl pm sh bash zsh ksh fish yml yaml toml r jl ex exs tcl cmake mk ps1 psm1 awk gd nim cr coffee",
    ),
    (Family::SlashAndHash, "php tf hcl nix"),
    (Family::Dash, "sql lua hs elm ada adb ads vhd vhdl"),
    (Family::Semicolon, "el lisp cl scm clj cljs edn rkt"),
    (Family::Assembly, "asm s"),
    (Family::Percent, "erl hrl"),
    (Family::Ml, "ml mli fs fsi fsx pas"),
];

/// A run of punctuation of at most this length is examined as a whole: a marker may begin in it.
const MAX_RUN_BYTES: usize = 16;

impl Family {
    /// Returns the family of a source file, by its extension or else its name; `None` if it is no source file.
    pub(in crate::cmd::check) fn of(path: &Path) -> Option<Self> {
        let Some(extension) = path.extension() else {
            let name = path.file_name()?.to_str()?;
            return SCRIPTS.contains(&name).then_some(Self::Hash);
        };
        let name = extension.to_str()?.to_ascii_lowercase();
        SOURCES
            .iter()
            .find(|(_, names)| names.split(' ').any(|known| known == name))
            .map(|(family, _)| *family)
    }

    /// The markers of comments and strings that can have several lines, each with its end.
    const fn blocks(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Slash | Self::SlashAndHash | Self::Assembly => &[("/*", "*/")],
            Self::Hash => &[("\"\"\"", "\"\"\""), ("'''", "'''")],
            Self::Dash => &[("--[[", "]]"), ("{-", "-}"), ("/*", "*/")],
            Self::Ml => &[("(*", "*)")],
            Self::Semicolon => &[("#|", "|#")],
            Self::Percent => &[],
        }
    }

    /// The markers of comments that the end of the line ends.
    const fn lines(self) -> &'static [&'static str] {
        match self {
            Self::Slash | Self::Ml => &["//"],
            Self::Hash => &["#"],
            Self::SlashAndHash => &["//", "#"],
            Self::Dash => &["--"],
            Self::Semicolon => &[";"],
            Self::Assembly => &[";", "#", "//"],
            Self::Percent => &["%"],
        }
    }

    const fn quotes(self) -> &'static [u8] {
        match self {
            Self::Slash => b"\"'`",
            Self::Hash | Self::SlashAndHash | Self::Dash | Self::Percent => b"\"'",
            Self::Semicolon | Self::Assembly | Self::Ml => b"\"",
        }
    }

    /// Returns `true` if a string between these quotation marks can have several lines.
    const fn has_long_strings(self, quote: u8) -> bool {
        quote == b'`' || matches!(self, Self::Semicolon | Self::Ml)
    }

    /// The quotation marks as characters, which begin no string: `?"` and `#\"` in Lisp, `'"'` in ML.
    const fn quoted_quotes(self) -> &'static [&'static str] {
        match self {
            Self::Semicolon => &["?\"", "?\\\"", "#\\\""],
            Self::Ml => &["'\"'", "'\\\"'"],
            _ => &[],
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Code,
    /// A comment up to the end of the line.
    Line,
    /// A comment or a string up to this marker.
    Block(&'static str),
    /// A string up to this quotation mark.
    Quoted(u8),
    /// A regular expression, and whether a class of characters is open.
    Pattern(bool),
}

/// The place in a source file: in code, in a comment, or in a string.
#[derive(Debug)]
pub(super) struct Code {
    family: Family,
    state: State,
    /// The last byte of code that is no space, or 0 at the start.
    last: u8,
}

impl Code {
    pub(super) const fn new(family: Family) -> Self {
        Self { family, state: State::Code, last: 0 }
    }

    /// Keeps those lookalikes among the hits that stand in code, and those other hits that `keeps` keeps, which is told
    /// whether they stand in code.
    pub(super) fn keep(
        &mut self,
        text: &str,
        hits: &mut Vec<Hit>,
        mut keeps: impl FnMut(&Hit, bool) -> bool,
    ) {
        let mut at = 0;
        hits.retain(|hit| {
            self.pass(text.as_bytes(), at, hit.at.start);
            at = at.max(hit.at.start);
            let in_code = self.state == State::Code;
            let is_lookalike = hit.kind == Kind::Lookalike;
            !(is_lookalike && (!in_code || is_in_words(text, hit))) && keeps(hit, in_code)
        });
        self.pass(text.as_bytes(), at, text.len());
    }

    fn pass(&mut self, text: &[u8], from: usize, to: usize) {
        let mut at = from;
        while at < to {
            at += self.step(&text[at..to]);
        }
    }

    /// Returns the number of bytes at the start of the text that belong together.
    fn step(&mut self, rest: &[u8]) -> usize {
        let first = rest[0];
        match self.state {
            State::Line => match memchr::memchr(b'\n', rest) {
                Some(at) => {
                    self.state = State::Code;
                    at + 1
                }
                None => rest.len(),
            },
            State::Block(end) => match memchr::memmem::find(rest, end.as_bytes()) {
                Some(at) => {
                    self.state = State::Code;
                    at + end.len()
                }
                None => rest.len(),
            },
            State::Quoted(_) if first == b'\\' => rest.len().min(2),
            State::Quoted(quote) => {
                if first == quote || first == b'\n' && !self.family.has_long_strings(quote) {
                    self.state = State::Code;
                }
                1
            }
            State::Pattern(_) if first == b'\\' => rest.len().min(2),
            State::Pattern(in_class) => {
                self.state = match first {
                    b'\n' => State::Code,
                    b'/' if !in_class => State::Code,
                    b'[' => State::Pattern(true),
                    b']' => State::Pattern(false),
                    _ => self.state,
                };
                1
            }
            State::Code => {
                let plain =
                    rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b' ').count();
                if plain > 0 {
                    if let Some(byte) = rest[..plain].iter().rfind(|byte| **byte != b' ') {
                        self.last = *byte;
                    }
                    return plain;
                }
                let family = self.family;
                let begins = |marker: &str| rest.starts_with(marker.as_bytes());
                if let Some(quote) = family.quoted_quotes().iter().find(|quote| begins(quote)) {
                    return quote.len();
                }
                if let Some((start, end)) = family.blocks().iter().find(|(start, _)| begins(start)) {
                    self.state = State::Block(end);
                    return start.len();
                }
                if family.lines().iter().any(|marker| begins(marker)) {
                    self.state = State::Line;
                } else if family.quotes().contains(&first) {
                    self.state = State::Quoted(first);
                } else if first == b'/' && family == Family::Slash && b"(,=:[!&|?{};".contains(&self.last) {
                    self.state = State::Pattern(false);
                }
                if !first.is_ascii_whitespace() {
                    self.last = first;
                }
                1
            }
        }
    }
}

/// Returns `true` for an apostrophe between letters, and for a lookalike beside a letter outside ASCII: texts in Chinese and
/// Japanese have their own spaces and punctuation.
fn is_in_words(text: &str, hit: &Hit) -> bool {
    let before = text[..hit.at.start].chars().next_back();
    let after = text[hit.at.end..].chars().next();
    let beside = |is: fn(char) -> bool| (before.is_some_and(is), after.is_some_and(is));
    let foreign = |c: char| !c.is_ascii() && (c.is_alphanumeric() || matches!(c, '\u{3001}'..='\u{301F}'));
    beside(foreign) != (false, false)
        || text[hit.at.clone()] == *"\u{2019}" && beside(char::is_alphabetic) == (true, true)
}

/// Returns the number of bytes at the end of a text that may be the first part of a marker.
pub(super) fn open_marker(text: &[u8]) -> usize {
    let part = |byte: &&u8| b"/*-\"'[]{}()\\#|?".contains(*byte);
    text.iter().rev().take(MAX_RUN_BYTES).take_while(part).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the source with `@` for each of its `@` and `?` that is in code, and `?` for the others; each piece has at most
    /// `piece` bytes.
    fn told(family: Family, text: &str, piece: usize) -> String {
        let mut code = Code::new(family);
        let (mut from, mut to) = (0, 0);
        let mut told = text.replace('@', "?");
        while from < text.len() {
            to = (to + piece).min(text.len());
            let held = if to == text.len() { 0 } else { open_marker(&text.as_bytes()[from..to]) };
            let part = &text[from..to - held];
            let marks = part.match_indices(['@', '?']);
            let mut hits = marks.map(|(at, _)| Hit { kind: Kind::Lookalike, at: at..at + 1 }).collect();
            code.keep(part, &mut hits, |_, _| true);
            for hit in hits {
                let at = from + hit.at.start;
                told.replace_range(at..=at, "@");
            }
            from = to - held;
        }
        told
    }

    #[test]
    fn comments_and_strings_are_no_code_at_any_cut() {
        for (family, text) in [
            (Family::Slash, "a @ // ?\n@ /* ?\n * ? */ @ \"? \\\" ?\" @ `?\n?` @ '\\'?'\n@"),
            (Family::Slash, "x = \"open ?\n@ a / b @ * c"),
            (Family::Slash, "f(/?[/?]\\/?/, @) / @; x = [\n  /?/i, @ / 2]; y = /open ?\n@"),
            (Family::Hash, "k:@v # ?\n@ \"\"\"?\n'?'\n?\"\"\" @ '''?''' @"),
            (Family::SlashAndHash, "@ # ?\n@ // ?\n@ /* ? */ @"),
            (Family::Dash, "@ -- ?\n@ --[[ ?\n? ]] @ {- ? -} @ - @"),
            (Family::Semicolon, "(a '@ \"?\") ; ?\n#| ?\n? |# @ \"?\n?\" @ #\\\" @"),
            (Family::Assembly, "@ /* ?\n'? */ @ // ?\n@ # ?\n@ \"?\n@"),
            (Family::Percent, "a @ % ?\n@"),
            (Family::Ml, "a' @ (* ?\n? *) @ // ?\n@ \"?\n?\" @ '\"' @"),
        ] {
            for piece in 1..=text.len() {
                assert_eq!(told(family, text, piece), text, "by {piece}");
            }
        }
    }

    #[test]
    fn extensions_tell_sources() {
        for (name, family) in [
            ("a/b.rs", Some(Family::Slash)),
            ("B.JSON", Some(Family::Slash)),
            (".github/workflows/ci.yml", Some(Family::Hash)),
            ("Makefile", Some(Family::Hash)),
            ("x.sql", Some(Family::Dash)),
            ("x.php", Some(Family::SlashAndHash)),
            ("x.lisp", Some(Family::Semicolon)),
            ("x.S", Some(Family::Assembly)),
            ("README.md", None),
            ("notes.txt", None),
            ("rs", None),
            ("x.", None),
        ] {
            assert_eq!(Family::of(Path::new(name)), family, "{name}");
        }
    }
}
