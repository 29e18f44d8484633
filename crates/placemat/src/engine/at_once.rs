//! A text from its start, between encodings chosen at run time, without an engine.

use super::{any, pairs, units};
use crate::forms::encoding::{Encoding, Kind};
use crate::forms::form::Bulk;
use crate::ground::utf16::Unit;
use crate::ground::work;
use crate::kernels::Moved;
use crate::kernels::dispatch::Kernels;

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
    if src.len() > units::BRIEF || !from.is_stateless() || !to.is_stateless() {
        return Moved::default();
    }
    units::convert_admitted(&mut from, &mut to, admitted, src, dst)
}

/// How ASCII at the start of a text lies in an encoding.
#[derive(Clone, Copy)]
enum Start {
    /// Otherwise, or behind something else.
    Otherwise,
    /// As itself.
    Bytes,
    /// As itself, but for SO, SI and ESC, which shift.
    #[allow(dead_code, reason = "families come with features")]
    Unshifted,
    /// As units of this kind.
    Wide(Bulk),
}

impl Start {
    #[inline(always)]
    fn of(encoding: Encoding) -> Self {
        match any::bulk(encoding) {
            Bulk::Ascii | Bulk::Latin1 | Bulk::Utf8 | Bulk::Cesu8 | Bulk::Wtf8 => Self::Bytes,
            wide @ (Bulk::Utf16Le | Bulk::Utf16Be | Bulk::Utf32Le | Bulk::Utf32Be) => Self::Wide(wide),
            #[cfg(feature = "single-byte")]
            Bulk::SingleByte(charset) if charset.has_ascii() => Self::Bytes,
            #[cfg(feature = "legacy")]
            Bulk::Legacy(_) => Self::Bytes,
            #[cfg(feature = "legacy")]
            Bulk::Unshifted => Self::Unshifted,
            _ => Self::of_other(encoding),
        }
    }

    /// That of an encoding that has no kernels.
    fn of_other(encoding: Encoding) -> Self {
        match encoding.kind() {
            Kind::Ucs2Le => Self::Wide(Bulk::Utf16Le),
            Kind::Ucs2Be => Self::Wide(Bulk::Utf16Be),
            #[cfg(feature = "multi-byte")]
            Kind::MultiByte(member) if member.begins_with_ascii() => Self::Bytes,
            #[cfg(feature = "multi-byte")]
            Kind::MultiByte(member) if member.is_japanese() => Self::Unshifted,
            _ => Self::Otherwise,
        }
    }
}

/// Converts the ASCII at the start of a text, if one encoding has it as bytes, and the other as bytes or wider units. Short
/// texts are often nothing else, and this takes a fifth of the time of tables (2026-11-24). `admits` says that the policies
/// have nothing against a text.
#[inline(always)]
pub(crate) fn ascii_at_once(
    from: Encoding,
    to: Encoding,
    admits: impl FnOnce(&[u8]) -> bool,
    src: &[u8],
    dst: &mut [u8],
) -> Moved {
    let (from, to) = (Start::of(from), Start::of(to));
    let width = match to {
        Start::Bytes | Start::Unshifted => 1,
        Start::Wide(Bulk::Utf16Le | Bulk::Utf16Be) => 2,
        Start::Wide(_) => 4,
        Start::Otherwise => return Moved::default(),
    };
    if matches!(from, Start::Otherwise | Start::Wide(_)) {
        return Moved::default();
    }
    let src = &src[..src.len().min(dst.len() / width)];
    let mut text = &src[..Kernels::current().ascii_prefix(src)];
    if matches!(from, Start::Unshifted) || matches!(to, Start::Unshifted) {
        let shifts = |byte: &u8| matches!(byte, 0x0E | 0x0F | 0x1B);
        text = &text[..text.iter().position(shifts).unwrap_or(text.len())];
    }
    if text.is_empty() || !admits(text) {
        return Moved::default();
    }
    work::add(text.len());
    match to {
        Start::Wide(wide) => pairs::kernel(Bulk::Latin1, wide, text, dst),
        _ => {
            dst[..text.len()].copy_from_slice(text);
            Moved { read: text.len(), written: text.len() }
        }
    }
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

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;
    use crate::{ErrorPolicy, UnmappablePolicy};
    use alloc::vec::Vec;

    #[test]
    fn ascii_lies_at_the_start_as_said() {
        let mut found = 0;
        for &encoding in Encoding::ALL {
            let start = Start::of(encoding);
            if matches!(start, Start::Otherwise) {
                continue;
            }
            found += 1;
            let is_plain = |byte: &u8| match start {
                Start::Unshifted => !matches!(byte, 0x0E | 0x0F | 0x1B),
                _ => true,
            };
            let text: Vec<u8> = (0..0x80).filter(is_plain).collect();
            let text = core::str::from_utf8(&text).expect("ASCII");
            let bytes: Vec<u8> = match start {
                Start::Wide(Bulk::Utf16Le) => text.bytes().flat_map(|byte| [byte, 0]).collect(),
                Start::Wide(Bulk::Utf16Be) => text.bytes().flat_map(|byte| [0, byte]).collect(),
                Start::Wide(Bulk::Utf32Le) => text.bytes().flat_map(|byte| [byte, 0, 0, 0]).collect(),
                Start::Wide(_) => text.bytes().flat_map(|byte| [0, 0, 0, byte]).collect(),
                _ => text.into(),
            };
            // One by one: the transcoder takes whole texts by the way that is tested.
            let unit = bytes.len() / text.len();
            for (c, bytes) in text.chars().zip(bytes.chunks(unit)) {
                let mut utf8 = [0; 4];
                let c = &*c.encode_utf8(&mut utf8);
                let written = encoding.encode(c, UnmappablePolicy::Stop);
                assert_eq!(written.as_deref(), Ok(bytes), "{encoding} {c:?}");
                assert_eq!(encoding.decode(bytes, ErrorPolicy::Stop).as_deref(), Ok(c), "{encoding} {c:?}");
            }
        }
        assert!(found >= 12, "{found}");
    }
}
