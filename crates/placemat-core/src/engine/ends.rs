//! Encodings chosen at run time, as the ends of a conversion through UTF-16.

use super::any;
use super::units::{Source, Target};
use crate::ground::utf16::Unit;

/// An encoding reads by its kernel, and by steps where it has none.
impl Source for any::From {
    #[inline]
    fn read(&mut self, src: &[u8], units: &mut [Unit]) -> (usize, usize) {
        let by_kernel = self.bulks().0.read(src, units);
        if by_kernel.0 > 0 { by_kernel } else { self.read_by_steps(src, units) }
    }

    #[inline]
    fn read_again(&mut self, src: &[u8], units: &mut [Unit]) -> usize {
        let by_kernel = self.bulks().0.read_again(src, units);
        if by_kernel > 0 { by_kernel } else { self.read_by_steps(src, units).0 }
    }
}

/// An encoding writes by its kernel, and by steps where it has none.
impl Target for any::To {
    #[inline]
    fn write(&mut self, units: &[Unit], dst: &mut [u8]) -> (usize, usize) {
        let by_kernel = self.bulks().1.write(units, dst);
        if by_kernel.0 > 0 { by_kernel } else { self.write_by_steps(units, dst) }
    }
}
