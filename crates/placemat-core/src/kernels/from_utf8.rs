//! Code shared by the kernels that read UTF-8: the loop over a text, the check, and the planes.
//!
//! # A block
//!
//! Each step reads 64 bytes of input, so the next block depends on this one only for its write
//! position. Each code unit is written at the *last* byte of its sequence, so a block needs only
//! itself and the three bytes before it, which come from loading it again one, two and three bytes
//! further back. The low and the high byte of a code unit are computed for *every* byte, as if a
//! sequence ended there, in two registers (planes):
//!
//! ```text
//!   ...a 110bbbcc 10dddddd      low = cc dddddd             high = 00000bbb
//!   1110aaaa 10bbbbcc 10dddddd  low = cc dddddd             high = aaaa bbbb
//! ```
//!
//! A bitmap selects the bytes that end a sequence, and packing drops all others.
//!
//! # The check
//!
//! Whether continuation bytes are exactly where they must be is arithmetic on bitmaps in general
//! registers: a second byte must follow a byte from `C0` up, a third byte must be two after a byte
//! from `E0` up, a fourth byte three after a byte from `F0` up. The other errors concern values,
//! and one comparison, "below 2", finds them in a register in which
//!
//! - `w ^ C0` is below 2 for the lead bytes `C0` and `C1`;
//! - `w + 10 -sat 0E` is below 2 for lead bytes from `F0` up, which go on to the code for sequences
//!   of four;
//! - at the third byte of three, `min(high, high ^ D8) -sat 6` is below 2 if the value is below
//!   0800 (`high` below 08) or a surrogate (`high` in `D8..DF`; no other byte XOR D8 is below 8, as
//!   the low three bits of D8 are zero).
//!
//! A block that fails has written nothing that counts, so plain code takes over at the last
//! boundary before it and finds the exact position. A check covers the sequences that *end* in the
//! block; a sequence that begins in its last bytes is left to the next block, and [`end`] takes it
//! back at the end of the text.
//!
//! Measurements, and what was slower: `lab/from_utf8.md`.

use super::Moved;
use super::checker::LOOKBACK_BYTES;
use crate::ground::chunk::chunk_at;
use crate::simd::{Apart, BLOCK, Bitmap, Shuffle, ShuffleOps, SimdOps, Slot, lagging};
use core::marker::PhantomData;

/// Bytes of a block and of the three bytes before it.
pub(super) const WINDOW: usize = LOOKBACK_BYTES + BLOCK;
/// With mask registers, an ASCII test pays off for up to this many bytes at the end of a longer
/// text. Longer ends are ASCII too unpredictably. On other levels the test enlarges the kernels for
/// little gain.
const MAX_ASCII_END_BYTES: usize = 8;
/// From this many bytes on, aligning the loads or stores to 64 bytes pays off.
const MIN_ALIGNED_BYTES: usize = 1024;

/// A form that UTF-8 is converted to.
pub(super) trait Target {
    /// Number of bytes of a code unit.
    const UNIT_BYTES: usize;
    /// Whether texts of up to half a block get code of their own on levels where a block takes
    /// several registers; it adds 5 KB.
    const HAS_HALF_BLOCK: bool = false;
    /// Whether the third byte of a four-byte sequence yields a code unit of its own.
    const HAS_SURROGATE_PAIRS: bool;
    /// Room for the code units of a block, at most 64.
    type Room;
    /// An array outside `dst`, for code units that may not all fit there.
    type Buffer: AsRef<[u8]>;
    /// A buffer of zeros.
    const EMPTY: Self::Buffer;

