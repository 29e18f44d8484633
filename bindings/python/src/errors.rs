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
pub(crate) struct Reason<'py> {
    reason: Bound<'py, PyString>,
    code: &'static str,
}

impl<'py> Reason<'py> {
    pub(crate) fn new(py: Python<'py>, reason: &str, code: &'static str) -> Self {
        Self { reason: PyString::new(py, reason), code }
    }
}

/// An exception that moves from one error of a text to the next: CPython, too, gives a handler one
/// exception for all errors of a call.
#[derive(Debug)]
pub(crate) struct Moving<'py> {
    pub(crate) object: Bound<'py, PyAny>,
    attributes: Bound<'py, PyDict>,
    code: &'static str,
    decodes: bool,
}

impl<'py> Moving<'py> {
    /// Takes an exception of [`decode_error`] or [`encode_error`] with this code.
    pub(crate) fn new(object: Bound<'py, PyAny>, code: &'static str) -> PyResult<Self> {
        let attributes = object.getattr(pyo3::intern!(object.py(), "__dict__"))?.cast_into()?;
        let decodes = object.is_instance_of::<PyUnicodeDecodeError>();
        Ok(Self { object, attributes, code, decodes })
    }

    /// Moves the exception to another part of the same text, which begins at the offset 0.
    pub(crate) fn set(&mut self, range: (usize, usize), reason: &Reason<'_>) -> PyResult<()> {
        let py = self.object.py();
        self.set_range(range)?;
        self.object.setattr(pyo3::intern!(py, "reason"), &reason.reason)?;
        if self.code != reason.code {
            self.attributes.set_item(pyo3::intern!(py, "code"), reason.code)?;
            self.code = reason.code;
        }
        Ok(())
    }

    /// Moves the exception, without the reason.
    pub(crate) fn set_range(&self, (start, end): (usize, usize)) -> PyResult<()> {
        let object = self.object.as_ptr();
        let (first, last) = (start.cast_signed(), end.cast_signed());
        let failed = if self.decodes {
            // SAFETY: the object is an exception of `decode_error`; the GIL is held.
            (unsafe { ffi::PyUnicodeDecodeError_SetStart(object, first) }) != 0
                // SAFETY: as above.
                || unsafe { ffi::PyUnicodeDecodeError_SetEnd(object, last) } != 0
        } else {
            // SAFETY: the object is an exception of `encode_error`; the GIL is held.
            (unsafe { ffi::PyUnicodeEncodeError_SetStart(object, first) }) != 0
                // SAFETY: as above.
                || unsafe { ffi::PyUnicodeEncodeError_SetEnd(object, last) } != 0
        };
        if failed { Err(PyErr::fetch(self.object.py())) } else { Ok(()) }
    }

    /// Returns the object of an exception of [`decode_error`], which a handler may have replaced.
    pub(crate) fn bytes(&self) -> PyResult<Bound<'py, PyBytes>> {
        let py = self.object.py();
        // SAFETY: the object is such an exception; the GIL is held. A new reference or null with an exception comes back.
        let object = unsafe { ffi::PyUnicodeDecodeError_GetObject(self.object.as_ptr()) };
        // SAFETY: as above.
        let object = unsafe { Bound::from_owned_ptr_or_err(py, object) }?;
        Ok(object.cast_into()?)
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
