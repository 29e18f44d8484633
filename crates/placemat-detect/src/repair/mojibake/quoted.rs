//! Mojibake that a text quotes: «write Ã© as é». It is meant as it is.

use super::super::change::Step;
use super::super::edits::Edit;
use super::classes::{Classes, class};
use super::symbols;

/// The maximum number of code points of a quoted sequence.
const MAX_CODE_POINTS: usize = 5;

/// Returns `true` if the changes of a line would change quotations: each stands alone, and one stands between quotation
/// marks or the line has its correct form too.
pub(super) fn is_quoted(line: &[u32], new: &[u32], edits: &[Edit]) -> bool {
    if !edits.is_empty() && edits.iter().all(|edit| is_shown_beside(line, new, edit)) {
        return true;
    }
    let single = |edit: &Edit| edit.after.len() <= 3 && edit.before.len() <= MAX_CODE_POINTS + 2;
    let alone = |edit: &Edit| {
        let before = edit.before.start.checked_sub(1).and_then(|at| line.get(at));
        !is_letter(before) && !is_letter(line.get(edit.before.end))
    };
    if edits.is_empty() || !edits.iter().all(|edit| single(edit) && alone(edit)) {
        return false;
    }
    // Emoji and dingbats are text in quotation marks, letters and marks may be what the text is about.
    let is_sign = |edit: &Edit| {
        let text = new.get(edit.after.clone()).unwrap_or_default();
        text.iter().all(|&c| c < 0x80 || c >= 0x2100 && symbols::is_symbol(c) || symbols::goes_with_emoji(c))
    };
    edits.iter().any(|edit| {
        is_between_marks(line, edit) && !is_sign(edit) || is_in(line, new.get(edit.after.clone()), edits)
    })
}

/// Returns `true` if a change stands between quotation marks, and the word that it makes stands elsewhere in the line:
/// `fÃ¼r` for für.
fn is_shown_beside(line: &[u32], new: &[u32], edit: &Edit) -> bool {
    const MAX_QUOTED_BYTES: usize = 80;
    let start = new[..edit.after.start].iter().rposition(|c| !is_letter(Some(c))).map_or(0, |at| at + 1);
    let end = new[edit.after.end..]
        .iter()
        .position(|c| !is_letter(Some(c)))
        .map_or(new.len(), |len| edit.after.end + len);
    let text = &new[start..end];
    if text.iter().all(|&c| c < 0x80) {
        return false;
    }
    let before = line[..edit.before.start].iter().rev().take(MAX_QUOTED_BYTES);
    let after = line[edit.before.end..].iter().take(MAX_QUOTED_BYTES);
    let is_quoted =
        before.copied().find_map(closing).is_some_and(|close| after.clone().any(|c| close.contains(c)));
    let is_here = |at: usize| at < edit.before.end && edit.before.start < at + text.len();
    is_quoted && line.windows(text.len()).enumerate().any(|(at, here)| here == text && !is_here(at))
}

/// The maximum number of changes of an example, and the bytes before each.
const MAX_EXAMPLES: usize = 2;
/// The maximum number of changes of examples in a line that names the page itself.
const MAX_LISTED_EXAMPLES: usize = 8;
const MAX_BYTES_BEFORE: usize = 16;
/// The bytes of an example between quotation marks.
const MAX_EXAMPLE_BYTES: usize = 120;
/// The text beside an example of mojibake.
const NAMES: [&str; 9] = [
    "mojibake",
    "latin1",
    "latin-1",
    "iso-8859-1",
    "windows-1252",
    "cp1252",
    "garbled",
    "prints:",
    "is what you get",
];

/// Returns `true` if the few changes of a line would change an example: the line, or the one before it, names the page.
pub(super) fn is_example(line: &str, before: &str, edits: &[Edit]) -> bool {
    !edits.is_empty()
        && edits.len() <= MAX_LISTED_EXAMPLES
        && edits.iter().all(|edit| {
            let is_short = edit.before.len() <= MAX_BYTES_BEFORE
                || edit.before.len() <= MAX_EXAMPLE_BYTES && is_in_code(line, edit);
            edit.why.step == Step::Mojibake && is_short
        })
        && (names_page(line) || edits.len() <= MAX_EXAMPLES && names_page(before))
}

