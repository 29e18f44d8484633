//! The commands that messages suggest exist, run, and help.

use crate::run::{Directory, placemat, utf16le};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Returns the quoted texts of the command's source, without comments and tests.
fn texts() -> Vec<String> {
    fn files(folder: &Path, all: &mut Vec<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            if path.is_dir() {
                files(&path, all);
            } else if name.ends_with(".rs") && name != "tests.rs" {
                let source = fs::read_to_string(&path).unwrap();
                let source = source.split("#[cfg(test)]").next().unwrap();
                let lines: Vec<_> =
                    source.lines().map(str::trim_start).filter(|line| !line.starts_with("//")).collect();
                let source = lines.join("\n").replace("\\\n", "").replace("\\\"", "”").replace("'\"'", "");
                all.extend(source.split('"').skip(1).step_by(2).map(str::to_owned));
            }
        }
    }
    let mut all = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut all);
    assert!(all.len() > 500, "{}", all.len());
    all
}

const COMMANDS: [&str; 14] = [
    "check",
    "convert",
    "detect",
    "repair",
    "edit",
    "inspect",
    "count",
    "truncate",
    "encodings",
    "iconv",
    "show",
    "mcp",
    "completions",
    "man",
];

/// Returns the help of each command.
fn help() -> String {
    let of = |args: &str| String::from_utf8(placemat(args).run().stdout).unwrap();
    COMMANDS.iter().map(|command| of(&format!("{command} --help"))).collect::<String>() + &of("--help")
}

/// Finds every `--option` in a text.
fn options(text: &str) -> impl Iterator<Item = String> {
    text.match_indices("--").filter_map(move |(at, _)| {
        let before = text[..at].chars().next_back();
        let name = text[at + 2..].split(|c: char| !(c.is_ascii_lowercase() || c == '-')).next()?;
        let starts = before.is_none_or(|c| " `([\"”\n,=-".contains(c) && c != '-');
        (starts && name.starts_with(|c: char| c.is_ascii_lowercase()))
            .then(|| format!("--{}", name.trim_end_matches('-')))
    })
}

#[test]
fn options_that_are_named_exist() {
    let help = help();
    let known: BTreeSet<_> = help
        .lines()
        .filter(|line| line.trim_start().starts_with('-') || line.contains("[alias"))
        .flat_map(|line| options(line).collect::<Vec<_>>())
        .collect();
    assert!(known.len() > 40, "{known:?}");
    let mut named = 0;
    // The command answers under the names of other programs, whose options are in their own help or alone in a text.
    let texts = texts().into_iter().filter(|text| !text.starts_with("Usage: ") && !text.starts_with("--"));
    for text in texts.chain([help]) {
        // Options of other programs do not count.
        let own = text.lines().filter(|line| !line.contains("git ") && !line.contains("find "));
        for option in own.flat_map(options) {
            named += 1;
            // These options are in messages of `iconv`, `file` and `convmv` and not in the help.
            let elsewhere = ["--usage", "--foo", "--mime-encoding", "--notest"].contains(&&*option);
            assert!(known.contains(&option) || elsewhere, "{option} in {text}");
        }
    }
    assert!(named > 60, "{named}");
}

/// Runs the commands in backquotes, and those of examples in the help.
#[test]
fn commands_that_are_named_can_be_run() {
    let mut commands = BTreeSet::new();
    let texts = texts();
    for text in texts.iter().map(String::as_str) {
        let quoted = text.split('`').skip(1).step_by(2);
        commands.extend(quoted.filter(|quoted| quoted.starts_with("placemat ")).map(str::to_owned));
    }
    let help = help();
    for line in help.lines().filter_map(|line| line.strip_prefix("  placemat ")) {
        // A remark may follow the command.
        let command = line.split("   ").next().unwrap();
        commands.insert(format!("placemat {}", command.split(" >").next().unwrap()));
    }
    assert!(commands.len() > 20, "{commands:?}");
    for command in commands {
        // Replace placeholders, as in a format string.
        let command = command.replace("-t {}", "-t utf-8").replace("{}", "");
        // Quoted text is one word.
        let parts = command.split('\'').enumerate();
        let command: String = parts
            .map(|(i, part)| if i % 2 == 1 { part.replace(' ', "_") } else { part.to_owned() })
            .collect();
        let words = command.strip_prefix("placemat ").unwrap().replace("{from}", "utf-16");
        let mut words: Vec<_> = words.split_whitespace().collect();
        // The option works the same with any of its values.
        if ["--normalize", "--eol"].contains(words.last().unwrap()) {
            words.push(if words.last() == Some(&"--eol") { "lf" } else { "nfc" });
        }
        // All arguments are parsed before the help is shown. Another command follows `--`.
        let own = words.iter().position(|word| *word == "--").unwrap_or(words.len());
        let ran = placemat(&words[..own].join(" ")).arg("--help").run();
        assert!(ran.status == 0 && ran.stderr.is_empty(), "{command}: {}", ran.stderr);
    }
}

