//! The vectors of the specification, against the library. Each topic reports how many passed and why the others do not
//! apply; the counts are asserted, so that no check can go missing.

use crate::data::{TOPICS, Tally, Vector, Verdict, all, same, topic, unhex};
use crate::oracle::{self, Fault, Form, Policy, Span, Unmappable};
use crate::oracle_check::{spans, with_kinds};
use crate::subject::{
    Ascii, Be, ByBom, Le, Plan, Utf7, Utf16, Utf32, any_machine, checker, drive, error_policy, fault,
    in_parallel, unmappable_policy,
};
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};
use placemat::forms::{JavaUtf, ModifiedUtf8, decode_perl, encode_perl};
use placemat::mutf8::Framing;
use placemat::normalize::{Normalization, net_unicode};
use placemat::stream::{Status, Transcoder};
use placemat::utf8::{self, ByteClass};
use placemat::{
    Encoding, EncodingForm, ErrorPolicy, Native, UnmappablePolicy, bom, convert, length, utf16, wtf8,
};

/// Returns the encoding of this name in the vectors.
fn encoding(vector: &Vector) -> Encoding {
    let name = vector.text("codec");
    Encoding::for_label(name).unwrap_or_else(|| panic!("{vector}: no encoding {name}"))
}

/// Encodes a text, including surrogates, in the form in which the library takes and returns it.
fn ucs4(text: &[u32]) -> Vec<u8> {
    text.iter().flat_map(|c| c.to_be_bytes()).collect()
}

fn encodes(vector: &Vector) -> Verdict {
    let text = ucs4(&vector.code_points("cps"));
    let (to, d, u) = (encoding(vector), ErrorPolicy::Stop, UnmappablePolicy::Stop);
    let found = Transcoder::new(Encoding::UCS_4BE, to).on_error(d).on_unmappable(u).transcode(&text);
    same("bytes", &found, &Ok(vector.bytes("bytes")))
}

fn decodes(vector: &Vector, from: Encoding) -> Verdict {
    let (bytes, d, u) = (vector.bytes("bytes"), ErrorPolicy::Stop, UnmappablePolicy::Stop);
    let found = Transcoder::new(from, Encoding::UCS_4BE).on_error(d).on_unmappable(u).transcode(&bytes);
    same("text", &found, &Ok(ucs4(&vector.code_points("cps"))))
}

/// Checks a vector of decoding like [`decodes`], for a form that is not an encoding of its own.
fn decodes_as<F: EncodingForm<Unit = u8>>(vector: &Vector) -> Verdict {
    let found = convert::decode::<F>(&vector.bytes("bytes"), ErrorPolicy::Stop).ok();
    let text: Option<Vec<u32>> = found.map(|text| text.chars().map(u32::from).collect());
    same("text", &text, &Some(vector.code_points("cps")))
}

/// Perl's values of up to 63 bits, most of which are not code points.
fn perl(vector: &Vector) -> Verdict {
    let value = u64::from_str_radix(vector.text("cps"), 16).expect("one value");
    let (bytes, mut buffer) = (vector.bytes("bytes"), [0; 13]);
    let len = encode_perl(value, &mut buffer);
    all([
        same("bytes", &len.map(|len| &buffer[..len]), &Some(&bytes[..])),
        same("value", &decode_perl(&bytes), &Some((value, bytes.len()))),
    ])
}

/// Returns the 16-bit units of a vector.
fn units(vector: &Vector) -> Vec<u16> {
    vector.code_points("units").iter().map(|&unit| u16::try_from(unit).expect("16 bits")).collect()
}

/// `DataOutput.writeUTF`, and `DataInput.readUTF` of its output.
fn java_write(vector: &Vector) -> Verdict {
    let (d, u) = (ErrorPolicy::SurrogatePass, UnmappablePolicy::SurrogatePass);
    let payload = convert::transcode::<Utf16<Native>, ModifiedUtf8>(&units(vector), d, u).expect("all units");
    let mut framed = Vec::new();
    let written = Framing::DataOutput.write(&payload, &mut framed);
    let split = Framing::DataOutput.split(&framed);
    let back = convert::transcode::<JavaUtf, Utf16<Native>>(&payload, d, u);
    all([
        same("written", &written, &Ok(())),
        same("bytes", &framed, &vector.bytes("bytes")),
        same("split", &split, &Ok((&payload[..], &[][..]))),
        same("read back", &back, &Ok(units(vector))),
    ])
}

