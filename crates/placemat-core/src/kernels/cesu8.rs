//! Conversion of CESU-8 and Modified UTF-8 to UTF-8 and back.
//!
//! Up to U+FFFF the three forms are equal, except for U+0000. So a text is copied block by block,
//! and where a comparison finds a difference in the block, the converted bytes replace it: a
//! surrogate pair for four bytes, or four bytes for a surrogate pair. The UTF-8 kernel decides
//! whether the text is well-formed: it validates the source when the source is UTF-8, and the
//! target when the target is. That suffices: four bytes are written only for a pair, and four bytes
//! in the source are valid in neither other form; likewise for U+0000.
//!
//! The bytes between two differences are copied as a whole block, and overwritten from the next
//! difference on; so the loop runs only where there is room for that, and plain code converts the
//! end of a text.

use super::Moved;
use super::portable::validate as portable;
use super::validate::{self, COPIED};
use crate::ground::chunk::{chunk_at, chunk_at_mut};
use crate::ground::work;
use crate::simd::{Apart, BLOCK, Shuffle};

/// Bytes that are checked and copied at a time, while they are in the first-level cache.
const PIECE_BYTES: usize = 8 * 1024;
/// Bytes of a piece of a text with differences; a long text without any may follow.
const MIXED_PIECE_BYTES: usize = 2 * 1024;
/// Bytes of the first piece after an error, because the next error may be near.
const FIRST_PIECE_BYTES: usize = 512;
/// Bytes that are searched for differences at a time, where there may be none.
const CHUNK_BYTES: usize = 8 * BLOCK;
/// Bytes of a block, of the longest sequence that can begin in it, and of a block copied after it.
const WINDOW_BYTES: usize = 2 * BLOCK + 8;
/// Bytes that a block of U+0000 becomes, and a block copied after it.
const ROOM_BYTES: usize = 3 * BLOCK;

/// The operations that differ between levels with and without vectors.
pub(crate) trait Level: Copy {
    fn utf8_prefix(self, src: &[u8]) -> usize;
    /// Converts the other form to UTF-8.
    fn to_utf8<const NUL: bool>(self, src: &[u8], dst: &mut [u8]) -> Moved;
    /// Bitmap of the lead bytes of four-byte sequences in a block of UTF-8, and with `NUL` of
    /// U+0000.
    fn in_utf8<const NUL: bool>(self, block: &[u8; BLOCK]) -> u64;
    /// Bitmap of the surrogates in a block of the other form, and with `NUL` of the byte C0; also
    /// of bytes that neither form has: F0 and above, and with `NUL` also 00.
    fn in_pairs<const NUL: bool>(self, window: &[u8; BLOCK + 1]) -> u64;
    /// Whether [`in_utf8`](Self::in_utf8) would be zero for each block of a chunk.
    fn is_clear<const NUL: bool>(self, chunk: &[u8; CHUNK_BYTES]) -> bool;
}

/// Returns the length of the prefix, in whole chunks, without bytes from F0 up and, with `NUL`,
/// without 00. In it, both forms have the same bytes, and well-formed UTF-8 is well-formed in the
/// other form.
#[inline(always)]
fn clear<L: Level, const NUL: bool>(level: L, src: &[u8]) -> usize {
    let mut at = 0;
    while let Some(chunk) = chunk_at!(src, at)
        && level.is_clear::<NUL>(chunk)
    {
        at += CHUNK_BYTES;
    }
    at
}

