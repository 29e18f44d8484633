//! The test suite of placemat: one binary of several modules.
//!
//! With `--cfg kernels_only` it has only the tests of kernels, for emulated machines: the other
//! tests take longest to compile, and run the same code everywhere.
//!
//! [`oracle`] is an independent decoder and encoder for every form; the tests compare every result of the library with
//! it.

#![cfg_attr(
    kernels_only,
    allow(
        dead_code,
        unused_imports,
        unused_macros,
        reason = "some helpers serve only tests that are left out"
    )
)]
#![allow(
    clippy::cast_possible_truncation,
    reason = "the tests build code units from numbers they know to fit"
)]

#[cfg(not(kernels_only))]
mod adapters;
#[cfg(not(kernels_only))]
mod ansel;
#[cfg(not(kernels_only))]
mod asynchronous;
#[cfg(not(kernels_only))]
mod between;
#[cfg(not(kernels_only))]
mod big5_kinds;
#[cfg(not(kernels_only))]
mod by_kind;
#[cfg(not(kernels_only))]
mod callbacks;
#[cfg(not(kernels_only))]
mod conformance;
#[cfg(not(kernels_only))]
mod damage;
mod data;
#[cfg(not(kernels_only))]
mod detect;
#[cfg(not(kernels_only))]
mod doors;
#[cfg(not(kernels_only))]
mod dvb;
#[cfg(not(kernels_only))]
mod ebcdic_newline;
#[cfg(not(kernels_only))]
mod edit;
#[cfg(not(kernels_only))]
mod endings;
#[cfg(not(kernels_only))]
mod escapes;
mod escapes_and_accents;
mod everyday;
#[cfg(not(kernels_only))]
mod examples;
#[cfg(not(kernels_only))]
mod exhaustive;
#[cfg(not(kernels_only))]
mod face;
#[cfg(not(kernels_only))]
mod facts;
#[cfg(not(kernels_only))]
mod first_steps;
#[cfg(not(kernels_only))]
mod gsm_national;
#[cfg(unix)]
mod guard;
#[cfg(not(kernels_only))]
mod held_back;
#[cfg(not(kernels_only))]
mod iscii;
#[cfg(not(kernels_only))]
mod judges;
mod kernels;
#[cfg(not(kernels_only))]
mod laws;
#[cfg(not(kernels_only))]
mod legacy;
#[cfg(not(kernels_only))]
mod marc8;
#[cfg(not(kernels_only))]
mod mixed_units;
#[cfg(not(kernels_only))]
mod multi_byte;
#[cfg(not(kernels_only))]
mod not_guessed;
mod oracle;
mod oracle_check;
#[cfg(not(kernels_only))]
mod own_policies;
#[cfg(not(kernels_only))]
mod peers;
#[cfg(not(kernels_only))]
mod placement;
#[cfg(not(kernels_only))]
mod random;
#[cfg(not(kernels_only))]
mod regions;
#[cfg(not(kernels_only))]
mod repair;
mod samples;
#[cfg(not(kernels_only))]
mod second_source;
#[cfg(not(kernels_only))]
mod single_byte;
#[cfg(not(kernels_only))]
mod streaming;
mod subject;
#[cfg(not(kernels_only))]
mod syntax;
#[cfg(not(kernels_only))]
mod tables;
#[cfg(not(kernels_only))]
mod testdata;
#[cfg(not(kernels_only))]
mod transfer;
#[cfg(not(kernels_only))]
mod transliteration;
#[cfg(not(kernels_only))]
mod tscii;
#[cfg(not(kernels_only))]
mod unicode;
#[cfg(not(kernels_only))]
mod unread;
mod vectors;
#[cfg(not(kernels_only))]
mod vni;
#[cfg(not(kernels_only))]
mod watched;
#[cfg(not(kernels_only))]
mod whole;
// Work is counted in debug builds only.
#[cfg(all(not(kernels_only), debug_assertions))]
mod work;
