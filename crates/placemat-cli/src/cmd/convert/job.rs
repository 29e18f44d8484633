//! One run of the command: inputs become text in a target.

use super::args::Args;
use super::clean::Cleaner;
use super::declared::{self, Change, Changes};
use super::line_ends::LineEnds;
use super::padding::Padding;
use super::pieces::{CONTEXT, OUTPUT, PIECE_BYTES};
use super::pipeline;
use super::plan::{Here, Plan, Stopped};
use super::policies::{self, Decoding, Policies, Unmappables};
use super::position::Position;
use super::signature::{self, Opening};
use super::sink::{Sink, Unwritten};
use super::source::Source;
use super::text::{Refused, TextStage};
use super::totals::Totals;
use super::transfer::{self, Unwrapped};
use crate::common::Common;
use crate::input;
use crate::outcome::Outcome;
use crate::pages::Pages;
use crate::shown::{Name, counted, reason};
use placemat::normalize::Normalizer;
use placemat::stream::{Status, Tally, Transcoder};
use placemat::{Encoding, IllFormedKind};
use placemat_diagnose::describe;
use std::io;

/// The length from which several threads are worth their cost.
const MIN_PARALLEL_BYTES: u64 = 512 * 1024;

/// One run of the command: the output and the totals.
pub(super) struct Job<'a> {
    args: &'a Args,
    common: &'a Common,
    policies: Policies<'a>,
    pub(super) sink: Sink,
    text: Option<TextStage<'a>>,
    pub(super) totals: Totals,
    /// An input was not empty.
    begun: bool,
    input: &'a mut [u8],
    output: &'a mut [u8],
}

/// Room for pieces of input and output.
pub(super) struct Buffers {
    input: Pages,
    output: Pages,
}

impl Buffers {
    pub(super) fn new(args: &Args, policies: &Policies<'_>) -> Self {
        let least = policies.transcoder(args.from.encoding, args.to.encoding).min_output();
        Self { input: Pages::new(PIECE_BYTES), output: Pages::new(OUTPUT.max(least)) }
    }
}

/// How one input becomes text in the target.
enum Way<'a> {
    /// At once: a text of its own in the output.
    Direct(Transcoder<Decoding<'a>, Unmappables<'a>>),
    /// Converts through the text stage.
    Text(Source<'a>),
}

/// One input under way.
struct Course<'a> {
    input: Unwrapped,
    opening: Opening,
    way: Way<'a>,
    /// The position of the start of the buffer, in lines and columns.
    position: Position,
    /// The start of the text that the text stage holds back, which can be refused later.
    held: Position,
    /// The last shift that leads to a state in which the text may not end.
    shift: Option<Position>,
    /// The last bytes before the buffer.
    before: Vec<u8>,
    /// The offset of the buffer in the input.
    start: u64,
    /// The number of bytes in the buffer, and whether the input ends with them.
    filled: usize,
    ended: bool,
    /// The declarations to change.
    changes: Changes,
}

impl Course<'_> {
    /// Takes the change of the declaration whose label is at the start of the buffer, all of it.
    fn change_here(&mut self) -> Option<Change> {
        let range = &self.changes.next.front()?.range;
        let is_here = range.start == self.start && range.end <= self.start + self.filled as u64;
        if is_here { self.changes.next.pop_front() } else { None }
    }

    /// Returns the number of bytes before the next change of a declaration.
    fn before_change(&self) -> usize {
        let distance = self.changes.next.front().map(|change| change.range.start.saturating_sub(self.start));
        distance.map_or(usize::MAX, |distance| usize::try_from(distance).unwrap_or(usize::MAX))
    }

    /// Returns `true` if the label of the next change is in the buffer.
    fn change_is_in_buffer(&self) -> bool {
        self.changes.next.front().is_some_and(|change| change.range.end <= self.start + self.filled as u64)
    }

    /// How much of the buffer is converted next: whole units only, so that lines can be counted piece by piece; the rest waits
    /// for the next piece.
    fn whole_units(&self) -> usize {
        if self.ended { self.filled } else { self.filled - self.filled % self.position.unit() }
    }
}

