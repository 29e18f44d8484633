//! The role of a file in its tree, by its path: a translation, a test, data. The group `security` judges words and invisible
//! code points by it.

use super::code::Family;
use std::path::Path;
use unicode_script::Script;

/// The role of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::cmd::check) struct Role {
    /// The script of the language that the path of a translation names.
    pub(super) home: Option<Script>,
    /// Whether the file contains translations.
    pub(super) translates: bool,
    /// Whether the path of a translation names a language that is written from right to left.
    pub(super) is_rtl: bool,
    /// Whether the file belongs to tests.
    pub(super) tests: bool,
    /// Whether the file is no source of a program: text for people, or data.
    pub(super) is_data: bool,
}

/// Folders that contain translations.
const FOLDERS: [&str; 16] = [
    "i18n",
    "intl",
    "l10n",
    "localization",
    "localizations",
    "lang",
    "langs",
    "language",
    "languages",
    "lc_messages",
    "locale",
    "locales",
    "man",
    "po",
    "translation",
    "translations",
];

/// Languages, by their codes in paths, that are written in a script whose letters look like ASCII.
const LANGUAGES: [(Script, &str); 4] = [
    (
        Script::Cyrillic,
        "ab av ba be bg bua ce chm crh cv kaa kbd kk krc kv ky lez mdf mhr mk mn mrj myv os ru sah sr tg tk tt tyv udm uk uz \
         xal",
    ),
    (Script::Greek, "el gr grc"),
    (Script::Armenian, "hy"),
    (Script::Georgian, "ka"),
];

/// Languages that are written from right to left, by their codes in paths.
const RTL: &str = "ar arc ary arz azb bal ckb dv fa glk ha he iw ks lrc mzn nqo pnb prs ps sd syr ug ur yi";

/// Folders of tests and of their data.
const TESTS: [&str; 16] = [
    "__tests__",
    "_snaps",
    "corpus",
    "fixture",
    "fixtures",
    "snapshots",
    "spec",
    "specs",
    "test",
    "test-data",
    "test_data",
    "testdata",
    "testing",
    "tests",
    "testsuite",
    "test-suite",
];

/// Extensions of sources that are data.
const DATA: [&str; 8] = ["json", "jsonc", "json5", "yml", "yaml", "toml", "css", "edn"];

/// The number of folders around a file that are searched for a name.
const MAX_FOLDERS: usize = 6;

impl Role {
    /// Returns the role of a file, by its path in the checked tree.
    pub(super) fn of(path: &Path) -> Self {
        let parts: Vec<String> =
            path.components().map(|part| part.as_os_str().to_string_lossy().to_ascii_lowercase()).collect();
        let Some((name, folders)) = parts.split_last() else { return Self::default() };
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let is_catalog = ["po", "pot", "ftl", "xlf", "xliff", "strings", "ts"].contains(&extension);
        let has = |names: &[&str], count| {
            folders.iter().rev().take(count).any(|folder| names.contains(&folder.as_str()))
        };
        let tests = has(&TESTS, MAX_FOLDERS) || is_test_name(name);
        let translates = is_catalog && extension != "ts" || has(&FOLDERS, 4);
        let of_language = is_catalog || translates;
        let home = if of_language { script_of(name, folders) } else { None };
        let is_rtl =
            of_language && of_parts(name, folders, |code| is_code(RTL, code).then_some(())).is_some();
        let is_data = Family::of(path).is_none() || DATA.contains(&extension.to_ascii_lowercase().as_str());
        Self { home, translates, is_rtl, tests, is_data }
    }
}

/// Returns `true` for the name of a test: `test_a.py`, `a_test.go`, `a.test.js`, `ATest.java`, `tests.rs`.
fn is_test_name(name: &str) -> bool {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    ["test", "tests"].contains(&stem)
        || stem.starts_with("test_")
        || ["_test", "_tests", "_spec", "-test", "-tests"].iter().any(|end| stem.ends_with(end))
        || stem.ends_with("test") && name.ends_with(".java")
        // Tests of Perl.
        || name.ends_with(".t")
        || [".test.", ".spec.", ".t."].iter().any(|part| name.contains(part))
}

/// Returns the script of the language that the name of a translation or a folder around it names.
fn script_of(name: &str, folders: &[String]) -> Option<Script> {
    of_parts(name, folders, |code| {
        LANGUAGES.iter().find(|(_, codes)| is_code(codes, code)).map(|(script, _)| *script)
    })
}

/// Returns the first thing that `of` knows of a part of the name of a translation, or of the folders around it.
fn of_parts<T>(name: &str, folders: &[String], of: impl Fn(&str) -> Option<T>) -> Option<T> {
    let of = |part: &str| part.split(['.', '_', '-', '@']).find_map(&of);
    of(name).or_else(|| folders.iter().rev().take(3).find_map(|folder| of(folder.as_str())))
}

/// Returns `true` if a code is one of those in a list with spaces.
fn is_code(codes: &str, code: &str) -> bool {
    codes.split(' ').any(|known| known == code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_translations_name_their_script() {
        for (path, script) in [
            ("a/locale/ru/formats.py", Some(Script::Cyrillic)),
            ("a/locale/ru/LC_MESSAGES/django.po", Some(Script::Cyrillic)),
            ("src/v4/locales/mk.ts", Some(Script::Cyrillic)),
            ("po/el.po", Some(Script::Greek)),
            ("share/translations/app_ru.ts", Some(Script::Cyrillic)),
            ("locale/mn/_lib/localize.js", Some(Script::Cyrillic)),
            ("po/sr@latin.po", Some(Script::Cyrillic)),
            ("i18n/uk_UA.json", Some(Script::Cyrillic)),
            ("lang/hy.yml", Some(Script::Armenian)),
            ("src/os/linux.c", None),
            ("ru/a.c", None),
            ("locale/de/formats.py", None),
            ("locales/en-US.json", None),
            ("el.py", None),
        ] {
            assert_eq!(Role::of(Path::new(path)).home, script, "{path}");
        }
    }

    #[test]
    fn tests_and_data_are_known_by_their_paths() {
        for (path, tests, is_data) in [
            ("a/tests/b.rs", true, false),
            ("src/a_test.go", true, false),
            ("src/test_a.py", true, false),
            ("a.test.js", true, false),
            ("data10.0.0_test.go", true, false),
            ("src/test/java/UtilsTest.java", true, false),
            ("t/a.t", true, true),
            ("test/fixtures/a.json", true, true),
            ("testdata/a", true, true),
            ("src/a.rs", false, false),
            ("src/latest.rs", false, false),
            ("contest.c", false, false),
            ("t/notes", false, true),
            ("README.md", false, true),
            ("package.json", false, true),
        ] {
            let role = Role::of(Path::new(path));
            assert_eq!((role.tests, role.is_data), (tests, is_data), "{path}");
        }
        for (path, is_rtl) in [
            ("po/he.po", true),
            ("locale/fa/messages.js", true),
            ("lang/ar-EG.json", true),
            ("po/de.po", false),
            ("src/he.rs", false),
        ] {
            assert_eq!(Role::of(Path::new(path)).is_rtl, is_rtl, "{path}");
        }
        assert!(Role::of(Path::new("po/de.po")).translates && !Role::of(Path::new("src/app.ts")).translates);
    }
}
