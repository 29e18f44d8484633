//! The one loop that joins kernels, steps and policies: kernel, then one scalar step, then the policy, and round again.
//!
//! It reads from slices and writes to slices, and holds the states of both forms and nothing of the text. Everything
//! else, streaming and the one-shot functions, is this loop with a buffer around it.

#![forbid(unsafe_code)]

mod ahead;
pub(crate) mod any;
#[cfg(feature = "alloc")]
pub(crate) mod collect;
mod escapes;
mod mend;
mod pairs;
pub(crate) mod pivot;
pub(crate) mod short;
pub(crate) mod via;
pub(crate) mod void;

use self::ahead::Ahead;
use self::escapes::Escapes;
use self::pairs::kernel;
use crate::forms::form::{Bulk, EncodeStep, Form, Step};
use crate::ground::code_point::CodePoint;
use crate::ground::error::{IllFormed, IllFormedKind, Unmappable, UnmappableKind};
use crate::ground::policy::{Action, OnError, OnUnmappable, Span, Substitute};
use crate::ground::unit::CodeUnit;
use crate::ground::work;
use crate::kernels::dispatch::Kernels;
use crate::kernels::{Moved, Replaced};
use crate::simd::{bytes_of, bytes_of_mut};

/// How far a call got. Both counts are true whatever the status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Code units of `src` that were consumed. After an error, the ill-formed sequence is among them.
    pub read: usize,
    /// Code units of `dst` that were written.
    pub written: usize,
    /// Why it stopped there.
    pub status: Status,
}

/// Why a call stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The text is complete: everything was read and written.
    Done,
    /// Everything was read. Call again with what follows.
    NeedInput,
    /// There is no room for what comes next. Call again with the rest of `src` and another `dst`.
    NeedOutput,
    /// The source is ill-formed, and the policy was to stop. Calling again with the rest goes on after it.
    IllFormed(IllFormed),
    /// The target cannot hold a code point, and the policy was to stop. Calling again with the rest goes on after it.
    Unmappable(Unmappable),
}

/// How often something happened, and where first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// How often.
    pub count: u64,
    /// Where first: offset in code units of the source.
    pub first: Option<u64>,
}

impl Count {
    pub(crate) fn add(&mut self, offset: u64) {
        self.count += 1;
        self.first.get_or_insert(offset);
    }

    /// Adds what came later.
    fn join(&mut self, later: Self) {
        self.count += later.count;
        self.first = self.first.or(later.first);
    }
}

/// What a conversion came across.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Well-formed code points that were read; only counted if asked for, as it costs a pass over the text.
    pub decoded: Option<u64>,
    /// Ill-formed sequences for which something else was put.
    pub replaced: Count,
    /// Ill-formed sequences that were dropped.
    pub ignored: Count,
    /// Code points that the target could not hold and for which the policy found a substitute.
    pub unmappable: Count,
}

/// So many units are taken by steps where they stop what is quicker.
const FEW: usize = 16;

/// How much of its input a call may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// All that it can.
    All,
    /// One step: one code point, one error, one shift. The status is `NeedInput` afterwards; nothing read means so.
    One,
    /// Nothing: only what the last step owes is written. The status is `NeedInput` afterwards.
    Nothing,
}

/// The driver of one pair of forms, with all that it remembers from one call to the next.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Core<F: Form, T: Form> {
    from: F::State,
    to: T::State,
    escapes: Escapes,
    /// Code units read and written in earlier calls.
    read: u64,
    written: u64,
    pub(crate) tally: Tally,
}

/// So many units without anything that a table does not hold are worth a kernel.
const NEAR: usize = 32;

/// The outcome of one scalar step.
enum Stepped {
    /// So many units were read and written.
    On(usize, usize),
    /// So many units were read and none was written.
    Stop(usize, Status),
}

/// The outcome of writing one code point or what stands for it.
enum Put {
    Written(usize),
    NoRoom,
    Unmappable(Unmappable),
}

impl<F: Form, T: Form> Core<F, T> {
    /// A driver at the start of a text, between members of families.
    #[allow(dead_code, reason = "families come with features")]
    pub(crate) fn starting(from: F::State, to: T::State) -> Self {
        Self { from, to, ..Self::default() }
    }

