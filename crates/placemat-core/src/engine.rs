//! The engine: one loop that joins kernels, steps and policies.
//!
//! The engine reads from slices and writes to slices. Between calls it keeps the states of both
//! forms, and nothing of the text. Streams and the functions for whole texts are this loop with a buffer
//! around it. [`plan`] chooses how to convert the next stretch, [`pairs`] has the kernels, [`step`]
//! converts whatever the kernels leave.

#![forbid(unsafe_code)]

mod ahead;
pub mod any;
pub mod at_once;
pub mod calm;
#[cfg(feature = "alloc")]
pub mod collect;
pub mod ending;
mod ends;
mod escapes;
pub mod hub;
mod lacking;
pub(crate) mod lossy;
pub(crate) mod mend;
pub mod once;
mod pairs;
mod plan;
mod scalars;
mod short;
mod step;
pub mod tables;
mod tally;
mod text;
pub mod units;
pub mod via;

pub use tally::{Count, Tally};

use self::escapes::Escapes;
use self::once::Answers;
use self::pairs::{Kernel, Pair};
use self::plan::{Plan, Strategy};
use self::text::Text;
#[cfg(feature = "alloc")]
use crate::checked::Writer;
use crate::forms::form::{Bulk, EncodeStep, Form, Step};
use crate::ground::error::{IllFormed, Unmappable};
use crate::ground::hints::Engine;
use crate::ground::policy::{OnError, OnUnmappable};
use crate::ground::unit::CodeUnit;
use crate::ground::work;
use crate::kernels::Moved;
use crate::kernels::dispatch::Kernels;
use crate::simd::{bytes_of, bytes_of_mut};

/// The progress of a call. Both counts are exact whatever the status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Code units of `src` that were consumed. After an error they include the ill-formed sequence.
    pub read: usize,
    /// Code units of `dst` that were written.
    pub written: usize,
    /// Why the call stopped there.
    pub status: Status,
}

impl Progress {
    #[doc(hidden)]
    #[must_use]
    #[inline(always)]
    pub const fn new(read: usize, written: usize, status: Status) -> Self {
        Self { read, written, status }
    }
}

/// The reason why a call stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The text is complete: everything was read and written.
    Done,
    /// Everything was read. Call again with the text that follows.
    NeedInput,
    /// There is no room for the next output. Call again with the rest of `src` and another `dst`.
    NeedOutput,
    /// The source is ill-formed, and the policy says to stop. Another call with the rest of `src` continues after the
    /// error.
    IllFormed(IllFormed),
    /// The target cannot represent a code point, and the policy says to stop. Another call with the rest of `src`
    /// continues after that code point.
    Unmappable(Unmappable),
}

impl Status {
    /// Returns the status of a call that read everything; `last` means that the text ends there.
    #[doc(hidden)]
    #[inline(always)]
    #[must_use]
    pub const fn at_end(last: bool) -> Self {
        if last { Self::Done } else { Self::NeedInput }
    }
}

/// The amount of input that a call may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All of the input that fits.
    All,
    /// One step: one code point, one error or one shift. The status is then `NeedInput`; if nothing was read, the step
    /// needs more input.
    One,
    /// None: the call only writes the code point that the last step owes. The status is then `NeedInput`.
    Nothing,
}

/// The engine of one pair of forms, with the state that it keeps between calls.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Core<F: Form, T: Form> {
    from: F::State,
    to: T::State,
    escapes: Escapes,
    /// Code units read and written in earlier calls.
    read: u64,
    written: u64,
    pub(crate) tally: Tally,
    /// Leave the error at which the conversion stops unread, and the state as it was before that
    /// error.
    pub(crate) leaves_errors: bool,
}

/// After a stop of a form's own loop, the engine takes up to this many code units by steps before
/// it tries the loop again.
const RETRY_UNITS: usize = 16;
/// Size of the UTF-8 buffer, in bytes, into which validation converts and which it discards: as
/// large as the output that the loops make of one piece.
const SCRATCH_BYTES: usize = 3 * 1024;

impl<F: Form, T: Form> Core<F, T> {
    /// Creates an engine at the start of a text, with the start states of both forms.
    pub(crate) fn starting(from: F::State, to: T::State) -> Self {
        Self { from, to, ..Self::default() }
    }

    /// Creates an engine that continues after `read` code units were read and `written` were
    /// written.
    #[cfg(feature = "alloc")]
    pub(crate) fn after(read: usize, written: usize) -> Self {
        Self { read: read as u64, written: written as u64, ..Self::default() }
    }

