//! The small functions on slices: boundaries, counting, one scalar value at a time, order, lengths, signatures, labels.
//! The tests compare them with `core`, with the oracle and with plain loops: on all short strings where that is
//! possible, and on well-formed and ill-formed texts of all lengths where blocks are at work.

use crate::data::hex;
use crate::oracle::{self, Form, Item, Mode, Span, Unmappable, helpers};
use crate::samples::{BEYOND, BORDERS, SURROGATES, samples};
use crate::subject::{fault, form, in_parallel, in_turn, is_single_byte};
use core::cmp::Ordering;
use placemat::forms::{EncodingForm, Utf8, Utf16};
use placemat::stream::Status;
use placemat::{
    Be, CodePoint, Encoding, ErrorPolicy, Le, UnmappablePolicy, bom, convert, length, utf8, utf16,
};

/// The first byte, the last byte and a middle byte of each class.
const ALPHABET: [u8; 9] = [0x0A, 0x41, 0x80, 0xBF, 0xC3, 0xE2, 0xED, 0xF0, 0xFF];

/// Returns all strings of up to `longest` bytes of [`ALPHABET`] that start with its byte number
/// `first`.
fn words(first: usize, longest: usize) -> Vec<Vec<u8>> {
    let mut all = vec![vec![ALPHABET[first]]];
    let mut last = all.clone();
    for _ in 1..longest {
        last = last.iter().flat_map(|word| ALPHABET.map(|byte| [&word[..], &[byte]].concat())).collect();
        all.extend_from_slice(&last);
    }
    all
}

/// Returns text and noise, long enough for every block size and each remainder.
fn long_strings() -> Vec<Vec<u8>> {
    let text: Vec<u8> = "a\n\u{E9}\u{20AC}z\u{1F600}\u{FFFD}\n".bytes().cycle().take(700).collect();
    let noise: Vec<u8> = (0..700_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let high: Vec<u8> = [0x80, 0xFF, 0xF0, 0x0A].into_iter().cycle().take(700).collect();
    let mut all = Vec::new();
    for source in [text, noise, high, vec![0x80; 700], vec![b'\n'; 700]] {
        for len in (0..280).chain([500, 511, 512, 513, 640]) {
            all.push(source[len % 7..len % 7 + len].to_vec());
        }
    }
    all
}

fn is_continuation(byte: u8) -> bool {
    (0x80..0xC0).contains(&byte)
}

#[test]
fn boundaries() {
    let agree = |bytes: &[u8]| {
        let core = core::str::from_utf8(bytes).ok();
        for at in 0..=bytes.len() + 2 {
            let floor = utf8::floor_boundary(bytes, at);
            let ceil = utf8::ceil_boundary(bytes, at);
            assert_eq!(floor, helpers::floor(bytes, at), "{} at {at}", hex(bytes));
            assert_eq!(ceil, helpers::ceil(bytes, at), "{} at {at}", hex(bytes));
            assert_eq!(utf8::truncate(bytes, at), &bytes[..helpers::truncated_len(bytes, at)]);
            let boundary = at == 0 || at == bytes.len() || at < bytes.len() && !is_continuation(bytes[at]);
            assert_eq!(utf8::is_boundary(bytes, at), boundary, "{} at {at}", hex(bytes));
            if let Some(text) = core {
                assert_eq!(boundary, text.is_char_boundary(at), "{} at {at}", hex(bytes));
                let floor_is = (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at));
                let ceil_is = (at.min(text.len())..=text.len()).find(|&at| text.is_char_boundary(at));
                assert_eq!((Some(floor), Some(ceil)), (floor_is, ceil_is), "{} at {at}", hex(bytes));
            }
        }
    };
    agree(&[]);
    in_parallel(ALPHABET.len(), |first| words(first, 6).iter().for_each(|word| agree(word)));
    long_strings().iter().for_each(|bytes| agree(bytes));
}

