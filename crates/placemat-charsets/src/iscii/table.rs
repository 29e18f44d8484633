//! The characters of the bytes of ISCII in each script, and the names of the members.

use placemat_core::forms::names::{Names, labels};
use placemat_core::ground::code_point::CodePoint;

/// The invisible consonant.
pub(super) const INV: u8 = 0xD9;
pub(super) const HALANT: u8 = 0xE8;
pub(super) const NUKTA: u8 = 0xE9;
/// The full stop of northern scripts.
pub(super) const DANDA: u8 = 0xEA;
/// The byte before that of an attribute: a script, or a style of display.
pub(super) const ATR: u8 = 0xEF;
/// The byte before that of an extension, such as an accent of the Vedas.
pub(super) const EXT: u8 = 0xF0;
const ANUSVARA: u8 = 0xA2;

pub(super) const ZWNJ: u16 = 0x200C;
pub(super) const ZWJ: u16 = 0x200D;
pub(super) const SINGLE_DANDA: u16 = 0x964;
pub(super) const DOUBLE_DANDA: u16 = 0x965;
/// The nasal marks of Gurmukhi, of which the letter before them decides.
pub(super) const BINDI: u16 = 0xA02;
pub(super) const TIPPI: u16 = 0xA70;

/// The code points from the first block of Indic scripts to the end of the last.
const FIRST: u16 = 0x900;
const BLOCK: u16 = 0x80;

/// A script, by the order of the blocks in Unicode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Script(pub(super) u8);

impl Script {
    pub(super) const DEVANAGARI: Self = Self(0);
    pub(super) const GURMUKHI: Self = Self(2);
    /// The number of scripts.
    pub(super) const COUNT: u8 = 9;

    /// Returns the script that a byte after [`ATR`] chooses; Assamese is Bengali.
    pub(super) fn of_attribute(byte: u8) -> Option<Self> {
        let code = if byte == ASSAMESE { ATTRIBUTES[1] } else { byte };
        ATTRIBUTES.iter().zip(0..).find(|(known, _)| **known == code).map(|(_, script)| Self(script))
    }

    /// Returns the byte after [`ATR`] that chooses the script.
    pub(super) fn attribute(self) -> u8 {
        ATTRIBUTES[usize::from(self.0)]
    }

    /// Returns the script of the block of a code point.
    pub(super) fn of(c: u16) -> Option<Self> {
        let script = Self((c.checked_sub(FIRST)? / BLOCK).to_le_bytes()[0]);
        (c < FIRST + BLOCK * u16::from(Self::COUNT)).then_some(script)
    }

    /// Returns `true` for the scripts with a danda. All but Devanagari have e and o of one length only.
    pub(super) const fn is_northern(self) -> bool {
        self.0 <= 4
    }

    const fn is_in(self, scripts: u16) -> bool {
        scripts >> self.0 & 1 == 1
    }

    /// Returns the code point at a place in the block of the script.
    const fn at(self, place: u8) -> u16 {
        FIRST + BLOCK * self.0 as u16 + place as u16
    }

    /// Returns the code point of a byte by itself.
    pub(super) fn single(self, byte: u8) -> Option<u16> {
        let has = |byte: u8| {
            let &(place, scripts) = SINGLES.get(usize::from(byte.checked_sub(FIRST_BYTE)?))?;
            self.is_in(scripts).then(|| self.at(place))
        };
        match byte {
            INV => Some(ZWJ),
            DANDA => self.is_northern().then_some(SINGLE_DANDA),
            // Windows writes the long vowels of northern scripts as the short ones, each a byte before the long one.
            0xAB | 0xE0 | 0xE4 if self.is_northern() => has(byte).or_else(|| has(byte + 1)),
            _ => has(byte),
        }
    }

    /// Returns `true` if a byte may mean something else together with the byte after it.
    pub(super) fn begins_pair(self, byte: u8) -> bool {
        match byte {
            HALANT => true,
            DANDA => self.is_northern(),
            _ => PAIRS.iter().any(|pair| pair.first == byte && self.is_in(pair.scripts)) || self.is_rha(byte),
        }
    }

