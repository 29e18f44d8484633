//! The few encodings that the lines of a file are in.
//!
//! All lines together, and long lines by themselves, name the encodings that are worth a try. Of
//! these, the smallest set is taken that makes the lines probable: another encoding must pay for
//! itself. Then each encoding is ranked again by its own lines.

use super::kept::{Kept, Line};
use super::score::{Languages, sum};
use crate::detect::sample::Sample;
use crate::detect::statistics::{Hints, Ranking, prior_beside_utf8, rank, spoken};
use crate::detect::verdict::Candidate;
use crate::float;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;
use placemat_charsets::Encoding;
use placemat_core::policy::ErrorPolicy;

/// An encoding of a file, and the probability that the lines that fall to it are in no other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Part {
    pub(crate) encoding: Encoding,
    pub(crate) confidence: f32,
    /// Whether the file shows that it has text in this encoding, so that nothing which the encoding can read is lost.
    pub(crate) is_shown: bool,
}

/// The encoding of bytes about which nothing else is known: most of the web's stray bytes are in it.
pub(crate) const USUAL: Part = Part { encoding: Encoding::WINDOWS_1252, confidence: 0.5, is_shown: false };
/// Fewer ill-formed bytes than this suggest no encoding other than the usual one, unless it is
/// sure.
const MIN_EVIDENCE_BYTES: usize = 6;
/// From this many ill-formed bytes on, they may be in an encoding in which they make no language.
const MIN_NO_LANGUAGE_BYTES: usize = 20;
/// Fewer ill-formed bytes than this never suggest another encoding.
const MIN_ANY_EVIDENCE_BYTES: usize = 3;
/// The probability from which on few bytes suggest another encoding.
const MIN_FEW_BYTES_CONFIDENCE: f32 = 0.95;
/// Beside UTF-8 whose language is known, another encoding must be this many times as probable as
/// the usual one.
const BETTER_FACTOR: f32 = 2.0;
/// Like [`BETTER_FACTOR`], for few bytes: `na\xEFve` is `naïve` rather than `na’ve`.
const FEW_BYTES_BETTER_FACTOR: f32 = 3.0;
/// Nats for the usual encoding, in which most stray bytes are.
const USUAL_FAVOR_NATS: f32 = 1.5;
/// The bytes of text that are ranked.
const RANKED_BYTES: usize = 32 * 1024;
/// The lines that are ranked by themselves, and the encodings that each names.
const RANKED: usize = 24;
const NAMED: usize = 3;
/// At most this many encodings are tried.
const MAX_TRIED_ENCODINGS: usize = 12;
/// A file may have at most this many encodings beside UTF-8.
const MAX_ENCODINGS: usize = 4;
/// The lines by which a mixture is suspected, and those of a file whose structure proves its encoding: one line of many may be
/// cut.
const LOOKED_AT: usize = 48;
const LOOKED_AT_IF_PROVED: usize = 8;
const MIN_LINES_BY_ERROR: usize = 32;
/// At most this many candidates are tried on the lines of [`LOOKED_AT`].
const MAX_SUSPECTED_ENCODINGS: usize = 6;
/// A line with this many nats more in one candidate than in the first suggests a mixture.
const MIXED_LINE_NATS: f32 = 6.0;
/// A file is scored by at most this many languages.
const MAX_LANGUAGES: usize = 5;
/// Nats by which another encoding must make the lines more probable.
const MIN_OTHER_ENCODING_NATS: f32 = 9.0;
/// Nats for each ill-formed run of a line that is UTF-8 otherwise.
const ILL_FORMED_RUN_NATS: f32 = 2.0;
/// Nats for an ill-formed sequence whose text is lost.
const LOST_SEQUENCE_NATS: f32 = 6.0;

/// The score in nats of a line that cannot be decoded.
const UNREADABLE_NATS: f32 = f32::MIN / 4.0;

/// The encodings of a file beside UTF-8, and its languages.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mixture {
    /// The encodings with their shares: at least one, once the mixture is learned.
    pub(crate) parts: Vec<Part>,
    /// The number of lines that were learned from for each.
    pub(super) lines: Vec<usize>,
    languages: Languages,
}

