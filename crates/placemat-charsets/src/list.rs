//! The lists of encodings. A new encoding is a file with its form, and a row here.

use crate::compact::{bocu1::Bocu1, scsu::Scsu, utf7::Imap, utf7::Utf7, utf7::Utf7Strict};
use crate::encoding::{Encoding, encodings};
use crate::historic::{fss_utf::FssUtf1992, utf_ebcdic::I8, utf_ebcdic::UtfEbcdic, utf1::Utf1};
#[cfg(feature = "marc8")]
use crate::marc8::Kind;
#[cfg(feature = "cjk-extra")]
use crate::{gsm_03_38::Gsm0338, iso_6937::Iso6937, multi_byte::MultiByte, tscii::Tscii};
#[cfg(feature = "cjk")]
use crate::{iso_2022_jp::Iso2022Jp, legacy::Legacy};
use placemat_core::forms::descriptor::Row;
use placemat_core::forms::names::Names;
use placemat_core::forms::unicode::ucs::{Ucs2, Ucs2ByBom, Ucs4, Ucs4ByBom};
use placemat_core::forms::unicode::{
    cesu8::Cesu8, mutf8::JavaUtf, mutf8::ModifiedUtf8, mutf8::TclUtf8, wtf8::Wtf8,
};
use placemat_core::forms::unicode::{
    utf8::Utf8, utf8::Utf8Bom, utf8_31::PerlUtf8, utf8_31::Utf8Bits31, utf8mb3::Utf8Mb3,
};
use placemat_core::forms::unicode::{utf16::Utf16, utf16::Utf16ByBom, utf32::Utf32, utf32::Utf32ByBom};
use placemat_core::forms::{ascii::Ascii, latin1::Latin1};
use placemat_core::ground::unit::{Be, Le};

#[cfg(feature = "single-byte")]
#[rustfmt::skip]
mod single_byte;

encodings! { FORMS from 0:
    /// The form [`Utf8`](crate::forms).
    UTF_8 = Row::of::<Utf8>(),
    /// The form [`Utf8Bom`](crate::forms).
    UTF_8_BOM = Row::of::<Utf8Bom>(),
    /// The form [`Utf16ByBom`](crate::forms).
    UTF_16 = Row::of::<Utf16ByBom>(),
    /// The form [`Utf16<Le>`](crate::forms).
    UTF_16LE = Row::of::<Utf16<Le>>(),
    /// The form [`Utf16<Be>`](crate::forms).
    UTF_16BE = Row::of::<Utf16<Be>>(),
    /// The form [`Utf32ByBom`](crate::forms).
    UTF_32 = Row::of::<Utf32ByBom>(),
    /// The form [`Utf32<Le>`](crate::forms).
    UTF_32LE = Row::of::<Utf32<Le>>(),
    /// The form [`Utf32<Be>`](crate::forms).
    UTF_32BE = Row::of::<Utf32<Be>>(),
    /// The form [`Ucs2ByBom`](crate::forms).
    UCS_2 = Row::of::<Ucs2ByBom>(),
    /// The form [`Ucs2<Le>`](crate::forms).
    UCS_2LE = Row::of::<Ucs2<Le>>(),
    /// The form [`Ucs2<Be>`](crate::forms).
    UCS_2BE = Row::of::<Ucs2<Be>>(),
    /// The form [`Ucs4ByBom`](crate::forms).
    UCS_4 = Row::of::<Ucs4ByBom>(),
    /// The form [`Ucs4<Le>`](crate::forms).
    UCS_4LE = Row::of::<Ucs4<Le>>(),
    /// The form [`Ucs4<Be>`](crate::forms).
    UCS_4BE = Row::of::<Ucs4<Be>>(),
    /// The form [`Utf8Mb3`](crate::forms).
    UTF_8_BMP_ONLY = Row::of::<Utf8Mb3>(),
    /// The form [`Cesu8`](crate::forms).
    CESU_8 = Row::of::<Cesu8>(),
    /// The form [`ModifiedUtf8`](crate::forms).
    MODIFIED_UTF_8 = Row::of::<ModifiedUtf8>(),
    /// The form [`JavaUtf`](crate::forms).
    JAVA_UTF = Row::of::<JavaUtf>(),
    /// The form [`TclUtf8`](crate::forms).
    TCL_UTF_8 = Row::of::<TclUtf8>(),
    /// The form [`Wtf8`](crate::forms).
    WTF_8 = Row::of::<Wtf8>(),
    /// The form [`Utf8Bits31`](crate::forms).
    UTF_8_31_BIT = Row::of::<Utf8Bits31>(),
    /// The form [`PerlUtf8`](crate::forms).
    UTF_8_PERL = Row::of::<PerlUtf8>(),
    /// The form [`FssUtf1992`](crate::forms).
    FSS_UTF_1992 = Row::of::<FssUtf1992>(),
    /// The form [`Utf1`](crate::forms).
    UTF_1 = Row::of::<Utf1>(),
    /// The form [`Utf7`](crate::forms).
    UTF_7 = Row::of::<Utf7>(),
    /// The form [`Utf7Strict`](crate::forms).
    UTF_7_D = Row::of::<Utf7Strict>(),
    /// The form [`Imap`](crate::forms).
    UTF_7_IMAP = Row::of::<Imap>(),
    /// The form [`UtfEbcdic`](crate::forms).
    UTF_EBCDIC = Row::of::<UtfEbcdic>(),
    /// The form [`I8`](crate::forms).
    I8 = Row::of::<I8>(),
    /// The form [`Scsu`](crate::forms).
    SCSU = Row::of::<Scsu>(),
    /// The form [`Bocu1`](crate::forms).
    BOCU_1 = Row::of::<Bocu1>(),
    /// The form [`Ascii`](crate::forms).
    US_ASCII = Row::of::<Ascii>(),
    /// The form [`Latin1`](crate::forms).
    ISO_8859_1 = Row::of::<Latin1>(),
}

