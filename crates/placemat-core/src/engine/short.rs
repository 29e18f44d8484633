//! One ASCII unit in plain code, between forms chosen at run time.

use crate::forms::form::Bulk;
use crate::ground::unit::{Be, Le};
use crate::kernels::{Moved, one_unit};

/// Converts a text of one ASCII unit between UTF-8 and UTF-16. `None` for other texts and pairs, or without room.
#[inline(always)]
pub(crate) fn one_unit(from: Bulk, to: Bulk, src: &[u8], dst: &mut [u8]) -> Option<Moved> {
    match (from, to) {
        (Bulk::Utf8, Bulk::Utf16Le) => one_unit::utf8_to_utf16::<Le>(src, dst),
        (Bulk::Utf8, Bulk::Utf16Be) => one_unit::utf8_to_utf16::<Be>(src, dst),
        (Bulk::Utf16Le, Bulk::Utf8) => one_unit::utf16_to_utf8::<Le>(src, dst),
        (Bulk::Utf16Be, Bulk::Utf8) => one_unit::utf16_to_utf8::<Be>(src, dst),
        _ => None,
    }
}
