//! `--eol`: line ends, in the target encoding, across the borders of buffers.
//!
//! The conversion works on the output, in the units of the target, where CR and LF are each one unit that means
//! nothing else; offsets in the input stay as they are. In other targets it works on UTF-8 in the text stage.

use super::args::Eol;
use placemat::Encoding;
use placemat::stream::Transcoder;

/// The conversion of line ends.
#[derive(Debug)]
pub(super) struct LineEnds {
    to: Eol,
    /// Whether a CR alone is a line end.
    cr_ends: bool,
    /// CR and LF in the target.
    cr: Vec<u8>,
    lf: Vec<u8>,
    /// The last unit was a CR. With [`Eol::Lf`] and [`Eol::CrToLf`] it is not written yet, unless it is a line end by itself.
    after_cr: bool,
}

/// CR and LF in units of `N` bytes.
type Ends<const N: usize> = [[u8; N]; 2];

impl LineEnds {
    /// Returns the conversion for text in `target`; `None` if there is nothing to do.
    pub(super) fn new(to: Eol, cr_ends: bool, target: Encoding) -> Option<Self> {
        let unit = |text: &[u8]| Transcoder::new(Encoding::UTF_8, target).transcode(text).unwrap_or_default();
        (to != Eol::Keep).then(|| Self { to, cr_ends, cr: unit(b"\r"), lf: unit(b"\n"), after_cr: false })
    }

    /// Converts `src`, which holds whole units, and appends the result to `dst`.
    pub(super) fn convert(&mut self, src: &[u8], dst: &mut Vec<u8>) {
        match self.lf.len() {
            1 => self.units::<1>(src, dst),
            2 => self.units::<2>(src, dst),
            _ => self.units::<4>(src, dst),
        }
    }

    /// Appends the unit that was held back.
    pub(super) fn finish(&mut self, dst: &mut Vec<u8>) {
        if self.after_cr {
            match self.to {
                Eol::Lf if !self.cr_ends => dst.extend_from_slice(&self.cr),
                Eol::CrToLf => dst.extend_from_slice(&self.lf),
                _ => {}
            }
        }
        self.after_cr = false;
    }

    fn units<const N: usize>(&mut self, src: &[u8], dst: &mut Vec<u8>) {
        let (units, rest) = src.as_chunks::<N>();
        debug_assert!(rest.is_empty(), "whole units");
        let (Ok(cr), Ok(lf)) = (self.cr.as_slice().try_into(), self.lf.as_slice().try_into()) else {
            dst.extend_from_slice(src);
            return;
        };
        match self.to {
            Eol::Keep => dst.extend_from_slice(src),
            Eol::CrToLf => self.lone_cr::<N>(units, [cr, lf], dst),
            _ if self.cr_ends => self.all_ends::<N>(units, [cr, lf], dst),
            Eol::Lf => self.lf_only::<N>(units, [cr, lf], dst),
            Eol::Crlf => self.cr_before_lf::<N>(units, [cr, lf], dst),
        }
    }

    /// Writes each line end when its first unit comes; an LF after a CR belongs to that.
    fn all_ends<const N: usize>(&mut self, units: &[[u8; N]], [cr, lf]: Ends<N>, dst: &mut Vec<u8>) {
        for line in units.split_inclusive(|unit| *unit == cr || *unit == lf) {
            let Some((end, text)) = line.split_last().filter(|(end, _)| **end == cr || **end == lf) else {
                dst.extend_from_slice(line.as_flattened());
                self.after_cr = false;
                continue;
            };
            dst.extend_from_slice(text.as_flattened());
            if !(*end == lf && text.is_empty() && self.after_cr) {
                if self.to == Eol::Crlf {
                    dst.extend_from_slice(&cr);
                }
                dst.extend_from_slice(&lf);
            }
            self.after_cr = *end == cr;
        }
    }

