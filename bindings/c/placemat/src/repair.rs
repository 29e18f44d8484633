//! Repair: damaged text into what it was, every change on record, and back.

use crate::encodings::{encoding, number, placemat_encoding};
use crate::memory::{put, slice};
use crate::policy::{PLACEMAT_HEX_ESCAPE, PLACEMAT_REPLACE};
use crate::types::{filled, placemat_status};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::ffi::{c_char, c_void};
use placemat::Encoding;
use placemat::repair::{Change, Lost, Repairer, Step, undo};

/// Text in UTF-16 or UTF-32.
pub const PLACEMAT_STEP_WIDE: u32 = 1;
/// Surrogate pairs written as two sequences of three bytes (CESU-8), and U+0000 written as C0 80 (Modified UTF-8).
pub const PLACEMAT_STEP_PAIRS: u32 = 2;
/// Bytes of a legacy encoding inside UTF-8.
pub const PLACEMAT_STEP_BYTES: u32 = 4;
/// Truncated sequences, overlong forms and other bytes that no encoding explains. Their text is lost.
pub const PLACEMAT_STEP_LOST: u32 = 8;
/// UTF-8 that was read as another encoding.
pub const PLACEMAT_STEP_MOJIBAKE: u32 = 16;
/// Text of one legacy encoding that was read as another.
pub const PLACEMAT_STEP_LEGACY: u32 = 32;
/// C1 controls that were meant as windows-1252.
pub const PLACEMAT_STEP_CONTROLS: u32 = 64;

/// The greatest number of `encodings` in a `placemat_change`.
pub const PLACEMAT_MAX_LAYERS: usize = 8;

/// A change that a repair made: these bytes of the source became this text.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct placemat_change {
    /// The step that made the change: `PLACEMAT_STEP_WIDE` and so on.
    pub step: u32,
    /// 1 if some of the text had to be guessed, because the damage destroyed it.
    pub is_lossy: u32,
    /// The offset in the source, in bytes.
    pub offset: u64,
    /// The bytes of the source.
    pub before: *const c_char,
    /// The number of bytes of `before`.
    pub before_length: usize,
    /// The offset in the repaired text, in bytes.
    pub repaired_offset: u64,
    /// The text in place of the bytes, in UTF-8.
    pub after: *const c_char,
    /// The number of bytes of `after`.
    pub after_length: usize,
    /// How sure the change is, from 0 to 1.
    pub confidence: f32,
    /// The number of `encodings`.
    pub encoding_count: u32,
    /// The encodings that explain the damage, one for each layer, the outermost first.
    pub encodings: [placemat_encoding; PLACEMAT_MAX_LAYERS],
}

/// A function that receives the next piece of a result; the pieces together are the result. It must return: no `longjmp`, no
/// exception.
pub type placemat_text_callback =
    Option<unsafe extern "C" fn(data: *mut c_void, text: *const c_char, length: usize)>;

/// A function that receives a change, whose texts it must copy to keep them. Changes come in the order of their offsets. It must
/// return: no `longjmp`, no exception.
pub type placemat_change_callback =
    Option<unsafe extern "C" fn(data: *mut c_void, change: *const placemat_change)>;

/// The settings of a repair. Those whose bytes are all zero take all steps.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct placemat_repair_settings {
    /// The steps to take, joined by `|`: `PLACEMAT_STEP_WIDE` and so on; 0 for all. Without `PLACEMAT_STEP_BYTES`, ill-formed
    /// bytes are lost: the result is well-formed anyway.
    pub steps: u32,
    /// The text in place of bytes that cannot be recovered: 0 or `PLACEMAT_REPLACE` for U+FFFD, `PLACEMAT_HEX_ESCAPE` for `\xff`.
    pub lost: u32,
    /// The encoding of ill-formed bytes; 0 to detect it.
    pub fallback: placemat_encoding,
    /// Makes only changes that are at least this sure, from 0 to 1. What is ill-formed becomes well-formed in any case.
    pub min_confidence: f32,
    /// The function that receives the repaired text; null if it is not wanted.
    pub write: placemat_text_callback,
    /// The function that receives each change; null if they are not wanted.
    pub changed: placemat_change_callback,
    /// The first argument of both functions.
    pub data: *mut c_void,
}

/// A repair that takes its text piece by piece, in constant memory.
pub struct placemat_repairer {
    repairer: Repairer,
    text: String,
    changes: Vec<Change>,
    write: placemat_text_callback,
    changed: placemat_change_callback,
    data: *mut c_void,
}

/// The bytes of a whole text that are repaired at a time.
const PIECE_BYTES: usize = 64 * 1024;

const fn flag(step: Step) -> u32 {
    match step {
        Step::Wide => PLACEMAT_STEP_WIDE,
        Step::Pairs => PLACEMAT_STEP_PAIRS,
        Step::Bytes => PLACEMAT_STEP_BYTES,
        Step::Mojibake => PLACEMAT_STEP_MOJIBAKE,
        Step::Legacy => PLACEMAT_STEP_LEGACY,
        Step::Controls => PLACEMAT_STEP_CONTROLS,
        _ => PLACEMAT_STEP_LOST,
    }
}

