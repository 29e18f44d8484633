//! The role of each byte in an encoding, found by decoding and encoding; this works for every encoding without state.

use placemat::forms::Repertoire;
use placemat::stream::{Status, Transcoder};
use placemat::{CodePoint, Encoding, ErrorPolicy, UnmappablePolicy};

/// The sequences of one length that begin with one byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sequences {
    pub(super) len: usize,
    pub(super) lowest: CodePoint,
    pub(super) highest: CodePoint,
    /// The number of code points.
    pub(super) count: u64,
}

/// The longest sequence that is distinguished.
const LONGEST: usize = 8;

/// Returns `true` if tables, and not a rule, give the code points.
pub(super) fn has_tables(encoding: Encoding) -> bool {
    matches!(encoding.repertoire(), Repertoire::Table | Repertoire::Tables)
        || encoding.facts().functions.is_some()
}

/// The roles of all bytes.
#[derive(Debug)]
pub(super) struct Bytes {
    /// The code points of each single byte; a few encodings have several.
    pub(super) single: Vec<Vec<CodePoint>>,
    /// The longer sequences that each byte begins, by length.
    pub(super) sequences: Vec<Vec<Sequences>>,
    /// Whether a byte occurs in a place after the first: `later[1]` is the second.
    pub(super) later: Vec<[bool; 256]>,
}

impl Bytes {
    pub(super) fn of(encoding: Encoding) -> Self {
        let mut bytes = Self {
            single: vec![Vec::new(); 256],
            sequences: vec![Vec::new(); 256],
            later: vec![[false; 256]; LONGEST],
        };
        let of_tables = has_tables(encoding);
        for first in 0..=255 {
            bytes.read(encoding, &mut vec![first], of_tables);
        }
        if encoding.max_bytes() > 1 {
            bytes.write(encoding, of_tables);
        }
        bytes
    }

    /// Decodes every sequence of at most three bytes that begins with `prefix`; in encodings by rule, only single
    /// bytes.
    fn read(&mut self, encoding: Encoding, prefix: &mut Vec<u8>, of_tables: bool) {
        let (stop, keep) = (ErrorPolicy::Stop, UnmappablePolicy::Stop);
        let mut decoder = Transcoder::new(encoding, Encoding::UCS_4BE).on_error(stop).on_unmappable(keep);
        let mut values = [0; 64];
        let p = decoder.convert(prefix, &mut values, false);
        if matches!(p.status, Status::IllFormed(_)) {
            return;
        }
        let (values, _) = values[..p.written].as_chunks();
        let found: Vec<_> =
            values.iter().filter_map(|&value| CodePoint::new(u32::from_be_bytes(value))).collect();
        match (&found[..], prefix.len()) {
            ([], 1..=2) if of_tables => {
                for next in 0..=255 {
                    prefix.push(next);
                    self.read(encoding, prefix, of_tables);
                    prefix.pop();
                }
            }
            ([], _) => {}
            (_, 1) => self.single[usize::from(prefix[0])] = found,
            (_, _) => found.iter().for_each(|&c| self.note(prefix, c, 1)),
        }
    }

    /// Encodes every code point; in encodings by table, for the sequences that were not decoded.
    fn write(&mut self, encoding: Encoding, of_tables: bool) {
        let mut written = Written::new(encoding);
        let from = if of_tables { 4 } else { 2 };
        let all = 0..=CodePoint::new(0x10_FFFF).unwrap_or_default().value();
        for c in all.filter_map(CodePoint::new) {
            if let Some(bytes) = written.bytes(c).filter(|bytes| bytes.len() >= from) {
                self.note(bytes, c, 1);
            }
        }
        // Beyond Unicode, sequences are in the order of the first byte: whole ranges at once.
        let last = CodePoint::MAX.value();
        let mut value = 0x11_0000;
        while value <= last && encoding.repertoire() == Repertoire::Bits31 {
            let mut key = |value| {
                let c = CodePoint::new(value)?;
                written.bytes(c).map(|bytes| (bytes.len(), bytes[0]))
            };
            let first = key(value);
            let (mut same, mut other) = (value, last + 1);
            while other - same > 1 {
                let middle = same + (other - same) / 2;
                if key(middle) == first { same = middle } else { other = middle }
            }
            for (value, count) in [(value, u64::from(other - value)), (same, 0)] {
                let Some(c) = CodePoint::new(value) else { continue };
                if let Some(bytes) = written.bytes(c) {
                    self.note(bytes, c, count);
                }
            }
            value = other;
        }
    }

    fn note(&mut self, bytes: &[u8], c: CodePoint, count: u64) {
        let len = bytes.len();
        for (place, &byte) in bytes.iter().enumerate().skip(1).take(LONGEST - 1) {
            self.later[place][usize::from(byte)] = true;
        }
        let of_first = &mut self.sequences[usize::from(bytes[0])];
        if let Some(known) = of_first.iter_mut().find(|known| known.len == len) {
            known.lowest = known.lowest.min(c);
            known.highest = known.highest.max(c);
            known.count += count;
        } else {
            of_first.push(Sequences { len, lowest: c, highest: c, count });
            of_first.sort_by_key(|sequences| sequences.len);
        }
    }

    /// Returns `true` if some sequence begins with a byte.
    pub(super) fn is_first(&self, byte: usize) -> bool {
        !self.single[byte].is_empty() || !self.sequences[byte].is_empty()
    }

    /// Returns `true` if a byte occurs after the first of a sequence.
    pub(super) fn is_later(&self, byte: u8) -> bool {
        self.later.iter().any(|place| place[usize::from(byte)])
    }
}

/// Code points as they are written.
struct Written {
    encoder: Transcoder,
    bytes: [u8; 64],
}

impl Written {
    fn new(encoding: Encoding) -> Self {
        let (stop, keep) = (ErrorPolicy::Stop, UnmappablePolicy::Stop);
        Self {
            encoder: Transcoder::new(Encoding::UCS_4BE, encoding).on_error(stop).on_unmappable(keep),
            bytes: [0; 64],
        }
    }

    fn bytes(&mut self, c: CodePoint) -> Option<&[u8]> {
        let p = self.encoder.convert(&c.value().to_be_bytes(), &mut self.bytes, false);
        (!matches!(p.status, Status::Unmappable(_)) && p.written > 0).then(|| &self.bytes[..p.written])
    }
}
