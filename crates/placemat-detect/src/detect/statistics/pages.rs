//! The legacy encodings that the statistics tell apart.

use placemat_charsets::Encoding;

/// How an encoding makes bytes of text, as far as the statistics care.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// One byte a character; bytes below 80 are ASCII.
    Ascii,
    /// One byte a character; letters lie elsewhere than in ASCII.
    Ebcdic,
    /// Several bytes a character.
    Multi,
}

/// An encoding, and how likely it is before anything is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Page {
    pub(super) encoding: Encoding,
    pub(super) kind: Kind,
    /// In nats: 0 for the most usual, less for others.
    pub(super) prior: f32,
    /// The languages that it was made for; empty for all that it can hold.
    pub(super) languages: &'static [&'static str],
    /// Nats for each other language: at most 0.
    pub(super) abroad: f32,
}

/// The factor that turns the priors of the table into nats.
const NATS_PER_PRIOR: f32 = 4.0;
/// The weight of a language that an encoding of another region can hold.
const FOREIGN_LANGUAGE_NATS: f32 = -6.0;

/// Returns an encoding in which no other languages are written.
const fn only(encoding: Encoding, kind: Kind, prior: f32, languages: &'static [&'static str]) -> Page {
    Page { encoding, kind, prior: NATS_PER_PRIOR * prior, languages, abroad: f32::NEG_INFINITY }
}

/// Returns an encoding of a region, in which other languages that it can hold are written less
/// often.
const fn mostly(encoding: Encoding, kind: Kind, prior: f32, languages: &'static [&'static str]) -> Page {
    Page { encoding, kind, prior: NATS_PER_PRIOR * prior, languages, abroad: FOREIGN_LANGUAGE_NATS }
}

/// Returns an encoding for every language that it can hold.
const fn any(encoding: Encoding, kind: Kind, prior: f32) -> Page {
    Page { encoding, kind, prior: NATS_PER_PRIOR * prior, languages: &[], abroad: 0.0 }
}

const WESTERN: &[&str] = &[
    "af", "an", "ast", "br", "ca", "da", "de", "en", "es", "eu", "fi", "fr", "fur", "fy", "ga", "gl", "ia",
    "id", "is", "it", "ms", "nb", "nl", "nn", "oc", "pt", "rm", "sc", "sq", "sv", "tl",
];
const CENTRAL: &[&str] =
    &["bs", "cs", "de", "dsb", "hr", "hsb", "hu", "pl", "ro", "sk", "sl", "sq", "sr-Latn", "szl"];
const RUSSIAN: &[&str] = &["ru", "bg", "be"];
const SOUTH_SLAVIC: &[&str] = &["hr", "sl", "bs", "sr-Latn"];
const SCANDINAVIAN: &[&str] = &["da", "nb", "nn"];
const TURKISH: &[&str] = &["az", "kmr", "tr"];
const CYRILLIC: &[&str] = &["be", "bg", "mk", "ru", "sr"];
const CELTIC: &[&str] = &["cy", "ga", "gd", "br"];
const BALTIC: &[&str] = &["et", "lt", "lv"];
const ROMANCE: &[&str] = &["ca", "es", "gl"];
const CHINESE: &[&str] = &["zh-Hans", "zh-Hant"];
const EAST_ASIAN: &[&str] = &["zh-Hans", "zh-Hant", "ja", "ko"];

