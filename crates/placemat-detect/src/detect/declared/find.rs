//! Searches in bytes, without regard to the case of ASCII.

/// A label, and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place<'a> {
    pub(super) at: usize,
    pub(super) label: &'a [u8],
}

/// Returns the offset of `what`, from `from` on.
pub(super) fn find(text: &[u8], what: &[u8], from: usize) -> Option<usize> {
    let (first, rest) = what.split_first()?;
    let firsts = [first.to_ascii_lowercase(), first.to_ascii_uppercase()];
    let mut at = from;
    loop {
        at += text.get(at..)?.iter().position(|byte| firsts.contains(byte))?;
        if text.get(at + 1..at + what.len()).is_some_and(|after| after.eq_ignore_ascii_case(rest)) {
            return Some(at);
        }
        at += 1;
    }
}

/// Returns the label at `at`, after blanks and a quotation mark.
pub(super) fn label(text: &[u8], at: usize) -> Option<Place<'_>> {
    let at = skip_blanks(text, at);
    let at = at + usize::from(matches!(text.get(at), Some(b'"' | b'\'')));
    let rest = text.get(at..)?;
    let len =
        rest.iter().take_while(|&&byte| byte.is_ascii_alphanumeric() || b"-_.:+()".contains(&byte)).count();
    let label = rest.get(..len)?;
    // Vim ends its options with a colon.
    let label = label.strip_suffix(b":").unwrap_or(label);
    (!label.is_empty() && label.len() <= LONGEST).then_some(Place { at, label })
}

/// The maximum number of bytes in a label.
const LONGEST: usize = 64;

/// Returns the offset of the first byte from `at` on that is neither space nor tab.
pub(super) fn skip_blanks(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|&&byte| byte == b' ' || byte == b'\t').count()
}

/// Returns the lines, and their offsets.
pub(super) fn lines(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut start = 0;
    // CR alone ends the lines of the old Mac OS.
    let end = if text.contains(&b'\n') { b'\n' } else { b'\r' };
    text.split_inclusive(move |&byte| byte == end).map(move |line| {
        let at = start;
        start += line.len();
        (at, line)
    })
}

/// Returns the offsets at which lines begin.
pub(super) fn line_starts(text: &[u8]) -> impl Iterator<Item = usize> {
    lines(text).map(|(at, _)| at)
}
