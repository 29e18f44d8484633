//! One scalar step: reads and writes a code point by the rules of the forms; the policies decide
//! about errors. A step is done in full, or has no effect.

use super::escapes::Escapes;
use super::text::Text;
use super::{Core, Status};
use crate::forms::form::{EncodeStep, Form, Step};
use crate::ground::code_point::CodePoint;
use crate::ground::error::{IllFormed, IllFormedKind, Unmappable, UnmappableKind};
use crate::ground::hints::Engine;
use crate::ground::policy::{Action, OnError, OnUnmappable, Substitute};
use crate::ground::work;
use crate::kernels::Moved;
use crate::simd::bytes_of;

/// The outcome of one scalar step.
enum Stepped {
    /// Code units were read and written.
    On(Moved),
    /// Code units were read, none was written, and the conversion stops.
    Stop(usize, Status),
}

/// The outcome of writing one code point or its substitute.
enum Put {
    Written(usize),
    NoRoom,
    Unmappable(Unmappable),
}

impl<F: Form, T: Form> Core<F, T> {
    /// Takes one scalar step by the rules of the forms. Returns a status if that stops the conversion.
    #[inline]
    pub(super) fn step(
        &mut self,
        text: &mut Text<'_, F::Unit, T::Unit>,
        last: bool,
        on_error: &mut dyn OnError,
        on_unmappable: &mut dyn OnUnmappable,
    ) -> Option<Status> {
        work::add(work::STEP);
        let before = T::facts(&self.to).holds_back.then_some(*self);
        let at = self.at(text);
        match self.convert_one(text.rest(), text.room(), last, at, on_error, on_unmappable) {
            Stepped::On(moved) => {
                text.advance(moved);
                None
            }
            Stepped::Stop(len, status) => Some(self.pause(status, before, text, len)),
        }
    }

    /// Returns the offsets of the next code units in the source and in the target.
    #[inline(always)]
    pub(super) fn at(&self, text: &Text<'_, F::Unit, T::Unit>) -> (u64, u64) {
        (self.read + text.read as u64, self.written + text.written as u64)
    }

    /// Stops with `status`, after `len` more code units of the source. Before it reports an error
    /// that the caller may not come back to, it writes the units that the target holds back. If
    /// those do not fit, restores `before` and returns [`Status::NeedOutput`].
    #[inline(always)]
    pub(super) fn pause(
        &mut self,
        status: Status,
        before: Option<Self>,
        text: &mut Text<'_, F::Unit, T::Unit>,
        len: usize,
    ) -> Status {
        if let (Some(before), Status::IllFormed(_) | Status::Unmappable(_)) = (before, status)
            && !self.leaves_errors
        {
            match self.write_held(text.room()) {
                Some(held) => text.written += held,
                None => {
                    *self = before;
                    return Status::NeedOutput;
                }
            }
        }
        text.read += len;
        status
    }

    /// Writes the code units that the target holds back until it sees the next code point. Returns
    /// their number if they fit.
    pub(super) fn write_held(&mut self, dst: &mut [T::Unit]) -> Option<usize> {
        match T::encode_pause(&mut self.to, dst) {
            EncodeStep::Written(len) => Some(len),
            EncodeStep::NoRoom | EncodeStep::Unmappable(_) => None,
        }
    }

