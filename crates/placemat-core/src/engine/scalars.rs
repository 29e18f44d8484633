//! Conversion between a form and UTF-16, one scalar value at a time.

use crate::forms::form::{EncodeStep, Form, Step};
use crate::ground::code_point::CodePoint;
use crate::ground::utf16::{Unit, first, put};

/// Reads scalar values, as long as the text is well-formed and each step is one scalar value.
/// Returns the number of bytes and of UTF-16 code units.
#[inline(never)]
pub(super) fn read<F: Form<Unit = u8>>(
    state: &mut F::State,
    src: &[u8],
    units: &mut [Unit],
) -> (usize, usize) {
    let (mut read, mut count) = (0, 0);
    while count < units.len() && read < src.len() {
        let mut after = *state;
        let (len, written) = match F::decode_step(&mut after, &src[read..]) {
            Step::CodePoint { value, len } => {
                let Some(written) = value.to_char().and_then(|c| put(&mut units[count..], c)) else { break };
                (len, written)
            }
            Step::Shift { len } => (len, 0),
            Step::Several { .. } | Step::IllFormed { .. } | Step::Incomplete { .. } => break,
        };
        *state = after;
        (read, count) = (read + len, count + written);
    }
    (read, count)
}

/// Writes scalar values, as long as the form represents them and they fit. Returns the number of
/// UTF-16 code units and of bytes.
#[inline(never)]
pub(super) fn write<F: Form<Unit = u8>>(
    state: &mut F::State,
    units: &[Unit],
    dst: &mut [u8],
) -> (usize, usize) {
    let (mut count, mut written) = (0, 0);
    while let Some((c, taken)) = first(&units[count..]) {
        let c = CodePoint::within_31_bits(c);
        if F::facts(state).repertoire.check(c).is_err() {
            break;
        }
        let EncodeStep::Written(len) = F::encode_step(state, c, &mut dst[written..]) else { break };
        (count, written) = (count + taken, written + len);
    }
    (count, written)
}
