//! `--format github`: workflow commands of GitHub Actions, which show findings beside the lines of a change. GitHub shows at most ten
//! of each level a step, and fifty a job; the log has all of them.

use super::finding::Finding;
use super::rules::{Level, rule};
use super::subject::Subject;
use crate::shown::is_plain;
use crate::shown::push_number;
use core::fmt::Write as _;

/// A finding.
pub(super) fn command(to: &mut String, subject: &Subject, finding: &Finding<'_>, message: &str) {
    let Finding { kind, at, end, .. } = *finding;
    let level = rule(kind).map_or(Level::Error, |(_, rule)| rule.level);
    to.push_str("::");
    to.push_str(level.name());
    to.push(' ');
    if let Some(path) = &subject.plain {
        to.push_str("file=");
        push(to, path, true);
        to.push(',');
    }
    // GitHub shows columns only if the finding is on one line.
    let end_column = if end.line == at.line { Some(end.column.max(at.column + 1)) } else { None };
    for (key, number) in [
        ("line=", Some(at.line)),
        (",endLine=", Some(end.line)),
        (",col=", Some(at.column)),
        (",endColumn=", end_column.map(|column| column - 1)),
    ] {
        if let Some(number) = number {
            to.push_str(key);
            push_number(to, number);
        }
    }
    to.push_str(",title=placemat%3A ");
    push(to, kind, true);
    to.push_str("::");
    push(to, message, false);
    if !finding.diagnosis.suggestion.is_empty() {
        to.push_str("%0A");
        push(to, &finding.diagnosis.suggestion, false);
    }
    to.push('\n');
}

/// Writes a notice at the end.
pub(super) fn notice(to: &mut String, text: &str) {
    to.push_str("::notice title=placemat::");
    push(to, text, false);
    to.push('\n');
}

/// Appends text with the escapes of a command. In a property, separators are escaped too; control characters are shown
/// escaped.
fn push(to: &mut String, text: &str, property: bool) {
    for c in text.chars() {
        match c {
            '%' => to.push_str("%25"),
            '\r' => to.push_str("%0D"),
            '\n' => to.push_str("%0A"),
            ':' if property => to.push_str("%3A"),
            ',' if property => to.push_str("%2C"),
            _ if is_plain(c) => to.push(c),
            _ => _ = write!(to, "\\u{{{:04x}}}", u32::from(c)),
        }
    }
}