    /// Reads the sequence at the start of `src` and writes its code point, or the policies'
    /// replacement for it. `at` is the offset of `src` in the source, and of `dst` in the target.
    #[inline]
    fn convert_one(
        &mut self,
        src: &[F::Unit],
        dst: &mut [T::Unit],
        last: bool,
        at: (u64, u64),
        on_error: &mut dyn OnError,
        on_unmappable: &mut dyn OnUnmappable,
    ) -> Stepped {
        let mut from = self.from;
        let mut step = F::decode_step(&mut from, src);
        if last && matches!(step, Step::Incomplete { .. }) {
            step = F::decode_end(&mut from, src);
        }
        let (len, seen, kind) = match step {
            Step::CodePoint { value, len } if !on_error.hints(Engine).refuses(value) => {
                return self.put_read(value, len, from, dst, at, on_unmappable);
            }
            Step::CodePoint { len, .. } => {
                (F::facts(&self.from).units_per_error.min(len), len, IllFormedKind::Undefined)
            }
            Step::Several { len } => {
                let (read, stepped) = self.put_several(src, len, dst, at, on_unmappable);
                if read {
                    self.from = from;
                }
                return stepped;
            }
            Step::Shift { len } => {
                self.from = from;
                return Stepped::On(Moved { read: len, written: 0 });
            }
            Step::IllFormed { len, seen, kind } => (len, seen, kind),
            Step::Incomplete { .. } => return Stepped::Stop(0, Status::NeedInput),
        };
        let Some(span) = F::span(&self.from, on_error.span(), src, len, last) else {
            return Stepped::Stop(0, Status::NeedInput);
        };
        let error = IllFormed::new(at.0, kind, src, span, seen);
        let action = match on_error.handle(&error) {
            Action::Pass(otherwise) => match F::decode_surrogate(&self.from, src) {
                Some(Step::CodePoint { value, len }) => {
                    return self.put_read(value, len, from, dst, at, on_unmappable);
                }
                Some(Step::Incomplete { .. }) if !last => {
                    on_error.ask_again(Engine);
                    return Stepped::Stop(0, Status::NeedInput);
                }
                _ => otherwise.into(),
            },
            action => action,
        };
        let before = *self;
        match self.replace(&error, action, dst, at, on_unmappable) {
            Stepped::On(Moved { written, .. }) => {
                self.from = from;
                Stepped::On(Moved { read: span, written })
            }
            Stepped::Stop(_, Status::NeedOutput) => {
                *self = before;
                Stepped::Stop(0, Status::NeedOutput)
            }
            Stepped::Stop(_, status) => {
                *self = before;
                if self.leaves_errors {
                    return Stepped::Stop(0, status);
                }
                self.from = from;
                Stepped::Stop(span, status)
            }
        }
    }

    /// Writes a code point that was read from `len` units; `from` is the state of the source after it.
    #[inline(always)]
    fn put_read(
        &mut self,
        c: CodePoint,
        len: usize,
        from: F::State,
        dst: &mut [T::Unit],
        at: (u64, u64),
        on_unmappable: &mut dyn OnUnmappable,
    ) -> Stepped {
        let (read, stepped) = match self.put(c, dst, at, on_unmappable) {
            Put::Written(written) => (true, Stepped::On(Moved { read: len, written })),
            Put::Unmappable(e) => self.unmappable(e, len),
            Put::NoRoom => (false, Stepped::Stop(0, Status::NeedOutput)),
        };
        if read {
            self.from = from;
            self.tally.decoded(|| 1);
        }
        stepped
    }

    /// Returns the outcome of a step of `len` units whose text the target cannot represent, and
    /// whether the units count as read.
    #[cold]
    fn unmappable(&self, e: Unmappable, len: usize) -> (bool, Stepped) {
        let read = !self.leaves_errors;
        (read, Stepped::Stop(if read { len } else { 0 }, Status::Unmappable(e)))
    }

    /// Writes the code point that the source owes, if any. Returns a status if that stops the conversion.
    #[inline(always)]
    pub(super) fn put_owed(
        &mut self,
        text: &mut Text<'_, F::Unit, T::Unit>,
        on_unmappable: &mut dyn OnUnmappable,
    ) -> Option<Status> {
        let mut from = self.from;
        let c = F::owed(&mut from)?;
        let before = T::facts(&self.to).holds_back.then_some(*self);
        let at = self.at(text);
        let status = match self.put(c, text.room(), at, on_unmappable) {
            Put::NoRoom => return Some(Status::NeedOutput),
            Put::Unmappable(e) => Some(Status::Unmappable(e)),
            Put::Written(len) => {
                text.written += len;
                None
            }
        };
        self.from = from;
        self.tally.decoded(|| 1);
        status.map(|status| self.pause(status, before, text, 0))
    }

