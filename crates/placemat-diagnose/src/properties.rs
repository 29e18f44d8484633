//! The Unicode properties of a code point, as the command and the page show them.

use crate::names;
use crate::words::is_printable;
use placemat::CodePoint;
use std::borrow::Cow;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory as _};
use unicode_script::UnicodeScript as _;
use unicode_width::UnicodeWidthChar as _;

/// The properties of a code point.
///
/// ```
/// use placemat_diagnose::properties::Properties;
/// let euro = Properties::of('€'.into());
/// assert_eq!((&*euro.name, euro.category, euro.script, euro.width), ("EURO SIGN", "Sc", "Common", 1));
/// // A bidi control would change the line it is shown in.
/// assert_eq!(Properties::of('\u{202E}'.into()).shown, r"\u{202e}");
/// ```
#[derive(Clone, Debug)]
pub struct Properties {
    /// The name, the alias of a control, or a label in angle brackets.
    pub name: Cow<'static, str>,
    /// General category, two letters.
    pub category: &'static str,
    /// The script.
    pub script: &'static str,
    /// Columns on a terminal.
    pub width: usize,
    /// The character, on a dotted circle if it needs a base; escaped if it is not visible or has another effect.
    pub shown: String,
}

impl Properties {
    /// Returns the properties of `c`.
    #[must_use]
    pub fn of(c: CodePoint) -> Self {
        let Some(c) = c.to_char() else {
            let (name, category) = if c.is_surrogate() {
                (format!("<surrogate-{:04X}>", c.value()), "Cs")
            } else {
                ("<beyond the last code point of Unicode>".into(), "")
            };
            let shown = format!("\\u{{{:x}}}", c.value());
            return Self { name: name.into(), category, script: "Unknown", width: 0, shown };
        };
        let category = c.general_category();
        Self {
            name: name(c, category),
            category: abbreviation(category),
            script: c.script().full_name(),
            width: c.width().unwrap_or(0),
            shown: shown(c, category),
        }
    }
}

fn shown(c: char, category: GeneralCategory) -> String {
    match c {
        '\t' => r"\t".into(),
        '\n' => r"\n".into(),
        '\r' => r"\r".into(),
        '\0'..='\x1F' | '\x7F' => format!(r"\x{:02x}", u32::from(c)),
        _ if matches!(category, GeneralCategory::NonspacingMark | GeneralCategory::EnclosingMark) => {
            format!("\u{25CC}{c}")
        }
        _ if is_printable(c) => c.into(),
        _ => format!(r"\u{{{:x}}}", u32::from(c)),
    }
}

/// Returns the name, or the label of code points that have none (Unicode Standard, section 4.8); controls by their
/// aliases.
fn name(c: char, category: GeneralCategory) -> Cow<'static, str> {
    let value = u32::from(c);
    if let Some(name) = names::name(c) {
        return name.to_string().into();
    }
    let label = match category {
        GeneralCategory::Control => return control_name(c).into(),
        GeneralCategory::PrivateUse => "private-use",
        GeneralCategory::Unassigned if CodePoint::from(c).is_noncharacter() => "noncharacter",
        GeneralCategory::Unassigned => "reserved",
        _ => return "<assigned, name not known here>".into(),
    };
    format!("<{label}-{value:04X}>").into()
}

/// Returns the formal alias of a control (`NameAliases.txt`).
fn control_name(c: char) -> &'static str {
    const C0: [&str; 32] = [
        "NULL",
        "START OF HEADING",
        "START OF TEXT",
        "END OF TEXT",
        "END OF TRANSMISSION",
        "ENQUIRY",
        "ACKNOWLEDGE",
        "ALERT",
        "BACKSPACE",
        "CHARACTER TABULATION",
        "LINE FEED",
        "LINE TABULATION",
        "FORM FEED",
        "CARRIAGE RETURN",
        "SHIFT OUT",
        "SHIFT IN",
        "DATA LINK ESCAPE",
        "DEVICE CONTROL ONE",
        "DEVICE CONTROL TWO",
        "DEVICE CONTROL THREE",
        "DEVICE CONTROL FOUR",
        "NEGATIVE ACKNOWLEDGE",
        "SYNCHRONOUS IDLE",
        "END OF TRANSMISSION BLOCK",
        "CANCEL",
        "END OF MEDIUM",
        "SUBSTITUTE",
        "ESCAPE",
        "INFORMATION SEPARATOR FOUR",
        "INFORMATION SEPARATOR THREE",
        "INFORMATION SEPARATOR TWO",
        "INFORMATION SEPARATOR ONE",
    ];
    const C1: [&str; 33] = [
        "DELETE",
        "PADDING CHARACTER",
        "HIGH OCTET PRESET",
        "BREAK PERMITTED HERE",
        "NO BREAK HERE",
        "INDEX",
        "NEXT LINE",
        "START OF SELECTED AREA",
        "END OF SELECTED AREA",
        "CHARACTER TABULATION SET",
        "CHARACTER TABULATION WITH JUSTIFICATION",
        "LINE TABULATION SET",
        "PARTIAL LINE FORWARD",
        "PARTIAL LINE BACKWARD",
        "REVERSE LINE FEED",
        "SINGLE SHIFT TWO",
        "SINGLE SHIFT THREE",
        "DEVICE CONTROL STRING",
        "PRIVATE USE ONE",
        "PRIVATE USE TWO",
        "SET TRANSMIT STATE",
        "CANCEL CHARACTER",
        "MESSAGE WAITING",
        "START OF GUARDED AREA",
        "END OF GUARDED AREA",
        "START OF STRING",
        "SINGLE GRAPHIC CHARACTER INTRODUCER",
        "SINGLE CHARACTER INTRODUCER",
        "CONTROL SEQUENCE INTRODUCER",
        "STRING TERMINATOR",
        "OPERATING SYSTEM COMMAND",
        "PRIVACY MESSAGE",
        "APPLICATION PROGRAM COMMAND",
    ];
    let at = u32::from(c) as usize;
    C0.get(at).or_else(|| C1.get(at.wrapping_sub(0x7F))).copied().unwrap_or("<control>")
}

