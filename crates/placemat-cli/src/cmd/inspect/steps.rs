//! A stream taken apart: each code point, each ill-formed sequence, with its bytes.

use crate::input;
use crate::scan::resolve;
use core::ops::Range;
use placemat::stream::{Status, Transcoder};
use placemat::{CodePoint, Encoding, ErrorPolicy, IllFormed, UnmappablePolicy};
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read, Seek as _, SeekFrom};

/// Bytes that are read at a time.
const PIECE_BYTES: usize = 64 * 1024;
/// The number of bytes that stay in the buffer on either side.
const AROUND: usize = 64;

/// The size of a code point in what the decoder writes.
const CODE_POINT_BYTES: usize = 4;
/// The room that the code points of one byte need in any encoding.
const MAX_STEP_OUTPUT_BYTES: usize = 64 * CODE_POINT_BYTES;

/// Decoding that begins this far before a place finds the borders of sequences there, wherever it begins. A multiple of
/// all sizes of code units.
const SYNC_BYTES: u64 = 4096;

/// A stream whose bytes can be skipped.
pub(super) trait Source: Read {
    /// Skips bytes, if it can do so at once. Returns whether it did.
    fn leap(&mut self, _bytes: u64) -> io::Result<bool> {
        Ok(false)
    }
}

impl Source for &[u8] {}

impl Source for File {
    fn leap(&mut self, bytes: u64) -> io::Result<bool> {
        // Devices take a position and do not heed it.
        let Ok(bytes) = i64::try_from(bytes) else { return Ok(false) };
        if !self.metadata()?.is_file() {
            return Ok(false);
        }
        self.seek(SeekFrom::Current(bytes))?;
        Ok(true)
    }
}

/// The kind of an item.
#[derive(Clone, Copy, Debug)]
pub(super) enum What {
    CodePoint(CodePoint),
    IllFormed(IllFormed),
    /// U+FEFF that belongs to the encoding and not to the text.
    Signature,
    /// Bytes without text after them: a shift at the end, or before an ill-formed sequence.
    Shift,
}

/// One of the parts of a stream.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub(super) offset: u64,
    pub(super) len: usize,
    pub(super) what: What,
}

impl Item {
    pub(super) fn end(&self) -> u64 {
        self.offset + self.len as u64
    }
}

/// Takes a stream apart.
///
/// The decoder gets byte after byte; a code point that it then writes, in four bytes, covers the
/// bytes since the last one, but for those that it carries on. So this works for every encoding. A
/// shift belongs to the code point after it; of several code points in the same bytes, the first has
/// them.
#[derive(Debug)]
pub(super) struct Steps<R> {
    stream: R,
    decoder: Transcoder,
    buffer: Vec<u8>,
    /// Offset in the stream of the first byte of `buffer`.
    base: u64,
    filled: usize,
    /// The number of bytes given to the decoder.
    fed: usize,
    /// The start of the next item; unknown after bytes were skipped.
    start: Option<usize>,
    ended: bool,
    done: bool,
    /// Items that were found and not returned yet, in order.
    found: VecDeque<Item>,
    /// With its byte order.
    encoding: Encoding,
    signature: &'static [u8],
}

impl<R: Source> Steps<R> {
    pub(super) fn new(stream: R, encoding: Encoding) -> io::Result<Self> {
        let mut steps = Self {
            stream,
            decoder: Transcoder::new(encoding, Encoding::UCS_4BE).ending_shifted(),
            buffer: vec![0; PIECE_BYTES + 4 * AROUND],
            base: 0,
            filled: 0,
            fed: 0,
            start: Some(0),
            ended: false,
            done: false,
            found: VecDeque::new(),
            encoding,
            signature: &[],
        };
        steps.fill()?;
        let head = &steps.buffer[..steps.filled];
        steps.encoding = resolve(encoding, head);
        steps.signature =
            Some(steps.encoding.signature()).filter(|bytes| head.starts_with(bytes)).unwrap_or_default();
        Ok(steps)
    }

    /// Returns the encoding in which the bytes are read.
    pub(super) fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Returns the bytes of the item that was returned last.
    pub(super) fn bytes(&self, item: &Item) -> &[u8] {
        &self.buffer[self.range(item)]
    }

    /// Returns the available bytes before an item, and from it on.
    pub(super) fn around(&self, item: &Item) -> (&[u8], &[u8]) {
        let Range { start, .. } = self.range(item);
        (&self.buffer[start.saturating_sub(AROUND)..start], &self.buffer[start..self.filled])
    }

    fn range(&self, item: &Item) -> Range<usize> {
        let start = usize::try_from(item.offset - self.base).unwrap_or(usize::MAX);
        start..start + item.len
    }

