//! The definitions: the operations, their inputs and the right answers.

use crate::damage::Damage;
use crate::pages::Page;

/// A function that returns the part of a text that some legacy encodings represent, and its bytes
/// in the first of them.
pub type Held = fn(&str, &[Page]) -> Option<(String, Vec<u8>)>;

/// A form of a text. Code units of more than one byte are in the order of this machine, except in
/// `Utf16Be`.
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

    /// Returns the text in this form; `None` if the form cannot represent it.
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

/// The replacement for an ill-formed sequence, other than U+FFFD.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    Skip,
    Question,
    Hex,
    Latin1,
    Cp1252,
}

impl Policy {
    const fn name(self) -> &'static str {
        match self {
            Self::Skip => "skip",
            Self::Question => "replace by ?",
            Self::Hex => "hex escape",
            Self::Latin1 => "read as Latin-1",
            Self::Cp1252 => "read as windows-1252",
        }
    }
}

/// The replacement for a character that the target cannot represent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unmapped {
    Question,
    Skip,
    Reference,
}

impl Unmapped {
    const fn name(self) -> &'static str {
        match self {
            Self::Question => "replace by ?",
            Self::Skip => "skip",
            Self::Reference => "&#…;",
        }
    }
}

/// The operations that are measured.
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
    /// Finding the last boundary of a code point at or before the middle.
    Boundary,
    /// Conversion from slice to slice.
    Convert(Form, Form),
    /// Conversion from a slice to a new `Vec` or `String`.
    Owned(Form, Form),
    /// Conversion from `&str`, which is not checked again, to a new `Vec`.
    OwnedStr(Form),
    /// Conversion by an encoding chosen at run time, to a `Cow`: `Encoding::decode` and
    /// `Encoding::encode`.
    DecodeBytes(Page),
    EncodeBytes(Page),
    /// Decoding with U+FFFD for ill-formed sequences; the number counts ill-formed bytes in a
    /// million.
    Lossy(u32),
    /// Decoding with the damage of real files; the number counts damaged places in a million bytes.
    Damaged(Damage, u32),
    /// Decoding with another policy, against U+FFFD.
    Policy(Policy, u32),
    /// Conversion through a reader or a writer, in pieces of this many bytes.
    Read(Form, usize, u32),
    Write(Form, usize),
    /// Conversion from a legacy encoding to UTF-8, from UTF-8, and from one to another.
    FromPage(Page),
    ToPage(Page),
    Between(Page, Page),
    /// Conversion from UTF-8 to ASCII, by `Encoding::encode`.
    ToAscii(Unmapped),
    /// Making a converter from UTF-8 without using it.
    Open(Page),
}

use Form::{Latin1, Utf8, Utf16Le, Utf32};

/// The right answer of an engine.
pub enum Answer {
    Number(usize),
    Units(Vec<u8>),
}

