//! The part of a file that a report looks at itself: its first lines beyond ASCII.

use crate::cmd::encodings::chance;
use placemat::detect::{Basis, Candidate, Declared, Detection, Language};
use placemat::repair::{Repairer, Step};
use placemat::{Encoding, ErrorPolicy};
use std::collections::BTreeMap;

/// The maximum number of bytes of a file that a report looks at.
const MAX_SAMPLE_BYTES: usize = 64 * 1024;
/// The maximum number of bytes that an explanation shows.
const MAX_EXPLAINED: usize = 5;
/// A language is named from this confidence in the encoding on.
const MIN_CONFIDENCE: f32 = 0.9;
/// A language is named from this number of letters on; close relatives, which share most words, from the other.
const MIN_LETTERS: usize = 40;
const MIN_LETTERS_OF_RELATIVES: usize = 400;
/// Languages that are mistaken for a relative, or a relative for them, in a few sentences.
const RELATIVES: [&str; 15] =
    ["an", "ast", "bs", "ca", "cs", "da", "gl", "hr", "id", "ms", "nb", "nn", "oc", "sk", "sr-Latn"];
/// Languages that no other language of the model shares its script with.
const ALONE_IN_SCRIPT: [&str; 9] = ["el", "he", "hy", "ja", "ka", "ko", "th", "zh-Hans", "zh-Hant"];

/// The first bytes from the line with the first non-ASCII byte on.
#[derive(Debug, Default)]
pub(crate) struct Sample {
    bytes: Vec<u8>,
    /// Whether the file goes on after the sample.
    is_cut: bool,
}

impl Sample {
    /// Takes the next bytes of the file.
    pub(crate) fn feed(&mut self, piece: &[u8]) {
        let mut start = 0;
        if self.bytes.is_empty() {
            if piece.is_ascii() {
                return;
            }
            let ascii = piece.iter().take_while(|byte| byte.is_ascii()).count();
            start = piece[..ascii].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
            // A line may be longer than the sample.
            start = start.max(ascii.saturating_sub(MAX_SAMPLE_BYTES / 2));
        }
        let room = MAX_SAMPLE_BYTES - self.bytes.len();
        let piece = &piece[start..];
        self.is_cut |= piece.len() > room;
        self.bytes.extend_from_slice(&piece[..piece.len().min(room)]);
    }

    fn decoded(&self, encoding: Encoding) -> Option<String> {
        encoding.decode(&self.bytes, ErrorPolicy::Replace).ok().map(Into::into)
    }

