//! Detection: `Detector`, and the regions of a text in several encodings. Answers are tuples, which
//! `placemat/detection.py` turns into named types.

use crate::input::in_pieces;
use crate::names;
use crate::raw::alone;
use crate::turns::{Began, InTurn, Turn};
use placemat::Encoding;
use placemat::detect::{self, Detection, Regions};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// A detector that is fed by pieces. Calls on several threads have their turns.
#[pyclass(frozen, module = "placemat._placemat.detection")]
pub(crate) struct Detector(InTurn<detect::Detector>);

impl Detector {
    /// Waits for the turn of a call.
    fn state(&self, py: Python<'_>) -> PyResult<Turn<'_, detect::Detector>> {
        let (mut state, began) = self.0.begin(py, || "the detector".to_owned())?;
        if began == Began::InTheMiddle {
            // The missing thread was about to change it.
            std::mem::forget(std::mem::take(&mut *state));
            return Err(PyRuntimeError::new_err(
                "a thread that is missing since the process forked was feeding the detector: feed it from the start",
            ));
        }
        Ok(state)
    }

    fn answer<'py>(&self, py: Python<'py>, is_prefix: bool) -> PyResult<Bound<'py, PyAny>> {
        let detector = self.state(py)?.clone();
        let finish = || if is_prefix { detector.finish_prefix() } else { detector.finish() };
        shown(py, alone(usize::MAX, finish))
    }
}

#[pymethods]
impl Detector {
    #[new]
    fn new() -> Self {
        Self(InTurn::new(detect::Detector::new()))
    }

    /// Reads the next bytes.
    fn feed(&self, data: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut state = self.state(data.py())?;
        let mut before = None;
        let fed = in_pieces(data, |piece, last| {
            let detector = &mut *state;
            if !last && before.is_none() {
                before = Some(detector.clone());
            }
            alone(piece.len(), || detector.feed(piece));
        });
        // An exception of a signal handler leaves the detector as it was.
        if let (Err(_), Some(before)) = (&fed, before) {
            *state = before;
        }
        fed
    }

    /// Returns the answer for a text that ends here.
    fn finish<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.answer(py, false)
    }

    /// Returns the answer for the start of a text.
    fn finish_prefix<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.answer(py, true)
    }
}

fn name(encoding: Option<Encoding>) -> Option<String> {
    encoding.map(names::of)
}

/// Returns the detector's answer as two tuples: the verdict, and its reasons.
fn shown(py: Python<'_>, found: Detection) -> PyResult<Bound<'_, PyAny>> {
    let Detection {
        verdict,
        encoding,
        confidence,
        language,
        basis,
        signature,
        candidates,
        first_non_ascii,
        declared,
        ruled_out,
        damage,
        mixed,
        len,
        is_prefix,
        ..
    } = found;
    let verdict = verdict.name();
    let basis = basis.name();
    let candidates: Vec<_> = candidates
        .iter()
        .map(|candidate| {
            let language = candidate.language.map(|language| language.code());
            (names::of(candidate.encoding), candidate.confidence, language, candidate.same_text)
        })
        .collect();
    let declared = declared.map(|declared| {
        (declared.convention, declared.label, name(declared.encoding), declared.offset, declared.contradicted)
    });
    let ruled_out: Vec<_> = ruled_out
        .iter()
        .map(|out| (names::of(out.encoding), out.offset, PyBytes::new(py, &out.bytes)))
        .collect();
    let damage = damage.map(|damage| (damage.ill_formed, damage.well_formed, damage.first));
    let mixed: Vec<_> = mixed.into_iter().map(names::of).collect();
    let signature = signature.map(|found| (found.name.to_ascii_lowercase(), found.len));
    let (code, language) = language.map(|language| (language.code(), language.name())).unzip();
    let verdict = (verdict, name(encoding), confidence, code, basis, len, is_prefix, language);
    let reasons = (signature, candidates, first_non_ascii, declared, ruled_out, damage, mixed);
    Ok((verdict, reasons).into_pyobject(py)?.into_any())
}

/// A region: offset, length, line, lines, encoding, confidence.
type Region = (u64, u64, u64, u64, String, f32);

/// Returns the regions of a text, each in one encoding.
#[pyfunction]
fn regions(data: &Bound<'_, PyAny>) -> PyResult<Vec<Region>> {
    // The two passes must read the same bytes.
    let data = crate::input::Input::of(data)?.into_bytes(data.py())?;
    let (mut regions, mut found) = (Regions::new(), Vec::new());
    in_pieces(&data, |piece, _| alone(piece.len(), || regions.learn(piece)))?;
    in_pieces(&data, |piece, _| {
        alone(piece.len(), || regions.feed(piece, |region| found.push(region)));
    })?;
    alone(usize::MAX, || regions.finish(|region| found.push(region)));
    let shown = |region: detect::Region| {
        let detect::Region { offset, len, line, lines, encoding, confidence, .. } = region;
        (offset, len, line, lines, names::of(encoding), confidence)
    };
    Ok(found.into_iter().map(shown).collect())
}

/// Adds the class and the function to the module.
pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let detection = crate::module::submodule(module, "detection")?;
    detection.add_class::<Detector>()?;
    detection.add_function(wrap_pyfunction!(regions, &detection)?)
}
