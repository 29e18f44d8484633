//! Exhaustive tests of small sets: every code point in every form and encoding, every string of up to three bytes,
//! every 16-bit unit.
//!
//! A thorough run covers the whole sets. Without `PLACEMAT_THOROUGH` or `PLACEMAT_LONG`, each test
//! takes a part, in which every class of bytes meets every form and every policy.
//!
//! The strings of three bytes are read under every span rule. Verdict, spans, codes and the text
//! with U+FFFD must equal those of the oracle (and of `core::str` for UTF-8). The other policies
//! meet every string of two bytes, and the strings of three and four bytes with one byte of each
//! class at each position.

use crate::data::hex;
use crate::oracle::{self, Conversion, Fault, Form, Mode, Order, Policy, Span, Step, Unmappable};
use crate::subject::{
    Be, Bocu1, Cesu8, Cesu8Mixed, EachByteForm, FssUtf1992, I8, Imap, JavaUtf, Le, ModifiedUtf8, Native,
    Pair, PerlUtf8, Plan, Scsu, TclUtf8, Tested, Ucs2, Ucs4, Unit, Utf1, Utf7, Utf7Strict, Utf8, Utf8Bits31,
    Utf8Mb3, Utf16, UtfEbcdic, Wtf8, any_machine, check, drive, each_form, encodings, error_policy, expected,
    fault, form, in_parallel, in_turn, is_tried, long, policies, static_machine, thorough,
    with_each_byte_form,
};
use placemat::stream::{FormTranscoder, Status};
use placemat::{Encoding, ErrorPolicy, UnmappablePolicy, utf8};

/// Returns every code point of Unicode, surrogates included, and some beyond.
fn all_code_points() -> Vec<u32> {
    let beyond = (21..31).flat_map(|bit| [(1 << bit) - 1, 1 << bit, (1 << bit) + 0x1234]);
    (0..=0x10_FFFF).filter(|&c| is_tried(c)).chain([0x11_0000]).chain(beyond).chain([0x7FFF_FFFF]).collect()
}

/// Returns the text as a form reads it that joins a leading surrogate and the trailing surrogate
/// after it into one code point.
fn joined(text: &[u32]) -> Vec<u32> {
    let mut out: Vec<u32> = Vec::new();
    for &c in text {
        match (out.last_mut(), c) {
            (Some(lead @ 0xD800..=0xDBFF), 0xDC00..=0xDFFF) => {
                *lead = 0x1_0000 + (*lead - 0xD800) * 0x400 + (c - 0xDC00);
            }
            _ => out.push(c),
        }
    }
    out
}

/// Writes every code point with `T`, in one text and alone, and reads each back.
fn round_trip<T: Tested>() {
    written_and_read(&Pair::of::<Ucs4<Native>, T>(), &Pair::of::<T, Ucs4<Native>>());
}

fn written_and_read<U: Unit>(writer: &Pair<u32, U>, reader: &Pair<U, u32>) {
    let (form, name) = (writer.to, &writer.name);
    let all = all_code_points();
    let policies = (Policy::Stop, Span::Maximal, Unmappable::Strict);
    let what = || format!("every code point, {name}");
    let pieces: Vec<_> = all.chunks(0x1000).collect();
    in_parallel(pieces.len(), |i| {
        let text = pieces[i];
        let to = (writer.machine)(policies.0, policies.1, policies.2, false);
        let from = (reader.machine)(policies.0, policies.1, policies.2, false);
        let written = writer.expected(text, policies);
        check(&what, &*to, text, &Plan::whole(), &written);
        let held: Vec<u32> = text.iter().copied().filter(|&c| oracle::holds(form, c).is_ok()).collect();
        assert_eq!(written.troubles.len(), text.len() - held.len(), "{}", what());
        let together = if form.joins_pairs() { joined(&held) } else { held.clone() };
        let units = U::from_bytes(&written.bytes);
        // One piece and two pieces use both the kernels and the steps between them.
        for plan in [Plan::whole(), Plan::cut(&[units.len() / 3])] {
            let read = drive(&mut *from.boxed(), &units, &plan);
            assert_eq!((read.troubles.len(), read.out == together), (0, true), "{} read back", what());
        }
        let mut buffer = [U::default(); 16];
        let mut code_point = [0; 4];
        for &c in &held {
            let p = to.boxed().convert(&[c], &mut buffer, true);
            assert_eq!((p.read, p.status), (1, Status::Done), "U+{c:04X}, {name}");
            let alone = &buffer[..p.written];
            let bytes = oracle::encode(form, &[c], Unmappable::Strict).bytes;
            assert_eq!(U::to_bytes(alone), bytes, "U+{c:04X}, {name}");
            // A lone U+FEFF is not a signature here: the encoder writes a signature before it.
            let p = from.boxed().convert(alone, &mut code_point, true);
            assert_eq!((p.written, p.status), (1, Status::Done), "U+{c:04X}, {name}");
            assert_eq!(code_point[0], c, "{name}");
        }
    });
}

