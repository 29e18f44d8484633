//! The answer of a detector.

use super::model::Language;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use placemat_charsets::Encoding;
use placemat_charsets::bom::Sniffed;

/// The answer of a [`Detector`](super::Detector), with its reasons.
///
/// ```
/// use placemat::{Encoding, detect, detect::{Detection, Verdict}};
/// let found: Detection = detect("naïve".as_bytes());
/// assert_eq!((found.verdict, found.encoding, found.first_non_ascii), (Verdict::Text, Some(Encoding::UTF_8), Some(2)));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Detection {
    /// The kind of data.
    pub verdict: Verdict,
    /// The most probable encoding; `None` unless the verdict is [`Verdict::Text`].
    pub encoding: Option<Encoding>,
    /// The probability that `encoding` is right, or another encoding that gives the same text: from 0 to 1. For
    /// [`Verdict::Binary`], the probability that the stream is not text.
    pub confidence: f32,
    /// The most probable language, if the language model was asked.
    pub language: Option<Language>,
    /// On what the verdict rests.
    pub basis: Basis,
    /// The signature at the start.
    pub signature: Option<Sniffed>,
    /// All encodings that are worth a look, the most probable first.
    pub candidates: Vec<Candidate>,
    /// The offset of the first byte that is not ASCII.
    pub first_non_ascii: Option<u64>,
    /// The encoding that the text declares.
    pub declared: Option<Declared>,
    /// Encodings that the bytes prove wrong, among those that were worth a look.
    pub ruled_out: Vec<RuledOut>,
    /// The ill-formed sequences, if the text is UTF-8 and damaged, or partly UTF-8 and partly another encoding.
    pub damage: Option<Damage>,
    /// The encodings of its lines, `encoding` first, if these are clearly in several; else empty. UTF-16 and UTF-32 are among
    /// them if stretches of the stream are in it. [`regions`](super::regions()) says which line is in which.
    pub mixed: Vec<Encoding>,
    /// The length of the whole stream in bytes.
    pub len: u64,
    /// Whether the stream goes on after what was read ([`Detector::finish_prefix`](super::Detector::finish_prefix)), so that
    /// nothing is known of its rest.
    pub is_prefix: bool,
}

impl Detection {
    /// Text that is in this encoding.
    pub(super) fn text(&mut self, encoding: Encoding, confidence: f32, basis: Basis) {
        self.verdict = Verdict::Text;
        self.encoding = Some(encoding);
        self.confidence = confidence;
        self.basis = basis;
        self.candidates = vec![Candidate { encoding, language: None, confidence, same_text: true }];
    }

    /// Turns the result into that of binary data.
    pub(super) fn binary(&mut self) {
        self.verdict = Verdict::Binary;
        self.confidence = 1.0;
        self.basis = Basis::Structure;
        self.encoding = None;
        self.language = None;
        self.candidates.clear();
        self.ruled_out.clear();
    }

    /// Returns the other encodings that read the text the same, as far as it was looked at: the bytes cannot tell which one it
    /// was written in.
    ///
    /// ```
    /// use placemat::{Encoding, detect};
    /// let found = detect(b"Le caf\xE9 est \xE0 la fen\xEAtre, d\xE9j\xE0 tr\xE8s chaud");
    /// assert_eq!(found.encoding, Some(Encoding::WINDOWS_1252));
    /// assert!(found.same_text().any(|other| other == Encoding::ISO_8859_1));
    /// // No other encoding reads UTF-8 the same.
    /// assert_eq!(detect("naïve".as_bytes()).same_text().count(), 0);
    /// ```
    pub fn same_text(&self) -> impl Iterator<Item = Encoding> {
        let others =
            self.candidates.iter().filter(|other| other.same_text && Some(other.encoding) != self.encoding);
        others.map(|other| other.encoding)
    }

