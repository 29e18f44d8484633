//! The two libraries, as three functions each.

use libc::{c_char, c_int, c_void, size_t};
use std::ffi::CString;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// A handle as `iconv_open` returns it.
pub type Raw = *mut c_void;

/// The three functions of `<iconv.h>`.
pub trait Iconv: Sync {
    /// Returns the name in messages.
    fn name(&self) -> &str;

    /// `iconv_open`.
    ///
    /// # Safety
    /// Both names end in a zero byte.
    unsafe fn open(&self, to: *const c_char, from: *const c_char) -> Raw;

    /// `iconv`.
    ///
    /// # Safety
    /// The requirements of `iconv` in C: each pointer is null or covers its count.
    unsafe fn iconv(
        &self,
        handle: Raw,
        src: *mut *mut c_char,
        src_left: *mut size_t,
        dst: *mut *mut c_char,
        dst_left: *mut size_t,
    ) -> size_t;

    /// `iconv_close`.
    ///
    /// # Safety
    /// The handle belongs to this library and is open, or is -1.
    unsafe fn close(&self, handle: Raw) -> c_int;
}

/// The process's own `iconv`, which is glibc's: no library is preloaded into it.
#[derive(Debug)]
pub struct Glibc;

impl Iconv for Glibc {
    fn name(&self) -> &'static str {
        "glibc"
    }

    unsafe fn open(&self, to: *const c_char, from: *const c_char) -> Raw {
        // SAFETY: the caller keeps the contract of the function.
        unsafe { libc::iconv_open(to, from) }
    }

    unsafe fn iconv(
        &self,
        handle: Raw,
        src: *mut *mut c_char,
        src_left: *mut size_t,
        dst: *mut *mut c_char,
        dst_left: *mut size_t,
    ) -> size_t {
        // SAFETY: the caller keeps the contract of the function.
        unsafe { libc::iconv(handle, src, src_left, dst, dst_left) }
    }

    unsafe fn close(&self, handle: Raw) -> c_int {
        // SAFETY: the caller keeps the contract of the function.
        unsafe { libc::iconv_close(handle) }
    }
}

type Open = unsafe extern "C" fn(*const c_char, *const c_char) -> Raw;
type Convert =
    unsafe extern "C" fn(Raw, *mut *mut c_char, *mut size_t, *mut *mut c_char, *mut size_t) -> size_t;
type Close = unsafe extern "C" fn(Raw) -> c_int;

/// A library loaded by its path.
#[derive(Debug)]
pub struct Loaded {
    open: Open,
    convert: Convert,
    close: Close,
}

impl Loaded {
    /// Loads the library at `path`. It stays loaded until the process ends.
    ///
    /// # Errors
    /// If the library or one of the three functions does not exist; the message names it.
    pub fn new(path: &Path) -> Result<Self, String> {
        let name = CString::new(path.as_os_str().as_encoded_bytes()).map_err(|e| e.to_string())?;
        // SAFETY: the name ends in a zero byte. The library has no constructor that could break the process.
        let library = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        if library.is_null() {
            return Err(format!(
                "{}: cannot be loaded; build it by `cargo build --release -p placemat-iconv-c` in c/",
                path.display()
            ));
        }
        let symbol = |name: &std::ffi::CStr| {
            // SAFETY: the library is loaded, and the name ends in a zero byte.
            let symbol = unsafe { libc::dlsym(library, name.as_ptr()) };
            if symbol.is_null() {
                Err(format!("{}: exports no {name:?}", path.display()))
            } else {
                Ok(symbol)
            }
        };
        let (open, convert, close) = (symbol(c"iconv_open")?, symbol(c"iconv")?, symbol(c"iconv_close")?);
        // SAFETY: POSIX gives the function of this name this signature.
        let open = unsafe { std::mem::transmute::<*mut c_void, Open>(open) };
        // SAFETY: POSIX gives the function of this name this signature.
        let convert = unsafe { std::mem::transmute::<*mut c_void, Convert>(convert) };
        // SAFETY: POSIX gives the function of this name this signature.
        let close = unsafe { std::mem::transmute::<*mut c_void, Close>(close) };
        Ok(Self { open, convert, close })
    }
}

impl Iconv for Loaded {
    fn name(&self) -> &'static str {
        "placemat"
    }

    unsafe fn open(&self, to: *const c_char, from: *const c_char) -> Raw {
        // SAFETY: the caller keeps the contract of the function.
        unsafe { (self.open)(to, from) }
    }

    unsafe fn iconv(
        &self,
        handle: Raw,
        src: *mut *mut c_char,
        src_left: *mut size_t,
        dst: *mut *mut c_char,
        dst_left: *mut size_t,
    ) -> size_t {
        // SAFETY: the caller keeps the contract of the function.
        unsafe { (self.convert)(handle, src, src_left, dst, dst_left) }
    }

    unsafe fn close(&self, handle: Raw) -> c_int {
        // SAFETY: the caller keeps the contract of the function.
        unsafe { (self.close)(handle) }
    }
}

/// Returns the path of the library under test: `PLACEMAT_ICONV_SO`, or the release build beside
/// this crate.
#[must_use]
pub fn path() -> PathBuf {
    std::env::var_os("PLACEMAT_ICONV_SO").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/release/libplacemat_iconv.so"),
        PathBuf::from,
    )
}

/// Returns the library under test. It converts everything itself: it does not pass unknown names to
/// glibc, which would compare glibc with glibc, and it does not know the names that glibc reads
/// differently.
///
/// # Panics
/// If it cannot be loaded.
pub fn ours() -> &'static Loaded {
    static OURS: OnceLock<Loaded> = OnceLock::new();
    OURS.get_or_init(|| {
        // SAFETY: setenv is called once, before the library is loaded, and no other thread reads the environment.
        unsafe { libc::setenv(c"PLACEMAT_ICONV".as_ptr(), c"only,exact".as_ptr(), 0) };
        Loaded::new(&path()).unwrap_or_else(|e| panic!("{e}"))
    })
}
