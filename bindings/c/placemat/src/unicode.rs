//! UTF-8, UTF-16, UTF-32 and Latin-1 in memory, without a handle.

use crate::memory::{put, room, slice};
use crate::types::{placemat_error, placemat_progress};
use core::ffi::c_char;
use placemat::forms::{EncodingForm, Latin1, Utf8, Utf16, Utf32};
use placemat::stream::{FormTranscoder, Status};
use placemat::{ErrorPolicy, IllFormed, Native, UnmappablePolicy, convert, length, utf8, utf16};

/// Reports the result of a validation.
///
/// # Safety
/// `error` is null or writable.
unsafe fn verdict(result: Result<(), IllFormed>, error: *mut placemat_error) -> bool {
    let found = result.err();
    // SAFETY: the caller keeps the contract of this function.
    unsafe { put(error, found.as_ref().map_or(placemat_error::NONE, placemat_error::ill_formed)) };
    found.is_none()
}

/// Converts, and stops at the first error.
///
/// # Safety
/// The requirements of [`slice`], [`room`] and [`put`].
unsafe fn run<F: EncodingForm, T: EncodingForm>(
    src: &[F::Unit],
    dst: &mut [T::Unit],
    error: *mut placemat_error,
) -> placemat_progress {
    let p = convert::transcode_into::<F, T>(src, dst, ErrorPolicy::Stop, UnmappablePolicy::Stop);
    let (progress, found) = placemat_progress::of(p);
    // SAFETY: the caller keeps the contract of this function.
    unsafe { put(error, found) };
    progress
}

/// Whether a text is well-formed UTF-8, of `length` bytes. If not, `error`, unless it is null, says where and why.
///
/// ```c
/// placemat_error error;
/// if (!placemat_utf8_validate("caf\xC3", 4, &error)) puts(error.message);
/// ```
///
/// # Safety
/// `text` has `length` bytes; `error` is null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_utf8_validate(
    text: *const c_char,
    length: usize,
    error: *mut placemat_error,
) -> bool {
    // SAFETY: the caller keeps the contract of this function.
    let src = unsafe { slice(text.cast(), length) };
    // SAFETY: the caller keeps the contract of this function.
    unsafe { verdict(utf8::validate(src).map(|_| ()), error) }
}

/// Whether a text is well-formed UTF-16, of `length` code units in the byte order of the machine. Offsets in `error` are in
/// code units.
///
/// # Safety
/// `text` has `length` units; `error` is null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_utf16_validate(
    text: *const u16,
    length: usize,
    error: *mut placemat_error,
) -> bool {
    // SAFETY: the caller keeps the contract of this function.
    let src = unsafe { slice(text, length) };
    // SAFETY: the caller keeps the contract of this function.
    unsafe { verdict(utf16::validate(src), error) }
}

/// Whether a text is well-formed UTF-32, of `length` code units in the byte order of the machine: whether all are scalar values.
/// Offsets in `error` are in code units.
///
/// # Safety
/// `text` has `length` units; `error` is null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_utf32_validate(
    text: *const u32,
    length: usize,
    error: *mut placemat_error,
) -> bool {
    // SAFETY: the caller keeps the contract of this function.
    let mut src = unsafe { slice(text, length) };
    // A conversion finds the first error and its offset; its output is ignored.
    let mut transcoder = FormTranscoder::<Utf32<Native>, Utf16<Native>>::new();
    let mut unused = [0; 1024];
    let result = loop {
        let p = transcoder.convert(src, &mut unused, true);
        src = &src[p.read..];
        match p.status {
            Status::NeedOutput => {}
            Status::IllFormed(e) => break Err(e),
            _ => break Ok(()),
        }
    };
    // SAFETY: the caller keeps the contract of this function.
    unsafe { verdict(result, error) }
}

/// Whether a text is ASCII.
///
/// # Safety
/// `text` has `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_is_ascii(text: *const c_char, length: usize) -> bool {
    // SAFETY: the caller keeps the contract of this function.
    unsafe { slice::<u8>(text.cast(), length) }.is_ascii()
}

/// The number of code points in well-formed UTF-8. Of other text, the number of bytes that are no continuation bytes.
///
/// # Safety
/// `text` has `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_utf8_count(text: *const c_char, length: usize) -> usize {
    // SAFETY: the caller keeps the contract of this function.
    utf8::count_code_points(unsafe { slice(text.cast(), length) })
}

/// The length of the longest beginning of a text in UTF-8 that has at most `max` bytes and splits no sequence.
///
/// ```c
/// // "caf": the two bytes of the last letter do not fit.
/// length = placemat_utf8_truncate("caf\xC3\xA9", 5, 4);
/// ```
///
/// # Safety
/// `text` has `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_utf8_truncate(text: *const c_char, length: usize, max: usize) -> usize {
    // SAFETY: the caller keeps the contract of this function.
    utf8::truncate(unsafe { slice(text.cast(), length) }, max).len()
}

