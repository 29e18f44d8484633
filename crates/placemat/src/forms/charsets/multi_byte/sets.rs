//! The encodings, and their tables.

use super::single::Single;
use crate::forms::charsets::grid::Grid;

/// A multi-byte encoding that the web does not read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum MultiByte {
    /// ISO-2022-KR: KS X 1001 in seven bits.
    #[default]
    Iso2022Kr,
    /// ISO-2022-CN: GB 2312 and two planes of CNS 11643 in seven bits.
    Iso2022Cn,
    /// HZ: GB 2312 in seven bits, between `~{` and `~}`.
    Hz,
    /// Johab: each letter of a Hangul syllable has its own bits.
    Johab,
    /// Big5 with the Hong Kong Supplementary Character Set.
    Big5Hkscs,
    /// EUC-TW: CNS 11643.
    EucTw,
    /// `Shift_JIS-2004`: JIS X 0213.
    ShiftJis2004,
    /// EUC-JIS-2004: JIS X 0213.
    EucJis2004,
    /// ISO-2022-CN-EXT: ISO-2022-CN with ISO-IR-165, and planes 3 to 7 of CNS 11643.
    Iso2022CnExt,
    /// ISO-2022-JP-1: JIS X 0208 and JIS X 0212 in seven bits.
    Iso2022Jp1,
    /// ISO-2022-JP-2: sets of Japanese, Chinese, Korean, Latin and Greek in seven bits.
    Iso2022Jp2,
    /// ISO-2022-JP-3: JIS X 0213 in seven bits.
    Iso2022Jp3,
    /// ISO-2022-JP-2004: JIS X 0213 of 2004 in seven bits.
    Iso2022Jp2004,
    /// ISO-2022-JP-EXT: ISO-2022-JP-1 with half-width katakana.
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
    /// IBM933 with all syllables of Hangul.
    Ibm1364,
    /// IBM937 with the euro sign.
    Ibm1371,
    /// IBM935 with the characters of GB 18030.
    Ibm1388,
    /// IBM930 with the euro sign and JIS X 0213.
    Ibm1390,
    /// IBM939 with the euro sign and JIS X 0213.
    Ibm1399,
    /// EUC-CN: GB 2312, without what Windows added.
    EucCnStrict,
    /// EUC-KR: KS X 1001, without what Windows added.
    EucKrStrict,
    /// EUC-JP: JIS X 0208 and JIS X 0212, without what Windows added.
    EucJpStrict,
    /// `Shift_JIS`: JIS X 0201 and JIS X 0208, without what Windows added.
    ShiftJisStrict,
    /// GBK 1.0, without what Windows and the web added.
    GbkStrict,
    /// Big5 with the additions of ETEN, without those of Hong Kong.
    Big5Strict,
    /// Code page 932 with its user-defined characters, which the web does not write.
    Cp932Strict,
    /// ISO-2022-JP: the sets of RFC 1468.
    Iso2022JpStrict,
}

macro_rules! table {
    ($file:literal) => {
        include_bytes!(concat!("tables/", $file, ".bin"))
    };
}
macro_rules! grids {
    ($kind:ident: $($name:ident = $file:literal;)*) => {
        $(pub(super) static $name: $kind = $kind::new(table!($file));)*
    };
}
/// Tables that have only the rows in which they differ from another.
macro_rules! grids_on {
    ($($name:ident = $file:literal, $base:ident;)*) => {
        $(pub(super) static $name: Grid = Grid::on(table!($file), Some(&$base));)*
    };
}
grids! { Grid:
    KSX1001 = "ksx1001";
    GB2312 = "gb2312";
    CNS11643 = "cns11643";
    JISX0212 = "jisx0212";
    GBK = "gbk";
    BIG5 = "big5";
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
    CP932 = "cp932", JISX0213;
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

impl MultiByte {
    /// Whether bytes switch between sets.
    #[inline]
    pub(super) const fn switches(self) -> bool {
        !matches!(
            self,
            Self::Johab
                | Self::Big5Hkscs
                | Self::EucTw
                | Self::ShiftJis2004
                | Self::EucJis2004
                | Self::Ibm943
                | Self::EucCnStrict
                | Self::EucKrStrict
                | Self::EucJpStrict
                | Self::ShiftJisStrict
                | Self::GbkStrict
                | Self::Big5Strict
                | Self::Cp932Strict
        )
    }

    /// Whether the encoding has tables for kernels: it does not switch, and no letter and mark are one code.
    #[inline]
    pub(super) const fn has_tables(self) -> bool {
        matches!(
            self,
            Self::Johab
                | Self::Ibm943
                | Self::EucCnStrict
                | Self::EucKrStrict
                | Self::EucJpStrict
                | Self::ShiftJisStrict
                | Self::GbkStrict
                | Self::Big5Strict
                | Self::Cp932Strict
        )
    }

    /// Whether the encoding is a relative of ISO-2022-JP.
    #[inline]
    pub(super) const fn is_japanese(self) -> bool {
        matches!(
            self,
            Self::Iso2022Jp1
                | Self::Iso2022Jp2
                | Self::Iso2022Jp3
                | Self::Iso2022Jp2004
                | Self::Iso2022JpExt
                | Self::Iso2022JpStrict
        )
    }

    /// The table of two-byte codes, where there is one only; else that of the most.
    #[inline]
    pub(super) const fn grid(self) -> &'static Grid {
        match self {
            Self::Iso2022Kr | Self::EucKrStrict => &KSX1001,
            Self::Iso2022Cn | Self::Iso2022CnExt | Self::Hz | Self::EucCnStrict => &GB2312,
            Self::Johab => &JOHAB,
            Self::Big5Hkscs => &HKSCS,
            Self::EucTw => &CNS11643,
            Self::Iso2022Jp1
            | Self::Iso2022Jp2
            | Self::Iso2022JpExt
            | Self::Iso2022JpStrict
            | Self::EucJpStrict
            | Self::ShiftJisStrict => &JISX0208,
            Self::GbkStrict => &GBK,
            Self::Big5Strict => &BIG5,
            Self::Cp932Strict => &CP932,
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

    /// The table of single bytes of an EBCDIC page.
    pub(super) const fn single(self) -> Option<&'static Single> {
        Some(match self {
            Self::Ibm930 => &IBM930_SINGLE,
            Self::Ibm933 | Self::Ibm1364 => &IBM933_SINGLE,
            Self::Ibm935 | Self::Ibm1388 => &IBM935_SINGLE,
            Self::Ibm937 => &IBM937_SINGLE,
            Self::Ibm939 => &IBM939_SINGLE,
            Self::Ibm1371 => &IBM1371_SINGLE,
            Self::Ibm1390 => &IBM1390_SINGLE,
            Self::Ibm1399 => &IBM1399_SINGLE,
            _ => return None,
        })
    }
}
