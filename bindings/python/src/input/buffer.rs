//! Objects with the buffer protocol.

use pyo3::ffi;
use pyo3::prelude::*;

/// The memory of an object, until it is dropped, which needs the GIL.
pub(super) struct Buffer(Box<ffi::Py_buffer>);

impl Buffer {
    /// Returns the bytes of an object, which are contiguous.
    pub(super) fn of(data: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut view = Box::new(ffi::Py_buffer::new());
        // SAFETY: the object is alive and the view is there to be written; the GIL is held.
        let status = unsafe { ffi::PyObject_GetBuffer(data.as_ptr(), &mut *view, ffi::PyBUF_SIMPLE) };
        if status == 0 { Ok(Self(view)) } else { Err(PyErr::fetch(data.py())) }
    }

    /// Returns where the bytes are.
    pub(super) fn start(&self) -> *const u8 {
        self.0.buf.cast()
    }

    pub(super) fn len(&self) -> usize {
        self.0.len.unsigned_abs()
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: the view came from `PyObject_GetBuffer`, and is released once; the GIL is held.
        unsafe { ffi::PyBuffer_Release(&mut *self.0) };
    }
}
