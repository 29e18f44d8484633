//! Text of one legacy encoding that was read as another: `Ïðèâåò` for `Привет`.
//!
//! There is no structure to lean on, as UTF-8 is for mojibake. A line is mapped back to the bytes of each page as which text is
//! often read, and the detector says which encoding these bytes are in. The model must find the new line much more probable, for
//! several words, and nothing in it may be left unexplained.

use super::super::change::Step;
use super::super::edits::{Edit, Why, add};
use super::accept::confidence;
use super::classes::{Classes, class};
use super::scorer::{self, Scorer};
use crate::detect::model::Model;
use crate::detect::{Hints, Sample, rank};
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use placemat_charsets::Encoding;
use placemat_core::ground::once::Lazy;
use placemat_core::policy::{ErrorPolicy, UnmappablePolicy};

/// The pages as which text is read, and how much less often than as windows-1252, in nats.
const PAGES: [(Encoding, f32); 9] = [
    (Encoding::WINDOWS_1252, 0.0),
    (Encoding::ISO_8859_1, 0.0),
    (Encoding::WINDOWS_1251, -1.0),
    (Encoding::WINDOWS_1250, -2.0),
    (Encoding::MACINTOSH, -2.0),
    (Encoding::IBM437, -2.0),
    (Encoding::IBM850, -2.0),
    (Encoding::IBM866, -2.0),
    (Encoding::KOI8_R, -2.0),
];

/// The highest code point of any page.
const HIGHEST: usize = 0xFB02;

/// The encodings of one byte whose text is read as others; those of several bytes are all of this kind.
const WRITTEN: [Encoding; 32] = [
    Encoding::WINDOWS_1250,
    Encoding::WINDOWS_1251,
    Encoding::WINDOWS_1252,
    Encoding::WINDOWS_1253,
    Encoding::WINDOWS_1254,
    Encoding::WINDOWS_1255,
    Encoding::WINDOWS_1256,
    Encoding::WINDOWS_1257,
    Encoding::WINDOWS_874,
    Encoding::ISO_8859_1,
    Encoding::ISO_8859_2,
    Encoding::ISO_8859_5,
    Encoding::ISO_8859_6,
    Encoding::ISO_8859_7,
    Encoding::ISO_8859_8,
    Encoding::X_ISO_8859_9,
    Encoding::ISO_8859_13,
    Encoding::ISO_8859_15,
    Encoding::KOI8_R,
    Encoding::X_KOI8_U,
    Encoding::MACINTOSH,
    Encoding::X_MAC_CYRILLIC,
    Encoding::X_MAC_CENTRALEUROPE,
    Encoding::IBM437,
    Encoding::IBM737,
    Encoding::IBM775,
    Encoding::IBM850,
    Encoding::IBM852,
    Encoding::IBM855,
    Encoding::IBM857,
    Encoding::IBM862,
    Encoding::IBM866,
];

