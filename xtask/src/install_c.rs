//! Builds the C libraries of the workspace `bindings/c/` and installs them: headers, shared
//! libraries with their links, archives, and the files with which pkg-config and `CMake` find them.

use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

const USAGE: &str = "usage: cargo xtask install-c --prefix DIR [--libdir DIR] [--destdir DIR]

  --prefix DIR    installs below this folder: include/, lib/
  --libdir DIR    the folder of the libraries, within the prefix (lib)
  --destdir DIR   puts the tree below this folder, for packages; the installed files name the prefix alone";

/// A C library.
struct Library {
    /// The package of the library in the workspace `bindings/c/`.
    package: &'static str,
    /// The name of the library's crate.
    built: &'static str,
    /// The name of the library for the linker, after `-l`.
    name: &'static str,
    /// Options for the build of the archive.
    archive: &'static [&'static str],
    /// The headers of the library: the path in the workspace, and below `include/`.
    headers: &'static [(&'static str, &'static str)],
    /// The library's file for pkg-config, in `bindings/c/package/`, if it has one.
    pkg_config: Option<&'static str>,
}

const LIBRARIES: [Library; 3] = [
    Library {
        package: "placemat-c",
        built: "placemat_c",
        name: "placemat",
        archive: &[],
        headers: &[("placemat/include/placemat.h", "placemat.h")],
        pkg_config: Some("placemat.pc"),
    },
    Library {
        package: "placemat-iconv-c",
        built: "placemat_iconv",
        name: "placemat_iconv",
        // To call the next library, this one needs dlsym(3), and a statically linked program has no
        // next library.
        archive: &["--no-default-features"],
        headers: &[],
        pkg_config: None,
    },
    Library {
        package: "placemat-libiconv-c",
        built: "placemat_libiconv",
        name: "placemat_libiconv",
        archive: &["--no-default-features", "--features", "libiconv"],
        headers: &[
            ("iconv/include/placemat_iconv.h", "placemat_iconv.h"),
            ("iconv/include/placemat/iconv.h", "placemat/iconv.h"),
        ],
        pkg_config: Some("placemat-iconv.pc"),
    },
];

/// The version number of the binary interface, as in the sonames that the build scripts set.
const SONAME: &str = "0";

/// The folders to install into.
#[derive(Debug, PartialEq, Eq)]
struct Folders {
    /// The prefix that the installed files name.
    prefix: PathBuf,
    /// The folder of the libraries below the prefix.
    libdir: PathBuf,
    /// The folder that replaces `/` while the files are written.
    destdir: Option<PathBuf>,
}

