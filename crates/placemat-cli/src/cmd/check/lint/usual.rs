//! Code points that are usual where they stand: in lists of characters, in texts of many scripts, in translations, and in
//! formats with overstrikes. The group `security` leaves them out; a lint that is asked for by its name finds them all.
//!
//! | finding | usual |
//! | --- | --- |
//! | words | in text of four scripts and more, if they have fewer than three letters of ASCII, but not in code |
//! | words | all of the script of the language that the path names, as in `locale/ru/`, but not in code |
//! | words | of Latin and the ligatures of Dutch, but not in code |
//! | words of mixed scripts | compounds such as `base64строка`, and accents that show the stress, but not in code |
//! | U+200B | on a line in a script without spaces, but not in code |
//! | invisible code points | in a run of letters of four scripts without a space: a list of characters |
//! | controls | overstrikes, and information separators alone on their line, in text for people |

use super::kind::{Hit, Kind};
use crate::unseen::invisible::has_no_spaces;
use std::path::Path;
use unicode_script::{Script, UnicodeScript as _};

/// A text that has shown this many groups of scripts is a table of languages or a test of Unicode.
const MIN_GROUPS: u32 = 4;
/// A word with this many letters of ASCII can be taken for a word of ASCII in any text.
const MIN_ASCII_LETTERS: usize = 3;
/// A part of a word with this many letters is read as a word of its own.
const MIN_RUN_LETTERS: usize = 3;
/// The number of bytes before and after a code point that are examined on its line.
const AROUND_BYTES: usize = 128;

/// Folders that contain translations.
const FOLDERS: [&str; 15] = [
    "i18n",
    "intl",
    "l10n",
    "localization",
    "localizations",
    "lang",
    "langs",
    "language",
    "languages",
    "lc_messages",
    "locale",
    "locales",
    "po",
    "translation",
    "translations",
];

/// Languages, by their codes in paths, that are written in a script whose letters look like ASCII.
const LANGUAGES: [(Script, &str); 4] = [
    (
        Script::Cyrillic,
        "ab av ba be bg bua ce chm crh cv kaa kbd kk krc kv ky lez mdf mhr mk mn mrj myv os ru sah sr tg tk tt tyv udm uk uz \
         xal",
    ),
    (Script::Greek, "el gr grc"),
    (Script::Armenian, "hy"),
    (Script::Georgian, "ka"),
];

/// Returns the script of the language that the path of a translation names.
pub(super) fn script_of_path(path: &Path) -> Option<Script> {
    let parts: Vec<String> =
        path.components().map(|part| part.as_os_str().to_string_lossy().to_ascii_lowercase()).collect();
    let (name, folders) = parts.split_last()?;
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let is_catalog = ["po", "pot", "ftl", "xlf", "xliff", "strings", "ts"].contains(&extension);
    let in_folder = folders.iter().rev().take(4).any(|folder| FOLDERS.contains(&folder.as_str()));
    if !is_catalog && !in_folder {
        return None;
    }
    let is_code = |codes: &str, code: &str| codes.split(' ').any(|known| known == code);
    let of = |part: &str| {
        part.split(['.', '_', '-', '@']).find_map(|code| {
            LANGUAGES.iter().find(|(_, codes)| is_code(codes, code)).map(|(script, _)| *script)
        })
    };
    // The file itself, or one of the folders around it.
    of(name).or_else(|| folders.iter().rev().take(3).find_map(|folder| of(folder)))
}

/// The text so far.
#[derive(Debug)]
pub(super) struct Usual {
    /// Whether the text is no source.
    is_prose: bool,
    home: Option<Script>,
    groups: u32,
    /// The end of the part of the piece whose scripts were seen.
    seen: usize,
}

impl Usual {
    pub(super) const fn new(is_prose: bool, home: Option<Script>) -> Self {
        Self { is_prose, home, groups: 0, seen: 0 }
    }

