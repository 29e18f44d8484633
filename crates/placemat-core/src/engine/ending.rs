//! The end of a text that is read: whether it leaves a shift open, and where that shift is.
//!
//! The states of the forms do not contain offsets, so that two places that go on alike are equal.
//! After each call this module looks for the last shift in what the call read, and keeps it. A
//! sequence that shifts is read whole, in one call, so the look at one call is enough.

use super::any::Place;
use crate::forms::form::{Ending, JustRead, OpenShift};
use crate::ground::error::{IllFormed, IllFormedKind};

/// The shift that the text read so far leaves open.
#[derive(Clone, Copy, Debug)]
pub struct AtEnd {
    pub(super) shift: Shift,
    /// The byte read last; zero at the start of a text.
    previous: u8,
    /// An open shift at the end of the text is an error.
    pub(super) refuses: bool,
    /// The policy was told of the open shift.
    pub(super) is_told: bool,
}

/// An open shift, and how far back it is.
#[derive(Clone, Copy, Debug)]
pub enum Shift {
    /// The text may end here.
    None,
    /// There is one, in text that was read before the driver began.
    Unknown,
    Known(OpenShift),
}

impl AtEnd {
    /// Returns what is known of the text before `place`: that it leaves a shift open, or not.
    #[inline]
    pub(super) fn new(place: Place) -> Self {
        let nothing = JustRead { src: &[], len: 0, previous: 0 };
        let shift = match (place.steps().ending)(&place, nothing) {
            Ending::Allowed => Shift::None,
            Ending::ShiftedBefore | Ending::Shifted(_) => Shift::Unknown,
        };
        Self { shift, previous: 0, refuses: false, is_told: false }
    }

    /// Notes that the first `len` bytes of `src` were read, after which the text goes on at `place`.
    #[inline]
    pub(super) fn read(&mut self, place: &Place, src: &[u8], len: usize) {
        if len > 0 && !place.facts().stateless {
            self.look(place, src, len);
        }
    }

    #[inline(never)]
    fn look(&mut self, place: &Place, src: &[u8], len: usize) {
        let read = JustRead { src, len, previous: self.previous };
        self.shift = match (place.steps().ending)(place, read) {
            Ending::Allowed => Shift::None,
            Ending::Shifted(shift) => Shift::Known(shift),
            Ending::ShiftedBefore => match self.shift {
                Shift::Known(shift) => Shift::Known(OpenShift { back: shift.back + len as u64, ..shift }),
                Shift::None | Shift::Unknown => Shift::Unknown,
            },
        };
        self.previous = src.get(..len).and_then(<[u8]>::last).copied().unwrap_or_default();
    }

    /// Returns the error for the open shift, if the text ends at `offset`. It has no bytes if the shift was read before
    /// the driver began.
    pub(super) fn open_shift(&self, offset: u64) -> Option<IllFormed> {
        let kind = IllFormedKind::UnclosedShift;
        match self.shift {
            Shift::None => None,
            Shift::Unknown => Some(IllFormed::new::<u8>(offset.saturating_sub(1), kind, &[], 1, 0)),
            Shift::Known(OpenShift { back, bytes, len }) => {
                let bytes = bytes.get(..usize::from(len)).unwrap_or(&bytes);
                Some(IllFormed::new(offset.saturating_sub(back), kind, bytes, bytes.len(), bytes.len()))
            }
        }
    }
}