/// For each byte, the letters that follow it at the start of one of the [`NAMES`]: a bit for each.
static STARTS: [u32; 256] = {
    let mut starts = [0; 256];
    let mut at = 0;
    while at < NAMES.len() {
        let name = NAMES[at].as_bytes();
        let second = 1 << (name[1] - b'a');
        starts[name[0] as usize] |= second;
        starts[name[0].to_ascii_uppercase() as usize] |= second;
        at += 1;
    }
    starts
};

/// Returns `true` if a text has one of the [`NAMES`], in any case.
fn names_page(text: &str) -> bool {
    let bytes = text.as_bytes();
    let begins = |pair: &[u8]| {
        let second = (pair[1] | 0x20).wrapping_sub(b'a');
        second < 26 && STARTS[usize::from(pair[0])] >> second & 1 != 0
    };
    let is_name = |rest: &[u8]| {
        let is = |name: &&str| {
            rest.get(..name.len()).is_some_and(|rest| rest.eq_ignore_ascii_case(name.as_bytes()))
        };
        NAMES.iter().any(is)
    };
    bytes.windows(2).enumerate().any(|(at, pair)| begins(pair) && is_name(&bytes[at..]))
}

/// Returns `true` if a change stands between grave accents, as code in Markdown.
fn is_in_code(line: &str, edit: &Edit) -> bool {
    let ticks = |text: Option<&str>| text.map_or(0, |text| text.matches('`').count());
    ticks(line.get(..edit.before.start)) % 2 == 1 && ticks(line.get(edit.before.end..)) > 0
}

fn is_letter(c: Option<&u32>) -> bool {
    let class = c.map_or(class::BLANK, |&c| Classes::get().class(c));
    matches!(class, class::ASCII_LOWER | class::ASCII_UPPER | class::LATIN_LOWER..=class::MARK)
}

/// Returns `true` if a change stands between quotation marks or brackets; they may belong to the change.
fn is_between_marks(line: &[u32], edit: &Edit) -> bool {
    let before = edit.before.start.checked_sub(1);
    [before, Some(edit.before.start)].into_iter().flatten().any(|at| {
        let Some(close) = line.get(at).and_then(|&open| closing(open)) else { return false };
        line[at + 1..].iter().take(MAX_CODE_POINTS + 2).any(|&c| close.contains(&c))
    })
}

/// Returns the marks that may close a quotation that this mark opens.
fn closing(open: u32) -> Option<&'static [u32]> {
    Some(match char::from_u32(open)? {
        '"' => &[0x22],
        '\'' => &[0x27],
        '`' => &[0x60, 0x27],
        '“' | '„' => &[0x201D, 0x201C],
        '‘' | '‚' => &[0x2019, 0x2018],
        '«' => &[0xBB],
        '»' => &[0xAB],
        '‹' => &[0x203A],
        '(' => &[0x29],
        '[' => &[0x5D],
        '{' => &[0x7D],
        '>' => &[0x3C],
        '|' => &[0x7C],
        '「' => &[0x300D],
        '『' => &[0x300F],
        _ => return None,
    })
}

/// Returns `true` if a line has a short text by itself, outside the changes.
fn is_in(line: &[u32], text: Option<&[u32]>, edits: &[Edit]) -> bool {
    let Some(text) = text.filter(|text| !text.is_empty() && text.iter().all(|&c| c >= 0x80)) else {
        return false;
    };
    line.windows(text.len()).enumerate().any(|(at, here)| {
        let outside =
            || edits.iter().all(|edit| at + text.len() <= edit.before.start || edit.before.end <= at);
        let before = at.checked_sub(1).and_then(|at| line.get(at));
        here == text && outside() && !is_letter(before) && !is_letter(line.get(at + text.len()))
    })
}
