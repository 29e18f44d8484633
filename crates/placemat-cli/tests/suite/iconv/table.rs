//! The table of command lines, in `commands.txt` and `files.txt`.
//!
//! A row begins with `$ ` and the command. Then follow, where they exist: `< ` standard input, `= `
//! exit status, `> ` standard output, and `@ ` each file that was made or changed, with its
//! contents. These are the results of glibc's `iconv`. Where this program differs on purpose, `! `
//! has the reason, and `!= `, `!> ` and `!@ ` have its results. Bytes are text with escapes. Lines
//! that begin with `#` are headings.

use crate::run::{Directory, placemat};
use core::fmt::{self, Write as _};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A command line with its results.
#[derive(Default)]
pub(super) struct Row {
    /// The lines before the row, unchanged.
    before: String,
    pub(super) command: String,
    pub(super) stdin: Vec<u8>,
    /// The result of glibc's iconv.
    pub(super) theirs: Done,
    /// The result of this program and the reason, if they differ.
    pub(super) ours: Option<(String, Done)>,
}

/// The result of a command.
#[derive(Clone, Default, PartialEq, Eq)]
pub(super) struct Done {
    pub(super) status: i32,
    pub(super) stdout: Vec<u8>,
    /// Files that were made or changed.
    pub(super) files: BTreeMap<String, Vec<u8>>,
}

/// Returns the folder of the table.
pub(super) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/iconv")
}

/// Reads all rows.
pub(super) fn rows() -> Vec<Row> {
    let text = fs::read_to_string(folder().join("commands.txt")).unwrap();
    let mut rows: Vec<Row> = Vec::new();
    let mut before = String::new();
    for line in text.lines() {
        let (mark, rest) = line.split_once(' ').unwrap_or((line, ""));
        if mark == "$" {
            let command = rest.to_owned();
            rows.push(Row { before: core::mem::take(&mut before), command, ..Row::default() });
            continue;
        }
        if mark.starts_with('#') || line.is_empty() {
            writeln!(before, "{line}").unwrap();
            continue;
        }
        let row = rows.last_mut().unwrap();
        match mark {
            "<" => row.stdin = unescaped(rest),
            "!" => row.ours = Some((rest.to_owned(), Done::default())),
            _ => {
                let (done, mark) = match (mark.strip_prefix('!'), &mut row.ours) {
                    (Some(mark), Some((_, ours))) => (ours, mark),
                    _ => (&mut row.theirs, mark),
                };
                match mark {
                    "=" => done.status = rest.parse().unwrap(),
                    ">" => done.stdout = unescaped(rest),
                    "@" => done.files.extend([named(rest)]),
                    _ => panic!("{line}"),
                }
            }
        }
    }
    rows
}

/// Rewrites the table.
pub(super) fn write(rows: &[Row]) {
    let text: String = rows.iter().map(ToString::to_string).collect();
    fs::write(folder().join("commands.txt"), text).unwrap();
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}$ {}", self.before, self.command)?;
        if !self.stdin.is_empty() {
            writeln!(f, "< {}", escaped(&self.stdin))?;
        }
        self.theirs.write("", f)?;
        match &self.ours {
            Some((why, ours)) => {
                writeln!(f, "! {why}")?;
                ours.write("!", f)
            }
            None => Ok(()),
        }
    }
}

impl Done {
    fn write(&self, mark: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{mark}= {}", self.status)?;
        if !self.stdout.is_empty() {
            writeln!(f, "{mark}> {}", escaped(&self.stdout))?;
        }
        for (name, contents) in &self.files {
            writeln!(f, "{}", format!("{mark}@ {name} {}", escaped(contents)).trim_end())?;
        }
        Ok(())
    }
}

impl fmt::Debug for Done {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write("", f)
    }
}

/// Parses `NAME CONTENTS`.
fn named(text: &str) -> (String, Vec<u8>) {
    let (name, contents) = text.split_once(' ').unwrap_or((text, ""));
    (name.to_owned(), unescaped(contents))
}

