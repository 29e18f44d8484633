//! The library's policies for the words of `--errors` and `--unmappable`.

use super::args::{Args, Errors, UnmappableArg};
use crate::options::SpanArg;
use crate::shown::{escaped, is_plain};
use core::fmt::Write as _;
use placemat::normalize::Normalization;
use placemat::policy::{CodePoints, Spanning, Substitute};
use placemat::stream::Transcoder;
use placemat::transliteration::Transliteration;
use placemat::{
    CodePoint, Encoding, ErrorPolicy, OnError as _, OnUnmappable, Replacement, Unmappable, UnmappableKind,
    UnmappablePolicy,
};

/// The policy for ill-formed input.
pub(super) type Decoding<'a> = Spanning<ErrorPolicy<'a>>;

/// The policy for text that the target cannot hold.
#[derive(Clone, Debug)]
pub(super) enum Unmappables<'a> {
    Stock(UnmappablePolicy<'a>),
    /// `\N{EURO SIGN}`; the text last made.
    Names(String),
    /// Similar text.
    Similar(Transliteration),
}

/// The policies of both sides.
#[derive(Clone, Debug)]
pub(super) struct Policies<'a> {
    decoding: Decoding<'a>,
    unmappables: Unmappables<'a>,
    surrogates: bool,
    kept: Kept,
    /// Whether an error covers only the bytes that prove it.
    local: bool,
}

/// The parts that can be recovered from the output, although the source or the target cannot represent them: they are
/// not lost.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kept {
    /// Each ill-formed sequence has a substitute that means nothing else.
    pub(super) ill_formed: bool,
    /// Code points that the target cannot hold are written as bytes of their own.
    pub(super) unmappable: bool,
}

impl<'a> Policies<'a> {
    /// The policies of the arguments, or the reason of a refusal.
    pub(super) fn new(args: &'a Args) -> Result<Self, String> {
        let (decoding, mut unmappables) = both(args.errors);
        if let Some(word) = args.unmappable {
            unmappables = unmappable(word);
        }
        if matches!(unmappables, Unmappables::Stock(UnmappablePolicy::Transliterate)) {
            let similar = Transliteration::new(args.to.encoding);
            let locale = args.translit_locale.as_deref().map_or(Ok(similar), |name| similar.locale(name));
            unmappables = Unmappables::Similar(locale.map_err(|e| e.to_string())?);
        } else if args.translit_locale.is_some() {
            return Err("--translit-locale needs --unmappable translit".into());
        }
        let mut decoding = decoding;
        if let Some(text) = args.replacement.as_deref().and_then(Replacement::new) {
            let mut used = false;
            if decoding == ErrorPolicy::Replace {
                (decoding, used) = (ErrorPolicy::ReplaceWith(text), true);
            }
            if matches!(unmappables, Unmappables::Stock(UnmappablePolicy::Replace)) {
                (unmappables, used) = (Unmappables::Stock(UnmappablePolicy::ReplaceWith(text)), true);
            }
            if !used {
                return Err("--replacement needs --errors replace or --unmappable replace".into());
            }
            let text = text.text();
            if !holds(args.to.encoding, text) {
                let shown = escaped(text.as_ref());
                return Err(format!("--replacement: {} cannot represent \"{shown}\"", args.to.encoding));
            }
        }
        let escapes = decoding == ErrorPolicy::SurrogateEscape;
        let holds_surrogates = args.to.encoding.repertoire().check(CodePoint::from_u16(0xDC80)).is_ok();
        // A byte that is text cannot represent an escape: read again, it would be that text.
        let all_text = args.to.encoding.takes_escapes() && every_byte_is_text(args.to.encoding);
        if escapes && !holds_surrogates && (all_text || !args.to.encoding.takes_escapes()) {
            return Err(format!(
                "surrogateescape needs a target that holds surrogates or takes bytes back; {} does neither{}",
                args.to.encoding,
                if all_text { ": every byte of it is text" } else { "" }
            ));
        }
        let kept = Kept {
            ill_formed: matches!(
                decoding,
                ErrorPolicy::SurrogateEscape | ErrorPolicy::SurrogatePass | ErrorPolicy::Optu
            ),
            unmappable: matches!(
                unmappables,
                Unmappables::Stock(
                    UnmappablePolicy::SurrogateEscape
                        | UnmappablePolicy::SurrogatePass
                        | UnmappablePolicy::Optu
                )
            ),
        };
        let surrogates = matches!(decoding, ErrorPolicy::SurrogateEscape | ErrorPolicy::SurrogatePass);
        Ok(Self {
            decoding: decoding.spanning(args.span.into()),
            unmappables,
            surrogates,
            kept,
            local: args.span != SpanArg::Lead,
        })
    }

