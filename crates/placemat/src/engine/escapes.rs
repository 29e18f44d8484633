//! Bytes that stand for themselves: what `surrogateescape` and `optu` write for the code points they have made of
//! ill-formed bytes.
//!
//! Such a byte is right if, reading it again with what stands behind it, it is ill-formed again, and so becomes the same
//! escape. It is refused where it would come together with others as a well-formed sequence: that would be read as a
//! character that nobody wrote (UTR #36, section 3.7). Text before it cannot matter, which is complete sequences. Text
//! behind it can, in encodings in which a sequence may go on with a byte that is text by itself: there it is the text that is
//! refused, as the byte is written already. What a decoder has made of bytes is never refused.

use super::Core;
use super::step::Put;
use crate::forms::form::{EncodeStep, Form, Step};
use crate::ground::code_point::CodePoint;
use crate::ground::error::{Unmappable, UnmappableKind};
use crate::ground::policy::OnUnmappable;
use crate::simd::bytes_of;

/// What was written from the first escaped byte on of which it is not known yet whether a sequence begins there.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Escapes {
    bytes: [u8; Self::MAX],
    len: usize,
    /// Which of them are such bytes: a bit for each.
    open: u32,
    /// Where in the output they end. Anything that is written after that and not noted here ends the matter.
    end: u64,
    /// Whether the policy wants them checked.
    checked: bool,
}

impl Escapes {
    /// A sequence that goes on, which is at most 16 units, and what is written next.
    const MAX: usize = 32;

    /// Notes what is written next; `escaped` says that it is a byte that stands for itself. Whether all that was escaped is,
    /// or still may be, ill-formed.
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
                // What the policy would escape again, reading it, is none.
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
    /// Whether what is written at `at` stands right behind escaped bytes, and could be read as a part of a sequence that
    /// begins in them.
    #[inline(always)]
    pub(super) fn may_join_escapes(&self, at: u64) -> bool {
        !T::SELF_SYNCHRONIZING && self.escapes.checked && self.escapes.len > 0 && self.escapes.end == at
    }

    /// Writes a code point, or what the policy puts for it, behind escaped bytes; refused where these would be read with it as
    /// something else.
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
        // A byte more of them has been looked at.
        if let Put::Written(len) = put
            && self.escapes.end == before.escapes.end
        {
            // What is held back until more is known comes next, unless that is something longer.
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

    /// Writes a byte that an escape stands for, at `at` of the target; refuses it, if `checked`, where it completes a
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
        // Whatever must come before the byte: a signature, what was held back.
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
