//! Random trees of files, and pictures of them to compare.

use super::rng::Rng;
use crate::run::Directory;
use placemat::{Encoding, UnmappablePolicy};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Names of files: plain ones, those that mean something to the command, and those that a terminal or a shell would obey.
const NAMES: &[&[u8]] = &[
    b"a.txt",
    b"b.txt",
    b"c.py",
    b"d.json",
    b"e.html",
    b"F.class",
    b"caf\xC3\xA9.md",
    b"caf\xE9.txt",
    b"\xD0\xB6.txt",
    b"\xFF\xFE",
    b"esc\x1B[31m",
    b"c1\xC2\x9B31m",
    b"bidi\xE2\x80\xAEtxt",
    b"line\nbreak",
    b"tab\tquote\"'`$(x)",
    b" ",
    b"*",
    b"--help",
    b"-i",
    b"-",
    b"=",
    b"a.txt.bak",
    b".hidden",
    b".gitattributes",
    b".gitignore",
    b".ignore",
    b".editorconfig",
];

/// Texts in several scripts, damaged or not, and what a terminal would obey.
const TEXTS: &[&str] = &[
    "plain words, and a few more of them\n",
    "Le café déjà vu coûte 5 €.\r\n",
    "Привет, мир! Скоро весна, и всё будет хорошо.\n",
    "日本語の文章です。これは例です。\n",
    "καλημέρα κόσμε\n",
    "Grüße aus Köln, schöne Straße\r",
    "naÃ¯ve cafÃ© â‚¬ and â€œquotesâ€\u{9D}\n",
    "ÐŸÑ€Ð¸Ð²ÐµÑ‚\n",
    "😀 👨‍👩‍👧 e\u{301} क्षि\n",
    "\u{1B}[31mred\u{1B}]0;title\u{7}\u{9B}31m\u{85}\u{90}\n",
    "\u{202E}evil\u{2066}\u{200B}\u{2028}\u{FEFF}\u{E0001}\n",
    "\u{0}\u{0}NUL\u{0}\n",
    "&eacute;&#x20ac;&lt; caf=C3=A9 %C3%A9+ \\u00e9\\x1b \"caf\\u00e9\" Y2Fmw6k=\n",
    "<?xml version=\"1.0\" encoding=\"iso-8859-1\"?>\n",
    "<meta charset=\"windows-1251\">\n",
    "# -*- coding: latin-1 -*-\nx = 'é'\n",
    "root = true\n[*]\ncharset = latin1\n[*.txt]\ncharset = utf-16le\n",
    "*.txt working-tree-encoding=UTF-16LE-BOM text eol=crlf\n*.py encoding=latin1\n",
    "b.txt\nd/\n!e*\n",
    "{\"path\": \"a.txt\", \"offset\": 0}\n",
    "a\u{1A}",
    "\u{FEFF}signature\n",
    "\n\n\r\n\r",
];

/// Returns the bytes of a text file, or bytes that are none.
pub(super) fn content(rng: &mut Rng) -> Vec<u8> {
    if rng.one_in(12) {
        return Vec::new();
    }
    if rng.one_in(12) {
        return (0..rng.below(300)).map(|_| rng.byte()).collect();
    }
    let mut text = String::new();
    for _ in 0..=rng.below(4) {
        let part: &&str = rng.of(TEXTS);
        text.push_str(part);
    }
    if rng.one_in(25) {
        text = text.repeat(1 + 70_000 / text.len());
    }
    let mut bytes = match rng.below(8) {
        0..=3 => text.into_bytes(),
        4 => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        5 => text.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect(),
        _ => encoding(rng).encode(&text, UnmappablePolicy::Skip).unwrap().into_owned(),
    };
    if rng.one_in(3) && !bytes.is_empty() {
        for _ in 0..=rng.below(4) {
            let at = rng.below(bytes.len());
            let damage = *rng.of(&[0xFF, 0xC0, 0xE9, 0x80, 0xED, 0xF4, 0x00, 0x1B]);
            if rng.one_in(2) { bytes[at] = damage } else { bytes.insert(at, damage) }
        }
    }
    bytes
}

/// Returns one of all encodings.
pub(super) fn encoding(rng: &mut Rng) -> Encoding {
    *rng.of(Encoding::ALL)
}

