//! Code units, and their byte orders.

use core::fmt::Debug;
use core::hash::Hash;

mod sealed {
    pub trait Sealed {}
    impl Sealed for u8 {}
    impl Sealed for u16 {}
    impl Sealed for u32 {}
    impl Sealed for super::Be {}
    impl Sealed for super::Le {}
    impl Sealed for super::Native {}
}

/// A code unit of an encoding form: `u8`, `u16` or `u32`.
///
/// ```
/// use placemat::CodeUnit;
/// fn bytes_of<U: CodeUnit>(units: &[U]) -> usize {
///     units.len() * U::BYTES
/// }
/// assert_eq!(bytes_of(&[0xD83D_u16, 0xDE00]), 4);
/// ```
pub trait CodeUnit:
    Copy + Default + Eq + Ord + Hash + Debug + From<u8> + Into<u32> + 'static + sealed::Sealed
{
    /// The size of the code unit in bytes.
    const BYTES: usize;
}

impl CodeUnit for u8 {
    const BYTES: usize = 1;
}

impl CodeUnit for u16 {
    const BYTES: usize = 2;
}

impl CodeUnit for u32 {
    const BYTES: usize = 4;
}

/// The layout of 16- and 32-bit code units in memory: as bytes in big- or little-endian order ([`Be`], [`Le`]: the
/// encoding *schemes*), or as machine integers ([`Native`]: the encoding *forms*).
///
/// `Utf16<Le>` is a sequence of `u8`, `Utf16<Native>` a sequence of `u16`; one implementation has the rules of both.
///
/// ```
/// use placemat::{Be, ByteOrder, Le, Native};
/// let bytes = b"\x20\xAC\x20";
/// assert_eq!((Be::get16(bytes), Le::get16(bytes)), (Some(0x20AC), Some(0xAC20)));
/// assert_eq!(Native::get16(&[0x20AC]), Some(0x20AC));
/// // The text ends within a code unit.
/// assert_eq!(Be::get16(&bytes[2..]), None);
/// ```
pub trait ByteOrder: Copy + Debug + Default + 'static + sealed::Sealed {
    /// The byte order as a value.
    #[doc(hidden)]
    const ORDER: Order;
    /// The type that stores a 16-bit code unit.
    type Unit16: CodeUnit;
    /// The type that stores a 32-bit code unit.
    type Unit32: CodeUnit;
    /// The number of `Unit16` in one 16-bit code unit: 2 for bytes, 1 for `u16`.
    const PER_16: usize;
    /// The number of `Unit32` in one 32-bit code unit: 4 for bytes, 1 for `u32`.
    const PER_32: usize;

    /// Returns the 16-bit code unit at the start of `src`, or `None` if `src` ends within it.
    fn get16(src: &[Self::Unit16]) -> Option<u16>;
    /// Returns the 32-bit code unit at the start of `src`, or `None` if `src` ends within it.
    fn get32(src: &[Self::Unit32]) -> Option<u32>;
    /// Writes a 16-bit code unit at the start of `dst`. Writes nothing and returns `false` if there is no room.
    #[must_use]
    fn put16(dst: &mut [Self::Unit16], unit: u16) -> bool;
    /// Writes a 32-bit code unit at the start of `dst`. Writes nothing and returns `false` if there is no room.
    #[must_use]
    fn put32(dst: &mut [Self::Unit32], unit: u32) -> bool;
}

/// The byte orders as values.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    Le,
    Be,
    Native,
}

impl Order {
    /// Returns the one of three values that belongs to the byte order.
    pub(crate) const fn pick<T: Copy>(self, le: T, be: T, native: T) -> T {
        match self {
            Self::Le => le,
            Self::Be => be,
            Self::Native => native,
        }
    }
}

/// Big-endian bytes: the most significant byte first.
#[derive(Clone, Copy, Debug, Default)]
pub struct Be;
/// Little-endian bytes: the least significant byte first.
#[derive(Clone, Copy, Debug, Default)]
pub struct Le;
/// Machine integers, `u16` or `u32`: code units that are not bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Native;

/// Implements `Be` and `Le`, which differ only in two conversion functions.
macro_rules! byte_order {
    ($order:ident, $from:ident, $to:ident) => {
        impl ByteOrder for $order {
            const ORDER: Order = Order::$order;
            type Unit16 = u8;
            type Unit32 = u8;
            const PER_16: usize = 2;
            const PER_32: usize = 4;

            #[inline(always)]
            fn get16(src: &[u8]) -> Option<u16> {
                src.first_chunk().map(|bytes| u16::$from(*bytes))
            }
            #[inline(always)]
            fn get32(src: &[u8]) -> Option<u32> {
                src.first_chunk().map(|bytes| u32::$from(*bytes))
            }
            #[inline(always)]
            fn put16(dst: &mut [u8], unit: u16) -> bool {
                dst.first_chunk_mut().map(|bytes| *bytes = unit.$to()).is_some()
            }
            #[inline(always)]
            fn put32(dst: &mut [u8], unit: u32) -> bool {
                dst.first_chunk_mut().map(|bytes| *bytes = unit.$to()).is_some()
            }
        }
    };
}

byte_order!(Be, from_be_bytes, to_be_bytes);
byte_order!(Le, from_le_bytes, to_le_bytes);

impl ByteOrder for Native {
    const ORDER: Order = Order::Native;
    type Unit16 = u16;
    type Unit32 = u32;
    const PER_16: usize = 1;
    const PER_32: usize = 1;

    #[inline(always)]
    fn get16(src: &[u16]) -> Option<u16> {
        src.first().copied()
    }
    #[inline(always)]
    fn get32(src: &[u32]) -> Option<u32> {
        src.first().copied()
    }
    #[inline(always)]
    fn put16(dst: &mut [u16], unit: u16) -> bool {
        dst.first_mut().map(|slot| *slot = unit).is_some()
    }
    #[inline(always)]
    fn put32(dst: &mut [u32], unit: u32) -> bool {
        dst.first_mut().map(|slot| *slot = unit).is_some()
    }
}

/// Returns `true` if a 16-bit code unit is a leading surrogate.
#[inline(always)]
#[must_use]
pub const fn is_lead(unit: u16) -> bool {
    unit & 0xFC00 == 0xD800
}

/// Returns `true` if a 16-bit code unit is a trailing surrogate.
#[inline(always)]
#[must_use]
pub const fn is_trail(unit: u16) -> bool {
    unit & 0xFC00 == 0xDC00
}
