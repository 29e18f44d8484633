//! Samples for the tests of the kernels: a mixed text, bytes by class, and a source of damaged
//! texts.

extern crate std;

use std::vec::Vec;

/// A text of about 600 bytes with every length of sequence next to every other, in short and long
/// runs.
pub const MIXED: &str = "Plain ASCII that goes on for rather more than one block of sixty-four bytes, \
    so that a block is nothing else. Žluťoučký kůň úpěl ďábelské ódy — ¡señor! Ünïcödé. \
    Съешь же ещё этих мягких французских булок, да выпей чаю. ऋषियों को सताने वाले दुष्ट राक्षसों के राजा \
    いろはにほへとちりぬるをわかよたれそつねならむ色は匂へど散りぬるを我が世誰ぞ常ならむ有為の奥山今日越えて \
    😀😁😂🤣😃😄😅😆😉😊😋😎😍😘🥰😗😙😚🙂🤗🤩🤔 a😀é日b\u{7F}\u{80}\u{7FF}\u{800}\u{D7FF}\u{E000}\u{FFFF}\u{10000}\u{10FFFF}. End.";

/// The first and last byte of every range in table 3-7, and their neighbors.
pub const CLASSES: &[u8] = &[
    0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE,
    0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
];

/// Whether a test runs this case: always, but with `PLACEMAT_QUICK=1`, for emulated machines, one
/// in three times `of`.
#[must_use]
pub fn is_taken(case: usize, of: usize) -> bool {
    static QUICK: std::sync::LazyLock<bool> =
        std::sync::LazyLock::new(|| std::env::var_os("PLACEMAT_QUICK").is_some());
    case.is_multiple_of(3 * of) || !*QUICK
}

/// A small pseudorandom number generator (xorshift, Marsaglia 2003) that repeats in every run.
#[derive(Debug)]
pub struct Numbers(u64);

impl Numbers {
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed | 1)
    }

    /// Returns a number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % bound
    }
}

/// Returns the last code point boundary of `text` at or before `at`.
#[must_use]
pub fn border(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// Calls `check` with `count` parts of a mixed text in which up to three bytes were changed.
pub fn mutations(count: usize, mut check: impl FnMut(&[u8])) {
    let text = MIXED.repeat(2);
    let mut numbers = Numbers::new(0x9E37_79B9_7F4A_7C15);
    for _ in 0..count {
        let from = numbers.below(text.len());
        let to = from + numbers.below(text.len() - from + 1);
        let from = border(&text, from);
        let mut src = text.as_bytes()[from..to].to_vec();
        for _ in 0..numbers.below(4).min(src.len()) {
            let at = numbers.below(src.len());
            src[at] = CLASSES[numbers.below(CLASSES.len())];
        }
        check(&src);
    }
}

/// Returns a part of `text` of `len` bytes, of which one in `per` was changed on average.
pub fn damaged(numbers: &mut Numbers, text: &str, len: usize, per: usize) -> Vec<u8> {
    let from = numbers.below(text.len() - len);
    let mut src = text.as_bytes()[from..from + len].to_vec();
    for byte in &mut src {
        if numbers.below(per) == 0 {
            *byte = CLASSES[numbers.below(CLASSES.len())];
        }
    }
    src
}
