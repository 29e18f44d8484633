//! The requested help, and errors in arguments, both from clap.

use crate::common::Common;
use crate::outcome::Outcome;
use crate::output::Data;
use crate::palette::{Palette, takes_colors};
use crate::shown::escaped;
use std::io::{self, Write as _};

/// Writes the requested help.
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

/// Gives the headings in the text after the options the style of the other headings.
fn headed(help: &str) -> String {
    let style = Palette::COLORED.name;
    let line = |line: &str| {
        let is_heading = line.starts_with(|c: char| c.is_ascii_uppercase()) && line.trim_end().ends_with(':');
        if is_heading { format!("{style}{}{style:#}\n", line.trim_end()) } else { line.to_owned() }
    };
    help.split_inclusive('\n').map(line).collect()
}

/// Reports an error in the arguments. The message repeats the arguments, so it has no colours if they contain an
/// escape.
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
