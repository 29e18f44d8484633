//! The command: for the C library of the system, and with musl as one file without dependencies.
//! Each archive has the man page and the completions, which the command itself prints.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::archive::{pack, unpack};
use super::place::{Place, Trouble, copy, expect, has_program, run, said, write};

/// The files that the command prints: its arguments, and the path of each file in an archive.
const PRINTED: &[(&[&str], &str)] = &[
    (&["man"], "man/placemat.1"),
    (&["completions", "bash"], "completions/placemat.bash"),
    (&["completions", "elvish"], "completions/placemat.elv"),
    (&["completions", "fish"], "completions/placemat.fish"),
    (&["completions", "powershell"], "completions/_placemat.ps1"),
    (&["completions", "zsh"], "completions/_placemat"),
];

/// Builds the command for the C library of the system.
pub(super) fn gnu(place: &Place) -> Result<(), Trouble> {
    let target = place.target.join("release-build/gnu");
    let mut cargo = Command::new("cargo");
    run(build(place, &mut cargo, &target).env("RUSTFLAGS", place.flags()))?;
    let program = target.join("release/placemat");
    let bytes = fs::read(&program).map_err(|e| format!("{}: {e}", program.display()))?;
    if !needs_a_loader(&bytes) {
        return Err(format!("{} is static: this Rust builds for another C library", program.display()).into());
    }
    archive(place, &program, "linux-gnu")?;
    // Packagers of all machines get the files without machine code.
    let folder = place.empty("printed")?;
    let name = format!("placemat-{}-man-and-completions", place.version);
    print(&program, &folder.join(&name))?;
    pack(place, &folder, &name, &place.artefact(&format!("{name}.tar.gz")))?;
    Ok(())
}

/// Builds the command as one file, with musl.
pub(super) fn musl(place: &Place) -> Result<(), Trouble> {
    let triple = format!("{}-unknown-linux-musl", std::env::consts::ARCH);
    let target = place.target.join("release-build/musl");
    let libraries = said(Command::new("rustc").args(["--print", "target-libdir", "--target", &triple]))?;
    let flags = format!("{} -Ctarget-feature=+crt-static", place.flags());
    let has_library = fs::read_dir(&libraries).is_ok_and(|mut files| files.next().is_some());
    let mut cargo = Command::new(if has_library { "cargo" } else { "/usr/bin/cargo" });
    build(place, &mut cargo, &target).args(["--target", &triple]);
    if has_library {
        cargo.env("RUSTFLAGS", flags);
    } else {
        // Debian's compiler comes with the source of the standard library, and its gcc can use
        // Debian's musl.
        let source = Path::new("/usr/lib/rustlib/src/rust/library");
        if !source.is_dir() || !has_program("musl-gcc") {
            return Err(Trouble::Missing(format!(
                "the standard library for {triple}; `rustup target add {triple}` fetches it, or on Debian \
                 `apt-get install rustc-web cargo-web rust-web-src musl-tools` what it is built from"
            )));
        }
        let unwinding = unwinding(place)?;
        cargo
            .args(["-Zbuild-std=std,panic_abort"])
            .env("RUSTC", "/usr/bin/rustc")
            .env("RUSTC_BOOTSTRAP", "1")
            .env(format!("CARGO_TARGET_{}_LINKER", triple.to_uppercase().replace('-', "_")), "musl-gcc")
            .env(
                "RUSTFLAGS",
                format!(
                    "{flags} -Clink-self-contained=no -Crelocation-model=static -Lnative={}",
                    unwinding.display()
                ),
            );
    }
    run(&mut cargo)?;
    let program = target.join(&triple).join("release/placemat");
    let bytes = fs::read(&program).map_err(|e| format!("{}: {e}", program.display()))?;
    if needs_a_loader(&bytes) {
        return Err(format!("{} is not static", program.display()).into());
    }
    archive(place, &program, "linux-musl")?;
    Ok(())
}

/// Adds the flags with which a release builds the command.
fn build<'a>(place: &Place, cargo: &'a mut Command, target: &Path) -> &'a mut Command {
    cargo
        .current_dir(&place.root)
        .args(["build", "--locked", "--release", "--package", "placemat-cli", "--target-dir"])
        .arg(target)
        .env("SOURCE_DATE_EPOCH", &place.epoch)
}

