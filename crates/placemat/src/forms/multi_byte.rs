//! Multi-byte encodings that the web does not read: those that switch between sets (ISO-2022-KR, ISO-2022-CN, HZ, EBCDIC
//! with shifts), and Johab, Big5-HKSCS, EUC-TW, `Shift_JIS-2004`, EUC-JIS-2004.
//!
//! | | UTF-8 | these |
//! | --- | --- | --- |
//! | lead and continuation bytes | disjoint | overlap, but for EUC a byte is at least ASCII or not |
//! | states | none | in four of them a set is designated or shifted to |
//! | code points | all scalar values | those of a table |
//! | one sequence | one code point | four of Big5-HKSCS and 25 of JIS X 0213 are a letter and a mark |
//! | ill-formed | maximal subpart | the same; a byte that is ASCII is not swallowed, but in a set of seven bits |
//!
//! The tables are made by `cargo xtask multi-byte` from glibc, where at least one of Python, ICU and Java agrees:
//!
//! | | what is here | who differs |
//! | --- | --- | --- |
//! | KS X 1001 | with euro, registered and postal sign | ICU: six symbols as Windows, no euro; Python: no postal sign |
//! | GB 2312 | 24 as U+30FB, 2A as U+2015 | ICU: 2327 |
//! | CNS 11643 in ISO-2022-CN | planes 1 and 2 | ICU: the symbols of plane 1 |
//! | EUC-TW | planes 1 to 7 and 15; plane 1 also in four bytes | ICU: planes 1, 2 and its own; Java: not the four bytes of plane 1 |
//! | Big5-HKSCS | edition of 2008 | Python: that of 2004; ICU: sequences as private use; glibc: without nine symbols |
//! | JIS X 0213 | 815C as U+2014, 815F as U+FF3C, 81B0 as U+FF5E | Python: as U+2015, U+005C, U+007E; it adds JIS X 0212 to EUC |
//! | Johab | 5C as U+005C | glibc: as U+20A9; Python: seventeen more jamo |
//! | EBCDIC 930, 939 | as IBM: 43A1 as U+301C, 444A as U+2014, 15 as U+0085 | Java: as U+FF5E, U+2015, U+000A |
//!
//! Nothing is written that would read as something else: `\` is not in `Shift_JIS-2004`, where 5C is U+00A5; other
//! programs put substitutes. A line end within two-byte text is an error and ends it; Python (Korean) and ICU (Chinese)
//! take it for text. In ISO-2022-KR the designation is written at the start of any text that is not empty; Python writes
//! it where it is needed.

mod bytes;
mod names;
mod quick;
mod shifted;

use self::quick::Single;
use super::grid::{self, Cell, Grid};
use super::{EncodeStep, EncodingForm, Family, Names, Ours, Repertoire, Step};
use crate::code_point::CodePoint;
use crate::error::{IllFormedKind, UnmappableKind};
use crate::policy::CodePoints;

/// A multi-byte encoding that the web does not read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MultiByte {
    /// ISO-2022-KR: KS X 1001 in seven bits.
    #[default]
    Iso2022Kr,
    /// ISO-2022-CN: GB 2312 and two planes of CNS 11643 in seven bits.
    Iso2022Cn,
    /// HZ: GB 2312 in seven bits, between `~{` and `~}`.
    Hz,
    /// Johab: Hangul by its letters.
    Johab,
    /// Big5 with the Hong Kong Supplementary Character Set.
    Big5Hkscs,
    /// EUC-TW: CNS 11643.
    EucTw,
    /// `Shift_JIS-2004`: JIS X 0213.
    ShiftJis2004,
    /// EUC-JIS-2004: JIS X 0213.
    EucJis2004,
    /// EBCDIC with katakana, and Japanese.
    Ibm930,
    /// EBCDIC and Korean.
    Ibm933,
    /// EBCDIC and simplified Chinese.
    Ibm935,
    /// EBCDIC and traditional Chinese.
    Ibm937,
    /// EBCDIC with small letters, and Japanese.
    Ibm939,
}

/// The form that they have in common.
#[derive(Clone, Copy, Debug, Default)]
pub struct MultiByteForm;