/// The encodings that the detector is believed about for each page.
const MEANT: usize = 3;
/// The probability that an encoding must have.
const LIKELY: f32 = 0.2;
/// Minimum gain, in nats, of a repaired line.
const MIN_GAIN_NATS: f32 = 16.0;
/// Words in a known language score at least this many nats per code point.
const MIN_FIT_NATS: f32 = -3.5;
/// Repaired words must score this many nats per code point more than before.
const BETTER_FIT_NATS: f32 = 0.7;
/// At least this many distinct words must change.
const MIN_WORDS: usize = 2;
/// At least this many distinct code points must change.
const MIN_KINDS: usize = 2;
/// Minimum gain, in nats, of a change of script.
const MIN_SCRIPT_GAIN_NATS: f32 = 50.0;
/// Minimum gain of a change of script, in nats per code point.
const MIN_SCRIPT_GAIN_NATS_EACH: f32 = 2.5;
/// At least this many distinct code points must change with the script.
const MIN_SCRIPT_KINDS: usize = 5;
/// Minimum score of words in the new script, in nats per code point.
const MIN_SCRIPT_FIT_NATS: f32 = -5.0;
/// Minimum score of a long word that is the only evidence, in nats per code point.
const MIN_LONG_WORD_FIT_NATS: f32 = -4.0;
/// One word in this many may become less probable.
const WORDS_PER_WORSE: usize = 5;
/// At most this many words of a line are compared.
const MAX_COMPARED_WORDS: usize = 64;
/// After this many lines in a row that were misread alike, the same reading is trusted.
const TRUSTED_LINES: u32 = 3;
/// Minimum gain, in nats, of a trusted reading.
const MIN_TRUSTED_GAIN_NATS: f32 = 6.0;
/// Minimum score of words in a trusted reading, in nats per code point.
const MIN_TRUSTED_FIT_NATS: f32 = -4.5;
/// Minimum gain, in nats, of text in a multi-byte encoding: ideographs have lower scores.
const MIN_MULTI_BYTE_GAIN_NATS: f32 = 40.0;
/// Minimum gain of text in a multi-byte encoding, in nats per code point.
const MIN_MULTI_BYTE_GAIN_NATS_EACH: f32 = 5.0;
/// Minimum score of words in a multi-byte encoding, in nats per code point.
const MIN_MULTI_BYTE_FIT_NATS: f32 = -10.5;
/// A word that scores less, in nats per code point, is in no language.
const NO_WORD_NATS: f32 = -4.5;
/// A word of Latin letters, few of which change, that scores less, in nats per code point, is in no
/// language.
const NO_LATIN_WORD_NATS: f32 = -2.2;
/// A word with this many non-ASCII code points is enough evidence by itself.
const LONG_WORD_CODE_POINTS: usize = 6;
/// The lines after which one in `ONE_IN` + 1 is looked at.
const MISSES: u32 = 24;
const ONE_IN: u64 = 15;
/// The bytes of a line that the detector is asked about.
const ENOUGH: usize = 1024;

/// How text was misread: the page as which it was read, and the encoding in which it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Way {
    read: Encoding,
    meant: Encoding,
}

/// The misreading of the last lines.
#[derive(Clone, Debug, Default)]
pub(super) struct Last {
    way: Option<Way>,
    lines: u32,
    /// The lines that were looked at since, and are text.
    misses: u32,
}

/// A line that is read as another encoding.
struct Found {
    way: Way,
    text: String,
    score: f32,
    margin: f32,
}

/// Reads a line in the encoding in which it was written, if it was read as another.
pub(super) fn read(line: &str, last: &mut Last, scorer: &mut Scorer) -> Option<(String, Vec<Edit>, f32)> {
    let readable = pages_of(line);
    if readable == 0 {
        return None;
    }
    let old: Vec<u32> = line.chars().map(u32::from).collect();
    if last.passes_over(&old) || !may_be_misread(&old, last.lines >= TRUSTED_LINES, scorer) {
        return None;
    }
    last.misses = last.misses.saturating_add(1);
    let base = scorer.line(&old);
    let mut best: Option<Found> = None;
    let mut seen: Vec<Vec<u8>> = Vec::new();
    for (number, (page, prior)) in PAGES.into_iter().enumerate() {
        if readable >> number & 1 == 0 {
            continue;
        }
        let Ok(bytes) = page.encode(line, UnmappablePolicy::Stop) else { continue };
        if core::str::from_utf8(&bytes).is_ok() || seen.iter().any(|seen| **seen == *bytes) {
            continue;
        }
        for encoding in meant(&bytes, page, last) {
            let way = Way { read: page, meant: encoding };
            let Some(text) = reread(&bytes, encoding).filter(|text| text != line) else { continue };
            let new: Vec<u32> = text.chars().map(u32::from).collect();
            let score = scorer.line(&new);
            let language = scorer.language();
            let proof = Proof::new(&old, &new, encoding.max_bytes() > 1, language, scorer);
            let Some(margin) = proof.margin(score + prior - base, last.trusts(way)) else { continue };
            if best.as_ref().is_none_or(|best| score > best.score) {
                best = Some(Found { way, text, score, margin });
            }
        }
        seen.push(bytes.into_owned());
    }
    let found = best?;
    last.lines = if last.way == Some(found.way) { last.lines.saturating_add(1) } else { 1 };
    last.way = Some(found.way);
    last.misses = 0;
    let why = Why {
        gain: found.score - base,
        confidence: confidence(found.margin),
        ..Why::certain(Step::Legacy, &[found.way.read, found.way.meant])
    };
    let edits = edits(line, &found, &why);
    Some((found.text, edits, found.score))
}

