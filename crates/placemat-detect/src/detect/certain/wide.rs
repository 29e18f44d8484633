//! UTF-16 and UTF-32 without a signature.
//!
//! Their code units have two halves that are different in kind. The high bytes are few: zeros before ASCII, the number of a
//! script before its letters, 4E to 9F before ideographs. The low bytes are spread over all values. Read in the wrong order,
//! or from anything else, units are controls, unassigned, or surrogates without partners.

use alloc::vec::Vec;
use placemat_charsets::Encoding;
use placemat_charsets::forms::UnitOrder;
use placemat_charsets::stream::Transcoder;
use placemat_core::policy::ErrorPolicy;

/// UTF-16 in each byte order.
pub(in crate::detect) const UTF_16: [Encoding; 2] = [Encoding::UTF_16LE, Encoding::UTF_16BE];
/// UTF-32 in each byte order.
pub(in crate::detect) const UTF_32: [Encoding; 2] = [Encoding::UTF_32LE, Encoding::UTF_32BE];

/// The first bytes of a stream, by which it is judged.
const JUDGED: usize = 16 * 1024;
/// One in this number of code units may be unusual in text.
const RARE: usize = 50;
/// In single-byte text, at least one byte in this many is a space. UTF-16 without a NUL has no
/// space, and hardly ever has the byte 20 in other units that often.
const MIN_BYTES_BY_SPACE: usize = 10;
/// The confidence from which on the first bytes decide where a stream begins.
const MIN_START_CONFIDENCE: f32 = 0.9;

/// The way in which a code unit occurs in text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A letter of a script with less than a few hundred code points, a digit, white space.
    Narrow,
    /// An ideograph, kana, or their punctuation.
    Ideographic,
    /// A Hangul syllable.
    Hangul,
    /// Any other assigned code point; a surrogate pair.
    Other,
    /// Rare or never in text.
    Odd,
}

fn kind(unit: u16) -> Kind {
    match unit {
        0x09
        | 0x0A
        | 0x0C
        | 0x0D
        | 0x1B
        | 0x20..=0x7E
        | 0xA0..=0x12FF
        | 0x1780..=0x17FF
        | 0x1E00..=0x1FFF => Kind::Narrow,
        0x2010..=0x2027
        | 0x2030..=0x205E
        | 0x20A0..=0x20BF
        | 0x2100..=0x214F
        | 0x2190..=0x22FF
        | 0x2500..=0x26FF => Kind::Other,
        0x3000..=0x30FF | 0x3105..=0x312F | 0x4E00..=0x9FFF | 0xFF00..=0xFF9F => Kind::Ideographic,
        0x3130..=0x318E | 0xAC00..=0xD7A3 => Kind::Hangul,
        0x00..=0x9F | 0xD800..=0xF8FF | 0xFDD0..=0xFDEF | 0xFFF0..=0xFFFF => Kind::Odd,
        _ => Kind::Other,
    }
}

/// Whether code units are rarely or never in text so often that their other counts do not matter. A look at few of those
/// rules most texts out.
fn is_odd(src: &[u8], order: impl Fn([u8; 2]) -> u16) -> bool {
    let units = src.as_chunks().0;
    let odd = units.iter().filter(|&&bytes| matches!(order(bytes), 0x7F..=0x9F | 0xE000..=0xF8FF | 0xFFF0..));
    odd.count() * RARE > units.len()
}

/// The code units of UTF-16 in one byte order.
#[derive(Debug)]
struct Units {
    count: usize,
    narrow: usize,
    ideographic: usize,
    hangul: usize,
    odd: usize,
    /// The usual code points of East Asian text whose low byte is zero: U+3000 and U+4E00.
    even: u32,
    /// Quotation marks, dashes and dots, which stand beside all letters.
    marks: usize,
    /// Spaces and line ends, and units whose high byte is a line end of ASCII.
    blanks: usize,
    line_ends_as_high: usize,
    /// The number of ideographs below U+8000.
    first_ideographs: usize,
    /// How often each value is a high and a low byte.
    bytes: [[u32; 256]; 2],
}

