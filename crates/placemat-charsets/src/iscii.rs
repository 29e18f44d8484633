//! ISCII, the Indian Script Code for Information Interchange. IS 13194:1991.
//!
//! | | UTF-8 | ISCII |
//! | --- | --- | --- |
//! | ASCII bytes | always ASCII | ASCII, or the byte of an attribute after EF |
//! | states | none | the script, which EF and a byte choose up to the end of the line |
//! | one sequence | one code point | one to three code points, in one or two bytes |
//! | repertoire | scalar values | ASCII, C1, U+00A0, and the letters of nine scripts that the standard knows |
//!
//! The letters of all scripts with one sound share a byte. Each encoding here is a script, in which a text and each line begin, and
//! reads and writes the other ones by their attributes:
//!
//! | bytes | meaning |
//! | --- | --- |
//! | EF 42 to EF 4B | a script; 46, Assamese, is read as Bengali |
//! | EF 40 | the script of the encoding |
//! | EF 21 to EF 3F | bold, italic and other attributes of display, which plain text loses |
//! | EF 41, EF 71 to EF 76 | Latin transliteration and Perso-Arabic scripts: an error of two bytes |
//! | a letter, E9 | the letter with a nukta, or a rare one: B3 E9 is U+0958 |
//! | E8 E8, E8 E9 | halant with U+200C, which shows it; halant with U+200D, for half a letter |
//! | EA, EA EA | danda and double danda, in the northern scripts |
//! | D9 | the invisible consonant: U+200D |
//! | F0 B8, F0 BF | the anudatta and the mark of abbreviation, in Devanagari; other extensions are an error of two bytes |
//! | A2 in Gurmukhi | tippi or bindi, by the letter before it |
//!
//! The encoder announces a script where a decoder needs it, whether or not that forgets the script at the end of a line. Where two
//! bytes would be read as another character, it announces the same script once more between them. A consonant and a nukta are
//! written as the character to which they are canonically equivalent.
//!
//! The tables are those of ICU and Windows, where Windows does not replace a letter that a script lacks by one that is like it. Known
//! to disagree:
//! - ICU announces the script at the start of every text and line, reads D9 before E8 as a space, drops U+200C elsewhere, reads
//!   a doubled consonant of Gurmukhi as U+0A71 and the consonant, and has bindi after U+0A32 and U+0A33. It lacks the danda outside
//!   Devanagari, U+0ABC, U+0B5C, U+0C01, U+0CB1, U+0CDE, and the avagraha of Gujarati and Oriya.
//! - Windows keeps the script at the end of a line, has neither D9 nor tippi, and reads EA outside Devanagari as a full stop of ASCII.
//!   Windows writes the long e and o of northern scripts as AB, E0 and E4; the decoder here reads these bytes too.

mod table;

use self::table::{ATR, DANDA, EXT, HALANT, INV, NAMES, NUKTA, Script, nasal};
use self::table::{BINDI, DOUBLE_DANDA, SINGLE_DANDA, TIPPI, ZWJ, ZWNJ, is_before_tippi};
use placemat_core::forms::descriptor::{Carried, Row, Words};
use placemat_core::forms::form::{AsciiBytes, EncodeStep, Facts, Form, Names, Repertoire, Step};
use placemat_core::ground::code_point::CodePoint;
use placemat_core::ground::error::{IllFormedKind, UnmappableKind};
use placemat_core::ground::policy::CodePoints;

/// The form that the scripts of ISCII share.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Iscii;

/// Returns the row of a member.
pub(crate) const fn row(member: u16) -> Row {
    Row::member::<Iscii>(member, NAMES[member as usize], const { &Iscii::FACTS })
}

/// The script, and what the next byte depends on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct IsciiState {
    /// The script of the encoding.
    own: Script,
    /// The script of the next byte.
    script: Script,
    /// In the encoder, the script that was announced last, which some decoders keep at the end of a line.
    announced: Script,
    /// A nasal mark of Gurmukhi would be a tippi here.
    before_tippi: bool,
    /// In the encoder, the last byte, if it may mean something else together with the next one; otherwise 0.
    open: u8,
}

impl Carried for IsciiState {
    const START: Words = Words::new([0]);

    #[inline]
    fn take(member: u16, words: &Words) -> Self {
        let [script, announced, before_tippi, open] = words.0[0].to_le_bytes();
        let own = Script(member.to_le_bytes()[0]);
        // At the start of a text, the words are those of every script.
        let script_of = |number: u8| number.checked_sub(1).map_or(own, Script);
        Self {
            own,
            script: script_of(script),
            announced: script_of(announced),
            before_tippi: before_tippi != 0,
            open,
        }
    }

