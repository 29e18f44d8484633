//! Classes of code points, and the pairs of them that no text of a living language has side by side.
//!
//! UTF-8 that was read as another encoding shows such pairs: each of its sequences is a lead byte and continuation bytes,
//! which most pages read as a letter and symbols, as letters of other cases, or as box drawing.

use std::sync::{LazyLock, OnceLock};

/// A class of code points. The number is its bit in [`ODD`].
pub(super) mod class {
    /// Space, controls and punctuation of ASCII.
    pub(in super::super) const BLANK: u8 = 0;
    pub(in super::super) const ASCII_LOWER: u8 = 1;
    pub(in super::super) const ASCII_UPPER: u8 = 2;
    pub(in super::super) const DIGIT: u8 = 3;
    pub(in super::super) const LATIN_LOWER: u8 = 4;
    pub(in super::super) const LATIN_UPPER: u8 = 5;
    pub(in super::super) const GREEK_LOWER: u8 = 6;
    pub(in super::super) const GREEK_UPPER: u8 = 7;
    pub(in super::super) const CYRILLIC_LOWER: u8 = 8;
    pub(in super::super) const CYRILLIC_UPPER: u8 = 9;
    pub(in super::super) const ARMENIAN: u8 = 10;
    pub(in super::super) const HEBREW: u8 = 11;
    pub(in super::super) const HEBREW_MARK: u8 = 12;
    pub(in super::super) const ARABIC: u8 = 13;
    pub(in super::super) const THAI: u8 = 14;
    /// Letters and marks of other scripts.
    pub(in super::super) const OTHER_LETTER: u8 = 15;
    /// Combining marks of all scripts.
    pub(in super::super) const MARK: u8 = 16;
    pub(in super::super) const IDEOGRAPH: u8 = 17;
    pub(in super::super) const KANA: u8 = 18;
    pub(in super::super) const HALF_KANA: u8 = 19;
    pub(in super::super) const HANGUL: u8 = 20;
    /// Punctuation and full-width forms of East Asia.
    pub(in super::super) const WIDE: u8 = 21;
    pub(in super::super) const CLOSING_QUOTE: u8 = 22;
    pub(in super::super) const LOW_QUOTE: u8 = 23;
    pub(in super::super) const DASH: u8 = 24;
    /// Ellipsis, bullet and the like.
    pub(in super::super) const DOTS: u8 = 25;
    pub(in super::super) const NO_BREAK_SPACE: u8 = 26;
    pub(in super::super) const SOFT_HYPHEN: u8 = 27;
    pub(in super::super) const CURRENCY: u8 = 28;
    /// Symbols that follow words and numbers: superscripts, ordinals, degrees, trade marks.
    pub(in super::super) const TRAILING: u8 = 29;
    /// U+00A1 and U+00BF.
    pub(in super::super) const INVERTED: u8 = 30;
    /// Other symbols of Latin-1 and the Windows pages.
    pub(in super::super) const SYMBOL: u8 = 31;
    pub(in super::super) const MATH: u8 = 32;
    pub(in super::super) const BOX: u8 = 33;
    pub(in super::super) const PICTURE: u8 = 34;
    /// Private use, unassigned, specials.
    pub(in super::super) const STRANGE: u8 = 35;
    pub(in super::super) const CONTROL: u8 = 36;
    pub(in super::super) const REPLACEMENT: u8 = 37;
    pub(in super::super) const MODIFIER: u8 = 38;
    pub(in super::super) const OPENING_QUOTE: u8 = 39;
    pub(in super::super) const GUILLEMET: u8 = 40;
    pub(in super::super) const LOW_SINGLE_QUOTE: u8 = 41;
    /// Letters of Latin-1, which have classes of their own for runs of them.
    pub(in super::super) const COUNT: u8 = 42;
}
use class::*;

