//! The forms that are banned, and what to write instead.
//!
//! A form is a pattern of words: `a|b` is one of several words, `_` any word, `#` a number, a backtick a span of code, `^` the
//! start of a sentence and `$` the end of one or of a part of it. A hit does not count where a pattern of `unless` covers
//! its first word.

use super::source::{Kind, Passage};

struct Rule {
    forms: &'static [&'static str],
    unless: &'static [&'static str],
    say: &'static str,
    /// Messages may have the form: its short word is what users know.
    may_be_in_messages: bool,
}

const fn always(forms: &'static [&'static str], say: &'static str) -> Rule {
    Rule { forms, unless: &[], say, may_be_in_messages: false }
}

const RULES: &[Rule] = &[
    Rule {
        forms: &["sign|signs"],
        unless: &[
            // Characters that have the word in their name.
            "euro|yen|sheqel|currency|plus|minus|equals|percent|micro|dollar|pound|number|multiplication sign|signs",
            "won|registered|copyright|trademark|degree|section|cent|hryvnia|question|paragraph|division|at sign|signs",
            "less|greater - than sign|signs",
            "` sign|signs",
            "euro|yen and _ sign|signs",
            "sharp|hard|soft|postal|half - width|sign sign|signs",
            "hard|soft|postal sign|signs",
            // Numbers.
            "sign bit|bits|extension",
            "sign of _ number|lane|byte|difference",
            "with|without a sign",
            "no|other sign of",
        ],
        say: "character, code point, symbol or mark",
        may_be_in_messages: false,
    },
    Rule {
        forms: &["behind"],
        unless: &[
            "behind a|an|the feature|features|flag|cfg|lock|pointer|proxy",
            "behind pointers|cfg",
            "behind a|an|the _ pointer|lock|feature",
            "leave|leaves|left|leaving behind",
            "leave|leaves|left|leaving _ behind",
            "leave|leaves|left|leaving _ _ behind",
        ],
        say: "after, past, or below (a score)",
        may_be_in_messages: false,
    },
    Rule {
        forms: &["way|ways"],
        unless: &[
            "way|ways to|into|out|back|in|round|around",
            "the only|usual way",
            "one way of",
            "in _ way|ways",
            "in _ _ way|ways",
            "on the|its|their way",
            "out of the way",
            "under|either|all|half|no|any way",
            "all|half the way",
            "both|two ways",
            "two|one|three - way",
        ],
        say: "fast path, strategy, method, loop or kernel; through",
        may_be_in_messages: false,
    },
    always(&["foresee|foresees|foreseen|unforeseen"], "predict"),
    always(&["anew"], "again, from scratch"),
    Rule {
        forms: &["so many"],
        unless: &["so many that"],
        say: "this many, up to N, or the number by its name",
        may_be_in_messages: false,
    },
    Rule {
        forms: &["as many|much as"],
        unless: &[
            "cost|costs|takes|take|counts|count|gains|twice|times|half|by|not as much|many as",
            "percent|% as much|many as",
        ],
        say: "up to, at most, all that",
        may_be_in_messages: false,
    },
    always(&["nobody wrote|writes", "nobody has written"], "uninitialized, unchanged"),
    always(&["stand|stands|stood|standing for"], "represents, replaces, is; replacement"),
    always(&["times the speed"], "N× faster, N times as fast"),
    Rule {
        forms: &[
            "` tells|says|told",
            "function|method|field|flag|bit|bits|mask|table|index|row|value|number|result tells|says",
            "tells|says whether",
        ],
        // Configuration and arguments.
        unless: &["` says otherwise|so"],
        say: "returns, is, contains, means",
        may_be_in_messages: false,
    },
    Rule {
        forms: &["cut|cuts|cutting off"],
        unless: &[],
        say: "truncated; incomplete",
        may_be_in_messages: true,
    },
    Rule { forms: &["cannot hold"], unless: &[], say: "cannot represent, lacks", may_be_in_messages: true },
    always(&["# and more $", "# _ and more $", "# % and more $"], "at least N, or N or more"),
    always(&["^ that|those of", "^ as for `"], "the noun: the errors of, the requirements of"),
];

