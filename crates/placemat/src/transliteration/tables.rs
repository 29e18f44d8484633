//! The tables: sorted lines, found by binary search. `xtask/transliteration.py` makes them and documents their format.

use core::str::Split;

/// The substitutes in most locales.
pub(super) const GENERAL: &str = include_str!("table.txt");
/// The differences of the other locales.
pub(super) const LOCALES: &str = include_str!("locales.txt");

/// The substitutes for a code point, best first.
pub(super) type Choices = Split<'static, char>;

/// The line for a code point, after its number: its subsets, a space, the choices.
fn line(table: &'static str, c: char) -> Option<&'static str> {
    let bytes = table.as_bytes();
    let (mut start, mut end) = (0, bytes.len());
    while start < end {
        let middle = start + (end - start) / 2;
        // Its line, from the first byte to the end of the last.
        let from = bytes[..middle].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let to = bytes[middle..].iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |at| middle + at);
        let (number, rest) = table[from..to].split_at_checked(5)?;
        match u32::from_str_radix(number, 16).ok()?.cmp(&u32::from(c)) {
            core::cmp::Ordering::Equal => return Some(rest),
            core::cmp::Ordering::Less => start = to + 1,
            core::cmp::Ordering::Greater => end = from,
        }
    }
    None
}

/// The entry of a table for a code point.
pub(super) fn choices(table: &'static str, c: char) -> Option<Choices> {
    Some(line(table, c)?.split_once(' ')?.1.split('\t'))
}

/// The entry of a table for a code point, if its line belongs to all of these subsets.
pub(super) fn choices_in(table: &'static str, c: char, subsets: u32) -> Option<Choices> {
    let (known, text) = line(table, c)?.split_once(' ')?;
    (known.parse::<u32>().ok()? & subsets == subsets).then(|| text.split('\t'))
}

/// The sections of [`LOCALES`]: names, subset, lines.
pub(super) fn sections() -> impl Iterator<Item = (&'static str, u32, &'static str)> {
    LOCALES.split("\n=").filter_map(|section| {
        let (head, lines) = section.split_once('\n').unwrap_or((section, ""));
        let head = head.trim_start_matches('=');
        let mut words = head.rsplitn(3, ' ');
        let (_, subset, names) = (words.next()?, words.next()?, words.next()?);
        Some((names, subset.parse().ok()?, lines))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_in_order_and_found() {
        for table in [GENERAL].into_iter().chain(sections().map(|(_, _, lines)| lines)) {
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
        assert!(GENERAL.lines().count() > 6000 && sections().count() > 15);
    }
}
