//! Line ends: most filters know LF only.

use clap::ValueEnum;
use std::borrow::Cow;

/// The line ends that the command sees, and those of a new text.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Eol {
    /// LF for COMMAND where all line ends of the file are CR LF; new lines get the line ends of the file
    #[default]
    Lf,
    /// The line ends of the file for COMMAND; new text as it is
    Keep,
}

/// Whether line ends are changed on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ends {
    are_crlf: bool,
}

impl Ends {
    /// For a text: they are changed only if all of them are CR LF.
    pub(super) fn of(text: &str, eol: Eol) -> Self {
        let count = |what: &str| text.matches(what).count();
        let both = if eol == Eol::Lf { count("\r\n") } else { 0 };
        Self { are_crlf: both > 0 && count("\r") == both && count("\n") == both }
    }

    /// The text for the command.
    pub(super) fn shown(self, text: &str) -> Cow<'_, str> {
        if self.are_crlf { text.replace("\r\n", "\n").into() } else { text.into() }
    }

    /// The text of the file.
    pub(super) fn restored(self, output: &str) -> Cow<'_, str> {
        if !self.are_crlf {
            return output.into();
        }
        let mut text = String::with_capacity(output.len() + output.len() / 16);
        for line in output.split_inclusive('\n') {
            match line.strip_suffix('\n') {
                // The command may write CR LF itself.
                Some(rest) if !rest.ends_with('\r') => {
                    text.push_str(rest);
                    text.push_str("\r\n");
                }
                _ => text.push_str(line),
            }
        }
        text.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_texts_of_cr_lf_alone_are_changed() {
        for (text, shown) in [
            ("a\r\nb\r\n", "a\nb\n"),
            ("\r\n", "\n"),
            ("a\r\nb\n", "a\r\nb\n"),
            ("a\r\nb\r", "a\r\nb\r"),
            ("a\rb\r", "a\rb\r"),
            ("a\nb", "a\nb"),
            ("", ""),
        ] {
            let ends = Ends::of(text, Eol::Lf);
            assert_eq!(ends.shown(text), shown);
            assert_eq!(ends.restored(shown), text);
            assert_eq!(Ends::of(text, Eol::Keep).shown(text), text);
        }
        let ends = Ends::of("a\r\n", Eol::Lf);
        assert_eq!(ends.restored("a\r\nb\nc\rd"), "a\r\nb\r\nc\rd");
    }
}
