//! The states of ISO-2022-JP.

use placemat_core::forms::descriptor::{Carried, Words};

/// The sets that an escape designates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum Set {
    #[default]
    Ascii,
    Roman,
    Katakana,
    Jis0208,
}

impl Set {
    /// Returns the set that the escape sequence at the start of `src` designates, if it is one.
    #[inline]
    pub(super) const fn after_escape(src: &[u8]) -> Option<Self> {
        Some(match src {
            [0x1B, b'(', b'B', ..] => Self::Ascii,
            [0x1B, b'(', b'J', ..] => Self::Roman,
            [0x1B, b'(', b'I', ..] => Self::Katakana,
            [0x1B, b'$', b'@' | b'B', ..] => Self::Jis0208,
            _ => return None,
        })
    }

    pub(super) const fn escape(self) -> [u8; 3] {
        match self {
            Self::Ascii => *b"\x1B(B",
            Self::Roman => *b"\x1B(J",
            Self::Katakana => *b"\x1B(I",
            Self::Jis0208 => *b"\x1B$B",
        }
    }
}

/// The designated set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Iso2022JpState {
    pub(super) set: Set,
    /// Whether no text has been read since the last escape.
    pub(super) escaped: bool,
}

impl Carried for Iso2022JpState {
    const START: Words = Words::new([]);
    #[inline]
    fn take(_: u16, words: &Words) -> Self {
        let set = [Set::Ascii, Set::Roman, Set::Katakana, Set::Jis0208][(words.0[0] & 3) as usize];
        Self { set, escaped: words.0[1] != 0 }
    }
    #[inline]
    fn put(self, words: &mut Words) {
        words.0[..2].copy_from_slice(&[self.set as u32, self.escaped.into()]);
    }
}
