//! Code points as the language model sees them: folded to what a language writes, and sorted into classes.
//!
//! Folding leaves out the differences that no language makes (case, white space, digits, half width). `Case` is a factor
//! of its own in the model. A code point outside the alphabet of a language counts as its [`script`]: Greek letters in
//! Polish are as improbable as one another.

/// The number of scripts of [`script`].
pub(crate) const SCRIPTS: usize = 24;

/// The script of controls that belong to no text.
pub(crate) const CONTROLS: u8 = 1;
/// The script of U+0080..U+009F.
pub(crate) const C1: u8 = 2;
/// The script of symbols and punctuation of Latin pages.
pub(crate) const SYMBOLS: u8 = 3;
/// The script of Latin letters.
pub(crate) const LATIN: u8 = 4;
/// The script of combining marks.
pub(crate) const MARKS: u8 = 5;
/// The script of box-drawing and block elements.
pub(crate) const BOXES: u8 = 16;
/// The script of symbols that belong to no page of text, and of scripts without legacy encodings.
pub(crate) const OTHER: u8 = 17;
/// The script of ideographs. Each has a probability of its own within it.
pub(crate) const IDEOGRAPHS: u8 = 21;
/// The script of Hangul syllables. Each has a probability of its own within it.
pub(crate) const HANGUL: u8 = 22;
/// The script of private-use code points, and of code points that are not text.
pub(crate) const PRIVATE: u8 = 23;

/// Returns the script of `c`: a group of code points that are alike to a language that writes none of them.
pub(crate) const fn script(c: u32) -> u8 {
    match c {
        0..=0x08 | 0x0B | 0x0C | 0x0E..=0x1F | 0x7F => CONTROLS,
        0x41..=0x5A | 0x61..=0x7A => LATIN,
        0..=0x7F => 0,
        0x80..=0x9F => C1,
        0xD7 | 0xF7 | 0xA0..=0xBF | 0x2B0..=0x2FF => SYMBOLS,
        0xC0..=0x2AF | 0x1E00..=0x1EFF => LATIN,
        0x300..=0x36F => MARKS,
        0x370..=0x3FF | 0x1F00..=0x1FFF => 6,
        0x400..=0x52F => 7,
        0x530..=0x58F | 0x10A0..=0x10FF => 8,
        0x590..=0x5FF | 0xFB1D..=0xFB4F => 9,
        0x600..=0x6FF | 0x750..=0x77F => 10,
        0xFB50..=0xFDFF | 0xFE70..=0xFEFE => 11,
        0xE00..=0xE7F => 12,
        0x900..=0xDFF | 0xE80..=0x109F | 0x1200..=0x18AF => 13,
        0x2010..=0x2027 | 0x2030..=0x205E | 0x2070..=0x24FF => SYMBOLS,
        0x2500..=0x25FF => BOXES,
        0x2600..=0x2BFF => OTHER,
        0x3000..=0x303F => 18,
        0x3040..=0x30FF | 0x31F0..=0x31FF => 19,
        0x1100..=0x11FF | 0x3100..=0x318F | 0xFF00..=0xFFEF => 20,
        0x3400..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF => IDEOGRAPHS,
        0xAC00..=0xD7A3 => HANGUL,
        0xE000..=0xF8FF | 0xFFF0..=0xFFFF | 0xF0000.. => PRIVATE,
        _ => OTHER,
    }
}

/// The full-width kana of U+FF66..U+FF9D.
const FULL_WIDTH: [u16; 56] = [
    0x30F2, 0x30A1, 0x30A3, 0x30A5, 0x30A7, 0x30A9, 0x30E3, 0x30E5, 0x30E7, 0x30C3, 0x30FC, 0x30A2, 0x30A4,
    0x30A6, 0x30A8, 0x30AA, 0x30AB, 0x30AD, 0x30AF, 0x30B1, 0x30B3, 0x30B5, 0x30B7, 0x30B9, 0x30BB, 0x30BD,
    0x30BF, 0x30C1, 0x30C4, 0x30C6, 0x30C8, 0x30CA, 0x30CB, 0x30CC, 0x30CD, 0x30CE, 0x30CF, 0x30D2, 0x30D5,
    0x30D8, 0x30DB, 0x30DE, 0x30DF, 0x30E0, 0x30E1, 0x30E2, 0x30E4, 0x30E6, 0x30E8, 0x30E9, 0x30EA, 0x30EB,
    0x30EC, 0x30ED, 0x30EF, 0x30F3,
];

