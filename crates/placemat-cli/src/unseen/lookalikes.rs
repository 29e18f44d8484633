//! Spaces and punctuation that look like ASCII, each with the ASCII that a program expects in its place.
//!
//! Letters and digits are not here: the lint `confusables` judges them by the whole word.

/// The printable characters of ASCII, from U+0020 on.
const ASCII: &str =
    " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~";

/// Returns the ASCII that a code point looks like; `None` if it is no lookalike.
pub(crate) fn ascii(c: char) -> Option<&'static str> {
    Some(match c {
        '\u{A0}' | '\u{1680}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{3000}' => " ",
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{FE58}' | '\u{FE63}' => "-",
        '\u{B4}' | '\u{2018}'..='\u{201B}' | '\u{2032}' | '\u{1FFD}' => "'",
        '\u{201C}'..='\u{201F}' | '\u{2033}' => "\"",
        '\u{1FEF}' => "`",
        '\u{2026}' => "...",
        '\u{1C3}' | '\u{FE57}' => "!",
        '\u{37E}' | '\u{FE54}' => ";",
        '\u{2024}' | '\u{FE52}' => ".",
        '\u{2044}' | '\u{2215}' => "/",
        '\u{2217}' | '\u{FE61}' => "*",
        '\u{2216}' | '\u{FE68}' => "\\",
        '\u{2223}' => "|",
        '\u{2236}' | '\u{A789}' | '\u{FE55}' => ":",
        '\u{223C}' => "~",
        '\u{FE50}' => ",",
        '\u{FE56}' => "?",
        '\u{FE59}' => "(",
        '\u{FE5A}' => ")",
        '\u{FE5B}' => "{",
        '\u{FE5C}' => "}",
        '\u{FE5F}' => "#",
        '\u{FE60}' => "&",
        '\u{FE62}' => "+",
        '\u{FE64}' => "<",
        '\u{FE65}' => ">",
        '\u{FE66}' => "=",
        '\u{FE69}' => "$",
        '\u{FE6A}' => "%",
        '\u{FE6B}' => "@",
        // The fullwidth forms stand in the order of ASCII.
        '\u{FF01}'..='\u{FF0F}'
        | '\u{FF1A}'..='\u{FF20}'
        | '\u{FF3B}'..='\u{FF40}'
        | '\u{FF5B}'..='\u{FF5E}' => {
            let at = c as usize - 0xFF00;
            return ASCII.get(at..=at);
        }
        _ => return None,
    })
}

/// Returns `true` if a code point is a lookalike.
pub(crate) fn is_lookalike(c: char) -> bool {
    ascii(c).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use placemat::normalize::Normalization;
    use unicode_properties::{GeneralCategory, UnicodeGeneralCategory as _};

    /// Compatibility forms that are one ASCII character agree with the table, and no such space or punctuation is
    /// missing in it.
    #[test]
    fn compatibility_forms_agree() {
        for c in '\u{80}'..=char::MAX {
            let form = Normalization::Nfkc.apply(c.encode_utf8(&mut [0; 4])).into_owned();
            let mut chars = form.chars();
            let (Some(first), None) = (chars.next(), chars.next()) else { continue };
            if !first.is_ascii() || first.is_ascii_alphanumeric() {
                continue;
            }
            match ascii(c) {
                Some(known) => assert_eq!(known, form, "U+{:04X}", u32::from(c)),
                // Superscripts, and vertical forms of brackets and lines, look otherwise.
                None => assert!(
                    matches!(u32::from(c), 0x207A..=0x208E | 0xFE10..=0xFE19 | 0xFE33..=0xFE48 | 0xFE4D..=0xFE4F | 0xFB29),
                    "U+{:04X} is {form:?}",
                    u32::from(c)
                ),
            }
        }
    }

    /// Every space separator of Unicode is in the table, as a space, and nothing else is a space.
    #[test]
    fn all_spaces_are_lookalikes() {
        for c in '\u{80}'..=char::MAX {
            let is_space = c.general_category() == GeneralCategory::SpaceSeparator;
            assert_eq!(ascii(c) == Some(" "), is_space, "U+{:04X}", u32::from(c));
        }
    }

    #[test]
    fn nothing_in_ascii_is_a_lookalike() {
        assert!(!('\0'..'\u{80}').any(is_lookalike));
        for text in ('\0'..=char::MAX).filter_map(ascii) {
            assert!(!text.is_empty() && text.chars().all(|c| c.is_ascii_graphic() || c == ' '), "{text:?}");
        }
    }
}
