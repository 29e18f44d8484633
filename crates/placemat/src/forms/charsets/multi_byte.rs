//! Multi-byte encodings that the web does not read: those that switch between sets (ISO-2022-KR, ISO-2022-CN and -EXT, the
//! later relatives of ISO-2022-JP, HZ, EBCDIC with shifts), and Johab, Big5-HKSCS, EUC-TW, `Shift_JIS-2004`, EUC-JIS-2004,
//! IBM943.
//!
//! | | UTF-8 | these |
//! | --- | --- | --- |
//! | lead and continuation bytes | disjoint | overlap, but for EUC a byte is at least ASCII or not |
//! | states | none | in most of them a set is designated or shifted to |
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
//! | ISO-2022-JP-1, -2, -EXT | 213D of JIS X 0208 as U+2015, 2237 of JIS X 0212 as U+FF5E | Python: 2237 as U+007E |
//! | ISO-2022-JP-2 | the sets of RFC 1554; ISO 8859-7 as of 2003 | glibc: katakana too; Python: ISO 8859-7 as of 1987 |
//! | ISO-2022-JP-3 | both editions of plane 1; Roman, katakana | Python: without these two, six symbols otherwise |
//! | ISO-2022-JP-2004 | ASCII, JIS X 0208, JIS X 0213 | Python: four symbols otherwise |
//! | ISO-IR-165 | 212B as U+007E, 2167 as U+0024 | ICU: fewer, and as GB 2312 |
//! | IBM943 | 5C as U+005C; 1A, 1C, 7F as ASCII | glibc and ICU exchange three controls; ICU and Java have a page with U+00A5 too |
//! | EBCDIC 1390, 1399 | 25 pairs; bytes not defined are an error | glibc: reads those as SUB |
//! | EBCDIC 930, 939 | as IBM: 43A1 as U+301C, 444A as U+2014, 15 as U+0085 | Java: as U+FF5E, U+2015, U+000A |
//!
//! Nothing is written that would read as something else: `\` is not in `Shift_JIS-2004`, where 5C is U+00A5; other
//! programs put substitutes. A line end within two-byte text is an error and ends it; Python (Korean) and ICU (Chinese)
//! take it for text. In ISO-2022-KR the designation is written at the start of any text that is not empty; Python writes
//! it where it is needed.

mod bytes;
mod japanese;
mod names;
mod quick;
mod shifted;

use self::quick::Single;
use crate::forms::charsets::grid::{self, Cell, Grid};
use crate::forms::form::{EncodeStep, Family, Form, Names, Repertoire, Step};
use crate::ground::code_point::CodePoint;
use crate::ground::error::{IllFormedKind, UnmappableKind};
use crate::ground::policy::CodePoints;

/// A multi-byte encoding that the web does not read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub(crate) enum MultiByte {
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
    /// ISO-2022-CN-EXT: also ISO-IR-165, and planes 3 to 7 of CNS 11643.
    Iso2022CnExt,
    /// ISO-2022-JP-1: JIS X 0208 and JIS X 0212 in seven bits.
    Iso2022Jp1,
    /// ISO-2022-JP-2: sets of Japanese, Chinese, Korean, Latin and Greek in seven bits.
    Iso2022Jp2,
    /// ISO-2022-JP-3: JIS X 0213 in seven bits.
    Iso2022Jp3,
    /// ISO-2022-JP-2004: JIS X 0213 of 2004 in seven bits.
    Iso2022Jp2004,
    /// ISO-2022-JP-EXT: as ISO-2022-JP-1, with half-width katakana.
    Iso2022JpExt,
    /// `Shift_JIS` of IBM.
    Ibm943,
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
    /// As 933, with all syllables of Hangul.
    Ibm1364,
    /// As 937, with the euro sign.
    Ibm1371,
    /// As 935, with more of Unicode.
    Ibm1388,
    /// As 930, with the euro sign and JIS X 0213.
    Ibm1390,
    /// As 939, with the euro sign and JIS X 0213.
    Ibm1399,
}

/// The form that they have in common.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MultiByteForm;

/// Which of them it is, and what bytes mean at a place in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct MultiByteState {
    encoding: MultiByte,
    shift: shifted::Shift,
    japanese: japanese::Sets,
    /// A code point that was to be written and that a mark may follow.
    pending: Option<CodePoint>,
}

