//! Random command lines.

use super::options::{self, COMMANDS, Choice};
use super::rng::Rng;
use super::trees::{Tree, content, encoding};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};

/// A command line.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// The command, or the name of a program that the command acts as.
    pub(super) command: &'static str,
    /// The options with their values, in their order.
    pub(super) options: Vec<(String, Vec<OsString>)>,
    /// The files and other words after the options.
    pub(super) words: Vec<OsString>,
    /// The program of `edit` with its arguments.
    pub(super) program: Vec<OsString>,
    /// The bytes of standard input.
    pub(super) stdin: Vec<u8>,
    /// Whether the command may read the line otherwise than `options` lists it.
    pub(super) is_odd: bool,
}

/// The programs that the command acts as, with the words that each understands.
const PROGRAMS: &[(&str, &[&str])] = &[
    ("uchardet", &["-v", "-h"]),
    ("file", &["-i", "-ib", "--mime-encoding", "-L", "-N", "-h"]),
    ("isutf8", &["-q", "-l", "-i", "-v"]),
    ("dos2unix", &["-k", "-q", "-o", "-f", "-s", "-F", "-S", "-b", "-r", "-m", "-u", "-ul", "-c", "mac"]),
    ("unix2dos", &["-k", "-f", "-F", "-b", "-m", "-u"]),
    ("mac2unix", &["-k", "-f", "-r", "-ascii"]),
    ("native2ascii", &["-reverse", "-encoding", "koi8-r"]),
    (
        "recode",
        &["-f", "-q", "-t", "latin1..utf8", "utf8..latin1/QP", "utf8..", "..", "/64..u16", "utf8..cp1252/cl"],
    ),
    ("convmv", &["-f", "latin1", "-t", "utf8", "--notest", "-r", "--nfc", "--lower"]),
];

impl Line {
    /// Returns the arguments after the name of the program.
    pub(super) fn arguments(&self) -> Vec<OsString> {
        let mut all: Vec<OsString> = Vec::new();
        if !self.is_program() {
            all.push(self.command.into());
        }
        for (name, values) in &self.options {
            let is_optional = name == "--in-place";
            match values.as_slice() {
                [value] if is_optional || (value.as_bytes().starts_with(b"-") && name.starts_with("--")) => {
                    let mut word = OsString::from(name);
                    word.push("=");
                    word.push(value);
                    all.push(word);
                }
                _ => {
                    all.push(name.into());
                    all.extend(values.iter().cloned());
                }
            }
        }
        if !self.is_odd {
            all.push("--".into());
        }
        if self.program.is_empty() {
            all.extend(self.words.iter().cloned());
        } else {
            // The file stands before the options, since `--` begins the program.
            let files = usize::from(!self.is_program());
            all.splice(files..files, self.words.iter().cloned());
            all.extend(self.program.iter().cloned());
        }
        all
    }

    /// Whether the command acts as another program.
    pub(super) fn is_program(&self) -> bool {
        PROGRAMS.iter().any(|(name, _)| *name == self.command)
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.options.iter().any(|(option, _)| option == name)
    }

    /// Returns the last value of an option.
    pub(super) fn value(&self, name: &str) -> Option<&OsStr> {
        self.options.iter().rev().find(|(option, _)| option == name)?.1.first().map(OsString::as_os_str)
    }

    /// Returns the line without an option.
    pub(super) fn without(&self, name: &str) -> Self {
        let mut line = self.clone();
        line.options.retain(|(option, _)| option != name);
        line
    }
}

/// Returns a random line for the tree.
pub(super) fn line(rng: &mut Rng, tree: &Tree) -> Line {
    let mut line = Line {
        command: "",
        options: Vec::new(),
        words: Vec::new(),
        program: Vec::new(),
        stdin: content(rng),
        is_odd: rng.one_in(12),
    };
    if rng.one_in(12) {
        let &(name, words) = rng.of(PROGRAMS);
        line.command = name;
        line.is_odd = true;
        for _ in 0..rng.below(5) {
            line.options.push(((*rng.of(words)).to_owned(), Vec::new()));
        }
        line.words = paths(rng, tree);
        return line;
    }
    let mut left = rng.below(COMMANDS.iter().map(|command| command.1).sum());
    for &(command, weight) in COMMANDS {
        line.command = command;
        if left < weight {
            break;
        }
        left -= weight;
    }
    let all = options::of(line.command);
    for _ in 0..rng.below(6) {
        let choice = rng.of(all);
        add(rng, tree, &mut line, choice);
    }
    usual(rng, tree, &mut line);
    if line.is_odd {
        disturb(rng, tree, &mut line);
    }
    line
}

