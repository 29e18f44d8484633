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
        let count = |wanted: fn(u8) -> bool| text.iter().filter(|&&byte| wanted(byte)).count();
        let both = match text.contains(&b'\r') {
            true => text.windows(2).filter(|two| two == b"\r\n").count(),
            false => 0,
        };
        Self {
            bytes,
            text: text.len(),
            utf16: utf16_len(text),
            lines: count(|byte| matches!(byte, b'\n' | b'\r')) - both,
            begins_with_lf: text.first() == Some(&b'\n'),
            ends_with_cr: text.last() == Some(&b'\r'),
        }
    }
}

/// Returns the length of well-formed UTF-8 in code units of UTF-16.
#[inline]
pub(super) fn utf16_len(text: &[u8]) -> usize {
    text.iter().map(|&byte| usize::from(byte & 0xC0 != 0x80) + usize::from(byte >= 0xF0)).sum()
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
