//! Conversion between two byte encodings that have no direct kernel: by way of the hub, piece by piece.

use super::calm::Calm;
use super::tables::{self, Tables};
use super::{Extent, Progress, Status};
use super::{any, pairs, units};
use crate::ground::code_point::CodePoint;
use crate::ground::error::{IllFormed, Unmappable};
use crate::ground::hints::{Engine, Hints, Substitutes};
use crate::ground::policy::{Action, OnError, OnUnmappable, Substitute};
use crate::ground::work;
use crate::kernels::Moved;
use crate::kernels::single_byte::UNDEFINED;

/// Bytes of the hub in one piece: with source and target of similar size, well within a first-level cache.
const SCRATCH: usize = 12 * 1024;
/// Bytes of source in one piece. Their form in the hub fits the scratch: no source byte becomes more than four, policies
/// apart.
const PIECE: usize = SCRATCH / 4;
/// Below this, a smaller scratch serves.
const SHORT: usize = 1024;
/// Below this, single steps are as fast.
const WORTHWHILE: usize = 8;
/// The least part of a longer text to take at once: longer than any sequence, so that the part takes something.
const PART: usize = 64;
/// Room in the hub for the result of one step: the longest replacement has 1024 bytes.
const STEP_SCRATCH: usize = 2 * 1024;

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

/// The number of source bytes to try at once by way of the hub. It is kept from call to call: a caller who continues
/// after each error must not have a whole piece tried for each.
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
        Self { piece: PIECE, steps: 0 }
    }

    /// Whether the last pieces went through, as far as is known.
    const fn is_steady(&self) -> bool {
        self.piece == PIECE && self.steps == 0
    }

    /// Notes that a piece of `tried` bytes went through.
    fn went(&mut self, tried: usize) {
        if tried >= self.piece {
            self.piece = (2 * self.piece).min(PIECE);
        }
    }

    /// Notes that a piece did not: the engine does it again by steps and then tries less.
    fn failed(&mut self, tried: usize) {
        *self = Self { piece: PART, steps: tried };
    }
}

/// A policy that always stops.
struct Stop;

impl OnError for Stop {
    fn handle(&mut self, _: &IllFormed) -> Action<'_> {
        Action::Stop
    }
}

/// The widened UTF-8 can hold every code point, so this policy is never asked.
impl OnUnmappable for Stop {
    fn handle(&mut self, _: &Unmappable) -> Substitute<'_> {
        Substitute::Stop
    }
}

