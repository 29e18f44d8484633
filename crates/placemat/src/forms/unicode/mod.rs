//! The forms of the Unicode Standard, and their variants.

pub(crate) mod by_bom;
pub(crate) mod cesu8;
pub(crate) mod generalized;
pub(crate) mod mutf8;
pub(crate) mod ucs;
pub(crate) mod utf16;
pub(crate) mod utf32;
pub(crate) mod utf8;
pub(crate) mod utf8_31;
pub(crate) mod utf8mb3;
pub(crate) mod wtf8;
