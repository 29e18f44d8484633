//! Takes off one layer: the code points of a line become the bytes of a page, and those UTF-8.

use super::gaps::{Choices, Gap, MAX_CHOICES};
use super::line::Line;
use super::pages::{Double, Member, Singles};
use super::scorer::is_unknown;
use super::symbols;
use alloc::vec::Vec;
use core::ops::Range;
use placemat_core::forms::form::{Form as _, Step};
use placemat_core::forms::unicode::cesu8::Cesu8Mixed;
use placemat_core::forms::unicode::utf8;

/// How to take U+0020 after a lead byte, where a program may have put it for U+00A0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spaces {
    /// A space is a space.
    Stay,
    /// A space is the continuation byte A0 and the space after it.
    Join,
    /// A space is the continuation byte A0 alone.
    Replace,
    /// A space is any byte that a program may have dropped or replaced: see [`gaps`](super::gaps).
    Fill,
    /// A space is the last byte of a dagger, which otherwise counts as a quotation mark without its
    /// last byte.
    Dagger,
}

impl Spaces {
    /// Returns `true` if a space is taken for the byte A0.
    pub(super) const fn replace_bytes(self) -> bool {
        !matches!(self, Self::Stay | Self::Fill)
    }
}

/// A line without a layer.
#[derive(Clone, Debug, Default)]
pub(super) struct Peeled {
    pub(super) line: Line,
    pub(super) counts: Counts,
    /// The symbols of which the last byte is a space in the line.
    pub(super) guessed_symbols: usize,
    /// The places at which it is still open what the text is.
    pub(super) gaps: Vec<Gap>,
}

/// The contents of a line, or of one non-ASCII run in it.
#[derive(Clone, Debug, Default)]
pub(super) struct Counts {
    /// Sequences of UTF-8 that were found.
    pub(super) sequences: usize,
    /// The number of code points that the sequences use up.
    pub(super) used: usize,
    /// The number of non-ASCII code points that stay as they are.
    pub(super) left: usize,
    /// C1 controls in place of bytes that the page gives another meaning.
    pub(super) controls: usize,
    /// Whether some byte was guessed.
    pub(super) lossy: bool,
}

impl Counts {
    /// Counts a sequence of `len` code points, and returns that length.
    fn add_sequence(&mut self, len: usize) -> usize {
        self.sequences += 1;
        self.used += len;
        len
    }
}

/// The sequences in a line that show that box drawing in it is none either.
const MIN_TEXT_SEQUENCES: usize = 12;

/// Returns the bytes of a line's code points in the pages of single bytes.
pub(super) fn members(line: &Line) -> Vec<&'static Member> {
    let singles = Singles::get();
    line.text.iter().map(|&c| singles.member(c)).collect()
}

/// Takes a layer off `range` of a line, by a page of single bytes. `members` are those of its code points. `None` if there is
/// no sequence in it.
pub(super) fn single(
    line: &Line,
    members: &[&Member],
    range: Range<usize>,
    page: usize,
    spaces: Spaces,
) -> Option<Peeled> {
    let peel = |keeps_frames| {
        let text = Line::with_capacity(line.text.len());
        let peeled = Peeled { line: text, ..Peeled::default() };
        let (frames, by_space, broken, boxes) = (0, 0, 0, 0);
        Peeler { line, members, page, spaces, keeps_frames, peeled, frames, by_space, broken, boxes }
            .peel(range.clone())
    };
    let (peeled, frames) = peel(true)?;
    let is_text = frames > 0 && peeled.counts.sequences >= MIN_TEXT_SEQUENCES * frames;
    if is_text { peel(false).map(|(peeled, _)| peeled) } else { Some(peeled) }
}

/// Takes a layer off a line by a page of single bytes, run by run.
struct Peeler<'a> {
    line: &'a Line,
    members: &'a [&'a Member],
    page: usize,
    spaces: Spaces,
    /// Whether runs that look like frames stay as they are.
    keeps_frames: bool,
    peeled: Peeled,
    /// Runs that look like frames.
    frames: usize,
    /// Sequences in which a space replaces a byte.
    by_space: usize,
    /// Code points in damaged runs that belong to no sequence.
    broken: usize,
    /// Sequences of the run that are box drawing alone, with more of it beside them.
    boxes: usize,
}