    /// A transcoder with these policies.
    pub(super) fn transcoder(
        &self,
        from: Encoding,
        to: Encoding,
    ) -> Transcoder<Decoding<'a>, Unmappables<'a>> {
        Transcoder::from(from).to(to).on_error(self.decoding).on_unmappable(self.unmappables.clone())
    }

    /// The first half of a transcoder: into `to`, which holds everything.
    pub(super) fn decoder<U: OnUnmappable>(
        &self,
        from: Encoding,
        to: Encoding,
        unmappables: U,
    ) -> Transcoder<Decoding<'a>, U> {
        Transcoder::from(from).to(to).on_error(self.decoding).on_unmappable(unmappables)
    }

    /// The second half of a transcoder: from well-formed text.
    pub(super) fn encoder(
        &self,
        from: Encoding,
        to: Encoding,
    ) -> Transcoder<ErrorPolicy<'static>, Unmappables<'a>> {
        Transcoder::from(from).to(to).on_unmappable(self.unmappables.clone())
    }

    /// Whether surrogates can come of ill-formed input.
    pub(super) const fn make_surrogates(&self) -> bool {
        self.surrogates
    }

    /// Whether a text can be converted in parts: with [`Span::Lead`](placemat::Span::Lead), an error could continue in
    /// the next part.
    pub(super) const fn allow_cuts(&self) -> bool {
        self.local
    }

    /// The parts that these policies keep.
    pub(super) const fn kept(&self) -> Kept {
        self.kept
    }
}

/// Whether every byte above 7F is a character.
fn every_byte_is_text(encoding: Encoding) -> bool {
    let (d, u) = (ErrorPolicy::Stop, UnmappablePolicy::Stop);
    (0x80..=0xFF)
        .all(|byte| Transcoder::from(encoding).on_error(d).on_unmappable(u).transcode(&[byte]).is_ok())
}

/// A hint at a normal form that may help if `to` does not hold `c`.
fn normal_form(c: char, to: Encoding) -> Option<&'static str> {
    let text = c.to_string();
    let parts = Normalization::Nfd.apply(&text);
    if parts != text && holds(to, &parts) {
        return Some("--normalize nfd writes it as a letter and marks");
    }
    // A mark joins a letter. The letter is not known here, so any letter counts that forms one code point with the mark
    // in `to`.
    let joined = |letter: char| {
        let pair = [letter, c].iter().collect::<String>();
        let sign = Normalization::Nfc.apply(&pair);
        sign.chars().count() == 1 && holds(to, &sign)
    };
    let joins = ('A'..='z').filter(char::is_ascii_alphabetic).any(joined);
    joins.then_some("see --unmappable; --normalize nfc may join it with its letter into one code point")
}

/// Whether `to` can hold all of a text.
fn holds(to: Encoding, text: &str) -> bool {
    let (d, u) = (ErrorPolicy::Stop, UnmappablePolicy::Stop);
    Transcoder::from(Encoding::UTF_8).to(to).on_error(d).on_unmappable(u).transcode(text.as_bytes()).is_ok()
}

/// `--errors` for both sides, as in Python; a word that has no meaning for one of them leaves it strict.
const fn both(word: Errors) -> (ErrorPolicy<'static>, Unmappables<'static>) {
    let (decoding, unmappable) = match word {
        Errors::Strict => (ErrorPolicy::Stop, UnmappablePolicy::Stop),
        Errors::Replace => (ErrorPolicy::Replace, UnmappablePolicy::Replace),
        Errors::Question => (
            ErrorPolicy::ReplaceWith(Replacement::QUESTION),
            UnmappablePolicy::ReplaceWith(Replacement::QUESTION),
        ),
        Errors::Ignore => (ErrorPolicy::Skip, UnmappablePolicy::Skip),
        Errors::Latin1 => (ErrorPolicy::Latin1, UnmappablePolicy::Stop),
        Errors::Cp1252 => (ErrorPolicy::Cp1252, UnmappablePolicy::Stop),
        Errors::BackslashReplace => (ErrorPolicy::HexEscape, UnmappablePolicy::HexEscape),
        Errors::SurrogateEscape => (ErrorPolicy::SurrogateEscape, UnmappablePolicy::SurrogateEscape),
        Errors::SurrogatePass => (ErrorPolicy::SurrogatePass, UnmappablePolicy::SurrogatePass),
        Errors::Optu => (ErrorPolicy::Optu, UnmappablePolicy::Stop),
        Errors::XmlCharRefReplace => (ErrorPolicy::Stop, UnmappablePolicy::XmlReference),
        Errors::Translit => (ErrorPolicy::Stop, UnmappablePolicy::Transliterate),
        Errors::NameReplace => return (ErrorPolicy::Stop, Unmappables::Names(String::new())),
    };
    (decoding, Unmappables::Stock(unmappable))
}

