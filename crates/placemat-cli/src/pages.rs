//! Buffers that begin at a page.
//!
//! A file in memory is in pages, and the system copies fastest where the buffer begins as they do: large buffers of the
//! allocator begin 16 bytes later.

use core::ops::{Deref, DerefMut};

/// The bytes of a page, or of a part of one: borders of larger pages are borders of these.
pub(crate) const PAGE: usize = 4096;

/// A buffer that begins at a page.
#[derive(Debug)]
pub(crate) struct Pages {
    bytes: Box<[u8]>,
    start: usize,
    len: usize,
}

impl Pages {
    /// Returns a buffer of zeros.
    pub(crate) fn new(len: usize) -> Self {
        let bytes = vec![0; len + PAGE].into_boxed_slice();
        let start = bytes.as_ptr().align_offset(PAGE).min(PAGE);
        Self { bytes, start, len }
    }

    /// Makes room for `len` bytes; the bytes so far stay.
    pub(crate) fn grow(&mut self, len: usize) {
        if len > self.len {
            let mut grown = Self::new(len.max(2 * self.len));
            grown[..self.len].copy_from_slice(self);
            *self = grown;
        }
    }
}

impl Deref for Pages {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.bytes[self.start..][..self.len]
    }
}

impl DerefMut for Pages {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[self.start..][..self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_begin_at_a_page_and_grow() {
        let mut pages = Pages::new(10);
        pages.copy_from_slice(b"0123456789");
        for len in [5, 10, 11, 100_000] {
            pages.grow(len);
            assert_eq!(pages.as_ptr().align_offset(PAGE), 0);
            assert!(pages.len() >= len && pages.starts_with(b"0123456789"));
        }
    }
}
