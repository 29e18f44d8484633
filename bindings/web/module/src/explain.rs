//! The command's words about an error.

use crate::encoding;
use crate::memory;
use alloc::string::String;
use core::cell::RefCell;
use placemat::stream::{Status, Transcoder};
use placemat_diagnose::{Case, Diagnosis};

/// The last words that were asked for: message and help, each in UTF-8.
struct Words(RefCell<(String, String)>);

// SAFETY: a module has one thread.
unsafe impl Sync for Words {}

static WORDS: Words = Words(RefCell::new((String::new(), String::new())));

/// Explains the first error of some bytes, the first `before` of which are well-formed text before
/// it. Returns whether there is an error. `offset` is the offset of the error in the whole text; `last`
/// is 1 if the text ends with these bytes.
///
/// # Safety
/// The bytes are in a block.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn explain(
    number: u32,
    src: *const u8,
    length: usize,
    before: usize,
    offset: f64,
    last: u32,
) -> u32 {
    // SAFETY: the caller keeps the contract of this function.
    let src = unsafe { memory::text(src, length) };
    let Some((encoding, (before, following))) = encoding(number).zip(src.split_at_checked(before)) else {
        return 0;
    };
    let progress = Transcoder::checker(encoding).convert(following, &mut [], last != 0);
    let Status::IllFormed(error) = progress.status else {
        return 0;
    };
    let mut diagnosis = Diagnosis::default();
    diagnosis.make(&Case { before, following, option: "", ..Case::new(&error, encoding) });
    let mut words = WORDS.0.borrow_mut();
    words.0.clear();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "an offset is whole and not negative"
    )]
    diagnosis.write_message(offset as u64, &mut words.0);
    words.1 = diagnosis.suggestion;
    1
}

/// Returns the address of the message (`which` is 0) or of the help (1).
#[unsafe(no_mangle)]
pub extern "C" fn words(which: u32) -> *const u8 {
    let words = WORDS.0.borrow();
    if which == 0 { words.0.as_ptr() } else { words.1.as_ptr() }
}

/// Returns the length of the words.
#[unsafe(no_mangle)]
pub extern "C" fn words_length(which: u32) -> usize {
    let words = WORDS.0.borrow();
    if which == 0 { words.0.len() } else { words.1.len() }
}
