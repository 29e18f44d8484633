//! Escapes as each syntax writes them.

#![forbid(unsafe_code)]

use super::kinds::Syntax;
use super::tex;
use super::token::Stops;
use alloc::vec::Vec;

/// Writes the escape of a character outside ASCII. Returns `false` if there is none.
pub(super) fn outside_ascii(syntax: Syntax, c: char, out: &mut Vec<u8>) -> bool {
    let value = u32::from(c);
    match syntax {
        Syntax::Properties | Syntax::Json | Syntax::Java | Syntax::Js => units(c, out),
        // HTML reads these numbers as windows-1252.
        Syntax::Html if value < 0xA0 => return false,
        Syntax::Xml if value & 0xFFFF >= 0xFFFE => return false,
        Syntax::Html | Syntax::Xml => {
            out.extend_from_slice(b"&#");
            decimal(value, out);
            out.push(b';');
        }
        Syntax::C if value < 0xA0 => return false,
        Syntax::C | Syntax::Python | Syntax::Sql => {
            out.extend_from_slice(if value > 0xFFFF { b"\\U" } else { b"\\u" });
            hex(value, if value > 0xFFFF { 8 } else { 4 }, out);
        }
        Syntax::Shell => octal_bytes(c, out),
        Syntax::Css => {
            out.push(b'\\');
            hex(value, 1, out);
            out.push(b' ');
        }
        Syntax::Tex => return tex::write(c, out),
        Syntax::Url | Syntax::MimeHeader => percent(c, out),
    }
    true
}

/// Writes any character so that decoding with [`Scope::All`](super::Scope::All) returns it; `first`: it begins the text.
pub(super) fn any(syntax: Syntax, c: char, first: bool, out: &mut Vec<u8>) {
    let plain = |out: &mut Vec<u8>| out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
    if !c.is_ascii() {
        if !outside_ascii(syntax, c, out) {
            plain(out);
        }
        return;
    }
    let byte = u8::try_from(c).unwrap_or_default();
    let letters: &[(u8, u8)] = match syntax {
        Syntax::Properties => &[(b'\t', b't'), (b'\n', b'n'), (b'\r', b'r'), (b'\x0C', b'f')],
        Syntax::Json
        | Syntax::Java
        | Syntax::Js
        | Syntax::Sql
        | Syntax::C
        | Syntax::Python
        | Syntax::Shell => &[(b'\t', b't'), (b'\n', b'n'), (b'\r', b'r'), (b'\x0C', b'f'), (b'\x08', b'b')],
        _ => &[],
    };
    if let Some((_, letter)) = letters.iter().find(|(control, _)| *control == byte) {
        out.extend_from_slice(&[b'\\', *letter]);
        return;
    }
    let itself: &[u8] = match syntax {
        Syntax::Properties if first => b"\\:=#! ",
        Syntax::Properties => b"\\:=#!",
        Syntax::Json | Syntax::Java | Syntax::C => b"\\\"",
        Syntax::Js => b"\\\"'`",
        Syntax::Python | Syntax::Css => b"\\\"'",
        Syntax::Shell => b"\\'",
        Syntax::Sql => b"\\",
        Syntax::Tex => b"%&$#_{}",
        _ => b"",
    };
    if itself.contains(&byte) {
        out.extend_from_slice(&[b'\\', byte]);
        return;
    }
    match (syntax, byte) {
        (Syntax::Sql, b'\'') => out.extend_from_slice(b"''"),
        (Syntax::Html | Syntax::Xml, b'&' | b'<' | b'>' | b'"' | b'\'') => {
            out.extend_from_slice(match byte {
                b'&' => b"&amp;",
                b'<' => b"&lt;",
                b'>' => b"&gt;",
                b'"' => b"&quot;",
                _ => b"&#39;",
            });
        }
        (Syntax::Tex, b'\\' | b'~' | b'^') => _ = tex::write(c, out),
        (Syntax::Css, 1..0x20) => _ = outside_ascii(syntax, c, out),
        (Syntax::Properties | Syntax::Json, 0..0x20) => units(c, out),
        (Syntax::Python | Syntax::Js, 0..0x20 | 0x7F) => {
            out.extend_from_slice(b"\\x");
            hex(c.into(), 2, out);
        }
        (Syntax::C | Syntax::Java | Syntax::Shell | Syntax::Sql, 1..0x20 | 0x7F) => octal_bytes(c, out),
        (Syntax::C | Syntax::Java, 0) => octal_bytes(c, out),
        (Syntax::Url | Syntax::MimeHeader, _)
            if !byte.is_ascii_alphanumeric() && !b"-._~".contains(&byte) =>
        {
            percent(c, out);
        }
        _ => out.push(byte),
    }
}

/// Returns the bytes that [`any`] does not write as they are, unless they begin the text.
pub(super) fn escaped(syntax: Syntax) -> Stops {
    let mut out = Vec::new();
    Stops::where_true(|byte| {
        out.clear();
        if byte.is_ascii() {
            any(syntax, char::from(byte), false, &mut out);
        }
        out != [byte]
    })
}

/// Writes `\u{e9}` for an identifier of JavaScript.
pub(super) fn braced(c: char, out: &mut Vec<u8>) {
    if u32::from(c) <= 0xFFFF {
        return units(c, out);
    }
    out.extend_from_slice(b"\\u{");
    hex(c.into(), 1, out);
    out.push(b'}');
}

/// Writes `\00e9` for `U&'...'` of SQL.
pub(super) fn sql_unicode(c: char, out: &mut Vec<u8>) {
    let value = u32::from(c);
    out.extend_from_slice(if value > 0xFFFF { b"\\+" } else { b"\\" });
    hex(value, if value > 0xFFFF { 6 } else { 4 }, out);
}

/// Writes the bytes of a character in UTF-8 as `\303\251`.
pub(super) fn octal_bytes(c: char, out: &mut Vec<u8>) {
    for byte in c.encode_utf8(&mut [0; 4]).bytes() {
        out.extend_from_slice(&[b'\\', b'0' + (byte >> 6), b'0' + (byte >> 3 & 7), b'0' + (byte & 7)]);
    }
}

fn units(c: char, out: &mut Vec<u8>) {
    for unit in c.encode_utf16(&mut [0; 2]) {
        out.extend_from_slice(b"\\u");
        hex(u32::from(*unit), 4, out);
    }
}

fn percent(c: char, out: &mut Vec<u8>) {
    for byte in c.encode_utf8(&mut [0; 4]).bytes() {
        out.push(b'%');
        let digit = |value: u8| b"0123456789ABCDEF"[usize::from(value)];
        out.extend_from_slice(&[digit(byte >> 4), digit(byte & 15)]);
    }
}

/// Writes lower-case digits, at least `least` of them.
fn hex(value: u32, least: u32, out: &mut Vec<u8>) {
    let digits = (8 - value.leading_zeros() / 4).max(least);
    for place in (0..digits).rev() {
        out.push(b"0123456789abcdef"[(value >> (4 * place) & 15) as usize]);
    }
}

fn decimal(value: u32, out: &mut Vec<u8>) {
    if value > 9 {
        decimal(value / 10, out);
    }
    out.push(b"0123456789"[(value % 10) as usize]);
}
