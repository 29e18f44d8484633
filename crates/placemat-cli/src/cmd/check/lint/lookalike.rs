//! The properties of a code point that the lints about words use: its scripts, and the ASCII that it looks like (UTS
//! #39).

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory as _};
use unicode_script::{Script, ScriptExtension, UnicodeScript as _};
use unicode_security::mixed_script::AugmentedScriptSet;
use unicode_security::{GeneralSecurityProfile as _, skeleton};

/// The maximum number of ASCII characters that one code point looks like.
const MAX_LOOKALIKE_CHARS: usize = 4;

/// The properties of a code point above ASCII.
#[derive(Clone, Copy, Debug)]
pub(super) struct Looks {
    pub(super) script: Script,
    /// The scripts that use it, and the writing systems (UTS #39, section 5.1).
    pub(super) scripts: AugmentedScriptSet,
    ascii: [u8; MAX_LOOKALIKE_CHARS],
    len: usize,
    /// Whether the code point is foreign to today's Latin alphabets: it is not Latin, or not a letter in current use.
    pub(super) is_odd: bool,
    pub(super) is_letter: bool,
}

impl Looks {
    pub(super) fn of(c: char) -> Self {
        let scripts = AugmentedScriptSet::for_char(c);
        if let Some(script) = plain(c) {
            return Self {
                script,
                scripts,
                ascii: [0; MAX_LOOKALIKE_CHARS],
                len: 0,
                is_odd: true,
                is_letter: true,
            };
        }
        let mut looks = Self {
            script: c.script(),
            scripts,
            ascii: [0; MAX_LOOKALIKE_CHARS],
            len: 0,
            is_odd: true,
            is_letter: c.is_alphabetic(),
        };
        let latin = looks.script == Script::Latin;
        // The long s occurs in old texts.
        looks.is_odd = !latin || !c.identifier_allowed() && c != 'ſ';
        for part in skeleton(c.encode_utf8(&mut [0; 4])) {
            match u8::try_from(part) {
                Ok(byte) if byte.is_ascii_alphanumeric() && looks.len < MAX_LOOKALIKE_CHARS => {
                    looks.ascii[looks.len] = byte;
                    looks.len += 1;
                }
                _ => {
                    looks.len = 0;
                    break;
                }
            }
        }
        looks
    }

    /// Returns the ASCII letters and digits that the code point looks like; empty if there are none.
    pub(super) fn ascii(&self) -> &str {
        core::str::from_utf8(&self.ascii[..self.len]).unwrap_or_default()
    }

    /// Returns `true` if the code point proves that a text is in its script: a letter that looks like no ASCII.
    pub(super) fn is_telling(&self) -> bool {
        self.len == 0
            && self.is_letter
            && !matches!(self.script, Script::Latin | Script::Common | Script::Inherited)
    }
}

/// Returns the script of frequent letters none of which looks like ASCII.
const fn plain(c: char) -> Option<Script> {
    match c {
        '\u{4E05}' | '\u{4E2B}' => None,
        '\u{4E00}'..='\u{9FFF}' => Some(Script::Han),
        '\u{3041}'..='\u{3096}' => Some(Script::Hiragana),
        '\u{30A1}'..='\u{30FA}' => Some(Script::Katakana),
        '\u{AC00}'..='\u{D7A3}' => Some(Script::Hangul),
        _ => None,
    }
}

/// Returns `true` if a word can contain the code point.
pub(super) fn is_of_words(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric();
    }
    plain(c).is_some() || is_usual(c) || c.is_alphanumeric() || is_joined(c)
}

/// Frequent letters: looking up each of them in the tables of Unicode takes half of the time of the lints about words.
const fn is_usual(c: char) -> bool {
    matches!(c,
        // Latin, Greek, Cyrillic.
        '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}' | '\u{F8}'..='\u{2AF}' | '\u{3A3}'..='\u{3CE}' | '\u{400}'..='\u{481}'
        // Hebrew, Arabic, Devanagari, Thai.
        | '\u{5D0}'..='\u{5EA}' | '\u{620}'..='\u{64A}' | '\u{904}'..='\u{939}' | '\u{E01}'..='\u{E30}')
}

/// Returns `true` if the code point belongs to the one before it, so that no word begins with it.
pub(super) fn is_joined(c: char) -> bool {
    matches!(c, '\u{200C}' | '\u{200D}')
        || !c.is_ascii() && plain(c).is_none() && c.general_category_group() == GeneralCategoryGroup::Mark
}

/// The Greek letters of formulas that look like Latin ones: α, γ, ν, ρ, σ.
pub(super) const fn is_of_formulas(c: char) -> bool {
    matches!(c, 'α' | 'γ' | 'ν' | 'ρ' | 'σ')
}

/// The scripts of a word, collected letter by letter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Together {
    all: AugmentedScriptSet,
    without_latin: AugmentedScriptSet,
}

impl Together {
    pub(super) fn new() -> Self {
        Self { all: AugmentedScriptSet::default(), without_latin: AugmentedScriptSet::default() }
    }

    pub(super) fn add(&mut self, scripts: AugmentedScriptSet) {
        self.all.intersect_with(scripts);
        if !scripts.base.contains_script(Script::Latin) {
            self.without_latin.intersect_with(scripts);
        }
    }

    /// Returns `true` if the scripts are written together: one script or writing system, or one and Latin, unless it
    /// is Cyrillic or Greek (UTS #39, section 5.2: up to moderately restrictive).
    pub(super) fn are_at_home(&self) -> bool {
        let rest = &self.without_latin;
        if !self.all.is_empty() || rest.kore || rest.hanb || rest.jpan {
            return true;
        }
        let mut scripts = rest.base.iter();
        match (scripts.next(), scripts.next()) {
            (Some(one), None) => one.is_recommended() && !matches!(one, Script::Cyrillic | Script::Greek),
            _ => false,
        }
    }
}

/// In ASCII, letters are Latin, and digits are common to all scripts.
pub(super) fn of_ascii(c: char) -> AugmentedScriptSet {
    let script = if c.is_ascii_alphabetic() { Script::Latin } else { Script::Common };
    ScriptExtension::from(script).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_letters_look_like_no_ascii() {
        for c in ('\u{80}'..=char::MAX).filter(|&c| plain(c).is_some()) {
            assert_eq!(plain(c), Some(c.script()), "{c}");
            let looks: String = skeleton(c.encode_utf8(&mut [0; 4])).collect();
            assert!(!looks.chars().all(|c| c.is_ascii_alphanumeric()), "{c}");
            assert!(c.is_alphabetic());
        }
    }

    #[test]
    fn usual_letters_are_letters() {
        assert!((char::MIN..=char::MAX).filter(|&c| is_usual(c)).all(char::is_alphabetic));
    }

    #[test]
    fn what_code_points_look_like() {
        for (c, ascii, is_odd) in [
            ('а', "a", true),
            ('ο', "o", true),
            ('ӏ', "l", true),
            ('ɡ', "g", true),
            ('ａ', "a", true),
            ('ı', "i", false),
            ('æ', "ae", false),
            ('ſ', "f", false),
            ('é', "", false),
            ('я', "", true),
            ('й', "", true),
            ('日', "", true),
        ] {
            let looks = Looks::of(c);
            assert_eq!((looks.ascii(), looks.is_odd), (ascii, is_odd), "{c}");
        }
    }
}
