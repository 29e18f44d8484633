//! `placemat check`: every ill-formed sequence of files and directories, and why it is ill-formed.

mod picture;
mod report;

pub(crate) use picture::wrap;

use super::{Common, Outcome};
use crate::args::{EncodingParser, Format, FormatArg, SpanArg, Verbose, parse_number};
use crate::diagnose::{Case, Diagnosis, Part};
use crate::input;
use crate::lines::{Tracker, is_wide};
use crate::output::{Data, reason};
use crate::scan::{Around, Ended, Scanner, Sink};
use crate::walk::{Found, WalkArgs};
use core::ops::ControlFlow;
use placemat::{Encoding, IllFormed, utf8};
use report::{Finding, Report, Subject, Summary};
use std::fs::File;
use std::io;
use std::path::PathBuf;

/// Find every ill-formed sequence, and say why
///
/// Reads files, directories recursively, or standard input, and reports each ill-formed sequence with its place, its
/// bytes and the reason. Nothing is printed where all is well.
///
/// Lines end with U+000A; columns count code points from 1, an ill-formed sequence as one. With -v, each finding comes
/// with a picture and what to do about it; with -q, nothing is written and reading stops at the first finding of a file.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  placemat check notes.txt            is it well-formed UTF-8, and if not, why?
  placemat check -v notes.txt         with a picture of each finding
  placemat check -l src -g '*.c'      names of the C files under src that are not UTF-8
  placemat check -f utf-16 a.txt      any encoding can be checked

A line of --format jsonl has: path, byte_offset, length, bytes (hex), kind, line, column, utf16_column, \
message, suggestion (or null). Where the path is not UTF-8, path has U+FFFD for what is ill-formed \
in it, and path_bytes has all of it in hex. With --summary, the last line has the key summary only.

Exit status: 0 all well-formed; 1 something is not; 2 something could not be read, or usage.")]
pub(crate) struct Args {
    /// Files and directories; standard input if there are none, or for `-`
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The encoding to check for
    #[arg(short, long, value_name = "ENCODING", default_value = "utf-8", value_parser = EncodingParser, hide_possible_values = true)]
    from: Encoding,
    /// How many bytes are one error
    #[arg(long, value_name = "SPAN", value_enum, default_value_t)]
    span: SpanArg,
    #[command(flatten)]
    walk: WalkArgs,
    #[command(flatten)]
    format: FormatArg,
    /// Only the names of files with findings
    #[arg(short = 'l', long, help_heading = "Report")]
    files_with_findings: bool,
    /// Stop reading a file after N findings; 0 for all of them
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = |text: &str| parse_number("--max", text), help_heading = "Report")]
    max: u64,
    /// End with counts of files and findings
    #[arg(long, help_heading = "Report")]
    summary: bool,
    #[command(flatten)]
    verbose: Verbose,
}

pub(crate) fn run(args: &Args, common: &Common) -> Outcome {
    let report = Data::stdout().map(|data| Report::new(data, args.format.format, common.data_styles()));
    common.written(report.and_then(|report| {
        let mut check = Check {
            args,
            common,
            report,
            scanner: Scanner::new(),
            summary: Summary::default(),
            outcome: Outcome::Clean,
            diagnosis: Diagnosis::default(),
        };
        check.all()?;
        Ok(check.outcome)
    }))
}

/// A run of the command.
struct Check<'a> {
    args: &'a Args,
    common: &'a Common,
    report: Report,
    scanner: Scanner,
    summary: Summary,
    outcome: Outcome,
    diagnosis: Diagnosis,
}

