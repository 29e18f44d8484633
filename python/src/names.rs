//! Encodings by name, and what to say where there is none.

use placemat::Encoding;
use pyo3::exceptions::PyLookupError;
use pyo3::prelude::*;

/// What `placemat.codecs` puts before the names of codecs, for those that Python has too.
const OURS: &str = "placemat.";

/// The encoding that a name means: any label, as the library knows them, or one of Python's names for the same encoding.
pub(crate) fn encoding(label: &str) -> PyResult<Encoding> {
    find(label).ok_or_else(|| unknown(label))
}

fn find(label: &str) -> Option<Encoding> {
    let label = label.strip_prefix(OURS).unwrap_or(label);
    Encoding::for_label(label)
}

/// The name of an encoding, in lower case, as Python's are.
pub(crate) fn of(encoding: Encoding) -> String {
    encoding.name().to_ascii_lowercase()
}

/// `LookupError`, with the label that is nearest.
pub(crate) fn unknown(label: &str) -> PyErr {
    let mut words = format!("unknown encoding: {label}");
    if let Some(near) = nearest(label) {
        words.push_str(&format!("; did you mean {near}?"));
    }
    PyLookupError::new_err(words)
}

/// The label that takes the fewest changes, at most a third of the letters.
fn nearest(label: &str) -> Option<&'static str> {
    let wanted = label.to_ascii_lowercase();
    if wanted.len() > 40 {
        return None;
    }
    let names = Encoding::ALL.iter().flat_map(|encoding| {
        let names = encoding.names();
        [names.name].into_iter().chain(names.labels)
    });
    let most = (wanted.len() / 3).max(1);
    names
        .map(|name| (distance(&wanted, &name.to_ascii_lowercase()), name))
        .min_by_key(|&(far, _)| far)
        .and_then(|(far, name)| (far <= most).then_some(name))
}

/// The number of letters to insert, delete or change between two names.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut before = row[0];
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let change = before + usize::from(x != y);
            before = row[j + 1];
            row[j + 1] = change.min(before + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
