//! Between two encodings chosen at run time.

use super::carry::Carry;
use super::transcoder::min_output;
use crate::engine::any;
use crate::engine::pivot::Pivot;
use crate::engine::void::Void;
use crate::engine::{Extent, Progress, Status, Tally};
use crate::forms::Utf8;
use crate::forms::encoding::Encoding;
use crate::ground::code_point::CodePoint;
use crate::ground::error::Unmappable;
use crate::policy::{ErrorPolicy, OnError, OnUnmappable, Substitute, UnmappablePolicy};

/// Converts between two byte encodings piece by piece. See the [module](super) for how calls go.
///
/// ```
/// use placemat::{Encoding, ErrorPolicy, UnmappablePolicy, stream::{AnyTranscoder, Status}};
/// let mut t = AnyTranscoder::new(Encoding::ISO_8859_1, Encoding::UTF_16BE, ErrorPolicy::Stop, UnmappablePolicy::Stop);
/// let mut out = [0; 16];
/// let p = t.convert(b"\xE9", &mut out, true);
/// assert_eq!((p.status, &out[..p.written]), (Status::Done, &[0x00, 0xE9][..]));
/// ```
#[derive(Clone, Debug)]
pub struct AnyTranscoder<D = ErrorPolicy<'static>, U = UnmappablePolicy<'static>> {
    route: Route,
    carry: Carry<u8>,
    max_units: usize,
    max_code_points: usize,
    pace: Pace,
    on_error: D,
    on_unmappable: U,
}

/// The way from one encoding to another. Direct where UTF-8 is at one end; else by way of the pivot.
#[derive(Clone, Debug)]
#[allow(
    clippy::large_enum_variant,
    reason = "there is one for each text, and it must do without an allocation"
)]
enum Route {
    ToUtf8(any::From<Utf8>),
    FromUtf8(any::To<Utf8>),
    Pivot(any::From<Pivot>, any::To<Pivot>),
    /// Reading only.
    Check(any::From<Void>),
}

/// Bytes of the pivot at a time: with source and target of the same size still well within a first-level cache.
const SCRATCH: usize = 12 * 1024;
/// Bytes of source at a time, so that the scratch holds their pivot form: no byte of a source becomes more than four,
/// policies apart.
const PIECE: usize = SCRATCH / 4;
/// Below this, single steps are as good.
const WORTHWHILE: usize = 64;
/// Room for all that one step yields in the pivot: a replacement at its longest is 1024 bytes.
const STEP_SCRATCH: usize = 2 * 1024;

/// How much of the source is tried at once by way of the pivot. Known from call to call: a caller who goes on after each
/// error must not have a whole piece tried for each.
#[derive(Clone, Copy, Debug)]
struct Pace {
    /// Bytes to try next.
    piece: usize,
    /// Bytes to take by single steps before that.
    steps: usize,
}

impl Pace {
    const fn new() -> Self {
        Self { piece: PIECE, steps: 0 }
    }

    /// A piece of so many bytes went through.
    fn went(&mut self, tried: usize) {
        if tried >= self.piece {
            self.piece = (2 * self.piece).min(PIECE);
        }
    }

    /// One did not: it is to be done again by steps, and what follows is tried with less.
    fn failed(&mut self, tried: usize) {
        *self = Self { piece: WORTHWHILE, steps: tried };
    }
}

impl<D: OnError, U: OnUnmappable> AnyTranscoder<D, U> {
    /// A transcoder at the start of a text.
    #[must_use]
    pub fn new(from: Encoding, to: Encoding, on_error: D, on_unmappable: U) -> Self {
        let route = if to == Encoding::UTF_8 {
            Route::ToUtf8(any::From::new(from))
        } else if from == Encoding::UTF_8 {
            Route::FromUtf8(any::To::new(to))
        } else {
            Route::Pivot(any::From::new(from), any::To::new(to))
        };
        Self {
            route,
            carry: Carry::default(),
            max_units: to.max_bytes(),
            max_code_points: from.max_code_points(),
            pace: Pace::new(),
            on_error,
            on_unmappable,
        }
    }

    /// Converts as much of `src` as fits into `dst`; `last` says that the text ends with `src`.
    ///
    /// After [`Status::NeedOutput`], `IllFormed` or `Unmappable`, call again with `src[read..]` and the same `last`.
    /// Once it was `Done`, nothing follows.
    #[must_use]
    pub fn convert(&mut self, src: &[u8], dst: &mut [u8], last: bool) -> Progress {
        let Self { route, carry, max_units, pace, on_error, on_unmappable, .. } = self;
        carry.run(src, dst, last, |src, dst, last, extent| match route {
            Route::ToUtf8(core) => core.run(src, dst, last, extent, on_error, on_unmappable),
            Route::FromUtf8(core) => core.run(src, dst, last, extent, on_error, on_unmappable),
            Route::Check(core) => core.run(src, dst, last, extent, on_error, on_unmappable),
            Route::Pivot(from, to) => Via { from, to, max_units: *max_units, pace, on_error, on_unmappable }
                .run(src, dst, last, extent),
        })
    }

