//! From a string in a package to a paragraph of plain text, or to nothing.

use super::parse::markup::without_references;
use super::script::Script;
use placemat::normalize::Normalization;

/// The parts that a string is cleaned of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Prose that its parser has already made plain.
    Prose,
    /// Strings of a user interface: markup, placeholders and the markers of access keys are
    /// removed.
    Interface,
    /// Strings of a user interface with the markup of wikis.
    Wiki,
}

/// Returns the paragraph of a string: in NFC, without control characters, each run of spaces and line ends one
/// space.
///
/// The no-break space stays: it is a byte of its own in most encodings.
pub(crate) fn paragraph(text: &str, kind: Kind) -> String {
    let text = match kind {
        Kind::Prose => text.to_owned(),
        Kind::Interface => without_access_keys(&interface(text)),
        Kind::Wiki => interface(&without_wiki_markup(text)),
    };
    let text = Normalization::Nfc.apply(&text);
    let mut out = String::with_capacity(text.len());
    let mut space = false;
    for c in text.chars() {
        match c {
            ' ' | '\0'..='\x1F' | '\x7F' | '\u{85}' | '\u{2028}' | '\u{2029}' => space = true,
            // Marks of possible breaks and of byte order, which are not part of the text.
            '\u{AD}' | '\u{FEFF}' | '\u{200B}' => {}
            c => {
                if space && !out.is_empty() {
                    out.push(' ');
                }
                space = false;
                out.push(c);
            }
        }
    }
    out
}

/// Returns a string of a user interface without tags, references and placeholders.
fn interface(text: &str) -> String {
    without_placeholders(&without_references(&without_tags(text)))
}

/// Returns `true` if a paragraph is text in its language: long enough, mostly of letters, in its script, and
/// undamaged.
pub(crate) fn is_text(language: &str, paragraph: &str) -> bool {
    let (mut count, mut letters, mut east_asian) = (0, 0, 0);
    for c in paragraph.chars() {
        if matches!(c, '\u{FFFD}' | '\u{80}'..='\u{9F}' | '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..) {
            return false;
        }
        count += 1;
        letters += usize::from(c.is_alphabetic());
        east_asian += usize::from(Script::of(c).is_some_and(Script::is_east_asian));
    }
    (count >= 12 || east_asian >= 5)
        && (letters * 2 >= count || letters >= 12)
        && Script::fits(language, paragraph)
}

/// Returns `true` if a paragraph may teach a model: tables of character sets would teach it that `¤` is common.
pub(crate) fn may_teach(paragraph: &str) -> bool {
    !paragraph.contains(['¤', '¦', '¬', '¸', '¯'])
}

/// Returns `true` if a paragraph reads as English: one of ten of its words is one that is frequent in English and
/// in no other language. Translations that were never finished keep many such paragraphs.
pub(crate) fn is_english(paragraph: &str) -> bool {
    const FREQUENT: [&str; 8] = ["the", "and", "with", "that", "are", "this", "from", "which"];
    let words = || paragraph.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    let frequent = words().filter(|word| FREQUENT.iter().any(|one| one.eq_ignore_ascii_case(word))).count();
    frequent >= 2 && frequent * 10 >= words().count()
}

/// Wiki markup: `{{…}}` becomes a space, a link its text, and apostrophes for bold and italic text are removed.
fn without_wiki_markup(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut depth = 0_usize;
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}', '[', ']', '\'']) {
        let (before, mark) = rest.split_at(at);
        if depth == 0 {
            out.push_str(before);
        }
        // Two of them make a mark; of apostrophes, three too.
        let same = mark.bytes().take_while(|b| *b == mark.as_bytes()[0]).count();
        let len = same.min(if mark.starts_with('\'') { 3 } else { 2 });
        rest = &mark[len..];
        match &mark[..len] {
            "{{" => depth += 1,
            "}}" => {
                depth = depth.saturating_sub(1);
                out.push(' ');
            }
            _ if depth > 0 => {}
            // The page of a link stands before the bar; the address of an outer link before the first space.
            "[[" => {
                if let Some((page, text)) = rest.split_once('|')
                    && !page.contains(']')
                {
                    rest = text;
                }
            }
            "[" if rest.starts_with(['$', 'h', '/']) => {
                rest = rest.split_once([' ', ']']).map_or("", |(_, text)| text);
            }
            "]]" | "]" | "''" | "'''" => {}
            other => out.push_str(other),
        }
    }
    if depth == 0 {
        out.push_str(rest);
    }
    out
}

