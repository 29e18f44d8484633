//! The globs of `.editorconfig`, as its C core reads them.
//!
//! | glob | matches |
//! | --- | --- |
//! | `*` | any text without a slash |
//! | `**` | any text; `/**/` a slash too |
//! | `?` | one character, and no slash |
//! | `[ab]`, `[a-z]`, `[!ab]` | one character of these, or of all others |
//! | `{a,b*}` | one of these globs; they can be nested |
//! | `{3..12}` | a whole number from 3 to 12, without a zero in front |
//! | `\*` | the character itself |
//!
//! A glob without a slash matches a name in any directory, one with a slash a path from the
//! directory of the file on. Braces that do not pair are literal, as are brackets with a slash in
//! them and braces without a comma. Numbers are as in the C core: zero is none, and where a glob
//! has a range, what it matches must have a number for it, even if another glob in the braces has
//! matched. The C core goes by bytes, and this goes by characters.

use core::ops::RangeInclusive;
use regex_automata::nfa::thompson::pikevm::PikeVM;
use regex_automata::nfa::thompson::{Config, NFA};
use std::path::Path;

/// No reasonable glob needs as much memory.
const LARGEST: usize = 1 << 18;
/// No glob is longer, as in the C core.
const LONGEST: usize = 4096;

/// A glob.
#[derive(Debug)]
pub(super) struct Glob {
    vm: PikeVM,
    /// The ranges of the numbers that it matches, in order.
    numbers: Vec<RangeInclusive<i64>>,
}

impl Glob {
    /// `None` if the glob matches nothing: a bracket is not closed, or a range ends before it starts.
    pub(super) fn new(glob: &str) -> Option<Self> {
        if glob.len() > LONGEST {
            return None;
        }
        let rooted = match glob.find('/') {
            Some(0) => glob.to_owned(),
            Some(_) => format!("/{glob}"),
            None => format!("/**/{glob}"),
        };
        let mut parser = Parser::new(&rooted);
        let pattern = parser.pattern()?;
        let nfa = NFA::compiler()
            .configure(Config::new().nfa_size_limit(Some(LARGEST)).shrink(false))
            .build(&pattern)
            .ok()?;
        Some(Self { vm: PikeVM::new_from_nfa(nfa).ok()?, numbers: parser.numbers })
    }

    /// Returns `true` if the glob matches a path below its directory.
    pub(super) fn matches(&self, path: &Path) -> bool {
        let text = format!("/{}", path.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/"));
        let mut captures = self.vm.create_captures();
        self.vm.captures(&mut self.vm.create_cache(), &*text, &mut captures);
        let in_range = |(i, range): (usize, &RangeInclusive<i64>)| {
            let digits = captures.get_group(i + 1).map_or("", |span| &text[span.range()]);
            // Numbers that do not fit are outside every range.
            !digits.starts_with('0') && digits.parse().is_ok_and(|number| range.contains(&number))
        };
        captures.is_match() && self.numbers.iter().enumerate().all(in_range)
    }
}

/// A character of a glob.
#[derive(Clone, Copy, Debug)]
struct Token {
    c: char,
    /// The character is literal.
    escaped: bool,
}

impl Token {
    fn is(self, c: char) -> bool {
        self.c == c && !self.escaped
    }
}

/// Makes a regular expression of a glob.
#[derive(Debug)]
struct Parser {
    glob: Vec<Token>,
    at: usize,
    /// Whether braces are more than text.
    paired: bool,
    /// Braces that are open.
    depth: usize,
    pattern: String,
    numbers: Vec<RangeInclusive<i64>>,
}

impl Parser {
    fn new(text: &str) -> Self {
        let mut glob = Vec::new();
        let mut chars = text.chars();
        while let Some(c) = chars.next() {
            match (c, chars.clone().next()) {
                ('\\', Some(next)) => {
                    glob.push(Token { c: next, escaped: true });
                    chars.next();
                }
                ('\\', None) => glob.push(Token { c, escaped: true }),
                _ => glob.push(Token { c, escaped: false }),
            }
        }
        let mut depth = Some(0_usize);
        for token in &glob {
            if token.is('{') {
                depth = depth.map(|depth| depth + 1);
            } else if token.is('}') {
                depth = depth.and_then(|depth| depth.checked_sub(1));
            }
        }
        let paired = depth == Some(0);
        Self { glob, at: 0, paired, depth: 0, pattern: String::from(r"\A(?s:"), numbers: Vec::new() }
    }

    /// Returns the whole expression.
    fn pattern(&mut self) -> Option<String> {
        while let Some(&token) = self.glob.get(self.at) {
            let Token { c, escaped } = token;
            self.at += 1;
            match c {
                _ if escaped => self.literal(c),
                '?' => self.pattern.push_str("[^/]"),
                '*' if self.next_is('*') => {
                    self.at += 1;
                    self.pattern.push_str(".*");
                }
                '*' => self.pattern.push_str("[^/]*"),
                '/' if self.next_is('*') && self.is(self.at + 1, '*') && self.is(self.at + 2, '/') => {
                    self.at += 3;
                    self.pattern.push_str("(?:/|/.*/)");
                }
                '[' => self.bracket()?,
                '{' if self.paired => self.brace(),
                '}' if self.paired => {
                    self.depth = self.depth.checked_sub(1)?;
                    self.pattern.push(')');
                }
                ',' if self.depth > 0 => self.pattern.push('|'),
                _ => self.literal(c),
            }
        }
        self.pattern.push_str(r")\z");
        (self.depth == 0).then(|| core::mem::take(&mut self.pattern))
    }

