//! The conversion of one input, through a composer where the source is UTF-8-MAC.

use super::policies::Options;
use super::sink::{Sink, Unwritten};
use super::text::{Composer, Ending};
use crate::pages::Pages;
use placemat::stream::{Status, Transcoder};
use placemat::{IllFormed, Unmappable};
use placemat_iconv::{Decoding, Unmappables};
use std::io;

/// The reason to stop the conversion.
pub(super) enum Stopped {
    IllFormed(IllFormed),
    /// With its offset in the input.
    Unmappable(Unmappable, u64),
    Unreadable(io::Error),
    Unwritten(Unwritten),
}

impl From<Unwritten> for Stopped {
    fn from(e: Unwritten) -> Self {
        Self::Unwritten(e)
    }
}

/// A transcoder with the policies of iconv.
pub(super) type Converter<'a> = Transcoder<Decoding<Options<'a>>, Unmappables<Options<'a>>>;

/// The conversion of one input.
pub(super) struct Conversion<'a> {
    /// Reads and composes the text first, for UTF-8-MAC.
    pub(super) composed: Option<(Converter<'a>, Composer)>,
    pub(super) converter: Converter<'a>,
    pub(super) ending: Ending,
}

impl Conversion<'_> {
    /// Converts a piece of the input, or up to where it is refused. `middle` is room for text on its way to be composed.
    pub(super) fn piece(
        &mut self,
        src: &[u8],
        last: bool,
        middle: &mut [u8],
        mut way: Way<'_>,
    ) -> Result<(), Stopped> {
        let Self { composed, converter, ending } = self;
        let result = match composed {
            None => way.convert(converter, ending, src, last),
            Some((reader, composer)) => compose(reader, composer, middle, src, last, |text, ends| {
                way.convert(converter, ending, text, ends)
            }),
        };
        // The output before the error must be a complete text.
        if let Err(Stopped::IllFormed(_) | Stopped::Unmappable(..)) = result {
            way.close(converter, ending)?;
        }
        result
    }

    /// Returns the offset of the first omission, if any.
    pub(super) fn omitted(&mut self) -> Option<u64> {
        let ignored = match &self.composed {
            Some((reader, _)) => reader.tally().ignored.first,
            None => self.converter.tally().ignored.first,
        };
        let unmappables = self.converter.policies().1;
        // As in glibc, a transliteration anywhere hides that something else was left out.
        [ignored, unmappables.then.omitted].into_iter().flatten().min().filter(|_| unmappables.similar == 0)
    }
}

/// The destination of converted text.
pub(super) struct Way<'a> {
    pub(super) output: &'a mut Pages,
    pub(super) sink: &'a mut Sink,
    pub(super) written: &'a mut u64,
}

impl Way<'_> {
    /// Converts text, or up to where it is refused.
    fn convert(
        &mut self,
        converter: &mut Converter<'_>,
        ending: &mut Ending,
        src: &[u8],
        last: bool,
    ) -> Result<(), Stopped> {
        let mut read = 0;
        loop {
            let progress = converter.convert(&src[read..], self.output, last);
            read += progress.read;
            *self.written += progress.written as u64;
            let ends = last && progress.status == Status::Done;
            self.sink.push(ending.pass(&self.output[..progress.written], ends))?;
            match progress.status {
                Status::Done | Status::NeedInput => return Ok(()),
                Status::NeedOutput => {}
                Status::IllFormed(e) => return Err(Stopped::IllFormed(e)),
                Status::Unmappable(e) => return Err(Stopped::Unmappable(e, e.offset())),
            }
        }
    }

    /// Completes the text before an error.
    fn close(&mut self, converter: &mut Converter<'_>, ending: &mut Ending) -> Result<(), Stopped> {
        let progress = converter.close(self.output);
        Ok(self.sink.push(ending.pass(&self.output[..progress.written], true))?)
    }
}

/// Composes a piece of text in UTF-8 for `convert`, which takes the text and whether it is the last. What precedes an error
/// is composed too.
fn compose(
    reader: &mut Converter<'_>,
    composer: &mut Composer,
    middle: &mut [u8],
    src: &[u8],
    last: bool,
    mut convert: impl FnMut(&[u8], bool) -> Result<(), Stopped>,
) -> Result<(), Stopped> {
    let mut read = 0;
    loop {
        let progress = reader.convert(&src[read..], middle, last);
        read += progress.read;
        let (is_done, stopped) = match progress.status {
            Status::NeedOutput => (false, None),
            Status::Done | Status::NeedInput => (true, None),
            Status::IllFormed(e) => (true, Some(Stopped::IllFormed(e))),
            Status::Unmappable(e) => (true, Some(Stopped::Unmappable(e, e.offset()))),
        };
        let ends = is_done && (last || stopped.is_some());
        let converted =
            convert(composer.compose(&middle[..progress.written], ends), ends && stopped.is_none());
        converted.map_err(|stopped| match stopped {
            Stopped::Unmappable(e, offset) => Stopped::Unmappable(e, composer.source_of(offset)),
            other => other,
        })?;
        if let Some(stopped) = stopped {
            return Err(stopped);
        }
        if is_done {
            return Ok(());
        }
    }
}
