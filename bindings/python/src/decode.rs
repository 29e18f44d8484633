//! Decodes bytes to `str`: fast paths for whole texts, and the loop over pieces that calls
//! handlers.

use crate::builder::{Builder, bound};
use crate::errors::{self, Spot};
use crate::escaping::Escaping;
use crate::handlers::{Errors, Found, OnDecode, SIGNAL_STEP_ERRORS, place};
use crate::held::Held;
use crate::meanwhile::MIN_UNLOCKED_UNITS;
use crate::next_error::NextError;
use crate::pairs;
use crate::raw::{self, UTF_32, alone};
use crate::strays;
use crate::table::Table;
use crate::text::{self, AsAscii, No};
use placemat::forms::Repertoire;
use placemat::policy::{ByKind, Otherwise};
use placemat::stream::{Checkpoint, Status, Transcoder};
use placemat::{Encoding, ErrorPolicy, IllFormed, OnError as _, Unmappable, UnmappablePolicy};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// Texts longer than this, in bytes, are decoded in pieces, so that a `KeyboardInterrupt` is
/// handled.
const MAX_WHOLE_BYTES: usize = 32 << 20;
/// Texts of at least this many bytes are looked at for a long start in ASCII before any is converted by
/// a policy.
pub(crate) const MIN_SPLIT_BYTES: usize = 4096;
/// Signals are handled after this many bytes of input.
const SIGNAL_STEP_BYTES: usize = 1 << 20;
/// The size of the output buffer of one call.
const OUTPUT_BYTES: usize = 16 << 10;
/// If an exception has only a part of the input, it includes this many bytes on either side of the
/// error.
const ERROR_CONTEXT_BYTES: usize = 1024;

/// Decodes a whole text, in `bytes`. `tried` is true if the fast path for UTF-8 has failed.
pub(crate) fn whole<'py>(
    data: &Bound<'py, PyBytes>,
    encoding: Encoding,
    errors: &OnDecode,
    tried: bool,
) -> PyResult<Bound<'py, PyString>> {
    let py = data.py();
    let src = data.as_bytes();
    if let Some(text) = at_once(py, src, encoding, errors, tried)? {
        return Ok(text);
    }
    let mut out = Builder::default();
    Engine::new(encoding, errors).feed(Source::Whole(data), true, errors, &mut out)?;
    out.finish(py)
}

/// Decodes a whole text by the fastest method; returns `None` if none of them reaches the end.
fn at_once<'py>(
    py: Python<'py>,
    src: &[u8],
    encoding: Encoding,
    errors: &OnDecode,
    tried: bool,
) -> PyResult<Option<Bound<'py, PyString>>> {
    let taken = |text| match text {
        Ok(text) => bound(py, Ok(text)).map(Some),
        Err(No::IllFormed) => Ok(None),
        Err(No::Raised) => Err(PyErr::fetch(py)),
    };
    // With a handler, and with policies by kind, only text without errors takes the fast path.
    let policy = errors.stock();
    if matches!(errors, Errors::ByKind(_)) && errors.inspects() {
        return Ok(None);
    }
    if encoding == Encoding::UTF_8 && !matches!(policy, ErrorPolicy::Optu | ErrorPolicy::Optu16) {
        if policy != ErrorPolicy::Stop && src.len() >= MIN_SPLIT_BYTES && src[0].is_ascii() {
            match text::from_ascii(src) {
                Err(raw::Raised) => return Err(PyErr::fetch(py)),
                Ok(AsAscii::Whole(text)) => return bound(py, Ok(text)).map(Some),
                Ok(AsAscii::Start(start, len)) if text::is_long_start(len, src) => {
                    let (ascii, rest) = src.split_at(len);
                    let Some(rest) = at_once(py, rest, encoding, errors, false)? else { return Ok(None) };
                    return bound(py, text::joined(start, ascii, Held::of(&rest)?.view())).map(Some);
                }
                Ok(AsAscii::Start(..)) => {}
            }
        }
        let text = if tried { None } else { taken(text::from_utf8(src))? };
        if text.is_some() || policy == ErrorPolicy::Stop {
            return Ok(text);
        }
    }
    if encoding == Encoding::UTF_8
        && let Some(text) = strays::decode(src, policy).or_else(raised(py))?
    {
        return bound(py, Ok(text)).map(Some);
    }
    if encoding == Encoding::UTF_8 && policy == ErrorPolicy::SurrogateEscape {
        return taken(text::from_utf8_escaping(src));
    }
    if src.len() > MAX_WHOLE_BYTES || yields_surrogates(policy) || holds_surrogates(encoding) {
        return Ok(None);
    }
    if policy == ErrorPolicy::Stop
        && let Some(table) = Table::of(encoding)
    {
        return taken(table.decode(src));
    }
    if !policy.inspects()
        && let Some(text) = pairs::decode(encoding, src).or_else(raised(py))?
    {
        return bound(py, Ok(text)).map(Some);
    }
    let decoded = alone(src.len(), || encoding.decode(src, policy).ok());
    match decoded {
        Some(text) => taken(text::from_utf8(text.as_bytes())),
        None => Ok(None),
    }
}

