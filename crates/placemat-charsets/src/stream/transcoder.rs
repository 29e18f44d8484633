//! Conversion between two encodings chosen at run time.

#[cfg(feature = "alloc")]
use super::checkpoint::Checkpoint;
use crate::encoding::Encoding;
#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use placemat_core::engine::at_once;
use placemat_core::engine::hub::Mode;
use placemat_core::engine::once::Answers;
use placemat_core::engine::via::{Pace, Via};
use placemat_core::engine::{Extent, Progress, Status, Tally, any, calm, units};
use placemat_core::forms::form::Bulk;
use placemat_core::ground::error::IllFormed;
use placemat_core::ground::hints::Engine;
use placemat_core::ground::utf16::Unit;
use placemat_core::kernels::Moved;
use placemat_core::policy::{ErrorPolicy, OnError, OnUnmappable, UnmappablePolicy};
use placemat_core::stream::carry::Carry;
use placemat_core::stream::min_output;
#[cfg(feature = "std")]
use placemat_core::{checked::split_well_formed, forms::form::Step, forms::unicode::utf8::decode_step};
#[cfg(feature = "alloc")]
use placemat_core::{
    engine::any::Place,
    engine::collect::{collect, collect_after},
    engine::ending::Shift,
    ground::error::ConvertError,
};

/// Converts between two byte encodings piece by piece, or a whole text at once. The [module](super) explains the calls.
///
/// Create it from the source and the target encoding, then set the policies. By default it stops at every error.
///
/// ```
/// use placemat::{Encoding, ErrorPolicy, UnmappablePolicy, stream::{Status, Transcoder}};
/// let mut t = Transcoder::new(Encoding::ISO_8859_1, Encoding::UTF_16BE);
/// let mut out = [0; 16];
/// let p = t.convert(b"\xE9", &mut out, true);
/// assert_eq!((p.status, &out[..p.written]), (Status::Done, &[0x00, 0xE9][..]));
///
/// // A whole text at once, with replacements for the errors.
/// let t = Transcoder::new(Encoding::UTF_8, Encoding::ISO_8859_1);
/// let t = t.on_error(ErrorPolicy::Latin1).on_unmappable(UnmappablePolicy::XmlReference);
/// assert_eq!(t.transcode(b"5 \xE2\x82\xAC \xE9")?, b"5 &#8364; \xE9");
/// # Ok::<(), placemat::ConvertError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Transcoder<D = ErrorPolicy<'static>, U = UnmappablePolicy<'static>> {
    from: Encoding,
    to: Encoding,
    route: Route,
    /// The offset at which the route begins, if it is not chosen yet.
    start: u64,
    carry: Carry<u8>,
    /// Whether nothing is carried: input that does not become output stays unread.
    leaves_rest: bool,
    /// Whether the end of the text in a shifted state is an error.
    refuses_open_shift: bool,
    pace: Pace,
    /// The answers of the policies that may not be written yet.
    answers: Answers,
    on_error: D,
    on_unmappable: U,
}

/// The path from one encoding to another: direct if UTF-8 is at one end, otherwise through widened
/// UTF-8.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "there is one for each text, and it must not allocate")]
enum Route {
    /// The path is not chosen yet: most short texts need none.
    Unopened,
    ToUtf8(any::From),
    FromUtf8(any::To),
    Via {
        from: any::From,
        to: any::To,
        /// The longest code point of the target, in bytes.
        max_units: usize,
    },
    /// A transcoder that only validates its source.
    Check(any::From),
}

impl Route {
    #[inline(never)]
    fn new(from: Encoding, to: Encoding) -> Self {
        if to == Encoding::UTF_8 {
            Self::ToUtf8(any::From::new(from.descriptor(), Mode::Utf8))
        } else if from == Encoding::UTF_8 {
            Self::FromUtf8(any::To::new(Mode::Utf8, to.descriptor()))
        } else {
            Self::Via {
                from: any::From::new(from.descriptor(), Mode::Wide),
                to: any::To::new(Mode::Wide, to.descriptor()),
                max_units: to.max_units(),
            }
        }
    }

    /// Returns the engine that reads, unless it reads UTF-8.
    fn reader(&mut self) -> Option<&mut any::From> {
        match self {
            Self::Unopened | Self::FromUtf8(_) => None,
            Self::ToUtf8(core) | Self::Check(core) | Self::Via { from: core, .. } => Some(core),
        }
    }
}