    /// The start of `dst`, if it has room for a block.
    fn room(dst: &mut [Slot]) -> Option<&mut Self::Room>;
    /// Lends a buffer.
    fn room_of(buffer: &mut Self::Buffer) -> &mut Self::Room;
    /// Writes a block of ASCII.
    fn ascii<S: ShuffleOps>(simd: S, block: S::Block, out: &mut Self::Room);
    /// Writes a block of ASCII from memory.
    #[inline(always)]
    fn ascii_from<S: ShuffleOps>(simd: S, src: &[u8; BLOCK], out: &mut Self::Room) {
        Self::ascii(simd, simd.load(src), out);
    }
    /// Checks a block and writes the code units at the positions that `emit` selects. Returns the
    /// number of code units, or `None` if the block is ill-formed.
    fn block<S: ShuffleOps>(
        simd: S,
        bytes: &Bytes<S>,
        open: &mut Open<S::Bits>,
        emit: S::Bits,
        out: &mut Self::Room,
    ) -> Option<usize>;
    /// Converts the end of a text in plain code.
    fn finish(src: &[u8], dst: &mut [Slot]) -> Moved;
}

/// A block, and the bytes one, two and three before each of its bytes.
pub(super) struct Bytes<S: SimdOps> {
    pub(super) w: S::Block,
    pub(super) w1: S::Block,
    pub(super) w2: S::Block,
    pub(super) w3: S::Block,
    /// The bytes that are not ASCII.
    pub(super) high: S::Mask,
}

impl<S: SimdOps> Bytes<S> {
    #[inline(always)]
    fn first(simd: S, w: S::Block) -> Self {
        Self {
            w,
            w1: simd.after_zeros::<1>(w),
            w2: simd.after_zeros::<2>(w),
            w3: simd.after_zeros::<3>(w),
            high: simd.high_bit(w),
        }
    }
    /// The bytes from `read` on, less than a block, followed by zeros.
    #[inline(always)]
    fn partial(simd: S, src: &[u8], read: usize) -> Self {
        let w = simd.load_partial(src.get(read..).unwrap_or_default());
        Self {
            w,
            w1: simd.load_partial(src.get(read - 1..).unwrap_or_default()),
            w2: simd.load_partial(src.get(read - 2..).unwrap_or_default()),
            w3: simd.load_partial(src.get(read - 3..).unwrap_or_default()),
            high: simd.high_bit(w),
        }
    }
    #[inline(always)]
    pub(super) fn of(simd: S, window: &[u8; WINDOW]) -> Self {
        let w = simd.load(lagging::<0>(window));
        Self {
            w,
            w1: simd.load(lagging::<1>(window)),
            w2: simd.load(lagging::<2>(window)),
            w3: simd.load(lagging::<3>(window)),
            high: simd.high_bit(w),
        }
    }
}

/// The sequences that begin in the three bytes before a block: a bit for each byte, with the last
/// byte's highest.
#[derive(Clone, Copy)]
pub(super) struct Open<M> {
    /// Whether the last byte is a lead byte.
    pub(super) two: M,
    /// Lead bytes of sequences of three bytes or more.
    pub(super) three: M,
    /// Lead bytes of sequences of four bytes.
    pub(super) four: M,
}

impl<M: Bitmap> Open<M> {
    /// No sequences.
    #[inline(always)]
    fn none() -> Self {
        Self { two: M::of(0), three: M::of(0), four: M::of(0) }
    }
    /// The sequences that begin in these bytes.
    #[inline(always)]
    fn after([a, b, c]: [u8; 3]) -> Self {
        let bits = |from| u64::from(a >= from) | u64::from(b >= from) << 1 | u64::from(c >= from) << 2;
        Self { two: M::of((c >= 0xC0).into()), three: M::of(bits(0xE0)), four: M::of(bits(0xF0)) }
    }
    /// The sequences that begin in the last bytes of a block with these lead bytes.
    ///
    /// Stores the bits shifted down: otherwise LLVM joins them with the bitmaps of the next block
    /// by double shifts, which take three cycles each on AMD CPUs.
    #[inline(always)]
    fn after_block(two: M, three: M, four: M) -> Self {
        Self { two: two >> 63, three: three >> 61, four: four >> 61 }
    }
    /// Whether any sequence is incomplete.
    #[inline(always)]
    fn any(self) -> bool {
        self.two | self.three >> 1 | self.four != M::of(0)
    }
    /// Positions in the next block, whose lead bytes are `two`, that must have a second byte.
    #[inline(always)]
    fn second(self, two: M) -> M {
        two << 1 | self.two
    }
    /// Positions in the next block of the second bytes of sequences of three or more, whose lead
    /// bytes are `three`.
    #[inline(always)]
    fn second_of_three(self, three: M) -> M {
        three << 1 | self.three >> 2
    }
    /// Positions in the next block that must have a third byte.
    #[inline(always)]
    fn third(self, three: M) -> M {
        three << 2 | self.three >> 1
    }
    /// Positions in the next block of the third bytes of four-byte sequences, whose lead bytes are
    /// `four`.
    #[inline(always)]
    fn third_of_four(self, four: M) -> M {
        four << 2 | self.four >> 1
    }
    /// Positions in the next block that must have a fourth byte.
    #[inline(always)]
    fn fourth(self, four: M) -> M {
        four << 3 | self.four
    }
}

