//! One file: reports findings as the scanner meets them.

use super::args::{Args, CheckFormat};
use super::first_cr::FirstCr;
use super::lint::{BomArg, Context, Hit, Kind, Lints, Wanted, explain};
use super::outlet::{Outlet, Ticket};
use super::picture::{self, Line};
use super::readings::Readings;
use super::report::{Finding, Fingerprint, Fingerprints, Report, Subject};
use super::units::Stretch;
use crate::auto;
use crate::families::{self, is_wide};
use crate::lines::{Place, Tracker};
use crate::scan::{Around, Ended, HELD, Looks, Origin, Scanner, Sink};
use crate::shown::{Name, reason};
use core::cell::OnceCell;
use core::ops::{ControlFlow, Range};
use placemat::{Encoding, IllFormed, utf8};
use placemat_diagnose::{Case, Diagnosis, Part};
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Seek as _};
use std::path::Path;

/// Bytes of a report that are collected before they are handed on.
const PORTION: usize = 32 * 1024;

/// The way to check a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wish {
    pub(super) encoding: Encoding,
    pub(super) bom: Option<BomArg>,
    /// Whether a binary file is skipped.
    pub(super) skip_binary: bool,
    /// Whether configuration files declare the encoding. The declaration may be wrong on purpose, so the lints search
    /// the file as UTF-8 too.
    pub(super) declared: bool,
}

/// The state of a thread, which checks one file after another.
#[derive(Debug)]
pub(super) struct Checker<'a> {
    pub(super) args: &'a Args,
    pub(super) wanted: Wanted,
    pub(super) quiet: bool,
    pub(super) outlet: &'a Outlet<'a>,
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
        let lints = Lints::new(self.wanted);
        self.report.begin_file();
        let mut findings = Findings {
            args,
            quiet: self.quiet,
            outlet: self.outlet,
            report: &mut self.report,
            diagnosis: &mut self.diagnosis,
            hits: &mut self.hits,
            ticket,
            path,
            name,
            subject: OnceCell::new(),
            encoding: wish.encoding,
            bom: wish.bom,
            lints,
            seen: (wish.declared && self.wanted.any() && !families::UTF_8.contains(&wish.encoding))
                .then(HashSet::new),
            pass: Pass::First,
            lints_alone: false,
            tracker: Tracker::default(),
            line: Line::default(),
            readings: Readings::default(),
            fingerprints: args
                .format
                .has_fingerprints()
                .then(|| Fingerprints::new(path.as_os_str().as_encoded_bytes())),
            part: None,
            first_cr: None,
            count: 0,
            is_handed_on: false,
            saw_nul: false,
            code_points: 0,
        };
        let span = args.span.unwrap_or_default().into();
        let mut ended = self.scanner.scan(file, wish.encoding, span, wish.skip_binary, &mut findings);
        if matches!(ended, Ok(Ended::Whole(_))) && findings.seen.is_some() {
            findings.begin_again(self.wanted);
            ended = file
                .rewind()
                .and_then(|()| self.scanner.scan(file, Encoding::UTF_8, span, false, &mut findings));
            findings.encoding = wish.encoding;
        }
        let is_open = matches!(ended, Ok(Ended::Whole(_) | Ended::Binary(_)));
        if is_open && (findings.saw_nul || matches!(ended, Ok(Ended::Binary(_)))) && findings.mixed_units() {
            ended = Ok(Ended::Broken(()));
        }
        let count = findings.count;
        let verbose = args.verbose.verbose && !self.quiet;
        if let Ok(Ended::Whole(bytes)) = ended {
            findings.ticket.summary.bytes += bytes;
            if count == 0 && verbose && !args.files_with_findings && !findings.lints_alone {
                let Findings { code_points, encoding, .. } = findings;
                let subject = Subject::new(path.as_os_str(), name);
                findings.report.clean(&subject, encoding, bytes, code_points);
            }
        }
        let mut helped = false;
        if findings.draws() && !self.quiet && !args.files_with_findings {
            let ended = matches!(ended, Ok(Ended::Whole(_)));
            if let Some(words) = findings.readings.words(ended, wish.encoding) {
                findings.report.help(&Subject::new(path.as_os_str(), name), &words);
                helped = true;
            }
        }
        let says = args.format == CheckFormat::Text && !self.quiet && !args.files_with_findings && !helped;
        if says && count > 0 && wish.encoding == Encoding::UTF_8 && matches!(ended, Ok(Ended::Whole(_))) {
            // If it cannot be read again, the findings are complete nevertheless.
            let again = file.rewind().and_then(|()| file.try_clone());
            if let Some(words) = again.ok().and_then(|file| auto::foreign(file, path)) {
                self.report.help(&Subject::new(path.as_os_str(), name), &words);
            }
        }
        ticket.data(&mut self.report.out);
        ticket.summary.findings = count;
        ticket.summary.files_with_findings = u64::from(count > 0);
        match ended {
            Ok(Ended::Binary(at)) => {
                ticket.summary.skipped_binary = 1;
                if verbose {
                    ticket.note(format!("{name}: skipped as binary: NUL at byte {at} (-a checks it)"));
                }
            }
            Ok(Ended::Whole(_) | Ended::Broken(())) => ticket.summary.files = 1,
            Err(e) => cannot_read(name, &e, ticket),
        }
    }
}

