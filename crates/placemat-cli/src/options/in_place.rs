//! `--in-place`, for commands that change files.

use crate::refused::Refused;
use crate::replace::{Mtime, Wishes};
use crate::shown::escaped;
use std::path::Path;

/// `--in-place` and `--mtime`.
#[derive(clap::Args, Clone, Debug, Default)]
#[group(skip)]
pub(crate) struct InPlace {
    /// Change the file itself; =SUFFIX keeps the old one
    ///
    /// Each file is replaced as a whole or not at all, and stays unchanged if anything goes wrong with it. With =SUFFIX, the
    /// old file remains under its name plus SUFFIX; a backup never overwrites a file. A file keeps its owner, group, mode,
    /// access list, extended attributes and times; a message says which cannot be kept. The command follows a symbolic link
    /// that is named. It does not write a file whose text does not change. -i.bak means -i=.bak.
    #[arg(
        short,
        long,
        value_name = "SUFFIX",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        value_parser = parse_suffix,
    )]
    in_place: Option<String>,
    /// With --in-place, the modification time of a changed file [default: keep; now for the command edit]
    ///
    /// With `keep`, `make` and similar programs do not notice the change; `rsync` does in most cases, by the size.
    #[arg(long, value_enum, value_name = "WHEN", requires = "in_place", help_heading = "Output")]
    mtime: Option<Mtime>,
}

impl InPlace {
    /// Returns `true` if the option is given.
    pub(crate) const fn is_given(&self) -> bool {
        self.in_place.is_some()
    }

    /// Returns the suffix of backups, if there are to be backups.
    pub(crate) fn suffix(&self) -> Option<&str> {
        self.in_place.as_deref().filter(|suffix| !suffix.is_empty())
    }

    /// Returns the wishes for a new text that was made from the old one; `mtime` unless the option says otherwise.
    pub(crate) fn wishes(&self, mtime: Mtime) -> Wishes<'_> {
        Wishes { suffix: self.suffix().map(str::as_ref), mtime: self.mtime.unwrap_or(mtime), unchanged: true }
    }

    /// Returns `true` if this is a backup of a run with the suffix.
    pub(crate) fn is_backup(&self, path: &Path) -> bool {
        let name = path.file_name().unwrap_or_default().as_encoded_bytes();
        self.suffix().is_some_and(|suffix| name.ends_with(suffix.as_bytes()))
    }
}

/// Returns the end of a name, without a path separator.
fn parse_suffix(suffix: &str) -> Result<String, Refused> {
    if suffix.contains(std::path::is_separator) {
        let shown = escaped(suffix.as_ref());
        return Err(Refused::new(format!(
            "--in-place={shown}: the suffix must not contain a path separator"
        )));
    }
    Ok(suffix.to_owned())
}