/// Returns the result of an attempt that did not reach the end, unless an exception is set.
fn raised<T>(py: Python<'_>) -> impl Fn(No) -> PyResult<Option<T>> + '_ {
    move |no| match no {
        No::IllFormed => Ok(None),
        No::Raised => Err(PyErr::fetch(py)),
    }
}

/// Returns `true` if the policy yields code points that a Rust string cannot contain.
fn yields_surrogates(policy: ErrorPolicy<'_>) -> bool {
    matches!(policy, ErrorPolicy::SurrogateEscape | ErrorPolicy::SurrogatePass | ErrorPolicy::Optu16)
}

/// Returns `true` if well-formed text of the encoding can have code points that a Rust string
/// cannot contain.
fn holds_surrogates(encoding: Encoding) -> bool {
    matches!(encoding.repertoire(), Repertoire::Bmp | Repertoire::CodePoint | Repertoire::Bits31)
}

/// The input of one call, which does not change during the call.
pub(crate) enum Source<'a, 'py> {
    /// The caller's object, or a copy of it.
    Whole(&'a Bound<'py, PyBytes>),
    /// A copy of a piece of the caller's object.
    Piece(Python<'py>, &'a [u8]),
}

impl<'py> Source<'_, 'py> {
    fn py(&self) -> Python<'py> {
        match self {
            Self::Whole(object) => object.py(),
            Self::Piece(py, _) => *py,
        }
    }
}

/// A decoder of one encoding, piece by piece. The caller passes the unread rest of a piece again.
#[derive(Clone, Debug)]
pub(crate) struct Engine {
    encoding: Encoding,
    /// The target is UTF-32 because there may be surrogates; otherwise it is UTF-8.
    wide: bool,
    transcoder: Box<Transcoder<ByKind<'static>>>,
    /// The state at the start of a text.
    start: Checkpoint,
    /// The offset of the next piece in the whole text.
    pub(crate) offset: u64,
    /// The offset counts from the start of the text, and not from where a caller restored a state.
    pub(crate) is_placed: bool,
    /// The number of bytes that the transcoder has read, without those that handlers skipped.
    read: u64,
    /// The offset in the whole text of the shift that it leaves open, if that was read since the last restored state.
    shift: Option<u64>,
}

impl Engine {
    pub(crate) fn new(encoding: Encoding, errors: &OnDecode) -> Self {
        let policy = errors.by_kind();
        let wide = policy.policies().any(yields_surrogates) || holds_surrogates(encoding);
        let to = if wide { UTF_32 } else { Encoding::UTF_8 };
        let transcoder = Transcoder::new(encoding, to)
            .on_error(policy)
            .on_unmappable(if wide { UnmappablePolicy::SurrogatePass } else { UnmappablePolicy::Stop })
            .leaving_rest();
        let start = raw::checkpoint(&transcoder);
        let transcoder = Box::new(transcoder);
        Self { encoding, wide, transcoder, start, offset: 0, is_placed: true, read: 0, shift: None }
    }

    /// Returns the state at the start of a text.
    pub(crate) fn start(&self) -> Checkpoint {
        self.start
    }

    /// Returns the present state.
    pub(crate) fn checkpoint(&self) -> Checkpoint {
        raw::checkpoint(&self.transcoder)
    }

    /// Restores a state, at an offset of the whole text.
    pub(crate) fn resume(&mut self, checkpoint: &Checkpoint, offset: u64) {
        self.transcoder.resume(checkpoint, offset);
        (self.offset, self.read, self.shift) = (offset, offset, None);
    }

    /// Returns to the start of a text.
    pub(crate) fn reset(&mut self) {
        self.transcoder.reset();
        (self.offset, self.is_placed, self.read, self.shift) = (0, true, 0, None);
    }

    /// Follows the shift that the text leaves open, after `read` more bytes from `offset` of the whole text on.
    fn follow(&mut self, offset: u64, read: usize) {
        if let Some(shift) = self.transcoder.open_shift()
            && let Some(after) = shift.offset().checked_sub(self.read)
        {
            self.shift = Some(offset + after);
        }
        self.read += read as u64;
    }

