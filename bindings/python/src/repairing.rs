//! Repair and undo. Results are tuples, which `placemat/repairing.py` turns into named types.
//!
//! A text, as a `str`, is repaired as its UTF-8; an escaped byte, U+DC80 to U+DCFF, is the byte.
//! Offsets count the units that Python's indexes count: bytes of `bytes`, code points of `str`.

use crate::held::Held;
use crate::input::{self, SIGNAL_STEP_BYTES};
use crate::names;
use crate::raw::{self, alone};
use crate::view::View;
use core::ops::Range;
use placemat::repair::{self, Change, Lost, Repairer, Step};
use placemat::{Encoding, utf8};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PySlice, PyString};

/// The settings of a repair: steps, minimum confidence, what to write for lost bytes, the encoding
/// of ill-formed bytes.
pub(crate) type Settings = (Option<Vec<String>>, f32, String, Option<String>);

/// A change: step, offset, before, offset in the repaired text, after, encodings, whether text was
/// guessed, gain, confidence.
type Record<'py> = (&'static str, usize, Bound<'py, PyAny>, usize, String, Vec<String>, bool, f32, f32);

fn step(name: &str) -> PyResult<Step> {
    name.parse().map_err(|_| {
        let all = Step::ALL.map(Step::name).join(", ");
        PyValueError::new_err(format!("unknown step of a repair: {}; there are {all}", names::shown(name)))
    })
}

/// Returns a repairer. `is_text` is true for a `str`, which has no encoding of its own.
pub(crate) fn repairer((steps, least, lost, fallback): Settings, is_text: bool) -> PyResult<Repairer> {
    let steps = match steps {
        Some(names) => names.iter().map(|name| step(name)).collect::<PyResult<Vec<_>>>()?,
        None => Step::ALL.into_iter().filter(|step| !is_text || *step != Step::Wide).collect(),
    };
    if is_text && steps.contains(&Step::Wide) {
        return Err(PyValueError::new_err(
            "the step 'wide' is for bytes in UTF-16 and UTF-32: a str has none",
        ));
    }
    if !(0.0..=1.0).contains(&least) {
        return Err(PyValueError::new_err(format!("min_confidence is a number from 0 to 1: not {least}")));
    }
    let lost = match &*lost {
        "replace" => Lost::Replace,
        "escape" => Lost::Escape,
        other => {
            let other = names::shown(other);
            return Err(PyValueError::new_err(format!("lost is 'replace' or 'escape': not {other}")));
        }
    };
    let repairer = Repairer::new().steps(steps).min_confidence(least).lost(lost);
    Ok(match fallback {
        Some(label) => repairer.fallback(names::encoding(&label)?),
        None => repairer,
    })
}

/// Repairs all of `src`, in pieces between which signals are handled.
fn run(py: Python<'_>, mut repairer: Repairer, src: &[u8]) -> PyResult<(String, Encoding, Vec<Change>)> {
    let (mut text, mut changes) = (String::with_capacity(src.len()), Vec::new());
    for piece in src.chunks(SIGNAL_STEP_BYTES) {
        alone(piece.len(), || repairer.learn(piece));
        raw::signals(py)?;
    }
    for piece in src.chunks(SIGNAL_STEP_BYTES) {
        alone(piece.len(), || repairer.push(piece, &mut text, |change| changes.push(change)));
        raw::signals(py)?;
    }
    let encoding = alone(src.len(), || {
        let encoding = repairer.encoding();
        repairer.finish(&mut text, |change| changes.push(change));
        encoding
    });
    Ok((text, encoding, changes))
}

/// Counts code points up to offsets that never decrease.
struct Counter<'a> {
    text: &'a str,
    bytes: usize,
    code_points: usize,
}

impl<'a> Counter<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, bytes: 0, code_points: 0 }
    }

    fn code_points_before(&mut self, offset: u64) -> usize {
        let to = usize::try_from(offset).unwrap_or(usize::MAX).clamp(self.bytes, self.text.len());
        self.code_points += utf8::count_code_points(&self.text.as_bytes()[self.bytes..to]);
        self.bytes = to;
        self.code_points
    }
}

