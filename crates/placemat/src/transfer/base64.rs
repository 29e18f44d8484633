//! Base64: RFC 4648 sections 4 and 5, and RFC 2045 section 6.8.
//!
//! RFC 4648 leaves choices to the implementation. This one skips line breaks and white space, as MIME requires. It
//! reports any other byte outside the alphabet, and spare bits that are not zero, because they would let one byte
//! string be written in several ways. `base64` requires padding; `base64url` does not.

#![forbid(unsafe_code)]

use super::error::TransferErrorKind;
use super::line_end::LineEnd;
use super::step::Step;
use alloc::vec::Vec;

/// Characters on a line in MIME.
const LINE: usize = 76;

/// The characters of the values, and whether padding is required.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Alphabet {
    characters: [u8; 64],
    values: [u8; 256],
    padded: bool,
}

pub(super) static STANDARD: Alphabet = Alphabet::new(*b"+/", true);
pub(super) static URL: Alphabet = Alphabet::new(*b"-_", false);

/// Stands in the table for a byte that has no value.
const NONE: u8 = 0xFF;

impl Alphabet {
    const fn new([c62, c63]: [u8; 2], padded: bool) -> Self {
        let mut characters = *b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789..";
        characters[62] = c62;
        characters[63] = c63;
        let mut values = [NONE; 256];
        let mut value = 0;
        while value < 64 {
            values[characters[value as usize] as usize] = value;
            value += 1;
        }
        Self { characters, values, padded }
    }

    fn value(&self, character: u8) -> u8 {
        self.values[usize::from(character)]
    }
}

/// An unfinished group of four characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Group {
    /// The characters, including padding.
    characters: [u8; 4],
    len: usize,
    /// The offset of the first one.
    start: u64,
    /// Whether the last group had padding.
    ended: bool,
}

impl Group {
    /// Reads one byte, or many groups; `offset` is that of the start of `src`.
    pub(super) fn decode(&mut self, alphabet: &Alphabet, src: &[u8], offset: u64, out: &mut Vec<u8>) -> Step {
        if self.len == 0 && !self.ended {
            let whole = whole_groups(alphabet, src, out);
            if whole > 0 {
                return Step::Took(whole);
            }
        }
        let byte = src[0];
        if matches!(byte, b'\r' | b'\n' | b' ' | b'\t') {
            return Step::Took(1);
        }
        if self.ended {
            return Step::Wrong { len: 1, kind: TransferErrorKind::AfterPadding };
        }
        let padding = self.characters[..self.len].contains(&b'=');
        if byte == b'=' {
            if self.len < 2 {
                return Step::Wrong { len: 1, kind: TransferErrorKind::BadPadding };
            }
        } else if padding {
            return Step::Wrong { len: 1, kind: TransferErrorKind::BadPadding };
        } else if alphabet.value(byte) == NONE {
            return Step::Wrong { len: 1, kind: TransferErrorKind::StrayByte };
        }
        if self.len == 0 {
            self.start = offset;
        }
        if self.len == 3 && byte == b'=' {
            if let Err(kind) = self.partial(alphabet, out) {
                return Step::WrongSince { start: self.start, kind };
            }
            *self = Self { ended: true, ..Self::default() };
            return Step::Took(1);
        }
        self.characters[self.len] = byte;
        self.len += 1;
        if self.len == 4 {
            whole_groups(alphabet, &self.characters, out);
            self.len = 0;
        }
        Step::Took(1)
    }

    /// Ends the input: writes the rest, or returns the offset at which the incomplete group starts.
    pub(super) fn finish(
        &mut self,
        alphabet: &Alphabet,
        out: &mut Vec<u8>,
    ) -> Result<(), (u64, TransferErrorKind)> {
        if self.len == 0 {
            return Ok(());
        }
        if alphabet.padded || self.len == 1 || self.characters[..self.len].contains(&b'=') {
            return Err((self.start, TransferErrorKind::Incomplete));
        }
        self.partial(alphabet, out).map_err(|kind| (self.start, kind))?;
        self.len = 0;
        Ok(())
    }

    /// Discards the characters read so far, and returns them.
    pub(super) fn give_up(&mut self) -> ([u8; 4], usize) {
        let given = (self.characters, self.len);
        self.len = 0;
        given
    }

    /// Writes the one or two bytes of a group of two or three characters.
    fn partial(&self, alphabet: &Alphabet, out: &mut Vec<u8>) -> Result<(), TransferErrorKind> {
        let characters = &self.characters[..self.len];
        let values = characters.iter().take_while(|character| **character != b'=');
        let mut bits = 0;
        let mut count = 0;
        for &character in values {
            bits = bits << 6 | u32::from(alphabet.value(character));
            count += 1;
        }
        // Two characters have 12 bits, of which 8 count; three have 18, of which 16 count.
        let spare = if count == 2 { 4 } else { 2 };
        if bits & ((1 << spare) - 1) != 0 {
            return Err(TransferErrorKind::NonzeroPadding);
        }
        let bytes = (bits >> spare).to_be_bytes();
        out.extend_from_slice(&bytes[4 - (count - 1)..]);
        Ok(())
    }
}

/// Reads as many whole groups of four as there are; returns the number of bytes read.
fn whole_groups(alphabet: &Alphabet, src: &[u8], out: &mut Vec<u8>) -> usize {
    let mut len = 0;
    for group in src.as_chunks::<4>().0 {
        let [a, b, c, d] = group.map(|character| alphabet.value(character));
        if (a | b | c | d) == NONE {
            break;
        }
        let bits = u32::from(a) << 18 | u32::from(b) << 12 | u32::from(c) << 6 | u32::from(d);
        let [_, bytes @ ..] = bits.to_be_bytes();
        out.extend_from_slice(&bytes);
        len += 4;
    }
    len
}

/// Writes whole groups, and at the end also the partial one; returns the number of bytes read from `src`.
pub(super) fn encode(
    alphabet: &Alphabet,
    src: &[u8],
    last: bool,
    column: &mut usize,
    lines: Option<LineEnd>,
    out: &mut Vec<u8>,
) -> usize {
    let (groups, rest) = src.as_chunks::<3>();
    let mut put = |bytes: &[u8]| {
        let mut group = [0; 4];
        group[1..=bytes.len()].copy_from_slice(bytes);
        let bits = u32::from_be_bytes(group);
        for place in 0..4 {
            if place <= bytes.len() {
                out.push(alphabet.characters[(bits >> (18 - 6 * place) & 63) as usize]);
            } else if alphabet.padded {
                out.push(b'=');
            }
        }
        *column += 4;
        if let Some(line_end) = lines
            && *column == LINE
        {
            out.extend_from_slice(line_end.bytes());
            *column = 0;
        }
    };
    groups.iter().for_each(|group| put(group));
    if !last {
        return src.len() - rest.len();
    }
    if !rest.is_empty() {
        put(rest);
    }
    if let Some(line_end) = lines
        && *column > 0
    {
        out.extend_from_slice(line_end.bytes());
        *column = 0;
    }
    src.len()
}
