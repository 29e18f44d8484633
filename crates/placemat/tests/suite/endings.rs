//! The end of a text in a shifted state, and with a letter that waits for another byte: every cut of texts in every encoding that
//! shifts, compared with a reader of states alone, written from RFC 1468, 1554, 1557, 1843, 1922 and 2237.

use crate::data::hex;
use placemat::policy::ByKind;
use placemat::stream::{self, Progress, Status, Transcoder};
use placemat::{
    ConvertError, Encoding, ErrorPolicy, IllFormedKind, OnError, OnUnmappable, UnmappablePolicy, web,
};
use std::io::Read as _;

/// An error: its offset, its length and its code.
type Found = (u64, usize, &'static str);

/// The escape sequences to sets of each relative of ISO-2022-JP.
const JAPANESE: [(Encoding, &[&[u8]]); 7] = [
    (Encoding::ISO_2022_JP, &[b"(B", b"(J", b"(I", b"$@", b"$B"]),
    (Encoding::ISO_2022_JP_STRICT, &[b"(B", b"(J", b"$@", b"$B"]),
    (Encoding::ISO_2022_JP_1, &[b"(B", b"(J", b"$@", b"$B", b"$(D"]),
    (Encoding::ISO_2022_JP_2, &[b"(B", b"(J", b"$@", b"$B", b"$(D", b"$A", b"$(A", b"$(C"]),
    (Encoding::ISO_2022_JP_3, &[b"(B", b"(J", b"(I", b"$@", b"$B", b"$(O", b"$(Q", b"$(P"]),
    (Encoding::ISO_2022_JP_2004, &[b"(B", b"$@", b"$B", b"$(Q", b"$(P"]),
    (Encoding::ISO_2022_JP_EXT, &[b"(B", b"(J", b"(I", b"$@", b"$B", b"$(D"]),
];

fn escapes(encoding: Encoding) -> Option<&'static [&'static [u8]]> {
    JAPANESE.iter().find(|(one, _)| *one == encoding).map(|&(_, escapes)| escapes)
}

/// Encodings with SO and SI, or with tildes.
fn others() -> impl Iterator<Item = Encoding> {
    let shifts = |encoding: &Encoding| {
        let is_ebcdic = matches!(
            encoding.name(),
            "IBM930"
                | "IBM933"
                | "IBM935"
                | "IBM937"
                | "IBM939"
                | "IBM1364"
                | "IBM1371"
                | "IBM1388"
                | "IBM1390"
                | "IBM1399"
        );
        let seven_bits =
            [Encoding::ISO_2022_KR, Encoding::ISO_2022_CN, Encoding::ISO_2022_CN_EXT, Encoding::HZ_GB_2312];
        is_ebcdic || seven_bits.contains(encoding)
    };
    Encoding::ALL.iter().copied().filter(shifts)
}

/// The model: reads states and lengths, and no characters. The text is well-formed up to its end.
fn model(encoding: Encoding, src: &[u8]) -> Vec<Found> {
    let (mut at, mut found) = (0, Vec::new());
    let (mut width, mut open) = (1, None);
    while at < src.len() {
        let rest = &src[at..];
        let known: Vec<Vec<u8>> = match escapes(encoding) {
            Some(known) => known.iter().map(|known| [b"\x1B", *known].concat()).collect(),
            None if encoding == Encoding::HZ_GB_2312 && width == 1 => {
                ["~{", "~~", "~\n"].map(Vec::from).to_vec()
            }
            None if encoding == Encoding::HZ_GB_2312 => vec![b"~}".to_vec()],
            None => ["\x0E", "\x0F", "\x1B$)C", "\x1B$)A", "\x1B$)G", "\x1B$*H", "\x1B$)E", "\x1B$+I"]
                .map(Vec::from)
                .to_vec(),
        };
        if let Some(shift) = known.iter().find(|known| rest.starts_with(known)) {
            width = match &shift[..] {
                b"\x1B(B" => {
                    open = None;
                    1
                }
                [0x1B, b'$', b')' | b'*' | b'+', ..] | b"~~" | b"~\n" => width,
                b"\x0F" | b"~}" => {
                    open = None;
                    1
                }
                _ => {
                    open = Some((at as u64, shift.len(), "unclosed-shift"));
                    if shift.starts_with(b"\x1B(") { 1 } else { 2 }
                }
            };
            at += shift.len();
        } else if known.iter().any(|known| known.starts_with(rest)) {
            // A browser takes the bytes after ESC for text.
            let len = if encoding == Encoding::ISO_2022_JP { 1 } else { rest.len() };
            found.push((at as u64, len, "incomplete"));
            at += len;
        } else {
            let len = if rest.starts_with(b"\x1BN") { 4 } else { width };
            if rest.len() < len {
                found.push((at as u64, rest.len(), "incomplete"));
            }
            at += len;
        }
    }
    // Writers of Korean leave the last shift open, and so do the cases of other programs.
    found.extend(open.filter(|_| encoding != Encoding::ISO_2022_KR));
    found
}

