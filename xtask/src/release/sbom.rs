//! Lists the crates in each artefact with machine code, in the form of `CycloneDX` 1.5. Cargo's tree
//! and lock file name them.

use core::fmt::Write;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use super::place::{Place, Trouble, said, write};

/// An artefact: the name of its list, its kind, its manifest, and its package.
struct Subject {
    name: &'static str,
    kind: &'static str,
    manifest: &'static str,
    package: &'static str,
    options: &'static [&'static str],
}

const SUBJECTS: &[Subject] = &[
    Subject {
        name: "command",
        kind: "application",
        manifest: "Cargo.toml",
        package: "placemat-cli",
        options: &[],
    },
    Subject {
        name: "python",
        kind: "library",
        manifest: "bindings/python/Cargo.toml",
        package: "placemat-python",
        options: &[],
    },
    Subject {
        name: "npm",
        kind: "library",
        manifest: "bindings/web/Cargo.toml",
        package: "placemat-web",
        options: &["--features", "all,detect"],
    },
    Subject {
        name: "c",
        kind: "library",
        manifest: "bindings/c/Cargo.toml",
        package: "placemat-c",
        options: &[],
    },
    Subject {
        name: "iconv",
        kind: "library",
        manifest: "bindings/c/Cargo.toml",
        package: "placemat-iconv-c",
        options: &[],
    },
];

pub(super) fn make(place: &Place) -> Result<(), Trouble> {
    for subject in SUBJECTS {
        let tree = said(
            Command::new("cargo")
                .current_dir(&place.root)
                .args(["tree", "--locked", "--edges", "normal,no-proc-macro", "--prefix", "depth"])
                .args([
                    "--format",
                    "|{p}|{l}|{r}|",
                    "--manifest-path",
                    subject.manifest,
                    "--package",
                    subject.package,
                ])
                .args(subject.options),
        )?;
        let lock = place.root.join(Path::new(subject.manifest).with_file_name("Cargo.lock"));
        let lock = fs::read_to_string(&lock).map_err(|e| format!("{}: {e}", lock.display()))?;
        let sbom = Sbom::read(&tree, &sums(&lock))?;
        println!("{}: {} crates", subject.name, sbom.crates.len());
        write(
            &place.artefact(&format!("placemat-{}-{}.cdx.json", place.version, subject.name)),
            &sbom.json(subject.kind),
        )?;
    }
    Ok(())
}

/// Returns the digest of each crate in a lock file, by its name and version.
fn sums(lock: &str) -> BTreeMap<String, String> {
    let value = |package: &str, key: &str| {
        let lines = package.lines();
        let line = lines.filter_map(|line| line.strip_prefix(key)?.strip_prefix(" = \"")).next();
        line.and_then(|line| line.strip_suffix('"')).map(str::to_owned)
    };
    let packages = lock.split("[[package]]").skip(1);
    packages
        .filter_map(|package| {
            let (name, version) = (value(package, "name")?, value(package, "version")?);
            Some((format!("{name}@{version}"), value(package, "checksum")?))
        })
        .collect()
}

/// A crate of the list.
#[derive(Debug, PartialEq, Eq)]
struct Crate {
    name: String,
    version: String,
    licence: String,
    repository: String,
    /// The digest of its package, unless the crate belongs to this repository.
    sum: Option<String>,
    needs: BTreeSet<String>,
}

/// The crates of an artefact by name and version.
struct Sbom {
    /// The crate that depends on all others.
    root: String,
    crates: BTreeMap<String, Crate>,
}

impl Sbom {
    /// Reads the output of `cargo tree`: a line for each crate, which begins with its depth.
    fn read(tree: &str, sums: &BTreeMap<String, String>) -> Result<Self, String> {
        let mut crates: BTreeMap<String, Crate> = BTreeMap::new();
        let mut path: Vec<String> = Vec::new();
        for line in tree.lines().filter(|line| !line.is_empty()) {
            let parts: Vec<&str> = line.split('|').collect();
            let [depth, package, licence, repository, _] = parts[..] else {
                return Err(format!("cargo tree: {line:?} is not as asked for"));
            };
            let depth: usize = depth.parse().map_err(|_| format!("cargo tree: {line:?} has no depth"))?;
            let mut words = package.split(' ');
            let (name, version) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
            let version = version.strip_prefix('v').unwrap_or(version);
            let id = format!("{name}@{version}");
            path.truncate(depth);
            if let Some(parent) = path.last().and_then(|parent| crates.get_mut(parent)) {
                parent.needs.insert(id.clone());
            }
            crates.entry(id.clone()).or_insert_with(|| Crate {
                name: name.to_owned(),
                version: version.to_owned(),
                // Some crates still write a slash for "or".
                licence: licence.replace('/', " OR "),
                repository: repository.to_owned(),
                sum: sums.get(&id).cloned(),
                needs: BTreeSet::new(),
            });
            path.push(id);
        }
        let root = path.into_iter().next().ok_or("cargo tree prints nothing")?;
        Ok(Self { root, crates })
    }

