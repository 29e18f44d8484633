//! The names by which each convention calls an encoding.

use super::Convention;
use crate::ebcdic::{is_same_page, without_option};
use crate::families::{self, is_wide, of_both_orders};
use placemat::{Encoding, label, web};

/// The names of an encoding where programs do not take those of IANA: for Python, Emacs, Vim, inputenc and gettext. An empty
/// name means that there is none.
struct Row(Encoding, &'static str, &'static str, &'static str, &'static str, &'static str);

const ROWS: [Row; 58] = [
    Row(Encoding::UTF_8, "utf-8", "utf-8", "utf-8", "utf8", "UTF-8"),
    Row(Encoding::US_ASCII, "ascii", "us-ascii", "ascii", "ascii", "ASCII"),
    Row(Encoding::ISO_8859_1, "iso-8859-1", "iso-8859-1", "latin1", "latin1", "ISO-8859-1"),
    Row(Encoding::ISO_8859_2, "iso-8859-2", "iso-8859-2", "iso-8859-2", "latin2", "ISO-8859-2"),
    Row(Encoding::ISO_8859_3, "iso-8859-3", "iso-8859-3", "iso-8859-3", "latin3", "ISO-8859-3"),
    Row(Encoding::ISO_8859_4, "iso-8859-4", "iso-8859-4", "iso-8859-4", "latin4", "ISO-8859-4"),
    Row(Encoding::ISO_8859_5, "iso-8859-5", "iso-8859-5", "iso-8859-5", "", "ISO-8859-5"),
    Row(Encoding::ISO_8859_6, "iso-8859-6", "iso-8859-6", "iso-8859-6", "", "ISO-8859-6"),
    Row(Encoding::ISO_8859_7, "iso-8859-7", "iso-8859-7", "iso-8859-7", "", "ISO-8859-7"),
    Row(Encoding::ISO_8859_8, "iso-8859-8", "iso-8859-8", "iso-8859-8", "", "ISO-8859-8"),
    Row(Encoding::X_ISO_8859_9, "iso-8859-9", "iso-8859-9", "iso-8859-9", "latin5", "ISO-8859-9"),
    Row(Encoding::ISO_8859_10, "iso-8859-10", "iso-8859-10", "iso-8859-10", "", ""),
    Row(Encoding::ISO_8859_13, "iso-8859-13", "iso-8859-13", "iso-8859-13", "", "ISO-8859-13"),
    Row(Encoding::ISO_8859_14, "iso-8859-14", "iso-8859-14", "iso-8859-14", "", "ISO-8859-14"),
    Row(Encoding::ISO_8859_15, "iso-8859-15", "iso-8859-15", "iso-8859-15", "latin9", "ISO-8859-15"),
    Row(Encoding::ISO_8859_16, "iso-8859-16", "iso-8859-16", "iso-8859-16", "latin10", ""),
    Row(Encoding::WINDOWS_1250, "cp1250", "windows-1250", "cp1250", "cp1250", "CP1250"),
    Row(Encoding::WINDOWS_1251, "cp1251", "windows-1251", "cp1251", "cp1251", "CP1251"),
    Row(Encoding::WINDOWS_1252, "cp1252", "windows-1252", "cp1252", "cp1252", "CP1252"),
    Row(Encoding::WINDOWS_1253, "cp1253", "windows-1253", "cp1253", "", "CP1253"),
    Row(Encoding::WINDOWS_1254, "cp1254", "windows-1254", "cp1254", "", "CP1254"),
    Row(Encoding::WINDOWS_1255, "cp1255", "windows-1255", "cp1255", "", "CP1255"),
    Row(Encoding::WINDOWS_1256, "cp1256", "windows-1256", "cp1256", "", "CP1256"),
    Row(Encoding::WINDOWS_1257, "cp1257", "windows-1257", "cp1257", "cp1257", "CP1257"),
    Row(Encoding::WINDOWS_1258, "cp1258", "windows-1258", "cp1258", "", ""),
    Row(Encoding::WINDOWS_874, "cp874", "tis-620", "cp874", "", "CP874"),
    Row(Encoding::KOI8_R, "koi8-r", "koi8-r", "koi8-r", "koi8-r", "KOI8-R"),
    Row(Encoding::KOI8_U, "koi8-u", "koi8-u", "koi8-u", "koi8-u", "KOI8-U"),
    Row(Encoding::IBM866, "cp866", "cp866", "cp866", "cp866", "CP866"),
    Row(Encoding::IBM437, "cp437", "cp437", "cp437", "cp437", ""),
    Row(Encoding::IBM737, "cp737", "cp737", "cp737", "", ""),
    Row(Encoding::IBM775, "cp775", "cp775", "cp775", "", ""),
    Row(Encoding::IBM850, "cp850", "cp850", "cp850", "cp850", "CP850"),
    Row(Encoding::IBM852, "cp852", "cp852", "cp852", "cp852", ""),
    Row(Encoding::IBM855, "cp855", "cp855", "cp855", "cp855", ""),
    Row(Encoding::IBM857, "cp857", "cp857", "cp857", "", ""),
    Row(Encoding::IBM858, "cp858", "cp858", "cp858", "cp858", ""),
    Row(Encoding::IBM860, "cp860", "cp860", "cp860", "", ""),
    Row(Encoding::IBM861, "cp861", "cp861", "cp861", "", ""),
    Row(Encoding::IBM862, "cp862", "cp862", "cp862", "", ""),
    Row(Encoding::IBM863, "cp863", "cp863", "cp863", "", ""),
    Row(Encoding::IBM865, "cp865", "cp865", "cp865", "cp865", ""),
    Row(Encoding::IBM869, "cp869", "cp869", "cp869", "", ""),
    Row(Encoding::IBM1125, "cp1125", "cp1125", "cp1125", "", ""),
    Row(Encoding::MACINTOSH, "mac-roman", "mac-roman", "macroman", "applemac", ""),
    Row(Encoding::X_MAC_CYRILLIC, "mac-cyrillic", "", "x-mac-cyrillic", "maccyr", ""),
    Row(Encoding::X_MAC_CENTRALEUROPE, "mac-latin2", "", "macce", "macce", ""),
    Row(Encoding::PT154, "ptcp154", "pt154", "pt154", "pt154", ""),
    Row(Encoding::HP_ROMAN8, "hp-roman8", "hp-roman8", "hp-roman8", "", ""),
    Row(Encoding::GBK, "gbk", "gbk", "cp936", "", "GBK"),
    Row(Encoding::GB18030, "gb18030", "gb18030", "gb18030", "", "GB18030"),
    Row(Encoding::BIG5, "big5", "big5", "big5", "", "BIG5"),
    Row(Encoding::BIG5_HKSCS, "big5hkscs", "big5-hkscs", "big5-hkscs", "", "BIG5-HKSCS"),
    Row(Encoding::EUC_JP, "euc-jp", "euc-jp", "euc-jp", "", "EUC-JP"),
    Row(Encoding::SHIFT_JIS, "cp932", "cp932", "cp932", "", "CP932"),
    Row(Encoding::EUC_KR, "cp949", "euc-kr", "cp949", "", "CP949"),
    Row(Encoding::JOHAB, "johab", "", "johab", "", "JOHAB"),
    Row(Encoding::VISCII, "", "viscii", "viscii", "viscii", "VISCII"),
];

/// Returns the name of an encoding by a convention; `None` if the format has none. `is_signed`: the text begins with a
/// signature. The new name keeps the end of lines that a name of Emacs, the `old` one, tells.
pub(crate) fn name(convention: Convention, to: Encoding, is_signed: bool, old: &str) -> Option<String> {
    let to = if families::UTF_8.contains(&to) { Encoding::UTF_8 } else { without_option(to) };
    let row = ROWS.iter().find(|row| row.0 == to);
    let listed =
        |of: fn(&Row) -> &'static str| row.map(of).filter(|name| !name.is_empty()).map(str::to_owned);
    let by_iana = || (!is_wide(to) && reads_ascii(to)).then(|| iana(to).to_owned());
    match convention {
        Convention::Xml => Some(match of_both_orders(to) {
            Some(both) if is_signed => both.name().to_owned(),
            _ => iana(to).to_owned(),
        }),
        Convention::Html | Convention::Css => of_the_web(to).map(|web| web.name().to_ascii_lowercase()),
        Convention::Emacs | Convention::Local => {
            let base = match of_both_orders(to) {
                Some(both) if both == Encoding::UTF_16 && (is_signed || to == both) => "utf-16".to_owned(),
                Some(_) if families::UTF_16_ORDERS.contains(&to) => to.name().to_ascii_lowercase(),
                _ => listed(|row| row.2)?,
            };
            let end =
                ["-unix", "-dos", "-mac"].into_iter().find(|end| old.to_ascii_lowercase().ends_with(end));
            Some(base + end.unwrap_or_default())
        }
        Convention::Cookie => listed(|row| row.1),
        // Vim takes utf-16 for the other byte order.
        Convention::Vim if [Encoding::UTF_16, Encoding::UTF_16LE].contains(&to) => {
            Some("utf-16le".to_owned())
        }
        Convention::Vim if to == Encoding::UTF_16BE => Some("utf-16".to_owned()),
        Convention::Vim => listed(|row| row.3),
        Convention::VimScript => listed(|row| row.3),
        Convention::Latex => listed(|row| row.4),
        Convention::ContentType => listed(|row| row.5).or_else(by_iana),
        Convention::Spelling => {
            let name = by_iana()?;
            let number = name.strip_prefix("windows-").map(|number| format!("microsoft-cp{number}"));
            Some(number.unwrap_or_else(|| name.replacen("ISO-8859", "ISO8859", 1)))
        }
        Convention::Pod | Convention::TexEditor => by_iana(),
        Convention::PerlEncoding => by_iana().map(|name| name.to_ascii_lowercase()),
        Convention::PerlUtf8 | Convention::Hyphenation | Convention::Assigned => None,
    }
}

/// Returns the encoding that browsers take for the name of an encoding.
fn of_the_web(to: Encoding) -> Option<Encoding> {
    let name = to.name();
    web::for_label(name.strip_prefix("x-").filter(|name| name.starts_with("ISO")).unwrap_or(name))
        .filter(|web| *web == to || !is_wide(*web) && reads_ascii(to) && reads_alike(*web, to))
}

/// Returns `true` if an encoding reads the printable bytes of ASCII as ASCII, at the start of a text.
fn reads_ascii(encoding: Encoding) -> bool {
    let printable: Vec<u8> = (b' '..=b'}').collect();
    encoding.decode(&printable, placemat::ErrorPolicy::Stop).is_ok_and(|text| text.as_bytes() == printable)
}

/// Returns `true` if two encodings of single bytes agree on letters, or if either has several bytes and one name on the web.
fn reads_alike(web: Encoding, to: Encoding) -> bool {
    if web.max_bytes() > 1 || to.max_bytes() > 1 {
        return web.max_bytes() > 1 && to.max_bytes() > 1;
    }
    // The controls 80..9F are letters on the web.
    (0xA0..=0xFF_u8).all(|byte| {
        let read = |encoding: Encoding| {
            let policy = placemat::ErrorPolicy::Stop;
            encoding.decode(&[byte], policy).ok().map(std::borrow::Cow::into_owned)
        };
        read(to).is_none_or(|text| read(web) == Some(text))
    })
}

/// Returns `true` if a declared encoding reads every text of `to` as it is meant.
pub(crate) fn names_encoding(convention: Convention, declared: Encoding, to: Encoding) -> bool {
    let is_utf8 = |encoding| families::UTF_8.contains(&encoding);
    is_same_page(declared, to)
        || is_utf8(declared) && is_utf8(to)
        || to == Encoding::US_ASCII && declared.is_ascii_compatible()
        || is_wide(to) && (of_both_orders(to) == Some(declared) || of_both_orders(declared) == Some(to))
        || matches!(convention, Convention::Html | Convention::Css) && of_the_web(to) == Some(declared)
        || name(convention, to, false, "").is_some_and(|name| convention.meaning(&name) == Some(declared))
}

/// Returns the name that the registry of IANA prefers for an encoding, or its usual name.
fn iana(encoding: Encoding) -> &'static str {
    label::iana_name(encoding.name()).unwrap_or_else(|| encoding.name())
}
