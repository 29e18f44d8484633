//! The next library with an iconv(3): the one that would have been called without this one.

use crate::system::{EBADF, EINVAL, Handle, NONE, fail};
use core::ffi::{CStr, c_char, c_int, c_void};
use core::mem::transmute;
use core::ptr::without_provenance_mut;
use core::sync::atomic::{AtomicPtr, Ordering};

type Open = unsafe extern "C" fn(*const c_char, *const c_char) -> Handle;
type Convert =
    unsafe extern "C" fn(Handle, *mut *mut c_char, *mut usize, *mut *mut c_char, *mut usize) -> usize;
type Close = unsafe extern "C" fn(Handle) -> c_int;

unsafe extern "C" {
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
}

/// `RTLD_NEXT`: the libraries after the one that calls.
const NEXT: *mut c_void = without_provenance_mut(usize::MAX);

/// A function of the next library: null before it was looked up, `ABSENT` if there is none.
struct Function {
    name: &'static CStr,
    address: AtomicPtr<c_void>,
}

const ABSENT: *mut c_void = without_provenance_mut(1);

static OPEN: Function = Function::new(c"iconv_open");
static CONVERT: Function = Function::new(c"iconv");
static CLOSE: Function = Function::new(c"iconv_close");

impl Function {
    const fn new(name: &'static CStr) -> Self {
        Self { name, address: AtomicPtr::new(core::ptr::null_mut()) }
    }

    /// Returns the address of the function, which the first call looks up.
    fn get(&self) -> Option<*mut c_void> {
        let mut address = self.address.load(Ordering::Relaxed);
        if address.is_null() {
            // SAFETY: the name is a C string.
            address = unsafe { dlsym(NEXT, self.name.as_ptr()) };
            if address.is_null() {
                address = ABSENT;
            }
            // Another thread finds the same address.
            self.address.store(address, Ordering::Relaxed);
        }
        (address != ABSENT).then_some(address)
    }
}

/// Calls `iconv_open` of the next library.
///
/// # Safety
/// The requirements of `iconv_open`.
pub(crate) unsafe fn open(to: *const c_char, from: *const c_char) -> Handle {
    let Some(address) = OPEN.get() else {
        return fail(EINVAL, NONE);
    };
    // SAFETY: the function of this name has this type.
    let open: Open = unsafe { transmute(address) };
    // SAFETY: the caller keeps the contract of `iconv_open`.
    unsafe { open(to, from) }
}

/// Calls `iconv` of the next library.
///
/// # Safety
/// The requirements of `iconv`.
pub(crate) unsafe fn convert(
    handle: Handle,
    src: *mut *mut c_char,
    src_len: *mut usize,
    dst: *mut *mut c_char,
    dst_len: *mut usize,
) -> usize {
    let Some(address) = CONVERT.get() else {
        return fail(EBADF, usize::MAX);
    };
    // SAFETY: the function of this name has this type.
    let convert: Convert = unsafe { transmute(address) };
    // SAFETY: the caller keeps the contract of `iconv`.
    unsafe { convert(handle, src, src_len, dst, dst_len) }
}

/// Calls `iconv_close` of the next library.
///
/// # Safety
/// The requirements of `iconv_close`.
pub(crate) unsafe fn close(handle: Handle) -> c_int {
    let Some(address) = CLOSE.get() else {
        return fail(EBADF, -1);
    };
    // SAFETY: the function of this name has this type.
    let close: Close = unsafe { transmute(address) };
    // SAFETY: the caller keeps the contract of `iconv_close`.
    unsafe { close(handle) }
}
