//! The settings of all commands, `--color` and `-q`, and their messages on standard error.

use crate::outcome::Outcome;
use crate::palette::Palette;
use crate::progress;
use crate::shown::{Name, reason};
use anstream::ColorChoice;
use anstyle::Style;
use core::fmt::Display;
use std::io::{self, ErrorKind, Write as _};
use std::sync::{Mutex, PoisonError};

/// The settings of all commands.
#[derive(Debug)]
pub(crate) struct Common {
    /// `--color`.
    pub(crate) color: ColorChoice,
    /// `-q`: no messages on standard error.
    pub(crate) quiet: bool,
    /// The styles of messages on standard error.
    styles: Palette,
    /// The messages, if they wait for their turn.
    kept: Option<Mutex<String>>,
    /// The name of the program in its messages.
    program: &'static str,
}

/// Prints warnings on standard error, unless `-q`, where no [`Common`] is at hand. Nothing keeps them back.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Warner {
    program: &'static str,
    quiet: bool,
    style: Style,
}

impl Warner {
    /// Prints `PROGRAM: warning: MESSAGE`. The message contains no raw text of files.
    pub(crate) fn warn(self, message: impl Display) {
        let Self { program, style, .. } = self;
        if !self.quiet {
            print(&format!("{program}: {style}warning:{style:#} {message}\n"));
        }
    }
}

/// Prints on standard error. The text is written in one piece, so that lines of several processes do not mix.
fn print(text: &str) {
    // A failure cannot be reported anywhere.
    let _ = progress::aside(|| io::stderr().write_all(text.as_bytes()));
}

impl Common {
    pub(crate) fn new(color: ColorChoice, quiet: bool) -> Self {
        let styles = Palette::for_stream(color, &io::stderr());
        Self { color, quiet, styles, kept: None, program: "placemat" }
    }

    /// Returns the settings for messages under the name of another program.
    pub(crate) fn acting_as(self, program: &'static str) -> Self {
        Self { program, ..self }
    }

    /// Returns a copy without messages, if `quiet`.
    pub(crate) fn quieted(&self, quiet: bool) -> Self {
        Self { quiet: self.quiet || quiet, kept: None, ..*self }
    }

    /// Returns a copy that keeps its messages instead of printing them.
    pub(crate) fn keeping(&self) -> Self {
        Self { kept: Some(Mutex::default()), ..*self }
    }

    /// Returns the kept messages.
    pub(crate) fn kept(self) -> String {
        self.kept.and_then(|kept| kept.into_inner().ok()).unwrap_or_default()
    }

    /// Returns the styles of standard error.
    pub(crate) const fn message_styles(&self) -> Palette {
        self.styles
    }

    /// Returns the styles of standard output.
    pub(crate) fn data_styles(&self) -> Palette {
        Palette::for_stream(self.color, &io::stdout())
    }

    /// Prints `PROGRAM: MESSAGE`, unless `-q`. The message contains no raw text of files.
    pub(crate) fn error(&self, message: impl Display) {
        let style = self.styles.error;
        self.line(format_args!("{style}{}:{style:#} {message}", self.program));
    }

    /// Returns the value of a result. An error is printed.
    pub(crate) fn ok<T>(&self, result: Result<T, impl Display>) -> Option<T> {
        result.map_err(|e| self.error(e)).ok()
    }

    /// Prints `PROGRAM: warning: MESSAGE`, unless `-q`.
    pub(crate) fn warn(&self, message: impl Display) {
        let style = self.styles.warning;
        self.line(format_args!("{}: {style}warning:{style:#} {message}", self.program));
    }

    /// Prints `PROGRAM: MESSAGE` as a mere fact, unless `-q`.
    pub(crate) fn note(&self, message: impl Display) {
        self.line(format_args!("{}: {message}", self.program));
    }

    /// Prints `NAME:LINE:COLUMN: MESSAGE`, unless `-q`. This function escapes the name.
    pub(crate) fn finding(&self, name: &Name, line: u64, column: u64, message: impl Display) {
        let Palette { place, .. } = self.styles;
        self.line(format_args!("{place}{name}:{line}:{column}:{place:#} {message}"));
    }

    /// Prints a line on standard error, unless `-q`.
    pub(crate) fn line(&self, line: impl Display) {
        if !self.quiet {
            let line = format!("{line}\n");
            if let Some(kept) = &self.kept {
                kept.lock().unwrap_or_else(PoisonError::into_inner).push_str(&line);
                return;
            }
            print(&line);
        }
    }

    /// Prints warnings for code that cannot borrow this.
    pub(crate) fn warner(&self) -> Warner {
        Warner { program: self.program, quiet: self.quiet, style: self.styles.warning }
    }

    /// Returns the outcome of a failure to write `name`: trouble, with a message. A closed pipe ends the program
    /// without a message, but not as if everything were written.
    pub(crate) fn cannot_write(&self, name: &Name, e: &io::Error) -> Outcome {
        if e.kind() == ErrorKind::BrokenPipe {
            return Outcome::Cut;
        }
        self.error(format_args!("{name}: {}", reason(e)));
        Outcome::Trouble
    }

    /// Returns the outcome of having written data to standard output.
    pub(crate) fn written(&self, result: io::Result<Outcome>) -> Outcome {
        result.unwrap_or_else(|e| self.cannot_write(&Name::stdout(), &e))
    }
}
