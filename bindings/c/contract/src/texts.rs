//! Texts for a pair of encodings.

use crate::charsets::{repertoire, utf32, with_glibc};
use crate::random::Random;

/// The kinds of texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Random code points that both encodings represent.
    Held,
    /// Words of the same script: runs of neighboring code points between spaces and line feeds.
    Words,
    /// Code points of the source, some of which the target may lack.
    Unmappable,
    /// Random bytes.
    Bytes,
    /// A text with a byte changed, removed or inserted here and there.
    Damaged,
    /// Every code point of the source, each once.
    All,
}

impl Kind {
    /// The kinds of text that depend on the seed.
    pub const RANDOM: &[Self] = &[Self::Held, Self::Words, Self::Unmappable, Self::Bytes, Self::Damaged];
}

/// Returns the code points that both encodings represent.
#[must_use]
pub fn shared(to: &'static str, from: &'static str) -> Vec<u32> {
    let (target, source) = (repertoire(to), repertoire(from));
    let (few, many) =
        if target.code_points.len() < source.code_points.len() { (target, source) } else { (source, target) };
    few.code_points.iter().copied().filter(|c| many.has(*c)).collect()
}

/// Returns a text in `from`; `None` if glibc cannot write it.
pub fn make(
    kind: Kind,
    shared: &[u32],
    from: &'static str,
    random: &mut Random,
    len: usize,
) -> Option<Vec<u8>> {
    let source = repertoire(from);
    let encode = |code_points: &[u32]| with_glibc(from, "UTF-32LE", &utf32(code_points));
    match kind {
        Kind::Held => encode(&(0..len).map(|_| *random.pick(shared)).collect::<Vec<_>>()),
        Kind::Words => {
            let mut text = Vec::with_capacity(len + 8);
            while text.len() < len {
                let at = random.below(shared.len());
                let run = 1 + random.below(9);
                text.extend((0..run).map(|i| shared[(at + i * random.below(3)) % shared.len()]));
                text.push(*random.pick(&[0x20, 0x20, 0x20, 0x0A, 0x2C, 0x61]));
            }
            text.retain(|c| source.has(*c));
            encode(&text)
        }
        Kind::Unmappable => encode(&(0..len).map(|_| *random.pick(&source.code_points)).collect::<Vec<_>>()),
        Kind::Bytes => {
            // Some ranges are more frequent than others in real text and in real accidents.
            let class = random.below(4);
            Some(
                (0..len)
                    .map(|_| {
                        let byte = random.next().to_le_bytes()[0];
                        match class {
                            0 => byte,
                            1 => byte | 0x80,
                            2 if random.one_in(6) => {
                                *random.pick(&[0x0E, 0x0F, 0x1B, 0x24, 0x28, 0x29, 0x2B, 0x8E, 0x8F])
                            }
                            2 => byte & 0x7F,
                            _ if random.one_in(3) => byte & 0x7F,
                            _ => byte,
                        }
                    })
                    .collect(),
            )
        }
        Kind::Damaged => {
            let mut text = make(Kind::Words, shared, from, random, len)?;
            for _ in 0..1 + len / 16 {
                if text.is_empty() {
                    break;
                }
                let at = random.below(text.len());
                match random.below(3) {
                    0 => text[at] = random.next().to_le_bytes()[0],
                    1 => {
                        text.remove(at);
                    }
                    _ => text.insert(at, random.next().to_le_bytes()[0]),
                }
            }
            text.truncate(random.below(text.len() + 1).max(text.len() / 2));
            Some(text)
        }
        Kind::All => encode(&source.code_points),
    }
}
