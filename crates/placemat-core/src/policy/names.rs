//! The names of policies, and the error for unknown names.

use super::stock::ErrorPolicy;
use crate::ground::error::Quoted;
use crate::ground::policy::Replacement;
use core::fmt;
use core::str::FromStr;

/// The names of the stock policies: Python's, and the command's.
const NAMES: [(&str, ErrorPolicy<'static>); 12] = [
    ("strict", ErrorPolicy::Stop),
    ("replace", ErrorPolicy::Replace),
    ("question", ErrorPolicy::ReplaceWith(Replacement::QUESTION)),
    ("ignore", ErrorPolicy::Skip),
    ("latin1", ErrorPolicy::Latin1),
    ("cp1252", ErrorPolicy::Windows1252),
    ("backslashreplace", ErrorPolicy::HexEscape),
    ("surrogateescape", ErrorPolicy::SurrogateEscape),
    ("surrogatepass", ErrorPolicy::SurrogatePass),
    ("pass", ErrorPolicy::SurrogatePass),
    ("optu", ErrorPolicy::Optu),
    ("optu16", ErrorPolicy::Optu16),
];

/// Parses the names of Python's error handlers and of the command: `strict`, `replace`, `question`,
/// `ignore`, `latin1`, `cp1252`, `backslashreplace`, `surrogateescape`, `surrogatepass` or `pass`,
/// `optu`, `optu16`.
impl FromStr for ErrorPolicy<'static> {
    type Err = NameError;

    fn from_str(name: &str) -> Result<Self, NameError> {
        match NAMES.iter().find(|(known, _)| *known == name) {
            Some(&(_, policy)) => Ok(policy),
            None => {
                let near = nearest(name, NAMES.iter().map(|&(known, _)| known));
                Err(NameError::new(Problem::Policy(near), name))
            }
        }
    }
}

/// The error for an unknown name of a policy or of a kind of ill-formed sequence.
///
/// ```
/// use placemat::{ErrorPolicy, policy::{ByKind, NameError}};
/// let e: NameError = "replac".parse::<ErrorPolicy<'static>>().unwrap_err();
/// assert_eq!(e.to_string(), "unknown policy \"replac\" (did you mean replace?)");
/// let e = "ignore,replace".parse::<ByKind<'static>>().unwrap_err();
/// assert_eq!(e.to_string(), "\"replace\" is a second policy for all other kinds: name one");
/// let e = "overlong=surrogatepass".parse::<ByKind<'static>>().unwrap_err();
/// assert_eq!(e.to_string(), "only surrogates can pass: \"overlong\" needs another policy");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameError {
    problem: Problem,
    name: Quoted,
}

/// The reason why a name is rejected; for an unknown name, with the most similar known one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Problem {
    Policy(Option<&'static str>),
    Kind(Option<&'static str>),
    /// There is a second policy for all other kinds.
    Second,
    /// A kind other than surrogates cannot pass.
    Pass,
}

impl NameError {
    pub(super) fn new(problem: Problem, name: &str) -> Self {
        Self { problem, name: Quoted::new(name) }
    }
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Escaped(self.name);
        let near = match self.problem {
            Problem::Policy(near) => {
                write!(f, "unknown policy {name}")?;
                near
            }
            Problem::Kind(near) => {
                write!(f, "unknown kind {name}")?;
                near
            }
            Problem::Second => {
                return write!(f, "{name} is a second policy for all other kinds: name one");
            }
            Problem::Pass => {
                return write!(f, "only surrogates can pass: {name} needs another policy");
            }
        };
        near.map_or(Ok(()), |near| write!(f, " (did you mean {near}?)"))
    }
}

/// A name in quotation marks, with everything but printable ASCII escaped, since all known names
/// are ASCII.
struct Escaped(Quoted);

impl fmt::Display for Escaped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"{}", self.0.text().escape_default(), if self.0.is_cut() { "…" } else { "" })
    }
}

impl core::error::Error for NameError {}

#[cfg(feature = "std")]
crate::ground::io_error::into_io_error!(InvalidInput: NameError);

/// Longer names than this, in bytes, get no suggestion.
const MAX_COMPARED_BYTES: usize = 32;

/// Returns the known name that needs the fewest changes of bytes, of at most a third of the name.
pub(super) fn nearest(name: &str, known: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    if name.len() > MAX_COMPARED_BYTES {
        return None;
    }
    let most = (name.len() / 3).max(1);
    let (distance, near) = known.map(|known| (distance(name, known), known)).min_by_key(|&(far, _)| far)?;
    (distance <= most && distance < near.len()).then_some(near)
}

/// Returns the number of bytes to insert, delete or change between two names, of which `b` has at
/// most [`MAX_COMPARED_BYTES`].
fn distance(a: &str, b: &str) -> usize {
    let mut row: [usize; MAX_COMPARED_BYTES + 1] = core::array::from_fn(|i| i);
    for (i, x) in a.bytes().enumerate() {
        let mut before = row[0];
        row[0] = i + 1;
        for (j, y) in b.bytes().take(MAX_COMPARED_BYTES).enumerate() {
            let change = before + usize::from(x != y);
            before = row[j + 1];
            row[j + 1] = change.min(before + 1).min(row[j] + 1);
        }
    }
    row[b.len().min(MAX_COMPARED_BYTES)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distance_counts_insertions_deletions_and_changes() {
        let cases = [
            ("", "", 0),
            ("replace", "replace", 0),
            ("replac", "replace", 1),
            ("rreplace", "replace", 1),
            ("replade", "replace", 1),
            ("", "stop", 4),
            ("stop", "", 4),
            ("kitten", "sitting", 3),
            ("stpo", "stop", 2),
        ];
        for (a, b, wanted) in cases {
            assert_eq!((distance(a, b), distance(b, a)), (wanted, wanted), "{a} {b}");
        }
    }

    #[test]
    fn a_suggestion_needs_few_changes_of_few_bytes() {
        let known = || ["stop", "replace", "ignore"].into_iter();
        assert_eq!(nearest("stp", known()), Some("stop"));
        assert_eq!(nearest("rplac", known()), None);
        assert_eq!(nearest("replac", known()), Some("replace"));
        assert_eq!(nearest("", known()), None);
    }
}
