//! Loops of encodings whose bytes mean the same wherever they stand.

use crate::grid::{Grid, Written};
use crate::multi_byte::bytes::{PLANE_2, of};
use crate::multi_byte::encodings::MultiByte;
use crate::multi_byte::sets::{CNS11643, HKSCS, JISX0213};
use crate::multi_byte::state::MultiByteState;
use crate::multi_byte::steps::write_one;
use crate::window::{At, Plain, four, get, low, two, utf8};
use placemat_core::forms::form::Step;
use placemat_core::forms::unicode::utf8::{decode_step, is_continuation};
use placemat_core::ground::code_point::CodePoint;

/// An encoding that does not switch.
pub(super) trait Structure: Plain {
    fn grid() -> &'static Grid;
    /// The scalar value of two bytes.
    fn read_two(bytes: [u8; 2]) -> Option<u32>;
    /// The scalar value of bytes that are not ASCII, and their number.
    #[inline(always)]
    fn read([a, b, ..]: [u8; 4]) -> Option<(u32, usize)> {
        Some((Self::read_two([a, b])?, 2))
    }
    /// Returns the bytes of a scalar value that is not ASCII, and how many.
    fn write(index: &Written, c: u32) -> Option<([u8; 4], usize)>;
    /// Whether a mark that may be one code with what precedes it may begin so in UTF-8; none does if `PAIRS` is false.
    const PAIRS: bool = false;
    fn may_be_mark(_: u32) -> bool {
        false
    }
}

pub(super) fn to_utf8<S: Structure>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let mut at = At::new(src, dst);
    while let Some((word, _)) = at.window() {
        let some =
            if word & 0x80 == 0 { at.copy::<S>() } else { at.read_some(|two| S::read_two(two).map(utf8)) };
        if some {
            continue;
        }
        let Some((c, len)) = S::read(four(word)) else { break };
        if at.put(c, len).is_none() {
            break;
        }
    }
    at.end()
}

pub(super) fn from_utf8<S: Structure>(
    state: &mut MultiByteState,
    src: &[u8],
    dst: &mut [u8],
) -> (usize, usize) {
    let index = S::grid().index();
    let waiting = state.pending;
    let mut at = At::new(src, dst);
    while let Some((word, _)) = at.window() {
        let waits = if S::PAIRS { state.pending } else { None };
        if let Some(first) = waits
            && !S::may_be_mark(low(word))
            && let Some((bytes, len)) = S::write(index, first.value())
        {
            if at.write(bytes, len, 0).is_none() {
                break;
            }
            state.pending = None;
            continue;
        }
        if waits.is_none() {
            let write = |c, next| if S::may_be_mark(next) { None } else { S::write(index, c) };
            if if word & 0x80 == 0 { at.copy::<S>() } else { at.write_some(word, write) } {
                continue;
            }
        }
        let Some((c, len)) = get(word) else { break };
        let alone = waits.is_none() && !S::may_be_mark(low(word >> (8 * len)));
        let written = match S::write(index, c) {
            Some((bytes, units)) if alone && c >= 0x80 => at.write(bytes, units, len),
            _ => write_one(state, c, &mut at.dst[at.written..]).map(|units| at.on(len, units)),
        };
        if written.is_none() {
            break;
        }
    }
    let (read, written) = at.end();
    if !S::PAIRS || state.pending.is_some() {
        return (read, written);
    }
    let (last, held) = hold_back(state.encoding, waiting, &src[..read], &dst[..written]);
    state.pending = last;
    (read, written - held)
}

