//! The bytes of a change. A change is written from a border before it to a border after it, so that
//! what follows still reads as before; where a shift or a difference between neighbors prevents
//! that, the neighbors are written again too.
//!
//! Nothing here relies on what an encoder should do: a candidate counts only after it was read back.

use super::chunks::{Chunk, Chunks};
use super::error::EditError;
use super::reader::{LOOKAHEAD, Reader, SLACK};
use super::scene::{Border, Proof, Scene};
use super::stand_ins::StandIns;
use alloc::vec::Vec;
use core::ops::Range;
use placemat_charsets::Encoding;
use placemat_core::convert::only_unmappable;
use placemat_core::engine::any::{Place, To};
use placemat_core::engine::collect::collect;
use placemat_core::engine::hub::Mode;
use placemat_core::engine::{Extent, Status};
use placemat_core::ground::error::{Unmappable, UnmappableKind};
use placemat_core::ground::work;
use placemat_core::policy::{ErrorPolicy, UnmappablePolicy};

/// The bytes around a change that are looked at first. More than a sequence may depend on.
const AROUND: usize = 64;
/// At most this many bytes before a change are looked at. A border at which a text can go on is
/// never far.
const MAX_BACK_BYTES: usize = 4096;
/// At most this many borders of one text offset are tried at each end. There are more only where
/// shifts follow one another.
const MAX_BORDERS: usize = 4;
/// The steps after which two readers of the same bytes that differ in a shift usually agree.
const SOON: usize = 4;

/// A change of a text.
pub(super) struct Splice<'a> {
    pub(super) encoding: Encoding,
    /// Whether the file begins with a signature.
    pub(super) signed: bool,
    /// The place after the signature.
    pub(super) start: Place,
    pub(super) chunks: &'a Chunks,
    pub(super) stand_ins: &'a StandIns,
    /// Whether the text contains stand-ins.
    pub(super) has_bytes: bool,
    /// The range of the text, and what takes its place: not both are empty.
    pub(super) range: Range<usize>,
    pub(super) new: &'a str,
}

/// A proven change of the chunks.
pub(super) struct Spliced {
    pub(super) scene: Scene,
    pub(super) chunks: Vec<Chunk>,
    /// The bytes that were replaced, in the scene, and the number of those that replaced them.
    pub(super) bytes: Range<usize>,
    pub(super) len: usize,
}

/// Bytes for a change that read as its text.
struct Candidate {
    bytes: Vec<u8>,
    start: Border,
    end: Border,
    /// The number of bytes of text after the change that were written again.
    beyond: usize,
}

impl Candidate {
    /// Less text is written again, and then, the file is shorter.
    #[inline]
    fn rank(&self) -> (usize, usize) {
        (self.beyond, self.bytes.len() + self.start.byte + (usize::MAX / 2 - self.end.byte))
    }

    /// Returns the range of the old bytes that differ, and the number of bytes in their place.
    #[inline]
    fn change(&self, old: &[u8]) -> (Range<usize>, usize) {
        let (start, end) = (self.start.byte, self.end.byte);
        if start > end {
            // The new text goes on after a shift whose bytes also follow it: these are written twice.
            return (end..end, self.bytes.len() + (start - end));
        }
        let (old, new) = (&old[start..end], &self.bytes[..]);
        let same = old.iter().zip(new).take_while(|(a, b)| a == b).count();
        let (old, new) = (&old[same..], &new[same..]);
        let same_end = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
        (start + same..end - same_end, new.len() - same_end)
    }
}

/// The place where new text is closed, as the encoding closes a whole text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Close {
    No,
    AfterChange,
    AtEnd,
}

/// New text, up to a border.
struct Written {
    place: Place,
    /// Whether these are all the bytes of a change.
    is_all: bool,
    /// The number of bytes of text after the change that were written again.
    beyond: usize,
    close: Close,
}

/// Why there is no candidate.
enum Failure {
    /// The text after the change must be written again, or more of it.
    Ahead,
    /// The change cannot begin at that border.
    Start,
    Unmappable(Unmappable),
}

