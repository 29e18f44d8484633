//! Splits arguments into options and operands, as getopt does: options may follow operands, short ones may be bundled.

use std::ffi::{OsStr, OsString};

/// A word of a command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// An option as it is written alone, with dashes: `-b`, `--brief`.
    Option(String),
    /// A file, or another argument that is no option.
    Operand(OsString),
}

/// Returns the words of a command line. No option takes a value; `--name=value` stays one word.
pub(super) fn words(arguments: Vec<OsString>) -> Vec<Word> {
    let mut words = Vec::new();
    let mut only_operands = false;
    for argument in arguments {
        let text = argument.to_string_lossy();
        if only_operands || !text.starts_with('-') || text == "-" {
            words.push(Word::Operand(argument));
        } else if text == "--" {
            only_operands = true;
        } else if text.starts_with("--") {
            words.push(Word::Option(text.into_owned()));
        } else {
            words.extend(text.chars().skip(1).map(|letter| Word::Option(format!("-{letter}"))));
        }
    }
    words
}

/// Returns the words of an option of `placemat` and its value.
pub(super) fn option(name: &str, value: impl AsRef<OsStr>) -> [OsString; 2] {
    [name.into(), value.as_ref().to_owned()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_found_among_operands() {
        let words = words(["a", "-bi", "-", "--mime", "--", "-x"].map(OsString::from).into());
        let option = |text: &str| Word::Option(text.into());
        let operand = |text: &str| Word::Operand(text.into());
        let want = [operand("a"), option("-b"), option("-i"), operand("-"), option("--mime"), operand("-x")];
        assert_eq!(words, want);
    }
}
