//! Conversion of UTF-8 to single-byte encodings.
//!
//! A two-byte sequence selects a row of 64 bytes by its lead byte, one of few that occur in the
//! encoding, and an entry by its continuation byte: one lookup per block for each such lead byte in
//! it. The four lead bytes with most code points have rows. A three-byte sequence selects its row
//! by its first two bytes, again for the four pairs with most code points: E2 80 for quotation
//! marks and dashes, E0 B8 for Thai. Blocks with other or longer sequences are converted to UTF-16
//! first, and each unit is looked up separately.

use super::tables::{LEADS, SingleByteEncoder};
use crate::ground::chunk::{chunk_at, chunk_at_mut};
use crate::ground::unit::Le;
use crate::kernels::utf8_to_utf16::utf8_to_utf16;
use crate::kernels::{Moved, portable};
use crate::simd::{Apart, Shuffle, Slot};

/// Converts the longest prefix that is well-formed, that the encoding can represent, and that fits.
#[inline(always)]
pub(crate) fn utf8_to_single_byte<S: Shuffle>(
    simd: S,
    table: &SingleByteEncoder,
    src: &[u8],
    dst: &mut [u8],
) -> Moved {
    if src.len() < MIN_VECTOR_BYTES {
        return portable::single_byte::utf8_to_single_byte(table, src, dst);
    }
    let ascii = simd.table128(&table.ascii);
    let mut rows = [simd.table64(&table.lead_rows[0]); LEADS];
    for (to, row) in rows.iter_mut().zip(&table.lead_rows) {
        *to = simd.table64(row);
    }
    let mut moved = Moved::default();
    let mut piece = FIRST_PIECE_BYTES;
    loop {
        // A block begins and ends with whole sequences; if its end would split one, the block ends
        // before it.
        let (Some(bytes), Some(out)) =
            (chunk_at!(src, moved.read, 64), chunk_at_mut!(dst, moved.written, 64))
        else {
            return match end(simd, table, ascii, &rows, src, dst, moved) {
                Some(moved) => moved,
                None => by_units(simd, table, src, dst, moved, usize::MAX).0,
            };
        };
        let block = simd.load(bytes);
        if table.identity && !simd.any(simd.high_bit(block)) {
            simd.store(block, Slot::of_array(out));
            moved.read += 64;
            moved.written += 64;
            piece = FIRST_PIECE_BYTES;
            continue;
        }
        let part =
            by_rows(simd, table, ascii, &rows, block, out).or_else(|| by_heads(simd, table, block, out));
        if let Some(part) = part {
            moved.read += part.read;
            moved.written += part.written;
            piece = FIRST_PIECE_BYTES;
        } else {
            // If neither a block nor the next one can use the rows, those after them seldom can.
            let (next, went_on) = by_units(simd, table, src, dst, moved, piece);
            moved = next;
            piece = PIECE_BYTES.min(2 * piece);
            if !went_on {
                return moved;
            }
        }
    }
}

/// Converts a block of one- and two-byte sequences, if the rows have them all.
#[inline(always)]
fn by_rows<S: Shuffle>(
    simd: S,
    table: &SingleByteEncoder,
    ascii: S::Table128,
    rows: &[S::Table64; LEADS],
    block: S::Block,
    out: &mut [u8; 64],
) -> Option<Moved> {
    let (high, zero) = (simd.high_bit(block), simd.splat(0));
    // C0 and C1 are among these, but have no row.
    let leads = simd.ge(block, simd.splat(0xC0));
    let lead = simd.bits(leads);
    if simd.bits(high) & !lead != lead << 1 {
        return None;
    }
    let before = simd.after_zeros::<1>(block);
    let mut to = if table.identity { block } else { simd.lookup128(ascii, block) };
    let mut open = simd.both(high, simd.not(leads));
    for (&row, lead) in rows.iter().zip(table.leads) {
        // If there are fewer than four, lead byte 0 selects the bytes after NUL, which are not
        // continuation bytes.
        let here = simd.both(simd.eq(before, simd.splat(lead)), open);
        to = simd.select(here, simd.lookup64(row, block), to);
        open = simd.both(open, simd.not(here));
        if !simd.any(open) {
            break;
        }
    }
    // 0 means U+0000 only; where it means another code point, the conversion by units handles it.
    let right = simd.either(simd.eq(block, zero), leads);
    let wrong = simd.either(open, simd.both(simd.eq(to, zero), simd.not(right)));
    if simd.any(wrong) || table.zero != 0 {
        return None;
    }
    Some(Moved {
        read: 64 - usize::from(lead >> 63 == 1),
        written: simd.pack8(to, !lead, Slot::of_array(out)),
    })
}

/// Converts the end of a text, less than a block, as a block padded with U+0000, whose bytes are
/// dropped again. Returns the progress, or `None` if the rows do not have all code points, the last
/// sequence is incomplete, or the result may not fit.
///
/// UTF-16 and its buffer would take most of the time.
#[inline(always)]
fn end<S: Shuffle>(
    simd: S,
    table: &SingleByteEncoder,
    ascii: S::Table128,
    rows: &[S::Table64; LEADS],
    src: &[u8],
    dst: &mut [u8],
    moved: Moved,
) -> Option<Moved> {
    let rest = src.get(moved.read..).filter(|rest| rest.len() < 64)?;
    let added = 64 - rest.len();
    let block = simd.load_partial(rest);
    let room = dst.get_mut(moved.written..)?;
    let mut aside = [0; 64];
    let (out, fits) = match room.first_chunk_mut() {
        Some(out) => (out, true),
        None => (&mut aside, false),
    };
    let part = by_rows(simd, table, ascii, rows, block, out).or_else(|| by_heads(simd, table, block, out))?;
    // An incomplete sequence at the end would take the padding for its second byte.
    if part.read < 64 {
        return None;
    }
    let written = part.written - added;
    if !fits {
        room.get_mut(..written)?.copy_from_slice(aside.get(..written)?);
    }
    Some(Moved { read: src.len(), written: moved.written + written })
}

