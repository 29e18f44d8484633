//! The code units that one piece of input leaves for the next.

use crate::engine::{Extent, Progress, Status};
use crate::ground::unit::CodeUnit;
use crate::ground::work;

/// The longest sequence, in code units, that pieces may divide.
pub(super) const MAX_SEQUENCE_UNITS: usize = 16;
/// Capacity in code units: an incomplete sequence, and as many code units again to complete it.
const CAPACITY_UNITS: usize = 2 * MAX_SEQUENCE_UNITS;

/// An incomplete sequence between two pieces: at most a few code units.
#[derive(Clone, Copy, Debug)]
pub struct Carry<U> {
    units: [U; CAPACITY_UNITS],
    len: usize,
}

impl<U: CodeUnit> Default for Carry<U> {
    fn default() -> Self {
        Self { units: [U::default(); CAPACITY_UNITS], len: 0 }
    }
}

impl<U: CodeUnit> Carry<U> {
    /// Carries `units`, up to the capacity.
    #[cfg(feature = "std")]
    pub fn of(units: &[U]) -> Self {
        let mut carry = Self { len: units.len().min(CAPACITY_UNITS), ..Self::default() };
        carry.units[..carry.len].copy_from_slice(&units[..carry.len]);
        carry
    }

    /// Returns the number of carried code units.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Returns `true` if nothing is carried.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the carried code units.
    #[cfg(feature = "std")]
    pub fn units(&self) -> &[U] {
        &self.units[..self.len]
    }

    /// Runs `core` over the carried code units and then over `src`, and keeps the code units that
    /// it leaves, which count as read. `core` leaves code units only with [`Status::NeedInput`],
    /// and only if `last` is not set.
    pub fn run<V>(
        &mut self,
        src: &[U],
        dst: &mut [V],
        last: bool,
        mut core: impl FnMut(&[U], &mut [V], bool, Extent) -> Progress,
    ) -> Progress {
        let mut read = 0;
        let mut written = 0;
        while self.len > 0 {
            work::add(CAPACITY_UNITS);
            let mut joined = self.units;
            let taken = src.len().min(CAPACITY_UNITS - self.len);
            let len = self.len + taken;
            joined[self.len..len].copy_from_slice(&src[..taken]);
            let p = core(&joined[..len], &mut dst[written..], last && taken == src.len(), Extent::One);
            written += p.written;
            if p.read >= self.len {
                read = p.read - self.len;
                self.len = 0;
            } else {
                self.units.copy_within(p.read..self.len, 0);
                self.len -= p.read;
            }
            if !matches!(p.status, Status::NeedInput | Status::Done) {
                return Progress { read, written, status: p.status };
            }
            if p.read == 0 {
                // The sequence goes on past the end of `src`.
                self.units = joined;
                self.len = len;
                return Progress { read: taken, written, status: Status::NeedInput };
            }
        }
        let p = core(&src[read..], &mut dst[written..], last, Extent::All);
        read += p.read;
        written += p.written;
        let rest = &src[read..];
        if p.status == Status::NeedInput
            && let Some(kept) = self.units.get_mut(..rest.len())
        {
            kept.copy_from_slice(rest);
            self.len = rest.len();
            read = src.len();
        }
        Progress { read, written, status: p.status }
    }
}