/// Adds an option with random values.
fn add(rng: &mut Rng, tree: &Tree, line: &mut Line, choice: &Choice) {
    if line.has(&choice.name) {
        return;
    }
    let mut values: Vec<_> = choice.values.iter().map(|place| value(rng, tree, choice, place)).collect();
    if choice.optional && rng.one_in(2) {
        values.clear();
    }
    line.options.push((choice.name.clone(), values));
}

/// Adds what makes the line do more than refuse its arguments.
fn usual(rng: &mut Rng, tree: &Tree, line: &mut Line) {
    line.words = paths(rng, tree);
    let all = options::of(line.command);
    let one_of = |rng: &mut Rng, line: &mut Line, names: &[&str]| {
        if names.iter().all(|name| !line.has(name)) {
            let name = *rng.of(names);
            add(rng, tree, line, all.iter().find(|choice| choice.name == name).unwrap());
        }
    };
    match line.command {
        "convert" | "repair" => {
            if rng.one_in(2) {
                one_of(rng, line, &["--in-place"]);
                if rng.one_in(2) {
                    one_of(rng, line, &["--recursive"]);
                }
            }
            if line.command == "convert" && rng.one_in(2) {
                one_of(rng, line, &["--from"]);
                one_of(rng, line, &["--errors"]);
            }
            if line.command == "repair" && rng.one_in(3) {
                one_of(rng, line, &["--log"]);
            }
        }
        "truncate" => one_of(rng, line, &["--bytes", "--chars", "--graphemes", "--utf16"]),
        "edit" => {
            line.words.truncate(1);
            match rng.below(4) {
                0 => {
                    let programs: &[&[&str]] = &[
                        &["cat"],
                        &["tr", "a-z", "A-Z"],
                        &["head", "-c", "5"],
                        &["sed", "s/a/\\n/"],
                        &["false"],
                        &["true"],
                        &["no-such-program"],
                        &["printf", "\\377"],
                    ];
                    line.program = rng.of(programs).iter().map(OsString::from).collect();
                    line.is_odd = false;
                }
                1 => {
                    line.options.retain(|(name, _)| name != "--replace");
                    let old = *rng.of(&["a", "é", "\n", "мир", "日本", "e"]);
                    let new = word(rng);
                    line.options.push(("--replace".to_owned(), vec![old.into(), new]));
                    if rng.one_in(2) {
                        one_of(rng, line, &["--all"]);
                    }
                }
                2 => {
                    one_of(rng, line, &["--lines"]);
                    one_of(rng, line, &["--with"]);
                }
                _ => one_of(rng, line, &["--write"]),
            }
            if rng.one_in(3) {
                one_of(rng, line, &["--log"]);
            }
        }
        "inspect" | "show" => line.words.truncate(1),
        "encodings" => line.words = if rng.one_in(2) { vec![encoding_name(rng)] } else { Vec::new() },
        "completions" => {
            line.words = vec![(*rng.of(&["bash", "zsh", "fish", "elvish", "powershell", "x"])).into()];
        }
        "man" => line.words.clear(),
        "mcp" => {
            line.words = vec![".".into()];
            line.stdin = requests(rng, tree);
        }
        _ => {}
    }
}