const fn abbreviation(category: GeneralCategory) -> &'static str {
    match category {
        GeneralCategory::UppercaseLetter => "Lu",
        GeneralCategory::LowercaseLetter => "Ll",
        GeneralCategory::TitlecaseLetter => "Lt",
        GeneralCategory::ModifierLetter => "Lm",
        GeneralCategory::OtherLetter => "Lo",
        GeneralCategory::NonspacingMark => "Mn",
        GeneralCategory::SpacingMark => "Mc",
        GeneralCategory::EnclosingMark => "Me",
        GeneralCategory::DecimalNumber => "Nd",
        GeneralCategory::LetterNumber => "Nl",
        GeneralCategory::OtherNumber => "No",
        GeneralCategory::ConnectorPunctuation => "Pc",
        GeneralCategory::DashPunctuation => "Pd",
        GeneralCategory::OpenPunctuation => "Ps",
        GeneralCategory::ClosePunctuation => "Pe",
        GeneralCategory::InitialPunctuation => "Pi",
        GeneralCategory::FinalPunctuation => "Pf",
        GeneralCategory::OtherPunctuation => "Po",
        GeneralCategory::MathSymbol => "Sm",
        GeneralCategory::CurrencySymbol => "Sc",
        GeneralCategory::ModifierSymbol => "Sk",
        GeneralCategory::OtherSymbol => "So",
        GeneralCategory::SpaceSeparator => "Zs",
        GeneralCategory::LineSeparator => "Zl",
        GeneralCategory::ParagraphSeparator => "Zp",
        GeneralCategory::Control => "Cc",
        GeneralCategory::Format => "Cf",
        GeneralCategory::Surrogate => "Cs",
        GeneralCategory::PrivateUse => "Co",
        GeneralCategory::Unassigned => "Cn",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(value: u32) -> Properties {
        Properties::of(CodePoint::new(value).unwrap_or_default())
    }

    #[test]
    fn names_and_labels() {
        for (value, name) in [
            (0x41, "LATIN CAPITAL LETTER A"),
            (0x0A, "LINE FEED"),
            (0x1F, "INFORMATION SEPARATOR ONE"),
            (0x7F, "DELETE"),
            (0x85, "NEXT LINE"),
            (0x9F, "APPLICATION PROGRAM COMMAND"),
            (0x20AC, "EURO SIGN"),
            (0x4E2D, "CJK UNIFIED IDEOGRAPH-4E2D"),
            (0x20C3, "UAE DIRHAM SIGN"),
            (0x17000, "TANGUT IDEOGRAPH-17000"),
            (0xAC00, "HANGUL SYLLABLE GA"),
            (0xD800, "<surrogate-D800>"),
            (0xE000, "<private-use-E000>"),
            (0xFFFE, "<noncharacter-FFFE>"),
            (0xFDD0, "<noncharacter-FDD0>"),
            (0x0378, "<reserved-0378>"),
            (0x7FFF_FFFF, "<beyond the last code point of Unicode>"),
        ] {
            assert_eq!(of(value).name, name);
        }
    }

    #[test]
    fn what_does_not_show_itself_is_escaped() {
        for (value, shown) in [
            (0x0A, r"\n"),
            (0x1B, r"\x1b"),
            (0x202E, r"\u{202e}"),
            (0x301, "\u{25CC}\u{301}"),
            (0xFEFF, r"\u{feff}"),
            (0xE000, r"\u{e000}"),
            (0xD800, r"\u{d800}"),
            (0x1F600, "😀"),
        ] {
            assert_eq!(of(value).shown, shown);
        }
    }
}
