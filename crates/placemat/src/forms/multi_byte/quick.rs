//! The loops to UTF-8 and from it. Each knows one structure and looks at eight bytes at a time; what it does not know the
//! steps do, in their place, or the loop ends.

use super::bytes::PLANE_2;
use super::shifted::{self, ESC, SI, SO, Set};
use super::{
    CNS11643, Cell, GB2312, HKSCS, JISX0213, JOHAB, KSX1001, MultiByte, MultiByteForm, MultiByteState, Read,
};
use crate::code_point::CodePoint;
use crate::dispatch::Kernels;
use crate::forms::grid::Grid;
use crate::forms::utf8::is_continuation;
use crate::forms::{EncodeStep, EncodingForm, Step, quick};

/// So many bytes of the source are looked at, and there is room for as many.
const WINDOW: usize = 8;
const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x80 * ONES;
/// How much ASCII makes a kernel worth its call.
const LONG: usize = 2 * quick::BLOCK;

pub(super) fn to_utf8(state: &mut MultiByteState, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    match state.encoding {
        MultiByte::Iso2022Kr => seven_bits_to_utf8::<Korean>(state, src, dst),
        MultiByte::Iso2022Cn => seven_bits_to_utf8::<Chinese>(state, src, dst),
        MultiByte::Hz => seven_bits_to_utf8::<Hz>(state, src, dst),
        MultiByte::Johab => bytes_to_utf8::<Johab>(src, dst),
        MultiByte::Big5Hkscs => bytes_to_utf8::<Big5Hkscs>(src, dst),
        MultiByte::EucTw => bytes_to_utf8::<EucTw>(src, dst),
        MultiByte::ShiftJis2004 => bytes_to_utf8::<ShiftJis2004>(src, dst),
        MultiByte::EucJis2004 => bytes_to_utf8::<EucJis2004>(src, dst),
        _ => ebcdic_to_utf8(state, src, dst),
    }
}

pub(super) fn from_utf8(state: &mut MultiByteState, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    match state.encoding {
        MultiByte::Iso2022Kr => seven_bits_from_utf8::<Korean>(state, src, dst),
        MultiByte::Iso2022Cn => seven_bits_from_utf8::<Chinese>(state, src, dst),
        MultiByte::Hz => seven_bits_from_utf8::<Hz>(state, src, dst),
        MultiByte::Johab => bytes_from_utf8::<Johab>(state, src, dst),
        MultiByte::Big5Hkscs => bytes_from_utf8::<Big5Hkscs>(state, src, dst),
        MultiByte::EucTw => bytes_from_utf8::<EucTw>(state, src, dst),
        MultiByte::ShiftJis2004 => bytes_from_utf8::<ShiftJis2004>(state, src, dst),
        MultiByte::EucJis2004 => bytes_from_utf8::<EucJis2004>(state, src, dst),
        _ => ebcdic_from_utf8(state, src, dst),
    }
}

/// Where a loop is, in both texts.
struct At<'a> {
    src: &'a [u8],
    dst: &'a mut [u8],
    read: usize,
    written: usize,
}

impl<'a> At<'a> {
    fn new(src: &'a [u8], dst: &'a mut [u8]) -> Self {
        Self { src, dst, read: 0, written: 0 }
    }

    /// What comes next, the first byte as the lowest, and room for it. It stays a number: bytes of an array that are read
    /// together after they were written one by one, or at an offset, wait for memory (2.5 times, 2026-11-21).
    #[inline(always)]
    fn window(&mut self) -> Option<(u64, &mut [u8; WINDOW])> {
        let from = self.src.get(self.read..)?.first_chunk()?;
        let to = self.dst.get_mut(self.written..)?.first_chunk_mut()?;
        Some((u64::from_le_bytes(*from), to))
    }

    #[inline(always)]
    fn on(&mut self, read: usize, written: usize) {
        self.read += read;
        self.written += written;
    }

