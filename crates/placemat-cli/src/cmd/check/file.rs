//! One file: reads it as often as needed.

use super::args::{Args, CheckFormat};
use super::baseline::Baseline;
use super::declared;
use super::findings::{Findings, Mark, OfData, Pass};
use super::limits::Limits;
use super::lint::{BomArg, Hit, Lints, Wanted, is_source};
use super::outlet::{Outlet, Ticket};
use super::picture::Line;
use super::readings::Readings;
use super::report::{Fingerprints, Report, Subject};
use super::suppress::Suppressed;
use crate::auto;
use crate::config::Choice;
use crate::families;
use crate::lines::Tracker;
use crate::scan::{Binary, Ended, Scanner};
use crate::shown::{Name, reason};
use crate::streams;
use core::cell::OnceCell;
use core::ops::ControlFlow;
use placemat::Encoding;
use placemat_diagnose::Diagnosis;
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

/// The way to check a file.
#[derive(Debug)]
pub(super) struct Wish {
    pub(super) encoding: Encoding,
    pub(super) bom: Option<BomArg>,
    /// Whether a binary file is skipped.
    pub(super) skip_binary: bool,
    /// Whether configuration files declare the encoding. The declaration may be wrong on purpose, so the lints search
    /// the file as UTF-8 too.
    pub(super) declared: bool,
    /// Whether the command line names the encoding.
    pub(super) named: bool,
    /// The choice of the configuration files.
    pub(super) choice: Choice,
    /// The path without the folders around the checked tree, which must not decide what is found.
    pub(super) path_in_tree: PathBuf,
}

/// The state of a thread, which checks one file after another.
#[derive(Debug)]
pub(super) struct Checker<'a> {
    pub(super) args: &'a Args,
    pub(super) wanted: Wanted,
    pub(super) quiet: bool,
    pub(super) outlet: &'a Outlet<'a>,
    pub(super) baseline: Option<&'a Baseline>,
    pub(super) report: Report,
    pub(super) scanner: Scanner,
    pub(super) diagnosis: Diagnosis,
    pub(super) hits: Vec<Hit>,
}

