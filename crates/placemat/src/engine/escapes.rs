//! Escaped bytes: the bytes that `surrogateescape` and `optu` write for the code points that they made of ill-formed
//! bytes.
//!
//! An escaped byte is right if a decoder, reading it together with the text after it, finds it ill-formed and makes the
//! same escape of it again. The encoder refuses it if it would complete a well-formed sequence with other bytes: a
//! decoder would read that as a character that nobody wrote (UTR #36, section 3.7). Text before it does not matter,
//! because that is complete sequences. Text after it matters in encodings whose sequences may continue with a byte that
//! is text by itself; there the encoder refuses the text, because the byte is already written. The escapes that a
//! decoder made of bytes are never refused.

use super::Core;
use super::step::Put;
use crate::forms::form::{EncodeStep, Form, Step};
use crate::ground::code_point::CodePoint;
use crate::ground::error::{Unmappable, UnmappableKind};
use crate::ground::policy::OnUnmappable;
use crate::simd::bytes_of;

/// The output from the first escaped byte that may still begin a well-formed sequence.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Escapes {
    bytes: [u8; Self::MAX],
    len: usize,
    /// A bit for each escaped byte in it.
    open: u32,
    /// Their end in the output. Output written after that and not noted here settles them.
    end: u64,
    /// Whether the policy wants escaped bytes checked.
    checked: bool,
}

impl Escapes {
    /// Room for an incomplete sequence, of at most 16 units, and the next output.
    const MAX: usize = 32;

    /// Notes the next output; `escaped` says that it is an escaped byte. Returns whether every escaped byte is, or
    /// still may be, ill-formed.
    fn follow<T: Form>(
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
        let open = self.open;
        for start in (0..self.len).filter(|start| open >> start & 1 != 0) {
            let units = &units[start..self.len];
            match T::decode_step(&mut to.clone(), units) {
                Step::IllFormed { .. } => {}
                // A code point that the policy would escape again when reading is no forgery.
                Step::CodePoint { value, .. } if on_unmappable.intercepts(value) => {}
                // The text may end here.
                Step::Incomplete { .. } => match T::decode_end(&mut to.clone(), units) {
                    Step::CodePoint { value, .. } if !on_unmappable.intercepts(value) => return false,
                    _ => continue,
                },
                _ => return false,
            }
            self.open &= !(1 << start);
        }
        let first = self.open.trailing_zeros();
        let decided = self.len.min(first as usize);
        self.bytes.copy_within(decided..self.len, 0);
        self.len -= decided;
        self.open = self.open.checked_shr(first).unwrap_or(0);
        true
    }
}

impl<F: Form, T: Form> Core<F, T> {
    /// Whether output at `at` directly follows escaped bytes and could be read as part of a sequence that begins in
    /// them.
    #[inline(always)]
    pub(super) fn may_join_escapes(&self, at: u64) -> bool {
        !T::SELF_SYNCHRONIZING && self.escapes.checked && self.escapes.len > 0 && self.escapes.end == at
    }

    /// Writes a code point, or what the policy puts for it, after escaped bytes. Refuses it if a decoder would read it
    /// with them as something else.
    #[cold]
    pub(super) fn put_after_escapes(
        &mut self,
        c: CodePoint,
        dst: &mut [T::Unit],
        at: (u64, u64),
        on_unmappable: &mut dyn OnUnmappable,
    ) -> Put {
        let before = *self;
        let put = self.put_anywhere(c, dst, at, on_unmappable);
        // `put_anywhere` noted no escaped byte, so check the output that it wrote.
        if let Put::Written(len) = put
            && self.escapes.end == before.escapes.end
        {
            // The output that the target holds back comes next, unless something longer does.
            let mut held = [T::Unit::default(); Escapes::MAX];
            let held = match T::encode_pause(&mut self.to.clone(), &mut held) {
                EncodeStep::Written(len) => &held[..len],
                EncodeStep::NoRoom | EncodeStep::Unmappable(_) => &[],
            };
            let mut run = before.escapes;
            let right = run.follow::<T>(&before.to, bytes_of(&dst[..len]), false, on_unmappable)
                && run.clone().follow::<T>(&before.to, bytes_of(held), false, on_unmappable);
            if !right {
                *self = before;
                return Put::Unmappable(Unmappable::new(at.0, c, UnmappableKind::ForgedSequence));
            }
            self.escapes = Escapes { end: at.1 + len as u64, ..run };
        }
        put
    }

    /// Writes the byte that an escape stands for, at `at` of the target. If `checked`, refuses a byte that completes a
    /// sequence.
    pub(super) fn escaped_byte(
        &mut self,
        value: u8,
        checked: bool,
        unmappable: Unmappable,
        dst: &mut [T::Unit],
        at: u64,
        on_unmappable: &dyn OnUnmappable,
    ) -> Put {
        if !T::takes_escapes(&self.to) || value.is_ascii() {
            return Put::Unmappable(unmappable);
        }
        // Output that comes before the byte: a signature, or what the target held back.
        let mut to = self.to;
        let EncodeStep::Written(start) = T::encode_finish(&mut to, dst) else { return Put::NoRoom };
        let Some(slot) = dst.get_mut(start) else { return Put::NoRoom };
        *slot = T::Unit::from(value);

        let mut run = Escapes { end: at + start as u64 + 1, checked, ..Escapes::default() };
        if checked {
            if self.escapes.end == at && (start == 0 || !T::SELF_SYNCHRONIZING) {
                run = Escapes { end: run.end, checked, ..self.escapes };
            }
            let right = run.follow::<T>(&to, bytes_of(&dst[..start]), false, on_unmappable)
                && run.follow::<T>(&to, &[value], true, on_unmappable);
            if !right {
                let (offset, c) = (unmappable.offset(), unmappable.code_point());
                return Put::Unmappable(Unmappable::new(offset, c, UnmappableKind::ForgedSequence));
            }
        }
        self.to = to;
        self.escapes = run;
        Put::Written(start + 1)
    }
}