#[cfg(feature = "cjk")]
mod legacy {
    use super::{Legacy, encodings};

    encodings! { LEGACY from 600:
        /// GBK: two bytes for simplified Chinese. The web's `gb2312` is this.
        GBK = Legacy::Gbk.row(),
        /// GB18030: GBK, and all of Unicode in four bytes.
        GB18030 = Legacy::Gb18030.row(),
        /// Big5; the decoder also reads the Hong Kong characters.
        BIG5 = Legacy::Big5.row(),
        /// EUC-JP; the decoder also reads JIS X 0212.
        EUC_JP = Legacy::EucJp.row(),
        /// `Shift_JIS` of Windows, code page 932.
        SHIFT_JIS = Legacy::ShiftJis.row(),
        /// EUC-KR of Windows, the Unified Hangul Code, code page 949.
        EUC_KR = Legacy::EucKr.row(),
        /// The web's stand-in for encodings that are dangerous to read: the whole text is one error.
        REPLACEMENT = Legacy::Replacement.row(),
    }
}

#[cfg(feature = "cjk")]
mod iso_2022_jp {
    use super::{Iso2022Jp, Row, encodings};

    encodings! { ISO_2022_JP from 620:
        /// ISO-2022-JP: Japanese in seven bits, for mail, as the web reads it.
        ISO_2022_JP = Row::of::<Iso2022Jp>(),
    }
}

#[cfg(feature = "cjk-extra")]
mod multi_byte {
    use super::{MultiByte, encodings};