    /// Copies bytes that are themselves. Whether there is one.
    #[inline(always)]
    fn copy<P: Plain>(&mut self) -> bool {
        let Some((word, to)) = self.window() else { return false };
        *to = word.to_le_bytes();
        let count = first(marks(word, P::ODD));
        self.on(count, count);
        if count == WINDOW {
            let more = copy_long::<P>(&self.src[self.read..], &mut self.dst[self.written..]);
            self.on(more, more);
        }
        count > 0
    }

    /// Writes the first bytes of some.
    #[inline(always)]
    fn write<const N: usize>(&mut self, bytes: [u8; N], len: usize, read: usize) -> Option<()> {
        *self.dst.get_mut(self.written..)?.first_chunk_mut()? = bytes;
        self.on(read, len);
        Some(())
    }

    /// Writes a scalar value for so many bytes.
    #[inline(always)]
    fn put(&mut self, c: u32, read: usize) -> Option<()> {
        let (bytes, len) = utf8(c);
        self.write(bytes.to_le_bytes(), len, read)
    }

    /// Reads up to four codes of two bytes. Whether there is one.
    #[inline(always)]
    fn read_some(&mut self, read: impl Fn([u8; 2]) -> Option<u32>) -> bool {
        let from = self.src.get(self.read..).and_then(|src| src.first_chunk::<WINDOW>());
        let to = self.dst.get_mut(self.written..).and_then(|dst| dst.first_chunk_mut::<{ 2 * WINDOW }>());
        let (Some(from), Some(to)) = (from, to) else { return false };
        let (mut count, mut len) = (0, 0);
        for two in from.as_chunks().0 {
            let Some(c) = read(*two) else { break };
            let (bytes, units) = utf8(c);
            let Some(to) = to.get_mut(len..len + 4) else { break };
            to.copy_from_slice(&bytes.to_le_bytes());
            len += units;
            count += 1;
        }
        self.on(2 * count, len);
        count > 0
    }

    /// Writes up to four scalar values of two or three bytes that are all like the first, the least byte of `word`.
    /// Whether there is one.
    #[inline(always)]
    fn write_some(&mut self, word: u64, write: impl Fn(u32, u32) -> Option<([u8; 4], usize)>) -> bool {
        if word & 0xE0 == 0xE0 { self.write_all::<3>(write) } else { self.write_all::<2>(write) }
    }

    /// The same of `N` bytes each; `write` also sees what follows.
    #[inline(always)]
    fn write_all<const N: usize>(&mut self, write: impl Fn(u32, u32) -> Option<([u8; 4], usize)>) -> bool {
        let from = self.src.get(self.read..).and_then(|src| src.first_chunk::<{ 2 * WINDOW }>());
        let to = self.dst.get_mut(self.written..).and_then(|dst| dst.first_chunk_mut::<{ 2 * WINDOW }>());
        let (Some(from), Some(to)) = (from, to) else { return false };
        let (mut count, mut len) = (0, 0);
        for i in 0..4 {
            let Some(&bytes) = from[N * i..].first_chunk() else { break };
            let Some(&next) = from[N * i + N..].first_chunk() else { break };
            let bytes = u32::from_le_bytes(bytes);
            // A block of the tables is what shares all bytes but the last; none has surrogates.
            let (block, last) = if N == 2 {
                (bytes & 0x1F, bytes >> 8 & 0x3F)
            } else {
                ((bytes & 0x0F) << 6 | bytes >> 8 & 0x3F, bytes >> 16 & 0x3F)
            };
            let well_formed = if N == 2 {
                bytes & 0xC0E0 == 0x80C0 && block >= 2
            } else {
                bytes & 0xC0_C0F0 == 0x80_80E0 && block >= 0x20
            };
            if !well_formed {
                break;
            }
            let Some((bytes, units)) = write(block << 6 | last, u32::from_le_bytes(next)) else { break };
            let Some(to) = to.get_mut(len..len + 4) else { break };
            to.copy_from_slice(&bytes);
            len += units;
            count += 1;
        }
        self.on(N * count, len);
        count > 0
    }

    fn end(self) -> (usize, usize) {
        (self.read, self.written)
    }
}

