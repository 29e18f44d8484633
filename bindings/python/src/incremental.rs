//! `Decoder` and `Encoder`: texts that come piece by piece, with the interface of `codecs.IncrementalDecoder` and
//! `codecs.IncrementalEncoder`.

use crate::builder::{Builder, bound};
use crate::decode::{self, Source};
use crate::encode;
use crate::handlers::{Errors, OnDecode, OnEncode};
use crate::held::Held;
use crate::input::Input;
use crate::meanwhile::Undisturbed;
use crate::names;
use crate::text;
use crate::turns::{Began, InTurn, Turn};
use placemat::stream::Checkpoint;
use placemat::{Encoding, utf8};
use pyo3::exceptions::{PyTypeError, PyUnicodeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, MutexGuard};

/// The states of coders that were asked for, each once. Python's files keep the state of a decoder
/// in 32 bits, and the windows of SCSU alone take more. So a state is a number in this list, which
/// all coders of the process share.
#[derive(Default)]
struct States {
    known: Vec<Checkpoint>,
    numbers: HashMap<Checkpoint, usize>,
}

impl States {
    /// Locks the list. The caller keeps the GIL meanwhile, so that no other thread has the lock
    /// when the process forks.
    fn lock() -> PyResult<MutexGuard<'static, Self>> {
        static STATES: LazyLock<Mutex<States>> = LazyLock::new(Mutex::default);
        STATES.lock().map_err(|_| PyValueError::new_err("the states of coders are lost"))
    }
}

/// Returns the number of a state, counted from `first`.
fn number_of(checkpoint: &Checkpoint, first: usize) -> PyResult<usize> {
    let mut states = States::lock()?;
    let States { known, numbers } = &mut *states;
    let at = *numbers.entry(*checkpoint).or_insert_with(|| {
        known.push(*checkpoint);
        known.len() - 1
    });
    Ok(first + at)
}

/// Returns the state of a number, counted from `first`, between these encodings.
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

/// An argument of which only the truth value counts: `codecs.IncrementalDecoder` takes 1 for True.
struct Truth(bool);

impl<'py> FromPyObject<'_, 'py> for Truth {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        object.is_truthy().map(Self)
    }
}

/// Decodes a text piece by piece: `decode(input, final=False)` returns the text so far, and an incomplete sequence at the end of a
/// piece waits for the next one. `getstate`, `setstate` and `reset` as `codecs.IncrementalDecoder` has them. With for_file=True, an
/// error is raised again until another place is gone to: a file does not give the same piece again. Calls on several threads
/// have their turns in the order in which they came.
#[pyclass(frozen, module = "placemat", subclass)]
pub(crate) struct Decoder {
    encoding: Encoding,
    errors: OnDecode,
    policy: String,
    for_file: bool,
    state: InTurn<Reading>,
}

/// The state of a decoder.
struct Reading {
    engine: decode::Engine,
    /// The bytes of an incomplete sequence.
    kept: Vec<u8>,
    /// The state before the call that is in progress, and its offset.
    before: Option<(Checkpoint, u64)>,
    /// The error of a file, after which its reader has lost its place.
    failed: Option<PyErr>,
}

impl Decoder {
    /// Waits for the turn of a call.
    #[inline]
    fn state(&self, py: Python<'_>) -> PyResult<Turn<'_, Reading>> {
        let (mut state, began) = self.state.begin(py, || self.__repr__())?;
        if began == Began::InTheMiddle {
            let Reading { engine, before, .. } = &mut *state;
            if let Some((checkpoint, offset)) = before.take() {
                // The missing thread was about to change it.
                std::mem::forget(std::mem::replace(engine, decode::Engine::new(self.encoding, &self.errors)));
                engine.resume(&checkpoint, offset);
            }
        }
        Ok(state)
    }
}

impl Reading {
    /// Fast path for a piece of well-formed UTF-8 between sequences, the usual case.
    fn quickly<'py>(
        &mut self,
        data: &Bound<'py, PyBytes>,
        last: bool,
    ) -> PyResult<Option<Bound<'py, PyString>>> {
        let src = data.as_bytes();
        if !self.kept.is_empty() {
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

    /// Forgets the text so far.
    fn reset(&mut self) {
        self.kept.clear();
        self.engine.reset();
        self.failed = None;
    }
}

/// Returns the length of UTF-8 without an incomplete sequence at the end.
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
    #[pyo3(signature = (encoding = "utf-8", errors = "strict", *, for_file = false))]
    fn new(encoding: &str, errors: &str, for_file: bool) -> PyResult<Self> {
        let on_error = OnDecode::of(Some(errors))?;
        let encoding = names::encoding(encoding)?;
        let engine = decode::Engine::new(encoding, &on_error);
        let state = InTurn::new(Reading { engine, kept: Vec::new(), before: None, failed: None });
        Ok(Self { encoding, errors: on_error, policy: errors.to_owned(), for_file, state })
    }

