//! Charsets of small tables for one or two bytes: home computers, and the national tables of short messages.
//!
//! Each is a table of what a byte means alone, and a list of what two bytes mean together. [`Names::specified_in`] names its
//! specification; `tables/README.md` lists the sources and the choices where they differ.
//!
//! | | UTF-8 | these charsets |
//! | --- | --- | --- |
//! | sequence | 1 to 4 bytes | 1 or 2 bytes, the longer one first |
//! | repertoire | scalar values | some hundred code points, also of the block U+1FB00..U+1FBFF, which the family of single bytes lacks |
//! | bytes below 80 | ASCII | letters and digits in most, small for capital in `PETSCII-shifted` |
//!
//! A byte that begins two bytes, before one that does not continue it, is read alone where it has a meaning alone; else it is an
//! error of one byte, so that the byte after it is read by itself. An escape of GSM 03.38 before an unknown byte is such an error.

#[rustfmt::skip]
mod list;
mod table;

pub(crate) use self::list::sequences;
pub(crate) use self::table::Sequences;
use self::table::{ALL, names};
use placemat_core::forms::descriptor::{Carried, Row, Words};
use placemat_core::forms::form::{EncodeStep, Facts, Form, Names, Repertoire, Step};
use placemat_core::forms::names::labels;
use placemat_core::ground::code_point::CodePoint;
use placemat_core::ground::error::{IllFormedKind, UnmappableKind};

impl Carried for Sequences {
    const START: Words = Words::new([]);
    #[inline(always)]
    fn take(member: u16, _: &Words) -> Self {
        ALL[usize::from(member)]
    }
    #[inline(always)]
    fn put(self, _: &mut Words) {}
}

impl Sequences {
    pub(crate) const fn row(self) -> Row {
        const ONE: Facts = Facts::new(Repertoire::Tables, 1);
        const TWO: Facts = Facts { self_synchronizing: false, ..Facts::new(Repertoire::Tables, 2) };
        let facts = match (self.has_pairs(), self.has_doubles()) {
            (false, false) => &ONE,
            (false, true) => &Facts { one_to_one: false, ..ONE },
            // A letter waits for the byte of its marks, which means nothing alone.
            (true, _) if self.has_marks() => &Facts { one_to_one: false, self_synchronizing: true, ..TWO },
            (true, false) => &TWO,
            (true, true) => &Facts { one_to_one: false, ..TWO },
        };
        Row::member::<OneOrTwo>(self as u16, names(self as usize), facts)
    }
}

/// One or two bytes for each code point, by the table of a charset: the form of the family [`Sequences`].
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OneOrTwo;

impl Form for OneOrTwo {
    type Unit = u8;
    type State = Sequences;

    const NAMES: Names = Names {
        name: "sequences",
        labels: labels![],
        web_labels: labels![],
        about: "One or two bytes for each code point, by the table of a charset.",
        specified_in: "See each charset.",
    };
    const FACTS: Facts = Facts { self_synchronizing: false, ..Facts::new(Repertoire::Tables, 2) };

    fn names(member: u16) -> Names {
        names(member.into())
    }

    #[inline]
    fn decode_step(charset: &mut Sequences, src: &[u8]) -> Step {
        let first = src[0];
        let begins = charset.begins_pair(first);
        if begins {
            let Some(&second) = src.get(1) else { return Step::Incomplete { needs: 1 } };
            if let Some(value) = charset.pair([first, second]) {
                return Step::CodePoint { value, len: 2 };
            }
        }
        match charset.single(first) {
            Some(value) => Step::CodePoint { value, len: 1 },
            None if begins => Step::IllFormed { len: 1, seen: 2, kind: IllFormedKind::UnknownEscape },
            None => Step::IllFormed { len: 1, seen: 1, kind: IllFormedKind::Undefined },
        }
    }

    #[inline]
    fn decode_end(charset: &mut Sequences, src: &[u8]) -> Step {
        match charset.single(src[0]) {
            Some(value) => Step::CodePoint { value, len: 1 },
            None => Step::IllFormed { len: src.len(), seen: src.len(), kind: IllFormedKind::Incomplete },
        }
    }

    #[inline]
    fn encode_step(charset: &mut Sequences, c: CodePoint, dst: &mut [u8]) -> EncodeStep {
        let Some((bytes, len)) = charset.bytes(c) else {
            return EncodeStep::Unmappable(UnmappableKind::NotInRepertoire);
        };
        let Some(dst) = dst.get_mut(..len) else { return EncodeStep::NoRoom };
        dst.copy_from_slice(&bytes[..len]);
        EncodeStep::Written(len)
    }
}
