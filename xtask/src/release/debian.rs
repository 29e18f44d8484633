//! The package for Debian and its relatives, with the command for the C library of the system.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::archive::{pack, unpack};
use super::command::{print, try_command};
use super::place::{Place, Trouble, copy, expect, has_program, run, said, write};

/// The files that the command prints: the path of each in an archive of the command, and in the
/// package.
const INSTALLED: &[(&str, &str)] = &[
    ("man/placemat.1", "usr/share/man/man1/placemat.1"),
    ("completions/placemat.bash", "usr/share/bash-completion/completions/placemat"),
    ("completions/placemat.fish", "usr/share/fish/vendor_completions.d/placemat.fish"),
    ("completions/_placemat", "usr/share/zsh/vendor-completions/_placemat"),
];

const MAGIC: &[u8] = b"!<arch>\n";

pub(super) fn make(place: &Place) -> Result<(), Trouble> {
    let machine = std::env::consts::ARCH;
    let built = place.artefact(&format!("placemat-{}-{machine}-linux-gnu.tar.gz", place.version));
    if !built.is_file() {
        return Err(Trouble::Missing(format!("{}: the part gnu makes it", built.display())));
    }
    let folder = place.empty("deb")?;
    unpack(&built, &folder)?;
    let files = folder.join(format!("placemat-{}-{machine}-linux-gnu", place.version));
    let program = files.join("placemat");

    let tree = folder.join("data");
    copy(&program, &tree.join("usr/bin/placemat"))?;
    for (from, to) in INSTALLED {
        copy(&files.join(from), &tree.join(to))?;
    }
    let documents = tree.join("usr/share/doc/placemat");
    copy(&files.join("CHANGELOG.md"), &documents.join("changelog"))?;
    // Debian's tools expect both compressed, with no time in them.
    let compressed = [documents.join("changelog"), tree.join("usr/share/man/man1/placemat.1")];
    run(Command::new("gzip").args(["-9", "--no-name"]).args(&compressed))?;
    write(&documents.join("copyright"), &copyright(&files)?)?;

    let bytes = fs::read(&program).map_err(|e| format!("{}: {e}", program.display()))?;
    let size =
        said(Command::new("du").args(["--summarize", "--apparent-size", "--block-size=1024"]).arg(&tree))?;
    let architecture = match machine {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    };
    let control = format!(
        "Package: placemat\nVersion: {}\nArchitecture: {architecture}\n\
         Maintainer: The Placemat project <https://github.com/placemat/placemat/issues>\n\
         Installed-Size: {}\nDepends: libc6 (>= {}), libgcc-s1\nSection: text\nPriority: optional\n\
         Homepage: https://github.com/placemat/placemat\n\
         Description: check, convert, detect and repair text in any encoding\n\
         \x20Placemat reports every ill-formed sequence in text and why it is one,\n\
         \x20converts between 452 encodings, detects the encoding of files and repairs\n\
         \x20damaged text. It also acts as iconv.\n",
        place.version,
        size.split_whitespace().next().unwrap_or("0"),
        libc_version(&bytes).ok_or("the command names no version of the C library".to_owned())?
    );
    write(&folder.join("control/control"), &control)?;
    let (control, data) = (folder.join("control.tar.gz"), folder.join("data.tar.gz"));
    pack(place, &folder.join("control"), ".", &control)?;
    pack(place, &tree, ".", &data)?;
    let mut package = MAGIC.to_vec();
    member(&mut package, "debian-binary", &place.epoch, b"2.0\n");
    for (name, path) in [("control.tar.gz", control), ("data.tar.gz", data)] {
        let bytes = fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        member(&mut package, name, &place.epoch, &bytes);
    }
    let deb = place.artefact(&format!("placemat_{}_{architecture}.deb", place.version));
    write(&deb, &package)?;

    if !has_program("dpkg-deb") {
        return Err(Trouble::Missing(format!("dpkg-deb, to try {}", deb.display())));
    }
    let version = said(Command::new("dpkg-deb").arg("--field").arg(&deb).arg("Version"))?;
    expect("dpkg-deb: version", &version, &place.version)?;
    let elsewhere = place.empty("deb-tried")?;
    run(Command::new("dpkg-deb").arg("--extract").arg(&deb).arg(&elsewhere))?;
    try_command(&elsewhere.join("usr/bin/placemat"))?;
    // If the command prints these files differently, they belong to another command.
    let printed = elsewhere.join("printed");
    print(&elsewhere.join("usr/bin/placemat"), &printed)?;
    let installed = elsewhere.join("usr/share/bash-completion/completions/placemat");
    run(Command::new("cmp").arg(printed.join("completions/placemat.bash")).arg(installed))?;
    Ok(())
}

/// Appends a file to an archive of `ar`.
fn member(archive: &mut Vec<u8>, name: &str, epoch: &str, bytes: &[u8]) {
    let head = format!("{name:<16}{epoch:<12}{:<6}{:<6}{:<8}{:<10}`\n", 0, 0, "100644", bytes.len());
    archive.extend_from_slice(head.as_bytes());
    archive.extend_from_slice(bytes);
    if bytes.len() % 2 == 1 {
        archive.push(b'\n');
    }
}

/// Returns the latest version of glibc whose symbols a program asks for.
fn libc_version(program: &[u8]) -> Option<String> {
    let name = b"GLIBC_";
    let versions =
        program.windows(name.len()).enumerate().filter(|(_, window)| window == name).filter_map(|(at, _)| {
            let rest = program.get(at + name.len()..)?;
            let end = rest.iter().position(|byte| !byte.is_ascii_digit() && *byte != b'.')?;
            let numbers = core::str::from_utf8(rest.get(..end)?).ok()?;
            numbers.split('.').map(|number| number.parse::<u32>().ok()).collect::<Option<Vec<_>>>()
        });
    let version = versions.max()?;
    Some(version.iter().map(u32::to_string).collect::<Vec<_>>().join("."))
}

/// Returns the file about copyright in the form that Debian's tools read.
fn copyright(files: &Path) -> Result<String, String> {
    let mut text = "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\
                    Source: https://github.com/placemat/placemat\n\nFiles: *\nCopyright: the authors of placemat\n\
                    License: MIT or Apache-2.0\n\nLicense: MIT\n"
        .to_owned();
    let mit = files.join("LICENSE-MIT");
    for line in fs::read_to_string(&mit).map_err(|e| format!("{}: {e}", mit.display()))?.lines() {
        text += " ";
        text += if line.trim().is_empty() { "." } else { line };
        text += "\n";
    }
    text += "\nLicense: Apache-2.0\n Debian has this licence in /usr/share/common-licenses/Apache-2.0.\n";
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_begin_at_even_places_after_heads_of_60_bytes() {
        let mut archive = MAGIC.to_vec();
        member(&mut archive, "odd", "1790000000", b"abc");
        assert_eq!(archive.len(), MAGIC.len() + 60 + 4);
        member(&mut archive, "even", "1790000000", b"abcd");
        assert_eq!(archive.len(), MAGIC.len() + 2 * 60 + 8);
    }

    #[test]
    fn the_latest_version_of_glibc_counts() {
        let program = b"\0GLIBC_2.9\0GLIBC_2.34\0GLIBC_PRIVATE\0GLIBC_2.2.5\0";
        assert_eq!(libc_version(program).as_deref(), Some("2.34"));
        assert_eq!(libc_version(b"GLIBC_"), None);
    }
}
