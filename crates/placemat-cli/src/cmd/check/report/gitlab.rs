//! `--format gitlab`: a report of GitLab's Code Quality, one array of JSON, written as findings come.

use super::finding::Finding;
use super::rules::{Level, rule};
use super::subject::Subject;
use crate::json::push_string;
use crate::shown::push_number;

/// The text before the findings. Each finding begins with a comma, which the outlet removes from the first.
pub(super) const HEAD: &str = "[\n";
pub(super) const FOOT: &str = "\n]\n";

/// A finding.
pub(super) fn violation(to: &mut String, subject: &Subject, finding: &Finding<'_>, message: &str) {
    let Finding { kind, at, fingerprint, .. } = *finding;
    let severity = rule(kind).map_or("major", |(_, rule)| match rule.level {
        Level::Error if rule.security_severity().is_some() => "critical",
        Level::Error => "major",
        Level::Warning => "minor",
    });
    to.push_str(",\n{\"description\":");
    push_string(to, message);
    to.push_str(",\"check_name\":\"");
    to.push_str(kind);
    to.push_str("\",\"fingerprint\":\"");
    fingerprint.push(to);
    to.push_str("\",\"severity\":\"");
    to.push_str(severity);
    to.push_str("\",\"location\":{\"path\":");
    push_string(to, subject.plain.as_deref().unwrap_or("<stdin>"));
    to.push_str(",\"lines\":{\"begin\":");
    push_number(to, at.line);
    to.push_str("}}}");
}
