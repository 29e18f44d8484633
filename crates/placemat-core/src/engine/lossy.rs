//! UTF-8 with U+FFFD for each maximal subpart of an ill-formed sequence (Unicode Standard, chapter 3, "U+FFFD
//! Substitution of Maximal Subparts"): into a string, into a slice, and on into UTF-16 and UTF-32.
//!
//! If errors are far apart, the engine replaces each by itself, and the target's kernel converts
//! the text between them. If they are near each other, a kernel writes pieces of the text with
//! U+FFFD in them, and the target's kernel converts those pieces.

use super::pairs::Kernel;
use super::tally::{Count, Tally};
use super::text::Text;
#[cfg(feature = "alloc")]
use crate::checked::{push_replaced, split_well_formed};
use crate::forms::form::{Bulk, Step};
use crate::forms::unicode::utf8::decode_step;
use crate::ground::unit::CodeUnit;
use crate::ground::work;
use crate::kernels::dispatch::Kernels;
use crate::kernels::{Moved, Replaced};
use crate::simd::{bytes_of, bytes_of_mut};
#[cfg(feature = "alloc")]
use crate::{ground::policy::Replacement, kernels::validate::COPIED};
#[cfg(feature = "alloc")]
use alloc::string::String;

/// For texts shorter than this, in bytes, single steps are as fast as kernels.
pub(super) const MIN_KERNEL_BYTES: usize = 32;
/// After a clean stretch of this many bytes, the next error is handled without the replacing
/// kernel. Also the length of the first piece for that kernel.
const NEAR_ERROR_BYTES: usize = 768;
/// The replacing kernel goes on as long as a piece has more than one error in this many bytes.
const FAR_ERROR_BYTES: usize = 2048;
/// Length of the longest piece in bytes: it and its result are well within a first-level cache.
const MAX_PIECE_BYTES: usize = 6 * 1024;
/// Size of the buffer for the result of a piece, in bytes. The kernel stops when the buffer is
/// full.
const SCRATCH_BYTES: usize = MAX_PIECE_BYTES + MAX_PIECE_BYTES / 2;
/// The number of bytes that are converted first, to see how much longer they become.
#[cfg(feature = "alloc")]
const SAMPLE_BYTES: usize = 4096;
/// The expansion of the sample is extrapolated to at most this many bytes.
#[cfg(feature = "alloc")]
const MAX_EXTRAPOLATED_BYTES: usize = 1024 * 1024;
/// If the first error is at this offset or later, in bytes, errors are probably rare, and a sample
/// costs more than it saves.
#[cfg(feature = "alloc")]
const EARLY_ERROR_BYTES: usize = 256;
/// Size in bytes that a policy's longest replacement for one error needs, with a reserve.
#[cfg(feature = "alloc")]
const REPLACEMENT_ROOM_BYTES: usize = Replacement::MAX_BYTES + 64;
/// A text of at most this many bytes is converted by one step for each error, as long as it has
/// few.
#[cfg(feature = "alloc")]
const SHORT_TEXT_BYTES: usize = 512;
pub(crate) const REPLACEMENT: &str = "\u{FFFD}";
/// One damaged byte causes up to this many errors in a row.
const MAX_ERRORS_OF_ONE_BYTE: usize = 4;

