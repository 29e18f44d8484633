//! The stateless multi-byte encodings of the web: GBK, gb18030, Big5, EUC-JP, `Shift_JIS`, EUC-KR; and `replacement`.
//!
//! WHATWG Encoding Standard, sections 10 to 14. ISO-2022-JP, which is stateful, is in `iso_2022_jp.rs`.
//!
//! | | UTF-8 | these encodings |
//! | --- | --- | --- |
//! | lead and continuation bytes | disjoint | overlap: the meaning of a byte depends on all bytes before it |
//! | bytes 00..7F | always ASCII | also trail bytes, except in EUC-JP |
//! | code points | all scalar values | those of a table; gb18030 all |
//! | one sequence | one code point | four sequences of Big5 are two |
//! | ill-formed | maximal subpart | maximal subpart; an error includes a trail byte unless that is ASCII |
//!
//! On the web these names mean the encodings of Windows: `Shift_JIS` is windows-31j, EUC-KR is the Unified Hangul
//! Code, Big5 has the decoder of Big5-HKSCS, `gb2312` is GBK. Programs that follow the letter of the standards (iconv,
//! Python, Java, ICU) differ in some tens of symbols each (wave dash, middle dot, yen sign), and refuse later
//! additions. The encoder of Big5 does not write the Hong Kong characters, which the decoder reads.
//!
//! gb18030 is the edition of 2022 as the web defines it. The encoder still writes the private-use code points that became
//! characters, and the decoder reads their codes as the characters; the encoder does not write U+E5E5.

pub(crate) mod bulk;
pub(crate) mod codes;
mod encodings;

use self::bulk::units;
pub(crate) use self::encodings::Legacy;
use crate::grid::Cell;
use placemat_core::forms::descriptor::{Carried, Row, Words};
use placemat_core::forms::form::{AsciiBytes, Bulk, EncodeStep, Facts, Form, Names, Repertoire, Step};
use placemat_core::forms::names::labels;
use placemat_core::ground::code_point::CodePoint;
use placemat_core::ground::error::{IllFormedKind, UnmappableKind};
use placemat_core::ground::policy::CodePoints;

/// The form that all legacy encodings share.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LegacyForm;

/// The encoding of a text, and the state of the replacement encoding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct LegacyState {
    encoding: Legacy,
    /// Replacement encoding: whether the one error has been reported.
    over: bool,
}

impl Carried for LegacyState {
    const START: Words = Words::new([]);
    #[inline]
    fn take(member: u16, words: &Words) -> Self {
        Self { encoding: Legacy::of(member), over: words.0[0] != 0 }
    }
    #[inline]
    fn put(self, words: &mut Words) {
        words.0[0] = self.over.into();
    }
}

impl Legacy {
    pub(super) const ALL: [Self; 7] =
        [Self::Gbk, Self::Gb18030, Self::Big5, Self::EucJp, Self::ShiftJis, Self::EucKr, Self::Replacement];

    /// Returns the member with a number.
    #[inline(always)]
    pub(crate) fn of(member: u16) -> Self {
        Self::ALL[usize::from(member)]
    }

    const fn names(self) -> Names {
        match self {
            Self::Gbk => GBK,
            Self::Gb18030 => GB18030,
            Self::Big5 => BIG5,
            Self::EucJp => EUC_JP,
            Self::ShiftJis => SHIFT_JIS,
            Self::EucKr => EUC_KR,
            Self::Replacement => REPLACEMENT,
        }
    }

    pub(crate) const fn row(self) -> Row {
        const NOT_REPLACED: Facts = Facts {
            ascii: AsciiBytes::InSequences,
            takes_escapes: true,
            one_to_one: false,
            ascii_but: Some(&[]),
            functions: Some(&bulk::FUNCTIONS),
            ..LegacyForm::FACTS
        };
        // The other tables do not have U+FEFF.
        const GB18030: Facts =
            Facts { repertoire: Repertoire::Scalar, signature: &[0x84, 0x31, 0x95, 0x33], ..NOT_REPLACED };
        let facts = match self {
            Self::Replacement => const { &LegacyForm::FACTS.stateful() },
            Self::Gb18030 => &GB18030,
            Self::EucJp => const { &NOT_REPLACED.ascii_compatible() },
            Self::EucKr => const { &Facts { one_to_one: true, ..NOT_REPLACED } },
            _ => &NOT_REPLACED,
        };
        Row::member::<LegacyForm>(self as u16, self.names(), facts)
    }
}

impl Form for LegacyForm {
    type Unit = u8;
    type State = LegacyState;

    const NAMES: Names = GBK;
    const FACTS: Facts =
        Facts { max_code_points: 2, self_synchronizing: false, ..Facts::new(Repertoire::Tables, 4) };

    fn names(member: u16) -> Names {
        Legacy::of(member).names()
    }

    #[inline]
    fn bulk(state: &LegacyState) -> Bulk {
        let functions = if state.encoding == Legacy::Replacement { None } else { Some(&bulk::FUNCTIONS) };
        Bulk::of(functions, state.encoding as u16)
    }

    #[inline]
    fn decode_step(state: &mut LegacyState, src: &[u8]) -> Step {
        if state.encoding == Legacy::Replacement {
            if state.over {
                return Step::Shift { len: src.len() };
            }
            state.over = true;
            return Step::IllFormed { len: 1, seen: 1, kind: IllFormedKind::Undefined };
        }
        state.encoding.step(src)
    }

    #[inline]
    fn decode_several(state: &LegacyState, src: &[u8]) -> CodePoints {
        match src.first_chunk().and_then(|&two| state.encoding.pair(two)) {
            Some(Cell::Two(first, second)) => CodePoints::new([first, second]).unwrap_or_default(),
            _ => CodePoints::default(),
        }
    }