/// First words of documentation that make it depend on its neighbors.
///
/// `What to write` is allowed: there it is not a question.
const FIRST: &[(&str, &str)] = &[
    ("it|they|those|its|their|such|that", "begin with the subject"),
    ("this is|has|was|are|can|may|must|will|does|means|one|many|much", "begin with the subject"),
    ("this `|$", "begin with the subject"),
    ("as|of|so|and|or|but", "begin with the subject, or a verb"),
    ("like ` .", "say what differs, or what it does"),
    ("the same $|as|for|of|in|with|by|from|on|at|test", "begin with the subject"),
    ("what|where", "name the thing: the bytes that …, the offset of …"),
    ("all of it|them", "begin with the subject"),
    ("says|tells", "returns, is"),
];

/// Last words of a constant's name that name neither a subject nor a unit.
const VAGUE: &[&str] =
    &["FEW", "MANY", "NEAR", "FAR", "MOST", "LEAST", "ROOM", "PIECE", "LITTLE", "SHORT", "LONG"];
/// The words of [`VAGUE`] that are a subject if a unit follows.
const NOUNS: &[&str] = &["ROOM", "PIECE"];
const UNITS: &[&str] = &["BYTES", "UNITS", "POINTS", "CHARS", "NATS", "BLOCKS", "LINES"];

/// A word, a span of code, a number or a punctuation mark.
#[derive(Debug)]
struct Token {
    /// In lower case; a backtick for code, `#` for a number.
    text: String,
    as_written: String,
    line: usize,
    begins_sentence: bool,
}

/// Returns the hits in a passage: line, form as written, and suggestion.
pub(super) fn find(passage: &Passage) -> Vec<(usize, String, &'static str)> {
    let tokens = tokens(passage);
    let mut hits = Vec::new();
    let has_subject = matches(&tokens, 0, "what to").is_some();
    if matches!(passage.kind, Kind::Head | Kind::Documentation | Kind::Help) && !has_subject {
        let first = FIRST.iter().find_map(|(form, say)| Some((matches(&tokens, 0, form)?, *say)));
        hits.extend(first.map(|(len, say)| hit(&tokens[..len.min(tokens.len())], say)));
    }
    let first = usize::from(!hits.is_empty());
    for rule in RULES {
        if rule.may_be_in_messages && matches!(passage.kind, Kind::Message | Kind::Help) {
            continue;
        }
        for at in first..tokens.len() {
            let Some(len) = rule.forms.iter().find_map(|form| matches(&tokens, at, form)) else { continue };
            let is_name = tokens[at].as_written.len() > 1
                && tokens[at].as_written.chars().all(|c| c.is_ascii_uppercase());
            let covers = |form: &&str| {
                let longest = form.split(' ').count();
                (at.saturating_sub(longest)..=at)
                    .any(|from| matches(&tokens, from, form).is_some_and(|len| from + len > at))
            };
            if !is_name && !rule.unless.iter().any(covers) {
                hits.push(hit(&tokens[at..(at + len).min(tokens.len())], rule.say));
            }
        }
    }
    hits
}

fn hit(tokens: &[Token], say: &'static str) -> (usize, String, &'static str) {
    let words: Vec<&str> = tokens.iter().map(|token| token.as_written.as_str()).collect();
    (tokens[0].line, words.join(" "), say)
}

