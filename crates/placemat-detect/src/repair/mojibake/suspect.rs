//! Finds text that may be mojibake, and passes over all other text at speed.

use super::as_utf8;
use super::bom;
use super::candidates::{Candidates, LATIN, RESTLESS};
use super::classes::{Classes, class};
use super::letters::{DINGBAT, Odd, strange};
use super::pages::{self, Double, Singles};
use super::scorer::is_unknown;
use super::symbols;
use alloc::vec::Vec;
use placemat_core::forms::unicode::utf8;

/// At most this many code points around a pair of odd neighbors are examined.
const MAX_RUN_CODE_POINTS: usize = 64;
/// The number of code points of a run that are encoded in a double-byte page and decoded as UTF-8.
const MAX_DOUBLE_CODE_POINTS: usize = 24;

/// The number of code points of such a run after which its first bytes are examined.
const EARLY_CODE_POINTS: usize = 3;

/// Returns the number of odd neighbors in a text.
pub(super) fn count_odd(text: &[u32]) -> usize {
    let classes = Classes::get();
    let mut before = class::BLANK;
    let odd = text.iter().filter(|&&c| {
        let this = classes.class(c);
        let odd = classes.is_odd(before, this);
        before = this;
        odd
    });
    odd.count() + text.windows(2).filter(|pair| is_capital_of_two(pair[0], pair[1])).count()
}

/// Returns `true` if two Latin letters are a capital such as `Ü` or `ß` in windows-1252 (`Ãœ`, `ÃŸ`). No language has them in
/// a row, but each alone is a letter.
const fn is_capital_of_two(a: u32, b: u32) -> bool {
    a == 0xC3 && matches!(b, 0x152 | 0x153 | 0x160 | 0x161 | 0x178 | 0x17D | 0x17E)
}

/// Returns the number of non-ASCII code points in a text that have an odd neighbor, up to `most`.
pub(super) fn odd_places(text: &str, candidates: &Candidates, most: usize) -> usize {
    let classes = Classes::get();
    let odd = |&at: &usize| {
        Here::new(classes, text.as_bytes(), at).is_some_and(|here| here.has_odd_neighbor(classes))
    };
    candidates.all::<RESTLESS>().filter(odd).take(most).count()
}

/// Returns the offset of the first non-ASCII run in `text` that may be mojibake.
pub(super) fn suspect(text: &str) -> Option<usize> {
    suspect_of(text, &Candidates::of(text))
}

/// Like [`suspect`], for a text whose candidates are known.
pub(super) fn suspect_of(text: &str, candidates: &Candidates) -> Option<usize> {
    let is_dingbat = |&at: &usize| text.as_bytes()[at..].starts_with(DINGBAT.as_bytes());
    first(text, candidates, 0, Looks { mojibake: true, legacy: false })
        .or_else(|| candidates.all::<LATIN>().find(is_dingbat))
}

/// Returns `true` if a line may be text of a legacy encoding that was read as another, by its candidates.
pub(super) fn may_be_legacy(line: &str, candidates: &Candidates) -> bool {
    first(line, candidates, 0, Looks { mojibake: false, legacy: true }).is_some()
        || strange(line.as_bytes(), candidates, 0).is_some()
}

/// The kinds of damage that are looked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Looks {
    pub(super) mojibake: bool,
    pub(super) legacy: bool,
}