impl placemat_repairer {
    /// Returns a repairer; `None` if a setting is out of range.
    ///
    /// # Safety
    /// `settings` is null or readable.
    unsafe fn new(settings: *const placemat_repair_settings) -> Option<Self> {
        let mut this = Self {
            repairer: Repairer::new(),
            text: String::new(),
            changes: Vec::new(),
            write: None,
            changed: None,
            data: core::ptr::null_mut(),
        };
        // SAFETY: the caller promises it.
        let Some(settings) = (unsafe { settings.as_ref() }) else { return Some(this) };
        let all = Step::ALL.into_iter().fold(0, |all, step| all | flag(step));
        if settings.steps & !all != 0 || !(0.0..=1.0).contains(&settings.min_confidence) {
            return None;
        }
        let lost = match settings.lost {
            0 | PLACEMAT_REPLACE => Lost::Replace,
            PLACEMAT_HEX_ESCAPE => Lost::Escape,
            _ => return None,
        };
        this.repairer = this.repairer.lost(lost).min_confidence(settings.min_confidence);
        if settings.steps != 0 {
            let steps = Step::ALL.into_iter().filter(|&step| settings.steps & flag(step) != 0);
            this.repairer = this.repairer.steps(steps);
        }
        if settings.fallback != 0 {
            this.repairer = this.repairer.fallback(encoding(settings.fallback)?);
        }
        (this.write, this.changed, this.data) = (settings.write, settings.changed, settings.data);
        Some(this)
    }

    /// Repairs the next piece.
    fn push(&mut self, src: &[u8]) {
        let Self { repairer, text, changes, .. } = self;
        repairer.push(src, text, |change| changes.push(change));
        self.tell();
    }

    /// Repairs the rest. Returns the encoding of the source.
    fn finish(&mut self) -> Encoding {
        let Self { repairer, text, changes, .. } = self;
        let encoding = repairer.encoding();
        repairer.finish(text, |change| changes.push(change));
        self.tell();
        encoding
    }

    /// Hands out what is repaired.
    fn tell(&mut self) {
        for change in self.changes.drain(..) {
            let Some(changed) = self.changed else { continue };
            let mut encodings = [0; PLACEMAT_MAX_LAYERS];
            let encoding_count =
                filled(&mut encodings, &change.encodings, |&encoding| number(Some(encoding)));
            let told = placemat_change {
                step: flag(change.step),
                is_lossy: change.lossy.into(),
                offset: change.offset,
                before: change.before.as_ptr().cast(),
                before_length: change.before.len(),
                repaired_offset: change.repaired_offset,
                after: change.after.as_ptr().cast(),
                after_length: change.after.len(),
                confidence: change.confidence,
                encoding_count,
                encodings,
            };
            // SAFETY: the author of the settings promises that the function can be called with `data`; the change lives during
            // the call.
            unsafe { changed(self.data, &raw const told) };
        }
        if let Some(write) = self.write.filter(|_| !self.text.is_empty()) {
            // SAFETY: as above; the text lives during the call.
            unsafe { write(self.data, self.text.as_ptr().cast(), self.text.len()) };
        }
        self.text.clear();
    }
}

/// Repairs a whole text: the function `write` of the settings receives the repaired text in UTF-8, and `changed` each change.
/// Well-formed text without damage comes out unchanged. `encoding`, unless it is null, receives the encoding of the source, which
/// `placemat_undo` needs. Returns `PLACEMAT_BAD_ARGUMENT` if a setting is out of range. `settings` may be null.
///
/// ```c
/// placemat_repair_settings settings = {0};
/// settings.write = append;
/// settings.data = &buffer;
/// placemat_repair("caf\xC3\x83\xC2\xA9", 7, &settings, NULL);  // caf\xC3\xA9
/// ```
///
/// # Safety
/// `text` has `length` bytes; `settings` is null or readable, and its functions can be called with its data; `encoding` is null or
/// writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_repair(
    text: *const c_char,
    length: usize,
    settings: *const placemat_repair_settings,
    encoding: *mut placemat_encoding,
) -> placemat_status {
    // SAFETY: the caller keeps the contract of this function.
    let Some(mut repairer) = (unsafe { placemat_repairer::new(settings) }) else {
        return placemat_status::PLACEMAT_BAD_ARGUMENT;
    };
    // SAFETY: the caller keeps the contract of this function.
    let src: &[u8] = unsafe { slice(text.cast(), length) };
    repairer.repairer.learn(src);
    for piece in src.chunks(PIECE_BYTES) {
        repairer.push(piece);
    }
    let found = repairer.finish();
    // SAFETY: the caller keeps the contract of this function.
    unsafe { put(encoding, number(Some(found))) };
    placemat_status::PLACEMAT_DONE
}

