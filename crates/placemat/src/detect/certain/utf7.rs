//! UTF-7 (RFC 2152).
//!
//! Any text with a plus sign may be read as UTF-7, so that much must hold: every run after a plus sign is whole UTF-16 with
//! zeros behind it, which the decoder checks, and the text in the runs is of the kinds that stand together.

use super::reading::Reading;
use crate::detect::controls::Marks;
use crate::forms::encoding::Encoding;

/// The reading of a stream of ASCII in UTF-7.
#[derive(Clone, Debug, Default)]
pub(in crate::detect) struct Utf7 {
    /// From the first plus sign on.
    reading: Option<Reading>,
    refused: bool,
}

impl Utf7 {
    /// Takes a block of ASCII with these marks in it.
    pub(in crate::detect) fn block(&mut self, offset: u64, block: &[u8], marks: Marks) {
        if self.refused || (self.reading.is_none() && !marks.plus) {
            return;
        }
        if self.reading.is_none() {
            let Some(at) = block.iter().position(|&byte| byte == b'+') else { return };
            let mut reading = Reading::new(Encoding::UTF_7, offset + at as u64);
            self.refused = !reading.block(&block[at..], false);
            self.reading = Some(reading);
        } else if let Some(reading) = &mut self.reading {
            self.refused = !reading.block(block, false);
        }
    }

    /// The confidence that the stream is UTF-7; `None` if it is not.
    pub(in crate::detect) fn finish(self) -> Option<f32> {
        let mut reading = self.reading.filter(|_| !self.refused)?;
        if !reading.finish() || reading.beyond_ascii == 0 {
            return None;
        }
        let first = &reading.first;
        let odd = first.iter().filter(|&&c| !is_usual(c)).count();
        // The letters of a text are neighbours in Unicode: runs of chance are spread over the ideographs and Hangul.
        let spread = first.iter().filter(|&&c| c >= '\u{2E00}').count();
        let is_short = reading.beyond_ascii < 4;
        if odd > 0 || (is_short && spread > 0) {
            return None;
        }
        Some(if is_short { 0.9 } else { 0.98 })
    }
}

/// Whether text has such code points: no controls, no private use, no blocks of symbols that are rare in mail.
fn is_usual(c: char) -> bool {
    matches!(c, '\u{A0}'..='\u{1FFF}' | '\u{2010}'..='\u{2044}' | '\u{20A0}'..='\u{20BF}' | '\u{2100}'..='\u{214F}'
        | '\u{2190}'..='\u{21FF}' | '\u{2200}'..='\u{22FF}' | '\u{2500}'..='\u{26FF}' | '\u{3000}'..='\u{30FF}'
        | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' | '\u{FF00}'..='\u{FFEF}' | '\u{FEFF}' | '\u{1F300}'..='\u{1FAFF}')
}
