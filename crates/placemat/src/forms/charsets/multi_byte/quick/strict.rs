//! Loops of the encodings that are true to their standards.

use super::bytes::{Structure, column_of_two_rows, half_width, right, right_of};
use crate::forms::charsets::grid::{Grid, Written};
use crate::forms::charsets::multi_byte::sets::{BIG5, CP932, GB2312, GBK, JISX0208, JISX0212, KSX1001};
use crate::forms::charsets::window::{Plain, two};

/// One byte.
#[inline(always)]
fn one(c: u32) -> ([u8; 4], usize) {
    ([c.to_le_bytes()[0], 0, 0, 0], 1)
}

pub(super) struct EucCn;
impl Plain for EucCn {
    const ODD: &'static [u8] = &[];
}
impl Structure for EucCn {
    #[inline(always)]
    fn grid() -> &'static Grid {
        &GB2312
    }
    #[inline(always)]
    fn read_two([a, b]: [u8; 2]) -> Option<u32> {
        Self::grid().scalar((right(a)?, right(b)?))
    }
    #[inline(always)]
    fn write(index: &Written, c: u32) -> Option<([u8; 4], usize)> {
        Some(two(right_of(Self::grid().place(index.code(c)?))))
    }
}

pub(super) struct EucKr;
impl Plain for EucKr {
    const ODD: &'static [u8] = &[];
}
impl Structure for EucKr {
    #[inline(always)]
    fn grid() -> &'static Grid {
        &KSX1001
    }
    #[inline(always)]
    fn read([a, b, ..]: [u8; 4]) -> Option<(u32, usize)> {
        match a {
            0x80..=0x9F => Some((a.into(), 1)),
            _ => Some((Self::read_two([a, b])?, 2)),
        }
    }
    #[inline(always)]
    fn read_two([a, b]: [u8; 2]) -> Option<u32> {
        Self::grid().scalar((right(a)?, right(b)?))
    }
    #[inline(always)]
    fn write(index: &Written, c: u32) -> Option<([u8; 4], usize)> {
        if matches!(c, 0x80..=0x9F) {
            return Some(one(c));
        }
        Some(two(right_of(Self::grid().place(index.code(c)?))))
    }
}

pub(super) struct EucJp;
impl Plain for EucJp {
    const ODD: &'static [u8] = &[];
}
impl Structure for EucJp {
    #[inline(always)]
    fn grid() -> &'static Grid {
        &JISX0208
    }
    #[inline(always)]
    fn read_two([a, b]: [u8; 2]) -> Option<u32> {
        Self::grid().scalar((right(a)?, right(b)?))
    }
    #[inline(always)]
    fn read([a, b, c, _]: [u8; 4]) -> Option<(u32, usize)> {
        match a {
            0x8E => matches!(b, 0xA1..=0xDF).then_some((0xFF61 - 0xA1 + u32::from(b), 2)),
            0x8F => Some((JISX0212.scalar((right(b)?, right(c)?))?, 3)),
            0x80..=0x9F => Some((a.into(), 1)),
            _ => Some((Self::read_two([a, b])?, 2)),
        }
    }
    #[inline(always)]
    fn write(index: &Written, c: u32) -> Option<([u8; 4], usize)> {
        if let Some(code) = index.code(c) {
            return Some(two(right_of(Self::grid().place(code))));
        }
        if matches!(c, 0x80..=0x8D | 0x90..=0x9F) {
            return Some(one(c));
        }
        if let Some(katakana) = half_width(c) {
            return Some(two([0x8E, katakana]));
        }
        let [a, b] = right_of(JISX0212.place(JISX0212.index().code(c)?));
        Some(([0x8F, a, b, 0], 3))
    }
}

/// The row and the column of two bytes of `Shift_JIS`.
#[inline(always)]
fn place_of([a, b]: [u8; 2]) -> Option<(usize, usize)> {
    let column = column_of_two_rows(b)?;
    let two_rows = match a {
        0x81..=0x9F => a - 0x81,
        0xE0..=0xFC => a - 0xC1,
        _ => return None,
    };
    Some((usize::from(2 * two_rows + column / 94), usize::from(column % 94)))
}

/// The bytes of a row and a column in `Shift_JIS`.
#[inline(always)]
fn shifted(code: u16) -> ([u8; 4], usize) {
    let [row, column] = code.to_be_bytes();
    let (two_rows, column) = (row / 2, column + 94 * (row % 2));
    let lead = two_rows + if two_rows < 31 { 0x81 } else { 0xC1 };
    two([lead, column + if column < 63 { 0x40 } else { 0x41 }])
}

