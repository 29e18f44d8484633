//! The judge: the first stage that is certain decides, and else the language model.

use super::certain::{Wide, binary_format, is_text_of};
use super::controls::may_be_ebcdic;
use super::declared::{agrees, declared};
use super::regions::{has_utf8, mixed};
use super::sample::Sample;
use super::stages::Stages;
use super::statistics::{self, Hints, Ranking};
use super::structure::Errors;
use super::verdict::{Basis, Candidate, Damage, Declared, Detection, RuledOut, Verdict};
use crate::float;
use alloc::vec::Vec;
use placemat_charsets::Encoding;
use placemat_charsets::bom;
use placemat_charsets::stream::Transcoder;
use placemat_core::policy::ErrorPolicy;

/// The nats by which a declaration favours its encoding.
const DECLARED_NATS: f32 = 25.0;
/// The confidence in a declaration without which its file would not work.
const WORKING_CONFIDENCE: f32 = 0.99;
/// The length below which a text is ranked once more without its words in UTF-8.
const SHORT_TEXT_BYTES: u64 = 4096;
/// The ill-formed sequences from which on the structure of an encoding of several bytes is a proof.
const MIN_PROOF_SEQUENCES: u64 = 40;
/// From this many sequences on, they prove the encoding if the caller names it.
#[cfg(feature = "repair")]
const MIN_GIVEN_PROOF_SEQUENCES: u64 = 10;
/// Nats for each ill-formed sequence by which that structure then speaks against UTF-8.
const PROOF_NATS_PER_SEQUENCE: f32 = 1.0;
/// The confidence from which on the places of zeros and ideographs decide alone.
const SURE_CONFIDENCE: f32 = 0.9;
/// The highest confidence in what the language model says.
const MAX_CONFIDENCE: f32 = 0.9999;
/// The confidence in a declaration of which the language model neither finds the text nor another.
const POSSIBLE_CONFIDENCE: f32 = 0.8;
/// A text may have one error in this many bytes and still be in the encoding of its signature.
const BYTES_PER_ERROR: u64 = 50;

/// Returns the answer.
pub(super) fn judge(stages: &mut Stages) -> Detection {
    let signature = bom::sniff(&stages.head);
    let wide = stages.wide.take().map(|wide| Wide::finish(wide, stages.len)).unwrap_or_default();
    let order = signature.and_then(|signature| signature.encoding).or_else(|| {
        wide.first().filter(|(_, confidence)| *confidence >= SURE_CONFIDENCE).map(|&(encoding, _)| encoding)
    });
    let tail_offset = stages.len - stages.tail.len() as u64;
    let declared = declared(&stages.head, &stages.tail, tail_offset, order);
    let mut found = Detection {
        verdict: Verdict::Unknown,
        encoding: None,
        confidence: 0.0,
        language: None,
        basis: Basis::Nothing,
        signature,
        candidates: Vec::new(),
        first_non_ascii: stages.first_non_ascii,
        declared,
        ruled_out: Vec::new(),
        damage: None,
        mixed: Vec::new(),
        len: stages.len,
        is_prefix: false,
    };
    if stages.len == signature.map_or(0, |signature| signature.len as u64) {
        found.verdict = Verdict::Empty;
        return found;
    }
    rule_out(stages, &mut found);
    decide(stages, &wide, &mut found);
    if matches!(found.basis, Basis::Statistics | Basis::Declaration) {
        let pieces: Vec<&[u8]> = stages.sample.pieces().collect();
        contradict(&mut found, &pieces);
    } else if found.first_non_ascii.is_none_or(|at| at < stages.head.len() as u64) {
        contradict(&mut found, &[&stages.head]);
    } else {
        // Nothing is at hand of the bytes that encodings read differently.
        contradict(&mut found, &[b"\xC3\xA9"]);
    }
    found
}

