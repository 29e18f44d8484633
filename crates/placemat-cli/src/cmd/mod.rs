//! One file a command. Each has
//!
//! ```text
//! #[derive(clap::Args)]
//! pub(crate) struct Args { … }
//! pub(crate) fn run(args: &Args, common: &Common) -> Outcome
//! ```
//!
//! * [`Outcome`] is the exit status; several are joined with [`Outcome::max`], which is `Ord::max`: the worst wins.
//! * [`Common`] has what holds for all commands (`--color`, `-q`) and says things on standard error. Options that only
//!   some commands have are flattened into their `Args`: [`args::Verbose`](crate::args::Verbose) (`-v`),
//!   [`args::FormatArg`](crate::args::FormatArg) (`--format`).
//!   Structs that are flattened carry `#[group(skip)]`: clap takes their names for names of groups, which must differ.
//! * Data goes to [`output::Data`], a buffered standard output. Its errors go through
//!   [`Common::cannot_write`], which takes a closed pipe quietly.
//! * Whatever comes from a file or is the name of one goes through [`output::escaped`] before it
//!   becomes part of a message.

pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod count;
pub(crate) mod encodings;
pub(crate) mod iconv;
pub(crate) mod inspect;
pub(crate) mod man;

use crate::args::Command;
use crate::output::{self, Palette};
use crate::progress;
use anstream::ColorChoice;
use core::fmt::Display;
use std::io::{self, ErrorKind, Write as _};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

/// How a command ended, from best to worst.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// Clean, or done as asked.
    #[default]
    Clean,
    /// The reader of the output has closed the pipe: not all was said, and nobody wants to hear so.
    Cut,
    /// Something was found, or `strict` refused the input.
    Findings,
    /// Usage, files, unknown encoding.
    Trouble,
}

/// The status of a program that a closed pipe has ended, where no signal tells.
const CUT: u8 = 141;

impl Outcome {
    /// The exit status; a closed pipe ends the program as it ends `cat` and `grep`.
    pub(crate) fn end(self) -> ExitCode {
        ExitCode::from(self.status())
    }

    /// Ends the program here and now.
    pub(crate) fn exit(self) -> ! {
        std::process::exit(self.status().into())
    }

    /// The exit status as a number.
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Clean => 0,
            Self::Findings => 1,
            Self::Trouble => 2,
            Self::Cut => CUT,
        }
    }

    /// If a signal is to tell, it does not return.
    fn status(self) -> u8 {
        #[cfg(unix)]
        if self == Self::Cut {
            let _ = signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGPIPE);
        }
        self.code()
    }
}

/// What holds for all commands.
#[derive(Debug)]
pub(crate) struct Common {
    /// `--color`.
    pub(crate) color: ColorChoice,
    /// `-q`: nothing is said on standard error.
    pub(crate) quiet: bool,
    /// The styles of messages on standard error.
    styles: Palette,
    /// What was said, if that waits for its turn.
    kept: Option<Mutex<String>>,
}

impl Common {
    pub(crate) fn new(color: ColorChoice, quiet: bool) -> Self {
        Self { color, quiet, styles: Palette::for_stream(color, &io::stderr()), kept: None }
    }

    /// The same, but what is said is kept.
    pub(crate) fn keeping(&self) -> Self {
        Self { kept: Some(Mutex::default()), ..*self }
    }

    /// What was kept.
    pub(crate) fn kept(self) -> String {
        self.kept.and_then(|kept| kept.into_inner().ok()).unwrap_or_default()
    }

    /// The styles of what goes to standard output.
    pub(crate) fn data_styles(&self) -> Palette {
        Palette::for_stream(self.color, &io::stdout())
    }

    /// Says `placemat: MESSAGE`, unless `-q`. The message has no raw text of files in it.
    pub(crate) fn error(&self, message: impl Display) {
        let style = self.styles.error;
        self.line(format_args!("{style}placemat:{style:#} {message}"));
    }

    /// Says `placemat: warning: MESSAGE`, unless `-q`.
    pub(crate) fn warn(&self, message: impl Display) {
        let style = self.styles.warning;
        self.line(format_args!("placemat: {style}warning:{style:#} {message}"));
    }

    /// Says `NAME:LINE:COLUMN: MESSAGE`, unless `-q`. The name is escaped here.
    pub(crate) fn finding(&self, name: &output::Name, line: u64, column: u64, message: impl Display) {
        let Palette { place, .. } = self.styles;
        self.line(format_args!("{place}{name}:{line}:{column}:{place:#} {message}"));
    }

    /// Says a line on standard error, unless `-q`.
    pub(crate) fn line(&self, line: impl Display) {
        if !self.quiet {
            // In one piece, so that lines of several processes do not mix. Nobody is left to tell of a failure.
            let line = format!("{line}\n");
            if let Some(kept) = &self.kept {
                kept.lock().unwrap_or_else(PoisonError::into_inner).push_str(&line);
                return;
            }
            let _ = progress::aside(|| io::stderr().write_all(line.as_bytes()));
        }
    }

    /// What a failure to write `name` means: trouble, and said so; but a closed pipe ends the program quietly, and not as if
    /// all had been said.
    pub(crate) fn cannot_write(&self, name: &output::Name, e: &io::Error) -> Outcome {
        if e.kind() == ErrorKind::BrokenPipe {
            return Outcome::Cut;
        }
        self.error(format_args!("{name}: {}", output::reason(e)));
        Outcome::Trouble
    }

    /// The outcome of having written data to standard output.
    pub(crate) fn written(&self, result: io::Result<Outcome>) -> Outcome {
        result.unwrap_or_else(|e| self.cannot_write(&output::Name::stdout(), &e))
    }
}

/// Runs a command.
pub(crate) fn run(command: Command, common: &Common) -> Outcome {
    match command {
        Command::Check(args) => check::run(args, common),
        Command::Convert(args) => convert::run(args, common),
        Command::Inspect(args) => inspect::run(&args, common),
        Command::Count(args) => count::run(args, common),
        Command::Encodings(args) => encodings::run(&args, common),
        Command::Iconv(args) => iconv::run(&args, common),
        Command::Completions(args) => completions::run(&args, common),
        Command::Man(args) => man::run(&args, common),
    }
}
