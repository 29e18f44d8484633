//! Every name that glibc knows, and other spellings of it.

use contract::answer::{Handle, Memory};
use contract::library::{Glibc, Iconv, ours};
use contract::names;
use contract::scenario::Both;

#[test]
fn every_name_of_glibc_is_known_and_means_the_same() {
    let both = Both { glibc: &Glibc, ours: ours() };
    let mut memories = [Memory::new(), Memory::new()];
    let all = names::all();
    assert!(all.len() > 1000, "{} names", all.len());
    let mut wrong = String::new();
    for name in &all {
        match (names::compare(both, name, &mut memories), names::is_listed(name)) {
            (None, false) | (Some(_), true) => {}
            (Some(difference), false) => wrong += &format!("{name}: {difference}\n"),
            (None, true) => wrong += &format!("{name} is equal, but listed\n"),
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn names_are_known_in_each_spelling_that_glibc_knows() {
    let opens = |library: &dyn Iconv, name: &str| Handle::open(library, name.as_bytes(), b"UTF-8").map(drop);
    let mut wrong = String::new();
    for name in names::all().iter().filter(|name| !names::is_listed(name)) {
        for variant in names::variants(name) {
            let (glibc, ours) = (opens(&Glibc, &variant), opens(ours(), &variant));
            // The library may know more spellings than glibc, but not fewer.
            if glibc.is_ok() && ours.is_err() {
                wrong += &format!("{variant:?}: glibc {glibc:?}, placemat {ours:?}\n");
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}
