//! Code points that are usual where they stand: in lists of characters, in texts of many scripts, in translations, and in
//! formats with overstrikes. The group `security` leaves them out; a lint that is asked for by its name finds them all.
//!
//! | finding | usual |
//! | --- | --- |
//! | words | in text of four scripts and more, if they have fewer than three letters of ASCII, but not in code |
//! | words | all of the script of the language that the path names, as in `locale/ru/`, but not in code |
//! | words | of Latin and its ligatures and clicks, and of fewer than four letters without ASCII, but not in code |
//! | words | in classes and choices of regular expressions, and choices of letters (`[nNнН]`), but not in code |
//! | words of mixed scripts | whose spelling deceives nobody, as [`spelling`] judges, but not in code |
//! | U+200B, U+200C, U+200D | on a line in a script that needs them, but not in code; U+200B also between letters that join |
//! | U+00AD | within a word of a translation or of text for people |
//! | invisible code points | beside spaces beyond ASCII: a list of spaces; as all of a string; beside their neighbor in Unicode |
//! | invisible code points | in a run of letters of four scripts without a space, or in a class: a list of characters |
//! | invisible code points, controls | on a line with their number: `0x200b` |
//! | controls | between quotation marks, in a row of such |
//! | all | near ill-formed sequences in data |
//! | all but bidi controls | in the data of tests |
//! | words of mixed scripts, invisible code points | in strings and comments of tests |
//! | words with fewer than three letters of ASCII, controls other than ESC | in tests |
//! | controls | U+0001..U+0006, U+0010..U+0019, U+001C..U+001F, which no terminal obeys, in text for people |
//! | ESC | of a color beside a quotation mark, and of ISO-2022-JP |
//! | U+2014 | between spaces |
//! | a small Greek letter | alone or with digits, as in formulas, but not omicron |
//! | U+FE0E, U+FE0F | repeated after an emoji |
//! | BEL | as a delimiter: several on a line |
//! | controls | overstrikes, in text for people |
//! | controls | beside their neighbor in Unicode, among many others on a line, in classes, and as all of a string |
//! | bidi controls | closed on their line, in translations to languages that are written from right to left, but not in code |

use super::kind::{Hit, Kind};
use super::role::Role;
use super::spelling;
use crate::unseen::invisible::{has_no_spaces, shows_nothing};
use unicode_script::UnicodeScript as _;

/// A text that has shown this many groups of scripts is a table of languages or a test of Unicode.
const MIN_GROUPS: u32 = 4;
/// A word with this many letters of ASCII can be taken for a word of ASCII in any text.
const MIN_ASCII_LETTERS: usize = 3;
/// Ranges of characters without a space, from this number on, are a class even if its brackets are far away.
const MANY_RANGES: usize = 4;
/// An ill-formed sequence at most this many bytes before a finding is near.
const MAX_DAMAGE_DISTANCE_BYTES: usize = 64;
/// A text with this many ill-formed sequences is damaged, or it is no text.
const MIN_DAMAGES: u32 = 3;
/// A line with this many different controls near a finding has binary data, and so has one with twice as many.
const MIN_BINARY_CONTROLS: usize = 6;
/// The number of bytes before and after a code point that are examined on its line.
const AROUND_BYTES: usize = 128;

/// The text so far.
#[derive(Debug)]
pub(super) struct Usual {
    /// Whether the text is no source.
    is_prose: bool,
    role: Role,
    /// The number of ill-formed sequences so far.
    damages: u32,
    /// Whether an ill-formed sequence precedes the piece.
    is_after_damage: bool,
    groups: u32,
    /// The end of the part of the piece whose scripts were seen.
    seen: usize,
}

impl Usual {
    pub(super) const fn new(is_prose: bool, role: Role) -> Self {
        Self { is_prose, role, damages: 0, is_after_damage: false, groups: 0, seen: 0 }
    }

    /// An ill-formed sequence stands here.
    pub(super) const fn interrupted(&mut self) {
        self.damages = self.damages.saturating_add(1);
        self.is_after_damage = true;
    }