/// Returns the errors of a text in pieces, going on after each.
fn errors<D: OnError, U: OnUnmappable>(mut t: Transcoder<D, U>, pieces: &[&[u8]]) -> Vec<Found> {
    let (mut found, mut room) = (Vec::new(), [0; 256]);
    for (i, piece) in pieces.iter().enumerate() {
        let mut at = 0;
        loop {
            let last = i + 1 == pieces.len();
            let Progress { read, status, .. } = t.convert(&piece[at..], &mut room, last);
            at += read;
            match status {
                Status::IllFormed(e) => found.push((e.offset(), e.len(), e.code())),
                Status::NeedOutput => {}
                Status::Unmappable(e) => panic!("{e}"),
                Status::Done | Status::NeedInput => break,
            }
        }
    }
    found
}

fn checker(encoding: Encoding) -> Transcoder {
    Transcoder::checker(encoding)
}

/// Asserts that `src` has the errors `want`: whole, in two pieces, byte by byte, to UTF-8 and to UTF-16.
fn reads_alike(encoding: Encoding, src: &[u8], want: &[Found]) {
    let why = || format!("{encoding}: {}", hex(src));
    let to = |to| Transcoder::new(encoding, to).on_unmappable(UnmappablePolicy::Replace);
    assert_eq!(errors(checker(encoding), &[src]), want, "{}", why());
    assert_eq!(errors(to(Encoding::UTF_8), &[src]), want, "to UTF-8, {}", why());
    assert_eq!(errors(to(Encoding::UTF_16LE), &[src]), want, "to UTF-16, {}", why());
    assert_eq!(errors(to(Encoding::UTF_32BE), &[src]), want, "to UTF-32, {}", why());
    for cut in 0..=src.len() {
        let (first, second) = src.split_at(cut);
        assert_eq!(errors(checker(encoding), &[first, second]), want, "cut at {cut}, {}", why());
        assert_eq!(errors(to(Encoding::UTF_8), &[first, second]), want, "to UTF-8, cut at {cut}, {}", why());
    }
    let bytes: Vec<&[u8]> = src.chunks(1).chain([&[][..]]).collect();
    assert_eq!(errors(checker(encoding), &bytes), want, "byte by byte, {}", why());
    assert_eq!(errors(to(Encoding::UTF_16LE), &bytes), want, "byte by byte to UTF-16, {}", why());
}

/// Reads each beginning of a text as the model does.
fn every_cut(encoding: Encoding, text: &[u8]) {
    for end in 0..=text.len() {
        reads_alike(encoding, &text[..end], &model(encoding, &text[..end]));
    }
}

#[test]
fn every_cut_of_japanese_has_its_finding() {
    let text = |escape: &[u8]| -> Vec<u8> {
        let text: &[u8] = match escape {
            b"$(P" => b"!!!!",
            [b'$', ..] => b"0!0!",
            _ => b"1",
        };
        [b"\x1B", escape, text].concat()
    };
    for (encoding, escapes) in JAPANESE {
        for first in escapes {
            for second in escapes {
                every_cut(encoding, &[b"ab", &text(first)[..], &text(second), b"\x1B(Bc\n"].concat());
            }
        }
    }
}

#[test]
fn every_cut_of_shifts_has_its_finding() {
    for encoding in others() {
        let mut some: Vec<Vec<u8>> = Vec::new();
        for text in ["a漢b\n字字", "가나a다", "aぁ漢漢", "~一~\n丁", "囍ab龘"] {
            some.extend(encoding.encode(text, UnmappablePolicy::Skip).map(Vec::from));
        }
        if encoding == Encoding::HZ_GB_2312 {
            some.push(b"~~a~{0!0!~}~\nb~{0!~}".to_vec());
        }
        let cut = |text: &Vec<u8>| model(encoding, &text[..text.len() - 1]);
        let opens = some.iter().any(|text| cut(text).iter().any(|found| found.2 == "unclosed-shift"));
        assert_eq!(opens, encoding != Encoding::ISO_2022_KR, "{encoding}");
        for text in some {
            assert_eq!(model(encoding, &text), [], "{encoding}: {}", hex(&text));
            every_cut(encoding, &text);
        }
    }
}

