//! One suite for every form, and for every encoding chosen at run time: its repertoire, its signature, its longest
//! sequence, empty texts, every pair of policies in one call, and the fields and messages of its errors.

use crate::oracle::{self, Conversion, Converted, Form, Order, Policy, Span, Trouble, Unmappable};
use crate::samples::{BEYOND, BORDERS, SURROGATES, samples, whole_units};
use crate::subject::{
    Ascii, Latin1, Native, Plan, Tested, Ucs4, Unit, Utf8, Utf16, checker, drive, each_form, encodings,
    error_policy, expected, form, in_parallel, in_turn, policies, static_machine, unmappable_policy,
};
use placemat::forms::Repertoire;
use placemat::policy::{Action, CodePoints, Substitute, from_fn, from_fn_unmappable};
use placemat::stream::{Status, Transcoder};
use placemat::{
    CodePoint, CodeUnit, ConvertError, Encoding, ErrorPolicy, IllFormed, IllFormedKind, OnError, Replacement,
    UnmappableKind, UnmappablePolicy, convert, utf8,
};

fn difficult() -> impl Iterator<Item = u32> {
    [&BORDERS[..], &SURROGATES, &BEYOND].into_iter().flatten().copied()
}

/// The repertoire of a form, and the errors for the code points outside it.
fn repertoire<F: Tested>() {
    let mut longest = 0;
    for c in difficult() {
        let held = oracle::holds(F::FORM, c);
        let code_point = CodePoint::new(c).expect("31 bits");
        let code = |kind| match kind {
            UnmappableKind::Surrogate => "surrogate",
            UnmappableKind::OutOfRange => "out-of-range",
            UnmappableKind::NotInRepertoire => "not-held",
            other => panic!("{other:?}"),
        };
        assert_eq!(
            F::FACTS.repertoire.check(code_point).map_err(code),
            held,
            "{code_point} in {}",
            F::name()
        );
        let found = convert::transcode::<Ucs4<Native>, F>(&[c], ErrorPolicy::Stop, UnmappablePolicy::Stop);
        match (found, held) {
            (Ok(units), Ok(())) => longest = longest.max(units.len()),
            (Err(ConvertError::Unmappable(e)), Err(kind)) => {
                assert_eq!((e.offset(), e.code_point(), e.code()), (0, code_point, kind), "{}", F::name());
                let message = e.to_string();
                assert!(message.contains(&code_point.to_string()), "{message}");
                assert!(message.ends_with("at offset 0"), "{message}");
            }
            other => panic!("{code_point} in {}: {other:?}", F::name()),
        }
    }
    // A leading surrogate that the target held back comes first.
    let longest = if F::FORM == Form::Wtf8 { 3 + longest } else { longest };
    assert_eq!(longest, F::FACTS.max_units, "{}: the longest is reached and not passed", F::name());
}

#[test]
fn every_form_holds_what_it_should() {
    each_form!(repertoire);
}

/// The signature, and empty texts.
fn signature<F: Tested>() {
    let stop = || (ErrorPolicy::Stop, UnmappablePolicy::Stop);
    let (d, u) = stop();
    let empty = convert::transcode::<Ucs4<Native>, F>(&[], d, u).expect("an empty text");
    assert_eq!(F::Unit::to_bytes(&empty), F::FORM.signature(), "{}", F::name());
    for nothing in [&[][..], &empty] {
        let read = convert::transcode::<F, Ucs4<Native>>(nothing, d, u).expect("no error");
        assert!(read.is_empty(), "{}", F::name());
    }
    if F::Unit::BYTES > 1 || matches!(F::FORM, Form::Ascii | Form::Latin1 | Form::Imap) {
        assert!(F::FACTS.signature.is_empty(), "{}", F::name());
        return;
    }
    let mark = oracle::encode(F::FORM.plain(), &[0xFEFF], Unmappable::Strict).bytes;
    assert_eq!(F::FACTS.signature, mark, "{}", F::name());
    // The signature is dropped once if it belongs to the encoding; otherwise it is text.
    let twice = match F::FORM.is_stateful() {
        true => oracle::encode(F::FORM, &[0xFEFF; 2], Unmappable::Strict).bytes,
        false => [&mark[..], &mark].concat(),
    };
    let twice = F::Unit::from_bytes(&twice);
    let read = convert::transcode::<F, Ucs4<Native>>(&twice, d, u).expect("no error");
    let marks = if F::FORM == F::FORM.plain() { 2 } else { 1 };
    assert_eq!(read, vec![0xFEFF; marks], "{}", F::name());
}