/// A scalar value as UTF-8, the first byte as the lowest, and its length.
#[inline(always)]
const fn utf8(c: u32) -> (u32, usize) {
    match c {
        0..0x80 => (c, 1),
        0x80..0x800 => (0x80C0 | c >> 6 | (c & 0x3F) << 8, 2),
        0x800..0x1_0000 => (0x80_80E0 | c >> 12 | (c >> 6 & 0x3F) << 8 | (c & 0x3F) << 16, 3),
        _ => {
            let low = (c >> 12 & 0x3F) << 8 | (c >> 6 & 0x3F) << 16 | (c & 0x3F) << 24;
            (0x8080_80F0 | c >> 18 | low, 4)
        }
    }
}

/// Writes a code point by a step. How many bytes.
#[inline(never)]
fn step(state: &mut MultiByteState, c: u32, dst: &mut [u8]) -> Option<usize> {
    match MultiByteForm::encode_step(state, CodePoint::within_31_bits(c), dst) {
        EncodeStep::Written(len) => Some(len),
        _ => None,
    }
}

/// What bytes are themselves.
trait Plain {
    /// Bytes below 80 that are not.
    const ODD: &'static [u8];
}

/// The same, for much of it.
#[inline(never)]
fn copy_long<P: Plain>(src: &[u8], dst: &mut [u8]) -> usize {
    if P::ODD.is_empty() && src.get(..LONG).is_some_and(<[u8]>::is_ascii) {
        return Kernels::current().copy_ascii(src, dst).written;
    }
    let fits = |byte: u8| P::ODD.iter().fold(byte < 0x80, |fits, &odd| fits & (byte != odd));
    quick::blocks(src, dst, fits, |byte| byte)
}

/// Marks the high bits of bytes that are not below 80 or are among `odd`: the first such, and perhaps others after it.
#[inline(always)]
fn marks(word: u64, odd: &[u8]) -> u64 {
    odd.iter().fold(word & HIGH, |marks, &byte| {
        let word = word ^ (ONES * u64::from(byte));
        // What borrows is 00, or follows such.
        marks | word.wrapping_sub(ONES) & !word & HIGH
    })
}

/// How many bytes there are before the first that is marked.
#[inline(always)]
const fn first(marks: u64) -> usize {
    (marks.trailing_zeros() / 8) as usize
}

/// The first four bytes.
#[inline(always)]
const fn four(word: u64) -> [u8; 4] {
    let [a, b, c, d, ..] = word.to_le_bytes();
    [a, b, c, d]
}

/// The same as a number.
#[inline(always)]
const fn low(word: u64) -> u32 {
    u32::from_le_bytes(four(word))
}

/// The code point at the start of some UTF-8, if it is well-formed and of the usual kinds, and its length.
#[inline(always)]
fn get_any([a, b, c, d]: [u8; 4]) -> Option<(u32, usize)> {
    let bits = |byte: u8| u32::from(byte & 0x3F);
    match a {
        0x00..=0x7F => Some((a.into(), 1)),
        0xC2..=0xDF if is_continuation(b) => Some((u32::from(a & 0x1F) << 6 | bits(b), 2)),
        0xE0..=0xEF if is_continuation(b) && is_continuation(c) => {
            let value = u32::from(a & 0x0F) << 12 | bits(b) << 6 | bits(c);
            (value >= 0x800 && value & 0xF800 != 0xD800).then_some((value, 3))
        }
        0xF0..=0xF4 if is_continuation(b) && is_continuation(c) && is_continuation(d) => {
            let value = u32::from(a & 0x07) << 18 | bits(b) << 12 | bits(c) << 6 | bits(d);
            matches!(value, 0x1_0000..=0x10_FFFF).then_some((value, 4))
        }
        _ => None,
    }
}

/// The scalar value at the start of some UTF-8, and its length.
#[inline(always)]
fn get(word: u64) -> Option<(u32, usize)> {
    let bytes = low(word);
    let bits = |shift: u32| bytes >> shift & 0x3F;
    // By far the most there is.
    if bytes & 0xC0_C0F0 == 0x80_80E0 {
        let value = (bytes & 0x0F) << 12 | bits(8) << 6 | bits(16);
        return (value >= 0x800 && value & 0xF800 != 0xD800).then_some((value, 3));
    }
    if bytes & 0xC0E0 == 0x80C0 {
        let value = (bytes & 0x1F) << 6 | bits(8);
        return (value >= 0x80).then_some((value, 2));
    }
    get_any(four(word))
}