#[test]
fn every_code_point_in_every_form() {
    each_form!(round_trip);
}

#[test]
fn every_code_point_in_every_encoding() {
    let all = all_code_points();
    let source = oracle::encode(Form::Ucs4(Order::Little), &all, Unmappable::Strict).bytes;
    let encodings = encodings();
    in_parallel(encodings.len(), |i| {
        let encoding = encodings[i];
        let what = || format!("every code point in {encoding}");
        let policies = (Policy::Stop, Span::Maximal, Unmappable::Ignore);
        let writer = any_machine(Encoding::UCS_4LE, encoding, policies);
        let reader = any_machine(encoding, Encoding::UCS_4LE, policies);
        let (policy, span, unmappable) = policies;
        let (from, to) = (Form::Ucs4(Order::Little), form(encoding));
        let written = Conversion { from, span, policy, to, unmappable }.run(&source);
        check(&what, &writer, &source, &Plan::cut(&[source.len() / 4 + 3]), &written);
        let (from, to) = (to, from);
        let read = Conversion { from, span, policy, to, unmappable }.run(&written.bytes);
        check(&what, &reader, &written.bytes, &Plan::cut(&[written.bytes.len() / 3]), &read);
        let held = all.iter().filter(|&&c| oracle::holds(form(encoding), c).is_ok()).count();
        // U+DBFF and U+DC00 are adjacent.
        let held = held - usize::from(form(encoding).joins_pairs());
        assert_eq!(read.bytes.len(), 4 * held, "{}", what());
    });
}

/// The steps of the oracle at each of the first bytes of a string, computed once for all strings with one ending.
struct Steps {
    form: Form,
    /// The steps at one or two bytes before the end.
    last: Vec<Step>,
    last_two: Vec<Step>,
}

impl Steps {
    fn new(form: Form) -> Self {
        let step = |bytes: &[u8]| oracle::step(form, bytes, Mode::Strict);
        Self {
            form,
            last: (0..=0xFF).map(|a| step(&[a])).collect(),
            last_two: (0..=0xFFFF_u16).map(|ab| step(&ab.to_be_bytes())).collect(),
        }
    }

    /// Returns the step at each byte of a string of three bytes.
    fn of(&self, bytes: [u8; 3]) -> [Step; 3] {
        let [_, b, c] = bytes;
        [
            oracle::step(self.form, &bytes, Mode::Strict),
            self.last_two[usize::from(u16::from_be_bytes([b, c]))],
            self.last[usize::from(c)],
        ]
    }
}

/// Writes the errors of a string of three bytes to `faults`, and its text with U+FFFD for each
/// error to `text`.
fn read(
    form: Form,
    bytes: &[u8; 3],
    steps: &[Step; 3],
    span: Span,
    faults: &mut Vec<Fault>,
    text: &mut Vec<u32>,
) {
    faults.clear();
    text.clear();
    let mut start = 0;
    while start < bytes.len() {
        match steps[start] {
            Step::CodePoint { value, len } => {
                text.push(value);
                start += len;
            }
            Step::Error { len, kind } => {
                let end = start + oracle::span_len(form, &bytes[start..], span, len);
                faults.push(Fault { start, end, kind });
                text.push(0xFFFD);
                start = end;
            }
        }
    }
}

/// A run that is not thorough reads one of this many strings of three bytes.
const PART: usize = 12;

