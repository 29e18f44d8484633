//! The library answers every probe of the contract like glibc, or `known.txt` has a rule with the
//! reason.

use contract::answer::Memory;
use contract::known::{self, Kind};
use contract::library::{Glibc, ours};
use contract::table;

// This is one test, because the probes of locales change the locale of the process.
#[test]
fn the_library_answers_as_glibc() {
    let mut memories = [Memory::new(), Memory::new()];
    let mut wrong = String::new();
    for probe in table::probes() {
        let glibc = probe.answers(&Glibc, &mut memories[0]);
        let ours = probe.answers(ours(), &mut memories[1]);
        match (glibc == ours, known::rule_for(Kind::Probe, probe.name)) {
            (true, None) | (false, Some(_)) => {}
            (false, None) if probe.is_left() && ours == ["open: EINVAL"] => {}
            (true, Some(rule)) => wrong += &format!("is equal, but listed: {}\n", rule.line),
            (false, None) => wrong += &format!("{}\n  glibc    {glibc:?}\n  placemat {ours:?}\n", probe.name),
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}