    /// Ends the output where the conversion was given up: writes what closes a text in the target, such as a shift back.
    /// What was read and not converted yet is forgotten.
    #[must_use]
    pub fn close(&mut self, dst: &mut [u8]) -> Progress {
        self.carry = Carry::default();
        self.convert(&[], dst, true)
    }

    /// The least size of `dst` with which every call makes progress, in bytes.
    #[must_use]
    pub fn min_output(&self) -> usize {
        min_output(self.max_units, self.max_code_points, &self.on_error, &self.on_unmappable)
    }

    /// From now on, count the code points too.
    #[must_use]
    pub fn counting(mut self) -> Self {
        self.source_tally().decoded = Some(0);
        self
    }

    /// At the start: the text is a part of a larger one, in which it begins at `offset`, in bytes. Places in errors and
    /// tallies are those of the larger one.
    ///
    /// So a text can be cut, at borders of code points and where no state of its encoding matters, and its parts converted
    /// each by itself.
    ///
    /// ```
    /// use placemat::{Encoding, ErrorPolicy, UnmappablePolicy, stream::{AnyTranscoder, Status}};
    /// let (stop, keep) = (ErrorPolicy::Stop, UnmappablePolicy::Stop);
    /// let mut t = AnyTranscoder::new(Encoding::UTF_8, Encoding::ISO_8859_1, stop, keep).starting_at(1000);
    /// let Status::IllFormed(e) = t.convert(b"a\xFF", &mut [0; 8], true).status else { panic!() };
    /// assert_eq!(e.offset(), 1001);
    /// ```
    #[must_use]
    pub fn starting_at(mut self, offset: u64) -> Self {
        match &mut self.route {
            Route::ToUtf8(core) => core.start_at(offset),
            Route::FromUtf8(core) => core.start_at(offset),
            Route::Check(core) => core.start_at(offset),
            Route::Pivot(core, _) => core.start_at(offset),
        }
        self
    }

    /// What it came across so far.
    #[must_use]
    pub fn tally(&self) -> Tally {
        match &self.route {
            Route::ToUtf8(core) => *core.tally(),
            Route::FromUtf8(core) => *core.tally(),
            Route::Check(core) => *core.tally(),
            Route::Pivot(from, to) => Tally { unmappable: to.tally().unmappable, ..*from.tally() },
        }
    }

    fn source_tally(&mut self) -> &mut Tally {
        match &mut self.route {
            Route::ToUtf8(core) => core.tally_mut(),
            Route::FromUtf8(core) => core.tally_mut(),
            Route::Check(core) => core.tally_mut(),
            Route::Pivot(from, _) => from.tally_mut(),
        }
    }
}

impl<D: OnError> AnyTranscoder<D> {
    /// A transcoder that writes nothing: it finds what is ill-formed in a text. Give it an empty `dst`.
    ///
    /// ```
    /// use placemat::{Encoding, ErrorPolicy, stream::{AnyTranscoder, Status}};
    /// let mut check = AnyTranscoder::checker(Encoding::UTF_16LE, ErrorPolicy::Stop);
    /// let p = check.convert(b"A\0\x00\xDC", &mut [], true);
    /// let Status::IllFormed(e) = p.status else { panic!() };
    /// assert_eq!(e.to_string(), "unpaired trail surrogate 00 dc at offset 2");
    /// ```
    #[must_use]
    pub fn checker(from: Encoding, on_error: D) -> Self {
        Self {
            route: Route::Check(any::From::new(from)),
            carry: Carry::default(),
            max_units: 0,
            max_code_points: 1,
            pace: Pace::new(),
            on_error,
            on_unmappable: UnmappablePolicy::SurrogatePass,
        }
    }
}

/// A run by way of the pivot.
struct Via<'a> {
    from: &'a mut any::From<Pivot>,
    to: &'a mut any::To<Pivot>,
    max_units: usize,
    pace: &'a mut Pace,
    on_error: &'a mut dyn OnError,
    on_unmappable: &'a mut dyn OnUnmappable,
}

