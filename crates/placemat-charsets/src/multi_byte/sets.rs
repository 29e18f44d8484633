//! The tables of the encodings.

use super::encodings::MultiByte;
use super::single::Single;
use crate::grid::Grid;

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
    BIG5_UAO = "big5_uao", BIG5;
    BIG5_ETEN = "big5_eten", BIG5;
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
    /// Returns the table of two-byte codes, where there is one only; else that of the most.
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
            Self::Big5Uao => &BIG5_UAO,
            Self::Big5Eten => &BIG5_ETEN,
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

    /// Returns the table of single bytes of an EBCDIC page.
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
