//! Policies of callers: the errors that they are asked about, and how their answers are used.

use placemat::policy::{Action, Substitute, from_fn, from_fn_unmappable};
use placemat::stream::{Reader, Status, Transcoder, Writer};
use placemat::{Encoding, ErrorPolicy, IllFormed, OnError, OnUnmappable, Replacement, Span, Unmappable};
use std::io::{Read, Write};

/// Offsets count code units of the source on every route: direct, and through the hub in whole
/// pieces and in single steps.
#[test]
fn offsets_are_those_of_the_source() {
    // The text is long enough for whole pieces, with the first unmappable code point in the middle
    // of one and others near it.
    let text = format!("{}€é€{}€", "a".repeat(100), "é".repeat(5000));
    let units: Vec<u16> = text.encode_utf16().collect();
    for (from, width) in [(Encoding::UTF_16LE, 2), (Encoding::UTF_32BE, 4), (Encoding::UTF_8, 0)] {
        let src = Transcoder::new(Encoding::UTF_8, from).transcode(text.as_bytes());
        let expected: Vec<u64> = if width == 0 {
            text.match_indices('€').map(|(at, _)| at as u64).collect()
        } else {
            let at = units.iter().enumerate().filter(|&(_, &unit)| unit == 0x20AC);
            at.map(|(at, _)| (at * width) as u64).collect()
        };
        let mut found = Vec::new();
        let note = from_fn_unmappable(|u: &Unmappable| {
            found.push(u.offset());
            Substitute::Default
        });
        let out =
            Transcoder::new(from, Encoding::ISO_8859_1).on_unmappable(note).transcode(&src.unwrap()).unwrap();
        assert_eq!(found, expected, "{from}");
        assert_eq!(out.iter().filter(|&&byte| byte == b'?').count(), 3, "{from}");
    }
}

/// A policy with the longest answers that it may give.
struct Wordy(String);

impl OnError for Wordy {
    fn handle(&mut self, _: &IllFormed) -> Action<'_> {
        Action::Text(Replacement::new(&self.0).unwrap())
    }

    fn longest(&self) -> usize {
        self.0.chars().count()
    }
}

impl OnUnmappable for Wordy {
    fn handle(&mut self, _: &Unmappable) -> Substitute<'_> {
        Substitute::Text(Replacement::new(&self.0).unwrap())
    }

    fn longest(&self) -> usize {
        self.0.chars().count()
    }
}

/// The longest answer of a policy fits into `min_output`, and makes the adapters grow rather than spin.
#[test]
fn the_longest_replacements_fit() {
    let wordy = |c: &str| Wordy(c.repeat(Replacement::MAX_BYTES / c.len()));
    let src = b"a\xFFb\xFF";
    for (from, to) in [(Encoding::UTF_8, Encoding::US_ASCII), (Encoding::US_ASCII, Encoding::UTF_32)] {
        let machine = || Transcoder::new(from, to).on_error(wordy("€")).on_unmappable(wordy("x"));
        let mut whole = Vec::new();
        let mut room = vec![0; machine().min_output()];
        let mut t = machine();
        let mut read = 0;
        loop {
            let p = t.convert(&src[read..], &mut room, true);
            read += p.read;
            whole.extend_from_slice(&room[..p.written]);
            match p.status {
                Status::Done => break,
                Status::NeedOutput => assert!(p.read + p.written > 0, "{from} to {to}: no progress"),
                status => panic!("{from} to {to}: {status:?}"),
            }
        }
        assert!(whole.len() > 600, "{from} to {to}");
        let mut read = Vec::new();
        Reader::new(&src[..], machine()).read_to_end(&mut read).unwrap();
        assert_eq!(read, whole, "{from} to {to}");
        let mut writer = Writer::new(Vec::new(), machine());
        writer.write_all(src).unwrap();
        assert_eq!(writer.finish().unwrap(), whole, "{from} to {to}");
    }
}

/// With two functions as policies, the smallest output buffer is small enough for a small machine,
/// in every encoding.
#[test]
fn functions_need_little_room() {
    for &to in Encoding::ALL {
        let t = Transcoder::new(Encoding::UTF_16, to)
            .on_error(from_fn(|_: &IllFormed| Action::Stop))
            .on_unmappable(from_fn_unmappable(|_: &Unmappable| Substitute::Stop));
        assert!(t.min_output() <= 16 * 1024, "{to}: {}", t.min_output());
    }
}

/// A policy that yields more than it announced gets `NeedOutput` until its answer fits; callers
/// that own their buffers then enlarge them.
#[test]
fn more_than_announced_asks_for_room() {
    let long: &'static str = "a replacement that is far longer than it should be";
    let src = b"a\xFFb";
    let expected = format!("a{long}b").into_bytes();
    for to in [Encoding::UTF_8, Encoding::US_ASCII, Encoding::ISO_8859_1] {
        for from in [Encoding::UTF_8, Encoding::UTF_8_BOM] {
            let machine = || {
                let wordy = from_fn(move |_: &IllFormed| Action::Text(Replacement::new(long).unwrap()));
                Transcoder::new(from, to).on_error(wordy)
            };
            let mut t = machine();
            let mut room = vec![0; t.min_output().min(long.len() - 1)];
            let p = t.convert(src, &mut room, true);
            assert_eq!((p.read, p.written, p.status), (1, 1, Status::NeedOutput), "{from} to {to}");
            for _ in 0..3 {
                let p = t.convert(&src[1..], &mut room, true);
                assert_eq!((p.read, p.written, p.status), (0, 0, Status::NeedOutput), "{from} to {to}");
            }
            room.resize(long.len() + 1, 0);
            let p = t.convert(&src[1..], &mut room, true);
            assert_eq!((p.read, p.written, p.status), (2, long.len() + 1, Status::Done), "{from} to {to}");
            assert_eq!(room, expected[1..]);

            assert_eq!(machine().transcode(src).unwrap(), expected);
            let mut read = Vec::new();
            Reader::with_capacity(1, &src[..], machine()).read_to_end(&mut read).unwrap();
            assert_eq!(read, expected, "{from} to {to}");
        }
    }
}

