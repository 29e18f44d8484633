//! Memory that ends right before an inaccessible page.

use std::ptr;

/// The number of bytes before each piece of output that a conversion must not change.
pub const MARGIN: usize = 32;
/// The value of each guard byte.
const CANARY: u8 = 0xC5;

/// Memory that ends right before an inaccessible page. Pieces lie at its end.
#[derive(Debug)]
pub struct Guarded {
    start: *mut u8,
    /// Usable bytes, a multiple of the page size.
    len: usize,
    page: usize,
}

impl Guarded {
    /// Maps memory for pieces of up to `len` bytes, and their margins.
    ///
    /// # Panics
    /// If the system has no memory left.
    #[must_use]
    pub fn new(len: usize) -> Self {
        // SAFETY: sysconf only reads.
        let page = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).expect("a page size");
        let len = (len + MARGIN).next_multiple_of(page);
        // SAFETY: a new mapping, of no file, at an address of the system's choice.
        let start = unsafe {
            libc::mmap(
                ptr::null_mut(),
                len + page,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                -1,
                0,
            )
        };
        assert!(start != libc::MAP_FAILED, "no memory for {len} bytes");
        let start = start.cast::<u8>();
        // SAFETY: the mapping has `len + page` bytes.
        let end = unsafe { start.add(len) };
        // SAFETY: the last page of the mapping above, which nothing else uses.
        let protected = unsafe { libc::mprotect(end.cast(), page, libc::PROT_NONE) };
        assert_eq!(protected, 0, "the guard page");
        Self { start, len, page }
    }

    /// Returns the length of the longest possible piece in bytes.
    #[must_use]
    pub const fn capacity(&self) -> usize {
        self.len - MARGIN
    }

    /// Writes `bytes` at the end and returns their address.
    pub fn put(&mut self, bytes: &[u8]) -> *mut u8 {
        let at = self.len_before(bytes.len());
        let piece = &mut self.all()[at..];
        piece.copy_from_slice(bytes);
        piece.as_mut_ptr()
    }

    /// Reserves `len` bytes at the end, with a margin of canaries before them, and returns their
    /// address.
    pub fn room(&mut self, len: usize) -> *mut u8 {
        let from = self.len_before(len) - MARGIN;
        let piece = &mut self.all()[from..];
        piece.fill(CANARY);
        piece[MARGIN..].as_mut_ptr()
    }

    /// Returns `true` if the margin before the last `len` bytes is unchanged since
    /// [`room`](Self::room).
    #[must_use]
    pub fn margin_is_whole(&self, len: usize) -> bool {
        let end = self.len_before(len);
        self.bytes()[end - MARGIN..end].iter().all(|byte| *byte == CANARY)
    }

    /// Returns the last `len` bytes.
    #[must_use]
    pub fn last(&self, len: usize) -> &[u8] {
        &self.bytes()[self.len_before(len)..]
    }

    fn len_before(&self, len: usize) -> usize {
        assert!(len <= self.capacity(), "{len} bytes do not fit");
        self.len - len
    }

    const fn bytes(&self) -> &[u8] {
        // SAFETY: the mapping has `len` readable bytes and lives as long as `self`, which is borrowed.
        unsafe { std::slice::from_raw_parts(self.start, self.len) }
    }

    const fn all(&mut self) -> &mut [u8] {
        // SAFETY: the mapping has `len` writable bytes and lives as long as `self`, which is borrowed mutably.
        unsafe { std::slice::from_raw_parts_mut(self.start, self.len) }
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: the address and length are those of the mapping of `new`, to which no borrow is
        // left.
        unsafe { libc::munmap(self.start.cast(), self.len + self.page) };
    }
}