/// Returns the mask of `map`, which has ones where `bytes` are at least `from`.
#[inline(always)]
fn mask<S: SimdOps>(simd: S, map: S::Bits, bytes: S::Block, from: u8) -> S::Mask {
    // Without mask registers, comparing is cheaper than making a mask from a bitmap.
    if S::MASK_REGISTERS { simd.mask(map) } else { simd.ge(bytes, simd.splat(from)) }
}

/// Whether any byte is below 2.
#[inline(always)]
fn any_below_2<S: SimdOps>(simd: S, a: S::Block) -> bool {
    simd.any(simd.ge(simd.splat(1), a))
}

/// A form with code units of two bytes or more.
pub(super) trait Wide: Target {
    /// Writes code units `low | high << 8` where `keep` has ones.
    fn pack<S: ShuffleOps>(
        simd: S,
        low: S::Block,
        high: S::Block,
        keep: S::Bits,
        out: &mut Self::Room,
    ) -> usize;
    /// Writes code units `low | high << 8` where `keep` has ones, in a block where sequences of
    /// four bytes end. Returns `None` if their values are out of range.
    fn pack_four<S: ShuffleOps>(
        simd: S,
        bytes: &Bytes<S>,
        planes: [S::Block; 2],
        four: Four<S>,
        keep: S::Bits,
        out: &mut Self::Room,
    ) -> Option<usize>;
}

/// Masks of the third and fourth bytes of four-byte sequences.
pub(super) struct Four<S: SimdOps> {
    pub(super) third: S::Mask,
    pub(super) fourth: S::Mask,
}

