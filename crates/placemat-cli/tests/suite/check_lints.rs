//! `check --lint` and `--bom`, against a plain loop over the code points that has the ranges of the
//! standard written out, and the normal forms of another crate.

use crate::run::{Directory, placemat, utf16be, utf16le};
use serde_json::Value;
use unicode_normalization::UnicodeNormalization as _;

/// Kind, offset, length, line, column, column in UTF-16.
type Found = (String, u64, u64, u64, u64, u64);

const LINTS: [&str; 10] = [
    "noncharacters",
    "controls",
    "bidi",
    "private-use",
    "not-nfc",
    "crlf",
    "mixed-eol",
    "invisible",
    "replacement",
    "separators",
];

/// Each token is one stretch of text for normalization: no other token composes with it.
const TOKENS: [&str; 55] = [
    "a",
    "plain ASCII, as most of text is; ",
    "é",
    "e\u{301}",
    "\u{212B}",
    "\u{1100}\u{1161}",
    "각",
    "x\u{323}\u{301}",
    "x\u{301}\u{323}",
    "日本語",
    "漢字かな交じり文",
    "😀",
    "\n",
    "\n",
    "\n",
    "\r\n",
    "\r\n",
    "\r",
    "\u{202A}",
    "\u{202C}",
    "\u{202E}",
    "\u{2066}",
    "\u{2068}",
    "\u{2069}",
    "\u{200E}",
    "\u{61C}",
    "\u{2019}",
    "\u{FFFE}",
    "\u{FDD0}",
    "\u{FDEF}",
    "\u{1FFFF}",
    "\u{10FFFE}",
    "\u{E000}",
    "\u{F8FF}",
    "\u{F0000}",
    "\u{10FFFD}",
    "\0",
    "\x1B",
    "\x7F",
    "\u{85}",
    "\u{9F}",
    "\u{2029}",
    "\x0C",
    "\t",
    "\u{2028}",
    "\u{FFFD}",
    "\u{FFFC}",
    "\u{200B}",
    "\u{200D}",
    "\u{200D}",
    "\u{2060}",
    "\u{AD}",
    "\u{FEFF}",
    "\u{E0041}",
    "\u{180E}",
];

/// Returns `true` if a plain rule finds that a code point of these tokens is invisible and not
/// needed.
fn is_invisible(all: &[char], i: usize) -> bool {
    let before = i.checked_sub(1).map(|i| all[i]);
    let after = all.get(i + 1).copied();
    match all[i] {
        '\u{FEFF}' => i > 0,
        '\u{AD}' | '\u{200B}' | '\u{2060}' | '\u{E0041}' | '\u{180E}' => true,
        '\u{200D}' => !(before == Some('😀') && after == Some('😀')),
        _ => false,
    }
}

