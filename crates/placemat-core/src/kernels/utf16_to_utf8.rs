//! Validating conversion of UTF-16 to UTF-8.
//!
//! A step converts 64 units, in two blocks of 32. Its read position does not depend on the text;
//! only its write position does, and that comes from counts, so the CPU overlaps several steps.
//! Each unit becomes a fixed number of bytes, of which unneeded ones are zero, and packing drops
//! those:
//!
//! - a step of ASCII is narrowed;
//! - a block of units below U+0800 becomes pairs: `C0 + (u >> 6)`, `80 + (u & 3F)`, or ASCII and
//!   zero;
//! - a block without surrogates becomes lanes of four bytes: zero, `E0 + (u >> 12)`, `80 + (u >> 6
//!   & 3F)`, `80 + (u & 3F)`; below U+0800 the second is zero and the third is the lead byte `C0 +
//!   (u >> 6)`, 0x40 more than the continuation byte; for ASCII the third is zero too and the
//!   fourth is the character;
//! - a block with surrogates becomes such lanes too, because *each half of a pair becomes two bytes
//!   of its own*. With `uuuuuzzzzyy` the high surrogate minus D7C0, and `yyyyxxxxxx` the end of the
//!   low one, the sequence is `11110uuu 10uuzzzz`, from the high surrogate alone, and `10yyyyyy
//!   10xxxxxx`, which takes the last two bits of the unit before (tables 3-5 and 3-6 of the Unicode
//!   Standard). So the end of a block may split a pair, and if the text turns out to be ill-formed
//!   there, the two bytes are taken back.
//!
//! Without mask registers, a block without surrogates is packed register by register
//! ([`ShuffleOps::pack_as_utf8`]): in a lane of four bytes, each byte that a unit may need has a
//! position, and table rows select bytes. Its loop ([`WithoutSurrogates`]) is separate from the
//! loop for surrogates, whose values would take its registers.
//!
//! The check is one comparison of bitmaps: the high surrogates shifted by one, and the one that the
//! previous block left open, must equal the low ones. Where they differ, [`portable`] finds the
//! position.
//!
//! Measurements, and what was no faster: `lab/utf16_to_utf8.md`.

use super::{Moved, portable};
use crate::ground::chunk::{chunk_at, chunk_at_mut};
use crate::ground::unit::ByteOrder;
use crate::simd::{Apart, BLOCK, Bitmap, Shuffle, ShuffleOps, Slot};
use core::marker::PhantomData;

/// Number of code units in a block.
pub(super) const BLOCK_UNITS: usize = BLOCK / 2;
/// Bytes of output of a block: at most 96, and those that the second store writes past them.
pub(super) const ROOM_BYTES: usize = 2 * BLOCK;
/// From this many bytes of the source on, aligned loads pay off.
const MIN_ALIGNED_BYTES: usize = 8192;

/// After a step with this many bytes of output, the next step is not tested for ASCII, on levels
/// where each register of a block has a fast path for ASCII. Testing after ASCII steps only makes
/// text with some ASCII slower.
const DENSE_STEP_BYTES: usize = BLOCK + BLOCK_UNITS;

/// Whether the bytes of units must be swapped to make lanes. Evaluated at compile time.
#[inline(always)]
fn swapped<O: ByteOrder<Unit16 = u8>>() -> bool {
    O::get16(&[0, 1]) == Some(1)
}

/// Loads units as lanes.
#[inline(always)]
pub(super) fn load<S: ShuffleOps, O: ByteOrder<Unit16 = u8>>(simd: S, src: &[u8; BLOCK]) -> S::Block {
    let block = simd.load(src);
    if swapped::<O>() { simd.swap16(block) } else { block }
}

/// Loads the first units of `src` as lanes, followed by zeros if there are fewer than a block has.
#[inline(always)]
pub(super) fn load_partial<S: ShuffleOps, O: ByteOrder<Unit16 = u8>>(simd: S, src: &[u8]) -> S::Block {
    match src.first_chunk() {
        Some(src) => load::<S, O>(simd, src),
        None => {
            let block = simd.load_partial(src);
            if swapped::<O>() { simd.swap16(block) } else { block }
        }
    }
}

