//! Text that is edited in its own encoding. Offsets of the text are those of a string of JavaScript: in code units of UTF-16.

use crate::answer::{Answer, put};
use crate::encoding;
use crate::memory;
use crate::reports::keep;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;
use placemat::edit::{Document, EditError, Position};

/// A document, and changes that wait to be made together.
#[derive(Debug)]
pub struct Editing {
    document: Document,
    changes: Vec<(Range<usize>, String)>,
    /// The bytes of the file that the package has not taken.
    bytes: Vec<u8>,
}

/// Opens a document; null if the encoding is out of range, or if no code points are free to represent bytes. [`drop_document`] frees it.
///
/// # Safety
/// The bytes are in a block.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn new_document(number: u32, src: *const u8, length: usize) -> *mut Editing {
    // SAFETY: the caller keeps the contract of this function.
    let src = unsafe { memory::text(src, length) };
    let opened = encoding(number).and_then(|encoding| Document::open(src, encoding).ok());
    opened.map_or(core::ptr::null_mut(), |document| {
        Box::into_raw(Box::new(Editing { document, changes: Vec::new(), bytes: Vec::new() }))
    })
}

/// Frees a document.
///
/// # Safety
/// The document is alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn drop_document(document: *mut Editing) {
    // SAFETY: the caller keeps the contract of this function.
    drop(unsafe { Box::from_raw(document) });
}

/// Reports the lengths of a document: of the file, of its signature and of the text, and the number of lines. Returns the length of the
/// report.
///
/// # Safety
/// The document is alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn document_lengths(document: *const Editing) -> usize {
    // SAFETY: the caller keeps the contract of this function.
    let Editing { document, .. } = unsafe { &*document };
    let (signature, text) = (document.signature().len(), document.utf16_len());
    keep(format!("[{},{signature},{text},{}]", document.len(), document.line_count()))
}

/// Reports the code points that represent bytes, in the order of the bytes. Returns the length of the report; 0 if all of the file was
/// text when it was opened.
///
/// # Safety
/// The document is alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn document_stand_ins(document: *const Editing) -> usize {
    // SAFETY: the caller keeps the contract of this function.
    let stand_ins = unsafe { &*document }.document.stand_ins();
    stand_ins.map_or(0, |all| keep((0..=u8::MAX).map(|byte| all.char_of(byte)).collect()))
}

/// Returns the offset in UTF-8 of an offset of the text; `None` within a code point and beyond the end.
fn utf8(document: &Document, utf16: usize) -> Option<usize> {
    document.text_of_utf16(utf16).filter(|&text| document.utf16_of_text(text) == Some(utf16))
}

fn range(document: &Document, start: usize, end: usize) -> Option<Range<usize>> {
    let range = utf8(document, start)?..utf8(document, end)?;
    (range.start <= range.end).then_some(range)
}

/// Reports a range of the text. Returns the length of the report; `u32::MAX` if the range does not select whole code points.
///
/// # Safety
/// The document is alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn document_text(document: *const Editing, start: usize, end: usize) -> usize {
    // SAFETY: the caller keeps the contract of this function.
    let Editing { document, .. } = unsafe { &*document };
    range(document, start, end).and_then(|range| document.slice(range)).map_or(usize::MAX, keep)
}

/// Makes the bytes of the file ready at [`document_bytes`]. Returns their number.
///
/// # Safety
/// The document is alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn document_save(document: *mut Editing) -> usize {
    // SAFETY: the caller keeps the contract of this function.
    let Editing { document, bytes, .. } = unsafe { &mut *document };
    *bytes = document.to_bytes();
    bytes.len()
}

/// Returns the address of the bytes of the file.
///
/// # Safety
/// The document is alive, and [`document_save`] was called.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn document_bytes(document: *const Editing) -> *const u8 {
    // SAFETY: the caller keeps the contract of this function.
    unsafe { &*document }.bytes.as_ptr()
}

/// Returns the answer for an edit that was refused.
fn refused(error: &EditError, new: &str) -> Answer {
    match error {
        EditError::Unmappable(e) => {
            let before = usize::try_from(e.offset()).ok().and_then(|at| new.get(..at));
            let units = before.map_or(0, |before| before.encode_utf16().count());
            Answer::unmappable(&e.at(units as u64))
        }
        EditError::ReadsOtherwise => Answer::READS_OTHERWISE,
        _ => Answer::NO_RANGE,
    }
}