    /// Returns `true` if a finding is usual where it stands. Findings come in order.
    pub(super) fn has(&mut self, text: &str, hit: &Hit, in_code: bool) -> bool {
        let found = &text[hit.at.clone()];
        match hit.kind {
            Kind::Confusable if in_code => self.is_in_pattern(text, hit),
            Kind::Confusable | Kind::MixedScript if !in_code => {
                self.see(text, hit.at.start);
                let ascii = found.bytes().filter(u8::is_ascii_alphabetic).count();
                let is_listed = self.groups.count_ones() >= MIN_GROUPS && ascii < MIN_ASCII_LETTERS;
                let is_home = self.is_home(found);
                let is_dutch =
                    found.chars().all(|c| c.is_ascii_alphabetic() || matches!(c, '\u{132}' | '\u{133}'));
                let is_visible = hit.kind == Kind::MixedScript && (is_compound(found) || is_stressed(found));
                is_listed || is_home || is_dutch || is_visible
            }
            Kind::Invisible => {
                let (before, after) = around(text, hit);
                let is_break = found.chars().all(|c| c == '\u{200B}');
                is_break
                    && !in_code
                    && (before.chars().any(has_no_spaces) || after.chars().any(has_no_spaces))
                    || is_in_list(before, after)
            }
            Kind::Control if self.is_prose => is_of_format(text, hit),
            _ => false,
        }
    }

