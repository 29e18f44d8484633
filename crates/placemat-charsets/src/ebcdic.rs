//! The bytes 15 and 25 of the pages of EBCDIC, which end lines, and the pages in which the two are exchanged.
//!
//! IBM defines 15 as NEL (U+0085) and 25 as LF (U+000A). z/OS Unix and its C library exchange them, and so do ICU's converters
//! with the option `swaplfnl`; UTF-EBCDIC has LF at 15 by its definition. Each page with line ends at both bytes has a partner in
//! which each byte has the meaning of the other. The partners of 15 pages have tables of their own and are in the list of
//! encodings, with `-S390` in their names. The other partners are not in the list, so that it stays readable: the name of one is
//! the name of its page and `,swaplfnl`. [`exchanged`] makes them from their pages.

pub(crate) mod exchanged;

use self::exchanged::exchange;
use crate::encoding::Encoding;

/// ICU's name of the option that exchanges the two bytes.
pub(crate) const OPTION: &str = "swaplfnl";

/// A page of EBCDIC and its partner.
struct Pair {
    page: Encoding,
    /// The byte of LF in the page.
    lf: u8,
    /// The page in which the bytes 15 and 25 are exchanged.
    partner: Encoding,
}

/// Makes a list of pairs from pages and the rows of their partners. The numbers of the partners begin at `$first`.
macro_rules! pairs {
    ($list:ident from $first:literal, LF at $lf:literal: $($page:ident = $row:expr,)*) => {
        /// The place of each in the list.
        #[allow(non_camel_case_types, clippy::upper_case_acronyms, reason = "they are the names of constants")]
        #[derive(Clone, Copy)]
        enum Number {
            $($page),*
        }

        pub(super) const $list: &[super::Pair] = &[$(super::Pair {
            page: crate::encoding::Encoding::$page,
            lf: $lf,
            partner: crate::encoding::Encoding::new(const {
                &$row.descriptor($first + Number::$page as u16)
            }),
        }),*];
    };
}

mod forms {
    use super::exchanged::Exchanged;
    use crate::historic::utf_ebcdic::UtfEbcdic;
    use placemat_core::forms::descriptor::Row;

    pairs! { FORMS from 1300, LF at 0x15:
        UTF_EBCDIC = Row::of::<Exchanged<UtfEbcdic>>(),
    }
}

#[cfg(feature = "single-byte")]
mod single_byte {
    use super::{Encoding, Pair};
    use crate::single_byte::SingleByte;

