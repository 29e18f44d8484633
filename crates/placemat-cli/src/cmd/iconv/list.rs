//! `iconv -l`.

use crate::common::Common;
use crate::outcome::Outcome;
use crate::output::Data;
use std::io::{self, IsTerminal as _, Write as _};

/// The width of the list on a terminal.
const WIDTH: usize = 76;

/// Returns all names, upper case, in order: those of the library, and that of Apple, which the command
/// knows too.
fn names() -> Vec<String> {
    let mut names = placemat_iconv::names();
    names.push("UTF-8-MAC".into());
    names.sort();
    names
}

/// Writes all names: on a terminal in paragraphs, elsewhere one per line, ending in two slashes.
pub(super) fn run(common: &Common) -> Outcome {
    let text = if io::stdout().is_terminal() {
        for_people(&names())
    } else {
        names().iter().map(|name| format!("{name}//\n")).collect()
    };
    common.written(Data::stdout().and_then(|mut data| {
        data.write_all(text.as_bytes())?;
        data.flush()?;
        Ok(Outcome::Clean)
    }))
}

fn for_people(names: &[String]) -> String {
    let mut text = String::from(
        "Names for -f and -t. An encoding has several; case does not matter, and mostly neither does punctuation.\n\n",
    );
    let mut column = 0;
    for name in names {
        if column > 0 && column + name.len() + 2 > WIDTH {
            text.push_str(",\n");
            column = 0;
        }
        let before = if column == 0 { "  " } else { ", " };
        text.push_str(before);
        text.push_str(name);
        column += before.len() + name.len();
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_not_too_long() {
        let text = for_people(&names());
        let mut lines = text.lines().skip(2);
        assert!(lines.all(|line| line.starts_with("  ") && line.len() <= WIDTH + 1));
        // A name can have a comma: `ISCII,VERSION=0`.
        let listed: Vec<_> = text
            .lines()
            .skip(2)
            .flat_map(|line| line.trim_start().trim_end_matches(',').split(", "))
            .collect();
        assert_eq!(listed, names());
    }
}
