//! Output that a target holds back until the next code point: letters that may be one code with a
//! mark, bases of MARC-8. The target writes it before a stop is reported, and the division of a
//! text does not matter.

use crate::subject::{Plan, cases, drive, in_parallel, is_single_byte};
use placemat::stream::{Status, Transcoder};
use placemat::{Encoding, ErrorPolicy, Replacement, UnmappablePolicy};

/// Letters and marks that are one code in Big5-HKSCS, in JIS X 0213 (U+02E9 and U+02E5 are each
/// both letter and mark) or in MARC-8; code points that most targets cannot represent; half a
/// surrogate pair; and an ill-formed sequence.
const SYMBOLS: [u32; 13] =
    [0xCA, 0x304, 0x304B, 0x309A, 0x2E9, 0x2E5, 0xE6, 0x300, 0x61, 0x1F600, 0x10_FFFF, 0xD83D, ILL_FORMED];
const ILL_FORMED: u32 = u32::MAX;

/// Returns all encodings that are more than a single-byte table.
fn targets() -> Vec<Encoding> {
    Encoding::ALL.iter().copied().filter(|&encoding| !is_single_byte(encoding)).collect()
}

/// Source encodings, each with bytes that are ill-formed in it.
const SOURCES: [(Encoding, &[u8]); 10] = [
    (Encoding::UTF_8, b"\xFF"),
    (Encoding::UTF_8_BOM, b"\xE3\x81"),
    (Encoding::UTF_16LE, b"\0\xDC"),
    (Encoding::UCS_4BE, b"\xFF\xFF\xFF\xFF"),
    (Encoding::WTF_8, b"\xC0"),
    (Encoding::CESU_8, b"\xED\xB8\x80"),
    (Encoding::UTF_7, b"\x80"),
    (Encoding::GB18030, b"\xFF"),
    (Encoding::EUC_JIS_2004, b"\xFF"),
    (Encoding::ISO_2022_JP, b"\x80"),
];

/// Returns a text of some symbols, without those that the encoding cannot represent, and the offset
/// of each.
fn source((from, ill_formed): (Encoding, &[u8]), symbols: &[u32]) -> (Vec<u8>, Vec<usize>) {
    let mut bytes = from.signature().to_vec();
    if from != Encoding::UTF_8_BOM {
        bytes.clear();
    }
    let mut starts = Vec::new();
    for &symbol in symbols {
        starts.push(bytes.len());
        if symbol == ILL_FORMED {
            bytes.extend(ill_formed);
            continue;
        }
        let one = Transcoder::new(Encoding::UCS_4LE, from)
            .on_unmappable(UnmappablePolicy::Skip)
            .transcode(&symbol.to_le_bytes())
            .expect("no policy stops");
        bytes.extend(if from == Encoding::UTF_8_BOM { &one[3..] } else { &one });
    }
    (bytes, starts)
}

/// Returns symbols in a fixed pseudo-random order, with enough text around them for the loops that
/// need it.
fn texts(count: usize, seed: usize) -> impl Iterator<Item = Vec<u32>> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64 ^ (seed as u64) << 20;
    let mut next = move |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    (0..count).map(move |_| {
        let mut text = vec![0x61; [0, 0, 3, 40][next(4)]];
        for _ in 0..1 + next(6) {
            text.push(SYMBOLS[next(SYMBOLS.len())]);
        }
        text.extend(vec![0x61; [0, 0, 3, 40][next(4)]]);
        text
    })
}

fn policies() -> Vec<(ErrorPolicy<'static>, UnmappablePolicy<'static>)> {
    let text = |text| Replacement::new(text).expect("a short text");
    let errors = [
        ErrorPolicy::Stop,
        ErrorPolicy::Skip,
        ErrorPolicy::Replace,
        ErrorPolicy::ReplaceWith(text("\u{309A}\u{304}x")),
        ErrorPolicy::SurrogateEscape,
        ErrorPolicy::SurrogatePass,
    ];
    let unmappables = [
        UnmappablePolicy::Stop,
        UnmappablePolicy::Skip,
        UnmappablePolicy::Replace,
        UnmappablePolicy::ReplaceWith(text("\u{309A}\u{304}x")),
        UnmappablePolicy::XmlReference,
        UnmappablePolicy::SurrogateEscape,
    ];
    errors.iter().flat_map(|&d| unmappables.iter().map(move |&u| (d, u))).collect()
}

/// For every division of a text and every buffer size, the output is equal, and so is the output
/// before each stop.
#[test]
fn cuts_change_nothing() {
    let (targets, policies) = (targets(), policies());
    let texts_each = cases(12, 40, 2000);
    in_parallel(targets.len() * SOURCES.len(), |pair| {
        let (to, from) = (targets[pair % targets.len()], SOURCES[pair / targets.len()]);
        for (n, symbols) in texts(texts_each, pair).enumerate() {
            let (src, _) = source(from, &symbols);
            let (d, u) = policies[(n + pair) % policies.len()];
            let machine = Transcoder::new(from.0, to).on_error(d).on_unmappable(u).counting();
            let whole = drive(&mut machine.clone(), &src, &Plan::whole());
            let least = machine.min_output();
            let each: Vec<usize> = (1..src.len()).collect();
            let mut plans = vec![
                Plan { cuts: each.clone(), room: None, empty_pieces: false },
                Plan { cuts: each.clone(), room: None, empty_pieces: true },
                Plan { cuts: each, room: Some(1), empty_pieces: false },
                Plan::room(least),
                Plan::room(least + 3),
                Plan::room(1),
            ];
            plans.extend((n % 3..src.len()).step_by(3).map(|at| Plan::cut(&[at])));
            for plan in plans {
                let found = drive(&mut machine.clone(), &src, &plan);
                assert_eq!(
                    found, whole,
                    "{} to {to}, {d:?} {u:?}\n  {symbols:x?} is {src:02x?}\n  as {plan:?}",
                    from.0
                );
            }
        }
    });
}

