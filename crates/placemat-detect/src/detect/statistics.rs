//! The ranking of legacy encodings by the language model.
//!
//! A text is as probable in an encoding as its decoded letters are in the languages that the encoding was made for. Only
//! words with a non-ASCII byte count in full, since the others are alike in all pages that extend ASCII: those count for
//! the language. Three sieves, each finer and each for fewer pages: letters, pairs of letters, and threes.

mod drawn;
mod grams;
mod group;
mod histogram;
mod multi;
mod pages;
mod rows;
mod single;
mod spoken;
mod tables;
mod usage;

pub(crate) use self::spoken::spoken;

use self::grams::{Gram, Grams, REPEATED_POWER};
use self::group::{Costs, Counted, Fit, Group, Page, UNDEFINED_COST, nats};
use self::histogram::Histogram;
use self::pages::Kind;
use self::single::Ascii;
use self::tables::{Table, Tables};
use super::certain::UTF_16;
use super::model::Model;
use super::sample::Sample;
use super::structure;
use super::verdict::Candidate;
use crate::float;
use alloc::vec::Vec;
use placemat_charsets::Encoding;

/// Facts about the bytes from the other stages.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hints {
    /// Encodings that are more probable than the bytes alone make them, as declared ones are, and by how many nats.
    pub(crate) favoured: Vec<(Encoding, f32)>,
    /// Encodings that the structure of the whole stream rules out.
    pub(crate) ruled_out: Vec<Encoding>,
    /// Encodings of UTF-16 and UTF-32 that the structure of the whole stream allows; the others need no ranking.
    pub(crate) wide: Vec<Encoding>,
    /// How probable each language is by the text around the bytes, in nats; empty if nothing is known.
    pub(crate) spoken: Vec<f32>,
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

/// Nats for a control that belongs to no text.
const CONTROL_NATS: f32 = 8.0;
/// Nats for a bracket without its other half; the EBCDIC pages place little else differently.
const UNBALANCED_NATS: f32 = 4.5;
/// Nats by which bytes are more probable to be text than noise, before they are read. Below 0, since the best of some
/// hundred readings is chosen.
const TEXT_NATS: f32 = -6.0;

/// Nats a byte by which text is like a language: below the first, a margin counts less, since what makes it a list makes
/// every reading of it improbable.
const LIKE_TEXT_NATS_PER_BYTE: f32 = 2.0;
const UNLIKE_TEXT_NATS_PER_BYTE: f32 = 1.5;
const UNLIKE_TEXT_WEIGHT: f32 = 0.03;
/// The highest confidence where the words in ASCII are like a language, and those beyond it are not: foreign words and names.
const MAX_FOREIGN_CONFIDENCE: f32 = 0.98;
/// The non-ASCII bytes up to which a margin counts in full, and the highest confidence that it then gives.
const MAX_FEW_BYTES: f32 = 3.0;
const MAX_FEW_CONFIDENCE: f32 = 0.9;
/// The doubt about a text of one byte; about longer ones it is less by the square of their length.
const ONE_BYTE_DOUBT: f32 = 0.2;
/// Nats by which bytes are text whose structure proves it.
const PROVED_NATS: f32 = 20.0;

/// Groups this many nats below the best one, plus those for each place of the text, are not scored
/// by trigrams.
const GROUP_REACH_NATS: f32 = 25.0;
const GROUP_REACH_NATS_PER_PLACE: f32 = 0.3;
/// The groups of pages that are scored by threes of letters, and the languages of each page.
const MAX_GROUPS: usize = 14;
const MAX_LANGUAGES: usize = 4;

/// Among encodings that read the bytes alike, the most usual one within this many nats of the best
/// is named.
const ALIKE_NATS: f32 = 6.0;

/// Languages of a page this many nats below the best one, plus those for each place of the text,
/// are not scored by trigrams.
const LANGUAGE_REACH_NATS: f32 = 20.0;
const LANGUAGE_REACH_NATS_PER_PLACE: f32 = 0.1;

