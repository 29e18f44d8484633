//! Conversion from bytes in one encoding to bytes in another, without an intermediate `str`.

use crate::handlers::{Errors, OnDecode, OnEncode};
use crate::input::{self, Input};
use crate::raw::alone;
use crate::{encode, names};
use placemat::stream::{Status, Transcoder};
use placemat::{Encoding, ErrorPolicy, UnmappablePolicy};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Signals are handled after this many bytes of input.
const SIGNAL_STEP_BYTES: usize = 4 << 20;

/// The bytes of a text in another encoding: what `encode(decode(data, source, errors), target, unmappable)` gives, at once.
///
/// errors and unmappable are names as `decode` and `encode` take them. Raises DecodeError for ill-formed bytes, EncodeError for text
/// that the target cannot represent, or LookupError for an unknown name.
#[pyfunction]
#[pyo3(signature = (data, source, target = "utf-8", errors = "strict", unmappable = "strict"))]
fn transcode<'py>(
    data: &Bound<'py, PyAny>,
    source: &str,
    target: &str,
    errors: &str,
    unmappable: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let (from, to) = (names::encoding(source)?, names::encoding(target)?);
    let (on_error, on_unmappable) = (OnDecode::of(Some(errors))?, OnEncode::of(Some(unmappable))?);
    if let (Errors::Stock(on_error), Errors::Stock(on_unmappable)) = (&on_error, &on_unmappable)
        && is_direct(*on_error, *on_unmappable)
        && let Some(bytes) = at_once(data, from, to, *on_error, *on_unmappable)?
    {
        return Ok(bytes);
    }
    // Exceptions and handlers need a `str`.
    let text = input::decode(data, from, &on_error, false)?;
    encode::whole(&text, to, &on_unmappable)
}

/// Returns `true` if the policies handle each error by itself, so that an intermediate text would
/// change nothing.
fn is_direct(on_error: ErrorPolicy<'_>, on_unmappable: UnmappablePolicy<'_>) -> bool {
    use ErrorPolicy::{HexEscape, Replace, ReplaceWith, Skip, Stop};
    use UnmappablePolicy as U;
    matches!(on_error, Stop | Replace | ReplaceWith(_) | Skip | HexEscape)
        && matches!(
            on_unmappable,
            U::Stop | U::Replace | U::ReplaceWith(_) | U::Skip | U::XmlReference | U::HexEscape
        )
}

/// Converts the whole text by a transcoder; returns `None` if there is an exception to raise.
fn at_once<'py>(
    data: &Bound<'py, PyAny>,
    from: Encoding,
    to: Encoding,
    on_error: ErrorPolicy<'static>,
    on_unmappable: UnmappablePolicy<'static>,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let py = data.py();
    let mut transcoder = Box::new(Transcoder::new(from, to).on_error(on_error).on_unmappable(on_unmappable));
    let bytes = Input::of(data)?;
    if let Input::Bytes(bytes) = &bytes
        && bytes.as_bytes().len() <= SIGNAL_STEP_BYTES
    {
        let src = bytes.as_bytes();
        let done = alone(src.len(), || transcoder.transcode(src).ok());
        return Ok(done.map(|out| PyBytes::new(py, &out)));
    }
    let mut out = Vec::new();
    let mut good = true;
    let mut each = |piece: &[u8], last: bool| {
        let mut rest = piece;
        while good {
            let len = out.len();
            out.resize(len + rest.len().max(transcoder.min_output()).max(64), 0);
            let p = {
                let (transcoder, dst) = (&mut transcoder, &mut out[len..]);
                alone(rest.len(), || transcoder.convert(rest, dst, last))
            };
            out.truncate(len + p.written);
            rest = &rest[p.read..];
            match p.status {
                Status::Done | Status::NeedInput => break,
                Status::NeedOutput => {}
                Status::IllFormed(_) | Status::Unmappable(_) => good = false,
            }
        }
    };
    match bytes {
        Input::Bytes(bytes) => {
            let src = bytes.as_bytes();
            let mut pieces = src.chunks(SIGNAL_STEP_BYTES).peekable();
            while let Some(piece) = pieces.next() {
                each(piece, pieces.peek().is_none());
                py.check_signals()?;
            }
        }
        Input::Long(long) => long.pieces(py, |piece, last| {
            each(piece, last);
            Ok(piece.len())
        })?,
    }
    Ok(good.then(|| PyBytes::new(py, &out)))
}

/// Adds the function to the module.
pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(transcode, module)?)
}
