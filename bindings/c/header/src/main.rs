//! Writes `placemat/include/placemat.h` from the Rust source: `cargo run -p header`, or `-- --check` to compare it.

use cbindgen::{Builder, Config, DocumentationStyle, Language};
use std::path::Path;
use std::process::ExitCode;

const PREFACE: &str = "\
/* placemat: everything about UTF-8 and its relatives, from C.
 *
 * Lengths are always given, in code units; no text needs a zero byte at its end, and null is the address of an empty text. No
 * function keeps state outside of a handle (a transcoder, a detector, a repairer, a document). Conversions allocate no memory, but
 * for placemat_transcoder_new, for the answers of a function that decides on errors (PLACEMAT_CALL), and for the tables of some
 * encodings, which the first use makes and the library keeps; detection, repair and documents do. Any thread may call any function;
 * a handle belongs to one thread at a time.
 *
 * Made by `cargo run -p header` from the Rust source; do not change it by hand.
 * Licence: MIT or Apache-2.0, at your choice. */";

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../placemat");
    let mut config = Config {
        language: Language::C,
        cpp_compat: true,
        usize_is_size_t: true,
        documentation_style: DocumentationStyle::C99,
        line_length: 110,
        header: Some(PREFACE.into()),
        include_guard: Some("PLACEMAT_H".into()),
        ..Config::default()
    };
    config.style = cbindgen::Style::Both;
    let mut builder = Builder::new().with_config(config);
    for file in ["types", "encodings", "unicode", "policy", "transcoder", "detect", "repair", "document"] {
        builder = builder.with_src(root.join(format!("src/{file}.rs")));
    }
    let mut bytes = Vec::new();
    builder.generate().expect("the source is Rust").write(&mut bytes);
    let header = for_readers_of_c(&String::from_utf8(bytes).expect("cbindgen writes UTF-8"));

    let path = root.join("include/placemat.h");
    if std::env::args().any(|argument| argument == "--check") {
        if std::fs::read_to_string(&path).is_ok_and(|old| old == header) {
            return ExitCode::SUCCESS;
        }
        eprintln!("{} is out of date: run `cargo run -p header`", path.display());
        return ExitCode::FAILURE;
    }
    std::fs::write(path, header).expect("to write the header");
    ExitCode::SUCCESS
}

/// Returns the header without the markup of Rust's documentation; examples are indented.
fn for_readers_of_c(header: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    let (mut inside, mut after_example) = (false, false);
    for line in header.lines() {
        match line.trim() {
            "// ```c" => inside = true,
            "// ```" => (inside, after_example) = (false, true),
            // The requirements are clear without their title.
            "// # Safety" => {
                if !after_example && lines.last().is_some_and(|line| line.trim() == "//") {
                    lines.pop();
                }
            }
            "//" if lines.last().is_some_and(|line| line.trim() == "//") => {}
            _ if inside => lines.push(line.replacen("//", "//    ", 1)),
            "//" => lines.push(line.to_owned()),
            _ => {
                after_example = false;
                lines.push(line.to_owned());
            }
        }
    }
    lines.join("\n") + "\n"
}
