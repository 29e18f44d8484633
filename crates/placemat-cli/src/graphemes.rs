//! Extended grapheme clusters (UAX #29), one code point at a time, in constant memory.
//!
//! The crate that knows the rules takes whole strings, and a cluster may be as long as a file. So it is asked once about each
//! code point, beside others whose part in the rules is known, and that gives the class of the code point; the rules over
//! the classes are below, numbered as in the annex. The tests compare them with what the crate says of whole strings.

use unicode_segmentation::UnicodeSegmentation as _;

/// Code points of a page.
const PAGE: usize = 256;

/// `Grapheme_Cluster_Break`, with `Extended_Pictographic` for one of its values: the two never meet in a code point that
/// the rules tell apart.
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

/// `Indic_Conjunct_Break`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Conjunct {
    #[default]
    None,
    Consonant,
    Extend,
    Linker,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Class {
    grapheme: Break,
    conjunct: Conjunct,
}

const CONSONANT: &str = "\u{915}";
const LINKER: &str = "\u{94D}";
const PICTOGRAPH: &str = "\u{1F600}";
const ZWJ: &str = "\u{200D}";

/// Returns `true` if the parts together are one cluster.
fn is_one(parts: &[&str]) -> bool {
    parts.concat().graphemes(true).count() == 1
}

impl Class {
    fn of(c: char) -> Self {
        let mut own = [0; 4];
        let own = &*c.encode_utf8(&mut own);
        let follows = |before: &str| is_one(&[before, own]);
        let precedes = |after: &str| is_one(&[own, after]);
        let grapheme = match c {
            '\r' => Break::Cr,
            '\n' => Break::Lf,
            '\u{200D}' => Break::Zwj,
            _ if !precedes("\u{301}") => Break::Control,
            _ if follows("a") && is_one(&[PICTOGRAPH, own, ZWJ, PICTOGRAPH]) => Break::Extend,
            _ if follows("a") => Break::SpacingMark,
            _ if precedes("a") => Break::Prepend,
            _ if precedes("\u{1F1E6}") => Break::RegionalIndicator,
            _ if is_one(&[own, ZWJ, PICTOGRAPH]) => Break::Pictographic,
            // L before L, V before V, T before T only; LV and LVT after L, before V or not.
            _ if precedes("\u{1100}") => Break::L,
            _ if follows("\u{1100}") && precedes("\u{1161}") => {
                if follows("\u{AC00}") {
                    Break::V
                } else {
                    Break::Lv
                }
            }
            _ if precedes("\u{11A8}") => {
                if follows("\u{AC01}") {
                    Break::T
                } else {
                    Break::Lvt
                }
            }
            _ => Break::Other,
        };
        let conjunct = if is_one(&[CONSONANT, own, CONSONANT]) {
            Conjunct::Linker
        } else if is_one(&[CONSONANT, own, LINKER, CONSONANT]) {
            Conjunct::Extend
        } else if grapheme == Break::Other && is_one(&[CONSONANT, LINKER, own]) {
            Conjunct::Consonant
        } else {
            Conjunct::None
        };
        Self { grapheme, conjunct }
    }
}

/// The state on the way to an emoji that continues after a joiner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Emoji {
    #[default]
    None,
    /// A pictograph and its extenders.
    Begun,
    /// A pictograph, its extenders and a joiner.
    Joined,
}

/// The state on the way to a conjunct.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Linked {
    #[default]
    None,
    Begun,
    Joined,
}

/// Finds the starts of clusters.
#[derive(Debug)]
pub(crate) struct Clusters {
    /// The classes of the code points of each page used so far.
    pages: Vec<Option<Box<[Class; PAGE]>>>,
    /// The class of the last code point; there is none at the start.
    last: Option<Break>,
    /// Whether the last one is the first of a pair of regional indicators.
    odd: bool,
    emoji: Emoji,
    linked: Linked,
}

impl Clusters {
    pub(crate) fn new() -> Self {
        Self {
            pages: vec![None; 0x11_0000 / PAGE],
            last: None,
            odd: false,
            emoji: Emoji::None,
            linked: Linked::None,
        }
    }

    /// A new text begins.
    pub(crate) fn restart(&mut self) {
        (self.last, self.odd, self.emoji, self.linked) = Default::default();
    }