impl<'a> Job<'a> {
    pub(super) fn new(
        args: &'a Args,
        common: &'a Common,
        policies: &Policies<'a>,
        sink: Sink,
        buffers: &'a mut Buffers,
        totals: Totals,
    ) -> Self {
        let text = sink.as_text().then(|| {
            let padding = Padding::new(args.eof_1a, Encoding::UTF_8);
            let line_ends = LineEnds::new(args.eol, args.eol_separators, Encoding::UTF_8);
            let encodings = (args.from.encoding, sink.encoding());
            let cleaner = Cleaner::new(&args.clean);
            TextStage::new(policies, cleaner, args.normalization(), padding, line_ends, encodings)
        });
        let Buffers { input, output } = buffers;
        Self { args, common, policies: policies.clone(), sink, text, totals, begun: false, input, output }
    }

    /// Converts one input as a text of its own: a sequence cut at its end is an error of this input.
    pub(super) fn file(&mut self, mut input: Unwrapped) -> Result<Outcome, Unwritten> {
        let written_before = self.sink.written();
        if self.sink.open()?
            && let Some(text) = &mut self.text
        {
            text.sign(&mut self.sink)?;
        }
        let (filled, ended) = match self.head(&mut input) {
            Ok(head) => head,
            Err(e) => return Ok(self.cannot_read(&input.name, &e)),
        };
        let mut course = self.course(input, filled, ended);
        let outcome = self.pieces(&mut course)?;
        let is_whole = outcome == Outcome::Clean;
        match &mut self.text {
            Some(text) => text.end_input(is_whole, &mut self.sink)?,
            None => self.sink.end_input(is_whole)?,
        }
        Ok(self.conclude(&course, outcome, written_before))
    }

    /// Reads until the signature is known, which decides how the rest is read. Returns the number of bytes read, and
    /// whether the input ends with them.
    fn head(&mut self, input: &mut Unwrapped) -> io::Result<(usize, bool)> {
        let mut filled = 0;
        while signature::undecided(self.args.from.encoding, &self.input[..filled]) {
            match input::read(input, &mut self.input[filled..])? {
                0 => return Ok((filled, true)),
                len => filled += len,
            }
        }
        if declared::is_wanted(self.args) {
            let is_file = input.places().is_some();
            loop {
                let wanted =
                    declared::ahead(&input.name, &self.input[..filled], is_file).min(self.input.len());
                // The start of a stream decides how much more is needed.
                let wanted = if filled == 0 && !is_file { 1 } else { wanted };
                if filled >= wanted {
                    break;
                }
                match input::read(input, &mut self.input[filled..])? {
                    0 => return Ok((filled, true)),
                    len => filled += len,
                }
            }
        }
        Ok((filled, false))
    }

