//! The laws of repair, over every legacy encoding and twelve kinds of file.
//!
//! 1. Where [`detect`] names an encoding, or the caller does, and the file shows no UTF-8, the
//!    repaired text is the conversion from that encoding.
//! 2. The fallback decides every byte that is not certain UTF-8.
//! 3. No byte becomes U+FFFD if an encoding that the file shows can read it.
//!
//! The files are made of `tests/vectors/laws`, and encoded by the library:
//! `tests/suite/single_byte.rs` and `multi_byte.rs` prove its tables. The lists at the end name the
//! files for which a law is known to fail, each with the reason; a thorough run also fails if such
//! a file obeys the law.

use crate::data::{collection, hex, say_without_collection};
use crate::subject::{in_parallel, in_turn, thorough};
use placemat::detect;
use placemat::detect::{Detection, Verdict};
use placemat::repair::{Change, Repaired, Repairer, Step, undo};
use placemat::{Encoding, ErrorPolicy, UnmappablePolicy};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

/// From this confidence on, a detected encoding binds the repair.
const MIN_CONFIDENCE: f32 = 0.5;
/// A file ends with the first row that reaches this size.
const MAX_BYTES: usize = 5500;

/// A run that is not thorough takes one of this many files.
const PART: usize = 3;

/// A line that is certainly UTF-8.
const LINE_OF_UTF8: &str = "Łódź — Ελλάδα — Привет — 世界\n";

/// A language, and the texts that fill the slots of a template.
struct Language {
    name: &'static str,
    sentences: Vec<&'static str>,
    words: Vec<&'static str>,
    names: Vec<&'static str>,
}

/// Returns the sections `[name]` of a file, without comments.
fn sections(text: &'static str) -> Vec<(&'static str, Vec<&'static str>)> {
    let mut sections: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in text.lines().skip_while(|line| line.starts_with('#')) {
        let name = line.strip_prefix('[').and_then(|line| line.strip_suffix(']'));
        // Lines of a template may be in brackets too, with capitals.
        match name.filter(|name| name.chars().all(|c| c.is_ascii_lowercase() || c == '-')) {
            Some(name) => sections.push((name, Vec::new())),
            None => sections.last_mut().expect("a section is first").1.push(line),
        }
    }
    sections
}

fn languages() -> Vec<Language> {
    let sections = sections(include_str!("../vectors/laws/languages.txt"));
    let languages = sections.into_iter().map(|(name, lines)| {
        let of = |key: &str| {
            let line = lines.iter().find_map(|line| line.strip_prefix(key)).expect("a line for each slot");
            line.split(" | ").map(str::trim).collect()
        };
        Language { name, sentences: of("s "), words: of("w "), names: of("n ") }
    });
    languages.collect()
}

/// A kind of file.
struct Template {
    kind: &'static str,
    head: Vec<&'static str>,
    row: Vec<&'static str>,
    end: Vec<&'static str>,
}

fn templates() -> Vec<Template> {
    let sections = sections(include_str!("../vectors/laws/templates.txt"));
    let templates = sections.into_iter().map(|(kind, lines)| {
        let row = lines.iter().position(|line| *line == "--row").expect("a row");
        let end = lines.iter().position(|line| *line == "--end").expect("an end");
        let (head, row, end) = (&lines[..row], &lines[row + 1..end], &lines[end + 1..]);
        Template { kind, head: head.to_vec(), row: row.to_vec(), end: end.to_vec() }
    });
    templates.collect()
}

/// Fills templates with text of one language, each slot with the next text of its kind.
struct Filler<'a> {
    language: &'a Language,
    charset: &'a str,
    next: [usize; 4],
}

impl Filler<'_> {
    fn fill(&mut self, lines: &[&str], text: &mut String) {
        for line in lines {
            let mut rest = *line;
            while let Some(at) = rest.find('{') {
                text.push_str(&rest[..at]);
                rest = &rest[at..];
                let Some(end) = rest.find('}') else { break };
                let mut turn = |slot: usize, all: &[&'static str]| {
                    self.next[slot] += 1;
                    all[self.next[slot] % all.len()]
                };
                match &rest[1..end] {
                    "s" => text.push_str(turn(0, &self.language.sentences)),
                    "w" => text.push_str(turn(1, &self.language.words)),
                    "n" => text.push_str(turn(2, &self.language.names)),
                    "d" => {
                        self.next[3] += 7;
                        text.push_str(&(self.next[3] % 60).to_string());
                    }
                    "charset" => text.push_str(self.charset),
                    other => {
                        text.push('{');
                        text.push_str(other);
                        text.push('}');
                    }
                }
                rest = &rest[end + 1..];
            }
            text.push_str(rest);
            text.push('\n');
        }
    }
}

