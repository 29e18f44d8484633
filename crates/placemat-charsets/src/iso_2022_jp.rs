//! ISO-2022-JP. WHATWG Encoding Standard, section 12.2; RFC 1468.
//!
//! | | UTF-8 | ISO-2022-JP |
//! | --- | --- | --- |
//! | unit | 8 bits | 7 bits |
//! | ASCII bytes | always ASCII | in the designated set; a text starts and ends in ASCII |
//! | states | none | one of four sets: ASCII, JIS X 0201 Roman (`\` is U+00A5), half-width katakana, JIS X 0208 |
//! | escapes | none | ESC ( B, ESC ( J, ESC ( I, ESC $ @ or ESC $ B |
//!
//! The decoder reads as browsers do: an escape right after another is an error, so that text cannot hide between escapes.
//! The encoder writes ASCII, Roman for U+00A5 and U+203E, and JIS X 0208. It writes half-width katakana as full-width, and
//! U+2212 as the full-width hyphen-minus. Python and ICU return to ASCII at line ends and refuse katakana in their plain
//! variant; iconv does not read ESC ( I.

#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
mod quick;
mod state;

use self::state::{Iso2022JpState, Set};
use crate::legacy::bulk;
use crate::legacy::codes::{jis0208_at, jis0208_of};
use placemat_core::forms::form::{
    AsciiBytes, Bulk, EncodeStep, Ending, Facts, Form, JustRead, Names, Repertoire, Step,
};
use placemat_core::forms::names::labels;
use placemat_core::ground::code_point::CodePoint;
use placemat_core::ground::error::{IllFormedKind, UnmappableKind};
use placemat_core::ground::policy::Span;

/// ISO-2022-JP, the only encoding with escapes that the web reads.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Iso2022Jp;

impl Form for Iso2022Jp {
    type Unit = u8;
    type State = Iso2022JpState;

    const NAMES: Names = Names {
        name: "ISO-2022-JP",
        labels: labels![
            "csiso2022jp",
            "jis",
            "50220",
            "50221",
            "cp50220",
            "cp50221",
            "windows-50220",
            "windows-50221",
        ],
        web_labels: labels!["csiso2022jp", "iso-2022-jp"],
        about: "Japanese in seven bits, for mail: escapes switch between ASCII and JIS X 0208.",
        specified_in: "WHATWG Encoding Standard section 12.2; RFC 1468",
    };
    const FACTS: Facts = Facts {
        // The loops need tables, which are allocated and kept behind an atomic pointer.
        quick: cfg!(all(feature = "alloc", target_has_atomic = "ptr")),
        ascii_but: Some(b"\x0E\x0F\x1B"),
        functions: Some(bulk::UNSHIFTED),
        // An escape, and two bytes.
        ascii: AsciiBytes::Shifted,
        ..Facts::new(Repertoire::Tables, 5).stateful()
    };

    #[inline]
    fn bulk(state: &Iso2022JpState) -> Bulk {
        match state.set {
            // A step reads the text after an escape, because the state records that there is some.
            _ if state.escaped => Bulk::None,
            Set::Ascii => Bulk::of(Some(bulk::UNSHIFTED), 0),
            Set::Roman | Set::Katakana | Set::Jis0208 => Bulk::None,
        }
    }

    #[inline]
    fn decode_step(state: &mut Iso2022JpState, src: &[u8]) -> Step {
        let byte = src[0];
        if byte == 0x1B {
            return escape(state, src);
        }
        let value = match (state.set, byte) {
            (Set::Ascii | Set::Roman, 0x0E | 0x0F | 0x80..) => None,
            (Set::Roman, b'\\') => Some(0xA5),
            (Set::Roman, b'~') => Some(0x203E),
            (Set::Ascii | Set::Roman, _) => Some(u16::from(byte)),
            (Set::Katakana, 0x21..=0x5F) => Some(0xFF61 - 0x21 + u16::from(byte)),
            (Set::Jis0208, 0x21..=0x7E) => {
                let Some(&trail) = src.get(1) else { return Step::Incomplete { needs: 1 } };
                state.escaped = false;
                if trail == 0x1B {
                    return Step::IllFormed { len: 1, seen: 2, kind: IllFormedKind::BadTrail };
                }
                let kind = match trail {
                    0x21..=0x7E => IllFormedKind::Undefined,
                    _ => IllFormedKind::BadTrail,
                };
                return match jis0208_at([byte, trail]) {
                    Some(c) => Step::CodePoint { value: c.into(), len: 2 },
                    None => Step::IllFormed { len: 2, seen: 2, kind },
                };
            }
            (Set::Katakana | Set::Jis0208, _) => None,
        };
        state.escaped = false;
        match value {
            Some(value) => Step::CodePoint { value: CodePoint::from_u16(value), len: 1 },
            None => Step::IllFormed { len: 1, seen: 1, kind: IllFormedKind::Undefined },
        }
    }

