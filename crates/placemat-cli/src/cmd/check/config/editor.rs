//! `.editorconfig` (editorconfig.org), as far as it says `charset`.

use super::{Setting, Value};
use ec4rs::{ConfigParser, Section};
use std::path::Path;
use std::sync::Arc;

const KEY: &str = "charset";

/// The sections of a file that matter.
#[derive(Default)]
pub(super) struct Rules {
    sections: Vec<(Section, Setting)>,
    /// `root = true`
    pub(super) is_root: bool,
}

impl core::fmt::Debug for Rules {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(self.sections.iter().map(|(_, setting)| setting)).finish()
    }
}

impl Rules {
    pub(super) fn parse(file: &Arc<Path>, text: &str) -> Self {
        let Ok(parser) = ConfigParser::new_with_path(text.as_bytes(), Some(file.clone())) else {
            return Self::default();
        };
        let is_root = parser.is_root;
        let mut sections = Vec::new();
        // What cannot be read ends the file.
        for section in parser.map_while(Result::ok) {
            let raw = section.props().get_raw_for_key(KEY);
            let value = match raw.into_result() {
                Ok(label) => Value::new(label),
                Err(true) => Value::Unset,
                Err(false) => continue,
            };
            let line = raw.source().map_or(0, |(_, line)| line);
            sections.push((section, Setting { value, key: KEY, file: file.clone(), line }));
        }
        Self { sections, is_root }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.sections.is_empty() && !self.is_root
    }

    /// The last section that matches a path below the directory decides.
    pub(super) fn setting(&self, file: &Path) -> Option<&Setting> {
        let (_, setting) = self.sections.iter().rev().find(|(section, _)| section.applies_to(file))?;
        Some(setting)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use placemat::Encoding;

    #[test]
    fn the_last_section_that_matches_decides() {
        let text = "root = true\n[*]\ncharset = latin1\nindent_size = 2\n[*.{md,txt}]\ncharset = utf-16le\n\
                    [b.md]\nCharset = unset\n[*.q]\ncharset = klingon\n[*.c]\nindent_size = 8\n";
        let rules = Rules::parse(&Path::new("/r/.editorconfig").into(), text);
        assert!(rules.is_root);
        let find =
            |file: &str| rules.setting(Path::new(file)).map(|setting| (setting.line, setting.value.clone()));
        assert_eq!(find("a"), Some((3, Value::Encoding(Encoding::Latin1, None))));
        assert_eq!(find("d/a.c"), Some((3, Value::Encoding(Encoding::Latin1, None))));
        assert_eq!(find("d/a.md"), Some((6, Value::Encoding(Encoding::Utf16Le, None))));
        assert_eq!(find("b.md"), Some((8, Value::Unset)));
        assert_eq!(find("b.q"), Some((10, Value::Unknown("klingon".into()))));
    }
}
