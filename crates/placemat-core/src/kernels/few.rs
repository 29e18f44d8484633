//! A few units in plain code: for a text of one to four characters, the call of a level takes longer than the work.
//!
//! Such texts are of one script, so their lengths can be foreseen.
//!
//! The number of units of ASCII decides on few branches, because strings of all lengths come in an order that a processor may
//! not be able to learn: two to eight units are four pairs, which may have units in common; those are converted
//! twice. What was tried and is slower: `lab/few.md`.

use super::Moved;
use crate::ground::bits::{HIGH, word};
use crate::ground::chunk::{chunk_at, chunk_at_mut};
use crate::ground::unit::ByteOrder;

/// Up to this many units of UTF-16 go this way, where a level has no loads under a mask and none of so few units.
pub(crate) const UTF16: usize = 4;
/// Up to this many units of ASCII do.
pub(crate) const ASCII: usize = 8;
/// Up to this many bytes of UTF-8 go this way there: one character. More take longer than half a block.
pub(crate) const UTF8: usize = 3;

/// Up to this many bytes of UTF-8 and of UTF-16 are a character, for which plain code is faster than any level. With AVX-512
/// two units of UTF-16 are for the level already; to ask whether it is the one in use takes each text half a nanosecond.
#[cfg(feature = "alloc")]
const ONE_UTF8: usize = 3;
#[cfg(feature = "alloc")]
const ONE_UTF16: usize = 2;

/// Converts up to [`UTF16`] units, if none is a surrogate or cut off, and there is room for four bytes for each. Otherwise
/// does nothing.
///
/// An `Option` would come back in memory, a word at a time, and be read as a whole, for which the processor waits.
#[inline(never)]
pub(crate) fn utf16_to_utf8<O: ByteOrder<Unit16 = u8>>(src: &[u8], dst: &mut [u8]) -> Moved {
    let (Some(out), (units, [])) = (dst.first_chunk_mut::<{ 4 * UTF16 }>(), src.as_chunks::<2>()) else {
        return Moved::default();
    };
    if units.len() > UTF16 {
        return Moved::default();
    }
    let mut written = 0;
    for unit in units {
        let (Some(unit), Some(out)) = (O::get16(unit), chunk_at_mut!(out, written)) else {
            return Moved::default();
        };
        let unit = u32::from(unit);
        let last = unit & 0x3F | 0x80;
        let (bytes, len) = match unit {
            0x00..=0x7F => (unit, 1),
            0x80..=0x7FF => (unit >> 6 | last << 8 | 0xC0, 2),
            0xD800..=0xDFFF => return Moved::default(),
            _ => (unit >> 12 | (unit >> 6 & 0x3F) << 8 | last << 16 | 0x80E0, 3),
        };
        *out = bytes.to_le_bytes();
        written += len;
    }
    Moved { read: src.len(), written }
}

/// Converts up to [`UTF8`] bytes, if they are well-formed, without sequences of four, and there is room for as many units.
/// Otherwise does nothing.
#[inline(never)]
pub(crate) fn utf8_to_utf16<O: ByteOrder<Unit16 = u8>>(src: &[u8], dst: &mut [u8]) -> Moved {
    let mut rest = src;
    let mut written = 0;
    let room = dst.get_mut(..2 * src.len()).filter(|_| src.len() <= UTF8).unwrap_or_default();
    for out in room.as_chunks_mut::<2>().0 {
        let unit = match *rest {
            [] => break,
            [one @ 0x00..=0x7F, ref after @ ..] => {
                rest = after;
                one.into()
            }
            [one @ 0xC2..=0xDF, two @ 0x80..=0xBF, ref after @ ..] => {
                rest = after;
                u16::from(one & 0x1F) << 6 | u16::from(two & 0x3F)
            }
            [one @ 0xE0..=0xEF, two @ 0x80..=0xBF, three @ 0x80..=0xBF, ref after @ ..] => {
                rest = after;
                let unit = u16::from(one & 0x0F) << 12 | u16::from(two & 0x3F) << 6 | u16::from(three & 0x3F);
                if unit < 0x800 || unit & 0xF800 == 0xD800 {
                    return Moved::default();
                }
                unit
            }
            _ => return Moved::default(),
        };
        let _ = O::put16(out, unit);
        written += 2;
    }
    Moved { read: src.len() - rest.len(), written }
}

