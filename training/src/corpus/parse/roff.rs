//! Manual pages: the man macros of groff, as far as their prose goes.

/// Requests and macros that begin a paragraph; what stands on their line is not prose.
const BREAKS: [&str; 14] =
    ["PP", "P", "LP", "TP", "TQ", "IP", "HP", "RS", "RE", "br", "sp", "Pp", "It", "PD"];

/// Macros whose arguments are prose.
const PROSE: [&str; 12] = ["B", "I", "BR", "BI", "IR", "IB", "RB", "RI", "SM", "SB", "SH", "SS"];

/// Returns the paragraphs of a page.
pub(crate) fn paragraphs(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut paragraph = String::new();
    // Inside an example or a definition of a macro: text up to the line that ends it.
    let mut until: Option<&[&str]> = None;
    for line in text.lines() {
        let request = line.strip_prefix(['.', '\'']).map(str::trim_start);
        let name = request.map_or("", |r| r.split([' ', '\t']).next().unwrap_or_default());
        if let Some(ends) = until {
            if request.is_some() && ends.contains(&name) {
                until = None;
            }
            continue;
        }
        match name {
            "nf" => until = Some(&["fi"]),
            "EX" => until = Some(&["EE"]),
            "de" | "ig" => until = Some(&["."]),
            _ => {}
        }
        let Some(request) = request else {
            if line.trim().is_empty() {
                end(&mut paragraph, &mut out);
            } else {
                paragraph.push_str(&plain(line));
                paragraph.push(' ');
            }
            continue;
        };
        let heading = matches!(name, "SH" | "SS");
        if heading || until.is_some() || BREAKS.contains(&name) {
            end(&mut paragraph, &mut out);
        }
        if PROSE.contains(&name) {
            let arguments = request[name.len()..].trim().replace('"', "");
            paragraph.push_str(&plain(&arguments));
            paragraph.push(' ');
        }
        if heading {
            end(&mut paragraph, &mut out);
        }
    }
    end(&mut paragraph, &mut out);
    out
}

fn end(paragraph: &mut String, out: &mut Vec<String>) {
    if !paragraph.trim().is_empty() {
        out.push(paragraph.trim().to_owned());
    }
    paragraph.clear();
}

/// Returns a line with its escapes replaced: groff(7), section "Escape sequences".
fn plain(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let mut chars = rest.chars();
        let Some(escape) = chars.next() else { break };
        rest = chars.as_str();
        match escape {
            '"' => return out,
            '-' => out.push('-'),
            'e' | '\\' => out.push('\\'),
            '~' => out.push('\u{A0}'),
            ' ' | '0' => out.push(' '),
            '\'' | '`' => out.push(escape),
            '(' => out.push_str(&glyph(two(&mut rest))),
            '[' => out.push_str(&glyph(bracketed(&mut rest))),
            '*' => out.push_str(&glyph(name(&mut rest))),
            'f' | 'm' | 'n' | 'F' => _ = name(&mut rest),
            's' => size(&mut rest),
            // Places of possible breaks, spaces of no width, and what this reader does not know.
            _ => {}
        }
    }
    out.push_str(rest);
    out
}

fn two<'a>(rest: &mut &'a str) -> &'a str {
    let end = rest.char_indices().nth(2).map_or(rest.len(), |(at, _)| at);
    let (name, after) = rest.split_at(end);
    *rest = after;
    name
}

fn bracketed<'a>(rest: &mut &'a str) -> &'a str {
    let (name, after) = rest.split_once(']').unwrap_or((rest, ""));
    *rest = after;
    name
}

/// Returns a name of one character, of two after `(`, or in brackets.
fn name<'a>(rest: &mut &'a str) -> &'a str {
    if let Some(after) = rest.strip_prefix('(') {
        *rest = after;
        two(rest)
    } else if let Some(after) = rest.strip_prefix('[') {
        *rest = after;
        bracketed(rest)
    } else {
        let end = rest.chars().next().map_or(0, char::len_utf8);
        let (name, after) = rest.split_at(end);
        *rest = after;
        name
    }
}

fn size(rest: &mut &str) {
    if let Some(after) = rest.strip_prefix('[') {
        *rest = after;
        _ = bracketed(rest);
    } else {
        let after = rest.strip_prefix(['+', '-']).unwrap_or(rest);
        *rest = after.strip_prefix(|c: char| c.is_ascii_digit()).unwrap_or(after);
    }
}

/// Returns a glyph by its name in `groff_char(7)`; one that is unknown is a space.
fn glyph(name: &str) -> String {
    let known = match name {
        "aq" | "cq" => "'",
        "oq" => "‘",
        "dq" => "\"",
        "lq" => "“",
        "rq" => "”",
        "Bq" => "„",
        "bq" => "‚",
        "Fo" => "«",
        "Fc" => "»",
        "bu" => "•",
        "em" => "—",
        "en" => "–",
        "hy" => "-",
        "ti" | "ha" => "",
        "co" => "©",
        "rg" => "®",
        "tm" => "™",
        "de" => "°",
        "mu" => "×",
        "Eu" => "€",
        "ss" => "ß",
        _ => "",
    };
    let code_point =
        name.strip_prefix('u').and_then(|hex| u32::from_str_radix(hex, 16).ok()).and_then(char::from_u32);
    match (known, code_point) {
        ("", Some(c)) => c.to_string(),
        ("", None) => " ".to_owned(),
        (known, _) => known.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::paragraphs;

    #[test]
    fn prose_of_a_page() {
        let page = ".\\\" Kommentar\n.TH LS 1 \"Mai\"\n.SH BESCHREIBUNG\n\\fBls\\fP \u{fc}bergeht \\(lqpunkt\\(rq\\-Dateien\\c\n.PP\n.B Fett \"und dünn\"\nEnde \\[u00E9]\\s-1x\\s0 \\*(lq\\&a\n.nf\nint main()\n.fi\n.TP 2\nNoch einer \\\" nichts";
        let expected =
            ["BESCHREIBUNG", "ls übergeht “punkt”-Dateien", "Fett und dünn Ende éx “a", "Noch einer"];
        assert_eq!(paragraphs(page), expected);
    }

    #[test]
    fn cut_escapes_end() {
        for line in ["\\", "\\(", "\\(a", "\\[ab", "\\f", "\\f(", "\\s", "\\*", "\\(é"] {
            let _ = paragraphs(line);
        }
    }
}