/// The bytes that a page has for the code points of a sequence, as far as they continue it.
struct Sequence {
    /// The length that the lead byte announces.
    len: usize,
    bytes: [u8; 4],
    found: usize,
    /// Whether a space replaces one of the bytes.
    by_space: bool,
    /// Whether U+FFFD replaces one of the bytes.
    is_lossy: bool,
}

impl Sequence {
    fn bytes(&self) -> &[u8] {
        &self.bytes[..self.found]
    }

    fn is_whole(&self) -> bool {
        self.found == self.len
    }

    /// Returns `true` if this is a quotation mark without its last byte, or with another one.
    fn is_quotation_start(&self) -> bool {
        self.bytes() == [0xE2, 0x80]
    }
}

impl Peeler<'_> {
    /// Peels `range`. Returns what is below it, and the number of runs that look like frames.
    fn peel(mut self, range: Range<usize>) -> Option<(Peeled, usize)> {
        let text = &self.line.text;
        self.peeled.line.copy(self.line, 0..range.start);
        let mut at = range.start;
        while at < range.end {
            if text[at] < 0x80 {
                let end =
                    text[at..range.end].iter().position(|&c| c >= 0x80).map_or(range.end, |len| at + len);
                self.peeled.line.copy(self.line, at..end);
                at = end;
            } else {
                at = self.peel_run(at, range.end);
            }
        }
        // A program that makes spaces of U+00A0 damages nothing else: other gaps say that what stood before the spaces is lost.
        if self.peeled.counts.sequences == 0 || self.broken * 2 > self.by_space && self.by_space > 0 {
            return None;
        }
        self.peeled.line.copy(self.line, at.min(text.len())..text.len());
        Some((self.peeled, self.frames))
    }

    /// Peels the non-ASCII run from `start` on, or copies it if it is not mojibake. Returns its end, which is past `end` if
    /// its last sequence is.
    fn peel_run(&mut self, start: usize, end: usize) -> usize {
        let (line, text) = (self.line, &self.line.text);
        let (first, first_gap) = (self.peeled.line.text.len(), self.peeled.gaps.len());
        let before = core::mem::take(&mut self.peeled.counts);
        self.boxes = 0;
        let mut at = start;
        while at < end && text[at] >= 0x80 {
            at += self.step(at);
        }
        let range = start..at.min(end);
        let is_frame = self.is_frame(range.clone());
        self.frames += usize::from(is_frame);
        let run = core::mem::replace(&mut self.peeled.counts, before);
        let counts = &mut self.peeled.counts;
        let is_damaged = run.sequences > 0 || run.lossy;
        if is_damaged && run.left <= run.used && !(is_frame && self.keeps_frames) {
            counts.sequences += run.sequences;
            counts.used += run.used;
            counts.left += run.left;
            counts.controls += run.controls;
            counts.lossy |= run.lossy;
            self.broken += run.left;
        } else {
            counts.left += range.len();
            self.peeled.gaps.truncate(first_gap);
            self.peeled.line.truncate(first);
            self.peeled.line.copy(line, range);
        }
        at
    }

    /// Returns `true` if a run is a frame and not text.
    fn is_frame(&self, range: Range<usize>) -> bool {
        // Inside a word there is no frame: its sequences are letters.
        let is_letter = |at: usize| matches!(self.line.text[at], 0x61..=0x7A);
        let is_in_word = self.peeled.counts.left == 0
            && range.len() <= 4
            && range.start.checked_sub(1).is_some_and(is_letter);
        let text = &self.line.text[range];
        let lines = text.iter().filter(|&&c| is_frame(c)).count();
        self.boxes > 0 && !is_in_word && lines * 5 > text.len() * 2 && text.iter().all(|&c| is_box(c))
    }

    /// Peels the sequence that begins at `at`, or copies the code point there. Returns how many code points that takes.
    fn step(&mut self, at: usize) -> usize {
        let (text, origin) = (&self.line.text, self.line.origin[at]);
        let Some(sequence) = self.sequence(at) else { return self.keep(at) };
        if self.spaces == Spaces::Fill
            && (!sequence.is_whole() || sequence.is_lossy)
            && let Some((choices, taken)) = self.choices(at, sequence.len)
        {
            let source = text[at..at + taken].to_vec();
            self.peeled.gaps.push(Gap { at: self.peeled.line.text.len(), choices, source, origin });
            self.peeled.counts.lossy = true;
            return self.peeled.counts.add_sequence(taken);
        }
        if sequence.is_whole() && sequence.is_lossy {
            self.peeled.line.push(0xFFFD, origin);
            self.peeled.counts.lossy = true;
            self.peeled.counts.used += sequence.len;
            return sequence.len;
        }
        if let Some((c, len)) = self.decode(at, &sequence) {
            self.peeled.line.push(c, origin);
            if len == sequence.len {
                self.add_hints(at, &sequence, c);
            }
            return self.peeled.counts.add_sequence(len);
        }
        let before = at.checked_sub(1).map(|at| text[at]);
        if self.spaces.replace_bytes()
            && sequence.is_quotation_start()
            && may_end_quotation(before, text.get(at + 2).copied())
        {
            // The closing quotation mark, whose last byte has no meaning in windows-1252.
            self.peeled.line.push(0x201D, origin);
            self.peeled.counts.lossy = true;
            return self.peeled.counts.add_sequence(2);
        }
        self.keep(at)
    }

    /// Copies a code point that belongs to no sequence.
    fn keep(&mut self, at: usize) -> usize {
        self.peeled.line.copy(self.line, at..at + 1);
        self.peeled.counts.left += 1;
        1
    }

    /// Returns the byte of a code point in the page, or 0.
    fn byte(&self, at: usize) -> u8 {
        self.members.get(at).map_or(0, |member| member.bytes[self.page])
    }

    /// Reads the sequence whose lead byte is at `at`. `None` if there is no lead byte.
    fn sequence(&self, at: usize) -> Option<Sequence> {
        let pages = Singles::get();
        let is_among = |pages: u64| pages >> self.page & 1 != 0;
        let lead = self.byte(at);
        let len = utf8::sequence_len(lead)?;
        let mut sequence = Sequence { len, bytes: [lead; 4], found: 1, by_space: false, is_lossy: false };
        while !sequence.is_whole() {
            let at = at + sequence.found;
            let byte = match self.line.text.get(at) {
                Some(0xFFFD) if is_among(pages.holes) => {
                    sequence.is_lossy = true;
                    0x80
                }
                Some(0x20)
                    if self.spaces.replace_bytes()
                        && is_among(pages.no_break_space)
                        // A quotation mark without its last byte is more frequent than a dagger.
                        && (self.spaces == Spaces::Dagger || !sequence.is_quotation_start()) =>
                {
                    sequence.by_space = true;
                    0xA0
                }
                _ => self.byte(at),
            };
            if !utf8::is_continuation(byte) {
                break;
            }
            sequence.bytes[sequence.found] = byte;
            sequence.found += 1;
        }
        Some(sequence)
    }

    /// Returns the code point of a sequence, and its length: that of a pair of surrogates, each in a sequence of three bytes,
    /// is six.
    fn decode(&self, at: usize, sequence: &Sequence) -> Option<(u32, usize)> {
        let mut bytes = [0; 6];
        bytes[..sequence.found].copy_from_slice(sequence.bytes());
        if sequence.is_whole() {
            (sequence.len..6).for_each(|n| bytes[n] = self.byte(at + n));
        }
        match Cesu8Mixed::decode_step(&mut (), &bytes) {
            Step::CodePoint { value, len } => Some((value.value(), len)),
            _ => None,
        }
    }

    /// Notes what the sequence of `c` shows about the page and the run, and whether a space
    /// replaces one of its bytes.
    fn add_hints(&mut self, at: usize, sequence: &Sequence, c: u32) {
        let (text, range) = (&self.line.text, at..at + sequence.len);
        let defined = Singles::get().defines_c1[self.page];
        let is_control = |&&c: &&u32| (0x80..0xA0).contains(&c) && defined >> (c & 0x1F) & 1 != 0;
        self.peeled.counts.controls += text[range.clone()].iter().filter(is_control).count();
        let is_box = |at: usize| text.get(at).is_some_and(|&c| is_box(c));
        let is_beside_box = is_box(at.wrapping_sub(1)) || is_box(range.end);
        self.boxes += usize::from(is_beside_box && range.into_iter().all(is_box));
        if sequence.by_space {
            self.peeled.counts.lossy = true;
            self.by_space += 1;
            self.peeled.guessed_symbols += usize::from(symbols::is_symbol(c));
            let joins = self.spaces == Spaces::Join && sequence.len == 2;
            if joins && text.get(at + 2).is_some_and(|&c| c != 0x20) {
                self.peeled.line.copy(self.line, at + 1..at + 2);
            }
        }
    }

    /// Returns the texts that a sequence which lacks one byte may have been, and the number of code points that they replace.
    fn choices(&self, at: usize, len: usize) -> Option<(Choices, usize)> {
        let text = &self.line.text;
        let rest = &text[at + 1..text.len().min(at + len)];
        let known: Vec<u8> = (at..at + len).map(|at| self.byte(at)).collect();
        choices(&known, rest, Singles::get().lost[self.page])
    }
}

