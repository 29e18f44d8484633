//! The single-byte charsets as data: `list.rs`, `names.txt` and `single_byte.bin`, which `cargo xtask tables` writes. All three
//! have the charsets in the same order.
//!
//! `names.txt` has the names, as `names_file.rs` describes.
//!
//! `single_byte.bin` has these parts, of which all numbers are little-endian:
//!
//! | part | size | content |
//! | --- | --- | --- |
//! | head | four `u16` | the numbers of charsets, of upper halves, of full tables and of preferred bytes |
//! | rows | 4 bytes a charset | flags; the index of its table; its first preferred byte, and the one after its last |
//! | upper halves | 128 `u16` each | the code points of the bytes from 80 on; below is ASCII |
//! | full tables | 256 `u16` each | the code points of all bytes |
//! | preferred bytes | a byte each | bytes that are written although a lower one means the same code point |
//!
//! Flag 1 marks a charset with a full table, flag 2 one in which the bytes below 80, and no others, mean ASCII, and flag 4
//! one in which two bytes mean the same code point. A byte without a code point has [`UNDEFINED`](placemat_core::kernels::single_byte::UNDEFINED). Charsets with equal tables share one.

use super::list::charsets;
use crate::names_file::{self, Parts};
use placemat_core::forms::facts::AsciiBytes;
use placemat_core::forms::names::Names;

macro_rules! members {
    ($($member:ident, $constant:ident, $about:literal;)*) => {
        /// A charset of one byte a character: a member of the family of [`ByTable`](super::ByTable).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub(crate) enum SingleByte {
            $(#[doc = $about] $member,)*
        }

        pub(super) const ALL: &[SingleByte] = &[$(SingleByte::$member),*];
    };
}
charsets!(members);

impl Default for SingleByte {
    #[inline]
    fn default() -> Self {
        ALL[0]
    }
}

/// The number of charsets.
pub(super) const COUNT: usize = ALL.len();

/// A code point of a table, little-endian.
type Cell = [u8; 2];

/// The code points of the bytes, [`UNDEFINED`](placemat_core::kernels::single_byte::UNDEFINED) for those that have none.
pub(super) enum Table {
    /// ASCII below 80, and this from there on.
    Ascii(&'static [Cell; 128]),
    Full(&'static [Cell; 256]),
}

/// The row of a charset in `single_byte.bin`.
#[derive(Clone, Copy)]
pub(super) struct Charset([u8; ROW]);

static BYTES: [u8; include_bytes!("single_byte.bin").len()] = *include_bytes!("single_byte.bin");
const HEAD: usize = 8;
const ROW: usize = 4;
const IS_FULL: u8 = 1;
const IS_ASCII_COMPATIBLE: u8 = 2;
const HAS_DOUBLES: u8 = 4;

const ROWS: &[[u8; ROW]; COUNT] = {
    assert!(in_head(0) == COUNT, "single_byte.bin is of another list of charsets");
    BYTES.split_at(HEAD).1.as_chunks().0.first_chunk().expect("the rows")
};
const UPPER_HALVES: &[[Cell; 128]; in_head(1)] = tables(HEAD + COUNT * ROW);
const FULL: &[[Cell; 256]; in_head(2)] = tables(HEAD + COUNT * ROW + size_of_val(UPPER_HALVES));
const PREFERRED: &[u8; in_head(3)] = {
    let start = HEAD + COUNT * ROW + size_of_val(UPPER_HALVES) + size_of_val(FULL);
    BYTES.split_at(start).1.first_chunk().expect("the end of the file")
};

/// Returns a number of the head.
const fn in_head(index: usize) -> usize {
    u16::from_le_bytes(BYTES.as_chunks().0[index]) as usize
}

/// Returns the tables that start at an offset.
const fn tables<const CELLS: usize, const TABLES: usize>(start: usize) -> &'static [[Cell; CELLS]; TABLES] {
    BYTES.split_at(start).1.as_chunks().0.as_chunks().0.first_chunk().expect("tables")
}

impl Charset {
    #[inline(always)]
    pub(super) const fn of(charset: SingleByte) -> Self {
        Self(ROWS[charset as usize])
    }

