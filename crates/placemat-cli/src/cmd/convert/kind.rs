//! The values of `--unwrap` and `--wrap`.

use clap::builder::PossibleValue;
use placemat::transfer::Transfer;

/// A KIND.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kind(pub(super) Transfer);

impl clap::ValueEnum for Kind {
    fn value_variants<'a>() -> &'a [Self] {
        &[
            Self(Transfer::QuotedPrintable),
            Self(Transfer::Base64),
            Self(Transfer::Base64Url),
            Self(Transfer::Percent),
            Self(Transfer::Form),
            Self(Transfer::References),
            Self(Transfer::Escapes),
        ]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = match self.0 {
            Transfer::QuotedPrintable => "mail: caf=C3=A9",
            Transfer::Base64 => "mail, in lines: Y2Fmw6k=",
            Transfer::Base64Url => "base64 with - and _ and without padding: Y2Fmw6k",
            Transfer::Percent => "URLs: caf%C3%A9",
            Transfer::Form => "HTML forms: percent, with + for a space",
            Transfer::References => "HTML and XML: caf&eacute; caf&#xE9;; the text is UTF-8",
            Transfer::Escapes => "JSON and source code: caf\\u00e9; the text is UTF-8",
            _ => return None,
        };
        Some(PossibleValue::new(self.0.name()).help(help))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::ValueEnum;

    #[test]
    fn every_transfer_encoding_is_a_kind() {
        let kinds: Vec<_> = Kind::value_variants().iter().map(|kind| kind.0).collect();
        assert_eq!(kinds, Transfer::ALL);
        assert!(Kind::value_variants().iter().all(|kind| kind.to_possible_value().is_some()));
    }
}
