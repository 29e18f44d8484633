//! Forms before UTF-8, and its relative for EBCDIC machines.

pub(crate) mod fss_utf;
pub(crate) mod utf1;
pub(crate) mod utf_ebcdic;
