//! The codes of the encodings of the web, for their tables.

use super::one_to_utf8;
use crate::index::Index;
use crate::legacy::Legacy;
use crate::legacy::codes::{FOURS, FOURS_OF_PLANES, bytes_of_number, number, of_number, private};
use crate::two_bytes::{Codes, Tables, text};
use crate::window::At;

use alloc::vec::Vec;
use placemat_core::ground::once::Once;

/// The number of encodings.
const COUNT: usize = Legacy::ALL.len();

impl Codes for Legacy {
    #[inline(always)]
    fn place(self) -> &'static Once<Tables<Self>> {
        static ALL: [Once<Tables<Legacy>>; COUNT] = [const { Once::new() }; COUNT];
        &ALL[self as usize]
    }

    fn make(self) -> Tables<Self> {
        let single = |byte: u8| self.single(byte).map_or(0, text);
        Tables::reading(self, single, |two| self.scalar(two).map_or(0, text))
    }

    fn written(self, tables: &Tables<Self>) -> Vec<(u32, u16)> {
        written(self, tables)
    }

    /// Four bytes have a digit as their second.
    #[inline(always)]
    fn is_longer(self, [_, second]: [u8; 2]) -> bool {
        self.is_gb() && second.is_ascii_digit()
    }

    #[inline(always)]
    fn read_longer(self, bytes: [u8; 4]) -> Option<(u32, usize)> {
        Some((Fours::get().read(bytes)?, 4))
    }

    /// Reads a character that is in no table.
    #[inline(never)]
    fn read_other(self, at: &mut At<'_>) -> Option<()> {
        let mut text = [0; 16];
        let (read, written) = one_to_utf8(self, at.src.get(at.read..)?, &mut text)?;
        at.write(text, written, read)
    }

    fn write_other(self, c: u32) -> Option<([u8; 4], usize)> {
        if self == Self::Gb18030
            && let Some(bytes) = Fours::get().write(c)
        {
            return Some((bytes, 4));
        }
        // Private use that was characters once.
        if self.is_gb() { private(c) } else { None }
    }
}

/// Returns the codes that the encoder writes, by the WHATWG Encoding Standard. Of several codes it writes
/// the first, which is last here.
fn written(encoding: Legacy, tables: &Tables<Legacy>) -> Vec<(u32, u16)> {
    let is_written = |lead: u8| match encoding {
        // Hong Kong's.
        Legacy::Big5 => lead >= 0xA1,
        // Without NEC's copies of IBM's additions, and without private use.
        Legacy::ShiftJis => !matches!(lead, 0xED | 0xEE | 0xF0..=0xF9),
        _ => true,
    };
    let pairs: Vec<_> = tables.pairs(is_written).collect();
    let mut codes: Vec<(u32, u16)> = Vec::new();
    match encoding {
        // Single bytes come last: the encoder writes the euro sign as one byte.
        Legacy::Gbk => codes.extend(pairs.iter().rev().copied().chain(tables.singles())),
        Legacy::Gb18030 => codes.extend(tables.singles().chain(pairs.iter().rev().copied())),
        all => {
            codes.extend(tables.singles().chain(pairs.iter().rev().copied()));
            if all == Legacy::Big5 {
                let last = |c: u32| matches!(c, 0x2550 | 0x255E | 0x2561 | 0x256A | 0x5341 | 0x5345);
                codes.extend(pairs.iter().filter(|&&(c, _)| last(c)));
            }
            if matches!(all, Legacy::ShiftJis | Legacy::EucJp) {
                codes.extend([(0xA5, 0x5C), (0x203E, 0x7E)]);
                let minus = codes.iter().find(|&&(c, _)| c == 0xFF0D).map(|&(_, code)| (0x2212, code));
                codes.extend(minus);
            }
        }
    }
    codes
}

/// The codes of four bytes of gb18030: counted, the first for what is not in two bytes, in order, and after a gap all
/// planes but the first.
struct Fours {
    /// The code point of each code before the gap.
    units: Vec<u16>,
    /// The bytes of the codes, which would take divisions to compute.
    bytes: Vec<[u8; 4]>,
    index: Index,
}

