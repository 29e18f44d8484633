//! Does every public item have an example that runs?
//!
//! An example is a block of code in the documentation that is compiled and run: not `ignore`, `no_run`, `text` or another
//! language. Each of these needs one:
//!
//! - a function needs its own, or is called in the example of its module;
//! - a type or a constant needs its own, or is named in another example of its module;
//! - a method needs its own, or is called in an example of its type or of another method of that
//!   type;
//! - a trait needs one, which shows its methods.
//!
//! Modules, variants, fields, associated constants and types, and implementations of traits need none.
//!
//! A function or method that takes text in code units (`&[u8]`, `&[u16]`, `&[u32]`, `&[F::Unit]`) can be given ill-formed
//! text. One of its examples shows that: it has a word of [`ILL_FORMED`].

use crate::document::{CRATES, Done, json};
use rustdoc_types::{Crate, Id, Item, ItemEnum, Type, Visibility};
use std::collections::{BTreeMap, BTreeSet};

/// Words that mark an example with ill-formed text.
const ILL_FORMED: [&str; 10] = [
    "unwrap_err",
    "is_err",
    "Err(",
    "None",
    "FFFD",
    "ll-formed",
    "ill_formed",
    "IllFormed",
    "Replace",
    "\\xFF",
];

/// Lists the items that lack an example. With `check`, fails if there are any.
pub(crate) fn run(check: bool) -> Done {
    let (mut items, mut lacking) = (0, 0);
    for (name, features) in CRATES {
        let all: Crate = serde_json::from_slice(&std::fs::read(json(name, features)?)?)?;
        let mut visit = Visit { all: &all, seen: BTreeSet::new(), lacking: BTreeMap::new(), items: 0 };
        visit.module(&all.index[&all.root], name);
        for (path, why) in &visit.lacking {
            println!("{path}: {why}");
        }
        (items, lacking) = (items + visit.items, lacking + visit.lacking.len());
    }
    println!("{items} items, {lacking} without what they need");
    if check && lacking > 0 {
        return Err("every public item needs an example: xtask/api/src/examples.rs has the rules".into());
    }
    Ok(())
}

struct Visit<'a> {
    all: &'a Crate,
    seen: BTreeSet<Id>,
    lacking: BTreeMap<String, &'static str>,
    items: usize,
}

impl<'a> Visit<'a> {
    fn module(&mut self, module: &'a Item, path: &str) {
        let ItemEnum::Module(inside) = &module.inner else { return };
        if !self.seen.insert(module.id) {
            return;
        }
        for id in &inside.items {
            if let Some(item) = self.all.index.get(id) {
                self.item(item, module, path);
            }
        }
    }

    fn item(&mut self, item: &'a Item, module: &'a Item, path: &str) {
        if item.visibility != Visibility::Public {
            return;
        }
        if let ItemEnum::Use(import) = &item.inner {
            let Some(target) = import.id.and_then(|id| self.all.index.get(&id)) else { return };
            match &target.inner {
                ItemEnum::Module(_) if import.is_glob => self.module(target, path),
                ItemEnum::Module(_) => self.module(target, &format!("{path}::{}", import.name)),
                _ => self.named(target, &import.name, module, path),
            }
        } else {
            self.named(item, item.name.as_deref().unwrap_or_default(), module, path);
        }
    }

