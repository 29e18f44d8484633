//! A `str` that grows by pieces. Its code units are as wide as the text so far needs.

use crate::held::Held;
use crate::new_str::NewStr;
use crate::raw::Raised;
use crate::text::{Survey, fill};
use crate::view::View;
use placemat::Native;
use placemat::forms::{Latin1, Utf8, Utf16, Utf32};
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

/// Adds code units, converted from one width to another.
fn extend<S: Copy, D>(to: &mut Vec<D>, units: &[S], change: impl Fn(S) -> D) {
    to.extend(units.iter().map(|&unit| change(unit)));
}

impl Builder {
    /// Widens the code units so that they fit `max`.
    fn widen(&mut self, max: u32) {
        self.0 = match (std::mem::replace(&mut self.0, Units::One(Vec::new())), max) {
            (Units::One(units), 0x100..=0xFFFF) => Units::Two(units.into_iter().map(u16::from).collect()),
            (Units::One(units), 0x1_0000..) => Units::Four(units.into_iter().map(u32::from).collect()),
            (Units::Two(units), 0x1_0000..) => Units::Four(units.into_iter().map(u32::from).collect()),
            (units, _) => units,
        };
    }

    /// Adds a text in UTF-8.
    pub(crate) fn push(&mut self, text: &str) {
        let survey = Survey::of(text.as_bytes());
        self.widen(survey.max());
        fn room<U: Copy + Default>(units: &mut Vec<U>, more: usize) -> &mut [U] {
            let len = units.len();
            units.resize(len + more, U::default());
            &mut units[len..]
        }
        let (src, more) = (text.as_bytes(), survey.code_points);
        let whole = match &mut self.0 {
            Units::One(units) => fill::<Utf8, Latin1>(src, room(units, more)),
            Units::Two(units) => fill::<Utf8, Utf16<Native>>(src, room(units, more)),
            Units::Four(units) => fill::<Utf8, Utf32<Native>>(src, room(units, more)),
        };
        debug_assert!(whole, "the text has that many code points, which the units hold");
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
