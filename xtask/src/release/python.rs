//! The Python package: a wheel for each CPython that is here, and the source distribution.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::place::{Place, Trouble, copy, expect, names_in, run, said};

/// The versions of CPython that the package supports: 3.9 and these after it.
const MINORS: std::ops::RangeInclusive<u32> = 9..=15;

/// Prints the version of CPython that takes the same wheels, and its path; nothing for other implementations.
const ABOUT: &str = "import platform, sys, sysconfig
if platform.python_implementation() == 'CPython' and sys.version_info >= (3, 9):
    free = 't' if sysconfig.get_config_var('Py_GIL_DISABLED') else ''
    print(f'{sys.version_info[0]}.{sys.version_info[1]:02}{free}', sys.executable)";

const FIRST: &str = r"import placemat; print(placemat.decode(b'caf\xe9', 'windows-1252'), placemat.is_valid(b'\xed\xa0\x80'))";

/// Makes a wheel for each CPython and tries it in an environment of its own.
pub(super) fn wheels(place: &Place) -> Result<(), Trouble> {
    let pythons = pythons();
    let Some((_, first)) = pythons.first_key_value() else {
        return Err(Trouble::Missing("CPython 3.9 or later".to_owned()));
    };
    let maturin = maturin(place, first)?;
    for (version, python) in &pythons {
        let folder = place.empty("wheel")?;
        run(build(place, &maturin, "build", &folder).args(["--release", "--interpreter"]).arg(python))?;
        let wheel = keep(place, &folder)?;
        let environment = place.empty("wheel-tried")?;
        run(Command::new(python).args(["-m", "venv"]).arg(&environment))?;
        run(pip(&environment).args(["install", "--no-index", "--no-deps"]).arg(&wheel))?;
        let said =
            said(Command::new(environment.join("bin/python")).current_dir(&environment).args(["-c", FIRST]))?;
        expect(&format!("CPython {version}"), &said, "café False")?;
    }
    Ok(())
}

/// Makes the source distribution, and installs from it with one CPython.
pub(super) fn sdist(place: &Place) -> Result<(), Trouble> {
    let pythons = pythons();
    let Some((version, python)) = pythons.last_key_value() else {
        return Err(Trouble::Missing("CPython 3.9 or later".to_owned()));
    };
    let maturin = maturin(place, python)?;
    let folder = place.empty("sdist")?;
    run(build(place, &maturin, "sdist", &folder).arg("--quiet"))?;
    let source = keep(place, &folder)?;
    // The environment of maturin has what the build needs.
    let tried = place.empty("sdist-tried")?;
    let environment = maturin.parent().and_then(Path::parent).unwrap_or(Path::new("/"));
    run(pip(environment)
        .args(["install", "--no-build-isolation", "--no-deps", "--target"])
        .args([&tried, &source])
        .env("CARGO_TARGET_DIR", place.target.join("release-build/sdist")))?;
    let mut first = Command::new(environment.join("bin/python"));
    let said = said(first.current_dir(&tried).env("PYTHONPATH", &tried).args(["-c", FIRST]))?;
    expect(&format!("from source, CPython {version}"), &said, "café False")?;
    Ok(())
}

/// One CPython of each version, by version: in PATH, and among those of pyenv.
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
        // Candidates that are not there, or that pyenv does not start, are no error.
        let Ok(output) = Command::new(&candidate).args(["-c", ABOUT]).output() else { continue };
        if let Some((version, path)) = String::from_utf8_lossy(&output.stdout).trim_end().split_once(' ') {
            pythons.entry(version.to_owned()).or_insert_with(|| path.into());
        }
    }
    pythons
}

/// The path of maturin, in an environment that keeps it between runs; the version is that of `pyproject.toml`.
fn maturin(place: &Place, python: &Path) -> Result<PathBuf, Trouble> {
    let version = said(Command::new(python).args(["-c", "import sys; print(sys.version_info[1])"]))?;
    let environment = place.target.join(format!("release-build/maturin-{version}"));
    let maturin = environment.join("bin/maturin");
    if !maturin.is_file() {
        run(Command::new(python).args(["-m", "venv", "--clear"]).arg(&environment))?;
        run(pip(&environment).args(["install", "maturin>=1.9,<2"]))
            .map_err(|e| Trouble::Missing(format!("maturin, from PyPI: {e}")))?;
    }
    Ok(maturin)
}

fn pip(environment: &Path) -> Command {
    let mut pip = Command::new(environment.join("bin/python"));
    pip.args(["-m", "pip", "--quiet", "--disable-pip-version-check"]);
    pip
}

/// A call of maturin that puts its result into a folder.
fn build(place: &Place, maturin: &Path, task: &str, folder: &Path) -> Command {
    let mut command = Command::new(maturin);
    command
        .arg(task)
        .arg("--out")
        .arg(folder)
        .arg("--manifest-path")
        .arg(place.root.join("bindings/python/Cargo.toml"))
        .env("CARGO_TARGET_DIR", place.target.join("release-build/python"))
        .env("SOURCE_DATE_EPOCH", &place.epoch);
    if task == "build" {
        command.arg("--locked").env("RUSTFLAGS", place.flags());
    }
    command
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
