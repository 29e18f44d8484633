//! MARC-8, of library catalogs. Library of Congress, MARC 21 Specifications, Character Sets: Code Extension, and its code
//! tables.
//!
//! | | UTF-8 | MARC-8 |
//! | --- | --- | --- |
//! | states | none | a set for bytes 21..7E and one for A1..FE; initially ASCII and ANSEL |
//! | escapes | none | ESC ( F, ESC ) F and their twins with `,` and `-`; ESC $ 1; ESC g, b, p, and s back to ASCII |
//! | marks | after their base | before it |
//! | ideographs | three or four bytes | three bytes of the set EACC |
//! | one sequence | one code point | marks and their base: several |
//!
//! A mark without a base after it is ill-formed, and so is one with more than twelve bytes before its base. U+0020, C0 and the four
//! controls 88, 89, 8D and 8E mean the same in every set.
//!
//! The encoder writes ASCII and ANSEL where these have a character, and designates other sets for
//! 21..7E. It returns to ASCII at the end of a text. Text must be decomposed: MARC-8 lacks é, but
//! has e with U+0301. The decoder does not compose its text. The Python package pymarc composes,
//! writes a blank for an unknown code, drops controls, and reads only those halves of the sets that
//! its tables have; it reads six codes outside of EACC as punctuation.
//!
//! # ANSEL alone
//! Two encodings are ASCII and ANSEL without escapes, controls of C1 and the two letters that MARC 21 added (ß at C7, the euro sign
//! at C8): ANSEL itself, and that of GEDCOM, the files of genealogists, which has two boxes at BE and BF, ß at CF, and the
//! combining solidus at FC. GEDCOM's small e and o "in the middle of a line", CD and CE, have no character: they are errors. The
//! Python package ansel reads them as e and o.

mod eacc;
mod kind;

pub(crate) use self::kind::Kind;
use self::kind::{ANSEL, ASCII, SINGLE};
use crate::grid::Cell;
use placemat_core::forms::descriptor::{Carried, Row, Words};
use placemat_core::forms::form::{AsciiBytes, EncodeStep, Facts, Form, Names, Repertoire, Step};
use placemat_core::ground::code_point::CodePoint;
use placemat_core::ground::error::{IllFormedKind, UnmappableKind};
use placemat_core::ground::policy::CodePoints;

/// MARC-8, of library catalogs, and ANSEL alone.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Marc8;

impl Kind {
    pub(crate) const fn row(self) -> Row {
        // A byte below 80 is a character, or the base after its marks.
        const ALONE: Facts =
            Facts { ascii: AsciiBytes::InSequences, self_synchronizing: true, ..Marc8::FACTS };
        let facts = match self {
            Self::Marc8 => &Marc8::FACTS,
            Self::Ansel | Self::Gedcom => &ALONE,
        };
        Row::member::<Marc8>(self as u16, self.names(), facts)
    }
}

/// The designated sets, and the base and marks that the encoder holds until all marks are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Marc8State {
    kind: Kind,
    g0: u8,
    g1: u8,
    base: Option<CodePoint>,
    marks: [u16; MARKS],
    count: u8,
}

impl Default for Marc8State {
    fn default() -> Self {
        Self { kind: Kind::Marc8, g0: ASCII, g1: ANSEL, base: None, marks: [0; MARKS], count: 0 }
    }
}

impl Carried for Marc8State {
    const START: Words = Words::new([u32::from_le_bytes([ASCII, ANSEL, 0, 0]), u32::MAX]);

    #[inline]
    fn take(member: u16, words: &Words) -> Self {
        let [sets, base, marks @ ..] = words.0;
        let [g0, g1, count, _] = sets.to_le_bytes();
        let mark = |at: usize| (marks[at / 2] >> (16 * (at % 2)) & 0xFFFF) as u16;
        let (kind, base) = (Kind::of(member), CodePoint::new(base));
        Self { kind, g0, g1, base, marks: core::array::from_fn(mark), count }
    }

    #[inline]
    fn put(self, words: &mut Words) {
        let Self { g0, g1, base, marks: [a, b, c, d, e, f], count, .. } = self;
        let pair = |low: u16, high: u16| u32::from(low) | u32::from(high) << 16;
        let base = base.map_or(u32::MAX, CodePoint::value);
        *words =
            Words::new([u32::from_le_bytes([g0, g1, count, 0]), base, pair(a, b), pair(c, d), pair(e, f)]);
    }
}