/// Whether any unit is at least `FIRST`, which must be a power of two.
#[inline(always)]
pub(super) fn any_from<const FIRST: u16, S: ShuffleOps>(simd: S, units: S::Block) -> bool {
    const { assert!(FIRST.is_power_of_two()) };
    if S::MASK_REGISTERS {
        simd.bits16(simd.ge16(units, simd.splat16(FIRST))) != S::Bits16::of(0)
    } else {
        simd.any_bit(simd.and(units, simd.splat16(FIRST.wrapping_neg())))
    }
}

/// Returns the 64 bytes of `out` from `at` on.
#[inline(always)]
pub(super) fn from(out: &mut [Slot; ROOM_BYTES], at: usize) -> &mut [Slot; BLOCK] {
    match chunk_at_mut!(out, at % BLOCK) {
        Some(out) => out,
        None => unreachable!(),
    }
}

/// Converts units below U+0800 to pairs of lead and continuation byte, or of ASCII and zero.
#[inline(always)]
pub(super) fn as_pairs<S: ShuffleOps>(simd: S, units: S::Block) -> S::Block {
    let bits = simd.and(simd.bytes16::<6, 0>(units), simd.splat16(0x3F1F));
    let two = simd.or(bits, simd.splat16(0x80C0));
    simd.select16(simd.ge16(units, simd.splat16(0x80)), two, units)
}

/// Writes a block of units below U+0800. Returns the number of bytes.
#[inline(always)]
pub(super) fn write_to_two<S: ShuffleOps>(simd: S, units: S::Block, out: &mut [Slot; BLOCK]) -> usize {
    let len = simd.pack_pairs(as_pairs(simd, units), out);
    // The number that packing returns, but known earlier.
    let from_80 = simd.ge16(units, simd.splat16(0x80));
    if S::MASK_REGISTERS { BLOCK_UNITS + simd.bits16(from_80).ones() } else { len }
}

/// The planes of units without surrogates, in the order for zipping: E0 and the first four bits;
/// and two continuation bytes.
#[inline(always)]
fn planes_of_threes<S: ShuffleOps>(simd: S, ordered: S::Block) -> [S::Block; 2] {
    let lead = simd.or(simd.and(simd.shr16::<4>(ordered), simd.splat16(0x0F00)), simd.splat16(0xE000));
    let bits = simd.and(simd.bytes16::<6, 0>(ordered), simd.splat16(0x3F3F));
    [lead, simd.or(bits, simd.splat16(0x8080))]
}

/// Converts units without surrogates to lanes of four bytes, of which the first is zero; `ordered`
/// is in the order for zipping.
#[inline(always)]
fn trios_of_ordered<S: ShuffleOps>(simd: S, ordered: S::Block) -> [S::Block; 2] {
    let [lead, rest] = planes_of_threes(simd, ordered);
    let from_80 = simd.ge16(ordered, simd.splat16(0x80));
    let from_800 = simd.ge16(ordered, simd.splat16(0x800));
    let lead = simd.keep16(from_800, lead);
    let rest = simd.select16(from_800, rest, simd.add16(rest, simd.splat16(0x0040)));
    let rest = simd.select16(from_80, rest, simd.shl16::<8>(ordered));
    simd.zip16_ordered(lead, rest)
}

/// Converts units without surrogates to lanes of four bytes, of which the first is zero.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only AVX-512 packs bytes in registers"))]
#[inline(always)]
pub(super) fn as_trios<S: ShuffleOps>(simd: S, units: S::Block) -> [S::Block; 2] {
    trios_of_ordered(simd, simd.order_for_zip(units))
}

/// Writes a block of units without surrogates. Returns the number of bytes.
#[inline(always)]
pub(super) fn write_to_three<S: ShuffleOps>(
    simd: S,
    units: S::Block,
    history: &mut History,
    out: &mut [Slot; ROOM_BYTES],
) -> usize {
    let ordered = simd.order_for_zip(units);
    let from_800 = simd.ge16(ordered, simd.splat16(0x800));
    if history.only_threes(simd.bits16(from_800) == S::Bits16::of(u32::MAX.into())) {
        let [lead, rest] = planes_of_threes(simd, ordered);
        let [first, second] = simd.zip16_ordered(lead, rest);
        let len = simd.pack_threes(first, from(out, 0));
        return len + simd.pack_threes(second, from(out, len));
    }
    write_trios(simd, trios_of_ordered(simd, ordered), out)
}

/// Records which of the last blocks had only three-byte units.
///
/// Such blocks have a fast path, but in most texts it is unpredictable whether a block takes it,
/// and a misprediction costs more than the fast path saves. So the fast path is taken only after
/// several such blocks in a row.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct History(pub(super) u32);

