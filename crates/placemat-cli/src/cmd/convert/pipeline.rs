//! One long input by several threads: pieces are read from their places or in turn, converted side by side, and written in
//! turn. So reading, converting and writing overlap, in pipes as well as between files.
//!
//! A thread whose piece is converted before its turn leaves the output to the thread that writes, and takes the next
//! piece; it waits only if too much is left there already.
//!
//! A text is cut where nothing of what precedes matters for what follows, and each piece is converted as a text of its own
//! that knows where it stands. Where no such place is in a piece, the rest is given back, to be converted in one go.
//!
//! Where both ends are files, pieces could be written to their places side by side; but Linux lets one thread at a time write
//! to a file, so that this takes longer.

use super::pieces::OUTPUT;
use super::plan::{Here, Plan, Stopped, Went};
use super::position::Position;
use super::reader::{Piece, Reader};
use super::sink::{Sink, Unwritten};
use super::text::Refused;
use super::transfer::Unwrapped;
use crate::pages::Pages;
use crate::progress;
use placemat::stream::{Status, Tally};
use std::collections::BTreeMap;
use std::fs::File;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Converts `input` to its end, or up to an error.
pub(super) fn run(
    plan: &Plan<'_>,
    input: &mut Unwrapped,
    here: Here,
    sink: &mut Sink,
) -> Result<Went, Unwritten> {
    let Here { rest, before, position } = here;
    let start = position.offset();
    let (file, place) = input.places().unzip();
    let reader = Reader::new(input, place, rest, before, start);
    let turn = Turn {
        index: 0,
        waiting: BTreeMap::new(),
        waiters: 0,
        spare: Vec::new(),
        sink: Some(sink),
        position,
        tally: Tally::default(),
        stopped: None,
        failed: None,
    };
    let shared =
        Shared { plan, file, reader: Mutex::new(reader), turn: Mutex::new(turn), moved: Condvar::new() };
    std::thread::scope(|scope| {
        for _ in 1..plan.threads {
            // If the thread cannot be started, the others do its work.
            drop(std::thread::Builder::new().spawn_scoped(scope, || shared.work()));
        }
        shared.work();
    });
    let Shared { reader, turn, .. } = shared;
    let reader = reader.into_inner().unwrap_or_else(PoisonError::into_inner);
    let turn = turn.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(failed) = turn.failed {
        return Err(failed);
    }
    Ok(Went {
        here: Here { rest: reader.rest, before: reader.before, position: turn.position },
        tally: turn.tally,
        stopped: turn.stopped.or(reader.stopped).unwrap_or(Stopped::Ended),
    })
}

/// The state that the threads share.
struct Shared<'a> {
    plan: &'a Plan<'a>,
    /// The input, if pieces are read by their places.
    file: Option<File>,
    reader: Mutex<Reader<'a>>,
    turn: Mutex<Turn<'a>>,
    /// Signals that fewer outputs wait, or that no thread is writing.
    moved: Condvar,
}

/// The piece whose turn it is to be written, and the counts so far.
struct Turn<'a> {
    index: u64,
    /// Outputs of pieces whose turn has not come, and the number of threads that wait until there are fewer.
    waiting: BTreeMap<u64, Output>,
    waiters: usize,
    /// Spare buffers, from outputs that are already written.
    spare: Vec<Pages>,
    /// `None` while a thread writes.
    sink: Option<&'a mut Sink>,
    position: Position,
    tally: Tally,
    stopped: Option<Stopped>,
    failed: Option<Unwritten>,
}

/// The output of a piece.
struct Output {
    bytes: Pages,
    written: usize,
    passed: Position,
    tally: Tally,
    stopped: Option<Stopped>,
}

