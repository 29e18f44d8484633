//! Labels within short texts that users have at hand: a `Content-Type`, the name of a locale.

use super::table;
use crate::encoding::Encoding;

/// Returns the value of the parameter `charset` of a `Content-Type` (RFC 9110 section 8.3). The first one counts, quotes
/// are removed, and the name is compared ignoring case.
///
/// ```
/// use placemat::{Encoding, label};
/// let label = label::of_content_type(r#"text/html; q=1;Charset="utf-8""#);
/// assert_eq!(label, Some("utf-8"));
/// assert_eq!(label::of_content_type("text/html"), None);
/// ```
#[must_use]
#[inline]
pub fn of_content_type(value: &str) -> Option<&str> {
    let mut rest = &value[value.find(';')?..];
    loop {
        // A parameter begins here, or the value ends.
        rest = rest.strip_prefix(';')?.trim_ascii_start();
        let (name, after) = rest.split_at(rest.find(['=', ';']).unwrap_or(rest.len()));
        let Some(after) = after.strip_prefix('=') else {
            rest = after;
            continue;
        };
        let (value, after) = match after.strip_prefix('"') {
            Some(quoted) => {
                let (value, after) = quoted.split_at(quoted.find('"').unwrap_or(quoted.len()));
                (value, &after[after.find(';').unwrap_or(after.len())..])
            }
            None => after.split_at(after.find(';').unwrap_or(after.len())),
        };
        if name.trim_ascii_end().eq_ignore_ascii_case("charset") {
            return Some(value.trim_ascii());
        }
        rest = after;
    }
}

/// Returns the codeset of a POSIX locale, `language[_territory][.codeset][@modifier]`; US-ASCII for `C` and `POSIX`.
///
/// ```
/// use placemat::{Encoding, label};
/// assert_eq!(label::of_locale("en_AU.UTF-8"), Some(Encoding::UTF_8));
/// assert_eq!(label::of_locale("ca_ES.ISO8859-1@euro"), Some(Encoding::ISO_8859_1));
/// assert_eq!(label::of_locale("en_AU"), None);
/// ```
#[must_use]
#[inline]
pub fn of_locale(locale: &str) -> Option<Encoding> {
    match codeset(locale) {
        Some((_, codeset)) => table::named(codeset),
        None if is_plain(without_modifier(locale)) => Some(Encoding::US_ASCII),
        None => None,
    }
}

/// Returns `true` for the locales without a language, in any case, as labels are.
fn is_plain(locale: &str) -> bool {
    locale.eq_ignore_ascii_case("C") || locale.eq_ignore_ascii_case("POSIX")
}

fn without_modifier(locale: &str) -> &str {
    locale.split('@').next().unwrap_or(locale)
}

/// Returns the parts of a locale before and after the dot, without the modifier.
fn codeset(locale: &str) -> Option<(&str, &str)> {
    without_modifier(locale).split_once('.')
}

/// Returns the label in a text that users give for one: the codeset of a locale, the charset of a `Content-Type`; any
/// other text itself, without white space around it.
///
/// ```
/// use placemat::label;
/// assert_eq!(label::bare("de_DE.ISO8859-15@euro"), "ISO8859-15");
/// assert_eq!(label::bare("Content-Type: text/html; charset=\"koi8-r\"\r\n"), "koi8-r");
/// assert_eq!(label::bare(" utf-8 "), "utf-8");
/// assert_eq!(label::bare("notes.txt"), "notes.txt");
/// ```
#[must_use]
pub fn bare(text: &str) -> &str {
    let text = text.trim_ascii();
    if let Some((language, codeset)) = codeset(text)
        && is_language(language)
    {
        return codeset;
    }
    const HEADER: &str = "content-type:";
    let value = match text.split_at_checked(HEADER.len()) {
        Some((name, value)) if name.eq_ignore_ascii_case(HEADER) => value,
        _ => text,
    };
    let has_type = value.split_once(';').is_some_and(|(media_type, _)| media_type.contains('/'));
    has_type.then(|| of_content_type(value)).flatten().unwrap_or(text)
}

/// Returns `true` if this can stand before the dot of a locale: a language of two or three letters and a territory, `C`,
/// `POSIX`.
fn is_language(locale: &str) -> bool {
    let (language, territory) = locale.split_once('_').unwrap_or((locale, ""));
    let letters = language.bytes().all(|byte| byte.is_ascii_alphabetic());
    letters
        && matches!(language.len(), 2 | 3)
        && territory.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        || is_plain(locale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_of_content_types() {
        for (value, expected) in [
            ("text/html;charset=UTF-8", Some("UTF-8")),
            ("text/html; charset=\"utf-8\"; x=y", Some("utf-8")),
            ("text/html; x=\"charset=a;\"; CHARSET = utf-8 ", Some("utf-8")),
            ("text/html; charset; charset=utf-8", Some("utf-8")),
            ("text/html; charset=\"utf-8", Some("utf-8")),
            ("text/html; charset=a; charset=b", Some("a")),
            ("text/html;", None),
            ("charset=utf-8", None),
            ("", None),
        ] {
            assert_eq!(of_content_type(value), expected, "{value}");
        }
    }

    #[test]
    fn locales() {
        assert_eq!(of_locale("C"), Some(Encoding::US_ASCII));
        assert_eq!(of_locale("C.utf8"), Some(Encoding::UTF_8));
        assert_eq!(of_locale("posix"), Some(Encoding::US_ASCII));
        // Found by fuzzing: a label means the same in any case.
        assert_eq!((bare("C.500"), bare("c.500")), ("500", "500"));
        assert_eq!(of_locale("de_DE@euro"), None);
        assert_eq!(of_locale("de_DE.klingon"), None);
    }
}
