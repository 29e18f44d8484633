//! UTF-7, and its variant for the names of IMAP mailboxes. RFC 2152; RFC 3501 section 5.1.3.
//!
//! Bytes of ASCII are literal, or base64 of UTF-16BE in runs: `Hi Mom -+Jjo--!`.
//!
//! | | UTF-7 | UTF-7-D | UTF-7-IMAP |
//! | --- | --- | --- | --- |
//! | a run begins with | `+` | `+` | `&` |
//! | ends with | `-`, or any other byte outside of base64 | as in UTF-7 | `-` |
//! | last of base64 | `/` | `/` | `,` |
//! | the byte that begins a run | `+-` | `+-` | `&-` |
//! | written as themselves | letters, digits, `'(),-./:?`, white space, and ``!"#$%&*;<=>@[]^_`{\|}`` | as in UTF-7, without the last group | 20..7E |
//! | read as themselves | all those, `~` and `\` | as in UTF-7, without `~` and `\` | 20..7E |
//!
//! The encoder writes the form of the RFC: `-` after a run where base64 or `-` follows, and at the end. The decoder reads
//! any form: ASCII may be shifted, and `-` may be missing. A mailbox name has one form only; any other is an error.
//!
//! An error within a run spans one character of base64: for an unpaired surrogate, the character that completes the unit
//! that shows it; otherwise the last of the run. The decoder reports no character twice: a run that ends wrongly in the
//! character of another error is not a second error. The text decoded before an error stays.
//!
//! Known to disagree: Python accepts `~` and `\`, and unpaired surrogates; ICU and glibc refuse all of these; glibc writes
//! no `-` at the end. Browsers must not read UTF-7 at all: `+ADw-script+AD4-` is markup that a filter does not see.

mod groups;
mod quick;
mod run;
mod variant;

use self::run::{MAX, Utf7State, close, encode_shifted};
use self::variant::{Class, NONE, Variant, class, classes};
use placemat_core::forms::form::{
    AsciiBytes, EncodeStep, EncodingForm, Facts, Form, Names, Repertoire, Step,
};
use placemat_core::forms::names::labels;
use placemat_core::ground::code_point::CodePoint;
use placemat_core::ground::error::IllFormedKind;
use placemat_core::ground::policy::Span;
use placemat_core::ground::unit::{is_lead, is_trail};

/// UTF-7: the encoder writes set O directly, and the decoder accepts all that programs write.
#[derive(Clone, Copy, Debug, Default)]
pub struct Utf7;

/// UTF-7 at its strictest: the encoder writes set O in base64, and the decoder refuses `~` and `\`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Utf7Strict;

/// Names of IMAP mailboxes, "modified UTF-7". Every name has one form, and the decoder checks it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Imap;

impl Variant for Utf7 {
    const IMAP: bool = false;
    const OPTIONAL: bool = true;
    const CLASSES: &'static [Class; 256] = {
        static ALL: [Class; 256] = classes(false, false);
        &ALL
    };
}

impl Variant for Utf7Strict {
    const IMAP: bool = false;
    const CLASSES: &'static [Class; 256] = {
        static ALL: [Class; 256] = classes(false, true);
        &ALL
    };
}

impl Variant for Imap {
    const IMAP: bool = true;
    const CLASSES: &'static [Class; 256] = {
        static ALL: [Class; 256] = classes(true, true);
        &ALL
    };
}

const fn ill_formed(kind: IllFormedKind) -> Step {
    Step::IllFormed { len: 1, seen: 1, kind }
}

/// Decodes a step outside of runs.
#[inline(always)]
fn direct_step<V: Variant>(state: &mut Utf7State, src: &[u8], last: bool) -> Step {
    let byte = src[0];
    if class::<V>(byte).read_direct {
        state.after_run = false;
        return Step::CodePoint { value: CodePoint::from_byte(byte), len: 1 };
    }
    not_direct::<V>(state, src, last)
}

#[inline]
fn not_direct<V: Variant>(state: &mut Utf7State, src: &[u8], last: bool) -> Step {
    let after_run = state.after_run;
    let byte = src[0];
    if byte != V::SHIFT {
        *state = Utf7State::direct();
        return ill_formed(match byte {
            0x80.. => IllFormedKind::EightBitByte,
            _ => IllFormedKind::IllegalDirect,
        });
    }
    match src.get(1) {
        None if !last => Step::Incomplete { needs: 1 },
        None if V::IMAP => ill_formed(IllFormedKind::Unterminated),
        None => ill_formed(IllFormedKind::Incomplete),
        Some(b'-') => {
            *state = Utf7State::direct();
            Step::CodePoint { value: CodePoint::from_byte(V::SHIFT), len: 2 }
        }
        Some(&next) => {
            let base64 = class::<V>(next).sextet != NONE;
            if !base64 && !V::IMAP {
                *state = Utf7State::direct();
                return ill_formed(IllFormedKind::BadShift);
            }
            *state = Utf7State::opened();
            if base64 && V::IMAP && after_run {
                return ill_formed(IllFormedKind::NullShift);
            }
            Step::Shift { len: 1 }
        }
    }
}

