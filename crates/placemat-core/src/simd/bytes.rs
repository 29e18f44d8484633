//! Views of code units as bytes.

use crate::ground::unit::CodeUnit;

/// Returns the bytes of code units, in native byte order.
#[inline(always)]
pub(crate) fn bytes_of<U: CodeUnit>(units: &[U]) -> &[u8] {
    // SAFETY: `CodeUnit` is sealed and implemented for `u8`, `u16` and `u32` alone, which have no
    // padding, so all bytes of the slice are initialized. Pointer and length in bytes are those of
    // one slice, which stays borrowed as long as the result, and bytes need no alignment.
    unsafe { core::slice::from_raw_parts(units.as_ptr().cast(), size_of_val(units)) }
}

/// Returns the bytes of code units as a mutable slice, in native byte order.
#[inline(always)]
pub(crate) fn bytes_of_mut<U: CodeUnit>(units: &mut [U]) -> &mut [u8] {
    let len = size_of_val(units);
    // SAFETY: `CodeUnit` is sealed and implemented for `u8`, `u16` and `u32` alone, which have no
    // padding and of which any bytes are a value. Pointer and length in bytes are those of one
    // slice, which stays borrowed mutably as long as the result, and bytes need no alignment.
    unsafe { core::slice::from_raw_parts_mut(units.as_mut_ptr().cast(), len) }
}
