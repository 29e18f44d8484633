//! The policies that make a conversion answer as glibc's does, before the caller's own policies are asked.

use crate::charset::{Charset, Locale};
use crate::names::Written;
use alloc::string::{String, ToString as _};
use placemat::internals::{Engine, Hints, Patch, Substitutes, Watch};
use placemat::normalize::Normalization;
use placemat::policy::{Action, Substitute};
use placemat::stream::{Status, Transcoder};
use placemat::transliteration::Transliteration;
use placemat::{CodePoint, Encoding, IllFormed, OnError, OnUnmappable, Replacement, Unmappable};

/// The policy for ill-formed input: an incomplete sequence at the end stops, and `P` decides the rest.
#[derive(Clone, Debug)]
pub struct Decoding<P> {
    /// The decision on an error.
    pub then: P,
    /// Whether C1 controls are ill-formed.
    refuses_c1: bool,
    /// Whether surrogates are ill-formed.
    refuses_surrogates: bool,
}

impl<P: OnError> Decoding<P> {
    /// Returns the policy for a source.
    pub fn new(from: &Charset, then: P) -> Self {
        Self { then, refuses_c1: from.lacks_c1(), refuses_surrogates: from.lacks_surrogates() }
    }
}

/// Returns `true` if glibc leaves out a code point as the tag of a language, which says nothing in this encoding.
pub(crate) fn is_tag(c: CodePoint, to: Encoding) -> bool {
    matches!(c.value(), 0xE_0000..=0xE_007F) && to != Encoding::ISO_2022_JP_STRICT
}

const fn is_c1(c: CodePoint) -> bool {
    matches!(c.value(), 0x80..=0x9F)
}

/// Returns `true` if UTF-8 has a C1 control.
fn has_c1(text: &[u8]) -> bool {
    any(text.iter().zip(tail(text, 1)).map(|(&lead, &next)| (lead == 0xC2) & (next < 0xA0)))
}

/// Returns `true` if UTF-8 that may have surrogates has one.
fn has_surrogate(text: &[u8]) -> bool {
    any(text.iter().zip(tail(text, 1)).map(|(&lead, &next)| (lead == 0xED) & (next >= 0xA0)))
}

/// Returns `true` if UTF-8 has this character.
fn has(text: &[u8], c: char) -> bool {
    let mut bytes = [0; 4];
    match *c.encode_utf8(&mut bytes).as_bytes() {
        [a] => any(text.iter().map(|&byte| byte == a)),
        [a, b] => any(text.iter().zip(tail(text, 1)).map(|(&x, &y)| (x == a) & (y == b))),
        [a, b, c, ..] => {
            let three = text.iter().zip(tail(text, 1)).zip(tail(text, 2));
            any(three.map(|((&x, &y), &z)| (x == a) & (y == b) & (z == c)))
        }
        [] => false,
    }
}

fn tail(text: &[u8], from: usize) -> &[u8] {
    text.get(from..).unwrap_or_default()
}

/// Returns `true` if one of them is true, without a branch for each, so that the compiler uses vectors.
fn any(all: impl Iterator<Item = bool>) -> bool {
    all.fold(false, |any, one| any | one)
}

impl<P: OnError> OnError for Decoding<P> {
    fn handle(&mut self, error: &IllFormed) -> Action<'_> {
        if error.is_incomplete() {
            return Action::Stop;
        }
        match self.then.handle(error) {
            Action::Pass(otherwise) if self.refuses_surrogates => otherwise.into(),
            action => action,
        }
    }

    fn longest(&self) -> usize {
        self.then.longest()
    }

    fn hints(&self, engine: Engine) -> Hints<'_, Patch> {
        let inspects = self.refuses_c1 || self.refuses_surrogates || self.then.hints(engine).inspects();
        Hints { watch: inspects.then_some(self as &dyn Watch), repeats: true, ..Hints::NONE }
    }
}

