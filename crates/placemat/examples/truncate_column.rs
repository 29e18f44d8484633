//! Shortens text to the width of a column of a database, and never splits a character. The unit of
//! `VARCHAR(20)` depends on the database: bytes, code points or UTF-16 units.
//!
//! `cargo run -p placemat --features examples --example truncate_column` shortens a text of its own
//! and prints
//!
//! ```text
//! 13 bytes         Grüße, 👩     Grüße, …
//! 12 bytes         Grüße,       Grüße, …
//! ```
//!
//! and more. `… --example truncate_column -- 20 utf16 TEXT` shortens your text; in place of
//! `utf16`, write `bytes` or `code-points`.

use core::error::Error;
use placemat::{length, utf8};

/// The unit in which a database counts.
#[derive(Clone, Copy, Debug)]
enum Unit {
    /// Oracle's `VARCHAR2(n BYTE)`, keys of indexes, names of files.
    Byte,
    /// `VARCHAR(n)` of `PostgreSQL` and `MySQL`.
    CodePoint,
    /// `NVARCHAR(n)` of SQL Server; lengths in Java, JavaScript and Windows.
    Utf16,
}

/// The width of a column.
#[derive(Clone, Copy, Debug)]
struct Width {
    max: usize,
    unit: Unit,
}

impl Width {
    fn parse(max: &str, unit: &str) -> Result<Self, Box<dyn Error>> {
        let unit = match unit {
            "bytes" => Unit::Byte,
            "code-points" => Unit::CodePoint,
            "utf16" => Unit::Utf16,
            _ => return Err(format!("{unit:?} is not bytes, code-points or utf16").into()),
        };
        Ok(Self { max: max.parse()?, unit })
    }

    /// Returns the longest start of `text` that fits. It ends between two code points.
    fn fit(self, text: &str) -> &str {
        match self.unit {
            Unit::Byte => utf8::truncate_str(text, self.max),
            Unit::CodePoint => &text[..utf8::truncate_code_points(text.as_bytes(), self.max).len()],
            Unit::Utf16 => &text[..utf8::truncate_utf16(text.as_bytes(), self.max).len()],
        }
    }

    /// Like [`Width::fit`], but marks the cut, within the width. A mark that is too wide is left
    /// out.
    fn fit_marked(self, text: &str, mark: &str) -> String {
        let mark_width = match self.unit {
            Unit::Byte => mark.len(),
            Unit::CodePoint => utf8::count_code_points(mark.as_bytes()),
            Unit::Utf16 => length::utf16_from_utf8(mark.as_bytes()),
        };
        match self.max.checked_sub(mark_width) {
            Some(max) if self.fit(text) != text => Self { max, ..self }.fit(text).to_owned() + mark,
            _ => self.fit(text).to_owned(),
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [max, unit, text] = arguments.as_slice() else { return example() };
    println!("{}", Width::parse(max, unit)?.fit(text));
    Ok(())
}

fn example() -> Result<(), Box<dyn Error>> {
    // The astronaut is a woman, a joiner and a rocket: 11 bytes, 3 code points, 5 UTF-16 units.
    let text = "Grüße, 👩‍🚀!";
    for (max, unit, fits, marked) in [
        ("13", "bytes", "Grüße, 👩", "Grüße, …"),
        ("12", "bytes", "Grüße, ", "Grüße, …"),
        ("8", "code-points", "Grüße, 👩", "Grüße, …"),
        ("8", "utf16", "Grüße, ", "Grüße, …"),
        ("2", "bytes", "Gr", "Gr"),
        ("40", "utf16", text, text),
    ] {
        let width = Width::parse(max, unit)?;
        println!("{:<16} {:<12} {}", format!("{max} {unit}"), width.fit(text), width.fit_marked(text, "…"));
        assert_eq!((width.fit(text), &*width.fit_marked(text, "…")), (fits, marked), "{max} {unit}");
    }
    Ok(())
}

#[test]
fn shortens_its_own_text() -> Result<(), Box<dyn Error>> {
    example()
}
