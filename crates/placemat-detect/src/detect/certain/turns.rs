//! Text of ISO-2022-JP, which several encodings read alike, read once for all of them.
//!
//! A turn is ASCII, an escape to JIS X 0208, characters of it, an escape back to ASCII, and a byte of ASCII. After it, every
//! encoding that reads its characters is in the state that it was in before, so that its decoder need not see the turn.

use alloc::vec::Vec;
use core::sync::atomic::{AtomicU16, Ordering};
use placemat_charsets::Encoding;
use placemat_core::policy::ErrorPolicy;

/// The escapes to JIS X 0208, of 1978 and of 1983, and the one to ASCII.
const ESCAPES: [&[u8; 3]; 2] = [b"\x1B$@", b"\x1B$B"];
const BACK: &[u8; 3] = b"\x1B(B";

/// The characters of a set of two bytes.
const PAIRS: usize = 94 * 94;
/// The known facts of each character after each escape: [`KNOWN`], and a bit for each encoding that reads it.
static READ: [AtomicU16; 2 * PAIRS] = [const { AtomicU16::new(0) }; 2 * PAIRS];
const KNOWN: u16 = 1 << 15;

/// The maximum number of bytes after the last turn that are held.
const HELD: usize = 64 * 1024;
/// The shortest block that is read in turns.
pub(super) const MIN_TURNS_BYTES: usize = 2048;

/// A stream as long as it consists of turns.
#[derive(Clone, Debug)]
pub(super) struct Turns {
    /// The encodings that may read it, and those of them that read all turns, as bits.
    encodings: &'static [Encoding],
    pub(super) alive: u16,
    /// Whether there was a turn with a character.
    pub(super) any: bool,
    /// The bytes after the last turn.
    pub(super) held: Vec<u8>,
}

impl Turns {
    /// Returns a stream that begins, for at most fifteen encodings.
    pub(super) fn new(encodings: &'static [Encoding]) -> Self {
        Self { encodings, alive: (1 << encodings.len()) - 1, any: false, held: Vec::new() }
    }

    /// Takes a block of ASCII. Returns whether all so far is turns, or may become one; if not, what is held has not been
    /// read.
    pub(super) fn block(&mut self, block: &[u8]) -> bool {
        if self.held.is_empty() {
            let end = self.read(block);
            self.held.extend_from_slice(&block[end.unwrap_or(0)..]);
            return end.is_some();
        }
        self.held.extend_from_slice(block);
        let held = core::mem::take(&mut self.held);
        let end = self.read(&held);
        self.held.extend_from_slice(&held[end.unwrap_or(0)..]);
        end.is_some() && self.held.len() <= HELD
    }

    /// Reads the turns at the start of `src`. Returns their end; `None` if more than another turn comes after it, in which
    /// case nothing was read.
    fn read(&mut self, src: &[u8]) -> Option<usize> {
        let (mut alive, mut any) = (self.alive, self.any);
        let mut end = 0;
        loop {
            let rest = &src[end..];
            let ascii = ascii(rest);
            end += ascii;
            let Some(rest) = rest.get(ascii..).filter(|rest| !rest.is_empty()) else { break };
            let Some((escape, after)) = rest.split_first_chunk() else {
                if ESCAPES.iter().any(|escape| escape.starts_with(rest)) {
                    break;
                }
                return None;
            };
            let set = ESCAPES.iter().position(|own| *own == escape)?;
            let (pairs, len) = self.pairs(set, after);
            alive &= pairs;
            let back = &after[len..];
            if len == 0 && back.len() > 1 {
                return None;
            }
            match back.split_first_chunk() {
                // A byte of ASCII comes after it.
                Some((BACK, [byte, ..])) if is_ascii(*byte) => {
                    any = true;
                    end += escape.len() + len + BACK.len() + 1;
                }
                Some((BACK, [])) => break,
                None if back.len() < BACK.len() && (BACK.starts_with(back) || back.len() == 1) => break,
                _ => return None,
            }
        }
        if alive == 0 {
            return None;
        }
        (self.alive, self.any) = (alive, any);
        Some(end)
    }

    /// Returns the encodings that read the characters at the start of `src`, and their length.
    fn pairs(&self, set: usize, src: &[u8]) -> (u16, usize) {
        let known = &READ[set * PAIRS..][..PAIRS];
        let mut all = u16::MAX;
        let mut len = 0;
        for &pair in src.as_chunks().0 {
            let [row, cell] = pair.map(|byte| usize::from(byte.wrapping_sub(0x21)));
            if row >= 94 || cell >= 94 {
                break;
            }
            let slot = &known[row * 94 + cell];
            let mut read = slot.load(Ordering::Relaxed);
            if read == 0 {
                read = KNOWN | self.ask(set, pair);
                slot.store(read, Ordering::Relaxed);
            }
            all &= read;
            len += 2;
        }
        (all, len)
    }

