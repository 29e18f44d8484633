//! How findings are written: text for people, JSON lines, SARIF and the forms of GitHub and GitLab for programs.

mod fingerprint;
mod github;
mod gitlab;
mod json;
mod rules;
mod sarif;

pub(super) use fingerprint::{Fingerprint, Fingerprints};

use super::CheckFormat;
use super::outlet::Total;
use super::picture::{Glyph, Line, Picture, columns_beside};
use crate::diagnose::{Diagnosis, Sense};
use crate::lines::Place;
use crate::palette::Palette;
use crate::scan::Around;
use crate::shown::Name;
use crate::shown::wrap;
use crate::shown::{push_hex, push_number};
use crate::streams;
use core::fmt::Write as _;
use placemat::Encoding;
use serde::Serialize;
use std::ffi::OsStr;
use std::path::Path;

/// A finding, with all that a report may say of it.
#[derive(Debug)]
pub(super) struct Finding<'a> {
    pub(super) kind: &'static str,
    pub(super) offset: u64,
    pub(super) bytes: &'a [u8],
    pub(super) at: Place,
    /// Where it ends.
    pub(super) end: Place,
    pub(super) diagnosis: &'a Diagnosis,
    pub(super) around: &'a Around<'a>,
    /// Where the form of the report has them.
    pub(super) fingerprint: Fingerprint,
    /// The line up to the finding, and what is marked in it, where pictures are drawn.
    pub(super) line: Option<(&'a Line, &'a [Glyph])>,
}

/// A file as reports name it.
#[derive(Debug)]
pub(super) struct Subject {
    /// For people, escaped.
    shown: String,
    /// For programs, ready to stand in a line of JSON: the name with U+FFFD where it is not UTF-8, and then its bytes too.
    json: String,
    /// As SARIF wants it.
    uri: String,
    /// As GitHub and GitLab want it: `None` for standard input.
    plain: Option<String>,
}

impl Subject {
    pub(super) fn new(path: &OsStr, name: &Name) -> Self {
        let plain = (!streams::is_stdin(Path::new(path))).then(|| {
            let path = path.to_string_lossy();
            path.strip_prefix("./").unwrap_or(&path).to_owned()
        });
        Self { shown: name.to_string(), json: json::path(path, name), uri: sarif::uri(path), plain }
    }
}

/// What `--summary` counts.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(super) struct Summary {
    /// Files that were read to the end, or until there were enough findings.
    pub(super) files: u64,
    pub(super) files_with_findings: u64,
    pub(super) findings: u64,
    /// Files that were not looked at, as they are binary.
    pub(super) skipped_binary: u64,
    /// Files and directories that could not be read.
    pub(super) unreadable: u64,
    /// Bytes of the files that were read to the end.
    pub(super) bytes: u64,
}

impl Summary {
    pub(super) fn add(&mut self, other: &Self) {
        self.files += other.files;
        self.files_with_findings += other.files_with_findings;
        self.findings += other.findings;
        self.skipped_binary += other.skipped_binary;
        self.unreadable += other.unreadable;
        self.bytes += other.bytes;
    }
}

/// Makes reports. What they become is up to who takes `out`.
#[derive(Debug)]
pub(super) struct Report {
    format: CheckFormat,
    styles: Palette,
    /// What was made and not taken yet.
    pub(super) out: String,
    message: String,
    /// What was said of the file in the way of help.
    said: Vec<String>,
}

/// So much help is remembered. What is said of certain bytes can differ for each finding.
const SAID: usize = 64;

impl Report {
    pub(super) fn new(format: CheckFormat, styles: Palette) -> Self {
        Self { format, styles, out: String::new(), message: String::new(), said: Vec::new() }
    }

    /// Another file: what was said of the last one is said again.
    pub(super) fn begin_file(&mut self) {
        self.said.clear();
    }

    /// Help for a whole file.
    pub(super) fn help(&mut self, subject: &Subject, words: &str) {
        let Palette { place, name, .. } = self.styles;
        _ = writeln!(self.out, "{place}{}:{place:#} {name}help:{name:#} {words}", subject.shown);
    }

