//! UTF-8, checked and copied in one pass that stops exactly where an ill-formed sequence begins.
//!
//! The check is that of [`validate`](super::validate). A pass begins at a border between sequences, and takes no notice
//! of the bytes before it, so it can go on right after an ill-formed sequence.

use super::Moved;
use super::validate::{BEHIND, Checker, is_unfinished};
use crate::ground::chunk::{chunk_at, chunk_at_mut};
use crate::simd::{BLOCK, Shuffle};

/// Copies from `done` on, as long as there are a whole block of `src` and room for it, and adds to `done` the text up to
/// the end of a sequence. Returns the length of the ill-formed sequence that is next; 0 if there is no block left, or
/// no room.
#[inline(always)]
pub(crate) fn copy_blocks<S: Shuffle>(
    checker: Checker<S>,
    src: &[u8],
    dst: &mut [u8],
    done: &mut Moved,
) -> usize {
    match S::UNROLL {
        1 => copy_chunks::<S, 1, { BEHIND + BLOCK }, BLOCK>(checker, src, dst, done),
        2 | 3 => copy_chunks::<S, 2, { BEHIND + 2 * BLOCK }, { 2 * BLOCK }>(checker, src, dst, done),
        _ => copy_chunks::<S, 4, { BEHIND + 4 * BLOCK }, { 4 * BLOCK }>(checker, src, dst, done),
    }
}

#[inline(always)]
fn copy_chunks<S: Shuffle, const BLOCKS: usize, const WINDOW: usize, const CHUNK: usize>(
    checker: Checker<S>,
    src: &[u8],
    dst: &mut [u8],
    done: &mut Moved,
) -> usize {
    let simd = checker.simd();
    let start = *done;
    let mut at = start.read;
    let target = |at: usize| start.written + (at - start.read);
    let stop = 'copied: {
        // Nothing before the first block counts.
        let (Some(block), Some(room)) = (chunk_at!(src, at), chunk_at_mut!(dst, target(at))) else {
            return 0;
        };
        let block = simd.load(block);
        simd.store(block, room);
        if simd.any_high_bit(block) {
            let errors = simd.non_zero(checker.errors_at_start(block));
            if errors != 0 {
                break 'copied Some(at + errors.trailing_zeros() as usize);
            }
        }
        at += BLOCK;
        let mut is_ascii = false;
        while let Some(window) = chunk_at!(src, at - BEHIND, WINDOW)
            && let Some(room) = chunk_at_mut!(dst, target(at), CHUNK)
        {
            let Some((before, blocks)) = window.split_first_chunk::<BEHIND>() else { unreachable!() };
            let mut highest = simd.splat(0);
            for (block, to) in blocks.as_chunks::<BLOCK>().0.iter().zip(room.as_chunks_mut::<BLOCK>().0) {
                let block = simd.load(block);
                simd.store(block, to);
                highest = simd.max(highest, block);
            }
            if simd.any_high_bit(highest) {
                is_ascii = false;
                let first = checker.first_error_in_chunk::<BLOCKS, WINDOW>(window, highest);
                if let Some(first) = first {
                    break 'copied Some(at + first);
                }
            } else if !is_ascii {
                if is_unfinished(*before) {
                    break 'copied Some(at);
                }
                is_ascii = true;
            }
            at += CHUNK;
        }
        while let Some(window) = chunk_at!(src, at - BEHIND, BEHIND + BLOCK)
            && let Some(room) = chunk_at_mut!(dst, target(at))
        {
            let block = window.last_chunk().map_or_else(|| simd.splat(0), |block| simd.load(block));
            simd.store(block, room);
            let errors = simd.non_zero(checker.errors_in(window));
            if errors != 0 {
                break 'copied Some(at + errors.trailing_zeros() as usize);
            }
            at += BLOCK;
        }
        None
    };
    let end = stop.unwrap_or(at);
    let begun = begun_before(src, start.read, end);
    done.read = end - begun;
    done.written = target(end - begun);
    // A byte that cannot stand there ends the sequence before it, or is a continuation byte by itself.
    if stop.is_some() { begun.max(1) } else { 0 }
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
