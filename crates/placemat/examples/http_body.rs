//! Decodes the body of an HTTP answer as a browser does: by the `charset` of its `Content-Type`,
//! unless the body begins with a byte order mark (BOM), which wins.
//!
//! `cargo run -p placemat --features examples --example http_body` decodes bodies of its own and
//! prints
//!
//! ```text
//! text/html; charset=latin1      windows-1252  0 errors  5 € a day
//! text/plain;charset="utf-8"     UTF-16LE      0 errors  hi
//! ```
//!
//! and three more. `… --example http_body -- 'text/plain; charset=koi8-r' FILE` decodes a file in
//! constant memory.

use core::error::Error;
use placemat::{Encoding, label, web};
use std::fs::File;
use std::io;

/// The encoding of a body without a label: most of the web is UTF-8.
const DEFAULT: Encoding = Encoding::UTF_8;

/// Returns the encoding that a `Content-Type` asks for. A label that browsers do not know counts as
/// none.
fn encoding_of(content_type: Option<&str>) -> Encoding {
    content_type.and_then(label::of_content_type).and_then(web::for_label).unwrap_or(DEFAULT)
}

/// Decodes a body that is in memory. ASCII and UTF-8 are borrowed, not copied.
fn decode<'a>(content_type: Option<&str>, body: &'a [u8]) -> web::Decoded<'a> {
    web::decode(body, encoding_of(content_type))
}

/// Copies a body of any length to `text` as UTF-8. Returns its encoding and the number of errors.
fn copy(content_type: &str, body: impl io::Read, mut text: impl io::Write) -> io::Result<(Encoding, u64)> {
    let mut reader = web::reader(body, encoding_of(Some(content_type)));
    io::copy(&mut reader, &mut text)?;
    text.flush()?;
    Ok((reader.encoding(), reader.tally().replaced.count))
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(content_type), Some(path)) = (arguments.next(), arguments.next()) else {
        return example();
    };
    let (encoding, errors) = copy(&content_type, File::open(path)?, io::stdout().lock())?;
    eprintln!("{encoding}, {errors} errors");
    Ok(())
}

fn example() -> Result<(), Box<dyn Error>> {
    // On the web, Latin-1 means windows-1252, which has the euro sign.
    let latin1 = Some("text/html; charset=latin1");
    show(latin1, b"5 \x80 a day", ("5 € a day", Encoding::WINDOWS_1252, 0))?;
    // The byte order mark wins over the label, and is not part of the text.
    let utf8 = Some("text/plain;charset=\"utf-8\"");
    show(utf8, b"\xFF\xFEh\0i\0", ("hi", Encoding::UTF_16LE, 0))?;
    show(Some("text/plain; charset=Shift_JIS"), b"\x93\xFA\x96\x7B", ("日本", Encoding::SHIFT_JIS, 0))?;
    // No label, and one that nobody knows. U+FFFD replaces the error, which is counted.
    show(None, "naïve".as_bytes(), ("naïve", Encoding::UTF_8, 0))?;
    show(Some("text/html; charset=klingon"), b"caf\xE9", ("caf\u{FFFD}", Encoding::UTF_8, 1))
}

/// Decodes a body both ways, prints the text and compares it.
fn show(
    content_type: Option<&str>,
    body: &[u8],
    (text, encoding, errors): (&str, Encoding, u64),
) -> Result<(), Box<dyn Error>> {
    let decoded = decode(content_type, body);
    let shown = content_type.unwrap_or("(none)");
    println!("{shown:<30} {:<13} {} errors  {}", decoded.encoding, decoded.errors, decoded.text);
    assert_eq!((&*decoded.text, decoded.encoding, decoded.errors), (text, encoding, errors));

    let mut copied = Vec::new();
    assert_eq!(copy(shown, body, &mut copied)?, (encoding, errors));
    assert_eq!(copied, text.as_bytes());
    Ok(())
}

#[test]
fn decodes_its_own_bodies() -> Result<(), Box<dyn Error>> {
    example()
}
