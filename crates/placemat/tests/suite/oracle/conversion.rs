//! A whole conversion from one form to another, continued after each error.

use super::writing::Writer;
use super::{Fault, Form, Item, Policy, Span, Unmappable, items};

/// The two forms and the policies of a conversion.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(crate) struct Conversion {
    pub(crate) from: Form,
    pub(crate) span: Span,
    pub(crate) policy: Policy,
    pub(crate) to: Form,
    pub(crate) unmappable: Unmappable,
}

/// An error that no policy handled. Offsets count bytes of the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(crate) enum Trouble {
    IllFormed(Fault),
    Unmappable { offset: usize, code_point: u32, kind: &'static str },
}

/// The number of events, and the offset of the first.
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

/// The counts of a conversion.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Counts {
    /// Well-formed code points in the source.
    pub(crate) decoded: u64,
    /// Errors for which something was written.
    pub(crate) replaced: Count,
    /// Errors for which nothing was written, as the policy required.
    pub(crate) ignored: Count,
    /// Code points for which a substitute was written, or deliberately nothing.
    pub(crate) unmappable: Count,
}

/// The result of a conversion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Converted {
    pub(crate) bytes: Vec<u8>,
    /// Each unhandled error, with the number of bytes written before it.
    pub(crate) troubles: Vec<(Trouble, usize)>,
    pub(crate) counts: Counts,
}

impl Conversion {
    /// Converts all of `src`. An unhandled error is left out with all of its replacement; everything before it is
    /// written.
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