/// Returns `true` if some words are more probable as UTF-8 than in an encoding.
#[cfg(feature = "repair")]
pub(super) fn shows_utf8(stages: &Stages, encoding: Encoding) -> bool {
    stages.utf8.all_damage().is_some_and(|all| {
        let against = proof(&stages.sample, encoding, all, MIN_GIVEN_PROOF_SEQUENCES);
        has_utf8(&stages.sample, all, encoding, None, against)
    })
}

/// Returns the nats by which the structure of an encoding of several bytes speaks against UTF-8: if the text has
/// at least `min_sequences` that are ill-formed UTF-8, and all of its sample is well-formed in the encoding.
fn proof(sample: &Sample, encoding: Encoding, damage: Damage, min_sequences: u64) -> f32 {
    let is_proved = encoding.max_bytes() > 1
        && damage.ill_formed >= min_sequences
        && sample
            .pieces()
            .all(|piece| Transcoder::checker(encoding).ending_shifted().transcode(piece).is_ok());
    if is_proved { PROOF_NATS_PER_SEQUENCE * damage.ill_formed as f32 } else { 0.0 }
}

/// Lists the encodings of which some sequence is ill-formed.
fn rule_out(stages: &Stages, found: &mut Detection) {
    if let Some((offset, bytes)) = stages.utf8.first.clone() {
        found.ruled_out.push(RuledOut { encoding: Encoding::UTF_8, offset, bytes });
    }
    for errors in stages.structure.iter().flat_map(|structure| structure.ruled_out()) {
        let Errors { encoding, offset, bytes } = errors;
        found.ruled_out.push(RuledOut { encoding, offset, bytes });
    }
}

fn decide(stages: &mut Stages, wide: &[(Encoding, f32)], found: &mut Detection) {
    let is_utf8 = stages.utf8.ill_formed == 0;
    let odd = stages.controls.odd();
    if let Some(encoding) = signed(stages, found) {
        found.text(encoding, 1.0, Basis::Signature);
        if encoding == Encoding::UTF_8 && !is_utf8 {
            found.damage = stages.utf8.all_damage();
        }
    } else if (!is_utf8 || odd > 0) && binary_format(&stages.head, odd > 0).is_some() {
        found.binary();
    } else if let Some(&(encoding, confidence)) =
        wide.first().filter(|(_, confidence)| *confidence >= SURE_CONFIDENCE)
    {
        found.text(encoding, confidence, Basis::Structure);
        found.candidates = candidates(wide);
    } else if is_utf8 {
        if is_binary(stages) {
            found.binary();
        } else {
            well_formed(stages, found);
        }
    } else {
        ill_formed(stages, wide, found);
    }
}

/// The encodings whose signatures are plausible bytes of other encodings: all that follows must be well-formed.
const SIGNED_LIKE_OTHERS: [Encoding; 5] =
    [Encoding::SCSU, Encoding::BOCU_1, Encoding::UTF_1, Encoding::UTF_EBCDIC, Encoding::GB18030];

/// Returns the encoding of the signature, if the bytes after it do not prove that it is none.
fn signed(stages: &Stages, found: &Detection) -> Option<Encoding> {
    let signature = found.signature?;
    let encoding = signature.encoding?;
    let text = stages.head.get(signature.len..)?;
    let is_so = if encoding == Encoding::UTF_8 {
        stages.utf8.ill_formed * BYTES_PER_ERROR <= stages.len
    } else if encoding == Encoding::UTF_7 {
        stages.first_non_ascii.is_none()
    } else if SIGNED_LIKE_OTHERS.contains(&encoding) {
        let text =
            &text[..text.len().saturating_sub(if stages.head.len() as u64 == stages.len { 0 } else { 8 })];
        encoding.decode(text, ErrorPolicy::Stop).is_ok()
    } else {
        is_text_of(encoding, text)
    };
    is_so.then_some(encoding)
}

/// Returns `true` if there are more controls than in a text of ASCII or UTF-8, or of an encoding that has ASCII.
fn is_binary(stages: &Stages) -> bool {
    let (odd, nuls) = (stages.controls.odd(), stages.controls.count(0));
    nuls * 500 > stages.len || (odd * 100 > stages.len && odd > 1)
}