    /// A driver that goes on where so many code units were read and written already.
    #[cfg(feature = "alloc")]
    pub(crate) fn after(units: usize) -> Self {
        Self { read: units as u64, written: units as u64, ..Self::default() }
    }

    /// Whether the last step left a code point to be written.
    pub(crate) fn owes(&self) -> bool {
        F::owed(&mut self.from.clone()).is_some()
    }

    /// Code units of the source that were read so far.
    pub(crate) fn offset(&self) -> u64 {
        self.read
    }

    /// Counts places in the source from here on, at the start.
    pub(crate) fn start_at(&mut self, offset: u64) {
        self.read = offset;
    }

    /// Converts a whole text, as [`run`](Self::run) does; but a text that a kernel takes whole, as it does most short
    /// ones, costs no more than the kernel.
    #[inline]
    pub(crate) fn convert_whole<D: OnError, U: OnUnmappable>(
        src: &[F::Unit],
        dst: &mut [T::Unit],
        on_error: D,
        on_unmappable: U,
    ) -> Progress {
        let mut done = Moved::default();
        // Forms without states have nothing to finish.
        let stateless = size_of::<F::State>() == 0 && size_of::<T::State>() == 0;
        if stateless && !on_error.inspects() && !on_unmappable.inspects() {
            let (from, to) = (F::bulk(&F::State::default()), T::bulk(&T::State::default()));
            let few = short::convert(from.in_bytes(), to.in_bytes(), bytes_of(src), bytes_of_mut(dst));
            done = match few {
                Some(Moved { read, written }) => {
                    Moved { read: read / F::Unit::BYTES, written: written / T::Unit::BYTES }
                }
                None => kernel(from, to, src, dst),
            };
            if done.read == src.len() {
                return Progress { read: done.read, written: done.written, status: Status::Done };
            }
        }
        Self::convert_rest(src, dst, done, on_error, on_unmappable)
    }

    /// The rest of a whole text, of which a kernel took a part. Not a part of the function above, whose callers would
    /// save registers for it; by value, for else they would put the policies into memory.
    #[cold]
    #[inline(never)]
    fn convert_rest<D: OnError, U: OnUnmappable>(
        src: &[F::Unit],
        dst: &mut [T::Unit],
        done: Moved,
        mut on_error: D,
        mut on_unmappable: U,
    ) -> Progress {
        let mut core = Self { read: done.read as u64, written: done.written as u64, ..Self::default() };
        let (rest, room) = (&src[done.read..], &mut dst[done.written..]);
        let p = core.run(rest, room, true, Extent::All, &mut on_error, &mut on_unmappable);
        Progress { read: done.read + p.read, written: done.written + p.written, status: p.status }
    }

