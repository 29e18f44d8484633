//! The help that was asked for, and what is wrong with arguments, as clap has them.

use crate::common::Common;
use crate::outcome::Outcome;
use crate::output::Data;
use crate::palette::{Palette, takes_colors};
use crate::shown::escaped;
use std::io::{self, Write as _};

/// Writes the help that was asked for.
pub(crate) fn asked_for(e: &clap::Error, common: &Common) -> Outcome {
    let text = e.render();
    let colored = takes_colors(common.color, &io::stdout());
    let text = if colored { headed(&text.ansi().to_string()) } else { text.to_string() };
    common.written(Data::stdout().and_then(|mut data| {
        data.write_all(text.as_bytes())?;
        data.flush()?;
        Ok(Outcome::Clean)
    }))
}

/// Gives the headings within the text behind the options the style of those before it.
fn headed(help: &str) -> String {
    let style = Palette::COLORED.name;
    let line = |line: &str| {
        let is_heading = line.starts_with(|c: char| c.is_ascii_uppercase()) && line.trim_end().ends_with(':');
        if is_heading { format!("{style}{}{style:#}\n", line.trim_end()) } else { line.to_owned() }
    };
    help.split_inclusive('\n').map(line).collect()
}

/// Says what is wrong with the arguments. They are repeated in it, so an escape among them costs the colours.
pub(crate) fn usage_error(e: &clap::Error, common: &Common) {
    // Messages start with the name of the program, as all others do.
    let named = |text: String| text.replacen("error:", "placemat:", 1);
    let text = e.render();
    let harmless =
        std::env::args_os().all(|arg| escaped(&arg).to_string().as_bytes() == arg.as_encoded_bytes());
    if harmless && takes_colors(common.color, &io::stderr()) {
        common.line(named(text.ansi().to_string()).trim_end());
    } else {
        let lines: Vec<_> = named(text.to_string())
            .trim_end()
            .lines()
            .map(|line| escaped(line.as_ref()).to_string())
            .collect();
        common.line(lines.join("\n"));
    }
}
