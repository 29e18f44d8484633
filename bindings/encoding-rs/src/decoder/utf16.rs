//! Decoding to UTF-16, through UTF-8.

use super::{Decoder, Done, End, Errors};
use crate::mem::to_utf16;
use placemat::length::utf16_from_utf8;

/// The bytes of UTF-8 that are made at a time.
const PIECE_BYTES: usize = 2048;
/// The longest character in UTF-8, and two of Big5 together.
const MAX_CHARACTER_BYTES: usize = 4;

impl Decoder {
    /// Decodes a piece to UTF-16.
    pub(super) fn decode_units(&mut self, src: &[u8], dst: &mut [u16], last: bool, errors: Errors) -> Done {
        let mut text = [0; PIECE_BYTES];
        let mut done = Done { end: End::Empty, read: 0, written: 0, had_errors: false };
        loop {
            let (rest, room) = (&src[done.read..], &mut dst[done.written..]);
            let (part, is_full) = if room.len() > MAX_CHARACTER_BYTES {
                // A character takes no more units than bytes.
                let most = room.len().min(PIECE_BYTES);
                (self.decode(rest, &mut text[..most], last, errors), false)
            } else {
                self.decode_few(rest, &mut text, room.len(), last, errors)
            };
            let written = to_utf16(&text[..part.written], room).written;
            done = Done {
                end: part.end,
                read: done.read + part.read,
                written: done.written + written,
                had_errors: done.had_errors | part.had_errors,
            };
            if part.end != End::Full || is_full {
                return done;
            }
        }
    }

    fn copy(&self) -> Self {
        Self { bom: self.bom.clone(), transcoder: self.transcoder.clone(), ..*self }
    }

    /// Decodes the text that fits into a few units, one step of the longest length that fits. Returns whether nothing fits.
    fn decode_few(
        &mut self,
        src: &[u8],
        text: &mut [u8],
        room: usize,
        last: bool,
        errors: Errors,
    ) -> (Done, bool) {
        for most in (0..=MAX_CHARACTER_BYTES).rev() {
            let mut trial = self.copy();
            let done = trial.decode(src, &mut text[..most], last, errors);
            if utf16_from_utf8(&text[..done.written]) <= room {
                *self = trial;
                let is_stuck = done.end == End::Full && done.written == 0;
                return (done, is_stuck);
            }
        }
        unreachable!("an empty text fits");
    }
}
