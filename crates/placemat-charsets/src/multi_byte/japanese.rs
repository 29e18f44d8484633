//! The relatives of ISO-2022-JP: ISO-2022-JP-1 (RFC 2237), -2 (RFC 1554), -3 and -2004 (JIS X 0213, annex 2), -EXT (Python).
//!
//! | | ESC | 1 | 2 | 3 | 2004 | EXT |
//! | --- | --- | --- | --- | --- | --- | --- |
//! | ASCII | `( B` | x | x | x | x | x |
//! | JIS X 0201 Roman: U+00A5, U+203E | `( J` | x | x | x | | x |
//! | JIS X 0201 katakana | `( I` | | | x | | x |
//! | JIS X 0208 | `$ @`, `$ B` | x | x | x | x | x |
//! | JIS X 0212 | `$ ( D` | x | x | | | x |
//! | GB 2312 | `$ A`, read also `$ ( A` | | x | | | |
//! | KS X 1001 | `$ ( C` | | x | | | |
//! | ISO 8859-1, ISO 8859-7 from A0 up, for one code after ESC N | `. A`, `. F` | | x | | | |
//! | JIS X 0213, plane 1 of 2000 | `$ ( O` | | | x | | |
//! | JIS X 0213, plane 1 of 2004 | `$ ( Q` | | | x | x | |
//! | JIS X 0213, plane 2 | `$ ( P` | | | x | x | |
//!
//! The edition of 2004 put ten kanji into plane 1: ISO-2022-JP-3 writes these alone as of 2004, as glibc does.
//!
//! A text begins and ends in ASCII, and so does a line: what is designated for ESC N ends with it. A designation right after
//! another of its kind is an error, as browsers have it for ISO-2022-JP: nothing but text comes between two of them, so that
//! no filter takes for two words what a reader takes for one. SO, SI and ESC are never text.

pub(super) mod quick;

use super::codes::{ESC, Out, Read, SI, SO};
use super::encodings::MultiByte;
use super::sets::{GB2312, JISX0208, JISX0212, JISX0213, KSX1001};
use crate::grid::{Grid, Place};
use placemat_core::forms::form::{Ending, JustRead};
use placemat_core::ground::code_point::CodePoint;
use placemat_core::ground::error::IllFormedKind;

/// A set that can be designated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
enum Set {
    #[default]
    Ascii,
    Roman,
    Katakana,
    Jis0208,
    Jis0212,
    Gb2312,
    Ksx1001,
    Plane1Of2000,
    Plane1Of2004,
    Plane2,
}

/// A set of which one code at a time is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum High {
    Latin1,
    Greek,
}

/// The designated sets at a place in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Sets {
    set: Set,
    high: Option<High>,
    /// Whether nothing was read since the last escape to a set, and to a set for single codes.
    escaped: [bool; 2],
}

impl Set {
    const ALL: [Self; 10] = [
        Self::Ascii,
        Self::Roman,
        Self::Katakana,
        Self::Jis0208,
        Self::Jis0212,
        Self::Gb2312,
        Self::Ksx1001,
        Self::Plane1Of2000,
        Self::Plane1Of2004,
        Self::Plane2,
    ];
}

impl Sets {
    #[inline]
    pub(super) fn take([set, high, first, second]: [u8; 4]) -> Self {
        Self {
            set: Set::ALL.get(usize::from(set)).copied().unwrap_or_default(),
            high: [None, Some(High::Latin1), Some(High::Greek)].get(usize::from(high)).copied().flatten(),
            escaped: [first != 0, second != 0],
        }
    }

    #[inline]
    pub(super) fn bytes(self) -> [u8; 4] {
        let [first, second] = self.escaped.map(u8::from);
        [self.set as u8, self.high.map_or(0, |high| 1 + high as u8), first, second]
    }
}

/// The effect of an escape.
#[derive(Clone, Copy)]
enum Escape {
    To(Set),
    High(High),
}

