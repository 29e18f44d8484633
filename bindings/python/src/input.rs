//! Input objects with bytes: `bytes` as it is, and anything with the buffer protocol as a copy.
//!
//! Another thread, or another process, may write to a buffer at any time. So its bytes are copied
//! before any code looks at them, and no code looks at the original again.

#[cfg(not(Py_LIMITED_API))]
mod buffer;
#[cfg(Py_LIMITED_API)]
mod copy;

#[cfg(not(Py_LIMITED_API))]
use self::buffer::Buffer;
#[cfg(Py_LIMITED_API)]
use self::copy::Buffer;
use crate::builder::Builder;
use crate::decode::{self, Engine, Source};
use crate::handlers::OnDecode;
use crate::raw::alone;
use placemat::Encoding;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMemoryView, PyString};

/// A buffer of more bytes is read in pieces, and errors in it show only a part of it.
pub(crate) const MAX_WHOLE_BYTES: usize = 1 << 20;
/// [`in_pieces`] handles signals after this many bytes of input.
pub(crate) const SIGNAL_STEP_BYTES: usize = 1 << 20;
/// Longer buffers are read in pieces of this many bytes, which stay in the cache of a core.
const PIECE_BYTES: usize = 256 << 10;

/// The input of a call.
pub(crate) enum Input<'py> {
    /// The whole input in a `bytes` object, which never changes.
    Bytes(Bound<'py, PyBytes>),
    /// A buffer that is too long to be copied at once.
    Long(Long),
}

/// A long buffer, of which pieces are copied.
pub(crate) struct Long {
    buffer: Buffer,
    read: usize,
}

impl<'py> Input<'py> {
    /// Returns the bytes of `data`.
    pub(crate) fn of(data: &Bound<'py, PyAny>) -> PyResult<Self> {
        let py = data.py();
        if let Ok(bytes) = data.cast::<PyBytes>() {
            return Ok(Self::Bytes(bytes.clone()));
        }
        if data.is_instance_of::<PyString>() {
            return Err(PyTypeError::new_err(
                "a bytes-like object is required, not 'str', which is text already",
            ));
        }
        let buffer = match Buffer::of(data) {
            Ok(buffer) => buffer,
            // The bytes are not contiguous: a memoryview copies them in the order of their indices.
            Err(error) if !error.is_instance_of::<PyTypeError>(py) => {
                let view = py.get_type::<PyMemoryView>().call1((data,))?;
                return Ok(Self::Bytes(view.call_method0("tobytes")?.cast_into::<PyBytes>()?));
            }
            Err(error) => return Err(error),
        };
        let mut long = Long { buffer, read: 0 };
        if long.rest() > MAX_WHOLE_BYTES {
            return Ok(Self::Long(long));
        }
        let copy = PyBytes::new_with(py, long.rest(), |to| {
            long.copy(to);
            Ok(())
        })?;
        Ok(Self::Bytes(copy))
    }
}

impl<'py> Input<'py> {
    /// Returns the whole input as a `bytes` object, which never changes.
    pub(crate) fn into_bytes(self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        match self {
            Self::Bytes(bytes) => Ok(bytes),
            Self::Long(mut long) => PyBytes::new_with(py, long.rest(), |to| {
                long.copy(to);
                Ok(())
            }),
        }
    }
}

impl Long {
    /// Returns the number of bytes that are not copied yet.
    pub(crate) fn rest(&self) -> usize {
        self.buffer.len() - self.read
    }

    /// Copies the next bytes until `to` is full or none are left. Returns their number.
    pub(crate) fn copy(&mut self, to: &mut [u8]) -> usize {
        let len = to.len().min(self.rest());
        let from = self.buffer.start() as usize + self.read;
        let copy = || {
            // SAFETY: the exporter keeps `len` bytes there until the buffer is released, whoever
            // writes to them meanwhile; this reads them once, by the `memcpy` of C, and makes no
            // reference to them. `to` does not overlap.
            unsafe { std::ptr::copy_nonoverlapping(from as *const u8, to.as_mut_ptr(), len) };
        };
        alone(len, copy);
        self.read += len;
        len
    }

    /// Calls `each` with pieces of the text and whether a piece is the last. `each` returns how
    /// much of a piece it read; the rest comes again before the next bytes.
    pub(crate) fn pieces(
        mut self,
        py: Python<'_>,
        mut each: impl FnMut(&[u8], bool) -> PyResult<usize>,
    ) -> PyResult<()> {
        let mut piece = vec![0; PIECE_BYTES];
        let mut kept = 0;
        loop {
            let more = self.copy(&mut piece[kept..]);
            let (len, last) = (kept + more, self.rest() == 0);
            let read = each(&piece[..len], last)?;
            if last {
                return Ok(());
            }
            piece.copy_within(read..len, 0);
            kept = len - read;
            if kept == piece.len() {
                piece.resize(2 * kept, 0);
            }
            py.check_signals()?;
        }
    }
}

/// Calls `each` with all bytes, in pieces between which signals are handled.
pub(crate) fn in_pieces(data: &Bound<'_, PyAny>, mut each: impl FnMut(&[u8], bool)) -> PyResult<()> {
    let py = data.py();
    match Input::of(data)? {
        Input::Bytes(bytes) => {
            let mut rest = bytes.as_bytes();
            loop {
                let (piece, after) = rest.split_at(rest.len().min(SIGNAL_STEP_BYTES));
                each(piece, after.is_empty());
                if after.is_empty() {
                    return Ok(());
                }
                rest = after;
                py.check_signals()?;
            }
        }
        Input::Long(long) => long.pieces(py, |piece, last| {
            each(piece, last);
            Ok(piece.len())
        }),
    }
}

/// Decodes any object that has bytes. `tried` is true if the fast path for strict UTF-8 has failed.
pub(crate) fn decode<'py>(
    data: &Bound<'py, PyAny>,
    encoding: Encoding,
    errors: &OnDecode,
    tried: bool,
) -> PyResult<Bound<'py, PyString>> {
    let py = data.py();
    match Input::of(data)? {
        Input::Bytes(bytes) => decode::whole(&bytes, encoding, errors, tried),
        Input::Long(long) => {
            let (mut engine, mut out) = (Engine::new(encoding, errors), Builder::default());
            long.pieces(py, |piece, last| engine.feed(Source::Piece(py, piece), last, errors, &mut out))?;
            out.finish(py)
        }
    }
}
