//! A table of two-byte codes, as `xtask/multi_byte.py` makes it and says how: rows and columns to code points, and back.

use crate::code_point::CodePoint;

/// Words of the head.
const HEAD: usize = 5;
const PAGES: usize = 0x300;
/// Words of a page: 256 bits, and the rank of the first.
const PAGE: usize = 17;
const NONE: u16 = 0xFFFF;

/// A table, and where its parts begin, in words.
#[derive(Debug)]
pub(super) struct Grid {
    bytes: &'static [u8],
    columns: usize,
    rows: usize,
    #[cfg_attr(not(feature = "multi-byte"), expect(dead_code, reason = "MARC-8 has none"))]
    pairs: usize,
    names: usize,
    cells: usize,
    astral: usize,
    pages: usize,
    bits: usize,
    by_rank: usize,
    pairs_at: usize,
}

/// What stands in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cell {
    One(CodePoint),
    /// A base and a mark.
    Two(CodePoint, CodePoint),
}

/// A row and a column.
pub(super) type Place = (usize, usize);

impl Grid {
    pub(super) const fn new(bytes: &'static [u8]) -> Self {
        const fn head(bytes: &[u8], i: usize) -> usize {
            bytes[2 * i] as usize | (bytes[2 * i + 1] as usize) << 8
        }
        let (columns, rows, there) = (head(bytes, 0), head(bytes, 1), head(bytes, 2));
        let (pages_there, pairs) = (head(bytes, 3), head(bytes, 4));
        let names = HEAD + rows;
        let cells = names + there;
        let astral = cells + there * columns;
        let pages = astral + (there * columns).div_ceil(16);
        let bits = pages + PAGES;
        let by_rank = bits + pages_there * PAGE;
        let pairs_at = bytes.len() / 2 - 3 * pairs;
        Self { bytes, columns, rows, pairs, names, cells, astral, pages, bits, by_rank, pairs_at }
    }

    #[inline]
    fn word(&self, at: usize) -> u16 {
        self.bytes
            .get(2 * at..)
            .and_then(|bytes| bytes.first_chunk())
            .map_or(NONE, |word| u16::from_le_bytes(*word))
    }

    /// What stands at a place.
    #[inline]
    pub(super) fn get(&self, (row, column): Place) -> Option<Cell> {
        if row >= self.rows || column >= self.columns {
            return None;
        }
        let there = self.word(HEAD + row);
        if there == NONE {
            return None;
        }
        let cell = usize::from(there) * self.columns + column;
        let word = self.word(self.cells + cell);
        if self.word(self.astral + cell / 16) >> (cell % 16) & 1 != 0 {
            return Some(Cell::One(CodePoint::within_31_bits(0x2_0000 | u32::from(word))));
        }
        match word {
            NONE => None,
            0xD800..0xD820 => {
                let at = self.pairs_at + 3 * usize::from(word - 0xD800);
                Some(Cell::Two(CodePoint::from_u16(self.word(at)), CodePoint::from_u16(self.word(at + 1))))
            }
            _ => Some(Cell::One(CodePoint::from_u16(word))),
        }
    }

    /// Where a code point stands.
    #[inline]
    pub(super) fn find(&self, c: CodePoint) -> Option<Place> {
        let (page, low) = ((c.value() >> 8) as usize, c.value() & 0xFF);
        if page >= PAGES {
            return None;
        }
        let there = self.word(self.pages + page);
        if there == NONE {
            return None;
        }
        let at = self.bits + usize::from(there) * PAGE;
        let (words, _) = self.bytes.get(2 * at..2 * (at + 16))?.as_chunks::<8>();
        let mut rank = u32::from(self.word(at + 16));
        let (index, bit) = ((low / 64) as usize, low % 64);
        for word in words.get(..index)? {
            rank += u64::from_le_bytes(*word).count_ones();
        }
        let word = u64::from_le_bytes(*words.get(index)?);
        if word >> bit & 1 == 0 {
            return None;
        }
        rank += (word & ((1 << bit) - 1)).count_ones();
        Some(self.place(self.word(self.by_rank + rank as usize)))
    }

    fn place(&self, cell: u16) -> Place {
        let cell = usize::from(cell);
        (usize::from(self.word(self.names + cell / self.columns)), cell % self.columns)
    }

    #[cfg(feature = "multi-byte")]
    /// The pairs: their code points, and where they stand.
    fn pairs(&self) -> impl Iterator<Item = (u16, u16, u16)> {
        (0..self.pairs).map(|n| {
            let at = self.pairs_at + 3 * n;
            (self.word(at), self.word(at + 1), self.word(at + 2))
        })
    }

    #[cfg(feature = "multi-byte")]
    /// Where two code points together stand.
    pub(super) fn find_pair(&self, first: CodePoint, second: CodePoint) -> Option<Place> {
        let same = |word: u16, c: CodePoint| u32::from(word) == c.value();
        let found = self.pairs().find(|&(a, b, _)| same(a, first) && same(b, second));
        found.map(|(_, _, cell)| self.place(cell))
    }

    #[cfg(feature = "multi-byte")]
    /// Whether a pair begins with it.
    #[inline]
    pub(super) fn begins_pair(&self, c: CodePoint) -> bool {
        self.pairs > 0 && self.pairs().any(|(first, _, _)| u32::from(first) == c.value())
    }
}
