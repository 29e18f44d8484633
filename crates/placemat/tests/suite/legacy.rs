//! The multi-byte encodings of the web against `encoding_rs`, which implements the WHATWG Encoding Standard to the
//! letter: every string of one and two bytes, strings of three where they can differ, every scalar value, texts with
//! damage.

use crate::data::{Tally, hex, suite};
use crate::subject::in_parallel;
use crate::tables::{Numbers, long, read, round_trip, scalar_values, streaming, write};
use crate::testdata::check;
use encoding_rs::{EncoderResult, Encoding as Peer};
use placemat::stream::Transcoder;
use placemat::{Encoding, ErrorPolicy, UnmappablePolicy};

const ALL: [(Encoding, &Peer); 8] = [
    (Encoding::GBK, encoding_rs::GBK),
    (Encoding::GB18030, encoding_rs::GB18030),
    (Encoding::BIG5, encoding_rs::BIG5),
    (Encoding::EUC_JP, encoding_rs::EUC_JP),
    (Encoding::SHIFT_JIS, encoding_rs::SHIFT_JIS),
    (Encoding::EUC_KR, encoding_rs::EUC_KR),
    (Encoding::REPLACEMENT, encoding_rs::REPLACEMENT),
    (Encoding::ISO_2022_JP, encoding_rs::ISO_2022_JP),
];

const ESCAPES: [&[u8]; 10] = [
    b"\x1B(B",
    b"\x1B(J",
    b"\x1B(I",
    b"\x1B$B",
    b"\x1B$@",
    b"\x1B",
    b"\x1B$",
    b"\x81\x30",
    b"\x81\x30\x81",
    b"\x8F",
];

fn same(encoding: Encoding, peer: &'static Peer, src: &[u8]) {
    let expected = peer.decode_without_bom_handling(src).0;
    let found = read(encoding, src);
    assert!(found == expected, "{encoding}: {}\nfound    {found:?}\nexpected {expected:?}", hex(src));
}

#[test]
fn every_label_of_the_web() {
    for (encoding, peer) in ALL {
        for label in encoding.names().web_labels {
            assert_eq!(Peer::for_label(label.as_bytes()), Some(peer), "{label}");
            assert_eq!(placemat::web::for_label(label), Some(encoding), "{label}");
        }
    }
    let known: usize = ALL.iter().map(|(encoding, _)| encoding.names().web_labels.len()).sum();
    assert_eq!(known, 44);
}

#[test]
fn every_short_string() {
    in_parallel(ALL.len(), |i| {
        let (encoding, peer) = ALL[i];
        same(encoding, peer, b"");
        for a in 0..=0xFF {
            same(encoding, peer, &[a]);
            for b in 0..=0xFF {
                same(encoding, peer, &[a, b]);
                if !long() {
                    // Third bytes with several meanings.
                    for c in [0x00, 0x1B, 0x30, 0x41, 0x81, 0xA1, 0xFF] {
                        same(encoding, peer, &[a, b, c]);
                    }
                    continue;
                }
                for c in 0..=0xFF {
                    same(encoding, peer, &[a, b, c]);
                }
            }
        }
    });
}

/// The four-byte codes of gb18030, and two bytes in each set of ISO-2022-JP.
#[test]
fn longer_strings() {
    let (gb18030, peer) = ALL[1];
    for a in 0x80..=0xFF {
        for b in 0x30..=0x3A {
            let c = (0x80..=0xFF).flat_map(|c| (0x2F..=0x3A).map(move |d| [a, b, c, d]));
            same(gb18030, peer, &c.flatten().collect::<Vec<_>>());
        }
    }
    let (iso_2022_jp, peer) = ALL[7];
    for escape in &ESCAPES[..5] {
        for a in 0..=0xFF {
            for b in 0..=0xFF {
                same(iso_2022_jp, peer, &[escape, &[a, b][..]].concat());
                same(iso_2022_jp, peer, &[escape, &[a, b, b'!'][..]].concat());
            }
        }
        for another in ESCAPES {
            same(iso_2022_jp, peer, &[*escape, another].concat());
            same(iso_2022_jp, peer, &[*escape, another, another, b"!!"].concat());
        }
    }
}

