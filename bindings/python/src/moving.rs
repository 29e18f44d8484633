//! The exception that a handler gets, which moves from one error of a text to the next.

use crate::errors::Reason;
use pyo3::exceptions::{PyTypeError, PyUnicodeDecodeError, PyUnicodeEncodeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};

/// An exception that moves from one error of a text to the next: CPython, too, gives a handler one
/// exception for all errors of a call.
#[derive(Debug)]
pub(crate) struct Moving<'py> {
    pub(crate) object: Bound<'py, PyAny>,
    attributes: Bound<'py, PyDict>,
    code: &'static str,
    #[cfg(Py_LIMITED_API)]
    decodes: bool,
}

impl<'py> Moving<'py> {
    /// Takes an exception of this package with its code.
    ///
    /// # Errors
    /// If it is no `UnicodeDecodeError` and no `UnicodeEncodeError`, which have one layout.
    pub(crate) fn new(object: Bound<'py, PyAny>, code: &'static str) -> PyResult<Self> {
        let decodes = object.is_instance_of::<PyUnicodeDecodeError>();
        if !decodes && !object.is_instance_of::<PyUnicodeEncodeError>() {
            return Err(PyTypeError::new_err("the error is of neither class"));
        }
        let attributes = object.getattr(pyo3::intern!(object.py(), "__dict__"))?.cast_into()?;
        Ok(Self {
            object,
            attributes,
            code,
            #[cfg(Py_LIMITED_API)]
            decodes,
        })
    }

    /// Moves the exception to another part of the same text, which begins at the offset 0.
    pub(crate) fn set(&mut self, range: (usize, usize), reason: &Reason) -> PyResult<()> {
        let py = self.object.py();
        self.set_range(range)?;
        self.set_reason(reason.reason.bind(py))?;
        if self.code != reason.code {
            self.attributes.set_item(pyo3::intern!(py, "code"), &reason.code_object)?;
            self.code = reason.code;
        }
        Ok(())
    }

    /// Returns the fields of the exception.
    #[cfg(not(Py_LIMITED_API))]
    fn fields(&self) -> *mut ffi::PyUnicodeErrorObject {
        self.object.as_ptr().cast()
    }

    /// Moves the exception, without the reason.
    #[cfg(not(Py_LIMITED_API))]
    pub(crate) fn set_range(&self, (start, end): (usize, usize)) -> PyResult<()> {
        let fields = self.fields();
        // SAFETY: `new` checked that the object is an exception of this layout; the GIL is held.
        unsafe { (*fields).start = start.cast_signed() };
        // SAFETY: as above.
        unsafe { (*fields).end = end.cast_signed() };
        Ok(())
    }

    /// Sets the reason alone: to look the attribute up takes a tenth of the time of an error.
    #[cfg(not(Py_LIMITED_API))]
    fn set_reason(&self, reason: &Bound<'py, PyString>) -> PyResult<()> {
        let new = reason.clone().into_ptr();
        // SAFETY: as above.
        let field = unsafe { &raw mut (*self.fields()).reason };
        // SAFETY: the pointer is to a field of a living object; the GIL is held. The field takes over the reference, and gives
        // up that of the old reason.
        let old = unsafe { field.replace(new) };
        // SAFETY: the reference is the one that the field had, which is null if Python code deleted the attribute.
        drop(unsafe { Bound::from_owned_ptr_or_opt(reason.py(), old) });
        Ok(())
    }

    /// Moves the exception, without the reason.
    #[cfg(Py_LIMITED_API)]
    pub(crate) fn set_range(&self, (start, end): (usize, usize)) -> PyResult<()> {
        let object = self.object.as_ptr();
        let (first, last) = (start.cast_signed(), end.cast_signed());
        let failed = if self.decodes {
            // SAFETY: `new` checked that the object is such an exception; the GIL is held.
            (unsafe { ffi::PyUnicodeDecodeError_SetStart(object, first) }) != 0
                // SAFETY: as above.
                || unsafe { ffi::PyUnicodeDecodeError_SetEnd(object, last) } != 0
        } else {
            // SAFETY: as above.
            (unsafe { ffi::PyUnicodeEncodeError_SetStart(object, first) }) != 0
                // SAFETY: as above.
                || unsafe { ffi::PyUnicodeEncodeError_SetEnd(object, last) } != 0
        };
        if failed { Err(PyErr::fetch(self.object.py())) } else { Ok(()) }
    }

    #[cfg(Py_LIMITED_API)]
    fn set_reason(&self, reason: &Bound<'py, PyString>) -> PyResult<()> {
        self.object.setattr(pyo3::intern!(reason.py(), "reason"), reason)
    }

    /// Returns the object of a `UnicodeDecodeError`, which a handler may have replaced.
    pub(crate) fn bytes(&self) -> PyResult<Bound<'py, PyBytes>> {
        let py = self.object.py();
        // SAFETY: the object is such an exception; the GIL is held. A new reference or null with an exception comes back.
        let object = unsafe { ffi::PyUnicodeDecodeError_GetObject(self.object.as_ptr()) };
        // SAFETY: as above.
        let object = unsafe { Bound::from_owned_ptr_or_err(py, object) }?;
        Ok(object.cast_into()?)
    }
}
