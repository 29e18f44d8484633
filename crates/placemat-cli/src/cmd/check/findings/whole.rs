//! The judgement on a file with ill-formed sequences: they are findings one by one, or one finding together.

use super::{Findings, Sequences};
use crate::cmd::check::kept::Kept;
use crate::cmd::check::lint::{Lints, Wanted};
use crate::cmd::check::nature::{Foreign, Judged, Nature};
use crate::cmd::check::picture;
use crate::cmd::check::report::{Finding, Several, Subject};
use crate::families::{self, is_wide};
use crate::scan::Around;
use core::ops::ControlFlow;
use placemat::{Encoding, IllFormed};
use placemat_diagnose::Diagnosis;

/// The kind of a finding about a file in another encoding.
const OTHER: &str = "other-encoding";

impl Findings<'_> {
    /// Judges the whole file at its first ill-formed sequence.
    pub(super) fn judge(&mut self, around: &Around<'_>) {
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
    pub(in crate::cmd::check) fn found(&self) -> Option<Encoding> {
        match &self.judged.as_ref()?.nature {
            Nature::Foreign(foreign) if foreign.is_seekable => Some(foreign.encoding),
            _ => None,
        }
    }

    /// Counts or reports an ill-formed sequence.
    pub(super) fn sequence(
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
    pub(in crate::cmd::check) fn whole(&mut self) -> ControlFlow<()> {
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
