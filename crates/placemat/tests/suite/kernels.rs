//! Every kernel on every level of the machine, against plain conversions by the `char`s of the standard library.
//!
//! A kernel takes the longest prefix that is well-formed, that the target can represent, and that
//! fits, so its correct result is known for any input and any output size.
//!
//! `PLACEMAT_LONG=1` selects the long form of each test, `PLACEMAT_QUICK=1` a form that suits emulated machines.

use crate::oracle::{self, Form, Order, Unmappable};
use crate::samples;
use crate::subject::{in_parallel, in_turn};
use placemat::internals::{
    ByteMap, Engine, Kernels, Mend, Moved, Patch, Replaced, SingleByteDecoder, SingleByteEncoder,
    SingleByteUnits, TextRoom, UNDEFINED,
};
use placemat::{ErrorPolicy, Isa, OnError as _, Replacement};

/// The form of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum In {
    Ascii,
    Latin1,
    Utf8,
    Utf16(Order),
    Utf32(Order),
}

use In::{Ascii, Latin1, Utf8, Utf16, Utf32};
use Order::{Big, Little};

impl In {
    /// Returns the code points of the longest well-formed prefix, each with its length in bytes.
    fn decode(self, src: &[u8]) -> Vec<(char, usize)> {
        match self {
            Ascii => src.iter().take_while(|byte| byte.is_ascii()).map(|&byte| (byte.into(), 1)).collect(),
            Latin1 => src.iter().map(|&byte| (byte.into(), 1)).collect(),
            Utf8 => {
                let good = core::str::from_utf8(src).map_or_else(|e| e.valid_up_to(), str::len);
                let text = core::str::from_utf8(&src[..good]).expect("well-formed up to there");
                text.chars().map(|c| (c, c.len_utf8())).collect()
            }
            Utf16(order) => {
                let unit = |pair: &[u8; 2]| match order {
                    Big => u16::from_be_bytes(*pair),
                    Little => u16::from_le_bytes(*pair),
                };
                char::decode_utf16(src.as_chunks().0.iter().map(unit))
                    .map_while(Result::ok)
                    .map(|c| (c, 2 * c.len_utf16()))
                    .collect()
            }
            Utf32(order) => {
                let unit = |four: &[u8; 4]| match order {
                    Big => u32::from_be_bytes(*four),
                    Little => u32::from_le_bytes(*four),
                };
                src.as_chunks()
                    .0
                    .iter()
                    .map_while(|four| char::from_u32(unit(four)))
                    .map(|c| (c, 4))
                    .collect()
            }
        }
    }

    /// Writes a code point; returns `false` if the form cannot represent it.
    fn encode(self, c: char, out: &mut Vec<u8>) -> bool {
        match self {
            Ascii if !c.is_ascii() => return false,
            Latin1 | Ascii => match u8::try_from(u32::from(c)) {
                Ok(byte) => out.push(byte),
                Err(_) => return false,
            },
            Utf8 => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            Utf16(Big) => out.extend(c.encode_utf16(&mut [0; 2]).iter().flat_map(|unit| unit.to_be_bytes())),
            Utf16(Little) => {
                out.extend(c.encode_utf16(&mut [0; 2]).iter().flat_map(|unit| unit.to_le_bytes()));
            }
            Utf32(Big) => out.extend(u32::from(c).to_be_bytes()),
            Utf32(Little) => out.extend(u32::from(c).to_le_bytes()),
        }
        true
    }

    fn form(self) -> Form {
        match self {
            Ascii => Form::Ascii,
            Latin1 => Form::Latin1,
            Utf8 => Form::Utf8,
            Utf16(order) => Form::Utf16(order),
            Utf32(order) => Form::Utf32(order),
        }
    }

    fn unit(self) -> usize {
        match self {
            Ascii | Latin1 | Utf8 => 1,
            Utf16(_) => 2,
            Utf32(_) => 4,
        }
    }
}

/// A kernel that converts.
struct Conversion {
    name: &'static str,
    run: fn(Kernels, &[u8], &mut [u8]) -> Moved,
    from: In,
    to: In,
}

/// A kernel that finds the length of a well-formed prefix.
struct Check {
    name: &'static str,
    run: fn(Kernels, &[u8]) -> usize,
    form: In,
}

macro_rules! conversions {
    ($($kernel:ident: $from:expr => $to:expr;)*) => {
        &[$(Conversion { name: stringify!($kernel), run: Kernels::$kernel, from: $from, to: $to }),*]
    };
}

const CONVERSIONS: &[Conversion] = conversions! {
    copy_ascii: Ascii => Utf8;
    copy_utf8: Utf8 => Utf8;
    utf8_to_utf16le: Utf8 => Utf16(Little);
    utf8_to_utf16be: Utf8 => Utf16(Big);
    utf8_to_utf32le: Utf8 => Utf32(Little);
    utf8_to_utf32be: Utf8 => Utf32(Big);
    utf8_to_latin1: Utf8 => Latin1;
    utf16le_to_utf8: Utf16(Little) => Utf8;
    utf16be_to_utf8: Utf16(Big) => Utf8;
    utf32le_to_utf8: Utf32(Little) => Utf8;
    utf32be_to_utf8: Utf32(Big) => Utf8;
    latin1_to_utf8: Latin1 => Utf8;
    copy_utf16le: Utf16(Little) => Utf16(Little);
    utf16le_to_utf16be: Utf16(Little) => Utf16(Big);
    utf16be_to_utf16le: Utf16(Big) => Utf16(Little);
    copy_utf16be: Utf16(Big) => Utf16(Big);
    copy_utf32le: Utf32(Little) => Utf32(Little);
    utf32le_to_utf32be: Utf32(Little) => Utf32(Big);
    utf32be_to_utf32le: Utf32(Big) => Utf32(Little);
    copy_utf32be: Utf32(Big) => Utf32(Big);
    utf16le_to_utf32le: Utf16(Little) => Utf32(Little);
    utf16le_to_utf32be: Utf16(Little) => Utf32(Big);
    utf16be_to_utf32le: Utf16(Big) => Utf32(Little);
    utf16be_to_utf32be: Utf16(Big) => Utf32(Big);
    utf32le_to_utf16le: Utf32(Little) => Utf16(Little);
    utf32le_to_utf16be: Utf32(Little) => Utf16(Big);
    utf32be_to_utf16le: Utf32(Big) => Utf16(Little);
    utf32be_to_utf16be: Utf32(Big) => Utf16(Big);
    latin1_to_utf16le: Latin1 => Utf16(Little);
    latin1_to_utf16be: Latin1 => Utf16(Big);
    latin1_to_utf32le: Latin1 => Utf32(Little);
    latin1_to_utf32be: Latin1 => Utf32(Big);
    ascii_to_utf16le: Ascii => Utf16(Little);
    ascii_to_utf16be: Ascii => Utf16(Big);
    ascii_to_utf32le: Ascii => Utf32(Little);
    ascii_to_utf32be: Ascii => Utf32(Big);
    utf16le_to_latin1: Utf16(Little) => Latin1;
    utf16be_to_latin1: Utf16(Big) => Latin1;
    utf32le_to_latin1: Utf32(Little) => Latin1;
    utf32be_to_latin1: Utf32(Big) => Latin1;
};

