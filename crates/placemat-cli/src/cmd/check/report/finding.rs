//! The data of a finding for a report.

use super::fingerprint::Fingerprint;
use crate::cmd::check::picture::{Glyph, Line};
use crate::lines::Place;
use crate::scan::Around;
use placemat_diagnose::Diagnosis;

/// A finding, with all data that a report may use.
#[derive(Debug)]
pub(in crate::cmd::check) struct Finding<'a> {
    pub(in crate::cmd::check) kind: &'static str,
    pub(in crate::cmd::check) offset: u64,
    pub(in crate::cmd::check) bytes: &'a [u8],
    pub(in crate::cmd::check) at: Place,
    /// The end of the finding.
    pub(in crate::cmd::check) end: Place,
    pub(in crate::cmd::check) diagnosis: &'a Diagnosis,
    pub(in crate::cmd::check) around: &'a Around<'a>,
    /// The fingerprint, if the format has one.
    pub(in crate::cmd::check) fingerprint: Fingerprint,
    /// The line up to the finding and the marked glyphs, if a picture is drawn.
    pub(in crate::cmd::check) line: Option<(&'a Line, &'a [Glyph])>,
    /// Given where the finding represents several.
    pub(in crate::cmd::check) several: Option<Several<'a>>,
}

/// Several findings in one; the place is that of the first.
#[derive(Clone, Copy, Debug)]
pub(in crate::cmd::check) struct Several<'a> {
    pub(in crate::cmd::check) count: u64,
    /// The message, which names the first place itself.
    pub(in crate::cmd::check) message: &'a str,
}