/// Decodes a step within a run, where the next unit is a code point.
#[inline(always)]
fn run_step<V: Variant>(state: &mut Utf7State, src: &[u8]) -> Step {
    if state.lead == 0 {
        let mut now = *state;
        let first = usize::from(state.ahead);
        // Three characters always complete a unit.
        for (i, &byte) in src.iter().enumerate().skip(first).take(3) {
            let sextet = class::<V>(byte).sextet;
            if sextet == NONE {
                break;
            }
            if let Some(unit) = now.push(sextet) {
                let ascii = V::IMAP && matches!(unit, 0x20..=0x7E);
                if i == 0 || ascii || unit & 0xF800 == 0xD800 {
                    break;
                }
                // The character that completes the unit stays: the next unit, which it begins, may be an error.
                now.ahead = true;
                *state = now;
                return Step::CodePoint { value: CodePoint::from_u16(unit), len: i };
            }
        }
    }
    run_any::<V>(state, src, false)
}

/// Decodes any step within a run.
#[inline]
fn run_any<V: Variant>(state: &mut Utf7State, src: &[u8], last: bool) -> Step {
    let mut now = *state;
    let mut i = usize::from(now.ahead);
    now.ahead = false;
    let mut before = now;
    loop {
        let sextet = src.get(i).map_or(NONE, |&byte| class::<V>(byte).sextet);
        if sextet == NONE {
            return match src.get(i) {
                None if !last => Step::Incomplete { needs: 1 },
                end => run_end::<V>(state, src, (before, now), i, end.copied()),
            };
        }
        before = now;
        if let Some(unit) = now.push(sextet) {
            let ascii = V::IMAP && matches!(unit, 0x20..=0x7E);
            let kind = if is_trail(unit) != (now.lead != 0) {
                Some(IllFormedKind::UnpairedSurrogate)
            } else if ascii {
                Some(IllFormedKind::EncodedAscii)
            } else {
                None
            };
            if let Some(kind) = kind {
                // The characters before this one are a step of their own, so that the error is a whole step.
                if i > 0 {
                    *state = before;
                    return Step::Shift { len: i };
                }
                let unpaired = now.lead != 0;
                now.lead = if is_lead(unit) { unit } else { 0 };
                now.owed = Some(unit).filter(|_| unpaired && !ascii && now.lead == 0);
                *state = now;
                return ill_formed(kind);
            }
            if !is_lead(unit) {
                let value = match now.lead {
                    0 => CodePoint::from_u16(unit),
                    lead => CodePoint::from_pair(lead, unit),
                };
                now.lead = 0;
                now.ahead = i > 0;
                *state = now;
                return Step::CodePoint { value, len: i.max(1) };
            }
            now.lead = unit;
        }
        i += 1;
    }
}

/// Returns the step where a run ends before `src[i]`, or with the text; `before` and `now` are the states before the last character
/// and after it.
fn run_end<V: Variant>(
    state: &mut Utf7State,
    src: &[u8],
    (before, now): (Utf7State, Utf7State),
    i: usize,
    end: Option<u8>,
) -> Step {
    if V::IMAP && end.is_some_and(|byte| byte != b'-') {
        if i > 0 {
            *state = now;
            return Step::Shift { len: i };
        }
        *state = Utf7State::direct();
        return ill_formed(IllFormedKind::BadBase64);
    }
    let kind = match now {
        _ if V::IMAP && end.is_none() => Some(IllFormedKind::Unterminated),
        Utf7State { lead: 1.., .. } => Some(IllFormedKind::UnpairedSurrogate),
        Utf7State { count: 6.., .. } => Some(IllFormedKind::PartialUnit),
        Utf7State { bits: 1.., .. } => Some(IllFormedKind::NonzeroPadding),
        _ => None,
    };
    match (kind, i) {
        (Some(kind), 1) => {
            *state = Utf7State::opened();
            ill_formed(kind)
        }
        (Some(_), 2..) => {
            *state = before;
            Step::Shift { len: i - 1 }
        }
        _ => {
            *state = Utf7State::closed();
            match end {
                Some(b'-') => Step::Shift { len: i + 1 },
                _ if i > 0 => Step::Shift { len: i },
                _ => direct_step::<V>(state, src, false),
            }
        }
    }
}

#[inline(always)]
fn decode_step<V: Variant>(state: &mut Utf7State, src: &[u8]) -> Step {
    if state.run { run_step::<V>(state, src) } else { direct_step::<V>(state, src, false) }
}

fn decode_end<V: Variant>(state: &mut Utf7State, src: &[u8]) -> Step {
    if state.run { run_any::<V>(state, src, true) } else { direct_step::<V>(state, src, true) }
}