/// The class of a code point.
fn class_of(c: char) -> u8 {
    let cased = |lower, upper| if c.is_uppercase() { upper } else { lower };
    match c {
        'a'..='z' => ASCII_LOWER,
        'A'..='Z' => ASCII_UPPER,
        '0'..='9' => DIGIT,
        '\0'..='\x7F' => BLANK,
        '\u{80}'..='\u{9F}' => CONTROL,
        '\u{A0}' | '\u{202F}' | '\u{2000}'..='\u{200A}' => NO_BREAK_SPACE,
        '\u{AD}' => SOFT_HYPHEN,
        '¢'..='¥' | '\u{20A0}'..='\u{20CF}' => CURRENCY,
        'ª' | 'º' | '°' | '²' | '³' | '¹' | '©' | '®' | '™' => TRAILING,
        '¡' | '¿' => INVERTED,
        '«' | '»' | '‹' | '›' => GUILLEMET,
        'ˆ'
        | '˜'
        | 'ƒ'
        | '†'
        | '‡'
        | '‰'
        | '¦'..='¨'
        | '¬'
        | '¯'
        | '±'
        | '´'..='¶'
        | '¸'
        | '¼'..='¾'
        | '×'
        | '÷' => SYMBOL,
        '·' | '…' | '•' => DOTS,
        '‘' | '“' => OPENING_QUOTE,
        '’' | '”' => CLOSING_QUOTE,
        '„' => LOW_QUOTE,
        '‚' => LOW_SINGLE_QUOTE,
        '‐'..='―' => DASH,
        '\u{2016}'..='\u{206F}' => DOTS,
        'À'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}' | '\u{2C60}'..='\u{2C7F}' | '\u{A720}'..='\u{A7FF}' => {
            cased(LATIN_LOWER, LATIN_UPPER)
        }
        '\u{250}'..='\u{2FF}' => MODIFIER,
        '\u{200B}'..='\u{200F}'
        | '\u{300}'..='\u{36F}'
        | '\u{1AB0}'..='\u{1AFF}'
        | '\u{1DC0}'..='\u{1DFF}'
        | '\u{FE00}'..='\u{FE0F}' => MARK,
        '\u{384}' | '\u{385}' | '\u{387}' => SYMBOL,
        '\u{370}'..='\u{3FF}' | '\u{1F00}'..='\u{1FFF}' => cased(GREEK_LOWER, GREEK_UPPER),
        '\u{400}'..='\u{52F}' | '\u{2DE0}'..='\u{2DFF}' | '\u{A640}'..='\u{A69F}' => {
            cased(CYRILLIC_LOWER, CYRILLIC_UPPER)
        }
        '\u{530}'..='\u{58F}' => ARMENIAN,
        '\u{591}'..='\u{5C7}' => HEBREW_MARK,
        '\u{590}'..='\u{5FF}' | '\u{FB1D}'..='\u{FB4F}' => HEBREW,
        '\u{600}'..='\u{77F}' | '\u{8A0}'..='\u{8FF}' | '\u{FB50}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFE}' => {
            ARABIC
        }
        '\u{E00}'..='\u{E7F}' => THAI,
        '\u{1100}'..='\u{11FF}' | '\u{3131}'..='\u{318E}' | '\u{AC00}'..='\u{D7FF}' => HANGUL,
        '\u{3040}'..='\u{30FF}' | '\u{31F0}'..='\u{31FF}' => KANA,
        '\u{FF61}'..='\u{FF9F}' => HALF_KANA,
        '\u{3000}'..='\u{303F}'
        | '\u{3100}'..='\u{312F}'
        | '\u{3190}'..='\u{31EF}'
        | '\u{3200}'..='\u{33FF}'
        | '\u{FE10}'..='\u{FE6F}'
        | '\u{FF00}'..='\u{FFEF}' => WIDE,
        '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}' => IDEOGRAPH,
        '\u{2070}'..='\u{209F}' => TRAILING,
        '\u{2100}'..='\u{218F}' => SYMBOL,
        '\u{2190}'..='\u{23FF}' => MATH,
        '\u{2500}'..='\u{25FF}' => BOX,
        '\u{2400}'..='\u{2BFF}' | '\u{1F000}'..='\u{1FAFF}' | '\u{E0000}'..='\u{E01EF}' => PICTURE,
        '\u{FFFD}' => REPLACEMENT,
        '\u{E000}'..='\u{F8FF}' | '\u{FFF0}'..='\u{FFFF}' | '\u{F0000}'.. => STRANGE,
        _ => OTHER_LETTER,
    }
}