/// Returns a text of a kind, with `rows` rows, or fewer if it is long enough.
fn text_of(template: &Template, language: &Language, charset: &str, rows: usize) -> String {
    let mut filler = Filler { language, charset, next: [rows, rows * 3, rows * 5, rows] };
    let mut text = String::new();
    filler.fill(&template.head, &mut text);
    let mut count = 0;
    while (count < rows || text.len() < 300) && text.len() < MAX_BYTES {
        filler.fill(&template.row, &mut text);
        count += 1;
    }
    filler.fill(&template.end, &mut text);
    text
}

/// Returns `true` if an encoding is not a form of Unicode. Only GB18030 is both a form of Unicode and
/// a legacy encoding.
fn is_legacy(encoding: Encoding) -> bool {
    // The code point is a syllable of a script that no character set has.
    encoding == Encoding::GB18030 || encoding.encode("\u{1401}", UnmappablePolicy::Stop).is_err()
}

/// The source of the detector that lists its encodings.
const PAGES: &str = include_str!("../../../placemat-detect/src/detect/statistics/pages.rs");

/// Returns `true` if the detector knows an encoding, by the name of its constant.
fn is_known_to_detector(encoding: Encoding) -> bool {
    let parts = encoding.name().split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
    let constant = parts.map(str::to_ascii_uppercase).collect::<Vec<_>>().join("_");
    PAGES.contains(&format!("(Encoding::{constant}, "))
}

/// A file whose encoding is known.
struct File {
    kind: &'static str,
    language: &'static str,
    encoding: Encoding,
    bytes: Vec<u8>,
    text: String,
}

impl File {
    fn name(&self) -> String {
        format!("{} {} {}", self.encoding, self.language, self.kind)
    }
}

/// Returns one file for each encoding and kind, in turn in one of the languages that the encoding
/// represents; only a sixth of the kinds if the detector does not know the encoding. A thorough run
/// takes all kinds, and all languages of the encodings that the detector knows.
fn files() -> Vec<File> {
    let (languages, templates) = (languages(), templates());
    let mut files = Vec::new();
    for (index, &encoding) in Encoding::ALL.iter().enumerate().filter(|(_, encoding)| is_legacy(**encoding)) {
        let is_known = is_known_to_detector(encoding);
        let encode = |text: &str| {
            let bytes = encoding.encode(text, UnmappablePolicy::Stop).ok()?.into_owned();
            let back = encoding.decode(&bytes, ErrorPolicy::Stop).ok()?;
            (back == text && back.contains(|c: char| !c.is_ascii())).then_some(bytes)
        };
        for (number, template) in templates.iter().enumerate() {
            if !is_known && !in_turn(index + number, 6) {
                continue;
            }
            let made = languages.iter().enumerate().filter_map(|(at, language)| {
                let rows = [2, 5, 9, 14, 20, 60][(at + number + index) % 6];
                let text = text_of(template, language, encoding.name(), rows);
                let bytes = encode(&text)?;
                Some(File { kind: template.kind, language: language.name, encoding, bytes, text })
            });
            let mut made: Vec<File> = made.collect();
            if !(made.is_empty() || thorough() && is_known) {
                let turn = number * made.len().max(templates.len()) / templates.len() % made.len();
                made = vec![made.swap_remove(turn)];
            }
            files.extend(made);
        }
    }
    files
}

/// Reasons why files fail, each with the prefixes of their names.
type Exceptions = &'static [(&'static str, &'static [&'static str])];

/// A law, the files that are known to fail it, and those that do fail it.
struct Law {
    name: &'static str,
    exceptions: Exceptions,
    failures: Mutex<BTreeMap<String, String>>,
}

impl Law {
    fn new(name: &'static str, exceptions: Exceptions) -> Self {
        Self { name, exceptions, failures: Mutex::default() }
    }