/// Returns the one code point that represents all of its kind: white space, digits, the marks that end a
/// sentence, other ASCII punctuation; letters in lower case; Romanian letters with comma below;
/// Arabic yeh and kaf; full-width kana.
pub(crate) fn fold(c: u32) -> u32 {
    match c {
        0x09 | 0x0A | 0x0D | 0x20 | 0x85 | 0x2028 | 0x3000 => 0x20,
        0x30..=0x39 => 0x30,
        0x15E | 0x15F => 0x219,
        0x162 | 0x163 => 0x21B,
        0x649 | 0x6CC => 0x64A,
        0x6A9 => 0x643,
        0x21 | 0x3F => 0x2E,
        0x22..=0x26 | 0x28..=0x2B | 0x2F | 0x3C..=0x3E | 0x40 | 0x5B..=0x60 | 0x7B..=0x7E => 0x2F,
        0..=0x40 | 0x61..=0x7F => c,
        0x41..=0x5A => c + 0x20,
        0xFF01..=0xFF5E => fold(c - 0xFEE0),
        0xFF66..=0xFF9D => FULL_WIDTH[(c - 0xFF66) as usize].into(),
        0x130 => c,
        _ if is_caseless(c) => c,
        _ => {
            let Some(letter) = char::from_u32(c) else { return c };
            let mut lower = letter.to_lowercase();
            match (lower.next(), lower.next()) {
                (Some(one), None) => one.into(),
                _ => c,
            }
        }
    }
}

/// Returns `true` if no code point around `c` has case: most of those below U+3100.
const fn is_caseless(c: u32) -> bool {
    matches!(c, 0x590..0x10A0 | 0x1100..0x13A0 | 0x1400..0x1C80 | 0x2190..0x24B6 | 0x24EA..0x2C00 | 0x2E00..0x3100)
}

/// Returns `true` if `c` is among symbols, marks, controls and private-use code points without a letter.
const fn is_no_letter(c: u32) -> bool {
    matches!(c, 0x80..0xAA | 0x300..0x345 | 0x2000..0x2071 | 0x20A0..0x2100 | 0x2190..0x24B6 | 0x24EA..0x2C00
        | 0xE000..0xF900)
}

/// Returns `true` if `c` is among the ideographs, the syllables of Hangul and the kana of half width.
const fn is_east_asian_letter(c: u32) -> bool {
    matches!(c, 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xAC00..=0xD7A3 | 0xFF66..=0xFF9F)
}

/// Returns the case of a code point: the states of the factor for case.
pub(crate) fn case(c: u32) -> u8 {
    match (c, char::from_u32(c)) {
        (0x61..=0x7A, _) => LOWER,
        (0x41..=0x5A, _) => UPPER,
        (0..0x80, _) | (_, None) => NO_LETTER,
        _ if is_east_asian_letter(c) => UNCASED,
        _ if is_no_letter(c) => NO_LETTER,
        (_, Some(letter)) if is_caseless(c) => {
            if letter.is_alphabetic() {
                UNCASED
            } else {
                NO_LETTER
            }
        }
        (_, Some(letter)) if letter.is_lowercase() => LOWER,
        (_, Some(letter)) if letter.is_uppercase() => UPPER,
        (_, Some(letter)) if letter.is_alphabetic() => UNCASED,
        _ => NO_LETTER,
    }
}