impl Units {
    fn of(src: &[u8], order: fn([u8; 2]) -> u16) -> Self {
        let mut units = Self {
            count: 0,
            narrow: 0,
            ideographic: 0,
            hangul: 0,
            odd: 0,
            even: 0,
            marks: 0,
            blanks: 0,
            line_ends_as_high: 0,
            first_ideographs: 0,
            bytes: [[0; 256]; 2],
        };
        let all: Vec<u16> = src.as_chunks().0.iter().map(|&bytes| order(bytes)).collect();
        let mut rest = &all[..];
        while let Some((&unit, after)) = rest.split_first() {
            rest = after;
            let [high, low] = unit.to_be_bytes();
            units.bytes[0][usize::from(high)] += 1;
            units.bytes[1][usize::from(low)] += 1;
            units.count += 1;
            units.even += u32::from(matches!(unit, 0x3000 | 0x4E00));
            units.blanks += usize::from(matches!(unit, 0x0A | 0x0D | 0x20));
            units.line_ends_as_high += usize::from(matches!(high, b'\n' | b'\r'));
            units.marks += usize::from(matches!(unit, 0x2010..=0x2027 | 0x2030..=0x205E | 0x2500..=0x25FF));
            if matches!(unit, 0xD800..=0xDBFF) && matches!(rest.first(), Some(0xDC00..=0xDFFF) | None) {
                units.count += usize::from(!rest.is_empty());
                rest = rest.get(1..).unwrap_or_default();
                continue;
            }
            units.first_ideographs += usize::from(matches!(unit, 0x4E00..=0x7FFF));
            match kind(unit) {
                Kind::Narrow => units.narrow += 1,
                Kind::Ideographic => units.ideographic += 1,
                Kind::Hangul => units.hangul += 1,
                Kind::Other => {}
                Kind::Odd => units.odd += 1,
            }
        }
        units
    }

    /// Returns the number of different high bytes, and of different low bytes.
    fn different(&self) -> [usize; 2] {
        self.bytes.map(|counts| counts.iter().filter(|&&count| count > 0).count())
    }

    fn zeros(&self) -> [u32; 2] {
        self.bytes.map(|counts| counts[0])
    }

    /// Returns `true` if nearly all units are usual in text, and of scripts that stand together.
    fn is_usual(&self) -> bool {
        self.odd * RARE <= self.count
    }

    /// Returns the confidence that it is text, which rests on spaces and letters of scripts with zeros and small numbers as
    /// high bytes.
    fn narrow(&self) -> Option<f32> {
        let [high, low] = self.different();
        let [high_zeros, low_zeros] = self.zeros();
        let low_zeros = low_zeros - self.even;
        let known = self.narrow + self.ideographic + self.hangul + self.marks.min(self.count / 4);
        if !self.is_usual() || known * 10 < self.count * 9 || self.narrow * 10 < self.count {
            return None;
        }
        // Ideographs are a minority in Korean, and have low bytes of all values; pairs of ASCII letters have not.
        let many = self.ideographic + self.hangul;
        let is_low = self.bytes[1][0x80..].iter().all(|&count| count == 0);
        if self.ideographic.min(self.hangul) * 4 > many || (many >= 8 && is_low) {
            return None;
        }
        // Pairs of letters of ASCII are ideographs, and those with a line end or a tab are narrow, but none has a zero.
        if self.narrow * 2 < self.count && high_zeros == 0 {
            return None;
        }
        // Letters of a single byte, each on a line of its own, are Gurmukhi, Gujarati or Malayalam without any space.
        if self.line_ends_as_high > 0 && self.blanks == 0 {
            return None;
        }
        // In the wrong order, the low bytes are the few ones.
        let in_order = high < low || (high_zeros > 0 && low_zeros == 0);
        (in_order && self.count >= 2).then_some(match self.count {
            2..4 => 0.9,
            4..8 => 0.97,
            _ => 0.999,
        })
    }