/// Replaces a range of the text by a text in UTF-8, and reports the bytes that changed. Returns the length of the report; 0 if the
/// edit is refused, for which the answer has the reason.
///
/// # Safety
/// The document is alive; the text is in a block.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn document_replace(
    document: *mut Editing,
    start: usize,
    end: usize,
    src: *const u8,
    length: usize,
) -> usize {
    // SAFETY: the caller keeps the contract of this function.
    let Editing { document, .. } = unsafe { &mut *document };
    // SAFETY: as above.
    let new = String::from_utf8_lossy(unsafe { memory::text(src, length) });
    let range = range(document, start, end).ok_or(EditError::Range);
    match range.and_then(|range| document.replace(range, &new)) {
        Ok(change) => keep(format!(
            "{{\"start\":{},\"end\":{},\"length\":{}}}",
            change.bytes.start, change.bytes.end, change.len
        )),
        Err(e) => {
            put(refused(&e, &new));
            0
        }
    }
}

/// Keeps a change for [`document_replace_all`]. Returns 0 if the range does not select whole code points.
///
/// # Safety
/// The document is alive; the text is in a block.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn document_change(
    document: *mut Editing,
    start: usize,
    end: usize,
    src: *const u8,
    length: usize,
) -> u32 {
    // SAFETY: the caller keeps the contract of this function.
    let Editing { document, changes, .. } = unsafe { &mut *document };
    let Some(range) = range(document, start, end) else { return 0 };
    // SAFETY: as above.
    changes.push((range, String::from_utf8_lossy(unsafe { memory::text(src, length) }).into_owned()));
    1
}

/// Makes all changes that were kept, or none, and forgets them. Returns `u32::MAX`, or the index of a change that is refused, for
/// which the answer has the reason.
///
/// # Safety
/// The document is alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn document_replace_all(document: *mut Editing, makes: u32) -> usize {
    // SAFETY: the caller keeps the contract of this function.
    let Editing { document, changes, .. } = unsafe { &mut *document };
    let changes = core::mem::take(changes);
    if makes == 0 {
        return usize::MAX;
    }
    let changes: Vec<_> = changes.iter().map(|(range, new)| (range.clone(), &**new)).collect();
    // The changes before one that is refused are made.
    let mut edited = document.clone();
    match edited.replace_all(&changes, |_, _| Vec::new()) {
        Ok(()) => {
            *document = edited;
            usize::MAX
        }
        Err((index, e)) => {
            put(refused(&e, changes[index].1));
            index
        }
    }
}

/// Returns an offset, or -1 if there is none.
#[expect(clippy::cast_precision_loss, reason = "texts are shorter than 2^53 bytes")]
fn or_none(offset: Option<usize>) -> f64 {
    offset.map_or(-1.0, |offset| offset as f64)
}

/// Returns the offset in the file at which the sequence of a code point begins; -1 beyond the end.
///
/// # Safety
/// The document is alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn document_text_to_byte(document: *const Editing, offset: usize) -> f64 {
    // SAFETY: the caller keeps the contract of this function.
    let Editing { document, .. } = unsafe { &*document };
    or_none(document.text_of_utf16(offset).and_then(|text| document.text_to_byte(text)))
}

/// Returns the offset of the text at which the sequence with a byte of the file begins; -1 beyond the end.
///
/// # Safety
/// The document is alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn document_text_of_byte(document: *const Editing, byte: usize) -> f64 {
    // SAFETY: the caller keeps the contract of this function.
    let Editing { document, .. } = unsafe { &*document };
    or_none(document.text_of_byte(byte).and_then(|text| document.utf16_of_text(text)))
}

/// Reports the line and the column of an offset of the text. Returns the length of the report; 0 beyond the end.
///
/// # Safety
/// The document is alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn document_position_of_text(document: *const Editing, offset: usize) -> usize {
    // SAFETY: the caller keeps the contract of this function.
    let Editing { document, .. } = unsafe { &*document };
    let found = document.text_of_utf16(offset).and_then(|text| document.position_of_text(text));
    found.map_or(0, |Position { line, column, .. }| keep(format!("{{\"line\":{line},\"column\":{column}}}")))
}

/// Returns the offset of the text at a line and a column; -1 for a line that the text does not have.
///
/// # Safety
/// The document is alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn document_text_of_position(
    document: *const Editing,
    line: usize,
    column: usize,
) -> f64 {
    // SAFETY: the caller keeps the contract of this function.
    let Editing { document, .. } = unsafe { &*document };
    let found = document.text_of_position(Position::new(line, column));
    or_none(found.and_then(|text| document.utf16_of_text(text)))
}
