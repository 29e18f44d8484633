//! The table of EACC. `xtask/marc8.py` makes it and describes its layout.

use placemat_core::ground::chunk::chunk_at;
use placemat_core::ground::code_point::CodePoint;

static BYTES: &[u8] = include_bytes!("marc8_eacc.bin");
const HEAD: usize = 2;
const ROWS: usize = BYTES[0] as usize | (BYTES[1] as usize) << 8;
const PAGES: usize = BYTES[2] as usize | (BYTES[3] as usize) << 8;
const ROW: usize = 7;
const PAGE: usize = 17;
/// The starts of the parts, in words.
const BITS: usize = HEAD + ROWS;
const BY_RANK: usize = BITS + ROWS * ROW;
const BY_VALUE: usize = {
    // The words between the two parts are one for each code.
    let last = BITS + (ROWS - 1) * ROW;
    let mut codes = word_at(last + 6) as usize;
    let mut i = 0;
    while i < 6 {
        codes += word_at(last + i).count_ones() as usize;
        i += 1;
    }
    BY_RANK + codes
};
const PAGE_BITS: usize = BY_VALUE + 0x100;
const RANKS: usize = PAGE_BITS + PAGES * PAGE;

const fn word_at(at: usize) -> u16 {
    u16::from_le_bytes([BYTES[2 * at], BYTES[2 * at + 1]])
}

fn word(at: usize) -> u16 {
    chunk_at!(BYTES, 2 * at).map_or(0xFFFF, |word| u16::from_le_bytes(*word))
}

/// Returns the rank of bit `n` among those that are set from word `at` on, if it is set.
fn rank(at: usize, n: usize, words: usize) -> Option<usize> {
    let here = word(at + n / 16);
    if here >> (n % 16) & 1 == 0 {
        return None;
    }
    let before: u32 = (0..n / 16).map(|i| word(at + i).count_ones()).sum();
    let before = before + (here & ((1 << (n % 16)) - 1)).count_ones();
    Some(usize::from(word(at + words)) + before as usize)
}

pub(super) fn get([first, second, third]: [u8; 3]) -> Option<CodePoint> {
    let name = 94 * u16::from(first.checked_sub(0x21)?) + u16::from(second.checked_sub(0x21)?);
    let (mut from, mut to) = (0, ROWS);
    while from < to {
        let middle = usize::midpoint(from, to);
        if word(HEAD + middle) < name { from = middle + 1 } else { to = middle }
    }
    if from == ROWS || word(HEAD + from) != name {
        return None;
    }
    let rank = rank(BITS + from * ROW, usize::from(third.checked_sub(0x20)?), 6)?;
    Some(CodePoint::from_u16(word(BY_RANK + rank)))
}

pub(super) fn find(c: CodePoint) -> Option<[u8; 3]> {
    let c = usize::from(u16::try_from(c.value()).ok()?);
    let page = word(BY_VALUE + (c >> 8));
    if page == 0xFFFF {
        return None;
    }
    let rank_of = rank(PAGE_BITS + usize::from(page) * PAGE, c & 0xFF, 16)?;
    let code = usize::from(word(RANKS + rank_of));
    // The row is the last that begins at or before it.
    let (mut from, mut to) = (0, ROWS);
    while to - from > 1 {
        let middle = usize::midpoint(from, to);
        if usize::from(word(BITS + middle * ROW + 6)) <= code { from = middle } else { to = middle }
    }
    let at = BITS + from * ROW;
    let third = (0..96_u8).find(|&n| rank(at, n.into(), 6) == Some(code))?;
    let [first, second] = [word(HEAD + from) / 94, word(HEAD + from) % 94].map(|n| 0x21 + n.to_le_bytes()[0]);
    Some([first, second, 0x20 + third])
}
