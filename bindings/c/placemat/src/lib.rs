//! `libplacemat`: the C interface of placemat. `include/placemat.h` is made from it.
//!
//! | file | content |
//! | --- | --- |
//! | `types.rs` | status, progress, errors |
//! | `encodings.rs` | encodings by their labels, signatures |
//! | `unicode.rs` | UTF-8, UTF-16, UTF-32 and Latin-1 without a handle |
//! | `policy.rs` | policies |
//! | `transcoder.rs` | conversion between any two encodings, at once and piece by piece |
//! | `detect.rs` | the encoding and the language of bytes of unknown origin |
//! | `repair.rs` | damaged text into what it was, and back |
//! | `document.rs` | text that is edited in its own encoding |
//! | `memory.rs` | from addresses and lengths to slices |

#![no_std]
#![allow(non_camel_case_types, reason = "these are the names of C")]

extern crate alloc;
extern crate placemat_c_runtime as _;

mod detect;
mod document;
mod encodings;
mod memory;
mod policy;
mod repair;
mod transcoder;
mod types;
mod unicode;
