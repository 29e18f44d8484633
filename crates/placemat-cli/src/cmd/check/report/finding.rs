//! What a report says of a finding.

use super::fingerprint::Fingerprint;
use crate::cmd::check::picture::{Glyph, Line};
use crate::diagnose::Diagnosis;
use crate::lines::Place;
use crate::scan::Around;

/// A finding, with all that a report may say of it.
#[derive(Debug)]
pub(in crate::cmd::check) struct Finding<'a> {
    pub(in crate::cmd::check) kind: &'static str,
    pub(in crate::cmd::check) offset: u64,
    pub(in crate::cmd::check) bytes: &'a [u8],
    pub(in crate::cmd::check) at: Place,
    /// Where it ends.
    pub(in crate::cmd::check) end: Place,
    pub(in crate::cmd::check) diagnosis: &'a Diagnosis,
    pub(in crate::cmd::check) around: &'a Around<'a>,
    /// Where the form of the report has them.
    pub(in crate::cmd::check) fingerprint: Fingerprint,
    /// The line up to the finding, and what is marked in it, where pictures are drawn.
    pub(in crate::cmd::check) line: Option<(&'a Line, &'a [Glyph])>,
}
