//! The data that all pieces of one long input share, and the conversion from one state to the next.

use super::cut;
use super::policies::Policies;
use super::position::Position;
use super::text::Refused;
use crate::common::Common;
use crate::lines::has_plain_line_feeds;
use placemat::Encoding;
use placemat::stream::Tally;
use std::io;

/// The data that all pieces share.
pub(super) struct Plan<'a> {
    pub(super) policies: &'a Policies<'a>,
    /// With the byte order decided.
    pub(super) from: Encoding,
    pub(super) to: Encoding,
    /// Whether code points are counted.
    pub(super) counts: bool,
    pub(super) threads: usize,
    pub(super) common: &'a Common,
    /// Another program writes the input, and may do so in its own time.
    pub(super) waits: bool,
}

/// The state of a conversion between two pieces.
pub(super) struct Here {
    /// Bytes that are read and not converted yet: at most a piece.
    pub(super) rest: Vec<u8>,
    /// The last bytes before `rest`.
    pub(super) before: Vec<u8>,
    /// The position in the input at which `rest` starts.
    pub(super) position: Position,
}

/// The end of the converted part.
pub(super) struct Went {
    pub(super) here: Here,
    pub(super) tally: Tally,
    pub(super) stopped: Stopped,
}

/// The reason to stop.
pub(super) enum Stopped {
    Ended,
    /// The rest has no place for a cut.
    Uncut,
    Unread(io::Error),
    Refused {
        refused: Refused,
        before: Vec<u8>,
        following: Vec<u8>,
    },
}

impl Plan<'_> {
    /// Returns `true` if a text can be converted in pieces at all.
    pub(super) fn is_possible(&self) -> bool {
        self.threads > 1
            && has_plain_line_feeds(self.from)
            && has_plain_line_feeds(self.to)
            && self.policies.allow_cuts()
    }

    /// Returns the latest place to cut a text that goes on.
    pub(super) fn cut(&self, text: &[u8]) -> Option<usize> {
        // Escapes are checked against those before them, in the same line at most. An encoding that writes a letter and its marks
        // as one byte must see them together.
        let by_lines = self.policies.check_escapes() || self.to.facts().holds_back;
        cut::latest(self.from, by_lines, text)
    }
}
