//! Comments that suppress the findings of lints: `placemat:ignore`, `placemat:ignore-next-line` and `placemat:ignore-file`, each
//! with the kinds that it is for, or for all kinds without any.

use super::lint::Kind;
use memchr::memmem;

/// The start of each comment.
const MARKER: &[u8] = b"placemat:ignore";
/// A comment for a whole file stands within this many bytes from its start.
const MAX_FILE_COMMENT_BYTES: usize = 4096;
/// A line of this length is searched for comments as a whole.
const MAX_LINE_BYTES: usize = 4096;

/// The findings that a comment is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    Line,
    NextLine,
    File,
}

/// The kinds of findings that comments suppress.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Kinds {
    all: bool,
    named: Vec<&'static str>,
}

/// The comments of a file that are in force.
#[derive(Debug, Default)]
pub(super) struct Suppressed {
    /// The kinds for the whole file.
    file: Kinds,
    /// The kinds for the first line of the next piece.
    next_line: Kinds,
    /// The number of bytes of the file before the next piece, up to where a comment can be for all of it.
    passed: usize,
}

impl Suppressed {
    /// Takes a piece of the text, before its findings are asked for.
    pub(super) fn begin_piece(&mut self, text: &[u8]) {
        if self.passed < MAX_FILE_COMMENT_BYTES {
            let head = &text[..text.len().min(MAX_FILE_COMMENT_BYTES - self.passed)];
            comments(head, Scope::File, &mut self.file);
            self.passed += head.len();
        }
    }

    /// Takes the end of the piece, after its findings.
    pub(super) fn end_piece(&mut self, text: &[u8]) {
        let Some(end) = memchr::memrchr(b'\n', text) else { return };
        self.next_line = Kinds::default();
        if end + 1 == text.len() {
            comments(line_before(text, end), Scope::NextLine, &mut self.next_line);
        }
    }

    /// Returns `true` if a comment suppresses a finding at `start` of the piece.
    pub(super) fn has(&self, kind: Kind, text: &[u8], start: usize, end: usize) -> bool {
        let code = kind.code();
        if self.file.contains(code) {
            return true;
        }
        let from = start.saturating_sub(MAX_LINE_BYTES);
        let to = text.len().min(end + MAX_LINE_BYTES);
        let line_start = memchr::memrchr(b'\n', &text[from..start]).map_or(from, |at| from + at + 1);
        let line_end = memchr::memchr(b'\n', &text[end..to]).map_or(to, |at| end + at);
        let mut kinds = Kinds::default();
        comments(&text[line_start..line_end], Scope::Line, &mut kinds);
        if line_start > 0 && line_start > from {
            comments(line_before(text, line_start - 1), Scope::NextLine, &mut kinds);
        } else if line_start == 0 && self.next_line.contains(code) {
            return true;
        }
        kinds.contains(code)
    }

    /// Returns the length of the text that is examined now: whole lines, unless the last one is long.
    pub(super) fn settled(text: &[u8]) -> usize {
        let from = text.len().saturating_sub(MAX_LINE_BYTES);
        match memchr::memrchr(b'\n', &text[from..]) {
            Some(at) => from + at + 1,
            None if from == 0 => 0,
            None => text.len(),
        }
    }
}

impl Kinds {
    fn contains(&self, code: &str) -> bool {
        self.all || self.named.iter().any(|named| is_named(named, code))
    }
}

/// Returns `true` if the name, of a kind or of its lint, is for a kind.
fn is_named(name: &str, code: &str) -> bool {
    name == code
        || match name {
            "controls" => matches!(code, "control" | "eof-1a"),
            "bidi" => matches!(code, "bidi-control" | "bidi-unterminated"),
            "noncharacters" => code == "noncharacter",
            "separators" => code == "separator",
            "confusables" => code == "confusable",
            "lookalikes" => code == "lookalike",
            _ => false,
        }
}

