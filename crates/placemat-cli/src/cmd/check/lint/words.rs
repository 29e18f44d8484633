//! Words that look like ASCII words but are not, and words of scripts that are not written together.
//!
//! A word is a run of letters, digits and marks of at most [`LONGEST`] code points; U+005F separates, and so does an escape or
//! a directive of a format: `"\nДа"`, `%1fм`, `%(n)sм`, `\u00a0м`. Longer runs are not words.
//!
//! A word all of which looks like ASCII is a finding if some of it is ASCII. If none of it is, it may be a word of its own
//! script: it is one if that script shows nearby, by a letter that looks like no ASCII, on its line or on the line before, or
//! by a word there that is one. It is none if it has a letter that looks like several, or is one letter between quotation marks, as
//! in tables of characters, nor in a text that is no source, once some words of its script have shown there. A
//! word of mixed scripts is a finding if UTS #39 has them as less than moderately restrictive; but Greek letters that look
//! like no Latin ones can do no harm (`kΩ`, `Δt`, `μs`), and formulas and proteins may have α, γ, ν, ρ and σ. Letters of many
//! scripts without a space between them are a list of characters, not words.

use super::kind::{Hit, Kind};
use super::lookalike::{Looks, Together, is_joined, is_of_formulas, is_of_words, of_ascii};
use memchr::memchr;
use unicode_script::Script;

/// Code points of a word at most.
const LONGEST: usize = 256;
/// Letters and digits of an escape at most: `\U0001f600`.
const MAX_ESCAPE: usize = 9;
/// The number of bytes after a word, on its line, that can show its script.
const CONTEXT_BYTES: usize = 1024;
/// The number of code points whose properties are cached, a power of two.
const CACHED_CODE_POINTS: usize = 512;

/// Once a text that is no source has shown this many words of a script, words that look like ASCII are of that script, too.
const MIN_WORDS_OF_SCRIPT: usize = 3;
/// Letters of this many scripts without a space are a list of characters.
const MIN_SCRIPTS_OF_LIST: usize = 4;

/// A script seen on this line or the one before, and the number of further lines for which it counts.
#[derive(Clone, Copy, Debug)]
struct Seen {
    script: Script,
    lines: u8,
}

#[derive(Debug)]
pub(super) struct Words {
    confusables: bool,
    mixed: bool,
    /// The code point before the piece.
    previous: Option<char>,
    /// Whether a run under way is too long for a word.
    in_long: bool,
    seen: Vec<Seen>,
    /// Whether the line has text so far, while scripts are remembered.
    line_has_text: bool,
    /// Whether the text is no source.
    is_prose: bool,
    /// The number of words that have shown each script, in a text that is no source.
    shown: Vec<(Script, usize)>,
    /// The scripts since the last space.
    list: Vec<Script>,
    known: Vec<Option<(char, Looks)>>,
}

/// The verdict on a word.
enum Verdict {
    Fine,
    Found(Kind),
    /// Fine if this script shows nearby.
    Unless(Script),
}

impl Words {
    pub(super) fn new(confusables: bool, mixed: bool, is_prose: bool) -> Self {
        Self {
            is_prose,
            shown: Vec::new(),
            list: Vec::new(),
            confusables,
            mixed,
            previous: None,
            in_long: false,
            seen: Vec::new(),
            line_has_text: false,
            known: Vec::new(),
        }
    }

    pub(super) fn interrupted(&mut self) {
        self.previous = None;
        self.in_long = false;
    }

