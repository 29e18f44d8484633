//! The two bytes that end lines in EBCDIC: `--ebcdic-newline`, and how a page reads them.
//!
//! IBM defines 15 as NEL (U+0085) and 25 as LF (U+000A). z/OS Unix, its C library and ICU's converters with `swaplfnl` read
//! 15 as LF and 25 as NEL. The library has both for each page; the option chooses between them for all pages that a command
//! reads or writes.

use crate::line_ends::LineEnd;
use clap::ValueEnum;
use placemat::detect::Detection;
use placemat::{Encoding, ErrorPolicy};

/// `--ebcdic-newline`, for commands that read text in any encoding.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
#[group(skip)]
pub(crate) struct EbcdicNewline {
    /// In EBCDIC, the byte of LF is `15` or `25`, and the other is NEL
    ///
    /// The default is the byte that `placemat encodings NAME` shows for each page: mostly 25, and 15 for pages of z/OS Unix. The option
    /// applies to all pages of EBCDIC that the command reads or writes, whether they are named, declared or detected. For one
    /// page, ICU's option after its name does the same: `ibm500,swaplfnl`.
    #[arg(long, value_enum, value_name = "BYTE", help_heading = "Input")]
    ebcdic_newline: Option<NewlineByte>,
}

/// The byte of LF.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum NewlineByte {
    /// The byte 15 is LF, and 25 is NEL, as in z/OS Unix and with swaplfnl in ICU
    #[value(name = "15")]
    At15,
    /// The byte 25 is LF, and 15 is NEL, as IBM defines them
    #[value(name = "25")]
    At25,
}

impl NewlineByte {
    const fn byte(self) -> u8 {
        match self {
            Self::At15 => 0x15,
            Self::At25 => 0x25,
        }
    }
}

impl EbcdicNewline {
    /// Returns the page of EBCDIC with LF at the byte that the option names. Other encodings stay, and so do all without the
    /// option.
    pub(crate) fn of(self, encoding: Encoding) -> Encoding {
        let page = self.ebcdic_newline.and_then(|byte| encoding.with_ebcdic_newline(byte.byte()));
        page.unwrap_or(encoding)
    }

    /// Returns a result of detection with the pages that the option names.
    pub(crate) fn of_all(self, mut found: Detection) -> Detection {
        found.encoding = found.encoding.map(|encoding| self.of(encoding));
        for candidate in &mut found.candidates {
            candidate.encoding = self.of(candidate.encoding);
        }
        if let Some(declared) = &mut found.declared {
            declared.encoding = declared.encoding.map(|encoding| self.of(encoding));
        }
        found
    }

    /// Returns an error if the option has nothing to choose: all encodings are known, which `None` is not, and none is a page
    /// with both line ends.
    pub(crate) fn check(
        self,
        encodings: impl IntoIterator<Item = Option<Encoding>>,
    ) -> Result<(), &'static str> {
        let may_be = |encoding: Option<Encoding>| encoding.is_none_or(|one| one.ebcdic_newline().is_some());
        if self.ebcdic_newline.is_none() || encodings.into_iter().any(may_be) {
            return Ok(());
        }
        Err(
            "--ebcdic-newline is for EBCDIC: none of the encodings is a page of it with line ends at 15 and 25",
        )
    }
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
    Some([meaning(b"\x15")?, meaning(b"\x25")?]).filter(|_| is_ebcdic(encoding))
}

/// Returns `true` if the encodings are the same, or pages of EBCDIC that differ in LF and NEL alone.
pub(crate) fn is_same_page(one: Encoding, other: Encoding) -> bool {
    one == other || other.ebcdic_newline().is_some_and(|byte| one.with_ebcdic_newline(byte) == Some(other))
}

/// Returns the encoding without ICU's option `swaplfnl` in its name: programs that read names of encodings in texts do not
/// know it.
pub(crate) fn without_option(encoding: Encoding) -> Encoding {
    encoding.name().split_once(',').and_then(|(page, _)| Encoding::for_label(page)).unwrap_or(encoding)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn option(byte: NewlineByte) -> EbcdicNewline {
        EbcdicNewline { ebcdic_newline: Some(byte) }
    }

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

    /// The library knows the pages by a list, the command by what they read.
    #[test]
    fn the_pages_with_line_ends_at_both_bytes_are_those_that_the_library_lists() {
        for &encoding in Encoding::ALL {
            assert_eq!(line_ends(encoding).is_some(), encoding.ebcdic_newline().is_some(), "{encoding}");
        }
    }

    #[test]
    fn only_ebcdic_has_bytes_to_choose() {
        for byte in [NewlineByte::At15, NewlineByte::At25] {
            let option = option(byte);
            for encoding in [Encoding::UTF_8, Encoding::UTF_16, Encoding::IBM437, Encoding::ISO_8859_1] {
                assert_eq!(option.of(encoding), encoding);
                assert!(option.check([Some(encoding)]).is_err(), "{encoding}");
                assert!(option.check([Some(encoding), None]).is_ok(), "{encoding}");
                assert!(EbcdicNewline::default().check([Some(encoding)]).is_ok(), "{encoding}");
            }
            assert!(option.check([Some(Encoding::UTF_8), Some(Encoding::IBM500)]).is_ok());
            for encoding in [Encoding::IBM1047, Encoding::IBM1047_S390] {
                let at_15 = byte == NewlineByte::At15;
                assert_eq!(option.of(encoding) == Encoding::IBM1047_S390, at_15, "{encoding}");
                assert_eq!(EbcdicNewline::default().of(encoding), encoding);
            }
        }
    }

    #[test]
    fn pages_that_differ_in_line_ends_alone_are_the_same_page() {
        let of = option(NewlineByte::At15).of(Encoding::IBM500);
        assert_ne!(of, Encoding::IBM500);
        assert_eq!(
            (without_option(of), without_option(Encoding::IBM500)),
            (Encoding::IBM500, Encoding::IBM500)
        );
        assert_eq!(without_option(Encoding::IBM1047_S390), Encoding::IBM1047_S390);
        assert!(
            is_same_page(of, Encoding::IBM500) && is_same_page(Encoding::IBM500, of) && is_same_page(of, of)
        );
        assert!(is_same_page(Encoding::IBM1047, Encoding::IBM1047_S390));
        assert!(!is_same_page(of, Encoding::IBM1047) && !is_same_page(Encoding::UTF_8, Encoding::IBM500));
    }
}
