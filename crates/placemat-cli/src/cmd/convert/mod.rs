//! `placemat convert`: files in one encoding, one text in another.

mod args;
mod doubt;
mod each;
mod in_place;
mod line_ends;
mod mirror;
mod pipeline;
mod policies;
mod position;
mod signature;
mod sink;
mod target;
mod text;
mod totals;
mod transfer;

pub(crate) use args::Args;

use crate::common::Common;
use crate::input;
use crate::outcome::Outcome;
use crate::progress;
use crate::shown::Name;
use line_ends::LineEnds;
use pipeline::{Here, Plan, Stopped};
use placemat::Encoding;
use placemat::normalize::Normalizer;
use placemat::stream::{Status, Tally, Transcoder};
use policies::Policies;
use position::Position;
use signature::Opening;
use sink::{Sink, Unwritten};
use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use target::Target;
use text::{Refused, Source, TextStage};
use totals::Totals;
use transfer::Unwrapped;

/// Bytes of input at a time. With the output of it still well within a second-level cache, and few system calls.
const PIECE: usize = 128 * 1024;
/// Bytes of output at a time, at the least.
const OUTPUT: usize = 256 * 1024;

/// Runs the command.
pub(crate) fn run(mut args: Args, common: &Common) -> Outcome {
    args.files = match args.names.all(&args.files, false) {
        Ok(files) => files,
        Err(refused) => {
            common.error(refused);
            return Outcome::Trouble;
        }
    };
    if let Some(form) = args.given {
        args.from = form;
    }
    let args = &args;
    crate::replace::survive_limits();
    // Text on a terminal and a line about it would be in each other's way.
    let shown = args.output.is_none() && !args.one_by_one() && io::stdout().is_terminal();
    progress::start(common.quiet || shown, if args.recursive { &[] } else { &args.files });
    let ran = transfer::refusal(args).map_or_else(|| Policies::new(args), Err).and_then(|policies| {
        if args.one_by_one() { each::run(args, common, &policies) } else { joined(args, common, &policies) }
    });
    ran.unwrap_or_else(|message| {
        common.error(message);
        Outcome::Trouble
    })
}

/// All inputs as one output; or why that cannot be.
fn joined(args: &Args, common: &Common, policies: &Policies<'_>) -> Result<Outcome, String> {
    let paths = &args.files;
    let several = paths.len() > 1;
    let declared = declared(args, paths, common)?;
    let args = declared.as_ref().unwrap_or(args);
    let sink = Sink::new(args, several, Target::new(args, paths)?)?;
    let mut buffers = Buffers::new(args, policies);
    let mut job = Job::new(args, common, policies, sink, &mut buffers, Totals::new(several));
    let mut worst = Outcome::Clean;
    for path in paths {
        let outcome = match input::open(path) {
            Ok(input) => job.file(Unwrapped::new(input, args)),
            Err(e) => {
                common.error(input::trouble(path, &e));
                Ok(Outcome::Trouble)
            }
        };
        match outcome {
            Ok(outcome) => worst = worst.max(outcome),
            Err(unwritten) => return Ok(worst.max(job.sink.failed(&unwritten, common))),
        }
    }
    if let Err(unwritten) = job.finish() {
        return Ok(worst.max(job.sink.failed(&unwritten, common)));
    }
    let Job { sink, totals, .. } = job;
    let lost = args.fail_on_loss && totals.lost(policies.kept());
    if worst != Outcome::Clean || lost {
        sink.target().partial(common);
    } else if args.dry_run {
        let written = sink.written();
        common.line(format_args!("{}: would be written, {written} bytes", sink.target().name()));
    } else {
        worst = sink.into_target().put(common);
    }
    totals.warn(common);
    Ok(worst.max(totals.conclude(args, policies, common)))
}

