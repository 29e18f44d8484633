//! A `str` whose memory is written directly.

use crate::raw::{self, Raised};
use core::slice;
use pyo3::ffi::{self, Py_ssize_t, PyObject};

/// A new `str`, which no other code has seen yet.
pub(crate) struct NewStr(*mut PyObject);

// SAFETY: only its holder can reach the object, and it touches nothing but its memory while it has no GIL.
unsafe impl Send for NewStr {}

impl NewStr {
    /// Makes a `str` of `len` unwritten code points, the largest of which has the width of `max`.
    #[inline]
    pub(crate) fn new(len: usize, max: u32) -> Result<Self, Raised> {
        let len = Py_ssize_t::try_from(len).map_err(|_| raw::no_memory())?;
        // SAFETY: the GIL is held, as everywhere but in `Released::run`; a new object or null with an exception comes back.
        let object = unsafe { ffi::PyUnicode_New(len, max) };
        if object.is_null() {
            return Err(Raised);
        }
        let mut new = Self(object);
        let width = if max > 0xFFFF { 4 } else { 1 + usize::from(max > 0xFF) };
        let bytes = len.unsigned_abs() * width;
        if bytes >= raw::LARGE_OBJECT_BYTES {
            // SAFETY: code units of any width have at least one byte.
            raw::ask_for_large_pages(unsafe { new.units() }.as_mut_ptr(), bytes);
        }
        Ok(new)
    }

    /// Returns the code units, which the caller must write completely.
    ///
    /// # Safety
    /// `U` is the unit of the width that the object was made with: `u8`, `u16` or `u32`.
    #[inline]
    pub(crate) unsafe fn units<U>(&mut self) -> &mut [U] {
        // SAFETY: the object is a `str` in its compact form, since `PyUnicode_New` made it.
        let len = unsafe { ffi::PyUnicode_GET_LENGTH(self.0) };
        // SAFETY: as above.
        let data = unsafe { ffi::PyUnicode_DATA(self.0) };
        // SAFETY: the object has that many units at `data`, aligned for them, which nothing else
        // can reach. They come from the interpreter, whose code the compiler does not see, and so
        // have some value, though nobody knows which; integers have no invalid values.
        unsafe { slice::from_raw_parts_mut(data.cast(), len.unsigned_abs()) }
    }

    /// Returns the first `len` code points.
    pub(crate) fn shortened(mut self, len: usize) -> Result<Self, Raised> {
        let len = Py_ssize_t::try_from(len).map_err(|_| raw::no_memory())?;
        // SAFETY: this is the only reference to a `str` that no other code has seen; a failure leaves it, with an exception.
        if unsafe { ffi::PyUnicode_Resize(&mut self.0, len) } == 0 { Ok(self) } else { Err(Raised) }
    }

    /// Returns the object for the interpreter.
    #[inline]
    pub(crate) fn finish(self) -> *mut PyObject {
        let object = self.0;
        core::mem::forget(self);
        object
    }
}

impl Drop for NewStr {
    fn drop(&mut self) {
        // SAFETY: the object is alive, and this is the only reference to it; the GIL is held.
        unsafe { ffi::Py_DECREF(self.0) };
    }
}