/// Returns the offset of the first place from `from` on, where a line begins, that may be mojibake, or has neighbors, marks or
/// a number of letters that no language has.
pub(super) fn first(text: &str, candidates: &Candidates, from: usize, looks: Looks) -> Option<usize> {
    // Without a sign, no table is made.
    candidates.next::<RESTLESS>(from)?;
    let classes = Classes::get();
    let src = text.as_bytes();
    let mut odd = Odd::default();
    // There is no mojibake before this offset.
    let mut passed = from;
    let mut next = from;
    while let Some(at) = candidates.next::<RESTLESS>(next) {
        next = at + 1;
        if let Some(before) = before_east(src, at) {
            // It goes with ASCII on both sides.
            if looks.mojibake && at >= passed && is_double_mojibake(text, at, classes.class(before.into())) {
                return Some(at);
            }
            continue;
        }
        let Some(here) = Here::new(classes, src, at) else { continue };
        if looks.legacy {
            let beside = (here.before, here.class_after(classes));
            if here.has_odd_neighbor(classes) || odd.is_odd(src, (at, at + here.len), here.this, beside) {
                return Some(at);
            }
        }
        if !looks.mojibake || at < passed {
            continue;
        }
        // Where a stretch of double bytes begins. What is odd in it comes later.
        if here.begins_double() && is_double_mojibake(text, at, here.before) {
            return Some(at);
        }
        if here.is_odd(classes) {
            let start = run_start(src, at);
            passed = src[at..].iter().position(u8::is_ascii).map_or(src.len(), |after| at + after);
            if is_suspect(classes, text, start, passed) {
                return Some(at);
            }
        }
        if may_be_symbols(text, at) {
            return Some(at);
        }
    }
    None
}

/// Returns the byte of ASCII before an ideograph, a kana or a syllable of Hangul, which begins a run.
#[inline(always)]
fn before_east(src: &[u8], at: usize) -> Option<u8> {
    let before = match at.checked_sub(1) {
        Some(before) => *src.get(before)?,
        None => b'\n',
    };
    let is_east = match *src.get(at..)? {
        [0xE4..=0xE9 | 0xEB | 0xEC, ..] => true,
        [0xE3, next, ..] => (0x81..=0x83).contains(&next),
        [0xEA, next, ..] => next >= 0xB0,
        [0xED, next, ..] => next <= 0x9D,
        _ => false,
    };
    (is_east && before.is_ascii()).then_some(before)
}

/// Returns the start of the non-ASCII run that contains the code point at `at`.
fn run_start(src: &[u8], at: usize) -> usize {
    src[..at].iter().rposition(u8::is_ascii).map_or(0, |before| before + 1)
}

/// The class of a non-ASCII code point and those of its neighbors.
struct Here {
    before: u8,
    this: u8,
    /// The length of the code point in bytes.
    len: usize,
    /// The byte after the code point.
    after: u8,
}

impl Here {
    #[inline(always)]
    fn new(classes: &Classes, src: &[u8], at: usize) -> Option<Self> {
        let (this, len) = classes.beyond_ascii(src, at)?;
        let beyond = |at: usize| classes.beyond_ascii(src, at).map_or(class::BLANK, |(class, _)| class);
        let before = match src[..at] {
            [.., c @ 0..=0x7F] => classes.class(c.into()),
            [.., 0xC0..=0xFF, _] => beyond(at - 2),
            [.., 0xC0..=0xFF, _, _] => beyond(at - 3),
            [] => class::BLANK,
            _ => beyond(at.saturating_sub(4)),
        };
        Some(Self { before, this, len, after: src.get(at + len).copied().unwrap_or(b'\n') })
    }

    #[inline(always)]
    fn begins_double(&self) -> bool {
        is_double(self.this) && !is_double(self.before)
    }

    /// Returns the class of the code point of ASCII after it.
    #[inline(always)]
    fn class_after(&self, classes: &Classes) -> u8 {
        if self.after < 0x80 { classes.class(self.after.into()) } else { class::OTHER_LETTER }
    }

    #[inline(always)]
    fn has_odd_neighbor(&self, classes: &Classes) -> bool {
        classes.is_odd(self.before, self.this)
            || self.after < 0x80 && classes.is_odd(self.this, classes.class(self.after.into()))
    }

    /// Returns `true` if the neighbors are odd, or the run may be one that [`is_start`] looks for.
    #[inline(always)]
    fn is_odd(&self, classes: &Classes) -> bool {
        self.has_odd_neighbor(classes)
            || self.this == class::LATIN_UPPER && (self.after >= 0x80 || self.after == b' ')
            || is_mark(self.this) && self.after >= 0x80 && is_latin(self.before)
    }
}

