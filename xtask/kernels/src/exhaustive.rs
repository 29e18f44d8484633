//! All 2^32 strings of four bytes, read as UTF-8 by the library, by `core` and by the tables below.
//!
//! For each string the verdict, the offset, length and code of the first error and the text with U+FFFD for every
//! error must agree; and so must the prefix that the kernel of every level of instructions finds well-formed, with the
//! string somewhere in ASCII that is longer than a block. The tables come from table 3-7 of the Unicode Standard alone
//! and share no code with the library: they look up the first step of a string by its bytes; the rest is a shorter
//! string, whose result is known.

use core::fmt;
use core::ops::RangeInclusive;
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use placemat::internals::Kernels;
use placemat::stream::{Decoder, Status};
use placemat::{ErrorPolicy, Isa, forms::Utf8, utf8};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Instant;

/// The reasons why a sequence is ill-formed, by the names that the library uses.
const CODES: [&str; 12] = [
    "unexpected-continuation",
    "overlong-2",
    "overlong-3",
    "overlong-4",
    "surrogate",
    "too-large",
    "lead-f5-f7",
    "lead-5-byte",
    "lead-6-byte",
    "never-byte",
    "truncated",
    "incomplete",
];

/// The first error of a string: `code` is an index of [`CODES`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Fault {
    offset: usize,
    len: usize,
    code: usize,
}

/// The first step of a string.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Good { len: usize },
    Bad { len: usize, code: usize },
}

/// A row of table 3-7: lead bytes, the range of the second byte, the length.
type Row = (u8, u8, u8, u8, usize);

const TABLE_3_7: [Row; 8] = [
    (0xC2, 0xDF, 0x80, 0xBF, 2),
    (0xE0, 0xE0, 0xA0, 0xBF, 3),
    (0xE1, 0xEC, 0x80, 0xBF, 3),
    (0xED, 0xED, 0x80, 0x9F, 3),
    (0xEE, 0xEF, 0x80, 0xBF, 3),
    (0xF0, 0xF0, 0x90, 0xBF, 4),
    (0xF1, 0xF3, 0x80, 0xBF, 4),
    (0xF4, 0xF4, 0x80, 0x8F, 4),
];

fn code(name: &str) -> usize {
    CODES.iter().position(|known| *known == name).expect("a known code")
}

/// Returns the first step of `bytes`, which is not empty, directly from the table.
fn step(bytes: &[u8]) -> Step {
    let lead = bytes[0];
    let bad = |len, name| Step::Bad { len, code: code(name) };
    let Some(&(_, _, low, high, len)) =
        TABLE_3_7.iter().find(|(first, last, ..)| (*first..=*last).contains(&lead))
    else {
        return match lead {
            0x00..=0x7F => Step::Good { len: 1 },
            0x80..=0xBF => bad(1, "unexpected-continuation"),
            0xC0..=0xC1 => bad(1, "overlong-2"),
            0xF5..=0xF7 => bad(1, "lead-f5-f7"),
            0xF8..=0xFB => bad(1, "lead-5-byte"),
            0xFC..=0xFD => bad(1, "lead-6-byte"),
            _ => bad(1, "never-byte"),
        };
    };
    for at in 1..len {
        let (low, high) = if at == 1 { (low, high) } else { (0x80, 0xBF) };
        match bytes.get(at) {
            None => return bad(at, "incomplete"),
            Some(byte) if (low..=high).contains(byte) => {}
            Some(0x80..=0xBF) => {
                return match lead {
                    0xE0 => bad(1, "overlong-3"),
                    0xED => bad(1, "surrogate"),
                    0xF0 => bad(1, "overlong-4"),
                    _ => bad(1, "too-large"),
                };
            }
            Some(_) => return bad(at, "truncated"),
        }
    }
    Step::Good { len }
}

/// At most twelve bytes of text, in the low bytes, and their number in the highest byte.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Text(u128);

impl Text {
    const EMPTY: Self = Self(0);
    const LEN_SHIFT: u32 = 120;

    fn new(bytes: &[u8]) -> Self {
        let value = bytes.iter().rev().fold(0, |value, &byte| value << 8 | u128::from(byte));
        Self(value | (bytes.len() as u128) << Self::LEN_SHIFT)
    }

    fn len(self) -> u32 {
        (self.0 >> Self::LEN_SHIFT) as u32
    }

    fn then(self, next: Self) -> Self {
        let bytes = next.0 & !(0xFF << Self::LEN_SHIFT);
        let len = u128::from(self.len() + next.len());
        Self((self.0 & !(0xFF << Self::LEN_SHIFT)) | bytes << (8 * self.len()) | len << Self::LEN_SHIFT)
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.0.to_le_bytes();
        bytes[..self.len() as usize].iter().try_for_each(|byte| write!(f, "{byte:02x} "))
    }
}

/// The expected result for a string: its first error, and its text with U+FFFD for every error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Answer {
    fault: Option<Fault>,
    text: Text,
}

impl Answer {
    const EMPTY: Self = Self { fault: None, text: Text::EMPTY };

