//! Big-endian UTF-16 and UTF-32: pieces that stay in the cache are swapped and then converted by
//! the kernels for little-endian text.
//!
//! UTF-16BE to and from UTF-8 has kernels of its own: with a swap, mostly-ASCII text takes three
//! times as long.
use super::Moved;
use super::dispatch::{Kernels, onto};
use crate::simd::Slot;

/// Bytes of a piece: enough that a call per piece costs little, and few enough that clearing the
/// buffer does too.
const PIECE_BYTES: usize = 1536;
/// Texts of up to this many bytes get a buffer of this size, because a larger one takes longer to
/// clear than to use.
const SMALL_BUFFER_BYTES: usize = 256;

/// A buffer that is aligned like a block, so that clearing, filling and loading it take the same
/// time wherever the stack is.
#[repr(align(64))]
struct Buffer<const BYTES: usize>([u8; BYTES]);

/// A kernel for little-endian text: a method of [`Kernels`].
type Kernel = fn(Kernels, &[u8], &mut [u8]) -> Moved;
/// A kernel that measures little-endian text: a method of [`Kernels`].
type Measure = fn(Kernels, &[u8]) -> usize;

/// Reverses the bytes of each code unit of `N` bytes.
#[inline]
fn swap<const N: usize>(kernels: Kernels, units: &mut [u8]) {
    _ = if N == 2 { kernels.swap16(units) } else { kernels.swap32(units) };
}

/// Calls `next` with the little-endian form of each piece of big-endian code units of `N` bytes and
/// with its offset, while `next` consumes whole pieces. Returns the number of bytes consumed.
#[inline]
fn by_pieces<const N: usize>(
    kernels: Kernels,
    src: &[u8],
    mut next: impl FnMut(&[u8], usize) -> usize,
) -> usize {
    if src.len() <= SMALL_BUFFER_BYTES {
        return through::<N>(kernels, src, &mut Buffer([0; SMALL_BUFFER_BYTES]).0, next);
    }
    through::<N>(kernels, src, &mut Buffer([0; PIECE_BYTES]).0, &mut next)
}

fn through<const N: usize>(
    kernels: Kernels,
    src: &[u8],
    buffer: &mut [u8],
    mut next: impl FnMut(&[u8], usize) -> usize,
) -> usize {
    let mut at = 0;
    loop {
        let rest = src.get(at..).unwrap_or_default();
        let len = rest.len().min(buffer.len()) / N * N;
        let (Some(rest), Some(piece)) = (rest.get(..len), buffer.get_mut(..len)) else { return at };
        piece.copy_from_slice(rest);
        swap::<N>(kernels, piece);
        let read = next(piece, at);
        at += read;
        // A piece may end within a surrogate pair, whose first unit is left for the next piece.
        if at + N > src.len() || read == 0 || read + N < len {
            return at;
        }
    }
}

/// Converts big-endian code units of `N` bytes by a kernel for little-endian ones.
fn from_big<const N: usize>(kernels: Kernels, kernel: Kernel, src: &[u8], dst: &mut [u8]) -> Moved {
    pieces_from_big::<N>(kernels, src, |piece, written| {
        kernel(kernels, piece, dst.get_mut(written..).unwrap_or_default())
    })
}

/// Converts UTF-32BE to UTF-8.
#[inline]
pub(crate) fn utf32be_to_utf8(kernels: Kernels, src: &[u8], room: &mut [Slot]) -> Moved {
    pieces_from_big::<4>(kernels, src, |piece, written| {
        onto::utf32le_to_utf8(kernels, piece, room.get_mut(written..).unwrap_or_default())
    })
}

/// Converts big-endian code units of `N` bytes by `convert`, which takes little-endian ones and the
/// number of bytes written before.
fn pieces_from_big<const N: usize>(
    kernels: Kernels,
    src: &[u8],
    mut convert: impl FnMut(&[u8], usize) -> Moved,
) -> Moved {
    let mut written = 0;
    let read = by_pieces::<N>(kernels, src, |piece, _| {
        let moved = convert(piece, written);
        written += moved.written;
        moved.read
    });
    Moved { read, written }
}

