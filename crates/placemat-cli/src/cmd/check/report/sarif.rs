//! `--format sarif`: the Static Analysis Results Interchange Format, version 2.1.0 (OASIS), one run. It is written as findings
//! come, so that memory stays constant; errors stand at its end.

use super::finding::Finding;
use super::rules::{RULES, Rule, rule};
use crate::cmd::check::total::{Message, Summary, Total};
use crate::json::{self, push_string};
use crate::shown::push_number;
use core::fmt::Write as _;
use std::sync::OnceLock;

/// Returns the text up to the findings.
pub(super) fn head() -> &'static str {
    static HEAD: OnceLock<String> = OnceLock::new();
    HEAD.get_or_init(|| {
        let mut to = String::from(
            "{\"$schema\":\"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json\",\n\
             \"version\":\"2.1.0\",\"runs\":[{\"tool\":{\"driver\":{\"name\":\"placemat\",",
        );
        let version = env!("CARGO_PKG_VERSION");
        _ = write!(to, "\"version\":\"{version}\",\"semanticVersion\":\"{version}\",\"rules\":[");
        for (i, rule) in RULES.iter().enumerate() {
            to.push_str(if i > 0 { ",\n" } else { "\n" });
            let Rule { id, level, about, .. } = rule;
            _ = write!(to, "{{\"id\":\"{id}\",\"shortDescription\":{{\"text\":");
            push_string(&mut to, &format!("{about}."));
            to.push_str("},\"fullDescription\":{\"text\":");
            push_string(&mut to, &rule.full());
            to.push_str("},\"help\":{\"text\":");
            push_string(&mut to, &rule.help());
            to.push_str(",\"markdown\":");
            push_string(&mut to, &rule.markdown());
            let (level, tags) = (level.name(), rule.tags());
            _ = write!(to, "}},\"defaultConfiguration\":{{\"level\":\"{level}\"}},\"properties\":{{\"tags\":{tags}");
            // Services sort findings by their severity.
            if let Some(severity) = rule.security_severity() {
                _ = write!(to, ",\"security-severity\":\"{severity}\"");
            }
            to.push_str("}}");
        }
        to.push_str("]}},\"columnKind\":\"unicodeCodePoints\",\"results\":[\n");
        to
    })
}

/// Writes a finding after a comma, which the outlet removes from the first.
pub(super) fn result(to: &mut String, uri: &str, finding: &Finding<'_>, message: &str) {
    let Finding { kind, offset, at, end, diagnosis, .. } = *finding;
    to.push_str(",\n{\"ruleId\":\"");
    to.push_str(kind);
    to.push('"');
    if let Some((index, rule)) = rule(kind) {
        to.push_str(",\"ruleIndex\":");
        push_number(to, index as u64);
        to.push_str(",\"level\":\"");
        to.push_str(rule.level.name());
        to.push('"');
    }
    to.push_str(",\"message\":{\"text\":");
    push_string(to, message);
    to.push_str("},\"locations\":[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":\"");
    to.push_str(uri);
    to.push_str("\"},\"region\":{");
    for (key, number) in [
        ("\"startLine\":", at.line),
        (",\"startColumn\":", at.column),
        (",\"endLine\":", end.line),
        (",\"endColumn\":", end.column),
        (",\"byteOffset\":", offset),
        (",\"byteLength\":", finding.bytes.len() as u64),
    ] {
        to.push_str(key);
        push_number(to, number);
    }
    to.push_str("}}}],\"partialFingerprints\":{\"placemat/v1\":\"");
    finding.fingerprint.push(to);
    to.push_str("\"}");
    if let Some(several) = finding.several {
        to.push_str(",\"occurrenceCount\":");
        push_number(to, several.count);
    }
    if !diagnosis.suggestion.is_empty() {
        to.push_str(",\"properties\":{\"suggestion\":");
        push_string(to, &diagnosis.suggestion);
        to.push('}');
    }
    to.push('}');
}

/// Writes the end: the outcome, and the files that could not be read.
pub(super) fn foot(to: &mut String, summary: Option<&Summary>, total: &Total) {
    let Total { outcome, messages, left_out, summary: counts } = total;
    let status = outcome.code();
    // The run was successful if everything was read, with or without findings.
    let successful = status < 2 && counts.unreadable == 0;
    _ = write!(to, "\n],\"invocations\":[{{\"executionSuccessful\":{successful},\"exitCode\":{status}");
    let rest = (*left_out > 0).then(|| Message { level: "note", text: format!("and {left_out} more") });
    let mut separator = ",\"toolExecutionNotifications\":[\n";
    for Message { level, text } in messages.iter().chain(&rest) {
        _ = write!(to, "{separator}{{\"level\":\"{level}\",\"message\":{{\"text\":");
        push_string(to, text);
        to.push_str("}}");
        separator = ",\n";
    }
    if !messages.is_empty() {
        to.push(']');
    }
    to.push_str("}]");
    to.push_str(",\"properties\":{");
    match summary {
        Some(summary) => _ = write!(to, "\"summary\":{}", json::line(summary).trim_end()),
        None => _ = write!(to, "\"skipped\":{}", json::line(&counts.skipped).trim_end()),
    }
    to.push('}');
    to.push_str("}]}\n");
}
