//! Similar texts for characters that a target cannot represent, by language.

pub mod choice;
pub mod rules;
mod silent;
pub mod symbols;
mod tables;
