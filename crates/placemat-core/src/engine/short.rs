//! One unit of ASCII in plain code, for which a kernel call takes longer than the work.

use crate::forms::form::Bulk;
use crate::ground::unit::{Be, Le};
use crate::kernels::{Moved, few};

/// Does the work of the kernel for this pair of forms, if the text is one unit of ASCII, and there is room: for that a call
/// takes longer than the work. Otherwise does nothing.
#[inline(always)]
pub(crate) fn one_unit(from: Bulk, to: Bulk, src: &[u8], dst: &mut [u8]) -> Option<Moved> {
    match (from, to) {
        (Bulk::Utf8, Bulk::Utf16Le) => few::one_to_utf16::<Le>(src, dst),
        (Bulk::Utf8, Bulk::Utf16Be) => few::one_to_utf16::<Be>(src, dst),
        (Bulk::Utf16Le, Bulk::Utf8) => few::one_to_utf8::<Le>(src, dst),
        (Bulk::Utf16Be, Bulk::Utf8) => few::one_to_utf8::<Be>(src, dst),
        _ => None,
    }
}
