//! `--format jsonl`, written without a serializer: some files have millions of findings, and writing them then takes
//! most of the time.

use super::finding::Finding;
use super::subject::push_joined_hex;
use crate::cmd::check::total::Summary;
use crate::json::push_string;
use crate::shown::push_number;

/// A line.
pub(super) fn finding(to: &mut String, path: &str, finding: &Finding<'_>, message: &str) {
    to.push('{');
    to.push_str(path);
    to.push_str(",\"byte_offset\":");
    push_number(to, finding.offset);
    to.push_str(",\"length\":");
    push_number(to, finding.bytes.len() as u64);
    to.push_str(",\"bytes\":\"");
    push_joined_hex(to, finding.bytes);
    to.push_str("\",\"kind\":\"");
    to.push_str(finding.kind);
    to.push_str("\",\"line\":");
    push_number(to, finding.at.line);
    to.push_str(",\"column\":");
    push_number(to, finding.at.column);
    to.push_str(",\"utf16_column\":");
    push_number(to, finding.at.utf16_column);
    to.push_str(",\"message\":");
    push_string(to, message);
    to.push_str(",\"suggestion\":");
    if finding.diagnosis.suggestion.is_empty() {
        to.push_str("null");
    } else {
        push_string(to, &finding.diagnosis.suggestion);
    }
    if let Some(several) = finding.several {
        to.push_str(",\"count\":");
        push_number(to, several.count);
    }
    to.push_str("}\n");
}

/// The last line.
pub(super) fn summary(to: &mut String, summary: &Summary) {
    to.push_str("{\"summary\":");
    to.push_str(crate::json::line(summary).trim_end());
    to.push_str("}\n");
}
