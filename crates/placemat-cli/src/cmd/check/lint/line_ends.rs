//! Line ends, searched for one by one, and only as long as a finding is still possible.

use super::kind::{Hit, Kind};
use crate::line_ends::{LineEnd, NEL};
use memchr::{memchr, memchr2, memmem};

#[derive(Debug, Default)]
pub(super) struct LineEnds {
    /// Whether the last line ended in CR LF.
    in_run: bool,
    /// The kind of the first line end, and the other kinds found.
    first: Option<LineEnd>,
    others: Vec<LineEnd>,
    /// The number of CR so far, and whether there was another line end.
    crs: u64,
    has_other: bool,
}

impl LineEnds {
    /// Finds the first CR LF of each run.
    pub(super) fn crlf(&mut self, text: &[u8], hits: &mut Vec<Hit>) {
        let mut at = 0;
        loop {
            if self.in_run {
                let Some(found) = memchr(b'\n', &text[at..]) else { return };
                at += found + 1;
                self.in_run = text[..at].ends_with(b"\r\n");
            } else {
                let Some(found) = memchr(b'\r', &text[at..]) else { return };
                at += found + 1;
                if text.get(at) == Some(&b'\n') {
                    hits.push(Hit { kind: Kind::Crlf, at: at - 1..at + 1 });
                    at += 1;
                    self.in_run = true;
                }
            }
        }
    }

    /// Finds the first line end of each kind other than the first.
    pub(super) fn mixed(&mut self, text: &[u8], hits: &mut Vec<Hit>) {
        // A kind that is known needs no search.
        let mut nel = if self.knows(LineEnd::Nel) { None } else { memmem::find(text, NEL.as_bytes()) };
        let mut at = 0;
        while self.others.len() + 1 < LineEnd::ALL.len() {
            let rest = &text[at..];
            let found = match (self.knows(LineEnd::Lf), self.knows(LineEnd::Cr) && self.knows(LineEnd::CrLf))
            {
                (true, true) => None,
                // If LF alone is known, only a CR can begin a new kind.
                (true, false) => memchr(b'\r', rest),
                // With CR and CR LF known, a CR before the LF must still be seen.
                (false, _) => memchr2(b'\r', b'\n', rest),
            };
            let found = found.map(|found| at + found);
            let Some(start) = found.into_iter().chain(nel).min() else { return };
            let (kind, len) = match (text[start], text.get(start + 1)) {
                (b'\r', Some(b'\n')) => (LineEnd::CrLf, 2),
                (b'\r', _) => (LineEnd::Cr, 1),
                (b'\n', _) => (LineEnd::Lf, 1),
                _ => (LineEnd::Nel, NEL.len()),
            };
            at = start + len;
            if kind == LineEnd::Nel {
                nel = None;
            }
            match self.first {
                None => self.first = Some(kind),
                Some(first) if !self.knows(kind) => {
                    self.others.push(kind);
                    hits.push(Hit { kind: Kind::MixedEol(first), at: start..at });
                }
                Some(_) => {}
            }
        }
    }

    /// Finds the first CR, which is a finding only if no other line end follows in the whole text.
    pub(super) fn cr_alone(&mut self, text: &[u8], hits: &mut Vec<Hit>) {
        if self.has_other {
            return;
        }
        self.has_other = memchr(b'\n', text).is_some() || memmem::find(text, NEL.as_bytes()).is_some();
        if self.has_other {
            return;
        }
        if let (0, Some(at)) = (self.crs, memchr(b'\r', text)) {
            hits.push(Hit { kind: Kind::CrEol(0), at: at..at + 1 });
        }
        self.crs += memchr::memchr_iter(b'\r', text).count() as u64;
    }

    /// Returns the number of lines, if every line end is a CR alone.
    pub(super) const fn lines_of_cr(&self) -> Option<u64> {
        if self.has_other || self.crs == 0 { None } else { Some(self.crs) }
    }

    fn knows(&self, kind: LineEnd) -> bool {
        self.first == Some(kind) || self.others.contains(&kind)
    }
}
