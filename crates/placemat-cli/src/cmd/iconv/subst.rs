//! `--unicode-subst` and `--byte-subst`: a text with a number in it, written as printf would.

use clap::builder::{StringValueParser, TypedValueParser, ValueParserFactory};
use core::fmt::Write as _;
use placemat::Replacement;

/// A format of libiconv's: `<U+%04X>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Format {
    before: String,
    number: Option<Number>,
    after: String,
}

/// The format of the number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Number {
    base: Base,
    /// `#`: with `0x`, `0X` or a leading zero.
    marked: bool,
    /// `0`, for the width; `-`.
    zeros: bool,
    left: bool,
    /// `+` or a space, printed before numbers that are not negative.
    sign: Option<char>,
    width: usize,
    digits: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Base {
    Signed,
    Decimal,
    Octal,
    Hex,
    UpperHex,
}

/// The maximum width of a number, and the maximum length of the text around it: together they fit into a replacement.
const WIDEST: usize = 128;
const LONGEST: usize = Replacement::MAX_BYTES - WIDEST - 2;

impl Format {
    /// Returns the format, or the reason why the text is not one.
    pub(super) fn new(text: &str) -> Result<Self, String> {
        let mut format = Self { before: String::new(), number: None, after: String::new() };
        let mut rest = text;
        while let Some((literal, tail)) = rest.split_once('%') {
            format.literal(literal);
            if let Some(tail) = tail.strip_prefix('%') {
                format.literal("%");
                rest = tail;
                continue;
            }
            let (number, tail) = Number::new(tail)?;
            if format.number.replace(number).is_some() {
                return Err("has more than one number".into());
            }
            rest = tail;
        }
        format.literal(rest);
        if format.before.len() + format.after.len() > LONGEST {
            return Err("is too long".into());
        }
        Ok(format)
    }

    fn literal(&mut self, text: &str) {
        if self.number.is_none() { self.before.push_str(text) } else { self.after.push_str(text) }
    }

    /// Appends the text with a number in it.
    pub(super) fn write(&self, value: u32, to: &mut String) {
        to.push_str(&self.before);
        if let Some(number) = self.number {
            number.write(value, to);
        }
        to.push_str(&self.after);
    }
}

impl Number {
    /// Returns the number format after the `%`, and the rest of the text.
    fn new(text: &str) -> Result<(Self, &str), String> {
        let end = text.find(|c: char| !"#0- +".contains(c)).unwrap_or(text.len());
        let (flags, rest) = text.split_at(end);
        let (width, rest) = number(rest)?;
        let (digits, rest) = match rest.strip_prefix('.') {
            Some(rest) => number(rest).map(|(digits, rest)| (Some(digits.unwrap_or(0)), rest))?,
            None => (None, rest),
        };
        let rest = rest.trim_start_matches(['h', 'l', 'j', 'z', 't']);
        let mut rest = rest.chars();
        let base = match rest.next() {
            Some('d' | 'i') => Base::Signed,
            Some('u') => Base::Decimal,
            Some('o') => Base::Octal,
            Some('x') => Base::Hex,
            Some('X') => Base::UpperHex,
            _ => return Err("has a % directive other than %d, %u, %o, %x, %X, %%".into()),
        };
        let left = flags.contains('-');
        let sign = if flags.contains('+') { Some('+') } else { flags.contains(' ').then_some(' ') };
        let this = Self {
            base,
            marked: flags.contains('#'),
            // As in C, a precision turns off zero padding.
            zeros: flags.contains('0') && !left && digits.is_none(),
            left,
            sign: sign.filter(|_| base == Base::Signed),
            width: width.unwrap_or(0),
            digits,
        };
        Ok((this, rest.as_str()))
    }

    fn write(self, value: u32, to: &mut String) {
        let mut number = match self.base {
            Base::Signed | Base::Decimal => value.to_string(),
            Base::Octal => format!("{value:o}"),
            Base::Hex => format!("{value:x}"),
            Base::UpperHex => format!("{value:X}"),
        };
        if value == 0 && self.digits == Some(0) {
            number.clear();
        }
        while number.len() < self.digits.unwrap_or(0) {
            number.insert(0, '0');
        }
        let mark = match self.base {
            Base::Octal if self.marked && !number.starts_with('0') => "0",
            Base::Hex if self.marked && value != 0 => "0x",
            Base::UpperHex if self.marked && value != 0 => "0X",
            _ => "",
        };
        let mut mark = mark.to_owned();
        mark.extend(self.sign);
        let missing = self.width.saturating_sub(mark.len() + number.len());
        let (blanks, zeros) = if self.zeros { (0, missing) } else { (missing, 0) };
        let (before, after) = if self.left { (0, blanks) } else { (blanks, 0) };
        let _ = write!(to, "{:before$}{mark}{:0<zeros$}{number}{:after$}", "", "", "");
    }
}

/// Returns a number of at most [`WIDEST`], if there is one, and the rest of the text.
fn number(text: &str) -> Result<(Option<usize>, &str), String> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    if digits.is_empty() {
        return Ok((None, rest));
    }
    match digits.parse() {
        Ok(number) if number <= WIDEST => Ok((Some(number), rest)),
        _ => Err(format!("is wider than {WIDEST}")),
    }
}

impl ValueParserFactory for Format {
    type Parser = clap::builder::ValueParser;
    fn value_parser() -> Self::Parser {
        StringValueParser::new().try_map(|text| Self::new(&text).map_err(crate::refused::Refused::new)).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_printf_has_it() {
        for (format, value, want) in [
            ("<U+%04X>", 0x20AC, "<U+20AC>"),
            ("<U+%04X>", 0xE9, "<U+00E9>"),
            ("\\x%02x", 7, "\\x07"),
            ("%%%u%%", 8364, "%8364%"),
            ("&#%d;", 233, "&#233;"),
            ("?", 1, "?"),
            ("", 1, ""),
            ("%#x %%", 255, "0xff %"),
            ("[%6d]", 42, "[    42]"),
            ("[%-6d]", 42, "[42    ]"),
            ("[%+d]", 42, "[+42]"),
            ("[%#o]", 8, "[010]"),
            ("[%8.4x]", 0xAB, "[    00ab]"),
            ("[%#08X]", 0xAB, "[0X0000AB]"),
            ("%lx", 0xAB, "ab"),
        ] {
            let mut text = String::new();
            Format::new(format).unwrap().write(value, &mut text);
            assert_eq!(text, want, "{format}");
        }
        for format in ["%", "%s", "%x%x", "%999x", "%*x", "%n", "%99999999999999999999x"] {
            assert!(Format::new(format).is_err(), "{format}");
        }
        assert!(Format::new(&"x".repeat(2000)).is_err());
    }
}
