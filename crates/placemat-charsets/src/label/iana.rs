//! The registry of IANA, "Character Sets" (RFC 2978): which labels are registered, and which are only understood.

/// The registered character sets of which this crate knows a label, one on each line: the preferred name, then all other
/// registered names.
const REGISTERED: &str = include_str!("iana.txt");

/// Returns the name that IANA prefers for the character set with this registered label; `None` if the label is not
/// registered.
///
/// Case is ignored, as in the registry, and punctuation counts. Labels of the web that are not registered, such as `utf8`,
/// are those for which [`web::for_label`](crate::web::for_label) returns an encoding. All other labels
/// are only understood here: do not write them into headers.
///
/// ```
/// use placemat::label;
/// assert_eq!(label::iana_name("csUTF8"), Some("UTF-8"));
/// assert_eq!(label::iana_name("cp367"), Some("US-ASCII"));
/// // Windows has its own label for the page that browsers call Shift_JIS.
/// assert_eq!(label::iana_name("csWindows31J"), Some("Windows-31J"));
/// assert_eq!(label::iana_name("utf8"), None);
/// assert_eq!(label::iana_name("utf_8"), None);
/// ```
#[must_use]
pub fn iana_name(label: &str) -> Option<&'static str> {
    let label = label.trim_ascii();
    let line =
        REGISTERED.lines().find(|line| line.split(' ').any(|known| known.eq_ignore_ascii_case(label)))?;
    line.split(' ').next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn each_label_is_registered_once() {
        let mut known = BTreeSet::new();
        for line in REGISTERED.lines() {
            assert!(line.is_ascii() && line.trim() == line && !line.contains("  "), "{line}");
            for label in line.split(' ') {
                assert!(known.insert(label.to_ascii_lowercase()), "{label}");
                assert_eq!(iana_name(label), line.split(' ').next(), "{label}");
            }
        }
    }

    #[test]
    #[cfg(all(feature = "single-byte", feature = "cjk", feature = "cjk-extra"))]
    fn each_character_set_is_known() {
        for line in REGISTERED.lines() {
            assert!(line.split(' ').any(|label| crate::Encoding::for_label(label).is_some()), "{line}");
        }
    }

    #[test]
    fn what_is_no_label_is_not_registered() {
        for label in ["", " ", "utf-8 csutf8", "utf8", "utf-8n", "wtf-8", "ucs-2"] {
            assert_eq!(iana_name(label), None, "{label}");
        }
    }
}
