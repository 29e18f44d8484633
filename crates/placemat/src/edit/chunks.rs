//! The bytes of a document in chunks, in an order in which a place is found by any of its offsets. There are two levels: a
//! page has at most some hundred chunks, and a document as many pages as it needs.

use super::reader::{LOOKAHEAD, Reader};
use super::stand_ins::StandIns;
use super::sum::Sum;
use alloc::vec::Vec;
use core::ops::Add;
use placemat_core::engine::any::Place;

/// The minimum length of a chunk, in bytes, where there are several; the greatest is about twice as
/// much.
pub(super) const CHUNK: usize = 2048;
/// The maximum number of chunks of a page.
const PAGE: usize = 128;

/// Some bytes of a document, at the start of a step and at most a few thousand.
#[derive(Clone, Debug)]
pub(super) struct Chunk {
    pub(super) bytes: Vec<u8>,
    /// The place at which reading of the chunk begins.
    pub(super) place: Place,
    pub(super) sum: Sum,
}

#[derive(Clone, Debug)]
struct Page {
    chunks: Vec<Chunk>,
    sum: Sum,
}

impl Page {
    #[inline]
    fn new(chunks: Vec<Chunk>) -> Self {
        let sum = chunks.iter().map(|chunk| chunk.sum).fold(Sum::default(), Add::add);
        Self { chunks, sum }
    }
}

/// The number of a chunk: its page, and its number there.
pub(super) type Number = (usize, usize);

/// All chunks.
#[derive(Clone, Debug, Default)]
pub(super) struct Chunks {
    pages: Vec<Page>,
    pub(super) sum: Sum,
}

impl Chunks {
    #[inline]
    pub(super) fn new(chunks: Vec<Chunk>) -> Self {
        let mut all = Self { pages: pages(chunks).collect(), sum: Sum::default() };
        all.add_up();
        all
    }

    #[inline]
    fn add_up(&mut self) {
        self.sum = self.pages.iter().map(|page| page.sum).fold(Sum::default(), Add::add);
    }

    #[inline]
    pub(super) fn get(&self, (page, index): Number) -> &Chunk {
        &self.pages[page].chunks[index]
    }

    /// Returns the chunk that holds the unit at `at`, as `measure` counts, or the last one; and the sum of all before it.
    /// `None` if there are no chunks.
    #[inline]
    pub(super) fn find(&self, at: usize, measure: impl Fn(&Sum) -> usize) -> Option<(Number, Sum)> {
        let mut before = Sum::default();
        let is_past = |sum: &Sum| measure(sum) > at;
        let (_, pages) = self.pages.split_last()?;
        let page = pass(pages.iter().map(|page| page.sum), &mut before, is_past);
        let (_, chunks) = self.pages[page].chunks.split_last()?;
        let index = pass(chunks.iter().map(|chunk| chunk.sum), &mut before, is_past);
        Some(((page, index), before))
    }

    /// Returns the number of bytes before a chunk.
    #[inline]
    pub(super) fn bytes_before(&self, (page, index): Number) -> usize {
        let pages: usize = self.pages[..page].iter().map(|page| page.sum.bytes).sum();
        pages + self.pages[page].chunks[..index].iter().map(|chunk| chunk.bytes.len()).sum::<usize>()
    }

    #[inline]
    pub(super) fn first(&self) -> Option<Number> {
        (!self.pages.is_empty()).then_some((0, 0))
    }

    #[inline]
    pub(super) fn next(&self, (page, index): Number) -> Option<Number> {
        if index + 1 < self.pages[page].chunks.len() {
            return Some((page, index + 1));
        }
        (page + 1 < self.pages.len()).then_some((page + 1, 0))
    }

    #[inline]
    pub(super) fn previous(&self, (page, index): Number) -> Option<Number> {
        if index > 0 {
            return Some((page, index - 1));
        }
        let page = page.checked_sub(1)?;
        Some((page, self.pages[page].chunks.len() - 1))
    }

    /// Returns the chunks from one on.
    #[inline]
    pub(super) fn from(&self, first: Option<Number>) -> impl Iterator<Item = &Chunk> {
        core::iter::successors(first, |&number| self.next(number)).map(|number| self.get(number))
    }

