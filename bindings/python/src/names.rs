//! Encodings by name, and what to say where there is none.

use placemat::Encoding;
use pyo3::exceptions::PyLookupError;
use pyo3::prelude::*;

/// The prefix that `placemat.codecs` gives the names of codecs, for those that Python has too.
const OURS: &str = "placemat.";

/// The encoding that a name means: any label, as the library knows them, or one of Python's names for the same encoding.
pub(crate) fn encoding(label: &str) -> PyResult<Encoding> {
    find(label).ok_or_else(|| unknown(label))
}

fn find(label: &str) -> Option<Encoding> {
    let label = label.strip_prefix(OURS).unwrap_or(label);
    // Labels are compared without some characters, but a name with a control character is no label.
    if label.trim_ascii().contains(char::is_control) {
        return None;
    }
    Encoding::for_label(label).or_else(|| Encoding::for_label(&name_of_alias(label)?))
}

/// The name that Python has for one of its own aliases, such as `utf` and `u16`.
#[cold]
fn name_of_alias(label: &str) -> Option<String> {
    Python::attach(|py| {
        let normal = py.import("encodings").ok()?.call_method1("normalize_encoding", (label,)).ok()?;
        let normal = normal.call_method0("lower").ok()?;
        let aliases = py.import("encodings.aliases").ok()?.getattr("aliases").ok()?;
        aliases.get_item(normal).ok()?.extract().ok()
    })
}

/// A name as a message shows it: what a terminal would take for a command is escaped, and what no name is as long as is cut.
pub(crate) fn shown(name: &str) -> String {
    const MAX_SHOWN_CHARS: usize = 80;
    let escaped = |c: char| if c.is_control() { format!("\\x{:02x}", u32::from(c)) } else { c.to_string() };
    let rest = if name.chars().nth(MAX_SHOWN_CHARS).is_some() { "…" } else { "" };
    name.chars().take(MAX_SHOWN_CHARS).map(escaped).chain([rest.to_owned()]).collect()
}

/// The name of an encoding, in lower case, as Python's are.
pub(crate) fn of(encoding: Encoding) -> String {
    encoding.name().to_ascii_lowercase()
}

/// `LookupError`, with what is known of the name, or the label that is nearest.
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