    /// Raises the error of a text that ends in a shifted state, of which `src` is the last piece, unless the policy lets it
    /// pass: a stock policy adds nothing there, and a handler is heard, but no text of it is taken.
    #[cold]
    fn end(&self, py: Python<'_>, shift: &IllFormed, src: &[u8], errors: &OnDecode) -> PyResult<()> {
        let offset = self.shift.unwrap_or(shift.offset());
        let start = offset.checked_sub(self.offset).and_then(|start| usize::try_from(start).ok());
        let start = start.filter(|start| start + shift.len() <= src.len());
        let (shown, start) = match start {
            Some(start) => (src, start),
            None => (shift.bytes(), 0),
        };
        let spot = Spot {
            object: PyBytes::new(py, shown),
            start,
            end: start + shift.len().min(shown.len()),
            offset,
            is_placed: self.is_placed,
        };
        let error = || errors::decode_error(py, self.encoding, &spot, &errors::reason(shift), shift.code());
        match errors {
            Errors::Registered(handler) => handler.find(error()?, shift.code())?.decode().map(|_| ()),
            _ if matches!(Otherwise::from(errors.by_kind().handle(shift)), Otherwise::Stop) => {
                Err(PyErr::from_value(error()?))
            }
            _ => Ok(()),
        }
    }

    /// Decodes a piece. Returns how many bytes were read: an incomplete sequence at the end is not
    /// read, except in the `last` piece. After a failure, the state is that before the error.
    pub(crate) fn feed(
        &mut self,
        source: Source<'_, '_>,
        last: bool,
        errors: &OnDecode,
        out: &mut Builder,
    ) -> PyResult<usize> {
        let py = source.py();
        // A handler may replace the object.
        let mut object = match source {
            Source::Whole(object) => Some(object.clone()),
            Source::Piece(..) => None,
        };
        let piece = match source {
            Source::Whole(_) => &[],
            Source::Piece(_, piece) => piece,
        };
        if let Some(mut escaping) = Escaping::of(self.encoding, errors.stock(), &mut self.transcoder) {
            let src = object.as_ref().map_or(piece, |object| object.as_bytes());
            let read = escaping.feed(py, src, last, out)?;
            self.offset += read as u64;
            return Ok(read);
        }
        let mut next = NextError::of(self.encoding, errors);
        let mut room = Room::new(self.wide);
        let (mut at, mut looked, mut errors_asked) = (0_usize, 0, 0);
        let mut asked = Asked::default();
        // After an error, the next is often near: it is not worth while to release the GIL before that.
        let mut most = if next.is_some() { MIN_UNLOCKED_UNITS } else { SIGNAL_STEP_BYTES };
        loop {
            if at.abs_diff(looked) >= SIGNAL_STEP_BYTES {
                looked = at;
                raw::signals(py)?;
            }
            let held = object.clone();
            let src = held.as_ref().map_or(piece, |object| object.as_bytes());
            let to = src.len().min(at + most);
            let is_last = last && to == src.len();
            let step = &src[at..to];
            // With many errors, it costs less to find the next than to let the engine begin again.
            let (read, written, status) = match &mut next {
                Some(next) if most < SIGNAL_STEP_BYTES => {
                    let (read, status) = next.take(step, is_last, &mut self.transcoder, out);
                    (read, read, status)
                }
                _ => {
                    let (transcoder, dst) = (&mut self.transcoder, room.bytes());
                    let p = alone(step.len(), || transcoder.convert(step, dst, is_last));
                    room.put(p.written, out);
                    self.follow(self.offset + at as u64, p.read);
                    (p.read, p.written, p.status)
                }
            };
            at += read;
            let error = match status {
                Status::Done => {
                    if let Some(shift) = self.transcoder.open_shift().filter(|_| is_last) {
                        self.end(py, &shift, src, errors)?;
                    }
                    break;
                }
                Status::NeedInput if to == src.len() => break,
                Status::NeedInput => {
                    most = SIGNAL_STEP_BYTES;
                    continue;
                }
                Status::NeedOutput => {
                    if read == 0 && written == 0 {
                        room.grow();
                    }
                    continue;
                }
                Status::IllFormed(ref error) => Trouble::IllFormed(error),
                // The code point is above U+10FFFF, in an encoding of 31 bits.
                Status::Unmappable(error) => Trouble::Unmappable(self.length_of_one(&src[at..]), error),
            };
            most = MIN_UNLOCKED_UNITS;
            let (start, end) = (at, (at + error.len()).min(src.len()));
            let base = match held {
                Some(_) => 0,
                None => start.saturating_sub(ERROR_CONTEXT_BYTES),
            };
            let spot = Place {
                object: held.as_ref(),
                src,
                base,
                range: (start - base, end - base),
                offset: self.offset + start as u64,
                is_placed: self.is_placed,
            };
            let found = asked.about(py, self.encoding, &error, &spot, errors)?;
            let (put, position) = found.decode()?;
            // Handlers may change the object, as CPython allows.
            let now = found.error.bytes()?;
            at = base + place(position, now.as_bytes().len())?;
            out.push_str(&put)?;
            if object.is_some() {
                object = Some(now);
            }
            errors_asked += 1;
            if errors_asked % SIGNAL_STEP_ERRORS == 0 {
                py.check_signals()?;
            }
        }
        self.offset += at as u64;
        Ok(at)
    }

