//! The tables of a single-byte encoding.

/// Marks an undefined byte in a table of code points: a noncharacter, which no encoding contains.
pub const UNDEFINED: u16 = 0xFFFF;
/// The `before` and `first` bytes of an undefined byte: a combination that never occurs in UTF-8.
pub(super) const UNDEFINED_BEFORE: u8 = 0x80;
pub(super) const UNDEFINED_FIRST: u8 = 0xFF;
/// The length of an undefined byte: more than that of any stretch of text that is examined as a
/// whole.
pub(crate) const UNDEFINED_LEN: usize = 0x80;

/// The number of rows that suffice for the encoder of any charset; a test checks it.
pub const ROWS: usize = 24;
/// The rows of an encoder: 64 bytes for each page of 64 code points.
pub type Rows = [[u8; 64]; ROWS];

/// A single-byte encoding as its kernel to UTF-8 needs it: the UTF-8 of each byte.
#[derive(Debug)]
#[repr(align(64))]
pub struct SingleByteDecoder {
    /// The last byte of each sequence, the one before it, and the one before that; zero if there is
    /// none.
    pub(super) last: [u8; 256],
    pub(super) before: [u8; 256],
    pub(super) first: [u8; 256],
    /// Each sequence in the low three bytes, and its length in the top byte; [`UNDEFINED_LEN`] for
    /// an undefined byte.
    pub(super) words: [u32; 256],
    pub(super) ascii: bool,
    /// The length of byte 0 in UTF-8; 0 if the byte is undefined.
    pub(super) len_of_zero: usize,
    /// Whether all bytes from C0 up have two-byte sequences.
    pub(super) letters_of_two: bool,
    /// Whether the bytes below 80 and from A0 up equal those of Latin-1.
    pub(super) mostly_latin1: bool,
    /// Whether more than half of the bytes from 80 up have three-byte sequences.
    pub(super) mostly_three: bool,
}

impl SingleByteDecoder {
    /// Builds the tables of an encoding from the code points of its bytes, [`UNDEFINED`] for
    /// undefined ones.
    #[must_use]
    pub const fn new(code_points: &[u16; 256]) -> Self {
        let mut table = Self {
            last: [0; 256],
            before: [0; 256],
            first: [0; 256],
            words: [0; 256],
            ascii: true,
            len_of_zero: 0,
            letters_of_two: true,
            mostly_latin1: true,
            mostly_three: false,
        };
        let (mut byte, mut of_three) = (0, 0);
        while byte < 256 {
            let c = code_points[byte];
            let [last, third] = [c as u8 & 0x3F | 0x80, (c >> 6) as u8 & 0x3F | 0x80];
            let (first, before, last, len) = match c {
                // A surrogate has no UTF-8. No charset has one, but the guarantee of valid UTF-8
                // must not depend on that.
                UNDEFINED | 0xD800..=0xDFFF => (UNDEFINED_FIRST, UNDEFINED_BEFORE, 0, 0),
                0..0x80 => (0, 0, c as u8, 1),
                0x80..0x800 => (0, (c >> 6) as u8 | 0xC0, last, 2),
                0x800.. => ((c >> 12) as u8 | 0xE0, third, last, 3),
            };
            table.last[byte] = last;
            table.before[byte] = before;
            table.first[byte] = first;
            table.words[byte] = match len {
                0 => (UNDEFINED_LEN as u32) << 24,
                1 => u32::from_le_bytes([last, 0, 0, 1]),
                2 => u32::from_le_bytes([before, last, 0, 2]),
                _ => u32::from_le_bytes([first, before, last, 3]),
            };
            table.ascii &= byte >= 0x80 || c as usize == byte;
            table.letters_of_two &= byte < 0xC0 || len == 2;
            table.mostly_latin1 &= byte >= 0x80 && byte < 0xA0 || c as usize == byte;
            of_three += (byte >= 0x80 && len == 3) as usize;
            if byte == 0 {
                table.len_of_zero = len;
            }
            byte += 1;
        }
        table.mostly_three = of_three > 64;
        table
    }

    /// Whether bytes below 80 are ASCII.
    pub(crate) const fn is_ascii_superset(&self) -> bool {
        self.ascii
    }

