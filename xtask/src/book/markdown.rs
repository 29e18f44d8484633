//! The sources of the book: their links, the list of pages, and blocks of code that no test runs.

use super::files;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Pages outside `docs/` whose links are checked too.
const OTHER_PAGES: [&str; 6] = [
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "bench/README.md",
    "bindings/python/README.md",
    "bindings/web/package/README.md",
];

/// The kinds of blocks, and the tests that run them. Other kinds of blocks are not allowed.
const KINDS: [&str; 15] = [
    // The command's tests run these.
    "console", "live", "vim", "elisp", // `xtask/src/lib.rs`, as doctests.
    "rust",  // The tests of the packages, in every page.
    "python", "js", // `bindings/c/package/guide.py`.
    "c", "sh", "cmake", // Shown, not run.
    "text", "json", "yaml", "toml", "sql",
];

/// A page: its links and its anchors.
struct Page {
    path: PathBuf,
    text: String,
    anchors: HashSet<String>,
}

/// Returns all faults, one line each.
pub(super) fn wrong(root: &Path) -> Result<Vec<String>, String> {
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let anchors = anchors(&text);
        Ok::<_, String>(Page { path, text, anchors })
    };
    let docs = root.join("docs");
    let is_page = |path: &Path| path.extension().is_some_and(|extension| extension == "md");
    let mut pages = Vec::new();
    for path in files::below(&docs).map_err(|e| e.to_string())?.into_iter().filter(|path| is_page(path)) {
        pages.push(read(path)?);
    }
    for other in OTHER_PAGES {
        pages.push(read(root.join(other))?);
    }
    let by_path: HashMap<&Path, &Page> = pages.iter().map(|page| (&*page.path, page)).collect();
    let mut wrong = Vec::new();
    for page in &pages {
        let name = page.path.strip_prefix(root).unwrap_or(&page.path).display();
        for (line, target) in links(&page.text) {
            if let Some(what) = broken(&page.path, &target, &by_path) {
                wrong.push(format!("{name}:{line}: {target}: {what}"));
            }
        }
    }
    unlisted(&docs, &pages, &mut wrong);
    not_run(root, &docs, &pages, &mut wrong)?;
    Ok(wrong)
}

/// Returns the fault of a link, if it has one.
fn broken(from: &Path, target: &str, pages: &HashMap<&Path, &Page>) -> Option<&'static str> {
    let has_scheme = target.split_once(':').is_some_and(|(scheme, _)| {
        !scheme.is_empty() && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'+')
    });
    if has_scheme {
        return None;
    }
    let (path, anchor) = target.split_once('#').map_or((target, None), |(path, anchor)| (path, Some(anchor)));
    let file = if path.is_empty() { from.to_path_buf() } else { joined(from.parent()?, path) };
    if !file.exists() {
        return Some("no such file");
    }
    match (anchor, pages.get(&*file)) {
        (Some(anchor), Some(page)) if !page.anchors.contains(anchor) => Some("no such heading"),
        _ => None,
    }
}

/// Returns the path without `.` and `..`.
pub(super) fn joined(folder: &Path, path: &str) -> PathBuf {
    let mut whole = folder.to_path_buf();
    for part in Path::new(path).components() {
        match part {
            Component::ParentDir => _ = whole.pop(),
            Component::CurDir => {}
            other => whole.push(other),
        }
    }
    whole
}

/// Returns the lines outside blocks of code, with their numbers.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut inside = false;
    text.lines().enumerate().filter_map(move |(number, line)| {
        if line.trim_start().starts_with("```") {
            inside = !inside;
            return None;
        }
        (!inside).then_some((number + 1, line))
    })
}

/// Returns the targets of the links and pictures, and of link definitions (`[a]: b.md`), with their lines.
fn links(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (number, line) in prose(text) {
        let definition = line.strip_prefix('[').and_then(|rest| rest.split_once("]: "));
        found.extend(definition.map(|(_, target)| (number, target.trim().to_owned())));
        let line = without_code(line);
        for (at, _) in line.match_indices("](") {
            if let Some(end) = line[at + 2..].find(')') {
                found.push((number, line[at + 2..at + 2 + end].to_owned()));
            }
        }
    }
    found
}

/// Returns the line with blanks in place of text in backquotes.
fn without_code(line: &str) -> String {
    let mut inside = false;
    let blank = |c: char| {
        inside ^= c == '`';
        if inside || c == '`' { ' ' } else { c }
    };
    line.chars().map(blank).collect()
}

