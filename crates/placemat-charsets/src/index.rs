//! Codes of two bytes by code point, for encoders; built from the decoder's tables.

use alloc::{vec, vec::Vec};

/// The number of code points in a block. The last byte of UTF-8 selects one of them.
const BLOCK: usize = 64;
/// The value for a code point without a code.
const NONE: u16 = 0xFFFF;

/// Codes by code point.
#[derive(Debug)]
pub(crate) struct Index {
    /// The offset of the codes of each block of code points; the first block of codes is empty.
    blocks: Vec<u32>,
    codes: Vec<u16>,
}

impl Index {
    /// Returns the code of a code point.
    #[inline(always)]
    pub(crate) fn code(&self, c: u32) -> Option<u16> {
        let block = *self.blocks.get(c as usize / BLOCK)? as usize;
        let code = *self.codes.get(block + c as usize % BLOCK)?;
        (code != NONE).then_some(code)
    }
}

/// Builds the index. Of several codes for one code point the last counts.
impl FromIterator<(u32, u16)> for Index {
    fn from_iter<I: IntoIterator<Item = (u32, u16)>>(all: I) -> Self {
        let (mut blocks, mut codes) = (Vec::new(), vec![NONE; BLOCK]);
        for (c, code) in all {
            let (block, at) = (c as usize / BLOCK, c as usize % BLOCK);
            if block >= blocks.len() {
                blocks.resize(block + 1, 0);
            }
            if blocks[block] == 0 {
                // There are far fewer code points.
                blocks[block] = u32::try_from(codes.len()).unwrap_or(0);
                codes.resize(codes.len() + BLOCK, NONE);
            }
            codes[blocks[block] as usize + at] = code;
        }
        Self { blocks, codes }
    }
}
