//! Offsets: bytes of the file, bytes of the text, code units of UTF-16, lines and columns.

use super::chunks::{Number, joined};
use super::document::Document;
use super::reader::{LOOKAHEAD, Reader, SLACK};
use super::splice::string;
use super::sum::{Sum, utf16_len};
use alloc::vec::Vec;
use core::ops::Range;
use placemat_core::utf8::floor_boundary;

/// A line, and a column in it, as editors and the Language Server Protocol count: both from 0, the column in code units of
/// UTF-16. LF, CR LF and CR end a line.
///
/// ```
/// use placemat::{Encoding, edit::{Document, Position}};
/// let document = Document::open(b"caf\xE9\r\n\xFF\xE9!", Encoding::WINDOWS_1252)?;
/// let at = document.text().find('!').unwrap();
/// assert_eq!(document.position_of_text(at), Some(Position::new(1, 2)));
/// assert_eq!(document.text_of_position(Position::new(1, 2)), Some(at));
/// // Beyond the end of a line is its end; there is no fourth line.
/// assert_eq!(document.text_of_position(Position::new(0, 99)), Some("café".len()));
/// assert_eq!(document.text_of_position(Position::new(3, 0)), None);
/// # Ok::<(), placemat::edit::EditError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line, from 0.
    pub line: usize,
    /// The column in code units of UTF-16, from 0.
    pub column: usize,
}

impl Position {
    /// Returns a line and a column, from 0.
    #[must_use]
    pub const fn new(line: usize, column: usize) -> Self {
        Self { line, column }
    }
}

/// A step of reading: offsets in its chunk, and its text.
struct Step {
    byte: usize,
    end: usize,
    text: Range<usize>,
    units: Vec<u8>,
}

impl Document {
    /// Returns the length of the text in bytes of UTF-8.
    #[must_use]
    #[inline]
    pub fn text_len(&self) -> usize {
        self.chunks.sum.text
    }

