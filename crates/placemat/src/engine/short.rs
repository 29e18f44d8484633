//! ASCII of a few bytes, in plain code that is inlined where it is called: to call a kernel takes longer than all of the
//! work. Most strings are like that.
//!
//! The ends of a text, so many units from its start and as many up to its end, are all of it if it is no longer than both
//! and no shorter than one. What they have in common is done twice.
//!
//! Tried and slower (2026-11-21): more than eight units to convert (16 of them in 8 ns, where the kernel takes 6); arrays
//! rather than words, which LLVM takes apart (8 units in 8 ns for 5); to look at 17 to 64 bytes here, which gains ASCII less
//! than it costs a text that is none.

use crate::forms::form::Bulk;
use crate::kernels::Moved;

/// The highest bits of bytes.
const HIGH: u64 = 0x8080_8080_8080_8080;

/// Whether `src` has at most 16 bytes, all of them ASCII.
#[inline(always)]
pub(crate) fn is_ascii(src: &[u8]) -> bool {
    match (src.first_chunk::<8>(), src.last_chunk::<8>()) {
        (Some(first), Some(last)) => src.len() <= 16 && (word(first) | word(last)) & HIGH == 0,
        _ => match (src.first_chunk::<4>(), src.last_chunk::<4>()) {
            (Some(first), Some(last)) => (word(first) | word(last)) & HIGH == 0,
            _ => src.iter().all(|byte| *byte < 0x80),
        },
    }
}

/// One byte, two, four or eight as a number, the first lowest.
#[inline(always)]
fn word(bytes: &[u8]) -> u64 {
    match *bytes {
        [one] => one.into(),
        [one, two] => u16::from_le_bytes([one, two]).into(),
        [one, two, three, four] => u32::from_le_bytes([one, two, three, four]).into(),
        _ => bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes)),
    }
}

/// Does what the kernel for this pair of forms does, if the text has at most eight units, all of them ASCII, and room; or
/// nothing.
#[inline(always)]
pub(crate) fn convert(from: Bulk, to: Bulk, src: &[u8], dst: &mut [u8]) -> Option<Moved> {
    match (from, to) {
        (Bulk::Utf8, Bulk::Utf16Le) => ascii::<1, 2>(src, dst, HIGH, widen),
        (Bulk::Utf8, Bulk::Utf16Be) => ascii::<1, 2>(src, dst, HIGH, |word| widen(word) << 8),
        (Bulk::Utf16Le, Bulk::Utf8) => ascii::<2, 1>(src, dst, !WIDE, narrow),
        (Bulk::Utf16Be, Bulk::Utf8) => ascii::<2, 1>(src, dst, !(WIDE << 8), |word| narrow(word >> 8)),
        _ => None,
    }
}

/// Where ASCII is in units of 16 bits.
const WIDE: u64 = 0x007F_007F_007F_007F;

/// The four lowest bytes as units.
#[inline(always)]
const fn widen(bytes: u64) -> u64 {
    let pairs = (bytes | bytes << 16) & 0x0000_FFFF_0000_FFFF;
    (pairs | pairs << 8) & 0x00FF_00FF_00FF_00FF
}

/// The low bytes of four units.
#[inline(always)]
const fn narrow(units: u64) -> u64 {
    let pairs = (units | units >> 8) & 0x0000_FFFF_0000_FFFF;
    (pairs | pairs >> 16) & 0xFFFF_FFFF
}

/// From units of `A` bytes to units of `B`: up to eight of them, if none has bits in common with `mask`.
#[inline(always)]
fn ascii<const A: usize, const B: usize>(
    src: &[u8],
    dst: &mut [u8],
    mask: u64,
    convert: impl Fn(u64) -> u64,
) -> Option<Moved> {
    let (units, []) = src.as_chunks::<A>() else { return None };
    let dst = dst.get_mut(..units.len() * B)?;
    let out = dst.as_chunks_mut::<B>().0;
    if units.len() > 8 {
        return None;
    }
    if units.len() >= 4 {
        ends::<A, B, 4>(units, out, mask, convert)?;
    } else if units.len() >= 2 {
        ends::<A, B, 2>(units, out, mask, convert)?;
    } else {
        ends::<A, B, 1>(units, out, mask, convert)?;
    }
    Some(Moved { read: src.len(), written: dst.len() })
}

