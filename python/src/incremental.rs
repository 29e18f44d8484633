//! `Decoder` and `Encoder`: texts that come piece by piece, with the interface of `codecs.IncrementalDecoder` and
//! `codecs.IncrementalEncoder`.

use crate::builder::{Builder, bound};
use crate::decode::{self, Source};
use crate::encode;
use crate::handlers::{Errors, OnDecode, OnEncode};
use crate::input::Input;
use crate::names;
use crate::text;
use placemat::stream::Checkpoint;
use placemat::{Encoding, utf8};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, MutexGuard};

/// The states of coders that were asked for, each once. Python's files keep the state of a decoder in 32 bits; the windows of SCSU
/// alone take more. So a state is a number in this list, which all coders of the process share.
#[derive(Default)]
struct States {
    known: Vec<Checkpoint>,
    numbers: HashMap<Checkpoint, usize>,
}

impl States {
    /// The list. Its holder keeps the GIL meanwhile, so that no other thread is within when the process forks.
    fn lock() -> PyResult<MutexGuard<'static, Self>> {
        static STATES: LazyLock<Mutex<States>> = LazyLock::new(Mutex::default);
        STATES.lock().map_err(|_| PyValueError::new_err("the states of coders are lost"))
    }
}

/// The number of a state, from `first` on.
fn number_of(checkpoint: &Checkpoint, first: usize) -> PyResult<usize> {
    let mut states = States::lock()?;
    let States { known, numbers } = &mut *states;
    let at = *numbers.entry(*checkpoint).or_insert_with(|| {
        known.push(*checkpoint);
        known.len() - 1
    });
    Ok(first + at)
}

/// The state of a number from `first` on, between these encodings.
fn checkpoint_of(number: usize, first: usize, encodings: (Encoding, Encoding)) -> PyResult<Checkpoint> {
    let states = States::lock()?;
    number
        .checked_sub(first)
        .and_then(|at| states.known.get(at))
        .filter(|checkpoint| checkpoint.encodings() == encodings)
        .copied()
        .ok_or_else(|| {
            PyValueError::new_err(format!("{number} is no state that getstate() of such a coder gave"))
        })
}

/// An argument of which only the truth counts, as `codecs.IncrementalDecoder` takes 1 for True.
struct Truth(bool);

impl<'py> FromPyObject<'_, 'py> for Truth {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        object.is_truthy().map(Self)
    }
}

/// Decodes a text piece by piece: `decode(input, final=False)` returns the text so far, and an incomplete sequence at the end of a
/// piece waits for the next one. `getstate`, `setstate` and `reset` as `codecs.IncrementalDecoder` has them.
#[pyclass(module = "placemat", subclass)]
pub(crate) struct Decoder {
    engine: decode::Engine,
    errors: OnDecode,
    policy: String,
    /// The bytes of an incomplete sequence.
    kept: Vec<u8>,
}

impl Decoder {
    /// A piece of UTF-8 between sequences, all well-formed: the usual case.
    fn quickly<'py>(
        &mut self,
        data: &Bound<'py, PyBytes>,
        last: bool,
    ) -> PyResult<Option<Bound<'py, PyString>>> {
        let src = data.as_bytes();
        if self.engine.encoding() != Encoding::UTF_8 || !self.kept.is_empty() || self.errors.inspects() {
            return Ok(None);
        }
        let end = if last { src.len() } else { complete(src) };
        match text::from_utf8(&src[..end]) {
            Ok(text) => {
                self.kept.extend_from_slice(&src[end..]);
                self.engine.offset += end as u64;
                bound(data.py(), Ok(text)).map(Some)
            }
            Err(text::No::IllFormed) => Ok(None),
            Err(text::No::Raised) => Err(PyErr::fetch(data.py())),
        }
    }
}

/// The length of UTF-8 without a sequence at the end that more bytes could complete.
fn complete(src: &[u8]) -> usize {
    let start = utf8::floor_boundary(src, src.len().saturating_sub(1));
    match utf8::validate(&src[start..]) {
        Err(error) if error.is_incomplete() => start + error.valid_up_to(),
        _ => src.len(),
    }
}

#[pymethods]
impl Decoder {
    #[new]
    #[pyo3(signature = (encoding = "utf-8", errors = "strict"))]
    fn new(encoding: &str, errors: &str) -> PyResult<Self> {
        let on_error = OnDecode::of(Some(errors))?;
        let engine = decode::Engine::new(names::encoding(encoding)?, &on_error);
        Ok(Self { engine, errors: on_error, policy: errors.to_owned(), kept: Vec::new() })
    }

    /// The name of the encoding.
    #[getter]
    fn encoding(&self) -> String {
        names::of(self.engine.encoding())
    }

    /// The name of the policy.
    #[getter]
    fn errors(&self) -> &str {
        &self.policy
    }

