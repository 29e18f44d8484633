//! Whether the ill-formed bytes of a file make sense as windows-1252, reported once at its end: one place proves
//! little, all of them together prove much.

use crate::families;
use placemat::Encoding;
use placemat_diagnose::Sense;

/// The counts of a file so far.
#[derive(Debug, Default)]
pub(super) struct Readings {
    /// The numbers of ill-formed sequences, by the sense that they make.
    much: u64,
    some: u64,
    none: u64,
    /// Whether there is well-formed text above ASCII.
    has_others: bool,
}

impl Readings {
    /// An ill-formed sequence.
    pub(super) fn see(&mut self, sense: Sense) {
        *match sense {
            Sense::Much => &mut self.much,
            Sense::Some => &mut self.some,
            Sense::None => &mut self.none,
        } += 1;
    }

    /// Takes well-formed text.
    pub(super) fn text(&mut self, above_ascii: bool) {
        self.has_others |= above_ascii;
    }

    /// Returns the conclusion, if there is one. `ended`: the file was read to its end.
    pub(super) fn words(&self, ended: bool, encoding: Encoding) -> Option<String> {
        let Self { much, some, none, has_others } = *self;
        if much == 0 || !families::UTF_8.contains(&encoding) {
            return None;
        }
        let all = much + some;
        let s = if all == 1 { "" } else { "s" };
        let cp1252 = "`placemat convert -e cp1252` converts them";
        // Lone letters prove nothing.
        let whole = none == 0 && some <= much;
        Some(if !ended {
            format!("so far, {all} byte{s} may be windows-1252: {cp1252}")
        } else if !whole {
            let (s, others) = (if much == 1 { "" } else { "s" }, some + none);
            format!(
                "{much} byte{s} may be windows-1252, and {others} more can hardly be: find out where the file comes from before \
                 you convert it"
            )
        } else if has_others {
            format!("{all} such byte{s} of windows-1252 among UTF-8: {cp1252}")
        } else {
            format!(
                "{all} such byte{s}; all of the file reads as windows-1252: `placemat convert -f windows-1252` makes it UTF-8"
            )
        })
    }
}
