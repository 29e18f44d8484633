//! Base64: RFC 4648 sections 4 and 5, and RFC 2045 section 6.8.
//!
//! Of the choices that RFC 4648 leaves: line breaks and white space are passed over, as MIME needs it; any other byte
//! outside the alphabet is an error; so are bits after the last byte that are not zero, which would let the same bytes be
//! written in several ways. `base64` needs its padding, `base64url` may go without.

#![forbid(unsafe_code)]

use super::{LineEnd, Step, TransferErrorKind};
use alloc::vec::Vec;

/// Characters on a line of MIME.
const LINE: usize = 76;

/// Which characters stand for the values, and whether there must be padding.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Alphabet {
    characters: [u8; 64],
    values: [u8; 256],
    padded: bool,
}

pub(super) static STANDARD: Alphabet = Alphabet::new(*b"+/", true);
pub(super) static URL: Alphabet = Alphabet::new(*b"-_", false);

/// In place of a value.
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

/// A group of four characters that has begun.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Group {
    /// The characters, padding among them.
    characters: [u8; 4],
    len: usize,
    /// Where the first one stands.
    start: u64,
    /// A group with padding was the last one.
    ended: bool,
}

impl Group {
    /// Reads a byte, or many groups; `offset` is where `src` starts.
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

    /// The end of the input: what remains, or where what is incomplete starts.
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

    /// The characters read so far, which are given up.
    pub(super) fn give_up(&mut self) -> ([u8; 4], usize) {
        let given = (self.characters, self.len);
        self.len = 0;
        given
    }

    /// The one or two bytes of a group of two or three characters.
    fn partial(&self, alphabet: &Alphabet, out: &mut Vec<u8>) -> Result<(), TransferErrorKind> {
        let characters = &self.characters[..self.len];
        let values = characters.iter().take_while(|character| **character != b'=');
        let mut bits = 0;
        let mut count = 0;
        for &character in values {
            bits = bits << 6 | u32::from(alphabet.value(character));
            count += 1;
        }
        // Of twelve or eighteen bits the first eight or sixteen.
        let spare = if count == 2 { 4 } else { 2 };
        if bits & ((1 << spare) - 1) != 0 {
            return Err(TransferErrorKind::NonzeroPadding);
        }
        let bytes = (bits >> spare).to_be_bytes();
        out.extend_from_slice(&bytes[4 - (count - 1)..]);
        Ok(())
    }
}

/// Reads groups of four as long as they are whole; how many bytes that were.
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

/// Writes whole groups, at the end also the partial one; how much of `src` was read.
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
