//! Work is proportional to the text, for every pair of encodings and every text. The tests count
//! the code units that are looked at, not time. Twice the text takes twice the work; a caller who
//! continues after each error, or passes one byte at a time, causes work for the code units read
//! and written and a bounded amount for each call.

use crate::subject::{cases, in_parallel, is_single_byte};
use placemat::edit::Document;
use placemat::internals::work_done;
use placemat::policy::{Action, Substitute, from_fn, from_fn_unmappable};
use placemat::stream::{Status, Transcoder};
use placemat::{
    Encoding, ErrorPolicy, IllFormed, OnError, OnUnmappable, Replacement, Unmappable, UnmappablePolicy,
};

/// Returns all encodings with their own form, and a few single-byte ones.
fn representatives() -> Vec<Encoding> {
    let single = [Encoding::ISO_8859_3, Encoding::IBM424, Encoding::X_MAC_ARABIC];
    let own = Encoding::ALL.iter().copied().filter(|&encoding| !is_single_byte(encoding));
    own.chain(single).collect()
}

/// Texts that consist of errors, of near errors, or of the most expensive sequences.
const PATHOLOGICAL: [&[u8]; 24] = [
    b"\x80",
    b"\xFF",
    b"\xC0",
    b"\x81A",
    b"\x81\xFF",
    b"\xE0\xA0",
    b"\xED\xA0\x80",
    b"\xF4\x90\x80\x80",
    b"\xF0\x9F",
    b"\xC3\xA9",
    b"\xE2\x82\xAC",
    b"\x1B$B\x1B(B",
    b"\x1B",
    b"\x0E\x0F",
    b"~{~}",
    b"+",
    b"+-",
    b"+AA",
    b"+2D0-",
    b"&AOk-",
    b"\0\xD8",
    b"\xD8\0",
    b"\xC3\x8A\xCC\x84\xF4\x8F\xBF\xBF",
    b"\x81\x30\x81",
];

/// How a text is divided into calls.
#[derive(Clone, Copy, Debug)]
enum Manner {
    /// The whole text, with space for the whole result.
    Whole,
    /// The rest of the text in each call, with the smallest output buffer.
    LeastRoom,
    /// One byte at a time, with an empty piece between.
    Bytes,
}

/// The work, and the counts to compare it with.
#[derive(Clone, Copy, Debug, Default)]
struct Cost {
    work: u64,
    units: u64,
    calls: u64,
}

fn cost<D: OnError, U: OnUnmappable>(mut machine: Transcoder<D, U>, src: &[u8], manner: Manner) -> Cost {
    let least = machine.min_output();
    let mut room = vec![0; if let Manner::LeastRoom = manner { least } else { 64 * 1024 + least }];
    let before = work_done();
    let mut cost = Cost::default();
    let mut feed = |piece: &[u8], last: bool| {
        let mut read = 0;
        loop {
            let p = machine.convert(&piece[read..], &mut room, last);
            read += p.read;
            cost.calls += 1;
            cost.units += (p.read + p.written) as u64;
            if matches!(p.status, Status::Done | Status::NeedInput) {
                break;
            }
        }
    };
    if let Manner::Bytes = manner {
        for byte in src {
            feed(&[], false);
            feed(core::slice::from_ref(byte), false);
        }
        feed(&[], true);
    } else {
        feed(src, true);
    }
    cost.work = work_done() - before;
    cost
}

/// The greatest work for each code unit read or written, and for each call. Each code unit may be
/// an error, after which some hundreds of code units are looked at; an error of UTF-32 may be
/// replaced by 16 code points, none of which the target can represent. A piece that cannot be
/// resumed is tried with 1024, and the last try may be wasted.
const PER_UNIT: u64 = 1000;
const PER_CALL: u64 = 3000;

/// Returns the lengths of the texts to compare. Between two forms a piece has at most 3 KiB, so the
/// shorter texts may just fit into one and the longer not; the pairs of the short form are not like
/// that.
fn lengths() -> [usize; 2] {
    if std::env::var_os("PLACEMAT_LONG").is_some() { [6000, 12_000] } else { [3000, 6000] }
}

