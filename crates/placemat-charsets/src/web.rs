//! Text as browsers read it: the operations of the WHATWG Encoding Standard, and nothing else.
//!
//! [`for_label`] knows the 228 labels of the Standard, [`sniff`] the three signatures that browsers obey; [`decode`] and
//! [`reader`] do what the Standard calls "decode". Use them for what comes from the web: documents, headers, forms. For
//! files of any origin, [`Encoding::for_label`] and [`bom`](crate::bom) know more labels and signatures.
//!
//! ```
//! use placemat::{Encoding, web};
//! // The charset of a Content-Type, and a body.
//! let encoding = web::for_label("utf8").unwrap_or(Encoding::UTF_8);
//! let decoded = web::decode(b"caf\xC3\xA9", encoding);
//! assert_eq!((decoded.text.as_ref(), decoded.errors), ("café", 0));
//! // The signature of UTF-16 wins, and is not part of the text.
//! let decoded = web::decode(b"\xFF\xFEh\0i\0", encoding);
//! assert_eq!((decoded.text.as_ref(), decoded.encoding), ("hi", Encoding::UTF_16LE));
//! ```

use crate::encoding::Encoding;
use crate::label::table;
#[cfg(feature = "std")]
use crate::stream::{self, Tally, Transcoder};
#[cfg(feature = "std")]
use placemat_core::policy::{ErrorPolicy, UnmappablePolicy};
#[cfg(feature = "std")]
use std::io::{self, BufRead, Read};

#[cfg(feature = "alloc")]
pub use crate::decoded::Decoded;

/// Returns the encoding that a browser uses for `label`, if this crate has it (WHATWG Encoding Standard, section 4.2).
///
/// Case and ASCII white space around the label do not matter. Labels that are not in the Standard are unknown.
///
/// ```
/// use placemat::{Encoding, web};
/// assert_eq!(web::for_label(" UTF8 "), Some(Encoding::UTF_8));
/// assert_eq!(web::for_label("utf-16"), Some(Encoding::UTF_16LE));
/// // On the web, Latin-1 is windows-1252.
/// assert_eq!(web::for_label("latin1").map(Encoding::name), Some("windows-1252"));
/// // Browsers do not support UTF-32.
/// assert_eq!(web::for_label("utf-32"), None);
/// ```
#[must_use]
#[inline]
pub fn for_label(label: &str) -> Option<Encoding> {
    table::web(label.trim_ascii())
}

/// Returns the encoding of the signature at the start of `src` and the length of the signature, for those that browsers
/// obey: UTF-8, UTF-16BE and UTF-16LE only (WHATWG Encoding Standard, "BOM sniff").
///
/// ```
/// use placemat::{Encoding, web};
/// assert_eq!(web::sniff(b"\xEF\xBB\xBFhi"), Some((Encoding::UTF_8, 3)));
/// // A truncated signature does not count, and browsers ignore that of SCSU.
/// assert_eq!(web::sniff(b"\xEF\xBB"), None);
/// assert_eq!(web::sniff(b"\x0E\xFE\xFFhi"), None);
/// ```
#[must_use]
#[inline]
pub fn sniff(src: &[u8]) -> Option<(Encoding, usize)> {
    [Encoding::UTF_8, Encoding::UTF_16BE, Encoding::UTF_16LE]
        .into_iter()
        .find(|encoding| src.starts_with(encoding.signature()))
        .map(|encoding| (encoding, encoding.signature().len()))
}

/// Decodes a whole text as a browser does (WHATWG Encoding Standard, "decode"), and counts the errors.
///
/// A signature of UTF-8, UTF-16BE or UTF-16LE wins over `fallback`, and is dropped. Each error becomes U+FFFD, so this
/// function cannot fail. [`reader`] does the same for a text in pieces.
///
/// ```
/// use placemat::{Encoding, web};
/// let page = web::decode(b"\xEF\xBB\xBFcaf\xC3\xA9", Encoding::ISO_8859_1);
/// assert_eq!((page.text.as_ref(), page.encoding, page.errors), ("café", Encoding::UTF_8, 0));
/// // Latin-1 that claims to be UTF-8.
/// let page = web::decode(b"caf\xE9", Encoding::UTF_8);
/// assert_eq!((page.text.as_ref(), page.encoding, page.errors), ("caf\u{FFFD}", Encoding::UTF_8, 1));
/// ```
#[cfg(feature = "alloc")]
#[must_use]
#[inline]
pub fn decode(src: &[u8], fallback: Encoding) -> Decoded<'_> {
    let (encoding, signature) = sniff(src).unwrap_or((fallback, 0));
    encoding.replacing(&src[signature..])
}