/// Returns the findings of a plain loop. `len` returns the length in bytes of a piece of text in
/// the checked encoding.
fn expected(tokens: &[&str], lints: &[&str], len: impl Fn(&str) -> u64) -> Vec<Found> {
    let text = tokens.concat();
    let has = |lint: &str| lints.contains(&lint);
    let mut found: Vec<Found> = Vec::new();
    let (mut offset, mut line, mut column, mut utf16) = (0, 1, 1, 1);
    let mut open: Vec<char> = Vec::new();
    let (mut in_run, mut ends): (bool, Vec<&str>) = (false, Vec::new());
    let mut starts = Vec::new();
    let mut at = 0;
    for token in tokens.iter().filter(|token| !token.is_empty()) {
        starts.push((at, *token));
        at += token.len();
    }
    let mut starts = starts.into_iter().peekable();
    let mut previous = None;
    let all: Vec<char> = text.chars().collect();
    for (nth, (i, c)) in text.char_indices().enumerate() {
        let mut more = 0;
        let mut push = |kind: &str, bytes: &str| {
            found.push((kind.to_owned(), offset, len(bytes), line, column, utf16));
        };
        let rest = &text[i..];
        let this = &rest[..c.len_utf8()];
        let n = c as u32;
        if has("noncharacters") && ((0xFDD0..0xFDF0).contains(&n) || n % 0x1_0000 >= 0xFFFE) {
            push("noncharacter", this);
        }
        let control = n < 0x20 && ![9, 10, 12, 13].contains(&n) || (0x7F..0xA0).contains(&n);
        if has("controls") && control {
            push("control", this);
        }
        let bidi = (0x202A..=0x202E).contains(&n) || (0x2066..=0x2069).contains(&n);
        if has("bidi") && bidi {
            push("bidi-control", this);
        }
        let private = (0xE000..0xF900).contains(&n)
            || (0xF_0000..0xF_FFFE).contains(&n)
            || (0x10_0000..0x10_FFFE).contains(&n);
        if has("private-use") && private {
            push("private-use", this);
        }
        if has("replacement") && c == '\u{FFFD}' {
            push("replacement", this);
        }
        if has("separators") && (n == 0x2028 || n == 0x2029) {
            push("separator", this);
        }
        if has("bidi") {
            if matches!(c, '\n' | '\r' | '\u{85}' | '\u{2029}') && !open.is_empty() {
                open.clear();
                push("bidi-unterminated", "");
            }
            match n {
                0x202A | 0x202B | 0x202D | 0x202E | 0x2066..=0x2068 => open.push(c),
                0x202C if open.last().is_some_and(|&c| c < '\u{2066}') => drop(open.pop()),
                0x2069 => {
                    if let Some(at) = open.iter().rposition(|&c| c >= '\u{2066}') {
                        open.truncate(at);
                    }
                }
                _ => {}
            }
        }
        if has("invisible") && is_invisible(&all, nth) {
            if nth > 0 && is_invisible(&all, nth - 1) {
                more = len(this);
            } else {
                push("invisible", this);
            }
        }
        if let Some((_, token)) = starts.next_if(|&(start, _)| start == i)
            && has("not-nfc")
            && !token.nfc().eq(token.chars())
        {
            push("not-nfc", token);
        }
        let end = match c {
            '\r' if rest.starts_with("\r\n") => Some("\r\n"),
            '\r' => Some("\r"),
            '\n' if previous != Some('\r') => Some("\n"),
            '\u{85}' => Some("\u{85}"),
            _ => None,
        };
        if let Some(end) = end {
            // Runs of CR LF and the lines of reports end at LF alone.
            if has("crlf") && end == "\r\n" && !in_run {
                push("crlf", end);
            }
            if end.ends_with('\n') {
                in_run = end == "\r\n";
            }
            if !ends.contains(&end) {
                if has("mixed-eol") && !ends.is_empty() {
                    push("mixed-eol", end);
                }
                ends.push(end);
            }
        }
        // A run of invisible code points is one finding.
        if more > 0
            && let Some(run) = found.iter_mut().rfind(|found| found.0 == "invisible")
        {
            run.2 += more;
        }
        offset += len(this);
        if c == '\n' {
            (line, column, utf16) = (line + 1, 1, 1);
        } else {
            (column, utf16) = (column + 1, utf16 + c.len_utf16() as u64);
        }
        previous = Some(c);
    }
    if !open.is_empty() {
        found.push(("bidi-unterminated".into(), offset, 0, line, column, utf16));
    }
    found
}

fn findings(stdout: &[u8]) -> Vec<Found> {
    let text = core::str::from_utf8(stdout).unwrap();
    let one = |line: &str| {
        let value: Value = serde_json::from_str(line).unwrap();
        let number = |key: &str| value[key].as_u64().unwrap();
        let kind = value["kind"].as_str().unwrap().to_owned();
        assert_eq!(value["bytes"].as_str().unwrap().len() as u64, 2 * number("length"));
        assert!(!value["message"].as_str().unwrap().chars().any(char::is_control));
        (
            kind,
            number("byte_offset"),
            number("length"),
            number("line"),
            number("column"),
            number("utf16_column"),
        )
    };
    text.lines().map(one).collect()
}

struct Random(u32);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as usize % n
    }
    /// Returns tokens with `plain` tokens of plain text between the others.
    fn tokens(&mut self, count: usize, plain: usize) -> Vec<&'static str> {
        let mut tokens = Vec::new();
        for _ in 0..count {
            let token =
                if self.below(plain) > 0 { TOKENS[self.below(12)] } else { TOKENS[self.below(TOKENS.len())] };
            // CR and LF would be one token.
            if tokens.last() == Some(&"\r") && token.starts_with('\n') {
                tokens.push("a");
            }
            tokens.push(token);
        }
        tokens
    }
}