/// Returns the end of the longest prefix whose bytes weigh at most `max`, by a plain loop.
fn weighed(bytes: &[u8], max: usize, weight: fn(u8) -> usize) -> usize {
    (0..=bytes.len())
        .rev()
        .find(|&end| bytes[..end].iter().map(|&byte| weight(byte)).sum::<usize>() <= max)
        .unwrap()
}

#[test]
fn prefixes_of_so_many_code_points_and_utf16_units() {
    let agree = |bytes: &[u8], max: usize| {
        let code_points = utf8::truncate_code_points(bytes, max);
        let units = utf8::truncate_utf16(bytes, max);
        let by_loop = weighed(bytes, max, |byte| usize::from(!is_continuation(byte)));
        assert_eq!(code_points, &bytes[..by_loop], "{} to {max}", hex(bytes));
        let by_loop =
            weighed(bytes, max, |byte| usize::from(!is_continuation(byte)) + usize::from(byte >= 0xF0));
        assert_eq!(units, &bytes[..by_loop], "{} to {max}", hex(bytes));
        if let Ok(text) = core::str::from_utf8(bytes) {
            let want: String = text.chars().take(max).collect();
            assert_eq!(code_points, want.as_bytes());
            let mut left = max;
            let fits = |c: &char| {
                let fits = c.len_utf16() <= left;
                left = left.saturating_sub(c.len_utf16());
                fits
            };
            let want: String = text.chars().take_while(fits).collect();
            assert_eq!(units, want.as_bytes());
        }
    };
    in_parallel(ALPHABET.len(), |first| {
        for word in words(first, 5) {
            (0..=6).for_each(|max| agree(&word, max));
        }
    });
    for bytes in long_strings().iter().step_by(7) {
        for max in [0, 1, 2, 85, 86, 127, 128, 256, 257, 512, 700] {
            agree(bytes, max);
        }
    }
}

#[test]
fn counts() {
    let agree = |bytes: &[u8]| {
        let count = bytes.iter().filter(|&&byte| !is_continuation(byte)).count();
        assert_eq!(utf8::count_code_points(bytes), count, "{}", hex(bytes));
        let feeds = bytes.iter().filter(|&&byte| byte == b'\n').count();
        assert_eq!(utf8::count_line_feeds(bytes), feeds, "{}", hex(bytes));
        let starts = (0..bytes.len()).filter(|&at| !is_continuation(bytes[at]));
        let mut n = 0;
        for start in starts {
            assert_eq!(utf8::nth_code_point(bytes, n), Some(start), "{} number {n}", hex(bytes));
            n += 1;
        }
        assert_eq!(utf8::nth_code_point(bytes, n), None, "{}", hex(bytes));
        assert_eq!(utf8::nth_code_point(bytes, usize::MAX), None, "{}", hex(bytes));
        if let Ok(text) = core::str::from_utf8(bytes) {
            assert_eq!(count, text.chars().count());
        }
    };
    in_parallel(ALPHABET.len(), |first| words(first, 5).iter().for_each(|word| agree(word)));
    long_strings().iter().for_each(|bytes| agree(bytes));
}

/// Asserts that the functions find the items of forward decoding from the front and from the back:
/// the first, the last, and all of them in reverse order.
fn first_and_last(bytes: &[u8]) {
    let items = oracle::items(Form::Utf8, bytes, Span::Maximal, Mode::Strict);
    let as_item =
        |found: Result<(char, usize), placemat::IllFormed>, start: usize, end: Option<usize>| match found {
            Ok((c, len)) => {
                let start = end.map_or(start, |end| end - len);
                Item::CodePoint { value: c.into(), start, end: start + len }
            }
            Err(e) => {
                let mut fault = fault(&e, 1);
                assert!(e.bytes() == &bytes[start..][fault.start..fault.end]);
                fault.start += start;
                fault.end += start;
                Item::Error(fault)
            }
        };
    let mut at = 0;
    for &item in &items {
        let found = utf8::decode_first(&bytes[at..]).expect("a rest that is not empty");
        let found = as_item(found, at, None);
        assert_eq!(found, item, "{} from the front", hex(bytes));
        let (Item::CodePoint { end, .. } | Item::Error(oracle::Fault { end, .. })) = item;
        at = end;
    }
    let mut end = bytes.len();
    for &item in items.iter().rev() {
        let found = utf8::decode_last(&bytes[..end]).expect("a rest that is not empty");
        let found = as_item(found, 0, Some(end));
        match (found, item) {
            // Where the text ends there, a sequence that the next byte interrupted is only
            // incomplete.
            (Item::Error(a), Item::Error(b)) if b.kind == "truncated" => {
                assert_eq!((a.start, a.end, a.kind), (b.start, b.end, "incomplete"), "{}", hex(bytes));
            }
            (Item::Error(a), Item::Error(b)) if a.kind == "incomplete" => {
                assert_eq!((a.start, a.end), (b.start, b.end), "{} from the back", hex(bytes));
            }
            (found, item) => assert_eq!(found, item, "{} from the back", hex(bytes)),
        }
        let (Item::CodePoint { start, .. } | Item::Error(oracle::Fault { start, .. })) = item;
        end = start;
    }
}

