//! The cost of a byte as text of single bytes, and of a code unit as text of UTF-16 or UTF-32: in tenths of a nat, by how rare
//! it is in text.

/// The cost of a NUL in text of single bytes.
pub(super) const NUL: i32 = 140;

/// Returns the cost of a byte. `before` is the byte before it, and `pending` the number of continuation bytes that a lead byte
/// still announces.
pub(super) fn byte(byte: u8, before: u8, pending: u8) -> i32 {
    match byte {
        0x00..=0x7F => ascii(byte),
        0x80..=0xBF if pending > 0 => 25,
        0xFE..=0xFF => 90,
        0xC2..=0xF4 if before < 0x80 => 50,
        _ if before >= 0x80 => 45,
        _ => 55,
    }
}

/// Returns the number of continuation bytes that are announced after `byte`.
pub(super) const fn pending(byte: u8, pending: u8) -> u8 {
    match byte {
        0x80..=0xBF => pending.saturating_sub(1),
        0xC2..=0xDF => 1,
        0xE0..=0xEF => 2,
        0xF0..=0xF4 => 3,
        _ => 0,
    }
}

const fn ascii(byte: u8) -> i32 {
    match byte {
        b' ' => 25,
        b'a'..=b'z' | b'\n' | b'\r' => 30,
        b'\t' => 40,
        0x21..=0x7E => 42,
        0x00 => NUL,
        0x1B => 60,
        _ => 100,
    }
}

/// The facts about earlier units that change the cost of the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Context {
    /// The block of 256 code points of the last non-ASCII unit, or [`EAST_ASIA`] for all of East
    /// Asia.
    block: u32,
    /// The last unit was a high surrogate.
    is_high: bool,
}

impl Context {
    /// The context at the start of a stream, where nothing is known.
    pub(super) const NONE: Self = Self { block: NO_BLOCK, is_high: false };
}

/// Numbers for several blocks together.
const EAST_ASIA: u32 = 0x100;
const HANGUL: u32 = 0x101;
/// No block, or one of many others.
const NO_BLOCK: u32 = 0;

/// Returns the cost of a code unit of UTF-16, or of UTF-32 if `is_four`.
pub(super) fn unit(value: u32, is_four: bool, context: &mut Context) -> i32 {
    let was_high = core::mem::take(&mut context.is_high);
    let lone = if was_high && !(0xDC00..0xE000).contains(&value) { 100 } else { 0 };
    lone + match value {
        0x09 | 0x0A | 0x0D | 0x20..=0x7E => u8::try_from(value).map_or(NUL, ascii),
        0x1B | 0x0C => 160,
        // Numbers of two and four bytes in binary data: no better than their bytes.
        0x00..=0x1F if is_four => 600,
        0x00 => 300,
        0x01..=0x1F => 260,
        0x7F..=0x9F if is_four => 600,
        0x7F..=0x9F => 240,
        0xA0..=0xFF => 55,
        // Line ends of ASCII side by side, and no letters.
        0x0A0D | 0x0D0D => 180,
        // Their high bytes are line ends and tabs of ASCII.
        0x0900..=0x09FF | 0x0A00..=0x0AFF | 0x0D00..=0x0DFF => within(context, value >> 8, 45, 130),
        0x0100..=0x12FF | 0x1780..=0x17FF | 0x1E00..=0x1FFF => within(context, value >> 8, 45, 90),
        0x2010..=0x2027 | 0x2030..=0x205E => 70,
        0x2000..=0x206F => 110,
        0x20A0..=0x214F | 0x2190..=0x26FF => 80,
        0x3000..=0x30FF => within(context, EAST_ASIA, 50, 100),
        0xFF00..=0xFF9F => within(context, EAST_ASIA, 65, 110),
        0x4E00..=0x9FFF => within(context, EAST_ASIA, 90, 140),
        0xAC00..=0xD7A3 => within(context, HANGUL, 75, 130),
        0xD800..=0xDFFF if is_four => 600,
        0xD800..=0xDBFF => {
            context.is_high = true;
            90
        }
        0xDC00..=0xDFFF => {
            if was_high {
                40
            } else {
                160
            }
        }
        0xFEFF => 80,
        0xFFFE => 250,
        0xE000..=0xF8FF | 0xFDD0..=0xFDEF | 0xFFF0..=0xFFFF => 150,
        0x3400..=0x4DBF => within(context, EAST_ASIA, 120, 150),
        _ if value <= 0xFFFF => {
            context.block = NO_BLOCK;
            110
        }
        0x1_F000..=0x1_FBFF => 90,
        0x1_0000..=0x3_23AF | 0xE_0000..=0xE_01EF => 140,
        _ => 700,
    }
}

