//! Validating copy of UTF-8 in one pass, which continues after each ill-formed sequence.
//!
//! [`validate`](super::validate) describes the check. If a chunk fails, a bitmap for each of its
//! blocks marks the bytes that are not allowed after the bytes before them. The first such byte
//! either ends an incomplete sequence, whose bytes are the maximal subpart, or is a lone
//! continuation byte. The rest of the chunk, after the error, is copied again to its new position.
//! The bitmaps remain right for it, except for its first three bytes, which are checked again
//! without the bytes before them. So the next chunk begins where it would have begun without an
//! error, and its loads do not wait for any of this.
//!
//! Two fast paths make errors in ASCII cheap: after enough ASCII ([`LONE_ERROR_AFTER_BYTES`]), a
//! non-ASCII byte between ASCII bytes is an error, whatever its value; and a loop of its own copies
//! long ASCII, free of the other loops' state.
//!
//! Chunks are aligned to the target, because a store that crosses a cache line takes twice as long.
//! After an error they are no longer aligned, until the loop for long ASCII takes over
//! ([`ASCII_LOOP_AFTER_BYTES`]): realigning would make the next chunk wait for the error.
//!
//! Measurements: `lab/copy.md`.

use super::checker::{Checker, LOOKBACK_BYTES, is_unfinished};
use super::portable::patch as portable;
use super::{Mend, Moved, TextRoom};
use crate::ground::chunk::{chunk_at, chunk_at_mut};
use crate::simd::{BLOCK, Shuffle, Slot};

/// Copies UTF-8, with the replacement that `mend` writes for each maximal subpart of an ill-formed
/// sequence. Stops where `mend` does, before an incomplete sequence at the end, and where the next
/// code point does not fit.
#[inline(always)]
pub(crate) fn mend_utf8<S: Shuffle>(simd: S, src: &[u8], dst: &mut [Slot], mend: &mut dyn Mend) -> Moved {
    let mut done = Moved::default();
    if !copy_blocks(Checker::new(simd), mend, src, dst, &mut done) {
        let (Some(src_rest), Some(room)) = (src.get(done.read..), dst.get_mut(done.written..)) else {
            return done;
        };
        let rest = portable::mend_utf8(src_rest, room, &mut Rest { mend, start: done.read });
        done = Moved { read: done.read + rest.read, written: done.written + rest.written };
    }
    done
}

/// Shifts offsets for a `mend` that is called for the rest of a text, from `start` on.
struct Rest<'a> {
    mend: &'a mut dyn Mend,
    start: usize,
}

impl Mend for Rest<'_> {
    fn mend(&mut self, at: usize, len: usize, room: &mut TextRoom<'_>) -> Option<usize> {
        self.mend.mend(self.start + at, len, room)
    }
}

/// Copies from `done`, which must be a boundary between sequences, while `src` has a whole block
/// and `dst` has room for it. Adds the text up to such a boundary to `done`. Returns whether `mend`
/// stopped the copy.
#[inline(always)]
pub(crate) fn copy_blocks<S: Shuffle>(
    checker: Checker<S>,
    mend: &mut (impl Mend + ?Sized),
    src: &[u8],
    dst: &mut [Slot],
    done: &mut Moved,
) -> bool {
    match S::UNROLL {
        1 => copy_chunks::<S, 1, { LOOKBACK_BYTES + BLOCK }, BLOCK>(checker, mend, src, dst, done),
        2 | 3 => {
            copy_chunks::<S, 2, { LOOKBACK_BYTES + 2 * BLOCK }, { 2 * BLOCK }>(checker, mend, src, dst, done)
        }
        _ => {
            copy_chunks::<S, 4, { LOOKBACK_BYTES + 4 * BLOCK }, { 4 * BLOCK }>(checker, mend, src, dst, done)
        }
    }
}

