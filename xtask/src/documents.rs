//! Tests that everything that the pages at the root of the repository name exists.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("")
}

fn page(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap()
}

/// Returns the links of a page, as text and target. A text may be on two lines.
fn links(page: &str) -> Vec<(String, &str)> {
    let mut links = Vec::new();
    for (at, _) in page.match_indices("](") {
        let Some((_, text)) = page[..at].rsplit_once('[') else { continue };
        let Some((target, _)) = page[at + 2..].split_once(')') else { continue };
        links.push((text.split_whitespace().collect::<Vec<_>>().join(" "), target));
    }
    links
}

#[test]
fn every_test_that_security_names_exists() {
    let page = page("SECURITY.md");
    let mut tests = 0;
    for (text, target) in links(&page) {
        if target.starts_with("https://") {
            continue;
        }
        let file = root().join(target);
        assert!(file.is_file(), "SECURITY.md names {target}, which is not there");
        let Some(name) = text.strip_prefix('`').and_then(|text| text.strip_suffix('`')) else { continue };
        if name == target {
            continue;
        }
        let source = fs::read_to_string(&file).unwrap();
        let is_there = match file.extension().and_then(|extension| extension.to_str()) {
            Some("rs") => {
                // `#[test]` may have other attributes between it and the function.
                let before = source.split_once(&format!("fn {name}()")).map(|(before, _)| before);
                before.is_some_and(|before| {
                    before.rsplit("\n\n").next().is_some_and(|item| item.contains("#[test]"))
                })
            }
            Some("py") => source.contains(&format!("\ndef {name}(")),
            _ => source.contains(&format!("\ntest('{name}'")),
        };
        assert!(is_there, "SECURITY.md names the test {name}, which {target} does not have");
        tests += 1;
    }
    assert!(tests >= 25, "SECURITY.md names {tests} tests: is a link not read?");
    // Every threat has a test.
    let (_, threats) = page.split_once("## What counts").unwrap();
    let (threats, _) = threats.split_once("\n## ").unwrap();
    for threat in threats.split("\n### ").skip(1) {
        assert!(threat.contains("\n- ["), "no test: {}", threat.lines().next().unwrap());
    }
}

#[test]
fn files_that_the_pages_link_to_exist() {
    for name in ["ARCHITECTURE.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "MAINTAINING.md", "SECURITY.md"]
    {
        let page = page(name);
        for (_, target) in links(&page) {
            let file = target.split('#').next().unwrap();
            assert!(target.starts_with("https://") || root().join(file).exists(), "{name} links to {target}");
        }
    }
}

#[test]
fn every_package_has_the_version_of_the_workspace() {
    let expected = env!("CARGO_PKG_VERSION");
    for name in [
        "Cargo.toml",
        "bindings/c/Cargo.toml",
        "bindings/python/Cargo.toml",
        "bindings/web/Cargo.toml",
        "bindings/web/package/package.json",
        "crates/placemat-arrow/Cargo.toml",
    ] {
        let text = page(name);
        let mut lines = text.lines().map(|line| line.trim().trim_end_matches(','));
        let key = if name.ends_with(".json") { "\"version\": " } else { "version = " };
        let version = lines.find_map(|line| line.strip_prefix(key)).unwrap();
        assert_eq!(version, format!("{expected:?}"), "{name}");
    }
}

/// Returns the recipes that the justfile lists, by name, with their lines.
fn recipes(justfile: &str) -> Vec<(&str, String)> {
    let mut recipes: Vec<(&str, String)> = Vec::new();
    for line in justfile.lines() {
        if let Some(line) = line.strip_prefix("    ") {
            let (_, lines) = recipes.last_mut().unwrap();
            *lines += line;
            *lines += "\n";
        } else if line.ends_with(':') || line.contains(": ") && !line.starts_with(['#', 's']) {
            let name = line.split([' ', ':']).next().unwrap();
            recipes.push((name, String::new()));
        }
    }
    recipes.retain(|(name, _)| !name.starts_with('_'));
    recipes
}

#[test]
fn recipes_are_those_of_the_page_for_contributors() {
    let (justfile, contributing) = (page("justfile"), page("CONTRIBUTING.md"));
    let recipes = recipes(&justfile);
    assert_eq!(recipes.len(), 15, "{recipes:?}");
    let rows: Vec<_> = contributing.lines().filter_map(|line| line.strip_prefix("| `just ")).collect();
    let names: Vec<_> = rows.iter().map(|row| row.split([' ', '`']).next().unwrap()).collect();
    let expected = [
        "check",
        "long",
        "job",
        "test",
        "suite",
        "thorough",
        "soak",
        "fuzz",
        "lint",
        "structure",
        "machine-code",
        "record",
        "bench",
        "page",
        "release",
    ];
    assert_eq!(names, expected);
    for (row, name) in rows.iter().zip(names) {
        let (_, lines) = recipes.iter().find(|(recipe, _)| *recipe == name).unwrap();
        // The first command of the row, after the recipe itself.
        let command = row.split('`').nth(2).unwrap();
        assert!(lines.contains(command) || name == "job", "`just {name}` does not run {command}");
    }
}
