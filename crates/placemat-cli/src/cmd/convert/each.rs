//! `--in-place`: each file by itself, and directories with all that is in them.

use super::args::Args;
use super::in_place::{Became, Successor};
use super::policies::Policies;
use super::sink::Sink;
use super::target::Target;
use super::totals::Totals;
use super::transfer::Unwrapped;
use super::{Buffers, Job};
use crate::cmd::{Common, Outcome};
use crate::input::{self, Input};
use crate::lines::is_wide;
use crate::output::{Data, Name, reason};
use crate::walk::Found;
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::PathBuf;

/// As many bytes tell whether a file is text: a NUL among them says that it is not.
const HEAD: u64 = 8 * 1024;

/// Converts each file; or why that cannot be.
pub(super) fn run(args: &Args, common: &Common, policies: &Policies<'_>) -> Result<Outcome, String> {
    if args.files.is_empty() || args.files.iter().any(|path| input::is_stdin(path)) {
        return Err("--in-place needs files, and not standard input".into());
    }
    let mut all = Each {
        args,
        common,
        policies,
        buffers: Buffers::new(args, policies),
        totals: Totals::new(true),
        met: (args.files.len() > 1).then(HashSet::new),
        data: args.dry_run.then(Data::stdout).transpose().map_err(|e| reason(&e))?,
        worst: Outcome::Clean,
    };
    let (directories, files): (Vec<_>, Vec<_>) = args.files.iter().cloned().partition(|path| path.is_dir());
    for path in directories.iter().filter(|_| !args.recursive) {
        all.trouble(format_args!("{}: is a directory (-r takes all files in it)", Name::new(path)));
    }
    let paths: Vec<PathBuf> = if args.recursive { args.files.clone() } else { files };
    let mut written = Ok(());
    if !paths.is_empty() {
        for found in args.walk.files(&paths).map_err(|trouble| trouble.to_string())? {
            match found {
                Ok(found) => written = all.one(&found),
                Err(trouble) => all.trouble(trouble),
            }
            if written.is_err() {
                break;
            }
        }
    }
    if let Err(e) = written.and_then(|()| all.data.as_mut().map_or(Ok(()), io::Write::flush)) {
        return Ok(all.worst.max(common.cannot_write(&Name::stdout(), &e)));
    }
    all.totals.warn(common);
    Ok(all.worst.max(all.totals.conclude(args, policies, common)))
}

/// One run over many files.
struct Each<'a> {
    args: &'a Args,
    common: &'a Common,
    policies: &'a Policies<'a>,
    buffers: Buffers,
    totals: Totals,
    /// Files that were met, if one could be met again: a text must not be converted twice.
    met: Option<HashSet<PathBuf>>,
    /// Where it is said what would change.
    data: Option<Data>,
    worst: Outcome,
}

impl Each<'_> {
    fn trouble(&mut self, message: impl core::fmt::Display) {
        self.common.error(message);
        self.worst = Outcome::Trouble;
    }

    /// Converts one file. The error is one of writing to standard output.
    fn one(&mut self, found: &Found) -> io::Result<()> {
        let name = Name::new(&found.path);
        if let Some(met) = &mut self.met
            && let Ok(path) = fs::canonicalize(&found.path)
            && !met.insert(path)
        {
            return Ok(());
        }
        let (successor, mut file) = match Successor::new(&found.path, self.args.dry_run) {
            Ok(opened) => opened,
            Err(message) => {
                self.trouble(message);
                return Ok(());
            }
        };
        if !found.named && !self.args.walk.text && !is_wide(self.args.from.encoding) {
            match is_binary(&mut file) {
                Ok(true) => {
                    if self.args.verbose.verbose {
                        self.common.line(format_args!("{name}: skipped as binary (-a converts it)"));
                    }
                    return Ok(());
                }
                Ok(false) => {}
                Err(e) => {
                    self.trouble(format_args!("{name}: {}", reason(&e)));
                    return Ok(());
                }
            }
        }
        match self.convert(&name, successor, file) {
            Ok((Became::Changed, read, written)) => {
                if let Some(data) = &mut self.data {
                    writeln!(data, "{name}: would change, {read} bytes to {written}")?;
                }
            }
            Ok((Became::Same, ..)) => {}
            Err(outcome) => self.worst = self.worst.max(outcome),
        }
        Ok(())
    }

    /// Converts one file, and says so if it was left as it was. How long it is and was.
    fn convert(
        &mut self,
        name: &Name,
        successor: Successor,
        file: File,
    ) -> Result<(Became, u64, u64), Outcome> {
        let Self { args, common, policies, .. } = *self;
        let before = successor.len();
        let sink = Sink::new(args, false, Target::of(name.clone(), successor)).map_err(|message| {
            common.error(message);
            Outcome::Trouble
        })?;
        let mut job = Job::new(args, common, policies, sink, &mut self.buffers, Totals::new(true));
        let converted = job.file(Unwrapped::new(Input { name: name.clone(), file }, args));
        let outcome = match converted.and_then(|outcome| job.finish().map(|()| outcome)) {
            Ok(Outcome::Clean) if args.fail_on_loss && job.totals.lost(policies.kept()) => Outcome::Findings,
            Ok(outcome) => outcome,
            Err(unwritten) => return Err(job.sink.failed(&unwritten, common).max(Outcome::Trouble)),
        };
        let Job { sink, totals, .. } = job;
        self.totals.join(totals);
        let written = sink.written();
        if outcome != Outcome::Clean {
            sink.target().partial(common);
            return Err(outcome);
        }
        let successor = sink.into_target().into_successor().ok_or(Outcome::Trouble)?;
        let suffix = args.in_place.as_deref().map(str::as_ref);
        successor.put(suffix, common).map(|became| (became, before, written)).map_err(|e| {
            common.error(format_args!("{name}: {}; left as it was", reason(&e)));
            Outcome::Trouble
        })
    }
}

/// Whether there is a NUL near the start of a file.
fn is_binary(file: &mut File) -> io::Result<bool> {
    let mut head = Vec::new();
    file.take(HEAD).read_to_end(&mut head)?;
    file.rewind()?;
    Ok(head.contains(&0))
}
