//! The nature of a whole file, if some of it is ill-formed in the encoding that it is checked for.

use super::limits::MAX_OF_A_KIND;
use crate::auto;
use crate::cmd::detect::report::{argument, rounded};
use crate::cmd::detect::sample::{MIN_AUTO_CONFIDENCE, ranked};
use crate::ebcdic::is_same_page;
use crate::families::{self, of_both_orders};
use crate::input;
use crate::scan::Around;
use crate::shown::{escaped, grouped};
use crate::streams::is_stdin;
use core::fmt::Write as _;
use placemat::Encoding;
use placemat::detect::{Detection, Verdict};
use std::fs;
use std::io::{Seek as _, SeekFrom};
use std::path::Path;

/// Below this confidence, a file is in no encoding that is more probable than not.
const EVEN: f32 = 0.5;
/// In a short text, detection is often sure by chance: fewer sequences are reported one by one.
const MIN_SEQUENCES: u64 = 8;

/// The nature of a whole file.
#[derive(Debug)]
pub(super) enum Nature {
    /// Text in the encoding that it is checked for, with errors in it; or lines of several encodings.
    Expected,
    /// Text in another encoding.
    Foreign(Box<Foreign>),
    /// Nothing is certain.
    Uncertain,
}

/// The other encoding of a file.
#[derive(Debug)]
pub(super) struct Foreign {
    pub(super) encoding: Encoding,
    expected: Encoding,
    confidence: f32,
    /// The next encoding by its confidence, if the first is not certain.
    second: Option<(Encoding, f32)>,
    /// The charset that the file declares, and whether its bytes contradict that.
    declared: Option<(String, bool)>,
    /// Whether the file can be read again from its start.
    pub(super) is_seekable: bool,
}

/// The judgement on a file.
#[derive(Debug)]
pub(super) struct Judged {
    pub(super) nature: Nature,
    /// The advice about the whole file, if its nature is certain.
    pub(super) help: Option<String>,
}

impl Judged {
    /// Judges an input whose first ill-formed sequence in the encoding `expected` was found at `around`. A regular file is
    /// read to its end for that; of other inputs, only the bytes in memory are known. `start` is the place where reading
    /// began.
    pub(super) fn of(path: &Path, start: u64, around: &Around<'_>, expected: Encoding) -> Self {
        let (found, is_seekable) = match whole(path, start) {
            Some(found) => (found, true),
            None => {
                let (bytes, is_all) = around.in_memory();
                (if is_all { auto::of_bytes(bytes) } else { auto::of_prefix(bytes) }, false)
            }
        };
        let is_utf8 = expected == Encoding::UTF_8;
        let mut nature = Nature::judge(&found, expected, is_seekable);
        if matches!(nature, Nature::Uncertain) && is_mostly_utf8(around.in_memory().0) {
            nature = Nature::Expected;
        }
        let help = if is_utf8 && is_seekable { auto::help(&found, path) } else { None };
        Self { nature, help }
    }
}

impl Nature {
    fn judge(found: &Detection, expected: Encoding, is_seekable: bool) -> Self {
        // Lines of several encodings, UTF-8 with some errors, or UTF-8 and some words of another encoding.
        let is_signed = found.signature.is_some_and(|signature| signature.encoding == Some(Encoding::UTF_8));
        if found.verdict == Verdict::Empty || !found.mixed.is_empty() || found.damage.is_some() || is_signed {
            return Self::Expected;
        }
        let Some(encoding) = found.encoding.filter(|_| found.verdict == Verdict::Text) else {
            return Self::Uncertain;
        };
        // Texts in the relatives of UTF-8 are mostly alike: the findings say where they differ.
        let is_near = is_same_page(encoding, expected)
            || encoding.facts().utf8_markers && expected.facts().utf8_markers;
        if is_near {
            return Self::Expected;
        }
        if found.confidence < if is_seekable { EVEN } else { MIN_AUTO_CONFIDENCE } {
            return Self::Uncertain;
        }
        let second = ranked(found).into_iter().find(|other| other.encoding != encoding && !other.same_text);
        let declared =
            found.declared.as_ref().map(|declared| (declared.label.clone(), declared.contradicted));
        // The signature belongs to the encoding of both byte orders.
        let by_signature = of_both_orders(encoding).filter(|_| found.signature.is_some());
        Self::Foreign(Box::new(Foreign {
            encoding: by_signature.unwrap_or(encoding),
            expected,
            confidence: found.confidence,
            second: second
                .filter(|_| found.confidence < MIN_AUTO_CONFIDENCE)
                .map(|other| (other.encoding, other.confidence)),
            declared,
            is_seekable,
        }))
    }
}