/// Long texts with errors near each other and far apart, so that kernels and steps alternate
/// everywhere.
#[test]
fn damaged_texts() {
    in_parallel(ALL.len(), |i| {
        let (encoding, peer) = ALL[i];
        let mut numbers = Numbers::new(i as u64);
        let text: String =
            scalar_values().skip(0x20).filter(|&c| c < '\u{3000}' || (c as u32).is_multiple_of(7)).collect();
        for _ in 0..20 {
            let from = numbers.below(20_000);
            let text: String = text.chars().skip(from).take(6000).collect();
            let mut src = peer.new_encoder();
            let mut bytes = vec![0; 10 * text.len() + 100];
            let (_, _, len, _) = src.encode_from_utf8(&text, &mut bytes, true);
            bytes.truncate(len);
            let mut at = 0;
            while at < bytes.len() {
                match numbers.below(3) {
                    0 => bytes[at] = numbers.below(256) as u8,
                    1 => drop(bytes.remove(at)),
                    _ => drop(bytes.splice(at..at, ESCAPES[numbers.below(ESCAPES.len())].iter().copied())),
                }
                let far = [3, 30, 3000][numbers.below(3)];
                at += numbers.below(far);
            }
            same(encoding, peer, &bytes);
        }
    });
}

/// Each scalar value, alone and among others, is written or refused as by the peer.
#[test]
fn every_scalar_value() {
    let known = [24_085, 1_112_063, 14_781, 7_520, 7_521, 17_176, 0];
    in_parallel(known.len(), |i| {
        let (encoding, peer) = ALL[i];
        if encoding == Encoding::REPLACEMENT {
            assert!(scalar_values().all(|c| write(encoding, c.encode_utf8(&mut [0; 4])).is_none()));
            return;
        }
        let mut held = 0;
        for c in scalar_values() {
            let (mut text, mut bytes) = ([0; 4], [0; 16]);
            let text = c.encode_utf8(&mut text);
            let (result, _, len) =
                peer.new_encoder().encode_from_utf8_without_replacement(text, &mut bytes, true);
            let expected = (result == EncoderResult::InputEmpty).then(|| bytes[..len].to_vec());
            held += usize::from(expected.is_some());
            assert_eq!(write(encoding, text), expected, "{encoding}: U+{:04X}", u32::from(c));
        }
        assert_eq!(held, known[i], "{encoding} holds them");
    });
}

#[test]
fn whole_texts_with_references() {
    let text: String =
        scalar_values().filter(|&c| c < '\u{3200}' || (c as u32).is_multiple_of(5)).take(60_000).collect();
    for (encoding, peer) in ALL {
        if encoding == Encoding::REPLACEMENT {
            continue;
        }
        let (d, u) = (ErrorPolicy::Stop, UnmappablePolicy::XmlReference);
        let found = Transcoder::new(Encoding::UTF_8, encoding)
            .on_error(d)
            .on_unmappable(u)
            .transcode(text.as_bytes());
        let found = found.expect("no policy stops");
        if encoding == Encoding::ISO_2022_JP {
            // The peer writes U+FFFD for the controls that switch sets.
            let text: String = text.chars().filter(|c| !matches!(c, '\x0E' | '\x0F' | '\x1B')).collect();
            let found = Transcoder::new(Encoding::UTF_8, encoding)
                .on_error(d)
                .on_unmappable(u)
                .transcode(text.as_bytes());
            let expected = peer.encode(&text).0;
            assert!(found.as_deref() == Ok(&*expected), "{encoding}");
        } else {
            assert!(found == *peer.encode(&text).0, "{encoding}");
        }
    }
}

