//! Marks of errors: for how many bytes each word has them, and how many words there are.

use super::checker::BEHIND;
use crate::simd::BLOCK;

/// Bytes of a window that are judged: the meaning of its first three depends on bytes before it, and that of its last
/// three on bytes after it.
pub const STEP: usize = BLOCK - 2 * BEHIND;
/// The most steps that [`mark_errors`](super::damage::mark_errors) takes.
pub const MARKS: usize = 8;
