//! Reads bytes as text, step by step or in bulk. Bytes without text become stand-ins, and every byte belongs to one step.

use super::stand_ins::{StandIns, Used};
use alloc::vec::Vec;
use placemat_core::engine::any::{From, Place};
use placemat_core::engine::hub::Mode;
use placemat_core::engine::{Extent, Status};
use placemat_core::policy::{ErrorPolicy, UnmappablePolicy};

/// More bytes than one step reads, with those that it looks at.
pub(super) const LOOKAHEAD: usize = 32;
/// More bytes of text than one step yields.
pub(super) const SLACK: usize = 128;
/// One call of the engine writes at most this many bytes of text.
const MAX_CALL_BYTES: usize = 4096;

/// Reads bytes as text.
pub(super) struct Reader<'a> {
    core: From,
    src: &'a [u8],
    /// The number of bytes read.
    pub(super) at: usize,
    /// Whether the text ends with `src`.
    last: bool,
    stand_ins: &'a StandIns,
    /// Whether a byte without text was read.
    pub(super) met_bytes: bool,
    /// Whether one of the stand-ins was read as text.
    pub(super) met_stand_in: bool,
    /// The code points of text, if they are to be noted.
    used: Option<Used>,
    room: Vec<u8>,
}

impl<'a> Reader<'a> {
    #[inline]
    pub(super) fn new(place: Place, src: &'a [u8], last: bool, stand_ins: &'a StandIns) -> Self {
        let core = From::at(place, Mode::Utf8);
        let (used, room) = (None, Vec::new());
        Self { core, src, at: 0, last, stand_ins, met_bytes: false, met_stand_in: false, used, room }
    }

    /// Returns the code points of all text, without stand-ins.
    #[inline]
    pub(super) fn used(mut self) -> Used {
        self.used = Some(Used::none());
        let mut text = Vec::new();
        while self.at < self.src.len() {
            let before = self.at;
            text.clear();
            self.read(&mut text, self.src.len(), MAX_CALL_BYTES);
            if self.at == before && !self.step(&mut text) {
                break;
            }
        }
        self.used.unwrap_or_else(Used::none)
    }

    /// Returns the place at which reading continues.
    #[inline]
    pub(super) fn place(&self) -> Place {
        self.core.place()
    }

    /// Reads on at an earlier border.
    #[inline]
    pub(super) fn go_back(&mut self, at: usize, place: Place) {
        self.at = at;
        self.core = From::at(place, Mode::Utf8);
    }

    /// Takes one step, and adds its text. Returns whether there was one.
    #[inline]
    pub(super) fn step(&mut self, text: &mut Vec<u8>) -> bool {
        let before = self.at;
        if self.at < self.src.len() {
            self.run(text, self.src.len(), SLACK, Extent::One);
        }
        self.settle();
        self.at > before
    }

    /// Reads up to `end` at most, and stops where `text` has more than `enough` bytes.
    #[inline]
    pub(super) fn read(&mut self, text: &mut Vec<u8>, end: usize, enough: usize) {
        loop {
            let before = (self.at, text.len());
            if self.at >= end || text.len() >= enough {
                break;
            }
            self.run(text, end, (enough - text.len()).min(MAX_CALL_BYTES), Extent::All);
            if before == (self.at, text.len()) {
                break;
            }
        }
        self.settle();
    }

    /// Reads all steps that begin before `end`.
    #[inline]
    pub(super) fn read_to(&mut self, text: &mut Vec<u8>, end: usize) {
        self.read(text, end, usize::MAX);
        while self.at < end && self.step(text) {}
    }

    /// Reads all bytes.
    #[inline]
    pub(super) fn read_all(&mut self, text: &mut Vec<u8>) {
        self.read_to(text, self.src.len());
    }

    #[inline]
    fn run(&mut self, text: &mut Vec<u8>, end: usize, room: usize, extent: Extent) {
        if self.room.len() < room {
            self.room.resize(room, 0);
        }
        let (src, dst) = (&self.src[self.at..end], &mut self.room[..room]);
        let last = self.last && end == self.src.len();
        let offset = self.core.offset();
        let (mut stop, mut stop_too) = (ErrorPolicy::Stop, UnmappablePolicy::Stop);
        let p = self.core.run(src, dst, last, extent, &mut stop, &mut stop_too);
        self.add(text, p.written);
        let error = match p.status {
            Status::IllFormed(e) => Some(e.offset()),
            // A code point that is not a scalar value.
            Status::Unmappable(e) => Some(e.offset()),
            Status::Done | Status::NeedInput | Status::NeedOutput => None,
        };
        if let Some(error) = error {
            // At most the length of `src`.
            let start = usize::try_from(error - offset).unwrap_or(p.read).min(p.read);
            for &byte in &src[start..p.read] {
                let mut utf8 = [0; 4];
                text.extend_from_slice(self.stand_ins.char_of(byte).encode_utf8(&mut utf8).as_bytes());
            }
            self.met_bytes = true;
        }
        self.at += p.read;
        if self.core.owes() {
            let dst = &mut self.room[..];
            let p = self.core.run(&[], dst, false, Extent::Nothing, &mut stop, &mut stop_too);
            self.add(text, p.written);
        }
    }

    #[inline]
    fn add(&mut self, text: &mut Vec<u8>, written: usize) {
        let new = &self.room[..written];
        self.met_stand_in |= self.stand_ins.occur_in(new);
        if let Some(used) = &mut self.used {
            used.note(new);
        }
        text.extend_from_slice(new);
    }

    /// Returns `true` if the bytes can be cut here: the text before depends on none of those that follow.
    #[inline]
    pub(super) fn is_at_border(&self) -> bool {
        self.core.place().settled().is_some()
    }

    /// Passes bytes that belong to the last step alone, unless the text ends with them: whether the end is an error is for
    /// the next step to say.
    #[inline]
    fn settle(&mut self) {
        let mut place = self.core.place();
        if let Some(settled @ 1..) = place.settled()
            && self.at + settled < self.src.len()
        {
            self.at += settled;
            self.core = From::at(place, Mode::Utf8);
        }
    }
}