    /// Returns the answer for a string that starts with `step`, from the answer for its rest.
    fn of(bytes: &[u8], step: Step, rest: impl FnOnce(usize) -> Self) -> Self {
        match step {
            Step::Good { len } => {
                let rest = rest(len);
                let fault = rest.fault.map(|fault| Fault { offset: fault.offset + len, ..fault });
                Self { fault, text: Text::new(&bytes[..len]).then(rest.text) }
            }
            Step::Bad { len, code } => {
                let text = Text::new("\u{FFFD}".as_bytes()).then(rest(len).text);
                Self { fault: Some(Fault { offset: 0, len, code }), text }
            }
        }
    }
}

/// The answers for the strings of one and two bytes, by the bytes as a big-endian number.
struct Known {
    one: Vec<Answer>,
    two: Vec<Answer>,
}

impl Known {
    fn new() -> Self {
        let alone = |bytes: &[u8]| Answer::of(bytes, step(bytes), |_| Answer::EMPTY);
        let one: Vec<_> = (0..=0xFF).map(|a| alone(&[a])).collect();
        let two = (0..=0xFFFF_u16).map(|ab| {
            let bytes = ab.to_be_bytes();
            let rest = |len| if len == 1 { one[usize::from(bytes[1])] } else { Answer::EMPTY };
            Answer::of(&bytes, step(&bytes), rest)
        });
        let two = two.collect();
        Self { one, two }
    }

    fn of_two(&self, bytes: [u8; 2]) -> Answer {
        self.two[usize::from(u16::from_be_bytes(bytes))]
    }

    fn of_three(&self, bytes: [u8; 3]) -> Answer {
        let [_, b, c] = bytes;
        Answer::of(&bytes, step(&bytes), |len| match len {
            1 => self.of_two([b, c]),
            2 => self.one[usize::from(c)],
            _ => Answer::EMPTY,
        })
    }
}

/// Returns the library's result for a string.
fn library(bytes: [u8; 4]) -> Answer {
    let fault = utf8::validate(&bytes).err().map(|e| Fault {
        offset: e.valid_up_to(),
        len: e.len(),
        code: CODES.iter().position(|known| *known == e.code()).unwrap_or(usize::MAX),
    });
    let mut buffer = [0; 16];
    let mut decoder = Decoder::<Utf8>::new().on_error(ErrorPolicy::Replace);
    let p = decoder.convert(&bytes, &mut buffer, true);
    let complete = (p.read, p.status) == (4, Status::Done);
    Answer { fault, text: if complete { Text::new(&buffer[..p.written]) } else { Text::EMPTY } }
}

/// Returns `true` if `core` has the same first error.
fn core_agrees(bytes: [u8; 4], answer: &Answer) -> bool {
    let incomplete = CODES.len() - 1;
    match (core::str::from_utf8(&bytes), answer.fault) {
        (Ok(_), None) => true,
        (Err(core), Some(fault)) => {
            let len = (fault.code != incomplete).then_some(fault.len);
            (core.valid_up_to(), core.error_len()) == (fault.offset, len)
        }
        _ => false,
    }
}

/// The length of the ASCII around a string in bytes: more than a block of 64, so that the string
/// lies in blocks and across their boundaries.
const AROUND: usize = 140;

/// Returns `true` if the kernel of each level stops exactly where a string with this fault, at `at`
/// of `text`, is ill-formed.
fn kernels_agree(levels: &[Kernels], text: &[u8; AROUND], at: usize, fault: Option<Fault>) -> bool {
    // The ASCII after a string interrupts a sequence at the offset where the end of the string
    // truncates it.
    let prefix = fault.map_or(AROUND, |fault| at + fault.offset);
    levels.iter().all(|kernels| kernels.utf8_prefix(text) == prefix)
}

/// The number of strings of each result.
#[derive(Default, Debug)]
struct Counts {
    well_formed: u64,
    by_code: [u64; CODES.len()],
    differences: u64,
}

/// Checks all strings that start with `first` and have one of these second bytes.
fn strings_from(
    first: u8,
    seconds: RangeInclusive<u8>,
    known: &Known,
    report: &(impl Fn(String) + Sync),
) -> Counts {
    let mut counts = Counts::default();
    let levels: Vec<Kernels> = Isa::available().filter_map(Kernels::of).collect();
    let mut text = [b'a'; AROUND];
    for rest in u16::from(*seconds.start()) << 8..=u16::from(*seconds.end()) << 8 | 0xFF {
        let [second, third] = rest.to_be_bytes();
        // The offset differs for each three bytes, and does not depend on the fourth.
        let hash = (u32::from(first) << 16 | u32::from(rest)).wrapping_mul(0x9E37_79B1);
        let at = (hash >> 8) as usize % (AROUND - 4);
        text.fill(b'a');
        // The fourth byte matters to the first step only in a sequence of four.
        let after_one = |fourth| known.of_three([second, third, fourth]);
        for fourth in 0..=0xFF {
            let bytes = [first, second, third, fourth];
            let expected = Answer::of(&bytes, step(&bytes), |len| match len {
                1 => after_one(fourth),
                2 => known.of_two([third, fourth]),
                3 => known.one[usize::from(fourth)],
                _ => Answer::EMPTY,
            });
            match expected.fault {
                None => counts.well_formed += 1,
                Some(fault) => counts.by_code[fault.code] += 1,
            }
            let found = library(bytes);
            text[at..at + 4].copy_from_slice(&bytes);
            if !kernels_agree(&levels, &text, at, expected.fault) {
                counts.differences += 1;
                report(format!("{bytes:02x?} at {at}: a kernel does not stop where {:?} is", expected.fault));
            }
            if found != expected || !core_agrees(bytes, &expected) {
                counts.differences += 1;
                if counts.differences <= 4 {
                    let core = core::str::from_utf8(&bytes);
                    report(format!(
                        "{bytes:02x?}\n  library {found:02x?}\n  tables  {expected:02x?}\n  core    {core:?}"
                    ));
                }
            }
        }
    }
    counts
}

