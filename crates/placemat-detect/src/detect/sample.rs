//! The neighborhoods of ill-formed UTF-8 of a whole stream, in constant memory.
//!
//! A neighborhood is a line, or a part of a long line that ends after a space. The first ones are kept in full. Then only
//! those of every n-th block that has any are kept; n doubles, and every other block is dropped, whenever there is no room.
//! So pieces are spread over the whole stream, and a high byte that comes first after a gigabyte is among them.

use alloc::string::String;
use alloc::vec::Vec;
use placemat_core::kernels::dispatch::Kernels;

/// The maximum number of bytes of the first neighborhoods.
const FULL_BYTES: usize = 64 * 1024;
/// The bytes of lines of ASCII that are kept in any case.
const ASCII_BYTES: usize = 512;
/// The maximum number of blocks after the first neighborhoods, and of bytes in each.
const MAX_BLOCKS: usize = 64;
const BLOCK_BYTES: usize = 1024;
/// The bytes of well-formed UTF-8 that are kept.
const WELL_FORMED_BYTES: usize = 2048;
/// The length from which on a line is cut after a space, and from which on it is cut anywhere.
const LONG_LINE_BYTES: usize = 256;
const MAX_LINE_BYTES: usize = 1024;

/// Pieces of a stream around its ill-formed UTF-8, spread over its whole length.
///
/// A stream that is not UTF-8 has such neighborhoods everywhere; a ranking scores them in place of
/// the whole text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sample {
    full: Pieces,
    spread: Vec<Pieces>,
    /// The blocks with ill-formed UTF-8 since the first ones were full. One in 2^`halvings` of them is kept.
    blocks: u64,
    halvings: u32,
    /// The end of the line that the last block ends in: to be joined with its other part.
    open: Vec<u8>,
    /// Whether `open` is ill-formed UTF-8.
    open_is_bad: bool,
    /// Whether the next line begins in the middle of another, at no space.
    is_cut: bool,
    /// Whether the last line was kept.
    adjoins: bool,
    /// The bytes of lines of ASCII that are kept.
    ascii: usize,
    /// Whether the room of the first ones is full.
    is_full: bool,
    /// Whether the block is one that is kept.
    is_kept: bool,
    /// The first bytes of the stream, also where they are ASCII: for encodings that are not ASCII-compatible.
    pub(crate) head: Vec<u8>,
    /// Lines and words beyond ASCII that are well-formed UTF-8, the first ones.
    pub(super) well_formed: String,
    /// The length of the whole stream in bytes.
    pub(crate) len: u64,
}

/// Pieces in the order of the stream.
#[derive(Clone, Debug, Default)]
struct Pieces {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Pieces {
    /// Adds a piece; or adds to the last one, if it `adjoins` that.
    fn push(&mut self, piece: &[u8], adjoins: bool) {
        self.bytes.extend_from_slice(piece);
        if adjoins {
            self.ends.pop();
        }
        self.ends.push(self.bytes.len());
    }

    fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let starts = core::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).filter_map(|(start, &end)| self.bytes.get(start..end))
    }
}

impl Sample {
    /// Returns the sample of a text that is one neighborhood, such as an ill-formed run.
    pub(crate) fn of(src: &[u8]) -> Self {
        let mut sample = Self { head: src.to_vec(), len: src.len() as u64, ..Self::default() };
        sample.full.push(src, false);
        sample
    }

    /// Returns the sample without its words that are well-formed UTF-8.
    pub(super) fn without_utf8(&self) -> Self {
        let mut words = Vec::new();
        for piece in self.pieces() {
            for word in piece.split_inclusive(|&byte| byte <= b' ') {
                if word.is_ascii() || is_bad(word) {
                    words.extend_from_slice(word);
                }
            }
        }
        Self::of(&words)
    }