/// How probable a line is in each of the encodings of a file: logarithms, in nats.
#[derive(Clone, Debug)]
pub(crate) struct Readings {
    /// The score of the line as UTF-8, with its ill-formed runs in one part, and the index of that
    /// part.
    pub(super) utf8: (f32, usize),
    /// The score of the whole line in each part.
    pub(super) whole: Vec<f32>,
}

impl Mixture {
    /// Returns the encodings of the lines that were kept.
    pub(super) fn learn(kept: &Kept) -> Self {
        let mut lines: Vec<&Line> = kept.lines().collect();
        if lines.iter().any(|line| has_word(line)) {
            lines.retain(|line| has_word(line));
        }
        let hints = Hints {
            spoken: spoken(&kept.utf8),
            favoured: vec![(USUAL.encoding, USUAL_FAVOR_NATS)],
            ..Hints::default()
        };
        let is_known = !hints.spoken.is_empty();
        let ranking = |lines: &[&Line]| rank(&Sample::of(&words_of(lines)), &hints);
        let joint = ranking(&lines);
        let mut tried: Vec<(Encoding, f32)> = Vec::new();
        let mut languages = Languages::default();
        let mut vote = |ranking: &Ranking, most: usize, languages: &mut Languages| {
            let able =
                ranking.candidates.iter().filter(|candidate| prior_beside_utf8(candidate.encoding).is_some());
            for (place, candidate) in able.take(most).enumerate() {
                // The first candidates of all count, however improbable they are.
                let votes = candidate.confidence + 0.01;
                match tried.iter_mut().find(|tried| tried.0 == candidate.encoding) {
                    Some(tried) => tried.1 += votes,
                    None => tried.push((candidate.encoding, votes)),
                }
                if place == 0 && languages.len() < MAX_LANGUAGES {
                    candidate.language.into_iter().for_each(|language| languages.add(language));
                }
            }
        };
        vote(&joint, 2 * NAMED, &mut languages);
        if let Some(language) = joint.candidates.get(1).and_then(|second| second.language) {
            languages.add(language);
        }
        if lines.len() > 1 {
            let mut long = lines.clone();
            long.sort_by_key(|line| core::cmp::Reverse(line.parts.iter().map(Range::len).sum::<usize>()));
            for line in long.into_iter().take(RANKED) {
                vote(&ranking(&[line]), NAMED, &mut languages);
            }
        }
        tried.sort_by(|a, b| b.1.total_cmp(&a.1));
        tried.truncate(MAX_TRIED_ENCODINGS);
        let tried: Vec<Encoding> = tried.into_iter().map(|tried| tried.0).collect();
        let mut mixture = Self { parts: Vec::new(), lines: Vec::new(), languages };
        let scores: Vec<Vec<f32>> = lines.iter().map(|line| mixture.best_of(line, &tried)).collect();
        let set = smallest_set(&tried, &scores);
        let part_of = |scores: &[f32]| set.iter().copied().max_by(|&a, &b| scores[a].total_cmp(&scores[b]));
        for &place in &set {
            let falls = lines.iter().zip(&scores).filter(|(_, scores)| part_of(scores) == Some(place));
            let own: Vec<&Line> = falls.map(|(line, _)| *line).collect();
            let part = if set.len() == 1 {
                choose(&own, &joint, is_known)
            } else {
                choose(&own, &ranking(&own), is_known)
            };
            match mixture.parts.iter().position(|other| other.encoding == part.encoding) {
                Some(known) => mixture.lines[known] += own.len(),
                None => {
                    mixture.parts.push(part);
                    mixture.lines.push(own.len());
                }
            }
        }
        if set.is_empty() {
            mixture.parts.push(USUAL);
        }
        mixture
    }

