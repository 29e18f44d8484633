//! The progress of one call in its source and its target.

use crate::kernels::Moved;

/// A text under conversion: the first `read` units of `src` became the first `written` units of
/// `dst`.
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

    /// Returns the units that are still to be read.
    #[inline(always)]
    pub(super) fn rest(&self) -> &'a [S] {
        &self.src[self.read..]
    }

    /// Returns the unused part of the target.
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
