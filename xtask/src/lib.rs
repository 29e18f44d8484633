//! The examples of the README at the root of the repository, compiled and run by the tests.

#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
mod readme {}
