//! Changes one line of a configuration file in windows-1251, and no other byte: neither line ends
//! nor a comment in another encoding.
//!
//! `cargo run -p placemat --features examples --example edit_config` edits a file in a temporary
//! folder and prints
//!
//! ```text
//! bytes 18..24 are now 4 bytes: город = Омск
//! город = Tōkyō: the target encoding cannot represent U+014D, at offset 1
//! ```
//!
//! `… --example edit_config -- FILE KEY VALUE` edits a file of yours.

use core::error::Error;
use placemat::Encoding;
use placemat::edit::{Change, Document, EditError};
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

/// Sets `key` to `value` in a file of lines `key = value`. Returns the bytes that changed, or
/// `None` if the file has no such key.
fn set(config: &mut Document, key: &str, value: &str) -> Result<Option<Change>, EditError> {
    let text = config.text();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if let Some((name, old)) = line.split_once('=')
            && name.trim() == key
        {
            // White space around the value stays, and so does the end of the line.
            let before = old.trim_end().len() - old.trim().len();
            let from = start + name.len() + "=".len() + before;
            return config.replace(from..from + old.trim().len(), value).map(Some);
        }
        start += line.len();
    }
    Ok(None)
}

/// Sets a key in a file, and writes the file only if that changes it.
fn set_in_file(path: &Path, key: &str, value: &str) -> Result<Change, Box<dyn Error>> {
    let mut config = Document::open(&fs::read(path)?, Encoding::WINDOWS_1251)?;
    let change = set(&mut config, key, value)?.ok_or_else(|| format!("no key {key:?}"))?;
    if change.len > 0 || !change.bytes.is_empty() {
        replace(path, &config.to_bytes())?;
    }
    Ok(change)
}

/// Replaces a file at once: whoever reads it sees the old bytes or the new ones.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let beside = path.with_extension(format!("{}.new", std::process::id()));
    let mut file = File::create_new(&beside)?;
    let replaced = file
        .write_all(bytes)
        .and_then(|()| file.set_permissions(fs::metadata(path)?.permissions()))
        .and_then(|()| fs::rename(&beside, path));
    if replaced.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_file(&beside);
    }
    replaced
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, key, value] = arguments.as_slice() else { return example() };
    let Change { bytes, len, .. } = set_in_file(Path::new(path), key, value)?;
    println!("bytes {bytes:?} are now {len} bytes: {key} = {value}");
    Ok(())
}

fn example() -> Result<(), Box<dyn Error>> {
    let folder = std::env::temp_dir().join(format!("placemat-edit-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let path = folder.join("weather.conf");

    // Both kinds of line ends; a comment in KOI8-R; and a byte 98, which windows-1251 does not
    // define.
    let before =
        b"# \xD0\xCF\xC7\xCF\xC4\xC1\r\n\xE3\xEE\xF0\xEE\xE4 = \xCC\xEE\xF1\xEA\xE2\xE0\r\n# \x98\nmail =\n";
    fs::write(&path, before)?;
    let Change { bytes, len, .. } = set_in_file(&path, "город", "Омск")?;
    println!("bytes {bytes:?} are now {len} bytes: город = Омск");
    let after = fs::read(&path)?;
    assert_eq!(after[..bytes.start], before[..bytes.start]);
    assert_eq!(after[bytes.start + len..], before[bytes.end..]);
    assert_eq!(after.len(), before.len() - "Москва".chars().count() + "Омск".chars().count());

    // An empty value gets its place before the end of the line.
    let Change { bytes, len, .. } = set_in_file(&path, "mail", " root")?;
    assert_eq!((bytes, len), (after.len() - 1..after.len() - 1, 5));
    let after = fs::read(&path)?;
    assert!(after.ends_with(b"\nmail = root\n"));

    // A value that windows-1251 cannot represent changes nothing.
    let error = set_in_file(&path, "город", "Tōkyō").err().ok_or("windows-1251 has no ō")?;
    println!("город = Tōkyō: {error}");
    assert_eq!(fs::read(&path)?, after);
    Ok(fs::remove_dir_all(&folder)?)
}

#[test]
fn edits_its_own_file() -> Result<(), Box<dyn Error>> {
    example()
}