#[test]
fn every_form_has_its_signature() {
    each_form!(signature);
}

/// Returns the whole output, or the first error.
fn first_trouble(expected: &Converted) -> Result<Vec<u8>, Trouble> {
    expected.troubles.first().map_or(Ok(expected.bytes.clone()), |(trouble, _)| Err(*trouble))
}

fn trouble(e: &ConvertError, width: usize) -> Trouble {
    match e {
        ConvertError::IllFormed(e) => Trouble::IllFormed(crate::subject::fault(e, width)),
        ConvertError::Unmappable(e) => Trouble::Unmappable {
            offset: usize::try_from(e.offset()).expect("a short text") * width,
            code_point: e.code_point().value(),
            kind: e.code(),
        },
        other => panic!("{other:?}"),
    }
}

/// Every sample under every pair of policies in one call, to UTF-8 and from it.
fn one_call<F: Tested>() {
    for bytes in whole_units(F::FORM, F::Unit::WIDTH) {
        let src = F::Unit::from_bytes(&bytes);
        for policies in policies(F::FORM, Form::Utf8) {
            let (policy, span, unmappable) = policies;
            let (d, u) = (error_policy(policy, span), unmappable_policy(unmappable));
            let found = convert::transcode::<F, Utf8>(&src, d, u).map_err(|e| trouble(&e, F::Unit::WIDTH));
            let expected = first_trouble(&expected::<F, Utf8>(&src, policies));
            assert_eq!(found, expected, "{} to UTF-8, {policies:?}", F::name());
            if unmappable == Unmappable::Strict {
                let text = convert::decode::<F>(&src, d).map_err(|e| trouble(&e, F::Unit::WIDTH));
                // Code points that are not scalar values are errors to these two policies.
                let expected = match policy {
                    Policy::FFFD if span == Span::Maximal => Some(Unmappable::Replace),
                    Policy::SKIP if span == Span::Maximal => Some(Unmappable::Ignore),
                    _ => None,
                }
                .map_or(expected, |lossy| {
                    first_trouble(&crate::subject::expected::<F, Utf8>(&src, (policy, span, lossy)))
                });
                assert_eq!(text.map(String::into_bytes), expected, "{}, {policies:?}", F::name());
            }
        }
    }
    let text: String = difficult().filter_map(char::from_u32).collect();
    for unmappable in Unmappable::ALL {
        if unmappable == Unmappable::Optu16 && F::FORM != Form::Utf8 {
            continue;
        }
        let found = convert::encode::<F>(&text, unmappable_policy(unmappable));
        let policies = (Policy::Stop, Span::Maximal, unmappable);
        let expected = first_trouble(&expected::<Utf8, F>(text.as_bytes(), policies));
        let found = found.map(|units| F::Unit::to_bytes(&units)).map_err(|e| trouble(&e.into(), 1));
        assert_eq!(found, expected, "{}, {unmappable:?}", F::name());
    }
}

#[test]
fn every_form_under_every_policy_in_one_call() {
    each_form!(one_call);
}