#[test]
fn one_at_a_time_from_either_end_of_every_string_of_three_bytes() {
    assert_eq!((utf8::decode_first(&[]), utf8::decode_last(&[])), (None, None));
    in_parallel(256, |first| {
        let first = first as u8;
        for second in 0..=0xFF {
            for third in (0..=0xFF).filter(|&third| in_turn(usize::from(first) + usize::from(third), 4)) {
                first_and_last(&[first, second, third]);
            }
            first_and_last(&[first, second]);
        }
        first_and_last(&[first]);
    });
}

#[test]
fn one_at_a_time_from_either_end_of_longer_strings() {
    in_parallel(ALPHABET.len(), |first| words(first, 6).iter().for_each(|word| first_and_last(word)));
    for bytes in samples(Form::Utf8) {
        first_and_last(&bytes);
    }
}

/// The chunks together are the whole input, and equal those of the standard library.
#[test]
fn chunks() {
    for bytes in samples(Form::Utf8).into_iter().chain(long_strings()) {
        let found: Vec<_> = utf8::chunks(&bytes).collect();
        let core = bytes.utf8_chunks().map(|c| (c.valid(), c.invalid()));
        let pairs = found.iter().map(|c| (c.text(), c.ill_formed()));
        let mut at = 0;
        for ((text, error), (valid, invalid)) in pairs.zip(core.clone()) {
            assert_eq!(text, valid);
            at += text.len();
            assert_eq!(error.map_or(0, |e| e.len()), invalid.len());
            if let Some(e) = error {
                assert_eq!((e.valid_up_to(), e.bytes()), (at, invalid));
            }
            at += invalid.len();
        }
        assert_eq!((found.len(), at), (core.count(), bytes.len()), "{}", hex(&bytes));
        let mut iterator = utf8::chunks(&bytes);
        assert_eq!(format!("{iterator:?}"), format!("{found:?}"));
        assert_eq!(iterator.by_ref().count(), found.len());
        assert_eq!(iterator.next(), None, "it stays at the end");
    }
}

#[test]
fn encoding_one_scalar_value() {
    for c in '\0'..=char::MAX {
        let expected = c.encode_utf8(&mut [0; 4]).to_owned();
        assert_eq!(utf8::encode(c, &mut [0; 4]).as_deref(), Some(&*expected));
        let mut tight = [0; 4];
        assert_eq!(utf8::encode(c, &mut tight[..expected.len()]).as_deref(), Some(&*expected));
        let mut small = [0xAA; 3];
        assert_eq!(utf8::encode(c, &mut small[..expected.len() - 1]), None);
        assert_eq!(small, [0xAA; 3], "nothing was written for U+{:04X}", u32::from(c));
    }
}