/// Returns a reader that decodes as [`decode`] does: it obeys a signature at the start of `inner`, and yields UTF-8.
///
/// ```
/// use placemat::{Encoding, web};
/// use std::io::Read;
/// let mut text = String::new();
/// let file: &[u8] = b"\xFF\xFEh\0i\0";
/// let mut reader = web::reader(file, Encoding::UTF_8);
/// reader.read_to_string(&mut text)?;
/// assert_eq!((text.as_str(), reader.encoding()), ("hi", Encoding::UTF_16LE));
/// // No signature, and an error, which is replaced.
/// let mut reader = web::reader(&b"caf\xE9"[..], Encoding::UTF_8);
/// text.clear();
/// reader.read_to_string(&mut text)?;
/// assert_eq!((text.as_str(), reader.tally().replaced.first), ("caf\u{FFFD}", Some(3)));
/// # Ok::<(), std::io::Error>(())
/// ```
#[cfg(feature = "std")]
pub fn reader<R: Read>(inner: R, fallback: Encoding) -> Reader<R> {
    let start = Start { inner, head: [0; HEAD_BYTES], at: 0, len: 0 };
    Reader { encoding: fallback, is_sniffed: false, decoder: stream::Reader::new(start, replacing(fallback)) }
}

/// Returns a transcoder that never stops.
#[cfg(feature = "std")]
fn replacing(encoding: Encoding) -> Transcoder {
    Transcoder::new(encoding, Encoding::UTF_8)
        .ending_shifted()
        .on_error(ErrorPolicy::Replace)
        .on_unmappable(UnmappablePolicy::Replace)
}

/// The length of the longest signature, in bytes.
#[cfg(feature = "std")]
const HEAD_BYTES: usize = 3;

/// Decodes what it reads from `R` as a browser does. [`reader`] makes it.
///
/// Errors are those of `R` only: ill-formed text becomes U+FFFD. After an error of `R`, reading may go on.
///
/// ```
/// use placemat::{Encoding, web};
/// use std::io::BufRead;
/// let file: &[u8] = b"\xEF\xBB\xBFone\ntwo\xFF\n";
/// let reader: web::Reader<&[u8]> = web::reader(file, Encoding::ISO_8859_1);
/// let lines: Vec<String> = reader.lines().collect::<Result<_, _>>()?;
/// assert_eq!(lines, ["one", "two\u{FFFD}"]);
///
/// // The encoding is that of the signature; the tally counts what was replaced.
/// let (mut reader, mut text) = (web::reader(file, Encoding::ISO_8859_1), String::new());
/// std::io::Read::read_to_string(&mut reader, &mut text)?;
/// assert_eq!((reader.encoding(), reader.tally().replaced.count), (Encoding::UTF_8, 1));
/// assert!(reader.get_ref().is_empty() && reader.into_inner().is_empty());
/// # Ok::<(), std::io::Error>(())
/// ```
#[cfg(feature = "std")]
#[derive(Debug)]
pub struct Reader<R> {
    encoding: Encoding,
    is_sniffed: bool,
    decoder: stream::Reader<Start<R>>,
}

#[cfg(feature = "std")]
impl<R> Reader<R> {
    /// Returns the encoding of the text: the fallback, until something was read and a signature says otherwise.
    #[must_use]
    pub const fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Returns a reference to the source.
    #[must_use]
    pub const fn get_ref(&self) -> &R {
        &self.decoder.get_ref().inner
    }

    /// Returns the source. Bytes that the reader read ahead are lost.
    #[must_use]
    pub fn into_inner(self) -> R {
        self.decoder.into_inner().inner
    }
}

#[cfg(feature = "std")]
impl<R: Read> Reader<R> {
    /// Returns the tally so far. Offsets count from the start of the source, signature included.
    #[must_use]
    pub fn tally(&self) -> Tally {
        self.decoder.tally()
    }

    /// Looks for a signature, once.
    fn sniff(&mut self) -> io::Result<()> {
        if self.is_sniffed {
            return Ok(());
        }
        let start = self.decoder.get_mut();
        while start.len < HEAD_BYTES {
            match start.inner.read(&mut start.head[start.len..]) {
                Ok(0) => break,
                Ok(len) => start.len = HEAD_BYTES.min(start.len + len),
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        }
        self.is_sniffed = true;
        if let Some((encoding, signature)) = sniff(&start.head[..start.len]) {
            start.at = signature;
            self.encoding = encoding;
            self.decoder.begin_again(replacing(encoding).starting_at(signature as u64));
        }
        Ok(())
    }
}

#[cfg(feature = "std")]
impl<R: Read> Read for Reader<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.sniff()?;
        self.decoder.read(buf)
    }
}

#[cfg(feature = "std")]
impl<R: Read> BufRead for Reader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.sniff()?;
        self.decoder.fill_buf()
    }

    fn consume(&mut self, len: usize) {
        self.decoder.consume(len);
    }
}

/// A source whose first bytes were read before.
#[cfg(feature = "std")]
#[derive(Debug)]
struct Start<R> {
    inner: R,
    head: [u8; HEAD_BYTES],
    /// The bytes `at..len` of `head` come before those of `inner`.
    at: usize,
    len: usize,
}

#[cfg(feature = "std")]
impl<R: Read> Read for Start<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.at == self.len {
            return self.inner.read(buf);
        }
        let len = self.head[self.at..self.len].as_ref().read(buf)?;
        self.at += len;
        Ok(len)
    }
}