    /// Returns `true` if some candidates of a ranking make some lines far more probable than the first does.
    pub(super) fn is_suspected(lines: &[&Line], candidates: &[Candidate]) -> bool {
        let lines: Vec<&Line> = lines.iter().copied().filter(|line| has_word(line)).collect();
        if lines.len() < 2 {
            return false;
        }
        let mut languages = Languages::default();
        let mut tried = Vec::new();
        for candidate in candidates.iter().filter(|candidate| prior_beside_utf8(candidate.encoding).is_some())
        {
            if tried.len() == MAX_SUSPECTED_ENCODINGS {
                break;
            }
            tried.push(candidate.encoding);
            candidate.language.into_iter().for_each(|language| languages.add(language));
        }
        let mixture = Self { languages, ..Self::default() };
        // Lines in another encoding would be errors of structure, or most of them.
        let is_proved = tried.first().is_some_and(|&first| {
            let is_ill_formed = |line: &&&Line| first.decode(&line.bytes, ErrorPolicy::Stop).is_err();
            first.max_bytes() > 1
                && lines.iter().filter(is_ill_formed).count() * MIN_LINES_BY_ERROR <= lines.len()
        });
        let looked_at = if is_proved { LOOKED_AT_IF_PROVED } else { LOOKED_AT };
        let step = lines.len().div_ceil(looked_at).max(1);
        let mut left = lines.len().div_ceil(step);
        let mut found = 0;
        for line in lines.iter().step_by(step) {
            // Two such lines are enough; one is not.
            if found + left < 2 {
                break;
            }
            left -= 1;
            let scores = mixture.best_of(line, &tried);
            let Some(first) = scores.first() else { break };
            found += usize::from(scores.iter().any(|own| own - first > MIXED_LINE_NATS));
            if found == 2 {
                break;
            }
        }
        found == 2
    }

    /// How probable a line is in each of some encodings: as a whole, or as runs inside UTF-8.
    fn best_of(&self, line: &Line, encodings: &[Encoding]) -> Vec<f32> {
        let Line { bytes, parts } = line;
        let is_hybrid = is_hybrid(bytes, parts);
        // Many encodings read a line alike.
        let mut known: Vec<(String, f32)> = Vec::new();
        let mut whole = |encoding: Encoding| {
            let Ok(text) = encoding.decode(bytes, ErrorPolicy::Replace) else { return UNREADABLE_NATS };
            if let Some(known) = known.iter().find(|known| known.0 == text) {
                return known.1;
            }
            let score = self.languages.score(&text);
            known.push((text.into_owned(), score));
            score
        };
        let each = encodings.iter().map(|&encoding| {
            let whole = whole(encoding);
            if is_hybrid { whole.max(self.runs(bytes, parts, encoding)) } else { whole }
        });
        each.collect()
    }

    /// How probable a line is in each encoding of the file.
    pub(super) fn readings(&self, line: &[u8], parts: &[Range<usize>]) -> Readings {
        let whole: Vec<f32> = self.parts.iter().map(|part| self.whole(line, part.encoding)).collect();
        let best = |all: &mut dyn Iterator<Item = f32>| {
            let all = all.enumerate();
            all.fold((f32::MIN, 0), |best, (part, own)| if own > best.0 { (own, part) } else { best })
        };
        let utf8 = if is_hybrid(line, parts) {
            best(&mut self.parts.iter().map(|part| self.runs(line, parts, part.encoding)))
        } else {
            // Without well-formed sequences, both are the same text.
            best(&mut whole.iter().map(|own| own - ILL_FORMED_RUN_NATS))
        };
        Readings { utf8, whole }
    }

    /// Returns the encoding of a line that is well-formed UTF-8, but more probable in that encoding.
    pub(super) fn by_chance(&self, line: &[u8]) -> Option<Part> {
        let Readings { utf8, whole } = self.readings(line, &[]);
        let (part, own) = self.parts.iter().zip(whole).max_by(|(_, a), (_, b)| a.total_cmp(b))?;
        (own > utf8.0).then_some(*part)
    }

    /// Returns the score of a line as text of one encoding.
    fn whole(&self, line: &[u8], encoding: Encoding) -> f32 {
        let text = encoding.decode(line, ErrorPolicy::Replace);
        text.map_or(UNREADABLE_NATS, |text| self.languages.score(&text))
    }