impl History {
    /// Records whether this block has only three-byte units. Returns whether to take the fast path
    /// for them: this block and the last one have.
    #[inline(always)]
    fn only_threes(&mut self, this: bool) -> bool {
        self.0 = self.0 << 1 | u32::from(this);
        self.0 & 3 == 3
    }
}

/// Packs two blocks of 32-bit lanes whose first byte is zero. Returns the number of bytes.
#[inline(always)]
fn write_trios<S: ShuffleOps>(simd: S, lanes: [S::Block; 2], out: &mut [Slot; ROOM_BYTES]) -> usize {
    let first = simd.pack_trios(lanes[0], from(out, 0));
    first + simd.pack_trios(lanes[1], from(out, first))
}

/// The units one before those of the block at `at`.
#[inline(always)]
pub(super) fn before<S: ShuffleOps, O: ByteOrder<Unit16 = u8>>(
    simd: S,
    src: &[u8],
    at: usize,
    units: S::Block,
) -> S::Block {
    match at.checked_sub(2).and_then(|from| src.get(from..)) {
        Some(src) => load_partial::<S, O>(simd, src),
        None => simd.after_zeros::<2>(units),
    }
}

/// A block with surrogates, all of them paired; but its boundaries may split pairs.
pub(super) enum Halves<B> {
    /// Pairs of bytes, if all units from U+0800 up are surrogates.
    Pairs(B),
    /// Lanes of four bytes, of which the first is zero.
    Trios([B; 2]),
}

/// Converts a block of units to [`Halves`], to pairs only if `PAIRS`; `before` has the units before
/// them.
#[inline(always)]
pub(super) fn as_halves<const PAIRS: bool, S: ShuffleOps>(
    simd: S,
    before: S::Block,
    units: S::Block,
) -> Halves<S::Block> {
    let kind = simd.and(units, simd.splat16(0xFC00));
    let (high, low) = (simd.eq16(kind, simd.splat16(0xD800)), simd.eq16(kind, simd.splat16(0xDC00)));
    let from_80 = simd.ge16(units, simd.splat16(0x80));
    let from_800 = simd.ge16(units, simd.splat16(0x800));

    let less = simd.add16(units, simd.splat16(0xD7C0u16.wrapping_neg()));
    let first_half = simd.and(simd.bytes16::<8, 2>(less), simd.splat16(0x3F07));
    let first_half = simd.or(first_half, simd.splat16(0x80F0));
    let bits = simd.bytes16::<6, 0>(units);
    let second_half = simd.or(simd.and(bits, simd.splat16(0x3F0F)), simd.splat16(0x8080));
    let top = simd.and(simd.shl16::<4>(before), simd.splat16(0x0030));
    let second_half = simd.or(second_half, top);

    let two = simd.or(simd.and(bits, simd.splat16(0x3F1F)), simd.splat16(0x80C0));
    let surrogates = simd.bits16(high) | simd.bits16(low);
    if PAIRS && surrogates == simd.bits16(from_800) {
        let pairs = simd.select16(high, first_half, simd.select16(low, second_half, two));
        return Halves::Pairs(simd.select16(from_80, pairs, units));
    }
    let three = simd.or(simd.and(bits, simd.splat16(0x3F3F)), simd.splat16(0x8080));
    let rest = simd.select16(from_800, three, two);
    let rest = simd.select16(high, first_half, simd.select16(low, second_half, rest));
    let rest = simd.select16(from_80, rest, simd.shl16::<8>(units));
    let lead = simd.or(simd.and(simd.shr16::<4>(units), simd.splat16(0x0F00)), simd.splat16(0xE000));
    let lead = simd.keep16(simd.mask16(simd.bits16(from_800) & !surrogates), lead);
    Halves::Trios(simd.zip16(lead, rest))
}

/// Writes a block of units with surrogates. Returns the number of bytes.
#[inline(always)]
fn write_to_four<S: ShuffleOps>(
    simd: S,
    before: S::Block,
    units: S::Block,
    out: &mut [Slot; ROOM_BYTES],
) -> usize {
    match as_halves::<true, S>(simd, before, units) {
        Halves::Pairs(pairs) => simd.pack_pairs(pairs, from(out, 0)),
        Halves::Trios(lanes) => write_trios(simd, lanes, out),
    }
}