/// The arguments for the encoding that files around the inputs say they have, if they do; or why that cannot be.
fn declared(args: &Args, paths: &[PathBuf], common: &Common) -> Result<Option<Args>, String> {
    let Some(mut config) = args.config() else { return Ok(None) };
    let mut first: Option<(Encoding, &PathBuf)> = None;
    for path in paths {
        let choice = config.choice(path);
        if let Some(warning) = choice.warning {
            common.warn(warning);
        }
        let encoding = choice.encoding.unwrap_or(args.from.encoding);
        if args.verbose.verbose && choice.encoding.is_some() {
            common.line(format_args!("{}: read as {encoding}: {}", input::name_of(path), choice.why));
        }
        match first {
            None => first = Some((encoding, path)),
            Some((known, other)) if known != encoding => {
                return Err(format!(
                    "{} is to be read as {known} and {} as {encoding}, as .gitattributes and .editorconfig have it: convert \
                     them one at a time, or name one encoding with -f",
                    input::name_of(other),
                    input::name_of(path)
                ));
            }
            Some(_) => {}
        }
    }
    Ok(first
        .filter(|(encoding, _)| *encoding != args.from.encoding)
        .map(|(encoding, _)| args.reading_declared(encoding)))
}

/// Bytes after which it is worth while to have several threads.
const LONG: u64 = 512 * 1024;
/// Bytes that a message about an error looks at.
const CONTEXT: usize = 16;

/// What is known of the input around the buffer.
struct Around<'a> {
    /// The last bytes before it.
    before: &'a [u8],
    /// Where in the input it starts.
    start: u64,
    /// How many bytes are in it, and whether the input ends with them.
    filled: usize,
    ended: bool,
}

/// One run of the command: where the text goes, and what was met on the way.
struct Job<'a> {
    args: &'a Args,
    common: &'a Common,
    policies: Policies<'a>,
    sink: Sink,
    text: Option<TextStage<'a>>,
    totals: Totals,
    /// An input had something in it.
    begun: bool,
    input: &'a mut [u8],
    output: &'a mut [u8],
}

/// Room for pieces of input and output.
struct Buffers {
    input: Box<[u8]>,
    output: Box<[u8]>,
}

impl Buffers {
    fn new(args: &Args, policies: &Policies<'_>) -> Self {
        let least = policies.transcoder(args.from.encoding, args.to.encoding).min_output();
        Self { input: vec![0; PIECE].into(), output: vec![0; OUTPUT.max(least)].into() }
    }
}

/// How one input becomes text in the target.
enum Way<'a> {
    /// At once: a text of its own in the output.
    Direct(Transcoder<policies::Decoding<'a>, policies::Unmappables<'a>>),
    /// By way of the text stage.
    Text(Source<'a>),
}

impl<'a> Job<'a> {
    fn new(
        args: &'a Args,
        common: &'a Common,
        policies: &Policies<'a>,
        sink: Sink,
        buffers: &'a mut Buffers,
        totals: Totals,
    ) -> Self {
        let text = sink.as_text().then(|| {
            let line_ends = LineEnds::new(args.eol, Encoding::UTF_8);
            let encodings = (args.from.encoding, sink.encoding());
            TextStage::new(policies, args.normalization(), line_ends, encodings)
        });
        let Buffers { input, output } = buffers;
        Self { args, common, policies: policies.clone(), sink, text, totals, begun: false, input, output }
    }

