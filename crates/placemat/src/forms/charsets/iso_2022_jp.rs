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

#[cfg(feature = "std")]
use crate::forms::charsets::legacy::bulk::Jis0208;
use crate::forms::charsets::legacy::bulk::{jis0208_at, jis0208_of};
use crate::forms::form::{Bulk, EncodeStep, Family, Form, Names, Repertoire, Step};
#[cfg(feature = "std")]
use crate::forms::pieces::{self, lanes};
#[cfg(feature = "std")]
use crate::ground::chunk::{chunk_at, chunk_at_mut};
use crate::ground::code_point::CodePoint;
use crate::ground::error::{IllFormedKind, UnmappableKind};
use crate::ground::policy::Span;

/// ISO-2022-JP, the only encoding with escapes that the web reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Iso2022Jp;

/// The form of [`Iso2022Jp`].
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Iso2022JpForm;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Set {
    #[default]
    Ascii,
    Roman,
    Katakana,
    Jis0208,
}

impl Set {
    const fn escape(self) -> [u8; 3] {
        match self {
            Self::Ascii => *b"\x1B(B",
            Self::Roman => *b"\x1B(J",
            Self::Katakana => *b"\x1B(I",
            Self::Jis0208 => *b"\x1B$B",
        }
    }
}

/// The designated set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Iso2022JpState {
    set: Set,
    /// Whether no text has been read since the last escape.
    escaped: bool,
}

impl Form for Iso2022JpForm {
    type Unit = u8;
    type State = Iso2022JpState;

    const NAMES: Names = Names {
        name: "ISO-2022-JP",
        labels: &[
            "csiso2022jp",
            "jis",
            "50220",
            "50221",
            "cp50220",
            "cp50221",
            "windows-50220",
            "windows-50221",
        ],
        web_labels: &["csiso2022jp", "iso-2022-jp"],
        about: "Japanese in seven bits, for mail: escapes switch between ASCII and JIS X 0208.",
        specified_in: "WHATWG Encoding Standard section 12.2; RFC 1468",
    };
    /// An escape, and two bytes.
    const MAX_UNITS: usize = 5;
    const REPERTOIRE: Repertoire = Repertoire::Scalar;