    /// Returns the length of the text in code units of UTF-16.
    ///
    /// ```
    /// use placemat::{Encoding, edit::Document};
    /// let document = Document::open("é😀\n".as_bytes(), Encoding::UTF_8)?;
    /// assert_eq!((document.text_len(), document.utf16_len(), document.line_count()), (7, 4, 2));
    /// assert_eq!(Document::open(b"\xFF", Encoding::UTF_8)?.utf16_len(), 2);
    /// # Ok::<(), placemat::edit::EditError>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn utf16_len(&self) -> usize {
        self.chunks.sum.utf16
    }

    /// Returns the number of lines: of line ends, and one more.
    #[must_use]
    #[inline]
    pub fn line_count(&self) -> usize {
        self.chunks.sum.lines + 1
    }

    /// Returns the byte of the file at which the sequence of the code point at an offset of the text
    /// begins: after shifts, and at the end, the length of the file. An offset within a code point
    /// counts as the start of it. `None` beyond the end.
    ///
    /// ```
    /// use placemat::{Encoding, edit::Document};
    /// let document = Document::open(b"\xFF\xFEh\0\xE9\0!\0", Encoding::UTF_16LE)?;
    /// let at = document.text().find('!').unwrap();
    /// assert_eq!((document.text_to_byte(at), document.text_of_byte(6)), (Some(6), Some(at)));
    /// assert_eq!((document.text_to_byte(5), document.text_of_byte(9)), (None, None));
    /// # Ok::<(), placemat::edit::EditError>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn text_to_byte(&self, text: usize) -> Option<usize> {
        (text <= self.text_len()).then(|| self.head.len() + self.byte_of(text))
    }

    /// Returns the byte, counted from the end of the signature.
    #[inline]
    pub(super) fn byte_of(&self, text: usize) -> usize {
        let Some((number, before)) = self.chunks.find(text, |sum| sum.text) else { return 0 };
        let at = text - before.text;
        let Some(step) = self.step(number, (usize::MAX, at), |step| step.text.end > at) else {
            return self.chunks.sum.bytes;
        };
        let within = string(&step.units);
        let passed = within.char_indices().take_while(|(i, c)| step.text.start + i + c.len_utf8() <= at);
        // In UTF-7, the last byte of a lone surrogate can begin a code point: that is after the
        // stand-ins, in the same step.
        let passed = if self.is_bytes(within) { passed.count().min(step.end - step.byte - 1) } else { 0 };
        before.bytes + step.byte + passed
    }

    /// Returns the offset of the text at which the sequence with a byte of the file begins, or the next one if the byte is a
    /// part of a shift or of the signature. `None` beyond the end of the file.
    #[must_use]
    #[inline]
    pub fn text_of_byte(&self, byte: usize) -> Option<usize> {
        if byte > self.len() {
            return None;
        }
        let Some(byte) = byte.checked_sub(self.head.len()) else { return Some(0) };
        let Some((number, before)) = self.chunks.find(byte, |sum| sum.bytes) else { return Some(0) };
        let at = byte - before.bytes;
        let Some(step) = self.step(number, (at, usize::MAX), |step| step.end > at) else {
            return Some(self.text_len());
        };
        let within = string(&step.units);
        let passed = if self.is_bytes(within) { at - step.byte } else { 0 };
        Some(before.text + step.text.start + within.chars().take(passed).map(char::len_utf8).sum::<usize>())
    }

    /// Returns `true` if the text of a step begins with a stand-in.
    #[inline]
    fn is_bytes(&self, text: &str) -> bool {
        self.has_bytes && text.chars().next().is_some_and(|c| self.stand_ins.byte_of(c).is_some())
    }

    /// Returns the first step of a chunk that `found` accepts. No step before these offsets, in bytes and in text, is of
    /// interest.
    #[inline]
    fn step(
        &self,
        number: Number,
        (byte, text): (usize, usize),
        found: impl Fn(&Step) -> bool,
    ) -> Option<Step> {
        let (bytes, len, last) = joined(&self.chunks, number, number);
        let place = self.chunks.get(number).place;
        let mut reader = Reader::new(place, &bytes, last, &self.stand_ins);
        let mut read = Vec::new();
        reader.read(&mut read, byte.min(len).saturating_sub(LOOKAHEAD), text.saturating_sub(2 * SLACK));
        let mut start = read.len();
        while reader.at < len {
            read.clear();
            let byte = reader.at;
            if !reader.step(&mut read) {
                break;
            }
            let step = Step { byte, end: reader.at, text: start..start + read.len(), units: read.clone() };
            if found(&step) {
                return Some(step);
            }
            start += read.len();
        }
        None
    }

    /// Returns the text of a chunk.
    #[inline]
    fn text_of(&self, number: Number) -> Vec<u8> {
        let (bytes, len, last) = joined(&self.chunks, number, number);
        let place = self.chunks.get(number).place;
        let mut reader = Reader::new(place, &bytes, last, &self.stand_ins);
        let mut text = Vec::new();
        reader.read_to(&mut text, len);
        text
    }

    /// Returns the offset in code units of UTF-16 of an offset of the text. An offset within a code point counts as the start
    /// of it. `None` beyond the end.
    ///
    /// ```
    /// use placemat::{Encoding, edit::Document};
    /// let document = Document::open("é😀!".as_bytes(), Encoding::UTF_8)?;
    /// assert_eq!((document.utf16_of_text(6), document.text_of_utf16(3)), (Some(3), Some(6)));
    /// // Within the emoji.
    /// assert_eq!((document.utf16_of_text(4), document.text_of_utf16(2)), (Some(1), Some(2)));
    /// assert_eq!((document.utf16_of_text(8), document.text_of_utf16(5)), (None, None));
    /// # Ok::<(), placemat::edit::EditError>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn utf16_of_text(&self, text: usize) -> Option<usize> {
        if text > self.text_len() {
            return None;
        }
        let Some((number, before)) = self.chunks.find(text, |sum| sum.text) else { return Some(0) };
        let chunk = self.text_of(number);
        let at = floor_boundary(&chunk, text - before.text);
        Some(before.utf16 + utf16_len(&chunk[..at]))
    }

    /// Returns the offset of the text of an offset in code units of UTF-16. One within a pair of surrogates counts as the
    /// start of it. `None` beyond the end.
    #[must_use]
    #[inline]
    pub fn text_of_utf16(&self, utf16: usize) -> Option<usize> {
        if utf16 > self.utf16_len() {
            return None;
        }
        let Some((number, before)) = self.chunks.find(utf16, |sum| sum.utf16) else { return Some(0) };
        let chunk = self.text_of(number);
        let mut units = before.utf16;
        let passed = string(&chunk).chars().take_while(|c| {
            units += c.len_utf16();
            units <= utf16
        });
        Some(before.text + passed.map(char::len_utf8).sum::<usize>())
    }

    /// Returns the line and the column of an offset of the text. An offset within a code point, or between CR and LF, counts
    /// as the start of these. `None` beyond the end.
    ///
    /// ```
    /// use placemat::{Encoding, edit::{Document, Position}};
    /// let document = Document::open("é\r\n😀!".as_bytes(), Encoding::UTF_8)?;
    /// let at = document.text().find('!').unwrap();
    /// assert_eq!(document.position_of_text(at), Some(Position::new(1, 2)));
    /// // Between CR and LF, and beyond the end.
    /// assert_eq!(document.position_of_text(3), Some(Position::new(0, 1)));
    /// assert_eq!(document.position_of_text(99), None);
    /// # Ok::<(), placemat::edit::EditError>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn position_of_text(&self, text: usize) -> Option<Position> {
        if text > self.text_len() {
            return None;
        }
        let Some((number, mut sum)) = self.chunks.find(text, |sum| sum.text) else {
            return Some(Position::default());
        };
        let chunk = self.text_of(number);
        let mut at = floor_boundary(&chunk, text - sum.text);
        let is_lf = chunk.get(at) == Some(&b'\n');
        if is_lf && at == 0 && sum.ends_with_cr {
            // The chunk before ends with the CR.
            return self.position_of_text(text - 1);
        }
        if is_lf && at > 0 && chunk[at - 1] == b'\r' {
            at -= 1;
        }
        sum = sum + Sum::of(&chunk[..at], 0);
        let start = self.line_start(sum.lines)?;
        let column = sum.utf16 - self.utf16_of_text(start)?;
        Some(Position { line: sum.lines, column })
    }

    /// Returns the offset of the text of a line and a column. A column beyond the end of its line is that end, before what
    /// ends the line; one within a pair of surrogates is the start of it. `None` for a line that the text does not have.
    ///
    /// ```
    /// use placemat::{Encoding, edit::{Document, Position}};
    /// let document = Document::open("é\r\n😀!".as_bytes(), Encoding::UTF_8)?;
    /// let text_of = |line, column| document.text_of_position(Position::new(line, column));
    /// assert_eq!((text_of(1, 2), text_of(1, 1)), (document.text().find('!'), text_of(1, 0)));
    /// assert_eq!((text_of(0, 7), text_of(2, 0)), (Some(2), None));
    /// # Ok::<(), placemat::edit::EditError>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn text_of_position(&self, position: Position) -> Option<usize> {
        let start = self.line_start(position.line)?;
        let mut end = self.text_len();
        if let Some(next) = self.line_start(position.line + 1) {
            let both = next - start >= 2 && self.slice(next - 2..next).as_deref() == Some("\r\n");
            end = next - if both { 2 } else { 1 };
        }
        let unit = self.utf16_of_text(start)?.saturating_add(position.column);
        Some(self.text_of_utf16(unit.min(self.utf16_of_text(end)?))?.min(end))
    }

    /// Returns the offset of the text at which a line starts.
    #[inline]
    fn line_start(&self, line: usize) -> Option<usize> {
        let Some(wanted) = line.checked_sub(1) else { return Some(0) };
        if wanted >= self.chunks.sum.lines {
            return None;
        }
        let (number, before) = self.chunks.find(wanted, |sum| sum.lines)?;
        let chunk = self.text_of(number);
        let mut lines = before.lines;
        let mut after_cr = before.ends_with_cr;
        for (i, &byte) in chunk.iter().enumerate() {
            let divided = after_cr && byte == b'\n';
            after_cr = byte == b'\r';
            if divided || !matches!(byte, b'\n' | b'\r') {
                continue;
            }
            lines += 1;
            if lines == line {
                let end = before.text + i + 1;
                let next = chunk.get(i + 1).copied().or_else(|| self.byte_after(number));
                return Some(end + usize::from(after_cr && next == Some(b'\n')));
            }
        }
        None
    }

    /// Returns the first byte of the text after a chunk.
    #[inline]
    fn byte_after(&self, number: Number) -> Option<u8> {
        let mut next = self.chunks.next(number);
        while let Some(number) = next {
            if let Some(&first) = self.text_of(number).first() {
                return Some(first);
            }
            next = self.chunks.next(number);
        }
        None
    }
}