    /// Converts one input: a text of its own, so that what is cut off at its end is an error of it.
    fn file(&mut self, mut input: Unwrapped) -> Result<Outcome, Unwritten> {
        let written_before = self.sink.written();
        if self.sink.open()?
            && let Some(text) = &mut self.text
        {
            text.sign(&mut self.sink)?;
        }
        let mut filled = 0;
        // The signature decides how the rest is read.
        let mut ended = false;
        while !ended && signature::undecided(self.args.from.encoding, &self.input[..filled]) {
            match input::read(&mut input, &mut self.input[filled..]) {
                Ok(0) => ended = true,
                Ok(len) => filled += len,
                Err(e) => return Ok(self.cannot_read(&input.name, &e)),
            }
        }
        let opening = Opening::new(self.args, &self.input[..filled], !self.begun);
        let mut way = self.way(&opening);
        // Where no signature is looked for, nothing was read yet; and it does not matter.
        self.begun |= !ended || filled > 0;
        let mut position = Position::new(opening.encoding, opening.dropped, opening.drops_text);
        let unit = position.unit();
        // Where what the text stage holds back began: it can be refused later.
        let mut held = position.clone();
        let mut before = Vec::with_capacity(CONTEXT);
        let mut start = 0;
        let policies = self.policies.clone();
        let mut plan = self.plan(&opening, &policies, &input);
        let outcome = loop {
            // Whole units only, so that lines can be counted piece by piece; the rest waits for the next one.
            let mut len = if ended { filled } else { filled - filled % unit };
            let cut = match &plan {
                Some(plan) if start >= LONG && !ended => plan.cut(&self.input[..filled]),
                _ => None,
            };
            len = cut.unwrap_or(len);
            match self.piece(&mut way, len, ended)? {
                None => {
                    let from = self.held_from(&way).and_then(|from| from.checked_sub(start));
                    let passed = from.and_then(|from| usize::try_from(from).ok()).unwrap_or(0).min(len);
                    if from.is_some() {
                        position.advance(&self.input[..passed]);
                        held = position.clone();
                    }
                    position.advance(&self.input[passed..len]);
                }
                Some(refused) => {
                    if refused.offset() == held.offset() {
                        position = held;
                    }
                    position.advance_to(refused.offset(), &self.input[..len]);
                    let here = Around { before: &before, start, filled, ended };
                    let (before, following) = match refused {
                        Refused::IllFormed(_) => self.text_around(refused.offset(), &here, &mut input),
                        Refused::Unmappable { .. } => Default::default(),
                    };
                    let message = self.describe(&refused, opening.encoding, &before, &following);
                    break self.refuse(&input.name, &position, message);
                }
            }
            start += len as u64;
            if ended {
                break Outcome::Clean;
            }
            // A pipe may yield a byte at a time: what is carried over can be of several pieces.
            before.extend_from_slice(&self.input[len.saturating_sub(CONTEXT)..len]);
            before.drain(..before.len().saturating_sub(CONTEXT));
            self.input.copy_within(len..filled, 0);
            filled -= len;
            if cut.is_some()
                && let Some(plan) = plan.take()
            {
                self.totals.add(&self.tally(&way), &input.name);
                let here = Here { rest: self.input[..filled].to_vec(), before, position };
                let went = plan.run(&mut input, here, &mut self.sink)?;
                self.totals.add(&went.tally, &input.name);
                Here { before, position, .. } = went.here;
                start = position.offset();
                filled = went.here.rest.len();
                self.input[..filled].copy_from_slice(&went.here.rest);
                let rest =
                    self.policies.transcoder(opening.encoding, self.sink.encoding()).starting_at(start);
                way = Way::Direct(if self.args.report { rest.counting() } else { rest });
                match went.stopped {
                    Stopped::Uncut => continue,
                    Stopped::Ended => break Outcome::Clean,
                    Stopped::Unread(e) => break self.cannot_read(&input.name, &e),
                    Stopped::Refused { refused, before, following } => {
                        let message = self.describe(&refused, opening.encoding, &before, &following);
                        break self.refuse(&input.name, &position, message);
                    }
                }
            }
            match input::read(&mut input, &mut self.input[filled..]) {
                Ok(0) => ended = true,
                Ok(more) => filled += more,
                Err(e) => break self.cannot_read(&input.name, &e),
            }
        };
        let outcome = outcome.max(self.normalized(&way, &input.name));
        self.totals.add(&self.tally(&way), &input.name);
        if self.args.verbose.verbose && outcome == Outcome::Clean {
            self.common.line(format_args!(
                "{}: {} to {}, {start} bytes read, {} written",
                input.name,
                opening.encoding,
                self.args.to.encoding,
                self.sink.written() - written_before,
            ));
        }
        Ok(outcome)
    }

    /// What stopped the conversion, in words.
    fn describe(&self, refused: &Refused, from: Encoding, before: &[u8], following: &[u8]) -> String {
        match refused {
            Refused::IllFormed(e) => crate::diagnose::describe(e, from, before, following),
            Refused::Unmappable { error, offset } => {
                policies::describe(error, *offset, self.args.to.encoding)
            }
        }
    }

    fn refuse(&self, name: &Name, position: &Position, message: String) -> Outcome {
        self.common.finding(name, position.line(), position.column(), message);
        Outcome::Findings
    }

