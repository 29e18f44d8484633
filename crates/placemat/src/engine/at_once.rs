//! A text from its start, between encodings chosen at run time, without an engine.

use super::{pairs, units};
use crate::forms::form::Bulk;
use crate::ground::utf16::Unit;
use crate::kernels::Moved;

/// Up to this many bytes go a character at a time where a table is at one end: the call of a level, and loading its tables,
/// takes longer than the work.
#[cfg(all(
    any(feature = "single-byte", feature = "legacy", feature = "multi-byte"),
    feature = "alloc",
    target_has_atomic = "ptr"
))]
const FEW: usize = 16;

/// Converts a text from its start, in forms without states, as far as there is nothing to decide: no error, and all of it
/// fits and is in the target. Most texts are done then, without an engine. Does nothing for other pairs.
///
/// An `Option` would come back in memory, a word at a time, and be read as a whole, for which the processor waits: 6 ns of
/// 16 (2026-11-23).
pub(crate) fn at_once(from: Bulk, to: Bulk, src: &[u8], dst: &mut [u8]) -> Moved {
    #[cfg(all(
        any(feature = "single-byte", feature = "legacy", feature = "multi-byte"),
        feature = "alloc",
        target_has_atomic = "ptr"
    ))]
    if src.len() <= FEW
        && let Some(moved) = few(from, to, src, dst)
    {
        return moved;
    }
    if src.len() < units::worthwhile(from, to) {
        units::convert(from, to, src, dst)
    } else if by_kernel(from, to) {
        pairs::kernel(from, to, src, dst)
    } else {
        Moved::default()
    }
}

/// The same for a short text with policies that look at each code point, up to one that they may want to see: `admitted` is
/// the number of units of UTF-16 before it.
#[inline(always)]
pub(crate) fn brief_at_once(
    mut from: Bulk,
    mut to: Bulk,
    admitted: impl Fn(&[Unit]) -> usize,
    src: &[u8],
    dst: &mut [u8],
) -> Moved {
    let is_short = src.len() <= units::BRIEF && from.is_stateless() && to.is_stateless();
    if !is_short && units::worthwhile(from, to) < usize::MAX {
        return Moved::default();
    }
    units::convert_admitted(&mut from, &mut to, admitted, src, dst)
}

/// Whether [`at_once`] serves the pair.
pub(crate) fn serves(from: Bulk, to: Bulk) -> bool {
    units::worthwhile(from, to) > 0 || by_kernel(from, to)
}

#[inline(always)]
pub(crate) fn by_kernel(from: Bulk, to: Bulk) -> bool {
    from == Bulk::Utf8 && to.is_stateless()
        || from.is_stateless() && to == Bulk::Utf8
        || pairs::is_direct(from, to)
}

/// Converts a few bytes a character at a time, if a table is at one end and another, or UTF-8, at the other.
#[cfg(all(
    any(feature = "single-byte", feature = "legacy", feature = "multi-byte"),
    feature = "alloc",
    target_has_atomic = "ptr"
))]
#[inline(always)]
fn few(from: Bulk, to: Bulk, src: &[u8], dst: &mut [u8]) -> Option<Moved> {
    #[cfg(feature = "legacy")]
    use crate::forms::charsets::legacy::bulk;
    #[cfg(feature = "multi-byte")]
    use crate::forms::charsets::multi_byte::tables as multi_byte;
    #[cfg(feature = "single-byte")]
    use crate::kernels::portable::single_byte;
    Some(match (from, to) {
        #[cfg(feature = "single-byte")]
        (Bulk::SingleByte(charset), Bulk::Utf8) => single_byte::few_to_utf8(charset.decoder(), src, dst),
        #[cfg(feature = "single-byte")]
        (Bulk::Utf8, Bulk::SingleByte(charset)) => {
            single_byte::utf8_to_single_byte(charset.encoder(), src, dst)
        }
        #[cfg(feature = "legacy")]
        (Bulk::Legacy(encoding), Bulk::Utf8) => bulk::few_to_utf8(encoding, src, dst),
        #[cfg(feature = "legacy")]
        (Bulk::Utf8, Bulk::Legacy(encoding)) => bulk::from_utf8(encoding, src, dst),
        #[cfg(feature = "legacy")]
        (Bulk::Legacy(from), Bulk::Legacy(to)) => bulk::few_between(from, to, src, dst),
        #[cfg(feature = "multi-byte")]
        (Bulk::MultiByte(encoding), Bulk::Utf8) => multi_byte::few_to_utf8(encoding, src, dst),
        #[cfg(feature = "multi-byte")]
        (Bulk::Utf8, Bulk::MultiByte(encoding)) => multi_byte::from_utf8(encoding, src, dst),
        #[cfg(feature = "multi-byte")]
        (Bulk::MultiByte(from), Bulk::MultiByte(to)) => multi_byte::few_between(from, to, src, dst),
        _ => return None,
    })
}
