//! A copy of the code points of a `str`, which is all that the stable ABI gives.

use crate::raw::Raised;
use crate::view::View;
use core::marker::PhantomData;
use core::slice;
use pyo3::ffi::{self, PyObject};

/// The code units of a `str`, as narrow as its largest code point allows.
pub(crate) struct Held<'a> {
    units: Units,
    text: PhantomData<&'a PyObject>,
}

enum Units {
    Ascii(Vec<u8>),
    Latin1(Vec<u8>),
    Bmp(Vec<u16>),
    Full(Vec<u32>),
}

impl Units {
    #[expect(clippy::cast_possible_truncation, reason = "the largest code point fits the units")]
    fn of(units: &[u32]) -> Self {
        match units.iter().fold(0, |all, &unit| all | unit) {
            0..=0x7F => Self::Ascii(units.iter().map(|&unit| unit as u8).collect()),
            0x80..=0xFF => Self::Latin1(units.iter().map(|&unit| unit as u8).collect()),
            0x100..=0xFFFF => Self::Bmp(units.iter().map(|&unit| unit as u16).collect()),
            _ => Self::Full(units.to_vec()),
        }
    }
}

impl Held<'_> {
    /// Copies the code units of a `str`.
    ///
    /// # Safety
    /// `object` is a `str`; the GIL is held.
    pub(crate) unsafe fn of_object(object: *mut PyObject) -> Result<Self, Raised> {
        // SAFETY: it is a `str`; so with the next.
        let len = unsafe { ffi::PyUnicode_GetLength(object) };
        // SAFETY: see above.
        let data = unsafe { ffi::PyUnicode_AsUCS4Copy(object) };
        if data.is_null() {
            return Err(Raised);
        }
        // SAFETY: the interpreter wrote that many code points there.
        let units = Units::of(unsafe { slice::from_raw_parts(data, len.unsigned_abs()) });
        // SAFETY: the memory came from the interpreter, and is used no more.
        unsafe { ffi::PyMem_Free(data.cast()) };
        Ok(Self { units, text: PhantomData })
    }

    /// Returns the view of the code units.
    pub(crate) fn view(&self) -> View<'_> {
        match &self.units {
            Units::Ascii(units) => View::Ascii(units),
            Units::Latin1(units) => View::Latin1(units),
            Units::Bmp(units) => View::Bmp(units),
            Units::Full(units) => View::Full(units),
        }
    }
}
