//! The settings of all commands, `--color` and `-q`, and their messages on standard error.

use crate::outcome::Outcome;
use crate::palette::Palette;
use crate::progress;
use crate::shown::{Name, reason};
use anstream::ColorChoice;
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
}

impl Common {
    pub(crate) fn new(color: ColorChoice, quiet: bool) -> Self {
        Self { color, quiet, styles: Palette::for_stream(color, &io::stderr()), kept: None }
    }

    /// A copy that keeps its messages instead of printing them.
    pub(crate) fn keeping(&self) -> Self {
        Self { kept: Some(Mutex::default()), ..*self }
    }

    /// The kept messages.
    pub(crate) fn kept(self) -> String {
        self.kept.and_then(|kept| kept.into_inner().ok()).unwrap_or_default()
    }

    /// The styles of standard output.
    pub(crate) fn data_styles(&self) -> Palette {
        Palette::for_stream(self.color, &io::stdout())
    }

    /// Prints `placemat: MESSAGE`, unless `-q`. The message contains no raw text of files.
    pub(crate) fn error(&self, message: impl Display) {
        let style = self.styles.error;
        self.line(format_args!("{style}placemat:{style:#} {message}"));
    }

    /// Prints `placemat: warning: MESSAGE`, unless `-q`.
    pub(crate) fn warn(&self, message: impl Display) {
        let style = self.styles.warning;
        self.line(format_args!("placemat: {style}warning:{style:#} {message}"));
    }

    /// Prints `NAME:LINE:COLUMN: MESSAGE`, unless `-q`. This function escapes the name.
    pub(crate) fn finding(&self, name: &Name, line: u64, column: u64, message: impl Display) {
        let Palette { place, .. } = self.styles;
        self.line(format_args!("{place}{name}:{line}:{column}:{place:#} {message}"));
    }

    /// Prints a line on standard error, unless `-q`.
    pub(crate) fn line(&self, line: impl Display) {
        if !self.quiet {
            // Written in one piece, so that lines of several processes do not mix. A failure cannot be reported
            // anywhere.
            let line = format!("{line}\n");
            if let Some(kept) = &self.kept {
                kept.lock().unwrap_or_else(PoisonError::into_inner).push_str(&line);
                return;
            }
            let _ = progress::aside(|| io::stderr().write_all(line.as_bytes()));
        }
    }

    /// The outcome of a failure to write `name`: trouble, with a message. A closed pipe ends the program without a
    /// message, but not as if everything were written.
    pub(crate) fn cannot_write(&self, name: &Name, e: &io::Error) -> Outcome {
        if e.kind() == ErrorKind::BrokenPipe {
            return Outcome::Cut;
        }
        self.error(format_args!("{name}: {}", reason(e)));
        Outcome::Trouble
    }

    /// The outcome of having written data to standard output.
    pub(crate) fn written(&self, result: io::Result<Outcome>) -> Outcome {
        result.unwrap_or_else(|e| self.cannot_write(&Name::stdout(), &e))
    }
}
