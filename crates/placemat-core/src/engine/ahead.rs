//! Look-ahead for the next error, while errors are near each other.
//!
//! A kernel that meets an error has to find its offset, which costs as much as hundreds of bytes of
//! well-formed text. The next error is often near, so after one error the engine looks ahead for
//! the next and sends the kernel exactly that far, over a stretch that it takes whole. For UTF-8, a
//! kernel marks the errors of some hundreds of bytes at once; in UTF-16 and UTF-32 one or two code
//! units show an error, and a plain search is enough.
//!
//! The offset is only a hint: the scalar step decides whether there is an error, and which. A wrong
//! hint would cost time and nothing else.

use crate::forms::form::Bulk;
use crate::ground::unit::{Be, ByteOrder, Le};
use crate::ground::work;
use crate::kernels::dispatch::Kernels;
use crate::kernels::marks::{MARKS, STEP};

/// The engine looks ahead this many bytes. A stretch of this length without an error is worth a
/// kernel call, and the kernel then finds the next error itself.
pub(super) const LOOK_AHEAD_BYTES: usize = 256;

/// One damaged byte may cause this many errors in a row, so only a longer row of near errors
/// predicts the next one.
const MAX_ERRORS_OF_ONE_BYTE: u32 = 4;

/// The marks of the bytes ahead. Offsets are in bytes of the source of one call.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ahead {
    /// One word of marks for each step.
    marks: [u64; MARKS],
    /// The word in use, without the marks already passed. It covers the bytes from `from` on, and
    /// `number` is its index.
    word: u64,
    from: usize,
    number: usize,
    /// The end of the marked bytes.
    end: usize,
    /// The end of the last error.
    last: usize,
    /// The number of errors in a row that were each near the one before.
    near: u32,
}

impl Ahead {
    /// Notes an error from `start` to `end`.
    #[inline]
    pub(super) fn met(&mut self, start: usize, end: usize) {
        self.near = if start - self.last < LOOK_AHEAD_BYTES { self.near + 1 } else { 1 };
        self.last = end;
    }

    /// Notes a long stretch without an error.
    #[inline]
    pub(super) fn met_none(&mut self) {
        self.near = 0;
    }

    /// Returns `true` if the next error is expected to be near.
    #[inline]
    pub(super) fn is_near(&self) -> bool {
        self.near > MAX_ERRORS_OF_ONE_BYTE
    }

    /// Returns the end of the stretch to send to a kernel from `at`: the next error if errors are
    /// near, otherwise the end of `src`.
    #[inline]
    pub(super) fn reach(&mut self, form: Bulk, src: &[u8], at: usize) -> usize {
        if self.is_near() { self.look(form, src, at) } else { src.len() }
    }

    #[inline(never)]
    fn look(&mut self, form: Bulk, src: &[u8], at: usize) -> usize {
        let ahead = src.get(at..).unwrap_or_default();
        let ahead = ahead.get(..LOOK_AHEAD_BYTES).unwrap_or(ahead);
        work::add(ahead.len());
        let next = match form.in_bytes() {
            Bulk::Utf8 => self.next_mark(src, at),
            Bulk::Utf16Le => ill_formed_utf16::<Le>(ahead).map(|next| at + next),
            Bulk::Utf16Be => ill_formed_utf16::<Be>(ahead).map(|next| at + next),
            Bulk::Utf32Le => ill_formed_utf32::<Le>(ahead).map(|next| at + next),
            Bulk::Utf32Be => ill_formed_utf32::<Be>(ahead).map(|next| at + next),
            _ => None,
        };
        if next.is_none() {
            self.met_none();
        }
        next.unwrap_or(src.len())
    }

    /// Returns the next mark at or after `at`, from the bytes marked so far or from one more run of
    /// the marking kernel.
    fn next_mark(&mut self, src: &[u8], at: usize) -> Option<usize> {
        if let Some(next) = self.marked(at) {
            return Some(next);
        }
        self.mark(src, self.end.max(at));
        self.marked(self.from)
    }

    fn mark(&mut self, src: &[u8], from: usize) {
        self.end = from + Kernels::current().mark_errors(src, from, &mut self.marks);
        work::add(self.end - from);
        let word = if self.end > from { self.marks[0] } else { 0 };
        (self.from, self.number, self.word) = (from, 0, word);
    }

    /// Returns the first mark at or after `at`. Drops the marks before it, so `at` must not
    /// decrease from call to call.
    #[inline(always)]
    fn marked(&mut self, at: usize) -> Option<usize> {
        loop {
            while self.word != 0 {
                let next = self.from + self.word.trailing_zeros() as usize;
                if next >= at {
                    return Some(next);
                }
                self.word &= self.word - 1;
            }
            if self.from + STEP >= self.end {
                return None;
            }
            self.from += STEP;
            self.number += 1;
            self.word = *self.marks.get(self.number)?;
        }
    }
}

/// Returns the offset of the first lone surrogate, in bytes.
fn ill_formed_utf16<O: ByteOrder<Unit16 = u8>>(src: &[u8]) -> Option<usize> {
    let mut units = src.chunks_exact(2).enumerate();
    while let Some((at, unit)) = units.next() {
        let unit = O::get16(unit)?;
        if unit & 0xF800 != 0xD800 {
            continue;
        }
        let paired = unit < 0xDC00
            && units
                .clone()
                .next()
                .is_some_and(|(_, next)| O::get16(next).is_some_and(|next| next & 0xFC00 == 0xDC00));
        if !paired {
            return Some(2 * at);
        }
        units.next();
    }
    None
}

/// Returns the offset of the first code unit that is not a scalar value, in bytes.
fn ill_formed_utf32<O: ByteOrder<Unit32 = u8>>(src: &[u8]) -> Option<usize> {
    let at = src.chunks_exact(4).position(|unit| O::get32(unit).and_then(char::from_u32).is_none())?;
    Some(4 * at)
}
