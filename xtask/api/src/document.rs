//! The crates of the library, and their documentation in rustdoc's JSON.

use serde_json::Value;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) type Done = Result<(), Box<dyn Error>>;

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The crates of the library, each with the features that `full` of `placemat` turns on. Hidden
/// items are not public.
pub(crate) const CRATES: [(&str, &str); 4] = [
    ("placemat-core", "single-byte,multi-byte,transliteration"),
    ("placemat-charsets", "single-byte,cjk,cjk-extra,marc8"),
    ("placemat-detect", "repair,std"),
    ("placemat", "full"),
];

/// Makes rustdoc's JSON of a crate. The format is unstable, so this allows the compiler to use it.
pub(crate) fn json(name: &str, features: &str) -> Result<PathBuf, Box<dyn Error>> {
    let target = root().join("target/api");
    let made = Command::new("cargo")
        .args(["rustdoc", "--quiet", "--locked", "--package", name, "--lib", "--features", features])
        // Public items of hidden modules are re-exported.
        .args([
            "--",
            "-Z",
            "unstable-options",
            "--output-format",
            "json",
            "--cap-lints",
            "allow",
            "--document-hidden-items",
        ])
        .env("RUSTC_BOOTSTRAP", "1")
        .env("CARGO_TARGET_DIR", &target)
        .current_dir(root())
        .status()?;
    if !made.success() {
        return Err("rustdoc failed".into());
    }
    let path = target.join("doc").join(name.replace('-', "_")).with_extension("json");
    hide(&path)?;
    Ok(path)
}

/// Removes the hidden items of a crate from their parents. rustdoc's own option would also leave
/// out items that are defined in a hidden module, though they are public under another name.
fn hide(path: &Path) -> Done {
    let mut all: Value = serde_json::from_slice(&std::fs::read(path)?)?;
    let items = all["index"].as_object_mut().ok_or("rustdoc wrote no index")?;
    let is_hidden = |item: &Value| item["attrs"].to_string().contains("doc(hidden)");
    let ids = |of: &dyn Fn(&Value) -> bool| -> Vec<Value> {
        items.values().filter(|item| of(item)).map(|item| item["id"].clone()).collect()
    };
    let mut hidden = ids(&is_hidden);
    // Implementations of hidden traits, of this crate and of others.
    hidden.extend(ids(&|item| {
        let of = &item["inner"]["impl"]["trait"];
        hidden.contains(&of["id"]) || of["path"] == "Form"
    }));
    for item in items.values_mut() {
        for inner in item["inner"].as_object_mut().into_iter().flat_map(serde_json::Map::values_mut) {
            for list in ["items", "impls"] {
                if let Some(list) = inner.get_mut(list).and_then(Value::as_array_mut) {
                    list.retain(|id| !hidden.contains(id));
                }
            }
        }
    }
    Ok(std::fs::write(path, serde_json::to_vec(&all)?)?)
}
