//! A cell of a code page: the text shown for a code point, its width, and its class.

use crate::shown::is_printable;
use anstyle::{AnsiColor, Style};
use placemat::CodePoint;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory as _};
use unicode_width::UnicodeWidthChar as _;

/// The class of a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Control,
    Space,
    Letter,
    Mark,
    Number,
    Punctuation,
    Symbol,
    Format,
    PrivateUse,
    /// The first of a longer sequence.
    Lead,
    /// Only after the first.
    Continuation,
    /// The byte occurs in no text.
    Never,
}

impl Class {
    pub(super) const ALL: [Self; 12] = [
        Self::Letter,
        Self::Mark,
        Self::Number,
        Self::Punctuation,
        Self::Symbol,
        Self::Space,
        Self::Control,
        Self::Format,
        Self::PrivateUse,
        Self::Lead,
        Self::Continuation,
        Self::Never,
    ];

    pub(super) fn of(c: CodePoint) -> Self {
        use GeneralCategory as Gc;
        let Some(c) = c.to_char() else { return Self::PrivateUse };
        match c.general_category() {
            Gc::Control => Self::Control,
            Gc::SpaceSeparator | Gc::LineSeparator | Gc::ParagraphSeparator => Self::Space,
            Gc::Format => Self::Format,
            Gc::NonspacingMark | Gc::SpacingMark | Gc::EnclosingMark => Self::Mark,
            Gc::DecimalNumber | Gc::LetterNumber | Gc::OtherNumber => Self::Number,
            Gc::MathSymbol | Gc::CurrencySymbol | Gc::ModifierSymbol | Gc::OtherSymbol => Self::Symbol,
            Gc::PrivateUse | Gc::Unassigned | Gc::Surrogate => Self::PrivateUse,
            Gc::UppercaseLetter
            | Gc::LowercaseLetter
            | Gc::TitlecaseLetter
            | Gc::ModifierLetter
            | Gc::OtherLetter => Self::Letter,
            _ => Self::Punctuation,
        }
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Control => "control",
            Self::Space => "space",
            Self::Letter => "letter",
            Self::Mark => "mark",
            Self::Number => "number",
            Self::Punctuation => "punctuation",
            Self::Symbol => "symbol",
            Self::Format => "format",
            Self::PrivateUse => "private-use",
            Self::Lead => "lead",
            Self::Continuation => "continuation",
            Self::Never => "never",
        }
    }

    /// Returns the ASCII abbreviation of a code point of the class.
    pub(super) const fn abbreviation(self) -> &'static str {
        match self {
            Self::Control => "ctl",
            Self::Space => "sp",
            Self::Letter => "let",
            Self::Mark => "mrk",
            Self::Number => "num",
            Self::Punctuation => "pun",
            Self::Symbol => "sym",
            Self::Format => "fmt",
            Self::PrivateUse => "prv",
            Self::Lead | Self::Continuation | Self::Never => "",
        }
    }

    /// Returns the color of the class, in colored pages. Lead bytes have one color for each length.
    pub(super) fn style(self, len: usize) -> Style {
        let color = match self {
            Self::Control | Self::Space | Self::Format => return AnsiColor::BrightBlack.on_default(),
            Self::Letter => AnsiColor::Green,
            Self::Mark => AnsiColor::BrightGreen,
            Self::Number => AnsiColor::Cyan,
            Self::Punctuation => AnsiColor::Yellow,
            Self::Symbol => AnsiColor::BrightYellow,
            Self::PrivateUse => AnsiColor::Magenta,
            Self::Lead => {
                return match len {
                    2 => AnsiColor::Yellow,
                    3 => AnsiColor::Magenta,
                    4 => AnsiColor::Cyan,
                    _ => AnsiColor::BrightBlue,
                }
                .on_default()
                .bold();
            }
            Self::Continuation => AnsiColor::Blue,
            Self::Never => AnsiColor::Red,
        };
        color.on_default()
    }
}

/// The abbreviations of the controls: those of ASCII and ISO 6429, and those of Unicode for codes that ISO 6429 leaves
/// open.
const C0: [&str; 32] = [
    "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS", "HT", "LF", "VT", "FF", "CR", "SO", "SI",
    "DLE", "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC", "FS", "GS", "RS",
    "US",
];
const C1: [&str; 32] = [
    "PAD", "HOP", "BPH", "NBH", "IND", "NEL", "SSA", "ESA", "HTS", "HTJ", "VTS", "PLD", "PLU", "RI", "SS2",
    "SS3", "DCS", "PU1", "PU2", "STS", "CCH", "MW", "SPA", "EPA", "SOS", "SGC", "SCI", "CSI", "ST", "OSC",
    "PM", "APC",
];

/// Returns the text shown for a code point, at most three columns wide, and its width. It contains nothing that a
/// terminal obeys.
pub(super) fn shown(c: CodePoint, ascii: bool) -> (String, usize) {
    let class = Class::of(c);
    let value = c.value();
    let abbreviation = match value {
        0..=0x1F => C0[value as usize],
        0x20 => "SP",
        0x7F => "DEL",
        0x80..=0x9F => C1[value as usize - 0x80],
        0xA0 => "NBS",
        0xAD => "SHY",
        0x200B => "ZSP",
        0x200C => "ZNJ",
        0x200D => "ZWJ",
        0x200E => "LRM",
        0x200F => "RLM",
        0x202A => "LRE",
        0x202B => "RLE",
        0x202C => "PDF",
        0x202D => "LRO",
        0x202E => "RLO",
        0x3000 => "ISP",
        _ => "",
    };
    let plain = c.to_char().filter(|&c| is_printable(c) && (!ascii || c.is_ascii()));
    match plain {
        _ if !abbreviation.is_empty() => (abbreviation.into(), abbreviation.len()),
        Some(c) => (c.into(), c.width().unwrap_or(1)),
        // A mark is shown on a circle.
        None if class == Class::Mark && !ascii => match c.to_char() {
            Some(c) => (format!("\u{25CC}{c}"), 1 + c.width().unwrap_or(0)),
            None => (class.abbreviation().into(), class.abbreviation().len()),
        },
        None => (class.abbreviation().into(), class.abbreviation().len()),
    }
}