/// Converts until the source ends, an incomplete sequence ends it, or the target is full. Returns
/// the number of bytes read.
fn replace<D: CodeUnit>(src: &[u8], sink: &mut Onward<'_, D>, tally: &mut Tally, offset: u64) -> usize {
    let kernels = Kernels::current();
    let (mut read, mut near) = (0, false);
    loop {
        if near && src.len() - read >= MIN_KERNEL_BYTES {
            // Errors are near each other: take pieces.
            let mut len = NEAR_ERROR_BYTES;
            loop {
                let rest = &src[read..];
                let piece = &rest[..rest.len().min(len).min(sink.limit())];
                if piece.len() < MIN_KERNEL_BYTES {
                    break;
                }
                work::add(work::CALL + piece.len());
                let replaced = kernels.replace_utf8(piece, sink.room());
                tally.replaced(&replaced, offset + read as u64, &sink.room()[..replaced.written]);
                sink.put(replaced.written);
                read += replaced.read;
                if replaced.errors <= piece.len() / FAR_ERROR_BYTES {
                    break;
                }
                len = MAX_PIECE_BYTES.min(2 * len);
            }
        } else {
            for _ in 0..MAX_ERRORS_OF_ONE_BYTE {
                let rest = &src[read..];
                if rest.is_empty() || sink.limit() < MIN_KERNEL_BYTES {
                    break;
                }
                work::add(work::STEP);
                let Step::IllFormed { len, .. } = decode_step(rest) else { break };
                sink.put_replacement();
                tally.replaced.note(offset + read as u64);
                read += len;
            }
        }
        let stretch = &src[read..];
        let clean = sink.take(stretch);
        work::add(clean);
        tally.decoded(|| kernels.count_code_points(&stretch[..clean]) as u64);
        read += clean;
        let rest = &src[read..];
        // The rest does not begin with an error, or there is no room for its replacement.
        if rest.is_empty()
            || sink.limit() < MIN_KERNEL_BYTES
            || !matches!(decode_step(rest), Step::IllFormed { .. })
        {
            return read;
        }
        near = clean < NEAR_ERROR_BYTES;
    }
}

impl Tally {
    /// Counts the errors that a kernel replaced in a piece at `offset`; `text` is the kernel's
    /// output.
    fn replaced(&mut self, replaced: &Replaced, offset: u64, text: &[u8]) {
        let errors = replaced.errors as u64;
        let first = (errors > 0).then_some(offset + replaced.first as u64);
        self.replaced += Count { count: errors, first };
        // Each code point in the output was either read or replaces an error.
        self.decoded(|| Kernels::current().count_code_points(text) as u64 - errors);
    }
}

/// Converts the rest of a UTF-8 text, which begins at `offset` of its source, to the form `to`,
/// which must represent U+FFFD.
#[inline(always)]
pub(super) fn convert<S: CodeUnit, D: CodeUnit>(
    tally: &mut Tally,
    to: Bulk,
    onward: Option<Kernel>,
    text: &mut Text<'_, S, D>,
    offset: u64,
) {
    let src = bytes_of(text.rest());
    if to.in_bytes() == Bulk::Utf8 {
        // The kernel writes directly to the target, errors or not.
        let room = bytes_of_mut(text.room());
        let replaced = Kernels::current().replace_utf8(src, room);
        tally.replaced(&replaced, offset, &room[..replaced.written]);
        text.advance(Moved { read: replaced.read, written: replaced.written });
    } else if let Some(onward) = onward {
        let moved = through_utf8(tally, to, onward, src, text.room(), offset);
        text.advance(moved);
    }
}

#[cold]
#[inline(never)]
fn through_utf8<D: CodeUnit>(
    tally: &mut Tally,
    to: Bulk,
    kernel: Kernel,
    src: &[u8],
    dst: &mut [D],
    offset: u64,
) -> Moved {
    let mut onward = Onward { to, kernel, dst, written: 0, scratch: [0; SCRATCH_BYTES] };
    let read = replace(src, &mut onward, tally, offset);
    Moved { read, written: onward.written }
}

/// A target other than UTF-8, converted from UTF-8 in which U+FFFD replaces each error.
struct Onward<'a, D> {
    to: Bulk,
    kernel: Kernel,
    dst: &'a mut [D],
    written: usize,
    scratch: [u8; SCRATCH_BYTES],
}

