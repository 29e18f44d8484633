//! `--eof-1a`: drops the U+001A that CP/M and DOS wrote after the end of a text, to fill its last record.
//!
//! A run of them may turn out to stand within the text. It is counted, not kept, so memory stays constant. As with line
//! ends, the filter works on the units of the target, where U+001A is one unit that means nothing else, or on UTF-8 in
//! the text stage.

use placemat::Encoding;
use placemat::stream::Transcoder;

/// Units that are written at a time if a run stands within the text.
const BLOCK_UNITS: u64 = 1024;

/// The filter.
#[derive(Debug)]
pub(super) struct Padding {
    /// U+001A in the target.
    unit: Vec<u8>,
    /// The number of units in the run at the end of the text so far.
    held: u64,
}

impl Padding {
    /// Returns the filter for text in `target`; `None` if the padding is not to be dropped.
    pub(super) fn new(drops: bool, target: Encoding) -> Option<Self> {
        let unit = || Transcoder::new(Encoding::UTF_8, target).transcode(b"\x1A").unwrap_or_default();
        drops.then(|| Self { unit: unit(), held: 0 })
    }

    /// Passes `src`, which holds whole units, to `write`, except for a run at its end.
    pub(super) fn push<E>(
        &mut self,
        src: &[u8],
        mut write: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let width = self.unit.len().max(1);
        let run = src.rchunks(width).take_while(|unit| *unit == self.unit).count();
        let text = &src[..src.len() - run * width];
        if !text.is_empty() {
            self.put(&mut write)?;
            write(text)?;
        }
        self.held += run as u64;
        Ok(())
    }

    /// Drops the run at the end of an input.
    pub(super) const fn drop_run(&mut self) {
        self.held = 0;
    }

    /// Passes the run to `write`: the text goes on after it, or stops at an error.
    pub(super) fn put<E>(&mut self, mut write: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        while self.held > 0 {
            let count = self.held.min(BLOCK_UNITS);
            write(&self.unit.repeat(usize::try_from(count).unwrap_or_default()))?;
            self.held -= count;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::convert::Infallible;

    #[test]
    fn any_cut_drops_the_same_run() {
        let long = format!("a{}b{}", "\x1A".repeat(3000), "\x1A".repeat(5));
        let texts = ["", "\x1A", "a", "a\x1A", "\x1A\x1Aa\x1Ab\x1A\x1A", "\u{1A00}\x1A", "a\u{1A1A}", &long];
        for encoding in [Encoding::UTF_8, Encoding::UTF_16BE, Encoding::UTF_16LE, Encoding::UTF_32BE] {
            let encode =
                |text: &str| Transcoder::new(Encoding::UTF_8, encoding).transcode(text.as_bytes()).unwrap();
            let width = encode("a").len();
            for text in texts {
                let src = encode(text);
                for units in [1, 2, 3, 700, 10_000] {
                    let mut padding = Padding::new(true, encoding).unwrap();
                    let mut dst = Vec::new();
                    let mut write = |part: &[u8]| {
                        dst.extend_from_slice(part);
                        Ok::<(), Infallible>(())
                    };
                    for piece in src.chunks(units * width) {
                        padding.push(piece, &mut write).unwrap();
                    }
                    padding.drop_run();
                    padding.put(&mut write).unwrap();
                    let want = encode(text.trim_end_matches('\x1A'));
                    assert_eq!(dst, want, "{text:?} in {encoding} by {units}");
                }
            }
        }
        assert!(Padding::new(false, Encoding::UTF_8).is_none());
    }
}
