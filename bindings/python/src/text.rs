//! `str` objects: new ones, made without an intermediate Rust string, and views of existing ones.
//!
//! A `str` has code units of one, two or four bytes, the narrowest that can represent its largest
//! code point. Every function here measures the text before it makes a `str`, so the width is right
//! by construction.

use crate::new_str::NewStr;
use crate::raw::{self, Raised, Released, alone};
use crate::view::View;
use core::mem::MaybeUninit;
use placemat::forms::{Ascii, Latin1, Utf8, Utf16, Utf32};
use placemat::stream::Status;
use placemat::{EncodingForm, ErrorPolicy, Native, UnmappablePolicy, convert, length, utf8};
use std::borrow::Cow;

/// Texts of at most this many bytes are converted in one call.
const MAX_ONE_CALL_BYTES: usize = 4096;
/// Long texts are converted in pieces of this many bytes; signals are handled between them.
pub(crate) const PIECE_BYTES: usize = 8 << 20;

/// The reason why there is no `str`.
#[derive(Debug)]
pub(crate) enum No {
    /// The bytes are ill-formed.
    IllFormed,
    /// An exception is set.
    Raised,
}

impl From<Raised> for No {
    fn from(_: Raised) -> Self {
        Self::Raised
    }
}

/// The number of code points of a UTF-8 text, and its greatest byte, which determines the width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Survey {
    pub(crate) code_points: usize,
    greatest: u8,
}

impl Survey {
    /// Surveys all bytes of `src`, without checking that they are well-formed.
    #[inline]
    pub(crate) fn of(src: &[u8]) -> Self {
        let mut all = Self { code_points: 0, greatest: 0 };
        // The second pass finds the piece in the nearest cache.
        for piece in src.chunks(8 << 10) {
            all.code_points += length::utf32_from_utf8(piece);
            all.greatest = all.greatest.max(greatest(piece));
        }
        all
    }

    /// Returns a code point of the width of the widest one.
    #[inline]
    pub(crate) const fn max(self) -> u32 {
        max_of(self.greatest)
    }
}

/// Returns a code point of the width of the widest one in a text in UTF-8.
pub(crate) fn max_of_utf8(src: &[u8]) -> u32 {
    max_of(greatest(src))
}

fn greatest(src: &[u8]) -> u8 {
    src.iter().fold(0, |greatest, &byte| greatest.max(byte))
}

/// Returns a code point of the width of the widest one in UTF-8 with this greatest byte. U+00FF is
/// C3 BF, and U+FFFF is EF BF BF.
const fn max_of(greatest: u8) -> u32 {
    match greatest {
        0x00..=0x7F => 0x7F,
        0x80..=0xC3 => 0xFF,
        0xC4..=0xEF => 0xFFFF,
        0xF0..=0xFF => 0x10_FFFF,
    }
}

/// Converts a whole text into code units that it fills exactly. Returns `false` if it is ill-formed
/// or does not fill them.
#[inline]
pub(crate) fn fill<F: EncodingForm, T: EncodingForm>(src: &[F::Unit], dst: &mut [T::Unit]) -> bool {
    let p = convert::transcode_into::<F, T>(src, dst, ErrorPolicy::Stop, UnmappablePolicy::Stop);
    p.status == Status::Done && p.written == dst.len()
}

/// Converts UTF-8 into code units that it fills exactly, in pieces between which signals are
/// handled.
fn fill_long<T: EncodingForm>(src: &[u8], dst: &mut [T::Unit]) -> Result<(), No>
where
    T::Unit: Send,
{
    let (mut src, mut dst) = (src, dst);
    loop {
        let len = if src.len() <= PIECE_BYTES { src.len() } else { utf8::floor_boundary(src, PIECE_BYTES) };
        let (piece, rest) = src.split_at(len);
        let written = Released::run(|| {
            let stop = (ErrorPolicy::Stop, UnmappablePolicy::Stop);
            let p = convert::transcode_into::<Utf8, T>(piece, dst, stop.0, stop.1);
            (p.status == Status::Done).then_some(p.written)
        });
        let Some((_, room)) = written.and_then(|written| dst.split_at_mut_checked(written)) else {
            return Err(No::IllFormed);
        };
        if rest.is_empty() {
            return if room.is_empty() { Ok(()) } else { Err(No::IllFormed) };
        }
        raw::check_signals()?;
        (src, dst) = (rest, room);
    }
}