/// Implements [`Target::block`] for code units of two bytes or more.
#[inline(always)]
pub(super) fn wide_block<S: ShuffleOps, T: Wide>(
    simd: S,
    bytes: &Bytes<S>,
    open: &mut Open<S::Bits>,
    emit: S::Bits,
    out: &mut T::Room,
) -> Option<usize> {
    let &Bytes { w, w1, w2, w3, high } = bytes;
    let before = *open;
    let two = simd.bits(simd.ge(w, simd.splat(0xC0)));
    let three = simd.bits(simd.ge(w, simd.splat(0xE0)));
    let continues = simd.bits(high) & !two;
    let second = before.second(two);
    // C0 and C1 become 0 and 1.
    let overlong = simd.xor(w, simd.splat(0xC0));

    let low = simd.or(simd.and(w, simd.splat(0x7F)), simd.keep(high, simd.move_bits::<0, 2, 6>(w1)));
    let high = simd.keep(high, simd.move_bits::<2, 4, 0>(w1));
    *open = Open::after_block(two, three, S::Bits::of(0));
    if three | before.three == S::Bits::of(0) {
        if continues != second || any_below_2(simd, overlong) {
            return None;
        }
        return Some(T::pack(simd, low, high, !two & emit, out));
    }
    let third = before.third(three);
    let keep = !(two | before.second_of_three(three)) & emit;
    let is_third = mask(simd, third, w2, 0xE0);
    // The bits of the other operand are zero, so the sum is an OR that AVX-512 can execute under a
    // mask.
    let high = simd.add(high, simd.keep(is_third, simd.move_bits::<0, 4, 4>(w2)));
    // Values below 0x0800 become 0 to 7, and so do surrogates.
    let range = simd.min(high, simd.xor(high, simd.splat(0xD8)));
    // For bytes from F0 up: 0x0F and less, saturated to at most 1.
    let four = simd.saturating_sub(simd.add(w, simd.splat(0x10)), simd.splat(0x0E));
    let check = simd.select(is_third, simd.saturating_sub(range, simd.splat(0x06)), simd.min(overlong, four));
    // A block with a four-byte sequence fails one of the two tests, and goes on below.
    if (continues ^ (second | third)) | before.four == S::Bits::of(0) && !any_below_2(simd, check) {
        return Some(T::pack(simd, low, high, keep, out));
    }
    let four = simd.bits(simd.ge(w, simd.splat(0xF0)));
    *open = Open::after_block(two, three, four);
    let third_of_four = before.third_of_four(four);
    let fourth = before.fourth(four);
    if continues != second | third | fourth {
        return None;
    }
    let four = Four { third: mask(simd, third_of_four, w2, 0xF0), fourth: mask(simd, fourth, w3, 0xF0) };
    let of_three = simd.both(is_third, simd.not(four.third));
    let check = simd.select(of_three, simd.saturating_sub(range, simd.splat(0x06)), overlong);
    if any_below_2(simd, check) {
        return None;
    }
    let keep = if T::HAS_SURROGATE_PAIRS { keep } else { keep & !third_of_four };
    T::pack_four(simd, bytes, [low, high], four, keep, out)
}

/// Implements [`Target::block`] for code units of one byte, for which only `C2` and `C3` are valid
/// lead bytes.
#[inline(always)]
pub(super) fn narrow_block<S: ShuffleOps>(
    simd: S,
    bytes: &Bytes<S>,
    open: &mut Open<S::Bits>,
    emit: S::Bits,
    out: &mut [Slot; 64],
) -> Option<usize> {
    let &Bytes { w, w1, high, .. } = bytes;
    let before = *open;
    // All bytes except lead bytes: this order of operands yields the mask that packing needs.
    let kept = simd.bits(simd.ge(simd.splat(0xBF), w));
    let two = !kept;
    // C2 and C3, shifted to the top of the range.
    let good = simd.bits(simd.ge(simd.add(w, simd.splat(0xFE - 0xC2)), simd.splat(0xFE)));
    let continues = simd.bits(high) & !two;
    *open = Open::after_block(two, S::Bits::of(0), S::Bits::of(0));
    if (continues ^ before.second(two)) | (two ^ good) != S::Bits::of(0) {
        return None;
    }
    // A continuation byte already has bit 7 set; its bit 6 is the last bit of the lead byte.
    let unit = if S::MASK_REGISTERS {
        simd.select(simd.eq(w1, simd.splat(0xC3)), simd.add(w, simd.splat(0x40)), w)
    } else {
        simd.or(w, simd.keep(high, simd.move_bits::<0, 1, 6>(w1)))
    };
    Some(simd.pack8(unit, kept & emit, out))
}

/// The length of the incomplete sequence at the end of `bytes`, or 0.
#[inline(always)]
fn pending(bytes: [u8; 3]) -> usize {
    match bytes {
        [_, _, 0xC0..=0xFF] => 1,
        [_, 0xE0..=0xFF, _] => 2,
        [0xF0..=0xFF, _, _] => 3,
        _ => 0,
    }
}