impl Fours {
    fn get() -> &'static Self {
        static ALL: Once<Fours> = Once::new();
        ALL.get_or_make(|| {
            let bytes: Vec<[u8; 4]> = (0..FOURS).map(bytes_of_number).collect();
            // Each of them means a code point of the Basic Multilingual Plane.
            let unit = |n| of_number(n).and_then(|c| u16::try_from(c).ok()).unwrap_or(0);
            let units: Vec<u16> = (0..FOURS).map(unit).collect();
            let index = units.iter().map(|&unit| u32::from(unit)).zip(0..).collect();
            Self { units, bytes, index }
        })
    }

    /// The code point of four bytes.
    #[inline(always)]
    fn read(&self, bytes: [u8; 4]) -> Option<u32> {
        let n = number(bytes)?;
        match n.checked_sub(FOURS_OF_PLANES) {
            None => self.units.get(n as usize).map(|&unit| unit.into()),
            Some(n) => (n < 0x10_0000).then_some(0x1_0000 + n),
        }
    }

    /// Returns the bytes of a scalar value, if it is four.
    #[inline(always)]
    fn write(&self, c: u32) -> Option<[u8; 4]> {
        match c.checked_sub(0x1_0000) {
            Some(c) => Some(bytes_of_number(FOURS_OF_PLANES + c)),
            None => self.bytes.get(usize::from(self.index.code(c)?)).copied(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{EncoderResult, Encoding, GB18030};
    use placemat_core::kernels::Moved;
    use placemat_core::kernels::portable::samples::Numbers;

    const ENCODINGS: [Legacy; 6] =
        [Legacy::Gb18030, Legacy::Gbk, Legacy::Big5, Legacy::EucJp, Legacy::ShiftJis, Legacy::EucKr];

    /// Returns the bytes that `encoding_rs` writes for a character, and how many.
    fn encode(encoding: &'static Encoding, c: char) -> Option<([u8; 4], usize)> {
        let (mut text, mut units) = ([0; 4], [0; 16]);
        let text = c.encode_utf8(&mut text);
        let (result, _, len) =
            encoding.new_encoder().encode_from_utf8_without_replacement(text, &mut units, false);
        let [a, b, c, d, ..] = units;
        (result == EncoderResult::InputEmpty).then_some(([a, b, c, d], len))
    }

    /// The tables agree with `encoding_rs` on all pairs of bytes and all scalar values.
    #[test]
    fn tables_say_what_encoding_rs_says() {
        for legacy in ENCODINGS {
            let (tables, encoding) = (Tables::of(legacy), legacy.peer());
            let mut held = 0;
            for two in (0x8000..=u16::MAX).map(u16::to_be_bytes) {
                let Some((bytes, len)) = tables.read(two) else { continue };
                let (expected, _) = encoding.decode_without_bom_handling(&two);
                assert_eq!(bytes.to_le_bytes()[..len], *expected.as_bytes(), "{} {two:X?}", encoding.name());
                held += 1;
            }
            assert!(held > 6000, "{}", encoding.name());
            for c in '\u{80}'..=char::MAX {
                let found = tables.write_any(c.into());
                assert_eq!(found, encode(encoding, c), "{} {c:?}", encoding.name());
            }
        }
    }

    /// Several characters at a time are read as each by itself, wherever they begin and whatever they stand beside.
    #[test]
    fn units_are_those_of_the_characters() {
        let mut numbers = Numbers::new(7);
        for legacy in ENCODINGS {
            let tables = Tables::of(legacy);
            let pairs: Vec<u16> = tables.pairs(|_| true).map(|(_, code)| code).collect();
            for round in 0..3000 {
                let mut src = Vec::new();
                while src.len() < 60 {
                    match numbers.below(if round % 3 == 0 { 2 } else { 7 }) {
                        0 | 1 => src.extend(pairs[numbers.below(pairs.len())].to_be_bytes()),
                        2 => src.extend(b"a line of markup "),
                        3 => src.push(numbers.below(0x80).to_le_bytes()[0]),
                        4 if round % 5 == 0 => src.push(numbers.below(0x100).to_le_bytes()[0]),
                        _ => src.push(b' '),
                    }
                }
                let room = numbers.below(70);
                let (mut read, mut expected) = (0, Vec::new());
                while let Some((c, len)) = tables.first_scalar(&src[read..]) {
                    let c = char::from_u32(c).expect("it is a scalar value");
                    if expected.len() + c.len_utf16() > room {
                        break;
                    }
                    expected.extend(c.encode_utf16(&mut [0; 2]).iter().map(|unit| unit.to_le_bytes()));
                    read += len;
                }
                let mut units = vec![[0; 2]; room];
                assert_eq!(tables.to_units(&src, &mut units), (read, expected.len()), "{legacy:?} {src:X?}");
                assert_eq!(units[..expected.len()], expected, "{legacy:?} {src:X?}");
            }
        }
    }

    /// Texts of every kind of character, with something unmappable or ill-formed anywhere, and with
    /// little room: the prefix that is encoded is as long as the one that `encoding_rs` encodes
    /// character by character.
    #[test]
    fn the_prefix_that_is_encoded_is_the_longest() {
        let kinds = [
            "a",
            "<p class=\"text\">",
            "é",
            "д",
            "日本語",
            "漢字",
            "한국어 말",
            "ｱ",
            "。",
            "€",
            "😀",
            "𠂊",
            "\u{E5E5}",
        ];
        let mut numbers = Numbers::new(5);
        for legacy in ENCODINGS {
            let encoding = legacy.peer();
            let of = |c: char| encode(encoding, c).map(|(bytes, len)| bytes[..len].to_vec());
            let held: Vec<&str> =
                kinds.into_iter().filter(|kind| kind.chars().all(|c| of(c).is_some())).collect();
            assert!(held.len() > 6);
            for round in 0..2000 {
                let mut src = Vec::new();
                let most = [20, 200, 1300, 5000][round % 4];
                // Long runs of one kind, and all kinds mixed.
                let run = 1 + numbers.below(if round % 3 == 0 { 300 } else { 3 });
                while src.len() < most {
                    let kind = held[numbers.below(held.len())];
                    (0..1 + numbers.below(run)).for_each(|_| src.extend_from_slice(kind.as_bytes()));
                }
                src.truncate(numbers.below(most));
                let at = numbers.below(src.len() + 1);
                match round % 5 {
                    0 => src.truncate(at),
                    1 => drop(src.splice(at..at, [0xFF])),
                    2 => drop(src.splice(at..at, "ༀ".bytes())),
                    _ => {}
                }
                let text = match core::str::from_utf8(&src) {
                    Ok(text) => text,
                    Err(e) => core::str::from_utf8(&src[..e.valid_up_to()]).expect("valid up to there"),
                };
                let mut room = 4 * src.len();
                if round % 7 == 0 {
                    room = numbers.below(src.len() + 1);
                }
                let (mut read, mut expected) = (0, Vec::new());
                for c in text.chars() {
                    let code = if c.is_ascii() { Some(vec![c as u8]) } else { of(c) };
                    let Some(code) = code.filter(|code| expected.len() + code.len() <= room) else { break };
                    expected.extend_from_slice(&code);
                    read += c.len_utf8();
                }
                let mut dst = vec![0xA5; room + 1];
                let moved = Tables::of(legacy).encode_utf8(&src, &mut dst[..room]);
                let name = encoding.name();
                assert_eq!(moved, Moved { read, written: expected.len() }, "{name} {src:02X?} {room}");
                assert_eq!(dst[..expected.len()], expected, "{name} {src:02X?}");
                assert_eq!(dst[room], 0xA5);
            }
        }
    }

    /// The tables agree with `encoding_rs` on all sequences of four bytes of gb18030.
    #[test]
    fn four_bytes_say_what_encoding_rs_says() {
        let all = (0..126 * 10 * 126 * 10).map(bytes_of_number);
        assert_eq!(all.clone().next_back(), Some([0xFE, 0x39, 0xFE, 0x39]));
        let mut held = 0;
        for four in all {
            let (text, errors) = GB18030.decode_without_bom_handling(&four);
            let expected = if errors { None } else { text.chars().next().map(u32::from) };
            assert_eq!(Fours::get().read(four), expected, "{four:X?}");
            held += usize::from(expected.is_some());
        }
        assert_eq!(held, FOURS as usize + 0x10_0000);
        assert_eq!(Fours::get().units.len(), FOURS as usize);
        for four in [
            [0x80, 0x30, 0x81, 0x30],
            [0x81, 0x2F, 0x81, 0x30],
            [0x81, 0x30, 0xFF, 0x30],
            [0x81, 0x30, 0x81, 0x3A],
        ] {
            assert_eq!(Fours::get().read(four), None);
        }
    }
}
