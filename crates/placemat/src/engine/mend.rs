//! Pieces of UTF-8 that already contain the policy's replacements for errors, so that a kernel takes them whole.
//!
//! If errors are near each other, the stretches between them are too short for a kernel call each. So the engine copies
//! the stretches and the policy's replacements together, and one kernel converts the result. That kernel checks its
//! input again, so nothing depends on the exactness of the error places.

use super::ahead::{self, Ahead};
use super::lossy::{WORTHWHILE, fits};
use super::pairs::kernel;
use super::tally::{Count, Tally};
use super::text::Text;
use crate::forms::Utf8;
use crate::forms::form::{Bulk, Form, Step};
use crate::forms::unicode::utf8::{decode_step, is_continuation};
use crate::ground::error::IllFormed;
use crate::ground::policy::{Action, OnError};
use crate::ground::unit::CodeUnit;
use crate::ground::work;
use crate::kernels::Moved;
use crate::kernels::dispatch::Kernels;
use crate::kernels::portable::replace::cut_off;
use crate::simd::{BLOCK, bytes_of};

// Sizes in bytes.

/// The scratch: with source and target well within a first-level cache.
const SCRATCH: usize = 6 * 1024;
/// The number of source bytes to take at an error, before it is known whether more are near.
const FIRST: usize = 384;
/// The longest piece: a replacement may be longer than the sequence it replaces.
const LONGEST: usize = SCRATCH / 2;

/// The result of a piece.
#[derive(Clone, Copy, Debug, Default)]
struct Mended {
    /// Bytes of the source that were consumed.
    read: usize,
    /// Bytes that were written to the scratch.
    written: usize,
    /// Errors that were replaced, and errors that were dropped.
    replaced: Count,
    ignored: Count,
    /// Code points that were put for errors.
    put: u64,
}

impl Mended {
    /// Copies `src` with the policy's replacements, up to `end` of the source or as far as there is room. Stops before
    /// an error at which the policy stops, or that more bytes could complete. Returns `None` if the policy puts code
    /// points that are not scalar values.
    fn by_policy(
        src: &[u8],
        end: usize,
        to: &mut [u8],
        offset: u64,
        on_error: &mut dyn OnError,
    ) -> Option<Self> {
        let span = on_error.span();
        let mut ahead = Ahead::default();
        let mut all = Self::default();
        while all.read < end {
            let rest = &src[all.read..];
            // After an error, a continuation byte is an error too, whether or not it belongs to the same maximal
            // subpart.
            let next = if is_continuation(rest[0]) {
                Some(all.read)
            } else {
                ahead.next_in_utf8(src, all.read, end)
            };
            let stop = next.unwrap_or_else(|| end - cut_off(&src[all.read..end]));
            let text = &src[all.read..stop];
            let Some(room) = to.get_mut(all.written..).filter(|room| room.len() >= text.len()) else { break };
            match (src[all.read..].first_chunk::<BLOCK>(), room.first_chunk_mut()) {
                // The bytes after the text are overwritten later.
                (Some(block), Some(room)) if text.len() <= BLOCK => *room = *block,
                _ => room[..text.len()].copy_from_slice(text),
            }
            all.read = stop;
            all.written += text.len();
            if next.is_none() {
                break;
            }

            let rest = &src[stop..];
            let Step::IllFormed { len, seen, kind } = decode_step(rest) else { break };
            let Some(len) = Utf8::span(&(), span, rest, len, false) else { break };
            let at = offset + stop as u64;
            let error = IllFormed::new(at, kind, rest, len, seen);
            let room = &mut to[all.written..];
            let (written, put) = match on_error.handle(&error) {
                Action::Stop => break,
                Action::Text(text) => {
                    let text = text.text();
                    let Some(room) = room.get_mut(..text.len()) else { break };
                    room.copy_from_slice(text.as_bytes());
                    (text.len(), text.chars().count())
                }
                Action::CodePoints(code_points) => {
                    let code_points = code_points.as_slice();
                    if room.len() < 4 * code_points.len() {
                        break;
                    }
                    let mut written = 0;
                    for c in code_points {
                        written += c.to_char()?.encode_utf8(&mut room[written..]).len();
                    }
                    (written, code_points.len())
                }
            };
            let count = if put == 0 { &mut all.ignored } else { &mut all.replaced };
            count.note(at);
            all.read += len;
            all.written += written;
            all.put += put as u64;
        }
        Some(all)
    }
}

/// Converts UTF-8 from an error on, by way of UTF-8 that already contains the policy's replacements, while errors are
/// near each other. The text begins at `offset` of its source. Returns whether this is worth another call: not if the
/// policy puts code points that UTF-8 cannot hold, or if the target cannot hold all of the text.
#[cold]
#[inline(never)]
pub(super) fn mend<S: CodeUnit, D: CodeUnit>(
    tally: &mut Tally,
    to: Bulk,
    text: &mut Text<'_, S, D>,
    offset: u64,
    on_error: &mut dyn OnError,
) -> bool {
    let known = matches!(
        to.in_bytes(),
        Bulk::Utf8
            | Bulk::Utf16Le
            | Bulk::Utf16Be
            | Bulk::Utf32Le
            | Bulk::Utf32Be
            | Bulk::Latin1
            | Bulk::Ascii
            | Bulk::Void
    );
    // Latin-1 and ASCII cannot represent U+FFFD.
    if !known || on_error.is_plain_replacement() {
        return false;
    }
    let start = text.read;
    let mut scratch = [0; SCRATCH];
    let mut len = FIRST;
    loop {
        let rest = bytes_of(text.rest());
        let piece = rest.len().min(fits(to, text.dst, text.written)).min(len);
        if piece < WORTHWHILE {
            return true;
        }
        work::add(work::CALL + piece);
        let at = offset + (text.read - start) as u64;
        let Some(mended) = Mended::by_policy(rest, piece, &mut scratch, at, on_error) else { return false };
        let put = &scratch[..mended.written];
        let through = kernel(Bulk::Utf8, to, put, text.room());
        if through.read != put.len() {
            // There is no room, or the target cannot represent the next code point.
            return false;
        }
        if mended.read == 0 {
            return true;
        }
        tally.replaced += mended.replaced;
        tally.ignored += mended.ignored;
        tally.decoded(|| Kernels::current().count_code_points(put) as u64 - mended.put);
        text.advance(Moved { read: mended.read, written: through.written });
        len = (2 * len).min(LONGEST);
        if mended.replaced.count + mended.ignored.count <= (mended.read / ahead::FAR) as u64 {
            return true;
        }
    }
}
