//! Finds files of a crate that import one another in a circle. A crate without circles can be read
//! from the bottom up, each file with knowledge of only those below it.
//!
//! An import is a path, in a `use` or in the code, that begins at the crate, a parent, a child or
//! an imported name. It leads to the file that defines the name, however many `use` re-export it.
//! `mod child;` is not an import, and items under `#[cfg(test)]` do not count.

use crate::tokens::{is_name, tokens};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{fs, io};

/// The root file of each crate, but `bindings/encoding-rs`: its items are those of another crate, and refer to one another.
const CRATES: &[&str] = &[
    "crates/placemat-core/src/lib.rs",
    "crates/placemat-charsets/src/lib.rs",
    "crates/placemat-detect/src/lib.rs",
    "crates/placemat/src/lib.rs",
    "crates/placemat-cli/src/main.rs",
    "crates/placemat-diagnose/src/lib.rs",
    "crates/placemat-iconv/src/lib.rs",
    "crates/placemat-arrow/src/lib.rs",
    "bench/src/main.rs",
    "bindings/chardetng/src/lib.rs",
    "bindings/c/contract/src/lib.rs",
    "bindings/c/iconv/src/lib.rs",
    "bindings/c/placemat/src/lib.rs",
    "bindings/python/src/lib.rs",
    "training/src/main.rs",
    "bindings/web/module/src/lib.rs",
    "bindings/web/page/engine/src/lib.rs",
    "xtask/src/main.rs",
    "xtask/api/src/main.rs",
    "xtask/kernels/src/main.rs",
];

/// The floors of `placemat-core`, from the bottom up. All other files are its face, on top of them.
const FLOORS: &[&str] = &["ground", "simd", "kernels", "checked", "forms", "engine"];

/// Returns the floor of a file of `placemat-core`; `None` for its root, which declares all modules,
/// and for other crates.
fn floor(file: &Path) -> Option<usize> {
    let room =
        Path::new(file.strip_prefix("crates/placemat-core/src").ok()?.components().next()?.as_os_str());
    if room == Path::new("lib.rs") {
        return None;
    }
    let name = room.file_stem()?;
    Some(FLOORS.iter().position(|floor| name == *floor).unwrap_or(FLOORS.len()))
}

/// Prints the circles of all crates and the imports that run upwards; with `check`, fails if there is one.
pub(crate) fn run(check: bool) -> Result<(), String> {
    let mut wrong = String::new();
    for &root in CRATES {
        let house = House::read(Path::new(root)).map_err(|e| format!("{root}: {e}"))?;
        let arrows = house.arrows();
        let circles = circles(&arrows);
        println!("{root}: {} files, {} circles", house.files(), circles.len());
        let mut said = String::new();
        for ((from, to), names) in &arrows {
            if floor(from).zip(floor(to)).is_some_and(|(from, to)| from < to) {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                said += &format!("upwards: {} -> {}: {}\n", from.display(), to.display(), names.join(", "));
            }
        }
        for circle in circles {
            said += &format!("a circle of {} files:\n", circle.len());
            for ((from, to), names) in &arrows {
                if circle.contains(from) && circle.contains(to) {
                    let names: Vec<&str> = names.iter().map(String::as_str).collect();
                    said += &format!("  {} -> {}: {}\n", from.display(), to.display(), names.join(", "));
                }
            }
        }
        if check {
            wrong += &said;
        } else {
            print!("{said}");
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong) }
}

/// The names that the first file takes from the second.
type Arrows = BTreeMap<(PathBuf, PathBuf), BTreeSet<String>>;

/// A path in the source, such as `super::output::escaped`.
type Names = Vec<String>;

/// The facts about a module. A module without a file of its own has the file of its parent.
#[derive(Default)]
struct Module {
    file: PathBuf,
    /// The names that the module defines.
    items: BTreeSet<String>,
    /// The paths that its `use` import, by the imported name.
    uses: BTreeMap<String, Names>,
    /// The paths of its `use …::*`.
    globs: Vec<Names>,
    /// Every path in the module.
    paths: BTreeSet<Names>,
}

/// The modules of a crate by their paths; that of the crate is empty.
#[derive(Default)]
struct House(BTreeMap<Names, Module>);

impl House {
    fn read(root: &Path) -> io::Result<Self> {
        let mut house = Self::default();
        house.file(&[], root, root.parent().unwrap_or(root))?;
        Ok(house)
    }

    /// Reads a file, and those of its children, which lie in `folder`.
    fn file(&mut self, module: &[String], file: &Path, folder: &Path) -> io::Result<()> {
        let tokens = tokens(&fs::read_to_string(file)?);
        let children = self.module(module, file, &tokens);
        for child in children {
            let below = folder.join(child.last().map_or("", String::as_str));
            let flat = below.with_extension("rs");
            let file = if flat.exists() { flat } else { below.join("mod.rs") };
            self.file(&child, &file, &below)?;
        }
        Ok(())
    }