#[test]
fn every_pair_of_encodings_under_every_policy_in_one_call() {
    let all = encodings();
    in_parallel(all.len(), |i| {
        let from = all[i];
        for (n, bytes) in samples(form(from)).iter().enumerate() {
            for &to in &all {
                let some = policies(form(from), form(to)).into_iter().skip((i + n) % 7).step_by(7);
                for (_, policies) in some.enumerate().filter(|(k, _)| in_turn(i + n + k, 11)) {
                    let (policy, span, unmappable) = policies;
                    let conversion = Conversion { from: form(from), span, policy, to: form(to), unmappable };
                    let (d, u) = (error_policy(policy, span), unmappable_policy(unmappable));
                    let found = Transcoder::new(from, to)
                        .on_error(d)
                        .on_unmappable(u)
                        .transcode(bytes)
                        .map_err(|e| trouble(&e, 1));
                    assert_eq!(found, first_trouble(&conversion.run(bytes)), "{from} to {to}, {policies:?}");
                }
            }
        }
    });
}

/// The properties of each encoding agree with its behaviour.
#[test]
fn every_encoding_is_what_it_says() {
    for encoding in encodings() {
        let name = encoding.name();
        assert_eq!(encoding.to_string(), name);
        assert_eq!(Encoding::for_label(name), Some(encoding));
        let names = encoding.names();
        assert!(!names.about.is_empty() && !names.specified_in.is_empty(), "{name}");
        assert!(!encoding.repertoire().describe().is_empty(), "{name}");
        for c in difficult() {
            let code_point = CodePoint::new(c).expect("31 bits");
            let (held, really) = (encoding.repertoire().check(code_point), oracle::holds(form(encoding), c));
            // The repertoire of a table shows only in writing.
            let tables = matches!(encoding.repertoire(), Repertoire::Table | Repertoire::Tables);
            let known = !tables || held.is_err();
            assert!(held.is_ok() == really.is_ok() || !known, "{code_point} in {name}");
            let one = oracle::encode(form(encoding), &[c], Unmappable::Strict);
            // The signature does not count.
            let rest = one.bytes.strip_prefix(encoding.signature()).filter(|rest| !rest.is_empty());
            assert!(rest.unwrap_or(&one.bytes).len() <= encoding.max_bytes(), "{code_point} in {name}");
        }
        // Modified UTF-8 lacks one byte below 80: the byte 00.
        let ascii: Vec<u8> = (u8::from(encoding == Encoding::MODIFIED_UTF_8)..0x80).collect();
        let text = Transcoder::new(encoding, Encoding::UTF_8)
            .on_error(ErrorPolicy::Replace)
            .on_unmappable(UnmappablePolicy::Replace)
            .transcode(&ascii);
        let high_is_ascii =
            |table: oracle::Table| (0x80..=0xFF).any(|byte| table.code_point(byte).is_some_and(|c| c < 0x80));
        let also_high = matches!(form(encoding), Form::Table(table) if high_is_ascii(table));
        let same = text.as_deref() == Ok(&ascii) && !also_high;
        // These two write ASCII as ASCII, but bytes below 80 also occur within sequences, or ASCII
        // is also read from other bytes.
        let not_always = [Encoding::JAVA_UTF, Encoding::UTF_1].contains(&encoding);
        assert_eq!(encoding.is_ascii_compatible(), same && !not_always, "{name}");
        assert_eq!(encoding.is_ascii_compatible(), form(encoding).plain().takes_bytes(), "{name}");
    }
}

/// The units of a source, and the units that each error shows.
fn errors<F: Tested>() {
    for bytes in whole_units(F::FORM, F::Unit::WIDTH) {
        let src = F::Unit::from_bytes(&bytes);
        for span in Span::ALL {
            let mut machine = static_machine::<F, Ucs4<Native>>(Policy::Stop, span, Unmappable::Strict);
            let mut end = 0;
            for (status, _) in drive(&mut machine, &src, &Plan::whole()).troubles {
                let Status::IllFormed(e) = status else { panic!("{status:?}") };
                assert!(
                    e.offset() >= end && !e.bytes().is_empty(),
                    "{}: {e:?} begins before {end}",
                    F::name()
                );
                end = e.offset() + e.len() as u64;
                assert!(end <= src.len() as u64, "{}: {e:?}", F::name());
                let rest = &bytes[e.valid_up_to() * F::Unit::WIDTH..];
                assert_eq!(e.bytes(), &rest[..e.len() * F::Unit::WIDTH], "{}", F::name());
                assert!(rest.starts_with(e.seen()) && e.seen().starts_with(e.bytes()), "{}", F::name());
                says_itself(&e);
            }
        }
    }
}

