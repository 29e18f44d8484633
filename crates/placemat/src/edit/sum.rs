//! The lengths of a text in each unit.

use core::ops::Add;

/// The lengths of a piece of a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sum {
    /// In bytes of the file.
    pub(super) bytes: usize,
    /// In bytes of UTF-8.
    pub(super) text: usize,
    /// In code units of UTF-16.
    pub(super) utf16: usize,
    /// In line ends. CR LF is one.
    pub(super) lines: usize,
    begins_with_lf: bool,
    pub(super) ends_with_cr: bool,
}

impl Sum {
    /// Returns the lengths of a text, which is well-formed UTF-8, and of its `bytes` bytes in the
    /// file.
    #[inline]
    pub(super) fn of(text: &[u8], bytes: usize) -> Self {
        let breaks = count(text, |byte| u8::from(byte == b'\n') + u8::from(byte == b'\r'));
        Self {
            bytes,
            text: text.len(),
            utf16: utf16_len(text),
            lines: breaks - crlf(text),
            begins_with_lf: text.first() == Some(&b'\n'),
            ends_with_cr: text.last() == Some(&b'\r'),
        }
    }
}

/// Returns the number of CR LF.
#[inline]
fn crlf(text: &[u8]) -> usize {
    let after = text.get(1..).unwrap_or_default();
    let chunks = text.chunks(CHUNK).zip(after.chunks(CHUNK));
    let pairs = |(text, after): (&[u8], &[u8])| -> u8 {
        text.iter().zip(after).map(|(&a, &b)| u8::from(a == b'\r') & u8::from(b == b'\n')).sum()
    };
    chunks.map(|both| usize::from(pairs(both))).sum()
}

/// Returns the length of well-formed UTF-8 in code units of UTF-16.
#[inline]
pub(super) fn utf16_len(text: &[u8]) -> usize {
    count(text, |byte| u8::from(byte & 0xC0 != 0x80) + u8::from(byte >= 0xF0))
}

/// Small counters in chunks this short make vector code.
const CHUNK: usize = 64;

/// Returns the sum of the numbers of all bytes, which are at most 2.
#[inline]
fn count(text: &[u8], number: impl Fn(u8) -> u8) -> usize {
    text.chunks(CHUNK).map(|chunk| usize::from(chunk.iter().map(|&byte| number(byte)).sum::<u8>())).sum()
}

impl Add for Sum {
    type Output = Self;

    #[inline]
    fn add(self, next: Self) -> Self {
        let divided = self.ends_with_cr && next.begins_with_lf;
        Self {
            bytes: self.bytes + next.bytes,
            text: self.text + next.text,
            utf16: self.utf16 + next.utf16,
            lines: self.lines + next.lines - usize::from(divided),
            begins_with_lf: if self.text == 0 { next.begins_with_lf } else { self.begins_with_lf },
            ends_with_cr: if next.text == 0 { self.ends_with_cr } else { next.ends_with_cr },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    /// The standard library counts the same, wherever a chunk ends.
    #[test]
    fn the_counts_of_any_length() {
        let pieces = ["\r\n", "a", "\r", "é", "\n", "日", "\u{1F600}", "bc", "\n\r"];
        let mut text = String::new();
        for number in 0..1500_usize {
            let sum = Sum::of(text.as_bytes(), 7);
            let lines = text.replace("\r\n", "\n").matches(['\n', '\r']).count();
            assert_eq!((sum.bytes, sum.text, sum.lines), (7, text.len(), lines), "{text:?}");
            assert_eq!(sum.utf16, text.encode_utf16().count(), "{text:?}");
            text.push_str(pieces[number * number / 3 % pieces.len()]);
        }
        assert!(text.len() > 20 * CHUNK);
    }
}