macro_rules! checks {
    ($($kernel:ident: $form:expr;)*) => {
        &[$(Check { name: stringify!($kernel), run: Kernels::$kernel, form: $form }),*]
    };
}

const CHECKS: &[Check] = checks! {
    ascii_prefix: Ascii;
    utf8_prefix: Utf8;
    utf16le_prefix: Utf16(Little);
    utf16be_prefix: Utf16(Big);
    utf32le_prefix: Utf32(Little);
    utf32be_prefix: Utf32(Big);
};

/// Returns the kernels of every level.
fn levels() -> Vec<Kernels> {
    let all: Vec<_> = Isa::available().filter_map(Kernels::of).collect();
    assert!(all.iter().any(|kernels| kernels.isa() == Isa::Portable));
    all
}

/// The result of converting a text, for any output size.
struct Expected {
    /// The whole output, if everything fits.
    all: Vec<u8>,
    /// The bytes read and written after each code point.
    borders: Vec<Moved>,
}

impl Expected {
    /// Computes the result from the code points of the text, which [`In::decode`] returns.
    fn new(text: &[(char, usize)], to: In) -> Self {
        let (mut all, mut borders) = (Vec::new(), Vec::with_capacity(text.len()));
        let mut read = 0;
        for &(c, len) in text {
            if !to.encode(c, &mut all) {
                break;
            }
            read += len;
            borders.push(Moved { read, written: all.len() });
        }
        Self { all, borders }
    }

    /// Returns the progress of the conversion into `room` bytes.
    fn within(&self, room: usize) -> Moved {
        let fit = self.borders.partition_point(|border| border.written <= room);
        fit.checked_sub(1).map(|last| self.borders[last]).unwrap_or_default()
    }
}

/// Returns the expected result of replacing in UTF-8, for any output size, and the offsets of the
/// errors. An incomplete sequence at the end is left.
fn expected_of_replacing(src: &[u8]) -> (Expected, Vec<usize>) {
    let (mut all, mut borders, mut errors, mut read) = (Vec::new(), Vec::new(), Vec::new(), 0);
    for chunk in src.utf8_chunks() {
        for c in chunk.valid().chars() {
            Utf8.encode(c, &mut all);
            read += c.len_utf8();
            borders.push(Moved { read, written: all.len() });
        }
        let bad = chunk.invalid();
        let cut_off = || core::str::from_utf8(bad).is_err_and(|e| e.error_len().is_none());
        if bad.is_empty() || read + bad.len() == src.len() && cut_off() {
            break;
        }
        Utf8.encode('\u{FFFD}', &mut all);
        errors.push(read);
        read += bad.len();
        borders.push(Moved { read, written: all.len() });
    }
    (Expected { all, borders }, errors)
}

/// Runs the kernel that replaces ill-formed sequences on each level.
fn check_replacing(levels: &[Kernels], src: &[u8], rooms: &[usize]) {
    let (expected, errors) = expected_of_replacing(src);
    let whole = expected.all.len();
    // The marks are one word for each 58 bytes. The incomplete sequence at the end, which is not an
    // error above, is marked last.
    for &kernels in levels {
        let mut marks = [0; 8];
        let looked_at = kernels.mark_errors(src, 0, &mut marks);
        assert_eq!(looked_at, src.len().min(8 * 58));
        let read = expected.within(whole).read;
        let marked = (0..looked_at.min(read)).filter(|at| marks[at / 58] >> (at % 58) & 1 == 1);
        let there = errors.iter().copied().filter(|&error| error < looked_at);
        assert!(marked.eq(there), "{}", failure("mark_errors", kernels.isa(), src, 0));
    }
    let mut dst = Vec::new();
    for room in rooms.iter().map(|room| room % (whole + 2)).chain([whole, whole + 300]) {
        let Moved { read, written } = expected.within(room);
        let count = errors.partition_point(|&error| error < read);
        let first = if count == 0 { 0 } else { errors[0] };
        for &kernels in levels {
            dst.clear();
            dst.resize(room + 8, 0xA5);
            let replaced = kernels.replace_utf8(src, &mut dst[..room]);
            let what = || failure("replace_utf8", kernels.isa(), src, room);
            assert_eq!(replaced, Replaced { read, written, errors: count, first }, "{}", what());
            assert!(dst[..written] == expected.all[..written], "{}", what());
            assert_eq!(dst[room..], [0xA5; 8], "{} wrote beyond its room", what());

            // A mender that does the same, and records the errors.
            dst.fill(0xA5);
            let mut mender = Mender(Vec::new());
            let moved = kernels.mend_utf8(src, &mut dst[..room], &mut mender);
            let what = || failure("mend_utf8", kernels.isa(), src, room);
            assert_eq!((moved.read, moved.written), (read, written), "{}", what());
            assert!(dst[..written] == expected.all[..written], "{}", what());
            assert_eq!(dst[room..], [0xA5; 8], "{} wrote beyond its room", what());
            assert!(mender.0 == errors[..count], "{}", what());

            // A patch that writes the same text.
            dst.fill(0xA5);
            let patched = kernels.patch_utf8(src, &mut dst[..room], patch());
            let what = || failure("patch_utf8", kernels.isa(), src, room);
            assert_eq!(patched.replaced, replaced, "{}", what());
            assert_eq!(patched.put, count, "{}", what());
            assert!(dst[..written] == expected.all[..written], "{}", what());
            assert_eq!(dst[room..], [0xA5; 8], "{} wrote beyond its room", what());
        }
    }
}

/// Returns U+FFFD as a patch, like any other short text.
fn patch() -> Patch {
    ErrorPolicy::ReplaceWith(Replacement::CHARACTER).hints(Engine).answer.expect("a text of three bytes")
}

/// Writes U+FFFD, and records the offsets.
struct Mender(Vec<usize>);

