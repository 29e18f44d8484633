//! The memory of a `str`, whose layout each version of CPython has for itself.

use crate::raw::Raised;
use crate::view::View;
use core::slice;
use pyo3::ffi::{self, PyObject};

/// The code units of a `str`.
pub(crate) struct Held<'a>(View<'a>);

impl<'a> Held<'a> {
    /// Returns the code units of a `str`.
    ///
    /// # Safety
    /// `object` is a `str` that stays alive during `'a`; the GIL is held.
    #[inline]
    pub(crate) unsafe fn of_object(object: *mut PyObject) -> Result<Self, Raised> {
        // SAFETY: the object is a `str`. Before Python 3.12 there were some that were not ready
        // until asked to be.
        if unsafe { ffi::PyUnicode_READY(object) } != 0 {
            return Err(Raised);
        }
        // SAFETY: it is a `str`, and ready; so with the four that follow.
        let len = unsafe { ffi::PyUnicode_GET_LENGTH(object) }.unsigned_abs();
        // SAFETY: see above.
        let data = unsafe { ffi::PyUnicode_DATA(object) };
        // SAFETY: see above.
        Ok(Self(match unsafe { ffi::PyUnicode_KIND(object) } {
            ffi::PyUnicode_1BYTE_KIND => {
                // SAFETY: a `str` of this kind has `len` bytes there, which never change and live as long as it does.
                let units = unsafe { slice::from_raw_parts(data.cast(), len) };
                // SAFETY: see above.
                if unsafe { is_ascii(object, units) } { View::Ascii(units) } else { View::Latin1(units) }
            }
            // SAFETY: as for one byte, with two, for which the memory is aligned.
            ffi::PyUnicode_2BYTE_KIND => View::Bmp(unsafe { slice::from_raw_parts(data.cast(), len) }),
            // SAFETY: as for one byte, with four.
            _ => View::Full(unsafe { slice::from_raw_parts(data.cast(), len) }),
        }))
    }

    /// Returns the view of the code units.
    #[inline]
    pub(crate) fn view(&self) -> View<'a> {
        self.0
    }
}

/// Returns `true` if a `str` with code units of one byte is ASCII.
///
/// # Safety
/// `object` is one that is ready, and these are its units; the GIL is held.
#[inline]
unsafe fn is_ascii(object: *mut PyObject, units: &[u8]) -> bool {
    #[cfg(not(Py_3_14))]
    {
        let _ = units;
        // SAFETY: it is a `str`, and ready.
        unsafe { ffi::PyUnicode_IS_ASCII(object) != 0 }
    }
    #[cfg(Py_3_14)]
    {
        // The units of ASCII come right after the head of the object, except in subclasses of `str`.
        let after_head = object.cast::<u8>().wrapping_add(size_of::<ffi::PyASCIIObject>());
        units.as_ptr() == after_head || units.is_ascii()
    }
}