    /// What stands before the findings.
    pub(super) fn head(format: CheckFormat) -> &'static str {
        match format {
            CheckFormat::Sarif => sarif::head(),
            CheckFormat::Gitlab => gitlab::HEAD,
            CheckFormat::Text | CheckFormat::Jsonl | CheckFormat::Github => "",
        }
    }

    /// What stands after them.
    pub(super) fn foot(mut self, summary: bool, total: &Total) -> String {
        let summary = summary.then_some(&total.summary);
        match (self.format, summary) {
            (CheckFormat::Sarif, _) => sarif::foot(&mut self.out, summary, total),
            (CheckFormat::Gitlab, _) => self.out.push_str(gitlab::FOOT),
            (CheckFormat::Github, Some(summary)) => {
                let text = Self::summary(summary);
                github::notice(&mut self.out, &text);
            }
            (CheckFormat::Text, Some(summary)) => self.out = Self::summary(summary) + "\n",
            (CheckFormat::Jsonl, Some(summary)) => json::summary(&mut self.out, summary),
            (_, None) => {}
        }
        self.out
    }

    /// A finding, with its picture if there is a line to draw.
    pub(super) fn finding(&mut self, subject: &Subject, finding: &Finding<'_>) {
        if self.format == CheckFormat::Text {
            self.text_finding(subject, finding);
            if let Some((line, marked)) = finding.line {
                self.picture(finding, line, marked);
            }
            return;
        }
        self.message.clear();
        finding.diagnosis.write_message(finding.offset, &mut self.message);
        match self.format {
            CheckFormat::Sarif => sarif::result(&mut self.out, &subject.uri, finding, &self.message),
            CheckFormat::Github => github::command(&mut self.out, subject, finding, &self.message),
            CheckFormat::Gitlab => gitlab::violation(&mut self.out, subject, finding, &self.message),
            CheckFormat::Text | CheckFormat::Jsonl => {
                json::finding(&mut self.out, &subject.json, finding, &self.message);
            }
        }
    }

    fn text_finding(&mut self, subject: &Subject, finding: &Finding<'_>) {
        let Palette { place, error, .. } = self.styles;
        let Finding { at, diagnosis, offset, .. } = *finding;
        let to = &mut self.out;
        let plain = place == anstyle::Style::new();
        if !plain {
            _ = write!(to, "{place}");
        }
        to.push_str(&subject.shown);
        to.push(':');
        push_number(to, at.line);
        to.push(':');
        push_number(to, at.column);
        to.push(':');
        if !plain {
            _ = write!(to, "{place:#}");
        }
        to.push(' ');
        if plain {
            diagnosis.write_message(offset, to);
        } else {
            self.message.clear();
            diagnosis.write_message(offset, &mut self.message);
            let rest = self.message.strip_prefix(&diagnosis.subject).unwrap_or_default();
            _ = write!(to, "{error}{}{error:#}{rest}", diagnosis.subject);
        }
        to.push('\n');
    }

    /// The line of the text, carets under what was found, and what to do.
    fn picture(&mut self, finding: &Finding<'_>, line: &Line, marked: &[Glyph]) {
        let Palette { error, dim, name, .. } = self.styles;
        let Finding { diagnosis, around, at, .. } = finding;
        let number = at.line.to_string();
        let margin = number.len() + 4;
        let blank = " ".repeat(number.len());
        let columns = columns_beside(margin);
        let picture = Picture::draw(line, marked, diagnosis.extent, around, columns);

        let to = &mut self.out;
        _ = writeln!(to, " {blank} {dim}|{dim:#}");
        _ = writeln!(to, " {dim}{number} |{dim:#} {}", picture.excerpt);
        // Where something is missing, the caret stands where it should be.
        let (carets, tildes) = ("^".repeat(picture.error.max(1)), "~".repeat(picture.rest));
        let indent = " ".repeat(picture.indent);
        _ = writeln!(to, " {blank} {dim}|{dim:#} {indent}{error}{carets}{tildes}{error:#}");
        // Help is said once. That bytes may be windows-1252 is said of the whole file, at its end.
        let suggestion = &diagnosis.suggestion;
        if !suggestion.is_empty() && diagnosis.windows_1252 == Sense::None && !self.said.contains(suggestion)
        {
            if self.said.len() < SAID {
                self.said.push(suggestion.clone());
            }
            let label = "help: ";
            for (i, part) in wrap(suggestion, 0, columns - label.len()).iter().enumerate() {
                if i == 0 {
                    _ = writeln!(to, " {blank} {dim}={dim:#} {name}{label}{name:#}{part}");
                } else {
                    _ = writeln!(to, " {blank}         {part}");
                }
            }
        }
        to.push('\n');
    }

    /// The name of a file with findings, for `-l`. Some forms have findings only: there it is the first one.
    pub(super) fn name(&mut self, subject: &Subject) {
        match self.format {
            CheckFormat::Text => {
                self.out.push_str(&subject.shown);
                self.out.push('\n');
            }
            CheckFormat::Jsonl => {
                _ = writeln!(self.out, "{{{}}}", subject.json);
            }
            CheckFormat::Sarif | CheckFormat::Github | CheckFormat::Gitlab => {}
        }
    }

    /// A file without findings, for `-v`. Nothing in the forms for programs, which have findings.
    pub(super) fn clean(&mut self, subject: &Subject, encoding: Encoding, bytes: u64, code_points: u64) {
        if self.format == CheckFormat::Text {
            let Palette { place, .. } = self.styles;
            let (bytes, code_points) = (counted(bytes, "byte"), counted(code_points, "code point"));
            let shown = &subject.shown;
            _ = writeln!(
                self.out,
                "{place}{shown}:{place:#} well-formed {encoding} ({bytes}, {code_points})"
            );
        }
    }

    /// The counts, in words.
    pub(super) fn summary(summary: &Summary) -> String {
        let Summary { findings, files_with_findings, skipped_binary, unreadable, .. } = *summary;
        let mut line = format!("{} checked", counted(summary.files, "file"));
        _ = match findings {
            0 => write!(line, ", no findings"),
            _ => write!(line, ", {} in {files_with_findings} of them", counted(findings, "finding")),
        };
        for (count, what) in [(skipped_binary, "skipped as binary"), (unreadable, "unreadable")] {
            if count > 0 {
                _ = write!(line, ", {count} {what}");
            }
        }
        line
    }
}

/// Bytes as `c0af`.
fn push_joined_hex(to: &mut String, bytes: &[u8]) {
    for byte in bytes.chunks(1) {
        push_hex(to, byte);
    }
}

/// `1 byte`, `2 bytes`.
fn counted(count: u64, what: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {what}{s}")
}
