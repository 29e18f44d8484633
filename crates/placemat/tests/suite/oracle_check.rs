//! Checks of the oracle itself, against every vector and case, and against `core::str`.

use crate::data::{self, STRESS, SUITES, TOPICS, Tally, Vector, Verdict, all, hex, same, suite, topic};
use crate::oracle::{self, Fault, Form, Item, Mode, Order, Policy, Span, Unmappable, helpers};
use crate::subject::{in_parallel, in_turn, is_tried};

/// Checks the oracle against a vector.
fn check(vector: &Vector) -> Verdict {
    let bytes = || vector.bytes("bytes");
    let text = || vector.code_points("cps");
    let form = || Form::named(vector.text("codec")).unwrap_or_else(|| panic!("{vector}: no such form"));
    match vector.text("op") {
        "class" => {
            let byte = data::unhex(vector.text("byte")).expect("one byte")[0];
            same("class", &helpers::byte_class(byte), &vector.text("class"))
        }
        "roundtrip" if vector.text("codec") == "utf-8-perl" => Verdict::NotApplicable("more than 31 bits"),
        "encode" => encodes(form(), &text(), &bytes()),
        "wtf16" | "java-writeutf" => {
            let form = if vector.text("op") == "wtf16" { Form::Wtf8 } else { Form::Mutf8 };
            let skip = if form == Form::Wtf8 { 0 } else { 2 };
            encodes(form, &vector.code_points("units"), &bytes()[skip..])
        }
        "java-readutf" => {
            let found = oracle::decode(Form::JavaUtf, &bytes(), Span::Maximal, Policy::Stop);
            let units = oracle::encode(Form::Utf16(Order::Big), &found.text, Unmappable::SurrogatePass).bytes;
            let units = (!found.stopped).then_some(units);
            let expected = vector.has("units").then(|| vector.code_points("units"));
            let expected =
                expected.map(|units| units.iter().flat_map(|&unit| (unit as u16).to_be_bytes()).collect());
            same("units", &units, &expected)
        }
        "wtf-concat" => {
            let one = |key| oracle::decode(Form::Wtf8, &vector.bytes(key), Span::Maximal, Policy::Stop).text;
            encodes(Form::Wtf8, &[one("left"), one("right")].concat(), &bytes())
        }
        "wtf-to-utf8-lossy" => {
            let text = oracle::decode(Form::Wtf8, &bytes(), Span::Maximal, Policy::Stop).text;
            let found = oracle::encode(Form::Utf8, &text, Unmappable::Replace).bytes;
            same("bytes", &found, &vector.bytes("out"))
        }
        "roundtrip" => all([encodes(form(), &text(), &bytes()), decodes(form(), &bytes(), &text())]),
        "read-as" | "decode" => decodes(form(), &bytes(), &text()),
        "table256" => match vector.text("table") {
            "i8-to-ebcdic" => same("table", &*helpers::PERMUTATION, &bytes()),
            _ => same("table", &*helpers::INVERSE, &bytes()),
        },
        "octal" => {
            let bytes = oracle::encode(Form::Utf8, &text(), Unmappable::Strict).bytes;
            let octal: Vec<_> = bytes.iter().map(|byte| format!("{byte:03o}")).collect();
            same("octal", &octal.join(" ").as_str(), &vector.text("octal"))
        }
        "invalid" => {
            // The vectors have the strictest UTF-7.
            let form = if form() == Form::Utf7 { Form::Utf7Strict } else { form() };
            let found = oracle::decode(form, &bytes(), Span::Maximal, Policy::FFFD);
            if !vector.has("errors") {
                let kind = found.faults.first().map(|fault| fault.kind);
                return same("kind", &kind, &Some(vector.text("kind")));
            }
            all([
                same("errors", &with_kinds(&found.faults).as_str(), &vector.text("errors")),
                same("text", &found.text, &text()),
            ])
        }
        "unencodable" => {
            if text().iter().any(|&c| c > 0x7FFF_FFFF) {
                return same("kind", &"out-of-range", &vector.text("kind"));
            }
            let kind = oracle::encode(form(), &text(), Unmappable::Strict).fault.map(|fault| fault.kind);
            same("kind", &kind, &Some(vector.text("kind")))
        }
        "spans" => {
            let span = Span::named(vector.text("policy")).expect("a span rule");
            let found = oracle::decode(Form::Utf8, &bytes(), span, Policy::FFFD);
            same("spans", &spans(&found.faults).as_str(), &vector.text("spans"))
        }
        "replace" => {
            let span = Span::named(vector.text("policy")).expect("a span rule");
            let policy = Policy::named(vector.text("replacement")).expect("a policy");
            let found = oracle::decode(Form::Utf8, &bytes(), span, policy);
            match found.stop() {
                Some(fault) => same("stop", &spans(&[fault]).as_str(), &vector.text("error")),
                None => same("text", &found.text, &text()),
            }
        }
        "unescape" => {
            let policy = match (vector.text("method"), vector.flag("safe")) {
                ("surrogateescape", true) => Unmappable::SurrogateEscape,
                ("surrogateescape", false) => Unmappable::SurrogateEscapeUnchecked,
                ("optu", true) => Unmappable::Optu,
                ("optu", false) => Unmappable::OptuUnchecked,
                other => panic!("{vector}: {other:?}"),
            };
            let found = oracle::unescape(&text(), policy);
            match vector.has("kind") {
                true => same("kind", &found, &Err(vector.text("kind"))),
                false => same("bytes", &found, &Ok(bytes())),
            }
        }
        "utf16-bom" => decodes(Form::Utf16Bom(Order::Big), &bytes(), &text()),
        "utf32-bom" => decodes(Form::Utf32Bom(Order::Big), &bytes(), &text()),
        "bom" => same(
            "sniffed",
            &announced(helpers::sniff(&bytes())),
            &(vector.text("encoding"), vector.number("bom_len")),
        ),
        "bom-whatwg" => {
            let found = announced(helpers::sniff_web(&bytes()));
            same("sniffed", &found, &(vector.text("encoding"), vector.number("bom_len")))
        }
        "single-byte" => match vector.text("table") {
            "latin-1" => decodes(Form::Latin1, &bytes(), &text()),
            "windows-1252" => same("text", &bytes().into_iter().map(oracle::cp1252).collect(), &text()),
            name => match Form::named(name) {
                Some(form) => decodes(form, &bytes(), &text()),
                None => Verdict::NotApplicable("legacy table"),
            },
        },
        "boundary" => {
            let at = vector.number("pos");
            all([
                same("floor", &helpers::floor(&bytes(), at), &vector.number("floor")),
                same("ceil", &helpers::ceil(&bytes(), at), &vector.number("ceil")),
            ])
        }
        "truncate" => {
            same("length", &helpers::truncated_len(&bytes(), vector.number("max")), &vector.number("len"))
        }
        "order" => {
            let sorted = vector.texts("sorted");
            let form = match vector.text("by") {
                "code-point" => None,
                "utf-16" => Some(Form::Utf16(Order::Big)),
                by => match Form::named(by) {
                    None => return Verdict::NotApplicable("other encoding"),
                    form => form,
                },
            };
            let mut found: Vec<_> = sorted.iter().rev().cloned().collect();
            match form {
                None => found.sort(),
                Some(form) => found.sort_by_key(|text| oracle::encode(form, text, Unmappable::Strict).bytes),
            }
            same("order", &found, &sorted)
        }
        "length" => all(vector.numbers("lengths").into_iter().filter_map(|(unit, length)| {
            let encoded = |form| oracle::encode(form, &text(), Unmappable::Strict).bytes.len();
            let found = match unit {
                "code-points" => text().len(),
                "utf-16-units" => encoded(Form::Utf16(Order::Big)) / 2,
                _ => encoded(Form::named(unit)?),
            };
            Some(same(unit, &found, &length))
        })),
        "count" => {
            let expected = vector.number("valid") as u128;
            same("well-formed strings", &helpers::well_formed_strings(vector.number("n")), &expected)
        }
        "whatwg-decode" => {
            let fallback = ["UTF-8", "UTF-16LE", "windows-1252"]
                .into_iter()
                .find(|name| *name == vector.text("fallback"));
            let (encoding, found) = helpers::decode_web(&bytes(), fallback.expect("a known fallback"));
            all([same("encoding", &encoding, &vector.text("encoding")), same("text", &found, &text())])
        }
        "number" => Verdict::NotApplicable("arithmetic of the page"),
        "web-label" | "label" => Verdict::NotApplicable("labels"),
        "net-unicode" | "utf-8-mac" => Verdict::NotApplicable("normalization"),
        other => panic!("{vector}: unknown op {other}"),
    }
}

