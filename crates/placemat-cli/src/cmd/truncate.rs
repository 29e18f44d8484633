//! `placemat truncate`: the longest beginning of a text that fits and splits no character.

mod args;
mod field;
mod job;
mod window;

pub(crate) use args::Args;

use crate::common::Common;
use crate::config::Encodings;
use crate::failure::Failure;
use crate::input;
use crate::outcome::Outcome;
use crate::output::Data;
use crate::shown::{Name, reason};
use job::Job;
use std::io::Write as _;

pub(crate) fn run(args: &Args, common: &Common) -> Outcome {
    let Some(files) = common.ok(args.names.all(&args.files, false)) else { return Outcome::Trouble };
    let mut data = match Data::stdout() {
        Ok(data) => data,
        Err(e) => return common.cannot_write(&Name::stdout(), &e),
    };
    let mut outcome = Outcome::Clean;
    let mut encodings = Encodings::new(args.from);
    let mut job = Job::new(args, common);
    for path in &files {
        let Some(from) = encodings.of(path, common) else {
            outcome = outcome.max(Outcome::Findings);
            continue;
        };
        let ended = input::open(path)
            .map_err(Failure::Reading)
            .and_then(|mut input| job.file(&mut input.file, &input.name, from, &mut data));
        match ended {
            Ok(ended) => outcome = outcome.max(ended),
            Err(Failure::Reading(e)) => {
                common.error(format_args!("{}: {}", input::name_of(path), reason(&e)));
                outcome = Outcome::Trouble;
            }
            Err(Failure::Writing(e)) => return outcome.max(common.cannot_write(&Name::stdout(), &e)),
        }
    }
    outcome.max(common.written(data.flush().map(|()| Outcome::Clean)))
}
