//! `check --format sarif`: every document against the schema of OASIS, and its findings against
//! `--format jsonl`.

use crate::run::{Directory, Ran, placemat};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::sync::LazyLock;

/// The schema of SARIF 2.1.0, which is not part of this repository: `.ci/sarif-schema` fetches it
/// and sets its path. Without the schema, only the assertions of [`document`] apply, and the tests
/// print a note.
static SCHEMA: LazyLock<Option<Value>> = LazyLock::new(|| {
    let Some(path) = std::env::var_os("PLACEMAT_SARIF_SCHEMA") else {
        // Written directly, so that the test harness does not capture it.
        let _ = writeln!(
            std::io::stderr(),
            "\nWARNING: check_sarif: documents were NOT validated; PLACEMAT_SARIF_SCHEMA=FILE names the schema"
        );
        return None;
    };
    let schema = fs::read(&path).unwrap_or_else(|e| panic!("PLACEMAT_SARIF_SCHEMA: {}: {e}", path.display()));
    Some(serde_json::from_slice(&schema).unwrap())
});

/// Validates by JSON Schema, draft 7, as far as this schema uses it; an unknown keyword is an
/// error.
fn validate(value: &Value, schema: &Value, whole: &Value, at: &str) -> Result<(), String> {
    let wrong = |what: &str| Err(format!("{at}: {what}: {value}"));
    for (key, rule) in schema.as_object().unwrap() {
        let properties = schema["properties"].as_object();
        match key.as_str() {
            "$schema" | "$id" | "title" | "description" | "default" | "definitions" => {}
            "$ref" => {
                let name = rule.as_str().unwrap().strip_prefix("#/definitions/").unwrap();
                validate(value, &whole["definitions"][name], whole, at)?;
            }
            "type" => {
                let is = |name: &str| match name {
                    "object" => value.is_object(),
                    "array" => value.is_array(),
                    "string" => value.is_string(),
                    "boolean" => value.is_boolean(),
                    "integer" => value.is_i64() || value.is_u64(),
                    "number" => value.is_number(),
                    "null" => value.is_null(),
                    name => panic!("type {name}"),
                };
                let names = rule.as_array().map_or_else(|| vec![rule], |names| names.iter().collect());
                if !names.iter().any(|name| is(name.as_str().unwrap())) {
                    return wrong("type");
                }
            }
            "enum" => {
                if !rule.as_array().unwrap().contains(value) {
                    return wrong("enum");
                }
            }
            "minimum" => {
                if value.as_f64().is_some_and(|n| n < rule.as_f64().unwrap()) {
                    return wrong("minimum");
                }
            }
            "maximum" => {
                if value.as_f64().is_some_and(|n| n > rule.as_f64().unwrap()) {
                    return wrong("maximum");
                }
            }
            "minItems" => {
                if value.as_array().is_some_and(|items| (items.len() as u64) < rule.as_u64().unwrap()) {
                    return wrong("minItems");
                }
            }
            "uniqueItems" => {
                let distinct = |items: &Vec<Value>| {
                    items.iter().map(ToString::to_string).collect::<BTreeSet<_>>().len() == items.len()
                };
                if *rule == true && !value.as_array().is_none_or(distinct) {
                    return wrong("uniqueItems");
                }
            }
            "items" => {
                for (i, item) in value.as_array().into_iter().flatten().enumerate() {
                    validate(item, rule, whole, &format!("{at}/{i}"))?;
                }
            }
            "required" => {
                for name in rule.as_array().unwrap() {
                    if value.is_object() && value.get(name.as_str().unwrap()).is_none() {
                        return wrong(&format!("required {name}"));
                    }
                }
            }
            "properties" => {
                for (name, schema) in properties.into_iter().flatten() {
                    if let Some(value) = value.get(name) {
                        validate(value, schema, whole, &format!("{at}/{name}"))?;
                    }
                }
            }
            "additionalProperties" => {
                for (name, value) in value.as_object().into_iter().flatten() {
                    if properties.is_some_and(|known| known.contains_key(name)) {
                        continue;
                    }
                    match rule {
                        Value::Bool(false) => return wrong(&format!("additional {name}")),
                        Value::Bool(true) => {}
                        rule => validate(value, rule, whole, &format!("{at}/{name}"))?,
                    }
                }
            }
            "anyOf" | "oneOf" => {
                let rules = rule.as_array().unwrap();
                let fitting = rules.iter().filter(|rule| validate(value, rule, whole, at).is_ok()).count();
                if fitting == 0 || key == "oneOf" && fitting > 1 {
                    return wrong(key);
                }
            }
            "format" if rule == "uri-reference" || rule == "uri" => {
                let allowed = |c: char| c.is_ascii_alphanumeric() || "-._~:/?#[]@!$&'()*+,;=%".contains(c);
                let text = value.as_str().unwrap();
                if !text.chars().all(allowed) || rule == "uri" && !text.contains(':') {
                    return wrong("format");
                }
            }
            // The command writes no property with this format.
            "format" if rule == "date-time" => return wrong("date-time"),
            "pattern" => return wrong("pattern"),
            key => panic!("keyword {key}"),
        }
    }
    Ok(())
}