/// Converts UTF-8 into units that it fills exactly.
#[inline]
fn fill_any<T: EncodingForm>(src: &[u8], dst: &mut [T::Unit]) -> Result<(), No>
where
    T::Unit: Send,
{
    if src.len() > MAX_ONE_CALL_BYTES {
        fill_long::<T>(src, dst)
    } else if fill::<Utf8, T>(src, dst) {
        Ok(())
    } else {
        Err(No::IllFormed)
    }
}

/// Texts of up to this many bytes are converted on the stack and copied: kernels may write past the
/// text, and its code points need not be counted.
const MAX_COPIED_BYTES: usize = 1024;
/// Kernels are fast where they may write this many units past the text.
const OVERRUN_UNITS: usize = 64;

/// Makes a `str` from UTF-8 of at most [`MAX_COPIED_BYTES`] bytes whose widest code point has the
/// width of `max`, which is that of the code units.
#[inline]
fn copied<T: EncodingForm>(src: &[u8], max: u32) -> Result<NewStr, No>
where
    T::Unit: Copy,
{
    let mut room = [MaybeUninit::uninit(); MAX_COPIED_BYTES + OVERRUN_UNITS];
    let room: &mut [T::Unit] = raw::cleared(&mut room[..src.len() + OVERRUN_UNITS]);
    let p = convert::transcode_into::<Utf8, T>(src, room, ErrorPolicy::Stop, UnmappablePolicy::Stop);
    if p.status == Status::Done { Ok(NewStr::of(&room[..p.written], max)?) } else { Err(No::IllFormed) }
}

/// Makes a `str` from UTF-8 bytes that stay unchanged meanwhile.
#[inline]
pub(crate) fn from_utf8(src: &[u8]) -> Result<NewStr, No> {
    if src.len() <= MAX_COPIED_BYTES {
        let max = max_of(greatest(src));
        return match max {
            ..=0x7F => Ok(NewStr::of(src, max)?),
            0x80..=0xFF => copied::<Latin1>(src, max),
            0x100..=0xFFFF => copied::<Utf16<Native>>(src, max),
            _ => copied::<Utf32<Native>>(src, max),
        };
    }
    // Most texts are ASCII as a whole, or are not from the start.
    if src[..32].is_ascii() {
        match from_ascii(src)? {
            AsAscii::Whole(text) => return Ok(text),
            AsAscii::Start(_, len) if is_long_start(len, src) => return after_ascii(src, len),
            AsAscii::Start(..) => {}
        }
    }
    let survey = survey(src)?;
    let max = survey.max();
    let mut text = NewStr::new(survey.code_points, max)?;
    match max {
        // SAFETY: `PyUnicode_New` makes units of one byte for up to U+00FF.
        ..=0x7F => fill_any::<Ascii>(src, unsafe { text.units() }),
        // SAFETY: as above.
        0x80..=0xFF => fill_any::<Latin1>(src, unsafe { text.units() }),
        // SAFETY: `PyUnicode_New` makes units of two bytes for up to U+FFFF.
        0x100..=0xFFFF => fill_any::<Utf16<Native>>(src, unsafe { text.units() }),
        // SAFETY: `PyUnicode_New` makes units of four bytes above U+FFFF.
        _ => fill_any::<Utf32<Native>>(src, unsafe { text.units() }),
    }?;
    Ok(text)
}

/// The private-use character of [`ErrorPolicy::Optu`] for byte 80, and Python's surrogate for it
/// (PEP 383): the first of each.
const ESCAPES: (u16, u16) = (0xEF80, 0xDC80);

