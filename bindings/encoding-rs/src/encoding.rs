//! An encoding: its facts, and whole texts.

use crate::bom::Bom;
use crate::list;
use crate::{Decoder, Encoder};
#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, vec::Vec};
use core::fmt;
use core::hash::{Hash, Hasher};
#[cfg(feature = "alloc")]
use placemat::{ConvertError, ErrorPolicy, IllFormedKind, UnmappablePolicy};
use placemat::{utf8, web};

/// An encoding of the WHATWG Encoding Standard. There is one value of each, to which the statics of this crate refer.
///
/// ```
/// use encoding_rs::{BIG5, Encoding, UTF_16LE};
/// assert_eq!(Encoding::for_label(b" Big5-HKSCS "), Some(BIG5));
/// assert!(BIG5.is_ascii_compatible() && !BIG5.is_single_byte() && !BIG5.can_encode_everything());
/// assert_eq!(UTF_16LE.output_encoding().name(), "UTF-8");
/// ```
pub struct Encoding {
    pub(crate) name: &'static str,
    pub(crate) encoding: placemat::Encoding,
    pub(crate) kind: Kind,
}

/// The kinds of encodings, apart from their tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Utf8,
    Utf16,
    SingleByte,
    /// Codes of one to four bytes, without states.
    MultiByte,
    Iso2022Jp,
    Replacement,
}

impl Encoding {
    pub(crate) const fn new(name: &'static str, encoding: placemat::Encoding, kind: Kind) -> Self {
        Self { name, encoding, kind }
    }