    /// Returns `true` if a word is all of the script of the language that the path names.
    fn is_home(&self, word: &str) -> bool {
        self.home.is_some_and(|home| word.chars().all(|c| c.is_numeric() || c.script() == home))
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

/// Returns `true` if the text beside a code point is a list of characters: letters of many scripts without a space.
fn is_in_list(before: &str, after: &str) -> bool {
    let before = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let after = after.split(char::is_whitespace).next().unwrap_or_default();
    (groups_of(before) | groups_of(after)).count_ones() >= MIN_GROUPS
}

/// Returns `true` for a word of two parts that are each in one script: `base64строка`, or a Latin word with an ending in
/// another script: `pluginов`. Nobody takes either for a word of ASCII.
fn is_compound(word: &str) -> bool {
    let mut runs: Vec<(bool, usize)> = Vec::new();
    for c in word.chars().filter(|c| c.is_alphabetic()) {
        let is_latin = c.script() == Script::Latin;
        match runs.last_mut() {
            Some((last, count)) if *last == is_latin => *count += 1,
            _ => runs.push((is_latin, 1)),
        }
    }
    let has_ending = matches!(runs[..], [(true, MIN_RUN_LETTERS..), (false, _)]);
    runs.len() > 1 && (has_ending || runs.iter().all(|&(_, count)| count >= MIN_RUN_LETTERS))
}

/// Returns `true` for a word in Cyrillic whose only Latin letters are vowels with an accent, which show the stress: `кôд`.
fn is_stressed(word: &str) -> bool {
    word.chars().all(|c| c.script() == Script::Cyrillic || "áéíóúýàèìòùâêîôûÁÉÍÓÚÝÀÈÌÒÙ".contains(c))
}

/// Returns `true` for an overstrike, such as `_\bx` and `x\bx`, and for the separators of files of Info, also in a patch: an
/// information separator alone on its line, DEL before the offset of a node, and the marks of an index.
fn is_of_format(text: &str, hit: &Hit) -> bool {
    let mut before = text[..hit.at.start].chars().rev();
    let mut after = text[hit.at.end..].chars();
    let (last, next) = (before.next(), after.next());
    match &text[hit.at.clone()] {
        "\x08" if last == Some('\0') => matches!(next, Some('[' | ']')),
        "\x08" => last.is_some() && (last == next || last == Some('_') || next == Some('_')),
        "\0" => ["\x08[", "\x08]"].iter().any(|mark| text[hit.at.end..].starts_with(mark)),
        "\x7F" => {
            let line = text[..hit.at.start].rsplit('\n').next().unwrap_or_default();
            let line = line.trim_start_matches(['+', '-', ' ']);
            let offset = text[hit.at.end..].split('\n').next().unwrap_or_default();
            ["Node: ", "Ref: "].iter().any(|kind| line.starts_with(kind))
                && !offset.is_empty()
                && offset.bytes().all(|byte| byte.is_ascii_digit())
        }
        "\x1C" | "\x1D" | "\x1E" | "\x1F" => {
            let begins = match last {
                None | Some('\n') => true,
                Some('+' | '-' | ' ') => matches!(before.next(), None | Some('\n')),
                _ => false,
            };
            begins && matches!(next, None | Some('\n' | '\r' | '\x0C'))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_translations_name_their_script() {
        for (path, script) in [
            ("a/locale/ru/formats.py", Some(Script::Cyrillic)),
            ("a/locale/ru/LC_MESSAGES/django.po", Some(Script::Cyrillic)),
            ("src/v4/locales/mk.ts", Some(Script::Cyrillic)),
            ("po/el.po", Some(Script::Greek)),
            ("share/translations/app_ru.ts", Some(Script::Cyrillic)),
            ("locale/mn/_lib/localize.js", Some(Script::Cyrillic)),
            ("po/sr@latin.po", Some(Script::Cyrillic)),
            ("i18n/uk_UA.json", Some(Script::Cyrillic)),
            ("lang/hy.yml", Some(Script::Armenian)),
            ("src/os/linux.c", None),
            ("ru/a.c", None),
            ("locale/de/formats.py", None),
            ("locales/en-US.json", None),
            ("el.py", None),
        ] {
            assert_eq!(script_of_path(Path::new(path)), script, "{path}");
        }
    }

    #[test]
    fn overstrikes_and_separators() {
        let is = |text: &str| {
            let at = text.find(|c: char| c.is_control() && c != '\n' && c != '\x0C').expect("there is one");
            is_of_format(text, &Hit { kind: Kind::Control, at: at..at + 1 })
        };
        for text in [
            "x\x08x",
            "_\x08a",
            "a\x08_",
            "a\n\x1F\nb",
            "\x1F",
            "+\x1F\n",
            "a\n \x1F\n",
            "\x1F\x0C\n",
            "\0\x08[index",
            "Node: Top\x7F201\n",
        ] {
            assert!(is(text), "{text:?}");
        }
        for text in [
            "Node: Top\x7Fa\n",
            "a\x7F201\n",
            "\0[",
            "a\x08b",
            "\x08a",
            "a\x1F",
            "a\x1Fb\n",
            "\x1B[0m",
            "\n\x1Fa",
        ] {
            assert!(!is(text), "{text:?}");
        }
    }

    #[test]
    fn words_that_deceive_nobody() {
        for word in ["base64строка", "pluginов", "MMMMын", "прочитатьjson", "URLны"] {
            assert!(is_compound(word), "{word}");
        }
        // Letters of the other script in the middle of a word, or at its start.
        for word in ["аdmin", "Aφγανοί", "пoлe", "Iншыя", "вo", "aйbc", "Достъпeн"] {
            assert!(!is_compound(word), "{word}");
            assert!(!is_stressed(word), "{word}");
        }
        assert!(is_stressed("кôд") && is_stressed("бóльшую") && !is_stressed("бoльшую"));
    }

    #[test]
    fn four_scripts_make_a_list() {
        let mut usual = Usual::new(false, None);
        let text = "ж \u{398} \u{5D0} о \u{E01} 漢 о р\u{430}ypal";
        let of = |word: &str, from: usize| {
            let at = from + text[from..].find(word).expect("it is there");
            Hit { kind: Kind::Confusable, at: at..at + word.len() }
        };
        assert!(!usual.has(text, &of("о", 0), false), "three scripts");
        let later = text.find('漢').expect("it is there");
        assert!(usual.has(text, &of("о", later), false));
        assert!(!usual.has(text, &of("о", later), true), "code");
        assert!(!usual.has(text, &of("р\u{430}ypal", later), false), "most of it is ASCII");
    }
}
