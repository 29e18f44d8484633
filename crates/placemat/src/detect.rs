//! Detection: the encoding and the language of bytes of unknown origin.
//!
//! A [`Detector`] reads a whole stream once, in constant memory, and answers with a [`Detection`]. Nothing is guessed
//! before the stream has ended, and the answer does not depend on the pieces in which it came.
//!
//! ```
//! use placemat::{Encoding, detect::{Detector, Verdict}};
//! let mut detector = Detector::new();
//! detector.feed(b"na\xC3");
//! detector.feed(b"\xAFve");
//! let found = detector.finish();
//! assert_eq!((found.verdict, found.encoding), (Verdict::Text, Some(Encoding::UTF_8)));
//! ```

mod blocks;
mod model;
#[allow(dead_code, reason = "the ranking needs it all")]
mod sample;
#[allow(dead_code, reason = "the ranking needs it all")]
mod statistics;
mod utf8;
mod verdict;

pub use self::model::Language;
pub use self::verdict::{Basis, Candidate, Damage, Declared, Detection, RuledOut, Verdict};

use self::blocks::Blocks;
use self::sample::Sample;
use self::statistics::Hints;
use self::utf8::Utf8;
use crate::bom;
use crate::forms::encoding::Encoding;
use crate::kernels::dispatch::Kernels;
use alloc::vec::Vec;

/// The bytes at the start of a stream that are kept as they are.
const HEAD: usize = 64 * 1024;

/// Detects the encoding of a whole text.
///
/// ```
/// use placemat::{Encoding, detect::{detect, Basis, Verdict}};
/// let found = detect("naïve".as_bytes());
/// assert_eq!((found.encoding, found.basis), (Some(Encoding::UTF_8), Basis::WellFormed));
/// // Ill-formed UTF-8 is something else.
/// assert_ne!(detect(b"na\xEFve").encoding, Some(Encoding::UTF_8));
/// ```
#[must_use]
pub fn detect(src: &[u8]) -> Detection {
    let mut detector = Detector::new();
    detector.feed(src);
    detector.finish()
}

/// Detects the encoding of a stream that comes in pieces.
///
/// ```
/// use placemat::{Encoding, detect::Detector};
/// let mut detector = Detector::new();
/// for piece in [&b"\xEF\xBB"[..], b"\xBFtext"] {
///     detector.feed(piece);
/// }
/// assert_eq!(detector.finish().signature.map(|signature| signature.name), Some("UTF-8"));
/// // Ill-formed: a lead byte alone is not UTF-8.
/// detector = Detector::default();
/// detector.feed(b"caf\xC3");
/// assert_ne!(detector.finish().encoding, Some(Encoding::UTF_8));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Detector {
    blocks: Blocks,
    stages: Stages,
}

impl Detector {
    /// A detector that has read nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads the next bytes of the stream.
    pub fn feed(&mut self, src: &[u8]) {
        let Self { blocks, stages } = self;
        blocks.feed(src, |block| stages.block(block));
    }

    /// The answer for all bytes that were read.
    #[must_use]
    pub fn finish(mut self) -> Detection {
        self.stages.block(self.blocks.rest());
        self.stages.finish()
    }
}

/// The stages that look at each block.
#[derive(Clone, Debug, Default)]
struct Stages {
    len: u64,
    head: Vec<u8>,
    first_non_ascii: Option<u64>,
    utf8: Utf8,
    sample: Sample,
}

impl Stages {
    fn block(&mut self, block: &[u8]) {
        let offset = self.len;
        self.len += block.len() as u64;
        if let Some(room) = HEAD.checked_sub(self.head.len()) {
            self.head.extend_from_slice(&block[..block.len().min(room)]);
        }
        if self.first_non_ascii.is_none() {
            let ascii = Kernels::current().ascii_prefix(block);
            if ascii == block.len() {
                return;
            }
            self.first_non_ascii = Some(offset + ascii as u64);
        }
        if !self.utf8.block(offset, block) {
            self.sample.take(block);
        }
    }

    fn finish(self) -> Detection {
        let Self { len, head, first_non_ascii, utf8, mut sample } = self;
        let signature = bom::sniff(&head);
        let mut found = Detection {
            verdict: Verdict::Unknown,
            encoding: None,
            confidence: 0.0,
            language: None,
            basis: Basis::Nothing,
            signature,
            candidates: Vec::new(),
            first_non_ascii,
            declared: None,
            ruled_out: Vec::new(),
            damage: None,
            len,
        };
        if len == signature.map_or(0, |signature| signature.len as u64) {
            found.verdict = Verdict::Empty;
            return found;
        }
        if let Some(encoding) = signature.and_then(|signature| signature.encoding) {
            found.certain(encoding, Basis::Signature);
        } else if first_non_ascii.is_none() {
            found.certain(Encoding::US_ASCII, Basis::Ascii);
        } else if utf8.first.is_none() {
            found.certain(Encoding::UTF_8, Basis::WellFormed);
        } else if let Some(damage) = utf8.damage() {
            found.certain(Encoding::UTF_8, Basis::WellFormed);
            found.damage = Some(damage);
        } else {
            sample.head = head;
            sample.len = len;
            let ranking = statistics::rank(&sample, &Hints::default());
            if let Some(best) = ranking.candidates.first().filter(|_| ranking.fits) {
                found.verdict = Verdict::Text;
                found.encoding = Some(best.encoding);
                found.confidence = best.confidence;
                found.language = best.language;
                found.basis = Basis::Statistics;
            }
            found.candidates = ranking.candidates;
        }
        if let Some((offset, bytes)) = utf8.first {
            found.ruled_out.push(RuledOut { encoding: Encoding::UTF_8, offset, bytes });
        }
        found
    }
}
