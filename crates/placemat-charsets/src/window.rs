//! Loops over text of one or several bytes a character. They look at eight bytes at a time, where the output has room for
//! eight.

use placemat_core::forms::pieces::{BLOCK_BYTES, blocks};
use placemat_core::forms::unicode::utf8::is_continuation;
use placemat_core::ground::chunk::{chunk_at, chunk_at_mut};
use placemat_core::kernels::dispatch::Kernels;

/// The number of source bytes that a loop looks at, and for which the output has room.
pub(crate) const WINDOW: usize = 8;
const ONES: u64 = 0x0101_0101_0101_0101;
pub(crate) const HIGH: u64 = 0x80 * ONES;
/// ASCII text of at least this many bytes is worth a call of a kernel.
const MIN_KERNEL_BYTES: usize = 2 * BLOCK_BYTES;

/// The place of a loop in both texts.
pub(crate) struct At<'a> {
    pub(crate) src: &'a [u8],
    pub(crate) dst: &'a mut [u8],
    pub(crate) read: usize,
    pub(crate) written: usize,
}

impl<'a> At<'a> {
    pub(crate) fn new(src: &'a [u8], dst: &'a mut [u8]) -> Self {
        Self { src, dst, read: 0, written: 0 }
    }

    /// The next bytes, the first as the lowest, and room for them. They stay a number: an array that the loop writes byte by
    /// byte and reads at once, or at an offset, waits for memory.
    #[inline(always)]
    pub(crate) fn window(&mut self) -> Option<(u64, &mut [u8; WINDOW])> {
        let from = self.src.get(self.read..)?.first_chunk()?;
        let to = self.dst.get_mut(self.written..)?.first_chunk_mut()?;
        Some((u64::from_le_bytes(*from), to))
    }

    #[inline(always)]
    pub(crate) fn on(&mut self, read: usize, written: usize) {
        self.read += read;
        self.written += written;
    }

    /// Copies literal bytes. Returns whether there was one.
    #[inline(always)]
    pub(crate) fn copy<P: Plain>(&mut self) -> bool {
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

    /// Writes the first `len` bytes.
    #[inline(always)]
    pub(crate) fn write<const N: usize>(&mut self, bytes: [u8; N], len: usize, read: usize) -> Option<()> {
        *self.dst.get_mut(self.written..)?.first_chunk_mut()? = bytes;
        self.on(read, len);
        Some(())
    }

    /// Writes a scalar value for a number of source bytes.
    #[inline(always)]
    pub(crate) fn put(&mut self, c: u32, read: usize) -> Option<()> {
        let (bytes, len) = utf8(c);
        self.write(bytes.to_le_bytes(), len, read)
    }

    /// Reads up to four codes of two bytes; `read` returns UTF-8 in the layout of [`utf8`]. Returns whether there was one.
    #[inline(always)]
    pub(crate) fn read_some(&mut self, read: impl Fn([u8; 2]) -> Option<(u32, usize)>) -> bool {
        let from = chunk_at!(self.src, self.read, WINDOW);
        let to = chunk_at_mut!(self.dst, self.written, 2 * WINDOW);
        let (Some(from), Some(to)) = (from, to) else { return false };
        let (mut count, mut len) = (0, 0);
        for two in from.as_chunks().0 {
            let Some((bytes, units)) = read(*two) else { break };
            let Some(to) = to.get_mut(len..len + 4) else { break };
            to.copy_from_slice(&bytes.to_le_bytes());
            len += units;
            count += 1;
        }
        self.on(2 * count, len);
        count > 0
    }

    #[cfg(feature = "cjk-extra")]
    /// Writes up to four scalar values of two or three bytes that are all like the first, the least byte of `word`.
    /// Returns whether there was one.
    #[inline(always)]
    pub(crate) fn write_some(
        &mut self,
        word: u64,
        write: impl Fn(u32, u32) -> Option<([u8; 4], usize)>,
    ) -> bool {
        if word & 0xE0 == 0xE0 { self.write_all::<3>(write) } else { self.write_all::<2>(write) }
    }

    #[cfg(feature = "cjk-extra")]
    /// Writes up to four scalar values of `N` bytes each; `write` also sees the bytes that follow.
    #[inline(always)]
    fn write_all<const N: usize>(&mut self, write: impl Fn(u32, u32) -> Option<([u8; 4], usize)>) -> bool {
        let from = chunk_at!(self.src, self.read, 2 * WINDOW);
        let to = chunk_at_mut!(self.dst, self.written, 2 * WINDOW);
        let (Some(from), Some(to)) = (from, to) else { return false };
        let (mut count, mut len) = (0, 0);
        for i in 0..4 {
            let Some(&bytes) = from[N * i..].first_chunk() else { break };
            let Some(&next) = from[N * i + N..].first_chunk() else { break };
            let bytes = u32::from_le_bytes(bytes);
            // The code points of a block share all bytes but the last; no block has surrogates.
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

    #[cfg(feature = "cjk-extra")]
    pub(crate) fn end(self) -> (usize, usize) {
        (self.read, self.written)
    }
}

/// A scalar value as UTF-8, the first byte as the lowest, and its length.
#[inline(always)]
pub(crate) const fn utf8(c: u32) -> (u32, usize) {
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

/// The bytes below 80 that are literal.
pub(crate) trait Plain {
    /// The bytes below 80 that are not literal.
    const ODD: &'static [u8];
}

/// Copies long stretches of literal bytes.
#[inline(never)]
fn copy_long<P: Plain>(src: &[u8], dst: &mut [u8]) -> usize {
    if P::ODD.is_empty() && src.get(..MIN_KERNEL_BYTES).is_some_and(<[u8]>::is_ascii) {
        return Kernels::current().copy_ascii(src, dst).written;
    }
    let fits = |byte: u8| P::ODD.iter().fold(byte < 0x80, |fits, &odd| fits & (byte != odd));
    blocks(src, dst, fits, |byte| byte)
}

/// Marks the high bits of bytes that are not below 80 or are among `odd`: the first such, and perhaps others after it.
#[inline(always)]
pub(crate) fn marks(word: u64, odd: &[u8]) -> u64 {
    odd.iter().fold(word & HIGH, |marks, &byte| {
        let word = word ^ (ONES * u64::from(byte));
        // A byte that borrows is 00, or follows one that does.
        marks | word.wrapping_sub(ONES) & !word & HIGH
    })
}

/// The number of bytes before the first that is marked.
#[inline(always)]
pub(crate) const fn first(marks: u64) -> usize {
    (marks.trailing_zeros() / 8) as usize
}

/// The first four bytes.
#[inline(always)]
pub(crate) const fn four(word: u64) -> [u8; 4] {
    let [a, b, c, d, ..] = word.to_le_bytes();
    [a, b, c, d]
}

/// The first four bytes as a number.
#[inline(always)]
pub(crate) const fn low(word: u64) -> u32 {
    u32::from_le_bytes(four(word))
}

/// The code point at the start of some UTF-8, if it is well-formed and of a frequent length, and its length.
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
pub(crate) fn get(word: u64) -> Option<(u32, usize)> {
    let bytes = low(word);
    let bits = |shift: u32| bytes >> shift & 0x3F;
    // Three bytes are by far the most frequent.
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

#[cfg(feature = "cjk-extra")]
/// A code of two bytes.
#[inline(always)]
pub(crate) fn two([a, b]: [u8; 2]) -> ([u8; 4], usize) {
    ([a, b, 0, 0], 2)
}