/// Returns the number of tokens from `at` on that a form matches.
fn matches(tokens: &[Token], at: usize, form: &str) -> Option<usize> {
    let mut to = at;
    for part in form.split(' ') {
        let token = tokens.get(to);
        if part == "^" {
            if !token?.begins_sentence {
                return None;
            }
            continue;
        }
        let fits = |option: &str| match (option, token) {
            ("$", None) => true,
            ("$", Some(token)) => {
                matches!(token.text.as_str(), "." | "," | ":" | ";" | ")" | "|" | "?" | "!")
            }
            ("_", Some(token)) => token.text.starts_with(char::is_alphabetic),
            (option, Some(token)) => token.text == option,
            (_, None) => false,
        };
        if !part.split('|').any(fits) {
            return None;
        }
        to += 1;
    }
    Some(to - at)
}

/// Returns the words of a passage. Code is one token, and the targets of links are left out.
fn tokens(passage: &Passage) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let (mut in_block, mut in_code, mut begins_sentence) = (false, false, true);
    for (line, text) in &passage.lines {
        if passage.kind != Kind::Message && text.trim_start().starts_with("```") {
            in_block = !in_block;
            continue;
        }
        if in_block {
            continue;
        }
        if text.trim().is_empty() {
            (in_code, begins_sentence) = (false, true);
        }
        let mut rest = text.as_str();
        while let Some(c) = rest.chars().next() {
            let word =
                rest.find(|c: char| !c.is_alphanumeric() && c != '\'' && c != '_').unwrap_or(rest.len());
            let (len, is_token) = if c == '`' {
                in_code = !in_code;
                (1, in_code)
            } else if in_code || c.is_whitespace() {
                (c.len_utf8(), false)
            } else if rest.starts_with("](") {
                (rest.find(')').map_or(rest.len(), |end| end + 1), false)
            } else if let Some(escape) = rest.strip_prefix('\\') {
                (1 + escape.chars().next().map_or(0, char::len_utf8), false)
            } else if word > 0 {
                (word, true)
            } else {
                (c.len_utf8(), !matches!(c, '[' | ']' | '*' | '"'))
            };
            if is_token {
                let as_written = &rest[..len];
                let text = if as_written.chars().all(|c| c.is_ascii_digit()) {
                    "#".to_owned()
                } else {
                    as_written.to_lowercase()
                };
                let ends = matches!(c, '.' | '!' | '?');
                tokens.push(Token { text, as_written: as_written.to_owned(), line: *line, begins_sentence });
                begins_sentence = ends;
            }
            rest = &rest[len..];
        }
        // A heading ends a sentence.
        begins_sentence |= text.trim_start().starts_with("# ");
    }
    tokens
}

/// Returns the constants, also of generics, whose names lack a subject or a unit.
pub(super) fn constants(source: &str) -> Vec<(usize, String, &'static str)> {
    let mut hits = Vec::new();
    for (number, line) in (1..).zip(source.lines()) {
        if line.trim_start().starts_with("//") {
            continue;
        }
        for (at, keyword) in line.match_indices("const ").chain(line.match_indices("static ")) {
            // Only an item or a parameter counts, not text in a string.
            let before = line[..at].trim();
            let is_item = before.is_empty() || before.starts_with("pub") && !before.contains('"');
            if !is_item && !before.ends_with(['<', ',']) {
                continue;
            }
            let name = line[at + keyword.len()..].split(|c: char| !c.is_alphanumeric() && c != '_').next();
            if let Some(name) = name.filter(|name| is_vague(name)) {
                hits.push((number, name.to_owned(), "a name with subject and unit: MIN_KERNEL_BYTES"));
            }
        }
    }
    hits
}

