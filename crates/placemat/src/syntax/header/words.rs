//! Encoded words, read.

#![forbid(unsafe_code)]

use super::super::kinds::Scope;
use super::super::token::run;
use super::field::{Kind, Stayed};
use crate::stream::Transcoder;
use crate::transfer::{Transfer, TransferErrorKind};
use crate::{Encoding, web};
use alloc::string::String;
use alloc::vec::Vec;

/// An encoded word: its length, its charset and its bytes.
struct Word<'a> {
    len: usize,
    charset: &'a [u8],
    bytes: Option<Vec<u8>>,
}

/// Returns the encoded word at the start of `src`.
fn word(src: &[u8]) -> Option<Word<'_>> {
    let rest = src.strip_prefix(b"=?")?;
    let is_token = |byte: u8| byte.is_ascii_graphic() && !b"()<>@,;:\\\"/[]?.=".contains(&byte);
    let charset = run(rest, |byte| !is_token(byte));
    let [b'?', encoding, b'?', ref text @ ..] = rest[charset..] else { return None };
    let len = run(text, |byte| byte == b'?' || !byte.is_ascii_graphic());
    if !text[len..].starts_with(b"?=") || charset == 0 {
        return None;
    }
    let bytes = match encoding {
        b'b' | b'B' => base64(&text[..len]),
        b'q' | b'Q' => quoted(&text[..len]),
        _ => return None,
    };
    // A language may follow the charset (RFC 2231, section 5).
    let name = &rest[..charset];
    let charset_name = &name[..run(name, |byte| byte == b'*')];
    Some(Word { len: 2 + charset + 3 + len + 2, charset: charset_name, bytes })
}

/// Returns `true` if `word` is one encoded word.
pub(super) fn is_word(text: &str) -> bool {
    word(text.as_bytes()).is_some_and(|word| word.len == text.len())
}

/// Decodes base64, with or without its padding.
fn base64(text: &[u8]) -> Option<Vec<u8>> {
    let end = text.iter().rposition(|byte| *byte != b'=').map_or(0, |at| at + 1);
    let mut padded = text[..end].to_vec();
    while padded.len() % 4 > 1 {
        padded.push(b'=');
    }
    Transfer::Base64.decode(&padded).ok()
}

fn quoted(text: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let [first, after @ ..] = rest {
        rest = after;
        match (first, after) {
            (b'_', _) => bytes.push(b' '),
            (b'=', [high, low, after @ ..]) => {
                let digit = |byte: &u8| char::from(*byte).to_digit(16);
                bytes.push(u8::try_from(digit(high)? << 4 | digit(low)?).ok()?);
                rest = after;
            }
            (b'=', _) => return None,
            _ => bytes.push(*first),
        }
    }
    Some(bytes)
}

/// Decodes text in a charset named by mail or HTTP, as browsers understand the name.
pub(super) fn in_charset(charset: &[u8], bytes: &[u8]) -> Option<String> {
    let label = core::str::from_utf8(charset).ok()?;
    let is_ascii =
        ["us-ascii", "ascii", "ansi_x3.4-1968"].iter().any(|name| name.eq_ignore_ascii_case(label));
    if is_ascii && !bytes.is_ascii() {
        return None;
    }
    let encoding = web::for_label(label).or_else(|| Encoding::for_label(label))?;
    // RFC 2047 has each word end in ASCII, but writers of long subjects cut them in shifted states.
    let text = Transcoder::new(encoding, Encoding::UTF_8).ending_shifted().transcode(bytes).ok()?;
    String::from_utf8(text).ok()
}

/// Returns `true` if text may be part of a header as it is.
pub(super) fn is_safe(text: &str) -> bool {
    let unsafe_one = |c: char| {
        c.is_control()
            || matches!(c, '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FDD0}'..='\u{FDEF}')
            || c as u32 & 0xFFFE == 0xFFFE
    };
    !(text.chars().any(unsafe_one) || text.contains("=?") && text.contains("?="))
}

/// A row of encoded words.
struct Row {
    len: usize,
    text: Result<String, TransferErrorKind>,
}