/// State that a block passes to the next.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct State {
    /// Whether the last unit was a high surrogate, of which two bytes were written.
    pub(super) open: bool,
    /// Whether the last step had surrogates, which predicts that the next has some too.
    pub(super) surrogates: bool,
    pub(super) history: History,
}

/// Writes the block of units at `at`, of which the first `count` belong to the text and the others
/// are zero. Returns the number of bytes, including those of the zeros, or `None` for an unpaired
/// surrogate.
#[inline(always)]
pub(super) fn write<S: ShuffleOps, O: ByteOrder<Unit16 = u8>>(
    simd: S,
    state: &mut State,
    src: &[u8],
    at: usize,
    units: S::Block,
    count: usize,
    out: &mut [Slot; ROOM_BYTES],
) -> Option<usize> {
    let simple = if !S::MASK_REGISTERS {
        simd.pack_as_utf8(units, out)
    } else if !any_from::<0x800, S>(simd, units) {
        Some(write_to_two(simd, units, from(out, 0)))
    } else if !any_surrogate(simd, units) {
        Some(write_to_three(simd, units, &mut state.history, out))
    } else {
        None
    };
    if let Some(len) = simple {
        return (!state.open).then_some(len);
    }
    let kind = simd.and(units, simd.splat16(0xFC00));
    let high = simd.bits16(simd.eq16(kind, simd.splat16(0xD800)));
    let low = simd.bits16(simd.eq16(kind, simd.splat16(0xDC00)));
    // The units past the end of the text are zeros, and the first of them may be where a low
    // surrogate is expected.
    let of_text = S::Bits16::of((u32::MAX >> (BLOCK_UNITS - count)).into());
    if (high << 1 | S::Bits16::of(state.open.into())) & of_text != low {
        return None;
    }
    state.open = high >> (count - 1) != S::Bits16::of(0);
    state.surrogates = true;
    Some(write_to_four(simd, before::<S, O>(simd, src, at, units), units, out))
}

/// Writes the units in the `count` bytes at `at`, at most a block. Returns the number of bytes, or
/// `None`, without a change of `state`, if they do not fit or are ill-formed.
#[inline(always)]
fn write_partial<S: Shuffle, O: ByteOrder<Unit16 = u8>>(
    simd: S,
    state: &mut State,
    src: &[u8],
    at: usize,
    count: usize,
    dst: &mut [Slot],
) -> Option<usize> {
    let count = count / 2;
    let units = load_partial::<S, O>(simd, src.get(at..at + 2 * count)?);
    if !any_from::<0x80, S>(simd, units) {
        let out = dst.get_mut(..count)?;
        if state.open {
            return None;
        }
        simd.store_partial(simd.narrow16(units, units), out);
        return Some(count);
    }
    let mut next = *state;
    let (mut buffer, fits) = ([0; ROOM_BYTES], dst.len() >= ROOM_BYTES);
    let out = dst.first_chunk_mut().unwrap_or(Slot::of_array(&mut buffer));
    // The padding was written as zeros.
    let len = write::<S, O>(simd, &mut next, src, at, units, count, out)? - (BLOCK_UNITS - count);
    if !fits {
        let mut to = dst.get_mut(..len)?;
        for from in buffer.as_chunks::<BLOCK>().0 {
            let (first, rest) = to.split_at_mut(to.len().min(BLOCK));
            simd.store_partial(simd.load(from), first);
            to = rest;
        }
    }
    *state = next;
    Some(len)
}

/// Whether any unit is a surrogate.
#[inline(always)]
pub(super) fn any_surrogate<S: ShuffleOps>(simd: S, units: S::Block) -> bool {
    let kind = simd.and(units, simd.splat16(0xF800));
    simd.bits16(simd.eq16(kind, simd.splat16(0xD800))) != S::Bits16::of(0)
}

/// Converts the longest well-formed UTF-16 prefix of `src` that fits into `dst`.
#[inline(always)]
pub(crate) fn utf16_to_utf8<S: Shuffle, O: ByteOrder<Unit16 = u8>>(
    simd: S,
    src: &[u8],
    dst: &mut [Slot],
) -> Moved {
    let src = src.get(..src.len() & !1).unwrap_or_default();
    if S::FEW_AS_UTF8
        && src.len() <= 16
        && let Some(moved) = convert_few::<S, O>(simd, src, dst)
    {
        return moved;
    }
    if src.len() <= BLOCK {
        convert_block::<S, O>(simd, src, dst)
    } else {
        convert_leading::<S, O>(simd, src, dst)
    }
}

