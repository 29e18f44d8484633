//! The prose of a file: its comments, documentation, messages, or the text of a page.

/// A language whose prose is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    Rust,
    /// C, C++, JavaScript and TypeScript.
    C,
    /// Python, shell scripts and TOML: comments begin with `#`.
    Hash,
    Markdown,
}

impl Language {
    pub(super) fn of(file: &str) -> Option<Self> {
        let name = file.rsplit('/').next().unwrap_or(file);
        Some(match name.rsplit_once('.').map_or("", |(_, end)| end) {
            "rs" => Self::Rust,
            "c" | "h" | "cpp" | "js" | "mjs" | "ts" => Self::C,
            "py" | "pyi" | "toml" | "sh" | "yaml" => Self::Hash,
            "" if file.starts_with(".ci/") => Self::Hash,
            "md" => Self::Markdown,
            _ => return None,
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `//!`, about the file.
    Head,
    /// `///`, `/** */`, or a string of Python between three quotation marks.
    Documentation,
    /// Documentation that clap shows as a help text.
    Help,
    Comment,
    /// A string with spaces, in a program or a library.
    Message,
    Page,
}

/// Lines of prose that belong together.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Passage {
    pub(super) kind: Kind,
    /// The lines, with their numbers from 1 on.
    pub(super) lines: Vec<(usize, String)>,
}

/// Returns all prose of a file.
pub(super) fn passages(file: &str, text: &str, language: Language) -> Vec<Passage> {
    match language {
        Language::Markdown => vec![page(text)],
        Language::Rust => rust(text, has_messages(file)),
        Language::C => {
            let mut all = Vec::new();
            scan(text, &["//"], false, &mut all);
            all
        }
        Language::Hash => {
            let mut all = Vec::new();
            scan(text, &["#"], false, &mut all);
            all
        }
    }
}

/// Returns `true` if strings in a file reach users.
fn has_messages(file: &str) -> bool {
    let ships =
        ["crates/", "bindings/"].iter().any(|start| file.starts_with(start)) && file.contains("/src/");
    ships && !["/tests/", "/tests.rs", "/bench/", "/contract/"].iter().any(|part| file.contains(part))
}

/// Returns the text of a page without its code.
fn page(text: &str) -> Passage {
    let (mut lines, mut in_code) = (Vec::new(), false);
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        } else if !in_code && !line.starts_with("    ") {
            lines.push((number, line.to_owned()));
        }
    }
    Passage { kind: Kind::Page, lines }
}

fn rust(text: &str, with_messages: bool) -> Vec<Passage> {
    let mut all = Vec::new();
    // Tests have no messages for users.
    let tests = text.find("#[cfg(test)]").unwrap_or(text.len());
    scan(&text[..tests], &["//"], with_messages, &mut all);
    let before = text[..tests].matches('\n').count();
    let mut rest = Vec::new();
    scan(&text[tests..], &["//"], false, &mut rest);
    for passage in &mut rest {
        passage.lines.iter_mut().for_each(|(number, _)| *number += before);
    }
    all.extend(rest);
    all
}

/// Adds the comments and, if asked for, the strings of a source text. Strings are distinguished
/// from comments, whatever they contain.
fn scan(source: &str, line_marks: &[&str], with_messages: bool, all: &mut Vec<Passage>) {
    let has_blocks = line_marks[0] == "//";
    let (mut at, mut line) = (0, 1);
    while let Some(c) = source[at..].chars().next() {
        let rest = &source[at..];
        if let Some(mark) = line_marks.iter().find(|mark| rest.starts_with(**mark)) {
            let end = rest.find('\n').unwrap_or(rest.len());
            let (kind, text) = comment(&rest[..end], mark);
            match all.last_mut() {
                // The comment continues in the next line.
                Some(last)
                    if last.kind == kind
                        && last.lines.last().is_some_and(|(number, _)| number + 1 == line)
                        && source[..at].rsplit('\n').next().is_some_and(|start| start.trim().is_empty()) =>
                {
                    last.lines.push((line, text.to_owned()));
                }
                _ => all.push(Passage { kind, lines: vec![(line, text.to_owned())] }),
            }
            at += end;
        } else if has_blocks && rest.starts_with("/*") {
            let end = rest.find("*/").map_or(rest.len(), |end| end + 2);
            let kind = if rest.starts_with("/**") { Kind::Documentation } else { Kind::Comment };
            let body = rest[..end].trim_end_matches("*/");
            let lines: Vec<_> = (line..)
                .zip(body.lines())
                .map(|(number, text)| (number, text.trim_start_matches([' ', '\t', '/', '*']).to_owned()))
                .collect();
            line += rest[..end].matches('\n').count();
            all.push(Passage { kind, lines });
            at += end;
        } else if let Some((start, len)) = string(rest, has_blocks) {
            if start == 3 {
                let lines =
                    (line..).zip(rest[3..len].trim_end_matches('"').lines().map(str::to_owned)).collect();
                all.push(Passage { kind: Kind::Documentation, lines });
            } else if with_messages {
                let body = rest[start..len].trim_end_matches(['"', '#', '\'']);
                // Code and tables have no sentences.
                if body.matches(' ').count() > 1 {
                    let lines = (line..).zip(body.lines().map(str::to_owned)).collect();
                    all.push(Passage { kind: Kind::Message, lines });
                }
            }
            line += rest[..len].matches('\n').count();
            at += len;
        } else if c.is_alphanumeric() || c == '_' {
            // Skip a word: the quotation mark after it may belong to it.
            at += rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        } else {
            line += usize::from(c == '\n');
            at += c.len_utf8();
        }
    }
}

