//! A `str` that grows by pieces. Its code units are as wide as the text so far needs.

use crate::held::Held;
use crate::new_str::NewStr;
use crate::raw::Raised;
use crate::table::Table;
use crate::text::max_of_utf8;
use crate::view::View;
use placemat::convert::transcode_into;
use placemat::forms::{Latin1, Utf8, Utf16, Utf32};
use placemat::stream::Status;
use placemat::{EncodingForm, ErrorPolicy, IllFormed, Native, UnmappablePolicy, utf8};
use pyo3::prelude::*;
use pyo3::types::PyString;

#[derive(Debug)]
enum Units {
    One(Vec<u8>),
    Two(Vec<u16>),
    Four(Vec<u32>),
}

/// A text so far.
#[derive(Debug)]
pub(crate) struct Builder(Units);

impl Default for Builder {
    fn default() -> Self {
        Self(Units::One(Vec::new()))
    }
}

/// Bytes are read by a table this many at a time.
const STEP_BYTES: usize = 256;
/// ASCII before them is copied this many bytes at a time.
const BLOCK_BYTES: usize = 16;

/// A text in ASCII of at most this many bytes needs no kernel.
const MAX_PLAIN_BYTES: usize = 256;

/// Adds well-formed UTF-8, whose code points fit the units.
fn append<T: EncodingForm>(src: &[u8], to: &mut Vec<T::Unit>)
where
    T::Unit: Copy + Default,
{
    let mut src = src;
    while !src.is_empty() {
        // As many units as bytes, a piece at a time.
        let end =
            if src.len() <= STEP_UTF8_BYTES { src.len() } else { utf8::floor_boundary(src, STEP_UTF8_BYTES) };
        let (piece, rest) = src.split_at(end);
        let len = to.len();
        to.resize(len + piece.len(), T::Unit::default());
        let stop = (ErrorPolicy::Stop, UnmappablePolicy::Stop);
        let p = transcode_into::<Utf8, T>(piece, &mut to[len..], stop.0, stop.1);
        debug_assert_eq!(p.status, Status::Done, "the text is well-formed, and the units hold it");
        to.truncate(len + p.written);
        src = rest;
    }
}

/// Kernels read text from this many bytes after an error on. Before that, text is read one code point at a time: another
/// error is often near, and the start of a kernel takes as long as many code points.
const MIN_KERNEL_BYTES: usize = 128;

/// Copies a block into code units. Inlined, the compiler would share the load of the whole block with a caller that
/// needs it in general registers, and take each byte from there.
#[inline(never)]
fn copy_block<U: From<u8>>(block: &[u8; ASCII_BYTES], room: &mut [U; ASCII_BYTES]) {
    for (unit, &byte) in room.iter_mut().zip(block) {
        *unit = byte.into();
    }
}

/// Adds the start of a text in UTF-8 one code point at a time, up to an error, a code point above `max`, or
/// [`MIN_KERNEL_BYTES`]. Returns its length in bytes, and the code point above `max`.
#[inline]
fn by_steps<U: Copy + Default + From<u8>>(
    src: &[u8],
    units: &mut Vec<U>,
    max: u32,
    unit: impl Fn(u32) -> U,
    error: &mut Option<IllFormed>,
) -> (usize, Option<u32>) {
    let before = units.len();
    units.resize(before + src.len().min(MIN_KERNEL_BYTES) + ASCII_BYTES, U::default());
    let room = &mut units[before..];
    let (mut at, mut written, mut wide) = (0, 0, None);
    while at < src.len().min(MIN_KERNEL_BYTES) {
        let rest = &src[at..];
        if rest[0].is_ascii() {
            let mut len = 1;
            if let Some(block) = rest.first_chunk::<ASCII_BYTES>()
                && block[1].is_ascii()
                && let Some(room) = room[written..].first_chunk_mut()
            {
                // The whole block, without a branch for the length of the ASCII in it.
                copy_block(block, room);
                let others = u128::from_le_bytes(*block) & (u128::MAX / 0xFF * 0x80);
                len = others.trailing_zeros() as usize / 8;
            } else {
                room[written] = rest[0].into();
            }
            at += len;
            written += len;
            continue;
        }
        match utf8::decode_first(rest) {
            Some(Ok((c, len))) if u32::from(c) <= max => {
                room[written] = unit(c.into());
                at += len;
                written += 1;
            }
            Some(Ok((c, _))) => {
                wide = Some(c.into());
                break;
            }
            Some(Err(found)) => {
                *error = Some(found);
                break;
            }
            None => break,
        }
    }
    units.truncate(before + written);
    (at, wide)
}

/// ASCII among them is added this many bytes at a time.
const ASCII_BYTES: usize = 16;

/// UTF-8 is added this many bytes at a time.
const STEP_UTF8_BYTES: usize = 8 << 10;

/// Adds code units, converted from one width to another.
fn extend<S: Copy, D>(to: &mut Vec<D>, units: &[S], change: impl Fn(S) -> D) {
    to.extend(units.iter().map(|&unit| change(unit)));
}

impl Builder {
    /// Widens the code units so that they fit `max`.
    #[inline]
    fn widen(&mut self, max: u32) {
        let fits = match &self.0 {
            Units::One(_) => max <= 0xFF,
            Units::Two(_) => max <= 0xFFFF,
            Units::Four(_) => true,
        };
        if !fits {
            self.widened(max);
        }
    }