/// Returns the texts that a sequence may have been which lacks one byte, each with its nats, and how many code points of the
/// text were it. `known` are the bytes of its first code points, 0 for those that are none in the page, and `rest` the code
/// points after its first. `lost` are the continuation bytes that a program may have dropped.
fn choices(known: &[u8], rest: &[u32], lost: u64) -> Option<(Choices, usize)> {
    let continuations =
        |from: usize| known[from..].iter().take_while(|&&byte| utf8::is_continuation(byte)).count();
    let held = 1 + continuations(1);
    // A character in place of the byte, after which the sequence may go on; or nothing.
    let sign = rest.get(held - 1).copied();
    let is_sign = matches!(sign, Some(0xFFFD | 0x3F));
    let after = if is_sign { continuations(known.len().min(held + 1)) } else { 0 };
    // A line that ends here was cut: what stood there is anyone's guess.
    if held + after + 1 != known.len() || matches!(sign, None | Some(0x0A | 0x0D)) {
        return None;
    }
    let is_space = sign == Some(0x20);
    // Quotation marks of the page that a program made straight.
    let straight: &[u8] = match sign {
        Some(0x27) => &[0x91, 0x92],
        Some(0x22) => &[0x93, 0x94],
        _ => &[],
    };
    let kept = sign.filter(|_| is_space || !straight.is_empty());
    let is_lost = |byte: &u8| lost >> (byte & 0x3F) & 1 != 0;
    let mut all = Candidates { known, is_sign, choices: Choices::new() };
    for at in if is_sign { held..held + 1 } else { 1..held + 1 } {
        (0x80..0xC0).filter(is_lost).for_each(|byte| all.add(at, byte, kept, 0.0));
    }
    if is_space && is_lost(&0xA0) {
        all.add(held, 0xA0, None, SPACE_NATS);
        // The space after it may be gone too, but not if one is there.
        if rest.get(held) != Some(&0x20) {
            all.add(held, 0xA0, kept, SPACE_NATS);
        }
    }
    for &byte in straight {
        all.add(held, byte, None, STRAIGHT_NATS);
    }
    if known[0] == 0xC2 && !is_space {
        // The lost character was a control of a layer below, or invisible.
        all.choices.insert(0, (Vec::new(), 0.0));
    }
    let taken = held + usize::from(is_sign) + after + usize::from(kept.is_some());
    (!all.choices.is_empty()).then_some((all.choices, taken))
}

