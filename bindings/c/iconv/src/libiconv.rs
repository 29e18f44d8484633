//! The names of GNU libiconv, for programs that are linked with it.

use crate::glibc;
use crate::slots::{self, Found};
use crate::system::{EBADF, EINVAL, Errno, Handle, NONE, fail};
use alloc::boxed::Box;
use alloc::ffi::CString;
use alloc::vec::Vec;
use core::ffi::{CStr, c_char, c_int, c_uint, c_void};
use core::sync::atomic::{AtomicPtr, Ordering};
use placemat_iconv::{Converter, Dialect, canonical, names_by_encoding};

/// The version of libiconv whose interface this is: 1.17.
#[unsafe(no_mangle)]
pub static _libiconv_version: c_int = 0x0111;

/// Opens a conversion from the encoding `from` to the encoding `to`.
///
/// # Safety
/// Both are C strings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn libiconv_open(to: *const c_char, from: *const c_char) -> Handle {
    let errno = Errno::now();
    // SAFETY: the caller passes C strings.
    let opened = unsafe { glibc::open(to, from, Dialect::Libiconv) };
    match opened {
        Ok(handle) => errno.restore(handle),
        Err(code) => errno.fail(code, NONE),
    }
}

/// Opens a conversion whose handle is the address of memory of the caller. Nothing is stored there:
/// the conversion is found by the address, and stays until the handle is closed or the same memory
/// is passed again.
///
/// # Safety
/// Both names are C strings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn libiconv_open_into(
    to: *const c_char,
    from: *const c_char,
    memory: *mut c_void,
) -> c_int {
    let errno = Errno::now();
    if let Some(before) = slots::find_lent(memory) {
        // SAFETY: the caller reuses the memory of the handle.
        unsafe { before.close() };
    }
    // SAFETY: the caller passes C strings.
    let opened = unsafe { glibc::open(to, from, Dialect::Libiconv) };
    match opened {
        Ok(handle) => {
            slots::lend(handle, memory);
            errno.restore(0)
        }
        Err(code) => errno.fail(code, -1),
    }
}

/// The name that programs link for [`libiconv_open_into`].
///
/// # Safety
/// The requirements of [`libiconv_open_into`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iconv_open_into(
    to: *const c_char,
    from: *const c_char,
    memory: *mut c_void,
) -> c_int {
    // SAFETY: the caller keeps the same contract.
    unsafe { libiconv_open_into(to, from, memory) }
}

/// Returns the handle itself for a handle that is the address of lent memory.
fn handle_of(handle: Handle) -> Handle {
    slots::find_lent(handle).map_or(handle, |ours| ours.handle())
}

/// Converts text.
///
/// # Safety
/// The requirements of [`iconv`](glibc::iconv).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn libiconv(
    handle: Handle,
    src: *mut *mut c_char,
    src_len: *mut usize,
    dst: *mut *mut c_char,
    dst_len: *mut usize,
) -> usize {
    // SAFETY: the caller keeps the same contract.
    unsafe { glibc::iconv(handle_of(handle), src, src_len, dst, dst_len) }
}

/// Closes a conversion.
///
/// # Safety
/// No other thread uses the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn libiconv_close(handle: Handle) -> c_int {
    // SAFETY: the caller keeps the same contract.
    unsafe { glibc::iconv_close(handle_of(handle)) }
}

// The requests of `iconvctl`.
const TRIVIALP: c_int = 0;
const GET_TRANSLITERATE: c_int = 1;
const SET_TRANSLITERATE: c_int = 2;
const GET_DISCARD_ILSEQ: c_int = 3;
const SET_DISCARD_ILSEQ: c_int = 4;
const SET_HOOKS: c_int = 5;
const SET_FALLBACKS: c_int = 6;

