//! The cases of `tests/doors.json`, which every door of the library runs and answers equally: Rust here, the command, Python,
//! JavaScript, C and columns of Arrow in their own suites.
//!
//! With `PLACEMAT_RECORD=1` the answers of this door are written into the file, to be read before they are committed.

use placemat::detect::{Verdict, regions};
use placemat::edit::{Document, EditError};
use placemat::repair::{Lost, Repairer, undo};
use placemat::stream::{Status, Transcoder};
use placemat::{Encoding, ErrorPolicy, UnmappablePolicy, detect, utf8};
use serde_json::{Value, json};
use std::{env, fs};

const CASES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doors.json");
/// The page of the book with the table of the functions.
const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/doors.md");
const DOORS: [&str; 6] = ["Rust", "command", "Python", "JavaScript", "C", "Arrow"];

/// Answers a case.
type Answer = fn(&Value) -> Value;

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes(case: &Value) -> Vec<u8> {
    let hex = case["bytes"].as_str().expect("the bytes in hexadecimal").as_bytes();
    let digit = |digit: u8| char::from(digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    hex.chunks(2)
        .map(|pair| 16 * digit(pair[0]).expect("a digit") + digit(pair[1]).expect("a digit"))
        .collect()
}

fn named(name: &Value) -> Encoding {
    name.as_str().and_then(Encoding::for_label).unwrap_or_else(|| panic!("{name}: unknown"))
}

fn name(encoding: Encoding) -> String {
    encoding.name().to_lowercase()
}

/// Rounds a probability to a millionth, as JSON keeps it exactly.
fn rounded(probability: f32) -> f64 {
    (f64::from(probability) * 1e6).round() / 1e6
}

fn detected(case: &Value) -> Value {
    let found = detect(&bytes(case));
    let verdict = match found.verdict {
        Verdict::Empty => "empty",
        Verdict::Text => "text",
        Verdict::Binary => "binary",
        _ => "unknown",
    };
    json!({
        "verdict": verdict,
        "encoding": found.encoding.map(name),
        "confidence": rounded(found.confidence),
        "language": found.language.map(|language| language.code()),
        "first_non_ascii": found.first_non_ascii,
        "ill_formed": found.damage.map(|damage| damage.ill_formed),
        "contradicts_declaration": found.contradicts_declaration(),
        "mixed": found.mixed.iter().copied().map(name).collect::<Vec<_>>(),
    })
}

fn divided(case: &Value) -> Value {
    let found = regions(&bytes(case));
    let found = found.iter().map(|region| {
        json!({
            "offset": region.offset,
            "length": region.len,
            "line": region.line,
            "lines": region.lines,
            "encoding": name(region.encoding),
        })
    });
    json!({ "regions": found.collect::<Vec<_>>() })
}

fn repaired(case: &Value) -> Value {
    let source = bytes(case);
    let mut repairer = Repairer::new();
    if let Some(steps) = case["steps"].as_array() {
        repairer =
            repairer.steps(steps.iter().filter_map(Value::as_str).map(|step| step.parse().expect("a step")));
    }
    if case["lost"] == "escape" {
        repairer = repairer.lost(Lost::Escape);
    }
    if case["fallback"].is_string() {
        repairer = repairer.fallback(named(&case["fallback"]));
    }
    if let Some(least) = case["min_confidence"].as_f64() {
        repairer = repairer.min_confidence(least as f32);
    }
    let repaired = repairer.repair(&source);
    let restored = undo(repaired.text.as_bytes(), repaired.encoding, &repaired.changes);
    assert_eq!(restored.as_ref(), Ok(&source), "{case}");
    let changes = repaired.changes.iter().map(|change| {
        json!({
            "step": change.step.name(),
            "offset": change.offset,
            "before": hex(&change.before),
            "repaired_offset": change.repaired_offset,
            "after": change.after,
            "encodings": change.encodings.iter().copied().map(name).collect::<Vec<_>>(),
            "lossy": change.lossy,
            "confidence": rounded(change.confidence),
        })
    });
    json!({ "text": repaired.text, "source_encoding": name(repaired.encoding), "changes": changes.collect::<Vec<_>>() })
}

fn checked(case: &Value) -> Value {
    let source = bytes(case);
    let mut checker = Transcoder::checker(named(&case["encoding"]));
    let (mut at, mut errors) = (0, Vec::new());
    loop {
        let p = checker.convert(&source[at..], &mut [], true);
        at += p.read;
        match p.status {
            Status::IllFormed(e) => {
                errors.push(json!({ "offset": e.offset(), "length": e.len(), "code": e.code() }));
            }
            Status::Done => return json!({ "errors": errors }),
            status => panic!("{case}: {status:?}"),
        }
    }
}

fn unmappable(name: &str) -> UnmappablePolicy<'static> {
    match name {
        "strict" => UnmappablePolicy::Stop,
        "replace" => UnmappablePolicy::Replace,
        "ignore" => UnmappablePolicy::Skip,
        "xmlcharrefreplace" => UnmappablePolicy::XmlReference,
        "backslashreplace" => UnmappablePolicy::HexEscape,
        "translit" => UnmappablePolicy::Transliterate,
        "surrogatepass" => UnmappablePolicy::SurrogatePass,
        other => panic!("{other}: unknown"),
    }
}

fn converted(case: &Value) -> Value {
    let text = |key: &str| case[key].as_str().expect("a name");
    let errors: ErrorPolicy<'_> = text("errors").parse().expect("a policy");
    let mut transcoder = Transcoder::new(named(&case["from"]), named(&case["to"]))
        .on_error(errors)
        .on_unmappable(unmappable(text("unmappable")));
    let mut room = [0; 256];
    let p = transcoder.convert(&bytes(case), &mut room, true);
    match p.status {
        Status::Done => json!({ "result": hex(&room[..p.written]) }),
        Status::IllFormed(e) => json!({ "error": { "offset": e.offset(), "code": e.code() } }),
        Status::Unmappable(e) => {
            json!({ "error": { "offset": e.offset(), "code_point": e.code_point().value() } })
        }
        status => panic!("{case}: {status:?}"),
    }
}

