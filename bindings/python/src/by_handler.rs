//! Encodes text in encodings without states, and asks a handler for each run of code points that an
//! encoding cannot represent.

use crate::codes::Codes;
use crate::errors;
use crate::handlers::{Found, Put, Registered, SIGNAL_STEP_ERRORS, place};
use crate::held::Held;
use crate::meanwhile::MIN_UNLOCKED_UNITS;
use crate::raw::{self, alone};
use crate::view::View;
use core::ops::Range;
use placemat::stream::{Status, Transcoder};
use placemat::{CodePoint, Encoding, ErrorPolicy, Unmappable, UnmappableKind};
use pyo3::prelude::*;
use pyo3::types::PyString;

/// The reasons of this many code points are kept.
const KEPT_REASONS: usize = 128;

/// Returns the kind of error that a code point without a code is.
fn kind_of(c: u32, encoding: Encoding) -> UnmappableKind {
    let mut judge = Transcoder::new(raw::UTF_32, encoding).on_error(ErrorPolicy::SurrogatePass);
    match judge.convert(raw::bytes_of(&[c]), &mut [0; 64], true).status {
        Status::Unmappable(error) => error.kind(),
        _ => unreachable!("the table has no code for U+{c:04X}"),
    }
}

/// Returns the number of code units up to one that has a code.
fn lacking<U: Copy + Into<u32>>(units: &[U], codes: &mut Codes) -> usize {
    units.iter().take_while(|&&unit| !codes.has(unit.into())).count()
}

/// Calls `f` with the code units of a view from an index on.
macro_rules! from {
    ($view:expr, $at:expr, |$units:ident| $f:expr) => {
        match $view {
            View::Ascii($units) | View::Latin1($units) => {
                let $units = &$units[$at..];
                $f
            }
            View::Bmp($units) => {
                let $units = &$units[$at..];
                $f
            }
            View::Full($units) => {
                let $units = &$units[$at..];
                $f
            }
        }
    };
}

/// Encodes a text, and asks a handler; returns `None` for encodings with states.
pub(crate) fn encode(
    text: &Bound<'_, PyString>,
    encoding: Encoding,
    handler: &Registered,
) -> Option<PyResult<Vec<u8>>> {
    let codes = Codes::of(encoding)?;
    Some(by_codes(text, encoding, codes, handler))
}

fn by_codes(
    text: &Bound<'_, PyString>,
    encoding: Encoding,
    mut codes: Codes,
    handler: &Registered,
) -> PyResult<Vec<u8>> {
    let py = text.py();
    let held = Held::of(text)?;
    let view = held.view();
    let mut out = Vec::with_capacity(view.len());
    let mut at = 0;
    let mut found: Option<Found<'_>> = None;
    // Most texts have another error soon: it is not worth while to release the GIL before that.
    let mut near = MIN_UNLOCKED_UNITS;
    // Texts have few characters that begin a run: their reasons, by the low bits.
    let mut reasons: [Option<(u32, errors::Reason)>; KEPT_REASONS] = [const { None }; KEPT_REASONS];
    // The kind of error that surrogates are, and that of all other code points.
    let mut kinds = [None; 2];
    let mut asked = 0;
    let mut names: Option<Names> = None;
    loop {
        let (len, read) = from!(view, at, |units| {
            let units = &units[..units.len().min(near)];
            (units.len(), alone(units.len(), || codes.put(units, &mut out)))
        });
        at += read;
        if at == view.len() {
            return Ok(out);
        }
        near = if read == len { usize::MAX } else { MIN_UNLOCKED_UNITS };
        if read == len {
            continue;
        }
        let len = from!(view, at, |units| lacking(units, &mut codes));
        if let (Some(names), Some(found)) = (&mut names, &found)
            && names.put(view, at..at + len, found, &mut codes, &mut out)?
        {
            at += len;
            py.check_signals()?;
            continue;
        }
        let c = view.code_point(at);
        let is_surrogate = c & 0xFFFF_F800 == 0xD800;
        let kind = *kinds[usize::from(is_surrogate)].get_or_insert_with(|| kind_of(c, encoding));
        let error = || Unmappable::new(0, CodePoint::new(c).unwrap_or_default(), kind);
        if let Some(found) = &mut found {
            let known = &mut reasons[c as usize % KEPT_REASONS];
            if known.as_ref().is_none_or(|known| known.0 != c) {
                *known = Some((c, errors::Reason::new(py, error().reason(), error().code())));
            }
            let Some((_, reason)) = known else { continue };
            found.error.set((at, at + len), reason)?;
        } else {
            let exception = errors::encode_error(encoding, text, (at, at + len), at as u64, &error(), "")?;
            let handler = found.insert(handler.find(exception, error().code())?);
            if handler.is_stock_names()? {
                names = Some(Names::default());
                continue;
            }
        }
        let Some(found) = &found else { continue };
        let (put, position) = found.encode()?;
        match put {
            Put::Bytes(bytes) => out.extend_from_slice(bytes.as_bytes()),
            Put::Text(put) => {
                let held = Held::of(&put)?;
                let put = held.view();
                match put {
                    View::Ascii(ascii) if codes.has_ascii() => out.extend_from_slice(ascii),
                    _ if from!(put, 0, |units| codes.put(units, &mut out)) == put.len() => {}
                    _ => return Err(PyErr::from_value(found.error.object.clone())),
                }
            }
        }
        at = place(position, view.len())?;
        asked += 1;
        if asked % SIGNAL_STEP_ERRORS == 0 {
            py.check_signals()?;
        }
    }
}

/// The replacements of single code points by Python's own `namereplace`, which would look each up in a list of names time
/// and again.
struct Names {
    /// Code points with their replacements in the encoding, by the low bits of the code point.
    known: Vec<(u32, Vec<u8>)>,
}

/// The number of replacements that are kept.
const KEPT_NAMES: usize = 256;

impl Default for Names {
    fn default() -> Self {
        Self { known: vec![(u32::MAX, Vec::new()); KEPT_NAMES] }
    }
}

impl Names {
    /// Appends the replacements of a run; returns `false` if the encoding lacks a character of one, and appends nothing.
    fn put(
        &mut self,
        view: View<'_>,
        run: Range<usize>,
        found: &Found<'_>,
        codes: &mut Codes,
        out: &mut Vec<u8>,
    ) -> PyResult<bool> {
        let before = out.len();
        for at in run.clone() {
            let c = view.code_point(at);
            let known = &mut self.known[c as usize % KEPT_NAMES];
            if known.0 != c {
                found.error.set_range((at, at + 1))?;
                let (put, _) = found.encode()?;
                let mut bytes = Vec::new();
                let is_held = match &put {
                    Put::Text(put) => {
                        let held = Held::of(put)?;
                        from!(held.view(), 0, |units| codes.put(units, &mut bytes)) == held.view().len()
                    }
                    Put::Bytes(_) => false,
                };
                if !is_held {
                    out.truncate(before);
                    found.error.set_range((run.start, run.end))?;
                    return Ok(false);
                }
                *known = (c, bytes);
            }
            out.extend_from_slice(&known.1);
        }
        Ok(true)
    }
}
