//! Memory with nothing before it and nothing after it: a read or a write beyond either end ends the process.
#![allow(unsafe_code, reason = "pages are mapped and protected by system calls")]

/// A stretch of memory between two pages that cannot be touched.
pub(crate) struct Guarded {
    base: *mut u8,
    len: usize,
}

const PAGE: usize = 64 * 1024;

impl Guarded {
    /// At least `len` bytes, all zero.
    pub(crate) fn new(len: usize) -> Self {
        let len = len.next_multiple_of(PAGE);
        // SAFETY: a new private mapping at a place that the system chooses.
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
        // SAFETY: the first page of the mapping is within it.
        let inner = unsafe { base.add(PAGE) };
        // SAFETY: `len` bytes from there are within the mapping, but for its last page.
        let result = unsafe { libc::mprotect(inner.cast(), len, libc::PROT_READ | libc::PROT_WRITE) };
        assert_eq!(result, 0, "memory could not be opened");
        Self { base: inner, len }
    }

    /// All of it.
    fn all(&mut self) -> &mut [u8] {
        // SAFETY: `len` bytes are mapped from `base`, readable and writable, for as long as `self` lives, and borrowed
        // as it is.
        unsafe { core::slice::from_raw_parts_mut(self.base, self.len) }
    }

    /// The last `len` bytes: right before what cannot be touched.
    pub(crate) fn at_end(&mut self, len: usize) -> &mut [u8] {
        let start = self.len - len;
        &mut self.all()[start..]
    }

    /// The first `len` bytes: right after what cannot be touched.
    pub(crate) fn at_start(&mut self, len: usize) -> &mut [u8] {
        &mut self.all()[..len]
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: the mapping begins a page before `base`.
        let start = unsafe { self.base.sub(PAGE) };
        // SAFETY: this is the whole mapping, and no slice of it outlives `self`.
        unsafe { libc::munmap(start.cast(), self.len + 2 * PAGE) };
    }
}
