//! `//TRANSLIT`: something similar for what an encoding does not hold.
//!
//! Where glibc has something similar in its UTF-8 locales, it is that, for nearly all code points; elsewhere, where glibc
//! writes `?`, what the library has: `Ri` for 日, `:wink:` for 😉.

use core::fmt::Write as _;
use placemat::normalize::Normalization;
use placemat::policy::Substitute;
use placemat::{Encoding, ErrorPolicy, OnUnmappable as _, Unmappable, UnmappablePolicy, convert};
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory as _};

/// At least as long as the longest that is written for a code point, in code points.
pub(super) const LONGEST: usize = 64;

/// Whether `to` can hold all of a text.
pub(super) fn holds(to: Encoding, text: &str) -> bool {
    let (d, u) = (ErrorPolicy::Stop, UnmappablePolicy::Stop);
    convert::transcode_bytes(text.as_bytes(), Encoding::Utf8, to, d, u).is_ok()
}

/// Something similar that `to` holds, `?` at the worst.
pub(super) fn similar(unmappable: &Unmappable, to: Encoding) -> String {
    let c = unmappable.code_point();
    if let Some(scalar) = c.to_char() {
        if vanishes(scalar) {
            return String::new();
        }
        let compatible = compatible(scalar);
        // Its letters may have something similar in turn.
        let letters =
            compatible.chars().map(|c| listed(c).map_or_else(|| c.to_string(), str::to_owned)).collect();
        let rule = by_rule(scalar, &compatible);
        let candidates = [rule, Some(compatible), Some(letters), by_library(unmappable)];
        for candidate in candidates.into_iter().flatten() {
            if !candidate.is_empty() && holds(to, &candidate) {
                return candidate;
            }
        }
    }
    "?".into()
}

/// Marks upon letters, and what is not to be seen.
fn vanishes(c: char) -> bool {
    is_mark(c) || matches!(c, '\u{200B}' | '\u{2060}'..='\u{2063}' | '\u{FEFF}' | '\u{E0000}'..='\u{E007F}')
}

fn is_mark(c: char) -> bool {
    matches!(c.general_category(), GeneralCategory::NonspacingMark | GeneralCategory::EnclosingMark)
}

/// Its compatibility decomposition without marks, composed again where there is a sign for both; empty if that is no more
/// than a space, as of an accent by itself.
fn compatible(c: char) -> String {
    let parts = Normalization::Nfkd.apply(&c.to_string()).into_owned();
    let letters: String = parts.chars().filter(|&c| !is_mark(c)).collect();
    let spaces = letters.chars().all(char::is_whitespace) && !c.is_whitespace();
    if spaces { String::new() } else { letters }
}

/// What the tables of the library say.
fn by_library(unmappable: &Unmappable) -> Option<String> {
    match UnmappablePolicy::Transliterate.handle(unmappable) {
        Substitute::Text(text) => Some(text.text().to_owned()),
        _ => None,
    }
}

/// What glibc writes where the library has another idea, or none.
fn by_rule(c: char, compatible: &str) -> Option<String> {
    let mut text = String::new();
    let _ = match c {
        // Circled digits and letters.
        '\u{2460}'..='\u{2473}'
        | '\u{24B6}'..='\u{24EA}'
        | '\u{3251}'..='\u{325F}'
        | '\u{32B1}'..='\u{32BF}'
        | '\u{1F12B}'..='\u{1F12E}' => write!(text, "({compatible})"),
        // Fractions stand by themselves: 3½ is not 31/2.
        '\u{BC}'..='\u{BE}' | '\u{2150}'..='\u{215F}' | '\u{2189}' => {
            write!(text, " {} ", compatible.replace('\u{2044}', "/"))
        }
        // Squares and cubes of units.
        '\u{3378}' | '\u{3379}' | '\u{339F}'..='\u{33A6}' | '\u{33A8}' | '\u{33AF}' => {
            let (unit, power) = compatible.split_at_checked(compatible.len().saturating_sub(1))?;
            write!(text, "{}^{power}", unit.replace('\u{2215}', "/"))
        }
        _ => text.write_str(listed(c)?),
    };
    Some(text)
}