/// A page with its score.
struct Scored<'a> {
    group: &'a Group,
    table: &'static Table,
    /// The place of its best language in the model.
    place: usize,
    /// The score of the candidate, in nats.
    score: f32,
}

/// Ranks all encodings that the hints allow.
pub(crate) fn rank(sample: &Sample, hints: &Hints) -> Ranking {
    let (text, table) = words_of(sample);
    let model = Model::get();
    let all = Tables::get();
    let allowed =
        |kind: Kind| all.of(kind).iter().filter(|table| !hints.ruled_out.contains(&table.page.encoding));
    let bytes = Histogram::of(&text);
    // One or two bytes over and over are not a language.
    if bytes.len() > 3 && bytes.kinds() < 3 {
        return Ranking::default();
    }

    let grams = Grams::of(&text);
    let ascii = Ascii::new(&grams.ascii, grams.high(), all, model).beside(&hints.spoken);
    let fixed = ascii.best - CONTROL_NATS * bytes.controls() as f32;
    // A declaration is better evidence than the text of a table.
    let weight = if table.is_some() { TABLE_FAVOUR_WEIGHT } else { 1.0 };
    let mut groups = Vec::new();
    let contexts = usage::Contexts::of(&grams.beyond[grams.shared..]);
    let pages = allowed(Kind::Ascii).filter_map(|table| {
        let undefined = table.undefined(&bytes);
        let fixed = fixed - UNDEFINED_COST * undefined as f32
            + hints.favour(table.page.encoding) * weight
            + contexts.nats(&table.marks, &all.usage);
        (undefined * 50 <= bytes.high().max(1)).then_some((table, fixed))
    });
    single::sieve(pages, &grams, Some(&ascii), model, &mut groups);
    let mut whole = Grams::default();
    if hints.ebcdic || bytes.is_like_ebcdic() {
        let bytes = Histogram::of(&sample.head);
        whole = Grams::all(&sample.head, 0x40);
        let pages = allowed(Kind::Ebcdic).filter_map(|table| {
            let undefined = table.undefined(&bytes);
            let unbalanced = UNBALANCED_NATS * float::pow(table.unbalanced(&bytes) as f32, REPEATED_POWER);
            let fixed = hints.favour(table.page.encoding) - UNDEFINED_COST * undefined as f32 - unbalanced;
            (undefined * 50 <= bytes.len()).then_some((table, fixed))
        });
        single::sieve(pages, &whole, None, model, &mut groups);
    }
    let broken = structure::broken(&text);
    let multi = allowed(Kind::Multi).filter_map(|table| {
        let encoding = table.page.encoding;
        let src = match is_utf16(encoding) {
            true if !hints.wide.contains(&encoding) => return None,
            true => &sample.head,
            false => &text,
        };
        multi::group(table, src, broken(encoding), hints.favour(encoding), &ascii, &grams, model)
    });
    groups.extend(multi::proved(multi.collect()));
    let is_declared = !hints.favoured.is_empty();
    let is_all = table == Some(0);
    let max_confidence = if is_all && !is_declared { MAX_TABLE_CONFIDENCE } else { 1.0 };
    let rarity = float::ln(bytes.len().max(1) as f32 / bytes.high().max(1) as f32);
    finish(
        groups,
        Words {
            bytes: &grams,
            whole: &whole.beyond,
            ascii: &ascii,
            rarity,
            len: bytes.len().max(1),
            model,
            shared: Costs::default(),
        },
        max_confidence,
    )
}