/// Which of them it is, and what bytes mean at a place in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MultiByteState {
    encoding: MultiByte,
    shift: shifted::Shift,
    /// A code point that was to be written and that a mark may follow.
    pending: Option<CodePoint>,
}

macro_rules! grids {
    ($kind:ident: $($name:ident = $file:literal;)*) => {
        $(static $name: $kind = $kind::new(include_bytes!(concat!("multi_byte/tables/", $file, ".bin")));)*
    };
}
grids! { Grid:
    KSX1001 = "ksx1001";
    GB2312 = "gb2312";
    CNS11643 = "cns11643";
    JISX0213 = "jisx0213";
    HKSCS = "hkscs";
    JOHAB = "johab";
    IBM930 = "ibm930_double";
    IBM933 = "ibm933_double";
    IBM935 = "ibm935_double";
    IBM937 = "ibm937_double";
}
grids! { Single:
    IBM930_SINGLE = "ibm930_single";
    IBM933_SINGLE = "ibm933_single";
    IBM935_SINGLE = "ibm935_single";
    IBM937_SINGLE = "ibm937_single";
    IBM939_SINGLE = "ibm939_single";
}

impl Family for MultiByte {
    type Form = MultiByteForm;
    const ALL: &'static [Self] = &[
        Self::Iso2022Kr,
        Self::Iso2022Cn,
        Self::Hz,
        Self::Johab,
        Self::Big5Hkscs,
        Self::EucTw,
        Self::ShiftJis2004,
        Self::EucJis2004,
        Self::Ibm930,
        Self::Ibm933,
        Self::Ibm935,
        Self::Ibm937,
        Self::Ibm939,
    ];

    fn names(self) -> &'static Names {
        names::of(self)
    }

    fn repertoire(self) -> Repertoire {
        Repertoire::Tables
    }

    fn start(self) -> MultiByteState {
        MultiByteState { encoding: self, ..MultiByteState::default() }
    }
}

/// What stands at the start of some bytes; [`Step`] with both code points of a cell.
enum Read {
    Cell { cell: Cell, len: usize },
    Other(Step),
}

impl Read {
    fn ascii(byte: u8) -> Self {
        Self::one(CodePoint::from_byte(byte))
    }
    fn one(c: CodePoint) -> Self {
        Self::Cell { cell: Cell::One(c), len: 1 }
    }
    fn shift(len: usize) -> Self {
        Self::Other(Step::Shift { len })
    }
    fn incomplete(needs: usize) -> Self {
        Self::Other(Step::Incomplete { needs })
    }
    fn ill_formed(kind: IllFormedKind, len: usize, seen: usize) -> Self {
        Self::Other(Step::IllFormed { len, seen, kind })
    }
    /// What a table has at a place, in `len` bytes.
    fn at(grid: &Grid, place: grid::Place, len: usize, ill_formed: usize) -> Self {
        match grid.get(place) {
            Some(cell) => Self::Cell { cell, len },
            None => Self::ill_formed(IllFormedKind::Undefined, ill_formed, len),
        }
    }
}

fn read(state: &mut MultiByteState, src: &[u8]) -> Read {
    if state.encoding.switches() { shifted::read(state, src) } else { bytes::read(state.encoding, src) }
}

/// Bytes that are to be written, all or none of them.
#[derive(Default)]
struct Out {
    bytes: [u8; 16],
    len: usize,
}

impl Out {
    fn push(&mut self, bytes: &[u8]) {
        let end = self.len + bytes.len();
        self.bytes[self.len..end].copy_from_slice(bytes);
        self.len = end;
    }

    /// Writes them, and with them the state in which they leave the text.
    fn write(&self, dst: &mut [u8], state: &mut MultiByteState, after: MultiByteState) -> EncodeStep {
        let Some(dst) = dst.get_mut(..self.len) else { return EncodeStep::NoRoom };
        dst.copy_from_slice(&self.bytes[..self.len]);
        *state = after;
        EncodeStep::Written(self.len)
    }
}

impl EncodingForm for MultiByteForm {
    type Unit = u8;
    type State = MultiByteState;