/// The code points of a run that are read as symbols, and the bytes that they have at most.
const SYMBOL_RUN: usize = 24;
const SYMBOL_RUN_BYTES: usize = 3 * SYMBOL_RUN;

/// Returns `true` if the non-ASCII run that has the code point at `at` is symbols alone in the bytes of a page, or begins with
/// the signature. No neighbors in it need be odd: emoji become small letters of Cyrillic.
fn may_be_symbols(text: &str, at: usize) -> bool {
    let src = text.as_bytes();
    let near = at.saturating_sub(SYMBOL_RUN_BYTES);
    let start = match src[near..at].iter().rposition(u8::is_ascii) {
        Some(before) => near + before + 1,
        None if near == 0 => 0,
        None => return false,
    };
    if bom::begins_at(text, start) {
        return true;
    }
    let run = || text[start..].chars().take_while(|c| !c.is_ascii()).map(u32::from);
    let singles = Singles::get();
    let Some(first) = run().next() else { return false };
    let mut mask = singles.member(first).symbol;
    while mask != 0 {
        let page = mask.trailing_zeros() as usize;
        mask &= mask - 1;
        let bytes = run().take(SYMBOL_RUN + 1).map(|c| singles.member(c).bytes[page]);
        if as_utf8::reads_as(bytes, |c| symbols::is_symbol(c) || symbols::goes_with_emoji(c)) {
            return true;
        }
    }
    false
}

/// Returns `true` if a non-ASCII run may be mojibake of a page of single bytes.
fn is_suspect(classes: &Classes, text: &str, start: usize, end: usize) -> bool {
    let src = text.as_bytes();
    let ascii = if start > 0 { classes.class(src[start - 1].into()) } else { class::BLANK };
    let after = src.get(end).copied().unwrap_or(b'\n');
    let (mut before, mut at) = (ascii, start);
    let mut odd_at = None;
    let mut latin = 0;
    while at < end
        && let Some((this, len)) = classes.beyond_ascii(src, at)
    {
        if odd_at.is_none() && classes.is_odd(before, this) {
            odd_at = Some(at);
        }
        latin += u32::from(matches!(this, class::LATIN_LOWER | class::LATIN_UPPER));
        before = this;
        at += len;
    }
    if classes.is_odd(before, classes.class(after.into())) {
        odd_at = odd_at.or(Some(end));
    }
    // Words of this kind begin with two capitals, or with U+00C3 and U+00A0 that became a space.
    if latin > 0 && odd_at.is_none() && is_start(text.get(start..end).unwrap_or_default(), ascii, after) {
        odd_at = Some(start);
    }
    odd_at.is_some_and(|odd| fits(text, start, odd, ascii))
}

/// Returns `true` if a run without odd neighbors may be mojibake nevertheless: a lead byte and a continuation byte as Latin
/// capitals at the start of a word, or punctuation inside a word.
fn is_start(run: &str, before: u8, after: u8) -> bool {
    let mut chars = run.chars();
    match (chars.next(), chars.next(), chars.next()) {
        (Some(a), Some(b), None) if is_capital_of_two(a.into(), b.into()) => true,
        (Some(a), Some(b), None) if a.is_uppercase() && b.is_uppercase() => after.is_ascii_lowercase(),
        (Some('\u{C2}' | '\u{C3}'), None, None) => after == b' ' && before == class::BLANK,
        (Some('…' | '•'), Some(_), _) => matches!(before, class::ASCII_LOWER | class::ASCII_UPPER),
        (Some(_), Some(_), Some(_)) => has_mark_inside(run),
        _ => false,
    }
}

