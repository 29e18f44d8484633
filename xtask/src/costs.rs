//! The cost of the library for a program: this task builds small programs, each of which uses a part of the library, and compares the size
//! that the library adds to each with the record. The sizes may only fall.

use core::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

const RECORD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/costs.txt");
/// A program may be larger than the record by this many percent before the check fails: other
/// compiler versions make small differences.
const TOLERANCE_PERCENT: u64 = 3;

/// A program: its name, the library features that it enables, if any, and what it does with its
/// argument.
struct Program {
    name: &'static str,
    features: Option<&'static str>,
    body: &'static str,
}

/// The measured programs. The first does not use the library; the others are compared with it.
const PROGRAMS: &[Program] = &[
    Program { name: "nothing", features: None, body: "a.len()" },
    Program {
        name: "validate",
        features: Some("default-features = false"),
        body: "placemat::utf8::validate(a.as_bytes()).is_ok()",
    },
    Program {
        name: "replace",
        features: Some("default-features = false, features = [\"std\"]"),
        body: "placemat::utf8::decode(a.as_bytes(), placemat::ErrorPolicy::Replace).unwrap()",
    },
    Program {
        name: "label-unicode",
        features: Some("default-features = false, features = [\"std\"]"),
        body: BY_LABEL,
    },
    Program { name: "label", features: Some("default-features = true"), body: BY_LABEL },
    Program { name: "label-full", features: Some("features = [\"full\"]"), body: BY_LABEL },
    Program {
        name: "detect",
        features: Some("features = [\"detect\"]"),
        body: "placemat::detect(a.as_bytes()).encoding.map_or(\"none\", |encoding| encoding.name())",
    },
];
const BY_LABEL: &str = "placemat::Encoding::for_label(&a).unwrap().decode(a.as_bytes(), placemat::ErrorPolicy::Replace).unwrap()";
/// The number of programs that [`run`] builds by default, and that the record has.
const QUICK: usize = 4;

/// The cost of one program.
struct Cost {
    bytes: u64,
    /// The processor time of all processes of the build.
    cpu_seconds: f64,
}

/// Compares the sizes with the record, or writes it.
pub(crate) fn run(update: bool, all: bool) -> Result<(), String> {
    let programs = if all { PROGRAMS } else { &PROGRAMS[..QUICK] };
    let record = std::fs::read_to_string(RECORD).unwrap_or_default();
    let (mut text, mut larger, mut base) = (String::new(), Vec::new(), 0);
    println!("{:<12} {:>10} {:>10} {:>12}", "program", "KB added", "recorded", "CPU seconds");
    for program in programs {
        let Cost { bytes, cpu_seconds } = build(program)?;
        if program.features.is_none() {
            base = bytes;
            continue;
        }
        let added = bytes.saturating_sub(base);
        let recorded = record
            .lines()
            .find_map(|line| line.strip_prefix(program.name)?.strip_prefix(' ')?.parse::<u64>().ok());
        let shown = recorded.map_or_else(|| "-".to_owned(), |bytes| (bytes / 1000).to_string());
        println!("{:<12} {:>10} {shown:>10} {cpu_seconds:>12.1}", program.name, added / 1000);
        let _ = writeln!(text, "{} {added}", program.name);
        if recorded.is_some_and(|recorded| added > recorded + recorded * TOLERANCE_PERCENT / 100) {
            larger.push(program.name);
        }
    }
    if update {
        return std::fs::write(RECORD, text).map_err(|e| format!("{RECORD}: {e}"));
    }
    if larger.is_empty() {
        Ok(())
    } else {
        Err(format!(
            "{} grew; if that is worth it, `cargo xtask costs --update` writes the record",
            larger.join(", ")
        ))
    }
}

/// Builds a program from scratch.
fn build(program: &Program) -> Result<Cost, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folder = root.join("target/costs").join(program.name);
    let _ = std::fs::remove_dir_all(&folder);
    let dependency = program.features.map_or_else(String::new, |features| {
        format!("placemat = {{ path = {:?}, {features} }}\n", root.join("crates/placemat"))
    });
    let manifest = format!(
        "[package]\nname = \"program\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n{dependency}\n\
         [profile.release]\nstrip = true\n"
    );
    let main = format!(
        "fn main() {{\n    let a = std::env::args().nth(1).unwrap();\n    println!(\"{{}}\", {});\n}}\n",
        program.body
    );
    write(&folder.join("Cargo.toml"), &manifest)?;
    write(&folder.join("src/main.rs"), &main)?;
    // Use the dependency versions of the workspace.
    let lock = std::fs::read_to_string(root.join("Cargo.lock")).map_err(|e| format!("Cargo.lock: {e}"))?;
    write(&folder.join("Cargo.lock"), &lock)?;
    let before = children_seconds()?;
    let mut cargo = Command::new("cargo");
    // Only the profile above counts: ignore the settings that the environment has for other builds.
    for (name, _) in std::env::vars_os() {
        let is_setting = name.to_str().is_some_and(|name| {
            name.starts_with("CARGO_PROFILE_") || ["RUSTFLAGS", "CARGO_INCREMENTAL"].contains(&name)
        });
        if is_setting {
            cargo.env_remove(name);
        }
    }
    let status = cargo
        .args(["build", "--quiet", "--release"])
        .arg("--target-dir")
        .arg(folder.join("target"))
        .current_dir(&folder)
        .status()
        .map_err(|e| format!("cargo: {e}"))?;
    if !status.success() {
        return Err(format!("the build of {} failed", program.name));
    }
    let cpu_seconds = children_seconds()? - before;
    let file = folder.join("target/release/program");
    let bytes = std::fs::metadata(&file).map_err(|e| format!("{}: {e}", file.display()))?.len();
    Ok(Cost { bytes, cpu_seconds })
}

fn write(path: &PathBuf, text: &str) -> Result<(), String> {
    let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    made.and_then(|()| std::fs::write(path, text)).map_err(|e| format!("{}: {e}", path.display()))
}

/// Returns the processor time of ended children of this process on all processors, as Linux counts
/// it.
fn children_seconds() -> Result<f64, String> {
    /// The unit of the file, on every architecture.
    const TICKS_PER_SECOND: f64 = 100.0;
    let stat = std::fs::read_to_string("/proc/self/stat").map_err(|e| format!("/proc/self/stat: {e}"))?;
    // After the name of the program, in parentheses: the state, and the times of children in the
    // 13th and 14th field.
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
    let ticks = fields.split_whitespace().skip(13).take(2).filter_map(|field| field.parse::<f64>().ok());
    Ok(ticks.sum::<f64>() / TICKS_PER_SECOND)
}