#[test]
fn code_points() {
    for value in BORDERS.into_iter().chain(SURROGATES).chain(BEYOND) {
        let c = CodePoint::new(value).expect("31 bits");
        assert_eq!((c.value(), u32::from(c)), (value, value));
        assert_eq!(c.to_char(), char::from_u32(value));
        assert_eq!(c.is_surrogate(), (0xD800..=0xDFFF).contains(&value), "{c}");
        let pair = char::from_u32(value).map(|c| c.encode_utf16(&mut [0; 2]).to_vec());
        let units = c.to_pair().map(|(lead, trail)| vec![lead, trail]);
        assert_eq!(units, pair.filter(|units| units.len() == 2), "{c}");
        assert_eq!(c.to_string(), format!("U+{value:04X}"));
        assert_eq!(format!("{c:?}"), c.to_string());
    }
    let noncharacters = (0..=0x11_FFFF).filter_map(CodePoint::new).filter(|c| c.is_noncharacter());
    assert_eq!(noncharacters.count(), 66);
    assert_eq!(CodePoint::new(0x8000_0000), None);
    assert_eq!(CodePoint::from('\u{20AC}'), CodePoint::from_u16(0x20AC));
    assert_eq!(CodePoint::from_byte(0xE9).to_char(), Some('\u{E9}'));
    assert!(CodePoint::from_u16(0xDFFF) < CodePoint::MAX && CodePoint::default().value() == 0);
}

/// Compares all pairs of texts of up to two code points at all boundaries.
#[test]
fn order() {
    let scalars: Vec<char> = BORDERS.into_iter().filter_map(char::from_u32).collect();
    let mut texts: Vec<String> = scalars.iter().map(|&c| c.into()).collect();
    texts.push(String::new());
    texts.extend(
        scalars.iter().flat_map(|&a| ['a', '\u{E000}', '\u{1F600}'].map(|b| String::from_iter([a, b]))),
    );
    let units: Vec<Vec<u16>> = texts.iter().map(|text| text.encode_utf16().collect()).collect();
    for (a, a16) in texts.iter().zip(&units) {
        for (b, b16) in texts.iter().zip(&units) {
            assert_eq!(utf8::compare_code_points(a.as_bytes(), b.as_bytes()), a.cmp(b), "{a:?} {b:?}");
            assert_eq!(utf8::compare_utf16_order(a.as_bytes(), b.as_bytes()), a16.cmp(b16), "{a:?} {b:?}");
            assert_eq!(utf16::compare_code_points(a16, b16), a.cmp(b), "{a:?} {b:?}");
        }
    }
}

/// The order is total on any bytes and any units, not only on texts.
#[test]
fn order_of_anything() {
    let strings: Vec<_> = (0..ALPHABET.len()).flat_map(|first| words(first, 2)).collect();
    let units: Vec<Vec<u16>> = [0, 0x41, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFFFF]
        .into_iter()
        .flat_map(|a| [vec![a], vec![a, 0xDC00], vec![a, 0x41]])
        .collect();
    fn total<T: AsRef<[U]>, U>(all: &[T], compare: fn(&[U], &[U]) -> Ordering) {
        for a in all {
            for b in all {
                let ab = compare(a.as_ref(), b.as_ref());
                assert_eq!(ab, compare(b.as_ref(), a.as_ref()).reverse());
                for c in all {
                    let bc = compare(b.as_ref(), c.as_ref());
                    assert!(ab.is_gt() || bc.is_gt() || compare(a.as_ref(), c.as_ref()).is_le());
                }
            }
        }
    }
    total(&strings, utf8::compare_code_points);
    total(&strings, utf8::compare_utf16_order);
    total(&units, utf16::compare_code_points);
    // As documented: lone surrogates come last.
    assert!(utf16::compare_code_points(&[0xFFFF], &[0xD800]).is_lt());
}