/// Reads all strings of three of these bytes, in the forms whose code units divide them. Unless the
/// run is thorough, it takes one of [`PART`] strings, and reads it by one of the span rules in
/// turn.
fn three_bytes<F: Tested<Unit = u8>>(bytes: &[u8], spans: &[Span]) {
    let steps = Steps::new(F::FORM);
    let new = |policy, span| FormTranscoder::<F, Ucs4<Native>>::new().on_error(error_policy(policy, span));
    let count = bytes.len();
    in_parallel(count, |first| {
        let (mut faults, mut text) = (Vec::new(), Vec::new());
        let (mut found, mut out) = (Vec::new(), [0; 64]);
        for rest in 0..count * count {
            let bytes = [bytes[first], bytes[rest / count], bytes[rest % count]];
            let steps = steps.of(bytes);
            for (i, &span) in spans.iter().enumerate() {
                if !in_turn(first + rest + rest / count + i, PART * spans.len()) {
                    continue;
                }
                read(F::FORM, &bytes, &steps, span, &mut faults, &mut text);
                let mut stopping = new(Policy::Stop, span);
                found.clear();
                let mut at = 0;
                loop {
                    let p = stopping.convert(&bytes[at..], &mut out, true);
                    at += p.read;
                    match p.status {
                        Status::Done => break,
                        Status::IllFormed(e) => {
                            found.push(fault(&e, 1));
                            assert_eq!(at, found[found.len() - 1].end, "{} {span:?}", hex(&bytes));
                        }
                        other => panic!("{other:?} {} {span:?}", hex(&bytes)),
                    }
                }
                assert_eq!(found, faults, "{} {} {span:?}", F::name(), hex(&bytes));
                let p = new(Policy::FFFD, span).convert(&bytes, &mut out, true);
                assert_eq!((p.read, p.status), (3, Status::Done), "{} {span:?}", hex(&bytes));
                assert!(out[..p.written] == text, "{} {} {span:?}", F::name(), hex(&bytes));
            }
        }
    });
}

/// The 256 byte values.
const ALL: &[u8] = &{
    let mut all = [0; 256];
    let mut i = 0;
    while i < all.len() {
        all[i] = i as u8;
        i += 1;
    }
    all
};

/// Returns every byte; unless the run is long, only a few ASCII bytes: for forms in which ASCII is
/// literal everywhere.
fn beyond_ascii() -> Vec<u8> {
    let kept = |byte: &u8| !byte.is_ascii() || matches!(byte, 0 | b'A' | 0x7F) || long();
    ALL.iter().copied().filter(kept).collect()
}

#[test]
fn every_utf8_string_of_three_bytes() {
    let bytes = if thorough() { ALL } else { &beyond_ascii() };
    three_bytes::<Utf8>(bytes, &Span::ALL);
}

#[test]
fn every_string_of_three_bytes_in_the_relatives_of_utf8() {
    let bytes = &beyond_ascii();
    three_bytes::<Utf8Mb3>(bytes, &[Span::Maximal, Span::Structural]);
    three_bytes::<Cesu8>(bytes, &[Span::Maximal, Span::Structural]);
    three_bytes::<Cesu8Mixed>(bytes, &[Span::Maximal]);
    three_bytes::<ModifiedUtf8>(bytes, &[Span::Maximal, Span::Structural]);
    three_bytes::<JavaUtf>(bytes, &[Span::Maximal, Span::Byte]);
    three_bytes::<TclUtf8>(bytes, &[Span::Maximal]);
    three_bytes::<Wtf8>(bytes, &[Span::Maximal, Span::Structural]);
    three_bytes::<Utf8Bits31>(bytes, &[Span::Maximal, Span::Lead]);
    three_bytes::<PerlUtf8>(bytes, &[Span::Maximal]);
    three_bytes::<FssUtf1992>(bytes, &[Span::Maximal, Span::Byte]);
    three_bytes::<Utf1>(if thorough() { ALL } else { bytes }, &[Span::Maximal]);
}

/// The two halves of a surrogate pair, by class of each byte, and the code units that can replace
/// the second or follow it.
#[test]
fn strings_of_two_surrogates_under_every_policy() {
    let strings = |first: usize| {
        let a = [0xA0, 0xAF, 0xB0, 0xBF][first];
        let mut all = Vec::new();
        for second in [0x41, 0x80, 0xC3, 0xED, 0xF0] {
            for third in [0x41, 0x9F, 0xA0, 0xAF, 0xB0, 0xBF, 0xED] {
                for fourth in [0x41, 0x80, 0xBF, 0xED] {
                    all.push(vec![0xED, a, 0x80, second, third, fourth]);
                    all.push(vec![0xED, a, 0x80, second, third, fourth, 0xED, 0xB0, 0x80]);
                }
                all.push(vec![0xED, a, 0x80, second, third]);
            }
            all.push(vec![0xED, a, 0x80, second]);
        }
        all
    };
    every_policy::<Cesu8>(&strings, 4);
    every_policy::<Cesu8Mixed>(&strings, 4);
    every_policy::<ModifiedUtf8>(&strings, 4);
    every_policy::<JavaUtf>(&strings, 4);
    every_policy::<TclUtf8>(&strings, 4);
    every_policy::<Wtf8>(&strings, 4);
}

