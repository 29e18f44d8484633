//! Extended grapheme clusters (UAX #29), one code point at a time, in constant memory.
//!
//! The rules are numbered as in the annex. The properties are those of the crate `icu_properties`.

use icu_properties::props::{ExtendedPictographic, GraphemeClusterBreak, IndicConjunctBreak};
use icu_properties::{CodePointMapData, CodePointSetData};

/// `Grapheme_Cluster_Break`, with `Extended_Pictographic` for one of its values: all code points that have that property
/// are `Other`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Break {
    #[default]
    Other,
    Cr,
    Lf,
    Control,
    Extend,
    Zwj,
    SpacingMark,
    Prepend,
    RegionalIndicator,
    Pictographic,
    L,
    V,
    T,
    Lv,
    Lvt,
}

impl Break {
    fn of(c: char) -> Self {
        match CodePointMapData::<GraphemeClusterBreak>::new().get(c) {
            GraphemeClusterBreak::CR => Self::Cr,
            GraphemeClusterBreak::LF => Self::Lf,
            GraphemeClusterBreak::Control => Self::Control,
            GraphemeClusterBreak::Extend => Self::Extend,
            GraphemeClusterBreak::ZWJ => Self::Zwj,
            GraphemeClusterBreak::SpacingMark => Self::SpacingMark,
            GraphemeClusterBreak::Prepend => Self::Prepend,
            GraphemeClusterBreak::RegionalIndicator => Self::RegionalIndicator,
            GraphemeClusterBreak::L => Self::L,
            GraphemeClusterBreak::V => Self::V,
            GraphemeClusterBreak::T => Self::T,
            GraphemeClusterBreak::LV => Self::Lv,
            GraphemeClusterBreak::LVT => Self::Lvt,
            // Only two pictographs come before U+203C, and a search among all takes longer than the rest.
            _ if c < '\u{203C}' => {
                if matches!(c, '©' | '®') {
                    Self::Pictographic
                } else {
                    Self::Other
                }
            }
            _ if CodePointSetData::new::<ExtendedPictographic>().contains(c) => Self::Pictographic,
            _ => Self::Other,
        }
    }
}

/// Whether an emoji continues after the last code point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Emoji {
    #[default]
    None,
    /// After a pictograph and its extenders.
    Begun,
    /// After a pictograph, its extenders and a joiner.
    Joined,
}

/// Finds the starts of grapheme clusters in a text that comes in pieces.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clusters {
    /// The class of the last code point; `None` at the start of the text.
    last: Option<Break>,
    /// `true` if the last code point is the first of a pair of regional indicators.
    is_half_flag: bool,
    emoji: Emoji,
    /// `true` after `InCB=Linker InCB=Extend*`.
    is_linked: bool,
}

impl Clusters {
    /// Returns `true` if a cluster begins with the next code point.
    pub fn begins(&mut self, c: char) -> bool {
        // Most text: neither a control nor anything that a rule names, before and now.
        if matches!(c, ' '..='~') && self.last == Some(Break::Other) {
            (self.is_half_flag, self.emoji, self.is_linked) = Default::default();
            return true;
        }
        let next = Break::of(c);
        let conjunct = CodePointMapData::<IndicConjunctBreak>::new().get(c);
        let begins = match self.last {
            None => true, // GB1
            Some(last) => !self.joins(last, next, conjunct),
        };
        self.is_half_flag = next == Break::RegionalIndicator && (begins || !self.is_half_flag);
        self.emoji = match (next, self.emoji) {
            (Break::Pictographic, _) => Emoji::Begun,
            (Break::Extend, Emoji::Begun) => Emoji::Begun,
            (Break::Zwj, Emoji::Begun) => Emoji::Joined,
            _ => Emoji::None,
        };
        self.is_linked = match conjunct {
            IndicConjunctBreak::Linker => true,
            IndicConjunctBreak::Extend => self.is_linked,
            _ => false,
        };
        self.last = Some(next);
        begins
    }

    fn joins(&self, last: Break, next: Break, conjunct: IndicConjunctBreak) -> bool {
        use Break::*;
        match (last, next) {
            (Cr, Lf) => true,                                                         // GB3
            (Cr | Lf | Control, _) | (_, Cr | Lf | Control) => false,                 // GB4, GB5
            (L, L | V | Lv | Lvt) | (Lv | V, V | T) | (Lvt | T, T) => true,           // GB6 to GB8
            (_, Extend | Zwj | SpacingMark) | (Prepend, _) => true,                   // GB9, GB9a, GB9b
            _ if self.is_linked && conjunct == IndicConjunctBreak::Consonant => true, // GB9c
            (Zwj, Pictographic) => self.emoji == Emoji::Joined,                       // GB11
            (RegionalIndicator, RegionalIndicator) => self.is_half_flag,              // GB12, GB13
            _ => false,                                                               // GB999
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictographs_are_those_of_the_property() {
        for c in '\0'..=char::MAX {
            let is_pictograph = CodePointSetData::new::<ExtendedPictographic>().contains(c);
            assert_eq!(Break::of(c) == Break::Pictographic, is_pictograph, "U+{:04X}", u32::from(c));
        }
    }
}
