//! The charsets of one or two bytes as data: `list.rs`, `names.txt` and `sequences.bin`, which `cargo xtask tables` writes. All
//! three have the charsets in the same order. `names.txt` is as `names_file.rs` describes.
//!
//! `sequences.bin` has these parts, of which all numbers are little-endian:
//!
//! | part | size | content |
//! | --- | --- | --- |
//! | head | four `u16` | the numbers of charsets, of halves, of pairs and of preferred bytes |
//! | rows | 10 bytes a charset | five `u16`, below |
//! | halves | 128 `u16` each | the characters of the bytes 00..7F or 80..FF, of one charset or several |
//! | pairs | 4 bytes each | two bytes and their character; those of a charset, in the order of their bytes |
//! | preferred bytes | a byte each | bytes that are written although a lower one means the same code point |
//!
//! A row has the index of the lower half, that of the upper one, the index of the first pair, the number of pairs, and in one
//! number the first preferred byte in its low 12 bits, and above them the flag that two sequences mean the same code point. The
//! preferred bytes of a charset end where those of the next one start.
//!
//! A character is a code point, [`UNDEFINED`], or [`MOSAIC`] plus the distance of a code point from U+1FB00: no table has the
//! surrogates, whose numbers that are.

use super::list::sequences;
use crate::names_file::{self, Parts};
use placemat_core::forms::names::Names;
use placemat_core::ground::code_point::CodePoint;

macro_rules! members {
    ($($member:ident, $constant:ident, $about:literal;)*) => {
        /// A charset of one or two bytes a character: a member of the family of [`OneOrTwo`](super::OneOrTwo).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub(crate) enum Sequences {
            $(#[doc = $about] $member,)*
        }

        pub(super) const ALL: &[Sequences] = &[$(Sequences::$member),*];
    };
}
sequences!(members);

impl Default for Sequences {
    #[inline]
    fn default() -> Self {
        ALL[0]
    }
}

/// The number of charsets.
const COUNT: usize = ALL.len();

/// A byte, or two, without a character.
const UNDEFINED: u16 = 0xFFFF;
/// The first of the numbers that mean U+1FB00..U+1FBFF, "Symbols for Legacy Computing".
const MOSAIC: u16 = 0xD800;
const FIRST_MOSAIC: u32 = 0x1FB00;

type Word = [u8; 2];
/// Two bytes, and their character.
type Pair = [Word; 2];
type CharsetRow = [Word; 5];

static BYTES: [u8; include_bytes!("sequences.bin").len()] = *include_bytes!("sequences.bin");
const HEAD: usize = 8;
const ROWS: &[CharsetRow; COUNT] = {
    assert!(in_head(0) == COUNT, "sequences.bin is of another list of charsets");
    BYTES.split_at(HEAD).1.as_chunks().0.as_chunks().0.first_chunk().expect("the rows")
};
const HALVES: &[[Word; 128]; in_head(1)] = {
    let start = HEAD + size_of_val(ROWS);
    BYTES.split_at(start).1.as_chunks().0.as_chunks().0.first_chunk().expect("the halves")
};
const PAIRS: &[Pair; in_head(2)] = {
    let start = HEAD + size_of_val(ROWS) + size_of_val(HALVES);
    BYTES.split_at(start).1.as_chunks().0.as_chunks().0.first_chunk().expect("the pairs")
};
const PREFERRED: &[u8; in_head(3)] = {
    let start = HEAD + size_of_val(ROWS) + size_of_val(HALVES) + size_of_val(PAIRS);
    BYTES.split_at(start).1.first_chunk().expect("the end of the file")
};

/// Returns a number of the head.
const fn in_head(index: usize) -> usize {
    u16::from_le_bytes(BYTES.as_chunks().0[index]) as usize
}

/// Returns the code point of a character of the tables.
#[inline]
fn code_point(cell: Word) -> Option<CodePoint> {
    match u16::from_le_bytes(cell) {
        UNDEFINED => None,
        cell @ MOSAIC..=0xD8FF => Some(CodePoint::within_31_bits(FIRST_MOSAIC + u32::from(cell - MOSAIC))),
        cell => Some(CodePoint::from_u16(cell)),
    }
}

/// Returns the character of the tables for a code point.
#[inline]
fn cell(c: CodePoint) -> Option<Word> {
    let cell = match c.value() {
        value @ FIRST_MOSAIC..=0x1FBFF => u16::try_from(value - FIRST_MOSAIC).ok()? + MOSAIC,
        value => u16::try_from(value)
            .ok()
            .filter(|&value| value != UNDEFINED && !matches!(value, 0xD800..=0xDFFF))?,
    };
    Some(cell.to_le_bytes())
}

