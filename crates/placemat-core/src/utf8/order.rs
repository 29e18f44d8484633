//! Orders of texts: by code points, and by UTF-16 code units.
//!
//! Bytes of UTF-8, compared as unsigned numbers, are in code point order. UTF-16 code units are not: supplementary code
//! points, which begin with D800..DBFF, come before U+E000..U+FFFF. Databases and languages that compare UTF-16 code
//! units (Java, JavaScript, Windows, CESU-8) use that order.

use core::cmp::Ordering;

/// Compares two UTF-8 texts by code points: byte by byte.
///
/// Works for any bytes. For well-formed texts it is the order of `str`.
///
/// ```
/// use placemat::utf8::compare_code_points;
/// assert!(compare_code_points("\u{FFFD}".as_bytes(), "😀".as_bytes()).is_lt());
/// ```
#[must_use]
pub fn compare_code_points(a: &[u8], b: &[u8]) -> Ordering {
    a.cmp(b)
}

/// Compares two UTF-8 texts in the order of their UTF-16 code units, without converting them.
///
/// Works for any bytes; in ill-formed ones the lead bytes EE and EF still come after F0..FF.
///
/// ```
/// use placemat::utf8::compare_utf16_order;
/// assert!(compare_utf16_order("\u{FFFD}".as_bytes(), "😀".as_bytes()).is_gt());
/// ```
#[must_use]
pub fn compare_utf16_order(a: &[u8], b: &[u8]) -> Ordering {
    // The first bytes that differ decide. The two orders disagree only if a lead byte EE or EF (U+E000..U+FFFF) meets
    // F0 or above (a supplementary code point), so these swap places.
    let weight = |byte: u8| match byte {
        0xEE..=0xEF => u16::from(byte) + 0x100,
        _ => u16::from(byte),
    };
    match a.iter().zip(b).find(|(x, y)| x != y) {
        Some((&x, &y)) => weight(x).cmp(&weight(y)),
        None => a.len().cmp(&b.len()),
    }
}
