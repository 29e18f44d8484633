//! Numbers that the file of the model and its reader agree on.

use super::characters::{CONTROLS, LATIN, SCRIPTS};

/// The first bytes of the file.
pub(crate) const MAGIC: &[u8; 4] = b"PMM2";
/// The units of a nat, in costs.
pub(crate) const UNITS: f32 = 8.0;
/// The units between two levels of the packed differences.
pub(crate) const STEP: u8 = 4;
/// The packed difference of zero.
pub(crate) const ZERO: u8 = 8;
/// The symbol for several differences of zero: six bits with their number less one follow.
pub(crate) const RUN: u8 = 31;

/// The number of scripts among the letters that represent ASCII.
const EARLY_SCRIPTS: usize = 3;

/// Returns the letters of a language that represent ASCII: the scripts of marks, controls and Latin
/// letters, then the first of its alphabet, whose classes are below `ascii`. The differences of
/// their pairs are [`super::bits::Fives`], a row for each of them; the differences of all other
/// pairs are in a prefix code.
pub(crate) fn early(alphabet: &[u16], ascii: usize) -> impl Iterator<Item = usize> + use<> {
    let own = alphabet.iter().take_while(|&&class| usize::from(class) < ascii).count();
    let scripts: [usize; EARLY_SCRIPTS] = [0, CONTROLS.into(), LATIN.into()];
    scripts.into_iter().chain(SCRIPTS..SCRIPTS + own)
}

/// Returns the index of a letter among those of [`early`].
pub(crate) fn early_index(letter: usize) -> usize {
    match u8::try_from(letter) {
        Ok(CONTROLS) => 1,
        Ok(LATIN) => 2,
        _ => (letter + EARLY_SCRIPTS).saturating_sub(SCRIPTS),
    }
}
