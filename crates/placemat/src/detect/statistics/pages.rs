//! The legacy encodings that the statistics tell apart.

use crate::forms::encoding::Encoding;

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
    /// The languages that it was made for, where no other would be written in it; empty for all that it can hold.
    pub(super) languages: &'static [&'static str],
}

const fn page(encoding: Encoding, kind: Kind, prior: f32, languages: &'static [&'static str]) -> Page {
    Page { encoding, kind, prior, languages }
}

const RUSSIAN: &[&str] = &["ru", "bg", "be"];
const SOUTH_SLAVIC: &[&str] = &["hr", "sl", "bs", "sr-Latn"];
const SCANDINAVIAN: &[&str] = &["da", "nb", "nn"];
const TURKISH: &[&str] = &["tr", "kmr", "az"];
const CYRILLIC: &[&str] = &["ru", "bg", "be", "mk", "sr"];
const CELTIC: &[&str] = &["cy", "ga", "gd", "br"];
const BALTIC: &[&str] = &["lt", "lv", "et"];
const ROMANCE: &[&str] = &["es", "ca", "gl"];
const CHINESE: &[&str] = &["zh-CN", "zh-TW"];
const EAST_ASIAN: &[&str] = &["zh-CN", "zh-TW", "ja", "ko"];

/// All of them.
pub(super) static PAGES: &[Page] = &[
    page(Encoding::WINDOWS_1252, Kind::Ascii, 0.0, &[]),
    page(Encoding::WINDOWS_1250, Kind::Ascii, -0.5, &[]),
    page(Encoding::WINDOWS_1251, Kind::Ascii, -0.5, &[]),
    page(Encoding::WINDOWS_1253, Kind::Ascii, -0.5, &[]),
    page(Encoding::WINDOWS_1254, Kind::Ascii, -0.5, TURKISH),
    page(Encoding::WINDOWS_1255, Kind::Ascii, -0.5, &[]),
    page(Encoding::WINDOWS_1256, Kind::Ascii, -0.5, &[]),
    page(Encoding::WINDOWS_1257, Kind::Ascii, -0.5, &[]),
    page(Encoding::WINDOWS_1258, Kind::Ascii, -1.5, &["vi"]),
    page(Encoding::WINDOWS_874, Kind::Ascii, -0.5, &[]),
    page(Encoding::ISO_8859_1, Kind::Ascii, -1.2, &[]),
    page(Encoding::ISO_8859_2, Kind::Ascii, -1.5, &[]),
    page(Encoding::ISO_8859_3, Kind::Ascii, -3.0, &[]),
    page(Encoding::ISO_8859_4, Kind::Ascii, -3.0, &[]),
    page(Encoding::ISO_8859_5, Kind::Ascii, -1.5, &[]),
    page(Encoding::ISO_8859_6, Kind::Ascii, -1.5, &[]),
    page(Encoding::ISO_8859_7, Kind::Ascii, -1.5, &[]),
    page(Encoding::ISO_8859_8, Kind::Ascii, -1.5, &[]),
    page(Encoding::X_ISO_8859_9, Kind::Ascii, -1.5, TURKISH),
    page(Encoding::ISO_8859_10, Kind::Ascii, -5.0, &[]),
    page(Encoding::X_ISO_8859_11, Kind::Ascii, -3.0, &[]),
    page(Encoding::ISO_8859_13, Kind::Ascii, -3.0, &[]),
    page(Encoding::ISO_8859_14, Kind::Ascii, -5.0, CELTIC),
    page(Encoding::ISO_8859_15, Kind::Ascii, -1.5, &[]),
    page(Encoding::ISO_8859_16, Kind::Ascii, -3.0, &[]),
    page(Encoding::KOI8_R, Kind::Ascii, -1.5, RUSSIAN),
    page(Encoding::X_KOI8_U, Kind::Ascii, -1.5, &["uk", "ru", "be"]),
    page(Encoding::X_KOI8_RU, Kind::Ascii, -5.0, &["uk", "ru", "be"]),
    page(Encoding::KOI8_T, Kind::Ascii, -4.0, &["tg"]),
    page(Encoding::IBM866, Kind::Ascii, -1.5, &[]),
    page(Encoding::MACINTOSH, Kind::Ascii, -3.0, &[]),
    page(Encoding::X_MAC_CYRILLIC, Kind::Ascii, -3.0, &[]),
    page(Encoding::X_MAC_CENTRALEUROPE, Kind::Ascii, -4.0, &[]),
    page(Encoding::X_MAC_CROATIAN, Kind::Ascii, -4.0, SOUTH_SLAVIC),
    page(Encoding::X_MAC_ROMANIA, Kind::Ascii, -4.0, &["ro"]),
    page(Encoding::X_MAC_GREEK, Kind::Ascii, -4.0, &[]),
    page(Encoding::X_MAC_TURKISH, Kind::Ascii, -4.0, TURKISH),
    page(Encoding::X_MAC_ICELAND, Kind::Ascii, -4.0, &["is"]),
    page(Encoding::IBM437, Kind::Ascii, -3.0, &[]),
    page(Encoding::IBM720, Kind::Ascii, -3.0, &[]),
    page(Encoding::IBM737, Kind::Ascii, -3.0, &[]),
    page(Encoding::IBM775, Kind::Ascii, -3.0, &[]),
    page(Encoding::IBM850, Kind::Ascii, -3.0, &[]),
    page(Encoding::IBM852, Kind::Ascii, -3.0, &[]),
    page(Encoding::IBM855, Kind::Ascii, -3.0, &[]),
    page(Encoding::IBM857, Kind::Ascii, -3.0, TURKISH),
    page(Encoding::IBM858, Kind::Ascii, -3.0, &[]),
    page(Encoding::IBM860, Kind::Ascii, -4.5, &["pt"]),
    page(Encoding::IBM861, Kind::Ascii, -4.5, &["is"]),
    page(Encoding::IBM862, Kind::Ascii, -3.0, &[]),
    page(Encoding::IBM863, Kind::Ascii, -4.5, &["fr"]),
    page(Encoding::IBM864, Kind::Ascii, -4.5, &[]),
    page(Encoding::IBM865, Kind::Ascii, -4.5, SCANDINAVIAN),
    page(Encoding::IBM869, Kind::Ascii, -3.0, &[]),
    page(Encoding::IBM1125, Kind::Ascii, -5.0, &["uk", "be"]),
    page(Encoding::RK1048, Kind::Ascii, -4.0, &["kk", "ky"]),
    page(Encoding::PT154, Kind::Ascii, -4.0, &["kk", "ky"]),
    page(Encoding::HP_ROMAN8, Kind::Ascii, -4.0, &[]),
    page(Encoding::VISCII, Kind::Ascii, -4.0, &["vi"]),
    page(Encoding::TCVN5712_1, Kind::Ascii, -4.0, &["vi"]),
    page(Encoding::ARMSCII_8, Kind::Ascii, -4.0, &[]),
    page(Encoding::GEORGIAN_PS, Kind::Ascii, -4.0, &[]),
    page(Encoding::GEORGIAN_ACADEMY, Kind::Ascii, -4.0, &[]),
    page(Encoding::IBM037, Kind::Ebcdic, -4.0, &[]),
    page(Encoding::IBM273, Kind::Ebcdic, -4.5, &["de"]),
    page(Encoding::IBM277, Kind::Ebcdic, -4.5, SCANDINAVIAN),
    page(Encoding::IBM278, Kind::Ebcdic, -4.5, &["sv", "fi"]),
    page(Encoding::IBM280, Kind::Ebcdic, -4.5, &["it"]),
    page(Encoding::IBM284, Kind::Ebcdic, -4.5, ROMANCE),
    page(Encoding::IBM285, Kind::Ebcdic, -6.0, &["en"]),
    page(Encoding::IBM297, Kind::Ebcdic, -4.5, &["fr"]),
    page(Encoding::IBM420, Kind::Ebcdic, -4.5, &[]),
    page(Encoding::IBM424, Kind::Ebcdic, -4.5, &[]),
    page(Encoding::IBM500, Kind::Ebcdic, -4.0, &[]),
    page(Encoding::IBM838, Kind::Ebcdic, -4.5, &[]),
    page(Encoding::IBM870, Kind::Ebcdic, -4.5, &[]),
    page(Encoding::IBM871, Kind::Ebcdic, -4.5, &["is"]),
    page(Encoding::IBM875, Kind::Ebcdic, -4.5, &[]),
    page(Encoding::IBM880, Kind::Ebcdic, -4.5, CYRILLIC),
    page(Encoding::IBM1025, Kind::Ebcdic, -5.0, CYRILLIC),
    page(Encoding::IBM1026, Kind::Ebcdic, -5.0, TURKISH),
    page(Encoding::IBM1047, Kind::Ebcdic, -5.0, &[]),
    page(Encoding::IBM1112, Kind::Ebcdic, -5.0, BALTIC),
    page(Encoding::IBM1122, Kind::Ebcdic, -5.0, &["et"]),
    page(Encoding::IBM1123, Kind::Ebcdic, -5.0, &["uk"]),
    page(Encoding::IBM1140, Kind::Ebcdic, -5.0, &[]),
    page(Encoding::SHIFT_JIS, Kind::Multi, -0.5, &["ja"]),
    page(Encoding::EUC_JP, Kind::Multi, -0.5, &["ja"]),
    page(Encoding::GB18030, Kind::Multi, -0.5, CHINESE),
    page(Encoding::BIG5, Kind::Multi, -0.5, CHINESE),
    page(Encoding::BIG5_HKSCS, Kind::Multi, -3.0, CHINESE),
    page(Encoding::EUC_TW, Kind::Multi, -3.0, CHINESE),
    page(Encoding::EUC_KR, Kind::Multi, -0.5, &["ko"]),
    page(Encoding::JOHAB, Kind::Multi, -3.0, &["ko"]),
    page(Encoding::UTF_16LE, Kind::Multi, -6.0, EAST_ASIAN),
    page(Encoding::UTF_16BE, Kind::Multi, -6.0, EAST_ASIAN),
];