/// A directory `in` with random files, a directory `out` beside it to which links may lead, and empty ones for the files of
/// the system.
pub(super) struct Tree {
    directory: Directory,
    /// The files and directories within `in`, relative to it.
    pub(super) paths: Vec<PathBuf>,
}

impl Tree {
    pub(super) fn new(rng: &mut Rng) -> Self {
        let directory = Directory::new();
        for name in ["in", "out", "tmp", "home"] {
            fs::create_dir(directory.path(name)).unwrap();
        }
        directory.write("out/secret.txt", b"caf\xE9\r\n");
        let mut tree = Self { directory, paths: Vec::new() };
        if rng.one_in(6) {
            tree.add_repository(rng);
        }
        let mut folders = vec![PathBuf::new()];
        for _ in 0..1 + rng.below(7) {
            let within = rng.of(&folders).clone();
            let name: &&[u8] = rng.of(NAMES);
            let path = within.join(OsStr::from_bytes(name));
            if tree.paths.contains(&path) {
                continue;
            }
            if tree.add(rng, &path) {
                folders.push(path.clone());
            }
            tree.paths.push(path);
        }
        tree
    }

    /// Adds a file, a link or a directory. Returns `true` for a directory.
    fn add(&self, rng: &mut Rng, path: &Path) -> bool {
        let real = self.within(path);
        match rng.below(16) {
            0 | 1 => fs::create_dir(real).unwrap(),
            2 => {
                let target: PathBuf = match rng.below(5) {
                    0 => "/dev/null".into(),
                    1 => self.directory.path("out/secret.txt"),
                    2 => self.directory.path("out"),
                    3 => ".".into(),
                    _ => self.paths.first().map_or_else(|| "gone".into(), |first| self.within(first)),
                };
                symlink(target, real).unwrap();
            }
            3 if self.paths.first().is_some_and(|first| self.within(first).is_file()) => {
                fs::hard_link(self.within(&self.paths[0]), real).unwrap();
            }
            _ => {
                fs::write(&real, content(rng)).unwrap();
                let mode = *rng.of(&[0o644, 0o644, 0o644, 0o600, 0o444, 0o755]);
                fs::set_permissions(&real, fs::Permissions::from_mode(mode)).unwrap();
                return false;
            }
        }
        self.within(path).is_dir() && !self.within(path).is_symlink()
    }

    /// Makes the tree look like a repository of git.
    fn add_repository(&self, rng: &mut Rng) {
        fs::create_dir_all(self.within(".git/info".as_ref())).unwrap();
        for name in ["HEAD", "config", "index", "info/attributes", "info/exclude"] {
            if rng.one_in(2) {
                fs::write(self.within(&Path::new(".git").join(name)), content(rng)).unwrap();
            }
        }
    }

    /// Returns the whole path of a file within `in`.
    pub(super) fn within(&self, path: &Path) -> PathBuf {
        self.directory.path("in").join(path)
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.directory.path(name)
    }

    /// Returns a picture of all files, by their paths from the root of the tree.
    pub(super) fn picture(&self) -> Picture {
        let mut picture = Picture::new();
        let mut folders = vec![self.directory.path("")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).unwrap() {
                let path = entry.unwrap().path();
                let facts = path.symlink_metadata().unwrap();
                let (text, time) = if facts.is_dir() {
                    folders.push(path.clone());
                    (Vec::new(), None)
                } else if facts.is_symlink() {
                    (fs::read_link(&path).unwrap().into_os_string().into_vec(), None)
                } else {
                    (fs::read(&path).unwrap(), Some(facts.modified().unwrap()))
                };
                let name = path.strip_prefix(self.directory.path("")).unwrap().to_owned();
                picture.insert(name, Seen { text, time, mode: facts.mode() });
            }
        }
        picture
    }

    /// Keeps the files when the test ends.
    pub(super) fn keep(self) -> PathBuf {
        let path = self.directory.path("");
        core::mem::forget(self.directory);
        path
    }
}

/// The files, links and directories, by their paths.
pub(super) type Picture = BTreeMap<PathBuf, Seen>;

/// A file, a link or a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Seen {
    /// The text of a file, or the target of a link.
    pub(super) text: Vec<u8>,
    /// The time of the last change of a file.
    pub(super) time: Option<SystemTime>,
    /// The mode, with the kind of file.
    pub(super) mode: u32,
}
