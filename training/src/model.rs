//! Trains the language model of detection and repair from text.
//!
//! Per language: letters, then bigrams and trigrams of folded letters. A trigram stays only where it tells more than its
//! bigram does. The file holds differences from what the next simpler statistic says, in prefix codes; the library's
//! `detect/model.rs` reads it.

#[path = "../../crates/placemat-detect/src/detect/model/bits.rs"]
#[allow(dead_code, reason = "the library reads, and this writes")]
mod bits;
#[path = "../../crates/placemat-detect/src/detect/model/characters.rs"]
#[allow(dead_code, reason = "the library uses the rest")]
mod characters;
mod common;
#[expect(
    clippy::cast_possible_truncation,
    reason = "the values are clamped, or counts below the limits of the file"
)]
mod count;
#[path = "../../crates/placemat-detect/src/detect/model/format.rs"]
#[allow(dead_code, reason = "the library reads, and this writes")]
mod format;
#[expect(
    clippy::cast_possible_truncation,
    reason = "the values are clamped, or counts below the limits of the file"
)]
mod pack;
mod shared;
mod vietnamese;

use self::shared::{Limits, Texts};
use crate::corpus;
use std::fs;
use std::path::Path;

/// The file that the library reads the model from.
const FILE: &str = "crates/placemat-detect/src/detect/model/model.bin";

/// Trains the model from the packages in `folder` and writes it.
pub(crate) fn run(folder: &str, options: &[&str]) -> Result<(), String> {
    let mut limits = Limits { letters: 100, gain: 48.0 };
    for pair in options.chunks(2) {
        let unreadable = |e: &dyn core::fmt::Display| format!("{}: {e}", pair[1]);
        match pair[0] {
            "--letters" => limits.letters = pair[1].parse().map_err(|e| unreadable(&e))?,
            "--gain" => limits.gain = pair[1].parse().map_err(|e| unreadable(&e))?,
            other => return Err(format!("unknown option {other}")),
        }
    }
    let mut texts = Texts::new();
    corpus::training(Path::new(folder), &mut |language, paragraph| {
        if pack::place(language).is_some() {
            texts.entry(language.to_owned()).or_default().push(paragraph.to_owned());
        }
    })?;
    let model = count::train(&texts, limits);
    let file = pack::pack(&model);
    println!("{} languages, {} bytes", model.languages.len(), file.len());
    fs::write(FILE, file).map_err(|e| format!("{FILE}: {e}"))
}