    pairs! { SINGLE_BYTE from 1100, LF at 0x25:
        IBM038 = SingleByte::Ibm038.exchanged_row(),
        IBM256 = SingleByte::Ibm256.exchanged_row(),
        IBM273 = SingleByte::Ibm273.exchanged_row(),
        IBM274 = SingleByte::Ibm274.exchanged_row(),
        IBM275 = SingleByte::Ibm275.exchanged_row(),
        IBM277 = SingleByte::Ibm277.exchanged_row(),
        IBM278 = SingleByte::Ibm278.exchanged_row(),
        IBM280 = SingleByte::Ibm280.exchanged_row(),
        IBM281 = SingleByte::Ibm281.exchanged_row(),
        IBM284 = SingleByte::Ibm284.exchanged_row(),
        IBM285 = SingleByte::Ibm285.exchanged_row(),
        IBM290 = SingleByte::Ibm290.exchanged_row(),
        IBM297 = SingleByte::Ibm297.exchanged_row(),
        IBM420 = SingleByte::Ibm420.exchanged_row(),
        IBM423 = SingleByte::Ibm423.exchanged_row(),
        IBM424 = SingleByte::Ibm424.exchanged_row(),
        IBM500 = SingleByte::Ibm500.exchanged_row(),
        IBM803 = SingleByte::Ibm803.exchanged_row(),
        IBM833 = SingleByte::Ibm833.exchanged_row(),
        IBM838 = SingleByte::Ibm838.exchanged_row(),
        IBM870 = SingleByte::Ibm870.exchanged_row(),
        IBM871 = SingleByte::Ibm871.exchanged_row(),
        IBM875 = SingleByte::Ibm875.exchanged_row(),
        IBM880 = SingleByte::Ibm880.exchanged_row(),
        IBM905 = SingleByte::Ibm905.exchanged_row(),
        IBM918 = SingleByte::Ibm918.exchanged_row(),
        IBM1025 = SingleByte::Ibm1025.exchanged_row(),
        IBM1026 = SingleByte::Ibm1026.exchanged_row(),
        IBM1097 = SingleByte::Ibm1097.exchanged_row(),
        IBM1112 = SingleByte::Ibm1112.exchanged_row(),
        IBM1122 = SingleByte::Ibm1122.exchanged_row(),
        IBM1123 = SingleByte::Ibm1123.exchanged_row(),
        IBM1130 = SingleByte::Ibm1130.exchanged_row(),
        IBM1132 = SingleByte::Ibm1132.exchanged_row(),
        IBM1137 = SingleByte::Ibm1137.exchanged_row(),
        IBM1154 = SingleByte::Ibm1154.exchanged_row(),
        IBM1155 = SingleByte::Ibm1155.exchanged_row(),
        IBM1156 = SingleByte::Ibm1156.exchanged_row(),
        IBM1157 = SingleByte::Ibm1157.exchanged_row(),
        IBM1158 = SingleByte::Ibm1158.exchanged_row(),
        IBM1160 = SingleByte::Ibm1160.exchanged_row(),
        IBM1164 = SingleByte::Ibm1164.exchanged_row(),
        IBM1166 = SingleByte::Ibm1166.exchanged_row(),
        IBM4517 = SingleByte::Ibm4517.exchanged_row(),
        IBM4899 = SingleByte::Ibm4899.exchanged_row(),
        IBM4971 = SingleByte::Ibm4971.exchanged_row(),
        IBM5123 = SingleByte::Ibm5123.exchanged_row(),
        IBM8482 = SingleByte::Ibm8482.exchanged_row(),
        IBM9030 = SingleByte::Ibm9030.exchanged_row(),
        IBM9067 = SingleByte::Ibm9067.exchanged_row(),
        EBCDIC_AT_DE = SingleByte::EbcdicAtDe.exchanged_row(),
        EBCDIC_AT_DE_A = SingleByte::EbcdicAtDeA.exchanged_row(),
        EBCDIC_CA_FR = SingleByte::EbcdicCaFr.exchanged_row(),
        EBCDIC_DK_NO = SingleByte::EbcdicDkNo.exchanged_row(),
        EBCDIC_DK_NO_A = SingleByte::EbcdicDkNoA.exchanged_row(),
        EBCDIC_ES = SingleByte::EbcdicEs.exchanged_row(),
        EBCDIC_ES_A = SingleByte::EbcdicEsA.exchanged_row(),
        EBCDIC_ES_S = SingleByte::EbcdicEsS.exchanged_row(),
        EBCDIC_FI_SE = SingleByte::EbcdicFiSe.exchanged_row(),
        EBCDIC_FI_SE_A = SingleByte::EbcdicFiSeA.exchanged_row(),
        EBCDIC_FR = SingleByte::EbcdicFr.exchanged_row(),
        EBCDIC_IT = SingleByte::EbcdicIt.exchanged_row(),
        EBCDIC_PT = SingleByte::EbcdicPt.exchanged_row(),
        EBCDIC_UK = SingleByte::EbcdicUk.exchanged_row(),
        EBCDIC_US = SingleByte::EbcdicUs.exchanged_row(),
        EBCDIC_XML_US = SingleByte::EbcdicXmlUs.exchanged_row(),
    }

