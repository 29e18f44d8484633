//! The counts of a text.

use super::chosen::{Choice, Chosen, Extras};
use super::text::{Reader, Sink};
use crate::line_ends;
use placemat::{Encoding, length, utf8};
use std::io::{self, Read};

/// The counts of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) bytes: u64,
    pub(super) lines: u64,
    pub(super) code_points: u64,
    pub(super) ill_formed: u64,
    pub(super) utf8: u64,
    pub(super) utf16: u64,
    pub(super) utf32: u64,
    /// Whether a code point does not fit in Latin-1.
    pub(super) beyond_latin1: bool,
    pub(super) chosen: Chosen,
}

impl Counts {
    pub(super) fn add(&mut self, other: &Self) {
        self.bytes += other.bytes;
        self.lines += other.lines;
        self.code_points += other.code_points;
        self.ill_formed += other.ill_formed;
        self.utf8 += other.utf8;
        self.utf16 += other.utf16;
        self.utf32 += other.utf32;
        self.beyond_latin1 |= other.beyond_latin1;
        self.chosen.add(&other.chosen);
    }

    pub(super) fn latin1(&self) -> Option<u64> {
        (!self.beyond_latin1).then_some(self.code_points)
    }
}

/// Counts the text that it is given.
#[derive(Debug)]
pub(super) struct Counter {
    counts: Counts,
    extras: Extras,
    line_ends: line_ends::Count,
}

impl Counter {
    pub(super) fn new(choice: Choice) -> Self {
        Self {
            counts: Counts::default(),
            extras: Extras::new(choice),
            line_ends: line_ends::Count::default(),
        }
    }

    /// Returns the counts of a whole stream.
    pub(super) fn count(
        &mut self,
        reader: &mut Reader,
        stream: &mut impl Read,
        from: Encoding,
    ) -> io::Result<Counts> {
        self.counts = Counts::default();
        self.extras.restart();
        self.line_ends = line_ends::Count::default();
        let bytes = reader.read(stream, from, self)?;
        Ok(Counts { bytes, chosen: self.extras.finish(), ..self.counts })
    }
}

impl Sink for Counter {
    fn text(&mut self, text: &str) {
        self.extras.push(text);
        self.counts.lines += self.line_ends.push(text);
        let text = text.as_bytes();
        let counts = &mut self.counts;
        let code_points = utf8::count_code_points(text);
        counts.utf32 += code_points as u64;
        counts.code_points += code_points as u64;
        counts.utf8 += text.len() as u64;
        if code_points == text.len() {
            counts.utf16 += code_points as u64;
        } else {
            counts.utf16 += length::utf16_from_utf8(text) as u64;
            // C4 is the lead byte of U+0100.
            counts.beyond_latin1 |= text.iter().fold(0, |most, &byte| most.max(byte)) >= 0xC4;
        }
    }

    fn ill_formed(&mut self, count: u64) {
        self.counts.ill_formed += count;
        self.counts.code_points -= count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(bytes: &[u8], encoding: Encoding) -> Counts {
        let counted = Counter::new(Choice::default()).count(&mut Reader::new(), &mut { bytes }, encoding);
        counted.expect("slices can be read")
    }

    #[test]
    fn every_unit_of_a_text() {
        let text = "aé€😀\n";
        let wanted = Counts {
            bytes: 11,
            lines: 1,
            code_points: 5,
            ill_formed: 0,
            utf8: 11,
            utf16: 6,
            utf32: 5,
            beyond_latin1: true,
            chosen: Chosen::default(),
        };
        assert_eq!(count(text.as_bytes(), Encoding::UTF_8), wanted);
        let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(count(&utf16, Encoding::UTF_16BE), Counts { bytes: 12, ..wanted });
        assert_eq!(count(b"\xE9\xFF", Encoding::ISO_8859_1).latin1(), Some(2));
        assert_eq!(count("ÿ".as_bytes(), Encoding::UTF_8).latin1(), Some(1));
        assert_eq!(count("Ā".as_bytes(), Encoding::UTF_8).latin1(), None);
    }

    #[test]
    fn what_is_ill_formed_counts_as_its_replacement() {
        let counts = count(b"a\xE2\x82\xFFb", Encoding::UTF_8);
        assert_eq!((counts.code_points, counts.ill_formed), (2, 2));
        assert_eq!((counts.utf8, counts.utf16, counts.utf32, counts.latin1()), (8, 4, 4, None));
    }
}
