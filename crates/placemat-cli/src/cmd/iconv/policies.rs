//! What happens to ill-formed input and to what the output cannot hold.

use super::charset::Charset;
use super::subst::Format;
use super::translit;
use core::cell::Cell;
use placemat::normalize::Normalization;
use placemat::policy::{Action, Substitute};
use placemat::{CodePoint, IllFormed, OnError, OnUnmappable, Replacement, Unmappable};
use std::collections::HashMap;
use std::rc::Rc;

/// For both.
#[derive(Clone, Copy, Debug)]
pub(super) enum Then<'a> {
    Stop,
    Omit,
    Write(&'a Format),
}

/// What happens to ill-formed input.
#[derive(Clone, Debug)]
pub(super) struct Decoding<'a> {
    pub(super) then: Then<'a>,
    /// C1 controls are ill-formed.
    pub(super) refuses_c1: bool,
    /// The text last made.
    pub(super) text: String,
}

const fn is_c1(c: CodePoint) -> bool {
    matches!(c.value(), 0x80..=0x9F)
}

impl OnError for Decoding<'_> {
    fn handle(&mut self, error: &IllFormed) -> Action<'_> {
        // What is cut off at the end is told, whatever is left out elsewhere.
        if error.is_incomplete() {
            return Action::Stop;
        }
        match self.then {
            Then::Stop => Action::Stop,
            Then::Omit => Action::Text(Replacement::EMPTY),
            Then::Write(format) => {
                self.text.clear();
                for byte in error.bytes() {
                    format.write(u32::from(*byte), &mut self.text);
                }
                Replacement::new(&self.text).map_or(Action::Stop, Action::Text)
            }
        }
    }

    fn longest(&self) -> usize {
        match self.then {
            Then::Stop | Then::Omit => 0,
            Then::Write(_) => Replacement::MAX_BYTES,
        }
    }

    fn inspects(&self) -> bool {
        self.refuses_c1
    }

    fn admits(&self, c: CodePoint) -> bool {
        !(self.refuses_c1 && is_c1(c))
    }
}

/// What happens to what the output cannot hold.
#[derive(Clone, Debug)]
pub(super) struct Unmappables<'a> {
    pub(super) to: &'a Charset,
    pub(super) refuses_c1: bool,
    pub(super) then: Then<'a>,
    /// Where something was left out first.
    pub(super) omitted: Rc<Cell<Option<u64>>>,
    /// The text last made.
    pub(super) text: String,
    /// What is similar to what was met before.
    pub(super) similar: HashMap<CodePoint, String>,
}

/// So many are kept: all that a text in one language has.
const KEPT: usize = 4096;

impl Unmappables<'_> {
    /// What glibc writes for it, if that is something else.
    fn written(&self, c: CodePoint) -> Option<&'static str> {
        let c = c.to_char()?;
        self.to.written.iter().find(|(known, _)| *known == c).map(|(_, text)| *text)
    }

    /// It as a letter and a mark.
    fn taken_apart(&self, c: char) -> Option<String> {
        if !self.to.takes_marks_apart() {
            return None;
        }
        let whole = c.to_string();
        let parts = Normalization::Nfd.apply(&whole).into_owned();
        if parts == whole {
            return None;
        }
        if translit::holds(self.to.encoding, &parts) {
            return Some(parts);
        }
        // Of several marks, one may have to stand by itself: ê and a dot below, but not ẹ and a circumflex.
        let mut marks = parts.char_indices().skip(1);
        marks.find_map(|(at, mark)| {
            let others = [&parts[..at], &parts[at + mark.len_utf8()..]].concat();
            let mut text = Normalization::Nfc.apply(&others).into_owned();
            text.push(mark);
            translit::holds(self.to.encoding, &text).then_some(text)
        })
    }
}

impl OnUnmappable for Unmappables<'_> {
    fn handle(&mut self, unmappable: &Unmappable) -> Substitute<'_> {
        let c = unmappable.code_point();
        if let Some(text) = self.written(c).and_then(Replacement::new) {
            return Substitute::Text(text);
        }
        if let Some(parts) = c.to_char().and_then(|c| self.taken_apart(c)) {
            self.text = parts;
        } else if self.to.translit {
            if self.similar.len() >= KEPT {
                self.similar.clear();
            }
            let to = self.to.encoding;
            let similar = self.similar.entry(c).or_insert_with(|| translit::similar(unmappable, to));
            return Replacement::new(similar).map_or(Substitute::Stop, Substitute::Text);
        } else {
            match self.then {
                Then::Stop => return Substitute::Stop,
                Then::Omit => {
                    let first = self.omitted.get().unwrap_or(u64::MAX);
                    self.omitted.set(Some(first.min(unmappable.offset())));
                    return Substitute::Text(Replacement::EMPTY);
                }
                Then::Write(format) => {
                    self.text.clear();
                    format.write(c.value(), &mut self.text);
                }
            }
        }
        Replacement::new(&self.text).map_or(Substitute::Stop, Substitute::Text)
    }

    fn longest(&self) -> usize {
        match self.then {
            Then::Write(_) => Replacement::MAX_BYTES,
            _ => translit::LONGEST,
        }
    }

    fn inspects(&self) -> bool {
        self.refuses_c1 || !self.to.written.is_empty()
    }

    fn intercepts(&self, c: CodePoint) -> bool {
        (self.refuses_c1 && is_c1(c)) || self.written(c).is_some()
    }
}