const ESCAPES: &[(&[u8], Escape)] = &[
    (b"\x1B(B", Escape::To(Set::Ascii)),
    (b"\x1B(J", Escape::To(Set::Roman)),
    (b"\x1B(I", Escape::To(Set::Katakana)),
    (b"\x1B$B", Escape::To(Set::Jis0208)),
    (b"\x1B$@", Escape::To(Set::Jis0208)),
    (b"\x1B$(D", Escape::To(Set::Jis0212)),
    (b"\x1B$A", Escape::To(Set::Gb2312)),
    // Python writes this longer one.
    (b"\x1B$(A", Escape::To(Set::Gb2312)),
    (b"\x1B$(C", Escape::To(Set::Ksx1001)),
    (b"\x1B$(O", Escape::To(Set::Plane1Of2000)),
    (b"\x1B$(Q", Escape::To(Set::Plane1Of2004)),
    (b"\x1B$(P", Escape::To(Set::Plane2)),
    (b"\x1B.A", Escape::High(High::Latin1)),
    (b"\x1B.F", Escape::High(High::Greek)),
];
const SINGLE_SHIFT: &[u8] = b"\x1BN";

/// The ten kanji that plane 1 of JIS X 0213 has since 2004, by row and column.
const SINCE_2004: [Place; 10] = [
    (0x0D, 0x00),
    (0x0E, 0x5D),
    (0x2E, 0x33),
    (0x2E, 0x5D),
    (0x53, 0x06),
    (0x5D, 0x59),
    (0x5D, 0x5A),
    (0x5D, 0x5B),
    (0x5D, 0x5C),
    (0x5D, 0x5D),
];

/// ISO 8859-7 of 2003 from A0 up; zero where there is nothing.
#[rustfmt::skip]
const GREEK: [u16; 96] = {
    let mut table = [0; 96];
    let (mut i, mut c) = (0, 0x0384 - 0x14);
    while i < 96 {
        // From B4 up all but a few are at an even distance.
        table[i] = c;
        (i, c) = (i + 1, c + 1);
    }
    let signs = [
        0xA0, 0x2018, 0x2019, 0xA3, 0x20AC, 0x20AF, 0xA6, 0xA7, 0xA8, 0xA9, 0x037A, 0xAB, 0xAC, 0xAD, 0, 0x2015,
        0xB0, 0xB1, 0xB2, 0xB3,
    ];
    i = 0;
    while i < signs.len() {
        table[i] = signs[i];
        i += 1;
    }
    table[0x17] = 0xB7;
    table[0x1B] = 0xBB;
    table[0x1D] = 0xBD;
    table[0x32] = 0;
    table[0x5F] = 0;
    table
};

impl Set {
    const fn is_of(self, encoding: MultiByte) -> bool {
        use MultiByte::{Iso2022Jp1, Iso2022Jp2, Iso2022Jp3, Iso2022Jp2004, Iso2022JpExt};
        match self {
            Self::Ascii | Self::Jis0208 => true,
            Self::Roman => !matches!(encoding, Iso2022Jp2004),
            // RFC 1468 has only these of the sets above.
            _ if matches!(encoding, MultiByte::Iso2022JpStrict) => false,
            Self::Katakana => matches!(encoding, Iso2022Jp3 | Iso2022JpExt),
            Self::Jis0212 => matches!(encoding, Iso2022Jp1 | Iso2022Jp2 | Iso2022JpExt),
            Self::Gb2312 | Self::Ksx1001 => matches!(encoding, Iso2022Jp2),
            Self::Plane1Of2000 => matches!(encoding, Iso2022Jp3),
            Self::Plane1Of2004 | Self::Plane2 => matches!(encoding, Iso2022Jp3 | Iso2022Jp2004),
        }
    }