    /// Returns the score of a line as UTF-8, with parts of its ill-formed runs in an encoding.
    fn runs(&self, line: &[u8], parts: &[Range<usize>], encoding: Encoding) -> f32 {
        let mut text = String::with_capacity(line.len());
        let mut lost = 0;
        let mut at = 0;
        let mut parts = parts.iter().peekable();
        let mut changes = 0;
        for chunk in placemat_core::utf8::chunks(line) {
            text.push_str(chunk.text());
            at += chunk.text().len();
            let Some(e) = chunk.ill_formed() else { break };
            let end = at + e.len();
            while parts.next_if(|part| part.end <= at).is_some() {}
            match parts.peek() {
                Some(part) if part.start <= at => {
                    changes += u32::from(part.start == at);
                    if let Ok(read) = encoding.decode(&line[at..end], ErrorPolicy::Replace) {
                        text.push_str(&read);
                    }
                }
                _ => lost += 1,
            }
            at = end;
        }
        self.languages.score(&text) - ILL_FORMED_RUN_NATS * changes as f32 - LOST_SEQUENCE_NATS * lost as f32
    }
}

/// Returns `true` if some ill-formed bytes of a line belong to a word of three letters or more. Letters by themselves, as
/// tables of letters have them, speak for no encoding of their own.
fn has_word(line: &Line) -> bool {
    let is_in_word = |byte: &u8| byte.is_ascii_alphabetic() || !byte.is_ascii();
    line.parts.iter().any(|part| {
        let (before, rest) = line.bytes.split_at(part.start);
        let before = before.iter().rev().take_while(|byte| is_in_word(byte)).take(2).count();
        before + rest.iter().take_while(|byte| is_in_word(byte)).take(3).count() >= 3
    })
}

/// Returns `true` if a line has well-formed sequences beside its ill-formed runs.
pub(super) fn is_hybrid(line: &[u8], parts: &[Range<usize>]) -> bool {
    let beyond = line.iter().filter(|byte| !byte.is_ascii()).count();
    beyond > parts.iter().map(Range::len).sum()
}

/// Returns the places of the encodings that make the lines probable.
fn smallest_set(tried: &[Encoding], scores: &[Vec<f32>]) -> Vec<usize> {
    let mut set: Vec<usize> = Vec::new();
    let mut reached = f32::MIN;
    while set.len() < MAX_ENCODINGS {
        let mut best: Option<(f32, Vec<usize>)> = None;
        let mut consider = |set: Vec<usize>| {
            let total = together(&set, scores)
                + set
                    .iter()
                    .filter_map(|&place| prior_beside_utf8(tried[place]))
                    .map(|prior| prior - MIN_OTHER_ENCODING_NATS)
                    .sum::<f32>();
            if best.as_ref().is_none_or(|best| total > best.0) {
                best = Some((total, set));
            }
        };
        for new in (0..tried.len()).filter(|place| !set.contains(place)) {
            consider([&set[..], &[new]].concat());
            if set.len() == 1 {
                for other in 0..new {
                    consider(vec![other, new]);
                }
            }
        }
        let Some((total, next)) = best.filter(|best| best.0 > reached) else { break };
        (reached, set) = (total, next);
        // If no encoding could make a line more probable, the set is complete.
        let most: f32 = scores.iter().map(|line| line.iter().copied().fold(f32::MIN, f32::max)).sum();
        if most < together(&set, scores) + MIN_OTHER_ENCODING_NATS {
            break;
        }
    }
    set
}

/// Returns the logarithm of the probability of all lines in a mixture of encodings, each with the share that suits it best.
fn together(set: &[usize], scores: &[Vec<f32>]) -> f32 {
    if let [one] = *set {
        return scores.iter().map(|line| line[one]).sum();
    }
    let mut shares = vec![1.0 / set.len() as f32; set.len()];
    let mut total = 0.0;
    for _ in 0..4 {
        let mut next = vec![0.5; set.len()];
        total = 0.0;
        for line in scores {
            let each = set.iter().zip(&shares).map(|(&place, share)| line[place] + float::ln(*share));
            let all = sum(each.clone());
            total += all;
            next.iter_mut().zip(each).for_each(|(next, own)| *next += float::exp(own - all));
        }
        let all: f32 = next.iter().sum();
        shares = next.into_iter().map(|own| own / all).collect();
    }
    total
}