/// The sets, as rows of the table; their final bytes.
const FINALS: [u8; 12] = *b"BESNQ234gbp1";
/// The first set that an escape designates by its final byte alone.
const ALONE: u8 = 8;
const EACC: u8 = 11;

/// The number of marks that the encoder holds with their base.
const MARKS: usize = 6;
/// The maximum number of bytes of marks and escapes before a base.
const BEFORE_BASE: usize = 12;

const ESC: u8 = 0x1B;

/// The controls that MARC-8 keeps from C1.
const CONTROLS: [(u8, u16); 4] = [(0x88, 0x98), (0x89, 0x9C), (0x8D, 0x200D), (0x8E, 0x200C)];

/// Returns a designation at the start of `src`: whether it is for bytes A1..FE, the set, the length. An error is the step that
/// takes the place of a designation.
fn designation(src: &[u8]) -> Result<(bool, u8, usize), Step> {
    const INCOMPLETE: Step = Step::Incomplete { needs: 1 };
    let unknown = |seen| Step::IllFormed { len: 1, seen, kind: IllFormedKind::UnknownEscape };
    let set = |byte: u8| FINALS.iter().zip(0..).find(|(known, _)| **known == byte).map(|(_, set)| set);
    let (right, at) = match src[1..] {
        [] => return Err(INCOMPLETE),
        [b's', ..] => return Ok((false, ASCII, 2)),
        [byte @ (b'g' | b'b' | b'p'), ..] => return Ok((false, set(byte).unwrap_or(ASCII), 2)),
        [b'(' | b',', ..] => (false, 2),
        [b')' | b'-', ..] => (true, 2),
        [b'$', b',', ..] => (false, 3),
        [b'$', b')' | b'-', ..] => (true, 3),
        [b'$', ..] => (false, 2),
        [_, ..] => return Err(unknown(2)),
    };
    let multiple = src[1] == b'$';
    let (found, len) = match (src.get(at), src.get(at + 1)) {
        // ANSEL has an intermediate byte of its own.
        (None, _) | (Some(b'!'), None) => return Err(INCOMPLETE),
        (Some(b'!'), Some(b'E')) => (set(b'E'), at + 2),
        (Some(&byte), _) => (set(byte), at + 1),
    };
    match found {
        Some(set) if multiple == (set == EACC) => Ok((right, set, len)),
        _ => Err(unknown(len.min(src.len()))),
    }
}

/// A token: something that may stand before a base, or the base.
enum Token {
    Designation { len: usize },
    Graphic { value: CodePoint, len: usize },
}

/// Reads a designation, a mark or a base at the start of `src`. An error is the step that takes the place of these.
fn token(state: &mut Marc8State, src: &[u8]) -> Result<Token, Step> {
    match src.first() {
        None => Err(Step::Incomplete { needs: 1 }),
        Some(&ESC) if state.kind == Kind::Marc8 => {
            let (right, set, len) = designation(src)?;
            *(if right { &mut state.g1 } else { &mut state.g0 }) = set;
            Ok(Token::Designation { len })
        }
        Some(0x20) => Ok(Token::Graphic { value: CodePoint::from_byte(0x20), len: 1 }),
        Some(&byte @ (..0x20 | 0x7F..=0xA0 | 0xFF)) => Err(control(state.kind, byte)),
        Some(&byte) => {
            let (set, high) = if byte < 0x80 { (state.g0, 0) } else { (state.g1, 0x80) };
            let (found, len) = if set == EACC {
                (ideograph(src, high)?, 3)
            } else if set == ANSEL {
                (state.kind.ansel(byte & 0x7F), 1)
            } else {
                match SINGLE.get((set.into(), usize::from(byte & 0x7F))) {
                    Some(Cell::One(c)) => (Some(c), 1),
                    _ => (None, 1),
                }
            };
            let undefined = Step::IllFormed { len, seen: len, kind: IllFormedKind::Undefined };
            found.map(|value| Token::Graphic { value, len }).ok_or(undefined)
        }
    }
}

/// Returns the step of a control.
fn control(kind: Kind, byte: u8) -> Step {
    match CONTROLS.iter().find(|(known, _)| kind == Kind::Marc8 && *known == byte) {
        Some(&(_, c)) => Step::CodePoint { value: CodePoint::from_u16(c), len: 1 },
        None if byte < 0x80 => Step::CodePoint { value: CodePoint::from_byte(byte), len: 1 },
        None => Step::IllFormed { len: 1, seen: 1, kind: IllFormedKind::Undefined },
    }
}