#[test]
fn every_utf16_string_of_three_bytes() {
    // A high byte of each kind, and every third of all others.
    let kept = |byte: &u8| in_turn((*byte).into(), 3) || (0xD7..=0xE0).contains(byte);
    let bytes: Vec<u8> = ALL.iter().copied().filter(kept).collect();
    three_bytes::<Utf16<Be>>(&bytes, &[Span::Maximal, Span::Byte]);
    three_bytes::<Utf16<Le>>(&bytes, &[Span::Maximal]);
}

/// Reads strings of three bytes from the start of a text to the end, and continues after each error; the third byte is
/// one of `thirds`.
fn three_bytes_from_the_start<F: Tested<Unit = u8>>(thirds: &[u8]) {
    in_parallel(256, |first| {
        let mut out = [0; 64];
        for second in 0..=0xFF {
            for &third in thirds {
                let bytes = [first as u8, second, third];
                let expected = oracle::decode(F::FORM, &bytes, Span::Maximal, Policy::FFFD);
                let text: String = expected.text.iter().filter_map(|&c| char::from_u32(c)).collect();
                let what = || format!("{} {}", F::name(), hex(&bytes));
                let (d, u) = (ErrorPolicy::Replace, UnmappablePolicy::Stop);
                let p = FormTranscoder::<F, Utf8>::new()
                    .on_error(d)
                    .on_unmappable(u)
                    .convert(&bytes, &mut out, true);
                assert_eq!((p.read, p.status), (3, Status::Done), "{}", what());
                assert!(&out[..p.written] == text.as_bytes(), "{}: {:x?}", what(), &out[..p.written]);
                if expected.faults.is_empty() {
                    continue;
                }
                let mut stopping = FormTranscoder::<F, Utf8>::new().on_unmappable(u);
                let (mut at, mut found) = (0, Vec::new());
                loop {
                    let p = stopping.convert(&bytes[at..], &mut out, true);
                    at += p.read;
                    match p.status {
                        Status::IllFormed(e) => found.push(fault(&e, 1)),
                        Status::Done => break,
                        other => panic!("{other:?} {}", what()),
                    }
                }
                assert_eq!(found, expected.faults, "{}", what());
            }
        }
    });
}

/// Tests the forms with states and those of UTF-EBCDIC; the third byte is one of each class of any
/// of them.
#[test]
fn every_string_of_two_bytes_and_a_class() {
    let classes = b"\x00\x01\x0A\x0C\x0F\x12\x1A\x1F !&+,-/19AKZaz~\x7F\x80\x9F\xA0\xB0\xBF\xC5\xCC\xD8\xDC\xE0\xE8\xF0\xF2\xF8\xFF";
    let few: Vec<u8> =
        classes.iter().copied().enumerate().filter(|&(i, _)| in_turn(i, 9)).map(|(_, b)| b).collect();
    three_bytes_from_the_start_in_each(&few);
}

#[test]
#[ignore = "takes minutes"]
fn every_string_of_three_bytes_from_the_start() {
    let all: Vec<u8> = (0..=0xFF).collect();
    three_bytes_from_the_start_in_each(&all);
}

fn three_bytes_from_the_start_in_each(thirds: &[u8]) {
    three_bytes_from_the_start::<Utf7>(thirds);
    three_bytes_from_the_start::<Utf7Strict>(thirds);
    three_bytes_from_the_start::<Imap>(thirds);
    three_bytes_from_the_start::<UtfEbcdic>(thirds);
    three_bytes_from_the_start::<I8>(thirds);
    three_bytes_from_the_start::<Scsu>(thirds);
    three_bytes_from_the_start::<Bocu1>(thirds);
}

