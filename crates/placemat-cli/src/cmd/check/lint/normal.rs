//! Text that is not in NFC. Text without a code point from U+0300 on is in NFC: it is skipped in blocks.

use super::kind::{Hit, Kind};
use placemat::normalize::first_not_nfc;

/// Bytes that are skipped together.
const BLOCK: usize = 64;
/// The lead byte of U+0300.
const FIRST: u8 = 0xCC;

/// Finds the stretches that are not in NFC.
pub(super) fn not_nfc(text: &str, hits: &mut Vec<Hit>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(start) = first_block(bytes, at) {
        // The stretch may include the letter before it, and ends at a letter that no mark follows.
        let start = (at..start).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(at);
        let end = plain_end(bytes, start + 2 * BLOCK).unwrap_or(bytes.len());
        stretch(text, start, end, hits);
        at = end;
    }
}

fn stretch(text: &str, mut start: usize, end: usize, hits: &mut Vec<Hit>) {
    while let Some(found) = first_not_nfc(&text[start..end]) {
        let at = start + found.start..start + found.end;
        start = at.end;
        hits.push(Hit { kind: Kind::NotNfc, at });
    }
}

/// Returns the first block from `at` on with a code point from U+0300 on.
fn first_block(bytes: &[u8], at: usize) -> Option<usize> {
    let block = bytes[at..].chunks(BLOCK).position(has_high)?;
    Some(at + block * BLOCK)
}

/// Without branches, so that the compiler vectorizes the loop.
fn has_high(block: &[u8]) -> bool {
    block.iter().fold(false, |found, &byte| found | (byte >= FIRST))
}

/// Returns the first place from `at` on between two ASCII letters before a skipped block: the text can be
/// cut there.
fn plain_end(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = bytes.get(at..)?;
    let block =
        rest.chunks_exact(BLOCK).position(|block| !has_high(block) && block.iter().any(u8::is_ascii))?;
    let start = at + block * BLOCK;
    let letter = bytes[start..start + BLOCK].iter().position(u8::is_ascii)?;
    Some(start + letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_are_found_wherever_they_stand() {
        for filler in ["a", "é", "漢", "ab é "] {
            for before in (0..400).step_by(7) {
                for between in [0, 1, 60, 64, 130, 200, 500] {
                    let (before, between) = (filler.repeat(before), filler.repeat(between));
                    let text = format!("{before}e\u{301}{between}\u{212B}{between}");
                    let mut hits = Vec::new();
                    not_nfc(&text, &mut hits);
                    let first = before.len();
                    let second = first + 3 + between.len();
                    let found: Vec<_> = hits.iter().map(|hit| hit.at.clone()).collect();
                    assert_eq!(found, [first..first + 3, second..second + 3], "{text}");
                }
            }
        }
    }
}