    fn escape(self) -> &'static [u8] {
        let of = |escape| matches!(escape, Escape::To(set) if set == self);
        ESCAPES.iter().find(|&&(_, escape)| of(escape)).map_or(b"", |&(bytes, _)| bytes)
    }

    /// Returns the table of a double-byte set, and the row of the table at which the set begins.
    const fn grid(self) -> Option<(&'static Grid, usize)> {
        Some(match self {
            Self::Ascii | Self::Roman | Self::Katakana => return None,
            Self::Jis0208 => (&JISX0208, 0),
            Self::Jis0212 => (&JISX0212, 0),
            Self::Gb2312 => (&GB2312, 0),
            Self::Ksx1001 => (&KSX1001, 0),
            Self::Plane1Of2000 | Self::Plane1Of2004 => (&JISX0213, 0),
            Self::Plane2 => (&JISX0213, 94),
        })
    }

    /// Returns the row and the column of a code point in a double-byte set.
    fn find(self, c: CodePoint) -> Option<Place> {
        let (grid, start) = self.grid()?;
        let (row, column) = grid.find(c)?;
        let place = (row.checked_sub(start)?, column);
        (place.0 < 94 && !(self == Self::Plane1Of2000 && SINCE_2004.contains(&place))).then_some(place)
    }
}

impl High {
    fn escape(self) -> &'static [u8] {
        if self == Self::Latin1 { b"\x1B.A" } else { b"\x1B.F" }
    }
    fn get(self, byte: u8) -> Option<CodePoint> {
        let n = usize::from(byte.checked_sub(0x20)?);
        match self {
            Self::Latin1 => (n < 96).then(|| CodePoint::from_byte(byte | 0x80)),
            Self::Greek => GREEK.get(n).filter(|&&c| c != 0).map(|&c| CodePoint::from_u16(c)),
        }
    }
    fn find(self, c: CodePoint) -> Option<u8> {
        (0x20..0x80).find(|&byte| self.get(byte) == Some(c))
    }
}

pub(super) fn read(encoding: MultiByte, sets: &mut Sets, src: &[u8]) -> Read {
    let byte = src[0];
    if encoding == MultiByte::Iso2022JpStrict {
        return read_loosely(sets, src);
    }
    if byte == ESC {
        return escape(encoding, sets, src);
    }
    let read = match sets.set {
        _ if byte >= 0x80 => Read::ill_formed(IllFormedKind::EightBitByte, 1, 1),
        _ if matches!(byte, SO | SI) => Read::ill_formed(IllFormedKind::Undefined, 1, 1),
        Set::Roman if byte == b'\\' => Read::one(CodePoint::from_u16(0xA5)),
        Set::Roman if byte == b'~' => Read::one(CodePoint::from_u16(0x203E)),
        Set::Ascii | Set::Roman => Read::ascii(byte),
        Set::Katakana => match byte {
            0x21..=0x5F => Read::one(CodePoint::from_u16(0xFF61 - 0x21 + u16::from(byte))),
            _ => Read::ill_formed(IllFormedKind::Undefined, 1, 1),
        },
        set => two_bytes(set, src),
    };
    if let Read::Other(placemat_core::forms::form::Step::Incomplete { .. }) = read {
        return read;
    }
    if matches!(byte, b'\n' | b'\r') {
        // Designations end with the line, and so does an error where two bytes were expected.
        *sets = Sets { set: if sets.set == Set::Roman { Set::Roman } else { Set::Ascii }, ..Sets::default() };
    }
    sets.escaped = [false; 2];
    read
}

/// Reads as glibc does: controls and spaces are text in every set, and so is ESC where it begins no known escape; a line end
/// changes nothing.
fn read_loosely(sets: &mut Sets, src: &[u8]) -> Read {
    let byte = src[0];
    if byte == ESC {
        let [_, middle, last, ..] = *src else { return Read::incomplete(3 - src.len()) };
        let set = match [middle, last] {
            [b'(', b'B'] => Some(Set::Ascii),
            [b'(', b'J'] => Some(Set::Roman),
            [b'$', b'@' | b'B'] => Some(Set::Jis0208),
            _ => None,
        };
        if let Some(set) = set {
            sets.set = set;
            return Read::shift(3);
        }
    }
    match sets.set {
        _ if byte >= 0x80 => Read::ill_formed(IllFormedKind::EightBitByte, 1, 1),
        Set::Ascii => Read::ascii(byte),
        _ if byte <= b' ' || byte == 0x7F => Read::ascii(byte),
        Set::Roman if byte == b'\\' => Read::one(CodePoint::from_u16(0xA5)),
        Set::Roman if byte == b'~' => Read::one(CodePoint::from_u16(0x203E)),
        Set::Roman => Read::ascii(byte),
        set => two_bytes(set, src),
    }
}