    /// Returns `true` if the text declares another encoding than the one found, and the two read it differently.
    ///
    /// ```
    /// use placemat::detect;
    /// assert!(detect("@charset \"koi8-r\"; /* é */".as_bytes()).contradicts_declaration());
    /// assert!(!detect("@charset \"utf-8\"; /* é */".as_bytes()).contradicts_declaration());
    /// // Ill-formed: without a declaration there is no contradiction.
    /// assert!(!detect(b"\xFF").contradicts_declaration());
    /// ```
    #[must_use]
    pub fn contradicts_declaration(&self) -> bool {
        self.declared.as_ref().is_some_and(|declared| declared.contradicted)
    }
}

/// Writes the verdict, the first encoding that reads the text the same, and whether only a prefix was read.
///
/// ```
/// use placemat::detect;
/// use placemat::detect::Detector;
/// assert_eq!(detect("naïve".as_bytes()).to_string(), "UTF-8");
/// let latin = detect(b"Le caf\xE9 est \xE0 la fen\xEAtre, d\xE9j\xE0 tr\xE8s chaud");
/// assert!(latin.to_string().starts_with("windows-1252 or reads the same (ISO-8859-"), "{latin}");
/// let mut detector = Detector::new();
/// detector.feed(b"id;name\n");
/// assert_eq!(detector.finish_prefix().to_string(), "UTF-8 or reads the same (US-ASCII), by a prefix of 8 bytes");
/// ```
impl fmt::Display for Detection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.verdict, self.encoding) {
            (Verdict::Text, Some(encoding)) => write!(f, "{encoding}")?,
            (Verdict::Empty, _) => f.write_str("empty")?,
            (Verdict::Binary, _) => f.write_str("binary")?,
            _ => f.write_str("unknown")?,
        }
        let mut others = self.same_text();
        if let Some(other) = others.next() {
            let more = if others.next().is_some() { ", \u{2026}" } else { "" };
            write!(f, " or reads the same ({other}{more})")?;
        }
        if self.is_prefix {
            write!(f, ", by a prefix of {} bytes", self.len)?;
        }
        Ok(())
    }
}

/// The kind of data of a stream.
///
/// ```
/// use placemat::detect;
/// use placemat::detect::Verdict;
/// assert_eq!(detect(b"").verdict, Verdict::Empty);
/// assert_eq!(detect(b"plain").verdict, Verdict::Text);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Verdict {
    /// There are no bytes, or only a signature.
    Empty,
    /// Text in an encoding.
    Text,
    /// No text: an image, a program, an archive.
    Binary,
    /// Perhaps text, but in no encoding that is more probable than noise.
    Unknown,
}

impl Verdict {
    /// Returns the name of the verdict, as every door reports it.
    ///
    /// ```
    /// use placemat::detect;
    /// assert_eq!(detect(b"plain").verdict.name(), "text");
    /// assert_eq!(detect(b"").verdict.name(), "empty");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Text => "text",
            Self::Binary => "binary",
            Self::Unknown => "unknown",
        }
    }
}

/// The evidence for a verdict, from the surest to the least sure.
///
/// ```
/// use placemat::detect;
/// use placemat::detect::Basis;
/// assert_eq!(detect(b"plain").basis, Basis::Ascii);
/// assert_eq!(detect("naïve".as_bytes()).basis, Basis::WellFormed);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Basis {
    /// The stream begins with a signature.
    Signature,
    /// All bytes are ASCII, and no encoding of seven bits reads them otherwise.
    Ascii,
    /// The whole stream is well-formed in an encoding in which chance hardly ever is.
    WellFormed,
    /// The whole stream has the structure of the encoding, such as its escape sequences or the places of its zeros; or
    /// the structure of a binary format.
    Structure,
    /// The language model finds text.
    Statistics,
    /// The text declares the encoding, and all bytes are well-formed in it, but the language model does not know the text.
    Declaration,
    /// Nothing.
    Nothing,
}

