//! `detect --names`: the encoding of the names in a directory or an archive.

use super::args::{Args, EVEN};
use super::report::{Report, joined_hex, path_text};
use super::sample::Sample;
use crate::common::Common;
use crate::json;
use crate::naming::{Names, each, reading};
use crate::options::Format;
use crate::outcome::Outcome;
use crate::output::Data;
use crate::shown::{Name, escaped, escaped_bytes};
use core::fmt::Write as _;
use placemat::detect::{Detection, Detector, Verdict};
use placemat::{Encoding, utf8};
use serde::Serialize;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// A line of `--format jsonl` for a name.
#[derive(Serialize)]
struct Json<'a> {
    path: &'a str,
    name: Option<&'a str>,
    name_bytes: String,
    faults: Vec<JsonFault<'a>>,
}

#[derive(Serialize)]
struct JsonFault<'a> {
    kind: &'a str,
    message: &'a str,
}

/// Reports on the names in each path.
pub(super) fn run(args: &Args, paths: &[PathBuf], common: &Common) -> Outcome {
    each(paths, &args.walk, common, |path, names, data| one(args, path, names, data, common))
}

fn one(args: &Args, path: &Path, names: &Names, data: &mut Data, common: &Common) -> io::Result<Outcome> {
    let bytes = names.sample();
    let mut detector = Detector::new();
    let mut sample = Sample::default();
    detector.feed(&bytes);
    sample.feed(&bytes);
    let found = detector.finish();
    let outcome = if is_sure(&found) { Outcome::Clean } else { Outcome::Findings };
    if common.quiet {
        return Ok(outcome);
    }
    let report = Report { path, found: &found, sample: &sample, styles: common.data_styles() };
    let encoding = found.encoding.filter(|_| is_sure(&found));
    let faults = names.faults(encoding);
    let listed = names.entries.iter().zip(&faults).filter(|(entry, faults)| {
        names.kind.is_some() || utf8::validate(names.judged(entry)).is_err() || !faults.is_empty()
    });
    match args.format.format {
        _ if args.brief => data.write_all(report.brief().as_bytes())?,
        Format::Jsonl => {
            data.write_all(report.json().as_bytes())?;
            for (entry, faults) in listed {
                let text = reading(&entry.name, &entry.says, encoding);
                let faults =
                    faults.iter().map(|fault| JsonFault { kind: fault.kind, message: &fault.message });
                json::write_line(
                    data,
                    &Json {
                        path: &path_text(path),
                        name: text.as_deref(),
                        name_bytes: joined_hex(&entry.name),
                        faults: faults.collect(),
                    },
                )?;
            }
        }
        Format::Text => {
            data.write_all(report.text(args.top, args.explain || args.verbose.verbose).as_bytes())?;
            for (entry, faults) in listed {
                let mut lines = format!("  {}", escaped_bytes(&entry.name));
                if utf8::validate(&entry.name).is_err()
                    && let Some(text) = reading(&entry.name, &entry.says, encoding)
                {
                    _ = write!(lines, "  {}", escaped(text.as_ref()));
                }
                lines.push('\n');
                for fault in faults {
                    _ = writeln!(lines, "    {}", fault.message);
                }
                data.write_all(lines.as_bytes())?;
            }
            if let Some(encoding) = encoding.filter(|_| names.kind.is_none()).filter(|&it| is_foreign(it)) {
                let from = encoding.name().to_ascii_lowercase();
                data.flush()?;
                common.line(format_args!(
                    "{}: `placemat convert --names -f {from} -r` shows the names in UTF-8",
                    Name::new(path)
                ));
            }
        }
    }
    Ok(outcome)
}

/// Returns `true` if names in the encoding are not UTF-8.
fn is_foreign(encoding: Encoding) -> bool {
    ![Encoding::UTF_8, Encoding::US_ASCII].contains(&encoding)
}

fn is_sure(found: &Detection) -> bool {
    match found.verdict {
        Verdict::Text => found.confidence >= EVEN,
        Verdict::Empty => true,
        _ => false,
    }
}
