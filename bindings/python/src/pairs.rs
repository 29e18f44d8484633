//! Encodings with one or two bytes for most code points, by a table of all pairs of bytes:
//! Shift_JIS, EUC, GBK, Big5 and similar ones.
//!
//! A text of code points in the table needs no step that handles errors, longer sequences and wide
//! code points. The library converts all other texts.

use crate::new_str::NewStr;
use crate::raw::{self, alone};
use crate::text::{No, PIECE_BYTES};
use placemat::{Encoding, ErrorPolicy};
use std::sync::OnceLock;

/// Texts shorter than this, in bytes, do not pay for the table, which takes some milliseconds to
/// make.
const MIN_TABLE_BYTES: usize = 2048;

/// The table entry for a pair that does not begin with a 16-bit code point.
const OTHER: u16 = 0xFFFF;

/// The first code point of each pair of bytes.
struct Pairs {
    /// The code point at the start of each pair, the first byte above the second.
    code_points: Box<[u16; 0x1_0000]>,
    /// The length of the sequence that begins with each byte.
    lens: [u8; 256],
}

/// The encodings without states in which the lead byte determines the length of the sequence, up to
/// two bytes.
const ENCODINGS: [Encoding; 6] = [
    Encoding::SHIFT_JIS,
    Encoding::EUC_JP,
    Encoding::EUC_KR,
    Encoding::GBK,
    Encoding::GB18030,
    Encoding::BIG5,
];

impl Pairs {
    /// Returns the table of an encoding, made at first use.
    fn of(encoding: Encoding) -> Option<&'static Self> {
        static TABLES: [OnceLock<Pairs>; ENCODINGS.len()] = [const { OnceLock::new() }; ENCODINGS.len()];
        let at = ENCODINGS.iter().position(|&known| known == encoding)?;
        // The GIL is held, so no other thread is in here when the process forks.
        Some(TABLES[at].get_or_init(|| Self::make(encoding)))
    }

    fn make(encoding: Encoding) -> Self {
        let mut pairs = Self { code_points: Box::new([OTHER; 0x1_0000]), lens: [1; 256] };
        for first in 0..=u8::MAX {
            let row = &mut pairs.code_points[usize::from(first) << 8..][..256];
            if let Some(c) = only(encoding.decode(&[first], ErrorPolicy::Stop).ok().as_deref()) {
                row.fill(c);
                continue;
            }
            pairs.lens[usize::from(first)] = 2;
            // All pairs are lines: an error ends before the line does, as a line feed is part of no
            // sequence.
            let lines: Vec<u8> = (0..=u8::MAX).flat_map(|second| [first, second, b'\n']).collect();
            let Ok(text) = encoding.decode(&lines, ErrorPolicy::Replace) else { continue };
            let mut rest = &*text;
            for (second, code_point) in row.iter_mut().enumerate() {
                // If the second byte is a line feed, the line of the pair contains one itself.
                let own = usize::from(second == usize::from(b'\n'));
                let Some((end, _)) = rest.match_indices('\n').nth(own) else { break };
                // Two replacements, or a replacement and the second byte, are two characters.
                *code_point = only(Some(&rest[..end])).filter(|&c| c != 0xFFFD).unwrap_or(OTHER);
                rest = &rest[end + 1..];
            }
        }
        pairs
    }

    /// Decodes a whole text into `to`, which must have one code point for each byte. Returns their
    /// number, or `None` if the table lacks some of the text.
    ///
    /// The starts of sequences are found for 64 bytes at a time: following each sequence to the
    /// next would wait for two memory accesses each.
    fn decode(&self, src: &[u8], to: &mut [u16]) -> Option<usize> {
        let (mut at, mut written) = (0, 0);
        // The first byte of the block is the second of a pair.
        let mut is_second = false;
        while let (Some(block), Some(room)) =
            (src.get(at..at + BLOCK_BYTES + 1), to.get_mut(written..written + BLOCK_BYTES))
        {
            let (mut starts, next) = starts(self.could_lead(&block[..BLOCK_BYTES]), is_second);
            let (mut count, mut other) = (0, false);
            while starts != 0 {
                let start = starts.trailing_zeros() as usize;
                starts &= starts - 1;
                let c = self.code_points[usize::from(u16::from_be_bytes([block[start], block[start + 1]]))];
                other |= c == OTHER;
                room[count] = c;
                count += 1;
            }
            if other {
                return None;
            }
            (at, written, is_second) = (at + BLOCK_BYTES, written + count, next);
        }
        at += usize::from(is_second);
        while at < src.len() {
            let len = usize::from(self.lens[usize::from(src[at])]);
            // A lead byte at the end has no second byte. A single byte means the same before any
            // other.
            let second = if len == 2 { *src.get(at + 1)? } else { 0 };
            let c = self.code_points[usize::from(u16::from_be_bytes([src[at], second]))];
            if c == OTHER {
                return None;
            }
            to[written] = c;
            (at, written) = (at + len, written + 1);
        }
        Some(written)
    }

    /// Returns one bit for each byte of a block that leads a pair, unless it is the second byte of
    /// one.
    fn could_lead(&self, block: &[u8]) -> u64 {
        let mut bits = 0;
        for (n, eight) in block.chunks_exact(8).enumerate() {
            let mut lens = [0; 8];
            lens.iter_mut().zip(eight).for_each(|(len, &byte)| *len = self.lens[usize::from(byte)] >> 1);
            // Each byte is 0 or 1. The product collects them in its top byte.
            let byte = u64::from_le_bytes(lens).wrapping_mul(0x0102_0408_1020_4080) >> 56;
            bits |= byte << (8 * n);
        }
        bits
    }
}

