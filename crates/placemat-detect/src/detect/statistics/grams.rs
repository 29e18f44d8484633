//! Counts of three neighboring units of text.

use crate::float;
use alloc::vec::Vec;

/// Three neighbors and how often they occur.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Gram<T> {
    pub(super) units: [T; 3],
    pub(super) count: f32,
}

/// The neighborhoods of the letters of a text.
#[derive(Debug, Default)]
pub(super) struct Grams<T> {
    /// The neighborhoods in words with a non-ASCII unit, and of the unit after such a word.
    pub(super) beyond: Vec<Gram<T>>,
    /// The number of entries at the start of `beyond` that are three units of ASCII.
    pub(super) shared: usize,
    /// The neighborhoods in words of ASCII alone.
    pub(super) ascii: Vec<Gram<T>>,
    /// The number of neighborhoods that `beyond` counts.
    pub(super) places: usize,
    pub(super) ascii_places: usize,
}

/// The maximum number of neighborhoods of each kind that are counted.
pub(super) const MAX_PLACES: usize = 24_000;
const MAX_ASCII_PLACES: usize = 6_000;

/// Occurrences of one neighborhood are not independent witnesses: a word comes again. Their number counts by this power.
pub(super) const REPEATED_POWER: f32 = 0.8;
/// Occurrences beyond this number come from a list, in which each line has them: they count by a smaller power.
const LISTED_OCCURRENCES: f32 = 8.0;
const LISTED_POWER: f32 = 0.4;

/// Returns the weight of `count` occurrences of one neighborhood.
fn weight(count: f32) -> f32 {
    if count <= 1.0 {
        count
    } else if count <= LISTED_OCCURRENCES {
        float::pow(count, REPEATED_POWER)
    } else {
        float::pow(LISTED_OCCURRENCES, REPEATED_POWER) * float::pow(count / LISTED_OCCURRENCES, LISTED_POWER)
    }
}

impl<T: Copy + Into<u32> + From<u8> + TryFrom<u64>> Grams<T> {
    /// Counts the neighborhoods in `text`. A word is letters of ASCII and all non-ASCII units.
    pub(super) fn of(text: &[T]) -> Self {
        let (mut beyond, mut ascii) = (Vec::with_capacity(2 * text.len().min(MAX_PLACES)), Vec::new());
        let mut key = key([b' '; 3].map(u32::from));
        // The index in `beyond` at which the current word starts. The word stays there until it proves to be all ASCII.
        let mut word = 0;
        let (mut is_word, mut is_beyond) = (false, false);
        for unit in text.iter().map(|&unit| unit.into()).chain([b' '.into()]) {
            key = next(key, unit);
            let is_letter = unit >= 0x80 || (unit | 0x20).wrapping_sub(b'a'.into()) < 26;
            if is_letter {
                is_word = true;
                is_beyond |= unit >= 0x80;
                beyond.push(key);
            } else if is_word {
                beyond.push(key);
                if !is_beyond {
                    if ascii.len() < MAX_ASCII_PLACES {
                        ascii.extend_from_slice(&beyond[word..]);
                    }
                    beyond.truncate(word);
                } else if word >= MAX_PLACES {
                    beyond.truncate(word);
                }
                word = beyond.len();
                (is_word, is_beyond) = (false, false);
            }
        }
        let (places, ascii_places) = (beyond.len(), ascii.len());
        let (beyond, shared) = counted(beyond);
        Self { beyond, shared, ascii: counted(ascii).0, places, ascii_places }
    }

    /// Returns the bytes at the start of a text that are counted: no more words than there is room for.
    pub(super) fn room(text: &[u8]) -> usize {
        let (mut places, mut word, mut is_beyond) = (0, 0, false);
        for (at, &byte) in text.iter().enumerate() {
            let is_letter = byte >= 0x80 || byte.is_ascii_alphabetic();
            if is_letter {
                word += 1;
                is_beyond |= byte >= 0x80;
                if !is_beyond || places + word < MAX_PLACES {
                    continue;
                }
                // A word without an end.
                return if places == 0 { at } else { at - word };
            }
            places += if is_beyond { word + 1 } else { 0 };
            (word, is_beyond) = (0, false);
            if places >= MAX_PLACES {
                return at;
            }
        }
        text.len()
    }

    /// Returns the number of non-ASCII units.
    pub(super) fn high(&self) -> f32 {
        self.beyond[self.shared..]
            .iter()
            .filter(|gram| gram.units[2].into() >= 0x80)
            .map(|gram| gram.count)
            .sum()
    }

