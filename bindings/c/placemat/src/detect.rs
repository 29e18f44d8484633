//! Detection: the encoding and the language of bytes of unknown origin.

use crate::encodings::{number, placemat_encoding};
use crate::memory::{put, slice};
use crate::types::{filled, placemat_status};
use alloc::boxed::Box;
use core::ffi::{c_char, c_void};
use placemat::detect::{Detection, Detector, Verdict, regions};

/// The greatest number of `candidates` and of `mixed` in a `placemat_detection`.
pub const PLACEMAT_MAX_CANDIDATES: usize = 8;

/// The kind of data of a text.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum placemat_verdict {
    /// There are no bytes, or only a signature.
    PLACEMAT_EMPTY = 0,
    /// Text in an encoding.
    PLACEMAT_TEXT = 1,
    /// No text: an image, a program, an archive.
    PLACEMAT_BINARY = 2,
    /// Perhaps text, but in no encoding that is more probable than noise.
    PLACEMAT_UNKNOWN = 3,
}

/// An encoding that a text may be in.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct placemat_candidate {
    /// The encoding.
    pub encoding: placemat_encoding,
    /// The probability that the encoding is right, or another one that reads the text the same: from 0 to 1.
    pub confidence: f32,
    /// 1 if this encoding reads the text the same as the one that was found.
    pub is_same_text: u32,
}

/// The result of a detection.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct placemat_detection {
    /// The kind of data.
    pub verdict: placemat_verdict,
    /// The most probable encoding; 0 unless the verdict is `PLACEMAT_TEXT`.
    pub encoding: placemat_encoding,
    /// The probability that `encoding` is right, or another one that reads the text the same: from 0 to 1. For binary data, the
    /// probability that it is not text.
    pub confidence: f32,
    /// 1 if only the start of a longer text was read.
    pub is_prefix: u32,
    /// The number of bytes that were read.
    pub length: u64,
    /// The offset of the first byte that is not ASCII; `UINT64_MAX` if there is none.
    pub first_non_ascii: u64,
    /// The ill-formed sequences of a text that is UTF-8, or partly UTF-8; else 0.
    pub ill_formed: u64,
    /// The offset of the first of them.
    pub first_ill_formed: u64,
    /// The length of the signature at the start, in bytes.
    pub signature_length: usize,
    /// The encoding that the text declares; 0 if it declares none that is known.
    pub declared: placemat_encoding,
    /// 1 if the bytes contradict the declaration.
    pub contradicts_declaration: u32,
    /// The number of `candidates`.
    pub candidate_count: u32,
    /// The number of encodings in `mixed`.
    pub mixed_count: u32,
    /// The encodings that are worth a look, the most probable first.
    pub candidates: [placemat_candidate; PLACEMAT_MAX_CANDIDATES],
    /// The encodings of the lines, `encoding` first, if these are clearly in several. To decode such a text by `encoding` alone
    /// ruins the other lines: `placemat_regions` finds the encoding of each line.
    pub mixed: [placemat_encoding; PLACEMAT_MAX_CANDIDATES],
    /// The most probable language in English, such as `Russian`, ended by a zero byte; empty if it is not known.
    pub language: [c_char; 32],
}

impl From<&Detection> for placemat_detection {
    fn from(found: &Detection) -> Self {
        let none = placemat_candidate { encoding: 0, confidence: 0.0, is_same_text: 0 };
        let (mut candidates, mut mixed) = ([none; PLACEMAT_MAX_CANDIDATES], [0; PLACEMAT_MAX_CANDIDATES]);
        let candidate_count = filled(&mut candidates, &found.candidates, |one| placemat_candidate {
            encoding: number(Some(one.encoding)),
            confidence: one.confidence,
            is_same_text: one.same_text.into(),
        });
        let mixed_count = filled(&mut mixed, &found.mixed, |&encoding| number(Some(encoding)));
        let mut language = [0; 32];
        if let Some(known) = found.language {
            crate::types::c_string(&mut language, format_args!("{known}"));
        }
        Self {
            verdict: match found.verdict {
                Verdict::Empty => placemat_verdict::PLACEMAT_EMPTY,
                Verdict::Text => placemat_verdict::PLACEMAT_TEXT,
                Verdict::Binary => placemat_verdict::PLACEMAT_BINARY,
                _ => placemat_verdict::PLACEMAT_UNKNOWN,
            },
            encoding: number(found.encoding),
            confidence: found.confidence,
            is_prefix: found.is_prefix.into(),
            length: found.len,
            first_non_ascii: found.first_non_ascii.unwrap_or(u64::MAX),
            ill_formed: found.damage.map_or(0, |damage| damage.ill_formed),
            first_ill_formed: found.damage.map_or(0, |damage| damage.first),
            signature_length: found.signature.map_or(0, |signature| signature.len),
            declared: number(found.declared.as_ref().and_then(|declared| declared.encoding)),
            contradicts_declaration: found.contradicts_declaration().into(),
            candidate_count,
            mixed_count,
            candidates,
            mixed,
            language,
        }
    }
}

