//! Character references: HTML Standard section 13.5 and "Character reference state", XML 1.0 section 4.1.
//!
//! `names.txt` has the named references of the HTML Standard, sorted: name, code points in hexadecimal, and `*` if
//! browsers also read the name without a semicolon.
//!
//! | input | browsers | here |
//! | --- | --- | --- |
//! | `&euro;` `&#8364;` `&#x20AC;` | € | € |
//! | `AT&T`, `a & b` | as it is | as it is |
//! | `&copy=1`, `&#8364 ` | ©, € | error: missing semicolon |
//! | `&nosuch;` | as it is, with an error | error |
//! | `&#128;` | €; in XML U+0080 | error |
//! | `&#0;` `&#xD800;` `&#x110000;` | U+FFFD | error |
//! | `&#1;` `&#xFFFF;` | as XML forbids it, with an error | error |
//! | `&#13;` `&#x7F;` `&#12;` | the code point; HTML or XML reports an error | the code point |

#![forbid(unsafe_code)]

use super::error::TransferErrorKind;
use super::step::{Step, put_code_point};
use alloc::vec::Vec;

const NAMES: &str = include_str!("names.txt");

/// The length of `CounterClockwiseContourIntegral`.
const LONGEST_NAME: usize = 31;

/// The maximum number of digits of a number, including leading zeros.
const MOST_DIGITS: usize = 32;

pub(super) fn decode(src: &[u8], last: bool, out: &mut Vec<u8>) -> Step {
    if src[0] != b'&' {
        let run = src.iter().position(|byte| *byte == b'&').unwrap_or(src.len());
        out.extend_from_slice(&src[..run]);
        return Step::Took(run);
    }
    if let [_, b'#', digits @ ..] = src {
        return match digits {
            [] => Step::More,
            [b'x' | b'X', digits @ ..] => number(digits, 16, 3, out),
            _ => number(digits, 10, 2, out),
        };
    }
    let name = &src[1..];
    let len = name.iter().take(LONGEST_NAME + 1).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let (name, rest) = name.split_at(len);
    if len <= LONGEST_NAME {
        match rest {
            [] if !last => return Step::More,
            [b';', ..] if len > 0 => {
                let Some(found) = find(name) else {
                    return Step::Wrong { len: len + 2, kind: TransferErrorKind::UnknownName };
                };
                found.code_points().for_each(|c| put_code_point(c, out));
                return Step::Took(len + 2);
            }
            _ => {}
        }
    }
    // A browser would read the longest name that it accepts without a semicolon.
    let historical = (1..=len).rev().find(|&len| find(&name[..len]).is_some_and(|found| found.historical()));
    if let Some(len) = historical {
        return Step::Wrong { len: 1 + len, kind: TransferErrorKind::MissingSemicolon };
    }
    out.push(b'&');
    Step::Took(1)
}

/// Reads `digits`, which begin `before` bytes after the start of the reference.
fn number(digits: &[u8], radix: u32, before: usize, out: &mut Vec<u8>) -> Step {
    let mut value = 0_u32;
    let mut len = 0;
    let end = loop {
        let Some(&byte) = digits.get(len) else { return Step::More };
        let Some(digit) = char::from(byte).to_digit(radix) else { break byte };
        if len == MOST_DIGITS {
            return Step::Wrong { len: before + len, kind: TransferErrorKind::OutOfRange };
        }
        value = value.saturating_mul(radix).saturating_add(digit);
        len += 1;
    };
    if len == 0 {
        return Step::Wrong { len: before, kind: TransferErrorKind::BadEscape };
    }
    if end != b';' {
        return Step::Wrong { len: before + len, kind: TransferErrorKind::MissingSemicolon };
    }
    let len = before + len + 1;
    match value {
        0xD800..=0xDFFF => Step::Wrong { len, kind: TransferErrorKind::Surrogate },
        0x11_0000.. => Step::Wrong { len, kind: TransferErrorKind::OutOfRange },
        // Both standards forbid the first three ranges and the last; they disagree on U+0080..U+009F.
        0x00..=0x08 | 0x0B | 0x0E..=0x1F | 0x80..=0x9F | 0xFFFE..=0xFFFF => {
            Step::Wrong { len, kind: TransferErrorKind::Forbidden }
        }
        _ => {
            put_code_point(value, out);
            Step::Took(len)
        }
    }
}

/// An entry of the table.
#[derive(Clone, Copy, Debug)]
struct Entry(&'static str);

impl Entry {
    fn historical(self) -> bool {
        self.0.ends_with('*')
    }

    fn code_points(self) -> impl Iterator<Item = u32> {
        self.0.split(' ').filter_map(|number| u32::from_str_radix(number, 16).ok())
    }
}

/// Returns the code points of a named reference, and whether HTML also reads the name without a semicolon.
pub(crate) fn named_reference(name: &[u8]) -> Option<(impl Iterator<Item = u32>, bool)> {
    find(name).map(|entry| (entry.code_points(), entry.historical()))
}

/// Looks a name up by binary search over lines of different lengths.
fn find(name: &[u8]) -> Option<Entry> {
    let (mut low, mut high) = (0, NAMES.len());
    while low < high {
        let middle = low.midpoint(high);
        let start = NAMES[..middle].rfind('\n').map_or(0, |at| at + 1);
        let end = start + NAMES[start..].find('\n')?;
        let (found, entry) = NAMES[start..end].split_once(' ')?;
        match found.as_bytes().cmp(name) {
            core::cmp::Ordering::Equal => return Some(Entry(entry)),
            core::cmp::Ordering::Less => low = end + 1,
            core::cmp::Ordering::Greater => high = start,
        }
    }
    None
}

/// Writes references for the characters that could be taken for markup, in text and in attributes.
pub(super) fn encode(src: &[u8], out: &mut Vec<u8>) {
    for &byte in src {
        match byte {
            b'&' => out.extend_from_slice(b"&amp;"),
            b'<' => out.extend_from_slice(b"&lt;"),
            b'>' => out.extend_from_slice(b"&gt;"),
            b'"' => out.extend_from_slice(b"&quot;"),
            b'\'' => out.extend_from_slice(b"&#x27;"),
            _ => out.push(byte),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_and_short_enough_and_found() {
        let names: Vec<_> =
            NAMES.lines().map(|line| line.split_once(' ').expect("a name and code points")).collect();
        assert_eq!(names.len(), 2125);
        assert!(names.is_sorted_by(|a, b| a.0.as_bytes() < b.0.as_bytes()));
        assert_eq!(names.iter().map(|(name, _)| name.len()).max(), Some(LONGEST_NAME));
        for (name, entry) in names {
            let found = find(name.as_bytes()).expect(name);
            assert_eq!(found.0, entry, "{name}");
            assert!((1..=2).contains(&found.code_points().count()), "{name}");
        }
        assert!(
            ["", "a", "amp;", "zzzz", "\n", "AMP *", "AMP 26"]
                .iter()
                .all(|name| find(name.as_bytes()).is_none())
        );
    }
}
