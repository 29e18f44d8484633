//! Tables of the encodings whose codes are one or two bytes, made when they are first used, and loops over them.
//!
//! An encoding declares what its codes mean by [`Codes`], and which few codes are longer.
//!
//! The tables take 384 KB of the heap for each encoding that is used, and are made in less than a millisecond: 128 KB when the
//! first text is read, as many when the first becomes UTF-16, and as many when the first is encoded.

mod units;
mod written;

use self::units::Units;
#[cfg(feature = "cjk-extra")]
pub(crate) use self::written::NONE;
use self::written::Written;
use crate::window::{At, Plain, four, get, utf8};
use alloc::{boxed::Box, vec, vec::Vec};
use core::sync::atomic::{AtomicUsize, Ordering};
use placemat_core::ground::bits::copy_short_ascii;
use placemat_core::ground::once::Once;
use placemat_core::ground::utf16::{Unit, first, put as put_unit, utf8_len};
use placemat_core::ground::work;
use placemat_core::kernels::Moved;
use placemat_core::kernels::dispatch::Kernels;
use placemat_core::kernels::portable::single_byte::put;
use placemat_core::kernels::portable::step::decode_utf8;
use placemat_core::simd::Slot;

/// Text of at least this many bytes is worth making the tables.
const MIN_TABLE_BYTES: usize = 4096;

/// A text of at most this many bytes is converted a character at a time, because a loop over blocks takes longer to begin.
const MAX_SCALAR_BYTES: usize = 16;
/// The first piece of UTF-8 to become UTF-16: much of a larger piece would be wasted where the
/// encoding lacks much of the text.
const FIRST_PIECE_BYTES: usize = 128;
/// The later pieces of UTF-8 to become UTF-16.
const PIECE_BYTES: usize = 1024;

/// An encoding whose codes are one or two bytes, apart from a few.
pub(crate) trait Codes: Copy + Send + Sync + 'static {
    /// Returns the static in which the tables of the encoding are kept.
    fn place(self) -> &'static Once<Tables<Self>>;
    /// Makes the tables of the encoding.
    fn make(self) -> Tables<Self>;
    /// Returns the codes to write: of several for one code point the last counts, and [`NONE`] is none. The first byte is the
    /// high one.
    fn written(self, tables: &Tables<Self>) -> Vec<(u32, u16)>;
    /// Returns `true` if a code that begins with these two bytes has more than two.
    fn is_longer(self, start: [u8; 2]) -> bool;
    /// Returns the scalar value of a code of more than two bytes, and its length. Bytes past the end of the text are 0.
    fn read_longer(self, bytes: [u8; 4]) -> Option<(u32, usize)>;
    /// Reads a code that has no place in the tables.
    fn read_other(self, _at: &mut At<'_>) -> Option<()> {
        None
    }
    /// The bytes of a scalar value that has no place in the tables, and their number.
    fn write_other(self, c: u32) -> Option<([u8; 4], usize)>;
}

/// The tables of an encoding.
pub(crate) struct Tables<C: 'static> {
    codes: C,
    /// By the lead byte without its highest bit, and the second byte: what two bytes mean.
    pairs: Box<[Text; 0x8000]>,
    /// By byte: what a byte alone means.
    singles: [Text; 0x100],
    /// The bytes below 80 are ASCII.
    is_ascii: bool,
    /// Made when the first text becomes UTF-16.
    units: Once<Units>,
    /// Made when the first text is encoded.
    written: Once<Written>,
}

/// A character as UTF-8: its bytes, the first as the lowest, and above up to three of them their number; 0 if there is
/// none.
pub(crate) type Text = u32;

#[expect(clippy::cast_possible_truncation, reason = "the length is at most 4")]
pub(crate) const fn text(c: u32) -> Text {
    let (bytes, len) = utf8(c);
    if len < 4 { bytes | (len as u32) << 24 } else { bytes }
}

/// Returns the bytes of a [`Text`], with the bits above them, and their number; `None` for no text.
#[inline(always)]
fn bytes(text: Text) -> Option<(u32, usize)> {
    // The last of four bytes is 80 or more.
    (text != 0).then_some((text, (text >> 24).min(4) as usize))
}

#[inline(always)]
fn scalar(text: Text) -> Option<u32> {
    let (bytes, len) = bytes(text)?;
    let bytes = if len < 4 { bytes & 0xFF_FFFF } else { bytes };
    get(bytes.into()).map(|(c, _)| c)
}

