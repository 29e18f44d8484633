//! UTF-8 with texts for ill-formed sequences, in plain code.

use super::step::{decode_utf8, is_continuation};
use super::validate::copy_well_formed;
use crate::ground::patch::Patch;
use crate::kernels::marks::{MARKS, STEP};
use crate::kernels::{Mend, Moved, Patched, Replaced};

/// Bytes after an error that go by single code points before blocks are tried again: the next error is often near, and
/// to find its place within a block costs more than to walk there.
const WALK: usize = 48;

/// Copies UTF-8, with what `mend` writes for each maximal subpart of an ill-formed sequence. Stops where `mend` does, before
/// a sequence that is cut off, and where the next code point does not fit.
pub(crate) fn mend_utf8(src: &[u8], dst: &mut [u8], mend: &mut dyn Mend) -> Moved {
    let mut done = Moved::default();
    while let (Some(rest), Some(room)) = (src.get(done.read..), dst.get_mut(done.written..)) {
        let moved = copy_well_formed(rest, room);
        done = Moved { read: done.read + moved.read, written: done.written + moved.written };
        let (Some(rest), Some(room)) = (src.get(done.read..), dst.get_mut(done.written..)) else { break };
        if decode_utf8(rest).is_some() {
            break;
        }
        let Some(len) = ill_formed_len(rest) else { break };
        let Some(mended) = mend.mend(done.read, len, room) else { break };
        done = Moved { read: done.read + mended.read, written: done.written + mended.written };
    }
    done
}

/// Copies UTF-8, with the texts of `patch` for each maximal subpart of an ill-formed sequence. Stops before a sequence that
/// is cut off, and where the next code point or the texts for an error do not fit.
pub(crate) fn patch_utf8(src: &[u8], dst: &mut [u8], patch: Patch) -> Patched {
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

/// Goes on by single code points and errors for [`WALK`] bytes. Whether there is anything left that fits.
#[inline(always)]
fn walk(src: &[u8], dst: &mut [u8], patch: Patch, all: &mut Patched) -> bool {
    let stop = all.replaced.read + WALK;
    while all.replaced.read < stop {
        let Replaced { read, written, .. } = all.replaced;
        let (Some(rest), Some(room)) = (src.get(read..), dst.get_mut(written..)) else { return false };
        let (read, written) = if let Some((_, len)) = decode_utf8(rest) {
            let (Some(from), Some(to)) = (rest.get(..len), room.get_mut(..len)) else { return false };
            to.copy_from_slice(from);
            (len, len)
        } else {
            let Some(error) = ill_formed_len(rest).and_then(|len| rest.get(..len)) else { return false };
            let Some(written) = patch.put(error, room) else { return false };
            all.count(patch, error, read);
            (error.len(), written)
        };
        all.replaced.read += read;
        all.replaced.written += written;
    }
    true
}

/// Marks where maximal subparts of ill-formed sequences begin: bit *i* of word *k* is for the byte `at + STEP * k + i`. A
/// sequence that is cut off counts as ill-formed. Returns how many bytes were looked at, which is all that there is room
/// for.
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

/// The number of bytes from `at` on that belong to a sequence, or a maximal subpart of one, that began before.
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

/// Length of the maximal subpart at the start of `src`, where nothing well-formed stands; `None` if more bytes could
/// make it well-formed, or if there are none.
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

/// The length of the incomplete sequence at the end of `src`, or 0.
#[inline]
pub(crate) fn cut_off(src: &[u8]) -> usize {
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
    fn what_is_cut_off_is_what_more_bytes_could_complete() {
        let good =
            |src: &[u8]| core::str::from_utf8(src).err().is_none_or(|error| error.error_len().is_none());
        for bytes in (0..0x100_0000u32).map(u32::to_le_bytes) {
            let src = &bytes[..3];
            // The longest end that is an unfinished sequence by itself.
            let expected = (0..3)
                .map(|from| &src[from..])
                .find(|tail| {
                    tail[0] >= 0xC0
                        && good(tail)
                        && core::str::from_utf8(tail).is_err_and(|e| e.valid_up_to() == 0)
                })
                .map_or(0, <[u8]>::len);
            assert_eq!(cut_off(src), expected, "{src:02x?}");
        }
    }
}