    /// Begins an input of which `filled` bytes are read.
    fn course(&mut self, mut input: Unwrapped, filled: usize, ended: bool) -> Course<'a> {
        let opening = Opening::new(self.args, &self.input[..filled], !self.begun);
        // Without a search for a signature nothing is read yet, and `begun` does not matter.
        self.begun |= !ended || filled > 0;
        let way = self.way(&opening);
        let position = Position::new(opening.encoding, opening.dropped, opening.drops_text);
        let held = position.clone();
        let before = Vec::with_capacity(CONTEXT);
        let changes = if declared::is_wanted(self.args) {
            let is_signed = self.sink.is_signed();
            declared::changes(self.args, &opening, is_signed, &self.input[..filled], ended, &mut input)
        } else {
            Changes::default()
        };
        let shift = None;
        Course { input, opening, way, position, held, shift, before, start: 0, filled, ended, changes }
    }

    /// Converts piece after piece, up to the end of the input or to an error.
    fn pieces(&mut self, course: &mut Course<'a>) -> Result<Outcome, Unwritten> {
        let policies = self.policies.clone();
        let mut plan = self.plan(course, &policies);
        loop {
            let is_alone = course.changes.next.is_empty();
            let cut = match &plan {
                Some(plan) if course.start >= MIN_PARALLEL_BYTES && !course.ended && is_alone => {
                    plan.cut(&self.input[..course.filled])
                }
                _ => None,
            };
            if let Some(change) = course.change_here() {
                self.change(course, change)?;
                continue;
            }
            let len = cut.unwrap_or_else(|| course.whole_units()).min(course.before_change());
            let last = course.ended && len == course.filled;
            if let Some(refused) = self.piece(&mut course.way, len, last)? {
                return Ok(self.refused(course, &refused, len));
            }
            self.pass(course, len);
            if !last && course.change_is_in_buffer() {
                continue;
            }
            if course.ended {
                return Ok(Outcome::Clean);
            }
            let stopped = if cut.is_some()
                && let Some(plan) = plan.take()
            {
                self.side_by_side(course, &plan)?
            } else {
                self.read_on(course)
            };
            if let Some(outcome) = stopped {
                return Ok(outcome);
            }
        }
    }

    /// Writes the new name of the encoding for the label at the start of the buffer.
    fn change(&mut self, course: &mut Course<'a>, change: Change) -> Result<(), Unwritten> {
        let len = usize::try_from(change.range.end - change.range.start).unwrap_or(0);
        if let Some(new) = &change.text {
            let label = &self.input[..len];
            match (&mut course.way, &mut self.text) {
                (Way::Text(source), Some(text)) => {
                    text.piece(source, label, false, Some(new), &mut self.sink)?;
                }
                (Way::Text(_), None) => {}
                (Way::Direct(transcoder), _) => {
                    let named =
                        Transcoder::new(Encoding::UTF_8, course.opening.encoding).transcode(new.as_bytes());
                    let (named, mut aside) = (named.unwrap_or_default(), transcoder.clone());
                    let mut read = 0;
                    while read < named.len() {
                        let progress = aside.convert(&named[read..], self.output, false);
                        read += progress.read;
                        self.sink.push(&self.output[..progress.written])?;
                    }
                    // The state and the offsets are those after the old label.
                    let _ = transcoder.convert(label, self.output, false);
                }
            }
            self.pass_changed(course, len, change);
        } else {
            course.changes.made.push((course.position.line(), course.position.column(), change));
        }
        Ok(())
    }

    fn pass_changed(&mut self, course: &mut Course<'a>, len: usize, change: Change) {
        course.changes.made.push((course.position.line(), course.position.column(), change));
        self.pass(course, len);
    }

    /// Removes the first bytes of the buffer, which were converted.
    fn pass(&mut self, course: &mut Course<'a>, len: usize) {
        let held_from = match (&course.way, &self.text) {
            (Way::Text(source), Some(text)) => text.held_back_from(source),
            _ => None,
        };
        let from = held_from.and_then(|from| from.checked_sub(course.start));
        let shift = match &course.way {
            Way::Direct(transcoder) => transcoder.open_shift(),
            Way::Text(source) => source.decoder.open_shift(),
        };
        let shift = shift.and_then(|shift| shift.offset().checked_sub(course.start));
        let in_piece = |at: Option<u64>| at.map(|at| usize::try_from(at).map_or(len, |at| at.min(len)));
        let (held, shift) = (in_piece(from), in_piece(shift));
        let mut places = [held, shift].map(|at| at.unwrap_or(len));
        places.sort_unstable();
        let mut passed = 0;
        for at in places {
            course.position.advance(&self.input[passed..at]);
            if held == Some(at) {
                course.held = course.position.clone();
            }
            if shift == Some(at) {
                course.shift = Some(course.position.clone());
            }
            passed = at;
        }
        course.position.advance(&self.input[passed..len]);
        course.start += len as u64;
        // A pipe may yield single bytes: the bytes carried over can come from several pieces.
        course.before.extend_from_slice(&self.input[len.saturating_sub(CONTEXT)..len]);
        course.before.drain(..course.before.len().saturating_sub(CONTEXT));
        self.input.copy_within(len..course.filled, 0);
        course.filled -= len;
    }

    /// Fills the buffer. Returns the outcome if that fails.
    fn read_on(&mut self, course: &mut Course<'a>) -> Option<Outcome> {
        match input::read(&mut course.input, &mut self.input[course.filled..]) {
            Ok(0) => course.ended = true,
            Ok(more) => course.filled += more,
            Err(e) => return Some(self.cannot_read(&course.input.name, &e)),
        }
        None
    }

    /// Converts the rest by several threads. Returns no outcome if they leave some of it.
    fn side_by_side(
        &mut self,
        course: &mut Course<'a>,
        plan: &Plan<'_>,
    ) -> Result<Option<Outcome>, Unwritten> {
        self.totals.add(&self.tally(&course.way), &course.input.name);
        let here = Here {
            rest: self.input[..course.filled].to_vec(),
            before: core::mem::take(&mut course.before),
            position: course.position.clone(),
        };
        let went = pipeline::run(plan, &mut course.input, here, &mut self.sink)?;
        self.totals.add(&went.tally, &course.input.name);
        let Here { rest, before, position } = went.here;
        course.start = position.offset();
        course.filled = rest.len();
        self.input[..rest.len()].copy_from_slice(&rest);
        (course.before, course.position) = (before, position);
        let transcoder = self.policies.transcoder(course.opening.encoding, self.sink.encoding());
        let transcoder = transcoder.starting_at(course.start);
        course.way = Way::Direct(if self.args.report { transcoder.counting() } else { transcoder });
        Ok(match went.stopped {
            Stopped::Uncut => None,
            Stopped::Ended => Some(Outcome::Clean),
            Stopped::Unread(e) => Some(self.cannot_read(&course.input.name, &e)),
            Stopped::Refused { refused, before, following } => {
                Some(self.refuse(course, &refused, &before, &following))
            }
        })
    }

    /// Reports where in the first `len` bytes of the buffer the conversion stopped, and why.
    fn refused(&self, course: &mut Course<'a>, refused: &Refused, len: usize) -> Outcome {
        if refused.offset() == course.held.offset() {
            course.position = course.held.clone();
        }
        if refused.offset() < course.position.offset()
            && let Some(shift) = course.shift.take()
        {
            course.position = shift;
        } else {
            course.position.advance_to(refused.offset(), &self.input[..len]);
        }
        let (before, following) = match refused {
            Refused::IllFormed(e) if e.kind() == IllFormedKind::UnclosedShift => {
                (Vec::new(), e.bytes().to_vec())
            }
            Refused::IllFormed(_) => self.text_around(refused.offset(), course),
            Refused::Unmappable { .. } => Default::default(),
        };
        self.refuse(course, refused, &before, &following)
    }

    fn refuse(&self, course: &Course<'a>, refused: &Refused, before: &[u8], following: &[u8]) -> Outcome {
        let message = match refused {
            Refused::IllFormed(e) => describe(e, course.opening.encoding, before, following),
            Refused::Unmappable { error, offset } => {
                policies::describe(error, *offset, self.args.to.encoding)
            }
        };
        let (line, column) = (course.position.line(), course.position.column());
        self.common.finding(&course.input.name, line, column, message);
        Outcome::Findings
    }

    /// Adds the counts of an input to the totals and reports them.
    fn conclude(&mut self, course: &Course<'a>, outcome: Outcome, written_before: u64) -> Outcome {
        let Course { input, opening, way, start, .. } = course;
        let outcome = outcome.max(self.normalized(way, &input.name));
        self.totals.add(&self.tally(way), &input.name);
        if outcome == Outcome::Clean {
            course.changes.conclude(&input.name, self.args.to.encoding, self.common);
        }
        if let Some((count, first)) = input.kept() {
            let message = transfer::explain_kept(count, &first);
            self.common.finding(&input.name, first.line(), first.column(), message);
        }
        if self.args.verbose.verbose && outcome == Outcome::Clean {
            self.common.line(format_args!(
                "{}: {} to {}, {} read, {} written",
                input.name,
                opening.encoding,
                self.args.to.encoding,
                counted(*start, "byte"),
                self.sink.written() - written_before,
            ));
        }
        outcome
    }

    /// How the rest of a long input can be converted by several threads, if it can.
    fn plan<'p>(&self, course: &Course<'a>, policies: &'p Policies<'a>) -> Option<Plan<'p>> {
        let (from, to) = (course.opening.encoding, self.sink.encoding());
        // The programs at the other ends of pipes have work to do as well.
        let waits = course.input.is_pipe();
        let others = usize::from(waits) + usize::from(self.sink.target().is_pipe());
        // If several files are changed at a time, each gets one thread.
        let alone = !self.args.one_by_one() || !self.args.recursive && self.args.files.len() == 1;
        let threads = if alone { self.args.threads.beside(others) } else { 1 };
        let common = self.common;
        let plan = Plan { policies, from, to, counts: self.args.report, threads, common, waits };
        (self.text.is_none() && plan.is_possible()).then_some(plan)
    }

    /// How an input is converted.
    fn way(&self, opening: &Opening) -> Way<'a> {
        let counts = self.args.report;
        match &self.text {
            Some(text) => {
                let source = text.source(&self.policies, opening.read_as, opening.drops_text);
                Way::Text(if counts { source.counting() } else { source })
            }
            None => {
                let transcoder = self.policies.transcoder(opening.read_as, self.sink.encoding());
                Way::Direct(if counts { transcoder.counting() } else { transcoder })
            }
        }
    }

    /// Reports if part of an input may not be in the requested normal form.
    fn normalized(&self, way: &Way<'_>, name: &Name) -> Outcome {
        let Way::Text(source) = way else { return Outcome::Clean };
        let Some(offset) = source.cut_from() else { return Outcome::Clean };
        self.common.error(format_args!(
            "{name}: more than {} KiB of marks in a row from byte {offset} on: they were normalized in parts, and the text \
             as a whole may not be in the normal form",
            Normalizer::MAX_HELD_BYTES / 1024
        ));
        Outcome::Findings
    }

    /// The counts of an input.
    fn tally(&self, way: &Way<'_>) -> Tally {
        match (way, &self.text) {
            (Way::Direct(transcoder), _) => transcoder.tally(),
            (Way::Text(source), Some(text)) => text.tally(source),
            (Way::Text(_), None) => Tally::default(),
        }
    }

    /// Converts the first `len` bytes of the buffer, or up to where they are refused.
    fn piece(&mut self, way: &mut Way<'a>, len: usize, last: bool) -> Result<Option<Refused>, Unwritten> {
        let piece = &self.input[..len];
        let transcoder = match (way, &mut self.text) {
            (Way::Direct(transcoder), _) => transcoder,
            (Way::Text(source), Some(text)) => return text.piece(source, piece, last, None, &mut self.sink),
            (Way::Text(_), None) => return Ok(None),
        };
        let mut read = 0;
        let refused = loop {
            let progress = transcoder.convert(&piece[read..], self.output, last);
            read += progress.read;
            self.sink.push(&self.output[..progress.written])?;
            match progress.status {
                Status::Done | Status::NeedInput => return Ok(None),
                Status::NeedOutput => {}
                Status::IllFormed(e) => break Refused::IllFormed(e),
                Status::Unmappable(e) => break Refused::Unmappable { error: e, offset: e.offset() },
            }
        };
        // The output before the error must be a complete text.
        let progress = transcoder.close(self.output);
        self.sink.push(&self.output[..progress.written])?;
        Ok(Some(refused))
    }

    /// Writes the text that was held back.
    pub(super) fn finish(&mut self) -> Result<(), Unwritten> {
        match &mut self.text {
            Some(text) if self.sink.is_open() => text.finish(&mut self.sink)?,
            _ => {}
        }
        self.sink.finish()?;
        if let Some((count, first)) = self.sink.unescaped() {
            let message = transfer::explain_kept(count, &first);
            self.common.finding(self.sink.target().name(), first.line(), first.column(), message);
        }
        Ok(())
    }

    fn cannot_read(&self, name: &Name, e: &io::Error) -> Outcome {
        if let Some(malformed) = transfer::refused(e) {
            let (line, column) = (malformed.line(), malformed.column());
            self.common.finding(name, line, column, transfer::explain(malformed));
            return Outcome::Findings;
        }
        self.common.error(format_args!("{name}: {}", reason(e)));
        Outcome::Trouble
    }

    /// A few bytes of the input before `offset` and from there on; `offset` lies in the buffer or shortly before it. A
    /// message about an error uses these bytes: they do not depend on the borders of pieces, and `check` uses the same
    /// number, so that both messages agree.
    fn text_around(&self, offset: u64, course: &mut Course<'a>) -> (Vec<u8>, Vec<u8>) {
        let carried = usize::try_from(course.start.saturating_sub(offset)).unwrap_or(usize::MAX);
        let (before, carried) = course.before.split_at(course.before.len().saturating_sub(carried));
        let mut text = carried.to_vec();
        let at = usize::try_from(offset.saturating_sub(course.start)).unwrap_or(usize::MAX);
        let (passed, rest) = self.input[..course.filled].split_at(at.min(course.filled));
        let before = [before, &passed[passed.len().saturating_sub(CONTEXT)..]].concat();
        text.extend(rest.iter().take(CONTEXT));
        let mut more = [0; CONTEXT];
        while !course.ended && text.len() < CONTEXT {
            match input::read(&mut course.input, &mut more[text.len()..]) {
                Ok(len) if len > 0 => {
                    let known = text.len();
                    text.extend_from_slice(&more[known..known + len]);
                }
                _ => break,
            }
        }
        (before, text)
    }
}
