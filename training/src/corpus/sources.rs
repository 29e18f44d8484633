//! The files with text in the packages of each source, with their language and format.

use super::clean::Kind;
use super::parse::{catalog, markup, plain, roff, strings};
use std::borrow::Cow;
use std::io::{Cursor, Read};

/// A string with its language, as the package names it.
pub(crate) type Found = (String, String);

/// Returns the strings of a file of a package. `None` if the file holds no text, or none that can be
/// read.
pub(crate) fn strings_of(source: &str, package: &str, path: &str, data: &[u8]) -> Option<Vec<Found>> {
    let path = path.trim_start_matches("./");
    let (_, file) = path.rsplit_once('/')?;
    let (language, format) = match source {
        "wordpress" if file.ends_with(".mo") => {
            // `de_DE.mo`, `admin-network-de_DE.mo`.
            (file.strip_suffix(".mo")?.rsplit('-').next()?, Format::Catalog)
        }
        "mediawiki" if file.ends_with(".json") && path.contains("/i18n/") => {
            (file.strip_suffix(".json")?, Format::WikiMessages)
        }
        "libreoffice-ui" | "wesnoth" if file.ends_with(".mo") => {
            let (before, _) = path.split_once("/LC_MESSAGES/")?;
            (before.rsplit('/').next()?, Format::Catalog)
        }
        "libreoffice-help" if file.ends_with(".html") => (after(path, "libreoffice/help/")?, Format::Markup),
        "firefox-ui" if file.ends_with(".xpi") => {
            (file.strip_prefix("langpack-")?.split_once('@')?.0, Format::LanguagePack)
        }
        "manpages" if file.ends_with(".gz") => {
            let first = after(path, "share/man/")?;
            (if first.starts_with("man") { "en" } else { first }, Format::Manual)
        }
        "gnome-docs" if file.ends_with(".page") => (after(path, "share/help/")?, Format::Markup),
        "installation-guide" if file.ends_with(".html") => {
            (after(path, "installation-guide-amd64/")?, Format::Markup)
        }
        "debian-handbook" if file.ends_with(".html") => {
            (after(path, "debian-handbook/html/")?, Format::Markup)
        }
        "debian-docs" if file.ends_with(".html") => (language_of_manual(path, file), Format::Markup),
        // Sayings that some may not want to read are enciphered.
        "fortunes"
            if path.contains("/games/fortunes/") && !path.contains("/off/") && !file.ends_with(".dat") =>
        {
            (language_of_fortunes(package), Format::Sayings)
        }
        _ => return None,
    };
    format.read(language, data)
}

/// How strings of a source are cleaned.
pub(crate) fn kind(source: &str) -> Kind {
    match source {
        "libreoffice-ui" | "firefox-ui" | "wesnoth" | "wordpress" => Kind::Interface,
        "mediawiki" => Kind::Wiki,
        _ => Kind::Prose,
    }
}

/// Returns the strings of an index of translated descriptions, whose name ends in the language.
pub(crate) fn descriptions(name: &str, data: &[u8]) -> Option<Vec<Found>> {
    let language = name.strip_prefix("Translation-")?;
    let text = core::str::from_utf8(data).ok()?;
    Some(plain::descriptions(text).into_iter().map(|text| (language.to_owned(), text)).collect())
}

#[derive(Clone, Copy)]
enum Format {
    Catalog,
    LanguagePack,
    WikiMessages,
    Manual,
    Markup,
    Sayings,
}

impl Format {
    fn read(self, language: &str, data: &[u8]) -> Option<Vec<Found>> {
        let texts = match self {
            Self::Catalog => catalog::translations(data)?,
            Self::LanguagePack => language_pack(data)?,
            Self::WikiMessages => strings::messages(data)?,
            Self::Manual => {
                let mut page = String::new();
                flate2::read::MultiGzDecoder::new(data).read_to_string(&mut page).ok()?;
                roff::paragraphs(&page)
            }
            Self::Markup => markup::blocks(core::str::from_utf8(data).ok()?),
            Self::Sayings => plain::sayings(core::str::from_utf8(data).ok()?),
        };
        Some(texts.into_iter().map(|text| (language.to_owned(), text)).collect())
    }
}

/// Returns the strings of a language pack, in the order of its files' names.
fn language_pack(data: &[u8]) -> Option<Vec<String>> {
    let mut archive = zip::ZipArchive::new(Cursor::new(data)).ok()?;
    let mut names: Vec<String> = archive.file_names().flatten().map(Cow::into_owned).collect();
    names.sort_unstable();
    let mut out = Vec::new();
    for name in names {
        let read: fn(&str) -> Vec<String> = match name.rsplit_once('.') {
            Some((_, "ftl")) => strings::fluent,
            Some((_, "properties")) => strings::properties,
            _ => continue,
        };
        let mut text = String::new();
        if archive.by_name(&name).ok()?.read_to_string(&mut text).is_ok() {
            out.extend(read(&text));
        }
    }
    Some(out)
}