/// Returns `true` if a file is binary by all of its bytes; `start` is the place where reading began.
pub(super) fn is_binary(path: &Path, start: u64) -> bool {
    whole(path, start).is_some_and(|found| found.verdict == Verdict::Binary)
}

/// Returns `true` if bytes have at least as many well-formed characters above ASCII as ill-formed sequences.
fn is_mostly_utf8(bytes: &[u8]) -> bool {
    let (mut good, mut bad) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        good += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        bad += usize::from(!chunk.invalid().is_empty());
    }
    good >= bad
}

/// Returns the detection of a regular file; `None` for others. The place where a shared file is read next stays as it is.
fn whole(path: &Path, start: u64) -> Option<Detection> {
    // To open a named pipe once more would wait for another writer.
    if !is_stdin(path) && !fs::metadata(path).ok()?.is_file() {
        return None;
    }
    let mut file = input::open_file(path).ok()?;
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let here = file.stream_position().ok()?;
    file.seek(SeekFrom::Start(start)).ok()?;
    let found = file.try_clone().and_then(auto::of_file).ok();
    file.seek(SeekFrom::Start(here)).ok()?;
    found.map(|(_, found)| found)
}

impl Foreign {
    /// Returns the number of ill-formed sequences from which on they are one finding together.
    pub(super) fn proof(&self) -> u64 {
        if self.is_certain() { MIN_SEQUENCES } else { MAX_OF_A_KIND + 1 }
    }

    /// Returns `true` if detection is sure enough to convert the file by it.
    fn is_certain(&self) -> bool {
        self.confidence >= MIN_AUTO_CONFIDENCE
    }

    /// Returns the finding in words: `windows-1251 (0.99), not UTF-8: 138,284 ill-formed sequences, the first at 12:4`.
    pub(super) fn message(&self, sequences: u64, line: u64, column: u64) -> String {
        let Self { encoding, expected, confidence, .. } = self;
        let perhaps = if !self.is_certain() { "perhaps " } else { "" };
        let mut to = format!("{perhaps}{encoding} ({})", rounded(*confidence));
        if let Some((second, confidence)) = self.second {
            _ = write!(to, " or {second} ({})", rounded(confidence));
        }
        _ = write!(
            to,
            ", not {expected}: {} ill-formed sequences, the first at {line}:{column}",
            grouped(sequences)
        );
        if let Some((label, is_wrong)) = &self.declared {
            let wrong = if *is_wrong { ", which is wrong" } else { "" };
            _ = write!(to, "; it declares \"{}\"{wrong}", escaped(label.as_ref()));
        }
        to
    }

    /// Returns the command that converts the file.
    pub(super) fn suggestion(&self, path: &Path) -> String {
        let (from, to) = (self.encoding.name().to_ascii_lowercase(), self.expected.name());
        let shown = argument(path);
        let sure = if self.is_certain() { "" } else { "if it is that, " };
        if families::UTF_8.contains(&self.expected) {
            return format!("{sure}`placemat convert -f {from} {shown}` makes it UTF-8");
        }
        format!("{sure}`placemat convert -f {from} -t {} {shown}` makes it {to}", to.to_ascii_lowercase())
    }
}