/// Reports a file that cannot be opened or not be read to its end.
pub(super) fn cannot_read(name: &Name, e: &io::Error, ticket: &mut Ticket) {
    ticket.trouble(format!("{name}: {}", reason(e)));
}

/// The passes over a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pass {
    First,
    /// The second pass, over the text as UTF-8, for the lints alone.
    Second,
}

/// The number of places that are remembered for the second pass.
const SEEN: usize = 1 << 20;

/// The findings of one file.
struct Findings<'a> {
    args: &'a Args,
    quiet: bool,
    outlet: &'a Outlet<'a>,
    report: &'a mut Report,
    diagnosis: &'a mut Diagnosis,
    hits: &'a mut Vec<Hit>,
    ticket: &'a mut Ticket,
    path: &'a Path,
    name: &'a Name,
    /// Made for the first finding.
    subject: OnceCell<Subject>,
    encoding: Encoding,
    bom: Option<BomArg>,
    lints: Lints,
    /// The offsets of the lint findings of the first pass, if the file is read twice.
    seen: Option<HashSet<u64>>,
    pass: Pass,
    /// Only the lints report; ill-formed sequences do not count.
    lints_alone: bool,
    tracker: Tracker,
    line: Line,
    readings: Readings,
    fingerprints: Option<Fingerprints>,
    part: Option<Part>,
    first_cr: Option<FirstCr>,
    count: u64,
    /// Whether all findings so far are handed on.
    is_handed_on: bool,
    /// The text has a NUL, which may be half a unit of UTF-16.
    saw_nul: bool,
    /// Only counted with `-v`.
    code_points: u64,
}