    /// Writes the code points of one step of `len` units: all of them, or none. Returns whether the
    /// step was read.
    #[cold]
    fn put_several(
        &mut self,
        src: &[F::Unit],
        len: usize,
        dst: &mut [T::Unit],
        at: (u64, u64),
        on_unmappable: &mut dyn OnUnmappable,
    ) -> (bool, Stepped) {
        let several = F::decode_several(&self.from, src);
        let before = *self;
        let mut written = 0;
        for &c in several.as_slice() {
            match self.put(c, &mut dst[written..], (at.0, at.1 + written as u64), on_unmappable) {
                Put::Written(units) => written += units,
                Put::NoRoom => {
                    *self = before;
                    return (false, Stepped::Stop(0, Status::NeedOutput));
                }
                Put::Unmappable(e) => {
                    *self = before;
                    return self.unmappable(e, len);
                }
            }
        }
        self.tally.decoded(|| several.as_slice().len() as u64);
        (true, Stepped::On(Moved { read: len, written }))
    }

    /// Writes the policy's answer to an error: all of it, or nothing.
    #[cold]
    fn replace(
        &mut self,
        error: &IllFormed,
        action: Action<'_>,
        dst: &mut [T::Unit],
        at: (u64, u64),
        on_unmappable: &mut dyn OnUnmappable,
    ) -> Stepped {
        let mut written = 0;
        let mut put = |core: &mut Self, c| match core.put(
            c,
            &mut dst[written..],
            (at.0, at.1 + written as u64),
            on_unmappable,
        ) {
            Put::Written(len) => {
                written += len;
                Ok(())
            }
            Put::NoRoom => Err(Status::NeedOutput),
            Put::Unmappable(e) => Err(Status::Unmappable(e)),
        };
        let (empty, outcome) = match action {
            Action::Stop | Action::Pass(_) => (false, Err(Status::IllFormed(*error))),
            Action::Text(text) => {
                let text = text.text();
                (text.is_empty(), text.chars().try_for_each(|c| put(self, c.into())))
            }
            Action::CodePoints(all) => {
                (all.as_slice().is_empty(), all.as_slice().iter().try_for_each(|&c| put(self, c)))
            }
        };
        match outcome {
            Err(status) => Stepped::Stop(0, status),
            Ok(()) => {
                let count = if empty { &mut self.tally.ignored } else { &mut self.tally.replaced };
                count.note(at.0);
                Stepped::On(Moved { read: 0, written })
            }
        }
    }

    /// Writes a code point, or the policy's substitute for it.
    #[inline(never)]
    fn put(
        &mut self,
        c: CodePoint,
        dst: &mut [T::Unit],
        at: (u64, u64),
        on_unmappable: &mut dyn OnUnmappable,
    ) -> Put {
        if self.may_join_escapes(at.1) {
            return self.put_after_escapes(c, dst, at, on_unmappable);
        }
        self.put_anywhere(c, dst, at, on_unmappable)
    }

    #[inline(always)]
    fn put_anywhere(
        &mut self,
        c: CodePoint,
        dst: &mut [T::Unit],
        at: (u64, u64),
        on_unmappable: &mut dyn OnUnmappable,
    ) -> Put {
        let kind = if T::facts(&self.to).takes_escapes && on_unmappable.hints(Engine).watches(c) {
            UnmappableKind::NotInRepertoire
        } else {
            match self.encode(c, dst) {
                EncodeStep::Written(len) => return Put::Written(len),
                EncodeStep::NoRoom => return Put::NoRoom,
                EncodeStep::Unmappable(kind) => kind,
            }
        };
        let put = self.substitute(Unmappable::new(at.0, c, kind), dst, at.1, on_unmappable);
        if matches!(put, Put::Written(_)) {
            self.tally.unmappable.note(at.0);
        }
        put
    }

    /// Writes a code point if the target can represent it.
    #[inline(always)]
    pub(super) fn encode(&mut self, c: CodePoint, dst: &mut [T::Unit]) -> EncodeStep {
        match T::facts(&self.to).repertoire.check(c) {
            Ok(()) => T::encode_step(&mut self.to, c, dst),
            Err(kind) => EncodeStep::Unmappable(kind),
        }
    }

