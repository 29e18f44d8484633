//! Nulls that come while a column is made.

use arrow_buffer::{BooleanBufferBuilder, NullBuffer};

/// The rows that become null in the course of a call.
pub(crate) struct Nulls {
    old: Option<NullBuffer>,
    /// Bits of the new nulls, from the first of them on.
    new: Option<BooleanBufferBuilder>,
    len: usize,
}

impl Nulls {
    /// None yet, in a column of `len` rows that has these nulls.
    pub(crate) fn new(old: Option<&NullBuffer>, len: usize) -> Self {
        Self { old: old.cloned(), new: None, len }
    }

    pub(crate) fn add(&mut self, row: usize) {
        let Self { old, new, len } = self;
        let bits = new.get_or_insert_with(|| {
            let mut bits = BooleanBufferBuilder::new(*len);
            match old {
                Some(nulls) => bits.append_buffer(nulls.inner()),
                None => bits.append_n(*len, true),
            }
            bits
        });
        bits.set_bit(row, false);
    }

    /// Returns the nulls of the result: the same buffer if none was added.
    pub(crate) fn finish(self) -> Option<NullBuffer> {
        match self.new {
            Some(mut bits) => Some(NullBuffer::new(bits.finish())),
            None => self.old,
        }
    }
}