    encodings! { MULTI_BYTE from 640:
        /// ISO-2022-KR: KS X 1001 in seven bits.
        ISO_2022_KR = MultiByte::Iso2022Kr.row(),
        /// ISO-2022-CN: GB 2312 and two planes of CNS 11643 in seven bits.
        ISO_2022_CN = MultiByte::Iso2022Cn.row(),
        /// HZ: GB 2312 in seven bits, between `~{` and `~}`.
        HZ_GB_2312 = MultiByte::Hz.row(),
        /// Johab: each letter of a Hangul syllable has its own bits.
        JOHAB = MultiByte::Johab.row(),
        /// Big5 with the Hong Kong Supplementary Character Set.
        BIG5_HKSCS = MultiByte::Big5Hkscs.row(),
        /// EUC-TW: CNS 11643.
        EUC_TW = MultiByte::EucTw.row(),
        /// `Shift_JIS-2004`: JIS X 0213.
        SHIFT_JIS_2004 = MultiByte::ShiftJis2004.row(),
        /// EUC-JIS-2004: JIS X 0213.
        EUC_JIS_2004 = MultiByte::EucJis2004.row(),
        /// ISO-2022-CN-EXT: ISO-2022-CN with ISO-IR-165, and planes 3 to 7 of CNS 11643.
        ISO_2022_CN_EXT = MultiByte::Iso2022CnExt.row(),
        /// ISO-2022-JP-1: JIS X 0208 and JIS X 0212 in seven bits.
        ISO_2022_JP_1 = MultiByte::Iso2022Jp1.row(),
        /// ISO-2022-JP-2: sets of Japanese, Chinese, Korean, Latin and Greek in seven bits.
        ISO_2022_JP_2 = MultiByte::Iso2022Jp2.row(),
        /// ISO-2022-JP-3: JIS X 0213 in seven bits.
        ISO_2022_JP_3 = MultiByte::Iso2022Jp3.row(),
        /// ISO-2022-JP-2004: JIS X 0213 of 2004 in seven bits.
        ISO_2022_JP_2004 = MultiByte::Iso2022Jp2004.row(),
        /// ISO-2022-JP-EXT: ISO-2022-JP-1 with half-width katakana.
        ISO_2022_JP_EXT = MultiByte::Iso2022JpExt.row(),
        /// `Shift_JIS` of IBM.
        IBM943 = MultiByte::Ibm943.row(),
        /// EBCDIC with katakana, and Japanese.
        IBM930 = MultiByte::Ibm930.row(),
        /// EBCDIC and Korean.
        IBM933 = MultiByte::Ibm933.row(),
        /// EBCDIC and simplified Chinese.
        IBM935 = MultiByte::Ibm935.row(),
        /// EBCDIC and traditional Chinese.
        IBM937 = MultiByte::Ibm937.row(),
        /// EBCDIC with small letters, and Japanese.
        IBM939 = MultiByte::Ibm939.row(),
        /// IBM933 with all syllables of Hangul.
        IBM1364 = MultiByte::Ibm1364.row(),
        /// IBM937 with the euro sign.
        IBM1371 = MultiByte::Ibm1371.row(),
        /// IBM935 with the characters of GB 18030.
        IBM1388 = MultiByte::Ibm1388.row(),
        /// IBM930 with the euro sign and JIS X 0213.
        IBM1390 = MultiByte::Ibm1390.row(),
        /// IBM939 with the euro sign and JIS X 0213.
        IBM1399 = MultiByte::Ibm1399.row(),
        /// EUC-CN: GB 2312, without what Windows added.
        EUC_CN_STRICT = MultiByte::EucCnStrict.row(),
        /// EUC-KR: KS X 1001, without what Windows added.
        EUC_KR_STRICT = MultiByte::EucKrStrict.row(),
        /// EUC-JP: JIS X 0208 and JIS X 0212, without what Windows added.
        EUC_JP_STRICT = MultiByte::EucJpStrict.row(),
        /// `Shift_JIS`: JIS X 0201 and JIS X 0208, without what Windows added.
        SHIFT_JIS_STRICT = MultiByte::ShiftJisStrict.row(),
        /// GBK 1.0, without what Windows and the web added.
        GBK_STRICT = MultiByte::GbkStrict.row(),
        /// Big5 with the additions of ETEN, without those of Hong Kong.
        BIG5_STRICT = MultiByte::Big5Strict.row(),
        /// Code page 932 with its user-defined characters, which the web does not write.
        WINDOWS_31J_STRICT = MultiByte::Cp932Strict.row(),
        /// ISO-2022-JP: the sets of RFC 1468.
        ISO_2022_JP_STRICT = MultiByte::Iso2022JpStrict.row(),
        /// Big5 with Japanese and simplified Chinese, of bulletin boards in Taiwan.
        BIG5_UAO = MultiByte::Big5Uao.row(),
        /// Big5 with the extensions of ETEN.
        BIG5_ETEN = MultiByte::Big5Eten.row(),
    }
}

#[cfg(feature = "cjk-extra")]
mod escapes_and_accents {
    use super::{Gsm0338, Iso6937, Row, encodings};

    encodings! { ESCAPES_AND_ACCENTS from 680:
        /// The default alphabet of GSM, for short messages.
        GSM_03_38 = Row::of::<Gsm0338>(),
        /// ISO/IEC 6937: Latin letters, each after the byte of its accent.
        ISO_6937 = Row::of::<Iso6937>(),
    }
}

#[cfg(feature = "cjk-extra")]
mod indic {
    use super::{Row, Tscii, encodings};
    use crate::iscii::row;

    encodings! { INDIC from 690:
        /// TSCII 1.7: Tamil, a byte for each glyph.
        TSCII = Row::of::<Tscii>(),
        /// ISCII, a text of which begins in Devanagari.
        ISCII_DEVANAGARI = row(0),
        /// ISCII, a text of which begins in Bengali, also for Assamese.
        ISCII_BENGALI = row(1),
        /// ISCII, a text of which begins in Gurmukhi.
        ISCII_GURMUKHI = row(2),
        /// ISCII, a text of which begins in Gujarati.
        ISCII_GUJARATI = row(3),
        /// ISCII, a text of which begins in Oriya.
        ISCII_ORIYA = row(4),
        /// ISCII, a text of which begins in Tamil.
        ISCII_TAMIL = row(5),
        /// ISCII, a text of which begins in Telugu.
        ISCII_TELUGU = row(6),
        /// ISCII, a text of which begins in Kannada.
        ISCII_KANNADA = row(7),
        /// ISCII, a text of which begins in Malayalam.
        ISCII_MALAYALAM = row(8),
    }
}

#[cfg(feature = "cjk-extra")]
#[rustfmt::skip]
mod sequences;

