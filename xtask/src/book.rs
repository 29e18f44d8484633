//! The book: builds `docs/` with mdBook, makes its examples live, and checks its links.

mod files;
mod html;
mod markdown;

use std::fs;
use std::path::Path;
use std::process::Command;

const USAGE: &str = "usage: cargo xtask book [--open] [--live]
       cargo xtask book --check

  --open   opens the book in a browser
  --live   fails unless examples run in the book: bindings/web/page/build makes the module that runs them
  --check  checks links, the list of pages and the blocks of code in the sources; builds nothing

It needs mdBook (`cargo install mdbook`); MDBOOK names its program if it is not in PATH.";

/// The greatest size of the built book.
const MAX_BOOK_BYTES: u64 = 6_000_000;

/// Runs the part of the task that the arguments name.
///
/// # Errors
/// If the arguments are unknown, a program fails, or a check finds a fault; the error has the text
/// for the user.
pub(crate) fn run(arguments: &[&str]) -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("no repository")?;
    let (mut open, mut live) = (false, false);
    match *arguments {
        ["--check"] => return check(root),
        _ => {
            for &argument in arguments {
                match argument {
                    "--open" => open = true,
                    "--live" => live = true,
                    _ => return Err(USAGE.into()),
                }
            }
        }
    }
    check(root)?;
    let book = root.join("target/book");
    build(root, &book)?;
    make_live(root, &book, live)?;
    html::finish(root, &book)?;
    let bytes = size(&book).map_err(|e| e.to_string())?;
    println!("{}: {:.2} MB", book.join("index.html").display(), bytes as f64 / 1e6);
    if bytes > MAX_BOOK_BYTES {
        return Err(format!("the book has {bytes} bytes, and may have {MAX_BOOK_BYTES}"));
    }
    if open { show(&book.join("index.html")) } else { Ok(()) }
}

/// Checks the sources, and prints all faults.
fn check(root: &Path) -> Result<(), String> {
    let wrong = markdown::wrong(root)?;
    for line in &wrong {
        eprintln!("{line}");
    }
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(format!("{} findings in the sources of the book", wrong.len()))
    }
}

/// Runs mdBook.
fn build(root: &Path, book: &Path) -> Result<(), String> {
    // Otherwise files of removed pages would stay.
    if book.exists() {
        fs::remove_dir_all(book).map_err(|e| format!("{}: {e}", book.display()))?;
    }
    let program = std::env::var_os("MDBOOK").unwrap_or_else(|| "mdbook".into());
    let ran = Command::new(&program).arg("build").arg(root.join("docs")).output();
    let output =
        ran.map_err(|e| format!("{}: {e}; `cargo install mdbook` installs it", program.display()))?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() || said.contains("WARN") || said.contains("ERROR") {
        return Err(format!("mdBook: {said}"));
    }
    Ok(())
}

/// Packs the module that runs the examples into the book.
fn make_live(root: &Path, book: &Path, required: bool) -> Result<(), String> {
    let page = root.join("bindings/web/page");
    if !page.join("dist/engine.wasm").is_file() {
        let message =
            "the examples do not run in the book: bindings/web/page/build makes the module for that";
        if required {
            return Err(message.into());
        }
        eprintln!("note: {message}");
        return Ok(());
    }
    let ran = Command::new("node").arg(page.join("book.mjs")).arg(book.join("theme")).status();
    match ran {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("book.mjs: {status}")),
        Err(e) => Err(format!("node: {e}")),
    }
}

fn size(folder: &Path) -> std::io::Result<u64> {
    files::below(folder)?.iter().map(|file| Ok(fs::metadata(file)?.len())).sum()
}

/// Opens a file in the browser of the user.
fn show(file: &Path) -> Result<(), String> {
    let program = match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => "xdg-open",
    };
    let ran = Command::new(program).arg(file).status();
    if ran.is_ok_and(|status| status.success()) {
        return Ok(());
    }
    Err(format!("{program} cannot open {}", file.display()))
}