/// Returns the most probable encoding of a whole text; 0 if it is empty, binary, or in no encoding that is more probable than
/// noise. `detection`, unless it is null, has the confidence and the reasons.
///
/// ```c
/// placemat_detection found;
/// if (placemat_detect(text, length, &found) && found.confidence >= 0.9) convert(text, length, found.encoding);
/// ```
///
/// # Safety
/// `text` has `length` bytes; `detection` is null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_detect(
    text: *const c_char,
    length: usize,
    detection: *mut placemat_detection,
) -> placemat_encoding {
    // SAFETY: the caller keeps the contract of this function.
    let found = placemat::detect(unsafe { slice(text.cast(), length) });
    // SAFETY: the caller keeps the contract of this function.
    unsafe { put(detection, (&found).into()) };
    number(found.encoding)
}

/// A detection that takes its text piece by piece, in constant memory.
pub struct placemat_detector {
    detector: Detector,
}

/// Makes a detector, which the caller gives back to `placemat_detector_free`.
#[unsafe(no_mangle)]
pub extern "C" fn placemat_detector_new() -> *mut placemat_detector {
    Box::into_raw(Box::new(placemat_detector { detector: Detector::new() }))
}

/// Gives a detector back. Null is allowed.
///
/// # Safety
/// `detector` is null, or comes from `placemat_detector_new` and was not given back.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_detector_free(detector: *mut placemat_detector) {
    if !detector.is_null() {
        // SAFETY: it comes from `Box::into_raw`.
        drop(unsafe { Box::from_raw(detector) });
    }
}

/// Reads the next piece of a text.
///
/// # Safety
/// `detector` is null, or comes from `placemat_detector_new`, and only this thread uses it; `text` has `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_detector_feed(
    detector: *mut placemat_detector,
    text: *const c_char,
    length: usize,
) {
    // SAFETY: the caller keeps the contract of this function.
    let src = unsafe { slice(text.cast(), length) };
    // SAFETY: the caller keeps the contract of this function.
    if let Some(this) = unsafe { detector.as_mut() } {
        this.detector.feed(src);
    }
}

/// Returns the most probable encoding of all that was read, as `placemat_detect` does, and makes the detector ready for another
/// text. Pass `is_prefix` if the text goes on after what was read: then its end is not evidence, and text in ASCII is called
/// UTF-8, since what follows may be more than ASCII.
///
/// # Safety
/// `detector` is null, or comes from `placemat_detector_new`, and only this thread uses it; `detection` is null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_detector_finish(
    detector: *mut placemat_detector,
    is_prefix: bool,
    detection: *mut placemat_detection,
) -> placemat_encoding {
    // SAFETY: the caller keeps the contract of this function.
    let this = unsafe { detector.as_mut() };
    let read = this.map(|this| core::mem::take(&mut this.detector)).unwrap_or_default();
    let found = if is_prefix { read.finish_prefix() } else { read.finish() };
    // SAFETY: the caller keeps the contract of this function.
    unsafe { put(detection, (&found).into()) };
    number(found.encoding)
}

/// A stretch of a text that is in one encoding: whole lines, or a run inside a line of UTF-8.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct placemat_region {
    /// The offset of its first byte.
    pub offset: u64,
    /// The number of its bytes.
    pub length: u64,
    /// The number of the line in which it begins, from 1.
    pub line: u64,
    /// The number of lines of which it has at least a part.
    pub lines: u64,
    /// The encoding.
    pub encoding: placemat_encoding,
    /// The probability that the encoding is right, or another one that reads the region the same: from 0 to 1.
    pub confidence: f32,
}

/// A function that receives a region. It returns `true` to receive the next one. It must return: no `longjmp`, no exception.
pub type placemat_region_callback =
    Option<unsafe extern "C" fn(data: *mut c_void, region: *const placemat_region) -> bool>;

/// Calls a function with the regions of a whole text, in order: together they are all of its bytes. Returns
/// `PLACEMAT_BAD_ARGUMENT` if the function is null.
///
/// # Safety
/// `text` has `length` bytes; the function can be called with `data`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_regions(
    text: *const c_char,
    length: usize,
    callback: placemat_region_callback,
    data: *mut c_void,
) -> placemat_status {
    let Some(callback) = callback else { return placemat_status::PLACEMAT_BAD_ARGUMENT };
    // SAFETY: the caller keeps the contract of this function.
    for region in regions(unsafe { slice(text.cast(), length) }) {
        let region = placemat_region {
            offset: region.offset,
            length: region.len,
            line: region.line,
            lines: region.lines,
            encoding: number(Some(region.encoding)),
            confidence: region.confidence,
        };
        // SAFETY: the caller promises that the function can be called with `data`; the region lives during the call.
        if !unsafe { callback(data, &raw const region) } {
            break;
        }
    }
    placemat_status::PLACEMAT_DONE
}
