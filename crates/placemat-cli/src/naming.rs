//! The names of files in a directory or an archive, and what is wrong with them.

use crate::archive::{self, Entry, Kind, Says};
use crate::common::Common;
use crate::input;
use crate::outcome::Outcome;
use crate::output::Data;
use crate::shown::{escaped, escaped_bytes, reason};
use crate::streams;
use crate::walk::WalkArgs;
use placemat::{Encoding, utf8};
use placemat_diagnose::describe;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// The bytes of names that a detection reads.
const MAX_SAMPLE_BYTES: usize = 1 << 20;

/// The names in one place.
#[derive(Debug)]
pub(crate) struct Names {
    /// The kind of the archive; `None` for a directory, or a file that is no archive.
    pub(crate) kind: Option<Kind>,
    pub(crate) entries: Vec<Entry>,
}

/// Something that is wrong with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) kind: &'static str,
    pub(crate) message: String,
}

/// Reports on the names in each path by `one`, in turn.
pub(crate) fn each(
    paths: &[PathBuf],
    walk: &WalkArgs,
    common: &Common,
    mut one: impl FnMut(&Path, &Names, &mut Data) -> io::Result<Outcome>,
) -> Outcome {
    let written = Data::stdout().and_then(|mut data| {
        let mut worst = Outcome::Clean;
        for path in paths {
            match Names::of(path, walk, common) {
                Ok(names) => worst = worst.max(one(path, &names, &mut data)?),
                Err(message) => {
                    data.flush()?;
                    common.error(message);
                    worst = Outcome::Trouble;
                }
            }
        }
        data.flush()?;
        Ok(worst)
    });
    common.written(written)
}

impl Names {
    /// Reads the names in an archive, or those of a directory and all that is in it. The only name of another file is its own.
    pub(crate) fn of(path: &Path, walk: &WalkArgs, common: &Common) -> Result<Self, String> {
        if streams::is_stdin(path) {
            return Err("--names needs files or directories, not standard input".into());
        }
        let said = |e| input::trouble(path, &e);
        if path.symlink_metadata().map_err(said)?.is_symlink() && !path.exists() {
            return Ok(Self { kind: None, entries: vec![own(path)] });
        }
        if path.is_dir() {
            let found =
                walk.entries(&[path.to_owned()], true, common).map_err(|trouble| trouble.to_string())?;
            let mut entries = Vec::new();
            for found in found {
                match found {
                    Ok((path, _)) if path.file_name().is_some() => entries.push(own(&path)),
                    Ok(_) => {}
                    Err(trouble) => return Err(trouble.to_string()),
                }
            }
            return Ok(Self { kind: None, entries });
        }
        let regular = path.metadata().map_err(said)?.is_file();
        let found = if regular {
            let mut file = File::open(path).map_err(said)?;
            archive::names(&mut file)
                .map_err(|e| format!("{}: {}", input::name_of(path), escaped(reason(&e).as_ref())))?
        } else {
            None
        };
        Ok(match found {
            Some((kind, entries)) => Self { kind: Some(kind), entries },
            None => Self { kind: None, entries: vec![own(path)] },
        })
    }

    /// Returns the part of a name that is judged: all of it in an archive, else the last part of the path.
    pub(crate) fn judged<'a>(&self, entry: &'a Entry) -> &'a [u8] {
        let is_separator = |byte: &u8| std::path::is_separator((*byte).into());
        match self.kind {
            Some(_) => &entry.name,
            None => {
                let name = entry.name.strip_suffix(b"/").unwrap_or(&entry.name);
                name.rsplit(is_separator).next().unwrap_or_default()
            }
        }
    }

    /// Returns the names that show the encoding of all, one per line: those that are not UTF-8, or else all others that are not
    /// ASCII.
    pub(crate) fn sample(&self) -> Vec<u8> {
        let is_foreign = |name: &[u8]| utf8::validate(name).is_err();
        let names = || self.entries.iter().map(|entry| self.judged(entry));
        let any = names().any(is_foreign);
        let mut all = Vec::new();
        for name in names().filter(|name| if any { is_foreign(name) } else { !name.is_ascii() }) {
            if all.len() + name.len() > MAX_SAMPLE_BYTES {
                break;
            }
            all.extend_from_slice(name);
            all.push(b'\n');
        }
        if all.is_empty() && !self.entries.is_empty() {
            // All names are ASCII.
            all.push(b'\n');
        }
        all
    }

    /// Returns what is wrong with each name, in the order of the names; `encoding` is that of the names that are not UTF-8.
    pub(crate) fn faults(&self, encoding: Option<Encoding>) -> Vec<Vec<Fault>> {
        let mut first: HashMap<&[u8], usize> = HashMap::new();
        self.entries
            .iter()
            .enumerate()
            .map(|(at, entry)| {
                let mut faults = of_flags(entry, encoding);
                let name = self.judged(entry);
                let text = utf8::validate(name).unwrap_or_default();
                if let Some(c) = text.chars().find(|c| c.is_control()) {
                    let message = format!("contains a control character, U+{:04X}", u32::from(c));
                    faults.push(Fault { kind: "control-in-name", message });
                }
                let is_archive = self.kind.is_some();
                if is_archive && *first.entry(&entry.name).or_insert(at) != at && !entry.name.is_empty() {
                    faults.push(Fault {
                        kind: "name-twice",
                        message: "is in the archive more than once".into(),
                    });
                }
                faults
            })
            .collect()
    }
}

