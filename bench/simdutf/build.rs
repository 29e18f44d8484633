//! Builds simdutf, the C++ library, with each installed compiler, as static libraries that fit into
//! one program.
//!
//! The source is part of the crate `simdutf`, or a newer one in the folder that `SIMDUTF_SOURCE`
//! names: simdutf's own source tree, or a folder with the two files of its release.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, thread};

/// The compilers: the name of the condition, and the programs, of which the first installed one
/// counts.
const COMPILERS: [(&str, &[&str]); 2] = [
    ("gnu", &["g++"]),
    (
        "clang",
        &[
            "clang++-22",
            "clang++-21",
            "clang++-20",
            "clang++-19",
            "clang++-18",
            "clang++-17",
            "clang++-16",
            "clang++-15",
            "clang++",
            "clang++-14",
        ],
    ),
];

fn main() {
    println!("cargo::rerun-if-changed=table.cpp");
    println!("cargo::rerun-if-env-changed=SIMDUTF_SOURCE");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo names a folder"));
    let source = source();
    let folders = source.as_deref().map_or(Vec::new(), |source| prepare(source, &out));
    let builds: Vec<_> = COMPILERS
        .iter()
        .map(|&(condition, programs)| {
            println!("cargo::rustc-check-cfg=cfg(simdutf_{condition})");
            let (folders, program) = (folders.clone(), programs.iter().find(|program| works(program)));
            let program = program.filter(|_| !folders.is_empty());
            program.map(|program| {
                (condition, program, thread::spawn(move || build(condition, program, &folders)))
            })
        })
        .collect();
    for (condition, program, build) in builds.into_iter().flatten() {
        match build.join().expect("no panic") {
            Ok(()) => {
                println!("cargo::rustc-cfg=simdutf_{condition}");
                println!("cargo::rustc-env=SIMDUTF_{}={}", condition.to_uppercase(), name(program));
            }
            Err(e) => println!("cargo::warning=simdutf could not be built by {program} and is left out: {e}"),
        }
    }
}

/// Returns the folder with the source of simdutf.
fn source() -> Option<PathBuf> {
    if let Some(folder) = env::var_os("SIMDUTF_SOURCE") {
        return Some(folder.into());
    }
    // No target depends on the crate, so cargo fetches it and does not build it.
    let output = Command::new(env::var_os("CARGO")?)
        .args(["metadata", "--format-version", "1", "--locked", "--manifest-path"])
        .arg(Path::new(&env::var_os("CARGO_MANIFEST_DIR")?).join("Cargo.toml"))
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let package = |path: &&str| path.contains("simdutf-0") && path.ends_with("Cargo.toml");
    let manifest = text.split('"').find(package);
    if manifest.is_none() {
        println!("cargo::warning=the crate simdutf is not here: {}", String::from_utf8_lossy(&output.stderr));
    }
    Some(Path::new(manifest?).parent()?.join("cpp"))
}

/// Returns the folders in which the compiler finds `simdutf.cpp` and its includes.
fn prepare(source: &Path, out: &Path) -> Vec<PathBuf> {
    println!("cargo::rerun-if-changed={}", source.display());
    let tree = source.join("src/simdutf.cpp");
    if !tree.is_file() {
        return vec![source.to_owned()];
    }
    // The functions for C are the only symbols outside the namespace; the second copy would clash.
    let text = fs::read_to_string(&tree).expect("a file that is there");
    let text: String =
        text.lines().filter(|line| !line.contains("simdutf_c.cpp")).map(|line| format!("{line}\n")).collect();
    fs::write(out.join("simdutf.cpp"), text).expect("room for a file");
    vec![out.to_owned(), source.join("src"), source.join("include")]
}

fn build(condition: &str, program: &str, folders: &[PathBuf]) -> Result<(), cc::Error> {
    cc::Build::new()
        .cpp(true)
        .compiler(program)
        .std("c++17")
        .opt_level(3)
        .warnings(false)
        .define("NDEBUG", None)
        .define("simdutf", &*format!("simdutf_{condition}"))
        .define("PLACEMAT_TABLE", &*format!("placemat_simdutf_{condition}"))
        .includes(folders)
        .file("table.cpp")
        .out_dir(PathBuf::from(env::var_os("OUT_DIR").expect("cargo names a folder")).join(condition))
        .try_compile(&format!("simdutf_{condition}"))
}

fn works(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Returns the compiler and its major version: `clang++ 19`.
fn name(program: &str) -> String {
    let output = Command::new(program).arg("-dumpversion").output();
    let version =
        output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let major = version.trim().split('.').next().unwrap_or_default();
    let family = program.split('-').next().unwrap_or(program);
    format!("{family} {major}").trim().to_owned()
}
