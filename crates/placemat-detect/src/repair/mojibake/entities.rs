//! Character references of HTML for the pieces of a sequence: `&Atilde;&copy;`, `&#195;&#169;`.

use super::super::change::Step;
use super::super::edits::{Edit, Why};
use super::candidates::{AMPERSAND, Candidates};
use alloc::string::String;
use alloc::vec::Vec;
use placemat_charsets::Encoding;
use placemat_core::policy::UnmappablePolicy;

/// The confidence in these changes: no text has such references by chance.
const CONFIDENCE: f32 = 0.98;

/// The names of the code points that windows-1252 has above 7F, in the order of their bytes: a line for each, with the name and
/// the code point in hexadecimal.
const NAMES: &str = include_str!("entities.txt");

/// The longest reference that is looked at, in bytes.
const LONGEST: usize = 10;

/// Returns the code point of the reference at the start of a text, and the length of the reference.
pub(super) fn reference(text: &str) -> Option<(u32, usize)> {
    let text = text.as_bytes();
    if text.first() != Some(&b'&') {
        return None;
    }
    let end = text.iter().take(LONGEST).position(|&byte| byte == b';')?;
    let name = core::str::from_utf8(&text[1..end]).ok()?;
    let c = match name.strip_prefix('#') {
        Some(number) => match number.strip_prefix(['x', 'X']) {
            Some(digits) => u32::from_str_radix(digits, 16).ok()?,
            None => number.parse().ok()?,
        },
        None => {
            let named = |line: &'static str| line.strip_prefix(name)?.strip_prefix(' ');
            u32::from_str_radix(NAMES.lines().find_map(named)?, 16).ok()?
        }
    };
    // Numbers from 80 to 9F mean windows-1252 in HTML (WHATWG HTML, numeric character reference end state), and no
    // other reference gives a control.
    Some((c, end + 1))
}

/// Replaces groups of references and non-ASCII code points that are UTF-8 in the bytes of windows-1252, all of them.
pub(super) fn read(line: &str) -> Option<(String, Vec<Edit>)> {
    let mut text = String::with_capacity(line.len());
    let mut edits = Vec::new();
    let mut at = 0;
    while let Some(rest) = line.get(at..).filter(|rest| !rest.is_empty()) {
        let (group, decoded) = group(rest);
        let start = text.len();
        match decoded {
            Some(decoded) => {
                text.push_str(&decoded);
                let why =
                    Why { confidence: CONFIDENCE, ..Why::certain(Step::Mojibake, &[Encoding::WINDOWS_1252]) };
                edits.push(Edit { before: at..at + group, after: start..text.len(), why });
            }
            None => text.push_str(&rest[..group]),
        }
        at += group;
    }
    if edits.is_empty() { None } else { Some((text, edits)) }
}

/// Returns the length of the group at the start of a text, and its meaning if it has one.
fn group(text: &str) -> (usize, Option<String>) {
    let mut bytes = Vec::new();
    let (mut len, mut references, mut fits) = (0, 0, true);
    while let Some(rest) = text.get(len..) {
        let Some(first) = rest.chars().next() else { break };
        let (c, used) = match reference(rest) {
            Some((c, used)) if c >= 0x80 => {
                references += 1;
                (c, used)
            }
            _ if !first.is_ascii() => (first.into(), first.len_utf8()),
            _ => break,
        };
        match byte(c) {
            Some(byte) => bytes.push(byte),
            None => fits = false,
        }
        len += used;
    }
    if len == 0 {
        // ASCII, up to the next group.
        let next = text[1..].find(|c: char| c == '&' || !c.is_ascii());
        return (next.map_or(text.len(), |next| next + 1), None);
    }
    let decoded = String::from_utf8(bytes).ok().filter(|_| fits && references > 0);
    (len, decoded)
}

/// Returns the byte of a code point in windows-1252, where C1 controls represent the undefined bytes.
fn byte(c: u32) -> Option<u8> {
    let c = char::from_u32(c)?;
    let mut text = [0; 4];
    let encoded = Encoding::WINDOWS_1252.encode(c.encode_utf8(&mut text), UnmappablePolicy::Stop);
    match encoded.ok().as_deref() {
        Some(&[byte]) => Some(byte),
        _ => u8::try_from(u32::from(c)).ok(),
    }
}

/// Returns the offset of the first reference from `from` on that may be a piece of a sequence: one beside
/// another, or beside a non-ASCII code point.
pub(super) fn suspect(text: &str, candidates: &Candidates, from: usize) -> Option<usize> {
    let mut next = from;
    while let Some(at) = candidates.next::<AMPERSAND>(next) {
        next = at + 1;
        let rest = text.get(at..)?;
        let Some((c, len)) = reference(rest) else { continue };
        let after = rest.get(len..)?;
        let beside = reference(after).map(|(c, _)| c).or_else(|| after.chars().next().map(u32::from));
        let before = text.get(..at)?.chars().next_back();
        if c >= 0x80 && (beside.is_some_and(|c| c >= 0x80) || before.is_some_and(|c| !c.is_ascii())) {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_those_of_html_in_the_order_of_the_bytes() {
        let bytes: Vec<u8> = NAMES
            .lines()
            .map(|line| {
                let (name, c) = line.split_once(' ').expect("a name and a code point");
                let expected =
                    u32::from_str_radix(c, 16).ok().and_then(char::from_u32).expect("a code point");
                let text = alloc::format!("&{name};");
                let html =
                    placemat::transfer::Transfer::References.decode(text.as_bytes()).expect("a reference");
                assert_eq!(html, expected.to_string().as_bytes(), "{line}");
                let (c, len) = reference(&text).expect("a name");
                assert_eq!(len, name.len() + 2);
                byte(c).expect("a byte of windows-1252")
            })
            .collect();
        assert_eq!(bytes.len(), 122);
        assert!(bytes.is_sorted() && bytes[0] == 0x80, "{bytes:x?}");
    }
}
