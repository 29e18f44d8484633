//! `--eol`: line ends, in the target encoding, across the borders of buffers.
//!
//! The conversion works on the output, in the units of the target, where CR and LF are each one unit that means
//! nothing else; offsets in the input stay as they are. In other targets it works on UTF-8 in the text stage.
//!
//! NEL, U+2028 and U+2029 are single units in UTF-16 and UTF-32. In UTF-8 they are sequences, which the border of a buffer
//! may cut. Where another target may get them, the conversion is part of the text stage: see [`needs_text`].

use super::args::Eol;
use crate::families::is_wide;
use crate::line_ends::{NEL, SEPARATORS};
use core::slice::from_ref;
use placemat::stream::Transcoder;
use placemat::{Encoding, UnmappablePolicy};

/// The conversion of line ends.
#[derive(Debug)]
pub(super) struct LineEnds {
    to: Eol,
    /// CR and LF in the target.
    cr: Vec<u8>,
    lf: Vec<u8>,
    /// The line ends other than CR and LF, in the target, where each line end is to be written alike.
    others: Vec<Vec<u8>>,
    /// The last unit was a CR. With [`Eol::CrlfToLf`] and [`Eol::CrToLf`] it is not written yet.
    after_cr: bool,
    /// The first bytes of a sequence that may be one of `others`; they are not written yet.
    held: Vec<u8>,
}

/// CR and LF in units of `N` bytes.
type Ends<const N: usize> = [[u8; N]; 2];

/// Returns `true` if the output may contain line ends that are not found in its bytes, or that the target cannot represent
/// before they are converted.
pub(super) fn needs_text(from: Encoding, target: Encoding) -> bool {
    let has = |end: &str| from.encode(end, UnmappablePolicy::Stop).is_ok();
    let is_searched = is_wide(target) || encoded(target, NEL) == NEL.as_bytes();
    !is_searched && (has(NEL) || SEPARATORS.iter().any(|&end| has(end.encode_utf8(&mut [0; 4]))))
}

/// Returns a line end in `target`; empty if the target cannot represent it.
fn encoded(target: Encoding, text: &str) -> Vec<u8> {
    Transcoder::new(Encoding::UTF_8, target).transcode(text.as_bytes()).unwrap_or_default()
}

impl LineEnds {
    /// Returns the conversion for text in `target`; `None` if there is nothing to do. `separators`: U+2028 and U+2029 are
    /// line ends too.
    pub(super) fn new(to: Eol, separators: bool, target: Encoding) -> Option<Self> {
        let is_searched = is_wide(target) || encoded(target, NEL) == NEL.as_bytes();
        let mut others = Vec::new();
        if to.is_for_all() && is_searched {
            others.push(encoded(target, NEL));
            if separators {
                others.extend(SEPARATORS.map(|end| encoded(target, end.encode_utf8(&mut [0; 4]))));
            }
        }
        (to != Eol::Keep).then(|| Self {
            to,
            cr: encoded(target, "\r"),
            lf: encoded(target, "\n"),
            others,
            after_cr: false,
            held: Vec::new(),
        })
    }

    /// Converts `src`, which holds whole units, and appends the result to `dst`.
    pub(super) fn convert(&mut self, src: &[u8], dst: &mut Vec<u8>) {
        match self.lf.len() {
            1 => self.units::<1>(src, dst),
            2 => self.units::<2>(src, dst),
            _ => self.units::<4>(src, dst),
        }
    }

