//! Validation of text that comes in pieces.

use super::explain::explain;
use crate::checked;
use crate::forms::form::Step;
use crate::forms::unicode::utf8::decode_step;
use crate::ground::error::IllFormed;

/// The longest sequence, in bytes.
const SEQUENCE_MAX_BYTES: usize = 4;

/// Checks a stream of UTF-8 that comes in pieces, such as the messages of a connection. It has 16 bytes of state.
///
/// The pieces may divide the text anywhere. Errors are the same as [`validate`](super::validate)
/// reports for the whole stream, with the same offsets.
///
/// ```
/// use placemat::utf8::Validator;
/// let mut validator = Validator::new();
/// // The euro sign comes in two pieces.
/// validator.push(b"5 \xE2\x82")?;
/// validator.push(b"\xAC")?;
/// validator.finish()?;
///
/// let mut validator = Validator::new();
/// validator.push(b"5 \xE2\x82")?;
/// let e = validator.push(b"!").unwrap_err();
/// assert_eq!((e.offset(), e.len(), e.code()), (2, 2, "truncated"));
/// // Validation may go on after an ill-formed sequence, with the bytes after it.
/// assert_eq!(validator.offset(), 4);
/// validator.push(b"!")?;
/// validator.finish()?;
/// # Ok::<(), placemat::IllFormed>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Validator {
    /// The offset in the stream at which `held` begins.
    start: u64,
    /// The start of a sequence that is well-formed so far.
    held: [u8; SEQUENCE_MAX_BYTES],
    len: u8,
}

impl Validator {
    /// Makes a validator at the start of a stream.
    #[must_use]
    pub const fn new() -> Self {
        Self { start: 0, held: [0; SEQUENCE_MAX_BYTES], len: 0 }
    }

    /// Returns the bytes of a sequence that is not complete yet.
    fn held(&self) -> &[u8] {
        self.held.get(..usize::from(self.len)).unwrap_or(&self.held)
    }

    /// Returns the validator with one more byte of that sequence.
    fn with(self, byte: u8) -> Self {
        let mut longer = self;
        if let Some(slot) = longer.held.get_mut(usize::from(self.len)) {
            *slot = byte;
            longer.len += 1;
        }
        longer
    }

    /// Checks the next piece of the stream.
    ///
    /// # Errors
    /// The first ill-formed sequence, which may begin in an earlier piece. The validator continues
    /// after that sequence ([`offset`](Self::offset)); the rest of the piece is not checked yet.
    pub fn push(&mut self, piece: &[u8]) -> Result<(), IllFormed> {
        let mut rest = piece;
        while self.len > 0 {
            let Some((&next, after)) = rest.split_first() else { return Ok(()) };
            // Take one byte at a time, so that no byte after the sequence is taken.
            let longer = self.with(next);
            match decode_step(longer.held()) {
                Step::Incomplete { .. } => {
                    *self = longer;
                    rest = after;
                }
                Step::IllFormed { .. } => return Err(self.stop(explain(0, longer.held()))),
                _ => {
                    self.start = longer.offset();
                    self.len = 0;
                    rest = after;
                }
            }
        }
        let (text, rest) = checked::split_well_formed(rest);
        self.start += text.len() as u64;
        if rest.is_empty() {
            return Ok(());
        }
        let e = explain(0, rest);
        if !e.is_incomplete() {
            return Err(self.stop(e));
        }
        for &byte in rest {
            *self = self.with(byte);
        }
        Ok(())
    }

    /// Ends the stream.
    ///
    /// # Errors
    /// If the stream ends within a sequence.
    ///
    /// ```
    /// use placemat::utf8::Validator;
    /// let mut validator = Validator::new();
    /// validator.push(b"5 \xE2\x82")?;
    /// assert!(validator.finish().unwrap_err().is_incomplete());
    /// validator.push(b"\xAC")?;
    /// assert_eq!(validator.finish(), Ok(()));
    /// # Ok::<(), placemat::IllFormed>(())
    /// ```
    pub fn finish(self) -> Result<(), IllFormed> {
        match self.held() {
            [] => Ok(()),
            held => Err(explain(0, held).at(self.start)),
        }
    }

    /// Returns the number of bytes checked so far, including those of an incomplete sequence.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.start + self.len as u64
    }

    /// Returns `true` if the stream may end here: no sequence is incomplete.
    ///
    /// ```
    /// use placemat::utf8::Validator;
    /// let mut validator = Validator::new();
    /// validator.push(b"\xE2\x82")?;
    /// assert!(!validator.is_boundary());
    /// validator.push(b"\xAC")?;
    /// assert!(validator.is_boundary());
    /// # Ok::<(), placemat::IllFormed>(())
    /// ```
    #[must_use]
    pub const fn is_boundary(&self) -> bool {
        self.len == 0
    }

    /// Moves past an error, and returns it with its offset in the stream.
    fn stop(&mut self, e: IllFormed) -> IllFormed {
        let e = e.at(self.start);
        (self.start, self.len) = (self.start + e.len() as u64, 0);
        e
    }
}