fn words_of(lines: &[&Line]) -> Vec<u8> {
    let mut words = Vec::new();
    for line in lines {
        if words.len() >= RANKED_BYTES {
            break;
        }
        words_with(&line.bytes, &line.parts, &mut words);
    }
    words
}

/// Returns the most probable encoding of the ill-formed runs of some lines. `is_known` if the languages around them are.
fn choose(lines: &[&Line], ranking: &Ranking, is_known: bool) -> Part {
    let words = words_of(lines);
    let fits = |encoding: Encoding| {
        prior_beside_utf8(encoding).is_some() && encoding.decode(&words, ErrorPolicy::Stop).is_ok()
    };
    let Some(best) = ranking.candidates.iter().find(|candidate| fits(candidate.encoding)) else {
        return USUAL;
    };
    let count = words.iter().filter(|byte| !byte.is_ascii()).count();
    let usual = ranking.candidates.iter().find(|candidate| candidate.encoding == USUAL.encoding);
    let usual = usual.map_or(0.0, |usual| usual.confidence);
    // Without a language that fits, the better of the two still is.
    let is_better = (1.0 - MIN_FEW_BYTES_CONFIDENCE) * best.confidence > usual * MIN_FEW_BYTES_CONFIDENCE
        && count >= MIN_NO_LANGUAGE_BYTES;
    let is_few = (count < MIN_EVIDENCE_BYTES && best.confidence < MIN_FEW_BYTES_CONFIDENCE)
        || count < MIN_ANY_EVIDENCE_BYTES;
    // The text around few bytes speaks for them.
    let is_doubtful = if is_known {
        let is_close = count < MIN_EVIDENCE_BYTES && best.confidence < usual * FEW_BYTES_BETTER_FACTOR;
        is_close || (!ranking.fits && best.confidence < usual * BETTER_FACTOR)
    } else {
        is_few || (!ranking.fits && !is_better)
    };
    if is_doubtful && fits(USUAL.encoding) {
        let confidence = usual.max(USUAL.confidence);
        return Part { confidence, ..USUAL };
    }
    Part { encoding: best.encoding, confidence: best.confidence, is_shown: true }
}

/// Appends the words of a line that have ill-formed runs, each without its well-formed sequences if it has many of them.
fn words_with(line: &[u8], runs: &[Range<usize>], to: &mut Vec<u8>) {
    let is_space = |byte: &u8| *byte <= b' ';
    // In multi-byte encodings, up to half of the pairs are UTF-8 by chance.
    let is_legacy = |runs: &[Range<usize>], bytes: &[u8]| {
        let beyond = bytes.iter().filter(|byte| !byte.is_ascii()).count();
        runs.iter().map(Range::len).sum::<usize>() * 3 >= beyond
    };
    let is_legacy_line = is_legacy(runs, line);
    let mut runs = runs;
    let mut done = 0;
    while let Some(first) = runs.first() {
        let start = line[done..first.start].iter().rposition(is_space).map_or(done, |at| done + at + 1);
        let mut end = start;
        let mut count = 0;
        while let Some(run) = runs.get(count).filter(|run| count == 0 || run.start < end) {
            end = line[run.end..].iter().position(is_space).map_or(line.len(), |space| run.end + space);
            count += 1;
        }
        let (own, rest) = runs.split_at(count);
        let is_legacy = is_legacy_line || is_legacy(own, &line[start..end]);
        let mut at = start;
        for run in own {
            to.extend(line[at..run.start].iter().filter(|byte| is_legacy || byte.is_ascii()));
            to.extend_from_slice(&line[run.clone()]);
            at = run.end;
        }
        to.extend(line[at..end].iter().filter(|byte| is_legacy || byte.is_ascii()));
        to.push(b' ');
        (runs, done) = (rest, end);
    }
}
