//! The packed streams of the model: bits from the lowest of each byte up, and prefix codes.

use alloc::boxed::Box;

/// The number of symbols of a prefix code.
pub(crate) const SYMBOLS: usize = 32;
/// The longest prefix code, in bits.
pub(crate) const LONGEST: u32 = 12;

/// Reads bits. Past the end, all bits are zero.
pub(crate) struct Bits<'a> {
    rest: &'a [u8],
    held: u64,
    count: u32,
}

impl<'a> Bits<'a> {
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, held: 0, count: 0 }
    }

    /// Makes at least 32 bits ready.
    #[inline]
    fn fill(&mut self) {
        if self.count >= 32 {
            return;
        }
        if let Some((four, rest)) = self.rest.split_first_chunk::<4>() {
            self.held |= u64::from(u32::from_le_bytes(*four)) << self.count;
            self.count += 32;
            self.rest = rest;
        } else {
            for &byte in self.rest {
                self.held |= u64::from(byte) << self.count;
                self.count += 8;
            }
            self.rest = &[];
            // Zeros without end.
            self.count = self.count.max(32);
        }
    }

    /// Returns the next `n` bits, at most 24.
    #[inline]
    pub(crate) fn take(&mut self, n: u32) -> u32 {
        self.fill();
        let bits = u32::try_from(self.held & ((1 << n) - 1)).unwrap_or(0);
        self.held >>= n;
        self.count -= n;
        bits
    }

    /// Returns the next symbol of `code`.
    #[inline]
    pub(crate) fn symbol(&mut self, code: &Code) -> u8 {
        self.fill();
        // Masked before it becomes a place: where places have 32 bits, all that is held would not fit.
        let next = self.held & (code.table.len() as u64 - 1);
        let entry = code.table[usize::try_from(next).unwrap_or(0)];
        let length = u32::from(entry >> 8);
        self.held >>= length;
        self.count -= length;
        entry.to_le_bytes()[0]
    }
}

/// Numbers of five bits, which can be read in any order. Past the end, all are zero.
#[derive(Clone, Copy)]
pub(crate) struct Fives<'a>(&'a [u8]);

impl<'a> Fives<'a> {
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// Returns the bytes that `count` numbers take.
    pub(crate) const fn bytes(count: usize) -> usize {
        (count * 5).div_ceil(8)
    }

    #[inline]
    pub(crate) fn get(self, index: usize) -> u8 {
        let bit = index * 5;
        let byte = |at: usize| u16::from(self.0.get(at).copied().unwrap_or(0));
        let two = byte(bit / 8) | byte(bit / 8 + 1) << 8;
        (two >> (bit % 8)).to_le_bytes()[0] & 0x1F
    }
}

/// A canonical prefix code: shorter codes first, then in the order of the symbols.
pub(crate) struct Code {
    /// For each value of the next bits: the length of the code that they begin with, and its symbol below.
    table: Box<[u16; 1 << LONGEST]>,
}

impl Code {
    /// The code with these lengths in bits; 0 for a symbol that does not occur.
    pub(crate) fn new(lengths: &[u8; SYMBOLS]) -> Self {
        let mut table = Box::new([1 << 8; 1 << LONGEST]);
        for (symbol, (code, length)) in codes(lengths).into_iter().enumerate() {
            if length == 0 {
                continue;
            }
            let entry = u16::try_from(length << 8).unwrap_or(0) | u16::try_from(symbol).unwrap_or(0);
            for at in (code..1 << LONGEST).step_by(1 << length) {
                table[at as usize] = entry;
            }
        }
        Self { table }
    }
}

/// The code of each symbol, its first bit lowest, and its length.
pub(crate) fn codes(lengths: &[u8; SYMBOLS]) -> [(u32, u32); SYMBOLS] {
    let mut codes = [(0, 0); SYMBOLS];
    let mut next: u32 = 0;
    for length in 1..=LONGEST {
        for (symbol, &own) in lengths.iter().enumerate() {
            if u32::from(own) == length {
                codes[symbol] = (next.reverse_bits() >> (32 - length), length);
                next += 1;
            }
        }
        next <<= 1;
    }
    codes
}
