//! The tokens of Rust source, as far as the tasks need them.

/// Returns `true` if a token is a name or a keyword.
pub(crate) fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Returns the names and punctuation of Rust source, without comments, strings, characters, numbers
/// and lifetimes.
pub(crate) fn tokens(source: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = source;
    while let Some(c) = rest.chars().next() {
        let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let len = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |at| at + 2)
        } else if let Some(len) = string(rest) {
            len
        } else if c == '\'' {
            // The quote begins a character, or else a lifetime.
            let body = rest[1..].strip_prefix('\\').map_or(1, |_| 2);
            let first = rest[body..].chars().next().map_or(0, char::len_utf8);
            match rest[body + first..].find('\'') {
                Some(0) => body + first + 1,
                Some(more) if body == 2 => body + first + more + 1,
                _ => 1 + rest[1..].find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(0),
            }
        } else if word > 0 {
            if is_name(rest) {
                tokens.push(rest[..word].into());
            }
            word
        } else {
            let len = if rest.starts_with("::") { 2 } else { c.len_utf8() };
            if !c.is_whitespace() && c != '$' {
                tokens.push(rest[..len].into());
            }
            len
        };
        rest = &rest[len..];
    }
    tokens
}

/// Returns the length of the string literal that begins here, if there is one.
fn string(rest: &str) -> Option<usize> {
    let start = rest
        .find('"')
        .filter(|&at| matches!(rest[..at].trim_end_matches('#'), "" | "b" | "c" | "r" | "br" | "cr"))?;
    let body = &rest[start + 1..];
    if rest[..start].contains('r') {
        let end = format!("\"{}", rest[..start].trim_start_matches(['b', 'c', 'r']));
        return Some(start + 1 + body.find(&end)? + end.len());
    }
    let mut escaped = false;
    let end = body.bytes().position(|byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    })?;
    Some(start + 1 + end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_and_comments_are_no_code() {
        let source = r##"a::b /* c */ // d
            'e' '\'' '"' "f\" g" r#"h " i"# b"j" fn k<'l>(m: &'l str)"##;
        assert_eq!(tokens(source).concat(), "a::bfnk<>(m:&str)");
    }
}