/// Converts up to eight units in a register, without a branch on their number, which is
/// unpredictable in random order. Returns `None` for a surrogate, or if there is no room.
#[inline(always)]
fn convert_few<S: Shuffle, O: ByteOrder<Unit16 = u8>>(
    simd: S,
    src: &[u8],
    dst: &mut [Slot],
) -> Option<Moved> {
    let written = match dst.first_chunk_mut() {
        Some(out) => few_as_utf8::<S, O>(simd, src, out)?,
        None => {
            let mut buffer = [0; BLOCK];
            let written = few_as_utf8::<S, O>(simd, src, Slot::of(&mut buffer).first_chunk_mut()?)?;
            simd.store_partial(simd.load(&buffer), dst.get_mut(..written)?);
            written
        }
    };
    Some(Moved { read: src.len(), written })
}

/// Writes up to eight units. Returns the number of bytes, or `None` for more units or a surrogate.
#[inline(always)]
fn few_as_utf8<S: Shuffle, O: ByteOrder<Unit16 = u8>>(
    simd: S,
    src: &[u8],
    out: &mut [Slot; 32],
) -> Option<usize> {
    if swapped::<O>() { simd.few_as_utf8::<true>(src, out) } else { simd.few_as_utf8::<false>(src, out) }
}

/// Converts the longest well-formed prefix that fits into `dst`, of a text of at most one block.
#[inline(always)]
fn convert_block<S: Shuffle, O: ByteOrder<Unit16 = u8>>(simd: S, src: &[u8], dst: &mut [Slot]) -> Moved {
    let units = load_partial::<S, O>(simd, src);
    if !any_from::<0x80, S>(simd, units)
        && let Some(out) = dst.first_chunk_mut()
    {
        // Narrowing one block takes fewer instructions if it is stored in halves.
        simd.store(simd.narrow16(units, units), out);
        return Moved { read: src.len(), written: src.len() / 2 };
    }
    let mut state = State::default();
    match write_partial::<S, O>(simd, &mut state, src, 0, src.len(), dst) {
        Some(written) if !state.open => Moved { read: src.len(), written },
        _ => finish::<O>(src, dst, Moved::default(), false),
    }
}

/// Converts the ASCII at the beginning of a text longer than a block, or all of an ASCII text,
/// without the code that has many constants to load.
#[inline(always)]
fn convert_leading<S: Shuffle, O: ByteOrder<Unit16 = u8>>(simd: S, src: &[u8], dst: &mut [Slot]) -> Moved {
    // A tail call: text that is not ASCII gains more by it than ASCII loses.
    if let Some(first) = src.first_chunk()
        && any_from::<0x80, S>(simd, load::<S, O>(simd, first))
    {
        return simd.apart::<Anything<O>>(src, dst);
    }
    let units = src.len() / 2;
    let (mut read, mut written) = (0, 0);
    while let Some(step) = chunk_at!(src, read, 2 * BLOCK)
        && let Some(out) = chunk_at_mut!(dst, written)
    {
        let ([first, second], []) = step.as_chunks() else { break };
        let [first, second] = [load::<S, O>(simd, first), load::<S, O>(simd, second)];
        if any_from::<0x80, S>(simd, simd.or(first, second)) {
            break;
        }
        simd.store_whole(simd.narrow16(first, second), out);
        read += 2 * BLOCK;
        written += BLOCK;
    }
    // All of the text: units that the last two blocks share with earlier ones, and with each other,
    // are written again.
    if read + 2 * BLOCK > src.len()
        && let Some(first) = chunk_at!(src, read.min(src.len() - BLOCK))
        && let Some(last) = src.last_chunk()
    {
        let [first, last] = [load::<S, O>(simd, first), load::<S, O>(simd, last)];
        let from = written.min(units - BLOCK_UNITS);
        if !any_from::<0x80, S>(simd, simd.or(first, last))
            && let Some(out) = chunk_at_mut!(dst, units - BLOCK_UNITS)
        {
            simd.store_whole(simd.narrow16(last, last), out);
            if let Some(out) = dst.get_mut(from..from + BLOCK_UNITS) {
                simd.store_partial(simd.narrow16(first, first), out);
            }
            return Moved { read: src.len(), written: units };
        }
    }
    let (rest, room) = (src.get(read..), dst.get_mut(written..));
    let moved = simd.apart::<Anything<O>>(rest.unwrap_or_default(), room.unwrap_or_default());
    Moved { read: read + moved.read, written: written + moved.written }
}

