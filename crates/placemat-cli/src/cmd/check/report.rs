//! The formats of reports: text, JSON Lines, SARIF, and the formats of GitHub and GitLab.

mod baseline;
mod finding;
mod fingerprint;
mod github;
mod gitlab;
mod json;
mod rules;
mod sarif;
mod subject;

pub(super) use finding::{Finding, Several};
pub(super) use fingerprint::{Fingerprint, Fingerprints};
pub(super) use subject::Subject;

use super::args::CheckFormat;
use super::picture::{Glyph, Line, Picture, columns_beside};
use super::total::{Summary, Total};
use crate::palette::Palette;
use crate::shown::{counted, push_number, wrap};
use core::fmt::Write as _;
use placemat::Encoding;
use placemat_diagnose::Sense;

/// Writes reports into `out`; the caller takes them from there.
#[derive(Debug)]
pub(super) struct Report {
    format: CheckFormat,
    styles: Palette,
    /// The report text that the caller has not taken yet.
    pub(super) out: String,
    message: String,
    /// The suggestions already printed for the file.
    said: Vec<String>,
}

/// The number of suggestions that are remembered. Suggestions that name bytes can differ for each finding.
const SAID: usize = 64;

impl Report {
    pub(super) fn new(format: CheckFormat, styles: Palette) -> Self {
        Self { format, styles, out: String::new(), message: String::new(), said: Vec::new() }
    }

    /// Begins another file: forgets the suggestions printed for the last one.
    pub(super) fn begin_file(&mut self) {
        self.said.clear();
    }

    /// Help for a whole file.
    pub(super) fn help(&mut self, subject: &Subject, words: &str) {
        let Palette { place, name, .. } = self.styles;
        _ = writeln!(self.out, "{place}{}:{place:#} {name}help:{name:#} {words}", subject.shown);
    }

    /// Returns the text before the findings.
    pub(super) fn head(format: CheckFormat) -> &'static str {
        match format {
            CheckFormat::Sarif => sarif::head(),
            CheckFormat::Gitlab => gitlab::HEAD,
            CheckFormat::Baseline => crate::cmd::check::baseline::HEAD,
            CheckFormat::Text | CheckFormat::Jsonl | CheckFormat::Github => "",
        }
    }

    /// Returns the text after the findings.
    pub(super) fn foot(mut self, summary: bool, total: &Total) -> String {
        let summary = summary.then_some(&total.summary);
        match (self.format, summary) {
            (CheckFormat::Sarif, _) => sarif::foot(&mut self.out, summary, total),
            (CheckFormat::Gitlab, _) => self.out.push_str(gitlab::FOOT),
            (CheckFormat::Github, Some(summary)) => {
                let text = Self::summary(summary);
                github::notice(&mut self.out, &text);
            }
            (CheckFormat::Baseline, _) => {}
            (CheckFormat::Text, Some(summary)) => self.out = Self::summary(summary) + "\n",
            (CheckFormat::Jsonl, Some(summary)) => json::summary(&mut self.out, summary),
            (_, None) => {}
        }
        self.out
    }

    /// Writes a finding, with its picture if there is a line to draw.
    pub(super) fn finding(&mut self, subject: &Subject, finding: &Finding<'_>) {
        if let (CheckFormat::Text, Some(several)) = (self.format, finding.several) {
            let Palette { place, error, .. } = self.styles;
            let suggestion = &finding.diagnosis.suggestion;
            let shown = &subject.shown;
            _ = writeln!(
                self.out,
                "{place}{shown}:{place:#} {error}{}{error:#}; {suggestion}",
                several.message
            );
            return;
        }
        if self.format == CheckFormat::Text {
            self.text_finding(subject, finding);
            if let Some((line, marked)) = finding.line {
                self.picture(finding, line, marked);
            }
            return;
        }
        self.message.clear();
        match finding.several {
            Some(several) => self.message.push_str(several.message),
            None => finding.diagnosis.write_message(finding.offset, &mut self.message),
        }
        match self.format {
            CheckFormat::Baseline => baseline::line(&mut self.out, subject, finding),
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

    /// Writes the line of the text, carets under the finding, and the suggestion.
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
        // If something is missing, the caret stands at its place.
        let (carets, tildes) = ("^".repeat(picture.error.max(1)), "~".repeat(picture.rest));
        let indent = " ".repeat(picture.indent);
        _ = writeln!(to, " {blank} {dim}|{dim:#} {indent}{error}{carets}{tildes}{error:#}");
        // Each suggestion is printed once. The one about windows-1252 is printed for the whole file, at its end.
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

    /// Writes the name of a file with findings, for `-l`. Formats that hold only findings get the first one.
    pub(super) fn name(&mut self, subject: &Subject) {
        match self.format {
            CheckFormat::Text => {
                self.out.push_str(&subject.shown);
                self.out.push('\n');
            }
            CheckFormat::Jsonl => {
                _ = writeln!(self.out, "{{{}}}", subject.json);
            }
            CheckFormat::Sarif | CheckFormat::Github | CheckFormat::Gitlab | CheckFormat::Baseline => {}
        }
    }

    /// Writes a line for a file without findings, for `-v`; only in the text format.
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

    /// Returns the counts, in words.
    pub(super) fn summary(summary: &Summary) -> String {
        let Summary { findings, files_with_findings, unreadable, suppressed, ref skipped, .. } = *summary;
        let mut line = format!("{} checked", counted(summary.files, "file"));
        _ = match findings {
            0 => write!(line, ", no findings"),
            _ => write!(line, ", {} in {files_with_findings} of them", counted(findings, "finding")),
        };
        for (count, what) in [(suppressed, "suppressed"), (unreadable, "unreadable")] {
            if count > 0 {
                _ = write!(line, ", {count} {what}");
            }
        }
        if !skipped.is_empty() {
            _ = write!(line, "; skipped {}", skipped.words());
        }
        line
    }
}