/// All single-byte pages that are scored.
pub(super) static PAGES: &[Page] = &[
    mostly(Encoding::WINDOWS_1252, Kind::Ascii, 0.3, WESTERN),
    mostly(Encoding::WINDOWS_1250, Kind::Ascii, -0.6, CENTRAL),
    any(Encoding::WINDOWS_1251, Kind::Ascii, -0.4),
    any(Encoding::WINDOWS_1253, Kind::Ascii, -0.6),
    only(Encoding::WINDOWS_1254, Kind::Ascii, -0.6, TURKISH),
    any(Encoding::WINDOWS_1255, Kind::Ascii, -0.6),
    any(Encoding::WINDOWS_1256, Kind::Ascii, -0.6),
    mostly(Encoding::WINDOWS_1257, Kind::Ascii, -0.6, BALTIC),
    only(Encoding::WINDOWS_1258, Kind::Ascii, -0.75, &["vi"]),
    any(Encoding::WINDOWS_874, Kind::Ascii, -0.6),
    mostly(Encoding::ISO_8859_1, Kind::Ascii, -0.25, WESTERN),
    mostly(Encoding::ISO_8859_2, Kind::Ascii, -0.9, CENTRAL),
    any(Encoding::ISO_8859_3, Kind::Ascii, -1.5),
    mostly(Encoding::ISO_8859_4, Kind::Ascii, -1.5, BALTIC),
    any(Encoding::ISO_8859_5, Kind::Ascii, -0.75),
    any(Encoding::ISO_8859_6, Kind::Ascii, -0.75),
    any(Encoding::ISO_8859_7, Kind::Ascii, -0.75),
    any(Encoding::ISO_8859_8, Kind::Ascii, -0.75),
    only(Encoding::X_ISO_8859_9, Kind::Ascii, -0.75, TURKISH),
    any(Encoding::ISO_8859_10, Kind::Ascii, -2.5),
    any(Encoding::X_ISO_8859_11, Kind::Ascii, -1.5),
    mostly(Encoding::ISO_8859_13, Kind::Ascii, -1.5, BALTIC),
    only(Encoding::ISO_8859_14, Kind::Ascii, -2.5, CELTIC),
    mostly(Encoding::ISO_8859_15, Kind::Ascii, -1.4, WESTERN),
    mostly(Encoding::ISO_8859_16, Kind::Ascii, -1.5, CENTRAL),
    only(Encoding::KOI8_R, Kind::Ascii, -0.75, RUSSIAN),
    only(Encoding::X_KOI8_U, Kind::Ascii, -0.8, &["uk", "ru", "be"]),
    only(Encoding::X_KOI8_RU, Kind::Ascii, -2.5, &["uk", "ru", "be"]),
    only(Encoding::KOI8_T, Kind::Ascii, -2.0, &["tg"]),
    any(Encoding::IBM866, Kind::Ascii, -0.75),
    mostly(Encoding::MACINTOSH, Kind::Ascii, -1.25, WESTERN),
    any(Encoding::X_MAC_CYRILLIC, Kind::Ascii, -1.5),
    mostly(Encoding::X_MAC_CENTRALEUROPE, Kind::Ascii, -2.0, CENTRAL),
    only(Encoding::X_MAC_CROATIAN, Kind::Ascii, -3.5, SOUTH_SLAVIC),
    only(Encoding::X_MAC_ROMANIA, Kind::Ascii, -3.5, &["ro"]),
    any(Encoding::X_MAC_GREEK, Kind::Ascii, -2.0),
    only(Encoding::X_MAC_TURKISH, Kind::Ascii, -3.5, TURKISH),
    only(Encoding::X_MAC_ICELAND, Kind::Ascii, -3.5, &["is"]),
    mostly(Encoding::IBM437, Kind::Ascii, -1.25, WESTERN),
    any(Encoding::IBM720, Kind::Ascii, -2.25),
    any(Encoding::IBM737, Kind::Ascii, -2.0),
    mostly(Encoding::IBM775, Kind::Ascii, -2.0, BALTIC),
    mostly(Encoding::IBM850, Kind::Ascii, -1.25, WESTERN),
    mostly(Encoding::IBM852, Kind::Ascii, -1.5, CENTRAL),
    any(Encoding::IBM855, Kind::Ascii, -2.25),
    only(Encoding::IBM857, Kind::Ascii, -1.5, TURKISH),
    mostly(Encoding::IBM858, Kind::Ascii, -1.25, WESTERN),
    only(Encoding::IBM860, Kind::Ascii, -2.25, &["pt"]),
    only(Encoding::IBM861, Kind::Ascii, -2.25, &["is"]),
    any(Encoding::IBM862, Kind::Ascii, -2.0),
    only(Encoding::IBM863, Kind::Ascii, -2.25, &["fr"]),
    any(Encoding::IBM864, Kind::Ascii, -2.25),
    only(Encoding::IBM865, Kind::Ascii, -2.25, SCANDINAVIAN),
    any(Encoding::IBM869, Kind::Ascii, -2.25),
    only(Encoding::IBM1125, Kind::Ascii, -2.5, &["uk", "be"]),
    only(Encoding::RK1048, Kind::Ascii, -2.0, &["kk", "ky"]),
    only(Encoding::PT154, Kind::Ascii, -2.0, &["kk", "ky"]),
    mostly(Encoding::HP_ROMAN8, Kind::Ascii, -3.5, WESTERN),
    only(Encoding::VISCII, Kind::Ascii, -2.0, &["vi"]),
    only(Encoding::TCVN5712_1, Kind::Ascii, -2.0, &["vi"]),
    any(Encoding::ARMSCII_8, Kind::Ascii, -2.0),
    any(Encoding::GEORGIAN_PS, Kind::Ascii, -2.0),
    any(Encoding::GEORGIAN_ACADEMY, Kind::Ascii, -2.0),
    any(Encoding::IBM037, Kind::Ebcdic, -2.0),
    only(Encoding::IBM273, Kind::Ebcdic, -2.25, &["de"]),
    only(Encoding::IBM277, Kind::Ebcdic, -2.25, SCANDINAVIAN),
    only(Encoding::IBM278, Kind::Ebcdic, -2.25, &["sv", "fi"]),
    only(Encoding::IBM280, Kind::Ebcdic, -2.25, &["it"]),
    only(Encoding::IBM284, Kind::Ebcdic, -2.25, ROMANCE),
    only(Encoding::IBM285, Kind::Ebcdic, -3.0, &["en"]),
    only(Encoding::IBM297, Kind::Ebcdic, -2.25, &["fr"]),
    any(Encoding::IBM420, Kind::Ebcdic, -2.25),
    any(Encoding::IBM424, Kind::Ebcdic, -2.25),
    any(Encoding::IBM500, Kind::Ebcdic, -2.05),
    any(Encoding::IBM838, Kind::Ebcdic, -2.25),
    mostly(Encoding::IBM870, Kind::Ebcdic, -3.0, CENTRAL),
    only(Encoding::IBM871, Kind::Ebcdic, -2.25, &["is"]),
    any(Encoding::IBM875, Kind::Ebcdic, -2.25),
    only(Encoding::IBM880, Kind::Ebcdic, -2.25, CYRILLIC),
    only(Encoding::IBM1025, Kind::Ebcdic, -2.5, CYRILLIC),
    only(Encoding::IBM1026, Kind::Ebcdic, -2.5, TURKISH),
    any(Encoding::IBM1047, Kind::Ebcdic, -2.5),
    only(Encoding::IBM1112, Kind::Ebcdic, -2.5, &["et", "lt", "lv"]),
    only(Encoding::IBM1122, Kind::Ebcdic, -2.5, &["et"]),
    only(Encoding::IBM1123, Kind::Ebcdic, -2.5, &["uk"]),
    any(Encoding::IBM1140, Kind::Ebcdic, -2.5),
    only(Encoding::SHIFT_JIS, Kind::Multi, -0.5, &["ja"]),
    only(Encoding::EUC_JP, Kind::Multi, -0.5, &["ja"]),
    only(Encoding::GB18030, Kind::Multi, -0.5, CHINESE),
    only(Encoding::BIG5, Kind::Multi, -0.5, CHINESE),
    only(Encoding::BIG5_HKSCS, Kind::Multi, -3.0, CHINESE),
    only(Encoding::EUC_TW, Kind::Multi, -5.0, CHINESE),
    only(Encoding::EUC_KR, Kind::Multi, -0.5, &["ko"]),
    only(Encoding::JOHAB, Kind::Multi, -5.0, &["ko"]),
    only(Encoding::UTF_16LE, Kind::Multi, -6.0, EAST_ASIAN),
    only(Encoding::UTF_16BE, Kind::Multi, -6.0, EAST_ASIAN),
];
