//! `--format sarif`: the Static Analysis Results Interchange Format, version 2.1.0 (OASIS), one run. It is written as findings
//! come, so that memory stays constant; what went wrong stands at its end.

use super::{Finding, Summary};
use crate::cmd::check::outlet::{Message, Total};
use crate::diagnose::push_number;
use crate::input;
use crate::json::{self, push_string};
use core::fmt::Write as _;
use std::ffi::OsStr;
use std::path::Path;
use std::sync::OnceLock;

/// A kind of finding.
#[derive(Debug)]
struct Rule {
    id: &'static str,
    level: &'static str,
    about: &'static str,
}

const fn error(id: &'static str, about: &'static str) -> Rule {
    Rule { id, level: "error", about }
}

const fn warning(id: &'static str, about: &'static str) -> Rule {
    Rule { id, level: "warning", about }
}

/// All kinds that there are.
const RULES: &[Rule] = &[
    error("unexpected-continuation", "A continuation byte stands where a sequence should start"),
    error("lead-f5-f7", "A lead byte is too large for any code point"),
    error("lead-5-byte", "A lead byte announces five bytes, as in UTF-8 of old"),
    error("lead-6-byte", "A lead byte announces six bytes, as in UTF-8 of old"),
    error("never-byte", "A byte never occurs in the encoding"),
    error("truncated", "A sequence is broken off by something else"),
    error("overlong-2", "Two bytes stand where one would do"),
    error("overlong-3", "Three bytes stand where fewer would do"),
    error("overlong-4", "Four bytes stand where fewer would do"),
    error("overlong-5", "Five bytes stand where fewer would do"),
    error("overlong-6", "Six bytes stand where fewer would do"),
    error("overlong-7", "Seven bytes stand where fewer would do"),
    error("overlong-13", "Thirteen bytes stand where fewer would do"),
    error("surrogate", "A surrogate stands where only characters may stand"),
    error("too-large", "A value is above the last code point"),
    error("four-byte-lead", "A sequence of four bytes stands where the encoding has pairs of surrogates"),
    error("nul-byte", "A zero byte stands where the encoding has c0 80"),
    error("unpaired-surrogate", "Half of a pair of surrogates stands alone"),
    error("surrogate-pair", "A pair of surrogates stands where the encoding has one sequence"),
    error("unpaired-lead", "No trail surrogate follows a lead surrogate"),
    error("unpaired-trail", "No lead surrogate precedes a trail surrogate"),
    error("undefined", "The encoding assigns nothing to these bytes"),
    error("eight-bit-byte", "A byte above 7f stands in an encoding of seven bits"),
    error("illegal-direct", "A byte stands for itself that must not"),
    error("bad-shift", "Nothing of base64 follows a shift into it"),
    error("partial-unit", "Base64 ends within a code unit"),
    error("nonzero-padding", "Base64 ends with bits that are not zero"),
    error("unterminated", "Base64 is not ended"),
    error("bad-base64", "A byte within base64 does not belong to it"),
    error("encoded-ascii", "Base64 stands for what must stand for itself"),
    error("null-shift", "Nothing stands between two runs of base64"),
    error("reserved-byte", "A byte is kept for the future"),
    error("reserved-offset", "A window offset is kept for the future"),
    error("bad-trail", "A byte ends a sequence that cannot"),
    error("out-of-range", "A difference leads out of the code points"),
    error("unknown-escape", "The encoding does not know an escape sequence"),
    error("incomplete", "The text ends within a sequence"),
    warning("noncharacter", "A code point is kept for use within programs"),
    warning("control", "A control is no part of plain text"),
    error("bidi-control", "A control changes the order in which text is shown (CVE-2021-42574)"),
    error("bidi-unterminated", "A bidi control is open where the line ends (CVE-2021-42574)"),
    warning("private-use", "A code point means only what some have agreed on"),
    warning("not-nfc", "Text is not in normalization form C"),
    warning("crlf", "Lines end in CR LF"),
    warning("mixed-eol", "Lines end in different ways"),
    warning("bom-forbidden", "A signature stands where there shall be none"),
    error(
        "other-encoding",
        "The text is in UTF-16 or UTF-32, and not in the encoding that it is checked for",
    ),
    warning("bom-missing", "There is no signature where one is asked for"),
];

/// Where a rule stands among them.
fn rule(id: &str) -> Option<(usize, &'static Rule)> {
    RULES.iter().enumerate().find(|(_, rule)| rule.id == id)
}

