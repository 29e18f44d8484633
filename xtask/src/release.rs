//! Makes every artefact that a release publishes in one folder, installs each in a clean place and
//! asks it for a first result.
//!
//! A part of a release is a file here: it builds, packs and tries its own artefacts, and does not
//! depend on the others. Nothing is published: `.github/workflows/release.yml` uploads the results
//! of this task.

mod archive;
mod c;
mod command;
mod crates;
mod debian;
mod npm;
mod place;
mod python;
mod sbom;

use place::{Place, Trouble};

const USAGE: &str = "usage: cargo xtask release [--dry-run] [--only PART]... [--allow-missing PART]...

Makes the artefacts of a release in target/release-artefacts/, installs each in a clean place and asks it for a first result.
A release needs a clean tree, a tag `v` with the version of the manifests, and that version in CHANGELOG.md.

  --dry-run              takes the tree as it is, without those three
  --only PART            makes this part alone, beside the artefacts that are there
  --allow-missing PART   succeeds without this part if something that it needs is not here";

/// A part of a release: its name, and the function that makes and tries its artefacts.
type Part = (&'static str, fn(&Place) -> Result<(), Trouble>);

/// The parts of a release. Later parts use artefacts of earlier ones.
const PARTS: &[Part] = &[
    ("crates", crates::make),
    ("gnu", command::gnu),
    ("musl", command::musl),
    ("deb", debian::make),
    ("wheels", python::wheels),
    ("sdist", python::sdist),
    ("npm", npm::make),
    ("c", c::make),
    ("sbom", sbom::make),
];

/// The options of the task.
#[derive(Debug, PartialEq, Eq)]
struct Options<'a> {
    is_dry_run: bool,
    /// The names of the parts to make; all if empty.
    only: Vec<&'a str>,
    may_miss: Vec<&'a str>,
}

impl<'a> Options<'a> {
    fn parse(arguments: &[&'a str]) -> Result<Self, String> {
        let mut options = Self { is_dry_run: false, only: Vec::new(), may_miss: Vec::new() };
        let mut arguments = arguments.iter();
        while let Some(&name) = arguments.next() {
            let list = match name {
                "--dry-run" => {
                    options.is_dry_run = true;
                    continue;
                }
                "--only" => &mut options.only,
                "--allow-missing" => &mut options.may_miss,
                _ => return Err(format!("unknown option {name}\n\n{USAGE}")),
            };
            let value = arguments.next().copied().unwrap_or_default();
            for part in value.split(',') {
                if PARTS.iter().all(|(known, _)| *known != part) {
                    let known: Vec<_> = PARTS.iter().map(|(name, _)| *name).collect();
                    return Err(format!("{name} needs one of {}\n\n{USAGE}", known.join(", ")));
                }
                list.push(part);
            }
        }
        Ok(options)
    }
}

/// Makes the artefacts that the arguments name.
pub(crate) fn run(arguments: &[&str]) -> Result<(), String> {
    let options = Options::parse(arguments)?;
    if !cfg!(target_os = "linux") {
        return Err("release: the artefacts are those of Linux; this task runs on Linux only".to_owned());
    }
    let place = Place::new()?;
    if !options.is_dry_run {
        place.is_ready()?;
    }
    if options.only.is_empty() {
        place.clear()?;
    }
    let (mut missing, mut failed) = (Vec::new(), Vec::new());
    for (name, make) in PARTS {
        if !options.only.is_empty() && !options.only.contains(name) {
            continue;
        }
        println!("\n== {name}");
        match make(&place) {
            Ok(()) => {}
            Err(Trouble::Missing(what)) => {
                println!("missing: {what}");
                missing.push((*name, what));
            }
            Err(Trouble::Failed(why)) => {
                println!("failed: {why}");
                failed.push(*name);
            }
        }
    }
    place.sum()?;
    for (name, what) in &missing {
        println!("not made: {name}: {what}");
    }
    missing.retain(|(name, _)| !options.may_miss.contains(name));
    failed.extend(missing.iter().map(|(name, _)| *name));
    if failed.is_empty() {
        return Ok(());
    }
    Err(format!(
        "release: not complete: {}; --allow-missing PART allows that something that a part needs is not here",
        failed.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_name_parts() {
        let options = Options::parse(&["--dry-run", "--only", "npm,c", "--allow-missing", "c"]).unwrap();
        assert_eq!(options, Options { is_dry_run: true, only: vec!["npm", "c"], may_miss: vec!["c"] });
        for refused in [&["--only"][..], &["--only", "pigeons"], &["--publish"], &["--allow-missing", "npm,"]]
        {
            assert!(Options::parse(refused).is_err(), "{refused:?}");
        }
    }
}
