//! The stateless multi-byte encodings of the web.

/// A stateless multi-byte encoding of the web.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub(crate) enum Legacy {
    /// GBK.
    #[default]
    Gbk,
    /// gb18030.
    Gb18030,
    /// Big5; the decoder also reads the Hong Kong characters.
    Big5,
    /// EUC-JP; the decoder also reads JIS X 0212.
    EucJp,
    /// `Shift_JIS` of Windows, code page 932.
    ShiftJis,
    /// EUC-KR of Windows, the Unified Hangul Code, code page 949.
    EucKr,
    /// The web's stand-in for encodings that are dangerous to read: the whole text is one error.
    Replacement,
}

#[cfg(test)]
impl Legacy {
    /// Returns the encoding as `encoding_rs` names it.
    pub(crate) fn peer(self) -> &'static encoding_rs::Encoding {
        match self {
            Self::Gbk => encoding_rs::GBK,
            Self::Gb18030 => encoding_rs::GB18030,
            Self::Big5 => encoding_rs::BIG5,
            Self::EucJp => encoding_rs::EUC_JP,
            Self::ShiftJis => encoding_rs::SHIFT_JIS,
            Self::EucKr => encoding_rs::EUC_KR,
            Self::Replacement => encoding_rs::REPLACEMENT,
        }
    }
}