fn java_read(vector: &Vector) -> Verdict {
    let (d, u) = (ErrorPolicy::Stop, UnmappablePolicy::SurrogatePass);
    let found = convert::transcode::<JavaUtf, Utf16<Native>>(&vector.bytes("bytes"), d, u);
    match vector.has("kind") {
        true => same("malformed", &found.is_err(), &true),
        false => same("units", &found, &Ok(units(vector))),
    }
}

/// Returns every error, with decoding continued after each.
fn faults(from: Encoding, bytes: &[u8], policy: Policy, span: Span) -> Vec<Fault> {
    let trace = drive(&mut checker(from, policy, span), bytes, &Plan::room(0));
    let one = |(status, _): &(Status, usize)| match status {
        Status::IllFormed(e) => fault(e, 1),
        other => panic!("{other:?}"),
    };
    trace.troubles.iter().map(one).collect()
}

fn invalid(vector: &Vector) -> Verdict {
    let (bytes, from) = (vector.bytes("bytes"), encoding(vector));
    if from != Encoding::UTF_7 {
        return invalid_in(vector, from);
    }
    // The vectors have the strictest UTF-7. By default the library reads two more bytes as text.
    let lenient = match bytes.as_slice() {
        [b'~' | b'\\'] => {
            let text = convert::decode::<Utf7>(&bytes, ErrorPolicy::Stop);
            same("text", &text.map(String::into_bytes), &Ok(bytes))
        }
        _ => invalid_in(vector, from),
    };
    all([lenient, invalid_in(vector, Encoding::UTF_7_D)])
}

fn invalid_in(vector: &Vector, from: Encoding) -> Verdict {
    let bytes = vector.bytes("bytes");
    let found = faults(from, &bytes, Policy::Stop, Span::Maximal);
    if !vector.has("errors") {
        return same("kind", &found.first().map(|fault| fault.kind), &Some(vector.text("kind")));
    }
    let (d, u) = (ErrorPolicy::Replace, UnmappablePolicy::Stop);
    let text = Transcoder::new(from, Encoding::UCS_4BE).on_error(d).on_unmappable(u).transcode(&bytes);
    all([
        same("errors", &with_kinds(&found).as_str(), &vector.text("errors")),
        same("text", &text, &Ok(ucs4(&vector.code_points("cps")))),
    ])
}

/// Checks that a byte of one form corresponds to a byte of the other: the first byte of a sequence
/// that it starts, otherwise the last byte of one.
fn table(from: Encoding, to: Encoding, byte: u8, expected: u8) -> Verdict {
    let i8 = if from == Encoding::I8 { byte } else { expected };
    let sequence: &[u8] = match i8 {
        0x00..=0x9F => &[i8],
        0xA0..=0xBF => &[0xC8, i8],
        0xC5..=0xDF => &[i8, 0xA0],
        0xE1..=0xEF => &[i8, 0xA0, 0xA0],
        0xF0 => &[0xF0, 0xB0, 0xA0, 0xA0],
        0xF1..=0xF7 => &[i8, 0xA0, 0xA0, 0xA0],
        0xF8 => &[0xF8, 0xA8, 0xA0, 0xA0, 0xA0],
        0xF9 => &[0xF9, 0xA0, 0xA0, 0xA0, 0xA0],
        // The byte occurs in no text; the kind of the error shows that it is recognized.
        0xC0..=0xC4 | 0xE0 | 0xFA.. => {
            let kinds = [(from, byte), (to, expected)]
                .map(|(form, byte)| faults(form, &[byte], Policy::Stop, Span::Maximal));
            return same("error", &kinds[0], &kinds[1]);
        }
    };
    let (d, u) = (ErrorPolicy::Stop, UnmappablePolicy::Stop);
    let ebcdic = Transcoder::new(Encoding::I8, Encoding::UTF_EBCDIC)
        .on_error(d)
        .on_unmappable(u)
        .transcode(sequence)
        .expect("well-formed");
    let back = Transcoder::new(Encoding::UTF_EBCDIC, Encoding::I8)
        .on_error(d)
        .on_unmappable(u)
        .transcode(&ebcdic)
        .expect("well-formed");
    let at = if matches!(i8, 0xA0..=0xBF) { 1 } else { 0 };
    let found = if from == Encoding::I8 { ebcdic[at] } else { back[at] };
    let source = if from == Encoding::I8 { sequence[at] } else { ebcdic[at] };
    all([same("byte", &found, &expected), same("byte before", &source, &byte)])
}