/// Returns the letter that was written last, and the number of its bytes, if a mark may still
/// follow: the loop saw that none comes next, but a policy may drop what does.
#[cold]
fn hold_back(
    encoding: MultiByte,
    waiting: Option<CodePoint>,
    read: &[u8],
    written: &[u8],
) -> (Option<CodePoint>, usize) {
    // Well-formed as far as it was read.
    let start = read.iter().rposition(|&byte| !is_continuation(byte));
    let last = match start {
        Some(start) => match decode_step(&read[start..]) {
            Step::CodePoint { value, .. } => Some(value),
            _ => None,
        },
        None => waiting,
    };
    // A letter that was the mark of the one before it is part of another code.
    let letter = last.filter(|&c| encoding.grid().begins_pair(c)).and_then(|c| Some((c, of(encoding, c)?)));
    match letter {
        Some((c, bytes)) if written.ends_with(bytes.as_slice()) => (Some(c), bytes.as_slice().len()),
        _ => (None, 0),
    }
}

/// Whether bytes, the first as the lowest, are U+02E5, U+02E9, U+0300, U+0301 or U+309A, or near them.
#[inline(always)]
pub(in crate::multi_byte) fn may_be_mark(bytes: u32) -> bool {
    matches!(bytes & 0xFF, 0xCB | 0xCC) || bytes & 0xFF_FFFF == 0x9A_82E3
}

pub(super) struct Big5Hkscs;
impl Plain for Big5Hkscs {
    const ODD: &'static [u8] = &[];
}
impl Structure for Big5Hkscs {
    const PAIRS: bool = true;
    #[inline(always)]
    fn grid() -> &'static Grid {
        &HKSCS
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
        let [row, column] = index.code(c)?.to_be_bytes();
        Some(two([0x81 + row, column + if column < 63 { 0x40 } else { 0x62 }]))
    }
    #[inline(always)]
    fn may_be_mark(bytes: u32) -> bool {
        // U+0304 and U+030C.
        bytes & 0xFF == 0xCC
    }
}

/// Returns a row or a column of 94 bytes from A1 on.
#[inline(always)]
pub(super) fn right(byte: u8) -> Option<usize> {
    let n = byte.wrapping_sub(0xA1);
    (n < 94).then_some(n.into())
}

/// Returns the code of a place of 94 rows and columns as bytes from A1 on.
#[inline(always)]
pub(super) fn right_of((row, column): (usize, usize)) -> [u8; 2] {
    [row, column].map(|n| n.to_le_bytes()[0] + 0xA1)
}

pub(super) struct EucTw;
impl Plain for EucTw {
    const ODD: &'static [u8] = &[];
}
impl Structure for EucTw {
    #[inline(always)]
    fn grid() -> &'static Grid {
        &CNS11643
    }
    #[inline(always)]
    fn read_two([a, b]: [u8; 2]) -> Option<u32> {
        Self::grid().scalar((right(a)?, right(b)?))
    }
    #[inline(always)]
    fn read([a, b, c, d]: [u8; 4]) -> Option<(u32, usize)> {
        if a == 0x8E {
            let plane = usize::from(b.wrapping_sub(0xA1));
            return Some((Self::grid().scalar((94 * plane + right(c)?, right(d)?))?, 4));
        }
        Some((Self::read_two([a, b])?, 2))
    }
    #[inline(always)]
    fn write(index: &Written, c: u32) -> Option<([u8; 4], usize)> {
        let (row, column) = Self::grid().place(index.code(c)?);
        if row < 94 {
            return Some(two(right_of((row, column))));
        }
        let [a, b] = right_of((row % 94, column));
        Some(([0x8E, 0xA1 + (row / 94).to_le_bytes()[0], a, b], 4))
    }
}