    /// The bytes of an incomplete sequence, which wait for the next ones.
    #[getter]
    fn buffer<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.kept)
    }

    /// The text of the next bytes. With final=True the text ends there, and the next call begins a new one.
    ///
    /// Raises DecodeError, whose `offset` counts from the start of the text; the state is then that before the call.
    #[pyo3(signature = (input, r#final = Truth(false)))]
    #[pyo3(name = "decode", text_signature = "($self, input, final=False)")]
    fn decode_piece<'py>(
        &mut self,
        input: &Bound<'py, PyAny>,
        r#final: Truth,
    ) -> PyResult<Bound<'py, PyString>> {
        let (py, Truth(last)) = (input.py(), r#final);
        let piece = Input::of(input)?.into_bytes(py)?;
        let text = match self.quickly(&piece, last)? {
            Some(text) => text,
            None => {
                let whole = if self.kept.is_empty() {
                    piece
                } else {
                    PyBytes::new(py, &[&self.kept, piece.as_bytes()].concat())
                };
                let (before, offset) = (self.engine.checkpoint(), self.engine.offset);
                let mut out = Builder::default();
                match self.engine.feed(Source::Whole(&whole), last, &self.errors, &mut out) {
                    Ok(read) => self.kept = whole.as_bytes().get(read..).unwrap_or_default().to_vec(),
                    Err(error) => {
                        self.engine.resume(&before, offset);
                        return Err(error);
                    }
                }
                out.finish(py)?
            }
        };
        if last {
            self.reset();
        }
        Ok(text)
    }

    /// Forgets the text so far.
    fn reset(&mut self) {
        self.kept.clear();
        self.engine.reset();
    }

    /// The bytes of an incomplete sequence, and a number that stands for the rest of the state, in this process.
    fn getstate<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let here = self.engine.checkpoint();
        let number = if here == self.engine.start() { 0 } else { number_of(&here, 1)? };
        (PyBytes::new(py, &self.kept), number).into_pyobject(py)
    }

    /// Goes back to what `getstate` gave. The offsets of errors count from there.
    fn setstate(&mut self, state: (Vec<u8>, usize)) -> PyResult<()> {
        let (kept, number) = state;
        let start = self.engine.start();
        let checkpoint = match number {
            0 => start,
            _ => checkpoint_of(number, 1, start.encodings())?,
        };
        self.engine.resume(&checkpoint, 0);
        self.kept = kept;
        Ok(())
    }

    fn __repr__(&self) -> String {
        format!("<placemat.Decoder {} {}>", names::of(self.engine.encoding()), self.policy)
    }
}

/// Encodes a text piece by piece: `encode(input, final=False)` returns the bytes so far; with final=True also those that close the
/// text, such as a shift back. `getstate`, `setstate` and `reset` as `codecs.IncrementalEncoder` has them.
///
/// With for_file=True, no text waits for the next piece, as files never tell an encoder that the text ends.
#[pyclass(module = "placemat", subclass)]
pub(crate) struct Encoder {
    engine: encode::Engine,
    errors: OnEncode,
    policy: String,
    /// Code points that wait for those after them, such as a letter for its mark in MARC-8.
    kept: Vec<u32>,
    for_file: bool,
    /// Bytes before this place that nobody told of may have changed the meaning of those that follow.
    is_lost: bool,
}

/// Whether it is the text by which `placemat.files.TextFile` says that there is no more.
fn says_end(text: &Bound<'_, PyString>) -> PyResult<bool> {
    Ok(!text.is_exact_instance_of::<PyString>() && text.hasattr("says_that_the_text_ends")?)
}

/// Whether an encoder holds text back until it knows what follows: the bits of a byte of base64, a letter for its mark, the choice of
/// a window.
fn holds_text(encoding: Encoding) -> bool {
    use Encoding as E;
    matches!(encoding, E::UTF_7 | E::UTF_7_D | E::UTF_7_IMAP | E::MARC_8 | E::SCSU)
}

/// What can be done about a place in a file with unknown bytes before it.
enum Unknown {
    /// Nothing is needed: text before it leaves no state that closing does not end.
    Harmless,
    /// This byte means that state anew.
    Ended(u8),
    /// No byte does.
    Endless,
}

impl Unknown {
    fn of(encoding: Encoding) -> Self {
        match encoding {
            Encoding::BOCU_1 => Self::Ended(0xFF),
            Encoding::SCSU => Self::Endless,
            _ => Self::Harmless,
        }
    }
}

/// The states that are the same for all encodings, by the meaning that `io.TextIOWrapper` gives to the first: within a text, where
/// no signature is due.
const WITHIN: usize = 0;
/// At the start of a text.
const START: usize = 2;
/// From there on, states are numbers of checkpoints.
const OTHER: usize = 4;