/// Returns `true` if a run has punctuation between a Latin letter and another code point.
fn has_mark_inside(run: &str) -> bool {
    let classes = Classes::get();
    let is_letter = |class| matches!(class, class::LATIN_LOWER | class::LATIN_UPPER);
    let mut chars = run.chars().map(|c| classes.class(c.into()));
    let (mut a, mut b) = (class::BLANK, chars.next().unwrap_or(class::BLANK));
    chars.any(|c| {
        let found = is_letter(a) && is_mark(b);
        (a, b) = (b, c);
        found
    })
}

/// Quotation marks, dashes and dots.
const fn is_mark(class: u8) -> bool {
    matches!(class, class::CLOSING_QUOTE..=class::DOTS | class::OPENING_QUOTE..=class::LOW_SINGLE_QUOTE)
}

const fn is_latin(class: u8) -> bool {
    matches!(class, class::ASCII_LOWER | class::ASCII_UPPER | class::LATIN_LOWER | class::LATIN_UPPER)
}

/// Returns `true` if some page explains most of the part of a run that is near its odd neighbors.
#[cold]
fn fits(text: &str, start: usize, odd: usize, before: u8) -> bool {
    const BACK: usize = 32;
    let (mut from, mut before) = (start, before);
    if odd > start + BACK {
        let near = odd - BACK;
        from = (near..odd).find(|&at| text.is_char_boundary(at)).unwrap_or(start);
        before = class::BLANK;
    }
    let rest = text.get(from..).unwrap_or_default();
    let mut run = Run { text: [0; MAX_RUN_CODE_POINTS], len: 0, before, after: 0x0A, odd: 0, odd_at: 0 };
    for c in rest.chars() {
        if c.is_ascii() {
            run.after = c.into();
            break;
        }
        if run.len == MAX_RUN_CODE_POINTS {
            break;
        }
        run.text[run.len] = c.into();
        run.len += 1;
    }
    let classes = Classes::get();
    if run.text().iter().any(|&c| classes.class(c) == class::CONTROL) {
        return true;
    }
    if (0..pages::DOUBLE.len()).any(|number| reads_as_utf8(rest, before, number)) {
        return true;
    }
    run.find_odd();
    let singles = Singles::get();
    let next = |at: usize| run.text().get(at).copied().unwrap_or(run.after);
    let mut mask = 0;
    for (at, &c) in run.text().iter().enumerate() {
        let lead = singles.member(c).lead;
        mask |= match next(at + 1) {
            0x20 => lead & singles.no_break_space,
            0xFFFD => lead & singles.holes,
            c => lead & singles.member(c).continuation,
        };
    }
    while mask != 0 {
        let page = mask.trailing_zeros() as usize;
        mask &= mask - 1;
        if run.is_explained(page) {
            return true;
        }
    }
    false
}

/// A part of a run of non-ASCII code points.
struct Run {
    text: [u32; MAX_RUN_CODE_POINTS],
    len: usize,
    /// The class of the code point before the run, and the code point after it.
    before: u8,
    after: u32,
    /// The number of odd neighbors, and the code points that have one: a bit for each.
    odd: u32,
    odd_at: u64,
}

impl Run {
    fn text(&self) -> &[u32] {
        &self.text[..self.len]
    }

    /// Counts odd neighbors. Where there are none, the whole is odd: see [`is_start`].
    fn find_odd(&mut self) {
        (self.odd, self.odd_at) = odd_neighbors(self.before, self.text(), self.after);
        if self.odd == 0 {
            (self.odd, self.odd_at) = (1, u64::MAX);
        }
    }