/// Converts a text that is neither short nor all ASCII.
pub(super) struct Anything<O>(PhantomData<O>);

impl<O: ByteOrder<Unit16 = u8>> Apart for Anything<O> {
    type Moved = Moved;
    type Element = Slot;

    #[inline(always)]
    fn run<S: Shuffle>(simd: S, src: &[u8], dst: &mut [Slot]) -> Moved {
        convert::<S, O>(simd, src, dst)
    }
}

/// Converts the longest well-formed prefix of whole units that fits into `dst`.
#[inline(always)]
fn convert<S: Shuffle, O: ByteOrder<Unit16 = u8>>(simd: S, src: &[u8], dst: &mut [Slot]) -> Moved {
    let Moved { mut read, mut written } = Moved::default();
    let mut state = State::default();
    if src.len() - read <= 2 * BLOCK {
        if src.len() - read > BLOCK {
            let rest = dst.get_mut(written..).unwrap_or_default();
            let Some(len) = write_partial::<S, O>(simd, &mut state, src, read, BLOCK, rest) else {
                return finish::<O>(src, dst, Moved { read, written }, false);
            };
            (read, written) = (read + BLOCK, written + len);
        }
        let rest = dst.get_mut(written..).unwrap_or_default();
        if let Some(len) = write_partial::<S, O>(simd, &mut state, src, read, src.len() - read, rest) {
            (read, written) = (src.len(), written + len);
            if !state.open {
                return Moved { read, written };
            }
        }
        return finish::<O>(src, dst, Moved { read, written }, state.open);
    }
    // Up to a 64-byte boundary in memory, so that loads do not cross cache lines. The end is
    // converted likewise.
    let mut now =
        if src.len() - read < MIN_ALIGNED_BYTES { 0 } else { head(src.get(read..).unwrap_or_default()) };
    loop {
        if now > 0 {
            let rest = dst.get_mut(written..).unwrap_or_default();
            let Some(len) = write_partial::<S, O>(simd, &mut state, src, read, now, rest) else { break };
            written += len;
            read += now;
        }
        loop {
            if !S::MASK_REGISTERS && !state.open && !state.surrogates {
                let (rest, room) = (src.get(read..), dst.get_mut(written..));
                let (rest, room) = (rest.unwrap_or_default(), room.unwrap_or_default());
                let moved = simd.apart::<WithoutSurrogates<O>>(rest, room);
                read += moved.read;
                written += moved.written;
            }
            let Some(step) = chunk_at!(src, read, 2 * BLOCK) else { break };
            let Some(out) = chunk_at_mut!(dst, written, 2 * ROOM_BYTES) else {
                break;
            };
            let ([first, second], []) = step.as_chunks() else { break };
            let [first, second] = [load::<S, O>(simd, first), load::<S, O>(simd, second)];
            state.surrogates = false;
            let before = state;
            let len = if any_from::<0x80, S>(simd, simd.or(first, second)) {
                let Some(window) = out.first_chunk_mut() else { break };
                let len = write::<S, O>(simd, &mut state, src, read, first, BLOCK_UNITS, window);
                let window = chunk_at_mut!(out, len.unwrap_or(0) % ROOM_BYTES);
                let (Some(len), Some(window)) = (len, window) else {
                    return finish::<O>(src, dst, Moved { read, written }, before.open);
                };
                let second = write::<S, O>(simd, &mut state, src, read + BLOCK, second, BLOCK_UNITS, window);
                let Some(second) = second else {
                    return finish::<O>(src, dst, Moved { read, written }, before.open);
                };
                len + second
            } else {
                if state.open {
                    return finish::<O>(src, dst, Moved { read, written }, true);
                }
                let Some(out) = out.first_chunk_mut() else { break };
                simd.store_whole(simd.narrow16(first, second), out);
                BLOCK
            };
            written += len;
            read += 2 * BLOCK;
        }
        now = (src.len() - read).min(BLOCK);
        if now == 0 {
            break;
        }
    }
    if read == src.len() && !state.open {
        return Moved { read, written };
    }
    finish::<O>(src, dst, Moved { read, written }, state.open)
}

/// Converts whole steps up to a block with surrogates, on levels without mask registers.
struct WithoutSurrogates<O>(PhantomData<O>);

impl<O: ByteOrder<Unit16 = u8>> Apart for WithoutSurrogates<O> {
    type Moved = Moved;
    type Element = Slot;

