//! Whole texts by an [`Encoding`]: from bytes to a string and back.

use crate::encoding::Encoding;
use crate::label::UnknownEncoding;
use crate::label::unknown;
use core::str::FromStr;
#[cfg(feature = "alloc")]
use placemat_core::forms::facts::LikeUtf8;

#[cfg(feature = "alloc")]
use alloc::borrow::Cow;
#[cfg(feature = "alloc")]
use placemat_core::{
    checked,
    convert::only_unmappable,
    engine::{
        Extent, any,
        collect::{collect_after, decode_start, start},
        hub::Mode,
    },
    forms::facts::Bulk,
    ground::error::{ConvertError, Unmappable},
    ground::hints::Engine,
    policy::{ErrorPolicy, OnError, OnUnmappable, UnmappablePolicy},
};

#[cfg(feature = "alloc")]
impl Encoding {
    /// Decodes a whole text. Borrows `src` if its bytes are already the text in UTF-8, as ASCII is.
    ///
    /// A signature is decoded as text, U+FEFF, except in the encodings that end in `-BOM` and in
    /// [`UTF_16`](Self::UTF_16) and its like, where it gives the byte order. [`bom::sniff`](crate::bom::sniff) looks
    /// for a signature.
    ///
    /// ```
    /// use placemat::{Encoding, ErrorPolicy};
    /// assert_eq!(Encoding::SHIFT_JIS.decode(b"\x93\xFA\x96\x7B", ErrorPolicy::Stop)?, "日本");
    /// // An incomplete sequence: the error says where; the policy may replace it.
    /// let e = Encoding::SHIFT_JIS.decode(b"\x93\xFA\x96", ErrorPolicy::Stop).unwrap_err();
    /// assert_eq!(e.to_string(), "incomplete sequence 96 at offset 2");
    /// assert_eq!(Encoding::SHIFT_JIS.decode(b"\x93\xFA\x96", ErrorPolicy::Replace)?, "日\u{FFFD}");
    /// # Ok::<(), placemat::ConvertError>(())
    /// ```
    ///
    /// # Errors
    /// If `src` is ill-formed and the policy says to stop, or if the encoding or the policy yields a code point that is
    /// not a scalar value, which a string cannot contain. Offsets count bytes of `src`.
    pub fn decode(self, src: &[u8], mut on_error: impl OnError) -> Result<Cow<'_, str>, ConvertError> {
        if self == Self::UTF_8 {
            return placemat_core::utf8::decode(src, on_error);
        }
        let text = if self == Self::UTF_8_BOM {
            utf8(src.strip_prefix(self.signature()).unwrap_or(src))
        } else {
            self.as_text(src)
        };
        if let Some(text) = text.filter(|_| !on_error.hints(Engine).inspects()) {
            return Ok(Cow::Borrowed(text));
        }
        let writer = any::writers(self.descriptor())[0].filter(|_| !on_error.hints(Engine).inspects());
        let (text, read) = match writer {
            Some(writer) => checked::text_start(writer, src),
            None if on_error.hints(Engine).inspects() => Default::default(),
            None => decode_start(self.bulk(), src),
        };
        if read > 0 && read == src.len() {
            return Ok(Cow::Owned(text));
        }
        let mut driver = any::From::new(self.descriptor(), Mode::Utf8);
        driver.begin(read as u64, false);
        let mut stop = UnmappablePolicy::Stop;
        let bytes = collect_after(text.into_bytes(), &src[read..], |src, dst| {
            driver.run(src, dst, true, Extent::All, &mut on_error, &mut stop)
        })?;
        Ok(Cow::Owned(checked::string(bytes)))
    }

    /// Encodes a whole text. Borrows `text` if its bytes are already those of the encoding, as ASCII is.
    ///
    /// ```
    /// use placemat::{Encoding, UnmappablePolicy};
    /// assert_eq!(Encoding::ISO_8859_15.encode("5 €", UnmappablePolicy::Stop)?, &b"5 \xA4"[..]);
    /// // Latin-1 has no euro sign.
    /// let e = Encoding::ISO_8859_1.encode("5 €", UnmappablePolicy::Stop).unwrap_err();
    /// assert_eq!((e.offset(), e.code_point().value()), (2, 0x20AC));
    /// assert_eq!(Encoding::ISO_8859_1.encode("5 €", UnmappablePolicy::XmlReference)?, &b"5 &#8364;"[..]);
    /// # Ok::<(), placemat::Unmappable>(())
    /// ```
    ///
    /// # Errors
    /// If the encoding cannot represent a code point and the policy says to stop. Offsets count bytes of `text`.
    pub fn encode(
        self,
        text: &str,
        mut on_unmappable: impl OnUnmappable,
    ) -> Result<Cow<'_, [u8]>, Unmappable> {
        let src = text.as_bytes();
        if !on_unmappable.hints(Engine).inspects() && self.as_text(src).is_some() {
            return Ok(Cow::Borrowed(src));
        }
        let writer = any::writers(self.descriptor())[1].filter(|_| !on_unmappable.hints(Engine).inspects());
        let (out, read) = match writer {
            Some(writer) => checked::start(writer, src),
            None if on_unmappable.hints(Engine).inspects() => Default::default(),
            None => start(Bulk::Utf8, self.bulk(), src),
        };
        if read > 0 && read == src.len() {
            return Ok(Cow::Owned(out));
        }
        let mut driver = any::To::new(Mode::Utf8, self.descriptor());
        driver.begin(read as u64, false);
        let mut replace = ErrorPolicy::Replace;
        collect_after(out, &src[read..], |src, dst| {
            driver.run(src, dst, true, Extent::All, &mut replace, &mut on_unmappable)
        })
        .map(Cow::Owned)
        .map_err(only_unmappable)
    }
}

/// Accepts the labels that [`for_label`](Encoding::for_label) accepts.
impl FromStr for Encoding {
    type Err = UnknownEncoding;

    #[inline]
    fn from_str(label: &str) -> Result<Self, UnknownEncoding> {
        Self::for_label(label).ok_or_else(|| unknown(label))
    }
}

#[cfg(feature = "alloc")]
impl Encoding {
    /// `src` as a string, if its bytes are those of the text in UTF-8. Encoding the string gives the same bytes.
    #[inline]
    fn as_text(self, src: &[u8]) -> Option<&str> {
        let facts = self.facts();
        match facts.like_utf8 {
            LikeUtf8::All => utf8(src),
            LikeUtf8::Units => utf8(src).filter(|text| !text.bytes().any(|byte| byte == 0 || byte >= 0xF0)),
            LikeUtf8::Ascii => {
                let except = facts.ascii_but?;
                checked::ascii(src)
                    .filter(|text| except.is_empty() || !text.bytes().any(|byte| except.contains(&byte)))
            }
        }
    }
}

#[cfg(feature = "alloc")]
#[inline]
fn utf8(src: &[u8]) -> Option<&str> {
    let (text, rest) = checked::split_well_formed(src);
    rest.is_empty().then_some(text)
}