    /// Notes whether the law holds for a file.
    fn hold(&self, file: &str, holds: bool, why: impl FnOnce() -> String) {
        if !holds {
            self.failures.lock().expect("a test panicked").insert(file.to_owned(), why());
        }
    }

    /// Fails if a file fails that is not listed as an exception. A thorough run takes all files,
    /// and also fails if an exception has become needless.
    fn judge(self) {
        let failures = self.failures.into_inner().expect("a test panicked");
        let exceptions: Vec<&str> =
            self.exceptions.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let is = |exception: &str, file: &str| {
            file.strip_prefix(exception).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        };
        let new = failures.iter().filter(|(file, _)| !exceptions.iter().any(|exception| is(exception, file)));
        let new: Vec<String> = new.map(|(file, why)| format!("{file}: {why}")).collect();
        assert!(new.is_empty(), "{}: {} files fail:\n{}", self.name, new.len(), new.join("\n"));
        let needless: Vec<&str> = exceptions
            .into_iter()
            .filter(|exception| !failures.keys().any(|file| is(exception, file)))
            .collect();
        assert!(
            !thorough() || needless.is_empty(),
            "{}: these hold now, remove them: {needless:?}",
            self.name
        );
    }
}

/// Returns the encoding that binds the repair by law 1; `None` if the file shows UTF-8 or several
/// encodings, or if no encoding is likely.
fn bound(found: &Detection) -> Option<Encoding> {
    let is_sure =
        found.verdict == Verdict::Text && found.confidence >= MIN_CONFIDENCE && found.mixed.is_empty();
    found.encoding.filter(|encoding| is_sure && *encoding != Encoding::US_ASCII && is_legacy(*encoding))
}

/// Returns the text of a file, converted from an encoding.
fn converted(encoding: Encoding, src: &[u8]) -> String {
    encoding.decode(src, ErrorPolicy::Replace).expect("replacement never fails").into_owned()
}

/// Describes the first difference for messages, with the bytes of the file around it if they are
/// about as long as the text.
fn difference(found: &str, want: &str, src: &[u8]) -> String {
    let same = found.chars().zip(want.chars()).take_while(|(a, b)| a == b).count();
    let around = |text: &str| text.chars().skip(same.saturating_sub(8)).take(24).collect::<String>();
    let bytes = &src[same.saturating_sub(8).min(src.len())..];
    format!("{:?}, not {:?}: {}", around(found), around(want), hex(&bytes[..bytes.len().min(32)]))
}

/// Describes the detector's answer for messages.
fn shown(found: &Detection) -> String {
    let name = found.encoding.map_or("none", Encoding::name);
    let mixed: Vec<&str> = found.mixed.iter().map(|encoding| encoding.name()).collect();
    format!("detected {name} at {:.3}, mixed {mixed:?}", found.confidence)
}

/// Describes the first bytes that became U+FFFD and the bytes around them for messages.
fn lost(repaired: &Repaired, src: &[u8]) -> String {
    let first = repaired.changes.iter().find(|change| change.after.contains('\u{FFFD}'));
    let around = first.map(|change| {
        let (start, end) = (change.offset as usize, change.offset as usize + change.before.len());
        let before = &src[start.saturating_sub(12)..start];
        format!(
            "{} at {start}, after {}, before {}",
            hex(&change.before),
            hex(before),
            hex(&src[end..src.len().min(end + 12)])
        )
    });
    around.unwrap_or_default()
}

/// Checks that pieces of any size give the same result, one size in turn, and that the record
/// restores the source.
fn check_record(what: &str, repairer: &Repairer, src: &[u8], repaired: &Repaired, turn: usize) {
    let size = [1, 7, 4096, 65_536][turn % 4];
    let mut repairer = repairer.clone();
    let (mut text, mut changes) = (String::new(), Vec::<Change>::new());
    src.chunks(size).for_each(|piece| repairer.learn(piece));
    for piece in src.chunks(size) {
        repairer.push(piece, &mut text, |change| changes.push(change));
    }
    repairer.finish(&mut text, |change| changes.push(change));
    let is_same = text == repaired.text && changes == repaired.changes;
    assert!(is_same, "{what} in pieces of {size}: {}", difference(&text, &repaired.text, src));
    let back = undo(repaired.text.as_bytes(), repaired.encoding, &repaired.changes);
    assert!(
        back.as_deref() == Ok(src),
        "{what}: undo gives {:?}",
        back.map(|back| hex(&back[..back.len().min(64)]))
    );
}