/// A few long replacements at the start of a long text determine neither the growth for the whole
/// text nor the capacity of a new string.
#[test]
fn memory_stays_in_proportion() {
    let mut src = vec![b'a'; 1 << 20];
    src[..1000].fill(0xFF);
    let long = "x".repeat(Replacement::MAX_BYTES);
    let policy = ErrorPolicy::ReplaceWith(Replacement::new(&long).unwrap());
    let bytes = Transcoder::new(Encoding::UTF_8, Encoding::UTF_8).on_error(policy).transcode(&src).unwrap();
    let text = placemat::utf8::decode(&src, policy).unwrap().into_owned();
    for out in [bytes, text.into_bytes()] {
        assert_eq!(out.len(), 1000 * Replacement::MAX_BYTES + (1 << 20) - 1000);
        assert!(out.capacity() <= 4 * out.len(), "{} for {}", out.capacity(), out.len());
    }
}

/// A new string may begin with a sample, to see how much longer the text becomes. The policy still
/// sees each error at its offset, and a stop anywhere ends the text there.
#[test]
fn a_new_string_has_each_error_at_its_offset() {
    for (first, gap) in [(0, 1), (0, 2), (3, 13), (100, 41), (255, 1000), (256, 3), (300, 29), (4000, 7)] {
        for shift in 0..8 {
            // Whole and unfinished sequences lie across each offset where a piece may end.
            let mut src = "aé日😀".repeat(2000).into_bytes();
            src.drain(..shift);
            let errors = [
                &b"\xFF"[..],
                b"\xE2\x82",
                b"\x80",
                b"\xF0\x9F\x98",
                b"\xED\xA0\x80",
                b"\xF0\x80\x80\x80",
                b"\xFC\x80",
            ];
            for (i, at) in (first..src.len()).step_by(gap).enumerate() {
                let error = errors[i % errors.len()];
                if let Some(to) = src.get_mut(at..at + error.len()) {
                    to.copy_from_slice(error);
                }
            }
            let (mut expected, mut whole) = (Vec::new(), String::new());
            let mut at = 0;
            for chunk in src.utf8_chunks() {
                at += chunk.valid().len();
                whole.push_str(chunk.valid());
                if !chunk.invalid().is_empty() {
                    expected.push(at as u64);
                    whole.push_str("<?>");
                    at += chunk.invalid().len();
                }
            }
            // With other spans of errors, the result equals that of a conversion to bytes, which
            // takes no sample.
            for span in [Span::Unit, Span::Structural] {
                let policy = || ErrorPolicy::ReplaceWith(Replacement::new("<?>").unwrap()).spanning(span);
                let by_steps = Transcoder::new(Encoding::UTF_8, Encoding::UTF_8)
                    .on_error(policy())
                    .transcode(&src)
                    .unwrap();
                let decoded = placemat::utf8::decode(&src, policy()).unwrap();
                assert!(decoded.as_bytes() == by_steps, "{first} {gap} {shift} {span:?}");
            }
            for stop in [1, 2, expected.len() / 3, expected.len(), usize::MAX] {
                let mut found = Vec::new();
                let policy = from_fn(|e: &IllFormed| {
                    if found.last() != Some(&e.offset()) {
                        found.push(e.offset());
                    }
                    if found.len() == stop {
                        Action::Stop
                    } else {
                        Action::Text(Replacement::new("<?>").unwrap())
                    }
                });
                let decoded = placemat::utf8::decode(&src, policy).map_err(|e| e.offset());
                if let Some(&at) = expected.get(stop.wrapping_sub(1)) {
                    assert_eq!(decoded, Err(at), "{first} {gap} {shift} {stop}");
                } else {
                    assert!(decoded.as_deref() == Ok(&whole), "{first} {gap} {shift} {stop}");
                }
                assert!(expected.iter().take(stop).eq(&found), "{first} {gap} {shift} {stop}");
            }
        }
    }
}

/// A function can stop at one kind of error and replace another.
#[test]
fn a_choice_by_kind() {
    let choose = || {
        from_fn(|e: &IllFormed| match e.code() {
            "overlong-2" => Action::Stop,
            _ => Action::Text(Replacement::QUESTION),
        })
    };
    assert_eq!(placemat::utf8::decode(b"a\xFFb\xE2\x82c", choose()).unwrap(), "a?b?c");
    let e = placemat::utf8::decode(b"a\xFFb\xC0\x80", choose()).unwrap_err();
    assert_eq!((e.offset(), e.code()), (3, "overlong-2"));
}
