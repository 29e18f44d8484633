//! Which steps can change something in a text, found in one pass over its code units.

use crate::view::View;

/// The properties of a text, one bit each.
pub(super) mod flag {
    pub(in super::super) const AMPERSAND: u16 = 1;
    pub(in super::super) const LESS_THAN: u16 = 1 << 1;
    pub(in super::super) const ESCAPE: u16 = 1 << 2;
    /// U+000D, U+0085, U+2028 and U+2029.
    pub(in super::super) const LINE_BREAK: u16 = 1 << 3;
    /// Controls that no text needs.
    pub(in super::super) const CONTROL: u16 = 1 << 4;
    /// U+0080 to U+009F.
    pub(in super::super) const C1: u16 = 1 << 5;
    /// Ligatures of Latin letters.
    pub(in super::super) const LIGATURE: u16 = 1 << 6;
    /// Half-width and full-width forms.
    pub(in super::super) const WIDTH: u16 = 1 << 7;
    pub(in super::super) const QUOTE: u16 = 1 << 8;
    pub(in super::super) const SURROGATE: u16 = 1 << 9;
    /// U+0080 and above.
    pub(in super::super) const NON_ASCII: u16 = 1 << 10;
    /// The flags that no text in ASCII has.
    pub(in super::super) const BEYOND_ASCII: u16 = C1 | LIGATURE | WIDTH | QUOTE | SURROGATE | NON_ASCII;
}

/// Returns the flags of a code point.
pub(super) const fn flags(c: u32) -> u16 {
    let own = match c {
        0x26 => flag::AMPERSAND,
        0x3C => flag::LESS_THAN,
        0x1B => flag::ESCAPE | flag::CONTROL,
        0x0D => flag::LINE_BREAK,
        0x00..=0x08 | 0x0B | 0x0E..=0x1F | 0x7F | 0x206A..=0x206F | 0xFEFF | 0xFFF9..=0xFFFB => flag::CONTROL,
        0x85 => flag::LINE_BREAK | flag::C1,
        0x80..=0x9F => flag::C1,
        0x0132 | 0x0133 | 0x0149 | 0x01C4..=0x01CC | 0x01F1..=0x01F3 | 0xFB00..=0xFB06 => flag::LIGATURE,
        0x3000 | 0xFF01..=0xFFEF => flag::WIDTH,
        0x02BC | 0x2018..=0x201F => flag::QUOTE,
        0x2028 | 0x2029 => flag::LINE_BREAK,
        0xD800..=0xDFFF => flag::SURROGATE,
        _ => 0,
    };
    own | if c < 0x80 { 0 } else { flag::NON_ASCII }
}

/// The blocks of 256 code points of which some have flags of their own. The last one represents all
/// blocks of surrogates, the first but one all other blocks.
const BLOCKS: [u32; 10] = [0x00, 0x100, 0x200, 0x2000, 0x3000, 0xFB00, 0xFE00, 0xFF00, OTHER, 0xD800];
const OTHER: u32 = 0x400;

/// The flags of these blocks.
static FLAGS: [[u16; 256]; BLOCKS.len()] = {
    let mut all = [[0; 256]; BLOCKS.len()];
    let mut block = 0;
    while block < BLOCKS.len() {
        let mut c = 0;
        while c < 256 {
            all[block][c as usize] = flags(BLOCKS[block] + c);
            c += 1;
        }
        block += 1;
    }
    all
};

/// The number of the block of a code point, by its high bits.
static NUMBERS: [u8; 256] = {
    let mut numbers = [0; 256];
    let (mut high, mut first) = (0, 0);
    while high < 256 {
        let block = if high & 0xF8 == 0xD8 { 0xD800 } else { first };
        let (mut number, mut of, mut at) = (0, 8, 0);
        while at < BLOCKS.len() {
            if BLOCKS[at] == block {
                of = number;
            }
            (number, at) = (number + 1, at + 1);
        }
        numbers[high] = of;
        (high, first) = (high + 1, first + 0x100);
    }
    numbers
};

#[inline(always)]
fn flags_of(unit: u16) -> u16 {
    let [low, high] = unit.to_le_bytes();
    FLAGS[usize::from(NUMBERS[usize::from(high)])][usize::from(low)]
}

/// Returns the flags of all code points of a text.
pub(super) fn survey(view: View<'_>) -> u16 {
    match view {
        View::Ascii(units) | View::Latin1(units) => {
            units.iter().fold(0, |all, &unit| all | FLAGS[0][usize::from(unit)])
        }
        View::Bmp(units) => units.iter().fold(0, |all, &unit| all | flags_of(unit)),
        View::Full(units) => {
            units.iter().fold(0, |all, &unit| all | u16::try_from(unit).map_or(flag::NON_ASCII, flags_of))
        }
    }
}
