//! The vector layer: operations on 64 bytes at once, named by meaning, with one file per level of
//! instructions that implements them.
//!
//! A **token** (`Avx2`, `Neon`, …) is a zero-sized value that can be created only where the
//! features of its level are enabled, so holding one proves that the CPU has them. All operations
//! are safe methods of tokens; kernels are generic over the token and contain no `unsafe`.
//!
//! A **block** is 64 bytes on every level, in one or more registers. Lanes of 16 and 32 bits are
//! little-endian, like every CPU that has a level; a kernel for big-endian text swaps their bytes
//! ([`ShuffleOps::swap16`]). The bitmap of a block's bytes is a `u64` with bit *i* for byte *i*; the
//! bitmap of its 16-bit lanes is a `u32`, and the bitmap of its 32-bit lanes is the low half of a
//! `u32`.
//!
//! A **mask** has one truth value per lane. AVX-512 keeps it in a mask register, the other levels
//! in a register of bytes, so a mask becomes a bitmap only where a kernel asks for one.
//!
//! Every method is `#[inline(always)]`: a method that is not inlined would be compiled without the
//! features of the level. Kernels use no closures in their loops, because closures cannot be marked
//! `#[inline(always)]`.
#![allow(unsafe_code, reason = "vector instructions, and the memory they read and write")]
#![allow(clippy::cast_possible_truncation, reason = "bitmaps and sums fit into the narrower types")]
// Each level implements the whole layer, but no target uses all of it.
#![cfg_attr(not(test), allow(dead_code, reason = "a portable build uses no level"))]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod bytes;
#[cfg(any(
    all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"),
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod lanes16;
mod layer;
#[cfg(test)]
pub(crate) mod model;
#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
mod neon;
mod partial;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
mod slot;
mod squeeze;
#[cfg(test)]
pub(crate) mod symbolic;
#[cfg(test)]
pub(crate) mod terms;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod x86;

pub(crate) use self::bytes::{bytes_of, bytes_of_mut};
pub use self::layer::BLOCK;
pub(crate) use self::layer::{
    Apart, ApartInRegisters, Bitmap, Compress, Shuffle, ShuffleOps, Simd, SimdOps, lagging,
};
pub use self::slot::Slot;
#[cfg(target_arch = "x86_64")]
pub(crate) use self::{avx2::Avx2, avx512::Avx512};
#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
pub(crate) use neon::Neon;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) use simd128::Simd128;