    /// Converts until something stops it. A sequence that `src` cuts off stays unread unless it is the `last`.
    pub(crate) fn run(
        &mut self,
        src: &[F::Unit],
        dst: &mut [T::Unit],
        last: bool,
        extent: Extent,
        on_error: &mut dyn OnError,
        on_unmappable: &mut dyn OnUnmappable,
    ) -> Progress {
        let kernels = extent == Extent::All && !on_error.inspects() && !on_unmappable.inspects();
        let replacing = kernels && on_error.is_plain_replacement();
        let (mut read, mut written) = (0, 0);
        let mut ahead = Ahead::default();
        // Where errors are near each other, what the policy puts for them is put before the kernel, if it can be.
        let mut mendable = kernels
            && !on_error.passes_surrogates()
            && matches!(on_error.span(), Span::Maximal | Span::Unit | Span::Structural);
        // Tables have many things that they do not hold; where those are near each other, steps are faster.
        let mut by_steps = false;
        let status = loop {
            let before = T::HOLDS_BACK.then_some(*self);
            if let Some(stopped) = self.put_owed(dst, (read, &mut written), on_unmappable) {
                break self.pause(stopped, before, dst, (0, (&mut read, &mut written)));
            }
            if extent == Extent::Nothing {
                break Status::NeedInput;
            }
            // What follows an escaped byte is looked at, where it could be taken for the rest of a sequence.
            if kernels && !self.may_join_escapes(self.written + written as u64) {
                let (from, to) = (F::bulk(&self.from), T::bulk(&self.to).as_target());
                let (rest, room) = (&src[read..], &mut dst[written..]);
                let utf8 = from == Bulk::Utf8;
                work::add(work::CALL);
                let moved = if by_steps {
                    let stretch = &rest[..rest.len().min(NEAR)];
                    let (read, written) = self.steps(stretch, room);
                    // The stretch may end within a sequence.
                    by_steps = read + 4 <= stretch.len();
                    Moved { read, written }
                } else if replacing && utf8 && to.in_bytes() == Bulk::Utf8 {
                    let moved = Kernels::current().replace_utf8(bytes_of(rest), bytes_of_mut(room));
                    self.tally.add(&moved, self.read + read as u64, bytes_of(&room[..moved.written]));
                    Moved { read: moved.read, written: moved.written }
                } else {
                    let mending = utf8 && mendable && (replacing || ahead.is_near());
                    let reach = if mending {
                        src.len()
                    } else {
                        ahead.reach(from, bytes_of(src), read * F::Unit::BYTES) / F::Unit::BYTES
                    };
                    let stretch = &src[read..reach];
                    // Where an error is thought to be near, the kernel would run into it.
                    let moved = if mending && !replacing {
                        Moved::default()
                    } else {
                        kernel(from, to, stretch, room)
                    };
                    by_steps = (from.is_table() || to.is_table()) && moved.read < NEAR;
                    if let Some(decoded) = &mut self.tally.decoded {
                        *decoded += count_well_formed::<F>(self.from, &stretch[..moved.read]);
                    }
                    if mending && rest.len() - moved.read >= mend::WORTHWHILE {
                        let offset = self.read + read as u64;
                        let (moved, on) =
                            mend::mend(&mut self.tally, to, bytes_of(rest), room, moved, offset, on_error);
                        mendable = on;
                        ahead.met_none();
                        moved
                    } else {
                        moved
                    }
                };
                read += moved.read;
                written += moved.written;
                work::add(moved.read + moved.written);
                // There may be both a kernel for a stretch and what is quicker for the whole text.
                let quick = F::QUICK && to == Bulk::Utf8 || T::QUICK && from == Bulk::Utf8;
                if quick || !from.reaches(to) {
                    let (r, w) = self.quickly(&src[read..], &mut dst[written..]);
                    read += r;
                    written += w;
                    let (r, w) = self.steps(&src[read..], &mut dst[written..]);
                    read += r;
                    written += w;
                }
            }
            if read == src.len() {
                if !last {
                    break Status::NeedInput;
                }
                match T::encode_finish(&mut self.to, &mut dst[written..]) {
                    EncodeStep::Written(len) => {
                        written += len;
                        break Status::Done;
                    }
                    EncodeStep::NoRoom | EncodeStep::Unmappable(_) => break Status::NeedOutput,
                }
            }
            let at = (self.read + read as u64, self.written + written as u64);
            let errors = self.tally.errors();
            let before = T::HOLDS_BACK.then_some(*self);
            match self.step(&src[read..], &mut dst[written..], last, at, on_error, on_unmappable) {
                Stepped::On(r, w) => {
                    read += r;
                    written += w;
                    if kernels && self.tally.errors() > errors {
                        ahead.met((read - r) * F::Unit::BYTES, read * F::Unit::BYTES);
                    }
                }
                Stepped::Stop(r, status) => {
                    break self.pause(status, before, dst, (r, (&mut read, &mut written)));
                }
            }
            if extent == Extent::One {
                break Status::NeedInput;
            }
        };
        self.read += read as u64;
        self.written += written as u64;
        Progress { read, written, status }
    }

    /// Stops for the reason of `status`, after `len` more units of the source: what the target holds back is written before
    /// an error is reported. If there is no room for that, all is as `before`, and that is the reason to stop.
    #[inline(always)]
    fn pause(
        &mut self,
        status: Status,
        before: Option<Self>,
        dst: &mut [T::Unit],
        (len, (read, written)): (usize, (&mut usize, &mut usize)),
    ) -> Status {
        if let (Some(before), Status::IllFormed(_) | Status::Unmappable(_)) = (before, status) {
            match self.write_held(&mut dst[*written..]) {
                Some(held) => *written += held,
                None => {
                    *self = before;
                    return Status::NeedOutput;
                }
            }
        }
        *read += len;
        status
    }