#[cfg(all(feature = "single-byte", feature = "cjk-extra"))]
mod dvb {
    use super::encodings;
    use crate::dvb::row;

    encodings! { DVB from 1000:
        /// Text of digital television, written as UTF-8.
        DVB = row(0),
        /// Text of digital television, written in Latin letters: ISO 6937 with the euro sign.
        DVB_LATIN = row(1),
        /// Text of digital television, written in ISO 8859-1.
        DVB_ISO_8859_1 = row(2),
        /// Text of digital television, written in ISO 8859-2.
        DVB_ISO_8859_2 = row(3),
        /// Text of digital television, written in ISO 8859-3.
        DVB_ISO_8859_3 = row(4),
        /// Text of digital television, written in ISO 8859-4.
        DVB_ISO_8859_4 = row(5),
        /// Text of digital television, written in ISO 8859-5.
        DVB_ISO_8859_5 = row(6),
        /// Text of digital television, written in ISO 8859-6.
        DVB_ISO_8859_6 = row(7),
        /// Text of digital television, written in ISO 8859-7.
        DVB_ISO_8859_7 = row(8),
        /// Text of digital television, written in ISO 8859-8.
        DVB_ISO_8859_8 = row(9),
        /// Text of digital television, written in ISO 8859-9.
        DVB_ISO_8859_9 = row(10),
        /// Text of digital television, written in ISO 8859-10.
        DVB_ISO_8859_10 = row(11),
        /// Text of digital television, written in ISO 8859-11.
        DVB_ISO_8859_11 = row(12),
        /// Text of digital television, written in ISO 8859-13.
        DVB_ISO_8859_13 = row(13),
        /// Text of digital television, written in ISO 8859-14.
        DVB_ISO_8859_14 = row(14),
        /// Text of digital television, written in ISO 8859-15.
        DVB_ISO_8859_15 = row(15),
    }
}

#[cfg(feature = "marc8")]
mod marc8 {
    use super::{Kind, encodings};

    encodings! { MARC8 from 700:
        /// MARC-8, of library catalogs.
        MARC_8 = Kind::Marc8.row(),
        /// ANSEL: ASCII, and Latin letters after the bytes of their marks.
        ANSEL = Kind::Ansel.row(),
        /// The ANSEL of GEDCOM, the files of genealogists.
        GEDCOM = Kind::Gedcom.row(),
    }
}

/// All encodings with their names, in the order in which users see them.
const LISTS: &[&[(Encoding, Names)]] = &[
    &FORMS,
    #[cfg(feature = "single-byte")]
    &single_byte::SINGLE_BYTE,
    #[cfg(feature = "cjk")]
    &legacy::LEGACY,
    #[cfg(feature = "cjk")]
    &iso_2022_jp::ISO_2022_JP,
    #[cfg(feature = "cjk-extra")]
    &multi_byte::MULTI_BYTE,
    #[cfg(feature = "cjk-extra")]
    &escapes_and_accents::ESCAPES_AND_ACCENTS,
    #[cfg(feature = "cjk-extra")]
    &indic::INDIC,
    #[cfg(feature = "marc8")]
    &marc8::MARC8,
    #[cfg(feature = "cjk-extra")]
    &sequences::SEQUENCES,
    #[cfg(all(feature = "single-byte", feature = "cjk-extra"))]
    &dvb::DVB,
];

const COUNT: usize = {
    let (mut count, mut list) = (0, 0);
    while list < LISTS.len() {
        (count, list) = (count + LISTS[list].len(), list + 1);
    }
    count
};

#[allow(
    clippy::large_const_arrays,
    reason = "the compiler alone reads it; as a static, each program would hold all encodings"
)]
const ROWS: [(Encoding, Names); COUNT] = {
    let mut all = [FORMS[0]; COUNT];
    let (mut count, mut list) = (0, 0);
    while list < LISTS.len() {
        let mut row = 0;
        while row < LISTS[list].len() {
            all[count] = LISTS[list][row];
            (count, row) = (count + 1, row + 1);
        }
        list += 1;
    }
    all
};

impl Encoding {
    /// All encodings, in the order in which users see them.
    pub const ALL: &'static [Self] = &{
        let mut all = [Self::UTF_8; COUNT];
        let mut row = 0;
        while row < COUNT {
            (all[row], row) = (ROWS[row].0, row + 1);
        }
        all
    };

    /// The names of each encoding, in the order of [`ALL`](Self::ALL).
    pub(crate) const NAMES: [Names; COUNT] = {
        let mut all = [ROWS[0].1; COUNT];
        let mut row = 0;
        while row < COUNT {
            (all[row], row) = (ROWS[row].1, row + 1);
        }
        all
    };
}
