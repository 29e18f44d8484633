//! Objects with the buffer protocol, as the stable ABI of CPython 3.10 has them: through a memoryview.

use crate::raw;
use pyo3::exceptions::PyBufferError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMemoryView};

/// A copy of the memory of an object.
pub(super) struct Buffer(Py<PyBytes>);

impl Buffer {
    /// Returns the bytes of an object, which are contiguous.
    pub(super) fn of(data: &Bound<'_, PyAny>) -> PyResult<Self> {
        let view = data.py().get_type::<PyMemoryView>().call1((data,))?;
        if !view.getattr("c_contiguous")?.is_truthy()? {
            return Err(PyBufferError::new_err("the underlying buffer is not C-contiguous"));
        }
        Ok(Self(view.call_method0("tobytes")?.cast_into::<PyBytes>()?.unbind()))
    }

    /// Returns where the bytes are.
    pub(super) fn start(&self) -> *const u8 {
        // SAFETY: it is `bytes`, and the GIL is held.
        unsafe { raw::memory_of_bytes(self.0.as_ptr()) }.0
    }

    pub(super) fn len(&self) -> usize {
        // SAFETY: as above.
        unsafe { raw::memory_of_bytes(self.0.as_ptr()) }.1
    }
}
