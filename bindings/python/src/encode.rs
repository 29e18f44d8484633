//! Encodes `str` to bytes: fast paths for whole texts, and the loop over pieces that calls
//! handlers.

use crate::errors::{self, Reason};
use crate::handlers::{Errors, Found, OnEncode, Put, place};
use crate::held::Held;
use crate::new_bytes::NewBytes;
use crate::raw::Raised;
use crate::raw::{self, UTF_16, UTF_32, alone};
use crate::table::Table;
use crate::text::{No, PIECE_BYTES};
use crate::view::View;
use crate::writer::Writer;
use crate::{by_handler, escaped, narrow};
use core::mem::MaybeUninit;
use placemat::convert::transcode_into;
use placemat::forms::{Latin1, Utf8, Utf16, Utf32};
use placemat::stream::{Checkpoint, Progress, Status, Transcoder};
use placemat::{Encoding, EncodingForm, ErrorPolicy, Native, Unmappable, UnmappablePolicy, length};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// Texts longer than this, in code points, are encoded in pieces, so that a `KeyboardInterrupt` is
/// handled.
const MAX_WHOLE_POINTS: usize = 32 << 20;
/// The number of code points in a piece.
const PIECE_POINTS: usize = 16 << 10;
/// The number of code points in the first piece after an error: most texts have another error soon.
const POINTS_AFTER_ERROR: usize = 256;

/// Encodes a text as UTF-8. A surrogate is ill-formed.
#[inline]
pub(crate) fn to_utf8(text: View<'_>) -> Result<NewBytes, No> {
    match text {
        View::Ascii(units) => put_own(units),
        View::Latin1(units) => put(units, 2, |_| true, length::utf8_from_latin1, convert::<Latin1, Utf8>),
        View::Bmp(units) => {
            // Two adjacent surrogates are not a pair.
            let sound = |units: &[u16]| !View::Bmp(units).has_surrogate();
            put(units, 3, sound, length::utf8_from_utf16, convert::<Utf16<Native>, Utf8>)
        }
        View::Full(units) => put(units, 4, |_| true, length::utf8_from_utf32, convert::<Utf32<Native>, Utf8>),
    }
}

/// Converts a text, and returns the number of bytes; `None` if it is ill-formed.
#[inline]
fn convert<F: EncodingForm, T: EncodingForm<Unit = u8>>(src: &[F::Unit], dst: &mut [u8]) -> Option<usize> {
    let p = transcode_into::<F, T>(src, dst, ErrorPolicy::Stop, UnmappablePolicy::Stop);
    (p.status == Status::Done).then_some(p.written)
}

/// Texts of up to this many units are converted on the stack and copied, which costs less than
/// measuring them.
const MAX_COPIED_UNITS: usize = 1024;
/// Longer texts are converted in pieces of this many units, which stay in the cache.
const PIECE_UNITS: usize = 32 << 10;
/// Signals are handled after this many units.
const SIGNAL_STEP_UNITS: usize = 1 << 20;

/// Converts code units, each of which is a code point of at most `most` bytes.
#[inline]
fn put<U: Sync>(
    units: &[U],
    most: usize,
    sound: impl Fn(&[U]) -> bool + Sync,
    len: impl Fn(&[U]) -> usize + Sync,
    convert: impl Fn(&[U], &mut [u8]) -> Option<usize> + Sync,
) -> Result<NewBytes, No> {
    if units.len() <= MAX_COPIED_UNITS {
        let mut room = [MaybeUninit::uninit(); 4 * MAX_COPIED_UNITS];
        let room = raw::cleared(&mut room[..most * units.len()]);
        let written = if sound(units) { convert(units, room) } else { None };
        return Ok(NewBytes::of(&room[..written.ok_or(No::IllFormed)?])?);
    }
    if units.len() <= 4 * PIECE_UNITS {
        let len = alone(units.len(), || sound(units).then(|| len(units)));
        let mut new = NewBytes::new(len.ok_or(No::IllFormed)?)?;
        let dst = new.bytes();
        let filled = alone(units.len(), || convert(units, dst) == Some(dst.len()));
        return if filled { Ok(new) } else { Err(No::IllFormed) };
    }
    // The buffer size that the text needs if its rest is like its start, and a reserve for a
    // different part.
    let start = &units[..PIECE_UNITS];
    let like_start = (units.len() / PIECE_UNITS + 1).checked_mul(len(start) + len(start) / 16);
    let mut new = Writer::new(like_start.and_then(|len| len.checked_add(most * SIGNAL_STEP_UNITS)))?;
    let mut written = 0;
    for (i, part) in units.chunks(SIGNAL_STEP_UNITS).enumerate() {
        if new.room - written < most * part.len() {
            let rest = units.len() - i * SIGNAL_STEP_UNITS;
            new.grow(most.checked_mul(rest).and_then(|rest| rest.checked_add(written)))?;
        }
        let room = &mut new.bytes()[written..];
        let more = alone(part.len(), || {
            part.chunks(PIECE_UNITS).try_fold(0, |at, units| {
                let more = if sound(units) { convert(units, &mut room[at..]) } else { None };
                Some(at + more?)
            })
        });
        written += more.ok_or(No::IllFormed)?;
        raw::check_signals()?;
    }
    Ok(new.finish(written)?)
}

