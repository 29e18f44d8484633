//! Similar texts for characters that a target cannot represent, by language.

pub mod choice;
#[cfg(target_has_atomic = "64")]
pub(crate) mod recent;
pub mod rules;
mod silent;
pub mod symbols;
mod tables;
