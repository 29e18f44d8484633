//! Conversion between any two encodings, whole and piece by piece.

use crate::answer::{Answer, Notes, put};
use crate::encoding;
use crate::memory;
use crate::policy::{Errors, Unmappables};
use alloc::boxed::Box;
use placemat::stream::{Status, Transcoder};

/// A conversion that takes its text piece by piece.
pub struct Converter(Transcoder<Errors, Unmappables>);

impl Converter {
    /// Returns `None` for numbers that are out of range.
    fn start(from: u32, to: u32, errors: u32, unmappables: u32) -> Option<Self> {
        let (source, target) = (encoding(from)?, encoding(to)?);
        let (errors, unmappables) = (Errors::of(errors)?, Unmappables::of(unmappables)?);
        let transcoder = Transcoder::new(source, target);
        let transcoder = if errors.ends_shifted { transcoder.ending_shifted() } else { transcoder };
        Some(Self(transcoder.on_error(errors).on_unmappable(unmappables)))
    }
}

/// Converts a whole text, until the output is full. If it does not fit, the call changes nothing
/// that lasts, and the caller repeats it with a larger output.
///
/// # Safety
/// The text and the output are in blocks and do not overlap.
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
    let Some(mut converter) = Converter::start(from, to, errors, unmappables) else {
        return put(Answer::UNKNOWN);
    };
    // SAFETY: the caller keeps the contract of this function.
    let (src, dst) = (unsafe { memory::text(src, length) }, unsafe { memory::room(dst, capacity) });
    put(Answer::of(converter.0.convert(src, dst, true)))
}

/// Makes a converter, which the caller returns to [`drop_converter`]. Null for numbers that are out
/// of range.
#[unsafe(no_mangle)]
pub extern "C" fn new_converter(from: u32, to: u32, errors: u32, unmappables: u32) -> *mut Converter {
    match Converter::start(from, to, errors, unmappables) {
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
    let transcoder = Transcoder::checker(from).on_error(errors.noting()).on_unmappable(unmappables);
    Box::into_raw(Box::new(Converter(transcoder)))
}

/// Converts a piece, until the output is full; `last` is 1 if the text ends with it. A sequence
/// that the end of the piece divides counts as read and is kept for the next. After an error, the
/// next call continues after it.
///
/// # Safety
/// The converter is alive; the text and the output are in blocks and do not overlap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn convert_piece(
    converter: *mut Converter,
    src: *const u8,
    length: usize,
    dst: *mut u8,
    capacity: usize,
    last: u32,
) -> u32 {
    // SAFETY: the caller keeps the contract of this function.
    let (src, dst) = (unsafe { memory::text(src, length) }, unsafe { memory::room(dst, capacity) });
    // SAFETY: the caller keeps the contract of this function.
    let converter = unsafe { &mut *converter };
    put(Answer::of(converter.0.convert(src, dst, last != 0)))
}

/// Converts like [`convert_piece`], and goes on after each error: a note of the error has the counts
/// of what was read and written before it goes on. The answer has the number of notes.
///
/// # Safety
/// The converter is alive; the text, the output and the room for notes are in blocks and do not overlap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn convert_noting(
    converter: *mut Converter,
    src: *const u8,
    length: usize,
    dst: *mut u8,
    capacity: usize,
    last: u32,
    notes: *mut Answer,
    most_notes: usize,
) -> u32 {
    // SAFETY: the caller keeps the contract of this function.
    let (src, dst) = (unsafe { memory::text(src, length) }, unsafe { memory::room(dst, capacity) });
    // SAFETY: the caller keeps the contract of this function.
    let converter = unsafe { &mut *converter };
    let (mut read, mut written) = (0, 0);
    for number in 0..most_notes {
        let progress = converter.0.convert(&src[read..], &mut dst[written..], last != 0);
        read += progress.read;
        written += progress.written;
        let answer = Answer::of(progress).with_counts(read, written, number);
        if !answer.is_error() {
            return put(answer);
        }
        // SAFETY: the room has `most_notes` notes, and a block is aligned for them.
        unsafe { notes.wrapping_add(number).write(answer) };
    }
    put(Answer::FULL.with_counts(read, written, most_notes))
}

/// Finds the errors of a piece, and notes them; the answer has their number. Its status is 6 if more may follow.
///
/// # Safety
/// [`new_checker`] made the converter, which is alive; the text and the room for notes are in blocks and do not overlap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn find_errors(
    checker: *mut Converter,
    src: *const u8,
    length: usize,
    last: u32,
    notes: *mut Answer,
    most_notes: usize,
) -> u32 {
    // SAFETY: the caller keeps the contract of this function.
    let src = unsafe { memory::text(src, length) };
    // SAFETY: the caller keeps the contract of this function.
    let checker = unsafe { &mut *checker };
    // The last note is for the error that finds no room otherwise.
    // SAFETY: the caller keeps the contract of this function.
    let made = unsafe { Notes::begin(notes, most_notes - 1) };
    let mut read = 0;
    loop {
        let progress = checker.0.convert(&src[read..], &mut [], last != 0);
        read += progress.read;
        let answer = Answer::of(progress);
        match progress.status {
            // A value that UTF-8 cannot represent is well-formed in its encoding.
            Status::Unmappable(_) => {}
            Status::IllFormed(_) => {
                let count = made.count();
                // SAFETY: as above, and a block is aligned for notes.
                unsafe { notes.wrapping_add(count).write(answer) };
                return put(Answer::FULL.with_counts(read, 0, count + 1));
            }
            _ => return put(answer.with_counts(read, 0, made.count())),
        }
    }
}

/// Reads surrogates as code points from now on, if the source is UTF-8 with three bytes for each.
///
/// # Safety
/// The converter is alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pass_surrogates(converter: *mut Converter) {
    // SAFETY: the caller keeps the contract of this function.
    let converter = unsafe { &mut *converter };
    converter.0.policies().0.pass_surrogates();
}

/// Returns the number of errors that a policy replaced so far.
///
/// # Safety
/// The converter is alive.
#[unsafe(no_mangle)]
#[expect(clippy::cast_precision_loss, reason = "texts are shorter than 2^53 bytes")]
pub unsafe extern "C" fn replaced(converter: *const Converter) -> f64 {
    // SAFETY: the caller keeps the contract of this function.
    let converter = unsafe { &*converter };
    converter.0.tally().replaced.count as f64
}

/// Returns the output size with which every call on the converter makes progress, in bytes.
///
/// # Safety
/// The converter is alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn least_room(converter: *const Converter) -> usize {
    // SAFETY: the caller keeps the contract of this function.
    let converter = unsafe { &*converter };
    converter.0.min_output()
}

/// Returns to the start of a text.
///
/// # Safety
/// The converter is alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn reset_converter(converter: *mut Converter) {
    // SAFETY: the caller keeps the contract of this function.
    let converter = unsafe { &mut *converter };
    converter.0.reset();
}

/// Frees a converter.
///
/// # Safety
/// A function of this module made it, and it was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn drop_converter(converter: *mut Converter) {
    // SAFETY: the caller keeps the contract of this function.
    drop(unsafe { Box::from_raw(converter) });
}
