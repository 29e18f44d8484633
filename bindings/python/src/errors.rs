//! `DecodeError` and `EncodeError`: CPython's exceptions, with a stable code and the offset in the whole text.

use crate::names;
use crate::running::lock;
use core::fmt;
use placemat::{Encoding, IllFormed, Unmappable};
use pyo3::exceptions::{PyUnicodeDecodeError, PyUnicodeEncodeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use std::io::{self, Write as _};
use std::sync::Mutex;

pyo3::create_exception!(
    placemat,
    DecodeError,
    PyUnicodeDecodeError,
    "An ill-formed sequence, object[start:end]. `code` is its kind, a short stable name such as 'overlong-2'; `offset` counts \
     bytes from the start of the whole text, whatever part of it `object` is."
);
pyo3::create_exception!(
    placemat,
    EncodeError,
    PyUnicodeEncodeError,
    "Text that the encoding cannot represent, object[start:end]. `code` is the reason, such as 'not-held'; `offset` counts code \
     points from the start of the whole text."
);

/// Adds both exceptions to the module, with the attributes that they have when Python code makes
/// them.
pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    for (name, class) in
        [("DecodeError", py.get_type::<DecodeError>()), ("EncodeError", py.get_type::<EncodeError>())]
    {
        class.setattr("code", "")?;
        class.setattr("offset", Bound::new(py, Offset)?)?;
        module.add(name, class)?;
    }
    Ok(())
}

/// The attribute `offset` of an exception of this library whose own attributes do not have it: the offset in the object,
/// which is the whole text then. An exception that Python code makes has no offset.
#[pyclass(frozen, module = "placemat")]
struct Offset;

#[pymethods]
impl Offset {
    fn __get__<'py>(
        &self,
        error: &Bound<'py, PyAny>,
        _class: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = error.py();
        let is_own = !error.is_none()
            && error.getattr(pyo3::intern!(py, "__dict__"))?.contains(pyo3::intern!(py, "code"))?;
        if is_own { error.getattr(pyo3::intern!(py, "start")) } else { Ok(py.None().into_bound(py)) }
    }
}

/// Sets the offset of an exception that begins at `start` of its object.
fn set_offset(error: &Bound<'_, PyAny>, start: usize, offset: u64) -> PyResult<()> {
    if start as u64 == offset { Ok(()) } else { error.setattr(pyo3::intern!(error.py(), "offset"), offset) }
}

/// The part of the text that an exception shows, and the position of the error in it.
pub(crate) struct Spot<'py> {
    pub(crate) object: Bound<'py, PyBytes>,
    /// The index of the first code unit of the error.
    pub(crate) start: usize,
    /// The index after the last code unit of the error.
    pub(crate) end: usize,
    /// The offset of the error in the whole text.
    pub(crate) offset: u64,
    /// The offset counts from the start of the text.
    pub(crate) is_placed: bool,
}

/// The error in the words of the library, without its offset, which the exception has.
pub(crate) fn reason(error: &IllFormed) -> String {
    error.reason().to_string()
}

pub(crate) fn decode_error<'py>(
    py: Python<'py>,
    encoding: Encoding,
    spot: &Spot<'py>,
    reason: &str,
    code: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let class = py.get_type::<DecodeError>();
    // Python's message has the position in the object alone.
    let place = if spot.is_placed && spot.offset != spot.start as u64 {
        format!(", at byte {} of the text", spot.offset)
    } else {
        String::new()
    };
    let reason = format!("{reason}{place}");
    let error = class.call1((names::of(encoding), &spot.object, spot.start, spot.end, reason))?;
    error.setattr(pyo3::intern!(py, "code"), code)?;
    set_offset(&error, spot.start, spot.offset)?;
    Ok(error)
}

/// The attributes of an exception that do not depend on its position.
#[derive(Debug)]
pub(crate) struct Reason {
    pub(crate) reason: Py<PyString>,
    pub(crate) code: &'static str,
    /// The code as an object of Python.
    pub(crate) code_object: Py<PyString>,
}

/// The longest reason that needs no memory of its own, in bytes.
const MAX_REASON_BYTES: usize = 128;

impl Reason {
    pub(crate) fn new(py: Python<'_>, reason: impl fmt::Display, code: &'static str) -> Self {
        let mut room = io::Cursor::new([0; MAX_REASON_BYTES]);
        let written = write!(room, "{reason}").is_ok();
        let len = usize::try_from(room.position()).unwrap_or(MAX_REASON_BYTES);
        let reason = match str::from_utf8(&room.get_ref()[..len]) {
            Ok(text) if written => PyString::new(py, text),
            _ => PyString::new(py, &reason.to_string()),
        };
        Self { reason: reason.unbind(), code, code_object: PyString::new(py, code).unbind() }
    }

    fn clone_ref(&self, py: Python<'_>) -> Self {
        Self {
            reason: self.reason.clone_ref(py),
            code: self.code,
            code_object: self.code_object.clone_ref(py),
        }
    }
}

/// The last errors with their reasons, each at an index that its bytes choose: texts have the same errors time and again.
static REASONS: Mutex<Vec<Option<(IllFormed, Reason)>>> = Mutex::new(Vec::new());
/// The number of reasons that are kept, a power of two.
const KEPT_REASONS: usize = 512;

/// Returns the reason of an error.
pub(crate) fn reason_of(py: Python<'_>, error: &IllFormed) -> Reason {
    let number = error.seen().iter().fold(0_u32, |number, &byte| number << 8 | u32::from(byte));
    // The high bits of the product depend on all bits of the number.
    let index = (number.wrapping_mul(0x9E37_79B1) >> 16) as usize % KEPT_REASONS;
    let mut all = lock(&REASONS);
    all.resize_with(KEPT_REASONS, || None);
    let is_same = |other: &IllFormed| {
        (other.kind(), other.len(), other.seen()) == (error.kind(), error.len(), error.seen())
    };
    match &mut all[index] {
        Some((other, reason)) if is_same(other) => reason.clone_ref(py),
        known => known.insert((*error, Reason::new(py, error.reason(), error.code()))).1.clone_ref(py),
    }
}

/// Returns the error for `text[start..end]`. Its reason begins with `place`, if that is more
/// informative.
pub(crate) fn encode_error<'py>(
    encoding: Encoding,
    text: &Bound<'py, PyString>,
    (start, end): (usize, usize),
    offset: u64,
    error: &Unmappable,
    place: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let py = text.py();
    let reason = format!("{place}{}", error.reason());
    let class = py.get_type::<EncodeError>();
    let object = class.call1((names::of(encoding), text, start, end, reason))?;
    object.setattr(pyo3::intern!(py, "code"), error.code())?;
    set_offset(&object, start, offset)?;
    Ok(object)
}
