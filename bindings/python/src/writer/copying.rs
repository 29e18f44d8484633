//! `bytes` that are copied when their length is known: the stable ABI cannot enlarge them.

use crate::new_bytes::NewBytes;
use crate::raw::{self, Raised};

/// The memory of a `bytes` object whose length is not known yet.
pub(crate) struct Writer {
    memory: Vec<u8>,
    pub(crate) room: usize,
}

impl Writer {
    /// Returns a writer with `len` bytes, if that length is possible.
    pub(crate) fn new(len: Option<usize>) -> Result<Self, Raised> {
        let mut new = Self { memory: Vec::new(), room: 0 };
        new.grow(len)?;
        Ok(new)
    }

    /// Enlarges the buffer.
    pub(crate) fn grow(&mut self, len: Option<usize>) -> Result<(), Raised> {
        let len = len.ok_or_else(raw::no_memory)?;
        let more = len.saturating_sub(self.memory.len());
        self.memory.try_reserve_exact(more).map_err(|_| raw::no_memory())?;
        self.memory.resize(len, 0);
        self.room = len;
        Ok(())
    }

    /// Returns the bytes, to be written from the first on.
    pub(crate) fn bytes(&mut self) -> &mut [u8] {
        &mut self.memory
    }

    /// Returns the object of the first `len` bytes.
    pub(crate) fn finish(self, len: usize) -> Result<NewBytes, Raised> {
        NewBytes::of(&self.memory[..len.min(self.room)])
    }
}
