//! Byte classes, boundaries, signatures, order and counts.

pub(crate) use super::i8::{INVERSE, PERMUTATION};
use super::{Form, Order, errors_as_fffd, policies};

/// Returns the class of a byte in UTF-8, in the words of the vectors.
pub(crate) fn byte_class(byte: u8) -> &'static str {
    match byte {
        0x00..=0x7F => "ascii",
        0x80..=0xBF => "continuation",
        0xC0..=0xC1 => "invalid-overlong-lead",
        0xC2..=0xDF => "lead2",
        0xE0..=0xEF => "lead3",
        0xF0..=0xF4 => "lead4",
        0xF5..=0xF7 => "invalid-lead-f5-f7",
        0xF8..=0xFB => "invalid-lead5",
        0xFC..=0xFD => "invalid-lead6",
        0xFE..=0xFF => "invalid-never",
    }
}

/// Returns `true` if an offset is not a boundary: neither the start nor the end nor before the start
/// of a sequence.
fn continues(bytes: &[u8], at: usize) -> bool {
    at > 0 && bytes.get(at).is_some_and(|&byte| byte & 0xC0 == 0x80)
}

/// Returns the last boundary at or before `at`, looking back at most three bytes.
pub(crate) fn floor(bytes: &[u8], at: usize) -> usize {
    let at = at.min(bytes.len());
    let lowest = at.saturating_sub(3);
    (lowest..=at).rev().find(|&p| p == lowest || !continues(bytes, p)).expect("`lowest` is always found")
}

/// Returns the first boundary at or after `at`, looking ahead at most three bytes.
pub(crate) fn ceil(bytes: &[u8], at: usize) -> usize {
    let at = at.min(bytes.len());
    let highest = (at + 3).min(bytes.len());
    (at..=highest).find(|&p| p == highest || !continues(bytes, p)).expect("`highest` is always found")
}

/// Returns the length of the longest prefix of at most `most` bytes that splits no sequence.
pub(crate) fn truncated_len(bytes: &[u8], most: usize) -> usize {
    if most >= bytes.len() { bytes.len() } else { floor(bytes, most) }
}

/// Every signature in the order of sniffing, longest first.
const SIGNATURES: [(&str, &[u8]); 10] = [
    ("UTF-32LE", &[0xFF, 0xFE, 0x00, 0x00]),
    ("UTF-32BE", &[0x00, 0x00, 0xFE, 0xFF]),
    ("UTF-EBCDIC", &[0xDD, 0x73, 0x66, 0x73]),
    ("GB18030", &[0x84, 0x31, 0x95, 0x33]),
    ("UTF-8", &[0xEF, 0xBB, 0xBF]),
    ("UTF-1", &[0xF7, 0x64, 0x4C]),
    ("SCSU", &[0x0E, 0xFE, 0xFF]),
    ("BOCU-1", &[0xFB, 0xEE, 0x28]),
    ("UTF-16BE", &[0xFE, 0xFF]),
    ("UTF-16LE", &[0xFF, 0xFE]),
];

/// Returns the encoding that the start of an input announces, and the number of bytes to strip.
pub(crate) fn sniff(bytes: &[u8]) -> Option<(&'static str, usize)> {
    if let Some((name, mark)) = SIGNATURES.iter().find(|(_, mark)| bytes.starts_with(mark)) {
        return Some((name, mark.len()));
    }
    // UTF-7: only a "+/v8" whose run ends at once can be stripped as bytes; otherwise the sextets continue into the
    // text.
    match bytes {
        [b'+', b'/', b'v', b'8', b'-', ..] => Some(("UTF-7", 5)),
        [b'+', b'/', b'v', b'8', next, ..] if next.is_ascii_alphanumeric() || matches!(next, b'+' | b'/') => {
            Some(("UTF-7", 0))
        }
        [b'+', b'/', b'v', b'8', ..] => Some(("UTF-7", 4)),
        [b'+', b'/', b'v', b'9' | b'+' | b'/', ..] => Some(("UTF-7", 0)),
        _ => None,
    }
}

/// Returns the BOM sniff of the Encoding Standard, which has three encodings.
pub(crate) fn sniff_web(bytes: &[u8]) -> Option<(&'static str, usize)> {
    match bytes {
        [0xEF, 0xBB, 0xBF, ..] => Some(("UTF-8", 3)),
        [0xFE, 0xFF, ..] => Some(("UTF-16BE", 2)),
        [0xFF, 0xFE, ..] => Some(("UTF-16LE", 2)),
        _ => None,
    }
}

/// "Decode" of the Encoding Standard: the signature overrides the fallback, errors become U+FFFD.
pub(crate) fn decode_web(bytes: &[u8], fallback: &'static str) -> (&'static str, Vec<u32>) {
    let (name, mark) = sniff_web(bytes).unwrap_or((fallback, 0));
    let rest = &bytes[mark..];
    let text = match name {
        "UTF-8" => errors_as_fffd(Form::Utf8, rest),
        "UTF-16BE" => errors_as_fffd(Form::Utf16(Order::Big), rest),
        "UTF-16LE" => errors_as_fffd(Form::Utf16(Order::Little), rest),
        "windows-1252" => rest.iter().map(|&byte| policies::cp1252(byte)).collect(),
        _ => panic!("no fallback {name}"),
    };
    (name, text)
}

/// Returns the number of well-formed UTF-8 strings of `n` bytes, by the length of the last code point.
pub(crate) fn well_formed_strings(n: usize) -> u128 {
    let mut counts = vec![1_u128];
    for len in 1..=n {
        let ways = [128, 1_920, 61_440, 1_048_576];
        counts.push(ways.iter().zip(1..=len).map(|(ways, last)| ways * counts[len - last]).sum());
    }
    counts[n]
}
