//! The choice of a similar text, among those that a target can represent.

use super::rules::Rules;
use super::{silent, symbols, tables};

/// The longest substitute for a code point, in bytes.
pub const MAX_SUBSTITUTE_BYTES: usize = 64;

/// Returns the similar text in ASCII, by the general rules.
pub(crate) fn in_ascii(c: char) -> Option<&'static str> {
    similar(Rules::GENERAL, false, c, str::is_ascii)
}

/// Returns the similar text by the rules of a locale, or by glibc's rules if `glibc` is set.
pub fn similar(
    rules: Rules,
    glibc: bool,
    c: char,
    held: impl Fn(&'static str) -> bool,
) -> Option<&'static str> {
    let mut own = rules.own(c);
    let in_target = |text: &&'static str| held(text);
    if glibc {
        return of_glibc(rules, c, &held).or_else(|| general(c, held));
    }
    // The substitutes of the locale C belong to no language.
    if rules.are_of_c() {
        own = None;
    }
    own.into_iter().flatten().find(in_target).or_else(|| general(c, held))
}

/// Returns the similar text that glibc chooses.
pub fn of_glibc(rules: Rules, c: char, held: impl Fn(&'static str) -> bool) -> Option<&'static str> {
    let mut listed = rules.own(c).or_else(|| rules.shared(c)).into_iter().flatten();
    listed.find(|text| held(text))
}

/// Returns the similar text by the general rules.
fn general(c: char, held: impl Fn(&'static str) -> bool) -> Option<&'static str> {
    let held = |text: &&'static str| held(text);
    if symbols::vanishes(c) {
        return Some("");
    }
    match symbols::similar(c) {
        symbols::Similar::To(text) => return Some(text).filter(held),
        symbols::Similar::ToNothing => return None,
        symbols::Similar::Unsaid => {}
    }
    let listed = tables::choices(tables::GENERAL, c).into_iter().flatten();
    // Vowel points are marks too, and for some scripts the table has letters for them.
    let visible = |text: &&str| !text.is_empty();
    let listed_text = listed.clone().filter(visible).find(held);
    let ascii = || Some(any_ascii::any_ascii_char(c)).filter(visible).filter(held);
    let vanishes = || (silent::is(c) || listed.clone().any(str::is_empty)).then_some("");
    listed_text.or_else(ascii).or_else(vanishes)
}
