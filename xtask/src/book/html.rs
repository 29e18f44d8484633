//! Post-processes the built book: removes content that pages do not need, turns links that lead out
//! of the book into text, and checks all others.

use super::files;
use super::markdown::joined;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Finishes all pages.
pub(super) fn finish(root: &Path, book: &Path) -> Result<(), String> {
    let say = |path: &Path, e: std::io::Error| format!("{}: {e}", path.display());
    // The configuration is not part of the book.
    fs::remove_file(book.join("book.toml")).map_err(|e| say(book, e))?;
    let index = book.join("searchindex.js");
    let text = fs::read_to_string(&index).map_err(|e| say(&index, e))?;
    fs::write(&index, small_index(&text)).map_err(|e| say(&index, e))?;
    let mut pages = HashMap::new();
    for path in files::below(book).map_err(|e| say(book, e))? {
        if path.extension().is_some_and(|extension| extension == "html") {
            let text = fs::read_to_string(&path).map_err(|e| say(&path, e))?;
            pages.insert(path, text);
        }
    }
    let anchors: HashMap<PathBuf, HashSet<String>> = pages
        .iter()
        .map(|(path, text)| (path.clone(), values(text, " id=\"").map(str::to_owned).collect()))
        .collect();
    let mut wrong = Vec::new();
    for (path, text) in &pages {
        let text = without_outside_links(root, book, path, &reachable(&small(text)), &mut wrong);
        for target in values(&text, " href=\"").chain(values(&text, " src=\"")) {
            if let Some(what) = broken(path, target, &anchors) {
                let page = path.strip_prefix(book).unwrap_or(path).display();
                wrong.push(format!("{page}: {target}: {what}"));
            }
        }
        fs::write(path, text).map_err(|e| say(path, e))?;
    }
    for picture in files::below(&book.join("img")).map_err(|e| say(book, e))? {
        let name = picture.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !pages.values().any(|text| text.contains(&format!("/{name}\""))) {
            fs::remove_file(&picture).map_err(|e| say(&picture, e))?;
        }
    }
    wrong.sort();
    wrong.dedup();
    for line in &wrong {
        eprintln!("{line}");
    }
    if wrong.is_empty() { Ok(()) } else { Err(format!("{} broken links in the book", wrong.len())) }
}

/// Returns the values of an attribute, given as ` name="`.
fn values<'a>(text: &'a str, attribute: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(attribute).skip(1).filter_map(|rest| rest.split_once('"')).map(|(value, _)| value)
}

/// Returns the page without comments, indentation and empty lines, except in preformatted text.
fn small(page: &str) -> String {
    let mut out = String::with_capacity(page.len());
    let mut rest = page;
    while let Some(at) = rest.find("<pre") {
        let end = rest[at..].find("</pre>").map_or(rest.len(), |end| at + end);
        push_small(&rest[..at], &mut out);
        out.push_str(&rest[at..end]);
        rest = &rest[end..];
    }
    push_small(rest, &mut out);
    out
}

fn push_small(mut text: &str, out: &mut String) {
    let mut bare = String::with_capacity(text.len());
    while let Some((before, comment)) = text.split_once("<!--") {
        bare.push_str(before);
        text = comment.split_once("-->").map_or("", |(_, after)| after);
    }
    bare.push_str(text);
    let is_cut = !bare.ends_with('\n');
    for line in bare.lines() {
        let line = line.trim_start();
        if !line.is_empty() {
            out.push_str(line);
            out.push('\n');
        }
    }
    if is_cut && out.ends_with('\n') {
        out.pop();
    }
}

/// Returns the page with everything that scrolls sideways reachable by keyboard, and with the role
/// of a button where it is missing.
fn reachable(page: &str) -> String {
    let table = "<div class=\"table-wrapper\" tabindex=\"0\" role=\"region\" aria-label=\"Table\">";
    page.replace("<div class=\"table-wrapper\">", table)
        .replace("<pre><code", "<pre><code tabindex=\"0\"")
        // mdBook uses a label as a button without declaring its role.
        .replace(
            "<label id=\"mdbook-sidebar-toggle\"",
            "<label role=\"button\" tabindex=\"0\" id=\"mdbook-sidebar-toggle\"",
        )
}

