//! `bytes` objects that are still being written.

use crate::raw::{self, Raised};
use core::slice;
use pyo3::ffi::{self, Py_ssize_t, PyObject};

/// A new `bytes` object, which no other code has seen yet.
pub(crate) struct NewBytes(*mut PyObject);

// SAFETY: only its holder can reach the object, and it touches nothing but its memory while it has no GIL.
unsafe impl Send for NewBytes {}

impl NewBytes {
    #[inline]
    pub(crate) fn new(len: usize) -> Result<Self, Raised> {
        let len = Py_ssize_t::try_from(len).map_err(|_| raw::no_memory())?;
        // SAFETY: the GIL is held. The call returns a new object, or null with an exception set.
        let object = unsafe { ffi::PyBytes_FromStringAndSize(std::ptr::null(), len) };
        if object.is_null() {
            return Err(Raised);
        }
        let mut new = Self(object);
        let memory = new.bytes();
        if memory.len() >= raw::LARGE_OBJECT_BYTES {
            raw::ask_for_large_pages(memory.as_mut_ptr(), memory.len());
        }
        Ok(new)
    }

    /// Copies the bytes into a new object.
    #[inline]
    pub(crate) fn of(bytes: &[u8]) -> Result<Self, Raised> {
        if bytes.len() >= raw::LARGE_OBJECT_BYTES {
            let mut new = Self::new(bytes.len())?;
            new.bytes().copy_from_slice(bytes);
            return Ok(new);
        }
        let len = Py_ssize_t::try_from(bytes.len()).map_err(|_| raw::no_memory())?;
        // SAFETY: the GIL is held, and `bytes` has `len` bytes; a new object or null with an
        // exception comes back.
        let object = unsafe { ffi::PyBytes_FromStringAndSize(bytes.as_ptr().cast(), len) };
        if object.is_null() { Err(Raised) } else { Ok(Self(object)) }
    }

    /// Takes an object of the interpreter.
    ///
    /// # Safety
    /// `object` is a new reference to `bytes` that no other code has seen.
    #[cfg(not(Py_LIMITED_API))]
    pub(crate) const unsafe fn from_object(object: *mut PyObject) -> Self {
        Self(object)
    }

    /// Returns the bytes, which the caller must write completely.
    #[inline]
    pub(crate) fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: it is `bytes`.
        let (data, len) = unsafe { raw::memory_of_bytes(self.0) };
        // SAFETY: the object has that many bytes there, which nobody else can reach. They come from the interpreter, whose
        // code the compiler does not see, and so have some value, though nobody knows which.
        unsafe { slice::from_raw_parts_mut(data.cast_mut(), len) }
    }

    /// Returns the object for the interpreter.
    #[inline]
    pub(crate) fn finish(self) -> *mut PyObject {
        let object = self.0;
        std::mem::forget(self);
        object
    }
}

impl Drop for NewBytes {
    fn drop(&mut self) {
        // SAFETY: the object is alive, and this is the only reference to it; the GIL is held.
        unsafe { ffi::Py_DECREF(self.0) };
    }
}
