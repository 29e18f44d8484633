//! The multi-byte encodings that the web does not read, or reads otherwise.

use placemat_core::forms::form::AsciiBytes;

/// A multi-byte encoding that the web does not read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub(crate) enum MultiByte {
    /// ISO-2022-KR: KS X 1001 in seven bits.
    #[default]
    Iso2022Kr,
    /// ISO-2022-CN: GB 2312 and two planes of CNS 11643 in seven bits.
    Iso2022Cn,
    /// HZ: GB 2312 in seven bits, between `~{` and `~}`.
    Hz,
    /// Johab: each letter of a Hangul syllable has its own bits.
    Johab,
    /// Big5 with the Hong Kong Supplementary Character Set.
    Big5Hkscs,
    /// EUC-TW: CNS 11643.
    EucTw,
    /// `Shift_JIS-2004`: JIS X 0213.
    ShiftJis2004,
    /// EUC-JIS-2004: JIS X 0213.
    EucJis2004,
    /// ISO-2022-CN-EXT: ISO-2022-CN with ISO-IR-165, and planes 3 to 7 of CNS 11643.
    Iso2022CnExt,
    /// ISO-2022-JP-1: JIS X 0208 and JIS X 0212 in seven bits.
    Iso2022Jp1,
    /// ISO-2022-JP-2: sets of Japanese, Chinese, Korean, Latin and Greek in seven bits.
    Iso2022Jp2,
    /// ISO-2022-JP-3: JIS X 0213 in seven bits.
    Iso2022Jp3,
    /// ISO-2022-JP-2004: JIS X 0213 of 2004 in seven bits.
    Iso2022Jp2004,
    /// ISO-2022-JP-EXT: ISO-2022-JP-1 with half-width katakana.
    Iso2022JpExt,
    /// `Shift_JIS` of IBM.
    Ibm943,
    /// EBCDIC with katakana, and Japanese.
    Ibm930,
    /// EBCDIC and Korean.
    Ibm933,
    /// EBCDIC and simplified Chinese.
    Ibm935,
    /// EBCDIC and traditional Chinese.
    Ibm937,
    /// EBCDIC with small letters, and Japanese.
    Ibm939,
    /// IBM933 with all syllables of Hangul.
    Ibm1364,
    /// IBM937 with the euro sign.
    Ibm1371,
    /// IBM935 with the characters of GB 18030.
    Ibm1388,
    /// IBM930 with the euro sign and JIS X 0213.
    Ibm1390,
    /// IBM939 with the euro sign and JIS X 0213.
    Ibm1399,
    /// EUC-CN: GB 2312, without what Windows added.
    EucCnStrict,
    /// EUC-KR: KS X 1001, without what Windows added.
    EucKrStrict,
    /// EUC-JP: JIS X 0208 and JIS X 0212, without what Windows added.
    EucJpStrict,
    /// `Shift_JIS`: JIS X 0201 and JIS X 0208, without what Windows added.
    ShiftJisStrict,
    /// GBK 1.0, without what Windows and the web added.
    GbkStrict,
    /// Big5 with the additions of ETEN, without those of Hong Kong.
    Big5Strict,
    /// Code page 932 with its user-defined characters, which the web does not write.
    Cp932Strict,
    /// ISO-2022-JP: the sets of RFC 1468.
    Iso2022JpStrict,
    /// Big5 with Japanese and simplified Chinese, of bulletin boards in Taiwan.
    Big5Uao,
    /// Big5 with the extensions of ETEN.
    Big5Eten,
}

impl MultiByte {
    /// All multi-byte encodings, in the order in which users see them.
    pub(crate) const ALL: [Self; 35] = [
        Self::Iso2022Kr,
        Self::Iso2022Cn,
        Self::Hz,
        Self::Johab,
        Self::Big5Hkscs,
        Self::EucTw,
        Self::ShiftJis2004,
        Self::EucJis2004,
        Self::Iso2022CnExt,
        Self::Iso2022Jp1,
        Self::Iso2022Jp2,
        Self::Iso2022Jp3,
        Self::Iso2022Jp2004,
        Self::Iso2022JpExt,
        Self::Ibm943,
        Self::Ibm930,
        Self::Ibm933,
        Self::Ibm935,
        Self::Ibm937,
        Self::Ibm939,
        Self::Ibm1364,
        Self::Ibm1371,
        Self::Ibm1388,
        Self::Ibm1390,
        Self::Ibm1399,
        Self::EucCnStrict,
        Self::EucKrStrict,
        Self::EucJpStrict,
        Self::ShiftJisStrict,
        Self::GbkStrict,
        Self::Big5Strict,
        Self::Cp932Strict,
        Self::Iso2022JpStrict,
        Self::Big5Uao,
        Self::Big5Eten,
    ];

