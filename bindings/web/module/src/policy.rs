//! Policies by the numbers of `src/policies.js`.

use crate::answer::note;
use crate::memory;
use alloc::boxed::Box;
use alloc::string::String;
use core::cell::Cell;
use placemat::internals::{Engine, Hints, Patch, Substitutes};
use placemat::policy::{Action, ByKind, Kinds, Substitute};
use placemat::{
    ErrorPolicy, IllFormed, OnError, OnUnmappable, Replacement, Span, Unmappable, UnmappablePolicy,
};

/// The policy for ill-formed input.
pub(crate) struct Errors {
    policy: ErrorPolicy<'static>,
    span: Span,
    /// The replacement, if the policy needs one.
    text: Option<Box<str>>,
    /// The policies by kind, if kinds are named; they replace `policy`.
    by_kind: Option<Box<ByKind<'static>>>,
    /// Errors are noted and skipped, as long as there is room for notes.
    notes: bool,
    /// The text may end in a shifted state.
    pub(crate) ends_shifted: bool,
}

/// The policy for text that the target cannot represent.
pub(crate) struct Unmappables {
    own: Own,
    text: Option<Box<str>>,
}

enum Own {
    Stock(UnmappablePolicy<'static>),
    /// For strings of JavaScript, which contain surrogates: passes these, and stops at others.
    String,
    /// Like `String`, but writes the target's substitute for other code points.
    StringReplacing,
}

/// The replacements of the next conversion, set before it is made.
struct Texts(Cell<Option<Box<str>>>, Cell<Option<Box<str>>>);

// SAFETY: a module has one thread.
unsafe impl Sync for Texts {}

static TEXTS: Texts = Texts(Cell::new(None), Cell::new(None));

/// The policies by kind of the next conversion.
struct KindsCell(Cell<Option<Box<ByKind<'static>>>>);

// SAFETY: a module has one thread.
unsafe impl Sync for KindsCell {}

static KINDS: KindsCell = KindsCell(Cell::new(None));

/// Sets the replacement for ill-formed input (`which` is 0) or for unmappable text (1) of the next
/// conversion, in UTF-8. Returns 0 if it is too long, or not UTF-8.
///
/// # Safety
/// The text is in a block.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn replacement(which: u32, start: *const u8, length: usize) -> u32 {
    // SAFETY: the caller promises it.
    let text = core::str::from_utf8(unsafe { memory::text(start, length) });
    let Some(text) = text.ok().filter(|text| Replacement::new(text).is_some()) else { return 0 };
    let place = if which == 0 { &TEXTS.0 } else { &TEXTS.1 };
    place.set(Some(String::from(text).into_boxed_str()));
    1
}

/// Begins the policies by kind of the next conversion, with policy `number` for all kinds. Returns
/// 0 if there is no such policy.
#[unsafe(no_mangle)]
pub extern "C" fn all_kinds(number: u32) -> u32 {
    let policy = stock(number).map(|policy| Box::new(ByKind::new(policy)));
    let known = policy.is_some();
    KINDS.0.set(policy);
    u32::from(known)
}

/// Sets policy `number` for the kinds of a name, in the policies by kind of the next conversion.
/// Returns 0 if the name is unknown.
///
/// # Safety
/// The name is in a block.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn some_kinds(start: *const u8, length: usize, number: u32) -> u32 {
    // SAFETY: the caller promises it.
    let name = core::str::from_utf8(unsafe { memory::text(start, length) });
    let kinds = name.ok().and_then(Kinds::for_name);
    let (Some(kinds), Some(policy), Some(all)) = (kinds, stock(number), KINDS.0.take()) else { return 0 };
    KINDS.0.set(Some(Box::new(all.with(kinds, policy))));
    1
}

/// Returns the stock policy of a number.
const fn stock(number: u32) -> Option<ErrorPolicy<'static>> {
    Some(match number {
        0 => ErrorPolicy::Stop,
        1 => ErrorPolicy::Replace,
        3 => ErrorPolicy::Skip,
        4 => ErrorPolicy::HexEscape,
        5 => ErrorPolicy::Latin1,
        6 => ErrorPolicy::Windows1252,
        7 => ErrorPolicy::SurrogateEscape,
        8 => ErrorPolicy::SurrogatePass,
        9 => ErrorPolicy::Optu,
        10 => ErrorPolicy::Optu16,
        _ => return None,
    })
}

impl Errors {
    /// Returns the policy of a number: the number of the stock policy, plus 16 times the number of
    /// the span, plus 64 if the text may end in a shifted state.
    pub(crate) fn of(number: u32) -> Option<Self> {
        let (mut text, mut by_kind) = (None, None);
        let policy = match number & 15 {
            2 => {
                text = TEXTS.0.take();
                ErrorPolicy::Stop
            }
            11 => {
                by_kind = Some(KINDS.0.take()?);
                ErrorPolicy::Stop
            }
            number => stock(number)?,
        };
        let ends_shifted = number & 64 != 0;
        let span = match (number & !64) >> 4 {
            0 => Span::Maximal,
            1 => Span::Unit,
            2 => Span::Structural,
            3 => Span::Lead,
            _ => return None,
        };
        Some(Self { policy, span, text, by_kind, notes: false, ends_shifted })
    }

