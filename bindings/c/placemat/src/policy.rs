//! Policies: the replacements of errors in the input, and of text that the target cannot represent.

use crate::memory::slice;
use crate::types::placemat_error;
use core::ffi::{c_char, c_void};
use placemat::internals::{Engine, Hints, Patch, Substitutes};
use placemat::policy::{Action, Substitute};
use placemat::{
    ErrorPolicy, IllFormed, OnError, OnUnmappable, Replacement, Span, Unmappable, UnmappablePolicy,
};

/// Stops at the first error. For ill-formed input and for unmappable text.
pub const PLACEMAT_STOP: u32 = 0;
/// Writes U+FFFD, or `?` where the target has no U+FFFD. For both.
pub const PLACEMAT_REPLACE: u32 = 1;
/// Writes the text of the policy. For both.
pub const PLACEMAT_REPLACE_WITH: u32 = 2;
/// Leaves it out. For both.
pub const PLACEMAT_SKIP: u32 = 3;
/// Writes `\xff` for each byte; for a code point `\xe9`, `\u20ac` or `\U0001f600`. For both.
pub const PLACEMAT_HEX_ESCAPE: u32 = 4;
/// Bytes 80..FF become U+DC80..U+DCFF and back, as in Python's `surrogateescape`. For both.
pub const PLACEMAT_SURROGATE_ESCAPE: u32 = 5;
/// Lets surrogates through, where the encoding has a form for them. For both.
pub const PLACEMAT_SURROGATE_PASS: u32 = 6;
/// Calls the function of the policy. For both.
pub const PLACEMAT_CALL: u32 = 7;
/// Reads the bytes as Latin-1. For ill-formed input.
pub const PLACEMAT_AS_LATIN1: u32 = 8;
/// Reads the bytes as windows-1252. For ill-formed input.
pub const PLACEMAT_AS_CP1252: u32 = 9;
/// Writes `&#8364;`. For unmappable text.
pub const PLACEMAT_XML_REFERENCE: u32 = 10;
/// Writes similar text: `EUR` for the euro sign. For unmappable text.
pub const PLACEMAT_TRANSLITERATE: u32 = 11;
/// Bytes 80..FF become U+EF80..U+EFFF and back; those code points are escaped too, so every byte string survives. For both.
pub const PLACEMAT_OPTU: u32 = 12;
/// `PLACEMAT_OPTU` as MirBSD has it for 16-bit text. For both.
pub const PLACEMAT_OPTU16: u32 = 13;
/// `PLACEMAT_SURROGATE_ESCAPE` without the check that the bytes join into no well-formed sequence. For unmappable text.
pub const PLACEMAT_SURROGATE_ESCAPE_UNCHECKED: u32 = 14;
/// `PLACEMAT_OPTU` without the check that the bytes join into no well-formed sequence. For unmappable text.
pub const PLACEMAT_OPTU_UNCHECKED: u32 = 15;
/// No policy: `placemat_policy_for_name` does not know the name. A conversion with it answers `PLACEMAT_BAD_ARGUMENT`.
pub const PLACEMAT_UNKNOWN_POLICY: u32 = u32::MAX;

/// One error is a maximal subpart, as the Unicode Standard and the WHATWG have it.
pub const PLACEMAT_SPAN_MAXIMAL: u32 = 0;
/// One error is one code unit.
pub const PLACEMAT_SPAN_UNIT: u32 = 1;
/// One error is a lead byte with its continuation bytes.
pub const PLACEMAT_SPAN_STRUCTURAL: u32 = 2;
/// One error is all bytes that the lead byte announces.
pub const PLACEMAT_SPAN_LEAD: u32 = 3;

/// A function that decides on an error; `error->code_point` is not 0 for unmappable text. To replace it, the function
/// writes UTF-8 to `text`, which has room for `*length` bytes, sets `*length`, and returns true. To stop there, it returns
/// false. A conversion asks it once about each error, in the order of the text, however text and output are cut, so it may
/// count. `placemat_converted_length`, each call of `placemat_convert`, and a transcoder after its reset are conversions of
/// their own, which ask again. It must return: no `longjmp`, no exception.
pub type placemat_callback = Option<
    unsafe extern "C" fn(
        data: *mut c_void,
        error: *const placemat_error,
        text: *mut c_char,
        length: *mut usize,
    ) -> bool,