impl Findings<'_> {
    /// Returns `true` if any lint or `--bom` is asked for.
    fn asks(&self) -> bool {
        self.lints.any() || self.args.bom.is_some()
    }

    fn draws(&self) -> bool {
        self.args.verbose.verbose && self.args.format == CheckFormat::Text
    }

    /// Counts a finding. Breaks if nothing more is to be reported of the file.
    fn counts(&mut self) -> ControlFlow<()> {
        if self.count == 0 {
            self.outlet.found();
        }
        self.count += 1;
        if self.quiet {
            return ControlFlow::Break(());
        }
        if self.args.files_with_findings && self.args.format.has_names() {
            let subject = self.subject.get_or_init(|| Subject::new(self.path.as_os_str(), self.name));
            if self.args.names.null && self.args.format == CheckFormat::Text {
                self.ticket.data(&mut self.report.out);
                self.ticket.name(self.path);
                return ControlFlow::Break(());
            }
            self.report.name(subject);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    /// Reports a finding. Breaks if it is the last one to report.
    fn report(
        &mut self,
        kind: &'static str,
        bytes: &[u8],
        around: &Around<'_>,
        end: Place,
        marked: Option<&[picture::Glyph]>,
    ) -> ControlFlow<()> {
        let at = self.tracker.place();
        let line = marked.map(|marked| (&self.line, marked));
        let subject = self.subject.get_or_init(|| Subject::new(self.path.as_os_str(), self.name));
        let diagnosis = &*self.diagnosis;
        let offset = around.offset();
        let fingerprint = match &mut self.fingerprints {
            Some(fingerprints) => fingerprints.next(kind, bytes, around),
            None => Fingerprint::default(),
        };
        self.report.finding(
            subject,
            &Finding { kind, offset, bytes, at, end, diagnosis, around, fingerprint, line },
        );
        let enough = self.count == self.args.max || self.args.files_with_findings;
        if self.report.out.len() >= PORTION {
            self.hand_on();
        }
        if enough || self.outlet.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Hands on the report so far.
    fn hand_on(&mut self) {
        self.ticket.data(&mut self.report.out);
        self.outlet.pass(self.ticket);
        self.is_handed_on = true;
    }

    /// Returns a finding in well-formed text.
    fn lint(&mut self, kind: Kind, text: &str, around: &Around<'_>) -> ControlFlow<()> {
        let offset = around.offset();
        match (self.pass, &mut self.seen) {
            (Pass::First, Some(seen)) if seen.len() < SEEN => {
                seen.insert(offset);
            }
            // Nearly every encoding has the ASCII controls at the same bytes; in UTF-16 half of the bytes look like
            // controls.
            (Pass::Second, Some(seen))
                if seen.contains(&offset)
                    || matches!(kind, Kind::Control | Kind::Eof1a) && text.is_ascii() =>
            {
                return ControlFlow::Continue(());
            }
            _ => {}
        }
        self.counts()?;
        explain(self.diagnosis, &Context { kind, text, encoding: self.encoding });
        let end = self.tracker.after(text);
        let marked = self.draws().then(|| picture::code_points(text));
        self.report(kind.code(), around.bytes(), around, end, marked.as_deref())
    }

    /// Prepares to read the file once more, as UTF-8.
    fn begin_again(&mut self, wanted: Wanted) {
        self.pass = Pass::Second;
        self.bom = None;
        self.lints = Lints::new(wanted.of_code_points());
        self.tracker = Tracker::default();
        self.line = Line::default();
        self.part = None;
        self.first_cr = None;
    }

    /// Advances past text.
    fn pass(&mut self, text: &[u8]) {
        if text.is_empty() {
            return;
        }
        self.tracker.text(text);
        self.saw_nul =
            self.saw_nul || families::UTF_8.contains(&self.encoding) && memchr::memchr(0, text).is_some();
        if self.args.verbose.verbose {
            if self.pass == Pass::First {
                let code_points = utf8::count_code_points(text);
                self.code_points += code_points as u64;
                self.readings.text(text.len() > code_points);
            }
            if self.draws() {
                self.line.text(text);
            }
        }
    }

    /// Advances past an ill-formed sequence.
    fn pass_ill_formed(&mut self, bytes: &[u8], encoding: Encoding) {
        self.tracker.ill_formed(bytes, encoding);
        if self.draws() {
            self.line.ill_formed(bytes);
        }
    }

    /// Advances past text with lint findings in it.
    fn pass_with_hits(&mut self, text: &str, hits: &[Hit], origin: &mut Origin<'_>) -> ControlFlow<()> {
        let mut passed = 0;
        for Hit { kind, at } in hits {
            let Range { start, end } = *at;
            self.pass(&text.as_bytes()[passed.min(start)..start]);
            passed = start;
            let around = origin.find(start..end);
            if let Kind::CrEol(_) = kind {
                self.first_cr = Some(FirstCr::new(self.tracker, self.line.clone(), &around));
            } else {
                self.lint(*kind, &text[start..end], &around)?;
            }
        }
        self.pass(&text.as_bytes()[passed..]);
        ControlFlow::Continue(())
    }
}

impl Findings<'_> {
    /// Reports that all lines end in CR alone, at the first of them.
    fn cr_alone(&mut self, first: &FirstCr, lines: u64) -> ControlFlow<()> {
        self.counts()?;
        let kind = Kind::CrEol(lines);
        explain(self.diagnosis, &Context { kind, text: "\r", encoding: self.encoding });
        (self.tracker, self.line) = (first.tracker, first.line.clone());
        let around = first.around();
        let marked = self.draws().then(|| picture::code_points("\r"));
        self.report(kind.code(), around.bytes(), &around, self.tracker.after("\r"), marked.as_deref())
    }

    /// Reports the stretches in another unit than most of the file. Returns whether there are any.
    fn mixed_units(&mut self) -> bool {
        let stretches = super::units::stretches(self.path);
        let is_any = !stretches.is_empty();
        for Stretch { encoding: found, main, first, last, line, bytes } in stretches {
            if self.counts().is_break() {
                break;
            }
            let kind = Kind::MixedUnits { found, main, first, last };
            explain(self.diagnosis, &Context { kind, text: "", encoding: main });
            self.tracker = Tracker::at_line(line);
            let around = Around::of(&bytes, first, bytes.len(), found);
            if self.report(kind.code(), &bytes, &around, self.tracker.place(), None).is_break() {
                break;
            }
        }
        is_any
    }
}

/// Splits a broken sequence, whose first error has `first` bytes, into the errors that a decoder finds in it. The
/// picture shows one column for each.
fn parts(bytes: &[u8], first: usize, encoding: Encoding) -> impl Iterator<Item = &[u8]> {
    let utf8 = families::UTF_8.contains(&encoding);
    let subparts = utf8.then(|| bytes.utf8_chunks().map(|chunk| chunk.invalid())).into_iter().flatten();
    let (first, rest) = bytes.split_at(first.min(bytes.len()));
    let width = if is_wide(encoding) { first.len().max(1) } else { 1 };
    let units = (!utf8).then(|| core::iter::once(first).chain(rest.chunks(width))).into_iter().flatten();
    subparts.chain(units).filter(|part| !part.is_empty())
}

impl Sink for Findings<'_> {
    type Break = ();

    fn meets(&mut self, looks: Looks, start: &Around<'_>) -> ControlFlow<(), bool> {
        match looks {
            Looks::Wide { .. } if self.mixed_units() => ControlFlow::Break(()),
            Looks::Wide { encoding: found, signed } => {
                let kind = Kind::OtherEncoding { found, signed };
                self.lint(kind, if signed { "\u{FEFF}" } else { "" }, start)?;
                // This finding covers the whole file.
                ControlFlow::Break(())
            }
            // With a lint, a NUL must not hide anything; apart from the lints, nothing is reported of a file that may
            // not be text.
            Looks::WithNul(_) => {
                self.lints_alone = self.asks();
                ControlFlow::Continue(self.lints_alone)
            }
            Looks::Text | Looks::Binary(_) => ControlFlow::Continue(false),
        }
    }

    fn begin(&mut self, signature: &Around<'_>) -> ControlFlow<()> {
        self.encoding = signature.encoding;
        let has = !signature.bytes().is_empty();
        if has && is_wide(self.encoding) {
            // The text is in UTF-8 anyway: no second pass is needed.
            self.seen = None;
        }
        let empty = signature.following().is_empty();
        let can = !self.encoding.signature().is_empty();
        match self.bom {
            Some(BomArg::Forbid) if has => self.lint(Kind::BomForbidden, "\u{FEFF}", signature),
            Some(BomArg::Require) if can && !has && !empty => self.lint(Kind::BomMissing, "", signature),
            _ if has
                && families::UTF_8.contains(&self.encoding)
                && self.lints.wants_shebang()
                && signature.following()[signature.bytes().len()..].starts_with(b"#!") =>
            {
                self.lint(Kind::BomShebang, "\u{FEFF}", signature)
            }
            _ => ControlFlow::Continue(()),
        }
    }

    fn text(&mut self, text: &[u8]) {
        self.pass(text);
    }

    fn asks_for_places(&self) -> bool {
        self.lints.any()
    }

    fn settled(&self, text: &[u8]) -> usize {
        self.lints.settled(text, HELD)
    }

    fn text_at(&mut self, text: &[u8], origin: &mut Origin<'_>) -> ControlFlow<()> {
        let text = utf8::validate(text).unwrap_or_default();
        // Moved out of `self` because `pass_with_hits` borrows `self` mutably.
        let mut hits = core::mem::take(self.hits);
        self.lints.find(text, &mut hits);
        if let Some(start) = self.lints.padding(text)
            && origin.is_end
        {
            hits.retain(|hit| hit.at.start < start);
            hits.push(Hit { kind: Kind::Eof1a, at: start..text.len() });
        }
        let flow = self.pass_with_hits(text, &hits, origin);
        *self.hits = hits;
        flow
    }

    fn ill_formed(&mut self, error: &IllFormed, around: &Around<'_>) -> ControlFlow<()> {
        self.lints.interrupted();
        if self.pass == Pass::Second || self.lints_alone {
            self.pass_ill_formed(&around.following()[..error.len()], around.encoding);
            return ControlFlow::Continue(());
        }
        let offset = error.offset();
        let part_of = self.part.filter(|part| offset < part.end);
        let bytes = &around.following()[..error.len()];
        // The finding of its first bytes covers the whole broken sequence, unless `--span` asks for every error.
        if part_of.is_some() && self.args.span.is_none() {
            self.pass_ill_formed(bytes, around.encoding);
            return ControlFlow::Continue(());
        }
        self.counts()?;
        self.diagnosis.make(&Case {
            before: around.before(),
            following: around.following(),
            part_of,
            ..Case::new(error, around.encoding)
        });
        self.part = part_of.or_else(|| self.diagnosis.part(error));
        let extent = if self.args.span.is_none() { self.diagnosis.extent } else { error.len() };
        let whole = around.following().get(..extent).unwrap_or(bytes);
        let end = parts(whole, error.len(), around.encoding)
            .fold(self.tracker, |tracker, part| tracker.past_ill_formed(part, around.encoding))
            .place();
        self.readings.see(self.diagnosis.windows_1252);
        // The picture of an earlier sequence showed these bytes.
        let marked = (self.draws() && part_of.is_none()).then(|| picture::bytes(error.bytes()));
        self.report(error.code(), whole, around, end, marked.as_deref())?;
        self.pass_ill_formed(bytes, around.encoding);
        ControlFlow::Continue(())
    }

    fn pause(&mut self) -> ControlFlow<()> {
        if !self.report.out.is_empty() {
            self.hand_on();
        }
        if self.is_handed_on {
            self.is_handed_on = !self.outlet.flush(self.ticket);
        }
        if self.outlet.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn end(&mut self, end: &Around<'_>) -> ControlFlow<()> {
        if let Some(kind) = self.lints.end() {
            self.lint(kind, "", end)?;
        }
        match (self.first_cr.take(), self.lints.lines_of_cr()) {
            (Some(first), Some(lines)) => self.cr_alone(&first, lines),
            _ => ControlFlow::Continue(()),
        }
    }
}