pub(super) struct ShiftJis;
impl Plain for ShiftJis {
    const ODD: &'static [u8] = b"\\~";
}
impl Structure for ShiftJis {
    #[inline(always)]
    fn grid() -> &'static Grid {
        &JISX0208
    }
    #[inline(always)]
    fn read([a, b, ..]: [u8; 4]) -> Option<(u32, usize)> {
        Some(match a {
            b'\\' => (0xA5, 1),
            b'~' => (0x203E, 1),
            0xA1..=0xDF => (0xFF61 - 0xA1 + u32::from(a), 1),
            _ => (Self::read_two([a, b])?, 2),
        })
    }
    #[inline(always)]
    fn read_two(bytes: [u8; 2]) -> Option<u32> {
        // Plane 1 only; the table also has rows of another plane.
        let place = place_of(bytes).filter(|(row, _)| *row < 94)?;
        Self::grid().scalar(place)
    }
    #[inline(always)]
    fn write(index: &Written, c: u32) -> Option<([u8; 4], usize)> {
        match c {
            0xA5 => return Some(one(0x5C)),
            0x203E => return Some(one(0x7E)),
            _ => {}
        }
        match half_width(c) {
            Some(katakana) => Some(one(katakana.into())),
            None => Some(shifted(index.code(c)?)),
        }
    }
}

pub(super) struct Cp932;
impl Plain for Cp932 {
    const ODD: &'static [u8] = &[];
}
impl Structure for Cp932 {
    #[inline(always)]
    fn grid() -> &'static Grid {
        &CP932
    }
    #[inline(always)]
    fn read([a, b, ..]: [u8; 4]) -> Option<(u32, usize)> {
        match a {
            0xA1..=0xDF => Some((0xFF61 - 0xA1 + u32::from(a), 1)),
            _ => Some((Self::read_two([a, b])?, 2)),
        }
    }
    #[inline(always)]
    fn read_two(bytes: [u8; 2]) -> Option<u32> {
        Self::grid().scalar(place_of(bytes)?)
    }
    #[inline(always)]
    fn write(index: &Written, c: u32) -> Option<([u8; 4], usize)> {
        match half_width(c) {
            Some(katakana) => Some(one(katakana.into())),
            None => Some(shifted(index.code(c)?)),
        }
    }
}

/// The euro sign, which GBK has in one byte.
const EURO: u32 = 0x20AC;

pub(super) struct Gbk;
impl Plain for Gbk {
    const ODD: &'static [u8] = &[];
}
impl Structure for Gbk {
    #[inline(always)]
    fn grid() -> &'static Grid {
        &GBK
    }
    #[inline(always)]
    fn read([a, b, ..]: [u8; 4]) -> Option<(u32, usize)> {
        if a == 0x80 { Some((EURO, 1)) } else { Some((Self::read_two([a, b])?, 2)) }
    }
    #[inline(always)]
    fn read_two([a, b]: [u8; 2]) -> Option<u32> {
        // Without 7F, and none where the row ends.
        let column = if b < 0x7F { b.wrapping_sub(0x40) } else { b - 0x41 };
        let column = if b == 0x7F { 0xFF } else { column };
        Self::grid().scalar((a.wrapping_sub(0x81).into(), column.into()))
    }
    #[inline(always)]
    fn write(index: &Written, c: u32) -> Option<([u8; 4], usize)> {
        if c == EURO {
            return Some(one(0x80));
        }
        let [row, column] = index.code(c)?.to_be_bytes();
        Some(two([0x81 + row, column + if column < 63 { 0x40 } else { 0x41 }]))
    }
}

pub(super) struct Big5;
impl Plain for Big5 {
    const ODD: &'static [u8] = &[];
}
impl Structure for Big5 {
    #[inline(always)]
    fn grid() -> &'static Grid {
        &BIG5
    }
    #[inline(always)]
    fn read([a, b, ..]: [u8; 4]) -> Option<(u32, usize)> {
        if a == 0x80 { Some((0x80, 1)) } else { Some((Self::read_two([a, b])?, 2)) }
    }
    #[inline(always)]
    fn read_two([a, b]: [u8; 2]) -> Option<u32> {
        let column = match b {
            ..0x7F => b.wrapping_sub(0x40),
            0xA1.. => b - 0x62,
            _ => return None,
        };
        Self::grid().scalar((a.wrapping_sub(0x81).into(), column.into()))
    }
    #[inline(always)]
    fn write(index: &Written, c: u32) -> Option<([u8; 4], usize)> {
        if c == 0x80 {
            return Some(one(c));
        }
        let [row, column] = index.code(c)?.to_be_bytes();
        Some(two([0x81 + row, column + if column < 63 { 0x40 } else { 0x62 }]))
    }
}
