//! The stages that look at each block of a stream.

use super::certain::{Escapes, Utf7, Wide};
use super::controls::Controls;
use super::declared::LAST;
use super::sample::Sample;
use super::structure::Structure;
use super::utf8::Utf8;
use alloc::vec::Vec;
use placemat_core::kernels::dispatch::Kernels;

/// The bytes at the start of a stream that are kept as they are.
const HEAD: usize = 64 * 1024;

/// The state of all stages.
#[derive(Clone, Debug, Default)]
pub(super) struct Stages {
    pub(super) len: u64,
    /// The first bytes of the stream.
    pub(super) head: Vec<u8>,
    /// The last bytes of the stream.
    pub(super) tail: Vec<u8>,
    pub(super) first_non_ascii: Option<u64>,
    pub(super) controls: Controls,
    pub(super) utf8: Utf8,
    pub(super) escapes: Escapes,
    pub(super) utf7: Utf7,
    pub(super) wide: Option<Wide>,
    /// From the first block on that is not UTF-8.
    pub(super) structure: Option<Structure>,
    pub(super) sample: Sample,
}

impl Stages {
    /// Takes the next block.
    pub(super) fn block(&mut self, block: &[u8], last: bool) {
        let offset = self.len;
        self.len += block.len() as u64;
        self.keep(block);
        let marks = self.controls.block(block);
        let ascii = Kernels::current().ascii_prefix(block);
        let is_ascii = ascii == block.len();
        if !is_ascii && self.first_non_ascii.is_none() {
            self.first_non_ascii = Some(offset + ascii as u64);
        }
        if self.first_non_ascii.is_none() {
            self.escapes.block(offset, block, marks);
            self.utf7.block(offset, block, marks);
        }
        let is_utf8 = is_ascii || self.utf8.block(offset, block);
        self.sample.take(block, is_utf8, last);
        if !is_utf8 {
            self.structure.get_or_insert_default();
        }
        if let Some(structure) = &mut self.structure {
            structure.block(offset, block, !is_ascii);
        }
        if offset == 0 && (marks.controls || !is_utf8) {
            self.wide = Some(Wide::of(block));
        }
        if let Some(wide) = &mut self.wide {
            wide.block(block, last);
        }
    }

    /// Keeps the first and the last bytes.
    fn keep(&mut self, block: &[u8]) {
        let room = HEAD - self.head.len();
        self.head.extend_from_slice(&block[..block.len().min(room)]);
        let last = &block[block.len().saturating_sub(LAST)..];
        let drop = (self.tail.len() + last.len()).saturating_sub(LAST);
        self.tail.drain(..drop);
        self.tail.extend_from_slice(last);
    }
}