impl Op {
    pub fn name(self) -> String {
        let percent = |per_million: u32| f64::from(per_million) / 1e4;
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
            Self::Boundary => "boundary".into(),
            Self::Convert(from, to) => format!("{} to {}", from.name(), to.name()),
            Self::Owned(from, to) => format!("owned: {} to {}", from.name(), to.name()),
            Self::OwnedStr(to) => format!("owned: str to {}", to.name()),
            Self::DecodeBytes(page) => format!("owned: decode {}", page.name()),
            Self::EncodeBytes(page) => format!("owned: encode {}", page.name()),
            Self::Lossy(0) => "replace, clean".into(),
            Self::Lossy(bad) => format!("replace, {} % ill-formed", percent(bad)),
            Self::Damaged(Damage::CutBlocks, _) => "damage: cut every 4 KiB".into(),
            Self::Damaged(damage @ Damage::OneError, _) => format!("damage: {}", damage.name()),
            Self::Damaged(damage, bad) => format!("damage: {}, {} %", damage.name(), percent(bad)),
            Self::Policy(policy, bad) => format!("policy: {}, {} % ill-formed", policy.name(), percent(bad)),
            Self::Read(form, piece, 0) => format!("stream: read {}, {piece}", form.name()),
            Self::Read(form, piece, bad) => {
                format!("stream: read {}, {piece}, {} % ill-formed", form.name(), percent(bad))
            }
            Self::Write(form, piece) => format!("stream: write {}, {piece}", form.name()),
            Self::FromPage(page) => format!("{} to UTF-8", page.name()),
            Self::ToPage(page) => format!("UTF-8 to {}", page.name()),
            Self::Between(from, to) => format!("{} to {}", from.name(), to.name()),
            Self::ToAscii(unmapped) => format!("unmappable: {}", unmapped.name()),
            Self::Open(page) => format!("open {}", page.name()),
        }
    }

    /// Returns the input: the text in a form, or damaged, or in a legacy encoding. `None` if there
    /// is no such input.
    pub fn input(self, text: &str, held: Held) -> Option<Vec<u8>> {
        match self {
            Self::ValidateUtf16 | Self::Utf8FromUtf16 | Self::Utf32FromUtf16 => Utf16Le.encode(text),
            Self::Utf8FromUtf32 => Utf32.encode(text),
            Self::Utf8FromLatin1 => Latin1.encode(text),
            Self::Convert(from, to) | Self::Owned(from, to) => {
                to.encode(text).and_then(|_| from.encode(text))
            }
            Self::Lossy(bad) | Self::Policy(_, bad) | Self::Read(Utf8, _, bad) => {
                Some(crate::damage::random(text, bad))
            }
            Self::Read(form, ..) | Self::Write(form, _) => form.encode(text),
            Self::Damaged(damage, bad) => Some(damage.apply(text, bad)),
            Self::FromPage(page) | Self::DecodeBytes(page) => held(text, &[page]).map(|(_, bytes)| bytes),
            Self::ToPage(page) | Self::EncodeBytes(page) => {
                held(text, &[page]).map(|(kept, _)| kept.into_bytes())
            }
            Self::Between(from, to) => held(text, &[from, to]).map(|(_, bytes)| bytes),
            // Leave out typographic characters: windows-1252, which a peer uses, can represent them.
            Self::ToAscii(_) => {
                let kept = |c: &char| c.is_ascii() || ('\u{400}'..='\u{4FF}').contains(c);
                Some(text.chars().filter(kept).collect::<String>().into_bytes())
            }
            _ => Utf8.encode(text),
        }
    }

    /// Returns the answer for the input made from `text`, by the plainest code.
    pub fn answer(self, text: &str, input: &[u8], held: Held) -> Answer {
        match self {
            Self::Validate | Self::ValidateUtf16 | Self::Open(_) => Answer::Number(1),
            Self::CountCodePoints | Self::Utf32FromUtf16 => Answer::Number(text.chars().count()),
            Self::CountLineFeeds => Answer::Number(text.matches('\n').count()),
            Self::Utf16FromUtf8 => Answer::Number(text.encode_utf16().count()),
            Self::Utf8FromUtf16 | Self::Utf8FromUtf32 | Self::Utf8FromLatin1 => Answer::Number(text.len()),
            Self::Boundary => {
                let middle = (0..=text.len() / 2).rev().find(|&at| text.is_char_boundary(at));
                Answer::Number(middle.expect("0 is a border"))
            }
            Self::Convert(_, to) | Self::Owned(_, to) | Self::OwnedStr(to) => {
                Answer::Units(to.encode(text).expect("a form that holds the text"))
            }
            Self::Lossy(_) | Self::Damaged(..) | Self::Read(Utf8, ..) => {
                Answer::Units(String::from_utf8_lossy(input).into_owned().into_bytes())
            }
            Self::Read(..) | Self::Write(..) => Answer::Units(text.as_bytes().to_vec()),
            // The engines differ: each replaces by its own rules, and our policies are compared
            // with our U+FFFD.
            Self::Policy(policy, _) => Answer::Units(replaced(input, policy)),
            Self::FromPage(page) | Self::DecodeBytes(page) => {
                let kept = held(text, &[page]).map(|(kept, _)| kept);
                Answer::Units(kept.expect("an encoding that made the input").into_bytes())
            }
            Self::ToPage(page) | Self::EncodeBytes(page) => {
                let bytes = held(text, &[page]).map(|(_, bytes)| bytes);
                Answer::Units(bytes.expect("an encoding that made the input"))
            }
            Self::ToAscii(unmapped) => Answer::Units(ascii(input, unmapped)),
            Self::Between(from, to) => {
                let (kept, _) = held(text, &[from, to]).expect("encodings that made the input");
                Answer::Units(held(&kept, &[to]).expect("an encoding that holds the text").1)
            }
        }
    }

    /// Returns `true` if the operation writes code units, so that its rate of writing is
    /// meaningful.
    pub const fn writes(self) -> bool {
        matches!(self, Self::Convert(..) | Self::FromPage(_) | Self::ToPage(_))
    }

    /// Returns `true` if the operation suits texts with this name.
    pub fn suits(self, text: &str) -> bool {
        match self {
            Self::FromPage(page)
            | Self::ToPage(page)
            | Self::DecodeBytes(page)
            | Self::EncodeBytes(page)
            | Self::Between(page, _) => page.suits(text),
            Self::Damaged(Damage::CutBlocks, _) => text != "Latin",
            Self::ToAscii(_) => text.contains("Russian"),
            _ => true,
        }
    }

    /// Returns the number of characters of the input, if the row has the time of one character.
    pub fn characters(self, input: &[u8]) -> Option<usize> {
        matches!(self, Self::ToAscii(_)).then(|| String::from_utf8_lossy(input).chars().count())
    }

    /// Returns `true` if all our levels are measured, and all builds of the peers; otherwise AVX2
    /// and the levels above it.
    pub const fn all_levels(self) -> bool {
        matches!(
            self,
            Self::Validate
                | Self::ValidateUtf16
                | Self::CountCodePoints
                | Self::CountLineFeeds
                | Self::Utf16FromUtf8
                | Self::Utf8FromUtf16
                | Self::Utf32FromUtf16
                | Self::Utf8FromUtf32
                | Self::Utf8FromLatin1
                | Self::Convert(..)
                | Self::Lossy(0 | 100 | 10_000 | 100_000)
        )
    }
}

