//! Message catalogues of gettext (`.mo`): GNU gettext manual, section 10.3.

/// Returns the translations that differ from their source, plural forms apart from one another.
///
/// A message of `LibreOffice` begins with its context and U+0004.
pub(crate) fn translations(data: &[u8]) -> Option<Vec<String>> {
    let word = |at: usize| -> Option<usize> {
        let bytes: [u8; 4] = data.get(at..at.checked_add(4)?)?.try_into().ok()?;
        usize::try_from(u32::from_le_bytes(bytes)).ok()
    };
    let string = |table: usize, index: usize| -> Option<&str> {
        let entry = table.checked_add(index.checked_mul(8)?)?;
        let (len, start) = (word(entry)?, word(entry + 4)?);
        core::str::from_utf8(data.get(start..start.checked_add(len)?)?).ok()
    };
    if word(0)? != 0x9504_12DE {
        return None;
    }
    let (count, sources, translations) = (word(8)?, word(12)?, word(16)?);
    let mut out = Vec::new();
    for index in 0..count {
        let (Some(source), Some(translation)) = (string(sources, index), string(translations, index)) else {
            continue;
        };
        let source = source.rsplit('\u{4}').next().unwrap_or(source);
        if source.is_empty() {
            continue;
        }
        let forms = translation.split('\0').filter(|form| !source.split('\0').any(|source| source == *form));
        out.extend(forms.flat_map(|form| form.split("\n\n")).map(str::to_owned));
    }
    Some(out)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::translations;

    /// Returns a catalogue of these messages.
    pub(crate) fn catalog(messages: &[(&str, &str)]) -> Vec<u8> {
        let word = |n: usize| u32::try_from(n).unwrap().to_le_bytes();
        let tables = 28 + 16 * messages.len();
        let (mut sources, mut translations, mut text) = (Vec::new(), Vec::new(), Vec::new());
        for (source, translation) in messages {
            for (table, string) in [(&mut sources, source), (&mut translations, translation)] {
                table.extend(word(string.len()));
                table.extend(word(tables + text.len()));
                text.extend(string.bytes());
                text.push(0);
            }
        }
        let header = [0x9504_12DE, 0, messages.len(), 28, 28 + 8 * messages.len(), 0, 0];
        let mut out: Vec<u8> = header.into_iter().flat_map(word).collect();
        out.extend(sources);
        out.extend(translations);
        out.extend(text);
        out
    }

    #[test]
    fn translations_without_the_header_and_the_untranslated() {
        let messages = [
            ("", "Content-Type: text/plain; charset=UTF-8\n"),
            ("KEY\u{4}One file\0Many files", "Eine Datei\0Viele Dateien"),
            ("KEY\u{4}Same", "Same"),
            ("Two", "Erster Absatz\n\nZweiter"),
        ];
        let data = catalog(&messages);
        let expected = ["Eine Datei", "Viele Dateien", "Erster Absatz", "Zweiter"];
        assert_eq!(translations(&data).unwrap(), expected);
        assert_eq!(translations(b"no catalogue at all"), None);
        // Strings outside the file are left out, and a cut header is not a catalogue.
        for end in 0..data.len() {
            let _ = translations(&data[..end]);
        }
    }
}