/// Returns the character of three bytes in EACC, each with the high bit `high`.
fn ideograph(src: &[u8], high: u8) -> Result<Option<CodePoint>, Step> {
    let is_graphic = |byte: u8, first: u8| byte & 0x80 == high && (first..=0x7E).contains(&(byte & 0x7F));
    let wrong = src.iter().zip([0x21, 0x21, 0x20]).position(|(&byte, first)| !is_graphic(byte, first));
    match (wrong, src.first_chunk()) {
        (Some(wrong), _) => {
            Err(Step::IllFormed { len: wrong, seen: wrong + 1, kind: IllFormedKind::BadTrail })
        }
        (None, None) => Err(Step::Incomplete { needs: 3 - src.len() }),
        (None, Some(bytes)) => Ok(eacc::get(bytes.map(|byte| byte & 0x7F))),
    }
}

/// A step, and the code points that it read.
struct Read {
    step: Step,
    base: CodePoint,
    marks: [CodePoint; BEFORE_BASE],
    count: usize,
}

fn read(state: &mut Marc8State, src: &[u8]) -> Read {
    let mut read = Read {
        step: Step::Incomplete { needs: 1 },
        base: CodePoint::default(),
        marks: [CodePoint::default(); BEFORE_BASE],
        count: 0,
    };
    let before = *state;
    let mut at = 0;
    read.step = loop {
        // Marks without a base end here, before the byte that shows it.
        let no_base = |seen| Step::IllFormed { len: at, seen, kind: IllFormedKind::BadTrail };
        if at >= BEFORE_BASE && at < src.len() {
            break no_base(at);
        }
        match token(state, &src[at..]) {
            Ok(Token::Designation { len }) if at == 0 => break Step::Shift { len },
            Ok(Token::Designation { len }) => at += len,
            Ok(Token::Graphic { value, len }) if state.kind.is_mark(value) => {
                read.marks[read.count] = value;
                read.count += 1;
                at += len;
            }
            Ok(Token::Graphic { value, len }) if at == 0 => break Step::CodePoint { value, len },
            Ok(Token::Graphic { value, len }) => {
                read.base = value;
                break Step::Several { len: at + len };
            }
            Err(step @ Step::Incomplete { .. }) => {
                *state = before;
                break step;
            }
            Err(step) if at == 0 => break step,
            Err(_) => break no_base(at + 1),
        }
    };
    read
}

/// Bytes to write, all or none of them. It only counts bytes beyond the end of the array.
#[derive(Default)]
struct Out {
    bytes: [u8; 20],
    len: usize,
}

impl Out {
    fn push(&mut self, bytes: &[u8]) {
        if let Some(to) = self.bytes.get_mut(self.len..self.len + bytes.len()) {
            to.copy_from_slice(bytes);
        }
        self.len += bytes.len();
    }

    /// Designates a set for bytes 21..7E.
    fn designate(&mut self, state: &mut Marc8State, set: u8) {
        if state.g0 == set {
            return;
        }
        match set {
            ASCII if (ALONE..EACC).contains(&state.g0) => self.push(b"\x1Bs"),
            EACC => self.push(b"\x1B$1"),
            ALONE.. => self.push(&[ESC, FINALS[usize::from(set)]]),
            _ => self.push(&[ESC, b'(', FINALS[usize::from(set)]]),
        }
        state.g0 = set;
    }

    /// Writes a mark or a base. Returns whether MARC-8 has it.
    fn put(&mut self, state: &mut Marc8State, c: CodePoint) -> bool {
        if c.value() == 0x20 {
            self.push(b" ");
        } else if let Some((set, code)) = state.kind.place(c) {
            if set == ANSEL {
                self.push(&[code | 0x80]);
            } else {
                self.designate(state, set);
                self.push(&[code]);
            }
        } else if let Some(code) = eacc::find(c).filter(|_| state.kind == Kind::Marc8) {
            self.designate(state, EACC);
            self.push(&code);
        } else {
            return false;
        }
        true
    }

    /// Writes the held base and its marks.
    fn flush(&mut self, state: &mut Marc8State) {
        let Some(base) = state.base.take() else { return };
        // Most marks are in ANSEL; such marks stand right before their base.
        match state.kind.place(base) {
            Some((ANSEL, _)) => {}
            Some((set, _)) => self.designate(state, set),
            None if base.value() == 0x20 => {}
            None => self.designate(state, EACC),
        }
        let (marks, count) = (state.marks, usize::from(state.count));
        for &mark in &marks[..count] {
            self.put(state, CodePoint::from_u16(mark));
        }
        state.count = 0;
        state.marks = [0; MARKS];
        self.put(state, base);
    }