fn replace(vector: &Vector) -> Verdict {
    let bytes = vector.bytes("bytes");
    let span = Span::named(vector.text("policy")).expect("a span rule");
    let policy = Policy::named(vector.text("replacement")).expect("a policy");
    let machine = any_machine(Encoding::UTF_8, Encoding::UCS_4BE, (policy, span, Unmappable::Strict));
    let trace = drive(&mut machine.clone(), &bytes, &Plan::whole());
    match trace.troubles.first() {
        Some((Status::IllFormed(e), _)) => {
            same("stop", &spans(&[fault(e, 1)]).as_str(), &vector.text("error"))
        }
        Some((other, _)) => panic!("{vector}: {other:?}"),
        None => {
            let text = vector.code_points("cps");
            // Text without surrogates decodes into a string too.
            let string: Option<String> = text.iter().map(|&c| char::from_u32(c)).collect();
            let found = utf8::decode(&bytes, error_policy(policy, span)).ok().map(|text| text.into_owned());
            all([same("text", &trace.out, &ucs4(&text)), same("string", &found, &string)])
        }
    }
}

fn unescape(vector: &Vector) -> Verdict {
    let policy = match (vector.text("method"), vector.flag("safe")) {
        ("surrogateescape", true) => Unmappable::SurrogateEscape,
        ("surrogateescape", false) => Unmappable::SurrogateEscapeUnchecked,
        ("optu", true) => Unmappable::Optu,
        ("optu", false) => Unmappable::OptuUnchecked,
        other => panic!("{vector}: {other:?}"),
    };
    let text = ucs4(&vector.code_points("cps"));
    let u = unmappable_policy(policy);
    let found = Transcoder::new(Encoding::UCS_4BE, Encoding::UTF_8).on_unmappable(u).transcode(&text);
    match vector.has("kind") {
        true => same("kind", &found.map_err(|e| e.code()), &Err(vector.text("kind"))),
        false => same("bytes", &found, &Ok(vector.bytes("bytes"))),
    }
}

fn class(vector: &Vector) -> Verdict {
    let byte = unhex(vector.text("byte")).expect("one byte")[0];
    let alone = utf8::validate(&[byte]).map(|_| ()).map_err(|e| e.code());
    let (class, code) = match vector.text("class") {
        "ascii" => (ByteClass::Ascii, Ok(())),
        "continuation" => (ByteClass::Continuation, Err("unexpected-continuation")),
        "invalid-overlong-lead" => (ByteClass::OverlongLead, Err("overlong-2")),
        "lead2" => (ByteClass::Lead2, Err("incomplete")),
        "lead3" => (ByteClass::Lead3, Err("incomplete")),
        "lead4" => (ByteClass::Lead4, Err("incomplete")),
        "invalid-lead-f5-f7" => (ByteClass::Never, Err("lead-f5-f7")),
        "invalid-lead5" => (ByteClass::Never, Err("lead-5-byte")),
        "invalid-lead6" => (ByteClass::Never, Err("lead-6-byte")),
        "invalid-never" => (ByteClass::Never, Err("never-byte")),
        other => panic!("{vector}: {other}"),
    };
    let announced = match vector.text("class") {
        "lead2" | "invalid-overlong-lead" => 2,
        "lead3" => 3,
        "lead4" | "invalid-lead-f5-f7" => 4,
        "invalid-lead5" => 5,
        "invalid-lead6" => 6,
        _ => 1,
    };
    all([
        same("class", &utf8::class(byte), &class),
        same("code", &alone, &code),
        same("announced", &utf8::announced_len(byte), &announced),
        same("length", &class.sequence_len().unwrap_or(announced), &announced),
    ])
}