impl Transcoder {
    /// Returns a transcoder at the start of a text in `from`, which writes `to` and stops at every error.
    ///
    /// ```
    /// use placemat::{Encoding, stream::{Status, Transcoder}};
    /// let t = Transcoder::new(Encoding::UTF_8, Encoding::UTF_16BE);
    /// assert_eq!(t.transcode(b"a\xC3\xA9")?, b"\0a\0\xE9");
    /// // Settings follow, in any order.
    /// let mut t = Transcoder::new(Encoding::UTF_8, Encoding::UTF_16BE).counting().starting_at(100);
    /// let p = t.convert(b"ab\xFF", &mut [0; 8], true);
    /// assert!(matches!(p.status, Status::IllFormed(e) if e.offset() == 102));
    /// assert_eq!(t.tally().decoded, Some(2));
    /// # Ok::<(), placemat::ConvertError>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn new(from: Encoding, to: Encoding) -> Self {
        Self::on_route(from, to, ErrorPolicy::Stop, UnmappablePolicy::Stop)
    }

    /// Returns a transcoder that writes nothing: it finds the ill-formed sequences of a text. Give it an empty `dst`.
    ///
    /// ```
    /// use placemat::{Encoding, stream::{Status, Transcoder}};
    /// let mut check = Transcoder::checker(Encoding::UTF_16LE);
    /// let p = check.convert(b"A\0\x00\xDC", &mut [], true);
    /// let Status::IllFormed(e) = p.status else { panic!() };
    /// assert_eq!(e.to_string(), "unpaired trailing surrogate 0x00 0xdc at offset 2");
    /// ```
    #[must_use]
    pub fn checker(encoding: Encoding) -> Self {
        let mut checker = Self::new(encoding, Encoding::UTF_8);
        checker.route = Route::Check(any::From::new(encoding.descriptor(), Mode::Void));
        checker.begin_route();
        checker
    }
}

impl<D, U> Transcoder<D, U> {
    #[inline(always)]
    fn on_route(from: Encoding, to: Encoding, on_error: D, on_unmappable: U) -> Self {
        Self {
            from,
            to,
            route: Route::Unopened,
            start: 0,
            carry: Carry::default(),
            leaves_rest: false,
            refuses_open_shift: true,
            pace: Pace::new(),
            answers: Answers::default(),
            on_error,
            on_unmappable,
        }
    }

    /// Returns the route, chosen if it was not yet.
    #[inline(always)]
    fn open(&mut self) -> &mut Route {
        if matches!(self.route, Route::Unopened) {
            self.route = Route::new(self.from, self.to);
            self.begin_route();
        }
        &mut self.route
    }

    /// Sets where the text of the route begins, and what becomes of errors in it.
    fn begin_route(&mut self) {
        let Self { route, start, leaves_rest, refuses_open_shift, .. } = self;
        if let Some(core) = route.reader() {
            core.begin(*start, *leaves_rest);
            core.refuse_open_shift(*refuses_open_shift && !*leaves_rest);
        } else if let Route::FromUtf8(core) = route {
            core.begin(*start, *leaves_rest);
        }
    }

    fn source_tally(&mut self) -> &mut Tally {
        match self.open() {
            Route::ToUtf8(core) | Route::Check(core) | Route::Via { from: core, .. } => core.tally_mut(),
            Route::FromUtf8(core) => core.tally_mut(),
            Route::Unopened => unreachable!("it is open"),
        }
    }

    /// Sets the policy for ill-formed input.
    #[must_use]
    #[inline]
    pub fn on_error<P: OnError>(self, policy: P) -> Transcoder<P, U> {
        let Self {
            from, to, route, start, carry, leaves_rest, refuses_open_shift, pace, on_unmappable, ..
        } = self;
        Transcoder {
            from,
            to,
            route,
            start,
            carry,
            leaves_rest,
            refuses_open_shift,
            pace,
            answers: Answers::default(),
            on_error: policy,
            on_unmappable,
        }
    }