    /// Returns the UTF-8 of a byte in the low bytes of a word, and its length; [`UNDEFINED_LEN`] if
    /// it is undefined.
    #[inline(always)]
    #[must_use]
    pub const fn utf8_of(&self, byte: u8) -> (u32, usize) {
        let word = self.words[byte as usize];
        (word, (word >> 24) as usize)
    }
}

/// The code point of byte 0 if that byte is undefined: no code point.
const NO_ZERO: u32 = u32::MAX;

/// Number of lead bytes of two-byte sequences that have vector rows.
pub(super) const LEADS: usize = 4;
/// Number of pairs of first bytes of three-byte sequences that have vector rows.
pub(super) const HEADS: usize = 4;

/// A single-byte encoding as its kernel from UTF-8 needs it: the byte of each code point. `R` is an
/// array of rows where the encoder is built, and a slice where it is used.
#[derive(Clone, Debug)]
pub struct SingleByteEncoder<R: ?Sized = [[u8; 64]]> {
    /// The byte of each ASCII code point.
    pub(super) ascii: [u8; 128],
    pub(crate) identity: bool,
    /// The code point that byte 0 represents, or [`NO_ZERO`]. For every other code point, a 0 in
    /// the tables means that it has no byte.
    pub(super) zero: u32,
    /// The lead bytes of two-byte sequences with most code points, and their rows.
    pub(super) leads: [u8; LEADS],
    pub(super) lead_rows: [[u8; 64]; LEADS],
    /// The first two bytes of three-byte sequences with most code points, and their rows.
    pub(super) heads: [[u8; 2]; HEADS],
    pub(super) head_rows: [[u8; 64]; HEADS],
    /// The row number of each page of 64 code points.
    pub(super) pages: [u8; 1024],
    pub(super) rows: R,
}

impl SingleByteEncoder {
    /// Returns the number of rows in the table of an encoding.
    #[must_use]
    pub const fn rows(code_points: &[u16; 256]) -> usize {
        let (mut rows, mut seen, mut byte) = (1, [false; 1024], 0);
        while byte < 256 {
            let page = code_points[byte] as usize >> 6;
            if code_points[byte] != UNDEFINED && !seen[page] {
                seen[page] = true;
                rows += 1;
            }
            byte += 1;
        }
        rows
    }

    /// Returns the byte of a code point, if it has one.
    #[inline(always)]
    #[must_use]
    pub const fn byte_of(&self, code_point: u32) -> Option<u8> {
        if code_point > 0xFFFF {
            return None;
        }
        let byte = self.byte_or_zero(code_point as u16);
        if byte != 0 || code_point == self.zero { Some(byte) } else { None }
    }

    /// Returns the byte of a code point, or 0 if it has none.
    #[inline(always)]
    pub(crate) const fn byte_or_zero(&self, code_point: u16) -> u8 {
        let row = self.pages[code_point as usize >> 6] as usize;
        if row < self.rows.len() { self.rows[row][code_point as usize & 63] } else { 0 }
    }

    /// The code point that byte 0 represents, or a number that is no code point.
    pub(crate) const fn zero(&self) -> u32 {
        self.zero
    }

    /// Writes the byte of each little-endian UTF-16 unit to the same index of `out`. Returns
    /// whether all units have one; otherwise the bytes written are meaningless.
    #[inline(never)]
    pub(super) fn look_up_all(&self, units: &[[u8; 2]], out: &mut [u8]) -> bool {
        let mut zeros = false;
        for (&unit, slot) in units.iter().zip(out.iter_mut()) {
            let unit = u16::from_le_bytes(unit);
            *slot = self.byte_or_zero(unit);
            zeros |= *slot == 0;
        }
        let right =
            |(&unit, &byte): (&[u8; 2], &u8)| byte != 0 || u32::from(u16::from_le_bytes(unit)) == self.zero;
        !zeros || units.iter().zip(&*out).all(right)
    }
}

impl<const ROWS: usize> SingleByteEncoder<[[u8; 64]; ROWS]> {
    /// Builds the tables of an encoding from the code points of its bytes; `ROWS` must be
    /// [`rows`](SingleByteEncoder::rows)`(code_points)`. If several bytes have the same code point,
    /// the lowest is used.
    #[must_use]
    pub const fn new(code_points: &[u16; 256]) -> Self {
        Self::preferring(code_points, &[])
    }