    #[cold]
    fn widened(&mut self, max: u32) {
        self.0 = match (std::mem::replace(&mut self.0, Units::One(Vec::new())), max) {
            (Units::One(units), 0x100..=0xFFFF) => Units::Two(units.into_iter().map(u16::from).collect()),
            (Units::One(units), 0x1_0000..) => Units::Four(units.into_iter().map(u32::from).collect()),
            (Units::Two(units), 0x1_0000..) => Units::Four(units.into_iter().map(u32::from).collect()),
            (units, _) => units,
        };
    }

    /// Adds a text in UTF-8, which is well-formed.
    pub(crate) fn push(&mut self, src: &[u8]) {
        if src.len() <= MAX_PLAIN_BYTES && src.is_ascii() {
            return self.push_ascii(src);
        }
        self.widen(max_of_utf8(src));
        match &mut self.0 {
            Units::One(units) => append::<Latin1>(src, units),
            Units::Two(units) => append::<Utf16<Native>>(src, units),
            Units::Four(units) => append::<Utf32<Native>>(src, units),
        }
    }

    /// Adds the start of a text in UTF-8 one code point at a time, up to an error or some bytes. Returns its length, and
    /// sets the error after it, whose offset is 0.
    #[expect(clippy::cast_possible_truncation, reason = "`by_steps` stops at a code point that is too wide")]
    pub(crate) fn push_by_steps(&mut self, src: &[u8], error: &mut Option<IllFormed>) -> usize {
        let mut read = 0;
        loop {
            let rest = &src[read..];
            let (len, wide) = match &mut self.0 {
                Units::One(units) => by_steps(rest, units, 0xFF, |c| c as u8, error),
                Units::Two(units) => by_steps(rest, units, 0xFFFF, |c| c as u16, error),
                Units::Four(units) => by_steps(rest, units, u32::MAX, |c| c, error),
            };
            read += len;
            match wide {
                Some(wide) => self.widen(wide),
                None => return read,
            }
        }
    }

    #[inline]
    fn push_ascii(&mut self, src: &[u8]) {
        match &mut self.0 {
            Units::One(units) => units.extend_from_slice(src),
            Units::Two(units) => extend(units, src, u16::from),
            Units::Four(units) => extend(units, src, u32::from),
        }
    }

    /// Adds the code points of bytes up to the first that is undefined. Returns their number.
    pub(crate) fn push_by(&mut self, table: &Table, src: &[u8]) -> usize {
        let mut units = [0; STEP_BYTES];
        let mut read = 0;
        while read < src.len() {
            let rest = &src[read..];
            if table.has_ascii() {
                let blocks = rest.as_chunks::<BLOCK_BYTES>().0;
                let ascii = BLOCK_BYTES * blocks.iter().take_while(|block| block.is_ascii()).count();
                self.push_ascii(&rest[..ascii]);
                read += ascii;
            }
            let step = &src[read..src.len().min(read + STEP_BYTES)];
            let (mut len, mut all) = (0, 0);
            for (unit, &byte) in units.iter_mut().zip(step) {
                let c = table.code_point(byte);
                if c == Table::UNDEFINED {
                    break;
                }
                *unit = c;
                all |= c;
                len += 1;
            }
            self.widen(all.into());
            match &mut self.0 {
                Units::One(to) => extend(to, &units[..len], |c: u16| c.to_le_bytes()[0]),
                Units::Two(to) => to.extend_from_slice(&units[..len]),
                Units::Four(to) => extend(to, &units[..len], u32::from),
            }
            read += len;
            if len < step.len() {
                break;
            }
        }
        read
    }

    /// Adds code points.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the units are as wide as the greatest of them needs"
    )]
    pub(crate) fn push_code_points(&mut self, code_points: &[u32]) {
        self.widen(code_points.iter().fold(0, |all, &c| all | c));
        match &mut self.0 {
            Units::One(units) => extend(units, code_points, |c| c as u8),
            Units::Two(units) => extend(units, code_points, |c| c as u16),
            Units::Four(units) => units.extend_from_slice(code_points),
        }
    }

    /// Adds a `str`.
    pub(crate) fn push_str(&mut self, text: &Bound<'_, PyString>) -> PyResult<()> {
        let held = Held::of(text)?;
        match (held.view(), &mut self.0) {
            (View::Ascii(units) | View::Latin1(units), Units::One(to)) => to.extend_from_slice(units),
            (View::Ascii(units) | View::Latin1(units), Units::Two(to)) => extend(to, units, u16::from),
            (View::Bmp(units), Units::Two(to)) => to.extend_from_slice(units),
            (view, _) => {
                let mut code_points = Vec::new();
                view.code_points_into(0..view.len(), &mut code_points);
                self.push_code_points(&code_points);
            }
        }
        Ok(())
    }

    /// Returns the `str`.
    pub(crate) fn finish(self, py: Python<'_>) -> PyResult<Bound<'_, PyString>> {
        let text = match self.0 {
            Units::One(units) => NewStr::of(&units, if units.is_ascii() { 0x7F } else { 0xFF }),
            // At least one code unit needs this width, and code units are never removed.
            Units::Two(units) => NewStr::of(&units, 0xFFFF),
            Units::Four(units) => NewStr::of(&units, 0x10_FFFF),
        };
        bound(py, text)
    }
}

/// Returns the object of a new `str`, or the exception that is set.
pub(crate) fn bound(py: Python<'_>, text: Result<NewStr, Raised>) -> PyResult<Bound<'_, PyString>> {
    let object = text.map_or(std::ptr::null_mut(), NewStr::finish);
    // SAFETY: `object` is a new reference to a `str`, or null with an exception set.
    let any = unsafe { Bound::from_owned_ptr_or_err(py, object) }?;
    Ok(any.cast_into::<PyString>()?)
}