    /// Returns the code points of two bytes, padded with zeros.
    pub(super) fn pair(self, first: u8, second: u8) -> Option<[u16; 3]> {
        match (first, second) {
            (HALANT, HALANT) => return Some([self.at(0x4D), ZWNJ, 0]),
            (HALANT, NUKTA) => return Some([self.at(0x4D), ZWJ, 0]),
            (DANDA, DANDA) if self.is_northern() => return Some([DOUBLE_DANDA, 0, 0]),
            (_, NUKTA) if self.is_rha(first) => return Some([self.at(0x5C), self.at(0x4D), self.at(0x39)]),
            _ => {}
        }
        let pair = self.pairs().find(|pair| pair.first == first && pair.second == second)?;
        Some([self.at(pair.place), 0, 0])
    }

    /// Returns `true` if two bytes mean the character to which the characters of each are canonically equivalent.
    pub(super) fn is_composed(self, first: u8, second: u8) -> bool {
        self.pairs().any(|pair| pair.first == first && pair.second == second && pair.is_composed)
    }

    fn pairs(self) -> impl Iterator<Item = &'static Pair> {
        PAIRS.iter().filter(move |pair| self.is_in(pair.scripts))
    }

    /// Returns `true` for DDHA of Gurmukhi: with a nukta, it is a letter with a second one below it.
    fn is_rha(self, byte: u8) -> bool {
        self == Self::GURMUKHI && byte == 0xC0
    }

    /// Returns the bytes that mean a code point of the block of the script, and their number.
    pub(super) fn bytes(self, c: u16) -> Option<([u8; 2], usize)> {
        let place = (c % BLOCK).to_le_bytes()[0];
        if c == TIPPI {
            return Some(([ANUSVARA, 0], 1));
        }
        let single = SINGLES
            .iter()
            .zip(FIRST_BYTE..)
            .find(|((known, scripts), _)| *known == place && self.is_in(*scripts))
            .map(|(_, byte)| ([byte, 0], 1));
        let pair = || {
            let pair = self.pairs().find(|pair| pair.place == place)?;
            Some(([pair.first, pair.second], 2))
        };
        single.or_else(pair)
    }
}

/// Returns `true` if the nasal mark of Gurmukhi after a code point is a tippi: after consonants, the letters a and i, and the marks of
/// i, u and uu.
pub(super) const fn is_before_tippi(c: u16) -> bool {
    matches!(c, 0xA05 | 0xA07 | 0xA15..=0xA28 | 0xA2A..=0xA33 | 0xA35..=0xA39 | 0xA3F | 0xA41 | 0xA42)
}

/// Returns the nasal mark, where the byte of the anusvara means one of two.
pub(super) fn nasal(c: u16, before_tippi: bool) -> CodePoint {
    CodePoint::from_u16(if c == BINDI && before_tippi { TIPPI } else { c })
}

/// The bytes after [`ATR`], in the order of the scripts.
const ATTRIBUTES: [u8; Script::COUNT as usize] = *b"BCKJGDEHI";
const ASSAMESE: u8 = b'F';