fn boundary(vector: &Vector) -> Verdict {
    let (bytes, at) = (vector.bytes("bytes"), vector.number("pos"));
    let found = (utf8::floor_boundary(&bytes, at), utf8::ceil_boundary(&bytes, at));
    same("floor and ceil", &found, &(vector.number("floor"), vector.number("ceil")))
}

fn order(vector: &Vector) -> Verdict {
    let sorted = vector.texts("sorted");
    let mut found: Vec<_> = sorted.iter().rev().cloned().collect();
    let bytes = |text: &[u32]| oracle::encode(Form::Utf8, text, Unmappable::SurrogatePass).bytes;
    let units = |text: &[u32]| {
        let form = Form::Utf16(oracle::Order::Big);
        let bytes = oracle::encode(form, text, Unmappable::SurrogatePass).bytes;
        bytes.chunks(2).map(|unit| u16::from_be_bytes([unit[0], unit[1]])).collect::<Vec<_>>()
    };
    match vector.text("by") {
        "code-point" => {
            found.sort_by(|a, b| utf8::compare_code_points(&bytes(a), &bytes(b)));
            let mut too: Vec<_> = sorted.iter().rev().cloned().collect();
            too.sort_by(|a, b| utf16::compare_code_points(&units(a), &units(b)));
            all([same("order of UTF-8", &found, &sorted), same("order of UTF-16", &too, &sorted)])
        }
        "utf-16" => {
            found.sort_by(|a, b| utf8::compare_utf16_order(&bytes(a), &bytes(b)));
            same("order", &found, &sorted)
        }
        by => match Encoding::for_label(by) {
            None => Verdict::NotApplicable("another encoding"),
            Some(to) => {
                let key = |text: &Vec<u32>| {
                    let (d, u) = (ErrorPolicy::Stop, UnmappablePolicy::Stop);
                    Transcoder::new(Encoding::UCS_4BE, to)
                        .on_error(d)
                        .on_unmappable(u)
                        .transcode(&ucs4(text))
                        .expect("mappable")
                };
                found.sort_by_key(key);
                same("order", &found, &sorted)
            }
        },
    }
}

fn lengths(vector: &Vector) -> Verdict {
    let text: String = vector.code_points("cps").iter().filter_map(|&c| char::from_u32(c)).collect();
    let units: Vec<u16> = text.encode_utf16().collect();
    let code_points: Vec<u32> = text.chars().map(u32::from).collect();
    let bytes = text.as_bytes();
    let mut known = 0;
    let verdict = all(vector.numbers("lengths").into_iter().map(|(unit, expected)| {
        let found: &[usize] = match unit {
            "code-points" => &[
                length::utf32_from_utf8(bytes),
                length::utf32_from_utf16(&units),
                utf8::count_code_points(bytes),
            ],
            "utf-16-units" => &[length::utf16_from_utf8(bytes), length::utf16_from_utf32(&code_points)],
            "utf-8" => &[length::utf8_from_utf16(&units), length::utf8_from_utf32(&code_points)],
            "utf-16be" => &[2 * length::utf16_from_utf8(bytes)],
            "utf-32be" => &[4 * length::utf32_from_utf8(bytes)],
            other => match Encoding::for_label(other) {
                None => return Verdict::Passed,
                Some(to) => {
                    let (d, u) = (ErrorPolicy::Stop, UnmappablePolicy::Stop);
                    let encoded =
                        Transcoder::new(Encoding::UTF_8, to).on_error(d).on_unmappable(u).transcode(bytes);
                    &[encoded.expect("it holds all").len()]
                }
            },
        };
        known += 1;
        all(found.iter().map(|found| same(unit, found, &expected)))
    }));
    if known == 0 { Verdict::NotApplicable("another encoding") } else { verdict }
}

fn count(vector: &Vector) -> Verdict {
    let n = vector.number("n");
    if n > 3 {
        return Verdict::NotApplicable("2^32 strings and more; cargo xtask exhaustive");
    }
    let count = AtomicU64::new(0);
    let strings = 1_usize << (8 * n);
    let parts = strings.min(256);
    in_parallel(parts, |part| {
        let strings = part * (strings / parts)..(part + 1) * (strings / parts);
        let well_formed = |i: &usize| utf8::validate(&(*i as u32).to_be_bytes()[4 - n..]).is_ok();
        count.fetch_add(strings.filter(well_formed).count() as u64, Relaxed);
    });
    same("well-formed strings", &count.into_inner(), &(vector.number("valid") as u64))
}