    /// Sets the policy for text that the target cannot represent.
    #[must_use]
    #[inline]
    pub fn on_unmappable<P: OnUnmappable>(self, policy: P) -> Transcoder<D, P> {
        let Self { from, to, route, start, carry, leaves_rest, refuses_open_shift, pace, on_error, .. } =
            self;
        Transcoder {
            from,
            to,
            route,
            start,
            carry,
            leaves_rest,
            refuses_open_shift,
            pace,
            answers: Answers::default(),
            on_error,
            on_unmappable: policy,
        }
    }

    /// Leaves unread what does not become output, as iconv(3) does: an incomplete sequence at the
    /// end of `src`, an ill-formed one, and text that the target cannot represent. Each call of
    /// [`convert`](Self::convert) then ends as if `src` had ended where it stopped, so the caller
    /// can present the rest again, with other bytes after it or with another policy, or skip some
    /// of it. Set it at the start.
    ///
    /// ```
    /// use placemat::{Encoding, stream::{Status, Transcoder}};
    /// let mut t = Transcoder::new(Encoding::UTF_8, Encoding::ISO_8859_1).leaving_rest();
    /// let mut out = [0; 8];
    /// // The euro sign is not in Latin-1. Its bytes stay unread.
    /// let p = t.convert("5 €".as_bytes(), &mut out, false);
    /// assert!(matches!(p.status, Status::Unmappable(e) if e.offset() == 2));
    /// assert_eq!((p.read, &out[..p.written]), (2, &b"5 "[..]));
    /// // So does half a letter.
    /// let p = t.convert(b"ab\xC3", &mut out, false);
    /// assert_eq!((p.status, p.read, p.written), (Status::NeedInput, 2, 2));
    /// ```
    #[must_use]
    #[inline]
    pub fn leaving_rest(mut self) -> Self {
        self.leaves_rest = true;
        self.begin_route();
        self
    }

