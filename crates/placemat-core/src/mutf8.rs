//! Modified UTF-8 in its containers, which put a count before the string or a NUL after it. The form itself is
//! [`forms::ModifiedUtf8`](crate::forms::ModifiedUtf8); [`forms::JavaUtf`](crate::forms::JavaUtf) reads it as Java
//! does.
//!
//! ```
//! use placemat::{convert, mutf8::Framing, ErrorPolicy, UnmappablePolicy, forms::{JavaUtf, ModifiedUtf8}};
//! let payload = convert::encode::<ModifiedUtf8>("a\0", UnmappablePolicy::Stop).unwrap();
//! let mut bytes = Vec::new();
//! Framing::DataOutput.write(&payload, &mut bytes)?;
//! assert_eq!(bytes, b"\x00\x03a\xC0\x80");
//! bytes.extend(b"rest");
//! let (payload, rest) = Framing::DataOutput.split(&bytes)?;
//! assert_eq!(convert::decode::<JavaUtf>(payload, ErrorPolicy::Stop)?, "a\0");
//! assert_eq!(rest, b"rest");
//! // The count is greater than the number of bytes left.
//! assert!(Framing::DataOutput.split(b"\x00\x09a").is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::fmt;

/// The frames in which containers store a string of Modified UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Framing {
    /// `DataOutput.writeUTF` and `DataInput.readUTF`, and strings in object serialization (`TC_STRING`, after the tag):
    /// the number of bytes in 16 bits, big-endian.
    DataOutput,
    /// Long strings in object serialization (`TC_LONGSTRING`, after the tag): the number of bytes in 64 bits,
    /// big-endian.
    LongString,
    /// `CONSTANT_Utf8_info` of a class file: the tag 01, then the frame of [`DataOutput`](Self::DataOutput).
    ClassFile,
    /// JNI: a zero byte after the string.
    Jni,
    /// `string_data_item` of a dex file: the number of UTF-16 units in ULEB128 before the string, a zero byte after it.
    Dex,
}

/// The error of taking a string out of its frame, or of putting one into it.
///
/// ```
/// use placemat::mutf8::{Framing, FramingError};
/// assert_eq!(Framing::Jni.split(b"abc\0def"), Ok((&b"abc"[..], &b"def"[..])));
/// assert_eq!(Framing::Jni.split(b"abc"), Err(FramingError::Incomplete));
/// let mut bytes = Vec::new();
/// assert_eq!(Framing::Jni.write(b"a\0", &mut bytes), Err(FramingError::ZeroByte { offset: 1 }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FramingError {
    /// The bytes end before the string does.
    Incomplete,
    /// The string has more bytes than the count can express; Java's `UTFDataFormatException`.
    TooLong {
        /// The length of the string in bytes.
        len: usize,
    },
    /// A string that a zero byte ends contains another zero byte.
    ZeroByte {
        /// The offset of that byte in the string.
        offset: usize,
    },
    /// The tag is not the tag of a string.
    Tag {
        /// The byte that was found instead.
        found: u8,
    },
    /// The count differs from the number of UTF-16 units, or has more than 32 bits.
    Count,
}

impl fmt::Display for FramingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Incomplete => f.write_str("the bytes end before the string does"),
            Self::TooLong { len } => write!(f, "{len} bytes are more than the count can express"),
            Self::ZeroByte { offset } => write!(f, "zero byte at offset {offset} of the string"),
            Self::Tag { found } => write!(f, "tag 0x{found:02x} is not that of a string"),
            Self::Count => f.write_str("the count is not the number of UTF-16 units"),
        }
    }
}

impl core::error::Error for FramingError {}

#[cfg(feature = "std")]
crate::ground::io_error::into_io_error!(InvalidData: FramingError);