impl Splice<'_> {
    #[inline]
    pub(super) fn find(&self) -> Result<Spliced, EditError> {
        let (mut back, mut ahead) = (AROUND, AROUND);
        loop {
            let mut scene = Scene::new(self.chunks, self.start, &self.range, (back, ahead), self.stand_ins);
            if scene.from_start {
                let header = self.header();
                scene.starts.retain(|start| start.byte >= header);
            }
            match self.within(&scene) {
                Ok((candidate, chunks)) => {
                    let (bytes, len) = candidate.change(&scene.bytes);
                    return Ok(Spliced { scene, chunks, bytes, len });
                }
                Err(Failure::Unmappable(e)) => return Err(EditError::Unmappable(e)),
                Err(Failure::Ahead) if !scene.all_ends => ahead = ahead.saturating_mul(4),
                Err(Failure::Start) if !scene.from_start && back < MAX_BACK_BYTES => {
                    back = back.saturating_mul(4);
                }
                Err(_) => return Err(self.unread().map_or(EditError::ReadsOtherwise, EditError::Unmappable)),
            }
        }
    }

    /// Returns the first code point that the encoding writes as another one.
    #[inline]
    fn unread(&self) -> Option<Unmappable> {
        let place = Place::start(self.encoding.descriptor());
        let is_text = |c| !self.has_bytes || self.stand_ins.byte_of(c).is_none();
        let mut found = self.new.char_indices().filter(|&(_, c)| {
            let mut utf8 = [0; 4];
            let utf8 = c.encode_utf8(&mut utf8);
            let differs = |bytes: Vec<u8>| {
                let (mut reader, mut text) = (Reader::new(place, &bytes, true, self.stand_ins), Vec::new());
                reader.read_all(&mut text);
                text != utf8.as_bytes()
            };
            // At the start, U+FEFF is a signature.
            c != '\u{FEFF}' && is_text(c) && encode(place, utf8, true).is_ok_and(differs)
        });
        let (at, c) = found.next()?;
        Some(Unmappable::new(at as u64, c.into(), UnmappableKind::NotInRepertoire))
    }

    /// Tries the borders of a scene: first those at the change, then those before and after it.
    #[inline]
    fn within(&self, scene: &Scene) -> Result<(Candidate, Vec<Chunk>), Failure> {
        // Several borders have one offset of the text where shifts are.
        let at_start = scene.starts.iter().take_while(|start| start.text == scene.changed.start).count();
        let mut active: Vec<&Border> = scene.starts[..at_start].iter().collect();
        if at_start > 2 * MAX_BORDERS {
            active.drain(MAX_BORDERS..at_start - MAX_BORDERS);
        }
        // The numbers of borders before the change that are tried: 1, 2, 4 and so on.
        let mut before = 0;
        let mut ahead = 0;
        let mut unmappable = None;
        loop {
            let mut candidates = Vec::new();
            let mut wants_more = false;
            active.retain(|start| match self.best(scene, start, ahead) {
                Ok(candidate) => {
                    candidates.push(candidate);
                    false
                }
                Err(Failure::Ahead) => {
                    wants_more = true;
                    true
                }
                Err(Failure::Start) => false,
                Err(Failure::Unmappable(e)) => {
                    unmappable = Some(e);
                    false
                }
            });
            candidates.sort_by_key(Candidate::rank);
            for candidate in candidates {
                if !scene.from_start && candidate.start.byte < LOOKAHEAD {
                    return Err(Failure::Start);
                }
                let ends = (&candidate.start, &candidate.end);
                match scene.proof(ends, &candidate.bytes, self.new.as_bytes(), self.stand_ins, self.has_bytes)
                {
                    Proof::Holds(chunks) => return Ok((candidate, chunks)),
                    Proof::NeedsMore => return Err(Failure::Ahead),
                    Proof::Fails => {}
                }
            }
            if wants_more && ahead + 1 < scene.ends.len() {
                ahead = (2 * ahead).max(ahead + 1).min(scene.ends.len() - 1);
                continue;
            }
            if wants_more && !scene.all_ends {
                return Err(Failure::Ahead);
            }
            // A mark may be written with its base only, so the step before the change is tried as well.
            if let Some(e) = unmappable
                && (before > 0 || at_start == scene.starts.len())
            {
                return Err(Failure::Unmappable(e));
            }
            let Some(start) = scene.starts.get(at_start + before) else { return Err(Failure::Start) };
            before = (2 * before).max(1);
            active = alloc::vec![start];
            ahead = 0;
        }
    }

    /// Returns the best bytes from a border on, if the text up to border number `ahead` after the change is
    /// written again.
    #[inline]
    fn best(&self, scene: &Scene, start: &Border, ahead: usize) -> Result<Candidate, Failure> {
        let open = self.candidate(scene, start, ahead, Close::No);
        match &open {
            Ok(candidate) if candidate.beyond == 0 => return open,
            Err(Failure::Unmappable(_)) => return open,
            _ => {}
        }
        let mut found = open;
        // A shift back, or the end of a run, right after the change or at the end of the text.
        for close in [Close::AfterChange, Close::AtEnd] {
            if close == Close::AtEnd && !(scene.all_ends && ahead + 1 == scene.ends.len()) {
                continue;
            }
            found = match (found, self.candidate(scene, start, ahead, close)) {
                (Ok(first), Ok(second)) => Ok(if second.rank() < first.rank() { second } else { first }),
                (Ok(one), _) | (_, Ok(one)) => Ok(one),
                (Err(Failure::Ahead), _) | (_, Err(Failure::Ahead)) => Err(Failure::Ahead),
                (first, _) => first,
            };
        }
        found
    }

    #[inline]
    fn candidate(
        &self,
        scene: &Scene,
        start: &Border,
        ahead: usize,
        close: Close,
    ) -> Result<Candidate, Failure> {
        let Some(end) = scene.ends.get(ahead) else { return Err(Failure::Ahead) };
        let before = string(&scene.text[start.text..scene.changed.start]);
        let behind = string(&scene.text[scene.changed.end..end.text]);
        let text = [before, self.new, behind].concat();
        let changed = before.len()..before.len() + self.new.len();
        let named = |e: Unmappable, from: usize| {
            let offset = from + usize::try_from(e.offset()).unwrap_or(usize::MAX);
            match changed.contains(&offset) {
                true => Failure::Unmappable(e.at((offset - changed.start) as u64)),
                // Text that was read but cannot be written stays as it is.
                false => Failure::Start,
            }
        };
        let mut bytes = Vec::new();
        if close == Close::AfterChange {
            bytes = self.write(start.place, &text[..changed.end], true).map_err(|e| named(e, 0))?;
            let place = self.place_after(start.place, &bytes);
            let rest = self.write(place, behind, scene.to_end && end.byte == scene.len);
            bytes.extend(rest.map_err(|e| named(e, changed.end))?);
        } else {
            let written = self.write(start.place, &text, close == Close::AtEnd);
            bytes.extend(written.map_err(|e| named(e, 0))?);
        }
        let signature = self.encoding.signature();
        // A file without a signature stays so.
        if scene.from_start
            && start.byte == 0
            && scene.len > 0
            && !self.signed
            && !signature.is_empty()
            && let Some(without) = bytes.strip_prefix(signature)
            && let Ok(found) = self.check(scene, (start, end), without.to_vec(), &text, changed.end, close)
        {
            return Ok(found);
        }
        self.check(scene, (start, end), bytes, &text, changed.end, close)
    }

    /// Reads the bytes of a change and finds where they meet the old ones: at the first border from `least` bytes of text on
    /// where both read on alike.
    #[inline]
    fn check(
        &self,
        scene: &Scene,
        (start, end): (&Border, &Border),
        mut bytes: Vec<u8>,
        text: &str,
        least: usize,
        close: Close,
    ) -> Result<Candidate, Failure> {
        let len = bytes.len();
        let (behind, last) = scene.behind(end);
        bytes.extend_from_slice(behind);
        let mut reader = Reader::new(start.place, &bytes, last, self.stand_ins);
        let mut out = Vec::new();
        let skipped =
            if least > 0 { self.skip_designations(&mut reader, &bytes[..len], &mut out) } else { 0 };
        reader.read(&mut out, len, least.saturating_sub(SLACK));
        let mut best: Option<Candidate> = None;
        // The text that was compared: each byte once, however many steps there are.
        let mut compared = 0;
        loop {
            let both = compared..out.len().min(text.len());
            compared = both.end;
            work::add(both.len());
            // A byte without text is none that was written, though its stand-in may be wanted as text.
            let is_damaged = reader.met_bytes && !self.has_bytes;
            if is_damaged || text.as_bytes()[both.clone()] != out[both] {
                // The last sequences may be incomplete yet.
                return Err(if reader.at + LOOKAHEAD < len { Failure::Start } else { Failure::Ahead });
            }
            if reader.at > len || out.len() > text.len() {
                break;
            }
            if out.len() >= least && reader.is_at_border() {
                let beyond = out.len() - least;
                if best.as_ref().is_some_and(|best| best.beyond < beyond) {
                    break;
                }
                let new = Written { place: reader.place(), is_all: reader.at == len, beyond, close };
                for end in scene.ends_at(scene.changed.end + beyond).take(2 * MAX_BORDERS) {
                    let Some(bridge) = self.joint(scene, &new, end) else { continue };
                    let written = [&bytes[skipped..reader.at], &bridge].concat();
                    let found = Candidate { bytes: written, start: *start, end: *end, beyond };
                    // Other bytes follow than those that were read here.
                    let is_cut = bytes[reader.at..] != *scene.behind(end).0;
                    if best.as_ref().is_none_or(|best| found.rank() < best.rank())
                        && (!is_cut || self.reads(scene, &found, &text.as_bytes()[..out.len()]))
                    {
                        best = Some(found);
                    }
                }
            }
            if reader.at >= len || !reader.step(&mut out) {
                break;
            }
        }
        best.ok_or(Failure::Ahead)
    }

    /// Returns `true` if a candidate reads as a text beside the old bytes after it.
    #[inline]
    fn reads(&self, scene: &Scene, candidate: &Candidate, text: &[u8]) -> bool {
        let (behind, last) = scene.behind(&candidate.end);
        let bytes = [&candidate.bytes[..], behind].concat();
        let mut reader = Reader::new(candidate.start.place, &bytes, last, self.stand_ins);
        let mut out = Vec::new();
        reader.read_to(&mut out, candidate.bytes.len());
        out == text
    }

    /// Reads on to the first text of `bytes`. Returns how many of them are designations that change nothing and stand at the
    /// start of the file already.
    #[inline]
    fn skip_designations(&self, reader: &mut Reader<'_>, bytes: &[u8], out: &mut Vec<u8>) -> usize {
        let (start, mut skipped) = (reader.place(), 0);
        while out.is_empty() && reader.at < bytes.len() && reader.step(out) {
            // A step may go on into the text after the change.
            let Some(read) = bytes.get(..reader.at) else { break };
            if out.is_empty() && reader.place() == start && self.begins_with(read) {
                skipped = reader.at;
            }
        }
        skipped
    }

    /// Returns the length of the designations at the start of the file that change nothing. They serve the whole text, so they
    /// stay, and no text is written before them.
    #[inline]
    pub(super) fn header(&self) -> usize {
        let Some(first) = self.chunks.first() else { return 0 };
        let bytes = &self.chunks.get(first).bytes;
        let mut reader = Reader::new(self.start, bytes, false, self.stand_ins);
        self.skip_designations(&mut reader, bytes, &mut Vec::new())
    }

    /// Returns the bytes of a text at a place after the [`header`](Self::header), which they do not repeat.
    #[inline]
    pub(super) fn write_inside(&self, place: Place, text: &str) -> Option<Vec<u8>> {
        let mut bytes = self.write(place, text, false).ok()?;
        let mut reader = Reader::new(place, &bytes, true, self.stand_ins);
        let repeated = self.skip_designations(&mut reader, &bytes, &mut Vec::new());
        bytes.drain(..repeated);
        Some(bytes)
    }

    /// Returns the bytes between new text and the border of the old one from which on it is read as before. `None` if the two
    /// do not meet there.
    #[inline]
    fn joint(&self, scene: &Scene, new: &Written, end: &Border) -> Option<Vec<u8>> {
        let is_end = new.is_all && new.close != Close::No && scene.to_end && end.byte == scene.len;
        let meets = |steps| scene.converges(new.place, end, steps, self.stand_ins);
        if is_end || meets(SOON) {
            return Some(Vec::new());
        }
        if !new.is_all || new.beyond > 0 || new.close == Close::AtEnd {
            return None;
        }
        // Nothing after the text may rely on a designation.
        self.bridge(new.place, end.place).or_else(|| meets(usize::MAX).then(Vec::new))
    }

    /// Returns the bytes that lead from one place to another without any text.
    #[inline]
    fn bridge(&self, from: Place, to: Place) -> Option<Vec<u8>> {
        let mut bytes = alloc::vec![0; 64];
        let len = from.bridge(&to, &mut bytes)?;
        bytes.truncate(len);
        (self.place_after(from, &bytes) == to).then_some(bytes)
    }

    /// Returns `true` if the file begins with some bytes.
    #[inline]
    fn begins_with(&self, bytes: &[u8]) -> bool {
        let first = self.chunks.first().map_or(&[][..], |first| &self.chunks.get(first).bytes);
        !bytes.is_empty() && first.starts_with(bytes)
    }

    /// Returns the place at which reading continues after some bytes that end a text.
    #[inline]
    pub(super) fn place_after(&self, place: Place, bytes: &[u8]) -> Place {
        let mut reader = Reader::new(place, bytes, true, self.stand_ins);
        reader.read_all(&mut Vec::new());
        reader.place()
    }

    /// Returns the bytes of a text that goes on at a place; stand-ins become their bytes. A closed text ends as a whole text
    /// does, and also before such bytes.
    #[inline]
    pub(super) fn write(&self, mut place: Place, text: &str, closed: bool) -> Result<Vec<u8>, Unmappable> {
        let byte_of = |c: char| if self.has_bytes { self.stand_ins.byte_of(c) } else { None };
        let mut bytes = Vec::new();
        let mut rest = text;
        loop {
            let plain =
                rest.char_indices().find(|&(_, c)| byte_of(c).is_some()).map_or(rest.len(), |(at, _)| at);
            let from = text.len() - rest.len();
            let (part, after) = rest.split_at(plain);
            let written = encode(place, part, closed).map_err(|e| e.at(from as u64 + e.offset()))?;
            bytes.extend_from_slice(&written);
            let stand_ins = after.chars().map_while(|c| byte_of(c).map(|byte| (byte, c.len_utf8())));
            let (raw, lens): (Vec<u8>, Vec<usize>) = stand_ins.unzip();
            rest = &after[lens.iter().sum()..];
            bytes.extend_from_slice(&raw);
            if rest.is_empty() {
                return Ok(bytes);
            }
            place = self.place_after(self.place_after(place, &written), &raw);
        }
    }
}

/// Returns the bytes of a text that goes on at a place.
#[inline]
fn encode(place: Place, text: &str, closed: bool) -> Result<Vec<u8>, Unmappable> {
    if text.is_empty() && !closed {
        return Ok(Vec::new());
    }
    let mut core = To::at(Mode::Utf8, place);
    let (mut ignored, mut stop) = (ErrorPolicy::Stop, UnmappablePolicy::Stop);
    collect(text.as_bytes(), |src, dst| {
        let mut p = core.run(src, dst, closed, Extent::All, &mut ignored, &mut stop);
        if p.status == Status::NeedInput {
            // The text goes on elsewhere.
            match core.settle(&mut dst[p.written..]) {
                Some(held) => p.written += held,
                None => p.status = Status::NeedOutput,
            }
        }
        p
    })
    .map_err(only_unmappable)
}

/// Returns a part of a text that was read.
#[inline]
pub(super) fn string(text: &[u8]) -> &str {
    placemat_core::utf8::validate(text).unwrap_or_default()
}
