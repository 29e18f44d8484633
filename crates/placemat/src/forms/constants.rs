//! The constants of character sets: `Encoding::GBK` and the others.

#[cfg(feature = "single-byte")]
#[rustfmt::skip]
mod single_byte;

#[cfg(feature = "marc8")]
use super::charsets::marc8::Marc8;
#[cfg(feature = "multi-byte")]
use super::charsets::multi_byte::MultiByte;
#[cfg(feature = "legacy")]
use super::charsets::{iso_2022_jp::Iso2022Jp, legacy::Legacy};
#[allow(unused_imports, reason = "families come with features")]
use super::encoding::{Encoding, Kind};

/// Makes the constants of a family: a line for each, `CONSTANT = member`.
#[allow(unused_macros, reason = "families come with features")]
macro_rules! constants {
    ($test:ident, $kind:ident: $($(#[$doc:meta])* $constant:ident = $member:expr,)*) => {
        impl Encoding {
            $(
                $(#[$doc])*
                pub const $constant: Self = Self::member(Kind::$kind($member));
            )*
        }

        #[cfg(test)]
        #[test]
        fn $test() {
            let all = [$((Encoding::$constant, stringify!($constant))),*];
            crate::forms::encoding::tests::check_constants(&all, |kind| matches!(kind, Kind::$kind(_)));
        }
    };
}
#[cfg(feature = "single-byte")]
use constants;

#[cfg(feature = "legacy")]
constants! { legacy, Legacy:
    /// GBK: two bytes for simplified Chinese. The web's `gb2312` is this.
    GBK = Legacy::Gbk,
    /// GB18030: GBK, and all of Unicode in four bytes.
    GB18030 = Legacy::Gb18030,
    /// Big5; the decoder also reads the Hong Kong characters.
    BIG5 = Legacy::Big5,
    /// EUC-JP; the decoder also reads JIS X 0212.
    EUC_JP = Legacy::EucJp,
    /// `Shift_JIS` of Windows, code page 932.
    SHIFT_JIS = Legacy::ShiftJis,
    /// EUC-KR of Windows, the Unified Hangul Code, code page 949.
    EUC_KR = Legacy::EucKr,
    /// The web's stand-in for encodings that are dangerous to read: the whole text is one error.
    REPLACEMENT = Legacy::Replacement,
}

#[cfg(feature = "legacy")]
constants! { iso_2022_jp, Iso2022Jp:
    /// ISO-2022-JP: Japanese in seven bits, for mail, as the web reads it.
    ISO_2022_JP = Iso2022Jp,
}

#[cfg(feature = "multi-byte")]
constants! { multi_byte, MultiByte:
    /// ISO-2022-KR: KS X 1001 in seven bits.
    ISO_2022_KR = MultiByte::Iso2022Kr,
    /// ISO-2022-CN: GB 2312 and two planes of CNS 11643 in seven bits.
    ISO_2022_CN = MultiByte::Iso2022Cn,
    /// HZ: GB 2312 in seven bits, between `~{` and `~}`.
    HZ_GB_2312 = MultiByte::Hz,
    /// Johab: each letter of a Hangul syllable has its own bits.
    JOHAB = MultiByte::Johab,
    /// Big5 with the Hong Kong Supplementary Character Set.
    BIG5_HKSCS = MultiByte::Big5Hkscs,
    /// EUC-TW: CNS 11643.
    EUC_TW = MultiByte::EucTw,
    /// `Shift_JIS-2004`: JIS X 0213.
    SHIFT_JIS_2004 = MultiByte::ShiftJis2004,
    /// EUC-JIS-2004: JIS X 0213.
    EUC_JIS_2004 = MultiByte::EucJis2004,
    /// ISO-2022-CN-EXT: ISO-2022-CN with ISO-IR-165, and planes 3 to 7 of CNS 11643.
    ISO_2022_CN_EXT = MultiByte::Iso2022CnExt,
    /// ISO-2022-JP-1: JIS X 0208 and JIS X 0212 in seven bits.
    ISO_2022_JP_1 = MultiByte::Iso2022Jp1,
    /// ISO-2022-JP-2: sets of Japanese, Chinese, Korean, Latin and Greek in seven bits.
    ISO_2022_JP_2 = MultiByte::Iso2022Jp2,
    /// ISO-2022-JP-3: JIS X 0213 in seven bits.
    ISO_2022_JP_3 = MultiByte::Iso2022Jp3,
    /// ISO-2022-JP-2004: JIS X 0213 of 2004 in seven bits.
    ISO_2022_JP_2004 = MultiByte::Iso2022Jp2004,
    /// ISO-2022-JP-EXT: ISO-2022-JP-1 with half-width katakana.
    ISO_2022_JP_EXT = MultiByte::Iso2022JpExt,
    /// `Shift_JIS` of IBM.
    IBM943 = MultiByte::Ibm943,
    /// EBCDIC with katakana, and Japanese.
    IBM930 = MultiByte::Ibm930,
    /// EBCDIC and Korean.
    IBM933 = MultiByte::Ibm933,
    /// EBCDIC and simplified Chinese.
    IBM935 = MultiByte::Ibm935,
    /// EBCDIC and traditional Chinese.
    IBM937 = MultiByte::Ibm937,
    /// EBCDIC with small letters, and Japanese.
    IBM939 = MultiByte::Ibm939,
    /// IBM933 with all syllables of Hangul.
    IBM1364 = MultiByte::Ibm1364,
    /// IBM937 with the euro sign.
    IBM1371 = MultiByte::Ibm1371,
    /// IBM935 with the characters of GB 18030.
    IBM1388 = MultiByte::Ibm1388,
    /// IBM930 with the euro sign and JIS X 0213.
    IBM1390 = MultiByte::Ibm1390,
    /// IBM939 with the euro sign and JIS X 0213.
    IBM1399 = MultiByte::Ibm1399,
    /// EUC-CN: GB 2312, without what Windows added.
    EUC_CN_STRICT = MultiByte::EucCnStrict,
    /// EUC-KR: KS X 1001, without what Windows added.
    EUC_KR_STRICT = MultiByte::EucKrStrict,
    /// EUC-JP: JIS X 0208 and JIS X 0212, without what Windows added.
    EUC_JP_STRICT = MultiByte::EucJpStrict,
    /// `Shift_JIS`: JIS X 0201 and JIS X 0208, without what Windows added.
    SHIFT_JIS_STRICT = MultiByte::ShiftJisStrict,
    /// GBK 1.0, without what Windows and the web added.
    GBK_STRICT = MultiByte::GbkStrict,
    /// Big5 with the additions of ETEN, without those of Hong Kong.
    BIG5_STRICT = MultiByte::Big5Strict,
    /// Code page 932 with its user-defined characters, which the web does not write.
    WINDOWS_31J_STRICT = MultiByte::Cp932Strict,
    /// ISO-2022-JP: the sets of RFC 1468.
    ISO_2022_JP_STRICT = MultiByte::Iso2022JpStrict,
}

#[cfg(feature = "marc8")]
constants! { marc8, Marc8:
    /// MARC-8, of library catalogues.
    MARC_8 = Marc8,
}
