//! UTF-16 to UTF-8, checking.

use super::{Moved, portable};
use crate::simd::{BLOCK, Shuffle};
use crate::unit::ByteOrder;

/// Units of a block.
const UNITS: usize = BLOCK / 2;
/// Room for the output of a block: at most 96 bytes, and what the second store writes beyond.
pub(super) const ROOM: usize = 2 * BLOCK;

/// Whether units have their bytes in the opposite order of lanes. Known when compiled.
#[inline(always)]
fn swapped<O: ByteOrder<Unit16 = u8>>() -> bool {
    O::get16(&[0, 1]) == Some(1)
}

/// The units as lanes.
#[inline(always)]
fn load<S: Shuffle, O: ByteOrder<Unit16 = u8>>(simd: S, src: &[u8; BLOCK]) -> S::Block {
    let block = simd.load(src);
    if swapped::<O>() { simd.swap16(block) } else { block }
}

/// The first units of `src` as lanes, and zeros after them if there are fewer than a block has.
#[inline(always)]
fn load_partial<S: Shuffle, O: ByteOrder<Unit16 = u8>>(simd: S, src: &[u8]) -> S::Block {
    match src.first_chunk() {
        Some(src) => load::<S, O>(simd, src),
        None => {
            let block = simd.load_partial(src);
            if swapped::<O>() { simd.swap16(block) } else { block }
        }
    }
}

/// Whether any unit is `FIRST` or above, which must be a power of two.
#[inline(always)]
fn any_from<const FIRST: u16, S: Shuffle>(simd: S, units: S::Block) -> bool {
    const { assert!(FIRST.is_power_of_two()) };
    simd.any_bit(simd.and(units, simd.splat16(FIRST.wrapping_neg())))
}

/// Units below U+0800 as pairs of bytes: the lead and the continuation byte, or the ASCII character and zero.
#[inline(always)]
pub(super) fn pairs<S: Shuffle>(simd: S, units: S::Block) -> S::Block {
    let bits = simd.and(simd.bytes16::<6, 0>(units), simd.splat16(0x3F1F));
    let two = simd.or(bits, simd.splat16(0x80C0));
    simd.select16(simd.ge16(units, simd.splat16(0x80)), two, units)
}

/// The 64 bytes of `out` from `at` on.
#[inline(always)]
pub(super) fn from(out: &mut [u8; ROOM], at: usize) -> &mut [u8; BLOCK] {
    match out.get_mut(at % BLOCK..).and_then(<[u8]>::first_chunk_mut) {
        Some(out) => out,
        None => unreachable!(),
    }
}

/// Writes a block of units below U+0800. Returns the number of bytes.
#[inline(always)]
pub(super) fn write_to_two<S: Shuffle>(simd: S, units: S::Block, out: &mut [u8; ROOM]) -> usize {
    simd.pack_pairs(pairs(simd, units), from(out, 0))
}

/// Writes a block of units without surrogates. Returns the number of bytes.
#[inline(always)]
fn write_to_three<S: Shuffle>(simd: S, units: S::Block, out: &mut [u8; ROOM]) -> usize {
    let units = simd.order_for_zip(units);
    let from_80 = simd.ge16(units, simd.splat16(0x80));
    let from_800 = simd.ge16(units, simd.splat16(0x800));
    let lead = simd.or(simd.and(simd.shr16::<4>(units), simd.splat16(0x0F00)), simd.splat16(0xE000));
    let lead = simd.keep16(from_800, lead);
    let bits = simd.and(simd.bytes16::<6, 0>(units), simd.splat16(0x3F3F));
    let rest = simd.or(bits, simd.splat16(0x8080));
    let rest = simd.select16(from_800, rest, simd.add16(rest, simd.splat16(0x0040)));
    let rest = simd.select16(from_80, rest, simd.shl16::<8>(units));
    write_quads(simd, simd.zip16_ordered(lead, rest), out)
}