    /// Returns the encoding that a label of the Standard names, whatever its case and the ASCII white space around it.
    pub fn for_label(label: &[u8]) -> Option<&'static Self> {
        let encoding = web::for_label(str::from_utf8(label).ok()?)?;
        list::ALL.into_iter().find(|one| one.encoding == encoding)
    }

    /// Returns the encoding that a label names, unless that is [`REPLACEMENT`](crate::REPLACEMENT).
    pub fn for_label_no_replacement(label: &[u8]) -> Option<&'static Self> {
        Self::for_label(label).filter(|encoding| encoding.kind != Kind::Replacement)
    }

    /// Returns the encoding of the byte order mark at the start of `buffer`, and the length of the mark.
    pub fn for_bom(buffer: &[u8]) -> Option<(&'static Self, usize)> {
        Bom::CANDIDATES
            .into_iter()
            .map(|encoding| (encoding, encoding.encoding.signature()))
            .find(|(_, mark)| buffer.starts_with(mark))
            .map(|(encoding, mark)| (encoding, mark.len()))
    }

    /// Returns the name that the Standard gives the encoding.
    pub fn name(&'static self) -> &'static str {
        self.name
    }

    /// Returns `true` if the output encoding can represent every character.
    pub fn can_encode_everything(&'static self) -> bool {
        self.output_encoding().kind == Kind::Utf8
    }

    /// Returns `true` if the bytes 00..7F, and only they, mean U+0000..U+007F.
    pub fn is_ascii_compatible(&'static self) -> bool {
        !matches!(self.kind, Kind::Utf16 | Kind::Iso2022Jp | Kind::Replacement)
    }

    /// Returns `true` if each byte is a code point of the Basic Multilingual Plane, or an error.
    pub fn is_single_byte(&'static self) -> bool {
        self.kind == Kind::SingleByte
    }

    /// Returns the encoding in which browsers write what they read in this one: UTF-8 for UTF-16 and `replacement`.
    pub fn output_encoding(&'static self) -> &'static Self {
        match self.kind {
            Kind::Utf16 | Kind::Replacement => list::UTF_8,
            _ => self,
        }
    }

    /// Decodes a whole text as a browser does: a byte order mark wins over the encoding and is removed, and U+FFFD replaces each
    /// error. Returns the text, the encoding that was used, and whether there were errors.
    #[cfg(feature = "alloc")]
    pub fn decode<'a>(&'static self, bytes: &'a [u8]) -> (Cow<'a, str>, &'static Self, bool) {
        let (encoding, mark) = Self::for_bom(bytes).unwrap_or((self, 0));
        let (text, had_errors) = encoding.decode_without_bom_handling(&bytes[mark..]);
        (text, encoding, had_errors)
    }

    /// Decodes a whole text, with U+FFFD for each error, and removes the byte order mark of this encoding only. Returns the text, and
    /// whether there were errors.
    #[cfg(feature = "alloc")]
    pub fn decode_with_bom_removal<'a>(&'static self, bytes: &'a [u8]) -> (Cow<'a, str>, bool) {
        self.decode_without_bom_handling(self.without_mark(bytes))
    }

    /// Decodes a whole text, with U+FFFD for each error. Returns the text, and whether there were errors.
    #[cfg(feature = "alloc")]
    pub fn decode_without_bom_handling<'a>(&'static self, bytes: &'a [u8]) -> (Cow<'a, str>, bool) {
        if web::sniff(bytes).is_none() {
            let decoded = web::decode(bytes, self.encoding);
            return (decoded.text, decoded.errors > 0);
        }
        if let Some(text) = self.strictly(bytes) {
            return (text, false);
        }
        // This policy never stops.
        (self.encoding.decode(bytes, ErrorPolicy::Replace).unwrap_or_default(), true)
    }

    /// Decodes a whole text; `None` if it is ill-formed.
    #[cfg(feature = "alloc")]
    pub fn decode_without_bom_handling_and_without_replacement<'a>(
        &'static self,
        bytes: &'a [u8],
    ) -> Option<Cow<'a, str>> {
        self.strictly(bytes)
    }

    /// Decodes a whole text; `None` if it is ill-formed. In the Standard, a text in ISO-2022-JP may end in any set.
    #[cfg(feature = "alloc")]
    fn strictly<'a>(&'static self, bytes: &'a [u8]) -> Option<Cow<'a, str>> {
        match self.encoding.decode(bytes, ErrorPolicy::Stop) {
            Err(ConvertError::IllFormed(e)) if e.kind() == IllFormedKind::UnclosedShift => {
                self.encoding.decode(bytes, ErrorPolicy::Replace).ok()
            }
            decoded => decoded.ok(),
        }
    }

    /// Encodes a whole text in the output encoding, with decimal character references for what the encoding cannot represent. Returns
    /// the bytes, the encoding that was used, and whether there were references.
    #[cfg(feature = "alloc")]
    pub fn encode<'a>(&'static self, string: &'a str) -> (Cow<'a, [u8]>, &'static Self, bool) {
        let output = self.output_encoding();
        if output.kind == Kind::Utf8 {
            return (Cow::Borrowed(string.as_bytes()), output, false);
        }
        if let Ok(bytes) = output.encoding.encode(string, UnmappablePolicy::Stop) {
            return (bytes, output, false);
        }
        if output.kind == Kind::Iso2022Jp {
            return (Cow::Owned(in_pieces(output, string)), output, true);
        }
        // This policy never stops.
        let bytes = output.encoding.encode(string, UnmappablePolicy::XmlReference).unwrap_or_default();
        (bytes, output, true)
    }

    /// Returns a decoder for a text in pieces that does what [`decode`](Self::decode) does.
    pub fn new_decoder(&'static self) -> Decoder {
        Decoder::new(self, Bom::any())
    }

    /// Returns a decoder for a text in pieces that removes the byte order mark of this encoding only.
    pub fn new_decoder_with_bom_removal(&'static self) -> Decoder {
        Decoder::new(self, Bom::of(self))
    }

    /// Returns a decoder for a text in pieces that leaves a byte order mark in the text, as U+FEFF.
    pub fn new_decoder_without_bom_handling(&'static self) -> Decoder {
        Decoder::new(self, Bom::none())
    }

    /// Returns an encoder for a text in pieces, for the output encoding.
    pub fn new_encoder(&'static self) -> Encoder {
        Encoder::new(self.output_encoding())
    }

    /// Returns the length of the prefix that is well-formed UTF-8, in bytes.
    pub fn utf8_valid_up_to(bytes: &[u8]) -> usize {
        utf8::validate(bytes).map_or_else(|e| e.valid_up_to(), str::len)
    }

    /// Returns the length of the prefix that is ASCII, in bytes.
    pub fn ascii_valid_up_to(bytes: &[u8]) -> usize {
        prefix(bytes, |byte| byte < 0x80)
    }

    /// Returns the length of the prefix that ISO-2022-JP reads as ASCII, in bytes: ASCII without SO, SI and ESC.
    pub fn iso_2022_jp_ascii_valid_up_to(bytes: &[u8]) -> usize {
        prefix(bytes, |byte| (byte < 0x80) & (byte != 0x0E) & (byte != 0x0F) & (byte != 0x1B))
    }

    /// Returns the text after the byte order mark of this encoding.
    #[cfg(feature = "alloc")]
    fn without_mark<'a>(&'static self, bytes: &'a [u8]) -> &'a [u8] {
        match Self::for_bom(bytes) {
            Some((encoding, mark)) if encoding == self => &bytes[mark..],
            _ => bytes,
        }
    }
}

/// Encodes a whole text as an [`Encoder`] does.
#[cfg(feature = "alloc")]
fn in_pieces(encoding: &'static Encoding, text: &str) -> Vec<u8> {
    let (mut encoder, mut out, mut piece, mut rest) = (encoding.new_encoder(), Vec::new(), [0; 1024], text);
    loop {
        let (result, read, written, _) = encoder.encode_from_utf8(rest, &mut piece, true);
        out.extend_from_slice(&piece[..written]);
        rest = &rest[read..];
        if result == crate::CoderResult::InputEmpty {
            return out;
        }
    }
}

/// Returns the number of units before the first that is not of a kind.
#[inline(always)]
pub(crate) fn prefix<T: Copy>(src: &[T], is_one: impl Fn(T) -> bool) -> usize {
    // This checks a chunk at a time, without a branch within it.
    let all = |chunk: &[T; 32]| chunk.iter().fold(true, |all, &unit| all & is_one(unit));
    let len = 32 * src.as_chunks().0.iter().take_while(|chunk| all(chunk)).count();
    len + src[len..].iter().take_while(|&&unit| is_one(unit)).count()
}

impl PartialEq for Encoding {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self, other)
    }
}

impl Eq for Encoding {}

impl Hash for Encoding {
    fn hash<H: Hasher>(&self, state: &mut H) {
        core::ptr::from_ref(self).hash(state);
    }
}

impl fmt::Debug for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encoding").field("name", &self.name).finish_non_exhaustive()
    }
}
