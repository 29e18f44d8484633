//! The vector layer in plain code over arrays: the definition of each operation. Tests compare the
//! levels with the model, and kernels run on it where there is no level, such as on big-endian
//! machines.
//!
//! Methods are not inlined: kernels with every operation inlined as a loop over an array take
//! minutes to compile.

use super::layer::{Compress, ShuffleOps, SimdOps};
use super::slot::Slot;
use core::array::from_fn;

/// The token of the model, which proves nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Model;

type Bytes = [u8; 64];

fn of16(a: Bytes) -> [u16; 32] {
    from_fn(|i| u16::from_le_bytes([a[2 * i], a[2 * i + 1]]))
}
fn from16(a: [u16; 32]) -> Bytes {
    from_fn(|i| a[i / 2].to_le_bytes()[i % 2])
}
fn of32(a: Bytes) -> [u32; 16] {
    from_fn(|i| u32::from_le_bytes([a[4 * i], a[4 * i + 1], a[4 * i + 2], a[4 * i + 3]]))
}
fn from32(a: [u32; 16]) -> Bytes {
    from_fn(|i| a[i / 4].to_le_bytes()[i % 4])
}
fn map<T: Copy, const N: usize>(a: [T; N], b: [T; N], f: impl Fn(T, T) -> T) -> [T; N] {
    from_fn(|i| f(a[i], b[i]))
}
fn compare<T: Copy, const N: usize>(a: [T; N], b: [T; N], f: impl Fn(T, T) -> bool) -> [bool; N] {
    from_fn(|i| f(a[i], b[i]))
}
/// Copies the packed bytes to the start of `dst`, and fills the rest with junk.
fn pack<const N: usize>(packed: &[u8], dst: &mut [Slot; N]) {
    Slot::write(dst, [0xA5; N]);
    Slot::copy(&mut dst[..packed.len()], packed);
}

impl SimdOps for Model {
    type Bits = u64;
    const UNROLL: usize = 1;
    const MASK_REGISTERS: bool = false;
    type Block = Bytes;
    type Mask = [bool; 64];