    /// Lets the text end in a shifted state, as a part of a larger text may, and as browsers do. Without it,
    /// such an end is an error of the kind [`UnclosedShift`](placemat_core::IllFormedKind::UnclosedShift): a text in
    /// ISO-2022, in HZ or in EBCDIC with two-byte codes that does not return to single bytes is truncated or damaged.
    ///
    /// ```
    /// use placemat::{Encoding, stream::Transcoder};
    /// let decoder = || Transcoder::new(Encoding::ISO_2022_JP, Encoding::UTF_8);
    /// let e = decoder().transcode(b"1\x1B$B$\"").unwrap_err();
    /// assert_eq!(e.to_string(), "unclosed shift 0x1b 0x24 0x42 at offset 1");
    /// assert_eq!(decoder().ending_shifted().transcode(b"1\x1B$B$\"")?, "1あ".as_bytes());
    /// # Ok::<(), placemat::ConvertError>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn ending_shifted(mut self) -> Self {
        self.refuses_open_shift = false;
        self.begin_route();
        self
    }

    /// Returns the shift that the text read so far leaves open, as the error that it is if the text ends here. The offset
    /// is where the shift is; a policy is not asked. [`leaving_rest`](Self::leaving_rest) leaves it to the caller to ask.
    ///
    /// ```
    /// use placemat::{Encoding, stream::Transcoder};
    /// let mut t = Transcoder::new(Encoding::ISO_2022_CN, Encoding::UTF_8);
    /// let mut out = [0; 16];
    /// let _ = t.convert(b"\x1B$)Aa\x0E0!", &mut out, false);
    /// let open = t.open_shift().expect("it ends after SO");
    /// assert_eq!((open.offset(), open.bytes(), open.code()), (5, &b"\x0E"[..], "unclosed-shift"));
    /// let _ = t.convert(b"\x0F", &mut out, false);
    /// assert_eq!(t.open_shift(), None);
    /// ```
    #[must_use]
    pub fn open_shift(&self) -> Option<IllFormed> {
        match &self.route {
            Route::Unopened | Route::FromUtf8(_) => None,
            Route::ToUtf8(core) | Route::Check(core) | Route::Via { from: core, .. } => core.open_shift(),
        }
    }

    /// Goes back to the start of a text, with the same encodings and policies and no tally. It writes nothing: to end the
    /// output properly, call [`close`](Self::close) before.
    ///
    /// ```
    /// use placemat::{Encoding, stream::Transcoder};
    /// let mut t = Transcoder::new(Encoding::UTF_8, Encoding::UTF_16BE);
    /// let mut out = [0; 8];
    /// let _ = t.convert(b"ab\xC3", &mut out, false);
    /// t.reset();
    /// // The lead byte of the first text is forgotten.
    /// let p = t.convert(b"c", &mut out, true);
    /// assert_eq!(&out[..p.written], b"\0c");
    /// ```
    #[inline]
    pub fn reset(&mut self) {
        match self.route {
            Route::Unopened => {}
            Route::Check(_) => self.route = Route::Check(any::From::new(self.from.descriptor(), Mode::Void)),
            _ => self.route = Route::Unopened,
        }
        self.start = 0;
        self.begin_route();
        self.carry = Carry::default();
        self.pace = Pace::new();
        self.answers = Answers::default();
    }

    /// Returns the states of the two encodings here, between two calls; [`resume`](Self::resume) goes on
    /// from them, in this transcoder or in another one for the same encodings. Two checkpoints are
    /// equal if both go on alike. It contains no state of the policies, so a policy that compares a
    /// text with bytes escaped before starts from scratch.
    ///
    /// `None` if a part of the text is inside: bytes that were read and not converted yet, which
    /// [`leaving_rest`](Self::leaving_rest) leaves to the caller.
    ///
    /// ```
    /// use placemat::{Encoding, stream::{Checkpoint, Transcoder}};
    /// let mut t = Transcoder::new(Encoding::ISO_2022_JP, Encoding::UTF_8).leaving_rest();
    /// let mut out = [0; 32];
    /// let first = t.convert(b"\x1B$B$\"", &mut out, false);
    /// let within: Checkpoint = t.checkpoint().expect("nothing is left inside");
    /// let p = t.convert(b"$$\x1B(B", &mut out, true);
    /// assert_eq!(&out[..p.written], "い".as_bytes());
    /// // Again from there, where bytes stand for kana.
    /// t.resume(&within, first.read as u64);
    /// let p = t.convert(b"$&\x1B(B", &mut out, true);
    /// assert_eq!(&out[..p.written], "う".as_bytes());
    /// // Half a letter is inside, unless the transcoder leaves it.
    /// let mut t = Transcoder::new(Encoding::UTF_16LE, Encoding::UTF_8);
    /// let _ = t.convert(b"a\0b", &mut out, false);
    /// assert_eq!(t.checkpoint(), None);
    /// ```
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn checkpoint(&self) -> Option<Checkpoint> {
        if !self.carry.is_empty() {
            return None;
        }
        let (mut from, mut to) = (Place::start(self.from.descriptor()), Place::start(self.to.descriptor()));
        let mut shift = Shift::None;
        match &self.route {
            Route::Unopened => {}
            Route::ToUtf8(core) | Route::Check(core) => (from, shift) = (core.place(), core.shift()),
            Route::FromUtf8(core) => to = core.place(),
            Route::Via { from: reads, to: writes, .. } => {
                (from, to, shift) = (reads.place(), writes.place(), reads.shift());
            }
        }
        Some(Checkpoint { encodings: (self.from, self.to), from, to, shift })
    }

    /// Goes on from a checkpoint, with these policies and no tally. `offset` is the place of the next byte in the text, for
    /// offsets in errors. What the transcoder held is forgotten.
    ///
    /// # Panics
    /// If the checkpoint was made between other encodings.
    ///
    /// ```
    /// use placemat::{Encoding, stream::{Status, Transcoder}};
    /// let mut t = Transcoder::new(Encoding::UTF_16, Encoding::UTF_8);
    /// let start = t.checkpoint().unwrap();
    /// let mut out = [0; 8];
    /// let _ = t.convert(b"\xFE\xFF\0a", &mut out, false);
    /// let big_endian = t.checkpoint().unwrap();
    /// t.resume(&start, 0);
    /// let _ = t.convert(b"\xFF\xFEa\0", &mut out, false);
    /// t.resume(&big_endian, 4);
    /// let p = t.convert(b"\0b\xDC\0", &mut out, true);
    /// let Status::IllFormed(e) = p.status else { panic!("a lone surrogate") };
    /// assert_eq!((&out[..p.written], e.offset()), (&b"b"[..], 6));
    /// ```
    #[cfg(feature = "alloc")]
    pub fn resume(&mut self, checkpoint: &Checkpoint, offset: u64) {
        let Checkpoint { encodings, from, to, shift } = *checkpoint;
        assert_eq!(encodings, (self.from, self.to), "the checkpoint is of another conversion");
        self.route = match self.route {
            Route::Check(_) => Route::Check(any::From::at(from, Mode::Void)),
            _ if self.to == Encoding::UTF_8 => Route::ToUtf8(any::From::at(from, Mode::Utf8)),
            _ if self.from == Encoding::UTF_8 => Route::FromUtf8(any::To::at(Mode::Utf8, to)),
            _ => Route::Via {
                from: any::From::at(from, Mode::Wide),
                to: any::To::at(Mode::Wide, to),
                max_units: self.to.max_units(),
            },
        };
        self.start = offset;
        self.begin_route();
        if let Some(core) = self.route.reader() {
            core.set_open_shift(shift);
        }
        self.carry = Carry::default();
        self.pace = Pace::new();
        self.answers = Answers::default();
    }

    /// Returns the policies, for example to read what they counted.
    ///
    /// ```
    /// use placemat::{Encoding, ErrorPolicy, stream::Transcoder};
    /// let mut t = Transcoder::new(Encoding::UTF_8, Encoding::UTF_8);
    /// *t.policies().0 = ErrorPolicy::Replace;
    /// assert_eq!(t.transcode(b"caf\xE9")?, "caf\u{FFFD}".as_bytes());
    /// # Ok::<(), placemat::ConvertError>(())
    /// ```
    #[inline]
    pub fn policies(&mut self) -> (&mut D, &mut U) {
        self.answers = Answers::default();
        (&mut self.on_error, &mut self.on_unmappable)
    }
}