    /// Counts all neighborhoods of `text`, whichever units are letters.
    pub(super) fn all(text: &[T], space: T) -> Self {
        let text = &text[..text.len().min(MAX_PLACES)];
        let mut before = key([space; 3].map(Into::into));
        let all: Vec<u64> = text
            .iter()
            .map(|&unit| {
                before = next(before, unit.into());
                before
            })
            .collect();
        Self { places: all.len(), beyond: counted(all).0, shared: 0, ascii: Vec::new(), ascii_places: 0 }
    }
}

/// Sorts pairs of bytes, and adds up the counts of equal ones.
pub(super) fn add_up(pairs: &mut Vec<(u8, u8, f32)>) {
    pairs.sort_unstable_by_key(|pair| u16::from_be_bytes([pair.0, pair.1]));
    pairs.dedup_by(|next, before| {
        let same = (next.0, next.1) == (before.0, before.1);
        if same {
            before.2 += next.2;
        }
        same
    });
}

/// The bits of a unit in a key; three fit into one.
const UNIT_BITS: u32 = 21;

/// Three units as a number. Numbers are in the order of the units.
fn key(units: [u32; 3]) -> u64 {
    units.into_iter().fold(0, next)
}

/// Returns the key after another, with one unit more at the end and one less at the start.
fn next(key: u64, unit: u32) -> u64 {
    (key << UNIT_BITS | u64::from(unit)) & ((1 << (3 * UNIT_BITS)) - 1)
}

/// The weights of counts below this are computed once for a text: powers take long.
const KNOWN_WEIGHTS: usize = 16;

/// From this many numbers on, they are sorted by their bytes.
const MIN_NUMBERS_BY_BYTES: usize = 1024;

/// Sorts numbers: many of them by one byte after another, the least significant first.
fn sort(numbers: &mut Vec<u64>) {
    if numbers.len() < MIN_NUMBERS_BY_BYTES {
        return numbers.sort_unstable();
    }
    let differ = numbers.iter().fold(0, |differ, number| differ | number ^ numbers[0]);
    let mut sorted = alloc::vec![0; numbers.len()];
    for shift in (0..u64::BITS).step_by(8).filter(|shift| differ >> shift & 0xFF != 0) {
        let byte = |number: u64| usize::from((number >> shift).to_le_bytes()[0]);
        let mut ends = [0; 256];
        numbers.iter().for_each(|&number| ends[byte(number)] += 1);
        let mut start = 0;
        for end in &mut ends {
            start += core::mem::replace(end, start);
        }
        for &number in &*numbers {
            let place = &mut ends[byte(number)];
            sorted[*place] = number;
            *place += 1;
        }
        core::mem::swap(numbers, &mut sorted);
    }
}

/// Returns each neighborhood with its count, those of ASCII alone first, and how many those are.
fn counted<T: Copy + From<u8> + TryFrom<u64>>(mut places: Vec<u64>) -> (Vec<Gram<T>>, usize) {
    const BEYOND: u64 = 0x1F_FF80;
    const ANY_BEYOND: u64 = BEYOND << (2 * UNIT_BITS) | BEYOND << UNIT_BITS | BEYOND;
    sort(&mut places);
    let mut weights = [0.0; KNOWN_WEIGHTS];
    let mut grams = Vec::with_capacity(places.len());
    let mut add = |wants_beyond: bool| {
        for same in places.chunk_by(|a, b| a == b).filter(|same| (same[0] & ANY_BEYOND != 0) == wants_beyond)
        {
            let unit = |place: u32| {
                T::try_from(same[0] >> (place * UNIT_BITS) & ((1 << UNIT_BITS) - 1)).unwrap_or(b' '.into())
            };
            #[expect(clippy::cast_precision_loss, reason = "some thousands at most")]
            let count = same.len() as f32;
            let count = match weights.get_mut(same.len()) {
                None => weight(count),
                Some(known) => {
                    if *known == 0.0 {
                        *known = weight(count);
                    }
                    *known
                }
            };
            grams.push(Gram { units: [unit(2), unit(1), unit(0)], count });
        }
        grams.len()
    };
    let shared = add(false);
    add(true);
    (grams, shared)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_numbers_are_sorted_as_few_are() {
        let mut state = 1_u64;
        let mut numbers: Vec<u64> = Vec::new();
        for len in [0, 1, MIN_NUMBERS_BY_BYTES - 1, MIN_NUMBERS_BY_BYTES, 5000] {
            while numbers.len() < len {
                state = state.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(31) ^ 0xA5;
                numbers.push(state >> (state % 64) & !0xFF00);
            }
            let mut sorted = numbers.clone();
            sorted.sort_unstable();
            let mut own = numbers.clone();
            sort(&mut own);
            assert_eq!(own, sorted, "{len}");
        }
    }
}