pub(super) struct EucJis2004;
impl Plain for EucJis2004 {
    const ODD: &'static [u8] = &[];
}
impl Structure for EucJis2004 {
    const PAIRS: bool = true;
    #[inline(always)]
    fn grid() -> &'static Grid {
        &JISX0213
    }
    #[inline(always)]
    fn read_two([a, b]: [u8; 2]) -> Option<u32> {
        Self::grid().scalar((right(a)?, right(b)?))
    }
    #[inline(always)]
    fn read([a, b, c, _]: [u8; 4]) -> Option<(u32, usize)> {
        match a {
            0x8E => matches!(b, 0xA1..=0xDF).then_some((0xFF61 - 0xA1 + u32::from(b), 2)),
            0x8F => Some((Self::grid().scalar((94 + right(b)?, right(c)?))?, 3)),
            _ => Some((Self::read_two([a, b])?, 2)),
        }
    }
    #[inline(always)]
    fn write(index: &Written, c: u32) -> Option<([u8; 4], usize)> {
        if let Some(katakana) = half_width(c) {
            return Some(two([0x8E, katakana]));
        }
        let (row, column) = Self::grid().place(index.code(c)?);
        if row < 94 {
            return Some(two(right_of((row, column))));
        }
        let [a, b] = right_of((row - 94, column));
        Some(([0x8F, a, b, 0], 3))
    }
    #[inline(always)]
    fn may_be_mark(bytes: u32) -> bool {
        may_be_mark(bytes)
    }
}

/// Returns a half-width katakana in JIS X 0201.
#[inline(always)]
pub(super) fn half_width(c: u32) -> Option<u8> {
    matches!(c, 0xFF61..=0xFF9F).then(|| 0xA1 + (c - 0xFF61).to_le_bytes()[0])
}

/// The first row of a lead byte of `Shift_JIS-2004`, from 81 on, and the other; FF if there are none.
const ROWS: [[u8; 2]; 0x80] = {
    let mut rows = [[0xFF; 2]; 0x80];
    let mut i = 0;
    while i < 2 * 60 {
        let lead = if i < 62 { 0x81 + i / 2 } else { 0xC1 + i / 2 };
        rows[lead - 0x80][i % 2] = if i < 94 { i.to_le_bytes()[0] } else { 94 + PLANE_2[i - 94] };
        i += 1;
    }
    rows
};

/// The lead byte of each row, and whether it is the other.
const LEADS: [(u8, bool); 188] = {
    let mut leads = [(0, false); 188];
    let mut i = 0;
    while i < 2 * 0x80 {
        let row = ROWS[i / 2][i % 2] as usize;
        if row < leads.len() {
            leads[row] = (0x80 + (i / 2).to_le_bytes()[0], i % 2 != 0);
        }
        i += 1;
    }
    leads
};

/// Returns the column in the two rows of a lead byte of `Shift_JIS`: 40..7E and 80..FC, without a gap.
#[inline(always)]
pub(super) const fn column_of_two_rows(trail: u8) -> Option<u8> {
    match trail {
        0x40..=0x7E => Some(trail - 0x40),
        0x80..=0xFC => Some(trail - 0x41),
        _ => None,
    }
}

pub(super) struct ShiftJis2004;
impl Plain for ShiftJis2004 {
    const ODD: &'static [u8] = b"\\~";
}
impl Structure for ShiftJis2004 {
    const PAIRS: bool = true;
    #[inline(always)]
    fn grid() -> &'static Grid {
        &JISX0213
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
    fn read_two([a, b]: [u8; 2]) -> Option<u32> {
        let column = column_of_two_rows(b)?;
        let second = column >= 94;
        // None for lead bytes that are ASCII or katakana.
        let row = *ROWS.get(usize::from(a.wrapping_sub(0x80)))?.get(usize::from(second))?;
        Self::grid().scalar((row.into(), (column - if second { 94 } else { 0 }).into()))
    }
    #[inline(always)]
    fn write(index: &Written, c: u32) -> Option<([u8; 4], usize)> {
        match c {
            0xA5 => return Some(([b'\\', 0, 0, 0], 1)),
            0x203E => return Some(([b'~', 0, 0, 0], 1)),
            _ => {}
        }
        if let Some(katakana) = half_width(c) {
            return Some(([katakana, 0, 0, 0], 1));
        }
        let [row, column] = index.code(c)?.to_be_bytes();
        let &(lead, second) = LEADS.get(usize::from(row))?;
        let column = column + if second { 94 } else { 0 };
        Some(two([lead, column + if column < 63 { 0x40 } else { 0x41 }]))
    }
    #[inline(always)]
    fn may_be_mark(bytes: u32) -> bool {
        may_be_mark(bytes)
    }
}