    /// Notes errors, and skips them, as long as there is room for notes.
    pub(crate) fn noting(self) -> Self {
        Self { notes: true, ..self }
    }

    /// Reads surrogates as code points from now on.
    pub(crate) fn pass_surrogates(&mut self) {
        self.policy = ErrorPolicy::SurrogatePass;
    }

    fn replacement(&self) -> Option<Replacement<'_>> {
        self.text.as_deref().and_then(Replacement::new)
    }
}

/// Asks the policies by kind, if there are any, otherwise the one policy.
macro_rules! ask {
    ($self:ident.$question:ident($($argument:expr),*)) => {
        match &$self.by_kind {
            Some(policy) => policy.$question($($argument),*),
            None => $self.policy.$question($($argument),*),
        }
    };
}

impl OnError for Errors {
    fn handle(&mut self, error: &IllFormed) -> Action<'_> {
        if self.text.is_some() {
            return self.replacement().map_or(Action::Stop, Action::Text);
        }
        if self.notes && note(error) {
            return Action::Text(Replacement::EMPTY);
        }
        match &mut self.by_kind {
            Some(policy) => policy.handle(error),
            None => self.policy.handle(error),
        }
    }
    fn span(&self) -> Span {
        match ask!(self.span()) {
            Span::Maximal => self.span,
            own => own,
        }
    }
    fn longest(&self) -> usize {
        match self.replacement() {
            Some(text) => text.text().chars().count(),
            None => ask!(self.longest()),
        }
    }
    fn hints(&self, engine: Engine) -> Hints<'_, Patch> {
        if self.text.is_some() || self.notes {
            return Hints::NONE;
        }
        let hints = ask!(self.hints(engine));
        if self.span == Span::Maximal { hints } else { Hints { answer: None, ..hints } }
    }
}

impl Unmappables {
    pub(crate) fn of(number: u32) -> Option<Self> {
        let mut text = None;
        let own = match number {
            0 => Own::Stock(UnmappablePolicy::Stop),
            1 => Own::Stock(UnmappablePolicy::Replace),
            2 => {
                text = TEXTS.1.take();
                Own::Stock(UnmappablePolicy::Stop)
            }
            3 => Own::Stock(UnmappablePolicy::Skip),
            4 => Own::Stock(UnmappablePolicy::HexEscape),
            5 => Own::Stock(UnmappablePolicy::XmlReference),
            #[cfg(feature = "all")]
            6 => Own::Stock(UnmappablePolicy::Transliterate),
            7 => Own::Stock(UnmappablePolicy::SurrogateEscape),
            8 => Own::Stock(UnmappablePolicy::SurrogatePass),
            9 => Own::Stock(UnmappablePolicy::Optu),
            10 => Own::Stock(UnmappablePolicy::Optu16),
            11 => Own::Stock(UnmappablePolicy::SurrogateEscapeUnchecked),
            12 => Own::Stock(UnmappablePolicy::OptuUnchecked),
            13 => Own::String,
            14 => Own::StringReplacing,
            _ => return None,
        };
        Some(Self { own, text })
    }

    fn stock(&self) -> Option<&UnmappablePolicy<'static>> {
        match &self.own {
            Own::Stock(policy) => Some(policy),
            _ => None,
        }
    }
}

impl OnUnmappable for Unmappables {
    fn handle(&mut self, unmappable: &Unmappable) -> Substitute<'_> {
        if let Some(text) = &self.text {
            return Replacement::new(text).map_or(Substitute::Stop, Substitute::Text);
        }
        match &mut self.own {
            Own::Stock(policy) => policy.handle(unmappable),
            Own::StringReplacing if !unmappable.code_point().is_surrogate() => Substitute::Default,
            Own::String | Own::StringReplacing => UnmappablePolicy::SurrogatePass.handle_once(unmappable),
        }
    }
    fn longest(&self) -> usize {
        match (&self.text, self.stock()) {
            (Some(text), _) => text.chars().count(),
            (None, Some(policy)) => policy.longest(),
            _ => 1,
        }
    }
    fn hints(&self, engine: Engine) -> Hints<'_, Substitutes> {
        match self.stock() {
            Some(policy) if self.text.is_none() => policy.hints(engine),
            _ => Hints::NONE,
        }
    }
}

/// A policy whose answer is a constant.
trait Once {
    fn handle_once(self, unmappable: &Unmappable) -> Substitute<'static>;
}

impl Once for UnmappablePolicy<'static> {
    fn handle_once(mut self, unmappable: &Unmappable) -> Substitute<'static> {
        match self.handle(unmappable) {
            Substitute::Patterns(patterns) => Substitute::Patterns(patterns),
            _ => Substitute::Stop,
        }
    }
}
