//! Repair of damaged text, and back.

use crate::encoding;
use crate::memory;
use crate::reports::{keep, list, quoted};
use alloc::borrow::ToOwned as _;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use placemat::Encoding;
use placemat::repair::{Change, Lost, Repairer, Step, undo};

/// A repair under way.
#[derive(Debug)]
pub struct Repair {
    repairer: Repairer,
    /// The repaired text that the package has not taken.
    text: String,
    /// The bytes of the repaired text before it, and their length as a string of JavaScript.
    taken: (u64, u64),
    changes: Vec<String>,
    /// The encoding of the source, known at the end.
    encoding: Encoding,
}

/// Makes a repair; null if the encoding or a step is out of range. The steps are bits in the order of [`Step::ALL`]; 0 is all of
/// them. The encoding of ill-formed bytes is `u32::MAX` if it is to be detected. [`drop_repair`] frees it.
#[unsafe(no_mangle)]
pub extern "C" fn new_repair(steps: u32, escapes: u32, fallback: u32, least: f32) -> *mut Repair {
    let lost = if escapes == 0 { Lost::Replace } else { Lost::Escape };
    let mut repairer = Repairer::new().lost(lost).min_confidence(least);
    if steps != 0 {
        let chosen = Step::ALL.into_iter().enumerate().filter(|(bit, _)| steps >> bit & 1 != 0);
        repairer = repairer.steps(chosen.map(|(_, step)| step));
    }
    if fallback != u32::MAX {
        let Some(fallback) = encoding(fallback) else { return core::ptr::null_mut() };
        repairer = repairer.fallback(fallback);
    }
    let (text, changes, encoding) = (String::new(), Vec::new(), Encoding::UTF_8);
    Box::into_raw(Box::new(Repair { repairer, text, taken: (0, 0), changes, encoding }))
}

/// Frees a repair.
///
/// # Safety
/// The repair is alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn drop_repair(repair: *mut Repair) {
    // SAFETY: the caller keeps the contract of this function.
    drop(unsafe { Box::from_raw(repair) });
}

/// Looks at the next piece of the text, before any of it is repaired.
///
/// # Safety
/// The repair is alive; the bytes are in a block.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repair_learn(repair: *mut Repair, src: *const u8, length: usize) {
    // SAFETY: the caller keeps the contract of this function.
    let repair = unsafe { &mut *repair };
    // SAFETY: as above.
    repair.repairer.learn(unsafe { memory::text(src, length) });
}

/// Repairs the next piece; the last one is empty. Returns the length of the text to take, at [`repair_text`].
///
/// # Safety
/// The repair is alive; the bytes are in a block.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repair_push(repair: *mut Repair, src: *const u8, length: usize) -> usize {
    // SAFETY: the caller keeps the contract of this function.
    let Repair { repairer, text, taken, changes, encoding } = unsafe { &mut *repair };
    // SAFETY: as above.
    let src = unsafe { memory::text(src, length) };
    taken.0 += text.len() as u64;
    text.clear();
    let mut made = Vec::new();
    if src.is_empty() {
        // The repairer forgets it at the end.
        *encoding = repairer.encoding();
        repairer.finish(text, |change| made.push(change));
    } else {
        repairer.push(src, text, |change| made.push(change));
    }
    let mut at = 0;
    for change in made {
        let end = usize::try_from(change.repaired_offset.saturating_sub(taken.0)).unwrap_or(usize::MAX);
        let end = end.min(text.len()).max(at);
        taken.1 += units(text, at, end);
        at = end;
        changes.push(described(&change, taken.1));
    }
    taken.1 += units(text, at, text.len());
    text.len()
}

/// Returns the length of a part of a text as a string of JavaScript.
fn units(text: &str, start: usize, end: usize) -> u64 {
    text.get(start..end).map_or(0, |part| part.encode_utf16().count() as u64)
}