/// The first byte of [`SINGLES`].
const FIRST_BYTE: u8 = 0xA1;
/// The place in its block of the code point of each byte, and the scripts that have it, a bit each.
static SINGLES: [(u8, u16); 90] = [
    (0x01, 0x05F),
    (0x02, 0x1FF),
    (0x03, 0x1FF),
    (0x05, 0x1FF),
    (0x06, 0x1FF),
    (0x07, 0x1FF), //
    (0x08, 0x1FF),
    (0x09, 0x1FF),
    (0x0A, 0x1FF),
    (0x0B, 0x1DB),
    (0x0E, 0x1E1),
    (0x0F, 0x1FF), //
    (0x10, 0x1FF),
    (0x0D, 0x009),
    (0x12, 0x1E1),
    (0x13, 0x1FF),
    (0x14, 0x1FF),
    (0x11, 0x009), //
    (0x15, 0x1FF),
    (0x16, 0x1DF),
    (0x17, 0x1DF),
    (0x18, 0x1DF),
    (0x19, 0x1FF),
    (0x1A, 0x1FF), //
    (0x1B, 0x1DF),
    (0x1C, 0x1FF),
    (0x1D, 0x1DF),
    (0x1E, 0x1FF),
    (0x1F, 0x1FF),
    (0x20, 0x1DF), //
    (0x21, 0x1DF),
    (0x22, 0x1DF),
    (0x23, 0x1FF),
    (0x24, 0x1FF),
    (0x25, 0x1DF),
    (0x26, 0x1DF), //
    (0x27, 0x1DF),
    (0x28, 0x1FF),
    (0x29, 0x021),
    (0x2A, 0x1FF),
    (0x2B, 0x1DF),
    (0x2C, 0x1DF), //
    (0x2D, 0x1DF),
    (0x2E, 0x1FF),
    (0x2F, 0x1FF),
    (0x5F, 0x013),
    (0x30, 0x1FF),
    (0x31, 0x1E1), //
    (0x32, 0x1FF),
    (0x33, 0x1FD),
    (0x34, 0x121),
    (0x35, 0x1FD),
    (0x36, 0x1DF),
    (0x37, 0x1FB), //
    (0x38, 0x1FF),
    (0x39, 0x1FF),
    (0x00, 0x000),
    (0x3E, 0x1FF),
    (0x3F, 0x1FF),
    (0x40, 0x1FF), //
    (0x41, 0x1FF),
    (0x42, 0x1FF),
    (0x43, 0x1DB),
    (0x46, 0x1E1),
    (0x47, 0x1FF),
    (0x48, 0x1FF), //
    (0x45, 0x009),
    (0x4A, 0x1E1),
    (0x4B, 0x1FF),
    (0x4C, 0x1FF),
    (0x49, 0x009),
    (0x4D, 0x1FF), //
    (0x3C, 0x01F),
    (0x00, 0x000),
    (0x00, 0x000),
    (0x00, 0x000),
    (0x00, 0x000),
    (0x00, 0x000), //
    (0x00, 0x000),
    (0x00, 0x000),
    (0x66, 0x1FF),
    (0x67, 0x1FF),
    (0x68, 0x1FF),
    (0x69, 0x1FF), //
    (0x6A, 0x1FF),
    (0x6B, 0x1FF),
    (0x6C, 0x1FF),
    (0x6D, 0x1FF),
    (0x6E, 0x1FF),
    (0x6F, 0x1FF), //
];

/// Two bytes with a code point of their own.
struct Pair {
    first: u8,
    second: u8,
    /// The place of the code point in its block.
    place: u8,
    /// The scripts that have it, a bit each.
    scripts: u16,
    /// The code point is canonically equivalent to those of the two bytes.
    is_composed: bool,
}

const fn plain(first: u8, second: u8, place: u8, scripts: u16) -> Pair {
    Pair { first, second, place, scripts, is_composed: false }
}

/// Returns a consonant that a nukta changes.
const fn composed(first: u8, place: u8, scripts: u16) -> Pair {
    Pair { first, second: NUKTA, place, scripts, is_composed: true }
}

static PAIRS: [Pair; 20] = [
    plain(0xA1, NUKTA, 0x50, 0x009),
    plain(0xA4, 0xE0, 0x04, 0x001),
    plain(0xA6, NUKTA, 0x0C, 0x1D3),
    plain(0xA7, NUKTA, 0x61, 0x1D3),
    plain(0xAA, NUKTA, 0x60, 0x1DB),
    composed(0xB3, 0x58, 0x001),
    composed(0xB4, 0x59, 0x005),
    composed(0xB5, 0x5A, 0x005),
    composed(0xBA, 0x5B, 0x005),
    composed(0xBF, 0x5C, 0x013),
    plain(0xBF, NUKTA, 0x5C, 0x004),
    composed(0xC0, 0x5D, 0x013),
    composed(0xC9, 0x5E, 0x005),
    plain(0xC9, NUKTA, 0x5E, 0x080),
    plain(0xDB, NUKTA, 0x62, 0x003),
    plain(0xDC, NUKTA, 0x63, 0x003),
    plain(0xDF, NUKTA, 0x44, 0x0CB),
    plain(DANDA, NUKTA, 0x3D, 0x019),
    plain(EXT, 0xB8, 0x52, 0x001),
    plain(EXT, 0xBF, 0x70, 0x001),
];

