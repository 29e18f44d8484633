//! `check --names`: the names in a directory or an archive.

use super::args::{Args, CheckFormat};
use crate::auto;
use crate::common::Common;
use crate::json;
use crate::naming::{Fault, Names, each};
use crate::options::Given;
use crate::outcome::Outcome;
use crate::output::Data;
use crate::shown::{Name, counted, escaped_bytes};
use placemat::stream::Transcoder;
use placemat::{ConvertError, Encoding};
use placemat_diagnose::describe;
use serde::Serialize;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// A line of `--format jsonl`.
#[derive(Serialize)]
struct Json<'a> {
    path: String,
    name: String,
    name_bytes: String,
    kind: &'a str,
    message: &'a str,
}

/// Checks the names in each path.
pub(super) fn run(args: &Args, paths: &[PathBuf], common: &Common) -> Outcome {
    if !matches!(args.format, CheckFormat::Text | CheckFormat::Jsonl) {
        common.error("--names reports as text or jsonl");
        return Outcome::Trouble;
    }
    each(paths, &args.walk, common, |path, names, data| one(args, path, names, data, common))
}

fn one(args: &Args, path: &Path, names: &Names, data: &mut Data, common: &Common) -> io::Result<Outcome> {
    let found = auto::of_bytes(&names.sample());
    let sure = auto::encoding(&Name::new(path), &found).ok();
    let expected = match args.from {
        Some(Given::Auto) => sure.unwrap_or(Encoding::UTF_8),
        given => given.and_then(Given::named).unwrap_or(Encoding::UTF_8),
    };
    let mut count = 0;
    for (entry, mut faults) in names.entries.iter().zip(names.faults(sure)) {
        let name = names.judged(entry);
        // One message about ill-formed bytes is enough.
        let is_told = faults.iter().any(|fault| fault.message.contains(" byte "));
        if let (false, Err(ConvertError::IllFormed(e))) =
            (is_told, Transcoder::checker(expected).transcode(name))
        {
            let (before, following) = name.split_at(usize::try_from(e.offset()).unwrap_or(0).min(name.len()));
            faults.push(Fault { kind: e.code(), message: describe(&e, expected, before, following) });
        }
        count += faults.len() as u64;
        if common.quiet {
            continue;
        }
        for Fault { kind, message } in &faults {
            let inner = names.kind.is_some().then(|| escaped_bytes(&entry.name).to_string());
            let place = match &inner {
                Some(inner) => format!("{}: {inner}", Name::new(path)),
                None => escaped_bytes(&entry.name).to_string(),
            };
            match args.format {
                CheckFormat::Jsonl => json::write_line(
                    data,
                    &Json {
                        path: path.to_string_lossy().into_owned(),
                        name: String::from_utf8_lossy(&entry.name).into_owned(),
                        name_bytes: entry.name.iter().map(|byte| format!("{byte:02x}")).collect(),
                        kind,
                        message,
                    },
                )?,
                _ => writeln!(data, "{place}: name: {message}")?,
            }
        }
    }
    if args.summary && !common.quiet {
        let names = counted(names.entries.len() as u64, "name");
        writeln!(data, "{}: {names} checked, {}", Name::new(path), counted(count, "finding"))?;
    }
    Ok(if count > 0 { Outcome::Findings } else { Outcome::Clean })
}