/// Repairs bytes. Returns the text, the encoding of the source, and the changes.
#[pyfunction]
fn repair_bytes<'py>(
    data: &Bound<'py, PyAny>,
    settings: Settings,
) -> PyResult<(String, String, Vec<Record<'py>>)> {
    let py = data.py();
    let data = input::Input::of(data)?.into_bytes(py)?;
    let (text, encoding, changes) = run(py, repairer(settings, false)?, data.as_bytes())?;
    let mut counter = Counter::new(&text);
    let records = changes
        .into_iter()
        .map(|change| {
            let at = usize::try_from(change.offset).unwrap_or(usize::MAX);
            let before = PyBytes::new(py, &change.before).into_any();
            let repaired_at = counter.code_points_before(change.repaired_offset);
            record(change, at, before, repaired_at)
        })
        .collect();
    Ok((text, names::of(encoding), records))
}

fn record(change: Change, at: usize, before: Bound<'_, PyAny>, repaired_at: usize) -> Record<'_> {
    let encodings = change.encodings.into_iter().map(names::of).collect();
    let Change { step, after, lossy, gain, confidence, .. } = change;
    (step.name(), at, before, repaired_at, after, encodings, lossy, gain, confidence)
}

/// A `str` as bytes.
struct Bytes<'a> {
    view: View<'a>,
    has_surrogates: bool,
    /// A code point of the text, and the offset of its bytes.
    index: usize,
    offset: usize,
}

/// The bytes of one code point.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Spelled {
    /// UTF-8. Surrogates of a pair are ill-formed, three bytes each, which the repair joins.
    Sequence([u8; 4], usize),
    /// An escaped byte.
    Escaped(u8),
    /// A lone surrogate, which becomes U+FFFD: three bytes too.
    Lone,
}

/// The bytes of a lone surrogate.
const LOST: [u8; 3] = [0xEF, 0xBF, 0xBD];

impl<'a> Bytes<'a> {
    /// Returns the text, and its bytes.
    fn new(view: View<'a>) -> (Self, Vec<u8>) {
        let this = Self { view, has_surrogates: view.has_surrogate(), index: 0, offset: 0 };
        let mut bytes = Vec::with_capacity(view.len());
        for index in 0..view.len() {
            match this.spelled(index) {
                Spelled::Sequence(sequence, len) => bytes.extend_from_slice(&sequence[..len]),
                Spelled::Escaped(byte) => bytes.push(byte),
                Spelled::Lone => bytes.extend_from_slice(&LOST),
            }
        }
        (this, bytes)
    }

    fn spelled(&self, index: usize) -> Spelled {
        let unit = self.view.code_point(index);
        if !self.has_surrogates || unit & 0xFFFF_F800 != 0xD800 {
            return sequence(unit);
        }
        let is = |at: Option<usize>, lead: u32| {
            at.filter(|&at| at < self.view.len())
                .is_some_and(|at| self.view.code_point(at) & 0xFFFF_FC00 == lead)
        };
        let is_high = unit < 0xDC00;
        match unit {
            _ if is_high && is(Some(index + 1), 0xDC00) => sequence(unit),
            _ if !is_high && is(index.checked_sub(1), 0xD800) => sequence(unit),
            0xDC80..0xDD00 => Spelled::Escaped(unit.to_le_bytes()[0]),
            _ => Spelled::Lone,
        }
    }

    /// Goes on to the last code point that begins at or before an offset in bytes.
    fn seek(&mut self, offset: usize) {
        while self.index < self.view.len() {
            let len = match self.spelled(self.index) {
                Spelled::Sequence(_, len) => len,
                Spelled::Escaped(_) => 1,
                Spelled::Lone => LOST.len(),
            };
            if self.offset + len > offset {
                break;
            }
            (self.index, self.offset) = (self.index + 1, self.offset + len);
        }
    }