impl Mend for Mender {
    fn mend(&mut self, at: usize, len: usize, room: &mut TextRoom<'_>) -> Option<usize> {
        room.push("\u{FFFD}").then(|| {
            self.0.push(at);
            len
        })
    }
}

fn failure(name: &str, isa: Isa, src: &[u8], room: usize) -> String {
    let shown: Vec<_> = src.iter().take(400).map(|byte| format!("{byte:02x}")).collect();
    format!("{name} on {isa}, {} bytes, room {room}: {}", src.len(), shown.join(" "))
}

/// Runs all kernels for a text in `form` on each level.
fn check_all(levels: &[Kernels], form: In, src: &[u8], rooms: &[usize]) {
    let text = form.decode(src);
    let good: usize = text.iter().map(|(_, len)| len).sum();
    for check in CHECKS.iter().filter(|check| check.form == form) {
        for &kernels in levels {
            let found = (check.run)(kernels, src);
            assert_eq!(found, good, "{}", failure(check.name, kernels.isa(), src, 0));
        }
    }
    let mut dst = Vec::new();
    for conversion in CONVERSIONS.iter().filter(|conversion| conversion.from == form) {
        let expected = Expected::new(&text, conversion.to);
        let whole = expected.all.len();
        for room in rooms.iter().map(|room| room % (whole + 2)).chain([whole, whole + 300]) {
            let expected_moved = expected.within(room);
            for &kernels in levels {
                dst.clear();
                dst.resize(room + 8, 0xA5);
                let moved = (conversion.run)(kernels, src, &mut dst[..room]);
                let what = || failure(conversion.name, kernels.isa(), src, room);
                assert_eq!(moved, expected_moved, "{}", what());
                assert!(dst[..moved.written] == expected.all[..moved.written], "{}", what());
                assert_eq!(dst[room..], [0xA5; 8], "{} wrote beyond its room", what());
            }
        }
    }
    lengths(levels, form, src);
    if form == Utf8 {
        check_replacing(levels, src, rooms);
    }
}

/// Checks the counts and lengths of a text; for ill-formed text too they follow their descriptions.
fn lengths(levels: &[Kernels], form: In, src: &[u8]) {
    let sum = |f: &dyn Fn(u8) -> usize| src.iter().map(|&byte| f(byte)).sum::<usize>();
    match form {
        Utf8 => {
            let points = sum(&|byte| usize::from(byte & 0xC0 != 0x80));
            let units = points + sum(&|byte| usize::from(byte >= 0xF0));
            for kernels in levels {
                let what = |name| failure(name, kernels.isa(), src, 0);
                assert_eq!(kernels.count_code_points(src), points, "{}", what("count_code_points"));
                assert_eq!(kernels.utf16_len_of_utf8(src), units, "{}", what("utf16_len_of_utf8"));
                let feeds = sum(&|byte| usize::from(byte == b'\n'));
                assert_eq!(kernels.count_line_feeds(src), feeds, "{}", what("count_line_feeds"));
                let len = src.len() + sum(&|byte| usize::from(byte >= 0x80));
                assert_eq!(kernels.utf8_len_of_latin1(src), len, "{}", what("utf8_len_of_latin1"));
            }
        }
        Utf16(Little) => {
            let units: Vec<u16> = src.as_chunks().0.iter().map(|pair| u16::from_le_bytes(*pair)).collect();
            let (mut points, mut len) = (0, 0);
            for c in char::decode_utf16(units.iter().copied()) {
                points += 1;
                len += c.map_or(3, char::len_utf8);
            }
            for kernels in levels {
                let what = |name| failure(name, kernels.isa(), src, 0);
                let found = kernels.count_code_points_of_utf16(&units);
                assert_eq!(found, points, "{}", what("count_code_points_of_utf16"));
                assert_eq!(kernels.utf8_len_of_utf16le(src), len, "{}", what("utf8_len_of_utf16le"));
                let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
                assert_eq!(kernels.utf8_len_of_utf16be(&big), len, "{}", what("utf8_len_of_utf16be"));
            }
        }
        Utf32(Little) => {
            let units: Vec<u32> = src.as_chunks().0.iter().map(|four| u32::from_le_bytes(*four)).collect();
            let len: usize = units
                .iter()
                .map(|&unit| match unit {
                    0..0x80 => 1,
                    0x80..0x800 => 2,
                    0x800..0x1_0000 => 3,
                    0x1_0000.. => 4,
                })
                .sum();
            let pairs = units.iter().filter(|&&unit| unit >= 0x1_0000).count();
            for kernels in levels {
                let what = |name| failure(name, kernels.isa(), src, 0);
                assert_eq!(kernels.utf8_len_of_utf32le(src), len, "{}", what("utf8_len_of_utf32le"));
                let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
                assert_eq!(kernels.utf8_len_of_utf32be(&big), len, "{}", what("utf8_len_of_utf32be"));
                let found = kernels.utf16_len_of_utf32(&units);
                assert_eq!(found, units.len() + pairs, "{}", what("utf16_len_of_utf32"));
            }
        }
        _ => {}
    }
}

const FORMS: [In; 7] = [Ascii, Latin1, Utf8, Utf16(Little), Utf16(Big), Utf32(Little), Utf32(Big)];

/// Whether the long form of the tests is selected.
fn long() -> bool {
    std::env::var_os("PLACEMAT_LONG").is_some()
}

/// Whether the short form of the tests is selected.
fn quick() -> bool {
    std::env::var_os("PLACEMAT_QUICK").is_some()
}

/// Returns the number of rounds of a test: `usual`, fifty times that, or a tenth.
fn rounds(usual: usize) -> usize {
    if long() {
        usual * 50
    } else if quick() {
        usual / 10
    } else {
        usual
    }
}

/// Small pseudo-random numbers, the same in every run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 11
    }
    fn below(&mut self, bound: usize) -> usize {
        self.next() as usize % bound
    }
}

/// Returns a text of runs: of ASCII, of sequences of one length, or mixed.
fn random_text(numbers: &mut Numbers, code_points: usize) -> String {
    let mut text = String::new();
    let mut left = code_points;
    while left > 0 {
        let longest = if numbers.below(3) == 0 { 120 } else { 12 };
        let run = 1 + numbers.below(longest);
        let style = numbers.below(7);
        for _ in 0..run.min(left) {
            let any = numbers.next() as u32;
            let c = match style {
                0 | 1 => any % 0x80,
                2 => 0x80 + any % 0x780,
                3 => 0x80 + any % 0x80,
                4 => 0x800 + any % 0xF800,
                5 => 0x1_0000 + any % 0x10_0000,
                _ => samples::BORDERS[any as usize % samples::BORDERS.len()],
            };
            text.push(char::from_u32(c).unwrap_or('\u{D7FF}'));
        }
        left -= run.min(left);
    }
    text
}