/// The message uses the words of the project, and the code those of the specification.
fn says_itself(e: &IllFormed) {
    let message = e.to_string();
    assert!(message.starts_with(|c: char| c.is_ascii_lowercase()), "{message}");
    assert!(message.ends_with(&format!(" at offset {}", e.offset())), "{message}");
    let hex: String = e.seen().iter().map(|byte| format!("{byte:02x}")).collect();
    assert!(message.replace(" 0x", "").contains(&hex), "{message} shows {hex}");
    assert_eq!(message, ConvertError::from(*e).to_string());
    assert_eq!(e.code(), ConvertError::from(*e).code());
    let is_end = matches!(e.kind(), IllFormedKind::Incomplete | IllFormedKind::UnclosedShift);
    assert_eq!(e.is_incomplete(), is_end);
    assert_eq!(e.is_incomplete(), ["incomplete", "unclosed-shift"].contains(&e.code()));
    let boxed: Box<dyn core::error::Error> = Box::new(*e);
    assert!(boxed.source().is_none());
}

#[test]
fn every_error_says_where_and_what() {
    each_form!(errors);
}

/// The exact messages, which people read and search for; they show the ill-formed units and no more.
#[test]
fn messages() {
    let message = |encoding: Encoding, bytes: &[u8]| {
        let mut checker = Transcoder::checker(encoding);
        match checker.convert(bytes, &mut [], true).status {
            Status::IllFormed(e) => e.to_string(),
            other => panic!("{other:?}"),
        }
    };
    let known: [(Encoding, &[u8], &str); 21] = [
        (Encoding::UTF_8, b"ab\x80", "unexpected continuation byte 0x80 at offset 2"),
        (Encoding::UTF_8, b"\xC0\xAF", "overlong sequence 0xc0 at offset 0"),
        (Encoding::UTF_8, b"\xE0\x80\x80", "overlong sequence 0xe0 0x80 at offset 0"),
        (Encoding::UTF_8, b"\xF0\x80\x80", "overlong sequence 0xf0 0x80 at offset 0"),
        (Encoding::UTF_8, b"x\xED\xA0\x80", "surrogate 0xed 0xa0 at offset 1"),
        (Encoding::UTF_8, b"\xF4\x90\x80", "value out of range 0xf4 0x90 at offset 0"),
        (Encoding::UTF_8, b"\xFF\x80", "invalid lead byte 0xff at offset 0"),
        (Encoding::UTF_8, b"\xE9!", "missing continuation byte after 0xe9 at offset 0"),
        (Encoding::UTF_8, b"\xE2\x82!", "missing continuation byte after 0xe2 0x82 at offset 0"),
        (Encoding::UTF_8, b"\xF0\x9F\x98", "incomplete sequence 0xf0 0x9f 0x98 at offset 0"),
        (Encoding::UTF_8_BOM, b"\xEF\xBB\xBF\xFF", "invalid lead byte 0xff at offset 3"),
        (Encoding::UTF_16BE, b"\xD8\x00\x00A", "unpaired leading surrogate 0xd8 0x00 at offset 0"),
        (Encoding::UTF_16LE, b"A\x00\x00\xDC", "unpaired trailing surrogate 0x00 0xdc at offset 2"),
        (Encoding::UTF_16, b"\xFE\xFF\xD8\x00\xDC", "incomplete sequence 0xd8 0x00 0xdc at offset 2"),
        (Encoding::UTF_16LE, b"A", "incomplete sequence 0x41 at offset 0"),
        (Encoding::UTF_32BE, b"\x00\x00\xD8\x00", "surrogate 0x00 0x00 0xd8 0x00 at offset 0"),
        (Encoding::UTF_32LE, b"\x00\x00\x11\x00", "value out of range 0x00 0x00 0x11 0x00 at offset 0"),
        (Encoding::UCS_4BE, b"\x80\x00\x00\x00", "value out of range 0x80 0x00 0x00 0x00 at offset 0"),
        (Encoding::UCS_2BE, b"\xD8\x00A", "incomplete sequence 0x41 at offset 2"),
        (Encoding::US_ASCII, b"caf\xE9", "undefined byte 0xe9 at offset 3"),
        (Encoding::UTF_8, b"\xEF\xBF\xBF\xF5", "invalid lead byte 0xf5 at offset 3"),
    ];
    for (encoding, bytes, expected) in known {
        assert_eq!(message(encoding, bytes), expected);
    }
    let units = convert::decode::<Utf16<Native>>(&[0x41, 0xD800, 0x42], ErrorPolicy::Stop);
    let message = units.expect_err("a lone leading surrogate").to_string();
    assert_eq!(message, "unpaired leading surrogate 0xd800 at offset 1");
    let refused = convert::encode::<Latin1>("\u{20AC}", UnmappablePolicy::Stop).expect_err("no euro");
    assert_eq!(refused.to_string(), "the target encoding cannot represent U+20AC, at offset 0");
}

