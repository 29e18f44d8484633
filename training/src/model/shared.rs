//! Types and costs that counting and packing share.

use super::characters;
use std::collections::BTreeMap;

/// How much a model keeps.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// The maximum number of letters of an alphabet.
    pub(super) letters: usize,
    /// The nats that a trigram must gain in a text of a million letters, to stay.
    pub(super) gain: f64,
}

/// The paragraphs of one language.
pub(super) type Texts = BTreeMap<String, Vec<String>>;

/// The cost, in units, of letter `b` after `a` over that of `b` anywhere, where one of them is a mark. `beside` has the costs
/// of each mark after and before each kind.
pub(super) fn beside(beside: &[[[i8; characters::KINDS]; 2]], kinds: &[u8], a: usize, b: usize) -> i32 {
    if kinds[a] == characters::MARK {
        beside[a][1][usize::from(kinds[b])].into()
    } else {
        beside[b][0][usize::from(kinds[a])].into()
    }
}