macro_rules! table {
    ($file:literal) => {
        include_bytes!(concat!("multi_byte/tables/", $file, ".bin"))
    };
}
macro_rules! grids {
    ($kind:ident: $($name:ident = $file:literal;)*) => {
        $(static $name: $kind = $kind::new(table!($file));)*
    };
}
/// Tables that have only the rows in which they differ from another.
macro_rules! grids_on {
    ($($name:ident = $file:literal, $base:ident;)*) => {
        $(static $name: Grid = Grid::on(table!($file), Some(&$base));)*
    };
}
grids! { Grid:
    KSX1001 = "ksx1001";
    GB2312 = "gb2312";
    CNS11643 = "cns11643";
    JISX0212 = "jisx0212";
    JISX0213 = "jisx0213";
    HKSCS = "hkscs";
    JOHAB = "johab";
    IBM930 = "ibm930_double";
    IBM933 = "ibm933_double";
    IBM935 = "ibm935_double";
    IBM937 = "ibm937_double";
}
grids_on! {
    JISX0208 = "jisx0208", JISX0213;
    ISO_IR_165 = "iso_ir_165", GB2312;
    IBM943 = "ibm943", JISX0213;
    IBM1364 = "ibm1364_double", IBM933;
    IBM1371 = "ibm1371_double", IBM937;
    IBM1388 = "ibm1388_double", IBM935;
    IBM1390 = "ibm1390_double", IBM930;
}
grids! { Single:
    IBM930_SINGLE = "ibm930_single";
    IBM933_SINGLE = "ibm933_single";
    IBM935_SINGLE = "ibm935_single";
    IBM937_SINGLE = "ibm937_single";
    IBM939_SINGLE = "ibm939_single";
    IBM1371_SINGLE = "ibm1371_single";
    IBM1390_SINGLE = "ibm1390_single";
    IBM1399_SINGLE = "ibm1399_single";
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
        Self::Iso2022CnExt,
        Self::Iso2022Jp1,
        Self::Iso2022Jp2,
        Self::Iso2022Jp3,
        Self::Iso2022Jp2004,
        Self::Iso2022JpExt,
        Self::Ibm943,
        Self::Ibm930,
        Self::Ibm933,
        Self::Ibm935,
        Self::Ibm937,
        Self::Ibm939,
        Self::Ibm1364,
        Self::Ibm1371,
        Self::Ibm1388,
        Self::Ibm1390,
        Self::Ibm1399,
    ];
    const NAMES: &'static [&'static Names] = &{
        let mut all = [names::ISO_2022_KR; Self::ALL.len()];
        let mut i = 0;
        while i < all.len() {
            all[i] = names::of(Self::ALL[i]);
            i += 1;
        }
        all
    };

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
    match state.encoding {
        encoding if encoding.is_japanese() => japanese::read(encoding, &mut state.japanese, src),
        encoding if encoding.switches() => shifted::read(state, src),
        encoding => bytes::read(encoding, src),
    }
}

/// Writes a code point, and what has to precede it. Whether the encoding holds it.
fn write(state: &mut MultiByteState, c: CodePoint, out: &mut Out) -> bool {
    match state.encoding {
        encoding if encoding.is_japanese() => japanese::write(encoding, &mut state.japanese, c, out),
        encoding if encoding.switches() => shifted::write(state, c, out),
        encoding => {
            let bytes = bytes::of(encoding, c);
            bytes.inspect(|bytes| out.push(bytes.as_slice())).is_some()
        }
    }
}

/// Writes two code points that are one code. Whether they are.
fn write_pair(state: &mut MultiByteState, first: CodePoint, second: CodePoint, out: &mut Out) -> bool {
    let Some(place) = state.encoding.grid().find_pair(first, second) else { return false };
    match state.encoding {
        encoding if encoding.is_japanese() => japanese::write_pair(encoding, &mut state.japanese, place, out),
        encoding if encoding.switches() => shifted::write_double(state, place, out),
        encoding => out.push(bytes::at(encoding, place).as_slice()),
    }
    true
}

