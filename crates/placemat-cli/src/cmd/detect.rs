//! `placemat detect`: the encoding of each file, and how sure that is.

mod args;
mod mixed;
mod names;
pub(crate) mod report;
pub(crate) mod sample;

use crate::common::Common;
use crate::input;
use crate::options::Format;
use crate::outcome::Outcome;
use crate::output::Data;
use crate::pages::Pages;
use crate::palette::Palette;
use crate::progress;
use crate::shown::reason;
use crate::walk::{Found, Tracked, Trouble};
pub(crate) use args::Args;
use args::EVEN;
use placemat::detect::{Detection, Detector, Verdict};
use report::Report;
use sample::Sample;
use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::sync::{Condvar, Mutex, PoisonError};

/// Bytes that are read at a time.
const PIECE_BYTES: usize = 256 * 1024;
/// Threads may read up to this many files after the one whose turn it is.
const MAX_FILES_AHEAD: u64 = 1024;

pub(crate) fn run(args: &Args, common: &Common) -> Outcome {
    let Some(paths) = common.ok(args.names.all(&args.paths, false)) else { return Outcome::Trouble };
    if args.file_names {
        return names::run(args, &paths, common);
    }
    let Some(files) = common.ok(args.walk.files(&paths, Tracked::Always, common)) else {
        return Outcome::Trouble;
    };
    let is_tree = paths.iter().any(|path| path.is_dir());
    progress::start(common.quiet, if is_tree { &[] } else { &paths });
    let data = match Data::stdout() {
        Ok(data) => data,
        Err(e) => return common.written(Err(e)),
    };
    let threads = if args.mixed {
        // Regions are written as they are found.
        1
    } else if paths.len() > 1 || is_tree {
        args.threads.beside(0)
    } else {
        1
    };
    let told = Told { turn: 0, waiting: BTreeMap::new(), data, failed: None, outcome: Outcome::Clean };
    let all = All {
        args,
        common,
        styles: common.data_styles(),
        queue: Mutex::new((files, 0)),
        told: Mutex::new(told),
        moved: Condvar::new(),
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            // If the thread cannot be started, the others do its work.
            drop(std::thread::Builder::new().spawn_scoped(scope, || all.work()));
        }
        all.work();
    });
    let mut told = all.told.into_inner().unwrap_or_else(PoisonError::into_inner);
    let flushed = told.data.flush();
    let written = told.failed.map_or(flushed, Err).map(|()| Outcome::Clean);
    told.outcome.max(common.written(written))
}

/// The files, and the threads that read them.
struct All<'a, I> {
    args: &'a Args,
    common: &'a Common,
    styles: Palette,
    /// The files that no thread has taken yet, and the number of the next.
    queue: Mutex<(I, u64)>,
    told: Mutex<Told>,
    /// Signals that the turn has moved on.
    moved: Condvar,
}

/// The reports, in the order of the files.
struct Told {
    turn: u64,
    waiting: BTreeMap<u64, Line>,
    data: Data,
    failed: Option<io::Error>,
    outcome: Outcome,
}

/// The report of a file.
enum Line {
    Found(String, Outcome),
    Skipped(Option<String>),
    Trouble(String),
}

impl<I: Iterator<Item = Result<Found, Trouble>> + Send> All<'_, I> {
    fn work(&self) {
        let mut buffer = Pages::new(if self.args.mixed { 0 } else { PIECE_BYTES });
        loop {
            let (number, found) = {
                let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
                let Some(found) = queue.0.next() else { return };
                queue.1 += 1;
                (queue.1 - 1, found)
            };
            let line = match found {
                Ok(found) if self.args.mixed => self.mixed(&found),
                Ok(found) => self.one(&found, &mut buffer),
                Err(trouble) => Line::Trouble(trouble.to_string()),
            };
            let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
            while number >= told.turn + MAX_FILES_AHEAD && told.failed.is_none() {
                told = self.moved.wait(told).unwrap_or_else(PoisonError::into_inner);
            }
            told.waiting.insert(number, line);
            while let Some(line) = {
                let turn = told.turn;
                told.waiting.remove(&turn)
            } {
                told.turn += 1;
                self.tell(&mut told, line);
            }
            let failed = told.failed.is_some();
            drop(told);
            self.moved.notify_all();
            if failed {
                return;
            }
        }
    }

    fn tell(&self, told: &mut Told, line: Line) {
        let written = match line {
            Line::Found(text, outcome) => {
                told.outcome = told.outcome.max(outcome);
                told.data.write_all(text.as_bytes())
            }
            Line::Skipped(None) => Ok(()),
            Line::Skipped(Some(note)) => told.data.flush().map(|()| self.common.line(note)),
            Line::Trouble(message) => {
                told.outcome = Outcome::Trouble;
                told.data.flush().map(|()| self.common.error(message))
            }
        };
        if let Err(e) = written {
            told.failed.get_or_insert(e);
        }
    }

    fn one(&self, found: &Found, buffer: &mut [u8]) -> Line {
        let (detection, sample) = match self.detect(found, buffer) {
            Ok(detection) => detection,
            Err(e) => return Line::Trouble(format!("{}: {}", input::name_of(&found.path), reason(&e))),
        };
        if let Some(skipped) = self.skipped(found, &detection) {
            return skipped;
        }
        self.line(found, &detection, &sample)
    }

    /// The note on a file in a directory that is binary.
    fn skipped(&self, found: &Found, detection: &Detection) -> Option<Line> {
        let skips = detection.verdict == Verdict::Binary && !found.named && !self.args.walk.text;
        let note = || format!("{}: skipped as binary (-a shows it)", input::name_of(&found.path));
        skips.then(|| Line::Skipped(self.args.verbose.verbose.then(note)))
    }

    /// The report of a file.
    fn line(&self, found: &Found, detection: &Detection, sample: &Sample) -> Line {
        let is_sure = match detection.verdict {
            Verdict::Text => detection.confidence >= EVEN,
            Verdict::Binary | Verdict::Empty => true,
            _ => false,
        };
        let outcome = if is_sure { Outcome::Clean } else { Outcome::Findings };
        if self.common.quiet {
            return Line::Found(String::new(), outcome);
        }
        let report = Report { path: &found.path, found: detection, sample, styles: self.styles };
        let text = match self.args.format.format {
            _ if self.args.mime => report.mime(self.args.brief),
            _ if self.args.brief => report.brief(),
            Format::Jsonl => report.json(),
            Format::Text => report.text(self.args.top, self.args.explain || self.args.verbose.verbose),
        };
        Line::Found(text, outcome)
    }

    fn detect(&self, found: &Found, buffer: &mut [u8]) -> io::Result<(Detection, Sample)> {
        let mut file =
            if found.named { input::open(&found.path)?.file } else { input::open_file(&found.path)? };
        let mut detector = Detector::new();
        let mut sample = Sample::default();
        let is_shown = self.args.format.format == Format::Text
            && !self.args.brief
            && !self.args.mime
            && !self.common.quiet;
        let mut left = self.args.sample.unwrap_or(u64::MAX);
        while left > 0 {
            let room = usize::try_from(left).unwrap_or(usize::MAX).min(buffer.len());
            let len = input::read(&mut file, &mut buffer[..room])?;
            if len == 0 {
                break;
            }
            detector.feed(&buffer[..len]);
            if is_shown {
                sample.feed(&buffer[..len]);
            }
            left -= len as u64;
        }
        Ok((self.args.newline.of_all(detector.finish()), sample))
    }
}