const fn unmappable(word: UnmappableArg) -> Unmappables<'static> {
    Unmappables::Stock(match word {
        UnmappableArg::Strict => UnmappablePolicy::Stop,
        UnmappableArg::Replace => UnmappablePolicy::Replace,
        UnmappableArg::Ignore => UnmappablePolicy::Skip,
        UnmappableArg::XmlCharRefReplace => UnmappablePolicy::XmlReference,
        UnmappableArg::BackslashReplace => UnmappablePolicy::HexEscape,
        UnmappableArg::Translit => UnmappablePolicy::Transliterate,
        UnmappableArg::Optu => UnmappablePolicy::Optu,
        UnmappableArg::NameReplace => return Unmappables::Names(String::new()),
    })
}

/// Longer than `\N{}` with the longest name.
const LONGEST_NAME: usize = 128;

impl OnUnmappable for Unmappables<'_> {
    fn handle(&mut self, unmappable: &Unmappable) -> Substitute<'_> {
        match self {
            Self::Stock(policy) => policy.handle(unmappable),
            Self::Similar(policy) => policy.handle(unmappable),
            Self::Names(text) => {
                let Some(name) = unmappable.code_point().to_char().and_then(unicode_names2::name) else {
                    // Python does so for code points without a name.
                    return hex_escape(unmappable);
                };
                text.clear();
                let made = write!(text, "\\N{{{name}}}").ok().and_then(|()| Replacement::new(text));
                made.map_or(Substitute::Stop, Substitute::Text)
            }
        }
    }

    fn longest(&self) -> usize {
        match self {
            Self::Stock(policy) => policy.longest(),
            Self::Similar(policy) => policy.longest(),
            Self::Names(_) => LONGEST_NAME,
        }
    }

    fn inspects(&self) -> bool {
        match self {
            Self::Stock(policy) => policy.inspects(),
            Self::Names(_) | Self::Similar(_) => false,
        }
    }

    fn intercepts(&self, c: CodePoint) -> bool {
        match self {
            Self::Stock(policy) => policy.intercepts(c),
            Self::Names(_) | Self::Similar(_) => false,
        }
    }
}

fn hex_escape(unmappable: &Unmappable) -> Substitute<'static> {
    let c = unmappable.code_point().value();
    let text = match c {
        ..=0xFF => format!("\\x{c:02x}"),
        0x100..=0xFFFF => format!("\\u{c:04x}"),
        _ => format!("\\U{c:08x}"),
    };
    CodePoints::new(text.chars().map(CodePoint::from)).map_or(Substitute::Stop, Substitute::CodePoints)
}

/// Why a conversion stopped at a code point that the target cannot hold: `… cannot represent U+20AC '€' EURO SIGN at byte 5`.
/// `offset` is its place in the input.
pub(super) fn describe(e: &Unmappable, offset: u64, to: Encoding) -> String {
    let mut text = e.code_point().to_string();
    if let Some(c) = e.code_point().to_char() {
        if is_plain(c) {
            let _ = write!(text, " '{c}'");
        }
        if let Some(name) = unicode_names2::name(c) {
            let _ = write!(text, " {name}");
        }
    }
    let _ = match e.kind() {
        UnmappableKind::ForgedSequence => write!(
            text,
            " at byte {offset} would complete a well-formed sequence with the escaped bytes before it, so it is not written"
        ),
        kind => {
            if kind == UnmappableKind::Surrogate {
                text.push_str(", a surrogate,");
            }
            let hint =
                e.code_point().to_char().and_then(|c| normal_form(c, to)).unwrap_or("see --unmappable");
            text.insert_str(0, &format!("{to} cannot represent "));
            write!(text, " at byte {offset} ({hint})")
        }
    };
    text
}
