//! The definitions: the operations, their inputs, the right answers, and our targets.

/// A form of a text. Units of more than one byte are in the order of this machine, except in `Utf16Be`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Utf8,
    Utf16Le,
    Utf16Be,
    Utf32,
    Latin1,
}

impl Form {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "UTF-8",
            Self::Utf16Le => "UTF-16LE",
            Self::Utf16Be => "UTF-16BE",
            Self::Utf32 => "UTF-32",
            Self::Latin1 => "Latin-1",
        }
    }

    /// The text in this form; `None` if the form cannot represent it.
    pub fn encode(self, text: &str) -> Option<Vec<u8>> {
        Some(match self {
            Self::Utf8 => text.as_bytes().to_vec(),
            Self::Utf16Le => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            Self::Utf16Be => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
            Self::Utf32 => text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect(),
            Self::Latin1 => {
                text.chars().map(|c| u8::try_from(u32::from(c)).ok()).collect::<Option<Vec<u8>>>()?
            }
        })
    }
}

/// A single-byte encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Page {
    Windows1251,
    Windows1252,
    Koi8R,
    Ibm037,
    Cp874,
}

impl Page {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Windows1251 => "windows-1251",
            Self::Windows1252 => "windows-1252",
            Self::Koi8R => "KOI8-R",
            Self::Ibm037 => "IBM037",
            Self::Cp874 => "CP874",
        }
    }

    /// Whether texts with this name use this encoding.
    pub fn suits(self, text: &str) -> bool {
        match self {
            Self::Windows1251 | Self::Koi8R => text.contains("Russian"),
            Self::Windows1252 | Self::Ibm037 => {
                ["French", "German", "Spanish"].iter().any(|l| text.contains(l))
            }
            Self::Cp874 => text.contains("Thai"),
        }
    }
}

/// The operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    Validate,
    ValidateUtf16,
    CountCodePoints,
    CountLineFeeds,
    Utf16FromUtf8,
    Utf8FromUtf16,
    Utf32FromUtf16,
    Utf8FromUtf32,
    Utf8FromLatin1,
    Convert(Form, Form),
    /// Decoding with U+FFFD for ill-formed sequences; the number is that of ill-formed bytes in a million.
    Lossy(u32),
    /// To UTF-8, and from it.
    SingleByte(Page),
    ToSingleByte(Page),
}

use Form::{Latin1, Utf8, Utf16Be, Utf16Le, Utf32};

/// All operations, in the order of the lists.
pub const ALL: &[Op] = &[
    Op::Validate,
    Op::Convert(Utf8, Utf16Le),
    Op::Convert(Utf8, Utf16Be),
    Op::Convert(Utf16Le, Utf8),
    Op::Convert(Utf16Be, Utf8),
    Op::Convert(Utf8, Utf32),
    Op::Convert(Utf32, Utf8),
    Op::Convert(Utf16Le, Utf32),
    Op::Convert(Utf32, Utf16Le),
    Op::Convert(Latin1, Utf16Le),
    Op::Convert(Utf16Le, Latin1),
    Op::Convert(Latin1, Utf8),
    Op::Convert(Utf8, Latin1),
    Op::CountCodePoints,
    Op::CountLineFeeds,
    Op::Utf16FromUtf8,
    Op::Utf8FromUtf16,
    Op::Utf32FromUtf16,
    Op::Utf8FromUtf32,
    Op::Utf8FromLatin1,
    Op::ValidateUtf16,
    Op::Lossy(0),
    Op::Lossy(100),
    Op::Lossy(10_000),
    Op::Lossy(100_000),
    Op::SingleByte(Page::Windows1251),
    Op::SingleByte(Page::Windows1252),
    Op::SingleByte(Page::Koi8R),
    Op::SingleByte(Page::Ibm037),
    Op::SingleByte(Page::Cp874),
    Op::ToSingleByte(Page::Windows1251),
    Op::ToSingleByte(Page::Windows1252),
    Op::ToSingleByte(Page::Koi8R),
    Op::ToSingleByte(Page::Ibm037),
    Op::ToSingleByte(Page::Cp874),
];

