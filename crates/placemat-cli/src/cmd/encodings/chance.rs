//! `--chance`: how probable it is that bytes which are not UTF-8 are well-formed UTF-8.
//!
//! The sequences of a text follow one another, so the strings of n bytes are counted by the length of their first sequence.
//! The rules of today are those of RFC 3629; those of RFC 2279 and before know the patterns of bits alone, of up to six
//! bytes, and so read surrogates and overlong forms too.

use super::well_formed::{counts, rows};
use crate::shown::SCREEN;
use crate::shown::wrap;
use core::fmt::Write as _;
use placemat::{Encoding, ErrorPolicy};

/// The maximum number of bytes that are asked about.
pub(crate) const MAX_BYTES: usize = 1000;

/// The bytes of a run that are looked at. More of them make no difference in what is shown.
const MAX_RUN_BYTES: usize = 200;

/// The sequences of each length by the patterns of bits: the lead bytes, and six bits in each byte after them.
const PATTERNS: [u128; 6] =
    [128, 32 * 64, 16 * 64 * 64, 8 * 64 * 64 * 64, 4 * 64 * 64 * 64 * 64, 2 * 64 * 64 * 64 * 64 * 64];

/// Encodings whose letters are asked about.
const LEGACY: [Encoding; 6] = [
    Encoding::WINDOWS_1252,
    Encoding::WINDOWS_1250,
    Encoding::WINDOWS_1251,
    Encoding::KOI8_R,
    Encoding::IBM866,
    Encoding::MACINTOSH,
];

/// A kind of bytes, and the chances by the rules of today and of then.
pub(super) struct Chance {
    pub(super) of: String,
    pub(super) now: f64,
    pub(super) then: f64,
}

/// Returns the chances of `n` bytes.
pub(super) fn chances(n: usize) -> Vec<Chance> {
    let now = counts().map(u128::from);
    let whole = |counts: &[u128]| counts.get(n - 1).map_or(0.0, |&count| share(count as f64, 256, n));
    let s = if n == 1 { "" } else { "s" };
    let mut all = vec![
        Chance {
            of: format!("any bytes: one sequence of {n} byte{s}"),
            now: whole(&now),
            then: whole(&PATTERNS),
        },
        Chance {
            of: "any bytes: well-formed".into(),
            now: well_formed(&now, 256, n),
            then: well_formed(&PATTERNS, 256, n),
        },
        Chance {
            of: "bytes beyond ASCII: well-formed".into(),
            now: well_formed(&[&[0], &now[1..]].concat(), 128, n),
            then: well_formed(&[&[0], &PATTERNS[1..]].concat(), 128, n),
        },
    ];
    all.extend(LEGACY.map(|encoding| {
        let letters = letters(encoding);
        let size = letters.iter().filter(|&&is| is).count();
        Chance {
            of: format!("letters beyond ASCII in {encoding}: well-formed"),
            now: well_formed(&counts_of(&letters), size, n),
            then: well_formed(&patterns_of(&letters), size, n),
        }
    }));
    all
}

/// Returns the chance that letters of windows-1252 in runs of these lengths are well-formed UTF-8. Text whose chance is below 1 in
/// 10^100 is not read to its end.
pub(crate) fn of_runs(lengths: impl IntoIterator<Item = usize>) -> f64 {
    let letters = letters(Encoding::WINDOWS_1252);
    let (counts, size) = (counts_of(&letters), letters.iter().filter(|&&is| is).count());
    let mut chance = 1.0;
    for len in lengths {
        chance *= well_formed(&counts, size, len.min(MAX_RUN_BYTES));
        if chance < 1e-100 {
            break;
        }
    }
    chance
}

/// `count` strings of all that `size` bytes make.
fn share(count: f64, size: usize, n: usize) -> f64 {
    count / (size as f64).powi(i32::try_from(n).unwrap_or(i32::MAX))
}

/// Returns the share of well-formed strings among all strings of `n` bytes, where each byte has one of
/// `size` values and `counts` has the number of sequences of each length.
fn well_formed(counts: &[u128], size: usize, n: usize) -> f64 {
    let mut shares = vec![1.0];
    for end in 1..=n {
        let each = (1..).zip(counts).take_while(|&(len, _)| len <= end);
        let sum = each.map(|(len, &count)| share(count as f64, size, len) * shares[end - len]).sum();
        shares.push(sum);
    }
    shares[n]
}

/// Returns the non-ASCII bytes that are letters in an encoding.
fn letters(encoding: Encoding) -> [bool; 256] {
    core::array::from_fn(|byte| {
        let byte = u8::try_from(byte).unwrap_or(0);
        let text = encoding.decode(core::slice::from_ref(&byte), ErrorPolicy::Stop).unwrap_or_default();
        byte >= 0x80 && text.chars().all(char::is_alphabetic) && !text.is_empty()
    })
}

/// How many of some bytes lie in a range.
fn within(bytes: &[bool; 256], range: core::ops::RangeInclusive<u8>) -> u128 {
    range.filter(|&byte| bytes[usize::from(byte)]).count() as u128
}

/// The well-formed sequences of each length that are made of some bytes.
fn counts_of(bytes: &[bool; 256]) -> [u128; 4] {
    let mut counts = [0; 4];
    for row in rows() {
        let seconds = row.second.as_ref().map_or(1, |second| within(bytes, second.clone()));
        let tail = u32::try_from(row.len.saturating_sub(2)).unwrap_or(0);
        counts[row.len - 1] +=
            within(bytes, row.first.clone()) * seconds * within(bytes, 0x80..=0xBF).pow(tail);
    }
    counts
}

