//! The codes of the multi-byte encodings of the web, one at a time: WHATWG Encoding Standard, sections 10 to 14.
//!
//! `cargo xtask tables` makes the indexes.

use super::Legacy;
use crate::grid::{Cell, Grid};
use placemat_core::forms::form::Step;
use placemat_core::ground::code_point::CodePoint;
use placemat_core::ground::error::IllFormedKind;

/// The index gb18030: a row for each lead byte from 81 on.
static GB18030: Grid = Grid::new(include_bytes!("indexes/gb18030.bin"));
/// The index Big5: a row for each lead byte from 81 on.
static BIG5: Grid = Grid::new(include_bytes!("indexes/big5.bin"));
/// The index EUC-KR: a row for each lead byte from 81 on.
static EUC_KR: Grid = Grid::new(include_bytes!("indexes/euc_kr.bin"));
/// The index jis0208: the 94 rows of the set, and those that `Shift_JIS` adds.
static JIS0208: Grid = Grid::new(include_bytes!("indexes/jis0208.bin"));
/// The index jis0212.
static JIS0212: Grid = Grid::new(include_bytes!("indexes/jis0212.bin"));
/// The ranges of the index gb18030: the number of the first code of four bytes, and its code point.
const GB18030_RANGES: &[[u8; 4]] = include_bytes!("indexes/gb18030_ranges.bin").as_chunks().0;

/// The number of codes of four bytes that mean code points of the Basic Multilingual Plane.
pub(super) const FOURS: u32 = 39_420;
/// The number of the code of four bytes that means U+10000.
pub(super) const FOURS_OF_PLANES: u32 = 189_000;
/// The code points of private use that became characters, and the two bytes that are still written for them.
const PRIVATE: [(u16, [u8; 2]); 18] = [
    (0xE78D, [0xA6, 0xD9]),
    (0xE78E, [0xA6, 0xDA]),
    (0xE78F, [0xA6, 0xDB]),
    (0xE790, [0xA6, 0xDC]),
    (0xE791, [0xA6, 0xDD]),
    (0xE792, [0xA6, 0xDE]),
    (0xE793, [0xA6, 0xDF]),
    (0xE794, [0xA6, 0xEC]),
    (0xE795, [0xA6, 0xED]),
    (0xE796, [0xA6, 0xF3]),
    (0xE81E, [0xFE, 0x59]),
    (0xE826, [0xFE, 0x61]),
    (0xE82B, [0xFE, 0x66]),
    (0xE82C, [0xFE, 0x67]),
    (0xE832, [0xFE, 0x6D]),
    (0xE843, [0xFE, 0x7E]),
    (0xE854, [0xFE, 0x90]),
    (0xE864, [0xFE, 0xA0]),
];
/// The full-width katakana that ISO-2022-JP writes for the half-width ones, from U+FF61 on.
const FULL_WIDTH: &str = "。「」、・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン゛゜";

impl Legacy {
    /// Returns `true` if four bytes may have a meaning.
    #[inline(always)]
    pub(super) const fn is_gb(self) -> bool {
        matches!(self, Self::Gb18030 | Self::Gbk)
    }

    /// Returns the code point of a byte alone.
    #[inline(always)]
    pub(super) const fn single(self, byte: u8) -> Option<u32> {
        match (self, byte) {
            (_, ..0x80) => Some(byte as u32),
            (Self::Gbk | Self::Gb18030, 0x80) => Some(0x20AC),
            (Self::ShiftJis, 0x80) => Some(0x80),
            (Self::ShiftJis, 0xA1..=0xDF) => Some(0xFF61 - 0xA1 + byte as u32),
            _ => None,
        }
    }

    /// Returns `true` if a byte that means nothing alone begins a code.
    #[inline(always)]
    const fn is_lead(self, byte: u8) -> bool {
        match self {
            Self::Gbk | Self::Gb18030 | Self::Big5 | Self::EucKr => matches!(byte, 0x81..=0xFE),
            Self::EucJp => matches!(byte, 0x8E | 0x8F | 0xA1..=0xFE),
            Self::ShiftJis => matches!(byte, 0x81..=0x9F | 0xE0..=0xFC),
            Self::Replacement => false,
        }
    }