/// A copy of at most this many bytes keeps the GIL: it takes a few microseconds, and to release the GIL takes a tenth of that.
const MAX_GIL_COPY_BYTES: usize = 256 << 10;

/// Copies units that are their own bytes. Signals are handled between the pieces of a long text.
#[inline]
fn put_own(units: &[u8]) -> Result<NewBytes, No> {
    if units.len() <= MAX_COPIED_UNITS {
        return Ok(NewBytes::of(units)?);
    }
    let mut new = NewBytes::new(units.len())?;
    if units.len() <= MAX_GIL_COPY_BYTES {
        new.bytes().copy_from_slice(units);
        return Ok(new);
    }
    for (units, dst) in units.chunks(PIECE_BYTES).zip(new.bytes().chunks_mut(PIECE_BYTES)) {
        alone(units.len(), || dst.copy_from_slice(units));
        raw::check_signals()?;
    }
    Ok(new)
}

/// Returns the object of new `bytes`, or the exception that is set.
pub(crate) fn bound(py: Python<'_>, new: Result<NewBytes, Raised>) -> PyResult<Bound<'_, PyBytes>> {
    let object = new.map_or(std::ptr::null_mut(), NewBytes::finish);
    // SAFETY: a new reference to `bytes`, or null with an exception set.
    let any = unsafe { Bound::from_owned_ptr_or_err(py, object) }?;
    Ok(any.cast_into::<PyBytes>()?)
}

/// Encodes a whole text.
pub(crate) fn whole<'py>(
    text: &Bound<'py, PyString>,
    encoding: Encoding,
    errors: &OnEncode,
) -> PyResult<Bound<'py, PyBytes>> {
    let py = text.py();
    let held = Held::of(text)?;
    let view = held.view();
    let policy = errors.stock();
    let inspects =
        matches!(policy, UnmappablePolicy::Optu | UnmappablePolicy::OptuUnchecked | UnmappablePolicy::Optu16);
    if encoding == Encoding::UTF_8 && !inspects {
        match to_utf8(view) {
            Ok(new) => return bound(py, Ok(new)),
            Err(No::Raised) => return Err(PyErr::fetch(py)),
            Err(No::IllFormed) => {}
        }
    }
    if view.len() <= MAX_WHOLE_POINTS
        && let Some(new) = single_bytes(view, encoding, policy)
    {
        return bound(py, new);
    }
    match errors {
        Errors::Stock(policy) => {
            if let Some(new) = narrow::encode(view, encoding, *policy) {
                return bound(py, new);
            }
            if view.len() <= MAX_WHOLE_POINTS
                && *policy == UnmappablePolicy::SurrogateEscapeUnchecked
                && let Some(bytes) = escaped::encode(view, encoding)
            {
                return bound(py, NewBytes::of(&bytes));
            }
        }
        Errors::Registered(handler) => {
            if let Some(bytes) = by_handler::encode(text, encoding, handler) {
                return bound(py, NewBytes::of(&bytes?));
            }
        }
        Errors::ByKind(_) => {}
    }
    if view.len() <= MAX_WHOLE_POINTS
        && let Some(bytes) = at_once(view, encoding, policy)
    {
        return bound(py, NewBytes::of(&bytes));
    }
    let mut out = Vec::new();
    Engine::new(encoding, errors).feed(text, true, errors, &mut out)?;
    bound(py, NewBytes::of(&out))
}