#[inline(always)]
fn copy_chunks<S: Shuffle, const BLOCKS: usize, const WINDOW: usize, const CHUNK: usize>(
    checker: Checker<S>,
    mend: &mut (impl Mend + ?Sized),
    src: &[u8],
    dst: &mut [Slot],
    done: &mut Moved,
) -> bool {
    let simd = checker.simd();
    // Each iteration begins after an error: nothing before its first block matters.
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

/// Copies chunks after the block at `done`. Returns `None` if no block is left or there is no room
/// for one; otherwise, whether to start again after an error.
#[inline(always)]
fn copy_grid<S: Shuffle, const BLOCKS: usize, const WINDOW: usize, const CHUNK: usize>(
    checker: Checker<S>,
    mend: &mut (impl Mend + ?Sized),
    src: &[u8],
    dst: &mut [Slot],
    done: &mut Moved,
) -> Option<bool> {
    let simd = checker.simd();
    let mut start = done.read;
    let back = (dst.as_ptr().addr() + done.written) % BLOCK;
    let mut at = start + BLOCK - back.min(BLOCK - LOOKBACK_BYTES);
    let mut run = 0;
    loop {
        let (copied, end) =
            copy_clean::<S, BLOCKS, WINDOW, CHUNK>(checker, src, at, dst, done.target(at), &mut run);
        at += copied;
        let next_at = at + CHUNK;
        match end {
            End::Short => break,
            End::Unfinished => return Some(replace(mend, src, dst, done, start, at)),
            End::Alone(errors) => {
                let mut next = first_from(errors, 0);
                while next < CHUNK {
                    if !mend_one(mend, dst, done, at + next, 1) {
                        return Some(false);
                    }
                    start = done.read;
                    if copy_again::<S, CHUNK>(simd, src, dst, done).is_none() {
                        return Some(true);
                    }
                    next = first_from(errors, start - at);
                }
            }
            End::Errors(errors) => {
                let is_one = errors.iter().map(|errors| errors.count_ones()).sum::<u32>() == 1;
                let mut next = first_from(errors, 0);
                while next < CHUNK {
                    if !replace(mend, src, dst, done, start, at + next) {
                        return Some(false);
                    }
                    start = done.read;
                    let Some(first) = copy_again::<S, CHUNK>(simd, src, dst, done) else {
                        return Some(true);
                    };
                    if start + LOOKBACK_BYTES > next_at {
                        return Some(true);
                    }
                    // The bitmaps are right after ASCII, too, unless the bytes before it need
                    // further continuation bytes.
                    if is_one && src.get(start).is_some_and(u8::is_ascii) {
                        break;
                    }
                    // Three ASCII bytes cannot be wrong, so they need no check.
                    let near = if chunk_at!(src, start)
                        .is_some_and(|bytes: &[u8; LOOKBACK_BYTES]| bytes.is_ascii())
                    {
                        0
                    } else {
                        simd.non_zero(checker.errors_at_start(first)) & ((1 << LOOKBACK_BYTES) - 1)
                    };
                    next = if near == 0 {
                        first_from(errors, start + LOOKBACK_BYTES - at)
                    } else {
                        start - at + near.trailing_zeros() as usize
                    };
                }
                run = 0;
            }
        }
        at = next_at;
    }
    while let Some(window) = chunk_at!(src, at - LOOKBACK_BYTES, LOOKBACK_BYTES + BLOCK)
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

/// Why a run of chunks ended.
enum End<const BLOCKS: usize> {
    /// No chunk is left, or there is no room for it.
    Short,
    /// ASCII follows an incomplete sequence.
    Unfinished,
    /// These bytes of the chunk are not ASCII, and each has ASCII on both sides.
    Alone([u64; BLOCKS]),
    /// These bytes of the chunk are not allowed after the bytes before them.
    Errors([u64; BLOCKS]),
}

/// After this many bytes of ASCII, a lone non-ASCII byte is presumed to be an error.
const LONE_ERROR_AFTER_BYTES: usize = 4 * BLOCK;
/// After this many bytes of ASCII, a loop for ASCII takes over.
///
/// With a lower limit, prose with a few other characters enters and leaves that loop too often.
const ASCII_LOOP_AFTER_BYTES: usize = 16 * BLOCK;

/// Copies chunks from `at` to `target` up to and including the first ill-formed one. Returns the
/// number of bytes before that one. `run` counts the ASCII chunks in a row before it. A function of
/// its own, because the state of error handling would cost it registers.
#[inline(always)]
fn copy_clean<S: Shuffle, const BLOCKS: usize, const WINDOW: usize, const CHUNK: usize>(
    checker: Checker<S>,
    src: &[u8],
    at: usize,
    dst: &mut [Slot],
    target: usize,
    run: &mut usize,
) -> (usize, End<BLOCKS>) {
    let simd = checker.simd();
    let (src, dst) =
        (src.get(at - LOOKBACK_BYTES..).unwrap_or_default(), dst.get_mut(target..).unwrap_or_default());
    let mut i = 0;
    while let Some(window) = chunk_at!(src, i, WINDOW)
        && let Some(room) = chunk_at_mut!(dst, i, CHUNK)
    {
        let Some((before, blocks)) = window.split_first_chunk::<LOOKBACK_BYTES>() else { unreachable!() };
        let mut highest = simd.splat(0);
        let mut all = [highest; BLOCKS];
        for k in 0..BLOCKS {
            simd.prefetch(blocks, PREFETCH_BYTES + k * BLOCK);
        }
        for ((from, to), block) in
            blocks.as_chunks::<BLOCK>().0.iter().zip(room.as_chunks_mut::<BLOCK>().0).zip(&mut all)
        {
            *block = simd.load(from);
            simd.store(*block, to);
            highest = simd.max(highest, *block);
        }
        if simd.any_high_bit(highest) {
            if *run >= LONE_ERROR_AFTER_BYTES / CHUNK
                && let Some(errors) = alone(simd, &all)
            {
                return (i, End::Alone(errors));
            }
            if let Some(errors) = checker.errors_in_chunk::<BLOCKS, WINDOW>(window, &all, highest) {
                return (i, End::Errors(errors));
            }
            *run = 0;
            i += CHUNK;
        } else if *run >= ASCII_LOOP_AFTER_BYTES / CHUNK {
            i += CHUNK;
            let first = copy_ascii(simd, src, dst, i, 1);
            i += first;
            if first > 0 {
                // The bytes before the boundary are copied again, unchanged.
                i -= (dst.as_ptr().addr() + i) % BLOCK;
                i += copy_ascii(simd, src, dst, i, usize::MAX);
            }
        } else {
            if *run == 0 && is_unfinished(*before) {
                return (i, End::Unfinished);
            }
            *run += 1;
            i += CHUNK;
        }
    }
    (i, End::Short)
}

/// Prefetch distance, in bytes.
const PREFETCH_BYTES: usize = 768;

/// Bytes of ASCII per test.
const ASCII_CHUNK_BYTES: usize = 4 * BLOCK;

/// Copies ASCII chunks from `at` on, at most `max_chunks` of them. Returns the number of bytes.
/// `src` begins [`LOOKBACK_BYTES`] bytes before `dst`.
#[inline(always)]
fn copy_ascii<S: Shuffle>(simd: S, src: &[u8], dst: &mut [Slot], at: usize, max_chunks: usize) -> usize {
    let (src, dst) =
        (src.get(LOOKBACK_BYTES + at..).unwrap_or_default(), dst.get_mut(at..).unwrap_or_default());
    let mut copied = 0;
    let chunks = src.as_chunks::<ASCII_CHUNK_BYTES>().0.iter().take(max_chunks);
    for (chunk, room) in chunks.zip(dst.as_chunks_mut::<ASCII_CHUNK_BYTES>().0) {
        let mut all = simd.splat(0);
        for (block, to) in chunk.as_chunks::<BLOCK>().0.iter().zip(room.as_chunks_mut::<BLOCK>().0) {
            let block = simd.load(block);
            simd.store(block, to);
            all = simd.or(all, block);
        }
        if simd.any_high_bit(all) {
            break;
        }
        copied += ASCII_CHUNK_BYTES;
    }
    copied
}

impl Moved {
    /// Position in the target of the byte at `at` of the source, if everything in between is
    /// copied.
    #[inline(always)]
    fn target(&self, at: usize) -> usize {
        self.written + (at - self.read)
    }
}

/// Mends the error that the byte at `at` reveals, in a text that begins at `start` and is copied up
/// to there, and adds both to `done`. Returns whether it was mended.
#[inline(always)]
fn replace(
    mend: &mut (impl Mend + ?Sized),
    src: &[u8],
    dst: &mut [Slot],
    done: &mut Moved,
    start: usize,
    at: usize,
) -> bool {
    let begun = begun_before(src, start, at);
    // A byte that is not allowed there ends the sequence before it, or is a lone continuation byte.
    let mut len = begun.max(1);
    let mut at = at - begun;
    loop {
        if !mend_one(mend, dst, done, at, len) {
            return false;
        }
        // A damaged sequence is often several errors.
        if !is_never(src, done.read) {
            return true;
        }
        at = done.read;
        len = 1;
    }
}

/// Mends the error of `len` bytes at `at`, up to which the text is copied, and adds both to `done`.
/// Returns whether it was mended.
#[inline(always)]
fn mend_one(
    mend: &mut (impl Mend + ?Sized),
    dst: &mut [Slot],
    done: &mut Moved,
    at: usize,
    len: usize,
) -> bool {
    *done = Moved { read: at, written: done.target(at) };
    let Some(room) = dst.get_mut(done.written..) else { return false };
    let mut room = TextRoom::new(room);
    let Some(read @ 1..) = mend.mend(at, len, &mut room) else { return false };
    done.read += read;
    done.written += room.written;
    true
}

/// Copies a chunk from `done` on, if there is one and room for it. Returns its first block.
#[inline(always)]
fn copy_again<S: Shuffle, const CHUNK: usize>(
    simd: S,
    src: &[u8],
    dst: &mut [Slot],
    done: &Moved,
) -> Option<S::Block> {
    let rest: &[u8; CHUNK] = chunk_at!(src, done.read)?;
    let room: &mut [Slot; CHUNK] = chunk_at_mut!(dst, done.written)?;
    for (block, to) in rest.as_chunks::<BLOCK>().0.iter().zip(room.as_chunks_mut().0) {
        simd.store(simd.load(block), to);
    }
    rest.first_chunk().map(|first| simd.load(first))
}

/// Returns bitmaps of the non-ASCII bytes of a chunk, if no two of them are adjacent and none is
/// among the last three bytes.
#[inline(always)]
fn alone<S: Shuffle, const BLOCKS: usize>(simd: S, blocks: &[S::Block; BLOCKS]) -> Option<[u64; BLOCKS]> {
    let mut errors = [0; BLOCKS];
    let (mut pairs, mut before) = (0, 0);
    for (errors, block) in errors.iter_mut().zip(blocks) {
        *errors = simd.bits(simd.high_bit(*block));
        pairs |= *errors & (*errors << 1 | before);
        before = *errors >> (BLOCK - 1);
    }
    // The check of the next chunk depends on the last bytes of this one.
    let last = errors.last()? >> (BLOCK - LOOKBACK_BYTES);
    (pairs | last == 0).then_some(errors)
}

/// Whether an ill-formed sequence of one byte that is invalid by itself, or an encoded surrogate,
/// begins at `at`.
#[inline(always)]
fn is_never(src: &[u8], at: usize) -> bool {
    let Some(&[first, second]) = chunk_at!(src, at) else { return false };
    (first.wrapping_sub(0x80) < 0x42) | (first >= 0xF5) | ((first == 0xED) & (second >= 0xA0))
}

/// Position of the first bit at or after `from`; a number past the chunk if there is none.
#[inline(always)]
fn first_from<const BLOCKS: usize>(bits: [u64; BLOCKS], from: usize) -> usize {
    let mut first = BLOCKS * BLOCK;
    // From the end, so that no branch depends on which block it is.
    for i in (0..BLOCKS).rev() {
        let passed = from.saturating_sub(i * BLOCK);
        let is_within = u64::from(passed < BLOCK).wrapping_neg();
        let bits = bits[i] & is_within & u64::MAX << (passed % BLOCK);
        first = if bits == 0 { first } else { i * BLOCK + bits.trailing_zeros() as usize };
    }
    first
}

/// Number of bytes before `at` that belong to a sequence that is incomplete there, in a text that
/// begins at `start` and is otherwise well-formed.
#[inline(always)]
fn begun_before(src: &[u8], start: usize, at: usize) -> usize {
    // Without a branch on the bytes, which no predictor can learn.
    if at - start >= LOOKBACK_BYTES
        && let Some(&[third, second, first]) =
            at.checked_sub(LOOKBACK_BYTES).and_then(|from| chunk_at!(src, from))
    {
        return usize::from(first >= 0xC0) + 2 * usize::from(second >= 0xE0) + 3 * usize::from(third >= 0xF0);
    }
    let is_lead =
        |back: usize, from: u8| at - start >= back && src.get(at - back).is_some_and(|&byte| byte >= from);
    usize::from(is_lead(1, 0xC0)) + 2 * usize::from(is_lead(2, 0xE0)) + 3 * usize::from(is_lead(3, 0xF0))
}
