//! The cases that every door answers equally, `crates/placemat/tests/doors.json`: those that the command has an answer for.

use crate::run::{in_repository, placemat};
use serde_json::Value;
use std::fs;

/// Returns the cases of a function; none in the published package.
fn cases(function: &str) -> Vec<Value> {
    let Some(path) = in_repository("crates/placemat/tests/doors.json") else { return Vec::new() };
    let text = fs::read_to_string(path).expect("the cases");
    let mut cases: Value = serde_json::from_str(&text).expect("JSON");
    let cases = cases[function].take();
    let Value::Array(cases) = cases else { panic!("{function}: no cases") };
    assert!(cases.len() > 2, "{function}");
    cases
}

fn bytes(hex: &Value) -> Vec<u8> {
    let hex = hex.as_str().expect("bytes in hexadecimal");
    let pairs = (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16));
    pairs.collect::<Result<_, _>>().expect("digits")
}

#[test]
fn detect() {
    for case in cases("detect") {
        let ran = placemat("detect --format jsonl -").reads(bytes(&case["bytes"])).run();
        let found: Value = serde_json::from_slice(&ran.stdout).expect("JSON");
        let name = found["encoding"].as_str().map(str::to_lowercase);
        assert_eq!(name.as_deref(), case["encoding"].as_str(), "{case}: {found}");
        let (confidence, want) = (found["confidence"].as_f64(), case["confidence"].as_f64());
        let difference = confidence.expect("a number") - want.expect("a number");
        assert!(difference.abs() < 0.01, "{case}: {found}");
    }
}

#[test]
fn repair() {
    for case in cases("repair") {
        let mut run = placemat("repair -q");
        for (field, option) in [("fallback", "--fallback"), ("min_confidence", "--min-confidence")] {
            match &case[field] {
                Value::Null => {}
                Value::String(value) => run = run.arg(option).arg(value),
                value => run = run.arg(option).arg(value.to_string()),
            }
        }
        if case["lost"] == "escape" {
            run = run.args("-e backslashreplace");
        }
        if let Some(steps) = case["steps"].as_array() {
            // Ill-formed bytes are always lost where no step explains them.
            let steps = steps.iter().filter_map(Value::as_str).filter(|step| *step != "lost");
            run = run.arg("--steps").arg(steps.collect::<Vec<_>>().join(","));
        }
        let lost = case["changes"].as_array().expect("changes").iter().any(|change| change["step"] == "lost");
        let ran = run.arg("-").reads(bytes(&case["bytes"])).run();
        ran.ends(i32::from(lost)).wrote(case["text"].as_str().expect("a text"));
    }
}

#[test]
fn convert() {
    for case in cases("convert") {
        // If there is no similar text, the command writes `?`, and the other doors stop.
        if case["unmappable"] == "translit" && case["error"].is_object() {
            continue;
        }
        let mut run = placemat("convert -q");
        for (field, option) in
            [("from", "-f"), ("to", "-t"), ("errors", "-e"), ("unmappable", "--unmappable")]
        {
            let name = case[field].as_str().expect("a name");
            // `-e surrogatepass` sets both sides.
            if (field, name) != ("unmappable", "surrogatepass") {
                run = run.arg(option).arg(name);
            }
        }
        let ran = run.arg("-").reads(bytes(&case["bytes"])).run();
        if case["error"].is_object() {
            ran.ends(1);
        } else {
            ran.ends(0).writes(bytes(&case["result"]));
        }
    }
}