/// A stream that is well-formed UTF-8.
fn well_formed(stages: &mut Stages, found: &mut Detection) {
    if stages.first_non_ascii.is_some() {
        // Two bytes that are well-formed by chance are one in twenty.
        let by_chance = float::pow(0.05, stages.utf8.well_formed.min(4) as f32);
        found.text(Encoding::UTF_8, if by_chance < 1e-5 { 1.0 } else { 1.0 - by_chance }, Basis::WellFormed);
    } else if let Some(encoding) = core::mem::take(&mut stages.escapes).finish() {
        found.text(encoding, 0.99, Basis::Structure);
    } else if let Some(confidence) = core::mem::take(&mut stages.utf7).finish() {
        found.text(Encoding::UTF_7, confidence, Basis::Structure);
    } else {
        // Hebrew in EBCDIC has no non-ASCII byte.
        if may_be_ebcdic(&stages.head) {
            rank(stages, &[], true, found);
            if found.encoding.is_some_and(|encoding| !encoding.is_ascii_compatible()) {
                return;
            }
        }
        found.candidates = Vec::new();
        found.language = None;
        found.text(Encoding::US_ASCII, 1.0, Basis::Ascii);
    }
}

/// A stream that is not well-formed UTF-8.
fn ill_formed(stages: &mut Stages, wide: &[(Encoding, f32)], found: &mut Detection) {
    let relatives = &stages.utf8.relatives;
    let nuls = stages.controls.count(0);
    let ebcdic = may_be_ebcdic(&stages.head);
    if !ebcdic && is_binary(stages) {
        // Bytes of a few ideographs in UTF-16 look like controls.
        if !wide.is_empty() {
            rank(stages, wide, ebcdic, found);
        }
        let is_wide = |encoding| wide.iter().any(|reading| reading.0 == encoding);
        if found.basis != Basis::Statistics || !found.encoding.is_some_and(is_wide) {
            found.binary();
        }
    } else if relatives.is_cesu8() {
        found.text(Encoding::CESU_8, 0.99, Basis::Structure);
    } else if relatives.is_mutf8()
        && nuls == 0
        && stages.utf8.well_formed + relatives.pairs + relatives.nuls > 1
    {
        found.text(Encoding::MODIFIED_UTF_8, 0.95, Basis::Structure);
    } else if relatives.is_wtf8() {
        found.text(Encoding::WTF_8, 0.95, Basis::Structure);
    } else if let Some(damage) = stages.utf8.damage(stages.len) {
        found.text(Encoding::UTF_8, damage.confidence(), Basis::Structure);
        found.damage = Some(damage);
        found.mixed = mixed(&stages.sample, Encoding::UTF_8, &[], true);
    } else {
        rank(stages, wide, ebcdic, found);
    }
}