    /// The pages whose partners are in the list of encodings.
    pub(super) const IN_LIST: &[Pair] = &{
        const fn pair(page: Encoding, partner: Encoding) -> Pair {
            Pair { page, lf: 0x25, partner }
        }
        [
            pair(Encoding::IBM037, Encoding::IBM037_S390),
            pair(Encoding::IBM1047, Encoding::IBM1047_S390),
            pair(Encoding::IBM1140, Encoding::IBM1140_S390),
            pair(Encoding::IBM1141, Encoding::IBM1141_S390),
            pair(Encoding::IBM1142, Encoding::IBM1142_S390),
            pair(Encoding::IBM1143, Encoding::IBM1143_S390),
            pair(Encoding::IBM1144, Encoding::IBM1144_S390),
            pair(Encoding::IBM1145, Encoding::IBM1145_S390),
            pair(Encoding::IBM1146, Encoding::IBM1146_S390),
            pair(Encoding::IBM1147, Encoding::IBM1147_S390),
            pair(Encoding::IBM1148, Encoding::IBM1148_S390),
            pair(Encoding::IBM1149, Encoding::IBM1149_S390),
            pair(Encoding::IBM1153, Encoding::IBM1153_S390),
            pair(Encoding::IBM12712, Encoding::IBM12712_S390),
            pair(Encoding::IBM16804, Encoding::IBM16804_S390),
        ]
    };
}

#[cfg(feature = "cjk-extra")]
mod multi_byte {
    use crate::multi_byte::MultiByte;

    pairs! { MULTI_BYTE from 1200, LF at 0x25:
        IBM930 = MultiByte::Ibm930.exchanged_row(),
        IBM933 = MultiByte::Ibm933.exchanged_row(),
        IBM935 = MultiByte::Ibm935.exchanged_row(),
        IBM937 = MultiByte::Ibm937.exchanged_row(),
        IBM939 = MultiByte::Ibm939.exchanged_row(),
        IBM1364 = MultiByte::Ibm1364.exchanged_row(),
        IBM1371 = MultiByte::Ibm1371.exchanged_row(),
        IBM1388 = MultiByte::Ibm1388.exchanged_row(),
        IBM1390 = MultiByte::Ibm1390.exchanged_row(),
        IBM1399 = MultiByte::Ibm1399.exchanged_row(),
    }
}

/// All pairs.
const LISTS: &[&[Pair]] = &[
    forms::FORMS,
    #[cfg(feature = "single-byte")]
    single_byte::SINGLE_BYTE,
    #[cfg(feature = "single-byte")]
    single_byte::IN_LIST,
    #[cfg(feature = "cjk-extra")]
    multi_byte::MULTI_BYTE,
];

