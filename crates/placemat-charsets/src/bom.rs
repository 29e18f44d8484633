//! Signatures: U+FEFF at the start of a text, which gives the encoding.
//!
//! Only U+FEFF at offset 0 is a signature. Anywhere else, and the second time in a row, U+FEFF is ZERO WIDTH NO-BREAK
//! SPACE and part of the text. The Unicode Standard, sections 2.6 and 23.8; RFC 3629 section 6; UTR #16; UTS #6; UTN
//! #6.

use crate::encoding::Encoding;
use crate::forms::{Bocu1, EncodingForm, Scsu, Utf1, Utf8, Utf16, Utf32, UtfEbcdic};
use placemat_core::ground::unit::{Be, Le};

/// The signature of an encoding, including some encodings that this crate does not convert yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Signature {
    /// The canonical name of the encoding.
    pub name: &'static str,
    /// The encoding, if it is one of [`Encoding`].
    pub encoding: Option<Encoding>,
    /// The bytes of the signature.
    pub bytes: &'static [u8],
}

const fn known<F: EncodingForm>(encoding: Encoding) -> Signature {
    Signature { name: F::NAMES.name, encoding: Some(encoding), bytes: F::FACTS.signature }
}

const GB18030: Signature = Signature {
    name: "GB18030",
    #[cfg(feature = "cjk")]
    encoding: Some(Encoding::GB18030),
    #[cfg(not(feature = "cjk"))]
    encoding: None,
    bytes: b"\x84\x31\x95\x33",
};

/// All signatures, longest first. Try them in this order, so that UTF-32LE is not taken for UTF-16LE.
///
/// ```
/// use placemat::{Encoding, bom};
/// let utf8: &bom::Signature = bom::SIGNATURES.iter().find(|s| s.name == "UTF-8").unwrap();
/// assert_eq!((utf8.encoding, utf8.bytes), (Some(Encoding::UTF_8), &b"\xEF\xBB\xBF"[..]));
/// ```
pub const SIGNATURES: &[Signature] = &[
    known::<Utf32<Be>>(Encoding::UTF_32BE),
    known::<Utf32<Le>>(Encoding::UTF_32LE),
    known::<UtfEbcdic>(Encoding::UTF_EBCDIC),
    GB18030,
    known::<Utf8>(Encoding::UTF_8),
    known::<Utf1>(Encoding::UTF_1),
    known::<Scsu>(Encoding::SCSU),
    known::<Bocu1>(Encoding::BOCU_1),
    known::<Utf16<Be>>(Encoding::UTF_16BE),
    known::<Utf16<Le>>(Encoding::UTF_16LE),
];

/// UTF-7 has four signatures, because the last two bits of U+FEFF share a base64 character with the code point after
/// it.
const UTF7: &[u8] = b"+/v";

/// The signature that [`sniff`] found at the start of a text.
///
/// ```
/// use placemat::{Encoding, bom::{self, Sniffed}};
/// let found: Sniffed = bom::sniff(b"\xEF\xBB\xBFhi").unwrap();
/// assert_eq!((found.name, found.encoding, found.len), ("UTF-8", Some(Encoding::UTF_8), 3));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sniffed {
    /// The canonical name of the encoding.
    pub name: &'static str,
    /// The encoding, if it is one of [`Encoding`].
    pub encoding: Option<Encoding>,
    /// The number of bytes to drop. 0 if the signature shares its last byte with the text, as it can in UTF-7; then
    /// decode first and drop the first U+FEFF.
    pub len: usize,
}

/// Returns the signature at the start of `src`, if there is one.
///
/// A text of UTF-16LE that begins with a signature and U+0000 looks like UTF-32LE, and this function reports UTF-32LE.
///
/// ```
/// use placemat::{bom, Encoding};
/// let found = bom::sniff(b"\xFF\xFEh\0i\0").unwrap();
/// assert_eq!((found.encoding, found.len), (Some(Encoding::UTF_16LE), 2));
/// assert_eq!(bom::sniff(b"+/v8-abc").unwrap().name, "UTF-7");
/// assert_eq!(bom::sniff(b"hi"), None);
/// ```
#[must_use]
#[inline]
pub fn sniff(src: &[u8]) -> Option<Sniffed> {
    if let Some(&Signature { name, encoding, bytes }) = SIGNATURES.iter().find(|s| src.starts_with(s.bytes)) {
        return Some(Sniffed { name, encoding, len: bytes.len() });
    }
    let len = match src.strip_prefix(UTF7)? {
        [b'8', b'-', ..] => 5,
        [b'8', c, ..] if c.is_ascii_alphanumeric() || *c == b'+' || *c == b'/' => 0,
        [b'8', ..] => 4,
        [b'9' | b'+' | b'/', ..] => 0,
        _ => return None,
    };
    Some(Sniffed { name: "UTF-7", encoding: Some(Encoding::UTF_7), len })
}

/// `src` without the signature of `encoding`, if it begins with it. Drops only one.
///
/// An encoding that reads signatures itself ([`Encoding::UTF_16`] and its like) needs no stripping: it reads the
/// signatures of both byte orders. BOCU-1 writes differences, so its signature can be dropped from the bytes only if a
/// reset follows; otherwise decode first and drop the first U+FEFF.
///
/// ```
/// use placemat::{bom, Encoding};
/// assert_eq!(bom::strip(b"\xEF\xBB\xBFhi", Encoding::UTF_8), b"hi");
/// assert_eq!(bom::strip(b"\xEF\xBB\xBFhi", Encoding::UTF_16LE), b"\xEF\xBB\xBFhi");
/// // Ill-formed: a truncated signature stays.
/// assert_eq!(bom::strip(b"\xEF\xBBhi", Encoding::UTF_8), b"\xEF\xBBhi");
/// ```
#[must_use]
#[inline]
pub fn strip(src: &[u8], encoding: Encoding) -> &[u8] {
    let signature = if encoding == Encoding::BOCU_1 { b"\xFB\xEE\x28\xFF" } else { encoding.signature() };
    src.strip_prefix(signature).unwrap_or(src)
}
