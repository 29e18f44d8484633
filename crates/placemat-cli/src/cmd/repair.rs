//! `placemat repair`: damaged text in, well-formed UTF-8 out, with every change on record.

mod args;
mod job;
pub(crate) mod log;
mod record;
mod report;
mod target;
pub(crate) mod undo;

pub(crate) use args::Args;

use crate::common::Common;
use crate::identity::Identity;
use crate::outcome::Outcome;
use crate::output::Data;
use crate::progress;
use crate::shown::{Name, reason};
use crate::walk::{Found, Tracked};
use crate::{input, replace, streams};
use args::Errors;
use clap::{Args as _, FromArgMatches as _};
use core::error::Error as _;
use job::Job;
use log::Log;
use std::io::{self, IsTerminal as _, Write as _};
use target::Target;
use undo::Wanted;

/// Runs the command.
pub(crate) fn run(mut args: Args, common: &Common) -> Outcome {
    let is_unnamed = args.files.is_empty() && !args.names.is_list();
    let Some(files) = common.ok(args.names.all(&args.files, false)) else { return Outcome::Trouble };
    args.files = files;
    replace::survive_limits();
    let shown = args.output.is_none() && !args.in_place.is_given() && io::stdout().is_terminal();
    progress::start(common.quiet || shown, if args.recursive { &[] } else { &args.files });
    let ran = match &args.undo {
        Some(log) => {
            let all = is_unnamed && args.in_place.is_given();
            undo::run(&args, log, if all { Wanted::All } else { Wanted::Named }, common)
        }
        None => repair(&args, common),
    };
    ran.unwrap_or_else(|message| {
        common.error(message);
        Outcome::Trouble
    })
}

/// Repairs one file in its place, with these options. The messages tell what changed.
///
/// # Errors
/// A message, if the options are wrong or the file cannot be read or replaced.
pub(crate) fn one_in_place(
    found: &Found,
    options: &[&str],
    log: Option<&mut Log>,
    common: &Common,
) -> Result<Outcome, String> {
    let line = ["repair", "--in-place"].into_iter().chain(options.iter().copied());
    let matches = Args::augment_args(clap::Command::new("repair")).try_get_matches_from(line);
    let args =
        matches.and_then(|matches| Args::from_arg_matches(&matches)).map_err(|e| match e.source() {
            Some(refused) => refused.to_string(),
            None => e.kind().to_string(),
        })?;
    Job::new(&args, common, None).in_place(found, log)
}

/// Repairs all inputs, or says why that is impossible.
fn repair(args: &Args, common: &Common) -> Result<Outcome, String> {
    if args.in_place.is_given() && args.files.iter().any(|path| streams::is_stdin(path)) {
        return Err("--in-place needs files, not standard input".into());
    }
    if args.log.as_deref().is_some_and(streams::is_stdin)
        && !args.in_place.is_given()
        && args.output.as_deref().is_none_or(streams::is_stdout)
    {
        return Err("--log - needs --in-place or --output: the repaired text goes to standard output".into());
    }
    let mut log = args.log.as_deref().map(Log::create).transpose()?;
    if let (Some(log), Some(output)) = (&args.log, &args.output)
        && let Some(created) = Identity::of_path(log)
        && Identity::of_path(output) == Some(created)
    {
        // The text would take the place of the log, which is new and empty.
        _ = std::fs::remove_file(log);
        return Err(format!("{}: is both the log and the output", Name::new(log)));
    }
    let mut target = Target::joined(args)?;
    // Reports go to standard output where the text does not.
    let report = args.dry_run.then(Data::stdout).transpose().map_err(|e| reason(&e))?;
    let mut job = Job::new(args, common, report);
    let mut worst = Outcome::Clean;
    let walk =
        args.walk.files(&args.files, Tracked::AsOthers, common).map_err(|trouble| trouble.to_string())?;
    for found in walk {
        let done = found.map_err(|trouble| trouble.to_string()).and_then(|found| {
            if !found.named && !args.recursive {
                return Ok(Outcome::Clean);
            }
            let is_backup = || args.in_place.is_backup(&found.path);
            if !found.named && (replace::is_temporary(&found.path) || is_backup()) {
                return Ok(Outcome::Clean);
            }
            match &mut target {
                Some(target) => {
                    let input = input::open(&found.path).map_err(|e| input::trouble(&found.path, &e))?;
                    job.stream(input, &found.path, target, log.as_mut())
                }
                None => job.in_place(&found, log.as_mut()),
            }
        });
        worst = worst.max(done.unwrap_or_else(|message| {
            common.error(message);
            Outcome::Trouble
        }));
        if worst == Outcome::Cut {
            return Ok(worst);
        }
    }
    if args.recursive {
        // Directories were walked.
    } else if let Some(path) = args.files.iter().find(|path| !streams::is_stdin(path) && path.is_dir()) {
        common.error(format_args!("{}: is a directory (-ri repairs all files in it)", Name::new(path)));
        worst = Outcome::Trouble;
    }
    let refused = args.errors == Errors::Strict && worst == Outcome::Findings;
    if let Some(target) = target
        && worst != Outcome::Trouble
        && !refused
    {
        // The record is on the disk before the text changes.
        if let Some(log) = &mut log
            && let Err(e) = log.sync()
        {
            return Ok(worst.max(common.cannot_write(&log.name, &e)));
        }
        worst = worst.max(target.put(common));
    }
    if let Some(mut report) = job.into_report()
        && let Err(e) = report.flush()
    {
        worst = worst.max(common.cannot_write(&Name::stdout(), &e));
    }
    Ok(worst)
}
