//! The C libraries in an archive that can be unpacked anywhere: headers, shared and static
//! libraries, and the files that pkg-config and `CMake` need.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::archive::{pack, unpack};
use super::command::has_no_path_of_this_machine;
use super::place::{Place, Trouble, copy, expect, has_program, names_in, run, said, write};

/// The prefix that the libraries are built for. The files for pkg-config in the archive name their
/// own folder instead.
const PREFIX: &str = "/usr";

pub(super) fn make(place: &Place) -> Result<(), Trouble> {
    let folder = place.empty("c")?;
    let tree = folder.join("tree");
    let this = std::env::current_exe().map_err(|e| format!("this program: {e}"))?;
    run(Command::new(this)
        .current_dir(&place.root)
        .args(["install-c", "--prefix", PREFIX, "--destdir"])
        .arg(&tree)
        .env("RUSTFLAGS", place.flags())
        .env("SOURCE_DATE_EPOCH", &place.epoch))?;
    let name = format!("placemat-c-{}-{}-linux-gnu", place.version, std::env::consts::ARCH);
    let files = folder.join(&name);
    fs::rename(tree.join("usr"), &files).map_err(|e| format!("{}: {e}", files.display()))?;
    for file in ["LICENSE-APACHE", "LICENSE-MIT"] {
        copy(&place.root.join(file), &files.join(file))?;
    }
    let settings = files.join("lib/pkgconfig");
    for file in names_in(&settings)? {
        let path = settings.join(file);
        let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let (prefix, moved) = (format!("prefix={PREFIX}\n"), "prefix=${pcfiledir}/../..\n");
        if !text.contains(&prefix) {
            return Err(format!("{} does not begin with {prefix}", path.display()).into());
        }
        write(&path, &text.replacen(&prefix, moved, 1))?;
    }
    for file in names_in(&files.join("lib"))? {
        let path = files.join("lib").join(file);
        if path.is_file() {
            has_no_path_of_this_machine(place, &path)?;
        }
    }
    let archive = place.artefact(&format!("{name}.tar.gz"));
    pack(place, &folder, &name, &archive)?;
    try_libraries(place, &archive, &name)
}

/// Builds the program of the tests against an unpacked archive, with the shared and with the static
/// libraries.
fn try_libraries(place: &Place, archive: &Path, name: &str) -> Result<(), Trouble> {
    for program in ["gcc", "pkg-config"] {
        if !has_program(program) {
            return Err(Trouble::Missing(format!("{program}, to try {}", archive.display())));
        }
    }
    let elsewhere = place.empty("c-tried")?;
    unpack(archive, &elsewhere)?;
    let libraries = elsewhere.join(name).join("lib");
    let programs = place.root.join("bindings/c/package/programs");
    let expected = fs::read_to_string(programs.join("both.out")).map_err(|e| format!("both.out: {e}"))?;
    for kind in ["shared", "static"] {
        let mut flags = Command::new("pkg-config");
        flags.args(["--cflags", "--libs", "placemat", "placemat-iconv"]);
        flags.env("PKG_CONFIG_PATH", libraries.join("pkgconfig"));
        let mut gcc = Command::new("gcc");
        gcc.arg("-o").arg(elsewhere.join(kind)).arg(programs.join("both.c"));
        if kind == "static" {
            flags.arg("--static");
            gcc.arg("-static");
        }
        run(gcc.args(said(&mut flags)?.split_whitespace()))?;
        let mut program = Command::new(elsewhere.join(kind));
        if kind == "shared" {
            program.env("LD_LIBRARY_PATH", &libraries);
        }
        expect(&format!("a program in C, {kind}"), &said(&mut program)?, expected.trim_end())?;
    }
    Ok(())
}
