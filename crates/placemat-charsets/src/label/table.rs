//! All labels in the order of their hashes. The compiler makes the table; a search takes a dozen steps.

use crate::encoding::Encoding;
use placemat_core::forms::form::Names;

/// An entry of the table. The upper half is the hash of the label. Below that are two bytes for the encoding, its index in
/// [`Encoding::ALL`], and two for the label: 0 for the canonical name, or one more than where it begins among the lines of
/// labels.
type Entry = u64;

/// Every name and every label, by the hash of its significant characters.
static ANY: [Entry; count(Labels::Any)] = sorted(Labels::Any);
/// The labels of the web, by the hash in lower case.
static WEB: [Entry; count(Labels::Web)] = sorted(Labels::Web);

/// Returns the encoding of a label that stands alone, not in a declaration.
#[inline]
pub(super) fn named(label: &str) -> Option<Encoding> {
    any(label).or_else(|| windows(label.trim_ascii()))
}

/// Returns the encoding with a name or label whose significant characters are those of `label`.
#[inline]
fn any(label: &str) -> Option<Encoding> {
    find(&ANY, Labels::Any, Significant::of(label.as_bytes()), |known| {
        significant(known).eq(significant(label))
    })
}

/// Returns the encoding `windows-1251` for `win1251`, and its like.
#[inline]
fn windows(label: &str) -> Option<Encoding> {
    let (start, number) = label.split_at_checked(3)?;
    let number = number.strip_prefix(['-', '_', ' ']).unwrap_or(number);
    if !start.eq_ignore_ascii_case("win") || !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let hash = Significant::START.and(b"windows").and(number.as_bytes()).hash;
    find(&ANY, Labels::Any, hash, |known| known.strip_prefix("windows-") == Some(number))
}

/// Returns the encoding that has `label` on the web.
#[inline]
pub(crate) fn web(label: &str) -> Option<Encoding> {
    find(&WEB, Labels::Web, lower_case(label.as_bytes()), |known| known.eq_ignore_ascii_case(label))
}

/// Returns the encoding of the first label with this hash for which `same` holds.
#[inline]
fn find(table: &[Entry], labels: Labels, hash: u32, same: impl Fn(&'static str) -> bool) -> Option<Encoding> {
    let first = u64::from(hash) << 32;
    let start = table.partition_point(|&entry| entry < first);
    let alike = table[start..].iter().take_while(|&&entry| entry >> 32 == u64::from(hash));
    alike
        .map(|entry| {
            let [.., a, b, c, d] = entry.to_be_bytes();
            (usize::from(u16::from_be_bytes([a, b])), usize::from(u16::from_be_bytes([c, d])))
        })
        .find(|&(encoding, label)| same(labels.get(&Encoding::ALL[encoding].names(), label)))
        .map(|(encoding, _)| Encoding::ALL[encoding])
}

/// A choice of labels.
#[derive(Clone, Copy)]
enum Labels {
    /// The canonical name, and then all labels.
    Any,
    /// The labels of the web.
    Web,
}

impl Labels {
    /// Returns the labels of a set, each followed by a line feed.
    const fn lines(self, names: &Names) -> &'static str {
        match self {
            Self::Any => names.labels.lines(),
            Self::Web => names.web_labels.lines(),
        }
    }

    /// Returns the label at a place, as an [`Entry`] has it.
    fn get(self, names: &Names, place: usize) -> &'static str {
        let Some(start) = place.checked_sub(1) else { return names.name };
        self.lines(names).get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default()
    }

    const fn hash(self, label: &[u8]) -> u32 {
        match self {
            Self::Any => Significant::of(label),
            Self::Web => lower_case(label),
        }
    }
}

/// Returns the number of labels of all encodings together.
const fn count(labels: Labels) -> usize {
    let mut count = 0;
    let mut encoding = 0;
    while encoding < Encoding::NAMES.len() {
        let lines = labels.lines(&Encoding::NAMES[encoding]).as_bytes();
        let mut i = 0;
        while i < lines.len() {
            count += (lines[i] == b'\n') as usize;
            i += 1;
        }
        count += matches!(labels, Labels::Any) as usize;
        encoding += 1;
    }
    count
}