/// Converts the longest well-formed prefix of `src` that fits into `dst`.
#[inline(always)]
pub(super) fn convert<S: Shuffle, T: Target>(simd: S, src: &[u8], dst: &mut [Slot]) -> Moved {
    if src.len() <= BLOCK {
        return convert_block::<S, T>(simd, src, dst);
    }
    // Up to two blocks of ASCII, which may overlap: faster than the loop.
    if src.len() <= 2 * BLOCK
        && let (Some(first), Some(last)) = (src.first_chunk(), src.last_chunk())
        && let Some(from) = (src.len() - BLOCK).checked_mul(T::UNIT_BYTES)
        && dst.get_mut(from..).and_then(T::room).is_some()
        && let (first, last) = (simd.load(first), simd.load(last))
        && !simd.any_high_bit(simd.or(first, last))
    {
        if let Some(out) = T::room(dst) {
            T::ascii(simd, first, out);
        }
        if let Some(out) = dst.get_mut(from..).and_then(T::room) {
            T::ascii(simd, last, out);
        }
        return Moved { read: src.len(), written: src.len() * T::UNIT_BYTES };
    }
    if src.len() <= 2 * BLOCK {
        return simd.apart::<TwoBlocks<T>>(src, dst);
    }
    let (mut read, mut written) = (0, 0);
    // Allocations begin 16 bytes after a cache line boundary, so each 64-byte store would cross
    // one.
    let border = dst.as_ptr().align_offset(BLOCK);
    if src.len() >= MIN_ALIGNED_BYTES
        && let (Some(block), Some(out)) = (src.first_chunk(), T::room(dst))
        && let w = simd.load(block)
        && !simd.any_high_bit(w)
        && border.is_multiple_of(T::UNIT_BYTES)
    {
        T::ascii(simd, w, out);
        (read, written) = (border / T::UNIT_BYTES, border);
    }
    // ASCII at the start, before anything else needs setup.
    while let Some(block) = chunk_at!(src, read)
        && let Some(out) = dst.get_mut(written..).and_then(T::room)
    {
        if simd.any_high_bit(simd.load(block)) {
            break;
        }
        T::ascii_from(simd, block, out);
        read += BLOCK;
        written += BLOCK * T::UNIT_BYTES;
    }
    // All of the text: the last block overlaps the one before, and writes some code units again.
    if let Some(back) = (read + BLOCK).checked_sub(src.len())
        && let Some(last) = src.last_chunk()
        && let Some(out) = dst.get_mut(written.wrapping_sub(back * T::UNIT_BYTES)..).and_then(T::room)
    {
        let w = simd.load(last);
        if !simd.any_high_bit(w) {
            T::ascii(simd, w, out);
            return Moved { read: src.len(), written: src.len() * T::UNIT_BYTES };
        }
    }
    let (rest, room) = (src.get(read..), dst.get_mut(written..));
    let (rest, room) = (rest.unwrap_or_default(), room.unwrap_or_default());
    let moved = simd.apart::<Anything<T>>(rest, room);
    Moved { read: read + moved.read, written: written + moved.written }
}

/// Converts a text that is neither short nor all ASCII.
pub(super) struct Anything<T>(PhantomData<T>);

impl<T: Target> Apart for Anything<T> {
    type Moved = Moved;
    type Element = Slot;

    #[inline(always)]
    fn run<S: Shuffle>(simd: S, src: &[u8], dst: &mut [Slot]) -> Moved {
        if src.len() <= BLOCK {
            convert_block::<S, T>(simd, src, dst)
        } else {
            convert_blocks::<S, T>(simd, src, dst)
        }
    }
}

/// Converts a text of more than one block and at most two: the loops for longer texts have many
/// constants to load.
struct TwoBlocks<T>(PhantomData<T>);

impl<T: Target> Apart for TwoBlocks<T> {
    type Moved = Moved;
    type Element = Slot;

    #[inline(always)]
    fn run<S: Shuffle>(simd: S, src: &[u8], dst: &mut [Slot]) -> Moved {
        let Some(first) = src.first_chunk() else { return finish::<T>(src, dst, 0, 0) };
        let bytes = Bytes::first(simd, simd.load(first));
        let mut buffer = T::EMPTY;
        let (out, is_direct) = match T::room(dst) {
            Some(out) => (out, true),
            None => (T::room_of(&mut buffer), false),
        };
        match T::block(simd, &bytes, &mut Open::none(), u64::MAX, out) {
            Some(units) if is_direct || copy::<S, T>(simd, &buffer, units, dst) => {
                convert_last::<S, T>(simd, src, dst, BLOCK, units * T::UNIT_BYTES)
            }
            _ => finish::<T>(src, dst, 0, 0),
        }
    }
}