fn truncated(case: &Value) -> Value {
    let text = case["text"].as_str().expect("a text");
    let most = |key: &str| case[key].as_u64().and_then(|most| usize::try_from(most).ok());
    let result = match (most("bytes"), most("chars")) {
        (Some(bytes), _) => utf8::truncate_str(text, bytes).to_owned(),
        (_, Some(chars)) => {
            let cut = utf8::truncate_code_points(text.as_bytes(), chars);
            String::from_utf8(cut.to_vec()).expect("a text cut between code points")
        }
        _ => panic!("{case}: no limit"),
    };
    json!({ "result": result })
}

/// An edit by a range of code points, which each door counts in its own units.
fn edited(case: &Value) -> Value {
    let mut document = Document::open(&bytes(case), named(&case["encoding"])).expect("a document");
    let text = document.text();
    let utf8 =
        |text: &str, points: usize| text.char_indices().map(|(at, _)| at).nth(points).unwrap_or(text.len());
    let points = |text: &str, utf8: usize| text.char_indices().take_while(|(at, _)| *at < utf8).count();
    let number = |key: &str| case[key].as_u64().and_then(|n| usize::try_from(n).ok()).expect("a number");
    let places = (0..=text.chars().count()).map(|at| {
        let here = utf8(&text, at);
        let byte = document.text_to_byte(here).expect("an offset of the text");
        let position = document.position_of_text(here).expect("an offset of the text");
        let back = document.text_of_position(position).expect("a position in the text");
        json!({
            "byte": byte,
            "from_byte": document.text_of_byte(byte).map(|back| points(&text, back)),
            "line": position.line,
            "column": position.column,
            "from_position": points(&text, back),
        })
    });
    let places = places.collect::<Vec<_>>();
    let (signature, stand_in) =
        (hex(document.signature()), document.stand_ins().map(|all| u32::from(all.char_of(0))));
    let new = case["new"].as_str().expect("a text");
    // Beyond the end, the range stays wrong.
    let offset = |at: usize| if at > text.chars().count() { text.len() + at } else { utf8(&text, at) };
    let (edit, error) = match document.replace(offset(number("start"))..offset(number("end")), new) {
        Ok(change) => (
            json!({ "start": change.bytes.start, "end": change.bytes.end, "length": change.len }),
            Value::Null,
        ),
        Err(EditError::Unmappable(e)) => {
            let at = usize::try_from(e.offset()).expect("an offset in memory");
            (Value::Null, json!({ "code_point": e.code_point().value(), "offset": points(new, at) }))
        }
        Err(EditError::Range) => (Value::Null, json!("range")),
        Err(EditError::ReadsOtherwise) => (Value::Null, json!("reads otherwise")),
        Err(e) => panic!("{case}: {e}"),
    };
    json!({
        "text": text,
        "signature": signature,
        "stand_in": stand_in,
        "lines": document.line_count(),
        "places": places,
        "replaced": edit,
        "error": error,
        "result": hex(&document.to_bytes()),
    })
}

/// The functions by their doors, as a table of the book.
fn table(cases: &Value) -> String {
    let mut table = format!("| to find | {} |\n| --- |{}\n", DOORS.join(" | "), " --- |".repeat(DOORS.len()));
    for function in ["detect", "regions", "repair", "edit", "check", "convert", "truncate"] {
        let names = &cases["doors"][function];
        let cell = |column: &str| names[column].as_str().unwrap_or_else(|| panic!("{function}: {column}"));
        let cells: Vec<&str> = DOORS.into_iter().map(cell).collect();
        table += &format!("| {} | {} |\n", cell("what"), cells.join(" | "));
    }
    table
}

#[test]
fn the_table_of_the_book_is_made_from_the_cases() {
    let text = fs::read_to_string(CASES).expect("the cases");
    let cases: Value = serde_json::from_str(&text).expect("JSON");
    let page = fs::read_to_string(PAGE).expect("the page");
    let before = page.split("| to find |").next().unwrap_or_default();
    let want = before.to_owned() + &table(&cases);
    if env::var_os("PLACEMAT_RECORD").is_some() {
        fs::write(PAGE, want).expect("to write the page");
    } else {
        assert_eq!(page, want, "PLACEMAT_RECORD=1 writes it");
    }
}

#[test]
fn every_case_has_its_answer() {
    let text = fs::read_to_string(CASES).expect("the cases");
    let mut cases: Value = serde_json::from_str(&text).expect("JSON");
    let functions: [(&str, Answer); 7] = [
        ("detect", detected),
        ("regions", divided),
        ("repair", repaired),
        ("edit", edited),
        ("check", checked),
        ("convert", converted),
        ("truncate", truncated),
    ];
    let record = env::var_os("PLACEMAT_RECORD").is_some();
    for (function, answer) in functions {
        for case in cases[function].as_array_mut().expect("a list of cases") {
            let answer = answer(case);
            let Value::Object(answer) = answer else { unreachable!("an answer has fields") };
            if record {
                case.as_object_mut().expect("fields").extend(answer);
                continue;
            }
            for (field, value) in answer {
                assert_eq!(case[&field], value, "{function}, {field}: {case}");
            }
        }
    }
    if record {
        let lines = serde_json::to_string_pretty(&cases).expect("JSON");
        fs::write(CASES, lines + "\n").expect("to write the cases");
    }
}