    /// Returns `true` if a finding is usual where it stands. Findings come in order.
    pub(super) fn has(&mut self, text: &str, hit: &Hit, in_code: bool) -> bool {
        let found = &text[hit.at.clone()];
        let is_near_damage =
            self.is_after_damage && hit.at.start < MAX_DAMAGE_DISTANCE_BYTES && self.damages >= MIN_DAMAGES;
        if self.role.is_data && is_near_damage {
            return true;
        }
        let is_bidi = matches!(hit.kind, Kind::BidiControl | Kind::BidiUnterminated(_));
        let is_usual = || self.role.is_data || is_usual_in_tests(found, hit.kind, in_code);
        if self.role.tests && !is_bidi && is_usual() {
            return true;
        }
        match hit.kind {
            // One that is still open at the end of its line is a finding there.
            Kind::BidiControl => self.role.is_rtl && !in_code,
            Kind::Confusable if is_symbol(found) => true,
            Kind::Confusable if in_code => self.is_in_pattern(text, hit),
            Kind::Confusable | Kind::MixedScript if !in_code => {
                self.see(text, hit.at.start);
                let ascii = found.bytes().filter(u8::is_ascii_alphabetic).count();
                let is_listed = self.groups.count_ones() >= MIN_GROUPS && ascii < MIN_ASCII_LETTERS;
                is_listed
                    || self.is_home(found)
                    || is_in_class(text, hit)
                    || spelling::is_choice(found)
                    || self.is_spelled_so(found, hit.kind)
            }
            Kind::Invisible => self.is_usual_invisible(text, hit, in_code),
            Kind::Control => self.is_usual_control(text, hit),
            // A dash of prose; the dash that looks like a minus is shorter.
            Kind::Lookalike => {
                let (before, after) = around(text, hit);
                found == "\u{2014}" && before.ends_with(' ') && after.starts_with(' ')
            }
            _ => false,
        }
    }

    /// Returns `true` for a word whose spelling deceives nobody.
    fn is_spelled_so(&self, word: &str, kind: Kind) -> bool {
        let home = self.role.home;
        if kind == Kind::Confusable {
            return spelling::is_short_or_latin(word)
                || spelling::is_date_pattern(word)
                || home.is_some_and(|home| spelling::is_inflected(word, home));
        }
        spelling::is_compound(word, home)
            || spelling::is_stressed(word)
            || spelling::is_quantity(word)
            || spelling::is_date_pattern(word)
            || spelling::is_visibly_mixed(word)
    }

    /// Returns `true` for controls in tables, as values of strings, and in formats.
    fn is_usual_control(&self, text: &str, hit: &Hit) -> bool {
        let found = &text[hit.at.clone()];
        // Terminals obey these two wherever they are.
        if !matches!(found, "\x1B" | "\x08") && (is_whole_string(text, hit) || is_in_class(text, hit)) {
            return true;
        }
        is_mentioned(text, hit)
            || is_in_row(text, hit)
            || is_in_table(text, hit)
            || is_in_binary(text, hit)
            || found == "\x07" && is_delimiter(text, hit)
            || found == "\x1B" && (is_color(text, hit) || is_of_iso_2022_jp(text, hit))
            || self.is_prose && (is_mark_of_format(found) || is_overstrike(text, hit))
    }

    /// Returns `true` for invisible code points in lists, beside their number, and where a script needs them.
    fn is_usual_invisible(&self, text: &str, hit: &Hit, in_code: bool) -> bool {
        let (before, after) = around(text, hit);
        let found = &text[hit.at.clone()];
        let is_all = |known: &[char]| found.chars().all(|c| known.contains(&c));
        let beside = |is: fn(char) -> bool| before.chars().any(is) || after.chars().any(is);
        if is_in_list(before, after)
            || is_among_spaces(before, after)
            || is_whole_string(text, hit)
            || is_in_table(text, hit)
            || is_in_binary(text, hit)
            || is_all(&['\u{AD}']) && is_in_page(before, after)
            || is_in_class(text, hit)
            || is_mentioned(text, hit)
        {
            return true;
        }
        // Emoji take one selector; a second one of the same kind is a slip of an editor.
        if matches!(found, "\u{FE0E}" | "\u{FE0F}" | "\u{FE0E}\u{FE0E}" | "\u{FE0F}\u{FE0F}")
            && before.ends_with(['\u{FE0E}', '\u{FE0F}'])
        {
            return true;
        }
        let in_word = before.ends_with(char::is_alphabetic) && after.starts_with(char::is_alphabetic);
        !in_code
            && (is_all(&['\u{200B}'])
                && (beside(has_no_spaces) || before.ends_with(is_joining) || after.starts_with(is_joining))
                || is_all(&['\u{180B}', '\u{180C}', '\u{180D}', '\u{180E}']) && beside(is_mongolian)
                || is_all(&['\u{200C}', '\u{200D}']) && beside(is_joining)
                || is_all(&['\u{AD}']) && in_word && (self.role.translates || self.is_prose))
    }

