//! The library's policies for the words of `--errors` and `--unmappable`.

use super::args::{Args, UnmappableArg};
use super::errors::Errors;
use crate::options::SpanArg;
use crate::shown::{escaped, is_plain};
use core::fmt::Write as _;
use placemat::internals::{Engine, Hints, Substitutes};
use placemat::normalize::Normalization;
use placemat::policy::{ByKind, CodePoints, Spanning, Substitute};
use placemat::stream::Transcoder;
use placemat::transliteration::Transliteration;
use placemat::twins::Twins;
use placemat::{
    CodePoint, Encoding, ErrorPolicy, OnError as _, OnUnmappable, Replacement, Unmappable, UnmappableKind,
    UnmappablePolicy,
};
use placemat_diagnose::names;

/// The policy for ill-formed input.
pub(super) type Decoding<'a> = Spanning<ByKind<'a>>;

/// The policy for unmappable text.
#[derive(Clone, Debug)]
pub(super) struct Unmappables<'a> {
    /// The policy for surrogates, if some kinds of ill-formed input yield them.
    surrogates: Option<UnmappablePolicy<'static>>,
    rest: Rest<'a>,
}

/// The policy for unmappable text, apart from surrogates.
#[derive(Clone, Debug)]
enum Rest<'a> {
    Stock(UnmappablePolicy<'a>),
    /// `\N{EURO SIGN}`; the text last made.
    Names(String),
    /// The policy that writes twins, and stops at other code points.
    Twins(Twins),
    /// The policy that writes twins, or else similar text.
    Similar(Twins<Transliteration>),
}

/// The policies of both sides.
#[derive(Clone, Debug)]
pub(super) struct Policies<'a> {
    decoding: Decoding<'a>,
    unmappables: Unmappables<'a>,
    surrogates: bool,
    kept: Kept,
    /// Whether escaped bytes are written as bytes again.
    escapes: bool,
    /// Whether an error covers only the bytes that prove it.
    local: bool,
}

/// The parts that can be recovered from the output, although the source or the target cannot represent them: they are
/// not lost.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kept {
    /// Each ill-formed sequence has a substitute that means nothing else.
    pub(super) ill_formed: bool,
    /// Unmappable code points are written as bytes of their own.
    pub(super) unmappable: bool,
}

impl<'a> Policies<'a> {
    /// Returns the policies of the arguments, or the reason of a refusal.
    pub(super) fn new(args: &'a Args) -> Result<Self, String> {
        let to = args.to.encoding;
        let (of_all, mut rest) = both(args.errors.all);
        let mut decoding: ByKind<'a> = args.errors.by_kind.as_deref().copied().unwrap_or(ByKind::new(of_all));
        if decoding.distinguishes() && !matches!(args.span, None | Some(SpanArg::Structural)) {
            return Err(
                "--span has no effect here: if --errors names kinds, one error is a whole broken sequence"
                    .into(),
            );
        }
        if let Some(word) = args.unmappable {
            rest = unmappable(word, to);
        }
        if matches!(rest, Rest::Stock(UnmappablePolicy::Transliterate)) {
            let similar = Transliteration::new(to);
            let locale = args.translit_locale.as_deref().map_or(Ok(similar), |name| similar.locale(name));
            rest = Rest::Similar(Twins::new(to).then(locale.map_err(|e| e.to_string())?));
        } else if args.translit_locale.is_some() {
            return Err("--translit-locale needs --unmappable translit".into());
        }
        if let Some(text) = args.replacement.as_deref().and_then(Replacement::new) {
            let mut used = decoding.policies().any(|policy| policy == ErrorPolicy::Replace);
            decoding = decoding.map(|policy| match policy {
                ErrorPolicy::Replace => ErrorPolicy::ReplaceWith(text),
                other => other,
            });
            if matches!(rest, Rest::Stock(UnmappablePolicy::Replace)) {
                (rest, used) = (Rest::Stock(UnmappablePolicy::ReplaceWith(text)), true);
            }
            if !used {
                return Err("--replacement needs --errors replace or --unmappable replace".into());
            }
            let text = text.text();
            if !holds(to, text) {
                let shown = escaped(text.as_ref());
                return Err(format!("--replacement: {to} cannot represent \"{shown}\""));
            }
        }
        let has = |wanted| decoding.policies().any(|policy| policy == wanted);
        let (escapes, passes) = (has(ErrorPolicy::SurrogateEscape), has(ErrorPolicy::SurrogatePass));
        let holds_surrogates = to.repertoire().check(CodePoint::from_u16(0xDC80)).is_ok();
        // A byte that is text cannot represent an escape: read again, it would be that text.
        let all_text = to.takes_escapes() && every_byte_is_text(to);
        if escapes && !holds_surrogates && (all_text || !to.takes_escapes()) {
            return Err(format!(
                "surrogateescape needs a target that holds surrogates or takes bytes back; {to} does neither{}",
                if all_text { ": every byte of it is text" } else { "" }
            ));
        }
        if escapes && passes && !holds_surrogates {
            return Err(format!(
                "--errors: surrogateescape and surrogatepass exclude each other: {to} cannot tell an escaped byte from a surrogate"
            ));
        }
        let surrogates = match (args.unmappable, escapes, passes) {
            (None, true, _) => Some(UnmappablePolicy::SurrogateEscape),
            (None, _, true) => Some(UnmappablePolicy::SurrogatePass),
            _ => None,
        };
        let keeps = |policy| {
            matches!(
                policy,
                ErrorPolicy::Stop
                    | ErrorPolicy::SurrogateEscape
                    | ErrorPolicy::SurrogatePass
                    | ErrorPolicy::Optu
            )
        };
        // OPTU is unambiguous only if it also escapes its own code points.
        let optu = has(ErrorPolicy::Optu);
        let kept = Kept {
            ill_formed: decoding.policies().all(keeps) && (!optu || decoding.inspects()),
            unmappable: match rest {
                Rest::Stock(UnmappablePolicy::Stop) => surrogates.is_some(),
                Rest::Stock(
                    UnmappablePolicy::SurrogateEscape
                    | UnmappablePolicy::SurrogatePass
                    | UnmappablePolicy::Optu,
                ) => true,
                _ => false,
            },
        };
        Ok(Self {
            decoding: decoding.spanning(args.span.unwrap_or_default().into()),
            unmappables: Unmappables { surrogates, rest },
            surrogates: escapes || passes,
            kept,
            escapes: escapes || passes || optu || kept.unmappable,
            local: args.span != Some(SpanArg::Lead),
        })
    }

