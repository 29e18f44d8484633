//! Conversion of a text from its start between encodings chosen at run time, without an engine.

use super::{pairs, short, units};
use crate::forms::form::{Bulk, Facts};
use crate::ground::bits::copy_short_ascii;
use crate::ground::utf16::Unit;
use crate::ground::work;
use crate::kernels::Moved;
use crate::kernels::dispatch::Kernels;

/// Plain code converts up to this many bytes where that is faster than a kernel call.
pub const MAX_PLAIN_BYTES: usize = 16;

/// Converts a text from its start, between forms without states, up to the first place that needs a
/// decision: an error, an unmappable code point, or the end of `dst`. Most texts are finished then,
/// without an engine. Does nothing for other pairs.
///
/// An `Option` would be returned through memory, a word at a time, and read back whole; the
/// processor would stall on that.
#[inline]
pub fn at_once(from: Bulk, to: Bulk, src: &[u8], dst: &mut [u8]) -> Moved {
    if src.len() <= MAX_PLAIN_BYTES
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

/// Converts to UTF-8 as [`at_once`] does. A program that only reads other encodings links no kernel
/// that writes them.
#[cfg(feature = "alloc")]
#[inline]
pub(super) fn at_once_to_utf8(from: Bulk, src: &[u8], dst: &mut [u8]) -> Moved {
    let to = Bulk::Utf8;
    if src.len() <= MAX_PLAIN_BYTES
        && let Some(moved) = few(from, to, src, dst)
    {
        return moved;
    }
    if src.len() < units::worthwhile(from, to) {
        units::convert(from, to, src, dst)
    } else if by_kernel(from, to) {
        pairs::kernel_to_hub(from, to, src, dst)
    } else {
        Moved::default()
    }
}

/// Converts a short text under policies that inspect each code point, up to the first one that they
/// may want to see. `admitted` returns the number of UTF-16 code units before it.
#[inline(always)]
pub fn brief(
    mut from: Bulk,
    mut to: Bulk,
    admitted: impl Fn(&[Unit]) -> usize,
    src: &[u8],
    dst: &mut [u8],
) -> Moved {
    let is_short = src.len() <= units::BRIEF_TEXT_BYTES && from.is_stateless() && to.is_stateless();
    if !is_short && units::worthwhile(from, to) < usize::MAX {
        return Moved::default();
    }
    units::convert_admitted(&mut from, &mut to, admitted, src, dst)
}

/// Returns `true` if [`at_once`] serves the pair.
#[must_use]
#[inline]
pub fn serves(from: Bulk, to: Bulk) -> bool {
    units::worthwhile(from, to) > 0 || by_kernel(from, to)
}

#[inline(always)]
#[must_use]
pub fn by_kernel(from: Bulk, to: Bulk) -> bool {
    from == Bulk::Utf8 && to.is_stateless()
        || from.is_stateless() && to == Bulk::Utf8
        || pairs::is_direct(from, to)
}

/// Converts a few bytes by plain code, if they are ASCII.
#[inline]
fn few(from: Bulk, to: Bulk, src: &[u8], dst: &mut [u8]) -> Option<Moved> {
    let is_plain = |bulk| matches!(bulk, Bulk::Ascii | Bulk::Latin1 | Bulk::Utf8);
    if is_plain(from) && is_plain(to) {
        return copy_short_ascii(src, dst).then_some(Moved { read: src.len(), written: src.len() });
    }
    short::one_unit(from, to, src, dst)
}

/// Converts the ASCII at the start of a text, if one encoding has ASCII as bytes, and the other as
/// bytes or wider code units. Short texts are often nothing else. `admits` returns `true` if the
/// policies let a text of ASCII pass.
#[inline(always)]
pub fn ascii(
    from: &Facts,
    to: &Facts,
    admits: impl FnOnce(&[u8]) -> bool,
    src: &[u8],
    dst: &mut [u8],
) -> Moved {
    let wide = match to.bulk {
        Bulk::Ucs2Le => Bulk::Utf16Le,
        Bulk::Ucs2Be => Bulk::Utf16Be,
        other => other,
    };
    let (lacks, width) = match (to.ascii_but, wide) {
        (Some(lacks), _) => (lacks, 1),
        (None, Bulk::Utf16Le | Bulk::Utf16Be) => (&[][..], 2),
        (None, Bulk::Utf32Le | Bulk::Utf32Be) => (&[][..], 4),
        _ => return Moved::default(),
    };
    let Some(lacking) = from.ascii_but else { return Moved::default() };
    let src = &src[..src.len().min(dst.len() / width)];
    let mut text = &src[..Kernels::current().ascii_prefix(src)];
    for lacking in [lacking, lacks] {
        if !lacking.is_empty() {
            text = &text[..text.iter().position(|byte| lacking.contains(byte)).unwrap_or(text.len())];
        }
    }
    if text.is_empty() || !admits(text) {
        return Moved::default();
    }
    work::add(text.len());
    if width > 1 {
        return pairs::kernel(Bulk::Latin1, wide, text, dst);
    }
    dst[..text.len()].copy_from_slice(text);
    Moved { read: text.len(), written: text.len() }
}
