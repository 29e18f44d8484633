//! Similar texts for what a target cannot represent, by language.

pub mod choice;
pub mod rules;
pub mod signs;
mod silent;
mod tables;
