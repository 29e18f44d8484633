//! Reports about bytes and names: every error, lengths, the names of an encoding. They are tuples, which `placemat/reports.py` turns into named types.

use crate::input::{Input, SIGNAL_STEP_BYTES, in_pieces};
use crate::names;
use crate::raw::alone;
use placemat::internals::Clusters;
use placemat::label::Vendor;
use placemat::policy::Replacement;
use placemat::stream::{Status, Transcoder};
use placemat::{Encoding, ErrorPolicy, IllFormed, IllFormedKind, UnmappablePolicy, length, utf8};
use placemat_diagnose::lines::Tracker;
use placemat_diagnose::shifts::{convert_up_to_shift, ends_with_shift};
use placemat_diagnose::{Case, Diagnosis, Part};
use pyo3::exceptions::PyLookupError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// The size of the buffer for decoded text.
const OUTPUT_BYTES: usize = 16 << 10;
/// The number of bytes after an error that its explanation may need.
const BYTES_AFTER: usize = 512;
/// The number of bytes before an error that its explanation may need.
const BYTES_BEFORE: usize = 64;

/// Suggestions for users of the command, and the words for Python, which `pip` installs without the
/// command.
const IN_PYTHON: [(&str, &str); 4] = [
    ("`placemat convert -e cp1252` converts them", "errors=\"cp1252\" reads them"),
    ("`placemat convert -e latin1` converts them", "errors=\"latin1\" reads them"),
    ("`placemat encodings` lists them", "placemat.encodings() lists them"),
    ("`placemat detect` names", "placemat.detect(data) names"),
];

fn in_python(suggestion: String) -> String {
    let found = IN_PYTHON.into_iter().find(|(command, _)| suggestion.contains(command));
    match found {
        Some((command, words)) => suggestion.replace(command, words),
        None => suggestion,
    }
}

/// An error: offset, bytes, code, line, column, message, suggestion.
type Finding<'py> = (u64, Bound<'py, PyBytes>, &'static str, u64, u64, String, String);

/// Finds the errors of a text in pieces.
struct Finder<'py> {
    py: Python<'py>,
    encoding: Encoding,
    decoder: Box<Transcoder>,
    /// The number of bytes that the decoder has read.
    fed: u64,
    tracker: Tracker,
    /// The place of the last shift that leads to a state in which the text may not end.
    shift: Tracker,
    diagnosis: Diagnosis,
    /// The broken sequence to which the next errors may still belong.
    part: Option<Part>,
    limit: usize,
    found: Vec<Finding<'py>>,
}

impl<'py> Finder<'py> {
    fn new(py: Python<'py>, encoding: Encoding, limit: usize) -> Self {
        // A value that UTF-8 cannot represent counts as a code point: it is well-formed in its
        // encoding.
        let decoder = Transcoder::new(encoding, Encoding::UTF_8)
            .on_unmappable(UnmappablePolicy::ReplaceWith(Replacement::QUESTION));
        Self {
            py,
            encoding,
            decoder: Box::new(decoder),
            fed: 0,
            tracker: Tracker::default(),
            shift: Tracker::default(),
            diagnosis: Diagnosis::default(),
            part: None,
            limit,
            found: Vec::new(),
        }
    }

    /// Checks a piece, `src`, which begins at the offset `base` of the text. Returns the number of
    /// bytes that are no longer needed; the others come again.
    fn feed(&mut self, src: &[u8], base: u64, last: bool) -> PyResult<usize> {
        // Stop early enough that every error has its context after it.
        let end = if last { src.len() } else { src.len().saturating_sub(BYTES_AFTER) };
        let within = |offset: u64| usize::try_from(offset - base).unwrap_or(usize::MAX);
        let mut text = vec![0; OUTPUT_BYTES.max(self.decoder.min_output())];
        while self.found.len() < self.limit {
            let at = within(self.fed);
            if at >= end && !last {
                break;
            }
            let to = end.min(at + SIGNAL_STEP_BYTES);
            let is_last = last && to == end;
            let p = {
                let (decoder, text) = (&mut self.decoder, &mut text);
                let offset = self.fed;
                alone(to - at, || convert_up_to_shift(decoder, &src[at..to], offset, text, is_last))
            };
            self.fed += p.read as u64;
            self.tracker.text(&text[..p.written]);
            if p.read > 0 && ends_with_shift(&self.decoder, self.fed) {
                self.shift = self.tracker;
            }
            match p.status {
                Status::Done => break,
                Status::NeedInput if to == end && within(self.fed) == end => break,
                Status::IllFormed(error) if error.kind() == IllFormedKind::UnclosedShift => {
                    let here = std::mem::replace(&mut self.tracker, self.shift);
                    self.note(&error, error.bytes(), 0);
                    self.tracker = here;
                }
                Status::IllFormed(error) => self.note(&error, src, within(error.offset())),
                Status::NeedInput | Status::NeedOutput | Status::Unmappable(_) => {}
            }
            self.py.check_signals()?;
        }
        Ok(within(self.fed).saturating_sub(BYTES_BEFORE))
    }

