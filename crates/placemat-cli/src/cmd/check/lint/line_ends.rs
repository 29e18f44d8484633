//! Line ends, searched for one by one, and only as long as a finding is still possible.

use super::kind::{Eol, Hit, Kind};
use memchr::{memchr, memchr2};

#[derive(Debug, Default)]
pub(super) struct LineEnds {
    /// Whether the last line ended in CR LF.
    in_run: bool,
    /// The kind of the first line end, and the other kinds found.
    first: Option<Eol>,
    others: Vec<Eol>,
    /// The number of CR so far, and whether there was an LF.
    crs: u64,
    has_lf: bool,
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
        let mut at = 0;
        while self.others.len() < 2 {
            let rest = &text[at..];
            // If LF alone is known, only a CR can begin a new kind.
            let lf_is_known = self.knows(Eol::Lf);
            let found = if lf_is_known { memchr(b'\r', rest) } else { memchr2(b'\r', b'\n', rest) };
            let Some(found) = found else { return };
            let start = at + found;
            let (kind, len) = match (text[start], text.get(start + 1)) {
                (b'\r', Some(b'\n')) => (Eol::CrLf, 2),
                (b'\r', _) => (Eol::Cr, 1),
                _ => (Eol::Lf, 1),
            };
            at = start + len;
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

    /// Finds the first CR, which is a finding only if no LF follows in the whole text.
    pub(super) fn cr_alone(&mut self, text: &[u8], hits: &mut Vec<Hit>) {
        if self.has_lf {
            return;
        }
        self.has_lf = memchr(b'\n', text).is_some();
        if self.has_lf {
            return;
        }
        if let (0, Some(at)) = (self.crs, memchr(b'\r', text)) {
            hits.push(Hit { kind: Kind::CrEol(0), at: at..at + 1 });
        }
        self.crs += memchr::memchr_iter(b'\r', text).count() as u64;
    }

    /// Returns the number of lines, if every line end is a CR alone.
    pub(super) const fn lines_of_cr(&self) -> Option<u64> {
        if self.has_lf || self.crs == 0 { None } else { Some(self.crs) }
    }

    fn knows(&self, kind: Eol) -> bool {
        self.first == Some(kind) || self.others.contains(&kind)
    }
}