/// Makes the line one that may be read otherwise than it is written here.
fn disturb(rng: &mut Rng, tree: &Tree, line: &mut Line) {
    let words = [
        "-",
        "--",
        "-i",
        "-ri",
        "-q",
        "--no-such",
        "-x",
        "",
        "-fo",
        "-i.bak",
        "\u{1B}[2J",
        "--he",
        "-0lv",
        "-j9",
    ];
    for _ in 0..rng.below(3) {
        let at = rng.below(line.words.len() + 1);
        let new = if rng.one_in(4) { bytes(rng) } else { (*rng.of(&words)).into() };
        line.words.insert(at, new);
    }
    if rng.one_in(3) {
        let choice = rng.of(options::of(line.command));
        let short = choice.short.map_or_else(|| choice.name.clone(), |short| format!("-{short}"));
        let value = choice.values.first().map(|place| value(rng, tree, choice, place));
        let mut joined = OsString::from(short);
        joined.push(value.unwrap_or_default());
        line.words.insert(0, joined);
    }
}

/// Returns names of files: most of them are in the tree.
fn paths(rng: &mut Rng, tree: &Tree) -> Vec<OsString> {
    let mut all = Vec::new();
    for _ in 0..rng.below(4) {
        all.push(path(rng, tree));
    }
    all
}

fn path(rng: &mut Rng, tree: &Tree) -> OsString {
    match rng.below(12) {
        0 => ".".into(),
        1 => "-".into(),
        2 => "no/such".into(),
        3 => bytes(rng),
        4 if !tree.paths.is_empty() => tree.within(&tree.paths[rng.below(tree.paths.len())]).into(),
        _ if tree.paths.is_empty() => ".".into(),
        _ => rng.of(&tree.paths).into(),
    }
}

/// Returns bytes that may be in an argument.
fn bytes(rng: &mut Rng) -> OsString {
    let mut all = content(rng);
    all.retain(|&byte| byte != 0 && byte != b'/');
    all.truncate(1 + rng.below(90));
    OsString::from_vec(all)
}

fn word(rng: &mut Rng) -> OsString {
    let words = ["", "x", "é", "日本", "a\u{1B}[31mb", "\r\n", "-", "\u{202E}", "many ", "%s{}\\", "😀"];
    match rng.below(14) {
        0 => bytes(rng),
        1 => "long ".repeat(500).into(),
        _ => (*rng.of(&words)).into(),
    }
}

fn encoding_name(rng: &mut Rng) -> OsString {
    let usual = [
        "utf-8",
        "latin1",
        "windows-1252",
        "windows-1251",
        "utf-16",
        "utf-16be",
        "utf-32",
        "utf-8-bom",
        "shift_jis",
        "gb18030",
        "iso-2022-jp",
        "ibm037",
        "utf-7",
        "cesu-8",
        "us-ascii",
        "auto",
        "koi8-r",
    ];
    let odd = [
        "",
        "utf9",
        "cp",
        "ansi",
        "ebcdic",
        "é",
        "\u{1B}[31m",
        "latin1//TRANSLIT",
        "ibm500,swaplfnl",
        "a,b",
        " ",
    ];
    match rng.below(10) {
        0 => (*rng.of(&odd)).into(),
        1 | 2 => encoding(rng).name().into(),
        _ => (*rng.of(&usual)).into(),
    }
}