/// One by one.
fn listed(c: char) -> Option<&'static str> {
    Some(match c {
        // Letters.
        'Æ' => "AE",
        'ẞ' => "SS",
        'Þ' => "TH",
        'Ŋ' => "N",
        'ŋ' => "n",
        'Œ' | 'ɶ' => "OE",
        'ƕ' => "hv",
        'Ƣ' => "OI",
        'ƣ' => "oi",
        'Ỻ' => "LL",
        'μ' => "u",
        'ẚ' => "a",
        'ẜ' | 'ẝ' => "s",
        'ᴀ' => "A",
        'ᴁ' => "AE",
        'ʙ' | 'ᴃ' => "B",
        'ᴄ' => "C",
        'ᴅ' | 'ᴆ' => "D",
        'ᴇ' => "E",
        'ɢ' | 'ʛ' => "G",
        'ʜ' => "H",
        'ɪ' | 'ᵻ' => "I",
        'ᴊ' => "J",
        'ᴋ' => "K",
        'ʟ' | 'ᴌ' => "L",
        'ᴍ' => "M",
        'ɴ' => "N",
        'ᴏ' => "O",
        'ᴘ' => "P",
        'ʀ' => "R",
        'ᴛ' => "T",
        'ᴜ' | 'ᵾ' => "U",
        'ᴠ' => "V",
        'ᴡ' => "W",
        'ʏ' => "Y",
        'ᴢ' => "Z",
        // Currencies.
        '¥' => "JPY",
        '֏' => "AMD",
        '₡' => "C=",
        '₣' => "Fr.",
        '₤' => "L.",
        '₩' => "KRW",
        '₪' => "ILS",
        '₫' => "Dong",
        '₯' => "GRD",
        '₱' => "PHP",
        '₴' => "UAH",
        '₸' => "KZT",
        '₹' => "INR",
        '₽' => "RUB",
        '₾' => "GEL",
        // Punctuation.
        '\u{AD}' => "-",
        '·' => ".",
        '×' => "x",
        '˝' => "''",
        '—' => "--",
        '‚' => ",",
        '„' => ",,",
        '•' | '◦' => "o",
        '™' => "(TM)",
        '☺' => ":)",
        '⟦' => "[|",
        '⟧' => "|]",
        '⟬' | '⦅' => "((",
        '⟭' | '⦆' => "))",
        '⦃' => "{|",
        '⦄' => "|}",
        '⦇' => "(|",
        '⦈' => "|)",
        '⦉' => "<|",
        '⦊' => "|>",
        // Arrows and relations.
        '←' => "<-",
        '→' => "->",
        '↔' => "<->",
        '↮' => "!<->",
        '⇍' => "!<=",
        '⇎' => "!<=>",
        '⇏' => "!=>",
        '⇐' => "<=",
        '⇒' => "=>",
        '⇔' => "<=>",
        '≁' => "!~",
        '≄' => "!~-",
        '≇' => "!~=",
        '≉' => "!~~",
        '≠' => "!=",
        '≢' => "!==",
        '≮' => "!<",
        '≯' => "!>",
        '≰' => "!<=",
        '≱' => "!>=",
        '≴' => "!<~",
        '≵' => "!>~",
        '≸' => "!<>",
        '≹' => "!><",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use placemat::CodePoint;
    use placemat::policy::CallUnmappable;

    fn to(encoding: Encoding, text: &str) -> String {
        let policy = CallUnmappable(|unmappable: &Unmappable| {
            let similar = similar(unmappable, encoding);
            let similar = similar.chars().map(CodePoint::from);
            placemat::policy::CodePoints::new(similar).map_or(Substitute::Stop, Substitute::CodePoints)
        });
        let bytes =
            convert::transcode_bytes(text.as_bytes(), Encoding::Utf8, encoding, ErrorPolicy::Stop, policy)
                .unwrap();
        convert::transcode_bytes(&bytes, encoding, Encoding::Utf8, ErrorPolicy::Stop, UnmappablePolicy::Stop)
            .map(|bytes| String::from_utf8(bytes).unwrap())
            .unwrap()
    }

    #[test]
    fn to_ascii() {
        for (text, want) in [
            ("“é” – ‘ñ’…", "\"e\" - 'n'..."),
            ("5 € ¥ © ® ™", "5 EUR JPY (C) (R) (TM)"),
            ("3½ m² ㎡ ① Ⓐ", "3 1/2  m2 m^2 (1) (A)"),
            ("e\u{301}\u{FEFF}", "e"),
            ("日😉", "Ri:wink:"),
            ("\u{E123}\u{10FFFF}", "??"),
            ("ﬁ Æ ß — • → ≠ ×", "fi AE ss -- o -> != x"),
        ] {
            assert_eq!(to(Encoding::Ascii, text), want);
        }
    }

    #[test]
    fn to_more_than_ascii() {
        assert_eq!(to(Encoding::Latin1, "ǼǾ ℃ € é ￡"), "ÆØ °C EUR é £");
        let koi8 = Encoding::for_label("koi8-r").unwrap();
        assert_eq!(to(koi8, "Ѓ ж é"), "Г ж e");
    }

    #[test]
    fn nothing_is_longer_than_promised() {
        // Where there are compatibility decompositions, the longest of them U+FDFA's.
        let blocks = [
            '\0'..='\u{33FF}',
            '\u{F900}'..='\u{FFFF}',
            '\u{1D400}'..='\u{1D7FF}',
            '\u{1F100}'..='\u{1F2FF}',
        ];
        for c in blocks.into_iter().flatten() {
            let rule = by_rule(c, &compatible(c)).unwrap_or_default();
            assert!(rule.chars().count() <= LONGEST && compatible(c).chars().count() <= LONGEST, "{c:?}");
        }
    }
}
