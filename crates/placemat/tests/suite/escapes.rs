//! Escaped bytes (PEP 383). An encoder turns the escapes that a decoder made back into the same bytes. It refuses other
//! escapes if their bytes would be read as something else.

use crate::subject::{in_parallel, in_turn};
use placemat::stream::Transcoder;
use placemat::{CodePoint, ConvertError, Encoding, ErrorPolicy, Unmappable, UnmappablePolicy};

/// Returns the encodings that take escaped bytes and do not represent the escapes as ordinary code
/// points.
fn encodings() -> Vec<Encoding> {
    let escape = CodePoint::from_u16(0xDC80);
    let takes = |e: &Encoding| e.takes_escapes() && e.repertoire().check(escape).is_err();
    Encoding::ALL.iter().copied().filter(takes).collect()
}

fn decode(bytes: &[u8], from: Encoding) -> Option<Vec<u32>> {
    let (d, u) = (ErrorPolicy::SurrogateEscape, UnmappablePolicy::Stop);
    let text = Transcoder::new(from, Encoding::UCS_4LE).on_error(d).on_unmappable(u).transcode(bytes).ok()?;
    Some(text.as_chunks().0.iter().map(|c| u32::from_le_bytes(*c)).collect())
}

fn encode(text: &[u32], to: Encoding, u: UnmappablePolicy<'_>) -> Result<Vec<u8>, Unmappable> {
    let bytes: Vec<u8> = text.iter().flat_map(|c| c.to_le_bytes()).collect();
    match Transcoder::new(Encoding::UCS_4LE, to).on_unmappable(u).transcode(&bytes) {
        Ok(bytes) => Ok(bytes),
        Err(ConvertError::Unmappable(e)) => Err(e),
        Err(e) => panic!("{to}: {e}"),
    }
}

fn is_escape(c: u32) -> bool {
    (0xDC80..=0xDCFF).contains(&c)
}

