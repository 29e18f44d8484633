//! UTF-8, checked and copied in one pass that goes on behind each ill-formed sequence.
//!
//! The check is that of [`validate`](super::validate). If a chunk fails, a bitmap for each of its blocks says which bytes
//! cannot stand after those before them. The first such byte either ends an unfinished sequence, of which the bytes before
//! it are the maximal subpart, or it is a continuation byte by itself. The rest of the chunk is copied again, from behind
//! the error to where it belongs now. The bitmaps hold for it too, but for its first three bytes, which are checked again
//! without those before them. So the next chunk begins where it would have begun without an error: its loads do not wait
//! for any of this.

use super::portable::replace as portable;
use super::validate::{BEHIND, Checker, is_unfinished};
use super::{Mend, Moved};
use crate::ground::chunk::{chunk_at, chunk_at_mut};
use crate::simd::{BLOCK, Shuffle};

/// Copies UTF-8, with what `mend` writes for each maximal subpart of an ill-formed sequence. Stops where `mend` does, before
/// a sequence that is cut off, and where the next code point does not fit.
#[inline(always)]
pub(crate) fn mend_utf8<S: Shuffle>(simd: S, src: &[u8], dst: &mut [u8], mend: &mut dyn Mend) -> Moved {
    let mut done = Moved::default();
    if !copy_blocks(Checker::new(simd), mend, src, dst, &mut done) {
        let (Some(src_rest), Some(room)) = (src.get(done.read..), dst.get_mut(done.written..)) else {
            return done;
        };
        let rest = portable::mend_utf8(src_rest, room, &mut Behind { mend, start: done.read });
        done = Moved { read: done.read + rest.read, written: done.written + rest.written };
    }
    done
}

/// The rest of a text from `start` on.
struct Behind<'a> {
    mend: &'a mut dyn Mend,
    start: usize,
}

impl Mend for Behind<'_> {
    fn mend(&mut self, at: usize, len: usize, room: &mut [u8]) -> Option<Moved> {
        self.mend.mend(self.start + at, len, room)
    }
}

/// Copies from `done` on, which is a border between sequences, as long as there are a whole block of `src` and room for
/// it, and adds to `done` the text up to such a border. Whether `mend` stopped it.
#[inline(always)]
pub(crate) fn copy_blocks<S: Shuffle>(
    checker: Checker<S>,
    mend: &mut (impl Mend + ?Sized),
    src: &[u8],
    dst: &mut [u8],
    done: &mut Moved,
) -> bool {
    match S::UNROLL {
        1 => copy_chunks::<S, 1, { BEHIND + BLOCK }, BLOCK>(checker, mend, src, dst, done),
        2 | 3 => copy_chunks::<S, 2, { BEHIND + 2 * BLOCK }, { 2 * BLOCK }>(checker, mend, src, dst, done),
        _ => copy_chunks::<S, 4, { BEHIND + 4 * BLOCK }, { 4 * BLOCK }>(checker, mend, src, dst, done),
    }
}

#[inline(always)]
fn copy_chunks<S: Shuffle, const BLOCKS: usize, const WINDOW: usize, const CHUNK: usize>(
    checker: Checker<S>,
    mend: &mut (impl Mend + ?Sized),
    src: &[u8],
    dst: &mut [u8],
    done: &mut Moved,
) -> bool {
    let simd = checker.simd();
    // Each round begins behind an error: nothing before the first block counts.
    loop {
        let (Some(block), Some(room)) = (chunk_at!(src, done.read), chunk_at_mut!(dst, done.written)) else {
            return false;
        };
        let block = simd.load(block);
        simd.store(block, room);
        if simd.any_high_bit(block) {
            let errors = simd.non_zero(checker.errors_at_start(block));
            if errors != 0 {
                let start = done.read;
                if !replace(mend, src, dst, done, start, start + errors.trailing_zeros() as usize) {
                    return true;
                }
                continue;
            }
        }
        match copy_grid::<S, BLOCKS, WINDOW, CHUNK>(checker, mend, src, dst, done) {
            Some(true) => {}
            Some(false) => return true,
            None => return false,
        }
    }
}