/// An encoding that does not switch.
trait Structure: Plain {
    const GRID: &'static Grid;
    /// What two bytes mean.
    fn read_two(bytes: [u8; 2]) -> Option<u32>;
    /// What bytes mean that are not ASCII, and how many of them.
    #[inline(always)]
    fn read([a, b, ..]: [u8; 4]) -> Option<(u32, usize)> {
        Some((Self::read_two([a, b])?, 2))
    }
    /// The bytes of a scalar value that is not ASCII, and how many.
    fn write(c: u32) -> Option<([u8; 4], usize)>;
    /// Whether a mark that may be one code with what precedes it may begin so in UTF-8; none does if `PAIRS` is false.
    const PAIRS: bool = false;
    fn may_be_mark(_: u32) -> bool {
        false
    }
}

fn bytes_to_utf8<S: Structure>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let mut at = At::new(src, dst);
    while let Some((word, _)) = at.window() {
        let some = if word & 0x80 == 0 { at.copy::<S>() } else { at.read_some(S::read_two) };
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

fn bytes_from_utf8<S: Structure>(state: &mut MultiByteState, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let mut at = At::new(src, dst);
    while let Some((word, _)) = at.window() {
        let waits = if S::PAIRS { state.pending } else { None };
        if let Some(first) = waits
            && !S::may_be_mark(low(word))
            && let Some((bytes, len)) = S::write(first.value())
        {
            if at.write(bytes, len, 0).is_none() {
                break;
            }
            state.pending = None;
            continue;
        }
        if waits.is_none() {
            let write = |c, next| if S::may_be_mark(next) { None } else { S::write(c) };
            if if word & 0x80 == 0 { at.copy::<S>() } else { at.write_some(word, write) } {
                continue;
            }
        }
        let Some((c, len)) = get(word) else { break };
        let alone = waits.is_none() && !S::may_be_mark(low(word >> (8 * len)));
        let written = match S::write(c) {
            Some((bytes, units)) if alone && c >= 0x80 => at.write(bytes, units, len),
            _ => step(state, c, &mut at.dst[at.written..]).map(|units| at.on(len, units)),
        };
        if written.is_none() {
            break;
        }
    }
    at.end()
}

#[inline(always)]
fn two([a, b]: [u8; 2]) -> ([u8; 4], usize) {
    ([a, b, 0, 0], 2)
}

/// Whether bytes, the first as the lowest, are U+02E5, U+02E9, U+0300, U+0301 or U+309A, or near them.
#[inline(always)]
fn may_be_mark(bytes: u32) -> bool {
    matches!(bytes & 0xFF, 0xCB | 0xCC) || bytes & 0xFF_FFFF == 0x9A_82E3
}

struct Johab;
impl Plain for Johab {
    const ODD: &'static [u8] = &[];
}
impl Structure for Johab {
    const GRID: &'static Grid = &JOHAB;
    #[inline(always)]
    fn read_two([a, b]: [u8; 2]) -> Option<u32> {
        Self::GRID.scalar((a.wrapping_sub(0x80).into(), b.wrapping_sub(0x31).into()))
    }
    #[inline(always)]
    fn write(c: u32) -> Option<([u8; 4], usize)> {
        Some(two((Self::GRID.code(c)? + 0x8031).to_be_bytes()))
    }
}

struct Big5Hkscs;
impl Plain for Big5Hkscs {
    const ODD: &'static [u8] = &[];
}
impl Structure for Big5Hkscs {
    const GRID: &'static Grid = &HKSCS;
    const PAIRS: bool = true;
    #[inline(always)]
    fn read_two([a, b]: [u8; 2]) -> Option<u32> {
        let column = match b {
            ..0x7F => b.wrapping_sub(0x40),
            0xA1.. => b - 0x62,
            _ => return None,
        };
        Self::GRID.scalar((a.wrapping_sub(0x81).into(), column.into()))
    }
    #[inline(always)]
    fn write(c: u32) -> Option<([u8; 4], usize)> {
        let [row, column] = Self::GRID.code(c)?.to_be_bytes();
        Some(two([0x81 + row, column + if column < 63 { 0x40 } else { 0x62 }]))
    }
    #[inline(always)]
    fn may_be_mark(bytes: u32) -> bool {
        // U+0304 and U+030C.
        bytes & 0xFF == 0xCC
    }
}

/// A row or a column of 94 bytes from A1 on.
#[inline(always)]
fn right(byte: u8) -> Option<usize> {
    let n = byte.wrapping_sub(0xA1);
    (n < 94).then_some(n.into())
}

/// The code of a place of 94 rows and columns as bytes from A1 on.
#[inline(always)]
fn right_of((row, column): (usize, usize)) -> [u8; 2] {
    [row, column].map(|n| n.to_le_bytes()[0] + 0xA1)
}

struct EucTw;
impl Plain for EucTw {
    const ODD: &'static [u8] = &[];
}
impl Structure for EucTw {
    const GRID: &'static Grid = &CNS11643;
    #[inline(always)]
    fn read_two([a, b]: [u8; 2]) -> Option<u32> {
        Self::GRID.scalar((right(a)?, right(b)?))
    }
    #[inline(always)]
    fn read([a, b, c, d]: [u8; 4]) -> Option<(u32, usize)> {
        if a == 0x8E {
            let plane = usize::from(b.wrapping_sub(0xA1));
            return Some((Self::GRID.scalar((94 * plane + right(c)?, right(d)?))?, 4));
        }
        Some((Self::read_two([a, b])?, 2))
    }
    #[inline(always)]
    fn write(c: u32) -> Option<([u8; 4], usize)> {
        let (row, column) = Self::GRID.place(Self::GRID.code(c)?);
        if row < 94 {
            return Some(two(right_of((row, column))));
        }
        let [a, b] = right_of((row % 94, column));
        Some(([0x8E, 0xA1 + (row / 94).to_le_bytes()[0], a, b], 4))
    }
}

struct EucJis2004;
impl Plain for EucJis2004 {
    const ODD: &'static [u8] = &[];
}
impl Structure for EucJis2004 {
    const GRID: &'static Grid = &JISX0213;
    const PAIRS: bool = true;
    #[inline(always)]
    fn read_two([a, b]: [u8; 2]) -> Option<u32> {
        Self::GRID.scalar((right(a)?, right(b)?))
    }
    #[inline(always)]
    fn read([a, b, c, _]: [u8; 4]) -> Option<(u32, usize)> {
        match a {
            0x8E => matches!(b, 0xA1..=0xDF).then_some((0xFF61 - 0xA1 + u32::from(b), 2)),
            0x8F => Some((Self::GRID.scalar((94 + right(b)?, right(c)?))?, 3)),
            _ => Some((Self::read_two([a, b])?, 2)),
        }
    }
    #[inline(always)]
    fn write(c: u32) -> Option<([u8; 4], usize)> {
        if let Some(katakana) = half_width(c) {
            return Some(two([0x8E, katakana]));
        }
        let (row, column) = Self::GRID.place(Self::GRID.code(c)?);
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

/// A half-width katakana in JIS X 0201.
#[inline(always)]
fn half_width(c: u32) -> Option<u8> {
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

struct ShiftJis2004;
impl Plain for ShiftJis2004 {
    const ODD: &'static [u8] = b"\\~";
}
impl Structure for ShiftJis2004 {
    const GRID: &'static Grid = &JISX0213;
    const PAIRS: bool = true;
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
        // 40..7E and 80..FC, without a gap.
        let column = match b {
            0x40..=0x7E => b - 0x40,
            0x80..=0xFC => b - 0x41,
            _ => return None,
        };
        let second = column >= 94;
        // None for lead bytes that are ASCII or katakana.
        let row = *ROWS.get(usize::from(a.wrapping_sub(0x80)))?.get(usize::from(second))?;
        Self::GRID.scalar((row.into(), (column - if second { 94 } else { 0 }).into()))
    }
    #[inline(always)]
    fn write(c: u32) -> Option<([u8; 4], usize)> {
        match c {
            0xA5 => return Some(([b'\\', 0, 0, 0], 1)),
            0x203E => return Some(([b'~', 0, 0, 0], 1)),
            _ => {}
        }
        if let Some(katakana) = half_width(c) {
            return Some(([katakana, 0, 0, 0], 1));
        }
        let [row, column] = Self::GRID.code(c)?.to_be_bytes();
        let &(lead, second) = LEADS.get(usize::from(row))?;
        let column = column + if second { 94 } else { 0 };
        Some(two([lead, column + if column < 63 { 0x40 } else { 0x41 }]))
    }
    #[inline(always)]
    fn may_be_mark(bytes: u32) -> bool {
        may_be_mark(bytes)
    }
}

/// An encoding in seven bits that shifts between ASCII and a set of two bytes.
trait SevenBits: Plain {
    /// The same where a line end is none.
    type Line: Plain;
    /// What shifts to two bytes and back; of so many bytes.
    const SHIFTS: [[u8; 2]; 2];
    const SHIFT: usize;
    /// What two bytes mean.
    fn grid(state: &MultiByteState) -> &'static Grid;
    /// The two bytes of a scalar value, in the set that is designated.
    fn write(state: &MultiByteState, c: u32) -> Option<[u8; 2]>;
}

struct Korean;
impl Plain for Korean {
    const ODD: &'static [u8] = &[SO, SI, ESC];
}
impl SevenBits for Korean {
    type Line = Self;
    const SHIFTS: [[u8; 2]; 2] = [[SO, 0], [SI, 0]];
    const SHIFT: usize = 1;
    #[inline(always)]
    fn grid(_: &MultiByteState) -> &'static Grid {
        &KSX1001
    }
    #[inline(always)]
    fn write(state: &MultiByteState, c: u32) -> Option<[u8; 2]> {
        state.shift.begun.then_some((KSX1001.code(c)? + 0x2121).to_be_bytes())
    }
}

struct Hz;
impl Plain for Hz {
    const ODD: &'static [u8] = b"~";
}
impl SevenBits for Hz {
    type Line = Self;
    const SHIFTS: [[u8; 2]; 2] = [*b"~{", *b"~}"];
    const SHIFT: usize = 2;
    #[inline(always)]
    fn grid(_: &MultiByteState) -> &'static Grid {
        &GB2312
    }
    #[inline(always)]
    fn write(_: &MultiByteState, c: u32) -> Option<[u8; 2]> {
        Some((GB2312.code(c)? + 0x2121).to_be_bytes())
    }
}

struct Chinese;
/// Within a line in which something is designated.
struct ChineseLine;
impl Plain for ChineseLine {
    const ODD: &'static [u8] = &[SO, SI, ESC, b'\n'];
}
impl Plain for Chinese {
    const ODD: &'static [u8] = &[SO, SI, ESC];
}
impl SevenBits for Chinese {
    type Line = ChineseLine;
    const SHIFTS: [[u8; 2]; 2] = [[SO, 0], [SI, 0]];
    const SHIFT: usize = 1;
    #[inline(always)]
    fn grid(state: &MultiByteState) -> &'static Grid {
        if state.shift.set == Some(Set::Plane1) { &CNS11643 } else { &GB2312 }
    }
    #[inline(always)]
    fn write(state: &MultiByteState, c: u32) -> Option<[u8; 2]> {
        match state.shift.set? {
            Set::Gb2312 => Some((GB2312.code(c)? + 0x2121).to_be_bytes()),
            Set::Plane1 => {
                let (row, column) = CNS11643.place(CNS11643.code(c)?);
                (row < 94).then(|| right_of((row, column)).map(|byte| byte - 0x80))
            }
        }
    }
}