fn encodes(form: Form, text: &[u32], bytes: &[u8]) -> Verdict {
    let found = oracle::encode(form, text, Unmappable::Strict);
    all([same("fault", &found.fault, &None), same("bytes", &found.bytes.as_slice(), &bytes)])
}

fn decodes(form: Form, bytes: &[u8], text: &[u32]) -> Verdict {
    let found = oracle::decode(form, bytes, Span::Maximal, Policy::Stop);
    all([same("faults", &found.faults, &vec![]), same("text", &found.text.as_slice(), &text)])
}

fn announced(sniffed: Option<(&'static str, usize)>) -> (&'static str, usize) {
    sniffed.unwrap_or(("none", 0))
}

/// `start-end` of each error, as in the vectors.
pub(crate) fn spans(faults: &[Fault]) -> String {
    faults.iter().map(|fault| format!("{}-{}", fault.start, fault.end)).collect::<Vec<_>>().join(";")
}

/// `start-end:kind` of each error, as in the vectors.
pub(crate) fn with_kinds(faults: &[Fault]) -> String {
    let one = |fault: &Fault| format!("{}-{}:{}", fault.start, fault.end, fault.kind);
    faults.iter().map(one).collect::<Vec<_>>().join(";")
}

/// Checks the oracle against a case of another project.
fn check_case(case: &Vector) -> Verdict {
    let input = case.bytes("in");
    if case.text("op") == "validate" {
        let fault = oracle::decode(Form::Utf8, &input, Span::Maximal, Policy::Stop).stop();
        let expected = case.has("offset").then(|| case.number("offset"));
        return all([
            same("verdict", &fault.is_none(), &case.flag("valid")),
            same("offset", &fault.map(|fault| fault.start), &expected),
        ]);
    }
    let (Some(from), Some(to)) = (Form::named(case.text("from")), Form::named(case.text("to"))) else {
        return Verdict::NotApplicable("tables of several bytes");
    };
    let policy = match case.text("errors") {
        "strict" => Policy::Stop,
        "replace" => Policy::FFFD,
        "surrogatepass" => Policy::SurrogatePass,
        other => panic!("{case}: {other}"),
    };
    let mut found = oracle::decode(from, &input, Span::Maximal, policy);
    if case.has("bom") && case.text("bom") == "strip" && found.text.first() == Some(&0xFEFF) {
        found.text.remove(0);
    }
    let expected = case.has("want").then(|| case.bytes("want"));
    let unmappable =
        if policy == Policy::SurrogatePass { Unmappable::SurrogatePass } else { Unmappable::Strict };
    let encoded = oracle::encode(to, &found.text, unmappable);
    let bytes = (!found.stopped && encoded.fault.is_none()).then_some(encoded.bytes);
    same("bytes", &bytes, &expected)
}

#[test]
fn oracle_passes_every_vector() {
    let passes = [400, 305, 50, 45, 59, 39, 67, 44, 100, 95, 150, 106, 36, 0, 60, 15];
    for (source, passes) in TOPICS.into_iter().zip(passes) {
        Tally::of(&topic(source), check).report(source.0, passes);
    }
}

#[test]
fn oracle_passes_every_case() {
    let without = |name| match name {
        // The stateful EBCDIC pages of two bytes.
        "gen-ebcdic" => 132,
        _ => 0,
    };
    for source in SUITES {
        let cases = suite(source);
        Tally::of(&cases, check_case).report(source.0, source.1 - without(source.0));
    }
}

/// Asserts that verdict, offset and maximal subpart equal those of `core::str`, and the replaced
/// text that of `String::from_utf8_lossy`.
fn agrees_with_core(bytes: &[u8]) {
    let mut at = 0;
    let mut core_faults = Vec::new();
    while let Err(error) = str::from_utf8(&bytes[at..]) {
        let start = at + error.valid_up_to();
        let end = error.error_len().map_or(bytes.len(), |len| start + len);
        core_faults.push((start, end));
        at = end;
    }
    let found = oracle::decode(Form::Utf8, bytes, Span::Maximal, Policy::FFFD);
    let faults: Vec<_> = found.faults.iter().map(|fault| (fault.start, fault.end)).collect();
    assert_eq!(faults, core_faults, "{}", hex(bytes));
    let lossy: Vec<u32> = String::from_utf8_lossy(bytes).chars().map(u32::from).collect();
    assert_eq!(found.text, lossy, "{}", hex(bytes));
}

#[test]
fn oracle_agrees_with_core_on_short_strings() {
    in_parallel(256, |first| {
        let first = first as u8;
        agrees_with_core(&[first]);
        for second in 0..=0xFF {
            agrees_with_core(&[first, second]);
            if !in_turn(usize::from(first) + usize::from(second), 4) {
                continue;
            }
            // The third and fourth byte are one of each class: the boundaries of table 3-7.
            for third in BORDERS {
                agrees_with_core(&[first, second, third]);
                for fourth in [0x41, 0x80, 0xBF, 0xC2] {
                    agrees_with_core(&[first, second, third, fourth]);
                }
            }
        }
    });
}

/// The stress test in one piece, and each of its sequences.
#[test]
fn oracle_reads_the_stress_test() {
    agrees_with_core(STRESS);
    for case in suite(SUITES[0]) {
        let quoted = [b"\"", case.bytes("in").as_slice(), b"\"\n"].concat();
        assert!(STRESS.windows(quoted.len()).any(|window| window == quoted), "{case}: {}", hex(&quoted));
    }
}

/// Both sides of every border between classes of bytes.
pub(crate) const BORDERS: [u8; 27] = [
    0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED,
    0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF8, 0xFC, 0xFF,
];

#[test]
fn oracle_agrees_with_core_on_every_scalar_value() {
    let all: Vec<char> = ('\0'..=char::MAX).filter(|&c| is_tried(c.into())).collect();
    let pieces: Vec<_> = all.chunks(0x1000).collect();
    in_parallel(pieces.len(), |i| pieces[i].iter().for_each(|&c| oracle_agrees_with_core_on(c)));
}

fn oracle_agrees_with_core_on(c: char) {
    let value = u32::from(c);
    let utf8 = oracle::encode(Form::Utf8, &[value], Unmappable::Strict);
    assert_eq!(utf8.bytes, c.encode_utf8(&mut [0; 4]).as_bytes(), "U+{value:04X}");
    let utf16: Vec<u8> = c.encode_utf16(&mut [0; 2]).iter().flat_map(|unit| unit.to_le_bytes()).collect();
    assert_eq!(
        oracle::encode(Form::Utf16(Order::Little), &[value], Unmappable::Strict).bytes,
        utf16,
        "U+{value:04X}"
    );
    for form in Form::ALL {
        let encoded = oracle::encode(form, &[value], Unmappable::Strict);
        if encoded.fault.is_none() {
            let decoded = oracle::decode(form, &encoded.bytes, Span::Maximal, Policy::Stop);
            assert_eq!(
                (decoded.text.as_slice(), decoded.stopped),
                (&[value][..], false),
                "{form:?} U+{value:04X}"
            );
        }
    }
}

/// Items and errors follow each other without gaps.
#[test]
fn oracle_items_cover_the_input() {
    let bytes: Vec<u8> = BORDERS.iter().flat_map(|&a| BORDERS.map(|b| [a, b])).flatten().collect();
    for form in Form::ALL {
        if form.is_stateful() {
            continue;
        }
        for span in Span::ALL {
            for mode in [Mode::Strict, Mode::PassSurrogates, Mode::Optu, Mode::Optu16] {
                let mut at = form.resolve(&bytes).0;
                for item in oracle::items(form, &bytes, span, mode) {
                    let (Item::CodePoint { start, end, .. } | Item::Error(Fault { start, end, .. })) = item;
                    assert_eq!(start, at, "{form:?} {span:?} {mode:?}");
                    assert!(start < end, "{form:?} {span:?} {mode:?} at {start}");
                    at = end;
                }
                assert_eq!(at, bytes.len(), "{form:?} {span:?} {mode:?}");
            }
        }
    }
}
