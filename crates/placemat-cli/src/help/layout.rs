//! The layout of the help. Definitions stay as the man page and the completions need them.
//!
//! Both forms begin with the job and an example. `-h` fits a screen: it lists the options without a heading. `--help` adds
//! the options under headings, the meaning of each value, and the description after them.

use crate::palette::Palette;
use crate::shown::wrap;
use clap::builder::StyledStr;
use clap::{Arg, ArgAction, Command};
use core::fmt::Write as _;

/// The maximum width of the help, in columns.
pub(crate) const WIDTH: usize = 80;
/// The indent that `clap` gives the text of an option in `--help`, in columns.
const OPTION_INDENT: usize = 10;
/// The title of the first notes of each command.
const EXAMPLES: &str = "Examples:\n";
/// The template that `clap` fills in; `before-help` contains the examples.
const TEMPLATE: &str = "\
{about-with-newline}
{before-help}{usage-heading} {usage}

{all-args}{after-help}";

/// Returns the program and its commands, in this layout. The list of commands needs the room of the options in `-h`.
pub(crate) fn arranged_program(program: Command) -> Command {
    let flag = |id: &'static str, letter: char, action: ArgAction, help: &'static str| {
        let arg = Arg::new(id).short(letter).long(id).action(action).help(help);
        arg.help_heading(None).hide_short_help(true)
    };
    let help = flag("help", 'h', ArgAction::Help, "Print help");
    arranged(program)
        .disable_help_flag(true)
        .disable_version_flag(true)
        .arg(help.long_help("Print help (see a summary with '-h')"))
        .arg(flag("version", 'V', ArgAction::Version, "Print version"))
        .mut_subcommands(with_help)
        .after_help("placemat <COMMAND> -h lists the options of a command; --help says more.")
}

/// Returns a command and its subcommands with `--help`, which the program turned off for all of them.
fn with_help(command: Command) -> Command {
    if command.get_arguments().any(|arg| arg.get_id() == "help") {
        return command;
    }
    let help = Arg::new("help").short('h').long("help").action(ArgAction::Help).help_heading(None);
    let help =
        help.help("Print help (see more with '--help')").long_help("Print help (see a summary with '-h')");
    command.arg(help).mut_subcommands(with_help)
}

/// Returns the command and its subcommands. The notes of a command, its `after_long_help`, begin with its examples.
pub(crate) fn arranged(command: Command) -> Command {
    let text = |text: Option<&StyledStr>| text.map(ToString::to_string).unwrap_or_default();
    let about = text(command.get_about());
    let description = text(command.get_long_about());
    let description = description.strip_prefix(&about).unwrap_or(&description).trim();
    let notes = text(command.get_after_long_help());
    let (examples, notes) = match notes.split_once("\n\n") {
        Some(parts) if notes.starts_with(EXAMPLES) => parts,
        None if notes.starts_with(EXAMPLES) => (&*notes, ""),
        _ => ("", &*notes),
    };
    let first = examples.lines().nth(1).unwrap_or_default().to_owned();
    let details: Vec<_> = [description, notes].into_iter().filter(|part| !part.is_empty()).collect();
    let (examples, details) = (examples.to_owned(), details.join("\n\n"));
    let mut command = command.long_about(about).help_template(TEMPLATE);
    if !examples.is_empty() {
        command = command.before_help(first).before_long_help(examples);
    }
    if !details.is_empty() {
        command = command.after_long_help(details);
    }
    command.mut_args(option).mut_subcommands(arranged)
}

/// Returns the option: in `-h` only without a heading, and its values with their meanings only in `--help`.
fn option(arg: Arg) -> Arg {
    let under_heading = arg.get_help_heading().is_some();
    let values = if arg.is_hide_possible_values_set() { Vec::new() } else { arg.get_possible_values() };
    let arg = if under_heading { arg.hide_short_help(true) } else { arg };
    if values.iter().all(|value| value.get_help().is_none()) {
        return arg;
    }
    let name = Palette::COLORED.place;
    let longest = values.iter().map(|value| value.get_name().len()).max().unwrap_or_default();
    let mut help = arg.get_long_help().or(arg.get_help()).cloned().unwrap_or_default();
    // A `StyledStr` takes all text.
    let _ = write!(help, "\n\nPossible values:");
    for value in values.iter().filter(|value| !value.is_hide_set()) {
        let word = value.get_name();
        let meaning = value.get_help().map(ToString::to_string).unwrap_or_default();
        let column = longest + "- : ".len();
        let lines = wrap(&meaning, 0, WIDTH - OPTION_INDENT - column);
        let padding = longest - word.len();
        let _ = write!(
            help,
            "\n- {name}{word}{name:#}: {:padding$}{}",
            "",
            lines.join(&format!("\n{:column$}", ""))
        );
    }
    arg.hide_possible_values(true).long_help(help)
}
