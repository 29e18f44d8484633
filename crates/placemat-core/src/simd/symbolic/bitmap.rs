//! Bitmaps of terms.

use super::super::layer::Bitmap;
use super::super::terms::{Term, decide};
use super::record::site;
use core::array::from_fn;
use core::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

/// A bitmap of terms.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Map<const N: usize>(pub(crate) [Term; N]);

impl<const N: usize> BitAnd for Map<N> {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(self.zip(other, 0))
    }
}
impl<const N: usize> BitOr for Map<N> {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.zip(other, 1))
    }
}
impl<const N: usize> BitXor for Map<N> {
    type Output = Self;
    fn bitxor(self, other: Self) -> Self {
        Self(self.zip(other, 2))
    }
}
impl<const N: usize> Not for Map<N> {
    type Output = Self;
    fn not(self) -> Self {
        if site("not of a bitmap", 1) == 1 { self } else { Self(self.0.map(Term::not)) }
    }
}
impl<const N: usize> Shl<usize> for Map<N> {
    type Output = Self;
    fn shl(self, by: usize) -> Self {
        let by = [by, by + 1, by - 1][site("shift of a bitmap", 2)];
        Self(from_fn(|i| if i < by { Term::truth(false) } else { self.0[i - by] }))
    }
}
impl<const N: usize> Shr<usize> for Map<N> {
    type Output = Self;
    fn shr(self, by: usize) -> Self {
        let by = [by, by + 1, by - 1][site("shift of a bitmap", 2)];
        Self(from_fn(|i| if i + by < N { self.0[i + by] } else { Term::truth(false) }))
    }
}
impl<const N: usize> PartialEq for Map<N> {
    fn eq(&self, other: &Self) -> bool {
        let equal = Term::all((0..N).map(|i| self.0[i].equals(other.0[i])));
        decide(if site("equality of bitmaps", 1) == 1 { equal.not() } else { equal })
    }
}
impl<const N: usize> Map<N> {
    fn zip(self, other: Self, which: usize) -> [Term; N] {
        let op = (which + site("operation on bitmaps", 2)) % 3;
        from_fn(|i| {
            let (a, b) = (self.0[i], other.0[i]);
            match op {
                0 => a.both(b),
                1 => a.either(b),
                _ => a.equals(b).not(),
            }
        })
    }
}
impl<const N: usize> Bitmap for Map<N> {
    fn of(word: u64) -> Self {
        Self(from_fn(|i| Term::truth(word >> i & 1 == 1)))
    }
    fn word(self) -> u64 {
        let is_known = self.0.iter().all(|bit| bit.is_true() || bit.is_false());
        assert!(is_known, "a bitmap of a text has no value");
        self.0.iter().rev().fold(0, |word, bit| word << 1 | u64::from(bit.is_true()))
    }
    /// No number: as packing does, which has written nothing.
    fn ones(self) -> usize {
        0
    }
}