    /// Builds the tables of an encoding from the code points of its bytes; `ROWS` must be
    /// [`rows`](SingleByteEncoder::rows)`(code_points)`. If several bytes have the same code point,
    /// the one in `written` is used, or else the lowest.
    #[must_use]
    pub const fn preferring(code_points: &[u16; 256], written: &[u8]) -> Self {
        let mut table = Self {
            ascii: [0; 128],
            identity: code_points[0] == 0,
            zero: if code_points[0] == UNDEFINED { NO_ZERO } else { code_points[0] as u32 },
            leads: [0; LEADS],
            lead_rows: [[0; 64]; LEADS],
            heads: [[0; 2]; HEADS],
            head_rows: [[0; 64]; HEADS],
            pages: [0; 1024],
            rows: [[0; 64]; ROWS],
        };
        // A byte replaces bytes that were entered before it: the lowest of all bytes remains, or a
        // preferred one.
        let (mut used, mut left) = (1, 256 + written.len());
        while left > 0 {
            left -= 1;
            let byte = if left >= written.len() { left - written.len() } else { written[left] as usize };
            let c = code_points[byte] as usize;
            if c == UNDEFINED as usize {
                continue;
            }
            if table.pages[c >> 6] == 0 {
                table.pages[c >> 6] = used;
                used += 1;
            }
            table.rows[table.pages[c >> 6] as usize][c & 63] = byte as u8;
            if c < 0x80 {
                table.ascii[c] = byte as u8;
            }
        }
        let mut c = 0;
        while c < 128 {
            table.identity &= table.ascii[c] as usize == c;
            c += 1;
        }
        // Pages 2 to 31 have two-byte sequences, later ones three-byte sequences.
        let pages = table.fullest::<LEADS>(2, 32);
        let mut place = 0;
        while place < LEADS && pages[place] != 0 {
            table.leads[place] = 0xC0 | pages[place] as u8;
            table.lead_rows[place] = table.rows[table.pages[pages[place]] as usize];
            place += 1;
        }
        let pages = table.fullest::<HEADS>(32, 1024);
        let mut place = 0;
        while place < HEADS && pages[place] != 0 {
            table.heads[place] = [0xE0 | (pages[place] >> 6) as u8, 0x80 | (pages[place] & 63) as u8];
            table.head_rows[place] = table.rows[table.pages[pages[place]] as usize];
            place += 1;
        }
        table
    }

    /// Removes a code point from the tables, as if the encoding could not represent it.
    pub(crate) fn remove(&mut self, code_point: u16) {
        let page = code_point >> 6;
        let at = usize::from(code_point & 63);
        if let Some(row) = self.rows.get_mut(usize::from(self.pages[usize::from(page)])) {
            row[at] = 0;
        }
        if let Some(byte) = self.ascii.get_mut(usize::from(code_point)) {
            (*byte, self.identity) = (0, false);
        }
        if self.zero == u32::from(code_point) {
            self.zero = NO_ZERO;
        }
        let [low, high] = [(page & 63) as u8 | 0x80, (page >> 6) as u8 | 0xE0];
        for (row, &lead) in self.lead_rows.iter_mut().zip(&self.leads) {
            if page < 32 && lead == page as u8 | 0xC0 {
                row[at] = 0;
            }
        }
        for (row, &head) in self.head_rows.iter_mut().zip(&self.heads) {
            if head == [high, low] {
                row[at] = 0;
            }
        }
    }

    /// Returns the pages from `from` to `end` with most code points, fullest first; 0 if there are
    /// no more.
    const fn fullest<const N: usize>(&self, from: usize, end: usize) -> [usize; N] {
        let (mut pages, mut counts) = ([0; N], [0; N]);
        let mut page = from;
        while page < end {
            let row = &self.rows[self.pages[page] as usize];
            let (mut count, mut i) = (0, 0);
            while i < 64 {
                count += (row[i] != 0) as usize;
                i += 1;
            }
            let (mut page_here, mut place) = (page, 0);
            while place < N {
                if count > counts[place] {
                    (count, counts[place]) = (counts[place], count);
                    (page_here, pages[place]) = (pages[place], page_here);
                }
                place += 1;
            }
            page += 1;
        }
        pages
    }
}