impl Check<'_> {
    fn all(&mut self) -> io::Result<()> {
        let args = self.args;
        let mut written = Ok(());
        let walked = args.walk.visit(&args.paths, |found| {
            written = match found {
                Ok(found) => self.one(&found),
                Err(trouble) => {
                    self.trouble(trouble);
                    Ok(())
                }
            };
            if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        if let Err(trouble) = walked {
            self.trouble(trouble);
            return Ok(());
        }
        written?;
        if args.summary && !self.common.quiet {
            self.report.summary(&self.summary)?;
        }
        self.report.flush()
    }

    fn trouble(&mut self, message: impl core::fmt::Display) {
        self.common.error(message);
        self.summary.unreadable += 1;
        self.outcome = Outcome::Trouble;
    }

    /// Checks one file. The error is one of writing.
    fn one(&mut self, found: &Found) -> io::Result<()> {
        let name = input::name_of(&found.path);
        let opened = input::open(&found.path);
        let mut file: File = match opened {
            Ok(input) => input.file,
            Err(e) => {
                self.trouble(format_args!("{name}: {}", reason(&e)));
                return Ok(());
            }
        };
        let Args { from, span, .. } = *self.args;
        let skip_binary = !found.named && !self.args.walk.text && !has_nul(from);
        let subject = Subject::new(found.path.as_os_str(), &name);
        let mut findings = Findings {
            check: Shared {
                args: self.args,
                quiet: self.common.quiet,
                report: &mut self.report,
                diagnosis: &mut self.diagnosis,
            },
            subject: &subject,
            encoding: from,
            tracker: Tracker::default(),
            line: picture::Line::default(),
            part: None,
            count: 0,
            code_points: 0,
        };
        let ended = self.scanner.scan(&mut file, from, span.into(), skip_binary, &mut findings);
        let Findings { count, code_points, encoding, .. } = findings;
        self.summary.findings += count;
        if count > 0 {
            self.summary.files_with_findings += 1;
            self.outcome = self.outcome.max(Outcome::Findings);
        }
        match ended {
            Ok(Ended::Binary(at)) => {
                self.summary.skipped_binary += 1;
                if self.args.verbose.verbose {
                    self.common
                        .line(format_args!("{name}: skipped as binary: NUL at byte {at} (-a checks it)"));
                }
                return Ok(());
            }
            Ok(Ended::Whole(bytes)) => {
                self.summary.bytes += bytes;
                let say = self.args.verbose.verbose && !self.args.files_with_findings && !self.common.quiet;
                if count == 0 && say {
                    self.report.clean(&subject, encoding, bytes, code_points)?;
                }
            }
            Ok(Ended::Broken(result)) => result?,
            Err(e) => {
                // What was found before stands before the message.
                self.report.flush()?;
                self.trouble(format_args!("{name}: {}", reason(&e)));
                return Ok(());
            }
        }
        self.summary.files += 1;
        Ok(())
    }
}

/// Whether text in this encoding has NUL bytes, so that they do not make a file binary.
fn has_nul(encoding: Encoding) -> bool {
    // SCSU has UTF-16 in it, and JavaUtf a length of two bytes.
    is_wide(encoding) || matches!(encoding, Encoding::Scsu | Encoding::JavaUtf)
}

/// What the findings of all files share.
struct Shared<'a> {
    args: &'a Args,
    quiet: bool,
    report: &'a mut Report,
    diagnosis: &'a mut Diagnosis,
}

/// The findings of one file, reported as they are met.
struct Findings<'a> {
    check: Shared<'a>,
    subject: &'a Subject,
    encoding: Encoding,
    tracker: Tracker,
    line: picture::Line,
    part: Option<Part>,
    count: u64,
    /// Only counted with `-v`.
    code_points: u64,
}

impl Findings<'_> {
    fn draws(&self) -> bool {
        self.check.args.verbose.verbose && self.check.args.format.format == Format::Text
    }

    fn report(&mut self, error: &IllFormed, around: &Around<'_>) -> io::Result<()> {
        let offset = error.offset();
        let part_of = self.part.filter(|part| offset < part.end);
        let following = around.following();
        self.check.diagnosis.make(&Case {
            error,
            encoding: around.encoding,
            before: around.before(),
            following,
            part_of,
        });
        self.part = part_of.or_else(|| self.check.diagnosis.part(error));
        // What belongs to an earlier sequence was in its picture.
        let line = (self.draws() && part_of.is_none()).then_some(&self.line);
        let at = self.tracker.place();
        let finding = Finding { error, at, diagnosis: self.check.diagnosis, around, line };
        self.check.report.finding(self.subject, &finding)
    }
}

impl Sink for Findings<'_> {
    /// Whether writing went well.
    type Break = io::Result<()>;

    fn begin(&mut self, encoding: Encoding) {
        self.encoding = encoding;
    }

    fn text(&mut self, text: &[u8]) {
        self.tracker.text(text);
        if self.check.args.verbose.verbose {
            self.code_points += utf8::count_code_points(text) as u64;
            if self.draws() {
                self.line.text(text);
            }
        }
    }

    fn ill_formed(&mut self, error: &IllFormed, around: &Around<'_>) -> ControlFlow<io::Result<()>> {
        self.count += 1;
        if self.check.quiet {
            return ControlFlow::Break(Ok(()));
        }
        if self.check.args.files_with_findings {
            return ControlFlow::Break(self.check.report.name(self.subject));
        }
        let written = self.report(error, around);
        if written.is_err() || self.count == self.check.args.max {
            return ControlFlow::Break(written);
        }
        let bytes = &around.following()[..error.len()];
        self.tracker.ill_formed(bytes);
        if self.draws() {
            self.line.ill_formed(bytes);
        }
        ControlFlow::Continue(())
    }
}
