//! All data of the Unicode Character Database that the command uses is of the version that the library states. The tests of
//! the library compare grapheme clusters and normal forms.

use placemat::internals::Clusters;
use placemat::{CodePoint, UNICODE_VERSION};
use placemat_diagnose::properties::Properties;
use std::collections::HashMap;
use std::io::Write as _;
use std::path::PathBuf;
use unicode_width::UnicodeWidthStr as _;

/// Returns the text of a file that `.ci/unicode-data` made. Without it, prints a note where the test harness does not capture
/// it.
fn file(name: &str) -> Option<String> {
    let Some(folder) = std::env::var_os("PLACEMAT_UCD").map(PathBuf::from) else {
        let _ = writeln!(
            std::io::stderr(),
            "\nWARNING: unicode: nothing was compared with {name}; PLACEMAT_UCD=$(.ci/unicode-data) names its folder"
        );
        return None;
    };
    let path = folder.join(name);
    Some(std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display())))
}

fn hex(text: &str) -> u32 {
    u32::from_str_radix(text, 16).expect("a code point in hex")
}

/// Returns the code points with a value of a property, each with the value.
fn values(property: &str) -> Option<HashMap<u32, String>> {
    let mut found = HashMap::new();
    for line in file("properties.txt")?.lines() {
        let fields: Vec<&str> = line.split(';').collect();
        if let [first, last, name, value] = fields[..]
            && name == property
        {
            found.extend((hex(first)..=hex(last)).map(|c| (c, value.replace('_', " "))));
        }
    }
    Some(found)
}

/// Returns the properties of each code point that is not a surrogate.
fn all() -> impl Iterator<Item = (char, Properties)> {
    ('\0'..=char::MAX).map(|c| (c, Properties::of(c.into())))
}

/// The crates say so themselves, or answer as that version does about code points that it assigned, and that nobody has.
#[test]
fn all_data_is_of_the_stated_version() {
    let (major, minor, update) = UNICODE_VERSION;
    let stated = (major.into(), minor.into(), update.into());
    assert_eq!(unicode_properties::UNICODE_VERSION, stated);
    assert_eq!(unicode_script::UNICODE_VERSION, stated);
    assert_eq!(unicode_security::UNICODE_VERSION, stated);
    assert_eq!(unicode_width::UNICODE_VERSION, UNICODE_VERSION);
    assert_eq!(unicode_normalization::UNICODE_VERSION, UNICODE_VERSION);

    assert_eq!(UNICODE_VERSION, (18, 0, 0), "the rest is about 18.0.0");
    let of = |c: char| {
        let p = Properties::of(c.into());
        (p.name.into_owned(), p.category, p.script, p.width)
    };
    assert_eq!(of('\u{1FADD}'), ("PICKLE".into(), "So", "Common", 2));
    assert_eq!(of('\u{3FC3F}'), ("SMALL SEAL CHARACTER-3FC3F".into(), "Lo", "Seal", 2));
    assert_eq!(of('\u{3FC40}'), ("<reserved-3FC40>".into(), "Cn", "Unknown", 2));
    let block = unicode_blocks::find_unicode_block('\u{18E00}');
    assert_eq!(block.map(|block| block.name()), Some("Jurchen"));
    let mut clusters = Clusters::default();
    assert_eq!("\u{25CC}\u{94D}\u{915}".chars().filter(|&c| clusters.begins(c)).count(), 1);
}

#[test]
fn names_are_those_of_the_database() {
    let Some(names) = file("names.txt") else { return };
    let names: HashMap<u32, &str> =
        names.lines().filter_map(|line| line.split_once(';')).map(|(c, name)| (hex(c), name)).collect();
    assert!(names.len() > 170_000);
    for (c, found) in all() {
        let label = found.name.starts_with('<');
        let name = (!label && !c.is_control()).then_some(&*found.name);
        assert_eq!(name, names.get(&c.into()).copied(), "U+{:04X}", u32::from(c));
    }
}

#[test]
fn categories_and_scripts_are_those_of_the_database() {
    let Some((categories, scripts)) = values("General_Category").zip(values("Script")) else { return };
    let mut long_names: HashMap<&str, &str> = HashMap::new();
    for (c, found) in all() {
        let category = &*categories[&c.into()];
        assert_eq!(
            *long_names.entry(found.category).or_insert(category),
            category,
            "U+{:04X} is {}",
            u32::from(c),
            found.category
        );
        let script = scripts.get(&c.into()).map_or("Unknown", |script| script);
        assert_eq!(found.script.replace('_', " "), script, "U+{:04X}", u32::from(c));
    }
    // Without surrogates.
    assert_eq!(long_names.len(), 29);
    let different: std::collections::HashSet<_> = long_names.values().collect();
    assert_eq!(different.len(), 29);
}

#[test]
fn blocks_are_those_of_the_database() {
    let Some(blocks) = values("Block") else { return };
    let plain = |name: &str| name.replace([' ', '-', '_'], "").to_ascii_lowercase();
    for c in ('\0'..=char::MAX).filter(|&c| !CodePoint::from(c).is_noncharacter()) {
        let found = unicode_blocks::find_unicode_block(c).map(|block| plain(block.name()));
        assert_eq!(found, blocks.get(&c.into()).map(|name| plain(name)), "U+{:04X}", u32::from(c));
    }
}

#[test]
fn every_recommended_emoji_is_two_columns_wide() {
    let Some(emoji) = file("rgi-emoji.txt") else { return };
    assert!(emoji.lines().count() > 3500);
    for line in emoji.lines() {
        let text: String = line.split(' ').filter_map(|c| char::from_u32(hex(c))).collect();
        assert_eq!(text.width(), 2, "{line}");
    }
}
