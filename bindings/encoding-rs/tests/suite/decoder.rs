//! Decoders: what they write, where errors are, and how much room they need.

use crate::common::{Numbers, bytes, pairs};
use encoding_rs::{CoderResult, Decoder, DecoderResult, Encoding as Ours};
use encoding_rs_peer as peer;

/// An event of a text in pieces that does not depend on the room of the output.
#[derive(Debug, PartialEq, Eq)]
enum Event {
    Text(String),
    /// The offset of an ill-formed sequence, its length, and how many bytes were read after it.
    Malformed(usize, u8, u8),
    /// The end of a piece: the encoding, and the number of bytes read.
    Piece(&'static str, usize),
}

fn push(events: &mut Vec<Event>, text: &str) {
    match events.last_mut() {
        _ if text.is_empty() => {}
        Some(Event::Text(before)) => before.push_str(text),
        _ => events.push(Event::Text(text.into())),
    }
}

/// Makes a function that feeds pieces to a decoder that stops at errors, and returns the events.
macro_rules! events {
    ($name:ident, $lib:ident) => {
        fn $name(mut decoder: $lib::Decoder, pieces: &[&[u8]], room: usize, by_units: bool) -> Vec<Event> {
            let (mut events, mut total) = (Vec::new(), 0);
            let (mut text, mut units) = (vec![0; room], vec![0; room]);
            for (i, piece) in pieces.iter().enumerate() {
                let mut rest = *piece;
                loop {
                    let last = i + 1 == pieces.len();
                    let (result, read, written) = if by_units {
                        let (result, read, written) =
                            decoder.decode_to_utf16_without_replacement(rest, &mut units, last);
                        push(&mut events, &String::from_utf16(&units[..written]).expect("it is UTF-16"));
                        (result, read, written)
                    } else {
                        let (result, read, written) =
                            decoder.decode_to_utf8_without_replacement(rest, &mut text, last);
                        push(&mut events, core::str::from_utf8(&text[..written]).expect("it is UTF-8"));
                        (result, read, written)
                    };
                    rest = &rest[read..];
                    total += read;
                    match result {
                        $lib::DecoderResult::InputEmpty => {
                            assert!(rest.is_empty());
                            events.push(Event::Piece(decoder.encoding().name(), total));
                            break;
                        }
                        $lib::DecoderResult::OutputFull => {
                            assert!(read + written > 0 || room < 4, "no progress with room for {room}");
                        }
                        $lib::DecoderResult::Malformed(len, after) => {
                            let at = total - usize::from(len) - usize::from(after);
                            // After half a pair of surrogates, the peer reads another unit or not, as the text was cut.
                            let is_utf16 = decoder.encoding().name().starts_with("UTF-16");
                            events.push(Event::Malformed(at, len, if is_utf16 { 0 } else { after }));
                        }
                    }
                }
            }
            events
        }
    };
}
events!(our_events, encoding_rs);
events!(their_events, peer);

fn decoders(ours: &'static Ours, theirs: &'static peer::Encoding, bom: usize) -> (Decoder, peer::Decoder) {
    match bom {
        0 => (ours.new_decoder(), theirs.new_decoder()),
        1 => (ours.new_decoder_with_bom_removal(), theirs.new_decoder_with_bom_removal()),
        _ => (ours.new_decoder_without_bom_handling(), theirs.new_decoder_without_bom_handling()),
    }
}

/// Returns `bom`, except where the peer names the wrong place: of two ill-formed bytes that may begin a byte order mark it calls the
/// second one the first error.
fn handling(theirs: &'static peer::Encoding, src: &[u8], bom: usize) -> usize {
    let is_odd = theirs == peer::ISO_2022_JP || theirs == peer::REPLACEMENT;
    if is_odd && src.starts_with(b"\xEF\xBB") { 2 } else { bom }
}

/// Cuts a text into pieces, some of which may be empty.
fn cut<'a>(numbers: &mut Numbers, src: &'a [u8]) -> Vec<&'a [u8]> {
    let mut cuts: Vec<usize> = (0..numbers.below(5)).map(|_| numbers.below(src.len() + 1)).collect();
    cuts.extend([0, src.len()]);
    cuts.sort_unstable();
    cuts.windows(2).map(|two| &src[two[0]..two[1]]).collect()
}

/// Texts in pieces, with little room and with much, to UTF-8 and UTF-16, with each handling of byte order marks: the same text,
/// the same errors, the same pairs of lengths.
#[test]
fn pieces_have_the_same_events() {
    let mut numbers = Numbers::new(1);
    for (ours, theirs) in pairs() {
        for round in 0..4000 {
            let src = bytes(&mut numbers, theirs, [3, 12, 60, 400][round % 4]);
            let pieces = cut(&mut numbers, &src);
            let room = [4, 5, 6, 7, 8, 16, 100, 3000][numbers.below(8)];
            let bom = handling(theirs, &src, numbers.below(3));
            let (our, their) = decoders(ours, theirs, bom);
            let by_units = numbers.below(3) == 0;
            let found = our_events(our, &pieces, room, by_units);
            let expected = their_events(their, &pieces, room, by_units);
            assert_eq!(found, expected, "{} {bom} {room} {by_units} {pieces:02X?}", ours.name());
        }
    }
}

