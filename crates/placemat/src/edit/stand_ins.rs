//! Code points that represent bytes without text.

use alloc::boxed::Box;
use alloc::vec;

/// The code points that represent the 256 bytes in the text of a [`Document`](super::Document), in
/// the order of the bytes.
///
/// They are U+10FE00..U+10FEFF, so U+10FEE9 represents the byte E9. If the text of the file has one
/// of these, they are the last 256 private-use code points in a row that begin at a multiple of
/// 256, that the text does not have, and of which none is a noncharacter; then the last such row of
/// any code points from U+0100 on; then, in a text that has some of every row, the last 256 code
/// points that it does not have.
///
/// ```
/// use placemat::{Encoding, edit::Document};
/// let notes = Document::open(b"caf\xE9 \xF4\x8F\xBB\xA9", Encoding::UTF_8)?;
/// // The file has U+10FEE9, so another row represents the bytes.
/// let stand_ins = notes.stand_ins().unwrap();
/// assert_eq!(stand_ins.char_of(0xE9), '\u{10FDE9}');
/// assert_eq!(stand_ins.byte_of('\u{10FDE9}'), Some(0xE9));
/// assert_eq!(stand_ins.byte_of('\u{10FEE9}'), None);
/// # Ok::<(), placemat::edit::EditError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StandIns {
    /// In ascending order.
    chars: Box<[char; 256]>,
}

impl StandIns {
    /// Returns the code point that represents a byte.
    #[must_use]
    #[inline]
    pub fn char_of(&self, byte: u8) -> char {
        self.chars[usize::from(byte)]
    }

    /// Returns the byte that a code point represents; `None` if it is text.
    #[must_use]
    #[inline]
    pub fn byte_of(&self, c: char) -> Option<u8> {
        if c < self.chars[0] {
            return None;
        }
        self.chars.binary_search(&c).ok().and_then(|byte| u8::try_from(byte).ok())
    }

    /// U+10FE00..U+10FEFF.
    #[inline]
    pub(super) fn first_choice() -> Self {
        Self::row(FIRST_CHOICE)
    }

    /// Returns `true` if a text has one of them. The text is well-formed UTF-8.
    #[inline]
    pub(super) fn occur_in(&self, text: &[u8]) -> bool {
        // Most texts have nothing above U+FFFF. Whole chunks without a branch make vector code.
        let above = |chunk: &[u8]| chunk.iter().fold(false, |any, &byte| any | (byte >= 0xF0));
        (self.chars[0] <= '\u{FFFF}' || text.chunks(256).any(above))
            && core::str::from_utf8(text).is_ok_and(|text| text.chars().any(|c| self.byte_of(c).is_some()))
    }

    #[inline]
    fn row(row: u32) -> Self {
        let mut chars = Box::new(['\0'; 256]);
        for (c, value) in chars.iter_mut().zip(row << 8..) {
            *c = char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER);
        }
        Self { chars }
    }
}

/// A row is the upper bits of 256 code points.
const FIRST_CHOICE: u32 = 0x10FE;
const ROWS: u32 = 0x1100;
const SURROGATES: core::ops::Range<u32> = 0xD8..0xE0;
/// The rows for private use.
const PRIVATE: [core::ops::Range<u32>; 2] = [0xE0..0xF9, 0xF00..ROWS];

/// The code points that texts have.
pub(super) struct Used(Box<[u64]>);

impl Used {
    #[inline]
    pub(super) fn none() -> Self {
        Self(vec![0; 0x11_0000 / 64].into())
    }

    /// Notes the code points of a text, which is well-formed UTF-8.
    #[inline]
    pub(super) fn note(&mut self, text: &[u8]) {
        for c in core::str::from_utf8(text).unwrap_or_default().chars().map(u32::from) {
            self.0[(c / 64) as usize] |= 1 << (c % 64);
        }
    }

    #[inline]
    fn has(&self, c: u32) -> bool {
        self.0[(c / 64) as usize] >> (c % 64) & 1 == 1
    }

    #[inline]
    fn has_row(&self, row: u32) -> bool {
        SURROGATES.contains(&row) || self.0[4 * row as usize..][..4].iter().any(|&word| word != 0)
    }

    /// Stand-ins that the texts do not have, if there are enough code points left.
    #[inline]
    pub(super) fn stand_ins(&self) -> Option<StandIns> {
        let [basic, above] = PRIVATE;
        // Some programs refuse noncharacters, which end each plane.
        let above = above.rev().filter(|row| row & 0xFF != 0xFF);
        let rows = [FIRST_CHOICE].into_iter().chain(above).chain(basic.rev()).chain((1..ROWS).rev());
        if let Some(row) = rows.into_iter().find(|&row| !self.has_row(row)) {
            return Some(StandIns::row(row));
        }
        let mut chars = Box::new(['\0'; 256]);
        let mut free = (0x100..0x11_0000).rev().filter(|&c| !self.has(c)).filter_map(char::from_u32);
        for c in chars.iter_mut().rev() {
            *c = free.next()?;
        }
        Some(StandIns { chars })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    #[test]
    fn rows_and_single_code_points() {
        let mut used = Used::none();
        assert_eq!(used.stand_ins(), Some(StandIns::first_choice()));
        used.note("\u{10FEE9}".as_bytes());
        assert_eq!(used.stand_ins().expect("a free row").char_of(0), '\u{10FD00}');
        // One of each row of private use: a row of unassigned code points.
        let one_of_each = |rows: core::ops::Range<u32>| -> String {
            rows.filter_map(|row| char::from_u32(row << 8 | 0x41)).collect()
        };
        used.note(one_of_each(0xE0..0xF9).as_bytes());
        used.note(one_of_each(0xF00..ROWS).as_bytes());
        assert_eq!(used.stand_ins().expect("a free row").char_of(0), '\u{EFF00}');
        // One of each row: single code points, from the last one down.
        used.note(one_of_each(0..ROWS).as_bytes());
        let last = used.stand_ins().expect("a free row");
        assert_eq!((last.char_of(0xFF), last.char_of(0)), ('\u{10FFFF}', '\u{10FEFF}'));
        assert_eq!(last.byte_of('\u{10FF41}'), None);
        assert_eq!((0..=255).map(|byte| last.byte_of(last.char_of(byte))).position(|b| b.is_none()), None);
        // All but 255.
        used.note(('\u{100}'..='\u{10FF00}').collect::<String>().as_bytes());
        assert_eq!(used.stand_ins(), None);
    }
}
