//! Detection and repair of the library [placemat](https://docs.rs/placemat).
//!
//! Depend on `placemat`: it has what is for users under one name.

#![cfg_attr(not(test), no_std)]
// On docs.rs, each item shows the feature that it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(clippy::unwrap_used, unsafe_code)]
#![warn(clippy::print_stdout)]

extern crate alloc;
extern crate std;

pub mod detect;
#[cfg(feature = "repair")]
pub mod repair;