    fn write(&self, dst: &mut [u8], state: &mut Marc8State, after: Marc8State) -> EncodeStep {
        let (Some(dst), Some(bytes)) = (dst.get_mut(..self.len), self.bytes.get(..self.len)) else {
            return EncodeStep::NoRoom;
        };
        dst.copy_from_slice(bytes);
        *state = after;
        EncodeStep::Written(self.len)
    }
}

impl Form for Marc8 {
    type Unit = u8;
    type State = Marc8State;

    const NAMES: Names = Kind::Marc8.names();
    const FACTS: Facts = Facts {
        max_code_points: BEFORE_BASE + 1,
        holds_back: true,
        // Held marks and their base, and a control after them.
        ascii: AsciiBytes::Shifted,
        ..Facts::new(Repertoire::Tables, 16).stateful()
    };

    fn names(member: u16) -> Names {
        Kind::of(member).names()
    }

    #[inline]
    fn decode_step(state: &mut Marc8State, src: &[u8]) -> Step {
        read(state, src).step
    }

    #[inline]
    fn decode_several(state: &Marc8State, src: &[u8]) -> CodePoints {
        let read = read(&mut state.clone(), src);
        let marks = read.marks[..read.count].iter().copied();
        CodePoints::new(core::iter::once(read.base).chain(marks)).unwrap_or_default()
    }

    #[inline]
    fn encode_step(state: &mut Marc8State, c: CodePoint, dst: &mut [u8]) -> EncodeStep {
        let not_held = EncodeStep::Unmappable(UnmappableKind::NotInRepertoire);
        let mut after = *state;
        let mut out = Out::default();
        if state.kind.is_mark(c) {
            let slot = after.marks.get_mut(usize::from(after.count));
            let (Some(_), Some(slot)) = (after.base, slot) else { return not_held };
            *slot = u16::try_from(c.value()).unwrap_or(0);
            after.count += 1;
            // The marks must fit into the buffer, together with the bytes that close a text.
            out.flush(&mut after.clone());
            if out.len > BEFORE_BASE {
                return not_held;
            }
            return Out::default().write(dst, state, after);
        }
        out.flush(&mut after);
        let is_marc8 = state.kind == Kind::Marc8;
        let control = CONTROLS.iter().find(|(_, known)| is_marc8 && u32::from(*known) == c.value());
        match (c.value(), control) {
            (0x1B, _) if is_marc8 => return not_held,
            (0..=0x1F | 0x7F, _) => out.push(&c.value().to_le_bytes()[..1]),
            (_, Some((byte, _))) => out.push(&[*byte]),
            _ if Out::default().put(&mut after.clone(), c) => after.base = Some(c),
            _ => return not_held,
        }
        out.write(dst, state, after)
    }

    #[inline]
    fn encode_pause(state: &mut Marc8State, dst: &mut [u8]) -> EncodeStep {
        let mut after = *state;
        let mut out = Out::default();
        out.flush(&mut after);
        out.write(dst, state, after)
    }

    #[inline]
    fn encode_finish(state: &mut Marc8State, dst: &mut [u8]) -> EncodeStep {
        let mut after = *state;
        let mut out = Out::default();
        out.flush(&mut after);
        out.designate(&mut after, ASCII);
        out.write(dst, state, after)
    }

    #[inline]
    fn bridge(from: &Marc8State, to: &Marc8State, dst: &mut [u8]) -> Option<usize> {
        let (mut after, mut out) = (*from, Out::default());
        out.designate(&mut after, to.g0);
        if from.g1 != to.g1 {
            let set = FINALS[usize::from(to.g1)];
            match to.g1 {
                ANSEL => out.push(b"\x1B)!E"),
                EACC => out.push(&[ESC, b'$', b')', set]),
                _ => out.push(&[ESC, b')', set]),
            }
        }
        dst.get_mut(..out.len)?.copy_from_slice(&out.bytes[..out.len]);
        Some(out.len)
    }
}

#[cfg(all(test, feature = "alloc", target_has_atomic = "ptr"))]
mod tests {
    #[test]
    fn the_index_says_what_the_table_says() {
        crate::grid::tests::index_is_right(&super::SINGLE);
    }
}