    /// Adds an error at `start` of `src`.
    fn note(&mut self, error: &IllFormed, src: &[u8], start: usize) {
        let part_of = self.part.filter(|part| error.offset() < part.end);
        self.diagnosis.make(&Case {
            before: &src[start.saturating_sub(BYTES_BEFORE)..start],
            following: &src[start..src.len().min(start + error.len() + BYTES_AFTER)],
            part_of,
            option: "",
            ..Case::new(error, self.encoding)
        });
        self.part = part_of.or_else(|| self.diagnosis.part(error));
        let place = self.tracker.place();
        let message = format!("{}: {}", self.diagnosis.subject, self.diagnosis.reason);
        let bytes = &src[start..src.len().min(start + error.len())];
        self.tracker.ill_formed(bytes, self.encoding);
        self.found.push((
            error.offset(),
            PyBytes::new(self.py, bytes),
            error.code(),
            place.line,
            place.column,
            message,
            in_python(std::mem::take(&mut self.diagnosis.suggestion)),
        ));
    }
}

#[pyfunction]
fn check<'py>(data: &Bound<'py, PyAny>, encoding: &str, limit: usize) -> PyResult<Vec<Finding<'py>>> {
    let py = data.py();
    let encoding = names::encoding(encoding)?;
    let mut finder = Finder::new(py, encoding, limit);
    match Input::of(data)? {
        Input::Bytes(bytes) => {
            let src = bytes.as_bytes();
            let clean = encoding == Encoding::UTF_8 && alone(src.len(), || utf8::validate(src).is_ok());
            if !clean {
                finder.feed(src, 0, true)?;
            }
        }
        Input::Long(long) => {
            let mut base = 0;
            long.pieces(py, |piece, last| {
                let read = finder.feed(piece, base, last)?;
                base += read as u64;
                Ok(read)
            })?;
        }
    }
    Ok(finder.found)
}

/// Lengths: bytes, code points, UTF-8 bytes, UTF-16 units, line feeds, ill-formed sequences.
type Lengths = (u64, u64, u64, u64, u64, u64);

#[pyfunction]
fn count(data: &Bound<'_, PyAny>, encoding: &str) -> PyResult<Lengths> {
    let mut decoder = Transcoder::new(names::encoding(encoding)?, Encoding::UTF_8)
        .on_error(ErrorPolicy::Replace)
        .on_unmappable(UnmappablePolicy::ReplaceWith(Replacement::QUESTION));
    let mut text = vec![0; OUTPUT_BYTES.max(decoder.min_output())];
    let (mut bytes, mut code_points, mut utf8_bytes, mut units, mut line_feeds) = (0, 0, 0, 0, 0);
    in_pieces(data, |piece, last| {
        bytes += piece.len() as u64;
        alone(piece.len(), || {
            let mut rest = piece;
            loop {
                let p = decoder.convert(rest, &mut text, last);
                let written = &text[..p.written];
                code_points += utf8::count_code_points(written) as u64;
                utf8_bytes += p.written as u64;
                units += length::utf16_from_utf8(written) as u64;
                line_feeds += utf8::count_line_feeds(written) as u64;
                rest = &rest[p.read..];
                if matches!(p.status, Status::Done | Status::NeedInput) {
                    return;
                }
            }
        });
    })?;
    let tally = decoder.tally();
    Ok((bytes, code_points, utf8_bytes, units, line_feeds, tally.replaced.count))
}

/// Returns the number of code points in the first `most` grapheme clusters of a text.
#[pyfunction]
fn clusters(text: &str, most: usize) -> usize {
    alone(text.len(), || {
        let (mut clusters, mut begun) = (Clusters::default(), 0);
        let fits = |c: &char| {
            begun += usize::from(clusters.begins(*c));
            begun <= most
        };
        text.chars().take_while(fits).count()
    })
}

/// The facts about an encoding: name, other labels, labels of the web, description, documents,
/// repertoire, longest code point in bytes, whether ASCII is unchanged, signature.
type About<'py> = (
    String,
    Vec<&'static str>,
    Vec<&'static str>,
    &'static str,
    &'static str,
    &'static str,
    usize,
    bool,
    Bound<'py, PyBytes>,
);

#[pyfunction]
fn lookup<'py>(py: Python<'py>, label: &str, vendor: Option<&str>) -> PyResult<About<'py>> {
    let encoding = match vendor {
        None => names::encoding(label)?,
        Some(vendor) => {
            let known = Vendor::ALL.into_iter().find(|known| known.name().eq_ignore_ascii_case(vendor));
            let Some(known) = known else {
                let all = Vendor::ALL.map(Vendor::name).join(", ");
                return Err(PyLookupError::new_err(format!(
                    "unknown vendor: {}; there are {all}",
                    names::shown(vendor)
                )));
            };
            known.encoding(label).ok_or_else(|| {
                PyLookupError::new_err(format!(
                    "unknown encoding: {} has no {}",
                    known.name(),
                    names::shown(label)
                ))
            })?
        }
    };
    let about = encoding.names();
    Ok((
        names::of(encoding),
        about.labels.iter().collect(),
        about.web_labels.iter().collect(),
        about.about,
        about.specified_in,
        encoding.repertoire().describe(),
        encoding.max_bytes(),
        encoding.is_ascii_compatible(),
        PyBytes::new(py, encoding.signature()),
    ))
}

/// Returns the names of all encodings.
#[pyfunction]
fn encodings() -> Vec<String> {
    Encoding::ALL.iter().map(|&encoding| names::of(encoding)).collect()
}

/// Adds the functions to the module.
pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let reports = crate::module::submodule(module, "reports")?;
    reports.add_function(wrap_pyfunction!(check, &reports)?)?;
    reports.add_function(wrap_pyfunction!(count, &reports)?)?;
    reports.add_function(wrap_pyfunction!(clusters, &reports)?)?;
    reports.add_function(wrap_pyfunction!(lookup, &reports)?)?;
    reports.add_function(wrap_pyfunction!(encodings, &reports)?)
}