fn two_bytes(set: Set, src: &[u8]) -> Read {
    let Some((grid, start)) = set.grid() else { return Read::ill_formed(IllFormedKind::Undefined, 1, 1) };
    if !matches!(src[0], 0x21..=0x7E) {
        return Read::ill_formed(IllFormedKind::Undefined, 1, 1);
    }
    let Some(&trail) = src.get(1) else { return Read::incomplete(1) };
    if !matches!(trail, 0x21..=0x7E) {
        return Read::ill_formed(IllFormedKind::BadTrail, 1, 2);
    }
    let place = (usize::from(src[0] - 0x21), usize::from(trail - 0x21));
    if set == Set::Plane1Of2000 && SINCE_2004.contains(&place) {
        return Read::ill_formed(IllFormedKind::Undefined, 2, 2);
    }
    Read::at(grid, (start + place.0, place.1), 2, 2)
}

#[cold]
fn escape(encoding: MultiByte, sets: &mut Sets, src: &[u8]) -> Read {
    let known = |&&(_, escape): &&(&[u8], Escape)| match escape {
        Escape::To(set) => set.is_of(encoding),
        Escape::High(_) => encoding == MultiByte::Iso2022Jp2,
    };
    let known = || ESCAPES.iter().filter(known);
    if let Some(&(bytes, escape)) = known().find(|(bytes, _)| src.starts_with(bytes)) {
        let kind = match escape {
            Escape::To(set) => {
                sets.set = set;
                0
            }
            Escape::High(high) => {
                sets.high = Some(high);
                1
            }
        };
        if core::mem::replace(&mut sets.escaped[kind], true) {
            return Read::ill_formed(IllFormedKind::UnknownEscape, bytes.len(), bytes.len());
        }
        return Read::shift(bytes.len());
    }
    if let Some(high) = sets.high
        && src.starts_with(SINGLE_SHIFT)
    {
        let Some(&byte) = src.get(2) else { return Read::incomplete(1) };
        sets.escaped = [false; 2];
        return match high.get(byte) {
            Some(c) => Read::Cell { cell: crate::grid::Cell::One(c), len: 3 },
            // A control, or ASCII where nothing is: it may be meant as such.
            None => Read::ill_formed(IllFormedKind::BadTrail, 2, 3),
        };
    }
    let single_shift = sets.high.map(|_| SINGLE_SHIFT);
    let possible = || known().map(|&(bytes, _)| bytes).chain(single_shift);
    let needs = possible().filter(|bytes| bytes.starts_with(src)).map(|bytes| bytes.len() - src.len()).min();
    if let Some(needs) = needs {
        return Read::incomplete(needs);
    }
    sets.escaped = [false; 2];
    let same = |bytes: &[u8]| bytes.iter().zip(src).take_while(|(a, b)| a == b).count();
    let seen = 1 + possible().map(same).max().unwrap_or(0);
    Read::ill_formed(IllFormedKind::UnknownEscape, 1, seen.min(src.len()))
}

impl Sets {
    /// Designates a set, if it is not designated.
    fn designate(&mut self, set: Set, out: &mut Out) {
        if self.set != set {
            out.push(set.escape());
            self.set = set;
        }
    }

    /// A text ends in ASCII. The designation of a set for ESC N may stay: it ends with the line.
    pub(super) fn ending(&self, encoding: MultiByte, read: JustRead<'_>) -> Ending {
        if self.set == Set::Ascii {
            return Ending::Allowed;
        }
        let designates = |escape| matches!(escape, Escape::To(set) if set.is_of(encoding));
        read.last_shift(|src| {
            let known = || ESCAPES.iter().filter(|&&(_, escape)| designates(escape)).map(|&(bytes, _)| bytes);
            if src[0] == ESC {
                known().find(|&bytes| src.starts_with(bytes)).map_or(0, <[u8]>::len)
            } else {
                0
            }
        })
    }