/// Tags of at most 200 bytes within one line become spaces.
fn without_tags(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let (before, tag) = rest.split_at(at);
        out.push_str(before);
        let is_tag = tag[1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '/');
        let end = tag.find('>').filter(|&end| is_tag && end <= 200 && !tag[1..end].contains(['<', '\n']));
        (rest, _) = match end {
            Some(end) => (&tag[end + 1..], out.push(' ')),
            None => (&tag[1..], out.push('<')),
        };
    }
    out.push_str(rest);
    out
}

/// Placeholders become spaces: `%s`, `%1$S`, `%(name)s`, `%PRODUCTNAME`, `$(ARG1)`, `${name}`, `$name`, `$1`,
/// `{ $count }`, `{0}`; `\n` and `\t` of two characters too.
fn without_placeholders(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['%', '$', '{', '\\']) {
        let (before, place) = rest.split_at(at);
        out.push_str(before);
        let (len, replacement) = match placeholder(place) {
            0 => (1 + usize::from(place.starts_with("%%")), &place[..1]),
            // The backslash of an escaped quote.
            1 => (1, ""),
            len => (len, " "),
        };
        out.push_str(replacement);
        rest = &place[len..];
    }
    out.push_str(rest);
    out
}

/// Returns the length of the placeholder that a text begins with; 0 if none.
fn placeholder(text: &str) -> usize {
    let inner = &text[1..];
    let run = |s: &str, of: fn(&char) -> bool| s.chars().take_while(of).map(char::len_utf8).sum::<usize>();
    let enclosed = |s: &str, close: char| s.find(close).filter(|&end| end <= 200).map(|end| end + 1);
    match text.as_bytes()[0] {
        // An unclosed brace begins a selection of Fluent, up to the end of the line.
        b'{' => enclosed(text, '}').unwrap_or(text.len()),
        b'\\' => match inner.as_bytes().first() {
            Some(b'n' | b't') => 2,
            Some(b'"' | b'\'') => 1,
            _ => 0,
        },
        b'$' if inner.starts_with('(') => enclosed(text, ')').unwrap_or(0),
        b'$' if inner.starts_with('{') => enclosed(text, '}').unwrap_or(0),
        b'$' if run(inner, char::is_ascii_digit) == 1 => 2,
        b'$' => match run(inner, |c| c.is_ascii_alphanumeric() || *c == '_') {
            len if inner.starts_with(|c: char| c.is_ascii_alphabetic()) => {
                1 + len + usize::from(inner[len..].starts_with('$'))
            }
            _ => 0,
        },
        _ => {
            if inner.starts_with(['(', '{']) {
                let close = if inner.starts_with('(') { ')' } else { '}' };
                return enclosed(text, close)
                    .map_or(0, |end| end + run(&text[end..], char::is_ascii_alphabetic).min(1));
            }
            let digits = run(inner, char::is_ascii_digit);
            let dollar = usize::from(digits > 0 && inner[digits..].starts_with('$'));
            let word = &inner[digits + dollar..];
            let upper = run(word, |c| c.is_ascii_uppercase() || *c == '_');
            let letters = run(word, char::is_ascii_alphabetic);
            match (upper, letters) {
                (_, 0) => usize::from(digits > 0) * (1 + digits),
                (2.., _) => {
                    1 + digits
                        + dollar
                        + run(word, |c| c.is_ascii_uppercase() || c.is_ascii_digit() || *c == '_')
                }
                _ => 1 + digits + dollar + 1,
            }
        }
    }
}

