//! Lines and columns of places in a text.
//!
//! Lines end with U+000A; CR LF is one line end. Columns count code points, and as a second measure UTF-16 code units,
//! which is what editors and protocols such as LSP count. An ill-formed sequence is one column wide in both, as U+FFFD
//! in its place would be. U+FEFF at the start is a column where it is text, and none where the encoding drops it.

use placemat::{Encoding, length, utf8};

/// A place in the lines of a text, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The number of the line, from 1.
    pub line: u64,
    /// The column, in code points, from 1.
    pub column: u64,
    /// The column, in UTF-16 code units, from 1.
    pub utf16_column: u64,
}

/// Follows a text piece by piece. For every encoding, the pieces are in UTF-8, cut between code points.
///
/// ```
/// use placemat::Encoding;
/// use placemat_diagnose::lines::Tracker;
/// let mut tracker = Tracker::default();
/// tracker.text("one\ntwo é".as_bytes());
/// tracker.ill_formed(b"\xFF", Encoding::UTF_8);
/// let place = tracker.place();
/// assert_eq!((place.line, place.column), (2, 7));
/// ```
///
/// On long pieces this is a count of line feeds, and of code points after the last of them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tracker {
    /// The number of line feeds so far.
    line_feeds: u64,
    /// The number of code points since the last line feed.
    code_points: u64,
    utf16_units: u64,
}

impl Tracker {
    /// Returns a tracker at the start of a line, which counts from 1.
    ///
    /// ```
    /// use placemat_diagnose::lines::Tracker;
    /// assert_eq!(Tracker::at_line(3).place().line, 3);
    /// ```
    #[must_use]
    pub fn at_line(line: u64) -> Self {
        Self { line_feeds: line.saturating_sub(1), ..Self::default() }
    }

    /// Returns the place of the next code point.
    #[must_use]
    pub const fn place(&self) -> Place {
        Place { line: self.line_feeds + 1, column: self.code_points + 1, utf16_column: self.utf16_units + 1 }
    }

    /// Advances past well-formed text.
    pub fn text(&mut self, text: &[u8]) {
        let here = self.after_line_feeds(text);
        let code_points = utf8::count_code_points(here) as u64;
        self.code_points += code_points;
        // In ASCII, bytes, code points and units are the same in number.
        let ascii = here.len() as u64 == code_points;
        self.utf16_units += if ascii { code_points } else { length::utf16_from_utf8(here) as u64 };
    }

    /// Returns the end of a text that starts here.
    #[must_use]
    pub fn after(mut self, text: &str) -> Place {
        self.text(text.as_bytes());
        self.place()
    }

    /// Returns the state after an ill-formed sequence that starts here.
    #[must_use]
    pub fn past_ill_formed(mut self, bytes: &[u8], encoding: Encoding) -> Self {
        self.ill_formed(bytes, encoding);
        self
    }

    /// Advances past an ill-formed sequence of these bytes.
    pub fn ill_formed(&mut self, bytes: &[u8], encoding: Encoding) {
        // With `--span lead`, a lead byte can have swallowed a line end; the bytes after that count as if alone. In units of
        // several bytes, and where 0A is another character, the byte ends no line.
        let here = if encoding.takes_escapes() { self.after_line_feeds(bytes) } else { bytes };
        let columns = if here.len() == bytes.len() { 1 } else { utf8::count_code_points(here) as u64 };
        self.code_points += columns;
        self.utf16_units += columns;
    }

    /// Counts line feeds. Returns the bytes after the last one.
    fn after_line_feeds<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        let line_feeds = utf8::count_line_feeds(bytes) as u64;
        if line_feeds == 0 {
            return bytes;
        }
        *self = Self { line_feeds: self.line_feeds + line_feeds, ..Self::default() };
        let last = bytes.iter().rposition(|&byte| byte == b'\n').unwrap_or(0);
        &bytes[last + 1..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(pieces: &[&str]) -> (u64, u64, u64) {
        let mut tracker = Tracker::default();
        for piece in pieces {
            tracker.text(piece.as_bytes());
        }
        let Place { line, column, utf16_column } = tracker.place();
        (line, column, utf16_column)
    }

    #[test]
    fn lines_and_columns_of_small_texts() {
        assert_eq!(at(&[]), (1, 1, 1));
        assert_eq!(at(&["ab"]), (1, 3, 3));
        assert_eq!(at(&["a\n"]), (2, 1, 1));
        assert_eq!(at(&["a\r\nb"]), (2, 2, 2));
        assert_eq!(at(&["a\rb"]), (1, 4, 4));
        assert_eq!(at(&["€😀", "é"]), (1, 4, 5));
        assert_eq!(at(&["😀\n", "é", "😀"]), (2, 3, 4));
    }

    #[test]
    fn any_pieces_give_the_place_in_the_whole() {
        let text = "añb\r\n€😀\n\n𐍈x\u{301}y\nlast line with 日本語 and more".repeat(3);
        for end in (0..=text.len()).filter(|&end| text.is_char_boundary(end)) {
            let before = &text[..end];
            let line = before.rsplit('\n').next().unwrap_or("");
            let naive = (
                before.matches('\n').count() as u64 + 1,
                line.chars().count() as u64 + 1,
                line.encode_utf16().count() as u64 + 1,
            );
            assert_eq!(at(&[before]), naive);
            for cut in (0..=end).filter(|&cut| text.is_char_boundary(cut)) {
                assert_eq!(at(&[&before[..cut], &before[cut..]]), naive, "{cut} {end}");
            }
        }
    }

    #[test]
    fn ill_formed_sequences_are_a_column_wide() {
        let mut tracker = Tracker::default();
        tracker.text(b"ab");
        tracker.ill_formed(b"\xE2\x82", Encoding::UTF_8);
        tracker.ill_formed(b"\xFF", Encoding::UTF_8);
        assert_eq!(tracker.place(), Place { line: 1, column: 5, utf16_column: 5 });
        tracker.ill_formed(b"\xE2\nab", Encoding::UTF_8);
        assert_eq!(tracker.place(), Place { line: 2, column: 3, utf16_column: 3 });
        // Half of a surrogate, and a byte that is a line feed only in ASCII.
        tracker.ill_formed(b"\x0A\xD8", Encoding::UTF_16LE);
        tracker.ill_formed(b"\x0A", Encoding::IBM037);
        assert_eq!(tracker.place(), Place { line: 2, column: 5, utf16_column: 5 });
    }
}