    /// Returns the meaning of the bytes below 80.
    pub(super) const fn ascii_bytes(self) -> AsciiBytes {
        match self.0[0] {
            flags if flags & IS_ASCII_COMPATIBLE != 0 => AsciiBytes::Always,
            flags if flags & IS_FULL != 0 => AsciiBytes::Never,
            _ => AsciiBytes::NotOnly,
        }
    }

    /// Returns `true` if two bytes mean the same code point.
    pub(super) const fn has_doubles(self) -> bool {
        self.0[0] & HAS_DOUBLES != 0
    }

    #[inline(always)]
    pub(super) fn table(self) -> Table {
        let [flags, index, ..] = self.0;
        match flags & IS_FULL {
            0 => Table::Ascii(&UPPER_HALVES[usize::from(index)]),
            _ => Table::Full(&FULL[usize::from(index)]),
        }
    }

    /// Bytes that are written although a lower one means the same code point.
    pub(super) fn preferred(self) -> &'static [u8] {
        let [.., start, end] = self.0;
        &PREFERRED[start.into()..end.into()]
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
        let parts = [size_of_val(ROWS), size_of_val(UPPER_HALVES), size_of_val(FULL), size_of_val(PREFERRED)];
        assert_eq!(BYTES.len(), HEAD + parts.iter().sum::<usize>());
    }

    #[test]
    fn every_table_and_preferred_byte_belongs_to_a_charset() {
        let mut upper_halves = [false; UPPER_HALVES.len()];
        let mut full = [false; FULL.len()];
        let mut end_of_last = 0;
        for &[flags, index, start, end] in ROWS {
            assert!(flags <= IS_FULL | IS_ASCII_COMPATIBLE | HAS_DOUBLES, "{flags}");
            let tables: &mut [bool] = if flags & IS_FULL == 0 { &mut upper_halves } else { &mut full };
            tables[usize::from(index)] = true;
            assert!(start == end_of_last && start <= end, "{start}..{end}");
            end_of_last = end;
        }
        assert!(upper_halves.iter().chain(&full).all(|&is_used| is_used));
        assert_eq!(usize::from(end_of_last), PREFERRED.len());
    }

    /// Only the repository has the source, not the package.
    #[test]
    fn the_files_say_what_their_source_says() {
        let Ok(source) =
            std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tables/single-byte.txt"))
        else {
            return;
        };
        let mut blocks = source.split_terminator("\n\n");
        for (index, &charset) in ALL.iter().enumerate() {
            let block = blocks.next().expect("a charset");
            let line = |key: &str| block.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' '));
            let words =
                |key: &str| -> Vec<&str> { line(key).map_or(Vec::new(), |value| value.split(' ').collect()) };
            let byte = |word| u8::from_str_radix(word, 16).expect("a byte");

            let (member, name) = line("charset").and_then(|value| value.split_once(' ')).expect("a name");
            assert_eq!(format!("{charset:?}"), member);
            let names = names(index);
            assert_eq!((names.name, Some(names.about)), (name, line("about")));
            assert_eq!(Some(names.specified_in), line("spec"), "{name}");
            assert_eq!(names.labels.iter().collect::<Vec<_>>(), words("labels"), "{name}");
            assert_eq!(names.web_labels.iter().collect::<Vec<_>>(), words("web"), "{name}");

            let preferred: Vec<u8> = words("write").into_iter().map(byte).collect();
            assert_eq!(Charset::of(charset).preferred(), preferred, "{name}");
            for high in (0..=0xF0).step_by(16) {
                let row = words(&format!("{high:02x}"));
                assert!(row.len() == 16 || (row.is_empty() && high < 0x80), "row {high:02x} of {name}");
                for low in 0..16 {
                    let byte = high | low;
                    let expected = match row.get(usize::from(low)) {
                        None => byte.into(),
                        Some(&"----") => super::super::UNDEFINED,
                        Some(word) => u16::from_str_radix(word, 16).expect("a code point"),
                    };
                    assert_eq!(charset.code_point(byte), expected, "{byte:02x} in {name}");
                }
            }
        }
        assert_eq!(blocks.next(), None);
    }
}
