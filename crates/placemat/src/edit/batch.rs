//! Many changes at once, in time that is linear in the text.
//!
//! Neighboring changes share one scene, which is read, written and proven once. Only changes for which that fails are made
//! one by one.

use super::chunks::{CHUNK, Chunk};
use super::document::Document;
use super::error::EditError;
use super::reader::Reader;
use super::scene::{Border, Proof, Scene};
use super::splice::string;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;
use placemat_core::engine::any::{From, Place};
use placemat_core::engine::hub::Mode;
use placemat_core::forms::form::Bulk;

/// A scene contains this many bytes before and after its changes: more than a step looks at.
const AROUND_BYTES: usize = 128;
/// Changes that are at least this many bytes of text apart belong to two groups.
const APART_BYTES: usize = CHUNK;
/// A group of several changes has at most this many bytes of text, so that its scene takes little memory.
const GROUP_BYTES: usize = 32 * CHUNK;

/// A change, or a part of one.
#[derive(Clone)]
struct Part<'a> {
    /// The range of the text before all changes.
    range: Range<usize>,
    /// The text in its place.
    new: &'a str,
    /// The index of the change.
    change: usize,
    /// The offset of `new` in the new text of the change.
    offset: usize,
}

/// A part that was refused: the index of its change, and the reason.
type Refusal = (usize, EditError);

/// The number of bytes that the changes so far added to the text, modulo 2^64: they may have removed some.
type Shift = usize;

impl Document {
    /// Makes many changes, from the first to the last: ranges of the text as it is before all of them, and what takes
    /// their place. The work is linear in the length of the document and of the changes, however many there are.
    ///
    /// The range of a change may contain text that stays. Where the file has the bytes that the encoding writes for that
    /// text, they stay. Where it has others, `refine` gets the old and the new text of the change, and returns the ranges
    /// of both that differ, from the first to the last; the bytes between them stay then. If these ranges do not lead from
    /// the old text to the new one, the change is made as a whole.
    ///
    /// ```
    /// use placemat::{Encoding, edit::Document};
    /// // NEC's form of a symbol that encoders write in another way.
    /// let mut list = Document::open(b"one \x87\x9A two\ntwo\n", Encoding::SHIFT_JIS)?;
    /// let changes = [(0..11, "1 ∵ 2"), (12..15, "2")];
    /// let differ = |old: &str, _: &str| match old {
    ///     "two" => vec![(0..3, 0..1)],
    ///     _ => vec![(0..3, 0..1), (8..11, 6..7)],
    /// };
    /// list.replace_all(&changes, differ).map_err(|(_, e)| e)?;
    /// assert_eq!(list.to_bytes(), b"1 \x87\x9A 2\n2\n");
    /// # Ok::<(), placemat::edit::EditError>(())
    /// ```
    ///
    /// # Errors
    /// The index of a change that cannot be made, and the reason, as [`replace`](Self::replace) returns it; the changes
    /// before it are made. Between bytes without text, a change can be refused that is possible after a later one.
    /// [`EditError::Range`] also if the changes overlap or are not in order; then none is made.
    #[inline]
    pub fn replace_all(
        &mut self,
        changes: &[(Range<usize>, &str)],
        mut refine: impl FnMut(&str, &str) -> Vec<(Range<usize>, Range<usize>)>,
    ) -> Result<(), (usize, EditError)> {
        let mut least = 0;
        for (index, (range, _)) in changes.iter().enumerate() {
            if range.start < least || range.end < range.start || range.end > self.text_len() {
                return Err((index, EditError::Range));
            }
            least = range.end;
        }
        let parts: Vec<Part<'_>> = changes
            .iter()
            .enumerate()
            .map(|(change, (range, new))| Part { range: range.clone(), new, change, offset: 0 })
            .collect();
        let mut shift: Shift = 0;
        for group in groups(&parts) {
            self.change_group(group, &mut shift, &mut refine)?;
        }
        Ok(())
    }

