//! The sizes of pieces.

/// Bytes of input at a time. Together with its output, a piece fits well within a second-level cache, with few system
/// calls.
pub(super) const PIECE_BYTES: usize = 128 * 1024;

/// Bytes of output at a time, at the least.
pub(super) const OUTPUT: usize = 256 * 1024;

/// Bytes around an error that a message may use.
pub(super) const CONTEXT: usize = 16;
