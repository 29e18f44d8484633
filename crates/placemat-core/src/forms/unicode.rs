//! The forms of the Unicode Standard, and their variants.

pub(crate) mod by_bom;
pub mod cesu8;
pub(crate) mod generalized;
pub mod mutf8;
pub mod ucs;
pub mod utf16;
pub mod utf32;
pub mod utf8;
pub mod utf8_31;
pub mod utf8mb3;
pub mod wtf8;
