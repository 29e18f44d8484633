//! The encodings that do not switch: a lead byte says how long a sequence is and which set it is of.

use super::codes::Read;
use super::encodings::MultiByte;
use super::sets::JISX0212;
use crate::grid::Place;
use placemat_core::ground::code_point::CodePoint;
use placemat_core::ground::error::IllFormedKind;

/// The bytes of one code.
#[derive(Clone, Copy, Default)]
pub(super) struct Bytes {
    bytes: [u8; 4],
    len: usize,
}

impl Bytes {
    pub(super) fn new<const N: usize>(from: [u8; N]) -> Self {
        let mut bytes = [0; 4];
        bytes[..N].copy_from_slice(&from);
        Self { bytes, len: N }
    }
    pub(super) fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// Returns the columns of two ranges of trail bytes, of which the first begins at `first` and goes to 7E.
fn two_ranges(first: u8, second: u8, last: u8, byte: u8) -> Option<usize> {
    match byte {
        _ if (first..=0x7E).contains(&byte) => Some(usize::from(byte - first)),
        _ if (second..=last).contains(&byte) => Some(usize::from(byte - second) + usize::from(0x7F - first)),
        _ => None,
    }
}

/// 94 bytes from A1 on.
fn right(byte: u8) -> Option<usize> {
    matches!(byte, 0xA1..=0xFE).then(|| usize::from(byte.wrapping_sub(0xA1)))
}

/// Rows of plane 2 of JIS X 0213, counted from 0, in the order of the lead bytes F0..FC of `Shift_JIS-2004`, two each.
pub(super) const PLANE_2: [u8; 26] =
    [0, 7, 2, 3, 4, 11, 12, 13, 14, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93];

pub(super) fn read(encoding: MultiByte, src: &[u8]) -> Read {
    let lead = src[0];
    match (encoding, lead) {
        (MultiByte::ShiftJis2004 | MultiByte::ShiftJisStrict, b'\\') => {
            return Read::one(CodePoint::from_u16(0xA5));
        }
        (MultiByte::ShiftJis2004 | MultiByte::ShiftJisStrict, b'~') => {
            return Read::one(CodePoint::from_u16(0x203E));
        }
        (_, ..0x80) => return Read::ascii(lead),
        (
            MultiByte::ShiftJis2004 | MultiByte::Ibm943 | MultiByte::ShiftJisStrict | MultiByte::Cp932Strict,
            0xA1..=0xDF,
        ) => return Read::one(half_width(lead)),
        (MultiByte::GbkStrict, 0x80) => return Read::one(CodePoint::from_u16(EURO)),
        _ if is_control(encoding, lead.into()) => return Read::one(CodePoint::from_byte(lead)),
        _ => {}
    }
    // The number of bytes that select the set.
    let head = match (encoding, lead) {
        (MultiByte::EucTw, 0x8E) => 2,
        (MultiByte::EucJis2004 | MultiByte::EucJpStrict, 0x8F) => 1,
        (MultiByte::EucJis2004 | MultiByte::EucJpStrict, 0x8E) => {
            return match src.get(1) {
                None => Read::incomplete(1),
                Some(&byte @ 0xA1..=0xDF) => {
                    Read::Cell { cell: crate::grid::Cell::One(half_width(byte)), len: 2 }
                }
                Some(_) => Read::ill_formed(IllFormedKind::BadTrail, 1, 2),
            };
        }
        (MultiByte::EucTw | MultiByte::EucJis2004, 0xA1..=0xFE)
        | (MultiByte::Big5Hkscs, 0x81..=0xFE)
        | (MultiByte::Johab, 0x84..=0xD3 | 0xD8..=0xDE | 0xE0..=0xF9)
        | (MultiByte::ShiftJis2004 | MultiByte::Ibm943 | MultiByte::Cp932Strict, 0x81..=0x9F | 0xE0..=0xFC)
        | (MultiByte::ShiftJisStrict, 0x81..=0x9F | 0xE0..=0xEA)
        // Some of these begin nothing, but glibc waits for the byte that follows.
        | (MultiByte::EucCnStrict, 0x8E | 0x8F | 0xA1..=0xFE)
        | (MultiByte::EucKrStrict, 0xA1..=0xFF)
        | (MultiByte::EucJpStrict, 0xA0..=0xFE)
        | (MultiByte::GbkStrict, 0x81..=0xFE)
        | (MultiByte::Big5Uao, 0x81..=0xFE)
        | (MultiByte::Big5Strict | MultiByte::Big5Eten, 0xA1..=0xF9) => 0,
        _ => return Read::ill_formed(IllFormedKind::Undefined, 1, 1),
    };
    let len = head + 2;
    for (i, &byte) in src.iter().enumerate().take(len).skip(1) {
        let fits = match encoding {
            MultiByte::EucTw if head == 2 && i == 1 => matches!(byte, 0xA1..=0xB0),
            MultiByte::EucJpStrict if head == 1 && i == 1 => matches!(byte, 0xA2..=0xED),
            MultiByte::EucTw
            | MultiByte::EucJis2004
            | MultiByte::EucCnStrict
            | MultiByte::EucKrStrict
            | MultiByte::EucJpStrict => right(byte).is_some(),
            MultiByte::GbkStrict => matches!(byte, 0x40..=0x7E | 0x80..=0xFE),
            encoding if encoding.is_big5() => matches!(byte, 0x40..=0x7E | 0xA1..=0xFE),
            MultiByte::Johab => matches!(byte, 0x31..=0x7E | 0x81..=0xFE),
            _ => matches!(byte, 0x40..=0x7E | 0x80..=0xFC),
        };
        if !fits {
            return Read::ill_formed(IllFormedKind::BadTrail, i, i + 1);
        }
    }
    let Some(sequence) = src.get(..len) else { return Read::incomplete(len - src.len()) };
    let (lead, trail) = (usize::from(sequence[head]), sequence[head + 1]);
    let column = match encoding {
        encoding if encoding.is_big5() => two_ranges(0x40, 0xA1, 0xFE, trail),
        MultiByte::GbkStrict => two_ranges(0x40, 0x80, 0xFE, trail),
        MultiByte::Johab => Some(usize::from(trail) - 0x31),
        MultiByte::ShiftJis2004 | MultiByte::Ibm943 | MultiByte::ShiftJisStrict | MultiByte::Cp932Strict => {
            two_ranges(0x40, 0x80, 0xFC, trail)
        }
        _ => right(trail),
    };
    let column = column.unwrap_or(usize::MAX);
    let place = match encoding {
        MultiByte::GbkStrict => (lead - 0x81, column),
        encoding if encoding.is_big5() => (lead - 0x81, column),
        MultiByte::Johab => (lead - 0x80, column),
        MultiByte::EucJis2004 => (94 * head + lead - 0xA1, column),
        MultiByte::ShiftJis2004 | MultiByte::Ibm943 | MultiByte::ShiftJisStrict | MultiByte::Cp932Strict => {
            let two_rows = if lead < 0xA0 { lead - 0x81 } else { lead - 0xC1 };
            let row = 2 * two_rows + column / 94;
            let plane_2 = PLANE_2.get(row.wrapping_sub(94)).filter(|_| encoding == MultiByte::ShiftJis2004);
            (plane_2.map_or(row, |&row| 94 + usize::from(row)), column % 94)
        }
        _ if head == 2 => (94 * usize::from(sequence[1] - 0xA1) + lead - 0xA1, column),
        _ => (lead.wrapping_sub(0xA1), column),
    };
    let grid = if encoding == MultiByte::EucJpStrict && head == 1 { &JISX0212 } else { encoding.grid() };
    // A byte that is ASCII may be meant as such.
    Read::at(grid, place, len, if trail.is_ascii() { len - 1 } else { len })
}

/// JIS X 0201 katakana.
fn half_width(byte: u8) -> CodePoint {
    CodePoint::from_u16(0xFF61 - 0xA1 + u16::from(byte))
}

/// Returns the bytes of a code point.
pub(super) fn of(encoding: MultiByte, c: CodePoint) -> Option<Bytes> {
    let byte = c.value().to_le_bytes()[0];
    match (encoding, c.value()) {
        (MultiByte::ShiftJis2004 | MultiByte::ShiftJisStrict, 0x5C | 0x7E) => return None,
        (MultiByte::ShiftJis2004 | MultiByte::ShiftJisStrict, 0xA5) => return Some(Bytes::new([b'\\'])),
        (MultiByte::ShiftJis2004 | MultiByte::ShiftJisStrict, 0x203E) => return Some(Bytes::new([b'~'])),
        (_, ..0x80) => return Some(Bytes::new([byte])),
        (MultiByte::GbkStrict, EURO_SIGN) => return Some(Bytes::new([0x80])),
        (_, value) if is_control(encoding, value) => return Some(Bytes::new([byte])),
        // The low byte of FF61 is C0 below A1.
        (
            MultiByte::ShiftJis2004 | MultiByte::Ibm943 | MultiByte::ShiftJisStrict | MultiByte::Cp932Strict,
            0xFF61..=0xFF9F,
        ) => {
            return Some(Bytes::new([byte + 0x40]));
        }
        (MultiByte::EucJis2004 | MultiByte::EucJpStrict, 0xFF61..=0xFF9F) => {
            return Some(Bytes::new([0x8E, byte + 0x40]));
        }
        _ => {}
    }
    if encoding == MultiByte::EucJpStrict && encoding.grid().find(c).is_none() {
        let [a, b] = right_of(JISX0212.find(c)?);
        return Some(Bytes::new([0x8F, a, b]));
    }
    encoding.grid().find(c).map(|place| at(encoding, place))
}

/// U+20AC, which GBK has in one byte.
const EURO: u16 = 0x20AC;
const EURO_SIGN: u32 = EURO as u32;

/// Returns `true` if a C1 control is its byte.
fn is_control(encoding: MultiByte, value: u32) -> bool {
    match encoding {
        MultiByte::EucKrStrict => matches!(value, 0x80..=0x9F),
        MultiByte::EucJpStrict => matches!(value, 0x80..=0x8D | 0x90..=0x9F),
        MultiByte::Big5Strict => value == 0x80,
        _ => false,
    }
}

/// Returns the bytes of a place of 94 rows and columns, from A1 on.
fn right_of((row, column): Place) -> [u8; 2] {
    [row, column].map(|n| 0xA1 + n.to_le_bytes()[0])
}

/// Returns the bytes of a code at a place.
#[expect(clippy::cast_possible_truncation, reason = "rows and columns of the tables stay within their bytes")]
pub(super) fn at(encoding: MultiByte, (row, column): Place) -> Bytes {
    let right = |n: usize| 0xA1 + (n % 94) as u8;
    let byte = |n: usize| n as u8;
    match encoding {
        MultiByte::EucTw if row >= 94 => Bytes::new([0x8E, byte(0xA1 + row / 94), right(row), right(column)]),
        MultiByte::EucJis2004 if row >= 94 => Bytes::new([0x8F, right(row), right(column)]),
        MultiByte::GbkStrict => {
            Bytes::new([byte(0x81 + row), byte(if column < 63 { 0x40 + column } else { 0x41 + column })])
        }
        encoding if encoding.is_big5() => {
            Bytes::new([byte(0x81 + row), byte(if column < 63 { 0x40 + column } else { 0xA1 - 63 + column })])
        }
        MultiByte::Johab => Bytes::new([byte(0x80 + row), byte(0x31 + column)]),
        MultiByte::ShiftJis2004 | MultiByte::Ibm943 | MultiByte::ShiftJisStrict | MultiByte::Cp932Strict => {
            let in_plane = |row: usize| PLANE_2.iter().position(|&known| usize::from(known) == row);
            let row = match encoding {
                MultiByte::ShiftJis2004 if row >= 94 => 94 + in_plane(row - 94).unwrap_or(0),
                _ => row,
            };
            let two_rows = row / 2;
            let column = 94 * (row % 2) + column;
            Bytes::new([
                byte(if two_rows < 31 { 0x81 + two_rows } else { 0xC1 + two_rows }),
                byte(if column < 63 { 0x40 + column } else { 0x41 + column }),
            ])
        }
        _ => Bytes::new([right(row), right(column)]),
    }
}
