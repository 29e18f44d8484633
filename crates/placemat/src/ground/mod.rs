//! The foundations of the crate: code units, code points, errors and policies.

pub(crate) mod bits;
pub(crate) mod chunk;
pub(crate) mod code_point;
pub(crate) mod error;
pub(crate) mod hints;
#[cfg(all(
    feature = "alloc",
    target_has_atomic = "ptr",
    any(feature = "single-byte", feature = "legacy", feature = "multi-byte", feature = "marc8")
))]
pub(crate) mod once;
pub(crate) mod patch;
pub(crate) mod policy;
pub(crate) mod unit;
pub(crate) mod utf16;
pub(crate) mod work;
