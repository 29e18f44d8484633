//! Is the stream UTF-8, and if not, how much of it is?

use super::verdict::Damage;
use crate::kernels::dispatch::Kernels;
use alloc::vec::Vec;

/// The counts of sequences in a stream that is read as UTF-8.
#[derive(Clone, Debug, Default)]
pub(super) struct Utf8 {
    /// Sequences that are ill-formed, each a maximal subpart.
    pub(super) ill_formed: u64,
    /// Well-formed sequences of several bytes.
    pub(super) well_formed: u64,
    /// The first ill-formed sequence, and its offset.
    pub(super) first: Option<(u64, Vec<u8>)>,
}

impl Utf8 {
    /// The damage, if the stream is UTF-8 but for some ill-formed sequences. In text of another encoding, hardly any
    /// sequence is well-formed by chance: one in ten, where all lead bytes have two bytes and most bytes are high.
    pub(super) fn damage(&self) -> Option<Damage> {
        let &Self { ill_formed, well_formed, .. } = self;
        let (first, _) = self.first.as_ref()?;
        (well_formed >= 8 && well_formed / 3 >= ill_formed).then_some(Damage {
            ill_formed,
            well_formed,
            first: *first,
        })
    }

    /// Takes a block that begins and ends between sequences. Returns whether it is well-formed.
    pub(super) fn block(&mut self, offset: u64, block: &[u8]) -> bool {
        let kernels = Kernels::current();
        let mut rest = block;
        loop {
            let good = kernels.utf8_prefix(rest);
            let (text, ill_formed) = rest.split_at(good);
            self.well_formed += text.iter().map(|&byte| u64::from(byte >= 0xC0)).sum::<u64>();
            if ill_formed.is_empty() {
                return rest.len() == block.len();
            }
            let len = match crate::utf8::decode_first(ill_formed) {
                Some(Err(e)) => e.len(),
                _ => 1,
            };
            if self.first.is_none() {
                let at = block.len() - ill_formed.len();
                self.first = Some((offset + at as u64, ill_formed[..len].to_vec()));
            }
            self.ill_formed += 1;
            rest = &ill_formed[len..];
        }
    }
}