/// The operations that are also measured on short strings.
pub const SHORT: &[Op] = &[Op::Validate, Op::Convert(Utf8, Utf16Le), Op::Convert(Utf16Le, Utf8)];

/// The right answer of an engine.
pub enum Answer {
    Number(usize),
    Units(Vec<u8>),
}

impl Op {
    pub fn name(self) -> String {
        match self {
            Self::Validate => "validate UTF-8".into(),
            Self::ValidateUtf16 => "validate UTF-16".into(),
            Self::CountCodePoints => "count code points".into(),
            Self::CountLineFeeds => "count line feeds".into(),
            Self::Utf16FromUtf8 => "UTF-16 length of UTF-8".into(),
            Self::Utf8FromUtf16 => "UTF-8 length of UTF-16".into(),
            Self::Utf32FromUtf16 => "UTF-32 length of UTF-16".into(),
            Self::Utf8FromUtf32 => "UTF-8 length of UTF-32".into(),
            Self::Utf8FromLatin1 => "UTF-8 length of Latin-1".into(),
            Self::Convert(from, to) => format!("{} to {}", from.name(), to.name()),
            Self::Lossy(0) => "replace, clean".into(),
            Self::Lossy(bad) => format!("replace, {} % ill-formed", f64::from(bad) / 1e4),
            Self::SingleByte(page) => format!("{} to UTF-8", page.name()),
            Self::ToSingleByte(page) => format!("UTF-8 to {}", page.name()),
        }
    }

    /// The input: the text in a form, or damaged, or in a page. `None` if there is no such input.
    pub fn input(self, text: &str) -> Option<Vec<u8>> {
        match self {
            Self::ValidateUtf16 | Self::Utf8FromUtf16 | Self::Utf32FromUtf16 => Utf16Le.encode(text),
            Self::Utf8FromUtf32 => Utf32.encode(text),
            Self::Utf8FromLatin1 => Latin1.encode(text),
            Self::Convert(from, to) => to.encode(text).and_then(|_| from.encode(text)),
            Self::Lossy(bad) => Some(crate::texts::damage(text, bad)),
            Self::SingleByte(page) => crate::engines::encode_page(text, page).map(|(bytes, _)| bytes),
            Self::ToSingleByte(page) => {
                crate::engines::encode_page(text, page).map(|(_, kept)| kept.into_bytes())
            }
            _ => Utf8.encode(text),
        }
    }

    /// The answer to the input made from `text`, by the plainest code.
    pub fn answer(self, text: &str, input: &[u8]) -> Answer {
        match self {
            Self::Validate | Self::ValidateUtf16 => Answer::Number(1),
            Self::CountCodePoints | Self::Utf32FromUtf16 => Answer::Number(text.chars().count()),
            Self::CountLineFeeds => Answer::Number(text.matches('\n').count()),
            Self::Utf16FromUtf8 => Answer::Number(text.encode_utf16().count()),
            Self::Utf8FromUtf16 | Self::Utf8FromUtf32 | Self::Utf8FromLatin1 => Answer::Number(text.len()),
            Self::Convert(_, to) => Answer::Units(to.encode(text).expect("a form that holds the text")),
            Self::Lossy(_) => Answer::Units(String::from_utf8_lossy(input).into_owned().into_bytes()),
            Self::SingleByte(page) => {
                let kept = crate::engines::encode_page(text, page).map(|(_, kept)| kept);
                Answer::Units(kept.expect("an encoding that made the input").into_bytes())
            }
            Self::ToSingleByte(page) => {
                let bytes = crate::engines::encode_page(text, page).map(|(bytes, _)| bytes);
                Answer::Units(bytes.expect("an encoding that made the input"))
            }
        }
    }