impl<P: OnError> Watch for Decoding<P> {
    fn has(&self, c: CodePoint) -> bool {
        self.refuses_c1 && is_c1(c)
            || self.refuses_surrogates && c.to_char().is_none()
            || self.then.hints(Engine).watches(c)
    }

    fn may_be_in(&self, text: &[u8]) -> bool {
        !text.is_ascii()
            && (self.refuses_c1 && has_c1(text) || self.refuses_surrogates && has_surrogate(text))
            || self.then.hints(Engine).may_be_in(text)
    }
}

/// The policy for code points that the target cannot represent: the text that glibc writes, then a transliteration if
/// `//TRANSLIT` asks for it, then the decision of `P`.
#[derive(Clone, Debug)]
pub struct Unmappables<P> {
    /// The decision on a code point that has no other text.
    pub then: P,
    /// The number of code points for which a similar text was written.
    pub similar: u64,
    /// The code point that was counted last, and its offset: the engine may ask about it again.
    counted: Option<(u64, CodePoint)>,
    encoding: Encoding,
    written: Written,
    /// Whether `written` has a code point of ASCII.
    writes_ascii: bool,
    /// The last six bits of each code point in `written`, as a set: most code points are in no such list.
    places: u64,
    takes_marks_apart: bool,
    refuses_c1: bool,
    exact: bool,
    /// Whether a code point without a similar text is left out, and not replaced by a question
    /// mark.
    no_question: bool,
    transliteration: Option<Transliteration>,
    /// The room in bytes without which nothing is transliterated: the policy stops at text that is shorter, and the caller looks
    /// at the room.
    wants: usize,
    /// The offset at which there is that room.
    pub(crate) has_room: Option<u64>,
    /// The text last made.
    text: String,
}

/// A letter and its marks, in code points.
const LONGEST_APART: usize = 8;

impl<P: OnUnmappable> Unmappables<P> {
    /// Returns the policy for a target.
    pub fn new(to: &Charset, locale: Locale<'_>, then: P) -> Self {
        Self {
            then,
            similar: 0,
            counted: None,
            encoding: to.encoding,
            written: to.written,
            writes_ascii: to.written.iter().any(|(c, _)| c.is_ascii()),
            places: to.written.iter().fold(0, |all, &(c, _)| all | place(c.into())),
            takes_marks_apart: to.takes_marks_apart(),
            refuses_c1: to.lacks_c1(),
            exact: false,
            no_question: false,
            transliteration: to.translit.then(|| to.transliteration(locale)),
            wants: 0,
            has_room: None,
            text: String::new(),
        }
    }

    /// Writes what glibc writes, even where that is less, and wants this room in bytes before it transliterates.
    #[must_use]
    pub(crate) fn exactly(self, wants: usize) -> Self {
        let transliteration = self.transliteration.map(Transliteration::only_glibc);
        Self { exact: true, transliteration, wants, ..self }
    }

    /// Writes similar texts as GNU libiconv does: of no language, and nothing where there is none.
    #[must_use]
    pub(crate) fn without_question(self) -> Self {
        let transliteration = self.transliteration.is_some().then(|| Transliteration::new(self.encoding));
        Self { no_question: true, transliteration, ..self }
    }

    /// Begins another text, whose offsets begin at zero.
    pub(crate) const fn reset(&mut self) {
        self.counted = None;
    }

    /// Does not count a code point at this offset or after it: its text had no room, so that it is read again.
    pub(crate) fn uncount_from(&mut self, offset: u64) {
        if self.counted.take_if(|(at, _)| *at >= offset).is_some() {
            self.similar = self.similar.saturating_sub(1);
        }
    }

    /// Returns `true` if similar texts are written.
    pub(crate) const fn transliterates(&self) -> bool {
        self.transliteration.is_some()
    }

    /// Writes similar texts from now on, or no more.
    pub(crate) fn set_transliterates(&mut self, on: bool) {
        if on != self.transliterates() {
            self.transliteration = on.then(|| Transliteration::new(self.encoding));
        }
    }

