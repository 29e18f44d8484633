//! The names of the multi-byte encodings.

use super::encodings::MultiByte;
use placemat_core::forms::form::Names;
use placemat_core::forms::names::labels;

pub(super) const fn of(encoding: MultiByte) -> Names {
    match encoding {
        MultiByte::Iso2022Kr => ISO_2022_KR,
        MultiByte::Iso2022Cn => ISO_2022_CN,
        MultiByte::Hz => HZ,
        MultiByte::Johab => JOHAB,
        MultiByte::Big5Hkscs => BIG5_HKSCS,
        MultiByte::EucTw => EUC_TW,
        MultiByte::ShiftJis2004 => SHIFT_JIS_2004,
        MultiByte::EucJis2004 => EUC_JIS_2004,
        MultiByte::Iso2022CnExt => ISO_2022_CN_EXT,
        MultiByte::Iso2022Jp1 => ISO_2022_JP_1,
        MultiByte::Iso2022Jp2 => ISO_2022_JP_2,
        MultiByte::Iso2022Jp3 => ISO_2022_JP_3,
        MultiByte::Iso2022Jp2004 => ISO_2022_JP_2004,
        MultiByte::Iso2022JpExt => ISO_2022_JP_EXT,
        MultiByte::Ibm943 => IBM943,
        MultiByte::Ibm930 => IBM930,
        MultiByte::Ibm933 => IBM933,
        MultiByte::Ibm935 => IBM935,
        MultiByte::Ibm937 => IBM937,
        MultiByte::Ibm939 => IBM939,
        MultiByte::Ibm1364 => IBM1364,
        MultiByte::Ibm1371 => IBM1371,
        MultiByte::Ibm1388 => IBM1388,
        MultiByte::Ibm1390 => IBM1390,
        MultiByte::Ibm1399 => IBM1399,
        MultiByte::EucCnStrict => EUC_CN_STRICT,
        MultiByte::EucKrStrict => EUC_KR_STRICT,
        MultiByte::EucJpStrict => EUC_JP_STRICT,
        MultiByte::ShiftJisStrict => SHIFT_JIS_STRICT,
        MultiByte::GbkStrict => GBK_STRICT,
        MultiByte::Big5Strict => BIG5_STRICT,
        MultiByte::Big5Uao => BIG5_UAO,
        MultiByte::Big5Eten => BIG5_ETEN,
        MultiByte::Cp932Strict => WINDOWS_31J_STRICT,
        MultiByte::Iso2022JpStrict => ISO_2022_JP_STRICT,
    }
}

