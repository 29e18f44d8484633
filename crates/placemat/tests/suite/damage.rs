//! Long texts with many errors, converted in one piece and unit by unit: output, errors and counts
//! must be equal, whatever the policy. In one piece the engine takes fast paths from error to
//! error; unit by unit it takes none.

use crate::oracle;
use crate::subject::{in_parallel, in_turn};
use placemat::forms::{EncodingForm, Latin1, Utf8, Utf16, Utf32};
use placemat::policy::{Action, from_fn};
use placemat::stream::{FormTranscoder, Status, Tally};
use placemat::{ErrorPolicy, IllFormed, Native, OnError, Replacement, Span, UnmappablePolicy, utf8};

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit
    }
}

/// The output, the counts, and each error and unmappable code point at which the conversion stopped.
type Outcome<T> = (Vec<T>, Tally, Vec<Status>);

fn convert<F: EncodingForm, T: EncodingForm>(
    src: &[F::Unit],
    piece: usize,
    room: usize,
    on_error: impl OnError,
    on_unmappable: UnmappablePolicy<'_>,
) -> Outcome<T::Unit> {
    let mut transcoder =
        FormTranscoder::<F, T, _, _>::new().on_error(on_error).on_unmappable(on_unmappable).counting();
    let mut dst = vec![T::Unit::default(); room.max(transcoder.min_output())];
    let (mut out, mut stops) = (Vec::new(), Vec::new());
    let mut at = 0;
    loop {
        let end = src.len().min(at + piece);
        let p = transcoder.convert(&src[at..end], &mut dst, end == src.len());
        out.extend_from_slice(&dst[..p.written]);
        at += p.read;
        match p.status {
            Status::Done => return (out, transcoder.tally(), stops),
            Status::NeedInput | Status::NeedOutput => {}
            stop => stops.push(stop),
        }
    }
}

/// Converts in one piece, with large and small output buffers; in pieces of some size; and unit by
/// unit.
fn check<F: EncodingForm, T: EncodingForm>(what: &str, src: &[F::Unit]) {
    let text = Replacement::new("<日>").expect("short");
    let policies = [
        ErrorPolicy::Stop,
        ErrorPolicy::Replace,
        ErrorPolicy::ReplaceWith(Replacement::QUESTION),
        ErrorPolicy::ReplaceWith(text),
        ErrorPolicy::Skip,
        ErrorPolicy::Latin1,
        ErrorPolicy::Windows1252,
        ErrorPolicy::HexEscape,
        ErrorPolicy::SurrogateEscape,
        ErrorPolicy::SurrogatePass,
        ErrorPolicy::Optu,
    ];
    for (i, policy) in policies.into_iter().enumerate() {
        for (k, span) in [Span::Maximal, Span::Unit, Span::Structural, Span::Lead].into_iter().enumerate() {
            if !in_turn(i + k + what.len(), 4) {
                continue;
            }
            for on_unmappable in [UnmappablePolicy::Replace, UnmappablePolicy::SurrogateEscape] {
                let by =
                    |piece, room| convert::<F, T>(src, piece, room, policy.spanning(span), on_unmappable);
                let expected = by(1, 64);
                for (piece, room) in [(src.len(), 8 * src.len()), (src.len(), 700), (1000, 3000)] {
                    assert!(
                        by(piece, room) == expected,
                        "{what}, {policy:?}, {span:?}, {on_unmappable:?}, pieces of {piece}, room of {room}"
                    );
                }
            }
        }
    }
    // The policy stops at some errors only, and records the errors that it is asked about.
    let told = |piece, room| {
        let mut errors: Vec<IllFormed> = Vec::new();
        let note = from_fn(|error: &IllFormed| {
            if errors.last().is_none_or(|last| last.offset() < error.offset()) {
                errors.push(*error);
            }
            match error.offset() % 7 {
                0 => Action::Stop,
                1 => Action::Text(Replacement::EMPTY),
                _ => Action::Text(Replacement::QUESTION),
            }
        });
        let outcome = convert::<F, T>(src, piece, room, note, UnmappablePolicy::Replace);
        (outcome, errors)
    };
    assert!(told(1, 64) == told(src.len(), 8 * src.len()), "{what}");
}