/// Copies bytes in portions that suit `memcpy`.
#[inline(always)]
fn copy(src: &[u8], dst: &mut [u8]) {
    for (from, to) in src.chunks(COPIED).zip(dst.chunks_mut(COPIED)) {
        if let Some(to) = to.get_mut(..from.len()) {
            to.copy_from_slice(from);
        }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Plain;

impl Level for Plain {
    fn utf8_prefix(self, src: &[u8]) -> usize {
        portable::well_formed_prefix(src)
    }

    #[inline(always)]
    fn to_utf8<const NUL: bool>(self, src: &[u8], dst: &mut [u8]) -> Moved {
        to_utf8_on::<_, NUL>(self, src, dst)
    }

    #[inline]
    fn in_utf8<const NUL: bool>(self, block: &[u8; BLOCK]) -> u64 {
        let (mut highest, mut lowest) = (0, 0xFF);
        for byte in block {
            highest = highest.max(*byte);
            lowest = lowest.min(*byte);
        }
        if highest < 0xF0 && !(NUL && lowest == 0) {
            return 0;
        }
        bitmap(|i| block[i] >= 0xF0 || NUL && block[i] == 0)
    }

    #[inline]
    fn in_pairs<const NUL: bool>(self, window: &[u8; BLOCK + 1]) -> u64 {
        let mut any = false;
        for i in 0..BLOCK {
            let (byte, next) = (window[i], window[i + 1]);
            any |= (byte == 0xED) & (next >= 0xA0) | (byte >= 0xF0);
            any |= NUL & ((byte == 0) | (byte == 0xC0));
        }
        if !any {
            return 0;
        }
        bitmap(|i| differs::<NUL>(window[i], window[i + 1]))
    }

    #[inline]
    fn is_clear<const NUL: bool>(self, chunk: &[u8; CHUNK_BYTES]) -> bool {
        let (mut highest, mut lowest) = (0, 0xFF);
        for byte in chunk {
            highest = highest.max(*byte);
            lowest = lowest.min(*byte);
        }
        highest < 0xF0 && !(NUL && lowest == 0)
    }
}

fn bitmap(bit: impl Fn(usize) -> bool) -> u64 {
    (0..BLOCK).fold(0, |bits, i| bits | u64::from(bit(i)) << i)
}

#[inline(always)]
fn differs<const NUL: bool>(byte: u8, next: u8) -> bool {
    byte == 0xED && next >= 0xA0 || byte >= 0xF0 || NUL && (byte == 0 || byte == 0xC0)
}

#[derive(Clone, Copy)]
pub(crate) struct Vectors<S>(S);

impl<S: Shuffle> Level for Vectors<S> {
    #[inline(always)]
    fn utf8_prefix(self, src: &[u8]) -> usize {
        self.0.apart::<Validation>(src, &mut [])
    }

    #[inline(always)]
    fn to_utf8<const NUL: bool>(self, src: &[u8], dst: &mut [u8]) -> Moved {
        self.0.apart::<ToUtf8<NUL>>(src, dst)
    }

    #[inline(always)]
    fn in_utf8<const NUL: bool>(self, block: &[u8; BLOCK]) -> u64 {
        let simd = self.0;
        let block = simd.load(block);
        let marks = simd.ge(block, simd.splat(0xF0));
        simd.bits(if NUL { simd.either(marks, simd.eq(block, simd.splat(0))) } else { marks })
    }

    #[inline(always)]
    fn in_pairs<const NUL: bool>(self, window: &[u8; BLOCK + 1]) -> u64 {
        let simd = self.0;
        let ([first @ .., _], [_, last @ ..]) = (window, window);
        let (byte, next) = (simd.load(first), simd.load(last));
        let surrogate = simd.both(simd.eq(byte, simd.splat(0xED)), simd.ge(next, simd.splat(0xA0)));
        let mut marks = simd.either(surrogate, simd.ge(byte, simd.splat(0xF0)));
        if NUL {
            let zero = simd.either(simd.eq(byte, simd.splat(0)), simd.eq(byte, simd.splat(0xC0)));
            marks = simd.either(marks, zero);
        }
        simd.bits(marks)
    }

    #[inline(always)]
    fn is_clear<const NUL: bool>(self, chunk: &[u8; CHUNK_BYTES]) -> bool {
        let simd = self.0;
        let (mut highest, mut lowest) = (simd.splat(0), simd.splat(0xFF));
        for block in chunk.as_chunks::<BLOCK>().0 {
            let block = simd.load(block);
            highest = simd.max(highest, block);
            if NUL {
                lowest = simd.min(lowest, block);
            }
        }
        let marks = simd.ge(highest, simd.splat(0xF0));
        !simd.any(if NUL { simd.either(marks, simd.eq(lowest, simd.splat(0))) } else { marks })
    }
}

/// Validation of UTF-8. The six kernels of a level share one copy of it, which halves their code.
struct Validation;

impl Apart for Validation {
    type Moved = usize;
    type Element = u8;

    #[inline(always)]
    fn run<S: Shuffle>(simd: S, src: &[u8], _: &mut [u8]) -> usize {
        validate::utf8_prefix(simd, src)
    }
}

/// Conversion of the other form to UTF-8, which also validates it.
struct ToUtf8<const NUL: bool>;

impl<const NUL: bool> Apart for ToUtf8<NUL> {
    type Moved = Moved;
    type Element = u8;

    #[inline(always)]
    fn run<S: Shuffle>(simd: S, src: &[u8], dst: &mut [u8]) -> Moved {
        to_utf8_on::<_, NUL>(Vectors(simd), src, dst)
    }
}

/// Converts UTF-8 to CESU-8, or with `NUL` to Modified UTF-8.
#[inline(always)]
pub(crate) fn from_utf8<S: Shuffle, const NUL: bool>(simd: S, src: &[u8], dst: &mut [u8]) -> Moved {
    from_utf8_on::<_, NUL>(Vectors(simd), src, dst)
}

/// Converts UTF-8 to the other form without vectors.
pub(crate) fn from_utf8_plain<const NUL: bool>(src: &[u8], dst: &mut [u8]) -> Moved {
    from_utf8_on::<_, NUL>(Plain, src, dst)
}

/// Converts CESU-8, or with `NUL` Modified UTF-8, to UTF-8.
#[inline(always)]
pub(crate) fn to_utf8<S: Shuffle, const NUL: bool>(simd: S, src: &[u8], dst: &mut [u8]) -> Moved {
    Vectors(simd).to_utf8::<NUL>(src, dst)
}

/// Converts the other form to UTF-8 without vectors.
pub(crate) fn to_utf8_plain<const NUL: bool>(src: &[u8], dst: &mut [u8]) -> Moved {
    to_utf8_on::<_, NUL>(Plain, src, dst)
}

/// Returns the length of the longest prefix that is CESU-8, or with `NUL` Modified UTF-8, without
/// unpaired surrogates.
#[inline(always)]
pub(crate) fn prefix<S: Shuffle, const NUL: bool>(simd: S, src: &[u8]) -> usize {
    prefix_on::<_, NUL>(Vectors(simd), src)
}

/// Returns the length of the longest well-formed prefix, without vectors.
pub(crate) fn prefix_plain<const NUL: bool>(src: &[u8]) -> usize {
    prefix_on::<_, NUL>(Plain, src)
}

#[inline(always)]
fn prefix_on<L: Level, const NUL: bool>(level: L, src: &[u8]) -> usize {
    let mut scratch = [0; PIECE_BYTES];
    let mut read = 0;
    loop {
        let rest = src.get(read..).unwrap_or_default();
        let piece = rest.get(..PIECE_BYTES).unwrap_or(rest);
        let moved = level.to_utf8::<NUL>(piece, &mut scratch);
        read += moved.read;
        // A piece may end inside a pair, with which the next piece then begins.
        if moved.read + 6 <= piece.len() || piece.len() < PIECE_BYTES {
            return read;
        }
    }
}

#[inline(always)]
fn from_utf8_on<L: Level, const NUL: bool>(level: L, src: &[u8], dst: &mut [u8]) -> Moved {
    let mut all = Moved::default();
    // Whether the last piece had differences, which predicts that the next one has some too.
    let mut mixed = false;
    loop {
        let rest = src.get(all.read..).unwrap_or_default();
        let Some(room) = dst.get_mut(all.written..) else { return all };
        // No sequence becomes shorter.
        let piece =
            rest.get(..if mixed { MIXED_PIECE_BYTES } else { PIECE_BYTES }.min(room.len())).unwrap_or(rest);
        let mut good = level.utf8_prefix(piece);
        work::add(good);
        if !mixed {
            let same = border(rest, clear::<_, NUL>(level, rest.get(..good).unwrap_or_default()), good);
            if same > 0 && same <= room.len() {
                copy(rest.get(..same).unwrap_or_default(), room);
                all.read += same;
                all.written += same;
                continue;
            }
            good = border(rest, good.min(MIXED_PIECE_BYTES), good);
        }
        let moved = expand::<_, NUL>(level, rest, good, room);
        mixed = moved.read != moved.written;
        all.read += moved.read;
        all.written += moved.written;
        // A piece may end inside a sequence, with which the next piece then begins.
        if moved.read < good || good == 0 || all.read == src.len() {
            return all;
        }
    }
}

/// Returns the last code point boundary at or before `at` in a text that is well-formed up to
/// `end`.
#[inline(always)]
fn border(src: &[u8], mut at: usize, end: usize) -> usize {
    while at < end && at > 0 && src.get(at).is_some_and(|byte| byte & 0xC0 == 0x80) {
        at -= 1;
    }
    at
}

/// Converts the well-formed bytes of `src` up to `end` to the other form.
#[inline(always)]
fn expand<L: Level, const NUL: bool>(level: L, src: &[u8], end: usize, dst: &mut [u8]) -> Moved {
    let (mut read, mut written) = (0, 0);
    while read + BLOCK <= end
        && let Some(window) = chunk_at!(src, read, WINDOW_BYTES)
        && let Some(room) = chunk_at_mut!(dst, written, ROOM_BYTES)
        && let Some(block) = window.first_chunk()
    {
        let mut marks = level.in_utf8::<NUL>(block);
        let (mut from, mut to) = (0, 0);
        while marks != 0 {
            let at = marks.trailing_zeros() as usize;
            marks &= marks - 1;
            copy_block(window, from, room, to);
            to += at - from;
            from = at;
            if NUL && window[at] == 0 {
                put(room, to, [0xC0, 0x80]);
                (from, to) = (from + 1, to + 2);
            } else {
                while {
                    let bytes = chunk_at!(window, from);
                    put(room, to, pair_of(bytes.copied().unwrap_or_default()));
                    (from, to) = (from + 4, to + 6);
                    from < BLOCK && window[from] >= 0xF0
                } {}
                marks &= if from < BLOCK { u64::MAX << from } else { 0 };
            }
        }
        // A four-byte sequence may have crossed the end of the block.
        copy_block(window, from, room, to);
        let rest = BLOCK.saturating_sub(from);
        read += from + rest;
        written += to + rest;
    }
    while read < end
        && let Some(&byte) = src.get(read)
    {
        let step = match byte {
            0 if NUL => chunk_at_mut!(dst, written).map(|to| {
                *to = [0xC0, 0x80];
                (1, 2)
            }),
            0xF0.. => {
                let bytes = chunk_at!(src, read);
                let to = chunk_at_mut!(dst, written);
                bytes.zip(to).map(|(bytes, to): (&[u8; 4], &mut [u8; 6])| {
                    to.copy_from_slice(&pair_of(*bytes)[..6]);
                    (4, 6)
                })
            }
            _ => {
                let len = 1 + usize::from(byte >= 0xC0) + usize::from(byte >= 0xE0);
                let bytes = src.get(read..read + len);
                bytes.zip(dst.get_mut(written..written + len)).map(|(bytes, to)| {
                    to.copy_from_slice(bytes);
                    (len, len)
                })
            }
        };
        let Some((len, units)) = step else {
            // A block may have ended inside a sequence, which has the same bytes in both forms.
            let whole = border(src, read, end);
            written -= read - whole;
            read = whole;
            break;
        };
        read += len;
        written += units;
    }
    Moved { read, written }
}

/// Progress of [`shrink`].
struct Shrunk {
    read: usize,
    written: usize,
    /// Offset in the target after which no byte differs from the source.
    changed: usize,
    /// Whether conversion stopped at a byte that neither form has, or at one that may begin half a
    /// pair.
    stopped: bool,
}

#[inline(always)]
fn to_utf8_on<L: Level, const NUL: bool>(level: L, src: &[u8], dst: &mut [u8]) -> Moved {
    let mut all = Moved::default();
    let mut len = FIRST_PIECE_BYTES;
    let mut ahead = FIRST_PIECE_BYTES;
    // Whether the last piece had pairs, which predicts that the next one has some too.
    let mut mixed = false;
    loop {
        let rest = src.get(all.read..).unwrap_or_default();
        let Some(room) = dst.get_mut(all.written..) else { return all };
        if !mixed {
            let piece = rest.get(..ahead.min(room.len())).unwrap_or(rest);
            let same = clear::<_, NUL>(level, piece);
            work::add(same);
            let good = level.utf8_prefix(rest.get(..same).unwrap_or_default());
            copy(rest.get(..good).unwrap_or_default(), room);
            all.read += good;
            all.written += good;
            if good > 0 && good + 3 >= same {
                ahead = PIECE_BYTES;
                continue;
            }
        }
        let rest = src.get(all.read..).unwrap_or_default();
        let Some(room) = dst.get_mut(all.written..) else { return all };
        // No sequence becomes longer.
        let end = rest.len().min(len).min(room.len());
        let shrunk = shrink::<_, NUL>(level, rest, end, room);
        let written = room.get(..shrunk.written).unwrap_or_default();
        let good = level.utf8_prefix(written);
        if good < shrunk.changed {
            let read = place::<NUL>(rest, good);
            return Moved { read: all.read + read, written: all.written + good };
        }
        let left = shrunk.written - good;
        let read = shrunk.read - left;
        all.read += read;
        all.written += good;
        // A piece may end inside a sequence, with which the next piece then begins.
        if shrunk.stopped || left > 2 || read == 0 || end == rest.len() || end < len {
            return all;
        }
        len = (2 * len).min(MIXED_PIECE_BYTES);
        mixed = shrunk.changed > 0;
    }
}

/// Converts `src` up to `end` or a little further to UTF-8, if it is well-formed; stops at a byte
/// that neither form has.
#[inline(always)]
fn shrink<L: Level, const NUL: bool>(level: L, src: &[u8], end: usize, dst: &mut [u8]) -> Shrunk {
    let (mut read, mut written, mut changed) = (0, 0, 0);
    while read + BLOCK <= end
        && let Some(window) = chunk_at!(src, read, WINDOW_BYTES)
        && let Some(room) = chunk_at_mut!(dst, written, ROOM_BYTES)
        && let Some(block) = window.first_chunk()
    {
        let mut marks = level.in_pairs::<NUL>(block);
        let (mut from, mut to) = (0, 0);
        while marks != 0 {
            let at = marks.trailing_zeros() as usize;
            copy_block(window, from, room, to);
            to += at - from;
            from = at;
            if NUL && window[at] == 0xC0 && window[at + 1] == 0x80 {
                put(room, to, [0]);
                (from, to) = (from + 2, to + 1);
            } else if let Some(bytes) = joined(word(window, at)) {
                put(room, to, bytes);
                (from, to) = (from + 6, to + 4);
                while from < BLOCK
                    && let Some(bytes) = joined(word(window, from))
                {
                    put(room, to, bytes);
                    (from, to) = (from + 6, to + 4);
                }
            } else {
                let (read, written) = (read + from, written + to);
                return Shrunk { read, written, changed, stopped: true };
            }
            changed = written + to;
            // The low surrogate is in the bitmap too.
            marks &= if from < BLOCK { u64::MAX << from } else { 0 };
        }
        copy_block(window, from, room, to);
        let rest = BLOCK.saturating_sub(from);
        read += from + rest;
        written += to + rest;
    }
    while read < end {
        let (byte, next) = (src[read], src.get(read + 1).copied().unwrap_or(0));
        let Some(to) = dst.get_mut(written..) else { break };
        if !differs::<NUL>(byte, next) {
            let Some(to) = to.first_mut() else { break };
            *to = byte;
            read += 1;
            written += 1;
            continue;
        }
        let pair = chunk_at!(src, read).and_then(|bytes: &[u8; 6]| {
            let mut eight = [0; 8];
            eight[..6].copy_from_slice(bytes);
            joined(u64::from_be_bytes(eight))
        });
        if NUL
            && (byte, next) == (0xC0, 0x80)
            && let Some(to) = to.first_mut()
        {
            *to = 0;
            read += 2;
            written += 1;
        } else if let (Some(bytes), Some(to)) = (pair, to.first_chunk_mut()) {
            *to = bytes;
            read += 6;
            written += 4;
        } else {
            return Shrunk { read, written, changed, stopped: true };
        }
        changed = written;
    }
    Shrunk { read, written, changed, stopped: false }
}

/// Returns the length of the prefix of `src` that becomes the first `written` bytes of UTF-8, which
/// are well-formed.
#[cold]
fn place<const NUL: bool>(src: &[u8], written: usize) -> usize {
    let (mut read, mut left) = (0, written);
    while left > 0 {
        let byte = src.get(read).copied().unwrap_or(0);
        let next = src.get(read + 1).copied().unwrap_or(0);
        let (len, units) = match byte {
            0xC0 if NUL => (2, 1),
            0xED if next >= 0xA0 => (6, 4),
            0x00..=0x7F => (1, 1),
            0x80..=0xDF => (2, 2),
            _ => (3, 3),
        };
        read += len;
        left = left.saturating_sub(units);
    }
    read
}

/// Copies a block; later copies overwrite the bytes that are not wanted.
#[inline(always)]
fn copy_block(src: &[u8; WINDOW_BYTES], from: usize, dst: &mut [u8; ROOM_BYTES], to: usize) {
    let block = chunk_at!(src, from, BLOCK);
    let room = chunk_at_mut!(dst, to, BLOCK);
    if let (Some(block), Some(room)) = (block, room) {
        *room = *block;
    }
}

#[inline(always)]
fn put<const N: usize>(dst: &mut [u8; ROOM_BYTES], at: usize, bytes: [u8; N]) {
    if let Some(to) = chunk_at_mut!(dst, at) {
        *to = bytes;
    }
}

/// Loads eight bytes as a number, the first byte highest.
#[inline(always)]
fn word(src: &[u8; WINDOW_BYTES], at: usize) -> u64 {
    chunk_at!(src, at).map_or(0, |bytes| u64::from_be_bytes(*bytes))
}

/// Converts a well-formed four-byte sequence to a surrogate pair and two more bytes. Works on
/// numbers, because storing an array byte by byte and loading it as a whole takes longer than
/// everything else.
#[inline(always)]
fn pair_of(bytes: [u8; 4]) -> [u8; 8] {
    let bytes = u64::from(u32::from_be_bytes(bytes));
    let value =
        (bytes >> 24 & 7) << 18 | (bytes >> 16 & 0x3F) << 12 | (bytes >> 8 & 0x3F) << 6 | bytes & 0x3F;
    let above = value.wrapping_sub(0x1_0000);
    let lead = (above >> 16 & 0xF) << 48 | (above >> 10 & 0x3F) << 40;
    let trail = (above >> 6 & 0xF) << 24 | (above & 0x3F) << 16;
    (0xEDA0_80ED_B080_0000 | lead | trail).to_be_bytes()
}

/// Converts a surrogate pair, the first six of eight bytes, to a four-byte sequence; `None` if the
/// bytes are not a pair.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "each payload is masked")]
fn joined(bytes: u64) -> Option<[u8; 4]> {
    // The pattern ED, A0..AF, 80..BF, ED, B0..BF, 80..BF.
    if bytes & 0xFFF0_C0FF_F0C0_0000 != 0xEDA0_80ED_B080_0000 {
        return None;
    }
    let above = (bytes >> 48 & 0xF) << 16
        | (bytes >> 40 & 0x3F) << 10
        | (bytes >> 24 & 0xF) << 6
        | bytes >> 16 & 0x3F;
    let value = above as u32 + 0x1_0000;
    let payload = (value >> 18) << 24 | (value >> 12 & 0x3F) << 16 | (value >> 6 & 0x3F) << 8 | value & 0x3F;
    Some((0xF080_8080 | payload).to_be_bytes())
}

#[cfg(test)]
mod tests {
    use super::super::portable::samples::{MIXED as TEXT, mutations};
    use crate::forms::form::{EncodeStep, Step};
    use crate::forms::{Cesu8, EncodingForm, ModifiedUtf8, Utf8};
    use crate::kernels::Moved;
    use crate::kernels::dispatch::{Isa, Kernels};

    /// Converts step by step up to a sequence that is ill-formed, unmappable, or has no room.
    /// Returns the progress and the bytes.
    fn by_steps<F, T>(src: &[u8], room: usize) -> (Moved, Vec<u8>)
    where
        F: EncodingForm<Unit = u8, State = ()>,
        T: EncodingForm<Unit = u8, State = ()>,
    {
        let (mut read, mut out) = (0, Vec::new());
        while read < src.len()
            && let Step::CodePoint { value, len } = F::decode_step(&mut (), &src[read..])
            && T::FACTS.repertoire.check(value).is_ok()
        {
            let mut bytes = [0; 8];
            let EncodeStep::Written(written) = T::encode_step(&mut (), value, &mut bytes) else { break };
            if out.len() + written > room {
                break;
            }
            out.extend_from_slice(&bytes[..written]);
            read += len;
        }
        (Moved { read, written: out.len() }, out)
    }

    /// Asserts that a kernel goes as far as the steps, or stops before that on a boundary, and
    /// writes the same bytes; with ample room, it must go as far.
    fn check(src: &[u8], rooms: &[usize]) {
        let mut dst = vec![0xEE; 2 * src.len() + 70];
        for &room in rooms {
            for kernels in Isa::available().filter_map(Kernels::of) {
                let one = |moved: Moved, dst: &[u8], (all, out): (Moved, Vec<u8>), what: &str| {
                    let what = || format!("{what}, {}, room {room}: {src:02x?}", kernels.isa());
                    assert!(moved.written <= all.written && moved.read <= all.read, "{}", what());
                    assert_eq!(dst[..moved.written], out[..moved.written], "{}", what());
                    assert!(room <= 2 * src.len() || moved == all, "{moved:?} {all:?} {}", what());
                };
                let moved = kernels.cesu8_to_utf8(src, &mut dst[..room]);
                one(moved, &dst, by_steps::<Cesu8, Utf8>(src, room), "from CESU-8");
                let moved = kernels.mutf8_to_utf8(src, &mut dst[..room]);
                one(moved, &dst, by_steps::<ModifiedUtf8, Utf8>(src, room), "from Modified UTF-8");
                let moved = kernels.utf8_to_cesu8(src, &mut dst[..room]);
                one(moved, &dst, by_steps::<Utf8, Cesu8>(src, room), "to CESU-8");
                let moved = kernels.utf8_to_mutf8(src, &mut dst[..room]);
                one(moved, &dst, by_steps::<Utf8, ModifiedUtf8>(src, room), "to Modified UTF-8");
                if room > 2 * src.len() {
                    let read = by_steps::<Cesu8, Utf8>(src, room).0.read;
                    assert_eq!(kernels.cesu8_prefix(src), read, "{}: {src:02x?}", kernels.isa());
                    let read = by_steps::<ModifiedUtf8, Utf8>(src, room).0.read;
                    assert_eq!(kernels.mutf8_prefix(src), read, "{}: {src:02x?}", kernels.isa());
                }
            }
        }
    }

    #[test]
    fn kernels_do_what_the_steps_do() {
        for unit in ["a😀é日", "😀", "한\0😀a", "plain text of some length, then 😀", "é", "日本語", "\0"]
        {
            for len in [0, 1, 5, 40, 70, 140, 600, 1100, 5000] {
                let text = unit.repeat(len / unit.len() + 1);
                for src in [
                    text.as_bytes().to_vec(),
                    by_steps::<Utf8, Cesu8>(text.as_bytes(), usize::MAX).1,
                    by_steps::<Utf8, ModifiedUtf8>(text.as_bytes(), usize::MAX).1,
                ] {
                    check(&src, &[2 * src.len() + 1, src.len(), src.len() / 2]);
                    // Truncated, and with a byte of another kind in the middle.
                    let mut cut = src[..src.len() - 1].to_vec();
                    check(&cut, &[2 * src.len() + 1]);
                    let middle = cut.len() / 2;
                    for byte in [0x00, 0x80, 0xA0, 0xC0, 0xED, 0xF0, 0xFF] {
                        if let Some(at) = cut.get_mut(middle) {
                            let before = core::mem::replace(at, byte);
                            check(&cut, &[2 * src.len() + 1]);
                            cut[middle] = before;
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn damage_at_random() {
        mutations(1_500, |src| check(src, &[2 * src.len() + 1, src.len()]));
        let pairs = by_steps::<Utf8, Cesu8>(TEXT.as_bytes(), usize::MAX).1;
        for from in (0..pairs.len()).step_by(3) {
            let src = &pairs[from..];
            check(src, &[2 * src.len() + 1, src.len() / 3]);
        }
    }
}