/// The kind of code points that are not letters.
pub(crate) const NO_LETTER: u8 = 0;
/// A letter in lower case.
pub(crate) const LOWER: u8 = 1;
/// A letter in upper case.
pub(crate) const UPPER: u8 = 2;
/// A letter of a script without case.
pub(crate) const UNCASED: u8 = 3;

/// The number of kinds of [`kind`].
pub(crate) const KINDS: usize = 4;
/// The kind of punctuation and symbols.
pub(crate) const MARK: u8 = 3;

/// Returns the kind of a folded code point, by which marks beside it differ: 0 for letters, 1 for digits, 2 for white
/// space, and [`MARK`] for all others.
pub(crate) fn kind(c: u32) -> u8 {
    match c {
        0x20 => 2,
        0x30 => 1,
        0..0x80 if case(c) == NO_LETTER => MARK,
        _ => kind_of_script(script(c)),
    }
}

/// Returns the kind of the code points of a script that are beyond ASCII.
pub(crate) const fn kind_of_script(script: u8) -> u8 {
    match script {
        0 | CONTROLS | C1 | SYMBOLS | BOXES | OTHER | 18 | PRIVATE => MARK,
        _ => 0,
    }
}

/// Returns `true` if `c` is one of the ASCII characters that several fold to.
pub(crate) fn is_ascii_mark(c: u32) -> bool {
    c < 0x80 && matches!(fold(c), 0x2E | 0x2F)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_twice_is_folding_once() {
        for c in 0..0x11_0000 {
            assert_eq!(fold(fold(c)), fold(c), "U+{c:04X}");
            assert!(usize::from(script(c)) < SCRIPTS, "U+{c:04X}");
        }
    }

    /// The model has counts of the code points that represent their kinds.
    #[test]
    fn code_points_of_a_kind_have_one_representative() {
        for (kind, representative) in [
            ("\t\n\r \u{85}\u{2028}\u{3000}", ' '),
            ("0123456789０９", '0'),
            (".!?．！", '.'),
            ("\"&(+/<>@[_`{~（～", '/'),
            ("aAａＡ", 'a'),
            ("žŽ", 'ž'),
            ("şŞșȘ", 'ș'),
            ("ţŢțȚ", 'ț'),
            ("ىیي", 'ي'),
            ("کك", 'ك'),
            ("ｱア", 'ア'),
        ] {
            for c in kind.chars() {
                assert_eq!(char::from_u32(fold(c.into())), Some(representative), "{c}");
            }
        }
    }

    #[test]
    fn no_code_point_of_a_caseless_range_has_case() {
        let caseless: Vec<char> =
            (0..0x11_0000).filter(|&c| is_caseless(c)).filter_map(char::from_u32).collect();
        assert!(caseless.len() > 8_000);
        for c in caseless {
            assert!(
                !c.is_lowercase() && !c.is_uppercase() && c.to_lowercase().eq([c]),
                "U+{:04X}",
                u32::from(c)
            );
        }
    }

    #[test]
    fn no_letter_is_among_the_symbols() {
        for c in (0..0x11_0000).filter(|&c| is_no_letter(c)).filter_map(char::from_u32) {
            assert!(!c.is_alphabetic() && !c.is_lowercase() && !c.is_uppercase(), "U+{:04X}", u32::from(c));
        }
    }

    #[test]
    fn east_asian_letters_are_letters_without_case() {
        for c in (0..0x11_0000).filter(|&c| is_east_asian_letter(c)).filter_map(char::from_u32) {
            assert!(c.is_alphabetic() && !c.is_lowercase() && !c.is_uppercase(), "U+{:04X}", u32::from(c));
        }
    }

    #[test]
    fn half_width_kana_fold_as_compatibility_forms_do() {
        assert_eq!(fold('ｱ' as u32), 'ア' as u32);
        assert_eq!(fold('ﾝ' as u32), 'ン' as u32);
        assert_eq!(fold('ｰ' as u32), 'ー' as u32);
    }
}