    fn is(&self, at: usize, c: char) -> bool {
        self.glob.get(at).is_some_and(|token| token.is(c))
    }

    fn next_is(&self, c: char) -> bool {
        self.is(self.at, c)
    }

    fn literal(&mut self, c: char) {
        regex_syntax::escape_into(c.encode_utf8(&mut [0; 4]), &mut self.pattern);
    }

    /// After an opening bracket.
    fn bracket(&mut self) -> Option<()> {
        let rest = &self.glob[self.at..];
        let closing = rest.iter().position(|token| token.is(']'));
        if rest[..closing.unwrap_or(rest.len())].iter().any(|token| token.is('/')) {
            // No name has a slash: all of it is text.
            let len = closing.map_or(rest.len(), |closing| closing + 1);
            self.literal('[');
            for i in self.at..self.at + len {
                self.literal(self.glob[i].c);
            }
            self.at += len;
            return Some(());
        }
        self.pattern.push('[');
        if self.next_is('!') {
            self.at += 1;
            self.pattern.push('^');
        }
        let start = self.at;
        loop {
            let &token = self.glob.get(self.at)?;
            self.at += 1;
            // A closing bracket that is the first member of a set is literal.
            if token.is(']') && self.at - 1 > start {
                break;
            }
            let between = self.at - 1 > start && !self.next_is(']');
            if token.is('-') && between {
                self.pattern.push('-');
            } else {
                self.literal(token.c);
            }
        }
        self.pattern.push(']');
        Some(())
    }

    /// After an opening brace.
    fn brace(&mut self) {
        let rest = &self.glob[self.at..];
        let end = rest.iter().position(|token| token.is('}') || token.is(','));
        match end.filter(|&end| rest[end].is('}')) {
            Some(end) => {
                let inner: String = rest[..end].iter().map(|token| token.c).collect();
                if let Some(range) = number_range(&inner) {
                    self.numbers.push(range);
                    self.pattern.push_str("([+-]?[0-9]+)");
                    self.at += end + 1;
                } else {
                    // Without a comma the braces are text; the glob inside them is not.
                    self.glob[self.at + end].escaped = true;
                    self.literal('{');
                }
            }
            None => {
                self.depth += 1;
                self.pattern.push_str("(?:");
            }
        }
    }
}

/// `3..12`
fn number_range(text: &str) -> Option<RangeInclusive<i64>> {
    let (first, last) = text.split_once("..")?;
    let number = |text: &str| {
        let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
        let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        // A bound that does not fit is treated as unlimited.
        let most = if text.starts_with('-') { i64::MIN } else { i64::MAX };
        plain.then(|| text.parse().unwrap_or(most))
    };
    Some(number(first)?..=number(last)?)
}

#[cfg(test)]
mod peer;

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(glob: &str, matching: &[&str], others: &[&str]) {
        let matches = |path: &str| Glob::new(glob).is_some_and(|glob| glob.matches(Path::new(path)));
        for path in matching {
            assert!(matches(path), "{glob} matches {path}");
        }
        for path in others {
            assert!(!matches(path), "{glob} does not match {path}");
        }
    }

    #[test]
    fn globs_of_each_kind() {
        check("[!b].txt", &["a.txt", "x/a.txt", "é.txt"], &["b.txt", "x/b.txt", "ab.txt"]);
        check("*/a.txt", &["x/a.txt"], &["a.txt", "x/y/a.txt"]);
        check("sub/", &[], &["sub", "sub/a"]);
        check("sub/**", &["sub/a", "sub/x/a"], &["sub", "a"]);
        check("x/**/a", &["x/a", "x/y/a", "x/y/z/a"], &["xa", "a"]);
        check("/*.c", &["a.c"], &["x/a.c"]);
        check("a{1..12}", &["a1", "a12", "x/a3"], &["a0", "a13", "a01", "a", "a99999999999999999999"]);
        check("{3..1}", &[], &["2"]);
        check("*.{a,b{c,d}}", &["x.a", "x.bc", ".bd"], &["x.b", "x.c"]);
        check("{a}", &["{a}"], &["a"]);
        check("{a,b", &["{a,b"], &["a"]);
        check("{a*,}b", &["b", "ab", "axb"], &["a", "{b"]);
        check("[a/b]", &[], &["a", "b"]);
        check("[ab", &[], &["a", "[ab"]);
        check("[z-a]", &[], &["a", "m"]);
        check("[]a-]", &["]", "a", "-"], &["b"]);
        check("a?", &["ab", "aé"], &["a", "abc", "a/"]);
        check(r"\{a,b\}\*", &["{a,b}*"], &["a", "{a,b}x"]);
    }

    #[test]
    fn hostile_globs_take_no_time() {
        for glob in [
            "{".repeat(9000),
            "{a,".repeat(1000),
            "**/".repeat(1300) + "x",
            "{*,}".repeat(1000),
            "*".repeat(4000),
        ] {
            if let Some(glob) = Glob::new(&glob) {
                glob.matches(Path::new(&"a/".repeat(500)));
            }
        }
    }
}
