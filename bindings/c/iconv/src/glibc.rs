//! `iconv_open`, `iconv` and `iconv_close`, compatible with glibc.

use crate::call;
use crate::slots::{self, Found};
use crate::system::{EBADF, EINVAL, ENOMEM, Errno, Handle, NONE, fail, with_locale};
#[cfg(feature = "preload")]
use crate::{
    mode::{Answer, Mode},
    next,
};
use core::ffi::{CStr, c_char, c_int};
use placemat_iconv::{Converter, Dialect};

/// Makes a conversion of ours.
///
/// # Errors
/// `errno`: EINVAL if a name is unknown or null.
///
/// # Safety
/// Both are null or addresses of C strings.
unsafe fn converter(to: *const c_char, from: *const c_char, dialect: Dialect) -> Result<Converter, c_int> {
    if to.is_null() || from.is_null() {
        return Err(EINVAL);
    }
    // SAFETY: it is not null, so the caller promises a C string.
    let to = unsafe { CStr::from_ptr(to) }.to_bytes();
    // SAFETY: it is not null, so the caller promises a C string.
    let from = unsafe { CStr::from_ptr(from) }.to_bytes();
    with_locale(|locale| Converter::open(to, from, dialect, locale)).ok_or(EINVAL)
}

/// Opens a conversion of ours.
///
/// # Errors
/// `errno`: EINVAL if a name is unknown or null, ENOMEM.
///
/// # Safety
/// Both are null or addresses of C strings.
#[cfg(feature = "libiconv")]
pub(crate) unsafe fn open(to: *const c_char, from: *const c_char, dialect: Dialect) -> Result<Handle, c_int> {
    // SAFETY: the caller keeps the contract.
    let converter = unsafe { converter(to, from, dialect) }?;
    slots::open(converter).ok_or(ENOMEM)
}

/// Returns `true` for the names with which glibc's program `iconv -l` makes its library load the
/// list of encodings: it opens `L1` to `L1` and then prints the list, which is empty if the library
/// never saw the call. `gdb` runs that program to learn its character sets, with its standard
/// error, so this call is not reported.
///
/// # Safety
/// Both are null or addresses of C strings.
#[cfg(feature = "preload")]
unsafe fn is_for_the_list(to: *const c_char, from: *const c_char) -> bool {
    [to, from].iter().all(|&name| {
        // SAFETY: it is not null, so the caller promises a C string.
        !name.is_null() && unsafe { CStr::from_ptr(name) } == c"L1"
    })
}

/// Opens a conversion from the encoding `from` to the encoding `to`.
///
/// # Safety
/// Both are C strings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iconv_open(to: *const c_char, from: *const c_char) -> Handle {
    let errno = Errno::now();
    #[cfg(feature = "preload")]
    let mode = Mode::get();
    #[cfg(feature = "preload")]
    if mode.off {
        // SAFETY: the caller keeps the contract of `iconv_open`.
        return unsafe { next::open(to, from) };
    }
    #[cfg(feature = "preload")]
    // SAFETY: the caller passes C strings.
    if !mode.only && unsafe { is_for_the_list(to, from) } {
        // SAFETY: the caller keeps the contract of `iconv_open`.
        let handle = unsafe { next::open(to, from) };
        if handle != NONE {
            return handle;
        }
    }
    // SAFETY: the caller passes C strings.
    let ours = unsafe { converter(to, from, Dialect::Glibc) };
    #[cfg(feature = "preload")]
    let ours = if mode.exact {
        ours.and_then(|ours| if ours.is_exact() { Ok(ours) } else { Err(EINVAL) })
    } else {
        ours
    };
    // Names that glibc reads differently are left to glibc, if it is there.
    #[cfg(feature = "preload")]
    if !mode.only && !to.is_null() && !from.is_null() && !ours.as_ref().is_ok_and(Converter::is_exact) {
        errno.restore(());
        // SAFETY: the caller keeps the contract of `iconv_open`.
        let handle = unsafe { next::open(to, from) };
        if handle != NONE || ours.is_err() {
            // SAFETY: neither is null, so the caller promises C strings.
            unsafe { report(mode, to, from, Answer::Left) };
            return handle;
        }
    }
    let opened = ours.and_then(|ours| slots::open(ours).ok_or(ENOMEM));
    #[cfg(feature = "preload")]
    // SAFETY: the caller passes C strings.
    unsafe {
        report(mode, to, from, Answer::of(opened));
    }
    match opened {
        Ok(handle) => errno.restore(handle),
        Err(code) => errno.fail(code, NONE),
    }
}

/// Reports an opening, if the variable `PLACEMAT_ICONV` asks for it.
///
/// # Safety
/// Both are null or addresses of C strings.
#[cfg(feature = "preload")]
unsafe fn report(mode: Mode, to: *const c_char, from: *const c_char, answer: Answer) {
    if mode.log && !to.is_null() && !from.is_null() {
        let errno = Errno::now();
        // SAFETY: it is not null, so the caller promises a C string.
        let to = unsafe { CStr::from_ptr(to) }.to_bytes();
        // SAFETY: it is not null, so the caller promises a C string.
        let from = unsafe { CStr::from_ptr(from) }.to_bytes();
        answer.report(to, from);
        errno.restore(());
    }
}

/// Converts text.
///
/// # Safety
/// The pointers are null, or addresses of the addresses and lengths of two buffers, as iconv(3)
/// requires.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iconv(
    handle: Handle,
    src: *mut *mut c_char,
    src_len: *mut usize,
    dst: *mut *mut c_char,
    dst_len: *mut usize,
) -> usize {
    match slots::find(handle) {
        Found::Ours(mut ours) => {
            // SAFETY: the caller keeps the contract of iconv(3), which leaves a handle to one thread at a time.
            let converter = unsafe { ours.converter() };
            // SAFETY: the caller keeps the contract of iconv(3).
            unsafe { call::run(converter, src, src_len, dst, dst_len) }
        }
        #[cfg(feature = "preload")]
        Found::Foreign if may_be_anothers(handle) => {
            // SAFETY: the caller keeps the contract of iconv(3).
            unsafe { next::convert(handle, src, src_len, dst, dst_len) }
        }
        _ => fail(EBADF, usize::MAX),
    }
}

/// Closes a conversion.
///
/// # Safety
/// No other thread uses the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iconv_close(handle: Handle) -> c_int {
    let errno = Errno::now();
    match slots::find(handle) {
        // SAFETY: the caller promises that no other thread uses the handle.
        Found::Ours(ours) if unsafe { ours.close() } => errno.restore(0),
        #[cfg(feature = "preload")]
        Found::Foreign if may_be_anothers(handle) => {
            // SAFETY: the caller keeps the contract of `iconv_close`.
            unsafe { next::close(handle) }
        }
        _ => errno.fail(EBADF, -1),
    }
}

/// Returns `true` if a handle may belong to the next library, which then gets the call. No library
/// has null as a handle.
#[cfg(feature = "preload")]
fn may_be_anothers(handle: Handle) -> bool {
    handle != NONE && !handle.is_null() && !Mode::get().only
}