    /// Returns `true` if the encoding has the structure of Big5.
    #[inline]
    pub(super) const fn is_big5(self) -> bool {
        matches!(self, Self::Big5Hkscs | Self::Big5Strict | Self::Big5Uao | Self::Big5Eten)
    }

    /// Returns `true` if the bytes 00..7F always and only mean ASCII.
    pub(super) const fn is_ascii_compatible(self) -> bool {
        matches!(
            self,
            Self::EucTw | Self::EucJis2004 | Self::EucCnStrict | Self::EucKrStrict | Self::EucJpStrict
        )
    }

    /// Returns the meaning of the bytes 00..7F.
    pub(super) const fn ascii_bytes(self) -> AsciiBytes {
        match self {
            _ if self.is_ascii_compatible() => AsciiBytes::Always,
            _ if !self.switches() => AsciiBytes::InSequences,
            Self::Iso2022Kr | Self::Iso2022Cn | Self::Iso2022CnExt | Self::Hz => AsciiBytes::Shifted,
            _ if self.is_japanese() => AsciiBytes::Shifted,
            // EBCDIC.
            _ => AsciiBytes::Never,
        }
    }

    /// Returns `true` if text that is read is written as the same bytes again.
    pub(super) const fn is_one_to_one(self) -> bool {
        matches!(
            self,
            Self::Johab
                | Self::EucCnStrict
                | Self::EucKrStrict
                | Self::EucJpStrict
                | Self::ShiftJisStrict
                | Self::GbkStrict
        )
    }

    /// Returns `true` if some letters wait for the mark that follows: the two are one code.
    pub(super) const fn holds_back(self) -> bool {
        matches!(
            self,
            Self::Big5Hkscs | Self::ShiftJis2004 | Self::EucJis2004 | Self::Iso2022Jp3 | Self::Iso2022Jp2004
        )
    }

    /// Returns `true` if bytes switch between sets.
    #[inline]
    pub(super) const fn switches(self) -> bool {
        !matches!(
            self,
            Self::Johab
                | Self::Big5Hkscs
                | Self::EucTw
                | Self::ShiftJis2004
                | Self::EucJis2004
                | Self::Ibm943
                | Self::EucCnStrict
                | Self::EucKrStrict
                | Self::EucJpStrict
                | Self::ShiftJisStrict
                | Self::GbkStrict
                | Self::Big5Strict
                | Self::Big5Uao
                | Self::Big5Eten
                | Self::Cp932Strict
        )
    }

    /// Returns `true` if the encoding has tables for kernels: it does not switch, and no letter and mark are one
    /// code.
    #[inline]
    pub(super) const fn has_tables(self) -> bool {
        matches!(
            self,
            Self::Johab
                | Self::Ibm943
                | Self::EucCnStrict
                | Self::EucKrStrict
                | Self::EucJpStrict
                | Self::ShiftJisStrict
                | Self::GbkStrict
                | Self::Big5Strict
                | Self::Big5Uao
                | Self::Big5Eten
                | Self::Cp932Strict
        )
    }

    /// Returns the bytes below 80 that are not ASCII at the start of a text, if the others are, and ASCII is
    /// written so.
    pub(crate) const fn ascii_but(self) -> Option<&'static [u8]> {
        match self {
            Self::Johab
            | Self::Ibm943
            | Self::Big5Hkscs
            | Self::EucTw
            | Self::EucJis2004
            | Self::EucCnStrict
            | Self::EucKrStrict
            | Self::EucJpStrict
            | Self::GbkStrict
            | Self::Big5Strict
            | Self::Big5Uao
            | Self::Big5Eten
            | Self::Cp932Strict => Some(&[]),
            Self::ShiftJisStrict | Self::ShiftJis2004 => Some(br"\~"),
            // SO, SI and ESC shift.
            _ if self.is_japanese() => Some(b"\x0E\x0F\x1B"),
            _ => None,
        }
    }

    /// Returns `true` if the encoding is a relative of ISO-2022-JP.
    #[inline]
    pub(super) const fn is_japanese(self) -> bool {
        matches!(
            self,
            Self::Iso2022Jp1
                | Self::Iso2022Jp2
                | Self::Iso2022Jp3
                | Self::Iso2022Jp2004
                | Self::Iso2022JpExt
                | Self::Iso2022JpStrict
        )
    }
}
