//! The data files of `tests/vectors`, and how their fields are read.

use core::fmt::Write as _;
use serde_json::Value;

/// The topics of `spec/`, each with its expected number of vectors.
pub(crate) const TOPICS: [(&str, &str, usize); 16] = [
    ("01-utf8-strict", include_str!("../vectors/spec/01-utf8-strict.json"), 400),
    ("02-error-policies", include_str!("../vectors/spec/02-error-policies.json"), 307),
    ("03-utf8-31bit", include_str!("../vectors/spec/03-utf8-31bit.json"), 58),
    ("04-fss-utf-prosser", include_str!("../vectors/spec/04-fss-utf-prosser.json"), 45),
    ("05-utf1", include_str!("../vectors/spec/05-utf1.json"), 59),
    ("06-cesu8", include_str!("../vectors/spec/06-cesu8.json"), 39),
    ("07-mutf8", include_str!("../vectors/spec/07-mutf8.json"), 67),
    ("08-wtf8", include_str!("../vectors/spec/08-wtf8.json"), 44),
    ("09-utf16-utf32", include_str!("../vectors/spec/09-utf16-utf32.json"), 100),
    ("10-utf7", include_str!("../vectors/spec/10-utf7.json"), 95),
    ("11-utf-ebcdic", include_str!("../vectors/spec/11-utf-ebcdic.json"), 150),
    ("12-scsu-bocu1", include_str!("../vectors/spec/12-scsu-bocu1.json"), 106),
    ("13-bom", include_str!("../vectors/spec/13-bom.json"), 36),
    ("14-labels", include_str!("../vectors/spec/14-labels.json"), 89),
    ("15-properties", include_str!("../vectors/spec/15-properties.json"), 120),
    ("17-html-whatwg", include_str!("../vectors/spec/17-html-whatwg.json"), 34),
];

/// The suites of `cases/`, each with its expected number of cases.
pub(crate) const SUITES: [(&str, usize); 13] = [
    ("stress-validate", 295),
    ("stress-replace", 295),
    ("stress-halves", 88),
    ("stress-signatures", 18),
    ("unicode-fffd", 4),
    ("sb-tables", 141),
    ("whatwg-sb", 61),
    ("gen-ebcdic", 722),
    ("gen-utfx", 1034),
    ("gen-mutf8", 148),
    ("gen-utf1", 172),
    ("gen-wtf8", 34),
    ("gen-utfebcdic", 136),
];

/// A stress test: each line quotes a sequence of `cases/stress-validate.jsonl`.
pub(crate) const STRESS: &[u8] = include_bytes!("../vectors/stress.txt");

/// Returns the folder of other projects' cases, if there is one: `PLACEMAT_TESTDATA`, or
/// `shared/testdata` beside the repository. Panics if the variable names a folder that does not
/// exist.
pub(crate) fn collection() -> Option<std::path::PathBuf> {
    if let Some(named) = std::env::var_os("PLACEMAT_TESTDATA") {
        let root = std::path::PathBuf::from(named);
        assert!(root.is_dir(), "PLACEMAT_TESTDATA names no folder: {}", root.display());
        return Some(root);
    }
    let beside = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/testdata");
    beside.is_dir().then_some(beside)
}

/// Prints a note that a test ran without the collection, on the terminal, where the test harness
/// does not capture it.
pub(crate) fn say_without_collection(test: &str) {
    use std::io::Write as _;
    let _ = writeln!(
        std::io::stderr(),
        "\nWARNING: {test}: other projects' cases were NOT run; PLACEMAT_TESTDATA=FOLDER names where they are"
    );
}

/// Returns the text of a file of `tests/vectors`.
pub(crate) fn vectors(path: &str) -> String {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let found = std::fs::read_to_string(root.join("tests/vectors").join(path));
    found.unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// One vector or case. The getters panic with its name if a field is missing or malformed.
#[derive(Clone, Debug)]
pub(crate) struct Vector {
    file: String,
    fields: Value,
}

impl Vector {
    pub(crate) fn parse(file: &str, line: &str) -> Self {
        let fields = serde_json::from_str(line).unwrap_or_else(|error| panic!("{file}: {error} in {line}"));
        Self { file: file.into(), fields }
    }

    fn missing(&self, key: &str) -> ! {
        panic!("{self}: no usable `{key}` in {}", self.fields)
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        self.fields.get(key).is_some_and(|value| !value.is_null())
    }

    pub(crate) fn text(&self, key: &str) -> &str {
        self.fields[key].as_str().unwrap_or_else(|| self.missing(key))
    }

    pub(crate) fn number(&self, key: &str) -> usize {
        let number = self.fields[key].as_u64().and_then(|number| usize::try_from(number).ok());
        number.unwrap_or_else(|| self.missing(key))
    }

    pub(crate) fn flag(&self, key: &str) -> bool {
        self.fields[key].as_bool().unwrap_or_else(|| self.missing(key))
    }

    /// Returns bytes in hex, with or without spaces between the pairs.
    pub(crate) fn bytes(&self, key: &str) -> Vec<u8> {
        unhex(self.text(key)).unwrap_or_else(|| self.missing(key))
    }

    /// Returns the bytes of `key` in hex, or of the file that `key_file` names.
    pub(crate) fn bytes_or_file(&self, key: &str) -> Vec<u8> {
        if self.has(key) {
            return self.bytes(key);
        }
        let path = collection().unwrap_or_default().join(self.text(&format!("{key}_file")));
        std::fs::read(&path).unwrap_or_else(|error| panic!("{self}: {}: {error}", path.display()))
    }

    /// Returns code points in hex.
    pub(crate) fn code_points(&self, key: &str) -> Vec<u32> {
        code_points(self.text(key)).unwrap_or_else(|| self.missing(key))
    }

    /// Returns a list of texts, each as code points in hex.
    pub(crate) fn texts(&self, key: &str) -> Vec<Vec<u32>> {
        let list = self.fields[key].as_array().unwrap_or_else(|| self.missing(key));
        let text = |value: &Value| value.as_str().and_then(code_points).unwrap_or_else(|| self.missing(key));
        list.iter().map(text).collect()
    }

    /// Returns a list of words.
    pub(crate) fn words(&self, key: &str) -> Vec<&str> {
        let list = self.fields[key].as_array().unwrap_or_else(|| self.missing(key));
        list.iter().map(|word| word.as_str().unwrap_or_else(|| self.missing(key))).collect()
    }

    /// Returns the numbers in an object.
    pub(crate) fn numbers(&self, key: &str) -> Vec<(&str, usize)> {
        let map = self.fields[key].as_object().unwrap_or_else(|| self.missing(key));
        let number = |value: &Value| value.as_u64().and_then(|number| usize::try_from(number).ok());
        map.iter()
            .map(|(name, value)| (name.as_str(), number(value).unwrap_or_else(|| self.missing(key))))
            .collect()
    }
}

impl core::fmt::Display for Vector {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} {}", self.file, self.fields["id"].as_str().unwrap_or("?"))
    }
}