/// Returns the anchors of the headings, as forges and mdBook derive them.
fn anchors(text: &str) -> HashSet<String> {
    let mut found = HashSet::new();
    for (_, line) in prose(text) {
        let title = line.trim_start_matches('#');
        if title.len() == line.len() || !title.starts_with(' ') {
            continue;
        }
        let anchor = anchor(title.trim());
        let mut unique = anchor.clone();
        for number in 1.. {
            if found.insert(unique) {
                break;
            }
            unique = format!("{anchor}-{number}");
        }
    }
    found
}

fn anchor(title: &str) -> String {
    let title = title.to_lowercase();
    let kept = title.chars().filter(|&c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// Pages that readers open in the repository: they are many, or very long.
const OUTSIDE: [&str; 3] = ["decisions", "speed/benchmarks.md", "speed/kernels.md"];

/// Finds pages that the summary lacks.
fn unlisted(docs: &Path, pages: &[Page], wrong: &mut Vec<String>) {
    let listed: HashSet<PathBuf> = pages
        .iter()
        .filter(|page| page.path == docs.join("SUMMARY.md"))
        .flat_map(|page| links(&page.text))
        .map(|(_, target)| joined(docs, &target))
        .collect();
    for page in pages.iter().filter(|page| page.path.starts_with(docs)) {
        let name = page.path.strip_prefix(docs).unwrap_or(&page.path);
        let is_outside = OUTSIDE.iter().any(|outside| name.starts_with(outside));
        if !is_outside && name != Path::new("SUMMARY.md") && !listed.contains(&page.path) {
            wrong.push(format!("docs/{}: not in docs/SUMMARY.md", name.display()));
        }
    }
}

/// Finds blocks of code that no test runs.
fn not_run(root: &Path, docs: &Path, pages: &[Page], wrong: &mut Vec<String>) -> Result<(), String> {
    let doctests = root.join("xtask/src/lib.rs");
    let doctests = fs::read_to_string(&doctests).map_err(|e| format!("{}: {e}", doctests.display()))?;
    for page in pages.iter().filter(|page| page.path.starts_with(docs)) {
        let name = page.path.strip_prefix(docs).unwrap_or(&page.path).to_string_lossy().into_owned();
        if name.starts_with("decisions") {
            continue;
        }
        let mut before = "";
        let mut lines = page.text.lines().enumerate();
        while let Some((number, line)) = lines.next() {
            let Some(kind) = line.strip_prefix("```") else {
                before = line;
                continue;
            };
            let mut block = String::new();
            for (_, line) in lines.by_ref().take_while(|(_, line)| !line.starts_with("```")) {
                block += line;
                block.push('\n');
            }
            let mut tell = |what: &str| wrong.push(format!("docs/{name}:{}: {what}", number + 1));
            if !KINDS.contains(&kind) {
                tell("a block of a kind that nothing runs");
            }
            // `<!-- as FILE -->` names the file whose tests run the same block.
            let other = before.strip_prefix("<!-- as ").and_then(|rest| rest.strip_suffix(" -->"));
            if let Some(other) = other {
                let text = fs::read_to_string(root.join(other)).unwrap_or_default();
                if !text.contains(&block) {
                    tell("this block is not in the file that is named before it");
                }
            } else if kind == "rust" && !doctests.contains(&format!("\"{name}\"")) {
                tell("xtask/src/lib.rs does not list this page, so its Rust is not run");
            }
            before = "";
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_found_outside_of_code() {
        let text = "[a](b.md) `[c](d)` [e](f#g)\n```text\n[h](i)\n```\n![j](k.png)\n[`l`]: m.md\n";
        let found = links(text).into_iter().map(|(line, target)| format!("{line} {target}"));
        assert_eq!(found.collect::<Vec<_>>(), ["1 b.md", "1 f#g", "5 k.png", "6 m.md"]);
    }

    #[test]
    fn anchors_are_those_of_forges() {
        let found =
            anchors("# Python's own `codecs`\n## iconv(3)\n## iconv(3)\n```sh\n# no heading\n```\n#no\n");
        let wanted = ["pythons-own-codecs", "iconv3", "iconv3-1"].map(str::to_owned);
        assert_eq!(found, HashSet::from(wanted));
    }

    #[test]
    fn a_link_to_nothing_is_told() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let page = joined(&root, "docs/README.md");
        let text = "# One\n".to_owned();
        let one = Page { path: page.clone(), anchors: anchors(&text), text };
        let pages = HashMap::from([(&*page, &one)]);
        for right in [
            "#one",
            "README.md#one",
            "SUMMARY.md",
            "../Cargo.toml",
            "https://example.org/",
            "mailto:a@example.org",
        ] {
            assert_eq!(broken(&page, right, &pages), None, "{right}");
        }
        assert_eq!(broken(&page, "no.md", &pages), Some("no such file"));
        assert_eq!(broken(&page, "#two", &pages), Some("no such heading"));
    }
}