#[track_caller]
fn agree(tokens: &[&str], lints: &[&str]) {
    let text = tokens.concat();
    type Encode = fn(&str) -> Vec<u8>;
    let encodings: [(&str, Encode); 4] = [
        ("utf-8", |text| text.as_bytes().to_vec()),
        ("utf-16le", utf16le),
        ("utf-16be", utf16be),
        ("utf-32be", |text| text.chars().flat_map(|c| (c as u32).to_be_bytes()).collect()),
    ];
    for (name, encode) in encodings {
        let want = expected(tokens, lints, |text| encode(text).len() as u64);
        let arguments = format!("check --all --format jsonl --lint {} -f {name}", lints.join(","));
        let ran = placemat(&arguments).reads(encode(&text)).run();
        ran.ends(i32::from(!want.is_empty())).says("");
        let found = findings(&ran.stdout);
        for (found, want) in found.iter().zip(&want) {
            assert_eq!(found, want, "{arguments}: {text:?}");
        }
        assert_eq!(found.len(), want.len(), "{arguments}: {text:?}");
    }
}

#[test]
fn a_plain_loop_finds_the_same() {
    for token in TOKENS {
        agree(&["x", token, "y\n"], &LINTS);
        agree(&[token], &LINTS);
    }
    let mut random = Random(1);
    for _ in 0..6 {
        let tokens = random.tokens(300, 4);
        agree(&tokens, &LINTS);
    }
    for lint in LINTS {
        agree(&random.tokens(300, 4), &[lint]);
    }
}

#[test]
fn pieces_are_cut_anywhere() {
    let mut random = Random(7);
    let tokens = random.tokens(30_000, 300);
    agree(&tokens, &LINTS);
    for shift in ["", "a", "é", "aé"] {
        let tokens: Vec<&str> =
            [shift].into_iter().chain(["e\u{301}", "\r\n", "日"].repeat(15_000)).collect();
        agree(&tokens, &["not-nfc", "crlf", "mixed-eol"]);
    }
}

#[test]
fn encodings_with_shifts_and_pairs_are_located() {
    // The bytes of each finding are the bytes of the code point, with the shift before it, if there
    // is one.
    for (encoding, bytes, want) in [
        ("iso-2022-jp", &b"a\x1B$B0!\x1B(B\x7Fb"[..], (6, 4)),
        ("utf-7", b"a+4AA-b", (1, 4)),
        ("latin1", b"abc\x85d", (3, 1)),
        ("windows-1252", b"\x80\x80\x81", (2, 1)),
        ("scsu", b"ab\x07", (2, 1)),
        ("gb18030", b"\x81\x30\x81\x30ab", (0, 4)),
        ("utf-ebcdic", b"\xC1\x07", (1, 1)),
    ] {
        let ran = placemat("check --all --format jsonl --lint controls,private-use -f")
            .arg(encoding)
            .reads(bytes)
            .run();
        let found: Vec<_> = findings(&ran.stdout).into_iter().map(|found| (found.1, found.2)).collect();
        if encoding == "scsu" || encoding == "utf-7" {
            // The decoder decides to which text the tags belong; the finding lies within the text.
            assert!(found.iter().all(|&(at, len)| at + len <= bytes.len() as u64), "{encoding}: {found:?}");
        } else {
            assert_eq!(found, [want], "{encoding}");
        }
    }
}

#[test]
fn signatures_are_forbidden_or_required() {
    let kinds = |args: &str, bytes: &[u8]| -> Vec<String> {
        let ran = placemat("check --all --format jsonl").args(args).reads(bytes).run();
        assert_eq!(ran.stderr, "");
        findings(&ran.stdout)
            .into_iter()
            .map(|found| format!("{} {} {}", found.0, found.1, found.2))
            .collect()
    };
    for (args, bytes, want) in [
        ("--bom forbid", &b"\xEF\xBB\xBFabc"[..], "bom-forbidden 0 3"),
        ("--bom require", b"\xEF\xBB\xBFabc", ""),
        ("--bom forbid", b"abc", ""),
        ("--bom require", b"abc", "bom-missing 0 0"),
        ("--bom require", b"", ""),
        ("--bom require", b"\xEF\xBB", "bom-missing 0 0"),
        ("--bom forbid -f utf-16", b"\xFE\xFF\0a", "bom-forbidden 0 2"),
        ("--bom forbid -f utf-16", b"\0a", ""),
        ("--bom require -f utf-16le", b"a\0", "bom-missing 0 0"),
        ("--bom require -f utf-32", b"\xFF\xFE\0\0a\0\0\0", ""),
        ("--bom require -f latin1", b"a", ""),
        ("", b"\xEF\xBB\xBFabc", ""),
    ] {
        let found = kinds(args, bytes);
        let first = found.first().map_or("", String::as_str);
        assert_eq!(first, want, "{args}");
        assert!(found.len() <= 2);
    }
}

