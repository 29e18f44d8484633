//! The search for the next error of a text, where a handler is asked about each.

use crate::builder::Builder;
use crate::handlers::{Errors, OnDecode};
use crate::table::Table;
use placemat::policy::ByKind;
use placemat::stream::{Status, Transcoder};
use placemat::{Encoding, IllFormed, utf8};

/// Encodings of which the next error is found faster than the engine begins again, where a handler is asked.
pub(crate) enum NextError {
    Utf8,
    /// The errors of some bytes, by the low bits of the byte.
    Table(&'static Table, Box<[Option<(u8, IllFormed)>; KEPT_ERRORS]>),
}

/// The search for an error that is not near begins with this many bytes, and goes on with twice as many each time.
const SEARCHED_BYTES: usize = 256;
/// The errors of this many bytes are kept.
const KEPT_ERRORS: usize = 16;

impl NextError {
    pub(crate) fn of(encoding: Encoding, errors: &OnDecode) -> Option<Self> {
        match errors {
            Errors::Registered(_) if encoding == Encoding::UTF_8 => Some(Self::Utf8),
            Errors::Registered(_) => {
                Table::of(encoding).map(|table| Self::Table(table, Box::new([None; KEPT_ERRORS])))
            }
            _ => None,
        }
    }

    /// Adds the well-formed start of a piece. Returns its length, and the error after it.
    pub(crate) fn take(
        &mut self,
        step: &[u8],
        is_last: bool,
        transcoder: &mut Transcoder<ByKind<'static>>,
        out: &mut Builder,
    ) -> (usize, Status) {
        match self {
            Self::Utf8 => {
                let mut error = None;
                let mut read = out.push_by_steps(step, &mut error);
                let mut most = SEARCHED_BYTES;
                while error.is_none() && read < step.len() {
                    let rest = &step[read..];
                    let piece = &rest[..rest.len().min(most)];
                    let found = utf8::validate(piece).err();
                    let len = found.map_or(piece.len(), |error| error.valid_up_to());
                    out.push(&rest[..len]);
                    // The next piece has the rest of a sequence that this one cuts.
                    error = found.filter(|error| !error.is_incomplete() || piece.len() == rest.len());
                    read += len;
                    most *= 2;
                }
                let status = match error {
                    Some(error) if is_last || !error.is_incomplete() => Status::IllFormed(error),
                    None if is_last => Status::Done,
                    _ => Status::NeedInput,
                };
                (read, status)
            }
            Self::Table(table, known) => {
                let len = out.push_by(table, step);
                let Some(&[byte]) = step.get(len..=len) else {
                    return (len, if is_last { Status::Done } else { Status::NeedInput });
                };
                let known = &mut known[usize::from(byte) % KEPT_ERRORS];
                if let Some((_, error)) = known.filter(|&(of, _)| of == byte) {
                    return (len, Status::IllFormed(error));
                }
                // The handler's policy stops at the error.
                transcoder.reset();
                let status = transcoder.convert(&[byte], &mut [0; 16], true).status;
                if let Status::IllFormed(error) = status {
                    *known = Some((byte, error));
                }
                (len, status)
            }
        }
    }
}