fn check<D: OnError, U: OnUnmappable>(what: &str, machine: impl Fn() -> Transcoder<D, U>, pattern: &[u8]) {
    for manner in [Manner::Whole, Manner::LeastRoom, Manner::Bytes] {
        let text = |len: usize| -> Vec<u8> { pattern.iter().copied().cycle().take(len).collect() };
        let [half, whole] = lengths().map(|len| cost(machine(), &text(len), manner));
        let most = PER_UNIT * whole.units + PER_CALL * whole.calls;
        assert!(whole.work <= most, "{what}, {manner:?}, {pattern:02x?}: {whole:?}");
        // If the number of calls does not grow with the text, the bound above would not show other growth.
        let twice = 2 * half.work + half.work / 4 + 20 * (whole.units + whole.calls);
        assert!(whole.work <= twice, "{what}, {manner:?}, {pattern:02x?}: {half:?}, then {whole:?}");
    }
}

fn pair(from: Encoding, to: Encoding, pattern: &[u8], which: usize) {
    let question = Replacement::QUESTION;
    let errors = [
        ErrorPolicy::Stop,
        ErrorPolicy::SurrogateEscape,
        ErrorPolicy::Replace,
        ErrorPolicy::Skip,
        ErrorPolicy::HexEscape,
        ErrorPolicy::Optu,
        ErrorPolicy::SurrogatePass,
        ErrorPolicy::ReplaceWith(question),
    ];
    let unmappables = [
        UnmappablePolicy::Stop,
        UnmappablePolicy::SurrogateEscape,
        UnmappablePolicy::Replace,
        UnmappablePolicy::Skip,
        UnmappablePolicy::XmlReference,
        UnmappablePolicy::Optu,
    ];
    // Policies that continue after each stop are always due, the others in turn.
    let (d, u) = (errors[which % errors.len()], unmappables[which / errors.len() % unmappables.len()]);
    for (d, u) in [
        (ErrorPolicy::Stop, UnmappablePolicy::Stop),
        (ErrorPolicy::SurrogateEscape, UnmappablePolicy::Stop),
        (d, u),
    ] {
        let what = format!("{from} to {to}, {d:?} and {u:?}");
        check(&what, || Transcoder::new(from, to).on_error(d).on_unmappable(u), pattern);
    }
    if which.is_multiple_of(7) {
        let what = format!("{from} to {to}, functions");
        let on_error = |_: &IllFormed| Action::Text(question);
        let on_unmappable = |_: &Unmappable| Substitute::Text(question);
        let machine = || {
            Transcoder::new(from, to)
                .on_error(from_fn(on_error))
                .on_unmappable(from_fn_unmappable(on_unmappable))
        };
        check(&what, machine, pattern);
    }
}

/// Returns `true` for one of `of` cases, in turn; for three times as many in a thorough run, and
/// for every case in a long one.
fn is_due(case: usize, of: usize) -> bool {
    case.is_multiple_of(cases(of, of / 3, 1))
}

/// Pairs of all encodings except tables of single bytes, with texts in turn.
#[test]
fn twice_the_text_is_twice_the_work() {
    let all = representatives();
    in_parallel(all.len() * all.len(), |i| {
        let (from, to) = (all[i / all.len()], all[i % all.len()]);
        for (n, pattern) in PATHOLOGICAL.iter().enumerate() {
            if is_due(i + n, 1499) {
                pair(from, to, pattern, i + n);
            }
        }
    });
}

/// The pairs for which a caller who continued after each of 20,000 bytes 80 once waited for
/// seconds, and similar ones.
#[test]
fn going_on_after_each_error() {
    let from = [
        Encoding::UTF_8,
        Encoding::UTF_8_BOM,
        Encoding::CESU_8,
        Encoding::MODIFIED_UTF_8,
        Encoding::WTF_8,
        Encoding::UTF_7,
        Encoding::UTF_16LE,
        Encoding::GBK,
        Encoding::SCSU,
    ];
    let to = [
        Encoding::UTF_8,
        Encoding::UTF_16LE,
        Encoding::ISO_8859_1,
        Encoding::US_ASCII,
        Encoding::ISO_2022_JP,
        Encoding::GB18030,
        Encoding::BIG5_HKSCS,
        Encoding::UTF_7,
        Encoding::SCSU,
        Encoding::CESU_8,
    ];
    in_parallel(from.len() * to.len(), |i| {
        for (n, pattern) in PATHOLOGICAL.iter().enumerate() {
            if is_due(i + n, 37) {
                pair(from[i / to.len()], to[i % to.len()], pattern, i + n);
            }
        }
    });
}