    /// Returns the code points that have some of these bytes, and whether the last of them has bytes
    /// after these. Ranges come in order.
    fn code_points(&mut self, range: Range<usize>) -> (Range<usize>, bool) {
        self.seek(range.start);
        let start = self.index;
        self.seek(range.end);
        let splits = self.offset < range.end;
        (start..self.index + usize::from(splits), splits)
    }
}

/// Returns the bytes of a code point in UTF-8, or in that form if it is a surrogate.
#[expect(clippy::cast_possible_truncation, reason = "the bits above are masked")]
fn sequence(unit: u32) -> Spelled {
    let next = |shift: u32| 0x80 | (unit >> shift & 0x3F) as u8;
    let (bytes, len) = match unit {
        0..0x80 => ([unit as u8, 0, 0, 0], 1),
        0x80..0x800 => ([0xC0 | (unit >> 6) as u8, next(0), 0, 0], 2),
        0x800..0x1_0000 => ([0xE0 | (unit >> 12) as u8, next(6), next(0), 0], 3),
        _ => ([0xF0 | (unit >> 18) as u8, next(12), next(6), next(0)], 4),
    };
    Spelled::Sequence(bytes, len)
}

/// Makes the records of the repair of a `str`.
struct Records<'a, 'py> {
    text: &'a Bound<'py, PyString>,
    source: Bytes<'a>,
    repaired: &'a str,
    counter: Counter<'a>,
    /// The ends of the last change, in code points of the source and bytes of the repaired text.
    end: (usize, usize),
    /// The last change ends within a code point of the source.
    splits: bool,
    records: Vec<Record<'py>>,
}

impl<'py> Records<'_, 'py> {
    fn slice(&self, range: &Range<usize>) -> PyResult<Bound<'py, PyAny>> {
        let (start, end) = (range.start.cast_signed(), range.end.cast_signed());
        self.text.get_item(PySlice::new(self.text.py(), start, end, 1))
    }

    /// Records what the source spells otherwise than the repaired text, which has no change there:
    /// escaped bytes that are well-formed together, and lone surrogates.
    fn gap(&mut self, to: usize) -> PyResult<()> {
        let (mut index, start) = self.end;
        if !self.source.has_surrogates || start >= to {
            return Ok(());
        }
        let mut escaped: Option<(Range<usize>, Range<usize>)> = None;
        for (at, c) in self.repaired[start..to].char_indices() {
            let (from, after) = (index, start + at..start + at + c.len_utf8());
            let spelled = self.source.spelled(index);
            index += if matches!(spelled, Spelled::Escaped(_)) { c.len_utf8() } else { 1 };
            match spelled {
                Spelled::Escaped(_) => {
                    let one = escaped.get_or_insert((from..from, after.start..after.start));
                    (one.0.end, one.1.end) = (index, after.end);
                }
                Spelled::Sequence(..) => self.respelled(Step::Bytes, escaped.take())?,
                Spelled::Lone => {
                    self.respelled(Step::Bytes, escaped.take())?;
                    self.respelled(Step::Lost, Some((from..index, after)))?;
                }
            }
        }
        self.respelled(Step::Bytes, escaped)
    }

    fn respelled(&mut self, step: Step, ranges: Option<(Range<usize>, Range<usize>)>) -> PyResult<()> {
        let Some((source, repaired)) = ranges else { return Ok(()) };
        let at = self.counter.code_points_before(repaired.start as u64);
        let mut change = Change::new(step, (0, Vec::new()), (0, self.repaired[repaired].to_owned()));
        change.lossy = step == Step::Lost;
        change.encodings = if change.lossy { Vec::new() } else { vec![Encoding::UTF_8] };
        let before = self.slice(&source)?;
        self.records.push(record(change, source.start, before, at));
        Ok(())
    }

    fn change(&mut self, change: Change) -> PyResult<()> {
        let (offset, repaired_offset) = (change.offset, change.repaired_offset);
        let [start, repaired_start] =
            [offset, repaired_offset].map(|at| usize::try_from(at).unwrap_or(usize::MAX));
        let (mut range, splits) = self.source.code_points(start..start + change.before.len());
        self.gap(repaired_start)?;
        let at = self.counter.code_points_before(repaired_offset);
        self.end.1 = repaired_start + change.after.len();
        // The bytes of a lone surrogate are several errors, and one code point.
        let joined = if self.splits { self.records.pop() } else { None };
        if let Some(mut one) = joined {
            range.start = one.1;
            one.2 = self.slice(&range)?;
            one.4.push_str(&change.after);
            one.6 |= change.lossy;
            one.8 = one.8.min(change.confidence);
            self.records.push(one);
        } else {
            let before = self.slice(&range)?;
            self.records.push(record(change, range.start, before, at));
        }
        (self.end.0, self.splits) = (range.end, splits);
        Ok(())
    }
}

