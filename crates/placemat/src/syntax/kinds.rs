//! The languages, and how many of their escapes are meant.

#![forbid(unsafe_code)]

use core::fmt;

/// A language with escapes.
///
/// ```
/// use placemat::syntax::{Scope, Syntax};
/// assert_eq!(Syntax::Css.decode(Scope::NonAscii, br"a::after { content: '\e9 t\e9' }"), "a::after { content: 'été' }".as_bytes());
/// // A comment has no escapes.
/// assert_eq!(Syntax::Css.decode(Scope::NonAscii, br"/* \e9 */"), br"/* \e9 */");
/// assert_eq!(Syntax::MimeHeader.name(), "mime-header");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Syntax {
    /// `java.util.Properties`.
    Properties,
    /// RFC 8259.
    Json,
    /// Java source.
    Java,
    /// HTML.
    Html,
    /// XML 1.0.
    Xml,
    /// C and C++.
    C,
    /// Python 3.
    Python,
    /// JavaScript and TypeScript.
    Js,
    /// Bash and its relatives.
    Shell,
    /// `PostgreSQL` and standard SQL.
    Sql,
    /// CSS.
    Css,
    /// LaTeX.
    Tex,
    /// URLs: RFC 3986, RFC 3987.
    Url,
    /// Headers of mail and HTTP: RFC 2047, RFC 2231.
    MimeHeader,
}

/// How many of the escapes of a [`Syntax`] are decoded or written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Escapes for characters outside ASCII; the text stays what it is.
    #[default]
    NonAscii,
    /// Every escape; the text is the content of one literal.
    All,
}

impl Syntax {
    /// All languages.
    pub const ALL: &[Self] = &[
        Self::Properties,
        Self::Json,
        Self::Java,
        Self::Html,
        Self::Xml,
        Self::C,
        Self::Python,
        Self::Js,
        Self::Shell,
        Self::Sql,
        Self::Css,
        Self::Tex,
        Self::Url,
        Self::MimeHeader,
    ];

    /// Returns the name: `properties`, `json`, … `mime-header`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Properties => "properties",
            Self::Json => "json",
            Self::Java => "java",
            Self::Html => "html",
            Self::Xml => "xml",
            Self::C => "c",
            Self::Python => "python",
            Self::Js => "js",
            Self::Shell => "shell",
            Self::Sql => "sql",
            Self::Css => "css",
            Self::Tex => "tex",
            Self::Url => "url",
            Self::MimeHeader => "mime-header",
        }
    }
}

impl fmt::Display for Syntax {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
