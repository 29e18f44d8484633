//! `-i.bak`: a suffix directly after the option, as `sed` and `perl` take it. `clap` takes a suffix only after `=`, so
//! that `-i FILE` needs no more rules; this module inserts the `=`.

use crate::refused::Refused;
use std::collections::HashMap;
use std::ffi::OsString;

/// The option that takes a suffix, and its name in the definitions.
const LETTER: char = 'i';
const ID: &str = "in_place";

/// The arguments with `=` before each suffix that lacks one.
///
/// # Errors
/// If the rest of the bundle could be a suffix or options.
pub(super) fn attached(cli: &clap::Command, mut args: Vec<OsString>) -> Result<Vec<OsString>, Refused> {
    let is_bundle =
        |arg: &OsString| arg.to_str().is_some_and(|arg| arg.starts_with('-') && arg.contains(LETTER));
    if !args.iter().any(is_bundle) {
        return Ok(args);
    }
    let command = args.iter().skip(1).find_map(|arg| cli.find_subcommand(arg));
    let Some(command) = command.filter(|command| command.get_arguments().any(|arg| arg.get_id() == ID))
    else {
        return Ok(args);
    };
    // Whether an option takes a value.
    let mut options: HashMap<char, bool> = command
        .get_arguments()
        .chain(cli.get_arguments())
        .filter_map(|arg| Some((arg.get_short()?, arg.get_action().takes_values())))
        .collect();
    options.insert('h', false);
    for arg in &mut args {
        if arg == "--" {
            break;
        }
        let Some(at) = arg.to_str().and_then(|arg| suffix(arg, &options)) else { continue };
        let (bundle, suffix) = arg.to_str().unwrap_or_default().split_at(at);
        if suffix.starts_with(|c: char| c.is_ascii_alphanumeric()) {
            return Err(Refused::new(format!(
                "{bundle}{suffix}: -{LETTER}={suffix} keeps the old text as FILE{suffix}; an option that is meant is to \
                 stand by itself"
            )));
        }
        *arg = format!("{bundle}={suffix}").into();
    }
    Ok(args)
}

/// The place in a bundle of options at which a suffix without `=` begins.
fn suffix(arg: &str, options: &HashMap<char, bool>) -> Option<usize> {
    let bundle = arg.strip_prefix('-').filter(|bundle| !bundle.starts_with('-'))?;
    let mut letters = bundle.char_indices();
    // The text after an option that takes a value is its value.
    let (at, _) =
        letters.find(|(_, c)| *c == LETTER || options.get(c).is_none_or(|takes_value| *takes_value))?;
    let behind = bundle[at..].strip_prefix(LETTER)?;
    let others = |c: char| c != LETTER && options.contains_key(&c);
    let options_only = || {
        let end = behind.find(|c| !others(c) || options[&c]);
        end.is_none_or(|end| behind[end..].starts_with(others))
    };
    (!behind.is_empty() && !behind.starts_with('=') && !options_only()).then_some(arg.len() - behind.len())
}

#[cfg(test)]
mod tests {
    use super::super::Cli;
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn suffixes_and_options() {
        let attached = |args: &str| {
            let args = ["placemat"].into_iter().chain(args.split(' ')).map(OsString::from).collect();
            let joined = |args: Vec<OsString>| args.join(" ".as_ref()).into_string().unwrap();
            attached(&Cli::command(), args).map(joined).map_err(|e| e.to_string())
        };
        for (args, want) in [
            ("convert -i.bak a", "convert -i=.bak a"),
            ("convert -ri.bak a", "convert -ri=.bak a"),
            ("convert -vri~ a", "convert -vri=~ a"),
            ("-q convert -i_old a", "-q convert -i=_old a"),
            // Unchanged.
            ("convert -i a", "convert -i a"),
            ("convert -i=.bak a", "convert -i=.bak a"),
            ("convert -ir a", "convert -ir a"),
            ("convert -ri -- -i.bak", "convert -ri -- -i.bak"),
            ("convert -irv -f latin1 a", "convert -irv -f latin1 a"),
            ("convert -iflatin1 a", "convert -iflatin1 a"),
            ("convert -irfcp1252 a", "convert -irfcp1252 a"),
            ("convert -fiso-8859-1 -ti.x a", "convert -fiso-8859-1 -ti.x a"),
            ("convert --in-place=.bak", "convert --in-place=.bak"),
            ("check -i.bak", "check -i.bak"),
            ("iconv -i.bak", "iconv -i.bak"),
        ] {
            assert_eq!(attached(args), Ok(format!("placemat {want}")), "{args}");
        }
        for args in ["convert -ibak a", "convert -rib a", "convert -i1 a"] {
            assert!(attached(args).is_err_and(|e| e.contains("keeps the old text as FILE")), "{args}");
        }
    }
}