    #[inline]
    fn put(self, words: &mut Words) {
        // A script of the encoding itself is 0, as at the start of a text.
        let number = |script: Script| if script == self.own { 0 } else { script.0 + 1 };
        let bytes = [number(self.script), number(self.announced), self.before_tippi.into(), self.open];
        words.0[0] = u32::from_le_bytes(bytes);
    }
}

impl IsciiState {
    /// Goes on past an announcement of a script.
    fn announce(&mut self, script: Script) {
        (self.script, self.announced) = (script, script);
        self.forget();
    }

    /// Goes on past bytes that no later byte can change.
    fn forget(&mut self) {
        (self.before_tippi, self.open) = (false, 0);
    }

    /// Goes on past a character, of which `byte` is the only byte; 0 where no later byte can change it.
    fn pass(&mut self, c: u16, byte: u8) {
        self.before_tippi = is_before_tippi(c);
        self.open = byte;
        if matches!(c, 0x0A | 0x0D) {
            self.script = self.own;
        }
    }
}

/// Code points, padded with zeros, and the number of their bytes.
struct Sequence {
    text: [u16; 3],
    len: usize,
}

/// Reads text at the start of `src`. More bytes may follow `src` unless it is `last`. An error is the step that takes the place of text.
fn read(script: Script, src: &[u8], last: bool) -> Result<Sequence, Step> {
    let (byte, second) = (src[0], src.get(1).copied());
    let ill_formed = |len, seen, kind| Err(Step::IllFormed { len, seen, kind });
    if byte <= 0xA0 {
        return Ok(Sequence { text: [byte.into(), 0, 0], len: 1 });
    }
    if byte == EXT || script.begins_pair(byte) {
        match second {
            None if !last => return Err(Step::Incomplete { needs: 1 }),
            None => {}
            Some(second) => {
                if let Some(text) = script.pair(byte, second) {
                    return Ok(Sequence { text, len: 2 });
                }
            }
        }
    }
    match (byte, second) {
        (EXT, None) => ill_formed(1, 1, IllFormedKind::Incomplete),
        (EXT, Some(0xA1..=0xEE)) => ill_formed(2, 2, IllFormedKind::Undefined),
        (EXT, Some(_)) => ill_formed(1, 2, IllFormedKind::BadTrail),
        _ => match script.single(byte) {
            Some(c) => Ok(Sequence { text: [c, 0, 0], len: 1 }),
            None => ill_formed(1, 1, IllFormedKind::Undefined),
        },
    }
}

/// Reads an attribute. Returns its step, and the script that it chooses.
fn attribute(own: Script, src: &[u8]) -> (Step, Option<Script>) {
    let unknown = |len| Step::IllFormed { len, seen: 2, kind: IllFormedKind::UnknownEscape };
    let shift = Step::Shift { len: 2 };
    match src.get(1) {
        None => (Step::Incomplete { needs: 1 }, None),
        Some(0x40) => (shift, Some(own)),
        Some(0x21..=0x3F) => (shift, None),
        Some(0x41 | 0x71..=0x76) => (unknown(2), None),
        Some(&byte) => match Script::of_attribute(byte) {
            Some(script) => (shift, Some(script)),
            None => (unknown(1), None),
        },
    }
}

fn decode(state: &mut IsciiState, src: &[u8], last: bool) -> Step {
    let step = if src[0] == ATR {
        let (step, script) = attribute(state.own, src);
        match (step, script) {
            (Step::Incomplete { .. }, _) if last => {
                state.forget();
                Step::IllFormed { len: 1, seen: 1, kind: IllFormedKind::Incomplete }
            }
            (Step::Incomplete { .. }, _) => return step,
            (_, Some(script)) => {
                state.announce(script);
                step
            }
            (_, None) => {
                state.forget();
                step
            }
        }
    } else {
        match read(state.script, src, last) {
            Ok(Sequence { text: [c, 0, 0], len }) => {
                let value = nasal(c, state.before_tippi);
                state.pass(c, 0);
                Step::CodePoint { value, len }
            }
            Ok(Sequence { len, .. }) => {
                state.forget();
                Step::Several { len }
            }
            Err(step @ Step::Incomplete { .. }) => return step,
            Err(step) => {
                state.forget();
                step
            }
        }
    };
    // Places from which the same text is read are equal.
    state.announced = state.script;
    step
}

