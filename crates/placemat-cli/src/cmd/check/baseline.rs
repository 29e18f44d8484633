//! `--baseline` and `--write-baseline`: the findings of today, by their fingerprints, so that only new ones are reported.

use super::report::Fingerprint;
use crate::input;
use crate::shown::reason;
use std::collections::HashSet;
use std::path::Path;

/// The first line of a baseline.
pub(super) const HEAD: &str = "# Findings that --baseline leaves out: fingerprint, kind, path.\n";

/// A baseline has at most this many bytes.
const MAX_BYTES: u64 = 1 << 30;

/// The findings that are known.
#[derive(Debug)]
pub(super) struct Baseline(HashSet<Fingerprint>);

impl Baseline {
    /// Reads a baseline.
    ///
    /// # Errors
    /// A message, if the file cannot be read or is no baseline.
    pub(super) fn read(path: &Path) -> Result<Self, String> {
        let (name, bytes) = input::read_whole(path, MAX_BYTES)
            .map_err(|e| format!("{}: {}", input::name_of(path), reason(&e)))?;
        let mut known = HashSet::new();
        for (number, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
            let word = line.split(u8::is_ascii_whitespace).next().unwrap_or_default();
            if word.is_empty() || word.starts_with(b"#") {
                continue;
            }
            let fingerprint = core::str::from_utf8(word).ok().and_then(Fingerprint::parse);
            let Some(fingerprint) = fingerprint else {
                return Err(format!(
                    "{name}:{}: not a line of a baseline, which begins with 24 hexadecimal digits (--write-baseline writes one)",
                    number + 1
                ));
            };
            known.insert(fingerprint);
        }
        Ok(Self(known))
    }

    pub(super) fn contains(&self, fingerprint: Fingerprint) -> bool {
        self.0.contains(&fingerprint)
    }
}