/// Returns `true` if one of these private-use characters may be in a text: EE BE 80 to EE BF BF.
fn has_escapes(src: &[u8]) -> bool {
    // Search without an early exit, so that the compiler uses vectors.
    let has_lead = |piece: &[u8]| piece.iter().fold(false, |any, &byte| any | (byte == 0xEE));
    src.chunks(1024).any(has_lead) && src.windows(2).any(|pair| pair[0] == 0xEE && pair[1] >= 0xBE)
}

/// Makes a `str` from UTF-8 bytes, in which each ill-formed byte becomes a surrogate, U+DC80 to
/// U+DCFF (PEP 383). Returns `IllFormed` if the text has private-use characters that could be
/// confused with those used internally.
///
/// The library writes a private-use character for each byte, so the kernels for UTF-8 do all the
/// work; then those become surrogates.
pub(crate) fn from_utf8_escaping(src: &[u8]) -> Result<NewStr, No> {
    if src.len() > PIECE_BYTES || alone(src.len(), || has_escapes(src)) {
        return Err(No::IllFormed);
    }
    let (private, surrogate) = ESCAPES;
    let shift = private - surrogate;
    let escaped = |unit: u16| unit & 0xFF80 == private;
    let decoded = alone(src.len(), || utf8::decode(src, ErrorPolicy::Optu).map(Cow::into_owned));
    let decoded = decoded.map_err(|_| No::IllFormed)?;
    let survey = survey(decoded.as_bytes())?;
    let mut text = NewStr::new(survey.code_points, survey.max())?;
    match survey.max() {
        ..=0xFF => return from_utf8(decoded.as_bytes()),
        0x100..=0xFFFF => {
            // SAFETY: up to U+FFFF, units have two bytes.
            let units: &mut [u16] = unsafe { text.units() };
            fill_any::<Utf16<Native>>(decoded.as_bytes(), units)?;
            alone(units.len(), || {
                units.iter_mut().for_each(|unit| *unit -= if escaped(*unit) { shift } else { 0 });
            });
        }
        _ => {
            // SAFETY: above that, units have four bytes.
            let units: &mut [u32] = unsafe { text.units() };
            fill_any::<Utf32<Native>>(decoded.as_bytes(), units)?;
            alone(units.len(), || {
                let escaped = |unit: u32| unit & 0xFFFF_FF80 == u32::from(private);
                units.iter_mut().for_each(|unit| *unit -= if escaped(*unit) { u32::from(shift) } else { 0 });
            });
        }
    }
    Ok(text)
}

/// The result of an attempt to take bytes for ASCII.
pub(crate) enum AsAscii {
    Whole(NewStr),
    /// Only the first bytes are ASCII, up to this number. The `str` begins with them; its other code
    /// points are unwritten.
    Start(NewStr, usize),
}

/// Makes a `str` from bytes, as far as they are ASCII.
#[inline]
pub(crate) fn from_ascii(src: &[u8]) -> Result<AsAscii, Raised> {
    let mut text = NewStr::new(src.len(), 0x7F)?;
    // SAFETY: up to U+007F, units have one byte.
    let units: &mut [u8] = unsafe { text.units() };
    let convert = |src: &[u8], dst: &mut [u8]| {
        // An error counts as read.
        convert::transcode_into::<Ascii, Ascii>(src, dst, ErrorPolicy::Stop, UnmappablePolicy::Stop).written
    };
    if src.len() <= MAX_ONE_CALL_BYTES {
        let len = convert(src, units);
        return Ok(if len == src.len() { AsAscii::Whole(text) } else { AsAscii::Start(text, len) });
    }
    let mut all = 0;
    for (src, dst) in src.chunks(PIECE_BYTES).zip(units.chunks_mut(PIECE_BYTES)) {
        let len = Released::run(|| convert(src, dst));
        all += len;
        if len < src.len() {
            return Ok(AsAscii::Start(text, all));
        }
        raw::check_signals()?;
    }
    Ok(AsAscii::Whole(text))
}

/// Returns `true` if bytes of ASCII are so much of a text that the rest is better converted by
/// itself.
pub(crate) fn is_long_start(len: usize, src: &[u8]) -> bool {
    len >= MAX_ONE_CALL_BYTES && len >= src.len() / 2
}