/// The number of bytes that are examined together.
const BLOCK_BYTES: usize = 64;

/// Finds the starts of sequences among the bytes that could lead a pair, and whether a pair crosses
/// into the next block.
///
/// In a run of bytes that could lead, every other one does, beginning with the first. Adding the
/// start of a run to the run clears it.
fn starts(could_lead: u64, is_second: bool) -> (u64, bool) {
    const EVEN: u64 = 0x5555_5555_5555_5555;
    let runs = could_lead & !u64::from(is_second);
    let from_even = runs & !runs.wrapping_add(runs & !(runs << 1) & EVEN);
    let leads = (from_even & EVEN) | (runs & !from_even & !EVEN);
    (!(leads << 1 | u64::from(is_second)), leads >> 63 != 0)
}

/// Returns the only code point of a text, if it has exactly one of 16 bits.
fn only(text: Option<&str>) -> Option<u16> {
    let mut chars = text?.chars();
    let (Some(c), None) = (chars.next(), chars.next()) else { return None };
    u16::try_from(u32::from(c)).ok()
}

/// Makes a `str` from a whole text; returns `None` if the encoding has no table, or the table lacks
/// some of the text.
pub(crate) fn decode(encoding: Encoding, src: &[u8]) -> Result<Option<NewStr>, No> {
    if src.len() < MIN_TABLE_BYTES || src.len() > PIECE_BYTES {
        return Ok(None);
    }
    let Some(pairs) = Pairs::of(encoding) else { return Ok(None) };
    let decoded = alone(src.len(), || {
        let mut units = vec![0; src.len()];
        let written = pairs.decode(src, &mut units)?;
        units.truncate(written);
        let widest = units.iter().fold(0, |all, unit| all | unit);
        Some((units, widest))
    });
    let Some((units, widest)) = decoded else { return Ok(None) };
    let mut text = NewStr::new(units.len(), u32::from(widest))?;
    if widest > 0xFF {
        // SAFETY: above U+00FF, and up to U+FFFF, units have two bytes.
        unsafe { text.units() }.copy_from_slice(&units);
    } else {
        // SAFETY: up to U+00FF, units have one byte.
        let to: &mut [u8] = unsafe { text.units() };
        to.iter_mut().zip(&units).for_each(|(to, unit)| *to = unit.to_le_bytes()[0]);
    }
    raw::check_signals()?;
    Ok(Some(text))
}
