//! The bytes of each code point in encodings without states, for text that is encoded code point by
//! code point: where a handler is asked, or bytes are put back.
//!
//! The library's engine, which serves all encodings, would begin again after each error.

use crate::inverse::{Inverse, low};
use crate::raw::{UTF_32, bytes_of};
use crate::running::lock;
use crate::table::Table;
use placemat::stream::{Status, Transcoder};
use placemat::{Encoding, ErrorPolicy};
use std::sync::Mutex;

/// The maximum number of bytes of a code point that has an entry.
const MAX_BYTES: usize = 3;
/// The room for the codes of this many code points is made at once.
const STEP_POINTS: usize = 64;
/// At most this many encodings keep what was asked, some 256 KiB each.
const MAX_KEPT: usize = 8;

/// The codes of one encoding.
pub(crate) enum Codes {
    /// One byte each.
    Single(&'static Inverse),
    Several(Several),
}

/// Codes of several bytes, found when they are asked for.
pub(crate) struct Several {
    encoding: Encoding,
    transcoder: Box<Transcoder>,
    /// For each code point of the BMP its bytes, from the highest on, and below them their number;
    /// [`LACKING`], or 0 for code points that nobody asked for.
    known: Box<[u32]>,
}

/// The encoding has no code for this code point.
const LACKING: u32 = u32::MAX;

/// The codes that earlier calls asked for.
static KEPT: Mutex<Vec<(Encoding, Box<[u32]>)>> = Mutex::new(Vec::new());

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
        Some(Self::Several(Several::of(encoding)))
    }

    /// Appends the bytes of code units until one has no code. Returns their number.
    #[inline]
    pub(crate) fn put<U: Copy + Into<u32>>(&mut self, units: &[U], out: &mut Vec<u8>) -> usize {
        let mut read = 0;
        for step in units.chunks(STEP_POINTS) {
            let taken = match self {
                Self::Single(inverse) => put_single(inverse, step, out),
                Self::Several(several) => several.put(step, out),
            };
            read += taken;
            if taken < step.len() {
                break;
            }
        }
        read
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
            Self::Several(several) => several.entry(c) != Some(LACKING),
        }
    }
}

/// Appends the bytes of at most [`STEP_POINTS`] code units until one has none. Returns their number.
#[inline]
fn put_single<U: Copy + Into<u32>>(inverse: &Inverse, units: &[U], out: &mut Vec<u8>) -> usize {
    let mut bytes = [0; STEP_POINTS];
    let mut taken = 0;
    for (to, &unit) in bytes.iter_mut().zip(units) {
        let byte = inverse.byte(unit.into());
        if byte == Inverse::NONE {
            break;
        }
        *to = low(byte);
        taken += 1;
    }
    out.extend_from_slice(&bytes[..taken]);
    taken
}

impl Several {
    /// Returns the codes of an encoding. The GIL is held.
    fn of(encoding: Encoding) -> Self {
        let mut kept = lock(&KEPT);
        let known = kept.iter().position(|&(of, _)| of == encoding).map(|at| kept.swap_remove(at).1);
        drop(kept);
        let transcoder = Transcoder::new(UTF_32, encoding).on_error(ErrorPolicy::SurrogatePass);
        let known = known.unwrap_or_else(|| vec![0; 0x1_0000].into());
        Self { encoding, transcoder: Box::new(transcoder), known }
    }

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
        let entry = match self.encoded(c, &mut bytes) {
            None => LACKING,
            Some(len @ 1..=MAX_BYTES) => {
                let [first, second, third, ..] = bytes;
                u32::from_be_bytes([first, second, third, u8::try_from(len).ok()?])
            }
            Some(_) => return None,
        };
        if let Some(known) = self.known.get_mut(c as usize) {
            *known = entry;
        }
        Some(entry)
    }

    /// Encodes a code point; returns the number of its bytes, after which `bytes` are 0.
    fn encoded(&mut self, c: u32, bytes: &mut [u8; 64]) -> Option<usize> {
        self.transcoder.reset();
        let p = self.transcoder.convert(bytes_of(&[c]), bytes, true);
        bytes[p.written..].fill(0);
        (p.status == Status::Done).then_some(p.written)
    }

    /// Appends the bytes of at most [`STEP_POINTS`] code units until one has none. Returns their number.
    #[inline]
    fn put<U: Copy + Into<u32>>(&mut self, units: &[U], out: &mut Vec<u8>) -> usize {
        let mut bytes = [0; (MAX_BYTES + 1) * STEP_POINTS];
        let (mut taken, mut written) = (0, 0);
        for &unit in units {
            match self.entry(unit.into()) {
                Some(LACKING) => break,
                Some(entry) => {
                    // The bytes after the code are those of the next.
                    let Some(room) = bytes[written..].first_chunk_mut() else { break };
                    let all = entry.to_be_bytes();
                    *room = all;
                    written += usize::from(all[MAX_BYTES]);
                }
                None => {
                    out.extend_from_slice(&bytes[..written]);
                    written = 0;
                    let mut long = [0; 64];
                    let len = self.encoded(unit.into(), &mut long).unwrap_or_default();
                    out.extend_from_slice(&long[..len]);
                }
            }
            taken += 1;
        }
        out.extend_from_slice(&bytes[..written]);
        taken
    }
}

impl Drop for Several {
    fn drop(&mut self) {
        // The GIL is held, and another call may have kept the same encoding meanwhile.
        let mut kept = lock(&KEPT);
        if kept.iter().all(|&(of, _)| of != self.encoding) {
            if kept.len() == MAX_KEPT {
                kept.remove(0);
            }
            kept.push((self.encoding, core::mem::take(&mut self.known)));
        }
    }
}