/// Asks for an option of a conversion, or sets it. Hooks and fallbacks can only be removed, as
/// there are none: setting them fails with EINVAL, and so does an unknown request.
///
/// # Safety
/// `argument` is null, or what the request needs: the address of an `int`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn libiconvctl(handle: Handle, request: c_int, argument: *mut c_void) -> c_int {
    let Found::Ours(mut ours) = slots::find(handle_of(handle)) else { return fail(EBADF, -1) };
    // SAFETY: the caller leaves the handle to this thread.
    let converter: &mut Converter = unsafe { ours.converter() };
    let number: *mut c_int = argument.cast();
    match request {
        SET_HOOKS | SET_FALLBACKS if argument.is_null() => return 0,
        TRIVIALP..=SET_DISCARD_ILSEQ if !argument.is_null() => {}
        _ => return fail(EINVAL, -1),
    }
    let answer = match request {
        TRIVIALP => converter.is_trivial(),
        GET_TRANSLITERATE => converter.transliterates(),
        GET_DISCARD_ILSEQ => converter.ignores(),
        _ => {
            // SAFETY: it is not null, so the caller promises an `int`.
            let on = unsafe { number.read() } != 0;
            if request == SET_TRANSLITERATE {
                converter.set_transliterates(on);
            } else {
                converter.set_ignores(on);
            }
            return 0;
        }
    };
    // SAFETY: it is not null, so the caller promises an `int`.
    unsafe { number.write(answer.into()) };
    0
}

/// The name that programs link for [`libiconvctl`].
///
/// # Safety
/// The requirements of [`libiconvctl`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iconvctl(handle: Handle, request: c_int, argument: *mut c_void) -> c_int {
    // SAFETY: the caller keeps the same contract.
    unsafe { libiconvctl(handle, request, argument) }
}

type Each = unsafe extern "C" fn(c_uint, *const *const c_char, *mut c_void) -> c_int;

/// Calls `each` for each encoding with all its names, until it returns a value other than zero.
///
/// # Safety
/// `each` can be called with `data`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn libiconvlist(each: Option<Each>, data: *mut c_void) {
    let Some(each) = each else { return };
    for names in names_by_encoding() {
        let names: Vec<_> = names.into_iter().filter_map(|name| CString::new(name).ok()).collect();
        let pointers: Vec<_> = names.iter().map(|name| name.as_ptr()).collect();
        let Ok(count) = c_uint::try_from(pointers.len()) else { continue };
        // SAFETY: the caller promises that it can be called; the names stay for the call.
        if unsafe { each(count, pointers.as_ptr(), data) } != 0 {
            return;
        }
    }
}

/// The name that programs link for [`libiconvlist`].
///
/// # Safety
/// The requirements of [`libiconvlist`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iconvlist(each: Option<Each>, data: *mut c_void) {
    // SAFETY: the caller keeps the same contract.
    unsafe { libiconvlist(each, data) };
}

/// Returns the canonical name of an encoding, or `name` itself if it is unknown.
///
/// # Safety
/// `name` is a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iconv_canonicalize(name: *const c_char) -> *const c_char {
    if name.is_null() {
        return name;
    }
    // SAFETY: `name` is not null, so the caller promises a C string.
    let known = unsafe { CStr::from_ptr(name) }.to_str().ok().and_then(canonical);
    let all = canonical_names();
    let found = known.and_then(|known| all.binary_search_by(|one| one.to_bytes().cmp(known.as_bytes())).ok());
    found.map_or(name, |at| all[at].as_ptr())
}

/// Returns the canonical names, in order. They are made at the first call, and stay, as programs
/// keep pointers to them.
fn canonical_names() -> &'static [CString] {
    static NAMES: AtomicPtr<Vec<CString>> = AtomicPtr::new(core::ptr::null_mut());
    let mut names = NAMES.load(Ordering::Acquire);
    if names.is_null() {
        let first = |names: Vec<_>| names.into_iter().next().and_then(|name| CString::new(name).ok());
        let made = Box::into_raw(Box::new(names_by_encoding().into_iter().filter_map(first).collect()));
        match NAMES.compare_exchange(names, made, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => names = made,
            Err(others) => {
                // SAFETY: it came from `Box::into_raw`, and another thread was faster, so nobody else knows it.
                drop(unsafe { Box::from_raw(made) });
                names = others;
            }
        }
    }
    // SAFETY: it came from `Box::into_raw`, and is never given back.
    unsafe { &*names }
}

/// Does nothing. GNU libiconv lets a program set the path to which it was moved; this library reads
/// no files.
#[unsafe(no_mangle)]
pub extern "C" fn libiconv_set_relocation_prefix(_from: *const c_char, _to: *const c_char) {}
