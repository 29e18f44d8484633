//! Blocks of linear memory that the package owns, and the slices in them.

use alloc::alloc::{Layout, alloc_zeroed, dealloc};
use core::slice;

/// Alignment in bytes, enough for every code unit.
const ALIGN: usize = 16;

fn layout(length: usize) -> Option<Layout> {
    Layout::from_size_align(length.max(1), ALIGN).ok()
}

/// Allocates a block of `length` zeros; null if there is no memory for it. [`release`] frees it.
///
/// The package reserves blocks for results when it starts and when a result outgrows one, so clearing them costs nothing
/// per conversion.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(length: usize) -> *mut u8 {
    match layout(length) {
        // SAFETY: the size is not 0.
        Some(layout) => unsafe { alloc_zeroed(layout) },
        None => core::ptr::null_mut(),
    }
}

/// Frees a block.
///
/// # Safety
/// [`reserve`] returned it for this length, and it was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn release(block: *mut u8, length: usize) {
    if let Some(layout) = layout(length) {
        // SAFETY: the caller promises it.
        unsafe { dealloc(block, layout) };
    }
}

/// Returns the bytes of a text.
///
/// # Safety
/// The bytes are in a block and stay unchanged as long as the slice is in use.
pub(crate) unsafe fn text<'a>(start: *const u8, length: usize) -> &'a [u8] {
    if length == 0 {
        return &[];
    }
    // SAFETY: the caller promises it.
    unsafe { slice::from_raw_parts(start, length) }
}

/// Returns the memory for a result.
///
/// # Safety
/// The memory is in a block, which [`reserve`] cleared, and nothing else uses it while the slice is in use.
pub(crate) unsafe fn room<'a>(start: *mut u8, length: usize) -> &'a mut [u8] {
    if length == 0 {
        return &mut [];
    }
    // SAFETY: the caller promises it.
    unsafe { slice::from_raw_parts_mut(start, length) }
}