    /// Returns the pieces in the order of the stream. Each begins at the start of the stream, or after a space or a control
    /// of ASCII, where every encoding begins a character.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = &[u8]> {
        self.full.iter().chain(self.spread.iter().flat_map(Pieces::iter))
    }

    /// Takes the next block; `is_well_formed` if it is UTF-8. A block begins and ends between sequences of UTF-8.
    pub(super) fn take(&mut self, block: &[u8], is_well_formed: bool, last: bool) {
        if is_well_formed && !self.open_is_bad {
            if self.well_formed.len() < WELL_FORMED_BYTES && !block.is_ascii() {
                block.split_inclusive(|&byte| byte <= b' ').for_each(|word| self.well_formed(word));
            }
            self.pass(block);
            return;
        }
        if !is_well_formed {
            self.begin_block();
        }
        let rest = match self.join(block, last) {
            None => return,
            Some(rest) if is_well_formed => {
                self.open_is_bad = false;
                self.adjoins = false;
                self.pass(rest);
                return;
            }
            Some(rest) => rest,
        };
        let mut rest = rest;
        while let Some(end) = cut(rest, last) {
            let (line, after) = rest.split_at(end);
            self.neighborhood(line);
            rest = after;
        }
        self.open.clear();
        self.open.extend_from_slice(rest);
        self.open_is_bad = is_bad(rest);
    }

    /// Passes over UTF-8, up to the word that goes on in the next block.
    fn pass(&mut self, block: &[u8]) {
        let near = &block[block.len().saturating_sub(LONG_LINE_BYTES)..];
        self.adjoins = false;
        if let Some(at) = near.iter().rposition(|&byte| byte <= b' ') {
            self.open.clear();
            self.open.extend_from_slice(&near[at + 1..]);
            self.is_cut = false;
        } else if near.len() == block.len() && self.open.len() + block.len() <= MAX_LINE_BYTES {
            self.open.extend_from_slice(block);
        } else {
            self.open.clear();
            self.is_cut = true;
        }
    }

    /// Takes the line that began before the block; the rest of the block, unless the line goes on after it.
    fn join<'a>(&mut self, block: &'a [u8], last: bool) -> Option<&'a [u8]> {
        let mut line = core::mem::take(&mut self.open);
        let mut before = line.len();
        let joined = &block[..block.len().min(MAX_LINE_BYTES)];
        line.extend_from_slice(joined);
        let mut start = 0;
        while before > 0 {
            let Some(end) = cut(&line[start..], last && joined.len() == block.len()) else {
                line.drain(..start);
                self.open_is_bad = is_bad(&line);
                self.open = line;
                return None;
            };
            self.neighborhood(&line[start..start + end]);
            start += end;
            if end >= before {
                return Some(&block[end - before..]);
            }
            before -= end;
        }
        Some(block)
    }

    /// Begins a block with ill-formed UTF-8.
    fn begin_block(&mut self) {
        if !self.is_full {
            return;
        }
        let number = self.blocks;
        self.blocks += 1;
        if self.spread.len() == MAX_BLOCKS && number.is_multiple_of(1 << self.halvings) {
            let mut at = 0;
            self.spread.retain(|_| {
                at += 1;
                at % 2 == 1
            });
            self.halvings += 1;
        }
        self.is_kept = number.is_multiple_of(1 << self.halvings);
        if self.is_kept {
            self.spread.push(Pieces::default());
            self.adjoins = false;
        }
    }

    /// Keeps a line or a word that is well-formed UTF-8, and not ASCII.
    fn well_formed(&mut self, text: &[u8]) {
        if self.well_formed.len() < WELL_FORMED_BYTES
            && !text.is_ascii()
            && let Ok(text) = core::str::from_utf8(text)
        {
            let room = (WELL_FORMED_BYTES - self.well_formed.len()).min(text.len());
            let end = (0..=room).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
            self.well_formed.push_str(&text[..end]);
        }
    }

    /// Whether the rest of the block is passed over, whatever its lines are: mostly, in a long text.
    fn takes_nothing(&self) -> bool {
        let has_room = || self.spread.last().is_some_and(|pieces| pieces.bytes.len() < BLOCK_BYTES);
        self.is_full && self.well_formed.len() >= WELL_FORMED_BYTES && !(self.is_kept && has_room())
    }

    /// Takes a line, or a part of one.
    fn neighborhood(&mut self, line: &[u8]) {
        let was_cut = core::mem::replace(&mut self.is_cut, line.last().is_some_and(|&byte| byte > b' '));
        let adjoins = core::mem::replace(&mut self.adjoins, false);
        if self.takes_nothing() {
            return;
        }
        let look = Look::of(line);
        if look == Look::Ascii {
            // It tells of the language, but must not outweigh the others.
            if !self.is_full && self.ascii + line.len() <= ASCII_BYTES.max(self.full.bytes.len() / 2) {
                self.ascii += line.len();
                self.full.push(line, adjoins);
                self.adjoins = true;
            }
            return;
        }
        if look == Look::Utf8 {
            self.well_formed(line);
            return;
        }
        if self.well_formed.len() < WELL_FORMED_BYTES {
            line.split_inclusive(|&byte| byte <= b' ').for_each(|word| self.well_formed(word));
        }
        // In the middle of a line, a piece may begin inside a character, unless it goes on where another ends.
        if was_cut && !adjoins {
            return;
        }
        if !self.is_full && self.full.bytes.len() + line.len() > FULL_BYTES {
            self.is_full = true;
            self.begin_block();
        }
        let adjoins = adjoins && (!self.is_full || self.is_kept);
        if !self.is_full {
            self.full.push(line, adjoins);
            self.adjoins = true;
        } else if let Some(pieces) = self.spread.last_mut().filter(|_| self.is_kept)
            && pieces.bytes.len() < BLOCK_BYTES
            && (adjoins || !was_cut)
        {
            pieces.push(line, adjoins);
            self.adjoins = true;
        }
    }
}

