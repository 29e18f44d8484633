//! Numbers that the file of the model and its reader agree on.

/// The first bytes of the file.
pub(crate) const MAGIC: &[u8; 4] = b"PMM1";
/// The units of a nat, in costs.
pub(crate) const UNITS: f32 = 8.0;
/// The units between two levels of the packed differences.
pub(crate) const STEP: u8 = 4;
/// The packed difference of zero.
pub(crate) const ZERO: u8 = 8;
/// The symbol for several differences of zero: six bits with their number less one follow.
pub(crate) const RUN: u8 = 31;
