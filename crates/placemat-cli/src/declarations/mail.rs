//! The parts of a mail (RFC 2045, RFC 2046), and the charset that each declares.

use core::ops::Range;

/// A part that declares a charset, and whose bytes are text as they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// The bytes of the charset's label.
    pub(super) charset: Range<usize>,
    pub(super) body: Range<usize>,
}

/// The headers of a part.
#[derive(Debug, Default)]
struct Headers {
    charset: Option<Range<usize>>,
    boundary: Option<Vec<u8>>,
    /// `base64` or `quoted-printable`: the bytes are not the text.
    is_encoded: bool,
    /// Another mail follows.
    is_mail: bool,
}

/// Returns the parts.
pub(super) fn parts(text: &[u8]) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut boundaries: Vec<Vec<u8>> = Vec::new();
    let mut at = 0;
    let mut in_headers = true;
    while at < text.len() {
        if in_headers {
            let end = headers_end(text, at);
            let headers = Headers::read(text, at..end);
            at = end;
            in_headers = headers.is_mail;
            if let Some(charset) = headers.charset.filter(|_| !headers.is_encoded) {
                parts.push(Part { charset, body: end..text.len() });
            }
            boundaries.extend(headers.boundary);
            continue;
        }
        let end = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |len| at + len + 1);
        let line = text[at..end].trim_ascii_end();
        let named = line.strip_prefix(b"--").and_then(|rest| {
            let rest = rest.strip_suffix(b"--").unwrap_or(rest);
            boundaries.iter().rposition(|boundary| boundary == rest || line[2..] == **boundary)
        });
        if let Some(depth) = named {
            if let Some(part) = parts.last_mut().filter(|part| part.body.end == text.len()) {
                part.body.end = at;
            }
            boundaries.truncate(depth + 1);
            in_headers = line[2..] == *boundaries[depth];
        }
        at = end;
    }
    parts
}

/// Returns the end of the headers: after the empty line.
fn headers_end(text: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(len) = memchr::memchr(b'\n', &text[at..]) {
        let line = &text[at..at + len];
        at += len + 1;
        if line.trim_ascii_end().is_empty() {
            return at;
        }
    }
    text.len()
}

impl Headers {
    fn read(text: &[u8], range: Range<usize>) -> Self {
        let mut headers = Self::default();
        let mut at = range.start;
        while at < range.end {
            let end = field_end(text, at, range.end);
            let field = &text[at..end];
            let name = field.iter().position(|&byte| byte == b':').unwrap_or(0);
            let value = at + name + 1..end;
            match &field[..name].to_ascii_lowercase()[..] {
                b"content-type" => headers.content_type(text, value),
                b"content-transfer-encoding" => {
                    let value = text[value].trim_ascii().to_ascii_lowercase();
                    headers.is_encoded = value.starts_with(b"base64") || value.starts_with(b"quoted");
                }
                _ => {}
            }
            at = end;
        }
        headers
    }

    fn content_type(&mut self, text: &[u8], value: Range<usize>) {
        let whole = &text[value.clone()];
        self.is_mail = whole.trim_ascii_start().to_ascii_lowercase().starts_with(b"message/rfc822");
        let mut at = value.start;
        while let Some(next) = memchr::memchr(b';', &text[at..value.end]) {
            at += next + 1;
            let start = at + text[at..value.end].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            let Some(equals) = memchr::memchr(b'=', &text[start..value.end]) else { break };
            let name = text[start..start + equals].trim_ascii().to_ascii_lowercase();
            let mut from = start + equals + 1;
            from += text[from..value.end].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            let is_quoted = text.get(from) == Some(&b'"');
            from += usize::from(is_quoted);
            let is_end = |byte: u8| {
                if is_quoted {
                    byte == b'"'
                } else {
                    byte == b';' || byte.is_ascii_whitespace() || byte == b'('
                }
            };
            let len = text[from..value.end].iter().take_while(|&&byte| !is_end(byte)).count();
            at = from + len;
            match &name[..] {
                b"charset" => self.charset = Some(from..at),
                b"boundary" => self.boundary = Some(text[from..at].to_vec()),
                _ => {}
            }
        }
    }
}

/// Returns the end of a field, which goes on in lines that begin with a blank.
fn field_end(text: &[u8], from: usize, end: usize) -> usize {
    let mut at = from;
    loop {
        match memchr::memchr(b'\n', &text[at..end]) {
            Some(len) => at += len + 1,
            None => return end,
        }
        if !matches!(text.get(at), Some(b' ' | b'\t')) {
            return at;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_mail() {
        let mail = b"From: a@b\r\nContent-Type: multipart/mixed;\r\n boundary=\"x y\"\r\n\r\nintro\r\n--x y\r\n\
            content-type: text/plain; format=flowed;\r\n\tcharset=koi8-r\r\n\r\none\r\n--x y\r\n\
            Content-Type: text/plain; charset=\"utf-8\"\r\nContent-Transfer-Encoding: BASE64\r\n\r\n0YQ=\r\n--x y\r\n\
            Content-Type: message/rfc822\r\n\r\nContent-Type: text/html;charset=latin1 (old)\r\n\r\ntwo\r\n--x y--\r\nend\r\n";
        let found: Vec<_> =
            parts(mail).into_iter().map(|part| (&mail[part.charset], &mail[part.body])).collect();
        let expected: [(&[u8], &[u8]); 2] = [(b"koi8-r", b"one\r\n"), (b"latin1", b"two\r\n")];
        assert_eq!(found, expected);
        assert_eq!(parts(b""), []);
        assert_eq!(parts(b"Content-Type"), []);
        assert_eq!(parts(b"\n\n"), []);
    }
}