/// Whether two neighbours of these classes are odd.
fn is_odd(a: u8, b: u8) -> bool {
    let letter = |c| matches!(c, LATIN_LOWER..=OTHER_LETTER) && c != HEBREW_MARK;
    let lower = |c| matches!(c, ASCII_LOWER | LATIN_LOWER | GREEK_LOWER | CYRILLIC_LOWER);
    let upper = |c| matches!(c, LATIN_UPPER | GREEK_UPPER | CYRILLIC_UPPER);
    let symbol = |c| matches!(c, CURRENCY | TRAILING | INVERTED | SYMBOL | MATH | SOFT_HYPHEN);
    let script = |c| match c {
        ASCII_LOWER | ASCII_UPPER | LATIN_LOWER | LATIN_UPPER | MODIFIER => 1,
        GREEK_LOWER | GREEK_UPPER => 2,
        CYRILLIC_LOWER | CYRILLIC_UPPER => 3,
        ARMENIAN => 4,
        HEBREW | HEBREW_MARK => 5,
        ARABIC => 6,
        THAI => 7,
        OTHER_LETTER => 8,
        HALF_KANA => 9,
        IDEOGRAPH | KANA | HANGUL => 10,
        _ => 0,
    };
    let ascii = |c| c <= DIGIT;
    if ascii(a) && ascii(b) {
        return false;
    }
    // Latin words stand beside these scripts in capitals or after a prefix.
    if (a, b) == (ASCII_LOWER, ARABIC) || (a, b) == (ASCII_LOWER, HEBREW) {
        return true;
    }
    if a == CONTROL || b == CONTROL || a == HALF_KANA && b == HALF_KANA {
        return true;
    }
    let (x, y) = (script(a), script(b));
    if x != 0 && y != 0 && x != y {
        // Words of these scripts stand beside ASCII and ideographs without a space.
        let ascii = ascii(a) || ascii(b);
        let joined = |c| matches!(c, 5 | 6 | 8 | 10);
        let free = ascii && a != HEBREW_MARK && b != HEBREW_MARK && (joined(x) || joined(y));
        let east = x == 10 && y <= 3 || y == 10 && x <= 3;
        return x == 9 || y == 9 || !(free || east);
    }
    if lower(a) && upper(b) {
        return true;
    }
    let strange = |c| matches!(c, STRANGE | REPLACEMENT);
    if strange(a) && (letter(b) || symbol(b) || b == BOX)
        || strange(b) && (letter(a) || symbol(a) || a == BOX)
    {
        return true;
    }
    let any_letter = |c| letter(c) || matches!(c, ASCII_LOWER | ASCII_UPPER | HEBREW_MARK);
    if a == BOX && any_letter(b) || any_letter(a) && b == BOX {
        return true;
    }
    if (letter(a) || a == HEBREW_MARK) && (symbol(b) || b == PICTURE) {
        return true;
    }
    if (matches!(a, CURRENCY | TRAILING | SYMBOL | MATH) && (letter(b) || b == HEBREW_MARK))
        || a == SOFT_HYPHEN && upper(b)
    {
        return true;
    }
    let punctuation = |c| {
        matches!(c, CLOSING_QUOTE | OPENING_QUOTE | LOW_QUOTE | LOW_SINGLE_QUOTE | DASH | DOTS | GUILLEMET)
    };
    match (a, b) {
        (MATH, MATH) | (TRAILING, TRAILING) => false,
        _ if symbol(a) && symbol(b) => true,
        (ASCII_LOWER, MATH) => true,
        _ if punctuation(a) && matches!(b, CURRENCY | SYMBOL)
            || matches!(a, SYMBOL | MATH) && punctuation(b) =>
        {
            true
        }
        (_, BOX) if symbol(a) || punctuation(a) => true,
        (BOX, _) if symbol(b) || punctuation(b) => true,
        (
            LATIN_UPPER | GREEK_UPPER | CYRILLIC_UPPER,
            NO_BREAK_SPACE | DASH | LOW_QUOTE | LOW_SINGLE_QUOTE | GUILLEMET,
        ) => true,
        (LATIN_UPPER, DOTS | CLOSING_QUOTE | OPENING_QUOTE) => true,
        (
            LATIN_LOWER | ASCII_LOWER | ASCII_UPPER | GREEK_LOWER | CYRILLIC_LOWER,
            LOW_QUOTE | LOW_SINGLE_QUOTE,
        ) => true,
        (LOW_SINGLE_QUOTE, LATIN_UPPER) => true,
        (HEBREW | ARABIC | THAI, LOW_QUOTE | LOW_SINGLE_QUOTE) => true,
        (CLOSING_QUOTE, THAI | HEBREW | ARABIC | CYRILLIC_UPPER | GREEK_UPPER) => true,
        (DOTS | DASH, THAI) => true,
        _ => false,
    }
}