    /// Skips bytes far before `offset`, if the encoding can be decoded from any place.
    fn leap_to(&mut self, offset: u64) -> io::Result<()> {
        let read = self.base + self.filled as u64;
        // Units are counted from the start of the stream.
        let target = offset.saturating_sub(SYNC_BYTES) & !3;
        let Some(decoded) = read_from_the_middle(self.encoding).filter(|_| target > read) else {
            return Ok(());
        };
        if !self.stream.leap(target - read)? {
            let passed = io::copy(&mut (&mut self.stream).take(target - read), &mut io::sink())?;
            self.ended = passed < target - read;
        }
        let (stop, keep) = (ErrorPolicy::Stop, UnmappablePolicy::Stop);
        self.decoder = Transcoder::new(decoded, Encoding::UCS_4BE)
            .ending_shifted()
            .on_error(stop)
            .on_unmappable(keep)
            .starting_at(target);
        (self.base, self.filled, self.fed, self.start) = (target, 0, 0, None);
        Ok(())
    }

    /// Skips to shortly before `offset`.
    pub(super) fn skip_to(&mut self, offset: u64) -> io::Result<()> {
        self.leap_to(offset)?;
        let end = offset.saturating_sub(AROUND as u64);
        let mut void = vec![0; PIECE_BYTES];
        loop {
            let left = usize::try_from(end.saturating_sub(self.base + self.fed as u64)).unwrap_or(usize::MAX);
            self.fill()?;
            let available = left.min(self.filled - self.fed);
            if available == 0 {
                return Ok(());
            }
            self.start = None;
            let p = self.decoder.convert(&self.buffer[self.fed..self.fed + available], &mut void, false);
            self.fed += p.read;
        }
    }

    /// Returns the next item, or `None` at the end.
    pub(super) fn next(&mut self) -> io::Result<Option<Item>> {
        loop {
            if let Some(item) = self.found.pop_front() {
                return Ok(Some(item));
            }
            if self.done {
                return Ok(None);
            }
            self.fill()?;
            let byte = &self.buffer[self.fed..self.filled.min(self.fed + 1)];
            let mut values = [0; MAX_STEP_OUTPUT_BYTES];
            // A byte can show where the sequence before it ends, and be one itself: there is room for one of them.
            let mut room = CODE_POINT_BYTES;
            let p = loop {
                let p = self.decoder.convert(byte, &mut values[..room], byte.is_empty());
                if p.status != Status::NeedOutput || p.read + p.written > 0 {
                    break p;
                }
                room += CODE_POINT_BYTES;
            };
            self.fed += p.read;
            self.done = p.status == Status::Done;
            let (values, _) = values[..p.written].as_chunks();
            let end = match p.status {
                Status::IllFormed(e) => usize::try_from(e.offset() - self.base).unwrap_or(usize::MAX),
                _ => self.fed - self.decoder.carried(),
            };
            for &value in values {
                let c = CodePoint::new(u32::from_be_bytes(value)).unwrap_or_default();
                self.found(end, What::CodePoint(c));
            }
            if let Status::IllFormed(e) = p.status {
                if values.is_empty() && self.start.is_some_and(|start| start < end) {
                    self.found(end, What::Shift);
                }
                self.start = Some(end);
                self.found(end + e.len(), What::IllFormed(e));
            } else if values.is_empty() && self.at_signature() {
                self.found(end, What::Signature);
            } else if self.done && self.start.is_some_and(|start| start < end) {
                self.found(end, What::Shift);
            }
        }
    }

    /// Records the item that ends at `end`, if its start is known.
    fn found(&mut self, end: usize, what: What) {
        if let Some(start) = self.start.replace(end) {
            let offset = self.base + start as u64;
            self.found.push_back(Item { offset, len: end.saturating_sub(start), what });
        }
    }

    /// Returns `true` if the whole signature was read and gave no text.
    fn at_signature(&self) -> bool {
        let len = self.signature.len();
        len > 0 && self.base == 0 && self.start == Some(0) && self.fed == len
    }

    /// Reads ahead, if the stream has more bytes.
    fn fill(&mut self) -> io::Result<()> {
        while self.filled - self.fed < AROUND && !self.ended {
            if self.buffer.len() - self.filled < PIECE_BYTES / 2 {
                let keep = self.fed.saturating_sub(2 * AROUND);
                self.buffer.copy_within(keep..self.filled, 0);
                self.base += keep as u64;
                self.filled -= keep;
                self.fed -= keep;
                self.start = self.start.map(|start| start.saturating_sub(keep));
            }
            let read = input::read(&mut self.stream, &mut self.buffer[self.filled..])?;
            self.filled += read;
            self.ended = read == 0;
        }
        Ok(())
    }
}

