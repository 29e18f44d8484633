//! `DecodeError` and `EncodeError`: CPython's exceptions, with a stable code and the offset in the whole text.

use crate::names;
use placemat::{Encoding, IllFormed, Unmappable};
use pyo3::exceptions::{PyUnicodeDecodeError, PyUnicodeEncodeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};

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
        class.setattr("offset", py.None())?;
        module.add(name, class)?;
    }
    Ok(())
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
    error.setattr(pyo3::intern!(py, "offset"), spot.offset)?;
    Ok(error)
}

/// The attributes of an exception that depend on the code point alone.
pub(crate) struct Reason<'py> {
    reason: Bound<'py, PyString>,
    code: Bound<'py, PyString>,
}

impl<'py> Reason<'py> {
    pub(crate) fn of(py: Python<'py>, error: &Unmappable) -> Self {
        Self {
            reason: PyString::new(py, &error.reason().to_string()),
            code: PyString::intern(py, error.code()),
        }
    }
}

/// Moves an error of [`encode_error`] to another part of the same text, which begins at the offset
/// 0: CPython, too, gives a handler one exception for all errors of a call.
pub(crate) fn move_encode_error(
    object: &Bound<'_, PyAny>,
    (start, end): (usize, usize),
    reason: &Reason<'_>,
) -> PyResult<()> {
    let py = object.py();
    // SAFETY: the object is the exception that `encode_error` made; the GIL is held.
    let is_set = unsafe { ffi::PyUnicodeEncodeError_SetStart(object.as_ptr(), start.cast_signed()) } == 0
        // SAFETY: as above.
        && unsafe { ffi::PyUnicodeEncodeError_SetEnd(object.as_ptr(), end.cast_signed()) } == 0;
    if !is_set {
        return Err(PyErr::fetch(py));
    }
    object.setattr(pyo3::intern!(py, "reason"), &reason.reason)?;
    let attributes = object.getattr(pyo3::intern!(py, "__dict__"))?;
    let attributes = attributes.cast::<PyDict>()?;
    attributes.set_item(pyo3::intern!(py, "code"), &reason.code)?;
    attributes.set_item(pyo3::intern!(py, "offset"), start)
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
    object.setattr(pyo3::intern!(py, "offset"), offset)?;
    Ok(object)
}