#[test]
fn well_formed_utf16() {
    let classes = [0x41, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000];
    let agree = |units: &[u16]| {
        let mut good = 0;
        for c in char::decode_utf16(units.iter().copied()) {
            match c {
                Ok(c) => good += c.len_utf16(),
                Err(_) => break,
            }
        }
        assert_eq!(utf16::well_formed_up_to(units), good, "{units:x?}");
    };
    agree(&[]);
    for a in classes {
        for b in classes {
            for c in classes {
                agree(&[a, b, c]);
                for d in classes {
                    agree(&[a, b, c, d]);
                }
            }
        }
    }
    // Each class occurs at every offset of a long text.
    for unit in [0x41, 0xE9, 0x20AC] {
        for at in 0..150 {
            for bad in classes {
                for next in classes {
                    let mut units = vec![unit; 152];
                    (units[at], units[at + 1]) = (bad, next);
                    agree(&units);
                    agree(&units[..=at]);
                }
            }
        }
    }
}

/// Compares each length with a loop that follows its description.
#[test]
fn lengths() {
    let scalar_length = |c: u32| match c {
        0..0x80 => 1,
        0x80..0x800 => 2,
        0x800..0x1_0000 => 3,
        _ => 4,
    };
    for bytes in long_strings() {
        let starts = bytes.iter().filter(|&&byte| !is_continuation(byte)).count();
        let above = bytes.iter().filter(|&&byte| byte >= 0xF0).count();
        assert_eq!(length::utf16_from_utf8(&bytes), starts + above);
        assert_eq!(length::utf32_from_utf8(&bytes), starts);
        assert_eq!(length::latin1_from_utf8(&bytes), starts);
        let high = bytes.iter().filter(|byte| !byte.is_ascii()).count();
        assert_eq!(length::utf8_from_latin1(&bytes), bytes.len() + high);
        assert_eq!(
            (length::utf16_from_latin1(&bytes), length::utf32_from_latin1(&bytes)),
            (bytes.len(), bytes.len())
        );

        let pairs = bytes.as_chunks::<2>().0;
        let mut units: Vec<u16> = pairs.iter().map(|&pair| u16::from_le_bytes(pair)).collect();
        for dense in [false, true] {
            if dense {
                // The text has only surrogates, in pairs and alone.
                units.iter_mut().for_each(|unit| *unit = 0xD800 | *unit & 0x7FF);
            }
            let chars = char::decode_utf16(units.iter().copied());
            assert_eq!(length::utf32_from_utf16(&units), chars.clone().count(), "{units:x?}");
            let text: usize = chars.map(|c| c.map_or(3, char::len_utf8)).sum();
            assert_eq!(length::utf8_from_utf16(&units), text, "{units:x?}");
            assert_eq!(length::latin1_from_utf16(&units), units.len());
        }

        let quads = bytes.as_chunks::<4>().0;
        let values: Vec<u32> = quads.iter().map(|&quad| u32::from_le_bytes(quad) >> (quad[0] % 24)).collect();
        assert_eq!(length::utf8_from_utf32(&values), values.iter().map(|&c| scalar_length(c)).sum::<usize>());
        let supplementary = values.iter().filter(|&&c| c > 0xFFFF).count();
        assert_eq!(length::utf16_from_utf32(&values), values.len() + supplementary);
        assert_eq!(length::latin1_from_utf32(&values), values.len());
    }
}

/// The lengths are the sizes to allocate, for each code point.
#[test]
fn lengths_of_every_scalar_value() {
    for c in '\0'..=char::MAX {
        let (mut bytes, mut units) = ([0; 4], [0; 2]);
        let (bytes, units) = (c.encode_utf8(&mut bytes).as_bytes(), &*c.encode_utf16(&mut units));
        assert_eq!(length::utf16_from_utf8(bytes), units.len(), "{c:?}");
        assert_eq!(length::utf8_from_utf16(units), bytes.len(), "{c:?}");
        assert_eq!(length::utf8_from_utf32(&[c.into()]), bytes.len(), "{c:?}");
        assert_eq!(length::utf16_from_utf32(&[c.into()]), units.len(), "{c:?}");
        assert_eq!((length::utf32_from_utf8(bytes), length::utf32_from_utf16(units)), (1, 1), "{c:?}");
    }
}