/// Returns the encoding for decoding from the middle of a text, if that finds the borders between code points after a
/// few of them; it takes nothing for a signature.
fn read_from_the_middle(encoding: Encoding) -> Option<Encoding> {
    let unsigned = if encoding == Encoding::UTF_8_BOM { Encoding::UTF_8 } else { encoding };
    unsigned.facts().self_synchronizing.then_some(unsigned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(bytes: &[u8], encoding: Encoding) -> Vec<(u64, usize, String)> {
        let mut steps = Steps::new(bytes, encoding).expect("slices can be read");
        let mut items = Vec::new();
        while let Some(item) = steps.next().expect("slices can be read") {
            let what = match item.what {
                What::CodePoint(c) => c.to_string(),
                What::IllFormed(e) => e.code().to_owned(),
                What::Signature => "signature".to_owned(),
                What::Shift => "shift".to_owned(),
            };
            let start = usize::try_from(item.offset).expect("small");
            assert_eq!(steps.bytes(&item), &bytes[start..start + item.len]);
            items.push((item.offset, item.len, what));
        }
        items
    }

    #[test]
    fn utf8_is_taken_apart() {
        let found = items(b"\xEF\xBB\xBFa\xE2\x82\xAC\xE2\x82b\xC0\xAF\xF0\x9F", Encoding::UTF_8);
        let wanted = [
            (0, 3, "U+FEFF"),
            (3, 1, "U+0061"),
            (4, 3, "U+20AC"),
            (7, 2, "truncated"),
            (9, 1, "U+0062"),
            (10, 1, "overlong-2"),
            (11, 1, "unexpected-continuation"),
            (12, 2, "incomplete"),
        ];
        assert_eq!(found, wanted.map(|(offset, len, what)| (offset, len, what.to_owned())));
        assert_eq!(items(b"\xEF\xBB\xBFa", Encoding::UTF_8_BOM)[0].2, "signature");
        assert!(items(b"", Encoding::UTF_8).is_empty());
    }

    #[test]
    fn wider_units_are_taken_apart() {
        let found = items(b"\xFE\xFF\0a\xD8\x3D\xDE\0\xDC\0\xD8\0\0b\xD8", Encoding::UTF_16);
        let wanted = [
            (0, 2, "signature"),
            (2, 2, "U+0061"),
            (4, 4, "U+1F600"),
            (8, 2, "unpaired-trail"),
            (10, 2, "unpaired-lead"),
            (12, 2, "U+0062"),
            (14, 1, "incomplete"),
        ];
        assert_eq!(found, wanted.map(|(offset, len, what)| (offset, len, what.to_owned())));
        let found = items(b"\x7F\xFF\xFF\xFF\0\0\xD8\0\x80\0\0\0", Encoding::UCS_4BE);
        let wanted = [(0, 4, "U+7FFFFFFF"), (4, 4, "U+D800"), (8, 4, "too-large")];
        assert_eq!(found, wanted.map(|(offset, len, what)| (offset, len, what.to_owned())));
    }

    #[test]
    fn stateful_and_long_sequences_are_taken_apart() {
        let find = |label| Encoding::for_label(label).expect("it is there");
        let found = items(b"a\x1B$B0!0\"\x1B(Bb\x1B$B", find("iso-2022-jp"));
        let wanted =
            [(0, 1, "U+0061"), (1, 5, "U+4E9C"), (6, 2, "U+5516"), (8, 4, "U+0062"), (12, 3, "shift")];
        assert_eq!(found, wanted.map(|(offset, len, what)| (offset, len, what.to_owned())));
        // Two code points in two bytes.
        let found = items(b"\x88\x62a", find("big5"));
        let wanted = [(0, 2, "U+00CA"), (2, 0, "U+0304"), (2, 1, "U+0061")];
        assert_eq!(found, wanted.map(|(offset, len, what)| (offset, len, what.to_owned())));
        // The byte after a sequence shows that it ends.
        let found = items(b"\xA6\xB8ab", find("tscii"));
        let wanted = [(0, 2, "U+0B95"), (2, 0, "U+0BC6"), (2, 1, "U+0061"), (3, 1, "U+0062")];
        assert_eq!(found, wanted.map(|(offset, len, what)| (offset, len, what.to_owned())));
        let found = items(b"\xE8\xEF\xC0\xE8\xE9\xB3", find("iscii"));
        let wanted = [
            (0, 1, "U+094D"),
            (1, 1, "unknown-escape"),
            (2, 1, "U+0922"),
            (3, 2, "U+094D"),
            (5, 0, "U+200D"),
            (5, 1, "U+0915"),
        ];
        assert_eq!(found, wanted.map(|(offset, len, what)| (offset, len, what.to_owned())));
        let found = items(b"abe\xE3", find("vni"));
        let wanted = [(0, 1, "U+0061"), (1, 1, "U+0062"), (2, 2, "U+1EC5")];
        assert_eq!(found, wanted.map(|(offset, len, what)| (offset, len, what.to_owned())));
    }

    #[test]
    fn every_encoding_is_taken_apart_to_the_end() {
        let mut byte = 1_u32;
        let bytes: Vec<u8> = core::iter::repeat_with(|| {
            byte = byte.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (byte >> 24) as u8
        })
        .take(2000)
        .collect();
        for &encoding in Encoding::ALL {
            let mut end = 0;
            for (offset, len, what) in items(&bytes, encoding) {
                assert!(offset >= end || len == 0, "{encoding}: {what} at {offset}, {end} passed");
                end = offset + len as u64;
            }
            assert!(end <= 2000, "{encoding}");
        }
    }

    #[test]
    fn skipping_changes_nothing_but_where_it_begins() {
        let text = "aé€😀\u{301}".repeat(40_000);
        let all = items(text.as_bytes(), Encoding::UTF_8);
        for offset in [0, 1, 63, 64, 65, 70, 1000, 65_537, 65_600, 131_071, 399_990, 440_000, 500_000] {
            let mut steps = Steps::new(text.as_bytes(), Encoding::UTF_8).expect("slices can be read");
            steps.skip_to(offset).expect("slices can be read");
            let mut found = Vec::new();
            while let Some(item) = steps.next().expect("slices can be read") {
                if item.end() > offset {
                    found.push((item.offset, item.len));
                }
            }
            let wanted =
                all.iter().map(|&(at, len, _)| (at, len)).filter(|&(at, len)| at + len as u64 > offset);
            assert_eq!(found, wanted.collect::<Vec<_>>(), "{offset}");
        }
    }

    #[test]
    fn passing_over_changes_nothing_but_where_it_begins() {
        let some = b"a\xE2\x82\xAC\xC0\xAF\xE2\x82\xF0\x9F\x98\x80\xF0\x9F\x98\xC3\xA9\n\xED\xA0\x80\xED\xB0\x80\xED\xB0\x80\x80\xF4\x90z\
            \x3D\xD8\x00\xDE\x00\xDC\x3D\xD8\xFF\xFE\0\0\xFE\xFF\0\0\0\xD8\xEF\xBB\xBF\xFD\xBF\xBF\xBF\xBF\xBF";
        let long =
            [&some[..], &b"\x80".repeat(90), &b"\xED\xA0\x80".repeat(40), &b"\0\xDC".repeat(40)].concat();
        let mut bytes: Vec<u8> = Vec::new();
        // The length is odd, so that the text begins at every place of a unit.
        for i in 0..240 {
            bytes.extend_from_slice(&long[i % 7..]);
            bytes.extend_from_slice(&b"xyz"[..i % 4 % 3]);
        }
        let len = bytes.len() as u64;
        assert!(len > 80_000);
        let mut healing = 0;
        for &encoding in Encoding::ALL.iter().filter(|&&encoding| read_from_the_middle(encoding).is_some()) {
            let by_table = encoding.max_bytes() == 1;
            healing += 1;
            if by_table && healing % 150 > 0 {
                continue;
            }
            let all = items(&bytes, encoding);
            // Every place of a unit and of the text, far and near.
            let places = (72_000..75_000).step_by(31).chain(len - 80..len + 3).chain([
                SYNC_BYTES,
                len + 9999,
                u64::MAX,
            ]);
            for offset in places {
                let mut steps = Steps::new(&*bytes, encoding).expect("slices can be read");
                steps.skip_to(offset).expect("slices can be read");
                let mut found = Vec::new();
                while let Some(item) = steps.next().expect("slices can be read")
                    && found.len() < 4
                {
                    if item.end() > offset {
                        let what = match item.what {
                            What::CodePoint(c) => c.to_string(),
                            What::IllFormed(e) => e.code().to_owned(),
                            What::Signature => "signature".to_owned(),
                            What::Shift => "shift".to_owned(),
                        };
                        found.push((item.offset, item.len, what));
                    }
                }
                let first = all.partition_point(|&(at, len, _)| at + len as u64 <= offset);
                let wanted = &all[first..all.len().min(first + 4)];
                assert_eq!(found, wanted, "{encoding} {offset}");
            }
        }
        assert!(healing > 280);
    }
}