    /// Finds the words.
    pub(super) fn find(&mut self, text: &str, hits: &mut Vec<Hit>) {
        let mut at = 0;
        if self.in_long {
            at = end_of_word(text, 0).0;
            self.in_long = at == text.len();
        }
        // The end of the text whose lines are followed.
        let mut passed = 0;
        while let Some((start, end, count)) = next_word(text, at, text.len(), self.previous) {
            at = end;
            if count > LONGEST {
                continue;
            }
            self.follow_lines(&text[passed..start]);
            self.follow_list(&text[passed..start]);
            passed = start;
            let word = &text[start..end];
            if count == 1 && self.is_mention(text, start, end) {
                if self.confusables {
                    self.see(word);
                }
                continue;
            }
            let kind = match judge(word, self.confusables, self.mixed, |c| Self::looks(&mut self.known, c)) {
                Verdict::Fine => None,
                Verdict::Found(kind) => Some(kind),
                Verdict::Unless(script) => {
                    let on_lines = self.seen.iter_mut().find(|seen| seen.script == script);
                    let shown = on_lines.map(|seen| seen.lines = 2).is_some()
                        || shows_nearby(&text[end..], script, |c| Self::looks(&mut self.known, c))
                            == Some(true);
                    let is_written = self
                        .shown
                        .iter()
                        .any(|&(known, count)| known == script && count >= MIN_WORDS_OF_SCRIPT);
                    (!shown && !is_written).then_some(Kind::Confusable)
                }
            };
            self.add_to_list(word);
            let is_listed = self.list.len() >= MIN_SCRIPTS_OF_LIST;
            let is_usual = self.is_prose && (is_dutch(word) || is_inflected(word));
            if let Some(kind) = kind
                && !is_listed
                && !is_usual
            {
                hits.push(Hit { kind, at: start..end });
            }
            if self.confusables {
                self.see(word);
            }
        }
        self.follow_lines(&text[passed..]);
        self.follow_list(&text[passed..]);
        self.in_long |= ends_in_long_run(text, self.previous);
        self.previous = before_word(text, text.len(), self.previous);
    }