/// Returns a file with damage: a byte is removed or replaced by one that no text has, or the end is
/// missing.
fn damaged(src: &[u8], turn: usize) -> Vec<u8> {
    let mut bytes = src.to_vec();
    let beyond: Vec<usize> = (0..src.len()).filter(|&at| !src[at].is_ascii()).collect();
    let Some(&at) = beyond.get(beyond.len() / 2) else { return bytes };
    match turn % 4 {
        0 => drop(bytes.remove(at)),
        1 => bytes[at] = 0xFF,
        2 => drop(bytes.splice(at..at, [0xD4, 0x87])),
        _ => bytes.truncate(at + 1),
    }
    bytes
}

#[test]
fn every_encoding_of_the_detector_has_files() {
    let files = files();
    let with_files: BTreeSet<&str> = files.iter().map(|file| file.encoding.name()).collect();
    let known =
        Encoding::ALL.iter().filter(|encoding| is_legacy(**encoding) && is_known_to_detector(**encoding));
    let without: Vec<&str> =
        known.map(|encoding| encoding.name()).filter(|name| !with_files.contains(name)).collect();
    // IBM420 has isolated forms of Arabic letters, and lacks brackets and most small letters.
    assert_eq!(without, ["IBM420"]);
    let listed = PAGES.matches("(Encoding::").count();
    let known =
        with_files.iter().filter(|name| Encoding::for_label(name).is_some_and(is_known_to_detector)).count();
    // IBM420 and the two orders of UTF-16 are left out.
    assert_eq!(known, listed - 3);
    let sizes = || files.iter().map(|file| file.bytes.len());
    assert!(sizes().all(|size| (100..12_000).contains(&size)), "{:?} {:?}", sizes().min(), sizes().max());
}

#[test]
fn a_given_encoding_is_converted() {
    let files = files();
    let whole = Law::new("fallback", FALLBACK);
    let damage = Law::new("fallback, damaged", FALLBACK_DAMAGED);
    in_parallel(files.len(), |turn| {
        if !in_turn(turn + turn / 12, PART) {
            return;
        }
        let File { encoding, bytes, text, .. } = &files[turn];
        let name = files[turn].name();
        let repairer = Repairer::new().fallback(*encoding);
        let repaired = repairer.clone().repair(bytes);
        // A file without non-ASCII bytes is UTF-8 already.
        let want = if bytes.is_ascii() && detect(bytes).encoding == Some(Encoding::US_ASCII) {
            str::from_utf8(bytes).expect("ASCII")
        } else {
            text
        };
        whole.hold(&name, repaired.text == want, || {
            format!("{}; {}", shown(&detect(bytes)), difference(&repaired.text, want, bytes))
        });
        check_record(&name, &repairer, bytes, &repaired, turn);
        let again = repairer.clone().repair(repaired.text.as_bytes());
        whole.hold(&name, again.text == repaired.text, || {
            format!("repaired twice: {}", difference(&again.text, &repaired.text, repaired.text.as_bytes()))
        });
        let bytes = damaged(bytes, turn);
        if encoding.is_ascii_compatible() || encoding.takes_escapes() {
            let repaired = repairer.clone().repair(&bytes);
            let want = converted(*encoding, &bytes);
            damage.hold(&name, repaired.text == want, || {
                format!("{}; {}", shown(&detect(&bytes)), difference(&repaired.text, &want, &bytes))
            });
            if in_turn(turn, 3) {
                check_record(&name, &repairer, &bytes, &repaired, turn / 3);
            }
        }
    });
    whole.judge();
    damage.judge();
}

