//! The options of each command, read from its help.

use crate::run::placemat;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// The commands, by how often each is tried.
pub(super) const COMMANDS: &[(&str, usize)] = &[
    ("check", 6),
    ("convert", 12),
    ("detect", 3),
    ("repair", 10),
    ("edit", 8),
    ("inspect", 3),
    ("count", 3),
    ("truncate", 3),
    ("encodings", 1),
    ("iconv", 4),
    ("show", 2),
    ("mcp", 2),
    ("completions", 1),
    ("man", 1),
];

/// An option of a command.
#[derive(Clone, Debug, Default)]
pub(super) struct Choice {
    /// The name with its hyphens: the long one, or the short one if there is no other.
    pub(super) name: String,
    /// The short name.
    pub(super) short: Option<char>,
    /// The placeholders of its values, such as `ENCODING`.
    pub(super) values: Vec<String>,
    /// Whether a value follows `=` alone, and may be left out.
    pub(super) optional: bool,
    /// The values that the help lists.
    pub(super) listed: Vec<String>,
}

/// Returns the options of a command.
pub(super) fn of(command: &str) -> &'static [Choice] {
    static ALL: OnceLock<BTreeMap<&str, Vec<Choice>>> = OnceLock::new();
    &ALL.get_or_init(|| COMMANDS.iter().map(|&(command, _)| (command, read(command))).collect())[command]
}

/// Reads the options of a command from its help.
fn read(command: &str) -> Vec<Choice> {
    let help = String::from_utf8(placemat(&format!("{command} --help")).run().stdout).unwrap();
    let mut all: Vec<Choice> = Vec::new();
    for line in help.lines() {
        let text = line.trim_start();
        let indent = line.len() - text.len();
        if matches!(indent, 2 | 6) && text.starts_with('-') {
            all.push(option(text));
        } else if let (10, Some(last)) = (indent, all.last_mut()) {
            if let Some((name, _)) = text.strip_prefix("- ").and_then(|value| value.split_once(':')) {
                last.listed.push(name.to_owned());
            }
            if let Some(names) = text.strip_prefix("[possible values: ") {
                last.listed.extend(names.trim_end_matches(']').split(", ").map(str::to_owned));
            }
        }
    }
    all.retain(|choice| !["--help", "--isa"].contains(&choice.name.as_str()));
    assert!(all.len() >= 2, "{command}: {all:?}");
    all
}

/// Reads the head of an option: `-i, --in-place[=<SUFFIX>]`.
fn option(head: &str) -> Choice {
    let mut choice = Choice { optional: head.contains("[=<"), ..Choice::default() };
    for word in head.split([' ', ',', '[', '=', ']']).filter(|word| !word.is_empty()) {
        if let Some(value) = word.strip_prefix('<') {
            choice.values.push(value.trim_end_matches('>').to_owned());
        } else if word.starts_with("--") {
            word.clone_into(&mut choice.name);
        } else if let Some(short) = word.strip_prefix('-') {
            choice.short = short.chars().next();
        }
    }
    if choice.name.is_empty() {
        choice.name = choice.short.map(|short| format!("-{short}")).unwrap();
    }
    choice
}