    /// Returns `true` if most of the run is sequences of UTF-8 in the bytes of a page that decode to usual
    /// text.
    fn is_explained(&self, page: usize) -> bool {
        let singles = Singles::get();
        let run = self.text();
        let byte = |at: usize| match run.get(at) {
            Some(0xFFFD) => 0xBF,
            Some(&c) => singles.member(c).bytes[page],
            None => 0,
        };
        let mut new = [0; MAX_RUN_CODE_POINTS];
        let (mut len, mut used, mut sequences, mut unknown, mut covered, mut at) = (0, 0, 0, 0, 0_u64, 0);
        while at < run.len() {
            let lead = byte(at);
            let wanted = utf8::sequence_len(lead).unwrap_or(1);
            let found = 1 + (1..wanted).take_while(|&n| utf8::is_continuation(byte(at + n))).count();
            // A space after the run may be the byte A0; the last byte of a quotation mark may be
            // gone.
            let ends = at + found == run.len() && found + 1 == wanted && (self.after == 0x20 || wanted == 3);
            let mut value = run[at];
            let mut taken = 1;
            if wanted > 1 && (found == wanted || ends) {
                let bits = u32::from(lead) & (0x7F >> wanted);
                value = (at + 1..at + wanted).fold(bits, |value, next| {
                    let byte = if next < run.len() { byte(next) } else { 0xA0 };
                    value << 6 | u32::from(byte & 0x3F)
                });
                taken = found;
                used += taken;
                sequences += 1;
                unknown += usize::from(is_unknown(value) && !symbols::is_symbol(value));
                covered |= ((1 << taken) - 1) << at;
            }
            new[len] = value;
            len += 1;
            at += taken;
        }
        let left = run.len() - used;
        if used == 0 || left > used || covered & self.odd_at == 0 {
            return false;
        }
        // Below a second layer stands no usual text yet.
        sequences > 1 && left * 8 <= used
            || unknown * 10 <= sequences * 3
                && odd_neighbors(self.before, &new[..len], self.after).0 < self.odd
    }
}

/// Returns the number of odd neighbors in a run, with those beside it, and the code points that have one: a bit for each.
fn odd_neighbors(before: u8, run: &[u32], after: u32) -> (u32, u64) {
    let classes = Classes::get();
    let (mut before, mut count, mut at) = (before, 0, 0_u64);
    for (n, &c) in run.iter().chain([&after]).enumerate() {
        let this = classes.class(c);
        if classes.is_odd(before, this) {
            count += 1;
            // The two of them that are in the run, which has at most as many code points as there are bits.
            if n > 0 {
                at |= 1 << (n - 1);
            }
            if n < run.len() {
                at |= 1 << n;
            }
        }
        before = this;
    }
    (count, at)
}

/// Classes of the double-byte pages.
const fn is_double(class: u8) -> bool {
    matches!(class, class::IDEOGRAPH..=class::WIDE)
}

/// Returns `true` if the run that begins here with `c` is UTF-8 that was read as a double-byte page.
fn is_double_mojibake(text: &str, at: usize, before: u8) -> bool {
    let starts = pages::double_starts_at(pages::kinds(), text.as_bytes(), at);
    starts != 0
        && (0..pages::DOUBLE.len()).any(|number| {
            starts >> number & 1 != 0 && reads_as_utf8(text.get(at..).unwrap_or_default(), before, number)
        })
}

