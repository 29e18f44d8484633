//! A baseline: the findings by their fingerprints, one a line.

use super::finding::Finding;
use super::subject::Subject;

/// A line: the fingerprint, the kind and the path; only the first is read again.
pub(super) fn line(to: &mut String, subject: &Subject, finding: &Finding<'_>) {
    finding.fingerprint.push(to);
    for part in [finding.kind, &subject.shown] {
        to.push(' ');
        to.push_str(part);
    }
    to.push('\n');
}