    #[inline(never)]
    fn load(self, src: &Bytes) -> Bytes {
        *src
    }
    #[inline(never)]
    fn load_partial(self, src: &[u8]) -> Bytes {
        from_fn(|i| src.get(i).copied().unwrap_or(0))
    }
    #[inline(never)]
    fn store(self, block: Bytes, dst: &mut [Slot; 64]) {
        Slot::write(dst, block);
    }
    #[inline(never)]
    fn store_partial(self, block: Bytes, dst: &mut [Slot]) {
        dst.iter_mut().zip(block).for_each(|(to, from)| to.set(from));
    }
    #[inline(never)]
    fn splat(self, byte: u8) -> Bytes {
        [byte; 64]
    }
    #[inline(never)]
    fn and(self, a: Bytes, b: Bytes) -> Bytes {
        map(a, b, |a, b| a & b)
    }
    #[inline(never)]
    fn or(self, a: Bytes, b: Bytes) -> Bytes {
        map(a, b, |a, b| a | b)
    }
    #[inline(never)]
    fn xor(self, a: Bytes, b: Bytes) -> Bytes {
        map(a, b, |a, b| a ^ b)
    }
    #[inline(never)]
    fn and_not(self, a: Bytes, b: Bytes) -> Bytes {
        map(a, b, |a, b| a & !b)
    }
    #[inline(never)]
    fn add(self, a: Bytes, b: Bytes) -> Bytes {
        map(a, b, u8::wrapping_add)
    }
    #[inline(never)]
    fn sub(self, a: Bytes, b: Bytes) -> Bytes {
        map(a, b, u8::wrapping_sub)
    }
    #[inline(never)]
    fn saturating_sub(self, a: Bytes, b: Bytes) -> Bytes {
        map(a, b, u8::saturating_sub)
    }
    #[inline(never)]
    fn max(self, a: Bytes, b: Bytes) -> Bytes {
        map(a, b, u8::max)
    }
    #[inline(never)]
    fn min(self, a: Bytes, b: Bytes) -> Bytes {
        map(a, b, u8::min)
    }
    #[inline(never)]
    fn move_bits<const FROM: u32, const LEN: u32, const TO: u32>(self, a: Bytes) -> Bytes {
        a.map(|byte| (((u32::from(byte) >> FROM) & ((1 << LEN) - 1)) << TO) as u8)
    }
    #[inline(never)]
    fn sum(self, a: Bytes) -> u32 {
        a.iter().map(|&byte| u32::from(byte)).sum()
    }
    #[inline(never)]
    fn eq(self, a: Bytes, b: Bytes) -> [bool; 64] {
        compare(a, b, |a, b| a == b)
    }
    #[inline(never)]
    fn ge(self, a: Bytes, b: Bytes) -> [bool; 64] {
        compare(a, b, |a, b| a >= b)
    }
    #[inline(never)]
    fn high_bit(self, a: Bytes) -> [bool; 64] {
        a.map(|byte| byte >= 0x80)
    }
    #[inline(never)]
    fn mask(self, bits: u64) -> [bool; 64] {
        from_fn(|i| bits >> i & 1 == 1)
    }
    #[inline(never)]
    fn bits(self, mask: [bool; 64]) -> u64 {
        (0..64).map(|i| u64::from(mask[i]) << i).sum()
    }
    #[inline(never)]
    fn both(self, a: [bool; 64], b: [bool; 64]) -> [bool; 64] {
        map(a, b, |a, b| a && b)
    }
    #[inline(never)]
    fn either(self, a: [bool; 64], b: [bool; 64]) -> [bool; 64] {
        map(a, b, |a, b| a || b)
    }
    #[inline(never)]
    fn not(self, a: [bool; 64]) -> [bool; 64] {
        a.map(|a| !a)
    }
    #[inline(never)]
    fn any(self, mask: [bool; 64]) -> bool {
        mask.contains(&true)
    }
    #[inline(never)]
    fn select(self, mask: [bool; 64], yes: Bytes, no: Bytes) -> Bytes {
        from_fn(|i| if mask[i] { yes[i] } else { no[i] })
    }
    #[inline(never)]
    fn keep(self, mask: [bool; 64], a: Bytes) -> Bytes {
        self.select(mask, a, [0; 64])
    }
    #[inline(never)]
    fn add_one(self, a: Bytes, mask: [bool; 64]) -> Bytes {
        from_fn(|i| a[i].wrapping_add(u8::from(mask[i])))
    }
    #[inline(never)]
    fn any_high_bit(self, a: Bytes) -> bool {
        a.iter().any(|&byte| byte >= 0x80)
    }
    #[inline(never)]
    fn any_bit(self, a: Bytes) -> bool {
        a != [0; 64]
    }
    #[inline(never)]
    fn after<const K: usize>(self, before: Bytes, a: Bytes) -> Bytes {
        from_fn(|i| if i < K { before[64 + i - K] } else { a[i - K] })
    }
}

impl ShuffleOps for Model {
    type Bits16 = u32;
    const FAST_LOOKUP128: bool = true;
    type LowTable = [u8; 16];
    type HighTable = [u8; 16];
    type Table64 = [u8; 64];
    type Table128 = [u8; 128];
    type Mask16 = [bool; 32];
    type Mask32 = [bool; 16];

    #[inline(never)]
    fn low_table(self, table: &[u8; 16]) -> [u8; 16] {
        *table
    }
    #[inline(never)]
    fn high_table(self, table: &[u8; 16]) -> [u8; 16] {
        *table
    }
    #[inline(never)]
    fn lookup_low(self, table: [u8; 16], a: Bytes) -> Bytes {
        a.map(|byte| table[usize::from(byte & 15)])
    }
    #[inline(never)]
    fn lookup_high(self, table: [u8; 16], a: Bytes) -> Bytes {
        a.map(|byte| table[usize::from(byte >> 4)])
    }
    #[inline(never)]
    fn table64(self, table: &[u8; 64]) -> [u8; 64] {
        *table
    }
    #[inline(never)]
    fn table128(self, table: &[u8; 128]) -> [u8; 128] {
        *table
    }
    #[inline(never)]
    fn lookup64(self, table: [u8; 64], a: Bytes) -> Bytes {
        a.map(|byte| table[usize::from(byte & 63)])
    }
    #[inline(never)]
    fn lookup128(self, table: [u8; 128], a: Bytes) -> Bytes {
        a.map(|byte| table[usize::from(byte & 127)])
    }

