//! The findings of one file: counts, explains and reports what the scanner meets.

mod sink;
mod whole;

use super::args::{Args, CheckFormat};
use super::baseline::Baseline;
use super::declared::Wrong;
use super::kept::Kept;
use super::limits::{LeftOut, Limits};
use super::lint::{BomArg, Context, Hit, Kind, Lints, Wanted, explain};
use super::nature::{Judged, Nature, is_binary};
use super::outlet::{Outlet, Ticket};
use super::picture::{self, Line};
use super::readings::Readings;
use super::report::{Finding, Fingerprint, Fingerprints, Report, Several, Subject};
use super::suppress::Suppressed;
use super::units::Stretch;
use crate::lines::{Place, Tracker};
use crate::scan::Around;
use crate::shown::{Name, grouped};
use core::cell::OnceCell;
use core::ops::ControlFlow;
use placemat::Encoding;
use placemat_diagnose::{Diagnosis, Part};
use std::collections::HashSet;
use std::path::Path;

/// Bytes of a report that are collected before they are handed on.
const PORTION: usize = 32 * 1024;

/// The passes over a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pass {
    First,
    /// The second pass, over the text as UTF-8, for the lints alone.
    AsUtf8,
    /// The second pass, over the text in the encoding that it was found to be in, for the lints alone.
    AsFound,
}

/// The number of places that are remembered for the second pass.
const SEEN: usize = 1 << 20;

/// The findings of one file.
pub(super) struct Findings<'a> {
    pub(super) args: &'a Args,
    pub(super) quiet: bool,
    pub(super) outlet: &'a Outlet<'a>,
    pub(super) report: &'a mut Report,
    pub(super) diagnosis: &'a mut Diagnosis,
    pub(super) hits: &'a mut Vec<Hit>,
    pub(super) ticket: &'a mut Ticket,
    pub(super) baseline: Option<&'a Baseline>,
    pub(super) path: &'a Path,
    pub(super) name: &'a Name,
    /// The place of the input where reading began.
    pub(super) start: u64,
    /// Made for the first finding.
    pub(super) subject: OnceCell<Subject>,
    pub(super) encoding: Encoding,
    pub(super) bom: Option<BomArg>,
    pub(super) lints: Lints,
    /// The offsets of the lint findings of the first pass, if the file is read twice.
    pub(super) seen: Option<HashSet<u64>>,
    pub(super) pass: Pass,
    /// Only the lints report; ill-formed sequences do not count.
    pub(super) lints_alone: bool,
    pub(super) tracker: Tracker,
    pub(super) line: Line,
    pub(super) readings: Readings,
    pub(super) fingerprints: Option<Fingerprints>,
    pub(super) limits: Limits,
    pub(super) mark: Mark,
    pub(super) suppressed: Suppressed,
    pub(super) part: Option<Part>,
    pub(super) first_cr: Option<Kept>,
    /// The last shift that leads to a state in which the text may not end.
    pub(super) shift: Option<Kept>,
    /// Whether an ill-formed sequence makes the file a question: nobody has said which encoding it is in.
    pub(super) may_judge: bool,
    pub(super) judged: Option<Judged>,
    /// The ill-formed sequences of a file in another encoding.
    pub(super) sequences: Option<Box<Sequences>>,
    /// The ill-formed sequences of a file while they are too few to prove another encoding. Each
    /// is reported for now.
    pub(super) pending: Option<Box<Sequences>>,
    /// Whether one finding is about all of the file.
    pub(super) is_one: bool,
    /// Why the lints may read text in a wrong encoding, until that is said.
    pub(super) doubt: Option<String>,
    pub(super) count: u64,
    /// Whether all findings so far are handed on.
    pub(super) is_handed_on: bool,
    /// The treatment of the controls of binary data in the group `security`.
    pub(super) of_data: OfData,
    /// Whether the file is binary data, once a control has raised the question.
    pub(super) is_data: Option<bool>,
    /// The text has a NUL, which may be half a unit of UTF-16.
    pub(super) saw_nul: bool,
    /// Only counted with `-v`.
    pub(super) code_points: u64,
}

