//! The packages that hold the texts: a list with versions and digests, and their download.

use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The list of packages.
pub(crate) const LIST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus.lock");

/// The purpose of the texts of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Use {
    /// Training of the model; all of them under the MPL-2.0.
    Training,
    /// Tests with texts of the kind that the model is trained on.
    Near,
    /// Tests with texts of other kinds: stories, sayings, a book.
    Far,
}

impl Use {
    /// Returns the name of the use in the list and of its folder.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Training => "training",
            Self::Near => "near",
            Self::Far => "far",
        }
    }
}

/// A package, or an index of translated descriptions, in its locked version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Package {
    pub(crate) source: String,
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) sha256: String,
    pub(crate) purpose: Use,
}

impl Package {
    pub(crate) fn is_index(&self) -> bool {
        self.name.starts_with("Translation-")
    }

    /// Returns the name that `apt-get download` gives the file.
    fn file_name(&self) -> String {
        if self.is_index() {
            return self.name.clone();
        }
        format!("{}_{}_all.deb", self.name, self.version.replace(':', "%3a"))
    }

    /// Returns the file in a folder of packages, if its digest is the locked one.
    pub(crate) fn verified(&self, folder: &Path) -> Result<PathBuf, String> {
        let path = folder.join(self.file_name());
        let found = digest(&path)
            .map_err(|e| format!("{}: {e}; `cargo train corpus fetch` loads it", path.display()))?;
        if found == self.sha256 {
            Ok(path)
        } else {
            Err(format!(
                "{}: SHA-256 {found} is not {}, which corpus.lock names",
                path.display(),
                self.sha256
            ))
        }
    }
}

fn digest(path: &Path) -> std::io::Result<String> {
    Ok(Sha256::digest(std::fs::read(path)?).iter().map(|b| format!("{b:02x}")).collect())
}

/// Reads the list: lines `source NAME USE LICENCE…`, then lines `SOURCE PACKAGE VERSION SHA256`.
pub(crate) fn list() -> Result<Vec<Package>, String> {
    parse(&std::fs::read_to_string(LIST).map_err(|e| format!("{LIST}: {e}"))?)
}

pub(crate) fn parse(text: &str) -> Result<Vec<Package>, String> {
    let mut uses = BTreeMap::new();
    let mut out = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let fields: Vec<&str> = line.split_whitespace().collect();
        match *fields {
            ["source", name, purpose, _, ..] => {
                let purpose = [Use::Training, Use::Near, Use::Far].into_iter().find(|u| u.name() == purpose);
                uses.insert(name, purpose.ok_or_else(|| format!("unknown use: {line}"))?);
            }
            [source, name, version, sha256] => {
                let purpose = *uses.get(source).ok_or_else(|| format!("unknown source: {line}"))?;
                let [source, name, version, sha256] = [source, name, version, sha256].map(str::to_owned);
                out.push(Package { source, name, version, sha256, purpose });
            }
            _ => return Err(format!("not a line of the list: {line}")),
        }
    }
    Ok(out)
}

/// Downloads the packages that a folder lacks, and verifies all of them. With `newest`, downloads the versions that the
/// archive offers now, and writes those into the list.
pub(crate) fn fetch(folder: &Path, newest: bool) -> Result<(), String> {
    std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let packages = list()?;
    let lacking = |package: &&Package| newest || package.verified(folder).is_err();
    let (indexes, debs): (Vec<&Package>, Vec<&Package>) =
        packages.iter().filter(lacking).partition(|package| package.is_index());
    if !indexes.is_empty() {
        fetch_indexes(folder, &indexes)?;
    }
    let wanted = |package: &Package| match newest {
        true => package.name.clone(),
        false => format!("{}={}", package.name, package.version),
    };
    for some in debs.chunks(40) {
        eprintln!("{} … {}", some[0].name, some[some.len() - 1].name);
        let names = some.iter().map(|package| wanted(package));
        if !apt_get(folder, ["-q", "download"].map(str::to_owned).into_iter().chain(names))? {
            // One version that is gone keeps apt-get from loading any: load them one by one.
            for package in some {
                apt_get(folder, ["-q", "download"].map(str::to_owned).into_iter().chain([wanted(package)]))?;
            }
        }
    }
    if newest {
        return lock(folder, &packages);
    }
    let wrong: Vec<String> = packages.iter().filter_map(|package| package.verified(folder).err()).collect();
    if wrong.is_empty() {
        return Ok(());
    }
    Err(format!(
        "{}\n{} of {} packages are not what corpus.lock names. An archive offers the newest versions only: older ones \
         are at https://snapshot.debian.org/package/NAME/VERSION/. `cargo train corpus fetch DIR --newest` loads the \
         versions of today and writes them into corpus.lock; a model trained with those is another one.",
        wrong.join("\n"),
        wrong.len(),
        packages.len()
    ))
}

fn apt_get(folder: &Path, arguments: impl Iterator<Item = String>) -> Result<bool, String> {
    let status = Command::new("apt-get").args(arguments).current_dir(folder).status();
    Ok(status.map_err(|e| format!("apt-get: {e}"))?.success())
}

