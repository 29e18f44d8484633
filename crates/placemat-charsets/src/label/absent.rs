//! Labels of charsets that a feature of the crate would bring, so that an error can name the feature.
//!
//! `absent.bin` has five bytes for each name and label of these charsets, sorted: the hash of its significant characters, most
//! significant byte first, and the place of the feature in `FEATURES`. A test makes the file from the lists of encodings.

#[cfg(any(
    test,
    not(all(feature = "single-byte", feature = "cjk", feature = "cjk-extra", feature = "marc8"))
))]
mod needed {
    use crate::label::{bare, table};

    /// The features that bring charsets, each with what an error says about a label of them.
    pub(super) const FEATURES: [(&str, &str); 4] = [
        ("single-byte", "it needs the feature `single-byte` of the crate placemat"),
        ("cjk", "it needs the feature `cjk` of the crate placemat"),
        ("cjk-extra", "it needs the feature `cjk-extra` of the crate placemat"),
        ("marc8", "it needs the feature `marc8` of the crate placemat"),
    ];

    const ENTRIES: &[u8] = include_bytes!("absent.bin");

    /// Returns the place of the feature that brings the charset of a label.
    pub(super) fn feature(label: &str) -> Option<usize> {
        let entries = ENTRIES.as_chunks::<5>().0;
        table::hashes(bare(label)).find_map(|hash| {
            let hash = hash.to_be_bytes();
            let at = entries.binary_search_by(|entry| entry[..4].cmp(&hash[..])).ok()?;
            Some(usize::from(entries[at][4]))
        })
    }
}

/// Returns what an error says about a label of a charset that a feature would bring.
pub(super) fn about(label: &str) -> Option<&'static str> {
    #[cfg(not(all(feature = "single-byte", feature = "cjk", feature = "cjk-extra", feature = "marc8")))]
    return needed::feature(label).map(|feature| needed::FEATURES[feature].1);
    #[cfg(all(feature = "single-byte", feature = "cjk", feature = "cjk-extra", feature = "marc8"))]
    {
        let _ = label;
        None
    }
}

#[cfg(all(test, feature = "single-byte", feature = "cjk", feature = "cjk-extra", feature = "marc8"))]
mod tests {
    use super::needed::{FEATURES, feature};
    use crate::Encoding;
    use crate::label::table::hashes;

    fn of(encoding: Encoding) -> Option<usize> {
        match encoding.descriptor().number {
            0..100 => None,
            100..600 => Some(0),
            600..640 => Some(1),
            640..700 | 720.. => Some(2),
            _ => Some(3),
        }
    }

    #[test]
    fn the_file_has_the_labels_of_all_features() {
        let mut entries = Vec::new();
        for &encoding in Encoding::ALL {
            let names = encoding.names();
            let Some(feature) = of(encoding) else { continue };
            for label in names.labels.iter().chain([names.name]) {
                let hash = hashes(label).next().expect("a label has a hash");
                entries.push(
                    [&hash.to_be_bytes()[..], &[u8::try_from(feature).expect("there are few features")]]
                        .concat(),
                );
            }
        }
        entries.sort();
        entries.dedup();
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/label/absent.bin");
        if std::env::var_os("PLACEMAT_RECORD").is_some() {
            std::fs::write(path, entries.concat()).expect("to write the file");
        }
        assert!(
            std::fs::read(path).expect("to read the file") == entries.concat(),
            "PLACEMAT_RECORD=1 makes the file"
        );
    }

    #[test]
    fn labels_name_their_feature() {
        for (label, name) in [
            ("windows-1252", "single-byte"),
            ("win1251", "single-byte"),
            (" KOI8_R ", "single-byte"),
            ("ru_RU.KOI8-R", "single-byte"),
            ("Shift_JIS", "cjk"),
            ("big5-hkscs", "cjk-extra"),
            ("marc-8", "marc8"),
        ] {
            assert_eq!(feature(label).map(|feature| FEATURES[feature].0), Some(name), "{label}");
        }
        for label in ["utf-8", "latin1", "klingon", ""] {
            assert_eq!(feature(label), None, "{label}");
        }
    }
}