/// Converts the longest well-formed prefix that fits into `dst`, of a text longer than a block.
#[inline(always)]
fn convert_blocks<S: Shuffle, T: Target>(simd: S, src: &[u8], dst: &mut [Slot]) -> Moved {
    let Some(first) = src.first_chunk() else { return finish::<T>(src, dst, 0, 0) };
    let mut open = Open::none();
    // The first block, with nothing before it. In a long text, the following loads are aligned to
    // 64 bytes.
    let bytes = Bytes::first(simd, simd.load(first));
    let to_border = BLOCK - (src.as_ptr().addr() % BLOCK);
    let mut read =
        if src.len() >= MIN_ALIGNED_BYTES && to_border >= LOOKBACK_BYTES { to_border } else { BLOCK };
    let mut buffer = T::EMPTY;
    let (out, is_direct) = match T::room(dst) {
        Some(out) => (out, true),
        None => (T::room_of(&mut buffer), false),
    };
    let Some(units) = T::block(simd, &bytes, &mut open, u64::MAX >> (BLOCK - read), out) else {
        return finish::<T>(src, dst, 0, 0);
    };
    if !is_direct && !copy::<S, T>(simd, &buffer, units, dst) {
        return finish::<T>(src, dst, 0, 0);
    }
    if let Some(last) = src.get(..read).and_then(<[u8]>::last_chunk) {
        open = Open::after(*last);
    }
    let mut written = units * T::UNIT_BYTES;
    let (len, size) = (src.len(), dst.len());
    // Starts three bytes before the next block. Shrinking slices take one bounds check per step,
    // offsets into a slice two.
    let mut rest = src.get(read - LOOKBACK_BYTES..).unwrap_or_default();
    let mut room = dst.get_mut(written..).unwrap_or_default();
    let well_formed = loop {
        let (Some(window), Some(out)) = (rest.first_chunk(), T::room(room)) else { break true };
        let bytes = Bytes::of(simd, window);
        // Combined with `open.two`, the bitmap is tested in a general register, where the check
        // needs it. (ASCII after a lead byte takes this branch too, and is rejected.)
        if simd.bits(bytes.high) | open.two != 0 {
            let Some(units) = T::block(simd, &bytes, &mut open, u64::MAX, out) else { break false };
            rest = rest.get(BLOCK..).unwrap_or_default();
            room = room.get_mut(units * T::UNIT_BYTES..).unwrap_or_default();
            continue;
        }
        if open.any() {
            break false;
        }
        open = Open::none();
        T::ascii(simd, bytes.w, out);
        rest = rest.get(BLOCK..).unwrap_or_default();
        room = room.get_mut(BLOCK * T::UNIT_BYTES..).unwrap_or_default();
        (rest, room) = ascii::<S, T>(simd, rest, room);
    };
    (read, written) = (len + LOOKBACK_BYTES - rest.len(), size - room.len());
    if !well_formed {
        return finish::<T>(src, dst, read, written);
    }
    // If `dst` is just large enough, a block could exceed the room, but need not. (A separate loop,
    // because selecting a buffer in the loop above costs 10 %.)
    while let Some(window) = chunk_at!(src, read - LOOKBACK_BYTES, WINDOW) {
        let bytes = Bytes::of(simd, window);
        let mut buffer = T::EMPTY;
        match T::block(simd, &bytes, &mut open, u64::MAX, T::room_of(&mut buffer)) {
            Some(units) if copy::<S, T>(simd, &buffer, units, dst.get_mut(written..).unwrap_or_default()) => {
                written += units * T::UNIT_BYTES;
                read += BLOCK;
            }
            _ => return finish::<T>(src, dst, read, written),
        }
    }
    convert_last::<S, T>(simd, src, dst, read, written)
}