/// The treatment of the controls of a file that is binary data although it has no NUL at its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OfData {
    /// Each is a finding.
    Report,
    /// One of them is printed: the file may be a program.
    PrintOne,
    /// None is a finding: nobody reads the file as text.
    Skip,
}

/// The state after the findings that can no longer be taken back.
#[derive(Debug)]
pub(super) struct Mark {
    count: u64,
    suppressed: u64,
    limits: Limits,
    /// The length of the report that is not handed on.
    reported: usize,
    /// Lint findings before this offset are reported.
    offset: u64,
    /// The offset after the last lint finding.
    next: u64,
}

/// The ill-formed sequences of a file in another encoding, which are one finding together.
#[derive(Debug)]
pub(super) struct Sequences {
    count: u64,
    /// The number of them that the baseline does not have, where none is reported.
    unknown: u64,
    /// The first of them.
    first: Kept,
    /// The length of the whole first sequence, and its end.
    len: usize,
    end: Place,
}

impl Mark {
    pub(super) fn new(limits: &Limits) -> Self {
        Self { count: 0, suppressed: 0, limits: limits.clone(), reported: 0, offset: 0, next: 0 }
    }
}

impl Findings<'_> {
    /// Returns `true` if any lint or `--bom` is asked for.
    fn asks(&self) -> bool {
        self.lints.any() || self.args.bom.is_some()
    }

    pub(super) fn draws(&self) -> bool {
        self.args.verbose.verbose && self.args.format == CheckFormat::Text
    }

    /// Returns `true` if only the first finding of the file matters, and not what it is.
    fn ends_at_first(&self) -> bool {
        self.quiet || self.args.files_with_findings && self.args.format.has_names()
    }

    /// Returns the fingerprint of the next finding, if fingerprints are needed.
    fn fingerprint(&mut self, kind: &'static str, bytes: &[u8], around: &Around<'_>) -> Fingerprint {
        match &mut self.fingerprints {
            Some(fingerprints) => fingerprints.next(kind, bytes, around),
            None => Fingerprint::default(),
        }
    }

    /// Returns `true` if the baseline has a finding, which is counted then.
    fn is_known(&mut self, fingerprint: Fingerprint) -> bool {
        let is_known = self.baseline.is_some_and(|baseline| baseline.contains(fingerprint));
        self.ticket.summary.suppressed += u64::from(is_known);
        is_known
    }

    /// Counts a finding. Breaks if nothing more is to be reported of the file.
    fn counts(&mut self) -> ControlFlow<()> {
        self.count += 1;
        if self.ends_at_first() {
            self.outlet.found();
        }
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

    /// Counts a finding of a kind. Returns whether it is printed.
    fn admits(
        &mut self,
        kind: &'static str,
        len: usize,
        around: &Around<'_>,
        end: Place,
        fingerprint: Fingerprint,
    ) -> bool {
        let at = self.tracker.place();
        self.limits.admit(kind, || LeftOut::new(at, end, fingerprint, around, len))
    }

    /// Reports a finding. Breaks if it is the last one to report.
    fn report(
        &mut self,
        kind: &'static str,
        bytes: &[u8],
        around: &Around<'_>,
        end: Place,
        marked: Option<&[picture::Glyph]>,
        fingerprint: Fingerprint,
    ) -> ControlFlow<()> {
        let at = self.tracker.place();
        let line = marked.map(|marked| (&self.line, marked));
        let subject = self.subject.get_or_init(|| Subject::new(self.path.as_os_str(), self.name));
        let diagnosis = &*self.diagnosis;
        let offset = around.offset();
        self.report.finding(
            subject,
            &Finding { kind, offset, bytes, at, end, diagnosis, around, fingerprint, line, several: None },
        );
        self.reported()
    }

    /// Hands on a long report. Breaks if there are enough findings.
    fn reported(&mut self) -> ControlFlow<()> {
        let enough = Some(self.count) == self.args.max || self.args.files_with_findings;
        if self.report.out.len() >= PORTION {
            self.hand_on();
        }
        if enough || self.outlet.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Hands on the report so far.
    fn hand_on(&mut self) {
        if self.count > 0 {
            self.outlet.found();
        }
        self.ticket.data(&mut self.report.out);
        self.outlet.pass(self.ticket);
        self.is_handed_on = true;
        self.set_mark();
    }

    /// Marks all findings so far as final.
    fn set_mark(&mut self) {
        let next = self.mark.next;
        self.mark = Mark {
            count: self.count,
            suppressed: self.ticket.summary.suppressed,
            limits: self.limits.clone(),
            reported: self.report.out.len(),
            offset: next,
            next,
        };
    }

    /// Takes back the findings of lints in text that turned out to be in another encoding.
    fn back_to_mark(&mut self) {
        self.count = self.mark.count;
        self.ticket.summary.suppressed = self.mark.suppressed;
        self.limits = self.mark.limits.clone();
        self.report.out.truncate(self.mark.reported);
    }

    /// Returns `true` if the finding may be due only to text read in the wrong encoding.
    fn is_doubtful(&self, kind: Kind, text: &str) -> bool {
        self.pass == Pass::First
            && self.judged.as_ref().is_some_and(|judged| !matches!(judged.nature, Nature::Expected))
            && !text.is_ascii()
            && !matches!(kind, Kind::BidiControl | Kind::BidiUnterminated(_))
    }

    /// Reports how many findings of each kind were not printed.
    pub(super) fn left_out(&mut self) {
        for (kind, count, left) in self.limits.left_out() {
            let s = if count == 1 { "" } else { "s" };
            let Place { line, column, .. } = left.at;
            let message =
                format!("and {} more finding{s} of {kind}, the first at {line}:{column}", grouped(count));
            let diagnosis = Diagnosis { suggestion: "--all prints them".into(), ..Diagnosis::default() };
            let around = left.around();
            let subject = self.subject.get_or_init(|| Subject::new(self.path.as_os_str(), self.name));
            self.report.finding(
                subject,
                &Finding {
                    kind,
                    offset: around.offset(),
                    bytes: around.bytes(),
                    at: left.at,
                    end: left.end,
                    diagnosis: &diagnosis,
                    around: &around,
                    fingerprint: left.fingerprint,
                    line: None,
                    several: Some(Several { count, message: &message }),
                },
            );
        }
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
            (Pass::AsUtf8, Some(seen))
                if seen.contains(&offset)
                    || matches!(kind, Kind::Control | Kind::Eof1a) && text.is_ascii() =>
            {
                return ControlFlow::Continue(());
            }
            _ => {}
        }
        if self.pass == Pass::AsFound && offset < self.mark.offset {
            return ControlFlow::Continue(());
        }
        if matches!(kind, Kind::Control | Kind::Eof1a) && self.of_data != OfData::Report && self.is_data() {
            if self.of_data == OfData::Skip {
                return ControlFlow::Continue(());
            }
            self.limits.print_one_control();
        }
        if self.is_doubtful(kind, text) {
            if let Some(why) = self.doubt.take() {
                let name = self.name;
                self.ticket.warn(format!(
                    "{name}: the lints read only its ASCII, because {why}: name its encoding with -f"
                ));
            }
            return ControlFlow::Continue(());
        }
        self.mark.next = offset + 1;
        let bytes = around.bytes();
        let fingerprint = self.fingerprint(kind.code(), bytes, around);
        if self.is_known(fingerprint) {
            return ControlFlow::Continue(());
        }
        self.counts()?;
        let end = self.tracker.after(text);
        if !self.admits(kind.code(), bytes.len(), around, end, fingerprint) {
            return ControlFlow::Continue(());
        }
        explain(self.diagnosis, &Context { kind, text, encoding: self.encoding });
        let marked = self.draws().then(|| picture::code_points(text));
        self.report(kind.code(), bytes, around, end, marked.as_deref(), fingerprint)
    }

    /// Returns `true` if the file is binary data.
    fn is_data(&mut self) -> bool {
        *self.is_data.get_or_insert_with(|| is_binary(self.path, self.start))
    }

    /// Prepares to read the file once more.
    pub(super) fn begin_again(&mut self, pass: Pass, wanted: Wanted) {
        self.pass = pass;
        self.bom = None;
        self.lints = Lints::new(if pass == Pass::AsUtf8 { wanted.of_code_points() } else { wanted });
        self.suppressed = Suppressed::default();
        self.tracker = Tracker::default();
        self.line = Line::default();
        self.part = None;
        self.first_cr = None;
    }
}