    #[inline(never)]
    fn splat16(self, unit: u16) -> Bytes {
        from16([unit; 32])
    }
    #[inline(never)]
    fn swap16(self, a: Bytes) -> Bytes {
        from16(of16(a).map(u16::swap_bytes))
    }
    #[inline(never)]
    fn add16(self, a: Bytes, b: Bytes) -> Bytes {
        from16(map(of16(a), of16(b), u16::wrapping_add))
    }
    #[inline(never)]
    fn sub16(self, a: Bytes, b: Bytes) -> Bytes {
        from16(map(of16(a), of16(b), u16::wrapping_sub))
    }
    #[inline(never)]
    fn max16(self, a: Bytes, b: Bytes) -> Bytes {
        from16(map(of16(a), of16(b), u16::max))
    }
    #[inline(never)]
    fn shl16<const N: u32>(self, a: Bytes) -> Bytes {
        from16(of16(a).map(|unit| unit << N))
    }
    #[inline(never)]
    fn shr16<const N: u32>(self, a: Bytes) -> Bytes {
        from16(of16(a).map(|unit| unit >> N))
    }
    #[inline(never)]
    fn bytes16<const A: u32, const B: u32>(self, a: Bytes) -> Bytes {
        // Ones above the lane, because those bits are unspecified.
        let at = |unit: u16, n: u32| ((u32::from(unit) | 0xFFFF_0000) >> n) as u8;
        from16(of16(a).map(|unit| u16::from_le_bytes([at(unit, A), at(unit, B)])))
    }
    #[inline(never)]
    fn eq16(self, a: Bytes, b: Bytes) -> [bool; 32] {
        compare(of16(a), of16(b), |a, b| a == b)
    }
    #[inline(never)]
    fn ge16(self, a: Bytes, b: Bytes) -> [bool; 32] {
        compare(of16(a), of16(b), |a, b| a >= b)
    }
    #[inline(never)]
    fn mask16(self, bits: u32) -> [bool; 32] {
        from_fn(|i| bits >> i & 1 == 1)
    }
    #[inline(never)]
    fn bits16(self, mask: [bool; 32]) -> u32 {
        (0..32).map(|i| u32::from(mask[i]) << i).sum()
    }
    #[inline(never)]
    fn select16(self, mask: [bool; 32], yes: Bytes, no: Bytes) -> Bytes {
        from_fn(|i| if mask[i / 2] { yes[i] } else { no[i] })
    }
    #[inline(never)]
    fn keep16(self, mask: [bool; 32], a: Bytes) -> Bytes {
        self.select16(mask, a, [0; 64])
    }

    #[inline(never)]
    fn short_of_three(self, a: Bytes, b: Bytes) -> Bytes {
        let (a, b) = (of16(a), of16(b));
        from_fn(|i| match if i < 32 { a[i] } else { b[i - 32] } {
            0..0x80 => 2,
            0x80..0x800 => 1,
            0x800.. => 0,
        })
    }

    #[inline(never)]
    fn short_of_four(self, [a, b, c, d]: [Bytes; 4]) -> Bytes {
        let units = [of32(a), of32(b), of32(c), of32(d)];
        from_fn(|i| match units[i / 16][i % 16] {
            0..0x80 => 3,
            0x80..0x800 => 2,
            0x800..0x1_0000 => 1,
            0x1_0000.. => 0,
        })
    }

