//! The vectors of the specification and the cases of other projects, through the command: one
//! process for each question.
//!
//! Each topic and suite prints how many passed and why others do not apply, and the counts are
//! asserted, so that no check disappears unnoticed. `cargo xtask conformance` makes a table of
//! them.

use crate::run::{Ran, in_repository, placemat, vectors};
use core::sync::atomic::{AtomicUsize, Ordering};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The reason why no command answers the question.
type NotApplicable = &'static str;

/// The outcome of a vector.
enum Verdict {
    Passed,
    Failed(String),
    NotApplicable(NotApplicable),
}

/// Parses hex digits such as `ef bb bf`.
pub(crate) fn bytes(hex: &str) -> Vec<u8> {
    let digits: String = hex.split_whitespace().collect();
    (0..digits.len()).step_by(2).map(|i| u8::from_str_radix(&digits[i..i + 2], 16).unwrap()).collect()
}

/// Parses code points in hex, and writes them as UCS-4BE.
pub(crate) fn ucs4(text: &str) -> Vec<u8> {
    text.split_whitespace().flat_map(|c| u32::from_str_radix(c, 16).unwrap().to_be_bytes()).collect()
}

fn text<'a>(case: &'a Value, key: &str) -> Option<&'a str> {
    case[key].as_str()
}

fn convert(from: &str, to: &str, options: &str, input: &[u8]) -> Ran {
    placemat("convert").arg("-f").arg(from).arg("-t").arg(to).args(options).reads(input).run()
}

/// Passes if the run wrote `wanted` without a message, or failed where `wanted` is `None`.
fn wrote(ran: &Ran, wanted: Option<&[u8]>) -> Verdict {
    let passed = match wanted {
        Some(wanted) => ran.status == 0 && ran.stdout == wanted,
        None => ran.status == 1 && !ran.stderr.is_empty(),
    };
    if passed { Verdict::Passed } else { Verdict::Failed(format!("wanted {wanted:x?}: {ran:x?}")) }
}

fn both(first: Verdict, second: impl FnOnce() -> Verdict) -> Verdict {
    if let Verdict::Passed = first { second() } else { first }
}

/// Returns the errors that `check` finds: `0-1:overlong-2;…`.
fn errors(encoding: &str, span: &str, input: &[u8]) -> String {
    let ran =
        placemat("check --format jsonl").arg("-f").arg(encoding).arg("--span").arg(span).reads(input).run();
    let one = |line: &str| -> String {
        let found: Value = serde_json::from_str(line).unwrap();
        let (start, len) = (found["byte_offset"].as_u64().unwrap(), found["length"].as_u64().unwrap());
        format!("{start}-{}:{}", start + len, text(&found, "kind").unwrap())
    };
    String::from_utf8(ran.stdout).unwrap().lines().map(one).collect::<Vec<_>>().join(";")
}

fn equal(found: &str, wanted: &str) -> Verdict {
    if found == wanted { Verdict::Passed } else { Verdict::Failed(format!("wanted {wanted:?}: {found:?}")) }
}

/// Returns the command's name for a policy or span of the vectors.
fn policy(name: &str) -> Option<&'static str> {
    Some(match name {
        "stop" => "strict",
        "fffd" => "replace",
        "question" => "question",
        "skip" => "ignore",
        "latin1" => "latin1",
        "cp1252" => "cp1252",
        "surrogateescape" => "surrogateescape",
        "optu" => "optu",
        _ => return None,
    })
}

fn span(name: &str) -> Option<&'static str> {
    Some(match name {
        "maximal-subpart" => "maximal",
        "per-byte" => "byte",
        "lead-length" => "lead",
        "structural" => "structural",
        _ => return None,
    })
}