    /// Returns `true` if a word is all of the script of the language that the path names.
    fn is_home(&self, word: &str) -> bool {
        self.role.home.is_some_and(|home| word.chars().all(|c| c.is_numeric() || c.script() == home))
    }

    /// Returns `true` if a word of a translation stands beside an operator of regular expressions, which are code.
    fn is_in_pattern(&self, text: &str, hit: &Hit) -> bool {
        let is_operator = |c: Option<char>| matches!(c, Some('/' | '|' | '^'));
        self.is_home(&text[hit.at.clone()])
            && (is_operator(text[..hit.at.start].chars().next_back())
                || is_operator(text[hit.at.end..].chars().next()))
    }

    /// Sees the scripts of the rest of a piece.
    pub(super) fn end_piece(&mut self, text: &str) {
        self.see(text, text.len());
        self.seen = 0;
        self.is_after_damage = false;
    }

    fn see(&mut self, text: &str, to: usize) {
        if self.groups.count_ones() < MIN_GROUPS
            && to > self.seen
            && !text.as_bytes()[self.seen..to].is_ascii()
        {
            self.groups |= groups_of(&text[self.seen..to]);
        }
        self.seen = self.seen.max(to);
    }
}

/// Returns the groups of scripts of the letters of a text, a bit each. Latin is in no group.
fn groups_of(text: &str) -> u32 {
    text.chars().filter(|&c| c >= '\u{370}').fold(0, |groups, c| groups | group(c))
}

/// Returns the bit of the group of scripts whose blocks have a code point. The scripts of Chinese and Japanese are one group, and
/// so are those of India.
const fn group(c: char) -> u32 {
    let number = match c {
        '\u{370}'..='\u{3FF}' | '\u{1F00}'..='\u{1FFF}' => 0,
        '\u{400}'..='\u{52F}' => 1,
        '\u{530}'..='\u{58F}' => 2,
        '\u{590}'..='\u{5FF}' => 3,
        '\u{600}'..='\u{6FF}' | '\u{750}'..='\u{77F}' => 4,
        '\u{700}'..='\u{74F}' => 5,
        '\u{900}'..='\u{DFF}' => 6,
        '\u{E00}'..='\u{E7F}' => 7,
        '\u{E80}'..='\u{EFF}' => 8,
        '\u{F00}'..='\u{FFF}' => 9,
        '\u{1000}'..='\u{109F}' => 10,
        '\u{10A0}'..='\u{10FF}' => 11,
        '\u{1100}'..='\u{11FF}' | '\u{3130}'..='\u{318F}' | '\u{AC00}'..='\u{D7A3}' => 12,
        '\u{1200}'..='\u{139F}' => 13,
        '\u{13A0}'..='\u{13FF}' => 14,
        '\u{1400}'..='\u{167F}' => 15,
        '\u{1780}'..='\u{17FF}' => 16,
        '\u{1800}'..='\u{18AF}' => 17,
        '\u{3040}'..='\u{312F}' | '\u{3400}'..='\u{9FFF}' => 18,
        '\u{A4D0}'..='\u{ABFF}' => 19,
        '\u{10000}'..='\u{16FFF}' => 20,
        _ => return 0,
    };
    1 << number
}