/// Returns the pages that have all code points of a line: a bit for each of [`PAGES`].
fn pages_of(line: &str) -> u16 {
    let pages: &[u16] = &PAGES_OF;
    let of = |c: char| pages.get(c as usize).copied().unwrap_or(0);
    let mut all = (1 << PAGES.len()) - 1;
    for c in line.chars().filter(|c| !c.is_ascii()) {
        all &= of(c);
        if all == 0 {
            break;
        }
    }
    all
}

/// For each code point, the pages that have it.
static PAGES_OF: Lazy<Vec<u16>> = Lazy::new(|| {
    let mut pages = vec![0; HIGHEST + 1];
    for (number, (page, _)) in PAGES.into_iter().enumerate() {
        for byte in 0x80..=0xFF_u8 {
            let text = page.decode(core::slice::from_ref(&byte), ErrorPolicy::Stop);
            let c = text.ok().and_then(|text| text.chars().next());
            if let Some(own) = c.and_then(|c| pages.get_mut(c as usize)) {
                *own |= 1 << number;
            }
        }
    }
    pages
});

impl Last {
    /// Returns `true` if a line can be skipped: after many lines in a language that the model does not know,
    /// only some are looked at. The line itself decides which, so that a second run looks at no
    /// other lines.
    fn passes_over(&self, line: &[u32]) -> bool {
        self.misses >= MISSES && scorer::hash(line) >> 32 & ONE_IN != 0
    }

    fn trusts(&self, way: Way) -> bool {
        self.way == Some(way) && self.lines >= TRUSTED_LINES
    }
}

/// Returns `true` if words of a line are in no language: some, or most of those in another script than Latin.
#[expect(clippy::cast_precision_loss, reason = "the length of a word")]
fn may_be_misread(line: &[u32], is_trusted: bool, scorer: &mut Scorer) -> bool {
    let (mut latin, mut others, mut good) = (0, 0, 0);
    let mut seen = Vec::new();
    for word in line.split(|&c| scorer::is_space(c)) {
        let beyond = word.iter().filter(|&&c| c >= 0x80).count();
        if beyond == 0 || seen.contains(&word) {
            continue;
        }
        let is_latin = word.iter().all(|&c| matches!(c, 0..0x250 | 0x2B0..0x300 | 0x2010..0x2500));
        let worth = if beyond >= LONG_WORD_CODE_POINTS { 2 } else { 1 };
        if scorer.line(word) > if is_latin { NO_LATIN_WORD_NATS } else { NO_WORD_NATS } * word.len() as f32 {
            good += if is_latin { 0 } else { worth };
            continue;
        }
        *if is_latin { &mut latin } else { &mut others } += worth;
        if is_trusted || latin >= 2 {
            return true;
        }
        if seen.len() < MAX_COMPARED_WORDS {
            seen.push(word);
        }
    }
    others >= 2 && others * 2 >= good
}

/// Returns the encodings that bytes may be in.
fn meant(bytes: &[u8], page: Encoding, last: &Last) -> Vec<Encoding> {
    let ranking = rank(&Sample::of(&bytes[..bytes.len().min(ENOUGH)]), &Hints::default());
    let mut all: Vec<Encoding> =
        last.way.filter(|way| way.read == page).map(|way| way.meant).into_iter().collect();
    if ranking.fits {
        let likely = ranking.candidates.iter().filter(|candidate| candidate.confidence >= LIKELY);
        for candidate in likely {
            if all.len() == MEANT {
                break;
            }
            let is_written = candidate.encoding.max_bytes() > 1 || WRITTEN.contains(&candidate.encoding);
            if is_written && !all.contains(&candidate.encoding) && candidate.encoding != page {
                all.push(candidate.encoding);
            }
        }
    }
    all
}

