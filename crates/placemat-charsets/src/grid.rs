//! Tables of two-byte codes, from rows and columns to code points and back. `xtask/multi_byte.py` makes them and describes
//! their layout.
//!
//! A table holds the decoder's mapping. The encoder finds a code point by an index that the first use builds
//! (830 KB less in the library, for half a millisecond at most), and by a search where the index has no place: without
//! `alloc`, and on machines without compare-and-swap.
//!
//! A table may rest on another one and hold only the rows that differ: the later editions of the EBCDIC pages, JIS X 0208
//! in JIS X 0213. That takes 139 KB for ten sets instead of 330.

#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
use crate::index::Index;
use placemat_core::ground::code_point::CodePoint;
#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
use placemat_core::ground::once::Once;

/// The number of words in the head.
const HEAD: usize = 6;
/// The number of rows whose number fits into the code of a place.
const ROWS: usize = 0x100;
const NONE: u16 = 0xFFFF;

/// A word, least significant byte first.
type Word = [u8; 2];

/// A table of two-byte codes.
#[derive(Debug)]
pub(super) struct Grid {
    columns: usize,
    /// The table that has the rows that this one lacks.
    base: Option<&'static Self>,
    /// The position of each row among the stored rows.
    rows: &'static [Word],
    /// The number of each row; empty where the code of a place has it.
    names: &'static [Word],
    cells: &'static [Word],
    /// The cells of plane 2.
    astral: &'static [Word],
    /// The places where the encoder writes code points that also stand at an earlier place.
    preferred: &'static [Word],
    pairs: &'static [Word],
    #[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
    index: Once<Index>,
}

/// The structure in which the encoder looks up a code point: an index, or the table itself.
#[cfg(all(feature = "cjk-extra", feature = "alloc", target_has_atomic = "ptr"))]
pub(super) type Written = Index;
#[cfg(all(feature = "cjk-extra", not(all(feature = "alloc", target_has_atomic = "ptr"))))]
pub(super) type Written = Grid;

/// The content of a cell.
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

    /// Returns a table that rests on another.
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
            #[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
            index: Once::new(),
        }
    }

    /// Returns the table that has a row.
    #[inline(always)]
    const fn owner(&self, row: usize) -> &Self {
        match self.base {
            Some(base) if row < self.rows.len() && word(self.rows, row) == NONE => base,
            _ => self,
        }
    }

    /// Returns the cell at a place; for a row that does not exist, a cell that does not exist either.
    #[inline(always)]
    const fn number(&self, (row, column): Place) -> usize {
        word(self.rows, row) as usize * self.columns + column
    }

    #[inline(always)]
    const fn is_astral(&self, cell: usize) -> bool {
        // Cells beyond the last are not of plane 2; those of a row that does not exist are beyond.
        !self.astral.is_empty()
            && cell < self.cells.len()
            && word(self.astral, cell / 16) >> (cell % 16) & 1 != 0
    }

    /// Returns the scalar value at a place, if there is exactly one.
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

    /// Returns the content of the cell at a place.
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

    /// Returns the place where a code point is written, in the code of the table: row and column in a byte each, if the
    /// rows fit.
    #[inline(always)]
    pub(super) fn code(&self, c: u32) -> Option<u16> {
        #[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
        return self.index().code(c);
        #[cfg(not(all(feature = "alloc", target_has_atomic = "ptr")))]
        return self.search(c);
    }

    /// Returns the index in which the encoder looks up code points; a loop asks for it once.
    #[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
    #[inline(always)]
    pub(super) fn index(&self) -> &Index {
        self.index.get_or_make(|| {
            let preferred = self.preferred.iter().filter_map(|&code| {
                let code = u16::from_le_bytes(code);
                Some((self.scalar(self.place(code))?, code))
            });
            // The last code counts, so the first place comes last.
            self.codes().rev().chain(preferred).collect()
        })
    }
    #[cfg(all(feature = "cjk-extra", not(all(feature = "alloc", target_has_atomic = "ptr"))))]
    #[inline(always)]
    pub(super) fn index(&self) -> &Self {
        self
    }

    /// Returns the code of a code point, by a search without an index.
    #[cfg(any(test, not(all(feature = "alloc", target_has_atomic = "ptr"))))]
    fn search(&self, c: u32) -> Option<u16> {
        let preferred = self.preferred.iter().map(|&code| u16::from_le_bytes(code));
        preferred.chain(self.codes().map(|(_, code)| code)).find(|&code| {
            let (row, column) = self.place(code);
            self.scalar((row, column)) == Some(c)
        })
    }

    /// Returns all places of all code points, in the order of places.
    pub(super) fn codes(&self) -> impl DoubleEndedIterator<Item = (u32, u16)> {
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

    /// Returns the place of a code point.
    #[cfg(any(feature = "cjk-extra", feature = "marc8"))]
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

    #[cfg(feature = "cjk-extra")]
    /// Returns the pairs: their code points, and their places.
    fn pairs(&self) -> impl Iterator<Item = [u16; 3]> {
        self.pairs.as_chunks::<3>().0.iter().map(|pair| pair.map(u16::from_le_bytes))
    }

    #[cfg(feature = "cjk-extra")]
    /// Returns the place of a pair of code points.
    pub(super) fn find_pair(&self, first: CodePoint, second: CodePoint) -> Option<Place> {
        let same = |word: u16, c: CodePoint| u32::from(word) == c.value();
        let found = self.pairs().find(|&[a, b, _]| same(a, first) && same(b, second));
        found.map(|[_, _, code]| self.place(code))
    }

    #[cfg(feature = "cjk-extra")]
    /// Returns `true` if a pair begins with this code point.
    #[inline]
    pub(super) fn begins_pair(&self, c: CodePoint) -> bool {
        self.pairs().any(|[first, ..]| u32::from(first) == c.value())
    }
}

#[cfg(all(test, feature = "alloc", target_has_atomic = "ptr"))]
pub(super) mod tests {
    use super::Grid;
    use std::vec::Vec;

    /// The index agrees with a search of the table, for code points inside and outside of the table.
    #[track_caller]
    pub(crate) fn index_is_right(grid: &Grid) {
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