>;

/// The policies of a conversion. One whose bytes are all zero stops at every error.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct placemat_policy {
    /// For ill-formed input: `PLACEMAT_STOP` and so on.
    pub on_error: u32,
    /// For text that the target cannot represent: `PLACEMAT_STOP` and so on.
    pub on_unmappable: u32,
    /// How much is one error: `PLACEMAT_SPAN_MAXIMAL` and so on.
    pub span: u32,
    /// The replacement of ill-formed input, in UTF-8, for `PLACEMAT_REPLACE_WITH`: at most 1024 bytes. It is copied.
    pub error_text: *const c_char,
    /// The length of `error_text` in bytes.
    pub error_text_length: usize,
    /// The replacement of unmappable text, in the same way.
    pub unmappable_text: *const c_char,
    /// The length of `unmappable_text` in bytes.
    pub unmappable_text_length: usize,
    /// The function for `PLACEMAT_CALL`.
    pub callback: placemat_callback,
    /// The first argument of the function.
    pub data: *mut c_void,
}

/// The names of policies that need no text and no function: those of Python's error handlers and of the command `placemat`.
const NAMES: [(&str, u32); 14] = [
    ("strict", PLACEMAT_STOP),
    ("replace", PLACEMAT_REPLACE),
    ("ignore", PLACEMAT_SKIP),
    ("backslashreplace", PLACEMAT_HEX_ESCAPE),
    ("surrogateescape", PLACEMAT_SURROGATE_ESCAPE),
    ("surrogatepass", PLACEMAT_SURROGATE_PASS),
    ("latin1", PLACEMAT_AS_LATIN1),
    ("cp1252", PLACEMAT_AS_CP1252),
    ("xmlcharrefreplace", PLACEMAT_XML_REFERENCE),
    ("translit", PLACEMAT_TRANSLITERATE),
    ("optu", PLACEMAT_OPTU),
    ("optu16", PLACEMAT_OPTU16),
    ("surrogateescape-unchecked", PLACEMAT_SURROGATE_ESCAPE_UNCHECKED),
    ("optu-unchecked", PLACEMAT_OPTU_UNCHECKED),
];

/// The policy that a name means, in any case: `strict`, `replace`, `ignore`, `backslashreplace`, `surrogateescape`,
/// `surrogatepass`, `latin1`, `cp1252`, `xmlcharrefreplace`, `translit`, `optu`, `optu16`, `surrogateescape-unchecked`,
/// `optu-unchecked`. `PLACEMAT_UNKNOWN_POLICY` for any other.
///
/// ```c
/// policy.on_error = placemat_policy_for_name("replace", 7);
/// ```
///
/// # Safety
/// `name` has `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_policy_for_name(name: *const c_char, length: usize) -> u32 {
    // SAFETY: the caller promises it.
    let name: &[u8] = unsafe { slice(name.cast(), length) };
    let known = NAMES.iter().find(|(known, _)| name.eq_ignore_ascii_case(known.as_bytes()));
    known.map_or(PLACEMAT_UNKNOWN_POLICY, |&(_, policy)| policy)
}

/// A text that is stored in place.
#[derive(Clone, Copy)]
struct Text {
    bytes: [u8; Replacement::MAX_BYTES],
    len: usize,
}

impl Text {
    const EMPTY: Self = Self { bytes: [0; Replacement::MAX_BYTES], len: 0 };

    /// Copies a replacement text, if it is UTF-8 and short enough.
    fn of(text: &[u8]) -> Option<Self> {
        core::str::from_utf8(text).ok()?;
        let mut this = Self { len: text.len(), ..Self::EMPTY };
        this.bytes.get_mut(..text.len())?.copy_from_slice(text);
        Some(this)
    }

