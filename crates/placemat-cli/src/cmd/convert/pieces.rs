//! How much is handled at a time.

/// Bytes of input at a time. With the output of it still well within a second-level cache, and few system calls.
pub(super) const PIECE: usize = 128 * 1024;

/// Bytes of output at a time, at the least.
pub(super) const OUTPUT: usize = 256 * 1024;

/// Bytes that a message about an error looks at.
pub(super) const CONTEXT: usize = 16;
