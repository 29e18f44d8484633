//! The two bytes that end lines in EBCDIC, whose meanings some systems exchange.
//!
//! IBM defines 15 as NEL (U+0085) and 25 as LF (U+000A). z/OS Unix, its C library and ICU's converters with `swaplfnl` read
//! 15 as LF and 25 as NEL. A page of EBCDIC is one of the two; `--ebcdic-newline` exchanges the bytes where a text is from
//! the other system. Neither byte occurs within a sequence of several bytes.

use crate::line_ends::LineEnd;
use clap::ValueEnum;
use placemat::stream::Transcoder;
use placemat::{Encoding, ErrorPolicy};

/// The byte of NEL in the pages of IBM.
const AT_15: u8 = 0x15;
/// The byte of LF in the pages of IBM.
const AT_25: u8 = 0x25;

/// `--ebcdic-newline`: the byte of LF.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NewlineByte {
    /// The byte 15 is LF, and 25 is NEL, as in z/OS Unix and with swaplfnl in ICU
    #[value(name = "15")]
    At15,
    /// The byte 25 is LF, and 15 is NEL, as IBM defines them
    #[value(name = "25")]
    At25,
}

/// Returns `true` if the encoding is of the EBCDIC family: only there the byte 40 is a space.
pub(crate) fn is_ebcdic(encoding: Encoding) -> bool {
    encoding.decode(b"@", ErrorPolicy::Stop).is_ok_and(|text| text == " ")
}

/// Returns the line ends that the bytes 15 and 25 are in an encoding of the EBCDIC family; `None` for other encodings.
pub(crate) fn line_ends(encoding: Encoding) -> Option<[LineEnd; 2]> {
    let meaning = |byte: &[u8; 1]| {
        let text = encoding.decode(byte, ErrorPolicy::Stop).ok()?;
        LineEnd::of(&text)
    };
    Some([meaning(&[AT_15])?, meaning(&[AT_25])?]).filter(|_| is_ebcdic(encoding))
}

impl NewlineByte {
    const fn byte(self) -> u8 {
        match self {
            Self::At15 => AT_15,
            Self::At25 => AT_25,
        }
    }

    /// Returns `true` if the two bytes must be exchanged before text in `encoding` is read.
    pub(crate) fn exchanges_read(self, encoding: Encoding) -> bool {
        let [at_15, at_25] = line_ends(encoding).unwrap_or([LineEnd::Lf; 2]);
        let here = if self == Self::At15 { at_15 } else { at_25 };
        here != LineEnd::Lf
    }

    /// Returns `true` if the two bytes must be exchanged after text in `encoding` is written.
    pub(crate) fn exchanges_written(self, encoding: Encoding) -> bool {
        let written = Transcoder::new(Encoding::UTF_8, encoding).transcode(b"\n");
        line_ends(encoding).is_some() && written.is_ok_and(|bytes| *bytes != [self.byte()])
    }
}

/// Exchanges the two bytes.
pub(crate) fn exchange(bytes: &mut [u8]) {
    for byte in bytes {
        *byte = match *byte {
            AT_15 => AT_25,
            AT_25 => AT_15,
            other => other,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_ebcdic_are_told_from_those_of_dos() {
        for encoding in [Encoding::IBM037, Encoding::IBM930, Encoding::EBCDIC_US, Encoding::UTF_EBCDIC] {
            assert!(is_ebcdic(encoding), "{encoding}");
        }
        for encoding in
            [Encoding::IBM437, Encoding::IBM864, Encoding::IBM1133, Encoding::IBM943, Encoding::UTF_16BE]
        {
            assert!(!is_ebcdic(encoding), "{encoding}");
        }
    }

    #[test]
    fn only_ebcdic_has_bytes_to_exchange() {
        for byte in [NewlineByte::At15, NewlineByte::At25] {
            for encoding in [Encoding::UTF_8, Encoding::UTF_16, Encoding::IBM437, Encoding::ISO_8859_1] {
                assert!(!byte.exchanges_read(encoding) && !byte.exchanges_written(encoding), "{encoding}");
            }
            let of_ibm = byte == NewlineByte::At15;
            assert_eq!(byte.exchanges_read(Encoding::IBM1047), of_ibm);
            assert_eq!(byte.exchanges_written(Encoding::IBM1047), of_ibm);
            assert_eq!(byte.exchanges_read(Encoding::IBM1047_S390), !of_ibm);
        }
    }
}