impl<D: CodeUnit> Onward<'_, D> {
    fn kernel(&mut self, from_scratch: Option<usize>, src: &[u8]) -> usize {
        let src = from_scratch.map_or(src, |len| &self.scratch[..len]);
        let moved = (self.kernel)(src, bytes_of_mut(&mut self.dst[self.written..]));
        self.written += moved.written / D::BYTES;
        moved.read
    }

    /// Converts the longest well-formed prefix of `src` that fits, and returns its length in bytes.
    fn take(&mut self, src: &[u8]) -> usize {
        self.kernel(None, src)
    }

    /// Returns the number of source bytes whose text certainly fits.
    fn limit(&self) -> usize {
        fits(self.to, self.dst, self.written)
    }

    /// Returns the buffer for the next text.
    fn room(&mut self) -> &mut [u8] {
        &mut self.scratch
    }

    /// Converts the first `len` bytes of [`room`](Self::room), which are well-formed text.
    fn put(&mut self, len: usize) {
        let taken = self.kernel(Some(len), &[]);
        debug_assert_eq!(taken, len, "the text fits, and the form represents all scalar values");
    }

    /// Writes a U+FFFD.
    fn put_replacement(&mut self) {
        let taken = self.kernel(None, REPLACEMENT.as_bytes());
        debug_assert_eq!(taken, REPLACEMENT.len(), "U+FFFD fits, and the form represents all scalar values");
    }
}

/// Returns the number of UTF-8 bytes whose text certainly fits after `written` units of `dst`: in
/// every form, each byte becomes at most one code unit.
pub(super) fn fits<D: CodeUnit>(to: Bulk, dst: &[D], written: usize) -> usize {
    let units = match to.in_bytes() {
        Bulk::Void => return usize::MAX,
        Bulk::Utf16Le | Bulk::Utf16Be => 2 / D::BYTES,
        Bulk::Utf32Le | Bulk::Utf32Be => 4 / D::BYTES,
        _ => 1,
    };
    (dst.len() - written) / units
}

/// Converts `text` and then `rest`, which begins with an ill-formed sequence, with the replacements
/// that `push` writes. `push` appends as much of a text as there is capacity for, and returns its
/// length in bytes; its last argument is the offset of that text. Also returns the input that
/// `push` left although a policy's longest replacement would have fitted.
///
/// The start of a long `rest` shows how much longer the text becomes, if the first error comes
/// early. A buffer that proves too small has to be copied, and the allocator may return the
/// larger one to the system.
#[cfg(feature = "alloc")]
pub(crate) fn string<'a>(
    text: &str,
    rest: &'a [u8],
    mut push: impl FnMut(&mut String, &'a [u8], usize) -> usize,
) -> (String, &'a [u8]) {
    let whole = text.len() + rest.len();
    let Some(sample) = rest.get(..SAMPLE_BYTES).filter(|_| text.len() < EARLY_ERROR_BYTES) else {
        // Reserve for U+FFFD once in 64 bytes, and in a short text once in 16.
        let more = if text.len() < EARLY_ERROR_BYTES { rest.len() / 8 } else { rest.len() / 32 };
        let mut out = String::with_capacity(whole + more + 64);
        append(&mut out, text);
        return go_on(out, rest, whole, push);
    };
    let mut start = String::with_capacity(2 * SAMPLE_BYTES);
    let read = push(&mut start, sample, text.len());
    work::add(work::CALL + read);
    let rest = &rest[read..];
    // At most U+FFFD for each byte: long replacements at the beginning do not predict those of a
    // long rest.
    let alike = rest.len().min(MAX_EXTRAPOLATED_BYTES);
    let more = longer(read, start.len(), alike).min(2 * alike) + rest.len() / 32 + 64;
    let mut out = String::with_capacity(text.len() + start.len() + rest.len() + more);
    append(&mut out, text);
    append(&mut out, &start);
    go_on(out, rest, whole, push)
}

/// Converts `text` and then `rest`, which begins with an ill-formed sequence, with U+FFFD for each
/// such sequence. Also returns the rest of a text that is not short, or has more than a few errors.
#[cfg(feature = "alloc")]
#[inline]
pub(crate) fn replaced<'a>(text: &str, mut rest: &'a [u8]) -> (String, &'a [u8]) {
    let whole = text.len() + rest.len();
    if whole > SHORT_TEXT_BYTES {
        return string(text, rest, |out, piece, _| push_replaced(out, piece));
    }
    let mut out = String::with_capacity(whole + 8 * REPLACEMENT.len());
    out.push_str(text);
    for _ in 0..MAX_ERRORS_OF_ONE_BYTE {
        let len = match decode_step(rest) {
            Step::IllFormed { len, .. } => len,
            Step::Incomplete { .. } => rest.len(),
            _ => break,
        };
        out.push_str(REPLACEMENT);
        let (text, next) = split_well_formed(&rest[len..]);
        out.push_str(text);
        work::add(work::CALL + len + text.len());
        rest = next;
        if rest.is_empty() {
            return (out, rest);
        }
    }
    go_on(out, rest, whole, |out, piece, _| push_replaced(out, piece))
}

