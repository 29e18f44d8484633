//! Each code point and each short sequence of every encoding; `PLACEMAT_LONG=1` takes all code points.

use contract::charsets::{COMMON, RARE};
use contract::library::{Glibc, ours};
use contract::pairs::in_threads;
use contract::report::Report;
use contract::scenario::Both;
use contract::sweep::{Direction, Found, items, sweep};
use std::fmt::Write as _;
use std::sync::Mutex;

#[test]
fn each_code_point_and_each_sequence_is_as_in_glibc() {
    let all = std::env::var_os("PLACEMAT_LONG").is_some_and(|value| value == "1");
    let both = Both { glibc: &Glibc, ours: ours() };
    let directions = [Direction::Read, Direction::Write, Direction::Translit];
    let work: Vec<_> =
        COMMON.iter().chain(RARE).flat_map(|name| directions.map(|direction| (*name, direction))).collect();
    let wrong = Mutex::new(String::new());
    in_threads(&work, |(name, direction), memories| {
        if let Some(found) = sweep(both, name, *direction, all, memories) {
            wrong.lock().unwrap().push_str(&shown(name, *direction, &found));
        }
        Report::default()
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "\n{wrong}");
}

fn shown(name: &str, direction: Direction, found: &Found) -> String {
    let mut text: String = found.stale.iter().map(|line| format!("{name}: {line}\n")).collect();
    for (kind, (inputs, difference)) in &found.kinds {
        let _ = writeln!(text, "{direction:?} {name}: {kind}:{}\n    {difference}", items(direction, inputs));
    }
    text
}