#[test]
fn a_detected_encoding_is_converted() {
    let files = files();
    let conversion = Law::new("detected", DETECTED);
    let replacement = Law::new("U+FFFD", REPLACEMENT);
    let twice = Law::new("repaired twice", TWICE);
    in_parallel(files.len(), |turn| {
        if !in_turn(turn + turn / 12, PART) {
            return;
        }
        let File { bytes, .. } = &files[turn];
        let name = files[turn].name();
        let found = detect(bytes);
        let repairer = Repairer::new();
        let repaired = repairer.clone().repair(bytes);
        if let Some(encoding) = bound(&found) {
            let want = converted(encoding, bytes);
            conversion.hold(&name, repaired.text == want, || {
                format!("{}; {}", shown(&found), difference(&repaired.text, &want, bytes))
            });
        }
        replacement.hold(&name, !repaired.text.contains('\u{FFFD}'), || {
            format!("{}; {}", shown(&found), lost(&repaired, bytes))
        });
        check_record(&name, &repairer, bytes, &repaired, turn);
        let again = repairer.clone().repair(repaired.text.as_bytes());
        twice.hold(&name, again.text == repaired.text, || {
            format!(
                "{}; {}",
                shown(&found),
                difference(&again.text, &repaired.text, repaired.text.as_bytes())
            )
        });
    });
    conversion.judge();
    replacement.judge();
    twice.judge();
}

/// Returns `true` if each line of an encoding can be among lines of UTF-8.
fn has_lines(encoding: Encoding) -> bool {
    encoding.is_ascii_compatible() || encoding.takes_escapes() && encoding.max_bytes() <= 4
}

/// Every second non-ASCII line is in UTF-8, and the others in a legacy encoding.
#[test]
fn the_fallback_reads_lines_among_utf8() {
    let files = files();
    let utf8 = Law::new("lines of UTF-8", LINES_OF_UTF8);
    let legacy = Law::new("legacy lines", LEGACY_LINES);
    let replacement = Law::new("U+FFFD among UTF-8", MIXED_REPLACEMENT);
    in_parallel(files.len(), |turn| {
        let File { encoding, text, .. } = &files[turn];
        if !has_lines(*encoding) || !is_known_to_detector(*encoding) || !in_turn(turn + turn / 12, PART) {
            return;
        }
        let name = files[turn].name();
        let (mut src, mut is_legacy_line, mut count) = (Vec::new(), Vec::new(), turn);
        for line in text.split_inclusive('\n') {
            let bytes = encoding.encode(line, UnmappablePolicy::Stop).expect("all of the text");
            count += usize::from(!line.is_ascii());
            // A well-formed line is UTF-8, whatever it was meant to be.
            let is_legacy = count % 2 == 0 && str::from_utf8(&bytes).is_err();
            is_legacy_line.push(is_legacy);
            src.extend_from_slice(if is_legacy { &bytes } else { line.as_bytes() });
        }
        let repairer = Repairer::new().fallback(*encoding);
        let repaired = repairer.clone().repair(&src);
        replacement.hold(&name, !repaired.text.contains('\u{FFFD}'), || {
            format!("{}; {}", shown(&detect(&src)), lost(&repaired, &src))
        });
        let lines: Vec<&str> = repaired.text.split_inclusive('\n').collect();
        let wanted: Vec<&str> = text.split_inclusive('\n').collect();
        assert_eq!(lines.len(), wanted.len(), "{name}");
        for ((line, want), is_legacy) in lines.iter().zip(&wanted).zip(&is_legacy_line) {
            let law = if *is_legacy { &legacy } else { &utf8 };
            let bytes = || {
                if *is_legacy {
                    encoding.encode(want, UnmappablePolicy::Stop).expect("all of it").into_owned()
                } else {
                    want.as_bytes().to_vec()
                }
            };
            law.hold(&name, line == want, || {
                format!("{}; {}", shown(&detect(&src)), difference(line, want, &bytes()))
            });
        }
        if in_turn(turn, 3) {
            check_record(&name, &repairer, &src, &repaired, turn / 3);
        }
    });
    utf8.judge();
    legacy.judge();
    replacement.judge();
}