#[test]
fn random_and_damaged_texts() {
    let rounds = rounds(100_000);
    let levels = levels();
    in_parallel(64, |part| {
        let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15 + part as u64);
        for round in 0..rounds / 64 {
            let form = FORMS[round % FORMS.len()];
            let count = numbers.below(if round % 5 == 0 { 700 } else { 150 });
            let mut src = Vec::new();
            for c in random_text(&mut numbers, count).chars() {
                form.encode(c, &mut src);
            }
            if round % 3 != 0 && !src.is_empty() {
                // Damage of one to three bytes, or a truncation.
                for _ in 0..1 + numbers.below(3) {
                    let at = numbers.below(src.len());
                    src[at] = match numbers.below(6) {
                        0 => 0x80 | numbers.next() as u8 & 0x3F,
                        1 => 0xC0 | numbers.next() as u8 & 3,
                        2 => 0xD8 | numbers.next() as u8 & 7,
                        3 => 0xF0 | numbers.next() as u8 & 15,
                        4 => 0xE0 | numbers.next() as u8 & 15,
                        _ => numbers.next() as u8,
                    };
                }
                if numbers.below(3) == 0 {
                    src.truncate(numbers.below(src.len()));
                }
            }
            // Offset from the start of the allocation, because alignment must not matter.
            let front = numbers.below(65);
            let mut padded = vec![0xF4; front];
            padded.extend_from_slice(&src);
            check_all(&levels, form, &padded[front..], &[numbers.below(4096)]);
        }
    });
}

/// Reads every string of three bytes, each at another offset of a block; the long form tries every
/// offset. The other forms use only a few ASCII bytes, and the short form only both sides of each
/// class boundary of the other bytes. Unless the run is thorough, it takes every fourth string.
#[test]
fn every_string_of_three_bytes_somewhere_in_a_block() {
    const LEN: usize = 150;
    const BLOCK: usize = 64;
    const BORDERS: [u8; 21] = [
        0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xC3, 0xC4, 0xDF, 0xE0, 0xE1, 0xED, 0xEF, 0xF0,
        0xF4, 0xF5, 0xF8, 0xFF,
    ];
    let levels = levels();
    let bytes: Vec<u8> = match (long(), quick()) {
        (true, _) => (0..=0xFF).collect(),
        (_, true) => [0, b'A', 0x7F].into_iter().chain(BORDERS).collect(),
        _ => [0, b'A', 0x7F].into_iter().chain(0x80..=0xFF).collect(),
    };
    let from_utf8: Vec<_> = CONVERSIONS.iter().filter(|conversion| conversion.from == Utf8).collect();
    // ASCII follows the three bytes, so they alone decide.
    in_parallel(bytes.len(), |first| {
        let mut src = [b'a'; LEN];
        let mut dst = [0; 4 * LEN];
        for rest in 0..bytes.len() * bytes.len() {
            if !in_turn(first + rest + rest / bytes.len(), 4) && !quick() {
                continue;
            }
            let bytes = [bytes[first], bytes[rest / bytes.len()], bytes[rest % bytes.len()]];
            let good = core::str::from_utf8(&bytes).map_or_else(|e| e.valid_up_to(), |_| LEN);
            let text = Utf8.decode(&bytes);
            let conversions =
                from_utf8.iter().map(|&conversion| (conversion, Expected::new(&text, conversion.to)));
            let conversions: Vec<_> = conversions.collect();
            let hash = (first << 16 | rest).wrapping_mul(0x9E37_79B1) >> 7;
            // The long run starts anywhere and tries every offset of a block for each string,
            // except for strings that differ from others only in which ASCII byte they have.
            // Otherwise it tries one offset.
            let ascii_apart = bytes.iter().all(|byte| !byte.is_ascii() || matches!(byte, 0 | b'A' | 0x7F));
            let places = match long() && ascii_apart {
                true => hash % (LEN - 3 - BLOCK)..hash % (LEN - 3 - BLOCK) + BLOCK,
                false => hash % (LEN - 3)..hash % (LEN - 3) + 1,
            };
            // ASCII follows them, so no sequence is incomplete.
            let followed = [bytes[0], bytes[1], bytes[2], b'a'];
            let lossy = String::from_utf8_lossy(&followed);
            let marks = lossy.matches('\u{FFFD}').count() - usize::from(bytes == *b"\xEF\xBF\xBD");
            for at in places {
                src[at..at + 3].copy_from_slice(&bytes);
                let read = if good == LEN { LEN } else { at + good };
                for &kernels in &levels {
                    assert_eq!(kernels.utf8_prefix(&src), read, "{bytes:02x?} at {at} on {}", kernels.isa());
                }
                for &kernels in &levels {
                    let replaced = kernels.replace_utf8(&src, &mut dst);
                    let what = || format!("replacing in {bytes:02x?} at {at} on {}", kernels.isa());
                    let len = LEN - 4 + lossy.len();
                    assert_eq!((replaced.read, replaced.written), (LEN, len), "{}", what());
                    assert_eq!(replaced.errors, marks, "{}", what());
                    assert_eq!(dst[at..at + lossy.len()], *lossy.as_bytes(), "{}", what());
                }
                for (conversion, Expected { all, borders }) in &conversions {
                    let unit = conversion.to.unit();
                    let kept = borders.last().copied().unwrap_or_default();
                    let rest = if kept.read == 3 { LEN - 3 - at } else { 0 };
                    let expected = Moved {
                        read: at + kept.read + rest,
                        written: at * unit + kept.written + rest * unit,
                    };
                    for &kernels in &levels {
                        let moved = (conversion.run)(kernels, &src, &mut dst);
                        let what =
                            || format!("{} of {bytes:02x?} at {at} on {}", conversion.name, kernels.isa());
                        assert_eq!(moved, expected, "{}", what());
                        assert_eq!(&dst[at * unit..at * unit + all.len()], &all[..], "{}", what());
                    }
                }
                src[at..at + 3].fill(b'a');
            }
        }
    });
}

