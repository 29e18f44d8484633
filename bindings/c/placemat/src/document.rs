//! Text that is edited in its own encoding: all bytes outside of a change stay as they are.

use crate::encodings::{encoding, number, placemat_encoding};
use crate::memory::{put, room, slice};
use crate::types::{placemat_error, placemat_status};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ffi::c_char;
use placemat::detect::Verdict;
use placemat::edit::{Document, EditError, Position};
use placemat::{Encoding, IllFormed, detect, utf8};

/// The bytes of a file, which are edited as text in the file's own encoding. All bytes outside of a change stay as they are, those
/// that are not text too.
///
/// Offsets of the text are in bytes of UTF-8. A signature at the start of the file is not part of the text, and stays. A byte of an
/// ill-formed sequence is one code point in the text, its stand-in: U+10FE00 plus the byte, unless the text has such code points
/// itself.
pub struct placemat_document {
    document: Document,
}

/// The bytes of a file that an edit changed.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct placemat_replaced {
    /// The offset of the first byte that was replaced.
    pub start: usize,
    /// The offset after the last of them, before the edit.
    pub end: usize,
    /// The number of bytes in their place after the edit.
    pub length: usize,
}

/// A change: a range of the text, and the text in its place.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct placemat_replacement {
    /// The start of the range, in bytes of UTF-8.
    pub start: usize,
    /// The end of the range, in bytes of UTF-8.
    pub end: usize,
    /// The text in place of the range, in UTF-8.
    pub text: *const c_char,
    /// The number of bytes of `text`.
    pub length: usize,
}

/// A place in a text as editors and the Language Server Protocol count: both numbers from 0. LF, CR LF and CR end a line.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct placemat_position {
    /// The number of the line.
    pub line: usize,
    /// The number of code units of UTF-16 in the line before the place.
    pub column: usize,
}

/// A detected encoding is at least this probable for a document to be opened in it.
const MIN_DETECTED_CONFIDENCE: f32 = 0.9;

/// Returns the encoding to edit bytes of unknown origin in; `None` if an edit could ruin them.
fn detected(src: &[u8]) -> Option<Encoding> {
    let found = detect(src);
    if found.verdict == Verdict::Empty {
        return Some(Encoding::UTF_8);
    }
    let is_sure = found.confidence >= MIN_DETECTED_CONFIDENCE && found.mixed.is_empty();
    let encoding = found.encoding.filter(|_| is_sure)?;
    // The next edit of a text that is ASCII may not be ASCII.
    Some(if encoding == Encoding::US_ASCII { Encoding::UTF_8 } else { encoding })
}

/// The reason why an edit is refused.
enum Refusal {
    /// The new text is not UTF-8.
    NewText(IllFormed),
    Edit(EditError),
}

impl Refusal {
    /// Returns the reason as callers in C see it.
    fn told(&self) -> (placemat_status, placemat_error) {
        match self {
            Self::NewText(e) => (placemat_status::PLACEMAT_ILL_FORMED, placemat_error::ill_formed(e)),
            Self::Edit(EditError::Unmappable(e)) => {
                (placemat_status::PLACEMAT_UNMAPPABLE, placemat_error::unmappable(e))
            }
            Self::Edit(e @ EditError::ReadsOtherwise) => {
                (placemat_status::PLACEMAT_READS_OTHERWISE, placemat_error::in_words("reads-otherwise", e))
            }
            Self::Edit(e) => (placemat_status::PLACEMAT_BAD_ARGUMENT, placemat_error::in_words("range", e)),
        }
    }
}

/// Returns a document; `None` for null.
///
/// # Safety
/// `document` is null, or comes from `placemat_document_open` and was not given back, and only this thread uses it during `'a`.
unsafe fn opened<'a>(document: *const placemat_document) -> Option<&'a Document> {
    // SAFETY: the caller keeps the contract of this function.
    unsafe { document.as_ref() }.map(|this| &this.document)
}

