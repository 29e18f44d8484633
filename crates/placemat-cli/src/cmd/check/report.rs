//! How findings are written: text for people, JSON lines for programs.

use super::picture::{Line, Picture, columns_beside, wrap};
use crate::args::Format;
use crate::diagnose::{Diagnosis, push_hex, push_number};
use crate::lines::Place;
use crate::output::{Data, Name, Palette};
use crate::scan::Around;
use core::fmt::Write as _;
use placemat::{Encoding, IllFormed};
use serde::Serialize;
use std::ffi::OsStr;
use std::io::{self, Write as _};

/// A finding, with all that a report may say of it.
#[derive(Debug)]
pub(super) struct Finding<'a> {
    pub(super) error: &'a IllFormed,
    pub(super) at: Place,
    pub(super) diagnosis: &'a Diagnosis,
    pub(super) around: &'a Around<'a>,
    /// The line up to the error, where pictures are drawn.
    pub(super) line: Option<&'a Line>,
}

/// A file as reports name it.
#[derive(Debug)]
pub(super) struct Subject {
    /// For people, escaped.
    shown: String,
    /// For programs: with U+FFFD where the name is not UTF-8, and then its bytes too.
    path: String,
    path_bytes: Option<String>,
}

impl Subject {
    pub(super) fn new(path: &OsStr, name: &Name) -> Self {
        let bytes = path.as_encoded_bytes();
        let path_bytes = path.to_str().is_none().then(|| hex(bytes));
        let path = if bytes == b"-" { name.to_string() } else { path.to_string_lossy().into_owned() };
        Self { shown: name.to_string(), path, path_bytes }
    }
}

fn hex(bytes: &[u8]) -> String {
    let mut hex = String::new();
    push_hex(&mut hex, bytes);
    hex.retain(|c| c != ' ');
    hex
}

/// A line of `--format jsonl`.
#[derive(Debug, Serialize)]
struct JsonFinding<'a> {
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    path_bytes: Option<&'a str>,
    byte_offset: u64,
    length: usize,
    bytes: &'a str,
    kind: &'a str,
    line: u64,
    column: u64,
    utf16_column: u64,
    message: &'a str,
    suggestion: Option<&'a str>,
}

/// A line of `--format jsonl -l`.
#[derive(Debug, Serialize)]
struct JsonName<'a> {
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    path_bytes: Option<&'a str>,
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

/// The last line of `--format jsonl --summary`.
#[derive(Debug, Serialize)]
struct JsonSummary {
    summary: Summary,
}

/// Writes reports to standard output.
#[derive(Debug)]
pub(super) struct Report {
    data: Data,
    format: Format,
    styles: Palette,
    /// What is written next; kept to be used again.
    buffer: String,
    message: String,
    hex: String,
}

impl Report {
    pub(super) fn new(data: Data, format: Format, styles: Palette) -> Self {
        let empty = String::new;
        Self { data, format, styles, buffer: empty(), message: empty(), hex: empty() }
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.data.flush()
    }

    /// A finding, with its picture if there is a line to draw.
    pub(super) fn finding(&mut self, subject: &Subject, finding: &Finding<'_>) -> io::Result<()> {
        self.buffer.clear();
        match self.format {
            Format::Text => {
                self.text_finding(subject, finding);
                if let Some(line) = finding.line {
                    self.picture(finding, line);
                }
                self.data.write_all(self.buffer.as_bytes())
            }
            Format::Jsonl => self.json_finding(subject, finding),
        }
    }