    /// Returns the kernel that may write the target form into uninitialized memory, if neither form
    /// has a state. A text that such a kernel takes whole is finished.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub(crate) fn writer() -> Option<Writer> {
        Self::stateless_pair().and_then(|(from, to)| pairs::writer(from, to))
    }

    /// Neither form has a state, so the kernel for the pair is known at compile time.
    const IS_STATELESS: bool = size_of::<F::State>() == 0 && size_of::<T::State>() == 0;
    /// The kernel for the pair, if the pair needs no tables.
    const KERNEL: Option<Kernel> = pairs::between(F::FACTS.bulk, T::FACTS.bulk);

    /// Converts by the kernel for the pair, up to the first code unit that it does not handle. Does
    /// nothing without a kernel.
    #[inline(always)]
    fn kernel(pair: Pair, src: &[F::Unit], dst: &mut [T::Unit]) -> Moved {
        let (src, dst) = (bytes_of(src), bytes_of_mut(dst));
        let Moved { read, written } = if const { Self::IS_STATELESS } {
            match const { Self::KERNEL } {
                Some(kernel) => kernel(src, dst),
                None => Moved::default(),
            }
        } else if const { T::IS_HUB } {
            pairs::kernel_to_hub(pair.from, pair.to, src, dst)
        } else if const { F::IS_HUB } {
            pairs::kernel_from_utf8(pair.to, src, dst)
        } else {
            pairs::kernel(pair.from, pair.to, src, dst)
        };
        Moved { read: read / F::Unit::BYTES, written: written / T::Unit::BYTES }
    }

    /// Returns the kernel from UTF-8 to the target, if the target needs no tables.
    #[inline(always)]
    fn onward(to: Bulk) -> Option<Kernel> {
        if const { Self::IS_STATELESS } {
            const { pairs::between(Bulk::Utf8, T::FACTS.bulk) }
        } else if const { T::IS_HUB } {
            pairs::to_hub(Bulk::Utf8, to)
        } else {
            pairs::between(Bulk::Utf8, to)
        }
    }

    /// Returns which kernels serve the two forms, if neither form has a state.
    #[inline(always)]
    fn stateless_pair() -> Option<(Bulk, Bulk)> {
        Self::IS_STATELESS.then(|| (F::bulk(&F::State::default()), T::bulk(&T::State::default())))
    }

    /// Returns `true` if the last step left a code point to write.
    pub(crate) fn owes(&self) -> bool {
        F::owed(&mut self.from.clone()).is_some()
    }

    /// The number of source code units read so far.
    pub(crate) fn offset(&self) -> u64 {
        self.read
    }

    /// Returns which kernels serve the two forms in their present states.
    pub(crate) fn bulks(&self) -> (Bulk, Bulk) {
        (F::bulk(&self.from), T::bulk(&self.to))
    }

    /// Returns `true` if the next text must go through the engine: to count code points, or because
    /// escaped bytes precede it.
    pub(crate) fn must_see(&self) -> bool {
        self.tally.decoded.is_some() || self.may_join_escapes(self.written)
    }

    /// Notes that a stretch was converted without the engine, between forms without states.
    pub(crate) fn note(&mut self, moved: Moved) {
        self.read += moved.read as u64;
        self.written += moved.written as u64;
    }

    /// Sets the offset of the start of the source, and whether errors stay unread. Call it before
    /// the first run.
    pub(crate) fn begin(&mut self, offset: u64, leaves_errors: bool) {
        self.read = offset;
        self.leaves_errors = leaves_errors;
    }

    /// Converts a whole text, like [`run`](Self::run). If a kernel takes the whole text, as it does
    /// for most short ones, nothing but the kernel runs.
    #[inline]
    pub(crate) fn convert_whole<D: OnError, U: OnUnmappable>(
        src: &[F::Unit],
        dst: &mut [T::Unit],
        on_error: D,
        on_unmappable: U,
    ) -> Progress {
        let mut done = Moved::default();
        if let Some((from, to)) = Self::stateless_pair()
            && !on_error.hints(Engine).inspects()
            && !on_unmappable.hints(Engine).inspects()
        {
            let few = short::one_unit(from.in_bytes(), to.in_bytes(), bytes_of(src), bytes_of_mut(dst));
            done = match few {
                Some(Moved { read, written }) => {
                    Moved { read: read / F::Unit::BYTES, written: written / T::Unit::BYTES }
                }
                None => Self::kernel(Pair { from, to, quick: false }, src, dst),
            };
            if done.read == src.len() {
                return Progress { read: done.read, written: done.written, status: Status::Done };
            }
        }
        Self::convert_rest(src, dst, done, on_error, on_unmappable)
    }

    /// Converts the rest of a whole text after a kernel took the start. It is a separate function
    /// so that callers of [`convert_whole`](Self::convert_whole) spill no registers for it, and it
    /// takes the policies by value because references would force them into memory.
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
        let mut answers = Answers::default();
        let (mut on_error, mut on_unmappable) = answers.once(&mut on_error, &mut on_unmappable);
        let p = core.run(rest, room, true, Extent::All, &mut on_error, &mut on_unmappable);
        Progress { read: done.read + p.read, written: done.written + p.written, status: p.status }
    }

    /// Converts until something stops it. An incomplete sequence at the end of `src` stays unread unless `last` is set.
    pub(crate) fn run(
        &mut self,
        src: &[F::Unit],
        dst: &mut [T::Unit],
        last: bool,
        extent: Extent,
        on_error: &mut dyn OnError,
        on_unmappable: &mut dyn OnUnmappable,
    ) -> Progress {
        let mut text = Text::new(src, dst);
        let mut plan = if extent == Extent::All { Plan::new(on_error, on_unmappable) } else { None };
        let status = loop {
            if let Some(status) = self.put_owed(&mut text, on_unmappable) {
                break status;
            }
            if extent == Extent::Nothing {
                break Status::NeedInput;
            }
            if let Some(plan) = &mut plan
                && !self.may_join_escapes(self.at(&text).1)
            {
                self.take(&mut text, plan, on_error);
            }
            if text.rest().is_empty() {
                break if last { self.finish(&mut text) } else { Status::NeedInput };
            }
            let (start, written) = (text.read, text.written);
            let (errors, unmappable) = (self.tally.errors(), self.tally.unmappable.count);
            if let Some(status) = self.step(&mut text, last, on_error, on_unmappable) {
                break status;
            }
            if extent == Extent::One {
                break Status::NeedInput;
            }
            let Some(plan) = &mut plan else { continue };
            if self.tally.errors() > errors {
                plan.met::<F::Unit>(start, text.read);
            } else if self.tally.unmappable.count > unmappable
                && let Some(substitutes) = plan.substitutes
            {
                let len = text.written - written;
                self.substitute_many(&mut text, substitutes, len);
            }
        };
        if status == Status::NeedOutput {
            on_error.ask_again(Engine);
            on_unmappable.ask_again(Engine);
        }
        self.read += text.read as u64;
        self.written += text.written as u64;
        Progress { read: text.read, written: text.written, status }
    }

    /// Converts a stretch of the text by the strategy that the plan chooses.
    #[inline(always)]
    fn take(&mut self, text: &mut Text<'_, F::Unit, T::Unit>, plan: &mut Plan, on_error: &mut dyn OnError) {
        work::add(work::CALL);
        let pair = Pair::of::<F, T>(&self.from, &self.to);
        let (read, written) = (text.read, text.written);
        match plan.strategy(pair, text.src, text.read) {
            Strategy::Steps { reach } => {
                self.steps(text, reach);
                plan.steps_took(text.read - read, reach - read);
            }
            Strategy::Replace => self.replace_all(pair, text),
            Strategy::Mend => {
                let offset = self.at(text).0;
                plan.mended(mend::mend(
                    &mut self.tally,
                    pair.to,
                    Self::onward(pair.to),
                    text,
                    offset,
                    on_error,
                ));
            }
            Strategy::Kernel { reach } => {
                self.by_kernel(pair, text, reach);
                plan.kernel_took(pair, text.read - read);
            }
            Strategy::Quick => self.quickly(pair, text),
        }
        work::add(text.read - read + text.written - written);
    }

    /// Converts by the kernel for the pair, up to `reach`.
    #[inline(always)]
    fn by_kernel(&mut self, pair: Pair, text: &mut Text<'_, F::Unit, T::Unit>, reach: usize) {
        let stretch = &text.src[text.read..reach];
        let moved = Self::kernel(pair, stretch, text.room());
        self.tally.decoded(|| count_well_formed::<F>(self.from, &stretch[..moved.read]));
        text.advance(moved);
    }

    /// Converts UTF-8, with U+FFFD for each maximal subpart of an ill-formed sequence.
    #[inline(always)]
    fn replace_all(&mut self, pair: Pair, text: &mut Text<'_, F::Unit, T::Unit>) {
        let to_utf8 = pair.to.in_bytes() == Bulk::Utf8;
        if !to_utf8 {
            // Most texts have no error.
            self.by_kernel(pair, text, text.src.len());
        }
        if to_utf8 || text.rest().len() >= lossy::MIN_KERNEL_BYTES {
            let offset = self.at(text).0;
            lossy::convert(&mut self.tally, pair.to, Self::onward(pair.to), text, offset);
        }
    }

    /// Converts by the loop that a form has in place of a kernel, with UTF-8 or [`Bulk::Void`] at
    /// the other end. If there is also a kernel, for stretches of one kind, it goes first. A few
    /// steps follow, because the loop stops at rare sequences.
    #[inline(always)]
    fn quickly(&mut self, pair: Pair, text: &mut Text<'_, F::Unit, T::Unit>) {
        if pair.has_kernel() {
            self.by_kernel(pair, text, text.src.len());
        }
        work::add(work::CALL);
        let (rest, room) = (text.rest(), text.room());
        let moved = if F::facts(&self.from).quick && T::bulk(&self.to) == Bulk::Utf8 {
            let (read, written) = F::to_utf8(&mut self.from, rest, bytes_of_mut(room));
            self.tally.decoded(|| Kernels::current().count_code_points(bytes_of(&room[..written])) as u64);
            Moved { read, written }
        } else if T::facts(&self.to).quick && F::bulk(&self.from) == Bulk::Utf8 {
            let (read, written) = T::from_utf8(&mut self.to, bytes_of(rest), room);
            self.tally.decoded(|| Kernels::current().count_code_points(bytes_of(&rest[..read])) as u64);
            Moved { read, written }
        } else if F::facts(&self.from).quick && T::bulk(&self.to) == Bulk::Void {
            Moved { read: self.validate_quickly(rest), written: 0 }
        } else {
            Moved::default()
        };
        text.advance(moved);
        self.steps(text, text.src.len().min(text.read + RETRY_UNITS));
    }

    /// Validates by the source's own loop to UTF-8, and discards the output. Returns the number of
    /// code units read.
    #[inline(never)]
    fn validate_quickly(&mut self, src: &[F::Unit]) -> usize {
        let mut scratch = [0; SCRATCH_BYTES];
        let mut read = 0;
        loop {
            let (some, written) = F::to_utf8(&mut self.from, &src[read..], &mut scratch);
            self.tally.decoded(|| Kernels::current().count_code_points(&scratch[..written]) as u64);
            if some == 0 {
                return read;
            }
            read += some;
        }
    }

    /// Converts step by step, up to `reach`, until a sequence is ill-formed or unmappable, or until
    /// a kernel serves the pair again.
    fn steps(&mut self, text: &mut Text<'_, F::Unit, T::Unit>, reach: usize) {
        let bulk = (F::bulk(&self.from), T::bulk(&self.to));
        let is_long = reach - text.read > RETRY_UNITS;
        while text.read < reach {
            work::add(work::STEP);
            let mut from = self.from;
            let (step, shifted) = match F::decode_step(&mut from, text.rest()) {
                Step::CodePoint { value, len } => match self.encode(value, text.room()) {
                    EncodeStep::Written(written) => {
                        self.tally.decoded(|| 1);
                        (Moved { read: len, written }, false)
                    }
                    EncodeStep::NoRoom | EncodeStep::Unmappable(_) => return,
                },
                Step::Shift { len } => (Moved { read: len, written: 0 }, true),
                Step::Several { .. } | Step::IllFormed { .. } | Step::Incomplete { .. } => return,
            };
            text.advance(step);
            self.from = from;
            // A code point changes the kernel of the source only where no kernel served it before.
            // Asking takes as long as a step, so a short run of steps does not ask.
            let may_differ = shifted || is_long && bulk.0 == Bulk::None;
            if may_differ && F::bulk(&self.from) != bulk.0 || T::bulk(&self.to) != bulk.1 {
                return;
            }
        }
    }

    /// Writes the code units that close the text.
    #[inline(always)]
    fn finish(&mut self, text: &mut Text<'_, F::Unit, T::Unit>) -> Status {
        match T::encode_finish(&mut self.to, text.room()) {
            EncodeStep::Written(len) => {
                text.written += len;
                Status::Done
            }
            EncodeStep::NoRoom | EncodeStep::Unmappable(_) => Status::NeedOutput,
        }
    }

    /// Writes the code units that the target holds back. For use between two runs, if the caller
    /// knows that the conversion stops there.
    pub(crate) fn settle(&mut self, dst: &mut [T::Unit]) -> Option<usize> {
        let len = self.write_held(dst)?;
        self.written += len as u64;
        Some(len)
    }
}

/// Returns the number of code points in a well-formed stretch.
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
