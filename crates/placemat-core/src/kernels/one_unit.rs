//! Conversion of a single ASCII code unit in plain code: calling a kernel takes longer than the
//! conversion.
//!
//! Texts of two or more code units go to the kernels: for the fields of real files, a fast path for
//! two to eight units gains nothing (`lab/few.md`).

use super::Moved;
use super::portable::step::put16;
use crate::ground::unit::ByteOrder;
use crate::simd::Slot;

/// Converts a text of one ASCII byte to UTF-16. Returns `None` for any other text, or if there is
/// no room for a code unit.
#[inline(always)]
pub(crate) fn utf8_to_utf16<O: ByteOrder<Unit16 = u8>>(src: &[u8], dst: &mut [Slot]) -> Option<Moved> {
    let ([unit @ 0x00..=0x7F], Some(out)) = (src, dst.first_chunk_mut::<2>()) else { return None };
    let _ = put16::<O>(out, (*unit).into());
    Some(Moved { read: 1, written: 2 })
}

/// Converts a text of one ASCII code unit of UTF-16 to UTF-8. Returns `None` for any other text, or
/// if there is no room for a byte.
#[inline(always)]
pub(crate) fn utf16_to_utf8<O: ByteOrder<Unit16 = u8>>(src: &[u8], dst: &mut [Slot]) -> Option<Moved> {
    let (([unit], []), Some(out)) = (src.as_chunks::<2>(), dst.first_mut()) else { return None };
    out.set(u8::try_from(O::get16(unit)?).ok().filter(u8::is_ascii)?);
    Some(Moved { read: 2, written: 1 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::unit::{Be, Le};

    fn check<O: ByteOrder<Unit16 = u8>>(to_bytes: fn(u16) -> [u8; 2]) {
        for unit in 0..=u16::MAX {
            let ascii = u8::try_from(unit).ok().filter(u8::is_ascii);
            let src = to_bytes(unit);
            let mut dst = [0xEE; 3];
            let moved = utf16_to_utf8::<O>(&src, Slot::of(&mut dst));
            assert_eq!(moved, ascii.map(|_| Moved { read: 2, written: 1 }), "{unit:04x}");
            assert_eq!(dst, [ascii.unwrap_or(0xEE), 0xEE, 0xEE], "{unit:04x}");
            assert_eq!(utf16_to_utf8::<O>(&src, Slot::of(&mut [])), None, "no room");
            assert_eq!(utf16_to_utf8::<O>(&src[1..], Slot::of(&mut dst)), None, "half a unit");
            assert_eq!(utf16_to_utf8::<O>(&[src, src].concat(), Slot::of(&mut dst)), None, "two units");
        }
        for byte in 0..=u8::MAX {
            let mut dst = [0xEE; 3];
            let moved = utf8_to_utf16::<O>(&[byte], Slot::of(&mut dst));
            assert_eq!(moved, byte.is_ascii().then_some(Moved { read: 1, written: 2 }), "{byte:02x}");
            let expected = if byte.is_ascii() { to_bytes(byte.into()) } else { [0xEE; 2] };
            assert_eq!(dst, [expected[0], expected[1], 0xEE], "{byte:02x}");
            assert_eq!(utf8_to_utf16::<O>(&[byte], Slot::of(&mut dst[..1])), None, "no room");
            assert_eq!(utf8_to_utf16::<O>(&[byte, byte], Slot::of(&mut dst)), None, "two bytes");
        }
        assert_eq!(utf8_to_utf16::<O>(&[], Slot::of(&mut [0; 4])), None);
        assert_eq!(utf16_to_utf8::<O>(&[], Slot::of(&mut [0; 4])), None);
    }

    #[test]
    fn one_ascii_unit_is_converted_and_nothing_else() {
        check::<Le>(u16::to_le_bytes);
        check::<Be>(u16::to_be_bytes);
    }
}
