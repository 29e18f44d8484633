//! The WebAssembly module of the npm package: functions over linear memory, which `bindings/web/package` calls.
//!
//! Addresses and lengths refer to blocks from [`memory::reserve`]. One call runs at a time, so
//! there is one place for the last answer: see [`answer::Answer`]. A panic, which would be a bug of
//! this project, is a trap; the package then uses a new instance.
#![no_std]

extern crate alloc;
#[cfg(feature = "all")]
extern crate std;

mod answer;
mod convert;
mod count;
#[cfg(feature = "detect")]
mod detect;
#[cfg(feature = "detect")]
mod document;
#[cfg(feature = "all")]
mod explain;
mod memory;
mod policy;
#[cfg(feature = "detect")]
mod repair;
#[cfg(feature = "all")]
mod reports;
#[cfg(not(feature = "all"))]
mod runtime;

use placemat::Encoding;
use placemat_web_unpack as _;

/// Returns the encoding of a number, its index in [`Encoding::ALL`]. The first module knows the
/// first encodings.
fn encoding(number: u32) -> Option<Encoding> {
    Encoding::ALL.get(number as usize).copied()
}

/// Returns the number of encodings.
#[unsafe(no_mangle)]
pub extern "C" fn encodings() -> usize {
    Encoding::ALL.len()
}