/// Opens the bytes of a file, which are copied. Any bytes will do: those that are not text have stand-ins. The encoding 0 asks for
/// detection; `placemat_document_encoding` returns what was found. The caller gives the document back to `placemat_document_free`.
/// Null if there is no such encoding, if detection is not sure of one for the whole text, or for a text of over a million
/// different code points with bytes that are not text.
///
/// ```c
/// placemat_document *document = placemat_document_open(bytes, length, 0);
/// placemat_status status = placemat_document_replace(document, 0, 5, "Hello", 5, NULL, &error);
/// ```
///
/// # Safety
/// `bytes` has `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_document_open(
    bytes: *const c_char,
    length: usize,
    encoding: placemat_encoding,
) -> *mut placemat_document {
    // SAFETY: the caller keeps the contract of this function.
    let src: &[u8] = unsafe { slice(bytes.cast(), length) };
    let encoding = if encoding == 0 { detected(src) } else { self::encoding(encoding) };
    let opened = encoding.and_then(|encoding| Document::open(src, encoding).ok());
    opened.map_or(core::ptr::null_mut(), |document| Box::into_raw(Box::new(placemat_document { document })))
}

/// Gives a document back. Null is allowed.
///
/// # Safety
/// `document` is null, or comes from `placemat_document_open` and was not given back.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_document_free(document: *mut placemat_document) {
    if !document.is_null() {
        // SAFETY: it comes from `Box::into_raw`.
        drop(unsafe { Box::from_raw(document) });
    }
}

/// The encoding of a document; 0 for null.
///
/// # Safety
/// `document` is null, or comes from `placemat_document_open`, and only this thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_document_encoding(document: *const placemat_document) -> placemat_encoding {
    // SAFETY: the caller keeps the contract of this function.
    number(unsafe { opened(document) }.map(Document::encoding))
}

/// The length of the file in bytes, with the signature.
///
/// # Safety
/// `document` is null, or comes from `placemat_document_open`, and only this thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_document_length(document: *const placemat_document) -> usize {
    // SAFETY: the caller keeps the contract of this function.
    unsafe { opened(document) }.map_or(0, Document::len)
}

/// The length of the signature at the start of the file, in bytes; 0 if there is none.
///
/// # Safety
/// `document` is null, or comes from `placemat_document_open`, and only this thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_document_signature_length(document: *const placemat_document) -> usize {
    // SAFETY: the caller keeps the contract of this function.
    unsafe { opened(document) }.map_or(0, |document| document.signature().len())
}

/// The length of the text in bytes of UTF-8.
///
/// # Safety
/// `document` is null, or comes from `placemat_document_open`, and only this thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_document_text_length(document: *const placemat_document) -> usize {
    // SAFETY: the caller keeps the contract of this function.
    unsafe { opened(document) }.map_or(0, Document::text_len)
}

/// The length of the text in code units of UTF-16.
///
/// # Safety
/// `document` is null, or comes from `placemat_document_open`, and only this thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_document_utf16_length(document: *const placemat_document) -> usize {
    // SAFETY: the caller keeps the contract of this function.
    unsafe { opened(document) }.map_or(0, Document::utf16_len)
}

/// The number of lines: of line ends, and one more. 0 for null.
///
/// # Safety
/// `document` is null, or comes from `placemat_document_open`, and only this thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_document_line_count(document: *const placemat_document) -> usize {
    // SAFETY: the caller keeps the contract of this function.
    unsafe { opened(document) }.map_or(0, Document::line_count)
}

/// The code point that represents a byte without text; 0 if the file had no such bytes when it was opened.
///
/// # Safety
/// `document` is null, or comes from `placemat_document_open`, and only this thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_document_stand_in(document: *const placemat_document, byte: u8) -> u32 {
    // SAFETY: the caller keeps the contract of this function.
    let stand_ins = unsafe { opened(document) }.and_then(Document::stand_ins);
    stand_ins.map_or(0, |stand_ins| stand_ins.char_of(byte).into())
}

/// Copies bytes to the caller's buffer, or says that it is too small.
///
/// # Safety
/// `buffer` has room for `capacity` bytes.
unsafe fn copied(bytes: &[u8], buffer: *mut c_char, capacity: usize) -> placemat_status {
    // SAFETY: the caller keeps the contract of this function.
    let out = unsafe { room::<u8>(buffer.cast(), capacity) };
    let Some(out) = out.get_mut(..bytes.len()) else { return placemat_status::PLACEMAT_NEED_OUTPUT };
    out.copy_from_slice(bytes);
    placemat_status::PLACEMAT_DONE
}

