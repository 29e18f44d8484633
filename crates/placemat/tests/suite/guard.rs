//! Memory without accessible memory before and after it: a read or a write past either end ends the
//! process.
#![allow(unsafe_code, reason = "pages are mapped and protected by system calls")]

/// Memory between two inaccessible pages.
pub(crate) struct Guarded {
    base: *mut u8,
    len: usize,
}

const PAGE: usize = 64 * 1024;

impl Guarded {
    /// Maps at least `len` bytes, all zero.
    pub(crate) fn new(len: usize) -> Self {
        let len = len.next_multiple_of(PAGE);
        // SAFETY: with a null address and without `MAP_FIXED` the system chooses an address range
        // where nothing is mapped, so no memory in use changes.
        let base = unsafe {
            libc::mmap(
                core::ptr::null_mut(),
                len + 2 * PAGE,
                libc::PROT_NONE,
                libc::MAP_PRIVATE | libc::MAP_ANON,
                -1,
                0,
            )
        };
        assert_ne!(base, libc::MAP_FAILED, "no memory could be mapped");
        let base = base.cast::<u8>();
        // SAFETY: the mapping has `len + 2 * PAGE` bytes, so a page from its start is inside it.
        let inner = unsafe { base.add(PAGE) };
        // SAFETY: the `len` bytes from `inner` are inside the mapping, which has a page before and a page after them,
        // and nothing refers to them yet.
        let result = unsafe { libc::mprotect(inner.cast(), len, libc::PROT_READ | libc::PROT_WRITE) };
        assert_eq!(result, 0, "memory could not be opened");
        Self { base: inner, len }
    }

    /// Returns the whole memory.
    fn all(&mut self) -> &mut [u8] {
        // SAFETY: the `len` bytes from `base` are mapped, readable and writable, and initialized
        // with zeros by the system, until `self` is dropped; the slice borrows `self` mutably, so
        // no other slice exists.
        unsafe { core::slice::from_raw_parts_mut(self.base, self.len) }
    }

    /// Returns the last `len` bytes, right before the inaccessible page.
    pub(crate) fn at_end(&mut self, len: usize) -> &mut [u8] {
        let start = self.len - len;
        &mut self.all()[start..]
    }

    /// Returns the first `len` bytes, right after the inaccessible page.
    pub(crate) fn at_start(&mut self, len: usize) -> &mut [u8] {
        &mut self.all()[..len]
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: `new` made `base` a page after the start of the mapping.
        let start = unsafe { self.base.sub(PAGE) };
        // SAFETY: address and length are those of the whole mapping that `new` made, and every
        // slice of it borrowed `self`, so none is left.
        unsafe { libc::munmap(start.cast(), self.len + 2 * PAGE) };
    }
}