/// `validate` and `core::str` agree about every string of up to three bytes in verdict, offset and
/// length; the replaced text equals that of `String::from_utf8_lossy`.
#[test]
fn every_utf8_string_of_three_bytes_against_core() {
    let one = |bytes: &[u8]| {
        let found = utf8::validate(bytes);
        match (found, core::str::from_utf8(bytes)) {
            (Ok(a), Ok(b)) => assert_eq!(a, b),
            (Err(e), Err(core)) => {
                let len = core.error_len().unwrap_or(bytes.len() - core.valid_up_to());
                assert_eq!((e.valid_up_to(), e.len()), (core.valid_up_to(), len), "{}", hex(bytes));
                assert_eq!(e.is_incomplete(), core.error_len().is_none(), "{}", hex(bytes));
                assert_eq!(e.bytes(), &bytes[e.valid_up_to()..][..len], "{}", hex(bytes));
                assert!(e.seen().starts_with(e.bytes()), "{}", hex(bytes));
                assert!(bytes[e.valid_up_to()..].starts_with(e.seen()), "{}", hex(bytes));
            }
            (found, core) => panic!("{}: {found:?}, but core {core:?}", hex(bytes)),
        }
        let chunks = utf8::chunks(bytes).map(|c| (c.text(), c.ill_formed().map_or(0, |e| e.len())));
        let core = bytes.utf8_chunks().map(|c| (c.valid(), c.invalid().len()));
        assert!(chunks.eq(core), "{}", hex(bytes));
    };
    one(&[]);
    in_parallel(256, |first| {
        let first = first as u8;
        one(&[first]);
        for second in 0..=0xFF {
            one(&[first, second]);
            for third in 0..=0xFF {
                one(&[first, second, third]);
            }
        }
    });
}

/// A formula gives the number of well-formed strings.
#[test]
fn well_formed_strings_are_as_many_as_they_must_be() {
    let counts: Vec<_> = (0..=2_u32)
        .map(|len| {
            let strings = (0..1_u32 << (8 * len)).map(|n| n.to_be_bytes());
            strings.filter(|bytes| utf8::validate(&bytes[4 - len as usize..]).is_ok()).count() as u128
        })
        .collect();
    assert_eq!(counts, [0, 1, 2].map(oracle::helpers::well_formed_strings));
    let threes = core::sync::atomic::AtomicU64::new(0);
    in_parallel(256, |first| {
        let strings = (0..=0xFFFF_u16).map(|n| n.to_be_bytes());
        let count = strings.filter(|&[a, b]| utf8::validate(&[first as u8, a, b]).is_ok()).count();
        threes.fetch_add(count as u64, core::sync::atomic::Ordering::Relaxed);
    });
    assert_eq!(u128::from(threes.into_inner()), oracle::helpers::well_formed_strings(3));
}

/// Converts strings from `F` under every policy, into UTF-8 and into UCS-4, which can represent
/// everything, and compares with the oracle. Unless the run is thorough, each string takes every
/// hundredth policy in turn.
fn every_policy<F: Tested<Unit = u8>>(strings: &(dyn Fn(usize) -> Vec<Vec<u8>> + Sync), count: usize) {
    every_policy_between(&Pair::of::<F, Ucs4<Native>>(), &Pair::of::<F, Utf8>(), strings, count);
}

fn every_policy_between(
    to_ucs4: &Pair<u8, u32>,
    to_utf8: &Pair<u8, u8>,
    strings: &(dyn Fn(usize) -> Vec<Vec<u8>> + Sync),
    count: usize,
) {
    let policies: Vec<_> = policies(to_utf8.from, Form::Utf8)
        .into_iter()
        .filter(|(.., unmappable)| matches!(unmappable, Unmappable::Strict | Unmappable::SurrogateEscape))
        .collect();
    in_parallel(count, |i| {
        for (n, bytes) in strings(i).into_iter().enumerate() {
            for (k, &policies) in policies.iter().enumerate() {
                if !in_turn(i + n + k, 101) {
                    continue;
                }
                let (policy, span, unmappable) = policies;
                let what = || format!("{}, {policies:?}", to_utf8.name);
                if unmappable == Unmappable::Strict {
                    let machine = (to_ucs4.machine)(policy, span, unmappable, false);
                    let expected = to_ucs4.expected(&bytes, policies);
                    check(&what, &*machine, &bytes, &Plan::whole(), &expected);
                } else {
                    let machine = (to_utf8.machine)(policy, span, unmappable, false);
                    let expected = to_utf8.expected(&bytes, policies);
                    check(&what, &*machine, &bytes, &Plan::whole(), &expected);
                }
            }
        }
    });
}