/// The code points of a block of classes.
const BLOCK: usize = 256;

/// The classes of a block of the BMP.
#[cold]
fn classes_of(block: usize) -> [u8; BLOCK] {
    let class =
        |c: usize| u32::try_from(block * BLOCK + c).ok().and_then(char::from_u32).map_or(STRANGE, class_of);
    core::array::from_fn(class)
}

/// The tables, made at the first use.
pub(super) struct Classes {
    /// The class of each code point of the BMP, in blocks that are made when they are asked for.
    class: [OnceLock<[u8; BLOCK]>; 0x1_0000 / BLOCK],
    /// That of the code points below U+0800.
    short: [u8; 0x800],
    /// For each class, the classes that are odd after it.
    odd: [u64; COUNT as usize],
}

static CLASSES: LazyLock<Classes> = LazyLock::new(|| Classes {
    class: [const { OnceLock::new() }; 0x1_0000 / BLOCK],
    short: core::array::from_fn(|c| u32::try_from(c).ok().and_then(char::from_u32).map_or(STRANGE, class_of)),
    odd: core::array::from_fn(|a| {
        let odd = (0..COUNT).filter(|&b| u8::try_from(a).is_ok_and(|a| is_odd(a, b)));
        odd.fold(0, |all, b| all | 1 << b)
    }),
});

impl Classes {
    pub(super) fn get() -> &'static Self {
        &CLASSES
    }

    #[inline(always)]
    pub(super) fn class(&self, c: u32) -> u8 {
        let c = c as usize;
        match self.class.get(c / BLOCK) {
            Some(block) => block.get_or_init(|| classes_of(c / BLOCK))[c % BLOCK],
            None => u32::try_from(c).ok().and_then(char::from_u32).map_or(STRANGE, class_of),
        }
    }

    /// The class and the length of the code point beyond ASCII at an offset of well-formed text.
    #[inline(always)]
    pub(super) fn beyond_ascii(&self, src: &[u8], at: usize) -> Option<(u8, usize)> {
        let bits = |byte: u8| usize::from(byte & 0x3F);
        match *src.get(at..)? {
            [a @ 0xC0..=0xDF, b, ..] => Some((self.short[usize::from(a & 0x1F) << 6 | bits(b)], 2)),
            // U+5000..U+8FFF
            [0xE5..=0xE8, _, _, ..] => Some((IDEOGRAPH, 3)),
            [a @ 0xE0..=0xEF, b, c, ..] => {
                let c = usize::from(a & 0xF) << 12 | bits(b) << 6 | bits(c);
                Some((u32::try_from(c).map_or(STRANGE, |c| self.class(c)), 3))
            }
            [a @ 0xF0..=0xFF, b, c, d, ..] => {
                let c = usize::from(a & 7) << 18 | bits(b) << 12 | bits(c) << 6 | bits(d);
                Some((u32::try_from(c).map_or(STRANGE, |c| self.class(c)), 4))
            }
            _ => None,
        }
    }

    /// Whether two neighbours of these classes are odd.
    #[inline(always)]
    pub(super) fn is_odd(&self, a: u8, b: u8) -> bool {
        self.odd[usize::from(a)] >> b & 1 != 0
    }
}