/// Converts ASCII, two blocks at a time. `rest` begins three bytes before the next block. Returns
/// the rest of the text, which begins likewise, and the remaining room.
#[inline(always)]
fn ascii<'a, S: Shuffle, T: Target>(
    simd: S,
    mut rest: &'a [u8],
    mut room: &'a mut [Slot],
) -> (&'a [u8], &'a mut [Slot]) {
    while let Some(window) = rest.first_chunk::<{ WINDOW + BLOCK }>()
        && let (Some(first), Some(second)) = (chunk_at!(window, LOOKBACK_BYTES), chunk_at!(window, WINDOW))
        && let Some((out, after)) = room.split_at_mut_checked(BLOCK * T::UNIT_BYTES)
        && let (Some(out), Some(out_second)) = (T::room(out), T::room(after))
        && !simd.any_high_bit(simd.or(simd.load(first), simd.load(second)))
    {
        T::ascii_from(simd, first, out);
        T::ascii_from(simd, second, out_second);
        rest = rest.get(2 * BLOCK..).unwrap_or_default();
        room = room.get_mut(2 * BLOCK * T::UNIT_BYTES..).unwrap_or_default();
    }
    (rest, room)
}

/// Converts the end of a text longer than a block, of which less than a block is left. (Not a loop,
/// whose constants would all be loaded before it, for ASCII too.)
#[inline(always)]
fn convert_last<S: Shuffle, T: Target>(
    simd: S,
    src: &[u8],
    dst: &mut [Slot],
    read: usize,
    mut written: usize,
) -> Moved {
    if let Some(rest) = src.get(read..)
        && !rest.is_empty()
    {
        // The last block overlaps the one before.
        let back = BLOCK - rest.len().min(BLOCK);
        let Some(block) = src.last_chunk() else { return finish::<T>(src, dst, read, written) };
        let w = simd.load(block);
        let begun = || {
            src.get(..read).and_then(<[u8]>::last_chunk).is_some_and(|last| Open::<u64>::after(*last).any())
        };
        let units = if S::MASK_REGISTERS
            && rest.len() <= MAX_ASCII_END_BYTES
            && simd.bits(simd.high_bit(w)) >> back == 0
            && !begun()
            && let Some(out) = dst.get_mut(written..).and_then(T::room)
        {
            T::ascii(simd, simd.load_partial(rest), out);
            rest.len()
        } else if simd.any_high_bit(w) {
            let (bytes, from, emit) = match chunk_at!(src, (read - back).wrapping_sub(LOOKBACK_BYTES)) {
                Some(window) => (Bytes::of(simd, window), read - back, u64::MAX << back),
                // Too few bytes precede the block.
                None => (Bytes::partial(simd, src, read), read, u64::MAX >> back),
            };
            let mut open = src
                .get(..from)
                .and_then(<[u8]>::last_chunk)
                .map_or_else(Open::none, |last| Open::after(*last));
            let mut buffer = T::EMPTY;
            let (out, is_direct) = match dst.get_mut(written..).and_then(T::room) {
                Some(out) => (out, true),
                None => (T::room_of(&mut buffer), false),
            };
            match T::block(simd, &bytes, &mut open, emit, out) {
                Some(units)
                    if is_direct
                        || copy::<S, T>(simd, &buffer, units, dst.get_mut(written..).unwrap_or_default()) =>
                {
                    units
                }
                _ => return finish::<T>(src, dst, read, written),
            }
        } else {
            // Code units that the block before has written are written again.
            match written
                .checked_sub(back * T::UNIT_BYTES)
                .and_then(|from| dst.get_mut(from..))
                .and_then(T::room)
            {
                Some(out) if !begun() => T::ascii(simd, w, out),
                _ => return finish::<T>(src, dst, read, written),
            }
            BLOCK - back
        };
        written += units * T::UNIT_BYTES;
    }
    end::<T>(src, written)
}

