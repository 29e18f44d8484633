//! Backslash escapes, as logs, paths in git's output and string literals of most languages have them.
//!
//! | escape | yields | of |
//! | --- | --- | --- |
//! | `\uXXXX` | that code point; two surrogates are one | JSON, Java, JavaScript, Python (no pairs) |
//! | `\UXXXXXXXX` | that code point | Python, C |
//! | `\u{X}` to `\u{XXXXXX}` | that code point | Rust, JavaScript, Swift |
//! | `\xHH` | a byte | C, Rust, logs of nginx |
//! | `\o`, `\oo`, `\ooo` | a byte, at most `\377` | C, git |
//! | `\a` `\b` `\e` `\f` `\n` `\r` `\t` `\v` `\"` `\/` `\\` | U+0007, U+0008 … | C, JSON; `\/` only there |
//! | `\'` | itself | C, Java, Python, JavaScript, Rust |
//!
//! Any other backslash is an error, because its meaning depends on the language. An unpaired surrogate is an error too.

#![forbid(unsafe_code)]

use super::error::TransferErrorKind;
use super::step::{Step, hex_digits, put_code_point};
use alloc::vec::Vec;

pub(super) fn decode(src: &[u8], last: bool, out: &mut Vec<u8>) -> Step {
    if src[0] != b'\\' {
        let run = src.iter().position(|byte| *byte == b'\\').unwrap_or(src.len());
        out.extend_from_slice(&src[..run]);
        return Step::Took(run);
    }
    let simple = match src {
        [_] | [_, b'u'] => return Step::More,
        [_, b'u', b'{', ..] => return braced(src, out),
        [_, b'u', ..] => return pair(src, out),
        [_, b'U', ..] => return number(src, out),
        [_, b'x', ..] => return byte(src, out),
        [_, b'0'..=b'7', ..] => return octal(src, last, out),
        [_, byte @ (b'"' | b'\'' | b'/' | b'\\'), ..] => *byte,
        [_, b'a', ..] => b'\x07',
        [_, b'b', ..] => b'\x08',
        [_, b'e', ..] => b'\x1B',
        [_, b'f', ..] => b'\x0C',
        [_, b'n', ..] => b'\n',
        [_, b'r', ..] => b'\r',
        [_, b't', ..] => b'\t',
        [_, b'v', ..] => b'\x0B',
        _ => return Step::Wrong { len: 1, kind: TransferErrorKind::BadEscape },
    };
    out.push(simple);
    Step::Took(2)
}

/// Returns the value of `count` digits from `at` on, or the step to take instead.
fn digits(src: &[u8], at: usize, count: usize) -> Result<u32, Step> {
    let mut value = 0;
    for at in at..at + count {
        let byte = *src.get(at).ok_or(Step::More)?;
        let Some(digit) = char::from(byte).to_digit(16) else {
            return Err(Step::Wrong { len: at, kind: TransferErrorKind::BadEscape });
        };
        value = value << 4 | digit;
    }
    Ok(value)
}

/// `\UXXXXXXXX`
fn number(src: &[u8], out: &mut Vec<u8>) -> Step {
    match digits(src, 2, 8) {
        Ok(value) => put(value, 10, out),
        Err(step) => step,
    }
}

/// `\xHH`
fn byte(src: &[u8], out: &mut Vec<u8>) -> Step {
    match digits(src, 2, 2) {
        Ok(value) => {
            out.push(u8::try_from(value).unwrap_or_default());
            Step::Took(4)
        }
        Err(step) => step,
    }
}

/// `\o`, `\oo`, `\ooo`
fn octal(src: &[u8], last: bool, out: &mut Vec<u8>) -> Step {
    let digits = src[1..].iter().take(3).take_while(|byte| matches!(byte, b'0'..=b'7'));
    let (mut value, mut len) = (0_u32, 1);
    for digit in digits {
        value = value << 3 | u32::from(digit - b'0');
        len += 1;
    }
    if len == src.len() && len < 4 && !last {
        return Step::More;
    }
    match u8::try_from(value) {
        Ok(byte) => {
            out.push(byte);
            Step::Took(len)
        }
        Err(_) => Step::Wrong { len, kind: TransferErrorKind::OutOfRange },
    }
}

