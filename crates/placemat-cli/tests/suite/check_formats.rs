//! `check --format github` and `gitlab`, fingerprints, and the page of rules.

use crate::run::{Directory, in_repository, placemat};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;

const DAMAGED: &[u8] = b"a\n\xC0\xAF 100%, \xED\xA0\x80\n\xE2\x80\xAE\r\nb\n\xFF";

fn json(stdout: &[u8]) -> Value {
    serde_json::from_slice(stdout).unwrap()
}

/// Returns findings as `--format jsonl` prints them.
fn lines(args: &str, d: &Directory) -> Vec<Value> {
    let ran = placemat("check --all --format jsonl").args(args).within(d).run();
    let text = String::from_utf8(ran.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Parses a line like a GitHub runner: the command, its properties and its message.
fn command(line: &str) -> (String, Vec<(String, String)>, String) {
    let (head, message) = line.strip_prefix("::").unwrap().split_once("::").unwrap();
    let (name, properties) = head.split_once(' ').unwrap();
    let data = |text: &str| text.replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%");
    let property = |text: &str| data(&text.replace("%3A", ":").replace("%2C", ","));
    let properties = properties
        .split(',')
        .map(|part| part.split_once('=').unwrap())
        .map(|(key, value)| (key.to_owned(), property(value)))
        .collect();
    (name.to_owned(), properties, data(message))
}

#[test]
fn github_is_told_by_commands() {
    let d = Directory::new();
    for name in ["plain.txt", "a,b:c%d.txt", "e\u{301}.txt"] {
        d.write(name, DAMAGED);
    }
    let args = "--lint all .";
    let ran = placemat("check --all --format github --summary").args(args).within(&d).run();
    ran.ends(1).says("");
    let text = String::from_utf8(ran.stdout).unwrap();
    assert!(!text.contains('\r') && !text.contains('\u{202E}'));
    let mut commands: Vec<_> = text.lines().map(command).collect();
    let (name, properties, message) = commands.pop().unwrap();
    assert_eq!((name.as_str(), properties), ("notice", vec![("title".into(), "placemat".into())]));
    assert!(message.starts_with("3 files checked, "), "{message}");
    let want = lines(args, &d);
    assert_eq!(commands.len(), want.len());
    for ((name, properties, message), want) in commands.iter().zip(&want) {
        let property = |key: &str| {
            properties.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str()).unwrap_or("")
        };
        assert!(["error", "warning"].contains(&name.as_str()));
        assert_eq!(Some(property("file")), want["path"].as_str().unwrap().strip_prefix("./"));
        assert_eq!(property("line"), want["line"].to_string());
        assert_eq!(property("col"), want["column"].to_string());
        assert_eq!(property("title"), format!("placemat: {}", want["kind"].as_str().unwrap()));
        let suggestion = want["suggestion"].as_str().map_or(String::new(), |text| format!("\n{text}"));
        assert_eq!(*message, format!("{}{suggestion}", want["message"].as_str().unwrap()));
    }
    placemat("check --all --format github").reads("fine").run().writes("");
    placemat("check --all --format github -v").reads(*b"\xFF").run().ends(1).wrote(
        "::error line=1,endLine=1,col=1,endColumn=1,title=placemat%3A never-byte::byte 0xff at byte 0: never occurs in UTF-8\n",
    );
    let ran = placemat("check --all --format github -l .").within(&d).run();
    assert_eq!(ran.stdout.split(|&byte| byte == b'\n').count(), 4);
}

#[cfg(unix)]
#[test]
fn names_reach_no_terminal_raw() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let d = Directory::new();
    d.write(OsStr::from_bytes(b"a\x1B[31m\n::error::x\xFF\xE2\x80\xAE"), b"\xFF");
    for format in ["github", "gitlab", "sarif", "text", "jsonl"] {
        let ran = placemat("check --all --format").arg(format).arg(".").within(&d).run();
        ran.ends(1);
        let text = String::from_utf8(ran.stdout).unwrap();
        assert!(!text.contains('\x1B') && !text.contains('\u{202E}'), "{format}: {text}");
        if format == "github" {
            assert_eq!(text.lines().count(), 1, "{text}");
        }
    }
}

