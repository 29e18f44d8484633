//! The limit of findings of a kind, and the first finding beyond it.

use super::lint::Kind;
use super::report::Fingerprint;
use crate::lines::Place;
use crate::scan::Around;
use placemat::Encoding;

/// The number of findings of a kind that are printed of a file.
pub(super) const MAX_OF_A_KIND: u64 = 20;
/// The number of controls, of invisible code points and of lookalikes that the group `security` prints of a file.
const MAX_OF_A_HABIT: u64 = 3;
/// The number of bytes that are kept of a finding that is not printed.
const MAX_KEPT_BYTES: usize = 64;

/// The counts of the kinds in a file.
#[derive(Clone, Debug)]
pub(super) struct Limits {
    /// The number of findings of a kind that are printed.
    max: u64,
    /// The number of controls that are printed.
    max_controls: u64,
    /// The number of invisible code points that are printed, and of lookalikes.
    max_points: u64,
    /// The number of lines that leave a bidi control open, of which findings are printed.
    max_open: u64,
    /// In the order of their first findings. There are some fifty kinds.
    kinds: Vec<Counted>,
}

/// A kind, the number of its findings, and the first one that is not printed.
#[derive(Clone, Debug)]
struct Counted {
    kind: &'static str,
    count: u64,
    left: Option<LeftOut>,
}

/// The first finding of a kind that is not printed.
#[derive(Clone, Debug)]
pub(super) struct LeftOut {
    pub(super) at: Place,
    pub(super) end: Place,
    pub(super) fingerprint: Fingerprint,
    offset: u64,
    bytes: Vec<u8>,
    encoding: Encoding,
}

impl LeftOut {
    pub(super) fn new(
        at: Place,
        end: Place,
        fingerprint: Fingerprint,
        around: &Around<'_>,
        len: usize,
    ) -> Self {
        let bytes = around.following().get(..len.min(MAX_KEPT_BYTES)).unwrap_or_default().to_vec();
        Self { at, end, fingerprint, offset: around.offset(), bytes, encoding: around.encoding }
    }

    /// Returns the bytes of the finding, at most the first [`MAX_KEPT_BYTES`].
    pub(super) fn around(&self) -> Around<'_> {
        Around::of(&self.bytes, self.offset, self.bytes.len(), self.encoding)
    }
}

impl Limits {
    /// With a limit, or without one. In a file that is no source, such as recorded output of programs, one control says that
    /// there are some. In the group `security`, [`MAX_OF_A_HABIT`] code points of a kind do so in any file, and one line with an
    /// open bidi control in a file that is no source.
    pub(super) const fn new(limited: bool, is_source: bool, in_context: bool) -> Self {
        let max = if limited { MAX_OF_A_KIND } else { u64::MAX };
        let max_points = if limited && in_context { MAX_OF_A_HABIT } else { max };
        let max_controls = if limited && !is_source { 1 } else { max_points };
        let max_open = if limited && in_context && !is_source { 1 } else { max };
        Self { max, max_controls, max_points, max_open, kinds: Vec::new() }
    }

    /// Returns the number of findings of a kind that are printed.
    fn max(&self, kind: &str) -> u64 {
        match kind {
            _ if kind == Kind::Control.code() => self.max_controls,
            _ if kind == Kind::BidiUnterminated('\0').code() => self.max_open,
            _ if kind == Kind::Invisible.code() || kind == Kind::Lookalike.code() => self.max_points,
            _ => self.max,
        }
    }

    /// Lets one control be printed.
    pub(super) const fn print_one_control(&mut self) {
        self.max_controls = 1;
    }

    /// Counts a finding. Returns whether it is to be printed; `left` makes the first one that is not.
    pub(super) fn admit(&mut self, kind: &'static str, left: impl FnOnce() -> LeftOut) -> bool {
        let max = self.max(kind);
        let counted = match self.kinds.iter().position(|known| known.kind == kind) {
            Some(at) => &mut self.kinds[at],
            None => {
                self.kinds.push(Counted { kind, count: 0, left: None });
                let last = self.kinds.len() - 1;
                &mut self.kinds[last]
            }
        };
        counted.count += 1;
        if counted.count <= max {
            return true;
        }
        counted.left.get_or_insert_with(left);
        false
    }

    /// Returns the kinds of which some findings were not printed: the kind, how many were not, and the first of these.
    pub(super) fn left_out(&self) -> impl Iterator<Item = (&'static str, u64, &LeftOut)> {
        self.kinds.iter().filter_map(|Counted { kind, count, left }| {
            left.as_ref().map(|left| (*kind, count - self.max(kind), left))
        })
    }
}