fn seven_bits_to_utf8<S: SevenBits>(
    state: &mut MultiByteState,
    src: &[u8],
    dst: &mut [u8],
) -> (usize, usize) {
    let mut at = At::new(src, dst);
    while let Some((word, _)) = at.window() {
        if state.shift.double {
            let grid = S::grid(state);
            let read = |[a, b]: [u8; 2]| {
                let (row, column) = (a.wrapping_sub(0x21), b.wrapping_sub(0x21));
                // In HZ what begins with a tilde is no code.
                let fits = row < if S::SHIFT == 2 { 93 } else { 94 };
                if fits { grid.scalar((row.into(), column.into())) } else { None }
            };
            if at.read_some(read) {
                continue;
            }
        } else if at.copy::<S>() {
            continue;
        }
        let shift = |at: usize| {
            let [a, b, ..] = four(word >> (8 * at));
            [a, b]
        };
        let [to_double, to_single] = S::SHIFTS;
        let (here, after) = (shift(0), shift(S::SHIFT + 1));
        // In HZ a shift to where it is already is none.
        if !state.shift.double && here[..S::SHIFT] == to_double[..S::SHIFT] {
            state.shift.double = true;
            at.on(S::SHIFT, 0);
        } else if state.shift.double && here[..S::SHIFT] == to_single[..S::SHIFT] {
            // One byte and back: a space between words.
            let [byte, ..] = four(word >> (8 * S::SHIFT));
            if byte < 0x80 && !S::ODD.contains(&byte) && after[..S::SHIFT] == to_double[..S::SHIFT] {
                if at.write([byte], 1, 2 * S::SHIFT + 1).is_none() {
                    break;
                }
            } else {
                state.shift.double = false;
                at.on(S::SHIFT, 0);
            }
        } else if let Some((read, written)) = read_step(state, &at.src[at.read..], &mut at.dst[at.written..])
        {
            at.on(read, written);
        } else {
            break;
        }
    }
    at.end()
}