/// Writes two blocks of quads. Returns the number of bytes.
#[inline(always)]
fn write_quads<S: Shuffle>(simd: S, quads: [S::Block; 2], out: &mut [u8; ROOM]) -> usize {
    let first = simd.pack_quads(quads[0], from(out, 0));
    first + simd.pack_quads(quads[1], from(out, first))
}

/// The units before those of the block at `at`.
#[inline(always)]
fn before<S: Shuffle, O: ByteOrder<Unit16 = u8>>(
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

/// Writes a block of units with surrogates, of which all are in pairs; but the block may begin and end within one.
/// Returns the number of bytes.
#[inline(always)]
fn write_to_four<S: Shuffle>(simd: S, before: S::Block, units: S::Block, out: &mut [u8; ROOM]) -> usize {
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
    if surrogates == simd.bits16(from_800) {
        let pairs = simd.select16(high, first_half, simd.select16(low, second_half, two));
        return simd.pack_pairs(simd.select16(from_80, pairs, units), from(out, 0));
    }
    let three = simd.or(simd.and(bits, simd.splat16(0x3F3F)), simd.splat16(0x8080));
    let rest = simd.select16(from_800, three, two);
    let rest = simd.select16(high, first_half, simd.select16(low, second_half, rest));
    let rest = simd.select16(from_80, rest, simd.shl16::<8>(units));
    let lead = simd.or(simd.and(simd.shr16::<4>(units), simd.splat16(0x0F00)), simd.splat16(0xE000));
    let lead = simd.keep16(simd.mask16(simd.bits16(from_800) & !surrogates), lead);
    write_quads(simd, simd.zip16(lead, rest), out)
}

/// Writes the block of units at `at`, of which the first `count` are of the text. Returns the number of bytes, and whether the last unit is a
/// high surrogate, of which two bytes were written; or `None` if there is a surrogate that is in no pair.
#[inline(always)]
fn write<S: Shuffle, O: ByteOrder<Unit16 = u8>>(
    simd: S,
    src: &[u8],
    at: usize,
    units: S::Block,
    count: usize,
    open: bool,
    out: &mut [u8; ROOM],
) -> Option<(usize, bool)> {
    if !any_from::<0x800, S>(simd, units) {
        let written = write_to_two(simd, units, out);
        return (!open).then_some((written, false));
    }
    let kind = simd.and(units, simd.splat16(0xF800));
    if simd.bits16(simd.eq16(kind, simd.splat16(0xD800))) == 0 {
        let written = write_to_three(simd, units, out);
        return (!open).then_some((written, false));
    }
    let kind = simd.and(units, simd.splat16(0xFC00));
    let high = simd.bits16(simd.eq16(kind, simd.splat16(0xD800)));
    let low = simd.bits16(simd.eq16(kind, simd.splat16(0xDC00)));
    // Behind the last unit of the text are zeros, of which one may be expected to be a low surrogate.
    let of_text = u32::MAX >> (UNITS - count);
    if (high << 1 | u32::from(open)) & of_text != low {
        return None;
    }
    let written = write_to_four(simd, before::<S, O>(simd, src, at, units), units, out);
    Some((written, high >> (count - 1) != 0))
}

/// Converts the longest prefix of `src` that is well-formed UTF-16 and fits into `dst`.
#[inline(always)]
pub(crate) fn utf16_to_utf8<S: Shuffle, O: ByteOrder<Unit16 = u8>>(
    simd: S,
    src: &[u8],
    dst: &mut [u8],
) -> Moved {
    let src = src.get(..src.len() & !1).unwrap_or_default();
    let Moved { mut read, mut written } = Moved::default();
    let mut open = false;
    let mut buffer = [0; ROOM];
    let mut now = if src.len() < 512 { src.len().min(BLOCK) } else { head(src) };
    loop {
        if now > 0 {
            let Some(units) = src.get(read..read + now) else { break };
            let lanes = load_partial::<S, O>(simd, units);
            let rest = dst.get_mut(written..).unwrap_or_default();
            if !any_from::<0x80, S>(simd, lanes) {
                let Some(out) = rest.get_mut(..now / 2) else { break };
                if open {
                    break;
                }
                simd.store_partial(simd.narrow16(lanes, lanes), out);
                written += now / 2;
            } else if let Some(out) = rest.first_chunk_mut() {
                let Some((len, next)) = write::<S, O>(simd, src, read, lanes, now / 2, open, out) else {
                    break;
                };
                written += len - (UNITS - now / 2);
                open = next;
            } else {
                let Some((len, next)) = write::<S, O>(simd, src, read, lanes, now / 2, open, &mut buffer)
                else {
                    break;
                };
                let len = len - (UNITS - now / 2);
                let (Some(out), Some(bytes)) = (rest.get_mut(..len), buffer.get(..len)) else { break };
                out.copy_from_slice(bytes);
                written += len;
                open = next;
            }
            read += now;
        }
        while let Some(step) = src.get(read..).and_then(<[u8]>::first_chunk::<{ 2 * BLOCK }>) {
            let Some(out) = dst.get_mut(written..).and_then(<[u8]>::first_chunk_mut::<{ 2 * ROOM }>) else {
                break;
            };
            let ([first, second], []) = step.as_chunks() else { break };
            let [first, second] = [load::<S, O>(simd, first), load::<S, O>(simd, second)];
            if !any_from::<0x80, S>(simd, simd.or(first, second)) {
                if open {
                    return finish::<O>(src, dst, Moved { read, written }, open);
                }
                if let Some(out) = out.first_chunk_mut() {
                    simd.store(simd.narrow16(first, second), out);
                }
                written += BLOCK;
            } else {
                let Some(window) = out.first_chunk_mut() else { break };
                let Some((len, next)) = write::<S, O>(simd, src, read, first, UNITS, open, window) else {
                    return finish::<O>(src, dst, Moved { read, written }, open);
                };
                let Some(window) = out.get_mut(len % ROOM..).and_then(<[u8]>::first_chunk_mut) else { break };
                let Some((second_len, next)) =
                    write::<S, O>(simd, src, read + BLOCK, second, UNITS, next, window)
                else {
                    return finish::<O>(src, dst, Moved { read, written }, open);
                };
                written += len + second_len;
                open = next;
            }
            read += 2 * BLOCK;
        }
        now = (src.len() - read).min(BLOCK);
        if now == 0 {
            break;
        }
    }
    if read == src.len() && !open {
        return Moved { read, written };
    }
    finish::<O>(src, dst, Moved { read, written }, open)
}

/// How many bytes there are before the first border of 64 in memory, if units do not cross it.
#[inline(always)]
fn head(src: &[u8]) -> usize {
    src.as_ptr().align_offset(BLOCK) & !1
}

/// Finishes the conversion after `moved`: what does not fit, or is ill-formed or cut off. If `open`, the last unit was a
/// high surrogate of which two bytes were written, which are taken back.
#[cold]
#[inline(never)]
fn finish<O: ByteOrder<Unit16 = u8>>(src: &[u8], dst: &mut [u8], moved: Moved, open: bool) -> Moved {
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
    use crate::dispatch::{Isa, Kernels};
    use crate::simd::model::Model;
    use crate::unit::{Be, Le};

    /// The longest prefix of `src` that is well-formed and has at most `room` bytes in UTF-8.
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

    /// Checks all levels and the model, in both orders, from a place in memory that is `shift` bytes after an aligned
    /// one and with a byte too many at the end.
    fn check(src: &[u16], room: usize, shift: usize, model: bool) {
        let (read, text) = expected(src, room);
        let moved = Moved { read: 2 * read, written: text.len() };
        let mut memory = vec![0xEE; room + 64];
        let dst = &mut memory[..room];
        let mut input = vec![0; 2 * src.len() + 200];
        let start = input.as_ptr().align_offset(BLOCK) + shift;
        let input = &mut input[start..=start + 2 * src.len()];
        let mut look = |name: &str, actual: Moved, dst: &[u8]| {
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
                    utf16_to_utf8::<_, Be>(Model, input, dst)
                } else {
                    utf16_to_utf8::<_, Le>(Model, input, dst)
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
