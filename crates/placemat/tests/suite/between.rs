//! Conversion between two encodings with tables, or UTF-16: texts of every length around the
//! thresholds between the library's strategies, with errors and unmappable code points, against its
//! conversions to and from UTF-8, which other tests compare with the oracle.

use crate::subject::in_parallel;
use crate::tables::Numbers;
use placemat::stream::{Status, Transcoder};
use placemat::{ConvertError, Encoding, ErrorPolicy, UnmappablePolicy};

const ALL: [Encoding; 18] = [
    Encoding::US_ASCII,
    Encoding::ISO_8859_1,
    Encoding::WINDOWS_1251,
    Encoding::WINDOWS_1252,
    Encoding::KOI8_R,
    Encoding::IBM037,
    Encoding::GBK,
    Encoding::GB18030,
    Encoding::BIG5,
    Encoding::EUC_JP,
    Encoding::SHIFT_JIS,
    Encoding::EUC_KR,
    Encoding::UTF_16LE,
    Encoding::UTF_16BE,
    Encoding::UCS_2LE,
    Encoding::UCS_2BE,
    Encoding::SHIFT_JIS_STRICT,
    Encoding::EUC_JP_STRICT,
];

const TEXT: &str = "plain text, and more; éàü ß « » “’– …€ Привет, мир Ω α 日本語のテキスト、漢字。ｱｲｳ 中文简体 繁體 한국어 말 😀 𠀋 \u{7F}\0\n";

/// A character and its bytes.
type Coded = (char, Vec<u8>);

fn characters(encoding: Encoding) -> Vec<Coded> {
    let code =
        |c: char| encoding.encode(c.encode_utf8(&mut [0; 4]), UnmappablePolicy::Stop).map(|b| b.into_owned());
    TEXT.chars().filter_map(|c| Some((c, code(c).ok()?))).collect()
}

/// Returns the result of a conversion in pieces, into small buffers.
fn in_pieces(
    t: impl Fn() -> Transcoder,
    src: &[u8],
    cut: usize,
    room: usize,
) -> Result<Vec<u8>, ConvertError> {
    let (mut t, mut out, mut read) = (t(), Vec::new(), 0);
    loop {
        let end = if read < cut { cut } else { src.len() };
        let mut dst = vec![0; room.max(t.min_output())];
        let p = t.convert(&src[read..end], &mut dst, end == src.len());
        out.extend_from_slice(&dst[..p.written]);
        read += p.read;
        match p.status {
            Status::Done => return Ok(out),
            Status::NeedInput | Status::NeedOutput => {}
            Status::IllFormed(e) => return Err(e.into()),
            Status::Unmappable(e) => return Err(e.into()),
        }
    }
}

#[test]
fn well_formed_texts_and_the_place_of_what_the_target_lacks() {
    in_parallel(ALL.len(), |i| {
        let from = ALL[i];
        let all = characters(from);
        for to in ALL {
            let held: Vec<&Coded> =
                all.iter().filter(|(c, _)| characters(to).iter().any(|(d, _)| c == d)).collect();
            let lacking: Vec<&Coded> =
                all.iter().filter(|(c, _)| characters(to).iter().all(|(d, _)| c != d)).collect();
            let mut numbers = Numbers::new(7);
            for len in (0..80).chain(120..136).chain([191, 192, 200, 511, 512, 513, 700, 1023, 1025, 4000]) {
                let mut text: Vec<&Coded> = Vec::new();
                (0..len).for_each(|_| text.push(held[numbers.below(held.len())]));
                let mut first_lacking = None;
                if len % 3 == 1 && !lacking.is_empty() {
                    let at = numbers.below(len);
                    text[at] = lacking[numbers.below(lacking.len())];
                    first_lacking = Some(at);
                }
                let bytes =
                    |text: &[&Coded]| text.iter().flat_map(|(_, code)| code.clone()).collect::<Vec<u8>>();
                let src = bytes(&text);
                let t = || Transcoder::new(from, to);
                let mut results = vec![t().transcode(&src)];
                results.push(in_pieces(t, &src, numbers.below(src.len() + 1), 16));
                results.push(in_pieces(t, &src, numbers.below(src.len() + 1), 300));
                for found in results {
                    match first_lacking {
                        None => {
                            let text: String = text.iter().map(|&(c, _)| *c).collect();
                            let expected = to.encode(&text, UnmappablePolicy::Stop).map(|b| b.into_owned());
                            assert_eq!(found.ok(), expected.ok(), "{from} {to} {text:?}");
                        }
                        Some(at) => {
                            let Err(ConvertError::Unmappable(e)) = found else {
                                panic!("{from} {to} {src:02X?}")
                            };
                            assert_eq!(e.offset(), bytes(&text[..at]).len() as u64, "{from} {to} {src:02X?}");
                            assert_eq!(e.code_point().value(), u32::from(text[at].0));
                        }
                    }
                }
            }
        }
    });
}

