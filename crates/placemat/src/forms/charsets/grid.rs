//! A table of two-byte codes, as `xtask/multi_byte.py` makes it and says how: rows and columns to code points, and back.
//!
//! The table says what is read. Where a code point is written follows from it: with `std` by an index that the first use
//! makes (830 KB less in the library, for half a millisecond at most), without by a search.
//!
//! A table may rest on another one, of which it has the rows that differ: the later editions of the EBCDIC pages, JIS X 0208
//! in JIS X 0213. That is 139 KB for ten sets, in place of 330.

#[cfg(feature = "std")]
use std::sync::OnceLock;

#[cfg(feature = "std")]
use crate::forms::charsets::index::Index;
use crate::ground::code_point::CodePoint;

/// Words of the head.
const HEAD: usize = 6;
/// So many rows have their number in the code of a place.
const ROWS: usize = 0x100;
const NONE: u16 = 0xFFFF;

/// A word, least significant byte first.
type Word = [u8; 2];

/// A table.
#[derive(Debug)]
pub(super) struct Grid {
    columns: usize,
    /// Whose rows stand for those that are not there.
    base: Option<&'static Self>,
    /// Where a row is, among those that are there.
    rows: &'static [Word],
    /// Which row it is; empty where the code of a place says that itself.
    names: &'static [Word],
    cells: &'static [Word],
    /// Which cells are of plane 2.
    astral: &'static [Word],
    /// Where code points are written that do not stand there first.
    preferred: &'static [Word],
    pairs: &'static [Word],
    #[cfg(feature = "std")]
    index: OnceLock<Index>,
}

/// What says where code points are written.
#[cfg(all(feature = "multi-byte", feature = "std"))]
pub(super) type Written = Index;
#[cfg(all(feature = "multi-byte", not(feature = "std")))]
pub(super) type Written = Grid;

/// What stands in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cell {
    One(CodePoint),
    /// A base and a mark.
    Two(CodePoint, CodePoint),
}

/// A row and a column.
pub(super) type Place = (usize, usize);

#[inline(always)]
const fn word(words: &[Word], at: usize) -> u16 {
    if at < words.len() { u16::from_le_bytes(words[at]) } else { NONE }
}

impl Grid {
    pub(super) const fn new(bytes: &'static [u8]) -> Self {
        Self::on(bytes, None)
    }

    /// A table that rests on another.
    pub(super) const fn on(bytes: &'static [u8], base: Option<&'static Self>) -> Self {
        const fn head(words: &[Word], i: usize) -> usize {
            u16::from_le_bytes(words[i]) as usize
        }
        let (words, _) = bytes.as_chunks();
        let (columns, rows, there) = (head(words, 0), head(words, 1), head(words, 2));
        let names = if rows > ROWS { there } else { 0 };
        let (_, rest) = words.split_at(HEAD);
        let (rows, rest) = rest.split_at(rows);
        let (names, rest) = rest.split_at(names);
        let (cells, rest) = rest.split_at(there * columns);
        let (astral, rest) = rest.split_at(head(words, 3));
        let (preferred, pairs) = rest.split_at(head(words, 4));
        assert!(pairs.len() == 3 * head(words, 5));
        if let Some(base) = base {
            assert!(base.columns == columns && base.base.is_none() && rows.len() <= ROWS);
        }
        Self {
            columns,
            base,
            rows,
            names,
            cells,
            astral,
            preferred,
            pairs,
            #[cfg(feature = "std")]
            index: OnceLock::new(),
        }
    }

    /// The table that has a row.
    #[inline(always)]
    const fn owner(&self, row: usize) -> &Self {
        match self.base {
            Some(base) if row < self.rows.len() && word(self.rows, row) == NONE => base,
            _ => self,
        }
    }

    /// Which cell is at a place; if there is no such row, one that is not there either.
    #[inline(always)]
    const fn number(&self, (row, column): Place) -> usize {
        word(self.rows, row) as usize * self.columns + column
    }

    #[inline(always)]
    const fn is_astral(&self, cell: usize) -> bool {
        // Beyond the last it is none; a row that is not there is beyond.
        !self.astral.is_empty()
            && cell < self.cells.len()
            && word(self.astral, cell / 16) >> (cell % 16) & 1 != 0
    }

    /// The scalar value at a place, if there is one and one only.
    #[inline(always)]
    pub(super) const fn scalar(&self, (row, column): Place) -> Option<u32> {
        if column >= self.columns {
            return None;
        }
        let owner = self.owner(row);
        let cell = owner.number((row, column));
        let value = word(owner.cells, cell);
        if owner.is_astral(cell) {
            return Some(0x2_0000 | value as u32);
        }
        if value == NONE || value & 0xF800 == 0xD800 { None } else { Some(value as u32) }
    }