/// Converts the longest well-formed prefix that fits into `dst`, of a text of at most one block: a
/// load, a step, and stores, which are partial if a block does not fit.
#[inline(always)]
pub(super) fn convert_block<S: Shuffle, T: Target>(simd: S, src: &[u8], dst: &mut [Slot]) -> Moved {
    if T::HAS_HALF_BLOCK && !S::MASK_REGISTERS && src.len() <= BLOCK / 2 {
        return convert_in::<S, T, true>(simd, src, dst);
    }
    convert_in::<S, T, false>(simd, src, dst)
}

/// Implements [`convert_block`]; with `HALF`, for a text of at most half a block.
#[inline(always)]
fn convert_in<S: Shuffle, T: Target, const HALF: bool>(simd: S, src: &[u8], dst: &mut [Slot]) -> Moved {
    let only = |block| if HALF { simd.first_half(block) } else { block };
    let w = only(simd.load_partial(src));
    if !simd.any_high_bit(w) {
        if let Some(out) = T::room(dst) {
            T::ascii(simd, w, out);
            return Moved { read: src.len(), written: src.len() * T::UNIT_BYTES };
        }
        let mut buffer = T::EMPTY;
        let units = src.len().min(dst.len() / T::UNIT_BYTES);
        T::ascii(simd, w, T::room_of(&mut buffer));
        copy::<S, T>(simd, &buffer, units, dst);
        return Moved { read: units, written: units * T::UNIT_BYTES };
    }
    // The following zeros do not continue a sequence: an incomplete one fails, unless the block is
    // full.
    let Bytes { w, w1, w2, w3, high } = Bytes::first(simd, w);
    // A sequence that is incomplete at the end of the half lacks a byte, like any other.
    let bytes = Bytes { w, w1: only(w1), w2: only(w2), w3: only(w3), high };
    let emit =
        if HALF { u64::from(u32::MAX >> (BLOCK / 2 - src.len())) } else { u64::MAX >> (BLOCK - src.len()) };
    let mut buffer = T::EMPTY;
    let (out, is_direct) = match T::room(dst) {
        Some(out) => (out, true),
        None => (T::room_of(&mut buffer), false),
    };
    match T::block(simd, &bytes, &mut Open::none(), emit, out) {
        Some(units) if is_direct || copy::<S, T>(simd, &buffer, units, dst) => {
            end::<T>(src, units * T::UNIT_BYTES)
        }
        _ => finish::<T>(src, dst, 0, 0),
    }
}

/// Copies code units to `to` if they fit. Returns whether they do.
#[inline(always)]
fn copy<S: SimdOps, T: Target>(simd: S, from: &T::Buffer, units: usize, to: &mut [Slot]) -> bool {
    let Some(mut to) = to.get_mut(..units * T::UNIT_BYTES) else { return false };
    for from in from.as_ref().as_chunks::<BLOCK>().0 {
        if to.is_empty() {
            break;
        }
        let (first, rest) = to.split_at_mut(to.len().min(BLOCK));
        simd.store_partial(simd.load(from), first);
        to = rest;
    }
    true
}

/// Progress after everything was converted, except for an incomplete sequence at the end.
#[inline(always)]
fn end<T: Target>(src: &[u8], written: usize) -> Moved {
    let begun = match src {
        [.., a, b, c] => pending([*a, *b, *c]),
        [b, c] => pending([0, *b, *c]),
        [c] => pending([0, 0, *c]),
        [] => 0,
    };
    // After three of four bytes, the high surrogate has been written.
    Moved {
        read: src.len() - begun,
        written: written - usize::from(T::HAS_SURROGATE_PAIRS && begun == 3) * T::UNIT_BYTES,
    }
}

/// Converts the end of a text in plain code, after `read` bytes, whose last sequence may be
/// incomplete.
#[cold]
#[inline(never)]
fn finish<T: Target>(src: &[u8], dst: &mut [Slot], read: usize, written: usize) -> Moved {
    let Moved { read, written } = end::<T>(src.get(..read).unwrap_or_default(), written);
    let moved = T::finish(src.get(read..).unwrap_or_default(), dst.get_mut(written..).unwrap_or_default());
    Moved { read: read + moved.read, written: written + moved.written }
}

#[cfg(test)]
pub(super) mod tests;
