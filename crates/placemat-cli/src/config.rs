//! The encoding that configuration files declare for a file: `working-tree-encoding` in `.git/info/attributes`, then in
//! `.gitattributes`, then `charset` in `.editorconfig`.
//!
//! The last two are looked for in the directory of the file and in those above it, up to the root of the repository and to
//! `root = true`. Each directory is looked at once.

mod attributes;
mod editor;
mod glob;
mod setting;

use crate::auto;
use crate::common::Common;
use crate::git::Repository;
use crate::input;
use crate::options::{FromArg, Given};
use crate::regular;
use crate::shown::Name;
use crate::streams;
use placemat::Encoding;
use setting::{Setting, Value};
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The maximum size of a configuration file.
const MAX_BYTES: u64 = 1 << 20;
/// Directories that are remembered.
const REMEMBERED: usize = 4096;

/// The declared encoding of a file.
#[derive(Debug, Default)]
pub(crate) struct Choice {
    pub(crate) encoding: Option<Encoding>,
    /// Whether the text is to begin with a signature.
    pub(crate) signature: bool,
    /// The reason: `working-tree-encoding in .gitattributes, line 3`.
    pub(crate) why: String,
    /// The label of `working-tree-encoding`, empty if it has none.
    pub(crate) git: Option<String>,
    /// Warnings about declarations and files that cannot be used, each on its first occurrence.
    pub(crate) warnings: Vec<String>,
}

/// A directory and those above it. Directories without declarations are left out.
#[derive(Debug)]
struct Directory {
    path: PathBuf,
    /// The rules of `.git/info/attributes`.
    info: attributes::Rules,
    attributes: attributes::Rules,
    editor: editor::Rules,
    /// Whether directories above this one do not matter, for attributes and for `.editorconfig`.
    is_repository: bool,
    above: Option<Arc<Self>>,
}

impl Directory {
    fn read(path: &Path, above: Option<Arc<Self>>, warn: &mut dyn FnMut(&Path, &str)) -> Option<Arc<Self>> {
        let attributes = text(&path.join(".gitattributes"), warn)
            .map(|(file, text)| attributes::Rules::parse(path, &file, &text))
            .unwrap_or_default();
        let editor = text(&path.join(".editorconfig"), warn)
            .map(|(file, text)| editor::Rules::parse(&file, &text))
            .unwrap_or_default();
        let is_repository = Repository::is_at(path);
        let info = Some(path)
            .filter(|_| is_repository)
            .and_then(Repository::of)
            .and_then(|repository| text(&repository.attributes(), warn))
            .map(|(file, text)| attributes::Rules::parse(path, &file, &text))
            .unwrap_or_default();
        if above.is_none() && info.is_empty() && attributes.is_empty() && editor.is_empty() {
            return None;
        }
        if attributes.is_empty() && editor.is_empty() && !is_repository {
            return above;
        }
        Some(Arc::new(Self { path: path.to_owned(), info, attributes, editor, is_repository, above }))
    }

    /// The directory and those above it.
    fn chain(&self) -> impl Iterator<Item = &Self> {
        core::iter::successors(Some(self), |directory| directory.above.as_deref())
    }

    fn setting(&self, file: &Path) -> Option<&Setting> {
        let root = self.chain().find(|directory| directory.is_repository);
        let by_info = root.and_then(|root| root.info.setting(file));
        let mut done = false;
        let mut attributes = self.chain().take_while(|directory| {
            let wanted = !done;
            done |= directory.is_repository;
            wanted
        });
        let by_attributes =
            by_info.or_else(|| attributes.find_map(|directory| directory.attributes.setting(file)));
        if let Some(setting) = by_attributes.filter(|setting| setting.value != Value::Unset) {
            return Some(setting);
        }
        let mut done = false;
        let mut editor = self.chain().take_while(|directory| {
            let wanted = !done;
            done |= directory.editor.is_root;
            wanted
        });
        editor
            .find_map(|directory| directory.editor.setting(file.strip_prefix(&directory.path).ok()?))
            .filter(|setting| setting.value != Value::Unset)
    }
}

/// Returns the text of a configuration file, unless it is missing. A file that cannot be read is left out with a warning.
fn text(path: &Path, warn: &mut dyn FnMut(&Path, &str)) -> Option<(Arc<Path>, String)> {
    let bytes = regular::read_or_warn(path, MAX_BYTES, warn)?;
    let text = String::from_utf8_lossy(&bytes);
    Some((path.into(), text.strip_prefix('\u{FEFF}').unwrap_or(&text).to_owned()))
}

/// The encoding of each input, for commands that take inputs by name: that of the command line, or the declared one.
#[derive(Debug)]
pub(crate) struct Encodings {
    args: FromArg,
    config: Option<Config>,
}

