//! The loops to UTF-8 and from it: direct bytes by eight, base64 by groups.

use super::run::{Utf7State, encode_shifted};
use super::variant::{NONE, Variant, class};
use placemat_core::forms::pieces::{self, lanes};
use placemat_core::ground::chunk::{chunk_at, chunk_at_mut};
use placemat_core::ground::code_point::CodePoint;

/// Returns `true` if a byte is surely literal in all variants and both directions. `false` decides nothing.
#[inline(always)]
fn is_plain<V: Variant>(byte: u8) -> bool {
    let text = byte.wrapping_sub(0x20) < 0x5E;
    if V::IMAP {
        text & (byte != b'&')
    } else if V::OPTIONAL {
        (text & (byte != b'+') & (byte != b'\\')) | (byte == b'\n') | (byte == b'\r')
    } else {
        // Letters and digits, most bytes between them, and white space.
        ((byte | 0x20).wrapping_sub(b'a') < 26)
            | ((byte.wrapping_sub(b',') < 15) & (byte != b';'))
            | (byte == b' ')
            | (byte == b'\n')
            | (byte == b'\r')
    }
}

pub(super) fn to_utf8<V: Variant>(state: &mut Utf7State, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let plain = |state: &mut Utf7State, src: &[u8], dst: &mut [u8]| {
        let some = copy_plain::<V>(state, src, dst);
        state.after_run &= some == 0;
        some
    };
    pieces::to_utf8_by_pieces(state, src, dst, plain, to_units::<V>)
}

/// Copies blocks of literal bytes, outside of runs. Returns the number of bytes.
#[inline(always)]
fn copy_plain<V: Variant>(state: &Utf7State, src: &[u8], dst: &mut [u8]) -> usize {
    if state.run { 0 } else { pieces::blocks(src, dst, is_plain::<V>, |byte| byte) }
}

/// The number of bytes, of eight, before the first that may not be literal in both directions.
#[inline(always)]
fn direct_bytes<V: Variant>(bytes: [u8; 8]) -> usize {
    let all = u64::from_le_bytes(bytes);
    let low = all & !lanes::HIGH8;
    let is_not = |byte| lanes::is_not8(low, byte);
    let mut text = lanes::from8(low, 0x20) & is_not(V::SHIFT);
    if V::IMAP {
        text &= !lanes::from8(low, 0x7F);
    } else {
        text = text & !lanes::from8(low, 0x7E) & is_not(b'\\') | !(is_not(b'\n') & is_not(b'\r'));
    }
    lanes::before8(!text | all)
}

/// The number of groups of eight characters (three units) that the loop reads at a time. Three are as long as most words,
/// so that the processor need not predict the end of a run.
const GROUPS: usize = 3;
const CHARACTERS: usize = 8 * GROUPS;
const UNITS: usize = 3 * GROUPS;
/// The bits of a group.
const GROUP: u64 = 0xFFFF_FFFF_FFFF;

/// Masks that keep the first bits of three groups, by half the number of bits.
static KEEP: [[u64; GROUPS]; 24 * GROUPS + 1] = {
    let mut all = [[0; GROUPS]; 24 * GROUPS + 1];
    let mut bits = 0;
    while bits <= 48 * GROUPS {
        let mut group = 0;
        while group < GROUPS {
            let kept = bits.saturating_sub(48 * group);
            all[bits / 2][group] = if kept < 48 { !(GROUP >> kept) & GROUP } else { GROUP };
            group += 1;
        }
        bits += 2;
    }
    all
};

/// The lanes that hold surrogates of a kind, group after group: the last unit has the lowest bit of the result.
#[inline(always)]
fn halves(groups: [u64; GROUPS], which: u16) -> u32 {
    groups.iter().fold(0, |all, &group| {
        let not = lanes::any16((group ^ lanes::all16(which)) & lanes::all16(0xFC00));
        let are = !not & lanes::HIGH16;
        all << 3 | (are >> 45 & 4) as u32 | (are >> 30 & 2) as u32 | (are >> 15 & 1) as u32
    })
}