/// Nats for U+00A0, where a space stands in its place.
const SPACE_NATS: f32 = 3.0;
/// Nats for a quotation mark that was made straight.
const STRAIGHT_NATS: f32 = 0.0;

/// The texts that a sequence without one of its bytes may have been.
struct Candidates<'a> {
    /// The bytes that are left, followed by others.
    known: &'a [u8],
    /// Whether U+FFFD or a question mark is in the place of the byte.
    is_sign: bool,
    choices: Choices,
}

impl Candidates<'_> {
    /// Adds the code point of the sequence with `byte` at `at`, and what is kept after it, if that is text.
    fn add(&mut self, at: usize, byte: u8, kept: Option<u32>, nats: f32) {
        let mut bytes = self.known.to_vec();
        if self.is_sign {
            bytes[at] = byte;
        } else {
            bytes.insert(at, byte);
        }
        let Step::CodePoint { value, .. } = utf8::decode_step(&bytes) else { return };
        let c = value.value();
        if self.choices.len() == MAX_CHOICES || is_unknown(c) || (0x80..0xA0).contains(&c) {
            return;
        }
        let text: Vec<u32> = core::iter::once(c).chain(kept).collect();
        if !self.choices.iter().any(|choice| choice.0 == text) {
            self.choices.push((text, nats));
        }
    }
}

