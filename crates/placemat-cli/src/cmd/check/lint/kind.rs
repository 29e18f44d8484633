//! The findings of the lints.

use crate::declarations::Convention;
use crate::line_ends::LineEnd;
use core::ops::Range;
use placemat::Encoding;

/// Why a declaration of the encoding is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cmd::check) enum Fault {
    /// A declaration in the text; the text is in this encoding, or only not in the declared one.
    InText(Convention, Option<Encoding>),
    /// A declaration in a configuration file.
    Configured(Option<Encoding>),
    /// Git needs a signature for the `working-tree-encoding`.
    Unsigned,
    /// Git takes no signature for the `working-tree-encoding`.
    Signed,
    /// `working-tree-encoding` has no label.
    NoLabel,
}

/// A kind of finding in well-formed text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cmd::check) enum Kind {
    Noncharacter,
    Control,
    /// The text ends with one or more U+001A, the end-of-file mark of DOS.
    Eof1a,
    BidiControl,
    /// This control is open at the end of the line.
    BidiUnterminated(char),
    PrivateUse,
    Invisible,
    Replacement,
    Separator,
    /// UTF-8 that was read as this encoding.
    Mojibake(Encoding),
    Confusable,
    MixedScript,
    /// A space or punctuation that looks like ASCII.
    Lookalike,
    NotNfc,
    Crlf,
    /// The kind of the first line end.
    MixedEol(LineEnd),
    /// No line ends in anything but CR; this is the number of lines.
    CrEol(u64),
    BomForbidden,
    /// A signature before `#!`.
    BomShebang,
    BomMissing,
    Declaration(Fault),
    /// These bytes are in `found`, which most of the file is not: it is in `main`.
    MixedUnits {
        found: Encoding,
        main: Encoding,
        first: u64,
        last: u64,
    },
    /// All of the text is in UTF-16 or UTF-32, by its signature or its NULs.
    OtherEncoding {
        found: Encoding,
        signed: bool,
    },
}

impl Kind {
    /// The name of the kind in reports.
    pub(in crate::cmd::check) const fn code(self) -> &'static str {
        match self {
            Self::Noncharacter => "noncharacter",
            Self::Control => "control",
            Self::Eof1a => "eof-1a",
            Self::BidiControl => "bidi-control",
            Self::BidiUnterminated(_) => "bidi-unterminated",
            Self::PrivateUse => "private-use",
            Self::Invisible => "invisible",
            Self::Replacement => "replacement",
            Self::Separator => "separator",
            Self::Mojibake(_) => "mojibake",
            Self::Confusable => "confusable",
            Self::MixedScript => "mixed-script",
            Self::Lookalike => "lookalike",
            Self::NotNfc => "not-nfc",
            Self::Crlf => "crlf",
            Self::MixedEol(_) => "mixed-eol",
            Self::CrEol(_) => "cr-eol",
            Self::BomForbidden => "bom-forbidden",
            Self::BomShebang => "bom-shebang",
            Self::BomMissing => "bom-missing",
            Self::Declaration(_) => "declaration",
            Self::MixedUnits { .. } => "mixed-units",
            Self::OtherEncoding { .. } => "other-encoding",
        }
    }
}

/// A finding and its place in the text of the piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::cmd::check) struct Hit {
    pub(in crate::cmd::check) kind: Kind,
    pub(in crate::cmd::check) at: Range<usize>,
}