fn own(path: &Path) -> Entry {
    Entry { name: path.as_os_str().as_encoded_bytes().to_vec(), says: Says::Nothing }
}

/// Returns the text of a name: in UTF-8, or from the extra field of a ZIP archive, or in the encoding of the other names.
pub(crate) fn reading(name: &[u8], says: &Says, encoding: Option<Encoding>) -> Option<String> {
    if let Ok(text) = utf8::validate(name) {
        return Some(text.to_owned());
    }
    if let Says::Zip { unicode: Some(unicode), .. } = says
        && unicode.is_current
        && let Ok(text) = utf8::validate(&unicode.name)
    {
        return Some(text.to_owned());
    }
    Some(encoding?.decode_lossy(name).text.into_owned())
}

/// Returns the contradictions between a name and what the archive says about it.
fn of_flags(entry: &Entry, encoding: Option<Encoding>) -> Vec<Fault> {
    let Entry { name, says } = entry;
    let ill_formed = utf8::validate(name).err();
    let mut faults = Vec::new();
    let mut add = |kind, message| faults.push(Fault { kind, message });
    let why = |e| {
        let (before, following) =
            name.split_at(usize::try_from(placemat::IllFormed::offset(e)).unwrap_or(0).min(name.len()));
        describe(e, Encoding::UTF_8, before, following)
    };
    match says {
        Says::Nothing | Says::Pax { binary: true } => {}
        Says::Pax { binary: false } => {
            if let Some(e) = &ill_formed {
                add(
                    "pax-charset",
                    format!("a name in pax is UTF-8 unless hdrcharset=BINARY says otherwise: {}", why(e)),
                );
            }
        }
        Says::Zip { utf8, unicode } => {
            let is_explained = unicode.as_ref().is_some_and(|unicode| unicode.is_current);
            match &ill_formed {
                Some(e) if *utf8 => {
                    add(
                        "zip-utf8-flag",
                        format!("it is flagged as UTF-8 (bit 11), but ill-formed: {}", why(e)),
                    );
                }
                None if !utf8 && !name.is_ascii() && !is_explained => {
                    let other = Encoding::IBM437.decode_lossy(name).text;
                    let other = escaped(other.as_ref().as_ref()).to_string();
                    add(
                        "zip-utf8-flag",
                        format!(
                            "is UTF-8, and its flag does not say so (bit 11): many programs read it as {other}"
                        ),
                    );
                }
                _ => {}
            }
            match unicode {
                Some(unicode) if !unicode.is_current => {
                    add(
                        "zip-unicode-path",
                        "its extra field 0x7075 is about another name, so that programs ignore it".into(),
                    );
                }
                Some(unicode) if utf8::validate(&unicode.name).is_err() => {
                    add("zip-unicode-path", "the name in its extra field 0x7075 is not UTF-8".into());
                }
                Some(unicode) => {
                    let by_bytes = reading(name, &Says::Nothing, encoding);
                    if by_bytes.is_some_and(|text| text.as_bytes() != unicode.name) {
                        let other = escaped_bytes(&unicode.name);
                        add("zip-unicode-path", format!("its extra field 0x7075 has another name: {other}"));
                    }
                }
                None => {}
            }
        }
    }
    faults
}
