//! `--errors`: one policy, or one for each kind of ill-formed input.

use crate::refused::Refused;
use clap::builder::{EnumValueParser, PossibleValue, TypedValueParser};
use clap::{Arg, Command, ValueEnum};
use placemat::policy::ByKind;
use std::ffi::OsStr;

/// The value of `--errors`.
#[derive(Clone, Debug)]
pub(super) struct ErrorsArg {
    /// The policy for all kinds that are not named, and for unmappable text.
    pub(super) all: Errors,
    /// The policies by kind, if kinds are named.
    pub(super) by_kind: Option<Box<ByKind<'static>>>,
}

/// A policy of `--errors`.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[value(rename_all = "lower")]
pub(super) enum Errors {
    /// Stop with a message that says where and why
    #[default]
    Strict,
    /// Insert U+FFFD, or the text of --replacement
    Replace,
    /// Insert ?
    Question,
    /// Drop it; dangerous, because it joins the text on both sides
    Ignore,
    /// Read the bytes as ISO-8859-1
    Latin1,
    /// Read the bytes as windows-1252
    Cp1252,
    /// Write \xHH for each byte, and \u20ac for an unmappable code point
    BackslashReplace,
    /// Read each byte as U+DC80..U+DCFF. An ASCII-compatible target gets the byte back; any other must have surrogates
    SurrogateEscape,
    /// Pass surrogates; stop at other errors
    #[value(alias = "pass")]
    SurrogatePass,
    /// Read each byte as U+EF80..U+EFFF; --unmappable optu writes the bytes back
    Optu,
    /// Like strict; write &#8364; for an unmappable code point
    XmlCharRefReplace,
    /// Like strict; write \N{EURO SIGN} for an unmappable code point
    NameReplace,
    /// Like strict; write similar text for an unmappable code point
    Translit,
}

/// The value parser: a policy, or policies with commas between them, each alone or as `KIND=POLICY`.
#[derive(Clone, Debug)]
pub(super) struct ErrorsParser;

impl TypedValueParser for ErrorsParser {
    type Value = ErrorsArg;

    fn parse_ref(&self, cmd: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<ErrorsArg, clap::Error> {
        let text = value.to_string_lossy();
        if text.contains([',', '=']) {
            return parse_by_kind.parse_ref(cmd, arg, OsStr::new(text.as_ref()));
        }
        let all = EnumValueParser::<Errors>::new().parse_ref(cmd, arg, value)?;
        Ok(ErrorsArg { all, by_kind: None })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Errors::value_variants().iter().filter_map(Errors::to_possible_value)))
    }
}

/// Returns the policies of a list.
fn parse_by_kind(list: &str) -> Result<ErrorsArg, Refused> {
    let mut all = Errors::Strict;
    // The library does not know the policies that are for unmappable text alone; they are strict about errors.
    let known = list.split(',').map(|item| match Errors::from_str(item, false) {
        Ok(policy) => {
            all = policy;
            if policy.is_for_unmappable() { "strict" } else { item }
        }
        Err(_) => item,
    });
    let known = known.collect::<Vec<_>>().join(",");
    match known.parse() {
        Ok(by_kind) => Ok(ErrorsArg { all, by_kind: Some(Box::new(by_kind)) }),
        Err(e) => Err(Refused::new(format!("--errors: {e}"))),
    }
}

impl Errors {
    /// Returns `true` if the policy concerns only unmappable text.
    const fn is_for_unmappable(self) -> bool {
        matches!(self, Self::XmlCharRefReplace | Self::NameReplace | Self::Translit)
    }
}
