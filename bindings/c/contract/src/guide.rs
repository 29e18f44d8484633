//! The known differences for readers of the guide: `docs/guides/c.md`, "Differences from glibc".

use crate::known::{self, Kind, Rule};
use std::collections::BTreeSet;

/// The line before the table.
pub const START: &str = "<!-- from bindings/c/contract/known.txt; PLACEMAT_RECORD=1 cargo test --release -p contract --test guide -->\n";
/// The line after the generated table.
pub const END: &str = "<!-- end -->\n";

/// Returns the part of a conversion that a rule covers.
fn part(rule: &Rule) -> &'static str {
    match rule.kind {
        Kind::Read => "bytes",
        Kind::Write => "characters",
        Kind::Translit => "`//TRANSLIT`",
        Kind::Early => "EILSEQ, EINVAL",
        Kind::Omit | Kind::Overrun => "`//IGNORE`",
        Kind::Cut => "no room",
        Kind::Mark => "signatures",
        Kind::Pair => "the pair",
        Kind::Name => "names",
        Kind::Probe => "probes",
    }
}

/// Returns the subject of a rule in words for readers.
fn subject(rule: &Rule) -> String {
    match rule.kind {
        Kind::Probe => rule.name().replace('_', " "),
        _ => rule.name().replace('>', " to ").replace('*', "…"),
    }
}

/// Returns a table in Markdown, with a row for each reason.
#[must_use]
pub fn differences() -> String {
    let mut text = String::from("| encodings | in | why |\n| --- | --- | --- |\n");
    let mut seen = BTreeSet::new();
    for reason in known::rules().iter().map(|rule| rule.reason.as_str()) {
        if !seen.insert(reason) {
            continue;
        }
        let rules: Vec<_> = known::rules().iter().filter(|rule| rule.reason == reason).collect();
        // A rule about an encoding is more informative than one about one of its names or about a
        // probe.
        let says_much = |rule: &&&Rule| !matches!(rule.kind, Kind::Name | Kind::Probe);
        let shown: Vec<_> = rules.iter().filter(says_much).collect();
        let is_of_names = shown.is_empty() && rules.iter().any(|rule| rule.kind == Kind::Name);
        let (mut subjects, mut parts) = (Vec::new(), Vec::new());
        for rule in if shown.is_empty() { rules.iter().collect() } else { shown } {
            if !subjects.contains(&subject(rule)) && !is_of_names {
                subjects.push(subject(rule));
            }
            if !parts.contains(&part(rule)) {
                parts.push(part(rule));
            }
        }
        let subjects = if is_of_names { "–".to_owned() } else { subjects.join(", ") };
        text += &format!("| {subjects} | {} | {reason} |\n", parts.join(", "));
    }
    text
}

/// Returns the guide with the right table, or `None` if the guide lacks the marks for it.
#[must_use]
pub fn with_differences(guide: &str) -> Option<String> {
    let (before, rest) = guide.split_once(START)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{START}{}{END}{after}", differences()))
}
