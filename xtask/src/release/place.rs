//! The folders of a release, and the programs that its parts run.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The reason why a part of a release was not made.
pub(super) enum Trouble {
    /// A program or file that the part needs is not installed.
    Missing(String),
    Failed(String),
}

impl From<String> for Trouble {
    fn from(why: String) -> Self {
        Self::Failed(why)
    }
}

/// The folders of a release and its version.
pub(super) struct Place {
    /// The root of the repository.
    pub root: PathBuf,
    /// The folder of builds.
    pub target: PathBuf,
    /// The folder of the artefacts.
    pub artefacts: PathBuf,
    /// A folder for intermediate files; each part has its own subfolder.
    work: PathBuf,
    pub version: String,
    /// The time of the last commit, in seconds since 1970: the time of all files in archives.
    pub epoch: String,
}

impl Place {
    pub(super) fn new() -> Result<Self, String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("");
        let root = root.canonicalize().map_err(|e| format!("{}: {e}", root.display()))?;
        let target =
            std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |t| root.join(t));
        let place = Self {
            artefacts: root.join("target/release-artefacts"),
            work: target.join("release-work"),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            epoch: said(Command::new("git").current_dir(&root).args(["log", "-1", "--format=%ct"]))?,
            target,
            root,
        };
        make_folder(&place.artefacts)?;
        Ok(place)
    }

    /// Fails unless this commit may be released.
    pub(super) fn is_ready(&self) -> Result<(), String> {
        let git = |arguments: &[&str]| said(Command::new("git").current_dir(&self.root).args(arguments));
        let changed = git(&["status", "--porcelain"])?;
        if !changed.is_empty() {
            return Err(format!("release: the tree has changes that are not committed:\n{changed}"));
        }
        let tag = format!("v{}", self.version);
        let tags = git(&["tag", "--points-at", "HEAD"])?;
        if tags.lines().all(|line| line != tag) {
            return Err(format!("release: this commit does not have the tag {tag}, but {tags:?}"));
        }
        let log = self.root.join("CHANGELOG.md");
        let text = fs::read_to_string(&log).map_err(|e| format!("{}: {e}", log.display()))?;
        let is_heading = |line: &str| line.starts_with("## ") && line.contains(&self.version);
        if !text.lines().any(is_heading) {
            return Err(format!("release: CHANGELOG.md has no heading for {}", self.version));
        }
        Ok(())
    }

    /// Removes the artefacts of an earlier run.
    pub(super) fn clear(&self) -> Result<(), String> {
        fs::remove_dir_all(&self.artefacts).map_err(|e| format!("{}: {e}", self.artefacts.display()))?;
        make_folder(&self.artefacts)
    }

    /// Returns an empty folder for the named part.
    pub(super) fn empty(&self, part: &str) -> Result<PathBuf, String> {
        let folder = self.work.join(part);
        // The folder may not exist.
        let _ = fs::remove_dir_all(&folder);
        make_folder(&folder)?;
        Ok(folder)
    }

    /// Returns the path of the named artefact.
    pub(super) fn artefact(&self, name: &str) -> PathBuf {
        self.artefacts.join(name)
    }

    /// Returns the folders of this machine that must not be named in a program, and their
    /// replacements.
    pub(super) fn folders(&self) -> [(PathBuf, &'static str); 2] {
        let home = std::env::var_os("HOME").map_or_else(PathBuf::new, PathBuf::from);
        let cargo = std::env::var_os("CARGO_HOME").map_or_else(|| home.join(".cargo"), PathBuf::from);
        [(cargo, "/cargo"), (self.root.clone(), "/placemat")]
    }

    /// Returns the flags that remove these folders from the output of the compiler.
    pub(super) fn flags(&self) -> String {
        let flag = |(from, to): &(PathBuf, &str)| format!("--remap-path-prefix={}={to}", from.display());
        self.folders().each_ref().map(flag).join(" ")
    }

    /// Writes the digests of all artefacts beside them, and prints their sizes.
    pub(super) fn sum(&self) -> Result<(), String> {
        let mut names = Vec::new();
        println!("\n== {}", self.artefacts.display());
        for name in names_in(&self.artefacts)? {
            if name != "SHA256SUMS" {
                let bytes = fs::metadata(self.artefact(&name)).map_or(0, |about| about.len());
                println!("{bytes:>10} {name}");
                names.push(name);
            }
        }
        let sums = said(Command::new("sha256sum").current_dir(&self.artefacts).arg("--").args(names))?;
        write(&self.artefact("SHA256SUMS"), &(sums + "\n"))?;
        run(Command::new("sha256sum").current_dir(&self.artefacts).args(["--check", "--quiet", "SHA256SUMS"]))
    }
}

/// Returns the sorted names of the files in a folder.
pub(super) fn names_in(folder: &Path) -> Result<Vec<String>, String> {
    let files = fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut names: Vec<_> =
        files.flatten().map(|file| file.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    Ok(names)
}

/// Fails if a text is not the expected one.
pub(super) fn expect(what: &str, is: &str, expected: &str) -> Result<(), String> {
    if is == expected {
        println!("{what}: {expected}");
        return Ok(());
    }
    Err(format!("{what}: {is:?} where {expected:?} is right"))
}

/// Returns `true` if a program can be started.
pub(super) fn has_program(name: &str) -> bool {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&paths).any(|folder| folder.join(name).is_file())
}

fn shown(command: &Command) -> String {
    let words = core::iter::once(command.get_program()).chain(command.get_args());
    words.map(OsStr::to_string_lossy).collect::<Vec<_>>().join(" ")
}

/// Runs a command; its messages go where the messages of this program go.
pub(super) fn run(command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|e| format!("{}: {e}", shown(command)))?;
    if status.success() { Ok(()) } else { Err(format!("{}: {status}", shown(command))) }
}

/// Runs a command and returns what it prints, without the last end of line.
pub(super) fn said(command: &mut Command) -> Result<String, String> {
    command.stderr(std::process::Stdio::inherit());
    let output = command.output().map_err(|e| format!("{}: {e}", shown(command)))?;
    let text = String::from_utf8_lossy(&output.stdout).trim_end().to_owned();
    if output.status.success() {
        Ok(text)
    } else {
        Err(format!("{}: {}: {text}", shown(command), output.status))
    }
}

pub(super) fn make_folder(folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))
}

/// Writes a file and the folders that it needs.
pub(super) fn write(path: &Path, bytes: &(impl AsRef<[u8]> + ?Sized)) -> Result<(), String> {
    make_folder(path.parent().unwrap_or(Path::new("/")))?;
    fs::write(path, bytes).map_err(|e| format!("{}: {e}", path.display()))
}

/// Copies a file and makes the folders that it needs.
pub(super) fn copy(from: &Path, to: &Path) -> Result<(), String> {
    make_folder(to.parent().unwrap_or(Path::new("/")))?;
    fs::copy(from, to).map(|_| ()).map_err(|e| format!("{}: {e}", from.display()))
}