    /// Returns the confidence that it is text of ideographs and kana, which rests on their high bytes alone.
    fn ideographic(&self) -> Option<f32> {
        let known = self.ideographic + self.narrow + self.marks.min(self.count / 8);
        let [high, low] = self.different();
        let [high_zeros, low_zeros] = self.zeros();
        let low_zeros = low_zeros - self.even;
        // In Shift_JIS, many lead bytes are those of ideographs, but of those from U+8200 on only. In other encodings, the
        // bytes at one parity are letters of ASCII, and those at the other are letters, too.
        let lows = &self.bytes[1];
        let share = |range: core::ops::RangeInclusive<usize>| {
            lows.iter()
                .enumerate()
                .filter(|(low, _)| range.contains(low))
                .map(|(_, &count)| count as usize)
                .sum::<usize>()
        };
        let kana = self.bytes[0][0x30] as usize;
        // A few ideographs: low bytes that are controls, which no other text has.
        let controls = share(0x01..=0x08) + share(0x0B..=0x0C) + share(0x0E..=0x19) + share(0x1C..=0x1F);
        let is_short = self.count < 16 && controls >= 2 && controls * 4 >= self.count;
        let is_spread = share(0x00..=0x3F) * if self.count < 64 { 32 } else { 12 } >= self.count
            && share(0x80..=0xFF) * 6 >= self.count;
        let fits = known * 40 >= self.count * 39
            && self.odd * RARE * 2 <= self.count
            && self.narrow * 4 <= self.count
            // Only ASCII among the ideographs has zeros, as high bytes.
            && (self.narrow == 0 || (high_zeros as usize == self.narrow && low_zeros <= high_zeros))
            && (self.first_ideographs + kana) * 4 >= self.count
            && (is_spread || is_short || kana * 2 >= self.count)
            && high < low.max(12);
        // Pairs of letters of ASCII are ideographs, too.
        let letters: u32 = self.bytes.iter().map(|counts| counts[0x20..0x7F].iter().sum::<u32>()).sum();
        let is_like_ascii = letters as usize * 8 >= self.count * 13;
        let seen = if is_like_ascii { 4 } else { self.count + 4 * high_zeros as usize };
        (fits && self.count >= 4).then_some(match seen {
            // Words of ASCII and a few other letters look like it: the language model decides.
            4..16 => 0.7,
            16..32 => 0.97,
            _ => 0.995,
        })
    }
}

/// Whether the bytes after a signature of UTF-16 or UTF-32 are mostly usual in text.
pub(in crate::detect) fn is_text_of(encoding: Encoding, head: &[u8]) -> bool {
    let head = &head[..head.len().min(JUDGED)];
    if UTF_16.contains(&encoding) {
        let units = Units::of(head, order(encoding));
        units.odd * 10 <= units.count
    } else if UTF_32.contains(&encoding) {
        let (units, odd) = utf32(head, encoding);
        odd * 10 <= units
    } else {
        true
    }
}

fn order(encoding: Encoding) -> fn([u8; 2]) -> u16 {
    if is_little(encoding) { u16::from_le_bytes } else { u16::from_be_bytes }
}

/// Returns `true` if the least significant byte of a code unit is first.
pub(in crate::detect) fn is_little(encoding: Encoding) -> bool {
    encoding.facts().order == Some(UnitOrder::Little)
}