/// One line in a legacy encoding, however long, changes no line of UTF-8 before or after it.
#[test]
fn lines_of_utf8_stay_beside_a_legacy_line() {
    let languages = languages();
    let encodings: Vec<Encoding> = Encoding::ALL
        .iter()
        .copied()
        .filter(|&encoding| is_legacy(encoding) && is_known_to_detector(encoding))
        .filter(|&encoding| {
            encoding.decode(b"a line\n", ErrorPolicy::Stop).is_ok_and(|text| text == "a line\n")
        })
        .collect();
    in_parallel(languages.len(), |turn| {
        let Language { name, sentences, .. } = &languages[turn];
        let (lines, sentence) = (format!("{}\n", sentences.join("\n")), sentences.join(" "));
        if lines.is_ascii() {
            return;
        }
        for (at, &encoding) in encodings.iter().enumerate() {
            let Ok(legacy) = encoding.encode(&sentence, UnmappablePolicy::Stop) else { continue };
            for (case, times) in [1, 3, 10].into_iter().enumerate() {
                if !in_turn(turn + at + case, 3 * PART) {
                    continue;
                }
                let (utf8, line) = (lines.repeat(times), [&*legacy.repeat(times), b"\n"].concat());
                for (before, after) in [("", &*utf8), (&*utf8, ""), (&*utf8, &*utf8)] {
                    let src = [before.as_bytes(), &line, after.as_bytes()].concat();
                    let text = Repairer::new().repair(&src).text;
                    let stay = text.starts_with(before) && text.ends_with(after);
                    assert!(stay, "{name} {encoding} {times}: {}; {text}", shown(&detect(&src)));
                }
            }
        }
    });
}

/// Each pair of bytes that is not UTF-8, between letters, in a file of UTF-8: some in turn, or all
/// in a thorough run.
#[test]
fn the_fallback_reads_every_pair_that_is_not_utf8() {
    let pages: Vec<Encoding> = Encoding::ALL
        .iter()
        .copied()
        .filter(|e| is_legacy(*e) && e.is_ascii_compatible() && e.max_bytes() == 1)
        .collect();
    let law = Law::new("pairs", PAIRS);
    in_parallel(pages.len(), |turn| {
        let page = pages[turn];
        let (mut src, mut want) = (Vec::new(), Vec::new());
        for pair in 0_u16..0x4000 {
            let bytes = [b'k', b'e', 0x80 | (pair >> 7) as u8, 0x80 | (pair & 0x7F) as u8, b'e', b'\n'];
            if !in_turn(usize::from(pair) + turn, 53) || str::from_utf8(&bytes).is_ok() {
                continue;
            }
            let Ok(text) = page.decode(&bytes, ErrorPolicy::Stop) else { continue };
            if text.contains(|c: char| c.is_control() && c != '\n') {
                continue;
            }
            src.extend_from_slice(&bytes);
            want.push(text.into_owned());
            // Most of the file is UTF-8.
            src.extend_from_slice(LINE_OF_UTF8.as_bytes());
            want.push(LINE_OF_UTF8.to_owned());
        }
        // The fallback's text can look like mojibake.
        let steps = [Step::Pairs, Step::Bytes, Step::Lost];
        let repaired = Repairer::new().steps(steps).fallback(page).repair(&src);
        let mut lines = repaired.text.split_inclusive('\n');
        for want in want {
            let line = lines.next().unwrap_or_default();
            let bytes = page
                .encode(&want, UnmappablePolicy::Stop)
                .map(|bytes| hex(&bytes[2..bytes.len() - 2]))
                .unwrap_or_default();
            law.hold(&format!("{bytes} {page}"), line == want, || format!("{line:?}, not {want:?}"));
        }
    });
    law.judge();
}