fn is_vague(name: &str) -> bool {
    let parts: Vec<&str> = name.split('_').collect();
    match parts[..] {
        [.., last] if VAGUE.contains(&last) => true,
        [subject, unit] => UNITS.contains(&unit) && VAGUE.contains(&subject) && !NOUNS.contains(&subject),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forms(kind: Kind, text: &str) -> Vec<String> {
        let lines = (1..).zip(text.lines().map(str::to_owned)).collect();
        find(&Passage { kind, lines }).into_iter().map(|(_, form, _)| form.to_lowercase()).collect()
    }

    #[test]
    fn banned_forms_are_found() {
        for (text, form) in [
            ("Names and signs of Rust source.", "signs"),
            ("Writes behind the output.", "behind"),
            ("The text\nbehind the change.", "behind"),
            ("UTF-16 goes by way of UTF-8.", "way"),
            ("Such blocks go a shorter way.", "way"),
            ("The processor foresees it.", "foresees"),
            ("The line is read anew.", "anew"),
            ("Room for so\n    many bytes.", "so many"),
            ("Zeros, as many as anyone asks for.", "as many as"),
            ("Memory that nobody wrote before.", "nobody wrote"),
            ("The bytes that a name stands for.", "stands for"),
            ("Checked at 1.1 times the speed.", "times the speed"),
            ("The flag says that it is known, and `read` tells how much.", "` tells"),
            ("A sequence that is cut off.", "cut off"),
            ("A form that cannot hold it.", "cannot hold"),
            ("It gains 50 nats and more, at least.", "50 nats and more ,"),
            ("The length of a page. Those of pages are next.", "those of"),
            ("Ends.\n# Errors\nThose of the stream.", "those of"),
        ] {
            assert!(forms(Kind::Comment, text).iter().any(|found| found == form), "{text}");
        }
    }

    #[test]
    fn words_with_their_usual_meaning_are_not_found() {
        for text in [
            "The euro sign, a plus sign, and EURO SIGN; the sign bit.",
            "The type is behind a feature, and leaves nothing behind.",
            "The only way to read; a look on the way; the line under way; in this way; the other way round.",
            "There are so many that none is listed.",
            "A branch costs as much as ten bytes.",
            "`so many` and [text](behind.md) are code.",
            "The message says where. The text is cut, and more follows.",
            "The bytes of the page and those of the text.",
            "```\nbehind\n```\nA block of code.",
        ] {
            assert_eq!(forms(Kind::Comment, text), [""; 0], "{text}");
        }
        for kind in [Kind::Message, Kind::Help] {
            assert_eq!(forms(kind, "the text is cut off"), [""; 0]);
        }
    }

    #[test]
    fn documentation_begins_with_its_subject() {
        for text in [
            "It ends.",
            "They read.",
            "This is one.",
            "That of zero.",
            "Those of a page.",
            "As [`libiconvlist`].",
            "Of each piece, the start.",
            "So many bytes are left out.",
            "The same, for a page.",
            "What a rule covers.",
            "Where bit 7 is set.",
            "All of it.",
            "Such pieces.",
            "Like [`read`].",
            "Its length.",
            "Says which.",
        ] {
            assert_eq!(forms(Kind::Documentation, text).len(), 1, "{text}");
        }
        for text in [
            "Item.",
            "What to write for an error.",
            "This function reads.",
            "The same text in UTF-8.",
            "Like [`read`], but counts the bytes.",
            "Whether it ends.",
            "All signatures, longest first.",
            "`It` is a type.",
        ] {
            assert_eq!(forms(Kind::Documentation, text), [""; 0], "{text}");
        }
    }

    #[test]
    fn constants_name_subject_and_unit() {
        let names = |source: &str| constants(source).into_iter().map(|(_, name, _)| name).collect::<Vec<_>>();
        for name in ["FEW", "FIRST_PIECE", "FIT_LONG", "FEW_BYTES", "ROOM"] {
            assert_eq!(names(&format!("pub(crate) const {name}: usize = 1;")), [name]);
        }
        assert_eq!(names(&format!("fn copy<const {}: usize>() {{}}", "ROOM")), ["ROOM"]);
        for name in ["MIN_KERNEL_BYTES", "PIECE_BYTES", "LONG_LINE_BYTES", "SHORT_TEXT", "FEWER"] {
            assert_eq!(names(&format!("const {name}: usize = 1;")), [""; 0]);
        }
        assert_eq!(names("// const FEW: usize = 1;\nconst fn few() {}"), [""; 0]);
    }
}
