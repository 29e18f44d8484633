//! Whole texts by an [`Encoding`]: from bytes to a string and back.

#[cfg(feature = "alloc")]
use crate::decoded::Decoded;
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
    convert::{into_str, only_unmappable},
    engine::{
        Extent, any,
        collect::{collect_after, decode_start, start},
        hub::Mode,
        once::Answers,
    },
    forms::facts::Bulk,
    ground::error::{ConvertError, Unmappable},
    ground::hints::Engine,
    policy::{ErrorPolicy, OnError, OnUnmappable, UnmappablePolicy},
};

#[cfg(feature = "alloc")]
impl Encoding {
    /// Decodes a whole text, and leaves a signature (BOM) in it, as U+FEFF. Borrows `src` if its bytes are already the text in
    /// UTF-8, as ASCII is.
    ///
    /// Encodings that end in `-BOM`, and [`UTF_16`](Self::UTF_16) and its like, take their signature off: there it gives the
    /// byte order. [`decode_lossy`](Self::decode_lossy) and [`web::decode`](crate::web::decode) take signatures off, and
    /// [`bom::sniff`](crate::bom::sniff) looks for one.
    ///
    /// ```
    /// use placemat::{Encoding, ErrorPolicy};
    /// assert_eq!(Encoding::SHIFT_JIS.decode(b"\x93\xFA\x96\x7B", ErrorPolicy::Stop)?, "日本");
    /// // An incomplete sequence: the error says where; the policy may replace it.
    /// let e = Encoding::SHIFT_JIS.decode(b"\x93\xFA\x96", ErrorPolicy::Stop).unwrap_err();
    /// assert_eq!(e.to_string(), "incomplete sequence 0x96 at offset 2");
    /// assert_eq!(Encoding::SHIFT_JIS.decode(b"\x93\xFA\x96", ErrorPolicy::Replace)?, "日\u{FFFD}");
    /// # Ok::<(), placemat::ConvertError>(())
    /// ```
    ///
    /// # Errors
    /// If `src` is ill-formed and the policy says to stop, or if the encoding or the policy yields a code point that is
    /// not a scalar value, which a string cannot contain. Offsets count bytes of `src`. [`ErrorPolicy::Replace`] and
    /// [`Skip`](ErrorPolicy::Skip) replace such a code point too, so they never fail.
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
        driver.refuse_open_shift(true);
        let mut into_str = into_str(&on_error);
        let mut answers = Answers::default();
        let (mut on_error, mut into_str) = answers.once(&mut on_error, &mut into_str);
        let bytes = collect_after(text.into_bytes(), &src[read..], |src, dst| {
            driver.run(src, dst, true, Extent::All, &mut on_error, &mut into_str)
        })?;
        Ok(Cow::Owned(checked::string(bytes)))
    }

    /// Decodes a whole text, with U+FFFD for each error. This function cannot fail. Borrows from `src` if its bytes are already
    /// the text in UTF-8, as ASCII is.
    ///
    /// A signature (BOM) is removed and wins over the encoding: the encoding's own signature, and otherwise that of UTF-8,
    /// UTF-16BE or UTF-16LE, as in [`web::decode`](crate::web::decode). [`Decoded::encoding`] is the encoding of the text.
    ///
    /// A code point that is not a scalar value, such as a surrogate of WTF-8 or a value beyond U+10FFFF of UTF-1, is an error too.
    ///
    /// ```
    /// use placemat::Encoding;
    /// // A column of a table that a spreadsheet exported.
    /// let decoded = Encoding::UTF_8.decode_lossy(b"\xEF\xBB\xBFid");
    /// assert_eq!((decoded.text.as_ref(), decoded.errors), ("id", 0));
    /// // Latin-1, read as UTF-8.
    /// let decoded = Encoding::UTF_8.decode_lossy(b"caf\xE9");
    /// assert_eq!((decoded.text.as_ref(), decoded.errors), ("caf\u{FFFD}", 1));
    /// // The signature says otherwise.
    /// let decoded = Encoding::ISO_8859_1.decode_lossy(b"\xFE\xFF\0h\0i");
    /// assert_eq!((decoded.text.as_ref(), decoded.encoding), ("hi", Encoding::UTF_16BE));
    /// ```
    #[must_use]
    #[inline]
    pub fn decode_lossy(self, src: &[u8]) -> Decoded<'_> {
        if self.shows_signature(src) && !self.takes_signature_off() {
            let mut decoded = self.replacing(src);
            // The first code point may share a byte with the signature, and it depends on it in BOCU-1, so the text is cut.
            decoded.text = match decoded.text {
                Cow::Borrowed(text) => Cow::Borrowed(text.strip_prefix(SIGNATURE).unwrap_or(text)),
                Cow::Owned(mut text) => {
                    if text.starts_with(SIGNATURE) {
                        text.drain(..SIGNATURE.len_utf8());
                    }
                    Cow::Owned(text)
                }
            };
            return decoded;
        }
        match crate::web::sniff(src).filter(|_| !self.takes_signature_off()) {
            Some((encoding, len)) => encoding.replacing(&src[len..]),
            None => self.replacing(src),
        }
    }

    /// Decodes with U+FFFD for each error and each code point that is not a scalar value.
    #[inline]
    pub(crate) fn replacing(self, src: &[u8]) -> Decoded<'_> {
        let decoded = |text, errors| Decoded { text, encoding: self, errors };
        if let Some(text) = self.as_text(src) {
            return decoded(Cow::Borrowed(text), 0);
        }
        let (text, read) = match any::writers(self.descriptor())[0] {
            Some(writer) => checked::text_start(writer, src),
            None => decode_start(self.bulk(), src),
        };
        if read > 0 && read == src.len() {
            return decoded(Cow::Owned(text), 0);
        }
        let mut driver = any::From::new(self.descriptor(), Mode::Utf8);
        driver.begin(read as u64, false);
        let (mut on_error, mut on_unmappable) = (ErrorPolicy::Replace, UnmappablePolicy::Replace);
        let bytes = collect_after(text.into_bytes(), &src[read..], |src, dst| {
            driver.run(src, dst, true, Extent::All, &mut on_error, &mut on_unmappable)
        });
        let tally = driver.tally();
        // Neither policy ever stops.
        let text = bytes.map(checked::string).unwrap_or_default();
        decoded(Cow::Owned(text), tally.replaced.count + tally.unmappable.count)
    }

    /// Returns `true` if the first code point of a text is U+FEFF.
    #[inline]
    fn shows_signature(self, src: &[u8]) -> bool {
        if self.is_ascii_compatible() && src.first().is_none_or(u8::is_ascii) {
            return false;
        }
        let (_, text) = self.start_of(src);
        text.starts_with("\u{FEFF}".as_bytes())
    }

    /// Returns `true` if the encoding takes its signature off itself, as UTF-16 and its like do.
    #[inline]
    fn takes_signature_off(self) -> bool {
        let (read, text) = self.start_of(self.signature());
        read > 0 && text[0] == 0
    }

    /// Returns the number of bytes read of the first few, and their text with zeros after it.
    #[inline]
    fn start_of(self, src: &[u8]) -> (usize, [u8; 4 * SIGNATURE_MAX_BYTES]) {
        let mut text = [0; 4 * SIGNATURE_MAX_BYTES];
        let start = &src[..src.len().min(SIGNATURE_MAX_BYTES)];
        let mut driver = any::From::new(self.descriptor(), Mode::Utf8);
        let (mut on_error, mut on_unmappable) = (ErrorPolicy::Stop, UnmappablePolicy::Stop);
        let p = driver.run(start, &mut text, false, Extent::All, &mut on_error, &mut on_unmappable);
        (p.read, text)
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
        let mut answers = Answers::default();
        let (mut replace, mut on_unmappable) = answers.once(&mut replace, &mut on_unmappable);
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

/// U+FEFF, the signature.
#[cfg(feature = "alloc")]
const SIGNATURE: char = '\u{FEFF}';

/// At most this many bytes show whether a text begins with U+FEFF: the signature of UTF-7, and what follows it.
#[cfg(feature = "alloc")]
const SIGNATURE_MAX_BYTES: usize = 8;

#[cfg(feature = "alloc")]
#[inline]
fn utf8(src: &[u8]) -> Option<&str> {
    let (text, rest) = checked::split_well_formed(src);
    rest.is_empty().then_some(text)
}
