//! The vector layer: the operations on 64 bytes at once, named by meaning, and one file per level that says which
//! instructions they take.
//!
//! A **token** (`Avx2`, `Neon`, …) is a value without size that can be made only where the features of its level are
//! enabled, so that holding one is the proof that they are there. All operations are safe methods of tokens; kernels are
//! generic over the token and contain no `unsafe`.
//!
//! A **block** is 64 bytes on every level, in as many registers as that takes. Lanes of 16 and 32 bits are
//! little-endian, as all levels here are; a kernel for big-endian text swaps them ([`Shuffle::swap16`]). The bitmap of a
//! block is a `u64` with bit *i* for byte *i*; of its 16-bit lanes a `u32`, of its 32-bit lanes the low half of one.
//!
//! A **mask** has a truth value per lane. It is a register of bytes on most levels and a mask register on AVX-512, so it
//! becomes a bitmap only where a kernel asks for one.
//!
//! Every method is `#[inline(always)]`: one that is not inlined would be compiled without the features of the level.
//! Kernels have no closures in their loops, because those cannot be marked so.
#![allow(unsafe_code, reason = "vector instructions, and the memory they read and write")]
#![allow(clippy::cast_possible_truncation, reason = "bitmaps and sums are cut to the bits that they have")]
// The levels implement the whole layer, and not each of them is used by each target.
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
mod squeeze;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod x86;

pub(crate) use self::bytes::{bytes_of, bytes_of_mut};
pub use self::layer::BLOCK;
pub(crate) use self::layer::{Apart, ApartInRegisters, Compress, Shuffle, Simd, behind};
#[cfg(target_arch = "x86_64")]
pub(crate) use self::{avx2::Avx2, avx512::Avx512};
#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
pub(crate) use neon::Neon;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) use simd128::Simd128;