    #[inline(always)]
    fn run<S: Shuffle>(simd: S, src: &[u8], dst: &mut [Slot]) -> Moved {
        let Moved { mut read, mut written } = Moved::default();
        let mut len_before = 0;
        while let Some(step) = chunk_at!(src, read, 2 * BLOCK)
            && let Some(out) = chunk_at_mut!(dst, written, 2 * ROOM_BYTES)
        {
            let ([first, second], []) = step.as_chunks() else { break };
            let [first, second] = [load::<S, O>(simd, first), load::<S, O>(simd, second)];
            let len = if len_before >= DENSE_STEP_BYTES || any_from::<0x80, S>(simd, simd.or(first, second)) {
                let Some(window) = out.first_chunk_mut() else { break };
                let Some(len) = simd.pack_as_utf8(first, window) else { break };
                let Some(window) = chunk_at_mut!(out, len % ROOM_BYTES) else { break };
                let Some(second) = simd.pack_as_utf8(second, window) else {
                    return Moved { read: read + BLOCK, written: written + len };
                };
                len + second
            } else {
                let Some(out) = out.first_chunk_mut() else { break };
                simd.store_whole(simd.narrow16(first, second), out);
                BLOCK
            };
            len_before = len;
            written += len;
            read += 2 * BLOCK;
        }
        Moved { read, written }
    }
}

/// Number of bytes before the first 64-byte boundary in memory, if units do not cross it.
#[inline(always)]
fn head(src: &[u8]) -> usize {
    src.as_ptr().align_offset(BLOCK) & !1
}

/// Converts the rest after `moved` in plain code, where the text does not fit, or is ill-formed or
/// truncated. If `open`, the last unit was a high surrogate, whose two bytes are taken back.
#[cold]
#[inline(never)]
fn finish<O: ByteOrder<Unit16 = u8>>(src: &[u8], dst: &mut [Slot], moved: Moved, open: bool) -> Moved {
    let back = if open { 2 } else { 0 };
    let Moved { read, written } = Moved { read: moved.read - back, written: moved.written - back };
    let rest = portable::utf16_to_utf8::utf16_to_utf8::<O>(
        src.get(read..).unwrap_or_default(),
        dst.get_mut(written..).unwrap_or_default(),
    );
    Moved { read: read + rest.read, written: written + rest.written }
}

#[cfg(test)]
mod tests {
    use super::portable::samples::{MIXED, Numbers};
    use super::*;
    use crate::ground::unit::{Be, Le};
    use crate::kernels::dispatch::{Isa, Kernels};
    use crate::simd::model::Model;

    /// Returns the longest well-formed prefix of `src` that has at most `room` bytes in UTF-8.
    fn expected(src: &[u16], room: usize) -> (usize, String) {
        let mut text = String::new();
        for c in char::decode_utf16(src.iter().copied()) {
            let Ok(c) = c else { break };
            if text.len() + c.len_utf8() > room {
                break;
            }
            text.push(c);
        }
        (text.encode_utf16().count(), text)
    }

    /// Checks all levels and the model, in both byte orders, at an address `shift` bytes after an
    /// aligned one, and with an extra byte at the end.
    fn check(src: &[u16], room: usize, shift: usize, model: bool) {
        let (read, text) = expected(src, room);
        let moved = Moved { read: 2 * read, written: text.len() };
        let mut memory = vec![0xEE; room + 64];
        let dst = &mut memory[..room];
        let mut input = vec![0; 2 * src.len() + 200];
        let start = input.as_ptr().align_offset(BLOCK) + shift;
        let input = &mut input[start..=start + 2 * src.len()];
        let look = |name: &str, actual: Moved, dst: &[u8]| {
            assert_eq!(actual, moved, "{name}, room for {room}: {src:04x?}");
            assert_eq!(&dst[..moved.written], text.as_bytes(), "{name}, room for {room}: {src:04x?}");
        };
        for big in [false, true] {
            for (slot, unit) in input.as_chunks_mut().0.iter_mut().zip(src) {
                *slot = if big { unit.to_be_bytes() } else { unit.to_le_bytes() };
            }
            for kernels in Isa::available().filter_map(Kernels::of) {
                let kernel = if big { Kernels::utf16be_to_utf8 } else { Kernels::utf16le_to_utf8 };
                look(kernels.isa().name(), kernel(kernels, input, dst), dst);
            }
            if model {
                let actual = if big {
                    utf16_to_utf8::<_, Be>(Model, input, Slot::of(dst))
                } else {
                    utf16_to_utf8::<_, Le>(Model, input, Slot::of(dst))
                };
                look("model", actual, dst);
            }
        }
        assert!(memory[room..].iter().all(|&byte| byte == 0xEE), "written after the end");
    }

