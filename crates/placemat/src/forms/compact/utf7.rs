//! UTF-7, and the form of it in which IMAP names mailboxes. RFC 2152; RFC 3501 section 5.1.3.
//!
//! Bytes of ASCII stand for themselves or are base64 of UTF-16BE, in runs: `Hi Mom -+Jjo--!`.
//!
//! | | UTF-7 | UTF-7-D | UTF-7-IMAP |
//! | --- | --- | --- | --- |
//! | a run begins with | `+` | `+` | `&` |
//! | ends with | `-`, or any other byte that is no base64 | the same | `-` |
//! | last of base64 | `/` | `/` | `,` |
//! | the byte that begins a run | `+-` | `+-` | `&-` |
//! | written as themselves | letters, digits, `'(),-./:?`, white space, and ``!"#$%&*;<=>@[]^_`{\|}`` | the same without the last | 20..7E |
//! | read as themselves | the same, `~` and `\` | the same without `~` and `\` | 20..7E |
//!
//! Written is the form of the RFC: `-` after a run where base64 or `-` follows, and at the end. Read is any: ASCII may be
//! shifted, `-` may be left out. A mailbox name has one form only, and whatever differs is an error.
//!
//! An error within a run spans one character of base64: of a lone surrogate the one that completes what shows it, else the
//! last of the run. No character is reported twice: a run that ends wrongly in the very character of another error is
//! reported once. What is decoded before an error is kept.
//!
//! Known to disagree: Python accepts `~` and `\`, and lone surrogates; ICU and glibc refuse all of these; glibc writes no
//! `-` at the end. Browsers must not read UTF-7 at all: `+ADw-script+AD4-` is markup that nobody sees.

mod quick;

use self::quick::Groups;
use crate::forms::form::{EncodeStep, EncodingForm, Form, Names, Repertoire, Step};
use crate::forms::unicode::utf16::{is_lead, is_trail};
use crate::ground::code_point::CodePoint;
use crate::ground::error::IllFormedKind;
use crate::ground::policy::Span;

/// UTF-7: written with set O as itself, read as widely as programs write it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Utf7;

/// UTF-7 at its strictest: written with set O in base64, read without `~` and `\`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Utf7Strict;

/// Names of IMAP mailboxes, "modified UTF-7". Reading is a checker: every name has one form.
#[derive(Clone, Copy, Debug, Default)]
pub struct Imap;

/// Where in a run of base64 a text is, if it is in one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Utf7State {
    /// Bits of an unfinished unit, and how many.
    bits: u16,
    count: u8,
    run: bool,
    /// Reading: the next character is among the bits already; it completed the unit before.
    ahead: bool,
    /// Reading: the last that was read ended a run.
    after_run: bool,
    /// Reading: a lead surrogate that is not paired yet, or 0.
    lead: u16,
    /// Reading: the unit that showed an error, where it is text.
    owed: Option<u16>,
}

/// What a byte is in one of the variants.
#[derive(Clone, Copy)]
struct Class {
    /// Its value in base64, or [`NONE`].
    sextet: u8,
    written_direct: bool,
    read_direct: bool,
}

const NONE: u8 = 0xFF;

/// In what the variants differ.
trait Variant {
    /// Mailbox names.
    const IMAP: bool;
    /// Whether the optional direct characters are written as themselves.
    const OPTIONAL: bool = false;
    /// Begins a run.
    const SHIFT: u8 = if Self::IMAP { b'&' } else { b'+' };
    /// By byte.
    const CLASSES: &'static [Class; 256];
    /// For readers and writers of groups.
    const GROUPS: &'static Groups = {
        static USUAL: Groups = Groups::new(&BASE64);
        static IMAP: Groups = Groups::new(&BASE64_IMAP);
        if Self::IMAP { &IMAP } else { &USUAL }
    };
    /// By value.
    const BASE64: &'static [u8; 64] = if Self::IMAP { &BASE64_IMAP } else { &BASE64 };
}

const BASE64: [u8; 64] = *b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const BASE64_IMAP: [u8; 64] = {
    let mut all = BASE64;
    all[63] = b',';
    all
};
const SET_D: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'(),-./:? \t\r\n";
const SET_O: &[u8] = b"!\"#$%&*;<=>@[]^_`{|}";
const LENIENT: &[u8] = b"~\\";

const fn is_in(byte: u8, set: &[u8]) -> bool {
    let mut i = 0;
    while i < set.len() {
        if set[i] == byte {
            return true;
        }
        i += 1;
    }
    false
}

const fn classes(imap: bool, strict: bool) -> [Class; 256] {
    let base64 = if imap { BASE64_IMAP } else { BASE64 };
    let mut all = [Class { sextet: NONE, written_direct: false, read_direct: false }; 256];
    let mut byte = 0_u8;
    while byte < 0x80 {
        let class = &mut all[byte as usize];
        if imap {
            class.written_direct = byte >= 0x20 && byte <= 0x7E && byte != b'&';
            class.read_direct = class.written_direct;
        } else {
            class.written_direct = is_in(byte, SET_D) || (!strict && is_in(byte, SET_O));
            class.read_direct =
                class.written_direct || is_in(byte, SET_O) || (!strict && is_in(byte, LENIENT));
        }
        byte += 1;
    }
    let mut sextet = 0_u8;
    while sextet < 64 {
        all[base64[sextet as usize] as usize].sextet = sextet;
        sextet += 1;
    }
    all
}

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

#[inline(always)]
fn class<V: Variant>(byte: u8) -> Class {
    V::CLASSES[usize::from(byte)]
}

const fn ill_formed(kind: IllFormedKind) -> Step {
    Step::IllFormed { len: 1, seen: 1, kind }
}