/// The names of kinds and lints that comments may have.
const NAMES: [&str; 25] = [
    "noncharacter",
    "noncharacters",
    "control",
    "controls",
    "eof-1a",
    "bidi",
    "bidi-control",
    "bidi-unterminated",
    "private-use",
    "invisible",
    "replacement",
    "separator",
    "separators",
    "mojibake",
    "confusable",
    "confusables",
    "mixed-script",
    "lookalike",
    "lookalikes",
    "not-nfc",
    "crlf",
    "mixed-eol",
    "cr-eol",
    "bom-shebang",
    "declaration",
];

/// Returns the line that ends at `end`, without its start if it is long.
fn line_before(text: &[u8], end: usize) -> &[u8] {
    let from = end.saturating_sub(MAX_LINE_BYTES);
    let start = memchr::memrchr(b'\n', &text[from..end]).map_or(from, |at| from + at + 1);
    &text[start..end]
}

/// Adds the kinds of the comments of a scope in some text.
fn comments(text: &[u8], wanted: Scope, kinds: &mut Kinds) {
    for at in memmem::find_iter(text, MARKER) {
        let rest = &text[at + MARKER.len()..];
        let (scope, rest) = if let Some(rest) = rest.strip_prefix(b"-next-line") {
            (Scope::NextLine, rest)
        } else if let Some(rest) = rest.strip_prefix(b"-file") {
            (Scope::File, rest)
        } else {
            (Scope::Line, rest)
        };
        if scope != wanted || rest.first().is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'-') {
            continue;
        }
        let mut is_any = false;
        let line = rest.split(|byte| matches!(byte, b'\r' | b'\n')).next().unwrap_or_default();
        let words = line.split(|byte| matches!(byte, b' ' | b'\t' | b',' | b'(' | b')' | b':' | b'='));
        for word in words.filter(|word| !word.is_empty()) {
            let Some(name) = NAMES.iter().find(|name| name.as_bytes() == word) else { break };
            kinds.named.push(name);
            is_any = true;
        }
        kinds.all |= !is_any;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has(text: &str, kind: Kind) -> bool {
        let at = text.find('@').expect("the place is marked");
        let mut suppressed = Suppressed::default();
        suppressed.begin_piece(text.as_bytes());
        suppressed.has(kind, text.as_bytes(), at, at + 1)
    }

    #[test]
    fn comments_suppress_what_they_name() {
        for (text, is_suppressed) in [
            ("x = '@'  # placemat:ignore\n", true),
            ("x = '@'  # placemat:ignore invisible\n", true),
            ("x = '@'  // placemat:ignore: controls, invisible -- needed\n", true),
            ("x = '@'  /* placemat:ignore(confusables) */\n", false),
            ("x = '@'  # placemat:ignored\n", false),
            ("x = '@'\n# placemat:ignore\n", false),
            ("# placemat:ignore\nx = '@'\n", false),
            ("# placemat:ignore-next-line invisible\nx = '@'\n", true),
            ("# placemat:ignore-next-line\n\nx = '@'\n", false),
            ("# placemat:ignore-next-line bidi\nx = '@'\n", false),
            ("; placemat:ignore-file invisible\n\n\nx = '@'\n", true),
            ("; placemat:ignore-file controls\n\n\nx = '@'\n", false),
            ("placemat:ignore-file because it is a table\n\nx = '@'\n", true),
        ] {
            assert_eq!(has(text, Kind::Invisible), is_suppressed, "{text}");
        }
    }

    #[test]
    fn pieces_hold_whole_lines() {
        let long = "x".repeat(MAX_LINE_BYTES);
        for (text, settled) in [
            ("one\ntwo", 4),
            ("one\n", 4),
            ("one", 0),
            ("", 0),
            (&*format!("one\n{long}"), 4 + MAX_LINE_BYTES),
            (&*long, 0),
            (&*format!("{long}x"), MAX_LINE_BYTES + 1),
        ] {
            assert_eq!(Suppressed::settled(text.as_bytes()), settled, "{} bytes", text.len());
        }
        let mut suppressed = Suppressed::default();
        let first = b"# placemat:ignore-next-line\n";
        suppressed.begin_piece(first);
        suppressed.end_piece(first);
        assert!(suppressed.has(Kind::Control, b"\x01", 0, 1));
        suppressed.end_piece(b"\x01\n");
        assert!(!suppressed.has(Kind::Control, b"\x01", 0, 1));
    }
}
