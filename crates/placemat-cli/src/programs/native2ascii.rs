//! The program under the name `native2ascii` of JDK 8: text to ASCII with `\\u00e9` and the like, and back.

use super::call::Call;
use super::getopt::option;
use crate::outcome::Outcome;
use std::ffi::OsString;
use std::process::ExitCode;

pub(super) const USAGE: &str = "\
Usage: native2ascii [-encoding NAME] [-reverse] [INPUT [OUTPUT]]
Write each character outside ASCII as \\u00e9 or the like.

  -encoding NAME  the encoding of the text (default: UTF-8)
  -reverse        from ASCII with escapes to text
  -help           print this help
";

pub(super) fn run(call: &Call, arguments: Vec<OsString>) -> ExitCode {
    let (mut encoding, mut is_reverse) = (OsString::from("UTF-8"), false);
    let mut files = Vec::new();
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        match argument.to_str() {
            Some("-help" | "--help") => return call.help(),
            Some("-reverse") => is_reverse = true,
            Some("-encoding") => match arguments.next() {
                Some(name) => encoding = name,
                None => {
                    call.say("-encoding needs the name of an encoding");
                    return ExitCode::from(1);
                }
            },
            Some(text) if text.starts_with("-J") || text.len() > 1 && text.starts_with('-') => {
                return call.refuse(argument);
            }
            _ => files.push(argument),
        }
    }
    if files.len() > 2 {
        call.say("there are an INPUT and an OUTPUT at most");
        return ExitCode::from(1);
    }
    let (side, kind) = if is_reverse { ("--to", "--unwrap") } else { ("--from", "--wrap") };
    let mut line: Vec<OsString> = Vec::new();
    line.extend(option(side, encoding));
    line.extend(option(kind, "properties"));
    let mut files = files.into_iter();
    let input = files.next();
    if let Some(output) = files.next() {
        line.extend(option("--output", output));
    }
    line.push("--".into());
    line.extend(input);
    call.convert(line).min(Outcome::Findings).end()
}