    /// How much of a text can be examined: a word at its end may go on, and the text after a word may show its script.
    /// `begins`: the text begins where the last piece ended.
    pub(super) fn settled(&self, text: &str, begins: bool) -> usize {
        let previous = if begins { self.previous } else { None };
        let run = start_of_run(text, previous);
        let mut settled = run.unwrap_or(text.len());
        if run == Some(0) && !begins {
            settled = text.len();
        }
        if !self.confusables {
            return settled;
        }
        // The part of the last line whose words may wait for the following text.
        let from = text.len().saturating_sub(CONTEXT_BYTES + 4 * LONGEST);
        let from =
            text.as_bytes()[from..].iter().rposition(|&byte| byte == b'\n').map_or(from, |at| from + at);
        let mut at = (from..text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
        if at > 0 || !begins || self.in_long {
            at = end_of_word(text, at).0;
        }
        while let Some((start, end, count)) = next_word(text, at, settled.max(at), previous) {
            at = end;
            if count <= LONGEST
                && let Verdict::Unless(script) = judge(&text[start..end], true, false, Looks::of)
                && shows_nearby(&text[end..], script, Looks::of).is_none()
            {
                settled = settled.min(start);
                break;
            }
        }
        settled
    }

    /// Returns `true` if a code point stands between quotation marks, as in tables of characters: it is mentioned, and no name.
    fn is_mention(&self, text: &str, start: usize, end: usize) -> bool {
        let is_quote = |c: char| matches!(c, '\'' | '"' | '`' | '‘' | '’' | '“' | '”' | '«' | '»');
        let before = text[..start].chars().next_back().or(self.previous);
        before.is_some_and(is_quote) && text[end..].chars().next().is_some_and(is_quote)
    }

    /// Ends a list of characters at a space.
    fn follow_list(&mut self, text: &str) {
        if !self.list.is_empty() && text.bytes().any(|byte| byte.is_ascii_whitespace()) {
            self.list.clear();
        }
    }

    /// Remembers the scripts of a word, as part of what may be a list of characters.
    fn add_to_list(&mut self, word: &str) {
        for c in word.chars().filter(|c| !c.is_ascii()) {
            let script = Self::looks(&mut self.known, c).script;
            if !matches!(script, Script::Common | Script::Inherited) && !self.list.contains(&script) {
                self.list.push(script);
            }
        }
    }

    /// Advances past text whose words are examined elsewhere.
    fn follow_lines(&mut self, mut text: &str) {
        while !self.seen.is_empty() {
            let end = memchr(b'\n', text.as_bytes()).unwrap_or(text.len());
            self.line_has_text |= !text[..end].bytes().all(|byte| byte.is_ascii_whitespace());
            let Some(rest) = text.get(end + 1..) else { return };
            text = rest;
            if core::mem::take(&mut self.line_has_text) {
                self.seen.retain_mut(|seen| {
                    seen.lines -= 1;
                    seen.lines > 0
                });
            }
        }
    }

    /// Remembers the scripts that a word shows.
    fn see(&mut self, word: &str) {
        let mut counted = !self.is_prose;
        for c in word.chars().filter(|c| !c.is_ascii()) {
            let looks = Self::looks(&mut self.known, c);
            if looks.is_telling() {
                self.line_has_text = true;
                if !core::mem::replace(&mut counted, true) {
                    match self.shown.iter_mut().find(|(script, _)| *script == looks.script) {
                        Some((_, count)) => *count += 1,
                        None => self.shown.push((looks.script, 1)),
                    }
                }
                match self.seen.iter_mut().find(|seen| seen.script == looks.script) {
                    Some(seen) => seen.lines = 2,
                    None => self.seen.push(Seen { script: looks.script, lines: 2 }),
                }
            }
        }
    }

    fn looks(known: &mut Vec<Option<(char, Looks)>>, c: char) -> Looks {
        if known.is_empty() {
            known.resize(CACHED_CODE_POINTS, None);
        }
        let slot = &mut known[c as usize % CACHED_CODE_POINTS];
        match slot {
            Some((same, looks)) if *same == c => *looks,
            _ => {
                let looks = Looks::of(c);
                *slot = Some((c, looks));
                looks
            }
        }
    }
}

/// Judges one word.
fn judge(word: &str, confusables: bool, mixed: bool, mut looks: impl FnMut(char) -> Looks) -> Verdict {
    let (mut ascii_letters, mut small_ascii, mut greek) = (0, 0, None);
    let (mut like_ascii, mut odd, mut letters) = (true, false, false);
    let (mut harmless, mut others, mut wide) = (true, None, false);
    let mut together = Together::new();
    let mut count = 0;
    for c in word.chars() {
        count += 1;
        if c.is_ascii() {
            ascii_letters += usize::from(c.is_ascii_alphabetic());
            small_ascii += usize::from(c.is_ascii_lowercase());
            together.add(of_ascii(c));
            continue;
        }
        let looks = looks(c);
        together.add(looks.scripts);
        like_ascii &= !looks.ascii().is_empty();
        odd |= looks.is_odd;
        // Nobody reads `Ю` as `lO`.
        wide |= looks.ascii().len() > 1;
        letters |= looks.is_letter;
        match looks.script {
            Script::Greek => {
                greek = Some(if greek.is_none() && is_of_formulas(c) { c } else { '\0' });
                harmless &= looks.ascii().is_empty();
            }
            Script::Common | Script::Inherited | Script::Latin => {}
            _ => harmless = false,
        }
        if !matches!(looks.script, Script::Common | Script::Inherited | Script::Latin) {
            others = Some(looks.script);
        }
    }
    // `σx`, `IFNγ1`.
    let formula = greek.is_some_and(|c| c != '\0') && (count <= 3 || small_ascii == 0 && ascii_letters > 0);
    if confusables && like_ascii && odd && letters && !formula {
        match others {
            _ if ascii_letters > 0 => return Verdict::Found(Kind::Confusable),
            Some(_) if wide && together.are_at_home() => {}
            Some(_) if !together.are_at_home() => return Verdict::Found(Kind::Confusable),
            Some(script) => return Verdict::Unless(script),
            // Letters of another width or weight alone are visibly different.
            None => {}
        }
    }
    let greek_sign = greek.is_some() && harmless;
    if mixed && !formula && !greek_sign && !together.are_at_home() {
        return Verdict::Found(Kind::MixedScript);
    }
    Verdict::Fine
}

/// Whether the text after a word on its line shows a script; `None` if more text is needed to know.
fn shows_nearby(text: &str, script: Script, mut looks: impl FnMut(char) -> Looks) -> Option<bool> {
    for (at, c) in text.char_indices() {
        if c == '\n' || at >= CONTEXT_BYTES {
            return Some(false);
        }
        if !c.is_ascii() {
            let looks = looks(c);
            if looks.script == script && looks.is_telling() && is_of_words(c) {
                return Some(true);
            }
        }
    }
    (text.len() >= CONTEXT_BYTES).then_some(false)
}

/// Returns `true` for a word in ASCII with the ligatures of Dutch.
fn is_dutch(word: &str) -> bool {
    word.chars().all(|c| c.is_ascii_alphabetic() || matches!(c, '\u{132}' | '\u{133}'))
}

/// Returns `true` for an acronym with the ending of another language: `URLны`.
fn is_inflected(word: &str) -> bool {
    let acronym = word.bytes().take_while(u8::is_ascii_uppercase).count();
    acronym > 1 && !word[acronym..].bytes().any(|byte| byte.is_ascii())
}

/// Returns how many of the letters and digits at the start of a word belong to an escape or a directive of a format that
/// begins before it: `\n`, `\u00a0`, `%s`, `%1f`, `%(n).1f`.
fn escape_len(run: &str, before: Option<char>) -> usize {
    let bytes = run.as_bytes();
    let Some(&first) = bytes.first() else { return 0 };
    let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let directive = match bytes.get(digits) {
        Some(byte) if byte.is_ascii_alphabetic() => digits + 1,
        _ => 0,
    };
    match before {
        Some('\\') => {
            let hex = match first {
                b'x' => 2,
                b'u' => 4,
                b'U' => 8,
                _ => 0,
            };
            let is_hex = bytes.len() > hex && bytes[1..=hex].iter().all(u8::is_ascii_hexdigit);
            // A font of troff has two letters.
            let is_font = first == b'f' && bytes.get(1).is_some_and(|font| b"BIRP".contains(font));
            if is_font {
                2
            } else if is_hex {
                1 + hex
            } else {
                usize::from(first.is_ascii_alphabetic())
            }
        }
        Some('%') => directive,
        Some(')') if digits == 0 && bytes.len() == 1 => directive,
        Some('.') if digits > 0 && matches!(bytes.get(digits), Some(b'e' | b'f' | b'g')) => directive,
        _ => 0,
    }
}

/// Returns the code point before a word; `%` if it is the dollar sign of a directive with a number, as in `%1$s`, or its
/// apostrophe, as in `%'d`.
fn before_word(text: &str, start: usize, previous: Option<char>) -> Option<char> {
    let before = &text[..start];
    if let Some(numbered) = before.strip_suffix('$') {
        let bare = numbered.trim_end_matches(|c: char| c.is_ascii_digit());
        if bare.len() < numbered.len() && bare.chars().next_back().or(previous) == Some('%') {
            return Some('%');
        }
    }
    if let Some(flagged) = before.strip_suffix('\'')
        && flagged.chars().next_back().or(previous) == Some('%')
    {
        return Some('%');
    }
    before.chars().next_back().or(previous)
}

/// Returns the next word from `from` on with a non-ASCII code point before `to`: its start, its end, and its number of code
/// points.
fn next_word(
    text: &str,
    mut from: usize,
    to: usize,
    previous: Option<char>,
) -> Option<(usize, usize, usize)> {
    while let Some(ascii) = text.as_bytes()[from..to.max(from)].iter().position(|&byte| byte >= 0x80) {
        let found = from + ascii;
        let start = start_of_word(text, from, found, previous);
        let (end, count) = end_of_word(text, start);
        let c = text[found..].chars().next().unwrap_or_default();
        if end > found && !(start == found && is_joined(c)) {
            return Some((start, end, count));
        }
        from = found + c.len_utf8();
    }
    None
}

/// Returns the start of the word that contains the code point at `found`; the text from `from` to there is ASCII.
fn start_of_word(text: &str, from: usize, found: usize, previous: Option<char>) -> usize {
    let ascii = text[from..found].bytes().rev().take_while(u8::is_ascii_alphanumeric).count();
    let start = found - ascii;
    let before = before_word(text, start, previous);
    start + escape_len(&text[start..found], before)
}

/// Returns the end of the word that begins at `start`, and its number of code points.
fn end_of_word(text: &str, start: usize) -> (usize, usize) {
    let mut count = 0;
    for (at, c) in text[start..].char_indices() {
        if !is_of_words(c) {
            return (start + at, count);
        }
        count += 1;
    }
    (text.len(), count)
}

/// Returns the start of the run at the end of a text; `None` if the run is too long for a word.
fn start_of_run(text: &str, previous: Option<char>) -> Option<usize> {
    let (mut start, mut count) = (text.len(), 0_usize);
    for (at, c) in text.char_indices().rev() {
        if !is_of_words(c) {
            break;
        }
        start = at;
        count += 1;
        if count > LONGEST + MAX_ESCAPE {
            return None;
        }
    }
    let before = before_word(text, start, previous);
    let ascii = text[start..].bytes().take_while(u8::is_ascii_alphanumeric).count();
    let escaped = escape_len(&text[start..start + ascii], before);
    // An escape may go on in the next piece.
    (count - escaped <= LONGEST).then_some(start)
}

fn ends_in_long_run(text: &str, previous: Option<char>) -> bool {
    start_of_run(text, previous).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, piece: usize) -> Vec<(usize, usize, Kind)> {
        let mut state = Words::new(true, true, false);
        let (mut from, mut to) = (0, 0);
        let mut all = Vec::new();
        while from < text.len() {
            to = (to + piece).min(text.len());
            to = (to..).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
            let len = if to == text.len() { to - from } else { state.settled(&text[from..to], true) };
            let mut hits = Vec::new();
            if len > 0 {
                state.find(&text[from..from + len], &mut hits);
            }
            all.extend(hits.into_iter().map(|hit| (from + hit.at.start, hit.at.len(), hit.kind)));
            from += len;
        }
        all
    }