/// Each short sequence of bytes near the borders, at every cut.
#[test]
fn every_cut_of_short_texts() {
    const BYTES: [u8; 16] =
        [0x00, 0x1B, b'$', b'(', b'B', 0x30, 0x41, 0x7E, 0x81, 0x8F, 0xA1, 0xBB, 0xD8, 0xEF, 0xFE, 0xFF];
    for (ours, theirs) in pairs() {
        for code in 0..BYTES.len().pow(4) {
            let src: [u8; 4] = core::array::from_fn(|i| {
                BYTES[(0..i).fold(code, |rest, _| rest / BYTES.len()) % BYTES.len()]
            });
            // The single bytes have no cuts of interest.
            if theirs.is_single_byte() && code % 61 != 0 {
                continue;
            }
            let bom = handling(theirs, &src, code % 3);
            let at = code % 5;
            let pieces: [&[u8]; 2] = [&src[..at], &src[at..]];
            let each: [&[u8]; 4] = core::array::from_fn(|i| &src[i..=i]);
            for pieces in [&pieces[..], &each] {
                let (our, their) = decoders(ours, theirs, bom);
                let found = our_events(our, pieces, 16, false);
                let expected = their_events(their, pieces, 16, false);
                assert_eq!(found, expected, "{} {bom} {pieces:02X?}", ours.name());
            }
        }
    }
}

/// With replacements, into a slice, a `str`, a string and units: the text of the peer, and the same answer to whether there were
/// errors.
#[test]
fn replacing_gives_the_same_text() {
    let mut numbers = Numbers::new(2);
    for (ours, theirs) in pairs() {
        for round in 0..2500 {
            let src = bytes(&mut numbers, theirs, [3, 12, 60, 600][round % 4]);
            let (whole, used, had_errors) = theirs.decode(&src);
            let pieces = cut(&mut numbers, &src);
            let room = [4, 5, 7, 30, 2000][numbers.below(5)];
            let kind = numbers.below(4);
            let mut decoder = ours.new_decoder();
            let (mut text, mut all_units, mut any_errors) = (String::new(), Vec::new(), false);
            for (i, piece) in pieces.iter().enumerate() {
                let (mut rest, last) = (*piece, i + 1 == pieces.len());
                loop {
                    let (result, read, had_errors) = match kind {
                        0 => {
                            let mut dst = vec![0; room];
                            let (result, read, written, had) = decoder.decode_to_utf8(rest, &mut dst, last);
                            text.push_str(core::str::from_utf8(&dst[..written]).expect("it is UTF-8"));
                            (result, read, had)
                        }
                        1 => {
                            let mut dst = "é€😀".repeat(room).chars().take(room).collect::<String>();
                            let (result, read, written, had) = decoder.decode_to_str(rest, &mut dst, last);
                            assert!(core::str::from_utf8(dst.as_bytes()).is_ok());
                            text.push_str(&dst[..written]);
                            (result, read, had)
                        }
                        2 => {
                            let mut dst = String::with_capacity(room);
                            let capacity = dst.capacity();
                            let (result, read, had) = decoder.decode_to_string(rest, &mut dst, last);
                            assert_eq!(dst.capacity(), capacity);
                            text.push_str(&dst);
                            (result, read, had)
                        }
                        _ => {
                            let mut dst = vec![0; room];
                            let (result, read, written, had) = decoder.decode_to_utf16(rest, &mut dst, last);
                            all_units.extend_from_slice(&dst[..written]);
                            (result, read, had)
                        }
                    };
                    rest = &rest[read..];
                    any_errors |= had_errors;
                    if result == CoderResult::InputEmpty {
                        break;
                    }
                }
            }
            if kind == 3 {
                text = String::from_utf16(&all_units).expect("it is UTF-16");
            }
            let found = (&*text, decoder.encoding().name(), any_errors);
            assert_eq!(
                found,
                (&*whole, used.name(), had_errors),
                "{} {kind} {room} {pieces:02X?}",
                ours.name()
            );
        }
    }
}