/// The length in bytes of the longest beginning of a text in UTF-8 that has at most `max` code points. Ill-formed
/// text counts as in `placemat_utf8_count`.
///
/// # Safety
/// `text` has `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_utf8_truncate_code_points(
    text: *const c_char,
    length: usize,
    max: usize,
) -> usize {
    // SAFETY: the caller keeps the contract of this function.
    utf8::truncate_code_points(unsafe { slice(text.cast(), length) }, max).len()
}

/// The length in UTF-16 code units of a text in UTF-8 of `length` code units. Exact for well-formed text.
///
/// # Safety
/// `text` has `length` code units.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_utf16_length_from_utf8(text: *const c_char, length: usize) -> usize {
    // SAFETY: the caller keeps the contract of this function.
    length::utf16_from_utf8(unsafe { slice(text.cast(), length) })
}

/// The length in UTF-32 code units of a text in UTF-8 of `length` code units. Exact for well-formed text.
///
/// # Safety
/// `text` has `length` code units.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_utf32_length_from_utf8(text: *const c_char, length: usize) -> usize {
    // SAFETY: the caller keeps the contract of this function.
    length::utf32_from_utf8(unsafe { slice(text.cast(), length) })
}

/// The length of a text in Latin-1, for UTF-8 of `length` code units: its number of code points. Exact for well-formed text.
///
/// # Safety
/// `text` has `length` code units.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_latin1_length_from_utf8(text: *const c_char, length: usize) -> usize {
    // SAFETY: the caller keeps the contract of this function.
    length::latin1_from_utf8(unsafe { slice(text.cast(), length) })
}

/// The length in UTF-8 code units of a text in UTF-16 of `length` code units. Exact for well-formed text.
///
/// # Safety
/// `text` has `length` code units.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_utf8_length_from_utf16(text: *const u16, length: usize) -> usize {
    // SAFETY: the caller keeps the contract of this function.
    length::utf8_from_utf16(unsafe { slice(text, length) })
}

/// The length in UTF-32 code units of a text in UTF-16 of `length` code units. Exact for well-formed text.
///
/// # Safety
/// `text` has `length` code units.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_utf32_length_from_utf16(text: *const u16, length: usize) -> usize {
    // SAFETY: the caller keeps the contract of this function.
    length::utf32_from_utf16(unsafe { slice(text, length) })
}

/// The length of a text in Latin-1, for UTF-16 of `length` code units: its number of code points. Exact for well-formed text.
///
/// # Safety
/// `text` has `length` code units.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_latin1_length_from_utf16(text: *const u16, length: usize) -> usize {
    // SAFETY: the caller keeps the contract of this function.
    length::latin1_from_utf16(unsafe { slice(text, length) })
}

/// The length in UTF-8 code units of a text in UTF-32 of `length` code units. Exact for well-formed text.
///
/// # Safety
/// `text` has `length` code units.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_utf8_length_from_utf32(text: *const u32, length: usize) -> usize {
    // SAFETY: the caller keeps the contract of this function.
    length::utf8_from_utf32(unsafe { slice(text, length) })
}

/// The length in UTF-16 code units of a text in UTF-32 of `length` code units. Exact for well-formed text.
///
/// # Safety
/// `text` has `length` code units.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_utf16_length_from_utf32(text: *const u32, length: usize) -> usize {
    // SAFETY: the caller keeps the contract of this function.
    length::utf16_from_utf32(unsafe { slice(text, length) })
}

/// The length of a text in Latin-1, for UTF-32 of `length` code units: its number of code points. Exact for well-formed text.
///
/// # Safety
/// `text` has `length` code units.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_latin1_length_from_utf32(text: *const u32, length: usize) -> usize {
    // SAFETY: the caller keeps the contract of this function.
    length::latin1_from_utf32(unsafe { slice(text, length) })
}

/// The length in UTF-8 code units of a text in Latin-1 of `length` code units.
///
/// # Safety
/// `text` has `length` code units.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_utf8_length_from_latin1(text: *const c_char, length: usize) -> usize {
    // SAFETY: the caller keeps the contract of this function.
    length::utf8_from_latin1(unsafe { slice(text.cast(), length) })
}

/// The length in UTF-16 code units of a text in Latin-1 of `length` code units.
///
/// # Safety
/// `text` has `length` code units.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_utf16_length_from_latin1(text: *const c_char, length: usize) -> usize {
    // SAFETY: the caller keeps the contract of this function.
    length::utf16_from_latin1(unsafe { slice(text.cast(), length) })
}