/// Reads by a step what a loop does not know. How many bytes it read and wrote.
#[inline(never)]
fn read_step(state: &mut MultiByteState, src: &[u8], dst: &mut [u8]) -> Option<(usize, usize)> {
    let mut after = *state;
    let mut at = At::new(src, dst);
    match shifted::read(&mut after, src) {
        Read::Cell { cell: Cell::One(c), len } => at.put(c.value(), len)?,
        Read::Other(Step::Shift { len }) => at.on(len, 0),
        _ => return None,
    }
    *state = after;
    Some(at.end())
}

fn seven_bits_from_utf8<S: SevenBits>(
    state: &mut MultiByteState,
    src: &[u8],
    dst: &mut [u8],
) -> (usize, usize) {
    let mut at = At::new(src, dst);
    while let Some((word, _)) = at.window() {
        let [byte, ..] = four(word);
        let begun = state.shift.begun || state.encoding != MultiByte::Iso2022Kr;
        if byte < 0x80 && !state.shift.double && begun {
            let designated = state.shift.set.is_some() || state.shift.plane_2;
            if if designated { at.copy::<S::Line>() } else { at.copy::<S>() } {
                continue;
            }
        }
        if byte >= 0x80 && state.shift.double {
            let write = |c, _| S::write(state, c).map(two);
            if at.write_some(word, write) {
                continue;
            }
        }
        let Some((c, len)) = get(word) else { break };
        let [to_double, to_single] = S::SHIFTS;
        let double = state.shift.double;
        let written = if byte < 0x80 {
            if double && !S::Line::ODD.contains(&byte) {
                state.shift.double = false;
                let mut bytes = [to_single[0], to_single[1], byte];
                bytes[S::SHIFT] = byte;
                at.write(bytes, S::SHIFT + 1, len)
            } else {
                step(state, c, &mut at.dst[at.written..]).map(|units| at.on(len, units))
            }
        } else if let Some([a, b]) = S::write(state, c) {
            state.shift.double = true;
            match (double, S::SHIFT) {
                (true, _) => at.write([a, b], 2, len),
                (false, 1) => at.write([to_double[0], a, b], 3, len),
                (false, _) => at.write([to_double[0], to_double[1], a, b], 4, len),
            }
        } else {
            step(state, c, &mut at.dst[at.written..]).map(|units| at.on(len, units))
        };
        if written.is_none() {
            break;
        }
    }
    at.end()
}