/// Returns the text, with a replacement for each non-ASCII character.
fn ascii(text: &[u8], unmapped: Unmapped) -> Vec<u8> {
    let mut out = Vec::new();
    for c in String::from_utf8_lossy(text).chars() {
        match (u8::try_from(c), unmapped) {
            (Ok(byte), _) if byte.is_ascii() => out.push(byte),
            (_, Unmapped::Question) => out.push(b'?'),
            (_, Unmapped::Skip) => {}
            (_, Unmapped::Reference) => out.extend(format!("&#{};", u32::from(c)).bytes()),
        }
    }
    out
}

/// Returns the text with the policy's replacement for each ill-formed sequence.
fn replaced(input: &[u8], policy: Policy) -> Vec<u8> {
    let mut out = String::new();
    for chunk in input.utf8_chunks() {
        out += chunk.valid();
        let bad = chunk.invalid();
        match policy {
            Policy::Skip => {}
            Policy::Question if bad.is_empty() => {}
            Policy::Question => out.push('?'),
            Policy::Hex => bad.iter().for_each(|byte| out += &format!("\\x{byte:02x}")),
            Policy::Latin1 => out.extend(bad.iter().map(|&byte| char::from(byte))),
            Policy::Cp1252 => out += &encoding_rs::WINDOWS_1252.decode_without_bom_handling(bad).0,
        }
    }
    out.into_bytes()
}
