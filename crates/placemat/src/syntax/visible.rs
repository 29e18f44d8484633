//! Characters that keep their escapes.

#![forbid(unsafe_code)]

/// Returns `true` for a character that a reader could not see or recognize without its escape: ASCII, controls, white
/// space other than U+3000, format characters, private use, noncharacters, U+FFFC and U+FFFD. Joiners and variation
/// selectors are not among these: words and emoji contain them.
pub(super) const fn keeps_escape(c: char) -> bool {
    matches!(c,
        '\0'..='\u{A0}'
        | '\u{AD}'
        | '\u{34F}'
        | '\u{61C}'
        | '\u{115F}'..='\u{1160}'
        | '\u{1680}'
        | '\u{17B4}'..='\u{17B5}'
        | '\u{180E}'
        | '\u{2000}'..='\u{200B}'
        | '\u{200E}'..='\u{200F}'
        | '\u{2028}'..='\u{202F}'
        | '\u{205F}'..='\u{206F}'
        | '\u{3164}'
        | '\u{E000}'..='\u{F8FF}'
        | '\u{FDD0}'..='\u{FDEF}'
        | '\u{FEFF}'
        | '\u{FFA0}'
        | '\u{FFF0}'..='\u{FFFF}'
        | '\u{E0000}'..='\u{E00FF}'
        | '\u{E01F0}'..='\u{E0FFF}'
        | '\u{F0000}'..
    ) || c as u32 & 0xFFFE == 0xFFFE
}

/// Returns `true` for a mark that combines with the character before it. After a delimiter, only its escape keeps it
/// apart: normalization makes one character of `>` and U+0338.
pub(super) const fn combines(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{36F}'
        | '\u{1AB0}'..='\u{1AFF}'
        | '\u{1DC0}'..='\u{1DFF}'
        | '\u{20D0}'..='\u{20FF}'
        | '\u{3099}'..='\u{309A}'
        | '\u{FE00}'..='\u{FE2F}'
        | '\u{200C}'..='\u{200D}'
    )
}