/// Checks a vector of the specification.
fn vector(v: &Value) -> Verdict {
    let codec = text(v, "codec").unwrap_or_default();
    if codec == "utf-8-perl" {
        return Verdict::NotApplicable("more than 31 bits");
    }
    let (cps, input) = (ucs4_of(v), text(v, "bytes").map(bytes).unwrap_or_default());
    let decodes = |codec: &str| wrote(&convert(codec, "ucs-4be", "", &input), cps.as_deref());
    let encodes = || wrote(&convert("ucs-4be", codec, "", cps.as_deref().unwrap_or_default()), Some(&input));
    match text(v, "op").unwrap() {
        "roundtrip" => both(decodes(codec), encodes),
        "decode" | "read-as" => decodes(codec),
        "encode" => encodes(),
        "unencodable" => wrote(&convert("ucs-4be", codec, "", cps.as_deref().unwrap_or_default()), None),
        "single-byte" => decodes(text(v, "table").unwrap()),
        "utf16-bom" | "utf32-bom"
            if ![&b"\xFE\xFF"[..], b"\xFF\xFE", b"\0\0\xFE\xFF"]
                .iter()
                .any(|mark| input.starts_with(mark)) =>
        {
            Verdict::NotApplicable("without a signature: little-endian here, as docs/decisions says")
        }
        "utf16-bom" => decodes("utf-16"),
        "utf32-bom" => decodes("utf-32"),
        // The vectors have UTF-7 at its strictest.
        "invalid" if codec == "utf-7" => invalid(v, "utf-7-d", &input),
        "invalid" => invalid(v, codec, &input),
        "replace" => replace(v, &input),
        "spans" => match span(text(v, "policy").unwrap()) {
            Some(span) => {
                let found = errors("utf-8", span, &input);
                let found: Vec<_> = found.split(';').map(|one| one.split(':').next().unwrap()).collect();
                equal(&found.join(";"), text(v, "spans").unwrap())
            }
            None => Verdict::NotApplicable("a rule that the command does not have"),
        },
        "unescape" => unescape(v, &input),
        "label" => label(v),
        "wtf16" => {
            let units = text(v, "units").unwrap().split_whitespace();
            let units: Vec<u8> =
                units.flat_map(|unit| u16::from_str_radix(unit, 16).unwrap().to_be_bytes()).collect();
            let there = convert("utf-16be", "wtf-8", "-e surrogatepass", &units);
            both(wrote(&there, Some(&input)), || {
                wrote(&convert("wtf-8", "utf-16be", "-e surrogatepass", &input), Some(&units))
            })
        }
        "wtf-to-utf8-lossy" => {
            let out = bytes(text(v, "out").unwrap());
            wrote(&convert("wtf-8", "utf-8", "--unmappable replace", &input), Some(&out))
        }
        "utf-8-mac" => {
            let utf8 = |key| {
                let text = ucs4(text(v, key).unwrap());
                convert("ucs-4be", "utf-8", "", &text).stdout
            };
            wrote(&convert("utf-8", "utf-8-mac", "", &utf8("cps")), Some(&utf8("decomposed")))
        }
        "class" | "octal" | "boundary" | "truncate" | "order" | "length" | "count" | "wtf-concat" | "bom"
        | "bom-whatwg" | "java-writeutf" | "java-readutf" | "table256" => {
            Verdict::NotApplicable("a function of the library")
        }
        "number" => Verdict::NotApplicable("arithmetic of the page"),
        "whatwg-decode" | "web-label" => Verdict::NotApplicable("what a browser does; of the library"),
        "net-unicode" => Verdict::NotApplicable("a report of the library; convert writes the form"),
        other => Verdict::Failed(format!("unknown op {other}")),
    }
}

fn ucs4_of(v: &Value) -> Option<Vec<u8>> {
    text(v, "cps").map(ucs4)
}

fn invalid(v: &Value, codec: &str, input: &[u8]) -> Verdict {
    let found = errors(codec, "maximal", input);
    let Some(wanted) = text(v, "errors") else {
        let first = found.split(';').next().unwrap().split(':').nth(1).unwrap_or_default();
        return equal(first, text(v, "kind").unwrap());
    };
    both(equal(&found, wanted), || {
        wrote(&convert(codec, "ucs-4be", "-e replace", input), ucs4_of(v).as_deref())
    })
}

