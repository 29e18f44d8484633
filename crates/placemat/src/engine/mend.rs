//! A piece of UTF-8 in which what a policy puts for errors is put already, so that a kernel takes it whole.
//!
//! Where errors are near each other, the stretches between them are too short for a kernel each. So they are copied
//! together with what the policy puts for each error, and one kernel goes over the result. It checks again what it reads:
//! nothing depends on whether the places of the errors were right.

use super::ahead::{self, Ahead};
use super::{Count, Tally, kernel};
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
use crate::simd::BLOCK;

// Sizes in bytes.

/// The scratch: with source and target well within a first-level cache.
const SCRATCH: usize = 6 * 1024;
/// How much of the source to take at an error, before it shows whether there are more of them near.
const FIRST: usize = 384;
/// Below this, single steps are as good.
pub(super) const WORTHWHILE: usize = 32;

/// What a piece became.
#[derive(Clone, Copy, Debug, Default)]
struct Mended {
    /// Bytes of the source that were consumed.
    read: usize,
    /// Bytes that were written.
    written: usize,
    /// Errors for which something was put, and those for which nothing was.
    replaced: Count,
    ignored: Count,
    /// Code points that were put for them.
    put: u64,
}

impl Mended {
    /// With U+FFFD for each maximal subpart. `offset` is where the piece begins.
    fn by_kernel(src: &[u8], to: &mut [u8], offset: u64) -> Self {
        let all = Kernels::current().replace_utf8(src, to);
        let errors = all.errors as u64;
        let first = (errors > 0).then_some(offset + all.first as u64);
        let replaced = Count { count: errors, first };
        Self { read: all.read, written: all.written, replaced, put: errors, ..Self::default() }
    }

    /// With what a policy puts, up to `end` of the source, or less where there is no room. Stops before an error at which the
    /// policy stops, or that more bytes could mend; `None` if the policy puts what is no scalar value.
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
            // After an error, a continuation byte is one too, whether or not it belongs to the same maximal subpart.
            let next = if is_continuation(rest[0]) {
                Some(all.read)
            } else {
                ahead.next_in_utf8(src, all.read, end)
            };
            let stop = next.unwrap_or_else(|| end - cut_off(&src[all.read..end]));
            let text = &src[all.read..stop];
            let Some(room) = to.get_mut(all.written..).filter(|room| room.len() >= text.len()) else { break };
            match (src[all.read..].first_chunk::<BLOCK>(), room.first_chunk_mut()) {
                // Whatever is behind the text will be written over.
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
            count.add(at);
            all.read += len;
            all.written += written;
            all.put += put as u64;
        }
        Some(all)
    }
}

/// Converts UTF-8 on from where a kernel stopped at an error, by way of UTF-8 in which there is already what the policy puts
/// for errors. The text begins at `offset`; `moved` is how far the kernel got, and how far this does is returned, and whether it is worth while to
/// come back here: not if the policy puts what UTF-8 does not hold, or the target does not hold all that there is.
#[cold]
#[inline(never)]
pub(super) fn mend<D: CodeUnit>(
    tally: &mut Tally,
    to: Bulk,
    src: &[u8],
    dst: &mut [D],
    mut moved: Moved,
    offset: u64,
    on_error: &mut dyn OnError,
) -> (Moved, bool) {
    let expansion = match to.in_bytes() {
        // These do not hold U+FFFD.
        Bulk::Latin1 | Bulk::Ascii if on_error.is_plain_replacement() => return (moved, false),
        Bulk::Utf8 | Bulk::Latin1 | Bulk::Ascii => 1,
        Bulk::Utf16Le | Bulk::Utf16Be => 2 / D::BYTES,
        Bulk::Utf32Le | Bulk::Utf32Be => 4 / D::BYTES,
        Bulk::Void => 0,
        _ => return (moved, false),
    };
    // No byte becomes more than one unit of any form.
    let fits = |room: usize| room.checked_div(expansion).unwrap_or(usize::MAX);
    if fits(dst.len() - moved.written) < WORTHWHILE {
        return (moved, true);
    }
    let replacing = on_error.is_plain_replacement();
    let longest = if replacing { SCRATCH } else { SCRATCH / 2 };
    let mut scratch = [0; SCRATCH];
    let mut len = FIRST;
    loop {
        let (rest, room) = (&src[moved.read..], &mut dst[moved.written..]);
        let piece = rest.len().min(fits(room.len())).min(len);
        if piece < WORTHWHILE {
            return (moved, true);
        }
        work::add(work::CALL + piece);
        let at = offset + moved.read as u64;
        let mended = if replacing {
            Some(Mended::by_kernel(&rest[..piece], &mut scratch, at))
        } else {
            Mended::by_policy(rest, piece, &mut scratch, at, on_error)
        };
        let Some(mended) = mended else { return (moved, false) };
        let text = &scratch[..mended.written];
        let through = if to == Bulk::Void {
            Moved { read: Kernels::current().utf8_prefix(text), written: 0 }
        } else {
            kernel(Bulk::Utf8, to, text, room)
        };
        if through.read != text.len() {
            // There is no room, or the target does not hold it.
            return (moved, false);
        }
        if mended.read == 0 {
            return (moved, true);
        }
        tally.replaced.join(mended.replaced);
        tally.ignored.join(mended.ignored);
        if let Some(decoded) = &mut tally.decoded {
            *decoded += Kernels::current().count_code_points(text) as u64 - mended.put;
        }
        moved.read += mended.read;
        moved.written += through.written;
        len = (2 * len).min(longest);
        let errors = mended.replaced.count + mended.ignored.count;
        if !replacing && errors <= (mended.read / ahead::FAR) as u64 {
            return (moved, true);
        }
        if errors == 0 {
            let (rest, room) = (&src[moved.read..], &mut dst[moved.written..]);
            let on = kernel(Bulk::Utf8, to, rest, room);
            if let Some(decoded) = &mut tally.decoded {
                *decoded += Kernels::current().count_code_points(&rest[..on.read]) as u64;
            }
            moved.read += on.read;
            moved.written += on.written;
            len = FIRST;
        }
    }
}