    /// Puts chunks in the place of others, which are all from the first to the last of `old`; without these, there are none.
    #[inline]
    pub(super) fn replace(&mut self, old: Option<(Number, Number)>, new: Vec<Chunk>) {
        let Some(((first_page, first), (last_page, last))) = old else {
            *self = Self::new(new);
            return;
        };
        let after = self.pages[last_page].chunks.split_off(last + 1);
        let mut chunks = core::mem::take(&mut self.pages[first_page].chunks);
        chunks.truncate(first);
        chunks.extend(new);
        chunks.extend(after);
        self.pages.splice(first_page..=last_page, pages(chunks));
        self.add_up();
    }
}

/// Full pages, and at the end one that is at least half full, if there are enough chunks for that.
#[inline]
fn pages(chunks: Vec<Chunk>) -> impl Iterator<Item = Page> {
    let count = chunks.len().div_ceil(PAGE);
    let each = chunks.len().div_ceil(count.max(1));
    let mut chunks = chunks.into_iter();
    core::iter::from_fn(move || {
        let page: Vec<_> = chunks.by_ref().take(each).collect();
        (!page.is_empty()).then(|| Page::new(page))
    })
}

/// Adds sums to `before` up to the first one that leads past a place. Returns their number.
#[inline]
fn pass(sums: impl Iterator<Item = Sum>, before: &mut Sum, is_past: impl Fn(&Sum) -> bool) -> usize {
    let passes = |sum| {
        let after = *before + sum;
        (!is_past(&after)).then(|| *before = after)
    };
    sums.map_while(passes).count()
}

/// Some bytes in context: whole chunks, and the bytes after them that decide about their last steps.
pub(super) struct Stretch<'a> {
    /// The bytes, and at most [`LOOKAHEAD`] more.
    pub(super) src: &'a [u8],
    /// The number of bytes without those after them.
    pub(super) len: usize,
    /// Whether the document ends with `src`.
    pub(super) last: bool,
    pub(super) place: Place,
}

impl Stretch<'_> {
    /// Divides the stretch into chunks, and passes the text of each to `accepts`, which may refuse it. Returns the chunks and
    /// the place after them; `None` if a text is refused, or if a step reaches beyond the stretch.
    #[inline]
    pub(super) fn divide<'a>(
        &'a self,
        stand_ins: &'a StandIns,
        mut accepts: impl FnMut(&[u8], &Reader<'a>) -> bool,
    ) -> Option<(Vec<Chunk>, Place)> {
        let count = (self.len / CHUNK).max(1);
        let mut reader = Reader::new(self.place, self.src, self.last, stand_ins);
        let mut chunks = Vec::with_capacity(if self.len == 0 { 0 } else { count });
        let mut text = Vec::new();
        while reader.at < self.len {
            let (start, place) = (reader.at, reader.place());
            // The ends are evenly spaced.
            let done = chunks.len() + 1;
            let end = if done >= count { self.len } else { (self.len / count * done).max(start + 1) };
            text.clear();
            reader.read(&mut text, end, usize::MAX);
            while reader.at < end {
                if !reader.step(&mut text) {
                    return None;
                }
            }
            if reader.at > self.len || !accepts(&text, &reader) {
                return None;
            }
            let sum = Sum::of(&text, reader.at - start);
            chunks.push(Chunk { bytes: self.src[start..reader.at].to_vec(), place, sum });
        }
        Some((chunks, reader.place()))
    }
}

/// Returns the bytes of some chunks and at most [`LOOKAHEAD`] after them, the number without these, and whether they are the
/// last of all.
#[inline]
pub(super) fn joined(chunks: &Chunks, first: Number, last: Number) -> (Vec<u8>, usize, bool) {
    let mut bytes = Vec::new();
    let mut number = first;
    loop {
        bytes.extend_from_slice(&chunks.get(number).bytes);
        if number == last {
            break;
        }
        let Some(next) = chunks.next(number) else { break };
        number = next;
    }
    let len = bytes.len();
    let mut following = chunks.next(last);
    while let Some(number) = following
        && bytes.len() < len + LOOKAHEAD
    {
        let more = &chunks.get(number).bytes;
        let wanted = len + LOOKAHEAD - bytes.len();
        bytes.extend_from_slice(&more[..more.len().min(wanted)]);
        following = if more.len() > wanted { Some(number) } else { chunks.next(number) };
    }
    (bytes, len, following.is_none())
}
