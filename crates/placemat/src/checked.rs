//! The one place where checked bytes become `str`.
#![allow(unsafe_code, reason = "a second check would cost what the first one saved")]

#[cfg(feature = "alloc")]
use alloc::{string::String, vec::Vec};

/// Splits `src` into its longest well-formed prefix and the rest.
#[inline]
pub(crate) fn split_well_formed(src: &[u8]) -> (&str, &[u8]) {
    // Most strings are short and ASCII, and need no kernel.
    let len = if crate::ground::bits::is_short_ascii(src) {
        src.len()
    } else {
        crate::kernels::dispatch::Kernels::current().utf8_prefix(src)
    };
    let (head, rest) = src.split_at(len);
    // SAFETY: `head` is either ASCII, which is well-formed UTF-8, or has the length that `utf8_prefix` returns, which
    // is that of a well-formed prefix; the suite compares both with `core::str` for every string of up to three bytes
    // and for every border of Table 3-7.
    (unsafe { core::str::from_utf8_unchecked(head) }, rest)
}

/// The output of the engine, or of the kernel that replaces, as a string.
///
/// Callers ran the engine with a policy that puts only scalar values, so the bytes are well-formed. That rests on a few
/// hundred lines of code, so this function checks the bytes again before it relies on it. If they were ill-formed, the
/// string would have U+FFFD there.
#[cfg(feature = "alloc")]
pub(crate) fn string(bytes: Vec<u8>) -> String {
    if split_well_formed(&bytes).1.is_empty() {
        // SAFETY: `split_well_formed` found that nothing is left of `bytes` after its longest well-formed prefix, so
        // all of `bytes` is well-formed UTF-8.
        unsafe { String::from_utf8_unchecked(bytes) }
    } else {
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// Appends UTF-8 from `src`, with U+FFFD for each maximal subpart of an ill-formed sequence, as far as there is
/// capacity. Returns the number of bytes read.
#[cfg(feature = "alloc")]
pub(crate) fn push_replaced(out: &mut String, src: &[u8]) -> usize {
    // SAFETY: below, only the output of `replace_utf8` is appended, which is well-formed: the suite compares it with
    // `String::from_utf8_lossy` for every string of up to three bytes, at the borders of blocks, and for random damage.
    let bytes = unsafe { out.as_mut_vec() };
    let len = bytes.len();
    let spare = bytes.spare_capacity_mut();
    let (start, room) = (spare.as_mut_ptr().cast::<u8>(), spare.len());
    // SAFETY: the spare capacity is that many bytes, which nobody else uses. They may be uninitialized; the kernel does
    // not read its target.
    let room = unsafe { core::slice::from_raw_parts_mut(start, room) };
    let replaced = crate::kernels::dispatch::Kernels::current().replace_utf8(src, room);
    debug_assert!(core::str::from_utf8(&room[..replaced.written]).is_ok(), "a kernel wrote ill-formed UTF-8");
    assert!(replaced.written <= room.len(), "a kernel writes no more than there is room for");
    // SAFETY: the kernel wrote that many bytes after the first `len`, and they are within the capacity.
    unsafe { bytes.set_len(len + replaced.written) };
    replaced.read
}