    fn text_finding(&mut self, subject: &Subject, finding: &Finding<'_>) {
        let Palette { place, error, .. } = self.styles;
        let Finding { at, diagnosis, .. } = finding;
        let to = &mut self.buffer;
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
            diagnosis.write_message(finding.error.offset(), to);
        } else {
            self.message.clear();
            diagnosis.write_message(finding.error.offset(), &mut self.message);
            let rest = self.message.strip_prefix(&diagnosis.subject).unwrap_or_default();
            _ = write!(to, "{error}{}{error:#}{rest}", diagnosis.subject);
        }
        to.push('\n');
    }

    /// The line of the text, carets under what is ill-formed, the reason, and what to do.
    fn picture(&mut self, finding: &Finding<'_>, line: &Line) {
        let Palette { error, dim, name, .. } = self.styles;
        let Finding { error: e, diagnosis, around, at, .. } = finding;
        let number = at.line.to_string();
        let margin = number.len() + 4;
        let blank = " ".repeat(number.len());
        let columns = columns_beside(margin);
        let picture = Picture::draw(line, e.bytes(), diagnosis.extent, around, columns);

        let to = &mut self.buffer;
        _ = writeln!(to, " {blank} {dim}|{dim:#}");
        _ = writeln!(to, " {dim}{number} |{dim:#} {}", picture.excerpt);
        let (carets, tildes) = ("^".repeat(picture.error), "~".repeat(picture.rest));
        let indent = " ".repeat(picture.indent);
        _ = write!(to, " {blank} {dim}|{dim:#} {indent}{error}{carets}{tildes}");
        // The reason beside the carets if it fits there, else under them from the margin on.
        let used = picture.indent + picture.error + picture.rest + 1;
        if used + diagnosis.reason.chars().count() <= columns {
            _ = writeln!(to, " {}{error:#}", diagnosis.reason);
        } else {
            _ = writeln!(to, "{error:#}");
            for part in wrap(&diagnosis.reason, 0, columns) {
                _ = writeln!(to, " {blank} {dim}|{dim:#} {error}{part}{error:#}");
            }
        }
        if !diagnosis.suggestion.is_empty() {
            let label = "help: ";
            for (i, part) in wrap(&diagnosis.suggestion, 0, columns - label.len()).iter().enumerate() {
                if i == 0 {
                    _ = writeln!(to, " {blank} {dim}={dim:#} {name}{label}{name:#}{part}");
                } else {
                    _ = writeln!(to, " {blank}         {part}");
                }
            }
        }
        to.push('\n');
    }

    fn json_finding(&mut self, subject: &Subject, finding: &Finding<'_>) -> io::Result<()> {
        let Finding { error, at, diagnosis, .. } = finding;
        self.message.clear();
        diagnosis.write_message(error.offset(), &mut self.message);
        self.hex.clear();
        push_hex(&mut self.hex, error.bytes());
        self.hex.retain(|c| c != ' ');
        self.json(&JsonFinding {
            path: &subject.path,
            path_bytes: subject.path_bytes.as_deref(),
            byte_offset: error.offset(),
            length: error.len(),
            bytes: &self.hex,
            kind: error.code(),
            line: at.line,
            column: at.column,
            utf16_column: at.utf16_column,
            message: &self.message,
            suggestion: Some(diagnosis.suggestion.as_str()).filter(|text| !text.is_empty()),
        })
        .map(|json| self.data.write_all(&json))?
    }

    fn json(&self, value: &impl Serialize) -> io::Result<Vec<u8>> {
        let mut line = serde_json::to_vec(value)?;
        line.push(b'\n');
        Ok(line)
    }

    /// The name of a file with findings, for `-l`.
    pub(super) fn name(&mut self, subject: &Subject) -> io::Result<()> {
        let line = match self.format {
            Format::Text => format!("{}\n", subject.shown).into_bytes(),
            Format::Jsonl => {
                self.json(&JsonName { path: &subject.path, path_bytes: subject.path_bytes.as_deref() })?
            }
        };
        self.data.write_all(&line)
    }

    /// A file without findings, for `-v`. Nothing in JSON lines, which are findings.
    pub(super) fn clean(
        &mut self,
        subject: &Subject,
        encoding: Encoding,
        bytes: u64,
        code_points: u64,
    ) -> io::Result<()> {
        match self.format {
            Format::Text => {
                let Palette { place, .. } = self.styles;
                let (bytes, code_points) = (counted(bytes, "byte"), counted(code_points, "code point"));
                let shown = &subject.shown;
                writeln!(
                    self.data,
                    "{place}{shown}:{place:#} well-formed {encoding} ({bytes}, {code_points})"
                )
            }
            Format::Jsonl => Ok(()),
        }
    }

    pub(super) fn summary(&mut self, summary: &Summary) -> io::Result<()> {
        match self.format {
            Format::Jsonl => {
                let line = self.json(&JsonSummary { summary: *summary })?;
                self.data.write_all(&line)
            }
            Format::Text => {
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
                writeln!(self.data, "{line}")
            }
        }
    }
}

/// `1 byte`, `2 bytes`.
fn counted(count: u64, what: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {what}{s}")
}