    /// The encodings that read a pair of bytes as one character.
    fn ask(&self, set: usize, pair: [u8; 2]) -> u16 {
        let turn = [&ESCAPES[set][..], &pair, BACK, b"a"].concat();
        let reads = |encoding: &Encoding| {
            let text = encoding.decode(&turn, ErrorPolicy::Stop);
            text.is_ok_and(|text| {
                text.chars().count() == 2 && text.ends_with('a') && !text.starts_with('\x1B')
            })
        };
        let each = self.encodings.iter().enumerate();
        each.filter(|(_, encoding)| reads(encoding)).fold(0, |all, (number, _)| all | 1 << number)
    }
}

/// Returns `true` if a byte of ASCII is itself in all of the encodings and changes the state of none.
fn is_ascii(byte: u8) -> bool {
    !matches!(byte, 0x0E | 0x0F | 0x1B) && byte.is_ascii()
}

/// Returns the length of the ASCII at the start of `src`.
fn ascii(src: &[u8]) -> usize {
    let mut before = 0;
    // Whole chunks without a branch make vector code.
    for chunk in src.chunks(32) {
        if !chunk.iter().fold(true, |all, &byte| all & is_ascii(byte)) {
            return before + chunk.iter().position(|&byte| !is_ascii(byte)).unwrap_or(0);
        }
        before += chunk.len();
    }
    before
}

#[cfg(test)]
mod tests {
    use super::super::escapes::{Escapes, ISO_2022};
    use super::super::reading::Reading;
    use super::*;
    use crate::detect::controls::Controls;
    use alloc::vec;

    /// Returns the first encoding whose decoder reads all.
    fn decoded(src: &[u8]) -> Option<Encoding> {
        let mut readings = ISO_2022.map(|encoding| Reading::new(encoding, 0)).to_vec();
        readings
            .retain_mut(|reading| reading.block(src, false) && reading.finish() && reading.beyond_ascii > 0);
        readings.first().map(|reading| reading.encoding)
    }

    fn found(src: &[u8], block: usize) -> Option<Encoding> {
        let (mut escapes, mut controls) = (Escapes::default(), Controls::default());
        for (number, part) in src.chunks(block).enumerate() {
            escapes.block((number * block) as u64, part, controls.block(part));
        }
        escapes.finish()
    }

    #[test]
    fn turns_are_read_as_the_decoders_read_them() {
        let parts: [&[u8]; 24] = [
            b"plain text\n",
            b"\x1B$B$3$l$O\x1B(B.\n",
            b"\x1B$B$3$l$O\x1B(B ",
            b"\x1B$@$3$l$O\x1B(B\n",
            b"\x1B$BF|K\\8l\x1B(B and ",
            // JIS X 0201, a set of JIS X 0212 and one of JIS X 0213.
            b"\x1B$B$3$l$O\x1B(J.\x1B(B\n",
            b"\x1B(J\\\x1B(B\n",
            b"\x1B$(D0!\x1B(B\n",
            b"\x1B$(Q.!\x1B(B\n",
            b"\x1B$(O.!\x1B(B\n",
            // Characters that some encodings do not have.
            b"\x1B$B-!\x1B(B\n",
            b"\x1B$By!\x1B(B\n",
            b"\x1B$B)!\x1B(B\n",
            // No characters, half a character, no way back, a line end inside.
            b"\x1B$B\x1B(B\n",
            b"\x1B$B$3$\x1B(B\n",
            b"\x1B$B$3",
            b"\x1B$B$3\n\x1B(B\n",
            b"\x1B$B$3\x1B(B\x1B$B$3\x1B(B\n",
            b"\x1B$B$3\x1B$@$3\x1B(B\n",
            b"\x1B[31mred\x1B[0m\n",
            b"\x1B.A\x1BNi\n",
            b"\x0E\x0F",
            b"\x1B$B0!\x1B(B\x0E\x0F\n",
            b"\x1B$(C0!\x1B(B\n",
        ];
        let mut seed = 7_u64;
        let mut random = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % below
        };
        let mut all = vec![None];
        for round in 0..300 {
            let mut src = Vec::new();
            // Most parts are of a few kinds, so that some texts are well-formed to their end.
            let kinds: Vec<usize> = (0..=round % 3).map(|_| random(parts.len())).collect();
            while src.len() < 3 * MIN_TURNS_BYTES + random(5000) {
                let part = match random(40) {
                    0 => parts[kinds[random(kinds.len())]],
                    usual => parts[usual % 5],
                };
                src.extend_from_slice(part);
            }
            src.truncate(src.len() - random(12));
            let expected = decoded(&src);
            for block in [MIN_TURNS_BYTES, MIN_TURNS_BYTES + random(MIN_TURNS_BYTES), src.len()] {
                assert_eq!(found(&src, block), expected, "{}", src.escape_ascii());
            }
            all.push(expected);
        }
        all.sort_unstable_by_key(|found| found.map(Encoding::name));
        all.dedup();
        assert!(all.len() >= 4, "{all:?}");
    }

    #[test]
    fn what_is_held_is_limited() {
        let mut turns = Turns::new(&ISO_2022);
        let block = b"$3".repeat(MIN_TURNS_BYTES);
        assert!(turns.block(b"plain \x1B$B"));
        let blocks = (0..).take_while(|_| turns.block(&block)).count();
        assert!(blocks > 4 && turns.held.len() <= HELD + block.len(), "{blocks}");
    }
}