#[test]
fn a_long_text_has_its_finding_through_every_loop() {
    for encoding in others().chain(JAPANESE.map(|(encoding, _)| encoding)) {
        let ends_open = encoding != Encoding::ISO_2022_KR;
        for len in (1..80).chain([127, 128, 129, 1000, 1024, 5000, 20_000]) {
            let characters = "一字".repeat(len);
            let Ok(text) = encoding.encode(&characters, UnmappablePolicy::Stop) else { break };
            let close = if escapes(encoding).is_some() {
                3
            } else if encoding == Encoding::HZ_GB_2312 {
                2
            } else {
                1
            };
            let (cut, want) = (&text[..text.len() - close], usize::from(ends_open));
            let to = [
                Encoding::UTF_8,
                Encoding::UTF_16LE,
                Encoding::UTF_16BE,
                Encoding::UTF_32LE,
                Encoding::GB18030,
                encoding,
            ];
            for to in to {
                let found = errors(Transcoder::new(encoding, to), &[cut]);
                assert_eq!(found.len(), want, "{encoding} to {to}, {len}");
                let found = errors(Transcoder::new(encoding, to).on_error(ErrorPolicy::Replace), &[cut]);
                assert_eq!(found, [], "{encoding} to {to}, {len}");
                assert_eq!(errors(Transcoder::new(encoding, to), &[&text]), [], "{encoding} to {to}, {len}");
            }
            assert_eq!(errors(checker(encoding), &[cut]).len(), want, "{encoding}, {len}");
            assert_eq!(encoding.decode(cut, ErrorPolicy::Stop).is_err(), ends_open, "{encoding}, {len}");
        }
    }
}

/// A little generator of numbers.
fn numbers(mut state: u32) -> impl FnMut(usize) -> usize {
    move |below| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as usize % below
    }
}

#[test]
fn damaged_text_ends_alike_in_any_pieces() {
    const PARTS: [&[u8]; 22] = [
        b"a", b"!", b"~", b"{", b"}", b"~{", b"~}", b"\x0E", b"\x0F", b"\x1B", b"\x1B$B", b"\x1B(J",
        b"\x1B(B", b"\x1B$(D", b"\x1B$)C", b"\x1B$)A", b"0!", b"\n", b"\xFF", b"$", b"(", b"\x1BN",
    ];
    let mut next = numbers(7);
    for encoding in others().chain(JAPANESE.map(|(encoding, _)| encoding)) {
        for _ in 0..60 {
            let src: Vec<u8> = (0..next(14)).flat_map(|_| PARTS[next(PARTS.len())]).copied().collect();
            reads_alike(encoding, &src, &errors(checker(encoding), &[&src]));
        }
    }
}

#[test]
fn text_of_the_encoders_ends_as_it_must() {
    let mut next = numbers(11);
    let scripts = [
        0x20..0x7F,
        0xA0..0x250,
        0x3040..0x3100,
        0x4E00..0x9FA0,
        0xAC00..0xD7A0,
        0xFF61..0xFFA0,
        0x20000..0x20100,
    ];
    for &encoding in Encoding::ALL {
        for _ in 0..40 {
            let text: String = (0..next(12))
                .filter_map(|_| {
                    let script = scripts[next(scripts.len())].clone();
                    char::from_u32(script.start + next(script.len()) as u32)
                })
                .collect();
            let bytes =
                encoding.encode(&text, UnmappablePolicy::Skip).expect("what is unmappable is left out");
            let mut t = checker(encoding);
            let p = t.convert(&bytes, &mut [], true);
            assert_eq!((p.status, t.open_shift()), (Status::Done, None), "{encoding}: {text:?}");
        }
    }
}

const CUT: &[u8] = b"1\x1B$B$\"";

#[test]
fn a_policy_is_told_and_adds_no_text() {
    let decode = |policy: ErrorPolicy<'static>| Encoding::ISO_2022_JP.decode(CUT, policy);
    let e = decode(ErrorPolicy::Stop).unwrap_err();
    assert_eq!(e.to_string(), "unclosed shift 0x1b 0x24 0x42 at offset 1");
    assert!(
        matches!(e, ConvertError::IllFormed(e) if e.is_incomplete() && e.kind() == IllFormedKind::UnclosedShift)
    );
    for policy in [ErrorPolicy::Replace, ErrorPolicy::Skip, ErrorPolicy::HexEscape, ErrorPolicy::Latin1] {
        let t = Transcoder::new(Encoding::ISO_2022_JP, Encoding::UTF_8).on_error(policy);
        let (text, tally) = t.transcode_and_tally(CUT).expect("it goes on");
        assert_eq!(text, "1あ".as_bytes(), "{policy:?}");
        assert_eq!((tally.unclosed.count, tally.unclosed.first), (1, Some(1)), "{policy:?}");
        assert_eq!((tally.replaced.count, tally.ignored.count), (0, 0), "{policy:?}");
    }
    let by_kind: ByKind<'_> = "unclosed-shift=ignore".parse().expect("a policy");
    assert_eq!(Encoding::ISO_2022_JP.decode(CUT, by_kind).expect("it may end so"), "1あ");
    assert!(Encoding::ISO_2022_JP.decode(b"\xFF", by_kind).is_err());
    // Escaped bytes give the same bytes again, or none at all: an encoder would add the shift back.
    assert!(decode(ErrorPolicy::SurrogateEscape).is_err());
    let by_kind: ByKind<'_> = "replace,unclosed-shift=strict".parse().expect("a policy");
    assert!(Encoding::ISO_2022_JP.decode(CUT, by_kind).is_err());
    let mut told = Vec::new();
    let policy = placemat::policy::from_fn(|e| {
        told.push(e.offset());
        placemat::policy::Action::Text(placemat::Replacement::QUESTION)
    });
    let text = Transcoder::new(Encoding::ISO_2022_JP, Encoding::UTF_16BE).on_error(policy).transcode(CUT);
    assert_eq!((text.expect("it goes on"), told), (b"\x001\x30\x42".to_vec(), vec![1]));
}