/// Returns `true` if a non-ASCII run is well-formed UTF-8 in the bytes of a double-byte page, and more than chance.
fn reads_as_utf8(text: &str, before: u8, number: usize) -> bool {
    let page = Double::get(number);
    let mut bytes = [0; 2 * MAX_DOUBLE_CODE_POINTS];
    let mut len = 0;
    let mut whole = true;
    let mut after = '\n';
    for (count, c) in text.chars().enumerate() {
        if c.is_ascii() {
            after = c;
            break;
        }
        if count == MAX_DOUBLE_CODE_POINTS {
            whole = false;
            break;
        }
        match page.bytes(c.into()).to_be_bytes() {
            [0, 0] => {
                // A code point that was not UTF-8 in this page, such as a mark of ASCII that became full-width, ends the run.
                whole = false;
                break;
            }
            [0, byte] => {
                bytes[len] = byte;
                len += 1;
            }
            [lead, trail] => {
                bytes[len] = lead;
                bytes[len + 1] = trail;
                len += 2;
            }
        }
        // Most text is no such run, which its first bytes show.
        if count == EARLY_CODE_POINTS
            && let Err(e) = core::str::from_utf8(&bytes[..len])
            && e.valid_up_to() + 3 < len
        {
            return false;
        }
    }
    let bytes = &bytes[..len];
    let (read, good) = match core::str::from_utf8(bytes) {
        Ok(read) => (read, true),
        // A trail byte may have swallowed ASCII, or the cut may lie in a sequence.
        Err(e) => (
            core::str::from_utf8(&bytes[..e.valid_up_to()]).unwrap_or_default(),
            e.valid_up_to() + 3 >= len && e.valid_up_to() > 0 && (!whole || e.error_len().is_none()),
        ),
    };
    let least = if whole { 2 } else { 3 };
    let sequences = bytes.iter().filter(|&&byte| byte >= 0xC0).count();
    let beside = matches!(before, class::ASCII_LOWER | class::ASCII_UPPER) || after.is_ascii_lowercase();
    // Below a second layer by this page stand its characters again.
    let again = || {
        matches!(read.chars().next(), Some('\u{3000}'..='\u{D7FF}')) && reads_as_utf8(read, before, number)
    };
    // One emoji is two code points of GBK, of which the first is always the same rare one.
    let is_emoji = || good && !read.is_empty() && read.chars().all(|c| symbols::is_emoji(c.into()));
    (good && (sequences >= least || beside) || is_emoji())
        && !is_chart(text)
        && (is_usual(read, sequences) || is_emoji() || beside && again())
}

/// Returns `true` if a line lists characters: it has many beyond ASCII, and each once, as in an alphabet or a row of a
/// character set; or one of them in a row, as a bar is drawn.
pub(super) fn is_list(line: &str) -> bool {
    const MIN_LISTED_CHARS: usize = 10;
    const MAX_LISTED_CHARS: usize = 64;
    const BAR: usize = 4;
    let mut all: Vec<char> = line.chars().filter(|c| !c.is_ascii()).take(MAX_LISTED_CHARS + 1).collect();
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    let is_bar = |c: &char| {
        let mut bar = line.chars().skip_while(|other| other != c).take(BAR);
        count >= BAR && bar.all(|other| other == *c)
    };
    (MIN_LISTED_CHARS..=MAX_LISTED_CHARS).contains(&count) && all.len() == count
        || matches!(all.as_slice(), [c] if is_bar(c))
}

/// Returns `true` if most code points of a run follow one another in the order of their numbers, as in a table of characters.
fn is_chart(text: &str) -> bool {
    let run = || text.chars().take_while(|c| !c.is_ascii()).take(MAX_DOUBLE_CODE_POINTS);
    let next = run().zip(run().skip(1)).filter(|&(a, b)| u32::from(a) + 1 == u32::from(b)).count();
    2 * next > run().count()
}

/// From this many sequences on, a double-byte page proves text beyond Latin letters.
const MIN_KNOWN_LETTER_SEQUENCES: usize = 4;
/// From this many sequences on, a double-byte page proves any text.
const MIN_ANY_TEXT_SEQUENCES: usize = 8;

