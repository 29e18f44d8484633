//! The values of `--unwrap` and `--wrap`.

use clap::builder::PossibleValue;
use core::fmt;
use placemat::syntax::Syntax;
use placemat::transfer::Transfer;
use std::sync::LazyLock;

/// A KIND.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Transfer(Transfer),
    Syntax(Syntax),
}

impl Kind {
    /// Returns `true` if what is inside is UTF-8.
    pub(super) const fn is_textual(self) -> bool {
        match self {
            Self::Transfer(transfer) => transfer.is_textual(),
            Self::Syntax(_) => true,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Transfer(transfer) => transfer.name(),
            Self::Syntax(syntax) => syntax.name(),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl clap::ValueEnum for Kind {
    fn value_variants<'a>() -> &'a [Self] {
        static ALL: LazyLock<Vec<Kind>> = LazyLock::new(|| {
            let transfers = Transfer::ALL.iter().copied().map(Kind::Transfer);
            transfers.chain(Syntax::ALL.iter().copied().map(Kind::Syntax)).collect()
        });
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = match self {
            Self::Transfer(Transfer::QuotedPrintable) => "mail: caf=C3=A9",
            Self::Transfer(Transfer::Base64) => "mail, in lines: Y2Fmw6k=",
            Self::Transfer(Transfer::Base64Url) => "base64 with - and _ and without padding: Y2Fmw6k",
            Self::Transfer(Transfer::Percent) => "bytes in URLs: caf%C3%A9",
            Self::Transfer(Transfer::Form) => "HTML forms: percent, with + for a space",
            Self::Transfer(Transfer::References) => "all references: caf&eacute; caf&#xE9; &lt;",
            Self::Transfer(Transfer::Escapes) => {
                "all escapes, of bytes and code points: caf\\u00e9 caf\\xC3\\xA9 caf\\303\\251 \\n"
            }
            Self::Syntax(Syntax::Properties) => "Java property files: caf\\u00e9",
            Self::Syntax(Syntax::Json) => "JSON: \"caf\\u00e9\"",
            Self::Syntax(Syntax::Java) => "Java source: \"caf\\u00e9\"",
            Self::Syntax(Syntax::Html) => "HTML: caf&eacute;",
            Self::Syntax(Syntax::Xml) => "XML: caf&#xE9;",
            Self::Syntax(Syntax::C) => "C and C++: \"caf\\u00e9\" \"caf\\303\\251\"",
            Self::Syntax(Syntax::Python) => "Python 3: \"caf\\xe9\"",
            Self::Syntax(Syntax::Js) => "JavaScript, TypeScript: \"caf\\u{e9}\"",
            Self::Syntax(Syntax::Shell) => "Bash: $'caf\\303\\251'",
            Self::Syntax(Syntax::Sql) => "SQL: E'caf\\u00e9' U&'caf\\00e9'",
            Self::Syntax(Syntax::Css) => "CSS: \"caf\\e9 \"",
            Self::Syntax(Syntax::Tex) => "LaTeX: caf\\'e",
            Self::Syntax(Syntax::Url) => "URLs: /caf%C3%A9%2F",
            Self::Syntax(Syntax::MimeHeader) => "headers of mail and HTTP: =?UTF-8?Q?caf=C3=A9?=",
            _ => return None,
        };
        Some(PossibleValue::new(self.name()).help(help))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::ValueEnum as _;

    #[test]
    fn every_kind_has_a_name_of_its_own_and_help() {
        let kinds = Kind::value_variants();
        assert_eq!(kinds.len(), Transfer::ALL.len() + Syntax::ALL.len());
        assert!(kinds.iter().all(|kind| kind.to_possible_value().is_some()));
        let mut names: Vec<_> = kinds.iter().map(|kind| kind.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), kinds.len());
    }
}
