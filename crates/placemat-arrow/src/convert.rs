//! From one encoding to another: rows together where that is the same as each by itself, and one row.

use crate::error::{Error, Handling};
use crate::nulls::Nulls;
use crate::scheme::Scheme;
use placemat::stream::{Status, Transcoder};
use placemat::{ConvertError, Encoding, ErrorPolicy, UnmappablePolicy, utf8};

/// Takes the rows of the result, one after the other.
pub(crate) trait Sink {
    /// Room for at least `least` bytes of the current row; all room that there is.
    fn room(&mut self, least: usize) -> &mut [u8];

    /// The first `bytes` of the room now belong to the current row.
    fn written(&mut self, bytes: usize);

    /// Ends the current row; the next one begins.
    fn end_row(&mut self, row: usize) -> Result<(), Error>;

    /// Forgets the bytes of the current row.
    fn drop_row(&mut self);
}

/// A conversion of a column.
pub(crate) struct Job<'a> {
    from: Encoding,
    to: Encoding,
    pub(crate) on_error: Handling<ErrorPolicy<'a>>,
    on_unmappable: Handling<UnmappablePolicy<'a>>,
    pub(crate) from_scheme: Scheme,
    to_scheme: Scheme,
}

/// How far rows went together.
pub(crate) struct Together {
    pub(crate) written: usize,
    /// The offset of the first byte that needs a policy.
    pub(crate) stopped_at: Option<usize>,
}

impl<'a> Job<'a> {
    pub(crate) fn new(
        (from, to): (Encoding, Encoding),
        on_error: Handling<ErrorPolicy<'a>>,
        on_unmappable: Handling<UnmappablePolicy<'a>>,
    ) -> Self {
        let (from_scheme, to_scheme) = (Scheme::of(from), Scheme::of(to));
        Self { from, to, on_error, on_unmappable, from_scheme, to_scheme }
    }

    /// Returns `true` if a policy wants to see well-formed text too.
    fn inspects(&self) -> bool {
        self.on_error.policy().inspects() || self.on_unmappable.policy().inspects()
    }

    /// Returns `true` if ASCII stays as it is.
    pub(crate) fn keeps_ascii(&self) -> bool {
        self.from.takes_escapes() && self.to.takes_escapes() && !self.inspects()
    }

    /// Returns `true` if well-formed text stays as it is, and ill-formed text never needs the second policy: from UTF-8
    /// to UTF-8.
    pub(crate) fn only_checks(&self) -> bool {
        matches!((&self.from_scheme, &self.to_scheme), (Scheme::Utf8, Scheme::Utf8))
            && !self.inspects()
            && self.on_unmappable.stops()
    }

    /// Returns `true` if rows that need no policy give the same bytes together as each by itself.
    pub(crate) fn takes_rows_together(&self) -> bool {
        !matches!((&self.from_scheme, &self.to_scheme), (Scheme::Other, _) | (_, Scheme::Other))
            && !self.inspects()
    }

    /// Returns `true` if the result is UTF-8.
    pub(crate) fn makes_text(&self) -> bool {
        matches!(self.to_scheme, Scheme::Utf8)
    }

    /// Returns the maximum number of bytes that rows of `len` bytes become together.
    pub(crate) fn most(&self, len: usize) -> usize {
        // One byte becomes at most one code point of the plane that has the tables.
        3 * len + 256
    }

    /// Converts rows, up to the first that needs a policy.
    pub(crate) fn together(&self, src: &[u8], dst: &mut [u8]) -> Together {
        let p = Transcoder::new(self.from, self.to).convert(src, dst, true);
        let stopped_at = match p.status {
            Status::Done => None,
            Status::IllFormed(error) => Some(error.valid_up_to()),
            Status::Unmappable(error) => Some(usize::try_from(error.offset()).unwrap_or(usize::MAX)),
            Status::NeedInput | Status::NeedOutput => Some(p.read),
        };
        Together { written: p.written, stopped_at: stopped_at.filter(|&at| at < src.len()) }
    }

    /// Returns the length that a row has in the result, if it needs no policy. Asked only where rows go together.
    #[inline]
    pub(crate) fn len_of(&self, row: &[u8]) -> usize {
        match (&self.from_scheme, &self.to_scheme) {
            (Scheme::SingleByte(lengths), Scheme::Utf8) => lengths.of_row(row),
            (Scheme::Utf8, Scheme::SingleByte(_)) => utf8::count_code_points(row),
            _ => row.len(),
        }
    }

    /// Converts one row, whose bytes are `src`; nothing if it is null.
    pub(crate) fn alone<S: Sink>(
        &self,
        row: usize,
        src: Option<&[u8]>,
        out: &mut S,
        nulls: &mut Nulls,
    ) -> Result<(), Error> {
        if let Some(src) = src
            && let Err(error) = self.whole(src, out)
        {
            let becomes_null = match error {
                ConvertError::IllFormed(_) => self.on_error == Handling::Null,
                _ => self.on_unmappable == Handling::Null,
            };
            if !becomes_null {
                return Err(Error::Row { row, error });
            }
            out.drop_row();
            nulls.add(row);
        }
        out.end_row(row)
    }

    /// Converts a whole text.
    fn whole<S: Sink>(&self, src: &[u8], out: &mut S) -> Result<(), ConvertError> {
        let mut transcoder = Transcoder::new(self.from, self.to)
            .on_error(self.on_error.policy())
            .on_unmappable(self.on_unmappable.policy());
        let mut read = 0;
        // Twice the text and the longest answer of a policy mostly do.
        let mut least = 2 * src.len() + 64;
        loop {
            let p = transcoder.convert(&src[read..], out.room(least), true);
            out.written(p.written);
            read += p.read;
            match p.status {
                Status::IllFormed(error) => return Err(error.into()),
                Status::Unmappable(error) => return Err(error.into()),
                Status::NeedOutput => least = (2 * least).max(transcoder.min_output()),
                _ => return Ok(()),
            }
        }
    }
}