    fn units(text: &str) -> Vec<u16> {
        text.encode_utf16().collect()
    }

    #[test]
    fn every_scalar_value_among_others() {
        let all = units(&('\0'..=char::MAX).collect::<String>());
        check(&all, 3 * all.len(), 0, false);
        for text in ["a", "é", "日", "😀", "é日😀b"] {
            let spaced: String =
                ('\0'..=char::MAX).step_by(7).flat_map(|c| [c.to_string(), text.into()]).collect();
            let spaced = units(&spaced);
            check(&spaced, 3 * spaced.len(), 0, false);
        }
    }

    #[test]
    fn every_room_for_a_mixed_text() {
        let text = MIXED.repeat(2);
        let src = units(&text);
        for room in 0..=text.len() + 2 {
            check(&src, room, 0, room % 64 == 0);
        }
    }

    #[test]
    fn every_start_end_and_place_in_memory() {
        let src = units(&MIXED.repeat(2));
        for from in 0..src.len() {
            let cut = &src[from..];
            check(cut, 3 * cut.len() + 200, from % 64, from % 32 == 0);
            let cut = &src[..from];
            check(cut, 3 * cut.len(), from % 64, from % 32 == 0);
            let cut = &src[from / 2..from];
            check(cut, 3 * cut.len() + 200, from % 64, from % 32 == 0);
        }
    }

    #[test]
    fn few_units_of_any_kind() {
        const UNITS: [u16; 12] =
            [0, 0x41, 0x7F, 0x80, 0xE9, 0x7FF, 0x800, 0x65E5, 0xD7FF, 0xE000, 0xFFFF, 0xD83D];
        let mut numbers = Numbers::new(16);
        for len in 0..=9 {
            for round in 0..1000 {
                // One text in four may have surrogates.
                let kinds = if round % 4 == 0 { UNITS.len() } else { UNITS.len() - 1 };
                let src: Vec<u16> = (0..len).map(|_| UNITS[numbers.below(kinds)]).collect();
                let written = expected(&src, 3 * len).1.len();
                for room in [written.saturating_sub(1), written, written + 70] {
                    check(&src, room, numbers.below(64), round % 10 == 0);
                }
            }
        }
    }

    #[test]
    fn borders_at_every_place_of_a_block() {
        let borders: &[&[u16]] = &[
            &[0x7F],
            &[0x80],
            &[0x7FF],
            &[0x800],
            &[0xD7FF],
            &[0xE000],
            &[0xFFFF],
            &[0xD800, 0xDC00],
            &[0xDBFF, 0xDFFF],
            &[0xD800],
            &[0xDBFF],
            &[0xDC00],
            &[0xDFFF],
            &[0xD800, 0x41],
            &[0xD800, 0xD800, 0xDC00],
            &[0xDC00, 0xD800],
            &[0xD800, 0xE000],
            &[0xDBFF, 0xDBFF],
            &[0xD800, 0xDC00, 0xDC00],
            &[0x0000],
        ];
        for padding in ["a", "é", "日", "😀"] {
            for (at, border) in (0..=130).flat_map(|at| borders.iter().map(move |border| (at, border))) {
                let before = padding.repeat(at);
                for after in ["", padding, &padding.repeat(70)] {
                    let src = [&units(&before), *border, &units(after)].concat();
                    check(&src, 3 * src.len() + 130, 0, false);
                }
            }
        }
    }

    #[test]
    fn damaged_texts_are_converted_up_to_the_damage() {
        let text = units(&MIXED.repeat(3));
        let mut numbers = Numbers::new(16);
        for round in 0..8000 {
            let from = numbers.below(text.len());
            let to = from + numbers.below(text.len() - from + 1);
            let mut src = text[from..to].to_vec();
            for _ in 0..numbers.below(3).min(src.len()) {
                let at = numbers.below(src.len());
                src[at] = [0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xD7FF, 0xE000, 0x41, 0x800][numbers.below(8)];
            }
            let room = numbers.below(3 * src.len() + 200);
            check(&src, room, numbers.below(64), round % 64 == 0);
        }
    }
}