    /// Returns a transcoder with these policies.
    pub(super) fn transcoder(
        &self,
        from: Encoding,
        to: Encoding,
    ) -> Transcoder<Decoding<'a>, Unmappables<'a>> {
        Transcoder::new(from, to).on_error(self.decoding).on_unmappable(self.unmappables.clone())
    }

    /// Returns the first half of a transcoder: into `to`, which holds everything.
    pub(super) fn decoder<U: OnUnmappable>(
        &self,
        from: Encoding,
        to: Encoding,
        unmappables: U,
    ) -> Transcoder<Decoding<'a>, U> {
        Transcoder::new(from, to).on_error(self.decoding).on_unmappable(unmappables)
    }

    /// Returns the second half of a transcoder: from well-formed text.
    pub(super) fn encoder(
        &self,
        from: Encoding,
        to: Encoding,
    ) -> Transcoder<ErrorPolicy<'static>, Unmappables<'a>> {
        Transcoder::new(from, to).on_unmappable(self.unmappables.clone())
    }

    /// Returns `true` if surrogates can come of ill-formed input.
    pub(super) const fn make_surrogates(&self) -> bool {
        self.surrogates
    }

    /// Returns `true` if a text can be converted in parts: with [`Span::Lead`](placemat::Span::Lead), an error could
    /// continue in the next part.
    pub(super) const fn allow_cuts(&self) -> bool {
        self.local
    }

    /// Returns `true` if an escape may be refused because of the escapes before it.
    pub(super) const fn check_escapes(&self) -> bool {
        self.escapes
    }

    /// Returns the parts that these policies keep.
    pub(super) const fn kept(&self) -> Kept {
        self.kept
    }
}

/// Returns `true` if every byte above 7F is a character.
fn every_byte_is_text(encoding: Encoding) -> bool {
    let (d, u) = (ErrorPolicy::Stop, UnmappablePolicy::Stop);
    (0x80..=0xFF).all(|byte| {
        Transcoder::new(encoding, Encoding::UTF_8).on_error(d).on_unmappable(u).transcode(&[byte]).is_ok()
    })
}

/// Returns a hint at the twin of a character that `to` does not hold.
fn twin(c: char, to: Encoding) -> Option<String> {
    let twin = Twins::new(to).twin(c)?;
    let mut hint = String::from("--unmappable twins writes its twin");
    for (i, c) in twin.chars().enumerate() {
        let before = if i == 0 { "" } else { " and" };
        let _ = write!(hint, "{before} U+{:04X}", u32::from(c));
        if is_plain(c) {
            let _ = write!(hint, " '{c}'");
        }
    }
    Some(hint)
}

/// Returns a hint at a normal form that may help if `to` does not hold `c`.
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

/// Returns `true` if `to` can hold all of a text.
fn holds(to: Encoding, text: &str) -> bool {
    let (d, u) = (ErrorPolicy::Stop, UnmappablePolicy::Stop);
    Transcoder::new(Encoding::UTF_8, to).on_error(d).on_unmappable(u).transcode(text.as_bytes()).is_ok()
}