    /// Returns the text, unless a callback wrote something other than UTF-8.
    fn get(&self) -> Option<Replacement<'_>> {
        core::str::from_utf8(self.bytes.get(..self.len)?).ok().and_then(Replacement::new)
    }

    /// Asks a callback. Returns its text, or `None` if it stops.
    fn ask(
        &mut self,
        callback: placemat_callback,
        data: *mut c_void,
        error: &placemat_error,
    ) -> Option<Replacement<'_>> {
        self.len = self.bytes.len();
        let text = self.bytes.as_mut_ptr().cast();
        // SAFETY: the author of the policy promises that the function can be called with `data`;
        // the other addresses are those of values that live during the call.
        let replaces = unsafe { callback?(data, error, text, &raw mut self.len) };
        if replaces { self.get() } else { None }
    }
}

/// A policy that is a stock policy of the library, or one of this interface.
#[derive(Clone, Copy)]
enum Own<P> {
    Stock(P),
    Text,
    Call(placemat_callback, *mut c_void),
}

/// The policy for ill-formed input.
pub(crate) struct Errors {
    own: Own<ErrorPolicy<'static>>,
    span: Span,
    text: Text,
}

/// The policy for unmappable text.
pub(crate) struct Unmappables {
    own: Own<UnmappablePolicy<'static>>,
    text: Text,
}

/// Returns both policies; `None` if a value is out of range.
///
/// # Safety
/// `policy` is null, or readable with its texts; its function can be called with its data.
pub(crate) unsafe fn read(policy: *const placemat_policy) -> Option<(Errors, Unmappables)> {
    let stop = (
        Errors { own: Own::Stock(ErrorPolicy::Stop), span: Span::Maximal, text: Text::EMPTY },
        Unmappables { own: Own::Stock(UnmappablePolicy::Stop), text: Text::EMPTY },
    );
    if policy.is_null() {
        return Some(stop);
    }
    let (mut errors, mut unmappables) = stop;
    // SAFETY: it is not null, so the caller promises that it can be read.
    let policy = unsafe { &*policy };
    let call = |callback: placemat_callback| callback.is_some().then_some((callback, policy.data));
    errors.own = match policy.on_error {
        PLACEMAT_STOP => Own::Stock(ErrorPolicy::Stop),
        PLACEMAT_REPLACE => Own::Stock(ErrorPolicy::Replace),
        PLACEMAT_SKIP => Own::Stock(ErrorPolicy::Skip),
        PLACEMAT_HEX_ESCAPE => Own::Stock(ErrorPolicy::HexEscape),
        PLACEMAT_SURROGATE_ESCAPE => Own::Stock(ErrorPolicy::SurrogateEscape),
        PLACEMAT_SURROGATE_PASS => Own::Stock(ErrorPolicy::SurrogatePass),
        PLACEMAT_OPTU => Own::Stock(ErrorPolicy::Optu),
        PLACEMAT_OPTU16 => Own::Stock(ErrorPolicy::Optu16),
        PLACEMAT_AS_LATIN1 => Own::Stock(ErrorPolicy::Latin1),
        PLACEMAT_AS_CP1252 => Own::Stock(ErrorPolicy::Windows1252),
        PLACEMAT_REPLACE_WITH => {
            // SAFETY: the caller promises it.
            errors.text = Text::of(unsafe { slice(policy.error_text.cast(), policy.error_text_length) })?;
            Own::Text
        }
        PLACEMAT_CALL => call(policy.callback).map(|(callback, data)| Own::Call(callback, data))?,
        _ => return None,
    };
    unmappables.own = match policy.on_unmappable {
        PLACEMAT_STOP => Own::Stock(UnmappablePolicy::Stop),
        PLACEMAT_REPLACE => Own::Stock(UnmappablePolicy::Replace),
        PLACEMAT_SKIP => Own::Stock(UnmappablePolicy::Skip),
        PLACEMAT_HEX_ESCAPE => Own::Stock(UnmappablePolicy::HexEscape),
        PLACEMAT_SURROGATE_ESCAPE => Own::Stock(UnmappablePolicy::SurrogateEscape),
        PLACEMAT_SURROGATE_PASS => Own::Stock(UnmappablePolicy::SurrogatePass),
        PLACEMAT_OPTU => Own::Stock(UnmappablePolicy::Optu),
        PLACEMAT_OPTU16 => Own::Stock(UnmappablePolicy::Optu16),
        PLACEMAT_SURROGATE_ESCAPE_UNCHECKED => Own::Stock(UnmappablePolicy::SurrogateEscapeUnchecked),
        PLACEMAT_OPTU_UNCHECKED => Own::Stock(UnmappablePolicy::OptuUnchecked),
        PLACEMAT_XML_REFERENCE => Own::Stock(UnmappablePolicy::XmlReference),
        PLACEMAT_TRANSLITERATE => Own::Stock(UnmappablePolicy::Transliterate),
        PLACEMAT_REPLACE_WITH => {
            // SAFETY: the caller promises it.
            let text = unsafe { slice(policy.unmappable_text.cast(), policy.unmappable_text_length) };
            unmappables.text = Text::of(text)?;
            Own::Text
        }
        PLACEMAT_CALL => call(policy.callback).map(|(callback, data)| Own::Call(callback, data))?,
        _ => return None,
    };
    errors.span = match policy.span {
        PLACEMAT_SPAN_MAXIMAL => Span::Maximal,
        PLACEMAT_SPAN_UNIT => Span::Unit,
        PLACEMAT_SPAN_STRUCTURAL => Span::Structural,
        PLACEMAT_SPAN_LEAD => Span::Lead,
        _ => return None,
    };
    Some((errors, unmappables))
}

