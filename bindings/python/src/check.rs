//! Is the text well-formed, and if not, where not?

use crate::input::Input;
use placemat::Encoding;
use placemat::stream::{Status, Transcoder};
use pyo3::prelude::*;

/// Signals are handled after this many bytes of input.
const SIGNAL_STEP_BYTES: usize = 4 << 20;

/// Whether the bytes are well-formed.
pub(crate) fn is_valid(data: &Bound<'_, PyAny>, encoding: Encoding) -> PyResult<bool> {
    let py = data.py();
    let mut checker = Box::new(Transcoder::checker(encoding));
    let mut valid = true;
    let mut look = |piece: &[u8], last: bool| {
        valid = valid
            && py.detach(|| {
                matches!(checker.convert(piece, &mut [], last).status, Status::Done | Status::NeedInput)
            });
        Ok(piece.len())
    };
    match Input::of(data)? {
        Input::Bytes(bytes) => {
            let mut rest = bytes.as_bytes();
            loop {
                let (piece, after) = rest.split_at(rest.len().min(SIGNAL_STEP_BYTES));
                look(piece, after.is_empty())?;
                if after.is_empty() {
                    break;
                }
                rest = after;
                py.check_signals()?;
            }
        }
        Input::Long(long) => long.pieces(py, look)?,
    }
    Ok(valid)
}