/// Writes a range of the text in UTF-8 to `buffer`: `end` - `start` bytes, without a zero byte at the end. The whole text is the
/// range from 0 to `placemat_document_text_length`. Returns `PLACEMAT_BAD_ARGUMENT` if the range does not select whole code points
/// of the text, and `PLACEMAT_NEED_OUTPUT` if there is no room for it; nothing is written then.
///
/// # Safety
/// `document` is null, or comes from `placemat_document_open`, and only this thread uses it; `buffer` has room for `capacity` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_document_text(
    document: *const placemat_document,
    start: usize,
    end: usize,
    buffer: *mut c_char,
    capacity: usize,
) -> placemat_status {
    // SAFETY: the caller keeps the contract of this function.
    let part = unsafe { opened(document) }.and_then(|document| document.slice(start..end));
    let Some(part) = part else { return placemat_status::PLACEMAT_BAD_ARGUMENT };
    // SAFETY: the caller keeps the contract of this function.
    unsafe { copied(part.as_bytes(), buffer, capacity) }
}

/// Writes the bytes of the file to `buffer`: `placemat_document_length` bytes. Returns `PLACEMAT_NEED_OUTPUT` if there is no room
/// for them; nothing is written then.
///
/// # Safety
/// `document` is null, or comes from `placemat_document_open`, and only this thread uses it; `buffer` has room for `capacity` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_document_bytes(
    document: *const placemat_document,
    buffer: *mut c_char,
    capacity: usize,
) -> placemat_status {
    // SAFETY: the caller keeps the contract of this function.
    let Some(document) = (unsafe { opened(document) }) else { return placemat_status::PLACEMAT_BAD_ARGUMENT };
    // SAFETY: the caller keeps the contract of this function.
    unsafe { copied(&document.to_bytes(), buffer, capacity) }
}

/// Returns the new text of an edit.
///
/// # Safety
/// `text` has `length` bytes.
unsafe fn new_text<'a>(text: *const c_char, length: usize) -> Result<&'a str, Refusal> {
    // SAFETY: the caller keeps the contract of this function.
    utf8::validate(unsafe { slice(text.cast(), length) }).map_err(Refusal::NewText)
}

/// Replaces a range of the text by `text`, which is UTF-8. Bytes outside of the change stay as they are, those of text included
/// that the range and the new text have in common at both ends. `replaced`, unless it is null, receives the bytes that changed.
///
/// If the result is not `PLACEMAT_DONE`, the document is unchanged, and `error`, unless it is null, has the reason in words.
/// `PLACEMAT_UNMAPPABLE`: the encoding of the file cannot represent a code point, `error->code_point` at `error->offset` of the new
/// text. `PLACEMAT_READS_OTHERWISE`: a byte without text would become a part of a sequence. `PLACEMAT_ILL_FORMED`: the new text is
/// not UTF-8. `PLACEMAT_BAD_ARGUMENT`: the range does not select whole code points of the text.
///
/// # Safety
/// `document` is null, or comes from `placemat_document_open`, and only this thread uses it; `text` has `length` bytes; `replaced`
/// and `error` are null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_document_replace(
    document: *mut placemat_document,
    start: usize,
    end: usize,
    text: *const c_char,
    length: usize,
    replaced: *mut placemat_replaced,
    error: *mut placemat_error,
) -> placemat_status {
    // SAFETY: the caller keeps the contract of this function.
    let Some(this) = (unsafe { document.as_mut() }) else { return placemat_status::PLACEMAT_BAD_ARGUMENT };
    // SAFETY: the caller keeps the contract of this function.
    let made = unsafe { new_text(text, length) }
        .and_then(|new| this.document.replace(start..end, new).map_err(Refusal::Edit));
    let bytes = made.as_ref().map_or_else(
        |_| placemat_replaced::default(),
        |change| placemat_replaced { start: change.bytes.start, end: change.bytes.end, length: change.len },
    );
    let (status, told) =
        made.map_or_else(|e| e.told(), |_| (placemat_status::PLACEMAT_DONE, placemat_error::NONE));
    // SAFETY: the caller keeps the contract of this function.
    unsafe { put(replaced, bytes) };
    // SAFETY: the caller keeps the contract of this function.
    unsafe { put(error, told) };
    status
}