/// A run by way of the hub.
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
        let may_have = extent == Extent::All && src.len().min(dst.len()) >= tables::WORTHWHILE;
        let tables = if may_have { self.tables() } else { None };
        let tables = tables.as_ref();
        let moved = if extent == Extent::All { self.directly(tables, src, dst) } else { Moved::default() };
        if moved.read > 0 && moved.read == src.len() {
            // These forms write nothing to close a text.
            return Progress { read: moved.read, written: moved.written, status: Status::at_end(last) };
        }
        if tables.is_some() && moved.read < tables::WORTHWHILE {
            self.pace.failed(moved.read);
        }
        let p = self.by_hub(tables, &src[moved.read..], &mut dst[moved.written..], last, extent);
        Progress { read: moved.read + p.read, written: moved.written + p.written, ..p }
    }

    /// The tables for a text, if they serve the pair and the policies, and if the last ones did not go a short way only.
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
            // Policies say quickly that they let all of ASCII pass.
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

    /// Converts with a scratch for the hub.
    #[inline]
    fn by_hub(
        &mut self,
        tables: Option<&Tables>,
        src: &[u8],
        dst: &mut [u8],
        last: bool,
        extent: Extent,
    ) -> Progress {
        // Clearing scratch memory costs more than converting a few bytes of text.
        let least = self.by_units_below().max(WORTHWHILE);
        if extent == Extent::All && src.len() >= SHORT {
            self.run_through(tables, &mut [0; SCRATCH], src, dst, last, extent)
        } else if extent == Extent::All && src.len() >= least {
            self.run_through(tables, &mut [0; 4 * SHORT], src, dst, last, extent)
        } else {
            self.run_through(tables, &mut [0; STEP_SCRATCH], src, dst, last, extent)
        }
    }

    /// Converts piece by piece through the scratch. If a piece does not go through smoothly (no room left in `dst`, or
    /// an unmappable code point), converts it again step by step, so that every count and every offset refers to the
    /// source.
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
                if moved.read > 0 && read == src.len() {
                    // These forms write nothing to close a text.
                    return Progress { read, written, status: Status::at_end(last) };
                }
            }
            let rest = &src[read..];
            // A byte is at most one code point, so this many bytes always fit, policies apart.
            let room = (dst.len() - written) / self.max_units;
            let piece = &rest[..rest.len().min(self.pace.piece).min(room)];
            let below = self.by_units_below();
            let mut smooth = None;
            let least = if piece.len() == rest.len() { WORTHWHILE } else { PART };
            if extent == Extent::All
                && !core::mem::take(&mut is_at_error)
                && self.pace.steps == 0
                && piece.len() >= below.max(least)
            {
                let last = last && piece.len() == rest.len();
                smooth = self.smoothly(piece, scratch, &mut dst[written..], last);
                if smooth.is_some() { self.pace.went(piece.len()) } else { self.pace.failed(piece.len()) }
            } else if extent == Extent::All && below > 0 {
                let moved = self.by_units(rest, &mut dst[written..]);
                self.pace.steps = self.pace.steps.saturating_sub(moved.read);
                read += moved.read;
                written += moved.written;
                if read == src.len() {
                    return Progress { read, written, status: Status::at_end(last) };
                }
            }
            let rest = &src[read..];
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

    /// Converts as far as there is nothing for the policies, by tables or by a kernel that serves the pair without the hub.
    #[inline]
    fn directly(&mut self, tables: Option<&Tables>, src: &[u8], dst: &mut [u8]) -> Moved {
        let (from, to) = (self.from.bulks().0, self.to.bulks().1);
        let moved = match tables {
            Some(tables) if !self.engines_see_all() => tables.convert(src, dst),
            None if pairs::is_direct(from, to) && !self.sees_all() => pairs::kernel(from, to, src, dst),
            _ => return Moved::default(),
        };
        work::add(moved.read);
        self.note(moved);
        moved
    }

    /// Notes what was converted without the hub.
    #[inline]
    fn note(&mut self, moved: Moved) {
        // What the text would be in the hub is not known, and nobody asks.
        self.from.note(Moved { written: 0, ..moved });
        self.to.note(Moved { read: 0, ..moved });
    }

    /// Whether the engines or the policies must see all text.
    #[inline]
    fn sees_all(&self) -> bool {
        self.engines_see_all()
            || self.on_error.hints(Engine).inspects()
            || self.on_unmappable.hints(Engine).inspects()
    }

    /// Whether the engines must see all text.
    #[inline]
    fn engines_see_all(&self) -> bool {
        self.from.must_see() || self.to.must_see()
    }

    /// The length below which the way by UTF-16 is faster. It is 0 if there is none, or if the engines or the policies must
    /// see all text.
    #[inline]
    fn by_units_below(&self) -> usize {
        if self.sees_all() { 0 } else { units::worthwhile(self.from.bulks().0, self.to.bulks().1) }
    }

    /// Converts as far as there is nothing for the policies.
    #[inline]
    fn by_units(&mut self, src: &[u8], dst: &mut [u8]) -> Moved {
        let moved = units::convert(self.from.bulks().0, self.to.bulks().1, src, dst);
        self.note(moved);
        moved
    }

    /// Converts a whole piece at once. If that leaves a count or an offset in doubt, changes nothing and returns
    /// `None`.
    #[inline]
    fn smoothly(&mut self, piece: &[u8], scratch: &mut [u8], dst: &mut [u8], last: bool) -> Option<Progress> {
        let before = (*self.from, *self.to);
        let hints = self.on_error.hints(Engine);
        let (calm, repeats) = (hints.tells(), hints.repeats);
        if hints.inspects() && !repeats {
            return None;
        }
        let p = if !repeats {
            // The piece may be converted again, so the policy is not asked here: the piece ends before its first error.
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
        let mut refusing = AtSource { policy: self.on_unmappable, offset: None };
        let q = if calm {
            self.to.run(wide, dst, closing, Extent::All, &mut Stop, &mut Calm(&mut refusing))
        } else {
            self.to.run(wide, dst, closing, Extent::All, &mut Stop, &mut refusing)
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

    /// If the source stops at an error that the caller may not come back to, writes what the target holds back. Returns
    /// its length, if there is room.
    #[inline]
    fn settle(&mut self, status: Status, dst: &mut [u8]) -> Option<usize> {
        let stops = matches!(status, Status::IllFormed(_) | Status::Unmappable(_));
        if stops && !self.from.leaves_errors() { self.to.settle(dst) } else { Some(0) }
    }

    /// Takes one step of the source and writes its whole result; or first writes what the last step owes.
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
                // Write the whole result of the step or none, but write what the target held back before it.
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

/// A policy that is asked with offsets in the source. Without an offset it is not asked, and the conversion stops.
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
