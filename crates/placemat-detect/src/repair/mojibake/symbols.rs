//! Emoji, arrows, dingbats and the like: the most frequent mojibake of today, which the language model knows nothing of.
//!
//! A sequence of three or four bytes is rarely such a symbol by chance: the structure of UTF-8 and the symbol itself are the proof.

use alloc::vec::Vec;

/// Returns `true` if a code point is a symbol that people write by itself or beside a word, and that UTF-8 writes in three bytes or
/// more.
pub(super) const fn is_symbol(c: u32) -> bool {
    matches!(c, 0x2010..=0x2015 | 0x2018..=0x201E | 0x2020..=0x2022 | 0x2026 | 0x2030 | 0x2032 | 0x2033 | 0x2039 | 0x203A | 0x203C
        | 0x2049 | 0x20A0..=0x20C0 | 0x2100..=0x214F | 0x2190..=0x23FF | 0x2460..=0x27BF | 0x2900..=0x297F | 0x2B05..=0x2B55
        | 0x3030 | 0x303D | 0x3297 | 0x3299)
        || is_emoji(c)
}

/// Returns `true` if a code point is an emoji beyond the BMP that is assigned.
pub(super) const fn is_emoji(c: u32) -> bool {
    matches!(c, 0x1_F000..=0x1_F02B | 0x1_F030..=0x1_F093 | 0x1_F0A0..=0x1_F0F5 | 0x1_F100..=0x1_F1AD | 0x1_F1E6..=0x1_F202
        | 0x1_F210..=0x1_F23B | 0x1_F240..=0x1_F248 | 0x1_F250 | 0x1_F251 | 0x1_F260..=0x1_F265 | 0x1_F300..=0x1_F6D8
        | 0x1_F6DC..=0x1_F6EC | 0x1_F6F0..=0x1_F6FC | 0x1_F700..=0x1_F7D9 | 0x1_F7E0..=0x1_F7EB | 0x1_F7F0
        | 0x1_F900..=0x1_FA57 | 0x1_FA60..=0x1_FA6D | 0x1_FA70..=0x1_FA7C | 0x1_FA80..=0x1_FA8A | 0x1_FA8E..=0x1_FAC8
        | 0x1_FACD..=0x1_FADC | 0x1_FADF..=0x1_FAEA | 0x1_FAEF..=0x1_FAF8 | 0x1_FB00..=0x1_FBF9)
}

/// Returns `true` if a code point goes with an emoji: a selector, a joiner, the keycap, or a tag.
pub(super) const fn goes_with_emoji(c: u32) -> bool {
    matches!(c, 0x200D | 0x20E3 | 0xFE0E | 0xFE0F | 0xE_0020..=0xE_007F)
}

/// Returns the symbols of three bytes, and the emoji of four, that a line has and that it did not have before.
pub(super) fn new_symbols(old: &[u32], new: &[u32]) -> (usize, usize) {
    let known: Vec<u32> = old.iter().copied().filter(|&c| is_symbol(c) || goes_with_emoji(c)).collect();
    let mut is_after_symbol = false;
    let (mut symbols, mut emoji) = (0, 0);
    for &c in new {
        let is_part = is_after_symbol && goes_with_emoji(c);
        let is_new = (is_part || is_symbol(c)) && !known.contains(&c);
        // U+00A9 and U+00AE with a selector are emoji too.
        is_after_symbol = is_part || is_symbol(c) || matches!(c, 0xA9 | 0xAE);
        emoji += usize::from(is_new && is_emoji(c));
        symbols += usize::from(is_new && !is_emoji(c));
    }
    (symbols, emoji)
}
