//! The oracle: a slow and plain decoder and encoder per encoding form.
//!
//! It is written from the specifications (Unicode chapter 3 with table 3-7, RFC 3629, RFC 2781, PEP
//! 383, the WHATWG Encoding Standard), and shares no code with the library. It works on whole byte
//! slices and vectors of code points, looks at one sequence at a time, and records every error with
//! its span; speed does not matter.
//!
//! - [`items`]: the code points and errors of an input, under a span rule.
//! - [`decode`]: the text that a policy makes of them, and the errors that occurred.
//! - [`encode`]: the bytes of a text, under a policy for code points that the form cannot
//!   represent.
//! - [`Conversion`]: a conversion from one form to another, continued after every error.
//! - [`helpers`]: byte classes, boundaries, signatures, lengths.

mod bocu1;
mod conversion;
pub(crate) mod helpers;
mod i8;
mod policies;
mod relatives;
mod scsu;
mod stateful;
mod steps;
mod table;
mod utf7;
mod writing;

pub(crate) use conversion::{Conversion, Converted, Count, Counts, Trouble};
pub(crate) use policies::{Policy, cp1252, decode, errors_as_fffd};
pub(crate) use steps::{Mode, Step, step};
pub(crate) use table::Table;
pub(crate) use writing::{Unmappable, encode, holds, unescape};

/// The byte order of a code unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(crate) enum Order {
    Big,
    Little,
}

/// The forms that the oracle reads and writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(crate) enum Form {
    Utf8,
    /// UTF-8 whose signature is not part of the text: reading removes it once, writing adds it.
    Utf8Bom,
    Utf16(Order),
    /// UTF-16 whose byte order mark gives the order, otherwise the order named here; writing adds
    /// the mark in that order.
    Utf16Bom(Order),
    Utf32(Order),
    /// UTF-32 with a byte order mark, as in [`Form::Utf16Bom`].
    Utf32Bom(Order),
    Ucs2(Order),
    /// UCS-2 with a byte order mark, as in [`Form::Utf16Bom`].
    Ucs2Bom(Order),
    Ucs4(Order),
    /// UCS-4 with a byte order mark, as in [`Form::Utf16Bom`].
    Ucs4Bom(Order),
    Ascii,
    Latin1,
    /// A single-byte charset.
    Table(Table),
    /// UTF-8 up to U+FFFF.
    Utf8Mb3,
    Cesu8,
    /// CESU-8 that also accepts four-byte sequences.
    Cesu8Mixed,
    Mutf8,
    /// Modified UTF-8 as `DataInput.readUTF` reads it.
    JavaUtf,
    TclUtf8,
    Wtf8,
    Utf8Bits31,
    PerlUtf8,
    Fss1992,
    Utf1,
    /// UTF-7 with everything that decoders accept.
    Utf7,
    /// UTF-7 limited to the strictest reading of the RFC.
    Utf7Strict,
    /// Names of IMAP mailboxes.
    Imap,
    I8,
    UtfEbcdic,
    Scsu,
    Bocu1,
}

impl Form {
    /// The forms that the oracle knows; those with a byte order mark have both defaults.
    pub(crate) const ALL: [Self; 38] = [
        Self::Utf8,
        Self::Utf8Bom,
        Self::Utf16(Order::Big),
        Self::Utf16(Order::Little),
        Self::Utf16Bom(Order::Big),
        Self::Utf16Bom(Order::Little),
        Self::Utf32(Order::Big),
        Self::Utf32(Order::Little),
        Self::Utf32Bom(Order::Big),
        Self::Utf32Bom(Order::Little),
        Self::Ucs2(Order::Big),
        Self::Ucs2(Order::Little),
        Self::Ucs2Bom(Order::Big),
        Self::Ucs2Bom(Order::Little),
        Self::Ucs4(Order::Big),
        Self::Ucs4(Order::Little),
        Self::Ucs4Bom(Order::Big),
        Self::Ucs4Bom(Order::Little),
        Self::Ascii,
        Self::Latin1,
        Self::Utf8Mb3,
        Self::Cesu8,
        Self::Cesu8Mixed,
        Self::Mutf8,
        Self::JavaUtf,
        Self::TclUtf8,
        Self::Wtf8,
        Self::Utf8Bits31,
        Self::PerlUtf8,
        Self::Fss1992,
        Self::Utf1,
        Self::Utf7,
        Self::Utf7Strict,
        Self::Imap,
        Self::I8,
        Self::UtfEbcdic,
        Self::Scsu,
        Self::Bocu1,
    ];

