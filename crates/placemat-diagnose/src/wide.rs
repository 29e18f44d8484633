//! Errors in UTF-16, UTF-32 and their ancestors.

use crate::case::{Case, Diagnosis};
use crate::others;
use crate::words::{push_bytes, push_code_point};
use core::fmt::Write as _;
use placemat::IllFormedKind;
use placemat::forms::{Repertoire, UnitOrder};

/// The number of bytes in a code unit, and their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    width: usize,
    big: bool,
}

impl Layout {
    /// `None` if the encoding has no such units. Where it says its byte order itself and the case does not tell which
    /// one it is, the error does.
    pub(crate) fn of(case: &Case<'_>) -> Option<Self> {
        let facts = case.encoding.facts();
        let width = facts.units_per_error;
        let big = match (facts.order?, width) {
            (UnitOrder::Big, _) => true,
            (UnitOrder::Little, _) => false,
            (UnitOrder::BySignature, 2) => !case.error.bytes().get(1).is_some_and(is_surrogate_byte),
            // The greatest byte makes the value too large or is 0 above a surrogate.
            (UnitOrder::BySignature, _) => match *case.error.bytes() {
                [0, 0, high, _] => is_surrogate_byte(&high),
                [first, .., last] => first > last,
                _ => false,
            },
        };
        Some(Self { width, big })
    }

    /// The whole units of `bytes`.
    fn units(self, bytes: &[u8]) -> impl DoubleEndedIterator<Item = u32> + '_ {
        bytes.chunks_exact(self.width).map(move |unit| {
            let add = |value: u32, &byte: &u8| value << 8 | u32::from(byte);
            if self.big { unit.iter().fold(0, add) } else { unit.iter().rev().fold(0, add) }
        })
    }

    const fn swapped(self) -> Self {
        Self { big: !self.big, ..self }
    }

    /// The units right before the error, aligned with it.
    fn before<'a>(self, case: &Case<'a>) -> &'a [u8] {
        &case.before[case.before.len() % self.width..]
    }

    fn push_unit(self, to: &mut String, unit: u32) {
        _ = write!(to, "0x{unit:0width$x}", width = 2 * self.width);
    }
}

fn is_surrogate_byte(byte: &u8) -> bool {
    (0xD8..=0xDF).contains(byte)
}

pub(crate) fn explain(d: &mut Diagnosis, case: &Case<'_>, layout: Layout) {
    let mut units = layout.units(case.following);
    let (unit, next) = (units.next().unwrap_or(0), units.next());
    let bits = 8 * layout.width;
    match case.error.kind() {
        IllFormedKind::UnpairedLead => {
            d.subject.push_str("leading surrogate ");
            layout.push_unit(&mut d.subject, unit);
            d.reason.push_str("no trailing surrogate follows");
            if let Some(next) = next {
                d.reason.push_str(", found ");
                push_code_point(&mut d.reason, next);
            }
            lost_half(d, case, layout);
        }
        IllFormedKind::UnpairedTrail => {
            d.subject.push_str("trailing surrogate ");
            layout.push_unit(&mut d.subject, unit);
            d.reason.push_str("no leading surrogate precedes it");
            lost_half(d, case, layout);
        }
        IllFormedKind::Surrogate => {
            d.subject.push_str("surrogate ");
            layout.push_unit(&mut d.subject, unit);
            _ = write!(d.reason, "half of a UTF-16 pair, which {} does not hold", case.encoding);
            surrogates_in_utf32(d, case, layout, unit, next);
        }
        IllFormedKind::TooLarge => {
            d.subject.push_str("value ");
            layout.push_unit(&mut d.subject, unit);
            let last =
                if case.encoding.repertoire() == Repertoire::Bits31 { "U+7FFFFFFF" } else { "U+10FFFF" };
            _ = write!(d.reason, "above the last code point {last}");
            let other = unit.swap_bytes();
            if other < 0x11_0000 && !(0xD800..0xE000).contains(&other) {
                d.reason.push_str("; in the other byte order it is ");
                push_code_point(&mut d.reason, other);
            }
            if !wrong_order(d, case, layout) {
                bytes_after_all(d, case);
            }
        }
        IllFormedKind::Incomplete if case.error.len() < layout.width => {
            d.set_subject("incomplete unit", case.error.bytes());
            let len = case.error.len();
            let s = if len == 1 { "" } else { "s" };
            _ = write!(d.reason, "the text ends here, after {len} byte{s} of a {bits}-bit unit");
            if layout.width == 2 {
                d.reason.push_str(": its number of bytes is odd");
            }
            if !wrong_order(d, case, layout) && !bytes_after_all(d, case) {
                d.suggestion.push_str("a byte was lost or added on the way; if it was an early one, all that follows it is shifted");
            }
        }
        IllFormedKind::Incomplete => {
            d.subject.push_str("leading surrogate ");
            layout.push_unit(&mut d.subject, unit);
            if case.error.len() > layout.width {
                d.subject.push_str(" and ");
                push_bytes(&mut d.subject, &case.error.bytes()[layout.width..]);
            }
            d.reason.push_str("the text ends here, within a surrogate pair");
            d.suggestion.push_str("the text was cut: get the rest, or put U+FFFD in its place");
        }
        _ => others::explain(d, case),
    }
}

