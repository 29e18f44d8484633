//! Text by language from Debian packages: what the language model is trained on, and what detection is tested with.
//!
//! No text of a package is kept in the repository: `corpus.lock` names the packages, their digests and their licences, and
//! each paragraph is made from them again, byte for byte.

mod clean;
mod language;
mod packages;
mod parse;
mod script;
mod sources;

use self::packages::{Package, Use};
use core::sync::atomic::{AtomicUsize, Ordering};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashSet};
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};

/// A paragraph with its language, and the first bytes of its SHA-256, by which equal ones are found.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Paragraph {
    language: String,
    text: String,
    hash: u64,
}

/// The paragraphs of a language, each with the source that it is from.
type ByLanguage = BTreeMap<String, Vec<(String, Paragraph)>>;

/// Gives each paragraph of the texts for training to `take`, with its language: language after language in the order of
/// their tags, and in the order of the list of packages.
pub(crate) fn training(folder: &Path, take: &mut dyn FnMut(&str, &str)) -> Result<(), String> {
    let found = collect(folder, &packages::list()?, &[Use::Training])?;
    for (language, paragraphs) in &unique(found, &HashSet::new()) {
        for (_, paragraph) in paragraphs {
            take(language, &paragraph.text);
        }
    }
    Ok(())
}

/// `corpus fetch DIR [--newest]`, `corpus build DIR OUT [--training|--test]` and `corpus print DIR`.
pub(crate) fn run(arguments: &[&str]) -> Result<(), String> {
    match *arguments {
        ["fetch", folder] => packages::fetch(Path::new(folder), false),
        ["fetch", folder, "--newest"] => packages::fetch(Path::new(folder), true),
        ["build", folder, out] => build(Path::new(folder), Path::new(out), true, true),
        ["build", folder, out, "--training"] => build(Path::new(folder), Path::new(out), true, false),
        ["build", folder, out, "--test"] => build(Path::new(folder), Path::new(out), false, true),
        ["print", folder] => print(Path::new(folder)),
        _ => Err("usage: cargo train corpus fetch DIR [--newest]\n       \
                  cargo train corpus build DIR OUT [--training|--test]\n       \
                  cargo train corpus print DIR"
            .into()),
    }
}

/// Prints the texts for training: language, tab, paragraph.
fn print(folder: &Path) -> Result<(), String> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut result = Ok(());
    training(folder, &mut |language, paragraph| {
        if result.is_ok() {
            result = writeln!(out, "{language}\t{paragraph}");
        }
    })?;
    result.and_then(|()| out.flush()).map_err(|e| e.to_string())
}

/// Writes `OUT/{training,near,far}/LANGUAGE.txt`, a paragraph a line, and `OUT/sources.tsv` with their sizes.
fn build(folder: &Path, out: &Path, training: bool, test: bool) -> Result<(), String> {
    let packages = packages::list()?;
    let mut sizes = String::from("use\tlanguage\tsource\tparagraphs\tbytes\n");
    let found = unique(collect(folder, &packages, &[Use::Training])?, &HashSet::new());
    let trained: HashSet<u64> = found.values().flatten().map(|(_, paragraph)| paragraph.hash).collect();
    if training {
        write(&out.join(Use::Training.name()), found, Use::Training, &mut sizes)?;
    }
    if test {
        // Both at once, so that a paragraph that stands in both is in the first alone.
        let found = unique(collect(folder, &packages, &[Use::Near, Use::Far])?, &trained);
        for purpose in [Use::Near, Use::Far] {
            let of_use = |source: &str| packages.iter().any(|p| p.source == source && p.purpose == purpose);
            let mut part = found.clone();
            part.values_mut().for_each(|paragraphs| paragraphs.retain(|(source, _)| of_use(source)));
            write(&out.join(purpose.name()), part, purpose, &mut sizes)?;
        }
    }
    let path = out.join("sources.tsv");
    std::fs::write(&path, sizes).map_err(|e| format!("{}: {e}", path.display()))
}

fn write(folder: &Path, found: ByLanguage, purpose: Use, sizes: &mut String) -> Result<(), String> {
    std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    for (language, paragraphs) in found.into_iter().filter(|(_, paragraphs)| !paragraphs.is_empty()) {
        let path = folder.join(format!("{language}.txt"));
        let error = |e: std::io::Error| format!("{}: {e}", path.display());
        let mut file = std::io::BufWriter::new(std::fs::File::create(&path).map_err(error)?);
        let mut by_source: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        for (source, paragraph) in paragraphs {
            writeln!(file, "{}", paragraph.text).map_err(error)?;
            let size = by_source.entry(source).or_default();
            *size = (size.0 + 1, size.1 + paragraph.text.len() + 1);
        }
        file.flush().map_err(error)?;
        for (source, (paragraphs, bytes)) in by_source {
            sizes.push_str(&format!("{}\t{language}\t{source}\t{paragraphs}\t{bytes}\n", purpose.name()));
        }
    }
    Ok(())
}