    /// Makes neighboring changes: as a whole where that keeps all other bytes, else in the parts that differ.
    #[inline]
    fn change_group(
        &mut self,
        group: &[Part<'_>],
        shift: &mut Shift,
        refine: &mut impl FnMut(&str, &str) -> Vec<(Range<usize>, Range<usize>)>,
    ) -> Result<(), Refusal> {
        let scene = self.scene(group, *shift);
        let text = string(&scene.text);
        // A range that divides a code point.
        let divides = |part: &Part<'_>| text.get(scene.range_of(group, part)).is_none();
        if let Some(at) = group.iter().position(divides) {
            self.change_parts(&group[..at], shift)?;
            return Err((group[at].change, EditError::Range));
        }
        if let Some(chunks) = self.rewritten(&scene, group) {
            self.put(&scene, chunks, group, shift);
            return Ok(());
        }
        let mut parts = Vec::new();
        for part in group {
            let old = &text[scene.range_of(group, part)];
            match refined(part, old, refine(old, part.new)) {
                Some(found) => parts.extend(found),
                None => parts.push(part.clone()),
            }
        }
        drop(scene);
        groups(&parts).try_for_each(|group| self.change_parts(group, shift))
    }

    /// Makes changes of which nothing but the changed text must be written again. Where they cannot be made together, each
    /// half of them is tried; a half that is refused can still be possible together with the other one.
    #[inline]
    fn change_parts(&mut self, parts: &[Part<'_>], shift: &mut Shift) -> Result<(), Refusal> {
        if parts.is_empty() {
            return Ok(());
        }
        let scene = self.scene(parts, *shift);
        if let Some(chunks) = self.rewritten(&scene, parts).or_else(|| self.inserted(&scene, parts)) {
            self.put(&scene, chunks, parts, shift);
            return Ok(());
        }
        let first = parts[0].range.start.wrapping_add(*shift);
        if let [part] = parts {
            drop(scene);
            let range = first..first + part.range.len();
            self.replace(range, part.new).map_err(|e| match e {
                EditError::Unmappable(e) => {
                    (part.change, EditError::Unmappable(e.at(e.offset() + part.offset as u64)))
                }
                e => (part.change, e),
            })?;
            *shift = shifted(*shift, parts);
            return Ok(());
        }
        let wanted = scene.wanted(parts);
        let end = first + scene.changed.len();
        drop(scene);
        let (after, len) = (shifted(*shift, parts), self.text_len());
        // Changes that touch stay together: one can divide bytes without text that only both together replace.
        let touch = |at: usize| parts[at - 1].range.end == parts[at].range.start;
        let middle = parts.len() / 2;
        let cut = (1..parts.len()).min_by_key(|&at| (touch(at), at.abs_diff(middle))).unwrap_or(middle);
        let (left, right) = parts.split_at(cut);
        let made = self.change_parts(left, shift).and_then(|()| self.change_parts(right, shift));
        if let Err((_, EditError::ReadsOtherwise)) = made {
            // The changes that were made moved the end.
            let end = (end + self.text_len()) - len;
            if self.replace(first..end, &wanted).is_ok() {
                *shift = after;
                return Ok(());
            }
        }
        made
    }

    /// Returns the surroundings of changes.
    #[inline]
    fn scene(&self, parts: &[Part<'_>], shift: Shift) -> Scene {
        let start = parts.first().map_or(0, |part| part.range.start).wrapping_add(shift);
        let end = parts.last().map_or(0, |part| part.range.end).wrapping_add(shift);
        Scene::in_bulk(&self.chunks, self.start, &(start..end), AROUND_BYTES, &self.stand_ins)
    }

    #[inline]
    fn put(&mut self, scene: &Scene, chunks: Vec<Chunk>, parts: &[Part<'_>], shift: &mut Shift) {
        self.chunks.replace(scene.numbers, chunks);
        *shift = shifted(*shift, parts);
    }

    /// Returns the chunks of a scene in which all text is written again. `None` if that could change bytes outside of the
    /// changes: only an encoding that writes each code point alike, wherever it stands, and a scene that is as the
    /// encoding writes it, keep them.
    #[inline]
    fn rewritten(&self, scene: &Scene, parts: &[Part<'_>]) -> Option<Vec<Chunk>> {
        if !writes_alike_everywhere(scene.place) {
            return None;
        }
        let writer = self.splice(0..0, "");
        let write = |text: &str| writer.write(scene.place, text, false).ok();
        if write(string(&scene.text))? != scene.bytes[..scene.len] {
            return None;
        }
        let wanted = scene.wanted(parts);
        let (before, after) = scene.around();
        let mut bytes = write(&[before, &wanted, after].concat())?;
        let len = bytes.len();
        bytes.extend_from_slice(&scene.bytes[scene.len..]);
        self.proven(scene, &bytes, len, &wanted)
    }

    /// Returns the chunks of a scene with each new text between the bytes of the text around it. `None` if a change does
    /// not begin and end at borders of one state, in which its new text ends too.
    #[inline]
    fn inserted(&self, scene: &Scene, parts: &[Part<'_>]) -> Option<Vec<Chunk>> {
        let writer = self.splice(0..0, "");
        let has_states = !writes_alike_everywhere(scene.place);
        let header = if has_states && scene.from_start { writer.header() } else { 0 };
        let mut reader = scene.reader(&self.stand_ins);
        let (mut text, mut bytes) = (Vec::new(), Vec::new());
        let mut copied = 0;
        for part in parts {
            let range = scene.range_of(parts, part);
            let start = border(&mut reader, &mut text, scene.len, range.start)?;
            let end = border(&mut reader, &mut text, scene.len, range.end)?;
            if start.byte < header {
                return None;
            }
            let written = if has_states {
                writer.write_inside(start.place, part.new)?
            } else {
                writer.write(start.place, part.new, false).ok()?
            };
            let is_signature = || {
                let signature = self.encoding().signature();
                scene.from_start && start.byte == 0 && !signature.is_empty() && written.starts_with(signature)
            };
            let goes_on = || !has_states || writer.place_after(start.place, &written) == end.place;
            if start.place != end.place || is_signature() || !goes_on() {
                return None;
            }
            bytes.extend_from_slice(&scene.bytes[copied..start.byte]);
            bytes.extend_from_slice(&written);
            copied = end.byte;
        }
        bytes.extend_from_slice(&scene.bytes[copied..scene.len]);
        let len = bytes.len();
        bytes.extend_from_slice(&scene.bytes[scene.len..]);
        self.proven(scene, &bytes, len, &scene.wanted(parts))
    }

    /// Returns the chunks of new bytes for a scene, if they read as the wanted text.
    #[inline]
    fn proven(&self, scene: &Scene, bytes: &[u8], len: usize, wanted: &str) -> Option<Vec<Chunk>> {
        let (before, after) = scene.around();
        let wanted = [before, wanted, after].map(str::as_bytes);
        match scene.read_back(bytes, len, wanted, &self.stand_ins, self.has_bytes) {
            Proof::Holds(chunks) => Some(chunks),
            Proof::NeedsMore | Proof::Fails => None,
        }
    }
}

impl Scene {
    /// Returns the range of a part in the text of the scene of `parts`.
    #[inline]
    fn range_of(&self, parts: &[Part<'_>], part: &Part<'_>) -> Range<usize> {
        let first = parts.first().map_or(0, |first| first.range.start);
        let start = self.changed.start + (part.range.start - first);
        start..start + part.range.len()
    }

    /// Returns the text before and after the changes.
    #[inline]
    fn around(&self) -> (&str, &str) {
        (string(&self.text[..self.changed.start]), string(&self.text[self.changed.end..]))
    }

    /// Returns the text from the first change to the last, after all of them.
    #[inline]
    fn wanted(&self, parts: &[Part<'_>]) -> String {
        let added: usize = parts.iter().map(|part| part.new.len()).sum();
        let mut wanted = Vec::with_capacity(self.changed.len() + added);
        let mut at = self.changed.start;
        for part in parts {
            let range = self.range_of(parts, part);
            wanted.extend_from_slice(&self.text[at..range.start]);
            wanted.extend_from_slice(part.new.as_bytes());
            at = range.end;
        }
        placemat_core::checked::string(wanted)
    }
}

/// Changes in groups of neighbors.
#[inline]
fn groups<'a, 'b>(mut parts: &'a [Part<'b>]) -> impl Iterator<Item = &'a [Part<'b>]> {
    core::iter::from_fn(move || {
        let start = parts.first()?.range.start;
        let (mut len, mut end) = (0, start);
        while let Some(part) = parts.get(len)
            && (len == 0 || part.range.start - end < APART_BYTES && part.range.end - start <= GROUP_BYTES)
        {
            end = part.range.end;
            len += 1;
        }
        let (group, rest) = parts.split_at(len);
        parts = rest;
        Some(group)
    })
}

/// Returns the shift after some changes.
#[inline]
fn shifted(shift: Shift, parts: &[Part<'_>]) -> Shift {
    parts.iter().fold(shift, |shift, part| shift.wrapping_add(part.new.len()).wrapping_sub(part.range.len()))
}

/// Returns the parts of a change that differ; `None` if the ranges do not lead from the old text to the new one.
#[inline]
fn refined<'a>(
    part: &Part<'a>,
    old: &str,
    differ: Vec<(Range<usize>, Range<usize>)>,
) -> Option<Vec<Part<'a>>> {
    let (mut old_at, mut new_at) = (0, 0);
    let mut parts = Vec::with_capacity(differ.len());
    for (from, to) in differ {
        if old.get(old_at..from.start)? != part.new.get(new_at..to.start)? {
            return None;
        }
        old.get(from.clone())?;
        parts.push(Part {
            range: part.range.start + from.start..part.range.start + from.end,
            new: part.new.get(to.clone())?,
            change: part.change,
            offset: part.offset + to.start,
        });
        (old_at, new_at) = (from.end, to.end);
    }
    (old[old_at..] == part.new[new_at..]).then_some(parts)
}

/// Reads on to an offset of the text. `None` if there is no border.
#[inline]
fn border(reader: &mut Reader<'_>, text: &mut Vec<u8>, len: usize, at: usize) -> Option<Border> {
    let (passed, read, place) = (text.len(), reader.at, reader.place());
    reader.read(text, len, at);
    if text.len() > at {
        // An error needs no room, so the one after the offset is read too.
        text.truncate(passed);
        reader.go_back(read, place);
    }
    while text.len() < at {
        if !reader.step(text) {
            return None;
        }
    }
    let border = Border { byte: reader.at, text: text.len(), place: reader.place() };
    (text.len() == at && reader.is_at_border()).then_some(border)
}

/// Returns `true` if the bytes of a code point depend on none of the text around it.
#[inline]
fn writes_alike_everywhere(place: Place) -> bool {
    let (bulk, _) = From::at(place, Mode::Utf8).bulks();
    bulk.is_stateless() || matches!(bulk, Bulk::Cesu8 | Bulk::ModifiedUtf8 | Bulk::Wtf8)
}