/// Writes bytes as text with escapes.
fn escaped(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\\' => text.push_str("\\\\"),
                '\n' => text.push_str("\\n"),
                '\t' => text.push_str("\\t"),
                '\r' => text.push_str("\\r"),
                // Visible characters are literal; a space at an end could get lost.
                '!'..='~' | ' ' => text.push(c),
                _ if c.is_alphanumeric() || "€“”‘’–—…¥‾ß".contains(c) => text.push(c),
                _ => c.to_string().bytes().for_each(|byte| write!(text, "\\x{byte:02X}").unwrap()),
            }
        }
        chunk.invalid().iter().for_each(|byte| write!(text, "\\x{byte:02X}").unwrap());
    }
    if text.ends_with(' ') {
        text.pop();
        text.push_str("\\x20");
    }
    text
}

fn unescaped(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            bytes.extend(c.to_string().bytes());
            continue;
        }
        bytes.push(match rest.next().unwrap() {
            'n' => b'\n',
            't' => b'\t',
            'r' => b'\r',
            '\\' => b'\\',
            'x' => {
                let digits: String = rest.by_ref().take(2).collect();
                u8::from_str_radix(&digits, 16).unwrap()
            }
            other => panic!("\\{other} in {text}"),
        });
    }
    bytes
}

/// Returns the files that the commands use.
fn files() -> BTreeMap<String, Vec<u8>> {
    let text = fs::read_to_string(folder().join("files.txt")).unwrap();
    text.lines().filter(|line| !line.starts_with('#')).map(named).collect()
}

/// Another program, and the folder of its locales.
#[derive(Clone, Copy)]
pub(super) struct Other<'a> {
    pub(super) program: &'a Path,
    pub(super) locales: &'a Path,
}

/// Returns the locales that the commands name, without the built-in ones.
pub(super) fn locales(rows: &[Row]) -> Vec<String> {
    let mut all: Vec<_> = rows
        .iter()
        .flat_map(|row| words(&row.command))
        .filter_map(|word| word.split_once('=').map(|(_, value)| value.to_owned()))
        .filter(|value| value.ends_with(".UTF-8") && value.contains('_'))
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Runs a row, by this program or by another, in a separate directory.
pub(super) fn run(row: &Row, other: Option<Other<'_>>) -> Done {
    let d = Directory::new();
    let files = files();
    for (name, contents) in &files {
        d.write(name, contents);
    }
    let mut words = words(&row.command);
    let start = words.iter().position(|word| word == "iconv").unwrap();
    let mut run = match other {
        Some(Other { program, locales }) => {
            crate::run::Run::of(program).env("LOCPATH", locales.to_str().unwrap())
        }
        None => placemat("iconv"),
    };
    for variable in ["LC_ALL", "LC_CTYPE", "LANG", "LANGUAGE", "POSIXLY_CORRECT"] {
        run.command.env_remove(variable);
    }
    run = run.env("LC_ALL", "C.UTF-8");
    for word in words.drain(..=start) {
        if let Some((variable, value)) = word.split_once('=') {
            run = run.env(variable, value);
        }
    }
    for word in words {
        run = run.arg(word);
    }
    let ran = run.within(&d).reads(&*row.stdin).run();
    let mut after = BTreeMap::new();
    for entry in fs::read_dir(d.path("")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let contents = d.read(&name);
        if files.get(&name) != Some(&contents) {
            after.insert(name, contents);
        }
    }
    Done { status: ran.status, stdout: ran.stdout, files: after }
}

/// Splits a command into words; a word in `'` may be empty or contain spaces.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = command.trim_start();
    while !rest.is_empty() {
        let mut word = String::new();
        while let Some(c) = rest.chars().next().filter(|c| *c != ' ') {
            rest = &rest[c.len_utf8()..];
            if c == '\'' {
                let (quoted, after) = rest.split_once('\'').unwrap();
                word.push_str(quoted);
                rest = after;
            } else {
                word.push(c);
            }
        }
        words.push(word);
        rest = rest.trim_start();
    }
    words
}