/// Converts `rest`, the end of a text of `whole` bytes, and appends the result, as [`string`] does.
#[cfg(feature = "alloc")]
fn go_on<'a>(
    mut out: String,
    mut rest: &'a [u8],
    whole: usize,
    mut push: impl FnMut(&mut String, &'a [u8], usize) -> usize,
) -> (String, &'a [u8]) {
    loop {
        let read = push(&mut out, rest, whole - rest.len());
        work::add(work::CALL + read);
        rest = &rest[read..];
        if is_truncated(rest) || out.capacity() - out.len() >= REPLACEMENT_ROOM_BYTES {
            return (out, rest);
        }
        // The buffer is full. The estimate is bounded, since the text so far predicts little about
        // a long rest; but the buffer at least doubles, or else each small addition would copy
        // everything.
        let more = longer(whole - rest.len(), out.len(), rest.len()).min(out.len().max(2 * rest.len()));
        let mut roomier = String::with_capacity(
            (out.len() + rest.len() + whole / 16 + REPLACEMENT_ROOM_BYTES).saturating_add(more),
        );
        // Growing in place would copy everything at once, which `append` avoids.
        append(&mut roomier, &out);
        work::add(out.len());
        out = roomier;
    }
}

/// Returns `true` if a text is empty or begins with a truncated sequence.
#[cfg(feature = "alloc")]
fn is_truncated(text: &[u8]) -> bool {
    text.is_empty() || matches!(decode_step(text), Step::Incomplete { .. })
}

/// Returns the number of bytes by which `rest` bytes become longer, and a quarter more, if `read`
/// bytes became `written`.
#[cfg(feature = "alloc")]
fn longer(read: usize, written: usize, rest: usize) -> usize {
    let longer = (written.saturating_sub(read) as u64).saturating_mul(rest as u64) / read.max(1) as u64;
    usize::try_from(longer.saturating_add(longer / 4)).unwrap_or(usize::MAX)
}

/// Appends `text` in pieces of at most [`COPIED`] bytes; its documentation gives the reason.
#[cfg(feature = "alloc")]
fn append(out: &mut String, mut text: &str) {
    while text.len() > COPIED {
        let (mut piece, mut rest) = ("", text);
        for len in (COPIED - 3..=COPIED).rev() {
            if let Some(halves) = text.split_at_checked(len) {
                (piece, rest) = halves;
                break;
            }
        }
        out.push_str(piece);
        text = rest;
    }
    out.push_str(text);
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;
    use crate::kernels::portable::samples::{CLASSES, MIXED, Numbers};

    #[test]
    fn replaced_as_the_standard_library_does() {
        let mut numbers = Numbers::new(13);
        for text in [MIXED.repeat(40), "a".repeat(20_000), "日".repeat(9_000)] {
            for _ in 0..300 {
                let from = numbers.below(100);
                let mut src = text.as_bytes()[from..text.len() - numbers.below(text.len() / 2)].to_vec();
                let mut at = 0;
                // Errors near each other for a while, then far apart.
                while at < src.len() {
                    let few = [1, 4, 100, 1000, 5000][numbers.below(5)];
                    for _ in 0..numbers.below(8) {
                        at += numbers.below(2 * few);
                        if let Some(byte) = src.get_mut(at) {
                            *byte = CLASSES[numbers.below(CLASSES.len())];
                        }
                    }
                    at += numbers.below(9000);
                }
                let (text, rest) = split_well_formed(&src);
                let (mut out, rest) = string(text, rest, |out, rest, _| push_replaced(out, rest));
                if !rest.is_empty() {
                    out.push_str(REPLACEMENT);
                }
                assert!(out == String::from_utf8_lossy(&src), "{src:02x?}");
            }
        }
    }
}