    /// The name of the encoding.
    #[getter]
    fn encoding(&self) -> String {
        names::of(self.encoding)
    }

    /// The name of the policy.
    #[getter]
    fn errors(&self) -> &str {
        &self.policy
    }

    /// The bytes of an incomplete sequence, which wait for the next ones.
    #[getter]
    fn buffer<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.state(py)?.kept))
    }

    /// The text of the next bytes. With final=True the text ends there, and the next call begins a new one.
    ///
    /// Raises DecodeError, whose `offset` counts from the start of the text; the state is then that before the call.
    #[pyo3(signature = (input, r#final = Truth(false)))]
    #[pyo3(name = "decode", text_signature = "($self, input, final=False)")]
    fn decode_piece<'py>(&self, input: &Bound<'py, PyAny>, r#final: Truth) -> PyResult<Bound<'py, PyString>> {
        let (py, Truth(last)) = (input.py(), r#final);
        let piece = match input.cast::<PyBytes>() {
            Ok(bytes) => bytes.clone(),
            Err(_) => {
                // No later call may have its turn first.
                let _undisturbed = Undisturbed::altogether();
                Input::of(input)?.into_bytes(py)?
            }
        };
        let mut state = self.state(py)?;
        if let Some(failed) = &state.failed {
            return Err(failed.clone_ref(py));
        }
        let len = state.kept.len() + piece.as_bytes().len();
        let undisturbed = Undisturbed::piece(len, last, matches!(self.errors, Errors::Registered(_)));
        let is_quick = self.encoding == Encoding::UTF_8 && !self.errors.inspects();
        let text = match if is_quick { state.quickly(&piece, last)? } else { None } {
            Some(text) => text,
            None => {
                let Reading { engine, kept, before, failed } = &mut *state;
                let whole = if kept.is_empty() {
                    piece
                } else {
                    PyBytes::new(py, &[kept, piece.as_bytes()].concat())
                };
                let start = (engine.checkpoint(), engine.offset);
                if undisturbed.is_some() {
                    *before = Some(start);
                }
                let mut out = Builder::default();
                let read = engine.feed(Source::Whole(&whole), last, &self.errors, &mut out);
                let text = read.and_then(|read| Ok((read, out.finish(py)?)));
                if before.is_some() {
                    *before = None;
                }
                match text {
                    Ok((read, text)) => {
                        *kept = whole.as_bytes().get(read..).unwrap_or_default().to_vec();
                        text
                    }
                    Err(error) => {
                        engine.resume(&start.0, start.1);
                        if self.for_file && error.is_instance_of::<PyUnicodeError>(py) {
                            *failed = Some(error.clone_ref(py));
                        }
                        return Err(error);
                    }
                }
            }
        };
        if last {
            state.reset();
        }
        Ok(text)
    }

    /// Forgets the text so far.
    fn reset(&self, py: Python<'_>) -> PyResult<()> {
        self.state(py)?.reset();
        Ok(())
    }

    /// The bytes of an incomplete sequence, and a number for the rest of the state, valid in this
    /// process.
    fn getstate<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let state = self.state(py)?;
        let here = state.engine.checkpoint();
        let number = if here == state.engine.start() { 0 } else { number_of(&here, 1)? };
        (PyBytes::new(py, &state.kept), number).into_pyobject(py)
    }

    /// Goes back to what `getstate` gave. The offsets of errors count from there.
    fn setstate(&self, py: Python<'_>, state: (Vec<u8>, usize)) -> PyResult<()> {
        let (kept, number) = state;
        let mut state = self.state(py)?;
        let start = state.engine.start();
        let checkpoint = match number {
            0 => start,
            _ => checkpoint_of(number, 1, start.encodings())?,
        };
        state.engine.resume(&checkpoint, 0);
        state.engine.is_placed = false;
        (state.kept, state.failed) = (kept, None);
        Ok(())
    }

    fn __repr__(&self) -> String {
        format!("<placemat.Decoder {} {}>", names::of(self.encoding), self.policy)
    }
}

