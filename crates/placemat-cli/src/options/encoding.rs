//! Encodings as arguments: by any label, with a suggestion for an unknown one.

use super::typed::{Typed, typed};
use crate::refused::Refused;
use crate::shown::escaped;
use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command};
use placemat::label::Meaning;
use placemat::{Encoding, UnknownEncoding};
use std::ffi::{OsStr, OsString};

/// A value parser that offers names to completion, and may also take others.
#[derive(Clone, Debug)]
pub(crate) struct Offering<T> {
    pub(crate) parse: fn(&str) -> Result<T, Refused>,
    pub(crate) names: fn() -> Vec<PossibleValue>,
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for Offering<T> {
    type Value = T;

    fn parse_ref(&self, cmd: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<T, clap::Error> {
        self.parse.parse_ref(cmd, arg, &OsString::from(value.to_string_lossy().as_ref()))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.names)().into_iter()))
    }
}

/// The value parser of encodings: `#[arg(value_parser = ENCODING)] from: Encoding`. Any label is taken.
pub(crate) const ENCODING: Offering<Encoding> = Offering { parse: parse_encoding, names: encoding_names };

/// Like [`ENCODING`], for options that also do what a label asks for besides its encoding.
pub(crate) const MEANING: Offering<Meaning> = Offering { parse: parse_meaning, names: meaning_names };

fn encoding_names() -> Vec<PossibleValue> {
    Encoding::ALL.iter().map(|encoding| PossibleValue::new(encoding.name().to_ascii_lowercase())).collect()
}

pub(crate) fn meaning_names() -> Vec<PossibleValue> {
    encoding_names().into_iter().chain(["utf-8-mac", "utf-8n"].map(PossibleValue::new)).collect()
}

/// `-f`: an encoding, or `auto`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Given<E = Encoding> {
    /// The encoding that detection finds.
    Auto,
    Named(E),
}

impl<E> Given<E> {
    /// Returns the encoding, if it is named.
    pub(crate) fn named(self) -> Option<E> {
        match self {
            Self::Auto => None,
            Self::Named(encoding) => Some(encoding),
        }
    }
}

/// Like another parser of encodings, for options that also accept `auto`.
#[derive(Clone, Debug)]
pub(crate) struct OrAuto<P>(pub(crate) P);

impl<P: TypedValueParser> TypedValueParser for OrAuto<P>
where
    P::Value: Send + Sync + Clone,
{
    type Value = Given<P::Value>;

    fn parse_ref(&self, cmd: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Self::Value, clap::Error> {
        if value.eq_ignore_ascii_case("auto") {
            return Ok(Given::Auto);
        }
        self.0.parse_ref(cmd, arg, value).map(Given::Named)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(core::iter::once(PossibleValue::new("auto")).chain(self.0.possible_values()?)))
    }
}

/// Returns the encoding of a label, or a suggestion.
pub(crate) fn parse_encoding(label: &str) -> Result<Encoding, Refused> {
    label.parse().or_else(|unknown| match found(label, &unknown) {
        Some(Typed::One(meaning)) => Ok(meaning.encoding),
        found => Err(refused(label, unknown, found)),
    })
}

/// Returns the meaning of a label, or a suggestion.
pub(crate) fn parse_meaning(label: &str) -> Result<Meaning, Refused> {
    Meaning::of(label).or_else(|unknown| match found(label, &unknown) {
        Some(Typed::One(meaning)) => Ok(meaning),
        found => Err(refused(label, unknown, found)),
    })
}

/// Returns the meaning of a name that is no label, unless the library explains it.
fn found(label: &str, unknown: &UnknownEncoding) -> Option<Typed> {
    if unknown.about().is_some() { None } else { typed(label) }
}

/// Why a label is refused, and what to use.
fn refused(label: &str, unknown: UnknownEncoding, found: Option<Typed>) -> Refused {
    let shown = escaped(label.as_ref());
    if let Some(Typed::Several(about)) = found {
        return Refused::new(format!("\"{shown}\" is not one encoding: {about}"));
    }
    if let Some(about) = unknown.about() {
        let hint = if Meaning::of(label).is_ok() {
            " (`placemat convert` and `placemat iconv` take the label, and change the form)"
        } else {
            ""
        };
        return Refused::new(format!("unknown encoding \"{shown}\": {about}{hint}"));
    }
    // The label of a known encoding is not a typing error: a suggestion would not help.
    if is_known_elsewhere(label) {
        return Refused::new(format!("encoding \"{shown}\" is not supported"));
    }
    Refused::new(match similar(label) {
        Some(near) => format!("unknown encoding \"{shown}\" (did you mean {near}?)"),
        None => format!("unknown encoding \"{shown}\" (`placemat encodings` lists them)"),
    })
}