/// The single bytes of an EBCDIC page, and which of them are ASCII.
#[derive(Debug)]
pub(super) struct Single {
    pub(super) grid: Grid,
    /// 80 for bytes that are not.
    ascii: [u8; 256],
    /// SO where there is none.
    bytes: [u8; 128],
}

impl Single {
    pub(super) const fn new(table: &'static [u8]) -> Self {
        let grid = Grid::new(table);
        let (mut ascii, mut bytes) = ([0x80; 256], [SO; 128]);
        let mut byte = 0;
        while byte < ascii.len() {
            if let Some(c @ ..0x80) = grid.scalar((0, byte)) {
                ascii[byte] = c.to_le_bytes()[0];
            }
            byte += 1;
        }
        let mut c = 0_u32;
        while c < 0x80 {
            if let Some(byte) = grid.code(c) {
                bytes[c as usize] = byte.to_le_bytes()[0];
            }
            c += 1;
        }
        Self { grid, ascii, bytes }
    }
}

/// Each byte by a table.
#[inline(always)]
fn each(word: u64, by: impl Fn(usize) -> u8) -> u64 {
    (0..WINDOW).fold(0, |all, i| all | u64::from(by(usize::from(four(word >> (8 * i))[0]))) << (8 * i))
}

fn ebcdic_to_utf8(state: &mut MultiByteState, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let Some(single) = state.encoding.single() else { return (0, 0) };
    let double = state.encoding.grid();
    let mut at = At::new(src, dst);
    while let Some((word, _)) = at.window() {
        let [a, b, c, ..] = four(word);
        let known = if state.shift.double {
            let read =
                |[a, b]: [u8; 2]| double.scalar((a.wrapping_sub(0x40).into(), b.wrapping_sub(0x40).into()));
            if at.read_some(read) {
                continue;
            }
            // One byte and back: a space between words.
            let between = single.ascii[usize::from(b)];
            if a == SI && c == SO && between < 0x80 {
                if at.write([between], 1, 3).is_none() {
                    break;
                }
                continue;
            }
            read([a, b]).map(|c| (c, 2))
        } else {
            let ascii = each(word, |byte| single.ascii[byte]);
            let count = first(ascii & HIGH);
            if count > 0 {
                if at.write(ascii.to_le_bytes(), count, count).is_none() {
                    break;
                }
                continue;
            }
            single.grid.scalar((0, a.into())).map(|c| (c, 1))
        };
        match (known, a) {
            (_, SO | SI) => {
                state.shift.double = a == SO;
                at.on(1, 0);
            }
            (Some((c, len)), _) if at.put(c, len).is_some() => {}
            _ => break,
        }
    }
    at.end()
}

