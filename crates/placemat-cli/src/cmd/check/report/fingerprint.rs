//! Fingerprints, which identify a finding across runs although lines before it come and go: a hash of the path, the
//! finding and its surroundings on its line, plus a number if several findings share these.

use crate::scan::Around;

/// The number of bytes of the line, before and after the finding, that count.
const CONTEXT: usize = 64;
/// The number of counters: two findings share one if they have the same hash or, rarely, by chance.
const COUNTERS: u16 = 4096;

/// The name of a finding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(in crate::cmd::check) struct Fingerprint {
    hash: u64,
    number: u32,
}

impl Fingerprint {
    /// Returns the fingerprint of 24 hexadecimal digits.
    pub(in crate::cmd::check) fn parse(digits: &str) -> Option<Self> {
        let is_hex = digits.len() == 24 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let (hash, number) = is_hex.then(|| digits.split_at(16))?;
        Some(Self {
            hash: u64::from_str_radix(hash, 16).ok()?,
            number: u32::from_str_radix(number, 16).ok()?,
        })
    }

    /// Appends 24 hexadecimal digits.
    pub(super) fn push(self, to: &mut String) {
        use core::fmt::Write as _;
        _ = write!(to, "{:016x}{:08x}", self.hash, self.number);
    }
}

/// The fingerprints of the findings of one file, all different.
#[derive(Debug)]
pub(in crate::cmd::check) struct Fingerprints {
    path: u64,
    counters: Vec<u32>,
}

impl Fingerprints {
    pub(in crate::cmd::check) fn new(path: &[u8]) -> Self {
        // `.` and `./` name the same files as no directory does.
        let path = path.strip_prefix(b"./").unwrap_or(path);
        Self { path: fnv(BASIS, path), counters: Vec::new() }
    }

    /// The name of the next finding.
    #[expect(clippy::cast_possible_truncation, reason = "the lowest bits are as good as any")]
    pub(in crate::cmd::check) fn next(
        &mut self,
        kind: &str,
        bytes: &[u8],
        around: &Around<'_>,
    ) -> Fingerprint {
        let before = around.before();
        let before = &before[before.len().saturating_sub(CONTEXT)..];
        let before = before.rsplit(|&byte| byte == b'\n').next().unwrap_or(before);
        let behind = around.following().get(bytes.len()..).unwrap_or_default();
        let behind = &behind[..behind.len().min(CONTEXT)];
        let behind = behind.split(|&byte| matches!(byte, b'\r' | b'\n')).next().unwrap_or(behind);
        let parts = [kind.as_bytes(), bytes, before, behind];
        // The lengths keep the parts apart.
        let hash = parts.iter().fold(self.path, |hash, part| fnv(fnv(hash, &part.len().to_le_bytes()), part));
        self.counters.resize(usize::from(COUNTERS), 0);
        let counter = &mut self.counters[usize::from(hash as u16 % COUNTERS)];
        let number = *counter;
        *counter = number.wrapping_add(1);
        Fingerprint { hash, number }
    }
}

const BASIS: u64 = 0xCBF2_9CE4_8422_2325;

/// FNV-1a, which never changes across platforms and versions.
fn fnv(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}
