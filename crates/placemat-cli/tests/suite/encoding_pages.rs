//! `docs/reference/encodings/`: a page for each family of encodings, made from `placemat encodings --format jsonl`.
//!
//! With `PLACEMAT_RECORD` set, the pages are written. They are checked in, so that readers and
//! links need no build.

use crate::run::{in_repository, placemat};
use core::fmt::Write as _;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;

/// A family: its name in the report, its page and title, and an example that a reader can change.
struct Family {
    name: &'static str,
    page: &'static str,
    title: &'static str,
    input: &'static str,
    label: &'static str,
}

const FAMILIES: [Family; 16] = [
    family("Unicode", "unicode", "Unicode", "61 C0 80 ED A0 BD ED B8 80", "mutf-8"),
    family("compact", "compact", "Compact forms of Unicode", "12 9F C0 B8 B2 B5 C2", "scsu"),
    family("mail", "mail", "Seven bits, for mail", "35 20 2B 49 4B 77 2D", "utf-7"),
    family("ISO 8859", "iso-8859", "ISO 8859", "A4 20 E9", "iso-8859-15"),
    family("Windows", "windows", "Windows", "93 35 20 80 94", "windows-1252"),
    family("DOS, OS/2", "dos", "DOS and OS/2", "C9 CD BB 82", "cp437"),
    family("Mac OS", "mac-os", "Mac OS", "D2 8E D3", "macintosh"),
    family("EBCDIC", "ebcdic", "EBCDIC", "C8 85 93 93 96", "ibm037"),
    family("ISO 646", "iso-646", "ASCII and its national variants", "7B 7C 7D", "ISO646-DE"),
    family("Unix", "unix", "Unix", "F0 D2 C9 D7 C5 D4", "koi8-r"),
    family("standard", "standards", "National standards", "93 FA 96 7B", "shift_jis"),
    family("HP", "hp", "HP", "C5 20 BA", "hp-roman8"),
    family("home computers", "home-computers", "Home computers", "D3 20 48 45 4C 4C 4F", "petscii"),
    family("television", "television", "Television", "47 72 7D 7E 65", "teletext-de"),
    family("telephones", "telephones", "Telephones: short messages", "1B 65 35", "gsm0338"),
    family("libraries", "libraries", "Libraries", "E2 65", "marc-8"),
];

const fn family(
    name: &'static str,
    page: &'static str,
    title: &'static str,
    input: &'static str,
    label: &'static str,
) -> Family {
    Family { name, page, title, input, label }
}

fn encodings() -> Vec<Value> {
    let listed = placemat("encodings --format jsonl").run();
    let text = String::from_utf8(listed.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn string<'a>(encoding: &'a Value, field: &str) -> &'a str {
    encoding[field].as_str().unwrap()
}

fn strings(values: &Value) -> impl Iterator<Item = &str> {
    values.as_array().unwrap().iter().map(|value| value.as_str().unwrap())
}