impl Encodings {
    pub(crate) fn new(args: FromArg) -> Self {
        let config = (args.from.is_none() && !args.no_config).then(Config::new);
        Self { args, config }
    }

    /// The encoding of an input, which is not open yet; `None` with a message if it is to be detected and is not certain.
    /// Prints a warning if there is one.
    pub(crate) fn of(&mut self, path: &Path, common: &Common) -> Option<Encoding> {
        let newline = self.args.newline;
        if self.args.from == Some(Given::Auto) {
            // The command reports that the input cannot be read.
            let Ok(found) = auto::of_path(path) else { return Some(Encoding::UTF_8) };
            let encoding = auto::encoding(&input::name_of(path), &found);
            let encoding = encoding.map(|encoding| newline.of(encoding));
            return encoding.map_err(|refused| common.error(refused)).ok();
        }
        let choice = self.config.as_mut().map(|config| config.choice(path)).unwrap_or_default();
        for warning in choice.warnings {
            common.warn(warning);
        }
        let declared = choice.encoding.map(|encoding| newline.of(encoding));
        Some(self.args.named().or(declared).unwrap_or(Encoding::UTF_8))
    }
}

/// The configuration read so far.
#[derive(Debug, Default)]
pub(crate) struct Config {
    /// By their true paths.
    known: HashMap<PathBuf, Option<Arc<Directory>>>,
    /// The last one that was asked for, as it was asked for.
    last: Option<(PathBuf, PathBuf, Option<Arc<Directory>>)>,
    /// The declarations that were warned about.
    warned: HashSet<(Arc<Path>, usize)>,
    /// Warnings about files, for the next choice.
    pending: Vec<String>,
    /// The current directory of the program.
    here: Option<PathBuf>,
}

impl Config {
    pub(crate) fn new() -> Self {
        let here = std::env::current_dir().and_then(fs::canonicalize).ok();
        Self { here, ..Self::default() }
    }

    /// The declared encoding of a file; none for standard input.
    pub(crate) fn choice(&mut self, path: &Path) -> Choice {
        let mut choice = self.declared(path);
        if !self.pending.is_empty() {
            choice.warnings.splice(0..0, self.pending.drain(..));
        }
        choice
    }

    fn declared(&mut self, path: &Path) -> Choice {
        if streams::is_stdin(path) {
            return Choice::default();
        }
        let Some(name) = path.file_name() else { return Choice::default() };
        let parent = path.parent().filter(|path| !path.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if self.last.as_ref().is_none_or(|(last, ..)| last != parent) {
            let Ok(truly) = fs::canonicalize(parent) else { return Choice::default() };
            let directory = self.directory(&truly);
            self.last = Some((parent.to_owned(), truly, directory));
        }
        let Some((_, truly, Some(directory))) = &self.last else { return Choice::default() };
        let Some(setting) = directory.setting(&truly.join(name)) else { return Choice::default() };
        // Only files have a declared encoding.
        if !path.is_file() {
            return Choice::default();
        }
        let here = self.here.as_deref();
        let file = here.and_then(|here| setting.file.strip_prefix(here).ok()).unwrap_or(&setting.file);
        let shown = Name::new(file);
        let why = format!("{} in {shown}, line {}", setting.key, setting.line);
        let git = (setting.key == attributes::KEY).then(|| setting.label.clone());
        match &setting.value {
            Value::Unset => Choice::default(),
            Value::Refused => Choice { why, git, ..Choice::default() },
            &Value::Encoding(encoding, signature) => {
                Choice { encoding: Some(encoding), signature, why, git, warnings: Vec::new() }
            }
            Value::Unknown(label) => {
                let fresh = self.warned.insert((setting.file.clone(), setting.line));
                let warnings = fresh.then(|| {
                    let label = crate::shown::escaped(label.as_ref());
                    format!("{shown}, line {}: unknown encoding \"{label}\"; utf-8 is taken", setting.line)
                });
                Choice { warnings: warnings.into_iter().collect(), ..Choice::default() }
            }
        }
    }

    fn directory(&mut self, path: &Path) -> Option<Arc<Directory>> {
        if let Some(known) = self.known.get(path) {
            return known.clone();
        }
        let mut missing = vec![path];
        let mut above = None;
        for parent in path.ancestors().skip(1) {
            if let Some(known) = self.known.get(parent) {
                above = known.clone();
                break;
            }
            missing.push(parent);
        }
        if self.known.len() > REMEMBERED {
            self.known.clear();
        }
        for path in missing.into_iter().rev() {
            let here = self.here.as_deref();
            let pending = &mut self.pending;
            above = Directory::read(path, above, &mut |file, why| {
                let file = here.and_then(|here| file.strip_prefix(here).ok()).unwrap_or(file);
                pending.push(format!("{}: {why}; ignored", Name::new(file)));
            });
            self.known.insert(path.to_owned(), above.clone());
        }
        above
    }
}