fn described(change: &Change, index: u64) -> String {
    format!(
        "{{\"step\":\"{}\",\"offset\":{},\"before\":{},\"repairedOffset\":{},\"index\":{index},\"after\":{},\"encodings\":{},\
         \"lossy\":{},\"confidence\":{}}}",
        change.step,
        change.offset,
        list(change.before.iter().map(|byte| format!("{byte}"))),
        change.repaired_offset,
        quoted(&change.after),
        list(change.encodings.iter().map(|encoding| quoted(encoding.name()))),
        change.lossy,
        change.confidence,
    )
}

/// Returns the address of the text to take.
///
/// # Safety
/// The repair is alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repair_text(repair: *const Repair) -> *const u8 {
    // SAFETY: the caller keeps the contract of this function.
    unsafe { &*repair }.text.as_ptr()
}

/// Reports the encoding of the source and all changes. Returns the length of the report.
///
/// # Safety
/// The repair is alive, and its last piece was pushed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repair_changes(repair: *const Repair) -> usize {
    // SAFETY: the caller keeps the contract of this function.
    let repair = unsafe { &*repair };
    let encoding = quoted(repair.encoding.name());
    keep(format!("{{\"encoding\":{encoding},\"changes\":[{}]}}", repair.changes.join(",")))
}

/// A record of changes, and the bytes that an undo restored.
#[derive(Debug, Default)]
pub struct Record {
    changes: Vec<Change>,
    bytes: Vec<u8>,
}

/// Makes an empty record, which [`drop_record`] frees.
#[unsafe(no_mangle)]
pub extern "C" fn new_record() -> *mut Record {
    Box::into_raw(Box::default())
}

/// Frees a record.
///
/// # Safety
/// The record is alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn drop_record(record: *mut Record) {
    // SAFETY: the caller keeps the contract of this function.
    drop(unsafe { Box::from_raw(record) });
}

/// Adds a change. Returns 0 if its text is not UTF-8.
///
/// # Safety
/// The record is alive; both texts are in blocks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn record_change(
    record: *mut Record,
    offset: f64,
    before: *const u8,
    before_length: usize,
    repaired_offset: f64,
    after: *const u8,
    after_length: usize,
) -> u32 {
    // SAFETY: the caller keeps the contract of this function.
    let record = unsafe { &mut *record };
    // SAFETY: as above.
    let before = unsafe { memory::text(before, before_length) };
    // SAFETY: as above.
    let Ok(after) = core::str::from_utf8(unsafe { memory::text(after, after_length) }) else { return 0 };
    let (offset, repaired_offset) = (whole(offset), whole(repaired_offset));
    record.changes.push(Change::new(
        Step::Bytes,
        (offset, before.to_vec()),
        (repaired_offset, after.to_owned()),
    ));
    1
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the cast saturates, and any wrong offset is refused"
)]
const fn whole(offset: f64) -> u64 {
    offset as u64
}

/// Restores the bytes from which a text was made, at [`record_bytes`]. Returns their number, or -1 - the offset at which the text
/// differs from the record.
///
/// # Safety
/// The record is alive; the text is in a block.
#[unsafe(no_mangle)]
#[expect(clippy::cast_precision_loss, reason = "texts are shorter than 2^53 bytes")]
pub unsafe extern "C" fn record_undo(record: *mut Record, number: u32, src: *const u8, length: usize) -> f64 {
    // SAFETY: the caller keeps the contract of this function.
    let record = unsafe { &mut *record };
    // SAFETY: as above.
    let repaired = unsafe { memory::text(src, length) };
    match undo(repaired, encoding(number).unwrap_or(Encoding::UTF_8), &record.changes) {
        Ok(bytes) => {
            record.bytes = bytes;
            record.bytes.len() as f64
        }
        Err(e) => -1.0 - e.offset() as f64,
    }
}

/// Returns the address of the restored bytes.
///
/// # Safety
/// The record is alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn record_bytes(record: *const Record) -> *const u8 {
    // SAFETY: the caller keeps the contract of this function.
    unsafe { &*record }.bytes.as_ptr()
}
