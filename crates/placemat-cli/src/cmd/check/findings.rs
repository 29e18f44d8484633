//! The findings of one file: counts, explains and reports what the scanner meets.

use super::args::{Args, CheckFormat};
use super::baseline::Baseline;
use super::declared::Wrong;
use super::kept::Kept;
use super::limits::{LeftOut, Limits};
use super::lint::{BomArg, Context, Hit, Kind, Lints, Wanted, explain};
use super::nature::{Foreign, Judged, Nature};
use super::outlet::{Outlet, Ticket};
use super::picture::{self, Line};
use super::readings::Readings;
use super::report::{Finding, Fingerprint, Fingerprints, Report, Several, Subject};
use super::suppress::Suppressed;
use super::units::Stretch;
use crate::families::{self, is_wide};
use crate::lines::{Place, Tracker};
use crate::scan::{Around, HELD, Looks, Origin, Sink};
use crate::shown::{Name, grouped};
use core::cell::OnceCell;
use core::ops::{ControlFlow, Range};
use placemat::{Encoding, IllFormed, utf8};
use placemat_diagnose::{Case, Diagnosis, Part};
use std::collections::HashSet;
use std::path::Path;

/// Bytes of a report that are collected before they are handed on.
const PORTION: usize = 32 * 1024;
/// The kind of a finding about a file in another encoding.
const OTHER: &str = "other-encoding";

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
    /// The text has a NUL, which may be half a unit of UTF-16.
    pub(super) saw_nul: bool,
    /// Only counted with `-v`.
    pub(super) code_points: u64,
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

    /// Judges the whole file at its first ill-formed sequence.
    fn judge(&mut self, around: &Around<'_>) {
        let judged = Judged::of(self.path, self.start, around, self.encoding);
        let why = match &judged.nature {
            Nature::Expected => None,
            Nature::Uncertain => Some("its encoding is not certain".to_owned()),
            Nature::Foreign(foreign) => {
                if foreign.is_seekable {
                    self.back_to_mark();
                }
                (!foreign.is_seekable).then(|| format!("it seems to be in {}", foreign.encoding))
            }
        };
        self.doubt = why.filter(|_| self.lints.any());
        if let Nature::Foreign(foreign) = &judged.nature
            && foreign.is_seekable
        {
            self.lints = Lints::new(Wanted::default());
        }
        self.judged = Some(judged);
    }

    /// Returns the other encoding of the file, if its ill-formed sequences are one finding.
    fn foreign(&self) -> Option<&Foreign> {
        match &self.judged.as_ref()?.nature {
            Nature::Foreign(foreign) if !self.args.is_one_by_one() => Some(foreign),
            _ => None,
        }
    }

    /// Returns the encoding in which the lints read the file once more: the one that it was found to be in.
    pub(super) fn found(&self) -> Option<Encoding> {
        match &self.judged.as_ref()?.nature {
            Nature::Foreign(foreign) if foreign.is_seekable => Some(foreign.encoding),
            _ => None,
        }
    }

    /// Returns `true` if the finding may be due only to text read in the wrong encoding.
    fn is_doubtful(&self, kind: Kind, text: &str) -> bool {
        self.pass == Pass::First
            && self.judged.as_ref().is_some_and(|judged| !matches!(judged.nature, Nature::Expected))
            && !text.is_ascii()
            && !matches!(kind, Kind::BidiControl | Kind::BidiUnterminated(_))
    }

    /// Counts or reports an ill-formed sequence.
    fn sequence(
        &mut self,
        error: &IllFormed,
        whole: &[u8],
        is_new: bool,
        around: &Around<'_>,
    ) -> ControlFlow<()> {
        if let Some(sequences) = &mut self.sequences {
            sequences.count += 1;
            return ControlFlow::Continue(());
        }
        let kind = error.code();
        let end = parts(whole, error.len(), around.encoding)
            .fold(self.tracker, |tracker, part| tracker.past_ill_formed(part, around.encoding))
            .place();
        // The picture of an earlier sequence showed these bytes.
        let marked = (self.draws() && is_new).then(|| picture::bytes(error.bytes()));
        let fingerprint = self.fingerprint(kind, whole, around);
        if let Some(enough) = self.foreign().map(Foreign::proof) {
            let first = || Sequences {
                count: 0,
                unknown: 0,
                first: Kept::new(self.tracker, self.line.clone(), around, error.len()),
                len: whole.len(),
                end,
            };
            let mut pending = self.pending.take().unwrap_or_else(|| Box::new(first()));
            pending.count += 1;
            if pending.count >= enough {
                self.sequences = Some(pending);
                self.back_to_mark();
                return ControlFlow::Continue(());
            }
            if self.ends_at_first() {
                // Whether any of them is a finding shows at the end: the baseline may have the file as a whole.
                pending.unknown += u64::from(!self.is_known(fingerprint));
                self.pending = Some(pending);
                return ControlFlow::Continue(());
            }
            self.pending = Some(pending);
        }
        if self.is_known(fingerprint) {
            return ControlFlow::Continue(());
        }
        self.counts()?;
        if !self.admits(kind, whole.len(), around, end, fingerprint) {
            return ControlFlow::Continue(());
        }
        self.report(kind, whole, around, end, marked.as_deref(), fingerprint)
    }

    /// Reports a file in another encoding as one finding.
    pub(super) fn whole(&mut self) -> ControlFlow<()> {
        if self.pending.take().is_some_and(|pending| pending.unknown > 0) {
            self.counts()?;
        }
        let Some(sequences) = self.sequences.take() else { return ControlFlow::Continue(()) };
        let Sequences { count, first, len, end, .. } = *sequences;
        let around = first.around();
        let bytes = around.following().get(..len).unwrap_or(around.bytes());
        let place = first.tracker.place();
        let Some(Judged { nature: Nature::Foreign(foreign), .. }) = &self.judged else {
            return ControlFlow::Continue(());
        };
        self.is_one = true;
        let message = foreign.message(count, place.line, place.column);
        let suggestion = foreign.suggestion(self.path);
        // The fingerprint stays the same however much of the text changes.
        let name = foreign.encoding.name().as_bytes();
        let fingerprint = self.fingerprint(OTHER, name, &Around::of(&[], 0, 0, self.encoding));
        if self.is_known(fingerprint) {
            return ControlFlow::Continue(());
        }
        self.counts()?;
        let diagnosis = Diagnosis { suggestion, ..Diagnosis::default() };
        let subject = self.subject.get_or_init(|| Subject::new(self.path.as_os_str(), self.name));
        self.report.finding(
            subject,
            &Finding {
                kind: OTHER,
                offset: around.offset(),
                bytes,
                at: place,
                end,
                diagnosis: &diagnosis,
                around: &around,
                fingerprint,
                line: None,
                several: Some(Several { count, message: &message }),
            },
        );
        self.reported()
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
            if self.suppressed.has(*kind, text.as_bytes(), start, end) {
                self.ticket.summary.suppressed += 1;
                continue;
            }
            let around = origin.find(start..end);
            if let Kind::CrEol(_) = kind {
                self.first_cr =
                    Some(Kept::new(self.tracker, self.line.clone(), &around, around.bytes().len()));
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
        let flow = match self.bom {
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
        };
        if self.pass == Pass::First {
            self.mark.next = 0;
            self.set_mark();
        }
        flow
    }

    fn text(&mut self, text: &[u8]) {
        self.pass(text);
    }

    fn asks_for_places(&self) -> bool {
        self.lints.any()
    }

    fn settled(&self, text: &[u8]) -> usize {
        let lines = if self.lints.any() { Suppressed::settled(text) } else { text.len() };
        self.lints.settled(&text[..lines], HELD)
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
        self.suppressed.begin_piece(text.as_bytes());
        let flow = self.pass_with_hits(text, &hits, origin);
        self.suppressed.end_piece(text.as_bytes());
        *self.hits = hits;
        flow
    }

    fn ill_formed(&mut self, error: &IllFormed, around: &Around<'_>) -> ControlFlow<()> {
        self.lints.interrupted();
        if self.pass != Pass::First || self.lints_alone {
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
        if self.ends_at_first() && self.baseline.is_none() {
            self.counts()?;
        }
        if self.judged.is_none() && self.may_judge {
            self.judge(around);
        }
        self.diagnosis.make(&Case {
            before: around.before(),
            following: around.following(),
            part_of,
            ..Case::new(error, around.encoding)
        });
        self.part = part_of.or_else(|| self.diagnosis.part(error));
        let extent = if self.args.span.is_none() { self.diagnosis.extent } else { error.len() };
        let whole = around.following().get(..extent).unwrap_or(bytes);
        self.readings.see(self.diagnosis.windows_1252);
        self.sequence(error, whole, part_of.is_none(), around)?;
        self.pass_ill_formed(bytes, around.encoding);
        ControlFlow::Continue(())
    }

    fn pause(&mut self) -> ControlFlow<()> {
        let is_held = self.pending.is_some() && self.found().is_some();
        if !self.report.out.is_empty() && !is_held {
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
