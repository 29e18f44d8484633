//! Texts of a few units in plain code; ASCII is inlined in the caller. Most strings are so short that a kernel call takes
//! longer than the work.
//!
//! The number of units decides on few branches, because strings of all lengths come in an order that a processor may not be able
//! to learn: two to eight units are four pairs, which may have units in common; those are converted twice.
//!
//! Tried and slower (2026-11-21): converting more than eight units (16 of them in 8 ns, where the kernel takes 6);
//! checking 17 to 64 bytes here, which gains less for ASCII than it costs for other text. Words of the first and last four
//! units, or two, or one (2026-11-24, Intel Xeon): 2.4 ns for 3.1 if all strings have the same length, but with one to
//! sixteen units of UTF-16 in random order ASCII takes 8.5 ns for 6.7, and Russian 13.1 for 7.6.

use crate::forms::form::Bulk;
use crate::ground::unit::{Be, Le};
use crate::kernels::{Moved, few};

/// Does the work of the kernel for this pair of forms, if the text has at most eight units, all of them ASCII, or is one
/// character, and there is room. Otherwise does nothing.
#[inline(always)]
pub(crate) fn convert(from: Bulk, to: Bulk, src: &[u8], dst: &mut [u8]) -> Option<Moved> {
    match (from, to) {
        (Bulk::Utf8, Bulk::Utf16Le) => few::short_to_utf16::<Le>(src, dst),
        (Bulk::Utf8, Bulk::Utf16Be) => few::short_to_utf16::<Be>(src, dst),
        (Bulk::Utf16Le, Bulk::Utf8) => few::short_to_utf8::<Le>(src, dst),
        (Bulk::Utf16Be, Bulk::Utf8) => few::short_to_utf8::<Be>(src, dst),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all_ascii(from: Bulk, to: Bulk, src: &[u8], dst: &mut [u8]) -> Option<Moved> {
        match (from, to) {
            (Bulk::Utf8, Bulk::Utf16Le) => few::ascii_to_utf16::<Le>(src, dst),
            (Bulk::Utf8, _) => few::ascii_to_utf16::<Be>(src, dst),
            (Bulk::Utf16Le, _) => few::ascii_to_utf8::<Le>(src, dst),
            _ => few::ascii_to_utf8::<Be>(src, dst),
        }
    }

    /// Checks texts of units below 80, of each length up to `most`, and each of these with another unit in each place.
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
            assert_eq!(
                crate::ground::bits::is_short_ascii(&bytes),
                ascii && bytes.len() <= 16,
                "{bytes:02x?}"
            );
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
                // Narrowing for UTF-8 may turn a unit into ASCII.
                if from == Bulk::Utf8 && bytes != ascii {
                    continue;
                }
                for room in [expected.len().saturating_sub(1), expected.len(), expected.len() + 9] {
                    let mut dst = vec![0xEE; room];
                    let fits = ascii && (1..=8).contains(&units.len()) && room >= expected.len();
                    let moved = all_ascii(from, to, src, &mut dst);
                    let all = Moved { read: src.len(), written: expected.len() };
                    assert_eq!(moved, fits.then_some(all), "{from:?} {to:?} {src:02x?} {room}");
                    let (done, after) = dst.split_at(if fits { expected.len() } else { 0 });
                    assert!(!fits || done == expected.as_slice(), "{from:?} {to:?} {src:02x?}");
                    assert!(after.iter().all(|byte| *byte == 0xEE), "{from:?} {to:?} {src:02x?}");
                }
                // A truncated unit of two bytes is for the kernel.
                if to == Bulk::Utf8 && !src.is_empty() {
                    assert_eq!(all_ascii(from, to, &src[1..], &mut [0; 40]), None);
                }
            }
        });
    }
}
