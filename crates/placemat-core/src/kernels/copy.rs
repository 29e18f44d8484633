//! UTF-8, checked and copied in one pass that goes on behind each ill-formed sequence.
//!
//! The check is that of [`validate`](super::validate). If a chunk fails, a bitmap for each of its blocks says which bytes
//! cannot stand after those before them. The first such byte either ends an unfinished sequence, of which the bytes before
//! it are the maximal subpart, or it is a continuation byte by itself. The rest of the chunk is copied again, from behind
//! the error to where it belongs now. The bitmaps hold for it too, but for its first three bytes, which are checked again
//! without those before them. So the next chunk begins where it would have begun without an error: its loads do not wait
//! for any of this.
//!
//! Two things make errors in ASCII cheap: behind some ASCII ([`FEW`]), a byte beyond ASCII between ASCII is an error without a look at which
//! it is; and long ASCII is copied by a loop of its own, which the compiler keeps free of the state of the rest.
//!
//! Where chunks begin depends on the target: a store that lies in two lines takes twice as long. Behind an error that is no
//! longer so, until the loop for long ASCII takes over ([`MANY`]): the place where the next chunk begins would have to wait for the error.
//!
//! See `lab/copy.md`.

use super::checker::{BEHIND, Checker, is_unfinished};
use super::portable::patch as portable;
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
    let back = (dst.as_ptr().addr() + done.written) % BLOCK;
    let mut at = start + BLOCK - back.min(BLOCK - BEHIND);
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
                    if start + BEHIND > next_at {
                        return Some(true);
                    }
                    // The bitmaps hold for what follows ASCII, but that bytes before it may demand more bytes.
                    if is_one && src.get(start).is_some_and(u8::is_ascii) {
                        break;
                    }
                    // Three bytes of ASCII cannot be wrong: without a look at them, ASCII and French with errors 500 bytes apart take
                    // 2 to 5 % less.
                    let near = if chunk_at!(src, start).is_some_and(|bytes: &[u8; BEHIND]| bytes.is_ascii()) {
                        0
                    } else {
                        simd.non_zero(checker.errors_at_start(first)) & ((1 << BEHIND) - 1)
                    };
                    next = if near == 0 {
                        first_from(errors, start + BEHIND - at)
                    } else {
                        start - at + near.trailing_zeros() as usize
                    };
                }
                run = 0;
            }
        }
        at = next_at;
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

/// Why a stretch of chunks ends.
enum End<const BLOCKS: usize> {
    /// No chunk is left, or there is no room for it.
    Short,
    /// ASCII follows a sequence that is not complete.
    Unfinished,
    /// These bytes of the chunk are not ASCII, and each stands between ASCII.
    Alone([u64; BLOCKS]),
    /// Bytes of the chunk cannot stand after those before them.
    Errors([u64; BLOCKS]),
}

/// After so many bytes of ASCII, one that is not ASCII is expected to be an error.
const FEW: usize = 4 * BLOCK;
/// After so many bytes of ASCII, a loop for ASCII takes over.
///
/// Earlier, prose with a few other characters enters and leaves that loop too often.
const MANY: usize = 16 * BLOCK;

