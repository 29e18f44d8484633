//! `DecodeError` and `EncodeError`: CPython's exceptions, with a stable code and the offset in the whole text.

use crate::names;
use placemat::{Encoding, IllFormed, Unmappable};
use pyo3::exceptions::{PyUnicodeDecodeError, PyUnicodeEncodeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

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
}

/// The error in the words of the library, without its offset, which the exception has.
pub(crate) fn reason(error: &IllFormed) -> String {
    let words = error.to_string();
    words.rsplit_once(" at offset").map_or(&*words, |(reason, _)| reason).to_owned()
}

pub(crate) fn decode_error<'py>(
    py: Python<'py>,
    encoding: Encoding,
    spot: &Spot<'py>,
    reason: &str,
    code: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let class = py.get_type::<DecodeError>();
    let error = class.call1((names::of(encoding), &spot.object, spot.start, spot.end, reason))?;
    error.setattr(pyo3::intern!(py, "code"), code)?;
    error.setattr(pyo3::intern!(py, "offset"), spot.offset)?;
    Ok(error)
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
    let words = error.to_string();
    let reason = words.rsplit_once(", at offset").map_or(&*words, |(reason, _)| reason);
    let reason = format!("{place}{reason}");
    let class = py.get_type::<EncodeError>();
    let object = class.call1((names::of(encoding), text, start, end, reason))?;
    object.setattr(pyo3::intern!(py, "code"), error.code())?;
    object.setattr(pyo3::intern!(py, "offset"), offset)?;
    Ok(object)
}