/// Copies ASCII into code units of any width. Signals are handled between the pieces of a long text.
fn copy_ascii<U: Copy + Send + From<u8>>(src: &[u8], dst: &mut [U]) -> Result<(), Raised> {
    for (src, dst) in src.chunks(PIECE_BYTES).zip(dst.chunks_mut(PIECE_BYTES)) {
        alone(src.len(), || {
            raw::by_wide_vectors(|| dst.iter_mut().zip(src).for_each(|(unit, &byte)| *unit = byte.into()));
        });
        raw::check_signals()?;
    }
    Ok(())
}

/// Makes a `str` from UTF-8 that begins with `len` bytes of ASCII, most of it.
fn after_ascii(src: &[u8], len: usize) -> Result<NewStr, No> {
    let (start, rest) = src.split_at(len);
    // The check takes less time than to make a long text in vain.
    if !alone(rest.len(), || utf8::validate(rest).is_ok()) {
        return Err(No::IllFormed);
    }
    let survey = survey(rest)?;
    let max = survey.max();
    let mut text = NewStr::new(len + survey.code_points, max)?;
    match max {
        ..=0xFF => {
            // SAFETY: up to U+00FF, units have one byte.
            let (units, more) = unsafe { text.units() }.split_at_mut(len);
            copy_ascii::<u8>(start, units)?;
            fill_any::<Latin1>(rest, more)?;
        }
        0x100..=0xFFFF => {
            // SAFETY: up to U+FFFF, units have two bytes.
            let (units, more) = unsafe { text.units() }.split_at_mut(len);
            copy_ascii::<u16>(start, units)?;
            fill_any::<Utf16<Native>>(rest, more)?;
        }
        _ => {
            // SAFETY: above that, units have four bytes.
            let (units, more) = unsafe { text.units() }.split_at_mut(len);
            copy_ascii::<u32>(start, units)?;
            fill_any::<Utf32<Native>>(rest, more)?;
        }
    }
    Ok(text)
}

/// Makes a `str` from the start of a text, `ascii`, with which `start` begins, and the rest.
pub(crate) fn joined(mut start: NewStr, ascii: &[u8], rest: View<'_>) -> Result<NewStr, Raised> {
    let len = ascii.len() + rest.len();
    match rest {
        View::Ascii(more) => {
            // SAFETY: `from_ascii` makes code units of one byte.
            let units: &mut [u8] = unsafe { start.units() };
            if let Some(room) = units.get_mut(ascii.len()..len) {
                room.copy_from_slice(more);
                return start.shortened(len);
            }
            join(ascii, more, 0x7F)
        }
        View::Latin1(more) => join(ascii, more, 0xFF),
        View::Bmp(more) => join(ascii, more, 0xFFFF),
        View::Full(more) => join(ascii, more, 0x10_FFFF),
    }
}

/// Makes a `str` from ASCII and code units of the width of `max`.
fn join<U: Copy + Send + Sync + From<u8>>(ascii: &[u8], more: &[U], max: u32) -> Result<NewStr, Raised> {
    let mut text = NewStr::new(ascii.len() + more.len(), max)?;
    // SAFETY: callers pass code units of the width of `max`.
    let (units, room) = unsafe { text.units::<U>() }.split_at_mut(ascii.len());
    copy_ascii(ascii, units)?;
    alone(more.len(), || room.copy_from_slice(more));
    Ok(text)
}

#[inline]
fn survey(src: &[u8]) -> Result<Survey, Raised> {
    if src.len() <= MAX_ONE_CALL_BYTES {
        return Ok(Survey::of(src));
    }
    let mut all = Survey { code_points: 0, greatest: 0 };
    for piece in src.chunks(PIECE_BYTES) {
        let part = Released::run(|| Survey::of(piece));
        all.code_points += part.code_points;
        all.greatest = all.greatest.max(part.greatest);
        raw::check_signals()?;
    }
    Ok(all)
}
