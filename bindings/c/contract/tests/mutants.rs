//! The comparisons find no difference in glibc itself, and find each deliberate mistake.

use contract::answer::Memory;
use contract::library::{Glibc, Iconv};
use contract::mutants::{Mistake, Mutant};
use contract::pairs::{self, Extent};
use contract::scenario::{Both, Memories};
use contract::sweep::{Direction, sweep};
use contract::table;

/// Returns the probes to which a library and glibc give different answers.
fn differing(library: &dyn Iconv) -> Vec<&'static str> {
    let mut memories = [Memory::new(), Memory::new()];
    table::probes()
        .iter()
        .filter(|probe| probe.answers(&Glibc, &mut memories[0]) != probe.answers(library, &mut memories[1]))
        .map(|probe| probe.name)
        .collect()
}

const SOME: &[(&str, &str)] = &[
    ("UTF-8", "ISO-2022-JP"),
    ("ISO-2022-JP", "UTF-8"),
    ("UTF-16", "UTF-8"),
    ("UTF-8", "UTF-16"),
    ("ISO-8859-1", "CP1252"),
    ("CP1252", "UTF-8"),
    ("EUC-JP", "SHIFT_JIS"),
    ("US-ASCII", "UTF-8"),
];
const EXTENT: Extent = Extent { seeds: 12, all: true, most: 3, first: 1 };

// This is one test, because the probes of locales change the locale of the process.
#[test]
fn glibc_equals_itself_and_each_mistake_shows() {
    assert_eq!(differing(&Glibc), Vec::<&str>::new());
    let same = pairs::compare(Both { glibc: &Glibc, ours: &Glibc }, SOME, EXTENT);
    assert!(same.is_empty() && same.runs > 100, "{same}");
    for mistake in Mistake::VISIBLE {
        let mutant = Mutant(*mistake);
        // WrongByte needs its byte, which few probes write.
        assert!(!differing(&mutant).is_empty(), "no probe finds {mistake:?}");
        if !Mistake::OF_NAMES.contains(mistake) {
            let report = pairs::compare(Both { glibc: &Glibc, ours: &mutant }, SOME, EXTENT);
            assert!(!report.is_empty(), "no pair finds {mistake:?}");
        }
    }
}

#[test]
fn a_sweep_finds_one_wrong_byte() {
    let mutant = Mutant(Mistake::WrongByte);
    let mut memories = Memories::default();
    let mut one = |ours, direction| {
        sweep(Both { glibc: &Glibc, ours }, "ISO-8859-1", direction, false, &mut memories).unwrap()
    };
    assert!(one(&Glibc, Direction::Write).is_clean());
    assert!(one(&Glibc, Direction::Read).is_clean());
    let found = one(&mutant, Direction::Write);
    assert_eq!(found.kinds.values().map(|(inputs, _)| inputs.len()).sum::<usize>(), 1);
}
