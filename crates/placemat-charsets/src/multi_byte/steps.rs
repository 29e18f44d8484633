//! One code at a time, in each of the encodings.

use super::codes::{Out, Read};
use super::state::MultiByteState;
use super::{bytes, japanese, shifted};
use placemat_core::forms::form::EncodeStep;
use placemat_core::ground::code_point::CodePoint;
use placemat_core::ground::error::UnmappableKind;

pub(super) fn read(state: &mut MultiByteState, src: &[u8]) -> Read {
    match state.encoding {
        encoding if encoding.is_japanese() => japanese::read(encoding, &mut state.japanese, src),
        encoding if encoding.switches() => shifted::read(state, src),
        encoding => bytes::read(encoding, src),
    }
}

/// Writes a code point, and what has to precede it. Whether the encoding holds it.
fn write(state: &mut MultiByteState, c: CodePoint, out: &mut Out) -> bool {
    match state.encoding {
        encoding if encoding.is_japanese() => japanese::write(encoding, &mut state.japanese, c, out),
        encoding if encoding.switches() => shifted::write(state, c, out),
        encoding => {
            let bytes = bytes::of(encoding, c);
            bytes.inspect(|bytes| out.push(bytes.as_slice())).is_some()
        }
    }
}

/// Writes two code points as one code. Returns whether they have one.
fn write_pair(state: &mut MultiByteState, first: CodePoint, second: CodePoint, out: &mut Out) -> bool {
    let Some(place) = state.encoding.grid().find_pair(first, second) else { return false };
    match state.encoding {
        encoding if encoding.is_japanese() => japanese::write_pair(encoding, &mut state.japanese, place, out),
        encoding if encoding.switches() => shifted::write_double(state, place, out),
        encoding => out.push(bytes::at(encoding, place).as_slice()),
    }
    true
}

/// Writes what waits for a mark.
pub(super) fn write_pending(state: &mut MultiByteState, out: &mut Out) {
    if let Some(first) = state.pending.take() {
        // It was held when it came.
        write(state, first, out);
    }
}

impl Out {
    /// Writes them, and with them the state in which they leave the text.
    pub(super) fn write(
        &self,
        dst: &mut [u8],
        state: &mut MultiByteState,
        after: MultiByteState,
    ) -> EncodeStep {
        let Some(dst) = dst.get_mut(..self.len) else { return EncodeStep::NoRoom };
        dst.copy_from_slice(&self.bytes[..self.len]);
        *state = after;
        EncodeStep::Written(self.len)
    }
}

#[inline]
pub(super) fn encode_step(state: &mut MultiByteState, c: CodePoint, dst: &mut [u8]) -> EncodeStep {
    let mut after = *state;
    let mut out = Out::default();
    if let Some(first) = after.pending
        && write_pair(&mut after, first, c, &mut out)
    {
        after.pending = None;
        return out.write(dst, state, after);
    }
    write_pending(&mut after, &mut out);
    if state.encoding.grid().begins_pair(c) {
        after.pending = Some(c);
    } else if !write(&mut after, c, &mut out) {
        return EncodeStep::Unmappable(UnmappableKind::NotInRepertoire);
    }
    out.write(dst, state, after)
}

/// Writes a code point by a step. How many bytes.
#[inline(never)]
pub(super) fn write_one(state: &mut MultiByteState, c: u32, dst: &mut [u8]) -> Option<usize> {
    match encode_step(state, CodePoint::within_31_bits(c), dst) {
        EncodeStep::Written(len) => Some(len),
        _ => None,
    }
}
