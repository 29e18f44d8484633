//! Dimensions of error bitmaps: how many bytes each word covers, and how many words there are.

use super::checker::LOOKBACK_BYTES;
use crate::simd::BLOCK;

/// Bytes of a window that get a verdict: the first three depend on bytes before the window, and the
/// last three on bytes after it.
pub const STEP: usize = BLOCK - 2 * LOOKBACK_BYTES;
/// Maximum number of steps, and so of bitmaps, of [`mark_errors`](super::damage::mark_errors).
pub const MARKS: usize = 8;
