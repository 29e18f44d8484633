//! Finds words and names with better alternatives, in comments, documentation and messages.
//!
//! `xtask/words.txt` records how many hits each file has. A count may only fall, and the record
//! falls with it. In text for users, no hit is allowed: in the documentation of public items,
//! README files, help texts and messages.

mod public;
mod rules;
mod source;

use core::cmp::Ordering;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

const RECORD: &str = "xtask/words.txt";

/// Files that are not searched: notes that quote what was measured.
const NOT_SEARCHED: &[&str] = &["lab/"];

/// A banned form in a file.
#[derive(Debug, PartialEq, Eq)]
struct Hit {
    line: usize,
    form: String,
    say: &'static str,
    /// Users read the text.
    is_public: bool,
}

/// Compares the hits with the record; lists them, or writes the record.
pub(crate) fn run(check: bool, update: bool) -> Result<(), String> {
    let public = public::Public::read(Path::new("crates/placemat/api.txt"))?;
    let mut counts = BTreeMap::new();
    let mut wrong = String::new();
    for file in files()? {
        let text = std::fs::read_to_string(&file).map_err(|e| format!("{file}: {e}"))?;
        let hits = hits(&file, &text, &public);
        for hit in &hits {
            let line = format!("{file}:{}: {}: {}\n", hit.line, hit.form, hit.say);
            if hit.is_public {
                wrong += &line;
            }
            if !check && !update {
                print!("{line}");
            }
        }
        if !hits.is_empty() {
            counts.insert(file, hits.len());
        }
    }
    if update {
        let text: String = counts.iter().map(|(file, count)| format!("{file} {count}\n")).collect();
        return std::fs::write(RECORD, text).map_err(|e| format!("{RECORD}: {e}"));
    }
    println!("{} hits in {} files", counts.values().sum::<usize>(), counts.len());
    if !check {
        return Ok(());
    }
    if !wrong.is_empty() {
        wrong = format!("where users read, no hit is allowed:\n{wrong}");
    }
    let record = std::fs::read_to_string(RECORD).map_err(|e| format!("{RECORD}: {e}"))?;
    wrong += &differences(&parse(&record)?, &counts);
    if wrong.is_empty() { Ok(()) } else { Err(wrong) }
}

/// The tracked files that exist and have prose.
fn files() -> Result<Vec<String>, String> {
    let output = Command::new("git").args(["ls-files", "-z"]).output().map_err(|e| format!("git: {e}"))?;
    if !output.status.success() {
        return Err("git ls-files failed".into());
    }
    let all = String::from_utf8(output.stdout).map_err(|e| format!("git ls-files: {e}"))?;
    let is_searched = |file: &&str| {
        source::Language::of(file).is_some()
            && !NOT_SEARCHED.iter().any(|start| file.starts_with(start))
            && Path::new(file).is_file()
    };
    Ok(all.split_terminator('\0').filter(is_searched).map(str::to_owned).collect())
}

fn hits(file: &str, text: &str, public: &public::Public) -> Vec<Hit> {
    let Some(language) = source::Language::of(file) else { return Vec::new() };
    let mut hits = Vec::new();
    for mut passage in source::passages(file, text, language) {
        if public::is_help_text(file, text, &passage) {
            passage.kind = source::Kind::Help;
        }
        let is_public = public::is_read_by_users(file, text, &passage, public);
        let found = rules::find(&passage);
        hits.extend(found.into_iter().map(|(line, form, say)| Hit { line, form, say, is_public }));
    }
    if language == source::Language::Rust {
        let names = rules::constants(text).into_iter();
        hits.extend(names.map(|(line, form, say)| {
            let is_public = public.has_constant(file, &form);
            Hit { line, form, say, is_public }
        }));
    }
    hits.sort_by_key(|hit| hit.line);
    hits
}

/// Reads a record: a line for each file that has hits, with their number.
fn parse(record: &str) -> Result<BTreeMap<String, usize>, String> {
    record
        .lines()
        .map(|line| {
            let (file, count) = line.rsplit_once(' ').ok_or(line)?;
            Ok((file.to_owned(), count.parse().map_err(|_| line)?))
        })
        .collect::<Result<_, &str>>()
        .map_err(|line| format!("{RECORD}: not a file and a count: {line}"))
}

/// Describes each file whose count is not that of the record.
fn differences(record: &BTreeMap<String, usize>, counts: &BTreeMap<String, usize>) -> String {
    let (mut more, mut fewer) = (String::new(), String::new());
    for file in record.keys().chain(counts.keys().filter(|file| !record.contains_key(*file))) {
        let of = |all: &BTreeMap<String, usize>| all.get(file).copied().unwrap_or(0);
        let (old, new) = (of(record), of(counts));
        let line = format!("{file}: {old} hits are recorded, there are {new}\n");
        match new.cmp(&old) {
            Ordering::Greater => more += &line,
            Ordering::Less => fewer += &line,
            Ordering::Equal => {}
        }
    }
    if !more.is_empty() {
        more += "counts may only fall: `cargo xtask words` lists the hits and what to write instead\n";
    }
    if !fewer.is_empty() {
        fewer += "`cargo xtask words --update` writes the lower counts\n";
    }
    more + &fewer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_that_rises_or_falls_is_reported() {
        let record = parse("a.rs 2\nb.rs 1\nc.rs 1\n").unwrap();
        assert_eq!(differences(&record, &record), "");
        let told = differences(&record, &parse("a.rs 3\nb.rs 1\nd.rs 1\n").unwrap());
        assert!(told.contains("a.rs: 2 hits are recorded, there are 3"));
        assert!(told.contains("c.rs: 1 hits are recorded, there are 0"));
        assert!(told.contains("d.rs: 0 hits are recorded, there are 1"));
        assert!(!told.contains("b.rs"));
        assert!(told.contains("may only fall") && told.contains("--update"));
        assert!(parse("a.rs").is_err() && parse("a.rs x").is_err());
    }

    #[test]
    fn hits_name_their_line_and_whether_users_read_them() {
        let source = "//! Reads.\n\n/// As [`other`].\npub fn open() {}\n/// A sign.\nfn close() {}\nconst FEW: u8 = 1;\npub const MANY: u8 = 1;\n";
        let public = public::Public::parse("pub fn placemat::open()\npub const placemat::MANY: u8\n");
        let found = hits("crates/placemat/src/a.rs", source, &public);
        let short: Vec<_> = found.iter().map(|hit| (hit.line, hit.form.as_str(), hit.is_public)).collect();
        assert_eq!(short, [(3, "As", true), (5, "sign", false), (7, "FEW", false), (8, "MANY", true)]);
    }
}
