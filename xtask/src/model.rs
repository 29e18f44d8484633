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
#[expect(
    clippy::cast_possible_truncation,
    reason = "the values are clamped, or counts below the limits of the file"
)]
mod pack;
mod vietnamese;

use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

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

/// Reads `LANGUAGE.SOURCE.PART.txt` of the sources that the model is trained on.
fn read(folder: &Path) -> io::Result<Texts> {
    let mut files: Vec<_> = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    files.sort_by_key(fs::DirEntry::file_name);
    let mut texts = Texts::new();
    for file in files {
        let name = file.file_name().to_string_lossy().into_owned();
        let Some((language, rest)) = name.split_once('.') else { continue };
        if pack::place(language).is_none() {
            continue;
        }
        if !["libreoffice-ui", "libreoffice-help", "firefox-ui"].iter().any(|source| rest.starts_with(source))
        {
            continue;
        }
        let text = fs::read_to_string(file.path())?;
        texts.entry(language.to_owned()).or_default().extend(text.lines().map(str::to_owned));
    }
    Ok(texts)
}

/// Trains the model from the paragraphs below `folder` and writes it.
pub(crate) fn run(folder: &str, options: &[&str]) -> Result<(), String> {
    let mut limits = Limits { letters: 100, gain: 41.0 };
    for pair in options.chunks(2) {
        let unreadable = |e: &dyn core::fmt::Display| format!("{}: {e}", pair[1]);
        match pair[0] {
            "--letters" => limits.letters = pair[1].parse().map_err(|e| unreadable(&e))?,
            "--gain" => limits.gain = pair[1].parse().map_err(|e| unreadable(&e))?,
            other => return Err(format!("unknown option {other}")),
        }
    }
    let texts = read(Path::new(folder)).map_err(|e| format!("{folder}: {e}"))?;
    let model = count::train(&texts, limits);
    let file = pack::pack(&model);
    println!("{} languages, {} bytes", model.languages.len(), file.len());
    fs::write(FILE, file).map_err(|e| format!("{FILE}: {e}"))
}
