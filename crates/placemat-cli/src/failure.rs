//! A failed operation on files, and on which of them.

use std::io;

/// An error, and the side it occurred on.
#[derive(Debug)]
pub(crate) enum Failure {
    Reading(io::Error),
    Writing(io::Error),
}
