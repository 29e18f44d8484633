//! How far rows can be taken together: what the kernels need to know of an encoding.

use placemat::{Encoding, ErrorPolicy, IllFormed, stream::Status, stream::Transcoder, utf8};

/// How an encoding divides bytes into code points.
pub(crate) enum Scheme {
    /// UTF-8: rows can be read together, if none begins with a continuation byte.
    Utf8,
    /// One byte is one code point, whatever stands beside it.
    SingleByte(Lengths),
    /// Anything else. A row is read by itself: it can end within a sequence or after a shift.
    Other,
}

impl Scheme {
    pub(crate) fn of(encoding: Encoding) -> Self {
        if encoding == Encoding::UTF_8 {
            return Self::Utf8;
        }
        Lengths::of(encoding).map_or(Self::Other, Self::SingleByte)
    }
}

/// The length in UTF-8 of each byte of a single-byte encoding; 0 if the byte is undefined.
pub(crate) struct Lengths(Box<[u8; 256]>);

impl Lengths {
    fn of(encoding: Encoding) -> Option<Self> {
        if encoding.max_bytes() != 1 {
            return None;
        }
        let mut lengths = Box::new([0; 256]);
        for (byte, length) in (0..=u8::MAX).zip(&mut *lengths) {
            let byte = [byte];
            if let Ok(text) = encoding.decode(&byte, ErrorPolicy::Stop) {
                let mut chars = text.chars();
                *length = match (chars.next(), chars.next()) {
                    (Some(c), None) => u8::try_from(c.len_utf8()).ok()?,
                    _ => return None,
                };
            }
        }
        Some(Self(lengths))
    }

    pub(crate) fn has_undefined(&self) -> bool {
        self.0.contains(&0)
    }

    /// Returns the length of `row` in UTF-8.
    pub(crate) fn of_row(&self, row: &[u8]) -> usize {
        let of = |byte: u8| usize::from(self.0[usize::from(byte)]);
        let (blocks, rest) = row.as_chunks::<8>();
        // Four sums at a time: one would wait for each addition.
        let mut sums = [0; 4];
        for &[a, b, c, d, e, f, g, h] in blocks {
            sums[0] += of(a) + of(e);
            sums[1] += of(b) + of(f);
            sums[2] += of(c) + of(g);
            sums[3] += of(d) + of(h);
        }
        sums.into_iter().chain(rest.iter().map(|&byte| of(byte))).sum()
    }
}

/// Returns the first error of a text by itself.
pub(crate) fn error_in(encoding: Encoding, row: &[u8]) -> Option<IllFormed> {
    if encoding == Encoding::UTF_8 {
        return utf8::validate(row).err();
    }
    // Outside of sequences, ASCII bytes mean ASCII.
    if encoding.takes_escapes() && row.is_ascii() {
        return None;
    }
    match Transcoder::checker(encoding).convert(row, &mut [], true).status {
        Status::IllFormed(error) => Some(error),
        _ => None,
    }
}

/// Returns `true` if `byte` is a continuation byte of UTF-8.
pub(crate) const fn is_continuation(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}