fn replace(v: &Value, input: &[u8]) -> Verdict {
    let (Some(span), Some(policy)) =
        (span(text(v, "policy").unwrap()), policy(text(v, "replacement").unwrap()))
    else {
        return Verdict::NotApplicable("a policy that the command does not have");
    };
    wrote(&convert("utf-8", "ucs-4be", &format!("-e {policy} --span {span}"), input), ucs4_of(v).as_deref())
}

fn unescape(v: &Value, input: &[u8]) -> Verdict {
    if v["safe"] != true {
        return Verdict::NotApplicable("the command always checks");
    }
    let wanted = text(v, "kind").is_none().then_some(input);
    let method = match text(v, "method").unwrap() {
        "optu" => "--unmappable optu",
        _ => "-e surrogateescape",
    };
    wrote(&convert("ucs-4be", "utf-8", method, &ucs4_of(v).unwrap()), wanted)
}

/// Checks a label. The names in the vectors give the encoding, and ours also give the byte order
/// and the signature.
fn label(v: &Value) -> Verdict {
    let label = text(v, "label").unwrap();
    let canonical = match text(v, "canonical").unwrap() {
        "UTF-8 + Apple NFD" => return Verdict::NotApplicable("a normal form of UTF-8, for convert only"),
        "IMAP mailbox name" => "UTF-7-IMAP",
        "UCS-2" if label.ends_with("be") => "UCS-2BE",
        "UCS-2" if label.ends_with("le") => "UCS-2LE",
        "UTF-8" if matches!(label, "utf-8-bom" | "utf-8-sig" | "utf_8_sig") => "UTF-8-BOM",
        name => name,
    };
    equal(&canonical_name(label), canonical)
}

/// Returns the name of the encoding with this label.
fn canonical_name(label: &str) -> String {
    let ran = placemat("encodings --format jsonl").arg(label).run();
    match serde_json::from_slice::<Value>(&ran.stdout) {
        Ok(found) => text(&found, "name").unwrap().to_owned(),
        Err(_) => "none".to_owned(),
    }
}

/// Checks a case of another project.
fn case(case: &Value, folder: &Path) -> Verdict {
    let file = |key: &str| match text(case, key) {
        Some(hex) => Some(bytes(hex)),
        None => text(case, &format!("{key}_file")).map(|name| std::fs::read(folder.join(name)).unwrap()),
    };
    let input = file("in").unwrap_or_default();
    match text(case, "op").unwrap() {
        "validate" => {
            let ran = placemat("convert").reads(&*input).run();
            let passed = match case["offset"].as_u64() {
                None => ran.status == 0 && ran.stdout == input,
                Some(offset) => {
                    ran.status == 1
                        && ran.stdout == input[..usize::try_from(offset).unwrap()]
                        && ran.stderr.contains(&format!(" at byte {offset}"))
                }
            };
            if passed { Verdict::Passed } else { Verdict::Failed(format!("{ran:x?}")) }
        }
        "convert" => {
            let (from, to) = (text(case, "from").unwrap(), text(case, "to").unwrap());
            let bom = text(case, "bom").map(|bom| format!(" --bom {bom}")).unwrap_or_default();
            let options = format!("-e {}{bom}", text(case, "errors").unwrap());
            wrote(&convert(from, to, &options, &input), file("want").as_deref())
        }
        "label" => Verdict::NotApplicable("labels of the web, of the library"),
        _ => Verdict::NotApplicable("another task"),
    }
}

/// Checks all vectors on all cores and prints one line, or the failures if the expected number does
/// not pass.
fn check(name: &str, all: &[Value], count: usize, check: impl Fn(&Value) -> Verdict + Sync) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let (failed, skipped) = (Mutex::new(Vec::new()), Mutex::new(BTreeMap::<_, usize>::new()));
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(one) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
                    match check(one) {
                        Verdict::Passed => {}
                        Verdict::Failed(why) => {
                            failed.lock().unwrap().push(format!("{name} {}: {why}", one["id"]));
                        }
                        Verdict::NotApplicable(why) => *skipped.lock().unwrap().entry(why).or_default() += 1,
                    }
                }
            });
        }
    });
    let (mut failed, skipped) = (failed.into_inner().unwrap(), skipped.into_inner().unwrap());
    let not_applicable: usize = skipped.values().sum();
    let passed = all.len() - failed.len() - not_applicable;
    println!(
        "{name:<20} {passed:>4} passed, {} failed, {not_applicable:>3} not applicable {skipped:?}",
        failed.len()
    );
    if passed != count {
        failed.push(format!("{name}: {passed} passed, not {count}"));
    }
    failed
}

