//! The answer of a detector.

use super::model::Language;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use placemat_charsets::Encoding;
use placemat_charsets::bom::Sniffed;

/// The answer of a [`Detector`](super::Detector), with its reasons.
///
/// ```
/// use placemat::{Encoding, detect::{Detection, Verdict, detect}};
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
    /// [`Verdict::Binary`], the probability that the stream is no text.
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
    /// The encoding that the text says it is in.
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
}

impl Detection {
    /// Text that is in this encoding.
    pub(super) fn text(&mut self, encoding: Encoding, confidence: f32, basis: Basis) {
        self.verdict = Verdict::Text;
        self.encoding = Some(encoding);
        self.confidence = confidence;
        self.basis = basis;
        self.candidates = vec![Candidate { encoding, language: None, confidence }];
    }

    /// Turns the result into that of binary data.
    pub(super) fn binary(&mut self) {
        self.verdict = Verdict::Binary;
        self.confidence = 1.0;
        self.basis = Basis::Structure;
        self.ruled_out.clear();
    }

    /// Whether the text declares another encoding than the one found, and the two read it differently.
    ///
    /// ```
    /// use placemat::detect::detect;
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

/// The kind of data of a stream.
///
/// ```
/// use placemat::detect::{Verdict, detect};
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

/// The evidence for a verdict, from the surest to the least sure.
///
/// ```
/// use placemat::detect::{Basis, detect};
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

/// An encoding that the bytes may be in.
///
/// ```
/// use placemat::{Encoding, detect::{Candidate, detect}};
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
    /// The probability that it is right: from 0 to 1.
    pub confidence: f32,
}

/// A declaration of the encoding in the text itself.
///
/// ```
/// use placemat::{Encoding, detect::{Declared, detect}};
/// let found = detect(b"<?xml version='1.0' encoding='koi8-r'?><a/>");
/// let declared: &Declared = found.declared.as_ref().unwrap();
/// assert_eq!((declared.label.as_str(), declared.encoding, declared.offset), ("koi8-r", Some(Encoding::KOI8_R), 30));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Declared {
    /// The convention by which it was found, such as `XML declaration`.
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
/// use placemat::{Encoding, detect::{RuledOut, detect}};
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
    /// The confidence that the text is UTF-8: its share of the sequences.
    pub(super) fn confidence(&self) -> f32 {
        let all = self.ill_formed + self.well_formed;
        // As few as five in a hundred are no doubt.
        (1.05 - self.ill_formed as f32 / all as f32).min(0.999)
    }
}

/// The ill-formed sequences of a text in UTF-8, or in UTF-8 and another encoding.
///
/// ```
/// use placemat::detect::{Damage, detect};
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