/// Returns the component of a path after `marker`, if it is a folder.
fn after<'a>(path: &'a str, marker: &str) -> Option<&'a str> {
    path.split_once(marker)?.1.split_once('/').map(|(component, _)| component)
}

/// `…/page.de.html`, `…/developers-reference/de/page.html`, or a page without a language, in English.
fn language_of_manual<'a>(path: &'a str, file: &'a str) -> &'a str {
    let stem = file.strip_suffix(".html").unwrap_or(file);
    match stem.rsplit_once('.') {
        Some((_, language)) => language,
        None => {
            after(path, "share/developers-reference/").filter(|name| !name.starts_with('_')).unwrap_or("en")
        }
    }
}

fn language_of_fortunes(package: &str) -> &str {
    match package.strip_prefix("fortunes-") {
        Some("br") => "pt",
        Some("bofh-excuses" | "min") | None => "en",
        Some(language) => language,
    }
}

#[cfg(test)]
mod tests {
    use super::strings_of;
    use crate::corpus::parse::catalog::tests::catalog;
    use std::io::Write;

    #[test]
    fn languages_by_path() {
        for (source, package, path, expected) in [
            ("libreoffice-help", "", "./usr/share/libreoffice/help/de/text/a.html", Some("de")),
            ("libreoffice-help", "", "./usr/share/doc/libreoffice-help-de/copyright", None),
            ("gnome-docs", "", "./usr/share/help/pt_BR/gnome-help/a.page", Some("pt_BR")),
            ("installation-guide", "", "./usr/share/doc/installation-guide-amd64/ca/ch01.html", Some("ca")),
            ("debian-docs", "", "./usr/share/doc/debian/FAQ/de/support.de.html", Some("de")),
            ("debian-docs", "", "./usr/share/doc/debian/FAQ/support.html", Some("en")),
            ("debian-docs", "", "./usr/share/developers-reference/ru/scope.html", Some("ru")),
            ("debian-docs", "", "./usr/share/developers-reference/scope.html", Some("en")),
            ("debian-handbook", "", "./usr/share/doc/debian-handbook/html/fa-IR/a.html", Some("fa-IR")),
            ("fortunes", "fortunes-br", "./usr/share/games/fortunes/brasil", Some("pt")),
            ("fortunes", "fortunes", "./usr/share/games/fortunes/love", Some("en")),
            ("fortunes", "fortunes-es", "./usr/share/games/fortunes/es/off/amor", None),
            ("fortunes", "fortunes-de", "./usr/share/games/fortunes/de/love.dat", None),
        ] {
            let found = strings_of(source, package, path, "<p>Ein Satz</p>".as_bytes());
            let language = found.and_then(|found| found.into_iter().next()).map(|(language, _)| language);
            assert_eq!(language.as_deref(), expected, "{path}");
        }
    }

    #[test]
    fn languages_by_file() {
        let found =
            strings_of("mediawiki", "", "./usr/share/mediawiki/languages/i18n/sr-ec.json", br#"{"a": "b"}"#);
        assert_eq!(found.unwrap(), [("sr-ec".to_owned(), "b".to_owned())]);
        let catalog = catalog(&[("File", "Datei")]);
        let found = strings_of("wordpress", "", "./usr/share/wordpress/languages/admin-de_DE.mo", &catalog);
        assert_eq!(found.unwrap(), [("de_DE".to_owned(), "Datei".to_owned())]);
    }

    #[test]
    fn files_that_are_packed() {
        let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gz.write_all(".SH NAME\nls \\- zeigt Dateien\n".as_bytes()).unwrap();
        let page = gz.finish().unwrap();
        for (path, language) in
            [("./usr/share/man/de/man1/ls.1.gz", "de"), ("./usr/share/man/man1/ls.1.gz", "en")]
        {
            let found = strings_of("manpages", "", path, &page).unwrap();
            assert_eq!(found[1], (language.to_owned(), "ls - zeigt Dateien".to_owned()));
        }
        assert_eq!(strings_of("manpages", "", "./usr/share/man/man1/ls.1.gz", b"not packed"), None);

        let mut pack = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        for (name, text) in [("b.ftl", "a = Zweitens\n"), ("a.properties", "a=Erstens"), ("c.css", "a = b")] {
            pack.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
            pack.write_all(text.as_bytes()).unwrap();
        }
        let pack = pack.finish().unwrap().into_inner();
        let found = strings_of("firefox-ui", "", "./usr/lib/x/langpack-nb-NO@firefox.xpi", &pack).unwrap();
        let texts: Vec<_> = found.iter().map(|(language, text)| (language.as_str(), text.as_str())).collect();
        assert_eq!(texts, [("nb-NO", "Erstens"), ("nb-NO", "Zweitens")]);
    }
}