fn within(context: &mut Context, block: u32, same: i32, other: i32) -> i32 {
    let before = core::mem::replace(&mut context.block, block);
    if before == block { same } else { other }
}

/// Returns `true` if units are all of scripts with few letters, and some of ASCII. Hardly two of their bytes are printable
/// ASCII.
pub(super) fn is_alphabetic(units: impl ExactSizeIterator<Item = u32>) -> bool {
    let len = units.len();
    // Without branches, the compiler makes vector code of it.
    let (ascii, all) = units.fold((0, 1), |(ascii, all), value| {
        let within = |first: u32, last: u32| usize::from(value.wrapping_sub(first) <= last - first);
        let is_ascii = is_printable(value);
        let is_other = within(0xA0, 0x8FF) | within(0xE00, 0xEFF) | within(0x2010, 0x2027);
        (ascii + is_ascii, all & (is_ascii | is_other))
    });
    all == 1 && ascii * 8 >= len
}

/// 1 if a value is printable ASCII or white space, else 0.
fn is_printable(value: u32) -> usize {
    let is_text = (value.wrapping_sub(0x20) <= 0x5E) | (value == b'\n'.into());
    usize::from(is_text | (value == b'\r'.into()) | (value == b'\t'.into()))
}

/// The kinds of units in a block, which tell whether other text may be among them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Content {
    units: usize,
    ascii: usize,
    /// The number of letters of small scripts other than Latin.
    small: usize,
    /// The number of ideographs and kana.
    east_asian: usize,
    hangul: usize,
    other: usize,
    /// Units in a row at the end whose bytes are printable ASCII too, and the most such units anywhere.
    printable: usize,
    max_printable: usize,
}

/// The units in a row whose bytes may be ASCII too. Text of single bytes that is this short is not worth its borders.
const MAX_PRINTABLE_UNITS: usize = 7;
/// The maximum at the end of a block, where a longer text may begin.
const MAX_PRINTABLE_END_UNITS: usize = 2;

impl Content {
    /// Counts the kinds of `units`.
    pub(super) fn of(units: impl Iterator<Item = u32>) -> Self {
        // Without branches: ideographs and ASCII come in no order that a processor could learn.
        units.fold(Self::default(), |mut all, value| {
            let within = |first: u32, last: u32| usize::from(value.wrapping_sub(first) <= last - first);
            let ascii = is_printable(value);
            let latin = within(0xA0, 0x24F) | within(0x1E00, 0x1EFF);
            let marks = within(0x2010, 0x2027) | within(0x3000, 0x303F);
            let small = within(0x250, 0x8FF) | within(0xE00, 0xEFF) | within(0x1F00, 0x1FFF);
            let east_asian = within(0x3040, 0x30FF) | within(0x4E00, 0x9FFF) | within(0xFF00, 0xFF9F);
            let hangul = within(0xAC00, 0xD7A3);
            // Kana (high byte 30) do not count as two ASCII bytes.
            let printable =
                is_printable(value >> 8) & is_printable(value & 0xFF) & usize::from(value >> 8 != 0x30);
            all.units += 1;
            all.ascii += ascii;
            all.small += small;
            all.east_asian += east_asian;
            all.hangul += hangul;
            all.other += 1 - (ascii | latin | marks | small | east_asian | hangul);
            all.printable = (all.printable + 1) * printable;
            all.max_printable = all.max_printable.max(all.printable);
            all
        })
    }

    /// Returns `true` if the units are text as they are, without other text among them. UTF-8 read in units has a few
    /// ideographs and syllables of Hangul together, or others.
    pub(super) const fn is_plain(&self) -> bool {
        let is_usual = match (self.small, self.east_asian, self.hangul) {
            (_, 0, 0) => self.ascii * 8 >= self.units,
            (0, many, 0) | (0, 0, many) => many * 4 >= self.units,
            _ => false,
        };
        is_usual
            && self.other == 0
            && self.max_printable <= MAX_PRINTABLE_UNITS
            && self.printable <= MAX_PRINTABLE_END_UNITS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Latin letters, marks and spaces stand beside letters of East Asia; most of other alphabets do not.
    #[test]
    fn latin_letters_and_marks_are_plain_beside_ideographs() {
        let is_plain = |c: char| Content::of(['日'; 9].into_iter().chain([c]).map(u32::from)).is_plain();
        for c in "\n ~\u{A0}ÿĀɏḀỿ‐‧\u{3000}〿ぁヿ一\u{9FFF}！ﾟ".chars() {
            assert!(is_plain(c), "U+{:04X}", u32::from(c));
        }
        for c in "\0\u{7F}\u{9F}ༀ\u{200F}\u{2028}가힣\u{E000}".chars() {
            assert!(!is_plain(c), "U+{:04X}", u32::from(c));
        }
    }
}