    /// Returns `true` if a leading surrogate and a trailing surrogate after it are read as one code point.
    pub(crate) fn joins_pairs(self) -> bool {
        matches!(self, Self::Mutf8 | Self::JavaUtf | Self::TclUtf8 | Self::Wtf8)
    }

    /// Returns `true` if first bytes group the bytes as in UTF-8, so that the span rules for first bytes apply.
    pub(crate) fn is_like_utf8(self) -> bool {
        self == Self::Utf8
            || self.joins_pairs()
            || matches!(
                self,
                Self::Utf8Mb3 | Self::Cesu8 | Self::Cesu8Mixed | Self::Utf8Bits31 | Self::PerlUtf8
            )
    }

    /// Returns `true` if a text may contain bytes 80..FF as escapes, because bytes below 80 are always ASCII.
    pub(crate) fn takes_bytes(self) -> bool {
        match self {
            Self::Ascii | Self::Latin1 | Self::Fss1992 | Self::I8 => true,
            Self::Table(table) => table.is_ascii_compatible(),
            _ => self.is_like_utf8() && self != Self::JavaUtf,
        }
    }

    /// Returns the form of this name in the vectors (`utf-16be`, `ucs-4le`, …).
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "utf-8" => Self::Utf8,
            "utf-16be" => Self::Utf16(Order::Big),
            "utf-16le" => Self::Utf16(Order::Little),
            "utf-32be" => Self::Utf32(Order::Big),
            "utf-32le" => Self::Utf32(Order::Little),
            "ucs-2be" => Self::Ucs2(Order::Big),
            "ucs-2le" => Self::Ucs2(Order::Little),
            "ucs-4be" => Self::Ucs4(Order::Big),
            "ucs-4le" => Self::Ucs4(Order::Little),
            "ascii" | "us-ascii" => Self::Ascii,
            "latin1" | "iso-8859-1" => Self::Latin1,
            "cesu-8" => Self::Cesu8,
            "mutf-8" => Self::Mutf8,
            "wtf-8" => Self::Wtf8,
            "utf-8-31" => Self::Utf8Bits31,
            "utf-8-perl" => Self::PerlUtf8,
            "fss-utf-1992" => Self::Fss1992,
            "utf-1" => Self::Utf1,
            "utf-7" => Self::Utf7,
            "utf-7-d" => Self::Utf7Strict,
            "utf-7-imap" | "imap-utf-7" => Self::Imap,
            "i8" | "utf-ebcdic-i8" => Self::I8,
            "utf-ebcdic" => Self::UtfEbcdic,
            "scsu" => Self::Scsu,
            "bocu-1" => Self::Bocu1,
            name => Self::Table(Table::named(name)?),
        })
    }

    /// Returns the number of bytes in a code unit.
    pub(crate) fn unit(self) -> usize {
        match self {
            Self::Utf16(_) | Self::Utf16Bom(_) | Self::Ucs2(_) | Self::Ucs2Bom(_) => 2,
            Self::Utf32(_) | Self::Utf32Bom(_) | Self::Ucs4(_) | Self::Ucs4Bom(_) => 4,
            _ => 1,
        }
    }

    /// Returns `true` if the meaning of bytes depends on the bytes before them. In such a form, an error is a
    /// whole step under every span rule, and some of its bytes are not text.
    pub(crate) fn is_stateful(self) -> bool {
        matches!(self, Self::Utf7 | Self::Utf7Strict | Self::Imap | Self::Scsu | Self::Bocu1)
    }

    /// Returns the form at the start of an input: the length of the signature to drop, and the form of the rest.
    pub(crate) fn resolve(self, bytes: &[u8]) -> (usize, Self) {
        let Some((big, little)) = self.marks() else { return (0, self) };
        let order = match () {
            () if bytes.starts_with(big) => Some((big, Order::Big)),
            () if bytes.starts_with(little) => Some((little, Order::Little)),
            () => None,
        };
        match order {
            Some((mark, order)) => (mark.len(), self.plain().ordered(order)),
            None => (0, self.plain()),
        }
    }

    /// Returns the bytes of U+FEFF, big-endian and little-endian, for a form whose signature is not
    /// part of the text.
    fn marks(self) -> Option<(&'static [u8], &'static [u8])> {
        match self {
            Self::Utf8Bom => Some((&[0xEF, 0xBB, 0xBF], &[0xEF, 0xBB, 0xBF])),
            Self::Utf16Bom(_) | Self::Ucs2Bom(_) => Some((&[0xFE, 0xFF], &[0xFF, 0xFE])),
            Self::Utf32Bom(_) | Self::Ucs4Bom(_) => Some((&[0, 0, 0xFE, 0xFF], &[0xFF, 0xFE, 0, 0])),
            _ => None,
        }
    }

    /// Returns the form in another byte order, if it has one.
    fn ordered(self, order: Order) -> Self {
        match self {
            Self::Utf16(_) => Self::Utf16(order),
            Self::Utf32(_) => Self::Utf32(order),
            Self::Ucs2(_) => Self::Ucs2(order),
            Self::Ucs4(_) => Self::Ucs4(order),
            other => other,
        }
    }

    /// Returns the signature that an encoder of this form writes first.
    pub(crate) fn signature(self) -> &'static [u8] {
        match (self, self.marks()) {
            (_, None) => &[],
            (
                Self::Utf16Bom(Order::Little)
                | Self::Utf32Bom(Order::Little)
                | Self::Ucs2Bom(Order::Little)
                | Self::Ucs4Bom(Order::Little),
                Some((_, little)),
            ) => little,
            (_, Some((big, _))) => big,
        }
    }

    /// Returns the form without the signature, in the order that an encoder writes.
    pub(crate) fn plain(self) -> Self {
        match self {
            Self::Utf8Bom => Self::Utf8,
            Self::Utf16Bom(order) => Self::Utf16(order),
            Self::Utf32Bom(order) => Self::Utf32(order),
            Self::Ucs2Bom(order) => Self::Ucs2(order),
            Self::Ucs4Bom(order) => Self::Ucs4(order),
            plain => plain,
        }
    }
}