    fn lf_only<const N: usize>(&mut self, mut units: &[[u8; N]], [cr, lf]: Ends<N>, dst: &mut Vec<u8>) {
        while let Some(&next) = units.first() {
            if self.after_cr && next != lf {
                dst.extend_from_slice(&cr);
            }
            let run = units.iter().position(|unit| *unit == cr);
            self.after_cr = run.is_some();
            dst.extend_from_slice(units[..run.unwrap_or(units.len())].as_flattened());
            units = &units[run.map_or(units.len(), |run| run + 1)..];
        }
    }

    /// Writes a CR when the unit after it comes.
    fn lone_cr<const N: usize>(&mut self, units: &[[u8; N]], [cr, lf]: Ends<N>, dst: &mut Vec<u8>) {
        for line in units.split_inclusive(|unit| *unit == cr) {
            if self.after_cr {
                dst.extend_from_slice(if line[0] == lf { &cr } else { &lf });
            }
            let text = line.strip_suffix(&[cr]);
            self.after_cr = text.is_some();
            dst.extend_from_slice(text.unwrap_or(line).as_flattened());
        }
    }

    fn cr_before_lf<const N: usize>(&mut self, mut units: &[[u8; N]], [cr, lf]: Ends<N>, dst: &mut Vec<u8>) {
        while !units.is_empty() {
            let run = units.iter().position(|unit| *unit == lf);
            let (text, rest) = units.split_at(run.unwrap_or(units.len()));
            dst.extend_from_slice(text.as_flattened());
            if let Some(last) = text.last() {
                self.after_cr = *last == cr;
            }
            if let Some((lf, rest)) = rest.split_first() {
                if !self.after_cr {
                    dst.extend_from_slice(&cr);
                }
                dst.extend_from_slice(lf);
                self.after_cr = false;
                units = rest;
            } else {
                units = &[];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the specification, written plainly.
    fn expected(text: &str, to: Eol, cr_ends: bool) -> String {
        match to {
            Eol::Lf if cr_ends => text.replace("\r\n", "\n").replace('\r', "\n"),
            Eol::Crlf if cr_ends => expected(text, Eol::Lf, true).replace('\n', "\r\n"),
            Eol::Keep => text.into(),
            Eol::CrToLf => text.replace("\r\n", "\0").replace('\r', "\n").replace('\0', "\r\n"),
            Eol::Lf => text.replace("\r\n", "\n"),
            Eol::Crlf => text.replace("\r\n", "\n").replace('\n', "\r\n"),
        }
    }

    #[test]
    fn any_cut_gives_the_same_line_ends() {
        let texts =
            ["", "\r", "\n", "\r\n", "a\r\r\nb\n\nc\r", "\u{A0D}\n\u{D0A}\r\n\u{D0D}", "\n\r\n\r\r\n"];
        for encoding in [Encoding::UTF_8, Encoding::UTF_16BE, Encoding::UTF_16LE, Encoding::UTF_32BE] {
            let encode =
                |text: &str| Transcoder::new(Encoding::UTF_8, encoding).transcode(text.as_bytes()).unwrap();
            for text in texts {
                for (to, cr_ends) in [
                    (Eol::Lf, false),
                    (Eol::Crlf, false),
                    (Eol::Lf, true),
                    (Eol::Crlf, true),
                    (Eol::CrToLf, false),
                ] {
                    let src = encode(text);
                    let mut width = LineEnds::new(to, cr_ends, encoding).unwrap().lf.len();
                    while width <= src.len().max(1) {
                        let mut ends = LineEnds::new(to, cr_ends, encoding).unwrap();
                        let mut dst = Vec::new();
                        for piece in src.chunks(width) {
                            ends.convert(piece, &mut dst);
                        }
                        ends.finish(&mut dst);
                        assert_eq!(
                            dst,
                            encode(&expected(text, to, cr_ends)),
                            "{text:?} in {encoding} by {width}"
                        );
                        width += ends.lf.len();
                    }
                }
            }
        }
    }
}
