//! A byte that can only be written, and so need not be initialized.
//!
//! `&mut [u8]` over uninitialized memory is undefined behavior even if nobody reads it, and safe
//! code that has a `&mut [MaybeUninit<u8>]` over initialized memory could make it uninitialized. So
//! kernels write to a slice of [`Slot`], which both kinds of memory can be lent as.

use crate::ground::unit::CodeUnit;
use core::mem::MaybeUninit;

/// A byte that can only be written.
///
/// Slots can be neither copied nor made, so only an exchange of two of them, such as
/// [`swap`](core::mem::swap), could move an uninitialized byte into initialized memory.
#[derive(Debug)]
#[repr(transparent)]
pub struct Slot(MaybeUninit<u8>);

impl Slot {
    /// Lends initialized bytes for writing.
    #[inline(always)]
    pub const fn of(bytes: &mut [u8]) -> &mut [Self] {
        let slots = core::ptr::from_mut(bytes) as *mut [Self];
        // SAFETY: a slot has the layout of a byte, and the bytes stay borrowed mutably as long as
        // the result. No byte becomes uninitialized: the functions of `Slot` write bytes only, and
        // who lends uninitialized slots ensures that none is exchanged for one of these.
        unsafe { &mut *slots }
    }

    /// Lends an array of initialized bytes for writing.
    #[inline(always)]
    pub(crate) const fn of_array<const N: usize>(bytes: &mut [u8; N]) -> &mut [Self; N] {
        let slots = core::ptr::from_mut(bytes).cast::<[Self; N]>();
        // SAFETY: a slot has the layout of a byte, and the bytes stay borrowed mutably as long as
        // the result. No byte becomes uninitialized: the functions of `Slot` write bytes only, and
        // who lends uninitialized slots ensures that none is exchanged for one of these.
        unsafe { &mut *slots }
    }

    /// Lends the bytes of code units, which may be uninitialized, for writing.
    ///
    /// # Safety
    ///
    /// Nobody may exchange one of these slots for another one, by [`swap`](core::mem::swap) or the
    /// like.
    #[inline(always)]
    pub(crate) unsafe fn of_uninit<U: CodeUnit>(units: &mut [MaybeUninit<U>]) -> &mut [Self] {
        let len = size_of_val(units);
        // SAFETY: pointer and length in bytes are those of one slice, which stays borrowed mutably
        // as long as the result; bytes need no alignment, and slots no initialization. Slots write
        // bytes only, and any bytes are a value of the types that implement `CodeUnit`.
        unsafe { core::slice::from_raw_parts_mut(units.as_mut_ptr().cast(), len) }
    }

    /// Writes the byte.
    #[inline(always)]
    pub(crate) const fn set(&mut self, byte: u8) {
        self.0.write(byte);
    }

    /// Writes all slots of an array, by one store.
    #[inline(always)]
    pub(crate) const fn write<const N: usize>(slots: &mut [Self; N], bytes: [u8; N]) {
        let start = core::ptr::from_mut(slots).cast::<[u8; N]>();
        // SAFETY: an array of slots has the layout of an array of bytes and is borrowed mutably.
        unsafe { start.write(bytes) };
    }

    /// Copies bytes to as many slots.
    ///
    /// # Panics
    /// If the numbers differ.
    #[inline(always)]
    pub(crate) fn copy(slots: &mut [Self], bytes: &[u8]) {
        assert_eq!(slots.len(), bytes.len(), "as many bytes as slots");
        let start = slots.as_mut_ptr().cast::<u8>();
        // SAFETY: there are as many slots as bytes, and the slots are borrowed mutably, so the two
        // do not overlap.
        unsafe { core::ptr::copy_nonoverlapping(bytes.as_ptr(), start, bytes.len()) };
    }
}

#[cfg(test)]
mod tests {
    use super::Slot;

    #[test]
    fn slots_write_the_bytes_that_they_are() {
        let mut bytes = *b"abcdef";
        let slots = Slot::of(&mut bytes);
        slots[0].set(b'A');
        Slot::copy(&mut slots[1..3], b"BC");
        if let Some(last) = slots.last_chunk_mut() {
            Slot::write(last, *b"EF");
        }
        assert_eq!(&bytes, b"ABCdEF");
        Slot::write(Slot::of_array(&mut bytes), *b"uvwxyz");
        assert_eq!(&bytes, b"uvwxyz");
    }

    #[test]
    #[should_panic = "as many bytes as slots"]
    fn no_byte_is_copied_to_too_few_slots() {
        Slot::copy(Slot::of(&mut [0; 2]), b"abc");
    }
}