/// Returns the kind and the text of a comment up to the end of its line.
fn comment<'a>(line: &'a str, mark: &str) -> (Kind, &'a str) {
    let body = &line[mark.len()..];
    match body.strip_prefix(['/', '!']).filter(|more| mark == "//" && !more.starts_with('/')) {
        Some(text) if body.starts_with('!') => (Kind::Head, text),
        Some(text) => (Kind::Documentation, text),
        None => (Kind::Comment, body),
    }
}

/// Returns the start of the text in a string literal, and the length of the literal, if `rest`
/// begins with one.
fn string(rest: &str, has_characters: bool) -> Option<(usize, usize)> {
    if has_characters && rest.starts_with('\'') {
        // A character of Rust or C, or a lifetime, whose quotation mark alone is skipped.
        let mut chars = rest[1..].char_indices();
        let (_, first) = chars.next()?;
        let close = if first == '\\' { rest[3..].find('\'')? + 3 } else { 1 + first.len_utf8() };
        let is_character = rest[close..].starts_with('\'') && close < 14;
        return Some((1, if is_character { close + 1 } else { 1 }));
    }
    // Only strings of Python have text that begins at 3.
    if !has_characters && rest.starts_with("\"\"\"") {
        let len = rest[3..].find("\"\"\"").map_or(rest.len(), |end| end + 6);
        return Some((3, len));
    }
    let start = rest
        .find('"')
        .filter(|&at| matches!(rest[..at].trim_end_matches('#'), "" | "b" | "c" | "r" | "br" | "cr"))
        .filter(|&at| has_characters || at == 0)?;
    let body = &rest[start + 1..];
    if rest[..start].contains('r') {
        let end = format!("\"{}", rest[..start].trim_start_matches(['b', 'c', 'r']));
        return Some((start + 1, start + 1 + body.find(&end)? + end.len()));
    }
    let mut is_escaped = false;
    let end = body.bytes().position(|byte| {
        let ends = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        ends
    })?;
    Some((start + 1, start + 1 + end + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(file: &str, text: &str) -> Vec<(Kind, usize, String)> {
        let all = passages(file, text, Language::of(file).unwrap());
        let short = |passage: &Passage| {
            let text: Vec<_> = passage.lines.iter().map(|(_, line)| line.trim()).collect();
            (passage.kind, passage.lines[0].0, text.join("|"))
        };
        all.iter().map(short).collect()
    }

    #[test]
    fn rust_has_documentation_comments_and_messages() {
        let source = "//! Head.\n\n/// One\n/// two.\nfn f<'a>() { // three\n    g(\"no // comment\", 'x', '\"'); /* four */\n}\n//// rule\n#[cfg(test)]\nmod t { /* five */ const A: &str = \"not a message\"; }\n";
        use Kind::{Comment, Documentation, Head, Message};
        let all = [
            (Head, 1, "Head."),
            (Documentation, 3, "One|two."),
            (Comment, 5, "three"),
            (Message, 6, "no // comment"),
            (Comment, 6, "four"),
            (Comment, 8, "// rule"),
            (Comment, 10, "five"),
        ];
        let all = all.map(|(kind, line, text)| (kind, line, text.to_owned()));
        assert_eq!(texts("crates/placemat-cli/src/a.rs", source), all);
        let without = |source: &str| texts("crates/placemat/tests/a.rs", source).len();
        assert_eq!(without(source), 6);
    }

    #[test]
    fn pages_are_read_without_code() {
        let page = "A\n```sh\nsign\n```\n    sign\nB\n";
        assert_eq!(texts("docs/a.md", page), [(Kind::Page, 1, "A|B".to_owned())]);
    }

    #[test]
    fn comments_of_other_languages_are_read() {
        let python = "a = \"# no\"  # yes\n\"\"\"Read\nthis.\"\"\"\n# on\n# and on\n";
        assert_eq!(
            texts("a.py", python),
            [
                (Kind::Comment, 1, "yes".to_owned()),
                (Kind::Documentation, 2, "Read|this.".to_owned()),
                (Kind::Comment, 4, "on|and on".to_owned())
            ]
        );
        let c = "/** One\n * two. */\nint a; // three\n";
        assert_eq!(
            texts("a.h", c),
            [(Kind::Documentation, 1, "One|two.".to_owned()), (Kind::Comment, 3, "three".to_owned())]
        );
        assert_eq!(Language::of("a.bin"), None);
    }
}