/// The output up to a stop decodes to all text before the stop, so a caller who stops there loses
/// nothing.
#[test]
fn all_that_precedes_a_stop_is_written() {
    let targets = targets();
    in_parallel(targets.len(), |i| {
        let to = targets[i];
        // Bits of a run and half a surrogate pair wait for the rest, or for the end.
        let waits = [Encoding::UTF_7, Encoding::UTF_7_D, Encoding::UTF_7_IMAP, Encoding::WTF_8].contains(&to);
        // A letter may be followed by a byte for its marks, so that only the end shows that it is not.
        let is_read_at_the_end = to == Encoding::VNI;
        for (n, from) in [SOURCES[0], SOURCES[2]].into_iter().enumerate() {
            for symbols in texts(300, i + n) {
                let symbols: Vec<u32> = symbols.into_iter().filter(|&c| c != 0xD83D).collect();
                let (src, starts) = source(from, &symbols);
                let mut machine = Transcoder::new(from.0, to);
                let (mut out, mut room, mut read) = (Vec::new(), vec![0; 4096], 0);
                let mut refused = Vec::new();
                loop {
                    let p = machine.convert(&src[read..], &mut room, true);
                    read += p.read;
                    out.extend_from_slice(&room[..p.written]);
                    let offset = match p.status {
                        Status::Done => src.len(),
                        Status::IllFormed(e) => e.valid_up_to(),
                        Status::Unmappable(e) => usize::try_from(e.offset()).expect("a short text"),
                        other => panic!("{other:?}"),
                    };
                    let mut written = out.clone();
                    if waits {
                        let p = machine.clone().close(&mut room);
                        written.extend_from_slice(&room[..p.written]);
                    }
                    let precede: String = symbols
                        .iter()
                        .zip(&starts)
                        .filter(|&(&c, start)| c != ILL_FORMED && *start < offset && !refused.contains(start))
                        .filter_map(|(&c, _)| char::from_u32(c))
                        .collect();
                    let mut text = vec![0; 8 * written.len() + 64];
                    let mut back = Transcoder::new(to, Encoding::UTF_8);
                    let q = back.convert(&written, &mut text, is_read_at_the_end);
                    let status = if is_read_at_the_end { Status::Done } else { Status::NeedInput };
                    assert_eq!(q.status, status, "{to}: {symbols:x?} is {written:02x?}");
                    let text = String::from_utf8_lossy(&text[..q.written]);
                    assert_eq!(text, precede, "{} to {to} before {offset}: {symbols:x?}", from.0);
                    if p.status == Status::Done {
                        break;
                    }
                    refused.push(offset);
                }
            }
        }
    });
}

/// A letter and a mark are one code if they are adjacent, and two if a stop lies between them.
#[test]
fn a_stop_parts_a_letter_and_its_mark() {
    for (to, letter, mark, one, two) in [
        (Encoding::EUC_JIS_2004, 'か', '\u{309A}', &b"\xA4\xF7"[..], &b"\xA4\xAB"[..]),
        (Encoding::SHIFT_JIS_2004, 'か', '\u{309A}', b"\x82\xF5", b"\x82\xA9"),
        (Encoding::BIG5_HKSCS, 'Ê', '\u{304}', b"\x88\x62", b"\x88\x66"),
        (Encoding::MARC_8, 'e', '\u{301}', b"\xE2e", b"e"),
    ] {
        for around in ["", "a long text around it, so that loops that need one run. "] {
            let text = |between: &str| format!("{around}{letter}{between}{mark}{around}");
            let encode = |text: &str, u| {
                Transcoder::new(Encoding::UTF_8, to).on_unmappable(u).transcode(text.as_bytes())
            };
            let together = encode(&text(""), UnmappablePolicy::Stop).expect("it is held");
            assert_eq!(together, [around.as_bytes(), one, around.as_bytes()].concat(), "{to}");
            // A dropped code point leaves no trace.
            assert_eq!(encode(&text("\u{10FFFF}"), UnmappablePolicy::Skip).as_ref(), Ok(&together), "{to}");
            let mut machine = Transcoder::new(Encoding::UTF_8, to);
            let mut room = [0; 256];
            let p = machine.convert(text("\u{10FFFF}").as_bytes(), &mut room, true);
            assert!(matches!(p.status, Status::Unmappable(_)), "{to}: {p:?}");
            assert_eq!(room[..p.written], [around.as_bytes(), two].concat(), "{to}");
        }
    }
}