/// Whether the high byte of a unit comes first.
#[inline(always)]
fn is_big<O: ByteOrder<Unit16 = u8>>() -> bool {
    O::get16(&[0, 1]) == Some(1)
}

/// Converts up to eight bytes to UTF-16, if all are ASCII and there is room.
#[inline(always)]
pub(crate) fn ascii_to_utf16<O: ByteOrder<Unit16 = u8>>(src: &[u8], dst: &mut [u8]) -> Option<Moved> {
    ascii::<1, 2>(src, dst, HIGH, |word| if is_big::<O>() { widen(word) << 8 } else { widen(word) })
}

/// Converts up to eight units of UTF-16 to UTF-8, if all are ASCII and there is room.
#[inline(always)]
pub(crate) fn ascii_to_utf8<O: ByteOrder<Unit16 = u8>>(src: &[u8], dst: &mut [u8]) -> Option<Moved> {
    if is_big::<O>() {
        ascii::<2, 1>(src, dst, !(WIDE << 8), |word| narrow(word >> 8))
    } else {
        ascii::<2, 1>(src, dst, !WIDE, narrow)
    }
}

/// Converts one byte of ASCII to UTF-16, if there is room.
#[inline(always)]
pub(crate) fn one_to_utf16<O: ByteOrder<Unit16 = u8>>(src: &[u8], dst: &mut [u8]) -> Option<Moved> {
    let ([unit @ 0x00..=0x7F], Some(out)) = (src, dst.first_chunk_mut::<2>()) else { return None };
    let _ = O::put16(out, (*unit).into());
    Some(Moved { read: 1, written: 2 })
}

/// Converts one unit of ASCII to UTF-8, if there is room.
#[inline(always)]
pub(crate) fn one_to_utf8<O: ByteOrder<Unit16 = u8>>(src: &[u8], dst: &mut [u8]) -> Option<Moved> {
    let (([unit], []), Some(out)) = (src.as_chunks::<2>(), dst.first_mut()) else { return None };
    *out = u8::try_from(O::get16(unit)?).ok().filter(u8::is_ascii)?;
    Some(Moved { read: 2, written: 1 })
}

/// Converts up to eight bytes of ASCII, or one character, to UTF-16, if there is room.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(crate) fn short_to_utf16<O: ByteOrder<Unit16 = u8>>(src: &[u8], dst: &mut [u8]) -> Option<Moved> {
    let ascii = ascii_to_utf16::<O>(src, dst);
    if ascii.is_some() || src.len() > ONE_UTF8 {
        return ascii;
    }
    Some(utf8_to_utf16::<O>(src, dst)).filter(|moved| moved.read > 0)
}

/// Converts up to eight units of ASCII, or one other, to UTF-8, if there is room.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(crate) fn short_to_utf8<O: ByteOrder<Unit16 = u8>>(src: &[u8], dst: &mut [u8]) -> Option<Moved> {
    let ascii = ascii_to_utf8::<O>(src, dst);
    if ascii.is_some() || src.len() > ONE_UTF16 {
        return ascii;
    }
    Some(utf16_to_utf8::<O>(src, dst)).filter(|moved| moved.read > 0)
}

/// Whether [`short_to_utf16`] takes the text, if it is well-formed.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(crate) fn is_few_utf8(src: &[u8]) -> bool {
    src.len() <= ONE_UTF8 || ascii_words::<1>(src.as_chunks().0, HIGH).is_some()
}

/// Whether [`short_to_utf8`] takes the text, if it is well-formed.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(crate) fn is_few_utf16<O: ByteOrder<Unit16 = u8>>(src: &[u8]) -> bool {
    let mask = if is_big::<O>() { !(WIDE << 8) } else { !WIDE };
    let (units, rest) = src.as_chunks();
    src.len() <= ONE_UTF16 || rest.is_empty() && ascii_words::<2>(units, mask).is_some()
}

/// The bits of ASCII in units of 16 bits.
const WIDE: u64 = 0x007F_007F_007F_007F;

/// The four lowest bytes as units of 16 bits.
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

/// Converts units of `A` bytes to units of `B`: up to eight of them, if none has bits in common with `mask`.
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
    match *units {
        [unit] => {
            let unit = word(&unit);
            if unit & mask != 0 {
                return None;
            }
            *out.first_mut()? = *convert(unit).to_le_bytes().first_chunk()?;
        }
        _ if units.len() <= 8 => pairs(units, out, mask, convert)?,
        _ => return None,
    }
    Some(Moved { read: src.len(), written: dst.len() })
}

