//! Numbers that the file of the model and its reader agree on.

use super::characters::{CONTROLS, LATIN, SCRIPTS};

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

/// The letters of a language that stand for ASCII: the scripts of marks, controls and Latin letters, then the first of its
/// alphabet, whose classes are below `ascii`. The pairs of these stand before all others.
pub(crate) fn early(alphabet: &[u16], ascii: usize) -> impl Iterator<Item = usize> + use<> {
    let own = alphabet.iter().take_while(|&&class| usize::from(class) < ascii).count();
    let scripts = [0, usize::from(CONTROLS), usize::from(LATIN)];
    scripts.into_iter().chain(SCRIPTS..SCRIPTS + own)
}