/// Returns the number of units of UTF-32, and of those that are unusual in text.
fn utf32(head: &[u8], encoding: Encoding) -> (usize, usize) {
    let is_little = is_little(encoding);
    let units = head
        .as_chunks::<4>()
        .0
        .iter()
        .map(|&bytes| if is_little { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) });
    let (mut count, mut odd, mut rare) = (0, 0, 0);
    for unit in units {
        count += 1;
        match u16::try_from(unit) {
            Ok(unit) => odd += usize::from(kind(unit) == Kind::Odd),
            Err(_) if matches!(unit, 0x1_F000..=0x1_FBFF) => {}
            Err(_) if matches!(unit, 0x1_0000..=0x1_FFFF | 0x2_0000..=0x3_23AF | 0xE_0000..=0xE_01EF) => {
                rare += 1;
            }
            Err(_) => odd += 1,
        }
    }
    // Pairs of small numbers are code points beyond the BMP, which few texts have but for emoji.
    (count, if rare * 4 > count { odd + rare } else { odd })
}

/// The encodings of two and four bytes a unit that a stream may be in.
#[derive(Clone, Debug, Default)]
pub(in crate::detect) struct Wide {
    readings: Vec<Checked>,
}

/// A reading of the whole stream.
#[derive(Clone, Debug)]
struct Checked {
    encoding: Encoding,
    confidence: f32,
    checker: Transcoder<ErrorPolicy<'static>>,
}

impl Wide {
    /// Judges a stream by its first bytes, in which there are NULs or ill-formed UTF-8.
    pub(in crate::detect) fn of(head: &[u8]) -> Self {
        let head = &head[..head.len().min(JUDGED)];
        let mut readings = Vec::new();
        let spaces = head.iter().map(|&byte| usize::from(byte == b' ')).sum::<usize>();
        if spaces * MIN_BYTES_BY_SPACE > head.len() && !head.contains(&0) {
            return Self { readings };
        }
        let mut add = |encoding, confidence| {
            let checker = Transcoder::checker(encoding).on_error(ErrorPolicy::Skip);
            readings.push(Checked { encoding, confidence, checker });
        };
        for encoding in UTF_32 {
            let (count, odd) = utf32(head, encoding);
            if count >= 2 && odd * RARE <= count && (head.len().is_multiple_of(4) || count >= RARE) {
                add(encoding, 0.999);
            }
        }
        if head.len().is_multiple_of(2) || head.len() > 100 {
            for encoding in UTF_16 {
                if is_odd(head, order(encoding)) {
                    continue;
                }
                let units = Units::of(head, order(encoding));
                if let Some(confidence) = units.narrow().or_else(|| units.ideographic()) {
                    add(encoding, confidence);
                }
            }
        }
        Self { readings }
    }

    /// The most probable encoding, if its first bytes leave hardly a doubt.
    pub(in crate::detect) fn surest(&self) -> Option<Encoding> {
        let sure = self.readings.iter().filter(|reading| reading.confidence >= MIN_START_CONFIDENCE);
        sure.max_by(|a, b| a.confidence.total_cmp(&b.confidence)).map(|reading| reading.encoding)
    }

    /// Reads a block, also the first.
    pub(in crate::detect) fn block(&mut self, block: &[u8], last: bool) {
        for reading in &mut self.readings {
            let mut src = block;
            loop {
                let progress = reading.checker.convert(src, &mut [], last);
                src = &src[progress.read..];
                if src.is_empty() || progress.read == 0 {
                    break;
                }
            }
        }
    }

    /// The encodings in which the whole stream has hardly an error, the most probable first, with their confidence.
    pub(in crate::detect) fn finish(self, len: u64) -> Vec<(Encoding, f32)> {
        let mut found: Vec<(Encoding, f32)> = Vec::new();
        for Checked { encoding, confidence, checker } in self.readings {
            let errors = checker.tally().ignored.count;
            if errors == 0 {
                found.push((encoding, confidence));
            } else if errors.saturating_mul(1000) < len {
                found.push((encoding, confidence * 0.9));
            }
        }
        found.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        // Both orders are possible: neither is certain.
        if let [first, second, ..] = &mut found[..]
            && first.1 - second.1 < 0.01
        {
            first.1 /= 2.0;
            second.1 /= 2.0;
        }
        found
    }
}