/// Every sample at every offset, in padding of every width, with as much padding after it or none.
#[test]
fn every_border_at_every_offset() {
    let levels = levels();
    const PADDING: [char; 4] = ['a', '\u{E9}', '\u{20AC}', '\u{1F600}'];
    let mut cases = Vec::new();
    for form in FORMS {
        let mut difficult = samples::samples(form.form());
        // The border code points one by one, with only the padding around them.
        difficult.extend(samples::BORDERS.iter().map(|&c| {
            let mut bytes = Vec::new();
            form.encode(char::from_u32(c).unwrap_or('\u{FFFD}'), &mut bytes);
            bytes
        }));
        difficult.retain(|bytes| !bytes.is_empty() && bytes.len() <= 64);
        difficult.sort();
        difficult.dedup();
        cases.extend(difficult.into_iter().map(|bytes| (form, bytes)));
    }
    assert!(cases.len() > 300, "{} cases", cases.len());
    in_parallel(cases.len(), |i| {
        let (form, bytes) = &cases[i];
        for (padding, c) in PADDING.into_iter().enumerate() {
            let mut one = Vec::new();
            // One padding for each in the short form.
            if quick() && padding != i % 4 || !form.encode(c, &mut one) {
                continue;
            }
            let step = if quick() { 3 } else { 1 };
            for at in (i % step..=130 / one.len().div_ceil(form.unit())).step_by(step) {
                let before = one.repeat(at);
                let text = [&before[..], bytes].concat();
                check_all(&levels, *form, &text, &[]);
                check_all(&levels, *form, &[&text[..], &one.repeat(70)].concat(), &[at]);
            }
        }
    });
}

/// A form that differs from UTF-8 by surrogate pairs.
struct Pairs {
    /// U+0000 is two bytes, as in Modified UTF-8.
    nul: bool,
    prefix: fn(Kernels, &[u8]) -> usize,
    to_utf8: fn(Kernels, &[u8], &mut [u8]) -> Moved,
    from_utf8: fn(Kernels, &[u8], &mut [u8]) -> Moved,
}

const PAIRS: [Pairs; 2] = [
    Pairs {
        nul: false,
        prefix: |kernels, src| kernels.cesu8_prefix(src),
        to_utf8: |kernels, src, dst| kernels.cesu8_to_utf8(src, dst),
        from_utf8: |kernels, src, dst| kernels.utf8_to_cesu8(src, dst),
    },
    Pairs {
        nul: true,
        prefix: |kernels, src| kernels.mutf8_prefix(src),
        to_utf8: |kernels, src, dst| kernels.mutf8_to_utf8(src, dst),
        from_utf8: |kernels, src, dst| kernels.utf8_to_mutf8(src, dst),
    },
];

impl Pairs {
    fn encode(&self, c: char, out: &mut Vec<u8>) {
        match c {
            '\0' if self.nul => out.extend([0xC0, 0x80]),
            ..='\u{FFFF}' => assert!(Utf8.encode(c, out)),
            _ => {
                for half in c.encode_utf16(&mut [0; 2]) {
                    let [high, low] = half.to_be_bytes();
                    out.extend([0xED, 0x80 | (high & 0xF) << 2 | low >> 6, 0x80 | low & 0x3F]);
                }
            }
        }
    }

    /// Returns the code points of the longest well-formed prefix without unpaired surrogates, each
    /// with its length in bytes.
    fn decode(&self, src: &[u8]) -> Vec<(char, usize)> {
        let (mut text, mut read) = (Vec::new(), 0);
        let half = |at: usize| match src.get(at..at + 3) {
            Some(&[0xED, second @ 0xA0..=0xBF, third @ 0x80..=0xBF]) => {
                Some(0xD000 | u16::from(second & 0x3F) << 6 | u16::from(third & 0x3F))
            }
            _ => None,
        };
        loop {
            if let (Some(lead), Some(trail)) = (half(read), half(read + 3)) {
                let Some(Ok(c)) = char::decode_utf16([lead, trail]).next() else { return text };
                text.push((c, 6));
                read += 6;
                continue;
            }
            if self.nul && src[read..].starts_with(&[0xC0, 0x80]) {
                text.push(('\0', 2));
                read += 2;
                continue;
            }
            let rest = &src[read..(read + 4).min(src.len())];
            let good = core::str::from_utf8(rest).map_or_else(|e| e.valid_up_to(), str::len);
            match core::str::from_utf8(&rest[..good]).expect("well-formed up to there").chars().next() {
                Some('\0') if self.nul => return text,
                Some(c @ ..='\u{FFFF}') => text.push((c, c.len_utf8())),
                _ => return text,
            }
            read += text.last().map_or(0, |&(_, len)| len);
        }
    }

    /// Checks that the kernel stops no later than the longest prefix that fits; it may stop a
    /// little earlier.
    fn check(&self, levels: &[Kernels], src: &[u8], rooms: &[usize]) {
        let read_of = |text: &[(char, usize)]| text.iter().map(|(_, len)| len).sum::<usize>();
        let (here, there) = (self.decode(src), Utf8.decode(src));
        let (mut to_utf8, mut from_utf8) = (Vec::new(), Vec::new());
        for &(c, _) in &here {
            Utf8.encode(c, &mut to_utf8);
        }
        for &(c, _) in &there {
            self.encode(c, &mut from_utf8);
        }
        let ample = 3 * src.len() + 300;
        for &kernels in levels {
            let prefix = (self.prefix)(kernels, src);
            assert_eq!(prefix, read_of(&here), "{}", failure("prefix", kernels.isa(), src, 0));
            for (what, run, text, out) in [
                ("to UTF-8", self.to_utf8, &here, &to_utf8),
                ("from UTF-8", self.from_utf8, &there, &from_utf8),
            ] {
                for &room in rooms.iter().chain([&ample]) {
                    let mut dst = vec![0xA5; room + 8];
                    let Moved { read, written } = run(kernels, src, &mut dst[..room]);
                    let what = || failure(what, kernels.isa(), src, room);
                    assert!(room < ample || (read, written) == (read_of(text), out.len()), "{}", what());
                    assert!(written <= out.len() && dst[..written] == out[..written], "{}", what());
                    assert_eq!(dst[room..], [0xA5; 8], "{} wrote beyond its room", what());
                }
            }
        }
    }
}