    /// The candidates in the order of reports, those that read the file alike together.
    pub(super) fn groups<'a>(&self, found: &'a Detection) -> Vec<Vec<&'a Candidate>> {
        let mut groups: Vec<(Option<String>, Vec<&Candidate>)> = Vec::new();
        for (number, candidate) in ranked(found).into_iter().enumerate() {
            let text = self.decoded(candidate.encoding);
            let same = groups.iter_mut().enumerate().find(|(place, (other, alike))| {
                // Detection has looked at more than the sample.
                let is_same_by_detection = *place > 0 || alike[0].confidence == candidate.confidence;
                text.is_some() && *other == text && is_same_by_detection
            });
            match same {
                Some((_, (_, alike))) if number > 0 => alike.push(candidate),
                _ => groups.push((text, vec![candidate])),
            }
        }
        groups.into_iter().map(|(_, alike)| alike).collect()
    }

    /// The number of bytes that are not UTF-8; `None` if the sample is not all of the file.
    pub(super) fn ill_formed_bytes(&self) -> Option<usize> {
        (!self.is_cut).then(|| self.bytes.utf8_chunks().map(|chunk| chunk.invalid().len()).sum())
    }

    /// The chance that letters of windows-1252 in the places of the non-ASCII bytes are well-formed UTF-8.
    pub(super) fn chance_of_utf8(&self) -> f64 {
        let runs = self.bytes.split(u8::is_ascii).map(<[u8]>::len).filter(|&len| len > 0);
        chance::of_runs(runs)
    }

    /// Whether `repair` would change the text, which is UTF-8.
    pub(super) fn is_mojibake(&self) -> bool {
        is_mojibake(self.whole_lines(), [Step::Mojibake, Step::Legacy, Step::Lost])
    }

    /// Whether the text in an encoding of single bytes has words in UTF-8: a conversion would make `StraÃŸe` of `Straße`.
    pub(crate) fn has_utf8_words(&self, encoding: Encoding) -> bool {
        let is_single = encoding.max_bytes() == 1 && encoding.is_ascii_compatible();
        // Without well-formed sequences, there is nothing to look for.
        is_single
            && self.bytes.utf8_chunks().any(|chunk| !chunk.valid().is_ascii())
            && encoding
                .decode(self.whole_lines(), ErrorPolicy::Replace)
                .is_ok_and(|text| is_mojibake(text.as_bytes(), [Step::Mojibake, Step::Lost]))
    }

    /// The sample without a last line that it cuts.
    fn whole_lines(&self) -> &[u8] {
        let end = self.bytes.iter().rposition(|&byte| byte == b'\n').filter(|_| self.is_cut);
        &self.bytes[..end.map_or(self.bytes.len(), |at| at + 1)]
    }

    /// The language, if there is enough text to be sure of it.
    pub(super) fn language(&self, found: &Detection) -> Option<Language> {
        found.language?;
        let letters = || {
            let text = found.encoding.and_then(|encoding| self.decoded(encoding)).unwrap_or_default();
            text.chars().filter(|c| c.is_alphabetic()).count()
        };
        language_of(found, letters)
    }

    /// The non-ASCII bytes that make the text, and what they would be in the next candidate.
    pub(super) fn explanation(&self, found: &Detection) -> Option<String> {
        let encoding = found.encoding?;
        if found.basis != Basis::Statistics || !found.mixed.is_empty() {
            return None;
        }
        if encoding.max_bytes() > 1 || !encoding.is_ascii_compatible() {
            let text = self.decoded(encoding)?;
            let shown: String = text.chars().filter(|c| c.is_alphabetic()).take(12).collect();
            return (!shown.is_empty()).then(|| format!("its first letters are read as {shown}"));
        }
        let mut counts = BTreeMap::<u8, usize>::new();
        for &byte in self.bytes.iter().filter(|byte| !byte.is_ascii()) {
            *counts.entry(byte).or_default() += 1;
        }
        let mut bytes: Vec<(u8, usize)> = counts.into_iter().collect();
        bytes.sort_by_key(|&(_, count)| core::cmp::Reverse(count));
        let shown = |encoding: Encoding, byte: u8| -> String {
            let c = encoding.decode(&[byte], ErrorPolicy::Stop).ok().and_then(|text| text.chars().next());
            match c {
                None => "nothing".into(),
                Some(c) if c.is_control() => format!("a control (U+{:04X})", u32::from(c)),
                Some(c) if c.is_alphanumeric() || matches!(c, '\u{20A0}'..='\u{20BF}') => c.to_string(),
                Some(c) => format!("U+{:04X}", u32::from(c)),
            }
        };
        let pairs = |encoding: Encoding, bytes: &[u8]| -> String {
            let all: Vec<String> =
                bytes.iter().map(|&byte| format!("0x{byte:02x} is {}", shown(encoding, byte))).collect();
            all.join(", ")
        };
        let most: Vec<u8> = bytes.iter().map(|&(byte, _)| byte).take(MAX_EXPLAINED).collect();
        let mut text = format!("in {encoding}, {}", pairs(encoding, &most));
        if let Some(language) = self.language(found) {
            text += &format!(": text as {} has it", language.name());
        }
        let groups = self.groups(found);
        if let Some(other) =
            groups.get(1).and_then(|alike| alike.first()).filter(|other| other.encoding.max_bytes() == 1)
        {
            let other = other.encoding;
            let differ: Vec<u8> = bytes
                .iter()
                .map(|&(byte, _)| byte)
                .filter(|&byte| shown(encoding, byte) != shown(other, byte))
                .take(MAX_EXPLAINED)
                .collect();
            if !differ.is_empty() {
                text += &format!("; in {other}, {}", pairs(other, &differ));
            }
        }
        Some(text)
    }
}

/// Whether some of these steps of `repair` change a text.
fn is_mojibake(text: &[u8], steps: impl IntoIterator<Item = Step>) -> bool {
    let changes = Repairer::new().steps(steps).repair(text).changes;
    changes.iter().any(|change| change.step != Step::Lost)
}

/// The language of a detection, if it is sure enough to be named in words; `letters` counts those of the text.
pub(crate) fn language_of(found: &Detection, letters: impl FnOnce() -> usize) -> Option<Language> {
    let language = found.language.filter(|_| found.confidence >= MIN_CONFIDENCE)?;
    let code = language.code();
    if ALONE_IN_SCRIPT.contains(&code) {
        return Some(language);
    }
    let least = if RELATIVES.contains(&code) { MIN_LETTERS_OF_RELATIVES } else { MIN_LETTERS };
    (letters() >= least).then_some(language)
}

/// The confidence below which `-f auto` refuses an input.
pub(crate) const MIN_AUTO_CONFIDENCE: f32 = 0.8;
/// The least confidence if the text declares the same encoding: it is more probable than all others together.
const MIN_DECLARED_CONFIDENCE: f32 = 0.5;

/// Returns `true` if an encoding was found with enough confidence to read the text in it.
pub(crate) fn is_certain(found: &Detection) -> bool {
    let is_declared = |declared: &Declared| !declared.contradicted && declared.encoding == found.encoding;
    let least = match &found.declared {
        Some(declared) if is_declared(declared) => MIN_DECLARED_CONFIDENCE,
        _ => MIN_AUTO_CONFIDENCE,
    };
    found.encoding.is_some() && found.confidence >= least
}

/// The candidates in the order of reports: the chosen encoding, then the others by their confidence.
pub(crate) fn ranked(found: &Detection) -> Vec<&Candidate> {
    let mut candidates: Vec<_> = found.candidates.iter().collect();
    candidates.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
    if let Some(chosen) = candidates.iter().position(|candidate| Some(candidate.encoding) == found.encoding) {
        candidates[..=chosen].rotate_right(1);
    }
    candidates
}
