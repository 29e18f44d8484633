//! ICU, the C++ library, loaded at run time: no build needs its headers, and a machine without ICU
//! measures all other engines.

use std::ffi::{CString, c_char, c_void};
use std::mem::transmute;
use std::ptr;

type Open = unsafe extern "C" fn(*const c_char, *mut i32) -> *mut c_void;
type Convert = unsafe extern "C" fn(
    *mut c_void,
    *mut c_void,
    *mut *mut c_char,
    *const c_char,
    *mut *const c_char,
    *const c_char,
    *mut u16,
    *mut *mut u16,
    *mut *mut u16,
    *const u16,
    i8,
    i8,
    *mut i32,
);
type SetCallback =
    unsafe extern "C" fn(*mut c_void, *const c_void, *const c_void, *mut c_void, *mut c_void, *mut i32);

/// The functions of the newest ICU on this machine.
#[derive(Clone, Copy)]
pub struct Icu {
    pub version: u32,
    open: Open,
    convert: Convert,
    /// The callbacks that make unconvertible text an error.
    stop: [*const c_void; 2],
    to_callback: SetCallback,
    from_callback: SetCallback,
}

impl Icu {
    pub fn load() -> Option<Self> {
        for version in (60..90).rev() {
            let library = CString::new(format!("libicuuc.so.{version}")).ok()?;
            // SAFETY: the name is a `CString`, so it ends in NUL, and ICU's initializers have no
            // requirements.
            let handle = unsafe { libc::dlopen(library.as_ptr(), libc::RTLD_NOW) };
            if handle.is_null() {
                continue;
            }
            let symbol = |name: &str| {
                let name = CString::new(format!("{name}_{version}")).ok()?;
                // SAFETY: the handle is that of a library that is loaded, by the check of null, and the name is a
                // `CString`, so it ends in NUL.
                let symbol = unsafe { libc::dlsym(handle, name.as_ptr()) };
                (!symbol.is_null()).then_some(symbol.cast_const())
            };
            // SAFETY: the functions have these types in ucnv.h of every version that is looked for, and a pointer to a
            // function is as wide as one to data here.
            return unsafe {
                Some(Self {
                    version,
                    open: transmute::<*const c_void, Open>(symbol("ucnv_open")?),
                    convert: transmute::<*const c_void, Convert>(symbol("ucnv_convertEx")?),
                    stop: [symbol("UCNV_TO_U_CALLBACK_STOP")?, symbol("UCNV_FROM_U_CALLBACK_STOP")?],
                    to_callback: transmute::<*const c_void, SetCallback>(symbol("ucnv_setToUCallBack")?),
                    from_callback: transmute::<*const c_void, SetCallback>(symbol("ucnv_setFromUCallBack")?),
                })
            };
        }
        None
    }

    fn converter(self, name: &str) -> Option<*mut c_void> {
        let name = CString::new(name).ok()?;
        let mut error = 0;
        // SAFETY: the name is a `CString`, so it ends in NUL. The converter is open, by the check of null, and the
        // callbacks are those of ICU itself.
        unsafe {
            let converter = (self.open)(name.as_ptr(), &mut error);
            if error > 0 || converter.is_null() {
                return None;
            }
            let none = ptr::null_mut();
            (self.to_callback)(converter, self.stop[0], ptr::null(), none, none, &mut error);
            (self.from_callback)(converter, self.stop[1], ptr::null(), none, none, &mut error);
            (error <= 0).then_some(converter)
        }
    }

    /// Opens the two converters of a conversion.
    pub fn pair(self, to: &str, from: &str) -> Option<Pair> {
        let (to, from) = (self.converter(to)?, self.converter(from)?);
        Some(Pair { icu: self, to, from, pivot: vec![0; 4096] })
    }
}

/// A conversion like that of `uconv`, through a pivot of 16-bit code units. The converters stay
/// open until the program ends.
pub struct Pair {
    icu: Icu,
    to: *mut c_void,
    from: *mut c_void,
    pivot: Vec<u16>,
}

impl Pair {
    /// Converts all of `src`, and returns the length of the result in bytes; `None` if that fails.
    pub fn convert(&mut self, src: &[u8], dst: &mut [u8]) -> Option<usize> {
        let start = dst.as_mut_ptr().cast::<c_char>();
        let (mut target, mut source) = (start, src.as_ptr().cast::<c_char>());
        let range = self.pivot.as_mut_ptr_range();
        let (mut first, mut last) = (range.start, range.start);
        let mut error = 0;
        // SAFETY: the converters are open, and nothing closes them. Each pair of pointers is the
        // start and the end of a live slice, or lies between them: `src`, `dst` and `pivot`.
        unsafe {
            (self.icu.convert)(
                self.to,
                self.from,
                &mut target,
                start.add(dst.len()),
                &mut source,
                source.add(src.len()),
                range.start,
                &mut first,
                &mut last,
                range.end,
                1,
                1,
                &mut error,
            );
            (error <= 0).then(|| target.offset_from(start).unsigned_abs())
        }
    }
}
