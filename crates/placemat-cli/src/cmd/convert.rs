//! `placemat convert`: converts files from one encoding to another.

mod args;
mod clean;
mod cut;
mod declared;
mod diff;
mod doubt;
mod each;
mod errors;
mod job;
mod kind;
mod line_ends;
mod locate;
mod mirror;
mod names;
mod one;
mod padding;
mod pieces;
mod pipeline;
mod plan;
mod policies;
mod position;
mod reader;
mod signature;
mod sink;
mod source;
mod target;
mod text;
mod totals;
mod transfer;

pub(crate) use args::Args;
pub(crate) use names::{Speaker, as_convmv};

use crate::auto;
use crate::common::Common;
use crate::input;
use crate::options::Given;
use crate::outcome::Outcome;
use crate::progress;
use crate::shown::counted;
use job::{Buffers, Job};
use kind::Kind;
use placemat::Encoding;
use policies::Policies;
use sink::Sink;
use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use target::Target;
use totals::Totals;
use transfer::Unwrapped;

/// Runs the command.
pub(crate) fn run(mut args: Args, common: &Common) -> Outcome {
    let Some(files) = common.ok(args.names.all(&args.files, false)) else { return Outcome::Trouble };
    args.files = files;
    if let Some(form) = args.given.and_then(Given::named) {
        args.from = form;
    }
    args.dry_run |= args.diff;
    if args.given == Some(Given::Auto) && args.unwrap.is_some() {
        common.error("-f auto detects the encoding of the input as it is: name the encoding of the text that --unwrap decodes");
        return Outcome::Trouble;
    }
    if args.all && ![args.unwrap, args.wrap].iter().any(|kind| matches!(kind, Some(Kind::Syntax(_)))) {
        common.error("--all needs --unwrap or --wrap with a language, such as json or html");
        return Outcome::Trouble;
    }
    if common.ok(args.choose_newline()).is_none() {
        return Outcome::Trouble;
    }
    let args = &args;
    if args.file_names {
        return names::run(args, common).unwrap_or_else(|message| {
            common.error(message);
            Outcome::Trouble
        });
    }
    crate::replace::survive_limits();
    // Text and a progress line on one terminal would disturb each other.
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

/// Converts all inputs into one output, or says why that is impossible.
fn joined(args: &Args, common: &Common, policies: &Policies<'_>) -> Result<Outcome, String> {
    let paths = &args.files;
    let several = paths.len() > 1;
    let declared = if args.given == Some(Given::Auto) {
        match detected(args, paths, common) {
            Ok(detected) => Some(detected),
            Err(outcome) => return Ok(outcome),
        }
    } else {
        declared(args, paths, common)?
    };
    // The command line names no encoding: what it says of a text is not what the user says.
    let is_by_config = args.given.is_none() && declared.is_some();
    let args = declared.as_ref().unwrap_or(args);
    let sink = Sink::new(args, several, Target::new(args, paths)?)?;
    let mut buffers = Buffers::new(args, policies);
    let mut job = Job::new(args, common, policies, sink, &mut buffers, Totals::new(several));
    let mut worst = Outcome::Clean;
    for path in paths {
        let outcome = match input::open(path) {
            Ok(mut input) => match one::doubt_of_config(args, &mut input, is_by_config) {
                Ok(None) => job.file(Unwrapped::new(input, args)),
                Ok(Some(doubt)) => {
                    common.error(format_args!("{}: not converted: {doubt}", input.name));
                    Ok(Outcome::Findings)
                }
                Err(e) => {
                    common.error(input::trouble(path, &e));
                    Ok(Outcome::Trouble)
                }
            },
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
        common.line(format_args!("{}: would be written, {}", sink.target().name(), counted(written, "byte")));
    } else {
        worst = sink.into_target().put(common);
    }
    totals.warn(common);
    Ok(worst.max(totals.conclude(args, policies, common)))
}

/// Returns the arguments for the encoding that the inputs seem to be in. If some are refused, reports all that is wrong
/// with any input, and returns the outcome.
fn detected(args: &Args, paths: &[PathBuf], common: &Common) -> Result<Args, Outcome> {
    let mut first: Option<(Encoding, &PathBuf)> = None;
    let (mut wrong, mut is_refused, mut is_conflict) = (Vec::new(), false, false);
    let mut outcome = Outcome::Findings;
    for path in paths {
        let found = match auto::of_path(path) {
            Ok(found) => found,
            Err(e) => {
                outcome = Outcome::Trouble;
                wrong.push(input::trouble(path, &e));
                continue;
            }
        };
        let name = input::name_of(path);
        let encoding = match auto::encoding(&name, &found) {
            Ok(encoding) => args.newline.of(encoding),
            Err(refused) => {
                is_refused = true;
                wrong.push(refused);
                continue;
            }
        };
        if args.verbose.verbose {
            common.line(format_args!("{name}: read as {}", auto::said(encoding, &found)));
        }
        match first {
            None => first = Some((encoding, path)),
            Some((known, other)) if known != encoding && !is_conflict => {
                is_conflict = true;
                wrong.push(format!(
                    "{} seems to be {known} and {name} {encoding}: convert them one at a time, or name one encoding with -f",
                    input::name_of(other),
                ));
            }
            Some(_) => {}
        }
    }
    if is_refused || is_conflict {
        for message in wrong {
            common.error(message);
        }
        return Err(outcome);
    }
    // The conversion reports the inputs that cannot be read.
    Ok(args.reading_declared(first.map_or(args.from.encoding, |(encoding, _)| encoding)))
}

/// Returns the arguments for the encoding that configuration files declare for the inputs, if they do; or the reason of
/// a refusal.
fn declared(args: &Args, paths: &[PathBuf], common: &Common) -> Result<Option<Args>, String> {
    let Some(mut config) = args.config() else { return Ok(None) };
    let mut first: Option<(Encoding, &PathBuf)> = None;
    for path in paths {
        let choice = config.choice(path);
        for warning in choice.warnings {
            common.warn(warning);
        }
        let encoding = args.newline.of(choice.encoding.unwrap_or(args.from.encoding));
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
