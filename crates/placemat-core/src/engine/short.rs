//! Fast path for one ASCII code unit, between forms chosen at run time.

use crate::forms::form::Bulk;
use crate::ground::unit::{Be, Le};
use crate::kernels::{Moved, one_unit};
use crate::simd::Slot;

/// Converts a text of one ASCII code unit between UTF-8 and UTF-16. Returns `None` for other texts
/// and pairs, or if `dst` is too small.
#[inline(always)]
pub(crate) fn one_unit(from: Bulk, to: Bulk, src: &[u8], dst: &mut [u8]) -> Option<Moved> {
    match (from, to) {
        (Bulk::Utf8, Bulk::Utf16Le) => one_unit::utf8_to_utf16::<Le>(src, Slot::of(dst)),
        (Bulk::Utf8, Bulk::Utf16Be) => one_unit::utf8_to_utf16::<Be>(src, Slot::of(dst)),
        (Bulk::Utf16Le, Bulk::Utf8) => one_unit::utf16_to_utf8::<Le>(src, Slot::of(dst)),
        (Bulk::Utf16Be, Bulk::Utf8) => one_unit::utf16_to_utf8::<Be>(src, Slot::of(dst)),
        _ => None,
    }
}
