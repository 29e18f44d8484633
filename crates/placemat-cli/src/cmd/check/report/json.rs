//! `--format jsonl`, written by hand: findings come by the million in some files, and this is what takes the time then.

use super::{Finding, Summary, push_joined_hex};
use crate::json::push_string;
use crate::shown::Name;
use crate::shown::push_number;
use std::ffi::OsStr;

/// `"path":"…"`, and the bytes of a path that is not UTF-8.
pub(super) fn path(path: &OsStr, name: &Name) -> String {
    let bytes = path.as_encoded_bytes();
    let mut to = String::from("\"path\":");
    if bytes == b"-" {
        push_string(&mut to, &name.to_string());
    } else {
        push_string(&mut to, &path.to_string_lossy());
    }
    if path.to_str().is_none() {
        to.push_str(",\"path_bytes\":\"");
        push_joined_hex(&mut to, bytes);
        to.push('"');
    }
    to
}

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
    to.push_str("}\n");
}

/// The last line.
pub(super) fn summary(to: &mut String, summary: &Summary) {
    to.push_str("{\"summary\":");
    to.push_str(crate::json::line(summary).trim_end());
    to.push_str("}\n");
}
