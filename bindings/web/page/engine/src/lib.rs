//! The engine of the page that explains bytes.
//!
//! The page reads a text in pieces and asks about it; every answer is JSON, or bytes. One text is
//! open at a time. The worker of the page calls the functions in [`exports`]; everything else is
//! plain Rust, which the tests call.

pub mod command;
pub mod conversion;
pub mod detection;
mod encodings;
pub mod exports;
pub mod fix;
mod json;
pub mod scan;
pub mod trial;
mod window;

pub use encodings::{list, resolve};
pub use window::Extent;

use placemat_web_unpack as _;