    /// Returns the length of the sequence at the start of `src`, which this encoding reads and a
    /// `str` cannot contain.
    fn length_of_one(&self, src: &[u8]) -> usize {
        let fits = |len: &usize| {
            let mut copy = Transcoder::new(self.encoding, Encoding::UTF_8_31_BIT).leaving_rest();
            let p = copy.convert(&src[..*len], &mut [0; 64], false);
            p.read == *len
        };
        (1..=src.len().min(16)).find(fits).unwrap_or(1)
    }
}

/// An error.
enum Trouble<'a> {
    IllFormed(&'a IllFormed),
    /// The length of a sequence that a `str` cannot contain, and its code point.
    Unmappable(usize, Unmappable),
}

impl Trouble<'_> {
    fn len(&self) -> usize {
        match self {
            Self::IllFormed(error) => error.len(),
            Self::Unmappable(len, _) => *len,
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::IllFormed(error) => error.code(),
            Self::Unmappable(_, error) => error.code(),
        }
    }

    fn reason(&self) -> String {
        match self {
            Self::IllFormed(error) => errors::reason(error),
            Self::Unmappable(_, error) => error.to_string(),
        }
    }
}

/// The position of an error.
struct Place<'a, 'py> {
    /// The whole text.
    object: Option<&'a Bound<'py, PyBytes>>,
    /// The piece with the error.
    src: &'a [u8],
    /// The index in it of the part that the exception shows.
    base: usize,
    /// The code units of the error in that part.
    range: (usize, usize),
    /// The offset in the whole text.
    offset: u64,
    is_placed: bool,
}

/// The exception of a call, and its handler.
#[derive(Default)]
struct Asked<'py> {
    found: Option<Found<'py>>,
}

impl<'py> Asked<'py> {
    /// Returns the handler with the exception of an error; fails with the exception if there is no
    /// handler.
    fn about(
        &mut self,
        py: Python<'py>,
        encoding: Encoding,
        error: &Trouble<'_>,
        place: &Place<'_, 'py>,
        errors: &OnDecode,
    ) -> PyResult<&Found<'py>> {
        // Only in a whole text, the position in the object is the offset too.
        let moves = place.object.is_some() && place.offset == place.range.0 as u64;
        if moves && self.found.is_some() {
            self.go_on(py, error, place.range)?;
        } else {
            let context = || {
                let end = place.src.len().min(place.base + place.range.1 + ERROR_CONTEXT_BYTES);
                PyBytes::new(py, &place.src[place.base..end])
            };
            let spot = Spot {
                object: place.object.map_or_else(context, Bound::clone),
                start: place.range.0,
                end: place.range.1,
                offset: place.offset,
                is_placed: place.is_placed,
            };
            let exception = errors::decode_error(py, encoding, &spot, &error.reason(), error.code())?;
            let Errors::Registered(handler) = errors else {
                return Err(PyErr::from_value(exception));
            };
            self.found = Some(handler.find(exception, error.code())?);
        }
        self.found.as_ref().ok_or_else(|| PyRuntimeError::new_err("there is a handler"))
    }

    /// Moves the exception to the next error.
    fn go_on(&mut self, py: Python<'py>, error: &Trouble<'_>, range: (usize, usize)) -> PyResult<()> {
        let Some(found) = &mut self.found else { return Ok(()) };
        match error {
            Trouble::IllFormed(error) => found.error.set(range, &errors::reason_of(py, error)),
            Trouble::Unmappable(_, error) => {
                found.error.set(range, &errors::Reason::new(py, error.reason(), error.code()))
            }
        }
    }
}

/// The output buffer of one call.
struct Room {
    units: Vec<u32>,
    wide: bool,
}

impl Room {
    fn new(wide: bool) -> Self {
        Self { units: Vec::new(), wide }
    }

    fn bytes(&mut self) -> &mut [u8] {
        if self.units.is_empty() {
            self.units.resize(OUTPUT_BYTES, 0);
        }
        raw::bytes_of_mut(&mut self.units)
    }

    fn grow(&mut self) {
        self.units.resize(2 * self.units.len(), 0);
    }

    /// Adds the bytes that were written.
    fn put(&self, written: usize, out: &mut Builder) {
        if self.wide {
            out.push_code_points(&self.units[..written / 4]);
        } else {
            out.push(&raw::bytes_of(&self.units)[..written]);
        }
    }
}