/// Returns the anchor of a heading, as forges and mdBook derive it.
fn anchor(title: &str) -> String {
    let title = title.to_lowercase();
    let kept = title.chars().filter(|&c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// Formats labels as code, in lines of at most 100 characters.
fn code<'a>(labels: impl Iterator<Item = &'a str>) -> String {
    labels.map(|label| format!("`{label}`")).collect::<Vec<_>>().join(" ")
}

/// Wraps text at 100 characters; lines after the first are indented.
fn wrapped(text: &str, indent: usize) -> String {
    let mut out = String::new();
    let mut column = 0;
    for (i, word) in text.split(' ').enumerate() {
        let length = word.chars().count();
        if i > 0 && column + 1 + length > 100 {
            out.push('\n');
            out.extend(core::iter::repeat_n(' ', indent));
            column = indent;
        } else if i > 0 {
            out.push(' ');
            column += 1;
        }
        out += word;
        column += length;
    }
    out
}

/// Fields that most members of a family share, and their names on a page.
const COMMON: [(&str, &str); 4] = [
    ("used_by", "Used by"),
    ("ascii_bytes", "ASCII"),
    ("on_the_web", "On the web"),
    ("differs", "Differs from UTF-8"),
];

fn page(family: &Family, members: &[&Value]) -> String {
    let mut page = format!("# {}\n\n", family.title);
    let example = placemat(&format!("convert -f {}", family.label))
        .reads(family.input.split(' ').map(|pair| u8::from_str_radix(pair, 16).unwrap()).collect::<Vec<_>>())
        .run();
    let text = String::from_utf8(example.stdout).unwrap();
    _ = write!(
        page,
        "```live\nbytes {}\n$ placemat convert -f {}\n{text}\n```\n\n`placemat encodings NAME --table` draws the code page of each.\n",
        family.input, family.label
    );
    // The most frequent value, or the first of them in alphabetical order.
    let usual = |field: &str| {
        let values: BTreeSet<_> = members.iter().map(|encoding| string(encoding, field)).collect();
        let count = |value: &str| members.iter().filter(|encoding| string(encoding, field) == value).count();
        let value = values.into_iter().rev().max_by_key(|value| count(value)).unwrap();
        (count(value) > 1).then_some(value)
    };
    let usual: Vec<_> = COMMON.iter().map(|(field, words)| (*field, *words, usual(field))).collect();
    if usual.iter().any(|(_, _, value)| value.is_some()) {
        page += "\nUnless an encoding below has something else:\n\n";
        for (_, words, value) in &usual {
            if let Some(value) = value {
                page += &wrapped(&format!("- {words}: {value}"), 2);
                page.push('\n');
            }
        }
    }
    for encoding in members {
        _ = write!(page, "\n## {}\n", string(encoding, "name"));
        page += &wrapped(&string(encoding, "about").replace('\n', " "), 0);
        page += "\n\n";
        let longest = encoding["max_bytes"].as_u64().unwrap();
        let mut facts = vec![
            ("Region", string(encoding, "region").to_owned()),
            ("Labels", code(strings(&encoding["labels"]))),
            ("IANA", code(encoding["iana"].as_array().unwrap().iter().map(|one| string(one, "name")))),
            ("Labels on the web", code(strings(&encoding["web_labels"]))),
            (
                "Longest",
                if longest == 1 { String::new() } else { format!("{longest} bytes for a code point") },
            ),
            ("Signature", string(encoding, "signature").to_uppercase()),
            ("Specified in", string(encoding, "specified_in").to_owned()),
        ];
        for (field, words, value) in &usual {
            let own = string(encoding, field);
            if *value != Some(own) {
                facts.push((words, own.to_owned()));
            }
        }
        for (words, fact) in facts.iter().filter(|(_, fact)| !fact.is_empty()) {
            page += &wrapped(&format!("- {words}: {fact}"), 2);
            page.push('\n');
        }
    }
    page
}

fn index(all: &[Value]) -> String {
    let mut page = String::from(
        "# Encodings\n\nAll encodings, by family, and below by name. These pages are made from the same \
         descriptors that the\nlibrary works by; `placemat encodings NAME` prints them.\n\n\
         | family | encodings |\n| --- | --- |\n",
    );
    for family in &FAMILIES {
        let count = all.iter().filter(|encoding| encoding["family"] == family.name).count();
        _ = writeln!(page, "| [{}]({}.md) | {count} |", family.title, family.page);
    }
    page += "\n## By name\n";
    let mut names: Vec<_> = all
        .iter()
        .map(|encoding| {
            let family = FAMILIES.iter().find(|family| encoding["family"] == family.name).unwrap();
            let name = string(encoding, "name");
            (name.to_lowercase(), format!("[{name}]({}.md#{})", family.page, anchor(name)))
        })
        .collect();
    names.sort();
    let links: Vec<_> = names.into_iter().map(|(_, link)| link).collect();
    page += &links.join(" ·\n");
    page.push('\n');
    page
}

#[test]
fn the_pages_of_encodings_are_what_the_descriptors_say() {
    let all = encodings();
    assert_eq!(all.len(), placemat_count());
    let Some(folder) = in_repository("docs/reference/encodings") else { return };
    let mut pages = vec![("README.md".to_owned(), index(&all))];
    let mut members = 0;
    for family in &FAMILIES {
        let of_it: Vec<_> = all.iter().filter(|encoding| encoding["family"] == family.name).collect();
        members += of_it.len();
        pages.push((format!("{}.md", family.page), page(family, &of_it)));
    }
    assert_eq!(members, all.len(), "each encoding is on one page");
    let is_recorded = std::env::var_os("PLACEMAT_RECORD").is_some();
    if is_recorded {
        fs::create_dir_all(&folder).unwrap();
    }
    for (name, text) in &pages {
        let path = folder.join(name);
        if is_recorded {
            fs::write(path, text).unwrap();
        } else {
            let there = fs::read_to_string(&path).unwrap();
            assert!(&there == text, "{name} is not up to date: run this with PLACEMAT_RECORD=1");
        }
    }
    let there: BTreeSet<_> =
        fs::read_dir(&folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(there, pages.into_iter().map(|(name, _)| name).collect(), "pages of families that are gone");
}

/// Returns the number of encodings of the library.
fn placemat_count() -> usize {
    ::placemat::Encoding::ALL.len()
}
