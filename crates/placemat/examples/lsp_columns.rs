//! Converts positions of the Language Server Protocol, which count UTF-16 units, to byte offsets of
//! a Rust string and back, and applies an edit that an editor sends.
//!
//! `cargo run -p placemat --features examples --example lsp_columns` converts positions in a text
//! of its own and prints
//!
//! ```text
//! line 1, character 9 is byte 27: "= 1"
//! ```
//!
//! and the text after an edit.

use core::ops::Range;
use placemat::utf16::{byte_to_column, column_to_byte};

/// A position as editors send it: a line and a UTF-16 unit in it, both from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Position {
    line: usize,
    character: usize,
}

/// A text with the offsets of its lines.
struct Source {
    text: String,
    /// The byte at which each line starts.
    starts: Vec<usize>,
}

impl Source {
    fn new(text: String) -> Self {
        // LF, CR LF and CR end a line.
        let ends_line = |at: usize| match text.as_bytes()[at] {
            b'\n' => true,
            b'\r' => text.as_bytes().get(at + 1) != Some(&b'\n'),
            _ => false,
        };
        let starts = (0..text.len()).filter(|&at| ends_line(at)).map(|at| at + 1);
        Self { starts: core::iter::once(0).chain(starts).collect(), text }
    }

    /// Returns a line without its end; `None` past the last line.
    fn line(&self, line: usize) -> Option<&str> {
        let end = self.starts.get(line + 1).copied().unwrap_or(self.text.len());
        let line = self.text.get(*self.starts.get(line)?..end)?;
        Some(line.trim_end_matches(['\r', '\n']))
    }

    /// Returns the byte of a position, always a boundary of characters. A position past the end of
    /// its line is the end of the line, as the protocol wants it.
    fn byte(&self, position: Position) -> Option<usize> {
        let line = self.line(position.line)?;
        Some(self.starts[position.line] + column_to_byte(line, position.character))
    }

    /// Returns the position of a byte. A byte within a character has the position of that
    /// character.
    fn position(&self, byte: usize) -> Position {
        let line = self.starts.partition_point(|&start| start <= byte) - 1;
        let character = byte_to_column(self.line(line).unwrap_or_default(), byte - self.starts[line]);
        Position { line, character }
    }

    /// Replaces a range, as a `TextDocumentContentChangeEvent` asks. `None` if the range is not in
    /// the text: the editor then has another one.
    fn change(&mut self, range: Range<Position>, new: &str) -> Option<()> {
        let (start, end) = (self.byte(range.start)?, self.byte(range.end)?);
        let after = self.text.get(start.max(end)..).filter(|_| start <= end)?;
        *self = Self::new([&self.text[..start], new, after].concat());
        Some(())
    }
}

fn main() {
    let mut source = Source::new("let a = 1;\r\nlet 変数😀 = 1;\n".into());
    // The ideographs are one unit and three bytes each, the face two units and four bytes.
    let equals = Position { line: 1, character: 9 };
    let byte = source.byte(equals).unwrap_or_default();
    println!("line 1, character 9 is byte {byte}: {:?}", &source.text[byte..byte + 3]);
    assert_eq!((byte, &source.text[byte..=byte]), (27, "="));

    // Each byte has a position, and each position of a character leads back to its byte.
    for (byte, _) in source.text.char_indices().filter(|(_, c)| !matches!(c, '\r' | '\n')) {
        assert_eq!(source.byte(source.position(byte)), Some(byte));
    }
    // Within the face; past the end of a line; past the end of the text.
    assert_eq!(source.byte(Position { line: 1, character: 7 }), Some(22));
    assert_eq!(source.byte(Position { line: 0, character: 99 }), Some(10));
    assert_eq!(source.byte(Position { line: 9, character: 0 }), None);

    let face = Position { line: 1, character: 6 }..Position { line: 1, character: 8 };
    assert_eq!(source.change(face, "é"), Some(()));
    print!("{}", source.text);
    assert_eq!(source.text, "let a = 1;\r\nlet 変数é = 1;\n");
}

#[test]
fn converts_its_own_positions() {
    main();
}
