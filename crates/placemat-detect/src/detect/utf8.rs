//! Is the stream UTF-8, or a relative of it? How much of it is?

use super::verdict::Damage;
use alloc::vec::Vec;
use placemat_core::kernels::dispatch::Kernels;
use placemat_core::kernels::marks::{MARKS, STEP};

/// The counts of sequences in a stream that is read as UTF-8.
#[derive(Clone, Debug, Default)]
pub(super) struct Utf8 {
    /// Ill-formed sequences, each a maximal subpart.
    pub(super) ill_formed: u64,
    /// Well-formed sequences of several bytes.
    pub(super) well_formed: u64,
    /// The first ill-formed sequence, and its offset.
    pub(super) first: Option<(u64, Vec<u8>)>,
    pub(super) relatives: Relatives,
}

/// The sequences by which the relatives of UTF-8 differ from it.
#[derive(Clone, Debug, Default)]
pub(super) struct Relatives {
    /// Whether some sequence is ill-formed in all relatives of UTF-8.
    foreign: bool,
    /// Sequences of four bytes.
    four: bool,
    /// C0 80, which is U+0000 in Modified UTF-8.
    pub(super) nuls: u64,
    /// Surrogate pairs, each of two sequences of three bytes.
    pub(super) pairs: u64,
    /// Surrogates without a partner.
    pub(super) lone: u64,
    /// The end of a leading surrogate that has no partner yet.
    leading: Option<u64>,
}

impl Utf8 {
    /// Takes a block that begins and ends between sequences. Returns whether it is well-formed.
    pub(super) fn block(&mut self, offset: u64, block: &[u8]) -> bool {
        let good = Kernels::current().utf8_prefix(block);
        let leads = Leads::of(block);
        self.relatives.four |= leads.four;
        if good == block.len() {
            self.well_formed += leads.count;
            return true;
        }
        let unpaired_before = self.relatives.leading.take().filter(|&end| end == offset);
        self.relatives.leading = unpaired_before;
        let mut cut = 0;
        let kernels = Kernels::current();
        let mut at = good;
        while at < block.len() {
            let mut marks = [0; MARKS];
            let looked_at = kernels.mark_errors(block, at, &mut marks);
            for (step, mark) in marks.into_iter().enumerate().filter(|(_, mark)| *mark != 0) {
                let from = at + step * STEP;
                self.ill_formed += u64::from(mark.count_ones());
                // The lead byte of an ill-formed sequence begins nothing that is well-formed.
                cut += u64::from((mark & leads_from(block, from)).count_ones());
                if self.first.is_none() || !self.relatives.foreign {
                    self.each(offset, block, from, mark);
                }
            }
            at += looked_at.max(1);
        }
        self.well_formed += leads.count - cut;
        false
    }

    /// Takes the errors of a step one by one.
    fn each(&mut self, offset: u64, block: &[u8], from: usize, mut mark: u64) {
        while mark != 0 {
            let at = from + mark.trailing_zeros() as usize;
            mark &= mark - 1;
            if self.first.is_none() {
                let len = match placemat_core::utf8::decode_first(&block[at..]) {
                    Some(Err(e)) => e.len(),
                    _ => 1,
                };
                self.first = Some((offset + at as u64, block[at..at + len].to_vec()));
            }
            self.relatives.error(offset, block, at);
        }
    }

    /// Returns the damage, if the stream is UTF-8 but for some ill-formed sequences.
    ///
    /// In text of another encoding, sequences are well-formed by chance: hardly any in most encodings, one for each four
    /// ill-formed bytes in Thai, where vowels that stand before their consonant make such pairs.
    pub(super) fn damage(&self, len: u64) -> Option<Damage> {
        let &Self { ill_formed, well_formed, .. } = self;
        let (offset, bytes) = self.first.as_ref()?;
        // A truncated stream ends inside a sequence.
        let is_cut =
            well_formed > 0 && ill_formed == 1 && offset + bytes.len() as u64 == len && bytes[0] >= 0xC2;
        if is_cut || (well_formed >= 8 && well_formed / 3 >= ill_formed) { self.all_damage() } else { None }
    }

    /// Returns the counts, whatever the stream is.
    pub(super) fn all_damage(&self) -> Option<Damage> {
        let &Self { ill_formed, well_formed, .. } = self;
        let (first, _) = self.first.as_ref()?;
        Some(Damage { ill_formed, well_formed, first: *first })
    }
}

impl Relatives {
    /// Returns `true` if the whole stream is well-formed in CESU-8.
    pub(super) fn is_cesu8(&self) -> bool {
        !self.foreign && !self.four && self.pairs > 0 && self.lone == 0 && self.nuls == 0
    }

    /// Returns `true` if the whole stream is well-formed in Modified UTF-8, and has its U+0000.
    pub(super) fn is_mutf8(&self) -> bool {
        !self.foreign && !self.four && self.nuls > 0 && self.lone == 0
    }

    /// Returns `true` if the whole stream is well-formed in WTF-8.
    pub(super) fn is_wtf8(&self) -> bool {
        !self.foreign && self.pairs == 0 && self.lone > 0 && self.nuls == 0
    }