fn lost_half(d: &mut Diagnosis, case: &Case<'_>, layout: Layout) {
    if !wrong_order(d, case, layout) && !bytes_after_all(d, case) {
        d.suggestion.push_str("the other half is lost: put U+FFFD in its place");
    }
}

/// UTF-16 that was widened unit by unit.
fn surrogates_in_utf32(d: &mut Diagnosis, case: &Case<'_>, layout: Layout, unit: u32, next: Option<u32>) {
    let before = layout.units(layout.before(case)).next_back();
    let whole = |lead: u32, trail: u32| 0x1_0000 + ((lead - 0xD800) << 10) + (trail - 0xDC00);
    match (before, unit, next) {
        (_, 0xD800..0xDC00, Some(trail @ 0xDC00..0xE000)) => {
            (d.extent, d.noun) = (2 * layout.width, "surrogate pair");
            d.reason.push_str("; with the next unit it is ");
            push_code_point(&mut d.reason, whole(unit, trail));
            _ = write!(d.suggestion, "write the two units as one, 0x{:08x}", whole(unit, trail));
        }
        (Some(lead @ 0xD800..0xDC00), 0xDC00.., _) => {
            d.reason.push_str("; the second half of ");
            push_code_point(&mut d.reason, whole(lead, unit));
        }
        _ => d.suggestion.push_str("the other half is lost: put U+FFFD in its place"),
    }
}

/// The minimum number of units around an error for a judgement.
const ENOUGH: usize = 4;

/// Suggests the other byte order if the bytes around the error are plain text in that order and not in this one.
fn wrong_order(d: &mut Diagnosis, case: &Case<'_>, layout: Layout) -> bool {
    let plain = |layout: Layout| {
        let around = layout.units(layout.before(case)).chain(layout.units(case.following));
        around.filter(|unit| matches!(unit, 0x09 | 0x0A | 0x0D | 0x20..0x250)).count()
    };
    let total = (case.before.len() + case.following.len()) / layout.width;
    let (here, there) = (plain(layout), plain(layout.swapped()));
    let found = total >= ENOUGH && there > here && there * 2 > total;
    if found {
        let label = match (layout.width, layout.big) {
            (2, false) => "utf-16be",
            (2, true) => "utf-16le",
            (_, false) => "utf-32be",
            (_, true) => "utf-32le",
        };
        _ = write!(d.suggestion, "the bytes around it are text in the other byte order: try `-f {label}`");
    }
    found
}

/// Suggests UTF-8 if the bytes around the error are ASCII without a NUL, which UTF-16 and UTF-32 would have.
fn bytes_after_all(d: &mut Diagnosis, case: &Case<'_>) -> bool {
    let around = || case.before.iter().chain(case.following);
    let total = around().count();
    let plain = around().filter(|byte| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~')).count();
    let found = total >= 2 * ENOUGH && plain * 10 > total * 7 && !around().any(|&byte| byte == 0);
    if found {
        d.suggestion.push_str("the bytes around it look like ASCII or UTF-8: try `-f utf-8`");
    }
    found
}
