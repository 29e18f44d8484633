//! Bytes, numbers and code points as messages show them, with nothing in them that a terminal would obey.

use core::fmt::Write as _;
use unicode_width::UnicodeWidthChar as _;

/// Whether a terminal shows the character without another effect.
#[must_use]
pub fn is_plain(c: char) -> bool {
    let is_noncharacter = matches!(c, '\u{FDD0}'..='\u{FDEF}') || u32::from(c) & 0xFFFE == 0xFFFE;
    !(is_noncharacter
        || c.is_control()
        || matches!(c,
            '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}'))
}

/// Whether a terminal shows the character by itself, without an effect on its neighbours.
#[must_use]
pub fn is_printable(c: char) -> bool {
    let private = matches!(c, '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..) || !is_plain(c);
    // Controls have no width; marks, joiners, bidi controls and other invisible ones have a width of 0.
    !private && c.width().is_some_and(|width| width > 0) && !matches!(c, '\u{AD}' | '\u{2028}' | '\u{2029}')
}

/// Appends bytes as messages show them: `0xc0 0xaf`.
pub fn push_bytes(to: &mut String, bytes: &[u8]) {
    for (i, byte) in bytes.chunks(1).enumerate() {
        to.push_str(if i == 0 { "0x" } else { " 0x" });
        push_hex(to, byte);
    }
}

/// Appends bytes as tables and dumps show them: `c0 af`.
pub fn push_hex(to: &mut String, bytes: &[u8]) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    for (i, &byte) in bytes.iter().enumerate() {
        if i > 0 {
            to.push(' ');
        }
        to.push(char::from(DIGITS[usize::from(byte >> 4)]));
        to.push(char::from(DIGITS[usize::from(byte & 15)]));
    }
}

/// Appends the byte in place of another one: `, found 0x20 ' '`.
pub(crate) fn push_found(to: &mut String, byte: u8, is_ascii: bool) {
    if is_ascii && matches!(byte, b'\n' | b'\r') {
        to.push_str(", found the end of the line");
        return;
    }
    _ = write!(to, ", found 0x{byte:02x}");
    if is_ascii && matches!(byte, 0x20..0x7F) {
        _ = write!(to, " '{}'", char::from(byte));
    }
}

/// Appends a number in decimal. Some files have millions of findings, and numbers are the slowest part of `write!`.
pub fn push_number(to: &mut String, mut number: u64) {
    let mut digits = [0; 20];
    let mut start = digits.len();
    loop {
        start -= 1;
        digits[start] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    to.extend(digits[start..].iter().map(|&digit| char::from(digit)));
}

/// `U+002F '/'`; just `U+202E` where showing it could do harm.
pub fn push_code_point(to: &mut String, value: u32) {
    _ = write!(to, "U+{value:04X}");
    if let Some(c) = char::from_u32(value).filter(|&c| is_printable(c)) {
        _ = write!(to, " '{c}'");
    }
}