    /// Takes the ill-formed byte at `at`.
    fn error(&mut self, offset: u64, block: &[u8], at: usize) {
        if self.foreign {
            return;
        }
        let here = offset + at as u64;
        match &block[at..] {
            [0xC0, 0x80, ..] => self.nuls += 1,
            [0xED, 0xA0..=0xAF, 0x80..=0xBF, ..] => {
                self.lone += 1;
                self.leading = Some(here + 3);
            }
            [0xED, 0xB0..=0xBF, 0x80..=0xBF, ..] => {
                if self.leading.take() == Some(here) {
                    self.lone -= 1;
                    self.pairs += 1;
                } else {
                    self.lone += 1;
                }
            }
            // The bytes after those.
            [0x80..=0xBF, ..]
                if at >= 1 && matches!(block[at - 1..], [0xC0, 0x80, ..] | [0xED, 0xA0..=0xBF, ..])
                    || at >= 2 && matches!(block[at - 2..], [0xED, 0xA0..=0xBF, 0x80..=0xBF, ..]) => {}
            _ => self.foreign = true,
        }
    }
}

/// The lead bytes of a block, and those that look like them but occur nowhere.
struct Leads {
    count: u64,
    four: bool,
}

impl Leads {
    fn of(block: &[u8]) -> Self {
        let mut count = 0;
        let mut four = 0;
        // Small counters in short chunks make vector code.
        for chunk in block.chunks(128) {
            let mut leads = 0_u8;
            for &byte in chunk {
                leads += u8::from(byte >= 0xC0);
                four |= u8::from(byte >= 0xF0);
            }
            count += u64::from(leads);
        }
        Self { count, four: four != 0 }
    }
}

/// Returns the bytes from C0 on among the 64 from `from` on, as bits.
fn leads_from(block: &[u8], from: usize) -> u64 {
    let mut bytes = [0; 64];
    let rest = &block[from..];
    let len = rest.len().min(bytes.len());
    bytes[..len].copy_from_slice(&rest[..len]);
    let words = bytes.as_chunks::<8>().0.iter().map(|&word| u64::from_le_bytes(word));
    words.rev().fold(0, |bits, word| {
        let leads = (word & word << 1) & 0x8080_8080_8080_8080;
        // The highest bits of eight bytes, side by side.
        bits << 8 | (leads >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::blocks::{BLOCK, Blocks};

    fn read(src: &[u8], piece: usize) -> Utf8 {
        let (mut blocks, mut utf8, mut offset) = (Blocks::default(), Utf8::default(), 0);
        let mut take = |block: &[u8]| {
            assert_eq!(utf8.block(offset, block), core::str::from_utf8(block).is_ok());
            offset += block.len() as u64;
        };
        for piece in src.chunks(piece) {
            blocks.feed(piece, &mut take);
        }
        take(blocks.rest());
        utf8
    }

    /// Counts as the standard library does.
    fn check(src: &[u8]) {
        let chunks = || src.utf8_chunks();
        let ill_formed = chunks().filter(|chunk| !chunk.invalid().is_empty()).count();
        let well_formed = chunks().flat_map(|chunk| chunk.valid().chars()).filter(|c| !c.is_ascii()).count();
        let found = read(src, src.len().max(1));
        assert_eq!(
            (found.ill_formed, found.well_formed),
            (ill_formed as u64, well_formed as u64),
            "{src:02x?}"
        );
        let first = chunks().next().filter(|chunk| !chunk.invalid().is_empty());
        assert_eq!(found.first, first.map(|chunk| (chunk.valid().len() as u64, chunk.invalid().to_vec())));
    }

    #[test]
    fn counts_are_those_of_the_standard_library() {
        let bytes =
            [0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1]
                .into_iter()
                .chain([0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF8, 0xFF])
                .collect::<Vec<u8>>();
        let mut state = 1_u32;
        for len in (0..200).chain([BLOCK - 2, BLOCK, BLOCK + 3, 3 * BLOCK]) {
            for _ in 0..if len < 200 { 40 } else { 3 } {
                let mut src = Vec::new();
                while src.len() < len {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    let number = (state >> 16) as usize;
                    match number % 5 {
                        0 | 1 => src.extend("é日😀 a".as_bytes()),
                        2 => src.extend(b"plain ascii "),
                        _ => src.push(bytes[number / 5 % bytes.len()]),
                    }
                }
                src.truncate(len);
                check(&src);
            }
        }
    }

    #[test]
    fn relatives_at_every_place_of_a_block_border() {
        let kinds: [(&[u8], [bool; 3]); 8] = [
            (b"\xED\xA0\xBD\xED\xB8\x80", [true, false, false]),
            (b"\xC0\x80", [false, true, false]),
            (b"\xED\xA0\xBD\xED\xB8\x80\xC0\x80", [false, true, false]),
            (b"\xED\xA0\xBD", [false, false, true]),
            (b"\xED\xB8\x80\xED\xA0\xBD", [false, false, true]),
            (b"\xF0\x9F\x98\x80\xED\xA0\xBD\xED\xB8\x80", [false, false, false]),
            (b"\xED\xA0\xBD\xED\xB8", [false, false, false]),
            (b"\xC0\x81\xC0\x80", [false, false, false]),
        ];
        for (bytes, want) in kinds {
            for before in BLOCK - 8..BLOCK + 2 {
                let src = [&vec![b'a'; before], bytes, b"bc"].concat();
                let found = read(&src, 1000).relatives;
                assert_eq!(
                    [found.is_cesu8(), found.is_mutf8(), found.is_wtf8()],
                    want,
                    "{bytes:02x?} {before}"
                );
            }
        }
    }
}