    /// Returns the substitute that glibc writes, if there is one.
    #[inline]
    fn written(&self, c: CodePoint) -> Option<&'static str> {
        if self.places & place(c.value()) == 0 {
            return None;
        }
        let c = c.to_char()?;
        self.written.iter().find(|(known, _)| *known == c).map(|(_, text)| *text)
    }

    /// Returns the code point as a letter and a mark.
    fn taken_apart(&self, c: char) -> Option<String> {
        if !self.takes_marks_apart {
            return None;
        }
        let whole = c.to_string();
        let parts = Normalization::Nfd.apply(&whole).into_owned();
        if parts == whole {
            return None;
        }
        if holds(self.encoding, &parts) {
            return Some(parts);
        }
        // One of several marks may have to stand by itself: ê and a dot below, but not ẹ and a circumflex.
        let mut marks = parts.char_indices().skip(1);
        marks.find_map(|(at, mark)| {
            let others = [&parts[..at], &parts[at + mark.len_utf8()..]].concat();
            let mut text = Normalization::Nfc.apply(&others).into_owned();
            text.push(mark);
            holds(self.encoding, &text).then_some(text)
        })
    }
}

/// Returns a bit for the last six bits of a code point.
const fn place(c: u32) -> u64 {
    1 << (c % 64)
}

/// Returns `true` if `to` can represent all of a text.
fn holds(to: Encoding, text: &str) -> bool {
    let mut out = [0; 64];
    let p = Transcoder::new(Encoding::UTF_8, to).convert(text.as_bytes(), &mut out, true);
    p.status == Status::Done
}

impl<P: OnUnmappable> OnUnmappable for Unmappables<P> {
    fn handle(&mut self, unmappable: &Unmappable) -> Substitute<'_> {
        let c = unmappable.code_point();
        if let Some(text) = self.written(c).and_then(Replacement::new) {
            return Substitute::Text(text);
        }
        if let Some(parts) = c.to_char().and_then(|c| self.taken_apart(c)) {
            self.text = parts;
            return Replacement::new(&self.text).map_or(Substitute::Stop, Substitute::Text);
        }
        // To glibc a surrogate is ill-formed input.
        if self.exact && (is_tag(c, self.encoding) || c.to_char().is_none()) {
            return self.then.handle(unmappable);
        }
        let Some(transliteration) = self.transliteration else { return self.then.handle(unmappable) };
        let text = c.to_char().and_then(|c| transliteration.similar(c)).and_then(Replacement::new);
        if text.is_none() && self.no_question {
            return self.then.handle(unmappable);
        }
        let text = text.unwrap_or(Replacement::QUESTION);
        if text.text().len() < self.wants && self.has_room != Some(unmappable.offset()) {
            return Substitute::Stop;
        }
        let counted = self.counted.replace((unmappable.offset(), c));
        self.similar += u64::from(counted != self.counted);
        Substitute::Text(text)
    }

    fn longest(&self) -> usize {
        let similar = self.transliteration.as_ref().map_or(LONGEST_APART, OnUnmappable::longest);
        similar.max(self.then.longest())
    }

    fn hints(&self, engine: Engine) -> Hints<'_, Substitutes> {
        let inspects = self.refuses_c1 || !self.written.is_empty() || self.then.hints(engine).inspects();
        Hints { watch: inspects.then_some(self as &dyn Watch), repeats: true, ..Hints::NONE }
    }
}

impl<P: OnUnmappable> Watch for Unmappables<P> {
    fn has(&self, c: CodePoint) -> bool {
        self.refuses_c1 && is_c1(c) || self.written(c).is_some() || self.then.hints(Engine).watches(c)
    }

    fn may_be_in(&self, text: &[u8]) -> bool {
        (self.writes_ascii || !text.is_ascii())
            && (self.refuses_c1 && has_c1(text) || self.written.iter().any(|&(c, _)| has(text, c)))
            || self.then.hints(Engine).may_be_in(text)
    }
}
