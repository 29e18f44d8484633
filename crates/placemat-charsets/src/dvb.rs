//! Text of digital television: names of programs and events. ETSI EN 300 468, annex A.
//!
//! | | UTF-8 | DVB |
//! | --- | --- | --- |
//! | states | none | the table that the first bytes of a text choose |
//! | ASCII bytes | always ASCII | ASCII in most tables; 01 to 1F choose a table at the start and mean nothing elsewhere |
//! | line ends | LF | 8A, in tables of two bytes and in UTF-8 U+E08A |
//! | one sequence | one code point | one code point, in one to four bytes |
//!
//! | first bytes | table |
//! | --- | --- |
//! | 20 to FF, which are text | Latin: ISO 6937 with the euro sign at A4 |
//! | 01 to 07, 09 to 0B | ISO 8859-5 to -11, -13 to -15 |
//! | 10 00 NN | ISO 8859-NN |
//! | 11 | two bytes of the Basic Multilingual Plane, the more significant one first |
//! | 12, 13, 14 | KS X 1001, GB 2312, Big5 |
//! | 15 | UTF-8 |
//!
//! All of these are read by each of the encodings here, which differ in the table that they write: UTF-8, Latin, or a part of
//! ISO 8859. 86 and 87, which begin and end emphasis, are the C1 controls of these numbers. Other first bytes below 20 are an error
//! of one byte, and so are controls of C0 inside of a text; 1F, which announces a compressed text, is among them. Known to disagree:
//! receivers that read a text without a first byte as the part of ISO 8859 of their country, and programs that take 14 for two
//! bytes of the Basic Multilingual Plane.

use crate::iso_6937::Iso6937;
use crate::multi_byte::{MultiByte, MultiByteForm, MultiByteState};
use crate::single_byte::SingleByte;
use placemat_core::forms::descriptor::{Carried, Row, Words};
use placemat_core::forms::form::{AsciiBytes, EncodeStep, Facts, Form, Names, Repertoire, Step};
use placemat_core::forms::names::labels;
use placemat_core::forms::unicode::utf8::Utf8;
use placemat_core::ground::code_point::CodePoint;
use placemat_core::ground::error::{IllFormedKind, UnmappableKind};
use placemat_core::kernels::single_byte::UNDEFINED;

/// Text of digital television.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Dvb;

/// A table, by a number that a state carries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Table(u8);

impl Table {
    /// The start of a text: no table is chosen. The numbers 1 to 15 are the parts of ISO 8859.
    const START: Self = Self(0);
    const LATIN: Self = Self(16);
    const TWO_BYTES: Self = Self(17);
    const KS_X_1001: Self = Self(18);
    const GB_2312: Self = Self(19);
    const BIG5: Self = Self(20);
    const UTF_8: Self = Self(21);
}

/// The member of the family, and the table of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct DvbState {
    member: u16,
    table: Table,
}

impl Carried for DvbState {
    const START: Words = Words::new([0]);
    #[inline]
    fn take(member: u16, words: &Words) -> Self {
        Self { member, table: Table(words.0[0].to_le_bytes()[0]) }
    }
    #[inline]
    fn put(self, words: &mut Words) {
        words.0[0] = self.table.0.into();
    }
}

/// Returns the charset of a part of ISO 8859; `None` for the first, whose bytes are code points, and for the part that never was.
const fn part(number: u8) -> Option<SingleByte> {
    Some(match number {
        2 => SingleByte::Iso8859_2,
        3 => SingleByte::Iso8859_3,
        4 => SingleByte::Iso8859_4,
        5 => SingleByte::Iso8859_5,
        6 => SingleByte::Iso8859_6,
        7 => SingleByte::Iso8859_7,
        8 => SingleByte::Iso8859_8,
        9 => SingleByte::XIso8859_9,
        10 => SingleByte::Iso8859_10,
        11 => SingleByte::XIso8859_11,
        13 => SingleByte::Iso8859_13,
        14 => SingleByte::Iso8859_14,
        15 => SingleByte::Iso8859_15,
        _ => return None,
    })
}

