//! What lints find.

use core::ops::Range;
use placemat::Encoding;

/// What was found in well-formed text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cmd::check) enum Kind {
    Noncharacter,
    Control,
    BidiControl,
    /// This one is open where the line ends.
    BidiUnterminated(char),
    PrivateUse,
    Invisible,
    Replacement,
    Separator,
    Confusable,
    MixedScript,
    NotNfc,
    Crlf,
    /// The line ends before it are of this kind.
    MixedEol(Eol),
    BomForbidden,
    BomMissing,
    /// All of the text is in UTF-16 or UTF-32, by its signature or its NULs.
    OtherEncoding {
        found: Encoding,
        signed: bool,
    },
}

impl Kind {
    /// As reports name it.
    pub(in crate::cmd::check) const fn code(self) -> &'static str {
        match self {
            Self::Noncharacter => "noncharacter",
            Self::Control => "control",
            Self::BidiControl => "bidi-control",
            Self::BidiUnterminated(_) => "bidi-unterminated",
            Self::PrivateUse => "private-use",
            Self::Invisible => "invisible",
            Self::Replacement => "replacement",
            Self::Separator => "separator",
            Self::Confusable => "confusable",
            Self::MixedScript => "mixed-script",
            Self::NotNfc => "not-nfc",
            Self::Crlf => "crlf",
            Self::MixedEol(_) => "mixed-eol",
            Self::BomForbidden => "bom-forbidden",
            Self::BomMissing => "bom-missing",
            Self::OtherEncoding { .. } => "other-encoding",
        }
    }
}

/// A line end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cmd::check) enum Eol {
    Lf,
    CrLf,
    Cr,
}

impl Eol {
    pub(in crate::cmd::check) const fn name(self) -> &'static str {
        match self {
            Self::Lf => "LF",
            Self::CrLf => "CR LF",
            Self::Cr => "CR",
        }
    }
}

/// Something that was found, and where in the text of the piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::cmd::check) struct Hit {
    pub(in crate::cmd::check) kind: Kind,
    pub(in crate::cmd::check) at: Range<usize>,
}