/// Returns the index of the search without the entries for every letter of a word, which are never
/// read, and with weights of three digits.
fn small_index(index: &str) -> String {
    let index = index.replace("\"docs\":{},\"df\":0,", "").replace("\"docs\":{},\"df\":0", "");
    let mut out = String::with_capacity(index.len());
    let mut rest = &*index;
    while let Some((before, after)) = rest.split_once("\"tf\":") {
        let end = after.find('}').unwrap_or(after.len());
        let weight: f64 = after[..end].parse().unwrap_or(1.0);
        let rounded = (weight * 100.0).round() / 100.0;
        out.push_str(before);
        out.push_str("\"tf\":");
        out.push_str(&rounded.to_string());
        rest = &after[end..];
    }
    out.push_str(rest);
    out
}

/// Turns each link to a file of the repository outside the book into text that names the file.
fn without_outside_links(
    root: &Path,
    book: &Path,
    page: &Path,
    text: &str,
    wrong: &mut Vec<String>,
) -> String {
    let docs = root.join("docs");
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("<a href=\"") {
        let after = &rest[at + "<a href=\"".len()..];
        let (Some((target, _)), Some(inner), Some(end)) =
            (after.split_once('"'), after.find('>'), after.find("</a>"))
        else {
            break;
        };
        let (path, anchor) = target.split_once('#').map_or((target, ""), |(path, anchor)| (path, anchor));
        let file = joined(page.parent().unwrap_or(book), path);
        // mdBook makes `index.html` of `README.md`, but does not change the links to it.
        if file.ends_with("README.html") && file.with_file_name("index.html").exists() {
            let hash = if anchor.is_empty() { "" } else { "#" };
            out.push_str(&rest[..at]);
            out.push_str(&format!("<a href=\"{}{hash}{anchor}\"", path.replace("README.html", "index.html")));
            rest = &after[target.len() + 1..];
            continue;
        }
        if path.is_empty() || path.contains(':') || file.exists() {
            let keep = rest.len() - after.len();
            out.push_str(&rest[..keep]);
            rest = after;
            continue;
        }
        // The same path beside the source of the page; mdBook has changed the extension of Markdown
        // files.
        let source = page.strip_prefix(book).map_or_else(|_| docs.clone(), |page| docs.join(page));
        let source = joined(source.parent().unwrap_or(&docs), path);
        let found = [source.clone(), source.with_extension("md")].into_iter().find(|file| file.exists());
        let Some(found) = found else {
            wrong.push(format!("{}: {target}: no such file", page.display()));
            out.push_str(&rest[..rest.len() - after.len()]);
            rest = after;
            continue;
        };
        let name = found.strip_prefix(root).unwrap_or(&found).display().to_string();
        out.push_str(&rest[..at]);
        out.push_str("<span class=\"outside\" title=\"in the repository: ");
        out.push_str(&name);
        out.push_str("\">");
        out.push_str(&after[inner + 1..end]);
        out.push_str("</span>");
        rest = &after[end + "</a>".len()..];
    }
    out.push_str(rest);
    out
}

/// Returns the fault of a link within the book, if it has one.
fn broken(page: &Path, target: &str, anchors: &HashMap<PathBuf, HashSet<String>>) -> Option<&'static str> {
    if target.contains(':') {
        return None;
    }
    let (path, anchor) = target.split_once('#').map_or((target, ""), |(path, anchor)| (path, anchor));
    let file = if path.is_empty() { page.to_path_buf() } else { joined(page.parent()?, path) };
    if !file.exists() {
        return Some("no such file");
    }
    let has_anchor = anchor.is_empty() || anchors.get(&file).is_none_or(|ids| ids.contains(anchor));
    (!has_anchor).then_some("no such anchor")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_pages_keep_preformatted_text() {
        let page = "<p>\n    a <!-- no\n  more --> b\n\n</p>\n<pre>\n  <!-- kept -->\n</pre>\n  <p>c";
        assert_eq!(small(page), "<p>\na  b\n</p>\n<pre>\n  <!-- kept -->\n</pre>\n<p>c");
    }

    #[test]
    fn a_small_index_has_the_same_words() {
        let index = r#"{"docs":{},"df":0,"a":{"docs":{"1":{"tf":1.7320508},"2":{"tf":1.0}},"df":2}}"#;
        assert_eq!(small_index(index), r#"{"a":{"docs":{"1":{"tf":1.73},"2":{"tf":1}},"df":2}}"#);
    }
}
