//! The meaning of bytes below 80 in an encoding, and whether they can be mistaken for markup.

use crate::families::UTF_7;
use placemat::Encoding;

/// Encodings in which bytes below 80 are ASCII or later bytes of a sequence.
const IN_SEQUENCES: [Encoding; 12] = [
    Encoding::UTF_1,
    Encoding::EUC_KR,
    Encoding::GB18030,
    Encoding::GBK,
    Encoding::BIG5,
    Encoding::SHIFT_JIS,
    Encoding::BIG5_HKSCS,
    Encoding::JOHAB,
    Encoding::IBM943,
    Encoding::SHIFT_JIS_2004,
    Encoding::SHIFT_JIS_STRICT,
    Encoding::BOCU_1,
];

/// Encodings other than UTF-7 in which shifts decide what bytes below 80 mean.
const SHIFTED: [Encoding; 12] = [
    Encoding::SCSU,
    Encoding::MARC_8,
    Encoding::HZ_GB_2312,
    Encoding::ISO_2022_JP,
    Encoding::ISO_2022_KR,
    Encoding::ISO_2022_CN,
    Encoding::ISO_2022_CN_EXT,
    Encoding::ISO_2022_JP_1,
    Encoding::ISO_2022_JP_2,
    Encoding::ISO_2022_JP_3,
    Encoding::ISO_2022_JP_2004,
    Encoding::ISO_2022_JP_EXT,
];

/// The meaning of bytes below 80 in an encoding. All but [`Always`](Self::Always) are unsafe for markup: text to a
/// filter can be a tag to the reader, or the other way round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AsciiBytes {
    /// The byte is always an ASCII character, and no other byte is.
    Always,
    /// The byte is an ASCII character, or a later byte of a sequence.
    InSequences,
    /// The byte is an ASCII character or other text, depending on the shift before it.
    Shifted,
    /// The byte is never an ASCII character.
    Never,
}

impl AsciiBytes {
    /// Returns the class of `encoding`.
    pub(crate) fn of(encoding: Encoding) -> Self {
        if encoding.is_ascii_compatible() {
            return Self::Always;
        }
        if IN_SEQUENCES.contains(&encoding) {
            Self::InSequences
        } else if UTF_7.contains(&encoding) || SHIFTED.contains(&encoding) {
            Self::Shifted
        } else {
            Self::Never
        }
    }

    /// Returns a description in words.
    pub(crate) const fn describe(self) -> &'static str {
        match self {
            Self::Always => "bytes below 80 are ASCII, always and only",
            Self::InSequences => "bytes below 80 are ASCII or later bytes of a sequence: unsafe for markup",
            Self::Shifted => "bytes below 80 are ASCII or other text, as shifts say: unsafe for markup",
            Self::Never => "bytes below 80 are not ASCII: unsafe for markup",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_safe_only_where_ascii_is() {
        for &encoding in Encoding::ALL {
            let always = AsciiBytes::of(encoding) == AsciiBytes::Always;
            assert_eq!(always, encoding.is_ascii_compatible(), "{encoding}");
        }
    }
}