/// Asks the language model.
fn rank(stages: &mut Stages, wide: &[(Encoding, f32)], ebcdic: bool, found: &mut Detection) {
    let sample = &mut stages.sample;
    sample.head = core::mem::take(&mut stages.head);
    sample.len = stages.len;
    if found.declared.as_ref().is_some_and(Declared::is_working)
        && let Some(encoding) = declared_and_possible(found, sample)
    {
        found.text(encoding, WORKING_CONFIDENCE, Basis::Declaration);
        return;
    }
    let hints = Hints {
        favoured: found.declared.as_ref().map(favoured).unwrap_or_default(),
        ruled_out: found.ruled_out.iter().map(|ruled_out| ruled_out.encoding).collect(),
        wide: wide.iter().map(|&(encoding, _)| encoding).collect(),
        spoken: Vec::new(),
        ebcdic,
    };
    let mut ranking = statistics::rank(sample, &hints);
    // In a short text, words of UTF-8 weigh the same as words of another encoding.
    let all = stages.utf8.all_damage();
    let shows_utf8 = |ranking: &Ranking| {
        let best = ranking.candidates.first().zip(all);
        best.is_some_and(|(best, all)| has_utf8(sample, all, best.encoding, best.language, 0.0))
    };
    if sample.len < SHORT_TEXT_BYTES
        && !sample.well_formed.is_empty()
        && (!ranking.fits || shows_utf8(&ranking))
    {
        let other = statistics::rank(&sample.without_utf8(), &hints);
        if other.fits && shows_utf8(&other) {
            ranking = other;
        }
    }
    for candidate in &mut ranking.candidates {
        candidate.confidence = candidate.confidence.min(MAX_CONFIDENCE);
    }
    if let Some(&best) = ranking.candidates.first().filter(|_| ranking.fits) {
        found.text(best.encoding, best.confidence, Basis::Statistics);
        found.language = best.language;
    } else if let Some(encoding) = declared_and_possible(found, sample) {
        found.text(encoding, POSSIBLE_CONFIDENCE, Basis::Declaration);
    }
    if !ranking.candidates.is_empty() {
        found.candidates = ranking.candidates;
    }
    let Some(encoding) = found.encoding else { return };
    let against = all.map_or(0.0, |all| proof(sample, encoding, all, MIN_PROOF_SEQUENCES));
    // ARMSCII-8 and others have a second byte for some marks of ASCII, and so are not compatible with it.
    let may_have = encoding.is_ascii_compatible()
        || encoding.takes_escapes()
        || statistics::prior_beside_utf8(encoding).is_some();
    let damage = all.filter(|&all| may_have && has_utf8(sample, all, encoding, found.language, against));
    let has_utf8 = damage.is_some();
    if found.basis == Basis::Statistics && (has_utf8 || against == 0.0) {
        found.mixed = mixed(sample, encoding, &found.candidates, has_utf8);
    }
    found.damage = damage;
    // More of it is UTF-8 than not.
    if let Some(damage) = damage.filter(|damage| damage.well_formed >= damage.ill_formed) {
        let candidates = core::mem::take(&mut found.candidates);
        found.text(Encoding::UTF_8, damage.confidence(), Basis::Structure);
        found.candidates.extend(candidates);
        found.mixed = mixed(sample, Encoding::UTF_8, &[], true);
    }
}

/// Returns the declared encoding, if all of the sample is well-formed in it.
fn declared_and_possible(found: &Detection, sample: &Sample) -> Option<Encoding> {
    let encoding = found.declared.as_ref()?.encoding?;
    let is_possible = encoding.is_ascii_compatible()
        && found.ruled_out.iter().all(|ruled_out| ruled_out.encoding != encoding)
        && sample.pieces().all(|piece| encoding.decode(piece, ErrorPolicy::Stop).is_ok());
    is_possible.then_some(encoding)
}

/// Encodings that are often declared for text in a larger one, and the larger one.
const LARGER: [(Encoding, Encoding); 3] = [
    (Encoding::ISO_8859_1, Encoding::WINDOWS_1252),
    (Encoding::GBK, Encoding::GB18030),
    (Encoding::BIG5, Encoding::BIG5_HKSCS),
];

/// Returns the encodings that a declaration favours: the declared one, and the larger one that is often
/// meant by its name.
fn favoured(declared: &Declared) -> Vec<(Encoding, f32)> {
    let Some(encoding) = declared.encoding else { return Vec::new() };
    let larger = LARGER.iter().find(|(declared, _)| *declared == encoding).map(|&(_, larger)| larger);
    [Some(encoding), larger].into_iter().flatten().map(|encoding| (encoding, DECLARED_NATS)).collect()
}

/// Records whether the texts of a sample contradict the declaration.
fn contradict(found: &mut Detection, texts: &[&[u8]]) {
    let (Some(encoding), Some(declared)) = (found.encoding, &mut found.declared) else { return };
    if let Some(label) = declared.encoding {
        declared.contradicted = !agrees(label, encoding, texts);
    }
}

fn candidates(wide: &[(Encoding, f32)]) -> Vec<Candidate> {
    let candidate =
        |&(encoding, confidence)| Candidate { encoding, language: None, confidence, same_text: false };
    wide.iter().map(candidate).collect()
}