    /// Returns `true` if `byte` may follow the lead byte.
    const fn is_second(self, lead: u8, byte: u8) -> bool {
        match self {
            Self::Gbk | Self::Gb18030 => matches!(byte, 0x30..=0x39 | 0x40..=0x7E | 0x80..=0xFE),
            Self::Big5 => matches!(byte, 0x40..=0x7E | 0xA1..=0xFE),
            Self::EucJp if lead == 0x8E => matches!(byte, 0xA1..=0xDF),
            Self::EucJp => matches!(byte, 0xA1..=0xFE),
            Self::ShiftJis => matches!(byte, 0x40..=0x7E | 0x80..=0xFC),
            Self::EucKr => matches!(byte, 0x41..=0xFE),
            Self::Replacement => false,
        }
    }

    /// Returns what two bytes mean.
    #[inline]
    pub(super) fn pair(self, [lead, trail]: [u8; 2]) -> Option<Cell> {
        if !self.is_lead(lead) || !self.is_second(lead, trail) || self.is_gb() && trail < 0x40 {
            return None;
        }
        let (lead, trail) = (usize::from(lead), usize::from(trail));
        let (grid, row, column) = match self {
            Self::Gbk | Self::Gb18030 => (&GB18030, lead - 0x81, trail - 0x40 - usize::from(trail > 0x7F)),
            Self::Big5 => (&BIG5, lead - 0x81, trail - if trail < 0x80 { 0x40 } else { 0x62 }),
            Self::EucKr => (&EUC_KR, lead - 0x81, trail - 0x41),
            Self::EucJp if lead == 0x8E => return Some(one(0xFF61 - 0xA1 + trail)),
            Self::EucJp if lead == 0x8F => return None,
            Self::EucJp => (&JIS0208, lead - 0xA1, trail - 0xA1),
            Self::ShiftJis => {
                let second = trail - 0x40 - usize::from(trail > 0x7F);
                let row = 2 * (lead - if lead < 0xA0 { 0x81 } else { 0xC1 }) + second / 94;
                let column = second % 94;
                if (94..114).contains(&row) {
                    return Some(one(0xE000 + 94 * (row - 94) + column));
                }
                (&JIS0208, row, column)
            }
            Self::Replacement => return None,
        };
        grid.get((row, column))
    }

    /// Returns the scalar value of two bytes, if they mean exactly one.
    #[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
    pub(super) fn scalar(self, two: [u8; 2]) -> Option<u32> {
        match self.pair(two)? {
            Cell::One(c) => Some(c.value()),
            Cell::Two(..) => None,
        }
    }

    /// Reads the code at the start of `src`, which is not empty.
    pub(super) fn step(self, src: &[u8]) -> Step {
        let lead = src[0];
        if let Some(c) = self.single(lead) {
            return Step::CodePoint { value: CodePoint::within_31_bits(c), len: 1 };
        }
        if !self.is_lead(lead) {
            return Step::IllFormed { len: 1, seen: 1, kind: IllFormedKind::Undefined };
        }
        let Some(&second) = src.get(1) else { return Step::Incomplete { needs: 1 } };
        if self.is_gb() && second.is_ascii_digit() {
            return four(src);
        }
        if self == Self::EucJp && lead == 0x8F && matches!(second, 0xA1..=0xFE) {
            return three(src);
        }
        match self.pair([lead, second]) {
            Some(Cell::One(value)) => Step::CodePoint { value, len: 2 },
            Some(Cell::Two(..)) => Step::Several { len: 2 },
            None => {
                let kind = if self.is_second(lead, second) {
                    IllFormedKind::Undefined
                } else {
                    IllFormedKind::BadTrail
                };
                // An ASCII byte is text by itself.
                let len = if second.is_ascii() { 1 } else { 2 };
                Step::IllFormed { len, seen: 2, kind }
            }
        }
    }
}

fn one(c: usize) -> Cell {
    Cell::One(CodePoint::within_31_bits(u32::try_from(c).unwrap_or(0)))
}

/// Reads three bytes of EUC-JP, the first two of which are right.
fn three(src: &[u8]) -> Step {
    let Some(&third) = src.get(2) else { return Step::Incomplete { needs: 1 } };
    let place = (usize::from(src[1]) - 0xA1, usize::from(third).wrapping_sub(0xA1));
    match JIS0212.get(place) {
        Some(Cell::One(value)) => Step::CodePoint { value, len: 3 },
        _ => Step::IllFormed {
            len: if third.is_ascii() { 2 } else { 3 },
            seen: 3,
            kind: IllFormedKind::Undefined,
        },
    }
}