#[test]
fn signatures() {
    let agree = |bytes: &[u8]| {
        let found = bom::sniff(bytes);
        assert_eq!(found.map(|s| (s.name, s.len)), helpers::sniff(bytes), "{}", hex(bytes));
        if let Some(found) = found {
            assert_eq!(found.encoding, Encoding::for_label(found.name), "{}", hex(bytes));
        }
        let web = placemat::web::sniff(bytes).map(|(encoding, len)| (encoding.name(), len));
        assert_eq!(web, helpers::sniff_web(bytes), "{}", hex(bytes));
    };
    agree(&[]);
    let marks: Vec<&[u8]> =
        bom::SIGNATURES.iter().map(|s| s.bytes).chain([&b"+/v8-"[..], b"+/v9", b"+/v+", b"+/v/"]).collect();
    for mark in marks {
        for len in 0..=mark.len() {
            for next in 0..=0xFF {
                agree(&[&mark[..len], &[next]].concat());
                agree(&[&mark[..len], &[next, 0, b'-']].concat());
            }
        }
    }
    for encoding in crate::subject::encodings() {
        let mark = encoding.signature();
        let text = b"text".as_slice();
        if encoding == Encoding::BOCU_1 {
            // The next code point is written as a difference from the signature, unless there is a reset.
            let (kept, reset) = ([mark, text].concat(), [mark, b"\xFF", text].concat());
            assert_eq!((bom::strip(&kept, encoding), bom::strip(&reset, encoding)), (&kept[..], text));
        } else {
            assert_eq!(bom::strip(&[mark, mark, text].concat(), encoding), [mark, text].concat());
        }
        assert_eq!(bom::strip(text, encoding), text);
        if mark.len() > 1 {
            assert_eq!(bom::strip(&mark[..mark.len() - 1], encoding), &mark[..mark.len() - 1]);
        }
        if is_single_byte(encoding) {
            // The Thai charset of Mac OS represents U+FEFF, but has no signature.
            assert!(mark.is_empty(), "{encoding}");
            continue;
        }
        let written = oracle::encode(form(encoding).plain(), &[0xFEFF], Unmappable::Ignore).bytes;
        // Mailbox names have no signature.
        let written = if encoding == Encoding::UTF_7_IMAP { Vec::new() } else { written };
        assert_eq!(mark, written, "{encoding}");
    }
}

#[test]
fn labels() {
    for &encoding in Encoding::ALL {
        let names = encoding.names();
        for label in names.labels.iter().chain([names.name]) {
            for label in
                [label.to_string(), label.to_uppercase(), format!("\t {label}\n"), label.replace('-', "_")]
            {
                assert_eq!(Encoding::for_label(&label), Some(encoding), "{label:?}");
            }
        }
    }
    for nothing in
        ["", " ", "-", "8", "utf", "utf-9", "utf-80", "utf-8x", "xutf-8", "latin", "windows-1259", "\u{FF}"]
    {
        assert_eq!(Encoding::for_label(nothing), None, "{nothing:?}");
        assert_eq!(placemat::web::for_label(nothing), None, "{nothing:?}");
    }
    assert_eq!(Encoding::for_label("latin1"), Some(Encoding::ISO_8859_1), "the true one");
    assert_eq!(Encoding::for_label("ascii"), Some(Encoding::US_ASCII), "the true one");
}