    #[inline]
    fn encode_step(state: &mut LegacyState, c: CodePoint, dst: &mut [u8]) -> EncodeStep {
        let Some(c) = c.to_char().filter(|_| state.encoding != Legacy::Replacement) else {
            return EncodeStep::Unmappable(UnmappableKind::NotInRepertoire);
        };
        if c.is_ascii() {
            let Some(to) = dst.first_mut() else { return EncodeStep::NoRoom };
            *to = c as u8;
            return EncodeStep::Written(1);
        }
        let Some((units, len)) = units(state.encoding, c) else {
            return EncodeStep::Unmappable(UnmappableKind::NotInRepertoire);
        };
        let Some(dst) = dst.get_mut(..len) else { return EncodeStep::NoRoom };
        dst.copy_from_slice(&units[..len]);
        EncodeStep::Written(len)
    }
}

const GBK: Names = Names {
    name: "GBK",
    labels: labels![
        "gb2312",
        "gb_2312",
        "gb_2312-80",
        "csgb2312",
        "csiso58gb231280",
        "chinese",
        "iso-ir-58",
        "x-gbk",
        "cp936",
        "936",
        "ms936",
        "windows-936",
        "csgbk",
        "euc-cn",
        "euccn",
        "x-euc-cn",
    ],
    web_labels: labels![
        "chinese",
        "csgb2312",
        "csiso58gb231280",
        "gb2312",
        "gb_2312",
        "gb_2312-80",
        "gbk",
        "iso-ir-58",
        "x-gbk",
    ],
    about: "Simplified Chinese in one or two bytes: GB 2312 and the other ideographs of Unicode 1.1.",
    specified_in: "WHATWG Encoding Standard section 10.1; GB 13000.1 annex",
};
const GB18030: Names = Names {
    name: "GB18030",
    labels: labels![
        "csgb18030",
        "gb18030-2000",
        "gb18030-2005",
        "gb18030-2022",
        "cp54936",
        "54936",
        "windows-54936",
        "ibm1392",
    ],
    web_labels: labels!["gb18030"],
    about: "All of Unicode in one, two or four bytes; one and two as in GBK.",
    specified_in: "WHATWG Encoding Standard section 10.2; GB 18030-2022",
};
const BIG5: Names = Names {
    name: "Big5",
    labels: labels![
        "cn-big5",
        "csbig5",
        "x-x-big5",
        "big5-tw",
        "bigfive",
        "big-five",
        "cp950",
        "950",
        "ms950",
        "windows-950",
        "x-windows-950",
    ],
    web_labels: labels!["big5", "big5-hkscs", "cn-big5", "csbig5", "x-x-big5"],
    about: "Traditional Chinese in one or two bytes, as Windows writes it; the decoder also reads the Hong Kong characters.",
    specified_in: "WHATWG Encoding Standard section 11.1",
};
const EUC_JP: Names = Names {
    name: "EUC-JP",
    labels: labels![
        "cseucpkdfmtjapanese",
        "x-euc-jp",
        "extended_unix_code_packed_format_for_japanese",
        "eucjp",
        "ujis",
        "u-jis",
        "cp51932",
        "51932",
        "windows-51932",
    ],
    web_labels: labels!["cseucpkdfmtjapanese", "euc-jp", "x-euc-jp"],
    about: "Japanese in one to three bytes: ASCII, half-width katakana, JIS X 0208; the decoder also reads JIS X 0212.",
    specified_in: "WHATWG Encoding Standard section 12.1",
};
const SHIFT_JIS: Names = Names {
    name: "Shift_JIS",
    labels: labels![
        "csshiftjis",
        "ms932",
        "ms_kanji",
        "sjis",
        "windows-31j",
        "x-sjis",
        "cswindows31j",
        "cp932",
        "932",
        "windows-932",
        "x-ms-cp932",
    ],
    web_labels: labels![
        "csshiftjis",
        "ms932",
        "ms_kanji",
        "shift-jis",
        "shift_jis",
        "sjis",
        "windows-31j",
        "x-sjis",
    ],
    about: "Japanese in one or two bytes, as Windows writes it: JIS X 0208 with the additions of NEC and IBM.",
    specified_in: "WHATWG Encoding Standard section 12.3",
};
const EUC_KR: Names = Names {
    name: "EUC-KR",
    labels: labels![
        "cseuckr",
        "csksc56011987",
        "iso-ir-149",
        "korean",
        "ks_c_5601-1987",
        "ks_c_5601-1989",
        "ksc5601",
        "ksc_5601",
        "windows-949",
        "cp949",
        "949",
        "ms949",
        "x-windows-949",
        "uhc",
        "euckr",
        "cp51949",
        "51949",
        "5601",
    ],
    web_labels: labels![
        "cseuckr",
        "csksc56011987",
        "euc-kr",
        "iso-ir-149",
        "korean",
        "ks_c_5601-1987",
        "ks_c_5601-1989",
        "ksc5601",
        "ksc_5601",
        "windows-949",
    ],
    about: "Korean in one or two bytes, as Windows writes it: KS X 1001 and all other syllables of Hangul.",
    specified_in: "WHATWG Encoding Standard section 13.1",
};
const REPLACEMENT: Names = Names {
    name: "replacement",
    labels: labels![],
    web_labels: labels![
        "csiso2022kr",
        "hz-gb-2312",
        "iso-2022-cn",
        "iso-2022-cn-ext",
        "iso-2022-kr",
        "replacement",
    ],
    about: "Replaces encodings that the web must not read: a text that is not empty is one error. It has no encoder.",
    specified_in: "WHATWG Encoding Standard section 14.1",
};