/// Returns V(n) of the formula V(n) = 128 V(n-1) + 1920 V(n-2) + 61440 V(n-3) + 1048576 V(n-4).
fn well_formed_strings(n: usize) -> u64 {
    let mut counts = vec![1_u64];
    for len in 1..=n {
        let ways = [128, 1_920, 61_440, 1_048_576];
        counts.push(ways.iter().zip(1..=len).map(|(ways, last)| ways * counts[len - last]).sum());
    }
    counts[n]
}

/// Reads all strings, prints the counts, and fails if a result differs.
pub(crate) fn run(threads: usize) -> ExitCode {
    let start = Instant::now();
    let known = Known::new();
    let (next, total) = (AtomicUsize::new(0), Mutex::new(Counts::default()));
    let report = |difference: String| eprintln!("{difference}");
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Ok(first) = u8::try_from(next.fetch_add(1, Relaxed)) {
                    let counts = strings_from(first, 0..=0xFF, &known, &report);
                    let Ok(mut total) = total.lock() else { return };
                    total.well_formed += counts.well_formed;
                    total.differences += counts.differences;
                    for (all, some) in total.by_code.iter_mut().zip(counts.by_code) {
                        *all += some;
                    }
                }
            });
        }
    });
    let total = total.into_inner().expect("no thread panicked");
    let ill_formed: u64 = total.by_code.iter().sum();
    println!("well-formed             {:>10}", total.well_formed);
    println!("ill-formed              {ill_formed:>10}, by the first error:");
    for (code, count) in CODES.iter().zip(total.by_code) {
        println!("  {code:<23} {count:>9}");
    }
    println!("differences             {:>10}", total.differences);
    println!("seconds                 {:>10.1} on {threads} threads", start.elapsed().as_secs_f64());
    let complete = total.well_formed == well_formed_strings(4) && total.well_formed + ill_formed == 1 << 32;
    if !complete {
        eprintln!("the counts are not those of the formula: {} well-formed of 2^32", well_formed_strings(4));
    }
    if complete && total.differences == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the tables themselves with the standard library, on all strings of up to three
    /// bytes.
    #[test]
    fn tables_agree_with_core() {
        let known = Known::new();
        let mut counts = [0_u64; 4];
        let mut agree = |bytes: &[u8], answer: Answer| {
            let core = core::str::from_utf8(bytes).err();
            let fault = answer.fault.map(|fault| (fault.offset, fault.len));
            let len = |e: &core::str::Utf8Error| e.error_len().unwrap_or(bytes.len() - e.valid_up_to());
            assert_eq!(fault, core.map(|e| (e.valid_up_to(), len(&e))), "{bytes:02x?}");
            assert_eq!(answer.text, Text::new(String::from_utf8_lossy(bytes).as_bytes()), "{bytes:02x?}");
            counts[bytes.len()] += u64::from(fault.is_none());
        };
        agree(&[], Answer::EMPTY);
        for a in 0..=0xFF {
            agree(&[a], known.one[usize::from(a)]);
            for b in 0..=0xFF {
                agree(&[a, b], known.of_two([a, b]));
                for c in 0..=0xFF {
                    agree(&[a, b, c], known.of_three([a, b, c]));
                }
            }
        }
        assert_eq!(counts, [0, 1, 2, 3].map(well_formed_strings));
    }

    #[test]
    fn library_agrees_on_a_sample() {
        let known = Known::new();
        let part = |seconds| strings_from(0xF4, seconds, &known, &|difference| panic!("{difference}"));
        let parts = [0..=0x3F, 0x40..=0x7F, 0x80..=0xBF, 0xC0..=0xFF];
        let counts = std::thread::scope(|scope| {
            let part = &part;
            let parts = parts.map(|seconds| scope.spawn(move || part(seconds)));
            parts.map(|part| part.join().expect("nothing differs"))
        });
        let sum = |of: fn(&Counts) -> u64| counts.iter().map(of).sum::<u64>();
        assert_eq!((sum(|c| c.well_formed), sum(|c| c.differences)), (16 * 64 * 64, 0));
    }
}
