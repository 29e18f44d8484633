//! Headers of mail and HTTP: encoded words (RFC 2047) and parameters (RFC 2231, RFC 8187).
//!
//! A field is read as a whole, with its folded lines. Encoded words with only white space between them are one text, so that
//! a character may begin in one and end in the next. Such a text stays encoded if its charset does not explain its bytes,
//! or if it contains controls or an encoded word of its own: a decoded header must not gain lines or change its meaning.
//! In a structured field, decoded text gets quotes where it needs them. The body, after the first empty line, is left
//! alone. Text without the name of a field before it is read like a subject.

#![forbid(unsafe_code)]

mod field;
mod fold;
mod params;
mod words;

use self::field::{Kind, Stayed};
use super::input::{Input, Kept};
use super::kinds::Scope;
use super::token::run;
use crate::transfer::TransferErrorKind;
use alloc::vec::Vec;

/// The longest field that is read as a whole.
const MAX_FIELD: usize = 64 * 1024;

#[derive(Clone, Debug)]
pub(super) struct Header {
    scope: Scope,
    /// A field was read.
    begun: bool,
    in_body: bool,
    /// The rest of a field that is too long.
    passes: bool,
}

type Convert = fn(Scope, Kind, &[u8], usize, &mut Vec<u8>) -> Stayed;

impl Header {
    pub(super) const fn new(scope: Scope) -> Self {
        Self { scope, begun: false, in_body: false, passes: false }
    }

    pub(super) fn decode(
        &mut self,
        input: &Input,
        src: &[u8],
        last: bool,
        kept: &mut Kept,
        out: &mut Vec<u8>,
    ) -> usize {
        let convert: Convert = |scope, kind, field, value, out| {
            // Encoded words and extended parameters have one of these pairs.
            if !has_pair(field) {
                out.extend_from_slice(field);
                return Stayed::default();
            }
            let mut plain = Vec::new();
            let mut stayed = params::decode(scope, kind, field, value, &mut plain);
            let words = words::decode(scope, kind, &plain, value, out);
            stayed.count += words.count;
            stayed.first = stayed.first.or(words.first);
            stayed
        };
        self.fields(convert, input, src, last, kept, out)
    }

    pub(super) fn encode(
        &mut self,
        input: &Input,
        src: &[u8],
        last: bool,
        kept: &mut Kept,
        out: &mut Vec<u8>,
    ) -> usize {
        let convert: Convert = |_, kind, field, value, out| {
            if field.is_ascii() {
                out.extend_from_slice(field);
                return Stayed::default();
            }
            let Ok(text) = core::str::from_utf8(field) else {
                out.extend_from_slice(field);
                let mut stayed = Stayed::default();
                stayed.add(run(field, |byte| byte >= 0x80), 1, TransferErrorKind::NoEscape);
                return stayed;
            };
            if kind == Kind::Parameters {
                params::encode(text, value, out)
            } else {
                fold::encode(kind, text, value, out)
            }
        };
        self.fields(convert, input, src, last, kept, out)
    }

    fn fields(
        &mut self,
        convert: Convert,
        input: &Input,
        src: &[u8],
        last: bool,
        kept: &mut Kept,
        out: &mut Vec<u8>,
    ) -> usize {
        let mut at = 0;
        while at < src.len() {
            let rest = &src[at..];
            if self.in_body {
                out.extend_from_slice(rest);
                return src.len();
            }
            let len = match field_len(rest, last) {
                Some(len) => len,
                None if rest.len() > MAX_FIELD => {
                    if !core::mem::replace(&mut self.passes, true) {
                        kept.add(1, || input.error(src, at, rest.len(), TransferErrorKind::TooLong));
                    }
                    // The last bytes decide whether a line ends here.
                    let len = rest.len() - 3;
                    out.extend_from_slice(&rest[..len]);
                    at += len;
                    continue;
                }
                None => break,
            };
            let field = &rest[..len];
            if core::mem::take(&mut self.passes) {
                out.extend_from_slice(field);
            } else if matches!(field, b"\n" | b"\r\n") {
                self.in_body = self.begun;
                out.extend_from_slice(field);
            } else {
                self.begun = true;
                let (kind, value) = kind(field);
                let stayed = convert(self.scope, kind, field, value, out);
                if let Some((place, len, reason)) = stayed.first {
                    kept.add(stayed.count, || input.error(src, at + place, len, reason));
                }
            }
            at += len;
        }
        at
    }
}

/// Returns `true` if a field has `=?` or `*=`.
fn has_pair(field: &[u8]) -> bool {
    let mut at = 0;
    loop {
        at += run(&field[at..], |byte| byte == b'=') + 1;
        if at > field.len() {
            return false;
        }
        if field.get(at) == Some(&b'?') || at > 1 && field[at - 2] == b'*' {
            return true;
        }
    }
}

/// Returns the length of the field at the start of `src`, with its line end, or `None` if more input must decide.
fn field_len(src: &[u8], last: bool) -> Option<usize> {
    let mut at = 0;
    loop {
        at += run(&src[at..], |byte| byte == b'\n') + 1;
        let is_empty = matches!(src, [b'\n', ..] | [b'\r', b'\n', ..]);
        match src.get(at) {
            _ if at > src.len() || at == src.len() && !is_empty => return last.then_some(src.len()),
            Some(b' ' | b'\t') if !is_empty => {}
            _ => return Some(at),
        }
    }
}

/// Returns the rules of a field, and the start of its value.
fn kind(field: &[u8]) -> (Kind, usize) {
    let len = run(field, |byte| !matches!(byte, b'!'..=b'9' | b';'..=b'~'));
    if len == 0 || field.get(len) != Some(&b':') {
        return (Kind::Text, 0);
    }
    let name = &field[..len];
    let is = |known: &[&str]| known.iter().any(|known| known.as_bytes().eq_ignore_ascii_case(name));
    let addresses = [
        "From",
        "To",
        "Cc",
        "Bcc",
        "Sender",
        "Reply-To",
        "Resent-From",
        "Resent-To",
        "Resent-Cc",
        "Resent-Bcc",
        "Resent-Sender",
        "Disposition-Notification-To",
        "Mail-Followup-To",
        "Mail-Reply-To",
        "Errors-To",
    ];
    let kind = if is(&addresses) {
        Kind::Addresses
    } else if is(&["Content-Type", "Content-Disposition"]) {
        Kind::Parameters
    } else {
        Kind::Text
    };
    (kind, len + 1)
}