    #[test]
    fn any_pieces_find_the_same() {
        let long = "a".repeat(300) + "я";
        let spaces = " ".repeat(1100);
        // Cyrillic words that look like ASCII.
        let (so, copy) = ("\u{441}\u{43E}", "\u{441}\u{43E}\u{440}\u{443}");
        let text = format!(
            "p\u{430}ypal \\nДа {copy} = copy; {long} {long} \u{430}{long}\nx\nx\n\
             {so}{spaces}я\n{so} и\n\n{so}\n\na\n{so}\nЯndex k\u{3A9} \u{3B1}"
        );
        let whole = found(&text, text.len());
        let kinds: Vec<_> = whole.iter().map(|&(at, len, kind)| (&text[at..at + len], kind.code())).collect();
        // One word is too far before a letter that is certainly Cyrillic, one too far after; the others are near.
        let want = [
            ("p\u{430}ypal", "confusable"),
            (so, "confusable"),
            (so, "confusable"),
            ("Яndex", "mixed-script"),
        ];
        assert_eq!(kinds, want);
        for piece in (1..200).chain([500, 999, 1023, 1024, 1025, 2000, 2500]) {
            assert_eq!(found(&text, piece), whole, "{piece}");
        }
    }

    #[test]
    fn escapes_and_directives_end_before_a_word() {
        for text in [
            "\"\\nДа\"",
            "%1fмиллион",
            "%(value)sквадрилион",
            "%(value).1fмиллион",
            "%dсимвол",
            "\\u00a0хочу",
            "\\x20хочу",
            "\\U000000a0хочу",
            "%5.2fрублей",
            "%3$sрублей",
            "%'dрублей",
            "%12$dрублей",
            "\\fBЈЕЗИК",
            "\\fIрежиму",
        ] {
            assert_eq!(found(text, text.len()), [], "{text}");
            for piece in 1..text.len() {
                assert_eq!(found(text, piece), [], "{text} in pieces of {piece}");
            }
        }
        // Words of two scripts are found after escapes, too.
        assert_eq!(found("\\nЯndex", 100).len(), 1);
        assert_eq!(found("\\u00a0p\u{430}ypal", 100).len(), 1);
    }

