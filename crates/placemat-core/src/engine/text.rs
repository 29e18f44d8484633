//! The progress of a call in its source and in its target.

use crate::kernels::Moved;

/// A text under conversion: the first `read` units of `src` became the first `written` of `dst`.
pub(super) struct Text<'a, S, D> {
    pub(super) src: &'a [S],
    pub(super) dst: &'a mut [D],
    pub(super) read: usize,
    pub(super) written: usize,
}

impl<'a, S, D> Text<'a, S, D> {
    pub(super) fn new(src: &'a [S], dst: &'a mut [D]) -> Self {
        Self { src, dst, read: 0, written: 0 }
    }

    /// The units still to read.
    #[inline(always)]
    pub(super) fn rest(&self) -> &'a [S] {
        &self.src[self.read..]
    }

    /// The room for the next units.
    #[inline(always)]
    pub(super) fn room(&mut self) -> &mut [D] {
        &mut self.dst[self.written..]
    }

    #[inline(always)]
    pub(super) fn advance(&mut self, Moved { read, written }: Moved) {
        self.read += read;
        self.written += written;
    }
}