/// Reads a piece. Returns the number of bytes and of units.
#[expect(clippy::cast_possible_truncation, reason = "units of 16 bits, and fewer that are left over")]
fn to_units<V: Variant>(state: &mut Utf7State, src: &[u8], units: &mut [u16]) -> (usize, usize) {
    // The loop starts only where units and characters begin together, as they do every three units.
    if state.lead != 0 || state.owed.is_some() || state.count != 0 {
        return (0, 0);
    }
    let mut now = *state;
    // The offset of the next character that is not among the bits, the number of units, and whether a surrogate is unpaired.
    let (mut next, mut count, mut open) = (usize::from(now.ahead), 0, false);
    // The offset, the number of units and the state at the end of the last whole step in a run.
    let mut whole = (0, 0, now);
    now.ahead = false;
    while let Some(bytes) = chunk_at!(src, next, CHARACTERS + 1)
        && let Some(to) = chunk_at_mut!(units, count, UNITS)
    {
        if !now.run {
            let Some(eight) = bytes.first_chunk::<8>() else { break };
            // This precedes the count of the others, or the compiler takes the bytes out of that integer one by one.
            for (to, &byte) in to.iter_mut().zip(eight) {
                *to = byte.into();
            }
            let some = direct_bytes::<V>(*eight);
            (next, count) = (next + some, count + some);
            now.after_run &= some == 0;
            if some == 8 {
                continue;
            }
            let (byte, after) = (bytes[some], bytes[some + 1]);
            if byte == V::SHIFT && class::<V>(after).sextet != NONE && !(V::IMAP && now.after_run) {
                now = Utf7State::opened();
                next += 1;
                whole = (next, count, now);
            } else if class::<V>(byte).read_direct || byte == V::SHIFT && after == b'-' {
                to[some] = byte.into();
                (next, count) = (next + 1 + usize::from(byte == V::SHIFT), count + 1);
                now.after_run = false;
            } else {
                break;
            }
            continue;
        }
        let (mut groups, mut stops) = ([0; GROUPS], 0);
        for (group, characters) in groups.iter_mut().zip(bytes.as_chunks().0) {
            let none;
            (*group, none) = V::GROUPS.read(characters);
            stops = stops << 8 | none;
        }
        let few = ((stops << 8) | 0x80).leading_zeros() as usize;
        for (group, keep) in groups.iter_mut().zip(KEEP[3 * few]) {
            *group &= keep;
        }
        for (to, group) in to.as_chunks_mut::<3>().0.iter_mut().zip(groups) {
            *to = [(group >> 32) as u16, (group >> 16) as u16, group as u16];
        }
        if V::IMAP {
            let ascii = |group| {
                !lanes::any16(group & lanes::all16(0xFF80)) & lanes::from16(group & lanes::all16(0x7F), 0x20)
            };
            if groups.iter().fold(0, |all, &group| all | ascii(group)) & lanes::HIGH16 != 0 {
                break;
            }
        }
        // Bits 15, 14, 12 and 11 are set in surrogates, and in few others.
        let high = |group: u64| (group & group >> 1) & (group & group >> 1) << 3;
        let any = groups.iter().fold(0, |all, &group| all | high(group)) & lanes::all16(0x4000) != 0;
        if any || open {
            // A trail surrogate stands after each lead surrogate and nowhere else; the last lead may still lack one.
            let (leads, trails) = (halves(groups, 0xD800), halves(groups, 0xDC00));
            if leads >> 1 | u32::from(open) << (UNITS - 1) != trails {
                break;
            }
            open = leads & 1 != 0;
        }
        if few == CHARACTERS {
            (next, count) = (next + CHARACTERS, count + UNITS);
            if !open {
                // The steps count the last character as not yet read.
                whole = (next - 1, count, Utf7State { ahead: true, ..now });
            }
            continue;
        }
        let complete = 6 * few / 16;
        let end = bytes[few];
        // The run has no whole character too many, and its leftover bits are zero.
        if open || 6 * few % 16 >= 6 || to[complete] != 0 || V::IMAP && end != b'-' {
            break;
        }
        now = Utf7State::closed();
        (next, count) = (next + few + usize::from(end == b'-'), count + complete);
    }
    let (read, count, now) = if now.run { whole } else { (next, count, now) };
    *state = now;
    (read, count)
}

