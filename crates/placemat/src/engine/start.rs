//! The start of a text between encodings chosen at run time: their kinds there, and its ASCII.

use super::{any, pairs};
use crate::forms::encoding::{Encoding, Kind};
use crate::forms::form::Bulk;
use crate::ground::work;
use crate::kernels::Moved;
use crate::kernels::dispatch::Kernels;

/// The kind of an encoding at the start of a text.
#[inline(always)]
pub(crate) fn bulk(encoding: Encoding) -> Bulk {
    match any::bulk(encoding) {
        Bulk::None => match encoding.kind() {
            Kind::Ucs2Le => Bulk::Ucs2Le,
            Kind::Ucs2Be => Bulk::Ucs2Be,
            _ => Bulk::None,
        },
        bulk => bulk,
    }
}

/// How ASCII at the start of a text lies in an encoding.
#[derive(Clone, Copy)]
enum Start {
    /// Otherwise, or behind something else.
    Otherwise,
    /// As itself, but for these bytes.
    Bytes(&'static [u8]),
    /// As units of this kind.
    Wide(Bulk),
}

/// SO, SI and ESC, which shift.
#[cfg(feature = "legacy")]
const SHIFTS: &[u8] = b"\x0E\x0F\x1B";

impl Start {
    #[inline(always)]
    fn of(encoding: Encoding) -> Self {
        match any::bulk(encoding) {
            Bulk::Ascii | Bulk::Latin1 | Bulk::Utf8 | Bulk::Cesu8 | Bulk::Wtf8 => Self::Bytes(&[]),
            wide @ (Bulk::Utf16Le | Bulk::Utf16Be | Bulk::Utf32Le | Bulk::Utf32Be) => Self::Wide(wide),
            #[cfg(feature = "single-byte")]
            Bulk::SingleByte(charset) if charset.has_ascii() => Self::Bytes(&[]),
            #[cfg(feature = "legacy")]
            Bulk::Legacy(_) => Self::Bytes(&[]),
            #[cfg(feature = "legacy")]
            Bulk::Unshifted => Self::Bytes(SHIFTS),
            _ => Self::of_other(encoding),
        }
    }

    /// That of an encoding that has no kernels.
    #[inline]
    fn of_other(encoding: Encoding) -> Self {
        match encoding.kind() {
            Kind::Ucs2Le => Self::Wide(Bulk::Utf16Le),
            Kind::Ucs2Be => Self::Wide(Bulk::Utf16Be),
            #[cfg(feature = "multi-byte")]
            Kind::MultiByte(member) => member.ascii_but().map_or(Self::Otherwise, Self::Bytes),
            _ => Self::Otherwise,
        }
    }
}

/// Converts the ASCII at the start of a text, if one encoding has it as bytes, and the other as bytes or wider units. Short
/// texts are often nothing else: a call of iconv(3) with 40 bytes of ASCII takes about half the time that it takes by tables
/// (2026-11-24). `admits` says that the policies have nothing against a text.
#[inline(always)]
pub(crate) fn ascii(
    from: Encoding,
    to: Encoding,
    admits: impl FnOnce(&[u8]) -> bool,
    src: &[u8],
    dst: &mut [u8],
) -> Moved {
    let (from, to) = (Start::of(from), Start::of(to));
    let width = match to {
        Start::Bytes(_) => 1,
        Start::Wide(Bulk::Utf16Le | Bulk::Utf16Be) => 2,
        Start::Wide(_) => 4,
        Start::Otherwise => return Moved::default(),
    };
    let Start::Bytes(lacking) = from else { return Moved::default() };
    let src = &src[..src.len().min(dst.len() / width)];
    let mut text = &src[..Kernels::current().ascii_prefix(src)];
    for lacking in [lacking, if let Start::Bytes(lacking) = to { lacking } else { &[] }] {
        if !lacking.is_empty() {
            text = &text[..text.iter().position(|byte| lacking.contains(byte)).unwrap_or(text.len())];
        }
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