    /// Writes what the target holds back until it is known what follows; how much, if there is room for it.
    fn write_held(&mut self, dst: &mut [T::Unit]) -> Option<usize> {
        match T::encode_pause(&mut self.to, dst) {
            EncodeStep::Written(len) => Some(len),
            EncodeStep::NoRoom | EncodeStep::Unmappable(_) => None,
        }
    }

    /// The same between two runs, where a stop is known to the caller only.
    pub(crate) fn settle(&mut self, dst: &mut [T::Unit]) -> Option<usize> {
        let len = self.write_held(dst)?;
        self.written += len as u64;
        Some(len)
    }

    /// What a form has in place of a kernel, if there is UTF-8 at the other end.
    #[inline(always)]
    fn quickly(&mut self, src: &[F::Unit], dst: &mut [T::Unit]) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        work::add(work::CALL);
        if F::QUICK && T::bulk(&self.to) == Bulk::Utf8 {
            (read, written) = F::to_utf8(&mut self.from, src, bytes_of_mut(dst));
            if let Some(decoded) = &mut self.tally.decoded {
                *decoded += Kernels::current().count_code_points(bytes_of(&dst[..written])) as u64;
            }
        } else if T::QUICK && F::bulk(&self.from) == Bulk::Utf8 {
            (read, written) = T::from_utf8(&mut self.to, bytes_of(src), dst);
            if let Some(decoded) = &mut self.tally.decoded {
                *decoded += Kernels::current().count_code_points(bytes_of(&src[..read])) as u64;
            }
        }
        work::add(read + written);
        (read, written)
    }

    /// What a kernel would do, step by step, for forms that have none: as much of the text as is well-formed and as the
    /// target holds, or until there is a kernel.
    fn steps(&mut self, src: &[F::Unit], dst: &mut [T::Unit]) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        let (from_bulk, to_bulk) = (F::bulk(&self.from), T::bulk(&self.to));
        let quick = F::QUICK && to_bulk == Bulk::Utf8 || T::QUICK && from_bulk == Bulk::Utf8;
        // What is quicker is tried again soon.
        let end = if quick { src.len().min(FEW) } else { src.len() };
        while read < end {
            work::add(work::STEP);
            let mut from = self.from;
            let len = match F::decode_step(&mut from, &src[read..]) {
                Step::CodePoint { value, len } => match self.encode(value, &mut dst[written..]) {
                    EncodeStep::Written(units) => {
                        written += units;
                        if let Some(decoded) = &mut self.tally.decoded {
                            *decoded += 1;
                        }
                        len
                    }
                    EncodeStep::NoRoom | EncodeStep::Unmappable(_) => break,
                },
                Step::Shift { len } => len,
                Step::Several { .. } | Step::IllFormed { .. } | Step::Incomplete { .. } => break,
            };
            read += len;
            self.from = from;
            if F::bulk(&self.from) != from_bulk || T::bulk(&self.to) != to_bulk {
                break;
            }
        }
        (read, written)
    }

    /// One scalar step by the rules of the forms, at `at` in the source and in the target.
    #[inline]
    fn step(
        &mut self,
        src: &[F::Unit],
        dst: &mut [T::Unit],
        last: bool,
        at: (u64, u64),
        on_error: &mut dyn OnError,
        on_unmappable: &mut dyn OnUnmappable,
    ) -> Stepped {
        work::add(work::STEP);
        let mut from = self.from;
        let mut step = F::decode_step(&mut from, src);
        if last && matches!(step, Step::Incomplete { .. }) {
            step = F::decode_end(&mut from, src);
        }
        if on_error.passes_surrogates() && matches!(step, Step::IllFormed { .. }) {
            match F::decode_surrogate(&self.from, src) {
                Some(Step::Incomplete { .. }) if last => {}
                Some(surrogate) => step = surrogate,
                None => {}
            }
        }
        let (len, seen, kind) = match step {
            Step::CodePoint { value, len } if on_error.admits(value) => {
                let (read, stepped) = match self.put(value, dst, at, on_unmappable) {
                    Put::Written(written) => (true, Stepped::On(len, written)),
                    Put::Unmappable(e) => (true, Stepped::Stop(len, Status::Unmappable(e))),
                    Put::NoRoom => (false, Stepped::Stop(0, Status::NeedOutput)),
                };
                if read {
                    self.from = from;
                    if let Some(decoded) = &mut self.tally.decoded {
                        *decoded += 1;
                    }
                }
                return stepped;
            }
            Step::CodePoint { len, .. } => (F::UNITS_PER_ERROR.min(len), len, IllFormedKind::Undefined),
            Step::Several { len } => {
                let (read, stepped) = self.put_several(src, len, dst, at, on_unmappable);
                if read {
                    self.from = from;
                }
                return stepped;
            }
            Step::Shift { len } => {
                self.from = from;
                return Stepped::On(len, 0);
            }
            Step::IllFormed { len, seen, kind } => (len, seen, kind),
            Step::Incomplete { .. } => return Stepped::Stop(0, Status::NeedInput),
        };
        let Some(span) = F::span(&self.from, on_error.span(), src, len, last) else {
            return Stepped::Stop(0, Status::NeedInput);
        };
        let error = IllFormed::new(at.0, kind, src, span, seen);
        let before = *self;
        match self.replace(&error, dst, at, on_error, on_unmappable) {
            Stepped::On(0, written) => {
                self.from = from;
                Stepped::On(span, written)
            }
            Stepped::On(..) | Stepped::Stop(_, Status::NeedOutput) => {
                *self = before;
                Stepped::Stop(0, Status::NeedOutput)
            }
            Stepped::Stop(_, status) => {
                *self = before;
                self.from = from;
                Stepped::Stop(span, status)
            }
        }
    }

    /// Writes the code point that the source owes, if it does. A status if that stops the conversion.
    #[inline(always)]
    fn put_owed(
        &mut self,
        dst: &mut [T::Unit],
        (read, written): (usize, &mut usize),
        on_unmappable: &mut dyn OnUnmappable,
    ) -> Option<Status> {
        let mut from = self.from;
        let c = F::owed(&mut from)?;
        let at = (self.read + read as u64, self.written + *written as u64);
        let status = match self.put(c, &mut dst[*written..], at, on_unmappable) {
            Put::NoRoom => return Some(Status::NeedOutput),
            Put::Unmappable(e) => Some(Status::Unmappable(e)),
            Put::Written(len) => {
                *written += len;
                None
            }
        };
        self.from = from;
        if let Some(decoded) = &mut self.tally.decoded {
            *decoded += 1;
        }
        status
    }

    /// Writes the code points of one step, in `len` units: all of them, or nothing that counts. Whether the step was read.
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
                    return (true, Stepped::Stop(len, Status::Unmappable(e)));
                }
            }
        }
        if let Some(decoded) = &mut self.tally.decoded {
            *decoded += several.as_slice().len() as u64;
        }
        (true, Stepped::On(len, written))
    }

    /// Writes what the policy puts for an error: all of it, or nothing that counts.
    #[cold]
    fn replace(
        &mut self,
        error: &IllFormed,
        dst: &mut [T::Unit],
        at: (u64, u64),
        on_error: &mut dyn OnError,
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
        let (empty, outcome) = match on_error.handle(error) {
            Action::Stop => (false, Err(Status::IllFormed(*error))),
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
                count.add(at.0);
                Stepped::On(0, written)
            }
        }
    }

    /// Writes a code point, or what the policy puts for it.
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
        let kind = if T::takes_escapes(&self.to) && on_unmappable.intercepts(c) {
            UnmappableKind::NotHeld
        } else {
            match self.encode(c, dst) {
                EncodeStep::Written(len) => return Put::Written(len),
                EncodeStep::NoRoom => return Put::NoRoom,
                EncodeStep::Unmappable(kind) => kind,
            }
        };
        let put = self.substitute(Unmappable::new(at.0, c, kind), dst, at.1, on_unmappable);
        if matches!(put, Put::Written(_)) {
            self.tally.unmappable.add(at.0);
        }
        put
    }

    /// Writes a code point if the target holds it.
    #[inline(always)]
    fn encode(&mut self, c: CodePoint, dst: &mut [T::Unit]) -> EncodeStep {
        match T::REPERTOIRE.check(c) {
            Ok(()) => T::encode_step(&mut self.to, c, dst),
            Err(kind) => EncodeStep::Unmappable(kind),
        }
    }

    /// The same of one that a policy puts, or the pattern of a surrogate.
    #[inline(never)]
    fn encode_substitute(&mut self, c: CodePoint, pattern: bool, dst: &mut [T::Unit]) -> EncodeStep {
        if pattern && T::SURROGATE_PATTERN && c.is_surrogate() {
            return T::encode_step(&mut self.to, c, dst);
        }
        self.encode(c, dst)
    }

    /// Writes what the policy puts for a code point that the target does not hold: all of it, or nothing that counts.
    #[cold]
    fn substitute(
        &mut self,
        unmappable: Unmappable,
        dst: &mut [T::Unit],
        at: u64,
        on_unmappable: &mut dyn OnUnmappable,
    ) -> Put {
        let before = *self;
        let mut written = 0;
        let mut put = |core: &mut Self, c: CodePoint, pattern: bool| match core.encode_substitute(
            c,
            pattern,
            &mut dst[written..],
        ) {
            EncodeStep::Written(len) => {
                written += len;
                Ok(())
            }
            EncodeStep::NoRoom => Err(Put::NoRoom),
            EncodeStep::Unmappable(_) => Err(Put::Unmappable(unmappable)),
        };
        let outcome = match on_unmappable.handle(&unmappable) {
            Substitute::Stop => Err(Put::Unmappable(unmappable)),
            Substitute::Byte { value, checked } => {
                return self.escaped_byte(value, checked, unmappable, dst, at, on_unmappable);
            }
            Substitute::Default => match put(self, CodePoint::REPLACEMENT, false) {
                Err(Put::Unmappable(_)) => put(self, CodePoint::from('?'), false),
                other => other,
            },
            Substitute::Text(text) => text.text().chars().try_for_each(|c| put(self, c.into(), false)),
            Substitute::CodePoints(all) => all.as_slice().iter().try_for_each(|&c| put(self, c, false)),
            Substitute::Patterns(all) => all.as_slice().iter().try_for_each(|&c| put(self, c, true)),
        };
        match outcome {
            Ok(()) => Put::Written(written),
            Err(put) => {
                *self = before;
                put
            }
        }
    }
}