    /// What stands at a place.
    #[inline]
    pub(super) fn get(&self, place: Place) -> Option<Cell> {
        if place.1 >= self.columns {
            return None;
        }
        let owner = self.owner(place.0);
        let cell = owner.number(place);
        let value = word(owner.cells, cell);
        if owner.is_astral(cell) {
            return Some(Cell::One(CodePoint::within_31_bits(0x2_0000 | u32::from(value))));
        }
        match value {
            NONE => None,
            0xD800..0xD820 => {
                let at = 3 * usize::from(value - 0xD800);
                let one = |at| CodePoint::from_u16(word(owner.pairs, at));
                Some(Cell::Two(one(at), one(at + 1)))
            }
            _ => Some(Cell::One(CodePoint::from_u16(value))),
        }
    }

    /// Where a code point is written, as the table says it: row and column in a byte each, if there are no more rows.
    #[inline(always)]
    pub(super) fn code(&self, c: u32) -> Option<u16> {
        #[cfg(feature = "std")]
        return self.index().code(c);
        #[cfg(not(feature = "std"))]
        return self.search(c);
    }

    /// What says where code points are written: once for many of them.
    #[cfg(feature = "std")]
    #[inline(always)]
    pub(super) fn index(&self) -> &Index {
        self.index.get_or_init(|| {
            let preferred = self.preferred.iter().filter_map(|&code| {
                let code = u16::from_le_bytes(code);
                Some((self.scalar(self.place(code))?, code))
            });
            // What stands first is put last.
            self.codes().rev().chain(preferred).collect()
        })
    }
    #[cfg(all(feature = "multi-byte", not(feature = "std")))]
    #[inline(always)]
    pub(super) fn index(&self) -> &Self {
        self
    }

    /// The same by search.
    #[cfg(any(test, not(feature = "std")))]
    fn search(&self, c: u32) -> Option<u16> {
        let preferred = self.preferred.iter().map(|&code| u16::from_le_bytes(code));
        preferred.chain(self.codes().map(|(_, code)| code)).find(|&code| {
            let (row, column) = self.place(code);
            self.scalar((row, column)) == Some(c)
        })
    }

    /// Where every code point stands, all places, in their order.
    fn codes(&self) -> impl DoubleEndedIterator<Item = (u32, u16)> {
        let there = self
            .rows
            .iter()
            .enumerate()
            .filter(|&(_, &row)| self.base.is_some() || u16::from_le_bytes(row) != NONE);
        there.flat_map(move |(row, &place)| {
            (0..self.columns).filter_map(move |column| {
                let place = usize::from(u16::from_le_bytes(place));
                let code =
                    if self.names.is_empty() { row << 8 | column } else { place * self.columns + column };
                Some((self.scalar((row, column))?, u16::try_from(code).ok()?))
            })
        })
    }

    /// Where a code point stands.
    #[inline]
    pub(super) fn find(&self, c: CodePoint) -> Option<Place> {
        self.code(c.value()).map(|code| self.place(code))
    }

    #[inline(always)]
    pub(super) fn place(&self, code: u16) -> Place {
        let code = usize::from(code);
        if self.names.is_empty() {
            return (code >> 8, code & 0xFF);
        }
        (usize::from(word(self.names, code / self.columns)), code % self.columns)
    }

    #[cfg(feature = "multi-byte")]
    /// The pairs: their code points, and where they stand.
    fn pairs(&self) -> impl Iterator<Item = [u16; 3]> {
        self.pairs.as_chunks::<3>().0.iter().map(|pair| pair.map(u16::from_le_bytes))
    }

    #[cfg(feature = "multi-byte")]
    /// Where two code points together stand.
    pub(super) fn find_pair(&self, first: CodePoint, second: CodePoint) -> Option<Place> {
        let same = |word: u16, c: CodePoint| u32::from(word) == c.value();
        let found = self.pairs().find(|&[a, b, _]| same(a, first) && same(b, second));
        found.map(|[_, _, code]| self.place(code))
    }

    #[cfg(feature = "multi-byte")]
    /// Whether a pair begins with it.
    #[inline]
    pub(super) fn begins_pair(&self, c: CodePoint) -> bool {
        self.pairs().any(|[first, ..]| u32::from(first) == c.value())
    }
}

#[cfg(all(test, feature = "std"))]
pub(super) mod tests {
    use super::Grid;
    use std::vec::Vec;

    /// The index says what a search of the table says, of what the table has and what it has not.
    #[track_caller]
    pub(in crate::forms) fn index_is_right(grid: &Grid) {
        let mut held: Vec<u32> = grid.codes().map(|(c, _)| c).collect();
        held.sort_unstable();
        held.dedup();
        let step = held.len().div_ceil(100);
        for &c in held.iter().step_by(step) {
            let found = grid.search(c);
            assert!(found.is_some(), "U+{c:04X}");
            assert_eq!(grid.code(c), found, "U+{c:04X}");
        }
        for &code in grid.preferred {
            let code = u16::from_le_bytes(code);
            let c = grid.scalar(grid.place(code)).expect("what is preferred is there");
            assert_eq!(grid.code(c), Some(code), "U+{c:04X}");
        }
        let others = (0..0x3_0000).step_by(7).filter(|c| held.binary_search(c).is_err());
        assert!(others.clone().count() > 0x4000);
        for c in others {
            assert_eq!(grid.code(c), None, "U+{c:04X}");
        }
    }
}