/// Makes all changes, or none if one cannot be made. The ranges are those of the text before all of them, from the first to the
/// last; the work is linear in the length of the text and of the changes. The results are those of `placemat_document_replace`.
/// `failed`, unless it is null, receives the index of the change that was refused; `count` if all were made.
///
/// # Safety
/// `document` is null, or comes from `placemat_document_open`, and only this thread uses it; there are `count` changes, readable with
/// their texts; `failed` and `error` are null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_document_replace_all(
    document: *mut placemat_document,
    changes: *const placemat_replacement,
    count: usize,
    failed: *mut usize,
    error: *mut placemat_error,
) -> placemat_status {
    // SAFETY: the caller keeps the contract of this function.
    let Some(this) = (unsafe { document.as_mut() }) else { return placemat_status::PLACEMAT_BAD_ARGUMENT };
    // SAFETY: the caller keeps the contract of this function.
    let changes = unsafe { slice(changes, count) };
    let texts = changes.iter().enumerate().map(|(index, change)| {
        // SAFETY: the caller promises that the texts are readable.
        let new = unsafe { new_text(change.text, change.length) };
        new.map(|new| (change.start..change.end, new)).map_err(|e| (index, e))
    });
    let made = texts.collect::<Result<Vec<_>, _>>().and_then(|texts| {
        // The changes before one that is refused are made.
        let mut edited = this.document.clone();
        edited.replace_all(&texts, |_, _| Vec::new()).map_err(|(index, e)| (index, Refusal::Edit(e)))?;
        this.document = edited;
        Ok(())
    });
    let (index, (status, told)) = match made {
        Ok(()) => (count, (placemat_status::PLACEMAT_DONE, placemat_error::NONE)),
        Err((index, e)) => (index, e.told()),
    };
    // SAFETY: the caller keeps the contract of this function.
    unsafe { put(failed, index) };
    // SAFETY: the caller keeps the contract of this function.
    unsafe { put(error, told) };
    status
}

/// The offset in the file, in bytes, at which the sequence of the code point at an offset of the text begins; at the end of the
/// text, the length of the file. `SIZE_MAX` beyond the end, as with the four functions below.
///
/// # Safety
/// `document` is null, or comes from `placemat_document_open`, and only this thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_document_text_to_byte(
    document: *const placemat_document,
    offset: usize,
) -> usize {
    // SAFETY: the caller keeps the contract of this function.
    or_max(unsafe { opened(document) }.and_then(|document| document.text_to_byte(offset)))
}

/// The offset of the text at which the sequence with a byte of the file begins; the next one if the byte is a part of a shift or of
/// the signature.
///
/// # Safety
/// `document` is null, or comes from `placemat_document_open`, and only this thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_document_text_of_byte(
    document: *const placemat_document,
    byte: usize,
) -> usize {
    // SAFETY: the caller keeps the contract of this function.
    or_max(unsafe { opened(document) }.and_then(|document| document.text_of_byte(byte)))
}

/// The offset in code units of UTF-16 of an offset of the text.
///
/// # Safety
/// `document` is null, or comes from `placemat_document_open`, and only this thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_document_utf16_of_text(
    document: *const placemat_document,
    offset: usize,
) -> usize {
    // SAFETY: the caller keeps the contract of this function.
    or_max(unsafe { opened(document) }.and_then(|document| document.utf16_of_text(offset)))
}

/// The offset of the text of an offset in code units of UTF-16.
///
/// # Safety
/// `document` is null, or comes from `placemat_document_open`, and only this thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_document_text_of_utf16(
    document: *const placemat_document,
    utf16: usize,
) -> usize {
    // SAFETY: the caller keeps the contract of this function.
    or_max(unsafe { opened(document) }.and_then(|document| document.text_of_utf16(utf16)))
}

/// The offset of the text at a line and a column; a column beyond the end of the line is the end of the line.
///
/// # Safety
/// `document` is null, or comes from `placemat_document_open`, and only this thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_document_text_of_position(
    document: *const placemat_document,
    position: placemat_position,
) -> usize {
    let position = Position::new(position.line, position.column);
    // SAFETY: the caller keeps the contract of this function.
    or_max(unsafe { opened(document) }.and_then(|document| document.text_of_position(position)))
}

/// Finds the line and the column of an offset of the text. Returns `false` beyond the end.
///
/// # Safety
/// `document` is null, or comes from `placemat_document_open`, and only this thread uses it; `position` is null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_document_position_of_text(
    document: *const placemat_document,
    offset: usize,
    position: *mut placemat_position,
) -> bool {
    // SAFETY: the caller keeps the contract of this function.
    let found = unsafe { opened(document) }.and_then(|document| document.position_of_text(offset));
    let Some(Position { line, column, .. }) = found else { return false };
    // SAFETY: the caller keeps the contract of this function.
    unsafe { put(position, placemat_position { line, column }) };
    true
}

/// Returns an offset, or the largest number if there is none.
fn or_max(offset: Option<usize>) -> usize {
    offset.unwrap_or(usize::MAX)
}