/// Repairs a `str`. Returns the text and the changes.
#[pyfunction]
fn repair_text<'py>(text: &Bound<'py, PyString>, settings: Settings) -> PyResult<(String, Vec<Record<'py>>)> {
    let repairer = repairer(settings, true)?;
    let held = Held::of(text)?;
    let view = held.view();
    let (source, bytes) = alone(view.len(), || Bytes::new(view));
    let (repaired, _, changes) = run(text.py(), repairer, &bytes)?;
    let mut records = Records {
        text,
        source,
        repaired: &repaired,
        counter: Counter::new(&repaired),
        end: (0, 0),
        splits: false,
        records: Vec::with_capacity(changes.len()),
    };
    for change in changes {
        records.change(change)?;
    }
    records.gap(repaired.len())?;
    let records = records.records;
    Ok((repaired, records))
}

/// Repairs a text with all steps for a `str`, and returns it alone.
pub(crate) fn repaired_units(py: Python<'_>, view: View<'_>) -> PyResult<String> {
    let (_, bytes) = alone(view.len(), || Bytes::new(view));
    let (text, ..) = run(py, repairer((None, 0.0, "replace".to_owned(), None), true)?, &bytes)?;
    Ok(text)
}

/// A change to undo: step, offset, before, offset in the repaired text, after.
type Done<'py> = (String, u64, Bound<'py, PyBytes>, usize, String);

/// Returns the bytes of the source from which a repair made `text`; the offset in `text`, in code
/// points, if it differs from the record.
#[pyfunction]
fn undo_bytes<'py>(
    py: Python<'py>,
    text: &str,
    encoding: &str,
    changes: Vec<Done<'py>>,
) -> PyResult<Bound<'py, PyAny>> {
    let differs = |at: usize| Ok(at.into_pyobject(py)?.into_any());
    let encoding = names::encoding(encoding)?;
    let (mut bytes, mut code_points) = (0, 0);
    let mut records = Vec::with_capacity(changes.len());
    for (name, offset, before, repaired_at, after) in changes {
        let Some(ahead) = repaired_at.checked_sub(code_points) else { return differs(repaired_at) };
        let rest = &text[bytes..];
        bytes += rest.char_indices().nth(ahead).map_or(rest.len(), |(at, _)| at);
        code_points = repaired_at;
        records.push(Change::new(step(&name)?, (offset, before.as_bytes().to_vec()), (bytes as u64, after)));
    }
    match alone(text.len(), || repair::undo(text.as_bytes(), encoding, &records)) {
        Ok(source) => Ok(PyBytes::new(py, &source).into_any()),
        Err(error) => differs(Counter::new(text).code_points_before(error.offset())),
    }
}

/// Adds the functions to the module.
pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let repairing = crate::module::submodule(module, "repairing")?;
    repairing.add_function(wrap_pyfunction!(repair_bytes, &repairing)?)?;
    repairing.add_function(wrap_pyfunction!(repair_text, &repairing)?)?;
    repairing.add_function(wrap_pyfunction!(undo_bytes, &repairing)?)
}
