//! Collections of sayings, and the descriptions of packages.

/// Returns the sayings of a file for fortune(6): a line with `%` alone stands between two.
pub(crate) fn sayings(text: &str) -> Vec<String> {
    text.split("\n%\n").map(|saying| saying.trim_end_matches("\n%").to_owned()).collect()
}

/// Returns the translated descriptions of an index of packages: the title, then the paragraphs.
pub(crate) fn descriptions(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut paragraph = String::new();
    let mut end = |paragraph: &mut String| {
        if !paragraph.is_empty() {
            out.push(core::mem::take(paragraph));
        }
    };
    for line in text.lines() {
        match line.strip_prefix(' ').map(str::trim) {
            Some("" | ".") => end(&mut paragraph),
            Some(more) => {
                // An indented line begins a list or a verse.
                if line.starts_with("  ") {
                    end(&mut paragraph);
                }
                if !paragraph.is_empty() {
                    paragraph.push(' ');
                }
                paragraph.push_str(more);
            }
            None => {
                end(&mut paragraph);
                if let Some((field, title)) = line.split_once(": ")
                    && field.starts_with("Description-")
                    && field != "Description-md5"
                {
                    paragraph.push_str(title.trim());
                    end(&mut paragraph);
                }
            }
        }
    }
    end(&mut paragraph);
    out
}

#[cfg(test)]
mod tests {
    use super::{descriptions, sayings};

    #[test]
    fn sayings_between_percent_signs() {
        assert_eq!(sayings("Eins\nzwei\n%\n100 % sicher\n%\n"), ["Eins\nzwei", "100 % sicher", ""]);
    }

    #[test]
    fn titles_and_paragraphs_of_descriptions() {
        let index = "Package: a\nDescription-md5: 00\nDescription-de: Ein Titel\n Erster Absatz\n geht weiter.\n .\n Zweiter:\n  * Punkt\n\nPackage: b\nDescription-md5: 11\nDescription-de: Noch einer\n";
        let expected = ["Ein Titel", "Erster Absatz geht weiter.", "Zweiter:", "* Punkt", "Noch einer"];
        assert_eq!(descriptions(index), expected);
    }
}