impl Basis {
    /// Returns the name of the evidence, as every door reports it.
    ///
    /// ```
    /// use placemat::detect;
    /// assert_eq!(detect("naïve".as_bytes()).basis.name(), "well-formed");
    /// // Ill-formed UTF-8 rests on something else.
    /// assert_ne!(detect(b"na\xEFve").basis.name(), "well-formed");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Signature => "signature",
            Self::Ascii => "ascii",
            Self::WellFormed => "well-formed",
            Self::Structure => "structure",
            Self::Statistics => "statistics",
            Self::Declaration => "declaration",
            Self::Nothing => "nothing",
        }
    }
}

/// An encoding that the bytes may be in.
///
/// ```
/// use placemat::{Encoding, detect, detect::{Candidate}};
/// let found = detect("naïve".as_bytes());
/// let first: &Candidate = &found.candidates[0];
/// assert_eq!((first.encoding, first.confidence), (Encoding::UTF_8, found.confidence));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Candidate {
    /// The encoding.
    pub encoding: Encoding,
    /// The language in which the text is most probable.
    pub language: Option<Language>,
    /// The probability that the encoding is right, or another one that reads the text the same: from 0 to 1.
    pub confidence: f32,
    /// Whether this encoding reads the text the same as [`Detection::encoding`].
    pub same_text: bool,
}

/// A declaration of the encoding in the text itself.
///
/// ```
/// use placemat::{Encoding, detect, detect::{Declared}};
/// let found = detect(b"<?xml version='1.0' encoding='koi8-r'?><a/>");
/// let declared: &Declared = found.declared.as_ref().unwrap();
/// assert_eq!((declared.label.as_str(), declared.encoding, declared.offset), ("koi8-r", Some(Encoding::KOI8_R), 30));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Declared {
    /// The convention of the declaration, such as `XML declaration`.
    pub convention: &'static str,
    /// The label as it stands in the text, with U+FFFD for what is not ASCII.
    pub label: String,
    /// The encoding that the label names, if it is known.
    pub encoding: Option<Encoding>,
    /// The offset of the label.
    pub offset: u64,
    /// Whether the bytes are in another encoding, which reads them differently.
    pub contradicted: bool,
}

/// An encoding that the bytes prove wrong.
///
/// ```
/// use placemat::{Encoding, detect, detect::{RuledOut}};
/// let found = detect(b"caf\xE9 au lait");
/// let first: &RuledOut = &found.ruled_out[0];
/// assert_eq!((first.encoding, first.offset, &first.bytes[..]), (Encoding::UTF_8, 3, &b"\xE9"[..]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RuledOut {
    /// The encoding.
    pub encoding: Encoding,
    /// The offset of the first ill-formed sequence.
    pub offset: u64,
    /// The bytes of the first ill-formed sequence.
    pub bytes: Vec<u8>,
}

impl Damage {
    /// Returns the confidence that the text is UTF-8: its share of the sequences.
    pub(super) fn confidence(&self) -> f32 {
        let all = self.ill_formed + self.well_formed;
        // As few as five in a hundred raise no doubt.
        (1.05 - self.ill_formed as f32 / all as f32).min(0.999)
    }
}

/// The ill-formed sequences of a text in UTF-8, or in UTF-8 and another encoding.
///
/// ```
/// use placemat::detect;
/// use placemat::detect::Damage;
/// let damaged = ["Ελληνικά και ".repeat(9).as_bytes(), b"\xFF ", "άλλα".as_bytes()].concat();
/// let damage: Damage = detect(&damaged).damage.unwrap();
/// assert_eq!((damage.ill_formed, damage.first), (1, 216));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Damage {
    /// The number of ill-formed sequences, each a maximal subpart.
    pub ill_formed: u64,
    /// The number of well-formed sequences of several bytes.
    pub well_formed: u64,
    /// The offset of the first ill-formed sequence.
    pub first: u64,
}