    fn class(&mut self, c: char) -> Class {
        let (page, place) = (c as usize / PAGE, c as usize % PAGE);
        self.pages[page].get_or_insert_with(|| {
            let of = |c| char::from_u32(c).map_or_else(Class::default, Class::of);
            let first = c as u32 / 256 * 256;
            let mut classes = Box::new([Class::default(); PAGE]);
            classes.iter_mut().zip(first..).for_each(|(class, c)| *class = of(c));
            classes
        })[place]
    }

    /// Returns `true` if a cluster begins with the next code point.
    pub(crate) fn begins(&mut self, c: char) -> bool {
        let Class { grapheme: next, conjunct } = self.class(c);
        let begins = match self.last {
            None => true, // GB1
            Some(last) => !self.joins(last, next, conjunct),
        };
        self.odd = next == Break::RegionalIndicator && (begins || !self.odd);
        self.emoji = match (next, self.emoji) {
            (Break::Pictographic, _) => Emoji::Begun,
            (Break::Extend, Emoji::Begun) => Emoji::Begun,
            (Break::Zwj, Emoji::Begun) => Emoji::Joined,
            _ => Emoji::None,
        };
        self.linked = match (conjunct, self.linked) {
            (Conjunct::Consonant, _) => Linked::Begun,
            (Conjunct::Linker, Linked::Begun) => Linked::Joined,
            (Conjunct::Linker | Conjunct::Extend, linked) => linked,
            (Conjunct::None, _) => Linked::None,
        };
        self.last = Some(next);
        begins
    }

    fn joins(&self, last: Break, next: Break, conjunct: Conjunct) -> bool {
        use Break::*;
        match (last, next) {
            (Cr, Lf) => true,                                                               // GB3
            (Cr | Lf | Control, _) | (_, Cr | Lf | Control) => false,                       // GB4, GB5
            (L, L | V | Lv | Lvt) | (Lv | V, V | T) | (Lvt | T, T) => true,                 // GB6 to GB8
            (_, Extend | Zwj | SpacingMark) | (Prepend, _) => true,                         // GB9, GB9a, GB9b
            (_, Other) => conjunct == Conjunct::Consonant && self.linked == Linked::Joined, // GB9c
            (Zwj, Pictographic) => self.emoji == Emoji::Joined,                             // GB11
            (RegionalIndicator, RegionalIndicator) => self.odd,                             // GB12, GB13
            _ => false,                                                                     // GB999
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(clusters: &mut Clusters, text: &str) -> usize {
        clusters.restart();
        text.chars().filter(|&c| clusters.begins(c)).count()
    }

    /// Some code points of every class, and all that a rule names.
    fn representatives() -> Vec<char> {
        let mut met: Vec<(Class, usize)> = Vec::new();
        let mut found = Vec::new();
        for c in ('\0'..=char::MAX).filter(|&c| c <= '\u{1FFFF}' || ('\u{E0000}'..='\u{E01FF}').contains(&c))
        {
            let class = Class::of(c);
            let at = met.iter().position(|&(known, _)| known == class).unwrap_or_else(|| {
                met.push((class, 0));
                met.len() - 1
            });
            met[at].1 += 1;
            if met[at].1.is_power_of_two() && met[at].1 <= 512 {
                found.push(c);
            }
        }
        assert!(met.len() >= 17, "{met:?}");
        found
    }

    #[test]
    fn clusters_are_those_of_the_crate_in_any_neighborhood() {
        let all = representatives();
        let mut clusters = Clusters::new();
        let mut state = 5_u64;
        let mut next = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        let rounds = if std::env::var_os("PLACEMAT_LONG").is_some() { 3_000_000 } else { 60_000 };
        for _ in 0..rounds {
            let few: Vec<char> = (0..4).map(|_| all[next(all.len())]).collect();
            let text: String = (0..2 + next(9)).map(|_| few[next(4)]).collect();
            assert_eq!(
                count(&mut clusters, &text),
                text.graphemes(true).count(),
                "{}",
                text.escape_unicode()
            );
        }
    }

    #[test]
    fn well_known_clusters() {
        let mut clusters = Clusters::new();
        for (text, want) in [
            ("", 0),
            ("\r\n\n\r", 3),
            ("e\u{301}\u{302}", 1),
            ("🇩🇪🇫🇷🇪", 3),
            ("👨‍👩‍👧‍👦👍🏽", 2),
            ("क्षि", 1),
            ("한국어각", 4),
            ("❤\u{FE0F}‍🔥", 1),
        ] {
            assert_eq!(count(&mut clusters, text), want, "{text}");
        }
    }
}
