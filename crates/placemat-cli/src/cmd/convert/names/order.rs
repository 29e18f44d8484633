//! The order in which the files of one directory are renamed, and those that would get a name that is taken.

use placemat::normalize::Normalization;
use placemat::utf8;
use std::collections::{BTreeSet, HashMap};

/// A file, and its new name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wish {
    pub(super) from: Vec<u8>,
    pub(super) to: Vec<u8>,
}

/// Why a file keeps its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Refused {
    /// Another file has the new name.
    Exists,
    /// This other file has a name that means the same in this file system.
    Alike(Vec<u8>),
    /// This other file would get the same name.
    Two(Vec<u8>),
}

/// Which names mean one file in a file system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Folding {
    /// Whether case makes no difference.
    pub(super) case: bool,
    /// Whether the normal form makes no difference.
    pub(super) form: bool,
}

impl Folding {
    /// Returns the same bytes for all names that mean one file.
    fn key(self, name: &[u8]) -> Vec<u8> {
        let Ok(text) = utf8::validate(name) else {
            return if self.case { name.to_ascii_lowercase() } else { name.to_vec() };
        };
        let decomposed = |text: &str| match self.form {
            true => Normalization::Nfd.apply(text).into_owned(),
            false => text.to_owned(),
        };
        let mut key = decomposed(text);
        if self.case {
            // Upper case first: both sigmas, and ß and ẞ, become one.
            key = decomposed(&key.to_uppercase().to_lowercase());
        }
        key.into_bytes()
    }
}

/// The renames in an order in which each finds its new name free, and those that are refused.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Ordered {
    pub(super) wishes: Vec<Wish>,
    pub(super) refused: Vec<(Wish, Refused)>,
}

/// Orders the renames of one directory, whose names are `existing`.
///
/// A name that its file gives up is free for the next one. Two files that would exchange their names are refused.
pub(super) fn ordered(wishes: Vec<Wish>, existing: &BTreeSet<Vec<u8>>, folding: Folding) -> Ordered {
    let mut ordered = Ordered::default();
    let mut holders: HashMap<Vec<u8>, Vec<&Vec<u8>>> = HashMap::new();
    for name in existing {
        holders.entry(folding.key(name)).or_default().push(name);
    }
    // How many files want each name.
    let mut wanted: HashMap<Vec<u8>, Vec<usize>> = HashMap::new();
    for (at, wish) in wishes.iter().enumerate() {
        wanted.entry(folding.key(&wish.to)).or_default().push(at);
    }
    let mut waiting: HashMap<Vec<u8>, usize> = HashMap::new();
    let mut ready: Vec<usize> = Vec::new();
    for (at, wish) in wishes.iter().enumerate() {
        let key = folding.key(&wish.to);
        let rivals = &wanted[&key];
        if let Some(&other) = rivals.iter().find(|&&other| other != at) {
            ordered.refused.push((wish.clone(), Refused::Two(wishes[other].from.clone())));
        } else if is_free(&holders, &key, wish) {
            ready.push(at);
        } else {
            waiting.insert(key, at);
        }
    }
    ready.reverse();
    while let Some(at) = ready.pop() {
        let wish = &wishes[at];
        let given_up = folding.key(&wish.from);
        if let Some(names) = holders.get_mut(&given_up) {
            names.retain(|name| **name != wish.from);
        }
        holders.entry(folding.key(&wish.to)).or_default().push(&wish.to);
        ordered.wishes.push(wish.clone());
        if let Some(&next) = waiting.get(&given_up)
            && is_free(&holders, &given_up, &wishes[next])
        {
            waiting.remove(&given_up);
            ready.push(next);
        }
    }
    let mut left: Vec<_> = waiting.into_iter().collect();
    left.sort_by_key(|&(_, at)| at);
    for (key, at) in left {
        let wish = wishes[at].clone();
        let others = holders.get(&key).map(Vec::as_slice).unwrap_or_default();
        let why = match others.iter().find(|name| ***name != wish.from) {
            Some(other) if **other != wish.to => Refused::Alike((*other).clone()),
            _ => Refused::Exists,
        };
        ordered.refused.push((wish, why));
    }
    ordered
}

