//! The surroundings of a change: the chunks that it touches, their text, and the borders of steps near it.

use super::chunks::{Chunk, Chunks, Number, Stretch, joined};
use super::reader::{LOOKAHEAD, Reader, SLACK};
use super::stand_ins::StandIns;
use alloc::vec::Vec;
use core::ops::Range;
use placemat_core::engine::any::Place;

/// Between two steps: nothing before it matters to the bytes after it but the place.
#[derive(Clone, Copy)]
pub(super) struct Border {
    /// Offsets in the scene.
    pub(super) byte: usize,
    pub(super) text: usize,
    pub(super) place: Place,
}

/// Some chunks in a row around a change, and their text.
pub(super) struct Scene {
    /// The first chunk and the last; `None` if the document has none.
    pub(super) numbers: Option<(Number, Number)>,
    /// Whether the scene begins with the document, and whether it ends with it.
    pub(super) from_start: bool,
    pub(super) to_end: bool,
    /// The bytes of the scene, and at most [`LOOKAHEAD`] more.
    pub(super) bytes: Vec<u8>,
    pub(super) len: usize,
    /// Whether the document ends with `bytes`.
    last: bool,
    pub(super) place: Place,
    /// The place after it, if it does not end with the document.
    after: Option<Place>,
    pub(super) text: Vec<u8>,
    /// The changed part of the text.
    pub(super) changed: Range<usize>,
    /// Borders at and before the start of the change, from there on backwards.
    pub(super) starts: Vec<Border>,
    /// Borders at and after the end of the change.
    pub(super) ends: Vec<Border>,
    /// Whether `ends` reaches the end of the document.
    pub(super) all_ends: bool,
}

impl Scene {
    /// Returns a scene that reaches `back` bytes before a change of the text and `ahead` bytes past it, if
    /// there are that many.
    #[inline]
    pub(super) fn new(
        chunks: &Chunks,
        start: Place,
        range: &Range<usize>,
        (back, ahead): (usize, usize),
        stand_ins: &StandIns,
    ) -> Self {
        let mut scene = Self::unread(chunks, start, range, (back, ahead));
        if scene.numbers.is_some() {
            scene.look(ahead, stand_ins);
        }
        scene
    }

    /// Returns a scene without borders, read in bulk: its text and the range of the change are known.
    #[inline]
    pub(super) fn in_bulk(
        chunks: &Chunks,
        start: Place,
        range: &Range<usize>,
        around: usize,
        stand_ins: &StandIns,
    ) -> Self {
        let mut scene = Self::unread(chunks, start, range, (around, around));
        let mut reader = scene.reader(stand_ins);
        let mut text = Vec::with_capacity(scene.len);
        reader.read_to(&mut text, scene.len);
        scene.text = text;
        scene
    }

    /// Returns a reader of the scene from its start.
    #[inline]
    pub(super) fn reader<'a>(&'a self, stand_ins: &'a StandIns) -> Reader<'a> {
        Reader::new(self.place, &self.bytes, self.last, stand_ins)
    }

    /// Returns the chunks of a scene, and their bytes.
    #[inline]
    fn unread(chunks: &Chunks, start: Place, range: &Range<usize>, (back, ahead): (usize, usize)) -> Self {
        let mut scene = Self {
            numbers: None,
            from_start: true,
            to_end: true,
            bytes: Vec::new(),
            len: 0,
            last: true,
            place: start,
            after: None,
            text: Vec::new(),
            changed: 0..0,
            starts: alloc::vec![Border { byte: 0, text: 0, place: start }],
            ends: alloc::vec![Border { byte: 0, text: 0, place: start }],
            all_ends: true,
        };
        let Some((mut first, before)) = chunks.find(range.start, |sum| sum.text) else { return scene };
        let mut offset = before.text;
        let mut room = 0;
        // Each unit of text takes at least a few bits.
        while (range.start - offset < back || room < back)
            && let Some(previous) = chunks.previous(first)
        {
            first = previous;
            offset -= chunks.get(first).sum.text;
            room += chunks.get(first).bytes.len();
        }
        let Some((mut last, before)) = chunks.find(range.end, |sum| sum.text) else { return scene };
        let mut room = (before.text + chunks.get(last).sum.text).saturating_sub(range.end);
        while room < ahead
            && let Some(next) = chunks.next(last)
        {
            last = next;
            room += chunks.get(last).bytes.len().min(chunks.get(last).sum.text.max(1));
        }
        let (bytes, len, is_last) = joined(chunks, first, last);
        let after = chunks.next(last).map(|next| chunks.get(next).place);
        scene.numbers = Some((first, last));
        scene.from_start = chunks.previous(first).is_none();
        scene.to_end = after.is_none();
        (scene.bytes, scene.len, scene.last, scene.after) = (bytes, len, is_last, after);
        scene.place = chunks.get(first).place;
        scene.changed = range.start - offset..range.end - offset;
        scene
    }