    fn json(&self, kind: &str) -> String {
        let mut text =
            "{\n\"bomFormat\": \"CycloneDX\",\n\"specVersion\": \"1.5\",\n\"version\": 1,\n".to_owned();
        let component =
            |id: &str, kind: &str| self.crates.get(id).map_or_else(String::new, |it| it.json(id, kind));
        let _ = writeln!(text, "\"metadata\": {{ \"component\": {} }},", component(&self.root, kind));
        let others = self.crates.keys().filter(|id| **id != self.root).map(|id| component(id, "library"));
        let _ = writeln!(text, "\"components\": [\n{}\n],", others.collect::<Vec<_>>().join(",\n"));
        let needs = self.crates.iter().map(|(id, it)| {
            let needs: Vec<_> = it.needs.iter().map(|id| quoted(id)).collect();
            format!("{{ \"ref\": {}, \"dependsOn\": [{}] }}", quoted(id), needs.join(", "))
        });
        let _ = writeln!(text, "\"dependencies\": [\n{}\n]\n}}", needs.collect::<Vec<_>>().join(",\n"));
        text
    }
}

impl Crate {
    fn json(&self, id: &str, kind: &str) -> String {
        let mut text = format!(
            "{{ \"type\": {}, \"bom-ref\": {}, \"name\": {}, \"version\": {}, \"purl\": {}",
            quoted(kind),
            quoted(id),
            quoted(&self.name),
            quoted(&self.version),
            quoted(&format!("pkg:cargo/{id}"))
        );
        if !self.licence.is_empty() {
            let _ = write!(text, ", \"licenses\": [{{ \"expression\": {} }}]", quoted(&self.licence));
        }
        if let Some(sum) = &self.sum {
            let _ = write!(text, ", \"hashes\": [{{ \"alg\": \"SHA-256\", \"content\": {} }}]", quoted(sum));
        }
        if !self.repository.is_empty() {
            let _ = write!(
                text,
                ", \"externalReferences\": [{{ \"type\": \"vcs\", \"url\": {} }}]",
                quoted(&self.repository)
            );
        }
        text + " }"
    }
}

/// Formats a string of JSON.
fn quoted(text: &str) -> String {
    let mut quoted = "\"".to_owned();
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\0'..' ' => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(c));
            }
            _ => quoted.push(c),
        }
    }
    quoted + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_of_cargo_becomes_crates_and_edges() {
        let lock = "version = 4\n\n[[package]]\nname = \"b\"\nversion = \"2.0.0\"\nchecksum = \"beef\"\n";
        let tree = "0|a v0.1.0 (/somewhere)|MIT||\n1|b v2.0.0|MIT/Apache-2.0|https://b.example|\n2|c v3.0.0|MIT||\n1|c v3.0.0|MIT|| (*)\n";
        let sbom = Sbom::read(tree, &sums(lock)).unwrap();
        assert_eq!(sbom.root, "a@0.1.0");
        let needs = |id: &str| sbom.crates[id].needs.iter().map(String::as_str).collect::<Vec<_>>();
        assert_eq!(needs("a@0.1.0"), ["b@2.0.0", "c@3.0.0"]);
        assert_eq!(needs("b@2.0.0"), ["c@3.0.0"]);
        assert_eq!(sbom.crates["b@2.0.0"].licence, "MIT OR Apache-2.0");
        assert_eq!(sbom.crates["b@2.0.0"].sum.as_deref(), Some("beef"));
        assert_eq!(sbom.crates["a@0.1.0"].sum, None);
        assert!(!sbom.json("library").contains("/somewhere"));
        assert!(Sbom::read("", &BTreeMap::new()).is_err());
        assert!(Sbom::read("0|a|MIT", &BTreeMap::new()).is_err());
    }

    #[test]
    fn strings_of_json_escape_what_json_does() {
        assert_eq!(quoted("a\"b\\c\n"), "\"a\\\"b\\\\c\\u000a\"");
    }
}
