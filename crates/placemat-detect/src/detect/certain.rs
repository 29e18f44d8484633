//! The stages that need no statistics: each recognizes encodings, or binary data, by its structure.

mod escapes;
mod magic;
mod reading;
mod turns;
mod utf7;
mod wide;

pub(super) use self::escapes::Escapes;
pub(super) use self::magic::binary_format;
pub(super) use self::utf7::Utf7;
pub(super) use self::wide::{UTF_16, UTF_32, Wide, is_little, is_text_of};
