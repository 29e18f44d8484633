//! Lines of a stream that are kept to learn from, in constant memory.

use super::runs::evidence;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// The bytes of a line that are kept.
const LINE: usize = 400;
/// The first lines are kept, up to this many bytes.
const FIRST: usize = 32 * 1024;
/// After the first lines, at most this many lines are kept, spread over the text.
const SPREAD: usize = 128;
/// The bytes of lines of UTF-8.
const UTF8: usize = 2048;

/// A line that is ill-formed UTF-8, or a part of it.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) bytes: Vec<u8>,
    /// The parts that may be text of a legacy encoding.
    pub(super) parts: Vec<Range<usize>>,
}

/// The first lines that are ill-formed UTF-8, and then each n-th; n doubles whenever there are too many of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept {
    first: Vec<Line>,
    first_bytes: usize,
    spread: Vec<Line>,
    /// The lines after the first ones.
    after: u64,
    /// The number of lines for each one that is kept, as a power of two.
    stride: u32,
    /// The first lines that are well-formed UTF-8 and not ASCII, and well-formed words of others.
    pub(super) utf8: String,
    /// The number of lines that are well-formed UTF-8 and not ASCII, and of ill-formed ones.
    pub(super) well_formed_lines: u64,
    pub(super) ill_formed_lines: u64,
}

impl Kept {
    /// Takes a line, if it is ill-formed UTF-8.
    pub(super) fn ill_formed(&mut self, line: &[u8]) {
        let bytes = around(line);
        let parts = evidence(bytes);
        if parts.is_empty() {
            return;
        }
        self.ill_formed_lines += 1;
        self.words(bytes);
        let line = || Line { bytes: bytes.to_vec(), parts };
        if self.first_bytes < FIRST {
            self.first_bytes += bytes.len();
            self.first.push(line());
            return;
        }
        let number = self.after;
        self.after += 1;
        if !number.is_multiple_of(1 << self.stride) {
            return;
        }
        if self.spread.len() == SPREAD {
            let mut at = 0;
            self.spread.retain(|_| {
                at += 1;
                at % 2 == 1
            });
            self.stride += 1;
            if !number.is_multiple_of(1 << self.stride) {
                return;
            }
        }
        self.spread.push(line());
    }

    /// Takes lines that are well-formed UTF-8.
    pub(super) fn well_formed(&mut self, text: &str) {
        let room = UTF8.saturating_sub(self.utf8.len());
        let end = (0..=room.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        self.utf8.push_str(&text[..end]);
    }

    /// Takes the well-formed words of a line that has others.
    fn words(&mut self, line: &[u8]) {
        if self.utf8.len() >= UTF8 {
            return;
        }
        for word in line.split(|&byte| byte <= b' ') {
            if let Ok(word) = core::str::from_utf8(word)
                && !word.is_ascii()
            {
                self.well_formed(word);
                self.well_formed(" ");
            }
        }
    }

    pub(super) fn lines(&self) -> impl Iterator<Item = &Line> {
        self.first.iter().chain(&self.spread)
    }
}

/// Returns the part of a line around its first non-ASCII byte, between spaces.
fn around(line: &[u8]) -> &[u8] {
    if line.len() <= LINE {
        return line;
    }
    let first = line.iter().position(|byte| !byte.is_ascii()).unwrap_or(0);
    let is_space = |byte: &u8| *byte <= b' ';
    let far = first.saturating_sub(LINE / 2);
    let start = far + line[far..first].iter().position(is_space).map_or(0, |at| at + 1);
    let near = &line[start..line.len().min(start + LINE)];
    let end = if start + near.len() == line.len() {
        near.len()
    } else {
        near.iter().rposition(is_space).unwrap_or(near.len())
    };
    &near[..end]
}
