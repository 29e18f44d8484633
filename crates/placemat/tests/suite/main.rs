//! The test suite of placemat: one binary of several modules.
//!
//! [`oracle`] is an independent decoder and encoder for every form; everything the library says is compared with it.

#![allow(
    clippy::cast_possible_truncation,
    reason = "the tests build code units from numbers they know to fit"
)]

mod adapters;
mod callbacks;
mod conformance;
mod damage;
mod data;
mod escapes;
mod everyday;
mod exhaustive;
#[cfg(unix)]
mod guard;
mod held_back;
mod kernels;
mod legacy;
mod marc8;
mod multi_byte;
mod oracle;
mod oracle_check;
mod peers;
mod placement;
mod random;
mod samples;
mod single_byte;
mod streaming;
mod subject;
mod tables;
mod testdata;
mod transfer;
mod transliteration;
mod vectors;
mod work;
