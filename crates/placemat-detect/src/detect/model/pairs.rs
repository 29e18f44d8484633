//! The packed pairs of letters of a language.

use super::bits::{Bits, Code};
use super::characters::{KINDS, MARK};
use super::format::{RUN, ZERO, early_index};
use super::{LanguageModel, cost};
use alloc::vec::Vec;

impl LanguageModel {
    /// Returns the cost of each letter after each letter.
    pub(super) fn unpack_pairs(&self, code: &Code) -> Vec<u8> {
        let n = self.n;
        let early: Vec<usize> = self.early().collect();
        let late: Vec<usize> = (0..n).filter(|letter| !early.contains(letter)).collect();
        let all: Vec<usize> = (0..n).collect();
        let mut differences = Differences::new(self.packed_pairs, code);
        let mut expected = Expected::new(self);
        let mut pairs = Vec::with_capacity(n * n);
        for a in 0..n {
            let expected = expected.row(a);
            let start = pairs.len();
            pairs.extend(expected.iter().map(|&expected| usual(expected)));
            let row = &mut pairs[start..];
            let columns = if early.contains(&a) {
                for (&b, index) in early.iter().zip(early_index(a) * self.early_letters..) {
                    row[b] = cost(expected[b].into(), self.early_pairs.get(index));
                }
                &late
            } else {
                &all
            };
            differences.row(columns.len(), |at, difference| {
                let b = columns[at];
                row[b] = cost(expected[b].into(), difference);
            });
        }
        pairs
    }

    /// Returns the cost of letter `b` after letter `a`, both of them for ASCII.
    pub(super) fn early_pair(&self, a: usize, b: usize) -> u8 {
        let [kind_a, kind_b] = [a, b].map(|letter| self.kinds[letter]);
        let beside = match kind_a {
            MARK => self.beside[a][1][usize::from(kind_b)],
            _ => self.beside[b][0][usize::from(kind_a)],
        };
        let expected = i32::from(self.weight[a]) + i32::from(self.unigram[b]) + i32::from(beside);
        let index = early_index(a) * self.early_letters + early_index(b);
        cost(expected, self.early_pairs.get(index))
    }
}

/// Returns the cost where no difference is known.
#[inline]
#[expect(clippy::cast_sign_loss, reason = "0 to 255")]
fn usual(expected: i16) -> u8 {
    expected.clamp(0, 255) as u8
}

/// The costs of all letters after each letter where no difference is known: small numbers, which make vector code.
struct Expected<'a> {
    language: &'a LanguageModel,
    /// The cost of each letter after a letter of each kind that is not a mark.
    beside: [Vec<i16>; KINDS],
    row: Vec<i16>,
}

impl<'a> Expected<'a> {
    fn new(language: &'a LanguageModel) -> Self {
        let beside = core::array::from_fn(|kind| {
            let own = language.unigram.iter().map(|&own| i16::from(own));
            own.zip(&language.beside).map(|(own, beside)| own + i16::from(beside[0][kind])).collect()
        });
        Self { language, beside, row: Vec::with_capacity(language.n) }
    }

    /// Returns the costs after letter `a`.
    fn row(&mut self, a: usize) -> &[i16] {
        let weight = i16::from(self.language.weight[a]);
        let kind = self.language.kinds[a];
        self.row.clear();
        if kind == MARK {
            let beside = self.language.beside[a][1].map(|beside| weight + i16::from(beside));
            let own = self.language.unigram.iter().zip(&self.language.kinds);
            self.row.extend(own.map(|(&own, &kind)| i16::from(own) + beside[usize::from(kind) % KINDS]));
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