    #[inline(never)]
    fn splat32(self, unit: u32) -> Bytes {
        from32([unit; 16])
    }
    #[inline(never)]
    fn swap32(self, a: Bytes) -> Bytes {
        from32(of32(a).map(u32::swap_bytes))
    }
    #[inline(never)]
    fn add32(self, a: Bytes, b: Bytes) -> Bytes {
        from32(map(of32(a), of32(b), u32::wrapping_add))
    }
    #[inline(never)]
    fn sub32(self, a: Bytes, b: Bytes) -> Bytes {
        from32(map(of32(a), of32(b), u32::wrapping_sub))
    }
    #[inline(never)]
    fn max32(self, a: Bytes, b: Bytes) -> Bytes {
        from32(map(of32(a), of32(b), u32::max))
    }
    #[inline(never)]
    fn min32(self, a: Bytes, b: Bytes) -> Bytes {
        from32(map(of32(a), of32(b), u32::min))
    }
    #[inline(never)]
    fn shl32<const N: u32>(self, a: Bytes) -> Bytes {
        from32(of32(a).map(|unit| unit << N))
    }
    #[inline(never)]
    fn shr32<const N: u32>(self, a: Bytes) -> Bytes {
        from32(of32(a).map(|unit| unit >> N))
    }
    #[inline(never)]
    fn bytes32<const A: u32, const B: u32, const C: u32, const D: u32>(self, a: Bytes) -> Bytes {
        let at = |unit: u32, n: u32| ((u64::from(unit) | 0xFFFF_FFFF_0000_0000) >> n) as u8;
        from32(of32(a).map(|x| u32::from_le_bytes([at(x, A), at(x, B), at(x, C), at(x, D)])))
    }
    #[inline(never)]
    fn eq32(self, a: Bytes, b: Bytes) -> [bool; 16] {
        compare(of32(a), of32(b), |a, b| a == b)
    }
    #[inline(never)]
    fn ge32(self, a: Bytes, b: Bytes) -> [bool; 16] {
        compare(of32(a), of32(b), |a, b| a >= b)
    }
    #[inline(never)]
    fn mask32(self, bits: u32) -> [bool; 16] {
        from_fn(|i| bits >> i & 1 == 1)
    }
    #[inline(never)]
    fn bits32(self, mask: [bool; 16]) -> u32 {
        (0..16).map(|i| u32::from(mask[i]) << i).sum()
    }
    #[inline(never)]
    fn select32(self, mask: [bool; 16], yes: Bytes, no: Bytes) -> Bytes {
        from_fn(|i| if mask[i / 4] { yes[i] } else { no[i] })
    }
    #[inline(never)]
    fn keep32(self, mask: [bool; 16], a: Bytes) -> Bytes {
        self.select32(mask, a, [0; 64])
    }
    #[inline(never)]
    fn by_utf8_len(self, a: Bytes, by_len: [u32; 4]) -> Bytes {
        from32(of32(a).map(|c| match c {
            0..0x80 => by_len[0],
            0x80..0x800 => by_len[1],
            0x800..0x1_0000 => by_len[2],
            0x1_0000..0x8000_0000 => by_len[3],
            0x8000_0000.. => by_len[0],
        }))
    }

    #[inline(never)]
    fn zip8(self, low: Bytes, high: Bytes) -> [Bytes; 2] {
        let at = |i: usize| if i.is_multiple_of(2) { low[i / 2] } else { high[i / 2] };
        [from_fn(at), from_fn(|i| at(64 + i))]
    }
    #[inline(never)]
    fn zip16(self, low: Bytes, high: Bytes) -> [Bytes; 2] {
        let at = |i: usize| {
            let from = if i % 4 < 2 { low } else { high };
            from[i / 4 * 2 + i % 2]
        };
        [from_fn(at), from_fn(|i| at(64 + i))]
    }
    #[inline(never)]
    fn order_for_zip(self, a: Bytes) -> Bytes {
        // Any order would do; this one reverses the groups of eight bytes.
        from_fn(|i| a[(7 - i / 8) * 8 + i % 8])
    }
    #[inline(never)]
    fn zip8_ordered(self, low: Bytes, high: Bytes) -> [Bytes; 2] {
        // Applied twice, the order is the original one.
        self.zip8(self.order_for_zip(low), self.order_for_zip(high))
    }
    #[inline(never)]
    fn zip16_ordered(self, low: Bytes, high: Bytes) -> [Bytes; 2] {
        self.zip16(self.order_for_zip(low), self.order_for_zip(high))
    }
    #[inline(never)]
    fn order_for_zip4(self, a: Bytes) -> Bytes {
        self.order_for_zip(a)
    }
    #[inline(never)]
    fn zip4_ordered(self, planes: [Bytes; 4]) -> [Bytes; 4] {
        let planes = planes.map(|plane| self.order_for_zip(plane));
        from_fn(|i| from_fn(|j| planes[j % 4][16 * i + j / 4]))
    }
    #[inline(never)]
    fn widen8(self, a: Bytes) -> [Bytes; 2] {
        self.zip8(a, [0; 64])
    }
    #[inline(never)]
    fn widen16(self, a: Bytes) -> [Bytes; 2] {
        self.zip16(a, [0; 64])
    }
    #[inline(never)]
    fn narrow16(self, a: Bytes, b: Bytes) -> Bytes {
        let (a, b) = (of16(a), of16(b));
        from_fn(|i| u8::try_from(if i < 32 { a[i] } else { b[i - 32] }).expect("below 100"))
    }
    #[inline(never)]
    fn narrow32(self, a: Bytes, b: Bytes) -> Bytes {
        let (a, b) = (of32(a), of32(b));
        from16(from_fn(|i| u16::try_from(if i < 16 { a[i] } else { b[i - 16] }).expect("below 10000")))
    }

