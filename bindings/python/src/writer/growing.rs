//! `bytes` whose memory the interpreter enlarges.

use crate::new_bytes::NewBytes;
use crate::raw::{self, Raised};
use core::slice;
use pyo3::ffi::Py_ssize_t;
use pyo3::ffi::compat::{
    PyBytesWriter, PyBytesWriter_Create, PyBytesWriter_Discard, PyBytesWriter_FinishWithSize,
    PyBytesWriter_GetData, PyBytesWriter_Resize,
};

/// The memory of a `bytes` object whose length is not known yet.
pub(crate) struct Writer {
    writer: *mut PyBytesWriter,
    pub(crate) room: usize,
}

impl Writer {
    /// Returns a writer with `len` bytes, if that length is possible.
    pub(crate) fn new(len: Option<usize>) -> Result<Self, Raised> {
        let len = len.and_then(|len| Py_ssize_t::try_from(len).ok()).ok_or_else(raw::no_memory)?;
        // SAFETY: the GIL is held; a new writer or null with an exception comes back.
        let writer = unsafe { PyBytesWriter_Create(len) };
        if writer.is_null() {
            return Err(Raised);
        }
        let mut new = Self { writer, room: len.unsigned_abs() };
        new.ask_for_large_pages();
        Ok(new)
    }

    /// Enlarges the buffer.
    #[cold]
    pub(crate) fn grow(&mut self, len: Option<usize>) -> Result<(), Raised> {
        let len = len.and_then(|len| Py_ssize_t::try_from(len).ok()).ok_or_else(raw::no_memory)?;
        // SAFETY: the writer is alive; a failure leaves it unchanged, with an exception.
        if unsafe { PyBytesWriter_Resize(self.writer, len) } != 0 {
            return Err(Raised);
        }
        self.room = len.unsigned_abs();
        self.ask_for_large_pages();
        Ok(())
    }

    fn ask_for_large_pages(&mut self) {
        let memory = self.bytes();
        if memory.len() >= raw::LARGE_OBJECT_BYTES {
            raw::ask_for_large_pages(memory.as_mut_ptr(), memory.len());
        }
    }

    /// Returns the bytes, to be written from the first on.
    pub(crate) fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: the writer is alive.
        let data = unsafe { PyBytesWriter_GetData(self.writer) };
        // SAFETY: the writer has that many bytes, which no other code can reach; `NewBytes`
        // explains their contents.
        unsafe { slice::from_raw_parts_mut(data.cast(), self.room) }
    }

    /// Returns the object of the first `len` bytes.
    pub(crate) fn finish(self, len: usize) -> Result<NewBytes, Raised> {
        let len = Py_ssize_t::try_from(len.min(self.room)).map_err(|_| raw::no_memory())?;
        // SAFETY: the writer is alive, has at least `len` bytes, and ends here; a new object or
        // null with an exception comes back.
        let object = unsafe { PyBytesWriter_FinishWithSize(self.writer, len) };
        std::mem::forget(self);
        if object.is_null() {
            return Err(Raised);
        }
        // SAFETY: the object is new.
        Ok(unsafe { NewBytes::from_object(object) })
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // SAFETY: the writer is alive, and no code uses it afterwards; the GIL is held.
        unsafe { PyBytesWriter_Discard(self.writer) };
    }
}
