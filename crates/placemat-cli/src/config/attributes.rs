//! The `working-tree-encoding` of `.gitattributes` (gitattributes(5)).

use super::setting::{Setting, Value};
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

pub(super) const KEY: &str = "working-tree-encoding";

/// The lines of a file that matter, each with its pattern.
#[derive(Debug, Default)]
pub(super) struct Rules(Vec<(Gitignore, Setting)>);

impl Rules {
    pub(super) fn parse(directory: &Path, file: &Arc<Path>, text: &str) -> Self {
        let mut rules = Vec::new();
        let mut macros = HashMap::new();
        for (i, line) in text.lines().enumerate() {
            let line = line.trim_matches([' ', '\t', '\r']);
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let Some((pattern, attributes)) = split(line) else { continue };
            let Some((value, label)) = value(attributes, &macros) else { continue };
            if let Some(name) = pattern.strip_prefix("[attr]") {
                macros.insert(name.to_owned(), (value, label));
                continue;
            }
            // Negative patterns are forbidden.
            if pattern.starts_with('!') {
                continue;
            }
            let setting = Setting { value, label, key: KEY, file: file.clone(), line: i + 1 };
            let mut builder = GitignoreBuilder::new(directory);
            if builder.add_line(None, &pattern).is_ok()
                && let Ok(matcher) = builder.build()
            {
                rules.push((matcher, setting));
            }
        }
        Self(rules)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The last line that matches decides.
    pub(super) fn setting(&self, file: &Path) -> Option<&Setting> {
        let (_, setting) =
            self.0.iter().rev().find(|(matcher, _)| !matcher.matched(file, false).is_none())?;
        Some(setting)
    }
}

/// Returns the pattern, which may be quoted as in C, and what follows it.
fn split(line: &str) -> Option<(String, &str)> {
    let Some(quoted) = line.strip_prefix('"') else {
        let end = line.find([' ', '\t']).unwrap_or(line.len());
        return Some((line[..end].to_owned(), &line[end..]));
    };
    let mut bytes = Vec::new();
    let mut rest = quoted.bytes().enumerate();
    while let Some((at, byte)) = rest.next() {
        match byte {
            b'"' => return Some((String::from_utf8(bytes).ok()?, &quoted[at + 1..])),
            b'\\' => {
                let (_, escaped) = rest.next()?;
                bytes.push(match escaped {
                    b'a' => 7,
                    b'b' => 8,
                    b't' => b'\t',
                    b'n' => b'\n',
                    b'v' => 11,
                    b'f' => 12,
                    b'r' => b'\r',
                    b'0'..=b'3' => {
                        let digit = |byte: u8| matches!(byte, b'0'..=b'7').then(|| byte - b'0');
                        let (second, third) = (digit(rest.next()?.1)?, digit(rest.next()?.1)?);
                        (escaped - b'0') * 64 + second * 8 + third
                    }
                    other => other,
                });
            }
            _ => bytes.push(byte),
        }
    }
    None
}

/// Returns the value that the attributes of a line set, and its label; the last word counts.
fn value(attributes: &str, macros: &HashMap<String, (Value, String)>) -> Option<(Value, String)> {
    attributes.split_ascii_whitespace().rev().find_map(|attribute| {
        if let Some(value) = macros.get(attribute) {
            return Some(value.clone());
        }
        match attribute.split_once('=') {
            Some((KEY, label)) => Some((Value::new(label), label.to_owned())),
            None if attribute == KEY => Some((Value::Refused, String::new())),
            None if attribute.strip_prefix(['-', '!']) == Some(KEY) => Some((Value::Unset, String::new())),
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use placemat::Encoding;

    fn finds(text: &str, file: &str) -> Option<(usize, Value)> {
        let rules = Rules::parse(Path::new("/r"), &Path::new("/r/.gitattributes").into(), text);
        rules.setting(&Path::new("/r").join(file)).map(|setting| (setting.line, setting.value.clone()))
    }

    #[test]
    fn patterns_and_attributes_as_in_git() {
        let latin1 = Value::Encoding(Encoding::ISO_8859_1, false);
        let text = "# *.x working-tree-encoding=utf-8\n\n[attr]old text working-tree-encoding=latin1\n\
                    *.txt text working-tree-encoding=latin1 eol=crlf\n/top.md old\nd/*.c old\n\"a\\040b\\\"\" old\n\
                    new.txt -working-tree-encoding\nno.txt working-tree-encoding\n!n old\n";
        for (file, line) in [
            ("a.txt", Some(4)),
            ("d/e/a.txt", Some(4)),
            ("top.md", Some(5)),
            ("d/top.md", None),
            ("d/x.c", Some(6)),
            ("d/e/x.c", None),
            ("a b\"", Some(7)),
            ("a.x", None),
            ("n", None),
        ] {
            assert_eq!(finds(text, file), line.map(|line| (line, latin1.clone())), "{file}");
        }
        assert_eq!(finds(text, "new.txt"), Some((8, Value::Unset)));
        assert_eq!(finds(text, "no.txt"), Some((9, Value::Refused)));
        assert_eq!(finds("* working-tree-encoding=\n", "a"), Some((1, Value::Unknown(String::new()))));
        assert_eq!(finds("\"a working-tree-encoding=latin1\n", "a"), None);
    }
}