impl Shared<'_> {
    /// Converts pieces until there are no more, or until an error or another thread stops the work.
    fn work(&self) {
        let mut piece = Piece::new();
        while !lock(&self.turn).is_over() && lock(&self.reader).next(self.plan, &mut piece) {
            let unread = piece.read(self.plan, self.file.as_ref()).err();
            let room = lock(&self.turn).spare.pop();
            let mut output = self.convert(&piece, room.unwrap_or_else(|| Pages::new(OUTPUT)));
            output.stopped = output.stopped.or(unread.map(Stopped::Unread));
            self.pass_on(piece.index, output);
        }
    }

    fn convert(&self, piece: &Piece, mut bytes: Pages) -> Output {
        let &Plan { policies, from, to, counts, .. } = self.plan;
        let text = piece.text();
        let transcoder = policies.transcoder(from, to).starting_at(piece.start);
        let mut transcoder = if counts { transcoder.counting() } else { transcoder };
        let (mut read, mut written) = (0, 0);
        let refused = loop {
            bytes.grow(written + OUTPUT.max(transcoder.min_output()));
            let p = transcoder.convert(&text[read..], &mut bytes[written..], true);
            read += p.read;
            written += p.written;
            match p.status {
                Status::Done | Status::NeedInput => break None,
                Status::NeedOutput => {}
                Status::IllFormed(e) => break Some(Refused::IllFormed(e)),
                Status::Unmappable(e) => break Some(Refused::Unmappable { error: e, offset: e.offset() }),
            }
        };
        let mut passed = Position::new(from, 0, false);
        match &refused {
            Some(refused) => passed.advance_to(refused.offset() - piece.start, text),
            None => passed.advance(text),
        }
        let stopped = refused.map(|refused| {
            let (before, following) = piece.around(refused.offset());
            Stopped::Refused { refused, before, following }
        });
        Output { bytes, written, passed, tally: transcoder.tally(), stopped }
    }

    /// Leaves an output to the thread that writes, or writes it and those that follow.
    fn pass_on(&self, index: u64, output: Output) {
        let mut turn = lock(&self.turn);
        while turn.index != index && turn.waiting.len() >= self.most() && !turn.is_over() {
            turn.waiters += 1;
            turn = self.moved.wait(turn).unwrap_or_else(PoisonError::into_inner);
            turn.waiters -= 1;
        }
        turn.waiting.insert(index, output);
        let Some(sink) = turn.sink.take() else { return };
        while !turn.is_over()
            && let index = turn.index
            && let Some(output) = turn.waiting.remove(&index)
        {
            if turn.waiters > 0 && turn.waiting.len() <= self.most() / 2 {
                self.moved.notify_all();
            }
            drop(turn);
            let failed = sink.push(&output.bytes[..output.written]).err();
            if let Some(failed) = &failed
                && self.plan.waits
            {
                // Other threads may wait for input that never comes: the program ends here.
                let outcome = sink.failed(failed, self.plan.common);
                progress::end();
                outcome.exit();
            }
            turn = lock(&self.turn);
            turn.failed = failed;
            turn.take(output);
        }
        turn.sink = Some(sink);
        // A thread may wait with the piece whose turn it is.
        if turn.waiters > 0 {
            self.moved.notify_all();
        }
    }

    /// Returns the number of outputs that may wait.
    fn most(&self) -> usize {
        self.plan.threads.clamp(4, 16)
    }
}

impl Turn<'_> {
    /// Counts an output that is written.
    fn take(&mut self, output: Output) {
        self.position.append(output.passed);
        self.tally = joined(self.tally, output.tally);
        self.stopped = output.stopped;
        self.spare.push(output.bytes);
        self.index += 1;
    }

    const fn is_over(&self) -> bool {
        self.stopped.is_some() || self.failed.is_some()
    }
}

/// Returns the sum of the counts of a text and of its next part.
fn joined(mut all: Tally, next: Tally) -> Tally {
    for (all, next) in [
        (&mut all.replaced, next.replaced),
        (&mut all.ignored, next.ignored),
        (&mut all.unclosed, next.unclosed),
        (&mut all.unmappable, next.unmappable),
    ] {
        all.count += next.count;
        all.first = all.first.or(next.first);
    }
    all.decoded = match (all.decoded, next.decoded) {
        (Some(all), Some(next)) => Some(all + next),
        (all, next) => all.or(next),
    };
    all
}

/// No thread panics while it holds a lock.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
