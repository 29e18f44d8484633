//! Finds the files to read for the paths on the command line: directories recursively, by ripgrep's rules.

mod found;
mod rules;
mod skipped;
mod tracked;

pub(crate) use found::{Found, Trouble};
pub(crate) use skipped::{Reason, Skipped};

use crate::common::Common;
use crate::shown::escaped;
use crate::streams;
use found::trouble;
use ignore::overrides::{Override, OverrideBuilder};
use ignore::{DirEntry, WalkBuilder};
use rules::{Rules, Unreadable};
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use tracked::WithTracked;

/// Which files of a directory are read.
#[derive(clap::Args, Clone, Debug)]
#[command(next_help_heading = "Directories")]
pub(crate) struct WalkArgs {
    /// Also read hidden files and directories; `check` always reads those that git tracks
    #[arg(long)]
    hidden: bool,
    /// Also read files that .gitignore or .ignore excludes; `check` always reads those that git tracks
    #[arg(long)]
    no_ignore: bool,
    /// Follow symbolic links in directories, and read each file once
    ///
    /// A link may lead out of the named directories; --in-place then changes files outside them.
    #[arg(short = 'L', long)]
    follow: bool,
    /// Read only files that match GLOB; with `!` in front, only files that do not match
    ///
    /// As in .gitignore, a GLOB without a slash matches at any depth. If several match, the last one decides. The command
    /// always reads files that the command line names.
    #[arg(short, long = "glob", value_name = "GLOB")]
    globs: Vec<String>,
    /// Also read binary files: those with a NUL in their first 8 KiB
    #[arg(short = 'a', long)]
    pub(crate) text: bool,
}

/// The options that select the files of a directory.
#[derive(Clone, Copy, Debug)]
struct Selection {
    hidden: bool,
    no_ignore: bool,
    follow: bool,
}

/// Whether files that git tracks are found although they are hidden or ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tracked {
    /// Tracked files are always found: none is skipped silently.
    Always,
    /// Tracked files are treated like other files.
    AsOthers,
}

impl WalkArgs {
    /// Finds the files of `paths`, each directory in sorted order.
    ///
    /// Files that should say what to skip and cannot be read are left out with a warning.
    ///
    /// Symbolic links are followed where they stand on the command line, and with `--follow`; then no file is found
    /// twice. Other kinds of entries, such as devices, are read only if they are named.
    ///
    /// # Errors
    /// If a glob is not well-formed.
    pub(crate) fn files(
        &self,
        paths: &[PathBuf],
        tracked: Tracked,
        common: &Common,
    ) -> Result<impl Iterator<Item = Result<Found, Trouble>> + Send + use<>, Trouble> {
        self.files_noting(paths, tracked, common, &Skipped::default())
    }

    /// Finds the files of `paths` like [`files`](Self::files), and notes the entries of directories that it skips if tracked
    /// files are always found.
    ///
    /// # Errors
    /// If a glob is not well-formed.
    pub(crate) fn files_noting(
        &self,
        paths: &[PathBuf],
        tracked: Tracked,
        common: &Common,
        skipped: &Skipped,
    ) -> Result<impl Iterator<Item = Result<Found, Trouble>> + Send + use<>, Trouble> {
        let skipped = skipped.clone();
        let overrides = self.overrides()?;
        let paths = paths.to_vec();
        let Self { hidden, no_ignore, follow, .. } = *self;
        let selection = Selection { hidden, no_ignore, follow };
        let unreadable = Unreadable::new(common.warner());
        let mut met = follow.then(HashSet::new);
        let first_time = move |found: &Result<Found, Trouble>| match (&mut met, found) {
            // Compares canonical paths, because a file can have several paths through links.
            (Some(met), Ok(found)) => fs::canonicalize(&found.path).map_or(true, |path| met.insert(path)),
            _ => true,
        };
        let found = paths.into_iter().flat_map(move |path| {
            let is_directory = !streams::is_stdin(&path) && path.is_dir();
            let walk =
                is_directory.then(|| files_in(&path, selection, &overrides, tracked, &unreadable, &skipped));
            let named = (!is_directory).then_some(Ok(Found { path, named: true, depth: 0, root: None }));
            named.into_iter().chain(walk.into_iter().flatten())
        });
        Ok(found.filter(first_time))
    }

