//! Takes the name of an encoding from the command line and converts a file from it to UTF-8. For an
//! unknown name, the error suggests one.
//!
//! `cargo run -p placemat --features examples --example runtime_encoding` tries names of its own
//! and prints, among others,
//!
//! ```text
//! latin-2      ISO-8859-2
//! windws-1251  unknown encoding "windws-1251"; did you mean windows-1251?
//! ```
//!
//! `… --example runtime_encoding -- NAME FILE` writes a file as UTF-8 to the standard output.

use core::error::Error;
use placemat::Encoding;
use placemat::stream::{Reader, Transcoder};
use std::fs::File;
use std::io;

/// Returns the encoding of a name or label: `latin1`, `CP-1252`, `de_DE.UTF-8`.
///
/// The error is one line for the user, with a suggestion if there is one.
fn encoding_of(name: &str) -> Result<Encoding, String> {
    name.parse::<Encoding>().map_err(|error| match (error.about(), nearest(name)) {
        // The library knows the name, and says which feature brings the encoding, or what else it
        // is.
        (Some(_), _) | (None, None) => error.to_string(),
        (None, Some(label)) => format!("{error}; did you mean {label}?"),
    })
}

/// Returns the name or label that is most like `name`, if a quarter of the letters or fewer differ.
fn nearest(name: &str) -> Option<&'static str> {
    let names = Encoding::ALL.iter().map(|encoding| encoding.names());
    let labels = names.flat_map(|names| core::iter::once(names.name).chain(names.labels));
    let (distance, label) = labels.map(|label| (distance(name, label), label)).min()?;
    (4 * distance <= name.len()).then_some(label)
}

/// Returns the number of letters to insert, delete or replace in `a` to get `b`, in any case
/// (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let replaced = diagonal + usize::from(!x.eq_ignore_ascii_case(&y));
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, path] = arguments.as_slice() else { return example() };
    let mut text = Reader::new(File::open(path)?, Transcoder::new(encoding_of(name)?, Encoding::UTF_8));
    // At the first ill-formed sequence, the error has its offset. The text before it is written.
    io::copy(&mut text, &mut io::stdout().lock())?;
    Ok(())
}

fn example() -> Result<(), Box<dyn Error>> {
    let mut answers = Vec::new();
    for name in ["latin-2", "de_DE.UTF-8", "cp932", "windws-1251", "utf-8b", "klingon"] {
        let answer = encoding_of(name).map_or_else(|error| error, |encoding| encoding.name().to_owned());
        println!("{name:<12} {answer}");
        answers.push(answer);
    }
    assert_eq!(answers[..3], ["ISO-8859-2", "UTF-8", "Shift_JIS"]);
    assert_eq!(answers[3], "unknown encoding \"windws-1251\"; did you mean windows-1251?");
    assert!(answers[4].starts_with("unknown encoding \"utf-8b\": a policy for ill-formed UTF-8"));
    assert_eq!(answers[5], "unknown encoding \"klingon\"");

    // Both ends of a conversion may be known at run time only.
    let transcoder = Transcoder::new(encoding_of("koi8-r")?, encoding_of("cp1251")?);
    assert_eq!(transcoder.transcode(b"\xC4\xC1")?, b"\xE4\xE0");
    Ok(())
}

#[test]
fn answers_to_its_own_names() -> Result<(), Box<dyn Error>> {
    example()
}