    /// Reads the tokens of a module; returns its child modules that have files of their own.
    fn module(&mut self, path: &[String], file: &Path, tokens: &[String]) -> Vec<Names> {
        let mut module = Module { file: file.into(), ..Module::default() };
        let mut children = Vec::new();
        let (mut at, mut depth) = (0, 0_usize);
        while at < tokens.len() {
            let next = tokens.get(at + 1).map_or("", String::as_str);
            match (tokens[at].as_str(), next) {
                ("#", "[")
                    if tokens[at..]
                        .iter()
                        .take(6)
                        .map(String::as_str)
                        .eq(["#", "[", "cfg", "(", "test", ")"]) =>
                {
                    at = item_end(tokens, at);
                    continue;
                }
                // A `#[path]` attribute names a file of another crate, which imports nothing from
                // this one.
                ("#", "[") if tokens.get(at + 2).is_some_and(|token| token == "path") => {
                    let end = item_end(tokens, at);
                    let name = tokens[..end - 1].last().map_or("", String::as_str);
                    self.0.insert([path, &[name.into()]].concat(), Module::default());
                    at = end;
                    continue;
                }
                ("mod", name) if depth == 0 && is_name(name) => {
                    let child = [path, &[name.into()]].concat();
                    if tokens[at + 2] == "{" {
                        let end = closing(tokens, at + 2);
                        children.extend(self.module(&child, file, &tokens[at + 3..end]));
                        at = end;
                    } else {
                        children.push(child);
                        at += 2;
                    }
                }
                ("use", _) => {
                    let end = at + tokens[at..].iter().position(|token| token == ";").unwrap_or(0);
                    module.imports(&[], &tokens[at + 1..end]);
                    at = end;
                }
                ("fn" | "struct" | "enum" | "trait" | "type" | "const" | "static" | "union", name)
                    if depth == 0 =>
                {
                    module.items.insert(name.into());
                }
                ("{", _) => depth += 1,
                ("}", _) => depth = depth.saturating_sub(1),
                (name, "::") if is_name(name) => {
                    let mut names = vec![name.to_owned()];
                    while tokens.get(at + 1).is_some_and(|t| t == "::")
                        && tokens.get(at + 2).is_some_and(|t| is_name(t))
                    {
                        names.push(tokens[at + 2].clone());
                        at += 2;
                    }
                    module.paths.insert(names);
                }
                _ => {}
            }
            at += 1;
        }
        self.0.insert(path.to_vec(), module);
        children
    }

    fn files(&self) -> usize {
        self.0.values().map(|module| &module.file).collect::<BTreeSet<_>>().len()
    }

    fn arrows(&self) -> Arrows {
        let mut arrows = Arrows::new();
        for (path, module) in &self.0 {
            let used = module
                .uses
                .values()
                .chain(&module.paths)
                .filter_map(|names| Some((self.definition(path, names, 0)?, names.last()?.clone())));
            let all = module.globs.iter().filter_map(|names| {
                let from = self.0.get(&self.place(path, names, 0)?)?;
                (!from.items.is_empty()).then(|| (from.file.clone(), "*".to_owned()))
            });
            for (file, name) in used.chain(all) {
                if file != module.file {
                    arrows.entry((module.file.clone(), file)).or_default().insert(name);
                }
            }
        }
        arrows
    }

    /// Returns the file that defines the thing that a path in a module names; `None` for a module,
    /// and for other crates.
    fn definition(&self, within: &[String], names: &[String], depth: usize) -> Option<PathBuf> {
        let (module, rest) = self.walk(within, names, depth)?;
        let name = rest.first()?;
        let here = &self.0[&module];
        if here.items.contains(name) || depth > 8 {
            return Some(here.file.clone());
        }
        if let Some(through) = here.uses.get(name) {
            let through = [through, &rest[1..]].concat();
            return self.definition(&module, &through, depth + 1);
        }
        here.globs
            .iter()
            .filter_map(|glob| self.place(&module, glob, depth + 1))
            .find(|from| self.0[from].items.contains(name) || self.0[from].uses.contains_key(name))
            .and_then(|from| self.definition(&from, &[&["self".into()], &rest[..]].concat(), depth + 1))
            .or_else(|| Some(here.file.clone()))
    }

    /// Returns the module that a path names.
    fn place(&self, within: &[String], names: &[String], depth: usize) -> Option<Names> {
        self.walk(within, names, depth).and_then(|(module, rest)| rest.is_empty().then_some(module))
    }