/// Encodes a text piece by piece: `encode(input, final=False)` returns the bytes so far; with final=True also those that close the
/// text, such as a shift back. `getstate`, `setstate` and `reset` as `codecs.IncrementalEncoder` has them.
///
/// With for_file=True, no text waits for the next piece, as files never tell an encoder that the text ends. Calls on several threads
/// have their turns in the order in which they came.
#[pyclass(frozen, module = "placemat", subclass)]
pub(crate) struct Encoder {
    encoding: Encoding,
    errors: OnEncode,
    policy: String,
    for_file: bool,
    state: InTurn<Writing>,
}

/// The state of an encoder.
struct Writing {
    engine: encode::Engine,
    /// Code points that wait for those after them, such as a letter for its mark in MARC-8.
    kept: Vec<u32>,
    /// Unknown bytes before this position may have changed the meaning of those that follow.
    is_lost: bool,
    /// The state before the call that is in progress, and its offset.
    before: Option<(Checkpoint, u64)>,
}

impl Encoder {
    /// Waits for the turn of a call.
    #[inline]
    fn state(&self, py: Python<'_>) -> PyResult<Turn<'_, Writing>> {
        let (mut state, began) = self.state.begin(py, || self.__repr__())?;
        if began == Began::InTheMiddle {
            let Writing { engine, before, .. } = &mut *state;
            if let Some((checkpoint, offset)) = before.take() {
                // The missing thread was about to change it.
                std::mem::forget(std::mem::replace(engine, encode::Engine::new(self.encoding, &self.errors)));
                engine.resume(&checkpoint, offset);
            }
        }
        Ok(state)
    }
}

impl Writing {
    /// Forgets the text so far.
    fn reset(&mut self) {
        self.kept.clear();
        self.engine.reset();
        self.is_lost = false;
    }
}

/// Returns `true` if `text` is the marker by which `placemat.files.TextFile` announces the end.
fn says_end(text: &Bound<'_, PyString>) -> PyResult<bool> {
    Ok(!text.is_exact_instance_of::<PyString>() && text.hasattr("says_that_the_text_ends")?)
}

/// Returns `true` if an encoder holds text back until it knows the next character: the bits of a
/// byte of base64, a letter for its mark, the choice of a window.
fn holds_text(encoding: Encoding) -> bool {
    use Encoding as E;
    [E::UTF_7, E::UTF_7_D, E::UTF_7_IMAP, E::MARC_8, E::ANSEL, E::GEDCOM, E::SCSU].contains(&encoding)
}

/// The remedy for a position in a file with unknown bytes before it.
enum Unknown {
    /// No remedy is needed: text before the position leaves no state that closing does not end.
    Harmless,
    /// Writing this byte restores the state.
    Ended(u8),
    /// No byte restores the state.
    Endless,
}

impl Unknown {
    fn of(encoding: Encoding) -> Self {
        if encoding == Encoding::BOCU_1 {
            Self::Ended(0xFF)
        } else if encoding == Encoding::SCSU {
            Self::Endless
        } else {
            Self::Harmless
        }
    }
}

/// The number of the state within a text, where no signature is due. Such numbers are the same for
/// all encodings, with the meaning that `io.TextIOWrapper` gives them.
const WITHIN: usize = 0;
/// The number of the state at the start of a text.
const START: usize = 2;
/// From this number on, states are numbers of checkpoints.
const OTHER: usize = 4;

#[pymethods]
impl Encoder {
    #[new]
    #[pyo3(signature = (encoding = "utf-8", errors = "strict", *, for_file = false))]
    fn new(encoding: &str, errors: &str, for_file: bool) -> PyResult<Self> {
        let on_unmappable = OnEncode::of(Some(errors))?;
        let encoding = names::encoding(encoding)?;
        let engine = encode::Engine::new(encoding, &on_unmappable);
        let state = InTurn::new(Writing { engine, kept: Vec::new(), is_lost: false, before: None });
        Ok(Self { encoding, errors: on_unmappable, policy: errors.to_owned(), for_file, state })
    }