/// Returns the text of bytes, if all of them are text, and give the same bytes again.
fn reread(bytes: &[u8], encoding: Encoding) -> Option<String> {
    let text = encoding.decode(bytes, ErrorPolicy::Stop).ok()?;
    let is_text = text.chars().all(|c| !c.is_control() || c.is_ascii() && bytes.contains(&(c as u8)));
    let again = encoding.encode(&text, UnmappablePolicy::Stop).ok()?;
    (is_text && *again == *bytes).then(|| text.into_owned())
}

/// How much speaks for a new line.
#[derive(Clone, Copy, Debug, Default)]
struct Proof {
    /// Non-ASCII code points, of the old line or the new one, and those that are letters in the new one.
    beyond: usize,
    letters: usize,
    /// Something in the new line is not text.
    is_no_text: bool,
    /// The share of distinct words among those that change: a word that a line has many times proves no more than one.
    share: f32,
    /// Distinct words that change, and those that become less probable.
    words: usize,
    worse: usize,
    /// Distinct code points of the old line that change, and of those the ones that the language of the new line does not
    /// write, in place of which it has letters that it writes.
    kinds: usize,
    foreign: usize,
    /// Nats for each code point of the words that change, in the new line and in the old one.
    fit: f32,
    before: f32,
    /// The new line has several bytes for a letter.
    is_multi_byte: bool,
}

impl Proof {
    #[expect(clippy::cast_precision_loss, reason = "a count of code points in a line")]
    fn new(old: &[u32], new: &[u32], is_multi_byte: bool, language: usize, scorer: &mut Scorer) -> Self {
        let model = Model::get();
        let beyond = |text: &[u32]| text.iter().filter(|&&c| c >= 0x80).count();
        let mut proof = Self {
            beyond: beyond(old).max(beyond(new)),
            letters: new.iter().filter(|&&c| c >= 0x80 && model.case_of(c) > 0).count(),
            is_no_text: new.iter().any(|&c| is_no_text(c)),
            is_multi_byte,
            ..Self::default()
        };
        proof.is_no_text |= proof.letters * 10 < beyond(new) * 8;
        let (mut seen, mut all) = (Vec::new(), 0);
        let mut kinds: Vec<(u32, u32)> = Vec::new();
        let (mut fit, mut before, mut len, mut len_before) = (0.0, 0.0, 0, 0);
        let words = |text| <[u32]>::split(text, |&c| scorer::is_space(c));
        for (old, new) in words(old).zip(words(new)).filter(|(old, new)| old != new) {
            let hash = scorer::hash(old);
            all += 1;
            if seen.contains(&hash) || seen.len() == MAX_COMPARED_WORDS {
                continue;
            }
            seen.push(hash);
            kinds.extend(old.iter().copied().zip(new.iter().copied()).filter(|(a, b)| a != b));
            let scores = (scorer.line(old), scorer.line(new));
            proof.worse += usize::from(scores.1 <= scores.0);
            before += scores.0;
            fit += scores.1;
            len += new.len();
            len_before += old.len();
        }
        kinds.sort_unstable();
        kinds.dedup();
        let language = model.languages.get(language);
        let writes = |c: u32| language.is_some_and(|language| language.writes(model.class(c)));
        let is_foreign = |old: u32, new: u32| !is_rest(old) && !writes(old) && writes(new);
        proof.foreign = kinds.iter().filter(|&&(old, new)| is_foreign(old, new)).count();
        (proof.words, proof.kinds) = (seen.len(), kinds.len());
        proof.share = if seen.len() > 3 { 1.0 } else { seen.len() as f32 / all.max(1) as f32 };
        (proof.fit, proof.before) = (fit / len.max(1) as f32, before / len_before.max(1) as f32);
        proof
    }

