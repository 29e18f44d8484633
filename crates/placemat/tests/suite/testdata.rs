//! Cases against the library: those in `tests/vectors/cases`, and, if the collection of other
//! projects' cases is present ([`collection`]), all of its cases for the encodings of the library.

use crate::data::{
    STRESS, SUITES, Tally, Vector, Verdict, all, collection, same, say_without_collection, suite,
};
use crate::subject::{Plan, drive};
use placemat::stream::{Status, Transcoder};
use placemat::{Encoding, ErrorPolicy, UnmappablePolicy, bom, utf8};

/// Returns the encoding with this name in the cases; `None` if the library does not have it.
fn encoding(case: &Vector, key: &str) -> Option<Encoding> {
    Encoding::for_label(case.text(key))
}

/// Checks the library against a case.
pub(crate) fn check(case: &Vector) -> Verdict {
    let input = case.bytes_or_file("in");
    match case.text("op") {
        "validate" => {
            let found = utf8::validate(&input).map(|_| ()).map_err(|e| e.valid_up_to());
            let offset = case.has("offset").then(|| case.number("offset"));
            all([same("verdict", &found.is_ok(), &case.flag("valid")), same("offset", &found.err(), &offset)])
        }
        "convert" => {
            let (Some(from), Some(to)) = (encoding(case, "from"), encoding(case, "to")) else {
                return Verdict::NotApplicable("another encoding");
            };
            let (d, u) = match case.text("errors") {
                "strict" => (ErrorPolicy::Stop, UnmappablePolicy::Stop),
                "replace" => (ErrorPolicy::Replace, UnmappablePolicy::Replace),
                "surrogatepass" => (ErrorPolicy::SurrogatePass, UnmappablePolicy::SurrogatePass),
                other => panic!("{case}: {other}"),
            };
            let strip = case.has("bom") && case.text("bom") == "strip";
            let src = if strip { bom::strip(&input, from) } else { &input };
            let found = Transcoder::new(from, to).on_error(d).on_unmappable(u).transcode(src).ok();
            let expected = wanted(case);
            // Byte by byte gives the same result.
            let each = Plan::cut(&(0..=src.len()).collect::<Vec<_>>());
            let trace = drive(&mut Transcoder::new(from, to).on_error(d).on_unmappable(u), src, &each);
            let pieces = trace.troubles.is_empty().then_some(trace.out);
            all([same("bytes", &found, &expected), same("bytes, in pieces", &pieces, &expected)])
        }
        _ => Verdict::NotApplicable("another task"),
    }
}

/// Returns the expected bytes, or `None` if the conversion must fail.
fn wanted(case: &Vector) -> Option<Vec<u8>> {
    (case.has("want") || case.has("want_file")).then(|| case.bytes_or_file("want"))
}

#[test]
fn library_passes_every_case() {
    for source in SUITES {
        let cases = suite(source);
        Tally::of(&cases, check).report(source.0, source.1);
    }
}

/// Checks the whole collection, if it is present. The number of cases that the library must answer
/// is known for each suite.
#[test]
fn library_passes_the_whole_collection() {
    let known = [
        ("encoding_rs", 11),
        ("gen-ebcdic", 722),
        ("gen-mb", 371),
        ("gen-mutf8", 148),
        ("gen-utf1", 172),
        ("gen-utfebcdic", 136),
        ("gen-utfx", 1034),
        ("gen-wtf8", 34),
        ("golang-text", 21),
        ("json-validate", 55),
        ("kuhn-replace", 76),
        ("kuhn-validate", 76),
        ("mb-utf8", 26),
        ("mb-wtf8", 32),
        ("sb-tables", 141),
        ("unicode-fffd", 4),
        ("whatwg-labels", 137),
        ("whatwg-sb", 61),
        ("wpt-bom", 5),
        ("wpt-decode", 467),
        ("wpt-encode", 22),
        ("wpt-mb-tables", 226),
    ];
    let Some(root) = collection() else {
        return say_without_collection("library_passes_the_whole_collection");
    };
    for (name, passes) in known {
        let path = root.join(format!("cases/{name}.jsonl"));
        let text =
            std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let cases: Vec<_> = text.lines().map(|line| Vector::parse(name, line)).collect();
        Tally::of(&cases, check).report(name, passes);
    }
}

/// The stress test in one piece: its errors and its text are those of the standard library.
#[test]
fn the_stress_test() {
    let text = utf8::decode(STRESS, ErrorPolicy::Replace).expect("no policy stops");
    assert_eq!(text, String::from_utf8_lossy(STRESS));
    let found: Vec<_> = utf8::chunks(STRESS).filter_map(|c| c.ill_formed()).collect();
    let core = STRESS.utf8_chunks().map(|c| c.invalid().len()).filter(|&len| len > 0);
    assert!(found.iter().map(placemat::IllFormed::len).eq(core));
    let mut checker = Transcoder::checker(Encoding::UTF_8);
    let trace = drive(&mut checker, STRESS, &Plan::room(0));
    let checked: Vec<_> = trace.troubles.iter().map(|(status, _)| *status).collect();
    assert_eq!(checked, found.iter().map(|&e| Status::IllFormed(e)).collect::<Vec<_>>());
}