#[test]
fn damaged_texts_are_those_that_two_conversions_make() {
    in_parallel(ALL.len(), |i| {
        let from = ALL[i];
        let all = characters(from);
        for to in ALL {
            let mut numbers = Numbers::new(11);
            for round in 0..200 {
                let len = [5, 40, 150, 600][round % 4];
                let mut src = Vec::new();
                (0..numbers.below(len)).for_each(|_| src.extend_from_slice(&all[numbers.below(all.len())].1));
                for _ in 0..numbers.below(4) {
                    let at = numbers.below(src.len() + 1);
                    src.insert(at, numbers.below(256) as u8);
                }
                // UCS-2 has surrogates: a string has U+FFFD for them, and another encoding its
                // policy's substitute.
                if from.name().starts_with("UCS-2") && src.iter().any(|byte| (0xD8..=0xDF).contains(byte)) {
                    continue;
                }
                let text = from.decode(&src, ErrorPolicy::Replace).unwrap_or_else(|e| panic!("{from}: {e}"));
                let expected = to.encode(&text, UnmappablePolicy::XmlReference).map(|b| b.into_owned()).ok();
                let t = Transcoder::new(from, to).on_error(ErrorPolicy::Replace);
                let found = t.clone().on_unmappable(UnmappablePolicy::XmlReference).transcode(&src).ok();
                assert_eq!(found, expected, "{from} {to} {src:02X?}");
                let counted = t.on_unmappable(UnmappablePolicy::XmlReference).counting().transcode(&src).ok();
                assert_eq!(counted, expected, "{from} {to} {src:02X?}");
                // The first error of either kind: the tallies agree with and without the fast
                // paths.
                let first = from.decode(&src, ErrorPolicy::Stop).err();
                if let (Some(ConvertError::IllFormed(e)), Err(ConvertError::IllFormed(found))) =
                    (first, Transcoder::new(from, to).transcode(&src))
                {
                    assert_eq!(e, found, "{from} {to} {src:02X?}");
                }
            }
        }
    });
}

#[test]
fn ascii_between_all_encodings() {
    const BY_ITSELF: &str = "Plain text of a page, ~100% of it \\ \x7F\0\x0E\x1B\n";
    in_parallel(Encoding::ALL.len(), |i| {
        let from = Encoding::ALL[i];
        let hold = |c: &char| from.encode(c.encode_utf8(&mut [0; 4]), UnmappablePolicy::Stop).is_ok();
        let text: String = BY_ITSELF.chars().filter(hold).collect();
        let Ok(src) = from.encode(&text, UnmappablePolicy::Stop) else { return };
        for &to in Encoding::ALL {
            let t = || Transcoder::new(from, to);
            // In two pieces, the engines convert it.
            let cut = src.len() / 2;
            let (whole, pieces) = (t().transcode(&src), in_pieces(t, &src, cut, 300));
            assert_eq!(whole, pieces, "{from} {to} {text:?}");
            if let Ok(whole) = whole {
                assert_eq!(to.decode(&whole, ErrorPolicy::Stop).as_deref(), Ok(&*text), "{from} {to}");
            }
            let dropping = || t().on_unmappable(UnmappablePolicy::Skip);
            assert_eq!(
                dropping().transcode(&src),
                in_pieces(dropping, &src, cut, 300),
                "{from} {to} {text:?}"
            );
        }
    });
}
