//! The features of a reading of a line, for it and against it: each weighs some nats.

use super::weights::WEIGHTS;

/// A feature of a reading. The features of a layer count half below another layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(super) enum Feature {
    /// A layer was taken off.
    Layer,
    /// The nats by which text is misread less often as the page than as windows-1252: see [`super::pages`].
    PageNats,
    /// The page is another one than those of the layers above.
    OtherPage,
    /// Nothing was odd in the text of the layer above.
    NeedlessLayer,
    /// The layer is of a page of its own, and has a single sequence.
    SingleSequenceLayer,
    /// Whole sequences are all that is beyond ASCII, at least three.
    AllSequences,
    /// C1 controls in place of bytes that the page gives another meaning, at most four.
    Controls,
    /// Some byte was guessed.
    Guessed,
    /// Sequences that lack a byte.
    Gaps,
    /// Symbols of three bytes that the line did not have.
    Symbols,
    /// Emoji of four bytes that the line did not have.
    Emoji,
    /// The line changes.
    Change,
    /// The change has two sequences.
    TwoSequences,
    /// The change has three sequences or more.
    ManySequences,
    /// The change makes symbols alone.
    OnlySymbols,
    /// The change makes symbols alone, by a page as which text is rarely misread.
    OnlySymbolsOfRarePage,
    /// Three in ten code points that are made are of no known alphabet.
    UnknownLetters,
    /// One or two sequences, not inside a word, by a page as which text is not often misread.
    FewOfUnusualPage,
    /// One or two sequences, not inside a word, by a page as which text is rarely misread.
    FewOfRarePage,
    /// The change leaves the number of odd neighbors as it was.
    StaysOdd,
    /// Code points for private use, or of planes without text.
    NoText,
    /// A letter of another script than Latin is used up.
    ForeignLetter,
    /// One or two sequences give symbols that few texts have.
    UnusualSymbol,
    /// One or two sequences without a letter are used up.
    NoLetter,
    /// One sequence that stands alone, and is not a capital with a symbol such as `Â£`.
    Alone,
    /// A Latin letter beyond Latin-1 stands alone.
    RareLetterAlone,
    /// Letters of three scripts or more.
    ManyScripts,
    /// Most that is made is of scripts that no language of the model has.
    StrangeLetters,
    /// Much else in the line stays odd.
    MuchLeftOdd,
    /// An ideograph stands beside a non-ASCII Latin letter.
    IdeographBesideLatin,
    /// One letter of a script that the line did not have.
    OneLetterOfNewScript,
}

/// The number of features.
pub(super) const COUNT: usize = Feature::OneLetterOfNewScript as usize + 1;

/// The features of a reading, each with how often it applies.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Features([f32; COUNT]);

impl Features {
    /// Returns the set of one feature.
    pub(super) fn only(feature: Feature) -> Self {
        let mut features = Self::default();
        features.add(feature, 1.0);
        features
    }

    pub(super) fn add(&mut self, feature: Feature, count: f32) {
        self.0[feature as usize] += count;
    }

    /// How often a feature applies.
    pub(super) const fn count(&self, feature: Feature) -> f32 {
        self.0[feature as usize]
    }

    /// Adds a feature if it applies.
    pub(super) fn add_if(&mut self, feature: Feature, applies: bool) {
        if applies {
            self.add(feature, 1.0);
        }
    }

    /// Returns the sum of these features and of those of `other`, multiplied by `times`.
    pub(super) fn with(mut self, other: &Self, times: f32) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(own, other)| *own += other * times);
        self
    }

    /// Returns the weight of all features together, in nats.
    pub(super) fn nats(&self) -> f32 {
        self.0.iter().zip(WEIGHTS).map(|(count, (_, nats))| count * nats).sum()
    }

    /// How often each applies.
    #[cfg(feature = "internals")]
    pub(super) const fn counts(&self) -> [f32; COUNT] {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    const ALL: [Feature; COUNT] = [
        Feature::Layer,
        Feature::PageNats,
        Feature::OtherPage,
        Feature::NeedlessLayer,
        Feature::SingleSequenceLayer,
        Feature::AllSequences,
        Feature::Controls,
        Feature::Guessed,
        Feature::Gaps,
        Feature::Symbols,
        Feature::Emoji,
        Feature::Change,
        Feature::TwoSequences,
        Feature::ManySequences,
        Feature::OnlySymbols,
        Feature::OnlySymbolsOfRarePage,
        Feature::UnknownLetters,
        Feature::FewOfUnusualPage,
        Feature::FewOfRarePage,
        Feature::StaysOdd,
        Feature::NoText,
        Feature::ForeignLetter,
        Feature::UnusualSymbol,
        Feature::NoLetter,
        Feature::Alone,
        Feature::RareLetterAlone,
        Feature::ManyScripts,
        Feature::StrangeLetters,
        Feature::MuchLeftOdd,
        Feature::IdeographBesideLatin,
        Feature::OneLetterOfNewScript,
    ];

    #[test]
    fn weights_stand_in_the_order_of_the_features() {
        assert_eq!(WEIGHTS.len(), COUNT);
        for (place, (name, nats)) in WEIGHTS.into_iter().enumerate() {
            let feature = ALL.iter().find(|feature| format!("{feature:?}") == name).expect(name);
            assert_eq!(*feature as usize, place, "{name}");
            assert!(nats.is_finite(), "{name}");
        }
    }
}
