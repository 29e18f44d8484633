//! Every vector of UTF-8 and UTF-16 at every offset: after 0 to 130 bytes of padding of each width,
//! and before the same number of bytes again or none. So each boundary of a block, a register and a
//! word meets every position in the vector.

use crate::data::{SUITES, TOPICS, hex, suite, topic};
use crate::oracle::{self, Fault, Form, Order, Policy, Span, Unmappable};
use crate::subject::{
    Be, Le, Native, Pair, Plan, Tested, Unit, Utf8, Utf16, check, check_all, each_form, expected, fault,
    in_parallel, in_turn, static_machine,
};
use placemat::stream::Status;
use placemat::{ErrorPolicy, UnmappablePolicy, convert, length, utf8};

/// Returns the byte strings of the vectors for this form, well-formed and ill-formed.
fn strings(forms: &[&str]) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for source in TOPICS {
        let vectors = topic(source);
        let of_form = vectors.iter().filter(|v| {
            let plain = matches!(v.text("op"), "replace" | "spans");
            let codec = if v.has("codec") { v.text("codec") } else { "" };
            (plain && forms.contains(&"utf-8")) || forms.contains(&codec)
        });
        all.extend(of_form.filter(|v| v.has("bytes")).map(|v| v.bytes("bytes")));
    }
    if forms.contains(&"utf-8") {
        all.extend(suite(SUITES[0]).iter().map(|case| case.bytes("in")));
    }
    all.sort();
    all.dedup();
    all
}

/// `len` bytes of text: the character repeated, and ASCII to fill the rest.
fn padding(c: char, len: usize) -> Vec<u8> {
    let mut text = String::new();
    while text.len() + c.len_utf8() <= len {
        text.push(c);
    }
    while text.len() < len {
        text.insert(0, '.');
    }
    text.into_bytes()
}

const PADDING: [char; 4] = ['a', '\u{E9}', '\u{20AC}', '\u{1F600}'];

/// Asserts that a conversion into a buffer equals one into a `Vec`, and stops where the text is
/// ill-formed.
fn into_a_slice(text: &[u8], ill_formed_at: Option<usize>) {
    let mut units = vec![0; text.len() + 3];
    for policy in [ErrorPolicy::Replace, ErrorPolicy::Stop] {
        let p =
            convert::transcode_into::<Utf8, Utf16<Native>>(text, &mut units, policy, UnmappablePolicy::Stop);
        let written = &units[..p.written];
        match (policy, ill_formed_at) {
            (ErrorPolicy::Stop, Some(at)) => {
                let Status::IllFormed(e) = p.status else { panic!("{:?} for {}", p.status, hex(text)) };
                assert_eq!(e.offset(), at as u64, "{}", hex(text));
                let good = core::str::from_utf8(&text[..at]).expect("nothing before it is ill-formed");
                assert!(good.encode_utf16().eq(written.iter().copied()), "{}", hex(text));
            }
            _ => {
                assert_eq!((p.read, p.status), (text.len(), Status::Done), "{}", hex(text));
                let expected = String::from_utf8_lossy(text);
                assert!(expected.encode_utf16().eq(written.iter().copied()), "{}", hex(text));
            }
        }
    }
}

