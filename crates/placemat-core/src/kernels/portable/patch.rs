//! Replacement of ill-formed sequences in UTF-8, in plain code.

use super::step::{decode_utf8, is_continuation};
use super::validate::copy_well_formed;
use crate::ground::patch::Patch;
use crate::kernels::marks::{MARKS, STEP};
use crate::kernels::{Mend, Moved, Patched, Replaced, TextRoom};
use crate::simd::Slot;

/// Number of bytes after an error that are converted one code point at a time before blocks are
/// tried again: the next error is often near, and locating it within a block costs more than
/// stepping there.
const STEP_THROUGH_BYTES: usize = 48;

/// Copies UTF-8, with the replacement that `mend` writes for each maximal subpart of an ill-formed
/// sequence. Stops where `mend` does, before an incomplete sequence at the end, and where the next
/// code point does not fit.
pub(crate) fn mend_utf8(src: &[u8], dst: &mut [Slot], mend: &mut dyn Mend) -> Moved {
    let mut done = Moved::default();
    while let (Some(rest), Some(room)) = (src.get(done.read..), dst.get_mut(done.written..)) {
        let moved = copy_well_formed(rest, room);
        done = Moved { read: done.read + moved.read, written: done.written + moved.written };
        let (Some(rest), Some(room)) = (src.get(done.read..), dst.get_mut(done.written..)) else { break };
        if decode_utf8(rest).is_some() {
            break;
        }
        let Some(len) = ill_formed_len(rest) else { break };
        let mut room = TextRoom::new(room);
        let Some(read @ 1..) = mend.mend(done.read, len, &mut room) else { break };
        done = Moved { read: done.read + read, written: done.written + room.written };
    }
    done
}

/// Copies UTF-8, with the replacements of `patch` for each maximal subpart of an ill-formed
/// sequence. Stops before an incomplete sequence at the end, and where the next code point or the
/// replacements of an error do not fit.
pub(crate) fn patch_utf8(src: &[u8], dst: &mut [Slot], patch: Patch) -> Patched {
    let mut all = Patched::default();
    while let Replaced { read, written, .. } = all.replaced
        && let (Some(rest), Some(room)) = (src.get(read..), dst.get_mut(written..))
    {
        let moved = copy_well_formed(rest, room);
        all.replaced.read += moved.read;
        all.replaced.written += moved.written;
        if !walk(src, dst, patch, &mut all) {
            break;
        }
    }
    all
}

/// Copies single code points and replaces errors for [`STEP_THROUGH_BYTES`] bytes. Returns whether
/// any input is left that fits.
#[inline(always)]
fn walk(src: &[u8], dst: &mut [Slot], patch: Patch, all: &mut Patched) -> bool {
    let stop = all.replaced.read + STEP_THROUGH_BYTES;
    while all.replaced.read < stop {
        let Replaced { read, written, .. } = all.replaced;
        let (Some(rest), Some(room)) = (src.get(read..), dst.get_mut(written..)) else { return false };
        let (read, written) = if let Some((_, len)) = decode_utf8(rest) {
            let (Some(from), Some(to)) = (rest.get(..len), room.get_mut(..len)) else { return false };
            Slot::copy(to, from);
            (len, len)
        } else {
            let Some(error) = ill_formed_len(rest).and_then(|len| rest.get(..len)) else { return false };
            let Some(written) = put(patch, error, room) else { return false };
            all.count(patch, error, read);
            (error.len(), written)
        };
        all.replaced.read += read;
        all.replaced.written += written;
    }
    true
}

/// Writes the replacement of an error to the start of `room`, if it fits. Returns the number of
/// bytes.
#[inline(always)]
pub(crate) fn put(patch: Patch, error: &[u8], room: &mut [Slot]) -> Option<usize> {
    let mut written = 0;
    for (i, &byte) in error.iter().enumerate() {
        let text = patch.text(byte, i == 0);
        let to = room.get_mut(written..)?;
        match to.first_chunk_mut() {
            Some(to) => Slot::write(to, text.bytes()),
            None => Slot::copy(to.get_mut(..text.len())?, text.bytes().get(..text.len())?),
        }
        written += text.len();
    }
    Some(written)
}