    #[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
    #[inline]
    fn to_utf8(state: &mut Iso2022JpState, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        quick::to_utf8(state, src, dst)
    }

    #[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
    #[inline]
    fn to_units(state: &mut Iso2022JpState, src: &[u8], units: &mut [u16]) -> (usize, usize) {
        quick::to_units(state, quick::table(), src, units)
    }

    #[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
    #[inline]
    fn from_utf8(state: &mut Iso2022JpState, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        quick::from_utf8(state, src, dst)
    }

    #[inline]
    fn encode_step(state: &mut Iso2022JpState, c: CodePoint, dst: &mut [u8]) -> EncodeStep {
        let value = c.value();
        let (set, units) = match value {
            0x0E | 0x0F | 0x1B => return EncodeStep::Unmappable(UnmappableKind::Switch),
            0xA5 => (Set::Roman, [b'\\', 0]),
            0x203E => (Set::Roman, [b'~', 0]),
            ..0x80 => {
                let same = state.set == Set::Roman && !matches!(value, 0x5C | 0x7E);
                (if same { Set::Roman } else { Set::Ascii }, [c.value().to_le_bytes()[0], 0])
            }
            _ => {
                let Some(units) = c.to_char().and_then(jis0208_of) else {
                    return EncodeStep::Unmappable(UnmappableKind::NotInRepertoire);
                };
                (Set::Jis0208, units)
            }
        };
        let len = if set == Set::Jis0208 { 2 } else { 1 };
        let start = if set == state.set { 0 } else { 3 };
        let Some(dst) = dst.get_mut(..start + len) else { return EncodeStep::NoRoom };
        dst[..start].copy_from_slice(&set.escape()[..start]);
        dst[start..].copy_from_slice(&units[..len]);
        state.set = set;
        EncodeStep::Written(start + len)
    }

    #[inline]
    fn encode_finish(state: &mut Iso2022JpState, dst: &mut [u8]) -> EncodeStep {
        if state.set == Set::Ascii {
            return EncodeStep::Written(0);
        }
        let Some(dst) = dst.first_chunk_mut() else { return EncodeStep::NoRoom };
        *dst = Set::Ascii.escape();
        state.set = Set::Ascii;
        EncodeStep::Written(dst.len())
    }

    /// A text ends in ASCII: RFC 1468 says so, and to browsers any end is right.
    #[inline]
    fn ending(state: &Iso2022JpState, read: JustRead<'_>) -> Ending {
        if state.set == Set::Ascii {
            return Ending::Allowed;
        }
        read.last_shift(|src| if Set::after_escape(src).is_some() { 3 } else { 0 })
    }

    #[inline]
    fn span(_: &Iso2022JpState, rule: Span, src: &[u8], maximal: usize, _: bool) -> Option<usize> {
        // The bytes after an ill-formed escape are text. The three bytes of a whole escape are not.
        Some(if rule == Span::Unit || src[0] == 0x1B && maximal < 3 { 1 } else { maximal })
    }
}

fn escape(state: &mut Iso2022JpState, src: &[u8]) -> Step {
    let Some(set) = Set::after_escape(src) else {
        return match *src {
            [_] => Step::Incomplete { needs: 2 },
            [_, b'$' | b'('] => Step::Incomplete { needs: 1 },
            _ => {
                state.escaped = false;
                let seen = if matches!(src[1], b'$' | b'(') { 3 } else { 2 };
                Step::IllFormed { len: 1, seen, kind: IllFormedKind::UnknownEscape }
            }
        };
    };
    let again = state.escaped;
    *state = Iso2022JpState { set, escaped: true };
    if again {
        Step::IllFormed { len: 3, seen: 3, kind: IllFormedKind::UnknownEscape }
    } else {
        Step::Shift { len: 3 }
    }
}
