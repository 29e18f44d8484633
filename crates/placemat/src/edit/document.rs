//! The document: its bytes, its text, and edits.

use super::chunks::{Chunks, Stretch, joined};
use super::error::EditError;
use super::reader::Reader;
use super::splice::{Splice, Spliced, string};
use super::stand_ins::StandIns;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;
use placemat_charsets::Encoding;
use placemat_charsets::bom::SIGNATURES;
use placemat_core::checked;
use placemat_core::engine::any::Place;

/// The bytes of a file in some encoding, edited as text. The [module](super) says more.
///
/// Offsets of the text count bytes of UTF-8. A signature at the start of the file is not part of the text, and stays.
///
/// ```
/// use placemat::{Encoding, edit::Document};
/// let mut list = Document::open(b"\xFF\xFEa\0\n\0b\0\x00\xDC\n\0", Encoding::UTF_16LE)?;
/// // A lone surrogate: two bytes that are not text.
/// assert_eq!(list.text(), "a\nb\u{10FE00}\u{10FEDC}\n");
/// list.replace(0..1, "ä")?;
/// assert_eq!(list.to_bytes(), b"\xFF\xFE\xE4\0\n\0b\0\x00\xDC\n\0");
/// # Ok::<(), placemat::edit::EditError>(())
/// ```
#[derive(Clone)]
pub struct Document {
    encoding: Encoding,
    /// The signature.
    pub(super) head: Vec<u8>,
    /// The place after the signature.
    pub(super) start: Place,
    pub(super) chunks: Chunks,
    pub(super) stand_ins: StandIns,
    /// Whether there were bytes without text.
    pub(super) has_bytes: bool,
}

/// The bytes that an edit changed.
///
/// ```
/// use placemat::{Encoding, edit::Document};
/// let mut notes = Document::open(b"na\xEFve caf\xE9", Encoding::WINDOWS_1252)?;
/// let change = notes.replace(0.."naïve".len(), "native")?;
/// // Only a letter became two.
/// assert_eq!((change.bytes, change.len), (2..3, 2));
/// # Ok::<(), placemat::edit::EditError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change {
    /// The bytes of the file, before the edit, that were replaced.
    pub bytes: Range<usize>,
    /// The number of bytes in their place after the edit.
    pub len: usize,
}

impl Document {
    /// Opens the bytes of a file. Any bytes will do: those that are not text have stand-ins.
    ///
    /// ```
    /// use placemat::{Encoding, edit::Document};
    /// let damaged = Document::open(b"caf\xE9", Encoding::UTF_8)?;
    /// assert_eq!(damaged.text(), "caf\u{10FEE9}");
    /// assert_eq!(damaged.to_bytes(), b"caf\xE9");
    /// # Ok::<(), placemat::edit::EditError>(())
    /// ```
    ///
    /// # Errors
    /// [`EditError::NoStandIn`], which takes a text of over a million different code points.
    #[inline]
    pub fn open(bytes: &[u8], encoding: Encoding) -> Result<Self, EditError> {
        let (head, start) = Self::signature_of(encoding, bytes);
        let (head, rest) = bytes.split_at(head);
        let mut document = Self {
            encoding,
            head: head.to_vec(),
            start,
            chunks: Chunks::default(),
            stand_ins: StandIns::first_choice(),
            has_bytes: false,
        };
        let stretch = Stretch { src: rest, len: rest.len(), last: true, place: start };
        let (mut has_bytes, mut taken) = (false, false);
        let divided = stretch.divide(&document.stand_ins, |_, reader| {
            has_bytes |= reader.met_bytes;
            taken |= reader.met_stand_in;
            true
        });
        document.has_bytes = has_bytes;
        let divided = if has_bytes && taken {
            let used = Reader::new(start, rest, true, &document.stand_ins).used();
            document.stand_ins = used.stand_ins().ok_or(EditError::NoStandIn)?;
            stretch.divide(&document.stand_ins, |_, _| true)
        } else {
            divided
        };
        // The last step ends with the text, so there are chunks.
        let (chunks, _) = divided.ok_or(EditError::ReadsOtherwise)?;
        document.chunks = Chunks::new(chunks);
        Ok(document)
    }

