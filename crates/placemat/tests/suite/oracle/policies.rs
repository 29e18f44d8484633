//! The policies of a decoder.

use super::{Fault, Form, Item, Mode, Span, items};

/// The action at each error.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(crate) enum Policy {
    /// Stop reading.
    Stop,
    /// Write this text once for each error.
    Text(&'static str),
    /// Each byte as the code point of the same number.
    Latin1,
    /// Each byte as in windows-1252 of the Encoding Standard.
    Cp1252,
    /// `\xHH` for each byte.
    BackslashReplace,
    /// U+DC80..U+DCFF for each byte; stops at bytes below 80 (PEP 383).
    SurrogateEscape,
    /// U+EF80..U+EFFF for each byte; genuine ones in the input are errors.
    Optu,
    /// The original 16-bit form of OPTU; UTF-8 only.
    Optu16,
    /// Surrogates pass; other errors stop.
    SurrogatePass,
}

impl Policy {
    pub(crate) const FFFD: Self = Self::Text("\u{FFFD}");
    pub(crate) const QUESTION: Self = Self::Text("?");
    pub(crate) const SKIP: Self = Self::Text("");

    /// Every policy once; `Text` also with a text that is longer than the sequence it replaces.
    pub(crate) const ALL: [Self; 12] = [
        Self::Stop,
        Self::FFFD,
        Self::QUESTION,
        Self::SKIP,
        Self::Text("<bad \u{20AC}\u{1F600}>"),
        Self::Latin1,
        Self::Cp1252,
        Self::BackslashReplace,
        Self::SurrogateEscape,
        Self::Optu,
        Self::Optu16,
        Self::SurrogatePass,
    ];

    /// Returns the policy with this name in the vectors.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "stop" => Self::Stop,
            "fffd" => Self::FFFD,
            "question" => Self::QUESTION,
            "skip" => Self::SKIP,
            "latin1" => Self::Latin1,
            "cp1252" => Self::Cp1252,
            "surrogateescape" => Self::SurrogateEscape,
            "optu" => Self::Optu,
            "optu-16" => Self::Optu16,
            _ => return None,
        })
    }

    /// Returns the change that the policy makes to the rules of the form.
    pub(crate) fn mode(self) -> Mode {
        match self {
            Self::SurrogatePass => Mode::PassSurrogates,
            Self::Optu => Mode::Optu,
            Self::Optu16 => Mode::Optu16,
            _ => Mode::Strict,
        }
    }

    /// Returns the span rule in force: the policies for single bytes use one unit only.
    pub(crate) fn span(self, asked: Span) -> Span {
        match self {
            Self::SurrogateEscape | Self::Optu | Self::Optu16 => Span::Byte,
            _ => asked,
        }
    }

    /// Returns the text for one error, or `None` to stop.
    pub(super) fn replacement(self, bytes: &[u8]) -> Option<Vec<u32>> {
        let escaped = |base: u32| {
            let all_high = bytes.iter().all(|&byte| byte >= 0x80);
            all_high.then(|| bytes.iter().map(|&byte| base + u32::from(byte)).collect())
        };
        match self {
            Self::Stop | Self::SurrogatePass => None,
            Self::Text(text) => Some(text.chars().map(u32::from).collect()),
            Self::Latin1 => Some(bytes.iter().map(|&byte| byte.into()).collect()),
            Self::Cp1252 => Some(bytes.iter().map(|&byte| cp1252(byte)).collect()),
            Self::BackslashReplace => Some(
                bytes.iter().flat_map(|byte| format!("\\x{byte:02x}").into_bytes()).map(u32::from).collect(),
            ),
            Self::SurrogateEscape => escaped(0xDC00),
            Self::Optu | Self::Optu16 => escaped(0xEF00),
        }
    }
}

/// Windows-1252 of the Encoding Standard: the five bytes that Microsoft left undefined are C1 controls.
pub(crate) fn cp1252(byte: u8) -> u32 {
    const FROM_80: [u16; 32] = [
        0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
        0x0152, 0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
        0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178,
    ];
    match byte {
        0x80..=0x9F => FROM_80[usize::from(byte - 0x80)].into(),
        _ => byte.into(),
    }
}

/// The result of decoding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Decoded {
    /// The text, up to the stop if there was one.
    pub(crate) text: Vec<u32>,
    /// Every error, in order; after a stop, the last one was not replaced.
    pub(crate) faults: Vec<Fault>,
    pub(crate) stopped: bool,
}

impl Decoded {
    /// Returns the error at which decoding stopped.
    pub(crate) fn stop(&self) -> Option<Fault> {
        if self.stopped { self.faults.last().copied() } else { None }
    }
}

/// Decodes the whole of `bytes`.
pub(crate) fn decode(form: Form, bytes: &[u8], span: Span, policy: Policy) -> Decoded {
    let mut done = Decoded { text: Vec::new(), faults: Vec::new(), stopped: false };
    for item in items(form, bytes, policy.span(span), policy.mode()) {
        match item {
            Item::CodePoint { value, .. } => done.text.push(value),
            Item::Error(fault) => {
                done.faults.push(fault);
                match policy.replacement(&bytes[fault.start..fault.end]) {
                    Some(text) => done.text.extend(text),
                    None => {
                        done.stopped = true;
                        break;
                    }
                }
            }
        }
    }
    done
}

/// Returns the text with one U+FFFD for each maximal subpart, as in the Unicode Standard and the Encoding
/// Standard.
pub(crate) fn errors_as_fffd(form: Form, bytes: &[u8]) -> Vec<u32> {
    decode(form, bytes, Span::Maximal, Policy::FFFD).text
}
