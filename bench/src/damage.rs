//! Damaged texts: bytes changed at random offsets, and the damage that real files have.

use crate::texts::Random;

/// The damage that real files have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    /// Words in Latin-1 within UTF-8.
    Latin1Words,
    /// Whole lines in Latin-1.
    Latin1Lines,
    /// Lines that a program truncated within a character, because it counts bytes.
    CutLines,
    /// Characters beyond the BMP as two surrogates of three bytes each.
    CesuPairs,
    /// U+0000 as Java writes it.
    LongNul,
    /// A character divided at every 4 KiB, by a program that treats each block separately.
    CutBlocks,
    /// One error in the text: a byte of Latin-1 among ASCII, or a character without its last byte.
    OneError,
}

impl Damage {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Latin1Words => "Latin-1 words",
            Self::Latin1Lines => "Latin-1 lines",
            Self::CutLines => "cut lines",
            Self::CesuPairs => "CESU-8 pairs",
            Self::LongNul => "C0 80",
            Self::CutBlocks => "cut blocks",
            Self::OneError => "one error",
        }
    }

    /// Returns the text with `per_million` damaged places in a million bytes; in a line in Latin-1,
    /// each non-ASCII letter is a place.
    pub fn apply(self, text: &str, per_million: u32) -> Vec<u8> {
        let mut random = Random::new(u64::from(per_million) + self as u64);
        match self {
            Self::CutBlocks => return cut_blocks(text),
            Self::OneError => return one_error(text),
            _ => {}
        }
        let weight = if self == Self::Latin1Lines { 6 } else { 1 };
        let count = (text.len() as u64 * u64::from(per_million)).div_ceil(1_000_000 * weight);
        let mut places: Vec<usize> = (0..count)
            .map(|_| {
                let at = random.below(text.len());
                (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
            })
            .collect();
        places.sort_unstable();
        let mut out = Vec::with_capacity(text.len() + 4096);
        let mut last = 0;
        for at in places {
            if self == Self::CutLines {
                // Leave out the last byte of the next multi-byte character.
                let next = text[at.max(last)..].char_indices().find(|(_, c)| !c.is_ascii());
                let Some((offset, c)) = next else { break };
                let end = at.max(last) + offset + c.len_utf8();
                out.extend(&text.as_bytes()[last..end - 1]);
                out.push(b'\n');
                last = end;
                continue;
            }
            out.extend(&text.as_bytes()[last..at]);
            last = at;
            match self {
                Self::Latin1Words => {
                    out.extend([&b" caf\xE9 "[..], b" M\xFCnchen ", b" ma\xF1ana ", b" \xE0 "][random.below(4)]);
                }
                Self::Latin1Lines => out.extend(
                    [
                        &b"\nLa cr\xE8me br\xFBl\xE9e est pr\xEAte, a-t-il dit; le caf\xE9 aussi, mais o\xF9 est la tarte?\n"[..],
                        b"\nDie B\xE4ckerei \xF6ffnet fr\xFCh; \xFCbrigens gibt es s\xFC\xDFe Br\xF6tchen.\n",
                    ][random.below(2)],
                ),
                Self::CesuPairs => out.extend([0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80 + random.below(64) as u8]),
                Self::LongNul => out.extend([0xC0, 0x80]),
                Self::CutLines | Self::CutBlocks | Self::OneError => unreachable!("treated above"),
            }
        }
        out.extend(&text.as_bytes()[last..]);
        out
    }
}

/// Returns the text without the rest of a character at every 4 KiB.
fn cut_blocks(text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut last = 0;
    for block in (4096..text.len()).step_by(4096) {
        let from = (block..text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
        let Some((offset, c)) = text[from..].char_indices().find(|(_, c)| !c.is_ascii()) else { break };
        let start = from + offset;
        if start < last {
            continue;
        }
        out.extend(&text.as_bytes()[last..=start]);
        last = start + c.len_utf8();
    }
    out.extend(&text.as_bytes()[last..]);
    out
}

/// Returns the text with one ill-formed sequence at a random offset, and of the same length.
fn one_error(text: &str) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    let mut random =
        Random::new(bytes.iter().fold(1, |hash: u64, &byte| hash * 31 % 0xFFFF_FFFB + u64::from(byte)));
    let place = random.below(bytes.len());
    let start = (0..=place).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    let len = text[start..].chars().next().map_or(1, char::len_utf8);
    bytes[start + len - 1] = if len == 1 { 0xE9 } else { b' ' };
    bytes
}

/// Returns the strings, with `per_million` of a million of their bytes made ill-formed at random
/// offsets.
pub fn in_all(strings: &[&str], per_million: u32) -> Vec<Vec<u8>> {
    let bytes = random(&strings.concat(), per_million);
    let mut rest = &bytes[..];
    let own = |string: &&str| rest.split_off(..string.len()).expect("as many bytes").to_vec();
    strings.iter().map(own).collect()
}

/// Returns the bytes of the text, with `per_million` of a million made ill-formed at random
/// offsets.
pub fn random(text: &str, per_million: u32) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    let places = (bytes.len() as u64 * u64::from(per_million)).div_ceil(1_000_000);
    let mut random = Random::new(u64::from(per_million) + 1);
    for _ in 0..places {
        let place = random.below(bytes.len());
        // A byte that never occurs, an unexpected continuation byte, an unfinished sequence, or a truncated one.
        bytes[place] = match random.below(4) {
            0 => 0xC3,
            1 => 0x80,
            2 if bytes[place] >= 0x80 => b' ',
            _ => 0xFF,
        };
    }
    bytes
}
