//! Multi-byte encodings that the web does not read: those that switch between sets (ISO-2022-KR, ISO-2022-CN and -EXT, the
//! later relatives of ISO-2022-JP, HZ, EBCDIC with shifts), and Johab, Big5-HKSCS, EUC-TW, `Shift_JIS-2004`, EUC-JIS-2004,
//! IBM943.
//!
//! | | UTF-8 | these encodings |
//! | --- | --- | --- |
//! | lead and continuation bytes | disjoint | overlap; only in EUC is an ASCII byte always ASCII |
//! | states | none | most designate sets or shift to them |
//! | code points | all scalar values | those of a table |
//! | one sequence | one code point | four of Big5-HKSCS and 25 of JIS X 0213 are a letter and a mark |
//! | ill-formed | maximal subpart | maximal subpart; an error includes an ASCII byte only in a set of seven bits |
//!
//! `cargo xtask multi-byte` makes the tables from glibc, where at least one of Python, ICU and Java agrees:
//!
//! | | this library | others |
//! | --- | --- | --- |
//! | KS X 1001 | with euro, registered and postal sign | ICU: six symbols as Windows, no euro; Python: no postal sign |
//! | GB 2312 | 24 as U+30FB, 2A as U+2015 | ICU: 2327 |
//! | CNS 11643 in ISO-2022-CN | planes 1 and 2 | ICU: the symbols of plane 1 |
//! | EUC-TW | planes 1 to 7 and 15; plane 1 also in four bytes | ICU: planes 1, 2 and its own; Java: not the four bytes of plane 1 |
//! | Big5-HKSCS | edition of 2008 | Python: that of 2004; ICU: sequences as private use; glibc: without nine symbols |
//! | JIS X 0213 | 815C as U+2014, 815F as U+FF3C, 81B0 as U+FF5E | Python: as U+2015, U+005C, U+007E; it adds JIS X 0212 to EUC |
//! | Johab | 5C as U+005C | glibc: as U+20A9; Python: seventeen more jamo |
//! | ISO-2022-JP-1, -2, -EXT | 213D of JIS X 0208 as U+2015, 2237 of JIS X 0212 as U+FF5E | Python: 2237 as U+007E |
//! | ISO-2022-JP-2 | the sets of RFC 1554; ISO 8859-7 as of 2003 | glibc: katakana too; Python: ISO 8859-7 as of 1987 |
//! | ISO-2022-JP-3 | both editions of plane 1; Roman, katakana | Python: without these two, six symbols otherwise |
//! | ISO-2022-JP-2004 | ASCII, JIS X 0208, JIS X 0213 | Python: four symbols otherwise |
//! | ISO-IR-165 | 212B as U+007E, 2167 as U+0024 | ICU: fewer, and as GB 2312 |
//! | IBM943 | 5C as U+005C; 1A, 1C, 7F as ASCII | glibc and ICU exchange three controls; ICU and Java have a page with U+00A5 too |
//! | EBCDIC 1390, 1399 | 25 pairs; bytes not defined are an error | glibc: reads those as SUB |
//! | EBCDIC 930, 939 | as IBM: 43A1 as U+301C, 444A as U+2014, 15 as U+0085 | Java: as U+FF5E, U+2015, U+000A |
//!
//! An encoder writes no code that a decoder reads as another code point: `Shift_JIS-2004`, where 5C
//! is U+00A5, lacks `\`; other programs write substitutes. A line end within two-byte text is an
//! error and ends it; Python (Korean) and ICU (Chinese) read it as text. In ISO-2022-KR the encoder
//! writes the designation at the start of any text that is not empty; Python writes it where it is
//! needed.

mod bytes;
mod codes;
mod encodings;
mod japanese;
mod names;
mod quick;
mod sets;
mod shifted;
mod single;
mod state;
mod steps;
#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
pub(crate) mod tables;

use self::codes::{Out, Read};
pub(crate) use self::encodings::MultiByte;
pub(crate) use self::state::MultiByteState;
use self::steps::{read, write_pending};
use crate::ebcdic::exchanged::{Exchanged, Page};
use crate::grid::Cell;
use placemat_core::forms::descriptor::Row;
use placemat_core::forms::form::{
    Bulk, CharsetFunctions, EncodeStep, Ending, Facts, Form, JustRead, Names, Repertoire, Step,
};
use placemat_core::ground::code_point::CodePoint;
use placemat_core::ground::policy::CodePoints;

/// The form that all multi-byte encodings share.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MultiByteForm;

impl MultiByte {
    pub(crate) const fn row(self) -> Row {
        const FACTS: &[Facts; MultiByte::ALL.len()] = &{
            let mut all = [MultiByteForm::FACTS; MultiByte::ALL.len()];
            let mut member = 0;
            while member < all.len() {
                (all[member], member) = (MultiByte::ALL[member].facts(), member + 1);
            }
            all
        };
        Row::member::<MultiByteForm>(self as u16, names::of(self), &FACTS[self as usize])
    }