/// The number of bytes in one error.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(crate) enum Span {
    /// The longest prefix of some well-formed sequence, at least one unit.
    Maximal,
    /// One code unit, or the rest of one.
    Byte,
    /// UTF-8: the nominal length of the lead byte, or the rest of the input. Other forms: the same
    /// as [`Maximal`](Self::Maximal).
    Lead,
    /// UTF-8: the lead byte and the continuation bytes after it, up to its nominal length. Other
    /// forms: the same as [`Maximal`](Self::Maximal).
    Structural,
}

impl Span {
    pub(crate) const ALL: [Self; 4] = [Self::Maximal, Self::Byte, Self::Lead, Self::Structural];

    /// Returns the span rule of this name in the vectors.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "maximal-subpart" => Self::Maximal,
            "per-byte" => Self::Byte,
            "lead-length" => Self::Lead,
            "structural" => Self::Structural,
            _ => return None,
        })
    }
}

/// One error of an input: `start..end` in bytes from the start of the input, and the kind in the words of the vectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(crate) struct Fault {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) kind: &'static str,
}

/// One element of a decoded input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Item {
    CodePoint { value: u32, start: usize, end: usize },
    Error(Fault),
}

/// Returns the items of `bytes`, in order: code points and errors. Only a signature at the start and shifts leave
/// gaps.
pub(crate) fn items(form: Form, bytes: &[u8], span: Span, mode: Mode) -> Vec<Item> {
    let (mut at, form) = form.resolve(bytes);
    if form.is_stateful() {
        return stateful::items(form, bytes, mode);
    }
    let mut found = Vec::new();
    while at < bytes.len() {
        match step(form, &bytes[at..], mode) {
            Step::CodePoint { value, len } => {
                found.push(Item::CodePoint { value, start: at, end: at + len });
                at += len;
            }
            Step::Error { len, kind } => {
                let end = at + span_len(form, &bytes[at..], span, len);
                found.push(Item::Error(Fault { start: at, end, kind }));
                at = end;
            }
        }
    }
    found
}

/// Returns the number of bytes of `rest` that this rule takes as one error; `rest` starts with an error of maximal
/// subpart `maximal`.
pub(crate) fn span_len(form: Form, rest: &[u8], span: Span, maximal: usize) -> usize {
    match span {
        Span::Maximal => maximal,
        Span::Byte => form.unit().min(rest.len()),
        Span::Lead | Span::Structural if !form.is_like_utf8() => maximal,
        Span::Lead => maximal.max(nominal_len(form, rest[0]).min(rest.len())),
        Span::Structural => {
            let most = nominal_len(form, rest[0]).min(rest.len());
            maximal.max(1 + rest[1..most].iter().take_while(|&&b| b & 0xC0 == 0x80).count())
        }
    }
}

/// Returns the length that the first byte announces in the six-byte table of RFC 2279, and in Perl's extension of it.
fn nominal_len(form: Form, lead: u8) -> usize {
    match lead {
        0xC0..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF7 => 4,
        0xF8..=0xFB => 5,
        0xFC..=0xFD => 6,
        0xFE if form == Form::PerlUtf8 => 7,
        0xFF if form == Form::PerlUtf8 => 13,
        _ => 1,
    }
}