/// Tests validation only.
#[test]
fn checking() {
    let all = representatives();
    in_parallel(all.len(), |i| {
        for (_, pattern) in PATHOLOGICAL.iter().enumerate().filter(|(n, _)| is_due(i + n, 17)) {
            for d in [ErrorPolicy::Stop, ErrorPolicy::Replace, ErrorPolicy::Skip] {
                let what = format!("checking {}, {d:?}", all[i]);
                check(&what, || Transcoder::checker(all[i]).on_error(d), pattern);
            }
        }
    });
}

/// Returns the work of edits and of offsets at the start, in the middle and at the end of a
/// document.
fn cost_of_edits(encoding: Encoding, bytes: &[u8]) -> u64 {
    let before = work_done();
    let mut document = Document::open(bytes, encoding).expect("a text with stand-ins");
    for part in 0..=4 {
        let at = document.text_of_byte(document.len() / 4 * part).expect("an offset in the document");
        let next = document.utf16_of_text(at).and_then(|at| document.text_of_utf16(at + 1)).unwrap_or(at);
        let place = document.position_of_text(at);
        assert!(place.is_some_and(|place| document.text_of_position(place).is_some()));
        // Not every text can be written everywhere.
        _ = document.replace(at..at, "+");
        _ = document.replace(at..at, "日");
        _ = document.replace(at..next.max(at), "");
    }
    assert_eq!(document.text().len(), document.text_len());
    work_done() - before
}

/// Returns the work to change each `every`-th code point of a file, all at once.
fn cost_of_many(encoding: Encoding, text: &[u8], every: usize) -> u64 {
    let mut document = Document::open(text, encoding).unwrap();
    let text = document.text();
    let changed = text.char_indices().filter(|(_, c)| !matches!(c, '\r' | '\n')).step_by(every);
    let changes: Vec<_> = changed.map(|(at, c)| (at..at + c.len_utf8(), "+")).collect();
    let before = work_done();
    // Some changes are refused, and all others are made.
    let mut rest = &changes[..];
    while let Err((at, _)) = document.replace_all(rest, |old, new| vec![(0..old.len(), 0..new.len())]) {
        rest = &rest[at + 1..];
        if rest.len() < changes.len() {
            break;
        }
    }
    work_done() - before
}

/// Work for many changes at once grows with the text. If they are made one by one, each takes the
/// work of some chunks.
#[test]
fn many_edits_at_once() {
    let line = "one, two +3\r\n日本 é;\n";
    let damaged = b"\x81\xE6 \x87\x9A ab\n";
    let at_once =
        [Encoding::UTF_8, Encoding::UTF_16LE, Encoding::SHIFT_JIS, Encoding::GB18030, Encoding::WINDOWS_1252];
    let one_by_one =
        [Encoding::ISO_2022_JP, Encoding::UTF_7, Encoding::BOCU_1, Encoding::SCSU, Encoding::MARC_8];
    let cases: Vec<_> = at_once
        .into_iter()
        .flat_map(|encoding| [(encoding, 3, 300, 40_000), (encoding, 1, 300, 40_000)])
        .chain(one_by_one.map(|encoding| (encoding, 101, 10_000, 30_000)))
        .collect();
    in_parallel(cases.len(), |i| {
        let (encoding, every, most, len) = cases[i];
        let line = encoding.encode(line, UnmappablePolicy::Skip).unwrap();
        for pattern in [&line[..], damaged] {
            let text = |len: usize| -> Vec<u8> { pattern.iter().copied().cycle().take(len).collect() };
            let [less, more] = [len, 4 * len].map(|len| cost_of_many(encoding, &text(len), every));
            assert!(more <= 5 * less, "{encoding}, {every}: {less}, and {more} for four times the text");
            assert!(
                more <= most * 4 * len as u64,
                "{encoding}, {every}, {pattern:02x?}: {more} for {}",
                4 * len
            );
        }
    });
}

/// Compares the work for two texts, one of which is four times as long as the other. An edit widens
/// the stretch that it looks at by a factor each time, so work grows in steps.
fn compare_edits(encoding: Encoding, what: &dyn core::fmt::Debug, texts: [&[u8]; 2]) {
    let [less, more] = texts.map(|text| cost_of_edits(encoding, text));
    assert!(more <= 8 * less + 40_000, "{encoding}, {what:02x?}: {less}, and {more} for four times the text");
}

