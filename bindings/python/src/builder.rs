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
use placemat::{EncodingForm, ErrorPolicy, Native, UnmappablePolicy, utf8};
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
