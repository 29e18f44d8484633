//! The Python packages: a wheel of the library for each installed `CPython`, a wheel of the command
//! for all, and the source distributions of both. On Linux, zig links the wheels for old systems.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::command::try_command;
use super::place::{Place, Trouble, copy, expect, names_in, run, said};

/// The minor versions of `CPython` that the package supports: 3.9 and later.
const MINORS: core::ops::RangeInclusive<u32> = 9..=15;

/// Prints the version of `CPython` that takes the same wheels, and its path; nothing for other
/// implementations.
const ABOUT: &str = "import platform, sys, sysconfig
if platform.python_implementation() == 'CPython' and sys.version_info >= (3, 9):
    free = 't' if sysconfig.get_config_var('Py_GIL_DISABLED') else ''
    print(f'{sys.version_info[0]}.{sys.version_info[1]:02}{free}', sys.executable)";

const FIRST: &str = r"import placemat
print(placemat.decode(b'caf\xe9', 'windows-1252'), placemat.is_valid(b'\xed\xa0\x80'))";

/// The systems on which wheels run: those with glibc 2.17 or later, such as RHEL 7 and Ubuntu 14.04.
/// A plain build needs the glibc of this machine.
const SYSTEMS: &str = "manylinux2014";

/// A package: its folder in the repository, and the folder of its builds.
struct Package {
    folder: &'static str,
    builds: &'static str,
}

const LIBRARY: Package = Package { folder: "bindings/python", builds: "release-build/python" };
/// The command, which is the one of the part `gnu`.
const COMMAND: Package = Package { folder: ".", builds: "release-build/gnu" };

/// Makes a wheel for each `CPython`, and one of the command; tries each in a separate environment.
pub(super) fn wheels(place: &Place) -> Result<(), Trouble> {
    let pythons = pythons();
    let Some((_, first)) = pythons.first_key_value() else {
        return Err(Trouble::Missing("CPython 3.9 or later".to_owned()));
    };
    let maturin = maturin(place, first)?;
    for (version, python) in &pythons {
        let wheel = wheel(place, &maturin, &LIBRARY, &["--interpreter".as_ref(), python])?;
        let environment = installed(place, python, &wheel)?;
        expect(&format!("CPython {version}"), &said(&mut first_result(&environment))?, "café False")?;
    }
    let wheel = wheel(place, &maturin, &COMMAND, &[])?;
    let environment = installed(place, first, &wheel)?;
    try_command(&environment.join("bin/placemat"))?;
    Ok(())
}

/// Makes the source distributions, and installs the library from its own with one `CPython`.
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
    let tried = place.empty("sdist-tried")?;
    let environment = maturin.parent().and_then(Path::parent).unwrap_or(Path::new("/"));
    run(pip(environment)
        // pip calls maturin by its name.
        .env("PATH", path(&maturin)?)
        .args(["install", "--no-build-isolation", "--no-deps", "--target"])
        .args([&tried, &sources[0]])
        .env("CARGO_TARGET_DIR", place.target.join("release-build/sdist")))?;
    let said = said(first_result(environment).current_dir(&tried).env("PYTHONPATH", &tried))?;
    expect(&format!("from source, CPython {version}"), &said, "café False")?;
    Ok(())
}

/// Builds a wheel; returns the path of the artefact.
fn wheel(place: &Place, maturin: &Path, package: &Package, options: &[&Path]) -> Result<PathBuf, String> {
    let folder = place.empty("wheel")?;
    let mut maturin = maturin_for(place, maturin, package, "build", &folder)?;
    maturin.args(["--release", "--locked"]).args(options).env("RUSTFLAGS", place.flags());
    if cfg!(target_os = "linux") {
        // maturin checks that the result needs no later symbol.
        maturin.args(["--zig", "--compatibility", SYSTEMS]);
    }
    run(&mut maturin)?;
    let wheel = keep(place, &folder)?;
    let name = wheel.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if cfg!(target_os = "linux") && !name.contains(SYSTEMS) {
        return Err(format!("{name} is not for {SYSTEMS}"));
    }
    Ok(wheel)
}

/// Installs a wheel, and nothing else, in a new environment; returns its folder.
fn installed(place: &Place, python: &Path, wheel: &Path) -> Result<PathBuf, String> {
    let environment = place.empty("wheel-tried")?;
    run(Command::new(python).args(["-m", "venv"]).arg(&environment))?;
    run(pip(&environment).args(["install", "--no-index", "--no-deps"]).arg(wheel))?;
    Ok(environment)
}

/// Prepares a call of the library in an environment, outside its sources.
fn first_result(environment: &Path) -> Command {
    let mut python = Command::new(environment.join("bin/python"));
    python.current_dir(environment).args(["-c", FIRST]);
    python
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
        python.args(["-c", "import ziglang"]).output().is_ok_and(|output| output.status.success())
    };
    if !maturin.is_file() || !has_zig() {
        run(Command::new(python).args(["-m", "venv", "--clear"]).arg(&environment))?;
        run(pip(&environment).args(["install", "maturin>=1.9,<2", "ziglang"]))
            .map_err(|e| Trouble::Missing(format!("maturin and zig, from PyPI: {e}")))?;
    }
    Ok(maturin)
}

fn pip(environment: &Path) -> Command {
    let mut pip = Command::new(environment.join("bin/python"));
    pip.args(["-m", "pip", "--quiet", "--disable-pip-version-check"]);
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

/// Copies the only file of a folder to the artefacts; returns its path there.
fn keep(place: &Place, folder: &Path) -> Result<PathBuf, String> {
    let names = names_in(folder)?;
    let [name] = &names[..] else {
        return Err(format!("{}: {names:?} where one file is right", folder.display()));
    };
    let kept = place.artefact(name);
    copy(&folder.join(name), &kept)?;
    Ok(kept)
}