/// Copies chunks from the block after `done` on. `None` if there is no block left, or no room for one; otherwise, whether
/// a round begins behind an error.
#[inline(always)]
fn copy_grid<S: Shuffle, const BLOCKS: usize, const WINDOW: usize, const CHUNK: usize>(
    checker: Checker<S>,
    mend: &mut (impl Mend + ?Sized),
    src: &[u8],
    dst: &mut [u8],
    done: &mut Moved,
) -> Option<bool> {
    let simd = checker.simd();
    let mut start = done.read;
    let mut at = start + BLOCK;
    let mut is_ascii = false;
    while let Some(window) = chunk_at!(src, at - BEHIND, WINDOW)
        && let Some(room) = chunk_at_mut!(dst, done.target(at), CHUNK)
    {
        let Some((before, blocks)) = window.split_first_chunk::<BEHIND>() else { unreachable!() };
        let mut highest = simd.splat(0);
        for (block, to) in blocks.as_chunks::<BLOCK>().0.iter().zip(room.as_chunks_mut::<BLOCK>().0) {
            let block = simd.load(block);
            simd.store(block, to);
            highest = simd.max(highest, block);
        }
        let end = at + CHUNK;
        if simd.any_high_bit(highest) {
            if let Some(errors) = checker.errors_in_chunk::<BLOCKS, WINDOW>(window, highest, is_ascii) {
                let mut next = first_from(errors, 0);
                while let Some(error) = next {
                    if !replace(mend, src, dst, done, start, at + error) {
                        return Some(false);
                    }
                    start = done.read;
                    let (Some(rest), Some(room)) =
                        (chunk_at!(src, start, CHUNK), chunk_at_mut!(dst, done.written, CHUNK))
                    else {
                        return Some(true);
                    };
                    if start + BEHIND > end {
                        return Some(true);
                    }
                    for (block, to) in rest.as_chunks::<BLOCK>().0.iter().zip(room.as_chunks_mut().0) {
                        simd.store(simd.load(block), to);
                    }
                    let first = rest.first_chunk().map_or(simd.splat(0), |first| simd.load(first));
                    let near = simd.non_zero(checker.errors_at_start(first)) & ((1 << BEHIND) - 1);
                    next = if near == 0 {
                        first_from(errors, start + BEHIND - at)
                    } else {
                        Some(start - at + near.trailing_zeros() as usize)
                    };
                }
            }
            is_ascii = false;
        } else if !is_ascii {
            if is_unfinished(*before) {
                return Some(replace(mend, src, dst, done, start, at));
            }
            is_ascii = true;
        }
        at = end;
    }
    while let Some(window) = chunk_at!(src, at - BEHIND, BEHIND + BLOCK)
        && let Some(room) = chunk_at_mut!(dst, done.target(at))
    {
        let block = window.last_chunk().map_or_else(|| simd.splat(0), |block| simd.load(block));
        simd.store(block, room);
        let errors = simd.non_zero(checker.errors_in(window));
        if errors != 0 {
            return Some(replace(mend, src, dst, done, start, at + errors.trailing_zeros() as usize));
        }
        at += BLOCK;
    }
    let border = at - begun_before(src, start, at);
    *done = Moved { read: border, written: done.target(border) };
    None
}

impl Moved {
    /// The place of the byte at `at` of the source, if everything between is copied.
    #[inline(always)]
    fn target(&self, at: usize) -> usize {
        self.written + (at - self.read)
    }
}

/// Mends the error that the byte at `at` shows, in a text that begins at `start` and is copied, and adds it to `done`.
/// Whether it is mended.
#[inline(always)]
fn replace(
    mend: &mut (impl Mend + ?Sized),
    src: &[u8],
    dst: &mut [u8],
    done: &mut Moved,
    start: usize,
    at: usize,
) -> bool {
    let begun = begun_before(src, start, at);
    *done = Moved { read: at - begun, written: done.target(at - begun) };
    // A byte that cannot stand there ends the sequence before it, or is a continuation byte by itself.
    let mut len = begun.max(1);
    loop {
        let Some(mended) = dst.get_mut(done.written..).and_then(|room| mend.mend(done.read, len, room))
        else {
            return false;
        };
        done.read += mended.read;
        done.written += mended.written;
        // One damaged sequence is often several errors.
        if !is_never(src, done.read) {
            return true;
        }
        len = 1;
    }
}

/// Whether the bytes at `at` begin with an ill-formed sequence of one byte, so far as the byte itself shows it, or with a
/// surrogate.
#[inline(always)]
fn is_never(src: &[u8], at: usize) -> bool {
    let Some(&[first, second]) = chunk_at!(src, at) else { return false };
    (first.wrapping_sub(0x80) < 0x42) | (first >= 0xF5) | ((first == 0xED) & (second >= 0xA0))
}

/// The first byte of a chunk from `from` on that has a bit.
#[inline(always)]
fn first_from<const BLOCKS: usize>(bits: [u64; BLOCKS], from: usize) -> Option<usize> {
    let mut first = None;
    // From the end, so that no branch depends on which block it is.
    for i in (0..BLOCKS).rev() {
        let passed = from.saturating_sub(i * BLOCK);
        let bits = if passed < BLOCK { bits[i] >> passed << passed } else { 0 };
        first = if bits == 0 { first } else { Some(i * BLOCK + bits.trailing_zeros() as usize) };
    }
    first
}

/// The number of bytes before `at` of a sequence that is not complete there, in a text that begins at `start` and is
/// well-formed otherwise.
#[inline(always)]
fn begun_before(src: &[u8], start: usize, at: usize) -> usize {
    // Without branches: nobody can foresee which it is.
    let is_lead =
        |back: usize, from: u8| at - start >= back && src.get(at - back).is_some_and(|&byte| byte >= from);
    usize::from(is_lead(1, 0xC0)) + 2 * usize::from(is_lead(2, 0xE0)) + 3 * usize::from(is_lead(3, 0xF0))
}