/// Returns `true` if no file but that of the wish has a name of this key.
fn is_free(holders: &HashMap<Vec<u8>, Vec<&Vec<u8>>>, key: &[u8], wish: &Wish) -> bool {
    holders.get(key).is_none_or(|names| names.iter().all(|name| **name == wish.from))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn wishes(pairs: &[(&str, &str)]) -> Vec<Wish> {
        pairs.iter().map(|(from, to)| Wish { from: (*from).into(), to: (*to).into() }).collect()
    }

    fn run(pairs: &[(&str, &str)], others: &[&str], folding: Folding) -> (Vec<String>, Vec<String>) {
        let existing = pairs.iter().map(|(from, _)| *from).chain(others.iter().copied());
        let existing = existing.map(|name| name.as_bytes().to_vec()).collect();
        let text = |name: &[u8]| String::from_utf8_lossy(name).into_owned();
        let ordered = ordered(wishes(pairs), &existing, folding);
        let done = ordered.wishes.iter().map(|wish| text(&wish.from)).collect();
        let refused = ordered.refused.iter().map(|(wish, why)| {
            let why = match why {
                Refused::Exists => "exists".into(),
                Refused::Alike(other) => format!("like {}", text(other)),
                Refused::Two(other) => format!("and {}", text(other)),
            };
            format!("{} {why}", text(&wish.from))
        });
        (done, refused.collect())
    }

    const EXACT: Folding = Folding { case: false, form: false };
    const BOTH: Folding = Folding { case: true, form: true };

    #[test]
    fn names_that_are_taken() {
        for (pairs, others, folding, done, refused) in [
            (&[("a", "b")][..], &[][..], EXACT, &["a"][..], &[][..]),
            (&[("a", "b")], &["b"], EXACT, &[], &["a exists"]),
            (&[("a", "c"), ("b", "c")], &[], EXACT, &[], &["a and b", "b and a"]),
            // The second gives up its name first.
            (&[("a", "b"), ("b", "c")], &[], EXACT, &["b", "a"], &[]),
            (&[("a", "b"), ("b", "c"), ("c", "d")], &[], EXACT, &["c", "b", "a"], &[]),
            (&[("a", "b"), ("b", "a")], &[], EXACT, &[], &["a exists", "b exists"]),
            // One in a chain is refused, so those that wait for its name are, too.
            (&[("a", "b"), ("b", "c")], &["c"], EXACT, &[], &["a exists", "b exists"]),
            (&[("x", "É"), ("y", "é")], &[], EXACT, &["x", "y"], &[]),
            (&[("x", "É"), ("y", "é")], &[], BOTH, &[], &["x and y", "y and x"]),
            (&[("x", "É")], &["é"], BOTH, &[], &["x like é"]),
            (&[("x", "e\u{301}")], &["é"], BOTH, &[], &["x like é"]),
            (&[("x", "STRASSE")], &["straße"], BOTH, &[], &["x like straße"]),
            (&[("x", "ΟΔΟΣ")], &["οδος"], BOTH, &[], &["x like οδος"]),
            // The name of one file in another spelling.
            (&[("e\u{301}", "é")], &[], BOTH, &["e\u{301}"], &[]),
            (&[("É", "é")], &["e"], BOTH, &["É"], &[]),
            (&[("É", "é")], &["é"], EXACT, &[], &["É exists"]),
        ] {
            let (got, left) = run(pairs, others, folding);
            assert_eq!((&got[..], &left[..]), (&to_strings(done)[..], &to_strings(refused)[..]), "{pairs:?}");
        }
    }

    fn to_strings(all: &[&str]) -> Vec<String> {
        all.iter().map(|text| (*text).to_owned()).collect()
    }

    /// No file is lost in a model of a file system, for all wishes over a few names, in every folding.
    #[test]
    fn nothing_is_replaced() {
        let names = ["a", "A", "é", "e\u{301}", "É"];
        let mut state = 5_u32;
        let mut next = |n: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % n
        };
        for round in 0..20_000 {
            let folding = Folding { case: round % 2 == 0, form: round % 3 == 0 };
            let mut tree: BTreeMap<Vec<u8>, &str> = BTreeMap::new();
            for name in names {
                if next(2) == 0 && !tree.contains_key(&folding.key(name.as_bytes())) {
                    tree.insert(folding.key(name.as_bytes()), name);
                }
            }
            let existing: BTreeSet<Vec<u8>> = tree.values().map(|name| name.as_bytes().to_vec()).collect();
            let wishes: Vec<_> = tree
                .values()
                .filter_map(|from| {
                    let to = names[next(5) as usize];
                    (to != *from).then(|| Wish { from: (*from).into(), to: to.into() })
                })
                .collect();
            let (count, files) = (wishes.len(), tree.len());
            let ordered = ordered(wishes, &existing, folding);
            assert_eq!(ordered.wishes.len() + ordered.refused.len(), count);
            for wish in &ordered.wishes {
                let file = tree.remove(&folding.key(&wish.from)).expect("the file is there");
                let replaced = tree.insert(folding.key(&wish.to), file);
                assert_eq!(replaced, None, "{wish:?} of {ordered:?}");
            }
            assert_eq!(tree.len(), files);
        }
    }
}