/// Writes what waits for a mark.
fn write_pending(state: &mut MultiByteState, out: &mut Out) {
    if let Some(first) = state.pending.take() {
        // It was held when it came.
        write(state, first, out);
    }
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

impl Form for MultiByteForm {
    type Unit = u8;
    type State = MultiByteState;

    const NAMES: Names = *names::ISO_2022_KR;
    /// In ISO-2022-JP-3 a letter that waited for a mark, and a code point of another set: a designation and two bytes each.
    const MAX_UNITS: usize = 12;
    const SELF_SYNCHRONIZING: bool = false;
    const MAX_CODE_POINTS: usize = 2;
    const REPERTOIRE: Repertoire = Repertoire::Scalar;

    #[inline]
    fn is_ascii_compatible(state: &MultiByteState) -> bool {
        matches!(state.encoding, MultiByte::EucTw | MultiByte::EucJis2004)
    }

    #[inline]
    fn takes_escapes(state: &MultiByteState) -> bool {
        !state.encoding.switches()
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
        if let Some(first) = after.pending
            && write_pair(&mut after, first, c, &mut out)
        {
            after.pending = None;
            return out.write(dst, state, after);
        }
        write_pending(&mut after, &mut out);
        if state.encoding.grid().begins_pair(c) {
            after.pending = Some(c);
        } else if !write(&mut after, c, &mut out) {
            return EncodeStep::Unmappable(UnmappableKind::NotHeld);
        }
        out.write(dst, state, after)
    }

    const QUICK: bool = true;

    #[inline]
    fn to_utf8(state: &mut MultiByteState, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        quick::to_utf8(state, src, dst)
    }

    #[inline]
    fn from_utf8(state: &mut MultiByteState, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        quick::from_utf8(state, src, dst)
    }

    const HOLDS_BACK: bool = true;

    fn encode_pause(state: &mut MultiByteState, dst: &mut [u8]) -> EncodeStep {
        let mut after = *state;
        let mut out = Out::default();
        write_pending(&mut after, &mut out);
        out.write(dst, state, after)
    }

    fn encode_finish(state: &mut MultiByteState, dst: &mut [u8]) -> EncodeStep {
        let mut after = *state;
        let mut out = Out::default();
        write_pending(&mut after, &mut out);
        shifted::close(&mut after, &mut out);
        after.japanese.close(&mut out);
        out.write(dst, state, after)
    }
}

impl MultiByte {
    /// Whether bytes switch between sets.
    #[inline]
    const fn switches(self) -> bool {
        !matches!(
            self,
            Self::Johab
                | Self::Big5Hkscs
                | Self::EucTw
                | Self::ShiftJis2004
                | Self::EucJis2004
                | Self::Ibm943
        )
    }

    /// Whether it is of the family of ISO-2022-JP.
    #[inline]
    const fn is_japanese(self) -> bool {
        matches!(
            self,
            Self::Iso2022Jp1 | Self::Iso2022Jp2 | Self::Iso2022Jp3 | Self::Iso2022Jp2004 | Self::Iso2022JpExt
        )
    }

    /// The table of two-byte codes, where there is one only; else that of the most.
    #[inline]
    const fn grid(self) -> &'static Grid {
        match self {
            Self::Iso2022Kr => &KSX1001,
            Self::Iso2022Cn | Self::Iso2022CnExt | Self::Hz => &GB2312,
            Self::Johab => &JOHAB,
            Self::Big5Hkscs => &HKSCS,
            Self::EucTw => &CNS11643,
            Self::Iso2022Jp1 | Self::Iso2022Jp2 | Self::Iso2022JpExt => &JISX0208,
            Self::ShiftJis2004 | Self::EucJis2004 | Self::Iso2022Jp3 | Self::Iso2022Jp2004 => &JISX0213,
            Self::Ibm943 => &IBM943,
            Self::Ibm930 | Self::Ibm939 => &IBM930,
            Self::Ibm933 => &IBM933,
            Self::Ibm935 => &IBM935,
            Self::Ibm937 => &IBM937,
            Self::Ibm1364 => &IBM1364,
            Self::Ibm1371 => &IBM1371,
            Self::Ibm1388 => &IBM1388,
            Self::Ibm1390 | Self::Ibm1399 => &IBM1390,
        }
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;
    use crate::forms::charsets::grid::tests::index_is_right;

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