/// Bytes to write, all or none of them.
#[derive(Default)]
struct Out {
    bytes: [u8; 4],
    len: usize,
}

impl Out {
    fn push(&mut self, bytes: &[u8]) {
        self.bytes[self.len..self.len + bytes.len()].copy_from_slice(bytes);
        self.len += bytes.len();
    }
}

/// Writes a character of a script, after the script where a decoder needs it.
fn put(state: &mut IsciiState, script: Script, c: u16, bytes: &[u8], out: &mut Out) {
    let (open, first) = (state.open, bytes[0]);
    let composes = bytes.len() == 1 && script.is_composed(open, first);
    // ICU reads the invisible consonant before a halant as a space.
    let joins = script.pair(open, first).is_some() && !composes || (open, first) == (INV, HALANT);
    let would_be_tippi = c == BINDI && state.before_tippi;
    let is_new = state.script != script || state.announced != script;
    if is_new || open != 0 && joins || would_be_tippi {
        out.push(&[ATR, script.attribute()]);
        state.announce(script);
    }
    out.push(bytes);
    let is_open = bytes.len() == 1 && (!composes || is_new);
    state.pass(c, if is_open { first } else { 0 });
}

/// Writes a character. Returns whether the encoding has it at this place.
fn write(state: &mut IsciiState, c: u16, out: &mut Out) -> bool {
    match c {
        0..=0xA0 => {
            out.push(&c.to_le_bytes()[..1]);
            state.pass(c, 0);
        }
        ZWNJ | ZWJ if state.open == HALANT => {
            out.push(&[if c == ZWJ { NUKTA } else { HALANT }]);
            state.forget();
        }
        ZWJ => {
            out.push(&[INV]);
            state.pass(c, INV);
        }
        SINGLE_DANDA | DOUBLE_DANDA => {
            let script = if state.script.is_northern() { state.script } else { Script::DEVANAGARI };
            let count = if c == SINGLE_DANDA { 1 } else { 2 };
            put(state, script, c, &[DANDA; 2][..count], out);
        }
        _ => {
            let Some(script) = Script::of(c) else { return false };
            let Some((bytes, len)) = script.bytes(c) else { return false };
            let is_announced = state.script == script && state.announced == script;
            if c == TIPPI && !(is_announced && state.before_tippi) {
                return false;
            }
            put(state, script, c, &bytes[..len], out);
        }
    }
    true
}

impl Form for Iscii {
    type Unit = u8;
    type State = IsciiState;

    const NAMES: Names = NAMES[0];
    const FACTS: Facts = Facts {
        max_code_points: 3,
        ascii: AsciiBytes::InSequences,
        ascii_but: Some(&[]),
        // A script, and a character.
        ..Facts::new(Repertoire::Table, 4).stateful()
    };

    fn names(member: u16) -> Names {
        NAMES[usize::from(member)]
    }

    #[inline]
    fn decode_step(state: &mut IsciiState, src: &[u8]) -> Step {
        decode(state, src, false)
    }

    #[inline]
    fn decode_end(state: &mut IsciiState, src: &[u8]) -> Step {
        decode(state, src, true)
    }

    #[inline]
    fn decode_several(state: &IsciiState, src: &[u8]) -> CodePoints {
        let Ok(Sequence { text, .. }) = read(state.script, src, true) else { return CodePoints::default() };
        CodePoints::new(text.into_iter().filter(|&c| c != 0).map(CodePoint::from_u16)).unwrap_or_default()
    }

    /// Announces the script.
    #[inline]
    fn bridge(from: &IsciiState, to: &IsciiState, dst: &mut [u8]) -> Option<usize> {
        if from.script == to.script {
            return (from.before_tippi == to.before_tippi).then_some(0);
        }
        let dst = dst.get_mut(..2).filter(|_| !to.before_tippi)?;
        dst.copy_from_slice(&[ATR, to.script.attribute()]);
        Some(2)
    }

    #[inline]
    fn encode_step(state: &mut IsciiState, c: CodePoint, dst: &mut [u8]) -> EncodeStep {
        let (mut after, mut out) = (*state, Out::default());
        let is_written = u16::try_from(c.value()).is_ok_and(|c| write(&mut after, c, &mut out));
        if !is_written {
            return EncodeStep::Unmappable(UnmappableKind::NotInRepertoire);
        }
        let Some(dst) = dst.get_mut(..out.len) else { return EncodeStep::NoRoom };
        dst.copy_from_slice(&out.bytes[..out.len]);
        *state = after;
        EncodeStep::Written(out.len)
    }
}
