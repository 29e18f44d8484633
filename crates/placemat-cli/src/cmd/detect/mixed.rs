//! `placemat detect --mixed`: the regions of a file.

use super::args::EVEN;
use super::report::{exact, path_bytes, path_text, rounded};
use super::sample::Sample;
use super::{All, Line};
use crate::input;
use crate::json;
use crate::options::Format;
use crate::outcome::Outcome;
use crate::palette::Palette;
use crate::spool;
use crate::walk::{Found, Trouble};
use core::fmt::Write as _;
use placemat::Encoding;
use placemat::detect::{Basis, Detection, Detector, Region, Regions, Verdict};
use serde::Serialize;
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::PoisonError;

/// Bytes that are read at a time. More is not faster, since lines take longer than reading.
const PIECE_BYTES: usize = 64 * 1024;

/// A line of `--format jsonl`.
#[derive(Serialize)]
struct Json<'a> {
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    path_bytes: Option<String>,
    offset: u64,
    length: u64,
    line: u64,
    lines: u64,
    encoding: &'a str,
    confidence: f64,
}

impl<I: Iterator<Item = Result<Found, Trouble>> + Send> All<'_, I> {
    /// Reports the regions of a file, and returns the end of the report.
    pub(super) fn mixed(&self, found: &Found) -> Line {
        match self.regions(found) {
            Ok(line) => line,
            Err(e) => Line::Trouble(input::trouble(&found.path, &e)),
        }
    }

    fn regions(&self, found: &Found) -> io::Result<Line> {
        let file = if found.named { input::open(&found.path)?.file } else { input::open_file(&found.path)? };
        let (mut detector, mut regions) = (Detector::new(), Regions::new());
        let (mut file, _) = spool::first_pass(file, |piece| {
            detector.feed(piece);
            regions.learn(piece);
        })?;
        let detection = self.args.newline.of_all(detector.finish());
        if let Some(skipped) = self.skipped(found, &detection) {
            return Ok(skipped);
        }
        if !has_lines(&detection) {
            return Ok(self.line(found, &detection, &Sample::default()));
        }
        let mut told =
            Told { all: self, path: &found.path, held: None, encodings: Vec::new(), is_sure: true };
        let mut buffer = vec![0; PIECE_BYTES];
        loop {
            let len = input::read(&mut file, &mut buffer)?;
            if len == 0 {
                break;
            }
            regions.feed(&buffer[..len], |region| told.region(region));
            if self.told.lock().unwrap_or_else(PoisonError::into_inner).failed.is_some() {
                // The reader of the report is gone.
                break;
            }
        }
        regions.finish(|region| told.region(region));
        Ok(told.finish(&detection))
    }
}

/// Returns `true` if a file has lines that may be in several encodings.
fn has_lines(detection: &Detection) -> bool {
    match detection.basis {
        _ if detection.verdict == Verdict::Text && !detection.mixed.is_empty() => true,
        // Escapes, zeros, and the signatures of encodings without the line ends of ASCII.
        Basis::Structure => {
            detection.encoding.is_none_or(Encoding::is_ascii_compatible)
                && detection.verdict != Verdict::Binary
        }
        Basis::Signature => detection.encoding == Some(Encoding::UTF_8),
        _ => {
            matches!(detection.verdict, Verdict::Text | Verdict::Unknown)
                && detection
                    .encoding
                    .is_none_or(|encoding| encoding.is_ascii_compatible() || !is_ebcdic(encoding))
        }
    }
}

/// Returns `true` if letters and line ends of ASCII have other bytes.
fn is_ebcdic(encoding: Encoding) -> bool {
    encoding.decode(b"\na", placemat::ErrorPolicy::Replace).map_or(true, |text| text != "\na")
}

/// Writes regions as they come.
struct Told<'a, 'b, I> {
    all: &'a All<'b, I>,
    path: &'a Path,
    /// The first region, until another one follows.
    held: Option<Region>,
    encodings: Vec<Encoding>,
    is_sure: bool,
}

impl<I: Iterator<Item = Result<Found, Trouble>> + Send> Told<'_, '_, I> {
    fn region(&mut self, region: Region) {
        if self.encodings.is_empty() {
            self.encodings.push(region.encoding);
            self.held = Some(region);
            return;
        }
        if let Some(first) = self.held.take() {
            self.write(&first);
        }
        self.write(&region);
    }

    /// Returns the end of the report: the only region, or the names of all encodings.
    fn finish(mut self, detection: &Detection) -> Line {
        if let Some(mut only) = self.held.take() {
            // One encoding for all lines: detection knows more about it.
            if let Some(encoding) = detection.encoding {
                (only.encoding, only.confidence) = (encoding, detection.confidence);
                self.encodings = vec![encoding];
            }
            self.write(&only);
        }
        let mut names = String::new();
        if self.all.args.brief && !self.all.common.quiet {
            let all: Vec<String> =
                self.encodings.iter().map(|encoding| encoding.name().to_ascii_lowercase()).collect();
            names = all.join(" ") + "\n";
        }
        Line::Found(names, if self.is_sure { Outcome::Clean } else { Outcome::Findings })
    }

    fn write(&mut self, region: &Region) {
        if !self.encodings.contains(&region.encoding) {
            self.encodings.push(region.encoding);
        }
        self.is_sure &= region.confidence >= EVEN;
        let All { args, common, styles, .. } = self.all;
        if common.quiet || args.brief {
            return;
        }
        let text = match args.format.format {
            Format::Jsonl => json::line(&Json {
                path: &path_text(self.path),
                path_bytes: path_bytes(self.path),
                offset: region.offset,
                length: region.len,
                line: region.line,
                lines: region.lines,
                encoding: region.encoding.name(),
                confidence: exact(region.confidence),
            }),
            Format::Text => shown(self.path, region, *styles),
        };
        let mut told = self.all.told.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(e) = told.data.write_all(text.as_bytes()) {
            told.failed.get_or_insert(e);
        }
    }
}

/// `FILE:LINES: bytes OFFSETS  ENCODING  CONFIDENCE`
fn shown(path: &Path, region: &Region, Palette { place, .. }: Palette) -> String {
    let &Region { offset, len, line, lines, encoding, confidence, .. } = region;
    let mut text = format!("{place}{}:{line}", input::name_of(path));
    if lines > 1 {
        _ = write!(text, "-{}", line + lines - 1);
    }
    _ = writeln!(text, ":{place:#} bytes {offset}-{}  {encoding}  {}", offset + len - 1, rounded(confidence));
    text
}