/// Tests the same laws on real files, if they are present.
#[test]
fn real_files_obey_the_laws() {
    let Some(wild) = collection().map(|root| root.join("wild")).filter(|wild| wild.is_dir()) else {
        return say_without_collection("real_files_obey_the_laws");
    };
    let index = std::fs::read_to_string(wild.join("detect.jsonl")).expect("the folder has an index");
    let files: Vec<serde_json::Value> =
        index.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert!(files.len() > 400, "{}", files.len());
    let given = Law::new("real files, fallback", REAL_FALLBACK);
    let conversion = Law::new("real files, detected", REAL_DETECTED);
    let replacement = Law::new("real files, U+FFFD", REAL_REPLACEMENT);
    let twice = Law::new("real files, repaired twice", REAL_TWICE);
    in_parallel(files.len(), |turn| {
        let field = |name: &str| files[turn][name].as_str().expect("a string");
        let src = std::fs::read(wild.join(field("file"))).expect("the index names it");
        let gold = Encoding::for_label(field("gold")).unwrap_or_else(|| panic!("{}: unknown", field("gold")));
        let name = format!("{} {} {}", gold, field("path"), field("file"));
        let found = detect(&src);
        let repairer = Repairer::new().fallback(gold);
        let repaired = repairer.clone().repair(&src);
        let want = converted(gold, &src);
        given.hold(&name, repaired.text == want, || {
            format!("{}; {}", shown(&found), difference(&repaired.text, &want, &src))
        });
        check_record(&name, &repairer, &src, &repaired, turn);
        let repairer = Repairer::new();
        let repaired = repairer.clone().repair(&src);
        if let Some(encoding) = bound(&found) {
            let want = converted(encoding, &src);
            conversion.hold(&name, repaired.text == want, || {
                format!("{}; {}", shown(&found), difference(&repaired.text, &want, &src))
            });
        }
        let is_strict = gold.decode(&src, ErrorPolicy::Stop).is_ok_and(|text| !text.contains('\u{FFFD}'));
        replacement.hold(&name, !is_strict || !repaired.text.contains('\u{FFFD}'), || {
            format!("{}; {}", shown(&found), lost(&repaired, &src))
        });
        let again = repairer.clone().repair(repaired.text.as_bytes());
        twice.hold(&name, again.text == repaired.text, || {
            format!(
                "{}; {}",
                shown(&found),
                difference(&again.text, &repaired.text, repaired.text.as_bytes())
            )
        });
    });
    given.judge();
    conversion.judge();
    replacement.judge();
    twice.judge();
}

const FALLBACK: Exceptions = &[(
    "a few bytes are UTF-8 by chance, and the detector names UTF-8 among the encodings",
    &["GB18030 ja subtitle"],
)];
const FALLBACK_DAMAGED: Exceptions = &[(
    "what is lost is written as UTF-8 reads it: two U+FFFD for one sequence, or a code point; a character that the end of the file cuts is dropped",
    &["EUC-KR", "EUC-KR-strict", "GB18030"],
)];
const DETECTED: Exceptions = &[];
const REPLACEMENT: Exceptions = &[(
    "the detector names no encoding, or a wrong one",
    &[
        "CP770",
        "EBCDIC-IS-FRISS",
        "EUC-KR",
        "EUC-KR-strict",
        "GB18030",
        "GBK",
        "GBK-strict",
        "IBM1112",
        "IBM1164",
        "IBM1166",
        "IBM12712",
        "IBM12712-S390",
        "IBM1364",
        "IBM1371",
        "IBM1388",
        "IBM1390",
        "IBM1399",
        "IBM424",
        "IBM930",
        "IBM933",
        "IBM935",
        "IBM937",
        "IBM939",
        "Shift_JIS-2004",
        "x-mac-romania",
        "x-mac-turkish",
    ],
)];
const TWICE: Exceptions = &[(
    "the detector names a wrong encoding, whose text looks like mojibake",
    &["HP-TURKISH8 sv", "IBM1149-S390 en", "IBM864 ar-shaped", "PT154 tg"],
)];
const LINES_OF_UTF8: Exceptions = &[(
    "the detector finds no UTF-8, and all of the file is read as the fallback",
    &["GB18030", "windows-1258"],
)];
const LEGACY_LINES: Exceptions = &[(
    "in a word of the legacy encoding, a sequence that is UTF-8 by chance stays",
    &[
        "EUC-KR ko csv",
        "HP-ROMAN8",
        "IBM1125",
        "IBM720",
        "IBM737",
        "IBM775",
        "IBM855",
        "IBM850 es",
        "IBM857",
        "IBM858 es",
        "IBM866",
        "ISO-8859-4",
        "KOI8-T",
        "windows-874",
        "x-ISO-8859-11",
        "x-mac-centraleurope",
        "x-mac-iceland",
        "x-mac-romania",
    ],
)];
const MIXED_REPLACEMENT: Exceptions =
    &[("the detector finds no UTF-8, and all of the file is read as the fallback", &["GB18030"])];
const PAIRS: Exceptions = &[("it is U+0000 of Modified UTF-8, whatever the fallback", &["c0 80"])];
const REAL_FALLBACK: Exceptions =
    &[("the detector takes a table of Shift_JIS for UTF-8", &["Shift_JIS pxbsjc1.def"])];
const REAL_DETECTED: Exceptions = &[];
const REAL_REPLACEMENT: Exceptions = &[("the detector names no encoding", &["windows-1256 fnum.sty"])];
const REAL_TWICE: Exceptions = &[];
