//! Decides which prose users read.

use super::source::{Kind, Passage};
use std::collections::BTreeSet;
use std::path::Path;

/// The crates whose public items are listed in `crates/placemat/api.txt`.
const LIBRARY: &[&str] = &[
    "crates/placemat-core/src/",
    "crates/placemat-charsets/src/",
    "crates/placemat-detect/src/",
    "crates/placemat/src/",
];

/// The public items of the library, by name.
#[derive(Default)]
pub(super) struct Public {
    /// Modules, functions, types and other items of modules: the keyword, and the name.
    items: BTreeSet<(String, String)>,
    /// Methods, variants, fields and other members: the type or trait, and the name.
    members: BTreeSet<(String, String)>,
}

impl Public {
    pub(super) fn read(list: &Path) -> Result<Self, String> {
        let text = std::fs::read_to_string(list).map_err(|e| format!("{}: {e}", list.display()))?;
        Ok(Self::parse(&text))
    }

    /// Reads lines such as `pub fn placemat::utf8::validate(src: &[u8]) -> usize`.
    pub(super) fn parse(list: &str) -> Self {
        let mut all = Self::default();
        for line in list.lines().filter(|line| !line.starts_with("impl")) {
            let Some(start) = line.find("placemat") else { continue };
            let path = path(&line[start..]);
            let [.., parent, name] = &path[..] else { continue };
            let keyword = line[..start].split_whitespace().next_back().unwrap_or_default();
            all.items.insert((keyword.to_owned(), name.clone()));
            all.members.insert((parent.clone(), name.clone()));
        }
        all
    }

    /// Returns `true` if a constant in a file of the library has the name of a public one.
    pub(super) fn has_constant(&self, file: &str, name: &str) -> bool {
        LIBRARY.iter().any(|start| file.starts_with(start))
            && self.items.contains(&("const".to_owned(), name.to_owned()))
    }
}

/// Returns the names of a path at the start of a text, without the generics between them.
fn path(text: &str) -> Vec<String> {
    let (mut names, mut depth) = (vec![String::new()], 0_usize);
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let mut len = c.len_utf8();
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            ':' if rest.starts_with("::") => {
                names.push(String::new());
                len = 2;
            }
            c if c.is_alphanumeric() || c == '_' => names.last_mut().unwrap_or(&mut String::new()).push(c),
            _ => break,
        }
        rest = &rest[len..];
    }
    names.retain(|name| !name.is_empty());
    names
}

/// Returns `true` if users read a passage: a message, a README, a page, a help text, or the
/// documentation of a public item.
pub(super) fn is_read_by_users(file: &str, text: &str, passage: &Passage, public: &Public) -> bool {
    match passage.kind {
        // The documentation in a header for users.
        Kind::Comment => file.ends_with(".h") && file.contains("/include/"),
        Kind::Message | Kind::Help => true,
        Kind::Page => {
            file.ends_with("README.md") || file.starts_with("docs/") && !file.starts_with("docs/decisions/")
        }
        Kind::Head | Kind::Documentation if !file.ends_with(".rs") => {
            [".h", ".d.ts", ".pyi"].iter().any(|end| file.ends_with(end))
        }
        Kind::Head | Kind::Documentation => {
            let lines: Vec<&str> = text.lines().collect();
            let Some((last, _)) = passage.lines.last() else { return false };
            LIBRARY.iter().any(|start| file.starts_with(start))
                && match passage.kind {
                    Kind::Head => is_public_module(file, public),
                    _ => is_public_item(&lines, *last, public),
                }
        }
    }
}

/// Returns `true` if a file is a public module.
fn is_public_module(file: &str, public: &Public) -> bool {
    let name = Path::new(file).file_stem().unwrap_or_default().to_string_lossy();
    name == "lib" || public.items.contains(&("mod".to_owned(), name.into_owned()))
}

/// Returns `true` if the documentation that ends in line `last`, numbered from 1 on, belongs to a
/// public item.
fn is_public_item(lines: &[&str], last: usize, public: &Public) -> bool {
    let item = item(lines, last);
    let Some(item) = lines.get(item) else { return false };
    let words: Vec<&str> =
        item.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).collect();
    let is_modifier = |word: &&&str| matches!(**word, "pub" | "const" | "unsafe" | "async" | "extern" | "C");
    let keywords =
        ["fn", "struct", "enum", "union", "trait", "mod", "type", "const", "static", "macro_rules"];
    let at = words.iter().take_while(is_modifier).count();
    // `const NAME` is a constant, and `const fn` is not.
    let (keyword, name) = match words.get(at) {
        Some(keyword) if keywords.contains(keyword) => (*keyword, words.get(at + 1)),
        Some(_) if words[..at].contains(&"const") => ("const", words.get(at)),
        _ => ("", words.get(at)),
    };
    let Some(name) = name else { return false };
    if item.starts_with("pub ") {
        return public.items.contains(&(keyword.to_owned(), (*name).to_owned()));
    }
    container(lines, last)
        .and_then(|head| type_of(lines[head]))
        .is_some_and(|parent| public.members.contains(&(parent, (*name).to_owned())))
}