impl Via<'_> {
    fn run(&mut self, src: &[u8], dst: &mut [u8], last: bool, extent: Extent) -> Progress {
        // To clear memory that is not used costs more than a few bytes of text do.
        if extent == Extent::All && src.len() >= WORTHWHILE {
            self.run_through(&mut [0; SCRATCH], src, dst, last, extent)
        } else {
            self.run_through(&mut [0; STEP_SCRATCH], src, dst, last, extent)
        }
    }

    /// Piece by piece through the scratch. Where a piece does not go through smoothly (no room left in `dst`, something
    /// unmappable), it is done again step by step, so that every count and every offset is that of the source.
    fn run_through(
        &mut self,
        scratch: &mut [u8],
        src: &[u8],
        dst: &mut [u8],
        last: bool,
        extent: Extent,
    ) -> Progress {
        let (mut read, mut written) = (0, 0);
        loop {
            let rest = &src[read..];
            // A byte is at most one code point, so this much fits whatever it is, policies apart.
            let room = (dst.len() - written) / self.max_units;
            let piece = &rest[..rest.len().min(self.pace.piece).min(room)];
            let mut smooth = None;
            if extent == Extent::All && self.pace.steps == 0 && piece.len() >= WORTHWHILE {
                let last = last && piece.len() == rest.len();
                smooth = self.smoothly(piece, scratch, &mut dst[written..], last);
                if smooth.is_some() { self.pace.went(piece.len()) } else { self.pace.failed(piece.len()) }
            }
            let owes = self.from.owes();
            let p = smooth.unwrap_or_else(|| {
                let p = self.one_step(rest, scratch, &mut dst[written..], last);
                self.pace.steps = self.pace.steps.saturating_sub(p.read);
                p
            });
            read += p.read;
            written += p.written;
            let went_on = p.status == Status::NeedInput && (p.read > 0 || owes);
            if !went_on || extent == Extent::One && p.read > 0 {
                return Progress { read, written, status: p.status };
            }
        }
    }

    /// A whole piece at once; `None`, and nothing changed, if that leaves a count or an offset in doubt.
    fn smoothly(&mut self, piece: &[u8], scratch: &mut [u8], dst: &mut [u8], last: bool) -> Option<Progress> {
        let before = (*self.from, *self.to);
        let p = self.from.run(
            piece,
            scratch,
            last,
            Extent::All,
            self.on_error,
            &mut UnmappablePolicy::SurrogatePass,
        );
        let closing = last && p.status == Status::Done;
        let pivot = &scratch[..p.written];
        let mut refusing = AtSource { policy: self.on_unmappable, offset: None };
        let q = self.to.run(pivot, dst, closing, Extent::All, &mut ErrorPolicy::Stop, &mut refusing);
        let through = matches!(q.status, Status::NeedInput | Status::Done) && q.read == p.written;
        let held = if through { self.settle(p.status, &mut dst[q.written..]) } else { None };
        let Some(held) = held.filter(|_| p.status != Status::NeedOutput) else {
            (*self.from, *self.to) = before;
            return None;
        };
        Some(Progress { read: p.read, written: q.written + held, status: p.status })
    }

    /// Where the source stops at an error, writes what the target holds back. How much, if there is room for it.
    fn settle(&mut self, status: Status, dst: &mut [u8]) -> Option<usize> {
        if matches!(status, Status::IllFormed(_)) { self.to.settle(dst) } else { Some(0) }
    }

    /// One step of the source, and all that comes of it; or first what the last step owes.
    fn one_step(&mut self, src: &[u8], scratch: &mut [u8], dst: &mut [u8], last: bool) -> Progress {
        let before = (*self.from, *self.to);
        let offset = self.from.offset();
        let p = self.from.run(
            src,
            scratch,
            last,
            if self.from.owes() { Extent::Nothing } else { Extent::One },
            self.on_error,
            &mut UnmappablePolicy::SurrogatePass,
        );
        let closing = p.status == Status::Done;
        let pivot = &scratch[..p.written];
        let known = self.to.tally().unmappable.first;
        let mut asked = AtSource { policy: self.on_unmappable, offset: Some(offset) };
        let q = self.to.run(pivot, dst, closing, Extent::All, &mut ErrorPolicy::Stop, &mut asked);
        let held = match q.status {
            Status::NeedOutput => None,
            Status::Unmappable(_) => {
                // All that comes of the step, or nothing; and what was held back before it.
                *self.to = before.1;
                self.to.settle(dst)
            }
            _ => self.settle(p.status, &mut dst[q.written..]),
        };
        let Some(held) = held else {
            (*self.from, *self.to) = before;
            return Progress { read: 0, written: 0, status: Status::NeedOutput };
        };
        match q.status {
            Status::Unmappable(e) => {
                // Nothing was put for an error if what was to be put could not be written.
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

/// A policy that is asked with offsets in the source. Without one it is not asked at all, and the conversion stops.
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
    fn inspects(&self) -> bool {
        self.policy.inspects()
    }
    fn intercepts(&self, c: CodePoint) -> bool {
        self.policy.intercepts(c)
    }
}
