//! Grapheme clusters and normal forms, against the files with which Unicode tests implementations. They are not part of this
//! repository: `.ci/unicode-data` fetches them, and `PLACEMAT_UCD` names their folder.

use placemat::UNICODE_VERSION;
use placemat::internals::Clusters;
use placemat::normalize::Normalization::{Nfc, Nfd, Nfkc, Nfkd};
use std::io::Write as _;
use std::path::PathBuf;

/// Returns the text of a file of the Unicode Character Database. Without it, prints a note where the test harness does not
/// capture it.
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

/// Returns the text that code points in hex describe.
fn text(code_points: &str) -> String {
    let c = |hex| u32::from_str_radix(hex, 16).ok().and_then(char::from_u32).expect("a scalar value");
    code_points.split_whitespace().map(c).collect()
}

/// Returns the clusters of a text.
fn clusters(text: &str) -> Vec<String> {
    let mut clusters = Clusters::default();
    let mut found: Vec<String> = Vec::new();
    for c in text.chars() {
        if clusters.begins(c) {
            found.push(String::new());
        }
        found.last_mut().expect("a cluster begins with the text").push(c);
    }
    found
}

/// Compares with a file of lines such as `÷ 0061 × 0301 ÷ 0062 ÷`. Returns the number of lines.
fn check_clusters(name: &str) -> Option<usize> {
    let cases = file(name)?;
    let lines = cases.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    let mut count = 0;
    for line in lines.filter(|line| !line.is_empty()) {
        let want: Vec<String> = line
            .trim_matches(['÷', ' '])
            .split('÷')
            .map(|cluster| text(&cluster.replace('×', " ")))
            .collect();
        assert_eq!(clusters(&want.concat()), want, "{name}: {line}");
        count += 1;
    }
    Some(count)
}

#[test]
fn clusters_are_those_of_the_file_of_tests() {
    let (major, minor, update) = UNICODE_VERSION;
    let Some(cases) = file("GraphemeBreakTest.txt") else { return };
    assert!(cases.starts_with(&format!("# GraphemeBreakTest-{major}.{minor}.{update}.txt\n")));
    let told = cases.lines().find_map(|line| line.strip_prefix("# Lines: ")).expect("the number of lines");
    assert_eq!(check_clusters("GraphemeBreakTest.txt"), told.parse().ok());
}

#[test]
fn clusters_of_random_text_are_those_of_another_implementation() {
    assert!(check_clusters("GraphemeBreakRandom.txt").is_none_or(|count| count == 20_000));
}

#[test]
fn every_emoji_is_one_cluster() {
    let Some(emoji) = file("emoji.txt") else { return };
    assert!(emoji.lines().count() > 5000);
    for line in emoji.lines() {
        assert_eq!(clusters(&text(line)).len(), 1, "{line}");
    }
}

#[test]
fn well_known_clusters() {
    for (text, want) in [
        ("", 0),
        ("\r\n\n\r", 3),
        ("e\u{301}\u{302}", 1),
        ("🇩🇪🇫🇷🇪", 3),
        ("👨‍👩‍👧‍👦👍🏽", 2),
        ("क्षि", 1),
        ("한국어각", 4),
        ("❤\u{FE0F}‍🔥", 1),
        // A number sign of Arabic holds what follows.
        ("\u{600}\u{661}\u{662}", 2),
        // A virama joins a consonant to anything since Unicode 18.
        ("\u{25CC}\u{94D}\u{915}", 1),
        ("a\u{94D}\u{200D}\u{915}", 1),
        ("\u{915}\u{94D}a", 2),
        // The last of two consonants in a row begins a cluster, also after a mark.
        ("\u{915}\u{93C}\u{915}", 2),
        // A linker that extends nothing.
        ("\u{1CF5}\u{915}", 1),
    ] {
        assert_eq!(clusters(text).len(), want, "{text}");
    }
}

/// The equations are those in the head of the file.
#[test]
fn normal_forms_are_those_of_the_file_of_tests() {
    let (major, minor, update) = UNICODE_VERSION;
    let Some(cases) = file("NormalizationTest.txt") else { return };
    assert!(cases.starts_with(&format!("# NormalizationTest-{major}.{minor}.{update}.txt\n")));
    let mut changed = std::collections::BTreeSet::new();
    let (mut part, mut count) = (0, 0);
    for line in cases.lines() {
        if let Some(name) = line.strip_prefix("@Part") {
            part = name.split(' ').next().and_then(|n| n.parse().ok()).expect("a number");
            continue;
        }
        let fields: Vec<String> =
            line.split('#').next().unwrap_or_default().split(';').map(text).take(5).collect();
        let [source, nfc, nfd, nfkc, nfkd] = &fields[..] else { continue };
        for c in [source, nfc, nfd] {
            assert_eq!((&*Nfc.apply(c), &*Nfd.apply(c)), (&**nfc, &**nfd), "{line}");
        }
        for c in [nfkc, nfkd] {
            assert_eq!((&*Nfc.apply(c), &*Nfd.apply(c)), (&**nfkc, &**nfkd), "{line}");
        }
        for c in [source, nfc, nfd, nfkc, nfkd] {
            assert_eq!((&*Nfkc.apply(c), &*Nfkd.apply(c)), (&**nfkc, &**nfkd), "{line}");
        }
        if part == 1 {
            changed.extend(source.chars());
        }
        count += 1;
    }
    assert!(count > 20_000 && changed.len() > 17_000, "{count} lines, {} of part 1", changed.len());
    for c in ('\0'..=char::MAX).filter(|c| !changed.contains(c)).map(String::from) {
        for form in [Nfc, Nfd, Nfkc, Nfkd] {
            assert_eq!(form.apply(&c), c, "{form:?}");
        }
    }
}

/// U+1ADE, of Unicode 18, is a mark above, and goes after a mark below.
#[test]
fn normalization_knows_the_marks_of_the_stated_version() {
    assert_eq!(UNICODE_VERSION, (18, 0, 0));
    assert_eq!(Nfd.apply("a\u{1ADE}\u{316}"), "a\u{316}\u{1ADE}");
    // Nobody has assigned U+1AF1.
    assert_eq!(Nfd.apply("a\u{1AF1}\u{316}"), "a\u{1AF1}\u{316}");
}
