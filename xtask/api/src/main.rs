//! Checks of the library's public items, read from rustdoc's JSON: `cargo xtask api` and `cargo xtask examples`.

mod examples;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

type Done = Result<(), Box<dyn Error>>;

const USAGE: &str = "usage: cargo xtask api|examples [--check]";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match *arguments {
        ["api"] => api(false),
        ["api", "--check"] => api(true),
        ["examples"] => examples::run(&json, false),
        ["examples", "--check"] => examples::run(&json, true),
        _ => Err(USAGE.into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("{e}");
            ExitCode::FAILURE
        }
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Makes rustdoc's JSON of the library, with all features that users may enable. The format is unstable, so this permits it
/// to the compiler.
fn json() -> Result<PathBuf, Box<dyn Error>> {
    let target = root().join("target/api");
    let made = Command::new("cargo")
        .args(["rustdoc", "--quiet", "--locked", "--package", "placemat", "--lib", "--features", "full"])
        .args(["--", "-Z", "unstable-options", "--output-format", "json", "--cap-lints", "allow"])
        .env("RUSTC_BOOTSTRAP", "1")
        .env("CARGO_TARGET_DIR", &target)
        .current_dir(root())
        .status()?;
    if !made.success() {
        return Err("rustdoc failed".into());
    }
    Ok(target.join("doc/placemat.json"))
}

/// Writes the list of the public items to `crates/placemat/api.txt`, or compares it with the list there.
fn api(check: bool) -> Done {
    // Every type has the blanket implementations, so the list leaves them out.
    let api = public_api::Builder::from_rustdoc_json(json()?)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .build()?;
    let list: String = api.items().map(|item| format!("{item}\n")).collect();
    let path = root().join("crates/placemat/api.txt");
    if !check {
        return Ok(std::fs::write(path, list)?);
    }
    let old = std::fs::read_to_string(&path).unwrap_or_default();
    let lacks = |lines: &str, line: &str| !lines.lines().any(|other| other == line);
    let gone = old.lines().filter(|line| lacks(&list, line)).map(|line| format!("-{line}\n"));
    let new = list.lines().filter(|line| lacks(&old, line)).map(|line| format!("+{line}\n"));
    let changes: String = gone.chain(new).collect();
    if list == old {
        return Ok(());
    }
    Err(format!(
        "{changes}the public items are not those of crates/placemat/api.txt: if they are meant to change, `cargo xtask api` \
         writes it anew, and CHANGELOG.md says so"
    )
    .into())
}
