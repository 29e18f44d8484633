//! Counts of three neighbouring units of text.

use alloc::vec::Vec;

/// Three neighbours and how often they occur.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Gram<T> {
    pub(super) units: [T; 3],
    pub(super) count: f32,
}

/// The neighbourhoods of the letters of a text.
#[derive(Debug, Default)]
pub(super) struct Grams<T> {
    /// Of words with a unit beyond ASCII, and of the unit behind them.
    pub(super) beyond: Vec<Gram<T>>,
    /// Of words in ASCII alone.
    pub(super) ascii: Vec<Gram<T>>,
    /// How many neighbourhoods `beyond` stands for.
    pub(super) places: usize,
    pub(super) ascii_places: usize,
}

/// The most neighbourhoods of each kind that are counted.
pub(super) const PLACES: usize = 24_000;
const ASCII_PLACES: usize = 6_000;

/// Occurrences of one neighbourhood are no independent witnesses: a word comes again. Their number counts by this power.
pub(super) const BURST: f32 = 0.8;

impl<T: Copy + Ord + Into<u32> + From<u8>> Grams<T> {
    /// Counts the neighbourhoods in `text`. A word is letters of ASCII and all units beyond ASCII.
    pub(super) fn of(text: &[T]) -> Self {
        let space = T::from(b' ');
        let at = |place: usize, back: usize| {
            place.checked_sub(back).map_or(space, |place| text.get(place).copied().unwrap_or(space))
        };
        let is_letter = |unit: T| match unit.into() {
            unit @ 0..0x80 => u8::try_from(unit).is_ok_and(|byte| byte.is_ascii_alphabetic()),
            _ => true,
        };
        let (mut beyond, mut ascii) = (Vec::new(), Vec::new());
        let mut place = 0;
        while place < text.len() {
            if !is_letter(text[place]) {
                place += 1;
                continue;
            }
            let first = place;
            while place < text.len() && is_letter(text[place]) {
                place += 1;
            }
            let word = &text[first..place];
            let (list, most) = if word.iter().any(|&unit| unit.into() >= 0x80) {
                (&mut beyond, PLACES)
            } else {
                (&mut ascii, ASCII_PLACES)
            };
            if list.len() < most {
                list.extend((first..=place).map(|place| [at(place, 2), at(place, 1), at(place, 0)]));
            }
        }
        let (places, ascii_places) = (beyond.len(), ascii.len());
        Self { beyond: counted(beyond), ascii: counted(ascii), places, ascii_places }
    }

    /// The number of units beyond ASCII.
    pub(super) fn high(&self) -> f32 {
        self.beyond.iter().filter(|gram| gram.units[2].into() >= 0x80).map(|gram| gram.count).sum()
    }

    /// Counts all neighbourhoods of `text`, whichever units are letters.
    pub(super) fn all(text: &[T], space: T) -> Self {
        let text = &text[..text.len().min(PLACES)];
        let all: Vec<[T; 3]> = (0..text.len())
            .map(|place| [2, 1, 0].map(|back| place.checked_sub(back).map_or(space, |place| text[place])))
            .collect();
        Self { places: all.len(), beyond: counted(all), ascii: Vec::new(), ascii_places: 0 }
    }
}

fn counted<T: Copy + Ord>(mut places: Vec<[T; 3]>) -> Vec<Gram<T>> {
    places.sort_unstable();
    places
        .chunk_by(|a, b| a == b)
        .map(|same| {
            #[expect(clippy::cast_precision_loss, reason = "some thousands at most")]
            let count = same.len() as f32;
            Gram { units: same[0], count: if count > 1.0 { count.powf(BURST) } else { count } }
        })
        .collect()
}