/// Returns a value for the placeholder of an option: most are those that the option takes.
fn value(rng: &mut Rng, tree: &Tree, choice: &Choice, place: &str) -> OsString {
    if rng.one_in(25) {
        return bytes(rng);
    }
    if !choice.listed.is_empty() && !rng.one_in(12) {
        return several(rng, choice, place);
    }
    let of = |rng: &mut Rng, all: &[&str]| OsString::from(*rng.of(all));
    let huge = "18446744073709551615";
    match place {
        "ENCODING" | "NAME" => encoding_name(rng),
        "N" | "LIMIT" | "BYTES" | "BASE" => of(
            rng,
            &[
                "0",
                "1",
                "2",
                "3",
                "7",
                "10",
                "100",
                "4096",
                "-1",
                "x",
                huge,
                "18446744073709551616",
                "",
                "0x10",
            ],
        ),
        "A-B" => of(
            rng,
            &["1", "1-2", "2-1", "0", "0-0", "1-1", "2-", "3-9", "-3", "-", huge, "1-18446744073709551615"],
        ),
        "A..B" => of(
            rng,
            &[
                "..",
                "1..4",
                "4..1",
                "..7",
                "5..",
                "0..0",
                "1..=3",
                "0..99999999999",
                "18446744073709551615..",
            ],
        ),
        "P" => of(rng, &["0", "0.5", "0.95", "1", "2", "-1", "nan", "inf", "1e-9"]),
        "SUFFIX" => of(rng, &[".bak", "~", ".é", "/x", "=", ".txt", "\n"]),
        "GLOB" => of(rng, &["*.txt", "!*.txt", "[", "**", "{a,b}*", "*", "!*", "\\", "d/"]),
        "LOCALE" => of(rng, &["de_DE", "da_DK", "xx", "", "tr_TR.UTF-8"]),
        "DIR" => of(rng, &["made", "made/deep", ".", "a.txt"]),
        "STEP" => of(
            rng,
            &["wide", "pairs", "bytes", "mojibake", "legacy", "controls", "mojibake,bytes", "none", ""],
        ),
        "WORDS" => of(rng, &["latin", "mac cyrillic", "", "\u{9B}"]),
        "FORMAT" => of(rng, &["%d", "<U+%04X>", "%s", "%", "\\x%02x", "%999999999d"]),
        "FILE" | "LOG" => match choice.name.as_str() {
            "--files-from" if rng.one_in(2) => list(rng, tree),
            _ if rng.one_in(3) => path(rng, tree),
            _ => of(rng, &["new", "new.jsonl", "no/such/new", "-"]),
        },
        _ => word(rng),
    }
}

/// Returns one of the listed values, or several where that is allowed.
fn several(rng: &mut Rng, choice: &Choice, place: &str) -> OsString {
    let one = rng.of(&choice.listed).clone();
    let other = rng.of(&choice.listed);
    match place {
        "LINT" | "KINDS" if rng.one_in(2) => format!("{one},{other}").into(),
        "POLICY" if rng.one_in(4) => {
            let kind = *rng.of(&["overlong", "surrogate", "lead", "stray", "end", "truncated", "none"]);
            format!("{one},{kind}={other}").into()
        }
        _ => one.into(),
    }
}

/// Writes a list of files into the tree, for `--files-from`, and returns its name.
fn list(rng: &mut Rng, tree: &Tree) -> OsString {
    let mut text = Vec::new();
    for _ in 0..rng.below(4) {
        text.extend_from_slice(path(rng, tree).as_bytes());
        text.push(*rng.of(b"\n\n\n\0"));
    }
    let path = tree.path("tmp").join("list");
    fs::write(&path, text).unwrap();
    path.into()
}

/// Returns messages for `mcp`, some of which are none.
fn requests(rng: &mut Rng, tree: &Tree) -> Vec<u8> {
    let mut all = Vec::new();
    for id in 0..rng.below(5) {
        let path = path(rng, tree).to_string_lossy().into_owned();
        let text = word(rng).to_string_lossy().into_owned();
        let tool =
            *rng.of(&["read_text", "edit_text", "edit_text", "write_text", "detect", "check", "repair", "x"]);
        let arguments = match tool {
            "edit_text" => serde_json::json!({ "path": path, "old_text": "a", "new_text": text }),
            "write_text" => serde_json::json!({ "path": path, "text": text }),
            _ if rng.one_in(5) => {
                serde_json::json!({ "path": path, "lines": text, "encoding": text, "dry_run": 1 })
            }
            _ => serde_json::json!({ "path": path }),
        };
        let message = match rng.below(6) {
            0 => serde_json::json!({ "jsonrpc": "2.0", "id": id, "method": "tools/list" }),
            1 => {
                serde_json::json!({ "jsonrpc": "2.0", "id": text, "method": "initialize", "params": { "protocolVersion": text } })
            }
            2 => serde_json::json!([text, null, { "id": id }]),
            _ => serde_json::json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call",
                "params": { "name": tool, "arguments": arguments } }),
        };
        all.extend_from_slice(message.to_string().as_bytes());
        if rng.one_in(8) {
            all.extend_from_slice(&content(rng));
        }
        all.push(b'\n');
    }
    all
}
