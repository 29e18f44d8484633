//! simdutf, the C++ library, as static libraries of each compiler that was installed, each with a
//! table of its functions.

use std::ffi::{CStr, c_char};

/// The result of simdutf's functions that report the offset of an error.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Outcome {
    /// 0 if there is no error.
    pub error: u32,
    /// The number of code units read, or the offset of the error.
    pub count: usize,
}

/// A function that reads code units and returns a number or an answer; the second type also writes
/// code units.
pub type Read<U> = unsafe extern "C" fn(*const U, usize) -> usize;
pub type Check<U> = unsafe extern "C" fn(*const U, usize) -> bool;
pub type Write<U, V> = unsafe extern "C" fn(*const U, usize, *mut V) -> usize;

/// The functions of one build: `Table` in `table.cpp`.
#[repr(C)]
pub struct Simdutf {
    version: &'static c_char,
    select: unsafe extern "C" fn(*const c_char) -> bool,
    pub validate_utf8: Check<u8>,
    pub validate_utf8_with_errors: unsafe extern "C" fn(*const u8, usize) -> Outcome,
    pub validate_utf16: Check<u16>,
    pub count_utf8: Read<u8>,
    pub utf16_length_from_utf8: Read<u8>,
    pub utf8_length_from_utf16: Read<u16>,
    pub utf32_length_from_utf16: Read<u16>,
    pub utf8_length_from_utf32: Read<u32>,
    pub utf8_length_from_latin1: Read<u8>,
    pub utf8_to_utf16le: Write<u8, u16>,
    pub utf8_to_utf16be: Write<u8, u16>,
    pub utf8_to_utf32: Write<u8, u32>,
    pub utf8_to_latin1: Write<u8, u8>,
    pub utf16le_to_utf8: Write<u16, u8>,
    pub utf16be_to_utf8: Write<u16, u8>,
    pub utf16_to_utf32: Write<u16, u32>,
    pub utf16_to_latin1: Write<u16, u8>,
    pub utf32_to_utf8: Write<u32, u8>,
    pub utf32_to_utf16: Write<u32, u16>,
    pub latin1_to_utf8: Write<u8, u8>,
    pub latin1_to_utf16: Write<u8, u16>,
}

impl Simdutf {
    /// Selects the implementation with that name; returns `false` if that is not possible here.
    pub fn select(&self, name: &CStr) -> bool {
        // SAFETY: the name ends in NUL, and one thread runs.
        unsafe { (self.select)(name.as_ptr()) }
    }
}

#[cfg(any(simdutf_gnu, simdutf_clang))]
unsafe extern "C" {
    #[cfg(simdutf_gnu)]
    static placemat_simdutf_gnu: Simdutf;
    #[cfg(simdutf_clang)]
    static placemat_simdutf_clang: Simdutf;
}

/// Returns each compiler and its build.
pub fn libraries() -> Vec<(&'static str, &'static Simdutf)> {
    vec![
        #[cfg(simdutf_gnu)]
        // SAFETY: the table is a constant of the library, of this type by the order of its members in `table.cpp`.
        (env!("SIMDUTF_GNU"), unsafe { &placemat_simdutf_gnu }),
        #[cfg(simdutf_clang)]
        // SAFETY: the table is a constant of the library, of this type by the order of its members in `table.cpp`.
        (env!("SIMDUTF_CLANG"), unsafe { &placemat_simdutf_clang }),
    ]
}

/// Returns the version of simdutf.
#[must_use]
pub fn version() -> String {
    let Some((_, library)) = libraries().into_iter().next() else { return "none".to_owned() };
    // SAFETY: the version is a literal of C++, which ends in NUL.
    unsafe { CStr::from_ptr(library.version) }.to_string_lossy().into_owned()
}
