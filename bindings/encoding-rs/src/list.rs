//! The encodings of the WHATWG Encoding Standard.

use crate::encoding::{Encoding, Kind};

macro_rules! encodings {
    ($($name:ident, $init:ident, $label:literal, $kind:ident;)*) => {
        $(
            #[doc = concat!("The value of [`", stringify!($name), "`], for places where a reference to it cannot stand, such as an array in a `static`.")]
            pub static $init: Encoding = Encoding::new($label, placemat::Encoding::$name, Kind::$kind);
            #[doc = concat!("The encoding ", $label, ".")]
            pub static $name: &Encoding = &$init;
        )*

        /// All encodings.
        pub(crate) static ALL: [&Encoding; 40] = [$(&$init),*];
    };
}

encodings! {
    BIG5, BIG5_INIT, "Big5", MultiByte;
    EUC_JP, EUC_JP_INIT, "EUC-JP", MultiByte;
    EUC_KR, EUC_KR_INIT, "EUC-KR", MultiByte;
    GBK, GBK_INIT, "GBK", MultiByte;
    IBM866, IBM866_INIT, "IBM866", SingleByte;
    ISO_2022_JP, ISO_2022_JP_INIT, "ISO-2022-JP", Iso2022Jp;
    ISO_8859_10, ISO_8859_10_INIT, "ISO-8859-10", SingleByte;
    ISO_8859_13, ISO_8859_13_INIT, "ISO-8859-13", SingleByte;
    ISO_8859_14, ISO_8859_14_INIT, "ISO-8859-14", SingleByte;
    ISO_8859_15, ISO_8859_15_INIT, "ISO-8859-15", SingleByte;
    ISO_8859_16, ISO_8859_16_INIT, "ISO-8859-16", SingleByte;
    ISO_8859_2, ISO_8859_2_INIT, "ISO-8859-2", SingleByte;
    ISO_8859_3, ISO_8859_3_INIT, "ISO-8859-3", SingleByte;
    ISO_8859_4, ISO_8859_4_INIT, "ISO-8859-4", SingleByte;
    ISO_8859_5, ISO_8859_5_INIT, "ISO-8859-5", SingleByte;
    ISO_8859_6, ISO_8859_6_INIT, "ISO-8859-6", SingleByte;
    ISO_8859_7, ISO_8859_7_INIT, "ISO-8859-7", SingleByte;
    ISO_8859_8, ISO_8859_8_INIT, "ISO-8859-8", SingleByte;
    ISO_8859_8_I, ISO_8859_8_I_INIT, "ISO-8859-8-I", SingleByte;
    KOI8_R, KOI8_R_INIT, "KOI8-R", SingleByte;
    KOI8_U, KOI8_U_INIT, "KOI8-U", SingleByte;
    SHIFT_JIS, SHIFT_JIS_INIT, "Shift_JIS", MultiByte;
    UTF_16BE, UTF_16BE_INIT, "UTF-16BE", Utf16;
    UTF_16LE, UTF_16LE_INIT, "UTF-16LE", Utf16;
    UTF_8, UTF_8_INIT, "UTF-8", Utf8;
    GB18030, GB18030_INIT, "gb18030", MultiByte;
    MACINTOSH, MACINTOSH_INIT, "macintosh", SingleByte;
    REPLACEMENT, REPLACEMENT_INIT, "replacement", Replacement;
    WINDOWS_1250, WINDOWS_1250_INIT, "windows-1250", SingleByte;
    WINDOWS_1251, WINDOWS_1251_INIT, "windows-1251", SingleByte;
    WINDOWS_1252, WINDOWS_1252_INIT, "windows-1252", SingleByte;
    WINDOWS_1253, WINDOWS_1253_INIT, "windows-1253", SingleByte;
    WINDOWS_1254, WINDOWS_1254_INIT, "windows-1254", SingleByte;
    WINDOWS_1255, WINDOWS_1255_INIT, "windows-1255", SingleByte;
    WINDOWS_1256, WINDOWS_1256_INIT, "windows-1256", SingleByte;
    WINDOWS_1257, WINDOWS_1257_INIT, "windows-1257", SingleByte;
    WINDOWS_1258, WINDOWS_1258_INIT, "windows-1258", SingleByte;
    WINDOWS_874, WINDOWS_874_INIT, "windows-874", SingleByte;
    X_MAC_CYRILLIC, X_MAC_CYRILLIC_INIT, "x-mac-cyrillic", SingleByte;
    X_USER_DEFINED, X_USER_DEFINED_INIT, "x-user-defined", SingleByte;
}