fn ebcdic_from_utf8(state: &mut MultiByteState, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let Some(single) = state.encoding.single() else { return (0, 0) };
    let double = state.encoding.grid();
    let mut at = At::new(src, dst);
    while let Some((word, to)) = at.window() {
        if word & 0x80 == 0 && !state.shift.double {
            let bytes = each(word, |byte| single.bytes[byte & 0x7F]);
            let count = first(word & HIGH | marks(bytes & !HIGH, &[SO]));
            if count > 0 {
                *to = bytes.to_le_bytes();
                at.on(count, count);
                continue;
            }
        }
        let shifted = state.shift.double;
        if word & 0x80 != 0 && shifted {
            let write = |c, _| match single.grid.code(c) {
                Some(_) => None,
                None => double.code(c).map(|code| two((code + 0x4040).to_be_bytes())),
            };
            if at.write_some(word, write) {
                continue;
            }
        }
        let Some((c, len)) = get(word) else { break };
        let written = if let Some(code) = single.grid.code(c) {
            let [byte, _] = code.to_le_bytes();
            state.shift.double = false;
            at.write(if shifted { [SI, byte] } else { [byte, 0] }, 1 + usize::from(shifted), len)
        } else if let Some(code) = double.code(c) {
            let [a, b] = (code + 0x4040).to_be_bytes();
            state.shift.double = true;
            if shifted { at.write([a, b], 2, len) } else { at.write([SO, a, b], 3, len) }
        } else {
            break;
        };
        if written.is_none() {
            break;
        }
    }
    at.end()
}