/// Returns the text around a finding, on its line.
fn around<'a>(text: &'a str, hit: &Hit) -> (&'a str, &'a str) {
    let from = placemat::utf8::floor_boundary(text.as_bytes(), hit.at.start.saturating_sub(AROUND_BYTES));
    let to = placemat::utf8::floor_boundary(text.as_bytes(), text.len().min(hit.at.end + AROUND_BYTES));
    let (before, after) = (&text[from..hit.at.start], &text[hit.at.end..to.max(hit.at.end)]);
    (before.rsplit('\n').next().unwrap_or_default(), after.split('\n').next().unwrap_or_default())
}

/// Returns `true` for findings that tests need: words with few letters of ASCII; in strings and comments, all words of several
/// scripts and invisible code points; and controls that do not begin a command to a terminal.
fn is_usual_in_tests(found: &str, kind: Kind, in_code: bool) -> bool {
    let ascii = || found.bytes().filter(u8::is_ascii_alphabetic).count();
    match kind {
        Kind::MixedScript | Kind::Confusable if ascii() < MIN_ASCII_LETTERS => true,
        Kind::MixedScript | Kind::Invisible => !in_code,
        Kind::Control => found != "\x1B",
        _ => false,
    }
}

/// Returns `true` for the ESC beside a quotation mark that only sets colors, and hides nothing: `'\x1B[0;31m'`.
fn is_color(text: &str, hit: &Hit) -> bool {
    let (before, after) = around(text, hit);
    let Some((numbers, after)) = after.strip_prefix('[').and_then(|after| after.split_once('m')) else {
        return false;
    };
    // Those that hide text, or give it the color of its background, are not among them.
    let is_plain = |number: &str| {
        matches!(number, "" | "0" | "00" | "1" | "01" | "3" | "4" | "7" | "22" | "24" | "27" | "39")
    };
    let is_front = |number: &str| number.len() == 2 && number.starts_with(['3', '9']);
    let is_quote = |c: char| matches!(c, '\'' | '"' | '`' | '‘' | '’' | '“' | '”');
    (before.ends_with(is_quote) || after.starts_with(is_quote))
        && numbers.split(';').all(|number| is_plain(number) || is_front(number))
}

/// Returns `true` for an ESC that begins or ends Japanese in ISO-2022-JP, which is ASCII to a terminal for UTF-8.
fn is_of_iso_2022_jp(text: &str, hit: &Hit) -> bool {
    let after = &text[hit.at.end..];
    ["$B", "$@", "(B", "(J", "(I", "$(D"].iter().any(|set| after.starts_with(set))
}

/// Returns `true` for the name of a value in a formula: a small Greek letter, perhaps with digits. Omicron is not among them.
fn is_symbol(word: &str) -> bool {
    let mut chars = word.chars();
    chars.next().is_some_and(|c| matches!(c, 'α'..='ξ' | 'π'..='ω')) && chars.all(|c| c.is_ascii_digit())
}

const fn is_mongolian(c: char) -> bool {
    matches!(c, '\u{1800}'..='\u{18AF}')
}

/// Returns `true` for a letter of a script that joins and separates letters by U+200C and U+200D.
const fn is_joining(c: char) -> bool {
    matches!(c, '\u{600}'..='\u{7BF}' | '\u{840}'..='\u{DFF}' | '\u{1780}'..='\u{18AF}')
}

/// Returns `true` if the number of an invisible code point or a control stands on its line, as in a table or in documentation:
/// `0x200b`, `U+200B`, `\u200b`, `\x1b`.
fn is_mentioned(text: &str, hit: &Hit) -> bool {
    let (before, after) = around(text, hit);
    let Some(c) = text[hit.at.clone()].chars().next() else { return false };
    let number = format!("{:x}", u32::from(c));
    let is_in = |text: &str| {
        let text = text.to_ascii_lowercase();
        text.match_indices(&number).any(|(at, _)| {
            let start = text[..at].trim_end_matches('0');
            let is_whole = !text[at + number.len()..].starts_with(|c: char| c.is_ascii_hexdigit());
            is_whole && ["x", "u+", "\\u", "\\u{"].iter().any(|prefix| start.ends_with(prefix))
        })
    };
    is_in(before) || is_in(after)
}