    #[inline]
    fn bulk(state: &Iso2022JpState) -> Bulk {
        match state.set {
            // A step reads the text after an escape, because the state records that there is some.
            _ if state.escaped => Bulk::None,
            Set::Ascii => Bulk::Unshifted,
            Set::Jis0208 => Bulk::Jis0208,
            Set::Roman | Set::Katakana => Bulk::None,
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

    /// The loops need tables, which need `std`.
    #[cfg(feature = "std")]
    const QUICK: bool = true;

    #[cfg(feature = "std")]
    fn to_utf8(state: &mut Iso2022JpState, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        to_utf8(state, src, dst)
    }

    #[cfg(feature = "std")]
    fn from_utf8(state: &mut Iso2022JpState, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        from_utf8(state, src, dst)
    }

    #[inline]
    fn encode_step(state: &mut Iso2022JpState, c: CodePoint, dst: &mut [u8]) -> EncodeStep {
        let value = c.value();
        let (set, units) = match value {
            0x0E | 0x0F | 0x1B => return EncodeStep::Unmappable(UnmappableKind::NotHeld),
            0xA5 => (Set::Roman, [b'\\', 0]),
            0x203E => (Set::Roman, [b'~', 0]),
            ..0x80 => {
                let same = state.set == Set::Roman && !matches!(value, 0x5C | 0x7E);
                (if same { Set::Roman } else { Set::Ascii }, [c.value().to_le_bytes()[0], 0])
            }
            _ => {
                let Some(units) = c.to_char().and_then(jis0208_of) else {
                    return EncodeStep::Unmappable(UnmappableKind::NotHeld);
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

    fn encode_finish(state: &mut Iso2022JpState, dst: &mut [u8]) -> EncodeStep {
        if state.set == Set::Ascii {
            return EncodeStep::Written(0);
        }
        let Some(dst) = dst.first_chunk_mut() else { return EncodeStep::NoRoom };
        *dst = Set::Ascii.escape();
        state.set = Set::Ascii;
        EncodeStep::Written(dst.len())
    }

    fn span(_: &Iso2022JpState, rule: Span, src: &[u8], maximal: usize, _: bool) -> Option<usize> {
        // The bytes after an ill-formed escape are text. The three bytes of a whole escape are not.
        Some(if rule == Span::Unit || src[0] == 0x1B && maximal < 3 { 1 } else { maximal })
    }
}

fn escape(state: &mut Iso2022JpState, src: &[u8]) -> Step {
    let set = match *src {
        [_, b'(', b'B', ..] => Set::Ascii,
        [_, b'(', b'J', ..] => Set::Roman,
        [_, b'(', b'I', ..] => Set::Katakana,
        [_, b'$', b'@' | b'B', ..] => Set::Jis0208,
        [_] => return Step::Incomplete { needs: 2 },
        [_, b'$' | b'('] => return Step::Incomplete { needs: 1 },
        _ => {
            state.escaped = false;
            let seen = if matches!(src[1], b'$' | b'(') { 3 } else { 2 };
            return Step::IllFormed { len: 1, seen, kind: IllFormedKind::UnknownEscape };
        }
    };
    let again = state.escaped;
    *state = Iso2022JpState { set, escaped: true };
    if again {
        Step::IllFormed { len: 3, seen: 3, kind: IllFormedKind::UnknownEscape }
    } else {
        Step::Shift { len: 3 }
    }
}

#[cfg(feature = "std")]
fn to_utf8(state: &mut Iso2022JpState, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let table = Jis0208::get();
    let plain = |state: &mut Iso2022JpState, src: &[u8], dst: &mut [u8]| {
        let some = copy_unshifted(state, src, dst);
        state.escaped &= some == 0;
        some
    };
    pieces::to_utf8_by_pieces(state, src, dst, plain, |state, src, units| to_units(state, table, src, units))
}

/// Copies blocks of bytes that stand for themselves in ASCII. Returns the number of bytes.
#[cfg(feature = "std")]
#[inline(always)]
fn copy_unshifted(state: &Iso2022JpState, src: &[u8], dst: &mut [u8]) -> usize {
    if state.set == Set::Ascii { pieces::blocks(src, dst, is_unshifted, |byte| byte) } else { 0 }
}

/// Whether a byte stands for itself in ASCII.
#[cfg(feature = "std")]
#[inline(always)]
const fn is_unshifted(byte: u8) -> bool {
    (byte < 0x80) & (byte != 0x0E) & (byte != 0x0F) & (byte != 0x1B)
}

/// The number of bytes, of eight, that stand for themselves in ASCII, up to the first that does not.
#[cfg(feature = "std")]
#[inline(always)]
const fn unshifted(bytes: [u8; 8]) -> usize {
    let all = u64::from_le_bytes(bytes);
    let low = all & !lanes::HIGH8;
    let direct = lanes::is_not8(low, 0x0E) & lanes::is_not8(low, 0x0F) & lanes::is_not8(low, 0x1B);
    lanes::before8(!direct | all)
}

/// Reads a piece of ASCII and JIS X 0208. Returns the number of bytes and of units.
#[cfg(feature = "std")]
fn to_units(state: &mut Iso2022JpState, table: &Jis0208, src: &[u8], units: &mut [u16]) -> (usize, usize) {
    let (mut read, mut count) = (0, 0);
    let mut now = *state;
    while let Some(bytes) = chunk_at!(src, read, 8)
        && let Some(to) = chunk_at_mut!(units, count, 8)
    {
        let some = match now.set {
            Set::Ascii => {
                for (to, &byte) in to.iter_mut().zip(bytes) {
                    *to = byte.into();
                }
                let some = unshifted(*bytes);
                read += some;
                some
            }
            Set::Jis0208 => {
                let mut some = 0;
                for (to, &pair) in to.iter_mut().zip(bytes.as_chunks().0) {
                    *to = table.at(pair);
                    if *to == 0 {
                        break;
                    }
                    some += 1;
                }
                read += 2 * some;
                some
            }
            Set::Roman | Set::Katakana => break,
        };
        count += some;
        now.escaped &= some == 0;
        let set = match src[read..] {
            [0x1B, b'(', b'B', ..] => Set::Ascii,
            [0x1B, b'$', b'B', ..] => Set::Jis0208,
            _ if some > 0 => continue,
            _ => break,
        };
        if now.escaped {
            break;
        }
        now = Iso2022JpState { set, escaped: true };
        read += 3;
    }
    *state = now;
    (read, count)
}

#[cfg(feature = "std")]
fn from_utf8(state: &mut Iso2022JpState, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let table = Jis0208::get();
    let plain = |state: &mut Iso2022JpState, src: &[u8], dst: &mut [u8]| copy_unshifted(state, src, dst);
    // A unit takes at most five bytes, with the escape.
    pieces::from_utf8_by_pieces(state, src, dst, 5, plain, |state, units, dst| {
        from_units(state, table, units, dst)
    })
}

/// Writes the prefix of a piece that is ASCII and JIS X 0208. Returns the number of units and of bytes.
#[cfg(feature = "std")]
#[expect(clippy::cast_possible_truncation, reason = "a value that is not a byte is not taken")]
fn from_units(state: &mut Iso2022JpState, table: &Jis0208, units: &[u16], dst: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while read < units.len() {
        if state.set == Set::Ascii
            && let Some(few) = units[read..].first_chunk::<8>()
            && let Some(to) = dst[written..].first_chunk_mut::<8>()
        {
            for (to, &unit) in to.iter_mut().zip(few) {
                *to = unit.min(0xFF) as u8;
            }
            let some = unshifted(*to);
            (read, written) = (read + some, written + some);
            if some == 8 {
                continue;
            }
        }
        let unit = units[read];
        let (set, code) = match unit {
            0..0x80 if is_unshifted(unit as u8) => (Set::Ascii, [unit as u8, 0]),
            _ => (Set::Jis0208, table.of(unit)),
        };
        // The steps handle other code points.
        if unit != 0 && code[0] == 0 || matches!(state.set, Set::Roman | Set::Katakana) {
            break;
        }
        let to = &mut dst[written..written + 5];
        let escape = if set == state.set { 0 } else { 3 };
        to[..3].copy_from_slice(&set.escape());
        to[escape..escape + 2].copy_from_slice(&code);
        state.set = set;
        (read, written) = (read + 1, written + escape + if set == Set::Ascii { 1 } else { 2 });
    }
    (read, written)
}

impl Family for Iso2022Jp {
    type Form = Iso2022JpForm;
    const ALL: &'static [Self] = &[Self];
    const NAMES: &'static [&'static Names] = &[&Iso2022JpForm::NAMES];

    fn names(self) -> &'static Names {
        &Iso2022JpForm::NAMES
    }
    fn repertoire(self) -> Repertoire {
        Repertoire::Tables
    }
    fn start(self) -> Iso2022JpState {
        Iso2022JpState::default()
    }
}