/// Every code point survives the round trip, except those that the standard writes as one that
/// looks the same.
#[test]
fn what_is_written_reads_the_same() {
    in_parallel(ALL.len(), |i| {
        let (encoding, _) = ALL[i];
        let (_, others) = round_trip(encoding);
        let others: Vec<_> = others.iter().map(|(c, back)| (*c, back.as_str())).collect();
        let is_one_of = |encodings: [Encoding; 2]| encodings.contains(&encoding);
        let (expected, known): (&[(char, &str)], usize) = if is_one_of([Encoding::GBK, Encoding::GB18030]) {
            // Private-use code points that became characters in the edition of 2022.
            (&[('\u{E78D}', "\u{FE10}")], 18)
        } else if is_one_of([Encoding::EUC_JP, Encoding::SHIFT_JIS]) {
            (&[('\u{A5}', "\\"), ('\u{203E}', "~"), ('\u{2212}', "\u{FF0D}")], 3)
        } else if encoding == Encoding::ISO_2022_JP {
            (&[('\u{2212}', "\u{FF0D}"), ('\u{FF61}', "\u{3002}")], 64)
        } else {
            (&[], 0)
        };
        assert_eq!(others.len(), known, "{encoding} {others:x?}");
        assert!(expected.iter().all(|pair| others.contains(pair)), "{encoding}: {others:x?}");
    });
}

/// The cases on which other programs agree, except those for encodings of another feature.
#[test]
fn what_several_programs_say() {
    let cases = suite(("gen-mb", 371));
    let of_the_web = |name: &str| {
        let found = Encoding::for_label(name);
        found == Some(Encoding::UTF_8) || ALL.iter().any(|(encoding, _)| found == Some(*encoding))
    };
    let ours: Vec<_> =
        cases.iter().filter(|case| ["from", "to"].iter().all(|key| of_the_web(case.text(key)))).collect();
    Tally::of(ours.iter().copied(), check).report("gen-mb", 297);
}

#[test]
fn the_law_of_streaming() {
    in_parallel(ALL.len(), |i| streaming(ALL[i].0, &ESCAPES, if long() { 2000 } else { 60 }));
}

/// WHATWG Encoding Standard, section 12.2.2: the encoder of ISO-2022-JP returns an error with U+FFFD for SO, SI and ESC.
#[test]
fn controls_that_would_switch_sets_become_references_to_the_replacement_character() {
    let encode = |text| Encoding::ISO_2022_JP.encode(text, UnmappablePolicy::XmlReference);
    let expected = b"a&#65533;b&#65533;&#65533; \x1B$BF|\x1B(B &#233;";
    assert_eq!(encode("a\u{E}b\u{F}\u{1B} 日 é").as_deref(), Ok(&expected[..]));
    let refused = Encoding::ISO_2022_JP.encode("a\u{1B}", UnmappablePolicy::Stop).map_err(|e| e.code());
    assert_eq!(refused, Err("switch"));
}

/// Pages of graphics and of terminals lack these controls too, and lose nothing.
#[test]
fn every_other_target_names_the_controls_that_it_lacks() {
    let mut lacking = 0;
    for &encoding in Encoding::ALL.iter().filter(|&&encoding| encoding != Encoding::ISO_2022_JP) {
        for c in ['\u{E}', '\u{F}', '\u{1B}'] {
            let encode =
                |text: &str, policy| encoding.encode(text, policy).map(Vec::from).map_err(|e| e.code());
            let text = String::from(c);
            if encode(&text, UnmappablePolicy::Stop).is_err() {
                lacking += 1;
                let reference = encode(&format!("&#{};", u32::from(c)), UnmappablePolicy::Stop);
                assert_eq!(encode(&text, UnmappablePolicy::XmlReference), reference, "{encoding}: {c:?}");
            }
        }
    }
    assert!(lacking > 50, "{lacking}");
}