/// Takes a layer off `range` of a line, by a double-byte page. Only runs that are well-formed as a whole count.
pub(super) fn double(line: &Line, range: Range<usize>, number: usize) -> Option<Peeled> {
    let page = Double::get(number);
    let text = &line.text;
    let mut new = Line::default();
    new.copy(line, 0..range.start);
    let mut all = Peeled::default();
    let mut bytes = Vec::new();
    let mut at = range.start;
    while at < range.end {
        if text[at] < 0x80 {
            new.push(text[at], line.origin[at]);
            at += 1;
            continue;
        }
        let start = at;
        bytes.clear();
        let mut held = true;
        while at < range.end && text[at] >= 0x80 && text[at] != 0xFFFD {
            match page.bytes(text[at]).to_be_bytes() {
                [0, 0] => held = false,
                [0, byte] => bytes.push(byte),
                code => bytes.extend_from_slice(&code),
            }
            at += 1;
        }
        // A question mark or U+FFFD replaces a last sequence that was not text in the page.
        let is_cut = matches!(text.get(at), Some(0x3F | 0xFFFD));
        let (whole, lossy) = if held { whole_sequences(&bytes, is_cut) } else { ("", false) };
        if at == start {
            at += 1;
        }
        let sequences = whole.chars().filter(|c| !c.is_ascii()).count();
        if sequences == 0 {
            all.counts.left += at - start;
            new.copy(line, start..at);
            continue;
        }
        for c in whole.chars() {
            new.push(c.into(), line.origin[start]);
        }
        if lossy {
            new.push(0xFFFD, line.origin[start]);
            all.counts.lossy = true;
            at += 1;
        }
        all.counts.sequences += sequences;
        all.counts.used += at - start;
    }
    if all.counts.sequences == 0 || all.counts.left > all.counts.used {
        return None;
    }
    new.copy(line, at.min(text.len())..text.len());
    all.line = new;
    Some(all)
}

/// Returns the text of a run, and whether its last sequence is left out. It is, if the run is cut after it and all before it is
/// text; otherwise a run that is not well-formed has no text.
fn whole_sequences(bytes: &[u8], is_cut: bool) -> (&str, bool) {
    match core::str::from_utf8(bytes) {
        Ok(whole) => (whole, false),
        Err(e) if is_cut && e.error_len().is_none() && e.valid_up_to() >= 4 => {
            (core::str::from_utf8(&bytes[..e.valid_up_to()]).unwrap_or_default(), true)
        }
        Err(_) => ("", false),
    }
}

/// Returns `true` if a closing quotation mark can stand between these code points. A straight mark after it would be its last
/// byte, in a text whose curly marks were made straight.
fn may_end_quotation(before: Option<u32>, after: Option<u32>) -> bool {
    before.is_some_and(|c| !matches!(c, 0..=0x20 | 0x28 | 0x5B | 0x7B | 0xA0))
        && after.is_none_or(|c| c < 0x80 && !matches!(c, 0x22 | 0x27))
}

/// Box drawing and block elements.
pub(super) const fn is_box(c: u32) -> bool {
    matches!(c, 0x2500..=0x259F)
}

/// The lines that frames are drawn with.
pub(super) const fn is_frame(c: u32) -> bool {
    matches!(c, 0x2500 | 0x2501 | 0x2502 | 0x2503 | 0x2550 | 0x2551)
}