    /// Appends the text that was held back.
    pub(super) fn finish(&mut self, dst: &mut Vec<u8>) {
        match self.to {
            Eol::CrlfToLf if self.after_cr => dst.extend_from_slice(&self.cr),
            Eol::CrToLf if self.after_cr => dst.extend_from_slice(&self.lf),
            _ => {}
        }
        dst.append(&mut self.held);
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
            Eol::Lf => self.all_ends::<N>(units, [cr, lf], &lf, dst),
            Eol::Crlf => self.all_ends::<N>(units, [cr, lf], [cr, lf].as_flattened(), dst),
            Eol::Cr => self.all_ends::<N>(units, [cr, lf], &cr, dst),
            Eol::CrlfToLf => self.lf_only::<N>(units, [cr, lf], dst),
            Eol::LfToCrlf => self.cr_before_lf::<N>(units, [cr, lf], dst),
            Eol::CrToLf => self.lone_cr::<N>(units, [cr, lf], dst),
        }
    }

    /// Writes `end` for each line end. One is written when its CR comes; an LF after a CR belongs to that.
    fn all_ends<const N: usize>(
        &mut self,
        mut units: &[[u8; N]],
        [cr, lf]: Ends<N>,
        end: &[u8],
        dst: &mut Vec<u8>,
    ) {
        let leads: Vec<[u8; N]> =
            self.others.iter().filter_map(|other| other.first_chunk().copied()).collect();
        // If the output gets LF, an LF that follows no CR stays as it is and ends no run.
        let stop = if end == lf.as_slice() { cr } else { lf };
        // U+2028 and U+2029 have one lead byte in UTF-8.
        let (one, two) = (leads.first().copied().unwrap_or(cr), leads.get(1).copied().unwrap_or(cr));
        let three = leads.get(2).copied().unwrap_or(cr);
        let is_of_end = |unit: &[u8; N]| {
            (*unit == cr) | (*unit == stop) | (*unit == one) | (*unit == two) | (*unit == three)
        };
        while let Some((unit, rest)) = units.split_first() {
            if !self.held.is_empty() || leads.contains(unit) {
                let before = self.held.len();
                self.held.extend_from_slice(unit);
                if self.others.contains(&self.held) {
                    self.held.clear();
                    dst.extend_from_slice(end);
                    units = rest;
                } else if self.others.iter().any(|other| other.starts_with(&self.held)) {
                    units = rest;
                } else {
                    // No line end: the unit is looked at again by itself, since none but a lead begins one.
                    dst.extend_from_slice(&self.held[..before]);
                    self.held.clear();
                }
                self.after_cr = false;
            } else if *unit == cr || *unit == stop || *unit == lf && self.after_cr {
                if !(*unit == lf && self.after_cr) {
                    dst.extend_from_slice(end);
                }
                self.after_cr = *unit == cr;
                units = rest;
            } else {
                let run = match (N, leads.len()) {
                    (1, 0 | 1) => memchr::memchr3(cr[0], stop[0], one[0], units.as_flattened()),
                    _ => units.iter().position(is_of_end),
                };
                let (text, rest) = units.split_at(run.unwrap_or(units.len()));
                dst.extend_from_slice(text.as_flattened());
                self.after_cr = false;
                units = rest;
            }
        }
    }

    fn lf_only<const N: usize>(&mut self, mut units: &[[u8; N]], [cr, lf]: Ends<N>, dst: &mut Vec<u8>) {
        while let Some(next) = units.first() {
            if self.after_cr && *next != lf {
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
            let text = line.strip_suffix(from_ref(&cr));
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

    const ALL: [Eol; 6] = [Eol::Lf, Eol::Crlf, Eol::Cr, Eol::CrlfToLf, Eol::LfToCrlf, Eol::CrToLf];

    /// Returns the specification, written plainly.
    fn expected(text: &str, to: Eol, separators: bool) -> String {
        let to_all = |end: &str| {
            let text = text.replace("\r\n", "\n").replace(['\r', '\u{85}'], "\n");
            let text = if separators { text.replace(['\u{2028}', '\u{2029}'], "\n") } else { text };
            text.replace('\n', end)
        };
        match to {
            Eol::Keep => text.into(),
            Eol::Lf => to_all("\n"),
            Eol::Crlf => to_all("\r\n"),
            Eol::Cr => to_all("\r"),
            Eol::CrToLf => text.replace("\r\n", "\0").replace('\r', "\n").replace('\0', "\r\n"),
            Eol::CrlfToLf => text.replace("\r\n", "\n"),
            Eol::LfToCrlf => text.replace("\r\n", "\n").replace('\n', "\r\n"),
        }
    }

    #[test]
    fn any_cut_gives_the_same_line_ends() {
        let texts = [
            "",
            "\r",
            "\n",
            "\r\n",
            "a\r\r\nb\n\nc\r",
            "\u{A0D}\n\u{D0A}\r\n\u{D0D}",
            "\n\r\n\r\r\n",
            "\u{85}",
            "a\r\u{85}\n\u{85}\r\nb\u{85}\u{85}",
            "é\u{84}\u{86}\u{85}Â…\u{85}",
            "\u{2027}\u{2028}\u{2029}\u{202A}\r\u{2028}\n",
            "\u{2128}\u{2068}€\u{2029}\u{2028}",
            "\u{8585}\u{8500}\u{2820}\u{2920}\u{285}\r",
            "\x0B\x0C\r\x0B\n\x0C\u{85}",
        ];
        for encoding in [
            Encoding::UTF_8,
            Encoding::UTF_16BE,
            Encoding::UTF_16LE,
            Encoding::UTF_32BE,
            Encoding::UTF_32LE,
            Encoding::CESU_8,
        ] {
            let encode =
                |text: &str| Transcoder::new(Encoding::UTF_8, encoding).transcode(text.as_bytes()).unwrap();
            for text in texts {
                for (to, separators) in
                    ALL.map(|to| (to, false)).into_iter().chain(ALL[..3].iter().map(|&to| (to, true)))
                {
                    let src = encode(text);
                    let want = encode(&expected(text, to, separators));
                    let mut width = LineEnds::new(to, separators, encoding).unwrap().lf.len();
                    while width <= src.len().max(1) {
                        let mut ends = LineEnds::new(to, separators, encoding).unwrap();
                        let mut dst = Vec::new();
                        for piece in src.chunks(width) {
                            ends.convert(piece, &mut dst);
                        }
                        ends.finish(&mut dst);
                        assert_eq!(dst, want, "{text:?} to {to:?} in {encoding} by {width}");
                        width += ends.lf.len();
                    }
                }
            }
        }
    }

    /// Bytes that are not UTF-8 pass, also where they begin like a line end.
    #[test]
    fn ill_formed_bytes_stay() {
        for (src, want) in [
            (&b"\xC2"[..], &b"\xC2"[..]),
            (b"\xC2\r\n", b"\xC2\n"),
            (b"\xC2\xC2\x85a", b"\xC2\na"),
            (b"\xE2\x80", b"\xE2\x80"),
            (b"\xE2\x80\xE2\x80\xA8", b"\xE2\x80\n"),
            (b"\xE2\xC2\x85", b"\xE2\n"),
            (b"\r\xE2\x80\n", b"\n\xE2\x80\n"),
            (b"\r\x85\xA8", b"\n\x85\xA8"),
        ] {
            for width in 1..=src.len() {
                let mut ends = LineEnds::new(Eol::Lf, true, Encoding::UTF_8).unwrap();
                let mut dst = Vec::new();
                src.chunks(width).for_each(|piece| ends.convert(piece, &mut dst));
                ends.finish(&mut dst);
                assert_eq!(dst, want, "{} by {width}", src.escape_ascii());
            }
        }
    }

    #[test]
    fn text_is_needed_where_bytes_do_not_show_a_line_end() {
        for (from, to, needed) in [
            (Encoding::UTF_8, Encoding::UTF_8, false),
            (Encoding::IBM037, Encoding::UTF_16LE, false),
            (Encoding::UTF_8, Encoding::WINDOWS_1252, true),
            (Encoding::ISO_8859_1, Encoding::ISO_8859_1, true),
            (Encoding::UTF_8, Encoding::GB18030, true),
            (Encoding::WINDOWS_1251, Encoding::SHIFT_JIS, false),
        ] {
            assert_eq!(needs_text(from, to), needed, "{from} to {to}");
        }
    }
}