/// The length in UTF-32 code units of a text in Latin-1 of `length` code units.
///
/// # Safety
/// `text` has `length` code units.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_utf32_length_from_latin1(text: *const c_char, length: usize) -> usize {
    // SAFETY: the caller keeps the contract of this function.
    length::utf32_from_latin1(unsafe { slice(text.cast(), length) })
}

/// Converts UTF-8 to UTF-16, up to the first error; lengths are in code units. `error` may be null.
///
/// # Safety
/// `text` has `length` code units, `out` has room for `capacity`, and they do not overlap; `error` is null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_utf8_to_utf16(
    text: *const c_char,
    length: usize,
    out: *mut u16,
    capacity: usize,
    error: *mut placemat_error,
) -> placemat_progress {
    // SAFETY: the caller keeps the contract of this function.
    let src = unsafe { slice(text.cast(), length) };
    // SAFETY: the caller keeps the contract of this function.
    let dst = unsafe { room(out, capacity) };
    // SAFETY: the caller keeps the contract of this function.
    unsafe { run::<Utf8, Utf16<Native>>(src, dst, error) }
}

/// Converts UTF-8 to UTF-32, up to the first error; lengths are in code units. `error` may be null.
///
/// # Safety
/// `text` has `length` code units, `out` has room for `capacity`, and they do not overlap; `error` is null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_utf8_to_utf32(
    text: *const c_char,
    length: usize,
    out: *mut u32,
    capacity: usize,
    error: *mut placemat_error,
) -> placemat_progress {
    // SAFETY: the caller keeps the contract of this function.
    let src = unsafe { slice(text.cast(), length) };
    // SAFETY: the caller keeps the contract of this function.
    let dst = unsafe { room(out, capacity) };
    // SAFETY: the caller keeps the contract of this function.
    unsafe { run::<Utf8, Utf32<Native>>(src, dst, error) }
}

/// Converts UTF-8 to Latin-1, up to the first error; lengths are in code units. `error` may be null.
///
/// # Safety
/// `text` has `length` code units, `out` has room for `capacity`, and they do not overlap; `error` is null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_utf8_to_latin1(
    text: *const c_char,
    length: usize,
    out: *mut c_char,
    capacity: usize,
    error: *mut placemat_error,
) -> placemat_progress {
    // SAFETY: the caller keeps the contract of this function.
    let src = unsafe { slice(text.cast(), length) };
    // SAFETY: the caller keeps the contract of this function.
    let dst = unsafe { room(out.cast(), capacity) };
    // SAFETY: the caller keeps the contract of this function.
    unsafe { run::<Utf8, Latin1>(src, dst, error) }
}

/// Converts UTF-16 to UTF-8, up to the first error; lengths are in code units. `error` may be null.
///
/// # Safety
/// `text` has `length` code units, `out` has room for `capacity`, and they do not overlap; `error` is null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_utf16_to_utf8(
    text: *const u16,
    length: usize,
    out: *mut c_char,
    capacity: usize,
    error: *mut placemat_error,
) -> placemat_progress {
    // SAFETY: the caller keeps the contract of this function.
    let src = unsafe { slice(text, length) };
    // SAFETY: the caller keeps the contract of this function.
    let dst = unsafe { room(out.cast(), capacity) };
    // SAFETY: the caller keeps the contract of this function.
    unsafe { run::<Utf16<Native>, Utf8>(src, dst, error) }
}

/// Converts UTF-16 to UTF-32, up to the first error; lengths are in code units. `error` may be null.
///
/// # Safety
/// `text` has `length` code units, `out` has room for `capacity`, and they do not overlap; `error` is null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_utf16_to_utf32(
    text: *const u16,
    length: usize,
    out: *mut u32,
    capacity: usize,
    error: *mut placemat_error,
) -> placemat_progress {
    // SAFETY: the caller keeps the contract of this function.
    let src = unsafe { slice(text, length) };
    // SAFETY: the caller keeps the contract of this function.
    let dst = unsafe { room(out, capacity) };
    // SAFETY: the caller keeps the contract of this function.
    unsafe { run::<Utf16<Native>, Utf32<Native>>(src, dst, error) }
}

/// Converts UTF-16 to Latin-1, up to the first error; lengths are in code units. `error` may be null.
///
/// # Safety
/// `text` has `length` code units, `out` has room for `capacity`, and they do not overlap; `error` is null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_utf16_to_latin1(
    text: *const u16,
    length: usize,
    out: *mut c_char,
    capacity: usize,
    error: *mut placemat_error,
) -> placemat_progress {
    // SAFETY: the caller keeps the contract of this function.
    let src = unsafe { slice(text, length) };
    // SAFETY: the caller keeps the contract of this function.
    let dst = unsafe { room(out.cast(), capacity) };
    // SAFETY: the caller keeps the contract of this function.
    unsafe { run::<Utf16<Native>, Latin1>(src, dst, error) }
}

