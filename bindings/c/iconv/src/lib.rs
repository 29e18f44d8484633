//! `libplacemat_iconv`: iconv(3) over placemat.
//!
//! The library exports `iconv_open`, `iconv` and `iconv_close`, which behave like those of glibc 2.36
//! and are meant to be preloaded: names that placemat does not know, and handles that it did not
//! make, go to the next library.
//!
//! `libplacemat_libiconv` is the same source with the feature `libiconv`. It also exports
//! `libiconv_open` and the other names of GNU libiconv, for programs that are linked with it.
//!
//! | file | content |
//! | --- | --- |
//! | `glibc.rs`, `libiconv.rs` | the exported functions |
//! | `call.rs` | from the pointers of a call to slices, and back |
//! | `slots.rs` | the handles |
//! | `next.rs` | the next library |
//! | `mode.rs` | the variable `PLACEMAT_ICONV` |
//! | `system.rs` | the functions of the C library that are used here |

#![no_std]

extern crate alloc;
extern crate placemat_c_runtime as _;

mod call;
mod glibc;
#[cfg(feature = "libiconv")]
mod libiconv;
#[cfg(feature = "preload")]
mod mode;
#[cfg(feature = "preload")]
mod next;
mod slots;
mod system;