/// Work for a document and its edits grows linearly with its length, for every text.
#[test]
fn edits() {
    let all = representatives();
    in_parallel(all.len(), |i| {
        for (_, pattern) in PATHOLOGICAL.iter().enumerate().filter(|(n, _)| is_due(i + n, 53)) {
            let text = |len: usize| -> Vec<u8> { pattern.iter().copied().cycle().take(len).collect() };
            let [_, len] = lengths();
            compare_edits(all[i], pattern, [&text(len / 2), &text(2 * len)]);
        }
    });
}

/// Long runs of base64, the rest of which an edit writes again, and other long texts.
#[test]
fn edits_within_long_runs() {
    let encodings = [
        Encoding::UTF_7,
        Encoding::UTF_7_IMAP,
        Encoding::BOCU_1,
        Encoding::SCSU,
        Encoding::ISO_2022_JP,
        Encoding::HZ_GB_2312,
        Encoding::GB18030,
        Encoding::UTF_8,
    ];
    in_parallel(encodings.len(), |i| {
        for text in ["日本文", "日", " ", "あ\u{301}"] {
            let encode = |count: usize| {
                let text = text.repeat(count / text.chars().count());
                encodings[i].encode(&text, UnmappablePolicy::Skip).expect("all is skipped").into_owned()
            };
            compare_edits(encodings[i], &text, [&encode(10_000), &encode(40_000)]);
        }
    });
}

/// With long replacements throughout, a new string is not copied for each small addition.
#[test]
fn a_new_string_of_long_replacements() {
    let src = vec![0xFF; 1 << 16];
    for len in [4, 12, 64, Replacement::MAX_BYTES] {
        let long = "x".repeat(len);
        let policy = ErrorPolicy::ReplaceWith(Replacement::new(&long).unwrap());
        let before = work_done();
        let text = placemat::utf8::decode(&src, policy).unwrap();
        assert_eq!(text.len(), len << 16);
        let work = work_done() - before;
        assert!(work < (2 * text.len() + 8 * src.len()) as u64, "{work} for {len}");
    }
}

/// Returns the work to convert a whole text, and the code units read and written.
fn work_and_units<D: OnError, U: OnUnmappable>(machine: Transcoder<D, U>, src: &[u8]) -> (u64, u64) {
    let cost = cost(machine, src, Manner::Whole);
    (cost.work, cost.units)
}

/// A form's own loop validates too, although it has to write the text somewhere.
#[test]
fn texts_are_checked_by_the_loops_of_their_forms() {
    let text = "Ein Text, der 日本 und é hat. ".repeat(300);
    for from in [Encoding::UTF_7, Encoding::UTF_7_IMAP, Encoding::SCSU, Encoding::BOCU_1] {
        let src = from.encode(&text, UnmappablePolicy::Stop).unwrap();
        let (work, units) = work_and_units(Transcoder::checker(from), &src);
        assert!(work < 4 * units, "{from}: {work} for {units}");
    }
}

/// Errors near each other are replaced many at a time.
#[test]
fn near_errors_take_no_call_each() {
    let src = b"abc\xFF".repeat(10_000);
    for to in [Encoding::UTF_8, Encoding::UTF_16LE, Encoding::UTF_16BE, Encoding::UTF_32LE] {
        let machine = Transcoder::new(Encoding::UTF_8, to).on_error(ErrorPolicy::Replace);
        let (work, units) = work_and_units(machine, &src);
        assert!(work < 3 * units, "{to}: {work} for {units}");
    }
}

/// The count itself: a step counts for more than a code unit in a kernel. If it did not, no test here could tell steps
/// from kernels.
#[test]
fn each_step_is_counted() {
    let text = "a".repeat(1000);
    for from in [Encoding::UCS_2LE, Encoding::UCS_4BE, Encoding::UTF_8_BMP_ONLY] {
        let src = from.encode(&text, UnmappablePolicy::Stop).unwrap();
        let (work, units) = work_and_units(Transcoder::checker(from), &src);
        assert!(work > 4 * units, "{from}: {work} for {units}");
    }
}