/// Encodes a whole text in a single-byte encoding, directly into the result; returns `None` for
/// other texts and encodings.
///
/// Two adjacent surrogates may be read as a pair here: no such encoding represents either.
fn single_bytes(
    view: View<'_>,
    encoding: Encoding,
    policy: UnmappablePolicy<'_>,
) -> Option<Result<NewBytes, Raised>> {
    let (from, src) = match view {
        _ if encoding.max_bytes() != 1 || policy.inspects() => return None,
        View::Ascii(units) | View::Latin1(units) if encoding == Encoding::ISO_8859_1 => {
            return Some(put_own(units).map_err(|_| Raised));
        }
        View::Ascii(units) | View::Latin1(units) => (Encoding::ISO_8859_1, units),
        View::Bmp(units) => (UTF_16, raw::bytes_of_units(units)),
        View::Full(_) => return None,
    };
    let mut new = match NewBytes::new(view.len()) {
        Ok(new) => new,
        Err(raised) => return Some(Err(raised)),
    };
    let dst = new.bytes();
    let mut transcoder = Transcoder::new(from, encoding);
    let p = alone(src.len(), || transcoder.convert(src, dst, true));
    (p.status == Status::Done && p.written == view.len()).then_some(Ok(new))
}

/// Encodes a piece of text in a single-byte encoding without states; returns `None` for other
/// encodings, and if there is something to report.
pub(crate) fn by_table(
    view: View<'_>,
    encoding: Encoding,
    policy: UnmappablePolicy<'_>,
) -> Option<Result<NewBytes, Raised>> {
    if encoding.max_bytes() != 1 {
        return None;
    }
    Table::of(encoding)?.inverse()?;
    single_bytes(view, encoding, policy).or_else(|| narrow::encode(view, encoding, policy))
}

/// Encodes a whole text by the library's transcoder; returns `None` if there is something to
/// report.
fn at_once(view: View<'_>, encoding: Encoding, policy: UnmappablePolicy<'static>) -> Option<Vec<u8>> {
    let code_points;
    let (from, src) = match view {
        View::Ascii(units) | View::Latin1(units) => (Encoding::ISO_8859_1, units),
        View::Bmp(units) if !view.has_surrogate() => (UTF_16, raw::bytes_of_units(units)),
        View::Bmp(units) => {
            code_points = units.iter().map(|&unit| u32::from(unit)).collect::<Vec<_>>();
            (UTF_32, raw::bytes_of(&code_points))
        }
        View::Full(units) => (UTF_32, raw::bytes_of(units)),
    };
    let transcoder =
        Transcoder::new(from, encoding).on_error(ErrorPolicy::SurrogatePass).on_unmappable(policy);
    alone(src.len(), || transcoder.transcode(src).ok())
}

/// Returns the number of bytes in a code unit.
fn unit_of(encoding: Encoding) -> usize {
    encoding.facts().units_per_error
}

/// An encoder of one encoding, piece by piece.
#[derive(Clone, Debug)]
pub(crate) struct Engine {
    encoding: Encoding,
    transcoder: Box<Transcoder>,
    /// The state at the start of a text.
    start: Checkpoint,
    /// The offset of the next piece in the whole text, in code points.
    pub(crate) offset: u64,
}

impl Engine {
    pub(crate) fn new(encoding: Encoding, errors: &OnEncode) -> Self {
        let transcoder = Transcoder::new(UTF_32, encoding)
            .on_error(ErrorPolicy::SurrogatePass)
            .on_unmappable(errors.stock())
            .leaving_rest();
        let start = raw::checkpoint(&transcoder);
        Self { encoding, transcoder: Box::new(transcoder), start, offset: 0 }
    }

    /// Returns the state at the start of a text.
    pub(crate) fn start(&self) -> Checkpoint {
        self.start
    }

    /// Returns the state of the encoder between two calls.
    pub(crate) fn checkpoint(&self) -> Checkpoint {
        raw::checkpoint(&self.transcoder)
    }

    /// Returns the state within a text, where no signature is due and nothing is shifted: the state
    /// after an ASCII letter and the end.
    pub(crate) fn within(&self) -> Checkpoint {
        let mut copy = self.transcoder.clone();
        copy.resume(&self.start, 0);
        // The status does not matter: an encoding without this letter stays at the start.
        _ = copy.convert(raw::bytes_of(&[u32::from('a')]), &mut [0; 64], true);
        raw::checkpoint(&copy)
    }

    /// Restores a state, at an offset of the whole text.
    pub(crate) fn resume(&mut self, checkpoint: &Checkpoint, offset: u64) {
        self.transcoder.resume(checkpoint, 0);
        self.offset = offset;
    }

    /// Returns to the start of a text.
    pub(crate) fn reset(&mut self) {
        self.transcoder.reset();
        self.offset = 0;
    }