/// Returns `true` within a class of characters or a choice of a regular expression: `[A-Za-zА-Яа-я]`, `(Вx|Сx)`.
fn is_in_class(text: &str, hit: &Hit) -> bool {
    let (before, after) = around(text, hit);
    if before.ends_with(['|', '^'])
        || after.starts_with('|')
        || before.ends_with('[') && after.starts_with(']')
    {
        return true;
    }
    // A class of punctuation may have spaces; a word has none.
    let is_word = !matches!(hit.kind, Kind::Invisible | Kind::Control);
    let part = |c: char| is_word && c.is_whitespace();
    let before = before.rsplit(part).next().unwrap_or_default();
    let after = after.split(part).next().unwrap_or_default();
    let opens = before.rfind('[') > before.rfind(']');
    let closes = after.find(']').is_some_and(|close| !is_word || !after[..close].contains('['));
    let ranges = ranges(before) + ranges(after);
    ranges >= MANY_RANGES
        || opens && closes && (before.ends_with('-') || after.starts_with('-') || ranges > 1)
}

/// Returns `true` for a control that delimits parts of its line: there are two and more.
fn is_delimiter(text: &str, hit: &Hit) -> bool {
    let (before, after) = around(text, hit);
    let control = &text[hit.at.clone()];
    before.contains(control) || after.contains(control)
}

/// Returns `true` for a finding that is all of a string: a value that the program means. The quotation marks may be escaped.
fn is_whole_string(text: &str, hit: &Hit) -> bool {
    let (before, after) = around(text, hit);
    let after = after.strip_prefix('\\').unwrap_or(after);
    ['"', '\'', '`'].into_iter().any(|quote| before.ends_with(quote) && after.starts_with(quote))
}

/// Returns `true` for a code point beside the one before or after it in Unicode, one of which is not ASCII: a table.
fn is_in_table(text: &str, hit: &Hit) -> bool {
    let (before, after) = around(text, hit);
    let number = |c: Option<char>| c.map(u32::from);
    let Some(own) = number(text[hit.at.clone()].chars().next()) else { return false };
    own >= 0x7F
        && (number(before.chars().next_back()) == Some(own - 1)
            || number(after.chars().next()) == Some(own + 1))
}

/// Returns `true` if a line has many controls near the finding: binary data in a string. Commands to a terminal may be many.
fn is_in_binary(text: &str, hit: &Hit) -> bool {
    let (before, after) = around(text, hit);
    let (mut seen, mut count) = (Vec::new(), 0);
    for c in before.chars().chain(after.chars()).filter(|&c| c.is_control() && c != '\t' && c != '\r') {
        if !seen.contains(&c) {
            seen.push(c);
        }
        count += usize::from(c != '\x1B');
    }
    seen.len() >= MIN_BINARY_CONTROLS || count >= 2 * MIN_BINARY_CONTROLS
}

/// Returns `true` for a soft hyphen between characters that are not ASCII, and not both letters: the table of a code page.
fn is_in_page(before: &str, after: &str) -> bool {
    match (before.chars().next_back(), after.chars().next()) {
        (Some(a), Some(b)) => !(a.is_ascii() || b.is_ascii() || a.is_alphabetic() && b.is_alphabetic()),
        _ => false,
    }
}

/// Returns `true` for a control between quotation marks, in a row of others: a table.
fn is_in_row(text: &str, hit: &Hit) -> bool {
    let (before, after) = around(text, hit);
    let is_quote = |c: char| matches!(c, '"' | '\'' | '`');
    let (Some(before), Some(after)) = (before.strip_suffix(is_quote), after.strip_prefix(is_quote)) else {
        return false;
    };
    let separators = [',', ' '];
    let (before_last, after_next) =
        (before.trim_end_matches(separators), after.trim_start_matches(separators));
    before_last.len() < before.len() && before_last.ends_with(is_quote)
        || after_next.len() < after.len() && after_next.starts_with(is_quote)
}

