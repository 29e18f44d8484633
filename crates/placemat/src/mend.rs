//! A piece of UTF-8 in which what a policy puts for errors is put already, so that a kernel takes it whole.
//!
//! Where errors are near each other, the stretches between them are too short for a kernel each. So they are copied
//! together with what the policy puts for each error, and one kernel goes over the result. It checks again what it reads:
//! nothing depends on whether the places of the errors were right.

use crate::ahead::Ahead;
use crate::dispatch::Kernels;
use crate::driver::Count;
use crate::error::IllFormed;
use crate::forms::utf8::{decode_step, is_continuation};
use crate::forms::{EncodingForm, Step, Utf8};
use crate::kernels::portable::replace::cut_off;
use crate::policy::{Action, OnError};
use crate::simd::BLOCK;

/// What a piece became.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mended {
    /// Bytes of the source that were consumed.
    pub(crate) read: usize,
    /// Bytes that were written.
    pub(crate) written: usize,
    /// Errors for which something was put, and those for which nothing was.
    pub(crate) replaced: Count,
    pub(crate) ignored: Count,
    /// Code points that were put for them.
    pub(crate) put: u64,
}

impl Mended {
    /// With U+FFFD for each maximal subpart. `offset` is where the piece begins.
    pub(crate) fn by_kernel(src: &[u8], to: &mut [u8], offset: u64) -> Self {
        let all = Kernels::current().replace_utf8(src, to);
        let errors = all.errors as u64;
        let first = (errors > 0).then_some(offset + all.first as u64);
        let replaced = Count { count: errors, first };
        Self { read: all.read, written: all.written, replaced, put: errors, ..Self::default() }
    }

    /// With what a policy puts, up to `end` of the source, or less where there is no room. Stops before an error at which the
    /// policy stops, or that more bytes could mend; `None` if the policy puts what is no scalar value.
    pub(crate) fn by_policy<D: OnError>(
        src: &[u8],
        end: usize,
        to: &mut [u8],
        offset: u64,
        on_error: &mut D,
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
