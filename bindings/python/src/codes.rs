//! The bytes of each code point in encodings without states, for text that is encoded code point by
//! code point: where a handler is asked, or bytes are put back.
//!
//! The library's engine, which serves all encodings, would begin again after each error.

use crate::inverse::Inverse;
use crate::raw::{UTF_32, bytes_of};
use crate::table::Table;
use placemat::stream::{Status, Transcoder};
use placemat::{Encoding, ErrorPolicy};

/// The maximum number of bytes of a code point.
const MAX_BYTES: usize = 3;

/// The codes of one encoding.
pub(crate) enum Codes {
    /// One byte each.
    Single(&'static Inverse),
    Several(Box<Several>),
}

/// Codes of several bytes, found when they are asked for.
pub(crate) struct Several {
    transcoder: Transcoder,
    /// For each code point of the BMP its bytes, and above them their number; [`LACKING`], or 0 for
    /// code points that nobody asked for.
    known: Box<[u32]>,
}

/// The encoding has no code for this code point.
const LACKING: u32 = u32::MAX;

impl Codes {
    /// Returns the codes of an encoding without states, whose code units are bytes.
    pub(crate) fn of(encoding: Encoding) -> Option<Self> {
        let facts = encoding.facts();
        if encoding.max_bytes() == 1 {
            return Some(Self::Single(Table::of(encoding)?.inverse()?));
        }
        // In relatives of UTF-8, long texts have no error but surrogates.
        let is_simple = facts.stateless && !facts.holds_back && facts.units_per_error == 1;
        if !is_simple || facts.utf8_markers {
            return None;
        }
        let transcoder = Transcoder::new(UTF_32, encoding).on_error(ErrorPolicy::SurrogatePass);
        Some(Self::Several(Box::new(Several { transcoder, known: vec![0; 0x1_0000].into() })))
    }

    /// Appends the bytes of a code point; returns `false` if there are none.
    #[inline(always)]
    pub(crate) fn put(&mut self, c: u32, out: &mut Vec<u8>) -> bool {
        match self {
            Self::Single(inverse) => match u8::try_from(inverse.byte(c)) {
                Ok(byte) => {
                    out.push(byte);
                    true
                }
                Err(_) => false,
            },
            Self::Several(several) => several.put(c, out),
        }
    }

    /// Returns `true` if each ASCII character is its own code.
    pub(crate) fn has_ascii(&self) -> bool {
        match self {
            Self::Single(inverse) => inverse.has_ascii,
            Self::Several(_) => false,
        }
    }

    /// Returns `true` if the encoding has a code for this code point.
    #[inline(always)]
    pub(crate) fn has(&mut self, c: u32) -> bool {
        match self {
            Self::Single(inverse) => inverse.byte(c) < Inverse::NONE,
            Self::Several(several) => several.has(c),
        }
    }
}

impl Several {
    /// Returns the entry of a code point, unless its code is longer than an entry can be.
    #[inline(always)]
    fn entry(&mut self, c: u32) -> Option<u32> {
        match self.known.get(c as usize) {
            Some(&entry) if entry != 0 => Some(entry),
            _ => self.ask(c),
        }
    }

    #[cold]
    fn ask(&mut self, c: u32) -> Option<u32> {
        let mut bytes = [0; 64];
        let len = self.encoded(c, &mut bytes);
        let entry = match len {
            None => LACKING,
            Some(len @ 1..=MAX_BYTES) => {
                let value = bytes[..len].iter().fold(0, |value, &byte| value << 8 | u32::from(byte));
                value | u32::try_from(len).ok()? << 24
            }
            Some(_) => return None,
        };
        if let Some(known) = self.known.get_mut(c as usize) {
            *known = entry;
        }
        Some(entry)
    }

    /// Encodes a code point; returns the number of its bytes.
    fn encoded(&mut self, c: u32, bytes: &mut [u8; 64]) -> Option<usize> {
        self.transcoder.reset();
        let p = self.transcoder.convert(bytes_of(&[c]), bytes, true);
        (p.status == Status::Done).then_some(p.written)
    }

    #[inline(always)]
    fn has(&mut self, c: u32) -> bool {
        self.entry(c) != Some(LACKING)
    }

    #[inline(always)]
    fn put(&mut self, c: u32, out: &mut Vec<u8>) -> bool {
        match self.entry(c) {
            Some(LACKING) => return false,
            Some(entry) => {
                let [len, bytes @ ..] = entry.to_be_bytes();
                out.extend_from_slice(&bytes[MAX_BYTES - usize::from(len)..]);
            }
            None => {
                let mut bytes = [0; 64];
                let len = self.encoded(c, &mut bytes).unwrap_or_default();
                out.extend_from_slice(&bytes[..len]);
            }
        }
        true
    }
}
