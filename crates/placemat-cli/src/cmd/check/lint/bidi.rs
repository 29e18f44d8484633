//! Bidi controls that are still open at the end of a line. Such a control decides the display order of the rest of the
//! line; in source code, code can then look like a comment.

use super::kind::{Hit, Kind};

/// The maximum depth of embeddings (UAX #9, BD2). Deeper ones have no effect.
const DEPTH: usize = 125;

#[derive(Debug, Default)]
pub(super) struct Bidi {
    /// The open embeddings, overrides and isolates.
    open: Vec<char>,
}

impl Bidi {
    /// Adds hits for bidi controls that are open at the end of a line. `hits` holds the bidi controls of `text`.
    pub(super) fn follow(&mut self, text: &str, hits: &mut Vec<Hit>) {
        let mut from = 0;
        let mut unterminated = Vec::new();
        for hit in hits.iter().filter(|hit| hit.kind == Kind::BidiControl) {
            self.lines(text, from, hit.at.start, &mut unterminated);
            if let Some(c) = text[hit.at.clone()].chars().next() {
                self.take(c);
            }
            from = hit.at.end;
        }
        self.lines(text, from, text.len(), &mut unterminated);
        hits.append(&mut unterminated);
    }

    /// Looks for the end of a line if a control is open.
    fn lines(&mut self, text: &str, from: usize, to: usize, hits: &mut Vec<Hit>) {
        if self.open.is_empty() {
            return;
        }
        let is_end = |c| matches!(c, '\n' | '\r' | '\u{85}' | '\u{2029}');
        if let Some(at) = text[from..to].find(is_end)
            && let Some(c) = self.end_line()
        {
            let at = from + at;
            hits.push(Hit { kind: Kind::BidiUnterminated(c), at: at..at });
        }
    }

    /// Ends the line, which closes all controls. Returns the control that was opened first, if any was open.
    pub(super) fn end_line(&mut self) -> Option<char> {
        let first = self.open.first().copied();
        self.open.clear();
        first
    }

    /// Opens or closes (UAX #9, X1 to X7).
    fn take(&mut self, c: char) {
        let is_isolate = |c: &char| matches!(c, '\u{2066}'..='\u{2068}');
        match c {
            // A pop does not reach across the border of an isolate.
            '\u{202C}' => {
                self.open.pop_if(|c| !is_isolate(c));
            }
            '\u{2069}' => {
                if let Some(at) = self.open.iter().rposition(is_isolate) {
                    self.open.truncate(at);
                }
            }
            _ if self.open.len() < DEPTH => self.open.push(c),
            _ => {}
        }
    }
}
