//! `-f auto`: the encoding of an input by detection. The input is read twice; one that can be read only once is kept in a
//! temporary file.

use crate::cmd::detect::report::{argument, listed};
use crate::cmd::detect::sample::{MIN_AUTO_CONFIDENCE, Sample, is_certain, language_of, ranked};
use crate::families::{is_wide, of_both_orders};
use crate::input;
use crate::shown::Name;
use crate::spool;
use core::fmt::Write as _;
use placemat::Encoding;
use placemat::detect::{Basis, Detection, Detector, Language, Verdict};
use std::fs::File;
use std::io;
use std::path::Path;

/// Candidates that a refusal names.
const NAMED: usize = 4;

/// The detection of the input `path`. The next one who opens it can read all of it.
pub(crate) fn of_path(path: &Path) -> io::Result<Detection> {
    let file = input::open(path)?.file;
    let (file, found, is_copy) = read(file)?;
    if is_copy {
        spool::keep(path, file);
    }
    Ok(found)
}

/// The detection of an open input, and a file to read it from.
pub(crate) fn of_file(file: File) -> io::Result<(File, Detection)> {
    read(file).map(|(file, found, _)| (file, found))
}

/// The detection of a text in memory.
pub(crate) fn of_bytes(bytes: &[u8]) -> Detection {
    let mut reader = Reader::default();
    reader.feed(bytes);
    reader.finish()
}

/// The detection of a text of which only the first bytes are in memory.
pub(crate) fn of_prefix(bytes: &[u8]) -> Detection {
    let mut reader = Reader::default();
    reader.feed(bytes);
    reader.finish_by(Detector::finish_prefix)
}

/// The detection, a file at the start of the input, and whether that is a copy.
fn read(file: File) -> io::Result<(File, Detection, bool)> {
    let mut reader = Reader::default();
    let (file, is_copy) = spool::first_pass(file, |piece| reader.feed(piece))?;
    Ok((file, reader.finish(), is_copy))
}

/// Detects the encoding of an input that comes in pieces.
#[derive(Default)]
struct Reader {
    detector: Detector,
    sample: Sample,
}

impl Reader {
    fn feed(&mut self, piece: &[u8]) {
        self.detector.feed(piece);
        self.sample.feed(piece);
    }

    fn finish(self) -> Detection {
        self.finish_by(Detector::finish)
    }

    fn finish_by(self, finish: fn(Detector) -> Detection) -> Detection {
        let mut found = finish(self.detector);
        // Detection passes over a few words, which a conversion would destroy.
        if found.mixed.is_empty()
            && let Some(encoding) = found.encoding.filter(|_| found.basis == Basis::Statistics)
            && self.sample.has_utf8_words(encoding)
        {
            found.mixed = vec![encoding, Encoding::UTF_8];
        }
        found
    }
}

/// The encoding to read an input in; or the reason why it is not certain enough.
pub(crate) fn encoding(name: &Name, found: &Detection) -> Result<Encoding, String> {
    match found.verdict {
        Verdict::Empty => return Ok(Encoding::UTF_8),
        Verdict::Binary => {
            return Err(format!("{name}: is binary; -f names an encoding to read it in anyway"));
        }
        _ => {}
    }
    // Read as a whole in one of them, the rest would become other text, and nothing would say so. In UTF-8 that is most of the
    // text, the rest is ill-formed, but UTF-16 is mostly well-formed NULs.
    let has_wide = found.mixed.iter().any(|&encoding| is_wide(encoding));
    let is_mostly_utf8 =
        found.encoding == Some(Encoding::UTF_8) && found.confidence >= MIN_AUTO_CONFIDENCE && !has_wide;
    let is_mixed = !found.mixed.is_empty() || found.damage.is_some();
    if is_mixed && !is_mostly_utf8 {
        return Err(format!(
            "{name}: {}: `placemat detect --mixed` shows them, `placemat repair` makes them UTF-8; or name one with -f",
            several(found)
        ));
    }
    let Some(encoding) = found.encoding.filter(|_| is_certain(found)) else {
        let mut message = format!("{name}: the encoding is not certain");
        for (i, candidate) in ranked(found).into_iter().take(NAMED).enumerate() {
            let before = if i == 0 { ": perhaps " } else { ", " };
            _ = write!(message, "{before}{}", candidate.encoding);
            if candidate.confidence >= 0.01 {
                _ = write!(message, " ({:.2})", candidate.confidence);
            }
        }
        message.push_str("; name it with -f");
        return Err(message);
    };
    if encoding == Encoding::US_ASCII {
        // All of the text is ASCII, but the next change may not be.
        return Ok(Encoding::UTF_8);
    }
    // The signature belongs to the encoding of both byte orders.
    let by_signature = of_both_orders(encoding).filter(|_| found.signature.is_some());
    Ok(by_signature.unwrap_or(encoding))
}

/// The encodings of a file that is in several.
fn several(found: &Detection) -> String {
    if found.mixed.is_empty() {
        "some of it is UTF-8, and some is in another encoding".into()
    } else {
        format!("lines are in {}", listed(&found.mixed))
    }
}

/// The language, if it is sure enough to be named.
fn language(found: &Detection) -> Option<Language> {
    let beyond = found.len - found.first_non_ascii.unwrap_or(0);
    language_of(found, || usize::try_from(beyond).unwrap_or(usize::MAX))
}

/// The encoding that a file seems to be in, and the command to convert it, if that is certain and is not UTF-8; for a file in
/// several encodings, the command to repair it.
pub(crate) fn foreign(file: File, path: &Path) -> Option<String> {
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let (_, found) = of_file(file).ok()?;
    help(&found, path)
}

/// Returns the help for an input whose detection is known.
pub(crate) fn help(found: &Detection, path: &Path) -> Option<String> {
    let shown = argument(path);
    let is_damaged = found.damage.is_some() && found.confidence < MIN_AUTO_CONFIDENCE;
    if !found.mixed.is_empty() || is_damaged {
        return Some(format!("{}: `placemat repair {shown}` makes all of it UTF-8", several(found)));
    }
    let encoding = encoding(&input::name_of(path), found).ok()?;
    // The findings themselves name the relatives of UTF-8.
    if found.damage.is_some() || encoding.facts().utf8_markers {
        return None;
    }
    let from = encoding.name().to_ascii_lowercase();
    let language = language(found).map_or(String::new(), |language| format!(", {}", language.name()));
    Some(format!("probably {encoding}{language}: `placemat convert -f {from} {}` makes it UTF-8", shown))
}

/// The result in words, for `-v`: `windows-1251, by detection (0.98, Russian)`.
pub(crate) fn said(encoding: Encoding, found: &Detection) -> String {
    let language = language(found).map_or(String::new(), |language| format!(", {}", language.name()));
    format!("{encoding}, by detection ({:.2}{language})", found.confidence)
}
