//! Compares the kernels between wide forms, those between wide and single-byte forms, and
//! validation, on all levels and on the model, with the standard library, code point by code point.
#![expect(clippy::cast_possible_truncation, reason = "the numbers of a form are as wide as its units")]

use super::super::portable::samples::{MIXED, Numbers, is_taken};
use super::super::{Moved, latin1_wide, utf16, utf16_to_utf32, utf32, utf32_to_utf16};
use crate::ground::unit::{Be, Le};
use crate::kernels::dispatch::{Isa, Kernels};
use crate::simd::model::Model;

/// A form whose code units have a byte order.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    Utf16(bool),
    Utf32(bool),
    Latin1,
    Ascii,
}

use Form::{Ascii, Latin1, Utf16, Utf32};

const LE: bool = false;
const BE: bool = true;

impl Form {
    fn units16(big: bool, bytes: &[u8]) -> Vec<u16> {
        bytes
            .as_chunks()
            .0
            .iter()
            .map(|&b| if big { u16::from_be_bytes(b) } else { u16::from_le_bytes(b) })
            .collect()
    }

    fn bytes16(big: bool, units: impl Iterator<Item = u16>) -> Vec<u8> {
        units.flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
    }

    fn bytes32(big: bool, unit: u32) -> Vec<u8> {
        if big { unit.to_be_bytes().into() } else { unit.to_le_bytes().into() }
    }

    /// Returns the code points of the longest well-formed prefix, each with its length in bytes.
    fn decode(self, src: &[u8]) -> Vec<(char, usize)> {
        match self {
            Utf16(big) => char::decode_utf16(Self::units16(big, src))
                .map_while(Result::ok)
                .map(|c| (c, 2 * c.len_utf16()))
                .collect(),
            Utf32(big) => src
                .as_chunks()
                .0
                .iter()
                .map(|&b| if big { u32::from_be_bytes(b) } else { u32::from_le_bytes(b) })
                .map_while(char::from_u32)
                .map(|c| (c, 4))
                .collect(),
            Latin1 => src.iter().map(|&byte| (char::from(byte), 1)).collect(),
            Ascii => {
                src.iter().take_while(|byte| byte.is_ascii()).map(|&byte| (char::from(byte), 1)).collect()
            }
        }
    }

    fn encode(self, c: char) -> Option<Vec<u8>> {
        match self {
            Utf16(big) => Some(Self::bytes16(big, c.encode_utf16(&mut [0; 2]).iter().copied())),
            Utf32(big) => Some(Self::bytes32(big, c.into())),
            Latin1 => u8::try_from(c).ok().map(|byte| vec![byte]),
            Ascii => u8::try_from(c).ok().filter(u8::is_ascii).map(|byte| vec![byte]),
        }
    }

    fn encode_all(self, text: &str) -> Vec<u8> {
        text.chars().filter_map(|c| self.encode(c)).flatten().collect()
    }

    /// Number of bytes of a code unit.
    fn width(self) -> usize {
        match self {
            Utf16(_) => 2,
            Utf32(_) => 4,
            Latin1 | Ascii => 1,
        }
    }

    /// Returns a code unit of this value, well-formed or not.
    fn unit(self, number: u32) -> Vec<u8> {
        match self {
            Utf16(big) => Self::bytes16(big, core::iter::once(number as u16)),
            Utf32(big) => Self::bytes32(big, number),
            Latin1 | Ascii => vec![number as u8],
        }
    }
}

/// A kernel of any level.
type Convert = Box<dyn Fn(&[u8], &mut [u8]) -> Moved>;
type Prefix = Box<dyn Fn(&[u8]) -> usize>;