    /// Finds the entries of `paths` and in them: files, directories and links, each directory before what is in it. A path of
    /// the command line is an entry itself; with `recursive`, its directory is walked, whose links are never followed.
    ///
    /// # Errors
    /// If a glob is not well-formed.
    pub(crate) fn entries(
        &self,
        paths: &[PathBuf],
        recursive: bool,
        common: &Common,
    ) -> Result<impl Iterator<Item = Result<(PathBuf, usize), Trouble>> + use<>, Trouble> {
        let overrides = self.overrides()?;
        let selection = Selection { hidden: self.hidden, no_ignore: self.no_ignore, follow: false };
        let unreadable = Unreadable::new(common.warner());
        let skipped = Skipped::default();
        let paths = paths.to_vec();
        Ok(paths.into_iter().flat_map(move |path| {
            let walk = (recursive && path.is_dir())
                .then(|| directory(&path, selection, &overrides, &unreadable, &skipped));
            let alone = walk.is_none().then_some(Ok((path, 0)));
            let walked = walk.into_iter().flatten().map(|entry| match entry {
                Ok(entry) => Ok((entry.path().to_owned(), entry.depth())),
                Err(e) => Err(trouble(&e, None)),
            });
            alone.into_iter().chain(walked)
        }))
    }

    fn overrides(&self) -> Result<Override, Trouble> {
        let refused = |e: &ignore::Error| Trouble(escaped(e.to_string().as_ref()).to_string());
        let mut builder = OverrideBuilder::new(".");
        for glob in &self.globs {
            builder.add(glob).map_err(|e| refused(&e))?;
        }
        builder.build().map_err(|e| refused(&e))
    }
}

/// Returns the files of a directory.
fn files_in(
    path: &Path,
    selection: Selection,
    overrides: &Override,
    tracked: Tracked,
    unreadable: &Unreadable,
    skipped: &Skipped,
) -> Box<dyn Iterator<Item = Result<Found, Trouble>> + Send> {
    let walk = directory(path, selection, overrides, unreadable, skipped);
    if tracked == Tracked::Always {
        return Box::new(WithTracked::new(walk, path, overrides, skipped.clone()));
    }
    Box::new(walk.filter_map(move |entry| match entry {
        Ok(entry) if entry.file_type().is_some_and(|kind| kind.is_file()) => {
            let depth = if selection.follow { 0 } else { entry.depth() };
            Some(Ok(Found { path: entry.into_path(), named: false, depth, root: None }))
        }
        Ok(_) => None,
        Err(e) => Some(Err(trouble(&e, None))),
    }))
}

/// Returns a directory and its entries, except the skipped ones.
fn directory(
    path: &Path,
    selection: Selection,
    overrides: &Override,
    unreadable: &Unreadable,
    skipped: &Skipped,
) -> impl Iterator<Item = Result<DirEntry, ignore::Error>> + Send + use<> {
    let Selection { hidden, no_ignore, follow } = selection;
    let rules = Rules::new(path, hidden, !no_ignore, overrides, unreadable, skipped.clone());
    let walk = WalkBuilder::new(path)
        .standard_filters(false)
        .follow_links(follow)
        .filter_entry(move |entry| rules.wants(entry))
        .sort_by_file_name(Ord::cmp)
        .build();
    // The target of a loop is read anyway.
    walk.filter(|entry| !entry.as_ref().is_err_and(is_loop))
}

/// Returns `true` if a link leads back to a directory that it is in.
fn is_loop(e: &ignore::Error) -> bool {
    match e {
        ignore::Error::WithPath { err, .. }
        | ignore::Error::WithDepth { err, .. }
        | ignore::Error::WithLineNumber { err, .. } => is_loop(err),
        e => matches!(e, ignore::Error::Loop { .. }),
    }
}
