//! UTF-7 (RFC 2152).
//!
//! Any text with a plus sign may be read as UTF-7, so that much must hold: every run after a plus
//! sign is whole UTF-16 with zeros after it, which the decoder checks, and the text in the runs is
//! of the kinds that stand together.

use super::reading::Reading;
use crate::detect::controls::Marks;
use placemat_charsets::Encoding;

/// The reading of a stream of ASCII in UTF-7.
#[derive(Clone, Debug, Default)]
pub(in crate::detect) struct Utf7 {
    /// From the first plus sign on.
    reading: Option<Reading>,
    refused: bool,
    /// Whether the first plus sign follows a letter or a digit, as in base64.
    inside: bool,
}

impl Utf7 {
    /// Takes a block of ASCII with these marks in it.
    pub(in crate::detect) fn block(&mut self, offset: u64, block: &[u8], marks: Marks) {
        if self.refused || (self.reading.is_none() && !marks.plus) {
            return;
        }
        if self.reading.is_none() {
            let Some(at) = block.iter().position(|&byte| byte == b'+') else { return };
            self.inside = at.checked_sub(1).is_some_and(|before| block[before].is_ascii_alphanumeric());
            let mut reading = Reading::new(Encoding::UTF_7, offset + at as u64);
            self.refused = !reading.block(&block[at..], false);
            self.reading = Some(reading);
        } else if let Some(reading) = &mut self.reading {
            self.refused = !reading.block(block, false);
        }
    }

    /// The confidence that the stream is UTF-7; `None` if it is not.
    pub(in crate::detect) fn finish(mut self) -> Option<f32> {
        let mut reading = self.reading.take().filter(|_| !self.refused)?;
        if !reading.finish() || reading.beyond_ascii == 0 {
            return None;
        }
        let first = &reading.first;
        let odd = first.iter().filter(|&&c| !is_usual(c)).count();
        // The letters of a text are neighbors in Unicode: those of runs by chance are spread over ideographs, Hangul and
        // all the small scripts.
        let mut groups = [0_usize; 0x30];
        for group in first.iter().filter_map(|&c| group(c)) {
            groups[group] += 1;
        }
        let (most, all) = (groups.iter().copied().max().unwrap_or(0), groups.iter().sum::<usize>());
        // A word after a plus sign comes again, and proves nothing again.
        let mut kinds = first.clone();
        kinds.sort_unstable();
        kinds.dedup();
        let is_short = kinds.len() < MIN_KINDS || reading.beyond_ascii < if self.inside { 10 } else { 4 };
        if odd * CODE_POINTS_PER_RARE_ONE > first.len()
            || most * 4 < all * 3
            || (is_short && !first.iter().all(|&c| is_common(c)))
        {
            return None;
        }
        Some(if is_short { 0.9 } else { 0.98 })
    }
}

/// Returns `true` if a few such code points are not chance: Latin, Greek, Cyrillic, Hebrew and Arabic letters, and marks.
fn is_common(c: char) -> bool {
    matches!(c, '\u{A0}'..='\u{6FF}' | '\u{1E00}'..='\u{1EFF}' | '\u{2010}'..='\u{2044}' | '\u{20AC}' | '\u{2122}')
}

/// The different code points from which on any of them are not chance.
const MIN_KINDS: usize = 4;

/// One in this number of code points may be unusual.
const CODE_POINTS_PER_RARE_ONE: usize = 50;

/// The group of ideographs and kana.
const WIDE_GROUP: usize = 0;

/// Returns the letters that stand together: a number below 48; `None` for Latin letters, marks and symbols, which stand
/// beside all.
fn group(c: char) -> Option<usize> {
    match u32::from(c) {
        0x2E80..=0x9FFF | 0xF900..=0xFAFF | 0xFF66..=0xFF9F => Some(WIDE_GROUP),
        0x1100..=0x11FF | 0xAC00..=0xD7A3 => Some(1),
        0..0x370 | 0x1E00..=0x1EFF | 0x2000..=0x2E7F | 0xFE00..=0xFE0F | 0xFF00.. => None,
        0x1F00..=0x1FFF => Some(3),
        // Arabic has blocks of its own and its forms.
        0x600..=0x77F | 0xFB50..=0xFEFF => Some(6),
        0x590..=0x5FF | 0xFB1D..=0xFB4F => Some(5),
        c => Some((c >> 8) as usize & 0x1F | 2),
    }
}

/// Returns `true` if mail has such code points: no controls, no private use, no rare blocks of symbols.
fn is_usual(c: char) -> bool {
    matches!(c, '\u{A0}'..='\u{1FFF}' | '\u{200B}'..='\u{2044}' | '\u{2060}'..='\u{2069}' | '\u{20A0}'..='\u{20BF}'
        | '\u{2100}'..='\u{214F}' | '\u{2190}'..='\u{21FF}' | '\u{2200}'..='\u{22FF}' | '\u{2500}'..='\u{27BF}'
        | '\u{3000}'..='\u{30FF}' | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' | '\u{FB1D}'..='\u{FDFF}'
        | '\u{FE0F}' | '\u{FE70}'..='\u{FEFF}' | '\u{FF00}'..='\u{FFEF}' | '\u{1F300}'..='\u{1FAFF}')
}
