//! Conversion between two byte encodings that have no direct kernel: through the hub, piece by
//! piece.

use super::calm::Calm;
use super::tables::{self, Tables};
use super::{Extent, Progress, Status};
use super::{any, pairs, units};
use crate::forms::form::Bulk;
use crate::ground::code_point::CodePoint;
use crate::ground::error::{IllFormed, Unmappable};
use crate::ground::hints::{Engine, Hints, MAX_TEXT_BYTES, Substitutes};
use crate::ground::policy::{Action, OnError, OnUnmappable, Substitute};
use crate::ground::work;
use crate::kernels::Moved;
use crate::kernels::single_byte::UNDEFINED;

/// Size of the scratch buffer in bytes: with source and target of similar size, well within a
/// first-level cache.
const SCRATCH_BYTES: usize = 12 * 1024;
/// Source bytes in one piece. Their text in the hub fits the scratch buffer: a source byte becomes
/// at most four bytes, not counting replacements.
const PIECE_BYTES: usize = SCRATCH_BYTES / 4;
/// For texts shorter than this, in bytes, a smaller scratch buffer is enough.
const SHORT_TEXT_BYTES: usize = 1024;
/// For texts shorter than this, in bytes, single steps are as fast.
const MIN_PIECE_BYTES: usize = 8;
/// The smallest part of a longer text to convert at once, in bytes: longer than any sequence, so
/// that each part reads something.
const MIN_PART_BYTES: usize = 64;
/// UTF-16 code units that a form's own loop makes at once.
const LOOP_UNITS: usize = 1024;
/// Size in bytes of the scratch buffer for one step: the longest replacement has 1024 bytes.
const STEP_SCRATCH_BYTES: usize = 2 * 1024;

/// The 128 ASCII bytes, to ask a policy about all of them at once.
static ASCII: [u8; 128] = {
    let mut ascii = [0; 128];
    let mut byte = 0;
    while byte < ascii.len() {
        ascii[byte] = byte.to_le_bytes()[0];
        byte += 1;
    }
    ascii
};

/// The number of source bytes to try next through the hub. It is kept from call to call: a caller
/// who continues after each error must not have a whole piece tried for each.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Bytes to try next.
    piece: usize,
    /// Bytes to take by single steps before the next try.
    steps: usize,
}

impl Default for Pace {
    fn default() -> Self {
        Self::new()
    }
}

impl Pace {
    #[must_use]
    pub const fn new() -> Self {
        Self { piece: PIECE_BYTES, steps: 0 }
    }

    /// Returns `true` if no recent piece failed.
    const fn is_steady(&self) -> bool {
        self.piece == PIECE_BYTES && self.steps == 0
    }

    /// Notes that a piece of `tried` bytes went through.
    fn went(&mut self, tried: usize) {
        if tried >= self.piece {
            self.piece = (2 * self.piece).min(PIECE_BYTES);
        }
    }

    /// Notes that a piece of `tried` bytes failed: the engine converts it again by steps and then
    /// tries a smaller one.
    fn failed(&mut self, tried: usize) {
        *self = Self { piece: MIN_PART_BYTES, steps: tried };
    }
}

/// A policy that always stops.
struct Stop;

impl OnError for Stop {
    fn handle(&mut self, _: &IllFormed) -> Action<'_> {
        Action::Stop
    }
}

/// Never asked: UTF-8 widened to 31 bits can represent every code point.
impl OnUnmappable for Stop {
    fn handle(&mut self, _: &Unmappable) -> Substitute<'_> {
        Substitute::Stop
    }
}

/// A conversion through the hub.
#[allow(missing_debug_implementations, reason = "policies have none")]
pub struct Via<'a> {
    pub from: &'a mut any::From,
    pub to: &'a mut any::To,
    pub max_units: usize,
    pub pace: &'a mut Pace,
    pub on_error: &'a mut dyn OnError,
    pub on_unmappable: &'a mut dyn OnUnmappable,
}

