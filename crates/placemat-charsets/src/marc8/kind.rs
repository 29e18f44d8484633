//! The three encodings that share a form: MARC-8, ANSEL alone, and the ANSEL of GEDCOM.

use crate::grid::{Cell, Grid};
use placemat_core::forms::names::{Names, labels};
use placemat_core::ground::code_point::CodePoint;

/// ASCII, as a row of [`SINGLE`].
pub(super) const ASCII: u8 = 0;
/// ANSEL, as a row of [`SINGLE`].
pub(super) const ANSEL: u8 = 1;
/// The sets of single bytes, a row each.
pub(super) static SINGLE: Grid = Grid::new(include_bytes!("marc8_single.bin"));
static MARK_LIST: &[u8] = include_bytes!("marc8_marks.bin");

/// The codes of ANSEL that MARC 21 added, without the high bit: ß and the euro sign.
const ADDED_BY_MARC: [u8; 2] = [0x47, 0x48];
/// The codes that GEDCOM adds to ANSEL, without the high bit: two boxes, ß and the combining solidus.
const ADDED_BY_GEDCOM: [(u8, u16); 4] = [(0x3E, 0x25A1), (0x3F, 0x25A0), (0x4F, 0xDF), (0x7C, 0x338)];

/// The encodings, as members of the family of [`Marc8`](super::Marc8).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// All sets, chosen by escapes.
    #[default]
    Marc8,
    /// ASCII and ANSEL.
    Ansel,
    /// ASCII and ANSEL with the additions of GEDCOM.
    Gedcom,
}

impl Kind {
    /// Returns the names of the encoding.
    pub(super) const fn names(self) -> Names {
        match self {
            Self::Marc8 => MARC8_NAMES,
            Self::Ansel => ANSEL_NAMES,
            Self::Gedcom => GEDCOM_NAMES,
        }
    }

    pub(super) const fn of(member: u16) -> Self {
        match member {
            0 => Self::Marc8,
            1 => Self::Ansel,
            _ => Self::Gedcom,
        }
    }

    /// Returns the character that a byte of ANSEL means, without its high bit.
    pub(super) fn ansel(self, code: u8) -> Option<CodePoint> {
        if self != Self::Marc8 && ADDED_BY_MARC.contains(&code) {
            return None;
        }
        let added = ADDED_BY_GEDCOM.iter().find(|(known, _)| self == Self::Gedcom && *known == code);
        match (added, SINGLE.get((ANSEL.into(), code.into()))) {
            (Some(&(_, c)), _) => Some(CodePoint::from_u16(c)),
            (None, Some(Cell::One(c))) => Some(c),
            _ => None,
        }
    }

    /// Returns the set and the code of a character in a set of single bytes.
    pub(super) fn place(self, c: CodePoint) -> Option<(u8, u8)> {
        let found = || {
            let (set, code) = SINGLE.find(c)?;
            Some((set.to_le_bytes()[0], code.to_le_bytes()[0]))
        };
        if self == Self::Marc8 {
            return found();
        }
        let added = ADDED_BY_GEDCOM.iter().find(|(_, known)| u32::from(*known) == c.value());
        match added {
            Some(&(code, _)) if self == Self::Gedcom => Some((ANSEL, code)),
            _ => found()
                .filter(|&(set, code)| set == ASCII || (set == ANSEL && !ADDED_BY_MARC.contains(&code))),
        }
    }

    /// Returns `true` if the encoding writes a code point before its base.
    pub(super) fn is_mark(self, c: CodePoint) -> bool {
        (is_mark(c) || (self == Self::Gedcom && c.value() == 0x338))
            && (self == Self::Marc8 || self.place(c).is_some())
    }
}

const MARC8_NAMES: Names = Names {
    name: "MARC-8",
    labels: labels!["marc"],
    web_labels: labels![],
    about: "Library catalogs: sets by escapes, marks before their base, ideographs in three bytes.",
    specified_in: "MARC 21 Specifications, MARC-8 environment",
};
const ANSEL_NAMES: Names = Names {
    name: "ANSEL",
    labels: labels!["z39.47", "ansi-z39.47", "iso-ir-231", "marc-ansel"],
    web_labels: labels![],
    about: "Library catalogs: Latin letters of many languages, each after the bytes of its marks.",
    specified_in: "ANSI/NISO Z39.47-1993",
};
const GEDCOM_NAMES: Names = Names {
    name: "GEDCOM",
    labels: labels!["ansel-gedcom", "gedcom-ansel", "ged"],
    web_labels: labels![],
    about: "Genealogy: the ANSEL of GEDCOM files, with ß and symbols that the library standard lacks.",
    specified_in: "The GEDCOM Standard 5.5.1, appendix C",
};

/// Returns `true` if MARC-8 writes a code point before its base.
fn is_mark(c: CodePoint) -> bool {
    let (marks, _) = MARK_LIST.as_chunks();
    let value = u16::try_from(c.value()).unwrap_or(0);
    marks.binary_search_by_key(&value, |mark| u16::from_le_bytes(*mark)).is_ok()
}