#[test]
fn one_piece_is_as_unit_by_unit() {
    let units = ["plain ASCII, ", "naïve café ", "дом и мир ", "日本語中文", "a😀é日", "<p>漢字</p>\n"];
    in_parallel(units.len(), |i| {
        let unit = units[i];
        let mut random = Random(0x1234_5678_9ABC_DEF1 + i as u64);
        for per in [3, 10, 40, 150, 1000] {
            let text = unit.repeat(4000 / unit.len());
            let mut bytes = text.clone().into_bytes();
            let mut units: Vec<u16> = text.encode_utf16().collect();
            let mut values: Vec<u32> = text.chars().map(u32::from).collect();
            for byte in &mut bytes {
                if random.below(per) == 0 {
                    let all = [0x20, 0x80, 0x9F, 0xBF, 0xC0, 0xC3, 0xE0, 0xE6, 0xED, 0xF0, 0xF4, 0xF5, 0xFF];
                    *byte = all[random.below(all.len())];
                }
            }
            for unit in &mut units {
                if random.below(per) == 0 {
                    *unit = 0xD800 + random.below(0x800) as u16;
                }
            }
            for value in &mut values {
                if random.below(per) == 0 {
                    *value = [0xD800, 0xDFFF, 0x11_0000, u32::MAX][random.below(4)];
                }
            }
            let what = format!("{unit:?}, one of {per}");
            check::<Utf8, Utf8>(&what, &bytes);
            check::<Utf8, Utf16<Native>>(&what, &bytes);
            check::<Utf8, Latin1>(&what, &bytes);
            check::<Utf16<Native>, Utf8>(&what, &units);
            check::<Utf32<Native>, Utf8>(&what, &values);
        }
    });
}

#[test]
fn a_policy_is_asked_only_about_what_is_ill_formed() {
    let mut src = Vec::new();
    let mut errors = Vec::new();
    for i in 0..3000 {
        src.extend_from_slice("日本".as_bytes());
        if i % 12 == 0 {
            errors.push(src.len() as u64);
            src.push(0xFF);
        }
    }
    let mut asked = Vec::new();
    let policy = from_fn(|error: &IllFormed| {
        asked.push(error.offset());
        Action::Text(Replacement::new("?").expect("short"))
    });
    let (out, ..) =
        convert::<Utf8, Utf16<Native>>(&src, src.len(), src.len(), policy, UnmappablePolicy::Stop);
    assert_eq!(out.len(), 3000 * 2 + errors.len());
    asked.sort_unstable();
    asked.dedup();
    assert_eq!(asked, errors);
}

/// A function that returns a policy's replacement for the bytes of an error.
type Put = fn(&[u8]) -> String;

/// Strings equal those of a simple decoder, which uses the chunks of the standard library and a
/// table.
#[test]
fn strings_are_those_of_a_simple_decoder() {
    let policies: [(ErrorPolicy<'_>, Put); 6] = [
        (ErrorPolicy::Replace, |_| "\u{FFFD}".into()),
        (ErrorPolicy::ReplaceWith(Replacement::QUESTION), |_| "?".into()),
        (ErrorPolicy::Skip, |_| String::new()),
        (ErrorPolicy::Latin1, |bytes| bytes.iter().copied().map(char::from).collect()),
        (ErrorPolicy::Windows1252, |bytes| {
            bytes.iter().filter_map(|&byte| char::from_u32(oracle::cp1252(byte))).collect()
        }),
        (ErrorPolicy::HexEscape, |bytes| bytes.iter().map(|byte| format!("\\x{byte:02x}")).collect()),
    ];
    let check = |src: &[u8]| {
        for (policy, put) in policies {
            let mut expected = String::new();
            for chunk in src.utf8_chunks() {
                expected.push_str(chunk.valid());
                if !chunk.invalid().is_empty() {
                    expected.push_str(&put(chunk.invalid()));
                }
            }
            assert!(utf8::decode(src, policy).unwrap() == expected, "{policy:?}: {src:02x?}");
        }
    };
    let damage: [&[u8]; 14] = [
        b"\x80",
        b"\xBF",
        b"\xC0\x80",
        b"\xC3",
        b"\xE2\x80",
        b"\xE0\x9F\xBF",
        b"\xED\xA0\xBD\xED\xB8\x80",
        b"\xF0\x9F\x98",
        b"\xF0\x8F\xBF\xBF",
        b"\xF4\x90\x80\x80",
        b"\xF5",
        b"\xFF\xFE",
        b"\xE1\xA0\xC0",
        b"\x93\x94",
    ];
    for text in ["a", "aé", "Привет ", "日本語", "😀 a“b”"] {
        let text = text.repeat(700 / text.len());
        for at in (0..=text.len()).filter(|&at| at < 3 || (60..70).contains(&at) || at > 240) {
            let mut src = text.clone().into_bytes();
            src.splice(at..at, damage[at % damage.len()].iter().copied());
            check(&src);
            // Two errors lie in one block, or in two blocks.
            let second = damage[(at / 3 + 5) % damage.len()];
            let to = src.len().min(at + at % 90);
            src.splice(to..to, second.iter().copied());
            check(&src);
        }
    }
    let mut numbers = Random(0x2545_F491_4F6C_DD1D);
    for per in [2, 10, 100, 1000] {
        for text in ["a", "aé", "日本語", "😀 a“b”"] {
            let mut src = text.repeat(20_000 / text.len()).into_bytes();
            for byte in &mut src {
                if numbers.below(per) == 0 {
                    *byte = numbers.below(256) as u8;
                }
            }
            check(&src);
        }
    }
}
