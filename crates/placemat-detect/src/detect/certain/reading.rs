//! A stream as one encoding reads it, as long as it is well-formed.

use alloc::vec::Vec;
use placemat_charsets::Encoding;
use placemat_charsets::stream::{Status, Transcoder};

/// The code points that are remembered.
const REMEMBERED: usize = 256;

/// A reading of a stream in an encoding that writes ASCII as itself.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    pub(super) encoding: Encoding,
    transcoder: Transcoder,
    /// The non-ASCII code points.
    pub(super) beyond_ascii: u64,
    /// The first non-ASCII code points.
    pub(super) first: Vec<char>,
    /// The offset and the bytes of the first ill-formed sequence; the reading ends there.
    pub(super) error: Option<(u64, Vec<u8>)>,
}

impl Reading {
    /// Returns a reading that begins at `offset` of the stream; what is before is ASCII.
    pub(super) fn new(encoding: Encoding, offset: u64) -> Self {
        Self {
            encoding,
            // A stream may be cut anywhere.
            transcoder: Transcoder::new(encoding, Encoding::UTF_8).ending_shifted().starting_at(offset),
            beyond_ascii: 0,
            first: Vec::new(),
            error: None,
        }
    }

    /// Reads the next bytes. Returns whether all bytes so far are well-formed.
    pub(super) fn block(&mut self, mut src: &[u8], last: bool) -> bool {
        let mut dst = [0; 4096];
        while self.error.is_none() {
            let progress = self.transcoder.convert(src, &mut dst, last);
            src = &src[progress.read..];
            self.see(&dst[..progress.written]);
            match progress.status {
                Status::NeedOutput => {}
                Status::IllFormed(e) => self.error = Some((e.offset(), e.bytes().to_vec())),
                _ => break,
            }
        }
        self.error.is_none()
    }

    /// Reads the end. Returns whether the stream is well-formed, or truncated in a sequence or a
    /// shifted run.
    pub(super) fn finish(&mut self) -> bool {
        self.block(&[], false) && {
            // Only the end can be wrong now.
            self.block(&[], true);
            true
        }
    }

    fn see(&mut self, text: &[u8]) {
        // The transcoder writes whole sequences.
        let text = core::str::from_utf8(text).unwrap_or_default();
        for c in text.chars().filter(|c| !c.is_ascii()) {
            self.beyond_ascii += 1;
            if self.first.len() < REMEMBERED {
                self.first.push(c);
            }
        }
    }
}
