//! HTML and the XML of the manuals of GNOME (Mallard): the text of their blocks.

use placemat::transfer::{Decoder, Transfer};

/// Elements whose content is not prose.
const SKIPPED: [&str; 12] =
    ["script", "style", "head", "code", "cmd", "pre", "screen", "tt", "kbd", "samp", "nav", "info"];

/// Elements that stand within a line; all others begin and end a block.
const INLINE: [&str; 33] = [
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "em", "font", "i", "ins", "label", "link",
    "mark", "q", "s", "small", "span", "strong", "sub", "sup", "u", "var", "wbr", "gui", "guiseq", "key",
    "keyseq", "app", "file", "sys", "input",
];

/// Returns the text of each block, with its references replaced.
pub(crate) fn blocks(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut block = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        block.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(comment) = rest.strip_prefix("<!--") {
            rest = comment.find("-->").map_or("", |end| &comment[end + 3..]);
            continue;
        }
        let tag = &rest[1..];
        let closes = tag.starts_with('/');
        let name = tag.trim_start_matches('/');
        let name = &name[..name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name.len())];
        let name = name.to_ascii_lowercase();
        let Some(end) = end_of_tag(tag) else {
            rest = "";
            break;
        };
        if name.is_empty() && !tag.starts_with(['/', '!', '?']) {
            // A less-than sign that begins no tag.
            block.push('<');
            rest = tag;
            continue;
        }
        let empty = tag[..end].ends_with('/');
        rest = &tag[end + 1..];
        if SKIPPED.contains(&name.as_str()) && !closes && !empty {
            rest = after_closing(rest, &name);
            block.push(' ');
        } else if name == "br" || name == "img" {
            block.push(' ');
        } else if !INLINE.contains(&name.as_str()) {
            end_block(&mut block, &mut out);
        }
    }
    block.push_str(rest);
    end_block(&mut block, &mut out);
    out
}

/// Returns the offset of the `>` that ends a tag, outside the values of its attributes.
fn end_of_tag(tag: &str) -> Option<usize> {
    let mut quote = None;
    for (at, b) in tag.bytes().enumerate() {
        match (quote, b) {
            (None, b'>') => return Some(at),
            (None, b'"' | b'\'') => quote = Some(b),
            (Some(q), b) if q == b => quote = None,
            _ => {}
        }
    }
    // A stray apostrophe in a tag: the first `>` ends it.
    tag.find('>')
}

/// Returns the text after the end tag of an element without elements of its own name.
fn after_closing<'a>(text: &'a str, name: &str) -> &'a str {
    let mut rest = text;
    while let Some(at) = rest.find("</") {
        rest = &rest[at + 2..];
        let found = rest.get(..name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name));
        if found && !rest[name.len()..].starts_with(|c: char| c.is_ascii_alphanumeric()) {
            return rest.find('>').map_or("", |end| &rest[end + 1..]);
        }
    }
    ""
}

fn end_block(block: &mut String, out: &mut Vec<String>) {
    if !block.trim().is_empty() {
        out.push(without_references(block));
    }
    block.clear();
}

/// Character references replaced; those that are malformed stay.
pub(crate) fn without_references(text: &str) -> String {
    if !text.contains('&') {
        return text.to_owned();
    }
    let mut out = Vec::with_capacity(text.len());
    let decoded = Decoder::new(Transfer::References).lenient().push(text.as_bytes(), true, &mut out);
    debug_assert!(decoded.is_ok(), "a lenient decoder reports no error");
    String::from_utf8(out).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::blocks;

    #[test]
    fn text_of_blocks() {
        let html = "<!DOCTYPE html><html><head><title>Kopf</title></head><body><!-- <p>nicht</p> --><h1 id='a>b'>Über\nuns</h1>\
                    <p>Ein <b>Wo</b>rt &amp; &eacute;in<br/>Ende <code>x &lt; y</code>.</p><script>if (a < b) {}</script><td>A<td>1 < 2</body>";
        assert_eq!(
            blocks(html),
            ["Über\nuns", "Ein Wort & éin Ende  .", " A", "1 < 2"].map(|s| s.trim_start().to_owned())
        );
    }

    #[test]
    fn broken_markup_ends() {
        for text in ["<", "<p", "a<!--", "<code>", "<code>x</cod", "<p title='", "</", "&#"] {
            let _ = blocks(text);
        }
        assert_eq!(blocks("<p title='a>b</p>"), ["b"]);
    }
}
