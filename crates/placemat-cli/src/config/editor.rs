//! The `charset` of `.editorconfig` (editorconfig.org).

use super::glob::Glob;
use super::setting::{Setting, Value};
use std::path::Path;
use std::sync::Arc;

const KEY: &str = "charset";
/// The maximum number of sections of a file.
const MAX_SECTIONS: usize = 1000;

/// The sections of a file that matter.
#[derive(Debug, Default)]
pub(super) struct Rules {
    sections: Vec<(Glob, Setting)>,
    /// `root = true`
    pub(super) is_root: bool,
}

/// The kind of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line<'a> {
    Section(&'a str),
    Pair(&'a str, &'a str),
    Nothing,
}

impl<'a> Line<'a> {
    fn new(line: &'a str) -> Self {
        let line = without_comment(line).trim();
        if let Some(header) = line.strip_prefix('[') {
            return header.rfind(']').map_or(Self::Nothing, |end| Self::Section(&header[..end]));
        }
        line.split_once(['=', ':'])
            .map_or(Self::Nothing, |(key, value)| Self::Pair(key.trim_end(), value.trim_start()))
    }
}

/// Returns the text before a comment, which begins at the start of a line or after white space.
fn without_comment(line: &str) -> &str {
    let mut before = ' ';
    for (at, c) in line.char_indices() {
        if matches!(c, ';' | '#') && before.is_whitespace() {
            return &line[..at];
        }
        before = c;
    }
    line
}

impl Rules {
    pub(super) fn parse(file: &Arc<Path>, text: &str) -> Self {
        let mut rules = Self::default();
        let mut header = None;
        for (i, line) in text.lines().enumerate() {
            match Line::new(line) {
                Line::Section(glob) => header = Some(glob),
                Line::Pair(key, value) => match header {
                    None if key.eq_ignore_ascii_case("root") => {
                        rules.is_root = value.eq_ignore_ascii_case("true");
                    }
                    Some(glob) if key.eq_ignore_ascii_case(KEY) && rules.sections.len() < MAX_SECTIONS => {
                        let value = match value {
                            "" => continue,
                            _ if value.eq_ignore_ascii_case("unset") => Value::Unset,
                            label => Value::new(label),
                        };
                        let setting = Setting {
                            value,
                            label: String::new(),
                            key: KEY,
                            file: file.clone(),
                            line: i + 1,
                        };
                        rules.sections.extend(Glob::new(glob).map(|glob| (glob, setting)));
                    }
                    _ => {}
                },
                Line::Nothing => {}
            }
        }
        rules
    }

    pub(super) fn is_empty(&self) -> bool {
        self.sections.is_empty() && !self.is_root
    }

    /// The last section that matches a path below the directory decides.
    pub(super) fn setting(&self, file: &Path) -> Option<&Setting> {
        let (_, setting) = self.sections.iter().rev().find(|(glob, _)| glob.matches(file))?;
        Some(setting)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use placemat::Encoding;

    #[test]
    fn lines() {
        for (line, want) in [
            ("[*.c]", Line::Section("*.c")),
            (" [a;b] ; [c]", Line::Section("a;b")),
            ("[[!b].txt]", Line::Section("[!b].txt")),
            ("[a ;b]", Line::Nothing),
            ("a = b # c", Line::Pair("a", "b")),
            ("a:b#c", Line::Pair("a", "b#c")),
            ("# a = b", Line::Nothing),
            ("a", Line::Nothing),
        ] {
            assert_eq!(Line::new(line), want, "{line}");
        }
    }

    #[test]
    fn the_last_section_that_matches_decides() {
        let text = "root = true\n[*]\ncharset = latin1\nindent_size = 2\n[*.{md,txt}]\ncharset = utf-16le\n\
                    [b.md]\nCharset = unset\n[*.q]\ncharset = klingon\n[*.c]\nindent_size = 8\n";
        let rules = Rules::parse(&Path::new("/r/.editorconfig").into(), text);
        assert!(rules.is_root);
        let find =
            |file: &str| rules.setting(Path::new(file)).map(|setting| (setting.line, setting.value.clone()));
        assert_eq!(find("a"), Some((3, Value::Encoding(Encoding::ISO_8859_1, false))));
        assert_eq!(find("d/a.c"), Some((3, Value::Encoding(Encoding::ISO_8859_1, false))));
        assert_eq!(find("d/a.md"), Some((6, Value::Encoding(Encoding::UTF_16LE, false))));
        assert_eq!(find("b.md"), Some((8, Value::Unset)));
        assert_eq!(find("b.q"), Some((10, Value::Unknown("klingon".into()))));
    }
}