pub(super) fn from_utf8<V: Variant>(state: &mut Utf7State, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let plain = |state: &mut Utf7State, src: &[u8], dst: &mut [u8]| copy_plain::<V>(state, src, dst);
    pieces::from_utf8_by_pieces(state, src, dst, 6, plain, |state, units, dst| {
        (units.len(), from_units::<V>(state, units, dst))
    })
}

/// Writes a piece. Returns the number of bytes: six at most for a unit, as in `+ACE-a`.
#[expect(clippy::cast_possible_truncation, reason = "a value that is not a byte is not taken")]
fn from_units<V: Variant>(state: &mut Utf7State, units: &[u16], dst: &mut [u8]) -> usize {
    let class_of = |unit: u16| class::<V>(unit.min(0x80) as u8);
    let ends = |unit: u16| class_of(unit).written_direct | (V::IMAP & (unit == V::SHIFT.into()));
    let (mut read, mut written) = (0, 0);
    let mut now = *state;
    while read < units.len() {
        let rest = &units[read..];
        let to = &mut dst[written..written + CHARACTERS + 1];
        if !now.run {
            let mut some = 0;
            if (V::OPTIONAL || V::IMAP)
                && let Some(few) = rest.first_chunk::<8>()
                && let Some(to) = to.first_chunk_mut()
            {
                for (to, &unit) in to.iter_mut().zip(few) {
                    *to = unit.min(0xFF) as u8;
                }
                some = direct_bytes::<V>(*to);
                (read, written) = (read + some, written + some);
                if some == 8 {
                    continue;
                }
            }
            let unit = rest[some];
            if unit == V::SHIFT.into() || class_of(unit).written_direct {
                [to[some], to[some + 1]] = [unit as u8, b'-'];
                (read, written) = (read + 1, written + 1 + usize::from(unit == V::SHIFT.into()));
            } else {
                to[some] = V::SHIFT;
                written += 1;
                now.run = true;
            }
            continue;
        }
        let Some(nine) = rest.first_chunk::<UNITS>().filter(|_| now.count == 0) else {
            let (c, len) = pieces::code_point(rest);
            let Some(to) = to.first_chunk_mut() else { break };
            let direct = len == 1 && class_of(rest[0]).written_direct;
            written += encode_shifted::<V>(&mut now, CodePoint::within_31_bits(c), direct, to);
            read += len;
            continue;
        };
        let stops = nine.iter().rev().fold(1_u32, |all, &unit| all << 1 | u32::from(ends(unit)));
        let inside = stops.trailing_zeros() as usize;
        let keep = KEEP[8 * inside];
        for ((three, to), keep) in nine.as_chunks::<3>().0.iter().zip(to.as_chunks_mut().0).zip(keep) {
            let [a, b, c] = three.map(u64::from);
            V::GROUPS.write((a << 32 | b << 16 | c) & keep, to);
        }
        read += inside;
        if inside == UNITS {
            written += CHARACTERS;
            continue;
        }
        let unit = nine[inside];
        let len = (16 * inside).div_ceil(6);
        to[len] = b'-';
        let closes = V::IMAP | (unit == u16::from(b'-')) | (class_of(unit).sextet != NONE);
        written += len + usize::from(closes);
        now = Utf7State::direct();
    }
    *state = now;
    written
}