/// Marks the first bytes of the maximal subparts of ill-formed sequences: bit *i* of word *k* is
/// the byte `at + STEP * k + i`. An incomplete sequence at the end counts as ill-formed. Returns
/// the number of bytes examined: all up to the end, or all that `marks` covers.
pub(crate) fn mark_errors(src: &[u8], at: usize, marks: &mut [u64; MARKS]) -> usize {
    let mut read = begun_before(src, at);
    let src = src.get(at..).unwrap_or_default();
    let end = src.len().min(MARKS * STEP);
    *marks = [0; MARKS];
    while read < end {
        let Some(rest) = src.get(read..) else { break };
        read += if let Some((_, len)) = decode_utf8(rest) {
            len
        } else {
            if let Some(mark) = marks.get_mut(read / STEP) {
                *mark |= 1 << (read % STEP);
            }
            ill_formed_len(rest).unwrap_or(rest.len())
        };
    }
    end
}

/// Number of bytes from `at` on that belong to a sequence, or a maximal subpart of one, that began
/// before.
fn begun_before(src: &[u8], at: usize) -> usize {
    for back in 1..=3.min(at) {
        match src.get(at - back..) {
            Some(from) if from.first().is_some_and(|&byte| !is_continuation(byte)) => {
                let len = match decode_utf8(from) {
                    Some((_, len)) => len,
                    None => ill_formed_len(from).unwrap_or(from.len()),
                };
                return len.saturating_sub(back);
            }
            _ => {}
        }
    }
    0
}

/// Returns the length of the maximal subpart at the start of `src`, which must not begin with a
/// well-formed sequence; `None` if more bytes could make it well-formed, or if `src` is empty.
#[inline(always)]
pub(crate) fn ill_formed_len(src: &[u8]) -> Option<usize> {
    let (&lead, rest) = src.split_first()?;
    let (len, from, to) = match lead {
        0xC2..=0xDF => (2, 0x80, 0xBF),
        0xE0 => (3, 0xA0, 0xBF),
        0xED => (3, 0x80, 0x9F),
        0xE1..=0xEF => (3, 0x80, 0xBF),
        0xF0 => (4, 0x90, 0xBF),
        0xF1..=0xF3 => (4, 0x80, 0xBF),
        0xF4 => (4, 0x80, 0x8F),
        _ => return Some(1),
    };
    let &second = rest.first()?;
    if second < from || second > to {
        return Some(1);
    }
    let mut seen = 2;
    while seen < len {
        if !is_continuation(*src.get(seen)?) {
            return Some(seen);
        }
        seen += 1;
    }
    None
}

/// Returns the length of the incomplete sequence at the end of `src`, or 0.
#[inline]
pub(crate) fn incomplete_len(src: &[u8]) -> usize {
    let end = src.len();
    for len in 1..=3.min(end) {
        let tail = src.get(end - len..).unwrap_or_default();
        if tail.first().is_some_and(|&byte| byte >= 0xC0) {
            return if ill_formed_len(tail).is_none() && decode_utf8(tail).is_none() { len } else { 0 };
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn incomplete_is_what_more_bytes_could_complete() {
        let good =
            |src: &[u8]| core::str::from_utf8(src).err().is_none_or(|error| error.error_len().is_none());
        for bytes in (0..0x100_0000u32).map(u32::to_le_bytes) {
            let src = &bytes[..3];
            // The longest end that is an incomplete sequence by itself.
            let expected = (0..3)
                .map(|from| &src[from..])
                .find(|tail| {
                    tail[0] >= 0xC0
                        && good(tail)
                        && core::str::from_utf8(tail).is_err_and(|e| e.valid_up_to() == 0)
                })
                .map_or(0, <[u8]>::len);
            assert_eq!(incomplete_len(src), expected, "{src:02x?}");
        }
    }
}