/// Returns all paragraphs of the packages for these uses, in the order of the list.
fn collect(
    folder: &Path,
    packages: &[Package],
    uses: &[Use],
) -> Result<Vec<(String, Vec<Paragraph>)>, String> {
    let wanted: Vec<&Package> = packages.iter().filter(|package| uses.contains(&package.purpose)).collect();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    let mut done: Vec<(usize, Result<Vec<Paragraph>, String>)> = std::thread::scope(|scope| {
        let work = || {
            let mut done = Vec::new();
            while let index = next.fetch_add(1, Ordering::Relaxed)
                && let Some(package) = wanted.get(index)
            {
                done.push((index, paragraphs_of(package, folder)));
            }
            done
        };
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a worker panicked")).collect()
    });
    done.sort_unstable_by_key(|(index, _)| *index);
    done.into_iter().map(|(index, found)| Ok((wanted[index].source.clone(), found?))).collect()
}

/// Returns the paragraphs of a package or an index, whose digest is verified first.
fn paragraphs_of(package: &Package, folder: &Path) -> Result<Vec<Paragraph>, String> {
    let path = package.verified(folder)?;
    if package.is_index() {
        let data = std::fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let found = sources::descriptions(&package.name, &data);
        let found = found.ok_or_else(|| format!("{}: not UTF-8", path.display()))?;
        return Ok(found.iter().filter_map(|found| paragraph(package, found)).collect());
    }
    let mut unpacking = Command::new("dpkg-deb")
        .arg("--fsys-tarfile")
        .arg(&path)
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|e| format!("dpkg-deb: {e}"))?;
    let stdout = unpacking.stdout.take().ok_or("dpkg-deb has no output")?;
    let found = extract(package, stdout).map_err(|e| format!("{}: {e}", path.display()));
    let status = unpacking.wait().map_err(|e| format!("dpkg-deb: {e}"))?;
    if status.success() { found } else { Err(format!("{}: dpkg-deb failed: {status}", path.display())) }
}

/// Returns the paragraphs of the files in the tar archive of a package.
fn extract(package: &Package, tar: impl Read) -> std::io::Result<Vec<Paragraph>> {
    let mut out = Vec::new();
    let mut archive = tar::Archive::new(tar);
    for entry in archive.entries()? {
        let mut entry = entry?;
        if !entry.header().entry_type().is_file() {
            continue;
        }
        let path = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        // Pictures, sounds and programs take most of some packages.
        if [".png", ".jpg", ".ogg", ".js", ".css", ".so", ".ttf"].iter().any(|end| path.ends_with(end)) {
            continue;
        }
        let mut data = Vec::new();
        entry.read_to_end(&mut data)?;
        let found = sources::strings_of(&package.source, &package.name, &path, &data);
        out.extend(found.unwrap_or_default().iter().filter_map(|found| paragraph(package, found)));
    }
    Ok(out)
}

/// Returns a string made a paragraph, if it is text in a language.
fn paragraph(package: &Package, (language, text): &sources::Found) -> Option<Paragraph> {
    let language = language::tag(language)?;
    let text = clean::paragraph(text, sources::kind(&package.source));
    let taken = clean::is_text(&language, &text)
        && match package.purpose {
            Use::Training => clean::may_teach(&text),
            // The blocks of a book that are shorter are headings and links to other pages, most of them not translated.
            Use::Near | Use::Far if package.source == "debian-handbook" && text.len() < 60 => false,
            Use::Near | Use::Far => language == "en" || !clean::is_english(&text),
        };
    taken.then(|| {
        let digest: [u8; 32] = Sha256::digest(text.as_bytes()).into();
        let hash = digest.iter().take(8).fold(0, |hash, b| hash << 8 | u64::from(*b));
        Paragraph { language, text, hash }
    })
}