fn utf8_everywhere(bytes: &[u8]) {
    let faults = oracle::decode(Form::Utf8, bytes, Span::Maximal, Policy::FFFD).faults;
    let first = faults.first().copied();
    let units: Vec<u16> = String::from_utf8_lossy(bytes).encode_utf16().collect();
    let to_units = |c: char, len: usize| {
        let text = String::from_utf8(padding(c, len)).expect("padding is text");
        text.encode_utf16().collect::<Vec<_>>()
    };
    for c in PADDING {
        for at in 0..=130 {
            let before = padding(c, at);
            let text = [&before[..], bytes].concat();
            let found = utf8::validate(&text).map(str::len).map_err(|e| fault(&e, 1));
            let moved = |f: Fault| Fault { start: f.start + at, end: f.end + at, ..f };
            assert_eq!(found, first.map_or(Ok(text.len()), |f| Err(moved(f))), "{} at {at}", hex(bytes));
            let chunks: Vec<_> =
                utf8::chunks(&text).filter_map(|c| c.ill_formed()).map(|e| fault(&e, 1)).collect();
            assert!(chunks.iter().copied().eq(faults.iter().map(|&f| moved(f))), "{} at {at}", hex(bytes));
            let decoded = utf8::decode(&text, ErrorPolicy::Replace).expect("no policy stops");
            assert_eq!(decoded, String::from_utf8_lossy(&text), "{} at {at}", hex(bytes));
            let found = convert::transcode::<Utf8, Utf16<Native>>(
                &text,
                ErrorPolicy::Replace,
                UnmappablePolicy::Stop,
            );
            let expected = [to_units(c, at), units.clone()].concat();
            assert_eq!(found, Ok(expected), "{} at {at}", hex(bytes));
            into_a_slice(&text, first.map(|f| f.start + at));
            if first.is_none() {
                assert_eq!(length::utf16_from_utf8(&text), to_units(c, at).len() + units.len());
            }

            // With the same padding after it; the padding interrupts a sequence that was
            // incomplete.
            let text = [&text[..], &padding(c, 131 - at)].concat();
            let decoded = utf8::decode(&text, ErrorPolicy::Replace).expect("no policy stops");
            assert_eq!(decoded, String::from_utf8_lossy(&text), "{} at {at}", hex(bytes));
            let valid = utf8::validate(&text).map(str::len).map_err(|e| (e.valid_up_to(), e.len()));
            let core = core::str::from_utf8(&text).map(str::len);
            let core = core.map_err(|e| (e.valid_up_to(), e.error_len().unwrap_or(0)));
            assert_eq!(valid, core, "{} at {at}", hex(bytes));
            let found = convert::transcode::<Utf8, Utf16<Native>>(
                &text,
                ErrorPolicy::Replace,
                UnmappablePolicy::Stop,
            );
            assert_eq!(found, Ok(decoded.encode_utf16().collect()), "{} at {at}", hex(bytes));
        }
    }
}

#[test]
fn every_utf8_vector_everywhere() {
    let strings = strings(&["utf-8"]);
    assert!(strings.len() > 190, "{} strings", strings.len());
    in_parallel(strings.len(), |i| utf8_everywhere(&strings[i]));
}

/// Converts the bytes of a text in the form to UTF-8, at every offset, and compares with the
/// oracle.
fn utf16_everywhere<F: Tested>(bytes: &[u8]) {
    let pad = |c: char, units: usize| {
        let text: Vec<u32> = match c.len_utf16() {
            1 => vec![c.into(); units],
            _ => (0..units % 2).map(|_| 0x2E).chain((0..units / 2).map(|_| c.into())).collect(),
        };
        oracle::encode(F::FORM, &text, Unmappable::Strict).bytes
    };
    for c in PADDING {
        for at in 0..=66 {
            for after in [0, 67 - at] {
                let text = [&pad(c, at)[..], bytes, &pad(c, after)].concat();
                let whole = text.len() / F::Unit::WIDTH * F::Unit::WIDTH;
                let src = F::Unit::from_bytes(&text[..whole]);
                for policy in [Policy::FFFD, Policy::Stop] {
                    let policies = (policy, Span::Maximal, Unmappable::Strict);
                    let machine = static_machine::<F, Utf8>(policy, Span::Maximal, Unmappable::Strict);
                    let expected = expected::<F, Utf8>(&src, policies);
                    check(&|| format!("{} at {at}", F::name()), &machine, &src, &Plan::whole(), &expected);
                }
            }
        }
    }
}

#[test]
fn every_utf16_vector_everywhere() {
    let big = strings(&["utf-16be"]);
    let little = strings(&["utf-16le"]);
    assert!(big.len() > 20 && little.len() > 15, "{} and {} strings", big.len(), little.len());
    assert_eq!(<Utf16<Native> as Tested>::FORM, Form::Utf16(Order::Big));
    in_parallel(big.len() + little.len(), |i| match little.get(i) {
        Some(bytes) => utf16_everywhere::<Utf16<Le>>(bytes),
        None => {
            let bytes = &big[i - little.len()];
            utf16_everywhere::<Utf16<Be>>(bytes);
            utf16_everywhere::<Utf16<Native>>(&bytes[..bytes.len() / 2 * 2]);
        }
    });
}

