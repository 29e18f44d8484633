//! Takes what the scanner reads: text, in which the lints search, and ill-formed sequences.

use super::{Findings, Pass};
use crate::cmd::check::kept::Kept;
use crate::cmd::check::lint::{BomArg, Hit, Kind};
use crate::cmd::check::suppress::Suppressed;
use crate::families::{self, is_wide};
use crate::scan::{Around, HELD, Looks, Origin, Sink};
use core::ops::{ControlFlow, Range};
use placemat::{Encoding, IllFormed, IllFormedKind, utf8};
use placemat_diagnose::Case;

impl Findings<'_> {
    /// Reports the shift that the end of the text leaves open, at its own place.
    fn unclosed(&mut self, error: &IllFormed) -> ControlFlow<()> {
        let Some(shift) = self.shift.take().filter(|_| self.pass == Pass::First && !self.lints_alone) else {
            return ControlFlow::Continue(());
        };
        if self.ends_at_first() && self.baseline.is_none() {
            self.counts()?;
        }
        let around = shift.around();
        self.diagnosis.make(&Case { following: around.following(), ..Case::new(error, around.encoding) });
        let here = (self.tracker, core::mem::replace(&mut self.line, shift.line.clone()));
        self.tracker = shift.tracker;
        let flow = self.sequence(error, around.bytes(), true, &around);
        (self.tracker, self.line) = here;
        flow
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

    fn shifts(&mut self, text: &[u8], shift: &Around<'_>) {
        let (mut tracker, mut line) = (self.tracker, self.line.clone());
        tracker.text(text);
        if self.draws() {
            line.text(text);
        }
        self.shift = Some(Kept::new(tracker, line, shift, shift.bytes().len()));
    }

    fn ill_formed(&mut self, error: &IllFormed, around: &Around<'_>) -> ControlFlow<()> {
        if error.kind() == IllFormedKind::UnclosedShift {
            return self.unclosed(error);
        }
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