/// The output of a truncated text is the start of the output of the whole text.
fn truncated<F: Tested>() {
    for bytes in whole_units(F::FORM, F::Unit::WIDTH) {
        let src = F::Unit::from_bytes(&bytes);
        for policy in [Policy::SKIP, Policy::SurrogatePass] {
            for span in [Span::Maximal, Span::Byte] {
                // If any byte can be inside a sequence, a truncated sequence reads as something else byte by byte.
                if span == Span::Byte && matches!(F::FORM, Form::Fss1992 | Form::Utf1) {
                    continue;
                }
                let machine = static_machine::<F, Ucs4<Native>>(policy, span, Unmappable::Strict);
                let whole = drive(&mut machine.clone(), &src, &Plan::whole()).out;
                for len in 0..src.len() {
                    let some = drive(&mut machine.clone(), &src[..len], &Plan::whole()).out;
                    // A leading surrogate that passes at the end is the first half of a pair in the longer text.
                    let certain = match (some.split_last(), policy) {
                        (Some((0xD800..=0xDBFF, rest)), policy)
                            if policy == Policy::SurrogatePass || F::FORM.joins_pairs() =>
                        {
                            rest
                        }
                        _ => &some,
                    };
                    assert!(whole.starts_with(certain), "{} cut at {len}, {policy:?} {span:?}", F::name());
                }
            }
        }
    }
}

#[test]
fn less_input_never_gives_more_text() {
    each_form!(truncated);
}