fn web(vector: &Vector) -> Verdict {
    let bytes = vector.bytes("bytes");
    let text: String = vector.code_points("cps").iter().filter_map(|&c| char::from_u32(c)).collect();
    let fallback = match placemat::web::for_label(vector.text("fallback")) {
        Some(encoding) => encoding,
        // If a signature decides, the fallback does not matter.
        None if vector.text("encoding") != vector.text("fallback") => Encoding::ISO_8859_1,
        None => return Verdict::NotApplicable("windows-1252"),
    };
    let found = placemat::web::decode(&bytes, fallback);
    all([
        same("text", &found.text.into_owned(), &text),
        same("encoding", &found.encoding.name(), &vector.text("encoding")),
    ])
}

fn web_label(vector: &Vector) -> Verdict {
    let found = placemat::web::for_label(vector.text("label"));
    match vector.text("encoding") {
        "none" => same("encoding", &found, &None),
        name => match Encoding::for_label(name) {
            expected @ Some(_) => same("encoding", &found, &expected),
            None => match same("encoding", &found, &None) {
                Verdict::Passed => Verdict::NotApplicable("another encoding"),
                failed => failed,
            },
        },
    }
}

/// Returns the encoding of a label, by its canonical name. A few of the names specify more than an encoding.
fn label(vector: &Vector) -> Verdict {
    let label = vector.text("label");
    let found = Encoding::for_label(label).map(Encoding::name);
    let expected = match vector.text("canonical") {
        // The normalization that this name adds is up to the caller.
        "UTF-8 + Apple NFD" => {
            return Verdict::NotApplicable("a normalization of UTF-8, which the command has");
        }
        "IMAP mailbox name" => "UTF-7-IMAP",
        "UCS-2" if label.ends_with("be") => "UCS-2BE",
        "UCS-2" if label.ends_with("le") => "UCS-2LE",
        "UTF-8" if matches!(label, "utf-8-bom" | "utf-8-sig" | "utf_8_sig") => "UTF-8-BOM",
        name => name,
    };
    same("name", &found, &Some(expected))
}

