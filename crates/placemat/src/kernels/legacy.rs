//! The multi-byte encodings of the web, by way of the crate `encoding_rs`.
//!
//! Its decoders keep what they know of a text from call to call; a kernel keeps nothing. So each call makes a new one,
//! which costs nothing, and what that one held back at the end of its input counts as not read.

use super::Moved;
use crate::checked::split_well_formed;
use encoding_rs::{DecoderResult, EUC_JP, EncoderResult, Encoding};

/// Bytes of UTF-8 that are checked at once, before they are encoded: at first, as the text may soon hold something
/// unmappable, and later.
const CHECKED: (usize, usize) = (256, 4096);
/// Bytes of text that nobody wants, and of seven-bit codes with the eighth bit set.
const SCRATCH: usize = 2048;

/// Decodes as far as the text is well-formed.
pub(crate) fn to_utf8(encoding: &'static Encoding, src: &[u8], dst: &mut [u8]) -> Moved {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let (result, read, written) = decoder.decode_to_utf8_without_replacement(src, dst, false);
    if let DecoderResult::Malformed(bad, after) = result {
        return Moved { read: read - usize::from(bad) - usize::from(after), written };
    }
    let mut rest = [0; 16];
    match decoder.decode_to_utf8_without_replacement(&[], &mut rest, true) {
        (DecoderResult::InputEmpty, _, 0) => Moved { read, written },
        // What was held back, a sequence that the input cuts off, is now said to be ill-formed.
        (DecoderResult::Malformed(bad, 0), _, 0) => Moved { read: read - usize::from(bad), written },
        _ => Moved::default(),
    }
}

/// How far the text is well-formed.
pub(crate) fn prefix(encoding: &'static Encoding, src: &[u8]) -> usize {
    each_piece(src, |src, scratch| to_utf8(encoding, src, scratch))
}

/// Encodes as far as there is UTF-8 that the encoding holds.
pub(crate) fn from_utf8(encoding: &'static Encoding, src: &[u8], dst: &mut [u8]) -> Moved {
    let mut encoder = encoding.new_encoder();
    let mut moved = Moved::default();
    let mut checked = CHECKED.0;
    loop {
        let rest = &src[moved.read..];
        let (text, _) = split_well_formed(&rest[..rest.len().min(checked)]);
        let to = &mut dst[moved.written..];
        let (result, read, written) = encoder.encode_from_utf8_without_replacement(text, to, false);
        moved = Moved { read: moved.read + read, written: moved.written + written };
        match result {
            EncoderResult::InputEmpty if !text.is_empty() => checked = CHECKED.1,
            EncoderResult::InputEmpty | EncoderResult::OutputFull => return moved,
            // It was read, though nothing was written for it.
            EncoderResult::Unmappable(c) => return Moved { read: moved.read - c.len_utf8(), ..moved },
        }
    }
}

/// Decodes as far as there are two bytes each for a character of JIS X 0208.
pub(crate) fn jis0208_to_utf8(src: &[u8], dst: &mut [u8]) -> Moved {
    let mut moved = Moved::default();
    loop {
        let mut scratch = [0; SCRATCH];
        let mut len = 0;
        for (to, &byte) in scratch.iter_mut().zip(&src[moved.read..]) {
            if !(0x21..=0x7E).contains(&byte) {
                break;
            }
            *to = byte | 0x80;
            len += 1;
        }
        let Moved { read, written } = to_utf8(EUC_JP, &scratch[..len & !1], &mut dst[moved.written..]);
        moved = Moved { read: moved.read + read, written: moved.written + written };
        if read < SCRATCH {
            return moved;
        }
    }
}

/// How far there are two bytes each for a character of JIS X 0208.
pub(crate) fn jis0208_prefix(src: &[u8]) -> usize {
    each_piece(src, jis0208_to_utf8)
}

/// Encodes as far as there is UTF-8 for characters of JIS X 0208.
pub(crate) fn jis0208_from_utf8(src: &[u8], dst: &mut [u8]) -> Moved {
    let (text, _) = split_well_formed(&src[..src.len().min(SCRATCH)]);
    // What EUC-JP writes in another way, or ISO-2022-JP.
    let elsewhere = |c: char| c.is_ascii() || matches!(c, '\u{A5}' | '\u{203E}' | '\u{FF61}'..='\u{FF9F}');
    let text = &text[..text.find(elsewhere).unwrap_or(text.len())];
    let moved = from_utf8(EUC_JP, text.as_bytes(), dst);
    for byte in &mut dst[..moved.written] {
        *byte &= 0x7F;
    }
    moved
}

/// Runs a kernel of which only the reading matters.
fn each_piece(src: &[u8], mut kernel: impl FnMut(&[u8], &mut [u8]) -> Moved) -> usize {
    let mut read = 0;
    loop {
        let more = kernel(&src[read..], &mut [0; SCRATCH]).read;
        if more == 0 {
            return read;
        }
        read += more;
    }
}