/// Returns the bytes by which encodings are compared, and what [`blank_letters`] returns of them.
fn words_of(sample: &Sample) -> (Vec<u8>, Option<usize>) {
    let mut text: Vec<u8> = Vec::new();
    // Letters of EBCDIC pages for other scripts are bytes of ASCII, so lines of those count in all readings.
    if !Histogram::of(&sample.head).has_ebcdic_spaces() {
        sample.pieces().for_each(|piece| text.extend_from_slice(piece));
    }
    if text.is_empty() {
        text.clone_from(&sample.head);
    }
    strip_colors(&mut text);
    blank_rows(&mut text);
    let table = blank_letters(&mut text);
    text.truncate(Grams::<u8>::room(&text));
    (text, table)
}

fn is_utf16(encoding: Encoding) -> bool {
    UTF_16.contains(&encoding)
}

/// Removes the control sequences of a terminal: pictures of characters change the color even inside a character.
fn strip_colors(text: &mut Vec<u8>) {
    if !text.contains(&0x1B) {
        return;
    }
    let mut kept = Vec::with_capacity(text.len());
    let mut rest = &text[..];
    while let Some((&first, after)) = rest.split_first() {
        rest = after;
        if let Some(sequence) = rest.strip_prefix(b"[").filter(|_| first == 0x1B) {
            let len = sequence.iter().take_while(|byte| matches!(byte, 0x20..=0x3F)).count();
            if matches!(sequence.get(len), Some(0x40..=0x7E)) {
                rest = &sequence[len + 1..];
                continue;
            }
        }
        kept.push(first);
    }
    *text = kept;
}

/// The bytes of a row of a table of characters, and the bytes that may lack between two of them.
const ROW_BYTES: usize = 8;
const MAX_ROW_GAP_BYTES: u8 = 3;

/// Puts spaces in place of the rows of a table of characters: non-ASCII bytes in ascending order, which are not words in any
/// encoding, and look most like those of an alphabet whose letters stand in that order.
fn blank_rows(text: &mut [u8]) {
    let mut start = 0;
    for at in 1..=text.len() {
        let goes_on = text.get(at).is_some_and(|&byte| {
            let before = text[at - 1];
            before >= 0x80 && byte > before && byte - before <= MAX_ROW_GAP_BYTES
        });
        if !goes_on {
            if at - start >= ROW_BYTES {
                text[start..at].fill(b' ');
            }
            start = at;
        }
    }
}

/// The weight of a declaration for a table of letters, and the highest confidence in one that has none.
const TABLE_FAVOUR_WEIGHT: f32 = 100.0;
const MAX_TABLE_CONFIDENCE: f32 = 0.6;
/// The letters that are words by themselves in a language, at most.
const MAX_LETTERS_ALONE: usize = 12;

/// Puts spaces in place of non-ASCII bytes that stand alone, if they are more than any language has words of one letter: then they
/// are a table, as those for hyphenation and keyboards. They stay if no others are there. Returns the number of others, if
/// there is a table.
fn blank_letters(text: &mut [u8]) -> Option<usize> {
    let is_letter =
        |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte >= 0x80);
    let is_alone = |text: &[u8], at: usize| {
        text[at] >= 0x80
            && !is_letter(at.checked_sub(1).and_then(|at| text.get(at)))
            && !is_letter(text.get(at + 1))
    };
    let mut kinds = [false; 128];
    let mut others = 0;
    for at in (0..text.len()).filter(|&at| text[at] >= 0x80) {
        if is_alone(text, at) {
            kinds[usize::from(text[at] & 0x7F)] = true;
        } else {
            others += 1;
        }
    }
    let is_table = kinds.iter().filter(|&&is| is).count() > MAX_LETTERS_ALONE;
    if is_table && others > 0 {
        let alone: Vec<usize> = (0..text.len()).filter(|&at| is_alone(text, at)).collect();
        alone.into_iter().for_each(|at| text[at] = b' ');
    }
    is_table.then_some(others)
}

/// How likely an encoding is before anything is read, in nats: at most 0. `None` unless its lines can stand beside lines of
/// UTF-8: spaces, line ends and the letters of ASCII have their bytes.
pub(crate) fn prior_beside_utf8(encoding: Encoding) -> Option<f32> {
    let page = pages::PAGES.iter().find(|page| page.encoding == encoding)?;
    (page.kind != Kind::Ebcdic && !is_utf16(encoding)).then_some(page.prior)
}

