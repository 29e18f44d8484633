//! Statistics that the training text is a poor source of: interface texts hold few euro signs and quotation marks.

/// Symbols of everyday text, with the least share of each in all text, and the kinds of code points that it usually follows:
/// `L`etters, `d`igits, white space (`_`), `M`arks.
pub(super) const SYMBOLS: &[(char, f64, &str)] = &[
    ('\u{A0}', 3e-4, "Ld"),
    ('¡', 5e-6, "_"),
    ('¢', 1e-6, "d"),
    ('£', 3e-5, "_"),
    ('¤', 5e-7, "_"),
    ('¥', 2e-6, "_"),
    ('¦', 5e-7, "_"),
    ('§', 2e-5, "_"),
    ('¨', 1e-6, "L"),
    ('©', 5e-5, "_"),
    ('ª', 5e-6, "d"),
    ('«', 1e-4, "_"),
    ('¬', 3e-7, "_"),
    ('\u{AD}', 5e-6, "L"),
    ('®', 2e-5, "L"),
    ('¯', 3e-7, "_"),
    ('°', 5e-5, "d"),
    ('±', 5e-6, "_"),
    ('²', 1e-5, "L"),
    ('³', 2e-6, "L"),
    ('´', 1e-5, "L"),
    ('µ', 3e-6, "_"),
    ('¶', 1e-6, "_"),
    ('·', 5e-5, "_"),
    ('¸', 3e-7, "L"),
    ('¹', 1e-6, "L"),
    ('º', 1e-5, "d"),
    ('»', 1e-4, "LM"),
    ('¼', 3e-6, "_"),
    ('½', 2e-5, "_"),
    ('¾', 1e-6, "_"),
    ('¿', 5e-6, "_"),
    ('×', 5e-6, "_d"),
    ('ƒ', 2e-7, "_"),
    ('ˆ', 2e-7, "_"),
    ('˜', 2e-7, "_"),
    ('–', 3e-4, "_d"),
    ('—', 2e-4, "_L"),
    ('―', 3e-6, "_"),
    ('‘', 1e-4, "_"),
    ('’', 5e-4, "L"),
    ('‚', 1e-5, "_"),
    ('“', 3e-4, "_"),
    ('”', 3e-4, "LM"),
    ('„', 1e-4, "_"),
    ('†', 1e-6, "L"),
    ('‡', 3e-7, "L"),
    ('•', 5e-5, "_"),
    ('…', 1e-4, "L"),
    ('‰', 1e-6, "d"),
    ('‹', 5e-6, "_"),
    ('›', 5e-6, "L"),
    ('€', 4e-5, "_"),
    ('№', 2e-5, "_"),
    ('™', 2e-5, "L"),
];

/// ASCII marks that are rarer in interface texts than in others: their least share among the marks that fold alike.
pub(super) const MARKS: &[(char, f64)] = &[('!', 0.06), ('?', 0.06), ('|', 0.02), ('[', 0.03), (']', 0.03)];

/// Returns the weight of a language in the statistics of symbols: a rough share of the world's text in legacy encodings.
pub(super) fn weight(language: &str) -> f64 {
    match language {
        "en" => 30.0,
        "de" | "fr" | "es" | "ru" | "ja" | "zh-Hans" => 8.0,
        "pt" | "it" | "pl" | "tr" | "ko" | "nl" => 4.0,
        "cs" | "hu" | "sv" | "el" | "ro" | "uk" | "zh-Hant" | "ar" | "he" | "th" | "vi" | "da" | "nb"
        | "fi" | "bg" => 2.0,
        _ => 0.3,
    }
}

/// Returns the minimum share of a script in the text of a language whose letters are of script `own`.
pub(super) fn least_share(script: u8, own: u8) -> f64 {
    match script {
        _ if script == own => 3e-4,
        0 => 1e-2,
        1 | 2 | 23 => 1e-7,
        3 => 4e-4,
        4 => 2e-4,
        15..=18 => 2e-5,
        11 | 20 => 3e-6,
        _ => 1e-5,
    }
}
