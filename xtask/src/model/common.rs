//! Statistics that the training text is a poor source of: interface texts hold few euro signs and quotation marks.

/// Symbols of everyday text, with the least share of each in all text.
pub(super) const SYMBOLS: &[(char, f64)] = &[
    ('\u{A0}', 3e-4),
    ('¡', 5e-6),
    ('¢', 1e-6),
    ('£', 3e-5),
    ('¤', 5e-7),
    ('¥', 2e-6),
    ('¦', 5e-7),
    ('§', 2e-5),
    ('¨', 1e-6),
    ('©', 5e-5),
    ('ª', 5e-6),
    ('«', 1e-4),
    ('¬', 3e-7),
    ('\u{AD}', 5e-6),
    ('®', 2e-5),
    ('¯', 3e-7),
    ('°', 5e-5),
    ('±', 5e-6),
    ('²', 1e-5),
    ('³', 2e-6),
    ('´', 1e-5),
    ('µ', 3e-6),
    ('¶', 1e-6),
    ('·', 5e-5),
    ('¸', 3e-7),
    ('¹', 1e-6),
    ('º', 1e-5),
    ('»', 1e-4),
    ('¼', 3e-6),
    ('½', 2e-5),
    ('¾', 1e-6),
    ('¿', 5e-6),
    ('×', 5e-6),
    ('ƒ', 2e-7),
    ('ˆ', 2e-7),
    ('˜', 2e-7),
    ('–', 3e-4),
    ('—', 2e-4),
    ('―', 3e-6),
    ('‘', 1e-4),
    ('’', 5e-4),
    ('‚', 1e-5),
    ('“', 3e-4),
    ('”', 3e-4),
    ('„', 1e-4),
    ('†', 1e-6),
    ('‡', 3e-7),
    ('•', 5e-5),
    ('…', 1e-4),
    ('‰', 1e-6),
    ('‹', 5e-6),
    ('›', 5e-6),
    ('€', 4e-5),
    ('№', 2e-5),
    ('™', 2e-5),
];

/// The weight of a language in the statistics of symbols: a rough share of the world's text in legacy encodings.
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

/// The least share of a script in the text of a language whose letters are of script `own`.
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