impl Tally {
    /// Errors for which the policy put something, or nothing.
    fn errors(&self) -> u64 {
        self.replaced.count + self.ignored.count
    }

    /// What a kernel replaced that began at `offset`; `written` is what it wrote.
    fn add(&mut self, replaced: &Replaced, offset: u64, written: &[u8]) {
        let errors = replaced.errors as u64;
        if errors > 0 {
            self.replaced.first.get_or_insert(offset + replaced.first as u64);
            self.replaced.count += errors;
        }
        if let Some(decoded) = &mut self.decoded {
            // Each code point that was written is one that was read, or stands for an error.
            *decoded += Kernels::current().count_code_points(written) as u64 - errors;
        }
    }
}

/// How many code points a well-formed stretch holds.
fn count_well_formed<F: Form>(mut state: F::State, mut src: &[F::Unit]) -> u64 {
    if matches!(F::bulk(&state), Bulk::Utf8 | Bulk::Wtf8) {
        return Kernels::current().count_code_points(bytes_of(src)) as u64;
    }
    let mut count = 0;
    while !src.is_empty() {
        let before = state;
        let len = match F::decode_step(&mut state, src) {
            Step::CodePoint { len, .. } => {
                count += 1;
                len
            }
            Step::Several { len } => {
                count += F::decode_several(&before, src).as_slice().len() as u64;
                len
            }
            Step::Shift { len } => len,
            _ => break,
        };
        src = &src[len..];
    }
    count
}
