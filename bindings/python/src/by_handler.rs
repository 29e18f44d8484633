//! Encodes text in encodings without states, and asks a handler for each run of code points that an
//! encoding cannot represent.

use crate::codes::Codes;
use crate::errors;
use crate::handlers::{Found, Put, Registered, place};
use crate::held::Held;
use crate::meanwhile::MIN_UNLOCKED_UNITS;
use crate::raw::{self, alone};
use crate::view::View;
use placemat::stream::{Status, Transcoder};
use placemat::{Encoding, ErrorPolicy};
use pyo3::prelude::*;
use pyo3::types::PyString;

/// Signals are handled after this many errors. A handler in Python handles them itself.
const SIGNAL_STEP_ERRORS: usize = 64;

/// Encodes code units until one has no code. Returns their number.
#[inline]
fn run<U: Copy + Into<u32>>(units: &[U], codes: &mut Codes, out: &mut Vec<u8>) -> usize {
    units.iter().take_while(|&&unit| codes.put(unit.into(), out)).count()
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
    let mut judge = Transcoder::new(raw::UTF_32, encoding).on_error(ErrorPolicy::SurrogatePass);
    // Texts have few characters that begin a run: their reasons, by the low bits.
    let mut reasons: [Option<(u32, errors::Reason<'_>)>; 64] = [const { None }; 64];
    let mut asked = 0;
    loop {
        let (len, read) = from!(view, at, |units| {
            let units = &units[..units.len().min(near)];
            (units.len(), alone(units.len(), || run(units, &mut codes, &mut out)))
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
        let c = view.code_point(at);
        let mut judged = || {
            judge.reset();
            match judge.convert(raw::bytes_of(&[c]), &mut [0; 64], true).status {
                Status::Unmappable(error) => error,
                _ => unreachable!("the table has no code for U+{c:04X}"),
            }
        };
        if let Some(found) = &mut found {
            let known = &mut reasons[c as usize % 64];
            if known.as_ref().is_none_or(|known| known.0 != c) {
                let error = judged();
                *known = Some((c, errors::Reason::new(py, &error.reason().to_string(), error.code())));
            }
            let Some((_, reason)) = known else { continue };
            found.error.set((at, at + len), reason)?;
        } else {
            let judged = judged();
            let error = errors::encode_error(encoding, text, (at, at + len), at as u64, &judged, "")?;
            found = Some(handler.find(error, judged.code())?);
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
                    _ if from!(put, 0, |units| run(units, &mut codes, &mut out)) == put.len() => {}
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
