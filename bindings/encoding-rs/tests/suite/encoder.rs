//! Encoders: what they write, what is unmappable, and how much room they need.

use crate::common::{Numbers, pairs, text};
use encoding_rs::{CoderResult, EncoderResult};
use encoding_rs_peer as peer;

#[derive(Debug, PartialEq, Eq)]
enum Event {
    Bytes(Vec<u8>),
    /// A character that is unmappable, and how much was read.
    Unmappable(char, usize),
    /// The end of a piece, and whether the encoder must still return to ASCII.
    Piece(bool),
}

macro_rules! events {
    ($name:ident, $lib:ident) => {
        fn $name(mut encoder: $lib::Encoder, pieces: &[&str], room: usize, by_units: bool) -> Vec<Event> {
            let (mut events, mut total) = (Vec::new(), 0);
            let mut dst = vec![0; room];
            for (i, piece) in pieces.iter().enumerate() {
                let units: Vec<u16> = piece.encode_utf16().collect();
                let (mut read, last) = (0, i + 1 == pieces.len());
                loop {
                    let (result, more, written) = if by_units {
                        encoder.encode_from_utf16_without_replacement(&units[read..], &mut dst, last)
                    } else {
                        encoder.encode_from_utf8_without_replacement(&piece[read..], &mut dst, last)
                    };
                    read += more;
                    total += more;
                    match events.last_mut() {
                        _ if written == 0 => {}
                        Some(Event::Bytes(before)) => before.extend_from_slice(&dst[..written]),
                        _ => events.push(Event::Bytes(dst[..written].to_vec())),
                    }
                    match result {
                        $lib::EncoderResult::InputEmpty => break,
                        $lib::EncoderResult::OutputFull => {}
                        $lib::EncoderResult::Unmappable(c) => events.push(Event::Unmappable(c, total)),
                    }
                }
                events.push(Event::Piece(encoder.has_pending_state()));
            }
            events
        }
    };
}
events!(our_events, encoding_rs);
events!(their_events, peer);

fn cut<'a>(numbers: &mut Numbers, src: &'a str) -> Vec<&'a str> {
    let boundary = |at: usize| (0..=at).rev().find(|&at| src.is_char_boundary(at)).unwrap_or(0);
    let mut cuts: Vec<usize> =
        (0..numbers.below(4)).map(|_| boundary(numbers.below(src.len() + 1))).collect();
    cuts.extend([0, src.len()]);
    cuts.sort_unstable();
    cuts.windows(2).map(|two| &src[two[0]..two[1]]).collect()
}

/// Texts in pieces from UTF-8 and UTF-16, with little room and with much: the same bytes, and the same unmappable characters.
#[test]
fn pieces_have_the_same_events() {
    let mut numbers = Numbers::new(11);
    for (ours, theirs) in pairs() {
        for round in 0..3000 {
            let src = text(&mut numbers, [3, 12, 100][round % 3]);
            let pieces = cut(&mut numbers, &src);
            let room = [8, 9, 16, 100, 3000][numbers.below(5)];
            let by_units = numbers.below(3) == 0;
            let found = our_events(ours.new_encoder(), &pieces, room, by_units);
            let expected = their_events(theirs.new_encoder(), &pieces, room, by_units);
            assert_eq!(found, expected, "{} {room} {by_units} {pieces:?}", ours.name());
        }
    }
}

