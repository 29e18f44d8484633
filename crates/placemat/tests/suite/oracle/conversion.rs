//! A whole conversion from one form to another, which goes on after each error.

use super::writing::Writer;
use super::{Fault, Form, Item, Policy, Span, Unmappable, items};

/// From what to what, and what happens on the way.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(crate) struct Conversion {
    pub(crate) from: Form,
    pub(crate) span: Span,
    pub(crate) policy: Policy,
    pub(crate) to: Form,
    pub(crate) unmappable: Unmappable,
}

/// Something that no policy dealt with. Offsets count bytes of the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(crate) enum Trouble {
    IllFormed(Fault),
    Unmappable { offset: usize, code_point: u32, kind: &'static str },
}

/// How often, and where first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Count {
    pub(crate) count: u64,
    pub(crate) first: Option<usize>,
}

impl Count {
    fn add(&mut self, times: u64, offset: usize) {
        self.count += times;
        if times > 0 && self.first.is_none() {
            self.first = Some(offset);
        }
    }
}

/// What was met on the way.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Counts {
    /// Well-formed code points in the source.
    pub(crate) decoded: u64,
    /// Errors for which something was written.
    pub(crate) replaced: Count,
    /// Errors for which nothing was written, as the policy wanted.
    pub(crate) ignored: Count,
    /// Code points for which something else was written, or on purpose nothing.
    pub(crate) unmappable: Count,
}

/// What came of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Converted {
    pub(crate) bytes: Vec<u8>,
    /// Each trouble, with how many bytes had been written before it.
    pub(crate) troubles: Vec<(Trouble, usize)>,
    pub(crate) counts: Counts,
}

impl Conversion {
    /// Converts all of `src`. What is in trouble is left out as a whole: an error with everything that stands for it. All that
    /// precedes it is written before.
    pub(crate) fn run(self, src: &[u8]) -> Converted {
        let Self { from, span, policy, to, unmappable } = self;
        let mut writer = Writer::new(to, unmappable);
        let mut troubles = Vec::new();
        let mut counts = Counts::default();
        for item in items(from, src, policy.span(span), policy.mode()) {
            let before = writer.mark();
            let (offset, text) = match item {
                Item::CodePoint { value, start, .. } => {
                    counts.decoded += 1;
                    (start, vec![value])
                }
                Item::Error(fault) => match policy.replacement(&src[fault.start..fault.end]) {
                    Some(text) => (fault.start, text),
                    None => {
                        writer.pause();
                        troubles.push((Trouble::IllFormed(fault), writer.bytes.len()));
                        continue;
                    }
                },
            };
            let refused = text.iter().find_map(|&c| writer.put(c).err().map(|kind| (c, kind)));
            if let Some((code_point, kind)) = refused {
                writer.back_to(before);
                writer.pause();
                troubles.push((Trouble::Unmappable { offset, code_point, kind }, writer.bytes.len()));
                continue;
            }
            counts.unmappable.add(writer.substituted - before.substituted, offset);
            match item {
                Item::Error(_) if text.is_empty() => counts.ignored.add(1, offset),
                Item::Error(_) => counts.replaced.add(1, offset),
                Item::CodePoint { .. } => {}
            }
        }
        Converted { bytes: writer.finish(), troubles, counts }
    }
}