    fn named(&mut self, item: &'a Item, name: &str, module: &'a Item, path: &str) {
        let path = format!("{path}::{name}");
        if let ItemEnum::Module(_) = item.inner {
            return self.module(item, &path);
        }
        if !self.seen.insert(item.id) {
            return;
        }
        let own = examples(item);
        let (impls, may_be_named) = match &item.inner {
            ItemEnum::Struct(_) | ItemEnum::Enum(_) | ItemEnum::Union(_) => (impls(item), true),
            ItemEnum::Constant { .. } | ItemEnum::Static(_) | ItemEnum::TypeAlias(_) => (&[][..], true),
            ItemEnum::Function(function) => {
                let calls = [format!("{name}("), format!("{name}::<")];
                let of_module = examples(module)
                    .into_iter()
                    .filter(|example| calls.iter().any(|call| example.contains(call)));
                let shown: Vec<String> = own.into_iter().chain(of_module).collect();
                self.require(&path, !shown.is_empty(), "no example");
                let ill_formed =
                    !takes_text(function) || shown.iter().any(|example| shows_ill_formed(example));
                self.require(&path, ill_formed, "no example with ill-formed text");
                self.items += 1;
                return;
            }
            ItemEnum::Trait(_) | ItemEnum::Macro(_) => (&[][..], false),
            _ => return,
        };
        let named = || self.page(module).iter().any(|example| has_word(example, name));
        let met = !own.is_empty() || may_be_named && named();
        self.require(&path, met, "no example");
        self.items += 1;
        let of_all: Vec<String> =
            own.into_iter().chain(self.methods(impls).into_iter().flat_map(examples)).collect();
        for method in self.methods(impls) {
            let ItemEnum::Function(function) = &method.inner else { continue };
            let name = method.name.as_deref().unwrap_or_default();
            let path = format!("{path}::{name}");
            let calls = [format!(".{name}("), format!("::{name}(")];
            let mut shown = examples(method);
            shown.extend(
                of_all.iter().filter(|example| calls.iter().any(|call| example.contains(call))).cloned(),
            );
            self.require(&path, !shown.is_empty(), "no example");
            let ill_formed = !takes_text(function) || shown.iter().any(|example| shows_ill_formed(example));
            self.require(&path, ill_formed, "no example with ill-formed text");
            self.items += 1;
        }
    }

    /// Returns the examples of a module, of its items, and of their methods.
    fn page(&self, module: &Item) -> Vec<String> {
        let ItemEnum::Module(inside) = &module.inner else { return Vec::new() };
        let mut all = examples(module);
        for item in inside.items.iter().filter_map(|id| self.all.index.get(id)) {
            let item = match &item.inner {
                ItemEnum::Use(import) => import.id.and_then(|id| self.all.index.get(&id)).unwrap_or(item),
                _ => item,
            };
            all.extend(examples(item));
            all.extend(self.methods(impls(item)).into_iter().flat_map(examples));
        }
        all
    }

    /// Returns the public methods of a type, without those of traits.
    fn methods(&self, impls: &[Id]) -> Vec<&'a Item> {
        let all = self.all;
        let inherent = impls.iter().filter_map(|id| match &all.index.get(id)?.inner {
            ItemEnum::Impl(it) if it.trait_.is_none() => Some(it),
            _ => None,
        });
        inherent
            .flat_map(|it| &it.items)
            .filter_map(|id| all.index.get(id))
            .filter(|it| it.visibility == Visibility::Public && matches!(it.inner, ItemEnum::Function(_)))
            .collect()
    }

    fn require(&mut self, path: &str, met: bool, why: &'static str) {
        if !met {
            self.lacking.entry(path.to_owned()).or_insert(why);
        }
    }
}

/// Returns the implementations of a type.
fn impls(item: &Item) -> &[Id] {
    match &item.inner {
        ItemEnum::Struct(it) => &it.impls,
        ItemEnum::Enum(it) => &it.impls,
        ItemEnum::Union(it) => &it.impls,
        _ => &[],
    }
}

/// Returns the blocks of code in an item's documentation that are run.
fn examples(item: &Item) -> Vec<String> {
    let mut found = Vec::new();
    let mut open: Option<(bool, String)> = None;
    for line in item.docs.as_deref().unwrap_or_default().lines() {
        let Some(language) = line.trim_start().strip_prefix("```") else {
            if let Some((_, block)) = &mut open {
                *block += line;
                *block += "\n";
            }
            continue;
        };
        open = match open.take() {
            None => {
                let mut words = language.split([',', ' ']).filter(|word| !word.is_empty());
                Some((words.all(|word| word == "rust" || word == "should_panic"), String::new()))
            }
            Some((runs, block)) => {
                found.extend(runs.then_some(block));
                None
            }
        };
    }
    found
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|other| other == word)
}

fn shows_ill_formed(example: &str) -> bool {
    ILL_FORMED.iter().any(|word| example.contains(word))
}

/// Returns `true` if a function borrows code units to read.
fn takes_text(function: &rustdoc_types::Function) -> bool {
    function.sig.inputs.iter().any(|(_, ty)| match ty {
        Type::BorrowedRef { is_mutable: false, type_, .. } => match &**type_ {
            Type::Slice(unit) => match &**unit {
                Type::Primitive(name) => matches!(name.as_str(), "u8" | "u16" | "u32"),
                Type::QualifiedPath { name, .. } => name == "Unit",
                _ => false,
            },
            _ => false,
        },
        _ => false,
    })
}
