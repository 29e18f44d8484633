//! `--output-dir`: for each input an output of its own, in a directory that is laid out as the inputs are.
//!
//! All is planned before anything is written, so that two inputs never become one output and no input is overwritten.

use super::args::Args;
use crate::common::Common;
use crate::identity::Identity;
use crate::shown::{Name, reason};
use crate::walk::{Found, Tracked, Trouble};
use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// The inputs and their outputs.
#[derive(Debug)]
pub(super) struct Mirror {
    pub(super) files: Vec<Result<Found, Trouble>>,
    pub(super) outputs: Outputs,
}

/// The output of each input.
#[derive(Debug)]
pub(super) struct Outputs {
    directory: PathBuf,
    of: HashMap<PathBuf, PathBuf>,
}

impl Mirror {
    /// Returns the plan for `paths`, or the reason of a refusal.
    pub(super) fn new(
        args: &Args,
        directory: &Path,
        paths: &[PathBuf],
        common: &Common,
    ) -> Result<Self, String> {
        let said = |trouble: Trouble| trouble.to_string();
        let truly = fs::canonicalize(directory).ok();
        let mut plan = Self {
            files: Vec::new(),
            outputs: Outputs { directory: directory.to_owned(), of: HashMap::new() },
        };
        let mut inputs: HashMap<PathBuf, PathBuf> = HashMap::new();
        let mut met = HashSet::new();
        for root in paths {
            let base = below(root);
            let within = fs::canonicalize(root).ok().filter(|root| root.is_dir());
            if within.is_some() && within == truly {
                return Err(format!(
                    "--output-dir {}: is also the input directory; nothing was written",
                    Name::new(directory)
                ));
            }
            // If the whole tree is in the directory, an output may be an input, which is refused.
            let skipped =
                truly.as_ref().filter(|truly| !within.is_some_and(|within| within.starts_with(truly)));
            for found in
                args.walk.files(core::slice::from_ref(root), Tracked::AsOthers, common).map_err(said)?
            {
                let found = match found {
                    Ok(found) => found,
                    Err(trouble) => {
                        plan.files.push(Err(trouble));
                        continue;
                    }
                };
                if let Ok(path) = fs::canonicalize(&found.path) {
                    // Files that an earlier run wrote are not inputs.
                    let written = !found.named && skipped.is_some_and(|skipped| path.starts_with(skipped));
                    if written || !met.insert(path) {
                        continue;
                    }
                }
                let rest = if found.named {
                    Path::new("")
                } else {
                    found.path.strip_prefix(root).unwrap_or(&found.path)
                };
                // An empty part would leave a separator at the end.
                let output: PathBuf = directory.join(&base).join(rest).components().collect();
                if let Some(other) = inputs.insert(output.clone(), found.path.clone()) {
                    return Err(format!(
                        "{}: both {} and {} would be written there; nothing was written",
                        Name::new(output),
                        Name::new(other),
                        Name::new(&found.path)
                    ));
                }
                plan.outputs.of.insert(found.path.clone(), output);
                plan.files.push(Ok(found));
            }
        }
        plan.outputs.spare(&inputs)?;
        Ok(plan)
    }
}

impl Outputs {
    /// Refuses a plan in which an output would replace an input, or a directory that another output needs.
    fn spare(&self, inputs: &HashMap<PathBuf, PathBuf>) -> Result<(), String> {
        let read: HashSet<_> = self.of.keys().filter_map(|path| Identity::of_path(path)).collect();
        for (output, input) in inputs {
            let shown = Name::new(output);
            if Identity::of_path(output).is_some_and(|output| read.contains(&output)) {
                return Err(format!(
                    "{shown}: is both an input and an output; nothing was written (-i changes a file in place)"
                ));
            }
            let mut above = output.ancestors().skip(1).take_while(|above| *above != self.directory);
            if let Some(other) = above.find_map(|above| inputs.get_key_value(above)) {
                return Err(format!(
                    "{shown}: the output {} would be a file where the output of {} needs a directory; nothing was written",
                    Name::new(other.0),
                    Name::new(input)
                ));
            }
        }
        Ok(())
    }

    /// Returns the output of an input. Unless `dry`, creates its directory.
    pub(super) fn prepare(&self, input: &Path, dry: bool) -> Result<PathBuf, String> {
        let output = self.of.get(input).cloned().unwrap_or_default();
        let said = |e: io::Error| format!("{}: {}", Name::new(&output), reason(&e));
        let above = output.parent().unwrap_or(&self.directory);
        if !dry {
            fs::create_dir_all(above).map_err(said)?;
        }
        let is_link = fs::symlink_metadata(&output).is_ok_and(|metadata| metadata.is_symlink());
        let leads_out = match (fs::canonicalize(above), fs::canonicalize(&self.directory)) {
            (Ok(above), Ok(directory)) => !above.starts_with(directory),
            (Err(e), _) | (_, Err(e)) if !dry => return Err(said(e)),
            _ => false,
        };
        if is_link || leads_out {
            return Err(format!(
                "{}: would be written through a symbolic link; nothing was written",
                Name::new(&output)
            ));
        }
        Ok(output)
    }
}

/// Returns the place of a named path below the directory: its path or, if that may lead out of the directory, its
/// name.
fn below(path: &Path) -> PathBuf {
    let inside = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    if path.components().all(inside) {
        return path.components().filter(|part| *part != Component::CurDir).collect();
    }
    path.file_name().unwrap_or_default().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_leads_out() {
        for (path, want) in [
            ("a", "a"),
            ("./a/./b", "a/b"),
            (".", ""),
            ("..", ""),
            ("../a", "a"),
            ("a/../b", "b"),
            ("a/..", ""),
            ("/", ""),
            ("/a/b", "b"),
            ("src/", "src"),
        ] {
            assert_eq!(below(Path::new(path)), Path::new(want), "{path}");
        }
    }
}