/// Converts a block of sequences of one to three bytes, if the rows have them all.
#[inline(always)]
fn by_heads<S: Shuffle>(
    simd: S,
    table: &SingleByteEncoder,
    block: S::Block,
    out: &mut [u8; 64],
) -> Option<Moved> {
    let (lead, three) =
        (simd.bits(simd.ge(block, simd.splat(0xC0))), simd.bits(simd.ge(block, simd.splat(0xE0))));
    let dropped = lead | three << 1;
    let last = simd.bits(simd.high_bit(block)) & !dropped;
    // A four-byte sequence has one byte more. The lookup fails if the second byte of three is
    // ASCII.
    let formed = last == (lead & !three) << 1 | three << 2 && lead & three << 1 == 0;
    if !formed || table.zero != 0 {
        return None;
    }
    let (before, first) = (simd.after_zeros::<1>(block), simd.after_zeros::<2>(block));
    let mut to = if table.identity { block } else { simd.lookup128(simd.table128(&table.ascii), block) };
    let mut open = simd.mask(last);
    // The bytes before an open one are not 0, the entry of missing rows.
    for (row, &[lead, second]) in table.head_rows.iter().zip(&table.heads) {
        let head = simd.both(simd.eq(first, simd.splat(lead)), simd.eq(before, simd.splat(second)));
        let here = simd.both(head, open);
        if simd.any(here) {
            to = simd.select(here, simd.lookup64(simd.table64(row), block), to);
            open = simd.both(open, simd.not(here));
        }
    }
    for (row, &lead) in table.lead_rows.iter().zip(&table.leads) {
        if !simd.any(open) {
            break;
        }
        let here = simd.both(simd.eq(before, simd.splat(lead)), open);
        to = simd.select(here, simd.lookup64(simd.table64(row), block), to);
        open = simd.both(open, simd.not(here));
    }
    let zero = simd.splat(0);
    let lacking = simd.both(simd.eq(to, zero), simd.mask(!dropped));
    let lacking = simd.both(lacking, simd.not(simd.eq(block, zero)));
    if simd.any(simd.either(open, lacking)) {
        return None;
    }
    // The first bytes of an incomplete sequence at the end are left to the next block.
    let cut = usize::from(lead >> 63 == 1) + 2 * usize::from(three >> 62 & 1 == 1);
    Some(Moved { read: 64 - cut, written: simd.pack8(to, !dropped, Slot::of_array(out)) })
}

/// Texts shorter than this are converted byte by byte: loading the vector tables takes longer.
const MIN_VECTOR_BYTES: usize = 16;
/// Bytes that are converted to UTF-16 at a time.
const PIECE_BYTES: usize = 512;
/// Bytes that are converted to UTF-16 at first, when the blocks before used the rows: a quotation
/// mark in French text.
const FIRST_PIECE_BYTES: usize = 64;

/// Conversion of UTF-8 to UTF-16 in a function of its own: inlined, the kernel of each level would
/// have it twice, and it is larger than the rest.
struct Units;

impl Apart for Units {
    type Moved = Moved;
    type Element = Slot;
    #[inline(always)]
    fn run<S: Shuffle>(simd: S, src: &[u8], dst: &mut [Slot]) -> Moved {
        utf8_to_utf16::<Le, S>(simd, src, dst)
    }
}

/// Continues for `len` bytes of the source, or a little less, through UTF-16, each unit of which is
/// looked up separately. Returns the progress, and whether it got that far.
#[inline(always)]
fn by_units<S: Shuffle>(
    simd: S,
    table: &SingleByteEncoder,
    src: &[u8],
    dst: &mut [u8],
    mut moved: Moved,
    len: usize,
) -> (Moved, bool) {
    let end = src.len().min(moved.read.saturating_add(len));
    // Clearing the larger one takes longer than converting a short text.
    let (mut small, mut large);
    let units: &mut [u8] = if end - moved.read.min(end) <= FIRST_PIECE_BYTES {
        small = [0; 2 * FIRST_PIECE_BYTES];
        &mut small
    } else {
        large = [0; 2 * PIECE_BYTES];
        &mut large
    };
    loop {
        let piece = src.get(moved.read..end).unwrap_or_default();
        let piece = piece.get(..PIECE_BYTES).unwrap_or(piece);
        let part = simd.apart::<Units>(piece, Slot::of(units));
        let units = units.get(..part.written).unwrap_or_default().as_chunks().0;
        let out = dst.get_mut(moved.written..moved.written + units.len());
        if !out.is_some_and(|out| table.look_up_all(units, out)) {
            // A code point has no byte, or no room.
            let dst = dst.get_mut(moved.written..).unwrap_or_default();
            let part = portable::single_byte::utf8_to_single_byte(table, piece, dst);
            return (Moved { read: moved.read + part.read, written: moved.written + part.written }, false);
        }
        moved.read += part.read;
        moved.written += units.len();
        // An incomplete sequence at the end of the piece has at most three bytes.
        if part.read + 3 < piece.len() || part.read == 0 {
            return (moved, false);
        }
        if moved.read + 3 >= end && end < src.len() {
            return (moved, true);
        }
    }
}