#[test]
fn gitlab_is_told_in_one_array() {
    let d = Directory::new();
    d.write("a.txt", DAMAGED);
    d.write("b.txt", [DAMAGED, DAMAGED, b"\n"].concat().repeat(50));
    d.write("good.txt", "fine\n");
    for args in ["--lint all .", "--lint all a.txt ./b.txt", "good.txt", "-j 1 .", "--max 3 ."] {
        let ran = placemat("check --all --format gitlab").args(args).within(&d).run();
        ran.says("");
        let document = json(&ran.stdout);
        let violations = document.as_array().unwrap();
        let want = lines(args, &d);
        assert_eq!(violations.len(), want.len(), "{args}");
        let mut fingerprints = BTreeSet::new();
        for (violation, want) in violations.iter().zip(&want) {
            assert_eq!(violation["description"], want["message"]);
            assert_eq!(violation["check_name"], want["kind"]);
            let severity = violation["severity"].as_str().unwrap();
            assert!(["minor", "major", "critical"].contains(&severity));
            let path = want["path"].as_str().unwrap();
            assert_eq!(violation["location"]["path"], path.strip_prefix("./").unwrap_or(path));
            assert_eq!(violation["location"]["lines"]["begin"], want["line"]);
            assert!(
                fingerprints.insert(violation["fingerprint"].as_str().unwrap().to_owned()),
                "{violation}"
            );
        }
        // A second run makes the same report.
        placemat("check --all --format gitlab").args(args).within(&d).run().wrote(&ran.stdout);
    }
    placemat("check --all --format gitlab --summary good.txt")
        .within(&d)
        .run()
        .ends(0)
        .wrote("[\n\n]\n")
        .says("1 file checked, no findings\n");
    let ran = placemat("check --all --format gitlab -l .").within(&d).run();
    assert_eq!(json(&ran.stdout).as_array().unwrap().len(), 2);
}

/// A fingerprint stays the same when lines before and after the finding change.
#[test]
fn fingerprints_stay() {
    let d = Directory::new();
    let prints = |text: &[u8]| -> Vec<String> {
        d.write("a.txt", text);
        let gitlab = json(&placemat("check --all --format gitlab a.txt").within(&d).run().stdout);
        let sarif = json(&placemat("check --all --format sarif a.txt").within(&d).run().stdout);
        let of_sarif: Vec<_> = sarif["runs"][0]["results"]
            .as_array()
            .unwrap()
            .iter()
            .map(|result| result["partialFingerprints"]["placemat/v1"].as_str().unwrap().to_owned())
            .collect();
        let of_gitlab: Vec<_> = gitlab
            .as_array()
            .unwrap()
            .iter()
            .map(|violation| violation["fingerprint"].as_str().unwrap().to_owned())
            .collect();
        assert_eq!(of_sarif, of_gitlab);
        of_gitlab
    };
    let before = prints(b"one \xFF\ntwo \xFF\ntwo \xFF\n");
    let after = prints(b"new line\none \xFF\nanother \xC0\n\ntwo \xFF\ntwo \xFF\nend");
    assert_eq!(before.iter().collect::<BTreeSet<_>>().len(), 3);
    assert_eq!(after.len(), 4);
    assert_eq!(before, [after[0].clone(), after[2].clone(), after[3].clone()]);
    // A file under another path has another fingerprint.
    let other = placemat("check --all --format gitlab").reads(b"one \xFF\n").run();
    assert!(!before.contains(&json(&other.stdout)[0]["fingerprint"].as_str().unwrap().to_owned()));
}