/// Puts a difficult sequence at every offset in padding of each width that both forms have, with
/// large and small buffers: each kernel stops before the sequence and resumes after it.
fn difficult_everywhere<S: Unit, D: Unit>(pair: &Pair<S, D>) {
    let order = Order::Big;
    let mut difficult: Vec<Vec<u8>> = match pair.from.plain() {
        form if form.unit() == 1 => [
            &b"\xFF"[..],
            b"\x80",
            b"\xE2\x82",
            b"\xED\xA0\x80",
            b"\xED\xA0\xBD\xED\xB8\x80\0",
            b"\xF0\x9F\x98",
        ]
        .map(<[u8]>::to_vec)
        .into(),
        form => {
            let surrogates =
                [0xD800, 0xDC00].map(|c| oracle::encode(form, &[c], Unmappable::SurrogatePass).bytes);
            let beyond = oracle::encode(Form::Ucs4(order), &[0x11_0000], Unmappable::Strict).bytes;
            [surrogates.into(), vec![beyond]].concat()
        }
    };
    difficult
        .extend(PADDING.map(|c| oracle::encode(pair.from.plain(), &[c.into()], Unmappable::Ignore).bytes));
    for c in PADDING.into_iter().filter(|&c| oracle::holds(pair.from, c.into()).is_ok()) {
        let one = oracle::encode(pair.from.plain(), &[c.into()], Unmappable::Strict).bytes;
        for difficult in difficult.iter().filter(|bytes| !bytes.is_empty() && bytes.len() % S::WIDTH == 0) {
            for at in 0..=70 {
                let text = [&one.repeat(at)[..], difficult, &one.repeat(70 - at), difficult].concat();
                let src = S::from_bytes(&text);
                let both = [(Policy::FFFD, Unmappable::Replace), (Policy::Stop, Unmappable::Strict)];
                for (i, (policy, unmappable)) in both.into_iter().enumerate() {
                    if !in_turn(at + i, 17) {
                        continue;
                    }
                    let expected = pair.expected(&src, (policy, Span::Maximal, unmappable));
                    let machine = &*(pair.machine)(policy, Span::Maximal, unmappable, true);
                    let what = || format!("{}, {policy:?}, at {at}", pair.name);
                    let plans = [Plan::room(pair.max_units), Plan::room(37 + at), Plan::cut(&[at + 1])];
                    check_all(&what, machine, &src, &mut plans.into_iter(), &expected);
                }
            }
        }
    }
}

fn difficult_to_utf8<F: Tested>() {
    difficult_everywhere(&Pair::of::<F, Utf8>());
}
fn difficult_from_utf8<T: Tested>() {
    difficult_everywhere(&Pair::of::<Utf8, T>());
}

#[test]
fn every_kernel_stops_everywhere() {
    each_form!(difficult_to_utf8);
    each_form!(difficult_from_utf8);
}

/// A text of one width changes to another at every offset, and ends there or continues.
#[test]
fn every_change_of_width_everywhere() {
    for a in PADDING {
        for b in PADDING {
            for at in 0..=130 {
                let text = [padding(a, at), padding(b, 140 - at)].concat();
                let text = core::str::from_utf8(&text).expect("padding is text");
                let cut = (at..=at + 4)
                    .find(|&cut| cut > at && text.is_char_boundary(cut))
                    .expect("a boundary is near");
                for text in [text, &text[..cut]] {
                    assert_eq!(utf8::validate(text.as_bytes()), Ok(text));
                    assert_eq!(utf8::count_code_points(text.as_bytes()), text.chars().count());
                    let units = convert::encode::<Utf16<Native>>(text, UnmappablePolicy::Stop);
                    let units = units.expect("all is mappable");
                    assert!(units.iter().copied().eq(text.encode_utf16()), "{text}");
                    assert_eq!(
                        convert::decode::<Utf16<Native>>(&units, ErrorPolicy::Stop).as_deref(),
                        Ok(text)
                    );
                    assert_eq!(length::utf8_from_utf16(&units), text.len());
                }
            }
        }
    }
}
