//! The suites of others that the library passes, through the command: one process a case.

use crate::run::placemat;
use serde_json::Value;

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap()).collect()
}

/// Runs a file of cases; how many there were.
fn all(cases: &str) -> usize {
    let mut failures = Vec::new();
    for line in cases.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        if let Err(why) = one(&case) {
            failures.push(format!("{} {}: {why}", case["suite"], case["id"]));
        }
    }
    assert!(failures.is_empty(), "{} failed:\n{}", failures.len(), failures.join("\n"));
    cases.lines().count()
}

fn one(case: &Value) -> Result<(), String> {
    let text = |key: &str| case[key].as_str();
    let input = bytes(text("in").unwrap());
    if text("op") == Some("validate") {
        let ran = placemat("convert").reads(&*input).run();
        return match case["offset"].as_u64() {
            None if ran.status == 0 && ran.stdout == input => Ok(()),
            Some(offset)
                if ran.status == 1
                    && ran.stdout == input[..usize::try_from(offset).unwrap()]
                    && ran.stderr.contains(&format!(" at byte {offset}")) =>
            {
                Ok(())
            }
            _ => Err(format!("{ran:?}")),
        };
    }
    let mut run = placemat("convert").arg("-f").arg(text("from").unwrap()).arg("-t").arg(text("to").unwrap());
    run = run.arg("-e").arg(text("errors").unwrap());
    if let Some(bom) = text("bom") {
        run = run.arg("--bom").arg(bom);
    }
    let ran = run.reads(input).run();
    match text("want") {
        Some(want) if ran.status == 0 && ran.stdout == bytes(want) && ran.stderr.is_empty() => Ok(()),
        None if ran.status == 1 && !ran.stderr.is_empty() => Ok(()),
        want => Err(format!("wanted {want:?}: {ran:?}")),
    }
}

macro_rules! suites {
    ($($name:ident $file:literal $count:literal)*) => {
        $(
            #[test]
            fn $name() {
                let path = concat!("../../../placemat/tests/vectors/cases/", $file);
                assert_eq!(all(include_str!(concat!("../../../placemat/tests/vectors/cases/", $file))), $count, "{path}");
            }
        )*
    };
}

suites! {
    kuhn_validate "kuhn-validate.jsonl" 76
    kuhn_replace "kuhn-replace.jsonl" 76
    unicode_fffd "unicode-fffd.jsonl" 4
    json_validate "json-validate.jsonl" 55
    mb_utf8 "mb-utf8.jsonl" 26
    wpt_bom "wpt-bom.jsonl" 5
    gen_utfx "gen-utfx.jsonl" 1034
}