const SPEC: &[(&str, usize)] = &[
    ("01-utf8-strict", 138),
    ("02-error-policies", 283),
    ("03-utf8-31bit", 50),
    ("04-fss-utf-prosser", 45),
    ("05-utf1", 59),
    ("06-cesu8", 39),
    ("07-mutf8", 33),
    ("08-wtf8", 34),
    ("09-utf16-utf32", 98),
    ("10-utf7", 95),
    ("11-utf-ebcdic", 148),
    ("12-scsu-bocu1", 106),
    ("13-bom", 4),
    ("14-labels", 86),
    ("15-properties", 23),
    ("17-html-whatwg", 0),
];

const CASES: &[(&str, usize)] = &[
    ("stress-validate", 295),
    ("stress-replace", 295),
    ("stress-halves", 88),
    ("stress-signatures", 18),
    ("unicode-fffd", 4),
    ("sb-tables", 141),
    ("whatwg-sb", 61),
    ("gen-ebcdic", 722),
    ("gen-mb", 371),
    ("gen-utfx", 1034),
    ("gen-mutf8", 148),
    ("gen-utf1", 172),
    ("gen-wtf8", 34),
    ("gen-utfebcdic", 136),
];

/// Cases of other projects, if they are present: how many of each suite the command must answer.
const MORE: &[(&str, usize)] = &[
    ("json-validate", 55),
    ("kuhn-replace", 76),
    ("kuhn-validate", 76),
    ("mb-utf8", 26),
    ("mb-wtf8", 32),
    ("wpt-bom", 5),
    ("encoding_rs", 11),
    ("golang-text", 21),
    ("wpt-decode", 467),
    ("wpt-encode", 22),
    ("wpt-mb-tables", 226),
];

/// Returns the folder of other projects' cases: `PLACEMAT_TESTDATA`, or `shared/testdata` beside
/// the repository.
fn collection() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("PLACEMAT_TESTDATA").map(PathBuf::from) {
        assert!(named.is_dir(), "PLACEMAT_TESTDATA names no folder: {}", named.display());
        return Some(named);
    }
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/testdata");
    beside.is_dir().then_some(beside)
}

#[test]
fn the_command_passes_every_vector() {
    let mut wrong = Vec::new();
    for &(name, count) in SPEC {
        let Some(file) = vectors(&format!("spec/{name}.json")) else { return };
        let file: Value = serde_json::from_slice(&file).unwrap();
        let all = file.as_array().or(file["vectors"].as_array()).unwrap();
        wrong.extend(check(name, all, count, vector));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_command_passes_every_case() {
    let folder = collection();
    let mut suites = Vec::new();
    if let Some(ours) = in_repository("crates/placemat/tests/vectors/cases") {
        let read = |name: &str| std::fs::read_to_string(ours.join(format!("{name}.jsonl"))).unwrap();
        suites.extend(CASES.iter().map(|&(name, count)| (name, read(name), count)));
    }
    if let Some(folder) = &folder {
        let read = |name: &str| std::fs::read_to_string(folder.join(format!("cases/{name}.jsonl"))).unwrap();
        suites.extend(MORE.iter().map(|&(name, count)| (name, read(name), count)));
    } else {
        // Written directly, so that the test harness does not capture it.
        let _ = writeln!(
            std::io::stderr(),
            "\nWARNING: the_command_passes_every_case: other projects' cases were NOT run; PLACEMAT_TESTDATA=FOLDER names \
             where they are"
        );
    }
    let folder = folder.unwrap_or_default();
    let mut wrong = Vec::new();
    for (name, file, count) in suites {
        let all: Vec<Value> = file.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        wrong.extend(check(name, &all, count, |one| case(one, &folder)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
