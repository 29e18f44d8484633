//! The tables: sorted lines, found by binary search. `xtask/transliteration.py` makes them and documents their format.

use core::str::Split;

/// The substitutes in most locales.
pub(super) const GENERAL: &str = include_str!("table.txt");
/// The rules in which the other locales differ.
pub(super) const LOCALES: &str = include_str!("locales.txt");

/// The substitutes for a code point, best first.
pub(super) type Choices = Split<'static, [char; 1]>;

/// Returns the line for a code point without its number: its subsets, a space, the choices.
fn line(table: &'static str, c: char) -> Option<&'static str> {
    let bytes = table.as_bytes();
    let (mut start, mut end) = (0, bytes.len());
    while start < end {
        let middle = start + (end - start) / 2;
        // The line around the middle, from its first byte to its end.
        let (before, after) = bytes.split_at_checked(middle)?;
        let from = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let to = after.iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |at| middle + at);
        let (number, rest) = table.get(from..to)?.split_at_checked(5)?;
        match u32::from_str_radix(number, 16).ok()?.cmp(&u32::from(c)) {
            core::cmp::Ordering::Equal => return Some(rest),
            core::cmp::Ordering::Less => start = to + 1,
            core::cmp::Ordering::Greater => end = from,
        }
    }
    None
}

/// Returns a table's entry for a code point.
pub(super) fn choices(table: &'static str, c: char) -> Option<Choices> {
    Some(line(table, c)?.split_once(' ')?.1.split(['\t']))
}

/// Returns a table's entry for a code point, if its line belongs to all of these subsets.
pub(super) fn choices_in(table: &'static str, c: char, subsets: u32) -> Option<Choices> {
    let (known, text) = line(table, c)?.split_once(' ')?;
    (known.parse::<u32>().ok()? & subsets == subsets).then(|| text.split(['\t']))
}

/// A section of [`LOCALES`]: the names of its locales, its subset of the general rules, its own rules.
pub(super) type Section = (&'static str, u32, &'static str);

/// The sections of [`LOCALES`]. The compiler finds them, because searching at run time takes
/// microseconds.
pub(super) static SECTIONS: [Section; count()] = sections();

/// Returns `true` if a section begins at an offset: with `=`, at the start of a line.
const fn begins(at: usize) -> bool {
    let all = LOCALES.as_bytes();
    all[at] == b'=' && (at == 0 || all[at - 1] == b'\n')
}

const fn count() -> usize {
    let (mut count, mut at) = (0, 0);
    while at < LOCALES.len() {
        count += begins(at) as usize;
        at += 1;
    }
    count
}

const fn sections() -> [Section; count()] {
    let mut all = [("", 0, ""); count()];
    let (mut len, mut start, mut at) = (0, 0, 1);
    while at <= LOCALES.len() {
        if at == LOCALES.len() || begins(at) {
            // Leave out the line feed that precedes the next section.
            let end = if at < LOCALES.len() { at - 1 } else { at };
            all[len] = section(LOCALES.split_at(end).0.split_at(start + 1).1);
            (len, start) = (len + 1, at);
        }
        at += 1;
    }
    all
}

/// Parses a section. Its first line has the names, the subset, and a character that is not needed
/// here.
const fn section(text: &'static str) -> Section {
    let (head, lines) = before(text, b'\n');
    let bytes = head.as_bytes();
    let mut end = bytes.len();
    while bytes[end - 1] != b' ' {
        end -= 1;
    }
    let mut start = end - 1;
    let (mut subset, mut unit) = (0, 1);
    while bytes[start - 1] != b' ' {
        start -= 1;
        subset += (bytes[start] - b'0') as u32 * unit;
        unit *= 10;
    }
    (head.split_at(start - 1).0, subset, lines)
}

/// Returns the text before an ASCII byte and the text after it, or everything and nothing if the
/// byte does not occur.
const fn before(text: &'static str, byte: u8) -> (&'static str, &'static str) {
    let mut at = 0;
    while at < text.len() {
        if text.as_bytes()[at] == byte {
            return (text.split_at(at).0, text.split_at(at + 1).1);
        }
        at += 1;
    }
    (text, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_in_order_and_found() {
        for table in [GENERAL].into_iter().chain(SECTIONS.map(|(_, _, lines)| lines)) {
            let mut last = 0;
            for line in table.lines() {
                let number = u32::from_str_radix(&line[..5], 16).expect("a number");
                assert!(last < number, "{line}");
                last = number;
                let c = char::from_u32(number).expect("a scalar value");
                assert!(choices(table, c).is_some_and(|found| found.eq(line[7..].split('\t'))), "{line}");
            }
            assert!(choices(table, '\0').is_none() && choices(table, char::MAX).is_none());
        }
        assert!(GENERAL.lines().count() > 6000 && SECTIONS.len() > 15);
    }
}
