//! Conversion between any two encodings, at once and piece by piece.

use crate::encodings::{encoding, placemat_encoding};
use crate::memory::{put, room, slice};
use crate::policy::{self, Errors, Unmappables, placemat_policy};
use crate::types::{placemat_error, placemat_progress, placemat_status};
use alloc::boxed::Box;
use core::ffi::c_char;
use placemat::Encoding;
use placemat::stream::{Progress, Status, Transcoder};

type Converter = Transcoder<Errors, Unmappables>;

/// A conversion that takes its text piece by piece.
pub struct placemat_transcoder {
    converter: Converter,
}

/// Returns a conversion at its start, or the reason why there is none.
///
/// # Safety
/// The requirements of [`policy::read`].
unsafe fn start(
    from: placemat_encoding,
    to: placemat_encoding,
    policy: *const placemat_policy,
) -> Result<Converter, placemat_status> {
    let (Some(from), Some(to)) = (encoding(from), encoding(to)) else {
        return Err(placemat_status::PLACEMAT_UNKNOWN_ENCODING);
    };
    // SAFETY: the caller keeps the contract of this function.
    let policies = unsafe { policy::read(policy) };
    let Some((errors, unmappables)) = policies else { return Err(placemat_status::PLACEMAT_BAD_ARGUMENT) };
    Ok(Transcoder::new(from, to).on_error(errors).on_unmappable(unmappables))
}

/// Whether a text is well-formed in an encoding. If not, `error`, unless it is null, says where and why. Of an unknown
/// encoding no text is well-formed, and `error` has length 0.
///
/// # Safety
/// `text` has `length` bytes; `error` is null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_validate(
    encoding: placemat_encoding,
    text: *const c_char,
    length: usize,
    error: *mut placemat_error,
) -> bool {
    // SAFETY: the caller keeps the contract of this function.
    let src = unsafe { slice(text.cast(), length) };
    let (status, found) = match crate::encodings::encoding(encoding) {
        Some(encoding) if encoding == Encoding::UTF_8 => match placemat::utf8::validate(src) {
            Ok(_) => (placemat_status::PLACEMAT_DONE, placemat_error::NONE),
            Err(e) => (placemat_status::PLACEMAT_ILL_FORMED, placemat_error::ill_formed(&e)),
        },
        Some(encoding) => {
            let (p, found) = placemat_progress::of(Transcoder::checker(encoding).convert(src, &mut [], true));
            (p.status, found)
        }
        None => (placemat_status::PLACEMAT_UNKNOWN_ENCODING, placemat_error::NONE),
    };
    // SAFETY: the caller keeps the contract of this function.
    unsafe { put(error, found) };
    status == placemat_status::PLACEMAT_DONE
}

/// Converts a whole text. Where `dst` has exactly the room for what precedes an error, the status is that of the error, so that
/// the room that [`placemat_converted_length`] asks for is always enough.
fn convert_whole(converter: &mut Converter, src: &[u8], dst: &mut [u8]) -> Progress {
    let done = converter.convert(src, dst, true);
    if done.status != Status::NeedOutput {
        return done;
    }
    // The engine asks for room before it looks whether the target has the next character.
    let next = converter.convert(&src[done.read..], &mut [0; 64], true);
    if next.status == Status::NeedOutput || next.written > 0 {
        return done;
    }
    Progress::new(done.read + next.read, done.written, next.status)
}

/// Converts a whole text. If the status is `PLACEMAT_NEED_OUTPUT`, ask `placemat_converted_length` and call again with the
/// whole text. `policy` and `error` may be null; without a policy the conversion stops at every error.
///
/// # Safety
/// `text` has `length` bytes, `out` has room for `capacity`, and they do not overlap; `policy` is null or readable, with its
/// texts; `error` is null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_convert(
    from: placemat_encoding,
    to: placemat_encoding,
    policy: *const placemat_policy,
    text: *const c_char,
    length: usize,
    out: *mut c_char,
    capacity: usize,
    error: *mut placemat_error,
) -> placemat_progress {
    // SAFETY: the caller keeps the contract of this function.
    let (src, dst) = (unsafe { slice(text.cast(), length) }, unsafe { room(out.cast(), capacity) });
    // SAFETY: the caller keeps the contract of this function.
    let (progress, found) = match unsafe { start(from, to, policy) } {
        Ok(mut converter) => placemat_progress::of(convert_whole(&mut converter, src, dst)),
        Err(status) => (placemat_progress::none(status), placemat_error::NONE),
    };
    // SAFETY: the caller keeps the contract of this function.
    unsafe { put(error, found) };
    progress
}

/// The number of bytes that `placemat_convert` writes for a text: up to the first error, if the policy says to stop. It
/// converts the text and throws the result away. 0 for an unknown encoding or a policy that is out of range.
///
/// # Safety
/// `text` has `length` bytes; `policy` is null or readable, with its texts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_converted_length(
    from: placemat_encoding,
    to: placemat_encoding,
    policy: *const placemat_policy,
    text: *const c_char,
    length: usize,
) -> usize {
    // SAFETY: the caller keeps the contract of this function.
    let mut src: &[u8] = unsafe { slice(text.cast(), length) };
    // SAFETY: the caller keeps the contract of this function.
    let Ok(mut converter) = (unsafe { start(from, to, policy) }) else { return 0 };
    let mut scratch = [0; 8192];
    let mut written = 0;
    loop {
        let p = converter.convert(src, &mut scratch, true);
        written += p.written;
        src = &src[p.read..];
        if p.status != Status::NeedOutput {
            return written;
        }
    }
}

