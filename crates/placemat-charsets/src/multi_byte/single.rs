//! The single bytes of the EBCDIC pages.

use super::codes::SO;
use crate::grid::Grid;

/// The single bytes of an EBCDIC page, and which of them are ASCII.
#[derive(Debug)]
pub(super) struct Single {
    pub(super) grid: Grid,
    /// The ASCII character of each byte, or 80 for bytes that mean none.
    pub(super) ascii: [u8; 256],
    /// The byte of each ASCII character, or SO for none.
    pub(super) bytes: [u8; 128],
}

impl Single {
    pub(super) const fn new(table: &'static [u8]) -> Self {
        let grid = Grid::new(table);
        let (mut ascii, mut bytes) = ([0x80; 256], [SO; 128]);
        // If several bytes mean a character, the encoder writes the first. So the loop ends with the first.
        let mut byte = ascii.len();
        while byte > 0 {
            byte -= 1;
            if let Some(c @ ..0x80) = grid.scalar((0, byte)) {
                ascii[byte] = c.to_le_bytes()[0];
                bytes[c as usize] = byte.to_le_bytes()[0];
            }
        }
        Self { grid, ascii, bytes }
    }
}