/// `\u{X}`
fn braced(src: &[u8], out: &mut Vec<u8>) -> Step {
    let count = src[3..].iter().take(6).take_while(|byte| byte.is_ascii_hexdigit()).count();
    match src.get(3 + count) {
        None => Step::More,
        Some(b'}') if count > 0 => match digits(src, 3, count) {
            Ok(value) => put(value, 4 + count, out),
            Err(step) => step,
        },
        Some(_) => Step::Wrong { len: 3 + count, kind: TransferErrorKind::BadEscape },
    }
}

/// `\uXXXX`, `\uD83D\uDE00`
fn pair(src: &[u8], out: &mut Vec<u8>) -> Step {
    let lead = match digits(src, 2, 4) {
        Ok(value) => value,
        Err(step) => return step,
    };
    if !(0xD800..0xDC00).contains(&lead) {
        return put(lead, 6, out);
    }
    // Stop as soon as it is certain that no trailing surrogate follows, to hold nothing back longer than necessary.
    let is_trail = |(place, byte): (usize, &u8)| match place {
        0 => *byte == b'\\',
        1 => *byte == b'u',
        2 => matches!(byte, b'd' | b'D'),
        3 => matches!(byte, b'c'..=b'f' | b'C'..=b'F'),
        _ => byte.is_ascii_hexdigit(),
    };
    if !src[6..].iter().take(6).enumerate().all(is_trail) {
        return Step::Wrong { len: 6, kind: TransferErrorKind::Surrogate };
    }
    match digits(src, 8, 4) {
        Ok(trail) => put(0x1_0000 + ((lead - 0xD800) << 10) + (trail - 0xDC00), 12, out),
        Err(step) => step,
    }
}

fn put(value: u32, len: usize, out: &mut Vec<u8>) -> Step {
    match value {
        0xD800..=0xDFFF => Step::Wrong { len, kind: TransferErrorKind::Surrogate },
        0x11_0000.. => Step::Wrong { len, kind: TransferErrorKind::OutOfRange },
        _ => {
            put_code_point(value, out);
            Step::Took(len)
        }
    }
}

/// Writes a string of JSON in ASCII, with `\xHH` for bytes that are not UTF-8; returns the number of bytes read from `src`.
pub(super) fn encode(src: &[u8], last: bool, out: &mut Vec<u8>) -> usize {
    let mut read = 0;
    for chunk in src.utf8_chunks() {
        chunk.valid().chars().for_each(|c| put_escape(c, out));
        read += chunk.valid().len();
        let rest = chunk.invalid();
        let incomplete = read + rest.len() == src.len()
            && core::str::from_utf8(rest).is_err_and(|e| e.error_len().is_none());
        if incomplete && !last {
            break;
        }
        for &byte in rest {
            out.extend_from_slice(b"\\x");
            put_digits(byte, out);
        }
        read += rest.len();
    }
    read
}

fn put_escape(c: char, out: &mut Vec<u8>) {
    let short = match c {
        '"' | '\\' => c,
        '\x08' => 'b',
        '\x0C' => 'f',
        '\n' => 'n',
        '\r' => 'r',
        '\t' => 't',
        ' '..='~' => {
            put_code_point(c.into(), out);
            return;
        }
        _ => {
            for unit in c.encode_utf16(&mut [0; 2]) {
                out.extend_from_slice(b"\\u");
                unit.to_be_bytes().iter().for_each(|byte| put_digits(*byte, out));
            }
            return;
        }
    };
    out.push(b'\\');
    put_code_point(short.into(), out);
}

fn put_digits(byte: u8, out: &mut Vec<u8>) {
    out.extend_from_slice(&hex_digits(byte).map(|digit| digit.to_ascii_lowercase()));
}