/// Returns `true` if a text that a double-byte page gives is more than chance: long, or of Latin-1 and its like, or of known
/// letters without odd neighbors.
fn is_usual(text: &str, sequences: usize) -> bool {
    if text.is_empty() {
        return false;
    }
    if sequences >= MIN_ANY_TEXT_SEQUENCES || text.chars().all(|c| c < '\u{250}') {
        return true;
    }
    let classes = Classes::get();
    let is_east = |c: char| matches!(classes.class(c.into()), class::IDEOGRAPH | class::KANA | class::HANGUL);
    if text.chars().all(is_east) {
        return true;
    }
    let mut before = class::BLANK;
    let mut odd = text.chars().filter(|&c| {
        let this = classes.class(c.into());
        classes.is_odd(core::mem::replace(&mut before, this), this)
    });
    let unknown = text.chars().filter(|&c| is_unknown(c.into())).count();
    sequences >= MIN_KNOWN_LETTER_SEQUENCES && unknown * 10 <= sequences * 3 && odd.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;
    use placemat_core::kernels::portable::samples::is_taken;

    /// A run of as many code points as there are bits, whose first one and last ones are odd.
    #[test]
    fn odd_neighbors_of_a_full_run() {
        let mut run = [u32::from('я'); MAX_RUN_CODE_POINTS];
        let odd = |run: &[u32], after: char| odd_neighbors(Classes::get().class(0x20), run, after.into());
        assert_eq!(odd(&run, ' '), (0, 0));
        run[0] = 'Ã'.into();
        assert_eq!(odd(&run, ' '), (1, 0b11));
        assert_eq!(odd(&run, 'Ã'), (2, 1 << 63 | 0b11));
        run[MAX_RUN_CODE_POINTS - 1] = 'Ã'.into();
        assert_eq!(odd(&run, ' '), (2, 0b11 << 62 | 0b11));
        assert_eq!(odd(&run[..MAX_RUN_CODE_POINTS - 1], 'Ã'), (2, 1 << 62 | 0b11));
    }

    /// Code points that the kernel passes over have no odd neighbor, and begin nothing that is looked for.
    #[test]
    fn calm_code_points_are_not_odd() {
        let classes = Classes::get();
        let scripts = (0x80..0x180).chain((0x180..0x3100).step_by(23)).chain((0x3100..0x1_1000).step_by(419));
        let more = "ơưșțßΑΩάώАЯЁаяёђџҐґӘәאתُسی،कயไๆ、。アんー漢龍가힣“”‘’–—…•«» \u{A0}\u{200C}\u{FFFD}ﾊ😀𠀀";
        let all: Vec<char> = scripts.filter_map(char::from_u32).chain(more.chars()).collect();
        let mut text = String::new();
        let mut seen = 0_u32;
        for (i, &a) in all.iter().enumerate() {
            for &b in all.iter().enumerate().filter(|(j, _)| is_taken(i + j, 1)).map(|(_, b)| b) {
                for (before, after) in [(" ", "a"), ("x", " "), ("X", "."), ("7", "B")] {
                    text.clear();
                    text.extend([before, "", after]);
                    text.insert(before.len(), b);
                    text.insert(before.len(), a);
                    let marked: Vec<usize> = Candidates::of(&text).all::<RESTLESS>().collect();
                    for (at, c) in
                        text.char_indices().filter(|&(at, c)| !c.is_ascii() && !marked.contains(&at))
                    {
                        let here =
                            Here::new(classes, text.as_bytes(), at).expect("a code point beyond ASCII");
                        assert!(!here.is_odd(classes), "{text:?}: {c}");
                        assert!(!here.begins_double(), "{text:?}: {c}");
                        seen += 1;
                    }
                }
            }
        }
        assert!(seen > 100_000, "{seen}");
    }

    /// Code points of East Asia at the start of a run have no odd neighbor.
    #[test]
    fn east_asian_text_goes_with_ascii() {
        let classes = Classes::get();
        let mut seen = 0_u32;
        for c in (0x2E80..0x1_0000).filter_map(char::from_u32) {
            for (before, after) in [(" ", "a"), ("x", " "), ("X", "."), ("7", "B"), (")", "가"), ("", "")] {
                let text = alloc::format!("{before}{c}{after}");
                if before_east(text.as_bytes(), before.len()).is_some() {
                    let here =
                        Here::new(classes, text.as_bytes(), before.len()).expect("a code point beyond ASCII");
                    assert!(!here.is_odd(classes) && here.begins_double(), "{text:?}");
                    assert!(!matches!(here.this, class::LATIN_LOWER | class::LATIN_UPPER), "{text:?}");
                    seen += 1;
                }
            }
        }
        assert!(seen > 100_000, "{seen}");
    }
}