impl Utf7State {
    /// After the `-` or whatever else ended a run.
    const fn closed() -> Self {
        Self { bits: 0, count: 0, run: false, ahead: false, after_run: true, lead: 0, owed: None }
    }

    const fn opened() -> Self {
        Self { run: true, after_run: false, ..Self::closed() }
    }

    /// Outside of runs, after something else.
    const fn direct() -> Self {
        Self { after_run: false, ..Self::closed() }
    }

    /// Adds a character of base64. The unit that it completes, if it does.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "a unit has 16 bits, and fewer are left over")]
    fn push(&mut self, sextet: u8) -> Option<u16> {
        let bits = u32::from(self.bits) << 6 | u32::from(sextet);
        self.count += 6;
        if self.count < 16 {
            self.bits = bits as u16;
            return None;
        }
        self.count -= 16;
        self.bits = (bits & ((1 << self.count) - 1)) as u16;
        Some((bits >> self.count) as u16)
    }
}

/// Outside of runs.
#[inline(always)]
fn direct_step<V: Variant>(state: &mut Utf7State, src: &[u8], last: bool) -> Step {
    let byte = src[0];
    if class::<V>(byte).read_direct {
        state.after_run = false;
        return Step::CodePoint { value: CodePoint::from_byte(byte), len: 1 };
    }
    not_direct::<V>(state, src, last)
}

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

/// Within a run, where the next unit is text of its own.
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
                // The character that completes it stays, for there may be something wrong with what it completes it by.
                now.ahead = true;
                *state = now;
                return Step::CodePoint { value: CodePoint::from_u16(unit), len: i };
            }
        }
    }
    run_any::<V>(state, src, false)
}

/// Within a run.
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
                // What comes before the character is read on its own, so that the error is all of a step.
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

/// Where a run ends before `src[i]`, or with the text; with the state before the last character and after it.
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

/// So much is enough for any code point, with what opens and closes a run.
const MAX: usize = 8;

#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "what is in a table of bytes is a byte")]
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

/// The same where there may be too little room.
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

/// Writes what is in a run, or ends one, or is the byte that begins one.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "masked, or known to be of so many bits")]
fn encode_shifted<V: Variant>(
    state: &mut Utf7State,
    c: CodePoint,
    direct: bool,
    to: &mut [u8; MAX],
) -> usize {
    let value = c.value();
    let mut len = 0;
    let shift = value == u32::from(V::SHIFT);
    if direct || shift && (V::IMAP || !state.run) {
        let byte = value as u8;
        if state.run {
            let closes = V::IMAP || byte == b'-' || class::<V>(byte).sextet != NONE;
            len = close::<V>(*state, closes, to);
        }
        to[len] = byte;
        to[len + 1] = b'-';
        *state = Utf7State::direct();
        return len + 1 + usize::from(shift);
    }
    if !state.run {
        to[0] = V::SHIFT;
        len = 1;
        state.run = true;
    }
    // The bits that wait, and those of one unit or two.
    let (mut bits, mut count) = (u64::from(state.bits), u32::from(state.count));
    match c.to_pair() {
        None => (bits, count) = (bits << 16 | u64::from(value), count + 16),
        Some((lead, trail)) => {
            (bits, count) = (bits << 32 | u64::from(lead) << 16 | u64::from(trail), count + 32);
        }
    }
    while count >= 6 {
        count -= 6;
        to[len] = V::BASE64[(bits >> count) as usize & 0x3F];
        len += 1;
    }
    state.bits = bits as u16 & ((1 << count) - 1);
    state.count = count as u8;
    len
}

/// Ends a run: the bits that wait, filled up with zeros, and `-`.
#[inline(always)]
fn close<V: Variant>(state: Utf7State, minus: bool, to: &mut [u8; MAX]) -> usize {
    let mut len = 0;
    if state.count > 0 {
        to[0] = V::BASE64[usize::from(state.bits << (6 - state.count)) & 0x3F];
        len = 1;
    }
    to[len] = b'-';
    len + usize::from(minus)
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
            const MAX_UNITS: usize = MAX;
            const REPERTOIRE: Repertoire = Repertoire::Scalar;
            const SIGNATURE: &'static [u8] = $signature;

            #[inline]
            fn decode_step(state: &mut Utf7State, src: &[u8]) -> Step {
                decode_step::<Self>(state, src)
            }
            const QUICK: bool = true;

            fn to_utf8(state: &mut Utf7State, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
                quick::to_utf8::<Self>(state, src, dst)
            }
            fn from_utf8(state: &mut Utf7State, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
                quick::from_utf8::<Self>(state, src, dst)
            }
            fn decode_end(state: &mut Utf7State, src: &[u8]) -> Step {
                decode_end::<Self>(state, src)
            }
            /// An error is a step, whatever the rule: what is left of one would be read as something else.
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
        labels: &[
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
        web_labels: &[],
        about: "ASCII, with everything else as base64 of UTF-16 between + and -; not to be read where markup is.",
        specified_in: "RFC 2152",
    }
);
form!(
    Utf7Strict,
    b"+/v8-",
    Names {
        name: "UTF-7-D",
        labels: &["utf7-d", "utf-7-strict"],
        web_labels: &[],
        about: "UTF-7 at its strictest: the optional direct characters written in base64, ~ and \\ not read.",
        specified_in: "RFC 2152",
    }
);
form!(
    Imap,
    &[],
    Names {
        name: "UTF-7-IMAP",
        labels: &["utf7-imap", "csutf7imap", "imap-utf-7", "imap4-utf-7", "imap-mailbox-name"],
        web_labels: &[],
        about: "Names of IMAP mailboxes: ASCII, with everything else as base64 of UTF-16 between & and -; one form a name.",
        specified_in: "RFC 3501 section 5.1.3",
    }
);
