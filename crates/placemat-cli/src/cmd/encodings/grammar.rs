//! `--grammar`: well-formed UTF-8 as a regular expression and in ABNF.

use super::well_formed::{Row, rows};
use core::fmt::Write as _;
use core::ops::RangeInclusive;

/// Returns the regular expression and the grammar.
pub(super) fn text() -> String {
    let rows = rows();
    let mut to = String::from("As a regular expression over bytes (Perl, Python, PCRE, Rust):\n\n");
    to += &regex(&rows);
    to += "\n\nIn ABNF (RFC 5234), as in RFC 3629, section 4:\n\n";
    to += &abnf(&rows);
    to
}

/// Returns the expression that matches well-formed UTF-8, and nothing else.
pub(super) fn regex(rows: &[Row]) -> String {
    let set = |range: &RangeInclusive<u8>| match (range.start(), range.end()) {
        (a, b) if a == b => format!("\\x{a:02X}"),
        (a, b) => format!("[\\x{a:02X}-\\x{b:02X}]"),
    };
    let each = rows.iter().map(|row| {
        let mut own = set(&row.first);
        own.extend(row.second.iter().map(set));
        match row.len {
            3 => own + "[\\x80-\\xBF]",
            4 => own + "[\\x80-\\xBF]{2}",
            _ => own,
        }
    });
    format!("\\A(?:{}\n)*\\z", each.collect::<Vec<_>>().join("\n  |"))
}

/// Returns the rules of the grammar.
fn abnf(rows: &[Row]) -> String {
    let set = |range: &RangeInclusive<u8>| match (range.start(), range.end()) {
        (a, b) if a == b => format!("%x{a:02X}"),
        (a, b) => format!("%x{a:02X}-{b:02X}"),
    };
    let mut to =
        String::from("UTF8-octets = *( UTF8-char )\nUTF8-char   = UTF8-1 / UTF8-2 / UTF8-3 / UTF8-4\n");
    for len in 1..=4 {
        let of_len = rows.iter().filter(|row| row.len == len);
        let each: Vec<String> = of_len
            .map(|row| {
                let mut own = set(&row.first);
                for (place, second) in row.second.iter().enumerate() {
                    let is_tail = (*second.start(), *second.end()) == (0x80, 0xBF);
                    // Tails in a row become one item with a count.
                    let tails = row.len - 2 - place + usize::from(is_tail);
                    if !is_tail {
                        own = format!("{own} {}", set(second));
                    }
                    match tails {
                        0 => {}
                        1 => own += " UTF8-tail",
                        tails => own = format!("{own} {tails}( UTF8-tail )"),
                    }
                }
                own
            })
            .collect();
        _ = writeln!(to, "UTF8-{len}      = {}", each.join(" /\n              "));
    }
    to + "UTF8-tail   = %x80-BF\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A set of bytes of the printed expression, and how often it follows itself.
    type Set = (u8, u8, usize);

    /// Returns the alternatives of the printed expression, as a reader of it would take them.
    fn alternatives(regex: &str) -> Vec<Vec<Set>> {
        let body =
            regex.strip_prefix("\\A(?:").and_then(|rest| rest.strip_suffix("\n)*\\z")).expect("a loop");
        let byte = |hex: &str| u8::from_str_radix(hex, 16).expect("two digits");
        let of = |alternative: &str| {
            let mut sets: Vec<Set> = Vec::new();
            let mut rest = alternative;
            while !rest.is_empty() {
                if let Some(times) = rest.strip_prefix('{') {
                    sets.last_mut().expect("a set before").2 = times[..1].parse().expect("a digit");
                    rest = &times[2..];
                } else if let Some(range) = rest.strip_prefix("[\\x") {
                    assert_eq!((&range[2..5], &range[7..8]), ("-\\x", "]"));
                    sets.push((byte(&range[..2]), byte(&range[5..7]), 1));
                    rest = &range[8..];
                } else {
                    let one = byte(&rest.strip_prefix("\\x").expect("a byte")[..2]);
                    sets.push((one, one, 1));
                    rest = &rest[4..];
                }
            }
            sets
        };
        body.split("\n  |").map(of).collect()
    }

    /// All strings of at most three bytes, and those of four whose first begins such a sequence.
    #[test]
    fn the_expression_matches_what_is_well_formed() {
        let alternatives = alternatives(&regex(&rows()));
        let first = |text: &[u8]| {
            alternatives.iter().find_map(|sets| {
                let mut at = 0;
                for &(low, high, times) in sets {
                    for _ in 0..times {
                        if !(low..=high).contains(text.get(at)?) {
                            return None;
                        }
                        at += 1;
                    }
                }
                Some(at)
            })
        };
        let matches = |text: &[u8]| {
            let mut rest = text;
            while !rest.is_empty() {
                let Some(len) = first(rest) else { return false };
                rest = &rest[len..];
            }
            true
        };
        let all = 0..=u8::MAX;
        // All bytes below 80 behave alike: two of them are enough.
        let few: Vec<u8> = [0x00, 0x7F].into_iter().chain(0x80..=u8::MAX).collect();
        for a in all.clone() {
            assert_eq!(matches(&[a]), core::str::from_utf8(&[a]).is_ok());
            for b in all.clone() {
                assert_eq!(matches(&[a, b]), core::str::from_utf8(&[a, b]).is_ok());
            }
        }
        for &a in &few {
            for &b in &few {
                for &c in &few {
                    let text = [a, b, c];
                    assert_eq!(matches(&text), core::str::from_utf8(&text).is_ok(), "{text:02x?}");
                    for d in [0x00, 0x7F, 0x80, 0x9F, 0xBF, 0xC0] {
                        let text = [a, b, c, d];
                        if a >= 0xE0 {
                            assert_eq!(matches(&text), core::str::from_utf8(&text).is_ok(), "{text:02x?}");
                        }
                    }
                }
            }
        }
    }
}
