//! Ill-formed runs of UTF-8, and which of them may be text of a legacy encoding.

use alloc::vec::Vec;
use core::ops::Range;

/// The meaning of ill-formed bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    Text(char),
    Lost,
    Legacy,
}

/// Returns the parts of a run in order, each with its length. At the end of a line, `leads` are the lead bytes of its
/// well-formed sequences.
pub(crate) fn parts_of(run: &[u8], leads: Option<u64>) -> Vec<(usize, What)> {
    let mut parts = Vec::new();
    let mut from = 0;
    let mut at = 0;
    while at < run.len() {
        let whole = match pair(&run[at..]) {
            Some((c, len)) => Some((len, What::Text(c))),
            None if run[at..].starts_with(b"\xC0\x80") => Some((2, What::Text('\0'))),
            None => None,
        };
        let Some((len, what)) = whole else {
            at += 1;
            continue;
        };
        if at > from {
            parts.push((at - from, What::Legacy));
        }
        parts.push((len, what));
        at += len;
        from = at;
    }
    while from < run.len() {
        let (len, what) = lost(&run[from..], leads);
        parts.push((len, what));
        from += len;
    }
    parts
}

/// Returns the first part of the end of a run, in which no pair and no C0 80 follows.
fn lost(run: &[u8], leads: Option<u64>) -> (usize, What) {
    match run {
        [0xC0 | 0xC1, 0x80..=0xBF, ..] => (2, What::Lost),
        [0xE0, 0x80..=0x9F, 0x80..=0xBF, ..] => (3, What::Lost),
        [0xF0, 0x80..=0x8F, 0x80..=0xBF, 0x80..=0xBF, ..] => (4, What::Lost),
        [0xED, 0xA0..=0xBF, 0x80..=0xBF, ..] => (3, What::Lost),
        // All but the last byte, or all but the last two, of a sequence.
        [0xE1..=0xEF, 0x80..=0xBF]
        | [0xE0, 0xA0..=0xBF]
        | [0xF1..=0xF3, 0x80..=0xBF]
        | [0xF0, 0x90..=0xBF]
        | [0xF4, 0x80..=0x8F]
        | [0xF1..=0xF3, 0x80..=0xBF, 0x80..=0xBF]
        | [0xF0, 0x90..=0xBF, 0x80..=0xBF]
        | [0xF4, 0x80..=0x8F, 0x80..=0xBF] => (run.len(), What::Lost),
        // A lead byte alone may be a letter of a legacy encoding. It is a truncated sequence if it
        // is the only one that lacks its rest, and begins other sequences of the line.
        [lead @ 0xC2..=0xF4] if leads.is_some_and(|leads| has(leads, *lead)) => (1, What::Lost),
        _ => (run.len(), What::Legacy),
    }
}

/// Returns `true` if a run ends its line.
pub(crate) fn is_last(line: &[u8], run: &Range<usize>) -> bool {
    matches!(line.get(run.end), None | Some(b'\n' | b'\r'))
}

/// Returns the parts of the ill-formed runs of a line that may be text of a legacy encoding.
pub(crate) fn legacy_parts(line: &[u8], runs: &[Range<usize>], leads: u64) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    for run in runs {
        let leads = is_last(line, run).then_some(leads);
        let mut at = run.start;
        for (len, what) in parts_of(&line[run.clone()], leads) {
            if what == What::Legacy {
                parts.push(at..at + len);
            }
            at += len;
        }
    }
    parts
}

/// Returns the parts of a line that may be text of a legacy encoding.
pub(crate) fn evidence(line: &[u8]) -> Vec<Range<usize>> {
    let runs = ill_formed_runs(line);
    legacy_parts(line, &runs, leads(line, &runs))
}

/// Returns the code point of a surrogate pair in six bytes at the start of `bytes`.
fn pair(bytes: &[u8]) -> Option<(char, usize)> {
    let &[0xED, a @ 0xA0..=0xAF, b @ 0x80..=0xBF, 0xED, c @ 0xB0..=0xBF, d @ 0x80..=0xBF, ..] = bytes else {
        return None;
    };
    let half = |high: u8, low: u8| u32::from(high & 0xF) << 6 | u32::from(low & 0x3F);
    char::from_u32(0x1_0000 + (half(a, b) << 10) + half(c, d)).map(|c| (c, 6))
}

/// Returns the runs of ill-formed bytes of a line.
pub(crate) fn ill_formed_runs(line: &[u8]) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    for chunk in line.utf8_chunks() {
        at += chunk.valid().len();
        let len = chunk.invalid().len();
        match runs.last_mut() {
            _ if len == 0 => {}
            Some(last) if last.end == at => last.end += len,
            _ => runs.push(at..at + len),
        }
        at += len;
    }
    runs
}

/// Returns the lead bytes of the well-formed sequences of a line that has only one ill-formed run: bit 0 is
/// C0.
pub(crate) fn leads(line: &[u8], runs: &[Range<usize>]) -> u64 {
    let [run] = runs else { return 0 };
    let well_formed = line[..run.start].iter().chain(&line[run.end..]);
    well_formed.filter(|&&byte| byte >= 0xC0).fold(0, |leads, byte| leads | 1 << (byte - 0xC0))
}

fn has(leads: u64, lead: u8) -> bool {
    leads >> (lead & 0x3F) & 1 != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_the_errors_of_the_library() {
        let mut state = 1_u64;
        let mut byte = || {
            state = state.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(31) ^ 0xA5;
            b"a \x80\x9F\xA0\xBF\xC0\xC3\xE0\xE2\xED\xEF\xF0\xF4\xF5\xFF"
                [usize::try_from(state >> 60).unwrap_or(0)]
        };
        for len in 0..2000 {
            let line: Vec<u8> = (0..len % 40).map(|_| byte()).collect();
            let mut bad = alloc::vec![false; line.len()];
            let mut at = 0;
            for chunk in placemat_core::utf8::chunks(&line) {
                at += chunk.text().len();
                let end = at + chunk.ill_formed().map_or(0, |e| e.len());
                bad[at..end].fill(true);
                at = end;
            }
            let mut found = alloc::vec![false; line.len()];
            let runs = ill_formed_runs(&line);
            runs.iter().for_each(|run| found[run.clone()].fill(true));
            assert_eq!(found, bad, "{line:02X?}");
            assert!(runs.windows(2).all(|two| two[0].end < two[1].start), "{line:02X?}");
        }
    }
}
