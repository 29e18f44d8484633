//! The functions of the C library that are used here, with safe wrappers where possible.

use core::ffi::{CStr, c_char, c_int, c_void};
use placemat_iconv::Locale;

unsafe extern "C" {
    safe fn __errno_location() -> *mut c_int;
    fn setlocale(category: c_int, locale: *const c_char) -> *mut c_char;
    safe fn nl_langinfo(item: c_int) -> *mut c_char;
    #[cfg(feature = "preload")]
    fn secure_getenv(name: *const c_char) -> *mut c_char;
    #[cfg(feature = "preload")]
    fn write(fd: c_int, bytes: *const c_void, len: usize) -> isize;
}

// Linux has these numbers, under glibc and musl alike.
pub(crate) const EBADF: c_int = 9;
pub(crate) const E2BIG: c_int = 7;
pub(crate) const ENOMEM: c_int = 12;
pub(crate) const EINVAL: c_int = 22;
pub(crate) const EILSEQ: c_int = 84;
const LC_CTYPE: c_int = 0;
const CODESET: c_int = 14;

/// A handle of iconv(3).
pub(crate) type Handle = *mut c_void;
/// The value that `iconv_open` returns for an error.
pub(crate) const NONE: Handle = core::ptr::without_provenance_mut(usize::MAX);

/// The `errno` of this thread, and its value at the start of a call. A successful call leaves it
/// unchanged, even if a function below it, such as `malloc`, has set it.
pub(crate) struct Errno {
    place: *mut c_int,
    before: c_int,
}

impl Errno {
    #[inline]
    pub(crate) fn now() -> Self {
        let place = __errno_location();
        // SAFETY: the C library returns the address of this thread's `errno`.
        Self { place, before: unsafe { place.read() } }
    }

    /// Ends a successful call.
    #[inline]
    pub(crate) fn restore<T>(&self, answer: T) -> T {
        self.fail(self.before, answer)
    }

    /// Ends a failed call.
    #[inline]
    pub(crate) fn fail<T>(&self, code: c_int, answer: T) -> T {
        // SAFETY: the C library returned the address of this thread's `errno`, and this value stays on the thread's stack.
        unsafe { self.place.write(code) };
        answer
    }
}

/// Sets `errno` and returns the result of a failed call.
pub(crate) fn fail<T>(code: c_int, answer: T) -> T {
    Errno::now().fail(code, answer)
}

/// Returns the text of a C string that does not change during the call; empty for null and for text
/// that is not UTF-8.
///
/// # Safety
/// `string` is null or the address of a C string that outlives `'a`.
unsafe fn text<'a>(string: *const c_char) -> &'a str {
    if string.is_null() {
        return "";
    }
    // SAFETY: it is not null, and the caller promises a C string.
    unsafe { CStr::from_ptr(string) }.to_str().unwrap_or_default()
}

/// Calls `f` with the locale of the process.
pub(crate) fn with_locale<T>(f: impl FnOnce(Locale<'_>) -> T) -> T {
    // SAFETY: with a null name, `setlocale` only reads.
    let name = unsafe { setlocale(LC_CTYPE, core::ptr::null()) };
    // SAFETY: the C library returns a string that stays until the locale changes.
    let name = unsafe { text(name) };
    // SAFETY: the C library returns a string that stays until the locale changes.
    let codeset = unsafe { text(nl_langinfo(CODESET)) };
    f(Locale { codeset, name: if name.is_empty() { "C" } else { name } })
}

/// Returns the value of a variable of the environment; `None` for programs with raised rights.
#[cfg(feature = "preload")]
pub(crate) fn variable(name: &CStr) -> Option<&'static CStr> {
    // SAFETY: `name` is a C string.
    let value = unsafe { secure_getenv(name.as_ptr()) };
    // SAFETY: it is not null, so it is a C string; it is read at once, before the program can change it.
    (!value.is_null()).then(|| unsafe { CStr::from_ptr(value) })
}

/// Writes to standard error.
#[cfg(feature = "preload")]
pub(crate) fn say(bytes: &[u8]) {
    // SAFETY: the slice gives the address and the length.
    let _ = unsafe { write(2, bytes.as_ptr().cast(), bytes.len()) };
}
