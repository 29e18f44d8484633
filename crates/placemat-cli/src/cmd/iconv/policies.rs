//! The policies for ill-formed input and for code points that the output cannot hold.

use super::charset::Charset;
use super::subst::Format;
use core::cell::Cell;
use placemat::normalize::Normalization;
use placemat::policy::{Action, Substitute};
use placemat::stream::Transcoder;
use placemat::transliteration::Transliteration;
use placemat::{
    CodePoint, Encoding, ErrorPolicy, IllFormed, OnError, OnUnmappable, Replacement, Unmappable,
    UnmappablePolicy,
};
use std::rc::Rc;

/// The options for both policies.
#[derive(Clone, Copy, Debug)]
pub(super) enum Then<'a> {
    Stop,
    Omit,
    Write(&'a Format),
}

/// The policy for ill-formed input.
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
        // An incomplete sequence at the end is always reported.
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

/// The policy for code points that the output cannot hold.
#[derive(Clone, Debug)]
pub(super) struct Unmappables<'a> {
    pub(super) to: &'a Charset,
    pub(super) refuses_c1: bool,
    pub(super) then: Then<'a>,
    /// The transliteration, if `//TRANSLIT` asks for it.
    pub(super) similar: Option<Transliteration>,
    /// The record of omissions and substitutes.
    pub(super) done: Rc<Done>,
    /// The text last made.
    pub(super) text: String,
}

/// The record of code points that the output cannot hold.
#[derive(Debug, Default)]
pub(super) struct Done {
    /// The offset of the first omission.
    pub(super) omitted: Cell<Option<u64>>,
    /// Whether a transliteration was written.
    pub(super) similar: Cell<bool>,
}

/// A letter and its marks, in code points.
const LONGEST_APART: usize = 8;

/// Whether `to` can hold all of a text.
fn holds(to: Encoding, text: &str) -> bool {
    let (d, u) = (ErrorPolicy::Stop, UnmappablePolicy::Stop);
    Transcoder::from(Encoding::UTF_8).to(to).on_error(d).on_unmappable(u).transcode(text.as_bytes()).is_ok()
}

impl Unmappables<'_> {
    /// The substitute that glibc writes, if there is one.
    fn written(&self, c: CodePoint) -> Option<&'static str> {
        let c = c.to_char()?;
        self.to.written.iter().find(|(known, _)| *known == c).map(|(_, text)| *text)
    }

    /// The code point as a letter and a mark.
    fn taken_apart(&self, c: char) -> Option<String> {
        if !self.to.takes_marks_apart() {
            return None;
        }
        let whole = c.to_string();
        let parts = Normalization::Nfd.apply(&whole).into_owned();
        if parts == whole {
            return None;
        }
        if holds(self.to.encoding, &parts) {
            return Some(parts);
        }
        // Of several marks, one may have to stand by itself: ê and a dot below, but not ẹ and a circumflex.
        let mut marks = parts.char_indices().skip(1);
        marks.find_map(|(at, mark)| {
            let others = [&parts[..at], &parts[at + mark.len_utf8()..]].concat();
            let mut text = Normalization::Nfc.apply(&others).into_owned();
            text.push(mark);
            holds(self.to.encoding, &text).then_some(text)
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
        } else if let Some(similar) = self.similar {
            self.done.similar.set(true);
            let text = c.to_char().and_then(|c| similar.similar(c)).and_then(Replacement::new);
            return Substitute::Text(text.unwrap_or(Replacement::QUESTION));
        } else {
            match self.then {
                Then::Stop => return Substitute::Stop,
                Then::Omit => {
                    let first = self.done.omitted.get().unwrap_or(u64::MAX);
                    self.done.omitted.set(Some(first.min(unmappable.offset())));
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
            _ => self.similar.as_ref().map_or(LONGEST_APART, OnUnmappable::longest),
        }
    }

    fn inspects(&self) -> bool {
        self.refuses_c1 || !self.to.written.is_empty()
    }

    fn intercepts(&self, c: CodePoint) -> bool {
        (self.refuses_c1 && is_c1(c)) || self.written(c).is_some()
    }
}
