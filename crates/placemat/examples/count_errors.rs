//! Counts the errors of a log by kind while the log becomes well-formed UTF-8, in constant memory,
//! and gives up when there are too many of them.
//!
//! `cargo run -p placemat --features examples --example count_errors` reads a log of its own and
//! prints
//!
//! ```text
//! 36 characters, 4 errors, the first at byte 14
//!      1  overlong-2               first at byte 33
//!      2  truncated                first at byte 14
//!      1  unexpected-continuation  first at byte 34
//! stopped: unexpected continuation byte 0xaf at offset 34
//! ```
//!
//! `… --example count_errors -- FILE` counts the errors of a file.

use core::error::Error;
use placemat::policy::Action;
use placemat::stream::{Reader, Tally, Transcoder};
use placemat::{ConvertError, Encoding, IllFormed, OnError, Replacement};
use std::collections::BTreeMap;
use std::io::{self, Read, Write};

/// A log with more errors than this is probably in another encoding.
const MAX_ERRORS: u64 = 1000;

/// A policy that puts U+FFFD for each error, and counts the errors of each kind.
#[derive(Debug, Default)]
struct CountByKind {
    /// By the code of an error: the number of such errors, and the offset of the first.
    kinds: BTreeMap<&'static str, (u64, u64)>,
}

impl OnError for CountByKind {
    fn handle(&mut self, error: &IllFormed) -> Action<'_> {
        // A conversion asks once for each error, so the counts are exact.
        self.kinds.entry(error.code()).or_insert((0, error.offset())).0 += 1;
        Action::Text(Replacement::CHARACTER)
    }
}

/// Copies a log to `mended` as well-formed UTF-8, with at most `max` errors.
fn mend(log: impl Read, mut mended: impl Write, max: u64) -> io::Result<(Tally, CountByKind)> {
    let mut counts = CountByKind::default();
    // The policy is borrowed, so that the counts are there after the conversion.
    let policy = (&mut counts).max_errors(max);
    let transcoder = Transcoder::new(Encoding::UTF_8, Encoding::UTF_8).on_error(policy).counting();
    let mut reader = Reader::new(log, transcoder);
    io::copy(&mut reader, &mut mended)?;
    let tally = reader.tally();
    Ok((tally, counts))
}

fn print(tally: Tally, counts: &CountByKind) {
    let characters = tally.decoded.unwrap_or_default();
    print!("{characters} characters, {} errors", tally.replaced.count);
    println!("{}", tally.replaced.first.map(|at| format!(", the first at byte {at}")).unwrap_or_default());
    for (code, (count, first)) in &counts.kinds {
        println!("{count:>6}  {code:<24} first at byte {first}");
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let Some(path) = std::env::args_os().nth(1) else { return example() };
    let (tally, counts) = mend(std::fs::File::open(path)?, io::sink(), MAX_ERRORS)?;
    print(tally, &counts);
    Ok(())
}

fn example() -> Result<(), Box<dyn Error>> {
    let log = b"user Ren\xC3\xA9 Caf\xE9\nuser M\xC3\xBCller\nGET \xC0\xAF\nJos\xE9!\n";
    let mut mended = Vec::new();
    let (tally, counts) = mend(&log[..], &mut mended, MAX_ERRORS)?;
    print(tally, &counts);
    assert_eq!(
        String::from_utf8(mended)?,
        "user René Caf\u{FFFD}\nuser Müller\nGET \u{FFFD}\u{FFFD}\nJos\u{FFFD}!\n"
    );
    let by_kind: u64 = counts.kinds.values().map(|(count, _)| count).sum();
    assert_eq!((tally.replaced.count, tally.replaced.first), (by_kind, Some(14)));

    // With at most two errors, the conversion stops at the third.
    let error = mend(&log[..], io::sink(), 2).err().ok_or("too many errors")?.downcast::<ConvertError>()?;
    println!("stopped: {error}");
    assert_eq!(error.offset(), 34);
    Ok(())
}

#[test]
fn counts_the_errors_of_its_own_log() -> Result<(), Box<dyn Error>> {
    example()
}
