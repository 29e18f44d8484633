//! The reasons for which an edit leaves a file as it was.

use crate::outcome::Outcome;

/// The memory that an edit takes for each byte of the file and of the output. Texts of very short lines take more.
const MEMORY_PER_BYTE: usize = 8;

/// Why a file stays as it was.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// The outcome, and a complete message.
    Because(Outcome, String),
    /// Standard output does not take the data.
    Unwritten(std::io::Error),
}

impl Refusal {
    pub(crate) fn trouble(message: impl Into<String>) -> Self {
        Self::Because(Outcome::Trouble, message.into())
    }
}

/// Whether there is memory to edit a text; the message, if not. A program that runs out of memory later ends without one.
pub(crate) fn enough_memory(bytes: usize) -> Result<(), String> {
    let wanted = bytes.saturating_mul(MEMORY_PER_BYTE);
    let reserved = Vec::<u8>::new().try_reserve_exact(wanted);
    reserved.map_err(|_| format!("there is not enough memory: an edit takes about {wanted} bytes"))
}