macro_rules! members {
    ($($name:literal [$($label:literal),*] $table:expr, $what:literal;)*) => {
        /// The encodings, each with the table that it writes.
        const MEMBERS: &[(Names, Table)] = &[$((
            Names {
                name: $name,
                labels: labels![$($label),*],
                web_labels: labels![],
                about: concat!(
                    "Television (DVB): reads any table that the first bytes choose, and writes ", $what, "."
                ),
                specified_in: "ETSI EN 300 468, annex A",
            },
            $table,
        )),*];
    };
}
members! {
    "DVB" ["en300468", "en-300-468", "dvb-si", "dvb-text", "dvb-utf-8", "dvb-15"] Table::UTF_8, "UTF-8";
    "DVB-Latin" ["en300468-tab00", "dvb-iso-6937"] Table::LATIN, "Latin letters, table 00: ISO 6937 with the euro sign";
    "DVB-ISO-8859-1" ["dvb-100001"] Table(1), "ISO 8859-1, Western European";
    "DVB-ISO-8859-2" ["dvb-100002"] Table(2), "ISO 8859-2, Central European";
    "DVB-ISO-8859-3" ["dvb-100003"] Table(3), "ISO 8859-3, South European";
    "DVB-ISO-8859-4" ["dvb-100004"] Table(4), "ISO 8859-4, North European";
    "DVB-ISO-8859-5" ["dvb-01", "en300468-tab01"] Table(5), "ISO 8859-5, Cyrillic";
    "DVB-ISO-8859-6" ["dvb-02", "en300468-tab02"] Table(6), "ISO 8859-6, Arabic";
    "DVB-ISO-8859-7" ["dvb-03", "en300468-tab03"] Table(7), "ISO 8859-7, Greek";
    "DVB-ISO-8859-8" ["dvb-04", "en300468-tab04"] Table(8), "ISO 8859-8, Hebrew";
    "DVB-ISO-8859-9" ["dvb-05", "en300468-tab05"] Table(9), "ISO 8859-9, Turkish";
    "DVB-ISO-8859-10" ["dvb-06", "en300468-tab06"] Table(10), "ISO 8859-10, Nordic";
    "DVB-ISO-8859-11" ["dvb-07", "en300468-tab07"] Table(11), "ISO 8859-11, Thai";
    "DVB-ISO-8859-13" ["dvb-09", "en300468-tab09"] Table(13), "ISO 8859-13, Baltic";
    "DVB-ISO-8859-14" ["dvb-0a", "en300468-tab0a"] Table(14), "ISO 8859-14, Celtic";
    "DVB-ISO-8859-15" ["dvb-0b", "en300468-tab0b"] Table(15), "ISO 8859-15, Western European";
}

/// Returns the row of a member.
pub(crate) const fn row(member: u16) -> Row {
    Row::member::<Dvb>(member, MEMBERS[member as usize].0, const { &Dvb::FACTS })
}

const LINE_END: u8 = 0x8A;
const LF: u32 = 0x0A;
/// The controls of tables without bytes for them: U+E080 to U+E09F.
const CONTROLS: u32 = 0xE000;

const fn ill_formed(len: usize, seen: usize, kind: IllFormedKind) -> Step {
    Step::IllFormed { len, seen, kind }
}

/// Reads the first bytes of a text. Returns the table, and the step if the bytes are not text themselves.
fn choose(src: &[u8]) -> (Table, Option<Step>) {
    let one = |table| (table, Some(Step::Shift { len: 1 }));
    match *src {
        [0x20..=0xFF, ..] => (Table::LATIN, None),
        [byte @ 1..=7, ..] => one(Table(byte + 4)),
        [byte @ 9..=11, ..] => one(Table(byte + 4)),
        [0x10] => (Table::START, Some(Step::Incomplete { needs: 2 })),
        [0x10, 0] => (Table::START, Some(Step::Incomplete { needs: 1 })),
        [0x10, 0, number @ (1..=11 | 13..=15), ..] => (Table(number), Some(Step::Shift { len: 3 })),
        [0x10, second, ..] => {
            (Table::LATIN, Some(ill_formed(1, if second == 0 { 3 } else { 2 }, IllFormedKind::UnknownEscape)))
        }
        [0x11, ..] => one(Table::TWO_BYTES),
        [0x12, ..] => one(Table::KS_X_1001),
        [0x13, ..] => one(Table::GB_2312),
        [0x14, ..] => one(Table::BIG5),
        [0x15, ..] => one(Table::UTF_8),
        _ => (Table::LATIN, Some(ill_formed(1, 1, IllFormedKind::UnknownEscape))),
    }
}

/// Returns what a code point of a table without bytes for controls means.
fn without_controls(value: CodePoint) -> CodePoint {
    match value.value() {
        0xE08A => CodePoint::from_byte(b'\n'),
        c @ 0xE080..=0xE09F => CodePoint::from_byte((c - CONTROLS).to_le_bytes()[0]),
        _ => value,
    }
}

