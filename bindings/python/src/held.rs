//! The code units of a `str`, for as long as they are looked at.

#[cfg(not(Py_LIMITED_API))]
mod borrowed;
#[cfg(Py_LIMITED_API)]
mod copied;

#[cfg(not(Py_LIMITED_API))]
pub(crate) use self::borrowed::Held;
#[cfg(Py_LIMITED_API)]
pub(crate) use self::copied::Held;

use crate::raw::Raised;
use pyo3::prelude::*;
use pyo3::types::PyString;

impl<'a> Held<'a> {
    /// Returns the code units of a `str`.
    pub(crate) fn of(text: &'a Bound<'_, PyString>) -> PyResult<Self> {
        // SAFETY: it is a `str`, which `text` keeps alive.
        unsafe { Self::of_object(text.as_ptr()) }.map_err(|Raised| PyErr::fetch(text.py()))
    }
}
