//! The foundations of the crate: code units, code points, errors and policies.

pub mod bits;
pub mod chunk;
pub mod code_point;
pub mod error;
pub mod hints;
#[cfg(feature = "std")]
pub mod io_error;
#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
pub mod once;
pub mod patch;
pub mod policy;
pub mod unit;
pub mod utf16;
pub mod work;