impl Hints {
    /// Nats for an encoding that something speaks for.
    fn favour(&self, encoding: Encoding) -> f32 {
        self.favoured.iter().filter(|favoured| favoured.0 == encoding).map(|favoured| favoured.1).sum()
    }
}

/// Returns the best pages by threes of letters.
fn finish(mut groups: Vec<Group>, mut words: Words<'_>, max_confidence: f32) -> Ranking {
    let mut candidates = by_threes(&mut groups, &mut words);
    put_usual_first(&mut candidates);
    let Some(first) = candidates.first() else { return Ranking::default() };
    let fit = words.fit(first.group, first.table, first.place);
    let over_noise = if first.group.is_proved { PROVED_NATS } else { TEXT_NATS + fit.over_noise };
    let is_same = |candidate: &Scored<'_>| candidate.group.reading == first.group.reading;
    let other = candidates.iter().find(|candidate| !is_same(candidate));
    // The longer the text, the further below the candidates that the sieves left out are.
    let margin = other.map_or(words.places().max(50.0), |other| first.score - other.score);
    let text = probability(over_noise);
    let confidence = words.confidence(margin, fit).min(max_confidence);
    let scale = words.scale(fit.mean);
    let shown = candidates.iter().map(|candidate| Candidate {
        encoding: candidate.table.page.encoding,
        language: Some(words.model.languages[candidate.place].language),
        same_text: is_same(candidate),
        confidence: text
            * if is_same(candidate) {
                confidence
            } else {
                (1.0 - confidence).min(probability((candidate.score - first.score) * scale))
            },
    });
    Ranking { candidates: shown.collect(), fits: over_noise > 0.0 }
}

/// Returns the pages of the best groups, by threes of letters, the best first.
fn by_threes<'a>(groups: &'a mut [Group], words: &mut Words<'_>) -> Vec<Scored<'a>> {
    groups.sort_by(|a, b| b.top().total_cmp(&a.top()));
    let reach = groups.first().map_or(0.0, Group::top)
        - GROUP_REACH_NATS
        - GROUP_REACH_NATS_PER_PLACE * words.places();
    let mut candidates = Vec::with_capacity(4 * MAX_GROUPS);
    for (number, group) in groups.iter().take(MAX_GROUPS).enumerate() {
        if number > 1 && group.top() < reach {
            break;
        }
        let mut costs = Costs::default();
        candidates.extend(group.pages.iter().map(|page| words.score(group, page, &mut costs)));
    }
    candidates.sort_by(|a, b| b.score.total_cmp(&a.score));
    candidates
}

/// Puts the most usual one first of the encodings that read the bytes like the best one.
fn put_usual_first(candidates: &mut [Scored<'_>]) {
    let Some(first) = candidates.first() else { return };
    let (reading, least) = (first.group.reading, first.score - ALIKE_NATS);
    let alike =
        candidates.iter().enumerate().filter(|(_, own)| own.group.reading == reading && own.score > least);
    let usual = alike.max_by(|(_, a), (_, b)| {
        a.table.page.prior.total_cmp(&b.table.page.prior).then(a.score.total_cmp(&b.score))
    });
    if let Some((place, _)) = usual {
        candidates[..=place].rotate_right(1);
    }
}

/// Returns the probability of what is more probable than its contrary by some nats.
fn probability(nats: f32) -> f32 {
    1.0 / (1.0 + float::exp(-nats))
}

/// The neighborhoods that groups share.
pub(super) struct Words<'a> {
    bytes: &'a Grams<u8>,
    whole: &'a [Gram<u8>],
    ascii: &'a Ascii,
    rarity: f32,
    /// The length of the text in bytes.
    len: u32,
    model: &'a Model,
    /// The costs of the neighborhoods in ASCII alone, which all pages that extend it read alike,
    /// in the languages that were asked for.
    shared: Costs,
}