    #[test]
    fn lists_of_characters_are_no_words() {
        let list = "\u{AA}\u{C0}-\u{D6}\u{370}-\u{373}\u{48A}-\u{52F}\u{531}-\u{556}\u{5D0}-\u{5EA}\u{620}-\u{64A}\u{52F}\u{531}";
        let whole = found(list, list.len());
        assert!(whole.len() <= 1, "{whole:?}");
        for piece in 1..list.len() {
            assert_eq!(found(list, piece), whole, "{piece}");
        }
    }

    #[test]
    fn a_text_shows_its_scripts() {
        let catalog = "msgid \"x\"\nmsgstr \"ещё\"\n\n".repeat(10) + "msgid \"Mass\"\nmsgstr \"Маса\"\n";
        for (is_prose, count) in [(true, 0), (false, 1)] {
            let mut state = Words::new(true, true, is_prose);
            let mut hits = Vec::new();
            state.find(&catalog, &mut hits);
            assert_eq!(hits.len(), count);
        }
        let mut hits = Vec::new();
        Words::new(true, true, true).find("URLны", &mut hits);
        assert_eq!(hits, []);
        Words::new(true, true, true).find("R\u{133}nders", &mut hits);
        assert_eq!(hits, []);
        Words::new(true, true, false).find("R\u{133}nders", &mut hits);
        assert_eq!(hits.len(), 1);
    }
}
