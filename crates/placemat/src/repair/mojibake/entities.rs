//! Character references of HTML for the pieces of a sequence: `&Atilde;&copy;`, `&#195;&#169;`.

use super::super::change::Step;
use super::super::edits::{Edit, Why};
use super::signs::{AMPERSAND, Signs};
use crate::forms::encoding::Encoding;
use crate::policy::UnmappablePolicy;
use alloc::string::String;
use alloc::vec::Vec;

/// The confidence in these changes: no text has such references by chance.
const CONFIDENCE: f32 = 0.98;

/// The names of the code points that windows-1252 has above 7F, in the order of the code points of their bytes.
const NAMES: [(&str, u16); 122] = [
    ("euro", 0x20AC),
    ("sbquo", 0x201A),
    ("fnof", 0x192),
    ("bdquo", 0x201E),
    ("hellip", 0x2026),
    ("dagger", 0x2020),
    ("Dagger", 0x2021),
    ("circ", 0x2C6),
    ("permil", 0x2030),
    ("Scaron", 0x160),
    ("lsaquo", 0x2039),
    ("OElig", 0x152),
    ("lsquo", 0x2018),
    ("rsquo", 0x2019),
    ("ldquo", 0x201C),
    ("rdquo", 0x201D),
    ("bull", 0x2022),
    ("ndash", 0x2013),
    ("mdash", 0x2014),
    ("tilde", 0x2DC),
    ("trade", 0x2122),
    ("scaron", 0x161),
    ("rsaquo", 0x203A),
    ("oelig", 0x153),
    ("Yuml", 0x178),
    ("nbsp", 0xA0),
    ("iexcl", 0xA1),
    ("cent", 0xA2),
    ("pound", 0xA3),
    ("curren", 0xA4),
    ("yen", 0xA5),
    ("brvbar", 0xA6),
    ("sect", 0xA7),
    ("uml", 0xA8),
    ("copy", 0xA9),
    ("ordf", 0xAA),
    ("laquo", 0xAB),
    ("not", 0xAC),
    ("shy", 0xAD),
    ("reg", 0xAE),
    ("macr", 0xAF),
    ("deg", 0xB0),
    ("plusmn", 0xB1),
    ("sup2", 0xB2),
    ("sup3", 0xB3),
    ("acute", 0xB4),
    ("micro", 0xB5),
    ("para", 0xB6),
    ("middot", 0xB7),
    ("cedil", 0xB8),
    ("sup1", 0xB9),
    ("ordm", 0xBA),
    ("raquo", 0xBB),
    ("frac14", 0xBC),
    ("frac12", 0xBD),
    ("frac34", 0xBE),
    ("iquest", 0xBF),
    ("Agrave", 0xC0),
    ("Aacute", 0xC1),
    ("Acirc", 0xC2),
    ("Atilde", 0xC3),
    ("Auml", 0xC4),
    ("Aring", 0xC5),
    ("AElig", 0xC6),
    ("Ccedil", 0xC7),
    ("Egrave", 0xC8),
    ("Eacute", 0xC9),
    ("Ecirc", 0xCA),
    ("Euml", 0xCB),
    ("Igrave", 0xCC),
    ("Iacute", 0xCD),
    ("Icirc", 0xCE),
    ("Iuml", 0xCF),
    ("ETH", 0xD0),
    ("Ntilde", 0xD1),
    ("Ograve", 0xD2),
    ("Oacute", 0xD3),
    ("Ocirc", 0xD4),
    ("Otilde", 0xD5),
    ("Ouml", 0xD6),
    ("times", 0xD7),
    ("Oslash", 0xD8),
    ("Ugrave", 0xD9),
    ("Uacute", 0xDA),
    ("Ucirc", 0xDB),
    ("Uuml", 0xDC),
    ("Yacute", 0xDD),
    ("THORN", 0xDE),
    ("szlig", 0xDF),
    ("agrave", 0xE0),
    ("aacute", 0xE1),
    ("acirc", 0xE2),
    ("atilde", 0xE3),
    ("auml", 0xE4),
    ("aring", 0xE5),
    ("aelig", 0xE6),
    ("ccedil", 0xE7),
    ("egrave", 0xE8),
    ("eacute", 0xE9),
    ("ecirc", 0xEA),
    ("euml", 0xEB),
    ("igrave", 0xEC),
    ("iacute", 0xED),
    ("icirc", 0xEE),
    ("iuml", 0xEF),
    ("eth", 0xF0),
    ("ntilde", 0xF1),
    ("ograve", 0xF2),
    ("oacute", 0xF3),
    ("ocirc", 0xF4),
    ("otilde", 0xF5),
    ("ouml", 0xF6),
    ("divide", 0xF7),
    ("oslash", 0xF8),
    ("ugrave", 0xF9),
    ("uacute", 0xFA),
    ("ucirc", 0xFB),
    ("uuml", 0xFC),
    ("yacute", 0xFD),
    ("thorn", 0xFE),
    ("yuml", 0xFF),
    ("zcaron", 0x17E),
];

/// The longest reference that is looked at, in bytes.
const LONGEST: usize = 10;

/// The code point of the reference at the start of a text, and the length of the reference.
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
        None => NAMES.iter().find(|(known, _)| *known == name)?.1.into(),
    };
    // Numbers from 80 to 9F mean windows-1252 in HTML (WHATWG HTML, numeric character reference end state), and no
    // other reference gives a control.
    Some((c, end + 1))
}

/// Replaces groups of references and code points beyond ASCII that are UTF-8 in the bytes of windows-1252, all of them.
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

/// The length of the group at the start of a text, and its meaning if it has one.
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

/// The byte of a code point in windows-1252, where C1 controls stand for the bytes without a meaning.
fn byte(c: u32) -> Option<u8> {
    let c = char::from_u32(c)?;
    let mut text = [0; 4];
    let encoded = Encoding::WINDOWS_1252.encode(c.encode_utf8(&mut text), UnmappablePolicy::Stop);
    match encoded.ok().as_deref() {
        Some(&[byte]) => Some(byte),
        _ => u8::try_from(u32::from(c)).ok(),
    }
}

/// The offset of the first reference from `from` on that may stand for a piece of a sequence: one beside another, or beside a
/// code point beyond ASCII.
pub(super) fn suspect(text: &str, signs: &Signs, from: usize) -> Option<usize> {
    let mut next = from;
    while let Some(at) = signs.next::<AMPERSAND>(next) {
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