/// After the suggestion of a finding is applied to the file, no finding of its kind is left.
#[test]
fn what_is_suggested_helps() {
    let d = Directory::new();
    let le = |text: &str| utf16le(text);
    let signed = [b"\xFF\xFE".to_vec(), le("a\r\nb\n")].concat();
    let cases: [(&str, Vec<u8>); 24] = [
        ("--lint crlf", b"a\r\nb\r\n".to_vec()),
        ("--lint crlf -f utf-16le", le("a\r\nb\r\n")),
        ("--lint crlf -f utf-16", signed.clone()),
        ("--lint crlf -f latin1", b"\xE9\r\n".to_vec()),
        ("--lint mixed-eol", b"a\nb\r\nc\n".to_vec()),
        ("--lint mixed-eol -f utf-16be", b"\0a\0\r\0\n\0b\0\n".to_vec()),
        ("--lint mixed-eol", b"a\rb\nc\n".to_vec()),
        ("--lint cr-eol", b"a\rb\r".to_vec()),
        ("--lint cr-eol -f utf-16be", b"\0a\0\r".to_vec()),
        ("--lint controls", b"a\x1A\x1A".to_vec()),
        ("--lint controls -f utf-16le", le("a\x1A")),
        ("--lint invisible", b"\xEF\xBB\xBF#!/bin/sh\n".to_vec()),
        ("--lint not-nfc", "e\u{301}".into()),
        ("--lint not-nfc -f utf-16le", le("e\u{301}")),
        ("--bom forbid", b"\xEF\xBB\xBFa".to_vec()),
        ("--bom require", b"a".to_vec()),
        ("--bom forbid -f utf-16le", signed.clone()),
        ("--bom require -f utf-16le", le("a")),
        ("", signed),
        ("-f utf-16le", b"\0a\0b\0c\xDC\0\0d\0e".to_vec()),
        ("-f us-ascii", "café".into()),
        ("-f utf-7", b"caf\xE9 \xFF".to_vec()),
        ("", b"\xFE\xFF\0a\0b".to_vec()),
        ("", "caf\u{E9} ".bytes().chain(*b"\x93caf\xE9\x94").collect()),
    ];
    let mut tried = 0;
    for (args, bytes) in cases {
        d.write("f", &bytes);
        let ran = placemat("check --no-config --format jsonl").args(args).arg("f").within(&d).run();
        let report = String::from_utf8(ran.stdout).unwrap();
        let finding: serde_json::Value = serde_json::from_str(report.lines().next().unwrap_or("{}")).unwrap();
        let Some(suggestion) = finding["suggestion"].as_str() else { continue };
        for quoted in suggestion.split('`').skip(1).step_by(2) {
            tried += 1;
            if let Some(command) = quoted.strip_prefix("placemat ") {
                let converted = placemat(command).arg("f").within(&d).run();
                assert!(converted.status == 0, "{args}: {quoted}: {}", converted.stderr);
                d.write("g", &converted.stdout);
                // If the suggestion converts the file, check it in its new encoding.
                let checked = if command.contains(" -e ") { "" } else { args };
                let ran = placemat("check --no-config").args(checked).arg("g").within(&d).run();
                assert_eq!(ran.status, 0, "{args}: {quoted}: {}", String::from_utf8_lossy(&ran.stdout));
            } else if quoted.starts_with("-f ") {
                let ran = placemat("check --no-config").args(quoted).arg("f").within(&d).run();
                let holds = ran.status == 0 || suggestion.contains(" or ");
                assert!(holds, "{args}: {quoted}: {}", String::from_utf8_lossy(&ran.stdout));
            }
        }
    }
    assert!(tried >= 15, "{tried}");
}

/// An empty name is the name of no file, not a missing value of an option.
#[test]
fn an_empty_name() {
    for command in ["check", "convert", "count", "inspect"] {
        let ran = placemat(command).arg("").run();
        ran.ends(2).wrote("").says("placemat: \"\": no such file or directory\n");
    }
}
