//! New memory for large results.
//!
//! A large block of memory comes from the kernel a page at a time, at the first write to each. With pages of 4 KiB that
//! costs more than all the rest of a call: on the machine of the benchmark 140 ms of 160 for 187 MB. So large blocks ask
//! for large pages, which most systems give only when asked (`transparent_hugepage/enabled` is `madvise`).

/// Blocks from this size on ask. Smaller ones come from memory that the allocator has already, or cost little.
const LARGE: usize = 4 << 20;

/// Returns an empty vector with room for `len` elements.
pub(crate) fn with_capacity<T>(len: usize) -> Vec<T> {
    let mut vector = Vec::with_capacity(len);
    ask(&mut vector);
    vector
}

/// `len` zeros.
pub(crate) fn zeros(len: usize) -> Vec<u8> {
    // The allocator takes pages that are zero, so nothing is written here.
    let mut vector = vec![0; len];
    ask(&mut vector);
    vector
}

/// Asks for large pages for the whole capacity. It is only advice: a system without them ignores it.
#[cfg(target_os = "linux")]
fn ask<T>(vector: &mut Vec<T>) {
    const PAGE: usize = 4096;
    let bytes = vector.capacity() * size_of::<T>();
    if bytes < LARGE {
        return;
    }
    let start = vector.as_mut_ptr().cast::<u8>();
    let skipped = start.align_offset(PAGE);
    // SAFETY: the pages are all within the block of the vector, since `skipped` is less than a page, and the block has
    // many; the advice leaves their content alone.
    #[expect(unsafe_code, reason = "advice to the kernel goes by a function of C")]
    unsafe {
        libc::madvise(start.wrapping_add(skipped).cast(), bytes - skipped, libc::MADV_HUGEPAGE);
    }
}

#[cfg(not(target_os = "linux"))]
fn ask<T>(_vector: &mut Vec<T>) {}