/// The kind of a line, read as UTF-8.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Look {
    Ascii,
    Utf8,
    IllFormed,
}

impl Look {
    fn of(line: &[u8]) -> Self {
        let Some(first) = line.iter().position(|byte| !byte.is_ascii()) else { return Self::Ascii };
        // In most encodings, the first letters are ill-formed.
        let mut rest = &line[first..];
        for _ in 0..2 {
            match placemat_core::utf8::decode_first(rest) {
                Some(Ok((_, len))) => rest = &rest[len..],
                Some(Err(_)) => return Self::IllFormed,
                None => break,
            }
        }
        if is_bad(rest) { Self::IllFormed } else { Self::Utf8 }
    }
}

/// Returns `true` if a line is ill-formed UTF-8.
fn is_bad(line: &[u8]) -> bool {
    Kernels::current().utf8_prefix(line) < line.len()
}

/// Returns the end of the first line of `src`, or of its first part if it is long. `None` if more bytes are needed to tell.
fn cut(src: &[u8], last: bool) -> Option<usize> {
    let near = &src[..src.len().min(LONG_LINE_BYTES)];
    if let Some(at) = line_end(near) {
        return Some(at + 1);
    }
    let all = (last && !src.is_empty()).then_some(src.len());
    if src.len() < LONG_LINE_BYTES {
        return all;
    }
    if let Some(at) = near.iter().rposition(|&byte| byte <= b' ') {
        return Some(at + 1);
    }
    let far = &src[..src.len().min(MAX_LINE_BYTES)];
    if let Some(at) = far.iter().position(|&byte| byte <= b' ') {
        return Some(at + 1);
    }
    if src.len() < MAX_LINE_BYTES { all } else { Some(MAX_LINE_BYTES) }
}

/// Returns the first line end.
fn line_end(src: &[u8]) -> Option<usize> {
    let is_end = |byte: u8| byte == b'\n' || byte == b'\r';
    // Whole chunks without a branch make vector code.
    let mut before = 0;
    let (chunks, rest) = src.as_chunks::<32>();
    for chunk in chunks {
        if chunk.iter().fold(false, |any, &byte| any | is_end(byte)) {
            for word in chunk.as_chunks::<8>().0 {
                let ends = zeros(*word, b'\n') | zeros(*word, b'\r');
                if ends != 0 {
                    return Some(before + ends.trailing_zeros() as usize / 8);
                }
                before += word.len();
            }
        }
        before += chunk.len();
    }
    rest.iter().position(|&byte| is_end(byte)).map(|at| before + at)
}

