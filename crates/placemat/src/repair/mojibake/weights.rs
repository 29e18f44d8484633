//! The weights of features, fitted by `repair fit` of the benchmarks: bench/detect/FIT.md has the log.

use super::features::{COUNT, Feature};

/// The nats of each feature, each time that it applies.
#[rustfmt::skip]
pub(super) const WEIGHTS: [(Feature, f32); COUNT] = [
    (Feature::Layer, -0.9),
    (Feature::PageNats, 1.6),
    (Feature::OtherPage, -4.0),
    (Feature::NeedlessLayer, -12.0),
    (Feature::SingleSequenceLayer, -8.0),
    (Feature::AllSequences, 8.0),
    (Feature::Controls, -3.0),
    (Feature::Guessed, -1.9),
    (Feature::Gaps, -0.7),
    (Feature::Symbols, 8.6),
    (Feature::Emoji, 13.0),
    (Feature::Change, -9.9),
    (Feature::TwoSequences, 1.0),
    (Feature::ManySequences, 2.0),
    (Feature::OnlySymbols, 5.5),
    (Feature::OnlySymbolsOfRarePage, -4.1),
    (Feature::UnknownLetters, -8.0),
    (Feature::FewOfUnusualPage, -1.5),
    (Feature::FewOfRarePage, -8.0),
    (Feature::StaysOdd, -20.0),
    (Feature::NoText, -30.0),
    (Feature::ForeignLetter, -6.5),
    (Feature::UnusualSymbol, -6.0),
    (Feature::NoLetter, -5.2),
    (Feature::Alone, -1.2),
    (Feature::RareLetterAlone, -6.0),
    (Feature::ManyScripts, -30.0),
    (Feature::StrangeLetters, -24.0),
    (Feature::MuchLeftOdd, -30.0),
    (Feature::IdeographBesideLatin, -20.0),
    (Feature::OneLetterOfNewScript, -12.0),
];