/// Reads four bytes of gb18030, the first two of which are right.
fn four(src: &[u8]) -> Step {
    let wrong = |len, seen| Step::IllFormed { len, seen, kind: IllFormedKind::Undefined };
    let Some(&third) = src.get(2) else { return Step::Incomplete { needs: 1 } };
    if !matches!(third, 0x81..=0xFE) {
        return wrong(1, 3);
    }
    let Some(&fourth) = src.get(3) else { return Step::Incomplete { needs: 1 } };
    if !fourth.is_ascii_digit() {
        return wrong(1, 4);
    }
    match number([src[0], src[1], third, fourth]).and_then(of_number) {
        Some(c) => Step::CodePoint { value: CodePoint::within_31_bits(c), len: 4 },
        None => wrong(4, 4),
    }
}

/// Returns the number of a code of four bytes of gb18030.
#[inline(always)]
pub(super) fn number([a, b, c, d]: [u8; 4]) -> Option<u32> {
    let digit = |byte: u8, least: u8, base: u8| {
        let digit = byte.wrapping_sub(least);
        (digit < base).then_some(u32::from(digit))
    };
    let (a, b) = (digit(a, 0x81, 126)?, digit(b, 0x30, 10)?);
    let (c, d) = (digit(c, 0x81, 126)?, digit(d, 0x30, 10)?);
    Some(((a * 10 + b) * 126 + c) * 10 + d)
}

/// Returns the four bytes of a number.
#[inline(always)]
pub(super) fn bytes_of_number(n: u32) -> [u8; 4] {
    let digit =
        |n: u32, base: u8, least: u8| ((n % u32::from(base)).to_le_bytes()[0] + least, n / u32::from(base));
    let (d, n) = digit(n, 10, 0x30);
    let (c, n) = digit(n, 126, 0x81);
    let (b, n) = digit(n, 10, 0x30);
    [n.to_le_bytes()[0] + 0x81, b, c, d]
}

/// Returns the scalar value of the code with a number.
pub(super) fn of_number(n: u32) -> Option<u32> {
    if n >= FOURS {
        let c = n.checked_sub(FOURS_OF_PLANES)?;
        return (c < 0x10_0000).then_some(0x1_0000 + c);
    }
    let at = GB18030_RANGES.partition_point(|range| u32::from(range_of(*range).0) <= n);
    let (first, c) = range_of(*GB18030_RANGES.get(at.checked_sub(1)?)?);
    Some(u32::from(c) + n - u32::from(first))
}

/// Returns the number of the first code of a range, and its code point.
const fn range_of([a, b, c, d]: [u8; 4]) -> (u16, u16) {
    (u16::from_le_bytes([a, b]), u16::from_le_bytes([c, d]))
}

/// Returns the two bytes that GBK and gb18030 write for private use that became characters.
pub(super) fn private(c: u32) -> Option<([u8; 4], usize)> {
    let &(_, [a, b]) = PRIVATE.iter().find(|&&(of, _)| u32::from(of) == c)?;
    Some(([a, b, 0, 0], 2))
}

/// Returns the character of JIS X 0208 with a code of two bytes of seven bits.
pub(crate) fn jis0208_at([row, column]: [u8; 2]) -> Option<char> {
    if row > 0x7E {
        return None;
    }
    let place = (usize::from(row).checked_sub(0x21)?, usize::from(column).checked_sub(0x21)?);
    char::from_u32(JIS0208.scalar(place)?)
}

/// Returns the two bytes that ISO-2022-JP writes in JIS X 0208 for a character that is not ASCII.
pub(crate) fn jis0208_of(c: char) -> Option<[u8; 2]> {
    let c = match c {
        '\u{2212}' => '\u{FF0D}',
        '\u{FF61}'..='\u{FF9F}' => FULL_WIDTH.chars().nth(c as usize - 0xFF61)?,
        _ => c,
    };
    // The rows that Shift_JIS adds repeat characters of the first 94.
    let [row, column] = JIS0208.code(c.into())?.to_be_bytes();
    (row < 94).then_some([row + 0x21, column + 0x21])
}

/// Returns `true` if the encoder writes codes of a row; those of the others it only reads.
#[cfg(any(test, not(all(feature = "alloc", target_has_atomic = "ptr"))))]
const fn is_row_written(encoding: Legacy, row: u16) -> bool {
    match encoding {
        // Hong Kong's.
        Legacy::Big5 => row >= 0xA1 - 0x81,
        // NEC's copies of IBM's additions.
        Legacy::ShiftJis => !matches!(row, 88..=91),
        _ => true,
    }
}

