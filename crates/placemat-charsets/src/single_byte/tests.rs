use super::*;
#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
use placemat_core::kernels::single_byte::SingleByteEncoder;

/// Returns the inverse of a table, in plain code: the lowest byte of each code point, or the one
/// that the table chooses.
fn inverse(charset: SingleByte) -> Vec<Option<u8>> {
    let mut bytes = vec![None; 0x1_0000];
    for byte in (0..=0xFF).rev() {
        let c = charset.code_point(byte);
        if c != UNDEFINED {
            bytes[usize::from(c)] = Some(byte);
        }
    }
    for &byte in Charset::of(charset).preferred() {
        bytes[usize::from(charset.code_point(byte))] = Some(byte);
    }
    bytes
}

#[test]
fn every_code_point_has_the_byte_that_the_inverse_table_says() {
    for &charset in ALL {
        let inverse = inverse(charset);
        let mut buffer = [0];
        for c in (0..=0x1_FFFF).chain(0x10_FF00..=0x11_0000).filter_map(CodePoint::new) {
            let byte = usize::try_from(c.value()).ok().and_then(|c| *inverse.get(c)?);
            let expected = match byte {
                Some(byte) => (EncodeStep::Written(1), byte),
                None => (EncodeStep::Unmappable(UnmappableKind::NotInRepertoire), 0),
            };
            buffer[0] = 0;
            let step = ByTable::encode_step(&mut charset.clone(), c, &mut buffer);
            assert_eq!((step, buffer[0]), expected, "{c} in {charset:?}");
            if byte.is_some() {
                assert_eq!(ByTable::encode_step(&mut charset.clone(), c, &mut []), EncodeStep::NoRoom);
            }
        }
    }
}

#[test]
fn no_table_has_a_surrogate() {
    for &charset in ALL {
        let code_points = (0..=0xFF).map(|byte| charset.code_point(byte));
        assert!(code_points.into_iter().all(|c| !(0xD800..=0xDFFF).contains(&c)), "{charset:?}");
    }
}

#[test]
fn ascii_compatible_are_those_that_ascii_can_stand_in() {
    for &charset in ALL {
        let ascii = (0..=0xFF).all(|byte: u8| {
            let c = charset.code_point(byte);
            if byte < 0x80 { c == u16::from(byte) } else { c >= 0x80 }
        });
        assert_eq!(charset.row().facts.is_ascii_compatible(), ascii, "{charset:?}");
    }
    let compatible = |charset: SingleByte| charset.row().facts.is_ascii_compatible();
    assert!(compatible(SingleByte::Windows1252) && compatible(SingleByte::Ibm437));
    // EBCDIC; the Arabic percent sign at 25; letters for controls; symbols of ASCII a second time
    // from A0 on.
    for charset in [SingleByte::Ibm037, SingleByte::Ibm864, SingleByte::Viscii, SingleByte::XMacArabic] {
        assert!(!compatible(charset), "{charset:?}");
    }
}

#[test]
#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
fn kernel_tables_say_what_the_table_says() {
    for &charset in ALL {
        let rows = SingleByteEncoder::rows(&charset.code_points());
        assert!(rows <= placemat_core::kernels::single_byte::ROWS, "{charset:?} takes {rows} rows");
        for byte in 0..=0xFF {
            let c = charset.code_point(byte);
            let (word, len) = charset.decoder().utf8_of(byte);
            match char::from_u32(c.into()).filter(|_| c != UNDEFINED) {
                Some(c) => {
                    let mut utf8 = [0; 4];
                    let expected = c.encode_utf8(&mut utf8).as_bytes();
                    assert_eq!(&word.to_le_bytes()[..len], expected, "{byte:02x} in {charset:?}");
                }
                None => assert!(len > 3, "{byte:02x} in {charset:?}"),
            }
        }
    }
}

#[test]
#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
fn what_is_defined_is_found() {
    // A5 and the six bytes like it are open in ISO 8859-3.
    assert_eq!(SingleByte::Iso8859_3.defined_prefix(b"a\xA4\xA5\xA5"), 2);
    assert_eq!(SingleByte::Windows1252.defined_prefix(&[0x81; 5]), 5);
}