    /// Writes the policy's substitute for a code point that the target cannot represent: all of it,
    /// or nothing.
    #[cold]
    fn substitute(
        &mut self,
        unmappable: Unmappable,
        dst: &mut [T::Unit],
        at: u64,
        on_unmappable: &mut dyn OnUnmappable,
    ) -> Put {
        let before = *self;
        let outcome = match on_unmappable.handle(&unmappable) {
            Substitute::Stop => return Put::Unmappable(unmappable),
            Substitute::Byte { value, checked } => {
                return self.escaped_byte(value, checked, unmappable, dst, at, on_unmappable);
            }
            Substitute::Default => {
                match self.encode_all(&mut [CodePoint::REPLACEMENT].into_iter(), false, dst) {
                    EncodeStep::Unmappable(_) => {
                        self.encode_all(&mut [CodePoint::from('?')].into_iter(), false, dst)
                    }
                    other => other,
                }
            }
            Substitute::Text(text) => {
                self.encode_all(&mut text.text().chars().map(CodePoint::from), false, dst)
            }
            Substitute::CodePoints(all) => self.encode_all(&mut all.as_slice().iter().copied(), false, dst),
            Substitute::Patterns(all) => self.encode_all(&mut all.as_slice().iter().copied(), true, dst),
        };
        let put = match outcome {
            EncodeStep::Written(len) => return Put::Written(len),
            EncodeStep::NoRoom => Put::NoRoom,
            EncodeStep::Unmappable(_) => Put::Unmappable(unmappable),
        };
        *self = before;
        put
    }

    /// Writes code points from a policy, until one cannot be written. With `pattern`, surrogates
    /// are written as their bit pattern. The iterator is dynamic because each generic copy would
    /// include the encoder.
    #[inline(never)]
    fn encode_all(
        &mut self,
        all: &mut dyn Iterator<Item = CodePoint>,
        pattern: bool,
        dst: &mut [T::Unit],
    ) -> EncodeStep {
        let mut written = 0;
        for c in all {
            let room = &mut dst[written..];
            let step = if pattern && T::facts(&self.to).surrogate_pattern && c.is_surrogate() {
                T::encode_step(&mut self.to, c, room)
            } else {
                self.encode(c, room)
            };
            match step {
                EncodeStep::Written(len) => written += len,
                refused => return refused,
            }
        }
        EncodeStep::Written(written)
    }

    /// Returns `true` if output at `at` directly follows escaped bytes and a decoder could read it
    /// as part of a sequence that begins in them.
    #[inline(always)]
    pub(super) fn may_join_escapes(&self, at: u64) -> bool {
        self.escapes.len > 0
            && self.escapes.checked
            && self.escapes.end == at
            && !T::facts(&self.to).self_synchronizing
    }

    /// Writes a code point, or the policy's substitute for it, after escaped bytes. Refuses it if a
    /// decoder would read it together with them as something else.
    #[cold]
    fn put_after_escapes(
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
            // The units that the target holds back come next, unless a longer sequence replaces
            // them.
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

    /// Writes the byte that an escape represents, at `at` of the target. If `checked`, refuses a
    /// byte that completes a sequence.
    fn escaped_byte(
        &mut self,
        value: u8,
        checked: bool,
        unmappable: Unmappable,
        dst: &mut [T::Unit],
        at: u64,
        on_unmappable: &dyn OnUnmappable,
    ) -> Put {
        if !T::facts(&self.to).takes_escapes || value.is_ascii() {
            return Put::Unmappable(unmappable);
        }
        // The byte comes after a signature, or after units that the target held back.
        let mut to = self.to;
        let EncodeStep::Written(start) = T::encode_finish(&mut to, dst) else { return Put::NoRoom };
        let Some(slot) = dst.get_mut(start) else { return Put::NoRoom };
        *slot = T::Unit::from(value);

        let mut run = Escapes { end: at + start as u64 + 1, checked, ..Escapes::default() };
        if checked {
            if self.escapes.end == at && (start == 0 || !T::facts(&to).self_synchronizing) {
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
