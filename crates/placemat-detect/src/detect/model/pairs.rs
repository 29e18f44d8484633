//! The packed pairs of letters of a language.

use super::bits::{Bits, Code};
use super::characters::{KINDS, MARK};
use super::format::{RUN, ZERO};
use super::{LanguageModel, cost};
use alloc::vec::Vec;

impl LanguageModel {
    /// The cost of each letter after each letter.
    pub(super) fn unpack_pairs(&self, code: &Code) -> Vec<u8> {
        let n = self.n;
        let early: Vec<usize> = self.early().collect();
        let late: Vec<usize> = (0..n).filter(|letter| !early.contains(letter)).collect();
        let all: Vec<usize> = (0..n).collect();
        let mut differences = Differences::new(self.packed_pairs, code);
        let mut expected = Expected::new(self, &all);
        let mut pairs = Vec::with_capacity(n * n);
        (0..n).for_each(|a| pairs.extend(expected.row(a).iter().map(|&expected| usual(expected))));
        let mut row = |a: usize, columns: &[usize]| {
            let (expected, pairs) = (expected.row(a), &mut pairs[a * n..][..n]);
            differences.row(columns.len(), |at, difference| {
                let b = columns[at];
                pairs[b] = cost(expected[b].into(), difference);
            });
        };
        early.iter().for_each(|&a| row(a, &early));
        (0..n).for_each(|a| row(a, if early.contains(&a) { &late } else { &all }));
        pairs
    }

    /// The cost of each letter for ASCII after each such letter: a row for each of [`Self::early`]. They stand first in the
    /// file, and are made without the others.
    pub(super) fn unpack_ascii(&self, code: &Code) -> Vec<u8> {
        let early: Vec<usize> = self.early().collect();
        let mut differences = Differences::new(self.packed_pairs, code);
        let mut expected = Expected::new(self, &early);
        let mut pairs = Vec::with_capacity(early.len() * early.len());
        for &a in &early {
            let row = expected.row(a);
            let start = pairs.len();
            pairs.extend(row.iter().map(|&expected| usual(expected)));
            let pairs = &mut pairs[start..];
            differences.row(early.len(), |at, difference| pairs[at] = cost(row[at].into(), difference));
        }
        pairs
    }
}

/// The cost where no difference is known.
#[inline]
#[expect(clippy::cast_sign_loss, reason = "0 to 255")]
fn usual(expected: i16) -> u8 {
    expected.clamp(0, 255) as u8
}

/// The costs of some letters after each letter where no difference is known: at most some hundreds, and small numbers make
/// vector code.
struct Expected<'a> {
    language: &'a LanguageModel,
    /// The cost of each of the letters anywhere, and its kind.
    letters: Vec<(i16, u8)>,
    /// The cost after a letter of each kind that is no mark.
    beside: [Vec<i16>; KINDS],
    row: Vec<i16>,
}

impl<'a> Expected<'a> {
    fn new(language: &'a LanguageModel, letters: &[usize]) -> Self {
        let own = letters.iter().map(|&b| (i16::from(language.unigram[b]), language.kinds[b]));
        let own: Vec<(i16, u8)> = own.collect();
        let beside = core::array::from_fn(|kind| {
            let beside = letters.iter().map(|&b| i16::from(language.beside[b][0][kind]));
            beside.zip(&own).map(|(beside, own)| own.0 + beside).collect()
        });
        Self { language, letters: own, beside, row: Vec::with_capacity(letters.len()) }
    }

    /// The costs after letter `a`.
    fn row(&mut self, a: usize) -> &[i16] {
        let weight = i16::from(self.language.weight[a]);
        let kind = self.language.kinds[a];
        self.row.clear();
        if kind == MARK {
            let beside = self.language.beside[a][1].map(|beside| weight + i16::from(beside));
            self.row.extend(self.letters.iter().map(|&(own, kind)| own + beside[usize::from(kind) % KINDS]));
        } else {
            self.row.extend(self.beside[usize::from(kind)].iter().map(|&own| weight + own));
        }
        &self.row
    }
}

/// The differences of pairs from what their letters cost.
struct Differences<'a> {
    bits: Bits<'a>,
    code: &'a Code,
    zeros: usize,
}

impl<'a> Differences<'a> {
    fn new(bytes: &'a [u8], code: &'a Code) -> Self {
        Self { bits: Bits::new(bytes), code, zeros: 0 }
    }

    /// Calls `each` with the place and the difference of those of the next `len` pairs that have one.
    #[inline]
    fn row(&mut self, len: usize, mut each: impl FnMut(usize, u8)) {
        let mut at = self.zeros.min(len);
        self.zeros -= at;
        while at < len {
            match self.bits.symbol(self.code) {
                ZERO => at += 1,
                RUN => {
                    self.zeros = self.bits.take(6) as usize + 1;
                    let zeros = self.zeros.min(len - at);
                    self.zeros -= zeros;
                    at += zeros;
                }
                difference => {
                    each(at, difference);
                    at += 1;
                }
            }
        }
    }
}
