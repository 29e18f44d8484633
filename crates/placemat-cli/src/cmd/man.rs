//! `placemat man`: the whole man page, generated from the definitions of the help.

use crate::common::Common;
use crate::outcome::Outcome;
use crate::output::Data;
use clap::Command;
use clap_mangen::Man;
use std::io::{self, Write as _};

/// Write the man page
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  placemat man > ~/.local/share/man/man1/placemat.1")]
pub(crate) struct Args {}

/// Runs the command; `command` is the whole program.
pub(crate) fn run(Args {}: &Args, command: Command, common: &Common) -> Outcome {
    common.written(page(command).and_then(|page| {
        let mut data = Data::stdout()?;
        data.write_all(page.as_bytes())?;
        data.flush()?;
        Ok(Outcome::Clean)
    }))
}

/// The preamble that `clap_mangen` writes before each section: it defines the apostrophe.
const PREAMBLE: [&str; 2] = [r".ie \n(.g .ds Aq \(aq", r".el .ds Aq '"];

/// Returns the page: the command as a whole, then a section for each of its commands.
fn page(mut command: Command) -> io::Result<String> {
    command.build();
    let man = Man::new(hide(&command, |arg| arg.get_id() == "help"));
    let mut page = PREAMBLE.join("\n") + "\n";
    page += &rendered("SH", |to| {
        man.render_title(to)?;
        man.render_name_section(to)?;
        man.render_synopsis_section(to)?;
        man.render_description_section(to)?;
        man.render_options_section(to)
    })?;
    page += ".SH COMMANDS\n";
    for sub in commands(&command) {
        let about = sub.get_about().map(ToString::to_string).unwrap_or_default();
        page += &format!(".TP\n\\fB{}\\fR\n{}\n", sub.get_name(), escaped(&about));
    }
    for sub in commands(&command) {
        page += &section(sub)?;
    }
    page += &notes(&command, "SH");
    page += &rendered("SH", |to| man.render_version_section(to))?;
    Ok(page)
}

fn commands(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|sub| sub.get_name() != "help")
}

/// Returns the page of a command as a section of the whole: its sections become subsections.
fn section(command: &Command) -> io::Result<String> {
    // The global options are described once, above.
    let man = Man::new(hide(command, |arg| arg.is_global_set() || arg.get_id() == "help"));
    let body = rendered("SS", |to| {
        man.render_synopsis_section(to)?;
        man.render_description_section(to)?;
        man.render_options_section(to)
    })?;
    let heading = format!(".SH \"PLACEMAT {}\"\n", command.get_name().to_uppercase());
    Ok(heading + &body + &notes(command, "SS"))
}

fn hide(command: &Command, what: impl Fn(&clap::Arg) -> bool) -> Command {
    command.clone().mut_args(|arg| if what(&arg) { arg.hide(true) } else { arg })
}

/// Returns the output of `render`, with headings of another level and without repeated preambles.
fn rendered(level: &str, render: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> io::Result<String> {
    let mut bytes = Vec::new();
    render(&mut bytes)?;
    let mut text = String::new();
    for line in String::from_utf8_lossy(&bytes).lines().filter(|line| !PREAMBLE.contains(line)) {
        match line.strip_prefix(".SH ") {
            Some(heading) => text += &format!(".{level} {heading}"),
            None => text += line,
        }
        text.push('\n');
    }
    Ok(text)
}

/// Returns the text after the options in the help: `Examples:` and the like become headings, and indented lines stay
/// as they are.
fn notes(command: &Command, level: &str) -> String {
    let text = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
    let mut page = String::new();
    let mut verbatim = false;
    for line in text.lines() {
        let indented = line.starts_with(' ');
        if indented != verbatim && !line.is_empty() {
            page += if indented { ".PP\n.nf\n" } else { ".fi\n" };
            verbatim = indented;
        }
        match line.strip_suffix(':') {
            Some(heading) if !indented && heading.split(' ').count() <= 2 => {
                page += &format!(".{level} \"{}\"\n", heading.to_uppercase());
            }
            _ if line.is_empty() => page += ".PP\n",
            _ => page += &format!("{}\n", escaped(line)),
        }
    }
    if verbatim {
        page += ".fi\n";
    }
    page
}

/// Returns a line of text as roff reads it.
fn escaped(line: &str) -> String {
    let line = line.replace('\\', "\\e").replace('-', "\\-").replace('\'', "\\(aq");
    if line.starts_with('.') { format!("\\&{line}") } else { line }
}
