//! Which text runs from right to left.

use super::latin1::{is_utf16_latin1, str_latin1_up_to, utf8_latin1_up_to};
use crate::encoding::prefix;
use placemat::utf8;

/// Whether a text is Latin-1, and if it is not, whether some of it runs from right to left.
#[must_use]
#[derive(Debug, PartialEq, Eq)]
#[repr(C)]
pub enum Latin1Bidi {
    /// No code point is above U+00FF.
    Latin1 = 0,
    /// Some code points are above U+00FF, and none runs from right to left.
    LeftToRight = 1,
    /// Some code points run from right to left.
    Bidi = 2,
}

/// Returns `true` if a character runs from right to left: it is in a block of Hebrew, Arabic or another such script, whether it is
/// assigned or not, or one of the four controls RIGHT-TO-LEFT. U+FEFF does not count.
pub fn is_char_bidi(c: char) -> bool {
    // Most text is below.
    c >= '\u{0590}' && is_bidi(c.into())
}

#[inline(always)]
const fn is_bidi(c: u32) -> bool {
    matches!(
        c,
        0x0590..=0x08FF
            | 0x200F
            | 0x202B
            | 0x202E
            | 0x2067
            | 0xFB1D..=0xFDFF
            | 0xFE70..=0xFEFE
            | 0x1_0800..=0x1_0FFF
            | 0x1_E800..=0x1_EFFF
    )
}

/// Returns `true` if a code unit is a character that runs from right to left, or the first half of one.
pub fn is_utf16_code_unit_bidi(u: u16) -> bool {
    u >= 0x0590 && (is_bidi(u.into()) || matches!(u, 0xD802 | 0xD803 | 0xD83A | 0xD83B))
}

/// Returns `true` if some code unit is a character that runs from right to left, or the first half of one.
pub fn is_utf16_bidi(buffer: &[u16]) -> bool {
    let mut rest = buffer;
    loop {
        // Below U+0590 nothing runs from right to left.
        rest = &rest[prefix(rest, |unit| unit < 0x0590)..];
        match rest.split_first() {
            None => return false,
            Some((&unit, _)) if is_utf16_code_unit_bidi(unit) => return true,
            Some((_, after)) => rest = after,
        }
    }
}

/// Returns `true` if some character runs from right to left.
pub fn is_str_bidi(buffer: &str) -> bool {
    let mut rest = buffer;
    loop {
        // The first such character begins with D6.
        rest = &rest[prefix(rest.as_bytes(), |byte| byte < 0xD6)..];
        let mut chars = rest.chars();
        match chars.next() {
            None => return false,
            Some(c) if is_char_bidi(c) => return true,
            Some(_) => rest = chars.as_str(),
        }
    }
}

/// Returns `true` if some character runs from right to left, or if the text is ill-formed.
pub fn is_utf8_bidi(buffer: &[u8]) -> bool {
    utf8::validate(buffer).map_or(true, is_str_bidi)
}

/// Returns what a text is, which may be ill-formed; see [`is_utf8_bidi`].
pub fn check_utf8_for_latin1_and_bidi(buffer: &[u8]) -> Latin1Bidi {
    match &buffer[utf8_latin1_up_to(buffer)..] {
        [] => Latin1Bidi::Latin1,
        rest => beyond_latin1(is_utf8_bidi(rest)),
    }
}

/// Returns what a text is.
pub fn check_str_for_latin1_and_bidi(buffer: &str) -> Latin1Bidi {
    match &buffer[str_latin1_up_to(buffer)..] {
        "" => Latin1Bidi::Latin1,
        rest => beyond_latin1(is_str_bidi(rest)),
    }
}

/// Returns what a text is; see [`is_utf16_bidi`].
pub fn check_utf16_for_latin1_and_bidi(buffer: &[u16]) -> Latin1Bidi {
    if is_utf16_latin1(buffer) { Latin1Bidi::Latin1 } else { beyond_latin1(is_utf16_bidi(buffer)) }
}

fn beyond_latin1(is_bidi: bool) -> Latin1Bidi {
    if is_bidi { Latin1Bidi::Bidi } else { Latin1Bidi::LeftToRight }
}
