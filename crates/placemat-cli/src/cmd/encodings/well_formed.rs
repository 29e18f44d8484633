//! The well-formed sequences of UTF-8 by their bytes, found by asking `core::str` which sequences are.

use core::ops::RangeInclusive;

/// The sequences whose first byte is one of some in a row. All bytes after the second are 80 to BF.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) first: RangeInclusive<u8>,
    /// `None` for a sequence of one byte.
    pub(super) second: Option<RangeInclusive<u8>>,
    pub(super) len: usize,
}

/// Returns all rows of the table, in the order of the first byte.
pub(super) fn rows() -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for first in 0..=u8::MAX {
        let Some((len, second)) = (1..=4).find_map(|len| Some((len, second_of(first, len)?))) else {
            continue;
        };
        match rows.last_mut() {
            Some(row) if (row.len, &row.second) == (len, &second) && *row.first.end() + 1 == first => {
                row.first = *row.first.start()..=first;
            }
            _ => rows.push(Row { first: first..=first, second, len }),
        }
    }
    rows
}

/// Returns the second bytes of the sequences of a length that begin with a byte; `None` if there are no such sequences.
fn second_of(first: u8, len: usize) -> Option<Option<RangeInclusive<u8>>> {
    let is_well_formed = |second: u8| core::str::from_utf8(&[first, second, 0x80, 0x80][..len]).is_ok();
    if len == 1 {
        return is_well_formed(0x80).then_some(None);
    }
    let mut seconds = (0x80..=u8::MAX).filter(|&second| is_well_formed(second));
    let least = seconds.next()?;
    Some(Some(least..=seconds.next_back().unwrap_or(least)))
}

/// How many sequences of each length, from one byte to four, there are.
pub(super) fn counts() -> [u64; 4] {
    let mut counts = [0; 4];
    for row in rows() {
        let size = |range: &RangeInclusive<u8>| u64::from(*range.end()) - u64::from(*range.start()) + 1;
        let seconds = row.second.as_ref().map_or(1, size);
        let tail = u32::try_from(row.len.saturating_sub(2)).unwrap_or(0);
        counts[row.len - 1] += size(&row.first) * seconds * 64_u64.pow(tail);
    }
    counts
}

impl Row {
    /// Returns `true` if the second byte is one of fewer than the bits of the first byte allow.
    pub(super) fn is_limited(&self) -> bool {
        self.second.as_ref().is_some_and(|second| *second != (0x80..=0xBF))
    }
}

/// Returns the number of different ill-formed sequences of one, two and three bytes: maximal subparts, of which none is
/// longer.
pub(super) fn errors() -> [u64; 3] {
    let size = |range: &RangeInclusive<u8>| u64::from(*range.end()) - u64::from(*range.start()) + 1;
    let starts = |least: usize| -> u64 {
        let long = rows().into_iter().filter(|row| row.len >= least);
        long.map(|row| size(&row.first) * row.second.as_ref().map_or(1, size)).sum()
    };
    // Each non-ASCII byte can stand alone. Two bytes are the start of a longer sequence, three that of one of four.
    [128, starts(3), starts(4) * 64]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Unicode Standard, table 3-7.
    #[test]
    fn nine_rows() {
        let rows = rows();
        let shown: Vec<String> = rows
            .iter()
            .map(|row| match &row.second {
                Some(second) => format!("{:02X?} {second:02X?} {}", row.first, row.len),
                None => format!("{:02X?}", row.first),
            })
            .collect();
        assert_eq!(
            shown,
            [
                "00..=7F",
                "C2..=DF 80..=BF 2",
                "E0..=E0 A0..=BF 3",
                "E1..=EC 80..=BF 3",
                "ED..=ED 80..=9F 3",
                "EE..=EF 80..=BF 3",
                "F0..=F0 90..=BF 4",
                "F1..=F3 80..=BF 4",
                "F4..=F4 80..=8F 4",
            ]
        );
        assert_eq!(counts(), [128, 1_920, 61_440, 1_048_576]);
        let limited: Vec<u8> =
            rows.iter().filter(|row| row.is_limited()).map(|row| *row.first.start()).collect();
        assert_eq!(limited, [0xE0, 0xED, 0xF0, 0xF4]);
    }

    /// All strings of one to three bytes, before a letter.
    #[test]
    fn ill_formed_sequences_are_counted() {
        let count = |len: usize| {
            let all = 0..1_u32 << (8 * len);
            all.filter(|value| {
                let mut text = [0; 4];
                text[..len].copy_from_slice(&value.to_be_bytes()[4 - len..]);
                text[len] = b'A';
                let error = core::str::from_utf8(&text[..=len]).err();
                error.is_some_and(|e| e.valid_up_to() == 0 && e.error_len() == Some(len))
            })
            .count() as u64
        };
        assert_eq!(errors(), [1, 2, 3].map(count));
        assert_eq!(errors().iter().sum::<u64>(), 17_728);
    }
}