/// The highest bit of the first byte of a word that is `byte`, and perhaps of bytes after it; 0 if
/// there is none.
fn zeros(word: [u8; 8], byte: u8) -> u64 {
    const LOW: u64 = 0x0101_0101_0101_0101;
    let other = u64::from_le_bytes(word) ^ (LOW * u64::from(byte));
    other.wrapping_sub(LOW) & !other & (LOW << 7)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::blocks::Blocks;

    fn sample(src: &[u8]) -> Sample {
        let (mut blocks, mut sample) = (Blocks::default(), Sample::default());
        blocks.feed(src, |block| sample.take(block, !is_bad(block), false));
        sample.take(blocks.rest(), !is_bad(blocks.rest()), true);
        sample
    }

    /// Returns the non-ASCII bytes that are kept.
    fn high(sample: &Sample) -> usize {
        sample.pieces().flatten().filter(|byte| !byte.is_ascii()).count()
    }

    #[test]
    fn one_high_byte_is_kept_with_its_word_wherever_it_is() {
        for before in [0, 1, 100, 16_370, 16_379, 16_380, 16_383, 16_384, 16_390, 5_000_000] {
            let mut src = b"plain text ".repeat(1 + before / 11);
            src.truncate(before);
            src.extend(b" caf\xE9 au lait ");
            src.extend(b"more of it ".repeat(3000));
            let sample = sample(&src);
            let mut pieces = sample.pieces().filter(|piece| piece.contains(&0xE9));
            let piece = pieces.next().expect("it is kept");
            assert!(
                piece.windows(8).any(|window| window == b"caf\xE9 au "),
                "{before}: {}",
                piece.escape_ascii()
            );
            assert_eq!(pieces.next(), None);
        }
    }

    #[test]
    fn few_high_bytes_are_kept_from_everywhere() {
        let mut src = Vec::new();
        for number in 0..200_000 {
            src.extend(format!("line {number} ").bytes());
            src.extend(b"d\xE9j\xE0 vu\n");
        }
        let sample = sample(&src);
        let kept: usize = sample.pieces().map(<[u8]>::len).sum();
        assert!(kept <= FULL_BYTES + MAX_BLOCKS * (BLOCK_BYTES + MAX_LINE_BYTES), "{kept}");
        // The sample has lines of each tenth of the stream.
        let text: Vec<u8> = sample.pieces().flatten().copied().collect();
        for tenth in 0..10 {
            let start = format!("line {}", 1 + tenth).into_bytes();
            assert!(text.windows(start.len()).any(|window| window == start), "{tenth}");
        }
        let last = text.split(|&byte| byte == b'\n').rev().nth(1).unwrap_or_default();
        let number =
            String::from_utf8_lossy(last).split(' ').nth(1).and_then(|number| number.parse::<u32>().ok());
        assert!(number.is_some_and(|number| number > 180_000), "{number:?}");
    }

    #[test]
    fn a_line_without_an_end_or_a_space() {
        for src in [vec![0xE9; 3_000_000], [vec![b'a'; 2_000_000], vec![0xE9; 1_000_000]].concat()] {
            let sample = sample(&src);
            assert!(high(&sample) <= FULL_BYTES + MAX_BLOCKS * (BLOCK_BYTES + MAX_LINE_BYTES));
        }
        // It begins at the start of the stream, where a character begins.
        assert!(high(&sample(&vec![0xE9; 3_000_000])) > FULL_BYTES / 2);
    }

    #[test]
    fn lines_of_utf8_are_no_part_of_it() {
        let src = "déjà vu\n".repeat(3).into_bytes();
        let sample = sample(&[&src[..], b"d\xE9j\xE0 vu\n"].concat());
        assert_eq!(sample.pieces().flatten().copied().collect::<Vec<u8>>(), b"d\xE9j\xE0 vu\n");
        assert_eq!(sample.well_formed, "déjà vu\n".repeat(3));
    }
}