/// Asserts that bytes survive the conversion to code points and back, except codes that the
/// encoding does not write because it reads several of them as one character.
#[track_caller]
fn there_and_back(bytes: &[u8], encoding: Encoding) {
    // PEP 383 escapes no byte below 80, so it stops at some errors.
    let Some(text) = decode(bytes, encoding) else { return };
    match encode(&text, encoding, UnmappablePolicy::SurrogateEscape) {
        Ok(again) if text.iter().all(|&c| c < 0x80 || is_escape(c)) => {
            assert_eq!(again, bytes, "{encoding}: {text:x?}");
        }
        Ok(again) => assert_eq!(decode(&again, encoding), Some(text), "{encoding}: {bytes:02x?}"),
        // The code is only read, like JIS X 0212 in EUC-JP; or it is written as another sequence,
        // which would be read together with a byte before it.
        Err(e) => {
            let c = e.code_point().value();
            let usual = encode(&[c], encoding, UnmappablePolicy::Stop).unwrap_or_default();
            // Whether the code point was read from the bytes that are written for it.
            let index = usize::try_from(e.offset()).unwrap() / 4;
            let here = !usual.is_empty()
                && (0..bytes.len()).any(|at| {
                    bytes[at..].starts_with(&usual)
                        && decode(&bytes[..at], encoding).is_some_and(|before| before == text[..index])
                });
            // Whether the usual sequence would be read together with what is written before it.
            let joins = || {
                let before = encode(&text[..index], encoding, UnmappablePolicy::SurrogateEscape);
                let joined = [before.expect("the error is the first"), usual.clone()].concat();
                decode(&joined, encoding).as_deref() != Some(&text[..=index])
            };
            let excused = if e.code() == "forged-sequence" { !here } else { usual.is_empty() || joins() };
            assert!(!is_escape(c) && excused, "{encoding}: {bytes:02x?} is {text:x?}: {e}");
        }
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
    fn byte(&mut self) -> u8 {
        // Bytes that often begin long sequences, and bytes that often end them.
        const TELLING: &[u8] =
            b"\x80\x81\x84\x8E\x8F\x90\xA1\xA4\xC2\xE0\xE2\xED\xF0\xF4\xFC\xFE\xFF0@A~\\\x88b";
        if self.below(2) == 0 { TELLING[self.below(TELLING.len())] } else { self.below(256) as u8 }
    }
    fn bytes(&mut self, longest: usize) -> Vec<u8> {
        (0..=self.below(longest)).map(|_| self.byte()).collect()
    }
}

fn rounds(few: usize) -> usize {
    if std::env::var_os("PLACEMAT_LONG").is_some() { 100 * few } else { few }
}

#[test]
fn every_byte_and_every_two_bytes_come_back() {
    let encodings = encodings();
    assert!(encodings.len() >= 125, "{}", encodings.len());
    for name in ["GBK", "GB18030", "Big5", "EUC-JP", "Shift_JIS", "EUC-KR", "Johab", "EUC-TW", "Big5-HKSCS"] {
        assert!(encodings.iter().any(|e| e.name() == name), "{name}");
    }
    in_parallel(encodings.len(), |i| {
        let encoding = encodings[i];
        let start = if encoding == Encoding::UTF_8_BOM { encoding.signature() } else { &[] };
        let check = |bytes: &[u8]| there_and_back(&[start, bytes].concat(), encoding);
        for first in 0..=u8::MAX {
            check(&[first]);
            if encoding.max_bytes() > 1 {
                let due = |second: &u8| in_turn(i + usize::from(first) + usize::from(*second), 3);
                (0..=u8::MAX).filter(due).for_each(|second| check(&[first, second]));
            }
        }
        let mut random = Random(i as u64);
        for _ in 0..rounds(if encoding.max_bytes() > 1 { 10_000 } else { 300 }) {
            let longest = if random.below(4) == 0 { 80 } else { 8 };
            check(&random.bytes(longest));
        }
    });
}

/// Escapes, ASCII and text in any order: accepted output reads back as the same text, and refused output would not.
#[test]
fn what_is_forged_is_refused_and_nothing_else() {
    let encodings = encodings();
    in_parallel(encodings.len(), |i| {
        let encoding = encodings[i];
        let mut random = Random(1000 + i as u64);
        let mut refused = 0;
        for _ in 0..rounds(if encoding.max_bytes() > 1 { 6000 } else { 300 }) {
            let mut text = Vec::new();
            for _ in 0..=random.below(8) {
                match random.below(3) {
                    0 => text.push((random.byte() & 0x7F).into()),
                    1 => text.push(0xDC00 + u32::from(random.byte() | 0x80)),
                    _ => text.extend(decode(&random.bytes(4), encoding).unwrap_or_default().iter().filter(
                        |&&c| {
                            let one = encode(&[c], encoding, UnmappablePolicy::Stop);
                            one.is_ok_and(|bytes| decode(&bytes, encoding) == Some(vec![c]))
                        },
                    )),
                }
            }
            match encode(&text, encoding, UnmappablePolicy::SurrogateEscape) {
                Ok(bytes) => assert_eq!(decode(&bytes, encoding), Some(text), "{encoding}: {bytes:02x?}"),
                Err(e) if e.code() == "forged-sequence" => {
                    refused += 1;
                    let place = usize::try_from(e.offset()).expect("a short text") / 4;
                    let start = &text[..=place];
                    let bytes = encode(start, encoding, UnmappablePolicy::SurrogateEscapeUnchecked);
                    let bytes = bytes.expect("what precedes it was written");
                    assert_ne!(decode(&bytes, encoding).as_deref(), Some(start), "{encoding}: {bytes:02x?}");
                }
                Err(e) => assert_eq!(e.code(), "not-held", "{encoding}: {text:x?}: {e}"),
            }
        }
        assert!(refused > 0 || encoding.max_bytes() == 1, "{encoding}");
    });
}

/// Sequences that an escaped byte and text can form together.
#[test]
fn sequences_of_escapes_and_text() {
    let refused = |name: &str, text: &[u32]| {
        let to = Encoding::for_label(name).expect("a known label");
        encode(text, to, UnmappablePolicy::SurrogateEscape).err().map(|e| (e.offset() / 4, e.code()))
    };
    let forged = |place| Some((place, "forged-sequence"));
    // The second byte is ASCII.
    assert_eq!(refused("gbk", &[0xDC81, 0x40]), forged(1));
    assert_eq!(refused("shift_jis", &[0xDC83, 0x5C]), forged(1));
    assert_eq!(refused("gbk", &[0xDC81, 0x20, 0x40]), None);
    // Four bytes, of which two are ASCII.
    assert_eq!(refused("gb18030", &[0xDC81, 0x30, 0xDC81, 0x30]), forged(3));
    assert_eq!(refused("gb18030", &[0xDC81, 0x30, 0xDC81, 0x41]), forged(3));
    assert_eq!(refused("gb18030", &[0xDC81, 0x30, 0x30]), None);
    // A lead byte that would be the second byte of the escaped byte before it.
    assert_eq!(refused("euc-jp", &[0xDCA4, 0x3042]), forged(1));
    assert_eq!(refused("euc-jp", &[0xDC8F, 0xDCA4, 0x41]), None);
    assert_eq!(refused("utf-8", &[0xDCE2, 0xDC82, 0xDCAC]), forged(2));
    assert_eq!(refused("utf-8", &[0xDCE2, 0xDC82, 0xE9]), None);
}

/// The escapes that `CPython` makes of two bytes, where it reads the text around them like this
/// library, are the same here, and come back.
#[test]
fn as_cpython_has_it() {
    if std::env::var_os("PLACEMAT_LONG").is_none() {
        return;
    }
    const PROGRAM: &str = "
import sys
for a in range(128, 256):
    for b in range(256):
        print(bytes([a, b]).decode(sys.argv[1], 'surrogateescape').encode('utf-32-le', 'surrogatepass').hex())
";
    for (codec, label, differ) in [
        ("utf-8", "utf-8", 0),
        ("ascii", "ascii", 0),
        ("cp1255", "cp1255", 0),
        ("gbk", "gbk", 0),
        ("gb18030", "gb18030", 0),
        ("euc_jp", "euc-jp", 0),
        ("cp932", "shift_jis", 0),
        ("cp949", "euc-kr", 0),
        ("johab", "johab", 0),
        ("big5hkscs", "big5-hkscs", 0),
        ("shift_jis_2004", "shift_jis-2004", 0),
        ("euc_jis_2004", "euc-jis-2004", 0),
    ] {
        let encoding = Encoding::for_label(label).expect("a known label");
        let ran = std::process::Command::new("python3").args(["-c", PROGRAM, codec]).output();
        let ran = ran.expect("python3 is installed");
        assert!(ran.status.success(), "{codec}");
        let lines = String::from_utf8(ran.stdout).expect("hex");
        let all = (0x80..=0xFF_u8).flat_map(|a| (0..=0xFF_u8).map(move |b| [a, b]));
        let (mut count, mut others) = (0, Vec::new());
        for (bytes, line) in all.zip(lines.lines()) {
            let theirs = crate::data::unhex(line).expect("hex");
            let theirs: Vec<u32> = theirs.as_chunks().0.iter().map(|c| u32::from_le_bytes(*c)).collect();
            let ours = decode(&bytes, encoding);
            let escaped = |text: &[u32]| text.iter().all(|&c| c < 0x80 || is_escape(c));
            count += 1;
            if ours.as_ref() == Some(&theirs) {
                there_and_back(&bytes, encoding);
            } else if escaped(&theirs) && ours.as_deref().is_none_or(escaped) {
                others.push((bytes, theirs, ours));
            }
        }
        assert_eq!(count, 128 * 256, "{codec}");
        assert_eq!(others.len(), differ, "{codec}: {:x?}", others.first());
    }
}