    #[inline(never)]
    fn pack8(self, a: Bytes, keep: u64, dst: &mut [Slot; 64]) -> usize {
        let kept: Vec<u8> = (0..64).filter(|i| keep >> i & 1 == 1).map(|i| a[i]).collect();
        pack(&kept, dst);
        kept.len()
    }
    #[inline(never)]
    fn pack16(self, low: Bytes, high: Bytes, keep: u64, dst: &mut [Slot; 128]) -> usize {
        let kept: Vec<u8> = (0..64).filter(|i| keep >> i & 1 == 1).flat_map(|i| [low[i], high[i]]).collect();
        pack(&kept, dst);
        kept.len() / 2
    }
    #[inline(never)]
    fn pack32<const SWAP: bool>(
        self,
        low: Bytes,
        high: Bytes,
        top: Bytes,
        keep: u64,
        dst: &mut [Slot; 256],
    ) -> usize {
        let unit = |i: usize| [low[i], high[i], top[i], 0];
        let kept: Vec<u8> = (0..64)
            .filter(|i| keep >> i & 1 == 1)
            .flat_map(|i| if SWAP { u32::from_be_bytes(unit(i)).to_le_bytes() } else { unit(i) })
            .collect();
        pack(&kept, dst);
        kept.len() / 4
    }
    #[inline(never)]
    fn pack16_as_32<const SWAP: bool>(
        self,
        low: Bytes,
        high: Bytes,
        keep: u64,
        dst: &mut [Slot; 256],
    ) -> usize {
        self.pack32::<SWAP>(low, high, [0; 64], keep, dst)
    }
    #[inline(never)]
    fn pack_lanes32(self, a: Bytes, keep: u32, dst: &mut [Slot; 64]) -> usize {
        let kept: Vec<u8> =
            (0..16).filter(|i| keep >> i & 1 == 1).flat_map(|i| of32(a)[i].to_le_bytes()).collect();
        pack(&kept, dst);
        kept.len() / 4
    }
    #[inline(never)]
    fn pack_pairs(self, a: Bytes, dst: &mut [Slot; 64]) -> usize {
        let kept: Vec<u8> = (0..64).filter(|&i| i % 2 == 0 || a[i] != 0).map(|i| a[i]).collect();
        pack(&kept, dst);
        kept.len()
    }
    #[inline(never)]
    fn pack_quads(self, a: Bytes, dst: &mut [Slot; 64]) -> usize {
        let kept: Vec<u8> = (0..64).filter(|&i| i % 4 == 3 || a[i] != 0).map(|i| a[i]).collect();
        pack(&kept, dst);
        kept.len()
    }
    #[inline(never)]
    fn pack_as_utf8(self, units: Bytes, dst: &mut [Slot; 128]) -> Option<usize> {
        let text: String =
            of16(units).into_iter().map(|unit| char::from_u32(unit.into())).collect::<Option<_>>()?;
        pack(text.as_bytes(), dst);
        Some(text.len())
    }
    #[inline(never)]
    fn pack_halves(self, a: Bytes, dst: &mut [Slot; 64]) -> usize {
        let kept: Vec<u8> = of16(a)
            .into_iter()
            .enumerate()
            .filter(|&(i, unit)| i % 2 == 0 || unit != 0)
            .flat_map(|(_, unit)| unit.to_le_bytes())
            .collect();
        pack(&kept, dst);
        kept.len() / 2
    }
}

impl Compress for Model {
    #[inline(never)]
    fn compress8(self, a: Bytes, keep: u64) -> Bytes {
        let mut all = [0; 64];
        let kept = (0..64).filter(|i| keep >> i & 1 == 1);
        kept.enumerate().for_each(|(to, from)| all[to] = a[from]);
        all
    }
    fn compress_bits(self, bits: u64, keep: u64) -> u64 {
        let kept = (0..64).filter(|i| keep >> i & 1 == 1);
        kept.enumerate().map(|(to, from)| (bits >> from & 1) << to).sum()
    }
}