impl Words<'_> {
    fn places(&self) -> f32 {
        self.bytes.places.max(1) as f32
    }

    /// Returns the score of a page, by the best of its languages and all others that it may be in.
    fn score<'a>(&mut self, group: &'a Group, page: &'a Page, costs: &mut Costs) -> Scored<'a> {
        let near =
            page.languages[0].score - LANGUAGE_REACH_NATS - LANGUAGE_REACH_NATS_PER_PLACE * self.places();
        let scores: Vec<(f32, usize)> = page
            .languages
            .iter()
            .take(MAX_LANGUAGES)
            .take_while(|language| language.score >= near)
            .map(|language| {
                let cost = costs.of(language.place, |place| self.threes(group, page.table, place));
                (language.fixed - cost, language.place)
            })
            .collect();
        let (best, place) =
            scores.iter().fold((f32::MIN, 0), |best, &own| if own.0 > best.0 { own } else { best });
        let sum: f32 = scores.iter().map(|(score, _)| float::exp(score - best)).sum();
        Scored { group, table: page.table, place, score: best + float::ln(sum) + page.fixed }
    }

    /// Returns the weight of a margin, if each byte is more probable than noise by `mean` nats.
    fn scale(&self, mean: f32) -> f32 {
        let usual =
            (mean + UNLIKE_TEXT_NATS_PER_BYTE) / (LIKE_TEXT_NATS_PER_BYTE + UNLIKE_TEXT_NATS_PER_BYTE);
        float::pow(self.places().max(4.0), -0.35) * usual.clamp(UNLIKE_TEXT_WEIGHT, 1.0)
    }

    /// How sure it is that a reading with a margin is the right one, if the bytes are text.
    fn confidence(&self, margin: f32, Fit { mean, slack, .. }: Fit) -> f32 {
        let by_margin = |scale: f32| probability(margin * scale);
        let foreign = by_margin(self.scale(mean + slack)).min(MAX_FOREIGN_CONFIDENCE);
        let mut confidence = by_margin(self.scale(mean)).max(foreign);
        // A mean of a byte or two says nothing, so the most usual encoding decides.
        if self.bytes.high() <= MAX_FEW_BYTES {
            let by_margin = by_margin(float::pow(self.places().max(4.0), -0.35));
            confidence = confidence.max(by_margin.min(MAX_FEW_CONFIDENCE));
        }
        // One or two bytes are not text.
        let length = self.len as f32;
        confidence.min(1.0 - ONE_BYTE_DOUBT / (length * length))
    }

    /// Returns the cost of threes of letters in a language, in nats.
    fn threes(&mut self, group: &Group, table: &Table, place: usize) -> f32 {
        let (language, model) = (&self.model.languages[place], self.model);
        match &group.grams {
            Counted::Bytes => {
                let (shared, own) = self.bytes.beyond.split_at(self.bytes.shared);
                let shared = self.shared.of(place, |_| single::threes(table, shared, language, model));
                nats(shared + single::threes(table, own, language, model))
            }
            Counted::Whole => nats(single::threes(table, self.whole, language, model)),
            Counted::Own(own) => multi::threes(own, Some(table.page.encoding), language, model),
        }
    }

    /// How well the text fits a language.
    fn fit(&self, group: &Group, table: &Table, place: usize) -> Fit {
        let (ascii, rarity, language) = (self.ascii, self.rarity, &self.model.languages[place]);
        match &group.grams {
            Counted::Bytes => single::fit_of(table, &self.bytes.beyond, ascii, rarity, language, self.model),
            Counted::Whole => single::fit_of(table, self.whole, ascii, rarity, language, self.model),
            Counted::Own(own) => multi::fit_of(own, table.page.encoding, rarity, language, self.model),
        }
    }
}