#[pymethods]
impl Encoder {
    #[new]
    #[pyo3(signature = (encoding = "utf-8", errors = "strict", *, for_file = false))]
    fn new(encoding: &str, errors: &str, for_file: bool) -> PyResult<Self> {
        let on_unmappable = OnEncode::of(Some(errors))?;
        let engine = encode::Engine::new(names::encoding(encoding)?, &on_unmappable);
        let policy = errors.to_owned();
        Ok(Self { engine, errors: on_unmappable, policy, kept: Vec::new(), for_file, is_lost: false })
    }

    /// The name of the encoding.
    #[getter]
    fn encoding(&self) -> String {
        names::of(self.engine.encoding())
    }

    /// The name of the policy.
    #[getter]
    fn errors(&self) -> &str {
        &self.policy
    }

    /// The bytes of the next part of the text. With final=True the text ends there, and the next call begins a new one.
    ///
    /// Raises EncodeError, whose `offset` counts code points from the start of the text; the state is then that before the call.
    #[pyo3(signature = (input, r#final = Truth(false)))]
    #[pyo3(name = "encode", text_signature = "($self, input, final=False)")]
    fn encode_piece<'py>(
        &mut self,
        input: &Bound<'py, PyAny>,
        r#final: Truth,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (py, Truth(last)) = (input.py(), r#final);
        let Ok(piece) = input.cast::<PyString>() else {
            let kind = input.get_type();
            return Err(PyTypeError::new_err(format!("encode() takes str, not {}", kind.name()?)));
        };
        let whole = if self.kept.is_empty() {
            piece.clone()
        } else {
            let mut all = Builder::default();
            all.push_code_points(&self.kept);
            all.push_str(piece)?;
            all.finish(py)?
        };
        let mut out = Vec::new();
        if self.is_lost && !whole.is_empty()? {
            match Unknown::of(self.engine.encoding()) {
                Unknown::Harmless => {}
                Unknown::Ended(byte) => out.push(byte),
                Unknown::Endless => {
                    return Err(PyValueError::new_err(format!(
                        "{} cannot go on here, as the bytes before this place decide what others mean: write the text anew",
                        self.engine.encoding().name()
                    )));
                }
            }
        }
        let last = last || (self.for_file && says_end(piece)?);
        let (before, offset) = (self.engine.checkpoint(), self.engine.offset);
        let closes = last || (self.for_file && holds_text(self.engine.encoding()) && !whole.is_empty()?);
        match self.engine.feed(&whole, closes, &self.errors, &mut out) {
            Ok(rest) => self.kept = rest,
            Err(error) => {
                self.engine.resume(&before, offset);
                return Err(error);
            }
        }
        if closes {
            // What follows is more of the text, and no signature is due.
            let (here, offset) = (self.engine.checkpoint(), self.engine.offset);
            self.engine.resume(&here, offset);
        }
        self.is_lost &= whole.is_empty()?;
        if last {
            self.reset();
        }
        Ok(PyBytes::new(py, &out))
    }

    /// Forgets the text so far.
    fn reset(&mut self) {
        self.kept.clear();
        self.engine.reset();
        self.is_lost = false;
    }

    /// A number that stands for the state, in this process: 0 within a text, 2 at its start, others where it matters.
    fn getstate(&self) -> PyResult<usize> {
        let here = self.engine.checkpoint();
        let harmless = matches!(Unknown::of(self.engine.encoding()), Unknown::Harmless) || !self.for_file;
        if here == self.engine.start() && !self.is_lost {
            return Ok(if harmless && self.engine.within() == here { WITHIN } else { START });
        }
        let within = self.is_lost || (harmless && here == self.engine.within());
        if within { Ok(WITHIN) } else { number_of(&here, OTHER) }
    }

    /// Goes back to what `getstate` gave. The offsets of errors count from there.
    fn setstate(&mut self, state: usize) -> PyResult<()> {
        let checkpoint = match state {
            WITHIN => self.engine.within(),
            START => self.engine.start(),
            _ => checkpoint_of(state, OTHER, self.engine.start().encodings())?,
        };
        self.engine.resume(&checkpoint, 0);
        self.kept.clear();
        let harmless = matches!(Unknown::of(self.engine.encoding()), Unknown::Harmless);
        self.is_lost = self.for_file && state == WITHIN && !harmless;
        Ok(())
    }

    fn __repr__(&self) -> String {
        format!("<placemat.Encoder {} {}>", names::of(self.engine.encoding()), self.policy)
    }
}

/// Adds the two to the module.
pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Decoder>()?;
    module.add_class::<Encoder>()
}

impl OnDecode {
    /// Whether the policy looks at well-formed text too.
    fn inspects(&self) -> bool {
        use placemat::ErrorPolicy;
        matches!(self, Errors::Stock(ErrorPolicy::Optu | ErrorPolicy::Optu16))
    }
}