/// Makes a transcoder, which the caller gives back to `placemat_transcoder_free`. Null for an unknown encoding, or a policy
/// that is out of range; `status`, unless it is null, says which.
///
/// # Safety
/// `policy` is null or readable, with its texts; `status` is null or writable. A function in the policy can be called with
/// its data as long as the transcoder lives.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_transcoder_new(
    from: placemat_encoding,
    to: placemat_encoding,
    policy: *const placemat_policy,
    status: *mut placemat_status,
) -> *mut placemat_transcoder {
    // SAFETY: the caller keeps the contract of this function.
    let (transcoder, why) = match unsafe { start(from, to, policy) } {
        Ok(converter) => {
            (Box::into_raw(Box::new(placemat_transcoder { converter })), placemat_status::PLACEMAT_DONE)
        }
        Err(why) => (core::ptr::null_mut(), why),
    };
    // SAFETY: the caller keeps the contract of this function.
    unsafe { put(status, why) };
    transcoder
}

/// Gives a transcoder back. Null is allowed.
///
/// # Safety
/// `transcoder` is null, or comes from `placemat_transcoder_new` and was not given back.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_transcoder_free(transcoder: *mut placemat_transcoder) {
    if !transcoder.is_null() {
        // SAFETY: it comes from `Box::into_raw`.
        drop(unsafe { Box::from_raw(transcoder) });
    }
}

/// Runs a call on a transcoder.
///
/// # Safety
/// `transcoder` is null, or comes from `placemat_transcoder_new`, was not given back, and is in use by nobody else; `error` is
/// null or writable.
unsafe fn with(
    transcoder: *mut placemat_transcoder,
    error: *mut placemat_error,
    call: impl FnOnce(&mut Converter) -> Progress,
) -> placemat_progress {
    // SAFETY: the caller keeps the contract of this function.
    let (progress, found) = match unsafe { transcoder.as_mut() } {
        Some(this) => placemat_progress::of(call(&mut this.converter)),
        None => (placemat_progress::none(placemat_status::PLACEMAT_BAD_ARGUMENT), placemat_error::NONE),
    };
    // SAFETY: the caller keeps the contract of this function.
    unsafe { put(error, found) };
    progress
}

/// Converts as much of a piece as fits into `out`. Pass `last` if the text ends with the piece. A sequence that the piece
/// cuts is kept for the next call and counts as read. After `PLACEMAT_NEED_OUTPUT`, and to go on after an error, call again
/// with the rest of the piece; after `PLACEMAT_DONE`, reset or free. Offsets in `error` count from the start of the text.
///
/// # Safety
/// `transcoder` is null, or comes from `placemat_transcoder_new`, and only this thread uses it; `text` has `length` bytes, `out`
/// has room for `capacity`, and they do not overlap; `error` is null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_transcoder_convert(
    transcoder: *mut placemat_transcoder,
    text: *const c_char,
    length: usize,
    out: *mut c_char,
    capacity: usize,
    last: bool,
    error: *mut placemat_error,
) -> placemat_progress {
    // SAFETY: the caller keeps the contract of this function.
    let (src, dst) = (unsafe { slice(text.cast(), length) }, unsafe { room(out.cast(), capacity) });
    // SAFETY: the caller keeps the contract of this function.
    unsafe { with(transcoder, error, |converter| converter.convert(src, dst, last)) }
}

/// Ends the output of a conversion that is given up: writes what closes a text in the target, such as a shift back, and
/// forgets input that was read and not converted yet.
///
/// # Safety
/// `transcoder` is null, or comes from `placemat_transcoder_new`, and only this thread uses it; `out` has room for `capacity`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_transcoder_close(
    transcoder: *mut placemat_transcoder,
    out: *mut c_char,
    capacity: usize,
) -> placemat_progress {
    // SAFETY: the caller keeps the contract of this function.
    let dst = unsafe { room(out.cast(), capacity) };
    // SAFETY: the caller promises it; null says that the error is not wanted.
    unsafe { with(transcoder, core::ptr::null_mut(), |converter| converter.close(dst)) }
}

/// Goes back to the start of a text, and writes nothing.
///
/// # Safety
/// `transcoder` is null, or comes from `placemat_transcoder_new`, and only this thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_transcoder_reset(transcoder: *mut placemat_transcoder) {
    // SAFETY: the caller keeps the contract of this function.
    if let Some(this) = unsafe { transcoder.as_mut() } {
        this.converter.reset();
    }
}

/// A `capacity` with which every call makes progress, in bytes; 0 for null. It is small, but for policies with a text or a
/// function: then it has room for the longest answer that is possible, up to 16 MiB, though few answers need it.
///
/// # Safety
/// `transcoder` is null, or comes from `placemat_transcoder_new`, and only this thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_transcoder_min_output(transcoder: *const placemat_transcoder) -> usize {
    // SAFETY: the caller keeps the contract of this function.
    unsafe { transcoder.as_ref() }.map_or(0, |this| this.converter.min_output())
}