/// CESU-8 and Modified UTF-8: every border at every offset of a block, in padding of every width, intact and damaged.
#[test]
fn pairs_of_surrogates() {
    let levels = levels();
    let mut difficult: Vec<Vec<u8>> = [Form::Utf8, Form::Cesu8, Form::Mutf8].map(samples::samples).concat();
    difficult.extend(samples::BORDERS.iter().map(|&c| {
        let mut bytes = Vec::new();
        PAIRS[1].encode(char::from_u32(c).unwrap_or('\u{FFFD}'), &mut bytes);
        bytes
    }));
    let pieces: [&[u8]; 12] = [
        b"\0",
        b"\xC0",
        b"\xC0\x80",
        b"\xC0\x81",
        b"\xE2\x82",
        b"\xED\xA0",
        b"\xED\xA0\x80",
        b"\xED\xA0\x80\xED\xB0",
        b"\xED\xA0\x80\xED\xA0\x80\xED\xB0\x80",
        b"\xED\xB0\x80",
        b"\xF0\x9F\x98",
        "\u{1F600}".as_bytes(),
    ];
    difficult.extend(pieces.map(<[u8]>::to_vec));
    difficult.retain(|bytes| !bytes.is_empty() && bytes.len() <= 64);
    difficult.sort();
    difficult.dedup();
    assert!(difficult.len() > 50, "{} cases", difficult.len());
    in_parallel(difficult.len(), |i| {
        for form in &PAIRS {
            for padding in ['a', '\u{E9}', '\u{20AC}', '\u{1F600}'] {
                let (mut one, mut in_utf8) = (Vec::new(), Vec::new());
                form.encode(padding, &mut one);
                Utf8.encode(padding, &mut in_utf8);
                for at in (i % 3..=130 / one.len()).step_by(if quick() { 9 } else { 3 }) {
                    for one in [&one, &in_utf8] {
                        let text = [&one.repeat(at), &difficult[i][..]].concat();
                        form.check(&levels, &text, &[]);
                        let text = [&text[..], &one.repeat(70)].concat();
                        form.check(&levels, &text, &[at, text.len()]);
                    }
                }
            }
        }
    });
    let mut numbers = Numbers(0x0CE5_0800_0CE5_0801);
    for round in 0..rounds(6_000) {
        let form = &PAIRS[round % 2];
        let mut src = Vec::new();
        let count = 1 + numbers.below(if round % 7 == 0 { 3000 } else { 150 });
        for c in random_text(&mut numbers, count).chars() {
            form.encode(c, &mut src);
        }
        for _ in 0..round % 3 {
            let at = numbers.below(src.len());
            src[at] = [0x00, 0x80, 0xA0, 0xB0, 0xBF, 0xC0, 0xED, 0xF0, b'a'][numbers.below(9)];
        }
        let front = numbers.below(65);
        let padded = [&vec![0xED; front], &src[..]].concat();
        form.check(&levels, &padded[front..], &[numbers.below(2 * src.len() + 1)]);
    }
}

/// Converts texts of every length right before and right after inaccessible memory, into output
/// right before or after such memory.
#[cfg(unix)]
#[test]
fn nothing_is_touched_outside() {
    use crate::guard::Guarded;
    let levels = levels();
    in_parallel(FORMS.len(), |i| {
        let form = FORMS[i];
        let (mut from, mut to) = (Guarded::new(4096), Guarded::new(16384));
        let mut numbers = Numbers(0x1234_5678_9ABC_DEF1 + i as u64);
        for round in 0..rounds(2000) {
            let mut text = Vec::new();
            let count = round % 260;
            for c in random_text(&mut numbers, count).chars() {
                form.encode(c, &mut text);
            }
            if round % 4 == 3 && !text.is_empty() {
                let at = numbers.below(text.len());
                text[at] = numbers.next() as u8;
            }
            for end in [true, false] {
                let src = if end { from.at_end(text.len()) } else { from.at_start(text.len()) };
                src.copy_from_slice(&text);
                let text = form.decode(src);
                let good: usize = text.iter().map(|(_, len)| len).sum();
                for check in CHECKS.iter().filter(|check| check.form == form) {
                    for &kernels in &levels {
                        let what = || failure(check.name, kernels.isa(), src, 0);
                        assert_eq!((check.run)(kernels, src), good, "{}", what());
                    }
                }
                if form == Utf8 {
                    lengths(&levels, form, src);
                    let (expected, _) = expected_of_replacing(src);
                    let whole = expected.all.len();
                    for room in [whole, whole.saturating_sub(1 + numbers.below(5)), numbers.below(whole + 1)]
                    {
                        for &kernels in &levels {
                            let dst = if end { to.at_end(room) } else { to.at_start(room) };
                            let replaced = kernels.replace_utf8(src, dst);
                            let what = || failure("replace_utf8", kernels.isa(), src, room);
                            let Moved { read, written } = expected.within(room);
                            assert_eq!((replaced.read, replaced.written), (read, written), "{}", what());
                            assert!(dst[..written] == expected.all[..written], "{}", what());
                            let moved = kernels.mend_utf8(src, dst, &mut Mender(Vec::new()));
                            let what = || failure("mend_utf8", kernels.isa(), src, room);
                            assert_eq!((moved.read, moved.written), (read, written), "{}", what());
                            assert!(dst[..written] == expected.all[..written], "{}", what());
                            let patched = kernels.patch_utf8(src, dst, patch()).replaced;
                            let what = || failure("patch_utf8", kernels.isa(), src, room);
                            assert_eq!((patched.read, patched.written), (read, written), "{}", what());
                            assert!(dst[..written] == expected.all[..written], "{}", what());
                        }
                    }
                }
                for conversion in CONVERSIONS.iter().filter(|conversion| conversion.from == form) {
                    let expected = Expected::new(&text, conversion.to);
                    let whole = expected.all.len();
                    for room in [whole, whole.saturating_sub(1 + numbers.below(5)), numbers.below(whole + 1)]
                    {
                        for &kernels in &levels {
                            let dst = if end { to.at_end(room) } else { to.at_start(room) };
                            let moved = (conversion.run)(kernels, src, dst);
                            let what = || failure(conversion.name, kernels.isa(), src, room);
                            assert_eq!(moved, expected.within(room), "{}", what());
                            assert!(dst[..moved.written] == expected.all[..moved.written], "{}", what());
                        }
                    }
                }
            }
        }
    });
}

