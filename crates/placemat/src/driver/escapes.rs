//! Bytes that stand for themselves: what `surrogateescape` and `optu` write for the code points they have made of
//! ill-formed bytes.
//!
//! Such a byte is refused where it would come together with others as a well-formed sequence: it would be read as a
//! character that nobody wrote (UTR #36, section 3.7). Text before it cannot matter, which is complete sequences; text
//! behind it can, in forms in which a sequence may end like another begins.

use super::{Core, Put};
use crate::code_point::CodePoint;
use crate::error::{Unmappable, UnmappableKind};
use crate::forms::{EncodeStep, EncodingForm, Step};
use crate::policy::OnUnmappable;

/// The bytes last written for escapes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Escapes {
    /// As many as the longest sequence has before its last.
    bytes: [u8; Self::MAX],
    len: usize,
    /// Where in the output they end. Anything written after that ends the run.
    end: u64,
    /// Whether the policy wants them checked.
    checked: bool,
}

impl Escapes {
    const MAX: usize = 15;

    /// The same bytes as units at the start of more, and how many.
    fn units<T: EncodingForm>(&self) -> ([T::Unit; 2 * Self::MAX], usize) {
        let mut units = [T::Unit::default(); 2 * Self::MAX];
        for (unit, byte) in units.iter_mut().zip(&self.bytes[..self.len]) {
            *unit = T::Unit::from(*byte);
        }
        (units, self.len)
    }
}

/// Whether a sequence that begins in the first `escaped` units reaches beyond `known`, those that were looked at before.
/// What the policy would escape again, reading it, is none.
fn forges<T: EncodingForm>(
    to: T::State,
    units: &[T::Unit],
    escaped: usize,
    known: usize,
    on_unmappable: &dyn OnUnmappable,
) -> bool {
    (0..escaped).any(|start| {
        let mut step = T::decode_step(&mut to.clone(), &units[start..]);
        if let Step::Incomplete { .. } = step {
            step = T::decode_end(&mut to.clone(), &units[start..]);
        }
        match step {
            Step::CodePoint { value, len } => start + len > known && !on_unmappable.intercepts(value),
            Step::Several { len } => start + len > known,
            _ => false,
        }
    })
}

impl<F: EncodingForm, T: EncodingForm> Core<F, T> {
    /// Whether what is written at `at` stands right behind escaped bytes, and could be read as the end of a sequence that
    /// begins in them.
    #[inline(always)]
    pub(super) fn may_join_escapes(&self, at: u64) -> bool {
        !T::SELF_SYNCHRONIZING && self.escapes.checked && self.escapes.len > 0 && self.escapes.end == at
    }

    /// Writes a code point, or what the policy puts for it, right behind escaped bytes; refused where it would not be read
    /// again as what it is.
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
            let (mut units, escaped) = before.escapes.units::<T>();
            let rest = &mut units[escaped..];
            let mut taken = len.min(rest.len());
            rest[..taken].copy_from_slice(&dst[..taken]);
            // What is held back until more is known comes next, unless that is something longer.
            if let EncodeStep::Written(held) = T::encode_finish(&mut self.to.clone(), &mut rest[taken..]) {
                taken += held;
            }
            if forges::<T>(before.to, &units[..escaped + taken], escaped, escaped, on_unmappable) {
                *self = before;
                return Put::Unmappable(Unmappable::new(at.0, c, UnmappableKind::ForgedSequence));
            }
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
        if !T::is_ascii_compatible(&self.to) || value.is_ascii() {
            return Put::Unmappable(unmappable);
        }
        // Whatever must come before the byte: a signature, a shift back to where bytes are read as they are.
        let mut to = self.to;
        let EncodeStep::Written(start) = T::encode_finish(&mut to, dst) else { return Put::NoRoom };
        let Some(slot) = dst.get_mut(start) else { return Put::NoRoom };

        // What was held back until now stands between this byte and the escapes before it.
        let mut run = if self.escapes.end == at && start == 0 { self.escapes } else { Escapes::default() };
        let (mut units, known) = run.units::<T>();
        units[known] = T::Unit::from(value);
        if checked && forges::<T>(to, &units[..=known], known + 1, known, on_unmappable) {
            let (offset, c) = (unmappable.offset(), unmappable.code_point());
            return Put::Unmappable(Unmappable::new(offset, c, UnmappableKind::ForgedSequence));
        }
        *slot = T::Unit::from(value);
        self.to = to;
        if run.len == Escapes::MAX {
            run.bytes.rotate_left(1);
            run.len -= 1;
        }
        run.bytes[run.len] = value;
        run.len += 1;
        self.escapes = Escapes { end: at + start as u64 + 1, checked, ..run };
        Put::Written(start + 1)
    }
}