/// Converts to big-endian code units of `N` bytes by a kernel for little-endian ones.
fn to_big<const N: usize>(kernels: Kernels, kernel: Kernel, src: &[u8], dst: &mut [u8]) -> Moved {
    let mut written = 0;
    let read = for_each_piece(src, |piece| {
        let room = dst.get_mut(written..).unwrap_or_default();
        let moved = kernel(kernels, piece, room);
        swap::<N>(kernels, room.get_mut(..moved.written).unwrap_or_default());
        written += moved.written;
        moved.read
    });
    Moved { read, written }
}

/// Calls `next` with each piece, while `next` consumes whole pieces. Returns the number of bytes
/// consumed.
pub(crate) fn for_each_piece(src: &[u8], mut next: impl FnMut(&[u8]) -> usize) -> usize {
    let mut all = 0;
    loop {
        let rest = src.get(all..).unwrap_or_default();
        let piece = rest.get(..PIECE_BYTES).unwrap_or(rest);
        let read = next(piece);
        all += read;
        // A piece may end within a sequence, of which up to three bytes are left for the next
        // piece.
        if piece.len() < PIECE_BYTES || read + 3 < PIECE_BYTES {
            return all;
        }
    }
}

/// Converts big-endian code units of `N` bytes to big-endian ones of `M` bytes by a kernel for
/// little-endian ones.
fn both_big<const N: usize, const M: usize>(
    kernels: Kernels,
    kernel: Kernel,
    src: &[u8],
    dst: &mut [u8],
) -> Moved {
    let mut written = 0;
    let read = by_pieces::<N>(kernels, src, |piece, _| {
        let room = dst.get_mut(written..).unwrap_or_default();
        let moved = kernel(kernels, piece, room);
        swap::<M>(kernels, room.get_mut(..moved.written).unwrap_or_default());
        written += moved.written;
        moved.read
    });
    Moved { read, written }
}

/// Measures big-endian code units of `N` bytes by a kernel for little-endian ones. Pieces do not
/// end within a surrogate pair.
fn measured<const N: usize>(kernels: Kernels, measure: Measure, src: &[u8]) -> usize {
    let mut sum = 0;
    by_pieces::<N>(kernels, src, |piece, at| {
        let ends_within =
            N == 2 && at + piece.len() + N <= src.len() && matches!(piece.last(), Some(0xD8..=0xDB));
        let whole = piece.len() - if ends_within { N } else { 0 };
        sum += measure(kernels, piece.get(..whole).unwrap_or_default());
        whole
    });
    sum
}

