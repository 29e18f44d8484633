//! JSON, written by hand: the answers are small and flat, and a serializer would be larger than
//! they are.

use core::fmt::{Display, Write as _};

/// A JSON text under construction.
#[derive(Debug, Default)]
pub(crate) struct Json {
    text: String,
}

impl Json {
    pub(crate) fn object() -> Self {
        Self { text: "{".into() }
    }

    pub(crate) fn array() -> Self {
        Self { text: "[".into() }
    }

    pub(crate) fn end_object(mut self) -> String {
        self.text.push('}');
        self.text
    }

    pub(crate) fn end_array(mut self) -> String {
        self.text.push(']');
        self.text
    }

    fn comma(&mut self) {
        if !self.text.ends_with(['{', '[', ':']) {
            self.text.push(',');
        }
    }

    fn key(&mut self, key: &str) {
        self.comma();
        _ = write!(self.text, "\"{key}\":");
    }

    /// Adds a number, `true`, or JSON.
    pub(crate) fn raw(&mut self, key: &str, value: impl Display) -> &mut Self {
        self.key(key);
        _ = write!(self.text, "{value}");
        self
    }

    pub(crate) fn string(&mut self, key: &str, value: &str) -> &mut Self {
        self.key(key);
        push_string(&mut self.text, value);
        self
    }

    pub(crate) fn maybe(&mut self, key: &str, value: Option<&str>) -> &mut Self {
        match value {
            Some(value) => self.string(key, value),
            None => self.raw(key, "null"),
        }
    }

    /// Adds bytes in the form `c0af`.
    pub(crate) fn hex(&mut self, key: &str, bytes: &[u8]) -> &mut Self {
        self.key(key);
        self.text.push('"');
        for byte in bytes {
            _ = write!(self.text, "{byte:02x}");
        }
        self.text.push('"');
        self
    }

    /// Adds an element of an array, which is JSON.
    pub(crate) fn element(&mut self, value: impl Display) -> &mut Self {
        self.comma();
        _ = write!(self.text, "{value}");
        self
    }

    pub(crate) fn string_element(&mut self, value: &str) -> &mut Self {
        self.comma();
        push_string(&mut self.text, value);
        self
    }
}

fn push_string(to: &mut String, value: &str) {
    to.push('"');
    for c in value.chars() {
        match c {
            '"' => to.push_str("\\\""),
            '\\' => to.push_str("\\\\"),
            '\0'..='\x1F' => _ = write!(to, "\\u{:04x}", u32::from(c)),
            _ => to.push(c),
        }
    }
    to.push('"');
}
