//! Checks of the library's public items, read from rustdoc's JSON: `cargo xtask api` and `cargo xtask examples`.

mod document;
mod examples;

use document::{CRATES, Done, json, root};
use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask api|examples [--check]";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match *arguments {
        ["api"] => api(false),
        ["api", "--check"] => api(true),
        ["examples"] => examples::run(false),
        ["examples", "--check"] => examples::run(true),
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

/// Writes the list of the public items to `crates/placemat/api.txt`, or compares it with the list there.
fn api(check: bool) -> Done {
    // Every type has the blanket implementations, so the list leaves them out.
    let mut list = String::new();
    for (name, features) in CRATES {
        let api = public_api::Builder::from_rustdoc_json(json(name, features)?)
            .omit_blanket_impls(true)
            .omit_auto_trait_impls(true)
            .build()?;
        list.extend(api.items().map(|item| format!("{item}\n")));
    }
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