/// The same where there are `N` to `2 * N` units, and `N` are a word at most.
#[inline(always)]
fn ends<const A: usize, const B: usize, const N: usize>(
    src: &[[u8; A]],
    dst: &mut [[u8; B]],
    mask: u64,
    convert: impl Fn(u64) -> u64,
) -> Option<()> {
    let first = word(src.first_chunk::<N>()?.as_flattened());
    let last = word(src.last_chunk::<N>()?.as_flattened());
    if (first | last) & mask != 0 {
        return None;
    }
    let (first, last) = (convert(first).to_le_bytes(), convert(last).to_le_bytes());
    dst.first_chunk_mut::<N>()?.as_flattened_mut().copy_from_slice(first.get(..N * B)?);
    dst.last_chunk_mut::<N>()?.as_flattened_mut().copy_from_slice(last.get(..N * B)?);
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Units below 80 of each length up to `most`, and the same with another unit in each place.
    fn each(most: usize, others: &[u16], mut check: impl FnMut(&[u16], bool)) {
        let text: Vec<u16> = (0..most).map(|i| [0x41, 0x00, 0x7F, 0x20, 0x5A][i % 5]).collect();
        for len in 0..=most {
            let mut units = text[..len].to_vec();
            check(&units, true);
            for at in 0..len {
                for other in others {
                    let before = core::mem::replace(&mut units[at], *other);
                    check(&units, false);
                    units[at] = before;
                }
            }
        }
    }

    #[test]
    fn ascii_is_told_from_other_bytes_in_each_place() {
        each(40, &[0x80, 0xC3, 0xFF], |units, ascii| {
            let bytes: Vec<u8> = units.iter().map(|unit| unit.to_le_bytes()[0]).collect();
            assert_eq!(is_ascii(&bytes), ascii && bytes.len() <= 16, "{bytes:02x?}");
        });
    }

    #[test]
    fn ascii_is_converted_whole_or_not_at_all() {
        each(12, &[0x80, 0xFF, 0x100, 0x0141, 0x4100, 0x8000, 0xD83D], |units, ascii| {
            let narrow: Vec<u8> = units.iter().map(|unit| unit.to_le_bytes()[0]).collect();
            let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
            let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
            let bytes = narrow.iter().all(|byte| *byte < 0x80);
            for (from, to, src, expected, ascii) in [
                (Bulk::Utf8, Bulk::Utf16Le, &narrow, &little, ascii),
                (Bulk::Utf8, Bulk::Utf16Be, &narrow, &big, ascii),
                (Bulk::Utf16Le, Bulk::Utf8, &little, &narrow, ascii),
                (Bulk::Utf16Be, Bulk::Utf8, &big, &narrow, ascii),
            ] {
                // A unit that is narrowed for UTF-8 may become one that is ASCII.
                if from == Bulk::Utf8 && bytes != ascii {
                    continue;
                }
                for room in [expected.len().saturating_sub(1), expected.len(), expected.len() + 9] {
                    let mut dst = vec![0xEE; room];
                    let fits = ascii && (1..=8).contains(&units.len()) && room >= expected.len();
                    let moved = convert(from, to, src, &mut dst);
                    let all = Moved { read: src.len(), written: expected.len() };
                    assert_eq!(moved, fits.then_some(all), "{from:?} {to:?} {src:02x?} {room}");
                    let (done, after) = dst.split_at(if fits { expected.len() } else { 0 });
                    assert!(!fits || done == expected.as_slice(), "{from:?} {to:?} {src:02x?}");
                    assert!(after.iter().all(|byte| *byte == 0xEE), "{from:?} {to:?} {src:02x?}");
                }
                // A unit of two bytes that is cut off is for the kernel.
                if to == Bulk::Utf8 && !src.is_empty() {
                    assert_eq!(convert(from, to, &src[1..], &mut [0; 40]), None);
                }
            }
        });
    }
}