impl Checker<'_> {
    /// Checks a file and returns the outcome.
    pub(super) fn check(
        &mut self,
        path: &Path,
        name: &Name,
        file: &mut File,
        wish: Wish,
        ticket: &mut Ticket,
    ) {
        let args = self.args;
        let wanted = self.wanted.of(&wish.path_in_tree, is_catalog_of_qt(path));
        // Standard input may have been read in part by another program.
        let start = if streams::is_stdin(path) { file.stream_position().unwrap_or(0) } else { 0 };
        self.report.begin_file();
        let wrong = if wanted.declaration {
            let named = wish.named.then_some(wish.encoding);
            match declared::wrong(path, file, start, named, wish.encoding, &wish.choice) {
                Ok(wrong) => wrong,
                Err(e) => return cannot_read(name, &e, ticket),
            }
        } else {
            Vec::new()
        };
        let limited = !args.is_one_by_one() && args.format != CheckFormat::Baseline;
        let limits = Limits::new(limited, is_source(path), wanted.in_context);
        let needs_fingerprints = args.format.has_fingerprints() || self.baseline.is_some();
        let mut findings = Findings {
            args,
            quiet: self.quiet,
            outlet: self.outlet,
            report: &mut self.report,
            diagnosis: &mut self.diagnosis,
            hits: &mut self.hits,
            ticket,
            baseline: self.baseline,
            path,
            name,
            start,
            subject: OnceCell::new(),
            encoding: wish.encoding,
            bom: wish.bom,
            lints: Lints::new(wanted),
            seen: (wish.declared && wanted.any() && !families::UTF_8.contains(&wish.encoding))
                .then(HashSet::new),
            pass: Pass::First,
            lints_alone: false,
            tracker: Tracker::default(),
            line: Line::default(),
            readings: Readings::default(),
            fingerprints: needs_fingerprints.then(|| Fingerprints::new(path.as_os_str().as_encoded_bytes())),
            mark: Mark::new(&limits),
            limits,
            suppressed: Suppressed::default(),
            part: None,
            first_cr: None,
            shift: None,
            may_judge: !wish.named && args.span.is_none(),
            judged: None,
            sequences: None,
            pending: None,
            is_one: false,
            doubt: None,
            count: 0,
            is_handed_on: false,
            of_data: of_data(wanted, path, wish.skip_binary),
            is_data: None,
            saw_nul: false,
            code_points: 0,
        };
        let span = args.span.unwrap_or_default().into();
        let mut ended = match findings.declarations(&wrong) {
            ControlFlow::Continue(()) => {
                self.scanner.scan(file, wish.encoding, span, wish.skip_binary, &mut findings)
            }
            ControlFlow::Break(()) => Ok(Ended::Broken(())),
        };
        let is_enough = findings.whole().is_break();
        if matches!(ended, Ok(Ended::Whole(_))) && !is_enough {
            let again = match findings.found() {
                Some(found) if wanted.any() => Some((Pass::AsFound, found)),
                _ if findings.seen.is_some() => Some((Pass::AsUtf8, Encoding::UTF_8)),
                _ => None,
            };
            if let Some((pass, encoding)) = again {
                findings.begin_again(pass, wanted);
                ended = file
                    .seek(SeekFrom::Start(start))
                    .and_then(|_| self.scanner.scan(file, encoding, span, false, &mut findings));
                findings.encoding = wish.encoding;
            }
        }
        let is_open = matches!(ended, Ok(Ended::Whole(_) | Ended::Binary(_)));
        if is_open && (findings.saw_nul || matches!(ended, Ok(Ended::Binary(_)))) && findings.mixed_units() {
            ended = Ok(Ended::Broken(()));
        }
        findings.left_out();
        let count = findings.count;
        let is_skipped_data = findings.is_data == Some(true) && count == 0;
        let verbose = args.verbose.verbose && !self.quiet;
        if let Ok(Ended::Whole(bytes)) = ended {
            findings.ticket.summary.bytes += bytes;
            if count == 0 && verbose && !args.files_with_findings && !findings.lints_alone {
                let Findings { code_points, encoding, .. } = findings;
                let subject = Subject::new(path.as_os_str(), name);
                findings.report.clean(&subject, encoding, bytes, code_points);
            }
        }
        let says = args.format == CheckFormat::Text && !self.quiet && !args.files_with_findings;
        let is_whole = matches!(ended, Ok(Ended::Whole(_)));
        let judged = findings.judged.take();
        let is_one = findings.is_one;
        let draws = findings.draws();
        let mut help =
            (says && draws && !is_one).then(|| findings.readings.words(is_whole, wish.encoding)).flatten();
        if help.is_none() && says && count > 0 && is_whole && wish.encoding == Encoding::UTF_8 {
            help = match judged {
                Some(_) if is_one => None,
                Some(judged) => judged.help,
                // If it cannot be read again, the findings are complete nevertheless.
                None => {
                    let again = file.rewind().and_then(|()| file.try_clone());
                    again.ok().and_then(|file| auto::foreign(file, path))
                }
            };
        }
        if let Some(words) = help {
            self.report.help(&Subject::new(path.as_os_str(), name), &words);
        }
        ticket.data(&mut self.report.out);
        ticket.summary.findings = count;
        ticket.summary.files_with_findings = u64::from(count > 0);
        match ended {
            Ok(Ended::Binary(why)) => skip(name, why, verbose, ticket),
            Ok(Ended::Whole(_)) if is_skipped_data => skip(name, Binary::of(&[]), verbose, ticket),
            Ok(Ended::Whole(_) | Ended::Broken(())) => ticket.summary.files = 1,
            Err(e) => cannot_read(name, &e, ticket),
        }
    }
}

/// Returns `true` for a catalog of Qt: XML, in a file that is named like a source in TypeScript.
fn is_catalog_of_qt(path: &Path) -> bool {
    let is_named_so = path.extension().is_some_and(|extension| extension == "ts");
    let mut head = [0; 3];
    is_named_so
        && fs::metadata(path).is_ok_and(|metadata| metadata.is_file())
        && File::open(path).and_then(|mut file| file.read_exact(&mut head)).is_ok()
        && [b"<?x", b"<!D", b"<TS"].contains(&&head)
}

/// Returns the treatment of the controls of a file that is binary data.
fn of_data(wanted: Wanted, path: &Path, skips_binary: bool) -> OfData {
    match (wanted.in_context && skips_binary, wanted.is_prose) {
        // A patch is text, and its controls become those of a source.
        (true, true) if path.extension().is_some_and(|kind| kind == "patch" || kind == "diff") => {
            OfData::Report
        }
        (true, true) => OfData::Skip,
        (true, false) if path.extension().is_none() => OfData::PrintOne,
        _ => OfData::Report,
    }
}

/// Counts a binary file that is not checked, and names it if `verbose`.
pub(super) fn skip(name: &Name, why: Binary, verbose: bool, ticket: &mut Ticket) {
    ticket.summary.skipped.add_binary(why);
    if verbose {
        let why = match why {
            Binary { format: Some(format), .. } => format!("it begins as {format} does"),
            Binary { nul: Some(at), .. } => format!("NUL at byte {at}"),
            Binary { .. } => "its bytes are no text".into(),
        };
        ticket.note(format!("{name}: skipped as binary: {why} (-a checks it)"));
    }
}

/// Reports a file that cannot be opened or not be read to its end.
pub(super) fn cannot_read(name: &Name, e: &io::Error, ticket: &mut Ticket) {
    ticket.trouble(format!("{name}: {}", reason(e)));
}
