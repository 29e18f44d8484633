//! The standard library, with a plain loop into an existing buffer.

use crate::job::{Job, convert, owned, read, units, units_mut};
use crate::operations::{Form, Op, Unmapped};
use std::fmt::Write as _;

pub fn job(op: Op) -> Option<Job> {
    use Form::{Latin1, Utf8, Utf16Be, Utf16Le, Utf32};
    Some(match op {
        Op::Validate => read(|s| str::from_utf8(s).is_ok().into()),
        Op::ValidateUtf16 => read(|s| char::decode_utf16(units(s).iter().copied()).all(|c| c.is_ok()).into()),
        // SAFETY: the texts of this operation are well-formed: the reference answers were made from them as `str`.
        Op::CountCodePoints => read(|s| unsafe { valid(s) }.chars().count()),
        Op::CountLineFeeds => read(|s| s.iter().filter(|&&byte| byte == b'\n').count()),
        // SAFETY: the texts of this operation are well-formed: the reference answers were made from them as `str`.
        Op::Utf16FromUtf8 => read(|s| unsafe { valid(s) }.encode_utf16().count()),
        Op::Utf8FromUtf16 => {
            read(|s| char::decode_utf16(units(s).iter().copied()).flatten().map(char::len_utf8).sum())
        }
        Op::Utf32FromUtf16 => read(|s| char::decode_utf16(units(s).iter().copied()).count()),
        Op::Utf8FromUtf32 => {
            read(|s| units(s).iter().filter_map(|&unit| char::from_u32(unit)).map(char::len_utf8).sum())
        }
        Op::Utf8FromLatin1 => read(|s| s.iter().map(|&byte| char::from(byte).len_utf8()).sum()),
        Op::Convert(Utf8, Utf16Le) => convert(|s, d| 2 * fill(units_mut(d), text(s).encode_utf16())),
        Op::Convert(Utf8, Utf16Be) => {
            convert(|s, d| 2 * fill(units_mut(d), text(s).encode_utf16().map(u16::to_be)))
        }
        Op::Convert(Utf8, Utf32) => convert(|s, d| 4 * fill(units_mut(d), text(s).chars().map(u32::from))),
        Op::Convert(Utf8, Latin1) => {
            convert(|s, d| fill(d, text(s).chars().map(|c| u8::try_from(c).expect("Latin-1"))))
        }
        Op::Convert(Utf16Le, Utf8) => convert(|s, d| utf8(d, utf16(units(s).iter().copied()))),
        Op::Convert(Utf16Be, Utf8) => {
            convert(|s, d| utf8(d, utf16(units(s).iter().map(|&unit| u16::from_be(unit)))))
        }
        Op::Convert(Utf16Le, Utf32) => {
            convert(|s, d| 4 * fill(units_mut(d), utf16(units(s).iter().copied()).map(u32::from)))
        }
        Op::Convert(Utf16Le, Latin1) => {
            convert(|s, d| fill(d, units::<u16>(s).iter().map(|&unit| u8::try_from(unit).expect("Latin-1"))))
        }
        Op::Convert(Utf32, Utf8) => convert(|s, d| utf8(d, utf32(s))),
        Op::Convert(Utf32, Utf16Le) => convert(|s, d| {
            let dst = units_mut::<u16>(d);
            2 * utf32(s).fold(0, |at, c| at + c.encode_utf16(&mut dst[at..]).len())
        }),
        Op::Convert(Latin1, Utf8) => convert(|s, d| utf8(d, s.iter().map(|&byte| char::from(byte)))),
        Op::Convert(Latin1, Utf16Le) => {
            convert(|s, d| 2 * fill(units_mut(d), s.iter().map(|&byte| u16::from(byte))))
        }
        // SAFETY: the texts of this operation are well-formed: the reference answers were made from them as `str`.
        Op::Boundary => read(|s| unsafe { valid(s) }.floor_char_boundary(s.len() / 2)),
        Op::Owned(Utf8, Utf16Le) => owned!(move |s| text(s).encode_utf16().collect::<Vec<u16>>()),
        Op::Owned(Utf8, Utf32) => owned!(move |s| text(s).chars().map(u32::from).collect::<Vec<u32>>()),
        Op::Owned(Utf16Le, Utf8) => owned!(move |s| String::from_utf16(units(s)).expect("well-formed text")),
        Op::Owned(Utf32, Utf8) => owned!(move |s| utf32(s).collect::<String>()),
        Op::Owned(Latin1, Utf8) => {
            owned!(move |s| s.iter().map(|&byte| char::from(byte)).collect::<String>())
        }
        // SAFETY: the texts of this operation are well-formed: the reference answers were made from them as `str`.
        Op::OwnedStr(Utf16Le) => owned!(move |s| unsafe { valid(s) }.encode_utf16().collect::<Vec<u16>>()),
        Op::Lossy(_) | Op::Damaged(..) => owned!(move |s| String::from_utf8_lossy(s)),
        // SAFETY: the texts of this operation are well-formed: the reference answers were made from them as `str`.
        Op::ToAscii(unmapped) => owned!(move |s| ascii(unsafe { valid(s) }, unmapped)),
        _ => return None,
    })
}

/// Converts to ASCII like a user of the standard library.
fn ascii(text: &str, unmapped: Unmapped) -> String {
    match unmapped {
        Unmapped::Question => text.chars().map(|c| if c.is_ascii() { c } else { '?' }).collect(),
        Unmapped::Skip => text.chars().filter(char::is_ascii).collect(),
        Unmapped::Reference => {
            let mut out = String::with_capacity(text.len());
            for c in text.chars() {
                if c.is_ascii() {
                    out.push(c);
                } else {
                    write!(out, "&#{};", u32::from(c)).expect("writing to a string");
                }
            }
            out
        }
    }
}

/// Returns the text after the check that the other engines make too.
fn text(src: &[u8]) -> &str {
    str::from_utf8(src).expect("well-formed text")
}

/// Returns the text unchecked, for operations that do not check.
///
/// # Safety
///
/// `src` must be well-formed UTF-8.
unsafe fn valid(src: &[u8]) -> &str {
    // SAFETY: the caller ensures that `src` is well-formed UTF-8.
    unsafe { str::from_utf8_unchecked(src) }
}

fn utf16(units: impl Iterator<Item = u16>) -> impl Iterator<Item = char> {
    char::decode_utf16(units).map(|c| c.expect("well-formed text"))
}

fn utf32(src: &[u8]) -> impl Iterator<Item = char> {
    units(src).iter().map(|&unit| char::from_u32(unit).expect("well-formed text"))
}

fn fill<U>(dst: &mut [U], units: impl Iterator<Item = U>) -> usize {
    let mut written = 0;
    for (to, unit) in dst.iter_mut().zip(units) {
        *to = unit;
        written += 1;
    }
    written
}

fn utf8(dst: &mut [u8], chars: impl Iterator<Item = char>) -> usize {
    chars.fold(0, |at, c| at + c.encode_utf8(&mut dst[at..]).len())
}
