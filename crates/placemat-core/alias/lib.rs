//! The crate `placemat-core` under another name.

#![no_std]

pub use placemat_core::*;
