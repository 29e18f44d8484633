//! Names of encodings that people type and that no registry has: those of databases, editors and systems, of Windows' code
//! pages, and words that mean several encodings.
//!
//! Only the options of the command know these names: a label in a file, or a name given to `iconv`, never has them.

use placemat::Encoding;
use placemat::label::{Meaning, Vendor};

/// The meaning of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Typed {
    /// One encoding, or UTF-8 with something besides.
    One(Meaning),
    /// The name means several: what it is, and the likely ones.
    Several(&'static str),
}

/// Returns the meaning of a name that is no label.
pub(super) fn typed(name: &str) -> Option<Typed> {
    let name = name.trim();
    let plain = folded(name);
    let in_table =
        |(names, label): &&(&[&str], &'static str)| names.contains(&plain.as_str()) && !label.is_empty();
    if let Some((_, label)) = NAMES.iter().find(in_table) {
        return Meaning::of(label).ok().map(Typed::One);
    }
    if let Some((_, about)) = SEVERAL.iter().find(in_table) {
        return Some(Typed::Several(about));
    }
    let one = |encoding: Encoding| Typed::One(encoding.into());
    let found = of_vendor(name)
        .or_else(|| of_number(name))
        .or_else(|| of_collation(name))
        .or_else(|| in_parentheses(name))
        .or_else(|| without_suffix(name));
    found.map(one).or_else(|| of_locale(name))
}

/// Letters and digits, lower case.
fn folded(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

fn label(label: &str) -> Option<Encoding> {
    Encoding::for_label(label)
}

/// Names, folded, and the label of the encoding.
const NAMES: &[(&[&str], &str)] = &[
    (&["sjiswin", "cp932win", "mskanji", "shiftjiscp932", "shiftjismicrosoft"], "shift_jis"),
    (&["eucjpwin", "eucjpms", "eucjpopen", "japaneseeuc"], "euc-jp"),
    (&["jis", "jiswin", "iso2022jpms", "cp50220", "cp50221", "cp50222"], "iso-2022-jp"),
    (
        &[
            "utf16lebom",
            "utf16bom",
            "utf16withbom",
            "utf16lewithbom",
            "utf16littleendian",
            "ucs2lebom",
            "ucs2littleendian",
        ],
        "utf-16",
    ),
    (&["bigendianunicode", "unicodebigendian", "utf16bigendian", "unicodebe"], "utf-16be"),
    (&["unicodelittleendian", "unicodele", "unicodeutf16"], "utf-16le"),
    (&["bigendianutf32"], "utf-32be"),
    (
        &["utf8withbom", "utf8bom", "utf8sig", "utf8signature", "utf8withsignature", "utf8cookie", "csvutf8"],
        "utf-8-bom",
    ),
    (&["utf8withoutbom", "utf8nobom", "utf8withoutsignature", "utf8wobom"], "utf-8-nobom"),
    (&["utf8mb4", "muleutf8", "utf8emacs", "utf8unix"], "utf-8"),
    (&["isolatin1", "latiniso1", "westernisolatin1", "westerneuropeaniso"], "iso-8859-1"),
    (&["macosroman", "westernmacosroman", "macroman", "applemacroman"], "macintosh"),
    (
        &["windowslatin1", "winlatin1", "westernwindowslatin1", "ansilatin1", "ansi1252", "windowsansi"],
        "windows-1252",
    ),
    (&["doslatin1", "westerndoslatin1", "pc850", "pc850multilingual"], "ibm850"),
    (&["doslatinus", "pc8", "dosus", "oemus", "oem437", "extendedascii437"], "ibm437"),
    (&["doslatin2", "dosslavic"], "ibm852"),
    (&["doscyrillic", "dosrussian", "oem866", "altdos"], "ibm866"),
    (&["simplifiedchinese", "chinesesimplified", "gb", "guobiao"], "gbk"),
    (&["traditionalchinese", "chinesetraditional"], "big5"),
    (&["wansung", "ks", "ksc"], "euc-kr"),
    (&["ebcdicus", "ebcdicuscanada", "ebcdiccpus"], "ibm037"),
    (&["ebcdicinternational", "ebcdicmultilingual"], "ibm500"),
    (&["ebcdicopensystems", "ebcdiczos", "zosunix"], "ibm1047"),
    (&["ebcdicgermany"], "ibm273"),
];

/// Names, folded, that mean several encodings, each with what it is and what to write.
const SEVERAL: &[(&[&str], &str)] = &[
    (
        &["ansi", "mbcs", "windows", "acp", "default", "systemdefault", "windowsdefault", "ansicodepage"],
        "the code page that Windows has in its country: likely windows-1252 (western Europe, America), windows-1251 \
         (Cyrillic) or windows-1250 (central Europe); `-f auto` detects it",
    ),
    (
        &["oem", "dos", "msdos", "oemcp", "console", "pc", "dosoem"],
        "the code page that the console of DOS and Windows has in its country: likely ibm850 (western Europe), ibm437 \
         (United States) or ibm866 (Cyrillic); `-f auto` detects it",
    ),
    (
        &["extendedascii", "asciiextended", "8bitascii", "ascii8bit", "highascii", "8bit"],
        "every encoding that has ASCII in its lower half: likely windows-1252, iso-8859-1 or ibm437; `-f auto` detects it",
    ),
    (
        &["ebcdic"],
        "a family with a code page for each country: likely ibm037 (United States), ibm1047 (z/OS Unix) or ibm500 \
         (international); `placemat encodings --search ebcdic` lists them",
    ),
    (
        &["mac", "macos", "classicmac"],
        "one encoding for each script of classic Mac OS: likely macintosh (western), x-mac-ce (central Europe) or \
         x-mac-cyrillic; `placemat encodings --search mac` lists them",
    ),
    (
        &["binary", "none", "raw", "byte", "bytes", "sqlascii"],
        "bytes without an encoding: the text is in the encoding of the program that wrote it, likely utf-8, windows-1252 or \
         iso-8859-1; `-f auto` detects it",
    ),
    (
        &["muleinternal", "emacsmule"],
        "the internal form of old Emacs, which only Emacs reads: convert it there, likely to utf-8, iso-2022-jp or euc-jp",
    ),
    (
        &["japanese", "japaneseautodetect", "jisautodetect", "japaneseauto", "kanji"],
        "several encodings: likely shift_jis (Windows), euc-jp (Unix) or iso-2022-jp (mail); `-f auto` detects it",
    ),
    (
        &["chinese"],
        "several encodings: likely gb18030 or gbk (simplified characters) or big5 (traditional ones); `-f auto` detects it",
    ),
    (&["korean"], "several encodings: likely euc-kr, johab or iso-2022-kr; `-f auto` detects it"),
    (
        &["cyrillic", "russian"],
        "several encodings: likely windows-1251, koi8-r or ibm866; `-f auto` detects it",
    ),
    (
        &["western", "westerneuropean", "european", "latin"],
        "several encodings: likely windows-1252, iso-8859-1 or macintosh; `-f auto` detects it",
    ),
    (
        &["centraleuropean", "easteuropean", "easterneuropean"],
        "several encodings: likely windows-1250, iso-8859-2 or ibm852; `-f auto` detects it",
    ),
    (&["turkish"], "several encodings: likely windows-1254, x-iso-8859-9 or ibm857; `-f auto` detects it"),
    (&["baltic"], "several encodings: likely windows-1257, iso-8859-13 or ibm775; `-f auto` detects it"),
    (
        &["unicodeescape", "rawunicodeescape", "native2ascii", "javaescape"],
        "an escape and no encoding: use utf-8, iso-8859-1 or us-ascii for the file, and --unwrap properties or --unwrap \
         escapes for what is in it",
    ),
    (
        &["base64", "quotedprintable", "urlencoded", "percentencoding", "htmlentities"],
        "a transfer encoding: use --unwrap and --wrap for it, and -f for the text inside, likely utf-8, windows-1252 or \
         iso-8859-1",
    ),
    (
        &["ucsbom", "undecided", "detect", "guess", "automatic", "unknown"],
        "a request to detect the encoding: use `-f auto`; the likely ones are utf-8, utf-16 and windows-1252",
    ),
];

/// Returns the encoding that databases call so, if those that know the name agree.
fn of_vendor(name: &str) -> Option<Encoding> {
    // NLS_LANG: `AMERICAN_AMERICA.WE8MSWIN1252`.
    let name = name.rsplit_once('.').map_or(name, |(_, name)| name);
    let mut found =
        [Vendor::Oracle, Vendor::PostgreSql, Vendor::MySql].iter().filter_map(|vendor| vendor.encoding(name));
    let first = found.next()?;
    if found.all(|other| other == first) {
        return Some(first);
    }
    None
}

/// Names of Oracle that its guide has and [`Vendor`] has not are variants of these.
const ORACLE_VARIANTS: &[(&str, &str)] = &[
    ("ja16sjistilde", "shift_jis"),
    ("ja16euctilde", "euc-jp"),
    ("zhs16cgb231280", "gbk"),
    ("zht16mswin950", "big5"),
    ("th8tisascii", "tis-620"),
    ("we8macroman8s", "macintosh"),
    ("zht16hkscs31", "big5-hkscs"),
];

/// Returns the encoding of a number of a code page of Windows, or of a CCSID.
fn of_number(name: &str) -> Option<Encoding> {
    let plain = folded(name);
    if let Some((_, means)) = ORACLE_VARIANTS.iter().find(|(known, _)| *known == plain) {
        return label(means);
    }
    let is_ccsid = plain.starts_with("ccsid");
    let digits = ["codepage", "windowscodepage", "ccsid", "windows", "cp", "ibm", "page", "lcid"]
        .iter()
        .find_map(|prefix| plain.strip_prefix(prefix))
        .unwrap_or(&plain);
    let number: u32 = digits.parse().ok()?;
    let text;
    let means = match number {
        1200 if is_ccsid => "utf-16be",
        1200 => "utf-16le",
        1201 => "utf-16be",
        1202 if is_ccsid => "utf-16le",
        1208 => "utf-8",
        1232 | 12001 => "utf-32be",
        1234 | 12000 => "utf-32le",
        367 | 20127 => "us-ascii",
        813 => "iso-8859-7",
        819 => "iso-8859-1",
        912 => "iso-8859-2",
        915 => "iso-8859-5",
        916 => "iso-8859-8",
        920 | 28599 => "x-iso-8859-9",
        923 => "iso-8859-15",
        943 | 5039 => "ibm943",
        970 | 20949 | 51949 => "euc-kr",
        1089 => "iso-8859-6",
        1386 | 52936 if is_ccsid => "gbk",
        1392 | 5488 => "gb18030",
        5026 => "ibm930",
        5035 => "ibm939",
        5346..=5354 => {
            text = format!("windows-{}", number - 4096);
            &text
        }
        10000 => "macintosh",
        10001 => "shift_jis",
        10002 => "big5",
        10003 => "euc-kr",
        10004 => "x-mac-arabic",
        10005 => "x-mac-hebrew",
        10006 => "x-mac-greek",
        10007 => "x-mac-cyrillic",
        10008 => "gbk",
        10010 => "x-mac-romania",
        10017 => "x-mac-ukrainian",
        10021 => "x-mac-thai",
        10029 => "x-mac-ce",
        10079 => "x-mac-iceland",
        10081 => "x-mac-turkish",
        10082 => "x-mac-croatian",
        20932 | 51932 => "euc-jp",
        20866 => "koi8-r",
        21866 => "koi8-u",
        20936 | 51936 => "gbk",
        50220..=50222 => "iso-2022-jp",
        50225 => "iso-2022-kr",
        50227 => "iso-2022-cn",
        52936 => "hz-gb-2312",
        54936 => "gb18030",
        65000 => "utf-7",
        65001 => "utf-8",
        38598 => "iso-8859-8-i",
        20000 => "euc-tw",
        // EBCDIC of one country, and the parts of ISO 8859.
        20273 | 20277 | 20278 | 20280 | 20284 | 20285 | 20290 | 20297 | 20420 | 20423 | 20424 | 20833
        | 20838 | 20871 | 20880 | 20905 => {
            text = format!("ibm{}", number - 20000);
            &text
        }
        20924 | 21025 => {
            text = format!("ibm{:03}", number - 20000);
            &text
        }
        28591..=28606 => {
            text = format!("iso-8859-{}", number - 28590);
            &text
        }
        _ => return None,
    };
    label(means)
}

/// Returns the encoding of the text with a collation of `MySQL` or SQL Server.
fn of_collation(name: &str) -> Option<Encoding> {
    let lower = name.to_ascii_lowercase();
    let is_mysql = ["_ci", "_cs", "_bin", "_ai", "_as"].iter().any(|end| lower.ends_with(end));
    let (first, rest) = lower.split_once('_')?;
    if !is_mysql && !lower.ends_with("_utf8") && !lower.contains("_bin2") && !lower.ends_with("_sc") {
        return None;
    }
    if lower.ends_with("_utf8") {
        return Some(Encoding::UTF_8);
    }
    if let Some(encoding) = Vendor::MySql.encoding(first) {
        return Some(encoding);
    }
    // `SQL_Latin1_General_CP1_CI_AS`: a number names the code page, and 1 is short for 1252.
    let number = rest.split('_').find_map(|part| part.strip_prefix("cp")?.parse::<u32>().ok());
    match number {
        Some(1) => return label("windows-1252"),
        Some(number) => return label(&format!("cp{number}")),
        None => {}
    }
    let starts = |known: &&(&str, &str)| lower.starts_with(known.0);
    COLLATIONS.iter().find(starts).and_then(|(_, means)| label(means))
}

/// How collations of Windows begin, and their code pages.
const COLLATIONS: &[(&str, &str)] = &[
    ("japanese", "shift_jis"),
    ("korean", "euc-kr"),
    ("chinese_taiwan", "big5"),
    ("chinese_traditional", "big5"),
    ("chinese_hong_kong", "big5"),
    ("chinese", "gbk"),
    ("thai", "windows-874"),
    ("cyrillic", "windows-1251"),
    ("ukrainian", "windows-1251"),
    ("macedonian", "windows-1251"),
    ("bashkir", "windows-1251"),
    ("tatar", "windows-1251"),
    ("kazakh", "windows-1251"),
    ("serbian_cyrillic", "windows-1251"),
    ("bosnian_cyrillic", "windows-1251"),
    ("albanian", "windows-1250"),
    ("croatian", "windows-1250"),
    ("czech", "windows-1250"),
    ("hungarian", "windows-1250"),
    ("polish", "windows-1250"),
    ("romanian", "windows-1250"),
    ("slovak", "windows-1250"),
    ("slovenian", "windows-1250"),
    ("serbian_latin", "windows-1250"),
    ("greek", "windows-1253"),
    ("turkish", "windows-1254"),
    ("azeri_latin", "windows-1254"),
    ("hebrew", "windows-1255"),
    ("arabic", "windows-1256"),
    ("persian", "windows-1256"),
    ("urdu", "windows-1256"),
    ("estonian", "windows-1257"),
    ("latvian", "windows-1257"),
    ("lithuanian", "windows-1257"),
    ("vietnamese", "windows-1258"),
    ("latin1_general", "windows-1252"),
    ("sql_latin1", "windows-1252"),
    ("danish", "windows-1252"),
    ("finnish", "windows-1252"),
    ("french", "windows-1252"),
    ("german", "windows-1252"),
    ("icelandic", "windows-1252"),
    ("modern_spanish", "windows-1252"),
    ("norwegian", "windows-1252"),
    ("traditional_spanish", "windows-1252"),
    ("swedish", "windows-1252"),
];

/// Regions as menus name them, and the encodings of Windows, ISO, DOS and Mac OS.
const REGIONS: &[(&str, [&str; 4])] = &[
    ("western", ["windows-1252", "iso-8859-1", "ibm850", "macintosh"]),
    ("westerneuropean", ["windows-1252", "iso-8859-1", "ibm850", "macintosh"]),
    ("centraleuropean", ["windows-1250", "iso-8859-2", "ibm852", "x-mac-ce"]),
    ("easteuropean", ["windows-1250", "iso-8859-2", "ibm852", "x-mac-ce"]),
    ("cyrillic", ["windows-1251", "iso-8859-5", "ibm866", "x-mac-cyrillic"]),
    ("greek", ["windows-1253", "iso-8859-7", "ibm737", "x-mac-greek"]),
    ("turkish", ["windows-1254", "x-iso-8859-9", "ibm857", "x-mac-turkish"]),
    ("hebrew", ["windows-1255", "iso-8859-8", "ibm862", "x-mac-hebrew"]),
    ("arabic", ["windows-1256", "iso-8859-6", "ibm864", "x-mac-arabic"]),
    ("baltic", ["windows-1257", "iso-8859-13", "ibm775", ""]),
    ("vietnamese", ["windows-1258", "", "", ""]),
    ("thai", ["windows-874", "iso-8859-11", "", "x-mac-thai"]),
    ("japanese", ["shift_jis", "iso-2022-jp", "shift_jis", ""]),
    ("korean", ["euc-kr", "iso-2022-kr", "euc-kr", ""]),
    ("chinesesimplified", ["gbk", "", "gbk", ""]),
    ("chinesetraditional", ["big5", "", "big5", ""]),
];

/// Returns the encoding of a name in a menu: `Cyrillic (KOI8-R)`, `Unicode (UTF-8)`, `Greek (DOS)`.
fn in_parentheses(name: &str) -> Option<Encoding> {
    let (outer, inner) = name.strip_suffix(')')?.split_once('(')?;
    let (outer, inner) = (outer.trim(), inner.trim());
    if let Some(encoding) = label(inner) {
        return Some(encoding);
    }
    let region = folded(outer);
    let system = match folded(inner).as_str() {
        "windows" | "ansi" => 0,
        "iso" => 1,
        "dos" | "oem" | "msdos" => 2,
        "mac" | "macos" | "macintosh" => 3,
        inner => {
            let known = |(names, _): &&(&[&str], &str)| names.contains(&inner);
            let found = NAMES.iter().find(known).and_then(|(_, means)| label(means));
            return found.or_else(|| label(outer));
        }
    };
    let (_, encodings) = REGIONS.iter().find(|(known, _)| *known == region)?;
    label(encodings[system])
}

/// Returns the encoding of a coding system of Emacs: `latin-1-unix`.
fn without_suffix(name: &str) -> Option<Encoding> {
    let ends = ["-unix", "-dos", "-mac", "-with-signature"];
    let bare = ends.iter().find_map(|end| name.strip_suffix(end))?;
    label(bare)
}

/// Languages of locales without a codeset, and the encodings that they had before UTF-8.
const LOCALES: &[(&[&str], &str)] = &[
    (&["ja"], "likely utf-8, and formerly euc-jp or shift_jis"),
    (&["ko"], "likely utf-8, and formerly euc-kr or johab"),
    (&["zh_tw", "zh_hk"], "likely utf-8, and formerly big5 or euc-tw"),
    (&["zh"], "likely utf-8, and formerly gbk or gb18030"),
    (&["ru", "bg", "be", "mk"], "likely utf-8, and formerly iso-8859-5 or koi8-r"),
    (&["uk"], "likely utf-8, and formerly koi8-u or windows-1251"),
    (
        &["pl", "cs", "sk", "hu", "hr", "sl", "ro", "bs", "sq"],
        "likely utf-8, and formerly iso-8859-2 or windows-1250",
    ),
    (&["el"], "likely utf-8, and formerly iso-8859-7 or windows-1253"),
    (&["tr"], "likely utf-8, and formerly x-iso-8859-9 or windows-1254"),
    (&["he", "iw"], "likely utf-8, and formerly iso-8859-8 or windows-1255"),
    (&["ar", "fa"], "likely utf-8, and formerly iso-8859-6 or windows-1256"),
    (&["th"], "likely utf-8, and formerly windows-874 or x-mac-thai"),
    (&["lt", "lv", "et"], "likely utf-8, and formerly iso-8859-13 or windows-1257"),
    (
        &[
            "de", "fr", "en", "es", "it", "nl", "pt", "sv", "da", "nb", "no", "fi", "is", "ca", "ga", "eu",
            "gl",
        ],
        "likely utf-8, and formerly iso-8859-1 or iso-8859-15",
    ),
];

/// Returns the meaning of a locale without a codeset.
fn of_locale(name: &str) -> Option<Typed> {
    let (locale, modifier) = name.split_once('@').unwrap_or((name, ""));
    let lower = locale.to_ascii_lowercase().replace('-', "_");
    let (language, territory) = lower.split_once('_')?;
    if territory.len() != 2 || !territory.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return None;
    }
    let (_, about) =
        LOCALES.iter().find(|(known, _)| known.contains(&lower.as_str()) || known.contains(&language))?;
    if modifier.eq_ignore_ascii_case("euro") {
        return label("iso-8859-15").map(|encoding| Typed::One(encoding.into()));
    }
    Some(Typed::Several(about))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(typed_name: &str) -> String {
        match typed(typed_name) {
            Some(Typed::One(meaning)) => meaning.encoding.name().to_ascii_lowercase(),
            Some(Typed::Several(about)) => format!("? {about}"),
            None => "none".into(),
        }
    }

    #[test]
    fn names_of_databases_editors_and_systems() {
        for (given, wanted) in [
            ("SJIS-win", "shift_jis"),
            ("eucJP-win", "euc-jp"),
            ("WE8MSWIN1252", "windows-1252"),
            ("we8iso8859p15", "iso-8859-15"),
            ("AMERICAN_AMERICA.CL8MSWIN1251", "windows-1251"),
            ("JA16SJISTILDE", "shift_jis"),
            ("ZHS16GBK", "gbk"),
            ("latin1_swedish_ci", "windows-1252"),
            ("utf8mb4_0900_ai_ci", "utf-8"),
            ("utf8mb4_bin", "utf-8"),
            ("hebrew_bin", "iso-8859-8"),
            ("ujis_japanese_ci", "euc-jp"),
            ("SQL_Latin1_General_CP1_CI_AS", "windows-1252"),
            ("SQL_Czech_CP1250_CS_AS", "windows-1250"),
            ("SQL_Latin1_General_CP437_BIN", "ibm437"),
            ("Japanese_XJIS_100_CI_AS_SC", "shift_jis"),
            ("Cyrillic_General_CI_AS", "windows-1251"),
            ("Latin1_General_100_CI_AS_SC_UTF8", "utf-8"),
            ("Chinese_Taiwan_Stroke_CI_AS", "big5"),
            ("Western (Mac OS Roman)", "macintosh"),
            ("Western (Windows Latin 1)", "windows-1252"),
            ("Windows-1252 (Western European)", "windows-1252"),
            ("Unicode (UTF-8)", "utf-8"),
            ("Cyrillic (KOI8-R)", "koi8-r"),
            ("Greek (DOS)", "ibm737"),
            ("Western European (Windows)", "windows-1252"),
            ("Central European (ISO)", "iso-8859-2"),
            ("Chinese Simplified (Windows)", "gbk"),
            ("UTF-16LE-BOM", "utf-16"),
            ("UTF-8 with BOM", "utf-8-bom"),
            ("bigEndianUnicode", "utf-16be"),
            ("DOS Latin 2", "ibm852"),
            ("28592", "iso-8859-2"),
            ("cp28605", "iso-8859-15"),
            ("1200", "utf-16le"),
            ("CCSID 1200", "utf-16be"),
            ("20866", "koi8-r"),
            ("20273", "ibm273"),
            ("5026", "ibm930"),
            ("10029", "x-mac-centraleurope"),
            ("latin-1-unix", "iso-8859-1"),
            ("utf-8-dos", "utf-8"),
            ("de_DE@euro", "iso-8859-15"),
        ] {
            assert_eq!(name(given), wanted, "{given}");
        }
    }

    #[test]
    fn names_of_several_encodings_name_three() {
        for given in [
            "ansi",
            "OEM",
            "ms-dos",
            "Extended ASCII",
            "EBCDIC",
            "mac",
            "binary",
            "japanese",
            "de_DE",
            "ja_JP",
            "zh_TW",
            "mbcs",
            "unicode_escape",
        ] {
            assert!(name(given).starts_with("? "), "{given}: {}", name(given));
        }
        for (names, about) in SEVERAL.iter().chain(LOCALES) {
            let words = about.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_'));
            let mut known: Vec<_> = words
                .filter(|word| {
                    word.contains(char::is_numeric)
                        || word.contains('-')
                        || *word == "gbk"
                        || *word == "johab"
                        || *word == "macintosh"
                        || word.contains("jis")
                })
                .filter_map(Encoding::for_label)
                .collect();
            known.dedup();
            assert!(known.len() >= 3, "{names:?}: {known:?}");
        }
    }

    #[test]
    fn all_tables_name_encodings_and_no_labels() {
        for (names, means) in NAMES {
            assert!(Meaning::of(means).is_ok(), "{means}");
            assert!(names.iter().all(|name| folded(name) == **name), "{names:?}");
        }
        assert!(COLLATIONS.iter().all(|(_, means)| label(means).is_some()));
        assert!(ORACLE_VARIANTS.iter().all(|(_, means)| label(means).is_some()));
        assert!(
            REGIONS
                .iter()
                .flat_map(|(_, names)| names)
                .all(|means| means.is_empty() || label(means).is_some())
        );
        for given in ["klingon", "", "()", "x_y", "notes_ci", "99999", "utf-9", "iso-8859-12", "a.b", "28602"]
        {
            assert_eq!(name(given), "none", "{given}");
        }
    }
}
