//! Converts a file to UTF-8 in place and in constant memory: with a policy for damaged bytes, a
//! report, and a new file that replaces the old one only when it is complete.
//!
//! `cargo run -p placemat --features examples --example convert_file` converts a file in a
//! temporary folder and prints
//!
//! ```text
//! prices.txt: 31 characters, 1 error replaced, the first at byte 23
//! prices.txt: incomplete sequence 0x96 at offset 2; nothing was changed
//! ```
//!
//! `… --example convert_file -- FILE ENCODING` converts a file of yours.

use core::error::Error;
use placemat::stream::{Reader, Tally, Transcoder};
use placemat::{Encoding, ErrorPolicy};
use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Converts the file at `path` to UTF-8 and returns what the policy did.
///
/// If this function fails, the file is as it was.
fn convert(path: &Path, encoding: Encoding, policy: ErrorPolicy<'_>) -> io::Result<Tally> {
    // In the same folder, so that a rename replaces the file at once.
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".{}.new", std::process::id()));
    let target = File::create_new(&beside)?;
    let done = write(path, encoding, policy, target).and_then(|tally| {
        fs::rename(&beside, path)?;
        Ok(tally)
    });
    if done.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_file(&beside);
    }
    done
}

/// Writes the text of the file at `path` as UTF-8 to `target`, which gets its permissions too.
fn write(path: &Path, encoding: Encoding, policy: ErrorPolicy<'_>, mut target: File) -> io::Result<Tally> {
    let source = File::open(path)?;
    let permissions = source.metadata()?.permissions();
    let transcoder = Transcoder::new(encoding, Encoding::UTF_8).on_error(policy).counting();
    let mut reader = Reader::new(source, transcoder);
    io::copy(&mut reader, &mut target)?;
    target.set_permissions(permissions)?;
    target.sync_all()?;
    Ok(reader.tally())
}

/// Returns one line on what became of the file.
fn report(tally: Tally) -> String {
    let characters = tally.decoded.unwrap_or_default();
    match (tally.replaced.count, tally.replaced.first) {
        (errors, Some(first)) => {
            let plural = if errors == 1 { "" } else { "s" };
            format!("{characters} characters, {errors} error{plural} replaced, the first at byte {first}")
        }
        (_, None) => format!("{characters} characters, no errors"),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(path), Some(label)) = (arguments.next(), arguments.next()) else { return example() };
    let tally = convert(Path::new(&path), label.parse()?, ErrorPolicy::Replace)?;
    println!("{path}: {}", report(tally));
    Ok(())
}

fn example() -> Result<(), Box<dyn Error>> {
    let folder = std::env::temp_dir().join(format!("placemat-convert-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let path = folder.join("prices.txt");

    // Shift_JIS: "price list" and a line whose last character is cut in half.
    fs::write(&path, b"\x89\xBF\x8Ai\x95\\\r\nTea 500\r\nCoffee\x96\r\nMilk 90\r\n")?;
    let tally = convert(&path, Encoding::SHIFT_JIS, ErrorPolicy::Replace)?;
    println!("prices.txt: {}", report(tally));
    assert_eq!(fs::read_to_string(&path)?, "価格表\r\nTea 500\r\nCoffee\u{FFFD}\r\nMilk 90\r\n");

    // With a stricter policy the file stays as it was, and nothing is left beside it.
    fs::write(&path, b"ok\x96")?;
    let error = convert(&path, Encoding::SHIFT_JIS, ErrorPolicy::Stop).unwrap_err();
    println!("prices.txt: {error}; nothing was changed");
    assert_eq!(fs::read(&path)?, b"ok\x96");
    assert_eq!(fs::read_dir(&folder)?.count(), 1);
    Ok(fs::remove_dir_all(&folder)?)
}

#[test]
fn converts_its_own_file() -> Result<(), Box<dyn Error>> {
    example()
}