impl Folders {
    fn parse(arguments: &[&str]) -> Result<Self, String> {
        let (mut prefix, mut libdir, mut destdir) = (None, "lib", None);
        let mut arguments = arguments.iter();
        while let Some(&name) = arguments.next() {
            let (name, value) = match name.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (name, arguments.next().copied()),
            };
            let value =
                value.filter(|v| !v.is_empty()).ok_or_else(|| format!("{name} needs a folder\n\n{USAGE}"))?;
            match name {
                "--prefix" => prefix = Some(value),
                "--libdir" => libdir = value,
                "--destdir" => destdir = Some(value),
                _ => return Err(format!("unknown option {name}\n\n{USAGE}")),
            }
        }
        let prefix = prefix.ok_or_else(|| USAGE.to_owned())?;
        let prefix = absolute(prefix)?;
        // The installed files give the path of the headers relative to the libraries; so both are
        // in the prefix.
        let inside = if Path::new(libdir).is_absolute() {
            Path::new(libdir).strip_prefix(&prefix).map(Path::to_owned).ok()
        } else {
            Some(PathBuf::from(libdir))
        };
        let libdir = inside
            .filter(|path| path.components().all(|part| matches!(part, Component::Normal(_))))
            .filter(|path| path.components().next().is_some())
            .ok_or_else(|| {
                format!("--libdir {libdir}: is not a folder within the prefix {}", prefix.display())
            })?;
        for path in [&prefix, &libdir] {
            if path.to_str().is_none_or(|p| p.contains([' ', '"', '$', ';', '\\', '#', '\n'])) {
                return Err(format!(
                    "{}: pkg-config and CMake cannot find libraries in a folder of this name; \
                     choose one without spaces and without \" $ ; \\ #",
                    path.display()
                ));
            }
        }
        Ok(Self { prefix, libdir, destdir: destdir.map(absolute).transpose()? })
    }

    /// Returns the path to write a file to: below the folder that replaces `/`, if there is one.
    fn place(&self, path: &Path) -> PathBuf {
        let path = self.prefix.join(path);
        match &self.destdir {
            Some(destdir) => destdir.join(path.strip_prefix("/").unwrap_or(&path)),
            None => path,
        }
    }

    /// Returns the path to write a file of the folder of the libraries to.
    fn library(&self, name: &str) -> PathBuf {
        self.place(&self.libdir.join(name))
    }

    /// Fills in a template of `bindings/c/package/`.
    fn fill(&self, template: &str, version: &str) -> String {
        let up = "../".repeat(self.libdir.components().count());
        let mut parts = version.split('.');
        let mut part = || parts.next().unwrap_or("0");
        template
            .replace("@PREFIX@", &self.prefix.to_string_lossy())
            .replace("@LIBDIR@", &self.libdir.to_string_lossy())
            .replace("@UP@", up.trim_end_matches('/'))
            .replace("@VERSION@", version)
            .replace("@MAJOR@", part())
            .replace("@MINOR@", part())
            .replace("@SONAME@", SONAME)
    }
}

fn absolute(path: &str) -> Result<PathBuf, String> {
    std::path::absolute(path).map_err(|e| format!("{path}: {e}"))
}

/// Returns the folder of the workspace.
fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("bindings").join("c")
}

/// Returns the version of the C libraries.
fn version() -> Result<String, String> {
    let path = workspace().join("Cargo.toml");
    let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    text.lines()
        .find_map(|line| line.strip_prefix("version = \"")?.strip_suffix('"'))
        .map(str::to_owned)
        .ok_or_else(|| format!("{}: has no line `version = \"…\"`", path.display()))
}

