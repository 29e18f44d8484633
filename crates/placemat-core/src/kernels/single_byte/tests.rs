use super::*;
use crate::kernels::Moved;
use crate::kernels::dispatch::{Isa, Kernels};
use crate::kernels::portable::samples::Numbers;

/// Encodings of every kind: with and without ASCII, with sequences of one to three bytes, with
/// holes, with alphabets that ascend and that do not, and one whose byte 0 is not U+0000.
fn encodings() -> Vec<[u16; 256]> {
    let upper = |first: u16, step: u16| {
        core::array::from_fn(|byte| if byte < 128 { byte as u16 } else { first + (byte as u16 - 128) * step })
    };
    let mut thai: [u16; 256] = upper(0xE00, 1);
    thai[0x80] = 0x20AC;
    thai[0x81..0x85].fill(UNDEFINED);
    thai[0xFC..].fill(UNDEFINED);
    let mut western: [u16; 256] = upper(0x80, 1);
    western[0x80..0x84].copy_from_slice(&[0x20AC, UNDEFINED, 0x201A, 0x192]);
    let ebcdic = core::array::from_fn(|byte| (byte as u16).wrapping_mul(167) & 0xFF);
    let strange = core::array::from_fn(|byte| (byte as u16).wrapping_mul(167) & 0xFF ^ 0x5A);
    let mut alphabet = upper(0x2500, 3);
    for (c, byte) in alphabet[0xC0..].iter_mut().zip(0xC0..) {
        *c = 0x410 + (byte ^ 0xD5) % 0x40;
    }
    let mut greek = upper(0x600, 3);
    for (c, letter) in greek[0xD3..0xFF].iter_mut().zip(0x3A3..) {
        *c = letter;
    }
    greek[0xFF] = UNDEFINED;
    vec![
        alphabet,
        greek,
        upper(0x3F0, 1),
        upper(0x400, 1),
        upper(0x80, 1),
        thai,
        western,
        ebcdic,
        upper(0x100, 0x19F),
        strange,
    ]
}

fn decoded(code_points: &[u16; 256], src: &[u8], room: usize) -> (usize, String) {
    let (mut read, mut text) = (0, String::new());
    for &byte in src {
        let c = code_points[usize::from(byte)];
        let Some(c) = char::from_u32(c.into()).filter(|_| c != UNDEFINED) else { break };
        if text.len() + c.len_utf8() > room {
            break;
        }
        text.push(c);
        read += 1;
    }
    (read, text)
}

fn encoded(code_points: &[u16; 256], src: &[u8], room: usize) -> (usize, Vec<u8>) {
    let good = match core::str::from_utf8(src) {
        Ok(text) => text,
        Err(e) => core::str::from_utf8(&src[..e.valid_up_to()]).expect("it is valid up to there"),
    };
    let (mut read, mut bytes) = (0, Vec::new());
    for c in good.chars().take(room) {
        let same = |&of: &u16| u32::from(of) == u32::from(c) && of != UNDEFINED;
        let Some(byte) = code_points.iter().position(same) else { break };
        bytes.push(byte as u8);
        read += c.len_utf8();
    }
    (read, bytes)
}