impl Framing {
    /// Takes the string at the start of `bytes` out of its frame. Returns the bytes of the string, unchecked, and the
    /// bytes after the frame.
    ///
    /// # Errors
    /// If the frame is not complete or contradicts itself.
    ///
    /// ```
    /// use placemat::mutf8::{Framing, FramingError};
    /// assert_eq!(Framing::ClassFile.split(b"\x01\x00\x02hi!"), Ok((&b"hi"[..], &b"!"[..])));
    /// assert_eq!(Framing::ClassFile.split(b"\x07\x00\x02"), Err(FramingError::Tag { found: 7 }));
    /// ```
    pub fn split(self, bytes: &[u8]) -> Result<(&[u8], &[u8]), FramingError> {
        match self {
            Self::DataOutput => {
                let (count, rest) = bytes.split_first_chunk().ok_or(FramingError::Incomplete)?;
                let len = usize::from(u16::from_be_bytes(*count));
                rest.split_at_checked(len).ok_or(FramingError::Incomplete)
            }
            Self::LongString => {
                let (count, rest) = bytes.split_first_chunk().ok_or(FramingError::Incomplete)?;
                let len = usize::try_from(u64::from_be_bytes(*count)).ok();
                len.and_then(|len| rest.split_at_checked(len)).ok_or(FramingError::Incomplete)
            }
            Self::ClassFile => match bytes.split_first().ok_or(FramingError::Incomplete)? {
                (0x01, rest) => Self::DataOutput.split(rest),
                (&found, _) => Err(FramingError::Tag { found }),
            },
            Self::Jni => {
                let len = bytes.iter().position(|&byte| byte == 0).ok_or(FramingError::Incomplete)?;
                let (payload, rest) = bytes.split_at_checked(len).ok_or(FramingError::Incomplete)?;
                Ok((payload, rest.get(1..).unwrap_or_default()))
            }
            Self::Dex => {
                let (count, rest) = uleb128(bytes)?;
                let (payload, rest) = Self::Jni.split(rest)?;
                if units(payload) == u64::from(count) {
                    Ok((payload, rest))
                } else {
                    Err(FramingError::Count)
                }
            }
        }
    }

    /// Appends a string in its frame.
    ///
    /// # Errors
    /// If the string is too long for the frame, or contains a zero byte. Then nothing is appended.
    ///
    /// ```
    /// use placemat::mutf8::{Framing, FramingError};
    /// let mut bytes = Vec::new();
    /// Framing::Dex.write(b"hi", &mut bytes)?;
    /// assert_eq!(bytes, b"\x02hi\0");
    /// assert_eq!(Framing::DataOutput.write(&[b'a'; 70_000], &mut bytes), Err(FramingError::TooLong { len: 70_000 }));
    /// # Ok::<(), FramingError>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn write(self, payload: &[u8], to: &mut Vec<u8>) -> Result<(), FramingError> {
        let len = payload.len();
        match self {
            Self::DataOutput | Self::ClassFile => {
                let count = u16::try_from(len).map_err(|_| FramingError::TooLong { len })?;
                if self == Self::ClassFile {
                    to.push(0x01);
                }
                to.extend_from_slice(&count.to_be_bytes());
            }
            Self::LongString => to.extend_from_slice(&(len as u64).to_be_bytes()),
            Self::Jni | Self::Dex => {
                if let Some(offset) = payload.iter().position(|&byte| byte == 0) {
                    return Err(FramingError::ZeroByte { offset });
                }
                if self == Self::Dex {
                    let mut count =
                        u32::try_from(units(payload)).map_err(|_| FramingError::TooLong { len })?;
                    while count >= 0x80 {
                        to.push(count.to_le_bytes()[0] | 0x80);
                        count >>= 7;
                    }
                    to.push(count.to_le_bytes()[0]);
                }
            }
        }
        to.extend_from_slice(payload);
        if matches!(self, Self::Jni | Self::Dex) {
            to.push(0);
        }
        Ok(())
    }
}

/// Returns the number of UTF-16 code units: each has one byte that is not a continuation byte.
fn units(payload: &[u8]) -> u64 {
    payload.iter().map(|&byte| u64::from(byte & 0xC0 != 0x80)).sum()
}

