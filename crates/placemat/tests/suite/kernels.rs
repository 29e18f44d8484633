//! Every kernel on every level that the machine has, against plain conversions by the standard library's `char`s.
//!
//! A kernel takes the longest prefix that is well-formed, that the target can hold, and that fits; so what it should do
//! is known for any input and any room.

use crate::oracle::{self, Form, Order, Unmappable};
use crate::samples;
use crate::subject::in_parallel;
use placemat::Isa;
use placemat::internals::{Kernels, Moved};

/// What a text is written in.
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
    /// The code points of the longest well-formed prefix, each with how many bytes it takes.
    fn decode(self, src: &[u8]) -> Vec<(char, usize)> {
        match self {
            Ascii => src.iter().take_while(|byte| byte.is_ascii()).map(|&byte| (byte.into(), 1)).collect(),
            Latin1 => src.iter().map(|&byte| (byte.into(), 1)).collect(),
            Utf8 => {
                let good = core::str::from_utf8(src).map_or_else(|e| e.valid_up_to(), str::len);
                let text = core::str::from_utf8(&src[..good]).expect("it is valid up to there");
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

    /// Writes a code point; `false` if it cannot be held.
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

/// A kernel that finds how far a text is well-formed.
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
};

/// The kernels of every level.
fn levels() -> Vec<Kernels> {
    let all: Vec<_> = Isa::available().filter_map(Kernels::of).collect();
    assert!(all.iter().any(|kernels| kernels.isa() == Isa::Portable));
    all
}

/// What a conversion makes of a text: how many bytes it reads, and what it writes.
fn expected(from: In, to: In, src: &[u8], room: usize) -> (usize, Vec<u8>) {
    let (mut read, mut out) = (0, Vec::new());
    for (c, len) in from.decode(src) {
        let before = out.len();
        if !to.encode(c, &mut out) || out.len() > room {
            out.truncate(before);
            break;
        }
        read += len;
    }
    (read, out)
}

fn failure(name: &str, isa: Isa, src: &[u8], room: usize) -> String {
    let shown: Vec<_> = src.iter().take(400).map(|byte| format!("{byte:02x}")).collect();
    format!("{name} on {isa}, {} bytes, room {room}: {}", src.len(), shown.join(" "))
}

/// Runs everything there is for a text in `form` on each level.
fn check_all(levels: &[Kernels], form: In, src: &[u8], rooms: &[usize]) {
    let good: usize = form.decode(src).iter().map(|(_, len)| len).sum();
    for check in CHECKS.iter().filter(|check| check.form == form) {
        for &kernels in levels {
            let found = (check.run)(kernels, src);
            assert_eq!(found, good, "{}", failure(check.name, kernels.isa(), src, 0));
        }
    }
    for conversion in CONVERSIONS.iter().filter(|conversion| conversion.from == form) {
        let (all_read, all) = expected(form, conversion.to, src, usize::MAX);
        for room in rooms.iter().map(|room| room % (all.len() + 2)).chain([all.len(), all.len() + 300]) {
            let (read, out) = if room >= all.len() {
                (all_read, &all[..])
            } else {
                let (read, out) = expected(form, conversion.to, src, room);
                (read, &all[..out.len()])
            };
            for &kernels in levels {
                let mut dst = vec![0xA5; room + 8];
                let moved = (conversion.run)(kernels, src, &mut dst[..room]);
                let what = || failure(conversion.name, kernels.isa(), src, room);
                assert_eq!(moved, Moved { read, written: out.len() }, "{}", what());
                assert_eq!(&dst[..out.len()], out, "{}", what());
                assert_eq!(&dst[room..], [0xA5; 8], "{} wrote beyond its room", what());
            }
        }
    }
    lengths(levels, form, src);
}

/// The counts and lengths of a text, as their descriptions say for ill-formed text too.
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
                assert_eq!(kernels.utf8_len_of_utf16(&units), len, "{}", what("utf8_len_of_utf16"));
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
            for kernels in levels {
                let what = failure("utf8_len_of_utf32", kernels.isa(), src, 0);
                assert_eq!(kernels.utf8_len_of_utf32(&units), len, "{what}");
            }
        }
        _ => {}
    }
}

const FORMS: [In; 7] = [Ascii, Latin1, Utf8, Utf16(Little), Utf16(Big), Utf32(Little), Utf32(Big)];

/// Whether the long form of a test is asked for.
fn long() -> bool {
    std::env::var_os("PLACEMAT_LONG").is_some()
}

/// Small numbers that are the same in each run.
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

/// A text of runs: of ASCII, of one length of sequence, or of everything mixed.
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
    let rounds = if long() { 4_000_000 } else { 60_000 };
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
                // One to three bytes of damage, or a cut.
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
            // Not always at the start of an allocation: alignment is not to matter.
            let front = numbers.below(65);
            let mut padded = vec![0xF4; front];
            padded.extend_from_slice(&src);
            check_all(&levels, form, &padded[front..], &[numbers.below(4096)]);
        }
    });
}

