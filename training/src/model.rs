//! Trains the language model of detection and repair from text.
//!
//! Per language: letters, then bigrams and trigrams of folded letters. A trigram stays only where it tells more than its
//! bigram does. The file holds differences from what the next simpler statistic says, in prefix codes; the library's
//! `detect/model.rs` reads it.

#[path = "../../crates/placemat/src/detect/model/bits.rs"]
#[allow(dead_code, reason = "the library reads, and this writes")]
mod bits;
#[path = "../../crates/placemat/src/detect/model/characters.rs"]
#[allow(dead_code, reason = "the library uses the rest")]
mod characters;
mod common;
#[expect(
    clippy::cast_possible_truncation,
    reason = "the values are clamped, or counts below the limits of the file"
)]
mod count;
#[path = "../../crates/placemat/src/detect/model/format.rs"]
mod format;
#[expect(
    clippy::cast_possible_truncation,
    reason = "the values are clamped, or counts below the limits of the file"
)]
mod pack;
mod vietnamese;

use crate::corpus;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Where the library reads the model.
const FILE: &str = "crates/placemat/src/detect/model/model.bin";

/// How much a model keeps.
#[derive(Clone, Copy)]
struct Limits {
    /// The most letters of an alphabet.
    letters: usize,
    /// The nats that a trigram must gain in a text of a million letters, to stay.
    gain: f64,
}

/// The paragraphs of one language.
type Texts = BTreeMap<String, Vec<String>>;

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

/// The cost, in units, of letter `b` after `a` over that of `b` anywhere, where one of them is a mark. `beside` has the costs
/// of each mark after and before each kind.
fn beside(beside: &[[[i8; characters::KINDS]; 2]], kinds: &[u8], a: usize, b: usize) -> i32 {
    if kinds[a] == characters::MARK {
        beside[a][1][usize::from(kinds[b])].into()
    } else {
        beside[b][0][usize::from(kinds[a])].into()
    }
}
