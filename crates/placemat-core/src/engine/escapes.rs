//! Escaped bytes: the bytes that `surrogateescape` and `optu` write for the code points that they
//! made of ill-formed bytes.
//!
//! An escaped byte is right if a decoder that reads it together with the text after it finds it
//! ill-formed and makes the same escape of it again. The encoder refuses a byte that would complete
//! a well-formed sequence with other bytes: a decoder would read that as a character that the
//! author never wrote (UTR #36, section 3.7). Text before the byte does not matter, because it
//! consists of complete sequences. Text after it matters in encodings whose sequences may continue
//! with a byte that is text by itself; there the encoder refuses the text, because the byte is
//! already written. Escapes that a decoder made of bytes are never refused.

use crate::forms::form::{Form, Step};
use crate::ground::hints::Engine;
use crate::ground::policy::OnUnmappable;

/// The output from the first escaped byte that may still begin a well-formed sequence.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Escapes {
    pub(super) bytes: [u8; Self::MAX],
    pub(super) len: usize,
    /// One bit for each escaped byte in `bytes`.
    pub(super) open: u32,
    /// The offset in the output at which `bytes` ends. If the next output does not follow directly,
    /// the escaped bytes are settled.
    pub(super) end: u64,
    /// The policy wants escaped bytes checked.
    pub(super) checked: bool,
}

impl Escapes {
    /// Size in bytes: an incomplete sequence of at most 16 code units, and the next output.
    pub(super) const MAX: usize = 32;

    /// Notes the next output; `escaped` means that it is an escaped byte. Returns `true` if every
    /// escaped byte is ill-formed, or may still prove to be.
    pub(super) fn follow<T: Form>(
        &mut self,
        to: &T::State,
        bytes: &[u8],
        escaped: bool,
        on_unmappable: &dyn OnUnmappable,
    ) -> bool {
        let Some(room) = self.bytes.get_mut(self.len..self.len + bytes.len()) else { return false };
        room.copy_from_slice(bytes);
        if escaped {
            self.open |= 1 << self.len;
        }
        self.len += bytes.len();
        let mut units = [T::Unit::default(); Self::MAX];
        for (unit, byte) in units.iter_mut().zip(&self.bytes[..self.len]) {
            *unit = T::Unit::from(*byte);
        }
        let (before, mut open) = (self.open, 0_u32);
        for start in (0..self.len).filter(|start| before >> start & 1 != 0) {
            let units = &units[start..self.len];
            match T::decode_step(&mut to.clone(), units) {
                Step::IllFormed { .. } => {}
                // This is not a forgery: the policy would escape the code point again when it reads
                // it.
                Step::CodePoint { value, .. } if on_unmappable.hints(Engine).watches(value) => {}
                // The text may end after these bytes.
                Step::Incomplete { .. } => match T::decode_end(&mut to.clone(), units) {
                    Step::CodePoint { value, .. } if !on_unmappable.hints(Engine).watches(value) => {
                        return false;
                    }
                    Step::Several { .. } => return false,
                    _ => open |= 1 << start,
                },
                _ => return false,
            }
        }
        let first = open.trailing_zeros();
        let decided = self.len.min(first as usize);
        self.bytes.copy_within(decided..self.len, 0);
        self.len -= decided;
        self.open = open.checked_shr(first).unwrap_or(0);
        true
    }
}
