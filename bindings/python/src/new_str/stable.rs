//! A `str` that the stable ABI makes from code units in memory of its own.

use crate::raw::{self, Raised};
use core::slice;
use pyo3::ffi::{self, Py_ssize_t, PyObject};

/// The code units of a new `str`.
pub(crate) struct NewStr {
    /// Code units of the width of `max`, one after another.
    memory: Vec<u32>,
    len: usize,
    max: u32,
}

impl NewStr {
    /// Makes a `str` of `len` unwritten code points, the largest of which has the width of `max`.
    pub(crate) fn new(len: usize, max: u32) -> Result<Self, Raised> {
        let units = if max > 0xFFFF { len } else { len.div_ceil(if max > 0xFF { 2 } else { 4 }) };
        let mut memory = Vec::new();
        memory.try_reserve_exact(units).map_err(|_| raw::no_memory())?;
        memory.resize(units, 0);
        Ok(Self { memory, len, max })
    }

    /// Returns the code units, which the caller must write completely.
    ///
    /// # Safety
    /// `U` is the unit of the width that the object was made with: `u8`, `u16` or `u32`.
    pub(crate) unsafe fn units<U>(&mut self) -> &mut [U] {
        // SAFETY: the memory has room for `len` units of that width, is aligned for `u32`, and is
        // initialized.
        unsafe { slice::from_raw_parts_mut(self.memory.as_mut_ptr().cast(), self.len) }
    }

    /// Returns the first `len` code points.
    pub(crate) fn shortened(mut self, len: usize) -> Result<Self, Raised> {
        self.len = len.min(self.len);
        Ok(self)
    }

    /// Returns the object for the interpreter; null with an exception set if there is no memory.
    pub(crate) fn finish(mut self) -> *mut PyObject {
        let Ok(len) = Py_ssize_t::try_from(self.len) else {
            raw::no_memory();
            return core::ptr::null_mut();
        };
        match self.max {
            0..=0xFF => {
                let bytes = self.memory.as_ptr().cast();
                // SAFETY: `bytes` has `len` bytes; the GIL is held.
                unsafe { ffi::PyUnicode_DecodeLatin1(bytes, len, core::ptr::null()) }
            }
            0x100..=0xFFFF => {
                // SAFETY: up to U+FFFF, units have two bytes.
                let units: &mut [u16] = unsafe { self.units() };
                from_code_points(&units.iter().map(|&unit| u32::from(unit)).collect::<Vec<_>>())
            }
            _ => from_code_points(&self.memory[..self.len]),
        }
    }
}

/// Returns a new `str`, or null with an exception set.
fn from_code_points(units: &[u32]) -> *mut PyObject {
    let len = units.len().cast_signed();
    #[cfg(unix)]
    {
        const { assert!(size_of::<libc::wchar_t>() == size_of::<u32>()) };
        // SAFETY: there are `len` code points, and `wchar_t` has four bytes; the GIL is held.
        unsafe { ffi::PyUnicode_FromWideChar(units.as_ptr().cast(), len) }
    }
    #[cfg(not(unix))]
    {
        let mut order = if cfg!(target_endian = "big") { 1 } else { -1 };
        let (bytes, errors) = (units.as_ptr().cast(), c"surrogatepass".as_ptr());
        // SAFETY: each code point has four bytes; the GIL is held.
        unsafe { ffi::PyUnicode_DecodeUTF32(bytes, 4 * len, errors, &mut order) }
    }
}