/// Returns the document, after it passed the schema.
#[track_caller]
fn document(ran: &Ran) -> Value {
    let document: Value = serde_json::from_slice(&ran.stdout).unwrap();
    if let Some(schema) = &*SCHEMA {
        validate(&document, schema, schema, "").unwrap_or_else(|e| panic!("{e}"));
    }
    let run = &document["runs"][0];
    assert_eq!(document["version"], "2.1.0");
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    assert_eq!(run["invocations"][0]["exitCode"], ran.status);
    assert_eq!(run["invocations"][0]["executionSuccessful"], ran.status < 2);
    // Every result belongs to the rule that it names.
    let rules = &run["tool"]["driver"]["rules"];
    for result in run["results"].as_array().unwrap() {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[index]["id"], result["ruleId"]);
    }
    document
}

fn results(document: &Value) -> &Vec<Value> {
    document["runs"][0]["results"].as_array().unwrap()
}

#[test]
fn the_validator_refuses_what_is_wrong() {
    let Some(schema) = &*SCHEMA else { return };
    let good = document(&placemat("check --all --format sarif").reads(*b"\xFF").run());
    type Break = fn(&mut Value);
    let breaks: [Break; 6] = [
        |d| d["version"] = "2.0.0".into(),
        |d| d["runs"][0]["tool"] = serde_json::json!({}),
        |d| d["runs"][0]["results"][0]["extra"] = 1.into(),
        |d| d["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0.into(),
        |d| d["runs"][0]["results"][0]["level"] = "fatal".into(),
        |d| {
            d["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] =
                "a b".into();
        },
    ];
    for wrong in breaks {
        let mut bad = good.clone();
        wrong(&mut bad);
        assert!(validate(&bad, schema, schema, "").is_err());
    }
}

#[test]
fn every_end_is_valid() {
    let d = Directory::new();
    d.write("good", "fine\n");
    d.write("ill", b"a\n\xFF\xC0\xAF");
    d.write("late", b"\xFF".repeat(10));
    for (args, status, count, notified) in [
        ("good", 0, 0, 0),
        ("ill", 1, 2, 0),
        ("--span maximal ill", 1, 3, 0),
        ("good ill late", 1, 12, 0),
        ("missing", 2, 0, 1),
        ("ill missing late gone", 2, 12, 2),
        ("--max 2 ill late", 1, 4, 0),
        ("-l ill late good", 1, 2, 0),
        ("-v good ill", 1, 2, 0),
        ("--summary good ill", 1, 2, 0),
        ("-g [ .", 2, 0, 1),
        ("-j 3 good ill late", 1, 12, 0),
    ] {
        let ran = placemat("check --all --format sarif").args(args).within(&d).run();
        ran.ends(status);
        let document = document(&ran);
        assert_eq!(results(&document).len(), count, "{args}");
        let notifications = &document["runs"][0]["invocations"][0]["toolExecutionNotifications"];
        assert_eq!(notifications.as_array().map_or(0, Vec::len), notified, "{args}");
    }
    let ran = placemat("check --all --format sarif --summary good ill").within(&d).run();
    assert_eq!(document(&ran)["runs"][0]["properties"]["summary"]["findings"], 2);
    placemat("check --all --format sarif -q ill").within(&d).run().ends(1).wrote("");
    // Only `check` has the format.
    placemat("count --format sarif").reads("").run().ends(2);
    #[cfg(target_os = "linux")]
    {
        let ran = placemat("check --all --format sarif ill /proc/self/mem").within(&d).run();
        let document = document(&ran);
        let notification = &document["runs"][0]["invocations"][0]["toolExecutionNotifications"][0];
        assert!(notification["message"]["text"].as_str().unwrap().starts_with("/proc/self/mem: "));
        assert_eq!(notification["level"], "error");
    }
}

/// Bytes, positions and messages equal those of `--format jsonl`.
#[test]
fn results_are_those_of_the_other_formats() {
    let bytes = b"\xEF\xBB\xBFab\xC0\xAF \"\\\x1B\n\xE2\x80\xAE\xF0\x9F\x98\x80e\xCC\x81\xED\xA0\x80\r\n\xF0\x9F\xFF\xFE";
    let args = "check --all --lint all --bom forbid --format";
    let jsonl = placemat(args).arg("jsonl").reads(*bytes).run();
    let jsonl = String::from_utf8(jsonl.stdout).unwrap();
    let want: Vec<Value> = jsonl.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let document = document(&placemat(args).arg("sarif").reads(*bytes).run());
    let results = results(&document);
    assert_eq!(results.len(), want.len());
    assert!(want.len() > 10);
    for (result, want) in results.iter().zip(&want) {
        assert_eq!(result["ruleId"], want["kind"]);
        assert_eq!(result["message"]["text"], want["message"]);
        let location = &result["locations"][0]["physicalLocation"];
        assert_eq!(location["artifactLocation"]["uri"], "%3Cstdin%3E");
        let region = &location["region"];
        assert_eq!(region["byteOffset"], want["byte_offset"]);
        assert_eq!(region["byteLength"], want["length"]);
        assert_eq!((&region["startLine"], &region["startColumn"]), (&want["line"], &want["column"]));
        let number = |key: &str| region[key].as_u64().unwrap();
        let start = (number("startLine"), number("startColumn"));
        assert!((number("endLine"), number("endColumn")) >= start);
        assert_eq!(result["properties"]["suggestion"], want["suggestion"]);
    }
}

#[cfg(unix)]
#[test]
fn names_become_uris() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let d = Directory::new();
    fs::create_dir(d.path("t")).unwrap();
    let names: [(&[u8], &str); 6] = [
        (b"a b", "t/a%20b"),
        (b"a:b", "t/a%3Ab"),
        (b"a\n\x1B", "t/a%0A%1B"),
        (b"\"<>\\", "t/%22%3C%3E%5C"),
        (b"\xC3\xA9", "t/%C3%A9"),
        (b"\xFF%", "t/%FF%25"),
    ];
    for (name, _) in names {
        d.write(std::path::Path::new("t").join(OsStr::from_bytes(name)), b"\xFF");
    }
    for args in ["t", "./t"] {
        let document = document(&placemat("check --all --format sarif").arg(args).within(&d).run());
        let uris: BTreeSet<_> = results(&document)
            .iter()
            .map(|result| {
                let uri = &result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
                uri.as_str().unwrap().to_owned()
            })
            .collect();
        assert_eq!(uris, names.iter().map(|(_, uri)| (*uri).to_owned()).collect());
    }
    // A file can have the name of standard input.
    d.write("t/-", b"\xFF");
    let ran = placemat("check --all --format sarif t/-").within(&d).run();
    let document = document(&ran);
    let uri = &results(&document)[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    assert_eq!(uri, "t/-");
}