/// A buffer of the length that a decoder asks for is enough, at any place in a text.
#[test]
fn the_longest_lengths_hold() {
    let mut numbers = Numbers::new(3);
    for (ours, theirs) in pairs() {
        for round in 0..1500 {
            let src = bytes(&mut numbers, theirs, [3, 12, 100][round % 3]);
            let at = numbers.below(src.len() + 1);
            for kind in 0..3 {
                let (mut decoder, _) = decoders(ours, theirs, round % 3);
                for (mut piece, last) in [(&src[..at], false), (&src[at..], true)] {
                    if kind == 0 {
                        let mut dst = vec![0; decoder.max_utf8_buffer_length(piece.len()).expect("it fits")];
                        let (result, read, ..) = decoder.decode_to_utf8(piece, &mut dst, last);
                        assert_eq!((result, read), (CoderResult::InputEmpty, piece.len()), "{src:02X?} {at}");
                        continue;
                    }
                    loop {
                        let (result, read, _) = if kind == 1 {
                            let most = decoder.max_utf16_buffer_length(piece.len()).expect("it fits");
                            decoder.decode_to_utf16_without_replacement(piece, &mut vec![0; most], last)
                        } else {
                            let most = decoder.max_utf8_buffer_length_without_replacement(piece.len());
                            let mut dst = vec![0; most.expect("it fits")];
                            decoder.decode_to_utf8_without_replacement(piece, &mut dst, last)
                        };
                        piece = &piece[read..];
                        match result {
                            DecoderResult::InputEmpty => break,
                            DecoderResult::OutputFull => panic!("{} {src:02X?} {at}", ours.name()),
                            DecoderResult::Malformed(..) => {}
                        }
                    }
                }
            }
        }
        let decoder = ours.new_decoder();
        assert_eq!(decoder.max_utf8_buffer_length(usize::MAX / 2), None);
        assert_eq!(decoder.max_utf16_buffer_length(usize::MAX), None);
    }
}

/// UTF-8 and UTF-16 output may alternate within a text, and replacing and stopping too.
#[test]
fn one_decoder_has_all_methods() {
    let mut numbers = Numbers::new(4);
    for (ours, theirs) in pairs() {
        for _ in 0..500 {
            let src = bytes(&mut numbers, theirs, 60);
            let (whole, ..) = theirs.decode(&src);
            let (mut decoder, mut text, mut rest) = (ours.new_decoder(), String::new(), &src[..]);
            loop {
                let most = rest.len().min(numbers.below(9));
                let (piece, last) = (&rest[..most], most == rest.len());
                let (mut bytes, mut units) = ([0; 20], [0; 20]);
                let (is_empty, read) = match numbers.below(3) {
                    0 => {
                        let (result, read, written, _) = decoder.decode_to_utf16(piece, &mut units, last);
                        text.push_str(&String::from_utf16(&units[..written]).expect("it is UTF-16"));
                        (result == CoderResult::InputEmpty, read)
                    }
                    1 => {
                        let (result, read, written, _) = decoder.decode_to_utf8(piece, &mut bytes, last);
                        text.push_str(core::str::from_utf8(&bytes[..written]).expect("it is UTF-8"));
                        (result == CoderResult::InputEmpty, read)
                    }
                    _ => {
                        let (result, read, written) =
                            decoder.decode_to_utf8_without_replacement(piece, &mut bytes, last);
                        text.push_str(core::str::from_utf8(&bytes[..written]).expect("it is UTF-8"));
                        if matches!(result, DecoderResult::Malformed(..)) {
                            text.push('\u{FFFD}');
                        }
                        (result == DecoderResult::InputEmpty, read)
                    }
                };
                rest = &rest[read..];
                if is_empty && last {
                    break;
                }
            }
            assert_eq!(text, whole, "{} {src:02X?}", ours.name());
        }
    }
}

/// The bytes that mean their own value, at any place in a text.
#[test]
fn latin1_compatible_bytes() {
    let mut numbers = Numbers::new(5);
    for (ours, theirs) in pairs() {
        for round in 0..1500 {
            let (before, after) = (bytes(&mut numbers, theirs, 6), bytes(&mut numbers, theirs, 60));
            let (mut our, mut their) = decoders(ours, theirs, round % 3);
            let ascii = after.iter().map(|byte| byte & 0x7F).collect::<Vec<_>>();
            for before in [&b""[..], &before] {
                let mut rest = before;
                while !rest.is_empty() {
                    rest = &rest[our.decode_to_utf8(rest, &mut [0; 500], false).1..];
                }
                let mut rest = before;
                while !rest.is_empty() {
                    rest = &rest[their.decode_to_utf8(rest, &mut [0; 500], false).1..];
                }
                for after in [&after, &ascii] {
                    let found = our.latin1_byte_compatible_up_to(after);
                    let expected = their.latin1_byte_compatible_up_to(after);
                    // With single bytes, the peer does not count the ASCII at the end.
                    let counted = expected
                        .filter(|_| ours.is_single_byte())
                        .map(|len| if after[len..].is_ascii() { after.len() } else { len });
                    let name = ours.name();
                    assert_eq!(found, counted.or(expected), "{name} {round} {before:02X?} {after:02X?}");
                }
            }
        }
    }
}

#[test]
#[should_panic(expected = "after the end")]
fn a_decoder_is_used_once() {
    let mut decoder = encoding_rs::UTF_8.new_decoder();
    assert_eq!(decoder.decode_to_utf8(b"a", &mut [0; 8], true), (CoderResult::InputEmpty, 1, 1, false));
    let _ = decoder.decode_to_utf8(b"a", &mut [0; 8], true);
}