impl Via<'_> {
    #[inline]
    pub fn run(&mut self, src: &[u8], dst: &mut [u8], last: bool, extent: Extent) -> Progress {
        let may_have = extent == Extent::All && src.len().min(dst.len()) >= tables::MIN_TEXT_BYTES;
        let tables = if may_have { self.tables() } else { None };
        let tables = tables.as_ref();
        let moved = if extent == Extent::All { self.directly(tables, src, dst) } else { Moved::default() };
        if moved.read > 0 && moved.read == src.len() && self.may_end(last) {
            // Forms with direct kernels write nothing to close a text.
            return Progress { read: moved.read, written: moved.written, status: Status::at_end(last) };
        }
        if tables.is_some() && moved.read < tables::MIN_TEXT_BYTES {
            self.pace.failed(moved.read);
        }
        let p = self.by_hub(tables, &src[moved.read..], &mut dst[moved.written..], last, extent);
        Progress { read: moved.read + p.read, written: moved.written + p.written, ..p }
    }

    /// Returns `true` if nothing is to be said of the end of the source, where that is `last`.
    #[inline]
    fn may_end(&self, last: bool) -> bool {
        !(last && self.from.is_shifted())
    }

    /// Returns the tables for a text, if they serve the pair and the policies, and if no recent
    /// piece failed.
    #[inline]
    fn tables(&self) -> Option<Tables> {
        let (from, to) = (self.from.bulks().0, self.to.bulks().1);
        let (errors, unmappables) = (self.on_error.hints(Engine), self.on_unmappable.hints(Engine));
        let inspect = errors.inspects() || unmappables.inspects();
        if !self.pace.is_steady()
            || !Tables::serve(from, to, !inspect)
            || errors.inspects() && !errors.tells()
            || unmappables.inspects() && !unmappables.tells()
        {
            return None;
        }
        let mut code_points = tables::code_points(if from.is_wide() { to } else { from });
        if inspect {
            // Asking about all of ASCII at once is quick, and policies nearly always let it pass.
            let asks_ascii = errors.may_be_in(&ASCII) || unmappables.may_be_in(&ASCII);
            for slot in code_points.iter_mut().filter(|&&mut c| c != UNDEFINED && (c >= 0x80 || asks_ascii)) {
                let c = CodePoint::from_u16(*slot);
                if errors.watches(c) || unmappables.watches(c) {
                    *slot = UNDEFINED;
                }
            }
        }
        Tables::new(from, to, &code_points)
    }

    /// Converts through the hub, with a scratch buffer as large as the text needs.
    #[inline]
    fn by_hub(
        &mut self,
        tables: Option<&Tables>,
        src: &[u8],
        dst: &mut [u8],
        last: bool,
        extent: Extent,
    ) -> Progress {
        // Clearing a scratch buffer costs more than converting a few bytes of text.
        let least = self.by_units_below().max(MIN_PIECE_BYTES);
        if extent == Extent::All && src.len() >= SHORT_TEXT_BYTES {
            self.run_through(tables, &mut [0; SCRATCH_BYTES], src, dst, last, extent)
        } else if extent == Extent::All && src.len() >= least {
            self.run_through(tables, &mut [0; 4 * SHORT_TEXT_BYTES], src, dst, last, extent)
        } else {
            self.run_through(tables, &mut [0; STEP_SCRATCH_BYTES], src, dst, last, extent)
        }
    }

    /// Converts piece by piece through the scratch buffer. If a piece does not go through smoothly,
    /// because `dst` is full or a code point is unmappable, converts it again step by step, so that
    /// every count and every offset refers to the source.
    #[inline]
    fn run_through(
        &mut self,
        tables: Option<&Tables>,
        scratch: &mut [u8],
        src: &[u8],
        dst: &mut [u8],
        last: bool,
        extent: Extent,
    ) -> Progress {
        let (mut read, mut written) = (0, 0);
        let mut is_at_error = false;
        loop {
            if extent == Extent::All {
                let moved = self.directly(tables, &src[read..], &mut dst[written..]);
                read += moved.read;
                written += moved.written;
                if moved.read > 0 && read == src.len() && self.may_end(last) {
                    // Forms with direct kernels write nothing to close a text.
                    return Progress { read, written, status: Status::at_end(last) };
                }
            }
            let below = self.by_units_below();
            let substitutes = self.substitutes();
            let may_go = extent == Extent::All && !core::mem::take(&mut is_at_error);
            let mut by_piece = may_go && self.pace.steps == 0;
            let mut piece = self.piece(&src[read..], scratch.len(), dst.len() - written, substitutes);
            by_piece &= piece.len() >= below.max(self.least(piece, &src[read..]));
            if !by_piece && extent == Extent::All && below > 0 {
                let moved = self.by_units(&src[read..], &mut dst[written..]);
                self.pace.steps = self.pace.steps.saturating_sub(moved.read);
                read += moved.read;
                written += moved.written;
                if read == src.len() {
                    return Progress { read, written, status: Status::at_end(last) };
                }
                // More code points that the target lacks may follow the one at which this stopped.
                piece = self.piece(&src[read..], scratch.len(), dst.len() - written, substitutes);
                by_piece = may_go && substitutes && self.pace.steps == 0;
                by_piece &= piece.len() >= self.least(piece, &src[read..]);
            }
            let rest = &src[read..];
            let mut smooth = None;
            if by_piece {
                let last = last && piece.len() == rest.len();
                smooth = self.smoothly(piece, scratch, &mut dst[written..], last);
                if smooth.is_some() { self.pace.went(piece.len()) } else { self.pace.failed(piece.len()) }
            }
            let owes = self.from.owes();
            let mut smooth_stop = false;
            if let Some(p) = &mut smooth
                && matches!(p.status, Status::IllFormed(_))
                && !self.on_error.hints(Engine).repeats
            {
                // The next step asks the policy.
                smooth_stop = true;
                p.status = Status::NeedInput;
            }
            let p = smooth.unwrap_or_else(|| {
                let p = self.one_step(rest, scratch, &mut dst[written..], last);
                self.pace.steps = self.pace.steps.saturating_sub(p.read);
                if !substitutes && self.substitutes() {
                    // From now on, pieces may contain such code points.
                    self.pace.steps = 0;
                }
                p
            });
            read += p.read;
            written += p.written;
            is_at_error = smooth_stop;
            let went_on = p.status == Status::NeedInput && (p.read > 0 || owes || smooth_stop);
            if !went_on || extent == Extent::One && p.read > 0 {
                return Progress { read, written, status: p.status };
            }
        }
    }

    /// Returns the bytes to try next as a piece. A byte is at most one code point, so the result of this many bytes fits, apart
    /// from replacements for errors.
    #[inline]
    fn piece<'s>(&self, rest: &'s [u8], scratch: usize, room: usize, substitutes: bool) -> &'s [u8] {
        let widest = if substitutes { self.max_units.max(MAX_TEXT_BYTES) } else { self.max_units };
        let most = if substitutes { self.pace.piece.min(scratch / 4) } else { self.pace.piece };
        &rest[..rest.len().min(most).min(room / widest)]
    }

    /// Returns the length in bytes below which a piece is not worth a try.
    #[inline]
    const fn least(&self, piece: &[u8], rest: &[u8]) -> usize {
        if piece.len() == rest.len() { MIN_PIECE_BYTES } else { MIN_PART_BYTES }
    }

    /// Returns `true` if a piece may contain code points that the target lacks: the target has no state, so that the engine
    /// writes runs of substitutes, which follow from the code points alone; and the offset of the first one is known.
    #[inline]
    fn substitutes(&self) -> bool {
        self.to.tally().unmappable.first.is_some()
            && self.to.bulks().1.is_stateless()
            && self.on_unmappable.hints(Engine).answer.is_some()
    }

    /// Converts up to the first code point that concerns a policy, by tables or by a kernel that
    /// serves the pair without the hub.
    #[inline]
    fn directly(&mut self, tables: Option<&Tables>, src: &[u8], dst: &mut [u8]) -> Moved {
        let (from, to) = (self.from.bulks().0, self.to.bulks().1);
        let moved = match tables {
            Some(tables) if !self.engines_see_all() => tables.convert(src, dst),
            None if pairs::is_direct(from, to) && !self.sees_all() => pairs::kernel(from, to, src, dst),
            // Only encodings of several bytes have such loops.
            None if cfg!(feature = "multi-byte")
                && matches!(to, Bulk::Utf16Le | Bulk::Utf16Be)
                && !self.sees_all() =>
            {
                self.by_own_loop(to == Bulk::Utf16Be, src, dst)
            }
            _ => return Moved::default(),
        };
        work::add(moved.read);
        self.note(src, moved);
        moved
    }

    /// Converts to UTF-16 by the loop that the source has in place of a kernel.
    #[inline]
    fn by_own_loop(&mut self, big: bool, src: &[u8], dst: &mut [u8]) -> Moved {
        let mut units = [0; LOOP_UNITS];
        let mut moved = Moved::default();
        loop {
            let room = dst[moved.written..].as_chunks_mut().0;
            let most = room.len().min(LOOP_UNITS);
            let (read, count) = self.from.read_units(&src[moved.read..], &mut units[..most]);
            for (slot, unit) in room.iter_mut().zip(&units[..count]) {
                *slot = if big { unit.to_be_bytes() } else { unit.to_le_bytes() };
            }
            moved.read += read;
            moved.written += 2 * count;
            if read == 0 {
                return moved;
            }
        }
    }

    /// Notes a stretch that was converted without the hub.
    #[inline]
    fn note(&mut self, src: &[u8], moved: Moved) {
        // The length of the text in the hub is unknown, and nothing depends on it.
        self.from.note(src, Moved { written: 0, ..moved });
        self.to.note(Moved { read: 0, ..moved });
    }

    /// Returns `true` if the engines or the policies must see all text.
    #[inline]
    fn sees_all(&self) -> bool {
        self.engines_see_all()
            || self.on_error.hints(Engine).inspects()
            || self.on_unmappable.hints(Engine).inspects()
    }

    /// Returns `true` if the engines must see all text.
    #[inline]
    fn engines_see_all(&self) -> bool {
        self.from.must_see() || self.to.must_see()
    }

    /// Returns the length in bytes below which UTF-16 is the faster hub. Returns 0 if the pair is
    /// not served, or if the engines or the policies must see all text.
    #[inline]
    fn by_units_below(&self) -> usize {
        if self.sees_all() { 0 } else { units::worthwhile(self.from.bulks().0, self.to.bulks().1) }
    }

    /// Converts through UTF-16, up to the first code point that concerns a policy.
    #[inline]
    fn by_units(&mut self, src: &[u8], dst: &mut [u8]) -> Moved {
        let moved = units::convert(self.from.bulks().0, self.to.bulks().1, src, dst);
        self.note(src, moved);
        moved
    }

    /// Converts a whole piece at once. If that leaves a count or an offset in doubt, changes
    /// nothing and returns `None`.
    #[inline]
    fn smoothly(&mut self, piece: &[u8], scratch: &mut [u8], dst: &mut [u8], last: bool) -> Option<Progress> {
        let before = (*self.from, *self.to);
        let hints = self.on_error.hints(Engine);
        let (calm, repeats) = (hints.tells(), hints.repeats);
        if hints.inspects() && !repeats {
            return None;
        }
        let p = if !repeats {
            // The piece may be converted again, so the policy is not asked here: the piece ends
            // before its first error.
            let leaves_errors = self.from.leave_errors(true);
            let p = self.from.run(piece, scratch, last, Extent::All, &mut Stop, &mut Stop);
            self.from.leave_errors(leaves_errors);
            p
        } else if calm {
            self.from.run(piece, scratch, last, Extent::All, &mut Calm(&mut *self.on_error), &mut Stop)
        } else {
            self.from.run(piece, scratch, last, Extent::All, self.on_error, &mut Stop)
        };
        if calm && self.on_error.hints(Engine).may_be_in(&scratch[..p.written]) {
            *self.from = before.0;
            return None;
        }
        let closing = last && p.status == Status::Done;
        let wide = &scratch[..p.written];
        let hints = self.on_unmappable.hints(Engine);
        let calm = hints.tells() && !hints.may_be_in(wide);
        // An answer that follows from the code point alone does not depend on the offset.
        let offset = if self.substitutes() { self.to.tally().unmappable.first } else { None };
        let mut asked = AtSource { policy: self.on_unmappable, offset };
        let q = if calm {
            self.to.run(wide, dst, closing, Extent::All, &mut Stop, &mut Calm(&mut asked))
        } else {
            self.to.run(wide, dst, closing, Extent::All, &mut Stop, &mut asked)
        };
        let through = matches!(q.status, Status::NeedInput | Status::Done) && q.read == p.written;
        let held = match through {
            true if repeats => self.settle(p.status, &mut dst[q.written..]),
            true => Some(0),
            false => None,
        };
        let Some(held) = held.filter(|_| p.status != Status::NeedOutput) else {
            (*self.from, *self.to) = before;
            return None;
        };
        Some(Progress { read: p.read, written: q.written + held, status: p.status })
    }

    /// If the source stops at an error that the caller may not come back to, writes the bytes that
    /// the target holds back. Returns their number if they fit.
    #[inline]
    fn settle(&mut self, status: Status, dst: &mut [u8]) -> Option<usize> {
        let stops = matches!(status, Status::IllFormed(_) | Status::Unmappable(_));
        if stops && !self.from.leaves_errors() { self.to.settle(dst) } else { Some(0) }
    }

    /// Takes one step of the source and writes its whole result, or first the code point that the
    /// last step owes.
    #[inline]
    fn one_step(&mut self, src: &[u8], scratch: &mut [u8], dst: &mut [u8], last: bool) -> Progress {
        let before = (*self.from, *self.to);
        let offset = self.from.offset();
        let p = self.from.run(
            src,
            scratch,
            last,
            if self.from.owes() { Extent::Nothing } else { Extent::One },
            self.on_error,
            &mut Stop,
        );
        let closing = p.status == Status::Done;
        let wide = &scratch[..p.written];
        let known = self.to.tally().unmappable.first;
        let mut asked = AtSource { policy: self.on_unmappable, offset: Some(offset) };
        let q = self.to.run(wide, dst, closing, Extent::All, &mut Stop, &mut asked);
        let held = match q.status {
            Status::NeedOutput => None,
            Status::Unmappable(_) => {
                // Write the whole result of the step or none, but do write what the target held
                // back before it.
                *self.to = before.1;
                self.settle(q.status, dst)
            }
            _ => self.settle(p.status, &mut dst[q.written..]),
        };
        let Some(held) = held else {
            (*self.from, *self.to) = before;
            self.on_error.ask_again(Engine);
            self.on_unmappable.ask_again(Engine);
            return Progress { read: 0, written: 0, status: Status::NeedOutput };
        };
        match q.status {
            Status::Unmappable(e) if self.from.leaves_errors() && p.read > 0 => {
                *self.from = before.0;
                Progress { read: 0, written: 0, status: Status::Unmappable(e.at(offset)) }
            }
            Status::Unmappable(e) => {
                // No error counts as replaced if its replacement could not be written.
                let tally = *before.0.tally();
                (self.from.tally_mut().replaced, self.from.tally_mut().ignored) =
                    (tally.replaced, tally.ignored);
                Progress { read: p.read, written: held, status: Status::Unmappable(e.at(offset)) }
            }
            _ => {
                if known.is_none()
                    && let Some(first) = &mut self.to.tally_mut().unmappable.first
                {
                    *first = offset;
                }
                Progress { read: p.read, written: q.written + held, status: p.status }
            }
        }
    }
}

/// Asks a policy with offsets in the source. Without an offset, the policy is not asked, and the
/// conversion stops.
struct AtSource<'a> {
    policy: &'a mut dyn OnUnmappable,
    offset: Option<u64>,
}

impl OnUnmappable for AtSource<'_> {
    fn handle(&mut self, unmappable: &Unmappable) -> Substitute<'_> {
        match self.offset {
            Some(offset) => self.policy.handle(&unmappable.at(offset)),
            None => Substitute::Stop,
        }
    }
    fn longest(&self) -> usize {
        self.policy.longest()
    }
    fn hints(&self, engine: Engine) -> Hints<'_, Substitutes> {
        self.policy.hints(engine)
    }
    fn ask_again(&mut self, engine: Engine) {
        self.policy.ask_again(engine);
    }
}