/// Returns the row of encoded words at the start of `src`.
fn row(src: &[u8]) -> Option<Row> {
    let first = word(src)?;
    let mut len = first.len;
    let mut parts: Vec<(Vec<u8>, Option<Vec<u8>>)> = Vec::new();
    let mut next = Some(first);
    while let Some(found) = next {
        match (parts.last_mut(), found.bytes) {
            (Some((charset, Some(bytes))), Some(more)) if charset.eq_ignore_ascii_case(found.charset) => {
                bytes.extend_from_slice(&more);
            }
            (_, bytes) => parts.push((found.charset.to_vec(), bytes)),
        }
        let space = run(&src[len..], |byte| !matches!(byte, b' ' | b'\t' | b'\r' | b'\n'));
        next = if space > 0 { word(&src[len + space..]) } else { None };
        if let Some(found) = &next {
            len += space + found.len;
        }
    }
    let text =
        parts.into_iter().map(|(charset, bytes)| in_charset(&charset, &bytes?)).collect::<Option<String>>();
    let text = match text {
        None => Err(TransferErrorKind::Charset),
        Some(text) if !is_safe(&text) => Err(TransferErrorKind::Unsafe),
        Some(text) => Ok(text),
    };
    Some(Row { len, text })
}

/// Decodes the encoded words of a field whose value begins at `value`.
pub(super) fn decode(scope: Scope, kind: Kind, field: &[u8], value: usize, out: &mut Vec<u8>) -> Stayed {
    let mut stayed = Stayed::default();
    out.extend_from_slice(&field[..value]);
    let mut at = value;
    let (mut quoted, mut depth) = (false, 0_u32);
    while at < field.len() {
        let rest = &field[at..];
        let before = if at == value { b' ' } else { field[at - 1] };
        // In text, a word begins after white space only.
        let may_begin = kind != Kind::Text || matches!(before, b' ' | b'\t' | b'\n' | b'\r');
        if rest.starts_with(b"=?")
            && may_begin
            && let Some(row) = row(rest)
        {
            let is_edge =
                field[value..at].trim_ascii().is_empty() || field[at + row.len..].trim_ascii().is_empty();
            match row.text {
                Ok(text)
                    if (scope == Scope::All || !text.is_ascii())
                        && (kind != Kind::Text || !is_edge || text.trim() == text) =>
                {
                    put(&text, kind, quoted, depth, out);
                }
                Ok(_) => out.extend_from_slice(&rest[..row.len]),
                Err(reason) => {
                    stayed.add(at, row.len, reason);
                    out.extend_from_slice(&rest[..row.len]);
                }
            }
            at += row.len;
            continue;
        }
        let mut len = 1;
        if kind != Kind::Text {
            match rest {
                [b'\\', _, ..] if quoted || depth > 0 => len = 2,
                [b'"', ..] if depth == 0 => quoted = !quoted,
                [b'(', ..] if !quoted => depth += 1,
                [b')', ..] if !quoted => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        out.extend_from_slice(&rest[..len]);
        at += len;
    }
    stayed
}

/// Writes decoded text so that it means the same in its place.
fn put(text: &str, kind: Kind, in_quotes: bool, depth: u32, out: &mut Vec<u8>) {
    let escaped: &[u8] = match (kind, in_quotes, depth) {
        (Kind::Text, ..) => b"",
        (_, false, 1..) => b"()\\",
        _ => b"\"\\",
    };
    let is_special = |byte: u8| b"()<>[]:;@\\,.\"".contains(&byte);
    let needs_quotes = kind != Kind::Text
        && !in_quotes
        && depth == 0
        && (text.bytes().any(is_special) || text.trim() != text || text.contains("  "));
    if needs_quotes {
        out.push(b'"');
    }
    for byte in text.bytes() {
        if escaped.contains(&byte) && (in_quotes || needs_quotes || depth > 0) {
            out.push(b'\\');
        }
        out.push(byte);
    }
    if needs_quotes {
        out.push(b'"');
    }
}