#[test]
fn both_directions_agree_with_the_table_on_every_level() {
    let mut numbers = Numbers::new(77);
    for code_points in encodings() {
        let decoder = SingleByteDecoder::new(&code_points);
        let encoder: Box<SingleByteEncoder> =
            Box::new(SingleByteEncoder::<[[u8; 64]; 140]>::new(&code_points));
        assert!(SingleByteEncoder::rows(&code_points) <= 140);
        for round in 0..1500 {
            let len = numbers.below(if round % 4 == 0 { 700 } else { 150 });
            let style = numbers.below(6);
            let mut src: Vec<u8> = (0..len)
                .map(|_| {
                    let byte = numbers.below(256) as u8;
                    match style {
                        0 => byte,
                        1 => byte | 0x80,
                        2 => byte & 0x7F,
                        3 if numbers.below(20) != 0 => byte & 0x7F,
                        // Letters, without 80 to 9F.
                        4 => {
                            if byte.is_multiple_of(4) {
                                byte | 0xA0
                            } else {
                                byte & 0x7F
                            }
                        }
                        _ => byte,
                    }
                })
                .collect();
            // Otherwise most texts would end at once.
            let defined = (65..=255u8).find(|&b| code_points[usize::from(b)] != UNDEFINED);
            let defined = defined.expect("an encoding has letters");
            if round % 3 != 0 {
                let hole = |b: &&mut u8| code_points[usize::from(**b)] == UNDEFINED;
                src.iter_mut().filter(hole).for_each(|b| *b = defined);
            }
            let room = if round % 5 == 0 { numbers.below(3 * len + 1) } else { 3 * len };
            let (read, text) = decoded(&code_points, &src, room);
            for kernels in Isa::available().filter_map(Kernels::of) {
                let mut dst = vec![0xA5; room + 1];
                let moved = kernels.single_byte_to_utf8(&decoder, &src, &mut dst[..room]);
                let isa = kernels.isa();
                assert_eq!(moved, Moved { read, written: text.len() }, "{isa} {src:02x?}");
                assert_eq!(&dst[..text.len()], text.as_bytes(), "{isa} {src:02x?}");
                assert_eq!(dst[room], 0xA5);
            }

            let mut utf8 = text.into_bytes();
            if round % 3 == 1 && !utf8.is_empty() {
                let at = numbers.below(utf8.len());
                utf8[at] = numbers.below(256) as u8;
            }
            if round % 7 == 1 {
                utf8.extend_from_slice("日本語 and what no table has: 𝄞".as_bytes());
            }
            let room = if round % 5 == 1 { numbers.below(utf8.len() + 1) } else { utf8.len() };
            let (read, bytes) = encoded(&code_points, &utf8, room);
            for kernels in Isa::available().filter_map(Kernels::of) {
                let mut dst = vec![0xA5; room + 1];
                let moved = kernels.utf8_to_single_byte(&encoder, &utf8, &mut dst[..room]);
                let isa = kernels.isa();
                assert_eq!(moved, Moved { read, written: bytes.len() }, "{isa} {utf8:02x?}");
                assert_eq!(&dst[..bytes.len()], &bytes[..], "{isa} {utf8:02x?}");
                assert_eq!(dst[room], 0xA5);
            }
        }
    }
}

/// Every three-byte sequence of a few kinds, at every position of a block and across its end, among
/// sequences of one, two and three bytes, and at the end of a text.
#[test]
fn no_ill_formed_sequence_passes_for_one_that_the_table_has() {
    let mut western: [u16; 256] = core::array::from_fn(|byte| byte as u16);
    western[0x80..0x88].copy_from_slice(&[0x20AC, UNDEFINED, 0x201A, 0x192, 0x201E, 0x2026, 0x2122, 0x2019]);
    let encoder: Box<SingleByteEncoder> = Box::new(SingleByteEncoder::<[[u8; 64]; 16]>::new(&western));
    assert!(SingleByteEncoder::rows(&western) <= 16);
    let kinds = [0x00, 0x41, 0x80, 0x99, 0xA9, 0xBF, 0xC0, 0xC3, 0xC6, 0xE0, 0xE2, 0xED, 0xF0, 0xFF];
    let three = |i: usize| [kinds[i / 196], kinds[i / 14 % 14], kinds[i % 14]];
    for sequence in (0..14 * 14 * 14).map(three) {
        for padding in ["a", "\u{E9}", "\u{2019}"] {
            for at in (0..4_usize).chain(57..68) {
                let mut src = padding.repeat(at.div_ceil(padding.len())).into_bytes();
                src.extend_from_slice(&sequence);
                let end = src.len();
                src.extend_from_slice(
                    "l\u{2019}\u{E9}t\u{E9} \u{201A}5 \u{20AC}\u{2026} ".repeat(5).as_bytes(),
                );
                for src in [&src[..], &src[..end]] {
                    let (read, bytes) = encoded(&western, src, src.len());
                    for kernels in Isa::available().filter_map(Kernels::of) {
                        let mut dst = vec![0xA5; src.len().max(64)];
                        let moved = kernels.utf8_to_single_byte(&encoder, src, &mut dst);
                        let isa = kernels.isa();
                        assert_eq!(moved, Moved { read, written: bytes.len() }, "{isa} {src:02x?}");
                        assert_eq!(&dst[..bytes.len()], &bytes[..], "{isa} {src:02x?}");
                    }
                }
            }
        }
    }
}
