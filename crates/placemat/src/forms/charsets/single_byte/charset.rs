//! A single-byte charset, as the generated tables hold it.

use crate::forms::names::Packed;

/// A charset as the tables have it.
pub(super) struct Charset {
    pub(super) names: Packed,
    /// Bytes that are written though a lower one stands for the same code point.
    pub(super) written: &'static [u8],
    /// Whether bytes below 80, and no others, mean ASCII.
    pub(super) ascii_compatible: bool,
    pub(super) table: Place,
}

/// The place of a table among the tables of its kind: a number and no address, which the loader would have to change.
#[derive(Clone, Copy)]
pub(super) enum Place {
    Ascii(u8),
    Full(u8),
}

/// The code points of the bytes, [`UNDEFINED`](crate::kernels::single_byte::UNDEFINED) for those that have none.
pub(super) enum Table {
    /// ASCII below 80, and this from there on.
    Ascii(&'static [u16; 128]),
    Full(&'static [u16; 256]),
}
