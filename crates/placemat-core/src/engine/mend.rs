//! UTF-8 with the policy's replacements for ill-formed sequences, for every policy but plain
//! U+FFFD: into a string, into a slice, and on into other forms.
//!
//! A kernel checks and copies the text, asks for the replacement of each error, and goes on after
//! it. If the target is UTF-8, that is all. For other targets, it writes pieces to a scratch buffer
//! while errors are near each other, and the kernel of the pair converts those pieces. That kernel
//! checks its input again, so nothing depends on exact error offsets.

use super::ahead;
use super::lossy::{MIN_KERNEL_BYTES, fits};
use super::pairs::Kernel;
use super::tally::{Count, Tally};
use super::text::Text;
use crate::forms::Utf8;
use crate::forms::form::{Bulk, Form, Step};
use crate::forms::unicode::utf8::decode_step;
use crate::ground::error::IllFormed;
use crate::ground::hints::Engine;
use crate::ground::policy::{Action, OnError, Span};
use crate::ground::unit::CodeUnit;
use crate::ground::work;
use crate::kernels::dispatch::Kernels;
use crate::kernels::{Mend, Moved, Patched, Replaced, TextRoom};
use crate::simd::{bytes_of, bytes_of_mut};

/// Size of the scratch buffer in bytes: with source and target well within a first-level cache.
const SCRATCH_BYTES: usize = 6 * 1024;
/// The number of source bytes to convert at an error, before it is known whether more errors are
/// near.
const FIRST_PIECE_BYTES: usize = 384;
/// Length of the longest piece in bytes: a replacement may be longer than the sequence that it
/// replaces.
const MAX_PIECE_BYTES: usize = SCRATCH_BYTES / 2;

/// Returns `true` if the kernel may ask the policy about each error of UTF-8.
pub(crate) fn is_mendable(on_error: &dyn OnError) -> bool {
    let hints = on_error.hints(Engine);
    !hints.is_plain_replacement()
        && !hints.inspects()
        && matches!(on_error.span(), Span::Maximal | Span::Unit | Span::Structural)
}

/// The policy in the shape in which the kernel asks it.
pub(crate) struct ByPolicy<'a, P: ?Sized> {
    on_error: &'a mut P,
    span: Span,
    /// The source of this call, which begins at `offset` of the whole text.
    src: &'a [u8],
    offset: u64,
    /// Errors that became text, errors that were dropped, and the number of code points written for
    /// errors.
    replaced: Count,
    ignored: Count,
    put: u64,
    /// The policy answered with code points that are not scalar values.
    refused: bool,
}

impl<'a, P: OnError + ?Sized> ByPolicy<'a, P> {
    pub(crate) fn new(src: &'a [u8], offset: u64, on_error: &'a mut P) -> Self {
        let span = on_error.span();
        Self {
            on_error,
            span,
            src,
            offset,
            replaced: Count::default(),
            ignored: Count::default(),
            put: 0,
            refused: false,
        }
    }

    /// Adds the errors so far to the tally; `text` is the output. Returns the number of errors.
    fn add_to(&self, tally: &mut Tally, text: &[u8]) -> u64 {
        tally.replaced += self.replaced;
        tally.ignored += self.ignored;
        tally.decoded(|| Kernels::current().count_code_points(text) as u64 - self.put);
        self.replaced.count + self.ignored.count
    }

    /// Writes the policy's answer to an error. Returns the number of code points, or `None` if the scalar step has to decide.
    fn answer(&mut self, error: &IllFormed, room: &mut TextRoom<'_>) -> Option<usize> {
        match self.on_error.handle(error) {
            Action::Stop => None,
            // UTF-8 cannot represent the surrogate.
            Action::Pass(_) => {
                self.refused = true;
                None
            }
            Action::Text(text) => {
                let text = text.text();
                room.push(text).then(|| text.chars().count())
            }
            Action::CodePoints(code_points) => {
                let code_points = code_points.as_slice();
                for c in code_points {
                    let Some(c) = c.to_char() else {
                        self.refused = true;
                        return None;
                    };
                    if !room.push(c.encode_utf8(&mut [0; 4])) {
                        return None;
                    }
                }
                Some(code_points.len())
            }
        }
    }
}

impl<P: OnError + ?Sized> Mend for ByPolicy<'_, P> {
    #[inline]
    fn mend(&mut self, at: usize, _: usize, room: &mut TextRoom<'_>) -> Option<usize> {
        work::add(work::STEP);
        let rest = &self.src[at..];
        let Step::IllFormed { len, seen, kind } = decode_step(rest) else { return None };
        let len = Utf8::span(&(), self.span, rest, len, false)?;
        let offset = self.offset + at as u64;
        let error = IllFormed::new(offset, kind, rest, len, seen);
        let Some(put) = self.answer(&error, room) else {
            // The step that follows asks the policy again.
            self.on_error.ask_again(Engine);
            return None;
        };
        let count = if put == 0 { &mut self.ignored } else { &mut self.replaced };
        count.note(offset);
        self.put += put as u64;
        Some(len)
    }
}