/// Returns each paragraph once in its language, without those that are equal to an English one, which are not translated,
/// and those in `trained`.
fn unique(found: Vec<(String, Vec<Paragraph>)>, trained: &HashSet<u64>) -> ByLanguage {
    let english: HashSet<u64> =
        found.iter().flat_map(|(_, found)| found).filter(|p| p.language == "en").map(|p| p.hash).collect();
    let mut seen: BTreeMap<String, HashSet<u64>> = BTreeMap::new();
    let mut out = ByLanguage::new();
    for (source, paragraphs) in found {
        for paragraph in paragraphs {
            let hash = paragraph.hash;
            let language = paragraph.language.clone();
            let untranslated = language != "en" && english.contains(&hash);
            if !untranslated
                && !trained.contains(&hash)
                && seen.entry(language.clone()).or_default().insert(hash)
            {
                out.entry(language).or_default().push((source.clone(), paragraph));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::packages::{Package, Use};
    use super::parse::catalog::tests::catalog;
    use super::{ByLanguage, extract, unique};
    use std::collections::HashSet;

    fn package(source: &str, purpose: Use) -> Package {
        let [source, name, version, sha256] = [source, "made-up", "1", ""].map(str::to_owned);
        Package { source, name, version, sha256, purpose }
    }

    fn tar(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut out = tar::Builder::new(Vec::new());
        for (path, data) in files {
            let mut header = tar::Header::new_gnu();
            header.set_size(data.len() as u64);
            header.set_mode(0o644);
            out.append_data(&mut header, path, *data).unwrap();
        }
        out.into_inner().unwrap()
    }

    fn texts<'a>(found: &'a ByLanguage, language: &str) -> Vec<(&'a str, &'a str)> {
        let texts = found.get(language).into_iter().flatten();
        texts.map(|(source, paragraph)| (source.as_str(), paragraph.text.as_str())).collect()
    }

    #[test]
    fn paragraphs_of_made_up_packages() {
        let help = package("libreoffice-help", Use::Training);
        let ui = package("libreoffice-ui", Use::Training);
        let catalogue = catalog(&[
            ("K\u{4}Open a ~document", "Ein Dokument ~öffnen"),
            ("K\u{4}Sign", "Das Zeichen ¤ für Währungen"),
            ("K\u{4}Untranslated sentence here", "Untranslated sentence here"),
            ("K\u{4}Save the document", "Save the document"),
        ]);
        let first = tar(&[
            ("usr/lib/libreoffice/program/resource/de/LC_MESSAGES/sw.mo", &catalogue),
            ("usr/lib/libreoffice/program/resource/de/LC_MESSAGES/bad.mo", b"no catalogue"),
            ("usr/share/doc/libreoffice-l10n-de/copyright", b"Some licence that is no text."),
        ]);
        let second = tar(&[
            (
                "usr/share/libreoffice/help/de/text/a.html",
                "<p>Ein Dokument öffnen</p><p>Ein zweiter Absatz</p>".as_bytes(),
            ),
            ("usr/share/libreoffice/help/de/text/b.html", b"<p>Ill-formed \xE4 text of a file</p>"),
            (
                "usr/share/libreoffice/help/en-GB/text/a.html",
                b"<p>Another English paragraph</p><p>Das ist gleich lang</p>",
            ),
            (
                "usr/share/libreoffice/help/ru/text/a.html",
                "<p>Another untranslated one</p><p>Открыть документ</p>".as_bytes(),
            ),
            (
                "usr/share/libreoffice/help/sv/text/a.html",
                b"<p>Another English paragraph</p><p>Ett andra stycke</p>",
            ),
        ]);
        let found = || {
            vec![
                (ui.source.clone(), extract(&ui, first.as_slice()).unwrap()),
                (help.source.clone(), extract(&help, second.as_slice()).unwrap()),
            ]
        };
        let trained = unique(found(), &HashSet::new());
        let expected =
            [("libreoffice-ui", "Ein Dokument öffnen"), ("libreoffice-help", "Ein zweiter Absatz")];
        assert_eq!(texts(&trained, "de"), expected);
        assert_eq!(texts(&trained, "ru"), [("libreoffice-help", "Открыть документ")]);
        assert_eq!(texts(&trained, "sv"), [("libreoffice-help", "Ett andra stycke")]);
        assert_eq!(unique(found(), &HashSet::new()), trained, "a second run differs");

        // Training text is in no test, and tests keep the characters that are not learned from.
        let near = package("wesnoth", Use::Near);
        let hashes: HashSet<u64> = trained.values().flatten().map(|(_, paragraph)| paragraph.hash).collect();
        let test = unique(vec![(near.source.clone(), extract(&near, first.as_slice()).unwrap())], &hashes);
        assert_eq!(texts(&test, "de"), [("wesnoth", "Das Zeichen ¤ für Währungen")]);
    }

    #[test]
    fn a_cut_archive_is_an_error() {
        let whole = tar(&[("usr/share/libreoffice/help/de/text/a.html", b"<p>Ein Absatz von ihr</p>")]);
        assert!(extract(&package("libreoffice-help", Use::Training), &whole[..520]).is_err());
    }
}