impl<D: OnError, U: OnUnmappable> Transcoder<D, U> {
    /// Converts a whole text.
    ///
    /// ```
    /// use placemat::{Encoding, stream::Transcoder};
    /// let to_latin1 = || Transcoder::new(Encoding::UTF_16LE, Encoding::ISO_8859_1);
    /// assert_eq!(to_latin1().transcode(b"h\0\xE9\0")?, b"h\xE9");
    /// // The last code unit is incomplete.
    /// assert_eq!(to_latin1().transcode(b"h\0\xE9").unwrap_err().to_string(), "incomplete sequence 0xe9 at offset 2");
    /// # Ok::<(), placemat::ConvertError>(())
    /// ```
    ///
    /// # Errors
    /// If a policy says to stop: the offset and the kind of the error.
    #[cfg(feature = "alloc")]
    pub fn transcode(mut self, src: &[u8]) -> Result<Vec<u8>, ConvertError> {
        self.whole(src)
    }

    /// Converts a whole text as [`transcode`](Self::transcode) does, and returns its tally too: what the policies replaced, and
    /// with [`counting`](Self::counting) the number of code points.
    ///
    /// ```
    /// use placemat::{Encoding, ErrorPolicy, stream::Transcoder};
    /// let t = || Transcoder::new(Encoding::UTF_8, Encoding::UTF_8).on_error(ErrorPolicy::Replace);
    /// let (text, tally) = t().transcode_and_tally("caf\u{E9}".as_bytes())?;
    /// assert_eq!((text.as_slice(), tally.replaced.count), ("café".as_bytes(), 0));
    /// // Latin-1, read as UTF-8: one error, at offset 3.
    /// let (text, tally) = t().transcode_and_tally(b"caf\xE9")?;
    /// assert_eq!(text, "caf\u{FFFD}".as_bytes());
    /// assert_eq!((tally.replaced.count, tally.replaced.first), (1, Some(3)));
    /// # Ok::<(), placemat::ConvertError>(())
    /// ```
    ///
    /// # Errors
    /// If a policy says to stop: the offset and the kind of the error.
    #[cfg(feature = "alloc")]
    pub fn transcode_and_tally(mut self, src: &[u8]) -> Result<(Vec<u8>, Tally), ConvertError> {
        let out = self.whole(src)?;
        Ok((out, self.tally()))
    }