/// Returns every string of one or two bytes that starts with `first`.
fn up_to_two(first: usize) -> Vec<Vec<u8>> {
    let first = first as u8;
    let mut all: Vec<_> = (0..=0xFF).map(|second| vec![first, second]).collect();
    all.push(vec![first]);
    all
}

#[test]
fn every_utf8_string_of_two_bytes_under_every_policy() {
    every_policy::<Utf8>(&up_to_two, 256);
}

#[test]
fn every_string_of_two_bytes_in_the_other_byte_forms() {
    struct Each;
    impl EachByteForm for Each {
        fn call<F: Tested<Unit = u8>>(&self) {
            if F::FORM != Form::Utf8 {
                every_policy::<F>(&up_to_two, 256);
            }
        }
    }
    with_each_byte_form(&Each);
}

/// One byte of each class of table 3-7.
const CLASSES: [u8; 20] = [
    0x41, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xE0, 0xE1, 0xED, 0xEE, 0xF0, 0xF1, 0xF4, 0xF5,
    0xF8, 0xFC, 0xFF,
];

/// Returns every string of three or four bytes, one byte of each class, that starts with this
/// class.
fn three_and_four_classes(first: usize) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for b in CLASSES {
        for c in CLASSES {
            all.push(vec![CLASSES[first], b, c]);
            // The fourth byte has the same role as the third: one byte of each class that can
            // follow.
            all.extend([0x41, 0x80, 0xBF, 0xC2, 0xE2, 0xFF].map(|d| vec![CLASSES[first], b, c, d]));
        }
    }
    all
}

#[test]
fn utf8_strings_of_four_byte_classes_under_every_policy() {
    every_policy::<Utf8>(&three_and_four_classes, CLASSES.len());
}

/// Sequences with long announced lengths, for the span rules that use them.
#[test]
fn utf8_strings_of_long_announced_length() {
    let strings = |first: usize| {
        let lead = [0xF4, 0xF7, 0xF8, 0xFB, 0xFC, 0xFD][first];
        let mut all = Vec::new();
        for broken in 1..8 {
            for with in [0x41, 0xC3, 0xF8, 0xFC] {
                let mut bytes = [lead, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80];
                bytes[broken] = with;
                all.extend((1..=bytes.len()).map(|len| bytes[..len].to_vec()));
            }
        }
        all
    };
    every_policy::<Utf8>(&strings, 6);
}

/// Reads each code unit alone, and pairs and triples with one code unit of each class.
fn sixteen_bits<F: Tested<Unit = u16>>() {
    let classes = [
        0x0000, 0x0041, 0x007F, 0x0080, 0x07FF, 0x0800, 0xD7FF, 0xD800, 0xD83D, 0xDBFF, 0xDC00, 0xDE00,
        0xDFFF, 0xE000, 0xEF80, 0xEFFF, 0xFEFF, 0xFFFD, 0xFFFE, 0xFFFF,
    ];
    let mut texts: Vec<Vec<u16>> = (0..=0xFFFF).map(|unit| vec![unit]).collect();
    for a in classes {
        for b in classes {
            texts.push(vec![a, b]);
            texts.extend(classes.map(|c| vec![a, b, c]));
        }
    }
    let policies = policies(F::FORM, Form::Utf8);
    in_parallel(texts.len(), |i| {
        // Short texts take all policies, each of the many long ones every tenth.
        let step = if texts[i].len() == 1 {
            10
        } else if thorough() {
            1
        } else {
            4
        };
        for &policies in policies.iter().skip(i % step).step_by(step) {
            let (policy, span, unmappable) = policies;
            let machine = static_machine::<F, Utf8>(policy, span, unmappable);
            let expected = expected::<F, Utf8>(&texts[i], policies);
            let what = || format!("{}, {policies:?}", F::name());
            check(&what, &machine, &texts[i], &Plan::whole(), &expected);
        }
    });
}

#[test]
fn every_unit_of_16_bits() {
    sixteen_bits::<Utf16<Native>>();
    sixteen_bits::<Ucs2<Native>>();
}
