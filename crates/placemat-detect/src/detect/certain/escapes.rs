//! Encodings of seven bits that switch their sets by escapes: ISO-2022 and HZ.
//!
//! A stream is in one of them if it is well-formed in it from the first escape to the end, and has text in a set of two
//! bytes. Escapes that color a terminal, or a tilde in a path, are ill-formed in all of them.

use super::reading::Reading;
use super::turns::{MIN_TURNS_BYTES, Turns};
use crate::detect::controls::Marks;
use alloc::vec::Vec;
use placemat_charsets::Encoding;

/// The encodings with ESC, those with the fewest sets first.
pub(super) static ISO_2022: [Encoding; 9] = [
    Encoding::ISO_2022_JP,
    Encoding::ISO_2022_KR,
    Encoding::ISO_2022_CN,
    Encoding::ISO_2022_JP_1,
    Encoding::ISO_2022_JP_2,
    Encoding::ISO_2022_JP_3,
    Encoding::ISO_2022_JP_2004,
    Encoding::ISO_2022_JP_EXT,
    Encoding::ISO_2022_CN_EXT,
];

/// The readings of a stream in these encodings.
#[derive(Clone, Debug, Default)]
pub(in crate::detect) struct Escapes {
    /// Whether ESC, and whether `~{`, was there.
    begun: [bool; 2],
    /// While one reader does for all encodings with ESC.
    turns: Option<Turns>,
    readings: Vec<Reading>,
    /// The last byte of the block before was a tilde.
    tilde: bool,
}

impl Escapes {
    /// Takes a block of ASCII with these marks in it.
    pub(in crate::detect) fn block(&mut self, offset: u64, block: &[u8], marks: Marks) {
        self.read(block);
        if let Some(turns) = &mut self.turns {
            if !turns.block(block) {
                self.part(offset);
            }
        } else if marks.controls && !self.begun[0] && block.contains(&0x1B) {
            self.begun[0] = true;
            let mut turns = Turns::new(&ISO_2022);
            if block.len() >= MIN_TURNS_BYTES && turns.block(block) {
                self.turns = Some(turns);
            } else {
                self.begin(&ISO_2022, offset, block);
            }
        }
        if !self.begun[1] {
            if self.tilde && block.first() == Some(&b'{') {
                self.begun[1] = true;
                self.begin(&[Encoding::HZ_GB_2312], offset - 1, &[b"~", block].concat());
            } else if marks.tilde && has_pair(block) {
                self.begun[1] = true;
                self.begin(&[Encoding::HZ_GB_2312], offset, block);
            }
            self.tilde = block.last() == Some(&b'~');
        }
    }

    /// The encoding in which the whole stream is well-formed.
    pub(in crate::detect) fn finish(mut self) -> Option<Encoding> {
        self.part(0);
        self.readings.retain_mut(Reading::finish);
        let mut found = self.readings.iter().filter(|reading| reading.beyond_ascii > 0);
        let found =
            found.find(|reading| reading.encoding != Encoding::HZ_GB_2312 || is_chinese(&reading.first));
        found.map(|reading| reading.encoding)
    }

    /// Lets each encoding read for itself from here on.
    fn part(&mut self, offset: u64) {
        let Some(turns) = self.turns.take() else { return };
        for (number, &encoding) in ISO_2022.iter().enumerate() {
            if turns.alive >> number & 1 != 0 {
                let mut reading = Reading::new(encoding, offset);
                reading.beyond_ascii = u64::from(turns.any);
                if reading.block(&turns.held, false) {
                    self.readings.push(reading);
                }
            }
        }
    }

    fn read(&mut self, block: &[u8]) {
        for reading in &mut self.readings {
            reading.block(block, false);
        }
        self.readings.retain(|reading| reading.error.is_none());
    }

    fn begin(&mut self, encodings: &[Encoding], offset: u64, block: &[u8]) {
        for &encoding in encodings {
            let mut reading = Reading::new(encoding, offset);
            if reading.block(block, false) {
                self.readings.push(reading);
            }
        }
    }
}

/// Returns `true` if `~{` is in the block.
fn has_pair(block: &[u8]) -> bool {
    block.windows(2).any(|pair| pair == b"~{")
}

/// Returns `true` if most ideographs are of the 3,755 that are common: in GB 2312 they are sorted by their sound, and the
/// others by their shape. Two letters of ASCII between `~{` and `~}` mostly are one of the others.
fn is_chinese(first: &[char]) -> bool {
    let pairs = first.iter().filter_map(|c| {
        let mut utf8 = [0; 4];
        let text = c.encode_utf8(&mut utf8);
        let pair = Encoding::GBK.encode(text, placemat_core::policy::UnmappablePolicy::Stop).ok()?;
        pair.first().copied()
    });
    let (mut common, mut rare) = (0, 0);
    for lead in pairs {
        if lead < 0xD8 { common += 1 } else { rare += 1 }
    }
    common >= 2 * rare
}
