//! The extras that the name of an encoding can ask for: UTF-8-MAC composes the text that is read
//! and decomposes the text that is written, UTF-8N writes no mark, UNICODE has its mark in the byte
//! order of the machine.

use crate::normal::normalize;
use placemat::normalize::{Normalization, Normalizer};
use placemat_iconv::Charset;

/// The byte order mark U+FEFF in UTF-8.
const MARK: &[u8] = "\u{FEFF}".as_bytes();

/// Composes text in UTF-8 that was read as UTF-8-MAC.
#[derive(Debug)]
pub(super) struct Composer {
    normalizer: Normalizer,
    /// The state before the last piece.
    before: Normalizer,
    /// The last piece, and its offset in the text.
    piece: Vec<u8>,
    read: u64,
    /// The last piece composed, and where that begins in the composed text.
    composed: Vec<u8>,
    written: u64,
    /// Room for normalized text.
    normal: String,
}

impl Composer {
    pub(super) fn new() -> Self {
        let normalizer = Normalizer::new(Normalization::Nfc);
        Self {
            before: normalizer.clone(),
            normalizer,
            piece: Vec::new(),
            read: 0,
            composed: Vec::new(),
            written: 0,
            normal: String::new(),
        }
    }

    /// Composes a piece; after the last one, `ends`.
    pub(super) fn compose(&mut self, piece: &[u8], ends: bool) -> &[u8] {
        self.read += self.piece.len() as u64;
        self.written += self.composed.len() as u64;
        self.before.clone_from(&self.normalizer);
        self.piece.clear();
        self.piece.extend_from_slice(piece);
        self.composed.clear();
        normalize(&mut self.normalizer, piece, ends, &mut self.normal, &mut self.composed);
        &self.composed
    }

    /// Returns the offset in the source of the text that became the composed text at an offset of the last piece: of a
    /// character if composition left it alone, else of the character with its marks.
    pub(super) fn source_of(&self, composed: u64) -> u64 {
        let mut normalizer = self.before.clone();
        let (mut normal, mut out) = (String::new(), Vec::new());
        let mut read = self.read;
        let chars = self.piece.utf8_chunks().flat_map(|chunk| chunk.valid().chars());
        // A character at a time, until the one that is asked for is written; at last, what is held back.
        for c in chars.map(Some).chain([None]) {
            let held = normalizer.held().to_owned();
            let start = read - held.len() as u64;
            let before = out.len();
            let mut bytes = [0; 4];
            let piece = c.map_or(&b""[..], |c| c.encode_utf8(&mut bytes).as_bytes());
            normalize(&mut normalizer, piece, c.is_none(), &mut normal, &mut out);
            if let Some(within) =
                (self.written + out.len() as u64).checked_sub(composed).filter(|&left| left > 0)
            {
                let is_same = out[before..] == *held.as_bytes();
                return if is_same { start + held.len() as u64 - within } else { start };
            }
            read += piece.len() as u64;
        }
        read
    }
}

/// The end of the output of one input.
#[derive(Debug)]
pub(super) struct Ending {
    /// What to write before the first byte.
    mark: &'static [u8],
    drops_mark: bool,
    /// The normalizer, if the target is UTF-8-MAC.
    normalizer: Option<Normalizer>,
    normal: String,
    out: Vec<u8>,
}

impl Ending {
    /// `mark`: what glibc writes before a text.
    pub(super) fn new(to: &Charset, mark: &'static [u8]) -> Self {
        Self {
            mark,
            drops_mark: to.no_signature,
            normalizer: to.apple.then(|| Normalizer::new(Normalization::Mac)),
            normal: String::new(),
            out: Vec::new(),
        }
    }

    /// Returns the bytes to write for converted ones; after the last, `ends`.
    pub(super) fn pass<'a>(&'a mut self, mut bytes: &'a [u8], ends: bool) -> &'a [u8] {
        if !bytes.is_empty() && core::mem::take(&mut self.drops_mark) {
            // Whole characters come together, so the mark does too.
            bytes = bytes.strip_prefix(MARK).unwrap_or(bytes);
        }
        let mark = if bytes.is_empty() { &[] } else { core::mem::take(&mut self.mark) };
        if mark.is_empty() && self.normalizer.is_none() {
            return bytes;
        }
        self.out.clear();
        self.out.extend_from_slice(mark);
        match &mut self.normalizer {
            Some(normalizer) => normalize(normalizer, bytes, ends, &mut self.normal, &mut self.out),
            None => self.out.extend_from_slice(bytes),
        }
        &self.out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_of_composed_text_are_those_of_the_source() {
        let source = "ae\u{301}x\u{301}\u{1112}\u{1161}\u{11AB}e\u{301}z";
        for cut in (0..=source.len()).filter(|&cut| source.is_char_boundary(cut)) {
            let mut composer = Composer::new();
            let mut found = Vec::new();
            let (mut text, mut at) = (Vec::new(), 0);
            for (piece, ends) in [(&source[..cut], false), (&source[cut..], true)] {
                let composed = composer.compose(piece.as_bytes(), ends).to_vec();
                for (i, &byte) in composed.iter().enumerate() {
                    if byte & 0xC0 != 0x80 {
                        found.push(composer.source_of(at + i as u64));
                    }
                }
                at += composed.len() as u64;
                text.extend(composed);
            }
            assert_eq!(text, "aéx\u{301}한éz".as_bytes(), "{cut}");
            assert_eq!(found, [0, 1, 4, 5, 7, 16, 19], "{cut}");
        }
    }
}