#[test]
fn every_string_of_three_bytes_somewhere_in_a_block() {
    let levels = levels();
    const LEN: usize = 150;
    // What follows the three bytes is ASCII, so what they are decides alone.
    in_parallel(256, |first| {
        let mut src = [b'a'; LEN];
        let mut dst = [0; 4 * LEN];
        for rest in 0..0x1_0000usize {
            let bytes = [first as u8, (rest >> 8) as u8, rest as u8];
            let good = match core::str::from_utf8(&bytes) {
                Ok(_) => LEN,
                Err(e) => e.valid_up_to(),
            };
            let text = core::str::from_utf8(&bytes[..good.min(3)]).expect("it is good up to there");
            // Another place for each string; every place for each in the long form.
            let hash = (first << 16 | rest).wrapping_mul(0x9E37_79B1);
            let places =
                if long() { 0..LEN - 3 } else { (hash >> 7) % (LEN - 3)..(hash >> 7) % (LEN - 3) + 1 };
            for at in places {
                src[at..at + 3].copy_from_slice(&bytes);
                let read = if good == LEN { LEN } else { at + good };
                for &kernels in &levels {
                    assert_eq!(kernels.utf8_prefix(&src), read, "{bytes:02x?} at {at} on {}", kernels.isa());
                }
                for conversion in CONVERSIONS.iter().filter(|conversion| conversion.from == Utf8) {
                    let held = |c: &char| conversion.to != Latin1 || u32::from(*c) < 0x100;
                    let mut out = Vec::with_capacity(16);
                    let kept: usize = text
                        .chars()
                        .take_while(held)
                        .inspect(|&c| _ = conversion.to.encode(c, &mut out))
                        .map(char::len_utf8)
                        .sum();
                    let (read, written) = if good == LEN && kept == 3 {
                        (LEN, (LEN - 3) * conversion.to.unit() + out.len())
                    } else {
                        (at + kept, at * conversion.to.unit() + out.len())
                    };
                    for &kernels in &levels {
                        let moved = (conversion.run)(kernels, &src, &mut dst);
                        let what =
                            || format!("{} of {bytes:02x?} at {at} on {}", conversion.name, kernels.isa());
                        assert_eq!(moved, Moved { read, written }, "{}", what());
                        let from = at * conversion.to.unit();
                        assert_eq!(&dst[from..from + out.len()], &out[..], "{}", what());
                    }
                }
                src[at..at + 3].fill(b'a');
            }
        }
    });
}

/// Every sample at every offset, in padding of every width, with as much after it or nothing.
#[test]
fn every_border_at_every_offset() {
    let levels = levels();
    const PADDING: [char; 4] = ['a', '\u{E9}', '\u{20AC}', '\u{1F600}'];
    let mut cases = Vec::new();
    for form in FORMS {
        let mut difficult = samples::samples(form.form());
        // The border code points one by one: what is around them is the padding.
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
        for c in PADDING {
            let mut one = Vec::new();
            if !form.encode(c, &mut one) {
                continue;
            }
            for at in 0..=130 / one.len().div_ceil(form.unit()) {
                let before = one.repeat(at);
                let text = [&before[..], bytes].concat();
                check_all(&levels, *form, &text, &[]);
                check_all(&levels, *form, &[&text[..], &one.repeat(70)].concat(), &[at]);
            }
        }
    });
}

/// Texts of every length right before and right after memory that cannot be touched, to room of the same kind.
#[cfg(unix)]
#[test]
fn nothing_is_touched_outside() {
    use crate::guard::Guarded;
    let levels = levels();
    in_parallel(FORMS.len(), |i| {
        let form = FORMS[i];
        let (mut from, mut to) = (Guarded::new(4096), Guarded::new(16384));
        let mut numbers = Numbers(0x1234_5678_9ABC_DEF1 + i as u64);
        for round in 0..if long() { 20_000 } else { 400 } {
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
                for check in CHECKS.iter().filter(|check| check.form == form) {
                    let good: usize = form.decode(src).iter().map(|(_, len)| len).sum();
                    for &kernels in &levels {
                        assert_eq!((check.run)(kernels, src), good, "{}", check.name);
                    }
                }
                if form == Utf8 {
                    lengths(&levels, form, src);
                }
                for conversion in CONVERSIONS.iter().filter(|conversion| conversion.from == form) {
                    let whole = expected(form, conversion.to, src, usize::MAX).1.len();
                    for room in [whole, whole.saturating_sub(1 + numbers.below(5)), numbers.below(whole + 1)]
                    {
                        let (read, out) = expected(form, conversion.to, src, room);
                        for &kernels in &levels {
                            let dst = if end { to.at_end(room) } else { to.at_start(room) };
                            let moved = (conversion.run)(kernels, src, dst);
                            let what = || failure(conversion.name, kernels.isa(), src, room);
                            assert_eq!(moved, Moved { read, written: out.len() }, "{}", what());
                            assert_eq!(&dst[..out.len()], &out[..], "{}", what());
                        }
                    }
                }
            }
        }
    });
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
