//! The state of a text.

use super::encodings::MultiByte;
use super::japanese::Sets;
use super::sets::{CNS11643, GB2312, ISO_IR_165};
use crate::grid::Grid;
use placemat_core::forms::descriptor::{Carried, Words};
use placemat_core::ground::code_point::CodePoint;

/// The encoding, and the shift state at a place in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct MultiByteState {
    pub(super) encoding: MultiByte,
    pub(super) shift: Shift,
    pub(super) japanese: Sets,
    /// A held code point, which a mark may follow.
    pub(super) pending: Option<CodePoint>,
}

impl Carried for MultiByteState {
    const START: Words = Words::new([0, u32::MAX]);

    #[inline]
    fn take(member: u16, words: &Words) -> Self {
        let [shift, pending, japanese, ..] = words.0;
        Self {
            encoding: MultiByte::of(member),
            shift: Shift::take(shift.to_le_bytes()),
            japanese: Sets::take(japanese.to_le_bytes()),
            pending: CodePoint::new(pending),
        }
    }

    #[inline]
    fn put(self, words: &mut Words) {
        let pending = self.pending.map_or(u32::MAX, CodePoint::value);
        let [shift, japanese] = [self.shift.bytes(), self.japanese.bytes()].map(u32::from_le_bytes);
        words.0[..3].copy_from_slice(&[shift, pending, japanese]);
    }
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
    #[inline]
    fn take([flags, set, plane_3, _]: [u8; 4]) -> Self {
        Self {
            double: flags & 1 != 0,
            plane_2: flags & 2 != 0,
            begun: flags & 4 != 0,
            set: [None, Some(Set::Gb2312), Some(Set::Plane1), Some(Set::IsoIr165)][usize::from(set & 3)],
            plane_3: (plane_3 > 0).then_some(plane_3),
        }
    }

    #[inline]
    fn bytes(self) -> [u8; 4] {
        let [double, plane_2, begun] = [self.double, self.plane_2, self.begun].map(u8::from);
        let set = self.set.map_or(0, |set| 1 + set as u8);
        [double | plane_2 << 1 | begun << 2, set, self.plane_3.unwrap_or(0), 0]
    }

    /// Returns `true` if there is anything that ends with the line.
    pub(super) const fn is_designated(&self) -> bool {
        self.set.is_some() || self.plane_2 || self.plane_3.is_some()
    }
}