/// Loads the indexes of translated descriptions, by an update in a folder of lists of its own.
fn fetch_indexes(folder: &Path, indexes: &[&Package]) -> Result<(), String> {
    let lists = folder.join("lists");
    std::fs::create_dir_all(lists.join("partial")).map_err(|e| format!("{}: {e}", lists.display()))?;
    let lists = lists.canonicalize().map_err(|e| format!("{}: {e}", lists.display()))?;
    let languages: Vec<&str> =
        indexes.iter().filter_map(|index| index.name.split_once('-')).map(|x| x.1).collect();
    let options = [
        "-q".to_owned(),
        "-o".to_owned(),
        format!("Acquire::Languages={}", languages.join(",")),
        "-o".to_owned(),
        format!("Dir::State::Lists={}", lists.display()),
        "update".to_owned(),
    ];
    if !apt_get(folder, options.into_iter())? {
        return Err("apt-get update failed".into());
    }
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(&lists).map_err(|e| e.to_string())?.flatten().map(|entry| entry.path()).collect();
    files.sort_unstable();
    for index in indexes {
        let suffix = format!("_main_i18n_{}", index.name.replace('_', "%5f"));
        // The main archive; that of updates and that of security repeat parts of it.
        let file = files.iter().find(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let plain = name.strip_suffix(".lz4").unwrap_or(&name);
            plain.ends_with(&suffix) && !name.contains("security") && !name.contains("updates")
        });
        let Some(file) = file else { continue };
        let out = Command::new("/usr/lib/apt/apt-helper").arg("cat-file").arg(file).output();
        let out = out.map_err(|e| format!("apt-helper: {e}"))?;
        let path = folder.join(&index.name);
        std::fs::write(&path, out.stdout).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    Ok(())
}

/// Writes the versions and digests of the files in a folder into the list.
fn lock(folder: &Path, packages: &[Package]) -> Result<(), String> {
    let old = std::fs::read_to_string(LIST).map_err(|e| format!("{LIST}: {e}"))?;
    let mut out: String = old
        .lines()
        .take_while(|line| line.is_empty() || line.starts_with('#') || line.starts_with("source "))
        .map(|line| format!("{line}\n"))
        .collect();
    for package in packages {
        let (version, path) = if package.is_index() {
            ("-".to_owned(), folder.join(&package.name))
        } else {
            newest_file(folder, &package.name)?
        };
        let sha256 = digest(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        out.push_str(&format!("{} {} {version} {sha256}\n", package.source, package.name));
    }
    std::fs::write(LIST, out).map_err(|e| format!("{LIST}: {e}"))
}

/// Returns the file of a package that was written last, and its version.
fn newest_file(folder: &Path, name: &str) -> Result<(String, PathBuf), String> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut found: Vec<_> = entries
        .flatten()
        .filter_map(|entry| {
            let file = entry.file_name().into_string().ok()?;
            let version =
                file.strip_prefix(name)?.strip_prefix('_')?.strip_suffix("_all.deb")?.replace("%3a", ":");
            Some((entry.metadata().ok()?.modified().ok()?, version, entry.path()))
        })
        .collect();
    found.sort();
    found.pop().map(|(_, version, path)| (version, path)).ok_or_else(|| format!("no file of {name}"))
}

#[cfg(test)]
mod tests {
    use super::{Use, list, parse};
    use std::collections::BTreeSet;

    #[test]
    fn lines_of_the_list() {
        let text = "# comment\nsource a training MPL-2.0\nsource b far GPL-2+ or CC-BY-SA-3.0\n\na pack-x 1:2-3 00ff\nb Translation-de - 11\n";
        let packages = parse(text).unwrap();
        assert_eq!(packages[0].file_name(), "pack-x_1%3a2-3_all.deb");
        assert_eq!((packages[1].file_name().as_str(), packages[1].purpose), ("Translation-de", Use::Far));
        for wrong in ["a b c d", "source a training", "source a nothing MIT", "a b"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }

    /// A model that is trained on other texts could not be shipped.
    #[test]
    fn training_is_under_the_mpl_alone() {
        let text = std::fs::read_to_string(super::LIST).unwrap();
        let mut training = 0;
        for line in text.lines().filter_map(|line| line.strip_prefix("source ")) {
            let fields: Vec<&str> = line.split_whitespace().collect();
            if fields[1] == "training" {
                training += 1;
                assert_eq!(fields[2..], ["MPL-2.0"], "{line}");
            }
        }
        assert_eq!(training, 3);
        let packages = list().unwrap();
        let names: BTreeSet<_> = packages.iter().map(|package| &package.name).collect();
        assert_eq!(names.len(), packages.len(), "a package stands twice in the list");
        let prefixes = ["libreoffice-l10n-", "libreoffice-help-", "firefox-esr-l10n-"];
        for package in packages {
            assert_eq!(package.sha256.len(), 64, "{}", package.name);
            let is_mpl = prefixes.iter().any(|prefix| package.name.starts_with(prefix));
            assert_eq!(package.purpose == Use::Training, is_mpl, "{}", package.name);
        }
    }
}