/// Makes the names. The web knows none of these encodings.
macro_rules! names {
    ($($constant:ident = $name:literal [$($label:literal),*] $about:literal, $specified_in:literal;)*) => {
        $(pub(super) const $constant: Names = Names {
            name: $name,
            labels: labels![$($label),*],
            web_labels: labels![],
            about: $about,
            specified_in: $specified_in,
        };)*
    };
}
names! {
    ISO_2022_KR = "ISO-2022-KR" ["csiso2022kr", "cp50225", "50225", "windows-50225"]
        "Korean in seven bits, for mail: shifts between ASCII and KS X 1001.", "RFC 1557";
    ISO_2022_CN = "ISO-2022-CN" ["csiso2022cn"]
        "Chinese in seven bits, for mail: ASCII, GB 2312, and planes 1 and 2 of CNS 11643.", "RFC 1922";
    HZ = "HZ-GB-2312" ["hz", "hzgb", "hz-gb", "cp52936", "52936", "windows-52936"]
        "Simplified Chinese in seven bits, for news: GB 2312 between ~{ and ~}.", "RFC 1843";
    JOHAB = "Johab" ["x-johab", "cp1361", "1361", "ms1361", "windows-1361"]
        "Korean in one or two bytes; a Hangul syllable by its letters.", "KS X 1001:1992 annex 3";
    BIG5_HKSCS = "Big5-HKSCS" ["big5hk", "hkscs", "csbig5hkscs", "big5-hkscs:2008", "ibm1375", "cp951", "951"]
        "Traditional Chinese in one or two bytes, with the characters of Hong Kong.", "HKSCS-2008";
    EUC_TW = "EUC-TW" ["x-euc-tw", "cseuctw", "cns11643"]
        "Traditional Chinese in one, two or four bytes: CNS 11643, planes 1 to 7 and 15.", "CNS 11643-1992";
    SHIFT_JIS_2004 = "Shift_JIS-2004" [
        "sjis-2004", "s_jis_2004", "shift_jisx0213", "sjisx0213", "s_jisx0213", "x-sjis_0213"
    ] "Japanese in one or two bytes: half-width katakana and JIS X 0213.", "JIS X 0213:2004 annex 1";
    EUC_JIS_2004 = "EUC-JIS-2004" ["jisx0213", "euc-jisx0213"]
        "Japanese in one to three bytes: ASCII, half-width katakana and JIS X 0213.", "JIS X 0213:2004 annex 3";
    ISO_2022_CN_EXT = "ISO-2022-CN-EXT" ["csiso2022cnext"]
        "Chinese in seven bits: ISO-2022-CN with ISO-IR-165 and planes 3 to 7 of CNS 11643.", "RFC 1922";
    ISO_2022_JP_1 = "ISO-2022-JP-1" []
        "Japanese in seven bits, for mail: ISO-2022-JP with JIS X 0212.", "RFC 2237";
    ISO_2022_JP_2 = "ISO-2022-JP-2" ["csiso2022jp2"]
        "Japanese, Chinese, Korean, Latin and Greek in seven bits, for mail.", "RFC 1554";
    ISO_2022_JP_3 = "ISO-2022-JP-3" []
        "Japanese in seven bits: ASCII, JIS X 0201, JIS X 0208 and JIS X 0213.", "JIS X 0213:2000 annex 2";
    ISO_2022_JP_2004 = "ISO-2022-JP-2004" []
        "Japanese in seven bits: ASCII, JIS X 0208 and JIS X 0213.", "JIS X 0213:2004 annex 2";
    ISO_2022_JP_EXT = "ISO-2022-JP-EXT" []
        "Japanese in seven bits: ISO-2022-JP-1 with half-width katakana.", "Python, codec iso2022_jp_ext";
    IBM943 = "IBM943" [
        "cp943", "943", "ibm-943", "csibm943", "ccsid943", "ibm943c", "cp943c", "x-ibm943c"
    ] "Japanese in one or two bytes, as IBM writes it: Shift_JIS with a private use area.", "IBM CCSID 943";
    IBM930 = "IBM930" ["cp930", "930", "ibm-930", "x-ibm930", "csibm930", "ccsid930"]
        "EBCDIC with katakana for letters, and Japanese in two bytes between shifts.", "IBM CCSID 930";
    IBM933 = "IBM933" ["cp933", "933", "ibm-933", "x-ibm933", "csibm933", "ccsid933"]
        "EBCDIC with half-width Hangul, and Korean in two bytes between shifts.", "IBM CCSID 933";
    IBM935 = "IBM935" ["cp935", "935", "ibm-935", "x-ibm935", "csibm935", "ccsid935"]
        "EBCDIC, and simplified Chinese in two bytes between shifts.", "IBM CCSID 935";
    IBM937 = "IBM937" ["cp937", "937", "ibm-937", "x-ibm937", "csibm937", "ccsid937"]
        "EBCDIC, and traditional Chinese in two bytes between shifts.", "IBM CCSID 937";
    IBM939 = "IBM939" ["cp939", "939", "ibm-939", "x-ibm939", "csibm939", "ccsid939"]
        "EBCDIC with small letters and katakana, and Japanese in two bytes between shifts.", "IBM CCSID 939";
    IBM1364 = "IBM1364" ["cp1364", "1364", "ibm-1364", "x-ibm1364", "csibm1364", "ccsid1364"]
        "EBCDIC with half-width Hangul, and Korean with all its syllables in two bytes between shifts.",
        "IBM CCSID 1364";
    IBM1371 = "IBM1371" ["cp1371", "1371", "ibm-1371", "x-ibm1371", "csibm1371", "ccsid1371"]
        "EBCDIC with the euro sign, and traditional Chinese in two bytes between shifts.", "IBM CCSID 1371";
    IBM1388 = "IBM1388" ["cp1388", "1388", "ibm-1388", "x-ibm1388", "csibm1388", "ccsid1388", "ibm9580"]
        "EBCDIC, and Chinese with the characters of GB 18030 in two bytes between shifts.", "IBM CCSID 1388";
    IBM1390 = "IBM1390" ["cp1390", "1390", "ibm-1390", "x-ibm1390", "csibm1390", "ccsid1390"]
        "EBCDIC with katakana for letters and the euro sign, and JIS X 0213 in two bytes between shifts.",
        "IBM CCSID 1390";
    IBM1399 = "IBM1399" ["cp1399", "1399", "ibm-1399", "x-ibm1399", "csibm1399", "ccsid1399"]
        "EBCDIC with small letters, katakana and the euro sign, and JIS X 0213 in two bytes between shifts.",
        "IBM CCSID 1399";
    EUC_CN_STRICT = "EUC-CN-strict" []
        "Simplified Chinese in one or two bytes: GB 2312 alone, without the additions of Windows.", "GB 2312-1980; glibc 2.36, EUC-CN";
    EUC_KR_STRICT = "EUC-KR-strict" []
        "Korean in one or two bytes: KS X 1001 alone, without the additions of Windows.", "KS X 1001; RFC 1557; glibc 2.36, EUC-KR";
    EUC_JP_STRICT = "EUC-JP-strict" []
        "Japanese in one to three bytes: half-width katakana, JIS X 0208 and JIS X 0212, and C1 controls.", "JIS X 0208, JIS X 0212; glibc 2.36, EUC-JP";
    SHIFT_JIS_STRICT = "Shift_JIS-strict" []
        "Japanese in one or two bytes: JIS X 0201, with U+00A5 at 5C and U+203E at 7E, and JIS X 0208.", "JIS X 0208 annex 1; glibc 2.36, SJIS";
    GBK_STRICT = "GBK-strict" []
        "Simplified Chinese in one or two bytes: GBK 1.0, without later additions.", "GBK 1.0; glibc 2.36, GBK";
    BIG5_STRICT = "Big5-strict" []
        "Traditional Chinese in one or two bytes: Big5 with the additions of ETEN.", "glibc 2.36, BIG5";
    BIG5_UAO = "Big5-UAO" ["uao", "unicode-at-on", "big5-unicode-at-on", "ptt", "big5-ptt"]
        "Traditional Chinese in one or two bytes, with kana and simplified forms, for bulletin boards of Taiwan (PTT).",
        "Unicode-at-on 2.50, moztw.org";
    BIG5_ETEN = "Big5-ETEN" ["big5-et", "eten"]
        "Traditional Chinese in one or two bytes: Big5 with kana, Cyrillic and radicals of ETEN.", "moztw.org; Perl, big5-eten";
    WINDOWS_31J_STRICT = "windows-31j-strict" []
        "Japanese in one or two bytes: code page 932 with its user-defined characters.", "glibc 2.36, CP932";
    ISO_2022_JP_STRICT = "ISO-2022-JP-strict" []
        "Japanese in seven bits, for mail: ASCII, JIS X 0201 Roman and JIS X 0208.", "RFC 1468";
}
