//! The new name of one file.

use super::super::args::Args;
use super::super::doubt::{Doubt, Question};
use super::super::policies::{self, Policies};
use super::order::Wish;
use crate::shown::{Escaped, escaped_bytes};
use placemat::normalize::Normalization;
use placemat::{ConvertError, Encoding, UnmappablePolicy, utf8};
use placemat_diagnose::describe;

/// Finds the new name of each file.
pub(super) struct Namer<'a> {
    policies: &'a Policies<'a>,
    from: Encoding,
    to: Encoding,
    form: Option<Normalization>,
    force: bool,
}

/// Why a file keeps its name.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Kept {
    /// The name is UTF-8, and was to be read in another encoding.
    Utf8,
    /// The name is ill-formed in the encoding that it is read in.
    IllFormed(String),
    /// The name cannot be converted, or the new one cannot be a name.
    Because(String),
}

impl<'a> Namer<'a> {
    pub(super) fn new(args: &Args, policies: &'a Policies<'a>) -> Self {
        let (from, to) = (args.from.encoding, args.to.encoding);
        Self { policies, from, to, form: args.normalization(), force: args.force }
    }

    /// Returns the new name, which may be the old one.
    pub(super) fn new_name(&self, name: &[u8]) -> Result<Vec<u8>, Kept> {
        let question = Question { from: self.from, to: self.to, text: true, force: self.force };
        match question.ask(&mut &*name, true) {
            Ok(Some(Doubt::Utf8)) => return Err(Kept::Utf8),
            Ok(Some(doubt)) => return Err(Kept::Because(format!("the name: {doubt}"))),
            // Reading from memory does not fail.
            Ok(None) | Err(_) => {}
        }
        let decoder = self.policies.decoder(self.from, Encoding::UTF_8, UnmappablePolicy::Stop);
        let text = decoder.transcode(name).map_err(|e| self.kept(&e, name))?;
        let text = utf8::validate(&text).map_err(|e| Kept::Because(e.to_string()))?;
        let normal = self.form.map_or(text.into(), |form| form.apply(text));
        let encoder = self.policies.encoder(Encoding::UTF_8, self.to);
        let new = encoder.transcode(normal.as_bytes()).map_err(|e| self.kept(&e, name))?;
        if new == name {
            return Ok(new);
        }
        match fault(&normal, &new) {
            Some(why) => Err(Kept::Because(format!("its new name {} {why}", shown(&new)))),
            None => Ok(new),
        }
    }

    /// Returns the normal form of the new name, if it differs from the old one only in that.
    pub(super) fn form(&self, wish: &Wish) -> Option<&'static str> {
        let (form, word) = match self.form? {
            Normalization::Nfc => (Normalization::Nfc, "NFC"),
            Normalization::Nfd | Normalization::Mac => (Normalization::Nfc, "NFD"),
            Normalization::Nfkc => (Normalization::Nfkc, "NFKC"),
            _ => (Normalization::Nfkc, "NFKD"),
        };
        let (old, new) = (utf8::validate(&wish.from).ok()?, utf8::validate(&wish.to).ok()?);
        (form.apply(old) == form.apply(new)).then_some(word)
    }

    fn kept(&self, e: &ConvertError, name: &[u8]) -> Kept {
        match e {
            ConvertError::IllFormed(e) => {
                let at = usize::try_from(e.offset()).unwrap_or(0).min(name.len());
                let (before, following) = name.split_at(at);
                let why = describe(e, self.from, before, following);
                Kept::IllFormed(format!("its name is not {}: {why}", self.from))
            }
            ConvertError::Unmappable(e) => Kept::Because(policies::describe(e, e.offset(), self.to)),
            e => Kept::Because(e.to_string()),
        }
    }
}

/// Returns why text, and its bytes, cannot be the new name of a file.
fn fault(text: &str, bytes: &[u8]) -> Option<String> {
    let is_separator = |c: char| c.is_ascii() && std::path::is_separator(c);
    if bytes.is_empty() {
        Some("is empty".into())
    } else if bytes == b"." || bytes == b".." {
        Some("means a directory".into())
    } else if text.contains(is_separator) || bytes.iter().any(|&byte| std::path::is_separator(byte.into())) {
        Some("contains a slash, which separates names".into())
    } else if let Some(c) = text.chars().find(|c| c.is_control()) {
        Some(format!("contains a control character, U+{:04X}", u32::from(c)))
    } else {
        let byte = bytes.iter().find(|byte| byte.is_ascii_control());
        byte.map(|byte| format!("contains a control character, the byte {byte:02x}"))
    }
}

/// Returns a name as messages show it.
pub(super) fn shown(name: &[u8]) -> Escaped<'_> {
    escaped_bytes(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_cannot_be() {
        for (text, part) in [
            ("", "empty"),
            (".", "directory"),
            ("..", "directory"),
            ("a/b", "slash"),
            ("/", "slash"),
            ("a\0", "U+0000"),
            ("a\nb", "U+000A"),
            ("\u{1B}[31m", "U+001B"),
            ("\u{7F}", "U+007F"),
            ("a\u{85}", "U+0085"),
        ] {
            assert!(fault(text, text.as_bytes()).is_some_and(|why| why.contains(part)), "{text:?}");
        }
        // UTF-16: a letter has a NUL, and U+2F61 the byte of a slash.
        assert!(fault("a", b"a\0").is_some());
        assert!(fault("\u{2F61}", b"\x61\x2F").is_some());
        for text in ["a", "...", ".a", "é", "a b", "漢字", "a\u{202E}b"] {
            assert_eq!(fault(text, text.as_bytes()), None);
        }
    }
}