/// Up to the findings.
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
            let Rule { id, level, about } = rule;
            _ = write!(to, "{{\"id\":\"{id}\",\"shortDescription\":{{\"text\":");
            push_string(&mut to, &format!("{about}."));
            _ = write!(to, "}},\"defaultConfiguration\":{{\"level\":\"{level}\"}}}}");
        }
        to.push_str("]}},\"columnKind\":\"unicodeCodePoints\",\"results\":[\n");
        to
    })
}

/// A finding, after a comma, which the first one is to lose.
pub(super) fn result(to: &mut String, uri: &str, finding: &Finding<'_>, message: &str) {
    let Finding { kind, offset, at, end, diagnosis, .. } = *finding;
    to.push_str(",\n{\"ruleId\":\"");
    to.push_str(kind);
    to.push('"');
    if let Some((index, rule)) = rule(kind) {
        to.push_str(",\"ruleIndex\":");
        push_number(to, index as u64);
        to.push_str(",\"level\":\"");
        to.push_str(rule.level);
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
    to.push_str("}}}]");
    if !diagnosis.suggestion.is_empty() {
        to.push_str(",\"properties\":{\"suggestion\":");
        push_string(to, &diagnosis.suggestion);
        to.push('}');
    }
    to.push('}');
}

/// After the findings: how it ended, and what could not be read.
pub(super) fn foot(to: &mut String, summary: Option<&Summary>, total: &Total) {
    let Total { outcome, messages, left_out, .. } = total;
    let status = outcome.code();
    // It was successful if all was looked at, whatever was found.
    let successful = status < 2;
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
    if let Some(summary) = summary {
        to.push_str(",\"properties\":{\"summary\":");
        to.push_str(json::line(summary).trim_end());
        to.push('}');
    }
    to.push_str("}]}\n");
}

/// A path as a URI reference (RFC 3986): relative where the path is, every byte but the unreserved ones and the slash
/// percent-encoded.
pub(super) fn uri(path: &OsStr) -> String {
    let mut to = String::new();
    let bytes = if input::is_stdin(Path::new(path)) { b"<stdin>" } else { path.as_encoded_bytes() };
    let bytes = bytes.strip_prefix(b"./").unwrap_or(bytes);
    // What begins with two slashes would name a host.
    if Path::new(path).is_absolute() {
        to.push_str(if bytes.starts_with(b"/") { "file://" } else { "file:///" });
    }
    for &byte in bytes {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                to.push(char::from(byte));
            }
            b'\\' if cfg!(windows) => to.push('/'),
            _ => _ = write!(to, "%{byte:02X}"),
        }
    }
    to
}

#[cfg(test)]
mod tests {
    use super::*;
    use placemat::IllFormedKind as Kind;

    #[test]
    fn kinds_of_the_library_are_rules() {
        let kinds = [
            Kind::UnexpectedContinuation,
            Kind::MissingContinuation,
            Kind::Surrogate,
            Kind::OutOfRange,
            Kind::NeverByte,
            Kind::FourByteLead,
            Kind::NulByte,
            Kind::UnpairedSurrogate,
            Kind::SurrogatePair,
            Kind::UnpairedLead,
            Kind::UnpairedTrail,
            Kind::Undefined,
            Kind::EightBitByte,
            Kind::IllegalDirect,
            Kind::BadShift,
            Kind::PartialUnit,
            Kind::NonzeroPadding,
            Kind::Unterminated,
            Kind::BadBase64,
            Kind::EncodedAscii,
            Kind::NullShift,
            Kind::ReservedByte,
            Kind::ReservedOffset,
            Kind::BadTrail,
            Kind::BadDifference,
            Kind::UnknownEscape,
            Kind::Incomplete,
        ];
        let overlong = (2..=13).map(Kind::Overlong);
        for kind in kinds.into_iter().chain(overlong) {
            assert!(rule(kind.code()).is_some(), "{kind:?}");
        }
        for (i, one) in RULES.iter().enumerate() {
            assert_eq!(rule(one.id).map(|(index, _)| index), Some(i), "{} is there once", one.id);
        }
    }

    #[test]
    fn paths_become_uris() {
        for (path, want) in [
            ("a/b.txt", "a/b.txt"),
            ("./a b", "a%20b"),
            ("../x", "../x"),
            ("a:b?c#d%e", "a%3Ab%3Fc%23d%25e"),
            ("é\n", "%C3%A9%0A"),
            ("-", "%3Cstdin%3E"),
        ] {
            assert_eq!(uri(OsStr::new(path)), want);
        }
        #[cfg(unix)]
        assert_eq!(uri(OsStr::new("/tmp/x y")), "file:///tmp/x%20y");
    }
}