/// Returns the bytes of a character that is not ASCII, and their number, by a search.
#[cfg(any(test, not(all(feature = "alloc", target_has_atomic = "ptr"))))]
pub(super) fn write(encoding: Legacy, c: char) -> Option<([u8; 4], usize)> {
    let two = |[a, b]: [u8; 2]| Some(([a, b, 0, 0], 2));
    let value = u32::from(c);
    let katakana = |value: u32| Some((value.wrapping_sub(0xFF61 - 0xA1)).to_le_bytes()[0]);
    let value = match (encoding, value) {
        (Legacy::Gbk, 0x20AC) | (Legacy::ShiftJis, 0x80) => return Some(([0x80, 0, 0, 0], 1)),
        (Legacy::ShiftJis | Legacy::EucJp, 0xA5) => return Some(([0x5C, 0, 0, 0], 1)),
        (Legacy::ShiftJis | Legacy::EucJp, 0x203E) => return Some(([0x7E, 0, 0, 0], 1)),
        (Legacy::ShiftJis, 0xFF61..=0xFF9F) => return Some(([katakana(value)?, 0, 0, 0], 1)),
        (Legacy::EucJp, 0xFF61..=0xFF9F) => return two([0x8E, katakana(value)?]),
        (Legacy::ShiftJis | Legacy::EucJp, 0x2212) => 0xFF0D,
        _ => value,
    };
    let grid = match encoding {
        Legacy::Gbk | Legacy::Gb18030 => &GB18030,
        Legacy::Big5 => &BIG5,
        Legacy::EucKr => &EUC_KR,
        Legacy::EucJp | Legacy::ShiftJis => &JIS0208,
        Legacy::Replacement => return None,
    };
    let is_it = |&(found, code): &(u32, u16)| found == value && is_row_written(encoding, code >> 8);
    let last =
        encoding == Legacy::Big5 && matches!(value, 0x2550 | 0x255E | 0x2561 | 0x256A | 0x5341 | 0x5345);
    let found = if last { grid.codes().rev().find(is_it) } else { grid.codes().find(is_it) };
    let Some((_, code)) = found else {
        if encoding == Legacy::Gb18030
            && let Some(n) = number_of(value)
        {
            return Some((bytes_of_number(n), 4));
        }
        return if encoding.is_gb() { private(value) } else { None };
    };
    let [row, column] = code.to_be_bytes();
    two(match encoding {
        Legacy::Gbk | Legacy::Gb18030 => [0x81 + row, 0x40 + column + u8::from(column > 0x3E)],
        Legacy::Big5 => [0x81 + row, column + if column > 0x3E { 0x62 } else { 0x40 }],
        Legacy::EucKr => [0x81 + row, 0x41 + column],
        Legacy::EucJp if row < 94 => [0xA1 + row, 0xA1 + column],
        Legacy::EucJp | Legacy::Replacement => return None,
        Legacy::ShiftJis => {
            let (lead, second) = (row / 2, row % 2 * 94 + column);
            [lead + if lead < 0x1F { 0x81 } else { 0xC1 }, 0x40 + second + u8::from(second > 0x3E)]
        }
    })
}