macro_rules! converters {
    ($($name:ident: $from:expr, $to:expr $(, $model:path)?;)*) => {
        /// Returns each pair of forms with its kernels on all levels.
        fn converters() -> Vec<(Form, Form, Vec<(&'static str, Convert)>)> {
            vec![$(($from, $to, {
                let mut all: Vec<(&'static str, Convert)> = Vec::new();
                for isa in Isa::available() {
                    let kernels = Kernels::of(isa).expect("available");
                    all.push((isa.name(), Box::new(move |src, dst| kernels.$name(src, dst))));
                }
                // The model is large code: only one of the two byte orders per kernel.
                $(all.push(("model", Box::new(|src, dst| $model(Model, src, dst))));)?
                all
            })),*]
        }
    };
}

converters! {
    copy_utf16le: Utf16(LE), Utf16(LE);
    copy_utf16be: Utf16(BE), Utf16(BE);
    utf16le_to_utf16be: Utf16(LE), Utf16(BE);
    utf16be_to_utf16le: Utf16(BE), Utf16(LE), utf16::utf16_to_utf16::<_, Be, Le>;
    copy_utf32le: Utf32(LE), Utf32(LE);
    copy_utf32be: Utf32(BE), Utf32(BE);
    utf32le_to_utf32be: Utf32(LE), Utf32(BE);
    utf32be_to_utf32le: Utf32(BE), Utf32(LE), utf32::utf32_to_utf32::<_, Be, Le>;
    utf16le_to_utf32le: Utf16(LE), Utf32(LE);
    utf16le_to_utf32be: Utf16(LE), Utf32(BE);
    utf16be_to_utf32le: Utf16(BE), Utf32(LE), utf16_to_utf32::utf16_to_utf32::<_, Be, Le>;
    utf16be_to_utf32be: Utf16(BE), Utf32(BE);
    utf32le_to_utf16le: Utf32(LE), Utf16(LE);
    utf32le_to_utf16be: Utf32(LE), Utf16(BE), utf32_to_utf16::utf32_to_utf16::<_, Le, Be>;
    utf32be_to_utf16le: Utf32(BE), Utf16(LE);
    utf32be_to_utf16be: Utf32(BE), Utf16(BE);
    latin1_to_utf16le: Latin1, Utf16(LE), latin1_wide::bytes_to_utf16::<_, Le, false>;
    latin1_to_utf16be: Latin1, Utf16(BE);
    latin1_to_utf32le: Latin1, Utf32(LE);
    latin1_to_utf32be: Latin1, Utf32(BE);
    ascii_to_utf16le: Ascii, Utf16(LE);
    ascii_to_utf16be: Ascii, Utf16(BE);
    ascii_to_utf32le: Ascii, Utf32(LE);
    ascii_to_utf32be: Ascii, Utf32(BE), latin1_wide::bytes_to_utf32::<_, Be, true>;
    utf16le_to_latin1: Utf16(LE), Latin1;
    utf16be_to_latin1: Utf16(BE), Latin1, latin1_wide::utf16_to_latin1::<_, Be>;
    utf32le_to_latin1: Utf32(LE), Latin1, latin1_wide::utf32_to_latin1::<_, Le>;
    utf32be_to_latin1: Utf32(BE), Latin1;
}

/// Returns each form with its validation on all levels.
fn prefixes() -> Vec<(Form, Vec<(&'static str, Prefix)>)> {
    let mut all: [(Form, Vec<(&'static str, Prefix)>); 4] =
        [Utf16(LE), Utf16(BE), Utf32(LE), Utf32(BE)].map(|form| (form, Vec::new()));
    for isa in Isa::available() {
        let kernels = Kernels::of(isa).expect("available");
        all[0].1.push((isa.name(), Box::new(move |src| kernels.utf16le_prefix(src))));
        all[1].1.push((isa.name(), Box::new(move |src| kernels.utf16be_prefix(src))));
        all[2].1.push((isa.name(), Box::new(move |src| kernels.utf32le_prefix(src))));
        all[3].1.push((isa.name(), Box::new(move |src| kernels.utf32be_prefix(src))));
    }
    all[1].1.push(("model", Box::new(|src| utf16::utf16_prefix::<_, Be>(Model, src))));
    all[3].1.push(("model", Box::new(|src| utf32::utf32_prefix::<_, Be>(Model, src))));
    all.into()
}

/// The result that every kernel should have for a source.
struct Expected {
    /// Bytes read and written after each code point, and before the first.
    ends: Vec<(usize, usize)>,
    bytes: Vec<u8>,
}

impl Expected {
    fn new(from: Form, to: Form, src: &[u8]) -> Self {
        let (mut ends, mut bytes, mut read) = (vec![(0, 0)], Vec::new(), 0);
        for (c, len) in from.decode(src) {
            let Some(encoded) = to.encode(c) else { break };
            read += len;
            bytes.extend(encoded);
            ends.push((read, bytes.len()));
        }
        Self { ends, bytes }
    }

    fn check(&self, kernels: &[(&str, Convert)], src: &[u8], room: usize) {
        let &(read, written) =
            self.ends.iter().rev().find(|(_, written)| *written <= room).expect("nothing fits anywhere");
        for (level, kernel) in kernels {
            let mut dst = vec![0xEE; room];
            let moved = kernel(src, &mut dst);
            assert_eq!(moved, Moved { read, written }, "{level}, room {room}: {src:02x?}");
            assert_eq!(dst[..written], self.bytes[..written], "{level}, room {room}: {src:02x?}");
        }
    }
}

/// A text that the form can represent, with every class of code points next to every other.
fn text(from: Form, to: Form) -> String {
    let narrow =
        "Plain ASCII for rather more than a block of sixty-four bytes; żółć déjà vu, \u{80}\u{FF}ÿþ·é. ";
    let text = if to == Latin1 || from == Latin1 || from == Ascii { narrow } else { MIXED };
    text.chars().filter(|&c| from.encode(c).is_some() && to.encode(c).is_some()).collect()
}

#[test]
fn every_cut_of_a_mixed_text_and_every_room() {
    for (from, to, kernels) in converters() {
        let src = from.encode_all(&text(from, to).repeat(if from.width() == 1 { 3 } else { 1 }));
        for start in (0..src.len()).step_by(97) {
            for end in (start..=src.len()).step_by(if end_is_near(start, src.len()) { 1 } else { 13 }) {
                let expected = Expected::new(from, to, &src[start..end]);
                expected.check(&kernels, &src[start..end], expected.bytes.len());
            }
        }
        for (start, end) in [(0, src.len()), (src.len() / 2, src.len())] {
            let start = start / 4 * 4;
            let expected = Expected::new(from, to, &src[start..end]);
            for room in 0..expected.bytes.len() + 3 {
                expected.check(&kernels, &src[start..end], room);
            }
            expected.check(&kernels, &src[start..end], expected.bytes.len() + 500);
        }
    }
}

fn end_is_near(start: usize, len: usize) -> bool {
    len - start < 200
}

/// Code units on either side of every boundary, and surrogate pairs in and out of order.
const BORDERS: &[&[u32]] = &[
    &[0],
    &[0x7F],
    &[0x80],
    &[0xFF],
    &[0x100],
    &[0xD7FF],
    &[0xD800],
    &[0xDBFF],
    &[0xDC00],
    &[0xDFFF],
    &[0xE000],
    &[0xFFFF],
    &[0x1_0000],
    &[0x10_FFFF],
    &[0x11_0000],
    &[0x7FFF_FFFF],
    &[0x8000_0000],
    &[0xFFFF_FFFF],
    &[0xD800, 0xDC00],
    &[0xDBFF, 0xDFFF],
    &[0xDC00, 0xD800],
    &[0xD800, 0xD800, 0xDC00],
    &[0xD800, 0xDC00, 0xDC00],
    &[0xD800, 0x41, 0xDC00],
    &[0xDFFF, 0x41],
];

#[test]
fn every_border_at_every_place_of_a_block() {
    let validators = prefixes();
    for (from, to, kernels) in converters() {
        for padding in ["a", "é", "日", "a日", "😀"] {
            if padding.chars().any(|c| from.encode(c).is_none() || to.encode(c).is_none()) {
                continue;
            }
            let pad = from.encode_all(padding);
            for (i, border) in BORDERS.iter().enumerate() {
                let border: Vec<u8> = border.iter().flat_map(|&unit| from.unit(unit)).collect();
                let places = (0..=130).filter(|at| *at < 6 || at % 8 < 3 || padding == "a");
                for at in places.filter(|at| is_taken(at + i, 5)) {
                    let units = at * from.width();
                    let mut src: Vec<u8> = pad.iter().copied().cycle().take(units).collect();
                    src.extend(&border);
                    for end in [0, 1, 70] {
                        src.extend(pad.iter().copied().cycle().take(end * from.width()));
                        let expected = Expected::new(from, to, &src);
                        expected.check(&kernels, &src, 4 * src.len());
                        for (form, prefixes) in &validators {
                            if to == from && *form == from {
                                for (level, prefix) in prefixes {
                                    let good = expected.ends.last().map(|end| end.0);
                                    assert_eq!(Some(prefix(&src)), good, "{level}: {src:02x?}");
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn damaged_texts_are_read_up_to_the_damage() {
    let mut numbers = Numbers::new(0x5EED);
    let validators = prefixes();
    for (from, to, kernels) in converters() {
        let src = from.encode_all(&text(from, to).repeat(4));
        for _ in 0..400 {
            let start = numbers.below(src.len());
            let mut src = src[start..].to_vec();
            src.truncate(numbers.below(src.len() + 1));
            for _ in 0..numbers.below(3).min(src.len()) {
                let unit = BORDERS[numbers.below(BORDERS.len())][0];
                let at = numbers.below(src.len()) / from.width() * from.width();
                let unit = from.unit(unit);
                let len = unit.len().min(src.len() - at);
                src[at..at + len].copy_from_slice(&unit[..len]);
            }
            let expected = Expected::new(from, to, &src);
            let room = numbers.below(2 * expected.bytes.len() + 2);
            expected.check(&kernels, &src, room);
            expected.check(&kernels, &src, expected.bytes.len());
            for (_, prefixes) in validators.iter().filter(|(form, _)| *form == from && from == to) {
                for (level, prefix) in prefixes {
                    assert_eq!(prefix(&src), expected.bytes.len(), "{level}: {src:02x?}");
                }
            }
        }
    }
}
