//! Code points that mislead the readers of a text. The lints of `check` find them by these tables, and `convert --clean`
//! removes or replaces them by the same tables.

pub(crate) mod invisible;
pub(crate) mod lookalikes;

/// Returns `true` for controls other than TAB, LF, FF and CR, which plain text has.
pub(crate) const fn is_control(c: char) -> bool {
    matches!(c, '\0'..='\x1F' | '\x7F'..='\u{9F}') && !matches!(c, '\t' | '\n' | '\x0C' | '\r')
}

/// Returns `true` for embeddings, overrides, isolates, and the controls that end them.
pub(crate) const fn is_bidi_control(c: char) -> bool {
    matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}