/// Copies chunks from `at` to `target` up to the first in which something is ill-formed, with that one. Returns the number
/// of bytes before it. `run` is the number of ASCII chunks in a row before it, as far as the loop counts them. A loop of its own: the
/// state of what happens at errors would cost its registers.
#[inline(always)]
fn copy_clean<S: Shuffle, const BLOCKS: usize, const WINDOW: usize, const CHUNK: usize>(
    checker: Checker<S>,
    src: &[u8],
    at: usize,
    dst: &mut [u8],
    target: usize,
    run: &mut usize,
) -> (usize, End<BLOCKS>) {
    let simd = checker.simd();
    let (src, dst) = (src.get(at - BEHIND..).unwrap_or_default(), dst.get_mut(target..).unwrap_or_default());
    let mut i = 0;
    while let Some(window) = chunk_at!(src, i, WINDOW)
        && let Some(room) = chunk_at_mut!(dst, i, CHUNK)
    {
        let Some((before, blocks)) = window.split_first_chunk::<BEHIND>() else { unreachable!() };
        let mut highest = simd.splat(0);
        let mut all = [highest; BLOCKS];
        for k in 0..BLOCKS {
            simd.prefetch(blocks, AHEAD + k * BLOCK);
        }
        for ((from, to), block) in
            blocks.as_chunks::<BLOCK>().0.iter().zip(room.as_chunks_mut::<BLOCK>().0).zip(&mut all)
        {
            *block = simd.load(from);
            simd.store(*block, to);
            highest = simd.max(highest, *block);
        }
        if simd.any_high_bit(highest) {
            if *run >= FEW / CHUNK
                && let Some(errors) = alone(simd, &all)
            {
                return (i, End::Alone(errors));
            }
            if let Some(errors) = checker.errors_in_chunk::<BLOCKS, WINDOW>(window, &all, highest) {
                return (i, End::Errors(errors));
            }
            *run = 0;
            i += CHUNK;
        } else if *run >= MANY / CHUNK {
            i += CHUNK;
            let first = copy_ascii(simd, src, dst, i, 1);
            i += first;
            if first > 0 {
                // What is copied once more is the same.
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

/// How far ahead lines are asked for. In 80 KB with an error in every 4000 bytes on an Intel Xeon with AVX2, 22.9 GB/s for 21.3 in
/// typographic prose, 29.0 for 26.5 in source code.
const AHEAD: usize = 768;

/// Bytes of ASCII in one check.
const ASCII_CHUNK: usize = 4 * BLOCK;

/// Copies chunks from `at` on as long as they are ASCII, and no more than `most`; returns the number of bytes. `src` begins
/// [`BEHIND`] bytes before `dst`.
#[inline(always)]
fn copy_ascii<S: Shuffle>(simd: S, src: &[u8], dst: &mut [u8], at: usize, most: usize) -> usize {
    let (src, dst) = (src.get(BEHIND + at..).unwrap_or_default(), dst.get_mut(at..).unwrap_or_default());
    let mut copied = 0;
    let chunks = src.as_chunks::<ASCII_CHUNK>().0.iter().take(most);
    for (chunk, room) in chunks.zip(dst.as_chunks_mut::<ASCII_CHUNK>().0) {
        let mut all = simd.splat(0);
        for (block, to) in chunk.as_chunks::<BLOCK>().0.iter().zip(room.as_chunks_mut::<BLOCK>().0) {
            let block = simd.load(block);
            simd.store(block, to);
            all = simd.or(all, block);
        }
        if simd.any_high_bit(all) {
            break;
        }
        copied += ASCII_CHUNK;
    }
    copied
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
    // A byte that cannot stand there ends the sequence before it, or is a continuation byte by itself.
    let mut len = begun.max(1);
    let mut at = at - begun;
    loop {
        if !mend_one(mend, dst, done, at, len) {
            return false;
        }
        // One damaged sequence is often several errors.
        if !is_never(src, done.read) {
            return true;
        }
        at = done.read;
        len = 1;
    }
}

/// Mends the error of `len` bytes at `at`, up to which the text is copied, and adds both to `done`. Whether it is mended.
#[inline(always)]
fn mend_one(
    mend: &mut (impl Mend + ?Sized),
    dst: &mut [u8],
    done: &mut Moved,
    at: usize,
    len: usize,
) -> bool {
    *done = Moved { read: at, written: done.target(at) };
    let Some(mended) = dst.get_mut(done.written..).and_then(|room| mend.mend(at, len, room)) else {
        return false;
    };
    done.read += mended.read;
    done.written += mended.written;
    true
}

/// Copies a chunk from `done` on, if there are one and room for it. Returns its first block.
#[inline(always)]
fn copy_again<S: Shuffle, const CHUNK: usize>(
    simd: S,
    src: &[u8],
    dst: &mut [u8],
    done: &Moved,
) -> Option<S::Block> {
    let rest: &[u8; CHUNK] = chunk_at!(src, done.read)?;
    let room: &mut [u8; CHUNK] = chunk_at_mut!(dst, done.written)?;
    for (block, to) in rest.as_chunks::<BLOCK>().0.iter().zip(room.as_chunks_mut().0) {
        simd.store(simd.load(block), to);
    }
    rest.first_chunk().map(|first| simd.load(first))
}

/// The bytes of a chunk that are not ASCII, if no two of them stand side by side and none is among its last three.
#[inline(always)]
fn alone<S: Shuffle, const BLOCKS: usize>(simd: S, blocks: &[S::Block; BLOCKS]) -> Option<[u64; BLOCKS]> {
    let mut errors = [0; BLOCKS];
    let (mut pairs, mut before) = (0, 0);
    for (errors, block) in errors.iter_mut().zip(blocks) {
        *errors = simd.bits(simd.high_bit(*block));
        pairs |= *errors & (*errors << 1 | before);
        before = *errors >> (BLOCK - 1);
    }
    // The check of the next chunk looks at the last bytes of this one.
    let last = errors.last()? >> (BLOCK - BEHIND);
    (pairs | last == 0).then_some(errors)
}

/// Whether the bytes at `at` begin with an ill-formed sequence of one byte, so far as the byte itself shows it, or with a
/// surrogate.
#[inline(always)]
fn is_never(src: &[u8], at: usize) -> bool {
    let Some(&[first, second]) = chunk_at!(src, at) else { return false };
    (first.wrapping_sub(0x80) < 0x42) | (first >= 0xF5) | ((first == 0xED) & (second >= 0xA0))
}

/// The first byte of a chunk from `from` on that has a bit; some number beyond the chunk if there is none.
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

/// The number of bytes before `at` of a sequence that is not complete there, in a text that begins at `start` and is
/// well-formed otherwise.
#[inline(always)]
fn begun_before(src: &[u8], start: usize, at: usize) -> usize {
    // Without a branch on the bytes: nobody can foresee them.
    if at - start >= BEHIND
        && let Some(&[third, second, first]) = at.checked_sub(BEHIND).and_then(|from| chunk_at!(src, from))
    {
        return usize::from(first >= 0xC0) + 2 * usize::from(second >= 0xE0) + 3 * usize::from(third >= 0xF0);
    }
    let is_lead =
        |back: usize, from: u8| at - start >= back && src.get(at - back).is_some_and(|&byte| byte >= from);
    usize::from(is_lead(1, 0xC0)) + 2 * usize::from(is_lead(2, 0xE0)) + 3 * usize::from(is_lead(3, 0xF0))
}