/// Builds a library as `kind`, which is `cdylib` or `staticlib`; returns the path of the file.
fn build(library: &Library, kind: &str, options: &[&str]) -> Result<PathBuf, String> {
    let workspace = workspace();
    let target = workspace.join("target");
    let ran = Command::new("cargo")
        .args(["rustc", "--locked", "--release", "--lib", "--crate-type", kind, "--package", library.package])
        .arg("--manifest-path")
        .arg(workspace.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(&target)
        .args(options)
        .status()
        .map_err(|e| format!("cargo: {e}"))?;
    if !ran.success() {
        return Err(format!("{} cannot be built as a {kind}: see the messages of cargo", library.package));
    }
    let extension = if kind == "cdylib" { "so" } else { "a" };
    Ok(target.join("release").join(format!("lib{}.{extension}", library.built)))
}

/// Writes a file and renames it into its place: programs that run with an earlier file keep it, and
/// none sees half of the new one.
fn put(path: &Path, write: impl FnOnce(&Path) -> std::io::Result<()>) -> Result<(), String> {
    let name = path.file_name().ok_or_else(|| format!("{}: names no file", path.display()))?;
    let beside = path.with_file_name(format!(".{}.{}", name.to_string_lossy(), std::process::id()));
    let done = (|| {
        fs::create_dir_all(path.parent().unwrap_or(Path::new("/")))?;
        write(&beside)?;
        fs::rename(&beside, path)
    })();
    if let Err(e) = done {
        // The file may not exist.
        let _ = fs::remove_file(&beside);
        return Err(format!("{}: {e}", path.display()));
    }
    println!("{}", path.display());
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    put(to, |beside| fs::copy(from, beside).map(|_| ()))
}

#[cfg(unix)]
fn link(name: &str, to: &Path) -> Result<(), String> {
    put(to, |beside| std::os::unix::fs::symlink(name, beside))
}

#[cfg(not(unix))]
fn link(_name: &str, to: &Path) -> Result<(), String> {
    Err(format!("{}: this task installs on Linux only", to.display()))
}

/// Installs everything that the arguments name, and prints the path of each file.
pub(crate) fn run(arguments: &[&str]) -> Result<(), String> {
    let folders = Folders::parse(arguments)?;
    if !cfg!(target_os = "linux") {
        return Err(
            "install-c: the libraries have names and exports of ELF; this task installs on Linux only"
                .to_owned(),
        );
    }
    let version = version()?;
    let workspace = workspace();
    // Everything is built before anything is installed.
    let built = LIBRARIES
        .iter()
        .map(|library| {
            Ok((library, build(library, "cdylib", &[])?, build(library, "staticlib", library.archive)?))
        })
        .collect::<Result<Vec<_>, String>>()?;
    let template = |name: &str, to: &Path| {
        let from = workspace.join("package").join(name);
        let text = fs::read_to_string(&from).map_err(|e| format!("{}: {e}", from.display()))?;
        put(to, |beside| fs::write(beside, folders.fill(&text, &version)))
    };
    for (library, shared, archive) in built {
        for (from, to) in library.headers {
            copy(&workspace.join(from), &folders.place(&Path::new("include").join(to)))?;
        }
        let base = format!("lib{}.so", library.name);
        let (file, soname) = (format!("{base}.{version}"), format!("{base}.{SONAME}"));
        copy(&shared, &folders.library(&file))?;
        link(&file, &folders.library(&soname))?;
        link(&soname, &folders.library(&base))?;
        copy(&archive, &folders.library(&format!("lib{}.a", library.name)))?;
        if let Some(file) = library.pkg_config {
            template(file, &folders.library(&format!("pkgconfig/{file}")))?;
        }
    }
    for name in ["placematConfig.cmake", "placematConfigVersion.cmake"] {
        template(name, &folders.library(&format!("cmake/placemat/{name}")))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_within_the_prefix() {
        let folders = |arguments: &[&str]| Folders::parse(arguments);
        let usual = folders(&["--prefix", "/opt/p"]).unwrap();
        assert_eq!(usual.library("x.so"), Path::new("/opt/p/lib/x.so"));
        assert_eq!(usual.fill("@LIBDIR@ @UP@ @MAJOR@.@MINOR@ @VERSION@", "0.12.3"), "lib .. 0.12 0.12.3");
        let packaged =
            folders(&["--prefix=/usr", "--libdir=/usr/lib/x86_64-linux-gnu", "--destdir", "/tmp/tree"])
                .unwrap();
        assert_eq!(packaged.library("x.so"), Path::new("/tmp/tree/usr/lib/x86_64-linux-gnu/x.so"));
        assert_eq!(packaged.fill("@PREFIX@ @LIBDIR@ @UP@", "1.0.0"), "/usr lib/x86_64-linux-gnu ../..");
        for refused in [
            &["--prefix", "/usr", "--libdir", "/lib"][..],
            &["--prefix", "/usr", "--libdir", "../lib"],
            &["--prefix", "/usr", "--libdir", "/usr"],
            &["--prefix", "/opt/a b"],
            &["--prefix", "/opt/$x"],
            &["--prefix", ""],
            &["--prefix"],
            &["--libdir", "lib"],
            &["--colour", "red", "--prefix", "/usr"],
        ] {
            assert!(folders(refused).is_err(), "{refused:?}");
        }
    }

    #[test]
    fn every_name_of_a_template_is_filled_in() {
        let folders = Folders::parse(&["--prefix", "/opt/p"]).unwrap();
        for file in fs::read_dir(workspace().join("package")).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_some_and(|e| e == "pc" || e == "cmake") {
                let text = folders.fill(&fs::read_to_string(&path).unwrap(), &version().unwrap());
                assert!(!text.contains("@"), "{}:\n{text}", path.display());
            }
        }
    }
}