    /// The name of the encoding.
    #[getter]
    fn encoding(&self) -> String {
        names::of(self.encoding)
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
    fn encode_piece<'py>(&self, input: &Bound<'py, PyAny>, r#final: Truth) -> PyResult<Bound<'py, PyBytes>> {
        let (py, Truth(last)) = (input.py(), r#final);
        let Ok(piece) = input.cast::<PyString>() else {
            let kind = input.get_type();
            return Err(PyTypeError::new_err(format!("encode() takes str, not {}", kind.name()?)));
        };
        let last = last || (self.for_file && says_end(piece)?);
        let mut state = self.state(py)?;
        let Writing { engine, kept, is_lost, before } = &mut *state;
        let whole = if kept.is_empty() {
            piece.clone()
        } else {
            let mut all = Builder::default();
            all.push_code_points(kept);
            all.push_str(piece)?;
            all.finish(py)?
        };
        let held = Held::of(&whole)?;
        let len = held.view().len();
        let mut out = Vec::new();
        if *is_lost && len > 0 {
            match Unknown::of(self.encoding) {
                Unknown::Harmless => {}
                Unknown::Ended(byte) => out.push(byte),
                Unknown::Endless => {
                    return Err(PyValueError::new_err(format!(
                        "{} cannot go on here, as the bytes before this place decide what others mean: write the whole text again",
                        self.encoding.name()
                    )));
                }
            }
        }
        let closes = last || (self.for_file && holds_text(self.encoding) && len > 0);
        let undisturbed = Undisturbed::piece(len, true, matches!(self.errors, Errors::Registered(_)));
        if let Errors::Stock(policy) = self.errors
            && kept.is_empty()
            && let Some(new) = encode::by_table(held.view(), self.encoding, policy)
        {
            engine.offset += len as u64;
            *is_lost &= len == 0;
            if last {
                state.reset();
            }
            return encode::bound(py, new);
        }
        let start = (engine.checkpoint(), engine.offset);
        if undisturbed.is_some() {
            *before = Some(start);
        }
        let rest = engine.feed(&whole, closes, &self.errors, &mut out);
        if before.is_some() {
            *before = None;
        }
        match rest {
            Ok(rest) => *kept = rest,
            Err(error) => {
                engine.resume(&start.0, start.1);
                return Err(error);
            }
        }
        if closes {
            // The next piece continues the text, so no signature is due.
            let (here, offset) = (engine.checkpoint(), engine.offset);
            engine.resume(&here, offset);
        }
        *is_lost &= len == 0;
        if last {
            state.reset();
        }
        Ok(PyBytes::new(py, &out))
    }

    /// Forgets the text so far.
    fn reset(&self, py: Python<'_>) -> PyResult<()> {
        self.state(py)?.reset();
        Ok(())
    }

    /// A number for the state, valid in this process: 0 within a text, 2 at its start, others where
    /// it matters.
    fn getstate(&self, py: Python<'_>) -> PyResult<usize> {
        let state = self.state(py)?;
        let here = state.engine.checkpoint();
        let harmless = matches!(Unknown::of(self.encoding), Unknown::Harmless) || !self.for_file;
        if here == state.engine.start() && !state.is_lost {
            return Ok(if harmless && state.engine.within() == here { WITHIN } else { START });
        }
        let within = state.is_lost || (harmless && here == state.engine.within());
        if within { Ok(WITHIN) } else { number_of(&here, OTHER) }
    }

    /// Goes back to what `getstate` gave. The offsets of errors count from there.
    fn setstate(&self, py: Python<'_>, state: usize) -> PyResult<()> {
        let number = state;
        let mut state = self.state(py)?;
        let checkpoint = match number {
            WITHIN => state.engine.within(),
            START => state.engine.start(),
            _ => checkpoint_of(number, OTHER, state.engine.start().encodings())?,
        };
        state.engine.resume(&checkpoint, 0);
        state.kept.clear();
        let harmless = matches!(Unknown::of(self.encoding), Unknown::Harmless);
        state.is_lost = self.for_file && number == WITHIN && !harmless;
        Ok(())
    }

    fn __repr__(&self) -> String {
        format!("<placemat.Encoder {} {}>", names::of(self.encoding), self.policy)
    }
}

/// Adds both classes to the module.
pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Decoder>()?;
    module.add_class::<Encoder>()
}
