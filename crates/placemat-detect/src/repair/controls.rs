//! C1 controls that were meant as windows-1252: text of windows-1252 that was read as ISO-8859-1.
//!
//! A line proves it by an apostrophe between letters, by a pair of quotation marks around words, by a euro sign at a number,
//! or by a dash between spaces. Then all of its C1 controls are read, if windows-1252 has text for each.

use super::change::Step;
use super::edits::{Edit, Why};
use alloc::string::String;
use alloc::vec::Vec;
use placemat_charsets::Encoding;
use placemat_core::policy::ErrorPolicy;

/// The confidence in these changes.
const CONFIDENCE: f32 = 0.95;

/// Replaces the C1 controls of a line, if the line proves what they are.
pub(super) fn read(line: &str) -> Option<(String, Vec<Edit>)> {
    let meant = |c: char| {
        let byte = u8::try_from(u32::from(c)).ok()?;
        let byte = [byte];
        let text = Encoding::WINDOWS_1252.decode(&byte, ErrorPolicy::Stop).ok()?;
        text.chars().next().filter(|c| !c.is_control())
    };
    let is_c1 = |c: char| ('\u{80}'..='\u{9F}').contains(&c);
    if !line.contains(is_c1) || line.chars().any(|c| is_c1(c) && meant(c).is_none()) || !is_proven(line) {
        return None;
    }
    let mut text = String::with_capacity(line.len());
    let mut edits = Vec::new();
    for (at, c) in line.char_indices() {
        let start = text.len();
        let new = if is_c1(c) { meant(c) } else { None };
        text.push(new.unwrap_or(c));
        if new.is_some() {
            let why =
                Why { confidence: CONFIDENCE, ..Why::certain(Step::Controls, &[Encoding::WINDOWS_1252]) };
            edits.push(Edit { before: at..at + c.len_utf8(), after: start..text.len(), why });
        }
    }
    Some((text, edits))
}

/// Returns `true` if some C1 control of a line stands where the punctuation of windows-1252 stands.
fn is_proven(line: &str) -> bool {
    let chars: Vec<char> = line.chars().collect();
    let at = |n: usize| chars.get(n).copied().unwrap_or(' ');
    let before = |n: usize| n.checked_sub(1).map_or(' ', &at);
    let is_latin = |c: char| c.is_ascii_alphabetic() || ('\u{C0}'..='\u{24F}').contains(&c);
    let opens = |n: usize| !is_latin(before(n)) && at(n + 1).is_alphanumeric();
    (0..chars.len()).any(|n| match chars[n] {
        '\u{92}' => is_latin(before(n)) && is_latin(at(n + 1)),
        open @ ('\u{91}' | '\u{93}') => {
            let close = if open == '\u{91}' { '\u{92}' } else { '\u{94}' };
            opens(n) && chars[n..].contains(&close)
        }
        '\u{80}' => {
            before(n).is_ascii_digit()
                || at(n + 1).is_ascii_digit()
                || n > 1 && at(n - 1) == ' ' && at(n - 2).is_ascii_digit()
        }
        '\u{96}' | '\u{97}' => before(n) == ' ' && at(n + 1) == ' ',
        _ => false,
    })
}
