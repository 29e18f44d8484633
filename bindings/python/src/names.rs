//! Encodings by name, and the message for an unknown name.

use placemat::Encoding;
use pyo3::exceptions::PyLookupError;
use pyo3::prelude::*;

/// The prefix that `placemat.codecs` adds to the names of codecs that Python has too.
const OURS: &str = "placemat.";

/// Returns the encoding of a name: any label that the library knows, or one of Python's names for
/// the same encoding.
pub(crate) fn encoding(label: &str) -> PyResult<Encoding> {
    find(label).ok_or_else(|| unknown(label))
}

fn find(label: &str) -> Option<Encoding> {
    // The usual name takes no search.
    if label == "utf-8" {
        return Some(Encoding::UTF_8);
    }
    let label = label.strip_prefix(OURS).unwrap_or(label);
    // Comparing labels ignores some characters, but a name with a control character is not a label.
    if label.trim_ascii().contains(char::is_control) {
        return None;
    }
    Encoding::for_label(label).or_else(|| Encoding::for_label(&name_of_alias(label)?))
}

/// Returns Python's name for one of its own aliases, such as `utf` and `u16`.
#[cold]
fn name_of_alias(label: &str) -> Option<String> {
    Python::attach(|py| {
        let normal = py.import("encodings").ok()?.call_method1("normalize_encoding", (label,)).ok()?;
        let normal = normal.call_method0("lower").ok()?;
        let aliases = py.import("encodings.aliases").ok()?.getattr("aliases").ok()?;
        aliases.get_item(normal).ok()?.extract().ok()
    })
}

/// Returns a name for a message: terminal commands are escaped, and an overlong name is truncated.
pub(crate) fn shown(name: &str) -> String {
    const MAX_SHOWN_CHARS: usize = 80;
    let escaped = |c: char| if c.is_control() { format!("\\x{:02x}", u32::from(c)) } else { c.to_string() };
    let rest = if name.chars().nth(MAX_SHOWN_CHARS).is_some() { "…" } else { "" };
    name.chars().take(MAX_SHOWN_CHARS).map(escaped).chain([rest.to_owned()]).collect()
}

/// Returns the name of an encoding in lower case, like Python's.
pub(crate) fn of(encoding: Encoding) -> String {
    encoding.name().to_ascii_lowercase()
}

/// Returns a `LookupError` that explains the name, or suggests the nearest label.
pub(crate) fn unknown(label: &str) -> PyErr {
    let mut words = format!("unknown encoding: {}", shown(label));
    let about = label.strip_prefix(OURS).unwrap_or(label).parse::<Encoding>().err().and_then(|e| e.about());
    if let Some(about) = about {
        words.push_str(&format!(": {about}"));
    } else if let Some(near) = nearest(label) {
        words.push_str(&format!("; did you mean {near}?"));
    }
    PyLookupError::new_err(words)
}

/// Returns the label that needs the fewest changes, of at most a third of the letters.
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

/// Returns the number of letters to insert, delete or change between two names.
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
