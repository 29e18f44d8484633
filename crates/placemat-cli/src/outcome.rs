//! The outcome of a command.

use std::process::ExitCode;

/// The outcomes of a command, from best to worst.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// Clean, or done as asked.
    #[default]
    Clean,
    /// The reader of the output has closed the pipe: the output is incomplete, and no message is due.
    Cut,
    /// Something was found, or `strict` refused the input.
    Findings,
    /// Usage, files, unknown encoding.
    Trouble,
}

/// The status of a program that a closed pipe has ended, without a signal.
const CUT: u8 = 141;

impl Outcome {
    /// Returns the exit status; a closed pipe ends the program as it ends `cat` and `grep`.
    pub(crate) fn end(self) -> ExitCode {
        ExitCode::from(self.status())
    }

    /// Ends the program here and now.
    pub(crate) fn exit(self) -> ! {
        std::process::exit(self.status().into())
    }

    /// Returns the exit status as a number.
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Clean => 0,
            Self::Findings => 1,
            Self::Trouble => 2,
            Self::Cut => CUT,
        }
    }

    /// Does not return if the program ends by a signal.
    fn status(self) -> u8 {
        #[cfg(unix)]
        if self == Self::Cut {
            let _ = signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGPIPE);
        }
        self.code()
    }
}
