//! One unit of ASCII in plain code, inlined in the caller, for which a kernel call takes longer than the work.
//!
//! Tried and slower (2026-11-25, AMD Zen 5, AVX-512): up to eight units of ASCII, and one character, which made the caller
//! save registers for all texts. One to sixteen units of ASCII in random order took 4.2 ns and now 2.5, to UTF-8 5.4 and now
//! 3.0; 24 units of any text 3.4 and now 2.4.

use crate::forms::form::Bulk;
use crate::ground::unit::{Be, Le};
use crate::kernels::{Moved, few};

/// Does the work of the kernel for this pair of forms, if the text is one unit of ASCII, and there is room. Otherwise does
/// nothing.
#[inline(always)]
pub(crate) fn convert(from: Bulk, to: Bulk, src: &[u8], dst: &mut [u8]) -> Option<Moved> {
    match (from, to) {
        (Bulk::Utf8, Bulk::Utf16Le) => few::one_to_utf16::<Le>(src, dst),
        (Bulk::Utf8, Bulk::Utf16Be) => few::one_to_utf16::<Be>(src, dst),
        (Bulk::Utf16Le, Bulk::Utf8) => few::one_to_utf8::<Le>(src, dst),
        (Bulk::Utf16Be, Bulk::Utf8) => few::one_to_utf8::<Be>(src, dst),
        _ => None,
    }
}
