//! The packed pairs of letters of a language.

use super::bits::{Bits, Code};
use super::characters::{self, KINDS, MARK};
use super::format::{RUN, ZERO};
use super::{LanguageModel, cost};
use alloc::vec;
use alloc::vec::Vec;

impl LanguageModel {
    /// The cost of each letter after each letter.
    pub(super) fn unpack_pairs(&self, code: &Code) -> Vec<u8> {
        let n = self.n;
        let mut pairs = vec![0; n * n];
        let early: Vec<usize> = self.early().collect();
        let late: Vec<usize> = (0..n).filter(|letter| !early.contains(letter)).collect();
        let all: Vec<usize> = (0..n).collect();
        let mut differences = Differences::new(self.packed_pairs, code);
        let mut expected = Expected::new(self, &all);
        let mut row = |a: usize, columns: &[usize]| {
            let row = expected.row(a);
            let pairs = &mut pairs[a * n..][..n];
            if columns.len() < n {
                columns.iter().for_each(|&b| pairs[b] = cost(row[b], ZERO));
            } else {
                pairs.iter_mut().zip(row).for_each(|(pair, &expected)| *pair = cost(expected, ZERO));
            }
            differences.row(columns.len(), |at, difference| {
                let b = columns[at];
                pairs[b] = cost(row[b], difference);
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
            pairs.extend(row.iter().map(|&expected| cost(expected, ZERO)));
            let pairs = &mut pairs[start..];
            differences.row(early.len(), |at, difference| pairs[at] = cost(row[at], difference));
        }
        pairs
    }
}

/// The costs of some letters after each letter where no difference is known.
struct Expected<'a> {
    language: &'a LanguageModel,
    letters: &'a [usize],
    /// After a letter of each kind that is no mark.
    beside: [Vec<i32>; KINDS],
    row: Vec<i32>,
}

impl<'a> Expected<'a> {
    fn new(language: &'a LanguageModel, letters: &'a [usize]) -> Self {
        let own = |b: usize| i32::from(language.unigram[b]);
        let beside = core::array::from_fn(|kind| {
            letters.iter().map(|&b| own(b) + i32::from(language.beside[b][0][kind])).collect()
        });
        Self { language, letters, beside, row: Vec::with_capacity(letters.len()) }
    }

    /// The costs after letter `a`.
    fn row(&mut self, a: usize) -> &[i32] {
        let Self { language, letters, beside, row } = self;
        let weight = i32::from(language.weight[a]);
        row.clear();
        let kind = language.kinds[a];
        if kind == MARK {
            row.extend(letters.iter().map(|&b| {
                let beside = characters::beside(&language.beside, &language.kinds, a, b);
                weight + i32::from(language.unigram[b]) + beside
            }));
        } else {
            row.extend(beside[usize::from(kind)].iter().map(|&own| weight + own));
        }
        row
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
        let mut at = 0;
        loop {
            let zeros = self.zeros.min(len - at);
            self.zeros -= zeros;
            at += zeros;
            if at == len {
                return;
            }
            match self.bits.symbol(self.code) {
                ZERO => at += 1,
                RUN => self.zeros = self.bits.take(6) as usize + 1,
                difference => {
                    each(at, difference);
                    at += 1;
                }
            }
        }
    }
}
