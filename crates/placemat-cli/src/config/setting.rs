//! The declaration of an encoding in a line of a configuration file.

use placemat::Encoding;
use std::path::Path;
use std::sync::Arc;

/// The declaration of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Setting {
    pub(super) value: Value,
    /// The label as it is written; empty without one.
    pub(super) label: String,
    /// `working-tree-encoding`, `charset`.
    pub(super) key: &'static str,
    pub(super) file: Arc<Path>,
    pub(super) line: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// A declaration that cancels earlier ones.
    Unset,
    /// No label: git refuses each file that this is for.
    Refused,
    /// An encoding, and whether the text must begin with a signature.
    Encoding(Encoding, bool),
    Unknown(String),
}

impl Value {
    /// Returns the value of a label, which may require a signature.
    pub(super) fn new(label: &str) -> Self {
        let bare = label.len().checked_sub(4).and_then(|at| Some((label.get(..at)?, label.get(at..)?)));
        if let Some((bare, suffix)) = bare
            && suffix.eq_ignore_ascii_case("-bom")
            && let Some(encoding) = Encoding::for_label(bare)
        {
            return Self::Encoding(encoding, true);
        }
        Encoding::for_label(label)
            .map_or_else(|| Self::Unknown(label.to_owned()), |encoding| Self::Encoding(encoding, false))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_may_ask_for_a_signature() {
        for (label, encoding, signature) in [
            ("utf-8", Encoding::UTF_8, false),
            ("utf-8-bom", Encoding::UTF_8, true),
            ("UTF-16LE-BOM", Encoding::UTF_16LE, true),
            ("latin1", Encoding::ISO_8859_1, false),
            ("UTF-16", Encoding::UTF_16, false),
        ] {
            assert_eq!(Value::new(label), Value::Encoding(encoding, signature));
        }
        for label in ["", "-bom", "é-bo", "utf-99"] {
            assert_eq!(Value::new(label), Value::Unknown(label.into()));
        }
    }
}