/// Returns the marks of access keys: `~` and `_` before their letter, and `(~X)` after text without Latin letters.
fn without_access_keys(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['(', '~', '_', '&']) {
        let (before, mark) = rest.split_at(at);
        out.push_str(before);
        let bytes = mark.as_bytes();
        let parenthesized =
            matches!(bytes, [b'(', b'~' | b'_' | b'&', letter, b')', ..] if letter.is_ascii_alphanumeric());
        if parenthesized {
            rest = &mark[4..];
            continue;
        }
        match bytes[0] {
            b'(' | b'&' => out.push_str(&mark[..1]),
            _ => {}
        }
        rest = &mark[1..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::{Kind, is_english, is_text, may_teach, paragraph};

    #[test]
    fn interface_strings_become_plain() {
        for (text, plain) in [
            ("Datei ~öffnen…", "Datei öffnen…"),
            ("ファイル(~F)", "ファイル"),
            ("_Speichern <b>unter</b>&#8230;", "Speichern unter …"),
            ("%1$S von %S (%d%%)", "von ( %)"),
            ("%PRODUCTNAME wird %1% fertig", "wird % fertig"),
            ("{ $count } Dateien in { -brand-name }", "Dateien in"),
            ("Mit { $x ->", "Mit"),
            ("$(ARG1) und ${NAME} und $wert$ für 5 $", "und und für 5 $"),
            ("Zeile\\nzwei \\\"so\\\"", "Zeile zwei \"so\""),
            ("100 % sicher, a < b", "100 % sicher, a < b"),
            ("e\u{301}t\u{e9}\u{A0}! \t x\u{AD}y", "été\u{A0}! xy"),
        ] {
            assert_eq!(paragraph(text, Kind::Interface).trim(), plain);
        }
    }

    #[test]
    fn wiki_messages_become_plain() {
        for (text, plain) in [
            ("Die Seite '''[[$1|heißt so]]''' und ''[[Hier]]''.", "Die Seite heißt so und Hier."),
            ("{{PLURAL:$1|Eine Seite|$1 {{x}} Seiten}} geändert", "geändert"),
            ("Siehe [https://example.org/ dort], l'été", "Siehe dort, l'été"),
            ("$1 hat $2 für $100", "hat für $100"),
            ("{{offen", ""),
            ("[$1", ""),
        ] {
            assert_eq!(paragraph(text, Kind::Wiki).trim(), plain);
        }
    }

    #[test]
    fn prose_keeps_its_signs() {
        assert_eq!(
            paragraph(" Preis: 5 $, {a} _b_ ~c\n100 %s ", Kind::Prose),
            "Preis: 5 $, {a} _b_ ~c 100 %s"
        );
    }

    #[test]
    fn paragraphs_that_are_text() {
        for (language, text, expected) in [
            ("de", "Eine Datei öffnen", true),
            ("de", "zu kurz", false),
            ("de", "1 2 3 4 5 6 7 8 9 Datei", false),
            ("de", "Eine Datei \u{FFFD}ffnen", false),
            ("de", "Eine Datei \u{96} ffnen", false),
            ("ja", "ファイルを開く", true),
            ("zh-Hans", "打开", false),
        ] {
            assert_eq!(is_text(language, text), expected, "{text}");
        }
        assert!(may_teach("über 5 € für 3"));
        assert!(!may_teach("A4 ¤ currency sign"));
    }

    #[test]
    fn english_by_its_frequent_words() {
        assert!(is_english("The name of the file is shown"));
        assert!(is_english("By default, Čeština and others are not part of this"));
        assert!(!is_english("Der Name der Datei wird angezeigt, or so"));
        assert!(!is_english("Or: l'or, l'argent et le fer de la terre"));
    }

    #[test]
    fn any_string_ends() {
        for text in
            ["%", "$", "{", "\\", "(", "(~", "%(", "${", "<", "</", "%1", "%1$", "$é", "%é", "{é", "(~é)"]
        {
            let _ = paragraph(text, Kind::Interface);
        }
    }
}
