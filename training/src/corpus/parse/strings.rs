//! Interface strings: Fluent and Java properties in language packs of Firefox, JSON in `MediaWiki`.

/// Attributes that hold keys and styles, and no text.
const NO_TEXT: [&str; 5] = ["accesskey", "commandkey", "key", "style", "href"];

/// Returns the values of a Fluent file, one a string: messages, attributes, and each variant of a
/// selection.
///
/// Fluent Syntax 1.0. Placeables stay, for the cleaning of all interface strings.
pub(crate) fn fluent(text: &str) -> Vec<String> {
    let mut out = Values::default();
    for line in text.lines() {
        let inner = line.trim();
        let indented = line.starts_with([' ', '\t']);
        if !indented {
            out.end();
            if let Some((identifier, value)) = line.split_once('=')
                && is_identifier(identifier.trim())
            {
                out.begin(value);
            }
        } else if let Some(attribute) = inner.strip_prefix('.')
            && let Some((name, value)) = attribute.split_once('=')
            && is_identifier(name.trim())
        {
            out.end();
            if NO_TEXT.contains(&name.trim()) {
                out.skip();
            } else {
                out.begin(value);
            }
        } else if let Some((_, value)) = inner
            .strip_prefix('[')
            .or_else(|| inner.strip_prefix("*["))
            .and_then(|variant| variant.split_once(']'))
        {
            out.end();
            out.begin(value);
        } else if inner == "}" {
            out.end();
        } else {
            out.go_on(inner);
        }
    }
    out.end();
    out.finished
}

fn is_identifier(name: &str) -> bool {
    let name = name.strip_prefix('-').unwrap_or(name);
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
}

/// Values that may go on over several lines.
#[derive(Default)]
struct Values {
    finished: Vec<String>,
    open: Option<String>,
}

impl Values {
    fn begin(&mut self, value: &str) {
        self.open = Some(value.trim().to_owned());
    }

    fn go_on(&mut self, line: &str) {
        if let Some(open) = &mut self.open {
            open.push(' ');
            open.push_str(line);
        }
    }

    fn skip(&mut self) {
        self.open = None;
    }

    fn end(&mut self) {
        let value = self.open.take().unwrap_or_default();
        if !value.trim().is_empty() {
            self.finished.push(value.trim().to_owned());
        }
    }
}

/// Returns the values of a file of Java properties, with its escapes `\uXXXX`, `\n` and `\t`
/// replaced.
pub(crate) fn properties(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let line = line.trim_start();
        if line.starts_with(['#', '!']) {
            continue;
        }
        let Some((_, value)) = line.split_once('=') else { continue };
        let mut value = value.trim_start().to_owned();
        while value.ends_with('\\') && !value.ends_with("\\\\") {
            value.pop();
            value.push_str(lines.next().unwrap_or_default().trim_start());
        }
        let value = unescape(&value);
        if !value.trim().is_empty() {
            out.push(value);
        }
    }
    out
}

fn unescape(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    let mut rest = value;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let mut chars = rest.chars();
        let unit = rest.get(1..5).and_then(|hex| u32::from_str_radix(hex, 16).ok()).and_then(char::from_u32);
        match (chars.next(), unit) {
            (Some('u'), Some(c)) => {
                out.push(c);
                rest = &rest[5..];
                continue;
            }
            (Some('n' | 't' | 'r'), _) => out.push(' '),
            (Some(c), _) => out.push(c),
            (None, _) => {}
        }
        rest = chars.as_str();
    }
    out.push_str(rest);
    out
}

/// Returns the messages of a file of `MediaWiki`: an object of strings, and data about itself.
pub(crate) fn messages(data: &[u8]) -> Option<Vec<String>> {
    let object: serde_json::Map<String, serde_json::Value> = serde_json::from_slice(data).ok()?;
    Some(object.into_iter().filter_map(|(_, value)| value.as_str().map(str::to_owned)).collect())
}

#[cfg(test)]
mod tests {
    use super::{fluent, messages, properties};

    #[test]
    fn messages_without_the_data_about_them() {
        let data = br#"{"@metadata": {"authors": ["Nobody"]}, "b": "Eins", "a": "Zwei\u00e9"}"#;
        assert_eq!(messages(data).unwrap().len(), 2);
        assert!(messages(data).unwrap().contains(&"Zwei\u{e9}".to_owned()));
        assert_eq!(messages(b"[]"), None);
    }

    #[test]
    fn fluent_messages_attributes_and_variants() {
        let text = "# Ein Kommentar\n-brand = Feuer\nmenu =\n    .title = Menü öffnen\n    .accesskey = M\nlong = Erste Zeile\n    \
                    zweite Zeile\ncount =\n    { $n ->\n        [one] Eine Datei\n       *[other] { $n } Dateien\n    }\n    .style = width: 3em\n";
        let expected =
            ["Feuer", "Menü öffnen", "Erste Zeile zweite Zeile", "{ $n ->", "Eine Datei", "{ $n } Dateien"];
        assert_eq!(fluent(text), expected);
    }

    #[test]
    fn properties_with_escapes_and_long_lines() {
        let text = "# no = value\na = caf\\u00e9\\nau lait\nb=ein \\\n   Satz\nempty =\nbad = \\u00g\\";
        assert_eq!(properties(text), ["café au lait", "ein Satz", "u00g"]);
    }
}
