//! The byte order mark at the start of a text in pieces.

use crate::encoding::Encoding;
use crate::list::{UTF_8_INIT, UTF_16BE_INIT, UTF_16LE_INIT};

/// The longest byte order mark, in bytes.
const MAX_BYTES: usize = 3;

/// The search for a byte order mark.
#[derive(Clone, Debug)]
pub(crate) struct Bom {
    search: Search,
    /// Bytes that were read and not decoded: the first bytes of the text, while they may belong to a mark, and some after an error.
    held: [u8; MAX_BYTES],
    len: usize,
}

#[derive(Clone, Copy, Debug)]
enum Search {
    Over,
    Any,
    Of(&'static Encoding),
}

/// The result of the search in a piece.
pub(crate) enum Found {
    /// The search has ended. The mark of the encoding, if there was one, took this number of bytes of the piece.
    Text(Option<(&'static Encoding, usize)>),
    /// The whole piece may belong to a mark.
    More,
}

impl Bom {
    /// The encodings whose marks browsers obey.
    pub(crate) const CANDIDATES: [&'static Encoding; 3] = [&UTF_8_INIT, &UTF_16BE_INIT, &UTF_16LE_INIT];

    pub(crate) fn any() -> Self {
        Self { search: Search::Any, held: [0; MAX_BYTES], len: 0 }
    }

    pub(crate) fn of(encoding: &'static Encoding) -> Self {
        let has_mark = Self::CANDIDATES.contains(&encoding);
        Self { search: if has_mark { Search::Of(encoding) } else { Search::Over }, ..Self::any() }
    }

    pub(crate) fn none() -> Self {
        Self { search: Search::Over, ..Self::any() }
    }

    /// Returns `true` if nothing is to be found any more, and nothing is held.
    #[inline(always)]
    pub(crate) fn is_over(&self) -> bool {
        matches!(self.search, Search::Over) && self.len == 0
    }

    /// Searches the next piece.
    pub(crate) fn search(&mut self, src: &[u8], last: bool) -> Found {
        let wanted = match self.search {
            Search::Over => return Found::Text(None),
            Search::Any => Self::CANDIDATES,
            Search::Of(encoding) => [encoding; 3],
        };
        let mut start = self.held;
        let taken = src.len().min(MAX_BYTES - self.len);
        start[self.len..self.len + taken].copy_from_slice(&src[..taken]);
        let start = &start[..self.len + taken];
        let marks = wanted.map(|encoding| (encoding, encoding.encoding.signature()));
        if let Some((encoding, mark)) = marks.into_iter().find(|(_, mark)| start.starts_with(mark)) {
            let read = mark.len() - self.len;
            *self = Self::none();
            return Found::Text(Some((encoding, read)));
        }
        if !last && marks.iter().any(|(_, mark)| mark.starts_with(start)) {
            self.held[..start.len()].copy_from_slice(start);
            self.len = start.len();
            return Found::More;
        }
        self.search = Search::Over;
        Found::Text(None)
    }

    /// Returns the bytes of earlier pieces that turned out to be text.
    #[inline(always)]
    pub(crate) fn held(&self) -> &[u8] {
        &self.held[..self.len]
    }

    /// Holds up to `most` more bytes of the start of `src`, which are text. Returns their number.
    pub(crate) fn hold(&mut self, src: &[u8], most: usize) -> usize {
        let more = most.min(src.len()).min(MAX_BYTES - self.len);
        self.held[self.len..self.len + more].copy_from_slice(&src[..more]);
        self.len += more;
        more
    }

    /// Forgets the first `read` of the held bytes.
    pub(crate) fn forget(&mut self, read: usize) {
        self.held.copy_within(read..self.len, 0);
        self.len -= read;
    }
}