/// Returns the index of the line with the item that the documentation ending in line `last`
/// describes: the first after its attributes.
fn item(lines: &[&str], last: usize) -> usize {
    let (mut at, mut depth) = (last, 0_isize);
    while let Some(line) = lines.get(at) {
        let line = line.trim_start();
        if depth == 0 && !line.starts_with("#[") && !line.starts_with("//") {
            break;
        }
        if !line.starts_with("//") {
            depth += line.matches('[').count() as isize - line.matches(']').count() as isize;
        }
        at += 1;
    }
    at
}

/// Returns the index of the line that begins the block around the line `number`.
fn container(lines: &[&str], number: usize) -> Option<usize> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let inside = indent(lines[number - 1]);
    (0..number).rev().find(|&at| {
        let line = lines[at];
        indent(line) < inside && line.starts_with(|c: char| c.is_alphabetic())
            || indent(line) + 4 == inside && {
                let start = line.trim_start();
                ["pub ", "impl", "enum ", "struct ", "trait "].iter().any(|word| start.starts_with(word))
            }
    })
}

/// Returns the type in the head of a block: `impl Trait for Type {`, `impl<T> Type<T>`,
/// `pub enum Type` or `pub trait Type`.
fn type_of(head: &str) -> Option<String> {
    let head = head.trim_start();
    let rest = if let Some(rest) = head.strip_prefix("impl") {
        let rest = if rest.starts_with('<') {
            let mut depth = 0_usize;
            let end = rest.find(|c| {
                depth = match c {
                    '<' => depth + 1,
                    '>' => depth - 1,
                    _ => depth,
                };
                depth == 0
            })?;
            &rest[end + 1..]
        } else {
            rest
        };
        rest.split_once(" for ").map_or(rest, |(_, rest)| rest)
    } else {
        ["enum ", "struct ", "trait ", "union "].iter().find_map(|word| head.split_once(word))?.1
    };
    path(rest.trim_start()).pop()
}

/// Returns `true` if clap makes a help text of a passage in the command's source.
pub(super) fn is_help_text(file: &str, text: &str, passage: &Passage) -> bool {
    file.starts_with("crates/placemat-cli/src/")
        && passage.kind == Kind::Documentation
        && passage.lines.last().is_some_and(|(last, _)| is_help(&text.lines().collect::<Vec<_>>(), *last))
}

/// Returns `true` if clap makes a help text of the documentation that ends in a line.
fn is_help(lines: &[&str], last: usize) -> bool {
    let attributes = lines[last.min(lines.len())..item(lines, last)].concat();
    if ["#[arg", "#[command", "#[value", "#[clap"].iter().any(|start| attributes.contains(start)) {
        return true;
    }
    let derives = |attributes: &str| {
        ["Args", "Parser", "Subcommand", "ValueEnum"].iter().any(|name| {
            attributes.contains("#[derive(")
                && attributes.split(|c: char| !c.is_alphanumeric()).any(|word| word == *name)
        })
    };
    derives(&attributes)
        || container(lines, last).is_some_and(|head| {
            let above = (0..head).rev().take_while(|&at| {
                let line = lines[at].trim_start();
                line.starts_with("#[") || line.starts_with("//")
            });
            derives(&above.map(|at| lines[at]).collect::<String>())
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::source::{Language, passages};

    /// Returns the documentation that users read.
    fn read(file: &str, text: &str, list: &str) -> Vec<String> {
        let public = Public::parse(list);
        passages(file, text, Language::of(file).unwrap())
            .into_iter()
            .filter(|passage| {
                is_help_text(file, text, passage) || is_read_by_users(file, text, passage, &public)
            })
            .map(|passage| passage.lines[0].1.trim().to_owned())
            .collect()
    }

    #[test]
    fn documentation_of_listed_items_is_public() {
        let source = "\
//! Module.
/// A.
#[derive(Debug)]
pub struct Text<T>(T);
/// Private.
struct Other;
impl<T: Into<u8>> Text<T> {
    /// B.
    #[must_use]
    pub const fn of() {}
    /// Private.
    pub fn hidden() {}
}
/// C.
pub enum Kind {
    /// D.
    One,
}
/// E.
pub const SIZE: u8 = 1;
/// Private.
pub(crate) fn open() {}
";
        let list = "\
pub mod placemat::text
pub struct placemat::text::Text<T>(_)
pub const fn placemat::text::Text<T>::of()
pub enum placemat::text::Kind
pub placemat::text::Kind::One
pub const placemat::SIZE: u8
pub fn placemat::open()
";
        assert_eq!(
            read("crates/placemat/src/text.rs", source, list),
            ["Module.", "A.", "B.", "C.", "D.", "E."]
        );
        assert_eq!(read("crates/placemat-iconv/src/text.rs", source, list), [""; 0]);
    }

    #[test]
    fn help_texts_are_public() {
        let source = "\
/// Private.
struct A;
/// A.
#[derive(Debug, clap::Args)]
pub struct B {
    /// B.
    #[arg(long)]
    b: bool,
    /// C.
    c: u8,
}
";
        assert_eq!(read("crates/placemat-cli/src/args.rs", source, ""), ["A.", "B.", "C."]);
    }

    #[test]
    fn pages_for_users_are_public() {
        for (file, is_public) in
            [("bindings/python/README.md", true), ("docs/guides/c.md", true), ("docs/decisions/a.md", false)]
        {
            assert_eq!(read(file, "Text.\n", "").len(), usize::from(is_public), "{file}");
        }
    }
}