    /// Encodes a piece, and ends the text after the `last` one. Returns the code points at the end of the piece that wait for
    /// those after them.
    pub(crate) fn feed(
        &mut self,
        text: &Bound<'_, PyString>,
        last: bool,
        errors: &OnEncode,
        out: &mut Vec<u8>,
    ) -> PyResult<Vec<u32>> {
        let py = text.py();
        let held = Held::of(text)?;
        let view = held.view();
        let mut units = Vec::new();
        let mut at = 0;
        let mut asked = Asked::new(self.encoding);
        let mut most = PIECE_POINTS;
        loop {
            let to = view.len().min(at + most);
            view.code_points_into(at..to, &mut units);
            let is_last = last && to == view.len();
            let (read, status) = self.convert(&units, is_last, out);
            at += read;
            most = PIECE_POINTS.min(4 * most);
            let error = match status {
                Status::Done => break,
                Status::NeedInput if to == view.len() => break,
                Status::Unmappable(error) => error,
                // Every four bytes are read as a code point, and there is room for it.
                _ => {
                    raw::signals(py)?;
                    continue;
                }
            };
            most = POINTS_AFTER_ERROR;
            let end = asked.end_of_run(view, at);
            let found = asked.about(text, (at, end), self.offset, &error, errors)?;
            let (put, position) = found.encode()?;
            let wrong = || Err(PyErr::from_value(found.error.object.clone()));
            match put {
                Put::Bytes(bytes) if bytes.as_bytes().len() % unit_of(self.encoding) == 0 => {
                    out.extend_from_slice(bytes.as_bytes());
                }
                // Half a code unit would shift all bytes after it.
                Put::Bytes(_) => return wrong(),
                Put::Text(text) => {
                    let held = Held::of(&text)?;
                    let view = held.view();
                    view.code_points_into(0..view.len(), &mut units);
                    let before = out.len();
                    let (read, _) = self.convert(&units, false, out);
                    if read < units.len() {
                        out.truncate(before);
                        return wrong();
                    }
                }
            }
            at = place(position, view.len())?;
            py.check_signals()?;
        }
        self.offset += at as u64;
        view.code_points_into(at..view.len(), &mut units);
        Ok(units)
    }

    /// Encodes code points until one fails, with a buffer that grows as needed. Returns their
    /// number.
    fn convert(&mut self, units: &[u32], last: bool, out: &mut Vec<u8>) -> (usize, Status) {
        let src = raw::bytes_of(units);
        let mut read = 0;
        loop {
            let len = out.len();
            out.resize(len + (src.len() - read).max(self.transcoder.min_output()).max(64), 0);
            let (transcoder, dst) = (&mut self.transcoder, &mut out[len..]);
            let step = &src[read..];
            let p: Progress = alone(step.len() / 4, || transcoder.convert(step, dst, last));
            out.truncate(len + p.written);
            read += p.read;
            if p.status != Status::NeedOutput {
                return (read / 4, p.status);
            }
        }
    }
}

/// The exception of a call, and its handler.
struct Asked<'py> {
    encoding: Encoding,
    /// Encodes one code point alone.
    judge: Option<Box<Transcoder>>,
    found: Option<Found<'py>>,
}

impl<'py> Asked<'py> {
    fn new(encoding: Encoding) -> Self {
        Self { encoding, judge: None, found: None }
    }

    /// Returns the end of the run of unmappable code points from `at` on, as CPython reports them.
    fn end_of_run(&mut self, view: View<'_>, at: usize) -> usize {
        let judge = self.judge.get_or_insert_with(|| {
            Box::new(Transcoder::new(UTF_32, self.encoding).on_error(ErrorPolicy::SurrogatePass))
        });
        let mut is_unmappable = |at: &usize| {
            judge.reset();
            let one = [view.code_point(*at)];
            let status = judge.convert(raw::bytes_of(&one), &mut [0; 256], true).status;
            matches!(status, Status::Unmappable(_))
        };
        at + 1 + (at + 1..view.len()).take_while(|at| is_unmappable(at)).count()
    }

    /// Returns the handler with the exception of an error at a part of a text that begins at
    /// `offset`; fails with the exception if there is no handler.
    fn about(
        &mut self,
        text: &Bound<'py, PyString>,
        range: (usize, usize),
        offset: u64,
        error: &Unmappable,
        errors: &OnEncode,
    ) -> PyResult<&Found<'py>> {
        match &mut self.found {
            Some(found) if offset == 0 => {
                let reason = Reason::new(text.py(), error.reason(), error.code());
                found.error.set(range, &reason)?;
            }
            found => {
                let offset = offset + range.0 as u64;
                let exception = errors::encode_error(self.encoding, text, range, offset, error, "")?;
                let Errors::Registered(handler) = errors else {
                    return Err(PyErr::from_value(exception));
                };
                *found = Some(handler.find(exception, error.code())?);
            }
        }
        self.found.as_ref().ok_or_else(|| PyRuntimeError::new_err("there is a handler"))
    }
}