/// Returns the number of the code of four bytes of a scalar value.
#[cfg(any(test, not(all(feature = "alloc", target_has_atomic = "ptr"))))]
fn number_of(c: u32) -> Option<u32> {
    if let Some(c) = c.checked_sub(0x1_0000) {
        return Some(FOURS_OF_PLANES + c);
    }
    let ends = GB18030_RANGES.iter().skip(1).map(|range| u32::from(range_of(*range).0)).chain([FOURS]);
    GB18030_RANGES.iter().zip(ends).find_map(|(range, end)| {
        let (first, start) = range_of(*range);
        let n = u32::from(first) + c.checked_sub(start.into())?;
        (n < end).then_some(n)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{DecoderResult, ISO_2022_JP};
    use std::vec::Vec;

    const ENCODINGS: [Legacy; 6] =
        [Legacy::Gb18030, Legacy::Gbk, Legacy::Big5, Legacy::EucJp, Legacy::ShiftJis, Legacy::EucKr];

    /// Returns the first step of some bytes, as `encoding_rs` reads them; the kind of an error is not its own.
    fn expected(encoding: Legacy, src: &[u8]) -> (Step, Vec<char>) {
        for len in 1..=src.len() {
            let mut decoder = encoding.peer().new_decoder_without_bom_handling();
            let mut dst = [0; 16];
            let (result, _, written) =
                decoder.decode_to_utf8_without_replacement(&src[..len], dst.as_mut_slice(), false);
            if let DecoderResult::Malformed(bad, _) = result {
                let kind = IllFormedKind::Undefined;
                return (Step::IllFormed { len: bad.into(), seen: len, kind }, Vec::new());
            }
            let text = core::str::from_utf8(&dst[..written]).expect("it writes UTF-8");
            match text.chars().collect::<Vec<_>>() {
                one if one.is_empty() => {}
                one if one.len() == 1 => return (Step::CodePoint { value: one[0].into(), len }, Vec::new()),
                several => return (Step::Several { len }, several),
            }
        }
        (Step::Incomplete { needs: 1 }, Vec::new())
    }

    #[track_caller]
    fn step_is_right(encoding: Legacy, src: &[u8]) -> Step {
        let mut found = encoding.step(src);
        if let Step::IllFormed { kind, .. } = &mut found {
            *kind = IllFormedKind::Undefined;
        }
        let (step, several) = expected(encoding, src);
        assert_eq!(found, step, "{encoding:?} {src:02X?}");
        if let [first, second] = *several {
            let two = encoding.pair([src[0], src[1]]);
            assert_eq!(two, Some(Cell::Two(first.into(), second.into())), "{encoding:?} {src:02X?}");
        }
        found
    }

    /// Each sequence of bytes is the step that `encoding_rs` makes of it: all of one and two bytes, those of three and four
    /// where two do not decide.
    #[test]
    fn steps_are_those_of_encoding_rs() {
        let every = || 0..=u8::MAX;
        let mut longer = 0;
        for encoding in ENCODINGS {
            for a in every() {
                step_is_right(encoding, &[a]);
                for b in every() {
                    if step_is_right(encoding, &[a, b]) != (Step::Incomplete { needs: 1 }) {
                        continue;
                    }
                    for c in every() {
                        if step_is_right(encoding, &[a, b, c]) != (Step::Incomplete { needs: 1 }) {
                            continue;
                        }
                        for d in [0, 0x2F, 0x30, 0x31, 0x37, 0x39, 0x3A, 0x40, 0x7F, 0x80, 0x81, 0xFE, 0xFF] {
                            step_is_right(encoding, &[a, b, c, d]);
                            longer += 1;
                        }
                    }
                }
            }
        }
        assert_eq!(longer, 2 * 126 * 10 * 126 * 13);
    }

    /// The search for a code finds what `encoding_rs` writes.
    #[test]
    fn the_search_finds_what_encoding_rs_writes() {
        let odd = "€¥‾−═╞╡╪十卅纊ⅰ№㈱～∥\u{80}\u{E5E5}\u{E7C7}\u{E7C8}\u{E81E}\u{E864}\u{1E3F}\u{9FB4}\u{10000}\u{10FFFF}";
        let others = ('\u{80}'..='\u{FFFF}').step_by(61).chain(('\u{10000}'..=char::MAX).step_by(4099));
        for encoding in ENCODINGS {
            for c in odd.chars().chain(others.clone()) {
                let (mut text, mut bytes) = ([0; 4], [0; 16]);
                let mut encoder = encoding.peer().new_encoder();
                let (result, _, len) =
                    encoder.encode_from_utf8_without_replacement(c.encode_utf8(&mut text), &mut bytes, false);
                let found = write(encoding, c).map(|(bytes, len)| bytes[..len].to_vec());
                let held = result == encoding_rs::EncoderResult::InputEmpty;
                assert_eq!(found, held.then(|| bytes[..len].to_vec()), "{encoding:?} {c:?}");
            }
        }
    }

    /// JIS X 0208 has the characters that `encoding_rs` reads and writes in ISO-2022-JP.
    #[test]
    fn jis_x_0208_is_that_of_encoding_rs() {
        for two in (0..=u16::MAX).map(u16::to_be_bytes) {
            let text = [b"\x1B$B", &two[..]].concat();
            let text = ISO_2022_JP.decode_without_bom_handling_and_without_replacement(&text);
            let is_code = two.iter().all(|byte| matches!(byte, 0x21..=0x7E));
            let expected = text.filter(|_| is_code).and_then(|text| text.chars().next());
            assert_eq!(jis0208_at(two), expected, "{two:X?}");
        }
        for c in ('\u{80}'..=char::MAX).filter(|c| !matches!(c, '¥' | '‾')) {
            let mut text = [0; 4];
            let (bytes, _, lacks) = ISO_2022_JP.encode(c.encode_utf8(&mut text));
            let expected = if lacks { None } else { Some([bytes[3], bytes[4]]) };
            assert_eq!(jis0208_of(c), expected, "{c:?}");
        }
    }
}