/// Returns the table of all labels, sorted by a Shell sort.
const fn sorted<const N: usize>(labels: Labels) -> [Entry; N] {
    let names = Encoding::NAMES;
    let mut table = [0; N];
    let mut len = 0;
    let mut encoding = 0;
    while encoding < names.len() {
        let entry = (encoding as Entry) << 16;
        if matches!(labels, Labels::Any) {
            table[len] = (labels.hash(names[encoding].name.as_bytes()) as Entry) << 32 | entry;
            len += 1;
        }
        let lines = labels.lines(&names[encoding]).as_bytes();
        let (mut start, mut end) = (0, 0);
        while end < lines.len() {
            if lines[end] == b'\n' {
                let (label, _) = lines.split_at(end).0.split_at(start).1.split_at(end - start);
                table[len] = (labels.hash(label) as Entry) << 32 | entry | (start + 1) as Entry;
                len += 1;
                start = end + 1;
            }
            end += 1;
        }
        encoding += 1;
    }
    let mut gap = N / 2;
    while gap > 0 {
        let mut next = gap;
        while next < N {
            let entry = table[next];
            let mut at = next;
            while at >= gap && table[at - gap] > entry {
                table[at] = table[at - gap];
                at -= gap;
            }
            table[at] = entry;
            next += 1;
        }
        gap /= 2;
    }
    table
}

/// Returns the hashes of a label, and of `windows-1251` for `win1251`.
#[cfg(any(
    test,
    not(all(feature = "single-byte", feature = "cjk", feature = "cjk-extra", feature = "marc8"))
))]
pub(super) fn hashes(label: &str) -> impl Iterator<Item = u32> {
    let short = label.trim_ascii().split_at_checked(3).filter(|(start, _)| start.eq_ignore_ascii_case("win"));
    let windows = short.map(|(_, number)| Significant::START.and(b"windows").and(number.as_bytes()).hash);
    [Some(Significant::of(label.as_bytes())), windows].into_iter().flatten()
}

/// Returns a step of the hash of Fowler, Noll and Vo (FNV-1a, 32 bits).
const fn with(hash: u32, byte: u8) -> u32 {
    (hash ^ byte as u32).wrapping_mul(0x0100_0193)
}

/// The start value of that hash.
const BASIS: u32 = 0x811C_9DC5;

/// Returns the hash of a label in lower case.
const fn lower_case(label: &[u8]) -> u32 {
    let mut hash = BASIS;
    let mut i = 0;
    while i < label.len() {
        hash = with(hash, label[i].to_ascii_lowercase());
        i += 1;
    }
    hash
}

/// The hash of the [`significant`] characters.
#[derive(Clone, Copy)]
struct Significant {
    hash: u32,
    after_digit: bool,
}

impl Significant {
    const START: Self = Self { hash: BASIS, after_digit: false };

    const fn of(label: &[u8]) -> u32 {
        Self::START.and(label).hash
    }

    const fn and(mut self, label: &[u8]) -> Self {
        let mut i = 0;
        while i < label.len() {
            if let Some(byte) = self.next(label[i]) {
                self.hash = with(self.hash, byte);
            }
            i += 1;
        }
        self
    }

    /// Returns the significant form of a byte: `None` for punctuation and for a zero that leads a number.
    #[inline(always)]
    const fn next(&mut self, byte: u8) -> Option<u8> {
        if !byte.is_ascii_alphanumeric() {
            return None;
        }
        let leading_zero = byte == b'0' && !self.after_digit;
        self.after_digit = byte.is_ascii_digit() && !leading_zero;
        if leading_zero { None } else { Some(byte.to_ascii_lowercase()) }
    }
}

/// Returns the letters and digits of a label, in lower case, without zeros that lead a number.
pub(super) fn significant(label: &str) -> impl Iterator<Item = u8> {
    let mut state = Significant::START;
    label.bytes().filter_map(move |byte| state.next(byte))
}