impl OnError for Errors {
    fn handle(&mut self, error: &IllFormed) -> Action<'_> {
        let text = match &mut self.own {
            Own::Stock(policy) => return policy.handle(error),
            Own::Text => self.text.get(),
            Own::Call(callback, data) => self.text.ask(*callback, *data, &placemat_error::ill_formed(error)),
        };
        text.map_or(Action::Stop, Action::Text)
    }

    fn longest(&self) -> usize {
        match &self.own {
            Own::Stock(policy) => policy.longest(),
            Own::Text => self.text.len,
            Own::Call(..) => Replacement::MAX_BYTES,
        }
    }

    fn span(&self) -> Span {
        match &self.own {
            // Policies that escape bytes have their own span.
            Own::Stock(policy) if policy.span() != Span::Maximal => policy.span(),
            _ => self.span,
        }
    }

    fn hints(&self, engine: Engine) -> Hints<'_, Patch> {
        let policy = match &self.own {
            Own::Stock(policy) => policy,
            // One text for all errors: the engine need not keep its answers, for which it would allocate memory.
            Own::Text => return Hints { repeats: true, ..Hints::NONE },
            Own::Call(..) => return Hints::NONE,
        };
        let hints = policy.hints(engine);
        if self.span == Span::Maximal { hints } else { Hints { answer: None, ..hints } }
    }
}

impl OnUnmappable for Unmappables {
    fn handle(&mut self, unmappable: &Unmappable) -> Substitute<'_> {
        let text = match &mut self.own {
            Own::Stock(policy) => return policy.handle(unmappable),
            Own::Text => self.text.get(),
            Own::Call(callback, data) => {
                self.text.ask(*callback, *data, &placemat_error::unmappable(unmappable))
            }
        };
        text.map_or(Substitute::Stop, Substitute::Text)
    }

    fn longest(&self) -> usize {
        match &self.own {
            Own::Stock(policy) => policy.longest(),
            Own::Text => self.text.len,
            Own::Call(..) => Replacement::MAX_BYTES,
        }
    }

    fn hints(&self, engine: Engine) -> Hints<'_, Substitutes> {
        match &self.own {
            Own::Stock(policy) => policy.hints(engine),
            Own::Text => Hints { repeats: true, ..Hints::NONE },
            Own::Call(..) => Hints::NONE,
        }
    }
}