    /// Returns the row of a page of EBCDIC with the bytes 15 and 25 exchanged.
    pub(crate) const fn exchanged_row(self) -> Row {
        let Row { names, facts, .. } = self.row();
        Row::member::<Exchanged<MultiByteForm>>(self as u16, names, facts)
    }

    const fn facts(self) -> Facts {
        Facts {
            ascii: self.ascii_bytes(),
            stateless: !self.switches() && !self.holds_back(),
            one_to_one: self.is_one_to_one(),
            takes_escapes: !self.switches(),
            ascii_but: self.ascii_but(),
            functions: self.functions(),
            ..MultiByteForm::FACTS
        }
    }

    /// Returns the functions that convert all that the tables hold, if the encoding has tables.
    const fn functions(self) -> Option<&'static CharsetFunctions> {
        #[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
        if self.has_tables() {
            return Some(&tables::FUNCTIONS);
        }
        None
    }

    /// Returns the member with a number.
    #[inline(always)]
    pub(super) fn of(member: u16) -> Self {
        Self::ALL[usize::from(member)]
    }
}

/// The pages of EBCDIC have no functions for kernels.
impl Page for MultiByteForm {
    const HAS_LOOP: bool = true;
}

impl Form for MultiByteForm {
    type Unit = u8;
    type State = MultiByteState;

    const NAMES: Names = names::ISO_2022_KR;
    const FACTS: Facts = Facts {
        max_code_points: 2,
        self_synchronizing: false,
        one_to_one: false,
        holds_back: true,
        quick: true,
        // In ISO-2022-JP-3: a held letter, and a code point of another set, with a designation and two bytes each.
        ..Facts::new(Repertoire::Tables, 12)
    };

    fn names(member: u16) -> Names {
        names::of(MultiByte::of(member))
    }

    #[inline]
    fn bulk(state: &MultiByteState) -> Bulk {
        Bulk::of(state.encoding.functions(), state.encoding as u16)
    }

    #[inline]
    fn decode_step(state: &mut MultiByteState, src: &[u8]) -> Step {
        match read(state, src) {
            Read::Cell { cell: Cell::One(value), len } => Step::CodePoint { value, len },
            Read::Cell { cell: Cell::Two(..), len } => Step::Several { len },
            Read::Other(step) => step,
        }
    }

    #[inline]
    fn decode_several(state: &MultiByteState, src: &[u8]) -> CodePoints {
        match read(&mut state.clone(), src) {
            Read::Cell { cell: Cell::Two(first, second), .. } => CodePoints::new([first, second]),
            _ => None,
        }
        .unwrap_or_default()
    }

    #[inline]
    fn ending(state: &MultiByteState, read: JustRead<'_>) -> Ending {
        match state.encoding {
            encoding if encoding.is_japanese() => state.japanese.ending(encoding, read),
            _ => shifted::ending(state, read),
        }
    }

    #[inline]
    fn encode_step(state: &mut MultiByteState, c: CodePoint, dst: &mut [u8]) -> EncodeStep {
        steps::encode_step(state, c, dst)
    }

    #[inline]
    fn to_utf8(state: &mut MultiByteState, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        quick::to_utf8(state, src, dst)
    }

    #[inline]
    fn from_utf8(state: &mut MultiByteState, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        quick::from_utf8(state, src, dst)
    }

    #[inline]
    fn encode_pause(state: &mut MultiByteState, dst: &mut [u8]) -> EncodeStep {
        let mut after = *state;
        let mut out = Out::default();
        write_pending(&mut after, &mut out);
        out.write(dst, state, after)
    }

    #[inline]
    fn encode_finish(state: &mut MultiByteState, dst: &mut [u8]) -> EncodeStep {
        let mut after = *state;
        let mut out = Out::default();
        write_pending(&mut after, &mut out);
        shifted::close(&mut after, &mut out);
        after.japanese.close(&mut out);
        out.write(dst, state, after)
    }
}

#[cfg(all(test, feature = "alloc", target_has_atomic = "ptr"))]
mod tests {
    use super::sets::{ISO_IR_165, JISX0212};
    use super::*;
    use crate::grid::tests::index_is_right;

    #[test]
    fn the_index_says_what_the_table_says() {
        for encoding in MultiByte::ALL {
            index_is_right(encoding.grid());
        }
        for grid in [&JISX0212, &ISO_IR_165] {
            index_is_right(grid);
        }
        for encoding in MultiByte::ALL.iter().filter_map(|encoding| encoding.single()) {
            index_is_right(&encoding.grid);
        }
    }
}