/// The sequences of each length by the patterns of bits that are made of some bytes.
fn patterns_of(bytes: &[bool; 256]) -> [u128; 6] {
    let leads = [0x00..=0x7F, 0xC0..=0xDF, 0xE0..=0xEF, 0xF0..=0xF7, 0xF8..=0xFB, 0xFC..=0xFD];
    let mut tails = 1;
    leads.map(|leads| {
        let count = within(bytes, leads) * tails;
        tails *= within(bytes, 0x80..=0xBF);
        count
    })
}

/// Returns a chance as a percentage, and as one in N.
pub(crate) fn shown(chance: f64) -> String {
    match chance {
        0.0 => "never".into(),
        ..1e-99 => "less than 1 in 10^99".into(),
        0.000_1.. => format!("{} %, 1 in {}", significant(100.0 * chance), significant(1.0 / chance)),
        _ => format!("1 in 10^{:.0}", -chance.log10()),
    }
}

/// Writes a number with three significant digits.
fn significant(number: f64) -> String {
    let digits = (0..8).find(|&digits| number * 10_f64.powi(digits) >= 100.0).unwrap_or(8);
    let digits = usize::try_from(digits).unwrap_or(0);
    let shown = format!("{number:.digits$}");
    if digits > 0 { shown.trim_end_matches('0').trim_end_matches('.').into() } else { shown }
}

/// Returns the report.
pub(super) fn text(n: usize) -> String {
    let s = if n == 1 { "" } else { "s" };
    let mut to = format!("The chance that {n} byte{s} that are no UTF-8 are well-formed UTF-8\n\n");
    let chances = chances(n);
    let left = chances.iter().map(|chance| chance.of.len()).max().unwrap_or(0);
    let now: Vec<String> = chances.iter().map(|chance| shown(chance.now)).collect();
    let width = now.iter().map(String::len).max().unwrap_or(0).max(8);
    _ = writeln!(to, "{:left$}  {:width$}  RFC 2279", "each as often as any other", "RFC 3629");
    for (chance, now) in chances.iter().zip(now) {
        _ = writeln!(to, "{:left$}  {now:width$}  {}", chance.of, shown(chance.then));
    }
    to.push('\n');
    for line in wrap(
        "RFC 2279 and the standards before it knew the patterns of bits alone: up to six bytes, surrogates and overlong \
         forms too. Text has no random letters: in most languages, pairs of letters that are well-formed are rarer still.",
        0,
        SCREEN,
    ) {
        _ = writeln!(to, "{line}");
    }
    to
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() <= 1e-12 * b.abs(), "{a} {b}");
    }

    /// Every string of one to three bytes, by `core::str`.
    #[test]
    fn strings_that_are_well_formed_are_counted() {
        for (n, size) in [(1_usize, 256_u32), (2, 1 << 16), (3, 1 << 24)] {
            let (mut well_formed, mut beyond) = (0_u32, 0_u32);
            for value in 0..size {
                let bytes = &value.to_be_bytes()[4 - n..];
                if core::str::from_utf8(bytes).is_ok() {
                    well_formed += 1;
                    beyond += u32::from(bytes.iter().all(|&byte| byte >= 0x80));
                }
            }
            let found = chances(n);
            close(found[1].now, f64::from(well_formed) / f64::from(size));
            let all = 128_f64.powi(i32::try_from(n).expect("small"));
            close(found[2].now, f64::from(beyond) / all);
        }
    }

    /// The figures of the literature.
    #[test]
    fn known_figures() {
        let two = chances(2);
        assert_eq!(
            (shown(two[0].now), shown(two[0].then)),
            ("2.93 %, 1 in 34.1".into(), "3.12 %, 1 in 32".into())
        );
        close(two[2].now, 1920.0 / 16384.0);
        let three = chances(3);
        assert_eq!(
            (shown(three[0].now), shown(three[0].then)),
            ("0.366 %, 1 in 273".into(), "0.391 %, 1 in 256".into())
        );
    }

    /// Runs are independent of one another: their chances multiply.
    #[test]
    fn runs_multiply() {
        let one = chances(2)[3].now;
        close(of_runs([2]), one);
        close(of_runs([2, 2, 2]), one.powi(3));
        close(of_runs([]), 1.0);
        assert_eq!(shown(of_runs(core::iter::repeat(4))), "less than 1 in 10^99");
        assert_eq!(shown(of_runs([1_000_000])), "less than 1 in 10^99");
        close(of_runs([1]), 0.0);
    }

    /// Pairs of letters, by the encoding and `core::str`.
    #[test]
    fn letters_of_encodings() {
        for (number, encoding) in LEGACY.into_iter().enumerate() {
            let letters = letters(encoding);
            let all: Vec<u8> = (0..=255).filter(|&byte| letters[usize::from(byte)]).collect();
            let pairs = all.iter().flat_map(|&a| all.iter().map(move |&b| [a, b]));
            let good = pairs.filter(|pair| core::str::from_utf8(pair).is_ok()).count();
            close(chances(2)[3 + number].now, good as f64 / (all.len() * all.len()) as f64);
        }
    }
}
