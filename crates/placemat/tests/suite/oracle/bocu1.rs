//! BOCU-1, written from the table of Unicode Technical Note #6.

use super::{Fault, Item};

/// Returns the bytes that can follow a lead byte, by digit.
fn trail_bytes() -> Vec<u8> {
    let controls = [1..=6, 0x10..=0x19, 0x1C..=0x1F].into_iter().flatten();
    controls.chain(0x21..=0xFF).collect()
}

/// Returns the base of the difference after a code point: the middle of its block.
fn base_after(c: i64) -> i64 {
    match c {
        0x3040..=0x309F => 0x3070,
        0x4E00..=0x9FA5 => 0x7711,
        0xAC00..=0xD7A3 => 0xC1D1,
        _ => c / 0x80 * 0x80 + 0x40,
    }
}

/// The ranges of differences: the smallest difference, its lead byte, the number of further bytes.
/// The first range begins with the smallest difference that four bytes can express.
const RANGES: [(i64, i64, u32); 7] = [
    (-187_660 - 243 * 243 * 243, 0x21, 3),
    (-10_513 - 3 * 243 * 243, 0x22, 2),
    (-64 - 43 * 243, 0x25, 1),
    (-64, 0x50, 0),
    (64, 0xD0, 1),
    (10_513, 0xFB, 2),
    (187_660, 0xFE, 3),
];

pub(super) fn items(bytes: &[u8]) -> Vec<Item> {
    let trails = trail_bytes();
    let mut found = Vec::new();
    let (mut at, mut base) = (0, 0x40_i64);
    while at < bytes.len() {
        let (start, first) = (at, i64::from(bytes[at]));
        at += 1;
        if first <= 0x20 {
            if first != 0x20 {
                base = 0x40;
            }
            found.push(Item::CodePoint { value: first as u32, start, end: at });
            continue;
        }
        if first == 0xFF {
            base = 0x40;
            continue;
        }
        let &(least, lead, count) =
            RANGES.iter().rev().find(|(_, lead, _)| first >= *lead).expect("21 is the first");
        let mut difference = first - lead;
        let mut wrong = None;
        for _ in 0..count {
            match bytes.get(at).map(|byte| trails.iter().position(|trail| trail == byte)) {
                None => wrong = Some("incomplete"),
                Some(None) => wrong = Some("bad-trail"),
                Some(Some(digit)) => {
                    difference = difference * 243 + digit as i64;
                    at += 1;
                    continue;
                }
            }
            break;
        }
        let value = base + least + difference;
        let wrong = wrong.or(match value {
            0xD800..=0xDFFF => Some("surrogate"),
            0..=0x10_FFFF => None,
            _ => Some("out-of-range"),
        });
        if let Some(kind) = wrong {
            base = 0x40;
            found.push(Item::Error(Fault { start, end: at, kind }));
            continue;
        }
        base = base_after(value);
        found.push(Item::CodePoint { value: value as u32, start, end: at });
    }
    found
}

#[derive(Clone, Debug)]
pub(super) struct Pen {
    base: i64,
}

impl Default for Pen {
    fn default() -> Self {
        Self { base: 0x40 }
    }
}

impl Pen {
    pub(super) fn put(&mut self, code_point: u32) -> Vec<u8> {
        let c = i64::from(code_point);
        if c <= 0x20 {
            if c != 0x20 {
                self.base = 0x40;
            }
            return vec![code_point as u8];
        }
        let difference = c - self.base;
        self.base = base_after(c);
        let &(least, lead, count) =
            RANGES.iter().rev().find(|(least, ..)| difference >= *least).expect("the first is far enough");
        let trails = trail_bytes();
        let mut rest = difference - least;
        let mut backwards = Vec::new();
        for _ in 0..count {
            backwards.push(trails[(rest % 243) as usize]);
            rest /= 243;
        }
        backwards.push((lead + rest) as u8);
        backwards.into_iter().rev().collect()
    }
}