/// Single-byte encodings: Latin and Cyrillic, one with undefined bytes whose sequences take three
/// bytes, one without ASCII, one whose letters share a high byte and do not ascend, and one whose letters
/// ascend between others.
#[test]
fn single_byte_encodings_both_ways() {
    let upper = |first: u16, step: u16| -> [u16; 256] {
        core::array::from_fn(|i| if i < 0x80 { i as u16 } else { first + step * (i as u16 - 0x80) })
    };
    let mut holes = upper(0xE00, 1);
    holes[0x80] = 0x20AC;
    holes[0x81..0x90].fill(UNDEFINED);
    let turned = core::array::from_fn(|i| (i as u16).wrapping_mul(167) & 0xFF);
    let mut mixed = upper(0x600, 3);
    for (c, byte) in mixed[0xC0..].iter_mut().zip(0xC0..) {
        *c = 0x410 + (byte ^ 0xD5) % 0x40;
    }
    let mut ascending = upper(0x600, 3);
    for (c, letter) in ascending[0xD3..0xFF].iter_mut().zip(0x3A3..) {
        *c = letter;
    }
    ascending[0xFF] = UNDEFINED;
    let encodings = [upper(0x80, 1), upper(0x400, 1), upper(0x2500, 3), holes, turned, mixed, ascending];
    let encoder_of =
        |points| -> Box<SingleByteEncoder> { Box::new(SingleByteEncoder::<[[u8; 64]; 140]>::new(points)) };
    let encoders = encodings.each_ref().map(encoder_of);
    let levels = levels();
    in_parallel(encodings.len(), |i| {
        let points = &encodings[i];
        let (decoder, units) = (SingleByteDecoder::new(points), SingleByteUnits::new(points));
        let encoder = &encoders[i];
        // Each encoding is converted to each other, and to the first code points of Latin-1.
        let to = |j: usize| encoders.get(j).map(|encoder| &**encoder);
        let maps: Vec<_> = (0..=encodings.len()).map(|j| ByteMap::new(points, to(j), 0xB0)).collect();
        assert!(maps[i].is_some());
        let mapped = |j: usize, byte: u8| {
            let point = Some(points[usize::from(byte)]).filter(|&point| point != UNDEFINED)?;
            match encodings.get(j) {
                Some(encoding) => encoding.iter().position(|&c| c == point).map(|at| at as u8),
                None => (point < 0xB0).then_some(point as u8),
            }
        };
        let mut numbers = Numbers(0xA076_1D64_78BD_642F + i as u64);
        for round in 0..rounds(3000) {
            // Runs of each half, and in every third text any byte, so that undefined bytes come
            // early there.
            let mut src = Vec::new();
            for _ in 0..numbers.below(20) {
                let (low, count) = (numbers.below(2) == 0, 1 + numbers.below(40));
                src.extend((0..count).map(|_| numbers.next() as u8 & 0x7F | if low { 0 } else { 0x80 }));
            }
            if round % 2 == 0 {
                // Few bytes from 80 to C0, as between letters.
                let is_letter = |byte: u8| !(0x80..0xC0).contains(&byte);
                src.retain(|&byte| is_letter(byte) || numbers.below(8) == 0);
            }
            if round % 3 != 0 {
                src.retain(|&byte| points[usize::from(byte)] != UNDEFINED);
            }
            let mut text = Vec::new();
            for &byte in &src {
                let point = points[usize::from(byte)];
                match char::from_u32(point.into()) {
                    Some(c) if point != UNDEFINED => text.push((c, 1)),
                    _ => break,
                }
            }
            let expected = Expected::new(&text, Utf8);
            let mut dst = vec![0; expected.all.len() + 100];
            for room in [dst.len(), numbers.below(expected.all.len() + 1)] {
                for &kernels in &levels {
                    let moved = kernels.single_byte_to_utf8(&decoder, &src, &mut dst[..room]);
                    let what = || failure("single_byte_to_utf8", kernels.isa(), &src, room);
                    assert_eq!(moved, expected.within(room), "encoding {i}: {}", what());
                    assert!(dst[..moved.written] == expected.all[..moved.written], "{}", what());
                }
            }
            // The reverse conversion, with a code point that the encoding cannot represent, with an
            // ill-formed sequence, or with neither.
            let mut utf8 = expected.all;
            let whole = utf8.len();
            utf8.extend_from_slice([&b""[..], b"\xF0\x9F\x98\x80.", b"\xC3."][round % 3]);
            let borders = &expected.borders;
            for room in [dst.len(), numbers.below(text.len() + 1)] {
                let taken = borders.len().min(room);
                let read = taken.checked_sub(1).map_or(0, |last| borders[last].written);
                for &kernels in &levels {
                    let moved = kernels.utf8_to_single_byte(encoder, &utf8, &mut dst[..room]);
                    let what = || failure("utf8_to_single_byte", kernels.isa(), &utf8, room);
                    assert_eq!(moved, Moved { read, written: taken }, "encoding {i}, {whole}: {}", what());
                    assert!(dst[..taken] == src[..taken], "{}", what());
                }
            }
            for (form, big) in [(Utf16(Little), false), (Utf16(Big), true)] {
                let expected = Expected::new(&text, form);
                let mut utf16 = expected.all.clone();
                for c in ["", "\u{1F600}.", "\u{FFFD}."][round % 3].chars() {
                    assert!(form.encode(c, &mut utf16));
                }
                let mut dst = vec![0; expected.all.len() + 100];
                for room in [dst.len(), numbers.below(expected.all.len() + 1)] {
                    for &kernels in &levels {
                        let moved = kernels.single_byte_to_utf16(&units, big, &src, &mut dst[..room]);
                        let what = || failure("single_byte_to_utf16", kernels.isa(), &src, room);
                        assert_eq!(moved, expected.within(room), "encoding {i}: {}", what());
                        assert!(dst[..moved.written] == expected.all[..moved.written], "{}", what());
                        let moved = kernels.utf16_to_single_byte(encoder, big, &utf16, &mut dst[..room]);
                        let what = || failure("utf16_to_single_byte", kernels.isa(), &utf16, room);
                        let taken = text.len().min(room);
                        assert_eq!(
                            moved,
                            Moved { read: 2 * taken, written: taken },
                            "encoding {i}: {}",
                            what()
                        );
                        assert!(dst[..taken] == src[..taken], "{}", what());
                    }
                }
            }
            for (j, map) in maps.iter().enumerate() {
                let Some(map) = map else { continue };
                let expected: Vec<u8> = src.iter().map_while(|&byte| mapped(j, byte)).collect();
                for room in [dst.len(), numbers.below(expected.len() + 1)] {
                    for &kernels in &levels {
                        let moved = kernels.map_bytes(map, &src, &mut dst[..room]);
                        let what = || failure("map_bytes", kernels.isa(), &src, room);
                        let taken = expected.len().min(room);
                        assert_eq!(moved, Moved { read: taken, written: taken }, "{i} to {j}: {}", what());
                        assert!(dst[..taken] == expected[..taken], "{}", what());
                    }
                }
            }
        }
    });
}

