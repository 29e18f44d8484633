//! Twins: one character with two code points, because vendors mapped the same code of a charset differently, or Unicode
//! has the character twice.
//!
//! `Shift_JIS` 8160 is U+301C for JIS and U+FF5E for Microsoft, so that text from one fails in the encoding of the
//! other. A twin
//! looks the same and means the same, unlike the similar text of a transliteration:
//!
//! | characters | twins because |
//! | --- | --- |
//! | 〜 ～, ‖ ∥, − －, ¢ ￠, £ ￡, ¬ ￢, — ― | vendors of Japanese and Korean charsets differ |
//! | ¥ ￥, ₩ ￦, ¦ ￤, ¯ ￣, · ‧ ・ | a charset has only the wide one, or only the narrow one |
//! | µ μ, Å Å, Ω Ω, CJK compatibility ideographs | Unicode has the character twice |
//! | ș ş, ț ţ | old Romanian text has the cedilla |
//! | ي ی, ك ک, Arabic presentation forms | charsets have letters, or only their shapes |
//! | Thai marks at U+F700 to U+F71A, U+0E33 | fonts for Windows had shapes in the private use area |
//!
//! ```
//! use placemat::{Encoding, stream::Transcoder, twins::{self, Twins}};
//! assert_eq!(twins::of('〜').collect::<Vec<_>>(), ["～", "∼"]);
//! let cp932 = Encoding::for_label("cp932").unwrap();
//! let mut transcoder = Transcoder::new(Encoding::UTF_8, cp932).on_unmappable(Twins::new(cp932));
//! assert_eq!(transcoder.transcode("〜".as_bytes()).unwrap(), b"\x81\x60");
//! ```

#![forbid(unsafe_code)]

use crate::held::holds;
use placemat_charsets::Encoding;
use placemat_core::policy::{OnUnmappable, Replacement, Substitute};
use placemat_core::{Unmappable, UnmappablePolicy};

/// The twins of each character: lines in order, with the character and its twins.
const TABLE: &str = include_str!("twins.txt");

/// The longest twin in bytes.
const MAX_TWIN_BYTES: usize = 6;

/// Returns the twins of a character, the best first. Some are two characters.
///
/// ```
/// use placemat::twins;
/// assert_eq!(twins::of('µ').collect::<Vec<_>>(), ["μ"]);
/// assert_eq!(twins::of('ﻻ').collect::<Vec<_>>(), ["لا"]);
/// assert_eq!(twins::of('é').count(), 0);
/// ```
pub fn of(c: char) -> impl Iterator<Item = &'static str> {
    find(c).split(' ').filter(|twin| !twin.is_empty())
}

/// Looks a character up by binary search over lines of different lengths.
fn find(c: char) -> &'static str {
    let (mut low, mut high) = (0, TABLE.len());
    while low < high {
        let before = &TABLE.as_bytes()[..low.midpoint(high)];
        let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let end = TABLE[start..].find('\n').map_or(TABLE.len(), |len| start + len);
        let line = &TABLE[start..end];
        match line.chars().next().map(|found| found.cmp(&c)) {
            Some(core::cmp::Ordering::Equal) => return line.split_once(' ').map_or("", |(_, twins)| twins),
            Some(core::cmp::Ordering::Less) => low = end + 1,
            _ => high = start,
        }
    }
    ""
}

/// Writes the twin of a code point that the target cannot represent; asks another policy if there is none.
///
/// ```
/// use placemat::{Encoding, UnmappablePolicy, stream::Transcoder, twins::Twins};
/// let latin1 = Encoding::ISO_8859_1;
/// let policy = Twins::new(latin1).then(UnmappablePolicy::Replace);
/// assert_eq!((policy.twin('μ'), policy.twin('€')), (Some("µ"), None));
/// let bytes = Transcoder::new(Encoding::UTF_8, latin1).on_unmappable(policy).transcode("5 μm, 5 €".as_bytes());
/// assert_eq!(bytes.unwrap(), b"5 \xB5m, 5 ?");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Twins<P = UnmappablePolicy<'static>> {
    target: Encoding,
    rest: P,
}

impl Twins {
    /// Returns a policy for a target. It stops at code points without a twin.
    #[must_use]
    pub const fn new(target: Encoding) -> Self {
        Self { target, rest: UnmappablePolicy::Stop }
    }
}

impl<P> Twins<P> {
    /// Returns this policy with another one for code points without a twin.
    ///
    /// ```
    /// use placemat::{Encoding, UnmappablePolicy, twins::Twins};
    /// let policy = Twins::new(Encoding::US_ASCII).then(UnmappablePolicy::Skip);
    /// assert_eq!(policy.twin('−'), None);
    /// ```
    #[must_use]
    pub fn then<Q>(self, rest: Q) -> Twins<Q> {
        Twins { target: self.target, rest }
    }

    /// Returns the best twin of a character that the target can represent.
    ///
    /// ```
    /// use placemat::{Encoding, twins::Twins};
    /// assert_eq!(Twins::new(Encoding::ISO_8859_2).twin('ș'), Some("ş"));
    /// ```
    #[must_use]
    pub fn twin(&self, c: char) -> Option<&'static str> {
        of(c).find(|twin| holds(self.target, twin))
    }
}

impl<P: OnUnmappable> OnUnmappable for Twins<P> {
    fn handle(&mut self, unmappable: &Unmappable) -> Substitute<'_> {
        let twin = unmappable.code_point().to_char().and_then(|c| self.twin(c));
        match twin.and_then(Replacement::new) {
            Some(twin) => Substitute::Text(twin),
            None => self.rest.handle(unmappable),
        }
    }

    fn longest(&self) -> usize {
        self.rest.longest().max(MAX_TWIN_BYTES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_its_lines_are_found() {
        let mut before = '\0';
        for line in TABLE.lines() {
            let (c, twins) = line.split_once(' ').expect("a character and its twins");
            let c = c.chars().next().expect("a character");
            assert!(before < c, "{c:?}");
            before = c;
            assert_eq!(find(c), twins);
            assert!(of(c).all(|twin| twin.len() <= MAX_TWIN_BYTES && !twin.contains(c)), "{line}");
            assert!((1..=5).contains(&of(c).count()), "{line}");
        }
        // JIS X 0201 has neither of these, and JIS X 0213 has them in full width.
        let sjis = Twins::new(Encoding::SHIFT_JIS_2004);
        assert_eq!((sjis.twin('\\'), sjis.twin('~')), (Some("＼"), Some("～")));
        assert!("aé\u{10FFFF}\0\u{301D}".chars().all(|c| find(c).is_empty()));
    }
}