/// `--errors` for both sides, as in Python; a word that has no meaning for one of them leaves it strict.
const fn both(word: Errors) -> (ErrorPolicy<'static>, Rest<'static>) {
    let (decoding, unmappable) = match word {
        Errors::Strict => (ErrorPolicy::Stop, UnmappablePolicy::Stop),
        Errors::Replace => (ErrorPolicy::Replace, UnmappablePolicy::Replace),
        Errors::Question => (
            ErrorPolicy::ReplaceWith(Replacement::QUESTION),
            UnmappablePolicy::ReplaceWith(Replacement::QUESTION),
        ),
        Errors::Ignore => (ErrorPolicy::Skip, UnmappablePolicy::Skip),
        Errors::Latin1 => (ErrorPolicy::Latin1, UnmappablePolicy::Stop),
        Errors::Cp1252 => (ErrorPolicy::Windows1252, UnmappablePolicy::Stop),
        Errors::BackslashReplace => (ErrorPolicy::HexEscape, UnmappablePolicy::HexEscape),
        Errors::SurrogateEscape => (ErrorPolicy::SurrogateEscape, UnmappablePolicy::SurrogateEscape),
        Errors::SurrogatePass => (ErrorPolicy::SurrogatePass, UnmappablePolicy::SurrogatePass),
        Errors::Optu => (ErrorPolicy::Optu, UnmappablePolicy::Stop),
        Errors::XmlCharRefReplace => (ErrorPolicy::Stop, UnmappablePolicy::XmlReference),
        Errors::Translit => (ErrorPolicy::Stop, UnmappablePolicy::Transliterate),
        Errors::NameReplace => return (ErrorPolicy::Stop, Rest::Names(String::new())),
    };
    (decoding, Rest::Stock(unmappable))
}

const fn unmappable(word: UnmappableArg, to: Encoding) -> Rest<'static> {
    Rest::Stock(match word {
        UnmappableArg::Strict => UnmappablePolicy::Stop,
        UnmappableArg::Replace => UnmappablePolicy::Replace,
        UnmappableArg::Ignore => UnmappablePolicy::Skip,
        UnmappableArg::XmlCharRefReplace => UnmappablePolicy::XmlReference,
        UnmappableArg::BackslashReplace => UnmappablePolicy::HexEscape,
        UnmappableArg::Translit => UnmappablePolicy::Transliterate,
        UnmappableArg::Optu => UnmappablePolicy::Optu,
        UnmappableArg::NameReplace => return Rest::Names(String::new()),
        UnmappableArg::Twins => return Rest::Twins(Twins::new(to)),
    })
}

/// Longer than `\N{}` with the longest name.
const LONGEST_NAME: usize = 128;

impl OnUnmappable for Unmappables<'_> {
    fn handle(&mut self, unmappable: &Unmappable) -> Substitute<'_> {
        if let Some(policy) = &mut self.surrogates
            && unmappable.code_point().is_surrogate()
        {
            return policy.handle(unmappable);
        }
        match &mut self.rest {
            Rest::Stock(policy) => policy.handle(unmappable),
            Rest::Twins(policy) => policy.handle(unmappable),
            Rest::Similar(policy) => policy.handle(unmappable),
            Rest::Names(text) => {
                let Some(name) = unmappable.code_point().to_char().and_then(names::name) else {
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
        match &self.rest {
            Rest::Stock(policy) => policy.longest(),
            Rest::Twins(policy) => policy.longest(),
            Rest::Similar(policy) => policy.longest(),
            Rest::Names(_) => LONGEST_NAME,
        }
    }

    fn hints(&self, engine: Engine) -> Hints<'_, Substitutes> {
        let Rest::Stock(policy) = &self.rest else { return Hints::NONE };
        let hints = policy.hints(engine);
        if self.surrogates.is_none() { hints } else { Hints { answer: None, ..hints } }
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

/// Why a conversion stopped at an unmappable code point: `… cannot represent U+20AC '€' EURO SIGN
/// at byte 5`. `offset` is its place in the input.
pub(super) fn describe(e: &Unmappable, offset: u64, to: Encoding) -> String {
    let mut text = e.code_point().to_string();
    if let Some(c) = e.code_point().to_char() {
        if is_plain(c) {
            let _ = write!(text, " '{c}'");
        }
        if let Some(name) = names::name(c) {
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
            let c = e.code_point().to_char();
            let hint = match kind {
                UnmappableKind::Switch => {
                    Some("it would switch between character sets; see --unmappable".to_owned())
                }
                _ => c.and_then(|c| twin(c, to)),
            };
            let hint = hint.unwrap_or_else(|| {
                c.and_then(|c| normal_form(c, to)).unwrap_or("see --unmappable").to_owned()
            });
            text.insert_str(0, &format!("{to} cannot represent "));
            write!(text, " at byte {offset} ({hint})")
        }
    };
    text
}
