//! A text from its start, between encodings chosen at run time, without an engine.

use super::{pairs, short, units};
use crate::forms::form::{Bulk, Facts};
use crate::ground::bits::copy_short_ascii;
use crate::ground::utf16::Unit;
use crate::ground::work;
use crate::kernels::Moved;
use crate::kernels::dispatch::Kernels;

/// Up to this many bytes go by plain code where that is faster than the call of a kernel.
pub const FEW_BYTES: usize = 16;

/// Converts a text from its start, in forms without states, as far as there is nothing to decide: no error, and all of it
/// fits and is in the target. Most texts are done then, without an engine. Does nothing for other pairs.
///
/// An `Option` would come back in memory, a word at a time, and be read as a whole, for which the processor waits.
#[inline]
pub fn at_once(from: Bulk, to: Bulk, src: &[u8], dst: &mut [u8]) -> Moved {
    if src.len() <= FEW_BYTES
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
pub fn brief(
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

/// Converts the ASCII at the start of a text, if one encoding has it as bytes, and the other as bytes or wider units. Short
/// texts are often nothing else. `admits` says that the policies have nothing against a text.
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