/// Makes a repairer, which the caller gives back to `placemat_repairer_free`. Null if a setting is out of range. `settings` may be
/// null; its functions receive text and changes as they are ready.
///
/// # Safety
/// `settings` is null or readable. Its functions can be called with its data as long as the repairer lives.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_repairer_new(
    settings: *const placemat_repair_settings,
) -> *mut placemat_repairer {
    // SAFETY: the caller keeps the contract of this function.
    let made = unsafe { placemat_repairer::new(settings) };
    made.map_or(core::ptr::null_mut(), |repairer| Box::into_raw(Box::new(repairer)))
}

/// Gives a repairer back. Null is allowed. What it holds and did not finish is forgotten.
///
/// # Safety
/// `repairer` is null, or comes from `placemat_repairer_new` and was not given back.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_repairer_free(repairer: *mut placemat_repairer) {
    if !repairer.is_null() {
        // SAFETY: it comes from `Box::into_raw`.
        drop(unsafe { Box::from_raw(repairer) });
    }
}

/// Looks at the next piece of a text that will be repaired. All ill-formed bytes of the text then decide about the encoding of
/// each; without it, only those before it do. Look at the whole text before the first call of `placemat_repairer_push`.
///
/// # Safety
/// `repairer` is null, or comes from `placemat_repairer_new`, and only this thread uses it; `text` has `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_repairer_learn(
    repairer: *mut placemat_repairer,
    text: *const c_char,
    length: usize,
) {
    // SAFETY: the caller keeps the contract of this function.
    let src = unsafe { slice(text.cast(), length) };
    // SAFETY: the caller keeps the contract of this function.
    if let Some(this) = unsafe { repairer.as_mut() } {
        this.repairer.learn(src);
    }
}

/// Repairs the next piece of a text. Lines that are not complete are kept for the next call.
///
/// # Safety
/// `repairer` is null, or comes from `placemat_repairer_new`, and only this thread uses it; `text` has `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_repairer_push(
    repairer: *mut placemat_repairer,
    text: *const c_char,
    length: usize,
) {
    // SAFETY: the caller keeps the contract of this function.
    let src = unsafe { slice(text.cast(), length) };
    // SAFETY: the caller keeps the contract of this function.
    if let Some(this) = unsafe { repairer.as_mut() } {
        this.push(src);
    }
}

/// Repairs the rest of a text, and makes the repairer ready for another one. Returns the encoding of the source, which
/// `placemat_undo` needs; 0 for null.
///
/// # Safety
/// `repairer` is null, or comes from `placemat_repairer_new`, and only this thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_repairer_finish(repairer: *mut placemat_repairer) -> placemat_encoding {
    // SAFETY: the caller keeps the contract of this function.
    number(unsafe { repairer.as_mut() }.map(placemat_repairer::finish))
}

/// Restores the bytes from which a repair made a text: the function `write` receives them. `encoding` is that of the source, and
/// `changes` are all changes, in order. Writes nothing and returns `PLACEMAT_ILL_FORMED` if the text is not the one that the
/// changes made; `offset`, unless it is null, receives the place where it differs.
///
/// # Safety
/// `repaired` has `length` bytes; there are `count` changes, readable with their texts; the function can be called with `data`;
/// `offset` is null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_undo(
    repaired: *const c_char,
    length: usize,
    encoding: placemat_encoding,
    changes: *const placemat_change,
    count: usize,
    write: placemat_text_callback,
    data: *mut c_void,
    offset: *mut u64,
) -> placemat_status {
    let Some(encoding) = self::encoding(encoding) else { return placemat_status::PLACEMAT_UNKNOWN_ENCODING };
    let mut made = Vec::new();
    // SAFETY: the caller keeps the contract of this function.
    for change in unsafe { slice(changes, count) } {
        // SAFETY: the caller promises that the texts of the changes are readable.
        let before: &[u8] = unsafe { slice(change.before.cast(), change.before_length) };
        // SAFETY: as above.
        let after = unsafe { slice(change.after.cast(), change.after_length) };
        let (Ok(after), Some(step)) =
            (core::str::from_utf8(after), Step::ALL.into_iter().find(|&step| flag(step) == change.step))
        else {
            return placemat_status::PLACEMAT_BAD_ARGUMENT;
        };
        made.push(Change::new(step, (change.offset, before.into()), (change.repaired_offset, after.into())));
    }
    // SAFETY: the caller keeps the contract of this function.
    match undo(unsafe { slice(repaired.cast(), length) }, encoding, &made) {
        Ok(source) => {
            if let Some(write) = write.filter(|_| !source.is_empty()) {
                // SAFETY: the caller promises that the function can be called with `data`; the bytes live during the call.
                unsafe { write(data, source.as_ptr().cast(), source.len()) };
            }
            placemat_status::PLACEMAT_DONE
        }
        Err(e) => {
            // SAFETY: the caller keeps the contract of this function.
            unsafe { put(offset, e.offset()) };
            placemat_status::PLACEMAT_ILL_FORMED
        }
    }
}
