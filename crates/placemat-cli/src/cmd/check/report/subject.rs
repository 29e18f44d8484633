//! The names of a file in reports.

use crate::json::push_string;
use crate::shown::{Name, push_hex};
use crate::streams;
use core::fmt::Write as _;
use std::ffi::OsStr;
use std::path::Path;

/// The names of a file in reports.
#[derive(Debug)]
pub(in crate::cmd::check) struct Subject {
    /// The escaped name, for text.
    pub(super) shown: String,
    /// The members for a line of JSON: the name with U+FFFD for ill-formed sequences, and then its bytes too.
    pub(super) json: String,
    /// The URI for SARIF.
    pub(super) uri: String,
    /// The path for GitHub and GitLab: `None` for standard input.
    pub(super) plain: Option<String>,
}

impl Subject {
    pub(in crate::cmd::check) fn new(path: &OsStr, name: &Name) -> Self {
        let plain = (!streams::is_stdin(Path::new(path))).then(|| {
            let path = path.to_string_lossy();
            path.strip_prefix("./").unwrap_or(&path).to_owned()
        });
        Self { shown: name.to_string(), json: json_path(path, name), uri: uri(path), plain }
    }
}

/// `"path":"…"`, and the bytes of a path that is not UTF-8.
fn json_path(path: &OsStr, name: &Name) -> String {
    let bytes = path.as_encoded_bytes();
    let mut to = String::from("\"path\":");
    if bytes == b"-" {
        push_string(&mut to, &name.to_string());
    } else {
        push_string(&mut to, &path.to_string_lossy());
    }
    if path.to_str().is_none() {
        to.push_str(",\"path_bytes\":\"");
        push_joined_hex(&mut to, bytes);
        to.push('"');
    }
    to
}

/// Returns a path as a URI reference (RFC 3986): relative where the path is, every byte but the unreserved ones and
/// the slash percent-encoded.
fn uri(path: &OsStr) -> String {
    let mut to = String::new();
    let bytes = if streams::is_stdin(Path::new(path)) { b"<stdin>" } else { path.as_encoded_bytes() };
    let bytes = bytes.strip_prefix(b"./").unwrap_or(bytes);
    // Two slashes at the start would name a host.
    if Path::new(path).is_absolute() {
        to.push_str(if bytes.starts_with(b"/") { "file://" } else { "file:///" });
    }
    for &byte in bytes {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                to.push(char::from(byte));
            }
            b'\\' if cfg!(windows) => to.push('/'),
            _ => _ = write!(to, "%{byte:02X}"),
        }
    }
    to
}

/// Bytes as `c0af`.
pub(super) fn push_joined_hex(to: &mut String, bytes: &[u8]) {
    for byte in bytes.chunks(1) {
        push_hex(to, byte);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_uris() {
        for (path, want) in [
            ("a/b.txt", "a/b.txt"),
            ("./a b", "a%20b"),
            ("../x", "../x"),
            ("a:b?c#d%e", "a%3Ab%3Fc%23d%25e"),
            ("é\n", "%C3%A9%0A"),
            ("-", "%3Cstdin%3E"),
        ] {
            assert_eq!(uri(OsStr::new(path)), want);
        }
        #[cfg(unix)]
        assert_eq!(uri(OsStr::new("/tmp/x y")), "file:///tmp/x%20y");
    }
}
