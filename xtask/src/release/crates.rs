//! The packages for crates.io, as `cargo publish` would send them. A program that depends on them
//! is built elsewhere.

use std::process::Command;

use super::archive::unpack;
use super::place::{Place, Trouble, copy, expect, run, said, write};

/// The published crates of the workspace, in the order in which they are published.
const CRATES: &[&str] = &[
    "placemat-core",
    "placemat-charsets",
    "placemat-detect",
    "placemat",
    "placemat-diagnose",
    "placemat-iconv",
    "placemat-cli",
];
/// A published crate of another workspace, which is packed alone.
const ARROW: &str = "placemat-arrow";

const PROGRAM: &str = r#"fn main() {
    let e = placemat::utf8::validate(b"/etc\xC0\xAFpasswd").unwrap_err();
    println!("{e}");
}
"#;

pub(super) fn make(place: &Place) -> Result<(), Trouble> {
    let folder = place.empty("crates")?;
    let target = place.target.join("release-build/crates");
    let package = |arguments: &[&str]| {
        run(Command::new("cargo")
            .current_dir(&place.root)
            .args(["package", "--quiet", "--locked", "--allow-dirty", "--no-verify", "--target-dir"])
            .arg(&target)
            .args(arguments))
    };
    let mut names: Vec<&str> = vec!["--package"; 2 * CRATES.len()];
    for (name, place) in CRATES.iter().zip(names.iter_mut().skip(1).step_by(2)) {
        *place = name;
    }
    package(&names)?;
    // The crates of the library are not in the registry yet when this runs, so its lock file cannot
    // be made.
    package(&["--exclude-lockfile", "--manifest-path", "crates/placemat-arrow/Cargo.toml"])?;

    let mut patches = Vec::new();
    for name in CRATES.iter().chain([&ARROW]) {
        let file = format!("{name}-{}.crate", place.version);
        copy(&target.join("package").join(&file), &place.artefact(&file))?;
        unpack(&place.artefact(&file), &folder)?;
        let unpacked = folder.join(format!("{name}-{}", place.version));
        for licence in ["LICENSE-APACHE", "LICENSE-MIT", "README.md"] {
            if !unpacked.join(licence).is_file() {
                return Err(format!("{file} has no {licence}").into());
            }
        }
        patches.push(format!("{name} = {{ path = {unpacked:?} }}"));
    }
    // Cargo takes the arrow crate only with crates that this build does not download.
    patches.pop();

    let program = folder.join("program");
    let manifest = format!(
        "[package]\nname = \"program\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
         [dependencies]\nplacemat = \"{}\"\n\n\
         [patch.crates-io]\n{}\n",
        place.version,
        patches.join("\n")
    );
    write(&program.join("Cargo.toml"), &manifest)?;
    write(&program.join("src/main.rs"), PROGRAM)?;
    copy(&place.root.join("Cargo.lock"), &program.join("Cargo.lock"))?;
    let mut cargo = Command::new("cargo");
    cargo.current_dir(&program).args(["run", "--quiet", "--target-dir"]).arg(&target);
    let first = said(&mut cargo)?;
    expect("a program that depends on the crates", &first, "overlong sequence 0xc0 at offset 4")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    /// The manifests below the folder `crates/`, by the name of their crate.
    fn manifests() -> Vec<(String, String)> {
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("crates");
        let read = |name: &str| fs::read_to_string(crates.join(name).join("Cargo.toml")).unwrap();
        let folders = fs::read_dir(&crates).unwrap().flatten();
        folders
            .map(|folder| folder.file_name().to_string_lossy().into_owned())
            .map(|name| (name.clone(), read(&name)))
            .collect()
    }

    #[test]
    fn every_crate_that_is_published_is_released() {
        for (name, manifest) in manifests() {
            let is_released = CRATES.contains(&name.as_str()) || name == ARROW;
            assert_eq!(is_released, !manifest.contains("publish = false"), "{name}");
        }
    }

    #[test]
    fn every_crate_names_its_repository_and_documentation() {
        for (name, manifest) in manifests() {
            for key in ["repository", "homepage", "documentation", "description", "license", "readme"] {
                let has = manifest.lines().any(|line| {
                    line.starts_with(&format!("{key} = \"")) || line == format!("{key}.workspace = true")
                });
                assert!(has, "{name} has no {key}");
            }
        }
    }
}