/// The labels of the WHATWG Encoding Standard, section 4.2, for the encodings without tables.
#[test]
fn web_labels() {
    let standard: [(Encoding, &[&str]); 3] = [
        (
            Encoding::UTF_8,
            &["unicode-1-1-utf-8", "unicode11utf8", "unicode20utf8", "utf-8", "utf8", "x-unicode20utf8"],
        ),
        (Encoding::UTF_16BE, &["unicodefffe", "utf-16be"]),
        (
            Encoding::UTF_16LE,
            &["csunicode", "iso-10646-ucs-2", "ucs-2", "unicode", "unicodefeff", "utf-16", "utf-16le"],
        ),
    ];
    for (encoding, labels) in standard {
        for label in labels {
            assert_eq!(placemat::web::for_label(label), Some(encoding), "{label}");
            assert_eq!(placemat::web::for_label(&format!(" {}\r\n", label.to_uppercase())), Some(encoding));
            // On the web, labels are folded only by case and white space.
            assert_eq!(placemat::web::for_label(&format!("{label}-")), None, "{label}");
        }
    }
    let known: usize = Encoding::ALL.iter().map(|encoding| encoding.names().web_labels.len()).sum();
    assert_eq!(known, 228);
    for label in ["csiso2022kr", "hz-gb-2312", "iso-2022-cn", "iso-2022-cn-ext", "iso-2022-kr", "replacement"]
    {
        assert_eq!(placemat::web::for_label(label), Some(Encoding::REPLACEMENT), "{label}");
    }
    let known = |label: &str| {
        Encoding::ALL.iter().any(|encoding| encoding.names().web_labels.contains(&label.to_ascii_lowercase()))
    };
    for &encoding in Encoding::ALL {
        let names = encoding.names();
        for label in names.labels.into_iter().chain([names.name]) {
            assert_eq!(placemat::web::for_label(label).is_some(), known(label), "{label}");
            for other in [
                format!("\"{label}\""),
                format!("'{label}'"),
                format!("en_AU.{label}"),
                format!("a/b;charset={label}"),
            ] {
                assert_eq!(placemat::web::for_label(&other), None, "{other}");
            }
        }
    }
    for label in
        ["utf-7", "utf-32", "ucs-4", "cesu-8", "scsu", "bocu-1", "utf_8", "latin_1", "utf-8-bom", "\"utf-8\""]
    {
        assert_eq!(placemat::web::for_label(label), None, "{label}");
    }
}

/// Converts between UTF-8 and UTF-16 from slice to slice, at every length, into exactly enough
/// space or more, and with the last byte removed.
#[test]
fn slices_of_every_length_to_the_other_form() {
    const STOP: (ErrorPolicy<'_>, UnmappablePolicy<'_>) = (ErrorPolicy::Stop, UnmappablePolicy::Stop);
    fn check<F, T>(src: &[u8], expected: &[u8], before_last: usize)
    where
        F: EncodingForm<Unit = u8>,
        T: EncodingForm<Unit = u8>,
    {
        for more in [0, 1, 17, 300] {
            let mut dst = vec![0xEE; expected.len() + more];
            let p = convert::transcode_into::<F, T>(src, &mut dst, STOP.0, STOP.1);
            assert_eq!(
                (p.read, p.written, p.status),
                (src.len(), expected.len(), Status::Done),
                "{src:02x?}"
            );
            assert_eq!(&dst[..p.written], expected, "{src:02x?}");
            let Some((_, cut)) = src.split_last().filter(|_| before_last < expected.len()) else { continue };
            let p = convert::transcode_into::<F, T>(cut, &mut dst, STOP.0, STOP.1);
            assert!(matches!(p.status, Status::IllFormed(_)), "{cut:02x?}: {:?}", p.status);
            assert_eq!(&dst[..p.written], &expected[..before_last], "{cut:02x?}");
        }
    }
    for text in ["plain ASCII, 12.", "naïve “é” so. ", "Привет, мир! ", "日本語。です", "a😀é日b😀", "😀"]
    {
        let chars: Vec<char> = text.chars().cycle().take(140).collect();
        for from in 0..3 {
            for len in 0..=130 {
                let text: String = chars[from..from + len].iter().collect();
                let units: Vec<u16> = text.encode_utf16().collect();
                let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
                let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
                let last = text.chars().last().map_or(0, char::len_utf8);
                check::<Utf16<Le>, Utf8>(&little, text.as_bytes(), text.len() - last);
                check::<Utf16<Be>, Utf8>(&big, text.as_bytes(), text.len() - last);
                // A character of one byte is removed as a whole.
                let last = text.chars().last().filter(|c| !c.is_ascii()).map(char::len_utf16);
                let kept = last.map_or(little.len(), |last| little.len() - 2 * last);
                check::<Utf8, Utf16<Le>>(text.as_bytes(), &little, kept);
                check::<Utf8, Utf16<Be>>(text.as_bytes(), &big, kept);
            }
        }
    }
}