#[test]
fn functions_are_policies() {
    let mut seen = Vec::new();
    let text = utf8::decode(
        b"a\xC0\x80b\xED\xA0\x80\xE2\x82",
        from_fn(|e: &IllFormed| {
            seen.push((e.offset(), e.code()));
            match e.kind() {
                IllFormedKind::Overlong(_) => Action::Text(Replacement::EMPTY),
                IllFormedKind::Incomplete => Action::Text(Replacement::QUESTION),
                _ => Action::CodePoints(CodePoints::new([CodePoint::from('*')]).expect("one")),
            }
        }),
    );
    assert_eq!(text.as_deref(), Ok("a*b***?"));
    let codes = ["overlong-2", "unexpected-continuation", "surrogate"];
    let mut expected = vec![(1, codes[0]), (2, codes[1]), (4, codes[2]), (5, codes[1]), (6, codes[1])];
    expected.push((7, "incomplete"));
    // The engine may ask twice if an answer did not fit, so an answer may repeat.
    seen.dedup();
    assert_eq!(seen, expected);

    let stop =
        from_fn(|e: &IllFormed| if e.offset() > 1 { Action::Stop } else { Action::Text(Replacement::EMPTY) });
    assert_eq!(utf8::decode(b"a\xFFb\xFFc", stop).map_err(|e| e.offset()), Err(3));

    let plain = convert::encode::<Ascii>(
        "é\u{20AC}\u{1F600}x",
        from_fn_unmappable(|u: &placemat::Unmappable| match u.code_point().value() {
            0xE9 => Substitute::Text(Replacement::new("e").expect("short")),
            0x20AC => Substitute::Byte { value: 0x80, checked: true },
            _ => Substitute::Default,
        }),
    );
    assert_eq!(plain.as_deref(), Ok(&b"e\x80?x"[..]));
    let refused = convert::encode::<Ascii>(
        "xé",
        from_fn_unmappable(|_: &placemat::Unmappable| Substitute::Byte { value: 0x41, checked: false }),
    );
    assert_eq!(refused.map_err(|e| (e.offset(), e.code())), Err((1, "not-held")), "an escape is never ASCII");
}

#[test]
fn replacements_are_short() {
    let long = "x".repeat(Replacement::MAX_BYTES);
    let most = Replacement::new(&long).expect("a text of the greatest length");
    assert_eq!(Replacement::new(&"x".repeat(Replacement::MAX_BYTES + 1)), None);
    let text = utf8::decode(b"\xFF\xFF", ErrorPolicy::ReplaceWith(most)).expect("no policy stops");
    assert_eq!(text, long.repeat(2));
    let many = |n| CodePoints::new((0..n).map(|_| CodePoint::REPLACEMENT)).map(|all| all.as_slice().len());
    assert_eq!((many(CodePoints::MAX), many(CodePoints::MAX + 1)), (Some(CodePoints::MAX), None));
}

/// A borrowed policy behaves like an owned one, even with another span.
#[test]
fn policies_can_be_lent() {
    let mut policy = ErrorPolicy::Replace.spanning(placemat::Span::Structural);
    let found = utf8::decode(b"\xF4\x90\x80\x80!\xE0\x80", &mut policy).map(String::from);
    assert_eq!(found.as_deref(), Ok("\u{FFFD}!\u{FFFD}"));
    let mut escaping = ErrorPolicy::Optu;
    let found = utf8::decode("\u{EF80}".as_bytes(), &mut escaping).map(String::from);
    assert_eq!(found.as_deref(), Ok("\u{EFEE}\u{EFBE}\u{EF80}"));
    let mut back = UnmappablePolicy::Optu;
    assert_eq!(convert::encode::<Utf8>("\u{EFFF}", &mut back).as_deref(), Ok(&b"\xFF"[..]));
    let mut dyn_policy: Box<dyn OnError> = Box::new(ErrorPolicy::SurrogatePass);
    let found = convert::transcode::<Utf8, Utf16<Native>>(
        b"\xED\xA0\x80",
        &mut *dyn_policy,
        UnmappablePolicy::SurrogatePass,
    );
    assert_eq!(found.as_deref(), Ok(&[0xD800][..]));
}

/// The checker writes nothing, whatever the policy answers, and its `min_output` is zero.
#[test]
fn the_checker_needs_no_room() {
    for encoding in encodings() {
        let order = Form::Ucs4(Order::Big);
        for (policy, span, _) in policies(form(encoding), order) {
            assert_eq!(checker(encoding, policy, span).min_output(), 0, "{encoding} {policy:?}");
        }
    }
    let mut plain = Transcoder::checker(Encoding::US_ASCII);
    assert_eq!(plain.convert(b"abc", &mut [], true).status, Status::Done);
}
