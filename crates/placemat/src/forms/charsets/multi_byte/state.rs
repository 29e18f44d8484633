//! The state of a text.

use super::encodings::MultiByte;
use super::japanese::Sets;
use super::sets::{CNS11643, GB2312, ISO_IR_165};
use crate::forms::charsets::grid::Grid;
use crate::ground::code_point::CodePoint;

/// The encoding, and the shift state at a place in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct MultiByteState {
    pub(super) encoding: MultiByte,
    pub(super) shift: Shift,
    pub(super) japanese: Sets,
    /// A held code point, which a mark may follow.
    pub(super) pending: Option<CodePoint>,
}

/// The shift state at a place in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Shift {
    /// Whether two bytes are one code.
    pub(super) double: bool,
    /// ISO-2022-CN: the set designated for SO.
    pub(super) set: Option<Set>,
    /// ISO-2022-CN: whether plane 2 of CNS 11643 is designated for single shifts.
    pub(super) plane_2: bool,
    /// ISO-2022-CN-EXT: which of planes 3 to 7 of CNS 11643 is designated for the other single shifts.
    pub(super) plane_3: Option<u8>,
    /// ISO-2022-KR: whether the designation was written.
    pub(super) begun: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Set {
    Gb2312,
    Plane1,
    IsoIr165,
}

impl Set {
    pub(super) const fn grid(self) -> &'static Grid {
        match self {
            Self::Gb2312 => &GB2312,
            Self::Plane1 => &CNS11643,
            Self::IsoIr165 => &ISO_IR_165,
        }
    }
}

impl Shift {
    /// Whether there is anything that ends with the line.
    pub(super) const fn is_designated(&self) -> bool {
        self.set.is_some() || self.plane_2 || self.plane_3.is_some()
    }
}