/// Checks the library against a vector.
fn check(vector: &Vector) -> Verdict {
    let bytes = || vector.bytes("bytes");
    match vector.text("op") {
        "class" => class(vector),
        "roundtrip" if vector.text("codec") == "utf-8-perl" => perl(vector),
        "encode" => encodes(vector),
        "java-writeutf" => java_write(vector),
        "java-readutf" => java_read(vector),
        "wtf16" => all([
            same("bytes", &wtf8::from_units(&units(vector)), &bytes()),
            same("units", &wtf8::to_units(&bytes()), &Ok(units(vector))),
        ]),
        "wtf-concat" => {
            let both = wtf8::concatenate(&vector.bytes("left"), &vector.bytes("right"));
            same("bytes", &both, &bytes())
        }
        "wtf-to-utf8-lossy" => {
            let text = wtf8::to_utf8_lossy(&bytes()).map(String::into_bytes);
            same("bytes", &text, &Ok(vector.bytes("out")))
        }
        "roundtrip" => all([encodes(vector), decodes(vector, encoding(vector))]),
        "read-as" | "decode" => decodes(vector, encoding(vector)),
        "table256" => {
            let [from, to] = match vector.text("table") {
                "i8-to-ebcdic" => [Encoding::I8, Encoding::UTF_EBCDIC],
                _ => [Encoding::UTF_EBCDIC, Encoding::I8],
            };
            // Single bytes are compared as they are written; other bytes by a code point that they
            // begin or end.
            all((0..=0xFF).map(|byte| table(from, to, byte, bytes()[usize::from(byte)])))
        }
        "octal" => {
            let mut octal = Vec::new();
            for c in vector.code_points("cps") {
                let c = char::from_u32(c).expect("a scalar value");
                let encoded = utf8::encode(c, &mut [0; 4]).expect("four bytes do").to_owned();
                octal.extend(encoded.bytes().map(|byte| format!("{byte:03o}")));
            }
            same("octal", &octal.join(" ").as_str(), &vector.text("octal"))
        }
        "invalid" => invalid(vector),
        "unencodable" => {
            if vector.code_points("cps").iter().any(|&c| placemat::CodePoint::new(c).is_none()) {
                // A value that is not a code point does not reach an encoder.
                return same("kind", &"out-of-range", &vector.text("kind"));
            }
            let text = ucs4(&vector.code_points("cps"));
            let (to, d, u) = (encoding(vector), ErrorPolicy::Stop, UnmappablePolicy::Stop);
            let found = Transcoder::new(Encoding::UCS_4BE, to)
                .on_error(d)
                .on_unmappable(u)
                .transcode(&text)
                .map_err(|e| e.code());
            same("kind", &found, &Err(vector.text("kind")))
        }
        "spans" => {
            let span = Span::named(vector.text("policy")).expect("a span rule");
            let found = faults(Encoding::UTF_8, &bytes(), Policy::Stop, span);
            same("spans", &spans(&found).as_str(), &vector.text("spans"))
        }
        "replace" => replace(vector),
        "unescape" => unescape(vector),
        // The vectors have the default of RFC 2781.
        "utf16-bom" => decodes_as::<ByBom<Utf16<Be>, Utf16<Le>>>(vector),
        "utf32-bom" => decodes_as::<ByBom<Utf32<Be>, Utf32<Le>>>(vector),
        "bom" => {
            let found = bom::sniff(&bytes()).map_or(("none", 0), |sniffed| (sniffed.name, sniffed.len));
            same("sniffed", &found, &(vector.text("encoding"), vector.number("bom_len")))
        }
        "bom-whatwg" => {
            let found =
                placemat::web::sniff(&bytes()).map_or(("none", 0), |(encoding, len)| (encoding.name(), len));
            same("sniffed", &found, &(vector.text("encoding"), vector.number("bom_len")))
        }
        "single-byte" => match vector.text("table") {
            "latin-1" => decodes(vector, Encoding::ISO_8859_1),
            // Not an encoding of the library, but the result of one of its policies for bytes outside ASCII.
            "windows-1252" => {
                let found = convert::decode::<Ascii>(&bytes(), ErrorPolicy::Windows1252).ok();
                let text: Option<Vec<u32>> = found.map(|text| text.chars().map(u32::from).collect());
                same("text", &text, &Some(vector.code_points("cps")))
            }
            label => match Encoding::for_label(label) {
                Some(encoding) => decodes(vector, encoding),
                None => Verdict::NotApplicable("another encoding"),
            },
        },
        "boundary" => boundary(vector),
        "truncate" => {
            let (bytes, max) = (bytes(), vector.number("max"));
            same("length", &utf8::truncate(&bytes, max).len(), &vector.number("len"))
        }
        "order" => order(vector),
        "length" => lengths(vector),
        "count" => count(vector),
        "whatwg-decode" => web(vector),
        "web-label" => web_label(vector),
        "label" => label(vector),
        "number" => Verdict::NotApplicable("arithmetic of the page"),
        "net-unicode" => {
            let mut found: Vec<_> = net_unicode(&bytes()).map(|found| found.kind.code()).collect();
            // The vectors list each kind once.
            found.dedup();
            same("violations", &found, &vector.words("violations"))
        }
        "utf-8-mac" => {
            let text =
                |key| vector.code_points(key).into_iter().filter_map(char::from_u32).collect::<String>();
            let (composed, decomposed) = (text("cps"), text("decomposed"));
            all([
                same("decomposed", &&*Normalization::Mac.apply(&composed), &&*decomposed),
                // The original differs: U+2126 is unchanged in Apple's form and becomes U+03A9 in
                // NFC.
                same(
                    "composed again",
                    &Normalization::Mac.apply(&Normalization::Nfc.apply(&decomposed)),
                    &Normalization::Mac.apply(&Normalization::Nfc.apply(&composed)),
                ),
            ])
        }
        other => panic!("{vector}: unknown op {other}"),
    }
}

#[test]
fn library_passes_every_vector() {
    let passes = [400, 305, 55, 45, 59, 39, 67, 44, 100, 95, 150, 106, 36, 86, 107, 34];
    for (source, passes) in TOPICS.into_iter().zip(passes) {
        Tally::of(&topic(source), check).report(source.0, passes);
    }
}