/// The places of pairs of units that are all of two to eight units, some of them twice, so that nothing but the places depends
/// on their number.
#[inline(always)]
fn places(units: usize) -> Option<[usize; 4]> {
    let last = units.checked_sub(2).filter(|_| units <= 8)?;
    Some([0, last.min(2), last.saturating_sub(2), last])
}

/// Two to eight units, two in each word, if none has bits in common with `mask`.
#[inline(always)]
fn ascii_words<const A: usize>(src: &[[u8; A]], mask: u64) -> Option<[u64; 4]> {
    let mut words = [0; 4];
    for (word_of, at) in words.iter_mut().zip(places(src.len())?) {
        *word_of = word(chunk_at!(src, at, 2)?.as_flattened());
    }
    (words.iter().fold(0, |all, word| all | word) & mask == 0).then_some(words)
}

/// Converts two to eight units.
#[inline(always)]
fn pairs<const A: usize, const B: usize>(
    src: &[[u8; A]],
    dst: &mut [[u8; B]],
    mask: u64,
    convert: impl Fn(u64) -> u64,
) -> Option<()> {
    for (word, at) in ascii_words(src, mask)?.into_iter().zip(places(src.len())?) {
        let bytes = convert(word).to_le_bytes();
        chunk_at_mut!(dst, at, 2)?.as_flattened_mut().copy_from_slice(bytes.get(..2 * B)?);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::unit::{Be, Le};
    use crate::kernels::portable::samples::is_taken;

    /// Units around the borders of lengths, and those that the standard library refuses.
    const UNITS: [u16; 14] =
        [0x00, 0x41, 0x7F, 0x80, 0xE9, 0x7FF, 0x800, 0x20AC, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xE000, 0xFFFF];

    fn bytes_of(units: &[u16], big: bool) -> Vec<u8> {
        units.iter().flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
    }

    fn from_utf16(units: &[u16]) {
        let has_surrogate = units.iter().any(|unit| (0xD800..0xE000).contains(unit));
        for big in [false, true] {
            let src = bytes_of(units, big);
            for room in [4 * UTF16 - 1, 4 * UTF16, 4 * UTF16 + 9] {
                let mut dst = vec![0xEE; room];
                let moved = if big {
                    utf16_to_utf8::<Be>(&src, &mut dst)
                } else {
                    utf16_to_utf8::<Le>(&src, &mut dst)
                };
                if has_surrogate || room < 4 * UTF16 || units.len() > UTF16 {
                    assert_eq!(moved, Moved::default(), "{units:04x?}");
                    continue;
                }
                let text = String::from_utf16(units).expect("no surrogates");
                if let Some((_, cut)) = src.split_last() {
                    assert_eq!(utf16_to_utf8::<Le>(cut, &mut [0; 20]).read, 0, "a unit is cut off");
                }
                assert_eq!(moved, Moved { read: src.len(), written: text.len() }, "{units:04x?}");
                assert_eq!(&dst[..text.len()], text.as_bytes(), "{units:04x?}");
                assert!(dst[4 * UTF16..].iter().all(|byte| *byte == 0xEE));
            }
        }
    }

    #[test]
    fn every_unit_and_all_borders_next_to_each_other() {
        (0..=u16::MAX).for_each(|unit| from_utf16(&[unit]));
        from_utf16(&[]);
        for a in UNITS {
            for b in UNITS {
                from_utf16(&[a, b]);
                for c in UNITS {
                    from_utf16(&[a, b, c]);
                    from_utf16(&[a, c, b, a]);
                    from_utf16(&[c, a, a, b]);
                }
            }
        }
        from_utf16(&[0x41; UTF16 + 1]);
    }

    fn from_utf8(src: &[u8]) {
        let text = core::str::from_utf8(src).ok().filter(|text| text.chars().all(|c| u32::from(c) <= 0xFFFF));
        let text = text.filter(|_| src.len() <= UTF8);
        for big in [false, true] {
            for room in [2 * src.len(), 2 * src.len() + 5] {
                let mut dst = vec![0xEE; room];
                let moved =
                    if big { utf8_to_utf16::<Be>(src, &mut dst) } else { utf8_to_utf16::<Le>(src, &mut dst) };
                let units = text.map(|text| bytes_of(&text.encode_utf16().collect::<Vec<_>>(), big));
                let expected = units.as_ref().map(|units| Moved { read: src.len(), written: units.len() });
                assert_eq!(moved, expected.unwrap_or_default(), "{src:02x?}");
                if let Some(units) = units {
                    assert_eq!(dst[..units.len()], units, "{src:02x?}");
                    assert!(dst[units.len()..].iter().all(|byte| *byte == 0xEE));
                }
            }
            if !src.is_empty() {
                assert_eq!(utf8_to_utf16::<Le>(src, &mut vec![0; 2 * src.len() - 1]), Moved::default());
            }
        }
    }

    #[test]
    fn every_two_bytes_and_every_border_of_three_among_others() {
        from_utf8(&[]);
        for pair in (0..=u16::MAX).filter(|pair| is_taken((*pair).into(), 1)) {
            let [a, b] = pair.to_be_bytes();
            from_utf8(&[a]);
            from_utf8(&[a, b]);
            for last in [0x00, 0x7F, 0x80, 0xBF, 0xC0, 0xFF] {
                from_utf8(&[a, b, last]);
                from_utf8(&[0x41, a, b, last, 0x42]);
                from_utf8(&[0xC3, 0xA9, a, b, last]);
                from_utf8(&[a, b, last, 0xE2, 0x82, 0xAC]);
            }
        }
        for c in ['\u{10000}', '\u{10FFFF}', '\u{1F600}'] {
            from_utf8(c.to_string().as_bytes());
            from_utf8(format!("a{c}é").as_bytes());
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

    /// Checks that a conversion of at most so many units converts ASCII whole if it has room, and otherwise writes nothing.
    fn whole_or_not_at_all(
        convert: impl Fn(&[u8], &mut [u8]) -> Option<Moved>,
        most: usize,
        src: &[u8],
        expected: Option<&[u8]>,
    ) {
        let len = expected.map_or(2 * src.len(), <[u8]>::len);
        for room in [len.saturating_sub(1), len, len + 9] {
            let mut dst = vec![0xEE; room];
            let moved = convert(src, &mut dst);
            let fits = expected
                .filter(|bytes| (1..=most).contains(&src.len().min(bytes.len())) && room >= bytes.len());
            assert_eq!(
                moved,
                fits.map(|bytes| Moved { read: src.len(), written: bytes.len() }),
                "{src:02x?} {room}"
            );
            let (done, after) = dst.split_at(fits.map_or(0, <[u8]>::len));
            assert_eq!(done, fits.unwrap_or_default(), "{src:02x?}");
            assert!(after.iter().all(|byte| *byte == 0xEE), "{src:02x?}");
        }
    }

    #[test]
    fn ascii_is_converted_whole_or_not_at_all() {
        each(12, &[0x80, 0xC3, 0xFF], |units, ascii| {
            let narrow: Vec<u8> = units.iter().map(|unit| unit.to_le_bytes()[0]).collect();
            for (big, most, convert) in [
                (false, 8, ascii_to_utf16::<Le> as fn(&[u8], &mut [u8]) -> Option<Moved>),
                (true, 8, ascii_to_utf16::<Be>),
                (false, 1, one_to_utf16::<Le>),
                (true, 1, one_to_utf16::<Be>),
            ] {
                whole_or_not_at_all(convert, most, &narrow, ascii.then(|| bytes_of(units, big)).as_deref());
            }
        });
        each(12, &[0x80, 0xFF, 0x100, 0x0141, 0x4100, 0x8000, 0xD83D], |units, ascii| {
            let narrow: Vec<u8> = units.iter().map(|unit| unit.to_le_bytes()[0]).collect();
            for (big, most, convert) in [
                (false, 8, ascii_to_utf8::<Le> as fn(&[u8], &mut [u8]) -> Option<Moved>),
                (true, 8, ascii_to_utf8::<Be>),
                (false, 1, one_to_utf8::<Le>),
                (true, 1, one_to_utf8::<Be>),
            ] {
                let src = bytes_of(units, big);
                whole_or_not_at_all(convert, most, &src, ascii.then_some(narrow.as_slice()));
                // A truncated unit is for the kernel.
                if !src.is_empty() {
                    assert_eq!(convert(&src[1..], &mut [0; 40]), None);
                }
            }
        });
    }
}
