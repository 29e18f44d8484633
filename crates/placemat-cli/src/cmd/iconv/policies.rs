//! The decisions on errors that the options ask for.

use super::subst::Format;
use placemat::policy::{Action, Substitute};
use placemat::{IllFormed, OnError, OnUnmappable, Replacement, Unmappable};

/// The options for an error.
#[derive(Clone, Copy, Debug)]
pub(super) enum Then<'a> {
    Stop,
    Omit,
    Write(&'a Format),
}

/// The policy that follows the options.
#[derive(Clone, Debug)]
pub(super) struct Options<'a> {
    then: Then<'a>,
    /// The offset of the first code point that was left out.
    pub(super) omitted: Option<u64>,
    /// The text last made.
    text: String,
}

impl<'a> Options<'a> {
    pub(super) fn new(then: Then<'a>) -> Self {
        Self { then, omitted: None, text: String::new() }
    }

    /// Returns the greatest length of a text.
    fn longest(&self) -> usize {
        match self.then {
            Then::Stop | Then::Omit => 0,
            Then::Write(_) => Replacement::MAX_BYTES,
        }
    }
}

impl OnError for Options<'_> {
    fn handle(&mut self, error: &IllFormed) -> Action<'_> {
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
        self.longest()
    }
}

impl OnUnmappable for Options<'_> {
    fn handle(&mut self, unmappable: &Unmappable) -> Substitute<'_> {
        match self.then {
            Then::Stop => Substitute::Stop,
            Then::Omit => {
                let first = self.omitted.unwrap_or(u64::MAX);
                self.omitted = Some(first.min(unmappable.offset()));
                Substitute::Text(Replacement::EMPTY)
            }
            Then::Write(format) => {
                self.text.clear();
                format.write(unmappable.code_point().value(), &mut self.text);
                Replacement::new(&self.text).map_or(Substitute::Stop, Substitute::Text)
            }
        }
    }

    fn longest(&self) -> usize {
        self.longest()
    }
}
