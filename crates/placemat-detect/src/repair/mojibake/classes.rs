//! Classes of code points, and the pairs of them that no text of a living language has side by side.
//!
//! UTF-8 that was read as another encoding shows such pairs: each of its sequences is a lead byte and continuation bytes,
//! which most pages read as a letter and symbols, as letters of other cases, or as box drawing.

use placemat_core::ground::once::{Lazy, Once};

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
    /// The class of the inverted marks U+00A1 and U+00BF.
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

/// Returns the class of a code point.
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

/// A set of classes.
const fn set<const N: usize>(classes: [u8; N]) -> u64 {
    let (mut all, mut i) = (0, 0);
    while i < N {
        all |= 1 << classes[i];
        i += 1;
    }
    all
}

const ASCII: u64 = set([BLANK, ASCII_LOWER, ASCII_UPPER, DIGIT]);
const LOWER: u64 = set([ASCII_LOWER, LATIN_LOWER, GREEK_LOWER, CYRILLIC_LOWER]);
const UPPER: u64 = set([LATIN_UPPER, GREEK_UPPER, CYRILLIC_UPPER]);
/// The non-ASCII letters of alphabets.
const LETTER: u64 = (1 << MARK) - (1 << LATIN_LOWER);
const NO_TEXT: u64 = set([STRANGE, REPLACEMENT]);
const SIGN: u64 = set([CURRENCY, TRAILING, SYMBOL, MATH]);
const ANY_SIGN: u64 = SIGN | set([INVERTED, SOFT_HYPHEN]);
const LOW_QUOTES: u64 = set([LOW_QUOTE, LOW_SINGLE_QUOTE]);
const PUNCTUATION: u64 = LOW_QUOTES | set([CLOSING_QUOTE, OPENING_QUOTE, DASH, DOTS, GUILLEMET]);

/// Neighbors that are odd: each class of the first set before each of the second.
const ODD: [(u64, u64); 25] = [
    (set([CONTROL]), u64::MAX),
    (u64::MAX, set([CONTROL])),
    (set([HALF_KANA]), set([HALF_KANA])),
    // Latin words stand beside these scripts in capitals or after a prefix.
    (set([ASCII_LOWER]), set([ARABIC, HEBREW])),
    (LOWER, UPPER),
    (NO_TEXT, LETTER & !set([HEBREW_MARK]) | ANY_SIGN | set([BOX])),
    (LETTER & !set([HEBREW_MARK]) | ANY_SIGN | set([BOX]), NO_TEXT),
    (set([BOX]), LETTER | set([ASCII_LOWER, ASCII_UPPER]) | ANY_SIGN | PUNCTUATION),
    (LETTER | set([ASCII_LOWER, ASCII_UPPER]) | ANY_SIGN | PUNCTUATION, set([BOX])),
    (LETTER, ANY_SIGN | set([PICTURE])),
    (SIGN, LETTER),
    (set([SOFT_HYPHEN]), UPPER),
    (ANY_SIGN & !set([MATH, TRAILING]), ANY_SIGN),
    (set([MATH]), ANY_SIGN & !set([MATH])),
    (set([TRAILING]), ANY_SIGN & !set([TRAILING])),
    (set([ASCII_LOWER]), set([MATH])),
    (PUNCTUATION, set([CURRENCY, SYMBOL])),
    (set([SYMBOL, MATH]), PUNCTUATION),
    (UPPER, LOW_QUOTES | set([NO_BREAK_SPACE, DASH, GUILLEMET])),
    (set([LATIN_UPPER]), set([DOTS, CLOSING_QUOTE, OPENING_QUOTE])),
    (LOWER | set([ASCII_UPPER]), LOW_QUOTES),
    (set([LOW_SINGLE_QUOTE]), set([LATIN_UPPER])),
    (set([HEBREW, ARABIC, THAI]), LOW_QUOTES),
    (set([CLOSING_QUOTE]), set([THAI, HEBREW, ARABIC, CYRILLIC_UPPER, GREEK_UPPER])),
    (set([DOTS, DASH]), set([THAI])),
];

/// The classes of each script; those of one stand side by side.
const SCRIPTS: [u64; 10] = [
    set([ASCII_LOWER, ASCII_UPPER, LATIN_LOWER, LATIN_UPPER, MODIFIER]),
    set([GREEK_LOWER, GREEK_UPPER]),
    set([CYRILLIC_LOWER, CYRILLIC_UPPER]),
    EAST,
    set([HEBREW, HEBREW_MARK]),
    set([ARABIC]),
    set([OTHER_LETTER]),
    set([ARMENIAN]),
    set([THAI]),
    set([HALF_KANA]),
];
const EAST: u64 = set([IDEOGRAPH, KANA, HANGUL]);
/// Words of these stand beside ASCII without a space.
const BESIDE_ASCII: u64 = EAST | set([HEBREW, ARABIC, OTHER_LETTER]);

/// Returns `true` if letters are of two scripts that do not stand side by side.
fn clash(a: u8, b: u8) -> bool {
    let script = |class: u8| SCRIPTS.iter().position(|classes| classes >> class & 1 != 0);
    let is_pair = |one: u64, other: u64| is_before(one, a, other, b) || is_before(one, b, other, a);
    let east = is_pair(EAST, SCRIPTS[0] | SCRIPTS[1] | SCRIPTS[2]);
    script(a).zip(script(b)).is_some_and(|(x, y)| x != y) && !east && !is_pair(ASCII, BESIDE_ASCII)
}

const fn is_before(before: u64, a: u8, after: u64, b: u8) -> bool {
    before >> a & after >> b & 1 != 0
}

/// Returns `true` if two neighbors of these classes are odd.
fn is_odd(a: u8, b: u8) -> bool {
    let is_listed = || ODD.iter().any(|&(before, after)| is_before(before, a, after, b));
    !is_before(ASCII, a, ASCII, b) && (is_listed() || clash(a, b))
}

/// The code points of a block of classes.
const BLOCK: usize = 256;

/// Returns the classes of a block of the BMP.
#[cold]
fn classes_of(block: usize) -> [u8; BLOCK] {
    let class =
        |c: usize| u32::try_from(block * BLOCK + c).ok().and_then(char::from_u32).map_or(STRANGE, class_of);
    core::array::from_fn(class)
}

/// The tables, made at the first use.
pub(super) struct Classes {
    /// The class of each code point of the BMP, in blocks that are made when they are asked for.
    class: [Once<[u8; BLOCK]>; 0x1_0000 / BLOCK],
    /// The class of each code point below U+0800.
    short: [u8; 0x800],
    /// For each class, the classes that are odd after it.
    odd: [u64; COUNT as usize],
}

static CLASSES: Lazy<Classes> = Lazy::new(|| Classes {
    class: [const { Once::new() }; 0x1_0000 / BLOCK],
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
            Some(block) => block.get_or_make(|| classes_of(c / BLOCK))[c % BLOCK],
            None => u32::try_from(c).ok().and_then(char::from_u32).map_or(STRANGE, class_of),
        }
    }

    /// Returns the class and the length of the non-ASCII code point at an offset of well-formed text.
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

    /// Returns `true` if two neighbors of these classes are odd.
    #[inline(always)]
    pub(super) fn is_odd(&self, a: u8, b: u8) -> bool {
        self.odd[usize::from(a)] >> b & 1 != 0
    }
}