/// `docs/reference/rules.md` equals the rules that SARIF lists. With `PLACEMAT_RECORD` set, the
/// test writes the page.
#[test]
fn the_page_of_rules_has_them_all() {
    let document = json(&placemat("check --all --format sarif").reads("").run().stdout);
    let rules = document["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    assert!(rules.len() > 50);
    let mut page = String::from(
        "# Rules\n\nWhat `placemat check` finds, by the `kind` of `--format jsonl`, `ruleId` of SARIF and `check_name` of GitLab. \
         Bytes are hexadecimal.\n",
    );
    for rule in rules {
        let id = rule["id"].as_str().unwrap();
        let (text, markdown) =
            (rule["help"]["text"].as_str().unwrap(), rule["help"]["markdown"].as_str().unwrap());
        let (short, full) = (
            rule["shortDescription"]["text"].as_str().unwrap(),
            rule["fullDescription"]["text"].as_str().unwrap(),
        );
        for part in [text, markdown] {
            assert!(part.starts_with(full) && full.starts_with(short) && part.len() > full.len(), "{id}");
        }
        let tags: Vec<_> =
            rule["properties"]["tags"].as_array().unwrap().iter().map(|tag| tag.as_str().unwrap()).collect();
        assert!(tags[0] == "text" || tags[0] == "encoding");
        assert_eq!(tags.contains(&"security"), !rule["properties"]["security-severity"].is_null(), "{id}");
        let level = rule["defaultConfiguration"]["level"].as_str().unwrap();
        page += &format!("\n## {id}\n{level}; {}\n\n{markdown}", tags.join(", "));
    }
    let Some(path) = in_repository("docs/reference/rules.md") else { return };
    if std::env::var_os("PLACEMAT_RECORD").is_some() {
        fs::write(path, page).unwrap();
        return;
    }
    let there = fs::read_to_string(path).unwrap();
    assert!(there == page, "docs/reference/rules.md is not up to date: run this with PLACEMAT_RECORD=1");
}

/// Each ill-formed example of a rule has its finding, and each example beside it has none.
#[test]
fn examples_of_rules_are_examples() {
    let document = json(&placemat("check --all --format sarif").reads("").run().stdout);
    let rules = document["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    let mut seen = 0;
    for rule in rules {
        let id = rule["id"].as_str().unwrap();
        let markdown = rule["help"]["markdown"].as_str().unwrap();
        if rule["properties"]["tags"][0] != "encoding" || ["other-encoding", "mixed-units"].contains(&id) {
            continue;
        }
        let encoding = match id {
            "overlong-5" | "overlong-6" | "overlong-7" | "overlong-13" => "utf-8-perl",
            "four-byte-lead" | "unpaired-surrogate" => "cesu-8",
            "nul-byte" => "mutf-8",
            "surrogate-pair" => "wtf-8",
            "unpaired-lead" | "unpaired-trail" => "utf-16be",
            "undefined" => "windows-1253",
            "eight-bit-byte" | "illegal-direct" | "bad-shift" | "partial-unit" | "nonzero-padding" => "utf-7",
            "unterminated" | "bad-base64" | "encoded-ascii" | "null-shift" => "utf-7-imap",
            "reserved-byte" | "reserved-offset" => "scsu",
            "bad-trail" => "shift_jis",
            "out-of-range" => "bocu-1",
            "unknown-escape" | "unclosed-shift" => "iso-2022-jp",
            _ => "utf-8",
        };
        let kinds = |label: &str| -> Vec<String> {
            let line = markdown.lines().find_map(|line| line.strip_prefix(label)).unwrap();
            let example = line.split('`').nth(1).unwrap();
            let hex: String = example.split(' ').collect();
            let is_hex = example.split(' ').all(|part| matches!(part.len(), 2 | 4))
                && hex.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
            let digits = |i: usize| u8::from_str_radix(&hex[i..i + 2], 16).unwrap();
            let bytes = if is_hex {
                (0..hex.len()).step_by(2).map(digits).collect()
            } else {
                example.as_bytes().to_vec()
            };
            let ran = placemat("check --all --format jsonl -f").arg(encoding).reads(bytes).run();
            let text = String::from_utf8(ran.stdout).unwrap();
            text.lines().map(|line| json(line.as_bytes())["kind"].as_str().unwrap().to_owned()).collect()
        };
        assert_eq!(kinds("- Not: ").first().map(String::as_str), Some(id), "{id}");
        assert_eq!(kinds("- But: "), [] as [String; 0], "{id}");
        seen += 1;
    }
    assert!(seen > 35, "{seen}");
}
