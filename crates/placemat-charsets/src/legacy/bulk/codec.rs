//! A call of `encoding_rs`, with nothing kept from one call to the next.

use encoding_rs::{Decoder, DecoderResult, EncoderResult, Encoding, ISO_2022_JP};
use placemat_core::kernels::Moved;

/// Decodes as far as the text is well-formed.
pub(super) fn decode(mut decoder: Decoder, src: &[u8], dst: &mut [u8]) -> Moved {
    let (result, read, written) = decoder.decode_to_utf8_without_replacement(src, dst, false);
    if let DecoderResult::Malformed(bad, after) = result {
        return Moved { read: read - usize::from(bad) - usize::from(after), written };
    }
    let mut rest = [0; 16];
    match decoder.decode_to_utf8_without_replacement(&[], &mut rest, true) {
        (DecoderResult::InputEmpty, _, 0) => Moved { read, written },
        // The decoder held back a sequence that the input truncates, and now reports it as
        // ill-formed.
        (DecoderResult::Malformed(bad, 0), _, 0) => Moved { read: read - usize::from(bad), written },
        _ => Moved::default(),
    }
}

/// Returns the bytes of a character, and how many, if the encoding holds it.
pub(super) fn encode(encoding: &'static Encoding, c: char) -> Option<([u8; 4], usize)> {
    let (mut text, mut units) = ([0; 4], [0; 16]);
    let text = c.encode_utf8(&mut text);
    let (result, _, len) =
        encoding.new_encoder().encode_from_utf8_without_replacement(text, &mut units, false);
    let [a, b, c, d, ..] = units;
    (result == EncoderResult::InputEmpty).then_some(([a, b, c, d], len))
}

/// The character of JIS X 0208 with a code of two bytes.
pub(crate) fn jis0208_at([first, second]: [u8; 2]) -> Option<char> {
    let mut text = [0; 16];
    let src = [b'\x1B', b'$', b'B', first, second];
    let mut decoder = ISO_2022_JP.new_decoder_without_bom_handling();
    let (result, _, len) = decoder.decode_to_utf8_without_replacement(&src, &mut text, false);
    if result != DecoderResult::InputEmpty {
        return None;
    }
    core::str::from_utf8(&text[..len]).ok()?.chars().next()
}

/// Returns the two bytes of a character that is not ASCII, if JIS X 0208 has it.
pub(crate) fn jis0208_of(c: char) -> Option<[u8; 2]> {
    let (mut text, mut units) = ([0; 4], [0; 16]);
    let text = c.encode_utf8(&mut text);
    let (_, _, len) = ISO_2022_JP.new_encoder().encode_from_utf8_without_replacement(text, &mut units, false);
    match units[..len] {
        [b'\x1B', b'$', b'B', first, second] => Some([first, second]),
        _ => None,
    }
}
