//! The language model: how probable a text is in each language, in Unicode.

mod languages;

pub use self::languages::Language;