/// Returns the number of ranges of characters in a text, such as `А-Я`.
fn ranges(text: &str) -> usize {
    let chars: Vec<char> = text.chars().collect();
    let ends = |c: char| c.is_ascii_alphanumeric() || !c.is_ascii();
    let is_range = |three: &&[char]| three[1] == '-' && ends(three[0]) && three[2] > three[0];
    chars.windows(3).filter(is_range).count()
}

/// Returns `true` if the text beside a code point is a list of characters: letters of many scripts without a space.
fn is_in_list(before: &str, after: &str) -> bool {
    let before = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let after = after.split(char::is_whitespace).next().unwrap_or_default();
    (groups_of(before) | groups_of(after)).count_ones() >= MIN_GROUPS
}

/// Returns `true` if the text beside an invisible code point is a list of such code points and of spaces.
fn is_among_spaces(before: &str, after: &str) -> bool {
    let is_space = |c: &char| !c.is_ascii() && (c.is_whitespace() || shows_nothing(*c));
    before
        .chars()
        .rev()
        .take_while(is_space)
        .chain(after.chars().take_while(is_space))
        .any(char::is_whitespace)
}

/// Returns `true` for a control that formats of text use as a mark or a separator, and that no terminal obeys.
const fn is_mark_of_format(found: &str) -> bool {
    matches!(found.as_bytes(), [0x01..=0x06 | 0x10..=0x19 | 0x1C..=0x1F])
}

/// Returns `true` for an overstrike, such as `_\bx`, `x\bx` and `+\bo`, and for the marks of files of Info: DEL before the
/// offset of a node, and the marks of an index.
fn is_overstrike(text: &str, hit: &Hit) -> bool {
    let last = text[..hit.at.start].chars().next_back();
    let next = text[hit.at.end..].chars().next();
    match &text[hit.at.clone()] {
        "\x08" if last == Some('\0') => matches!(next, Some('[' | ']')),
        "\x08" => {
            last.is_some()
                && (last == next
                    || [last, next].contains(&Some('_'))
                    || (last, next) == (Some('+'), Some('o')))
        }
        "\0" => ["\x08[", "\x08]"].iter().any(|mark| text[hit.at.end..].starts_with(mark)),
        "\x7F" => {
            let line = text[..hit.at.start].rsplit('\n').next().unwrap_or_default();
            let line = line.trim_start_matches(['+', '-', ' ']);
            let offset = text[hit.at.end..].split('\n').next().unwrap_or_default();
            ["Node: ", "Ref: "].iter().any(|kind| line.starts_with(kind))
                && !offset.is_empty()
                && offset.bytes().all(|byte| byte.is_ascii_digit())
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overstrikes_and_marks_of_info() {
        let is = |text: &str| {
            let at = text.find(|c: char| c.is_control() && c != '\n' && c != '\x0C').expect("there is one");
            is_overstrike(text, &Hit { kind: Kind::Control, at: at..at + 1 })
        };
        for text in ["x\x08x", "_\x08a", "a\x08_", "+\x08o", "\0\x08[index", "Node: Top\x7F201\n"] {
            assert!(is(text), "{text:?}");
        }
        for text in ["Node: Top\x7Fa\n", "a\x7F201\n", "\0[", "a\x08b", "\x08a", "\x1B[0m"] {
            assert!(!is(text), "{text:?}");
        }
    }

    #[test]
    fn four_scripts_make_a_list() {
        let mut usual = Usual::new(false, Role::default());
        let text = "ж \u{398} \u{5D0} сосо \u{E01} 漢 сосо р\u{430}ypal";
        let of = |word: &str, from: usize| {
            let at = from + text[from..].find(word).expect("it is there");
            Hit { kind: Kind::Confusable, at: at..at + word.len() }
        };
        assert!(!usual.has(text, &of("сосо", 0), false), "three scripts");
        let later = text.find('漢').expect("it is there");
        assert!(usual.has(text, &of("сосо", later), false));
        assert!(!usual.has(text, &of("сосо", later), true), "code");
        assert!(!usual.has(text, &of("р\u{430}ypal", later), false), "most of it is ASCII");
    }
}