/// The progress of a kernel with the policy's replacements.
struct Mended {
    moved: Moved,
    errors: u64,
    /// The policy answered with code points that are not scalar values.
    refused: bool,
}

/// Copies UTF-8 with the policy's replacements, and counts errors and code points.
#[inline]
fn put(tally: &mut Tally, src: &[u8], room: &mut [u8], offset: u64, on_error: &mut dyn OnError) -> Mended {
    let kernels = Kernels::current();
    let Some(patch) = on_error.hints(Engine).patch(src) else {
        let mut mender = ByPolicy::new(src, offset, on_error);
        let moved = kernels.mend_utf8(src, room, &mut mender);
        let errors = mender.add_to(tally, &room[..moved.written]);
        return Mended { moved, errors, refused: mender.refused };
    };
    let Patched { replaced: Replaced { read, written, errors, first }, put } =
        kernels.patch_utf8(src, room, patch);
    let errors = errors as u64;
    let first = (errors > 0).then_some(offset + first as u64);
    *(if put == 0 { &mut tally.ignored } else { &mut tally.replaced }) += Count { count: errors, first };
    tally.decoded(|| kernels.count_code_points(&room[..written]) as u64 - put as u64);
    Mended { moved: Moved { read, written }, errors, refused: false }
}

/// Converts UTF-8 with the policy's replacements, as far as the output fits. For targets other than
/// UTF-8, converts from an error on and only while errors are near each other. Stops before an
/// error at which the policy stops, or that more bytes could complete. The text begins at `offset`
/// of its source.
///
/// Returns `true` if another call is worthwhile: not if the policy answers with code points that
/// UTF-8 cannot represent, or if the target cannot represent all of the text.
#[inline(never)]
pub(super) fn mend<S: CodeUnit, D: CodeUnit>(
    tally: &mut Tally,
    to: Bulk,
    onward: Option<Kernel>,
    text: &mut Text<'_, S, D>,
    offset: u64,
    on_error: &mut dyn OnError,
) -> bool {
    let known = matches!(
        to.in_bytes(),
        Bulk::Utf16Le
            | Bulk::Utf16Be
            | Bulk::Utf32Le
            | Bulk::Utf32Be
            | Bulk::Latin1
            | Bulk::Ascii
            | Bulk::Void
    );
    if to.in_bytes() == Bulk::Utf8 {
        let src = bytes_of(text.rest());
        let mended = put(tally, src, bytes_of_mut(text.room()), offset, on_error);
        text.advance(mended.moved);
        return !mended.refused;
    }
    // A piece that does not go through is converted again, so its errors would be asked about
    // twice.
    let Some(onward) = onward.filter(|_| known && on_error.hints(Engine).repeats) else { return false };
    through_utf8(tally, to, onward, text, offset, on_error)
}

#[cold]
#[inline(never)]
fn through_utf8<S: CodeUnit, D: CodeUnit>(
    tally: &mut Tally,
    to: Bulk,
    onward: Kernel,
    text: &mut Text<'_, S, D>,
    offset: u64,
    on_error: &mut dyn OnError,
) -> bool {
    let start = text.read;
    let mut scratch = [0; SCRATCH_BYTES];
    let mut len = FIRST_PIECE_BYTES;
    loop {
        let rest = bytes_of(text.rest());
        let piece = rest.len().min(fits(to, text.dst, text.written)).min(len);
        if piece < MIN_KERNEL_BYTES {
            return true;
        }
        work::add(work::CALL + piece);
        let at = offset + (text.read - start) as u64;
        let before = *tally;
        let mended = put(tally, &rest[..piece], &mut scratch, at, on_error);
        let made = &scratch[..mended.moved.written];
        let Moved { read: taken, written } = onward(made, bytes_of_mut(text.room()));
        let written = written / D::BYTES;
        if mended.refused || taken != made.len() {
            // The target is full, or cannot represent the next code point.
            *tally = before;
            return false;
        }
        let read = mended.moved.read;
        if read == 0 {
            return true;
        }
        text.advance(Moved { read, written });
        len = (2 * len).min(MAX_PIECE_BYTES);
        if mended.errors <= (read / ahead::LOOK_AHEAD_BYTES) as u64 {
            return true;
        }
    }
}
