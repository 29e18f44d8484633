//! From addresses and lengths to slices. Null is the address of an empty text.

/// Returns the greatest length of a slice, in elements.
const fn longest<T>() -> usize {
    isize::MAX as usize / size_of::<T>()
}

/// Returns the elements from an address on.
///
/// # Safety
/// There are `len` elements, aligned and readable, which stay unchanged during `'a`; or the address is null.
pub(crate) unsafe fn slice<'a, T>(start: *const T, len: usize) -> &'a [T] {
    if start.is_null() {
        return &[];
    }
    // SAFETY: it is not null, so the caller promises the elements.
    unsafe { core::slice::from_raw_parts(start, len.min(longest::<T>())) }
}

/// Returns the memory for elements from an address on.
///
/// # Safety
/// There is room for `len` elements, aligned and writable, which nobody else uses during `'a`; or the address is null.
pub(crate) unsafe fn room<'a, T>(start: *mut T, len: usize) -> &'a mut [T] {
    if start.is_null() {
        return &mut [];
    }
    // SAFETY: it is not null, so the caller promises the room.
    unsafe { core::slice::from_raw_parts_mut(start, len.min(longest::<T>())) }
}

/// Writes a result to the caller's address; null means that the caller does not want it.
///
/// # Safety
/// `place` is null, or aligned and writable.
pub(crate) unsafe fn put<T>(place: *mut T, value: T) {
    if !place.is_null() {
        // SAFETY: it is not null, so the caller promises that it can be written.
        unsafe { place.write(value) };
    }
}