    /// Writes the escape back to ASCII, if another set is active.
    pub(super) fn close(&mut self, out: &mut Out) {
        self.designate(Set::Ascii, out);
    }
}

/// Writes a code point, and what has to precede it. Whether the encoding holds it.
#[inline]
pub(super) fn write(encoding: MultiByte, sets: &mut Sets, c: CodePoint, out: &mut Out) -> bool {
    let byte = c.value().to_le_bytes()[0];
    let may_be = |set: Set| set.is_of(encoding);
    match c.value() {
        0x1B => return false,
        0x0E | 0x0F if encoding != MultiByte::Iso2022JpStrict => return false,
        value @ ..0x80 => {
            let stays = sets.set == Set::Roman && !matches!(value, 0x5C | 0x7E | 0x0A | 0x0D);
            // As in glibc, controls and spaces are ASCII.
            let is_control = encoding == MultiByte::Iso2022JpStrict && (value <= 0x20 || value == 0x7F);
            let stays = stays && !is_control;
            sets.designate(if stays { Set::Roman } else { Set::Ascii }, out);
            out.push(&[byte]);
            if matches!(value, 0x0A | 0x0D) {
                sets.high = None;
            }
        }
        value @ (0xA5 | 0x203E) if may_be(Set::Roman) => {
            sets.designate(Set::Roman, out);
            out.push(if value == 0xA5 { b"\\" } else { b"~" });
        }
        0xFF61..=0xFF9F if may_be(Set::Katakana) => {
            sets.designate(Set::Katakana, out);
            // The low byte of FF61 is 40 above 21.
            out.push(&[byte - 0x40]);
        }
        _ => {
            return write_double(encoding, sets, c, &JAPANESE, out)
                || write_high(encoding, sets, c, out)
                || write_double(encoding, sets, c, &OTHERS, out);
        }
    }
    true
}

/// In which order sets are tried, as glibc does without tags of languages: those of Latin and Greek between these.
const JAPANESE: [Set; 5] = [Set::Jis0208, Set::Jis0212, Set::Plane1Of2000, Set::Plane1Of2004, Set::Plane2];
const OTHERS: [Set; 2] = [Set::Gb2312, Set::Ksx1001];

fn write_double(encoding: MultiByte, sets: &mut Sets, c: CodePoint, tried: &[Set], out: &mut Out) -> bool {
    // Chinese and Korean stay in their set, rather than to borrow from Japanese.
    let stays = Some(sets.set).filter(|set| OTHERS.contains(set));
    let in_order = tried.iter().copied().filter(|set| set.is_of(encoding));
    let found = stays.into_iter().chain(in_order).find_map(|set| Some((set, set.find(c)?)));
    let Some((set, place)) = found else { return false };
    put(sets, set, place, out);
    true
}

fn put(sets: &mut Sets, set: Set, (row, column): Place, out: &mut Out) {
    sets.designate(set, out);
    out.push(&[row, column].map(|n| 0x21 + n.to_le_bytes()[0]));
}

fn write_high(encoding: MultiByte, sets: &mut Sets, c: CodePoint, out: &mut Out) -> bool {
    if encoding != MultiByte::Iso2022Jp2 {
        return false;
    }
    let found = [High::Latin1, High::Greek].into_iter().find_map(|high| Some((high, high.find(c)?)));
    let Some((high, byte)) = found else { return false };
    if sets.high != Some(high) {
        out.push(high.escape());
        sets.high = Some(high);
    }
    out.push(SINGLE_SHIFT);
    out.push(&[byte]);
    true
}

/// Writes what stands at a place of JIS X 0213, a letter with a mark.
pub(super) fn write_pair(encoding: MultiByte, sets: &mut Sets, place: Place, out: &mut Out) {
    let set = if encoding == MultiByte::Iso2022Jp3 { Set::Plane1Of2000 } else { Set::Plane1Of2004 };
    put(sets, set, place, out);
}
