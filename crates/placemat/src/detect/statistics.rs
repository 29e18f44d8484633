//! The ranking of encodings by the language model.

use super::sample::Sample;
use super::verdict::Candidate;
use crate::forms::encoding::Encoding;
use alloc::vec::Vec;

/// What the other stages know about the bytes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hints {
    /// Encodings that are more probable than the bytes alone make them, as declared ones are, and by how many nats.
    pub(crate) favoured: Vec<(Encoding, f32)>,
    /// Encodings that the structure of the whole stream rules out.
    pub(crate) ruled_out: Vec<Encoding>,
    /// Encodings of UTF-16 and UTF-32 that the structure of the whole stream allows; the others need no ranking.
    pub(crate) wide: Vec<Encoding>,
    /// Whether the bytes may be EBCDIC. If they may, they may still be something else.
    pub(crate) ebcdic: bool,
}

/// The encodings that a sample may be in.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ranking {
    /// The best first. Empty if there is nothing to rank.
    pub(crate) candidates: Vec<Candidate>,
    /// Whether the best candidate costs no more than text does. If it does not fit, the bytes are noise, or text in a
    /// language that the model does not know.
    pub(crate) fits: bool,
}

/// Ranks all encodings that the hints allow.
pub(crate) fn rank(_sample: &Sample, _hints: &Hints) -> Ranking {
    Ranking::default()
}