    /// Follows a path as long as it names modules: returns the last module, and the names left.
    fn walk(&self, within: &[String], names: &[String], depth: usize) -> Option<(Names, Names)> {
        let child = |of: &[String], name: &String| [of, core::slice::from_ref(name)].concat();
        let (head, mut rest) = names.split_first()?;
        let mut at = match head.as_str() {
            "crate" => Vec::new(),
            "self" => within.to_vec(),
            "super" => within.split_last()?.1.to_vec(),
            _ if self.0.contains_key(&child(within, head)) => child(within, head),
            _ => {
                let through = self
                    .0
                    .get(within)?
                    .uses
                    .get(head)
                    .filter(|through| depth < 8 && through[..] != names[..1])?;
                return self.walk(within, &[through, rest].concat(), depth + 1);
            }
        };
        while let Some((name, others)) = rest.split_first() {
            if name == "super" {
                at.pop();
            } else if self.0.contains_key(&child(&at, name)) {
                at.push(name.clone());
            } else if let Some(through) = self.0[&at].uses.get(name)
                && depth < 8
                && let Some(module) = self.place(&at, through, depth + 1)
            {
                at = module;
            } else {
                break;
            }
            rest = others;
        }
        Some((at, rest.to_vec()))
    }
}

impl Module {
    /// Reads the tree of a `use`, after the names before it.
    fn imports(&mut self, before: &[String], tree: &[String]) {
        let mut names = before.to_vec();
        let mut at = 0;
        while at < tree.len() {
            match tree[at].as_str() {
                "::" => {}
                "*" => return self.globs.push(names),
                "{" => {
                    let end = closing(tree, at);
                    let mut from = at + 1;
                    while from < end {
                        let mut to = from;
                        while to < end && tree[to] != "," {
                            to = if tree[to] == "{" { closing(tree, to) } else { to } + 1;
                        }
                        self.imports(&names, &tree[from..to]);
                        from = to + 1;
                    }
                    return;
                }
                "as" if tree[at + 1] == "_" => {
                    self.paths.insert(names);
                    return;
                }
                "as" => {
                    self.uses.insert(tree[at + 1].clone(), names);
                    return;
                }
                "self" if !names.is_empty() => {}
                name => names.push(name.into()),
            }
            at += 1;
        }
        if let Some(name) = names.last() {
            self.uses.insert(name.clone(), names);
        }
    }
}

/// Returns the groups of files in which each file reaches every other.
fn circles(arrows: &Arrows) -> Vec<BTreeSet<PathBuf>> {
    let files: BTreeSet<&PathBuf> = arrows.keys().map(|(from, _)| from).collect();
    let reach = |from: &PathBuf| {
        let mut reached = BTreeSet::new();
        let mut left = vec![from.clone()];
        while let Some(file) = left.pop() {
            for (_, to) in arrows.keys().filter(|(from, _)| *from == file) {
                if reached.insert(to.clone()) {
                    left.push(to.clone());
                }
            }
        }
        reached
    };
    let reached: BTreeMap<&PathBuf, BTreeSet<PathBuf>> =
        files.iter().map(|&file| (file, reach(file))).collect();
    let circle = |file: &PathBuf| -> BTreeSet<PathBuf> {
        reached[file]
            .iter()
            .filter(|to| reached.get(to).is_some_and(|back| back.contains(file)))
            .cloned()
            .collect()
    };
    files
        .into_iter()
        .map(circle)
        .filter(|circle| !circle.is_empty())
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect()
}

/// Returns the index after the item that begins with an attribute: after its `;`, or after its
/// block.
fn item_end(tokens: &[String], mut at: usize) -> usize {
    while at < tokens.len() {
        match tokens[at].as_str() {
            ";" | "," => return at + 1,
            "{" => return closing(tokens, at) + 1,
            "(" | "[" => at = closing(tokens, at) + 1,
            _ => at += 1,
        }
    }
    at
}

/// Returns the index of the bracket that closes the one at `open`.
fn closing(tokens: &[String], open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.as_str() {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    tokens.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_where_it_is_defined() {
        let mut house = House::default();
        let module = |house: &mut House, path: &[&str], source: &str| {
            let path: Names = path.iter().map(|&name| name.into()).collect();
            house.module(&path, Path::new(&path.join("/")), &tokens(source));
        };
        module(&mut house, &[], "mod a; mod b;");
        module(&mut house, &["a"], "mod inner; pub(crate) use inner::Thing; fn f() { super::b::g() }");
        module(
            &mut house,
            &["a", "inner"],
            "pub(crate) struct Thing; #[cfg(test)] mod tests { use crate::b; fn t() { b::g() } }",
        );
        module(&mut house, &["b"], "use crate::a::{self, Thing}; fn g() {} fn h() { a::f() }");
        let arrows = house.arrows();
        let pairs: Vec<String> =
            arrows.keys().map(|(from, to)| format!("{} {}", from.display(), to.display())).collect();
        assert_eq!(pairs, ["a a/inner", "a b", "b a", "b a/inner"]);
        assert_eq!(circles(&arrows), [BTreeSet::from(["a".into(), "b".into()])]);
    }
}