/// Reads a number of at most 32 bits, seven bits in each byte, the lowest first.
fn uleb128(bytes: &[u8]) -> Result<(u32, &[u8]), FramingError> {
    let mut value = 0_u64;
    for (i, &byte) in bytes.iter().enumerate().take(5) {
        value |= u64::from(byte & 0x7F) << (7 * i);
        if byte < 0x80 {
            let value = u32::try_from(value).map_err(|_| FramingError::Count)?;
            return Ok((value, bytes.get(i + 1..).unwrap_or_default()));
        }
    }
    Err(if bytes.len() < 5 { FramingError::Incomplete } else { FramingError::Count })
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;

    const ALL: [Framing; 5] =
        [Framing::DataOutput, Framing::LongString, Framing::ClassFile, Framing::Jni, Framing::Dex];

    #[test]
    fn strings_come_out_of_their_frames_as_they_went_in() {
        let long = "é".repeat(300);
        for payload in [&b""[..], b"a", b"\xC0\x80", b"\xED\xA0\xBD\xED\xB8\x80", long.as_bytes()] {
            for framing in ALL {
                let mut bytes = Vec::new();
                assert_eq!(framing.write(payload, &mut bytes), Ok(()), "{framing:?}");
                for end in 0..bytes.len() {
                    let cut = framing.split(&bytes[..end]);
                    assert_eq!(cut, Err(FramingError::Incomplete), "{framing:?} cut at {end}");
                }
                bytes.extend(b"\x00x");
                assert_eq!(framing.split(&bytes), Ok((payload, &b"\x00x"[..])), "{framing:?}");
            }
        }
    }

    #[test]
    fn the_bytes_of_each_frame() {
        let framed = |framing: Framing| {
            let mut bytes = Vec::new();
            assert_eq!(framing.write(b"\xED\xA0\xBD\xED\xB8\x80\xC3\xA9", &mut bytes), Ok(()));
            bytes
        };
        assert_eq!(framed(Framing::DataOutput), b"\x00\x08\xED\xA0\xBD\xED\xB8\x80\xC3\xA9");
        assert_eq!(framed(Framing::LongString), b"\0\0\0\0\0\0\0\x08\xED\xA0\xBD\xED\xB8\x80\xC3\xA9");
        assert_eq!(framed(Framing::ClassFile), b"\x01\x00\x08\xED\xA0\xBD\xED\xB8\x80\xC3\xA9");
        assert_eq!(framed(Framing::Jni), b"\xED\xA0\xBD\xED\xB8\x80\xC3\xA9\x00");
        assert_eq!(framed(Framing::Dex), b"\x03\xED\xA0\xBD\xED\xB8\x80\xC3\xA9\x00");
    }

    #[test]
    fn what_no_frame_holds() {
        let mut bytes = Vec::new();
        let long = [b'a'; 0x1_0000];
        for framing in [Framing::DataOutput, Framing::ClassFile] {
            let refused = framing.write(&long, &mut bytes);
            assert_eq!(refused, Err(FramingError::TooLong { len: 0x1_0000 }));
            assert_eq!(framing.write(&long[1..], &mut Vec::new()), Ok(()));
        }
        for framing in [Framing::Jni, Framing::Dex] {
            assert_eq!(framing.write(b"a\0b", &mut bytes), Err(FramingError::ZeroByte { offset: 1 }));
        }
        assert!(bytes.is_empty(), "nothing is appended");
        assert_eq!(Framing::ClassFile.split(b"\x02\0\0"), Err(FramingError::Tag { found: 2 }));
        assert_eq!(Framing::Dex.split(b"\x02a\0"), Err(FramingError::Count));
        assert_eq!(Framing::Dex.split(b"\x81\x82\x83\x84\x7F\0"), Err(FramingError::Count));
        assert_eq!(Framing::Dex.split(b"\x81\x82\x83\x84\x85\0"), Err(FramingError::Count));
        assert_eq!(Framing::LongString.split(&[0xFF; 20]), Err(FramingError::Incomplete));
    }
}