/// With references, from UTF-8 and UTF-16, into slices and vectors.
#[test]
fn references_are_the_same() {
    let mut numbers = Numbers::new(12);
    for (ours, theirs) in pairs() {
        for round in 0..2500 {
            let src = text(&mut numbers, [3, 12, 100][round % 3]);
            let (whole, used, had_unmappables) = theirs.encode(&src);
            let (our_whole, our_used, our_had) = ours.encode(&src);
            assert_eq!(
                (&our_whole, our_used.name(), our_had),
                (&whole, used.name(), had_unmappables),
                "{src:?}"
            );
            let pieces = cut(&mut numbers, &src);
            let (room, kind) = ([16, 20, 50, 3000][numbers.below(4)], numbers.below(3));
            let (mut encoder, mut out, mut any) = (ours.new_encoder(), Vec::new(), false);
            assert_eq!(encoder.encoding().name(), used.name());
            for (i, piece) in pieces.iter().enumerate() {
                let units: Vec<u16> = piece.encode_utf16().collect();
                let (mut read, last) = (0, i + 1 == pieces.len());
                loop {
                    let mut dst = vec![0; room];
                    let (result, more, had) = match kind {
                        0 => {
                            let (result, more, written, had) =
                                encoder.encode_from_utf8(&piece[read..], &mut dst, last);
                            out.extend_from_slice(&dst[..written]);
                            (result, more, had)
                        }
                        1 => {
                            let mut dst = Vec::with_capacity(room);
                            let capacity = dst.capacity();
                            let answer = encoder.encode_from_utf8_to_vec(&piece[read..], &mut dst, last);
                            assert_eq!(dst.capacity(), capacity);
                            out.extend_from_slice(&dst);
                            answer
                        }
                        _ => {
                            let (result, more, written, had) =
                                encoder.encode_from_utf16(&units[read..], &mut dst, last);
                            out.extend_from_slice(&dst[..written]);
                            (result, more, had)
                        }
                    };
                    read += more;
                    any |= had;
                    if result == CoderResult::InputEmpty {
                        break;
                    }
                }
            }
            assert_eq!(
                (&out[..], any),
                (&whole[..], had_unmappables),
                "{} {kind} {room} {pieces:?}",
                ours.name()
            );
        }
    }
}

/// Half a pair of surrogates is U+FFFD, also at the end of a piece.
#[test]
fn lone_surrogates() {
    let mut numbers = Numbers::new(13);
    let units = [0x41, 0xE9, 0x65E5, 0xD83D, 0xDE00, 0xDC00, 0xD800];
    for (ours, theirs) in pairs() {
        for _ in 0..1000 {
            let src: Vec<u16> = (0..numbers.below(9)).map(|_| units[numbers.below(7)]).collect();
            let (mut our, mut their) = (ours.new_encoder(), theirs.new_encoder());
            let (mut found, mut expected) = ([0; 200], [0; 200]);
            let (result, read, written, had) = our.encode_from_utf16(&src, &mut found, false);
            let (_, their_read, their_written, their_had) =
                their.encode_from_utf16(&src, &mut expected, false);
            assert_eq!((result, read, had), (CoderResult::InputEmpty, their_read, their_had));
            assert_eq!(found[..written], expected[..their_written], "{} {src:X?}", ours.name());
        }
    }
}

/// A buffer of the length that an encoder asks for is enough for what is mappable.
#[test]
fn the_longest_lengths_hold() {
    let mut numbers = Numbers::new(14);
    for (ours, _) in pairs() {
        for _ in 0..1500 {
            let all = text(&mut numbers, 12);
            let src: String = all
                .chars()
                .filter(|c| !ours.encode(c.encode_utf8(&mut [0; 4])).2 || c.is_ascii_control())
                .collect();
            let src: String = src.chars().filter(|c| !matches!(c, '\x0E' | '\x0F' | '\x1B')).collect();
            let units: Vec<u16> = src.encode_utf16().collect();
            let mut encoder = ours.new_encoder();
            let most = encoder.max_buffer_length_from_utf8_without_replacement(src.len()).expect("it fits");
            let (result, read, _) =
                encoder.encode_from_utf8_without_replacement(&src, &mut vec![0; most], true);
            assert_eq!((result, read), (EncoderResult::InputEmpty, src.len()), "{} {src:?}", ours.name());
            let mut encoder = ours.new_encoder();
            let most = encoder.max_buffer_length_from_utf16_if_no_unmappables(units.len()).expect("it fits");
            let (result, read, ..) = encoder.encode_from_utf16(&units, &mut vec![0; most], true);
            assert_eq!((result, read), (CoderResult::InputEmpty, units.len()), "{} {src:?}", ours.name());
        }
    }
}