    /// Nats above what is asked for, or `None` if the new line is not proof.
    #[expect(clippy::cast_precision_loss, reason = "a count of code points in a line")]
    fn margin(&self, gain: f32, is_trusted: bool) -> Option<f32> {
        if self.is_no_text || self.worse * WORDS_PER_WORSE > self.words {
            return None;
        }
        let gain = gain * self.share;
        let (least, is_good) = if self.is_multi_byte {
            (
                MIN_MULTI_BYTE_GAIN_NATS.max(MIN_MULTI_BYTE_GAIN_NATS_EACH * self.beyond as f32),
                self.fit >= MIN_MULTI_BYTE_FIT_NATS,
            )
        } else if is_trusted {
            (MIN_TRUSTED_GAIN_NATS, self.fit >= MIN_TRUSTED_FIT_NATS)
        } else {
            // Text of another script gains so much that little else is asked for.
            let is_clear = gain >= MIN_SCRIPT_GAIN_NATS
                && gain >= MIN_SCRIPT_GAIN_NATS_EACH * self.beyond as f32
                && self.kinds >= MIN_SCRIPT_KINDS;
            // One word is enough if it is long, and reads well.
            let is_long = self.beyond >= LONG_WORD_CODE_POINTS && self.fit >= MIN_LONG_WORD_FIT_NATS;
            let is_clear = is_clear && (self.words >= MIN_WORDS || is_long);
            let is_more = self.words >= MIN_WORDS && (self.kinds >= MIN_KINDS || self.foreign == self.kinds);
            let is_good = is_clear && self.fit >= MIN_SCRIPT_FIT_NATS;
            (MIN_GAIN_NATS, is_good || is_more && self.fit >= MIN_FIT_NATS.max(self.before + BETTER_FIT_NATS))
        };
        (is_good && gain >= least).then_some(gain - least)
    }
}

/// Returns `true` if a code point is the first of mojibake, `Â`, `Ã` or `Ă`, whose rest may be lost.
fn is_rest(c: u32) -> bool {
    matches!(c, 0xC2 | 0xC3 | 0x102)
}

/// Returns `true` if a code point shows that a reading is wrong.
fn is_no_text(c: u32) -> bool {
    let this = Classes::get().class(c);
    matches!(this, class::CONTROL | class::STRANGE | class::REPLACEMENT | class::BOX)
}

/// Returns the stretches that differ: by code points where both lines have as many, else by the stretches between ASCII.
fn edits(line: &str, found: &Found, why: &Why) -> Vec<Edit> {
    let mut edits: Vec<Edit> = Vec::new();
    let mut buffer = [0; 4];
    let (mut old, mut new) = (0, 0);
    for c in found.text.chars() {
        // Each byte of the code point is one code point of the line.
        let text: &str = c.encode_utf8(&mut buffer);
        let len = found.way.meant.encode(text, UnmappablePolicy::Stop).map_or(1, |bytes| bytes.len());
        let source: usize = line.get(old..).unwrap_or_default().chars().take(len).map(char::len_utf8).sum();
        let (before, after) = (old..old + source, new..new + text.len());
        (old, new) = (before.end, after.end);
        if line.get(before.clone()) != Some(text) {
            add(&mut edits, before, after, why);
        }
    }
    edits
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A page that is left out for a code point cannot encode it, and no other page is.
    #[test]
    fn pages_are_left_out_only_where_they_lack_a_code_point() {
        let mut buffer = [0; 4];
        for c in (0..0x1_1000).filter_map(char::from_u32) {
            let text: &str = c.encode_utf8(&mut buffer);
            let pages = pages_of(text);
            for (number, (page, _)) in PAGES.into_iter().enumerate() {
                let has = page.encode(text, UnmappablePolicy::Stop).is_ok();
                assert_eq!(pages >> number & 1 != 0, has, "U+{:04X}, {page}", u32::from(c));
            }
        }
    }
}
