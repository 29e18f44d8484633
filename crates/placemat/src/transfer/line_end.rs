//! Line ends of encoded text.

/// The line ends that an [`Encoder`](super::Encoder) writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LineEnd {
    /// U+000A.
    Lf,
    /// U+000D U+000A.
    CrLf,
}

impl LineEnd {
    pub(super) const fn bytes(self) -> &'static [u8] {
        match self {
            Self::Lf => b"\n",
            Self::CrLf => b"\r\n",
        }
    }
}
