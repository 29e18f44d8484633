//! Why a call of a decoder or an encoder ended.

/// Why a call ended that replaces errors.
#[must_use]
#[derive(Debug, PartialEq, Eq)]
pub enum CoderResult {
    /// All of the input was read. If it was the last, the text is complete.
    InputEmpty,
    /// The next character may not fit. Call again with the rest of the input and more room.
    OutputFull,
}

/// Why a call of a decoder ended that leaves errors to the caller.
#[must_use]
#[derive(Debug, PartialEq, Eq)]
pub enum DecoderResult {
    /// All of the input was read. If it was the last, the text is complete.
    InputEmpty,
    /// The next character may not fit. Call again with the rest of the input and more room.
    OutputFull,
    /// An ill-formed sequence was read: its length in bytes, which is 1 to 4, and how many bytes were read after it. Its first
    /// bytes may have been in an earlier piece.
    ///
    /// Give up, or write U+FFFD and call again with the rest of the input.
    Malformed(u8, u8),
}

/// Why a call of an encoder ended that leaves unmappable characters to the caller.
#[must_use]
#[derive(Debug, PartialEq, Eq)]
pub enum EncoderResult {
    /// All of the input was read. If it was the last, the output is complete.
    InputEmpty,
    /// The next character may not fit. Call again with the rest of the input and more room.
    OutputFull,
    /// A character was read that the encoding cannot represent.
    ///
    /// Give up, or write something in its place and call again with the rest of the input.
    Unmappable(char),
}