    /// Returns the length of the signature at the start of a file, and the place after it.
    #[inline]
    fn signature_of(encoding: Encoding, bytes: &[u8]) -> (usize, Place) {
        let start = Place::start(encoding.descriptor());
        let none = StandIns::first_choice();
        let known = SIGNATURES.iter().map(|signature| signature.bytes);
        for signature in core::iter::once(encoding.signature()).chain(known) {
            if signature.is_empty() || !bytes.starts_with(signature) {
                continue;
            }
            let (mut reader, mut text) = (Reader::new(start, bytes, true, &none), Vec::new());
            while reader.at < signature.len() && reader.step(&mut text) {}
            if reader.at == signature.len() && matches!(string(&text), "" | "\u{FEFF}") {
                return (signature.len(), reader.place());
            }
        }
        (0, start)
    }

    /// Returns the encoding of the file.
    ///
    /// ```
    /// use placemat::{Encoding, edit::Document};
    /// assert_eq!(Document::open(b"caf\xE9", Encoding::UTF_8)?.encoding(), Encoding::UTF_8);
    /// # Ok::<(), placemat::edit::EditError>(())
    /// ```
    #[must_use]
    pub const fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Returns the signature at the start of the file; empty if there is none.
    ///
    /// ```
    /// use placemat::{Encoding, edit::Document};
    /// let signed = Document::open(b"\xEF\xBB\xBFx", Encoding::UTF_8)?;
    /// assert_eq!((signed.signature(), &*signed.text()), (&b"\xEF\xBB\xBF"[..], "x"));
    /// assert_eq!(Document::open(b"\xEF\xBBx", Encoding::UTF_8)?.signature(), b"");
    /// # Ok::<(), placemat::edit::EditError>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn signature(&self) -> &[u8] {
        &self.head
    }

    /// Returns the code points that represent bytes without text; `None` if the file had no such bytes when
    /// it was opened.
    ///
    /// ```
    /// use placemat::{Encoding, edit::Document};
    /// let damaged = Document::open(b"a\xFFb", Encoding::UTF_8)?;
    /// assert_eq!(damaged.stand_ins().map(|s| s.char_of(0xFF)), Some('\u{10FEFF}'));
    /// assert!(Document::open(b"ab", Encoding::UTF_8)?.stand_ins().is_none());
    /// # Ok::<(), placemat::edit::EditError>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn stand_ins(&self) -> Option<&StandIns> {
        self.has_bytes.then_some(&self.stand_ins)
    }

    /// Returns the whole text, without the signature.
    ///
    /// ```
    /// use placemat::{Encoding, edit::Document};
    /// let document = Document::open(b"caf\xE9", Encoding::ISO_8859_1)?;
    /// assert_eq!(document.text(), "café");
    /// assert_eq!(Document::open(b"caf\x80", Encoding::US_ASCII)?.text(), "caf\u{10FE80}");
    /// # Ok::<(), placemat::edit::EditError>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn text(&self) -> String {
        checked::string(self.text_from(0, self.chunks.sum.text).1)
    }

    /// Returns a part of the text; `None` if the range does not select whole code points of the text.
    ///
    /// ```
    /// use placemat::{Encoding, edit::Document};
    /// let document = Document::open(b"caf\xE9", Encoding::ISO_8859_1)?;
    /// assert_eq!(document.slice(3..5).as_deref(), Some("é"));
    /// assert_eq!((document.slice(3..4), document.slice(0..6)), (None, None));
    /// # Ok::<(), placemat::edit::EditError>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn slice(&self, range: Range<usize>) -> Option<String> {
        if range.start > range.end || range.end > self.chunks.sum.text {
            return None;
        }
        let (offset, text) = self.text_from(range.start, range.end);
        let part = string(&text).get(range.start - offset..range.end - offset)?;
        Some(part.into())
    }

    /// Returns the text of the chunks from one offset of the text to another, and the offset of the first of them.
    #[inline]
    fn text_from(&self, start: usize, end: usize) -> (usize, Vec<u8>) {
        let Some((first, before)) = self.chunks.find(start, |sum| sum.text) else { return (0, Vec::new()) };
        let mut text = Vec::with_capacity(end - before.text);
        let mut next = Some(first);
        let mut after = before.text;
        while let Some(number) = next.filter(|_| after <= end) {
            // The bytes after a chunk decide about its last steps.
            let (bytes, len, last) = joined(&self.chunks, number, number);
            let chunk = self.chunks.get(number);
            Reader::new(chunk.place, &bytes, last, &self.stand_ins).read_to(&mut text, len);
            after += chunk.sum.text;
            next = self.chunks.next(number);
        }
        (before.text, text)
    }

    /// Puts `new` in the place of a range of the text. Bytes outside of the change stay as they are, those of text included
    /// that the range and `new` have in common at both ends.
    ///
    /// ```
    /// use placemat::{Encoding, edit::Document};
    /// // Japanese between escapes. The change needs some more of them.
    /// let mut mail = Document::open(b"\x1B$BF|K\\8l\x1B(B\n", Encoding::ISO_2022_JP)?;
    /// assert_eq!(mail.text(), "日本語\n");
    /// mail.replace(3..6, "-")?;
    /// assert_eq!(mail.to_bytes(), b"\x1B$BF|\x1B(B-\x1B$B8l\x1B(B\n");
    /// // The second byte of a letter that was cut in half must not meet a first one.
    /// let mut cut = Document::open(b"\x83 \x93\xFA", Encoding::SHIFT_JIS)?;
    /// assert_eq!(cut.text(), "\u{10FE83} 日");
    /// assert!(cut.replace(4..5, "A").is_err());
    /// # Ok::<(), placemat::edit::EditError>(())
    /// ```
    ///
    /// # Errors
    /// The document is then unchanged. [`EditError::Range`] if the range does not select whole code points of the text,
    /// [`EditError::Unmappable`] if the encoding cannot represent a code point of `new`, [`EditError::ReadsOtherwise`] if a
    /// byte without text would become a part of a sequence.
    #[inline]
    pub fn replace(&mut self, range: Range<usize>, new: &str) -> Result<Change, EditError> {
        let old = self.slice(range.clone()).ok_or(EditError::Range)?;
        let same = common(old.chars().zip(new.chars()));
        let (old_rest, new_rest) = (&old[same..], &new[same..]);
        let same_end = common(old_rest.chars().rev().zip(new_rest.chars().rev()));
        let range = range.start + same..range.end - same_end;
        let new = &new_rest[..new_rest.len() - same_end];
        if range.is_empty() && new.is_empty() {
            let at = self.head.len() + self.byte_of(range.start);
            return Ok(Change { bytes: at..at, len: 0 });
        }
        let Spliced { scene, chunks, bytes, len } = self.splice(range, new).find().map_err(|e| match e {
            EditError::Unmappable(e) => EditError::Unmappable(e.at(e.offset() + same as u64)),
            e => e,
        })?;
        let before = scene.numbers.map_or(0, |(first, _)| self.chunks.bytes_before(first));
        let before = before + self.head.len();
        self.chunks.replace(scene.numbers, chunks);
        Ok(Change { bytes: before + bytes.start..before + bytes.end, len })
    }

    /// Returns the change of a range to `new`. The old text and `new` must differ at both ends.
    #[inline]
    pub(super) fn splice<'a>(&'a self, range: Range<usize>, new: &'a str) -> Splice<'a> {
        Splice {
            encoding: self.encoding,
            signed: !self.head.is_empty(),
            start: self.start,
            chunks: &self.chunks,
            stand_ins: &self.stand_ins,
            has_bytes: self.has_bytes,
            range,
            new,
        }
    }

    /// Returns the bytes of the file.
    #[must_use]
    #[inline]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.len());
        bytes.extend_from_slice(&self.head);
        for chunk in self.chunks.from(self.chunks.first()) {
            bytes.extend_from_slice(&chunk.bytes);
        }
        bytes
    }

    /// Returns the length of the file in bytes, with the signature.
    ///
    /// ```
    /// use placemat::{Encoding, edit::Document};
    /// let document = Document::open(b"\xFF\xFEh\0\xE9\0", Encoding::UTF_16)?;
    /// assert_eq!((document.len(), document.text_len(), document.is_empty()), (6, 3, false));
    /// assert!(Document::open(b"", Encoding::UTF_16)?.is_empty());
    /// # Ok::<(), placemat::edit::EditError>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.head.len() + self.chunks.sum.bytes
    }

    /// Returns `true` if the file has no bytes.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Returns the length in bytes of the code points that two texts have in common.
#[inline]
fn common(pairs: impl Iterator<Item = (char, char)>) -> usize {
    pairs.take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum()
}

impl fmt::Debug for Document {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { encoding, has_bytes, .. } = self;
        let mut shown = f.debug_struct("Document");
        shown.field("encoding", encoding).field("len", &self.len()).field("has_bytes", has_bytes);
        shown.finish_non_exhaustive()
    }
}