    /// Reads the text, and finds the borders.
    #[inline]
    fn look(&mut self, ahead: usize, stand_ins: &StandIns) {
        let mut text = Vec::new();
        let mut reader = Reader::new(self.place, &self.bytes, self.last, stand_ins);
        let Range { start, end } = self.changed;
        self.starts.clear();
        self.ends.clear();
        // Far from the change, borders do not matter.
        reader.read(&mut text, self.len, start.saturating_sub(2 * SLACK));
        loop {
            let border = Border { byte: reader.at, text: text.len(), place: reader.place() };
            if reader.is_at_border() {
                if border.text <= start {
                    self.starts.push(border);
                }
                if border.text >= end {
                    self.ends.push(border);
                }
            }
            if reader.at >= self.len || border.text > end + ahead {
                break;
            }
            if border.text > start && border.text + SLACK < end {
                reader.read(&mut text, self.len, end - SLACK);
            }
            if !reader.step(&mut text) {
                break;
            }
        }
        self.all_ends = self.to_end && reader.at >= self.len;
        reader.read_to(&mut text, self.len);
        self.starts.reverse();
        self.text = text;
    }

    /// Returns `true` if reading on from a place, over the bytes from a border on, meets the place of that border within
    /// some steps, with the same text. The end of the scene counts as met.
    #[inline]
    pub(super) fn converges(
        &self,
        place: Place,
        border: &Border,
        steps: usize,
        stand_ins: &StandIns,
    ) -> bool {
        if place == border.place {
            return true;
        }
        let rest = &self.bytes[border.byte..];
        let len = self.len - border.byte;
        let [mut a, mut b] =
            [place, border.place].map(|place| Reader::new(place, rest, self.last, stand_ins));
        let (mut text_a, mut text_b) = (Vec::new(), Vec::new());
        for _ in 0..steps {
            if a.at >= len {
                return len > 0;
            }
            text_a.clear();
            text_b.clear();
            if a.step(&mut text_a) != b.step(&mut text_b) || a.at != b.at || text_a != text_b {
                return false;
            }
            if a.place() == b.place() {
                return true;
            }
        }
        false
    }

    /// Returns the borders after the change at an offset of the text.
    #[inline]
    pub(super) fn ends_at(&self, text: usize) -> impl Iterator<Item = &Border> {
        let first = self.ends.partition_point(|end| end.text < text);
        self.ends[first..].iter().take_while(move |end| end.text == text)
    }

    /// Returns the bytes from a border on that a reader of the bytes before it looks at, and whether the document ends with
    /// them.
    #[inline]
    pub(super) fn behind(&self, border: &Border) -> (&[u8], bool) {
        let rest = &self.bytes[border.byte..];
        match rest.get(..LOOKAHEAD) {
            Some(some) => (some, self.last && some.len() == rest.len()),
            None => (rest, self.last),
        }
    }

    /// Returns the proof of a change: reads the chunks with `new` in the place of the bytes from `start` to `end`, and
    /// compares their text with the wanted one.
    #[inline]
    pub(super) fn proof(
        &self,
        (start, end): (&Border, &Border),
        new: &[u8],
        new_text: &[u8],
        stand_ins: &StandIns,
        has_bytes: bool,
    ) -> Proof {
        let bytes = [&self.bytes[..start.byte], new, &self.bytes[end.byte..]].concat();
        let len = start.byte + new.len() + (self.len - end.byte);
        let Range { start, end } = self.changed;
        self.read_back(&bytes, len, [&self.text[..start], new_text, &self.text[end..]], stand_ins, has_bytes)
    }

    /// The proof of new bytes for the whole scene, of which the first `len` are its own and the rest follow it: reads them,
    /// and compares their text with the wanted one. Unless the document has bytes without text, no byte may read as its
    /// stand-in, which may be wanted as text.
    #[inline]
    pub(super) fn read_back(
        &self,
        bytes: &[u8],
        len: usize,
        wanted: [&[u8]; 3],
        stand_ins: &StandIns,
        has_bytes: bool,
    ) -> Proof {
        let stretch = Stretch { src: bytes, len, last: self.last, place: self.place };
        let mut wanted = Wanted { parts: wanted };
        let reads_as_wanted =
            |text: &[u8], reader: &Reader<'_>| (has_bytes || !reader.met_bytes) && wanted.takes(text);
        let Some((chunks, place)) = stretch.divide(stand_ins, reads_as_wanted) else { return Proof::Fails };
        if wanted.parts.iter().any(|part| !part.is_empty()) {
            return Proof::Fails;
        }
        if self.after.is_some_and(|after| after != place) {
            return Proof::NeedsMore;
        }
        Proof::Holds(chunks)
    }
}

/// The result of reading a change back.
pub(super) enum Proof {
    /// The text is as wanted, and what follows keeps its meaning: the new chunks.
    Holds(Vec<Chunk>),
    /// The text is as wanted so far.
    NeedsMore,
    /// The change reads back as another text.
    Fails,
}

/// A text in three parts, as far as it was not seen yet.
struct Wanted<'a> {
    parts: [&'a [u8]; 3],
}

impl Wanted<'_> {
    /// Returns `true` if the wanted text goes on with `text`, which is then removed.
    #[inline]
    fn takes(&mut self, mut text: &[u8]) -> bool {
        for part in &mut self.parts {
            let len = part.len().min(text.len());
            if part[..len] != text[..len] {
                return false;
            }
            *part = &part[len..];
            text = &text[len..];
        }
        text.is_empty()
    }
}
