//! Work is in proportion to the text, whoever is at which end and whatever the text is: counted in units looked at, not in
//! time. Twice the text is twice the work; a caller who goes on after each error, or hands over a byte at a time, pays
//! for what is read and written and a bounded amount for each call.

use crate::subject::{in_parallel, is_single_byte};
use placemat::internals::work_done;
use placemat::policy::{Action, Call, CallUnmappable, Substitute};
use placemat::stream::{Status, Transcoder};
use placemat::{
    Encoding, ErrorPolicy, IllFormed, OnError, OnUnmappable, Replacement, Unmappable, UnmappablePolicy,
};

/// All that have a form of their own, and of single bytes a few.
fn representatives() -> Vec<Encoding> {
    let single = [Encoding::ISO_8859_3, Encoding::IBM424, Encoding::X_MAC_ARABIC];
    let own = Encoding::ALL.iter().copied().filter(|&encoding| !is_single_byte(encoding));
    own.chain(single).collect()
}

/// Texts that are errors all along, or nearly something, or many of what costs most.
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

/// How a text is handed over.
#[derive(Clone, Copy, Debug)]
enum Manner {
    /// All of it, with room for all.
    Whole,
    /// All of it in each call, with the least room.
    LeastRoom,
    /// A byte at a time, and nothing at all in between.
    Bytes,
}

/// What it took: work, and what it may be compared with.
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

/// For each unit read or written, and for each call, so much at the most: each may be an error, behind which some hundreds of
/// units are looked at; and for an error of UTF-32 stand 16 code points, of which a target may hold none. A piece of a kind
/// that cannot be taken up again is tried with 1024, and the last may be for nothing.
const PER_UNIT: u64 = 1000;
const PER_CALL: u64 = 3000;

/// Lengths of the texts that are compared. Between two forms a piece of text is at most 3 KiB, so that the shorter ones may
/// just fit in one and the longer ones not; the pairs of the short form are not such.
fn lengths() -> [usize; 2] {
    if std::env::var_os("PLACEMAT_LONG").is_some() { [6000, 12_000] } else { [3000, 6000] }
}

fn check<D: OnError, U: OnUnmappable>(what: &str, machine: impl Fn() -> Transcoder<D, U>, pattern: &[u8]) {
    for manner in [Manner::Whole, Manner::LeastRoom, Manner::Bytes] {
        let text = |len: usize| -> Vec<u8> { pattern.iter().copied().cycle().take(len).collect() };
        let [half, whole] = lengths().map(|len| cost(machine(), &text(len), manner));
        let most = PER_UNIT * whole.units + PER_CALL * whole.calls;
        assert!(whole.work <= most, "{what}, {manner:?}, {pattern:02x?}: {whole:?}");
        // Where calls do not grow with the text, the bound above would not show what does.
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
    // Those who go on after each stop, always; of the others, in turn.
    let (d, u) = (errors[which % errors.len()], unmappables[which / errors.len() % unmappables.len()]);
    for (d, u) in [
        (ErrorPolicy::Stop, UnmappablePolicy::Stop),
        (ErrorPolicy::SurrogateEscape, UnmappablePolicy::Stop),
        (d, u),
    ] {
        let what = format!("{from} to {to}, {d:?} and {u:?}");
        check(&what, || Transcoder::from(from).to(to).on_error(d).on_unmappable(u), pattern);
    }
    if which.is_multiple_of(7) {
        let what = format!("{from} to {to}, functions");
        let on_error = |_: &IllFormed| Action::Text(question);
        let on_unmappable = |_: &Unmappable| Substitute::Text(question);
        let machine = || {
            Transcoder::from(from)
                .to(to)
                .on_error(Call::new(on_error))
                .on_unmappable(CallUnmappable::new(on_unmappable))
        };
        check(&what, machine, pattern);
    }
}

/// One of so many cases, in turn; all in the long form, which takes minutes.
fn is_due(case: usize, of: usize) -> bool {
    case.is_multiple_of(of) || std::env::var_os("PLACEMAT_LONG").is_some()
}

/// Pairs of all encodings that are no tables of single bytes, with texts in turn.
#[test]
fn twice_the_text_is_twice_the_work() {
    let all = representatives();
    in_parallel(all.len() * all.len(), |i| {
        let (from, to) = (all[i / all.len()], all[i % all.len()]);
        for (n, pattern) in PATHOLOGICAL.iter().enumerate() {
            if is_due(i + n, 251) {
                pair(from, to, pattern, i + n);
            }
        }
    });
}

/// The pairs at which a caller who went on after each of 20,000 bytes 80 once waited for seconds, and their like.
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
            if is_due(i + n, 11) {
                pair(from[i / to.len()], to[i % to.len()], pattern, i + n);
            }
        }
    });
}

/// Reading only.
#[test]
fn checking() {
    let all = representatives();
    in_parallel(all.len(), |i| {
        for (_, pattern) in PATHOLOGICAL.iter().enumerate().filter(|(n, _)| is_due(i + n, 5)) {
            for d in [ErrorPolicy::Stop, ErrorPolicy::Replace, ErrorPolicy::Skip] {
                let what = format!("checking {}, {d:?}", all[i]);
                check(&what, || Transcoder::checker(all[i]).on_error(d), pattern);
            }
        }
    });
}
