//! Conversion between any two encodings, whole and piece by piece.

use crate::answer::{Answer, put};
use crate::encoding;
use crate::memory;
use crate::policy::{Errors, Unmappables};
use alloc::boxed::Box;
use placemat::forms::{Utf8, Utf16};
use placemat::stream::{Progress, Status, Transcoder};
use placemat::{Encoding, ErrorPolicy, Le, UnmappablePolicy};

/// A conversion that takes its text piece by piece.
pub struct Converter {
    transcoder: Transcoder<Errors, Unmappables>,
    /// Whether the transcoder writes UTF-8, which a kernel then turns into UTF-16.
    in_two: bool,
}

/// The room for UTF-8 between the two parts of such a conversion.
const BETWEEN: usize = 8 * 1024;
/// Below this, one part is as fast.
const SHORT: usize = 512;

impl Converter {
    /// `None` for numbers that are out of range.
    fn start(from: u32, to: u32, errors: u32, unmappables: u32, length: usize) -> Option<Self> {
        let (source, target) = (encoding(from)?, encoding(to)?);
        // Into UTF-16, the multi-byte encodings are faster in two parts: 640 MB/s became 800 (2026-11-24, GBK). They have nothing
        // that UTF-8 does not hold, but for surrogates that policies put.
        let in_two =
            length >= SHORT && target == Encoding::UTF_16LE && errors & 15 < 7 && is_multi_byte(source);
        let target = if in_two { Encoding::UTF_8 } else { target };
        let (errors, unmappables) = (Errors::of(errors)?, Unmappables::of(unmappables)?);
        let transcoder = Transcoder::from(source).to(target).on_error(errors).on_unmappable(unmappables);
        Some(Self { transcoder, in_two })
    }

    fn convert(&mut self, src: &[u8], dst: &mut [u8], last: bool) -> Progress {
        if !self.in_two {
            return self.transcoder.convert(src, dst, last);
        }
        let mut between = [0; BETWEEN];
        let (mut read, mut written) = (0, 0);
        loop {
            // UTF-16 takes at most twice the bytes of UTF-8.
            let room = between.len().min((dst.len() - written) / 2);
            let p = self.transcoder.convert(&src[read..], &mut between[..room], last);
            let text = &between[..p.written];
            let (to, stop) = (&mut dst[written..], (ErrorPolicy::Stop, UnmappablePolicy::Stop));
            let q = placemat::convert::transcode_into::<Utf8, Utf16<Le>>(text, to, stop.0, stop.1);
            (read, written) = (read + p.read, written + q.written);
            if p.status != Status::NeedOutput || p.read == 0 && p.written == 0 {
                let mut all = p;
                (all.read, all.written) = (read, written);
                return all;
            }
        }
    }

    fn least_room(&self) -> usize {
        if self.in_two { 2 * self.transcoder.min_output() } else { self.transcoder.min_output() }
    }
}

/// Whether it is one of the encodings that only the second module has.
#[cfg(feature = "all")]
fn is_multi_byte(encoding: Encoding) -> bool {
    use placemat::forms::Repertoire;
    encoding == Encoding::GB18030 || encoding.max_bytes() > 1 && encoding.repertoire() == Repertoire::Tables
}
#[cfg(not(feature = "all"))]
const fn is_multi_byte(_: Encoding) -> bool {
    false
}

/// Converts a whole text, as far as there is room. If there is not enough, the call changes nothing that lasts, and the caller
/// repeats it with more.
///
/// # Safety
/// The text and the room are in blocks and do not overlap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn convert(
    from: u32,
    to: u32,
    errors: u32,
    unmappables: u32,
    src: *const u8,
    length: usize,
    dst: *mut u8,
    capacity: usize,
) -> u32 {
    let Some(mut converter) = Converter::start(from, to, errors, unmappables, length) else {
        return put(Answer::UNKNOWN);
    };
    // SAFETY: the caller promises it.
    let (src, dst) = (unsafe { memory::text(src, length) }, unsafe { memory::room(dst, capacity) });
    put(Answer::of(converter.convert(src, dst, true)))
}

/// Makes a converter, which the caller gives back to [`drop_converter`]. Null for numbers that are out of range.
#[unsafe(no_mangle)]
pub extern "C" fn new_converter(from: u32, to: u32, errors: u32, unmappables: u32) -> *mut Converter {
    match Converter::start(from, to, errors, unmappables, usize::MAX) {
        Some(converter) => Box::into_raw(Box::new(converter)),
        None => core::ptr::null_mut(),
    }
}

/// Makes a converter that writes nothing and finds errors.
#[unsafe(no_mangle)]
pub extern "C" fn new_checker(from: u32) -> *mut Converter {
    let (Some(from), Some(errors), Some(unmappables)) = (encoding(from), Errors::of(0), Unmappables::of(0))
    else {
        return core::ptr::null_mut();
    };
    let transcoder = Transcoder::checker(from).on_error(errors).on_unmappable(unmappables);
    Box::into_raw(Box::new(Converter { transcoder, in_two: false }))
}

/// Converts a piece, as far as there is room; `last` is 1 if the text ends with it. A sequence that the piece cuts counts as read
/// and is kept for the next. After an error, the next call goes on behind it.
///
/// # Safety
/// The converter is alive; the text and the room are in blocks and do not overlap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn convert_piece(
    converter: *mut Converter,
    src: *const u8,
    length: usize,
    dst: *mut u8,
    capacity: usize,
    last: u32,
) -> u32 {
    // SAFETY: the caller promises it.
    let (src, dst) = (unsafe { memory::text(src, length) }, unsafe { memory::room(dst, capacity) });
    // SAFETY: the caller promises it.
    let converter = unsafe { &mut *converter };
    put(Answer::of(converter.convert(src, dst, last != 0)))
}

/// Reads surrogates as code points from here on, where the source is UTF-8 with three bytes for each.
///
/// # Safety
/// The converter is alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pass_surrogates(converter: *mut Converter) {
    // SAFETY: the caller promises it.
    let converter = unsafe { &mut *converter };
    converter.transcoder.policies().0.pass_surrogates();
}

/// The number of errors that a policy replaced so far.
///
/// # Safety
/// The converter is alive.
#[unsafe(no_mangle)]
#[expect(clippy::cast_precision_loss, reason = "texts are shorter than 2^53 bytes")]
pub unsafe extern "C" fn replaced(converter: *const Converter) -> f64 {
    // SAFETY: the caller promises it.
    let converter = unsafe { &*converter };
    converter.transcoder.tally().replaced.count as f64
}

/// Room with which every call on the converter makes progress, in bytes.
///
/// # Safety
/// The converter is alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn least_room(converter: *const Converter) -> usize {
    // SAFETY: the caller promises it.
    let converter = unsafe { &*converter };
    converter.least_room()
}

/// Goes back to the start of a text.
///
/// # Safety
/// The converter is alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn reset_converter(converter: *mut Converter) {
    // SAFETY: the caller promises it.
    let converter = unsafe { &mut *converter };
    converter.transcoder.reset();
}

/// Gives a converter back.
///
/// # Safety
/// A function here gave it, and it was not given back.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn drop_converter(converter: *mut Converter) {
    // SAFETY: the caller promises it.
    drop(unsafe { Box::from_raw(converter) });
}
