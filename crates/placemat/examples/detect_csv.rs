//! Prints the rows of a CSV file of unknown encoding, and how sure the encoding is.
//!
//! `cargo run -p placemat --features examples --example detect_csv` reads tables of its own and
//! prints, among others,
//!
//! ```text
//! windows-1251 or reads the same (RK1048, …), 100.0 % sure, by Statistics
//!   Город | Страна | Население
//!   Москва | Россия | 13 010 112
//! ```
//!
//! `… --example detect_csv -- FILE` reads a file of yours.

use core::error::Error;
use placemat::{Encoding, UnmappablePolicy, detect};
use std::borrow::Cow;

/// Below this confidence a person should look at the table first.
const MIN_CONFIDENCE: f32 = 0.9;

/// A table and what is known of its encoding.
struct Table {
    rows: Vec<Vec<String>>,
    encoding: Encoding,
    /// The encoding in words, and how sure it is.
    found: String,
}

/// Reads a table in an unknown encoding.
fn read(bytes: &[u8]) -> Result<Table, String> {
    let found = detect(bytes);
    let words = format!("{found}, {:.1} % sure, by {:?}", 100.0 * found.confidence, found.basis);
    let Some(encoding) = found.encoding else {
        return Err(format!("this is no text, or in an unknown encoding: {words}"));
    };
    if found.confidence < MIN_CONFIDENCE {
        return Err(format!("the encoding is not certain: {words}"));
    }
    // The byte order mark goes, or the first column would begin with it.
    let decoded = encoding.decode_lossy(bytes);
    Ok(Table { rows: rows(decoded.text), encoding, found: words })
}

/// Splits a table at the separator that its first line has most of. Quoted cells may contain the
/// separator, but no line ends.
fn rows(text: Cow<'_, str>) -> Vec<Vec<String>> {
    let head = text.lines().next().unwrap_or_default();
    let separator =
        [',', ';', '\t'].into_iter().max_by_key(|&separator| head.matches(separator).count()).unwrap_or(',');
    let cells = |line: &str| {
        let (mut cells, mut is_quoted) = (vec![String::new()], false);
        for c in line.chars() {
            match (c, cells.last_mut()) {
                ('"', _) => is_quoted = !is_quoted,
                (c, Some(cell)) if is_quoted || c != separator => cell.push(c),
                _ => cells.push(String::new()),
            }
        }
        cells
    };
    text.lines().map(cells).collect()
}

fn print(table: &Table) {
    println!("{}", table.found);
    for row in &table.rows {
        println!("  {}", row.join(" | "));
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let Some(path) = std::env::args_os().nth(1) else { return example() };
    print(&read(&std::fs::read(path)?)?);
    Ok(())
}

fn example() -> Result<(), Box<dyn Error>> {
    let russian = "Город;Страна;Население\r\nМосква;Россия;13 010 112\r\nОмск;Россия;1 125 695\r\n";
    let french = "id,name,note\n1,Béatrice,\"déjà payé, à vérifier\"\n2,François,élève à l'école\n";
    for (text, encoding, detected) in [
        (russian, Encoding::WINDOWS_1251, Encoding::WINDOWS_1251),
        (french, Encoding::WINDOWS_1252, Encoding::WINDOWS_1252),
        // With a byte order mark.
        (french, Encoding::UTF_16, Encoding::UTF_16LE),
        (french, Encoding::UTF_8_BOM, Encoding::UTF_8),
    ] {
        let table = read(&encoding.encode(text, UnmappablePolicy::Stop)?)?;
        print(&table);
        assert_eq!((table.encoding, table.rows), (detected, rows(text.into())));
    }
    // Noise is no table.
    let noise: Vec<u8> = (0..4096_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    println!("{}", read(&noise).err().ok_or("noise was taken for text")?);
    Ok(())
}

#[test]
fn reads_its_own_tables() -> Result<(), Box<dyn Error>> {
    example()
}