macro_rules! members {
    ($($name:literal [$($label:literal),*] $what:literal;)*) => {
        /// The names of the members, in the order of the scripts.
        pub(super) const NAMES: [Names; Script::COUNT as usize] = [$(Names {
            name: $name,
            labels: labels![$($label),*],
            web_labels: labels![],
            about: concat!($what, ", of the Indian standard ISCII; attributes switch to the other scripts of India."),
            specified_in: "IS 13194:1991",
        }),*];
    };
}
members! {
    "ISCII-Devanagari" [
        "iscii", "iscii91", "x-iscii91", "is-13194", "is13194", "iscii-dev", "x-iscii-de", "windows-57002", "cp57002",
        "57002", "ibm-4902", "iscii,version=0", "iscii-hindi", "iscii-marathi"
    ] "Devanagari: Hindi, Marathi, Sanskrit";
    "ISCII-Bengali" [
        "iscii-bng", "x-iscii-be", "windows-57003", "cp57003", "57003", "iscii-assamese", "x-iscii-as", "windows-57006",
        "cp57006", "57006", "iscii,version=1"
    ] "Bengali and Assamese";
    "ISCII-Gurmukhi" [
        "iscii-gur", "iscii-punjabi", "x-iscii-pa", "windows-57011", "cp57011", "57011", "iscii,version=2"
    ] "Gurmukhi: Punjabi";
    "ISCII-Gujarati" [
        "iscii-guj", "x-iscii-gu", "windows-57010", "cp57010", "57010", "iscii,version=3"
    ] "Gujarati";
    "ISCII-Oriya" [
        "iscii-ori", "iscii-odia", "x-iscii-or", "windows-57007", "cp57007", "57007", "iscii,version=4"
    ] "Oriya (Odia)";
    "ISCII-Tamil" ["iscii-tml", "x-iscii-ta", "windows-57004", "cp57004", "57004", "iscii,version=5"] "Tamil";
    "ISCII-Telugu" ["iscii-tlg", "x-iscii-te", "windows-57005", "cp57005", "57005", "iscii,version=6"] "Telugu";
    "ISCII-Kannada" ["iscii-knd", "x-iscii-ka", "windows-57008", "cp57008", "57008", "iscii,version=7"] "Kannada";
    "ISCII-Malayalam" [
        "iscii-mlm", "x-iscii-ma", "windows-57009", "cp57009", "57009", "iscii,version=8"
    ] "Malayalam";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_attribute_is_read_as_the_script_that_writes_it() {
        for script in (0..Script::COUNT).map(Script) {
            assert_eq!(Script::of_attribute(script.attribute()), Some(script));
        }
        assert_eq!(Script::of_attribute(ASSAMESE), Some(Script(1)));
        assert_eq!((Script::of_attribute(b'A'), Script::of_attribute(b'L')), (None, None));
    }

    #[test]
    fn all_bytes_of_a_code_point_mean_it() {
        for c in FIRST..FIRST + BLOCK * u16::from(Script::COUNT) {
            let script = Script::of(c).expect("a block");
            let Some((bytes, len)) = script.bytes(c).filter(|_| c != TIPPI) else { continue };
            let found = match len {
                1 => script.single(bytes[0]).map(|c| [c, 0, 0]),
                _ => script.pair(bytes[0], bytes[1]),
            };
            assert_eq!(found, Some([c, 0, 0]), "U+{c:04X}");
        }
    }
}