#[test]
fn browsers_and_parts_may_end_shifted() {
    let decoded = web::decode(CUT, Encoding::ISO_2022_JP);
    assert_eq!((decoded.text.as_ref(), decoded.errors), ("1あ", 0));
    assert_eq!(Encoding::ISO_2022_JP.decode_lossy(CUT).errors, 0);
    let (mut text, mut reader) = (String::new(), web::reader(CUT, Encoding::ISO_2022_JP));
    reader.read_to_string(&mut text).expect("a text");
    assert_eq!((text.as_str(), reader.tally()), ("1あ", stream::Tally::default()));
    let part = Transcoder::new(Encoding::ISO_2022_JP, Encoding::UTF_8).ending_shifted();
    assert_eq!(part.transcode(CUT).expect("it may end so"), "1あ".as_bytes());
    // iconv(3) asks for the shift if it wants to know.
    let mut t = Transcoder::new(Encoding::ISO_2022_JP, Encoding::UTF_8).leaving_rest();
    let p = t.convert(CUT, &mut [0; 16], true);
    assert_eq!((p.status, t.open_shift().map(|e| e.offset())), (Status::Done, Some(1)));
    // A conversion that is given up has no end.
    let mut t = Transcoder::new(Encoding::ISO_2022_JP, Encoding::UTF_8);
    let _ = t.convert(CUT, &mut [0; 16], false);
    assert_eq!(t.close(&mut [0; 16]).status, Status::Done);
}

#[test]
fn readers_stop_after_the_text() {
    let mut reader = stream::Reader::new(CUT, Transcoder::new(Encoding::ISO_2022_JP, Encoding::UTF_8));
    let mut text = Vec::new();
    let e = reader.read_to_end(&mut text).unwrap_err();
    assert_eq!(
        (text.as_slice(), e.to_string().as_str()),
        ("1あ".as_bytes(), "unclosed shift 0x1b 0x24 0x42 at offset 1")
    );
    assert_eq!(reader.read(&mut [0; 8]).expect("the end"), 0);
}

#[test]
fn a_checkpoint_keeps_the_shift() {
    let mut t = checker(Encoding::ISO_2022_CN);
    let _ = t.convert(b"\x1B$)Aab\x0E0!", &mut [], false);
    let within = t.checkpoint().expect("nothing is left inside");
    let _ = t.convert(b"\x0Fab\x0E0!", &mut [], false);
    let later = t.checkpoint().expect("nothing is left inside");
    assert_eq!(within, later, "both go on alike");
    for (checkpoint, offset, shift) in [(within, 9, 6), (later, 15, 12), (within, 20, 17)] {
        t.resume(&checkpoint, offset);
        assert_eq!(errors(t.clone(), &[b"0!"]), [(shift, 1, "unclosed-shift")]);
        assert_eq!(errors(t.clone(), &[b"0!\x0F"]), []);
    }
}

#[test]
fn a_letter_that_waits_for_another_is_incomplete() {
    let cases: [(&str, &[u8], u64); 4] = [
        ("marc-8", b"a\xE2", 1),
        ("iso-6937", b"a\xC2", 1),
        ("gsm-03.38", b"a\x1B", 1),
        ("t.61", b"a\xC2", 1),
    ];
    for (label, bytes, offset) in cases {
        let Some(encoding) = Encoding::for_label(label) else { continue };
        assert_eq!(errors(checker(encoding), &[bytes]), [(offset, 1, "incomplete")], "{encoding}");
    }
    assert!(Encoding::for_label("marc-8").is_some() && Encoding::for_label("iso-6937").is_some());
}