    /// How the rest of a long input can be converted by several threads, if it can.
    fn plan<'p>(&self, opening: &Opening, policies: &'p Policies<'a>, input: &Unwrapped) -> Option<Plan<'p>> {
        let (from, to) = (opening.encoding, self.sink.encoding());
        // The programs at the other ends of pipes have work to do as well.
        let waits = input.is_pipe();
        let others = usize::from(waits) + usize::from(self.sink.target().is_pipe());
        // Where several files are changed at a time, each is one thread's.
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
                let source = Source::new(&self.policies, opening.read_as, opening.drops_text, text);
                Way::Text(if counts { source.counting() } else { source })
            }
            None => {
                let transcoder = self.policies.transcoder(opening.read_as, self.sink.encoding());
                Way::Direct(if counts { transcoder.counting() } else { transcoder })
            }
        }
    }

    /// Says so if not all of an input may be in the normal form that was asked for.
    fn normalized(&self, way: &Way<'_>, name: &Name) -> Outcome {
        let Way::Text(source) = way else { return Outcome::Clean };
        let Some(offset) = source.cut_from() else { return Outcome::Clean };
        self.common.error(format_args!(
            "{name}: more than {} KiB of marks in a row from byte {offset} on: they were normalized in parts, and the text \
             as a whole may not be in the normal form",
            Normalizer::MOST / 1024
        ));
        Outcome::Findings
    }

    /// What an input had.
    fn tally(&self, way: &Way<'_>) -> Tally {
        match (way, &self.text) {
            (Way::Direct(transcoder), _) => transcoder.tally(),
            (Way::Text(source), Some(text)) => source.tally(text),
            (Way::Text(_), None) => Tally::default(),
        }
    }

    /// Converts the first `len` bytes of the buffer, or up to where they are refused.
    fn piece(&mut self, way: &mut Way<'a>, len: usize, last: bool) -> Result<Option<Refused>, Unwritten> {
        let piece = &self.input[..len];
        let transcoder = match (way, &mut self.text) {
            (Way::Direct(transcoder), _) => transcoder,
            (Way::Text(source), Some(text)) => return text.piece(source, piece, last, &mut self.sink),
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
        // What precedes the error is to be a whole text.
        let progress = transcoder.close(self.output);
        self.sink.push(&self.output[..progress.written])?;
        Ok(Some(refused))
    }

    /// Where in an input began what is held back of it.
    fn held_from(&self, way: &Way<'_>) -> Option<u64> {
        match (way, &self.text) {
            (Way::Text(source), Some(text)) => source.held_from(text),
            _ => None,
        }
    }

    /// Writes what was held back.
    fn finish(&mut self) -> Result<(), Unwritten> {
        match &mut self.text {
            Some(text) if self.sink.is_open() => text.finish(&mut self.sink),
            _ => self.sink.finish(),
        }
    }

    /// A few bytes of the input before `offset` and from there on; it lies in the buffer or shortly before it. That is
    /// what a message about an error looks at: the same bytes wherever the pieces were cut, and those that `check` has,
    /// so that both say the same.
    fn text_around(&self, offset: u64, here: &Around<'_>, input: &mut Unwrapped) -> (Vec<u8>, Vec<u8>) {
        let carried = usize::try_from(here.start.saturating_sub(offset)).unwrap_or(usize::MAX);
        let (before, carried) = here.before.split_at(here.before.len().saturating_sub(carried));
        let mut text = carried.to_vec();
        let at = usize::try_from(offset.saturating_sub(here.start)).unwrap_or(usize::MAX);
        let (passed, rest) = self.input[..here.filled].split_at(at.min(here.filled));
        let before = [before, &passed[passed.len().saturating_sub(CONTEXT)..]].concat();
        text.extend(rest.iter().take(CONTEXT));
        let mut more = [0; CONTEXT];
        while !here.ended && text.len() < CONTEXT {
            match input::read(input, &mut more[text.len()..]) {
                Ok(len) if len > 0 => {
                    let known = text.len();
                    text.extend_from_slice(&more[known..known + len]);
                }
                _ => break,
            }
        }
        (before, text)
    }

    fn cannot_read(&self, name: &Name, e: &io::Error) -> Outcome {
        if let Some(malformed) = transfer::refused(e) {
            self.common.error(format_args!("{name}: {malformed}"));
            return Outcome::Findings;
        }
        self.common.error(format_args!("{name}: {}", crate::shown::reason(e)));
        Outcome::Trouble
    }
}