impl Findings<'_> {
    /// Reports that all lines end in CR alone, at the first of them.
    fn cr_alone(&mut self, first: &Kept, lines: u64) -> ControlFlow<()> {
        let kind = Kind::CrEol(lines);
        let fingerprint = self.fingerprint(kind.code(), first.around().bytes(), &first.around());
        if self.is_known(fingerprint) {
            return ControlFlow::Continue(());
        }
        self.counts()?;
        explain(self.diagnosis, &Context { kind, text: "\r", encoding: self.encoding });
        (self.tracker, self.line) = (first.tracker, first.line.clone());
        let around = first.around();
        let marked = self.draws().then(|| picture::code_points("\r"));
        let end = self.tracker.after("\r");
        self.report(kind.code(), around.bytes(), &around, end, marked.as_deref(), fingerprint)
    }

    /// Reports wrong declarations, before the text is read. Breaks if nothing more is to be reported of the file.
    pub(super) fn declarations(&mut self, wrong: &[Wrong]) -> ControlFlow<()> {
        for Wrong { kind, text, offset, bytes, tracker, lines, at } in wrong {
            let mut suppressed = Suppressed::default();
            suppressed.begin_piece(lines);
            if suppressed.has(*kind, lines, at.start, at.end) {
                self.ticket.summary.suppressed += 1;
                continue;
            }
            let around = Around::of(bytes, *offset, bytes.len(), self.encoding);
            let fingerprint = self.fingerprint(kind.code(), bytes, &around);
            if self.is_known(fingerprint) {
                continue;
            }
            self.counts()?;
            self.tracker = *tracker;
            let end = self.tracker.after(text);
            if self.admits(kind.code(), bytes.len(), &around, end, fingerprint) {
                explain(self.diagnosis, &Context { kind: *kind, text, encoding: self.encoding });
                let before = &lines[..at.start];
                let line = &before[memchr::memrchr(b'\n', before).map_or(0, |at| at + 1)..];
                // A picture shows the bytes as text.
                let draws = self.draws() && bytes.is_ascii() && line.is_ascii();
                let marked = draws.then(|| {
                    self.line = Line::default();
                    self.line.text(line);
                    picture::code_points(core::str::from_utf8(bytes).unwrap_or_default())
                });
                self.report(kind.code(), bytes, &around, end, marked.as_deref(), fingerprint)?;
            }
        }
        (self.tracker, self.line) = (Tracker::default(), Line::default());
        ControlFlow::Continue(())
    }

    /// Reports the stretches in another unit than most of the file. Returns whether there are any.
    pub(super) fn mixed_units(&mut self) -> bool {
        let stretches = super::units::stretches(self.path);
        let is_any = !stretches.is_empty();
        for Stretch { encoding: found, main, first, last, line, bytes } in stretches {
            let kind = Kind::MixedUnits { found, main, first, last };
            let around = Around::of(&bytes, first, bytes.len(), found);
            let fingerprint = self.fingerprint(kind.code(), &bytes, &around);
            if self.is_known(fingerprint) {
                continue;
            }
            if self.counts().is_break() {
                break;
            }
            explain(self.diagnosis, &Context { kind, text: "", encoding: main });
            self.tracker = Tracker::at_line(line);
            let end = self.tracker.place();
            if !self.admits(kind.code(), bytes.len(), &around, end, fingerprint) {
                continue;
            }
            if self.report(kind.code(), &bytes, &around, end, None, fingerprint).is_break() {
                break;
            }
        }
        is_any
    }
}