/// Tests the kernel that marks code points with unusual neighbors, Latin letters, and ampersands.
/// Words of one script are calm, mojibake is not, only lead bytes are marked as restless, and all
/// levels mark alike, wherever a text begins.
#[test]
fn restless_code_points() {
    let levels = levels();
    let marked = |kernels: Kernels, src: &[u8], at: usize| -> Vec<usize> {
        let mut signs = vec![[0; 3]; src.len() / 64 + 2];
        let blocks = kernels.mark_repair_candidates(src, at, &mut signs);
        assert_eq!(
            blocks,
            (src.len() - at).div_ceil(64),
            "{}",
            failure("mark_repair_candidates", kernels.isa(), src, at)
        );
        let is = |kind: usize, place: usize| signs[(place - at) / 64][kind] >> ((place - at) % 64) & 1 == 1;
        for place in at..src.len() {
            let isa = kernels.isa();
            assert_eq!(
                is(1, place),
                matches!(src[place], 0xC3..=0xC5),
                "{}",
                failure("latin", isa, src, place)
            );
            assert_eq!(is(2, place), src[place] == b'&', "{}", failure("ampersand", isa, src, place));
        }
        (at..src.len()).filter(|&place| is(0, place)).collect()
    };
    for &kernels in &levels {
        for calm in ["plain text", "un café à la crème", "широкая электрификация южных губерний", "ξεσκεπάζω"]
        {
            assert!(marked(kernels, calm.as_bytes(), 0).is_empty(), "{calm}, {}", kernels.isa());
        }
        for restless in ["un cafÃ© noir", "Ð¿Ñ€Ð¸Ð²ÐµÑ‚", "РїСЂРёРІРµС‚ вЂ“", "Î±Î²Î³"]
        {
            assert!(!marked(kernels, restless.as_bytes(), 0).is_empty(), "{restless}, {}", kernels.isa());
        }
    }
    let pieces = [
        "a word. ",
        "é",
        "Ã©",
        "žů & ",
        "ế",
        "Şa",
        "ượ c",
        "к",
        "слово ",
        "РѕС",
        "λόγος ",
        "日本",
        "“",
        "\u{85}",
        "한국 ",
        "😀",
        "ไทย",
        "\n",
        "Ð",
    ];
    in_parallel(16, |part| {
        let mut numbers = Numbers(0x9FB2_1C65_1E98_DF25 + part as u64);
        for _ in 0..rounds(400) {
            let count = 1 + numbers.below(60);
            let text: String = (0..count).map(|_| pieces[numbers.below(pieces.len())]).collect();
            let src = text.as_bytes();
            let (portable, others) = levels.split_first().expect("the portable level is there");
            let expected = marked(*portable, src, 0);
            for &place in &expected {
                assert!(src[place] >= 0xC2 && text.is_char_boundary(place), "{place} in {text:?}");
            }
            let at = numbers.below(src.len());
            for &kernels in others {
                assert_eq!(
                    marked(kernels, src, 0),
                    expected,
                    "{}",
                    failure("mark_repair_candidates", kernels.isa(), src, 0)
                );
                let later: Vec<usize> = expected.iter().copied().filter(|&place| place >= at).collect();
                assert_eq!(
                    marked(kernels, src, at),
                    later,
                    "{}",
                    failure("mark_repair_candidates", kernels.isa(), src, at)
                );
            }
        }
    });
}

/// Counts are small and weights are halves, so that every sum is exact, in whichever order it is made.
#[test]
fn rows_are_summed_with_their_weights() {
    let mut seed = 3_u32;
    let mut below = |limit: u32| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 16) % limit
    };
    let rows: Vec<[u16; 16]> = (0..40).map(|_| core::array::from_fn(|_| below(600) as u16)).collect();
    for count in (0..20).chain([100]) {
        let weighted: Vec<(u32, u32)> = (0..count).map(|_| (below(40), below(9))).collect();
        let expected: Vec<u32> = (0..16)
            .map(|lane| {
                weighted.iter().map(|&(row, halves)| halves * u32::from(rows[row as usize][lane])).sum()
            })
            .collect();
        let weighted: Vec<(u32, f32)> =
            weighted.into_iter().map(|(row, halves)| (row, halves as f32 / 2.0)).collect();
        for kernels in levels() {
            let sums = kernels.sum_rows(&rows, &weighted);
            assert!(
                sums.iter().zip(&expected).all(|(&sum, &own)| sum * 2.0 == own as f32),
                "{}",
                kernels.isa()
            );
        }
    }
}

#[test]
fn units_are_swapped_and_parts_of_units_stay() {
    for len in (0..300).chain([4096]) {
        let bytes: Vec<u8> = (0..len).map(|i| (i * 7 % 251) as u8).collect();
        let swapped = |size: usize| -> Vec<u8> {
            let unit = |unit: &[u8]| -> Vec<u8> {
                if unit.len() == size { unit.iter().rev().copied().collect() } else { unit.to_vec() }
            };
            bytes.chunks(size).flat_map(unit).collect()
        };
        for kernels in levels() {
            let (mut units16, mut units32) = (bytes.clone(), bytes.clone());
            assert_eq!((kernels.swap16(&mut units16), kernels.swap32(&mut units32)), (len, len));
            assert_eq!((units16, units32), (swapped(2), swapped(4)), "{} {len}", kernels.isa());
        }
    }
}

/// Every kernel is in the lists of this file.
#[test]
fn every_kernel_is_tested() {
    let source = include_str!("../../../placemat-core/src/kernels/dispatch.rs");
    let list = source.split_once("\nkernels! {\n").and_then(|(_, rest)| rest.split_once("\n}\n"));
    let (list, _) = list.expect("the list of kernels is in dispatch.rs");
    let name = |line: &'static str| line.strip_prefix("    ")?.split_once('(').map(|(name, _)| name);
    let identifier =
        |name: &&str| name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
    let names: Vec<&str> = list.lines().filter_map(name).filter(identifier).collect();
    assert!(names.len() >= 50, "{names:?}");
    let tests = include_str!("kernels.rs");
    for name in names {
        let (row, call) = (format!("    {name}: "), format!(".{name}("));
        assert!(tests.contains(&row) || tests.contains(&call), "{name} is not tested here");
    }
}

#[test]
fn padding_and_forms_are_those_of_the_oracle() {
    // The plain conversions here and the oracle of the suite share no code; where both apply, they agree.
    let text: Vec<u32> = samples::BORDERS.iter().copied().filter(|&c| char::from_u32(c).is_some()).collect();
    for form in FORMS {
        let mut bytes = Vec::new();
        for &c in &text {
            form.encode(char::from_u32(c).expect("surrogates are left out"), &mut bytes);
        }
        let expected = oracle::encode(form.form(), &text, Unmappable::Ignore).bytes;
        assert_eq!(bytes, expected, "{form:?}");
    }
}