#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "entries of a table of bytes are bytes")]
fn encode_step<V: Variant>(state: &mut Utf7State, c: CodePoint, dst: &mut [u8]) -> EncodeStep {
    let value = c.value();
    let direct = value < 0x80 && class::<V>(value as u8).written_direct;
    if direct && !state.run {
        let Some(to) = dst.first_mut() else { return EncodeStep::NoRoom };
        *to = value as u8;
        return EncodeStep::Written(1);
    }
    if let Some(to) = dst.first_chunk_mut::<MAX>() {
        return EncodeStep::Written(encode_shifted::<V>(state, c, direct, to));
    }
    encode_at_the_end::<V>(state, c, direct, dst)
}

/// Writes a code point where the room may not suffice.
#[cold]
fn encode_at_the_end<V: Variant>(
    state: &mut Utf7State,
    c: CodePoint,
    direct: bool,
    dst: &mut [u8],
) -> EncodeStep {
    let (mut now, mut units) = (*state, [0; MAX]);
    let len = encode_shifted::<V>(&mut now, c, direct, &mut units);
    let Some(to) = dst.get_mut(..len) else { return EncodeStep::NoRoom };
    to.copy_from_slice(&units[..len]);
    *state = now;
    EncodeStep::Written(len)
}

fn encode_finish<V: Variant>(state: &mut Utf7State, dst: &mut [u8]) -> EncodeStep {
    if !state.run {
        return EncodeStep::Written(0);
    }
    let mut units = [0; MAX];
    let len = close::<V>(*state, true, &mut units);
    let Some(to) = dst.get_mut(..len) else { return EncodeStep::NoRoom };
    to.copy_from_slice(&units[..len]);
    *state = Utf7State::closed();
    EncodeStep::Written(len)
}

macro_rules! form {
    ($form:ty, $signature:expr, $names:expr) => {
        impl EncodingForm for $form {}

        impl Form for $form {
            type Unit = u8;
            type State = Utf7State;

            const NAMES: Names = $names;
            const FACTS: Facts = Facts {
                signature: $signature,
                quick: true,
                ascii: AsciiBytes::Shifted,
                ..Facts::new(Repertoire::Scalar, MAX).stateful()
            };

            #[inline]
            fn decode_step(state: &mut Utf7State, src: &[u8]) -> Step {
                decode_step::<Self>(state, src)
            }

            #[inline]
            fn to_utf8(state: &mut Utf7State, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
                quick::to_utf8::<Self>(state, src, dst)
            }
            #[inline]
            fn from_utf8(state: &mut Utf7State, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
                quick::from_utf8::<Self>(state, src, dst)
            }
            fn decode_end(state: &mut Utf7State, src: &[u8]) -> Step {
                decode_end::<Self>(state, src)
            }
            /// An error is always a whole step, under any rule: its remaining bytes would have another meaning.
            fn span(state: &Utf7State, _: Span, src: &[u8], maximal: usize, _: bool) -> Option<usize> {
                Some(match decode_step::<Self>(&mut state.clone(), src) {
                    Step::CodePoint { len, .. } => len,
                    _ => maximal,
                })
            }
            #[inline]
            fn owed(state: &mut Utf7State) -> Option<CodePoint> {
                state.owed.take().map(CodePoint::from_u16)
            }
            /// Returns the character that completed a unit. It may have bits of the next one.
            #[inline]
            fn settled(state: &mut Utf7State) -> Option<usize> {
                let settled = state.count == 0 && state.lead == 0;
                settled.then(|| usize::from(core::mem::take(&mut state.ahead)))
            }
            #[inline]
            fn encode_step(state: &mut Utf7State, c: CodePoint, dst: &mut [u8]) -> EncodeStep {
                encode_step::<Self>(state, c, dst)
            }
            fn encode_finish(state: &mut Utf7State, dst: &mut [u8]) -> EncodeStep {
                encode_finish::<Self>(state, dst)
            }
        }
    };
}

form!(
    Utf7,
    b"+/v8-",
    Names {
        name: "UTF-7",
        labels: labels![
            "utf7",
            "utf_7",
            "u7",
            "csutf7",
            "unicode-1-1-utf-7",
            "csunicode11utf7",
            "unicode-2-0-utf-7",
            "x-unicode20utf7",
            "cp65000",
            "65000",
            "windows-65000",
        ],
        web_labels: labels![],
        about: "ASCII, with everything else as base64 of UTF-16 between + and -. Unsafe to read in markup.",
        specified_in: "RFC 2152",
    }
);
form!(
    Utf7Strict,
    b"+/v8-",
    Names {
        name: "UTF-7-D",
        labels: labels!["utf7-d", "utf-7-strict"],
        web_labels: labels![],
        about: "UTF-7 at its strictest: the optional direct characters in base64; ~ and \\ are errors.",
        specified_in: "RFC 2152",
    }
);
form!(
    Imap,
    &[],
    Names {
        name: "UTF-7-IMAP",
        labels: labels!["utf7-imap", "csutf7imap", "imap-utf-7", "imap4-utf-7", "imap-mailbox-name"],
        web_labels: labels![],
        about: "Names of IMAP mailboxes: ASCII, with everything else as base64 of UTF-16 between & and -; one form per name.",
        specified_in: "RFC 3501 section 5.1.3",
    }
);