struct Ascii;
impl Plain for Ascii {
    const ODD: &'static [u8] = &[];
}

/// JIS X 0201, where these are the yen sign and the overline.
struct Roman;
impl Plain for Roman {
    const ODD: &'static [u8] = b"\\~";
}

impl<C: Codes> Tables<C> {
    /// The tables of an encoding.
    pub(crate) fn of(codes: C) -> &'static Self {
        codes.place().get_or_make(|| codes.make())
    }

    /// The tables of an encoding, if they exist, or if `len` bytes of text, with those of the calls before, are worth
    /// making them.
    #[inline(always)]
    pub(crate) fn for_text(codes: C, len: usize) -> Option<&'static Self> {
        Self::made(codes).or_else(|| Self::if_worthwhile(codes, len))
    }

    #[cold]
    #[inline(never)]
    fn if_worthwhile(codes: C, len: usize) -> Option<&'static Self> {
        /// The bytes of calls without tables, of all encodings. A count that another thread overwrites does no harm.
        static SEEN: AtomicUsize = AtomicUsize::new(0);
        let seen = SEEN.load(Ordering::Relaxed).saturating_add(len);
        SEEN.store(if seen < MIN_TABLE_BYTES { seen } else { 0 }, Ordering::Relaxed);
        (seen >= MIN_TABLE_BYTES).then(|| Self::of(codes))
    }

    /// The tables of an encoding, if they were made.
    #[inline(always)]
    pub(crate) fn made(codes: C) -> Option<&'static Self> {
        codes.place().get()
    }

    /// Tables to read: `singles` has what each byte alone means, `pairs` what each two bytes mean of which the first is 80 or
    /// more, in order.
    pub(crate) fn reading(
        codes: C,
        mut singles: impl FnMut(u8) -> Text,
        mut pairs: impl FnMut([u8; 2]) -> Text,
    ) -> Self {
        let mut all = [0; 0x100];
        for (slot, byte) in all.iter_mut().zip(0..=0xFF) {
            *slot = singles(byte);
        }
        let is_ascii = all.iter().zip(0..0x80).all(|(&found, byte)| found == text(byte));
        // The array must not pass through the stack, which may be smaller in a thread.
        let mut both = vec![0; 0x8000].into_boxed_slice();
        for (slot, two) in both.iter_mut().zip(0x8000..=u16::MAX) {
            *slot = pairs(two.to_be_bytes());
        }
        let Ok(both): Result<Box<[Text; 0x8000]>, _> = both.try_into() else {
            unreachable!("it is as long as that")
        };
        Self { codes, pairs: both, singles: all, is_ascii, units: Once::new(), written: Once::new() }
    }

    /// Returns the table to read into UTF-16.
    #[inline(always)]
    fn units(&self) -> &Units {
        self.units.get_or_make(|| {
            let unit = |text| scalar(text).and_then(|c| u16::try_from(c).ok()).unwrap_or(0);
            let units = |[first, second]: [u8; 2]| match (first, self.single(first)) {
                (0..0x80, single) => unit(single),
                (_, 0) => unit(self.pair([first, second])),
                _ => 0,
            };
            Units::new(units, self.is_ascii)
        })
    }

    /// Returns the table to write.
    #[inline(always)]
    fn written(&self) -> &Written {
        self.written.get_or_make(|| self.codes.written(self).into_iter().collect())
    }

    /// The scalar values of single bytes from 80 on, and the bytes.
    pub(crate) fn singles(&self) -> impl Iterator<Item = (u32, u16)> {
        (0x80..=0xFF_u8).filter_map(|byte| Some((scalar(self.single(byte))?, u16::from(byte))))
    }

    /// The scalar values of two bytes, and the bytes, for some lead bytes.
    pub(crate) fn pairs(&self, is_lead: impl Fn(u8) -> bool) -> impl Iterator<Item = (u32, u16)> {
        let places = (0x80..=0xFF_u8).filter(move |&lead| is_lead(lead));
        let places = places.flat_map(|lead| (0..=0xFF_u8).map(move |trail| [lead, trail]));
        places.filter_map(|two| Some((scalar(self.pair(two))?, u16::from_be_bytes(two))))
    }

    #[inline(always)]
    fn pair(&self, [lead, trail]: [u8; 2]) -> Text {
        // The highest bit of what is ASCII is not set, and no trail byte is 80 below it.
        self.pairs[usize::from(lead & 0x7F) << 8 | usize::from(trail)]
    }

    #[inline(always)]
    fn single(&self, byte: u8) -> Text {
        self.singles[usize::from(byte)]
    }

    /// Returns the UTF-8 of the character that two bytes encode, as [`bytes`] does. `None` if the first byte is ASCII.
    #[inline(always)]
    pub(crate) fn read(&self, two: [u8; 2]) -> Option<(u32, usize)> {
        if two[0] < 0x80 { None } else { bytes(self.pair(two)) }
    }

    /// Returns the bytes that encode a non-ASCII character, and their number, if the encoding can represent it.
    #[inline(always)]
    pub(crate) fn write(&self, c: u32) -> Option<([u8; 4], usize)> {
        self.written().code(c)
    }

    /// Returns the bytes that encode a scalar value, and their number, if the encoding can represent it.
    #[inline(always)]
    pub(crate) fn write_any(&self, c: u32) -> Option<([u8; 4], usize)> {
        self.write(c).or_else(|| self.codes.write_other(c))
    }

    /// Decodes to UTF-8, up to the last byte or the first code without a meaning.
    pub(crate) fn to_utf8(&self, src: &[u8], dst: &mut [u8]) -> Moved {
        if src.len() <= MAX_SCALAR_BYTES {
            return self.few_to_utf8(src, dst);
        }
        let mut at = At::new(src, dst);
        while let Some((word, _)) = at.window() {
            let [byte, second, ..] = four(word);
            let some = if word & 0x80 == 0 {
                if self.is_ascii { at.copy::<Ascii>() } else { at.copy::<Roman>() }
            } else if self.codes.is_longer([byte, second]) {
                self.codes.read_longer(four(word)).and_then(|(c, len)| at.put(c, len)).is_some()
            } else {
                at.read_some(|two| self.read(two))
            };
            if some {
                continue;
            }
            let written = match bytes(self.single(byte)) {
                Some((bytes, len)) => at.write(bytes.to_le_bytes(), len, 1),
                None => self.codes.read_other(&mut at),
            };
            if written.is_none() {
                break;
            }
        }
        let At { src, dst, read, written } = at;
        // The windows stop before the end of both texts.
        let rest = self.each_to_utf8(&src[read..], &mut dst[written..]);
        Moved { read: read + rest.read, written: written + rest.written }
    }

    /// Converts a few bytes, a character at a time.
    #[inline(always)]
    fn few_to_utf8(&self, src: &[u8], dst: &mut [u8]) -> Moved {
        if self.is_ascii && copy_short_ascii(src, dst) {
            return Moved { read: src.len(), written: src.len() };
        }
        self.each_to_utf8(src, dst)
    }

    /// Decodes a character at a time, up to the first that is not in these tables.
    #[inline(always)]
    fn each_to_utf8(&self, src: &[u8], dst: &mut [u8]) -> Moved {
        let mut moved = Moved::default();
        while let Some((text, read)) = src.get(moved.read..).and_then(|rest| self.first(rest)) {
            let Some((bytes, len)) = bytes(text) else { break };
            if !put(Slot::of(dst), moved.written, bytes, len) {
                break;
            }
            moved = Moved { read: moved.read + read, written: moved.written + len };
        }
        moved
    }

    /// The character at the start, if it is in one of these tables, and the number of its bytes.
    #[inline(always)]
    fn first(&self, src: &[u8]) -> Option<(Text, usize)> {
        let &byte = src.first()?;
        let single = self.single(byte);
        if single != 0 {
            return Some((single, 1));
        }
        let &second = src.get(1)?;
        if self.codes.is_longer([byte, second]) {
            let mut bytes = [0; 4];
            bytes.iter_mut().zip(src).for_each(|(slot, &byte)| *slot = byte);
            let (c, len) = self.codes.read_longer(bytes)?;
            return (len <= src.len()).then_some((text(c), len));
        }
        let pair = self.pair([byte, second]);
        (pair != 0).then_some((pair, 2))
    }

    /// The scalar value at the start, if it is in one of these tables, and the number of its bytes.
    #[inline(always)]
    pub(crate) fn first_scalar(&self, src: &[u8]) -> Option<(u32, usize)> {
        let (text, len) = self.first(src)?;
        Some((scalar(text)?, len))
    }

    /// Decodes to UTF-16LE, up to the first code that is not in the tables. Returns the number of bytes read, and of code units
    /// written.
    pub(crate) fn to_units(&self, src: &[u8], units: &mut [Unit]) -> (usize, usize) {
        let (mut read, mut count) = (0, 0);
        let table = self.units();
        loop {
            let (len, some) = table.read(&src[read..], &mut units[count..]);
            (read, count) = (read + len, count + some);
            let Some((c, len)) = self.first_scalar(&src[read..]) else { break };
            let Some(some) = char::from_u32(c).and_then(|c| put_unit(&mut units[count..], c)) else { break };
            (read, count) = (read + len, count + some);
        }
        (read, count)
    }

    /// Encodes well-formed text, up to the first character that the encoding lacks.
    pub(crate) fn encode_utf8(&self, src: &[u8], dst: &mut [u8]) -> Moved {
        if src.len() <= MAX_SCALAR_BYTES {
            return self.encode_few(src, dst);
        }
        // Clearing the larger one costs more than a short text.
        if src.len() <= FIRST_PIECE_BYTES {
            self.encode_pieces(&mut [0; 2 * FIRST_PIECE_BYTES], src, dst)
        } else {
            self.encode_pieces(&mut [0; 2 * PIECE_BYTES], src, dst)
        }
    }

    /// Encodes a few bytes, a character at a time.
    #[inline(always)]
    pub(crate) fn encode_few(&self, src: &[u8], dst: &mut [u8]) -> Moved {
        if self.written().is_ascii() && copy_short_ascii(src, dst) {
            return Moved { read: src.len(), written: src.len() };
        }
        self.encode_each(src, dst, decode_utf8)
    }

    /// Encodes a character at a time; `first` is the first of some text, and the number of its bytes.
    #[inline(always)]
    fn encode_each(
        &self,
        src: &[u8],
        dst: &mut [u8],
        first: impl Fn(&[u8]) -> Option<(u32, usize)>,
    ) -> Moved {
        let mut moved = Moved::default();
        while let Some((c, read)) = src.get(moved.read..).and_then(&first) {
            let Some((bytes, len)) = self.write_any(c) else { break };
            if !put(Slot::of(dst), moved.written, u32::from_le_bytes(bytes), len) {
                break;
            }
            moved = Moved { read: moved.read + read, written: moved.written + len };
        }
        moved
    }

    /// Encodes a piece at a time through UTF-16.
    #[inline(always)]
    fn encode_pieces(&self, units: &mut [u8], src: &[u8], dst: &mut [u8]) -> Moved {
        let kernels = Kernels::current();
        let mut moved = Moved::default();
        let mut most = FIRST_PIECE_BYTES;
        loop {
            let (rest, room) = (&src[moved.read..], &mut dst[moved.written..]);
            if self.is_ascii && rest.first_chunk::<64>().is_some_and(|start| start.is_ascii()) {
                let part = kernels.copy_ascii(rest, room);
                moved = Moved { read: moved.read + part.read, written: moved.written + part.written };
            }
            let (rest, room) = (&src[moved.read..], &mut dst[moved.written..]);
            // No code is shorter than a third of its character in UTF-8.
            let piece = &rest[..rest.len().min(most).min(3 * room.len())];
            work::add(piece.len());
            let part = kernels.utf8_to_utf16le(piece, units);
            let units = units[..part.written].as_chunks().0;
            let (taken, written) = self.encode_units(units, room);
            moved.written += written;
            if taken < units.len() {
                moved.read += utf8_len(&units[..taken]);
                return moved;
            }
            moved.read += part.read;
            // The end of a piece may cut a sequence off after three bytes at most.
            if part.read == 0 || part.read + 3 < piece.len() || piece.len() == rest.len() {
                return moved;
            }
            most = PIECE_BYTES.min(2 * most);
        }
    }

    /// Encodes code units, up to the first that the encoding cannot represent or that does not fit. Returns the number of code
    /// units read, and of bytes written.
    #[inline(always)]
    pub(crate) fn encode_units(&self, units: &[[u8; 2]], out: &mut [u8]) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        let table = self.written();
        loop {
            let (some, len) = table.put(&units[read..], &mut out[written..]);
            (read, written) = (read + some, written + len);
            let Some((c, some)) = first(&units[read..]) else { return (read, written) };
            let Some((bytes, len)) = self.write_any(c) else {
                return (read, written);
            };
            let Some(to) = out.get_mut(written..written + len) else { return (read, written) };
            to.copy_from_slice(&bytes[..len]);
            (read, written) = (read + some, written + len);
        }
    }
}