/// Reads a character of a table.
fn read(table: Table, src: &[u8]) -> Step {
    let one = |value| Step::CodePoint { value, len: 1 };
    let multi_byte = |encoding: MultiByte| {
        let start = MultiByteState::take(encoding as u16, &MultiByteState::START);
        MultiByteForm::decode_step(&mut { start }, src)
    };
    let step = match (table, src[0]) {
        (Table::TWO_BYTES, high) => match src.get(1) {
            None => return Step::Incomplete { needs: 1 },
            Some(_) if matches!(high, 0xD8..=0xDF) => return ill_formed(2, 2, IllFormedKind::Surrogate),
            Some(&low) if high == 0 && low < 0x20 => return ill_formed(2, 2, IllFormedKind::Undefined),
            Some(&low) => {
                Step::CodePoint { value: CodePoint::from_u16(u16::from_be_bytes([high, low])), len: 2 }
            }
        },
        (_, ..0x20) => return ill_formed(1, 1, IllFormedKind::Undefined),
        (Table::UTF_8, _) => Utf8::decode_step(&mut (), src),
        (Table::KS_X_1001, _) => return multi_byte(MultiByte::EucKrStrict),
        (Table::GB_2312, _) => return multi_byte(MultiByte::EucCnStrict),
        (Table::BIG5, _) => return multi_byte(MultiByte::Big5Strict),
        (_, LINE_END) => return one(CodePoint::from_byte(b'\n')),
        (_, byte @ 0x80..=0x9F) => return one(CodePoint::from_byte(byte)),
        (Table::LATIN, 0xA4) => return one('€'.into()),
        (Table::LATIN, _) => return Iso6937::decode_step(&mut (), src),
        (Table(number), byte) => {
            let c = part(number).map_or(byte.into(), |charset| charset.code_point(byte));
            return if c == UNDEFINED {
                ill_formed(1, 1, IllFormedKind::Undefined)
            } else {
                one(CodePoint::from_u16(c))
            };
        }
    };
    match step {
        Step::CodePoint { value, len } => Step::CodePoint { value: without_controls(value), len },
        step => step,
    }
}

/// Writes a character in a table.
fn write(table: Table, c: CodePoint, dst: &mut [u8]) -> EncodeStep {
    const NOT_HELD: EncodeStep = EncodeStep::Unmappable(UnmappableKind::NotInRepertoire);
    let one = |byte: u8, dst: &mut [u8]| EncodeStep::of(dst.first_mut().map(|to| *to = byte).is_some(), 1);
    match (table, c.value()) {
        (_, 0..=0x09 | 0x0B..=0x1F | 0x8A) => NOT_HELD,
        (Table::UTF_8, 0xE080..=0xE09F) => NOT_HELD,
        (Table::UTF_8, LF) => Utf8::encode_step(&mut (), CodePoint::from_u16(0xE08A), dst),
        (Table::UTF_8, c @ 0x80..=0x9F) => {
            Utf8::encode_step(&mut (), CodePoint::within_31_bits(CONTROLS + c), dst)
        }
        (Table::UTF_8, 0xD800..=0xDFFF | 0x11_0000..) => NOT_HELD,
        (Table::UTF_8, _) => Utf8::encode_step(&mut (), c, dst),
        (_, LF) => one(LINE_END, dst),
        (_, c @ 0x80..=0x9F) => one(c.to_le_bytes()[0], dst),
        (Table::LATIN, 0x20AC) => one(0xA4, dst),
        (Table::LATIN, _) => Iso6937::encode_step(&mut (), c, dst),
        (Table(number), value) => {
            let value = u16::try_from(value).ok();
            let byte = match part(number) {
                None => value.and_then(|value| u8::try_from(value).ok()),
                Some(charset) => value.and_then(|value| charset.byte_of(value)),
            };
            byte.map_or(NOT_HELD, |byte| one(byte, dst))
        }
    }
}

/// Returns the first bytes that choose a table, and their number.
fn head(table: Table) -> ([u8; 3], usize) {
    match table.0 {
        number @ 1..=4 => ([0x10, 0, number], 3),
        number @ 5..=15 => ([number - 4, 0, 0], 1),
        _ if table == Table::UTF_8 => ([0x15, 0, 0], 1),
        _ => ([0; 3], 0),
    }
}

impl Form for Dvb {
    type Unit = u8;
    type State = DvbState;

    const NAMES: Names = MEMBERS[0].0;
    const FACTS: Facts = Facts {
        ascii: AsciiBytes::Shifted,
        longest: 4,
        // The first bytes, and a character.
        ..Facts::new(Repertoire::Tables, 5).stateful()
    };

    fn names(member: u16) -> Names {
        MEMBERS[usize::from(member)].0
    }

    #[inline]
    fn decode_step(state: &mut DvbState, src: &[u8]) -> Step {
        if state.table == Table::START {
            let (table, step) = choose(src);
            state.table = table;
            if let Some(step) = step {
                return step;
            }
            let step = read(table, src);
            if matches!(step, Step::Incomplete { .. }) {
                state.table = Table::START;
            }
            return step;
        }
        read(state.table, src)
    }

    #[inline]
    fn encode_step(state: &mut DvbState, c: CodePoint, dst: &mut [u8]) -> EncodeStep {
        if state.table != Table::START {
            return write(state.table, c, dst);
        }
        let (_, table) = MEMBERS[usize::from(state.member)];
        let (bytes, len) = head(table);
        let Some((first, rest)) = dst.split_at_mut_checked(len) else {
            return match write(table, c, &mut [0; 4]) {
                EncodeStep::Written(_) => EncodeStep::NoRoom,
                step => step,
            };
        };
        let step = write(table, c, rest);
        let EncodeStep::Written(written) = step else { return step };
        first.copy_from_slice(&bytes[..len]);
        state.table = table;
        EncodeStep::Written(len + written)
    }
}