    /// Whether the operation writes units, so that its rate of writing is meaningful.
    pub const fn writes(self) -> bool {
        matches!(self, Self::Convert(..) | Self::SingleByte(_) | Self::ToSingleByte(_))
    }
}

/// Our targets, as multiples of the speed of the best peer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Target {
    /// For every text.
    pub every: Option<f64>,
    /// Geometric means over the two groups of texts.
    pub lipsum: Option<f64>,
    pub mixed: Option<f64>,
    /// For the text that has only characters beyond the BMP.
    pub emoji: Option<f64>,
}

impl Target {
    const fn new(every: f64, lipsum: f64, mixed: f64) -> Self {
        Self { every: Some(every), lipsum: Some(lipsum), mixed: Some(mixed), emoji: None }
    }
    const fn mixed(every: f64, mixed: f64) -> Self {
        Self { every: Some(every), lipsum: None, mixed: Some(mixed), emoji: None }
    }
    const fn with_emoji(self, emoji: f64) -> Self {
        Self { emoji: Some(emoji), ..self }
    }
}

/// The peers of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// All peers, with the best level of this machine.
    Best,
    /// AVX2 against the peers that use no more.
    Avx2,
}

impl Op {
    /// The single-byte encoding; it does not suit every text.
    pub const fn page(self) -> Option<Page> {
        match self {
            Self::SingleByte(page) | Self::ToSingleByte(page) => Some(page),
            _ => None,
        }
    }

    pub fn target(self, class: Class) -> Target {
        let every = Target { every: Some(1.0), ..Target::default() };
        match (self, class) {
            (Self::Validate, Class::Best) => Target::new(1.0, 1.5, 1.35),
            (Self::Validate, Class::Avx2) => Target::new(1.0, 1.25, 1.1),
            (Self::Convert(Latin1, Utf8), Class::Avx2) => Target::mixed(1.0, 1.4),
            (Self::Convert(Utf8, Latin1), Class::Avx2) => Target::mixed(1.0, 3.0),
            (Self::SingleByte(_), Class::Avx2) => Target::new(3.0, 5.0, 5.0),
            (Self::Convert(..), Class::Avx2) => every,
            (_, Class::Avx2) => Target::default(),
            (Self::Convert(Utf8, Utf16Le | Utf16Be), _) => Target::new(1.0, 1.9, 1.7),
            (Self::Convert(Utf16Le | Utf16Be, Utf8), _) => Target::new(1.1, 1.65, 1.7),
            (Self::Convert(Utf8, Utf32), _) => Target::new(1.0, 2.3, 1.8),
            (Self::Convert(Utf32, Utf8), _) => Target::new(1.4, 2.6, 2.1).with_emoji(8.0),
            (Self::Convert(Latin1, Utf8) | Self::Convert(Utf8, Latin1), _) => Target::mixed(1.0, 1.1),
            (Self::Convert(..), _) => Target::new(1.0, 1.2, 1.2),
            (Self::ValidateUtf16, _) => Target::new(1.0, 1.6, 1.4).with_emoji(5.0),
            (Self::CountCodePoints | Self::CountLineFeeds, _)
            | (Self::Utf16FromUtf8 | Self::Utf8FromUtf16 | Self::Utf32FromUtf16, _)
            | (Self::Utf8FromUtf32 | Self::Utf8FromLatin1, _) => Target::new(1.0, 1.6, 1.4),
            (Self::Lossy(0), _) => every,
            (Self::Lossy(100), _) => Target::new(1.0, 1.7, 1.3),
            (Self::Lossy(10_000), _) => Target::new(1.0, 2.7, 3.0),
            (Self::Lossy(_) | Self::ToSingleByte(_), _) => every,
            (Self::SingleByte(_), _) => Target::new(3.0, 15.0, 15.0),
        }
    }
}