/// Converts UTF-32 to UTF-8, up to the first error; lengths are in code units. `error` may be null.
///
/// # Safety
/// `text` has `length` code units, `out` has room for `capacity`, and they do not overlap; `error` is null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_utf32_to_utf8(
    text: *const u32,
    length: usize,
    out: *mut c_char,
    capacity: usize,
    error: *mut placemat_error,
) -> placemat_progress {
    // SAFETY: the caller keeps the contract of this function.
    let src = unsafe { slice(text, length) };
    // SAFETY: the caller keeps the contract of this function.
    let dst = unsafe { room(out.cast(), capacity) };
    // SAFETY: the caller keeps the contract of this function.
    unsafe { run::<Utf32<Native>, Utf8>(src, dst, error) }
}

/// Converts UTF-32 to UTF-16, up to the first error; lengths are in code units. `error` may be null.
///
/// # Safety
/// `text` has `length` code units, `out` has room for `capacity`, and they do not overlap; `error` is null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_utf32_to_utf16(
    text: *const u32,
    length: usize,
    out: *mut u16,
    capacity: usize,
    error: *mut placemat_error,
) -> placemat_progress {
    // SAFETY: the caller keeps the contract of this function.
    let src = unsafe { slice(text, length) };
    // SAFETY: the caller keeps the contract of this function.
    let dst = unsafe { room(out, capacity) };
    // SAFETY: the caller keeps the contract of this function.
    unsafe { run::<Utf32<Native>, Utf16<Native>>(src, dst, error) }
}

/// Converts UTF-32 to Latin-1, up to the first error; lengths are in code units. `error` may be null.
///
/// # Safety
/// `text` has `length` code units, `out` has room for `capacity`, and they do not overlap; `error` is null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_utf32_to_latin1(
    text: *const u32,
    length: usize,
    out: *mut c_char,
    capacity: usize,
    error: *mut placemat_error,
) -> placemat_progress {
    // SAFETY: the caller keeps the contract of this function.
    let src = unsafe { slice(text, length) };
    // SAFETY: the caller keeps the contract of this function.
    let dst = unsafe { room(out.cast(), capacity) };
    // SAFETY: the caller keeps the contract of this function.
    unsafe { run::<Utf32<Native>, Latin1>(src, dst, error) }
}

/// Converts Latin-1 to UTF-8, up to the first error; lengths are in code units. `error` may be null.
///
/// # Safety
/// `text` has `length` code units, `out` has room for `capacity`, and they do not overlap; `error` is null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_latin1_to_utf8(
    text: *const c_char,
    length: usize,
    out: *mut c_char,
    capacity: usize,
    error: *mut placemat_error,
) -> placemat_progress {
    // SAFETY: the caller keeps the contract of this function.
    let src = unsafe { slice(text.cast(), length) };
    // SAFETY: the caller keeps the contract of this function.
    let dst = unsafe { room(out.cast(), capacity) };
    // SAFETY: the caller keeps the contract of this function.
    unsafe { run::<Latin1, Utf8>(src, dst, error) }
}

/// Converts Latin-1 to UTF-16, up to the first error; lengths are in code units. `error` may be null.
///
/// # Safety
/// `text` has `length` code units, `out` has room for `capacity`, and they do not overlap; `error` is null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_latin1_to_utf16(
    text: *const c_char,
    length: usize,
    out: *mut u16,
    capacity: usize,
    error: *mut placemat_error,
) -> placemat_progress {
    // SAFETY: the caller keeps the contract of this function.
    let src = unsafe { slice(text.cast(), length) };
    // SAFETY: the caller keeps the contract of this function.
    let dst = unsafe { room(out, capacity) };
    // SAFETY: the caller keeps the contract of this function.
    unsafe { run::<Latin1, Utf16<Native>>(src, dst, error) }
}

/// Converts Latin-1 to UTF-32, up to the first error; lengths are in code units. `error` may be null.
///
/// # Safety
/// `text` has `length` code units, `out` has room for `capacity`, and they do not overlap; `error` is null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_latin1_to_utf32(
    text: *const c_char,
    length: usize,
    out: *mut u32,
    capacity: usize,
    error: *mut placemat_error,
) -> placemat_progress {
    // SAFETY: the caller keeps the contract of this function.
    let src = unsafe { slice(text.cast(), length) };
    // SAFETY: the caller keeps the contract of this function.
    let dst = unsafe { room(out, capacity) };
    // SAFETY: the caller keeps the contract of this function.
    unsafe { run::<Latin1, Utf32<Native>>(src, dst, error) }
}