/// Letters and digits of a label, lower case.
fn folded(label: &str) -> String {
    label.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// Encodings of other programs, folded. Those with numbers are in [`NUMBERED`].
const KNOWN_ELSEWHERE: &[&str] = &["koi8e", "koi8f", "mulelao1", "optu16", "optu8", "tds565", "wtf16"];

/// The text before a number in names of encodings.
const NUMBERED: &[&str] =
    &["ccsid", "codepage", "cp", "csibm", "dos", "ebcdiccp", "ibm", "isoir", "ms", "win", "windows"];

/// Returns `true` if a label names a known encoding that is not supported.
fn is_known_elsewhere(label: &str) -> bool {
    let label = folded(label);
    let plain = label.strip_prefix("cs").unwrap_or(&label);
    let plain = plain.strip_prefix('x').unwrap_or(plain);
    let numbered = |label: &str| {
        NUMBERED.iter().any(|prefix| {
            let Some(number) = label.strip_prefix(prefix) else { return false };
            // windows-31j
            let word = number.trim_start_matches(|c: char| c.is_ascii_digit());
            number.len() - word.len() >= 2 && word.len() <= 2
        }) || label.starts_with("iso2022")
    };
    [label.as_str(), plain].into_iter().any(|label| KNOWN_ELSEWHERE.contains(&label) || numbered(label))
}

/// Returns the name of the encoding most similar to `label`, in lower case, if there is one.
fn similar(label: &str) -> Option<String> {
    let label = folded(label);
    // The number of letters that may be wrong, missing, added or swapped.
    let slips = match label.len() {
        3..=6 => 1,
        7..=64 => 2,
        _ => return None,
    };
    let mut best: Option<(usize, String)> = None;
    for encoding in Encoding::ALL {
        let names = encoding.names();
        for known in core::iter::once(names.name).chain(names.labels) {
            let distance = strsim::osa_distance(&folded(known), &label);
            if distance <= slips && best.as_ref().is_none_or(|(least, _)| distance < *least) {
                best = Some((distance, names.name.to_ascii_lowercase()));
            }
        }
    }
    best.map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggestions() {
        for (label, near) in [
            ("utf9", "utf-8"),
            ("uft-16", "utf-16"),
            ("iso-8858-1", "iso-8859-1"),
            ("lattin1", "iso-8859-1"),
            ("user-defined", "x-user-defined"),
        ] {
            assert_eq!(similar(label).as_deref(), Some(near), "{label}");
            assert!(!is_known_elsewhere(label), "{label}");
        }
        for label in ["zzzz", "", "u", "utf-64", "klingon", "iso", "auto", "text", "€"] {
            assert_eq!(similar(label), None, "{label}");
            assert!(!is_known_elsewhere(label), "{label}");
        }
    }

    #[test]
    fn encodings_of_others_are_known() {
        let labels = "MULELAO-1 koi8-e x-ISO-2022-CN-GB ISO2022-JP-9 KOI8-F wtf-16 cp9999 ibm-99 \
                      windows-99 x-cp20 ccsid12345";
        for label in labels.split_whitespace() {
            assert!(is_known_elsewhere(label), "{label}");
            let refused = parse_encoding(label).map_err(|e| e.to_string());
            assert_eq!(refused, Err(format!("encoding \"{label}\" is not supported")));
        }
        for label in ["iso-8859-12", "iso-8859-17", "utf9", "utf-18", "utf-8b", "cp", "windows"] {
            assert!(!is_known_elsewhere(label), "{label}");
        }
    }

    #[test]
    fn encodings_that_were_to_come_are_here() {
        let labels = "windows-1252 cp1252 CP-1250 win1251 x-cp1251 iso-8859-2 ISO_8859-15:1998 iso8859-16 iso-8859-8-i \
                      csISOLatin2 latin2 latin10 koi8-r KOI8-U shift_jis sjis windows-31j euc-jp euc-kr gbk gb18030 \
                      gb2312 big5 big5-hkscs utf-7 utf-1 utf-ebcdic wtf-8 cesu-8 mutf-8 scsu bocu-1 ibm037 ibm-850 \
                      macintosh mac-cyrillic x-mac-cyrillic cp437 iso-2022-jp hz-gb-2312 marc-8 \
                      iso-2022-jp-1 iso2022_jp_2 ISO2022JP3 iso2022_jp_2004 iso2022_jp_ext csISO2022JP2 ISO-2022-CN-EXT ISO2022CNEXT \
                      ibm943 cp1364 IBM-1371 x-IBM1388 csIBM1390 ibm-1399 \
                      NeXTSTEP keybcs2 cp895 kamenicky Mazovia CP-790 cp667 AtariST atari KOI-8_L2 \
                      KOI-8_CS2 riscos-latin1 petscii C64 ATASCII teletext-de cp437-graphics nfo gsm-turkish \
                      big5-eten big5-uao ansel gedcom tscii ISCII x-iscii91 windows-57003";
        for label in labels.split_whitespace() {
            assert!(parse_encoding(label).is_ok(), "{label}");
        }
    }

    #[test]
    fn utf_8_of_apple_is_for_conversions() {
        for label in ["utf-8-mac", "UTF8-MAC", "utf-8-hfs"] {
            assert!(parse_meaning(label).is_ok_and(|meaning| meaning.apple), "{label}");
            let refused = parse_encoding(label).map_err(|e| e.to_string());
            assert!(
                refused.is_err_and(|e| e.contains("HFS+") && e.contains("`placemat convert`")),
                "{label}"
            );
        }
        assert_eq!(parse_meaning("utf8").ok(), Some(Encoding::UTF_8.into()));
    }

    #[test]
    fn names_that_are_no_encodings_are_explained() {
        for (name, about) in placemat::label::no_encodings() {
            let refused = parse_encoding(name).map_err(|e| e.to_string());
            assert!(refused.is_err_and(|e| e.contains(about)), "{name}");
        }
        let refused = parse_encoding("UTF-9").map_err(|e| e.to_string()).unwrap_err();
        assert!(
            refused.starts_with("unknown encoding \"UTF-9\": ") && refused.ends_with("; use utf-8"),
            "{refused}"
        );
    }
}