/// Defines methods for big-endian text by the methods for little-endian text.
macro_rules! big_endian {
    ($($(#[doc = $doc:literal])* $name:ident = $convert:expr, $kernel:ident;)*) => {
        $(
            $(#[doc = $doc])*
            #[inline]
            #[must_use]
            pub fn $name(self, src: &[u8], dst: &mut [u8]) -> Moved {
                $convert(self, Self::$kernel, src, dst)
            }
        )*
    };
}

impl Kernels {
    /// Returns the length in bytes of the longest prefix that is well-formed UTF-16BE.
    #[inline]
    #[must_use]
    pub fn utf16be_prefix(self, src: &[u8]) -> usize {
        by_pieces::<2>(self, src, |piece, _| self.utf16le_prefix(piece))
    }

    /// Returns the length in bytes of the longest prefix that is well-formed UTF-32BE.
    #[inline]
    #[must_use]
    pub fn utf32be_prefix(self, src: &[u8]) -> usize {
        by_pieces::<4>(self, src, |piece, _| self.utf32le_prefix(piece))
    }

    /// Returns the number of UTF-8 bytes of UTF-16BE.
    #[inline]
    #[must_use]
    pub fn utf8_len_of_utf16be(self, src: &[u8]) -> usize {
        measured::<2>(self, Self::utf8_len_of_utf16le, src)
    }

    /// Returns the number of UTF-8 bytes of UTF-32BE.
    #[inline]
    #[must_use]
    pub fn utf8_len_of_utf32be(self, src: &[u8]) -> usize {
        measured::<4>(self, Self::utf8_len_of_utf32le, src)
    }

    /// Converts UTF-32BE to UTF-8.
    #[inline]
    #[must_use]
    pub fn utf32be_to_utf8(self, src: &[u8], dst: &mut [u8]) -> Moved {
        utf32be_to_utf8(self, src, Slot::of(dst))
    }

    big_endian! {
        /// Converts UTF-8 to UTF-32BE.
        utf8_to_utf32be = to_big::<4>, utf8_to_utf32le;

        /// Converts UTF-16LE to UTF-16BE.
        utf16le_to_utf16be = to_big::<2>, copy_utf16le;
        /// Converts UTF-16BE to UTF-16LE.
        utf16be_to_utf16le = from_big::<2>, copy_utf16le;
        /// Copies well-formed UTF-16BE.
        copy_utf16be = both_big::<2, 2>, copy_utf16le;
        /// Converts UTF-32LE to UTF-32BE.
        utf32le_to_utf32be = to_big::<4>, copy_utf32le;
        /// Converts UTF-32BE to UTF-32LE.
        utf32be_to_utf32le = from_big::<4>, copy_utf32le;
        /// Copies well-formed UTF-32BE.
        copy_utf32be = both_big::<4, 4>, copy_utf32le;
        /// Converts UTF-16LE to UTF-32BE.
        utf16le_to_utf32be = to_big::<4>, utf16le_to_utf32le;
        /// Converts UTF-16BE to UTF-32LE.
        utf16be_to_utf32le = from_big::<2>, utf16le_to_utf32le;
        /// Converts UTF-16BE to UTF-32BE.
        utf16be_to_utf32be = both_big::<2, 4>, utf16le_to_utf32le;
        /// Converts UTF-32LE to UTF-16BE.
        utf32le_to_utf16be = to_big::<2>, utf32le_to_utf16le;
        /// Converts UTF-32BE to UTF-16LE.
        utf32be_to_utf16le = from_big::<4>, utf32le_to_utf16le;
        /// Converts UTF-32BE to UTF-16BE.
        utf32be_to_utf16be = both_big::<4, 2>, utf32le_to_utf16le;

        /// Converts ISO-8859-1 to UTF-16BE.
        latin1_to_utf16be = to_big::<2>, latin1_to_utf16le;
        /// Converts ISO-8859-1 to UTF-32BE.
        latin1_to_utf32be = to_big::<4>, latin1_to_utf32le;
        /// Converts ASCII to UTF-16BE.
        ascii_to_utf16be = to_big::<2>, ascii_to_utf16le;
        /// Converts ASCII to UTF-32BE.
        ascii_to_utf32be = to_big::<4>, ascii_to_utf32le;
        /// Converts UTF-16BE to ISO-8859-1, up to the first unmappable character.
        utf16be_to_latin1 = from_big::<2>, utf16le_to_latin1;
        /// Converts UTF-32BE to ISO-8859-1, up to the first unmappable character.
        utf32be_to_latin1 = from_big::<4>, utf32le_to_latin1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::dispatch::Isa;
    use alloc::string::String;
    use alloc::vec;
    use alloc::vec::Vec;

    /// Texts whose surrogate pairs and long sequences lie on every side of the boundaries of
    /// pieces.
    fn texts() -> Vec<Vec<char>> {
        let mut texts = Vec::new();
        for len in [
            0, 1, 31, 63, 64, 127, 128, 129, 383, 384, 385, 511, 512, 513, 766, 767, 768, 769, 1022, 1023,
            1024, 1025, 2046, 2047, 2048, 4094, 4095, 4096, 8191, 8192, 12_300,
        ] {
            for kind in ['e', 'é', '€', '😀'] {
                let mut text: Vec<char> = (0..len).map(|i| if i % 7 == 0 { 'x' } else { kind }).collect();
                texts.push(text.clone());
                text.insert(0, 'a');
                texts.push(text);
            }
        }
        texts
    }

    /// Encodes a text in UTF-16BE and UTF-32BE.
    fn big(text: &[char]) -> [Vec<u8>; 2] {
        let mut units = [0; 2];
        let mut wide = Vec::new();
        for c in text {
            wide.extend(c.encode_utf16(&mut units).iter().flat_map(|unit| unit.to_be_bytes()));
        }
        [wide, text.iter().flat_map(|&c| u32::from(c).to_be_bytes()).collect()]
    }

    #[test]
    fn texts_of_several_pieces_are_converted_whole() {
        for isa in Isa::available() {
            let Some(kernels) = Kernels::of(isa) else { unreachable!() };
            for text in texts() {
                let utf8: Vec<u8> = text.iter().collect::<String>().into_bytes();
                let [utf16, utf32] = big(&text);
                let jobs: [(&[u8], &[u8], Kernel); 6] = [
                    (&utf8, &utf16, Kernels::utf8_to_utf16be),
                    (&utf8, &utf32, Kernels::utf8_to_utf32be),
                    (&utf16, &utf8, Kernels::utf16be_to_utf8),
                    (&utf32, &utf8, Kernels::utf32be_to_utf8),
                    (&utf16, &utf32, Kernels::utf16be_to_utf32be),
                    (&utf32, &utf16, Kernels::utf32be_to_utf16be),
                ];
                for (number, (src, wanted, job)) in jobs.into_iter().enumerate() {
                    let mut dst = vec![0; wanted.len()];
                    let mut all = Moved::default();
                    // A kernel may leave an end to the engine, which takes a step of its own.
                    loop {
                        let moved = job(kernels, &src[all.read..], &mut dst[all.written..]);
                        all.read += moved.read;
                        all.written += moved.written;
                        if moved.read == 0 {
                            break;
                        }
                    }
                    assert_eq!(&dst[..all.written], &wanted[..all.written], "{isa} {number} {}", text.len());
                    let left = src.len() - all.read;
                    assert!(left <= 256, "{isa} {number}: {left} of {} are left", src.len());
                }
                assert_eq!(kernels.utf16be_prefix(&utf16), utf16.len());
                assert_eq!(kernels.utf32be_prefix(&utf32), utf32.len());
                assert_eq!(kernels.utf8_len_of_utf16be(&utf16), utf8.len());
                assert_eq!(kernels.utf8_len_of_utf32be(&utf32), utf8.len());
            }
        }
    }

    #[test]
    fn an_ill_formed_unit_ends_the_prefix() {
        for isa in Isa::available() {
            let Some(kernels) = Kernels::of(isa) else { unreachable!() };
            for at in [0, 2, 254, 256, 1532, 1534, 1536, 1538, 3070, 3072] {
                let mut src = vec![0x20; at];
                src.extend([0xDC, 0x00]);
                src.extend([0x20; 600]);
                assert!(kernels.utf16be_prefix(&src) <= at, "{isa} {at}");
                let mut dst = vec![0; 3 * src.len()];
                assert!(kernels.utf16be_to_utf8(&src, &mut dst).read <= at, "{isa} {at}");
                // A high surrogate without its low surrogate has three bytes in UTF-8.
                src[at] = 0xD8;
                assert_eq!(kernels.utf8_len_of_utf16be(&src), (src.len() / 2 - 1) * 3 + 3, "{isa} {at}");
            }
        }
    }
}