/// Makes the library for unwinding that the standard library asks for with musl, from gcc's;
/// returns its folder.
fn unwinding(place: &Place) -> Result<PathBuf, String> {
    // Cargo builds from scratch if the flags change, and they name this folder.
    let folder = place.target.join("release-build/unwinding");
    let (source, object) = (folder.join("find_object.c"), folder.join("find_object.o"));
    write(&source, include_str!("find_object.c"))?;
    run(Command::new("musl-gcc").args(["-O2", "-c", "-o"]).args([&object, &source]))?;
    run(Command::new("ar").arg("rcsD").arg(folder.join("libplacemat_unwind.a")).arg(&object))?;
    write(&folder.join("libunwind.a"), "INPUT(-lgcc_eh -lplacemat_unwind -lgcc)\n")?;
    Ok(folder)
}

/// Packs a command with its man page and completions, and tries it.
fn archive(place: &Place, program: &Path, system: &str) -> Result<(), String> {
    has_no_path_of_this_machine(place, program)?;
    let folder = place.empty(system)?;
    let name = format!("placemat-{}-{}-{system}", place.version, std::env::consts::ARCH);
    let files = folder.join(&name);
    copy(program, &files.join("placemat"))?;
    for file in ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"] {
        copy(&place.root.join(file), &files.join(file))?;
    }
    print(program, &files)?;
    let archive = place.artefact(&format!("{name}.tar.gz"));
    pack(place, &folder, &name, &archive)?;

    let elsewhere = place.empty(&format!("{system}-tried"))?;
    unpack(&archive, &elsewhere)?;
    try_command(&elsewhere.join(&name).join("placemat"))
}

/// Writes the files that the command prints into a folder.
pub(super) fn print(program: &Path, folder: &Path) -> Result<(), String> {
    for (arguments, file) in PRINTED {
        let text = said(Command::new(program).args(*arguments))?;
        if !text.contains("placemat") {
            return Err(format!("`placemat {}` prints nothing about placemat", arguments.join(" ")));
        }
        write(&folder.join(file), &(text + "\n"))?;
    }
    Ok(())
}

/// Runs a command for first results, in an empty environment.
pub(super) fn try_command(program: &Path) -> Result<(), String> {
    let say = |arguments: &[&str], input: &[u8]| -> Result<String, String> {
        let failed = |e| format!("{}: {e}", program.display());
        let mut child = Command::new(program)
            .args(arguments)
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        if let Some(mut stdin) = child.stdin.take() {
            std::io::Write::write_all(&mut stdin, input).map_err(failed)?;
        }
        let output = child.wait_with_output().map_err(failed)?;
        let code = output.status.code().unwrap_or(-1);
        Ok(format!("{}({code})", String::from_utf8_lossy(&output.stdout)))
    };
    expect("convert", &say(&["convert", "-f", "windows-1252", "-"], b"caf\xE9")?, "café(0)")?;
    expect("check, well-formed", &say(&["check", "-"], "naïve\n".as_bytes())?, "(0)")?;
    let found = say(&["check", "-"], b"/etc\xC0\xAFpasswd")?;
    if !found.contains("0xc0 0xaf") || !found.ends_with("(1)") {
        return Err(format!("check, ill-formed: {found:?}"));
    }
    println!("check, ill-formed: {}", found.lines().next().unwrap_or_default());
    Ok(())
}

/// Fails if a file names a folder of this machine.
pub(super) fn has_no_path_of_this_machine(place: &Place, file: &Path) -> Result<(), String> {
    let bytes = fs::read(file).map_err(|e| format!("{}: {e}", file.display()))?;
    for (folder, _) in place.folders() {
        let path = folder.display().to_string();
        if bytes.windows(path.len()).any(|window| window == path.as_bytes()) {
            return Err(format!("{} names {path}", file.display()));
        }
    }
    Ok(())
}

/// Returns `true` if a 64-bit little-endian ELF file asks for a dynamic loader.
fn needs_a_loader(elf: &[u8]) -> bool {
    const INTERPRETER: u32 = 3;
    let number = |at: usize, bytes: usize| {
        let number = elf.get(at..at + bytes).unwrap_or_default();
        number.iter().rev().fold(0_usize, |sum, byte| sum << 8 | usize::from(*byte))
    };
    let (table, size, count) = (number(32, 8), number(54, 2), number(56, 2));
    (0..count).any(|i| number(table + i * size, 4) == INTERPRETER as usize)
}

#[cfg(all(test, target_os = "linux", target_env = "gnu"))]
mod tests {
    use super::*;

    #[test]
    fn this_test_needs_a_loader_and_an_empty_file_does_not() {
        let this = fs::read(std::env::current_exe().unwrap()).unwrap();
        assert!(needs_a_loader(&this));
        assert!(!needs_a_loader(b""));
    }
}