/// Reads the vectors of a topic. Panics if there are not `count` of them, or if two have the same
/// `id`.
pub(crate) fn topic((name, json, count): (&'static str, &str, usize)) -> Vec<Vector> {
    let document: Value = serde_json::from_str(json).unwrap_or_else(|error| panic!("{name}: {error}"));
    let list = document["vectors"].as_array().unwrap_or_else(|| panic!("{name}: no vectors"));
    let vectors: Vec<_> =
        list.iter().map(|fields| Vector { file: name.into(), fields: fields.clone() }).collect();
    check_names(name, &vectors, count);
    vectors
}

/// Reads the cases of a suite, with the checks of [`topic`].
pub(crate) fn suite((name, count): (&'static str, usize)) -> Vec<Vector> {
    let json = vectors(&format!("cases/{name}.jsonl"));
    let cases: Vec<_> = json.lines().map(|line| Vector::parse(name, line)).collect();
    check_names(name, &cases, count);
    cases
}

fn check_names(name: &str, vectors: &[Vector], count: usize) {
    assert_eq!(vectors.len(), count, "{name}: a vector was added or lost; correct the count with it");
    let mut names: Vec<_> = vectors.iter().map(|vector| vector.text("id")).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count, "{name}: an id occurs twice");
}

/// The result of one check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    Passed,
    Failed(String),
    /// The library has no answer to the question, for this reason.
    NotApplicable(&'static str),
}

/// Compares, and reports both sides if they differ.
pub(crate) fn same<T: PartialEq + core::fmt::Debug>(what: &str, found: &T, expected: &T) -> Verdict {
    if found == expected {
        Verdict::Passed
    } else {
        Verdict::Failed(format!("{what}: found {found:x?}, expected {expected:x?}"))
    }
}

/// Returns the first verdict that is not a pass, otherwise a pass.
pub(crate) fn all(verdicts: impl IntoIterator<Item = Verdict>) -> Verdict {
    verdicts.into_iter().find(|verdict| *verdict != Verdict::Passed).unwrap_or(Verdict::Passed)
}

/// The number of verdicts of each kind, and the failures.
#[derive(Default, Debug)]
pub(crate) struct Tally {
    pub(crate) passed: usize,
    pub(crate) failed: Vec<String>,
    pub(crate) not_applicable: std::collections::BTreeMap<&'static str, usize>,
}

impl Tally {
    pub(crate) fn of<'a>(
        vectors: impl IntoIterator<Item = &'a Vector>,
        check: impl Fn(&Vector) -> Verdict,
    ) -> Self {
        let mut tally = Self::default();
        for vector in vectors {
            match check(vector) {
                Verdict::Passed => tally.passed += 1,
                Verdict::Failed(why) => tally.failed.push(format!("{vector}: {why}\n  {}", vector.fields)),
                Verdict::NotApplicable(why) => *tally.not_applicable.entry(why).or_default() += 1,
            }
        }
        tally
    }

    /// Prints one line; panics if anything failed or the number of passes is not the expected one.
    #[track_caller]
    pub(crate) fn report(&self, name: &str, passes: usize) {
        let skipped: usize = self.not_applicable.values().sum();
        println!(
            "{name:<20} {:>4} passed, {} failed, {skipped:>3} not applicable {:?}",
            self.passed,
            self.failed.len(),
            self.not_applicable
        );
        assert!(self.failed.is_empty(), "{name}:\n{}", self.failed.join("\n"));
        assert_eq!(self.passed, passes, "{name}: the number of vectors checked changed");
    }
}

/// Formats bytes in hex for messages.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let mut text = String::new();
    for (i, byte) in bytes.iter().enumerate() {
        let gap = if i == 0 { "" } else { " " };
        write!(text, "{gap}{byte:02x}").expect("writing to a string");
    }
    text
}

/// Parses hex pairs; spaces between pairs do not matter.
pub(crate) fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> = text.bytes().filter(|byte| *byte != b' ').collect();
    let (pairs, []) = digits.as_chunks::<2>() else { return None };
    let pair = |pair: &[u8; 2]| u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok();
    pairs.iter().map(pair).collect()
}

fn code_points(text: &str) -> Option<Vec<u32>> {
    text.split_whitespace().map(|number| u32::from_str_radix(number, 16).ok()).collect()
}