/// The line ends of EBCDIC.
impl Encoding {
    /// Returns the pair to which the encoding belongs.
    fn pair(self) -> Option<&'static Pair> {
        LISTS.iter().copied().flatten().find(|pair| pair.page == self || pair.partner == self)
    }

    /// Returns the page in which the bytes 15 and 25 are exchanged, for a page and for that page itself.
    pub(crate) fn exchanged(self) -> Option<Self> {
        self.pair().map(|pair| pair.partner)
    }

    /// Returns the byte of LF (U+000A) in a page of EBCDIC with line ends at the bytes 0x15 and 0x25: one of the two. The other
    /// byte is NEL (U+0085), the line end of most other systems with EBCDIC. Returns `None` for all other encodings.
    ///
    /// In `EBCDIC-XML-US`, both bytes are LF; the encoder writes the returned one.
    ///
    /// ```
    /// use placemat::Encoding;
    /// assert_eq!(Encoding::IBM1047.ebcdic_newline(), Some(0x25));
    /// assert_eq!(Encoding::IBM1047_S390.ebcdic_newline(), Some(0x15));
    /// assert_eq!(Encoding::UTF_8.ebcdic_newline(), None);
    /// ```
    #[must_use]
    pub fn ebcdic_newline(self) -> Option<u8> {
        let pair = self.pair()?;
        Some(if pair.page == self { pair.lf } else { exchange(pair.lf) })
    }

    /// Returns the page of EBCDIC that has LF (U+000A) at `byte`, 0x15 or 0x25, and is otherwise like this one. Returns `None` for
    /// another byte, and for encodings without [`ebcdic_newline`](Self::ebcdic_newline).
    ///
    /// A page that is not in [`ALL`](Self::ALL) has the name of its page and `,swaplfnl`, an option of ICU.
    /// [`for_label`](Self::for_label) knows that option after every label of a page.
    ///
    /// ```
    /// use placemat::{Encoding, ErrorPolicy};
    /// let page = Encoding::IBM500.with_ebcdic_newline(0x15).unwrap();
    /// assert_eq!(page.decode(b"\xC1\x15", ErrorPolicy::Stop)?, "A\n");
    /// assert_eq!(Encoding::IBM500.decode(b"\xC1\x15", ErrorPolicy::Stop)?, "A\u{85}");
    /// assert_eq!((page.name(), Encoding::for_label("cp500,swaplfnl")), ("IBM500,swaplfnl", Some(page)));
    /// assert_eq!(page.with_ebcdic_newline(0x25), Some(Encoding::IBM500));
    /// assert_eq!(Encoding::IBM1047.with_ebcdic_newline(0x15), Some(Encoding::IBM1047_S390));
    /// assert_eq!(Encoding::UTF_8.with_ebcdic_newline(0x15), None);
    /// # Ok::<(), placemat::ConvertError>(())
    /// ```
    #[must_use]
    pub fn with_ebcdic_newline(self, byte: u8) -> Option<Self> {
        let pair = self.pair()?;
        if byte == pair.lf {
            Some(pair.page)
        } else if byte == exchange(pair.lf) {
            Some(pair.partner)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn each_partner_has_a_number_and_a_name_of_its_own() {
        let mut known: BTreeSet<Encoding> = Encoding::ALL.iter().copied().collect();
        for pair in LISTS.iter().copied().flatten() {
            let (page, partner) = (pair.page, pair.partner);
            assert!(Encoding::ALL.contains(&page), "{page}");
            if Encoding::ALL.contains(&partner) {
                assert_eq!(partner.name(), format!("{page}-S390"));
                continue;
            }
            assert!(known.insert(partner), "{partner}");
            assert_eq!(partner.name(), format!("{page},{OPTION}"));
            assert!(partner.names().labels.iter().next().is_none(), "{partner}");
            assert_eq!(partner.names().about, page.names().about);
            assert_eq!(Encoding::for_label(partner.name()), Some(partner));
            for label in page.names().labels {
                assert_eq!(Encoding::for_label(&format!("{label}, SwapLFNL")), Some(partner), "{label}");
            }
        }
    }

    #[test]
    fn a_page_and_its_partner_lead_to_each_other() {
        for pair in LISTS.iter().copied().flatten() {
            for encoding in [pair.page, pair.partner] {
                let byte = encoding.ebcdic_newline().expect("a byte");
                assert_eq!(encoding.with_ebcdic_newline(byte), Some(encoding));
                assert_eq!(encoding.exchanged(), Some(pair.partner));
                let other = encoding.with_ebcdic_newline(exchange(byte)).expect("the other page");
                assert_ne!(other, encoding);
                assert_eq!(other.ebcdic_newline(), Some(exchange(byte)));
                for byte in (0..=0xFF).filter(|byte| ![0x15, 0x25].contains(byte)) {
                    assert_eq!(encoding.with_ebcdic_newline(byte), None, "{encoding} {byte:02x}");
                }
            }
        }
    }

    #[test]
    fn only_pages_with_both_line_ends_have_a_partner() {
        for &encoding in Encoding::ALL {
            let name = encoding.name();
            let is_known = encoding.ebcdic_newline().is_some();
            assert!(is_known || Encoding::for_label(&format!("{name},swaplfnl")).is_none(), "{name}");
            assert!(!is_known || name.starts_with("IBM") || name.contains("EBCDIC"), "{name}");
        }
        assert_eq!(Encoding::US_ASCII.ebcdic_newline(), None);
        for label in ["utf-ebcdic,swaplfnl,swaplfnl", "utf-ebcdic,locale=en", ",swaplfnl", "utf-8,swaplfnl"] {
            assert_eq!(Encoding::for_label(label), None, "{label}");
        }
    }
}
