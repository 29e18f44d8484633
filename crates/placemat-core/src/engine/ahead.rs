//! Look-ahead for the next error, while errors are near each other.
//!
//! A kernel that meets an error has to find its place, which costs as much as hundreds of bytes of well-formed text.
//! The next error is often near, so after one the engine looks ahead for more and sends the kernel exactly as far as
//! the next, over a stretch that it takes whole. In UTF-8 a kernel marks the errors of some hundreds of bytes at once;
//! in UTF-16 and UTF-32 one or two units show an error, and a plain search is enough.
//!
//! The place is only a hint: the scalar step decides whether there is an error and which. A wrong hint would cost time
//! and nothing else.

use crate::forms::form::Bulk;
use crate::ground::unit::{Be, ByteOrder, Le};
use crate::ground::work;
use crate::kernels::dispatch::Kernels;
use crate::kernels::marks::{MARKS, STEP};

/// The number of bytes without an error that make a kernel worthwhile, which then finds the next error itself.
pub(super) const FAR: usize = 256;

/// One damaged byte may make this many errors near each other, which say nothing about the next.
const MANY: u32 = 4;

/// The marks of the bytes ahead. Offsets are in bytes of the source of one call.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ahead {
    /// One word of marks for each step.
    marks: [u64; MARKS],
    /// The word in use, less the marks that were passed. It covers the bytes from `from` on, and `number` is its index.
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
        self.near = if start - self.last < FAR { self.near + 1 } else { 1 };
        self.last = end;
    }

    /// Notes a long stretch without an error.
    #[inline]
    pub(super) fn met_none(&mut self) {
        self.near = 0;
    }

    /// Whether the next error is expected to be near.
    #[inline]
    pub(super) fn is_near(&self) -> bool {
        self.near > MANY
    }

    /// The end of the stretch to send to a kernel from `at`: the next error if it is near, otherwise the end of `src`.
    #[inline]
    pub(super) fn reach(&mut self, form: Bulk, src: &[u8], at: usize) -> usize {
        if self.is_near() { self.look(form, src, at) } else { src.len() }
    }

    #[inline(never)]
    fn look(&mut self, form: Bulk, src: &[u8], at: usize) -> usize {
        let ahead = src.get(at..).unwrap_or_default();
        let ahead = ahead.get(..FAR).unwrap_or(ahead);
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

    /// The next mark at or after `at`, in the bytes marked so far or in one more run of the marking kernel.
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

    /// The first mark at or after `at`. Drops the marks before it, so later calls must not go back.
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

/// The offset of the first lone surrogate.
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

/// The offset of the first unit that is not a scalar value.
fn ill_formed_utf32<O: ByteOrder<Unit32 = u8>>(src: &[u8]) -> Option<usize> {
    let at = src.chunks_exact(4).position(|unit| O::get32(unit).and_then(char::from_u32).is_none())?;
    Some(4 * at)
}