impl Sequences {
    /// Returns a number of the row.
    #[inline]
    const fn number(self, index: usize) -> usize {
        u16::from_le_bytes(ROWS[self as usize][index]) as usize
    }

    /// Returns `true` if two bytes mean one character somewhere.
    pub(super) const fn has_pairs(self) -> bool {
        self.number(3) > 0
    }

    /// Returns `true` if no second byte of a pair means anything alone: these are marks.
    pub(super) const fn has_marks(self) -> bool {
        let mut place = 0;
        while place < self.number(3) {
            let [[_, byte], _] = PAIRS[self.number(2) + place];
            let half = self.number((byte >> 7) as usize);
            if u16::from_le_bytes(HALVES[half][(byte & 0x7F) as usize]) != UNDEFINED {
                return false;
            }
            place += 1;
        }
        true
    }

    /// Returns `true` if two sequences mean the same code point.
    pub(super) const fn has_doubles(self) -> bool {
        self.number(4) & 0x1000 != 0
    }

    /// Returns the pairs, in the order of their bytes.
    fn pairs(self) -> &'static [Pair] {
        &PAIRS[self.number(2)..][..self.number(3)]
    }

    fn preferred(self) -> &'static [u8] {
        let start = |row: &CharsetRow| usize::from(u16::from_le_bytes(row[4]) & 0xFFF);
        let end = ROWS.get(self as usize + 1).map_or(PREFERRED.len(), start);
        &PREFERRED[start(&ROWS[self as usize])..end]
    }

    /// Returns `true` if a byte begins a pair.
    #[inline]
    pub(super) fn begins_pair(self, byte: u8) -> bool {
        let pairs = self.pairs();
        pairs.get(pairs.partition_point(|pair| pair[0][0] < byte)).is_some_and(|pair| pair[0][0] == byte)
    }

    /// Returns the code point of two bytes.
    #[inline]
    pub(super) fn pair(self, bytes: [u8; 2]) -> Option<CodePoint> {
        let place = self.pairs().binary_search_by_key(&bytes, |pair| pair[0]).ok()?;
        code_point(self.pairs()[place][1])
    }

    /// Returns the code point of a byte that does not begin a pair, or stands before one that does not continue it.
    #[inline]
    pub(super) fn single(self, byte: u8) -> Option<CodePoint> {
        let half = self.number(usize::from(byte >> 7));
        code_point(HALVES[half][usize::from(byte & 0x7F)])
    }

    /// Returns the bytes that mean a code point, and their number.
    pub(super) fn bytes(self, c: CodePoint) -> Option<([u8; 2], usize)> {
        if let Some(&byte) = self.preferred().iter().find(|&&byte| self.single(byte) == Some(c)) {
            return Some(([byte, 0], 1));
        }
        let cell = cell(c)?;
        for (half, first) in [(self.number(0), 0), (self.number(1), 0x80)] {
            if let Some(place) = HALVES[half].iter().position(|&known| known == cell) {
                return Some(([first + u8::try_from(place).ok()?, 0], 1));
            }
        }
        let pair = self.pairs().iter().find(|pair| pair[1] == cell)?;
        Some((pair[0], 2))
    }
}

const NAMES: &str = include_str!("names.txt");

static PARTS: [Parts; COUNT] = names_file::parts(NAMES);

/// Returns the names of the charset with an index.
pub(super) const fn names(index: usize) -> Names {
    names_file::names(NAMES, &PARTS[index])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_has_exactly_the_parts_that_its_head_announces() {
        let parts = [size_of_val(ROWS), size_of_val(HALVES), size_of_val(PAIRS), size_of_val(PREFERRED)];
        assert_eq!(BYTES.len(), HEAD + parts.iter().sum::<usize>());
    }

    /// Otherwise two characters in a row could be read as one.
    #[test]
    fn a_byte_that_may_be_read_alone_is_followed_by_bytes_that_may_not() {
        for &charset in ALL {
            for [bytes, _] in charset.pairs() {
                let both = bytes.map(|byte| charset.single(byte).is_some());
                assert_ne!(both, [true, true], "{charset:?} {bytes:02X?}");
            }
            assert!(charset.pairs().is_sorted_by_key(|pair| pair[0]), "{charset:?}");
        }
    }
}