    #[cfg(feature = "alloc")]
    fn whole(&mut self, src: &[u8]) -> Result<Vec<u8>, ConvertError> {
        // A short result is made on the stack, with room for nearly every text, and copied.
        match src.len() {
            0..=64 => self.transcode_after(&mut [0; 4 * 64], src),
            65..=256 => self.transcode_after(&mut [0; 4 * 256], src),
            _ => collect(src, |src, dst| self.convert(src, dst, true)),
        }
    }

    /// Converts a whole text, the start of it into `room`.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    fn transcode_after(&mut self, room: &mut [u8], src: &[u8]) -> Result<Vec<u8>, ConvertError> {
        let p = self.convert(src, room, true);
        match p.status {
            Status::Done | Status::NeedInput => Ok(room[..p.written].to_vec()),
            Status::NeedOutput => collect_after(room[..p.written].to_vec(), &src[p.read..], |src, dst| {
                self.convert(src, dst, true)
            }),
            Status::IllFormed(e) => Err(e.into()),
            Status::Unmappable(e) => Err(e.into()),
        }
    }

    /// Converts as much of `src` as fits into `dst`. Pass `last` if the text ends with `src`.
    ///
    /// After [`Status::NeedOutput`](super::Status), `IllFormed` or `Unmappable`, call again with `src[read..]` and the
    /// same `last`. After `Done`, do not call again.
    ///
    /// ```
    /// use placemat::{Encoding, stream::{Status, Transcoder}};
    /// let mut t = Transcoder::new(Encoding::UTF_16LE, Encoding::UTF_8);
    /// let mut out = vec![0; t.min_output().max(16)];
    /// let p = t.convert(b"h\0\x00\xDC", &mut out, true);
    /// assert_eq!((p.read, p.written), (4, 1));
    /// let Status::IllFormed(e) = p.status else { panic!("a lone surrogate") };
    /// assert_eq!(e.offset(), 2);
    /// ```
    #[must_use]
    #[inline]
    pub fn convert(&mut self, src: &[u8], dst: &mut [u8], last: bool) -> Progress {
        let whole = last || self.leaves_rest;
        if !whole || !matches!(self.route, Route::Unopened) {
            return self.go_on(src, dst, last);
        }
        if src.len() <= at_once::MAX_PLAIN_BYTES
            && !self.on_error.hints(Engine).inspects()
            && !self.on_unmappable.hints(Engine).inspects()
        {
            let (from, to) = (self.from.bulk(), self.to.bulk());
            let Moved { read, written } = at_once::at_once(from, to, src, dst);
            if read == src.len() && read > 0 {
                self.start += read as u64;
                return Progress::new(read, written, Status::at_end(last));
            }
        }
        self.begin(src, dst, last)
    }

    /// Converts from the start of a text.
    #[inline(never)]
    fn begin(&mut self, src: &[u8], dst: &mut [u8], last: bool) -> Progress {
        let mut done = Moved::default();
        let (from, to) = (self.from.bulk(), self.to.bulk());
        let (errors, unmappables) = (self.on_error.hints(Engine), self.on_unmappable.hints(Engine));
        let inspect = errors.inspects() || unmappables.inspects();
        if inspect || !at_once::by_kernel(from, to) {
            let admits = |text: &[u8]| !errors.may_be_in(text) && !unmappables.may_be_in(text);
            done = at_once::ascii(self.from.facts(), self.to.facts(), admits, src, dst);
        }
        let (rest, room) = (&src[done.read..], &mut dst[done.written..]);
        let more = if inspect {
            let admitted = |units: &[Unit]| units::admitted(&self.on_error, &self.on_unmappable, units);
            at_once::brief(from, to, admitted, rest, room)
        } else {
            at_once::at_once(from, to, rest, room)
        };
        done = Moved { read: done.read + more.read, written: done.written + more.written };
        self.start += done.read as u64;
        if done.read == src.len() && (done.read > 0 || at_once::serves(from, to)) {
            return Progress::new(done.read, done.written, Status::at_end(last));
        }
        let p = self.go_on(&src[done.read..], &mut dst[done.written..], last);
        Progress::new(done.read + p.read, done.written + p.written, p.status)
    }

    /// Converts by the engines, but for short texts.
    #[inline(never)]
    fn go_on(&mut self, src: &[u8], dst: &mut [u8], last: bool) -> Progress {
        self.open();
        let done =
            if src.len() <= units::BRIEF_TEXT_BYTES { self.briefly(src, dst) } else { Moved::default() };
        if done.read == src.len() && done.read > 0 && !last {
            return Progress::new(done.read, done.written, Status::NeedInput);
        }
        let p = self.run(&src[done.read..], &mut dst[done.written..], last);
        Progress::new(done.read + p.read, done.written + p.written, p.status)
    }

    /// Converts through UTF-16, up to anything that needs the policies or the engines.
    fn briefly(&mut self, src: &[u8], dst: &mut [u8]) -> Moved {
        if !self.carry.is_empty() {
            return Moved::default();
        }
        let admitted = |units: &[Unit]| units::admitted(&self.on_error, &self.on_unmappable, units);
        match &mut self.route {
            Route::ToUtf8(core) if !core.must_see() && !core.owes() => {
                let moved = units::convert_admitted(core, &mut Bulk::Utf8, admitted, src, dst);
                core.note(src, moved);
                moved
            }
            Route::FromUtf8(core) if !core.must_see() => {
                let moved = units::convert_admitted(&mut Bulk::Utf8, core, admitted, src, dst);
                core.note(moved);
                moved
            }
            Route::Via { from, to, .. } if !from.must_see() && !to.must_see() && !from.owes() => {
                let moved = units::convert_admitted(from, to, admitted, src, dst);
                from.note(src, Moved { written: 0, ..moved });
                to.note(Moved { read: 0, ..moved });
                moved
            }
            _ => Moved::default(),
        }
    }

    /// Converts by the engines.
    fn run(&mut self, src: &[u8], dst: &mut [u8], last: bool) -> Progress {
        let Self { route, carry, leaves_rest, pace, answers, on_error, on_unmappable, .. } = self;
        let (mut on_error, mut on_unmappable) = answers.once(on_error, on_unmappable);
        let (on_error, on_unmappable): (&mut dyn OnError, &mut dyn OnUnmappable) =
            (&mut on_error, &mut on_unmappable);
        let mut run = |src: &[u8], dst: &mut [u8], last, extent| match route {
            Route::ToUtf8(core) => calm::to_utf8(core, src, dst, last, extent, on_error, on_unmappable),
            Route::Check(core) => core.run(src, dst, last, extent, on_error, on_unmappable),
            Route::FromUtf8(core) => calm::from_utf8(core, src, dst, last, extent, on_error, on_unmappable),
            Route::Via { from, to, max_units } => {
                Via { from, to, max_units: *max_units, pace, on_error, on_unmappable }
                    .run(src, dst, last, extent)
            }
            Route::Unopened => unreachable!("it is open"),
        };
        if *leaves_rest { run(src, dst, last, Extent::All) } else { carry.run(src, dst, last, run) }
    }

    /// Copies the bytes carried to the start of `dst`, where [`keep`](Self::keep) finds them,
    /// followed by the next ones. Returns their number, or `None` if the text does not stay as it
    /// is, or if there is no room for more.
    #[cfg(feature = "std")]
    pub(super) fn copy_carried(&self, dst: &mut [u8]) -> Option<usize> {
        let stays = self.from == Encoding::UTF_8
            && self.to == Encoding::UTF_8
            && !self.on_error.hints(Engine).inspects()
            && !self.on_unmappable.hints(Engine).inspects()
            && match &self.route {
                Route::Unopened => true,
                Route::ToUtf8(core) => !core.must_see(),
                _ => false,
            };
        let carried = self.carry.units();
        let (start, room) = dst.split_at_mut_checked(carried.len())?;
        start.copy_from_slice(carried);
        (stays && !room.is_empty()).then_some(carried.len())
    }

    /// Takes text that stays as it is, the bytes carried before it included, up to the first ill-formed sequence.
    /// Returns its length and the rest from there on. An incomplete sequence at the end is carried.
    #[cfg(feature = "std")]
    pub(super) fn keep<'a>(&mut self, text: &'a [u8]) -> (usize, &'a [u8]) {
        let (kept, rest) = split_well_formed(text);
        let len = kept.len();
        if let Route::ToUtf8(core) = self.open() {
            core.note(kept.as_bytes(), Moved { read: len, written: len });
        }
        let is_incomplete = !rest.is_empty() && matches!(decode_step(rest), Step::Incomplete { .. });
        let carried = if is_incomplete { rest } else { &[] };
        self.carry = Carry::of(carried);
        (len, &rest[carried.len()..])
    }

    /// Returns the number of bytes that were read and wait for the next ones: the start of a sequence, or a whole one that
    /// may be part of a longer one.
    ///
    /// ```
    /// use placemat::{Encoding, stream::Transcoder};
    /// let mut t = Transcoder::new(Encoding::UTF_8, Encoding::UTF_16LE);
    /// let mut out = [0; 8];
    /// let p = t.convert(b"a\xE2\x82", &mut out, false);
    /// assert_eq!((p.read, p.written, t.carried()), (3, 2, 2));
    /// let p = t.convert(b"\xAC", &mut out, true);
    /// assert_eq!((p.read, p.written, t.carried()), (1, 2, 0));
    /// ```
    #[must_use]
    pub const fn carried(&self) -> usize {
        self.carry.len()
    }

    /// Ends the output of a conversion that is given up: writes what closes a text in the target, such as a shift back.
    /// Forgets input that was read and not converted yet.
    ///
    /// ```
    /// use placemat::{Encoding, stream::Transcoder};
    /// let mut t = Transcoder::new(Encoding::UTF_8, Encoding::UTF_7);
    /// let mut out = [0; 64];
    /// let p = t.convert("é".as_bytes(), &mut out, false);
    /// let q = t.close(&mut out[p.written..]);
    /// assert_eq!(&out[..p.written + q.written], b"+AOk-");
    /// ```
    #[must_use]
    pub fn close(&mut self, dst: &mut [u8]) -> Progress {
        self.carry = Carry::default();
        if let Some(core) = self.route.reader() {
            core.refuse_open_shift(false);
        }
        self.convert(&[], dst, true)
    }

    /// Returns the smallest `dst` with which every call makes progress, in bytes.
    ///
    /// A policy that yields more than its [`longest`](OnError::longest) needs more: if a call reads
    /// and writes nothing and answers [`NeedOutput`](super::Status::NeedOutput), give it a larger
    /// `dst`.
    #[must_use]
    pub fn min_output(&self) -> usize {
        if matches!(self.route, Route::Check(_)) {
            return 0;
        }
        let (max_units, max_code_points) = (self.to.max_units(), self.from.max_code_points());
        min_output(max_units, max_code_points, &self.on_error, &self.on_unmappable)
    }

    /// Turns on the counting of code points.
    ///
    /// ```
    /// use placemat::{Encoding, ErrorPolicy, stream::Transcoder};
    /// let mut t = Transcoder::new(Encoding::UTF_8, Encoding::UTF_8).on_error(ErrorPolicy::Replace).counting();
    /// let _ = t.convert(b"caf\xE9!", &mut [0; 64], true);
    /// assert_eq!((t.tally().decoded, t.tally().replaced.first), (Some(4), Some(3)));
    /// ```
    #[must_use]
    pub fn counting(mut self) -> Self {
        self.source_tally().decoded = Some(0);
        self
    }

    /// For the start: the text is a part of a larger one and begins there at `offset`, in bytes. Offsets in errors and
    /// tallies are those of the larger text.
    ///
    /// Callers can thus cut a text between code points, where its encoding has no state, and convert
    /// each part separately.
    ///
    /// ```
    /// use placemat::{Encoding, stream::{Status, Transcoder}};
    /// let mut t = Transcoder::new(Encoding::UTF_8, Encoding::ISO_8859_1).starting_at(1000);
    /// let Status::IllFormed(e) = t.convert(b"a\xFF", &mut [0; 8], true).status else { panic!() };
    /// assert_eq!(e.offset(), 1001);
    /// ```
    #[must_use]
    pub fn starting_at(mut self, offset: u64) -> Self {
        self.start = offset;
        self.begin_route();
        self
    }

    /// Returns the tally so far.
    #[must_use]
    pub fn tally(&self) -> Tally {
        match &self.route {
            Route::Unopened => Tally::default(),
            Route::ToUtf8(core) => *core.tally(),
            Route::FromUtf8(core) => *core.tally(),
            Route::Check(core) => *core.tally(),
            Route::Via { from, to, .. } => {
                let mut tally = *from.tally();
                tally.unmappable = to.tally().unmappable;
                tally
            }
        }
    }
}