    const NAMES: Names = *names::ISO_2022_KR;
    /// A designation and a single shift with two bytes, in ISO-2022-CN.
    const MAX_UNITS: usize = 8;
    const SELF_SYNCHRONIZING: bool = false;
    const MAX_CODE_POINTS: usize = 2;
    const REPERTOIRE: Repertoire = Repertoire::Scalar;

    #[inline]
    fn is_ascii_compatible(state: &MultiByteState) -> bool {
        matches!(state.encoding, MultiByte::EucTw | MultiByte::EucJis2004)
    }

    #[inline]
    fn decode_step(state: &mut MultiByteState, src: &[u8]) -> Step {
        match read(state, src) {
            Read::Cell { cell: Cell::One(value), len } => Step::CodePoint { value, len },
            Read::Cell { cell: Cell::Two(..), len } => Step::Several { len },
            Read::Other(step) => step,
        }
    }

    fn decode_several(state: &MultiByteState, src: &[u8]) -> CodePoints {
        match read(&mut state.clone(), src) {
            Read::Cell { cell: Cell::Two(first, second), .. } => CodePoints::new([first, second]),
            _ => None,
        }
        .unwrap_or_default()
    }

    #[inline]
    fn encode_step(state: &mut MultiByteState, c: CodePoint, dst: &mut [u8]) -> EncodeStep {
        let mut after = *state;
        let mut out = Out::default();
        if state.encoding.switches() {
            if !shifted::write(&mut after, c, &mut out) {
                return EncodeStep::Unmappable(UnmappableKind::NotHeld);
            }
            return out.write(dst, state, after);
        }
        if let Some(first) = after.pending.take() {
            if let Some(bytes) = bytes::of_pair(state.encoding, first, c) {
                out.push(bytes.as_slice());
                return out.write(dst, state, after);
            }
            out.push(bytes::of(state.encoding, first).unwrap_or_default().as_slice());
        }
        let Some(bytes) = bytes::of(state.encoding, c) else {
            return EncodeStep::Unmappable(UnmappableKind::NotHeld);
        };
        if state.encoding.grid().begins_pair(c) {
            after.pending = Some(c);
        } else {
            out.push(bytes.as_slice());
        }
        out.write(dst, state, after)
    }

    const QUICK: bool = true;

    #[inline]
    fn to_utf8(_: Ours, state: &mut MultiByteState, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        quick::to_utf8(state, src, dst)
    }

    #[inline]
    fn from_utf8(_: Ours, state: &mut MultiByteState, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        quick::from_utf8(state, src, dst)
    }

    fn encode_finish(state: &mut MultiByteState, dst: &mut [u8]) -> EncodeStep {
        let mut after = *state;
        let mut out = Out::default();
        if let Some(first) = after.pending.take() {
            out.push(bytes::of(state.encoding, first).unwrap_or_default().as_slice());
        }
        shifted::close(&mut after, &mut out);
        out.write(dst, state, after)
    }
}

impl MultiByte {
    /// Whether bytes switch between sets.
    #[inline]
    const fn switches(self) -> bool {
        !matches!(self, Self::Johab | Self::Big5Hkscs | Self::EucTw | Self::ShiftJis2004 | Self::EucJis2004)
    }

    /// The table of two-byte codes, where there is one only.
    #[inline]
    const fn grid(self) -> &'static Grid {
        match self {
            Self::Iso2022Kr => &KSX1001,
            Self::Iso2022Cn | Self::Hz => &GB2312,
            Self::Johab => &JOHAB,
            Self::Big5Hkscs => &HKSCS,
            Self::EucTw => &CNS11643,
            Self::ShiftJis2004 | Self::EucJis2004 => &JISX0213,
            Self::Ibm930 | Self::Ibm939 => &IBM930,
            Self::Ibm933 => &IBM933,
            Self::Ibm935 => &IBM935,
            Self::Ibm937 => &IBM937,
        }
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;
    use crate::forms::grid::tests::index_is_right;

    #[test]
    fn the_index_says_what_the_table_says() {
        for encoding in MultiByte::ALL {
            index_is_right(encoding.grid());
        }
        for encoding in MultiByte::ALL.iter().filter_map(|encoding| encoding.single()) {
            index_is_right(&encoding.grid);
        }
    }
}
