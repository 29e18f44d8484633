//! One code: its reading, and the bytes written for it.

use crate::grid::{Cell, Grid, Place};
use placemat_core::forms::form::Step;
use placemat_core::ground::code_point::CodePoint;
use placemat_core::ground::error::IllFormedKind;

pub(super) const SO: u8 = 0x0E;
pub(super) const SI: u8 = 0x0F;
pub(super) const ESC: u8 = 0x1B;

/// The result of reading at the start of some bytes: a [`Step`] with both code points of a cell.
pub(super) enum Read {
    Cell { cell: Cell, len: usize },
    Other(Step),
}

impl Read {
    pub(super) fn ascii(byte: u8) -> Self {
        Self::one(CodePoint::from_byte(byte))
    }
    pub(super) fn one(c: CodePoint) -> Self {
        Self::Cell { cell: Cell::One(c), len: 1 }
    }
    pub(super) fn shift(len: usize) -> Self {
        Self::Other(Step::Shift { len })
    }
    pub(super) fn incomplete(needs: usize) -> Self {
        Self::Other(Step::Incomplete { needs })
    }
    pub(super) fn ill_formed(kind: IllFormedKind, len: usize, seen: usize) -> Self {
        Self::Other(Step::IllFormed { len, seen, kind })
    }
    /// Returns the content of a table at a place, in `len` bytes.
    pub(super) fn at(grid: &Grid, place: Place, len: usize, ill_formed: usize) -> Self {
        match grid.get(place) {
            Some(cell) => Self::Cell { cell, len },
            None => Self::ill_formed(IllFormedKind::Undefined, ill_formed, len),
        }
    }
}

/// Bytes to write, all or none of them.
#[derive(Default)]
pub(super) struct Out {
    pub(super) bytes: [u8; 16],
    pub(super) len: usize,
}

impl Out {
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let end = self.len + bytes.len();
        self.bytes[self.len..end].copy_from_slice(bytes);
        self.len = end;
    }
}