#[test]
fn findings_of_all_kinds_come_in_order() {
    let ran = placemat("check --all --lint all --bom forbid --format jsonl")
        .reads(b"\xEF\xBB\xBFa\x07\xFF\x07\r\n".to_vec())
        .run();
    let kinds: Vec<_> = findings(&ran.stdout).into_iter().map(|found| (found.0, found.1)).collect();
    let want = [("bom-forbidden", 0), ("control", 4), ("never-byte", 5), ("control", 6), ("crlf", 7)];
    assert_eq!(kinds, want.map(|(kind, at)| (kind.to_owned(), at)));
    // Lints are counted, limited and summed up like other findings.
    let ran = placemat("check --lint controls --max 2 --summary").reads(b"\x01\x02\x03".to_vec()).run();
    ran.ends(1).wrote(
        "<stdin>:1:1: control U+0001 SOH at byte 0: not shown, and no part of plain text\n\
         <stdin>:1:2: control U+0002 STX at byte 1: not shown, and no part of plain text\n\
         1 file checked, 2 findings in 1 of them\n",
    );
    placemat("check -q --lint controls").reads(b"\x01".to_vec()).run().ends(1).wrote("").says("");
    placemat("check -l --lint controls").reads(b"\x01".to_vec()).run().ends(1).wrote("<stdin>\n");
    // Lints are off by default.
    placemat("check").reads("\u{202E}\0\r\n\n\u{FFFE}e\u{301}").run().writes("");
    placemat("check --lint magic").reads("").run().ends(2);
    placemat("check --lint bidi,crlf --lint controls").reads("\u{202E}\0\r\n").run().ends(1);
}

#[test]
fn pictures_show_what_cannot_be_seen() {
    let ran = placemat("check -v --lint all --bom require")
        .reads("if x {\u{202E} } e\u{301} \u{FFFE}\r\nend")
        .run();
    let text = String::from_utf8(ran.stdout).unwrap();
    assert!(!text.contains('\u{202E}') && !text.contains('\r') && !text.contains('\u{FFFE}'));
    let want = "\
<stdin>:1:1: no signature at byte 0: the text must begin with 0xef 0xbb 0xbf
   |
 1 | if x {\\u{202e} } e\u{301} \\u{fffe}
   | ^
   = help: `placemat convert --bom add` writes it

<stdin>:1:7: bidi control U+202E RIGHT-TO-LEFT OVERRIDE at byte 6: can display the text after it in another order than programs read it
   |
 1 | if x {<U+202E> } e\u{301} \\u{fffe}
   |       ^^^^^^^^
   = help: remove it, or write it as an escape; see CVE-2021-42574
";
    assert!(text.starts_with(want), "{text}");
    for line in [
        " 1 | if x {\\u{202e} } e\u{301} \\u{fffe}",
        "   |                  ^",
        " 1 | if x {\\u{202e} } e\u{301} <U+FFFE>",
        " 1 | if x {\\u{202e} } e\u{301} \\u{fffe}<CR><LF>",
    ] {
        assert!(text.contains(line), "no {line:?} in {text}");
    }
}

#[test]
fn marks_without_end_take_no_memory() {
    let d = Directory::new();
    let mut text = String::from("a");
    text.push_str(&"\u{301}".repeat(500_000));
    d.write("marks", text);
    let ran = placemat("check --lint not-nfc --format jsonl marks").within(&d).run();
    ran.ends(1);
    assert!(findings(&ran.stdout).iter().all(|found| found.2 < 600_000));
}
